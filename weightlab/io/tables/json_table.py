"""JSON and YAML files: a list of records, an object of columns, or JSON Lines: a record a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from weightlab._cures import Cure, Fault
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.tables.decision_matrix import decision_sheet
from weightlab.io.tables.exact_numbers import number
from weightlab.io.tables.json_nested import flattened
from weightlab.io.tables.sheet import Block, FileFaults, Sheet, Source, decoded, opened

MOST_OBJECTS = 10_000_000
"""Lists and objects of a JSON file that are read, as many as rows of a large table."""
MOST_OFFERED = 3
"""Lists of records that an error message offers."""


class WrittenNumber(str):
    """The text of a JSON number, which is not a JSON string."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the number without quotes."""
        return str(self)


def json_sheet(
    source: Source, faults: FileFaults, only: Collection[str] | None = None, table: str | None = None
) -> Sheet:
    """Return the sheet of a JSON file.

    It is a list of records ``[{"model": "T5", "CoLA": 71.6}]``, an object of columns ``{"CoLA": {"T5": 71.6}}`` (as
    ``DataFrame.to_json`` writes), or an object of lists ``{"model": ["T5"], "CoLA": [71.6]}``. JSON Lines hold a record
    a line. An object that holds one of these and otherwise plain values is opened; objects inside records are spread
    over columns. If an object has several lists of records, it is the requested one, by its key or by its number
    from 1. Where only some columns are read, the cells of all others come out empty, whatever they hold.

    Raises
    ------
    FileFormatError
        If it is not JSON, or of another form.
    """
    reader = _Cells(faults, only)
    if source.format == "jsonl":
        return _lines(source, reader)
    held = json_document(source, faults)
    if (decisions := decision_sheet(held, source.name, finite_number)) is not None:
        return decisions
    try:
        nested = flattened(_chosen(held, table, source.name))
    except RecursionError:
        raise FileFormatError(source.name, "not a table: too deeply nested") from None
    document = nested.document
    if isinstance(document, dict) and sum(isinstance(one, WrittenNumber) for one in document.values()) > 1:
        document = [document]  # one record
    if isinstance(document, list) and document and all(isinstance(record, dict) for record in document):
        place = (lambda row: repr(document[row - 1][""])) if nested.labelled else "record {}".format
        made = _records(document, range(1, len(document) + 1), place, reader)
        return replace(made, labelled=nested.labelled, levels=nested.levels, remarks=nested.remarks)
    if isinstance(document, dict) and document:
        if all(isinstance(column, dict) for column in document.values()) and not _holds_lists(document):
            return replace(_columns(document, reader), remarks=nested.remarks, objects=True)
        if all(isinstance(column, list) for column in document.values()):
            return _lists(source, document, reader)
    if inside := _records_inside(held):
        raise _which(inside, source.name)
    raise FileFormatError(
        source.name,
        'a list of records, [{"model": ..., "a task": ...}, ...], or an object of columns, '
        f'{{"a task": {{"a model": ...}}}}, is needed; got {_kind(document)}',
    )


def _chosen(document: Any, table: str | None, name: str) -> Any:
    """Return a document, or the requested list if it is an object of several lists of records."""
    if not isinstance(document, dict):
        return document
    lists = {key: one for key, one in document.items() if _is_records(one)}
    lists_inside = lists or (_records_inside(document) if table else {})
    asked = [key for at, key in enumerate(lists_inside, start=1) if table in {key, str(at)}]
    if asked:
        return lists_inside[asked[0]]
    single = [key for key, one in document.items() if isinstance(one, list) and key not in lists and len(one) == 1]
    if len(lists) == 1 and single:
        return lists  # next to it are values given once
    if len(lists) < 2:
        return document
    raise _which(lists, name)


def _which(lists: Mapping[str, list[Any]], name: str) -> FileFormatError:
    """Return the question which of some lists of records is the table."""
    told = "; ".join(
        f"{at} ({key!r}: {len(one):,} x {len(one[0]) - 1})" for at, (key, one) in enumerate(lists.items(), 1)
    )
    largest = sorted(lists, key=lambda key: -len(lists[key]) * len(lists[key][0]))
    cures = (Cure("table", key) for key in largest[:MOST_OFFERED])
    held = "is 1 list" if len(lists) == 1 else f"are {len(lists)} lists"
    return FileFormatError(name, Fault(f"there {held} of records: {told}", *cures))


def _records_inside(document: Any) -> dict[str, list[Any]]:
    """Return the lists of records that stand in objects in an object, by their keys with points between."""
    found: dict[str, list[Any]] = {}
    left: list[tuple[tuple[str, ...], Any]] = [((), document)]
    while left:
        path, one = left.pop(0)
        if path and _is_records(one) and _numbers(one[0]):
            found[".".join(path)] = one
        elif isinstance(one, dict):
            left += [((*path, key), held) for key, held in one.items()]
    return found


