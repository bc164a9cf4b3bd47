"""Synthetic scores of systems whose true order is known, with tasks that are reversed or rescaled."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, IntArray, Number, fraction
from weightlab._random import RngLike, seed_of
from weightlab._result import Frozen, told_of
from weightlab.data import Instances
from weightlab.exceptions import InputError
from weightlab.rules import one_level, two_level
from weightlab.rules.inputs import Needs
from weightlab.rules.ranking import levels_in
from weightlab.studies.parallel import checked_count, generator_of
from weightlab.studies.question import Question
from weightlab.studies.resampling.reweighted import levels_of_totals

MICRO = 10**6
"""Scores are whole numbers of millionths, so that sums and means of them are exact."""


class Noise(Frozen):
    """The random part of all scores, from which the scores of any setting follow.

    Attributes
    ----------
    honest, reversed_ : ndarray of float, tasks x models x instances
        Samples of the Gumbel distribution, for a task as it is and as it is when reversed.
    """

    honest: np.ndarray
    reversed_: np.ndarray

    @classmethod
    def drawn(cls, models: int, tasks: int, instances: int, rng: np.random.Generator) -> Noise:
        """Return new noise."""
        shape = (tasks, models, instances)
        return cls(honest=rng.gumbel(size=shape), reversed_=rng.gumbel(size=shape))

    def scores(self, dispersion: float) -> tuple[IntArray, IntArray]:
        """Return the scores of all tasks as they are, and as they are when reversed, in millionths."""
        place = np.arange(1, self.honest.shape[1] + 1, dtype=np.float64)[None, :, None]
        found = (self.honest + dispersion * place, self.reversed_ - place)
        honest, turned = (np.rint(one * MICRO).astype(np.int64) for one in found)
        return honest, turned


def gumbel_scores(
    *,
    models: int = 20,
    tasks: int = 20,
    instances: int = 20,
    dispersion: float = 0.5,
    reversed_tasks: int = 0,
    rescaled: int = 0,
    factor: Number = 1,
    rng: RngLike = None,
) -> Instances:
    """Return synthetic scores of systems whose true order is known: the last is the best.

    Parameters
    ----------
    models, tasks, instances : int
        How many systems, tasks, and instances a task.
    dispersion : float
        How far the systems are apart: scores of system n are from the Gumbel distribution of scale 1 at
        ``dispersion * n``.
    reversed_tasks : int
        On so many tasks, the first ones, system n has scores at ``-n`` instead: their order is the opposite one.
    rescaled : int
        The scores of so many tasks, again the first ones, are multiplied by ``factor``.
    factor : number
        Positive.
    rng : int or Generator, optional
        The seed.

    Returns
    -------
    Instances
        Of ``system 1`` to ``system N``; scores are rounded to six decimals before they are multiplied.

    References
    ----------
    Colombo et al., section 4.1. Rankings of one instance follow the Plackett-Luce distribution, whose weights are
    ``exp(dispersion * n)``: the paper's remark 1 has the locations themselves.

    Examples
    --------
    >>> scores = gumbel_scores(models=4, tasks=3, instances=50, dispersion=1, reversed_tasks=1, rng=0)
    >>> scores.leaderboard("task 2").models
    ('system 1', 'system 2', 'system 3', 'system 4')
    >>> means = scores.means().scores
    >>> means.idxmax().to_dict()
    {'task 1': 'system 1', 'task 2': 'system 4', 'task 3': 'system 4'}
    """
    shape = [checked_count(name, one, least=1) for name, one in (("tasks", tasks), ("instances", instances))]
    count = checked_count("models", models, least=2)
    turned, scaled = (checked_count("tasks to change", one, least=0) for one in (reversed_tasks, rescaled))
    if max(turned, scaled) > shape[0]:
        raise InputError(f"at most all {shape[0]} tasks can be changed; got {max(turned, scaled)}")
    times = checked_factor(factor)
    noise = Noise.drawn(count, shape[0], shape[1], generator_of(seed_of(rng), 0))
    honest, opposite = noise.scores(checked_dispersion(dispersion))
    return as_instances(np.concatenate([opposite[:turned], honest[turned:]]), scaled, times)


def as_instances(scores: IntArray, rescaled: int, factor: Fraction) -> Instances:
    """Return scores in millionths (tasks x models x instances) as a user has them, the first tasks rescaled."""
    names = list(system_names(scores.shape[1]))
    tables: dict[str, Any] = {}
    for place, table in enumerate(scores, start=1):
        columns = [f"instance {number}" for number in range(1, table.shape[1] + 1)]
        if place <= rescaled and factor != 1:
            cells: Any = [[Fraction(int(one), MICRO) * factor for one in row] for row in table.tolist()]
            tables[f"task {place}"] = pd.DataFrame(cells, index=names, columns=columns, dtype=object)
        else:
            # The shortest decimal of k / 10^6 is k / 10^6 itself.
            tables[f"task {place}"] = pd.DataFrame(table / MICRO, index=names, columns=columns)
    return Instances(tables)


def system_names(count: int) -> tuple[str, ...]:
    """Return the names of the systems, the worst first."""
    return tuple(f"system {place}" for place in range(1, count + 1))


def checked_dispersion(given: Any) -> float:
    """Return a dispersion, or raise InputError."""
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not 0 <= float(given) <= MICRO:
        raise InputError(f"dispersion must be a number from 0; got {given!r}")
    return float(given)


def checked_factor(given: Number) -> Fraction:
    """Return the exact factor of a rescaled task, or raise InputError."""
    with told_of("factor", InputError):
        factor = fraction(given)
    if factor <= 0:
        raise InputError(f"a task is rescaled by a positive factor; got {given!r}")
    return factor


# Rankings of synthetic scores in many settings: what each task gives is worked out once, honest and reversed.

How: TypeAlias = Literal["means", "one level", "two levels"]
"""By the means of the tasks, with all instances as voters, or task by task first."""


class Procedure(Frozen):
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


class ReversedScores(Frozen):
    """Scores of which the first tasks are reversed and rescaled at will.

    Attributes
    ----------
    honest, turned : ndarray of int, tasks x models x instances
        Scores in millionths of each task as it is, and reversed.
    """

    honest: IntArray
    turned: IntArray

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
