"""Does adding or removing a model change the order of the others: independence of irrelevant models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, field, fields
from functools import partial
from statistics import NormalDist
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import Proof, Record, Result, ensure, integers, on_word_of
from weightlab._text import counted
from weightlab._validate import Faults, RngLike, named_subset, one_of, seed_of, truth
from weightlab.data import Leaderboard, LeaderboardLike, Suite, SuiteLike, as_tables
from weightlab.data.linear_rule import rule_words
from weightlab.data.profile import TIE_BREAKS, TieBreak
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.rules import rank
from weightlab.rules.refusal import Refusal, check_refusals, reasons
from weightlab.studies.independence import order_changes
from weightlab.studies.independence.metric_cycles import boards_with, voting_metrics
from weightlab.studies.parallel import checked_count, generator_of, parallel_map
from weightlab.studies.question import Question, RulesLike, ask, checked_board, ensure_named, questions
from weightlab.studies.structure.dataset import as_suite, ensure_same_datasets, tolerance_fault

Counts: TypeAlias = Annotated[AnyArray, integers(2, len(order_changes.COUNTS))]
ALONE = ""
"""The dataset's name for a single leaderboard."""


# Three ways to draw added and removed models
# ---------------------------------------------------------------------------


class Arrivals(Record, eq=True):
    """All models arrive one by one, the first two together, in each of many orders: changes are counted.

    Attributes
    ----------
    orders : tuple of tuples of str
        In which order the models come, draw by draw.
    seed : int or None
        From which the orders were drawn; None where they were given.
    break_ties : {"alphabetical", "reverse", None}
        How ties of a ranking are broken before it is compared with the next.
    last : bool
        Whether the last model arrives too.
    """

    orders: tuple[tuple[str, ...], ...] = field(repr=False)
    seed: int | None
    break_ties: TieBreak
    last: bool

    def walks(self, boards: Mapping[str, Leaderboard]) -> list[order_changes.Walk]:
        """Return one walk an order of arrival, from the first two models to all, or all but the last."""
        position = {model: place for place, model in enumerate(boards[ALONE].models)}
        rows = [tuple(position[model] for model in order) for order in self.orders]
        steps = [tuple(come[:count] for count in range(2, len(come) + self.last)) for come in rows]
        return [order_changes.Walk(case=case, dataset=ALONE, steps=one) for case, one in enumerate(steps)]

    def check(self, boards: Mapping[str, Leaderboard]) -> None:
        """Raise ProofError unless these are orders of the models, and those of the seed."""
        models = boards[ALONE].models
        whole = all(sorted(order) == sorted(models) for order in self.orders)
        ensure(whole, "an order of arrival is not of the models of the board")
        ensure(self.break_ties in TIE_BREAKS, f"ties are broken by {self.break_ties!r}")
        if self.seed is not None:
            ensure(self.seed >= 0, f"a seed is not negative; got {self.seed}")
            drawn = _random_orders(models, self.seed, len(self.orders))
            ensure(self.orders == drawn, f"the orders of arrival are not those of the seed {self.seed}")

    def summary(self, found: Independence) -> pd.DataFrame:
        """Return one row per rule, of means over the draws."""
        of_rule = found.draws.groupby("rule", sort=False)
        mean, std, total = of_rule.mean(), of_rule["changed"].std(ddof=0), of_rule[["changed", "changes"]].sum()
        # The interval of the mean takes the unbiased estimate of the variance, which does not exist for one draw.
        reach = NormalDist().inv_cdf(0.975) * of_rule["changed"].std(ddof=1) / len(self.orders) ** 0.5
        interval = {"low": (mean["changed"] - reach).clip(lower=0.0), "high": mean["changed"] + reach}
        share = total["changed"] / total["changes"]
        columns = {"mean": mean["changed"], "std": std, **interval, "share": share}
        return pd.DataFrame(columns | {name: mean[name] for name in ("reversed", "first_pair", "leader")}).rename_axis(
            None
        )

    def sentence(self, found: Independence) -> str:
        """Say by which rule the order changes most often."""
        table = found.summary()
        most = str(table["share"].fillna(-1).idxmax())
        never = [str(name) for name, mean in table["mean"].items() if mean == 0]
        models = counted(len(found.boards[ALONE].models), "model")
        orders = f"{counted(len(self.orders), 'order')} of arrival of {models}"
        if len(never) == len(table):
            return f"In {orders} no new model changes the order of those already there, by any rule asked."
        stays = f"; never {', '.join(map(rule_words, never))}" if never else ""
        return (
            f"In {orders} a new model changes the order of those already there most often {rule_words(most)}: "
            f"{float(table['share'][most]):.0%} of the time{stays}."
        )


