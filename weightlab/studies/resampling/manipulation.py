"""How many tasks can be spoilt before a ranking is: synthetic scores whose true order is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, IntArray, Number, fraction
from weightlab._result import Frozen, told_of
from weightlab._text import counted
from weightlab._validate import RngLike, seed_of
from weightlab.data import Instances
from weightlab.exceptions import InputError
from weightlab.rules import Needs, one_level, two_level
from weightlab.rules.ranking import levels_in
from weightlab.studies.parallel import checked_count, each_checked, generator_of
from weightlab.studies.question import Question, RulesLike, questions
from weightlab.studies.resampling.draws import Draws, drawn, draws_together, experiment
from weightlab.studies.resampling.places import each, levels_of_totals

MOST_SCORES = 1_000_000
"""A draw of more scores is refused: a document is short, however large the tables are that it asks for."""
MICRO = 10**6
"""Scores are whole numbers of millionths, so that sums and means of them are exact."""


class Manipulation(Draws, kind="manipulation"):
    """The rankings of synthetic systems by several procedures, when some tasks are reversed or rescaled: see `Draws`.

    Attributes
    ----------
    rescaled, tasks, instances : int
        How many tasks are rescaled, how many there are, and how many instances each has.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("rescaled", "tasks", "instances")
    ARGUMENTS: ClassVar[Mapping[str, str]] = {
        "dispersion": "dispersions",
        "reversed": "reversed_tasks",
        "factor": "factors",
    }
    CLAIM: ClassVar[str] = "random scores"
    RULE: ClassVar[str] = "procedure"
    has_source: ClassVar[bool] = False

    rescaled: int = 1
    tasks: int = 20
    instances: int = 20

    @property
    def draws(self) -> pd.DataFrame:
        """One row a setting, draw and procedure, with the error: the share of pairs that are the wrong way round.

        A pair that is tied counts one half. An error of 1 is the opposite of the true order, one of 1/2 no order.
        """
        upper = np.triu_indices(len(self.models), 1)
        signs = np.sign(self.levels[..., upper[1]] - self.levels[..., upper[0]])
        return self.rows(error=(signs + 1).sum(axis=-1) / (2 * len(upper[0])))

    def _asked(self, source: Any, rules: Any, **keywords: Any) -> Any:
        return super()._asked(source, rules, models=len(self.models), **keywords)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a procedure and setting: mean and standard deviation of the error, and its extremes."""
        keys = ["procedure", *self.settings]
        grouped = self.draws.groupby(keys, sort=False)["error"]
        parts = {"error": grouped.mean(), "std": grouped.std(ddof=0), "least": grouped.min(), "most": grouped.max()}
        order = pd.MultiIndex.from_product([self.rules, *map(self.values, self.settings)], names=keys)
        return pd.DataFrame(parts).reindex(order)

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
        means = self.summary()["error"].xs(self.values("factor")[0], level="factor")
        large = means[means >= least].reset_index().groupby(["procedure", "dispersion"])["reversed"].min()
        points = {
            dispersion: [float(large.get((name, dispersion), np.nan)) for name in self.rules]
            for dispersion in self.values("dispersion")
        }
        return pd.DataFrame(points, index=list(self.rules)).rename_axis(columns="dispersion")

    def __str__(self) -> str:
        """Say how many reversed tasks each procedure bears or, of one setting, how wrong each is."""
        spread, count, factor = (self.values(name)[-1] for name in self.settings)
        tasks, times = counted(self.tasks, "task"), counted(self.repeats, "draw")
        if len(self.settings["reversed"]) == 1:
            means = self.summary()["error"]
            listed = ", ".join(f"{name} {means[(name, spread, count, factor)]:.2f}" for name in self.rules)
            scale = f" and {counted(self.rescaled, 'task')} rescaled by {factor:g}" if factor != 1 else ""
            wrong = f"Share of pairs the wrong way round with {count} of {tasks} reversed{scale}, dispersion {spread:g}"
            return f"{wrong}: {listed} ({times})."
        points, first = self.breaking_points()[spread], self.settings["factor"][0]
        listed = ", ".join(f"{name} {'never' if np.isnan(at) else f'{at:.0f}'}" for name, at in points.items())
        scale = f", {counted(self.rescaled, 'task')} rescaled by {first}" if first != 1 else ""
        return (
            f"Three quarters of the pairs are misordered after reversing this many of {tasks} "
            f"(dispersion {spread:g}{scale}): {listed} ({times})."
        )


@experiment
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
        By default mean and Borda. Rules of places or head-to-heads are applied in two ways: with all instances as
        voters, and task by task first. Means of scores and functions read the means of the tasks.
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
    draw and dispersion, and O(models x tasks) a setting; other rules are applied afresh in every setting.

    A reversed task is stronger than an honest one, as in the paper: its systems are 1 apart, not ``dispersion``. That
    is why a mean is overturned by about ``dispersion / (1 + dispersion)`` of the tasks, and two levels by one half.

    References
    ----------
    Colombo et al., section 4 and figures 3 and 6.

    Examples
    --------
    >>> found = manipulation(reversed_tasks=[0, 5, 10], dispersions=[0.2], repeats=5, rng=0)
    >>> for name in found.rules:
    ...     print(name, found.summary()["error"][name].round(2).tolist())
    mean [0.0, 0.99, 1.0]
    borda, one level [0.0, 0.02, 0.96]
    borda, two levels [0.0, 0.02, 0.59]
    """
    settings = _settings((models, tasks, instances), dispersions, reversed_tasks, factors, rescaled)
    spreads, turned, scales = settings.values()
    named, seed = questions(rules, options=options, default=("mean", "borda")), seed_of(rng)
    asked = {
        name: each(models, partial(_places, question=question, how=how, rescaled=rescaled))
        for question in named.values()
        for name, how in _ways(question).items()
    }
    times, width = checked_count("repeats", repeats, least=1), 2 * models * tasks * instances * len(spreads)
    made: dict[tuple[int, float], Spoilt] = {}

    def change(draw: int, setting: tuple[float, int, Fraction]) -> tuple[Spoilt, int, Fraction]:
        if len(made) == draws_together(times, width, n_jobs) * len(spreads) and (draw, setting[0]) not in made:
            made.clear()
        if (draw, setting[0]) not in made:
            made[draw, setting[0]] = Spoilt.drawn(models, tasks, instances, setting[0], generator_of(seed, draw))
        return made[draw, setting[0]], *setting[1:]

    every = [(float(spread), int(count), factor) for spread in spreads for count in turned for factor in scales]
    levels = drawn(asked, change, every, repeats=times, width=width, n_jobs=n_jobs, progress=progress)
    return Manipulation(
        experiment="manipulation",
        questions=named,
        settings=settings,
        models=system_names(models),
        rules=tuple(asked),
        total=tasks,
        seed=seed,
        whole=np.tile(np.arange(models)[::-1], (len(asked), 1)),
        levels=levels,
        rescaled=rescaled,
        tasks=tasks,
        instances=instances,
    )


