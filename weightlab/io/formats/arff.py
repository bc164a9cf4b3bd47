"""ARFF files, as Weka and OpenML write them: attributes are columns, rows are comma-separated or sparse."""

from __future__ import annotations

import re
from functools import partial

from weightlab.exceptions import FileFormatError
from weightlab.io.tables.delimited import of_other_width
from weightlab.io.tables.sheet import Block, FileFaults, Sheet, Source, decoded

_QUOTED = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_ATTRIBUTE = re.compile(rf"@attribute\s++({_QUOTED}|\S++)\s++(\S.*+)", re.IGNORECASE)
_CELL = re.compile(rf"\s*+({_QUOTED}|[^,'\"]*+)\s*+(?:,|$)")
_SPARSE = re.compile(rf"\s*+(\d{{1,9}})\s++({_QUOTED}|[^,'\"]*+)\s*+(?:,|$)")


def arff_sheet(source: Source) -> Sheet:
    """Return the sheet of an ARFF file; ``?`` is missing, and what a sparse row leaves out is 0 or the first value.

    Raises
    ------
    FileFormatError
        If it has no attributes or no data, or an attribute holds tables.
    """
    faults = FileFaults(source.name)
    header: list[str] = []
    blanks: list[str] = []
    lines = enumerate(decoded(source).splitlines(), start=1)
    for number, line in lines:
        text = line.strip()
        if text.casefold().startswith("@data"):
            break
        if found := _ATTRIBUTE.match(text):
            kind = found[2].strip()
            if kind.casefold().startswith("relational"):
                raise FileFormatError(
                    source.name, f"line {number}: attribute {found[1]} holds tables, which are not read"
                )
            header.append(_bare(found[1]))
            first = _CELL.match(kind[1:].rstrip("} ")) if kind.startswith("{") else None
            blanks.append("0" if first is None else _bare(first[1]))
    else:
        raise FileFormatError(source.name, "there is no line @data, below which rows stand")
    rows: dict[int, list[str]] = {}
    for number, line in lines:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        row = _sparse(text, blanks) if text.startswith("{") else [_bare(one) for one in _cells(text)]
        if len(row) != len(header):
            faults.add(partial(of_other_width, number, len(row), len(header)))
        else:
            rows[number] = row
    faults.raise_here()
    block = Block(rows=list(rows), columns=list(zip(*rows.values(), strict=True)))
    return Sheet(header=tuple(header), blocks=iter([block] if rows else []), place="line {}".format)


def _cells(text: str) -> list[str]:
    """Return the cells of a row as written; what follows a quote that is not closed is one of them."""
    found, at = list[str](), 0
    while at <= len(text):
        cell = _CELL.match(text, at)
        if cell is None:
            return [*found, text[at:], ""]
        found.append(cell[1])
        if cell.end() == len(text) and not text.endswith(","):
            break
        at = cell.end() if cell.end() > at else len(text) + 1
    return found


def _sparse(text: str, blanks: list[str]) -> list[str]:
    row, at, inside = [*blanks], 0, text.strip("{} \t")
    while at < len(inside):
        cell = _SPARSE.match(inside, at)
        if cell is None or int(cell[1]) >= len(row):
            return []
        row[int(cell[1])] = _bare(cell[2])
        at = cell.end()
    return row


def _bare(cell: str) -> str:
    """Return a cell without quotes; a bare question mark is nothing."""
    cell = cell.strip()
    if len(cell) > 1 and cell[0] == cell[-1] and cell[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", cell[1:-1])
    return "" if cell == "?" else cell
