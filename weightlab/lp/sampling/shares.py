"""Shares of weightings under which each model wins, has each rank, beats each other model or leads it by a rule."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, cast

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, Number, WeightsLike, largest_entry
from weightlab._result import ensure
from weightlab._solver import ensure_time, within
from weightlab._text import counted as number_of
from weightlab._validate import RngLike
from weightlab.data.convert import SignsLike
from weightlab.data.linear_rule import MAJORITY, LeadsLike, LinearRule, PointsLike, RuleLike, Scale, refuse_other_rules
from weightlab.data.points import Missing, Points, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.by_model import Asked
from weightlab.lp.certificate import check_table
from weightlab.lp.certificates.max_margin import Verdict
from weightlab.lp.sampling.draws import ALMOST_ALL, NEAR, DrawCounts, Draws, SampledShares, Sums, counted, draws_from
from weightlab.lp.sampling.questions import KeptLeads, PointWinners, StrictWinners, WeightedDuels, WeightedRanks
from weightlab.lp.space.space import WeightSpace, signs_and_space, space_for
from weightlab.lp.verdicts.all_models import Prospects, prospects


class WinningShares(SampledShares, kind="winning_shares"):
    """The share of all weightings under which each model wins alone, head-to-head or by points, from random ones.

    Attributes
    ----------
    prospects : Prospects
        Who can win at all, and by which rule, proved: the others' share is exactly 0.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    wins : DrawCounts
        Under how many of them each model won and, last, that none did.
    winning_weights : mapping from model to tuple of float, one per task
        The sum of the weightings under which each model won, of those that won some.
    """

    prospects: Prospects
    wins: DrawCounts
    winning_weights: Sums

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.prospects.models

    @property
    def rule(self) -> LinearRule:
        """By which rule they win."""
        return self.prospects.rule

    @cached_property
    def positive(self) -> BoolArray:
        """Whose share is above 0, proved: who wins strictly somewhere does so on a part of the space with content."""
        return np.array([one is Verdict.STRICT for one in self.prospects.verdicts], dtype=np.bool_)

    @cached_property
    def shares(self) -> pd.DataFrame:
        """Share with the ends ``low`` and ``high`` of its 95% interval, and whether it is ``positive``, by model.

        ``positive`` is proved, whatever was drawn. A share that is not positive is exactly 0, and so is its interval;
        one that is positive lies above ``low`` even where ``low`` is 0, because none of the drawn weightings made the
        model win.
        """
        low, high = self.wins.intervals(self.draws)
        columns = {
            "share": self.wins.shares(self.draws)[:-1],
            "low": np.where(self.positive, low[:-1], 0.0),
            "high": np.where(self.positive, high[:-1], 0.0),
            "positive": self.positive,
        }
        return pd.DataFrame(columns, index=list(self.models))

    @cached_property
    def no_winner(self) -> pd.Series:
        """Share of weightings under which no model beats all others, with ``low`` and ``high``.

        Exactly 1 where by the rule no model can win strictly. By points ties alone leave no winner.
        """
        if not self.positive.any():
            return pd.Series({"share": 1.0, "low": 1.0, "high": 1.0}, name="no winner")
        low, high = (float(one[-1]) for one in self.wins.intervals(self.draws))
        share = float(self.wins.shares(self.draws)[-1])
        return pd.Series({"share": share, "low": low, "high": high}, name="no winner")

    @cached_property
    def central_weights(self) -> pd.DataFrame:
        """The mean of the weightings under which a model won (models x tasks), for those that won some."""
        return self.means_of(self.winning_weights, dict(zip(self.models, self.wins.counts.tolist(), strict=False)))

    def __str__(self) -> str:
        """Say how often a model wins, and who most often."""
        return f"Of {self.draws} {self._sentence()}{self.space.conditions_sentence}"

    def _sentence(self) -> str:
        lacking = self.no_winner["share"]
        by, what = "head-to-head", "Condorcet winner"
        if not self.rule.is_majority:
            by, what = self.rule.by, "single winner"
        some = f"{lacking:.1%} have no {what}"
        none = {0: f"each has a {what}", 1: f"none has a {what}"}.get(lacking, some)
        place = int(self.wins.counts[:-1].argmax())
        first = self.models[place]
        share, low, high = self.shares.iloc[place, :3].tolist()
        if not self.positive.any():
            return f"{none}: no model can win {by}."
        if share == 0:
            return f"{none}, though under some {number_of(int(self.positive.sum()), 'model')} can win {by}."
        interval = "" if low == high else f" (95% interval {min(low, ALMOST_ALL):.1%} to {high:.1%})"
        often = "all of them" if share == 1 else f"{share:.1%}"
        return f"{none}; {first} wins {by} most often, under {often}{interval}."

    def to_frame(self) -> pd.DataFrame:
        """Return the shares, largest first."""
        return self.shares.sort_values("share", ascending=False, kind="stable")

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check all that is proved, and draw and count again all that is sampled.

        Who has a share above 0 is proved in exact arithmetic. The weightings are drawn again from the seed and must
        give the same counts. Another version of NumPy, or a processor that rounds another way, may turn the same seed
        into other weightings, which prove nothing, though they refute counts that chance does not explain. That the
        intervals cover the shares no check can say: they do so in 95 of 100 samples.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing the sample again would take longer than about a minute, or draws others here.
        """
        self.prospects.verify(source)
        leads, wins = self.prospects.leads, self.wins.counts
        ensure(self.space.to_dict() == self.prospects.space.to_dict(), "the weights are drawn from another space")
        self.draws.check()
        question = _winners(self.prospects, self.draws)
        self.wins.check_form(question.shape, self.draws)
        ensure(wins.sum() == self.draws.samples, "the counts do not add up to all draws")
        ensure(not wins[:-1][~self.positive].any(), "a model that cannot win has won")
        # Winning weights are a convex set, which holds the mean of any of them.
        for model, row in self.winning_weights.items():
            ensure(model in self.models and len(row) == len(leads.tasks), f"there are no central weights of {model!r}")
            rows = leads.matrix(model)
            least = float((rows / max(1, largest_entry(rows)) @ np.array(row)).min()) / max(sum(row), NEAR)
            ensure(least >= -NEAR, f"the central weights of {model!r} lose to a rival by {-least:.2g}")
        self.check_drawn(question, self.models, self.wins, self.winning_weights, wins[:-1].tolist())
        return True


