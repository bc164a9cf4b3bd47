"""JSON documents: results with everything that verifies them, and how they were asked for."""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from html.parser import HTMLParser
from os import PathLike
from typing import IO, Any

import numpy as np
import pandas as pd

from weightlab._files import write_whole
from weightlab._result import Frozen, Result, ensure, read_list, refuse_others, result_from_dict, same_json, told_of
from weightlab._version import __version__
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.tables.sheet import decoded, opened


def _is_name(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _are_columns(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"model", "instance"} and all(map(_is_name, value.values()))


OPTIONS: Mapping[str, Callable[[Any], bool]] = {
    "file": _is_name,
    "config": _is_name,
    "complete": lambda value: isinstance(value, bool),
    "table": lambda value: value in ("board", "suite"),
    "columns": _are_columns,
    "flags": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
}
"""What a document may say of how its table was read, and whether a value is one."""

_HALVES = re.compile("[\ud800-\udfff]")


class Document(Frozen):
    """Results of one call, ready to be sent to a reader who wants to check them.

    Attributes
    ----------
    results : tuple of Result
        Each verifies by itself.
    options : mapping
        How the table was read: ``file`` and ``config`` by name, ``complete`` where models that lack a score are left
        out, ``flags`` that declare or choose something, ``table`` where it is a suite, the ``columns`` of a table of
        instances. It tells `verify` how to read the table again and proves nothing: every result carries what it is
        about, and is compared with what was read.
    command : str
        What was asked; it proves nothing, either.
    notes : tuple of str
        What was left out, declared, averaged or doubtful when the table was read, in sentences that prove nothing.
    reading : mapping or None
        How the table was read, with the declarations that say all of it: ``line``, ``columns``, ``declared``; it proves
        nothing.
    version : str
        The version of weightlab that answered.
    written : list, optional
        The block ``table`` of a document that was read, not believed until `verify` has compared it.
    page : str
        The whole page from which it was read; its words are compared by ``weightlab verify``.
    asked : any
        What that page was asked with.
    """

    results: tuple[Result, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    notes: tuple[str, ...] = ()
    reading: Mapping[str, Any] | None = None
    version: str = __version__
    written: Any = None
    page: str = ""
    asked: Any = None

    def __post_init__(self) -> None:
        """Raise InputError for options that say nothing about how a table is read."""
        refuse_others(self.options, list(OPTIONS), "'options'")
        for name, value in self.options.items():
            if not OPTIONS[name](value):
                raise InputError(f"options: {name!r} cannot be {str(value)[:60]!r}")

    def verify(self, source: Any = None) -> bool:
        """Re-check every result, and that the block ``table`` says what they say.

        Raises
        ------
        ProofError
            Naming the kind of the first result that fails, and its first inequality.
        """
        for one in self.results:
            with told_of(one.kind):
                one.verify(source)
        if self.written is not None:
            ensure(same_json(self.table(), self.written), "table: its rows are not those of the results")
        return True

    def table(self) -> list[dict[str, Any]]:
        """Return the rows of each result's ``summary()`` as numbers and texts, for programs that want no fractions."""
        return [{"kind": one.kind, "rows": _rows(one.summary())} for one in self.results]

    def to_dict(self, *, table: bool = False) -> dict[str, Any]:
        """Return the document ready for JSON, with the block ``table`` when asked for."""
        return {
            "weightlab": self.version,
            "command": self.command,
            "options": dict(self.options),
            **({"reading": dict(self.reading)} if self.reading else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            **({"table": self.table()} if table else {}),
            "results": [result.to_dict() for result in self.results],
        }

    def to_json(self, *, table: bool = False) -> str:
        """Return the document as JSON text."""
        text = json.dumps(self.to_dict(table=table), ensure_ascii=False, indent=1)
        # Half of a surrogate pair is no letter that a file can hold: it is written as its code.
        return _HALVES.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def read_document(source: str | PathLike[str] | IO[bytes] | IO[str]) -> Document:
    """Read a document, a bare result as a document of one, or the document that a report's page holds.

    Raises
    ------
    FileFormatError
        If the file is neither JSON nor a page, or holds no document of results.
    """
    opened_source = opened(source, "json")
    text = decoded(opened_source, markup=True)
    try:
        if is_page(text):
            document, asked = document_in_page(text, _object)
            return replace(_document(document), page=text.replace("\r\n", "\n"), asked=asked)
        return _document(_loaded(text, _object))
    except InputError as error:
        raise FileFormatError(opened_source.name, error.faults) from None
    except RecursionError:
        raise FileFormatError(opened_source.name, "too deeply nested") from None
    except ValueError as error:
        raise FileFormatError(opened_source.name, f"not JSON: {error}") from None


def read_result(source: str | PathLike[str] | IO[bytes] | IO[str]) -> Result:
    """Read one result that was written as JSON; ``result.verify()`` re-checks it.

    Parameters
    ----------
    source : path or open file
        What `write_result` wrote, or a command that gives one, such as ``weightlab smallest --output``.

    Returns
    -------
    Result

    Raises
    ------
    FileFormatError
        If the file is not JSON, holds no result, or holds several (`read_document` reads those).
    """
    document = read_document(source)
    if len(document.results) != 1:
        name = getattr(source, "name", source)
        raise FileFormatError(name, f"holds {len(document.results)} results; read_document reads them all")
    return document.results[0]


def write_document(document: Document, path: str | PathLike[str], *, table: bool = False) -> None:
    """Write results as JSON, with the block ``table`` when asked for."""
    write_whole((path, document.to_json(table=table) + "\n"))


def write_result(result: Result, path: str | PathLike[str]) -> None:
    """Write one result as JSON."""
    write_document(Document(results=(result,)), path)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys are all different: of two values other readers may take the other one."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {twice!r} occurs more than once in one object")
    return made


def _loaded(text: str, hook: Any) -> Any:
    """Return parsed JSON; NaN and infinite numbers are refused, as JSON has none."""

    def refuse(name: str) -> Any:
        raise InputError(f"{name} is no number of JSON")

    return json.loads(text, object_pairs_hook=hook, parse_constant=refuse)


def _document(read: Any) -> Document:
    if isinstance(read, Mapping) and "kind" in read:
        return Document(results=(_result(read),), version="")
    if not isinstance(read, Mapping) or not isinstance(read.get("results"), Sequence):
        raise InputError("this holds no results of weightlab: a JSON object with 'results' is needed")
    if not read["results"]:
        raise InputError("this document holds no results")
    refuse_others(read, ("weightlab", "command", "options", "reading", "notes", "table", "results"), "the document")
    options = read.get("options", {})
    if not isinstance(options, Mapping):
        raise InputError("'options' must be an object")
    if not isinstance(read.get("reading", {}), Mapping):
        raise InputError("'reading' must be an object")
    for name in ("command", "weightlab"):
        if not isinstance(read.get(name, ""), str):
            raise InputError(f"{name!r} must be a text")
    return Document(
        results=tuple(_result(one) for one in read["results"]),
        options=dict(options),
        command=read.get("command", ""),
        notes=tuple(map(str, read_list(read.get("notes", []), "notes"))),
        reading=read.get("reading"),
        version=read.get("weightlab", ""),
        written=read.get("table"),
    )


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a summary as objects; names of rows stand under the name of the index, or ``name``."""
    plain = isinstance(frame.index, pd.RangeIndex)
    named = frame if plain else frame.rename_axis([name or "name" for name in frame.index.names]).reset_index()
    labels: list[Any] = named.columns.tolist()
    columns = [" ".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in labels]
    return [
        {name: _cell(cell) for name, cell in zip(columns, row, strict=True)}
        for row in named.itertuples(index=False, name=None)
    ]


def _cell(cell: Any) -> Any:
    """Return a number or text as JSON has it: what is missing, or not finite, is null."""
    if isinstance(cell, (bool, np.bool_)):
        return bool(cell)
    if isinstance(cell, (int, np.integer)):
        return int(cell)
    if isinstance(cell, (float, Fraction, np.floating)):
        try:
            return float(cell) if math.isfinite(cell) else None
        except OverflowError:  # a ratio beyond every float
            return None
    return None if cell is None or cell is pd.NA else str(cell)


def _result(read: Mapping[str, Any]) -> Result:
    """Return a result of any kind: kinds are known once the parts that make them are loaded, which takes a second."""
    import weightlab.lp  # noqa: PLC0415
    import weightlab.rules  # noqa: PLC0415
    import weightlab.studies  # noqa: F401, PLC0415

    return result_from_dict(read)


# A document inside a page: deflated, so that it is short and ends no element; read back to be verified.

PACK = "weightlab-document"
"""Id of the element that holds the document, all that the words of its page are made from, and what scripts need."""
MOST_BYTES = 1 << 28
"""Largest size of an unpacked document, in bytes."""
HARMLESS = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
"""Written as codes: within JSON these mean the same, and no browser takes them for markup."""


def harmless_json(value: Any) -> str:
    """Return JSON text of ASCII letters without ``<``, ``>`` and ``&``: it can stand in any element."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).translate(HARMLESS)


def packed(document: Mapping[str, Any], asked: Mapping[str, Any], others: str = "null") -> str:
    """Return a document, and what its page was asked with, as the JSON text in which a page carries it.

    Parameters
    ----------
    document : mapping
        Its results, and what is said of them.
    asked : mapping
        What the page was asked with, and was answered: all that its words are made from.
    others : str
        JSON that the page's own scripts need; no proof of anything.

    Returns
    -------
    str
        A text of JSON: base64 of deflated lines, each the JSON of one value. The first says how many common parts
        and results there are; these follow, then what was asked, then the others. What is long and comes again, such
        as the table, is one of the common parts, to which the later lines refer by number.

    Raises
    ------
    InputError
        If it is too long to be inflated again.
    """
    mark, parts, [*results, asked] = share_parts([*document["results"], asked])
    head = {name: value for name, value in document.items() if name != "results"}
    head |= {"count": len(results), "parts": {"count": len(parts), "mark": mark}}
    lines = "\n".join([*map(harmless_json, (head, *parts, *results, asked)), others]).encode("ascii")
    if len(lines) > MOST_BYTES:
        raise InputError(f"a page holds {MOST_BYTES:,} bytes of results at most, not {len(lines):,}: leave parts out")
    return f'"{base64.b64encode(zlib.compress(lines)).decode("ascii")}"'


def unpacked(text: str) -> list[str]:
    """Return the lines of a pack.

    Raises
    ------
    InputError
        If it is none, or inflates to more than a page may hold.
    """
    inflating = zlib.decompressobj()
    try:
        lines = inflating.decompress(base64.b64decode(text.strip().strip('"'), validate=True), MOST_BYTES + 1)
    except (ValueError, zlib.error) as error:
        raise InputError(f"the results in this page cannot be read: {error}") from None
    if len(lines) > MOST_BYTES:
        raise InputError(f"the results in this page inflate to more than {MOST_BYTES:,} bytes")
    if not inflating.eof or inflating.unused_data:
        raise InputError("the results in this page are cut off, or followed by others")
    return lines.decode("ascii", "replace").split("\n")


def is_page(text: str) -> bool:
    """Return whether a text is a page, which no JSON document is."""
    return text.lstrip()[:1] == "<"


class _Reader(HTMLParser):
    """Gathers the texts of the packs of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Begin a text where a pack begins."""
        if tag == "script" and {"type": "application/json", "id": PACK}.items() <= dict(attrs).items():
            self._inside = True
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        self._inside = self._inside and tag != "script"

    def handle_data(self, data: str) -> None:
        """Add to it."""
        if self._inside:
            self.texts[-1] += data


def lines_in_page(page: str) -> list[str]:
    """Return the lines that a page holds, as `packed` orders them.

    Raises
    ------
    InputError
        If there is no pack, or more than one, or it cannot be read.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    if len(reader.texts) != 1:
        raise InputError("this page holds no results of weightlab")
    return unpacked(reader.texts[0])


def document_in_page(page: str, hook: Any) -> tuple[Mapping[str, Any], Any]:
    """Return the document that a page holds, and what the page was asked with.

    Parameters
    ----------
    page : str
        The HTML.
    hook : callable
        From the pairs of a JSON object to a mapping.

    Raises
    ------
    InputError
        If the page holds none, or not all of its results.
    ValueError
        If one of its lines is not JSON.
    """
    lines = lines_in_page(page)
    head = _loaded(lines[0], hook)
    common: Any = head.get("parts") if isinstance(head, Mapping) else None
    counts: list[Any] = [common.get("count"), head.get("count")] if isinstance(common, Mapping) else [None]
    if not all(type(one) is int and one >= 0 for one in counts):
        raise InputError("this page does not say how many results it holds")
    if len(lines) != sum(counts) + 3:
        raise InputError(f"this page should hold {sum(counts) + 3} lines of JSON; it holds {len(lines)}")
    parts, rest = ([_loaded(text, hook) for text in lines[a:b]] for a, b in ((1, counts[0] + 1), (counts[0] + 1, -1)))
    *results, asked = restore_parts(rest, str(common.get("mark")), parts)
    return {**{name: one for name, one in head.items() if name not in {"count", "parts"}}, "results": results}, asked


# Long parts that results have in common, such as a table and its margins: written once, and put back when read.

LONG = 2_000
"""Parts of at least so many letters are worth a reference."""


def share_parts(documents: Sequence[Any]) -> tuple[str, list[Any], list[Any]]:
    """Return documents in which each long part that comes again is a reference to one of the common parts.

    Parameters
    ----------
    documents : sequence
        Ready for JSON.

    Returns
    -------
    mark : str
        A reference is ``{mark: place}``; no object of the documents has this key.
    parts : list
        The common parts, without references.
    documents : list
        With references.

    Notes
    -----
    Linear in the length of the documents, times how deep they are nested.
    """
    uses: Counter[str] = Counter()
    texts: dict[int, str] = {}

    def count(part: Any) -> None:
        """Count a part, and what it is made of where that is the first time: in so many places of different parts."""
        text = texts[id(part)] = _text(part)
        if len(text) >= LONG:
            uses[text] += 1
            if uses[text] == 1 and _is_nested(text):
                _mapped(count, part)

    def referring(part: Any) -> Any:
        text = texts.get(id(part)) or _text(part)
        if len(text) < LONG or (uses[text] == 1 and not _is_nested(text)):
            return part
        if uses[text] == 1:
            return _mapped(referring, part)
        place = places.setdefault(text, len(parts))
        if place == len(parts):
            parts.append(part)
        return {mark: place}

    mark, whole = "$", _text(documents)
    while f'"{mark}":' in whole:
        mark += "$"
    parts: list[Any] = []
    places: dict[str, int] = {}
    _mapped(count, documents)
    return mark, parts, _mapped(referring, documents)


def _mapped(function: Callable[[Any], Any], part: Any) -> Any:
    """Return a list or an object with a function applied to those of its values that are such themselves."""

    def value(one: Any) -> Any:
        return function(one) if isinstance(one, dict | list) else one

    if isinstance(part, dict):
        return {name: value(one) for name, one in part.items()}
    return [value(one) for one in part]


def _is_nested(text: str) -> bool:
    """Return whether the text of a list or an object may hold others."""
    return max(text.find("[", 1), text.find("{", 1)) > 0


def restore_parts(document: Any, mark: str, parts: Sequence[Any]) -> Any:
    """Return a document with the common parts in the places of the references.

    Raises
    ------
    InputError
        If a reference leads nowhere.
    """
    if isinstance(document, Mapping):
        if mark in document:
            place = document[mark]
            if len(document) > 1 or not isinstance(place, int) or isinstance(place, bool):
                raise InputError(f"{mark!r} refers to a common part by its number, and has nothing beside it")
            if not 0 <= place < len(parts):
                raise InputError(f"there is no common part {place}: this page holds {len(parts)} of them")
            return parts[place]
        return {name: restore_parts(one, mark, parts) for name, one in document.items()}
    return [restore_parts(one, mark, parts) for one in document] if isinstance(document, list) else document


def _text(part: Any) -> str:
    return json.dumps(part, separators=(",", ":"))
