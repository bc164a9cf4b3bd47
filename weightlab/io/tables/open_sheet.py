"""From a path or stream to its sheet and what is declared about it, whatever the format."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from weightlab._cures import Cure, Fault
from weightlab._result import Frozen
from weightlab._text import counted, shortened, shown
from weightlab.exceptions import FileFormatError, InputError, ResultsWarning, warn_caller
from weightlab.io.tables.columns import plain_name
from weightlab.io.tables.declarations import KEYS, ConfigLike, Settings, settings
from weightlab.io.tables.delimited import delimited_sheet, dialect, of_other_width, recoded
from weightlab.io.tables.heads import head_of
from weightlab.io.tables.json_table import json_sheet
from weightlab.io.tables.parquet import parquet_sheet
from weightlab.io.tables.sheet import Block, FileFaults, PathLike, Sheet, Source, decoded, opened

ENOUGH = 1 << 16
"""So many bytes of JSON Lines tell which columns there are."""


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
    source = path if isinstance(path, Source) else opened(path, format)
    declared = settings(source, config, given, allowed, reader)
    faults = FileFaults(source.name)
    written = dialect(source, declared)
    names = None if only is None else {str(declared.values.get(keyword, keyword)) for keyword in only}
    sheet = sheet_of(recoded(source, written.encoding), faults, written.separator, names, written.table)
    header = tuple(plain_name(one) for one in sheet.header)
    return replace(sheet, header=header, spelt=written.spelling), declared, faults


def columns_of(
    path: PathLike,
    format: str | None,  # noqa: A002
    config: ConfigLike | None,
    separator: str | None = None,
    table: str | None = None,
) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Return the names of the columns of a file, and what is declared; of JSON Lines the first ones tell."""
    source = opened(path, format)
    if source.format == "jsonl" and len(source.data) > ENOUGH:
        source = replace(source, data=source.data[: source.data.rfind(b"\n", 0, ENOUGH) + 1] or source.data)
    declared = settings(source, config, {"separator": separator, "table": table}, KEYS, "weightlab")
    written = dialect(source, declared)
    faults = FileFaults(source.name)
    sheet = sheet_of(recoded(source, written.encoding), faults, written.separator, table=written.table)
    return tuple(plain_name(one) for one in sheet.header), declared.values


def sheet_of(
    source: Source,
    faults: FileFaults,
    separator: str | None = None,
    only: Collection[str] | None = None,
    table: str | None = None,
) -> Sheet:
    """Return the sheet of a source, whose columns are divided as its format says or as is declared.

    Of a page or workbook with several tables it is the one that is asked for, by number or name.

    Raises
    ------
    FileFormatError
        If it cannot be read as what it is meant to be.
    """
    if source.format in {"json", "jsonl"}:
        return json_sheet(source, faults, only, table)
    if source.format in {"parquet", "xlsx"}:
        return parquet_sheet(source) if source.format == "parquet" else workbook_sheet(source, table)
    if source.format == "markdown":
        return markdown_sheet(source, faults, table)
    return delimited_sheet(source, faults, separator)


# Tables in Markdown files: rows of cells between bars, below a header and a line of dashes.


_DASHES = re.compile(r"\s*+(?:\|\s*+)?:?-+:?\s*+(?:\|\s*+:?-+:?\s*+)*(?:\|\s*+)?")
"""The line below a header; it must hold a bar, too."""
_TAG = re.compile(r"<[^<>]*+>")
_BEGINS = re.compile(r"[\s*_\[~$\\]*+[+-]?+\.?\d")
MOST_DIGITS = 6
FEW_ROWS, MOST_OFFERED = 4, 3
"""Tables of a page with fewer rows come last; of so many a refusal says how to read them."""
_BAR = re.compile(r"(?<!\\)\|")
"""What divides cells; a bar within one is written with a backslash."""
_SPAN = re.compile(r"^(?P<fence>`+)(?!`)(?P<inside>(?:(?!(?<!`)(?P=fence)(?!`)).)+)(?<!`)(?P=fence)$")
"""A cell that is code as a whole, which shows what is inside."""


