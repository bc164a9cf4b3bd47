"""Names and numbers in words: on a terminal, in a page, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._exact import fraction
from weightlab._text import first_few, number, shown


def shown_lines(text: object) -> str:
    """Return a message with its own line breaks and everything else that is not plain text escaped visibly."""
    return "\n".join(shown(line) for line in str(text).split("\n"))


def known_lines(known: Mapping[str, Any]) -> list[str]:
    """Return a line for each thing that an error knows: numbers and sentences, names, and orders as ``a > b ~ c``.

    The point of a program is left out: its numbers have no names that a reader knows.
    """
    words = {name: _known(value) for name, value in known.items()}
    return [f"{name}: {text}" for name, text in words.items() if text is not None]


def _known(value: Any) -> str | None:
    if not isinstance(value, tuple):
        return None if value is None else str(value)
    if all(isinstance(one, str) for one in value):
        return ", ".join(map(shown, value)) or None
    if all(isinstance(one, tuple) for one in value):
        return " > ".join(" ~ ".join(map(shown, place)) for place in value)
    return None


def listed(names: Iterable[object], most: int = 5) -> str:
    """Return names in a row, the first few in words and the rest as a count."""
    return first_few(map(shown, names), most)


def mixture(shares: Sequence[tuple[str, Fraction]], most: int = 6) -> str:
    """Return a mixture such as ``1/2 ada + 1/2 bo``, greatest shares first."""
    ordered = sorted(((share, name) for name, share in shares if share), key=lambda pair: -pair[0])
    if len(ordered) == 1:
        return shown(ordered[0][1])
    parts = [f"{number(share)} {shown(name)}" for share, name in ordered[:most]]
    rest = [f"{len(ordered) - most} more"] if len(ordered) > most else []
    return " + ".join(parts + rest)


def named_shares(series: pd.Series) -> list[tuple[str, Fraction]]:
    """Return the names and exact values of a series, for `mixture` and `weights_line`."""
    return [(str(name), fraction(value)) for name, value in series.items()]


def weights_line(weights: Sequence[tuple[str, Fraction]], most: int = 4) -> str:
    """Return weights such as ``BoolQ 1/2   RTE 1/2``, greatest first."""
    ordered = sorted(((weight, task) for task, weight in weights if weight), key=lambda pair: -pair[0])
    parts = [f"{shown(task)} {number(weight)}" for weight, task in ordered[:most]]
    if len(ordered) > most:
        rest = sum((weight for weight, _ in ordered[most:]), Fraction(0))
        more = len(ordered) - most
        parts.append(f"{more} more task{'' if more == 1 else 's'} {number(rest)} together")
    return "   ".join(parts)
