"""Rankings of synthetic scores in many settings: what each task gives is worked out once, honest and reversed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from weightlab._typing import AnyArray, IntArray
from weightlab.rules import one_level, two_level
from weightlab.rules.entry import Needs
from weightlab.rules.ranking import levels_in
from weightlab.studies.questions import Question
from weightlab.studies.reweighing import levels_of_totals
from weightlab.studies.synthetic import as_instances, system_names

__all__ = ["Procedure", "SpoiltScores", "procedures_of"]

How: TypeAlias = Literal["means", "one level", "two levels"]
"""By the means of the tasks, with all instances as voters, or task by task first."""

INT64_SAFE = 2**62


@dataclass(frozen=True, kw_only=True, eq=False)
class Procedure:
    """A rule, and how it takes instances.

    Attributes
    ----------
    question : Question
        The rule or function.
    how : {"means", "one level", "two levels"}
        How instances become a ranking.
    """

    question: Question
    how: How

    @property
    def name(self) -> str:
        """The name of the rule, and how it takes instances where it can take them in several ways."""
        return self.question.name if self.how == "means" else f"{self.question.name}, {self.how}"

    @property
    def plain(self) -> str | None:
        """The name of a rule without options."""
        rule = self.question.rule
        return rule.name if rule is not None and not rule.options else None


def procedures_of(asked: Mapping[str, Question]) -> tuple[Procedure, ...]:
    """Return the ways to ask each question: one for what reads scores, two for what reads places or duels."""
    found: list[Procedure] = []
    for question in asked.values():
        scores = question.rule is None or question.rule.needs is Needs.SCORES
        ways: tuple[How, ...] = ("means",) if scores else ("one level", "two levels")
        found += [Procedure(question=question, how=how) for how in ways]
    return tuple(found)


@dataclass(frozen=True, kw_only=True, eq=False)
class SpoiltScores:
    """Scores of which the first tasks are reversed and rescaled at will.

    Attributes
    ----------
    honest, turned : ndarray of int, tasks x models x instances
        Scores in millionths of each task as it is, and reversed.
    """

    honest: IntArray
    turned: IntArray

    @classmethod
    def of(cls, honest: IntArray, turned: IntArray) -> SpoiltScores:
        """Return the scores of tasks as they are, and reversed."""
        return cls(honest=honest, turned=turned)

    def levels(self, procedure: Procedure, reversed_tasks: int, rescaled: int, factor: Fraction) -> IntArray:
        """Return the places of the models, from 0, with the first tasks reversed and the first ones rescaled."""
        if (procedure.plain, procedure.how) == ("mean", "means"):
            return _places(_weighed(self._taken(self._sums, reversed_tasks), rescaled, factor))
        if procedure.plain == "borda":
            parts = self._points if procedure.how == "one level" else self._second_points
            return _places(self._taken(parts, reversed_tasks).sum(axis=0))
        return self._asked(procedure, reversed_tasks, rescaled, factor)

    @cached_property
    def _sums(self) -> tuple[AnyArray, AnyArray]:
        return self.honest.sum(axis=2), self.turned.sum(axis=2)

    @cached_property
    def _points(self) -> tuple[AnyArray, AnyArray]:
        """Twice the Borda points of the models on each task, summed over its instances (tasks x models)."""
        return _borda(self.honest).sum(axis=2), _borda(self.turned).sum(axis=2)

    @cached_property
    def _second_points(self) -> tuple[AnyArray, AnyArray]:
        """Twice the Borda points of the models on each task by its own ranking (tasks x models)."""
        honest, turned = (_borda(points[:, :, None])[:, :, 0] for points in self._points)
        return honest, turned

    @staticmethod
    def _taken(parts: tuple[AnyArray, AnyArray], reversed_tasks: int) -> AnyArray:
        honest, turned = parts
        return np.asarray(np.concatenate([turned[:reversed_tasks], honest[reversed_tasks:]]))

    def _asked(self, procedure: Procedure, reversed_tasks: int, rescaled: int, factor: Fraction) -> IntArray:
        """Return the places by any rule or function, asked of the scores as a user has them."""
        instances = as_instances(self._taken((self.honest, self.turned), reversed_tasks), rescaled, factor)
        models, question = system_names(self.honest.shape[1]), procedure.question
        if procedure.how == "means" or question.rule is None:
            return question.answer(instances.means()).levels(models)
        level = one_level if procedure.how == "one level" else two_level
        return levels_in(level(instances, question.rule).order, models)


def _borda(scores: AnyArray) -> AnyArray:
    """Return twice the Borda points, ties averaged, along axis 1: models behind less models ahead, plus a constant."""
    count = scores.shape[1]
    points = np.empty(scores.shape, dtype=np.int64)
    for model in range(count):
        own = scores[:, model : model + 1]
        points[:, model] = np.sign(own - scores).sum(axis=1) + count - 1
    return points


def _weighed(sums: AnyArray, rescaled: int, factor: Fraction) -> AnyArray:
    """Return the sum over tasks of which the first are rescaled, times a positive number."""
    largest = int(np.abs(sums).max(initial=1)) * len(sums)
    exact = sums if largest * max(factor.numerator, factor.denominator) < INT64_SAFE else sums.astype(object)
    return np.asarray(
        exact[:rescaled].sum(axis=0) * factor.numerator + exact[rescaled:].sum(axis=0) * factor.denominator
    )


def _places(totals: AnyArray) -> IntArray:
    levels: IntArray = levels_of_totals(totals[None, :])[0]
    return levels
