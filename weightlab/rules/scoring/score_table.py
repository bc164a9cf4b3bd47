"""The scores of a table as integers over one denominator, with the weights of the tasks they are from."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import BoolArray, FloatArray, common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._text import first_few
from weightlab.data import Leaderboard
from weightlab.data.frame.cells import Cells
from weightlab.data.points import missing_scores
from weightlab.rules.inputs import InapplicableError, Missing, check_missing

MISSING_IN_MEANS = ("error", "skip", "median")
MOST_DIGITS = 15
"""A decimal with at most this number of significant digits equals its nearest double as printed."""


class ScoreTable(Frozen):
    """Exact scores, models x tasks, where higher is always better.

    Attributes
    ----------
    matrix : ndarray of int, models x tasks
        Scores times ``denominator``, negated where lower is better, 0 where missing; int64 or Python integers.
    denominator : int
        Common denominator.
    present : ndarray of bool, models x tasks
        Which scores there are.
    weights : list of int
        Weights of the tasks over some common denominator: only their proportions matter to a mean.
    """

    matrix: NDArray[Any]
    denominator: int
    present: BoolArray
    weights: list[int]

    @classmethod
    def of(cls, board: Leaderboard, missing: Missing) -> ScoreTable:
        """Return the scores of a leaderboard.

        Raises
        ------
        MissingScoresError
            If scores are missing and may not be.
        """
        check_missing(missing, MISSING_IN_MEANS)
        if board.missing_cells and missing != "skip":
            raise missing_scores(board.missing_cells, board.models, board.tasks, "skip", "median")
        columns = _columns(board.cells)
        denominator = math.lcm(*(bottom for _, bottom in columns))
        lower = set(board.lower_is_better)
        factors = [
            denominator // bottom * (-1 if task in lower else 1)
            for task, (_, bottom) in zip(board.tasks, columns, strict=True)
        ]
        largest = max(
            int(np.abs(column).max()) * abs(factor) for (column, _), factor in zip(columns, factors, strict=True)
        )
        dtype = np.dtype(np.int64 if largest < 2**62 else object)
        matrix = np.empty((len(board.models), len(columns)), dtype=dtype)
        for place, ((column, _), factor) in enumerate(zip(columns, factors, strict=True)):
            matrix[:, place] = column.astype(dtype) * factor
        weights = common_denominator(board.weights.tolist())[0]
        return cls(matrix=matrix, denominator=denominator, present=~board.cells.missing, weights=weights)

    @cached_property
    def totals(self) -> list[int]:
        """The weight of the tasks on which each model has a score."""
        return [int(total) for total in exact_products(self.present.astype(np.int64), self.weights)]

    def scored(self, model: int) -> tuple[list[int], list[int]]:
        """Return one model's scores times the denominator, and the weights of their tasks."""
        there = np.flatnonzero(self.present[model])
        return self.matrix[model, there].tolist(), [self.weights[task] for task in there.tolist()]

    def row(self, model: int) -> list[tuple[Fraction, int]]:
        """Return one model's scores with the weights of their tasks."""
        scores, weights = self.scored(model)
        return [(Fraction(score, self.denominator), weight) for score, weight in zip(scores, weights, strict=True)]

    def weighted_means(self, matrix: NDArray[Any], denominator: int) -> list[Fraction]:
        """Return each model's weighted mean of integers over a denominator, which are 0 where a score is missing."""
        sums = exact_products(matrix, self.weights)
        return [Fraction(int(top), total * denominator) for top, total in zip(sums.tolist(), self.totals, strict=True)]


def refuse_lower(board: Leaderboard, what: str) -> None:
    """Raise InapplicableError if lower is better on a task."""
    if board.lower_is_better:
        lower = first_few(map(repr, board.lower_is_better))
        raise InapplicableError(f"{what} needs tasks where higher is better; lower is better on {lower}")


def refuse_negative(board: Leaderboard, what: str) -> None:
    """Raise InapplicableError if a score is negative."""
    bad = np.argwhere(board.cells.floats < 0).tolist()
    if bad:
        shown = first_few(f"{board.models[row]!r} on {board.tasks[column]!r}" for row, column in bad)
        raise InapplicableError(f"{what} needs scores that are not negative; negative: {shown}")


def _columns(cells: Cells) -> list[tuple[NDArray[Any], int]]:
    """Return each column as integers over a denominator, 0 where missing."""
    whole = None if cells.exact else decimals(np.nan_to_num(cells.floats))
    if whole is not None:
        return [(column, whole[1]) for column in whole[0].T]
    long = {column for _, column in cells.exact}
    return [_integers(cells, column, plain=column not in long) for column in range(cells.floats.shape[1])]


def _integers(cells: Cells, column: int, *, plain: bool) -> tuple[NDArray[Any], int]:
    """Return one column as integers over a denominator, 0 where missing."""
    if plain:
        found = decimals(np.nan_to_num(cells.floats[:, column]))
        if found is not None:
            return found
    return cells.integers(column)


def decimals(values: FloatArray) -> tuple[NDArray[np.int64], int] | None:
    """Return floats as the decimals that they print as, if these have few digits: integers over a power of 10.

    An integer below 10 ** 15 divided by a power of 10 is the double nearest to that decimal, which prints as it.
    """
    for digits in range(MOST_DIGITS):
        power = 10**digits
        scaled = np.rint(values * power)
        if np.abs(scaled).max() >= 10**MOST_DIGITS:
            return None
        if np.array_equal(scaled / power, values):
            return scaled.astype(np.int64), power
    return None
