"""A model that rises on some tasks, as an integer program: what rules say of it, its rungs chosen by binaries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias

import numpy as np

from weightlab._exact import common_denominator
from weightlab._solver import Formulation, IntegerOptimum, Number, Rows, Sense, integer_optimum
from weightlab._typing import AnyArray, SignArray
from weightlab.data import Leaderboard
from weightlab.lp.ladder import Ladder
from weightlab.lp.score_column import ScoreColumn
from weightlab.lp.terms import Terms

__all__ = ["Climber", "RiseProgram", "Row"]

Row: TypeAlias = dict[int, Number]
"""Coefficients by column."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Climber:
    """A model and the scores that it may rise to.

    Attributes
    ----------
    board : Leaderboard
        Whose tasks all weigh.
    place : int
        The model's position.
    columns : tuple of ScoreColumn
        The tasks as exact scores.
    ladders : tuple of Ladder
        One a task, over all rivals.
    terms : tuple of Terms
        Prices, steps and limits, one a task.
    """

    board: Leaderboard
    place: int
    columns: tuple[ScoreColumn, ...]
    ladders: tuple[Ladder, ...]
    terms: tuple[Terms, ...]

    @property
    def rivals(self) -> list[int]:
        """Positions of all other models."""
        return [row for row in range(len(self.board.models)) if row != self.place]

    def levels(self, task: int) -> AnyArray:
        """Return numbers that order the models as they stand at each rung of a task (models x rungs); NaN is missing.

        The rivals stand at even numbers, and the model at one of them or between.
        """
        gains = self.columns[task].gains
        others = [gain for row, gain in enumerate(gains) if gain is not None and row != self.place]
        known = sorted(set(others))
        level = {gain: 2.0 * number for number, gain in enumerate(known)}
        ladder = self.ladders[task]
        levels = np.array([[np.nan if gain is None else level.get(gain, np.nan)] for gain in gains])
        table = np.repeat(levels, len(ladder), axis=1)
        for rung, gain in enumerate(ladder.gains):
            if gain is not None:
                table[self.place, rung] = level.get(gain, 2.0 * bisect_left(known, gain) - 1)
        return table


@dataclass(kw_only=True, eq=False)
class RiseProgram:
    """A program under construction: of each task one rung is chosen, and what is beyond it is counted in steps.

    Attributes
    ----------
    climber : Climber
        Who rises.
    weights : list of int
        Weights of the tasks for rules of places and duels, in proportion to today's.
    rungs : list of list of int
        Columns of the rungs of each task.
    beyond : dict from int to int
        By task the column that counts steps beyond the rung, where a mean asks for any.
    """

    climber: Climber
    weights: list[int] = field(init=False)
    rungs: list[list[int]] = field(init=False)
    beyond: dict[int, int] = field(default_factory=dict)
    _signs: list[SignArray] = field(init=False)
    costs: list[Number] = field(default_factory=list)
    lower: list[Number | None] = field(default_factory=list)
    upper: list[Number | None] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    least: list[Number] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Add the rungs, of which each task takes one."""
        self.weights = common_denominator(self.climber.board.weights.tolist())[0]
        self._signs = [ladder.all_signs() for ladder in self.climber.ladders]
        self.rungs = [[self.column(0, 1, cost) for cost in ladder.costs] for ladder in self.climber.ladders]
        for columns in self.rungs:
            self.at_least(1, dict.fromkeys(columns, 1))
            self.at_least(-1, dict.fromkeys(columns, -1))

    def column(self, lower: int, upper: int | None, cost: Number = 0) -> int:
        """Add a whole-numbered variable and return its position."""
        self.costs.append(cost)
        self.lower.append(lower)
        self.upper.append(upper)
        return len(self.costs) - 1

    def at_least(self, bound: Number, row: Row) -> None:
        """Add the row that a sum is at least a bound."""
        self.rows.append(row)
        self.least.append(bound)

    def at_most(self, cost: Fraction) -> None:
        """Add the row that all costs no more than that."""
        self.at_least(-cost, {column: -price for column, price in enumerate(self.costs) if price})

    def sum_over_rungs(self, values: Sequence[Sequence[Number]], weights: Sequence[Number]) -> Row:
        """Return the sum over the tasks of weight times the value at the rung that is chosen."""
        return {
            column: weight * value
            for columns, own, weight in zip(self.rungs, values, weights, strict=True)
            for column, value in zip(columns, own, strict=True)
            if value
        }

    def signs(self, rival: int, kinds: Mapping[int, int]) -> Row:
        """Return the weighted sum over the tasks of what the sign over a rival counts (its row among the rivals)."""
        counted = [[kinds.get(sign, 0) for sign in signs[rival].tolist()] for signs in self._signs]
        return self.sum_over_rungs(counted, self.weights)

    def go_beyond(self, short: Fraction, weights: Sequence[Fraction]) -> None:
        """Let scores rise beyond their rungs, in steps, as far as limits allow and a mean that is so short may ask."""
        for task, (terms, ladder) in enumerate(zip(self.climber.terms, self.climber.ladders, strict=True)):
            own = ladder.gains[0]
            if own is None or not weights[task]:
                continue
            steps = max(0, ceil(short / (weights[task] * terms.step)))
            if task in self.beyond:
                self.upper[self.beyond[task]] = max(steps, self.upper[self.beyond[task]] or 0)
                continue
            column = self.beyond[task] = self.column(0, steps, terms.step * terms.cost)
            limits = [] if terms.most is None else [terms.most]
            limits += [] if terms.best is None else [self.climber.columns[task].score(terms.best) - own]
            if limits:
                risen = [((gain or own) - own) / terms.step for gain in ladder.gains]
                row: Row = {place: -count for place, count in zip(self.rungs[task], risen, strict=True) if count}
                self.at_least(-floor(min(limits) / terms.step), {**row, column: -1})

    def cheapest(self, time_limit: float | None) -> IntegerOptimum:
        """Return the cheapest rungs, on the solver's word, or raise ImpossibleError if none meet the rows."""
        width = len(self.costs)
        program = Formulation(
            name=f"least rise of {self.climber.board.models[self.climber.place]}",
            sense=Sense.MINIMISE,
            columns=[str(column) for column in range(width)],
            objective=tuple(self.costs),
            rows=Rows.from_dicts(
                self.rows, width=width, lower=self.least, labels=[str(row) for row in range(len(self.rows))]
            ),
            lower=tuple(self.lower),
            upper=tuple(self.upper),
            integral=(True,) * width,
        )
        return integer_optimum(program, time_limit=time_limit)

    def scores(self, point: Sequence[Fraction]) -> dict[str, Fraction]:
        """Return the new scores by task at a point of the program."""
        found: dict[str, Fraction] = {}
        for task, (columns, ladder) in enumerate(zip(self.rungs, self.climber.ladders, strict=True)):
            column, own = self.climber.columns[task], ladder.gains[0]
            gain = next(gain for place, gain in zip(columns, ladder.gains, strict=True) if point[place])
            if own is None or gain is None:
                continue
            gain += point[self.beyond[task]] * self.climber.terms[task].step if task in self.beyond else 0
            if gain != own:
                found[column.task] = column.score(gain)
        return found
