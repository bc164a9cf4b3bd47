"""Names as text that a picture can show: never markup, never a character that is no character, never too long."""

from __future__ import annotations

import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction

__all__ = ["escaped", "short_names", "short_number", "shown", "turned", "width_of", "wrapped"]

JOINERS = "\u200c\u200d"
"""Format characters that scripts need to be written at all."""

LETTER = 0.075
"""Inches of a letter of a label."""

NO_CHARACTERS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories of what has no shape of its own."""


def escaped(text: str, characters: Iterable[str]) -> str:
    r"""Return a text with some of its characters written as Python writes them: ``\x07``, ``\u4e2d``.

    Examples
    --------
    >>> escaped("bell\a", "\a")
    'bell\\x07'
    """
    gone = set(characters)
    return "".join(_code(one) if one in gone else one for one in text)


def shown(name: str) -> str:
    r"""Return a name on one line, what is no character written as its code.

    Examples
    --------
    >>> shown("two\nlines"), shown("bell\a")
    ('two lines', 'bell\\x07')
    """
    one_line = "".join(" " if character in "\t\n\r" else character for character in name)
    return escaped(one_line, {one for one in one_line if unicodedata.category(one) in NO_CHARACTERS} - set(JOINERS))


def short_names(names: Sequence[str], width: int = 28) -> list[str]:
    """Return names as they are shown, the long ones with their middle left out, and still as distinct as they were.

    Examples
    --------
    >>> short_names(["a-long-name-of-a-model-v1", "a-long-name-of-a-model-v2", "short"], 12)
    ['a-long…el-v1', 'a-long…el-v2', 'short']
    """
    clean = [shown(name) for name in names]
    made = [_shortened(name, width) for name in clean]
    alike = _repeated(made)
    changed = [place for place, name in enumerate(made) if name in alike]
    distinct = len({clean[place] for place in changed})
    longest = max((width_of(clean[place]) for place in changed), default=0)
    for wider, head in ((wider, head) for wider in range(width, longest + 4, 4) for head in (0.5, 0.8, 0.2)):
        tried = {place: _shortened(clean[place], wider, head) for place in changed}
        if len(set(tried.values())) == distinct and not set(tried.values()) & (set(made) - alike):
            return [tried.get(place, name) for place, name in enumerate(made)]
    return [clean[place] if place in changed else name for place, name in enumerate(made)]


def short_number(value: Fraction) -> str:
    """Return a number as it is written beside a mark: three digits or all of an integer of up to six; minus is U+2212.

    Examples
    --------
    >>> short_number(Fraction(1, 3)), short_number(Fraction(1234)), short_number(Fraction(10) ** 40)
    ('0.333', '1234', '1.00e+40')
    """
    if value == 0:
        return "0"
    size = abs(value)
    if Fraction(1, 1000) <= size < 100:
        text = f"{float(size):.3g}"
    elif 100 <= size < 10**6:
        text = f"{round(size)}"
    else:
        text = f"{Context(prec=3).divide(Decimal(size.numerator), Decimal(size.denominator)):.2e}"
    return f"\u2212{text}" if value < 0 else text


def turned(labels: Iterable[str], room: float) -> int:
    """Return by how many degrees labels below each other's columns are turned: by none where they are short enough.

    Parameters
    ----------
    labels : iterable of str
        What is written.
    room : float
        Inches from one to the next.

    Examples
    --------
    >>> turned(["a", "b"], 0.3), turned(["a", "a longer name"], 0.3)
    (0, 90)
    """
    return 0 if LETTER * (max(map(width_of, labels), default=0) + 1) <= room else 90


def width_of(text: str) -> int:
    """Return how many columns a text takes: characters of East Asia take two, accents none."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )


def wrapped(text: str, width: int) -> str:
    """Return a text in lines of at most so many characters, broken at spaces where there are some."""
    return "\n".join(textwrap.wrap(text, max(12, width), break_on_hyphens=False))


def _code(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _repeated(names: Sequence[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}


def _shortened(name: str, width: int, head: float = 0.5) -> str:
    """Return the beginning of a name that takes more columns, a given share of them, and its end."""
    if width_of(name) <= width:
        return name
    first = _fitting(name, round((width - 1) * head))
    last = _fitting(name[::-1], width - 1 - width_of(first))[::-1]
    return f"{first}…{last}"


def _fitting(characters: str, width: int) -> str:
    """Return as many of the first characters as go into so many columns."""
    kept = ""
    for one in characters:
        if width_of(kept + one) > width:
            break
        kept += one
    return kept