def winning_shares(
    board: LeadsLike,
    *,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    samples: int = 10_000,
    rng: RngLike = None,
    space: WeightSpace | None = None,
    prior: Number | WeightsLike | None = None,
    known: Prospects | None = None,
    time_limit: float | None = None,
) -> WinningShares:
    """Estimate under which share of all weightings each model is the Condorcet winner, or alone first by a rule.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. In duels missing scores count as ties.
    rule : str or sequence of numbers
        By which it wins: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"`` or the
        points of the places.
    ties, missing : str, optional
        Options of rules by place, as for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    samples : int
        How many weightings to draw; of chains, the next multiple of their number.
    rng : int or Generator, optional
        Seed; the same one gives the same answer. Without one the seed is fresh, and carried by the result.
    space : WeightSpace, optional
        Allowed weights; by default all. Shares are then of the space, in its own dimension.
    prior : number, mapping, Series or sequence, optional
        Concentrations of a Dirichlet density, exact and positive, one for all tasks or one each; by default 1, which
        is uniform. Under conditions the density is proportional to it on the space; weights that are the same on the
        whole space play no part.
    known : Prospects, optional
        What `prospects` found for the same table, rule and space, so that it is not asked again.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    WinningShares

    Raises
    ------
    InputError
        If samples, seed or prior are wrong; if conditions have auxiliary variables that weights cannot be drawn with,
        or leave a space too narrow for floating point (1e-10 somewhere); or if concentrations below 1 meet conditions
        that tie weights to each other.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospects`.

    Notes
    -----
    All weightings, spaces that are no small part of them, and parts of their faces are drawn from independently;
    intervals are then Clopper and Pearson's. Other spaces are drawn from by 100 hit-and-run chains side by side,
    with ``draws.burn_in`` steps before the first weighting of each and ``draws.thinning`` steps between two; the
    variance between chains gives an effective number of draws, and that the interval. Chains that have not reached
    their equilibrium would make it too short.

    Counting takes O(samples x models x tasks) for each candidate that a weighting tests, a handful as a rule, and
    memory of O(2 million) numbers; by chains O(samples x tasks) besides, and more than 10^8 are refused.

    References
    ----------
    Lahdelma and Salminen, "SMAA-2: stochastic multicriteria acceptability analysis for group decision making",
    Operations Research 49 (2001), sections 3 and 4 (acceptability indices and central weights).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> shares = wl.lp.winning_shares(board, samples=4000, rng=1)
    >>> bool(shares.shares.loc["a", "low"] < 1 / 2 < shares.shares.loc["a", "high"])
    True
    >>> float(shares.shares.loc["b", "high"])
    0.0
    >>> shares.verify(board)
    True
    """
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    allowed = asked.space
    with within(time_limit):
        draws = draws_from(allowed, samples=samples, rng=rng, prior=prior)
        if known is None:
            known = prospects(asked.leads, rule=asked.rule, space=allowed)
        elif not isinstance(known, Prospects):
            raise InputError(f"known= must be what `prospects` returned; got a {type(known).__name__}")
        elif any(
            one.to_dict() != other.to_dict()
            for one, other in ((known.rule, asked.rule), (known.leads, asked.leads), (known.space, allowed))
        ):
            raise InputError("known= must be the prospects of the same table and rule under the same conditions")
        ensure_time("sampling")
        wins, sums = counted(draws, known.models, _winners(known, draws))
    return WinningShares(prospects=known, draws=draws, wins=wins, winning_weights=sums)


