"""What the majority of a dataset's metrics says: who beats whom, whether that makes sense, and the witness if not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from weightlab import graph
from weightlab._result import Record, ensure
from weightlab.data import Margins, Profile
from weightlab.rules.similarity.rank_correlation import tau_matrix


class Majority(Record, eq=True):
    """The majority relation of some rankings.

    Attributes
    ----------
    beats : dict from str to tuple of str
        For each model those that it beats: the strict majority relation.
    tied : tuple of (str, str)
        Pairs that tie; with them and ``beats`` the weak majority relation is known, too.
    transitive, weakly_transitive : bool
        Whether "beats", and "beats or ties", is transitive.
    triple : tuple of str or None
        Models x, y, z such that x beats or ties y, y beats or ties z, and z beats x; None if weakly transitive.
    acyclic : bool
        Whether "beats" is acyclic.
    cycle : tuple of str or None
        A cycle of as few models as any.
    three_cycles : int
        How many sets of three models beat one another in a cycle.
    condorcet_winner : str or None
        Who beats all others.
    undefeated : tuple of str
        The undefeated models.
    """

    beats: Mapping[str, tuple[str, ...]]
    tied: tuple[tuple[str, str], ...]
    transitive: bool
    weakly_transitive: bool
    triple: tuple[str, ...] | None
    acyclic: bool
    cycle: tuple[str, ...] | None
    three_cycles: int
    condorcet_winner: str | None
    undefeated: tuple[str, ...]


def majority_of(source: Profile | Margins) -> Majority:
    """Return the weighted majority."""
    margins = source.margins() if isinstance(source, Profile) else source
    models, lead = margins.models, margins.array
    cycle = graph.shortest_cycle(margins)
    triple = graph.intransitive_triple(margins, strict=False)
    return Majority(
        beats={
            model: tuple(models[i] for i in np.flatnonzero(row > 0)) for model, row in zip(models, lead, strict=True)
        },
        tied=tuple((models[i], models[j]) for i, j in np.argwhere(np.triu(lead == 0, k=1)).tolist()),
        transitive=graph.intransitive_triple(margins) is None,
        weakly_transitive=triple is None,
        triple=triple,
        acyclic=cycle is None,
        cycle=cycle,
        three_cycles=graph.count_three_cycles(margins),
        condorcet_winner=graph.condorcet_winner(margins),
        undefeated=graph.weak_condorcet_winners(margins),
    )


# How far the metrics of one dataset order the models alike.

CLOSE = 1e-9
"""Two values of tau that differ by no more are the same up to rounding."""


class MetricAgreement(Record, eq=True):
    """Kendall's tau-b among the metrics of a dataset, ties as they are.

    Attributes
    ----------
    mean, least : float or None
        Over all pairs of metrics that do not tie all models; None without such a pair.
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
    taus[np.tril_indices_from(taus)] = np.nan
    if np.isnan(taus).all():
        return MetricAgreement(mean=None, least=None, farthest=())
    # Rounding must not choose among pairs that agree equally little: the first of them is named.
    least = float(np.nanmin(taus))
    one, other = divmod(int(np.argmax(taus <= least + CLOSE)), len(taus))
    farthest = (profile.voters[one], profile.voters[other])
    return MetricAgreement(mean=float(np.nanmean(taus)), least=least, farthest=farthest)
