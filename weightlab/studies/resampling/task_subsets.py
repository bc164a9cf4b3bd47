"""What if tasks are removed or added: rankings on random parts of the tasks, compared with the one on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, get_args

import numpy as np

from weightlab._result import Frozen, Proof, Result, ensure
from weightlab._text import counted
from weightlab._validate import RngLike, one_of, seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, as_table
from weightlab.data.convert import as_scores
from weightlab.data.frame.cells import Cells
from weightlab.exceptions import InputError, MissingScoresError
from weightlab.rules import Rule, pooled, rank
from weightlab.rules.inputs import InapplicableError, Needs, weighing
from weightlab.rules.refusal import NO_ANSWER, Refusal, check_refusals, reasons, refusal_of
from weightlab.studies.parallel import checked_count, each_checked, generator_of, parallel_map
from weightlab.studies.question import Question, RulesLike, ensure_named, questions
from weightlab.studies.resampling.ranking_moves import MovedRankings, RankingMoves
from weightlab.studies.resampling.resample import ColumnBoard, HowInstances, Places

COMPARED = ("mean", "borda")
"""The rules of Colombo et al., section 5.2.2."""


class TaskSubsets(MovedRankings, Result, kind="task_subsets"):
    """The rankings by several rules on random parts of the tasks, and on all of them.

    Attributes
    ----------
    questions : dict from str to Question
        What was asked, by name.
    how : {"means", "one_level", "two_level"} or None
        How instances become a ranking; None for a leaderboard.
    tasks : tuple of str
        Those that weigh.
    nested : bool
        Whether the parts of a draw grow task by task, or each is drawn for itself.
    moves : RankingMoves
        The rankings, by number of tasks, draw and rule.
    seed : int
        The tasks of draw ``i`` follow from the child ``i`` of this seed.
    repeats : int
        How many draws.
    refusals : tuple of Refusal
        Default rules that have no answer here, and why.
    """

    questions: Mapping[str, Question]
    how: HowInstances | None
    tasks: tuple[str, ...]
    nested: bool
    moves: RankingMoves
    seed: int
    repeats: int
    refusals: tuple[Refusal, ...] = ()

    def __post_init__(self) -> None:
        """Raise InputError for a seed that is none."""
        seed_of(self.seed)

    @property
    def left_out(self) -> dict[str, str]:
        """Why rules have no answer here, by rule."""
        return reasons(self.refusals)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many tasks were kept."""
        return self.moves.settings

    def kept(self, size: int, draw: int) -> tuple[str, ...]:
        """Return the tasks of a draw, in board order.

        Raises
        ------
        InputError
            If there is no such draw.
        """
        if size not in self.sizes or not 0 <= draw < self.repeats:
            raise InputError(f"no draw {draw} of {counted(size, 'task')}")
        columns = drawn_tasks(len(self.tasks), self.sizes, self.seed, draw, nested=self.nested)[self.sizes.index(size)]
        return tuple(self.tasks[column] for column in columns)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"which tasks are kept": Proof.SAMPLED}

    def __str__(self) -> str:
        """Say which rule keeps its ranking best and which worst on about half of the tasks."""
        half = min(self.sizes, key=lambda size: abs(2 * size - len(self.tasks)))
        return f"On {half} of {counted(len(self.tasks), 'task')} {self.best_and_worst(half)}"

    def verify(self, source: Leaderboard | Instances | None = None) -> bool:
        """Check that the draws are rankings; given the source, draw and rank everything again from the seed.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure(self.rules == tuple(self.questions), "the rules are not those of the questions")
        ensure_named(self.questions)
        self.moves.check("tasks", self.repeats)
        ensure(len(set(self.tasks)) == len(self.tasks), "a task is named twice")
        ensure(all(1 <= size <= len(self.tasks) for size in self.sizes), "a number of tasks is none")
        if source is not None:
            parts = parts_of_tasks(source, self.questions, self.how)
            ensure(parts.tasks == self.tasks, "the tasks are not those of the source")
            ensure(parts.models == self.moves.models, "the models are not those of the source")
            found = _moves(parts, self.sizes, self.repeats, self.seed, nested=self.nested, top=self.moves.top)
            self.moves.ensure_same(found)
            check_refusals(self.refusals, self.questions, partial(_asked, source, self.how))
        return True


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
        ``.summary()`` ``.draws`` ``.kept(size, draw)`` ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong, a rule that is named has no answer on all tasks, or a mean of scores is asked of
        instances otherwise than by their means.
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
    return _study(source, rules, sizes, how, options, top, repeats, rng, n_jobs, progress, nested=False)


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
    >>> found = task_addition(board, "borda", sizes=[1, 2], repeats=3, rng=0)
    >>> set(found.kept(1, 0)) < set(found.kept(2, 0))
    True
    """
    return _study(source, rules, sizes, how, options, top, repeats, rng, n_jobs, progress, nested=True)


