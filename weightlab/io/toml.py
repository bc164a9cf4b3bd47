"""Declarations as the text of a TOML file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from weightlab.data.cells import exact_text

__all__ = ["toml_text"]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def toml_text(declared: Mapping[str, Any]) -> str:
    """Return the TOML text of what is declared: names, lists of names, exact numbers, and tables of these.

    What is empty is left out; fractions that are no short decimals are written as text, ``"1/3"``.
    """
    said = {keyword: value for keyword, value in declared.items() if value}
    plain = [f"{keyword} = {_value(value)}" for keyword, value in said.items() if not isinstance(value, Mapping)]
    tables = [
        "\n".join([f"[{keyword}]", *(f"{_key(name)} = {_value(one)}" for name, one in value.items())])
        for keyword, value in said.items()
        if isinstance(value, Mapping)
    ]
    parts = ["\n".join(plain), *tables] if plain else tables
    return "\n\n".join(parts) + "\n" if parts else ""


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _value(value: Any) -> str:
    if isinstance(value, Fraction):
        text = exact_text(value)
        return text if _PLAIN.fullmatch(text) else _quoted(text)
    if isinstance(value, str):
        return _quoted(value)
    names: Iterable[str] = value
    return f"[{', '.join(map(_quoted, names))}]"


def _quoted(text: str) -> str:
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    return f"\\u{code:04X}" if code < 0x20 or code == 0x7F else character
