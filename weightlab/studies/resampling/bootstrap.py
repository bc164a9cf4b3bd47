"""Is the order real: what a ranking says in resamples of the tasks, or of their instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args

import numpy as np
import pandas as pd

from weightlab._exact import BoolArray, IntArray, fraction
from weightlab._result import Codec, Proof, Result, ensure, integers, read_list
from weightlab._text import counted, level_text
from weightlab._validate import ensure_jobs, one_of, seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, Order, as_table
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError, ProofError
from weightlab.studies.parallel import checked_count, checked_share
from weightlab.studies.question import Answer, AskedRule, Question, one_question
from weightlab.studies.resampling.resample import HowInstances, Over, Resampled, resampled


class Bootstrap(Result, kind="bootstrap"):
    """The rankings of many resampled tables.

    Attributes
    ----------
    question : Question
        Whose rankings these are.
    over : {"tasks", "instances"}
        What was resampled.
    how : {"means", "one_level", "two_level"} or None
        How instances become a ranking, where they were drawn.
    models : tuple of str
        In board order.
    order : tuple of tuples of str
        The ranking of the table itself, best first.
    winners : tuple of str
        Who wins on the table itself.
    seed : int
        Draw ``i`` is made from the child ``i`` of this seed.
    level : float
        Of the intervals and of the separable pairs.
    levels : ndarray of int, draws x models
        Place of each model in each draw from 0, models that tie sharing one; -1 in a draw without an answer.
    first : ndarray of bool, draws x models
        Who wins in each draw.
    """

    question: Question
    over: Over
    how: HowInstances | None
    models: tuple[str, ...]
    order: Order
    winners: tuple[str, ...]
    seed: int
    level: float
    levels: Annotated[IntArray, integers(2)]
    first: Annotated[BoolArray, Codec(winners_to_json, read_list)]

    def __post_init__(self) -> None:
        """Raise InputError for a seed or a level that is none, or winners of no draw."""
        object.__setattr__(self, "first", winners_of(self.first, self.levels))
        seed_of(self.seed)
        checked_share("level", self.level)

    @property
    def repeats(self) -> int:
        """How many tables were drawn."""
        return len(self.levels)

    @property
    def without_answer(self) -> int:
        """In how many draws the rule has no answer or a model no score; nothing else counts them."""
        return int((self.levels[:, 0] < 0).sum())

    @property
    def draws(self) -> pd.DataFrame:
        """Every draw: one row a draw and model, with its rank (ties share the least; NA without an answer)."""
        best, _ = best_and_worst(self.levels)
        ranks = pd.Series(best.ravel(), dtype="Int64").mask(self.levels.ravel() < 0)
        number = np.repeat(np.arange(self.repeats), len(self.models))
        names = np.tile(np.array(self.models, dtype=object), self.repeats)
        return pd.DataFrame({"draw": number, "model": names, "rank": ranks, "first": self.first.ravel()})

    def intervals(self) -> pd.DataFrame:
        """Return one row a model, best first: its rank, its percentile interval of ranks and how often it wins.

        ``low`` and ``high`` leave out at most half of what ``level`` leaves of the draws at either end: ranks that
        occurred, where a tie counts with its best place for ``low`` and its worst for ``high``. ``wins`` is the share
        of draws won, in equal parts where several win; ``among_first`` the share in which the model is among the
        winners.
        """
        return rank_table(self.order, self.models, *self._answered(), self.level)

    def adjacent(self) -> pd.DataFrame:
        """Return one row a pair of neighbours of the ranking, best first, and whether the draws keep them in order.

        ``above``, ``level`` and ``below`` are the shares of draws in which the first of the two stands above the
        second, ties with it, or stands below. A pair is ``separable`` if the ranking orders it and at most half of
        what the level leaves (2.5% of the draws for a level of 95%) do not put it in that order: the percentile
        interval of the sign of their difference, hence of any score that the rule ranks by, lies above 0. Models that
        the ranking ties are neighbours in board order, and never separable.
        """
        return neighbours(self.order, self.models, self._answered()[0], self.level)

    @property
    def separable_share(self) -> float:
        """The share of adjacent pairs of the ranking that are separable."""
        return float(self.adjacent()["separable"].mean())

    def above(self) -> pd.DataFrame:
        """Return the share of draws in which the row stands above the column, models x models in board order."""
        levels, _ = self._answered()
        total = np.zeros((len(self.models), len(self.models)), dtype=np.int64)
        for draw in levels:
            total += draw[:, None] < draw[None, :]
        return pd.DataFrame(total / len(levels), index=list(self.models), columns=list(self.models))

    @property
    def contenders(self) -> tuple[str, ...]:
        """The models that are in too many draws no worse than the first, each looked at by itself; with the winners."""
        levels, _ = self._answered()
        leader = levels[:, self.models.index(self.order[0][0])]
        behind = (levels > leader[:, None]).sum(axis=0)
        kept = len(levels) - behind > allowed_draws(len(levels), self.level)
        return tuple(model for model, one in zip(self.models, kept, strict=True) if one or model in self.order[0])

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"resamples": Proof.SAMPLED}

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

    def verify(self, source: Leaderboard | Instances | None = None) -> bool:
        """Check that the draws are rankings; given the source, draw and rank everything again from the seed.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        shape = (self.repeats, len(self.models))
        ensure(self.levels.shape == shape and self.first.shape == shape, "the draws are not of these models")
        ensure(sorted(one for group in self.order for one in group) == sorted(self.models), "the order is not of them")
        ensure(set(self.winners) <= set(self.models) and self.winners, "the winners are none of the models")
        ensure((self.how is None) == (self.over == "tasks"), "only instances become a ranking in several ways")
        for number, (levels, first) in enumerate(zip(self.levels, self.first, strict=True)):
            ensure_places(number, levels, first)
        ensure(self.without_answer < self.repeats, "no draw has an answer")
        if source is not None:
            self._ensure_drawn_from(resampled(source, self.question, self.over, self.how))
        return True

    def _ensure_drawn_from(self, table: Resampled) -> None:
        ensure(table.models == self.models, "the models are not those of the source")
        own = table.own()
        ensure(own.places == self.order and own.winners == self.winners, "the ranking is not that of the source")
        levels, first = table.draws(self.repeats, self.seed)
        wrong = np.flatnonzero((levels != self.levels).any(axis=1) | (first != self.first).any(axis=1))
        if len(wrong):
            raise ProofError(f"draw {int(wrong[0])} of seed {self.seed} says something else")

    def _answered(self) -> tuple[IntArray, BoolArray]:
        kept = self.levels[:, 0] >= 0
        return self.levels[kept], self.first[kept]


