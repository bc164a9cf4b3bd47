"""Is the order real: what a ranking says in resamples of the tasks, or of their instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import IntArray, fraction
from weightlab._text import counted, level_text
from weightlab._validate import RngLike, one_of, seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Order
from weightlab.data.convert import as_scores
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError
from weightlab.rules import pooled, two_level
from weightlab.rules.inputs import weighing
from weightlab.studies.parallel import checked_count, checked_share, generator_of
from weightlab.studies.question import AskedRule, Question, one_question
from weightlab.studies.resampling.draws import Draws, drawn, experiment
from weightlab.studies.resampling.places import Asked, of_columns, of_means, of_two_levels, ranking_by_task

Over: TypeAlias = Literal["tasks", "instances"]
"""What is resampled."""
HowInstances: TypeAlias = Literal["means", "one_level", "two_level"]
"""A ranking of instances: by a rule on the means of the tasks, with all instances as voters, or task by task."""


class Bootstrap(Draws, kind="bootstrap"):
    """The rankings of many resampled tables by one rule: see `Draws`.

    Attributes
    ----------
    over : {"tasks", "instances"}
        What was resampled.
    how : {"means", "one_level", "two_level"}
        How instances become a ranking, where they were drawn.
    level : float
        Of the intervals and of the separable pairs.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ("over", "how", "level")
    CLAIM: ClassVar[str] = "resamples"

    over: Over = "tasks"
    how: HowInstances = "means"
    level: float = 0.95

    def __post_init__(self) -> None:
        """Raise InputError for an invalid level, or for several rules."""
        super().__post_init__()
        checked_share("level", self.level)
        if len(self.questions) != 1 or self.whole.shape != (1, len(self.models)):
            raise InputError("a bootstrap is of one rule")

    @property
    def question(self) -> Question:
        """Whose rankings these are."""
        return next(iter(self.questions.values()))

    @property
    def order(self) -> Order:
        """The ranking of the table itself, best first."""
        own = pd.Series(self.whole[0], index=list(self.models))
        return tuple(tuple(map(str, group)) for _, group in sorted(own.groupby(own).groups.items()))

    @property
    def without_answer(self) -> int:
        """In how many draws the rule has no answer or a model no score; nothing else counts them."""
        return self.repeats - len(self._answered)

    @property
    def _answered(self) -> IntArray:
        levels = self.levels[0, :, 0]
        return np.asarray(levels[levels[:, 0] >= 0], dtype=np.int64)

    @property
    def draws(self) -> pd.DataFrame:
        """Every draw: one row per draw and model, with its rank (ties share the least; NA without an answer)."""
        levels = self.levels[0, :, 0]
        names = np.tile(np.array(self.models, dtype=object), self.repeats)
        ranks = pd.Series(best_and_worst(levels)[0].ravel(), dtype="Int64").mask(levels.ravel() < 0)
        number = np.repeat(np.arange(self.repeats), len(self.models))
        return pd.DataFrame({"draw": number, "model": names, "rank": ranks, "first": levels.ravel() == 0})

    def intervals(self) -> pd.DataFrame:
        """Return one row per model, best first: its rank, its percentile interval of ranks and how often it wins.

        ``low`` and ``high`` leave out at most half of what ``level`` leaves of the draws at either end: ranks that
        occurred, where a tie counts with its best place for ``low`` and its worst for ``high``. ``wins`` is the share
        of draws won, in equal parts where several win; ``among_first`` the share in which the model is among the
        winners.
        """
        levels = self._answered
        (best, worst), first = best_and_worst(levels), levels == 0
        skipped = allowed_draws(len(levels), self.level)
        table = pd.DataFrame(
            {
                "rank": best_and_worst(self.whole)[0][0],
                "low": np.sort(best, axis=0)[skipped],
                "high": np.sort(worst, axis=0)[len(worst) - 1 - skipped],
                "wins": (first / first.sum(axis=1, keepdims=True)).mean(axis=0),
                "among_first": first.mean(axis=0),
            },
            index=list(self.models),
        )
        return table.loc[[model for group in self.order for model in group]]

    def adjacent(self) -> pd.DataFrame:
        """Return one row per pair of neighbours of the ranking, best first, and whether the draws keep them in order.

        ``above``, ``level`` and ``below`` are the shares of draws in which the first of the two stands above the
        second, ties with it, or stands below. A pair is ``separable`` if the ranking orders it and at most half of
        what the level leaves (2.5% of the draws for a level of 95%) do not put it in that order: the percentile
        interval of the sign of their difference, hence of any score that the rule ranks by, lies above 0. Models that
        the ranking ties are neighbours in board order, and never separable.
        """
        draws = pd.DataFrame(self._answered, columns=list(self.models))
        own = pd.Series(self.whole[0], index=list(self.models)).sort_values(kind="stable")
        rows = []
        for upper, lower in zip(own.index, own.index[1:], strict=False):
            signs = np.sign(draws[lower] - draws[upper])
            shares = [float((signs == one).mean()) for one in (1, 0, -1)]
            few = int((signs != 1).sum()) <= allowed_draws(len(draws), self.level)
            rows.append((upper, lower, *shares, bool(own[upper] < own[lower] and few)))
        return pd.DataFrame(rows, columns=["model", "next", "above", "level", "below", "separable"])

    @property
    def separable_share(self) -> float:
        """The share of adjacent pairs of the ranking that are separable."""
        return float(self.adjacent()["separable"].mean())

    def above(self) -> pd.DataFrame:
        """Return the share of draws in which the row stands above the column, models x models in board order."""
        levels = self._answered
        total = np.zeros((len(self.models), len(self.models)), dtype=np.int64)
        for draw in levels:
            total += draw[:, None] < draw[None, :]
        return pd.DataFrame(total / len(levels), index=list(self.models), columns=list(self.models))

    @property
    def contenders(self) -> tuple[str, ...]:
        """The models that are in too many draws no worse than the first, each looked at by itself; with the winners."""
        levels = self._answered
        leader = levels[:, self.models.index(self.order[0][0])]
        behind = (levels > leader[:, None]).sum(axis=0)
        kept = len(levels) - behind > allowed_draws(len(levels), self.level)
        return tuple(model for model, one in zip(self.models, kept, strict=True) if one or model in self.order[0])

    def __str__(self) -> str:
        """Say how many neighbours are in an order that the draws keep, and how many models stay below the first."""
        pairs = self.adjacent()["separable"]
        kept = int(pairs.sum())
        others, leader = len(self.contenders) - 1, self.order[0][0]
        keep = "keeps its" if kept == 1 else "keep their"
        below = f"all but {counted(others, 'model')} stay" if others else "all others stay"
        drawn = counted(self.repeats - self.without_answer, "draw")
        by = rule_words(self.question.name, begins=True)
        return (
            f"{by}, {kept} of {counted(len(pairs), 'adjacent pair')} {keep} order, each by itself, "
            f"in {level_text(self.level)} of the resamples of the {self.over} ({drawn}), and {below} below {leader}; "
            "joint rank sets say what holds for all together."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the intervals, and whether each model is separable from the next."""
        table = self.intervals()
        table["separable_from_next"] = pd.array([*self.adjacent()["separable"], None], dtype="boolean")
        return table


@experiment
def bootstrap(
    source: LeaderboardLike | Instances,
    rule: AskedRule = "borda",
    *,
    over: Over | None = None,
    how: HowInstances = "means",
    options: Mapping[str, Any] | None = None,
    repeats: int = 1000,
    level: float = 0.95,
    rng: RngLike = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Bootstrap:
    """Rank many tables whose tasks, or whose instances, are resampled with replacement.

    Parameters
    ----------
    source : Leaderboard or Instances
        The table. Tasks of weight 0 take no part.
    rule : str, Rule or function
        A rule of the registry or any function of a leaderboard: see `Question`.
    over : {"tasks", "instances"}, optional
        Draw as many tasks as there are, each equally likely; a task keeps its weight each time it is drawn. Or keep the
        tasks and draw from each as many instances as it has, the same ones for all models. By default instances where
        there are instances. Tasks of Instances are drawn from the board of their means.
    how : {"means", "one_level", "two_level"}
        How instances become a ranking: by the rule on the means of the tasks, with all instances as voters, or task by
        task first.
    options : mapping, optional
        Options of the rule, such as ``{"ties": "max"}`` or ``{"missing": "last"}``.
    repeats : int
        How many draws.
    level : float
        Of the intervals, two-sided.
    rng : int, Generator or None
        The seed.
    n_jobs : int
        Processes, for rules that are applied afresh in each draw; sums over tasks are computed together here.
    progress : callable, optional
        Called with the number of draws done since the last call.

    Returns
    -------
    Bootstrap
        ``.summary()`` ``.intervals()`` ``.adjacent()`` ``.separable_share`` ``.contenders`` ``.draws`` ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong, there are fewer than two models, or the rule has no answer in any draw.

    Notes
    -----
    Rankings of draws are exact. Rules that sum over tasks take one product of matrices, O(models x tasks x draws);
    rules that read duels O(models^2 x tasks) a draw. What a missing score means is the rule's: without an option most
    refuse, and duels count it as no lead. A draw in which a model has no score at all, or the rule no answer,
    counts as ``without_answer``.

    A separable pair is one whose percentile interval excludes a swap, two-sided and each pair on its own: with many
    pairs some are separable by chance. Koehn's test is one-sided: his 95% are a level of 0.9 here. Few tasks make few
    different draws: the interval says how much the choice of tasks matters, not more.

    References
    ----------
    B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, section 13.3 (percentile interval);
    P. Koehn, "Statistical significance tests for machine translation evaluation", EMNLP 2004 (paired draws of
    instances).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {f"t{place}": {"a": 9, "b": 5 + place % 2, "c": 6 - place % 2} for place in range(8)}
    ... )
    >>> found = bootstrap(board, "borda", repeats=200, rng=0)
    >>> found.adjacent()[["model", "next", "separable"]].to_dict("records")
    [{'model': 'a', 'next': 'b', 'separable': True}, {'model': 'b', 'next': 'c', 'separable': False}]
    >>> found.contenders
    ('a',)
    """
    source, question = as_scores(source, "a bootstrap draws from"), one_question(rule, options=options)
    chosen: Over = "instances" if isinstance(source, Instances) else "tasks"
    chosen = chosen if over is None else one_of("over", over, get_args(Over))
    one_of("how", how, get_args(HowInstances))
    times = checked_count("repeats", repeats, least=1)
    asked, strata, order = _to_draw(source, question, chosen, how)
    together, seed = chosen == "tasks" or how == "one_level", seed_of(rng)
    models = source.models

    def change(draw: int, _: object) -> IntArray | list[IntArray]:
        generator = generator_of(seed, draw)
        counts: list[IntArray] = [np.bincount(generator.integers(size, size=size), minlength=size) for size in strata]
        return np.asarray(np.concatenate(counts), dtype=np.int64) if together else counts

    levels = drawn(
        {question.name: asked}, change, [()], repeats=times, width=sum(strata), n_jobs=n_jobs, progress=progress
    )
    if (levels < 0).all():
        raise InputError(f"{question.name} has no answer in any of {counted(repeats, 'draw')}")
    return Bootstrap(
        experiment="bootstrap",
        questions={question.name: question},
        settings={},
        models=models,
        rules=(question.name,),
        total=sum(strata),
        seed=seed,
        whole=order[None, :],
        levels=levels,
        over=chosen,
        how=how,
        level=checked_share("level", level),
    )


def _to_draw(source: Any, question: Question, over: Over, how: HowInstances) -> tuple[Asked, list[int], IntArray]:
    """Return how a question is applied to columns, how many there are of each kind, and the places on the source."""
    if over == "tasks":
        board = weighing(source.means() if isinstance(source, Instances) else source)
        return of_columns(question, board), [len(board.tasks)], question.answer(board).levels(source.models)
    if isinstance(source, Leaderboard):
        raise InputError(Fault("a Leaderboard has no instances to draw", Cure("over", "tasks")))
    kept = source.select(tasks=[str(task) for task, weight in source.weights.items() if weight])
    strata = [len(kept.table(task).columns) for task in kept.tasks]
    if how == "two_level":
        whole = two_level(kept, ranking_by_task(question)).final
        return of_two_levels(question, kept), strata, whole.levels(kept.models)
    board = pooled(kept) if how == "one_level" else kept.means()
    asked = of_columns(question, board) if how == "one_level" else of_means(question, kept)
    return asked, strata, question.answer(board).levels(kept.models)


def best_and_worst(levels: IntArray) -> tuple[IntArray, IntArray]:
    """Return the best and the worst rank that each model may claim in each draw, from 1."""
    count = levels.shape[1]
    flat = levels + 1 + (count + 1) * np.arange(len(levels))[:, None]
    sizes = np.bincount(flat.ravel(), minlength=len(levels) * (count + 1)).reshape(len(levels), count + 1)
    worst = np.cumsum(sizes, axis=1)
    return (worst - sizes).ravel()[flat] + 1, worst.ravel()[flat]


def allowed_draws(draws: int, level: float) -> int:
    """Return how many draws may lie beyond either end of an interval."""
    return int((1 - fraction(level)) / 2 * draws)
