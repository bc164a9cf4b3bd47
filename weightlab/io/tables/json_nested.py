"""JSON of any nesting, as flat records: wrappers opened, objects inside records spread over columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weightlab._result import Frozen

DEEPEST = 12
"""Objects inside objects that are looked into."""
MOST_ODD = 0.2
"""Of entries, those of another shape that may be left out."""
_SPLIT = {"columns", "index", "data"}


class Nested(Frozen):
    """What a JSON document holds.

    Attributes
    ----------
    document : list or dict
        Records, or an object of columns.
    labelled : bool
        Whether each record begins with the key of its entry, under the name ``""``.
    levels : int
        For nested objects of numbers only: the number of columns that name a number's position, followed by one that
        holds it. 0 otherwise.
    remarks : tuple of str
        What was opened and what was left out.
    """

    document: Any
    labelled: bool = False
    levels: int = 0
    remarks: tuple[str, ...] = ()


def flattened(document: Any) -> Nested:
    """Return the content of a document as records or columns of plain cells, as far as its shape allows.

    A record is an entry of a list, or of an object whose entries are objects that hold texts or objects. Objects of
    numbers alone are columns, as data frames write them; with objects inside objects, a row per number.
    """
    document, opened = _unwrapped(document)
    remarks = [f"opened {'.'.join(map(repr, opened))}"] if opened else []
    if isinstance(document, dict) and document.keys() >= {"columns", "data"} and document.keys() <= _SPLIT | {"name"}:
        return Nested(document=_of_split(document), remarks=tuple(remarks))
    if isinstance(document, list) and document and all(isinstance(one, dict) for one in document):
        return Nested(document=_flat(_ungrouped(document)), remarks=tuple(remarks))
    if not (isinstance(document, dict) and document):
        return Nested(document=document, remarks=tuple(remarks))
    inner = {key: one for key, one in document.items() if isinstance(one, dict) and one}
    odd = [key for key, one in document.items() if key not in inner and one != {}]
    if len(inner) < 2 or len(odd) > MOST_ODD * len(document):
        return Nested(document=document, remarks=tuple(remarks))
    depths = {depth for one in inner.values() for depth in _depths(one)}
    if depths and depths != {1} and len(depths) == 1 and all(map(_is_numbers, inner.values())):
        rows = [[*path, one] for path, one in _leaves(inner)]
        names = [f"level {at}" for at in range(1, len(rows[0]))]
        records = [dict(zip([*names, "score"], row, strict=True)) for row in rows]
        document, labelled, levels = records, False, len(names)
    elif (depths and depths != {1}) or sum(map(_is_mixed, inner.values())) > len(inner) / 2:
        numbered = all(key.isdecimal() for key in inner)
        records = _flat(list(inner.values()))
        document = records if numbered else [{"": key, **one} for key, one in zip(inner, records, strict=True)]
        labelled, levels = not numbered, 0
    else:
        return Nested(document=document, remarks=tuple(remarks))
    if odd:
        remarks.append(
            f"left out {', '.join(map(repr, odd[:3]))}{' and more' if len(odd) > 3 else ''}, of another shape"
        )
    return Nested(document=document, labelled=labelled, levels=levels, remarks=tuple(remarks))


def _unwrapped(document: Any) -> tuple[Any, list[str]]:
    """Return the table inside objects that otherwise hold only plain values, and its keys."""
    opened: list[str] = []
    while len(opened) < DEEPEST and (key := _only_table(document)) is not None:
        opened.append(key)
        document = document[key]
    return document, opened


def _only_table(value: Any, depth: int = 0) -> str | None:
    """Return the key under which the only list or object of an object holds a table, perhaps deeper; None if none."""
    held = (
        [key for key, one in value.items() if isinstance(one, list | dict) and one] if isinstance(value, dict) else []
    )
    if len(held) != 1 or depth > DEEPEST:
        return None
    inside = value[held[0]]
    parts = inside if isinstance(inside, list) else inside.values()
    is_table = all(isinstance(one, dict) for one in parts)
    return held[0] if is_table or _only_table(inside, depth + 1) is not None else None


def _ungrouped(document: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the records of a list of objects that each hold a name with its records; other lists as they are."""
    groups = [pair for one in document for pair in one.items()]
    is_grouped = len(groups) == len(document) > 1 and all(isinstance(held, list) and held for _, held in groups)
    if not is_grouped or any(not isinstance(one, dict) or "group" in one for _, held in groups for one in held):
        return document
    return [{"group": name, **record} for name, held in groups for record in held]


