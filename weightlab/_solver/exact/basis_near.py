"""A basis near a point, for solvers that give the point alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weightlab._solver.program import Formulation
from weightlab._solver.solution import Basis, Place, Solution

_PRIME = 2**25 - 39  # any prime whose square float64 holds
_APART = 1e-6


def basis_near(formulation: Formulation, solution: Solution) -> Basis:
    """Return a basis whose vertex should be the solver's point, if that is a vertex.

    What lies strictly between its bounds becomes basic first, then what lies on a bound that costs nothing, last
    what the duals say is held by its bound. A variable that depends linearly on those already chosen is passed over,
    so the answer is always a basis, if not always that of the point.

    Notes
    -----
    O(rows^2 (rows + columns)), by elimination modulo a prime.
    """
    # Columns and row activities form one list, as in exact_simplex: a row strictly between its bounds is basic, a row
    # on its bound is tight.
    x, duals, costs = _known(formulation, solution)
    activity = formulation.rows.matrix.float_products(x)
    values = np.concatenate([x, activity])
    lower = np.concatenate([formulation.float_lower, formulation.rows.float_lower])
    upper = np.concatenate([formulation.float_upper, formulation.rows.float_upper])
    room = np.minimum(values - lower, upper - values)
    held = np.abs(np.concatenate([costs, duals])) > _APART
    # Complementary slackness: what lies off its bounds (0) must be basic, what has a multiplier (2) should rest on its
    # bound; those between (1) are where the vertex is degenerate and either choice may be right.
    rank = np.where(room > _APART, 0, np.where(held, 2, 1))
    chosen = _independent(formulation, np.lexsort((-np.minimum(room, 1.0), rank)).tolist())
    places = [
        Place.BASIC if index in chosen else _nearest_bound(values[index], lower[index], upper[index])
        for index in range(len(values))
    ]
    return Basis(columns=tuple(places[: len(x)]), rows=tuple(places[len(x) :]))


def _known(
    formulation: Formulation, solution: Solution
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the point, the duals and the reduced costs, zeros where the solution has none."""
    width = len(formulation.columns)
    x = np.zeros(width) if solution.x is None else solution.x
    duals = np.zeros(len(formulation.rows)) if solution.duals is None else solution.duals
    costs = np.zeros(width) if solution.reduced_costs is None else solution.reduced_costs
    return x, duals, costs


def _nearest_bound(value: float, lower: float, upper: float) -> Place:
    if np.isinf(lower) and np.isinf(upper):
        return Place.FREE
    return Place.LOWER if value - lower <= upper - value else Place.UPPER


def _independent(formulation: Formulation, order: Sequence[int]) -> set[int]:
    """Return the first variables, in the given order, that are linearly independent and as many as the rows."""
    matrix = formulation.rows.matrix
    count = len(matrix)
    # One column for each variable of ``A x - y = 0``: those of A, then minus the identity for the row values y.
    dense = np.zeros((count, matrix.width + count))
    # What is independent modulo a prime is independent over the rationals. The reverse can fail, which costs no more
    # than a pass-over; the identity's columns always fill the basis up.
    dense[matrix.row_of_entry, matrix.indices] = (matrix.coefficients % _PRIME).astype(np.float64)
    dense[np.arange(count), matrix.width + np.arange(count)] = _PRIME - 1
    dense = dense[:, list(order)]
    chosen: set[int] = set()
    free = np.ones(count, dtype=bool)
    for place, index in enumerate(order):
        if len(chosen) == count:
            break
        rows = np.flatnonzero(free & (dense[:, place] != 0))
        if len(rows):
            chosen.add(index)
            free[rows[0]] = False
            _eliminate(dense[:, place:], int(rows[0]), np.flatnonzero(free))
    return chosen


def _eliminate(dense: NDArray[np.float64], pivot: int, rows: NDArray[np.intp]) -> None:
    """Clear the first column in the given rows, modulo the prime."""
    rows = rows[dense[rows, 0] != 0]
    if not len(rows):
        return
    inverse = pow(int(dense[pivot, 0]), -1, _PRIME)
    # Residues are below 2**25, so each product is below 2**50 and float64 holds it exactly.
    factors = np.remainder(dense[rows, 0] * inverse, _PRIME)
    dense[rows] = np.remainder(dense[rows] - np.outer(factors, dense[pivot]), _PRIME)
