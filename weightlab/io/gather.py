"""From the blocks of a sheet to whole columns of names and of exact numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from weightlab._typing import FloatArray
from weightlab.io.numbers import Numbers, ReadNumber, numbers, shown
from weightlab.io.sheet import Block, FileFaults, Sheet

__all__ = ["Gathered", "Names", "Scores", "gathered"]


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
    codes: npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """A column of scores: doubles, NaN where missing, and the exact values of those that no double prints as."""

    floats: FloatArray
    exact: Mapping[int, Fraction]


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """Whole columns by their position in the sheet.

    Attributes
    ----------
    places : ndarray of int
        The line or number of each row.
    names, scores, texts : mappings
        What was asked for.
    """

    places: npt.NDArray[np.int64]
    names: Mapping[int, Names]
    scores: Mapping[int, Scores]
    texts: Mapping[int, Sequence[Any]]


def gathered(
    sheet: Sheet,
    faults: FileFaults,
    *,
    names: Sequence[int],
    scores: Mapping[int, ReadNumber],
    texts: Sequence[int] = (),
    blank: Sequence[int] = (),
) -> Gathered:
    """Return the columns asked for, noting each cell that is not what it should be with its place.

    Parameters
    ----------
    sheet : Sheet
        Its blocks are used up.
    faults : FileFaults
        What is wrong is noted here.
    names, scores, texts, blank : positions of columns
        Read as names, as numbers (with the way to read each), as they stand, or required to be empty.
    """
    known: dict[int, dict[str, int]] = {column: {} for column in names}
    codes: dict[int, list[npt.NDArray[np.int64]]] = {column: [] for column in names}
    parts: dict[int, list[Numbers]] = {column: [] for column in scores}
    kept: dict[int, list[Any]] = {column: [] for column in texts}
    places: list[npt.NDArray[np.int64]] = []
    for block in sheet.blocks:
        places.append(np.asarray(block.places, dtype=np.int64))
        wrong: list[tuple[int, int, str]] = []
        for column in names:
            codes[column].append(_coded(block, column, known[column], wrong))
        for column, read in scores.items():
            parts[column].append(numbers(block.columns[column], read))
            wrong += [(row, column, matter) for row, matter in parts[column][-1].wrong.items()]
        for column in texts:
            kept[column] += block.columns[column]
        for column in blank:
            wrong += _not_blank(block, column)
        _note(wrong, block, sheet, faults)
        if faults.enough:
            break
    return Gathered(
        places=_joined(places, np.int64),
        names={j: Names(distinct=tuple(known[j]), codes=_joined(codes[j], np.int64)) for j in names},
        scores={j: _whole(parts[j]) for j in scores},
        texts=kept,
    )


def _coded(
    block: Block, column: int, known: dict[str, int], wrong: list[tuple[int, int, str]]
) -> npt.NDArray[np.int64]:
    cells = block.columns[column]
    meant = {cell: _name(cell) for cell in dict.fromkeys(cells)}
    for name in meant.values():
        known.setdefault(name, len(known))
    if any(not name.strip() for name in meant.values()):
        wrong += [(row, column, "is no name") for row, cell in enumerate(cells) if not meant[cell].strip()]
    position = {cell: known[name] for cell, name in meant.items()}
    return np.fromiter(map(position.__getitem__, cells), dtype=np.int64, count=len(cells))


def _name(cell: Any) -> str:
    return "" if cell is None or cell != cell else str(cell)  # noqa: PLR0124 (NaN differs from itself)


def _not_blank(block: Block, column: int) -> list[tuple[int, int, str]]:
    cells = enumerate(block.columns[column])
    return [(row, column, "stands below no name") for row, cell in cells if _name(cell).strip()]


def _note(wrong: list[tuple[int, int, str]], block: Block, sheet: Sheet, faults: FileFaults) -> None:
    for row, column, matter in sorted(wrong):
        name = sheet.header[column]
        where = f"column {name!r}" if name.strip() else f"column {column + 1}"
        told = matter.replace("[...]", f"[{name!r}]").replace("{...:", f"{{{name!r}:")
        faults.add(f"{sheet.row} {block.places[row]}, {where}: {shown(block.columns[column][row])} {told}")
        if faults.enough:
            return


def _whole(parts: Sequence[Numbers]) -> Scores:
    exact: dict[int, Fraction] = {}
    start = 0
    for part in parts:
        exact.update({start + position: value for position, value in part.exact.items()})
        start += len(part.floats)
    return Scores(floats=_joined([part.floats for part in parts], np.float64), exact=exact)


def _joined(parts: Sequence[npt.NDArray[Any]], kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=kind)
