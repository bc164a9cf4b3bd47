"""What if tasks are removed or added: rankings on random parts of the tasks, compared with the one on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, get_args

import numpy as np

from weightlab._exact import IntArray
from weightlab._text import counted
from weightlab._validate import RngLike, one_of, seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike
from weightlab.data.convert import as_scores
from weightlab.exceptions import InputError
from weightlab.rules import pooled
from weightlab.rules.inputs import InapplicableError, weighing
from weightlab.studies.parallel import checked_count, each_checked, generator_of
from weightlab.studies.question import Question, RulesLike, answering, questions
from weightlab.studies.resampling.bootstrap import HowInstances
from weightlab.studies.resampling.draws import RankingMoves, drawn, experiment
from weightlab.studies.resampling.places import Asked, of_columns, orders_by_task

COMPARED = ("mean", "borda")
"""The rules of Colombo et al., section 5.2.2."""


class TaskSubsets(RankingMoves, kind="task_subsets"):
    """The rankings by several rules on random parts of the tasks, and on all of them: see `Draws`.

    Attributes
    ----------
    how : {"means", "one_level", "two_level"}
        How instances become a ranking.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("how", "top")
    ARGUMENTS: ClassVar[Mapping[str, str]] = {"tasks": "sizes"}
    CLAIM: ClassVar[str] = "which tasks are kept"

    how: HowInstances = "two_level"

    def __str__(self) -> str:
        """Say which rule keeps its ranking best and which worst on about half of the tasks."""
        half = min(self.values("tasks"), key=lambda size: abs(2 * size - self.total))
        return f"On {half} of {counted(self.total, 'task')} {self.best_and_worst(half)}"


