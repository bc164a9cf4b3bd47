"""The largest error that all scores may have at once while the first model stays first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, IntArray, common_denominator
from weightlab.data import Leaderboard
from weightlab.data.linear_rule import MAJORITY, MEAN
from weightlab.lp.unknown_scores.borda_leads import least_borda_leads

Unit: TypeAlias = Literal["points", "range"]
"""Errors in the unit that all scores share, or as a share of each task's range."""
BORDA = "borda"
WITH_ERROR = (MEAN, BORDA, MAJORITY)
"""The rules whose worst case is known in closed form."""
HALVINGS = 20
"""How often the interval that holds the least error is halved before the differences in it are examined."""
_FITS = 2**62


class Scores:
    """The scores of a table as whole numbers, more being better, of one model against all others.

    Parameters
    ----------
    board : Leaderboard
        Complete, unless the rule is the majority; missing scores tie then.
    first : int
        The model.
    unit : {"points", "range"}
        What an error of 1 is on a task.
    """

    def __init__(self, board: Leaderboard, first: int, unit: Unit) -> None:
        lower = set(board.lower_is_better)
        columns, sizes, weights = [], [], []
        shares, _ = common_denominator([Fraction(one) for one in board.weights])
        exact = [board.cells.column(column) for column in range(len(board.tasks))]
        whole = common_denominator([one for its in exact for one in its if one is not None])[1]
        for task, held, weight in zip(board.tasks, exact, shares, strict=True):
            sign = -whole if task in lower else whole
            values = [int(sign * (one or 0)) for one in held]
            there = [value for value, one in zip(values, held, strict=True) if one is not None]
            columns.append(values)
            sizes.append(whole if unit == "points" else max(there) - min(there))
            weights.append(weight)
        self.first = first
        self.sizes = sizes  # what an error of 1 is, by task
        self.weights = weights
        self.matrix: AnyArray = _whole(columns).T
        self.missing = board.cells.missing
        self.rivals = [row for row in range(len(board.models)) if row != first]

    def places(self, error: Fraction, side: int) -> IntArray:
        """Return the places of the worst and the best that each score may be (2 x models x tasks).

        Of an error a little less (-1) or more (1) than the one given: in quarters of a unit two ends that are not level
        stay so, each a step further out or in. Scores on a task without a range stay as they are.
        """
        columns = []
        for column, size in enumerate(self.sizes):
            middle = 4 * error.denominator * self.matrix[:, column].astype(object)
            off = 4 * error.numerator * size + (side if size else 0)
            columns.append(np.unique([middle - off, middle + off], return_inverse=True)[1].reshape(2, -1))
        return np.stack(columns, axis=2)

    def leads(self, rule: str, error: Fraction, side: int = 0) -> list[int]:
        """Return the least lead over each rival when every score may be off by an error."""
        places = self.places(error, side)
        if rule == BORDA:
            return [int(one) for one in least_borda_leads(places, self.weights)[self.first, self.rivals].tolist()]
        ahead = np.sign(places[0, self.first] - places[1])
        there = np.where(self.missing[self.first] | self.missing, 0, ahead)
        return [self.weighed(there[rival]) for rival in self.rivals]

    def weighed(self, parts: AnyArray) -> int:
        """Return a sum over the tasks by their weights."""
        return sum(weight * int(part) for weight, part in zip(self.weights, parts.tolist(), strict=True))

    def between(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """Return the errors above the one and up to the other at which two scores on a task can first be level."""
        found: set[Fraction] = set()
        for column, size in enumerate(self.sizes):
            if not size:
                continue
            values = np.unique(self.matrix[:, column])
            gaps = abs(np.subtract.outer(values, values))
            least, most = floor(2 * low * size), floor(2 * high * size)
            held = {*gaps[(gaps > least) & (gaps <= most)].tolist()}
            found |= {Fraction(int(one), 2 * size) for one in held}
        return sorted(found)


def largest_error(board: Leaderboard, rule: str, first: int, unit: Unit) -> tuple[Fraction, int]:
    """Return the least error of all scores at which a rival can be level with the first, and that rival.

    If every score is off by less, the first model stays first, alone. By the mean that is half of the least lead; by
    Borda and majority the lead in the worst case never rises with the error, so that halving finds where it ends.
    O(models^2 x tasks) a step.
    """
    scores = Scores(board, first, unit)
    if rule == MEAN:
        worth = sum(weight * size for weight, size in zip(scores.weights, scores.sizes, strict=True))
        leads = [scores.weighed(scores.matrix[first] - scores.matrix[rival]) for rival in scores.rivals]
        least = min(leads)
        return Fraction(least, 2 * worth), scores.rivals[leads.index(least)]
    low, high = Fraction(0), Fraction(1)
    if min(scores.leads(rule, low, 1)) <= 0:
        high = low  # a tie decides, and any error breaks it
    while low < high and min(scores.leads(rule, high, 1)) > 0:
        low, high = high, 2 * high
    for _ in range(HALVINGS if low < high else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if min(scores.leads(rule, middle, 1)) > 0 else (low, middle)
    while len(steps := scores.between(low, high)) > 1:
        middle = steps[(len(steps) - 1) // 2]
        low, high = (middle, high) if min(scores.leads(rule, middle, 1)) > 0 else (low, middle)
    error = steps[0] if steps else high
    leads = scores.leads(rule, error, 1)
    return error, scores.rivals[leads.index(min(leads))]


def holds(board: Leaderboard, rule: str, first: int, unit: Unit, error: Fraction) -> tuple[bool, Sequence[int]]:
    """Return whether the first stays first under all smaller errors, and the rivals level with it under larger ones."""
    if rule == MEAN:
        found, _ = largest_error(board, rule, first, unit)
        scores = Scores(board, first, unit)
        worth = sum(weight * size for weight, size in zip(scores.weights, scores.sizes, strict=True))
        level = [
            rival
            for rival in scores.rivals
            if scores.weighed(scores.matrix[first] - scores.matrix[rival]) <= 2 * worth * error
        ]
        return found >= error, level
    scores = Scores(board, first, unit)
    before, after = scores.leads(rule, error, -1 if error else 0), scores.leads(rule, error, 1)
    level = [rival for rival, lead in zip(scores.rivals, after, strict=True) if lead <= 0]
    return min(before) > 0, level


def _whole(columns: Sequence[Sequence[int]]) -> AnyArray:
    large = max((abs(one) for its in columns for one in its), default=0)
    return np.array(columns, dtype=np.int64 if large < _FITS // 4 else object)
