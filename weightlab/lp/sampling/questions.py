"""Counts under many weightings: who beats every rival, who has which rank, who beats whom.

Floats answer where they can tell, and exact numbers where they cannot. What is the same under all weights of the space
is decided exactly first, so that rounding has no say.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import AnyArray, BoolArray, FloatArray, common_denominator, exact_products
from weightlab.data.points import Points
from weightlab.data.signs import Signs
from weightlab.lp.sampling.body import Body, matrix_product

BELOW = 1e-5
"""Totals below 0 by so little, times the number of models, may be rounding, and rule no model out."""


class StrictWinners:
    """Finds who beats every rival, among models that can.

    Parameters
    ----------
    signs : Signs
        The table.
    candidates : ndarray of bool, models
        Who can be a strict winner under some weights of the space that weightings come from: none of their
        head-to-heads is tied throughout, so that rounding decides nothing but where a lead is next to 0.
    body : Body, optional
        That space, where it has conditions: a head-to-head whose lead is the same under all its weights is won by a
        candidate, however little that lead may be.

    Notes
    -----
    A winner's leads are positive, hence so is their sum, its Borda score. The candidate with the greatest sum meets
    all models; a candidate whom it leads is out, and so is it itself unless it wins. Few rounds of this leave
    a winner or none. Weightings that test the same candidate share one matrix product of O(weightings x models x
    tasks). O((models + tasks) x weightings) numbers are held at once, and weightings come in parts that keep these
    within 200 MB.
    """

    def __init__(self, signs: Signs, candidates: BoolArray, body: Body | None = None) -> None:
        self.signs, self.candidates = signs, candidates
        self._body = body if body is not None and body.dimension < len(signs.tasks) - 1 else None
        self._behind: dict[int, BoolArray] = {}
        # A candidate's total is the sum of its leads: on each task how many models it leads, less how many lead it.
        totals = np.zeros(signs.levels.shape, dtype=np.float32)
        for model in np.flatnonzero(candidates).tolist():
            totals[model] = signs.over_all(model).sum(axis=0, dtype=np.float32)
        self._totals = np.ascontiguousarray(totals.T)
        self.shape, self.most = (len(candidates) + 1,), int(max(64, 2**20 // max(signs.levels.shape)))

    def under(self, weights: FloatArray) -> tuple[NDArray[np.int64], BoolArray]:
        """Return how often each model wins and, last, that none does; and under which weightings each wins."""
        return self._tally(self.positions(weights)[:, None] == np.arange(len(self.candidates)))

    def _tally(self, first: BoolArray) -> tuple[NDArray[np.int64], BoolArray]:
        wins = first.sum(axis=0)
        return np.append(wins, len(first) - wins.sum()), first

    def positions(self, weights: FloatArray) -> NDArray[np.int64]:
        """Return who wins under each weighting (weightings x tasks), -1 where none does."""
        winners = np.full(len(weights), -1, dtype=np.int64)
        # A model's total is the sum of its leads, and a strict winner's is positive: float32 with room for rounding
        # is enough, since it only rules out.
        totals = matrix_product(weights.astype(np.float32), self._totals)
        totals[(totals <= -BELOW * len(self.candidates)) | ~self.candidates] = -np.inf
        while len(left := np.flatnonzero(totals.max(axis=1) > -np.inf)):
            tested = totals[left].argmax(axis=1)
            for model in np.unique(tested).tolist():
                rows = left[tested == model]
                leads = matrix_product(weights[rows], self.signs.over_all(model).T.astype(np.float64))
                # At infinity these are never the least lead, and the tested model is struck along with those it leads.
                leads[:, self._surely_behind(model)] = np.inf
                won = np.asarray((leads > 0).all(axis=1), dtype=np.bool_)
                winners[rows[won]] = model
                totals[rows] = np.where((leads > 0) | won[:, None], -np.inf, totals[rows])
        return winners

    def _surely_behind(self, model: int) -> BoolArray:
        """Return which models a candidate leads under all weights by the same, itself among them."""
        if model not in self._behind:
            own = np.arange(len(self.candidates)) == model
            constant = None if self._body is None else self._body.constant(self.signs.over_all(model))
            self._behind[model] = own if constant is None else own | constant
        return self._behind[model]


ROUNDING = 1e-12
"""Totals that differ by less, as a share of the largest points that they are made of, are compared exactly."""
BITS = 300
"""Number of binary places of weights as whole numbers; anything smaller counts as 0."""


class WeightedRanks:
    """Finds the rank of every model under each of many weightings of a space.

    Parameters
    ----------
    points : Points
        Of all models.
    body : Body
        The space that the weightings are from.

    Notes
    -----
    Models with the same total under all weights of the space are found exactly first. Of others, totals that are
    nearly the same in floating point, as those of 0.7 and 0.7000000000000001, are compared as exact numbers, at the
    weighting of its hull that the floats stand for. A model that is ahead by little under all weights is so each time.
    """

    def __init__(self, points: Points, body: Body) -> None:
        self._points, self._body = points, body
        # Less the least of each task: the same ranks, and no digits lost to what all have.
        apart = points.numerators.astype(object) - points.numerators.astype(object).min(axis=0)
        self._numbers = np.array([[float(Fraction(one, points.denominator)) for one in row] for row in apart.tolist()])
        keys = map(tuple, self._parts.tolist())
        first: dict[tuple[int, ...], int] = {}
        # For each model the first one that has the same total under all weights of the space.
        self._alike = np.array([first.setdefault(key, model) for model, key in enumerate(keys)])
        self._room = (ROUNDING * self._numbers.max(axis=1))[self._alike]
        count = len(points.models)
        self.shape: tuple[int, ...] = (count, count)
        self.most = max(64, 2**20 // count)

    def under(self, weights: FloatArray) -> tuple[NDArray[np.int64], BoolArray]:
        """Return how often each model has each rank (models x ranks), and under which weightings each is first."""
        return self._tally(self.ranks(weights))

    def _tally(self, ranks: NDArray[np.int64]) -> tuple[NDArray[np.int64], BoolArray]:
        # Each model gets a range of numbers of its own, so that one bincount counts all ranks of all models.
        count = ranks.shape[1]
        places = ranks - 1 + np.arange(count) * count
        return np.bincount(places.ravel(), minlength=count**2).reshape(count, count), ranks == 1

    def ranks(self, weights: FloatArray) -> NDArray[np.int64]:
        """Return the ranks under weightings of the space, row by row: 1 plus how many models have greater totals."""
        # Models that always tie share one column, so that rounding cannot part them.
        totals = (weights @ self._numbers.T)[:, self._alike]
        order = np.argsort(-totals, axis=1, kind="stable")
        gaps = -np.diff(np.take_along_axis(totals, order, axis=1), axis=1)
        # The rank of a model that does not tie the one before it is its position; those who tie it inherit that.
        place = np.arange(1, totals.shape[1] + 1) * np.hstack([np.ones((len(totals), 1), dtype=np.bool_), gaps > 0])
        ranks = np.empty(totals.shape, dtype=np.int64)
        np.put_along_axis(ranks, order, np.maximum.accumulate(place, axis=1), axis=1)
        room, alike = self._room[order], self._alike[order]
        near = (gaps <= room[:, :-1] + room[:, 1:]) & (alike[:, :-1] != alike[:, 1:])
        for row in np.flatnonzero(near.any(axis=1)).tolist():
            ranks[row] = _ranks_of(exact_products(*self._exact(weights[row])).tolist())
        return ranks

    def _exact(self, weights: FloatArray) -> tuple[AnyArray, list[int]]:
        """Return integers, a row per model, and factors with which they make totals up to one scale.

        They are the totals at the exact weighting of its hull that floats stand for. On a simplex all weights that move
        are kept, so that none is negative. Elsewhere those are kept that determine all others.
        """
        # Exact: a power of two scales a float without rounding, and what int() drops is below 2**-300.
        whole = [int(one) for one in np.ldexp(weights, BITS).tolist()]
        body = self._body
        if body.is_simplex:
            numerators, _ = common_denominator(body.exact)
            moving: list[bool] = body.moving.tolist()
            parts = sum(one for one, moves in zip(whole, moving, strict=True) if moves)
            shared = sum(one for one, moves in zip(numerators, moving, strict=True) if moves)
            kept = zip(whole, numerators, moving, strict=True)
            return self._points.numerators, [one * shared if moves else other * parts for one, other, moves in kept]
        # By reduced echelon form the last weight that a direction changes is changed by no other: the weights there are
        # the coordinates of the hull, and rounding elsewhere does not count.
        last = (max(place for place, step in enumerate(vector) if step) for vector in body.directions)
        steps = (Fraction(whole[place], 2**BITS) - body.exact[place] for place in last)
        factors = [one / scale for one, scale in zip((Fraction(1), *steps), self._scales, strict=True)]
        return self._parts, common_denominator(factors)[0]

    @cached_property
    def _scales(self) -> list[int]:
        """What the body's point and its directions are multiplied by to be integers."""
        return [common_denominator(vector)[1] for vector in (self._body.exact, *self._body.directions)]

    @cached_property
    def _parts(self) -> AnyArray:
        """Exact totals at the body's point and along its directions (models x vectors), each times its scale."""
        vectors = (common_denominator(vector)[0] for vector in (self._body.exact, *self._body.directions))
        return np.array([exact_products(self._points.numerators, one).tolist() for one in vectors], dtype=object).T


