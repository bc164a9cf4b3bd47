"""JSON documents: results with everything that verifies them, and how they were asked for."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from weightlab._result import Result, ensure, result_from_dict
from weightlab._version import __version__
from weightlab.exceptions import FileFormatError, InputError, ProofError
from weightlab.io.tables.source import decoded, opened
from weightlab.report.embedded import embedded_in, is_page

__all__ = ["Document", "read_document", "read_result", "write_document", "write_result"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Document:
    """Results of one call, ready to be sent to somebody who wants to check them.

    Attributes
    ----------
    results : tuple of Result
        Each verifies by itself.
    options : mapping
        How the table was read and narrowed down, such as ``{"complete": True}``.
    command : str
        What was asked.
    version : str
        The version of weightlab that answered.
    written : list, optional
        The block ``table`` of a document that was read, believed by nobody until `verify` has compared it.
    """

    results: tuple[Result, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    version: str = __version__
    written: Any = None

    def verify(self, source: Any = None) -> bool:
        """Re-check every result, and that the block ``table`` says what they say.

        Raises
        ------
        ProofError
            Naming the kind of the first result that fails, and its first inequality.
        """
        for one in self.results:
            try:
                one.verify(source)
            except ProofError as error:
                raise ProofError(f"{one.kind}: {error}") from None
        if self.written is not None:
            ensure(self.written == self.table(), "table: its rows are not those of the results")
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
            **({"table": self.table()} if table else {}),
            "results": [result.to_dict() for result in self.results],
        }

    def to_json(self, *, table: bool = False) -> str:
        """Return the document as JSON text."""
        return json.dumps(self.to_dict(table=table), ensure_ascii=False, indent=1)


def read_document(source: str | PathLike[str] | IO[bytes] | IO[str]) -> Document:
    """Read a document, a bare result as a document of one, or the document that a report's page holds.

    Raises
    ------
    FileFormatError
        If the file is neither JSON nor a page, or holds no document of results.
    """
    opened_source = opened(source, "json")
    text = decoded(opened_source)
    try:
        if is_page(text):
            return _document(embedded_in(text, _object))
        return _document(json.loads(text, object_pairs_hook=_object))
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
        What `write_result` wrote, or ``weightlab win --output``.

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
    Path(path).write_text(document.to_json(table=table) + "\n", encoding="utf-8")


def write_result(result: Result, path: str | PathLike[str]) -> None:
    """Write one result as JSON."""
    write_document(Document(results=(result,)), path)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys are all different: of two values other readers may take the other one."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {twice!r} is there more than once in one object")
    return made


def _document(read: Any) -> Document:
    if isinstance(read, Mapping) and "kind" in read:
        return Document(results=(_result(read),), version="")
    if not isinstance(read, Mapping) or not isinstance(read.get("results"), Sequence):
        raise InputError("this holds no results of weightlab: a JSON object with 'results' is needed")
    if not read["results"]:
        raise InputError("this document holds no results")
    options = read.get("options", {})
    if not isinstance(options, Mapping):
        raise InputError("'options' must be an object")
    return Document(
        results=tuple(_result(one) for one in read["results"]),
        options=dict(options),
        command=str(read.get("command", "")),
        version=str(read.get("weightlab", "")),
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