def _winners(known: Prospects, draws: Draws) -> StrictWinners | PointWinners:
    """Return the counter of winners under weightings."""
    if known.points is not None:
        return PointWinners(known.points, draws.body)
    strict = np.array([one is Verdict.STRICT for one in known.verdicts], dtype=np.bool_)
    return StrictWinners(cast("Signs", known.signs), strict, draws.body)


class RankShares(SampledShares, kind="rank_shares"):
    """The share of all weightings under which each model has each rank, estimated from random ones.

    Ranks count from 1, and models that tie share the least rank.

    Attributes
    ----------
    rule : LinearRule
        What a place or a score is worth.
    points : Points
        Points of all models on all tasks.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    counts : DrawCounts
        Under how many of them each model had each rank (models x ranks).
    first_weights : mapping from model to tuple of float, one per task
        The sum of the weightings under which each model was first, of those that were under some.
    """

    rule: LinearRule
    points: Points
    counts: DrawCounts
    first_weights: Sums

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.points.models

    @cached_property
    def shares(self) -> pd.DataFrame:
        """The share of weightings under which a model has a rank (models x ranks)."""
        return self._frame(self.counts.shares(self.draws))

    @cached_property
    def low(self) -> pd.DataFrame:
        """Lower ends of the 95% intervals of the shares."""
        return self._frame(self.counts.intervals(self.draws)[0])

    @cached_property
    def high(self) -> pd.DataFrame:
        """Upper ends of the 95% intervals of the shares."""
        return self._frame(self.counts.intervals(self.draws)[1])

    @cached_property
    def mean_rank(self) -> pd.Series:
        """The mean rank of each model over the weightings."""
        ranks = np.arange(1, len(self.models) + 1)
        return pd.Series(self.shares.to_numpy() @ ranks, index=list(self.models), name="mean rank")

    @cached_property
    def central_weights(self) -> pd.DataFrame:
        """The mean of the weightings under which a model was first (models x tasks), for those that were."""
        return self.means_of(self.first_weights, dict(zip(self.models, self.counts.counts[:, 0].tolist(), strict=True)))

    def _frame(self, values: Any) -> pd.DataFrame:
        return pd.DataFrame(values, index=list(self.models), columns=list(range(1, len(self.models) + 1)))

    def __str__(self) -> str:
        """Say who is first most often."""
        place = int(self.counts.counts[:, 0].argmax())
        share, low, high = (float(one.to_numpy()[place, 0]) for one in (self.shares, self.low, self.high))
        interval = "" if low == high else f" (95% interval {low:.1%} to {high:.1%})"
        who = f"{self.models[place]} is first {self.rule.by} most often, under {share:.1%}{interval}"
        return f"Of {self.draws}: {who}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the shares of the ranks with the mean rank, best mean first."""
        return self.shares.assign(mean=self.mean_rank).sort_values("mean", kind="stable")

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check the points exactly; draw and count again all that is sampled.

        As for `WinningShares.verify`. Given a source, the points must be those that the rule gives for it.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing the sample again would take longer than about a minute.
        """
        self.rule.check(self.points, self.space.tasks, source)
        self.draws.check()
        question = WeightedRanks(self.points, self.draws.body)
        self.counts.check_form(question.shape, self.draws)
        self.check_drawn(question, self.models, self.counts, self.first_weights, self.counts.counts[:, 0].tolist())
        return True


def rank_shares(
    board: PointsLike,
    *,
    rule: RuleLike = "mean",
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    samples: int = 10_000,
    rng: RngLike = None,
    space: WeightSpace | None = None,
    prior: Number | WeightsLike | None = None,
    time_limit: float | None = None,
) -> RankShares:
    """Estimate under which share of all weightings each model has each rank by a linear rule (rank acceptability).

    Parameters
    ----------
    board : Leaderboard or Profile
        The table; its weights play no part. The mean needs the scores of a leaderboard.
    rule : str or sequence of numbers
        ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"``, or points of the places, best first.
    ties : {"average", "min", "max"}, optional
        What tied models get, for rules by place.
    missing : {"error", "last"}, optional
        Refuse missing scores, or let them tie for the last places.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    samples, rng, space, prior, time_limit
        As for `winning_shares`.

    Returns
    -------
    RankShares

    Raises
    ------
    UnknownNameError, MissingScoresError, InputError, EmptySpaceError
        If there is no such rule, scores are missing, or as for `winning_shares`.

    Notes
    -----
    Models whose difference in points is 0 under all weights of the space tie under each of them, which is decided
    exactly first; totals that are nearly the same are compared as exact numbers, so that rounding has no say. Takes
    O(samples x models x (tasks + log models)).

    References
    ----------
    Lahdelma and Salminen, "SMAA-2: stochastic multicriteria acceptability analysis for group decision making",
    Operations Research 49 (2001), section 4 (rank acceptability indices).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> ranks = wl.lp.rank_shares(board, rule="borda", samples=4000, rng=1)
    >>> ranks.shares.loc["b"].tolist()
    [0.0, 1.0, 0.0]
    """
    made = LinearRule.of(rule, ties=ties, missing=missing, scaled=scaled)
    points = made.points(board)
    allowed = space_for(points, space)
    draws = draws_from(allowed, samples=samples, rng=rng, prior=prior, time_limit=time_limit)
    counts, sums = counted(draws, points.models, WeightedRanks(points, draws.body))
    return RankShares(rule=made, points=points, draws=draws, counts=counts, first_weights=sums)


class DuelShares(SampledShares, kind="duel_shares"):
    """The share of all weightings under which each model beats each other one, estimated from random ones.

    Attributes
    ----------
    signs : Signs
        The table's signs.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    wins : DrawCounts
        Under how many of them each model beat each other one (models x models).
    """

    signs: Signs
    wins: DrawCounts

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.signs.models

    @cached_property
    def tied(self) -> pd.DataFrame:
        """Which duels are tied under all weights of the space, decided exactly: their shares are 0 both ways."""
        return self._frame(WeightedDuels(self.signs, self.draws.body).tied)

    @cached_property
    def shares(self) -> pd.DataFrame:
        """The share of weightings under which the row beats the column."""
        return self._frame(self.wins.shares(self.draws))

    @cached_property
    def low(self) -> pd.DataFrame:
        """Lower ends of the 95% intervals; of head-to-heads that are tied throughout exactly 0."""
        return self._frame(np.where(self.tied, 0.0, self.wins.intervals(self.draws)[0]))

    @cached_property
    def high(self) -> pd.DataFrame:
        """Upper ends of the 95% intervals; of head-to-heads that are tied throughout exactly 0."""
        return self._frame(np.where(self.tied, 0.0, self.wins.intervals(self.draws)[1]))

    def _frame(self, values: Any) -> pd.DataFrame:
        return pd.DataFrame(values, index=list(self.models), columns=list(self.models))

    def __str__(self) -> str:
        """Say which duel is nearest to even."""
        count = len(self.models)
        upper = np.triu(np.ones((count, count), dtype=np.bool_), 1) & ~self.tied.to_numpy()
        if not upper.any():
            return f"Every pair of models ties under all weights.{self.space.conditions_sentence}"
        apart = np.where(upper, np.abs(self.shares.to_numpy() - self.shares.to_numpy().T), np.inf)
        row, column = divmod(int(apart.argmin()), count)
        one, other = self.shares.to_numpy()[[row, column], [column, row]].tolist()
        duel = f"{self.models[row]} beats {self.models[column]} under {one:.1%} and loses under {other:.1%}"
        return f"The head-to-head nearest to even: of {self.draws}, {duel}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the shares, row over column."""
        return self.shares

    def verify(self, source: SignsLike | None = None) -> bool:
        """Draw and count again all that is sampled.

        As for `WinningShares.verify`. Given a source, the signs must be those of it.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing the sample again would take longer than about a minute.
        """
        check_table(self.signs, self.space, source)
        self.draws.check()
        question = WeightedDuels(self.signs, self.draws.body)
        self.wins.check_form(question.shape, self.draws)
        ensure(not self.wins.counts[question.tied].any(), "a head-to-head that is tied throughout was won")
        self.check_drawn(question, self.models, self.wins, {}, ())
        return True