class PointWinners(WeightedRanks):
    """Finds who alone is first by points under each of many weightings; the parameters are those of `WeightedRanks`."""

    def __init__(self, points: Points, body: Body) -> None:
        super().__init__(points, body)
        self.shape = (len(points.models) + 1,)

    def _tally(self, ranks: NDArray[np.int64]) -> tuple[NDArray[np.int64], BoolArray]:
        first = ranks == 1
        alone = first & (first.sum(axis=1) == 1)[:, None]
        wins = alone.sum(axis=0)
        return np.append(wins, len(alone) - wins.sum()), alone


def _ranks_of(totals: Sequence[int]) -> list[int]:
    """Return 1 plus how many numbers are greater, of each."""
    downwards = sorted(-total for total in totals)
    return [1 + bisect_left(downwards, -total) for total in totals]


class WeightedDuels:
    """Finds who beats whom under each of many weightings, in doubles.

    Parameters
    ----------
    signs : Signs
        The table.
    body : Body
        The space that the weightings are from.

    Attributes
    ----------
    tied : ndarray of bool, models x models
        Which duels are tied under all weights of the space.
    """

    def __init__(self, signs: Signs, body: Body) -> None:
        count = len(signs.models)
        self._signs, weights = signs, common_denominator(body.exact)[0]
        rows = [signs.over_all(model) for model in range(count)]
        self._won = np.array(
            [[lead > 0 for lead in exact_products(own, weights).tolist()] for own in rows], dtype=np.int64
        )
        self._constant = np.array([body.constant(own) for own in rows])
        self.tied = self._constant & (self._won == 0) & (self._won.T == 0)
        # Duels with a constant lead are taken from the exact one: under a lead of 0 rounding would win half of them.
        open_ = ~self._constant & np.tri(count, dtype=np.bool_).T
        self._asked = [(model, np.flatnonzero(open_[model])) for model in np.flatnonzero(open_.any(axis=1)).tolist()]
        self.shape, self.most = (count, count), 2**17 // max(count, len(signs.tasks))

    def under(self, weights: FloatArray) -> tuple[NDArray[np.int64], BoolArray]:
        """Return how often each model beats each other one; no model is first."""
        won, turned = np.where(self._constant, self._won * len(weights), 0), np.ascontiguousarray(weights.T)
        for model, rivals in self._asked:
            # One row per rival keeps its entries adjacent, so that they are counted faster.
            leads = matrix_product(self._signs.over(model, rivals).astype(np.float64), turned)
            won[model, rivals], won[rivals, model] = (np.count_nonzero(one, axis=1) for one in (leads > 0, leads < 0))
        return won, np.zeros((len(weights), 0), dtype=np.bool_)


