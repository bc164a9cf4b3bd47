"""What has the weights that are changed to reconcile two rules: tasks or, where an average goes by groups, groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
import pandas as pd

from weightlab._typing import AnyArray
from weightlab.data import Leaderboard
from weightlab.data.points import Points
from weightlab.lp import WeightSpace
from weightlab.lp.certificate import series_dict
from weightlab.lp.point_rule import PointRule
from weightlab.lp.tipping import todays_shares
from weightlab.rules.entry import weighing
from weightlab.studies.averages import AVERAGES, two_step_average
from weightlab.studies.linear_pairs import linear_points
from weightlab.studies.questions import Answer, Question

__all__ = ["Weighed", "far_words"]

LONG = 10**6
"""Fractions with a denominator from here on are said as decimals only."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Weighed:
    """The tasks of a table or, where an average by group is asked, its groups, with today's weights of each.

    The weight of a group is that of its mean in the macro average, of its ranking in the two-step average, and a factor
    for the weights of its tasks in every other rule (for a task in several groups the mean of theirs). All groups
    weigh the same today. Linear in such weights are all sums over tasks and both averages; in the weights of the tasks
    the averages by group are not: the macro average divides by them, and the two-step average jumps where two models
    change places within a group.

    Attributes
    ----------
    board : Leaderboard
        Whose tasks all weigh.
    by_group : bool
        Whether groups have the weights.
    """

    board: Leaderboard
    by_group: bool

    @classmethod
    def of(cls, questions: Mapping[str, Question], board: Leaderboard) -> Self:
        """Return what has the weights when these questions are asked of a board."""
        by_group = any(one.average is not None for one in questions.values())
        return cls(board=weighing(board), by_group=by_group)

    @property
    def units(self) -> tuple[str, ...]:
        """The tasks, or the groups."""
        return tuple(self.board.groups) if self.by_group else self.board.tasks

    @property
    def noun(self) -> str:
        """What a unit is called."""
        return "group" if self.by_group else "task"

    @property
    def space(self) -> WeightSpace:
        """All weights of the units."""
        return WeightSpace(self.units)

    @property
    def today(self) -> tuple[Fraction, ...]:
        """Today's weights, as shares of 1."""
        if self.by_group:
            return (Fraction(1, len(self.units)),) * len(self.units)
        return tuple(todays_shares(self.board, self.board.tasks))

    def points(self, question: Question) -> Points | None:
        """Return the points that a rule sums up over the units, times their weights; None for rules that do not."""
        if question.function is two_step_average:
            groups = two_step_average(self.board).data
            return PointRule.of("borda").points(groups) if not isinstance(groups, Leaderboard) else None
        average = question.average is not None
        points = PointRule.of("mean").points(self.board) if average else linear_points(question, self.board)
        if points is None or not self.by_group:
            return points
        columns = [self._total(points, tasks, mean=average) for tasks in self.board.groups.values()]
        return Points.from_fractions(points.models, self.units, [one for column in columns for one in column])

    def _total(self, points: Points, tasks: Sequence[str], *, mean: bool) -> list[Fraction]:
        """Return what the tasks of a group add to each total, or their mean."""
        weights, homes = self.board.weights, list(self.board.groups.values())
        shares = [weights[task] if mean else weights[task] / sum(task in one for one in homes) for task in tasks]
        whole = sum(shares, Fraction(0)) if mean else Fraction(1)
        columns = [points.numerators[:, points.tasks.index(task)].tolist() for task in tasks]
        return [
            sum((share * int(number) for share, number in zip(shares, row, strict=True)), Fraction(0))
            / (whole * points.denominator)
            for row in zip(*columns, strict=True)
        ]

    def rows(self, question: Question, pairs: Sequence[tuple[str, str]]) -> AnyArray | None:
        """Return the differences of points of pairs (pairs x units) times a number; None where none are summed."""
        points = self.points(question)
        if points is None:
            return None
        place = {model: row for row, model in enumerate(points.models)}
        upper, lower = ([place[pair[side]] for pair in pairs] for side in (0, 1))
        return np.asarray(points.numerators[upper] - points.numerators[lower])

    def answer(self, question: Question, shares: pd.Series) -> Answer:
        """Return what a question says when the units have these weights."""
        own = {str(name): Fraction(share) for name, share in series_dict(shares).items()}
        if not self.by_group:
            return question.answer(self._weighing(own))
        if question.average is not None:
            return Answer.of(AVERAGES[question.average](self.board, group_weights=own))
        weights = {}
        for task, weight in self.board.weights.items():
            factors = [own[name] for name, tasks in self.board.groups.items() if task in tasks]
            weights[str(task)] = weight * sum(factors, Fraction(0)) / len(factors)
        return question.answer(self._weighing(weights))

    def _weighing(self, weights: Mapping[str, Fraction]) -> Leaderboard:
        """Return the board with other weights."""
        board = self.board
        return Leaderboard.from_cells(
            board.models,
            board.tasks,
            board.cells,
            lower_is_better=board.lower_is_better,
            weights=weights,
            groups=board.groups,
            tolerance=board.tolerance,
            relative_tolerance=board.relative_tolerance,
        )


def far_words(value: Fraction) -> str:
    """Return how far weights change, as a person is told."""
    return f"{value} ({float(value):.4g})" if value.denominator < LONG else f"{float(value):.4g}"
