"""The Bradley-Terry likelihood: its maximum in floats, and integers that enclose each strength.

Strengths p are most likely when each model scores what they expect: sum over j of n_ij p_i / (p_i + p_j) = s_i, where
n_ij counts the meetings and s_i the points of i. Let F_i be the left side minus the right. If a_r = p_r for one model r
and F_i(a) <= 0 for all others, then a <= p: otherwise take the models at which a / p is greatest; r is not among them,
one of them has met a model that is not, and that one expects more points from a than from p. In the same way
F_i(b) >= 0 gives b >= p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._typing import FloatArray
from weightlab.data import Margins
from weightlab.exceptions import UnprovedError

__all__ = ["Duels", "enclosure", "fitted"]

BITS = 320
"""Strengths and expected points are kept to so many binary places."""

WIDTHS = (120, 90, 60, 40)
"""Enclosures of relative width 2 ** -120 are tried first, then wider ones."""

STEPS = 200
"""Newton's method needs a handful of steps; more than so many means that floats do not suffice."""

TOO_FAR = "the Bradley-Terry strengths are too far apart for floats to find them"


@dataclass(frozen=True, kw_only=True, eq=False)
class Duels:
    """Points and meetings, doubled so that half a win is whole.

    Attributes
    ----------
    wins : ndarray of int, models x models
        Twice the weight of the wins of the row over the column, and the weight of their ties once.
    meetings : ndarray of int, models x models
        Twice the weight of the tasks on which both have a score.
    totals : list of int
        Points of each model: row sums of ``wins``.
    """

    wins: NDArray[Any]
    meetings: NDArray[Any]
    totals: list[int]

    @classmethod
    def of(cls, margins: Margins) -> Duels:
        """Return the duels behind margins."""
        largest = int(margins.wins.max(initial=0)) + int(margins.ties.max(initial=0))
        dtype = np.dtype(np.int64 if 8 * largest * len(margins.models) < 2**62 else object)
        wins = 2 * margins.wins.astype(dtype) + margins.ties.astype(dtype)
        return cls(wins=wins, meetings=wins + wins.T, totals=[int(total) for total in wins.sum(axis=1)])


def fitted(duels: Duels) -> FloatArray:
    """Return the logarithms of the most likely strengths, by Newton's method with steps that are halved as needed.

    Notes
    -----
    The likelihood is strictly concave once one logarithm is held fixed. O(models^3) a step, and few steps.

    Raises
    ------
    UnprovedError
        If floats do not get there.
    """
    wins = _as_floats(duels.wins)
    wins /= wins.max() or 1.0  # one model meets nobody
    meetings, totals = wins + wins.T, wins.sum(axis=1)
    logarithms = np.zeros(len(wins))
    height = _height(wins, logarithms)
    for _ in range(STEPS):
        expected, laplacian = _expected(meetings, logarithms)
        step = _solved(laplacian, expected - totals)
        if np.abs(step).max() < 1e-8:
            # Convergence is quadratic: after this step nothing is left that floats could see.
            return np.asarray(logarithms - step)
        # Newton's step rises at first, so some half of a half of it does, but for the rounding of the height.
        while (trial := _height(wins, logarithms - step)) < height - 1e-12 * abs(height):
            step /= 2
        logarithms, height = logarithms - step, trial
    raise UnprovedError(TOO_FAR)


def enclosure(duels: Duels, logarithms: FloatArray) -> tuple[list[int], list[int]]:
    """Return integers below and above each model's strength, in one unit, proved by the signs of exact sums.

    Notes
    -----
    O(models^2) integer divisions a try, after one float solution.

    Raises
    ------
    UnprovedError
        If no enclosure was proved.
    """
    meetings = _as_floats(duels.meetings)
    laplacian = _expected(meetings, logarithms)[1]
    reference = int(np.argmax(logarithms))
    strengths = _refined(duels, logarithms, laplacian, reference)
    # A direction in which, to first order, every F_i grows: the enclosure is widened along it, downwards and upwards.
    spread = [Fraction(one) for one in _solved(laplacian, meetings.sum(axis=1), reference).tolist()]
    for width in WIDTHS:
        reach = [int(p * by / 2**width) + 1 for p, by in zip(strengths, spread, strict=True)]
        reach[reference] = 0
        low = [p - by for p, by in zip(strengths, reach, strict=True)]
        high = [p + by for p, by in zip(strengths, reach, strict=True)]
        if _encloses(duels, low, high, reference):
            return low, high
    raise UnprovedError(TOO_FAR)