def duel_shares(
    board: SignsLike,
    *,
    samples: int = 10_000,
    rng: RngLike = None,
    space: WeightSpace | None = None,
    prior: Number | WeightsLike | None = None,
    rule: object = MAJORITY,
    time_limit: float | None = None,
) -> DuelShares:
    """Estimate under which share of all weightings each model beats each other one by majority.

    It is about majorities between pairs. By another rule `rank_shares` says how often each model has which rank.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    samples, rng, space, prior, time_limit
        As for `winning_shares`.
    rule : "majority"
        Every other rule is refused, with the question that answers by it.

    Returns
    -------
    DuelShares

    Raises
    ------
    InputError, EmptySpaceError
        As for `winning_shares`.

    Notes
    -----
    Head-to-heads with the same lead under all weights of the space are decided exactly, without rounding. All
    other leads are computed, in 32-bit floats and where these cannot decide in doubles, which takes
    O(samples x models^2 x tasks) and some 30 MB: `winning_shares` takes a small part of that.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 1, "b": 2}, "z": {"a": 5, "b": 5}})
    >>> duels = wl.lp.duel_shares(board, samples=4000, rng=1)
    >>> bool(duels.low.loc["a", "b"] < 1 / 2 < duels.high.loc["a", "b"])
    True
    """
    refuse_other_rules("duels are between two models", rule, "lp.rank_shares")
    signs, allowed = signs_and_space(board, space)
    draws = draws_from(allowed, samples=samples, rng=rng, prior=prior, time_limit=time_limit)
    wins, _ = counted(draws, signs.models, WeightedDuels(signs, draws.body))
    return DuelShares(signs=signs, draws=draws, wins=wins)


