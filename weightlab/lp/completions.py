"""Completions: missing scores filled in as well, or as badly, for one model as they can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from weightlab._typing import SignArray
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.signs import Signs
from weightlab.lp.score_column import ScoreColumn, score_columns

__all__ = ["Cell", "Completions", "Range"]

Cell = tuple[str, str]
"""A model and a task."""

Range = tuple[Fraction | None, Fraction | None]
"""The lowest and the highest score that a cell can have; None where there is no limit."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Completions:
    """A table with the range of each missing score.

    Attributes
    ----------
    board : Leaderboard
        The table.
    ranges : mapping from (model, task) to (lowest, highest)
        One for every missing cell.

    Notes
    -----
    A better score of its own and a worse one of a rival never do a model harm, so one completion serves it best in all
    duels at once, and one worst. Where a cell has no limit, a score beyond all that are written (and beyond all limits
    and tolerances) stands for all that are farther still: no sign changes out there.
    """

    board: Leaderboard
    ranges: Mapping[Cell, Range]

    @cached_property
    def columns(self) -> tuple[ScoreColumn, ...]:
        """The tasks as exact gains, missing ones None."""
        return score_columns(self.board)

    @cached_property
    def _extremes(self) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
        """Return the worst and the best gain of every cell, task by task; written ones are both."""
        worst, best = [], []
        for column in self.columns:
            far = self._far(column)
            limits = [self._limits(model, column, far) for model in self.board.models]
            pairs = zip(column.gains, limits, strict=True)
            ends = [(gain, gain) if gain is not None else limit for gain, limit in pairs]
            worst.append([low for low, _ in ends])
            best.append([high for _, high in ends])
        return worst, best

    def _limits(self, model: str, column: ScoreColumn, far: Fraction) -> tuple[Fraction, Fraction]:
        """Return the worst and best gain of a cell, were it missing."""
        low, high = self.ranges.get((model, column.task), (None, None))
        if column.lower_is_better:
            low, high = (None if high is None else -high), (None if low is None else -low)
        return (-far if low is None else low), (far if high is None else high)

    def _far(self, column: ScoreColumn) -> Fraction:
        """Return a gain beyond whose size no sign changes."""
        limits = [one for (_, task), ends in self.ranges.items() if task == column.task for one in ends]
        largest = max((abs(one) for one in (*column.gains, *limits) if one is not None), default=Fraction(0))
        if not column.relative:
            return largest + column.tolerance + 1
        # Relative tolerances ask for more than a constant: beyond v / (1 - r) a gain leads v, however large v is.
        return (largest + 1) / (1 - column.tolerance) if column.tolerance < 1 else largest + 1

    def extreme(self, cell: Cell, *, best: bool) -> Fraction:
        """Return the best or worst gain that a missing cell can have."""
        model, task = self.board.models.index(cell[0]), self.board.tasks.index(cell[1])
        return self._extremes[int(best)][task][model]

    def signs(self, model: int, *, best: bool) -> SignArray:
        """Return a model's signs over its rivals (rivals x tasks) in the completion that serves it best, or worst."""
        signs = self._signs.over_all(model)
        missing = self.board.cells.missing
        for task in np.flatnonzero(missing[model]):
            signs[:, task] = [self.sign(model, rival, int(task), best=best) for rival in range(len(signs))]
        for rival, task in np.argwhere(missing & ~missing[model]):
            signs[rival, task] = self.sign(model, int(rival), int(task), best=best)
        return np.delete(signs, model, axis=0)

    @cached_property
    def _signs(self) -> Signs:
        return self.board.signs()

    def sign(
        self, model: int, rival: int, task: int, *, best: bool, known: Mapping[int, Fraction] | None = None
    ) -> int:
        """Return one sign in that completion, where gains of some models on this task may be known to be others."""
        # What serves a model best is its own best score and the rival's worst, and the other way round.
        own, other = self._extremes[int(best)][task][model], self._extremes[int(not best)][task][rival]
        gains = known or {}
        return self.columns[task].sign(gains.get(model, own), gains.get(rival, other))

    def scores(self, model: str, *, best: bool) -> dict[Cell, Fraction]:
        """Return the missing scores in the completion that serves a model best, or worst."""
        lower = set(self.board.lower_is_better)
        found = {}
        for cell in self.board.missing_cells:
            gain = self.extreme(cell, best=best == (cell[0] == model))
            found[cell] = -gain if cell[1] in lower else gain
        return found
