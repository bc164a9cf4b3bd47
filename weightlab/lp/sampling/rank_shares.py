"""Rank shares: under which share of all weightings each model has each rank by a linear rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._exact import (
    AnyArray,
    BoolArray,
    FloatArray,
    IntArray,
    Number,
    WeightsLike,
    common_denominator,
    exact_products,
)
from weightlab._result import Codec, Result
from weightlab._validate import RngLike
from weightlab.data.linear_rule import LinearRule, PointsLike, RuleLike
from weightlab.data.points import Missing, Points, Ties
from weightlab.lp.sampling import estimates
from weightlab.lp.sampling.affine_hull import AffineHull
from weightlab.lp.sampling.draws import Draws, Method, draws_from
from weightlab.lp.space.space import WeightSpace, space_for

CELLS = 2**20
"""So many ranks are found together."""


class RankShares(estimates.SampledShares, Result, kind="rank_shares"):
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
    first_weights : ndarray of float, models x tasks
        The sum of the weightings under which each model was first.
    """

    rule: LinearRule
    points: Points
    draws: Draws
    counts: Annotated[
        estimates.DrawCounts, Codec(estimates.DrawCounts.to_dict, estimates.read_pairs, ("points.models",))
    ]
    first_weights: Annotated[
        FloatArray, Codec(estimates.central_to_json, estimates.central_from_json, ("points.models", "points.tasks"))
    ]

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
        return estimates.central_frame(self.first_weights, self.counts.counts[:, 0], self.models, self.space.tasks)

    def _frame(self, values: FloatArray) -> pd.DataFrame:
        return pd.DataFrame(values, index=list(self.models), columns=list(range(1, len(self.models) + 1)))

    def __str__(self) -> str:
        """Say who is first most often."""
        place = int(self.counts.counts[:, 0].argmax())
        share, low, high = (float(one.to_numpy()[place, 0]) for one in (self.shares, self.low, self.high))
        interval = "" if low == high else f" (95% interval {low:.1%} to {high:.1%})"
        who = f"{self.models[place]} is first by {self.rule} most often, under {share:.1%}{interval}"
        return f"Of {self.draws}: {who}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the shares of the ranks with the mean rank, best mean first."""
        return self.shares.assign(mean=self.mean_rank).sort_values("mean", kind="stable")

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check the points and the hull of the space exactly; draw and count anew all that is sampled.

        As for `WinningShares.verify`. Given a source, the points must be those that the rule gives for it.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing so many weightings again would take longer than some minute.
        """
        self.rule.check(self.points, self.space.tasks, source)
        self.draws.check()
        count = len(self.models)
        self.draws.ensure_soon(count)
        self.counts.check_form((count, count), self.draws)
        found, sums = _counted(self.points, self.draws)
        self.counts.check(found, self.draws)
        estimates.check_central(self.first_weights, self.counts.counts[:, 0], sums, found.counts[:, 0], self.draws)
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
    made = LinearRule.of(rule, ties=ties, missing=missing)
    points = made.points(board)
    allowed = space_for(points, space)
    draws = draws_from(allowed, samples=samples, rng=rng, prior=prior, time_limit=time_limit)
    counts, sums = _counted(points, draws)
    return RankShares(rule=made, points=points, draws=draws, counts=counts, first_weights=sums)


def _counted(points: Points, draws: Draws) -> tuple[estimates.DrawCounts, FloatArray]:
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

    return estimates.DrawCounts.of_parts(parts(), (count, count)), sums


# Ranks of models by their points under many weightings: floats where they can tell, exact totals where they cannot.

ROUNDING = 1e-12
"""Totals that differ by less, as a share of the largest points that they are made of, are compared exactly."""
BITS = 300
"""Weights are whole numbers after so many binary places; what is smaller than all of these is taken for 0."""


class WeightedRanks:
    """Finds the rank of every model under each of many weightings of a space.

    Parameters
    ----------
    points : Points
        Of all models.
    hull : AffineHull
        Of the space that the weightings are from.

    Notes
    -----
    Models with the same total under all weights of the space are found exactly first. Of others, totals that are
    nearly the same in floating point, as those of 0.7 and 0.7000000000000001, are compared as exact numbers, at the
    weighting of the hull that the floats stand for. A model that is ahead by little under all weights is so each time.
    """

    def __init__(self, points: Points, hull: AffineHull) -> None:
        self._points, self._hull = points, hull
        self._numbers = _floats(points)
        keys = map(tuple, self._parts.tolist())
        first: dict[tuple[int, ...], int] = {}
        # For each model the first one that has the same total under all weights of the space.
        self._alike = np.array([first.setdefault(key, model) for model, key in enumerate(keys)])
        self._room = (ROUNDING * self._numbers.max(axis=1))[self._alike]

    def at_point(self) -> NDArray[np.int64]:
        """Return the exact ranks under the hull's point, in one row."""
        totals = self._parts[:, 0].tolist()
        return np.array([[1 + sum(other > total for other in totals) for total in totals]])

    def under(self, weights: FloatArray) -> NDArray[np.int64]:
        """Return the ranks under weightings of the space, row by row: 1 plus how many models have greater totals."""
        # Models that always tie share one column, so that rounding cannot part them.
        totals = (weights @ self._numbers.T)[:, self._alike]
        order = np.argsort(-totals, axis=1, kind="stable")
        gaps = -np.diff(np.take_along_axis(totals, order, axis=1), axis=1)
        new = np.ones(totals.shape, dtype=np.bool_)
        # ``new``: a model that does not tie the one before it. Its rank is its position, and those who tie it inherit
        # that.
        new[:, 1:] = gaps > 0
        room, alike = self._room[order], self._alike[order]
        near = gaps <= room[:, :-1] + room[:, 1:]
        unsure = (near & (alike[:, :-1] != alike[:, 1:])).any(axis=1)
        for row in np.flatnonzero(unsure).tolist():
            self._order_exactly(weights[row], order[row], new[row], near[row])
        place = np.where(new, np.arange(1, totals.shape[1] + 1), 0)
        ranks = np.empty(totals.shape, dtype=np.int64)
        np.put_along_axis(ranks, order, np.maximum.accumulate(place, axis=1), axis=1)
        return ranks

    def _order_exactly(self, weights: FloatArray, order: IntArray, new: BoolArray, near: BoolArray) -> None:
        """Order anew, in place, each run of models whose neighbours are near each other, and say who ties."""
        matrix, factors = self._exact(weights)
        # Runs of neighbours that are near each other begin at +1 and end at -1.
        edges = np.diff(np.concatenate([[False], near, [False]]).astype(np.int8))
        for start, end in zip(np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist(), strict=True):
            run = order[start : end + 1]
            totals = exact_products(matrix[run], factors).tolist()
            best = sorted(range(len(run)), key=lambda place: -totals[place])
            order[start : end + 1] = run[best]
            new[start + 1 : end + 1] = [totals[a] != totals[b] for a, b in zip(best[1:], best[:-1], strict=True)]

    def _exact(self, weights: FloatArray) -> tuple[AnyArray, list[int]]:
        """Return integers, models x so many, and factors with which they make totals up to one scale.

        They are the totals at the exact weighting of the hull that floats stand for. On a simplex all weights that move
        are kept, so that none is negative. Elsewhere those are kept that determine all others.
        """
        # Exact: a power of two scales a float without rounding, and what int() drops is below 2**-300.
        whole = [int(one) for one in np.ldexp(weights, BITS).tolist()]
        if self._hull.is_simplex:
            fixed, moving, shared = self._fixed
            parts = sum(one for one, moves in zip(whole, moving, strict=True) if moves)
            kept = zip(whole, fixed, moving, strict=True)
            return self._points.numerators, [one * shared if moves else other * parts for one, other, moves in kept]
        point: list[Fraction] = self._hull.point.tolist()
        # The weights at free columns are the coordinates of the hull, and rounding elsewhere does not count.
        steps = [Fraction(whole[place], 2**BITS) - point[place] for place in self._last]
        scales = self._scales
        factors = [one / scale for one, scale in zip((Fraction(1), *steps), scales, strict=True)]
        return self._parts, common_denominator(factors)[0]

    @cached_property
    def _fixed(self) -> tuple[list[int], list[bool], int]:
        """The weights that do not move and what the others share, up to one scale; and which weights move."""
        numerators, denominator = common_denominator(self._hull.point.tolist())
        moving: list[bool] = self._hull.moving.tolist()
        fixed = [0 if moves else one for one, moves in zip(numerators, moving, strict=True)]
        return fixed, moving, denominator - sum(fixed)

    @cached_property
    def _last(self) -> list[int]:
        """For each direction the last weight that it changes: it is the only one to change it."""
        # By reduced echelon form: the vector of a free column is 1 there and otherwise changes only pivots before it.
        return [max(place for place, step in enumerate(vector) if step) for vector in self._hull.directions]

    @cached_property
    def _vectors(self) -> list[Sequence[Fraction]]:
        return [self._hull.point.tolist(), *self._hull.directions]

    @cached_property
    def _scales(self) -> list[int]:
        """What the hull's point and its directions are multiplied by to be integers."""
        return [common_denominator(vector)[1] for vector in self._vectors]

    @cached_property
    def _parts(self) -> AnyArray:
        """Exact totals at the hull's point and along its directions (models x vectors), each times its scale."""
        columns = [
            exact_products(self._points.numerators, common_denominator(vector)[0]).tolist() for vector in self._vectors
        ]
        return np.array(columns, dtype=object).T


def _floats(points: Points) -> FloatArray:
    """Return points less the least of each task: the same ranks, and no digits lost to what all have."""
    exact = points.numerators.astype(object)
    exact = exact - exact.min(axis=0)
    return np.array([[float(Fraction(one, points.denominator)) for one in row] for row in exact.tolist()])
