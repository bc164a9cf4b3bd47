"""Where standard errors stand in a table: in columns beside the scores, or in the cells behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from weightlab._cures import as_fault, reworded
from weightlab._result import Frozen
from weightlab._validate import MARKS, named_subset
from weightlab.io.tables.columns import Scores
from weightlab.io.tables.declarations import KEYS, Settings
from weightlab.io.tables.exact_numbers import ReadNumber, numbers, shown
from weightlab.io.tables.sheet import FileFaults

SUFFIX = "_stderr"
"""What evaluation programs append to the name of a metric to call its standard error."""
SIGNS = ("±", "+/-", "+-")
"""What stands between a score and its spread, which may also stand in brackets."""
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
    """Return what the columns that hold the standard errors of some columns are called, where there are such."""
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
    """Tell whether a spread may be in units of the last digit: 0.84251(1) is 0.84251 ± 0.00001 to a physicist."""
    score, spread = _parted(cell)
    inside = isinstance(cell, str) and cell.rstrip().endswith(")")
    return inside and spread.isdigit() and int(spread[:300]) > 0 and not str(score).isdigit()