def _of_split(document: Mapping[str, Any]) -> Any:
    """Return the records of what data frames write as columns, index and data."""
    columns, rows, index = document["columns"], document["data"], document.get("index", [])
    lists = isinstance(columns, list) and isinstance(rows, list) and all(isinstance(one, list) for one in rows)
    if not lists or any(len(row) != len(columns) for row in rows) or any(isinstance(one, list) for one in columns):
        return document
    named = len(index) == len(rows) and any(not str(one).isdecimal() for one in index)
    names = [str(one) for one in columns]
    labels = [{"model": str(one)} for one in index] if named and "model" not in names else [{} for _ in rows]
    return [label | dict(zip(names, row, strict=True)) for label, row in zip(labels, rows, strict=True)]


def _depths(value: Any, depth: int = 0) -> Iterator[int]:
    """Yield how deep below an object its plain values stand."""
    if not isinstance(value, dict) or depth >= DEEPEST:
        yield depth
        return
    for one in value.values():
        yield from _depths(one, depth + 1)


def _is_numbers(value: Any) -> bool:
    """Return whether nothing but numbers and null stands in objects in an object."""
    if isinstance(value, dict):
        return all(map(_is_numbers, value.values()))
    return value is None or (not isinstance(value, list | bool) and _is_number(value))


def _is_number(value: Any) -> bool:
    """Return whether a plain value is a number, which here is a kind of text that is not exactly one."""
    return isinstance(value, int | float) or (isinstance(value, str) and type(value) is not str)


def _is_mixed(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry holds texts beside numbers, as a record does and a column does not."""
    kinds = {_is_number(one) and not isinstance(one, bool) for one in entry.values() if one is not None}
    return len(kinds) == 2


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, (*path, key))
    else:
        yield path, value


def _flat(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return records whose objects are spread over columns called by their paths.

    If only one object holds numbers, its entries keep their own names. A key is spread only if it holds an
    object wherever it holds anything; of a list, if it has one entry.
    """
    spread = _spread(records, ())
    columns = dict.fromkeys(path for record in spread for path in record)
    numeric = {path for record in spread for path, one in record.items() if _is_number(one)}
    holders = {path[:-1] for path in numeric if len(path) > 1}
    names = {path: ".".join(path) for path in columns}
    if len(holders) == 1:
        (holder,) = holders
        short = {path: path[-1] for path in columns if path[:-1] == holder}
        if not set(short.values()) & {name for path, name in names.items() if path not in short}:
            names |= short
    if len(set(names.values())) < len(names):
        return [dict(record) for record in records]
    return [{names[path]: one for path, one in record.items()} for record in spread]


def _spread(records: Sequence[Mapping[str, Any]], path: tuple[str, ...]) -> list[dict[tuple[str, ...], Any]]:
    made: list[dict[tuple[str, ...], Any]] = [{} for _ in records]
    for key in dict.fromkeys(key for record in records for key in record):
        held = [_sole(record.get(key)) for record in records]
        given = [one for one in held if one is not None]
        if given and all(isinstance(one, dict) for one in given) and len(path) < DEEPEST:
            inside = _spread([one if one is not None else {} for one in held], (*path, key))
            for record, more in zip(made, inside, strict=True):
                record.update(more)
            continue
        lists = [one for one in given if isinstance(one, list)]
        plain = bool(lists) and all(type(one) is str or isinstance(one, list) for one in given)
        plain = plain and not any(_is_nested(cell) for one in lists for cell in one)
        for record, source, one in zip(made, records, held, strict=True):
            if key in source:
                record[(*path, key)] = ", ".join(map(str, one)) if plain and isinstance(one, list) else one
    return made


def _sole(value: Any) -> Any:
    """Return the object that is the only entry of a list; everything else as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict) else value


def _is_nested(value: Any) -> bool:
    return isinstance(value, list | dict)
