"""Proposing how a score table is to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.read.leaderboards import KEYWORDS
from weightlab.io.reading.known_programs import of_a_program
from weightlab.io.reading.long_tables import widened
from weightlab.io.reading.propose import MOST_ROWS, peeked, propose
from weightlab.io.reading.reading import Reading, Role
from weightlab.io.reading.spelled import taken_apart
from weightlab.io.tables.declarations import ConfigLike
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet


def propose_reading(
    path: PathLike, *, config: ConfigLike | None = None, all_rows: bool = False, **declared: Any
) -> Reading:
    r"""Return how a table would be read, without reading its numbers as scores.

    Parameters
    ----------
    path : path or open file
        As for `read_leaderboard`.
    config, **declared
        As for `read_leaderboard`; what is declared wins, and is not asked again.

    all_rows : bool
        Whether all rows are examined, not only the first 10,000: then totals are checked in each of them.

    Returns
    -------
    Reading
        Of each column its role and direction, the evidence and how sure that is; ``.line`` says all of it in a
        sentence, and ``.is_doubtful`` whether it is only likely.

    Raises
    ------
    FileFormatError
        If the file cannot be read as what it is meant to be, has fewer than two models, or one of them twice.

    Notes
    -----
    Columns are examined in up to 10,000 rows. Time is linear in the number of cells; beyond 200 columns, only those
    that a word names, and means or sums of all others, are searched for.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> table = io.StringIO("name,licence,wer\nT5,MIT,30\nBERT,GPL,20\n")
    >>> wl.propose_reading(table)
    Read <stream>: 2 models, 1 task, lower is better; left out: licence (text).
    """
    format = declared.pop("format", None)  # noqa: A001
    sheet, settings, faults = open_sheet(path, format, config, declared, allowed=KEYWORDS, reader="propose_reading")
    sheet, cells = peeked(widened(of_a_program(sheet), settings), None if all_rows else MOST_ROWS)
    faults.raise_here()
    found = propose(faults.name, sheet, cells, settings)
    if not found.transposed:
        _check_models(sheet, cells, found, faults)
        seen = len(cells[0]) if cells else 0
        more = sum(len(block.rows) for block in sheet.blocks) - seen if seen >= MOST_ROWS else 0
        return replace(found, models=found.models + max(more, 0))
    sheet, cells = peeked(sheet, None)  # every row is a task, and all are examined
    return propose(faults.name, sheet, cells, settings)


def _check_models(sheet: Sheet, cells: Sequence[Sequence[Any]], found: Reading, faults: FileFaults) -> None:
    """Refuse what no reading makes a table of models: no row, one model, or a model twice that has no repeats."""
    if not any(map(len, cells)):
        faults.add("there is a header and no row below it")
    elif not found.of(Role.REPEAT):
        keys = [its for name, its in zip(sheet.header, cells, strict=True) if name in found.key]
        names = [" / ".join(map(str, parts)) for parts in zip(*keys, strict=True)]
        tasks = [its for name, its in zip(sheet.header, cells, strict=True) if name in {*found.tasks}]
        scored = [any(taken_apart(one).kind == "number" for one in its) for its in zip(*tasks, strict=True)]
        if any(scored):  # a row without a score is left out, whatever its name
            names = [name if there else "" for name, there in zip(names, scored, strict=True)]
        if len(names) == 1:
            faults.add(f"a leaderboard needs at least two models; got 1: {names[0]!r}")
        if len({*names}) < len(names):
            first: dict[str, int] = {}
            for name, row in zip(names, (row for block in sheet.blocks for row in block.rows), strict=False):
                if name.strip(" /") and first.setdefault(name, int(row)) != int(row):
                    faults.add(f"{sheet.place(int(row))}: model {name!r} is already in {sheet.place(first[name])}")
    faults.raise_here()
