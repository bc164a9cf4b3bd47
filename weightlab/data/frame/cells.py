"""Score cells: doubles, with the exact values of the decimals that no double prints as."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import BoolArray, FloatArray, IntArray, common_denominator, shortest_decimal
from weightlab._validate import (
    EXACT_INTEGER,
    Faults,
    exact_cell,
    is_missing,
    nearest_or_exact,
    number_like,
    plain_column,
    plain_frame,
    written,
)
from weightlab.data.frame.arrays import FrozenArrays

SAFE_INTEGER = 2**61
"""Integers below this size may be subtracted from one another in int64."""
MOST_PLACES = 600
"""Numbers with more decimal places are written as ``p/q``; with so many, text is still read back."""
MOST_SHOWN = 60
"""Characters of a cell shown in a message."""


class Cells(FrozenArrays):
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

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, faults: Faults, *, row_kind: str, column_kind: str) -> Cells:
        """Return the cells of a frame, noting each cell that is not a finite number with its row and column."""
        whole = plain_frame(frame)
        if whole is not None:
            for column, row in np.argwhere(np.isinf(whole.T)).tolist():
                where = f"{row_kind} {str(frame.index[row])!r}, {column_kind} {str(frame.columns[column])!r}"
                faults.add(partial(_cell_fault, where, float(whole[row, column]), "is infinite"))
            return cls(floats=whole, exact={})
        floats = np.full(frame.shape, np.nan)
        exact: dict[tuple[int, int], Fraction] = {}
        unnamed = names_in_first_column(frame)
        if unnamed:
            faults.add(
                f"column {str(frame.columns[0])!r} holds text and the rows are only numbered: if it names the "
                f"{row_kind}s, pass frame.set_index({frame.columns[0]!r})"
            )
        for column, (_, series) in enumerate(frame.items()):
            if unnamed and column == 0:
                continue
            where = f"{column_kind} {str(frame.columns[column])!r}"
            for row, (value, fault) in _read_column(series, column, floats, exact).items():
                faults.add(partial(_cell_fault, f"{row_kind} {str(frame.index[row])!r}, {where}", value, fault))
        return cls(floats=floats, exact=exact)

    @classmethod
    def from_columns(cls, columns: Collection[Sequence[float | Fraction]]) -> Cells:
        """Return the cells of columns with one number per row: NaN, a double that prints as it, or the exact one."""
        numbers = {(row, column): one for column, own in enumerate(columns) for row, one in enumerate(own)}
        exact = {place: one for place, one in numbers.items() if isinstance(one, Fraction)}
        return cls(floats=np.array([*zip(*columns, strict=True)], dtype=np.float64), exact=exact)

    @classmethod
    def from_fractions(cls, numbers: Mapping[tuple[int, int], Fraction], shape: tuple[int, int]) -> Cells:
        """Return the cells of exact numbers by row and column; the others are missing."""
        return cls(floats=np.full(shape, np.nan), exact={}).replaced(numbers)

    def replaced(self, numbers: Mapping[tuple[int, int], Fraction]) -> Cells:
        """Return the cells with exact numbers in some places, by row and column."""
        floats = self.floats.copy()
        exact = {place: number for place, number in self.exact.items() if place not in numbers}
        for place, number in numbers.items():
            cell = nearest_or_exact(number)
            floats[place] = float(cell)
            if isinstance(cell, Fraction):
                exact[place] = cell
        return Cells(floats=floats, exact=exact)

    @property
    def missing(self) -> BoolArray:
        """Where scores are missing (rows x columns)."""
        return np.isnan(self.floats)

    def equals(self, other: Cells) -> bool:
        """Return whether other cells hold the same exact numbers at the same places."""
        return dict(self.exact) == dict(other.exact) and bool(np.array_equal(self.floats, other.floats, equal_nan=True))

    def take(self, rows: Sequence[int], columns: Sequence[int]) -> Cells:
        """Return the chosen rows and columns, in the given order, as often as they are named."""
        exact = {
            (new_row, new_column): self.exact[row, column]
            for new_row, row in enumerate(rows if self.exact else ())
            for new_column, column in enumerate(columns)
            if (row, column) in self.exact
        }
        return Cells(floats=self.floats[np.ix_(rows, columns)], exact=exact)

    def where(self, kept: BoolArray) -> Cells:
        """Return the cells of some places (a mask); the others are missing."""
        exact = {place: value for place, value in self.exact.items() if kept[place]}
        return Cells(floats=np.where(kept, self.floats, np.nan), exact=exact)

    def nowhere(self) -> Cells:
        """Return the cells of a table of this shape in which all are missing."""
        return Cells(floats=np.full(self.floats.shape, np.nan), exact={})

    def column(self, column: int) -> list[Fraction | None]:
        """Return one column exactly; None where a score is missing."""
        return [
            self.exact.get((row, column), None if math.isnan(value) else shortest_decimal(value))
            for row, value in enumerate(self.floats[:, column].tolist())
        ]

    def texts(self, column: int) -> list[str]:
        """Return one column as text that reads back to the same numbers; empty where a score is missing."""
        return [_text(self.exact.get((row, column), float(value))) for row, value in enumerate(self.floats[:, column])]

    def levels(self, *, lower_is_better: BoolArray) -> FloatArray:
        """Return numbers that order each column as the scores do, greater being better; NaN where missing."""
        levels = np.where(lower_is_better, -self.floats, self.floats)
        # Doubles order a column as their decimals do. Only where exact values stand among them are ranks needed.
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
        scaled, denominator = common_denominator([value or Fraction(0) for value in self.column(column)])
        fits = all(abs(number) < SAFE_INTEGER for number in scaled)
        return np.array(scaled, dtype=np.int64 if fits else object), denominator


def _read_column(
    series: pd.Series, column: int, floats: FloatArray, exact: dict[tuple[int, int], Fraction]
) -> dict[int, tuple[Any, str]]:
    """Read a column of a frame into its doubles and exact values; return the errors by row, with their text."""
    plain = plain_column(series)
    if plain is not None:
        floats[:, column] = plain
        return {int(row): (float(plain[row]), "is infinite") for row in np.flatnonzero(np.isinf(plain))}
    faults: dict[int, tuple[Any, str]] = {}
    for row, value in enumerate(written(series)):
        try:
            number = exact_cell(value)
        except ValueError as error:
            faults[row] = (value, str(error))
            continue
        floats[row, column] = float(number)
        if isinstance(number, Fraction):
            exact[row, column] = number
    return faults


def names_in_first_column(frame: pd.DataFrame) -> bool:
    """Return whether the rows are only numbered and the first column holds only text that is not a number."""
    if frame.shape[1] < 2 or not isinstance(frame.index, pd.RangeIndex):
        return False
    values = [value for value in written(frame.iloc[:, 0]) if not is_missing(value)]
    return bool(values) and not any(not isinstance(value, str) or number_like(value) for value in values)


def holds_text(series: pd.Series) -> bool:
    """Return whether a column holds text that is not a number, or objects."""
    if plain_column(series) is not None:
        return False
    values = (value for value in written(series) if not is_missing(value))
    return any(isinstance(value, Mapping) or (isinstance(value, str) and not number_like(value)) for value in values)


def _cell_fault(where: str, value: Any, fault: str) -> str:
    shown = repr(value) if isinstance(value, str) or not fault.startswith("has more") else "a number that"
    return f"{where}: {shown if len(shown) <= MOST_SHOWN else shown[: MOST_SHOWN - 3] + '...'} {fault}"


def _text(number: float | Fraction) -> str:
    if isinstance(number, Fraction):
        return exact_text(number)
    if np.isnan(number):
        return ""
    return str(int(number)) if number.is_integer() and abs(number) < EXACT_INTEGER else repr(number)


def decimal_places(denominator: int) -> int | None:
    """Return the decimal places of fractions with this denominator in lowest terms, or None when they have no end."""
    # A fraction in lowest terms ends in decimals exactly if its denominator has no prime but 2 and 5.
    left, places = denominator, 0
    for prime in (2, 5):
        power = 0
        while left % prime == 0:
            left //= prime
            power += 1
        places = max(places, power)
    return places if left == 1 else None


def exact_text(number: Fraction) -> str:
    """Return the decimal text of a fraction if it has one of readable length, else ``p/q``."""
    digits = decimal_places(number.denominator)
    if digits is None or digits > MOST_PLACES:
        return f"{number.numerator}/{number.denominator}"
    if digits == 0:
        return str(number.numerator)
    padded = str(abs(number.numerator) * 10**digits // number.denominator).zfill(digits + 1)
    return f"{'-' if number < 0 else ''}{padded[:-digits]}.{padded[-digits:]}"
