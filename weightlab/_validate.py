"""Checks of what users hand over: every fault is gathered, then all are raised together."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault, at, reworded
from weightlab._exact import FloatArray, fraction, shortest_decimal
from weightlab._text import counted, is_text
from weightlab.exceptions import InputError, unknown_name

SHOWN_FAULTS = 20
"""So many faults are listed; the rest is counted."""

LARGEST_EXPONENT = 400
"""Decimals whose exponent is larger in size are refused: every double prints with a smaller one (5e-324)."""

MOST_DIGITS = 1000
"""Text with more digits is refused: that is no score that anyone wrote on purpose."""

MOST_BITS = 8192
"""Fractions with a longer numerator or denominator are refused: Python would not write them as text."""

EXACT_INTEGER = 2**53
"""Up to this size every integer is a double."""

EXACT_DIGITS = 15
"""A normal double with at most so many digits prints as the decimal it was read from."""

SMALLEST_NORMAL = float(np.finfo(np.float64).smallest_normal)
"""Doubles below it in size are subnormal: they keep fewer digits."""

_DECIMAL = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)


_PLACE = r"(?:line|record|row|entry|statistic|order|dataset|model|voter) (?:[0-9]+|'[^']*')"
_PLACED = re.compile(rf"({_PLACE}(?:[,:] (?:metric '[^']*'|{_PLACE}))*)((?:, (?:column|task) (?:'[^']*'|\"[^\"]*\"))?)")
"""Where a fault is, and in which column: faults of one column that differ in place alone are of one kind."""
_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9]+")
"""What else may differ between faults of one kind."""


class Faults:
    """A list of everything that is wrong, raised once; faults of one kind are one sentence with up to three places."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], tuple[str, list[str]]] = {}
        self._more = 0

    def __bool__(self) -> bool:
        """Return whether anything is wrong."""
        return bool(self._found)

    def add(self, fault: str | Callable[[], str]) -> None:
        """Note one fault, in words or as a function that finds them: past the first twenty kinds it is only counted."""
        full = len(self._found) >= SHOWN_FAULTS
        told = fault if isinstance(fault, str) else "" if full else fault()
        placed = _PLACED.search(told)
        ends = (told[: placed.start()], told[placed.end() :]) if placed else ()
        kind = (placed[2], *(_VARYING.sub("", end) for end in ends)) if placed else (told,)
        if kind in self._found:
            self._found[kind][1].append(placed[1] if placed else "")
        elif full:
            self._more += 1
        else:
            self._found[kind] = told, []

    def include(self, others: Faults, where: str) -> None:
        """Note the faults of a part, each with the name of the part."""
        for fault in others._told():
            self.add(at(where, fault))
        self._more += others._more

    def _told(self) -> list[str]:
        """Return a sentence a kind."""
        return [reworded(told + _likewise(places), told) if places else told for told, places in self._found.values()]

    @property
    def listed(self) -> tuple[str, ...]:
        """The faults, the first twenty kinds in words and the rest as a count."""
        return (*self._told(), f"... and {self._more} more") if self._more else tuple(self._told())

    def raise_if_any(self, error: Callable[[Sequence[str]], Exception] = InputError) -> None:
        """Raise one error that lists all faults, if there are any."""
        if self._found:
            raise error(self.listed)


def _likewise(places: Sequence[str]) -> str:
    """Return the text after the first error of a kind: how many others there are, and where the next two are."""
    where = f": {', '.join(places[:2])}{', ...' * (len(places) > 2)}" if any(places) else ""
    return f" (and {len(places):,} more likewise{where})"


def checked_names(names: Iterable[Any], kind: str, faults: Faults) -> tuple[str, ...]:
    """Return the names as text, noting what is no name (missing, empty, of several levels) and duplicates."""
    # An index of strings is slow to walk, and of a million instances.
    listed = names.to_numpy(dtype=object).tolist() if isinstance(names, pd.Index) else list(names)
    texts_alone = set(map(type, listed)) <= {str} and len(set(listed)) == len(listed)
    if texts_alone and all(map(str.strip, listed)) and is_text("".join(listed)):
        return tuple(listed)
    texts = tuple(str(name) for name in listed)
    levels = next((name for name in listed if isinstance(name, tuple)), None)
    if levels is not None:
        faults.add(f"{kind} names have several levels, such as {levels!r}; join them into one text each")
    seen: set[str] = set()
    repeated: set[str] = set()
    for position, (name, text) in enumerate(zip(listed, texts, strict=True), start=1):
        if is_missing(name):
            faults.add(f"{kind} number {position} has no name")
        elif not text.strip():
            faults.add(f"{kind} number {position} has an empty name")
        elif not is_text(text):
            faults.add(f"{kind} number {position} has a name that is no text: {text!r}")
        elif text in seen and text not in repeated:
            faults.add(f"duplicate {kind} name {text!r}")
            repeated.add(text)
        seen.add(text)
    return texts


