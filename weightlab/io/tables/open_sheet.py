"""From a path or stream to its sheet and what is declared about it, whatever the format."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from weightlab.io.tables.declarations import KEYS, ConfigLike, Settings, settings
from weightlab.io.tables.delimited import delimited_sheet, dialect, recoded
from weightlab.io.tables.json_table import json_sheet
from weightlab.io.tables.markdown import markdown_sheet
from weightlab.io.tables.parquet import parquet_sheet
from weightlab.io.tables.sheet import FileFaults, Sheet
from weightlab.io.tables.source import PathLike, Source, opened
from weightlab.io.tables.workbook import workbook_sheet

ENOUGH = 1 << 16
"""So many bytes of JSON Lines tell which columns there are."""


def open_sheet(
    path: PathLike,
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
    source = opened(path, format)
    declared = settings(source, config, given, allowed, reader)
    faults = FileFaults(source.name)
    written = dialect(source, declared)
    names = None if only is None else {str(declared.values.get(keyword, keyword)) for keyword in only}
    sheet = sheet_of(recoded(source, written.encoding), faults, written.separator, names)
    return replace(sheet, spelt=written.spelling), declared, faults


def columns_of(
    path: PathLike,
    format: str | None,  # noqa: A002
    config: ConfigLike | None,
    separator: str | None = None,
) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Return the names of the columns of a file, and what is declared; of JSON Lines the first ones tell."""
    source = opened(path, format)
    if source.format == "jsonl" and len(source.data) > ENOUGH:
        source = replace(source, data=source.data[: source.data.rfind(b"\n", 0, ENOUGH) + 1] or source.data)
    declared = settings(source, config, {"separator": separator}, KEYS, "weightlab")
    written = dialect(source, declared)
    sheet = sheet_of(recoded(source, written.encoding), FileFaults(source.name), written.separator)
    return sheet.header, declared.values


def sheet_of(
    source: Source, faults: FileFaults, separator: str | None = None, only: Collection[str] | None = None
) -> Sheet:
    """Return the sheet of a source, whose columns are divided as its format says or as is declared.

    Raises
    ------
    FileFormatError
        If it cannot be read as what it is meant to be.
    """
    if source.format in {"json", "jsonl"}:
        return json_sheet(source, faults, only)
    if source.format in {"parquet", "xlsx"}:
        return parquet_sheet(source) if source.format == "parquet" else workbook_sheet(source)
    if source.format == "markdown":
        return markdown_sheet(source, faults)
    return delimited_sheet(source, faults, separator)