class PairShares(SampledShares, kind="pair_shares"):
    """The share of all weightings under which the first of each pair is ahead of the second, from random ones.

    Attributes
    ----------
    pairs : tuple of (str, str)
        Pairs of models: the first is to be ahead of the second.
    rule : LinearRule
        The majority, or what a place or a score is worth.
    signs : Signs or None
        The table's signs; None by other rules than the majority.
    points : Points or None
        The points of all models by another rule.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    ahead : DrawCounts
        By pair, under how many of them the first was ahead.
    """

    pairs: tuple[tuple[str, str], ...]
    rule: LinearRule
    signs: Signs | None
    points: Points | None
    ahead: DrawCounts

    @cached_property
    def shares(self) -> pd.DataFrame:
        """Share with the ends ``low`` and ``high`` of its 95% interval, by pair."""
        low, high = self.ahead.intervals(self.draws)
        index = pd.MultiIndex.from_tuples(self.pairs, names=["ahead", "behind"])
        return pd.DataFrame({"share": self.ahead.shares(self.draws), "low": low, "high": high}, index=index)

    def __str__(self) -> str:
        """Say which pair is nearest to even."""
        place = int(np.abs(self.shares["share"].to_numpy() - 0.5).argmin())
        (first, second), share = self.pairs[place], self.shares["share"].iloc[place]
        what = f"{first} is ahead of {second} {self.rule.by} under {share:.1%}"
        return f"The pair nearest to even: of {self.draws}, {what}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the shares."""
        return self.shares

    def verify(self, source: SignsLike | PointsLike | None = None) -> bool:
        """Draw and count again all that is sampled.

        As for `WinningShares.verify`. Given a source, the signs or points must be those of it.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing the sample again would take longer than about a minute.
        """
        ensure(self.rule.is_majority == (self.points is None), "majorities are read off signs, all else off points")
        ensure((self.signs is None) != (self.points is None), "there must be signs or points, and not both")
        if self.points is None:
            check_table(cast("Signs", self.signs), self.space, cast("SignsLike", source))
        else:
            self.rule.check(self.points, self.space.tasks, source)
        leads = cast("Signs | Points", self.points or self.signs)
        known = {*leads.models}
        ensure(self.pairs and all({*one} <= known and len({*one}) == 2 for one in self.pairs), "there is no such pair")
        self.draws.check()
        question = KeptLeads(_rows(leads, self.pairs), self.draws.body)
        self.ahead.check_form(question.shape, self.draws)
        self.check_drawn(question, self.pairs, self.ahead, {}, ())
        return True


