"""Cells as people write them: a score among marks, with a sign, a unit or a spread behind it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._result import Frozen
from weightlab._validate import is_missing
from weightlab.io.tables.columns import cleaned
from weightlab.io.tables.exact_numbers import number, stands_for_nothing

NOT_YET = frozenset(
    {
        "?",
        "??",
        "tbd",
        "tba",
        "pending",
        "fail",
        "failed",
        "err",
        "error",
        "oom",
        "timeout",
        "dnf",
        "dns",
        "crash",
        "n.a.",
        *("--", "---", "----", "\u2013\u2013", "\u2014\u2014"),
    }
)
"""What likely stands for a score that is not there: not yet, or because a run failed."""
MARKS = "~≈*_↑↓†‡§▲▼🥇🥈🥉★☆✓✔⊘●○◆◇■□ "
CURRENCIES = frozenset("$€£¥")
MINUS = "\u2212"
"""How typesetters write a minus sign."""
_NUMBER = re.compile(
    r"[-+\u2212]?(?:\d{1,3}(?:,\d{3})++(?:\.\d*+)?+|\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+", re.ASCII
)
_CLOCK = re.compile(r"(?:(\d+):)?([0-5]?\d):([0-5]\d(?:\.\d+)?)", re.ASCII)
_BEHIND = re.compile(
    r"\s*+(?:±|\+/-|\+-)\s*+\S.*|(?:\s*+\([^()]*+\)){1,3}|\s*+\[[^\[\]]*+\]|\s++\+\s*+(?:\d++(?:\.\d++)?+|\.\d++)",
    re.ASCII,
)
"""What may follow a score: a spread, a place, a gain, or two of these in brackets each."""
_OWN_UNIT = re.compile(_NUMBER.pattern + r"\s*+((?:[A-Za-zµ%°]{2,}|[A-Za-zµ%°]++(?=/))(?:/[A-Za-zµ²³]++)?)", re.ASCII)
"""A number in a unit of the table's own, such as Gflops/W; one letter alone may be of a size, as in 7B."""
_OUT_OF = re.compile(r"(\d{1,9}+)\s*+/\s*+(\d{1,9}+)", re.ASCII)
_BEGINS = re.compile(_NUMBER.pattern + r"\s*+[^\w\s.,:/-].*", re.ASCII | re.DOTALL)
MOST_IN_UNIT = 16
ORDINAL = frozenset({"st", "nd", "rd", "th"})
_UNIT = re.compile(r"(?<!\s)\s*+(ms|µs|us|ns|s|sec|secs|min|h|MB|MiB|GB|GiB|kB|J|kJ|W|kWh|x|\u00d7)", re.ASCII)
_SORTED_BY = "@@"


class Cell(Frozen, eq=True):
    """A cell, taken apart.

    Attributes
    ----------
    kind : {"number", "missing", "not yet", "text"}
        What it holds.
    text : str
        Of a number its digits, as `number_from_text` reads them, or refuses them where a comma is among them.
    unit : str
        ``"%"``, ``"time"``, the unit behind the number, or nothing.
    dressed : bool
        Whether the number comes with anything else: marks, thousands separators, a spread.
    spread : bool
        Whether a spread, place or gain follows it.
    """

    kind: str
    text: str = ""
    unit: str = ""
    dressed: bool = False
    spread: bool = False


def taken_apart(cell: Any) -> Cell:
    """Return the content of a cell."""
    if not isinstance(cell, str):
        return _typed(cell)
    if stands_for_nothing(cell):
        return Cell(kind="missing")
    plain = cell.strip()
    if _NUMBER.fullmatch(plain) and MINUS not in plain:
        return Cell(kind="number", text=plain)
    text = cleaned(plain).split(_SORTED_BY)[0].strip().strip("{}")
    if text[:1] in CURRENCIES and (found := _dressed(text[1:].strip(MARKS))).kind == "number" and not found.unit:
        return replace(found, unit=text[0])
    if text.casefold() in NOT_YET or stands_for_nothing(text):
        return Cell(kind="not yet" if text else "missing")
    return _dressed(text.strip(MARKS))


