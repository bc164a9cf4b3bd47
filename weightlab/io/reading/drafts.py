"""A column whose role is still undecided: its cells, the numbers in them, and what is known of it so far."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from weightlab._exact import FloatArray, IntArray
from weightlab._result import Frozen
from weightlab._validate import is_missing
from weightlab.io.reading.spelled import Cell, begins_with_number, out_of, own_unit, taken_apart, without_unit
from weightlab.io.tables.columns import cleaned
from weightlab.io.tables.exact_numbers import Coded

_PARTS = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)%?(?:\s*+[/|;]\s*+[-+]?(?:\d++(?:\.\d*+)?|\.\d++)%?)+")
DOUBLE_DIGITS = 13
"""Decimals from which a column holds doubles, not what was rounded by hand."""
MOST_UNITS = 1


class Total(Frozen):
    """How a column is made of others.

    Attributes
    ----------
    kind : str
        ``"mean"``, ``"sum"``, ``"median"``, ``"weighted mean"``, ...
    parts : tuple of str
        The columns it is made of.
    rows, agree : int
        Rows that have all that is needed, and those of them where it holds.
    wrong : tuple of (int or str, float, float)
        Rows where it does not hold: their number (in a reading their name), their value, and the value due.
    weights : tuple of (float, float)
        Of a weighted one, the least and the greatest weight of each part.
    """

    kind: str
    parts: tuple[str, ...]
    rows: int
    agree: int
    wrong: tuple[tuple[int | str, float, float], ...] = ()
    weights: tuple[tuple[float, float], ...] = ()

    def __str__(self) -> str:
        """Return it as the reading says it."""
        return f"{self.kind} of {len(self.parts)}, in {self.agree} of {self.rows} rows"


@dataclass(kw_only=True, eq=False)
class Draft:
    """A column of a table.

    Attributes
    ----------
    name, place : str and int
        What it is called, and where it stands, from 0.
    texts, codes : list of str and ndarray of int
        Its distinct cells, and for each row the one it holds.
    values : ndarray of float64
        NaN where there is no number.
    kinds : Counter of str
        How many cells are numbers, missing, not yet there, or text.
    units : frozenset of str
        Behind the numbers.
    decimals : int
        The most behind a point; 0 where all numbers are whole.
    dressed : bool
        Whether some number comes with anything else.
    truths : bool
        Whether its cells are true and false of a format that has these.
    own_unit : str
        The text behind all its numbers where that is not a known unit.
    out_of : int
        The number of cases that all its cells count out of, as in 5/6; 0 for other columns.
    role, lower, certainty, why : str, bool or None, str, str
        What is decided.
    questions : list of str
        Questions about it that remain open, whatever its role.
    sentinels : list of str
        Values that likely stand for a missing score.
    total : Total or None
        How it is made of other columns.
    """

    name: str
    place: int
    texts: list[str]
    codes: IntArray
    values: FloatArray
    kinds: Counter[str]
    units: frozenset[str]
    decimals: int
    dressed: bool
    spread: bool
    truths: bool = False
    own_unit: str = ""
    out_of: int = 0
    role: str = ""
    lower: bool | None = None
    certainty: str = ""
    why: str = ""
    questions: list[str] = field(default_factory=list)
    sentinels: list[str] = field(default_factory=list)
    total: Total | None = None

    @classmethod
    def of(cls, name: str, place: int, cells: Sequence[Any]) -> Draft:
        """Return the draft of a column of cells, each distinct one looked at once."""
        coded = cells if isinstance(cells, Coded) else _coded(cells)
        plain = _plain(name, place, coded)
        if plain is not None:
            return plain
        found, unit, whole = [taken_apart(one) for one in coded.distinct], "", 0
        texts = sum(one.kind == "text" for one in found)
        if 2 * texts > len(found) and set(map(type, coded.distinct)) == {str}:
            unit, whole = own_unit(coded.distinct), out_of(coded.distinct)
            found = [taken_apart(without_unit(one, unit, whole)) for one in coded.distinct] if unit or whole else found
        counts = np.bincount(coded.codes, minlength=len(found)).tolist() if found else []
        kinds: Counter[str] = Counter()
        for one, count in zip(found, counts, strict=True):
            kinds[one.kind] += count
        numbers = [one for one in found if one.kind == "number"]
        values = np.array([_value(one) for one in found] or [np.nan])[coded.codes]
        return cls(
            name=name,
            place=place,
            texts=["" if is_missing(one) else str(one) for one in coded.distinct],
            codes=coded.codes,
            values=values,
            kinds=kinds,
            units=frozenset(one.unit for one in numbers),
            decimals=0 if _is_whole(values) else max(map(_decimals, numbers), default=0),
            dressed=any(one.dressed for one in numbers),
            spread=any(one.spread for one in numbers),
            own_unit=unit,
            out_of=whole,
            truths={type(one) for one in coded.distinct if not is_missing(one)} <= {bool, np.bool_},
        )

    @cached_property
    def good(self) -> FloatArray:
        """The numbers, without gaps."""
        return np.asarray(self.values[~np.isnan(self.values)])

    @cached_property
    def numeric(self) -> bool:
        """Whether most cells hold numbers, of one unit."""
        held = self.kinds["number"] + self.kinds["text"]
        return 0 < held <= self.kinds["number"] * 1.25 and len(self.units - {"%", ""}) <= MOST_UNITS

    @property
    def one_unit(self) -> bool:
        """Whether its numbers are of one unit, which may be lacking unless it is the percent sign."""
        return len(self.units) == 1 or ("%" not in self.units and len(self.units - {""}) == 1)

    @property
    def some_numbers(self) -> bool:
        """Whether a fifth of the cells hold numbers: too many for a column of text."""
        return self.kinds["number"] > 0 and self.kinds["text"] <= 4 * self.kinds["number"] and len(self.units) <= 1

    @cached_property
    def in_parts(self) -> bool:
        """Whether most cells hold several numbers, as in 93.9/91.8."""
        counts = np.bincount(self.codes, minlength=len(self.texts)).tolist()
        given = sum(count for text, count in zip(self.texts, counts, strict=True) if text.strip())
        parted = sum(count for text, count in zip(self.texts, counts, strict=True) if _PARTS.fullmatch(cleaned(text)))
        return parted * 2 > given and not self.kinds["number"]

    @cached_property
    def divides(self) -> str:
        """The sign between the numbers in cells that hold several."""
        signs = Counter(sign for text in self.texts for sign in text if sign in "/|;")
        return signs.most_common(1)[0][0] if self.in_parts and signs else ""

    @property
    def fractions(self) -> bool:
        """Whether all numbers without a percent sign lie between -1 and 1, unless all those with one do, too."""
        held = [one for one in map(taken_apart, self.texts) if one.kind == "number"]
        bare, signed = ([abs(_value(one)) for one in held if (one.unit == "%") is sign] for sign in (False, True))
        return bool(bare) and max(bare) <= 1 < max(signed, default=2.0)

    @property
    def whole(self) -> bool:
        """Whether all its numbers are whole."""
        return self.decimals == 0

    @cached_property
    def least(self) -> float:
        """The least number."""
        return float(self.good.min(initial=np.inf))

    @cached_property
    def most(self) -> float:
        """The greatest number."""
        return float(self.good.max(initial=-np.inf))

    @cached_property
    def typical(self) -> float:
        """The median size of its numbers."""
        return float(np.median(np.abs(self.good))) if len(self.good) else 0.0

    @cached_property
    def distinct(self) -> int:
        """How many different numbers there are."""
        return len(np.unique(self.good))

    @cached_property
    def half_unit(self) -> float:
        """How far a number may be from what it was before it was rounded."""
        if self.decimals >= DOUBLE_DIGITS:
            return 4 * float(np.spacing(np.nanmax(np.abs(self.values))))
        return float(0.5 * 10.0**-self.decimals)

    @cached_property
    def cells(self) -> list[str]:
        """The cells as they stand, cleaned."""
        clean = [cleaned(one) for one in self.texts]
        return [clean[code] for code in self.codes.tolist()]

    def decide_text(self) -> None:
        """Decide that it is text; numbers in several units are only likely to be."""
        units = sorted(self.units - {""})
        of_runs = self.name.casefold() == "duration"  # as trackers of runs call the time that each took
        if self.kinds["number"] > 4 * self.kinds["text"] and len(units) > 1 and not of_runs:
            self.decide("text", "likely", f"numbers in {', '.join(units[:-1])} and {units[-1]}")
        else:
            held = self.kinds["text"] + self.kinds["not yet"] + self.kinds["number"]
            odd = next((one for one in self.texts if begins_with_number(one)), "")
            begun = sum(map(begins_with_number, self.texts)) * 5 >= len(self.texts) * 4 > 0
            told = f"numbers with more behind them, such as {odd!r}" if begun else "text" if held else "empty"
            self.decide("text", "likely" if begun else "certain", told)

    def decide(self, role: str, certainty: str, why: str, *, lower: bool | None = None) -> None:
        """Note what the column is."""
        self.role, self.certainty, self.why, self.lower = role, certainty, why, lower


def _coded(cells: Sequence[Any]) -> Coded:
    listed = cells if set(map(type, cells)) == {str} else [_key(cell) for cell in cells]
    places = {cell: at for at, cell in enumerate(dict.fromkeys(listed))}
    codes = np.fromiter(map(places.__getitem__, listed), dtype=np.int64, count=len(listed))
    return Coded(distinct=list(places), codes=codes)


PLAIN = frozenset("+-.0123456789")


def _plain(name: str, place: int, coded: Coded) -> Draft | None:
    """Return the draft of a column of plain decimals, read all at once; None of any other."""
    texts = coded.distinct
    if not texts or set(map(type, texts)) != {str} or not PLAIN.issuperset("".join(texts)):
        return None
    try:
        values = np.array(list(map(float, texts)))[coded.codes]
    except ValueError:
        return None
    whole = _is_whole(values)
    return Draft(
        name=name,
        place=place,
        texts=[*texts],
        codes=coded.codes,
        values=values,
        kinds=Counter(number=len(values)),
        units=frozenset({""}),
        decimals=0 if whole else _most_decimals(texts),
        dressed=False,
        spread=False,
    )


def _most_decimals(texts: Sequence[str]) -> int:
    """Return the most digits behind a point of plain decimals, all at once."""
    letters = np.frombuffer("".join(f"{one}\n" for one in texts).encode(), dtype=np.uint8)
    points, ends = np.flatnonzero(letters == ord(".")), np.flatnonzero(letters == ord("\n"))
    return int((ends[np.searchsorted(ends, points)] - points - 1).max(initial=0))


def _is_whole(values: FloatArray) -> bool:
    return bool(np.all(np.isnan(values) | (values == np.round(values))))


def _key(cell: Any) -> Any:
    value = cell.item() if isinstance(cell, np.generic) else cell
    return None if isinstance(value, float) and np.isnan(value) else value


def _value(cell: Cell) -> float:
    if cell.kind != "number":
        return np.nan
    try:
        value = float(cell.text.replace(",", ""))
    except ValueError:
        return np.nan
    return value if np.isfinite(value) else np.nan


def _decimals(cell: Cell) -> int:
    mantissa, _, power = cell.text.replace(",", "").lower().partition("e")
    return len(mantissa.partition(".")[2]) - int(power or 0) if power.lstrip("+-").isdigit() or not power else 0


def measure(drafts: Sequence[Draft]) -> None:
    """Work out the edges, sizes and counts of all columns at once: one by one takes longer in a wide table."""
    held = [one for one in drafts if one.kinds["number"]]
    if not held:
        return
    table = np.sort(np.column_stack([one.values for one in held]), axis=0)  # NaN comes last
    counts = (~np.isnan(table)).sum(axis=0)
    columns = np.arange(len(held))
    sizes = np.sort(np.abs(table), axis=0)
    middle = (sizes[(counts - 1) // 2, columns] + sizes[counts // 2, columns]) / 2
    new = (np.diff(table, axis=0) > 0).sum(axis=0) + 1
    most = table[counts - 1, columns]
    for at, (draft, least) in enumerate(zip(held, table[0].tolist(), strict=True)):
        if counts[at]:
            draft.__dict__.update(least=least, most=float(most[at]), typical=float(middle[at]), distinct=int(new[at]))
            if counts[at] == len(table):
                draft.__dict__["good"] = draft.values


def headers_recur(drafts: Sequence[Draft]) -> bool:
    """Return whether two headers of text stand in their columns again, and no row is the header once more."""
    named = [one for one in drafts if one.name.strip()]
    again = [one.codes == one.texts.index(one.name) for one in named if one.name in one.texts]
    texts = sum(one.name in one.texts and taken_apart(one.name).kind == "text" for one in named)
    return texts > 1 and not (len(again) == len(named) and bool(np.all(again, axis=0).any()))
