"""Tables with gaps as whole numbers: between which ends each score lies, and the least lead over all completions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import INT64_SAFE, AnyArray, BoolArray, FloatArray, IntArray, common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._text import first_few
from weightlab.data import Leaderboard
from weightlab.data.frame.cells import Cells
from weightlab.data.linear_rule import MAJORITY, MEAN
from weightlab.exceptions import InputError
from weightlab.lp.unknown_scores.borda_leads import least_borda_leads, least_signs
from weightlab.lp.unknown_scores.bounds import BORDA, Limit, outside_text, usual_bounds

_DIGITS = 15
"""Doubles distinguish decimals of at most this many digits."""
_BLOCK = 2**22
"""Cells that are worked on at once, so that large tables are never copied whole."""
_COUNTED = np.iinfo(np.int16).max
"""Tasks whose signs add up in 16 bits."""


def in_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield the rows of a table in blocks."""
    step = max(1, _BLOCK // max(1, shape[1]))
    for start in range(0, shape[0], step):
        yield slice(start, start + step)


class Spans(Frozen):
    """The gains of all cells as whole numbers, greater being better, with the ends between which each lies.

    Attributes
    ----------
    rule : str
        ``"mean"``, ``"majority"`` or ``"borda"``.
    least, most : ndarray of int, models x tasks
        The ends of each cell before it is measured; where a side has no bound, a gain beyond which no sign changes.
    scores : ndarray of int, models x tasks
        The gains; anything where a score is missing.
    measured : ndarray of bool, models x tasks
        Which gains are known.
    bounded : ndarray of bool, models x tasks
        Whether both ends are bounds.
    weights : list of int
        One a task.
    unit : int
        The denominator of gains.
    tolerances : ndarray of int, 3 x tasks
        Gains tie that differ by no more than the first, or than the second over the third of the larger size; they play
        no part by the mean.
    """

    rule: str
    least: AnyArray
    most: AnyArray
    scores: AnyArray
    measured: BoolArray
    bounded: BoolArray
    weights: list[int]
    unit: int
    tolerances: AnyArray

    def knowing(self, measured: BoolArray) -> Spans:
        """Return the table as it is when just these cells are measured."""
        return replace(self, measured=measured)

    @cached_property
    def low(self) -> AnyArray:
        """The worst gain of each cell."""
        return self.end(0, slice(None))

    @cached_property
    def high(self) -> AnyArray:
        """The best gain of each cell."""
        return self.end(1, slice(None))

    def reduced(self) -> Spans:
        """Return the same in the largest unit in which gains and ends are whole."""
        divisor = int(np.gcd.reduce(np.array([self.least, self.most, self.scores]), axis=None, initial=self.unit))
        ends = {name: getattr(self, name) // divisor for name in ("least", "most", "scores")}
        own = self.tolerances // np.array([[divisor], [1], [1]])
        return replace(self, **ends, tolerances=own, unit=self.unit // divisor)

    def end(self, best: int, rows: slice | int) -> AnyArray:
        """Return the worst (0) or best gains (1) of some rows, wide enough for sums."""
        found = self._narrow(best, rows)
        return found if found.dtype == object else found.astype(np.int64)

    def _narrow(self, best: int, rows: slice | int = slice(None)) -> AnyArray:
        """Return the worst (0) or best gains (1) of some rows, as narrow as they are kept."""
        return np.where(self.measured[rows], self.scores[rows], (self.least, self.most)[best][rows])

    @cached_property
    def totals(self) -> tuple[AnyArray, AnyArray]:
        """The worst and the best weighted sum of each model."""
        blocks = [*in_blocks(self.scores.shape)]
        worst, best = (
            np.concatenate([exact_products(self.end(end, rows), self.weights) for rows in blocks]) for end in (0, 1)
        )
        return worst, best

    @property
    def lead_unit(self) -> int:
        """What leads are divided by to be differences of means, shares of the weight or mean points."""
        return sum(self.weights) * {MEAN: self.unit, MAJORITY: 1, BORDA: 2}[self.rule]

    @property
    def free(self) -> BoolArray:
        """Which cells are not measured, can take several values and have weight."""
        varies: BoolArray = ~self.measured & (self.least < self.most) & np.array([one > 0 for one in self.weights])
        return varies

    @cached_property
    def places(self) -> IntArray:
        """The worst and the best gain of each cell by place among the ends of its task (2 x models x tasks)."""
        ends, found = np.array([self.low, self.high]), np.zeros((2, *self.scores.shape), dtype=np.int64)
        for task in range(len(self.weights)):
            found[:, :, task] = np.searchsorted(np.unique(ends[:, :, task]), ends[:, :, task])
        return found

    @cached_property
    def standings(self) -> FloatArray:
        """Which share of the other measured models each gain leads on its task, less those that it trails.

        Shares are of one model more, so that few of them say little; 0 where nothing is measured.
        """
        found = np.zeros(self.scores.shape)
        for task in range(len(self.weights)):
            known = self.measured[:, task]
            gains = self.scores[known, task]
            ordered = np.sort(gains)
            under, over = (np.searchsorted(ordered, gains, side=side) for side in ("left", "right"))
            found[known, task] = (under + over - len(gains)) / (len(gains) + 1)
        return found

    def at(self, places: AnyArray) -> AnyArray:
        """Return the gains at twice these places (models x tasks); between two of them lie odd ones."""
        ends, found = np.array([self.low, self.high]), np.empty(places.shape, dtype=object)
        for task in range(len(self.weights)):
            known, own = np.unique(ends[:, :, task]).tolist(), places[:, task].tolist()
            found[:, task] = [Fraction(known[one // 2] + known[(one + 1) // 2], 2) for one in own]
        return found

    def signs(self, task: int | slice, own: AnyArray, other: AnyArray) -> AnyArray:
        """Return 1 where a gain leads another on a task, -1 where it trails it, 0 where they tie."""
        within, over, under = self.tolerances[:, task]
        found = np.asarray(own > other).view(np.int8) - np.asarray(own < other).view(np.int8)
        if not (np.any(within) or np.any(over)):
            return np.asarray(found)
        own, other = (one.astype(self.tolerances.dtype) for one in (own, other))
        gap = abs(own - other)
        apart = gap > within
        if np.any(over):
            apart = np.where(over, gap * under > over * np.maximum(abs(own), abs(other)), apart)
        return np.asarray(found * apart)

    def column(self, task: int, low: AnyArray, high: AnyArray) -> AnyArray:
        """Return one task's part of the least leads (models x rivals), given its worst and best gains."""
        return least_signs(low, high) if self.rule == BORDA else self.ahead(task, low[:, None], high[None])

    def ahead(self, task: int | slice, own: AnyArray, other: AnyArray) -> AnyArray:
        """Return by how much gains lead others on a task: by the mean differences, else signs."""
        return np.asarray(own - other) if self.rule == MEAN else self.signs(task, own, other).astype(np.int64)

    def rows(self, row: int, *, best: bool) -> AnyArray:
        """Return a model's leads over its rivals (rivals x tasks) in the completion that serves it best, or worst."""
        own, others = (self.high[row], self.low) if best else (self.low[row], self.high)
        return np.delete(self.ahead(slice(None), own, others), row, axis=0)

    def scores_of(self, table: Leaderboard, gains: AnyArray) -> dict[tuple[str, str], Fraction]:
        """Return gains of the missing cells as scores, by model and task."""
        found, lower = {}, {*table.lower_is_better}
        for row, task in np.argwhere(~self.measured).tolist():
            score = Fraction(gains[row, task]) / self.unit
            found[table.models[row], table.tasks[task]] = -score if table.tasks[task] in lower else score
        return found

    @cached_property
    def leads(self) -> tuple[AnyArray, AnyArray]:
        """The least and the greatest lead of each model over each other, in units of ``lead_unit``.

        The greatest of x over y is the least of y over x, negated.
        """
        if self.rule == MEAN:
            worst, best = self.totals
            least = worst[:, None] - best[None]
        elif self.rule == BORDA:
            least = least_borda_leads(np.array([self.low, self.high]), self.weights)
        else:
            least = self._least_majorities()
        return least, -least.T

    def _least_majorities(self) -> AnyArray:
        """Return the least leads by majority; tasks of one weight are counted before they are weighed."""
        low, high = (np.ascontiguousarray(self._narrow(end).T) for end in (0, 1))
        fits = sum(self.weights) < INT64_SAFE
        least = np.zeros((len(self.scores),) * 2, dtype=np.int64 if fits else object)
        for weight in {*self.weights} - {0}:
            tasks = [task for task, own in enumerate(self.weights) if own == weight]
            for start in range(0, len(tasks), _COUNTED):
                count = np.zeros(least.shape, dtype=np.int16)
                for task in tasks[start : start + _COUNTED]:
                    count += self.signs(task, low[task][:, None], high[task][None])
                least += weight * count.astype(least.dtype)
        return least


def spans_of(table: Leaderboard, rule: str, limits: Sequence[Limit]) -> Spans:
    """Return a table as whole numbers.

    Parameters
    ----------
    table : Leaderboard
        The table.
    rule : str
        ``"mean"``, ``"majority"`` or ``"borda"``.
    limits : sequence of (model, task, lowest, highest)
        Of a whole task where the model is empty; what comes later goes before what came earlier.

    Raises
    ------
    InputError
        If a score lies outside its limits, or by the mean a missing one has none.
    """
    weights, _ = common_denominator(list(table.weights))
    wide = [table.relative_tolerance.get(task, Fraction(0)) for task in table.tasks]
    within = [Fraction(0 if one else table.tolerance.get(task, 0)) for one, task in zip(wide, table.tasks, strict=True)]
    written = [one for *_, low, high in limits for one in (low, high) if one is not None] + within
    whole, unit = _whole(table.cells, {*written})
    size = max((int(abs(whole[rows]).max(initial=0)) for rows in in_blocks(whole.shape)), default=0)
    largest = max(size, *(ceil(abs(one) * unit) for one in {*written})) + 1
    # Beyond v / (1 - r) a gain leads v by a relative tolerance r; see `Completions`.
    far = max(ceil(largest / (1 - one if one < 1 else 1)) + ceil(t * unit) for one, t in zip(wide, within, strict=True))
    fits = 4 * far * max(1, sum(weights), *(one.denominator for one in wide)) < INT64_SAFE
    kinds = (np.int16, np.int32, np.int64) if fits else ()
    kind = next((one for one in kinds if 4 * far < np.iinfo(one).max), np.dtype(object))
    tied = [(floor(t * unit), *one.as_integer_ratio()) for t, one in zip(within, wide, strict=True)]
    made = Spans(
        rule=rule,
        **_ends(table, limits, far, unit, whole.astype(kind, copy=False)),
        measured=~table.cells.missing,
        weights=weights,
        unit=unit,
        tolerances=np.array(tied, dtype=np.int64 if fits else object).T,
    )
    _check(table, made, limits)
    if rule == MEAN and not made.bounded.all():  # nothing else is known of a measured score without bounds
        fixed, scores = made.measured & ~made.bounded, made.scores
        return replace(made, least=np.where(fixed, scores, made.least), most=np.where(fixed, scores, made.most))
    return made


def _ends(table: Leaderboard, limits: Sequence[Limit], far: int, unit: int, whole: AnyArray) -> dict[str, AnyArray]:
    """Return scores as gains, the ends of each, and whether both are bounds."""
    # One row stands for all where bounds are those of tasks.
    height = len(whole) if any(model for model, *_ in limits) else 1
    ends = np.full((2, height, whole.shape[1]), -far, dtype=whole.dtype)
    ends[1], bounded = far, np.zeros(ends.shape, dtype=np.bool_)
    row, column = ({name: place for place, name in enumerate(names)} for names in (table.models, table.tasks))
    lower = set(table.lower_is_better)
    for model, task, *pair in limits:
        signed = [None if one is None else -one for one in pair[::-1]] if task in lower else pair
        at = (row[model] if model else slice(None), column[task])
        for end, one in enumerate(signed):
            ends[(end, *at)] = (-far, far)[end] if one is None else int(one * unit)
            bounded[(end, *at)] = one is not None
    for task in lower:
        whole[:, column[task]] *= -1
    least, most, both = (np.broadcast_to(one, whole.shape) for one in (*ends, bounded.all(axis=0)))
    return {"least": least, "most": most, "scores": whole, "bounded": both}


def _check(table: Leaderboard, made: Spans, limits: Sequence[Limit]) -> None:
    """Raise InputError where a score is outside its limits, or by the mean a missing one has none."""
    for row, task in _outside(made)[:1]:
        names = (table.models[row], table.tasks[task])
        low, high = next(
            pair for model, name, *pair in reversed(limits) if name == names[1] and model in ("", names[0])
        )
        raise InputError(outside_text(table, names, (low, high)))
    if made.rule != MEAN:
        return
    open_cells = [] if made.bounded.all() else np.argwhere(~made.measured & ~made.bounded)[:6].tolist()
    free = [f"{table.models[row]!r} on {table.tasks[task]!r}" for row, task in open_cells]
    if free:
        told = "by mean a missing score needs bounds on both sides, since without them nothing can be proved"
        raise InputError(Fault(f"{told}: {first_few(free)}", *usual_bounds(table), Cure("rule", MAJORITY)))


def _outside(made: Spans) -> list[tuple[int, int]]:
    """Return measured cells outside their ends."""
    for rows in in_blocks(made.scores.shape):
        scores = made.scores[rows]
        outside = made.measured[rows] & ((scores < made.least[rows]) | (scores > made.most[rows]))
        if outside.any():
            return [(row + rows.start, task) for row, task in np.argwhere(outside).tolist()]
    return []


def _whole(cells: Cells, others: Collection[Fraction]) -> tuple[AnyArray, int]:
    """Return scores as integers over a common denominator of theirs and others, and that; 0 where they are missing."""
    for places in range(0 if cells.exact else _DIGITS):
        # A double that a decimal of at most 15 digits reads as prints as that decimal: no shorter one reads as it.
        most = _decimals(cells.floats, places)
        if most is None:
            continue
        unit = lcm(10**places, *(one.denominator for one in others))
        times = unit // 10**places
        kind = np.int32 if most * times < 2**31 else np.int64 if most * times < INT64_SAFE else object
        whole = np.empty(cells.floats.shape, dtype=kind)
        for rows in in_blocks(whole.shape):
            scaled = np.rint(np.nan_to_num(cells.floats[rows]) * 10**places).astype(np.int64)
            whole[rows] = scaled.astype(object if kind is object else np.int64) * times
        return whole, unit
    columns = [[one or Fraction(0) for one in cells.column(task)] for task in range(cells.floats.shape[1])]
    flat, unit = common_denominator([*(one for column in columns for one in column), *others])
    size = cells.floats.size
    return np.array(flat[:size], dtype=object).reshape(len(columns), -1).T, unit


def _decimals(floats: FloatArray, places: int) -> int | None:
    """Return the largest of some scores times a power of ten, if all are whole then and of few digits."""
    largest = 0
    for rows in in_blocks(floats.shape):
        own = np.nan_to_num(floats[rows])
        if abs(own).max(initial=0) >= 10 ** (_DIGITS - places):
            return None  # also what overflows when multiplied
        scaled = np.rint(own * 10**places)
        largest = max(largest, int(abs(scaled).max(initial=0)))
        if largest >= 10**_DIGITS or not np.array_equal(scaled / 10**places, own):
            return None
    return largest