def _holds_lists(columns: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether every object in an object holds a list of records."""
    return all(any(map(_is_records, column.values())) for column in columns.values())


def _numbers(record: Mapping[str, Any]) -> bool:
    """Return whether a number stands in a record, or in an object in it."""
    inner = [one for one in record.values() if isinstance(one, dict)]
    return any(isinstance(one, WrittenNumber) for held in (record, *inner) for one in held.values())


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(one, dict) and one for one in value)


def json_document(source: Source, faults: FileFaults) -> Any:
    """Return a JSON document with its numbers as the text that is written, noting duplicate keys.

    Raises
    ------
    FileFormatError
        If it is not JSON.
    """
    if source.format == "yaml":
        return yaml_document(source, faults, WrittenNumber)
    text = decoded(source)
    _check_size(source, text)
    try:
        return _decoder(faults).decode(text)
    except RecursionError:
        raise FileFormatError(source.name, "not a table: too deeply nested") from None
    except ValueError as error:
        raise FileFormatError(source.name, f"not JSON: {error}") from None


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')


def _check_size(source: Source, text: str) -> None:
    """Refuse what would take much memory: every list and object takes a hundred bytes, whatever is in it."""
    if _opened(text) > MOST_OBJECTS and _opened(_STRING.sub("", text)) > MOST_OBJECTS:
        told = f"not a table: more than {MOST_OBJECTS:,} lists and objects; JSON Lines are read a line at a time"
        raise FileFormatError(source.name, told)


def _opened(text: str) -> int:
    return text.count("{") + text.count("[")


def _decoder(faults: FileFaults) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_float=WrittenNumber,
        parse_int=WrittenNumber,
        parse_constant=WrittenNumber,
        object_pairs_hook=partial(_object, faults=faults),
    )


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


def json_records(path: Path) -> dict[int, dict[str, Any]]:
    """Return the objects of JSON Lines by line.

    Raises
    ------
    FileFormatError
        Listing the lines that are not JSON.
    """
    source = opened(path, "jsonl")
    faults = FileFaults(source.name)
    decode, records = _decoder(faults).decode, dict[int, dict[str, Any]]()
    for line, text in enumerate(decoded(source).split("\n"), start=1):
        try:
            record = decode(text) if text.strip() else None
        except (ValueError, RecursionError) as error:
            faults.add(f"line {line}: not JSON: {error}")
            continue
        if isinstance(record, dict):
            records[line] = record
        elif text.strip():
            faults.add(f"line {line}: an object is needed, {{...}}; got {_kind(record)}")
    faults.raise_here()
    return records


def finite_number(value: Any) -> float | Fraction | None:
    """Return the number in a value of `json_document`, or None if it is not a finite number."""
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
                faults.add(f"the key {key!r} occurs more than once in one object")
            seen.add(key)
    if not all(map(str.isascii, made)):
        for key in made:
            _check_text(key, faults)
    return made


def _check_text(text: str, faults: FileFaults) -> None:
    """Note what JSON can escape and no text file, frame or terminal can hold."""
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        faults.add(f"the text {text!r} holds half a surrogate pair, which stands for no character")


PLAIN = {str, WrittenNumber, type(None)}
"""Types of cells that need no further check if they are ASCII."""


class _Cells:
    """The cells of the columns that are read, noting those that can be neither names nor scores."""

    def __init__(self, faults: FileFaults, only: Collection[str] | None) -> None:
        self.faults, self.only = faults, only

    def column(self, key: str, cells: Iterable[Any], place: Callable[[int], str], rows: Sequence[int]) -> Sequence[Any]:
        """Return the cells of a column; those that are not read are empty."""
        if self.only is not None and key not in self.only:
            return [None] * len(rows)
        listed = list(cells)
        if set(map(type, listed)) <= PLAIN and "".join(filter(None, listed)).isascii():
            return listed
        return [self._checked(cell, place, row, key) for row, cell in zip(rows, listed, strict=True)]

    def _checked(self, cell: Any, place: Callable[[int], str], row: int, key: str) -> Any:
        if isinstance(cell, list | dict):
            self.faults.add(f"{place(row)}, column {key!r}: {_kind(cell)} where a name or a score is needed")
            return None
        if isinstance(cell, str):
            _check_text(cell, self.faults)
        return cell

    def kept(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return the part of a record that is read; the record may hold far more."""
        return record if self.only is None else {key: cell for key, cell in record.items() if key in self.only}


def _lines(source: Source, reader: _Cells) -> Sheet:
    """Return the sheet of JSON Lines; blank lines are left out."""
    decode, faults = _decoder(reader.faults).decode, reader.faults
    records: list[dict[str, Any]] = []
    rows: list[int] = []
    keys: dict[str, None] = {}
    for row, line in enumerate(decoded(source).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = decode(line)
        except (ValueError, RecursionError) as error:
            faults.add(f"line {row}: not JSON: {error}")
            record = None
        if isinstance(record, dict):
            if not keys.keys() >= record.keys():
                keys.update(dict.fromkeys(record))
            records.append(reader.kept(record))
            rows.append(row)
        elif record is not None:
            faults.add(f"line {row}: an object is needed, {{...}}; got {_kind(record)}")
        if faults.enough:
            break
    return _records(records, rows, "line {}".format, reader, keys)


def _records(
    records: list[dict[str, Any]],
    rows: Sequence[int],
    place: Callable[[int], str],
    reader: _Cells,
    keys: Iterable[str] | None = None,
) -> Sheet:
    header = tuple(dict.fromkeys(key for record in records for key in record) if keys is None else keys)
    columns = [reader.column(key, (record.get(key) for record in records), place, rows) for key in header]
    return _sheet(header, columns, rows, place)


def _lists(source: Source, lists: dict[str, list[Any]], reader: _Cells) -> Sheet:
    lengths = {key: len(column) for key, column in lists.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{key!r} has {length}" for key, length in list(lengths.items())[:6])
        raise FileFormatError(source.name, f"the lists differ in length: {told}")
    rows = range(1, max(lengths.values()) + 1)
    columns = [reader.column(key, column, "record {}".format, rows) for key, column in lists.items()]
    return _sheet(tuple(lists), columns, rows, "record {}".format)


def _columns(document: dict[str, dict[str, Any]], reader: _Cells) -> Sheet:
    labels = list(dict.fromkeys(label for column in document.values() for label in column))
    rows, place = range(len(labels)), lambda row: f"{labels[row]!r}"
    columns = [
        reader.column(key, (column.get(label) for label in labels), place, rows) for key, column in document.items()
    ]
    if reader.only is not None or _is_text(document.get("model", {})):
        numbered = range(1, len(labels) + 1)  # the labels are but row numbers
        return _sheet(tuple(document), columns, numbered, "record {}".format)
    block = Block(rows=rows, columns=[labels, *columns])
    return Sheet(header=("", *document), blocks=iter([block] if labels else []), place=place, labelled=True)


def _is_text(column: Mapping[str, Any]) -> bool:
    return bool(column) and all(
        isinstance(cell, str) and not isinstance(cell, WrittenNumber) for cell in column.values()
    )


def _sheet(
    header: tuple[str, ...], columns: Sequence[Sequence[Any]], rows: Sequence[int], place: Callable[[int], str]
) -> Sheet:
    blocks = iter([Block(rows=rows, columns=columns)] if rows else [])
    return Sheet(header=header, blocks=blocks, place=place, keyed=True)


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    return "null" if value is None else repr(value)


# YAML, through PyYAML where that is installed.


DEEPEST, MOST_NODES = 100, 1_000_000
"""Lists in lists that are read, and values in all: a few bytes can stand for more than fits into memory."""
_NUMBER = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?", re.ASCII)


def yaml_document(source: Source, faults: FileFaults, number: Callable[[str], Any]) -> Any:
    """Return the document of a YAML file, each number as ``number`` makes it of what is written.

    Aliases are refused: they can make a small file as large as they like. Dates and all else are texts.

    Raises
    ------
    InputError
        If PyYAML is not installed.
    FileFormatError
        If it is not YAML, holds an alias, or is too deep or too large.
    """
    try:
        import yaml  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError("reading YAML needs PyYAML: pip install 'weightlab[yaml]'") from None
    text = decoded(source)
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _check(yaml, text, base, source.name)
        loader: Any = type("_Loader", (base,), {})
        loader.add_constructor("tag:yaml.org,2002:map", lambda made, node: _mapping(made, node, faults))
        for kind in ("int", "float", "timestamp"):
            loader.add_constructor(
                f"tag:yaml.org,2002:{kind}",
                lambda made, node: number(node.value) if _NUMBER.fullmatch(node.value) else made.construct_scalar(node),
            )
        return yaml.load(text, Loader=loader)  # noqa: S506 (a safe loader with other scalars)
    except FileFormatError:
        raise
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = "" if where is None else f"line {where.line + 1}: "
        raise FileFormatError(source.name, f"not YAML: {line}{getattr(error, 'problem', None) or error}") from None
    except (ValueError, RecursionError) as error:
        raise FileFormatError(source.name, f"not YAML that is read here: {error}") from None


def _check(yaml: Any, text: str, loader: Any, name: str) -> None:
    """Refuse aliases, and what is too deep or too large, before anything is made of it."""
    depth = 0
    for nodes, event in enumerate(yaml.parse(text, Loader=loader)):
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 1
            raise FileFormatError(name, f"line {line}: *{event.anchor} stands for what is written elsewhere")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST or nodes > MOST_NODES:
            raise FileFormatError(name, f"not a table: more than {DEEPEST} levels or {MOST_NODES:,} values")


def _mapping(loader: Any, node: Any, faults: FileFaults) -> dict[str, Any]:
    """Return an object, noting duplicate keys."""
    made: dict[str, Any] = {}
    for key, value in node.value:
        name = str(loader.construct_object(key, deep=True))
        if name in made:
            faults.add(f"line {key.start_mark.line + 1}: {name!r} occurs twice")
        made[name] = loader.construct_object(value, deep=True)
    return made
