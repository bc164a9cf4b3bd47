"""From the text of a cell to its exact number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from weightlab._typing import FloatArray
from weightlab._validate import exact_cell, number_from_text

__all__ = ["MISSING", "Numbers", "ReadNumber", "is_missing", "number", "numbers", "percentage", "shown"]

MISSING = frozenset({"", "-", "na", "n/a", "nan"})
"""What stands for a missing score, in capitals or not, with blanks around it or not."""

ReadNumber: TypeAlias = Callable[[Any], float | Fraction]
"""From a cell to its number, NaN where missing; raises ValueError with the end of a sentence about the cell."""


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """A stretch of a column.

    Attributes
    ----------
    floats : ndarray of float64
        NaN where a score is missing or wrong.
    exact : dict from position to Fraction
        What no double prints as.
    wrong : dict from position to str
        What is the matter with a cell.
    """

    floats: FloatArray
    exact: dict[int, Fraction]
    wrong: dict[int, str]


def is_missing(text: str) -> bool:
    """Tell whether a text stands for a missing score."""
    return text.strip().casefold() in MISSING


def number(cell: Any) -> float | Fraction:
    """Return the number of a cell: text as the decimal that is written, anything else as `Leaderboard` takes it."""
    if not isinstance(cell, str):
        return exact_cell(cell)
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if math.isfinite(value) and repr(value) == cell:
        return value  # what most cells are, told apart fast
    if is_missing(cell):
        return math.nan
    try:
        return number_from_text(cell.strip())
    except ValueError as error:
        raise ValueError(_helped(str(error), cell)) from None


def percentage(cell: Any) -> float | Fraction:
    """Return the number before a percent sign, which must be there; it is not divided by 100."""
    if not isinstance(cell, str) or is_missing(cell):
        return number(cell)
    text = cell.strip()
    if not text.endswith("%"):
        raise ValueError("has no percent sign, though its column is declared in percent")
    return number_from_text(text[:-1].rstrip())


def numbers(cells: Iterable[Any], read: ReadNumber = number) -> Numbers:
    """Return the numbers of cells; each distinct text is read once."""
    if isinstance(cells, np.ndarray) and cells.dtype == np.float64:
        infinite = np.flatnonzero(np.isinf(cells)).tolist()
        return Numbers(floats=cells, exact={}, wrong=dict.fromkeys(infinite, "is infinite"))
    listed = list(cells)
    floats: dict[Any, float] = {}
    exact: dict[Any, Fraction] = {}
    wrong: dict[Any, str] = {}
    for cell in set(listed):
        try:
            value = read(cell)
        except ValueError as error:
            wrong[cell] = str(error)
            value = math.nan
        if isinstance(value, Fraction):
            exact[cell] = value
        floats[cell] = float(value)
    return Numbers(
        floats=np.fromiter(map(floats.__getitem__, listed), dtype=np.float64, count=len(listed)),
        exact={position: exact[cell] for position, cell in enumerate(listed) if cell in exact} if exact else {},
        wrong={position: wrong[cell] for position, cell in enumerate(listed) if cell in wrong} if wrong else {},
    )


def shown(cell: Any) -> str:
    """Return how a message shows a cell."""
    text = repr(cell)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _helped(matter: str, cell: str) -> str:
    if matter != "is not a number":
        return matter
    if cell.strip().casefold() in {"true", "false"}:
        return "is not a number; write 1 for true and 0 for false"
    return "is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan')"
