"""On how many datasets a property holds, and what that says of such datasets in general."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from weightlab._result import Record
from weightlab.exceptions import InputError
from weightlab.studies.structure.dataset import DatasetAudit
from weightlab.studies.structure.properties import PROPERTIES

MAJORITY_FACTS = ("transitive", "weakly_transitive", "acyclic", "condorcet_winner")
COUNTED = (*PROPERTIES, *MAJORITY_FACTS)
"""What is counted: the properties of the rankings, then those of their majorities."""


class Count(Record, eq=True):
    """On how many datasets something holds.

    Attributes
    ----------
    holds, asked : int
        Number of datasets on which it holds, and on which it was tested.
    low, high : float or None
        Wilson's 95% interval for the share of such datasets, taking those of the suite for a sample; None of none.
    """

    holds: int
    asked: int
    low: float | None
    high: float | None

    def __str__(self) -> str:
        """Return the count, and the interval that holds if the datasets are a random sample."""
        if self.low is None or self.high is None:
            return "not asked"
        interval = f"{100 * self.low:.0f}% to {100 * self.high:.0f}%"
        return f"{self.holds} of {self.asked} (of a random sample: 95% interval {interval})"


def counts_of(audits: Sequence[DatasetAudit]) -> dict[str, Count]:
    """Return on how many of the audited datasets each property holds."""
    counts = {}
    for name in COUNTED:
        answers = [answer for one in audits if (answer := _answer(one, name)) is not None]
        low, high = wilson_interval(sum(answers), len(answers)) if answers else (None, None)
        counts[name] = Count(holds=sum(answers), asked=len(answers), low=low, high=high)
    return counts


def _answer(one: DatasetAudit, name: str) -> bool | None:
    if name == "condorcet_winner":
        return one.majority.condorcet_winner is not None
    if name in MAJORITY_FACTS:
        return bool(getattr(one.majority, name))
    return one.claims[name].holds if name in one.claims else None


# Wilson's interval: what a count among few datasets says of the share among all such datasets.


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for a share, given ``successes`` in ``trials`` independent cases.

    Parameters
    ----------
    successes, trials : int
        The counts; ``0 <= successes <= trials`` and at least one trial.
    level : float
        How sure the interval is to cover the share, between 0 and 1.

    Returns
    -------
    tuple of float
        The low and the high end, within 0 and 1.

    Raises
    ------
    InputError
        If the counts or the level are not fit.

    Notes
    -----
    The shares p with ``|successes / trials - p| <= z sqrt(p (1 - p) / trials)``: the ends are the roots of a
    quadratic. Unlike the usual interval it stays informative when nothing or everything was seen.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927).

    Examples
    --------
    >>> low, high = wilson_interval(0, 16)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.194)
    """
    if not 0 <= successes <= trials or trials < 1:
        raise InputError(f"0 <= successes <= trials and a trial are needed; got {successes} of {trials}")
    if not 0 < level < 1:
        raise InputError(f"the level must be between 0 and 1; got {level!r}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    # Nothing seen makes 0 possible and everything seen makes 1: exactly, whatever rounding says.
    low = 0.0 if successes == 0 else max(0.0, (centre - reach) / whole)
    high = 1.0 if successes == trials else min(1.0, (centre + reach) / whole)
    return low, high
