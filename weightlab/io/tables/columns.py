"""From the blocks of a sheet to whole columns of names and of exact numbers."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from weightlab._typing import FloatArray
from weightlab._validate import SHOWN_FAULTS, is_missing
from weightlab.io.tables.exact_numbers import Numbers, ReadNumber, advised, numbers, shown
from weightlab.io.tables.sheet import Block, FileFaults, Sheet

__all__ = ["ColumnData", "Names", "Scores", "note_repeated", "read_columns"]

RowNumbers: TypeAlias = npt.NDArray[np.int32]
Wrong: TypeAlias = tuple[int, int, str]
"""Row within the block, column, and what is the matter with the cell."""


@dataclass(frozen=True, kw_only=True)
class Names:
    """A column of names.

    Attributes
    ----------
    distinct : tuple of str
        In order of first appearance.
    codes : ndarray of int
        For each row the position of its name.
    """

    distinct: tuple[str, ...]
    codes: RowNumbers


@dataclass(frozen=True, kw_only=True)
class Scores:
    """A column of scores: doubles, NaN where missing, and the exact values of those that no double prints as."""

    floats: FloatArray
    exact: Mapping[int, Fraction]


@dataclass(frozen=True, kw_only=True)
class ColumnData:
    """Whole columns by their position in the sheet.

    Attributes
    ----------
    rows : ndarray of int
        The line or number of each row.
    names, scores, texts : mappings
        What was asked for.
    """

    rows: RowNumbers
    names: Mapping[int, Names]
    scores: Mapping[int, Scores]
    texts: Mapping[int, Sequence[Any]]


def read_columns(
    sheet: Sheet,
    faults: FileFaults,
    *,
    names: Sequence[int],
    scores: Mapping[int, ReadNumber],
    words: Sequence[int] = (),
    texts: Sequence[int] = (),
    blank: Sequence[int] = (),
) -> ColumnData:
    """Return the columns asked for, noting each cell that is not what it should be with its place.

    Parameters
    ----------
    sheet : Sheet
        Its blocks are used up.
    faults : FileFaults
        What is wrong is noted here.
    names, scores, words, texts, blank : positions of columns
        Read as names, as numbers (with the way to read each), as names that may be empty, as they stand, or required
        to be empty.
    """
    codes = {column: _Codes() for column in (*names, *words)}
    parts: dict[int, list[Numbers]] = {column: [] for column in scores}
    kept: dict[int, list[Any]] = {column: [] for column in texts}
    rows: list[RowNumbers] = []
    for block in sheet.blocks:
        rows.append(np.asarray(block.rows, dtype=np.int32))
        wrong: list[Wrong] = []
        for column, coded in codes.items():
            unnamed = coded.add(block.columns[column])
            wrong += [(row, column, "is no name") for row in unnamed if column not in words]
        for column, read in scores.items():
            parts[column].append(numbers(block.columns[column], sheet.spelt(read)))
            wrong += [(row, column, matter) for row, matter in parts[column][-1].wrong.items()]
        for column in texts:
            kept[column] += block.columns[column]
        for column in blank:
            wrong += _not_blank(block, column)
        _note(wrong, block, sheet, faults)
        if faults.enough:
            faults.remark(f"reading stopped at {sheet.place(block.rows[-1])}")
            break
    if not rows and not faults:
        faults.add("there is a header and no row below it")
    return ColumnData(
        rows=np.concatenate([np.empty(0, dtype=np.int32), *rows]),
        names={column: coded.names() for column, coded in codes.items()},
        scores={column: _whole(parts.pop(column)) for column in scores},
        texts=kept,
    )


def note_repeated(found: ColumnData, columns: Mapping[str, int], sheet: Sheet, faults: FileFaults) -> None:
    """Note every row whose names, taken together, are those of an earlier row.

    Parameters
    ----------
    found : ColumnData
        Holds the names.
    columns : mapping from str to int
        The columns by what they name: ``{"model": 1, "instance": 0}``.
    sheet : Sheet
        Knows how to name a row.
    faults : FileFaults
        What is wrong is noted here.
    """
    keys = np.zeros(len(found.rows), dtype=np.int64)
    most = 1
    for column in columns.values():
        names = found.names[column]
        if most * len(names.distinct) >= np.iinfo(np.int64).max:
            keys = np.unique(keys, return_inverse=True)[1]
            most = len(keys)
        keys = keys * len(names.distinct) + names.codes
        most *= len(names.distinct)
    _, first, dense = np.unique(keys, return_index=True, return_inverse=True)
    for row in np.flatnonzero(first[dense] != np.arange(len(keys))).tolist():
        faults.add(partial(_repeated, found, columns, sheet, row, int(first[dense[row]])))


def _repeated(found: ColumnData, columns: Mapping[str, int], sheet: Sheet, row: int, first: int) -> str:
    named = {what: found.names[column] for what, column in columns.items()}
    told = ", ".join(f"{what} {names.distinct[names.codes[row]]!r}" for what, names in named.items())
    return f"{sheet.place(int(found.rows[row]))}: {told} is already in {sheet.place(int(found.rows[first]))}"


class _Codes(dict[str, int]):
    """Names by their number, which they are given when they are first met."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[RowNumbers] = []
        self.blank: set[int] = set()

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        if not name.strip():
            self.blank.add(number)
        return number

    def add(self, cells: Sequence[Any]) -> list[int]:
        """Give each cell of a block its number, and return the rows that have no name."""
        if set(map(type, cells)) != {str}:
            cells = list(map(_name, cells))
        codes = np.fromiter(map(self.__getitem__, cells), dtype=np.int32, count=len(cells))
        self.parts.append(codes)
        return np.flatnonzero(np.isin(codes, list(self.blank))).tolist() if self.blank else []

    def names(self) -> Names:
        """Return the whole column."""
        return Names(distinct=tuple(self), codes=np.concatenate([np.empty(0, dtype=np.int32), *self.parts]))


def _name(cell: Any) -> str:
    return "" if is_missing(cell) else str(cell)


def _not_blank(block: Block, column: int) -> list[Wrong]:
    cells = enumerate(block.columns[column])
    return [(row, column, "stands in a column without a name") for row, cell in cells if _name(cell).strip()]


def _note(wrong: list[Wrong], block: Block, sheet: Sheet, faults: FileFaults) -> None:
    for row, column, matter in heapq.nsmallest(SHOWN_FAULTS, wrong):
        faults.add(partial(_told, block, sheet, row, column, matter))
    for _ in wrong[SHOWN_FAULTS:]:
        faults.add("")  # counted only: the first ones fill the list


def _told(block: Block, sheet: Sheet, row: int, column: int, matter: str) -> str:
    name = sheet.header[column]
    where = f"column {name!r}" if name.strip() else f"column {column + 1}"
    return f"{sheet.place(block.rows[row])}, {where}: {shown(block.columns[column][row])} {advised(matter, name)}"


def _whole(parts: Sequence[Numbers]) -> Scores:
    exact: dict[int, Fraction] = {}
    start = 0
    for part in parts:
        exact.update({start + position: value for position, value in part.exact.items()})
        start += len(part.floats)
    return Scores(floats=np.concatenate([np.empty(0), *(part.floats for part in parts)]), exact=exact)
