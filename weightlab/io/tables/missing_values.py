"""What stands for a missing score in a table, besides the usual: declared of all columns, or of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from math import nan
from typing import Any

from weightlab._text import is_text
from weightlab.io.tables.declarations import Settings
from weightlab.io.tables.exact_numbers import ReadNumber
from weightlab.io.tables.sheet import FileFaults


def missing_values(declared: Settings, header: Sequence[str], faults: FileFaults) -> dict[str, tuple[str, ...]]:
    """Return what stands for a missing score by column, of those columns where something does.

    A text such as ``RTFx=-1`` is of the column or the pattern before its last equals sign, any other of all columns.
    """
    found: dict[str, tuple[str, ...]] = {}
    for text in declared.listed("missing_value"):
        name, divides, value = text.rpartition("=")
        if not is_text(text) or not value:
            faults.add(f"{declared.place('missing_value')} must be a text, or COLUMN=TEXT; got {text!r}")
        meant = [name] if name in header else [one for one in header if divides and fnmatchcase(one, name)]
        if divides and not meant:
            faults.add(f"{declared.place('missing_value')}: no column named {name!r}")
        for column in meant if divides else header:
            found[column] = (*found.get(column, ()), value)
    return found


def stands_there(values: Sequence[str]) -> Callable[[Any], bool]:
    """Return what tells whether a cell is one of some values, as text or as a number."""
    texts, numbers = {one.strip().casefold() for one in values}, set[float]()
    for one in values:
        with suppress(ValueError):
            numbers.add(float(one))

    def tells(cell: Any) -> bool:
        text = cell.strip().casefold() if isinstance(cell, str) else str(cell)
        if text in texts:
            return True
        try:
            return bool(numbers) and float(text) in numbers
        except ValueError:
            return False

    return tells


def reading_but(read: ReadNumber, column: str, values: Mapping[str, Sequence[str]]) -> ReadNumber:
    """Return the way to read the numbers of a column in which some values stand for nothing."""
    if column not in values:
        return read
    tells = stands_there(values[column])
    return lambda cell: nan if tells(cell) else read(cell)
