"""CSV and TSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from weightlab.exceptions import FileFormatError
from weightlab.io.sheet import Block, FileFaults, Sheet
from weightlab.io.source import Source, check_text, not_utf8

__all__ = ["DELIMITERS", "delimited_sheet"]

DELIMITERS = {"csv": ",", "tsv": "\t"}

ROWS_OF_A_BLOCK = 50_000

_NAMES = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


def delimited_sheet(source: Source, faults: FileFaults) -> Sheet:
    """Return the sheet of a CSV or TSV file: quotes as spreadsheets write them, any kind of line ending.

    Blank lines, and columns without a name and without any value, are left out.

    Raises
    ------
    FileFormatError
        If the file is empty, not UTF-8, or without a header in the right delimiter.
    """
    check_text(source)
    records = _records(source, faults)
    line, header = next(records, (1, []))
    _check_header(source.name, header, line, DELIMITERS[source.format])
    return Sheet(header=tuple(header), blocks=_blocks(records, header, faults), row="line")


def _records(source: Source, faults: FileFaults) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each record that is not blank begins, and its fields."""
    text = io.TextIOWrapper(io.BytesIO(source.data), encoding="utf-8-sig", newline="")
    reader = csv.reader(text, delimiter=DELIMITERS[source.format], strict=True)
    line = 1
    while True:
        try:
            fields = next(reader, None)
        except csv.Error as error:
            faults.add(f"line {line}: {_quoting(str(error))}")
            return
        except UnicodeDecodeError:
            raise not_utf8(source, _first_bad_byte(source.data)) from None
        if fields is None:
            return
        if any(field and not field.isspace() for field in fields):
            yield line, fields
        line = reader.line_num + 1


def _blocks(records: Iterator[tuple[int, list[str]]], header: list[str], faults: FileFaults) -> Iterator[Block]:
    width = len(header)
    lines: list[int] = []
    rows: list[list[str]] = []
    for line, fields in records:
        if len(fields) != width:
            faults.add(f"line {line}: {_fields(len(fields))} where the header has {width}{_comment(header)}")
            if faults.enough:
                break
            continue
        lines.append(line)
        rows.append(fields)
        if len(rows) == ROWS_OF_A_BLOCK:
            yield Block(places=lines, columns=list(zip(*rows, strict=True)))
            lines, rows = [], []
    if rows:
        yield Block(places=lines, columns=list(zip(*rows, strict=True)))


def _check_header(name: str, header: list[str], line: int, delimiter: str) -> None:
    if len(header) != 1:
        return
    for other, plural in _NAMES.items():
        if other != delimiter and other in header[0]:
            ending = ".tsv" if delimiter == "\t" else ".csv"
            raise FileFormatError(
                name,
                f"line {line}: the header has {plural} and no {_NAMES[delimiter]}; "
                f"a {ending} file has {_NAMES[delimiter]} between its columns",
            )


def _comment(header: list[str]) -> str:
    return " (the header begins with '#': take comments out of the file)" if header[0].startswith("#") else ""


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"


def _quoting(error: str) -> str:
    if "unexpected end" in error:
        return "a quote opens here and is not closed"
    if "expected after" in error:
        return "there is text after a closing quote; a quote inside a quoted name is written twice"
    if "field limit" in error:
        return "a field has more than 131072 characters; is a quote not closed?"
    return f"cannot be read: {error}"


def _first_bad_byte(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return 0