def named_subset(
    names: str | Iterable[str], known: Sequence[str], kind: str, faults: Faults, *, holder: str, where: str = ""
) -> tuple[str, ...]:
    """Return those of ``names`` that are known, in the given order and once each, noting the others.

    A mapping is refused: in ``{"seconds": False}`` the key alone would say the contrary of what is meant.
    """
    prefix = f"{where}: " if where else ""
    if isinstance(names, Mapping) or not isinstance(names, Iterable):
        faults.add(f"{prefix}{kind} names are needed, one or a list; got {names!r}")
        return ()
    listed = (names,) if isinstance(names, str) else tuple(str(name) for name in names)
    available = set(known)
    for name in dict.fromkeys(listed):
        if name not in available:
            faults.add(partial(_unknown, prefix, kind, name, known, holder))
    return tuple(name for name in dict.fromkeys(listed) if name in available)


def _unknown(prefix: str, kind: str, name: str, known: Sequence[str], holder: str) -> str:
    return prefix + unknown_name(kind, name, known, holder=holder)


def is_missing(value: Any) -> bool:
    """Return whether a cell or name stands for nothing: None, NaN of any type, or the missing values of pandas."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def is_scalar(given: Any) -> bool:
    """Return whether this is one number (or text of one), not several."""
    return isinstance(given, str | bool | int | float | Decimal | Fraction | np.number | np.bool_)


def truth(given: Any, name: str) -> bool:
    """Return a truth value, refusing what only counts as one: ``"no"`` would count as true.

    Raises
    ------
    InputError
        If it is neither True nor False.
    """
    if not isinstance(given, bool | np.bool_):
        raise InputError(f"{name} must be True or False; got {given!r}")
    return bool(given)


def one_of(name: str, given: Any, choices: Collection[Any]) -> Any:
    """Return the value if it is among the choices, or raise InputError with the parameter and the choices."""
    if given not in choices:
        *others, last = map(repr, choices)
        raise InputError(f"{name} must be {', '.join(others)} or {last}; got {given!r}")
    return given


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
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"has more than {MOST_DIGITS} digits")
    if abs(int((match[4] or "0")[:20])) > LARGEST_EXPONENT:
        raise ValueError("is out of range")
    value = float(text)
    if np.isinf(value):
        raise ValueError("is out of range")
    # Below the smallest normal double fewer digits are kept; there, as beyond 15 digits, the two are compared.
    if not digits or (len(digits) <= EXACT_DIGITS and abs(value) >= SMALLEST_NORMAL):
        return value
    return nearest_or_exact(Fraction(Decimal(text)))


def exact_cell(value: Any) -> float | Fraction:
    """Return one score: NaN when missing, a float that prints as the written decimal, or the exact fraction.

    Raises
    ------
    ValueError
        If the value is not a finite number; the message completes a sentence about it.
    """
    if (isinstance(value, float) and not math.isinf(value)) or (type(value) is int and abs(value) < EXACT_INTEGER):
        return float(value)
    if isinstance(value, str):
        return number_from_text(value.strip())
    if is_missing(value):
        return math.nan
    if isinstance(value, bool | np.bool_):
        return float(value)
    if isinstance(value, float | np.floating | Decimal) and abs(value) == math.inf:
        raise ValueError("is infinite")
    if isinstance(value, np.floating):
        return number_from_text(str(value))
    if isinstance(value, int | np.integer | Decimal | Fraction):
        return _nearest_float(value)
    raise ValueError("is not a number")


def written(series: pd.Series) -> list[Any]:
    """Return the cells one by one such that each is the number that was written, whatever the type of the column.

    Python sees a narrow float as the double it is stored as (0.1 becomes 0.10000000149011612); here it stays 0.1.
    """
    if isinstance(series.dtype, pd.CategoricalDtype):
        values = written(pd.Series(series.dtype.categories))
        return [None if code < 0 else values[code] for code in series.cat.codes]
    plain = plain_column(series)
    return series.tolist() if plain is None else plain.tolist()


def plain_column(series: pd.Series) -> FloatArray | None:
    """Return a numeric column as doubles that print as the decimals meant, or None when cells must be read singly."""
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return None
    stored = dtype.subtype if isinstance(dtype, pd.SparseDtype) else getattr(dtype, "numpy_dtype", dtype)
    if not isinstance(stored, np.dtype) or pd.api.types.is_object_dtype(stored):
        return None
    if stored.kind == "f" and stored.itemsize < np.dtype(np.float64).itemsize:
        return series.to_numpy(dtype=stored, na_value=np.nan).astype(str).astype(np.float64)
    if stored == np.float64 or stored.kind == "b":
        return _doubles(series)
    if stored.kind in "iu":
        values = _doubles(series)
        return values if np.all(np.isnan(values) | (np.abs(values) < EXACT_INTEGER)) else None
    return None


def plain_frame(frame: pd.DataFrame) -> FloatArray | None:
    """Return a frame whose columns are all plain doubles, integers or truth values as doubles, else None.

    One conversion in place of one a column: a table of 100 models x 100,000 instances is read in a second.
    """
    kinds = set(frame.dtypes)
    plain = all(isinstance(kind, np.dtype) and (kind == np.float64 or kind.kind in "iub") for kind in kinds)
    if not kinds or not plain:
        return None
    values = np.array(frame.to_numpy(dtype=np.float64), order="C")
    # Integers of other sizes are no doubles: the columns that hold them are read one by one.
    integers = any(kind.kind in "iu" for kind in kinds)
    return None if integers and bool((np.abs(values) >= EXACT_INTEGER).any()) else values


def _doubles(series: pd.Series) -> FloatArray:
    return np.array(series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)


def nearest_or_exact(exact: Fraction) -> float | Fraction:
    """Return the nearest double where it prints as the number, else the number itself.

    Raises
    ------
    OverflowError
        If the number is beyond all doubles.
    """
    nearest = float(exact)
    return nearest if shortest_decimal(nearest) == exact else exact


def exact_numbers(
    given: Any, names: Sequence[str], kind: str, faults: Faults, *, what: str, holder: str
) -> dict[str, Fraction]:
    """Return exact numbers by name from a mapping, a Series, or a sequence in the order of the names."""
    by_name = _by_name(given, names, kind, faults, what)
    known = set(named_subset(tuple(by_name), names, kind, faults, holder=holder, where=f"{what}s"))
    exact: dict[str, Fraction] = {}
    for name, number in by_name.items():
        try:
            exact[name] = fraction(number)
        except InputError as error:
            said = said_of(number, error)
            why = said if said == str(error) else f"{said} is not a finite number"
            faults.add(f"{what} of {kind} {name!r}: {why}")
    return {name: number for name, number in exact.items() if name in known}


def said_of(number: Any, error: InputError) -> str:
    """Return a refused number as text, or say that it is too long to show."""
    return str(error) if str(error).startswith("a number with") else repr(number)


def _by_name(given: Any, names: Sequence[str], kind: str, faults: Faults, what: str) -> dict[str, Any]:
    """Return numbers by name, noting wrong shapes and duplicated names."""
    if isinstance(given, pd.Series):
        pairs = list(zip(given.index, written(given), strict=True))
    elif isinstance(given, Mapping):
        pairs = list(given.items())
    elif is_scalar(given) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) != 1:
        shown = type(given).__name__ if hasattr(given, "ndim") else repr(given)
        faults.add(f"{what}s: a mapping from {kind}s to numbers, or one number a {kind}, is needed; got {shown}")
        return {}
    else:
        listed = list(given)
        if len(listed) != len(names):
            counts = f"{counted(len(listed), what)} for {counted(len(names), kind)}"
            faults.add(f"{counts}; give one a {kind}, or a mapping by name")
            return {}
        pairs = list(zip(names, listed, strict=True))
    by_name: dict[str, Any] = {}
    for name, number in pairs:
        if str(name) in by_name:
            faults.add(f"{what}s: {kind} {str(name)!r} is there more than once")
        by_name[str(name)] = number
    return by_name


def ensure_jobs(n_jobs: Any) -> None:
    """Raise InputError unless this is a number of processes."""
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int | np.integer) or n_jobs == 0:
        raise InputError(f"n_jobs must be 1 or more, or negative to leave cores free (-1: all cores); got {n_jobs!r}")


def _nearest_float(value: Any) -> float | Fraction:
    exact = Fraction(int(value)) if isinstance(value, int | np.integer) else value
    if isinstance(exact, Fraction) and max(exact.numerator.bit_length(), exact.denominator.bit_length()) > MOST_BITS:
        raise ValueError(f"has more than {MOST_BITS} binary digits")
    try:
        return nearest_or_exact(fraction(value))
    except (ValueError, OverflowError):
        raise ValueError("is out of range") from None


def _what_it_is(text: str) -> str:
    folded = text.strip().casefold()
    return next((what for looks_so, what in _LOOKS if looks_so(folded)), "is not a number")


def number_like(text: str) -> bool:
    """Return whether the text is a plain decimal."""
    match = _DECIMAL.fullmatch(text.strip())
    return match is not None and bool(match[2] or match[3])


MARKS = " *_`^\u00b9\u00b2\u00b3\u2020\u2021\u00a7\u2191\u2193\u25b2\u25bc"
"""What papers set around a score: bold type, footnotes, arrows."""


def _has_marks(text: str) -> bool:
    """Return whether the text is a score with or without a spread, among marks that papers set around it."""
    bare = text.strip(MARKS)
    return bare != text and (number_like(bare) or _has_spread(bare) or _has_spread(bare.replace("*", "")))


def _has_spread(text: str) -> bool:
    """Return whether the text is two plain decimals, with a plus-minus sign between them or the second in brackets."""
    for mark in ("±", "+/-", "+-"):
        score, found, spread = text.partition(mark)
        if found:
            return number_like(score) and number_like(spread)
    score, found, spread = text.removesuffix(")").partition("(")
    return bool(found) and text.endswith(")") and number_like(score) and number_like(spread)


_MISSING_WORDS = frozenset({"", "-", "\u2013", "\u2014", "na", "n/a", "<na>", "nan", "none", "null"})

_LOOKS: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda text: text in _MISSING_WORDS, "is text, not a number; a missing score is None or NaN"),
    (re.compile(r"[+-]?inf(inity)?").fullmatch, "is infinite"),
    (
        lambda text: text.endswith("%") and number_like(text[:-1]),
        Fault("is a percentage", Cure("percent", [...])),
    ),
    (
        lambda text: "/" in text and all(number_like(part) for part in text.split("/")),
        Fault("holds several numbers", Cure("split", {...: "/"})),
    ),
    (
        re.compile(r"[+-]?\d{1,3}([,'\u00a0\u202f ]\d{3})+(\.\d*)?").fullmatch,
        "has thousands separators; write the number without them",
    ),
    (
        _has_spread,
        Fault("holds a score and a spread", Cure("spread", {...: "standard_error"}), Cure("spread", {...: "dropped"})),
    ),
    (_has_marks, Fault("holds a score among marks", Cure("spread", {...: "dropped"}))),
    (re.compile(r"[+-]?\d+,\d+").fullmatch, "has a comma; write the decimal point as '.'"),
    (lambda text: "\u2212" in text and number_like(text.replace("\u2212", "-")), "has the sign U+2212; write '-'"),
)
"""What text that is no plain decimal looks like, tried in this order, and how a sentence about it ends."""


# Seeds: what a user hands over as ``rng`` becomes one integer that a result can carry.


RngLike: TypeAlias = int | np.random.Generator | None
"""A seed, a generator that one is drawn from, or nothing: then the seed is fresh."""


MOST_DRAWS = 10**8
"""More are never drawn, and never believed of a document: re-checking draws them again."""
A_SECOND = 100_000
"""So many draws take a second, give or take a factor of ten."""


def ensure_few_draws(name: str, count: int) -> None:
    """Raise InputError where a number of draws is beyond what ends, with the time it would take.

    Examples
    --------
    >>> ensure_few_draws("samples", 10**12)
    Traceback (most recent call last):
    ...
    weightlab.exceptions.InputError: samples must be at most 100,000,000; 1,000,000,000,000 would take some 115 days
    """
    if count > MOST_DRAWS:
        days = int(count) // (A_SECOND * 86_400)
        takes = f"some {days:,} days" if days < 10**6 else "more than 2,700 years"
        shown = f"{count:,}" if count < 10**18 else "that many"
        raise InputError(f"{name} must be at most {MOST_DRAWS:,}; {shown} would take {takes}")


def seed_of(rng: Any) -> int:
    """Return the integer from which all draws of one question follow.

    Parameters
    ----------
    rng : int, Generator or None
        A seed that is not negative is taken as it is. A generator gives the next of its integers, so that asking
        twice draws twice. None gives a seed that was never used before.

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> seed_of(7)
    7
    >>> seed_of(np.random.default_rng(7)) == seed_of(np.random.default_rng(7))
    True
    """
    if rng is None:
        return int(np.random.default_rng().integers(2**63))
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise InputError(f"rng must be a seed (0, 1, 2, ...), a numpy Generator or None; got {rng!r}")
    return int(rng)
