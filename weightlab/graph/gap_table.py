"""The leads of models over one another in exact scores, in raw units or those of a scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from weightlab._exact import fraction
from weightlab._record import Record
from weightlab._typing import Number
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.graph.duel_gaps import TaskGap

__all__ = ["GapTable", "Scale"]

Scale: TypeAlias = Literal["range"] | Mapping[str, Number] | None
"""Units of gaps: raw scores, the range of each task's scores, or so many raw scores task by task (1 if unlisted)."""


@dataclass(frozen=True, kw_only=True, eq=False)
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
        columns = {task: _column(board, task) for task in tasks}
        return cls(
            scores={model: tuple(columns[task][row] for task in tasks) for row, model in enumerate(board.models)},
            tasks=tasks,
            weights=tuple(weights[task] for task in tasks),
            tolerances=tuple(board.tolerance.get(task, Fraction(0)) for task in tasks),
            units=_units(scale, columns, board.tasks),
            lower_is_better=tuple(task for task in tasks if task in board.lower_is_better),
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


def _column(board: Leaderboard, task: str) -> list[Fraction | None]:
    sign = -1 if task in board.lower_is_better else 1
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
