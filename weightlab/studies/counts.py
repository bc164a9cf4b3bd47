"""On how many datasets a property holds, and what that says of such datasets in general."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weightlab._record import Record
from weightlab.studies.dataset_audit import DatasetAudit
from weightlab.studies.properties import PROPERTIES
from weightlab.studies.wilson import wilson_interval

__all__ = ["COUNTED", "Count", "counts_of"]

OF_MAJORITIES = ("transitive", "weakly_transitive", "acyclic", "condorcet_winner")
COUNTED = (*PROPERTIES, *OF_MAJORITIES)
"""What is counted: the properties of the rankings, then those of their majorities."""


@dataclass(frozen=True, kw_only=True)
class Count(Record):
    """On how many datasets something holds.

    Attributes
    ----------
    holds, asked : int
        On so many datasets, of so many on which it was asked.
    low, high : float or None
        Wilson's 95 % interval for the share of such datasets, taking those of the suite for a sample; None of none.
    """

    holds: int
    asked: int
    low: float | None
    high: float | None

    def __str__(self) -> str:
        """Return the count with its interval in per cent."""
        if self.low is None or self.high is None:
            return "not asked"
        return f"{self.holds} of {self.asked} (95 %: {100 * self.low:.0f} to {100 * self.high:.0f} %)"


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
    if name in OF_MAJORITIES:
        return bool(getattr(one.majority, name))
    return one.claims[name].holds if name in one.claims else None
