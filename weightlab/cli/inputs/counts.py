"""Numbers of instances per task, as ``--counts`` names them: a file of two columns, or a column of a long table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from weightlab._exact import fraction
from weightlab._result import told_of
from weightlab._text import listed
from weightlab.cli.options.table import Source
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError


def counts_of(board: Leaderboard, counts: str, source: Source) -> dict[str, Fraction]:
    """Return the number of instances of each task; InputError if a task has no count, or an invalid one."""
    rows = _column(counts, source) if not Path(counts).is_file() else _lines(counts)
    found: dict[str, Fraction] = {}
    for place, task, text in rows:
        with told_of(f"--counts {counts!r}, {place}", InputError):
            number = fraction(text)
            if number <= 0:
                raise InputError(f"expected a number of instances above 0; got {text!r}")
            if found.setdefault(task, number) != number:
                raise InputError(f"{task!r} has two counts, {found[task]} and {number}")
    # A task of a long table is called like its data set, with its metric before or behind a slash.
    own = {task: _of_task(task, found) for task in board.tasks}
    if lacking := [task for task, number in own.items() if number is None]:
        raise InputError(f"--counts {counts!r}: no count for {listed(map(repr, lacking), 5)}")
    return {task: number for task, number in own.items() if number is not None}


def _of_task(task: str, found: Mapping[str, Fraction]) -> Fraction | None:
    parts = (task, task.partition("/")[0], task.partition("/")[2], task.rpartition("/")[0])
    return next((found[one] for one in parts if one in found), None)


def _lines(file: str) -> Iterator[tuple[str, str, str]]:
    """Yield line, task and count of a file of two columns; a heading is passed over."""
    with Path(file).open(encoding="utf-8-sig", newline="") as lines:
        for place, row in enumerate(csv.reader(lines), start=1):
            if not row or (place == 1 and not _is_number(row[-1])):
                continue
            if len(row) != 2:
                raise InputError(f"--counts {file!r}, line {place}: expected TASK,COUNT; got {','.join(row)!r}")
            yield f"line {place}", row[0], row[1]


def _column(name: str, source: Source) -> Iterable[tuple[str, str, str]]:
    """Yield the entries of a column of a long table, which is to be the same throughout each data set."""
    if source.file in (None, "-"):
        raise InputError(f"--counts {name!r}: file not found")
    key = source.dataset_column or "dataset"
    with Path(str(source.file)).open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.DictReader(lines, delimiter=source.separator or ",")
        if not {name, key} <= {*(rows.fieldnames or ())}:
            raise InputError(f"--counts {name!r}: file not found, and FILE is no long table with such a column")
        yield from ((f"line {place}", str(row[key]), str(row[name])) for place, row in enumerate(rows, start=2))


def _is_number(text: str) -> bool:
    try:
        fraction(text)
    except InputError:
        return False
    return True
