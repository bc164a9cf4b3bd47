"""Instances that are drawn anew: the same ones for all models, as many of each task as it has."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from weightlab._typing import FloatArray, IntArray
from weightlab.data import Instances, Leaderboard, Margins, Profile, Signs
from weightlab.data.cells import Cells
from weightlab.exceptions import InputError
from weightlab.rules import Rule
from weightlab.rules.entry import Needs, entered
from weightlab.studies.column_draws import OfColumns, drawn_counts
from weightlab.studies.drawn_means import MeansTable
from weightlab.studies.questions import Question
from weightlab.studies.reweighing import Places, places_of_function, places_of_rule

__all__ = ["DrawnMeans", "DrawnTwoLevels"]


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnMeans:
    """A question to the board of the tasks' means over instances that are drawn anew.

    Attributes
    ----------
    question : Question
        What is asked.
    board : Leaderboard
        The means over the instances as they are.
    table : MeansTable
        The scores.
    """

    question: Question
    board: Leaderboard
    table: MeansTable

    def draw(self, rng: np.random.Generator) -> Places:
        """Return what one draw says; nothing where a model has no score in it."""
        counts = [drawn_counts(size, rng) for size in self.table.sizes]
        rule = self.question.rule
        # Places and duels need the order of the means alone, which sums of integers give without a fraction.
        if rule is not None and rule.needs is not Needs.SCORES and rule.options.get("missing") != "median":
            levels = self.table.levels(counts)
            if levels is not None:
                return self._by_levels(rule, levels)
        means = self.table.means(counts)
        if len({row for row, _ in means}) < len(self.board.models):
            return None
        drawn = self._board(means)
        return places_of_function(self.question, drawn) if rule is None else places_of_rule(rule, _read(rule, drawn))

    def _by_levels(self, rule: Rule, levels: FloatArray) -> Places:
        """Return what a rule says that reads places or duels, without a board."""
        board = self.board
        if np.isnan(levels).all(axis=1).any():
            return None
        if rule.needs is Needs.MARGINS:
            signs = Signs(models=board.models, tasks=board.tasks, levels=levels)
            return places_of_rule(rule, Margins.from_signs(signs, board.weights.tolist()))
        return places_of_rule(rule, Profile.from_levels(board.models, board.tasks, levels, board.weights.tolist()))

    def _board(self, means: dict[tuple[int, int], Fraction]) -> Leaderboard:
        """Return the board of drawn means."""
        return Leaderboard.from_cells(
            self.board.models,
            self.board.tasks,
            Cells.from_fractions(means, (len(self.board.models), len(self.board.tasks))),
            lower_is_better=self.board.lower_is_better,
            weights=self.board.weights,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnTwoLevels:
    """A rule over what it says about each task's instances, which are drawn anew.

    Attributes
    ----------
    rule : Rule
        Of both levels.
    models, tasks : tuple of str
        The names.
    weights : tuple of Fraction
        One a task.
    steps : tuple of OfColumns
        The instances of each task.
    rows : tuple of lists of int
        Where the models of each task stand among all.
    """

    rule: Rule
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    weights: tuple[Fraction, ...]
    steps: tuple[OfColumns, ...]
    rows: tuple[list[int], ...]

    @classmethod
    def of(cls, question: Question, instances: Instances) -> Self:
        """Return the tasks of some instances, all of which weigh.

        Raises
        ------
        InputError
            If the question is a function or a mean of scores.
        """
        rule = question.rule
        if rule is None or rule.needs is Needs.SCORES:
            raise InputError(f"{question.name} reads no places or duels: how='means' ranks the means of the instances")
        boards = [instances.leaderboard(task) for task in instances.tasks]
        position = {model: row for row, model in enumerate(instances.models)}
        return cls(
            rule=rule,
            models=instances.models,
            tasks=instances.tasks,
            weights=tuple(instances.weights),
            steps=tuple(OfColumns.of(question, board, [len(board.tasks)]) for board in boards),
            rows=tuple([position[model] for model in board.models] for board in boards),
        )

    def draw(self, rng: np.random.Generator) -> Places:
        """Return what one draw says; nothing where a task has no ranking in it."""
        ranks = np.zeros((len(self.tasks), len(self.models)), dtype=np.int32)
        for row, (step, own) in enumerate(zip(self.steps, self.rows, strict=True)):
            found = step.draw(rng)
            if found is None:
                return None
            levels: IntArray = found[0]
            ranks[row, own] = levels + 1
        second = Profile(models=self.models, voters=self.tasks, ranks=ranks, weights=self.weights)
        return places_of_rule(self.rule, _read(self.rule, second))


def _read(rule: Rule, source: Leaderboard | Profile) -> Leaderboard | Profile | Margins:
    return entered(source, rule.needs, missing=rule.options.get("missing", "error"))
