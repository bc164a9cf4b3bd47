"""From the text of a cell to its exact number."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from weightlab._cures import Cure, Fault, as_fault
from weightlab._exact import FloatArray, IntArray, fraction
from weightlab._result import Frozen
from weightlab._validate import EXACT_DIGITS, EXACT_INTEGER, exact_cell, is_missing, nearest_or_exact, number_from_text

MISSING = frozenset({"", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null", "none"})
"""Texts for a missing score, in any case, with or without blanks around them."""
USUAL_MISSING = frozenset({"", "-", "NA", "N/A", "nan", "NaN", "NAN"})
"""How it is usually written."""
_OF_A_COMMA = re.compile(r"[+-]?[0-9]{1,3}(\.[0-9]{3})+,[0-9]*")
"""A number with a decimal comma and points between its thousands."""
ReadNumber: TypeAlias = Callable[[Any], float | Fraction]
"""From a cell to its number, NaN where missing; raises ValueError with the end of a sentence about the cell."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Coded(Sequence[str]):
    """A column of texts that holds each distinct one once.

    Attributes
    ----------
    distinct : list of str
        In order of first appearance.
    codes : ndarray of int
        For each row the position of its text.
    """

    distinct: list[str]
    codes: IntArray

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)

    def __getitem__(self, row: Any) -> Any:
        """Return the text in a row."""
        return self.distinct[self.codes[row]]


class Numbers(Frozen, eq=True):
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


def stands_for_nothing(cell: Any) -> bool:
    """Return whether a cell is a missing score."""
    return cell.strip().casefold() in MISSING if isinstance(cell, str) else is_missing(cell)


def number(cell: Any) -> float | Fraction:
    """Return the number of a cell: text as the decimal that is written, anything else as `Leaderboard` takes it."""
    if not isinstance(cell, str):
        return exact_cell(cell)
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if math.isfinite(value) and repr(value) == cell:
        return value  # the most common case, recognised fast
    if stands_for_nothing(cell):
        return math.nan
    try:
        return number_from_text(cell.strip())
    except ValueError as error:
        raise ValueError(_helped(as_fault(error.args[0]), cell)) from None


def percentage(cell: Any) -> float | Fraction:
    """Return the number before a percent sign, which must be there; it is not divided by 100."""
    if stands_for_nothing(cell):
        return math.nan
    text = cell.strip() if isinstance(cell, str) else ""
    if not text.endswith("%"):
        raise ValueError("has no percent sign, though its column is declared in percent")
    return number_from_text(text[:-1].rstrip())


def in_percent(cell: Any) -> float | Fraction:
    """Return the number of a cell in percent, with its sign or without."""
    return percentage(cell) if isinstance(cell, str) and cell.rstrip().endswith("%") else number(cell)


def percentage_of_fraction(cell: Any) -> float | Fraction:
    """Return the number of a cell in percent; without a percent sign it is a fraction, and 100 times that counts."""
    value = in_percent(cell)
    if math.isnan(value) or (isinstance(cell, str) and cell.rstrip().endswith("%")):
        return value
    if not -1 <= value <= 1:
        raise ValueError("is above 1, and the other scores of its column, declared in percent, are fractions")
    return nearest_or_exact(100 * fraction(value))


def number_alone(cell: Any) -> float | Fraction:
    """Return the number of a cell where no column can be declared to hold others."""
    try:
        return number(cell)
    except ValueError as error:
        told = as_fault(error.args[0])
    raise ValueError(Fault(told, *(cure for cure in told.cure if cure.argument in {"decimal", "thousands"})))


def number_of_row(cell: Any) -> float | Fraction:
    """Return the number of a cell of a table with one row per score."""
    try:
        return number_alone(cell)
    except ValueError as error:
        told = error.args[0]
    ways = {"is a percentage": "write the number without the sign", "holds several numbers": "write a row for each"}
    raise ValueError(f"{told}; {ways[told]}" if told in ways else told)


Told = TypeVar("Told")
READ_PLAIN = (number, number_alone, number_of_row)
"""What reads a plain decimal as it is written."""


