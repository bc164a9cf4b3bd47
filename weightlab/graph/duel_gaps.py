"""One duel of a score table, gap by gap: what its winner may lose before it no longer wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Radius", "TaskGap", "buffer_of", "margin_after", "radius_of"]


@dataclass(frozen=True, kw_only=True)
class TaskGap:
    """One task of a duel, on which both models have a score.

    Attributes
    ----------
    task : str
        The task.
    gap : Fraction
        By how much the one model leads, negative where it trails.
    tolerance : Fraction
        Gaps up to this size are ties.
    weight : Fraction
        Weight of the task.
    movable : bool
        Whether scores of the task can move: not where the unit in which they move is 0.
    """

    task: str
    gap: Fraction
    tolerance: Fraction
    weight: Fraction
    movable: bool

    @property
    def supports(self) -> bool:
        """Whether the model leads on the task."""
        return self.gap > self.tolerance

    def sign_after(self, shrunk: Fraction, *, beyond: bool) -> int:
        """Return 1, 0 or -1: leads, ties or trails once the gap has shrunk by so much, or by any more if ``beyond``."""
        left = self.gap - shrunk if self.movable else self.gap
        if left > self.tolerance:
            return 1
        trails = left <= -self.tolerance if beyond and self.movable else left < -self.tolerance
        return -1 if trails else 0


@dataclass(frozen=True, kw_only=True)
class Radius:
    """The least uniform change of scores that undoes a win.

    Attributes
    ----------
    size : Fraction
        How far every score may move.
    attained : bool
        Whether moves of just that size undo the win; otherwise those of any larger size do.
    """

    size: Fraction
    attained: bool

    @property
    def sort_key(self) -> tuple[Fraction, bool]:
        """Smaller the sooner the win is undone."""
        return self.size, not self.attained


def margin_after(duel: Sequence[TaskGap], shrunk: Fraction, *, beyond: bool = False) -> Fraction:
    """Return the margin of a duel once all its gaps have shrunk by so much, or by any more if ``beyond``."""
    return sum((gap.weight * gap.sign_after(shrunk, beyond=beyond) for gap in duel), Fraction(0))


def buffer_of(duel: Sequence[TaskGap]) -> TaskGap:
    """Return the task with the least gap among those that support the win; the first of several."""
    return min((gap for gap in duel if gap.supports), key=lambda gap: gap.gap)


def radius_of(duel: Sequence[TaskGap]) -> Radius:
    """Return the least e such that moving every score by at most e can undo a win.

    A gap then shrinks by up to 2e. The margin changes only where a gap reaches its tolerance (a tie) or passes the
    negative of it (a loss), so only these places are tried, each at it and just beyond it; at the last the model leads
    on nothing.
    """
    reached = {one.gap - one.tolerance for one in duel} | {one.gap + one.tolerance for one in duel} | {Fraction(0)}
    tried = [(shrunk, beyond) for shrunk in sorted(reached) if shrunk >= 0 for beyond in (False, True)]
    size, beyond = next(one for one in tried if margin_after(duel, one[0], beyond=one[1]) <= 0)
    return Radius(size=size / 2, attained=not beyond)
