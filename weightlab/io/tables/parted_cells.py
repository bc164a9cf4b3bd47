"""Positions of standard errors in a table: in columns next to the scores, or after them in the cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial
from math import nan
from typing import Any

import pandas as pd

from weightlab._cures import as_fault, reworded
from weightlab._exact import fraction
from weightlab._result import Frozen
from weightlab._text import is_text
from weightlab._validate import MARKS, Faults, named_subset, written
from weightlab.data import Group
from weightlab.exceptions import InputError
from weightlab.io.tables.columns import Scores, cleaned
from weightlab.io.tables.declarations import KEYS, Settings
from weightlab.io.tables.exact_numbers import ReadNumber, numbers, shown, stands_for_nothing
from weightlab.io.tables.sheet import FileFaults

SUFFIX = "_stderr"
"""What evaluation programs append to the name of a metric to call its standard error."""
SIGNS = ("±", "+/-", "+-")
"""Signs between a score and its spread, which may also be in brackets."""
MEANINGS = ("standard_error", "dropped")


class ErrorColumns(Frozen, eq=True):
    """The columns that hold standard errors.

    Attributes
    ----------
    of : mapping from int to int
        By the column of the scores.
    all : frozenset of int
        With those whose column of scores is left out: none of them is a task.
    """

    of: Mapping[int, int]
    all: frozenset[int]


def error_columns(
    header: Sequence[str], rest: Sequence[int], dropped: set[str], declared: Settings, faults: FileFaults
) -> ErrorColumns:
    """Return which of the columns that are left hold standard errors, as is declared or as their names end."""
    said = declared.values.get("standard_errors", SUFFIX)
    place = {header[position]: position for position in rest}
    if said is False:
        return ErrorColumns(of={}, all=frozenset())
    if isinstance(said, Mapping):
        where = declared.place("standard_errors")
        for names in (tuple(said), tuple(said.values())):
            named_subset(tuple(map(str, names)), list(place), "column", faults, holder="file", where=where)
        pairs = {str(task): str(column) for task, column in said.items()}
    elif isinstance(said, str) and said:
        pairs = {name.removesuffix(said): name for name in place if name.endswith(said) and name != said}
        pairs = {task: name for task, name in pairs.items() if task in place or task in dropped}
    else:
        faults.add(f"{declared.place('standard_errors')} must be {KEYS['standard_errors'][1]}; got {said!r}")
        return ErrorColumns(of={}, all=frozenset())
    both = {place[task]: place[name] for task, name in pairs.items() if task in place and name in place}
    for name in {header[task] for task in both} & {header[column] for column in both.values()}:
        faults.add(f"{declared.place('standard_errors')}: column {name!r} has standard errors and holds some")
    return ErrorColumns(of=both, all=frozenset(place[name] for name in pairs.values() if name in place))


def names_of_errors(columns: Iterable[str], declared: Settings) -> set[str]:
    """Return the names of the columns that hold the standard errors of some columns, if there are any."""
    said = declared.values.get("standard_errors", SUFFIX)
    if isinstance(said, Mapping):
        return {str(said[name]) for name in columns if name in said}
    return {f"{name}{said}" for name in columns} if isinstance(said, str) and said else set()


def spreads(
    header: Sequence[str], tasks: Sequence[int], declared: Settings, reads: Mapping[int, ReadNumber], faults: FileFaults
) -> dict[int, Spread]:
    """Return the columns whose cells hold a spread behind the score, as is declared."""
    said = declared.values.get("spread", {})
    given = {header[task]: said for task in tasks} if isinstance(said, str) else said
    if not isinstance(given, Mapping) or not all(meaning in MEANINGS for meaning in given.values()):
        faults.add(f"{declared.place('spread')} must be {KEYS['spread'][1]}; got {said!r}")
        return {}
    names = [header[task] for task in tasks]
    named_subset(tuple(given), names, "column", faults, holder="file", where=declared.place("spread"))
    return {
        task: Spread(column=header[task], is_error=given[header[task]] == MEANINGS[0], read=reads[task])
        for task in tasks
        if header[task] in given
    }


class Spread(Frozen, eq=True):
    """A column whose cells hold a score and behind it a spread, such as ``84.2 ± 0.3`` or ``93.3(0.5)``.

    Attributes
    ----------
    column : str
        Its name.
    is_error : bool
        Whether the spread is the standard error; otherwise it is dropped.
    read : function
        From the text of a score or spread to its number.
    """

    column: str
    is_error: bool
    read: ReadNumber

    def scores(
        self, cells: Sequence[Any], place: Callable[[int, str], str], faults: FileFaults
    ) -> tuple[Scores, Scores | None]:
        """Return the scores and, where they are such, the standard errors; a cell may do without a spread."""
        parted = [_parted(cell) for cell in cells]
        found = [numbers([pair[part] for pair in parted], self.read) for part in range(1 + self.is_error)]
        wrong = {row: matter for part in reversed(found) for row, matter in part.wrong.items()}
        if self.is_error:
            wrong |= {row: _UNCLEAR for row, cell in enumerate(cells) if row not in wrong and _is_unclear(cell)}
        for row, matter in sorted(wrong.items()):
            where = place(row, self.column)
            faults.add(reworded(f"{where}: {shown(cells[row])} {matter}", as_fault(matter).of(self.column)))
        scores, *errors = (Scores(floats=part.floats, exact=part.exact) for part in found)
        return scores, errors[0] if errors else None


def _parted(cell: Any) -> tuple[Any, str]:
    """Return the score and the spread of a cell, empty where it has none."""
    if not isinstance(cell, str):
        return cell, ""
    text = cell.strip(MARKS)
    for sign in SIGNS:
        score, found, spread = text.partition(sign)
        if found and score.strip():
            return score.strip(MARKS), spread.strip(MARKS) or "?"
    score, found, spread = text[:-1].rpartition("(")
    inside = found and text.endswith(")") and score.strip()
    return (score.strip(MARKS), spread.strip(MARKS)) if inside else (text, "")


_UNCLEAR = "does not say in which unit the number in brackets is: write both to the same place, as in 84.2 (0.3)"


def _is_unclear(cell: Any) -> bool:
    """Return whether a spread may be in units of the last digit: 0.84251(1) is 0.84251 ± 0.00001 to a physicist."""
    score, spread = _parted(cell)
    inside = isinstance(cell, str) and cell.rstrip().endswith(")")
    return inside and spread.isdigit() and int(spread[:300]) > 0 and not str(score).isdigit()


# Several scores in a cell, such as 93.9/91.8.


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
        Separator of the parts.
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
    """Return numbers by task, with those of a split column applied to its parts; other values unchanged."""
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


# Texts for a missing score, besides the usual ones: declared for all columns, or for one.


def missing_values(declared: Settings, header: Sequence[str], faults: FileFaults) -> dict[str, tuple[str, ...]]:
    """Return the texts for a missing score by column, for columns that have any.

    A text such as ``RTFx=-1`` applies to the column or the pattern before its last equals sign, any other to all
    columns.
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
    """Return a test of whether a cell is one of some values, as text or as a number."""
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