def bootstrap(
    source: LeaderboardLike | Instances,
    rule: AskedRule = "borda",
    /,
    *,
    over: Over | None = None,
    how: HowInstances = "means",
    options: Mapping[str, Any] | None = None,
    repeats: int = 1000,
    level: float = 0.95,
    rng: int | np.random.Generator | None = None,
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
        Processes, for rules that are asked anew in each draw; sums over tasks are worked out together here.
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
    source = as_table(source)
    question = one_question(rule, options=options)
    usual: Over = "instances" if isinstance(source, Instances) else "tasks"
    chosen: Over = usual if over is None else one_of("over", over, get_args(Over))
    one_of("how", how, get_args(HowInstances))
    manner = how if chosen == "instances" else None
    ensure_jobs(n_jobs)
    checked_count("repeats", repeats, least=1)
    table = resampled(source, question, chosen, manner)
    seed = seed_of(rng)
    own: Answer = table.own()
    levels, first = table.draws(repeats, seed, n_jobs=n_jobs, progress=progress)
    if (levels[:, 0] < 0).all():
        raise InputError(f"{question.name} has no answer in any of {counted(repeats, 'draw')}")
    return Bootstrap(
        question=question,
        over=chosen,
        how=manner,
        models=table.models,
        order=own.places,
        winners=own.winners,
        seed=seed,
        level=checked_share("level", level),
        levels=levels,
        first=first,
    )


# What many rankings of the same models say of one: intervals of ranks, and which neighbours they keep in order.


def winners_to_json(first: BoolArray) -> list[Any]:
    """Return who wins in nested lists: at the last dimension the positions of the winners."""
    return np.flatnonzero(first).tolist() if first.ndim == 1 else [winners_to_json(one) for one in first]


def winners_of(first: BoolArray | list[Any], levels: IntArray) -> BoolArray:
    """Return who wins in each ranking of an array of places, from what ``winners_to_json`` wrote, or is there already.

    Raises
    ------
    InputError
        If the winners are not positions of models, or of other rankings.
    """
    if not isinstance(first, list):
        return first
    found = np.zeros(levels.shape, dtype=np.bool_)
    _mark(found, first, "first")
    return found


def _mark(first: BoolArray, value: Any, what: str) -> None:
    listed = read_list(value, what)
    if first.ndim == 1:
        if any(type(one) is not int or not 0 <= one < len(first) for one in listed):
            raise InputError(f"{what}: winners are positions of models")
        if len(set(listed)) < len(listed):
            raise InputError(f"{what}: a winner is listed twice")
        first[listed] = True
        return
    if len(listed) != len(first):
        raise InputError(f"{what}: as many lists of winners are needed as there are places; got {len(listed)}")
    for part, one in zip(first, listed, strict=True):
        _mark(part, one, what)


def rank_table(order: Order, models: tuple[str, ...], levels: IntArray, first: BoolArray, level: float) -> pd.DataFrame:
    """Return one row a model, best first: rank, percentile interval of the ranks in the draws, shares of wins.

    Parameters
    ----------
    order : tuple of tuples of str
        The ranking that is asked about.
    models : tuple of str
        Columns of the arrays.
    levels : ndarray of int, draws x models
        Places from 0 in each draw.
    first : ndarray of bool, draws x models
        Who wins in each.
    level : float
        Of the intervals.
    """
    best, worst = best_and_worst(levels)
    skipped = allowed_draws(len(levels), level)
    ranks = np.cumsum([1, *map(len, order)])[:-1].tolist()
    own = {model: rank for rank, group in zip(ranks, order, strict=True) for model in group}
    table = pd.DataFrame(
        {
            "rank": [own[model] for model in models],
            "low": np.sort(best, axis=0)[skipped],
            "high": np.sort(worst, axis=0)[len(worst) - 1 - skipped],
            "wins": (first / first.sum(axis=1, keepdims=True)).mean(axis=0),
            "among_first": first.mean(axis=0),
        },
        index=list(models),
    )
    return table.loc[list(own)]


def neighbours(order: Order, models: tuple[str, ...], levels: IntArray, level: float) -> pd.DataFrame:
    """Return one row a pair of neighbours of an order: how often the draws keep it, and whether it is separable."""
    skipped = allowed_draws(len(levels), level)
    position = {model: column for column, model in enumerate(models)}
    tier = {model: place for place, group in enumerate(order) for model in group}
    rows = []
    listed = list(tier)
    for place, lower in enumerate(listed[1:]):
        upper = listed[place]
        signs = np.sign(levels[:, position[lower]] - levels[:, position[upper]])
        shares = [float((signs == one).mean()) for one in (1, 0, -1)]
        separable = tier[upper] < tier[lower] and int((signs != 1).sum()) <= skipped
        rows.append((upper, lower, *shares, separable))
    return pd.DataFrame(rows, columns=["model", "next", "above", "level", "below", "separable"])


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


def ensure_places(number: int, levels: IntArray, first: BoolArray) -> None:
    """Raise ProofError unless these are the places of a ranking and its winners, or none at all."""
    if (levels == -1).all():
        ensure(not first.any(), f"draw {number} has no answer and a winner")
        return
    found = np.unique(levels)
    ensure(np.array_equal(found, np.arange(len(found))), f"the places of draw {number} are not 0, 1, ... without a gap")
    ensure(first.any() and first[levels == 0].any(), f"the winners of draw {number} are not first in it")
