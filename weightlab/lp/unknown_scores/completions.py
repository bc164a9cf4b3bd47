"""Tables with gaps: between which scores each missing one lies, and the worst and the best that it can be worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from weightlab._exact import INT64_SAFE, AnyArray, IntArray, SignArray, common_denominator
from weightlab._result import Frozen
from weightlab._validate import Faults
from weightlab.data import Leaderboard
from weightlab.data.frame.cells import exact_text
from weightlab.data.frame.declarations import Pair, Range, score_range
from weightlab.data.linear_rule import MEAN, LinearRule
from weightlab.exceptions import InputError, unknown_name
from weightlab.lp.improvement.score_column import ScoreColumn, score_columns
from weightlab.lp.space.conditions import options_sentence

Cell = tuple[str, str]
"""A model and a task."""


class Ends(Frozen):
    """The worst and the best gain of every cell, by place among those of its task: signs compare places.

    Attributes
    ----------
    places, leads_from, ties_from : ndarray of int, 2 x models x tasks
        The place of the worst ([0]) and the best gain ([1]); the first place that leads it; the first that does not
        trail it.
    """

    places: IntArray
    leads_from: IntArray
    ties_from: IntArray

    def signs(
        self, own: IntArray, end: int, rival: int | slice = slice(None), task: int | slice = slice(None)
    ) -> SignArray:
        """Return the signs of gains at some places over the rivals' worst (0) or best gains (1)."""
        leads, trails = own >= self.leads_from[end, rival, task], own < self.ties_from[end, rival, task]
        return leads.astype(np.int8) - trails.astype(np.int8)


class GainEnds(Frozen):
    """The worst and the best gain of every cell as whole numbers, for the mean, which compares their sums.

    Attributes
    ----------
    places : ndarray of int, 2 x models x tasks
        The worst ([0]) and the best gain ([1]), times ``unit``.
    unit : int
        Their common denominator.
    """

    places: AnyArray
    unit: int

    def signs(
        self, own: AnyArray, end: int, rival: int | slice = slice(None), task: int | slice = slice(None)
    ) -> AnyArray:
        """Return gains less the rivals' worst (0) or best gains (1)."""
        return np.asarray(own - self.places[end, rival, task])


BORDA = "borda"


