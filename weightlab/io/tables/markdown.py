"""Tables in Markdown files: rows of cells between bars, below a header and a line of dashes."""

from __future__ import annotations

import re
from functools import partial

from weightlab.exceptions import FileFormatError
from weightlab.io.tables.delimited import of_other_width
from weightlab.io.tables.sheet import Block, FileFaults, Sheet
from weightlab.io.tables.source import Source, decoded

_DASHES = re.compile(r"\s*+(?:\|\s*+)?:?-+:?\s*+(?:\|\s*+:?-+:?\s*+)*(?:\|\s*+)?")
"""The line below a header; it must hold a bar, too."""
_BAR = re.compile(r"(?<!\\)\|")
"""What divides cells; a bar within one is written with a backslash."""


def markdown_sheet(source: Source, faults: FileFaults) -> Sheet:
    """Return the sheet of the one table in a Markdown file, whose cells have no blanks around them.

    Raises
    ------
    FileFormatError
        If there is no table, or there are several.
    """
    lines = decoded(source).splitlines()
    heads = [
        at for at in range(1, len(lines)) if "|" in lines[at - 1] and "|" in lines[at] and _DASHES.fullmatch(lines[at])
    ]
    if len(heads) != 1:
        many = (
            f"there are {len(heads)} tables, at lines {', '.join(map(str, heads))}; leave one"
            if heads
            else ("there is no table: a header such as | model | CoLA | and below it |---|---| are needed")
        )
        raise FileFormatError(source.name, many)
    below = range(heads[0] + 1, len(lines))
    end = next((at for at in below if "|" not in lines[at]), len(lines))
    header = _cells(lines[heads[0] - 1])
    records = {at + 1: _cells(lines[at]) for at in range(heads[0] + 1, end)}
    for line, cells in records.items():
        if len(cells) != len(header):
            faults.add(partial(of_other_width, line, len(cells), len(header)))
    for line in (at + 1 for at in range(end, len(lines)) if len(_cells(lines[at])) == len(header) > 1):
        faults.add(partial("line {}: this looks like a row, but the table ended above; close the gap".format, line))
    whole = {line: cells for line, cells in records.items() if len(cells) == len(header)}
    block = Block(rows=list(whole), columns=list(zip(*whole.values(), strict=True)))
    return Sheet(header=tuple(header), blocks=iter([block] if whole else []), place="line {}".format)


def _cells(line: str) -> list[str]:
    inside = line.strip().removeprefix("|")
    parts = _BAR.split(inside)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [part.strip().replace("\\|", "|") for part in parts]