def drawn_tasks(count: int, sizes: Iterable[int], seed: int, draw: int, *, nested: bool) -> list[tuple[int, ...]]:
    """Return the positions of the tasks that a draw keeps, for each number of tasks."""
    if nested:
        arriving = generator_of(seed, draw).permutation(count)
        return [tuple(sorted(arriving[:size].tolist())) for size in sizes]
    return [tuple(sorted(generator_of(seed, draw, size).permutation(count)[:size].tolist())) for size in sizes]


def _study(  # noqa: PLR0917 - what both studies take, in their order
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
    *,
    nested: bool,
) -> TaskSubsets:
    source = as_table(source)
    one_of("how", how, get_args(HowInstances))
    manner = how if isinstance(source, Instances) else None
    asked = questions(rules, options=options, default=COMPARED)
    refusals: tuple[Refusal, ...] = ()
    if rules is None:
        ask = partial(_asked, source, manner)
        found = (refusal_of(one.rule, ask) for one in asked.values() if one.rule is not None)
        refusals = tuple(one for one in found if one is not None)
        left_out = reasons(refusals)
        asked = {name: one for name, one in asked.items() if name not in left_out}
        if not asked:
            listed = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
            raise InputError(f"no rule has an answer ({listed})")
    parts = parts_of_tasks(source, asked, manner)
    times, seed = checked_count("repeats", repeats, least=1), seed_of(rng)
    numbers = _sizes(sizes, len(parts.tasks))
    first = min(checked_count("top", top, least=1), len(parts.models))
    return TaskSubsets(
        questions=asked,
        how=manner,
        tasks=parts.tasks,
        nested=nested,
        moves=_moves(parts, numbers, times, seed, nested=nested, top=first, n_jobs=n_jobs, progress=progress),
        seed=seed,
        repeats=times,
        refusals=refusals,
    )


def _asked(source: Any, how: HowInstances | None, rule: Rule) -> None:
    """Ask a rule about the whole table; what it raises says why it has no answer."""
    parts_of_tasks(source, {str(rule): Question(rule=rule)}, how)


