"""Excel workbooks (.xlsx), through openpyxl."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from weightlab.exceptions import FileFormatError, InputError, warn_caller
from weightlab.io.evaluations.results import ResultsWarning
from weightlab.io.tables.sheet import Block, Sheet
from weightlab.io.tables.source import Source


def workbook_sheet(source: Source) -> Sheet:
    """Return the first sheet of a workbook that holds anything; a warning names the others that do.

    Rows and columns without a cell are left out. Of formulas the values count that were saved with them.

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
    title, *others = found
    if others:
        told = f"{source.name}: sheet {title!r} is read; left out: {', '.join(map(repr, others))}."
        warn_caller(ResultsWarning(told))
    (_, header), *below = found[title].items()
    block = Block(rows=[row for row, _ in below], columns=list(zip(*(cells for _, cells in below), strict=True)))
    names = tuple("" if name is None else str(name) for name in header)
    return Sheet(header=names, blocks=iter([block] if below else []), place="row {}".format)


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