def _settings(
    size: tuple[int, int, int], dispersions: Any, reversed_tasks: Any, factors: Any, rescaled: int
) -> dict[str, tuple[Fraction, ...]]:
    """Return the settings of a simulation, or raise InputError for an invalid one."""
    models, tasks, instances = size
    for name, value, least in (("models", models, 2), ("tasks", tasks, 1), ("instances", instances, 1)):
        checked_count(name, value, least=least)
    if models * tasks * instances > MOST_SCORES:
        raise InputError(f"a draw has at most {MOST_SCORES:,} scores; got {models} x {tasks} x {instances}")
    spreads = each_checked("dispersions", dispersions, checked_dispersion, such_as="[0.1, 0.5]")
    turned = _numbers("reversed_tasks", range(tasks + 1) if reversed_tasks is None else reversed_tasks, tasks)
    scales = each_checked("factors", factors, checked_factor, such_as="[2, 7]")
    if checked_count("rescaled", rescaled, least=0) > tasks or not (spreads and turned and scales):
        raise InputError("each of dispersions, factors and reversed_tasks needs a value, and rescaled tasks are tasks")
    counts = tuple(map(Fraction, turned))
    return {"dispersion": tuple(map(fraction, spreads)), "reversed": counts, "factor": scales}


def _ways(question: Question) -> dict[str, str]:
    """Return how a question takes instances, by name: one way for what reads scores, two for places or duels."""
    if question.rule is None or question.rule.needs is Needs.SCORES:
        return {question.name: "means"}
    return {f"{question.name}, {how}": how for how in ("one level", "two levels")}


