"""How many tasks can be spoilt before a ranking is: synthetic scores whose true order is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from math import prod
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, IntArray, Number, fraction
from weightlab._result import Frozen, Proof, Result, ensure, integers, told_of
from weightlab._text import counted
from weightlab._validate import RngLike, seed_of
from weightlab.data import Instances
from weightlab.exceptions import InputError
from weightlab.rules import Needs, one_level, two_level
from weightlab.rules.ranking import levels_in
from weightlab.studies.parallel import checked_count, each_checked, generator_of, parallel_map
from weightlab.studies.question import Question, RulesLike, ensure_named, questions
from weightlab.studies.resampling.resample import levels_of_totals
from weightlab.studies.rules.dispersion import distance, pairs_of

HALF = Fraction(1, 2)
MOST_SCORES = 1_000_000
"""A draw of more scores is refused: a document is short, however large the tables are that it asks for."""


class Manipulation(Result, kind="manipulation"):
    """The rankings of synthetic systems by several procedures, when some tasks are reversed or rescaled.

    Attributes
    ----------
    questions : dict from str to Question
        The rules.
    size : tuple of int
        How many models, tasks, and instances a task.
    dispersions : tuple of float
        How far the systems are apart.
    reversed_tasks : tuple of int
        How many tasks are reversed.
    factors : tuple of Fraction
        By what the scores of the first tasks are multiplied.
    rescaled : int
        How many tasks that are.
    seed : int
        The scores of draw ``i`` follow from the child ``i`` of this seed.
    levels : ndarray of int, dispersions x reversed x factors x draws x procedures x models
        Places from 0 of the systems, the worst system first; models that tie share one. Read-only.
    """

    questions: Mapping[str, Question]
    size: tuple[int, int, int]
    dispersions: tuple[float, ...]
    reversed_tasks: tuple[int, ...]
    factors: tuple[Fraction, ...]
    rescaled: int
    seed: int
    levels: Annotated[IntArray, integers(6)]

    def __post_init__(self) -> None:
        """Make the places read-only; raise InputError for a setting that is none."""
        if prod(self.size) > MOST_SCORES:
            raise InputError(f"a draw has at most {MOST_SCORES:,} scores; got {' x '.join(map(str, self.size))}")
        settings = _settings(self.size, self.dispersions, self.reversed_tasks, self.factors, self.rescaled)
        for name in ("dispersions", "reversed_tasks", "factors"):
            if settings[name] != getattr(self, name):
                raise InputError(f"each of {name} is asked once; got {', '.join(map(str, getattr(self, name)))}")
        seed_of(self.seed)
        self.levels.setflags(write=False)

    @property
    def procedures(self) -> tuple[str, ...]:
        """The rules that were asked, and how instances were taken."""
        return tuple(one.name for one in procedures_of(self.questions))

    @property
    def repeats(self) -> int:
        """How many draws."""
        return int(self.levels.shape[3])

    @property
    def models(self) -> tuple[str, ...]:
        """The systems, the worst first."""
        return system_names(self.size[0])

    def error(self, levels: IntArray) -> Fraction:
        """Return the share of pairs that a ranking, given as places, has the wrong way round; a tie counts one half."""
        truth = np.arange(self.size[0])[::-1]
        return distance(truth, levels, HALF) / pairs_of(self.models)

    @property
    def draws(self) -> pd.DataFrame:
        """One row a setting, draw and procedure, with the error: the share of pairs that are the wrong way round.

        A pair that is tied counts one half. An error of 1 is the opposite of the true order, one of 1/2 no order.
        """
        rows = [
            (
                self.dispersions[at[0]],
                self.reversed_tasks[at[1]],
                float(self.factors[at[2]]),
                at[3],
                self.procedures[at[4]],
                float(self.error(self.levels[at])),
            )
            for at in np.ndindex(*self.levels.shape[:5])
        ]
        return pd.DataFrame(rows, columns=["dispersion", "reversed", "factor", "draw", "procedure", "error"])

    def to_frame(self) -> pd.DataFrame:
        """Return one row a procedure and setting: mean and standard deviation of the error, and its extremes."""
        keys = ["procedure", "dispersion", "reversed", "factor"]
        grouped = self.draws.groupby(keys, sort=False)["error"]
        parts = {"error": grouped.mean(), "std": grouped.std(ddof=0), "least": grouped.min(), "most": grouped.max()}
        table = pd.DataFrame(parts)
        order = pd.MultiIndex.from_product(
            [self.procedures, self.dispersions, self.reversed_tasks, map(float, self.factors)], names=keys
        )
        return table.reindex(order)

    def breaking_points(self, error: float = 0.75) -> pd.DataFrame:
        """Return the fewest reversed tasks at which the mean error is at least so large; NaN where it never is.

        Parameters
        ----------
        error : float
            Between 0 and 1; .75 in the paper.

        Returns
        -------
        DataFrame
            Procedures x dispersions, of the first factor.
        """
        least = _checked_error(error)
        means = self.summary()["error"].xs(float(self.factors[0]), level="factor")
        large = means[means >= least].reset_index().groupby(["procedure", "dispersion"])["reversed"].min()
        points = {
            dispersion: [float(large.get((name, dispersion), np.nan)) for name in self.procedures]
            for dispersion in self.dispersions
        }
        return pd.DataFrame(points, index=list(self.procedures)).rename_axis(columns="dispersion")

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"random scores": Proof.SAMPLED}

    def __str__(self) -> str:
        """Say how many reversed tasks each procedure bears or, of one setting, how wrong each is."""
        if len(self.reversed_tasks) > 1:
            return self._bearing()
        last = (self.dispersions[-1], self.reversed_tasks[-1], float(self.factors[-1]))
        means = self.summary()["error"]
        listed = ", ".join(f"{name} {means[(name, *last)]:.2f}" for name in self.procedures)
        scale = f" and {counted(self.rescaled, 'task')} rescaled by {last[2]:g}" if last[2] != 1 else ""
        return (
            f"Share of pairs the wrong way round with {last[1]} of {counted(self.size[1], 'task')} reversed{scale}, "
            f"dispersion {last[0]:g}: {listed} ({counted(self.repeats, 'draw')})."
        )

    def _bearing(self) -> str:
        """Say from how many reversed tasks on three quarters of the pairs are the wrong way round."""
        points = self.breaking_points()[self.dispersions[-1]]
        listed = ", ".join(f"{name} {'never' if np.isnan(at) else f'{at:.0f}'}" for name, at in points.items())
        scale = f", {counted(self.rescaled, 'task')} rescaled by {self.factors[0]}" if self.factors[0] != 1 else ""
        return (
            f"Three quarters of the pairs are the wrong way round once so many of {counted(self.size[1], 'task')} are "
            f"reversed (dispersion {self.dispersions[-1]:g}{scale}): {listed} ({counted(self.repeats, 'draw')})."
        )

    def verify(self, source: Any = None) -> bool:
        """Draw all scores again from the seed and rank them; there is no source, which must be None.

        Raises
        ------
        ProofError
            Naming the first draw that is wrong.
        """
        ensure(source is None, "synthetic scores have no source")
        ensure_named(self.questions)
        shape = tuple(map(len, (self.dispersions, self.reversed_tasks, self.factors)))
        wanted = (*shape, self.repeats, len(self.procedures), self.size[0])
        ensure(self.levels.shape == wanted and self.repeats, "the draws are not of these settings, rules and models")
        found = _levels(self, range(self.repeats))
        wrong = np.argwhere((found != self.levels).any(axis=5))
        if len(wrong):
            _, _, _, draw, procedure = wrong[0].tolist()
            ensure(holds=False, failure=f"draw {draw}, {self.procedures[procedure]!r}: the ranking is another one")
        return True


def manipulation(
    rules: RulesLike = None,
    *,
    reversed_tasks: Iterable[int] | None = None,
    factors: Iterable[Number] = (1,),
    rescaled: int = 1,
    dispersions: Iterable[float] = (0.05, 0.1, 0.25),
    models: int = 20,
    tasks: int = 20,
    instances: int = 20,
    options: Mapping[str, Any] | None = None,
    repeats: int = 20,
    rng: RngLike = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Manipulation:
    """Reverse and rescale tasks of synthetic scores, and count how wrong the rankings become.

    Parameters
    ----------
    rules : rule, function, iterable or mapping of these, optional
        By default mean and Borda. Rules of places or duels are asked in two ways: with all instances as voters, and
        task by task first. Means of scores and functions read the means of the tasks.
    reversed_tasks : iterable of int, optional
        How many tasks are reversed, each number by itself: by default from none to all.
    factors : iterable of number
        By what the scores of the first ``rescaled`` tasks are multiplied. Reversed tasks are the first ones, too: of
        ``reversed_tasks=[0, 1]`` the rescaled task is an honest one, and a reversed one.
    rescaled : int
        How many tasks are rescaled.
    dispersions : iterable of float
        How far the systems are apart, see `gumbel_scores`. All settings of a draw have the same noise.
    models, tasks, instances : int
        How many systems, tasks, and instances a task.
    options : mapping, optional
        Options for all rules that have them.
    repeats : int
        How many draws.
    rng : int or Generator, optional
        The seed of the draws; the result keeps it.
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. The result does not depend on it.
    progress : callable, optional
        Called with the number of draws done since the last call.

    Returns
    -------
    Manipulation
        ``.summary()`` ``.draws`` ``.breaking_points(error)`` ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong.

    Notes
    -----
    Scores are whole millionths, so that means and ties are exact. Mean and Borda take O(models x tasks x instances) a
    draw and dispersion, and O(models x tasks) a setting; other rules are asked anew in every setting.

    A reversed task is stronger than an honest one, as in the paper: its systems are 1 apart, not ``dispersion``. That
    is why a mean is overturned by about ``dispersion / (1 + dispersion)`` of the tasks, and two levels by one half.

    References
    ----------
    Colombo et al., section 4 and figures 3 and 6.

    Examples
    --------
    >>> found = manipulation(reversed_tasks=[0, 5, 10], dispersions=[0.2], repeats=5, rng=0)
    >>> for name in found.procedures:
    ...     print(name, found.summary()["error"][name].round(2).tolist())
    mean [0.0, 0.99, 1.0]
    borda, one level [0.0, 0.02, 0.96]
    borda, two levels [0.0, 0.02, 0.59]
    """
    every = range(tasks + 1) if reversed_tasks is None else reversed_tasks
    blank = Manipulation(
        questions=questions(rules, options=options, default=("mean", "borda")),
        seed=seed_of(rng),
        levels=np.zeros((0,) * 6, dtype=np.int64),
        **_settings((models, tasks, instances), dispersions, every, factors, rescaled),
    )
    times = checked_count("repeats", repeats, least=1)
    return replace(blank, levels=_levels(blank, range(times), n_jobs=n_jobs, progress=progress))


def _settings(size: tuple[int, int, int], dispersions: Any, reversed_tasks: Any, factors: Any, rescaled: int) -> Any:
    """Return the simulation settings by field.

    Raises
    ------
    InputError
        If a setting is none.
    """
    models, tasks, instances = size
    settings = {
        "size": (
            checked_count("models", models, least=2),
            checked_count("tasks", tasks, least=1),
            checked_count("instances", instances, least=1),
        ),
        "dispersions": each_checked("dispersions", dispersions, checked_dispersion, such_as="[0.1, 0.5]"),
        "reversed_tasks": _numbers("reversed_tasks", reversed_tasks, tasks),
        "factors": each_checked("factors", factors, checked_factor, such_as="[2, 7]"),
        "rescaled": checked_count("rescaled", rescaled, least=0),
    }
    if not all(settings[name] for name in ("dispersions", "factors", "reversed_tasks")) or rescaled > tasks:
        raise InputError("each of dispersions, factors and reversed_tasks needs a value, and rescaled tasks are tasks")
    return settings


def _levels(
    asked: Manipulation, draws: range, *, n_jobs: int = 1, progress: Callable[[int], None] | None = None
) -> IntArray:
    settings = (asked.dispersions, asked.reversed_tasks, asked.factors, asked.rescaled)
    work = partial(
        _drawn, procedures=procedures_of(asked.questions), size=asked.size, seed=asked.seed, settings=settings
    )
    found = parallel_map(work, draws, n_jobs=n_jobs, progress=progress)
    levels: IntArray = np.asarray(np.stack(found, axis=3), dtype=np.int64)
    return levels


def _drawn(
    draw: int,
    *,
    procedures: tuple[Procedure, ...],
    size: tuple[int, int, int],
    seed: int,
    settings: tuple[tuple[float, ...], tuple[int, ...], tuple[Fraction, ...], int],
) -> IntArray:
    """Return the places of one draw, dispersions x reversed x factors x procedures x models."""
    noise = Noise.drawn(*size, generator_of(seed, draw))
    dispersions, counts, factors, rescaled = settings
    found = np.empty((len(dispersions), len(counts), len(factors), len(procedures), size[0]), dtype=np.int64)
    for row, dispersion in enumerate(dispersions):
        honest, turned = noise.scores(dispersion)
        spoilt = ReversedScores(honest=honest, turned=turned)
        for column, count in enumerate(counts):
            for depth, factor in enumerate(factors):
                for place, procedure in enumerate(procedures):
                    found[row, column, depth, place] = spoilt.levels(procedure, count, rescaled, factor)
    return found


def _checked_error(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= 1:
        raise InputError(f"error must be above 0 and at most 1; got {given!r}")
    return float(given)


def _numbers(name: str, given: Iterable[int], tasks: int) -> tuple[int, ...]:
    listed = each_checked(name, given, partial(checked_count, name, least=0), such_as="[0, 1, 2]")
    if listed and max(listed) > tasks:
        raise InputError(f"{name} must be numbers of tasks, of which there are {tasks}; got {max(listed)}")
    return listed


# Synthetic scores of systems whose true order is known, with tasks that are reversed or rescaled.


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
        return levels_in(level(instances, question.rule).places, models)


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