@experiment
def task_removal(
    source: LeaderboardLike | Instances,
    rules: RulesLike = None,
    *,
    sizes: Iterable[int] | None = None,
    how: HowInstances = "two_level",
    options: Mapping[str, Any] | None = None,
    top: int = 7,
    repeats: int = 100,
    rng: RngLike = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> TaskSubsets:
    """Keep some tasks at random, rank the models on these alone, and compare with the ranking on all tasks.

    Parameters
    ----------
    source : Leaderboard or Instances
        The table. Tasks of weight 0 take no part.
    rules : rule, function, iterable or mapping of these, optional
        See `Question`. By default mean and Borda, as far as they apply.
    sizes : iterable of int, optional
        How many tasks are kept, each number by itself; by default from one to all but one.
    how : {"two_level", "one_level", "means"}
        How instances become a ranking: task by task first, with all instances as voters, or by the means of the tasks.
        Asked with one seed, all three are of the same tasks. A leaderboard has no instances.
    options : mapping, optional
        Options for all rules that have them.
    top : int
        How many of the first models to look at apart; at most all.
    repeats : int
        How many draws for each number of tasks.
    rng : int or Generator, optional
        The seed of the draws; the result keeps it.
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. The result does not depend on it.
    progress : callable, optional
        Called with the number of draws done since the last call.

    Returns
    -------
    TaskSubsets
        ``.summary()`` ``.draws`` ``.verify()``; `kept_tasks` says which tasks a draw keeps.

    Raises
    ------
    InputError
        If an option is wrong, a rule that is named has no answer on all tasks, or a mean of scores is applied to
        instances other than by their means.
    MissingScoresError
        If a rule that is named needs every score and some are missing.

    Notes
    -----
    O(sizes x repeats x rules) rankings. What each task alone gives is worked out once: for rules that sum over tasks a
    draw takes O(models x tasks). Kept tasks keep their weights.

    References
    ----------
    Colombo et al., section 5.2.2 and figures 5, 7 and 8.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))
    >>> found = task_removal(board, ["mean", "borda"], sizes=[3, 9], repeats=50, rng=0)
    >>> found.summary()["tau_b"].round(2).to_dict()
    {('mean', 3): 0.62, ('mean', 9): 0.81, ('borda', 3): 0.64, ('borda', 9): 0.81}
    """
    return _study("task_removal", source, rules, sizes, how, options, top, repeats, rng, n_jobs, progress)


@experiment
def task_addition(
    source: LeaderboardLike | Instances,
    rules: RulesLike = None,
    *,
    sizes: Iterable[int] | None = None,
    how: HowInstances = "two_level",
    options: Mapping[str, Any] | None = None,
    top: int = 7,
    repeats: int = 100,
    rng: RngLike = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> TaskSubsets:
    """Add the tasks one by one in a random order, rank the models each time, and compare with the ranking on all.

    As `task_removal`, whose parameters and result it has, but that the tasks of a draw are those of the lesser number
    and one or more others: the rows of one draw are the history of one benchmark.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))
    >>> found = task_addition(board, "borda", sizes=[1, 10], repeats=20, rng=0)
    >>> found.summary()["tau_b"].round(2).to_dict()
    {('borda', 1): 0.47, ('borda', 10): 0.84}
    """
    return _study("task_addition", source, rules, sizes, how, options, top, repeats, rng, n_jobs, progress)


def kept_tasks(experiment: str, total: int, size: int, seed: int, draw: int) -> IntArray:
    """Return the positions of the tasks that a draw keeps; of tasks that are added, the first of one order."""
    child = (draw,) if experiment == "task_addition" else (draw, size)
    return np.sort(generator_of(seed, *child).permutation(total)[:size])


def _study(  # noqa: PLR0917 - what both studies take, in their order
    experiment: str,
    source: Any,
    rules: RulesLike,
    sizes: Iterable[int] | None,
    how: HowInstances,
    options: Mapping[str, Any] | None,
    top: int,
    repeats: int,
    rng: RngLike,
    n_jobs: int,
    progress: Callable[[int], None] | None,
) -> TaskSubsets:
    source = as_scores(source, "tasks are removed from")
    one_of("how", how, get_args(HowInstances))
    if isinstance(source, Instances):
        source = source.select(tasks=[str(task) for task, weight in source.weights.items() if weight])
    board = source.means() if isinstance(source, Instances) else weighing(source)
    pooling, count = how == "one_level" and isinstance(source, Instances), len(board.tasks)
    strata = [len(source.table(task).columns) if pooling else 1 for task in board.tasks]

    def change(draw: int, size: int) -> IntArray:
        kept = np.zeros(count, dtype=np.int64)
        kept[kept_tasks(experiment, count, size, seed, draw)] = 1
        return np.repeat(kept, strata)

    asked = questions(rules, options=options, default=COMPARED)
    found, refusals = answering(asked, partial(_asked, source, board, how), usual=rules is None)
    numbers, seed = _sizes(sizes, count), seed_of(rng)
    first = min(checked_count("top", top, least=1), len(board.models))
    levels = drawn(
        {name: one for name, (one, _) in found.items()},
        change,
        numbers,
        repeats=checked_count("repeats", repeats, least=1),
        width=sum(strata),
        n_jobs=n_jobs,
        progress=progress,
    )
    return TaskSubsets(
        experiment=experiment,
        questions={name: asked[name] for name in found},
        settings={"tasks": tuple(map(Fraction, numbers))},
        models=board.models,
        rules=tuple(found),
        total=count,
        seed=seed,
        whole=np.array([own for _, own in found.values()]),
        levels=levels,
        refusals=refusals,
        how=how,
        top=first,
    )


def _asked(source: Any, board: Leaderboard, how: HowInstances, question: Question) -> tuple[Asked, IntArray]:
    """Return how a question is evaluated on some tasks, and its places on all; the board is of means."""
    if isinstance(source, Instances) and how != "means":
        board = pooled(source) if how == "one_level" else orders_by_task(question, source)
    asked = of_columns(question, board)
    own = asked([np.ones(len(board.tasks), dtype=np.int64)])[0]
    if own[0] < 0:
        question.answer(board)
        raise InapplicableError(f"{question.name} has no answer on all tasks: a model has no score on them")
    return asked, own


def _sizes(given: Iterable[int] | None, count: int) -> tuple[int, ...]:
    if given is None:
        return tuple(range(1, count)) or (1,)
    listed = each_checked("sizes", given, partial(checked_count, "sizes", least=1), such_as="[3, 6]")
    if not listed or max(listed) > count:
        found = "none" if not listed else max(listed)
        raise InputError(f"sizes must be numbers of tasks, at most {count} (those with weight); got {found}")
    return listed
