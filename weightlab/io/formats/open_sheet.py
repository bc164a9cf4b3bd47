"""From a path or stream to its sheet and what is declared about it, whatever the format."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from weightlab.exceptions import FileFormatError, InputError, ResultsWarning, warn_caller
from weightlab.io.formats.arff import arff_sheet
from weightlab.io.formats.folders import folder_sheet
from weightlab.io.formats.latex import latex_tables
from weightlab.io.formats.sqlite import sqlite_sheet
from weightlab.io.sources.packed import check_workbook
from weightlab.io.tables.columns import plain_name
from weightlab.io.tables.declarations import KEYS, ConfigLike, Settings, settings
from weightlab.io.tables.delimited import delimited_sheet, dialect, recoded
from weightlab.io.tables.exact_numbers import stands_for_nothing
from weightlab.io.tables.heads import head_of
from weightlab.io.tables.json_table import json_sheet
from weightlab.io.tables.pages import MOST_CELLS, MOST_DIGITS, html_tables, page_sheet
from weightlab.io.tables.sheet import Block, FileFaults, PathLike, Sheet, Source, opened
from weightlab.io.tables.typed_columns import frame_sheet, parquet_sheet

OPENING = ("member", "size_limit")
"""Options for unpacking a file, which only the call can give."""
PAGES = {"markdown": None, "html": html_tables, "latex": latex_tables}
"""How the tables of a page are found."""
OF_ONE: Mapping[str, Callable[[Source], Sheet]] = {"parquet": parquet_sheet, "frame": frame_sheet, "arff": arff_sheet}
"""Formats with one table, except for those with a column separator."""
MOST_ABOVE = 3
"""Rows of words above the numbers of a table in a workbook: a title, and two header rows."""
ENOUGH = 1 << 16
"""Bytes of JSON Lines read to find the columns."""


def open_sheet(
    path: PathLike | Source,
    format: str | None,  # noqa: A002 (as the functions that users call)
    config: ConfigLike | None,
    given: Mapping[str, Any],
    *,
    allowed: Iterable[str],
    reader: str,
    only: Iterable[str] | None = None,
) -> tuple[Sheet, Settings, FileFaults]:
    """Return the sheet of a file, what is declared about it, and the list for what is wrong with it.

    Where only the columns are read that some keywords name, those of a JSON file that are not may hold anything.

    Raises
    ------
    FileFormatError
        If the file or its configuration cannot be read as what they are meant to be.
    """
    source = (
        path
        if isinstance(path, Source)
        else opened(path, format, member=given.get("member"), size_limit=given.get("size_limit"), remote=True)
    )
    declared = settings(source, config, given, allowed, reader)
    faults = FileFaults(source.name)
    written = dialect(source, declared)
    names = None if only is None else {str(declared.values.get(keyword, keyword)) for keyword in only}
    sheet = sheet_of(source, faults, written.separator, names, table=written.table, encoding=written.encoding)
    header = tuple(plain_name(one) for one in sheet.header)
    return replace(sheet, header=header, spelt=written.spelling), declared, faults


def columns_of(
    path: PathLike,
    format: str | None,  # noqa: A002
    config: ConfigLike | None,
    separator: str | None = None,
    table: str | None = None,
    **opening: Any,
) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Return the names of the columns of a file, and what is declared; of JSON Lines the first ones tell."""
    source = opened(path, format, remote=True, **opening)
    if source.format == "jsonl" and len(source.data) > ENOUGH:
        source = replace(source, data=source.data[: source.data.rfind(b"\n", 0, ENOUGH) + 1] or source.data)
    declared = settings(source, config, {"separator": separator, "table": table}, KEYS, "weightlab")
    written = dialect(source, declared)
    faults = FileFaults(source.name)
    sheet = sheet_of(source, faults, written.separator, table=written.table, encoding=written.encoding)
    return tuple(plain_name(one) for one in sheet.header), declared.values


def sheet_of(
    source: Source,
    faults: FileFaults,
    separator: str | None = None,
    only: Collection[str] | None = None,
    *,
    table: str | None = None,
    encoding: str | None = None,
) -> Sheet:
    """Return the sheet of a source, whose columns are divided as its format says or as is declared.

    If a page or workbook has several tables, it is the requested one, by number or name.

    Raises
    ------
    FileFormatError
        If it cannot be read as what it is meant to be.
    """
    if source.format == "folder":
        return folder_sheet(
            source, faults, lambda part, wrong: sheet_of(part, wrong, separator, only, table=table, encoding=encoding)
        )
    source = recoded(source, encoding)
    if source.format in {"json", "jsonl", "yaml"}:
        return json_sheet(source, faults, only, table)
    if source.format in PAGES:
        return page_sheet(source, faults, table, PAGES[source.format])
    if source.format in OF_SEVERAL:
        return OF_SEVERAL[source.format](source, table)
    if source.format in OF_ONE:
        return OF_ONE[source.format](source)
    return delimited_sheet(source, faults, separator)


# Excel workbooks (.xlsx), through openpyxl.


