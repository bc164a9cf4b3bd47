"""Completions: missing scores filled in as well, or as badly, for one model as they can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from weightlab._exact import fraction
from weightlab._record import read_fraction, read_list, to_json
from weightlab._typing import Number, SignArray
from weightlab._validate import Faults
from weightlab.data.frame.cells import exact_text
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, unknown_name
from weightlab.lp.improvement.score_column import ScoreColumn, score_columns
from weightlab.lp.space.condition_text import options_sentence

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


# Ranges of missing scores: what a user says about the lowest and highest values, cell by cell.

Pair = tuple[Number | None, Number | None]
Bounds = Pair | Mapping[str | tuple[str, str], Pair]
"""A lowest and a highest score for all missing cells, or such pairs by task and by (model, task)."""


def ranges_of(board: Leaderboard, bounds: Bounds | None) -> dict[Cell, Range]:
    """Return the range of every missing cell: the cell's own if it has one, else its task's, else no limits.

    Raises
    ------
    InputError
        Listing every fault: unknown names, cells that have a score, pairs that are none or in the wrong order.
    """
    faults = Faults()
    if bounds is None or isinstance(bounds, Mapping):
        pairs = {_place(name): pair for name, pair in (bounds or {}).items()}
    else:
        pairs = dict.fromkeys(board.tasks, bounds)
    missing = set(board.missing_cells)
    read: dict[Any, Range] = {}
    for place, pair in pairs.items():
        fault = _fault(board, place, missing)
        if fault:
            faults.add(fault)
            continue
        try:
            read[place] = _range(pair)
        except (InputError, TypeError, ValueError):
            faults.add(
                f"bounds of {place!r}: a lowest and a highest score (or None) are needed, in order; got {pair!r}"
            )
    faults.raise_if_any()
    return {cell: read.get(cell, read.get(cell[1], (None, None))) for cell in board.missing_cells}


def _place(name: Any) -> Any:
    return tuple(map(str, name)) if isinstance(name, tuple) else str(name)


def _fault(board: Leaderboard, place: Any, missing: set[Cell]) -> str | None:
    """Return what is wrong with the task or cell that bounds are given for."""
    if isinstance(place, tuple) and len(place) != 2:
        return f"bounds go by task or by (model, task); got {place!r}"
    model, task = place if isinstance(place, tuple) else (None, place)
    if task not in board.tasks:
        return unknown_name("task", task, board.tasks)
    if model is not None and model not in board.models:
        return unknown_name("model", model, board.models)
    if model is not None and place not in missing:
        return f"bounds of {place!r}: this score is not missing"
    return None


def _range(pair: Any) -> Range:
    if not isinstance(pair, Sequence):  # a set has no lowest and highest place
        raise InputError("not a range")
    low, high = (None if one is None else fraction(one) for one in pair)
    if isinstance(pair, str) or (low is not None and high is not None and low > high):
        raise InputError("not a range")
    return low, high


def bounds_text(ranges: Mapping[Cell, Range]) -> str:
    """Return a sentence that names the bounds, empty where there are none."""
    texts = {f"{model} on {task}": _range_text(*ends) for (model, task), ends in ranges.items() if ends != (None, None)}
    return options_sentence("Bounds", [texts], len(ranges), "every missing score")


def _range_text(low: Fraction | None, high: Fraction | None) -> str:
    if low is None or high is None:
        return f"at least {exact_text(low)}" if low is not None else f"at most {exact_text(high or Fraction(0))}"
    return f"{exact_text(low)} to {exact_text(high)}"


def ranges_to_json(ranges: Mapping[Cell, Range]) -> list[Any]:
    """Return the ranges that have a limit, ready for JSON: model, task, lowest and highest score."""
    return [to_json((*cell, *ends)) for cell, ends in ranges.items() if ends != (None, None)]


def ranges_from_json(listed: Any, what: str, board: Leaderboard) -> dict[Cell, Range]:
    """Return the ranges of a board's missing cells that ``ranges_to_json`` wrote."""
    ranges: dict[Any, Range] = {}
    for one in read_list(listed, what):
        if len(read_list(one, what)) != 4 or not all(isinstance(name, str) for name in one[:2]):
            raise InputError(f"{what}: model, task, lowest and highest score are needed; got {one!r}")
        model, task, *ends = one
        low, high = (None if end is None else read_fraction(end, f"{what} of {model!r} on {task!r}") for end in ends)
        ranges[model, task] = low, high
    return ranges_of(board, ranges)
