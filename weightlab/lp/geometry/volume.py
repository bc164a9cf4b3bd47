"""Shares of weightings, exact: volumes of polytopes in which a coordinate may stand for several equal tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab.exceptions import InputError
from weightlab.lp.geometry.polytope import Polytope

__all__ = ["MOST_TERMS", "share_of"]

MOST_TERMS = 2_000_000
"""So many coefficients (simplices times the product of the multiplicities) are computed at most."""


def share_of(part: Polytope, whole: Polytope, multiplicities: Sequence[int]) -> Fraction:
    """Return the share of a polytope of weightings that one of its parts takes up.

    Parameters
    ----------
    part, whole : Polytope
        The part lies in the whole.
    multiplicities : sequence of int
        How many tasks each weight is the sum of. Weightings of the tasks themselves are uniform, so that those of the
        sums have a density in proportion to the product of ``w_c ** (k_c - 1)``: on the whole simplex they are
        Dirichlet(k_1, k_2, ...).

    Returns
    -------
    Fraction
        0 when the part has a lower dimension than the whole.

    Raises
    ------
    InputError
        If more than `MOST_TERMS` coefficients are needed.
    """
    if part.dimension < whole.dimension:
        return Fraction(0)
    always_zero = [all(corner[place] == 0 for corner in whole.corners) for place in range(len(multiplicities))]
    # k equal tasks are one coordinate: uniform weights give their sum the density ``w ** (k - 1)``, as in aggregating a
    # Dirichlet distribution.
    powers = [0 if zero else count - 1 for zero, count in zip(always_zero, multiplicities, strict=True)]
    return _mass(part, whole.coordinates, powers) / _mass(whole, whole.coordinates, powers)


def _mass(polytope: Polytope, coordinates: Sequence[int], powers: Sequence[int]) -> Fraction:
    """Return the integral of ``prod w_c ** powers[c]`` up to a factor that all parts of the same space share."""
    if tuple(coordinates) != polytope.coordinates:
        raise InputError("the part does not span the space that it is a part of")
    terms = len(polytope.triangulation) * math.prod(power + 1 for power in powers)
    if terms > MOST_TERMS:
        raise InputError(
            f"equal tasks make the exact share a sum of {terms} terms, and at most {MOST_TERMS} are computed; "
            "winning_shares estimates it"
        )
    simplices = np.array(polytope.corners, dtype=object)[np.array(polytope.triangulation, dtype=np.int64)]
    sums = simplices.sum(axis=2)
    means = _means(simplices, sums, powers)
    # Corners are integer rays; the weights are the rays divided by their sums, which divides the determinant likewise.
    scales = np.multiply.reduce(sums, axis=1)
    return sum(
        (
            Fraction(abs(volume), scale) * mean
            for volume, scale, mean in zip(polytope.volumes.tolist(), scales.tolist(), means, strict=True)
        ),
        Fraction(0),
    )


def _means(simplices: NDArray[Any], sums: NDArray[Any], powers: Sequence[int]) -> list[Fraction]:
    """Return the mean of ``prod w_c ** powers[c]`` over each simplex (count x corners x weights, unscaled).

    With V_i the corners and d the dimension, the mean times ``(|n| + d)! / (d! prod n_c!)`` is the coefficient of t^n
    in ``prod_i 1 / (1 - <t, V_i>)``, a power series that is divided by one factor at a time.

    References
    ----------
    Baldoni, Berline, De Loera, Köppe and Vergne, How to integrate a polynomial over a simplex, 2011, section 3.
    """
    degree = sum(powers)
    if not degree:
        return [Fraction(1)] * len(simplices)
    # Scaled to a common sum the corners stay integers; the polynomial is homogeneous, so the scale is divided out as
    # its power.
    common = np.array([math.lcm(*row) for row in sums.tolist()], dtype=object)
    scaled = simplices * (common[:, None] // sums)[:, :, None]
    used = [place for place, power in enumerate(powers) if power]
    top = _top_coefficients(scaled[:, :, used], [powers[place] for place in used])
    dimension = simplices.shape[1] - 1
    ways = math.factorial(degree + dimension) // math.factorial(dimension)
    ways_same = math.prod(math.factorial(power) for power in powers)
    return [
        Fraction(coefficient * ways_same, ways * one**degree)
        for coefficient, one in zip(top.tolist(), common.tolist(), strict=True)
    ]


def _top_coefficients(corners: NDArray[Any], powers: Sequence[int]) -> NDArray[Any]:
    """Return the coefficient of t^powers in ``prod_i 1 / (1 - <t, corner_i>)`` for each simplex."""
    shape = [power + 1 for power in powers]
    strides = [math.prod(shape[place + 1 :]) for place in range(len(shape))]
    series = [np.zeros(len(corners), dtype=object) for _ in range(math.prod(shape))]
    series[0] = np.ones(len(corners), dtype=object)
    for corner in range(corners.shape[1]):
        # Dividing by ``1 - <t, V>`` in place: ``new[n] = old[n] + sum V_c * new[n - e_c]``; positions ascend, so that
        # what stands before is of the new series already.
        for position in range(len(series)):
            for place, stride in enumerate(strides):
                if position // stride % shape[place]:
                    series[position] = series[position] + corners[:, corner, place] * series[position - stride]
    return series[-1]
