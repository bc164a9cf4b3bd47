"""JSON files: a list of records, or an object of columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from weightlab.exceptions import FileFormatError
from weightlab.io.tables.exact_numbers import number
from weightlab.io.tables.sheet import Block, FileFaults, Sheet
from weightlab.io.tables.source import Source, decoded, opened

__all__ = ["finite_number", "json_document", "json_file", "json_sheet"]


class WrittenNumber(str):
    """The text of a JSON number, which is not a JSON string."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the number without quotes."""
        return str(self)


def json_sheet(source: Source, faults: FileFaults) -> Sheet:
    """Return the sheet of a JSON file.

    It is a list of records ``[{"model": "T5", "CoLA": 71.6}]``, an object of columns ``{"CoLA": {"T5": 71.6}}`` (as
    ``DataFrame.to_json`` writes), or an object of lists ``{"model": ["T5"], "CoLA": [71.6]}``.

    Raises
    ------
    FileFormatError
        If it is not JSON, or of another form.
    """
    document = json_document(source, faults)
    if isinstance(document, list) and document and all(isinstance(record, dict) for record in document):
        return _records(document, faults)
    if isinstance(document, dict) and document:
        if all(isinstance(column, dict) for column in document.values()):
            return _columns(document, faults)
        if all(isinstance(column, list) for column in document.values()):
            return _lists(source, document, faults)
    raise FileFormatError(
        source.name,
        'a list of records, [{"model": ..., "a task": ...}, ...], or an object of columns, '
        f'{{"a task": {{"a model": ...}}}}, is needed; got {_kind(document)}',
    )


def json_document(source: Source, faults: FileFaults) -> Any:
    """Return a JSON document with its numbers as the text that is written, noting keys that are there twice.

    Raises
    ------
    FileFormatError
        If it is not JSON.
    """
    text = decoded(source)
    try:
        return json.loads(
            text,
            parse_float=WrittenNumber,
            parse_int=WrittenNumber,
            parse_constant=WrittenNumber,
            object_pairs_hook=partial(_object, faults=faults),
        )
    except RecursionError:
        raise FileFormatError(source.name, "not a table: too deeply nested") from None
    except ValueError as error:
        raise FileFormatError(source.name, f"not JSON: {error}") from None


def json_file(path: Path) -> Any:
    """Return the JSON document in a file, as `json_document` does.

    Raises
    ------
    FileFormatError
        If it is not there, is not JSON, or has a key twice in one object.
    """
    source = opened(path, "json")
    faults = FileFaults(source.name)
    document = json_document(source, faults)
    faults.raise_here()
    return document


def finite_number(value: Any) -> float | Fraction | None:
    """Return the number that a value of `json_document` is, or None where it is none or not finite."""
    if not isinstance(value, WrittenNumber):
        return None
    try:
        found = number(value)
    except ValueError:
        return None
    return None if found != found else found  # noqa: PLR0124 - NaN


def _object(pairs: list[tuple[str, Any]], *, faults: FileFaults) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                faults.add(f"the key {key!r} is there more than once in one object")
            seen.add(key)
    if not all(map(str.isascii, made)):
        for key in made:
            _check_text(key, faults)
    return made


def _check_text(text: str, faults: FileFaults) -> None:
    """Note what JSON can escape and no text file, frame or terminal can hold."""
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        faults.add(f"the text {text!r} holds half a surrogate pair, which stands for no character")


def _records(records: list[dict[str, Any]], faults: FileFaults) -> Sheet:
    header = tuple(dict.fromkeys(key for record in records for key in record))
    columns = [
        [_cell(record.get(key), f"record {number}", key, faults) for number, record in enumerate(records, start=1)]
        for key in header
    ]
    return _sheet(header, columns, len(records))


def _lists(source: Source, lists: dict[str, list[Any]], faults: FileFaults) -> Sheet:
    lengths = {key: len(column) for key, column in lists.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{key!r} has {length}" for key, length in list(lengths.items())[:6])
        raise FileFormatError(source.name, f"the lists differ in length: {told}")
    columns = [
        [_cell(cell, f"record {number}", key, faults) for number, cell in enumerate(column, start=1)]
        for key, column in lists.items()
    ]
    return _sheet(tuple(lists), columns, max(lengths.values()))


def _columns(document: dict[str, dict[str, Any]], faults: FileFaults) -> Sheet:
    labels = list(dict.fromkeys(label for column in document.values() for label in column))
    columns = [
        [_cell(column.get(label), f"{label!r}", key, faults) for label in labels] for key, column in document.items()
    ]
    if _is_text(document.get("model", {})):
        return _sheet(tuple(document), columns, len(labels))  # the labels are but row numbers
    block = Block(rows=range(len(labels)), columns=[labels, *columns])
    blocks = iter([block] if labels else [])
    return Sheet(header=("", *document), blocks=blocks, place=lambda row: f"{labels[row]!r}", labelled=True)


def _is_text(column: Mapping[str, Any]) -> bool:
    return bool(column) and all(
        isinstance(cell, str) and not isinstance(cell, WrittenNumber) for cell in column.values()
    )


def _sheet(header: tuple[str, ...], columns: list[list[Any]], count: int) -> Sheet:
    block = Block(rows=range(1, count + 1), columns=columns)
    return Sheet(header=header, blocks=iter([block] if count else []), place="record {}".format, keyed=True)


def _cell(cell: Any, place: str, key: str, faults: FileFaults) -> Any:
    if isinstance(cell, list | dict):
        faults.add(f"{place}, column {key!r}: {_kind(cell)} where a name or a score is needed")
        return None
    if isinstance(cell, str):
        _check_text(cell, faults)
    return cell


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    return "null" if value is None else repr(value)