def numbers(cells: Iterable[Any], read: ReadNumber = number) -> Numbers:
    """Return the numbers of cells: all at once if they are plain, or else each distinct one read once."""
    if isinstance(cells, np.ndarray) and read is number and _is_doubles(cells):
        floats_as_stored = cells.astype(np.float64, copy=False)
        infinite = np.flatnonzero(np.isinf(floats_as_stored)).tolist()
        return Numbers(floats=floats_as_stored, exact={}, wrong=dict.fromkeys(infinite, "is infinite"))
    listed = cells.distinct if isinstance(cells, Coded) else list(cells)
    plain = _plain(listed) if read in READ_PLAIN else None
    if plain is not None:
        whole = np.array(plain, dtype=np.float64)
        return Numbers(floats=whole[cells.codes] if isinstance(cells, Coded) else whole, exact={}, wrong={})
    if not isinstance(cells, Coded):
        place = {cell: at for at, cell in enumerate(dict.fromkeys(listed))}
        codes = np.fromiter(map(place.__getitem__, listed), dtype=np.int64, count=len(listed))
        cells = Coded(distinct=list(place), codes=codes)
    floats: dict[Any, float] = dict.fromkeys(USUAL_MISSING, math.nan)  # needs no reading at all
    unread = [cell for cell in cells.distinct if cell not in USUAL_MISSING]
    plain = _plain(unread) if read in READ_PLAIN else None
    floats.update(zip(unread, plain or (), strict=False))
    exact: dict[Any, Fraction] = {}
    wrong: dict[Any, str] = {}
    for cell in unread if plain is None else ():
        try:
            value = read(cell)
        except ValueError as error:
            wrong[cell] = error.args[0]
            value = math.nan
        if isinstance(value, Fraction):
            exact[cell] = value
        floats[cell] = float(value)
    found = np.array([floats[cell] for cell in cells.distinct], dtype=np.float64)
    return Numbers(floats=found[cells.codes], exact=_by_row(exact, cells), wrong=_by_row(wrong, cells))


def _by_row(told: Mapping[Any, Told], cells: Coded) -> dict[int, Told]:
    """Return the values of some distinct cells for the rows that hold them."""
    codes = [code for code, cell in enumerate(cells.distinct) if cell in told] if told else []
    rows = np.flatnonzero(np.isin(cells.codes, codes)).tolist() if codes else []
    return {row: told[cells[row]] for row in rows}


def _is_doubles(cells: npt.NDArray[Any]) -> bool:
    """Return whether an array holds doubles, or integers that all are doubles."""
    if cells.dtype == np.float64:
        return True
    whole = cells.dtype.kind in "iu"
    return whole and (cells.size == 0 or max(int(cells.max()), -int(cells.min())) < EXACT_INTEGER)


def _plain(cells: Sequence[Any]) -> list[float] | None:
    """Return doubles at once where all cells are texts of decimals that these print as; otherwise None."""
    if set(map(type, cells)) != {str}:
        return None
    try:
        values = list(map(float, cells))
    except ValueError:
        return None
    # With so few characters and no exponent there are at most 15 digits, and the number is not subnormal.
    if max(map(len, cells)) <= EXACT_DIGITS and not "".join(cells).encode().translate(None, b"+-.0123456789"):
        return values
    return values if list(map(repr, values)) == cells and all(map(math.isfinite, values)) else None


def shown(cell: Any) -> str:
    """Return how a message shows a cell."""
    text = str(cell) if isinstance(cell, np.generic) else repr(cell)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _helped(matter: Fault, cell: str) -> Fault:
    """Return the matter with what a file would have to say instead."""
    if matter.startswith("has a comma;"):
        return Fault("has a comma", Cure("decimal", ","))
    if matter.startswith("has thousands separators;"):
        return Fault("has thousands separators", Cure("thousands", next(filter(" ,'".__contains__, cell.strip()), ",")))
    if not matter.startswith(("is not a number", "is text, not a number")):
        return matter
    if _OF_A_COMMA.fullmatch(cell.strip()):
        return Fault("has thousands separators and a comma", Cure("decimal", ",", also=Cure("thousands", ".")))
    if cell.strip().casefold() in {"true", "false"}:
        return Fault("is not a number; write 1 for true and 0 for false")
    return Fault("is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan')")