def _checked_error(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= 1:
        raise InputError(f"error must be above 0 and at most 1; got {given!r}")
    return float(given)


def _numbers(name: str, given: Iterable[int], tasks: int) -> tuple[int, ...]:
    listed = each_checked(name, given, partial(checked_count, name, least=0), such_as="[0, 1, 2]")
    if listed and max(listed) > tasks:
        raise InputError(f"{name} must be numbers of tasks, at most {tasks}; got {max(listed)}")
    return listed


# Synthetic scores of systems whose true order is known, with tasks that are reversed or rescaled.


class Spoilt(Frozen):
    """Scores whose first tasks can be reversed.

    Attributes
    ----------
    honest, turned : ndarray of int, tasks x models x instances
        Scores in millionths of each task as it is, and reversed.
    """

    honest: IntArray
    turned: IntArray

    @classmethod
    def drawn(cls, models: int, tasks: int, instances: int, dispersion: float, rng: np.random.Generator) -> Spoilt:
        """Return scores of Gumbel distributions: as a task is, and as it is when reversed."""
        shape, place = (tasks, models, instances), np.arange(1, models + 1, dtype=np.float64)[None, :, None]
        honest, turned = rng.gumbel(size=shape), rng.gumbel(size=shape)
        both = (honest + dispersion * place, turned - place)
        scores = [np.rint(one * MICRO).astype(np.int64) for one in both]
        return cls(honest=scores[0], turned=scores[1])

    def scores(self, count: int) -> IntArray:
        """Return the scores with the first tasks reversed."""
        return np.concatenate([self.turned[:count], self.honest[count:]])

    def given(self, how: str, count: int) -> AnyArray:
        """Return what each task adds to each model with the first tasks reversed: sums, or twice Borda's points."""
        honest, turned = self._given[how]
        return np.concatenate([turned[:count], honest[count:]])

    @cached_property
    def _given(self) -> dict[str, list[AnyArray]]:
        both = (self.honest, self.turned)
        points = [_borda(one).sum(axis=2) for one in both]
        second = [_borda(one[:, :, None])[:, :, 0] for one in points]
        return {"means": [one.sum(axis=2) for one in both], "one level": points, "two levels": second}


def _places(change: tuple[Spoilt, int, Fraction], *, question: Question, how: str, rescaled: int) -> Any:
    """Return the places by a procedure: mean and Borda by what each task gives, any other of scores as users have."""
    spoilt, count, factor = change
    rule = question.rule
    if rule is not None and rule.name in {"mean", "borda"} and not rule.options:
        given = spoilt.given(how, count)
        if how == "means":
            largest = int(np.abs(given).max(initial=1)) * len(given) * max(factor.numerator, factor.denominator)
            given = given if largest < INT64_SAFE else given.astype(object)
            parts = given[:rescaled].sum(axis=0) * factor.numerator, given[rescaled:].sum(axis=0) * factor.denominator
            return levels_of_totals(np.asarray(sum(parts))[None, :])[0]
        return levels_of_totals(given.sum(axis=0)[None, :])[0]
    source = as_instances(spoilt.scores(count), rescaled, factor)
    if rule is None or how == "means":
        return question.answer(source.means()).levels(source.models)
    return levels_in((one_level if how == "one level" else two_level)(source, rule).places, source.models)


def _borda(scores: AnyArray) -> AnyArray:
    """Return twice the Borda points, ties averaged, along axis 1: models behind less models ahead, plus a constant."""
    count = scores.shape[1]
    points = np.empty(scores.shape, dtype=np.int64)
    for model in range(count):
        own = scores[:, model : model + 1]
        points[:, model] = np.sign(own - scores).sum(axis=1) + count - 1
    return points


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
        On this many tasks, the first ones, system n has scores at ``-n`` instead: their order is the opposite one.
    rescaled : int
        The scores of this many tasks, again the first ones, are multiplied by ``factor``.
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
    for name, value, least in (("models", models, 2), ("tasks", tasks, 1), ("instances", instances, 1)):
        checked_count(name, value, least=least)
    turned, scaled = (checked_count("tasks to change", one, least=0) for one in (reversed_tasks, rescaled))
    if max(turned, scaled) > tasks:
        raise InputError(f"at most all {tasks} tasks can be changed; got {max(turned, scaled)}")
    spread, generator = checked_dispersion(dispersion), generator_of(seed_of(rng), 0)
    spoilt = Spoilt.drawn(models, tasks, instances, spread, generator)
    return as_instances(spoilt.scores(turned), scaled, checked_factor(factor))


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
