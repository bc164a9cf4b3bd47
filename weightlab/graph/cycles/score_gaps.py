"""One duel of a score table, gap by gap: what its winner may lose before it no longer wins."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from weightlab._exact import Number, fraction
from weightlab._result import Frozen, Record
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError


class TaskGap(Frozen, eq=True):
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


class Radius(Frozen, eq=True):
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


# The leads of models over one another in exact scores, in raw units or those of a scale.

Scale: TypeAlias = Literal["range"] | Mapping[str, Number] | None
"""Units of gaps: raw scores, the range of each task's scores, or so many raw scores task by task (1 if unlisted)."""


class GapTable(Record):
    """Exact scores, greater being better, of the tasks that have a weight.

    Attributes
    ----------
    scores : dict from str to tuple of Fraction or None
        For each model its scores by task, raw, negated where lower is better; None where missing.
    tasks : tuple of str
        The tasks.
    weights, tolerances, units : tuple of Fraction
        By task: its weight, the raw gap up to which scores tie, and how many raw scores are one unit.
    lower_is_better : tuple of str
        Tasks on which the lower score leads.
    """

    scores: dict[str, tuple[Fraction | None, ...]]
    tasks: tuple[str, ...]
    weights: tuple[Fraction, ...]
    tolerances: tuple[Fraction, ...]
    units: tuple[Fraction, ...]
    lower_is_better: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse rows that have not one number a task."""
        rows = [self.weights, self.tolerances, self.units, *self.scores.values()]
        if any(len(row) != len(self.tasks) for row in rows):
            raise InputError(f"a table of gaps with {len(self.tasks)} tasks needs as many numbers in every row")

    @classmethod
    def of(cls, board: Leaderboard, scale: Scale) -> GapTable:
        """Return the table of a leaderboard in the units of a scale.

        Raises
        ------
        InputError
            If the board has a relative tolerance, under which gaps have no fixed limit, or the scale is wrong.
        """
        if not isinstance(board, Leaderboard):
            raise TypeError(f"gaps between scores need a Leaderboard; got {type(board).__name__}")
        if board.relative_tolerance:
            names = ", ".join(map(repr, board.relative_tolerance))
            raise InputError(
                f"how far scores may move is not defined under a relative tolerance; tasks with one: {names}"
            )
        weights = board.weights
        tasks = tuple(task for task in board.tasks if weights[task])
        lower = frozenset(board.lower_is_better)
        columns = {task: _column(board, task, lower) for task in tasks}
        return cls(
            scores={model: tuple(columns[task][row] for task in tasks) for row, model in enumerate(board.models)},
            tasks=tasks,
            weights=tuple(weights[task] for task in tasks),
            tolerances=tuple(board.tolerance.get(task, Fraction(0)) for task in tasks),
            units=_units(scale, columns, board.tasks),
            lower_is_better=tuple(task for task in tasks if task in lower),
        )

    def duel(self, winner: str, loser: str) -> list[TaskGap]:
        """Return the gaps of a duel on the tasks on which both have a score."""
        gaps = []
        for place, task in enumerate(self.tasks):
            own, other = self.scores[winner][place], self.scores[loser][place]
            if own is not None and other is not None:
                unit = self.units[place]
                gaps.append(
                    TaskGap(
                        task=task,
                        gap=(own - other) / (unit or 1),
                        tolerance=self.tolerances[place] / (unit or 1),
                        weight=self.weights[place],
                        movable=unit > 0,
                    )
                )
        return gaps


def _column(board: Leaderboard, task: str, lower: Collection[str]) -> list[Fraction | None]:
    sign = -1 if task in lower else 1
    return [None if value is None else sign * value for value in board.cells.column(board.tasks.index(task))]


def _units(
    scale: Scale, columns: Mapping[str, Sequence[Fraction | None]], known: Sequence[str]
) -> tuple[Fraction, ...]:
    if scale is None:
        return (Fraction(1),) * len(columns)
    if isinstance(scale, str):
        if scale != "range":
            raise InputError(f"scale must be None, 'range', or a mapping from task to a positive number; got {scale!r}")
        present = {task: [value for value in column if value is not None] for task, column in columns.items()}
        return tuple(max(values) - min(values) for values in present.values())
    given = {str(task): fraction(unit) for task, unit in scale.items()}
    for task, unit in given.items():
        if task not in known:
            raise UnknownNameError("task", task, known)
        if unit <= 0:
            raise InputError(f"the scale of task {task!r} must be positive; got {unit}")
    return tuple(given.get(task, Fraction(1)) for task in columns)
