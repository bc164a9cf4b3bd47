"""Which score to measure next: predictions choose, exact ends decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heapreplace
from math import ceil, floor
from typing import TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Frozen
from weightlab._text import rounded
from weightlab.data.linear_rule import MEAN
from weightlab.lp.unknown_scores.bounds import BORDA
from weightlab.lp.unknown_scores.claims import OPEN, ORDER, Claim, can_matter, judged
from weightlab.lp.unknown_scores.spans import Spans, in_blocks

SWEEPS = 6
"""Rounds in which the effects of rows and columns are fitted in turn."""
Choice: TypeAlias = tuple[int, int, str]
"""A row, a task, and why it is measured."""


def level_words(value: Fraction, to: Callable[[Fraction], int]) -> str:
    """Return a mean or a lead as a decimal, rounded so that a bound stays true."""
    if value.denominator == 1:
        return str(value)
    return rounded(value, 1 if abs(value) >= 10 else 3, to)


class Prediction(Frozen):
    """Predictions of all gains, those measured as they are: a mean, row and column effects, within the ends.

    Attributes
    ----------
    spans : Spans
        The table.
    row, column : ndarray of float
        Effects of the models, the mean with them, and of the tasks: on gains by the mean, else on standings.
    """

    spans: Spans
    row: FloatArray
    column: FloatArray

    def of(self, rows: int | slice) -> AnyArray:
        """Return by the mean the gains of some rows, in whole numbers."""
        spans, own = self.spans, self.row[rows]
        least, most = spans.least[rows], spans.most[rows]
        guess = np.rint(np.clip(np.add.outer(own, self.column), least.astype(np.float64), most.astype(np.float64)))
        whole = guess.astype(np.int64) if spans.scores.dtype != object else np.vectorize(int, otypes=[object])(guess)
        return np.where(spans.measured[rows], spans.scores[rows], np.clip(whole, least, most))

    @cached_property
    def standings(self) -> FloatArray:
        """All standings, those of measured gains as they are."""
        return np.where(self.spans.measured, self.spans.standings, np.add.outer(self.row, self.column))

    @cached_property
    def whole(self) -> AnyArray:
        """All gains; by rules other than the mean, placed among the measured ones of a task as predicted."""
        spans, count = self.spans, self.spans.measured.sum(axis=0)
        if spans.rule == MEAN:
            return self.of(slice(None))
        ordered = np.sort(np.where(spans.measured, spans.scores, spans.most), axis=0)
        places = np.clip(np.rint((self.standings * (count + 1) + count - 1) / 2), 0, np.maximum(count - 1, 0))
        gains = np.take_along_axis(ordered, places.astype(np.int64), axis=0)
        gains = np.where(count > 0, gains, (spans.least + spans.most) // 2)
        return np.where(spans.measured, spans.scores, np.clip(gains, spans.least, spans.most))

    @cached_property
    def totals(self) -> FloatArray:
        """The weighted sum of each model, about."""
        weights = np.array(self.spans.weights, dtype=np.float64)
        if self.spans.rule != MEAN:
            return np.asarray(self.standings @ weights)
        blocks = in_blocks(self.spans.scores.shape)
        return np.concatenate([self.of(rows).astype(np.float64) @ weights for rows in blocks])


def effects(values: AnyArray, known: BoolArray, ridge: int, none: float) -> tuple[FloatArray, FloatArray]:
    """Return effects of rows, the mean with them, and of columns, on known values: least squares with a ridge."""
    rows, columns = known.sum(axis=1), known.sum(axis=0)
    blocks = [*in_blocks(known.shape)]
    by_row, by_column = np.zeros(len(rows)), np.zeros(len(columns))
    for own in blocks:
        given = np.where(known[own], values[own], 0).astype(np.float64)
        by_row[own], by_column = given.sum(axis=1), by_column + given.sum(axis=0)
    mean = by_row.sum() / rows.sum() if rows.any() else none
    by_row, by_column = by_row - mean * rows, by_column - mean * columns
    row, column = np.zeros(len(rows)), np.zeros(len(columns))
    for _ in range(SWEEPS):
        along = np.zeros(len(columns))
        for own in blocks:
            here = known[own].astype(np.float64)
            row[own] = (by_row[own] - here @ column) / (rows[own] + ridge)
            along += row[own] @ here
        column = (by_column - along) / (columns + ridge)
    return row + mean, column


def predicted(spans: Spans) -> Prediction:
    """Return predictions of all gains. Only the order of work depends on them.

    By other rules than the mean only the order within a task counts, and scales of tasks may be far apart: there
    standings are predicted.
    """
    if spans.rule != MEAN:
        row, column = effects(spans.standings, spans.measured, 3, 0.0)
        return Prediction(spans=spans, row=row, column=column)
    middle = 0.0
    if not spans.measured.any():
        blocks = [*in_blocks(spans.measured.shape)]
        middle = sum(float(end[own].sum(dtype=np.float64)) for end in (spans.least, spans.most) for own in blocks)
    row, column = effects(spans.scores, spans.measured, 1, middle / (2 * spans.scores.size))
    return Prediction(spans=spans, row=row, column=column)


class Work(Frozen):
    """What is known of the cells, models x tasks: predicted gains, costs, and which may be measured."""

    guess: Prediction
    cost: FloatArray
    free: BoolArray
    _beaten: dict[int, FloatArray] = field(default_factory=dict)

    def beaten(self, own: int) -> FloatArray:
        """Return for each cell the chance that a model beats it, about (models x tasks).

        The signs that are known are fitted by a mean, effects of rivals and tasks, and one factor: rivals that win the
        same tasks against the model, or lose them, are alike.
        """
        if own not in self._beaten:
            spans = self.guess.spans
            known = spans.measured & spans.measured[own]
            known[own] = False
            signs = np.where(known, spans.signs(slice(None), spans.scores[own], spans.scores), 0)
            row, column = effects(signs, known, 2, 0.0)
            found, here = np.add.outer(row, column), known.astype(np.float64)
            rest = here * (signs - found)
            tasks = rest[np.argmax((rest * rest).sum(axis=1))]
            for _ in range(SWEEPS):
                rivals = (rest @ tasks) / (here @ (tasks * tasks) + 3)
                tasks = (rest.T @ rivals) / (here.T @ (rivals * rivals) + 3)
            self._beaten[own] = np.clip((1 + found + np.outer(rivals, tasks)) / 2, 0.01, 1)
        return self._beaten[own]


def first_rows(spans: Spans, claim: Claim, rows: Sequence[int], guess: Prediction) -> list[int]:
    """Return the models of a claim: those that it names, else those of greatest predicted sum that may be first."""
    if rows:
        return list(rows)
    totals = guess.totals
    if spans.rule != MEAN and claim.k == 1:
        able = spans.leads[1] > 0
        np.fill_diagonal(able, val=True)
        totals = np.where(able.all(axis=1), totals, -np.inf)
    return [int(row) for row in np.argsort(-totals, kind="stable")[: claim.k]]


def choices(spans: Spans, claim: Claim, rows: Sequence[int], cost: FloatArray) -> Iterator[Choice]:
    """Yield the cells to measure for an open claim, each as if those before it came out as predicted.

    Parameters
    ----------
    spans, claim, rows
        As in `judged`.
    cost : ndarray of float, models x tasks
        What each cell costs.
    """
    guess = predicted(spans)
    wanted, free = first_rows(spans, claim, rows, guess), can_matter(spans, claim, rows)
    policy = _by_pairs if spans.rule != MEAN else _by_order if claim.what == ORDER else _by_threshold
    taken = np.zeros_like(free)
    for row, task, why in policy(spans, wanted, Work(guess=guess, cost=cost, free=free.copy()), claim):
        taken[row, task] = True
        yield row, task, why
    then = replace(spans, scores=guess.whole, measured=spans.measured | taken)
    if judged(then, claim, rows)[0] == OPEN:  # what was predicted to help is measured: the widest cells first
        width = ((spans.most - spans.least) * np.array(spans.weights) / cost).astype(np.float64)
        left = can_matter(then, claim, rows)
        for row, task in np.argwhere(left)[np.argsort(-width[left], kind="stable")].tolist():
            yield row, task, "not known yet"


def _by_threshold(spans: Spans, wanted: Sequence[int], work: Work, claim: Claim) -> Iterator[Choice]:  # noqa: ARG001 - one form
    """Yield by the mean, in turn, a cell of the weakest model inside and of the strongest outside (LUCB)."""
    guess, cost, free = work.guess, work.cost, work.free
    inside = np.zeros(len(free), dtype=np.bool_)
    inside[list(wanted)] = True
    weights = np.array(spans.weights)

    def gains(row: int) -> tuple[AnyArray, AnyArray]:
        """Return by how much the worst sum rises, and the best one falls, with each score of a model."""
        own = guess.of(row)
        return (own - spans.end(0, row)) * weights, (spans.end(1, row) - own) * weights

    # The ends that meet at the threshold, each as the least of a heap; the other ends only tell when a claim fails.
    worst, best = (end.tolist() for end in spans.totals)
    heaps = [[(worst[row], row) for row in wanted], [(-best[row], row) for row in np.flatnonzero(~inside).tolist()]]
    queues: dict[int, tuple[Iterator[int], AnyArray, AnyArray]] = {}
    # In turn over single calls, too: which turn it is follows from the number of scores.
    unit, side = spans.lead_unit, int(spans.measured.sum()) % 2
    for heap in heaps:
        heapify(heap)
    roof, base = min(best[row] for row in wanted), max(worst[row] for _, row in heaps[1])
    while heaps[0][0][0] <= -heaps[1][0][0] and roof > base:
        for turn in (side, 1 - side):
            total, row = heaps[turn][0]
            if row not in queues:
                up, down = gains(row)
                queues[row] = _most_useful(up if inside[row] else down, cost[row], free[row]), up, down
            queue, up, down = queues[row]
            task = next(queue, None)
            if task is not None:
                break
        else:
            return
        if turn:
            why = f"strongest outside: could still reach {level_words(Fraction(-total, unit), ceil)}"
        else:
            why = f"weakest inside: could still fall to {level_words(Fraction(total, unit), floor)}"
        yield row, task, why
        heapreplace(heaps[turn], (total + int(up[task] if inside[row] else down[task]), row))
        worst[row], best[row] = worst[row] + int(up[task]), best[row] - int(down[task])
        roof, base = (roof, max(base, worst[row])) if turn else (min(roof, best[row]), base)
        side = 1 - turn


def _most_useful(gain: AnyArray, cost: FloatArray, free: BoolArray) -> Iterator[int]:
    """Yield the free tasks of a model that gain something, those that gain most for what they cost first."""
    worth = np.where(free, gain / cost, 0).astype(np.float64)
    order = np.argsort(-worth, kind="stable")
    yield from order[: int((worth > 0).sum())].tolist()


def _by_order(spans: Spans, wanted: Sequence[int], work: Work, claim: Claim) -> Iterator[Choice]:  # noqa: ARG001 - one form
    """Yield by the mean a cell of the neighbours that overlap most, of the one whose sum is known least."""
    guess, cost, free = work.guess.whole, work.cost, work.free
    weights = np.array(spans.weights)
    worst, best = (end.copy() for end in spans.totals)
    rest = np.setdiff1d(np.arange(len(free)), wanted)
    worth = ((spans.high - spans.low) * weights / cost).astype(np.float64)
    first = np.array(wanted)
    while True:
        behind = np.append(first[1:], rest[np.argmax(best[rest])])
        overlap = best[behind] - worst[first]
        for place in np.argsort(-overlap, kind="stable").tolist():
            pair = [one for one in (int(first[place]), int(behind[place])) if free[one].any()]
            if overlap[place] >= 0 and pair:
                break
        else:
            return
        row = max(pair, key=lambda one: best[one] - worst[one])
        task = int(np.argmax(np.where(free[row], worth[row], -1)))
        yield row, task, "its order with the next model is open"
        free[row, task] = False
        worst[row] += (guess[row, task] - spans.low[row, task]) * spans.weights[task]
        best[row] -= (spans.high[row, task] - guess[row, task]) * spans.weights[task]


def _by_pairs(spans: Spans, wanted: Sequence[int], work: Work, claim: Claim) -> Iterator[Choice]:
    """Yield by majority or Borda a cell of a pair that is open, until none is as predicted."""
    guess, free = work.guess.whole, work.free
    pairs = claim.pairs(wanted, len(free))
    low, high = spans.low.copy(), spans.high.copy()
    least = spans.leads[0].copy()
    while (left := pairs & (least <= 0)).any():
        if spans.rule == BORDA:
            cell = _borda_cell(spans, (low, high), np.where(left, least, least.max() + 1), work)
        else:
            cell = _majority_cell(spans, (low, high), left, work)
        if cell is None:
            return
        row, task, why = cell
        yield row, task, why
        before = spans.column(task, low[:, task], high[:, task])
        free[row, task] = False
        low[row, task] = high[row, task] = guess[row, task]
        least += spans.weights[task] * (spans.column(task, low[:, task], high[:, task]) - before)


def _majority_cell(spans: Spans, ends: tuple[AnyArray, AnyArray], left: AnyArray, work: Work) -> Choice | None:
    """Return a cell of the strongest open rival where the model may win by its scores so far, else one of its own.

    Of rivals with few scores more is hoped for (an upper confidence bound).
    """
    stands, means, cost, free = work.guess.standings, work.guess.totals, work.cost, work.free
    weights, (low, high) = np.array(spans.weights), ends
    own = min(np.flatnonzero(left.any(axis=1)).tolist(), key=lambda row: means[row])
    rivals = np.flatnonzero(left[own])
    hope = means / sum(spans.weights) + 1 / np.sqrt((low == high).sum(axis=1) + 1)
    rival = max(rivals.tolist(), key=lambda row: hope[row])
    known = low[own] == high[own]
    helps = free[rival] & known
    best = spans.signs(slice(None), low[own], np.where(known, low[rival], high[rival]))
    if helps.any() and ((best @ weights) > 0 or not free[own].any()):
        worth = work.beaten(own)[rival] * weights / cost[rival]
        return rival, int(np.argmax(np.where(helps, worth, -1))), "strongest open rival"
    if free[own].any():
        ahead = (stands[own] - stands[rivals].mean(axis=0) + 2) * weights / cost[own]
        return own, int(np.argmax(np.where(free[own], ahead, -1))), "predicted to lead its open rivals most"
    return (rival, int(np.argmax(free[rival])), "strongest open rival") if free[rival].any() else None


def _borda_cell(spans: Spans, ends: tuple[AnyArray, AnyArray], behind: AnyArray, work: Work) -> Choice | None:
    """Return the widest cell of the open pair of least lead, or else of third models between the two."""
    (low, high), cost, free = ends, work.cost, work.free
    one, other = np.unravel_index(np.argmin(behind), behind.shape)
    width = ((high - low) * np.array(spans.weights) / cost).astype(np.float64)
    pair = np.zeros_like(free)
    pair[[one, other]] = True
    near = np.minimum(low[one], high[other]), np.maximum(low[one], high[other])
    for cells, why in (
        (pair, "of the open pair that is farthest behind"),
        ((low <= near[1]) & (high >= near[0]), "between an open pair"),
    ):
        if (free & cells).any():
            row, task = np.unravel_index(np.argmax(np.where(free & cells, width, -1)), free.shape)
            return int(row), int(task), why
    return None