class OneAtATime(Record, eq=True):
    """Each model of one board by itself: those that are ranked go, the others come; every change is listed.

    Attributes
    ----------
    ranked : tuple of str
        The models that are ranked.
    """

    ranked: tuple[str, ...]

    def walks(self, boards: Mapping[str, Leaderboard]) -> list[order_changes.Walk]:
        """Return one walk per model; with two ranked models none is removed, since one alone cannot be ranked."""
        models = boards[ALONE].models
        start = tuple(models.index(model) for model in self.ranked)
        steps = [
            tuple(one for one in start if one != row) if row in start else (*start, row)
            for row in range(len(models))
            if row not in start or len(start) > 2
        ]
        return [order_changes.Walk(case=0, dataset=ALONE, steps=(start, after)) for after in steps]

    def check(self, boards: Mapping[str, Leaderboard]) -> None:
        """Raise ProofError unless the models are on the board, in its order."""
        models = boards[ALONE].models
        ensure(set(self.ranked) <= set(models), "a model is ranked that is not on the board")
        kept = tuple(model for model in models if model in self.ranked)
        ensure(self.ranked == kept and len(kept) > 1, "two models are ranked or more, in their order, each once")

    def summary(self, found: Independence) -> pd.DataFrame:
        """Return the counts by rule."""
        return found.draws.set_index("rule").rename_axis(None).drop(columns=["unanswered", "first_pair"])

    def sentence(self, found: Independence) -> str:
        """Say by which rules the coming or going of one model changes the order of others."""
        count = len(self.walks(found.boards))
        if not count:
            return "With two models, adding or removing one leaves no pair whose order could change."
        models, changed = counted(count, "model"), found.summary()["changed"]
        changing = [f"{number} {rule_words(rule)}" for rule, number in changed.items() if number]
        if not changing:
            return f"Whichever one of {models} is added or removed, no rule in question orders the others differently."
        none = len(changed) - len(changing)
        others = f"; none by {counted(none, 'other rule')}" if none else ""
        listed = ", ".join(changing)
        return f"Of {models} added or removed one at a time, these change the order of the others: {listed}{others}."


class AddedToBest(Record, eq=True):
    """On each dataset of a suite the best models on one metric are ranked, and each other model comes by itself.

    Attributes
    ----------
    metrics : tuple of str
        Those in question.
    by : str
        The metric that chooses the models that are ranked.
    top : int
        How many are ranked.
    """

    metrics: tuple[str, ...]
    by: str
    top: int

    def walks(self, boards: Mapping[str, Leaderboard]) -> list[order_changes.Walk]:
        """Return one walk a dataset and model that is added; models that tie are in the order of the suite."""
        found = []
        for case, (dataset, board) in enumerate(boards.items()):
            column = board.rankings().ranks[board.tasks.index(self.by)]
            order = tuple(np.argsort(column, kind="stable").tolist())
            start = order[: self.top]
            found += [
                order_changes.Walk(case=case, dataset=dataset, steps=(start, (*start, row)))
                for row in order[self.top :]
            ]
        return found

    def check(self, boards: Mapping[str, Leaderboard]) -> None:
        """Raise ProofError unless the boards are of all metrics, without a gap."""
        ensure(len(set(self.metrics)) == len(self.metrics), "a metric is named twice")
        ensure(self.by in self.metrics, f"{self.by!r} is not among the metrics")
        ensure(self.top >= 2, f"two models are ranked or more, not {self.top}")
        for dataset, board in boards.items():
            ensure(set(board.tasks) == set(self.metrics), f"{dataset!r}: the scores are on different metrics")
            ensure(not board.missing_cells, f"{dataset!r}: a score is missing")

    def summary(self, found: Independence) -> pd.DataFrame:
        """Return the counts by dataset, and the widest reversal of each."""
        table = found.draws.set_index("dataset").drop(columns=["rule", "unanswered", "first_pair"])
        widest = [found.widest.get(dataset) for dataset in table.index]
        table["widest"] = [None if one is None else str(one) for one in widest]
        buffers = [None if one is None else one.buffer for one in widest]
        table["buffer"] = pd.Series(buffers, index=table.index, dtype=object)
        return table

    def sentence(self, found: Independence) -> str:
        """Say on how many datasets two models swap."""
        every = counted(len(found.boards), "dataset")
        return f"Adding a model swaps two others on {len(found.flipped)} of {every}."


