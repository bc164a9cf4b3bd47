"""Long parts that results have in common, such as a table and its margins: written once, and put back when read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from weightlab.exceptions import InputError

__all__ = ["LONG", "parted", "whole"]

LONG = 2_000
"""Parts of at least so many letters are worth a reference."""

Key: TypeAlias = "str | tuple[Any, ...]"
"""What says that two parts are the same: of a list of simple things its JSON, else the places of what it is made of."""


@dataclass(frozen=True, kw_only=True)
class _Census:
    """Which parts there are, each once: how long they are, and in how many places of different parts they stand."""

    places: dict[Key, int] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    of: dict[int, int] = field(default_factory=dict)

    def add(self, part: Any) -> int:
        """Count a part, and what it is made of where that is the first time; return its place."""
        if not isinstance(part, dict | list):
            text = str(part)
            return self._placed((type(part), text), len(text) + 2)[0]
        if isinstance(part, list) and not any(isinstance(one, dict | list) for one in part):
            text = _text(part)
            place, _ = self._placed(text, len(text))
        else:
            names = list(part) if isinstance(part, dict) else None
            inner = [self.add(one) for one in (part.values() if isinstance(part, dict) else part)]
            length = sum(self.lengths[one] + 1 for one in inner) + sum(len(name) + 3 for name in names or ())
            place, is_new = self._placed((None if names is None else tuple(names), *inner), length)
            if is_new:
                for one in inner:
                    self.counts[one] += 1
        self.of[id(part)] = place
        return place

    def _placed(self, key: Key, length: int) -> tuple[int, bool]:
        is_new = key not in self.places
        if is_new:
            self.places[key] = len(self.lengths)
            self.lengths.append(length)
            self.counts.append(0)
        return self.places[key], is_new


def parted(documents: Sequence[Any]) -> tuple[str, list[Any], list[Any]]:
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
    Linear in the length of the documents.
    """
    census = _Census()
    for one in documents:
        census.counts[census.add(one)] += 1
    mark, names = "$", {name for one in documents for name in _names(one)}
    while mark in names:
        mark += "$"
    parts: list[Any] = []
    taken: dict[int, int] = {}

    def referring(part: Any) -> Any:
        if not isinstance(part, dict | list):
            return part
        place = census.of[id(part)]
        if census.lengths[place] < LONG:
            return part
        if census.counts[place] > 1:
            if place not in taken:
                taken[place] = len(parts)
                parts.append(part)
            return {mark: taken[place]}
        if isinstance(part, dict):
            return {name: referring(one) for name, one in part.items()}
        return [referring(one) for one in part]

    return mark, parts, [referring(one) for one in documents]


def whole(document: Any, mark: str, parts: Sequence[Any]) -> Any:
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
        return {name: whole(one, mark, parts) for name, one in document.items()}
    return [whole(one, mark, parts) for one in document] if isinstance(document, list) else document


def _names(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from part
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        if isinstance(one, dict | list):
            yield from _names(one)


def _text(part: Any) -> str:
    return json.dumps(part, separators=(",", ":"))