def _moves(
    parts: PartOfTasks,
    sizes: tuple[int, ...],
    repeats: int,
    seed: int,
    *,
    nested: bool,
    top: int,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> RankingMoves:
    reference = dict(zip(parts.names, parts.places(range(len(parts.tasks))), strict=True))
    work = partial(_drawn, parts=parts, sizes=sizes, seed=seed, nested=nested)
    draws = parallel_map(work, range(repeats), n_jobs=n_jobs, progress=progress)
    return RankingMoves.of(parts.models, reference, draws, setting="tasks", settings=sizes, top=top)


def _drawn(draw: int, *, parts: PartOfTasks, sizes: tuple[int, ...], seed: int, nested: bool) -> list[list[Places]]:
    """Return the places by number of tasks and rule in one draw."""
    return [parts.places(columns) for columns in drawn_tasks(len(parts.tasks), sizes, seed, draw, nested=nested)]


def _sizes(given: Iterable[int] | None, count: int) -> tuple[int, ...]:
    if given is None:
        return tuple(range(1, count)) or (1,)
    listed = each_checked("sizes", given, partial(checked_count, "sizes", least=1), such_as="[3, 6]")
    if not listed or max(listed) > count:
        found = "none" if not listed else max(listed)
        raise InputError(f"sizes must be numbers of tasks, of which {count} weigh; got {found}")
    return listed


# Several questions to a table of which only some tasks are kept: what each task gives is worked out once.


def _columns_of(question: Question, board: Leaderboard, strata: Sequence[int]) -> ColumnBoard:
    """Return a question to the columns of a board, which belong to tasks; it has an answer on all of them.

    Raises
    ------
    InapplicableError
        If it has none; some rules raise MissingScoresError.
    """
    columns = ColumnBoard.of(question, board, strata)
    if columns.places(np.ones(len(board.tasks), dtype=np.int64)) is None:
        _refuse(question, board)
        raise InapplicableError(f"{question.name} has no answer on all tasks: a model has no score on them")
    return columns


def _refuse(question: Question, board: Leaderboard) -> None:
    """Raise what a question says to a board on which it has no answer."""
    try:
        question.answer(board)
    except (InapplicableError, MissingScoresError):
        raise
    except NO_ANSWER as reason:
        raise InapplicableError(f"{question.name} has no answer on all tasks: {reason}") from None


class PartOfTasks(Frozen):
    """Questions to a table, ready for any part of its tasks.

    Attributes
    ----------
    models, tasks, names : tuple of str
        The models in board order, the tasks that weigh, and the questions.
    asked : tuple of ColumnBoard
        One a name.
    """

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    names: tuple[str, ...]
    asked: tuple[ColumnBoard, ...]

    def places(self, tasks: Iterable[int]) -> list[Places]:
        """Return the answer to each question on a table of some tasks, given as positions."""
        kept = np.zeros(len(self.tasks), dtype=np.int64)
        kept[list(tasks)] = 1
        return [one.places(np.repeat(kept, one.strata)) for one in self.asked]


def parts_of_tasks(source: Any, asked: Mapping[str, Question], how: HowInstances | None) -> PartOfTasks:
    """Return questions to a table, ready for any part of its tasks.

    Raises
    ------
    InputError
        If the source is neither a leaderboard nor instances, or a rule has no answer on it or cannot read it so.
    """
    source = as_scores(source, "tasks are removed from")
    if isinstance(source, Leaderboard):
        board = weighing(source)
        every = [_columns_of(question, board, [1] * len(board.tasks)) for question in asked.values()]
        return PartOfTasks(models=board.models, tasks=board.tasks, names=tuple(asked), asked=tuple(every))
    kept = source.select(tasks=[str(task) for task, weight in source.weights.items() if weight])
    every = [_of_instances(question, kept, how) for question in asked.values()]
    return PartOfTasks(models=kept.models, tasks=kept.tasks, names=tuple(asked), asked=tuple(every))


def _of_instances(question: Question, instances: Instances, how: HowInstances | None) -> ColumnBoard:
    if how == "means":
        return _columns_of(question, instances.means(), [1] * len(instances.tasks))
    if how == "one_level":
        strata = [len(instances.table(task).columns) for task in instances.tasks]
        return _columns_of(question, pooled(instances), strata)
    return _columns_of(question, _orders_by_task(question, instances), [1] * len(instances.tasks))


def _orders_by_task(question: Question, instances: Instances) -> Leaderboard:
    """Return the board of the first of two levels: each task scores a model by how many places are behind its own."""
    rule = question.rule
    if rule is None or rule.needs is Needs.SCORES:
        reason = "reads no places or duels; the means of the instances would be ranked"
        raise InapplicableError(f"{question.name} {reason}")
    row = {model: place for place, model in enumerate(instances.models)}
    floats = np.full((len(row), len(instances.tasks)), np.nan)
    for column, task in enumerate(instances.tasks):
        order = rank(instances.leaderboard(task), rule).places
        for place, group in enumerate(reversed(order)):
            floats[[row[model] for model in group], column] = place
    weights = instances.weights
    return Leaderboard.from_cells(tuple(row), instances.tasks, Cells(floats=floats, exact={}), weights=weights)