class Found(Frozen):
    """A table of a Markdown page: the line of its header from 1, the heading above it, and its cells."""

    line: int
    heading: str
    header: tuple[str, ...]
    rows: Mapping[int, list[str]]
    end: int

    def __str__(self) -> str:
        """Return it as a list of tables names it."""
        below = f", {shortened(self.heading)}" if self.heading else ""
        return f"line {self.line}{below}: {len(self.rows):,} x {len(self.header) - 1}"

    @property
    def numeric(self) -> int:
        """In how many columns behind the first half of the cells are numbers."""
        columns = [*zip(*(row for row in self.rows.values() if len(row) == len(self.header)), strict=True)][1:]
        return sum(sum(map(_begins_as_number, column)) * 2 >= len(column) for column in columns)


def markdown_sheet(source: Source, faults: FileFaults, table: str | None = None) -> Sheet:
    """Return the sheet of a table in a Markdown file, whose cells have no blanks around them.

    Of several it is the one that is asked for by its number, from 1, or by the heading above it; or the only one that
    holds numbers. Short rows are filled up with empty cells, as pages show them.

    Raises
    ------
    FileFormatError
        If there is no table, or several could be meant.
    """
    lines = decoded(source).splitlines()
    tables = _tables(lines)
    if not tables:
        told = "there is no table: a header such as | model | CoLA | and below it |---|---| are needed"
        raise FileFormatError(source.name, told)
    chosen = _with_one_header(_chosen(tables, table, source.name))
    number = next(at for at, one in enumerate(tables, start=1) if one.line == chosen.line)
    remarks = [f"table {number} of {len(tables)} ({chosen})"] if len(tables) > 1 else []
    width = len(chosen.header)
    for line, cells in chosen.rows.items():
        if len(cells) > width:
            faults.add(partial(of_other_width, line, len(cells), width))
    if len(tables) == 1:
        for at in range(chosen.end, len(lines)):
            if len(_cells(lines[at])) == width > 1:
                faults.add(f"line {at + 1}: this looks like a row, but the table ended above; close the gap")
    if short := [line for line, cells in chosen.rows.items() if len(cells) < width]:
        remarks.append(f"{counted(len(short), 'short row')} filled up (line {', '.join(map(str, short[:3]))})")
    whole = {line: [*cells, *[""] * (width - len(cells))] for line, cells in chosen.rows.items() if len(cells) <= width}
    block = Block(rows=list(whole), columns=list(zip(*whole.values(), strict=True)))
    blocks = iter([block] if whole else [])
    sheet = Sheet(header=chosen.header, blocks=blocks, place="line {}".format, remarks=tuple(remarks))
    return replace(sheet, heading=chosen.heading)


def _with_one_header(found: Found) -> Found:
    """Return a table without empty rows, a first row of names below its header joined to it."""
    rows = {line: cells for line, cells in found.rows.items() if any(cells)}
    first = next(iter(rows.values()), [])
    named = len(first) == len(found.header) and not first[0] and all(first[1:]) and len(rows) > 1
    if named and not any(map(_begins_as_number, first)):
        rows.pop(next(iter(rows)))
        header = [f"{above} {own}".strip() for above, own in zip(found.header, first, strict=True)]
        return replace(found, header=tuple(header), rows=rows)
    return replace(found, rows=rows)


def _tables(lines: Sequence[str]) -> list[Found]:
    """Return the tables of a page."""
    made: list[Found] = []
    heading, end = "", 0
    for at, line in enumerate(lines):
        if line.startswith("#") or line.strip().startswith("<summary"):
            heading = _heading(line)
        if at < max(1, end) or "|" not in lines[at - 1] or "|" not in line or not _DASHES.fullmatch(line):
            continue
        end = next((below for below in range(at + 1, len(lines)) if "|" not in lines[below]), len(lines))
        rows = {below + 1: _cells(lines[below]) for below in range(at + 1, end)}
        made.append(Found(line=at, heading=heading, header=tuple(_cells(lines[at - 1])), rows=rows, end=end))
    return made


