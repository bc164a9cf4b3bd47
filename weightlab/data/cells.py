"""Score cells: doubles, and beside them the exact values of those decimals that no double prints as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._typing import BoolArray, FloatArray, IntArray
from weightlab._validate import Faults, exact_cell

__all__ = ["Cells"]

EXACT_INTEGER = 2**53
"""Up to this size every integer is a double."""

SAFE_INTEGER = 2**61
"""Integers below this size may be subtracted from one another in int64."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Cells:
    """A table of scores (rows x columns), compared as the decimals that were written.

    Attributes
    ----------
    floats : ndarray of float64, rows x columns
        The nearest doubles; NaN where a score is missing. Read-only.
    exact : mapping from (row, column) to Fraction
        The cells whose decimal is not what their double prints as, such as ones with twenty digits.
    """

    floats: FloatArray
    exact: Mapping[tuple[int, int], Fraction]

    def __post_init__(self) -> None:
        """Make the array read-only: tables are immutable."""
        self.floats.setflags(write=False)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, faults: Faults, *, row_kind: str, column_kind: str) -> Cells:
        """Return the cells of a frame, noting each cell that is not a finite number with its row and column."""
        kinds = (row_kind, column_kind)
        floats = np.full(frame.shape, np.nan)
        exact: dict[tuple[int, int], Fraction] = {}
        for column in range(frame.shape[1]):
            series = frame.iloc[:, column]
            plain = _plain_column(series)
            if plain is not None:
                floats[:, column] = plain
                for row in np.flatnonzero(np.isinf(plain)):
                    faults.add(f"{_cell(frame, int(row), column, kinds)} is infinite")
                continue
            for row, value in enumerate(series.tolist()):
                try:
                    number = exact_cell(value)
                except ValueError as error:
                    faults.add(f"{_cell(frame, row, column, kinds)} {error}")
                    continue
                floats[row, column] = float(number)
                if isinstance(number, Fraction):
                    exact[row, column] = number
        return cls(floats=floats, exact=exact)

    @property
    def missing(self) -> BoolArray:
        """Where scores are missing (rows x columns)."""
        return np.isnan(self.floats)

    def take(self, rows: Sequence[int], columns: Sequence[int]) -> Cells:
        """Return the chosen rows and columns, in the given order."""
        new_row = {old: new for new, old in enumerate(rows)}
        new_column = {old: new for new, old in enumerate(columns)}
        exact = {
            (new_row[row], new_column[column]): value
            for (row, column), value in self.exact.items()
            if row in new_row and column in new_column
        }
        return Cells(floats=self.floats[np.ix_(rows, columns)], exact=exact)

    def column(self, column: int) -> list[Fraction | None]:
        """Return one column exactly; None where a score is missing."""
        return [
            self.exact.get((row, column), None if np.isnan(value) else Fraction(repr(float(value))))
            for row, value in enumerate(self.floats[:, column])
        ]

    def texts(self, column: int) -> list[str]:
        """Return one column as text that reads back to the same numbers; empty where a score is missing."""
        return [_text(self.exact.get((row, column), float(value))) for row, value in enumerate(self.floats[:, column])]

    def levels(self, *, lower_is_better: BoolArray) -> FloatArray:
        """Return numbers that order each column as the scores do, greater being better; NaN where missing."""
        levels = np.where(lower_is_better, -self.floats, self.floats)
        for column in sorted({column for _, column in self.exact}):
            values = self.column(column)
            order = {value: rank for rank, value in enumerate(sorted({v for v in values if v is not None}))}
            direction = -1.0 if lower_is_better[column] else 1.0
            levels[:, column] = [np.nan if value is None else direction * order[value] for value in values]
        return levels

    def integers(self, column: int) -> tuple[IntArray, int]:
        """Return one column as integers over a common denominator (0 where missing), and the denominator.

        The integers are int64 where their differences fit, Python integers otherwise.
        """
        values = self.column(column)
        denominator = int(np.lcm.reduce([v.denominator for v in values if v is not None] or [1], dtype=object))
        scaled = [0 if v is None else v.numerator * (denominator // v.denominator) for v in values]
        fits = all(abs(number) < SAFE_INTEGER for number in scaled)
        return np.array(scaled, dtype=np.int64 if fits else object), denominator


def _plain_column(series: pd.Series) -> FloatArray | None:
    """Return a numeric column as doubles that print as the decimals meant, or None when cells must be read singly."""
    dtype = series.dtype
    if dtype == np.float64 or pd.api.types.is_bool_dtype(dtype):
        return _doubles(series)
    if isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize < np.dtype(np.float64).itemsize:
        return series.to_numpy().astype(str).astype(np.float64)
    if pd.api.types.is_integer_dtype(dtype):
        values = _doubles(series)
        return values if np.all(np.isnan(values) | (np.abs(values) < EXACT_INTEGER)) else None
    if pd.api.types.is_float_dtype(dtype) and str(dtype).casefold() in {"float64", "double[pyarrow]"}:
        return _doubles(series)
    return None


def _doubles(series: pd.Series) -> FloatArray:
    return np.array(series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)


def _cell(frame: pd.DataFrame, row: int, column: int, kinds: tuple[str, str]) -> str:
    shown = repr(frame.iloc[row, column])
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return f"{kinds[0]} {str(frame.index[row])!r}, {kinds[1]} {str(frame.columns[column])!r}: {shown}"


def _text(number: float | Fraction) -> str:
    if isinstance(number, Fraction):
        return exact_text(number)
    if np.isnan(number):
        return ""
    return str(int(number)) if number.is_integer() and abs(number) < EXACT_INTEGER else repr(number)


def exact_text(number: Fraction) -> str:
    """Return the decimal text of a fraction where it has one, else ``p/q``."""
    twos_and_fives = number.denominator
    for factor in (2, 5):
        while twos_and_fives % factor == 0:
            twos_and_fives //= factor
    if twos_and_fives != 1:
        return f"{number.numerator}/{number.denominator}"
    digits = 0
    while 10**digits % number.denominator:
        digits += 1
    if digits == 0:
        return str(number.numerator)
    padded = str(abs(number.numerator) * 10**digits // number.denominator).zfill(digits + 1)
    return f"{'-' if number < 0 else ''}{padded[:-digits]}.{padded[-digits:]}"