def _as_floats(counts: NDArray[Any]) -> FloatArray:
    try:
        return np.asarray(counts.astype(np.float64))
    except OverflowError as error:
        raise UnprovedError("the weights of the tasks are too far apart for floats") from error


def _encloses(duels: Duels, low: list[int], high: list[int], reference: int) -> bool:
    if min(low) <= 0:
        return False
    # Rounding must not help: the greatest that F can be at ``low``, the least that it can be at ``high``.
    below, above = _excess(duels, low)[1], _excess(duels, high)[0]
    return all(below[place] <= 0 <= above[place] for place in range(len(low)) if place != reference)


def _refined(duels: Duels, logarithms: FloatArray, laplacian: FloatArray, reference: int) -> list[int]:
    """Return the strengths as integers, far more exact than floats: exact residuals, float corrections."""
    shifted = logarithms - logarithms.max()
    if shifted.min() < -600:
        raise UnprovedError(TOO_FAR)
    # Enough places that the weakest strength has BITS of them, too.
    unit = BITS + math.ceil(-shifted.min() / math.log(2))
    strengths = [int(Fraction(math.exp(one)) * 2**unit) for one in shifted.tolist()]
    # Iterative refinement: the residual is exact, so each round leaves the error of the float step alone.
    for _ in range(3):
        residuals = [float(Fraction(low, 2**BITS)) for low in _excess(duels, strengths)[0]]
        steps = _solved(laplacian, np.array(residuals), reference).tolist()
        strengths = [p - int(p * Fraction(step)) for p, step in zip(strengths, steps, strict=True)]
    return strengths


def _excess(duels: Duels, strengths: list[int]) -> tuple[list[int], list[int]]:
    """Return bounds of F_i, points expected minus points scored, in units of 2 ** -BITS."""
    below, above = [], []
    # Each division rounds down by less than 1, so all terms together are off by less than their number.
    for own, meetings, points in zip(strengths, duels.meetings.tolist(), duels.totals, strict=True):
        terms = [
            ((count * own) << BITS) // (own + other) for count, other in zip(meetings, strengths, strict=True) if count
        ]
        below.append(sum(terms) - (points << BITS))
        above.append(below[-1] + len(terms))
    return below, above


def _expected(meetings: FloatArray, logarithms: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the expected points of each model and their derivatives by the logarithms, a weighted Laplacian."""
    chance = 1 / (1 + np.exp(np.clip(logarithms - logarithms[:, None], -700, 700)))
    laplacian = -meetings * chance * (1 - chance)
    np.fill_diagonal(laplacian, 0)
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    return (meetings * chance).sum(axis=1), laplacian


def _height(wins: FloatArray, logarithms: FloatArray) -> float:
    """Return the logarithm of the likelihood."""
    return -float((wins * np.logaddexp(0, logarithms - logarithms[:, None])).sum())


def _solved(laplacian: FloatArray, right: FloatArray, reference: int = 0) -> FloatArray:
    """Return the solution that is 0 at one model."""
    others = np.arange(len(right)) != reference
    solution = np.zeros(len(right))
    try:
        solution[others] = np.linalg.solve(laplacian[np.ix_(others, others)], right[others])
    except np.linalg.LinAlgError as error:
        raise UnprovedError(TOO_FAR) from error
    if not np.isfinite(solution).all():
        raise UnprovedError(TOO_FAR)
    return solution