class KeptLeads:
    """Counts under how many weightings each of some leads is above 0, in doubles.

    Parameters
    ----------
    rows : ndarray of int, leads x tasks
        Signs, or differences of points.
    body : Body
        The space that the weightings are from.
    """

    def __init__(self, rows: AnyArray, body: Body) -> None:
        leads = exact_products(rows, common_denominator(body.exact)[0])
        self._won = np.array([lead > 0 for lead in leads.tolist()], dtype=np.int64)
        # A lead that is the same under all weights is taken from the exact one: rounding has no say in it.
        self._constant = body.constant(rows)
        largest = max((abs(int(number)) for number in rows.ravel().tolist()), default=0) or 1
        self._rows = np.array([[int(number) / largest for number in row] for row in rows.tolist()], dtype=np.float64)
        self.shape, self.most = (len(rows),), 2**19 // max(rows.shape)

    def under(self, weights: FloatArray) -> tuple[NDArray[np.int64], BoolArray]:
        """Return how often each lead is above 0; no model is first."""
        won = np.count_nonzero(weights @ self._rows.T > 0, axis=0)
        return np.where(self._constant, self._won * len(weights), won), np.zeros((len(weights), 0), dtype=np.bool_)


Question: TypeAlias = StrictWinners | WeightedRanks | WeightedDuels | KeptLeads
"""Each knows the shape of what it counts, and how many weightings to hand it at once."""
