"""Ranks of models by their points under many weightings: floats where they can tell, exact totals where they cannot."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import common_denominator, exact_products
from weightlab._typing import AnyArray, BoolArray, FloatArray, IntArray
from weightlab.data.points import Points
from weightlab.lp.hull import Hull

__all__ = ["WeightedRanks"]

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
    hull : Hull
        Of the space that the weightings are from.

    Notes
    -----
    Models with the same total under all weights of the space are found exactly first. Of others, totals that are
    nearly the same in floating point, as those of 0.7 and 0.7000000000000001, are compared as exact numbers, at the
    weighting of the hull that the floats stand for. A model that is ahead by little under all weights is so each time.
    """

    def __init__(self, points: Points, hull: Hull) -> None:
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
            self._settle(weights[row], order[row], new[row], near[row])
        place = np.where(new, np.arange(1, totals.shape[1] + 1), 0)
        ranks = np.empty(totals.shape, dtype=np.int64)
        np.put_along_axis(ranks, order, np.maximum.accumulate(place, axis=1), axis=1)
        return ranks

    def _settle(self, weights: FloatArray, order: IntArray, new: BoolArray, near: BoolArray) -> None:
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
        given = [int(one) for one in np.ldexp(weights, BITS).tolist()]
        if self._hull.is_simplex:
            fixed, moving, shared = self._fixed
            parts = sum(one for one, moves in zip(given, moving, strict=True) if moves)
            kept = zip(given, fixed, moving, strict=True)
            return self._points.numerators, [one * shared if moves else other * parts for one, other, moves in kept]
        point: list[Fraction] = self._hull.point.tolist()
        # The weights at free columns are the coordinates of the hull, and rounding elsewhere does not count.
        steps = [Fraction(given[place], 2**BITS) - point[place] for place in self._last]
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
