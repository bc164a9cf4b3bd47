"""Several questions to a table of which only some tasks are kept: what each task gives is worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from weightlab._typing import BoolArray
from weightlab.data import Instances, Leaderboard
from weightlab.data.cells import Cells
from weightlab.exceptions import InputError, MissingScoresError
from weightlab.rules import pooled, rank
from weightlab.rules.entry import InapplicableError, Needs, weighing
from weightlab.studies.questions import NO_ANSWER, Question
from weightlab.studies.resampling import HowInstances
from weightlab.studies.reweighing import Places, Reweighed, reweighed

__all__ = ["PartOfTasks", "parts_of_tasks"]


@dataclass(frozen=True, kw_only=True, eq=False)
class OneQuestion:
    """A question to the columns of a board, which belong to tasks.

    Attributes
    ----------
    asked : Reweighed
        What is asked.
    present : ndarray of bool, models x columns
        Which scores there are.
    strata : tuple of int
        How many columns each task has, task by task.
    """

    asked: Reweighed
    present: BoolArray
    strata: tuple[int, ...]

    @classmethod
    def of(cls, question: Question, board: Leaderboard, strata: Iterable[int]) -> Self:
        """Return a question to the columns of a board, on which it has an answer.

        Raises
        ------
        InputError
            Saying why it has none, such as missing scores.
        """
        made = cls(asked=reweighed(question, board), present=~board.cells.missing, strata=tuple(strata))
        if made.places(range(len(made.strata))) is None:
            _refuse(question, board)
            raise InapplicableError(f"{question.name} has no answer on all tasks: a model has no score on them")
        return made

    def places(self, tasks: Iterable[int]) -> Places:
        """Return what it says of some tasks; None where a model has no score on them, or there is no answer."""
        kept = np.zeros(len(self.strata), dtype=np.int64)
        kept[list(tasks)] = 1
        counts = np.repeat(kept, self.strata)
        if not self.present[:, counts > 0].any(axis=1).all():
            return None
        return self.asked.places(counts)


def _refuse(question: Question, board: Leaderboard) -> None:
    """Raise what a question says to a board on which it has no answer."""
    try:
        question.answer(board)
    except (InapplicableError, MissingScoresError):
        raise
    except NO_ANSWER as reason:
        raise InapplicableError(f"{question.name} has no answer on all tasks: {reason}") from None


@dataclass(frozen=True, kw_only=True, eq=False)
class PartOfTasks:
    """Questions to a table, ready for any part of its tasks.

    Attributes
    ----------
    models, tasks, names : tuple of str
        The models in board order, the tasks that weigh, and the questions.
    asked : tuple of OneQuestion
        One a name.
    """

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    names: tuple[str, ...]
    asked: tuple[OneQuestion, ...]

    def places(self, tasks: Iterable[int]) -> list[Places]:
        """Return what each question says about the table of some tasks, given as positions."""
        columns = list(tasks)
        return [one.places(columns) for one in self.asked]


def parts_of_tasks(source: Any, asked: Mapping[str, Question], how: HowInstances | None) -> PartOfTasks:
    """Return questions to a table, ready for any part of its tasks.

    Raises
    ------
    InputError
        If the source is neither a leaderboard nor instances, or a rule has no answer on it or cannot read it so.
    """
    if not isinstance(source, Leaderboard | Instances):
        raise InputError(f"tasks are removed from a Leaderboard or from Instances; got a {type(source).__name__}")
    if isinstance(source, Leaderboard):
        board = weighing(source)
        every = [OneQuestion.of(question, board, [1] * len(board.tasks)) for question in asked.values()]
        return PartOfTasks(models=board.models, tasks=board.tasks, names=tuple(asked), asked=tuple(every))
    kept = source.select(tasks=[str(task) for task, weight in source.weights.items() if weight])
    every = [_of_instances(question, kept, how) for question in asked.values()]
    return PartOfTasks(models=kept.models, tasks=kept.tasks, names=tuple(asked), asked=tuple(every))


def _of_instances(question: Question, instances: Instances, how: HowInstances | None) -> OneQuestion:
    if how == "means":
        return OneQuestion.of(question, instances.means(), [1] * len(instances.tasks))
    if how == "one_level":
        strata = [len(instances.table(task).columns) for task in instances.tasks]
        return OneQuestion.of(question, pooled(instances), strata)
    return OneQuestion.of(question, _orders_by_task(question, instances), [1] * len(instances.tasks))


def _orders_by_task(question: Question, instances: Instances) -> Leaderboard:
    """Return the board of the first of two levels: each task scores a model by how many places are behind its own."""
    rule = question.rule
    if rule is None or rule.needs is Needs.SCORES:
        reason = "reads no places or duels: how='means' ranks the means of the instances"
        raise InapplicableError(f"{question.name} {reason}")
    row = {model: place for place, model in enumerate(instances.models)}
    floats = np.full((len(row), len(instances.tasks)), np.nan)
    for column, task in enumerate(instances.tasks):
        order = rank(instances.leaderboard(task), rule).order
        for place, group in enumerate(reversed(order)):
            floats[[row[model] for model in group], column] = place
    weights = instances.weights
    return Leaderboard.from_cells(tuple(row), instances.tasks, Cells(floats=floats, exact={}), weights=weights)
