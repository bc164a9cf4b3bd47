"""Columns of names, flags and scores as the bytes of a file in each format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._files import write_whole
from weightlab._validate import Faults
from weightlab.data.frame.cells import Cells, exact_text
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.columns import Scores
from weightlab.io.tables.delimited import DELIMITERS
from weightlab.io.tables.exact_numbers import number
from weightlab.io.tables.typed_columns import needed

_MARKUP = re.compile(r"[@<>\[\]`*&#!\\~$:{}|]|www\.|\b_|_\b", re.IGNORECASE)
Columns: TypeAlias = Mapping[str, Sequence[str] | Sequence[bool] | Scores]
"""Names, flags or scores by the name of the column."""


def encoded(columns: Columns, format: str, *, keyed: bool) -> bytes:  # noqa: A002 (as the functions that users call)
    """Return the bytes of a table in a format; JSON is an object of columns where these are keyed by the first one.

    Raises
    ------
    InputError
        If a name cannot be written, or pyarrow is needed and not installed.
    """
    if format == "parquet":
        return _parquet(columns)
    if format == "json":
        text = _json_by_column if keyed else _json_records
        return text({name: _texts(column, _json_text, "null") for name, column in columns.items()}).encode()
    _check_names(columns, format)
    flag = {True: "true", False: "false"}
    texts = (_texts(column, lambda one: flag[one] if isinstance(one, bool) else one, "") for column in columns.values())
    rows = (columns, *zip(*texts, strict=True))
    if format == "markdown":
        lines = [f"| {' | '.join(map(_cell, row))} |\n" for row in rows]
        return "".join([lines[0], f"| {' | '.join(['---'] * len(columns))} |\n", *lines[1:]]).encode()
    delimiter = DELIMITERS[format]
    special = set(f'{delimiter}"\r\n')

    def field(text: str) -> str:
        doubled = text.replace('"', '""')
        return text if special.isdisjoint(text) else f'"{doubled}"'

    return "".join(delimiter.join(map(field, row)) + "\n" for row in rows).encode()


def _cell(text: str) -> str:
    """Return a cell of Markdown: as code where something in it would be a link, a mention or markup."""
    if _MARKUP.search(text):
        fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
        room = " " if "`" in {text[0], text[-1]} else ""
        text = f"{fence}{room}{text}{room}{fence}"
    return text.replace("|", r"\|")


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


def _check_names(columns: Columns, format: str) -> None:  # noqa: A002
    """Refuse what text cannot hold."""
    held = {one for its in columns.values() if not isinstance(its, Scores) for one in its if isinstance(one, str)}
    longest = csv.field_size_limit()
    faults = Faults()
    for name in sorted({*columns, *held}):
        if "\0" in name:
            faults.add(f"the name {name!r} holds a NUL character; write JSON or Parquet instead")
        elif format == "markdown" and [name] != name.strip().splitlines():
            faults.add(f"the name {name!r} has blanks around it or a line break; write CSV, JSON or Parquet instead")
        elif format in DELIMITERS and len(name) > longest:
            faults.add(f"the name {name[:40]!r}... has more than {longest} characters; write JSON or Parquet instead")
    faults.raise_if_any()


def _texts(column: Any, text: Callable[[Any], str], missing: str) -> list[str]:
    """Return cells as texts; those of scores read back to the same numbers."""
    if not isinstance(column, Scores):
        return list(map(text, column))
    values = column.floats.tolist()
    texts = [missing if value != value else repr(value).removesuffix(".0") for value in values]  # noqa: PLR0124 - NaN
    for position, value in column.exact.items():
        texts[position] = exact_text(value)
    return texts


def _json_text(value: str | bool) -> str:  # noqa: FBT001 (a flag of the table)
    return json.dumps(value, ensure_ascii=False)


def _json_records(texts: Mapping[str, list[str]]) -> str:
    keys = [_json_text(name) for name in texts]
    rows = (
        ", ".join(f"{key}: {cell}" for key, cell in zip(keys, row, strict=True))
        for row in zip(*texts.values(), strict=True)
    )
    return "[\n" + ",\n".join(f"{{{row}}}" for row in rows) + "\n]\n"


def _json_by_column(texts: Mapping[str, list[str]]) -> str:
    first, *names = texts
    pairs = (", ".join(f"{row}: {cell}" for row, cell in zip(texts[first], texts[name], strict=True)) for name in names)
    columns = (f"{_json_text(name)}: {{{its}}}" for name, its in zip(names, pairs, strict=True))
    return "{\n" + ",\n".join(columns) + "\n}\n"


def _parquet(columns: Columns) -> bytes:
    arrow, parquet = needed("writing")
    arrays = {}
    for name, column in columns.items():
        if not isinstance(column, Scores):
            flags = len(column) > 0 and isinstance(column[0], bool)
            arrays[name] = arrow.array(column, arrow.bool_() if flags else arrow.string())
        elif column.exact:
            arrays[name] = arrow.array([text or None for text in _texts(column, str, "")], arrow.string())
        else:
            arrays[name] = arrow.array(column.floats, arrow.float64(), mask=np.isnan(column.floats))
    sink = io.BytesIO()
    parquet.write_table(arrow.table(arrays), sink)
    return sink.getvalue()
