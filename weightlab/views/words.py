"""Names and numbers in words: on a terminal, in a page, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import pandas as pd

from weightlab._exact import fraction
from weightlab._text import counted, in_words, listed, percent, shown
from weightlab.lp.space.conditions import named

Rows: TypeAlias = tuple[list[str], Sequence[tuple[str, ...]], tuple[int, ...]]
"""Headings, rows, and which columns are numbers."""


def known_lines(known: Mapping[str, Any]) -> list[str]:
    """Return a line for each thing that an error knows: numbers and sentences, names, and orders as ``a > b ~ c``.

    The point of a program is left out: its numbers have no names that a reader knows. So are an absent bound and
    values meant for a caller: the result that holds the rest, lists and mappings.
    """
    words = {name: _known(value) for name, value in known.items() if name != "result"}
    return [f"{name}: {text}" for name, text in words.items() if text is not None]


def _known(value: Any) -> str | None:
    if isinstance(value, list | dict):
        return None
    if not isinstance(value, tuple):
        return None if str(value) in {"None", "inf", "-inf"} else str(value)
    if all(isinstance(one, str) for one in value):
        return listed(value, len(value)) or None
    if all(isinstance(one, tuple) for one in value):
        return " > ".join(" ~ ".join(map(shown, place)) for place in value)
    return None


def by_reason(left_out: Mapping[str, str]) -> list[str]:
    """Return a line for each reason, with all the rules that it keeps from an answer."""
    named: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        named.setdefault(reason, []).append(name)
    return [f"{listed(names, len(names))}: {shown(reason)}" for reason, names in named.items()]


def mixture(shares: Sequence[tuple[str, Fraction]], most: int = 4) -> str:
    """Return a mixture in words: ``an even mixture of ada and bo``, ``a mixture of ada (60%) and bo (40%)``."""
    ordered = _ordered(shares)
    if len(ordered) == 1:
        return quoted_name(ordered[0][1])
    even = len({share for share, _ in ordered}) == 1
    said = [quoted_name(name) if even else f"{quoted_name(name)} ({percent(share)})" for share, name in ordered]
    return f"{'an even' if even else 'a'} mixture of {in_words(said, most)}"


def named_shares(series: pd.Series) -> list[tuple[str, Fraction]]:
    """Return the names and exact values of a series, for `mixture` and `weights_line`."""
    return [(str(name), fraction(value)) for name, value in series.items()]


def weights_line(weights: Sequence[tuple[str, Fraction]], most: int = 4) -> str:
    """Return weights such as ``BoolQ 50%, RTE 25%, 3 more tasks 25% together``, greatest first."""
    ordered = _ordered(weights)
    parts = [f"{quoted_name(task)} {percent(weight)}" for weight, task in ordered[:most]]
    if len(ordered) > most:
        rest = sum((weight for weight, _ in ordered[most:]), Fraction(0))
        parts.append(f"{counted(len(ordered) - most, 'more task')} {percent(rest)} together")
    return ", ".join(parts)


def _ordered(shares: Sequence[tuple[str, Fraction]]) -> list[tuple[Fraction, str]]:
    """Return the shares that are not 0, greatest first."""
    return sorted(((share, name) for name, share in shares if share), key=lambda pair: -pair[0])


def quoted_name(name: str) -> str:
    """Return a name for a sentence, in quotes where it could be taken for a part of it."""
    return shown(named(name))


def names_in_words(names: Iterable[str], most: int = 3) -> str:
    """Return names as ``a, b and c``; of many the first few, and how many more there are."""
    return in_words([quoted_name(name) for name in names], most)