def _heading(line: str) -> str:
    """Return the text of a heading."""
    return shown(_TAG.sub("", line).strip("# ").strip())


def _chosen(tables: Sequence[Found], asked: str | None, name: str) -> Found:
    able = sorted((one for one in tables if one.numeric), key=lambda one: (len(one.rows) < FEW_ROWS, -one.numeric))
    if asked is not None:
        numbered = int(asked) if asked.isdecimal() and len(asked) < MOST_DIGITS else 0
        named = [one for one in tables if asked.casefold() in one.heading.casefold()]
        if 0 < numbered <= len(tables):
            return tables[numbered - 1]
        if len(named) == 1:
            return named[0]
        raise FileFormatError(name, f"no one table is called {asked!r}; there are {_listed(tables)}")
    if len(tables) == 1 or len(able) == 1:
        return (able or tables)[0]
    cures = (Cure("table", str(tables.index(one) + 1)) for one in (able or tables)[:MOST_OFFERED])
    raise FileFormatError(name, Fault(f"there are {len(tables)} tables: {_listed(tables)}", *cures))


def _listed(tables: Sequence[Found]) -> str:
    return "; ".join(f"{at} ({one})" for at, one in enumerate(tables, start=1))


def _begins_as_number(cell: str) -> bool:
    return bool(_BEGINS.match(_TAG.sub("", cell)))


def _cells(line: str) -> list[str]:
    inside = line.strip().removeprefix("|")
    parts = _BAR.split(inside)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [_SPAN.sub(_shown, part.strip().replace("\\|", "|")) for part in parts]


def _shown(span: re.Match[str]) -> str:
    """Return what code shows: a blank at both ends only keeps backticks apart from its own."""
    inside = span["inside"]
    return inside[1:-1] if inside[0] == inside[-1] == " " and inside.strip() else inside


# Excel workbooks (.xlsx), through openpyxl.


def workbook_sheet(source: Source, table: str | None = None) -> Sheet:
    """Return the first sheet of a workbook that holds a table of numbers; a warning names the others that hold cells.

    Or it is the sheet that is asked for, by name or by number from 1.
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
        book = openpyxl.load_workbook(io.BytesIO(source.data), read_only=True, data_only=True)
        found = {sheet.title: rows for sheet in book.worksheets if (rows := _rows(sheet))}
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
    remarks = head.remarks if head else ()
    block = Block(rows=[row for row, _ in below], columns=list(zip(*(cells for _, cells in below), strict=True)))
    names = tuple("" if name is None else str(name) for name in header)
    return Sheet(header=names, blocks=iter([block] if below else []), place="row {}".format, remarks=remarks)


def _holds_numbers(rows: list[list[Any]]) -> bool:
    """Return whether rows are a table: two columns or more, and a number in half of the rows of one."""
    numbers = Counter(
        at
        for row in rows
        for at, cell in enumerate(row)
        if isinstance(cell, int | float) and not isinstance(cell, bool)
    )
    return len(rows) > 1 and len(rows[0]) > 1 and max(numbers.values(), default=0) * 2 >= len(rows) - 1


def _is_sentence(cells: list[Any]) -> bool:
    """Return whether a row is a note below a table: words in its first cell, and nothing else."""
    return len(str(cells[0] or "").split()) > 2 and not any(map(_is_there, cells[1:]))


def _rows(sheet: Any) -> dict[int, list[Any]]:
    """Return the rows that hold anything by their number, without the columns that hold nothing."""
    rows = {
        at: list(cells)
        for at, cells in enumerate(sheet.iter_rows(values_only=True), start=1)
        if any(map(_is_there, cells))
    }
    width = max(map(len, rows.values()), default=0)
    rows = {at: [*cells, *[None] * (width - len(cells))] for at, cells in rows.items()}
    held = [column for column in range(width) if any(_is_there(cells[column]) for cells in rows.values())]
    return {at: [cells[column] for column in held] for at, cells in rows.items()}


def _is_there(cell: Any) -> bool:
    return cell is not None and cell != ""
