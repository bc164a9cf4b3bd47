"""A document inside a page: written so that it ends no element, read back to be verified."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from weightlab.exceptions import InputError

__all__ = ["DOCUMENT", "RESULT", "embedded_in", "harmless_json", "is_page"]

DOCUMENT = "weightlab-document"
"""Class of the element that holds a document without its results."""

RESULT = "weightlab-result"
"""Class of the elements that hold one result each, in order."""

HARMLESS = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
"""Written as codes: within JSON these mean the same, and no browser takes them for markup."""


def harmless_json(value: Any) -> str:
    """Return JSON text of ASCII letters without ``<``, ``>`` and ``&``: it can stand in any element."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).translate(HARMLESS)


def is_page(text: str) -> bool:
    """Tell whether a text is a page, which no JSON document is."""
    return text.lstrip()[:1] == "<"


class _Reader(HTMLParser):
    """Gathers the texts of the JSON elements of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: dict[str, list[str]] = {DOCUMENT: [], RESULT: []}
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
    heads, results = reader.texts[DOCUMENT], reader.texts[RESULT]
    if len(heads) != 1:
        raise InputError("this page holds no results of weightlab")
    head = json.loads(heads[0], object_pairs_hook=hook)
    if not isinstance(head, Mapping) or not isinstance(head.get("count"), int):
        raise InputError("this page does not say how many results it holds")
    if head["count"] != len(results):
        raise InputError(f"this page should hold {head['count']} results; it holds {len(results)}")
    rest = {name: value for name, value in head.items() if name != "count"}
    return {**rest, "results": [json.loads(text, object_pairs_hook=hook) for text in results]}
