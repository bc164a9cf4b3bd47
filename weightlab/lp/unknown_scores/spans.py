"""Tables with gaps as whole numbers: between which ends each score lies, and the least lead over all completions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import INT64_SAFE, AnyArray, BoolArray, common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._text import first_few
from weightlab.data import Leaderboard
from weightlab.data.frame.cells import Cells
from weightlab.data.linear_rule import MAJORITY, MEAN
from weightlab.exceptions import InputError
from weightlab.lp.unknown_scores.borda_leads import least_borda_leads, least_signs
from weightlab.lp.unknown_scores.completions import BORDA, Limit, range_text
from weightlab.lp.unknown_scores.necessary_winners import usual_bounds

_DIGITS = 15
"""Decimals of at most so many digits are told apart by doubles."""


class Spans(Frozen):
    """The gains of all cells as whole numbers, greater being better, with the ends between which each lies.

    Attributes
    ----------
    rule : str
        ``"mean"``, ``"majority"`` or ``"borda"``.
    least, most : ndarray of int, models x tasks
        The ends of each cell before it is measured; where a side has no bound, a gain beyond which no sign changes.
    scores : ndarray of int, models x tasks
        The gains; where there are none, anything.
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
        return np.where(self.measured, self.scores, self.least)

    @cached_property
    def high(self) -> AnyArray:
        """The best gain of each cell."""
        return np.where(self.measured, self.scores, self.most)

    @cached_property
    def totals(self) -> tuple[AnyArray, AnyArray]:
        """The worst and the best weighted sum of each model."""
        worst, best = (exact_products(end, self.weights) for end in (self.low, self.high))
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

    def signs(self, task: int | slice, own: AnyArray, other: AnyArray) -> AnyArray:
        """Return 1 where a gain leads another on a task, -1 where it trails it, 0 where they tie."""
        gap, (within, over, under) = own - other, self.tolerances[:, task]
        apart = abs(gap) > within
        if np.any(over):
            apart = np.where(over, abs(gap) * under > over * np.maximum(abs(own), abs(other)), apart)
        return np.asarray(np.sign(gap) * apart)

    def column(self, task: int, low: AnyArray, high: AnyArray) -> AnyArray:
        """Return what one task gives to the least leads (models x rivals), given its worst and best gains."""
        if self.rule == BORDA:
            return least_signs(low, high)
        if self.rule == MEAN:
            return np.asarray(low[:, None] - high[None])
        return self.signs(task, low[:, None], high[None])

    @cached_property
    def leads(self) -> tuple[AnyArray, AnyArray]:
        """The least and the greatest lead of each model over each other, in units of ``lead_unit``.

        The greatest of x over y is the least of y over x, turned round.
        """
        if self.rule == MEAN:
            worst, best = self.totals
            least = worst[:, None] - best[None]
        elif self.rule == BORDA:
            least = least_borda_leads(np.array([self.low, self.high]), self.weights)
        else:
            least = np.zeros((len(self.scores),) * 2, dtype=np.int64)
            for task, weight in enumerate(self.weights):
                least = least + weight * self.column(task, self.low[:, task], self.high[:, task])
        return least, -least.T


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
    whole, unit = _whole(table.cells, written)
    largest = max([*(ceil(abs(one) * unit) for one in written), int(abs(whole).max(initial=0))]) + 1
    # Beyond v / (1 - r) a gain leads v by a relative tolerance r; see `Completions`.
    far = max(ceil(largest / (1 - one if one < 1 else 1)) + ceil(t * unit) for one, t in zip(wide, within, strict=True))
    fits = 4 * far * max(1, sum(weights), *(one.denominator for one in wide)) < INT64_SAFE
    tied = [(floor(t * unit), *one.as_integer_ratio()) for t, one in zip(within, wide, strict=True)]
    made = Spans(
        rule=rule,
        **_ends(table, limits, far, unit, whole.astype(np.int64 if fits else object)),
        measured=~table.cells.missing,
        weights=weights,
        unit=unit,
        tolerances=np.array(tied, dtype=np.int64 if fits else object).T,
    )
    _check(table, made, limits)
    if rule == MEAN:  # nothing is known of a measured score without bounds but the score itself
        fixed, scores = made.measured & ~made.bounded, made.scores
        return replace(made, least=np.where(fixed, scores, made.least), most=np.where(fixed, scores, made.most))
    return made


def _ends(table: Leaderboard, limits: Sequence[Limit], far: int, unit: int, whole: AnyArray) -> dict[str, AnyArray]:
    """Return scores as gains, the ends of each, and whether both are bounds."""
    ends, bounded = np.full((2, *whole.shape), -far, dtype=whole.dtype), np.zeros((2, *whole.shape), dtype=np.bool_)
    ends[1] = far
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
    return {"least": ends[0], "most": ends[1], "scores": whole, "bounded": np.asarray(bounded.all(axis=0))}


def _check(table: Leaderboard, made: Spans, limits: Sequence[Limit]) -> None:
    """Raise InputError where a score is outside its limits, or by the mean a missing one has none."""
    outside = made.measured & ((made.scores < made.least) | (made.scores > made.most))
    for row, task in np.argwhere(outside)[:1].tolist():
        names = (table.models[row], table.tasks[task])
        low, high = next(
            pair for model, name, *pair in reversed(limits) if name == names[1] and model in ("", names[0])
        )
        score = table.cells.texts(task)[row]
        told = f"the score of {names[0]!r} on {names[1]!r}, {score}, is outside its bounds, {range_text(low, high)}"
        raise InputError(f"{told}: widen the bounds of this task, or correct the score")
    if made.rule != MEAN:
        return
    free = [
        f"{table.models[row]!r} on {table.tasks[task]!r}"
        for row, task in np.argwhere(~made.measured & ~made.bounded)[:6].tolist()
    ]
    if free:
        told = "by mean a missing score needs bounds on both sides, since without them nothing can be proved"
        raise InputError(Fault(f"{told}: {first_few(free)}", *usual_bounds(table), Cure("rule", MAJORITY)))


def _whole(cells: Cells, others: Sequence[Fraction]) -> tuple[AnyArray, int]:
    """Return scores as integers over a common denominator of theirs and others, and that; 0 where they are missing."""
    floats = np.nan_to_num(cells.floats)
    for places in range(0 if cells.exact else _DIGITS):
        scaled = np.rint(floats * 10**places)
        # A double that a decimal of at most 15 digits reads as prints as that decimal: no shorter one reads as it.
        if (abs(scaled) >= 10**_DIGITS).any():
            break
        if np.array_equal(scaled / 10**places, floats):
            unit = lcm(10**places, *(one.denominator for one in others))
            times = unit // 10**places
            fits = times < INT64_SAFE // 10**_DIGITS
            return scaled.astype(np.int64).astype(np.int64 if fits else object) * times, unit
    columns = [[one or Fraction(0) for one in cells.column(task)] for task in range(floats.shape[1])]
    flat, unit = common_denominator([*(one for column in columns for one in column), *others])
    return np.array(flat[: floats.size], dtype=object).reshape(len(columns), -1).T, unit