def pair_shares(
    board: SignsLike,
    pairs: Iterable[tuple[str, str]],
    *,
    rule: RuleLike | None = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    samples: int = 10_000,
    rng: RngLike = None,
    space: WeightSpace | None = None,
    prior: Number | WeightsLike | None = None,
    time_limit: float | None = None,
) -> PairShares:
    """Estimate under which share of all weightings the first of each pair of models is ahead of the second.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Head-to-head, missing scores count as ties.
    pairs : iterable of (str, str)
        Pairs of models: the first is to be ahead of the second.
    rule, ties, missing, scaled, samples, rng, space, prior, time_limit
        As for `winning_shares`; without a rule the table's own.

    Returns
    -------
    PairShares

    Raises
    ------
    UnknownNameError, InputError, MissingScoresError, EmptySpaceError
        If there is no such model or pair, or as for `winning_shares`.

    Notes
    -----
    Leads that are the same under all weights of the space are decided exactly, others in doubles:
    O(samples x pairs x tasks). `duel_shares` asks about all pairs by majority.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> found = wl.lp.pair_shares(board, [("a", "b"), ("b", "c")], rule="mean", samples=4000, rng=1)
    >>> bool(found.shares.loc[("a", "b"), "low"] < 1 / 2 < found.shares.loc[("a", "b"), "high"])
    True
    """
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    given: Any = pairs
    listed = list(given) if isinstance(given, Iterable) else []
    fits = (isinstance(one, list | tuple | np.ndarray) and len(one) == 2 and one[0] != one[1] for one in listed)
    if not listed or not all(fits):
        raise InputError("pairs must be some, each of two different models")
    chosen = tuple((first, second) for first, second in listed)
    for name in (one for pair in chosen for one in pair):
        if name not in asked.leads.models:
            raise UnknownNameError("model", name, asked.leads.models)
    draws = draws_from(asked.space, samples=samples, rng=rng, prior=prior, time_limit=time_limit)
    ahead, _ = counted(draws, (), KeptLeads(_rows(asked.leads, chosen), draws.body))
    return PairShares(pairs=chosen, **asked.of_table, draws=draws, ahead=ahead)


def _rows(leads: Signs | Points, pairs: Iterable[tuple[str, str]]) -> AnyArray:
    """Return by how much the first of each pair leads the second (pairs x tasks), in whole numbers."""
    place = {model: row for row, model in enumerate(leads.models)}
    places = [(place[first], place[second]) for first, second in pairs]
    if isinstance(leads, Points):
        return np.asarray([leads.numerators[one] - leads.numerators[other] for one, other in places])
    return np.asarray([leads.over(one, [other])[0] for one, other in places])