def own_unit(texts: Sequence[str]) -> str:
    """Return the unit behind the numbers in nearly all cells of a column; an empty text if there is none."""
    units: Counter[str] = Counter()
    odd, most_odd = 0, (len(texts) + 8) // 16  # a typing error or two
    for text in texts:
        found = None if stands_for_nothing(text) else _OWN_UNIT.fullmatch(cleaned(text).strip(MARKS))
        units[found[1] if found else ""] += 1
        odd += found is None and not stands_for_nothing(text)
        if odd > most_odd:
            return ""
    del units[""]
    unit, count = units.most_common(1)[0] if units else ("", 0)
    return unit if 1 < count >= units.total() - most_odd and len(unit) <= MOST_IN_UNIT and unit not in ORDINAL else ""


def out_of(texts: Sequence[str]) -> int:
    """Return the number of cases that every cell of a column counts out of, as 5/6 does; 0 for other columns."""
    whole = 0
    for text in texts:
        if stands_for_nothing(text):
            continue
        found = _OUT_OF.fullmatch(cleaned(text).strip(MARKS))
        if found is None or int(found[2]) != (whole or int(found[2])) or int(found[1]) > int(found[2]):
            return 0
        whole = int(found[2])
    return whole


def without_unit(cell: Any, unit: str, whole: int) -> Any:
    """Return a cell without the unit, or the number of cases, that follows all numbers of its column."""
    if not isinstance(cell, str) or stands_for_nothing(cell):
        return cell
    return (cell.partition("/")[0] if whole else cell.replace(unit, "")).strip()


def legible_in(unit: str, whole: int) -> Callable[[Any], float | Fraction]:
    """Return the reader of the cells of such a column, as `legible` is for others."""
    return lambda cell: legible(without_unit(cell, unit, whole))


def begins_with_number(text: str) -> bool:
    """Return whether a text is a number with signs behind it that are no part of a name, a date or a version."""
    return _BEGINS.fullmatch(cleaned(text).strip(MARKS)) is not None


def _typed(cell: Any) -> Cell:
    """Return the content of a cell of a format with types; true is 1."""
    if isinstance(cell, bool | np.bool_):
        return Cell(kind="number", text=str(int(cell)))
    is_number = isinstance(cell, int | float | Fraction | Decimal | np.number)
    return Cell(kind="missing") if is_missing(cell) else Cell(kind="number" if is_number else "text", text=str(cell))


def _dressed(text: str) -> Cell:
    """Return the number at the beginning of a text, if all that follows it is known."""
    clock = _CLOCK.match(text)
    found = clock or _NUMBER.match(text)
    if found is None:
        return Cell(kind="text")
    rest, unit = text[found.end() :], "time" if clock else ""
    if rest.lstrip().startswith("%"):
        rest, unit = rest.lstrip()[1:], "%"
    elif not clock and (named := _UNIT.match(rest)) and not rest[named.end() :][:1].isalnum():
        rest, unit = rest[named.end() :], named[1]
    rest = rest.rstrip(MARKS).lstrip(MARKS.strip())
    behind = _BEHIND.fullmatch(rest) if rest else None
    if rest and behind is None:
        return Cell(kind="text")
    digits = _seconds(clock) if clock else found[0].replace(MINUS, "-")
    return Cell(kind="number", text=digits, unit=unit, dressed=True, spread=behind is not None)


def _seconds(clock: re.Match[str]) -> str:
    whole, _, part = clock[3].partition(".")
    seconds = int(clock[1] or 0) * 3600 + int(clock[2]) * 60 + int(whole)
    return f"{seconds}.{part}" if part else str(seconds)


def legible(cell: Any) -> float | Fraction:
    """Return the number of a cell as `number` does, whatever comes with it.

    Raises
    ------
    ValueError
        With the end of a sentence about the cell.
    """
    found = taken_apart(cell) if isinstance(cell, str) else None
    if found is None or found.kind == "text":
        return number(cell)
    return number(found.text) if found.kind == "number" else float("nan")
