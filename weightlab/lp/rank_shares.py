"""Rank shares: under which share of all weightings each model has each rank by a linear rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._random import RngLike
from weightlab._record import Travels
from weightlab._result import Proof, Result
from weightlab._typing import FloatArray, Number, WeightsLike
from weightlab.data.points import Missing, Points, Ties
from weightlab.lp.allowed import space_for
from weightlab.lp.central import central_frame, central_from_json, central_to_json, check_central
from weightlab.lp.draws import Draws, Method, draws_from
from weightlab.lp.point_rule import PointRule, PointsLike, RuleLike, check_points
from weightlab.lp.space import WeightSpace
from weightlab.lp.tally import Tally, read_pairs
from weightlab.lp.weighted_ranks import WeightedRanks
from weightlab.lp.wording import given

__all__ = ["RankShares", "rank_shares"]

CELLS = 2**20
"""So many ranks are found together."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RankShares(Result, kind="rank_shares"):
    """The share of all weightings under which each model has each rank, estimated from random ones.

    Ranks count from 1, and models that tie share the least rank.

    Attributes
    ----------
    rule : PointRule
        What a place or a score is worth.
    points : Points
        Points of all models on all tasks.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    counts : Tally
        Under how many of them each model had each rank (models x ranks).
    first_weights : ndarray of float, models x tasks
        The sum of the weightings under which each model was first.
    """

    rule: PointRule
    points: Points
    draws: Draws
    counts: Annotated[Tally, Travels(Tally.to_dict, read_pairs, ("points.models",))]
    first_weights: Annotated[FloatArray, Travels(central_to_json, central_from_json, ("points.models", "points.tasks"))]

    @property
    def proof(self) -> Proof:
        """``sampled``; where the space is one weighting, nothing is drawn and all is ``exact``."""
        return Proof.EXACT if self.draws.method is Method.POINT else Proof.SAMPLED

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.points.models

    @property
    def space(self) -> WeightSpace:
        """The weights that were allowed."""
        return self.draws.space

    @cached_property
    def shares(self) -> pd.DataFrame:
        """The share of weightings under which a model has a rank (models x ranks)."""
        return self._frame(self.counts.shares(self.draws))

    @cached_property
    def low(self) -> pd.DataFrame:
        """Lower ends of the 95 % intervals of the shares."""
        return self._frame(self.counts.intervals(self.draws)[0])

    @cached_property
    def high(self) -> pd.DataFrame:
        """Upper ends of the 95 % intervals of the shares."""
        return self._frame(self.counts.intervals(self.draws)[1])

    @cached_property
    def mean_rank(self) -> pd.Series:
        """The mean rank of each model over the weightings."""
        ranks = np.arange(1, len(self.models) + 1)
        return pd.Series(self.shares.to_numpy() @ ranks, index=list(self.models), name="mean rank")

    @cached_property
    def central_weights(self) -> pd.DataFrame:
        """The mean of the weightings under which a model was first (models x tasks), for those that were."""
        return central_frame(self.first_weights, self.counts.counts[:, 0], self.models, self.space.tasks)

    def _frame(self, values: FloatArray) -> pd.DataFrame:
        return pd.DataFrame(values, index=list(self.models), columns=list(range(1, len(self.models) + 1)))

    def __str__(self) -> str:
        """Say who is first most often."""
        place = int(self.counts.counts[:, 0].argmax())
        share, low, high = (float(one.to_numpy()[place, 0]) for one in (self.shares, self.low, self.high))
        interval = "" if low == high else f" (95 % interval {low:.1%} to {high:.1%})"
        who = f"{self.models[place]} is first by {self.rule} most often, under {share:.1%}{interval}"
        return f"Of {self.draws}: {who}.{given(self.space)}"

    def summary(self) -> pd.DataFrame:
        """Return the shares of the ranks with the mean rank, best mean first."""
        return self.shares.assign(mean=self.mean_rank).sort_values("mean", kind="stable")

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check the points and the hull of the space exactly; draw and count anew all that is sampled.

        As for `WinningShares.verify`. Given a source, the points must be those that the rule gives for it.

        Raises
        ------
        ProofError
            Naming what fails.
        """
        check_points(self.points, self.space.tasks)
        self.rule.check(self.points)
        if source is not None:
            self.rule.check_source(self.points, source)
        self.draws.check()
        count = len(self.models)
        self.counts.check_form((count, count), self.draws)
        found, sums = _counted(self.points, self.draws)
        self.counts.check(found, self.draws)
        apart = self.counts.apart(found, self.draws)[:, 0]
        check_central(self.first_weights, self.counts.counts[:, 0], sums, found.counts[:, 0], apart)
        return True


def rank_shares(
    board: PointsLike,
    *,
    rule: RuleLike = "mean",
    ties: Ties | None = None,
    missing: Missing | None = None,
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
    asked = PointRule.of(rule, ties=ties, missing=missing)
    points = asked.points(board)
    allowed = space_for(points, space)
    draws = draws_from(allowed, samples=samples, rng=rng, prior=prior, time_limit=time_limit)
    counts, sums = _counted(points, draws)
    return RankShares(rule=asked, points=points, draws=draws, counts=counts, first_weights=sums)


def _counted(points: Points, draws: Draws) -> tuple[Tally, FloatArray]:
    """Return how often each model has each rank, and the sum of the weightings under which it is first."""
    count = len(points.models)
    finder = WeightedRanks(points, draws.hull)
    sums = np.zeros((count, len(points.tasks)))

    def parts() -> Iterator[tuple[int, NDArray[np.int64]]]:
        for chain, weights in draws.by_chain(max(64, CELLS // count)):
            ranks = finder.at_point() if draws.method is Method.POINT else finder.under(weights)
            np.add(sums, (ranks == 1).T.astype(np.float64) @ weights, out=sums)
            # Each model gets a range of numbers of its own, so that one bincount counts all ranks of all models.
            places = ranks - 1 + np.arange(count) * count
            yield chain, np.bincount(places.ravel(), minlength=count**2).reshape(count, count)

    return Tally.of_parts(parts(), (count, count)), sums
