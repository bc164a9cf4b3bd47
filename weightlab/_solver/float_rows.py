"""Rows as the floats that solvers read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from weightlab._solver.formulation import Bound, Rows, floats_of

__all__ = ["FloatRows", "float_rows"]

# Coefficients up to here are passed on as they are.
_MODERATE = 2**20


@dataclass(frozen=True, kw_only=True, eq=False)
class FloatRows:
    """Rows as floats; a row may be multiplied by a power of two.

    Attributes
    ----------
    values : float array
        The entries, in the order of the matrix they come from.
    lower, upper : float array
        The bounds, infinite where there are none.
    scales : float array
        What each row was multiplied by: its dual has to be multiplied likewise to be that of the original.
    """

    values: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    scales: NDArray[np.float64]


def float_rows(rows: Rows, *, moderate: int = _MODERATE) -> FloatRows:
    """Return rows as floats, those of a matrix with coefficients beyond ``moderate`` divided to be near one.

    Solvers compare with absolute tolerances, so a row of coefficients around 10^12 would ask for more than floats
    hold. Divided by a power of two, no coefficient is rounded that was not before.
    """
    matrix = rows.matrix
    if matrix.largest <= moderate:
        return FloatRows(
            values=matrix.floats, lower=rows.float_lower, upper=rows.float_upper, scales=np.ones(len(rows))
        )
    # The bit length of a row's largest coefficient gives the power of two that brings it to between 1/2 and 1.
    sizes = np.array([int(one).bit_length() for one in matrix.coefficients], dtype=np.int64)
    powers = np.zeros(len(rows), dtype=np.int64)
    np.maximum.at(powers, matrix.row_of_entry, sizes)
    divisors = [1 << int(power) for power in powers]
    entries = zip(matrix.coefficients.tolist(), matrix.row_of_entry.tolist(), strict=True)
    return FloatRows(
        values=np.array([value / divisors[row] for value, row in entries]),
        lower=_divided(rows.lower, divisors, -math.inf),
        upper=_divided(rows.upper, divisors, math.inf),
        scales=np.array([1 / divisor for divisor in divisors]),
    )


def _divided(bounds: Sequence[Bound], divisors: Sequence[int], absent: float) -> NDArray[np.float64]:
    divided = [None if one is None else Fraction(one, divisor) for one, divisor in zip(bounds, divisors, strict=True)]
    return floats_of(divided, absent)
