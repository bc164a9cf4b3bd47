"""From the blocks of a sheet to whole columns of names and of exact numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from weightlab._cures import Cure, Fault, as_fault, reworded
from weightlab._exact import FloatArray
from weightlab._result import Frozen
from weightlab._text import counted, first_few
from weightlab._validate import is_missing
from weightlab.data.frame.long import repeated
from weightlab.io.tables.delimited import PlainRows
from weightlab.io.tables.exact_numbers import READ_PLAIN, Coded, Numbers, ReadNumber, numbers, shown
from weightlab.io.tables.sheet import Block, FileFaults, Sheet

RowNumbers: TypeAlias = npt.NDArray[np.int32]
Wrong: TypeAlias = tuple[int, int, str]
"""Row within the block, column, and what is the matter with the cell."""
RUNS = frozenset(
    {
        *(
            "attempt",
            "fold",
            "iter",
            "iteration",
            "rep",
            "repeat",
            "repetition",
            "replicate",
            "replication",
            "row",
            "run",
        ),
        *("seed", "trial"),
    }
)
"""What columns are called that tell repeats apart."""


class Names(Frozen, eq=True):
    """A column of names.

    Attributes
    ----------
    distinct : tuple of str
        In order of first appearance.
    codes : ndarray of int
        For each row the position of its name.
    changed : tuple of str
        Text in the file if it spells a name differently.
    """

    distinct: tuple[str, ...]
    codes: RowNumbers
    changed: tuple[str, ...] = ()

    def of(self, row: int) -> str:
        """Return the name in a row."""
        return self.distinct[int(self.codes[row])]


class Scores(Frozen, eq=True):
    """A column of scores: doubles, NaN where missing, and the exact values of those that no double prints as."""

    floats: FloatArray
    exact: Mapping[int, Fraction]


class ColumnData(Frozen, eq=True):
    """Whole columns by their position in the sheet.

    Attributes
    ----------
    rows : ndarray of int
        The line or number of each row.
    names, scores, texts : mappings
        The requested columns.
    """

    rows: RowNumbers
    names: Mapping[int, Names]
    scores: Mapping[int, Scores]
    texts: Mapping[int, Sequence[Any]]


def read_columns(
    sheet: Sheet,
    faults: FileFaults,
    *,
    names: Sequence[int],
    scores: Mapping[int, ReadNumber],
    words: Sequence[int] = (),
    texts: Sequence[int] = (),
    blank: Sequence[int] = (),
    cure: Sequence[Cure] = (),
) -> ColumnData:
    """Return the columns asked for, noting what cells are that are not what they should be: once a kind.

    Parameters
    ----------
    sheet : Sheet
        Its blocks are used up.
    faults : FileFaults
        What is wrong is noted here.
    names, scores, words, texts, blank : positions of columns
        Read as names, as numbers (with the way to read each), as names that may be empty, as they stand, or required
        to be empty.
    cure : sequence of Cure
        What helps where a column of text is read as numbers.
    """
    codes = {column: _Codes() for column in (*names, *words)}
    parts: dict[int, list[Numbers]] = {column: [] for column in scores}
    kept: dict[int, list[Any]] = {column: [] for column in texts}
    rows: list[RowNumbers] = []
    amiss = _Amiss(sheet)
    for block in sheet.blocks:
        rows.append(np.asarray(block.rows, dtype=np.int32))
        wrong: list[Wrong] = []
        for column, coded in codes.items():
            unnamed = coded.add(block.columns[column])
            wrong += [(row, column, "is not a name") for row in unnamed if column not in words]
        asked = [column for column, read in scores.items() if sheet.spelt(read) in READ_PLAIN]
        plain = block.columns.decimals(asked) if isinstance(block.columns, PlainRows) else {}
        for column, read in scores.items():
            its = Numbers(floats=plain[column], exact={}, wrong={}) if column in plain else None
            parts[column].append(its or numbers(block.columns[column], sheet.spelt(read)))
            wrong += [(row, column, matter) for row, matter in parts[column][-1].wrong.items()]
        for column in texts:
            kept[column] += block.columns[column]
        for column in blank:
            wrong += _not_blank(block, column)
        amiss.add(wrong, block)
    numbered = {column for column, its in parts.items() if any(np.isfinite(part.floats).any() for part in its)}
    amiss.tell(faults, {*scores, *blank}, {*scores} - numbered, Fault("", *cure))
    if not rows and not faults:
        faults.add("there is a header and no row below it")
    return ColumnData(
        rows=np.concatenate([np.empty(0, dtype=np.int32), *rows]),
        names={column: coded.names() for column, coded in codes.items()},
        scores={column: _whole(parts.pop(column)) for column in scores},
        texts=kept,
    )


def note_repeated(
    found: ColumnData,
    columns: Mapping[str, int],
    sheet: Sheet,
    faults: FileFaults,
    cure: Sequence[Cure] = (),
    *,
    scored: bool = False,
) -> None:
    """Note rows whose names, taken together, are those of an earlier row: the first one, and how many there are.

    Parameters
    ----------
    found : ColumnData
        Holds the names.
    columns : mapping from str to int
        The columns by what they name: ``{"model": 1, "instance": 0}``.
    sheet : Sheet
        Knows how to name a row.
    faults : FileFaults
        What is wrong is noted here.
    cure : sequence of Cure
        What helps where several rows repeat others.
    scored : bool
        Whether only rows with a score count: others are left out of a table.
    """
    keys = np.zeros(len(found.rows), dtype=np.int64)
    most = 1
    for column in columns.values():
        names = found.names[column]
        if most * len(names.distinct) >= np.iinfo(np.int64).max:
            keys = np.unique(keys, return_inverse=True)[1]
            most = len(keys)
        keys = keys * len(names.distinct) + names.codes
        most *= len(names.distinct)
    given = [~np.isnan(one.floats) for one in found.scores.values() if scored and not faults]
    rows = np.flatnonzero(np.any(given, axis=0)) if given else np.arange(len(keys))
    again = rows[repeated(keys[rows])]
    if not len(again):
        return
    row = int(again[0])
    told = ", ".join(f"{what} {found.names[column].of(row)!r}" for what, column in columns.items())
    before = sheet.place(int(found.rows[rows[keys[rows] == keys[row]][0]]))
    more = f" (and {counted(len(again) - 1, 'more row')} too)" if len(again) > 1 else ""
    told = f"{sheet.place(int(found.rows[row]))}: {told} is already in {before}{more}"
    faults.add(Fault(told, *(cure if len(again) > 1 else ())))


def cure_of_repeats(header: Sequence[str]) -> tuple[Cure, ...]:
    """Return the cure if a table has several rows per model: a column that identifies runs, by its name."""
    return tuple(Cure("repeats_by", name, "to take means") for name in header if name.strip().casefold() in RUNS)[:1]


class _Codes(dict[str, int]):
    """Names by their number, which they are given when they are first met."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[RowNumbers] = []
        self.blank: set[int] = set()
        self.changed: list[str] = []
        self.known: dict[str, int] = {}

    def __missing__(self, name: str) -> int:
        plain = plain_name(name)
        number = self[name] = self.known.setdefault(plain, len(self.known))
        if plain != name:
            self.changed.append(name)
        if not plain.strip():
            self.blank.add(number)
        return number

    def add(self, cells: Sequence[Any]) -> list[int]:
        """Give each cell of a block its number, and return the rows that have no name."""
        texts = cells.distinct if isinstance(cells, Coded) else cells
        if set(map(type, texts)) != {str}:
            texts = list(map(_name, texts))
        codes = np.fromiter(map(self.__getitem__, texts), dtype=np.int32, count=len(texts))
        if isinstance(cells, Coded):
            codes = codes[cells.codes]
        self.parts.append(codes)
        return np.flatnonzero(np.isin(codes, list(self.blank))).tolist() if self.blank else []

    def names(self) -> Names:
        """Return the whole column."""
        codes = np.concatenate([np.empty(0, dtype=np.int32), *self.parts])
        return Names(distinct=tuple(self.known), codes=codes, changed=tuple(self.changed))


