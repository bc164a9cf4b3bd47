"""Columns that hold several scores in a cell, such as 93.9/91.8."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from weightlab._cures import as_fault, reworded
from weightlab._exact import fraction
from weightlab._result import Frozen
from weightlab._validate import Faults, written
from weightlab.data import Group
from weightlab.exceptions import InputError
from weightlab.io.tables.columns import Scores, cleaned
from weightlab.io.tables.exact_numbers import ReadNumber, numbers, shown, stands_for_nothing

Parts = Mapping[str, tuple[str, ...]]
"""The tasks that each split column became."""
Place = Callable[[int, str], str]
"""How a message names a cell, by row and column."""


class Split(Frozen, eq=True):
    """A column to be split.

    Attributes
    ----------
    column : str
        Its name.
    separator : str
        What stands between the parts.
    read : function
        From the text of a part to its number.
    """

    column: str
    separator: str
    read: ReadNumber

    def scores(self, cells: Sequence[Any], place: Place, faults: Faults) -> dict[str, Scores]:
        """Return the parts by name: of column MRPC they are MRPC_n1, MRPC_n2, ...

        The first cell that is not missing says how many there are; a missing cell is missing in each.
        """
        cells = [cleaned(cell) if isinstance(cell, str) and "*" in cell else cell for cell in cells]
        held = [row for row, cell in enumerate(cells) if not stands_for_nothing(cell)]
        if not held:
            faults.add(f"column {self.column!r} is to be split and holds no score")
            return {}
        first = str(cells[held[0]])
        count = first.count(self.separator) + 1
        if count == 1:
            faults.add(f"{place(held[0], self.column)}: {shown(first)} has no {self.separator!r} to split at")
            return {}
        texts = [[""] * len(cells) for _ in range(count)]
        for row in held:
            parts = str(cells[row]).split(self.separator)
            if len(parts) != count:
                faults.add(partial(self._of_other_count, cells, row, held[0], place))
                continue
            for text, part in zip(texts, parts, strict=True):
                text[row] = part
        names = [f"{self.column}_n{number}" for number in range(1, count + 1)]
        return {name: self._part(name, text, place, faults) for name, text in zip(names, texts, strict=True)}

    def _part(self, name: str, texts: list[str], place: Place, faults: Faults) -> Scores:
        part = numbers(texts, self.read)
        for row, matter in part.wrong.items():
            faults.add(reworded(f"{place(row, name)}: {shown(texts[row])} {matter}", as_fault(matter).of(self.column)))
        return Scores(floats=part.floats, exact=part.exact)

    def _of_other_count(self, cells: Sequence[Any], row: int, first: int, place: Place) -> str:
        one, other = (f"{shown(cells[at])} holds {_counted(str(cells[at]), self.separator)}" for at in (row, first))
        return f"{place(row, self.column)}: {one} where {other} ({place(first, self.column)})"


def extended_names(names: Any, parts: Parts) -> Any:
    """Return names with each split column replaced by its parts; what is neither a name nor a list stays as it is."""
    listed = [names] if isinstance(names, str | Group) else names
    if isinstance(listed, Mapping) or not isinstance(listed, Iterable):
        return names
    return [part for name in listed for part in (parts.get(name, (name,)) if isinstance(name, str) else (name,))]


def extended_numbers(given: Any, parts: Parts) -> Any:
    """Return numbers by task with what is said of a split column said of its parts; other values as they are."""
    if not isinstance(given, Mapping):
        return given
    return {part: number for name, number in given.items() for part in parts.get(str(name), (str(name),))}


def extended_weights(given: Any, parts: Parts, faults: Faults, place: str) -> Any:
    """Return weights by task in which the parts of a split column share its weight, 1 unless declared, equally."""
    by_name = {} if given is None else given
    if isinstance(by_name, pd.Series):
        by_name = dict(zip(by_name.index, written(by_name), strict=True))
    if not parts or not isinstance(by_name, Mapping):
        return given
    whole = {str(name): weight for name, weight in by_name.items()}
    weights = {name: weight for name, weight in whole.items() if name not in parts}
    for column, its in parts.items():
        named = [part for part in its if part in weights]
        if named and column in whole:
            faults.add(f"{place}: {column!r} and its part {named[0]!r} both have a weight; give one of them")
        elif not named:
            weights.update(dict.fromkeys(its, _share(whole.get(column, 1), len(its))))
    return weights


def _share(weight: Any, count: int) -> Any:
    try:
        return fraction(weight) / count
    except InputError:
        return weight  # no number: refused with all other weights


def _counted(text: str, separator: str) -> str:
    count = text.count(separator) + 1
    return "1 number" if count == 1 else f"{count} numbers"
