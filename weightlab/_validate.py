"""Checks of what users hand over: every fault is gathered, then all are raised together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._exact import fraction
from weightlab.exceptions import InputError, unknown_name

__all__ = ["Faults", "checked_names", "exact_cell", "exact_numbers", "named_subset", "number_from_text"]

SHOWN_FAULTS = 20
"""So many faults are listed; the rest is counted."""

LARGEST_EXPONENT = 308
"""Decimals whose exponent is larger in size are refused: a double cannot hold them and their digits fill memory."""

EXACT_DIGITS = 15
"""A decimal with at most so many digits is what the nearest double prints as."""

_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?", re.ASCII)


class Faults:
    """A list of everything that is wrong, raised once."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def __bool__(self) -> bool:
        """Tell whether anything is wrong."""
        return bool(self._found)

    def add(self, fault: str) -> None:
        """Note one fault."""
        self._found.append(fault)

    @property
    def listed(self) -> tuple[str, ...]:
        """The faults, the first twenty in words and the rest as a count."""
        if len(self._found) <= SHOWN_FAULTS:
            return tuple(self._found)
        return (*self._found[:SHOWN_FAULTS], f"... and {len(self._found) - SHOWN_FAULTS} more")

    def raise_if_any(self, error: Callable[[Sequence[str]], Exception] = InputError) -> None:
        """Raise one error that lists all faults, if there are any."""
        if self._found:
            raise error(self.listed)


def checked_names(names: Iterable[Any], kind: str, faults: Faults) -> tuple[str, ...]:
    """Return the names as text, noting empty and duplicate ones."""
    texts = tuple(str(name) for name in names)
    seen: set[str] = set()
    repeated: set[str] = set()
    for position, text in enumerate(texts, start=1):
        if not text.strip():
            faults.add(f"{kind} number {position} has an empty name")
        elif text in seen and text not in repeated:
            faults.add(f"duplicate {kind} name {text!r}")
            repeated.add(text)
        seen.add(text)
    return texts


def named_subset(
    names: str | Iterable[str], known: Sequence[str], kind: str, faults: Faults, *, holder: str, where: str = ""
) -> tuple[str, ...]:
    """Return those of ``names`` that are known, in the given order and once each, noting the others."""
    listed = (names,) if isinstance(names, str) else tuple(str(name) for name in names)
    available = set(known)
    for name in dict.fromkeys(listed):
        if name not in available:
            faults.add((f"{where}: " if where else "") + unknown_name(kind, name, known, holder=holder))
    return tuple(name for name in dict.fromkeys(listed) if name in available)


def number_from_text(text: str) -> float | Fraction:
    """Return the decimal written in ``text``: a float that prints as that decimal, or else the exact fraction.

    Raises
    ------
    ValueError
        If the text is not a plain decimal; the message says what it looks like instead.
    """
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise ValueError(_what_it_is(text))
    digits = (match[2] + (match[3] or "")).lstrip("0")
    if abs(int(match[4] or 0)) > LARGEST_EXPONENT or len(digits) > 2 * LARGEST_EXPONENT:
        raise ValueError("is out of range")
    value = float(text)
    if np.isinf(value):
        raise ValueError("is out of range")
    if len(digits) <= EXACT_DIGITS and (value != 0 or not digits):
        return value
    exact = Fraction(Decimal(text))
    return value if exact == Fraction(repr(value)) else exact


def exact_cell(value: Any) -> float | Fraction:
    """Return one score: NaN when missing, a float that prints as the written decimal, or the exact fraction.

    Raises
    ------
    ValueError
        If the value is not a finite number; the message completes a sentence about it.
    """
    if value is None:
        return float("nan")
    if isinstance(value, str):
        return number_from_text(value.strip())
    if isinstance(value, bool | np.bool_):
        return float(value)
    if isinstance(value, float | np.floating):
        number = float(value)
        if np.isinf(number):
            raise ValueError("is infinite")
        return number if np.isnan(number) or isinstance(value, float) else number_from_text(str(value))
    if isinstance(value, int | np.integer | Decimal | Fraction):
        return _nearest_float(value)
    if type(value).__name__ in {"NAType", "NaTType"}:
        return float("nan")
    raise ValueError("is not a number")


def exact_numbers(
    given: Any, names: Sequence[str], kind: str, faults: Faults, *, what: str, holder: str
) -> dict[str, Fraction]:
    """Return exact numbers by name from a mapping, a Series, or a sequence in the order of the names."""
    if hasattr(given, "to_dict") and hasattr(given, "index"):
        given = {str(name): given.iloc[position] for position, name in enumerate(given.index)}
    if not isinstance(given, Mapping):
        listed = list(given)
        if len(listed) != len(names):
            faults.add(f"{len(listed)} {what}s for {len(names)} {kind}s; give one a {kind}, or a mapping by name")
            return {}
        given = dict(zip(names, listed, strict=True))
    by_name = {str(name): number for name, number in given.items()}
    named_subset(by_name, names, kind, faults, holder=holder, where=f"{what}s")
    exact: dict[str, Fraction] = {}
    for name, number in by_name.items():
        try:
            exact[name] = fraction(number)
        except (ValueError, TypeError, ZeroDivisionError):
            faults.add(f"{what} of {kind} {name!r}: {number!r} is not a finite number")
    return {name: number for name, number in exact.items() if name in set(names)}


def _nearest_float(value: Any) -> float | Fraction:
    try:
        exact = fraction(value)
        nearest = float(exact)
    except (ValueError, OverflowError):
        raise ValueError("is not finite or out of range") from None
    return nearest if Fraction(repr(nearest)) == exact else exact


def _what_it_is(text: str) -> str:
    folded = text.strip().casefold().lstrip("+-")
    if folded in {"inf", "infinity"}:
        return "is infinite"
    if folded.endswith("%") and number_like(folded[:-1]):
        return "is a percentage; declare its column in percent=[...]"
    if "/" in folded and all(number_like(part) for part in folded.split("/")):
        return "holds several numbers; declare its column in split={...: '/'}"
    if re.fullmatch(r"\d{1,3}([,'\u00a0\u202f ]\d{3})+(\.\d*)?", folded):
        return "has thousands separators; write the number without them"
    if re.fullmatch(r"\d+,\d+", folded):
        return "has a comma; write the decimal point as '.'"
    return "is not a number"


def number_like(text: str) -> bool:
    """Tell whether the text is a plain decimal."""
    match = _DECIMAL.fullmatch(text.strip())
    return match is not None and bool(match[2] or match[3])
