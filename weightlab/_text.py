"""Names and numbers as text for people: control and invisible characters are spelt out."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Unicode categories that a terminal or a browser obeys or hides instead of printing: they are shown escaped."""

MOST_DIGITS = 60
"""Numbers with more digits are shortened in messages."""

MOST_LETTERS = 1000
"""Longer words are shortened in messages: the length of a path."""

MOST_IN_LINE = 10_000
"""Longest line of a message."""

LARGE = 10**15
"""Numbers from here on are shown in powers of ten."""

SHORT = 99
"""Fractions of greater denominators are shown as decimals."""


def shown(name: object) -> str:
    """Return a name with everything that is not plain text escaped visibly."""
    return "".join(_escaped(letter) if unicodedata.category(letter) in HIDDEN else letter for letter in str(name))


def shown_lines(text: object) -> str:
    """Return a message with its own line breaks and everything else that is not plain text escaped visibly."""
    return "\n".join(shown(line) for line in str(text).split("\n"))


def shell_word(word: str) -> str:
    """Return a word as a POSIX shell takes it; what a page would hide is spelt by ``$'...'``, which bash reads."""
    if shown(word) == word:
        return shlex.quote(word)
    return "$'" + "".join(_spelt(letter) for letter in word) + "'"


def _spelt(letter: str) -> str:
    if letter in "\\'":
        return f"\\{letter}"
    if shown(letter) == letter:
        return letter
    return "".join(f"\\{byte:03o}" for byte in letter.encode())  # bytes, whatever the locale of the shell is


def is_text(name: str) -> bool:
    """Return whether a name can be written to a file: half of a surrogate pair, which JSON lets pass, cannot."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)


def shortened(message: str) -> str:
    """Return a message with very long numbers, words and lines cut in the middle, and how long they are.

    Messages repeat what a user wrote, and that may be a number of ten million digits.
    """
    if len(message) <= MOST_DIGITS:
        return message
    message = re.sub(r"[0-9]+", lambda found: _ends(found[0], MOST_DIGITS, "digits"), message)
    message = re.sub(r"\S+", lambda found: _ends(found[0], MOST_LETTERS, "characters"), message)
    return re.sub(r"[^\n]+", lambda found: _ends(found[0], MOST_IN_LINE, "characters"), message)


def _ends(text: str, most: int, unit: str) -> str:
    if len(text) <= most:
        return text
    kept = most // 3
    return f"{text[:kept]}...{text[-kept:]} ({len(text):,} {unit})"


def first_few(words: Iterable[str], most: int = 5) -> str:
    """Return words in a row, of many the first few and how many more there are: ``a, b and 4 more``."""
    every = list(words)
    more = f" and {len(every) - most:,} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def listed(names: Iterable[object], most: int = 5) -> str:
    """Return names as they are shown, the first few in words and the rest as a count."""
    return first_few((shown(quoted(str(name))) for name in names), most)


def quoted(name: str) -> str:
    """Return a name for a list, in quotes where its commas could be taken for those of the list."""
    return repr(name) if "," in name else name


def among(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the names that are among others, too, in order."""
    known = set(others)
    return [name for name in names if name in known]


def without(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the names that are not among others, in order."""
    known = set(others)
    return [name for name in names if name not in known]


def in_words(words: Sequence[str], most: int = 6) -> str:
    """Return words as ``a, b and c``; of many only the first few, and how many more there are."""
    if len(words) > most:
        return first_few(words, most)
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural where that is due."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def number(value: Fraction, to: Callable[[Fraction], int] = round) -> str:
    """Return a number for people: a whole number or a short fraction as it is, others with three significant digits.

    Parameters
    ----------
    value : Fraction
        What to show.
    to : callable
        ``round``, or where a sentence calls the number a bound ``floor`` or ``ceil``, whichever keeps the sentence
        true.
    """
    if value.denominator <= SHORT and abs(value.numerator) < 10**6:
        return str(value)
    size = abs(value)
    return rounded(value, 3 + (size < Fraction(1, 10)) + (size < Fraction(1, 100)) + (size < Fraction(1, 1000)), to)


def percent(share: Fraction, to: Callable[[Fraction], int] = round) -> str:
    """Return a share in per cent, such as ``16.7%``, small ones with two decimals or three; ``to`` as for `number`."""
    size = abs(share)
    places = 1 if not share or size >= Fraction(1, 10) else 2 if size >= Fraction(1, 10_000) else 3
    text = rounded(100 * share, places, to)
    return f"{text.removesuffix('.00').removesuffix('.0')}%"


def level_text(level: float) -> str:
    """Return a level of confidence in per cent with all its digits, such as ``95%`` and ``99.99999%``."""
    return f"{100 * level:.12g}%"


def rounded(value: Fraction, places: int, to: Callable[[Fraction], int] = round) -> str:
    """Return a fraction with a number of places, or in powers of ten where that would show nothing, or too much."""
    if not value or Fraction(1, 10**places) <= abs(value) < LARGE:
        return f"{Decimal(to(value * 10**places)).scaleb(-places):.{places}f}"
    digits = 2 if abs(value) < 1 else 5
    last = (Decimal(value.numerator) / value.denominator).adjusted() - digits + 1
    return f"{Decimal(to(value / Fraction(10) ** last)).scaleb(last):.{digits - 1}e}"


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