# The study --------------------------------------------------------------------------------------------------------


class Independence(Result, kind="independence"):
    """Whether the order of the others changes when a model is added or removed, by some rules.

    Attributes
    ----------
    boards : dict from str to Leaderboard
        All models, by dataset; under the empty name for a single leaderboard.
    questions : dict from str to Question
        The rules and functions in question.
    refusals : tuple of Refusal
        Default rules that have no answer, and why.
    drawn : Arrivals, OneAtATime or AddedToBest
        Which models are added and removed: it has ``orders`` and ``seed``, models ``ranked``, or ``metrics``, ``by``
        and ``top``.
    counts : ndarray of int
        What ``draws`` shows. Read-only.
    flips : tuple of Flip
        Every pair whose order changes, by dataset, rule and model, with ``first``, ``second``, ``before``, ``after``,
        ``gaps``, ``effect`` and ``buffer``. Empty where changes are only counted, in arrivals.
    leaders : tuple of LeaderChange
        Likewise every change of who is best of the models that stay.
    unanswered : tuple of (str, str)
        Rules and models at whose coming or going the rule has no answer.
    """

    derived: ClassVar[tuple[str, ...]] = ("columns",)

    boards: Mapping[str, Leaderboard]
    questions: Mapping[str, Question]
    refusals: tuple[Refusal, ...]
    drawn: Arrivals | OneAtATime | AddedToBest
    counts: Counts
    flips: tuple[order_changes.Flip, ...]
    leaders: tuple[order_changes.LeaderChange, ...]
    unanswered: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        """Make the counts read-only."""
        self.counts.setflags(write=False)

    @property
    def left_out(self) -> dict[str, str]:
        """Why default rules have no answer, by rule."""
        return reasons(self.refusals)

    @property
    def columns(self) -> tuple[str, ...]:
        """What is counted."""
        return order_changes.COUNTS

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules in question."""
        return tuple(self.questions)

    @property
    def _asked_about(self) -> Leaderboard:
        """The board on which the default rules were tried."""
        board = self.boards[ALONE]
        if not isinstance(self.drawn, OneAtATime):
            return board
        return order_changes.part_of(board, [board.models.index(model) for model in self.drawn.ranked])

    @property
    def of_suite(self) -> bool:
        """Whether the source is a suite."""
        return isinstance(self.drawn, AddedToBest)

    @property
    def draws(self) -> pd.DataFrame:
        """One row an order of arrival (or dataset) and rule.

        ``changes`` counts the models added or removed while the rule has an answer before and after, ``unanswered`` the
        others. Of the former ``changed`` counts those that change the order of any pair of models that stay (the figure
        of Vote'n'Rank, table 2), ``reversed`` those that swap a pair, ``leader`` those that change who is best
        of those that stay. ``pairs_reversed``, ``pairs_tied`` and ``pairs_split`` count the pairs; ``first_pair`` those
        that change the order of the first two models (what section 3.1 describes).
        """
        cases = _cases(self.boards, self.drawn)
        frame = pd.DataFrame(
            {
                "draw" if isinstance(self.drawn, Arrivals) else "dataset": np.repeat(cases, len(self.rules)),
                "rule": list(self.rules) * len(cases),
                **dict(zip(order_changes.COUNTS, self.counts.T, strict=True)),
            }
        )
        return frame.drop(columns="dataset") if isinstance(self.drawn, OneAtATime) else frame

    def table(self) -> pd.DataFrame:
        """Return one row per flip: its attributes and its effect; with the dataset for a suite."""
        rows = [{**asdict(flip), "effect": flip.effect} for flip in self.flips]
        frame = pd.DataFrame(rows, columns=[*(one.name for one in fields(order_changes.Flip)), "effect"])
        return frame if self.of_suite else frame.drop(columns="dataset")

    @property
    def flipped(self) -> tuple[str, ...]:
        """The datasets on which two models swap."""
        return tuple(self.widest)

    @property
    def widest(self) -> dict[str, order_changes.Flip]:
        """By dataset the first reversal of largest buffer: as much as its two gaps must shrink for it to vanish."""
        found: dict[str, order_changes.Flip] = {}
        for flip in self.flips:
            best = found.get(flip.dataset)
            if flip.effect == order_changes.REVERSED and (best is None or flip.buffer > best.buffer):
                found[flip.dataset] = flip
        return found

    def to_frame(self) -> pd.DataFrame:
        """Return one row per rule; for a suite one per dataset.

        Of orders of arrival the mean, the standard deviation (that of the draws themselves, as in Vote'n'Rank) and a
        95% interval of the mean (normal, cut off at 0) of ``changed``; ``share`` is that of all changes, over all
        draws; then means over the draws. Of others the counts.
        """
        return self.drawn.summary(self)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """Orders of arrival may be drawn; rankings by rules that need a solver are not re-checked."""
        drawn = isinstance(self.drawn, Arrivals) and self.drawn.seed is not None
        optimal = {name for name, one in self.questions.items() if one.rule and "time_limit" in one.rule.parameters}
        found = {name: on_word_of(name in optimal) for name in self.questions}
        return found | ({"orders of arrival": Proof.SAMPLED} if drawn else {})

    def __str__(self) -> str:
        """Say by which rules, or on which datasets, how often the order of the others changes."""
        return self.drawn.sentence(self)

    def verify(self, source: Leaderboard | Suite | None = None) -> bool:
        """Rank every set of models again; given the source, check that the scores are its own.

        The sets of single changes are each ranked from a table of their own; the many of the others are cut from one.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first count, pair or model at which something else happens.

        Notes
        -----
        It takes up to a few times as long as the study on one core; rules that are NP-hard solve their programs again.
        """
        ensure(self.of_suite or list(self.boards) == [ALONE], "models are added and removed on one board")
        self.drawn.check(self.boards)
        if isinstance(self.drawn, AddedToBest) and source is not None:
            suite = as_suite(source)
            ensure(set(self.drawn.metrics) <= set(suite.metrics), "the source lacks a metric")
            ensure_same_datasets(self.boards, _complete_boards(suite, self.drawn.metrics))
        elif source is not None:
            self.boards[ALONE].ensure_same(source, in_order=True)
        ensure_named(self.questions)
        ensure(self.questions, "there is no rule")
        by = [str(one.rule) for one in self.questions.values()]
        ensure(not self.of_suite or by == ["mean_rank"], "the models of a suite are ranked by their mean rank")
        ensure(not (self.of_suite and self.refusals), "no rule is left out of the study of a suite")
        check_refusals(self.refusals, self.questions, lambda rule: rank(self._asked_about, rule))
        afresh = isinstance(self.drawn, OneAtATime)
        own = _studied(self.boards, self.questions, self.refusals, self.drawn, afresh=afresh)
        ensure(len(self.counts) == len(own.counts), "a draw, a dataset or a rule is missing")
        for part in ("unanswered", "leaders", "flips"):
            claimed, fact = getattr(self, part), getattr(own, part)
            facts, claims = set(fact), set(claimed)
            for one in () if claimed == fact else (*fact, *claimed):
                ensure(one in claims, f"{part}: {one} is missing")
                ensure(one in facts, f"{part}: {one} is claimed, and is not so")
            ensure(claimed == fact, f"{part}: they are out of order, or one is duplicated")
        differ = np.flatnonzero((self.counts != own.counts).any(axis=1)).tolist()
        ensure(not differ, f"the counts differ: {own.draws.iloc[differ[:1]].to_dict(orient='records')}")
        return True


def irrelevant_models(
    board: LeaderboardLike,
    rules: RulesLike = None,
    *,
    options: Mapping[str, Any] | None = None,
    repeats: int = 50,
    rng: RngLike = None,
    arrivals: Iterable[Sequence[str]] | None = None,
    break_ties: TieBreak = None,
    last: bool = True,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Independence:
    """Let the models of a board arrive in random orders, and count how often a new one changes the order of the others.

    A rule is independent of irrelevant models if it never happens.

    Parameters
    ----------
    board : Leaderboard
        Three models or more.
    rules : rule, function, iterable or mapping of these, optional
        See `Question`. By default those of Vote'n'Rank, as far as they apply.
    options : mapping, optional
        Options for all rules that have them.
    repeats : int
        How many orders of arrival are drawn.
    rng : int or Generator, optional
        The seed of the draws; the result keeps it.
    arrivals : iterable of sequences of str, optional
        The orders of arrival themselves, each of all models, instead of random ones.
    break_ties : {"alphabetical", "reverse", None}
        Compare the rankings with their ties broken by name, or as weak orders (None). Ties that are broken hide that a
        pair was tied or split.
    last : bool
        Whether the last model arrives too. Vote'n'Rank's own figures leave it out (and break ties by ``"reverse"``).
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. The result does not depend on it.
    progress : callable, optional
        Called with the number of orders of arrival done since the last call.

    Returns
    -------
    Independence
        ``.summary()`` ``.draws`` ``.drawn.orders`` ``.left_out`` ``.verify()``.

    Raises
    ------
    InputError
        If an option or an order of arrival is wrong, or there are fewer than three models.
    MissingScoresError
        If a rule that is named needs every score and some are missing.

    Notes
    -----
    O(repeats x rules x models) rankings of part of the board. `single_changes` asks exactly, for every model, what its
    coming or going does to the whole board.

    References
    ----------
    Vote'n'Rank, section 3.1 and table 2.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.datasets.load_leaderboard("votenrank-a1")
    >>> found = irrelevant_models(board, ["mean", "borda", "plurality"], repeats=20, rng=0)
    >>> found.summary()["mean"].to_dict()
    {'mean': 0.0, 'borda': 0.0, 'plurality': 1.4}
    """
    board = checked_board(board)
    answers = ask(board, rules, options=options)
    if len(board.models) < 3:
        raise InputError("three models are needed, for one to arrive where two are; got two")
    one_of("break_ties", break_ties, TIE_BREAKS)
    seed = seed_of(rng) if arrivals is None else None
    if seed is None:
        orders = _checked(board.models, arrivals)
    else:
        orders = _random_orders(board.models, seed, checked_count("repeats", repeats, least=1))
    drawn = Arrivals(orders=orders, seed=seed, break_ties=break_ties, last=truth(last, "last"))
    return _studied({ALONE: board}, answers.questions, answers.refusals, drawn, n_jobs=n_jobs, progress=progress)


def single_changes(
    board: LeaderboardLike,
    rules: RulesLike = None,
    *,
    options: Mapping[str, Any] | None = None,
    models: Iterable[str] | None = None,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Independence:
    """Add or remove each model by itself, and list every pair of the others whose order changes.

    Ranked models are removed one at a time; all others are added one at a time.

    Parameters
    ----------
    board : Leaderboard
        All models that there are.
    rules, options, n_jobs, progress
        As for `irrelevant_models`; progress counts models.
    models : iterable of str, optional
        The models that are ranked; all by default, and then none can be added.

    Returns
    -------
    Independence
        ``.flips`` (each a witness) ``.table()`` ``.leaders`` ``.summary()`` ``.left_out`` ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong, a model is unknown, or fewer than two models are ranked.
    MissingScoresError
        If a rule that is named needs every score and some are missing.

    Notes
    -----
    O(rules x models) rankings, O(models^2) pairs each. A model that is removed takes part in no pair; to add it to the
    rest again does the contrary, so that with all models ranked the flips are also those of all additions of a last
    model. By ``mean_rank`` reversals at additions are the flips of Beyond Arrow, which `flips` counts for whole suites.

    References
    ----------
    Vote'n'Rank, appendix A.2; Gordienko et al., Beyond Arrow, section 3 and appendix A.6.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 9, "b": 8, "c": 7}, "y": {"a": 5, "b": 7, "c": 6}}
    >>> found = single_changes(wl.Leaderboard(scores, weights={"x": 3, "y": 2}), ["mean", "borda"])
    >>> print(found.flips[0])
    By Borda, b is ahead of a by 1; once c is removed, it is behind a by 1.
    """
    board = checked_board(board)
    ranked = board.models if models is None else _named(board, models)
    part = order_changes.part_of(board, [board.models.index(model) for model in ranked])
    answers = ask(part, rules, options=options)
    return _studied(
        {ALONE: board}, answers.questions, answers.refusals, OneAtATime(ranked=ranked), n_jobs=n_jobs, progress=progress
    )


def flips(suite: SuiteLike, *, by: str, metrics: Iterable[str] | None = None, top: int = 15) -> Independence:
    """Look on every dataset for a model that swaps two others when it is added.

    The best models on one metric are ranked by the mean of their ranks on all metrics (Borda's count over ranks);
    then each of the others is added by itself, and the mean ranks are taken again. A flip is a pair in which one is
    strictly ahead before, and the other after.

    Parameters
    ----------
    suite : Suite
        Weights of metrics count in the mean. Models without a score on some of the metrics are left out.
    by : str
        The metric that chooses the best models, such as accuracy; ties in order of the suite.
    metrics : iterable of str, optional
        Whose ranks are averaged; all by default. Datasets that lack one are left out.
    top : int
        How many models are ranked. Where there are no more, none can be added.

    Returns
    -------
    Independence
        ``.flipped`` ``.flips`` ``.widest`` (by dataset a reversal of largest buffer) ``.summary()`` ``.verify()``.

    Raises
    ------
    InputError
        If metrics are unknown, ``by`` is not among them, ``top`` is less than 2, or metrics have a score tolerance
        (ties within one are not transitive, hence no ranks).

    Notes
    -----
    O(models x top x (top + metrics)) for each dataset, in exact arithmetic. Tied models share the mean of their ranks.
    Pairs that become level, or cease to be, are listed too.

    References
    ----------
    Gordienko et al., Beyond Arrow, section 3 (Table 2) and appendix A.6.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 9, "b": 8, "c": 7}, "y": {"a": 5, "b": 6, "c": 7}, "z": {"a": 5, "b": 7, "c": 6}}
    >>> found = wl.studies.flips(wl.Suite({"qa": scores}, weights={"x": "2.5"}), by="x", top=2)
    >>> print(found.widest["qa"])
    By mean rank, a is ahead of b by 1/9; once c is added, it is behind b by 1/9.
    """
    suite = as_tables(suite)
    chosen = voting_metrics(suite, metrics)
    if by not in chosen:
        raise UnknownNameError("metric", by, chosen, holder="selection of metrics with a weight above 0")
    top = checked_count("top", top, least=2)
    tolerant = tolerance_fault(suite, chosen)
    if tolerant:
        raise InputError(tolerant)
    drawn = AddedToBest(metrics=chosen, by=by, top=top)
    return _studied(_complete_boards(suite, chosen), questions("mean_rank"), (), drawn)


def _studied(
    boards: Mapping[str, Leaderboard],
    asked: Mapping[str, Question],
    refusals: tuple[Refusal, ...],
    drawn: Arrivals | OneAtATime | AddedToBest,
    *,
    afresh: bool = False,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Independence:
    """Add and remove the models, and return what happens; ``afresh`` reuses no part of one table for another."""
    walks = drawn.walks(boards)
    break_ties = drawn.break_ties if isinstance(drawn, Arrivals) else None
    rankers = {dataset: _rankers(board, asked, break_ties, afresh=afresh) for dataset, board in boards.items()}
    first = {} if isinstance(drawn, Arrivals) else {walk.dataset: walk.steps[0] for walk in walks}
    starts = {
        dataset: {rule: order_changes.rank_part(ranker, rows) for rule, ranker in rankers[dataset].items()}
        for dataset, rows in first.items()
    }
    work = partial(
        order_changes.changes_along,
        models={name: one.models for name, one in boards.items()},
        rankers=rankers,
        starts=starts,
    )
    seen = parallel_map(work, walks, n_jobs=n_jobs, progress=progress)
    counts = np.zeros((len(_cases(boards, drawn)), len(asked), len(order_changes.COUNTS)), dtype=np.int64)
    for walk, by_rule in zip(walks, seen, strict=True):
        counts[walk.case] += [one.counts for one in by_rule.values()]
    every = [(rule, by_rule[rule]) for rule in asked for by_rule in seen]
    return Independence(
        boards=boards,
        questions=asked,
        refusals=refusals,
        drawn=drawn,
        counts=counts.reshape(-1, len(order_changes.COUNTS)),
        flips=tuple(flip for _, one in every for flip in one.flips),
        leaders=tuple(leader for _, one in every for leader in one.leaders),
        unanswered=tuple((rule, model) for rule, one in every for model in one.unanswered),
    )


def _cases(boards: Mapping[str, Leaderboard], drawn: Arrivals | OneAtATime | AddedToBest) -> list[Any]:
    """Return the units counted separately: draws, by number, or datasets."""
    return list(range(len(drawn.orders))) if isinstance(drawn, Arrivals) else list(boards)


def _rankers(
    board: Leaderboard, asked: Mapping[str, Question], break_ties: TieBreak, *, afresh: bool
) -> dict[str, order_changes.Ranker]:
    """Return how each rule ranks models of a board as rankings are compared."""
    found = {name: order_changes.ranker_of(question, board, afresh=afresh) for name, question in asked.items()}
    if break_ties is None:
        return found
    by_name = sorted(board.models, reverse=break_ties == "reverse")
    key = np.array([by_name.index(model) for model in board.models])
    return {name: partial(_ties_broken, ranker, key) for name, ranker in found.items()}


def _ties_broken(ranker: order_changes.Ranker, name_key: AnyArray, rows: Sequence[int]) -> order_changes.RankedPart:
    places = np.empty(len(rows), dtype=np.int64)
    places[np.lexsort((name_key[list(rows)], ranker(rows).levels))] = np.arange(len(rows))
    return order_changes.RankedPart(levels=places)


def _random_orders(models: Sequence[str], seed: int, repeats: int) -> tuple[tuple[str, ...], ...]:
    orders = (generator_of(seed, draw).permutation(len(models)).tolist() for draw in range(repeats))
    return tuple(tuple(models[place] for place in order) for order in orders)


def _checked(models: Sequence[str], arrivals: Iterable[Sequence[str]] | None) -> tuple[tuple[str, ...], ...]:
    """Return given orders of arrival, or raise InputError listing all errors."""
    several = isinstance(arrivals, Iterable) and not isinstance(arrivals, str)
    orders = list(arrivals) if several and arrivals is not None else []
    if not several or not all(isinstance(order, Iterable) for order in orders):
        raise InputError(f"arrivals are several orders, each a list of all models; got {arrivals!r}")
    faults = Faults()
    listed = tuple(tuple(str(model) for model in order) for order in orders)
    for number, order in enumerate(listed):
        if sorted(order) != sorted(models):
            faults.add(f"order of arrival {number}: each of the {len(models)} models is needed once")
    if not listed:
        faults.add("at least one order of arrival is needed; got none")
    faults.raise_if_any()
    return listed


def _named(board: Leaderboard, models: Iterable[str]) -> tuple[str, ...]:
    """Return the models that are ranked, in board order, or raise InputError."""
    faults = Faults()
    named = set(named_subset(models, board.models, "model", faults, holder="leaderboard"))
    if not faults and len(named) < 2:
        faults.add(f"two models are needed to rank; got {counted(len(named), 'model')}")
    faults.raise_if_any()
    return tuple(model for model in board.models if model in named)


def _complete_boards(suite: Suite, metrics: tuple[str, ...]) -> dict[str, Leaderboard]:
    """Return the complete models of the datasets that have all metrics and two such models."""
    found = {}
    for dataset, board in boards_with(suite, metrics).items():
        missing = board.missing.any(axis=1)
        whole = [model for model in board.models if not missing[model]]
        if set(board.tasks) == set(metrics) and len(whole) >= 2:
            found[dataset] = board.select(models=whole)
    return found
