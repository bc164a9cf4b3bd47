"""The three verdicts."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

__all__ = ["Verdict", "verdict_at", "verdict_between"]


class Verdict(StrEnum):
    """What weights can do for a model: win every duel, at best tie one, or not even that."""

    STRICT = "strict"
    """Some weights make it beat every rival: it can be the Condorcet winner."""

    WEAK = "weak"
    """Some weights make it lose to nobody, but it ties at least one rival under all of those."""

    NEVER = "never"
    """Under all weights it loses to some rival."""


def verdict_between(lower: Fraction, upper: Fraction) -> Verdict | None:
    """Return the verdict that bounds of the margin prove, or None when they prove none."""
    if lower > 0:
        return Verdict.STRICT
    if upper < 0:
        return Verdict.NEVER
    return Verdict.WEAK if lower == 0 == upper else None


def verdict_at(margin: Fraction) -> Verdict:
    """Return the verdict that an exact margin proves."""
    if margin > 0:
        return Verdict.STRICT
    return Verdict.WEAK if margin == 0 else Verdict.NEVER
