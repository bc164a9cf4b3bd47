"""A document inside a page: written so that it ends no element, read back to be verified."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from weightlab.exceptions import InputError
from weightlab.report.common_parts import parted, whole

__all__ = ["DOCUMENT", "PART", "RESULT", "Embedded", "embedded", "embedded_in", "harmless_json", "is_page"]

DOCUMENT = "weightlab-document"
"""Class of the element that holds a document without its results."""

RESULT = "weightlab-result"
"""Class of the elements that hold one result each, in order."""

PART = "weightlab-part"
"""Class of the elements that hold what several results have in common, to which these refer by number."""

HARMLESS = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
"""Written as codes: within JSON these mean the same, and no browser takes them for markup."""


def harmless_json(value: Any) -> str:
    """Return JSON text of ASCII letters without ``<``, ``>`` and ``&``: it can stand in any element."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).translate(HARMLESS)


@dataclass(frozen=True, kw_only=True)
class Embedded:
    """The texts of a document that stand in a page.

    Attributes
    ----------
    document : str
        All but the results: their number, that of their common parts, and the key by which they refer to these.
    parts, results : tuple of str
        The common parts; the results with references to them.
    """

    document: str
    parts: tuple[str, ...]
    results: tuple[str, ...]


def embedded(document: Mapping[str, Any]) -> Embedded:
    """Return the texts of a document; what is long and comes again, such as the table, is written once."""
    mark, parts, results = parted(document["results"])
    head = {name: value for name, value in document.items() if name != "results"}
    head |= {"count": len(results), "parts": {"count": len(parts), "mark": mark}}
    return Embedded(
        document=harmless_json(head),
        parts=tuple(map(harmless_json, parts)),
        results=tuple(map(harmless_json, results)),
    )


def is_page(text: str) -> bool:
    """Tell whether a text is a page, which no JSON document is."""
    return text.lstrip()[:1] == "<"


class _Reader(HTMLParser):
    """Gathers the texts of the JSON elements of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: dict[str, list[str]] = {DOCUMENT: [], PART: [], RESULT: []}
        self._inside: str | None = None

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Begin a text where a JSON element of ours begins."""
        given = dict(attrs)
        if tag == "script" and given.get("type") == "application/json" and given.get("class") in self.texts:
            self._inside = str(given["class"])
            self.texts[self._inside].append("")

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        if tag == "script":
            self._inside = None

    def handle_data(self, data: str) -> None:
        """Add to it."""
        if self._inside is not None:
            self.texts[self._inside][-1] += data


def embedded_in(page: str, hook: Any) -> Mapping[str, Any]:
    """Return the document that a page holds.

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
        If one of its elements is not JSON.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    heads, parts, results = (reader.texts[one] for one in (DOCUMENT, PART, RESULT))
    if len(heads) != 1:
        raise InputError("this page holds no results of weightlab")
    head = json.loads(heads[0], object_pairs_hook=hook)
    common = head.get("parts") if isinstance(head, Mapping) else None
    if not isinstance(common, Mapping) or not isinstance(head.get("count"), int):
        raise InputError("this page does not say how many results it holds")
    for what, held, count in (("results", results, head["count"]), ("common parts", parts, common.get("count"))):
        if count != len(held):
            raise InputError(f"this page should hold {count} {what}; it holds {len(held)}")
    read = [json.loads(text, object_pairs_hook=hook) for text in parts]
    rest = {name: value for name, value in head.items() if name not in {"count", "parts"}}
    mark = str(common.get("mark"))
    return {**rest, "results": [whole(json.loads(text, object_pairs_hook=hook), mark, read) for text in results]}
