"""Rises: what a model improves on one task, and how a person is told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from weightlab._text import in_words
from weightlab.data.cells import exact_text

__all__ = ["Rise", "rise_words"]

MOST = 8
"""So many improvements, or rivals passed in one, are named; the rest is counted."""


@dataclass(frozen=True, kw_only=True)
class Rise:
    """One task's improvement.

    Attributes
    ----------
    task : str
        Where.
    old, new : Fraction
        The model's score before and after.
    passed, tied : tuple of str
        Rivals that the model newly leads, and that it newly ties, in board order.
    amount : Fraction
        How much that is: units of score, or results that change.
    cost : Fraction
        Its price.
    """

    task: str
    old: Fraction
    new: Fraction
    passed: tuple[str, ...]
    tied: tuple[str, ...]
    amount: Fraction
    cost: Fraction


def rise_words(rises: Sequence[Rise], lower_is_better: Collection[str], *, by_score: bool) -> str:
    """Return what to do, such as ``raise RTE from 92.5 to 93.1 and WSC from 93.8 to 95.9``."""
    if by_score:
        down = [rise for rise in rises if rise.task in lower_is_better]
        up = [rise for rise in rises if rise.task not in lower_is_better]
        parts = [(verb, [_moved(one) for one in some]) for verb, some in (("raise", up), ("lower", down)) if some]
        return " and ".join(f"{verb} {in_words(said, MOST)}" for verb, said in parts)
    passing = [f"pass {in_words(one.passed, MOST)} on {one.task}" for one in rises if one.passed]
    tying = [f"tie {in_words(one.tied, MOST)} on {one.task}" for one in rises if one.tied]
    return in_words([*passing, *tying], MOST)


def _moved(rise: Rise) -> str:
    return f"{rise.task} from {exact_text(rise.old)} to {exact_text(rise.new)}"
