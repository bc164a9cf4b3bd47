"""Tables as the bytes of a file in each format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._files import write_whole
from weightlab._result import Frozen
from weightlab._validate import Faults
from weightlab.data.frame.cells import Cells, exact_text
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.columns import Scores
from weightlab.io.tables.delimited import DELIMITERS
from weightlab.io.tables.exact_numbers import number
from weightlab.io.tables.parquet import needed

_MARKUP = re.compile(r"[@<>\[\]`*&#!\\~$:{}|]|www\.|\b_|_\b", re.IGNORECASE)
Column: TypeAlias = Sequence[str] | Sequence[bool] | Scores
"""Names, flags or scores."""


class Table(Frozen, eq=True):
    """A table to be written.

    Attributes
    ----------
    header : sequence of str
        Names of the columns.
    parts : function that returns an iterable of lists of Column
        The rows, some at a time; they may be asked for more than once.
    keyed : bool
        Whether JSON is an object of columns by the names in the first one; otherwise it is a list of records.
    """

    header: Sequence[str]
    parts: Callable[[], Iterable[Sequence[Column]]]
    keyed: bool = False


def encode_table(table: Table, format: str) -> Iterable[bytes]:  # noqa: A002 (as the functions that users call)
    """Return the bytes of a table in a format, piece by piece.

    Raises
    ------
    InputError
        If a name cannot be written, or pyarrow is needed and not installed.
    """
    _check_names(table, format)
    if format == "parquet":
        return [_parquet(table)]
    if format in DELIMITERS:
        lines = _delimited(table, DELIMITERS[format])
    else:
        lines = _json(table) if format == "json" else _markdown(table)
    return (line.encode("utf-8") for line in lines)


def write_files(*files: tuple[Path, Iterable[bytes]]) -> None:
    """Write files that belong together, each whole.

    Raises
    ------
    FileFormatError
        If one cannot be written.
    """
    try:
        write_whole(*files)
    except OSError as error:
        raise FileFormatError(error.filename, f"cannot be written: {error.strerror}") from None


def writable(cells: Cells, place: Callable[[int, int], str], faults: Faults, *, rounded: bool) -> Cells:
    """Return cells that text can hold: those that no decimal equals are rounded to doubles, or noted as faults."""
    kept: dict[tuple[int, int], Fraction] = {}
    for (row, column), value in cells.exact.items():
        if _reads_back(value):
            kept[row, column] = value
        elif not rounded:
            faults.add(partial(_no_decimal, place, row, column, value))
    return cells if len(kept) == len(cells.exact) else Cells(floats=cells.floats, exact=kept)


def score_texts(scores: Scores) -> list[str]:
    """Return scores as texts that read back to the same numbers; empty where missing."""
    texts = ["" if value != value else repr(value).removesuffix(".0") for value in scores.floats.tolist()]  # noqa: PLR0124
    for position, value in scores.exact.items():
        texts[position] = exact_text(value)
    return texts


def _reads_back(value: Fraction) -> bool:
    try:
        return number(exact_text(value)) == value
    except ValueError:
        return False


def _no_decimal(place: Callable[[int, int], str], row: int, column: int, value: Fraction) -> str:
    text = f"{value.numerator}/{value.denominator}"
    shown = text if len(text) <= 40 else f"about {float(value)!r}"
    told = f"{place(row, column)}: no decimal that a file can hold equals {shown}"
    return Fault(told, Cure("rounded", value=True, effect="to write the nearest double"))


def _check_names(table: Table, format: str) -> None:  # noqa: A002
    names = set(table.header)
    for part in table.parts():
        for column in part:
            if not isinstance(column, Scores):
                names.update(name for name in column if isinstance(name, str))
    longest = csv.field_size_limit()
    faults = Faults()
    for name in sorted(names):
        if format in {*DELIMITERS, "markdown"} and "\0" in name:
            faults.add(f"the name {name!r} holds a NUL character; write JSON or Parquet instead")
        elif format == "markdown" and [name] != name.strip().splitlines():
            faults.add(f"the name {name!r} has blanks around it or a line break; write CSV, JSON or Parquet instead")
        elif format in DELIMITERS and len(name) > longest:
            faults.add(f"the name {name[:40]!r}... has more than {longest} characters; write JSON or Parquet instead")
    faults.raise_if_any()


def _delimited(table: Table, delimiter: str) -> Iterator[str]:
    special = set(f'{delimiter}"\r\n')

    def line(fields: Iterable[str]) -> str:
        return delimiter.join(one if special.isdisjoint(one) else _quoted(one) for one in fields) + "\n"

    yield line(table.header)
    for part in table.parts():
        yield "".join(map(line, zip(*map(_texts, part), strict=True)))


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _texts(column: Column) -> Sequence[str]:
    if isinstance(column, Scores):
        return score_texts(column)
    return [str(one).lower() if isinstance(one, bool) else one for one in column]


def _markdown(table: Table) -> Iterator[str]:
    def line(fields: Iterable[str]) -> str:
        return f"| {' | '.join(map(_cell, fields))} |\n"

    yield line(table.header)
    yield line(["---"] * len(table.header))
    for part in table.parts():
        yield "".join(map(line, zip(*map(_texts, part), strict=True)))


def _cell(text: str) -> str:
    """Return a cell of Markdown: as code where something in it would be a link, a mention or markup."""
    if _MARKUP.search(text):
        fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
        room = " " if "`" in {text[0], text[-1]} else ""
        text = f"{fence}{room}{text}{room}{fence}"
    return text.replace("|", r"\|")


def _json(table: Table) -> Iterator[str]:
    if table.keyed:
        yield from _json_columns(table)
        return
    keys = [_json_text(name) for name in table.header]
    before = "[\n"
    for part in table.parts():
        for cells in zip(*map(_json_texts, part), strict=True):
            pairs = ", ".join(f"{key}: {cell}" for key, cell in zip(keys, cells, strict=True))
            yield f"{before}{{{pairs}}}"
            before = ",\n"
    yield "\n]\n"


def _json_columns(table: Table) -> Iterator[str]:
    rows, *columns = map(_json_texts, next(iter(table.parts())))
    before = "{\n"
    for name, cells in zip(table.header[1:], columns, strict=True):
        pairs = ", ".join(f"{row}: {cell}" for row, cell in zip(rows, cells, strict=True))
        yield f"{before}{_json_text(name)}: {{{pairs}}}"
        before = ",\n"
    yield "\n}\n"


def _json_texts(column: Column) -> list[str]:
    if isinstance(column, Scores):
        return [text or "null" for text in score_texts(column)]
    return list(map(_json_text, column))


def _json_text(value: str | bool) -> str:  # noqa: FBT001 (a flag of the table)
    return json.dumps(value, ensure_ascii=False)


def _parquet(table: Table) -> bytes:
    arrow, parquet = needed("writing")
    as_text: set[int] = set()
    for part in table.parts():
        as_text.update(j for j, column in enumerate(part) if isinstance(column, Scores) and column.exact)
    first = next(iter(table.parts()))
    kinds = [_kind(column, arrow, as_text=j in as_text) for j, column in enumerate(first)]
    schema = arrow.schema(list(zip(table.header, kinds, strict=True)))
    sink = io.BytesIO()
    with parquet.ParquetWriter(sink, schema) as writer:
        for part in table.parts():
            arrays = [_array(column, kind, arrow) for column, kind in zip(part, kinds, strict=True)]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
    return sink.getvalue()


def _kind(column: Column, arrow: Any, *, as_text: bool) -> Any:
    if isinstance(column, Scores):
        return arrow.string() if as_text else arrow.float64()
    return arrow.bool_() if column and isinstance(column[0], bool) else arrow.string()


def _array(column: Column, kind: Any, arrow: Any) -> Any:
    if not isinstance(column, Scores):
        return arrow.array(column, kind)
    if kind == arrow.string():
        return arrow.array([text or None for text in score_texts(column)], kind)
    return arrow.array(column.floats, kind, mask=np.isnan(column.floats))
