"""Where a table begins and ends among rows of cells: titles above it, two header rows, notes below it."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from weightlab._result import Frozen
from weightlab._text import counted, shortened, shown
from weightlab.io.tables.sheet import Source

KEYS = ("model", "models", "team", "method", "system", "name", "algorithm", "framework", "label")
"""Headers that name the models, the best first."""
LOOKED_AT = 1 << 16
"""Bytes at the beginning of a text file that are searched for its header."""
ROWS = 40
"""Rows that tell how wide the body is."""
_NUMBER = re.compile(r"\s*+[+-]?+(?:\d[\d,.]*+|\.\d++)(?:[eE][+-]?\d++)?+\s*+%?+\s*+")
_TAG = re.compile(r"<[^<>]*+>")
_WORDS = 3
"""Words from which a line below a table is a note, not a row cut off."""


class Head(Frozen, eq=True):
    """The header of a table among its first rows.

    Attributes
    ----------
    above, size : int
        Rows above it, and rows that it takes: 1 or 2.
    names : tuple of str
        What the columns are called.
    remarks : tuple of str
        What was left out above, or joined.
    """

    above: int
    size: int
    names: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def head_of(rows: Sequence[Sequence[Any]]) -> Head | None:
    """Return the header among the first rows of a table where it is not just the first row; None where it is.

    Rows above are left out only if they hold less than half of the cells that the body has, and the row below them has
    a text for each column. Two rows are one header if the first tells nothing apart that the second does: a name may
    stand once over several columns.
    """
    body = Counter(filled for row in rows[1:ROWS] if (filled := sum(map(_is_there, row))) > 1)
    if len(rows) < 3 or not body:
        return None
    width = max(body, key=lambda one: (body[one], one))
    for at, row in enumerate(rows[: min(ROWS, len(rows) - 1)]):
        below = rows[at + 1]
        joined = _joins(row, below, rows[at + 2 : ROWS])
        texts = [str(one).strip() for one in row if _is_there(one)]
        if not joined and len(texts) * 2 < width:
            continue
        is_header = len(texts) >= width - 1 and not any(map(_NUMBER.fullmatch, texts)) and len(set(texts)) == len(texts)
        if not joined and (not is_header or at == 0):
            return None
        names = _joined(row, below) if joined else tuple("" if one is None else str(one) for one in row)
        remarks = [_left_out(rows[:at])] if at else []
        remarks += ["two header rows joined"] if joined else []
        return Head(above=at, size=1 + joined, names=names, remarks=tuple(remarks))
    return None


def _left_out(rows: Sequence[Sequence[Any]]) -> str:
    title = next(shown(str(one).strip()) for above in rows for one in above if str(one or "").strip())
    return f"{counted(len(rows), 'row')} above the header left out ({shortened(title)})"


def _joins(first: Sequence[Any], second: Sequence[Any], body: Sequence[Sequence[Any]]) -> bool:
    """Return whether a first row names groups of columns, which only the second row tells apart."""
    if not body or len(first) != len(second) or len(first) < 3 or any(len(row) != len(first) for row in body[:3]):
        return False
    above, below = _carried(first), [str(one).strip() if _is_there(one) else "" for one in second]
    groups = [one for one in above if one]
    told_apart = len(set(filter(None, below))) == len(groups)
    layout = told_apart and sum(map(_is_there, first)) * 2 < len(first)  # names above names that need none
    if len(set(groups)) == len(groups) or len(set(groups)) < 2 or layout:
        return False
    numbers = [bool(_NUMBER.fullmatch(str(one))) for one in second if _is_there(one)]
    named = not _is_there(first[0]) and str(second[0]).strip().casefold() in KEYS
    labelled = named or not _is_there(second[0]) or not any(numbers)
    names = _joined(first, second)
    return labelled and len(set(names)) == len(names) and all(_is_there(one) for one in second[1:])


def _carried(row: Sequence[Any]) -> list[str]:
    """Return the names of a row; a name that spans several columns is written once."""
    made: list[str] = []
    for one in row:
        made.append(str(one).strip() if _is_there(one) else made[-1] if made else "")
    return made


def _joined(first: Sequence[Any], second: Sequence[Any]) -> tuple[str, ...]:
    below = [str(one).strip() if _is_there(one) else "" for one in second]
    pairs = zip(_carried(first), below, strict=True)
    return tuple(f"{above} {own}".strip() if above != own else own for above, own in pairs)


def _is_there(cell: Any) -> bool:
    return cell is not None and bool(_TAG.sub("", str(cell)).strip())


def with_one_header(source: Source, separator: str, start: int) -> tuple[Source, tuple[str, ...]]:
    """Return a text file whose table begins with one header row on the line where its header ends, and what was done.

    Lines that are taken out become empty, so that every other keeps its number.
    """
    head = source.data[start : start + LOOKED_AT]
    rest = start + (head.rfind(b"\n") + 1 if len(head) == LOOKED_AT else len(head))
    rows: list[list[str]] = []
    ends: list[int] = []
    try:
        text = source.data[start:rest].decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append(row)
                ends.append(reader.line_num)
            if len(rows) > ROWS:
                break
    except (UnicodeDecodeError, csv.Error):
        return source, ()
    remarks: list[str] = []
    if (found := head_of(rows)) is not None:
        last = ends[found.above + found.size - 1]
        written = io.StringIO()
        csv.writer(written, delimiter=separator, lineterminator="\n").writerow(found.names)
        below = "".join(text.splitlines(keepends=True)[last:])
        top = source.data[:start] + b"\n" * (last - 1) + written.getvalue().encode() + below.encode()
        source = replace(source, data=top + source.data[rest:])
        remarks += found.remarks
    end, notes = _end_of_table(source.data, separator, max((len(row) for row in rows), default=0))
    if notes:
        source = replace(source, data=source.data[:end])
        remarks.append(f"{counted(notes, 'line')} below the table left out")
    return source, tuple(remarks)


def _end_of_table(data: bytes, separator: str, width: int) -> tuple[int, int]:
    """Return where the sentences below a table begin, and how many lines they are."""
    end, notes, below = len(data), 0, len(data)
    while width > 2:
        begin = data.rfind(b"\n", 0, max(0, end - 1)) + 1
        line = data[begin:end].decode("utf-8", "replace")
        if begin == 0 or not _is_note(line, separator):
            break
        if line.strip(f"{separator} \r\n"):
            notes, below = notes + 1, begin
        end = begin
    return below, notes


def _is_note(line: str, separator: str) -> bool:
    """Return whether a line is blank or a sentence: all cells except the first are empty."""
    if line.count('"') % 2 or "\r" in (line := line.strip("\r\n")) or "\0" in line:
        return False
    first, *rest = next(csv.reader([line], delimiter=separator), [""]) or [""]
    return not any(one.strip() for one in rest) and (not first.strip() or len(first.split()) >= _WORDS)
