"""Programs for a solver: an objective, rows and bounds, all of them exact."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from weightlab._result import Frozen
from weightlab._solver.matrix import IntegerMatrix
from weightlab.exceptions import InputError, SolverError

T = TypeVar("T")
Number: TypeAlias = Fraction | int
Bound: TypeAlias = Fraction | int | None


class Sense(StrEnum):
    """Whether the objective is to be large or small."""

    MAXIMISE = "maximise"
    MINIMISE = "minimise"


class Rows(Frozen):
    """Conditions ``lower <= matrix @ x <= upper`` with integer coefficients.

    Attributes
    ----------
    matrix : IntegerMatrix
        A row per condition, a column per variable.
    lower, upper : tuple of Fraction, int or None
        The bounds of each row; None for a missing bound.
    labels : sequence of str
        What each row is called. Any text, made when it is first read if the sequence so wishes.
    """

    matrix: IntegerMatrix
    lower: tuple[Bound, ...]
    upper: tuple[Bound, ...]
    labels: Sequence[str]

    def __post_init__(self) -> None:
        if not len(self.matrix) == len(self.lower) == len(self.upper) == len(self.labels):
            raise InputError(
                f"{len(self.matrix)} rows need as many lower bounds, upper bounds and labels, "
                f"got {len(self.lower)}, {len(self.upper)} and {len(self.labels)}"
            )
        _refuse_crossed_bounds("row", self.labels, self.lower, self.upper)

    @classmethod
    def from_matrix(
        cls,
        matrix: NDArray[Any],
        *,
        lower: Bound | Sequence[Bound] = None,
        upper: Bound | Sequence[Bound] = None,
        labels: Sequence[str],
    ) -> Rows:
        """Return rows from a dense matrix of integers (int8 signs are cheap); one bound may serve all rows."""
        return cls(
            matrix=IntegerMatrix.from_dense(matrix),
            lower=_spread(lower, len(matrix)),
            upper=_spread(upper, len(matrix)),
            labels=labels,
        )

    @classmethod
    def from_dicts(
        cls,
        rows: Sequence[Mapping[int, Number]],
        *,
        width: int,
        lower: Bound | Sequence[Bound] = None,
        upper: Bound | Sequence[Bound] = None,
        labels: Sequence[str],
    ) -> Rows:
        """Return rows from mappings of column to coefficient.

        A row with fractions is multiplied, bounds included, by their least common denominator. Duals and proofs
        are about the multiplied row, which ``matrix``, ``lower`` and ``upper`` then hold.
        """
        # The multiplier is positive, so both bounds keep their sides.
        scales = [math.lcm(*[value.denominator for value in row.values()]) for row in rows]
        return cls(
            matrix=IntegerMatrix.from_entries(
                [
                    {column: value.numerator * (scale // value.denominator) for column, value in row.items()}
                    for row, scale in zip(rows, scales, strict=True)
                ],
                width,
            ),
            lower=_scaled(_spread(lower, len(rows)), scales),
            upper=_scaled(_spread(upper, len(rows)), scales),
            labels=labels,
        )

    @classmethod
    def none(cls, width: int) -> Rows:
        """Return no rows over ``width`` columns."""
        return cls(matrix=IntegerMatrix.from_entries([], width), lower=(), upper=(), labels=())

    @classmethod
    def join(cls, *parts: Rows) -> Rows:
        """Return the rows of all parts in order."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            matrix=IntegerMatrix.stack([part.matrix for part in parts]),
            lower=tuple(bound for part in parts for bound in part.lower),
            upper=tuple(bound for part in parts for bound in part.upper),
            labels=tuple(label for part in parts for label in part.labels),
        )

    def take(self, indices: Sequence[int] | NDArray[np.intp]) -> Rows:
        """Return some of the rows, in the given order."""
        return Rows(
            matrix=self.matrix.take(indices),
            lower=tuple(self.lower[i] for i in indices),
            upper=tuple(self.upper[i] for i in indices),
            labels=tuple(self.labels[i] for i in indices),
        )

    def __len__(self) -> int:
        return len(self.lower)

    @cached_property
    def float_lower(self) -> NDArray[np.float64]:
        """The lower bounds as floats, minus infinity for a missing bound."""
        return floats_of(self.lower, -math.inf)

    @cached_property
    def float_upper(self) -> NDArray[np.float64]:
        """The upper bounds as floats, infinity for a missing bound."""
        return floats_of(self.upper, math.inf)

    def violations(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by how much each row fails at a float point, negative where it holds with room to spare."""
        activity = self.matrix.float_products(x)
        return np.maximum(self.float_lower - activity, activity - self.float_upper)

    def violated_exactly(self, numerators: Sequence[int], denominator: int) -> list[int]:
        """Return the indices of the rows that fail at the exact point ``numerators / denominator``."""
        return [
            row
            for row, activity in enumerate(self.matrix.products(numerators))
            if not within(activity, denominator, self.lower[row], self.upper[row])
        ]


class Formulation(Frozen):
    """A linear or integer program, every number of it exact.

    Attributes
    ----------
    name : str
        What the program is called.
    sense : Sense
        Whether the objective is to be large or small.
    columns : sequence of str
        What each variable is called. Any text.
    objective : tuple of Fraction or int
        The coefficient of each variable.
    rows : Rows
        The conditions.
    lower, upper : tuple of Fraction, int or None
        The bounds of each variable; None for a missing bound.
    integral : tuple of bool
        Which variables must be integers; empty when none must.
    """

    name: str
    sense: Sense
    columns: Sequence[str]
    objective: tuple[Number, ...]
    rows: Rows
    lower: tuple[Bound, ...]
    upper: tuple[Bound, ...]
    integral: tuple[bool, ...] = ()

    @classmethod
    def over(
        cls,
        columns: Sequence[str],
        rows: Rows,
        *,
        name: str,
        sense: Sense = Sense.MINIMISE,
        objective: Number | Sequence[Number] = 0,
        lower: Bound | Sequence[Bound] = 0,
        upper: Bound | Sequence[Bound] = None,
        integral: bool | Sequence[bool] = False,
    ) -> Formulation:
        """Return the program over some columns, not negative by default; one number or bound may serve all of them."""
        count = len(columns)
        return cls(
            name=name,
            sense=sense,
            columns=columns,
            objective=_spread(objective, count),
            rows=rows,
            lower=_spread(lower, count),
            upper=_spread(upper, count),
            integral=_spread(integral, count),
        )

    def __post_init__(self) -> None:
        counts = {len(self.columns), len(self.objective), len(self.lower), len(self.upper), self.rows.matrix.width}
        if len(counts) > 1 or len(self.integral) not in (0, len(self.columns)):
            raise InputError(
                f"{len(self.columns)} columns need as many objective coefficients, bounds and row entries, got "
                f"{len(self.objective)}, {len(self.lower)} and {len(self.upper)}, {self.rows.matrix.width} "
                f"(integral: {len(self.integral)})"
            )
        if not len(self.columns):
            raise InputError(f"the program {self.name!r} has no variable")
        _refuse_crossed_bounds("column", self.columns, self.lower, self.upper)

    @property
    def is_integer_program(self) -> bool:
        """Whether some variable must be an integer."""
        return any(self.integral)

    @cached_property
    def float_objective(self) -> NDArray[np.float64]:
        """The objective as floats."""
        return floats_of(self.objective)

    @cached_property
    def float_lower(self) -> NDArray[np.float64]:
        """The lower bounds as floats, minus infinity for a missing bound."""
        return floats_of(self.lower, -math.inf)

    @cached_property
    def float_upper(self) -> NDArray[np.float64]:
        """The upper bounds as floats, infinity for a missing bound."""
        return floats_of(self.upper, math.inf)

    @cached_property
    def objective_step(self) -> Fraction | None:
        """The step between possible values of the objective, when integrality makes it a multiple of one.

        None for linear programs, and when a variable that need not be an integer takes part in the objective.
        """
        used = [column for column, one in enumerate(self.objective) if one]
        if not used or not self.is_integer_program or not all(self.integral[column] for column in used):
            return None
        # The greatest common divisor of fractions: that of the numerators over a common denominator.
        denominator = math.lcm(*[self.objective[column].denominator for column in used])
        return Fraction(math.gcd(*[int(self.objective[column] * denominator) for column in used]), denominator)

    def with_rows(self, rows: Rows) -> Formulation:
        """Return the same program with further rows after its own."""
        return replace(self, rows=Rows.join(self.rows, rows))

    def relaxed(self) -> Formulation:
        """Return the linear program that forgets integrality."""
        return replace(self, integral=())


def within(activity: int, denominator: int, lower: Bound, upper: Bound) -> bool:
    """Return whether ``activity / denominator`` lies within the bounds."""
    # Cross-multiplied: denominators are positive, and no Fraction is built, which would cost a gcd for each row.
    if lower is not None and activity * lower.denominator < lower.numerator * denominator:
        return False
    return upper is None or activity * upper.denominator <= upper.numerator * denominator


def floats_of(numbers: Sequence[Bound], absent: float = math.nan) -> NDArray[np.float64]:
    """Return exact numbers as floats, with ``absent`` in place of None."""
    try:
        return np.array([absent if one is None else float(one) for one in numbers], dtype=np.float64)
    except OverflowError as error:
        raise SolverError("a number is too large for the floats that solvers compute in") from error


def bounds_of(floats: NDArray[np.float64]) -> tuple[Bound, ...]:
    """Return floats as exact bounds, None where they are infinite: the inverse of `floats_of`."""
    return tuple(Fraction(one) if math.isfinite(one) else None for one in floats.tolist())


def _spread(given: T | Sequence[T], count: int) -> tuple[T, ...]:
    """Return one value per row or column; a single value counts for all."""
    return tuple(given) if isinstance(given, Sequence) else (given,) * count


def _scaled(bounds: tuple[Bound, ...], scales: Sequence[int]) -> tuple[Bound, ...]:
    return tuple(None if one is None else one * scale for one, scale in zip(bounds, scales, strict=True))


def _refuse_crossed_bounds(kind: str, labels: Sequence[str], lower: Sequence[Bound], upper: Sequence[Bound]) -> None:
    for index, (low, high) in enumerate(zip(lower, upper, strict=True)):
        if low is not None and high is not None and low > high:
            raise InputError(f"{kind} {labels[index]!r} has the lower bound {low} above its upper bound {high}")


# Rows as the floats that solvers read.

# Coefficients up to here are passed on as they are.
_MODERATE = 2**20


class FloatRows(Frozen):
    """Rows as floats; a row may be multiplied by a power of two.

    Attributes
    ----------
    values : float array
        The entries, in the order of the matrix they come from.
    lower, upper : float array
        The bounds, infinite where missing.
    scales : float array
        What each row was multiplied by: its dual has to be multiplied by the same to be that of the original.
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
