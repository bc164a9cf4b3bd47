"""Sources of tables that are drawn anew with replacement, and what a question says about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from weightlab._typing import BoolArray, IntArray
from weightlab.data import Instances, Leaderboard
from weightlab.exceptions import InputError
from weightlab.rules import Rule, pooled, two_level
from weightlab.rules.entry import weighing
from weightlab.studies.column_draws import OfColumns, places_together
from weightlab.studies.drawn_means import MeansTable
from weightlab.studies.instance_draws import DrawnMeans, DrawnTwoLevels
from weightlab.studies.questions import Answer, Question
from weightlab.studies.repeats import repeated
from weightlab.studies.reweighing import AdditiveQuestion, Places

__all__ = ["HowInstances", "Over", "Resampled", "resampled"]

Over: TypeAlias = Literal["tasks", "instances"]
"""What is drawn anew."""

HowInstances: TypeAlias = Literal["means", "one_level", "two_level"]
"""A ranking of instances: by a rule on the means of the tasks, with all instances as voters, or task by task."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Resampled:
    """A source of tables that are drawn anew.

    Attributes
    ----------
    models : tuple of str
        In board order.
    own : callable
        Returns what the question says about the source itself.
    draw : callable
        From a random generator to what the question says about one drawn table; None where there is no answer.
    columns : OfColumns or None
        Where sums over its columns are worked out for many draws together.
    """

    models: tuple[str, ...]
    own: Callable[[], Answer]
    draw: Callable[[np.random.Generator], Places] = field(repr=False)
    columns: OfColumns | None = field(default=None, repr=False)

    def draws(
        self, repeats: int, seed: int, *, n_jobs: int = 1, progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, BoolArray]:
        """Return the places (draws x models, -1 in a draw without an answer) and who wins in each draw."""
        columns = self.columns
        if columns is not None and isinstance(columns.asked, AdditiveQuestion):
            return places_together(columns, columns.asked, repeats, seed, progress)
        levels = np.full((repeats, len(self.models)), -1, dtype=np.int64)
        first = np.zeros(levels.shape, dtype=np.bool_)
        answers = repeated(self.draw, repeats=repeats, seed=seed, n_jobs=n_jobs, progress=progress)
        for number, places in enumerate(answers):
            if places is not None:
                levels[number], first[number] = places
        return levels, first


def resampled(source: Any, question: Question, over: Over, how: HowInstances | None) -> Resampled:
    """Return the tables that can be drawn from a source.

    Raises
    ------
    InputError
        If there are no instances to draw, or the rule cannot be asked so.
    """
    if not isinstance(source, Leaderboard | Instances):
        raise InputError(f"a bootstrap draws from a Leaderboard or from Instances; got a {type(source).__name__}")
    if over == "tasks":
        board = weighing(source.means() if isinstance(source, Instances) else source)
        return _of_board(question, board, [len(board.tasks)])
    if not isinstance(source, Instances):
        raise InputError("a Leaderboard has no instances to draw; give Instances, or say over='tasks'")
    kept = source.select(tasks=[str(task) for task, weight in source.weights.items() if weight])
    if how == "one_level":
        return _of_board(question, pooled(kept), [len(kept.table(task).columns) for task in kept.tasks])
    if how == "means":
        board = kept.means()
        means = DrawnMeans(question=question, board=board, table=MeansTable.of(kept))
        return Resampled(models=board.models, own=partial(question.answer, board), draw=means.draw)
    levels = DrawnTwoLevels.of(question, kept)
    return Resampled(models=levels.models, own=partial(_two_level_answer, kept, levels.rule), draw=levels.draw)


def _of_board(question: Question, board: Leaderboard, strata: Sequence[int]) -> Resampled:
    columns = OfColumns.of(question, board, strata)
    return Resampled(models=board.models, own=partial(question.answer, board), draw=columns.draw, columns=columns)


def _two_level_answer(instances: Instances, rule: Rule) -> Answer:
    return two_level(instances, rule).final