def workbook_sheet(source: Source, table: str | None = None) -> Sheet:
    """Return the first sheet of a workbook that holds a table of numbers; a warning names the others that hold cells.

    Or it is the requested sheet, by name or by number from 1. Tables below each other in one sheet, with blank
    rows between them, count one by one.
    Titles above the header are left out, and notes below the table. Rows and columns without a cell are left out. Of
    formulas the values count that were saved with them.

    Raises
    ------
    InputError
        If openpyxl is not installed.
    FileFormatError
        If this is no such workbook, or it is empty.
    """
    try:
        import openpyxl  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError("reading .xlsx files needs openpyxl: pip install 'weightlab[excel]'") from None
    try:
        check_workbook(source.data, source.name)
        book = openpyxl.load_workbook(io.BytesIO(source.data), read_only=True, data_only=True)
        found = {name: rows for sheet in book.worksheets for name, rows in _tables(sheet.title, _rows(sheet)).items()}
    except FileFormatError:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError) as error:
        raise FileFormatError(source.name, f"not an .xlsx workbook: {error}") from None
    if not found:
        raise FileFormatError(source.name, "the workbook is empty")
    if table is None:
        title = next((name for name, rows in found.items() if _holds_numbers([*rows.values()])), next(iter(found)))
    else:
        numbered = dict(enumerate(found, start=1))
        asked = int(table) if table.isdecimal() and len(table) < MOST_DIGITS else 0
        title = table if table in found else numbered.get(asked, "")
        if not title:
            raise FileFormatError(source.name, f"there is no sheet {table!r}, but {', '.join(map(repr, found))}")
    others = [name for name in found if name != title]
    if others and table is None:
        told = f"{source.name}: sheet {title!r} is read; left out: {', '.join(map(repr, others))}."
        warn_caller(ResultsWarning(told))
    listed = [*found[title].items()]
    head = head_of([cells for _, cells in listed])
    above, size = (head.above, head.size) if head else (0, 1)
    header = head.names if head else tuple(listed[0][1])
    below = listed[above + size :]
    while len(header) > 2 and below and _is_sentence(below[-1][1]):
        below.pop()
    remarks = (*(head.remarks if head else ()), *([f"sheet {title!r} of {len(found)}"] if others else []))
    block = Block(rows=[row for row, _ in below], columns=list(zip(*(cells for _, cells in below), strict=True)))
    names = tuple("" if name is None else str(name) for name in header)
    return Sheet(header=names, blocks=iter([block] if below else []), place="row {}".format, remarks=remarks)


OF_SEVERAL: Mapping[str, Callable[[Source, str | None], Sheet]] = {"xlsx": workbook_sheet, "sqlite": sqlite_sheet}
"""Formats of several tables of typed cells."""


def _holds_numbers(rows: list[list[Any]]) -> bool:
    """Return whether rows are a table: two columns or more, and below a header numbers in half of the rows of one."""
    above = next((at for at, row in enumerate(rows[:MOST_ABOVE]) if any(map(_is_number, row))), MOST_ABOVE)
    numbers = Counter(at for row in rows for at, cell in enumerate(row) if _is_number(cell))
    return len(rows) > 1 and len(rows[0]) > 1 and max(numbers.values(), default=0) * 2 >= max(3, len(rows) - above)


def _is_sentence(cells: list[Any]) -> bool:
    """Return whether a row is a note below a table: words in its first cell, and nothing else."""
    return len(str(cells[0] or "").split()) > 2 and not any(map(_is_there, cells[1:]))


def _rows(sheet: Any) -> dict[int, list[Any]]:
    """Return the rows that hold anything, by their number."""
    rows: dict[int, list[Any]] = {}
    sheet.reset_dimensions()  # what a file says of its size may be anything
    seen = 0
    for at, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        seen += 1 + len(cells)
        if seen > MOST_CELLS:
            raise ValueError(f"sheet {sheet.title!r} spans more than {MOST_CELLS:,} cells")
        if any(map(_is_there, cells)):
            rows[at] = list(cells)
    return rows


def _tables(title: str, rows: Mapping[int, list[Any]]) -> dict[str, dict[int, list[Any]]]:
    """Return the tables of a sheet: another begins where a header stands below a blank row and numbers below it."""
    parts: list[dict[int, list[Any]]] = [{}]
    for at, cells in rows.items():
        if parts[-1] and at - 1 not in rows and not any(map(_is_number, cells)):
            parts.append({})
        parts[-1][at] = cells
    joined = parts[:1]
    for part in parts[1:]:
        if _has_header([*part.values()]):
            joined.append(part)
        else:
            joined[-1].update(part)
    trimmed = [*map(_trimmed, joined)] if rows else []
    whole = [part for part in trimmed if _holds_numbers([*part.values()])]
    if len(whole) < 2:
        return {title: _trimmed(rows)} if rows else {}
    return {f"{title}: {_heading(part)}": part for part in whole}


def _has_header(rows: list[list[Any]]) -> bool:
    """Return whether two words stand side by side above the numbers, no names of groups; or there are no numbers."""
    above = next((at for at, row in enumerate(rows) if any(map(_is_number, row))), None)
    return above is None or any(
        sum(isinstance(one, str) and not stands_for_nothing(one) for one in row) > 1 for row in rows[:above]
    )


def _heading(part: Mapping[int, list[Any]]) -> str:
    """Return the title of a table of a sheet, with the row where it begins."""
    at, cells = next(iter(part.items()))
    texts = [str(one) for one in cells if _is_there(one)]
    return f"{texts[0]} (row {at})" if len(texts) == 1 else f"row {at}"


def _trimmed(rows: Mapping[int, list[Any]]) -> dict[int, list[Any]]:
    """Return rows of equal length, without the columns that hold nothing."""
    width = max(map(len, rows.values()), default=0)
    filled = {at: [*cells, *[None] * (width - len(cells))] for at, cells in rows.items()}
    held = [column for column in range(width) if any(_is_there(cells[column]) for cells in filled.values())]
    return {at: [cells[column] for column in held] for at, cells in filled.items()}


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _is_there(cell: Any) -> bool:
    return cell is not None and cell != ""