class Completions(Frozen):
    """A table with the range of each missing score.

    Attributes
    ----------
    rule : LinearRule
        The majority, which compares scores, the mean, which adds them up, or Borda, which counts who is below.
    board : Leaderboard
        The table.
    ranges : mapping from (model, task) to (lowest, highest)
        One for every missing cell.

    Notes
    -----
    A better score of its own and a worse one of a rival never do a model harm, so by majority and by the mean one
    completion serves it best in all duels at once, and one worst; by Borda the scores of third models matter, too, and
    each pair has completions of its own. Where a cell has no limit, a score beyond all that are written (and beyond all
    limits and tolerances) stands for all that are farther still: no sign changes out there.
    """

    rule: LinearRule
    board: Leaderboard
    ranges: Mapping[Cell, Range]

    @property
    def unit(self) -> int:
        """What leads on a task are divided by: 1 for signs, 2 for points, of which a tie is worth half a one."""
        ends = self.ends
        return ends.unit if isinstance(ends, GainEnds) else 2 if self.rule.name == BORDA else 1

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

    def signs(self, model: int, *, best: bool) -> AnyArray:
        """Return a model's rows over its rivals (rivals x tasks) in the completion that serves it best, or worst."""
        return np.delete(self.ends.signs(self.ends.places[int(best), model], int(not best)), model, axis=0)

    @cached_property
    def ends(self) -> Ends | GainEnds:
        """The worst and the best gain of every cell, by place among those of its task; for the mean the gains."""
        if self.rule.name == MEAN:
            return self._gain_ends()
        if self.rule.name == BORDA:
            at = [{gain: place for place, gain in enumerate(own)} for own in self.known]
            ends = [[[at[task][gain] for gain in own] for task, own in enumerate(end)] for end in self._extremes]
            ranks = np.array(ends, dtype=np.int64).transpose(0, 2, 1)
            return Ends(places=ranks, leads_from=ranks + 1, ties_from=ranks)
        places, leads_from, ties_from = np.zeros((3, 2, len(self.board.models), len(self.board.tasks)), dtype=np.int64)
        for task, (column, *both) in enumerate(zip(self.columns, *self._extremes, strict=True)):
            gains = [gain for end in both for gain in end]
            above = [column.lead_above(gain) for gain in gains]
            from_ = [column.tie_from(gain) for gain in gains]
            whole, _ = common_denominator([gain or 0 for gain in (*gains, *above, *from_)])
            values, lead, tie = np.array(whole, dtype=object).reshape(3, -1)
            known = np.unique(values)
            shape = (2, len(self.board.models))
            places[:, :, task] = np.searchsorted(known, values).reshape(shape)
            lead_at = np.where([one is None for one in above], len(known), np.searchsorted(known, lead, side="right"))
            tie_at = np.where([one is None for one in from_], 0, np.searchsorted(known, tie))
            leads_from[:, :, task], ties_from[:, :, task] = lead_at.reshape(shape), tie_at.reshape(shape)
        return Ends(places=places, leads_from=leads_from, ties_from=ties_from)

    @cached_property
    def known(self) -> tuple[list[Fraction], ...]:
        """The worst and best gains of each task, each once, in order."""
        return tuple(sorted({*low, *high}) for low, high in zip(*self._extremes, strict=True))

    def _gain_ends(self) -> GainEnds:
        shape = (2, len(self.board.tasks), len(self.board.models))
        whole, unit = common_denominator([gain for end in self._extremes for own in end for gain in own])
        fits = max(map(abs, whole)) < INT64_SAFE // 2
        gains = np.array(whole, dtype=np.int64 if fits else object).reshape(shape).transpose(0, 2, 1)
        return GainEnds(places=gains, unit=unit)

    def scores_at(self, places: IntArray) -> dict[Cell, Fraction]:
        """Return the missing scores at twice their places by Borda; between two of these lie odd ones."""
        found = {}
        for row, task in np.argwhere(self.board.cells.missing).tolist():
            place, known, column = int(places[row, task]), self.known[task], self.columns[task]
            gain = (known[place // 2] + known[(place + 1) // 2]) / 2
            found[self.board.models[row], column.task] = column.score(gain)
        return found

    def scores(self, model: str, *, best: bool) -> dict[Cell, Fraction]:
        """Return the missing scores in the completion that serves a model best, or worst."""
        found = {}
        for row, task in np.argwhere(self.board.cells.missing).tolist():
            column, owner = self.columns[task], self.board.models[row]
            found[owner, column.task] = column.score(self._extremes[int(best == (owner == model))][task][row])
        return found


# Ranges of missing scores: what a user says about the lowest and highest values, cell by cell.

Bounds: TypeAlias = "Pair | Mapping[str | tuple[str, str], Pair]"
"""A lowest and a highest score for all missing cells, or such pairs by task and by (model, task)."""


def ranges_of(board: Leaderboard, bounds: Bounds | None) -> dict[Cell, Range]:
    """Return the range of every missing cell: its own, else its task's, else what the table declares, else no limits.

    Raises
    ------
    InputError
        As `bounds_read`.
    """
    read = bounds_read(board, bounds)
    return {cell: read.get(cell, read.get(cell[1], (None, None))) for cell in board.missing_cells}


def bounds_read(board: Leaderboard, bounds: Bounds | None) -> dict[Any, Range]:
    """Return the ranges that a user names, or else the table declares, by task and by (model, task).

    Raises
    ------
    InputError
        Listing every fault: unknown names, cells that have a score, pairs that are none or in the wrong order.
    """
    faults = Faults()
    if bounds is None or isinstance(bounds, Mapping):
        pairs = {_place(name): pair for name, pair in (bounds or {}).items()}
    else:
        try:
            return dict(board.bounds) | dict.fromkeys(board.tasks, score_range(bounds))
        except InputError as error:
            raise InputError(f"bounds: {error}") from None
    missing = set(board.missing_cells) if any(isinstance(place, tuple) for place in pairs) else set()
    read: dict[Any, Range] = {}
    for place, pair in pairs.items():
        fault = _fault(board, place, missing)
        if fault:
            faults.add(fault)
            continue
        try:
            read[place] = score_range(pair)
        except InputError as error:
            faults.add(f"bounds of {place!r}: {error}")
    faults.raise_if_any()
    return dict(board.bounds) | read


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
        told = f"bounds of {place!r}: this score is not missing"
        return f"{told}; if it is uncertain, leave the score out and keep the bounds"
    return None


def bounds_text(ranges: Mapping[Cell, Range]) -> str:
    """Return a sentence that names the bounds, empty where there are none."""
    texts = {f"{model} on {task}": range_text(*ends) for (model, task), ends in ranges.items() if ends != (None, None)}
    return options_sentence("Bounds", [texts], len(ranges), "every missing score")


def range_text(low: Fraction | None, high: Fraction | None) -> str:
    """Return bounds as words."""
    if low is None or high is None:
        return f"at least {exact_text(low)}" if low is not None else f"at most {exact_text(high or Fraction(0))}"
    return f"{exact_text(low)} to {exact_text(high)}"


Limit: TypeAlias = tuple[str, str, Fraction | None, Fraction | None]
"""A model and a task, the lowest and the highest score."""


def limits_of(ranges: Mapping[Cell, Range] | Sequence[Limit]) -> tuple[Limit, ...]:
    """Return the ranges that have a limit: model, task, lowest and highest score."""
    if not isinstance(ranges, Mapping):
        return tuple(ranges)
    return tuple((*cell, *ends) for cell, ends in ranges.items() if ends != (None, None))