LINK = re.compile(r"!?\[([^\[\]]*+)\]\((?:[^()]|\([^()]*+\))*+\)")
"""A link as Markdown writes it."""
_LINKED = re.compile(r"(?<!!)" + LINK.pattern.removeprefix("!?") + r"|<a\s[^<>]*+>([^<>]*+)</a>")

_BOLD = re.compile(r"\*\*((?:\\\*|(?!\*\*).)++)\*\*", re.DOTALL)
"""A name that Markdown shows in bold."""
_SLANTED = re.compile(r"\*([^*\s](?:[^*]*[^*\s])?)\*")
"""A line of a name that Markdown shows in italics."""
_NEW_LINE = re.compile(r"<br\s*+/?>", re.IGNORECASE)


_TAG = re.compile(
    r"<(?:sub|sup)>[^<\w]*</(?:sub|sup)>|</?(?:sub|sup|ins|del|br|strong|em|span|a)\s*/?>|<[a-zA-Z]+ [^<>]*>"
)
_MARKUP = re.compile(r"\*\*|`|\\(?:textbf|textit|underline|emph)\b|\\(?=[%$&_#])")


def cleaned(name: str) -> str:
    """Return a name without blanks around it, links, tags and marks, in Unicode's composed form."""
    if name.isascii() and not ("<" in name or "](" in name or "**" in name or "`" in name or "\\" in name):
        return " ".join(name.split())
    text = unicodedata.normalize("NFC", name)
    for sign in (LINK, _TAG, _MARKUP):
        text = sign.sub(r"\1" if sign is LINK else "", text)
    return " ".join(text.split())


def plain_name(name: str) -> str:
    """Return a name without blanks or marks around it, links as text, letters composed, no-break spaces as blanks."""
    if "](" in name or "</a>" in name:
        name = _LINKED.sub(r"\1\2", name)
    if "*" in name or "<" in name:
        name = " ".join(map(_without_marks, _NEW_LINE.split(name)))
    if not name.isascii():
        name = unicodedata.normalize("NFC", name.replace("\u00a0", " "))
    return name.strip(" \t")


