"""CSV and TSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import partial

from weightlab.exceptions import FileFormatError
from weightlab.io.sheet import ROWS_OF_A_BLOCK, Block, FileFaults, Sheet
from weightlab.io.source import Source, check_text, not_utf8

__all__ = ["DELIMITERS", "delimited_sheet"]

DELIMITERS = {"csv": ",", "tsv": "\t"}

_PLURALS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


def delimited_sheet(source: Source, faults: FileFaults) -> Sheet:
    """Return the sheet of a CSV or TSV file: quotes as spreadsheets write them, any line ending, no blank lines.

    Raises
    ------
    FileFormatError
        If the file is empty, not UTF-8, or has another delimiter.
    """
    check_text(source)
    records = _records(source, faults)
    line, header = next(records, (1, []))
    faults.raise_here()
    _check_delimiter(source, header, line)
    return Sheet(header=tuple(header), blocks=_blocks(records, header, faults), place="line {}".format)


def _records(source: Source, faults: FileFaults) -> Iterator[tuple[int, list[str]]]:
    """Yield each record that is not blank with the line on which it begins."""
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
            raise not_utf8(source) from None
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
            faults.add(partial(_of_other_width, line, len(fields), header))
            continue
        lines.append(line)
        rows.append(fields)
        if len(rows) == ROWS_OF_A_BLOCK:
            yield Block(rows=lines, columns=list(zip(*rows, strict=True)))
            lines, rows = [], []
    if rows:
        yield Block(rows=lines, columns=list(zip(*rows, strict=True)))


def _check_delimiter(source: Source, header: list[str], line: int) -> None:
    if len(header) != 1:
        return
    own = DELIMITERS[source.format]
    for other, plural in _PLURALS.items():
        if other != own and other in header[0]:
            raise FileFormatError(
                source.name,
                f"line {line}: the header has {plural} and no {_PLURALS[own]}; "
                f"columns are divided by {_PLURALS[own]} in a {source.format.upper()} file",
            )


def _of_other_width(line: int, count: int, header: list[str]) -> str:
    fields = "1 field" if count == 1 else f"{count} fields"
    hint = "; the header begins with '#', and a table holds no comments" if header[0].startswith("#") else ""
    return f"line {line}: {fields} where the header has {len(header)}{hint}"


def _quoting(error: str) -> str:
    if "unexpected end" in error:
        return "a quote opens here and is not closed"
    if "expected after" in error:
        return "text follows a closing quote; inside a quoted name a quote is written twice"
    if "field limit" in error:
        return f"a field has more than {csv.field_size_limit()} characters; is a quote not closed?"
    return f"cannot be read: {error}"
