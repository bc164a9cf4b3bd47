"""How far the metrics of one dataset order the models alike."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

import numpy as np

from weightlab._record import Record
from weightlab._result import ensure
from weightlab.data import Profile
from weightlab.rules.agreement import tau_matrix

__all__ = ["MetricAgreement", "metric_agreement"]

CLOSE = 1e-9
"""Two values of tau that differ by no more are the same up to rounding."""


@dataclass(frozen=True, kw_only=True)
class MetricAgreement(Record):
    """Kendall's tau-b among the metrics of a dataset, ties as they are.

    Attributes
    ----------
    mean, least : float or None
        Over all pairs of metrics of which neither ties all models; None without such a pair.
    farthest : tuple of str
        The two metrics with the least.
    """

    mean: float | None
    least: float | None
    farthest: tuple[str, ...]

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless that is how far the metrics agree."""
        own = metric_agreement(profile)
        for what in ("mean", "least"):
            here, there = getattr(self, what), getattr(own, what)
            same = here == there if here is None or there is None else abs(here - there) <= CLOSE
            ensure(same, f"the {what} of Kendall's tau is {there}, not {here}")
        ensure(self.farthest == own.farthest, f"the metrics that agree least are {own.farthest}, not {self.farthest}")


def metric_agreement(profile: Profile) -> MetricAgreement:
    """Return the mean and the least of Kendall's tau-b between any two voters."""
    taus = tau_matrix(profile.orders)
    pairs = [
        (float(taus[i, j]), (profile.voters[i], profile.voters[j]))
        for i, j in np.argwhere(np.triu(np.ones_like(taus), k=1)).tolist()
        if not isnan(taus[i, j])
    ]
    if not pairs:
        return MetricAgreement(mean=None, least=None, farthest=())
    # Rounding must not choose among pairs that agree equally little: the first of them is named.
    least = min(tau for tau, _ in pairs)
    farthest = next(pair for tau, pair in pairs if tau <= least + CLOSE)
    return MetricAgreement(mean=sum(tau for tau, _ in pairs) / len(pairs), least=least, farthest=farthest)