def _without_marks(line: str) -> str:
    """Return a line of a name without the marks that stand around all of it."""
    plain = line.strip(" \t")
    if bold := _BOLD.fullmatch(plain):
        return bold[1].replace("\\*", "*")
    slanted = _SLANTED.fullmatch(plain)
    return plain if slanted is None else slanted[1]


def _name(cell: Any) -> str:
    return "" if is_missing(cell) else str(cell)


def _not_blank(block: Block, column: int) -> list[Wrong]:
    return [(row, column, NO_NAME) for row, cell in enumerate(block.columns[column]) if _name(cell).strip()]


NO_NUMBER = "is not a number"
INFINITE = "is infinite"
_SIGN = re.compile(r"[^\d=]{1,12}")
"""What may stand for a missing score."""
NO_NAME = "stands in a column without a name"


@dataclass(kw_only=True)
class _Kind:
    """Cells with the same problem: the position of the first, how many there are, and a few of them."""

    row: int
    count: int = 0
    columns: dict[int, None] = field(default_factory=dict)
    cells: dict[str, None] = field(default_factory=dict)
    texts: dict[str, None] = field(default_factory=dict)

    def as_missing(self, matter: str) -> tuple[Cure, ...]:
        """Return the cure that declares these texts missing scores, if they are one or two words and no number."""
        fits = matter.startswith(INFINITE) or (matter.startswith(NO_NUMBER) and len(self.texts) < 3)
        if not fits or not all(_SIGN.fullmatch(one) for one in self.texts):
            return ()
        return (Cure("missing_value", [*self.texts], "if that is a missing score"),)


class _Amiss:
    """The cells of a sheet that are not what they should be, by column and by what is the matter."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.first: int | None = None
        self.kinds: dict[tuple[int, str], _Kind] = {}

    def add(self, wrong: Sequence[Wrong], block: Block) -> None:
        """Note cells of a block: text column by column, what can be declared of several columns once for all."""
        self.first = block.rows[0] if self.first is None else self.first
        for row, column, matter in sorted(wrong):
            alone = matter.startswith((NO_NUMBER, NO_NAME)) or matter.endswith("is not a name")
            where = block.rows[row] if self.sheet.turned else column
            kind = self.kinds.setdefault((where if alone else -1, matter), _Kind(row=block.rows[row]))
            kind.count += 1
            kind.columns[column] = None
            if len(kind.cells) < 3:
                kind.cells[shown(cell := block.columns[column][row])] = None
                kind.texts[str(cell).strip()] = None

    def tell(self, faults: FileFaults, needed: set[int], wordy: set[int], advice: Fault) -> None:
        """Tell each kind in a sentence; of columns without any number, text once a column."""
        there = [(key, kind.count == 1) for key, kind in self.kinds.items() if kind.row == self.first]
        second = [key for key, once in there if key[1].startswith(NO_NAME) or (once and key[1].startswith(NO_NUMBER))]
        if len(second) > 1 and not self.sheet.turned and {column for column, _ in second} == needed - wordy:
            names = ", ".join(next(iter(self.kinds.pop(key).cells)) for key in sorted(second))
            line = self.sheet.place(self.first or 0)
            faults.add(
                f"{line} holds names, {names}, where scores begin; if it is a second header, make one row of both"
            )
        for (column, matter), kind in self.kinds.items():
            if column in wordy and not self.sheet.turned and kind.count > 1 and matter.startswith(NO_NUMBER):
                name = self.sheet.header[column]
                told = f"column {name!r} holds no number but {first_few(kind.cells)}"
                faults.add(reworded(told, advice.of(name)))
            else:
                faults.add(self._told(matter, kind, advice))

    def _told(self, matter: str, kind: _Kind, advice: Fault) -> Fault:
        names = [self.sheet.header[column] for column in kind.columns]
        where = f"{self.sheet.place(kind.row)}, column {next(iter(kind.columns)) + 1}"
        where = self.sheet.cell(kind.row, names[0]) if names[0].strip() else where
        signs = Fault("", *kind.as_missing(matter))
        told = reworded(f"{where}: {next(iter(kind.cells))} {matter}", as_fault(matter).of(*names), signs)
        if kind.count == 1:
            return told
        if self.sheet.turned and matter.startswith(NO_NUMBER):
            names = [self.sheet.labels[kind.row]]
        across = f" of {len(names)} {'rows' if self.sheet.turned else 'columns'}" if len(names) > 1 else ""
        other = advice.of(*names) if matter.startswith(NO_NUMBER) else Fault("")
        return reworded(f"{told} (and {counted(kind.count - 1, 'more cell')}{across})", told, other)


def _whole(parts: Sequence[Numbers]) -> Scores:
    exact: dict[int, Fraction] = {}
    start = 0
    for part in parts:
        exact.update({start + position: value for position, value in part.exact.items()})
        start += len(part.floats)
    return Scores(floats=np.concatenate([np.empty(0), *(part.floats for part in parts)]), exact=exact)
