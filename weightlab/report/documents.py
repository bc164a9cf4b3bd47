"""JSON documents: results with everything that verifies them, and how they were asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import IO, Any

from weightlab._result import Result, result_from_dict
from weightlab._version import __version__
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.source import decoded, opened
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
    """

    results: tuple[Result, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    version: str = __version__

    def to_dict(self) -> dict[str, Any]:
        """Return the document ready for JSON."""
        return {
            "weightlab": self.version,
            "command": self.command,
            "options": dict(self.options),
            "results": [result.to_dict() for result in self.results],
        }

    def to_json(self) -> str:
        """Return the document as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)


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


def write_document(document: Document, path: str | PathLike[str]) -> None:
    """Write results as JSON."""
    Path(path).write_text(document.to_json() + "\n", encoding="utf-8")


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
    )


def _result(read: Mapping[str, Any]) -> Result:
    """Return a result of any kind: kinds are known once the parts that make them are loaded, which takes a second."""
    import weightlab.lp  # noqa: PLC0415
    import weightlab.rules  # noqa: PLC0415
    import weightlab.studies  # noqa: F401, PLC0415

    return result_from_dict(read)
