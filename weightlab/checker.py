"""An independent checker of weightlab's proofs: one file, the standard library only, nothing of the package.

Usage: ``python checker.py PROOF.json [TABLE.csv] [--lower NAME] [--drop NAME] [--complete] [--weight NAME=W]``

The prover is not trusted, and neither is its own verification: only Python's integers are. A
document says what is true and carries what proves it; this file works out the signs of the table again and checks each
inequality in exact arithmetic. It reads from top to bottom:

1. *Documents* (`Part`): each part of a document has one form; a part more, a part fewer or another form is refused.
2. *Exact numbers* (`total`): sums of fractions as integers over one denominator.
3. *The table and its signs* (`Table`): decimals as they are written, and who leads whom on which task.
4. *Spaces of weights* (`Space`): which weights are allowed.
5. *The dual certificate* (`most`): weak duality, the one theorem behind every "no weights do". Behind every
   "these weights do" stand the weights themselves (`check_weights`, `check_leads`).
6. *Claims about weights*, 7. *about rankings*, 8. *about majorities*: one function for each kind of result.
9. *Missing scores and rises of scores*: tables in which some numbers may be others.
10. *The program* (`KINDS`, `check`): which function checks which kind, and what it reports.

``docs/reference/proofs.md`` states for each kind the fields, the inequalities and what they prove.

Exit codes: 0 all is checked; 1 a claim is false; 2 the input is wrong; 3 something was not checked: a kind that is not
known here, or a part that relies on a solver's bound or on a search. What was checked is reported in any case.
"""

from __future__ import annotations

import argparse
import bisect
import csv
import io
import json
import math
import operator
import re
import sys
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

Numbers = Sequence[Fraction]
Vectors = Sequence[Mapping[str, Fraction]]
Rows = Sequence[Sequence[int]]

ZERO, ONE = Fraction(0), Fraction(1)
# Limits: the bytes of a file, the letters of a configuration, the digits of a number, the bits of a common denominator
# (the cost of a sum grows with its square), and the steps that the check of a witness may take.
MOST_BYTES, MOST_DECLARED, MOST_DIGITS, MOST_BITS, MOST_STEPS = 200_000_000, 2_000_000, 4_300, 400_000, 20_000_000
MOST_VALUES = 10_000_000
"""Values of a document that are read: each takes up to a hundred bytes of memory."""
FRACTION = re.compile(rf"(-?[0-9]{{1,{MOST_DIGITS}}})(?:/([0-9]{{1,{MOST_DIGITS}}}))?")
# Halves of letters, which JSON lets pass, and which no file can hold.
HALVES = re.compile("[\ud800-\udfff]")
# Whose word the package may take.
SOLVERS = ("HiGHS", "CBC")


# The form of documents that is read here; its part of what stands in a document more than once; the parts in whose
# places such a table may stand.
FORMAT, SHARED = 2, "shared_tables"
HOLD_TABLES = {"signs", "space", "margins", "source", "profile", "table", "points", "board", "data", "relations"}


class FalseClaimError(Exception):
    """What a document claims, or proves it by, does not hold."""


class WrongInputError(Exception):
    """A file or an option has another form than is read here."""


class NotCheckedError(Exception):
    """A claim with a proof that this file does not check."""


class Finding(NamedTuple):
    """What was proved of a result, in one sentence, and what of it was not checked."""

    proved: str
    open: tuple[str, ...] = ()


def ensure(holds: object, failure: str) -> None:
    """Raise FalseClaimError with the inequality that fails."""
    if not holds:
        raise FalseClaimError(failure)


def refuse(message: str) -> NoReturn:
    """Raise WrongInputError."""
    raise WrongInputError(message)


# 1. Documents --------------------------------------------------------------------------------------------------------


def shown(value: Any) -> str:
    """Return a shortened text of a value."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return "a value too deep or too long to be shown"
    return text if len(text) <= 60 else f"{text[:57]}..."


class Part(NamedTuple):
    """A value in a document, and what messages call it."""

    value: Any
    what: str

    def of(self, kind: type) -> Any:
        """Return the value if it is of just this type: true is no integer."""
        if type(self.value) is not kind or (kind is str and HALVES.search(str(self.value))):
            refuse(f"{self.what}: {shown(self.value)} is no {kind.__name__}")
        return self.value

    def parts(self, names: str) -> list[Part]:
        """Return the parts of an object in the order of their names; it must have all of them and no others."""
        found, wanted = self.of(dict), names.split()
        for name in [*found, *wanted]:
            if name not in wanted:
                refuse(f"{self.what} has {shown(name)}, a part that is not known")
            if name not in found:
                refuse(f"{self.what} lacks {name!r}")
        return [Part(found[name], name) for name in wanted]

    def items(self) -> list[Part]:
        """Return the items of a list."""
        return [Part(one, self.what) for one in self.of(list)]

    def all_of(self, kind: type) -> tuple[Any, ...]:
        """Return the items of a list that are all of just this type."""
        return tuple(one.of(kind) for one in self.items())

    def entries(self) -> dict[str, Part]:
        """Return the entries of an object by name."""
        found = {Part(name, self.what).of(str): one for name, one in self.of(dict).items()}
        return {name: Part(one, f"{self.what} of {name!r}") for name, one in found.items()}

    def names(self) -> tuple[str, ...]:
        """Return a list of texts that are all different, none of them empty, and at least one."""
        found = self.all_of(str)
        if not found or not all(map(str.strip, found)) or len(set(found)) < len(found):
            refuse(f"{self.what}: names that differ are needed, none of them blank")
        return found

    def fraction(self) -> Fraction:
        """Return the fraction that a text ``p/q`` stands for."""
        digits = FRACTION.fullmatch(self.value) if isinstance(self.value, str) else None
        if digits is None or not int(digits[2] or 1):
            refuse(f"{self.what}: {shown(self.value)} is not a fraction p/q")
        return Fraction(int(digits[1]), int(digits[2] or 1))

    def ensure_is(self, value: Fraction) -> None:
        """Ensure that a number that follows from the others is written as it is, in lowest terms."""
        ensure(self.fraction() == value, f"the {self.what} is {value}, not {shown(self.value)}")
        ensure(self.value == f"{value.numerator}/{value.denominator}", f"the {self.what} is not in lowest terms")

    def fractions(self) -> dict[str, Fraction]:
        """Return fractions by name."""
        return {name: one.fraction() for name, one in self.entries().items()}

    def among(self, names: Sequence[str]) -> list[Fraction]:
        """Return fractions in the order of names: those that are 0 may be left out, other names are refused."""
        found = self.fractions()
        for name in found.keys() - set(names):
            refuse(f"{self.what}: {shown(name)} is not known")
        return [found.get(name, ZERO) for name in names]

    def along(self, names: Sequence[str]) -> list[Fraction]:
        """Return fractions written for just these names in this order."""
        found = self.fractions()
        ensure(list(found) == list(names), f"{self.what}: the names differ, or their order does")
        return list(found.values())

    def listed(self, count: int) -> list[Fraction]:
        """Return a list of fractions of this length."""
        ensure(len(self.of(list)) == count, f"{self.what}: there must be {count} numbers")
        return [one.fraction() for one in self.items()]

    def gapped(self, count: int) -> list[Fraction | None]:
        """Return a list of this length, of fractions or None."""
        ensure(len(self.of(list)) == count, f"{self.what}: there must be {count} numbers")
        return [None if one.value is None else one.fraction() for one in self.items()]

    def square(self, size: int, read: Callable[[Part], Any]) -> list[list[Any]]:
        """Return a square table, each cell read."""
        if len(self.of(list)) != size or any(len(row.of(list)) != size for row in self.items()):
            refuse(f"{self.what}: {size} rows of {size} are needed")
        return [[read(one) for one in row.items()] for row in self.items()]

    def integer(self) -> int:
        """Return an integer."""
        return int(self.of(int))

    def signs(self, rows: int, columns: int) -> list[list[int]]:
        """Return signs from one text of ``+``, ``0`` and ``-`` a row."""
        found = self.all_of(str)
        if len(found) != rows or any(len(row) != columns or row.strip("+0-") for row in found) or not rows * columns:
            refuse(f"{self.what}: {rows} texts of {columns} signs '+', '0' and '-' are needed")
        return [[{"+": 1, "0": 0, "-": -1}[letter] for letter in row] for row in found]


def read_json(text: str) -> Part:
    """Return a document; keys that occur twice, NaN and numbers of too many digits are refused."""

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return dict(pairs) if len(dict(pairs)) == len(pairs) else refuse("a key occurs twice in one object")

    def read_integer(digits: str) -> int:
        return int(digits) if len(digits) <= MOST_DIGITS else refuse("a number has too many digits")

    if text.count(",") + text.count("[") + text.count("{") > MOST_VALUES:
        refuse(f"the document has more than {MOST_VALUES} values, the most that is read here")
    if text.lstrip()[:1] == "<":
        refuse("this is a page; a JSON document is needed, such as 'weightlab win --output' writes")
    try:
        read = json.loads(text, object_pairs_hook=read_object, parse_int=read_integer, parse_constant=decimal)
    except RecursionError:
        refuse("the document is too deeply nested")
    except ValueError as error:
        refuse(f"the document is not JSON: {error}")
    return Part(read, "the document")


def is_name(value: Any) -> bool:
    """Return whether a value is a text or nothing."""
    return value is None or isinstance(value, str)


# What a document may say of how its table was read, and whether a value is one.
OPTIONS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("file", "config"), is_name),
    "complete": lambda value: isinstance(value, bool),
    "table": lambda value: value in ("board", "suite"),
    "flags": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
    "columns": lambda value: (
        isinstance(value, dict) and sorted(value) == ["instance", "model"] and all(map(is_name, value.values()))
    ),
}


# What a document says of a column of its table.
COLUMN = ("name", "role", "direction", "certainty", "why")
# Options whose effect on a table stands in its reading.
READ_SO = ("--accept-reading", "--lower=", "--higher=", "--drop=", "--keep=", "--name-column=")


def read_envelope(document: Part) -> tuple[list[Part], Mapping[str, Any]]:
    """Return the results of a document, and how it says that its table was read; a result may stand alone."""
    if "kind" in document.of(dict):
        return [document], {}
    for name in document.value.keys() - {"weightlab", "command", "options", "reading", "notes", "table", "results"}:
        refuse(f"the document has {shown(name)}, a part that is not known")
    for name in document.value.keys() & {"weightlab", "command"}:
        if not isinstance(document.value[name], str):
            refuse(f"{name!r} must be a text")
    Part(document.value.get("notes", []), "notes").all_of(str)
    options = Part(document.value.get("options", {}), "options").of(dict)
    for name, value in options.items():
        if name not in OPTIONS or not OPTIONS[name](value):
            refuse(f"options: {shown(name)} is not known, or cannot be {shown(value)}")
    results = Part(document.value.get("results"), "results").items()
    if "reading" in document.value:
        options = {**options, "reading": read_reading(Part(document.value["reading"], "reading"))}
    return results or refuse("the document holds no results"), options


def read_reading(reading: Part) -> Reading:
    """Return which columns of a table a document takes for what."""
    line, models, turned, listed, summaries = reading.parts("line models transposed columns summaries")
    ensure_text(line)
    if not isinstance(models.value, int) or not isinstance(turned.value, bool):
        refuse("reading: how many models there are, and whether the table is transposed, must be stated")
    columns = [one.parts(" ".join(COLUMN)) for one in listed.items()]
    for one in (part for column in columns for part in column):
        ensure_text(one)
    tasks = {name.value for name, role, *_ in columns if role.value == "task"}
    beside = {f"{task}_stderr" for task in tasks}
    return Reading(
        key=tuple(name.value for name, role, *_ in columns if role.value == "key"),
        lower=tuple(name.value for name, role, way, *_ in columns if role.value == "task" and way.value == "lower"),
        drop=tuple(
            name.value
            for name, role, *_ in columns
            if role.value not in {"task", "key", "repeat"} and name.value not in beside
        ),
        repeats=any(role.value == "repeat" for _, role, *_ in columns),
        transposed=turned.value,
        models=models.value,
        summaries=tuple(summaries.all_of(str)),
        tasks=frozenset(tasks),
        line=line.value,
    )


def ensure_text(part: Part) -> None:
    """Refuse what is not a text."""
    if not isinstance(part.value, str):
        refuse(f"{part.what}: {shown(part.value)} is not a text")


def claim_of(document: Part) -> Part:
    """Return a result without its format and what is proved and believed, which must fit the solvers that it names.

    What stands in it more than once is written once, in ``shared_tables``: here it is put back where it belongs.
    """
    apart = ("format", SHARED, "proved", "believed")
    claim = {name: value for name, value in document.value.items() if name not in apart}
    if SHARED in document.value:
        claim = with_tables(claim, Part(document.value[SHARED], SHARED).of(list))
    proved, believed = (Part(document.value.get(name), name).all_of(str) for name in ("proved", "believed"))
    ensure(not set(proved) & set(believed), "a claim is both proved and unproved")
    ensure(believed or proved == ("everything",), "where nothing is unproved, everything is proved")
    # Who leads among weightings drawn, and what was measured in orders drawn.
    drawn = claim.get("kind") in {"replay", "winning_shares", "pair_shares"} or (
        claim.get("kind") == "asked" and bool(claim.get("won"))
    )
    grounds = drawn or names_solver(claim)
    ensure(bool(believed) == grounds, "a solver is named where, and only where, something is unproved")
    return Part(claim, "a result")


def ensure_format(document: Part) -> None:
    """Refuse a result of another format than is read here."""
    number = document.value.get("format")
    if type(number) is not int or number != FORMAT:
        has = "has no format number" if "format" not in document.value else f"is of format {shown(number)}"
        refuse(
            f"this document {has}, so another version of weightlab wrote it; format {FORMAT} is read here: "
            "make it again, with the command that made it"
        )


def with_tables(claim: Any, tables: Sequence[Any]) -> Any:
    """Return a claim with each table in the places that refer to it, all of them known, and no table unused."""
    used: set[int] = set()

    def whole(value: Any, name: str) -> Any:
        if isinstance(value, dict):
            number = value.get("table") if len(value) == 1 and name in HOLD_TABLES else None
            if type(number) is not int:
                return {one: whole(inner, one) for one, inner in value.items()}
            if not 0 <= number < len(tables):
                refuse(f"{name}: there is no table {number} among {len(tables)}")
            used.add(number)
            return tables[number]
        return [whole(one, name) for one in value] if isinstance(value, list) else value

    try:
        found = whole(claim, "")
    except RecursionError:
        refuse("the document is too deeply nested")
    if len(used) < len(tables):
        refuse(f"{SHARED}: no part of the result refers to one of them")
    return found


def names_solver(claim: Any) -> bool:
    """Return whether some part of a result relies on a solver."""
    waiting = [claim]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict) and one.get("solver") in SOLVERS:
            return True
        waiting += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return False


# 2. Exact numbers: integers over one denominator ---------------------------------------------------------------------


def whole(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """Return integers that, divided by the integer returned with them, are the values."""
    listed, unit = list(values), 1
    for one in listed:
        unit = math.lcm(unit, one.denominator)
        if unit.bit_length() > MOST_BITS:
            refuse("the denominators of the numbers are too many and too long")
    return [one.numerator * (unit // one.denominator) for one in listed], unit


def total(values: Iterable[Fraction]) -> Fraction:
    """Return an exact sum."""
    above, unit = whole(values)
    return Fraction(sum(above), unit)


def leads(rows: Rows, weights: Numbers) -> list[Fraction]:
    """Return G w, one lead a row."""
    above, unit = whole(weights)
    used = [place for place, one in enumerate(above) if one]
    return [Fraction(sum(row[place] * above[place] for place in used), unit) for row in rows]


def column_sums(rows: Rows, shares: Numbers, width: int) -> list[Fraction]:
    """Return y G, the lead over a mixture of the rows on each task."""
    above, unit = whole(shares)
    used = [(row, one) for row, one in zip(rows, above, strict=True) if one]
    return [Fraction(sum(row[task] * one for row, one in used), unit) for task in range(width)]


def decimal(text: str, what: str = "a number") -> Fraction:
    """Return the number that a decimal text stands for."""
    found = re.fullmatch(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,4}))?", text)
    if found is None or len(text) > MOST_DIGITS or abs(int(found[1] or 0)) > MOST_DIGITS:
        refuse(f"{what}: {shown(text)} is not a decimal number")
    return Fraction(text)


# 3. The table and its signs ------------------------------------------------------------------------------------------

# Cells that hold no score, in capitals or not.
MISSING = {"", "-", "\u2013", "\u2014", "na", "n/a", "nan"}


class Column(NamedTuple):
    """The scores of a task as integers, greater being better, and up to which difference they tie."""

    values: Sequence[int | None]
    allowed: int = 0
    scale: int = 1
    relative: bool = False
    unit: int = 1
    tolerance: Fraction = ZERO

    def sign(self, model: int, rival: int) -> int:
        """Return 1 where the model leads, -1 where it trails, 0 where they tie or a score is missing."""
        one, other = self.values[model], self.values[rival]
        if one is None or other is None:
            return 0
        allowed = self.allowed * max(abs(one), abs(other)) if self.relative else self.allowed
        return 0 if abs(one - other) * self.scale <= allowed else 1 if one > other else -1

    def signs(self, model: int, rivals: Sequence[int]) -> list[int]:
        """Return the signs of a model over rivals; without a tolerance they are compared as numbers are."""
        one = self.values[model]
        if self.allowed or one is None:
            return [self.sign(model, rival) for rival in rivals]
        others = [self.values[rival] for rival in rivals]
        return [0 if other is None else (one > other) - (one < other) for other in others]

    def places(self, models: Sequence[int]) -> list[int | None] | None:
        """Return which place each model has, from the worst up; None with a tolerance, which makes no places."""
        values = [self.values[model] for model in models]
        at = {value: place for place, value in enumerate(sorted({one for one in values if one is not None}))}
        return None if self.allowed else [None if one is None else at[one] for one in values]


class Table(NamedTuple):
    """Columns by task; of a table that was read, also what is declared about it."""

    models: tuple[str, ...]
    columns: Mapping[str, Column]
    weights: Mapping[str, Fraction] = {}
    groups: Mapping[str, tuple[str, ...]] = {}
    left_out: tuple[str, ...] = ()
    has_errors: bool = False

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.columns)

    def rivals(self, model: str) -> tuple[str, ...]:
        """Return all models but one."""
        return tuple(one for one in self.models if one != model)

    def rows(self, model: str, rivals: Sequence[str]) -> list[list[int]]:
        """Return G, the signs of a model over each rival on each task."""
        at = {name: place for place, name in enumerate(self.models)}
        own, others = at[model], [at[rival] for rival in rivals]
        return [list(row) for row in zip(*(column.signs(own, others) for column in self.columns.values()), strict=True)]


class Reading(NamedTuple):
    """Which columns of a table name its models, count downwards, and are left out, as a document says it.

    So are rows that sum up the others, and those without any score.
    """

    key: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    repeats: bool = False
    transposed: bool = False
    models: int = 0
    summaries: tuple[str, ...] = ()
    tasks: frozenset[str] = frozenset()
    line: str = ""

    def models_of(self, rows: dict[str, Any], tasks: Sequence[str]) -> dict[str, Any]:
        """Return the rows that are models; a reading of other tasks, or another number of models, is false."""
        if not self.key:
            return rows
        left_out = {*self.summaries, *(row for row, cells in rows.items() if not any(one is not None for one in cells))}
        held = {row: cells for row, cells in rows.items() if row not in left_out}
        models = len(held)
        ensure(self.tasks == {*tasks}, "its reading has the tasks of the table")
        ensure(self.models == models, f"its reading has the {models} models of the table that have a score")
        counts = (f"{count} {word}{'s' * (count != 1)}" for count, word in ((models, "model"), (len(tasks), "task")))
        ensure(f": {', '.join(counts)}" in self.line, "the line of its reading counts the models and tasks")
        return held

    def applied(self, declared: Declared, header: Sequence[str]) -> Declared:
        """Return the declarations of a table with a header together with what the document says of its columns."""
        if not (self.key or self.transposed):
            return declared
        if self.transposed or self.repeats or len(self.key) > 1:
            refuse("the table is not plain: 'weightlab convert FILE table.csv' writes one that is read here")
        there = set(header)
        known = set(declared.drop)
        return declared._replace(
            key=self.key[0] if self.key and self.key[0] in there else "",
            lower=tuple(dict.fromkeys((*declared.lower, *(one for one in self.lower if one in there - known)))),
            drop=tuple(dict.fromkeys((*declared.drop, *(one for one in self.drop if one in there)))),
        )


class Declared(NamedTuple):
    """What is declared about a table."""

    lower: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    weights: Mapping[str, Fraction] = {}
    groups: Mapping[str, tuple[str, ...]] = {}
    tolerance: Fraction | Mapping[str, Fraction] = ZERO
    relative_tolerance: Fraction | Mapping[str, Fraction] = ZERO
    complete: bool | None = None
    key: str | None = None
    from_file: bool = False

    def __str__(self) -> str:
        """Say what was applied."""
        named = ", ".join(f"{task}={weight}" for task, weight in self.weights.items())
        said: dict[str, object] = {f"lower is better on {', '.join(self.lower)}": self.lower}
        said |= {f"columns left out: {', '.join(self.drop)}": self.drop, f"weights {named}": named}
        said |= {"models that lack a score left out": self.complete}
        said |= {"scores tie within a tolerance": self.tolerance or self.relative_tolerance}
        applied = "; ".join(text for text, is_said in said.items() if is_said)
        return applied or "nothing: higher is better everywhere, all weights are 1"

    def column(self, task: str, scores: Sequence[Fraction | None]) -> Column:
        """Return the column of a task."""
        values, unit = whole(one or ZERO for one in scores)
        sense = -1 if task in self.lower else 1
        given = [None if score is None else sense * value for score, value in zip(scores, values, strict=True)]
        both = (self.tolerance, self.relative_tolerance)
        limit, share = (one.get(task, ZERO) if isinstance(one, Mapping) else one for one in both)
        if share:
            return Column(given, share.numerator, share.denominator, relative=True, unit=unit, tolerance=share)
        return Column(given, math.floor(limit * unit), unit=unit, tolerance=limit)


def read_table(text: str, given: Declared, reading: Reading) -> tuple[Table, Declared]:
    """Return the table of a comma-separated text, and what was applied.

    The models stand in the column that a document says, or in the column ``model``, else in the first.

    The column ``acc_stderr`` beside ``acc`` holds standard errors and is not a task.
    """
    try:
        records = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if any(map(str.strip, row))]
    except csv.Error as error:
        refuse(f"the table is not comma-separated: {error}")
    if not records or any(len(row) != len(records[0]) for row in records):
        refuse("the table needs one header row, and as many cells in each row as in the header")
    header, *rows = records
    header = [*map(plain_name, header)]
    if {"model_a", "model_b", "winner"} <= set(header):
        refuse("the table is one of votes, which is not read here")
    declared = reading.applied(given, header)
    names = [name for name in header if name not in declared.drop]
    for name in (*declared.lower, *declared.weights, *declared.drop):
        if name not in (header if name in declared.drop else names):
            refuse(f"the table has no column {name!r}")
    if len(names) < 2 or len(set(names)) < len(names):
        refuse("the table needs a column of models and columns of scores, each with a name of its own")
    first = declared.key if declared.key is not None else "model" if "model" in names else names[0]
    stems = set(header) - {first}
    tasks = [one for one in names if one != first and one.removesuffix("_stderr") not in stems - {one}]
    if not all(map(str.strip, tasks)):
        refuse("a column of the table has no name; --drop leaves out columns that have one")
    at = {name: header.index(name) for name in names}
    called = [plain_name(row[at[first]]) for row in rows]
    scores = {
        name: [cell(row[at[task]], f"{name} on {task}") for task in tasks]
        for name, row in zip(called, rows, strict=True)
    }
    if len(scores) < len(rows):
        refuse("two rows of the table have the same model")
    scores = reading.models_of(scores, tasks)
    kept = {model: own for model, own in scores.items() if not declared.complete or None not in own}
    columns = {task: declared.column(task, [own[place] for own in kept.values()]) for place, task in enumerate(tasks)}
    weights = {task: declared.weights.get(task, ONE) for task in tasks}
    if min(weights.values()) < 0 or not any(weights.values()):
        refuse("weights must not be negative, nor all 0")
    left_out = tuple(one for one in called if one not in kept)
    return Table(tuple(kept), columns, weights, declared.groups, left_out, len(tasks) < len(names) - 1), declared


def plain_name(name: str) -> str:
    """Return the name of a model without blanks around it, in Unicode's composed form, no-break spaces as blanks."""
    linked = r"(?<!!)\[([^\[\]]*+)\]\((?:[^()]|\([^()]*+\))*+\)|<a\s[^<>]*+>([^<>]*+)</a>"
    plain = re.sub(linked, r"\1\2", name).strip(" \t")
    bold = re.fullmatch(r"\*\*((?:\\\*|(?!\*\*).)++)\*\*", plain, re.DOTALL)
    plain = bold[1].replace("\\*", "*") if bold else plain
    return unicodedata.normalize("NFC", plain.replace("\u00a0", " ")).strip(" \t")


def cell(text: str, what: str) -> Fraction | None:
    """Return a score, None where it is missing."""
    return None if text.strip().casefold() in MISSING else decimal(text.strip(), what)


def ensure_names(what: str, claimed: Sequence[str], table: Sequence[str]) -> None:
    """Ensure that a claim is about all that the table has, and nothing else."""
    for here, there, where in ((claimed, set(table), "not in"), (table, set(claimed), "only in")):
        for name in here:
            ensure(name in there, f"the {what} {name!r} is {where} the table")
    ensure(len(claimed) == len(table), f"a {what} is named twice")


def ensure_signs(table: Table | None, pairs: Iterable[Any], tasks: Sequence[str], signs: Iterable[Any]) -> None:
    """Ensure that signs, a row for a model over a rival, are those of a table, worked out again."""
    if table is None:
        return
    ensure_names("task", tasks, table.tasks)
    at = {name: place for place, name in enumerate(table.models)}
    for (model, rival), row in zip(pairs, signs, strict=True):
        ensure(model in at and rival in at, f"the model {model!r} or {rival!r} is not in the table")
        for task, claimed in zip(tasks, row, strict=True):
            found, where = table.columns[task].sign(at[model], at[rival]), f"{model!r} over {rival!r} on {task!r}"
            ensure(found == claimed, f"the sign of {where} is {found} in the table, not {claimed}")


class Points(NamedTuple):
    """Points of all models by task, as integers over a unit."""

    models: tuple[str, ...]
    numbers: Rows
    unit: int

    def rivals(self, model: str) -> tuple[str, ...]:
        """Return all models but one."""
        return tuple(one for one in self.models if one != model)

    def rows(self, model: str, rivals: Sequence[str]) -> list[list[int]]:
        """Return G, by how much a model's points are above those of each rival on each task."""
        named = dict(zip(self.models, self.numbers, strict=True))
        return [[a - b for a, b in zip(named[model], named[rival], strict=True)] for rival in rivals]


class PointRule(NamedTuple):
    """The mean, or a rule by the points of places, and what tied models and missing scores get."""

    name: str
    ties: str
    missing: str
    places: tuple[Fraction, ...]

    def points(self, scores: Sequence[int | None]) -> list[Fraction]:
        """Return the points for scores on one task, greater being better; those missing tie for the last places."""
        found = [ZERO] * len(scores)
        ordered = sorted(range(len(scores)), key=lambda one: (scores[one] is None, -(scores[one] or 0)))
        start = 0
        while start < len(ordered):
            stop = start
            while stop < len(ordered) and scores[ordered[stop]] == scores[ordered[start]]:
                stop += 1
            worth = self.places[start:stop]
            own = {"min": worth[0], "max": worth[-1], "average": total(worth) / (stop - start)}[self.ties]
            for one in ordered[start:stop]:
                found[one] = own
            start = stop
        return found

    def ensure_points(self, task: str, column: Column, claimed: Sequence[Fraction]) -> None:
        """Ensure that the points of a task are those that the rule gives for its scores in the table."""
        scores = column.values
        ensure(self.missing == "last" or None not in scores, f"{task!r} has a missing score in the table")
        ensure(self.name in OF_SCORES or not column.allowed, f"scores tie within a tolerance on {task!r} in the table")
        given = on_scale([Fraction(one or 0, column.unit) for one in scores], self.name) or self.points(scores)
        ensure(given == list(claimed), f"the points on {task!r} are not those that {self.name} gives for the table")


OF_SCORES = ("mean", "mean:scaled=range", "mean:scaled=z")


def on_scale(scores: Sequence[Fraction], rule: str) -> list[Fraction]:
    """Return the contribution of scores on one task to a mean; nothing by other rules.

    On a scale of the task's own they go from 0 to 1, or are distances from the mean in standard deviations, which are
    rounded to 12 significant digits.
    """
    if rule not in OF_SCORES[1:]:
        return list(scores) if rule == "mean" else []
    zero, width = min(scores), max(scores) - min(scores)
    if rule == OF_SCORES[2] and width:
        zero = total(scores) / len(scores)
        square, step = total([(one - zero) ** 2 for one in scores]) / len(scores), ONE
        while square / step**2 >= 10**24:
            step *= 10
        while square / step**2 < 10**22:
            step /= 10
        width = (math.isqrt(4 * square // step**2) + 1) // 2 * step
    return [(one - zero) / width if width else ZERO for one in scores]


class Duels(NamedTuple):
    """A model's rows over its rivals: signs, or differences of points over a unit; and by what they were written."""

    model: str
    rivals: tuple[str, ...]
    signs: Rows
    unit: int = 1
    by: str = "Head-to-head"
    rule: str = ""


def read_rule_of_points(rule: Part, models: int) -> PointRule | None:
    """Return the rule of points; None for the majority."""
    name, ties, missing, vector = rule.parts("name ties missing vector")
    known = ("majority", *OF_SCORES, "borda", "dowdall", "plurality", "veto", "scoring")
    ensure(name.value in known, f"no linear rule {shown(name.value)}")
    ensure(ties.value in ("average", "min", "max"), f"ties cannot be {shown(ties.value)}")
    ensure(missing.value in ("error", "last"), f"missing scores cannot be {shown(missing.value)}")
    if name.value in known[:4]:
        ensure((ties.value, missing.value) == ("average", "error"), f"{name.value} knows no places")
    places = places_worth(name.of(str), vector, models)
    return None if name.value == "majority" else PointRule(name.value, ties.value, missing.value, tuple(places))


def read_points(rule: Part, document: Part, tasks: Sequence[str], table: Table | None) -> Points:
    """Return points, ensuring that they are by the rule, and those of a table."""
    named, columns, numbers, under = document.parts("models tasks numerators denominator")
    models, unit = named.names(), under.integer()
    ensure(len(models) > 1 and unit > 0, "points need two models or more, and a positive denominator")
    ensure(columns.all_of(str) == tuple(tasks), "the points are about other tasks, or in another order")
    rows = [[one.integer() for one in row.items()] for row in numbers.items()]
    fits = len(rows) == len(models) and all(len(row) == len(tasks) for row in rows)
    ensure(fits, "the points do not fit models and tasks")
    by = read_rule_of_points(rule, len(models)) or refuse("majorities are read off signs")
    if table is not None:
        ensure_names("task", tasks, table.tasks)
        ensure_names("model", models, table.models)
    for place, task in enumerate(tasks):
        own = [row[place] for row in rows]
        claimed = [Fraction(one, unit) for one in own]
        if by.name not in OF_SCORES:
            ensure(by.points(own) == claimed, f"the points on {task!r} are not by the rule {by.name}")
        if table is not None:
            column = table.columns[task]
            at = [table.models.index(one) for one in models]
            by.ensure_points(task, column._replace(values=[column.values[one] for one in at]), claimed)
    return Points(models, rows, unit)


RULES = {"mean": "by average", "scoring": "by a rule of points"} | {
    name: f"by {name.title()}" for name in ("borda", "copeland", "dowdall", "minimax", "plurality", "veto")
}


def by_rule(name: Any) -> str:
    """Return a rule as a sentence names it."""
    called = shown(name).strip("'")
    if called in ("majority", "condorcet"):
        return "head-to-head"
    return RULES.get(called, f"by {called}").replace("_", " ")


def name_of_rule(rule: Part) -> str:
    """Return how a sentence about a rule begins."""
    told = by_rule(rule.of(dict).get("name"))
    return f"{told[:1].upper()}{told[1:]}"


def read_rows(
    model: Part, rivals: Sequence[str], by: Sequence[Part], tasks: Sequence[str], table: Table | None
) -> Duels:
    """Return the rows of a model over its rivals by a rule; ``by`` are the rule, signs and points."""
    rule, signs, points = by
    ensure((signs.value is None) != (points.value is None), "there must be signs or points, and not both")
    if points.value is None:
        ensure(read_rule_of_points(rule, 2) is None, "all rules but the majority are read off points")
        found = read_duels(model, rivals, signs, tasks, table)
    else:
        given = read_points(rule, points, tasks, table)
        ensure(model.of(str) in given.models, f"{model.value!r} is not among the models")
        ensure(given.rivals(model.value) == tuple(rivals), "the rivals are not those of the points, in order")
        found = Duels(model.value, tuple(rivals), given.rows(model.value, rivals), given.unit)
    return found._replace(by=name_of_rule(rule), rule=json.dumps(rule.value, sort_keys=True))


def read_duels(model: Part, rivals: Sequence[str], written: Part, tasks: Sequence[str], table: Table | None) -> Duels:
    """Return the signs of a model over its rivals, which are all the others of the table."""
    ensure(rivals and len(set(rivals)) == len(rivals), "the rivals must be some, each with a name of its own")
    ensure(model.of(str) not in rivals, f"{model.value!r} is among its own rivals")
    signs = written.signs(len(rivals), len(tasks))
    ensure_signs(table, [(model.value, rival) for rival in rivals], tasks, signs)
    if table is not None:
        ensure_names("model", [model.value, *rivals], table.models)
    return Duels(model.value, tuple(rivals), signs)


def read_signs(document: Part, table: Table | None) -> Table:
    """Return the columns that a document carries of all models, ensuring that their signs are the table's."""
    named, columns = document.parts("models places")
    models = named.names()
    if len(models) < 2:
        refuse("there must be two models or more")
    own = Table(models, {task: read_column(one, len(models)) for task, one in columns.entries().items()})
    Part(list(own.columns), "tasks").names()
    if table is not None:
        ensure_names("task", own.tasks, table.tasks)
        ensure_names("model", models, table.models)
        at = {name: place for place, name in enumerate(table.models)}
        here, there = range(len(models)), [at[model] for model in models]
        # The same places make the same signs; a difference is then looked for pair by pair.
        same = (
            (mine := column.places(here)) is not None and mine == table.columns[task].places(there)
            for task, column in own.columns.items()
        )
        if not all(same):
            pairs = [(i, j) for i in here for j in range(i)]
            rows = ([column.sign(i, j) for column in own.columns.values()] for i, j in pairs)
            ensure_signs(table, ((models[i], models[j]) for i, j in pairs), own.tasks, rows)
    return own


def read_column(document: Part, count: int) -> Column:
    """Return a column: places from the worst, 1, up; or scores that tie within a tolerance."""
    if isinstance(document.value, dict):
        values, allowed, scale, relative = document.parts("values allowed scale relative")
        made = Column(values.of(list), allowed.integer(), scale.integer(), relative.of(bool))
        fits = made.allowed >= 0 and made.scale >= 1
    else:
        made = Column(document.of(list))
        fits = all(type(one) is not int or 1 <= one <= count for one in made.values)
    if not fits or len(made.values) != count or any(one is not None and type(one) is not int for one in made.values):
        refuse(f"{document.what}: a place from 1 to {count} a model is needed, or scores and how far they tie")
    return made


# 4. Spaces of weights: not negative, sum to 1, and meet linear conditions --------------------------------------------

RELATIONS = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}
NORMS = ("l1", "linf")


class Condition(NamedTuple):
    """A sum of weights against a bound, a distance (``l1``, ``linf``, ``relative``) from weights, or proportions."""

    form: str
    tasks: Mapping[str, Fraction]
    relation: str
    bound: Fraction

    def __str__(self) -> str:
        """Say the condition with its numbers."""
        if self.form == "sum":
            terms = " + ".join(f"{value} {task!r}" for task, value in self.tasks.items())
            return f"{terms or 0} {self.relation} {self.bound}"
        named = ", ".join(f"{task!r} {value}" for task, value in self.tasks.items())
        return f"{named} in proportion" if self.form == "=" else f"within {self.bound} ({self.form}) of {named}"

    def holds(self, weights: Mapping[str, Fraction]) -> bool:
        """Return whether weights satisfy it."""
        own = [weights[task] for task in self.tasks]
        if self.form in NORMS:
            return distance(self.form, own, list(self.tasks.values())) <= self.bound
        pairs = list(zip(own, self.tasks.values(), strict=True))
        if self.form == "relative":
            return all(abs(weight - share) <= self.bound * share for weight, share in pairs)
        if self.form == "=":
            together = total(own)
            return all(weight == together * share for weight, share in pairs)
        return bool(RELATIONS[self.relation](total(weight * value for weight, value in pairs), self.bound))

    def support(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return an upper bound on vector.w for w that sum to 1 and meet the condition: its support function.

        A sum bounds its multiples. Proportions fix the value of vectors that are 0 at them. Within a distance of the
        centre the vector is worth what it is there, and the distance times: for the sum of changes half of what the
        greatest entry is above the least, as half of the distance goes from there to here; for the largest change the
        sum of what entries are away from any number, as the changes sum to 0; least at a median, weighed with the
        centre where changes are parts of it.
        """
        if self.form == "sum":
            factor = next((vector.get(task, ZERO) / value for task, value in self.tasks.items()), ZERO)
            fits = all(vector.get(task, ZERO) == factor * value for task, value in self.tasks.items())
            ensure(fits and not any(vector.keys() - self.tasks.keys()), f"a vector is no multiple of {self}")
            allowed = self.relation == "=" or (factor >= 0 if self.relation == "<=" else factor <= 0)
            ensure(allowed, f"the multiplier of {self} has the wrong sign: {factor}")
            return factor * self.bound
        ensure(vector.keys() <= self.tasks.keys(), f"a vector of {self} is about other tasks")
        middle = total(value * self.tasks[task] for task, value in vector.items())
        if self.form == "=":
            ensure(middle == 0, f"a vector is not at right angles to {self}")
            return ZERO
        entries = [vector.get(task, ZERO) for task in self.tasks]
        if self.form == "l1":
            return middle + self.bound * (max(entries) - min(entries)) / 2
        rooms = list(self.tasks.values()) if self.form == "relative" else [ONE] * len(entries)
        return middle + self.bound * spread(entries, rooms)

    def is_empty(self, tasks: Sequence[str]) -> bool:
        """Return whether it alone leaves no weights: a sum lies between its minimum and maximum coefficient."""
        if self.form != "sum":
            return self.bound < 0
        ends = [self.tasks.get(task, ZERO) for task in tasks]
        least, most = min(ends), max(ends)
        return (self.relation != "<=" and most < self.bound) or (self.relation != ">=" and least > self.bound)


def spread(entries: Numbers, rooms: Numbers) -> Fraction:
    """Return how far entries lie, in sum and weighed with rooms, from the number from which that is least.

    The sum is convex and piecewise linear in the number, so it is least where that is an entry, a weighted median.
    """
    pairs = sorted(zip(entries, rooms, strict=True))
    half, passed = total(rooms) / 2, ZERO
    for entry, room in pairs:
        passed += room
        if passed >= half:
            return total(abs(one - entry) * weight for one, weight in pairs)
    return ZERO


def distance(norm: str, weights: Numbers, centre: Numbers) -> Fraction:
    """Return how far two weightings are apart: the sum of all changes, or the largest."""
    changes = [abs(one - other) for one, other in zip(weights, centre, strict=True)]
    return total(changes) if norm == "l1" else max(changes)


class Space(NamedTuple):
    """All weights of some tasks that meet all conditions."""

    tasks: tuple[str, ...]
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        """Say the conditions in a sentence that follows a claim, if there are any."""
        return f" Conditions: {'; '.join(map(str, self.conditions))}." if self.conditions else ""

    def with_condition(self, condition: Condition) -> Space:
        """Return the space with one more condition; one that it has already changes nothing."""
        return self if condition in self.conditions else Space(self.tasks, (*self.conditions, condition))

    def vectors(self, document: Part) -> Vectors:
        """Return a vector for each condition, by task; of those whose entries are 0 may be left out."""
        ensure(len(document.of(list)) == len(self.conditions), "there must be one vector per condition")
        return [one.fractions() for one in document.items()]

    def weights(self, document: Part) -> list[Fraction]:
        """Return weights of the space, where those that are 0 may be left out."""
        weights = document.among(self.tasks)
        check_weights(self, weights)
        return weights


def read_space(document: Part, tasks: Sequence[str] | None = None) -> Space:
    """Return a space, of just these tasks where they are known."""
    named, conditions = document.parts("tasks conditions")
    space = Space(named.names())
    ensure(tasks is None or space.tasks == tasks, "the tasks of the space are not those of the signs, in order")
    for one in conditions.items():
        space = space.with_condition(read_condition(one, space.tasks))
    return space


def read_condition(document: Part, tasks: Sequence[str]) -> Condition:
    """Return a condition on the weights of these tasks, in one of its three forms."""
    if "norm" in document.of(dict):
        form, radius, named = document.parts("norm radius centre")
        condition = Condition(form.of(str), named.fractions(), "<=", radius.fraction())
        if form.value not in {*NORMS, "relative"} or len(condition.tasks) < len(tasks):
            refuse("a distance is by the norm l1, linf or relative, from weights of all tasks")
    elif "shares" in document.value:
        condition = Condition("=", document.parts("shares")[0].fractions(), "=", ZERO)
    else:
        named, relation, bound = document.parts("tasks relation bound")
        condition = Condition("sum", named.fractions(), relation.of(str), bound.fraction())
        if relation.value not in RELATIONS or not all(condition.tasks.values()):
            refuse("a condition has a coefficient of 0 or no relation")
    if condition.tasks.keys() - set(tasks):
        refuse("a condition names what is not a task of its space")
    if condition.form != "sum" and not is_weighting(condition.tasks.values()):
        refuse("the weights of a condition must be some, not negative, and sum to 1")
    if condition.is_empty(tasks):
        refuse("a condition leaves no weights by itself")
    # In the order of the tasks of the space, so that conditions that say the same are the same.
    return condition._replace(tasks={task: condition.tasks[task] for task in tasks if task in condition.tasks})


def is_weighting(shares: Iterable[Fraction]) -> bool:
    """Return whether there are shares, none negative, that sum to 1."""
    listed = list(shares)
    return bool(listed) and min(listed) >= 0 and total(listed) == 1


def check_weights(space: Space, weights: Numbers) -> None:
    """Ensure that weights are not negative, sum to 1, and meet all conditions of a space."""
    named = dict(zip(space.tasks, weights, strict=True))
    for task, weight in named.items():
        ensure(weight >= 0, f"the weight of {task!r} is negative: {weight}")
    ensure(total(weights) == 1, f"the weights sum to {total(weights)}, not to 1")
    for condition in space.conditions:
        ensure(condition.holds(named), f"the weights do not meet the condition {condition}")


def check_leads(duels: Duels, weights: Numbers, least: Fraction) -> Fraction:
    """Ensure that every lead is at least this; return the least one."""
    found = leads(duels.signs, weights)
    for name, lead in zip(duels.rivals, found, strict=True):
        ensure(lead >= least, f"the lead over {name!r} is {lead}, below {least}")
    return min(found)


def check_today(table: Table | None, tasks: Sequence[str], weights: Numbers) -> None:
    """Ensure that weights are shares, and today's of the table."""
    check_weights(Space(tuple(tasks)), weights)
    if table is not None:
        together = total(table.weights.values())
        for task, weight in zip(tasks, weights, strict=True):
            own = table.weights[task] / together
            ensure(weight == own, f"today's weight of {task!r} is {own} in the table, not {weight}")


# 5. The dual certificate ---------------------------------------------------------------------------------------------


Won = tuple[Rows, Numbers, Fraction]


def left_by(space: Space, vectors: Vectors) -> tuple[list[Fraction], Fraction]:
    """Return the remainder of vectors at each task, and the sum of their conditions: -sum a and sum h(a)."""
    taken: dict[str, list[Fraction]] = {task: [] for task in space.tasks}
    right = []
    for condition, vector in zip(space.conditions, vectors, strict=True):
        right.append(condition.support(vector))
        for task, value in vector.items():
            taken[task].append(-value)
    return [total(own) for own in taken.values()], total(right)


def most(space: Space, vectors: Vectors, costs: Numbers = (), won: Won = ((), (), ZERO)) -> Fraction:
    """Return an upper bound on costs.w for allowed w with a minimum lead in every row; ``won`` are G, z and least.

    The theorem behind every "no weights do better". Each row G has z.(G w - least) >= 0 to spare, each condition
    h(a) - a.w >= 0, h being its support function. Adding both to the objective makes it no smaller, and what is left is
    linear: (c + z G - sum a).w + sum h(a) - least sum z. Since w is a mixture of the tasks, the greatest entry bounds
    the first part. With c = 0 and shares z that sum to 1 no weights lead by more in all rows; with c = 0, no rows and a
    bound below 0 there are no weights.
    """
    rows, shares, least = won
    ensure(min(shares, default=ZERO) >= 0, "the share of a row is negative")
    left, right = left_by(space, vectors)
    led = column_sums(rows, shares, len(space.tasks))
    entries = zip(costs or [ZERO] * len(led), led, left, strict=True)
    return max(map(sum, entries)) + right - least * total(shares)


def check_mixture(space: Space, signs: Rows, shares: Numbers, vectors: Vectors, bound: Fraction) -> None:
    """Ensure that no weights lead a mixture of the rows, hence all of the rows, by more than ``bound``."""
    ensure(total(shares) == 1, f"the shares of the blockers sum to {total(shares)}, not to 1")
    proved = most(space, vectors, (), (signs, shares, ZERO))
    ensure(proved == bound, f"the blockers prove a bound of {proved}, not {bound}")


# 6. Claims about weights ---------------------------------------------------------------------------------------------

# prospect, prospects, realisation: can a model win, can duels be won?

SAID = {"strict": "can win", "weak": "can tie at best", "never": "can never win"}
# Parts of every claim about one model by a linear rule: which, and its rows.
BY = "rule signs points"


def said_of(by: str) -> dict[str, str]:
    """Return the words of verdicts by a rule."""
    return SAID if by == "Head-to-head" else SAID | {"strict": "can be the only winner"}


# Parts of every claim that the widest margin of some duels lies between two bounds.
MARGIN = "verdict lower upper weights blockers vectors"


class Margin(NamedTuple):
    """Bounds of the widest margin that weights of a space give in all of some duels, and what they prove."""

    lower: Fraction
    upper: Fraction
    verdict: str
    open: tuple[str, ...] = ()


def check_margin(duels: Duels, space: Space, parts: Sequence[Part], shares: Numbers) -> Margin:
    """Check bounds of the largest t with G w >= t: weights attain the lower, a mixture of the rows proves the upper."""
    verdict, low, high, weighted, _, vectors = parts
    lower, upper, weights = low.fraction(), high.fraction(), space.weights(weighted)
    found = check_leads(duels, weights, lower * duels.unit) / duels.unit
    ensure(found == lower, f"the least lead is {found}, not {lower}")
    check_mixture(space, duels.signs, shares, space.vectors(vectors), upper * duels.unit)
    ensure(lower <= upper, f"the margin cannot lie between {lower} and {upper}")
    weak = lower == 0 == upper
    proved = "strict" if lower > 0 else "never" if upper < 0 else "weak" if weak else "nothing"
    said = f"the bounds {lower} and {upper} prove {proved!r}, not {shown(verdict.value)}"
    ensure(verdict.value == proved, said)
    return Margin(lower, upper, proved)


def check_prospect(document: Part, duels: Duels, space: Space) -> Margin:
    """Check a prospect; it must be about these pairs and this space."""
    kind, model, *by, spaced, fewest, verdict, low, high, weights, blockers, vectors = document.parts(
        f"kind model {BY} space fewest {MARGIN}"
    )
    parts = (verdict, low, high, weights, blockers, vectors)
    own = read_space(spaced)
    ensure(kind.of(str) == "prospect" and model.of(str) == duels.model, "a prospect is about another model")
    rule = json.dumps(by[0].value, sort_keys=True)
    ensure(rule == duels.rule, "a prospect is by another rule")
    again = read_rows(model, duels.rivals, by, own.tasks, None)
    ensure(
        list(map(list, again.signs)) == list(map(list, duels.signs)),
        "the signs or points of a prospect are not the table's",
    )
    ensure(again.unit == duels.unit, "a prospect counts points in other units")
    ensure(own[:2] == space[:2], "a prospect is about other weights than those that serve the objectives")
    found = check_margin(duels, own, parts, parts[4].along(duels.rivals))
    return found if fewest.value is None else found._replace(open=("how few rivals block",))


def prospect(document: Part, table: Table | None) -> Finding:
    """Check whether one model can win head-to-head."""
    _, model, *by, blockers, spaced, _fewest, _verdict, _low, _high, _weights, _vectors = document.parts(
        f"kind model {BY} blockers space fewest verdict lower upper weights vectors"
    )
    space = read_space(spaced)
    duels = read_rows(model, tuple(blockers.entries()), by, space.tasks, table)
    found = check_prospect(document, duels, space)
    said = f"its margin lies between {found.lower} and {found.upper}"
    return Finding(f"{duels.by}, {duels.model} {said_of(duels.by)[found.verdict]}; {said}.{space}", found.open)


def prospects(document: Part, table: Table | None) -> Finding:
    """Check whether each model can win head-to-head."""
    _, rule, written, pointed, spaced, weighted, listed = document.parts(f"kind {BY} space today prospects")
    space, verdicts = read_space(spaced), list[str]()
    board, by = read_board((rule, written, pointed), space, table), name_of_rule(rule)
    unit = board.unit if isinstance(board, Points) else 1
    if weighted.value is not None:
        check_today(table, space.tasks, weighted.among(space.tasks))
    entries = [one.parts(f"model {MARGIN}") for one in listed.items()]
    ensure([one[0].value for one in entries] == list(board.models), "there must be one prospect per model, in order")
    for model, *parts in entries:
        rivals = board.rivals(model.value)
        duels = Duels(model.value, rivals, board.rows(model.value, rivals), unit)
        try:
            verdicts.append(check_margin(duels, space, parts, parts[4].among(rivals)).verdict)
        except FalseClaimError as error:
            raise FalseClaimError(f"{model.value!r}: {error}") from None
    told = ", ".join(f"{verdicts.count(verdict)} {said}" for verdict, said in said_of(by).items())
    return Finding(f"{by}, of {len(entries)} models {told}.{space}")


def realisation(document: Part, table: Table | None) -> Finding:
    """Check the widest margin over some duels."""
    names = "kind verdict duels wanted margin weights blockers vectors signs space"
    _, verdict, listed, wanted, wide, weighted, mixed, vectors, written, spaced = document.parts(names)
    space, pairs = read_space(spaced), [one.all_of(str) for one in listed.items()]
    distinct = all(len(one) == 2 and one[0] != one[1] for one in pairs) and len(set(pairs)) == len(pairs)
    ensure(pairs and distinct, "the pairs must be distinct")
    ensure(wanted.fraction() >= 0, f"a lead of {shown(wanted.value)} is not a win")
    signs = written.signs(len(pairs), len(space.tasks))
    ensure_signs(table, pairs, space.tasks, signs)
    duels = Duels("", tuple(" over ".join(one) for one in pairs), signs)
    parts = [verdict, wide, wide, weighted, mixed, vectors]
    found = check_margin(duels, space, parts, mixed.listed(len(pairs)))
    return Finding(f"the greatest lead possible in all {len(pairs)} head-to-heads together is {found.lower}.{space}")


def contradiction(document: Part, table: Table | None) -> Finding:
    """Check that no weights meet some conditions together, and that none is superfluous.

    Farkas' lemma: for weights that met the conditions, nothing at all would be bounded by less than nothing.
    """
    _, spaced, vectors, gained, spared = document.parts("kind space vectors gap without")
    space = read_space(spaced)
    if table is not None:
        ensure_names("task", space.tasks, table.tasks)
    gap, count = gained.fraction(), len(space.conditions)
    bound = most(space, space.vectors(vectors))
    ensure(bound == -gap, f"the vectors prove that 0 is at least {-bound}, not {gap}")
    ensure(gap > 0, f"that 0 is at least {gap} is no contradiction")
    ensure(len(spared.of(list)) == count, "there must be weights for each condition left out")
    for place, one in enumerate(spared.items()):
        Space(space.tasks, space.conditions[:place] + space.conditions[place + 1 :]).weights(one)
    return Finding(f"no weights meet these {count} conditions together, and none of them is superfluous.{space}")


# geometric_prospect, majority_prospect, partial_prospects: rules that answer for one model at a time.

LONGEST = 10**8


def geometric_prospect(document: Part, table: Table | None) -> Finding:
    """Check whether a model can be first by the geometric mean: products of integer powers of scores are compared."""
    _, verdict, model, pointed, weighted, mixed = document.parts("kind verdict model points weights blockers")
    mean = Part({"name": "mean", "ties": "average", "missing": "error", "vector": None}, "rule")
    tasks = Part(pointed.of(dict).get("tasks"), "tasks").names()
    points = read_points(mean, pointed, tasks, table)
    weights, blockers = weighted.fractions(), mixed.fractions()
    ensure(bool(weights) != bool(blockers), "there must be weights or blockers, and not both")
    shares, names = (weights, tasks) if weights else (blockers, points.models)
    ensure(model.of(str) in points.models and model.value not in blockers, f"{model.value!r} is none of the models")
    fits = shares.keys() <= set(names) and min(shares.values()) > 0 and is_weighting(shares.values())
    ensure(fits, "the weights or blockers are no weighting")
    ensure(min(map(min, points.numbers)) >= 0, "a geometric mean needs scores that are not negative")
    powers, unit = whole(shares.get(name, ZERO) for name in names)
    if unit * max(map(max, points.numbers)).bit_length() > LONGEST:
        raise NotCheckedError("powers as long as these")
    own = points.numbers[points.models.index(model.value)]

    def product(numbers: Sequence[int]) -> int:
        return math.prod(one**power for one, power in zip(numbers, powers, strict=True) if power)

    if weights:
        led = [product(row) < product(own) for row in points.numbers if row is not own]
        ensure(all(led), f"{model.value!r} is not ahead of some rival under the weights")
    else:
        behind = [
            product([*column]) > at**unit for column, at in zip(zip(*points.numbers, strict=True), own, strict=True)
        ]
        ensure(all(behind), f"{model.value!r} is not below the blockers on some task")
    ensure(verdict.value == ("strict" if weights else "never"), f"the verdict is not {shown(verdict.value)}")
    return Finding(f"By geometric mean, {model.value} {'can be the only winner' if weights else 'can never win'}.")


def majority_prospect(document: Part, table: Table | None) -> Finding:
    """Check a model's lead by Copeland or minimax at some weights, and that none do more if a rival shows it."""
    _, verdict, model, rule, led, weighted, written, spaced, solver = document.parts(
        "kind verdict model rule lead weights signs space solver"
    )
    ensure(rule.value in ("copeland", "minimax"), f"there is no rule {shown(rule.value)}")
    board = read_signs(written, table)
    space = read_space(spaced, board.tasks)
    ensure(model.of(str) in board.models, f"{model.value!r} is not a model of the table")
    rows = {one: dict(zip(board.models, board.rows(one, board.models), strict=True)) for one in board.models}
    weights = space.weights(weighted)
    found = {one: leads([row for rival, row in rows[one].items() if rival != one], weights) for one in board.models}
    score = min if rule.value == "minimax" else lambda own: Fraction(sum(map(sign_of, own)))
    best = max(score(own) for one, own in found.items() if one != model.value)
    lead = score(found[model.value]) - best
    ensure(lead == led.fraction(), f"the lead under the weights is {lead}, not {led.value}")
    said = "strict" if lead > 0 else "weak" if lead == 0 else "never"
    ensure(verdict.value == said, f"the verdict is {said}, not {shown(verdict.value)}")
    exact = lead > 0 or any(
        is_no_worse(rows, rival, model.value, rule.value, ahead=lead < 0) for rival in board.rivals(model.value)
    )
    ensure(solver.value in (None, *SOLVERS), f"{shown(solver.value)} is not a solver")
    ensure((solver.value is None) == exact, "a solver is named where, and only where, its bound is relied on")
    told = f"By {rule.value}, {model.value} is ahead by {lead} under the weights"
    return Finding(f"{told}: {said}.{space}", () if exact else ("that no weights do better",))


def is_no_worse(rows: Mapping[str, Any], rival: str, model: str, rule: str, *, ahead: bool) -> bool:
    """Return whether a rival keeps a model from winning under all weights, or, being ahead, even from a tie.

    It is nowhere behind the model, nor behind it against any other: then it scores no less, whatever the weights. Ahead
    of it on every task it scores more; by minimax whatever the others do, as some model has no defeat on all tasks.
    """
    own, others = rows[rival][model], [one for one in rows if one not in (rival, model)]
    if min(own) < int(ahead):
        return False
    pairs = [(one, other) for rest in others for one, other in zip(rows[rival][rest], rows[model][rest], strict=True)]
    return (ahead and rule == "minimax") or all(one >= other for one, other in pairs)


def partial_prospects(document: Part, table: Table | None) -> Finding:
    """Check the verdicts that were proved, by a rule that answers for one model at a time."""
    _, verdicts, rule, named, listed, opened = document.parts("kind verdicts rule models prospects open")
    models, still_open = named.names(), opened.entries()
    checks = {"copeland": majority_prospect, "minimax": majority_prospect, "geometric_mean": geometric_prospect}
    ensure(rule.value in checks, f"no rule {shown(rule.value)} answers for each model")
    for one in still_open.values():
        ensure_text(one)
    found, unchecked = dict[str, Any](), list[str]()
    for one in listed.items():
        ensure(one.of(dict).get("kind") == checks[rule.value].__name__, "a prospect is by another rule")
        unchecked += checks[rule.value](one, table).open
        own = one.value["points" if rule.value == "geometric_mean" else "signs"]["models"]
        ensure(
            own == [*models] and one.value.get("rule", rule.value) == rule.value,
            "a prospect is about a model that is not asked about",
        )
        same = all(one.value.get(name) == listed.value[0].get(name) for name in ("signs", "points", "space"))
        ensure(same, "a prospect is of another table, or under other conditions")
        ensure(one.value["model"] not in found, "a model has two prospects")
        found[one.value["model"]] = one.value["verdict"]
    ensure([one for one in models if one not in still_open] == [*found], "each model has a proof, or is open")
    ensure(still_open.keys() <= set(models), "a model that is open is none of the table")
    ensure(verdicts.value == {one: found.get(one) for one in models}, "the verdicts are not those of the prospects")
    told = ", ".join(f"{[*found.values()].count(one)} {one}" for one in ("strict", "weak", "never"))
    told += f", {len(still_open)} open ({', '.join(still_open)})" if still_open else ""
    space = [read_space(Part(one["space"], "space")) for one in listed.value[:1] if "space" in one]
    told = f"By {rule.value.replace('_', ' ')}, of {len(models)} models {told}.{''.join(map(str, space))}"
    return Finding(told, tuple(dict.fromkeys(unchecked)))


# task_sets: the smallest sets of tasks on which weights win.


def own_bounds(condition: Condition, vector: Mapping[str, Fraction]) -> tuple[Fraction, dict[str, Fraction]]:
    """Return an upper bound on vector.w with bounds for each task, and how much lower it is where a task has no weight.

    A positive entry of a task without weight may as well be 0. Of the sum of changes what all tasks gain stays whole.
    """
    most_of, form = condition.support(vector), condition.form
    if form == "sum":
        ((task, coefficient), *rest) = condition.tasks.items() or [("", ZERO)]
        alone = not rest and condition.relation == "<=" and coefficient > 0 and condition.bound >= 0
        entry = vector.get(task, ZERO)
        return most_of, {task: entry * condition.bound / coefficient} if alone and entry > 0 else {}
    if form == "=":
        return most_of, {}
    centre = condition.tasks
    rooms = {
        one: condition.bound * (ONE if form == "linf" else share) * (form != "l1") for one, share in centre.items()
    }
    relief = {one: entry * (centre[one] + rooms[one]) for one, entry in vector.items() if entry > 0}
    low = total(entry * (centre[one] - rooms[one]) for one, entry in vector.items() if entry < 0)
    ends = [ZERO, *vector.values()]
    moved = condition.bound / 2 * (max(ends) - min(ends)) if form == "l1" else ZERO
    return low + moved + total(relief.values()), relief


def read_cut(document: Part, duels: Duels, space: Space, asked: tuple[Fraction, bool]) -> tuple[list[int], int]:
    """Return the sum required of tasks at winning weights: each task's part and the minimum.

    z.(G w - least) >= 0 and h(a) - a.w >= 0 add up to p.w >= r for all winning weights, so some task with p_j >= r must
    have weight. With a level, what p_j have above it, and bounds of tasks without weight, must in sum make up for r.
    """
    mixed, vectored, levelled = document.parts("mixture vectors level")
    places, shares = read_named(mixed, duels.rivals)
    vectors, (least, strict) = space.vectors(vectored), asked
    led = column_sums([duels.signs[place] for place in places], shares, len(space.tasks))
    totals = [one - total(own.get(task, ZERO) for own in vectors) for task, one in zip(space.tasks, led, strict=True)]
    needed, wins = least * total(shares), strict and least == 0 and bool(shares)
    pairs = list(zip(space.conditions, vectors, strict=True))
    if levelled.value is None:
        right = needed - total(condition.support(vector) for condition, vector in pairs)
        return [int(one > right if wins else one >= right) for one in totals], 1
    level, bounds = levelled.fraction(), [own_bounds(*pair) for pair in pairs]
    relief = [total(own.get(task, ZERO) for _, own in bounds) for task in space.tasks]
    needed += total(relief) - total(one for one, _ in bounds) - level
    ensure(needed > 0, "a cut asks for nothing")
    sums = [max(one - level, ZERO) + own for one, own in zip(totals, relief, strict=True)]
    above, unit = whole(min(one / needed, Fraction(2)) for one in sums)
    if unit > LARGEST_COEFFICIENT:  # rounded up, a cut excludes no set that should pass
        above, unit = [-(-one * LARGEST_COEFFICIENT // unit) for one in above], LARGEST_COEFFICIENT
    return [min(one, unit + wins) for one in above], unit + wins


LARGEST_COEFFICIENT, MOST_PARTIAL = 2**30, 20_000


def covers(cuts: Sequence[tuple[list[int], int]], width: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield all sets of at most this many columns that meet all cuts, except those that contain one already yielded."""
    waiting: list[tuple[tuple[int, ...], frozenset[int]]] = [((), frozenset(range(width)))]
    for _ in range(MOST_PARTIAL):
        if not waiting:
            return
        chosen, free = waiting.pop()
        lacking = [(row, least - sum(row[one] for one in chosen)) for row, least in cuts]
        unmet = [(row, left) for row, left in lacking if left > 0]
        rest = size - len(chosen)
        if not unmet:
            yield tuple(sorted(chosen))
        elif all(sum(sorted((row[one] for one in free), reverse=True)[:rest]) >= left for row, left in unmet):
            # Some column of an unmet cut must be in: each in turn, those before it left out.
            row = min((own for own, _ in unmet), key=lambda own: sum(own[one] > 0 for one in free))
            for one in sorted((one for one in free if row[one] > 0), key=lambda one: -row[one]):
                free -= {one}
                waiting.append(((*chosen, one), free))
    raise NotCheckedError("that no other set is as small (too many sets to search)")


def task_sets(document: Part, table: Table | None) -> Finding:
    """Check every smallest set of tasks on which some weights make a model win."""
    _, model, *by, spaced, found, against = document.parts(f"kind model {BY} space found rivals")
    space = read_space(spaced)
    duels = read_rows(model, against.all_of(str), by, space.tasks, table)
    names = "least strict size weights is_complete cuts proof solver tree"
    least, strict, size, listed, complete, cut, proof, solver, tree = found.parts(names)
    asked = (least.fraction(), strict.of(bool))
    ensure(asked[0] >= 0 and complete.of(bool), "the sets are not all that there are, or a margin is negative")
    supports = list[tuple[int, ...]]()
    for one in listed.items():
        weights = one.along(space.tasks)
        check_weights(space, weights)
        lead = check_leads(duels, weights, asked[0])
        ensure(lead > 0 or not asked[1], f"weights do not win: the least lead is {lead}")
        supports.append(tuple(place for place, weight in enumerate(weights) if weight))
    ensure(supports and len(set(supports)) == len(supports), "there is no set of tasks, or one occurs twice")
    ensure({*map(len, supports)} == {size.integer()}, f"the sets do not all have {size.value} tasks")
    cuts = [read_cut(one, duels, space, asked) for one in cut.items()]
    ensure(solver.value in (None, *SOLVERS), f"{shown(solver.value)} is not a solver")
    exact = solver.value is None
    ensure(
        proof.value == ("exact" if exact else "exact_witness") and (exact or tree.value is None), "the proof is another"
    )
    width, others = len(space.tasks), [[-int(one in own) for one in range(len(space.tasks))] for own in supports]
    if tree.value is not None:
        rows, needs = (
            [*(row for row, _ in cuts), *others],
            [*(need for _, need in cuts), *[1 - size.value] * len(others)],
        )
        check_tree(tree, rows, needs, [1] * width, ([0] * width, [1] * width), size.value + 1)
    elif exact:
        for own in covers(cuts, width, size.value):
            named = ", ".join(space.tasks[one] for one in own)
            ensure(len(own) == size.value and own in supports, f"no cut keeps {named} from doing it")
    wins = "win" if asked[1] else "be undefeated"
    few, many = (f"{one} {word}{'s' * (one != 1)}" for one, word in ((size.value, "task"), (len(supports), "set")))
    said = f"{duels.by}, {duels.model} needs {few} to {wins}, and can do so on {many}.{space}"
    return Finding(said, () if exact else ("that no other set is as small",))


# winning_region, map_of_winners: where a model is unbeaten, as a polytope, or as areas of a triangle of three weights.

Point = tuple[Fraction, ...]


def dot(row: Numbers | Sequence[int], point: Numbers) -> Fraction:
    """Return the sum of products."""
    return total(map(operator.mul, row, point))


def broken(space: Space, weights: Numbers) -> list[Fraction] | None:
    """Return a row with a.w >= 0 for all allowed weights, but not for these; None if they are allowed."""
    named = dict(zip(space.tasks, weights, strict=True))
    condition = next((one for one in space.conditions if not one.holds(named)), None)
    if condition is None:
        return None
    own, bound = condition.tasks, condition.bound
    if condition.form == "sum":
        over = total(named[task] * value for task, value in own.items()) > bound
        constant, row = (bound, {task: -one for task, one in own.items()}) if over else (-bound, own)
    elif condition.form == "=":
        together = total(named[task] for task in own)
        task, share = next((task, share) for task, share in own.items() if named[task] != together * share)
        sign = sign_of(named[task] - together * share)
        constant, row = ZERO, {one: sign * (share - (one == task)) for one in own}
    else:
        # A distance is the greatest of linear functions: here the one that is greatest at these weights.
        changes = {task: sign_of(named[task] - share) for task, share in own.items()}
        if condition.form != "l1":
            rooms = {task: bound * (share if condition.form == "relative" else ONE) for task, share in own.items()}
            task = max(own, key=lambda one: abs(named[one] - own[one]) - rooms[one])
            changes, bound = {task: changes[task]}, rooms[task]
        constant = bound + total(sign * own[task] for task, sign in changes.items())
        row = {task: Fraction(-sign) for task, sign in changes.items()}
    return [constant + row.get(task, ZERO) for task in space.tasks]


class Region(NamedTuple):
    """A polytope of weightings: its corners, and on which of its bounds each lies."""

    corners: list[Point]
    tight: list[frozenset[int]]

    def sides(self, face: frozenset[int]) -> list[frozenset[int]]:
        """Return the facets of a face, each as places of corners: the greatest sets that lie on a further bound."""
        bounds = frozenset[int]().union(*self.tight)
        found = {frozenset(one for one in face if bound in self.tight[one]) for bound in bounds} - {face, frozenset()}
        return [one for one in found if not any(one < other for other in found)]

    def simplices(self, face: frozenset[int]) -> Iterator[tuple[int, ...]]:
        """Yield simplices that fill a face: its first corner with those of the sides that it is not on."""
        first = min(face)
        if len(face) == 1:
            yield (first,)
        for side in self.sides(face) if len(face) > 1 else ():
            if first not in side:
                yield from ((first, *rest) for rest in self.simplices(side))

    def mass(self, columns: Sequence[int], powers: Sequence[int]) -> Fraction:
        """Return the integral of the weights to these powers, up to a factor that depends on the columns alone.

        With corners V_i and the dimension d its mean over a simplex, times (|n| + d)! / (d! prod n_c!), is the
        coefficient of t^n in prod_i 1 / (1 - t.V_i): Baldoni and others, How to integrate a polynomial over a simplex,
        2011, section 3.
        """
        found, terms = ZERO, exponents(powers)
        for steps, simplex in enumerate(self.simplices(frozenset(range(len(self.corners))))):
            if steps * len(terms) > MOST_STEPS // 100:
                raise NotCheckedError("the share of the region (too many simplices)")
            rays = [self.corners[one] for one in simplex]
            series = dict.fromkeys(terms, ZERO) | {(0,) * len(powers): ONE}
            for ray in rays:
                for term in terms:
                    lower = ((c, (*term[:c], one - 1, *term[c + 1 :])) for c, one in enumerate(term) if one)
                    series[term] += total(ray[c] * series[other] for c, other in lower)
            mean = series[tuple(powers)] * math.prod(map(math.factorial, powers)) * math.factorial(len(rays) - 1)
            size = abs(determinant([[ray[one] for one in columns] for ray in rays])[0])
            found += size * mean / math.factorial(sum(powers) + len(rays) - 1)
        return found


def exponents(powers: Sequence[int]) -> list[tuple[int, ...]]:
    """Return all tuples up to these, each after those that are nowhere above it."""
    found: list[tuple[int, ...]] = [()]
    for most_of in powers:
        found = [(*one, power) for one in found for power in range(most_of + 1)]
    return found


def region_of(width: int, cut: Callable[[Point], Numbers | None]) -> Region:
    """Return the weightings that no row cuts off, ``cut`` naming a row a with a.w >= 0 that a weighting does not meet.

    Double description (Motzkin and others, 1953): a row cuts off corners; the edges that it crosses end in new ones.
    Two corners have an edge between them where no third one lies on all bounds on which both lie.
    """
    units = [tuple(Fraction(one == other) for other in range(width)) for one in range(width)]
    tight = {unit: frozenset(range(width)) - {at} for at, unit in enumerate(units)}
    for number in range(width, MOST_STEPS):
        row = next((found for one in tight if (found := cut(one)) is not None), None)
        if row is None:
            return Region([*tight], [*tight.values()])
        if len(tight) > MOST_CORNERS:
            raise NotCheckedError("the region (too many corners)")
        values = {one: dot(row, one) for one in tight}
        left = {one: on | {number} if not values[one] else on for one, on in tight.items() if values[one] >= 0}
        for kept, lost in ((one, other) for one in tight for other in tight if values[one] > 0 > values[other]):
            common = tight[kept] & tight[lost]
            if not any(common <= on for one, on in tight.items() if one not in (kept, lost)):
                part = values[kept] / (values[kept] - values[lost])
                point = tuple(a + part * (b - a) for a, b in zip(kept, lost, strict=True))
                left[point] = common | {number}
        tight = left
    raise NotCheckedError("the region (too many bounds)")


MOST_CORNERS, REGION = 500, "space rivals corners unbeaten inmost"


def determinant(rows: Sequence[Numbers]) -> tuple[Fraction, list[int]]:
    """Return the determinant of a square matrix, and which columns of any matrix are not made of those before them."""
    left, found, pivots = [list(row) for row in rows], ONE, list[int]()
    for column in range(len(left[0])):
        place = next((one for one in range(len(pivots), len(left)) if left[one][column]), None)
        if place is None:
            found = ZERO
            continue
        step = len(pivots)
        found *= left[place][column] * (-1) ** (place != step)
        left[step], left[place] = left[place], left[step]
        for row in left[step + 1 :]:
            factor = row[column] / left[step][column]
            row[:] = [one - factor * other for one, other in zip(row, left[step], strict=True)]
        pivots.append(column)
    return found, pivots


def winning_region(document: Part, table: Table | None) -> Finding:
    """Check the weightings under which a model is unbeaten: all corners, their share of all, and the centre."""
    _, model, *by, spaced, against, cornered, shared, inmost = document.parts(f"kind model {BY} {REGION}")
    space = read_space(spaced)
    duels = read_rows(model, against.all_of(str), by, space.tasks, table)
    groups = alike(space, duels.signs)
    heads = [own[0] for own in groups]
    columns = {name: one.items() for name, one in cornered.entries().items()}
    due = [space.tasks[one] for one in heads]
    ensure({*columns} != {*due} or [*columns] == due, "corners with their tasks in another order")
    if [*columns] != due:
        raise NotCheckedError("corners over other classes of equal tasks than those found here")
    ensure(len({*map(len, columns.values())}) == 1, "each corner needs a weight of every class")
    listed = list(zip(*([one.fraction() for one in own] for own in columns.values()), strict=True))

    def spread(point: Point) -> list[Fraction]:
        at = dict(zip(heads, point, strict=True))
        return [at.get(place, ZERO) for place in range(len(space.tasks))]

    def allowed(point: Point) -> Numbers | None:
        row = broken(space, spread(point))
        return None if row is None else [row[one] for one in heads]

    def unbeaten(point: Point) -> Numbers | None:
        lost = next((row for row in duels.signs if dot(row, spread(point)) < 0), None)
        return allowed(point) if lost is None else [Fraction(lost[one]) for one in heads]

    region, everything = region_of(len(heads), unbeaten), region_of(len(heads), allowed)
    ensure(len(set(listed)) == len(listed) and {*listed} == {*region.corners}, "the corners of the region are others")
    unchecked = ["its share"] if shared.value is None else []
    if shared.value is not None:
        always = [any(one[at] for one in everything.corners) for at in range(len(heads))]
        powers = [(len(own) - 1) * int(one) for own, one in zip(groups, always, strict=True)]
        span = determinant(everything.corners)[1]
        full = len(determinant(region.corners)[1]) == len(span)
        share = region.mass(span, powers) / everything.mass(span, powers) if full else ZERO
        ensure(share == shared.fraction(), f"the share is {share}, not {shared.value}")
    unchecked += check_centre(inmost, region, groups, duels, space)
    said = (
        f"{duels.by}, {duels.model} is unbeaten under {shared.value} of weightings, with {len(listed)} corners.{space}"
    )
    return Finding(said, tuple(unchecked))


def alike(space: Space, rows: Rows) -> list[list[int]]:
    """Return the places of tasks that all rows and conditions treat alike, together, in the order of their first."""
    found = dict[Any, list[int]]()
    for place, task in enumerate(space.tasks):
        key: list[Any] = [row[place] for row in rows]
        for one in space.conditions:
            own = one.tasks.get(task, ZERO)
            sides = [one.bound - own] * (one.relation != ">=") + [own - one.bound] * (one.relation != "<=")
            ends = [one.tasks.get(other, ZERO) for other in space.tasks]
            rows_of = [one.bound - max(ends)] * (one.relation != ">=") + [min(ends) - one.bound] * (
                one.relation != "<="
            )
            # A row without a negative entry bounds nothing.
            kept = [side for side, least in zip(sides, rows_of, strict=True) if least < 0]
            key += kept if one.form == "sum" else [place if task in one.tasks else -1]
        found.setdefault(tuple(key), []).append(place)
    return list(found.values())


def check_centre(
    document: Part, region: Region, groups: Sequence[Sequence[int]], duels: Duels, space: Space
) -> list[str]:
    """Check how much weight can be moved from a weighting before a bound is met, and that no other leaves more room.

    Moving a share t of the weight changes a row by t times its range at most: so its value over its range is the room.
    """
    weighted, radius, mixed, vectored = document.parts("weights radius blockers vectors")
    weights, room = weighted.along(space.tasks), radius.fraction()
    check_weights(space, weights)
    check_leads(duels, weights, ZERO)
    has_room = [any(corner[at] for corner in region.corners) for at in range(len(groups))]
    if len(region.corners) == 1 and all(len(own) == 1 for own, one in zip(groups, has_room, strict=True) if one):
        ensure(room == 0 and not mixed.of(dict) and not vectored.of(list), "a single weighting leaves no room")
        return []
    if any(one.form != "sum" for one in space.conditions):
        return ["the room around its centre"]
    sides, cut = sides_of(region, groups, duels, space)
    scaled = [[one / (max(row) - min(row)) for one in row] for _, row in sides]
    given = mixed.fractions()
    fits = len(given) == len(sides) and all(name.startswith(own) for name, (own, _) in zip(given, sides, strict=True))
    ensure(fits, "the bounds around the centre are others")
    found, width = min(leads_of(scaled, weights)), len(space.tasks)
    ensure(found == room, f"the centre has {found} of room, not {room}")
    flat, unit = whole(one for row in scaled for one in row)
    rows = [flat[at * width : (at + 1) * width] for at in range(len(scaled))]
    check_mixture(cut, rows, list(given.values()), cut.vectors(vectored), room * unit)
    return []


def sides_of(
    region: Region, groups: Sequence[Sequence[int]], duels: Duels, space: Space
) -> tuple[list[tuple[str, list[Fraction]]], Space]:
    """Return the bounds of a region that leave room, named, and the space with the duels that are tied all over it."""

    def is_loose(row: Sequence[Any]) -> bool:
        return any(dot([row[own[0]] for own in groups], corner) for corner in region.corners)

    sides, cut, width = list[tuple[str, list[Fraction]]](), space, len(space.tasks)
    for rival, signs in zip(duels.rivals, duels.signs, strict=True):
        if is_loose(signs):
            sides.append((f"duel: {rival}", [Fraction(one) for one in signs]))
        else:
            tied = {task: Fraction(one) for task, one in zip(space.tasks, signs, strict=True) if one}
            cut = cut.with_condition(Condition("sum", tied, ">=", ZERO))
    for at, places in enumerate(groups):
        for place in places if any(corner[at] for corner in region.corners) else ():
            sides.append((f"task: {space.tasks[place]}", [Fraction(place == k) for k in range(width)]))
    asked = list[list[Fraction]]()
    for one in space.conditions:
        terms = [one.tasks.get(task, ZERO) - one.bound for task in space.tasks]
        signs_of_rows = [1] * (one.relation != "<=") + [-1] * (one.relation != ">=")
        asked += [[sign * term for term in terms] for sign in signs_of_rows]
    kept = [row for row in asked if min(row) < 0]
    sides += [(f"condition {number}: ", row) for number, row in enumerate(kept, start=1) if is_loose(row)]
    return [(name, row) for name, row in sides if max(row) > min(row)], cut


Polygon = Sequence[Point]


def clipped(polygon: Polygon, row: Numbers) -> list[Point]:
    """Return the part of a polygon where row.w >= 0 (Sutherland and Hodgman, 1974)."""
    kept = list[Point]()
    values = [dot(row, one) for one in polygon]
    for at, (point, value) in enumerate(zip(polygon, values, strict=True)):
        after, other = polygon[(at + 1) % len(polygon)], values[(at + 1) % len(polygon)]
        kept += [point] if value >= 0 else []
        if value * other < 0:
            part = value / (value - other)
            kept.append(tuple(a + part * (b - a) for a, b in zip(point, after, strict=True)))
    return list(dict.fromkeys(kept))


def turn(first: Point, second: Point, third: Point) -> Fraction:
    """Return the determinant of three points: above 0 where they turn counter-clockwise."""
    return determinant([first, second, third])[0]


def area(polygon: Polygon) -> Fraction:
    """Return the share of the triangle that a polygon takes up."""
    return total(turn(polygon[0], polygon[at - 1], polygon[at]) for at in range(2, len(polygon)))


def edges(polygon: Polygon) -> list[list[Fraction]]:
    """Return rows that are not negative inside a convex polygon whose corners go round counter-clockwise."""
    pairs = zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)
    return [[b * f - c * e, c * d - a * f, a * e - b * d] for (a, b, c), (d, e, f) in pairs]


def map_of_winners(document: Part, table: Table | None) -> Finding:
    """Check that areas of a triangle of three weights are those where models are unbeaten, and fill it."""
    _, *by, spaced, cornered, listed = document.parts(f"kind {BY} space corners areas")
    space = read_space(spaced)
    board = read_board(by, space, table)
    ends = read_corners(cornered, space.tasks, table)
    allowed = allowed_part(space, ends)
    lines = {
        one: [[dot(row, end) for end in ends] for row in board.rows(one, board.rivals(one))] for one in board.models
    }
    regions = {model: within(allowed, own) for model, own in lines.items()}
    polygons, flat, shares = list[tuple[tuple[str, ...], Polygon]](), list[tuple[Any, ...]](), dict[str, Fraction]()
    for share, kind, named, corners in (one.parts("share kind models corners") for one in listed.items()):
        polygon, models = [tuple(one.listed(3)) for one in corners.items()], named.all_of(str)
        share.ensure_is(area(polygon))
        if len(polygon) < 3:
            flat.append((kind.value, models, {*polygon}))
            continue
        ensure(not flat, "segments and points come last")
        check_area((kind, models, polygon), allowed, lines, regions)
        apart = all(own != models or not area(within(polygon, edges(other))) for own, other in polygons)
        ensure(apart, f"two areas of {', '.join(models) or 'no model'} overlap")
        polygons.append((models, polygon))
        name = models[0] if kind.value == "winner" else "ties" if models else "no model unbeaten"
        shares[name] = shares.get(name, ZERO) + area(polygon) / area(allowed)
    ensure(total(shares.values()) == 1, "the areas do not fill what is allowed")
    expected = [("tie", (one,), {*own}) for one, own in regions.items() if 0 < len(own) < 3]
    ensure(flat == expected, "the segments and points where models are unbeaten are others")
    said = ", ".join(f"{name} {share}" for name, share in shares.items())
    return Finding(f"{name_of_rule(by[0])}, shares of the triangle of {', '.join(cornered.value)}: {said}.{space}")


def read_board(by: Sequence[Part], space: Space, table: Table | None) -> Table | Points:
    """Return the signs or points of all models by a rule."""
    rule, signs, points = by
    ensure((signs.value is None) != (points.value is None), "there must be signs or points, and not both")
    if points.value is not None:
        return read_points(rule, points, space.tasks, table)
    ensure(read_rule_of_points(rule, 2) is None, "all rules but the majority are read off points")
    board = read_signs(signs, table)
    ensure(board.tasks == space.tasks, "the tasks of the space are not those of the signs")
    return board


def within(polygon: Polygon, rows: Iterable[Numbers]) -> list[Point]:
    """Return the part of a polygon where no row is negative."""
    left = [*polygon]
    for row in dict.fromkeys(map(tuple, rows)):
        left = clipped(left, row) if left else left
    return left


def allowed_part(space: Space, ends: Sequence[Numbers]) -> list[Point]:
    """Return the part of the triangle whose weightings a space allows; each of its ends is a weighting of the tasks."""
    found = [tuple(Fraction(one == other) for other in range(3)) for one in range(3)]
    for _ in range(MOST_STEPS):
        spread = ([dot(column, point) for column in zip(*ends, strict=True)] for point in found)
        row = next((one for weights in spread if (one := broken(space, weights)) is not None), None)
        if row is None:
            break
        found = clipped(found, [dot(row, end) for end in ends])
    ensure(len(found) > 2, "the conditions leave no area of the triangle")
    return found


def read_corners(document: Part, tasks: Sequence[str], table: Table | None) -> list[list[Fraction]]:
    """Return how each of three corners spreads its weight over the tasks."""
    found = {name: one.among(tasks) for name, one in document.entries().items()}
    ensure(len(found) == 3, "there must be three different corners")
    for name, shares in found.items():
        ensure(is_weighting(shares), f"the corner {name!r} is not a weighting")
        ensure(name not in tasks or shares[tasks.index(name)] == 1, f"the corner {name!r} is another task, or a group")
        own = {task for task, share in zip(tasks, shares, strict=True) if share}
        if table is not None and name not in tasks and name in table.groups:
            ensure(own == {*table.groups[name]}, f"the table's group {name!r} has different tasks")
        if table is not None and name not in tasks and name.startswith("@"):
            ensure(own == {*table.groups.get(name[1:], ())}, f"the table's group {name[1:]!r} has different tasks")
            ensure(len({*filter(None, shares)}) == 1, f"the corner {name!r} does not spread its weight equally")
    return [*found.values()]


def check_area(
    claim: tuple[Part, Sequence[str], Polygon],
    allowed: Polygon,
    lines: Mapping[str, Sequence[Numbers]],
    regions: Mapping[str, Polygon],
) -> None:
    """Ensure that a convex area is allowed, and that these models and no others are unbeaten in it."""
    kind, models, polygon = claim
    ring = [*polygon, *polygon[:2]]
    turns = all(turn(*ring[at : at + 3]) > 0 for at in range(len(polygon)))
    # Turning left at every corner is not enough: a star does so, too.
    ensure(turns and all(dot(edge, one) >= 0 for edge in edges(polygon) for one in polygon), "an area is not convex")
    ensure(all(min(one) >= 0 and sum(one) == 1 for one in polygon), "a corner of an area is not a weighting")
    ensure(all(dot(edge, one) >= 0 for edge in edges(allowed) for one in polygon), "an area leaves what is allowed")
    inside = [total(column) / len(polygon) for column in zip(*polygon, strict=True)]
    ensure(list(models) == [one for one in regions if one in models], "the models of an area are others")
    for model, region in regions.items():
        if model in models:
            safe = all(dot(line, one) >= 0 for line in lines[model] for one in polygon)
            ensure(safe, f"{model!r} is beaten in a part of its area")
            continue
        away = len(region) < 3 or not area(within(polygon, edges(region)))
        ensure(away, f"{model!r} is unbeaten in a part of an area of others")
    wins = len(models) == 1 and all(dot(line, inside) > 0 for line in lines[models[0]])
    found = "winner" if wins else "tie" if models else "none"
    ensure(kind.value == found, f"an area is of the kind {found}, not {shown(kind.value)}")


# winning_shares, pair_shares: how often each model wins, or is ahead of another, under weightings drawn at random.


def winning_shares(document: Part, table: Table | None) -> Finding:
    """Check who can win by the rule, and that counts of wins do not contradict it; weightings are not drawn again."""
    _, drawn, able, counted, summed = document.parts("kind draws prospects wins winning_weights")
    said = prospects(able, table).proved
    able_parts = {name: Part(one, name) for name, one in able.value.items()}
    space = read_space(able_parts["space"])
    ensure(read_space(Part(drawn.of(dict).get("space"), "space")) == space, "the weights are drawn from another space")
    verdicts = {one["model"]: one["verdict"] for one in able.value["prospects"]}
    samples, counts = drawn.value.get("samples"), Part(counted.of(dict).get("counts"), "counts").all_of(int)
    ensure(
        type(samples) is int and sum(counts) == samples and min(counts, default=0) >= 0,
        "the counts are not of all draws",
    )
    ensure(len(counts) == len(verdicts) + 1, "there must be a count for each model, and one for no winner")
    won = dict(zip(verdicts, counts, strict=False))
    for model, count in won.items():
        ensure(not count or verdicts[model] == "strict", f"{model!r} cannot win by the rule, but has won")
    board = read_board([able_parts[name] for name in BY.split()], space, None)
    for model, one in summed.entries().items():
        sums = [Fraction(value) for value in one.all_of(float)]
        ensure(won.get(model, 0) > 0 and len(sums) == len(space.tasks), f"there are no central weights of {model!r}")
        # Winning weights are a convex set, which holds the mean of any of them; floats are a little off.
        rows = board.rows(model, board.rivals(model))
        least = min(dot(row, sums) / max(1, *map(abs, row)) for row in rows) / max(total(sums), ONE / 10**9)
        ensure(least >= -ONE / 10**9, f"the central weights of {model!r} lose to a rival")
    return Finding(
        f"{said} Consistent with it: who won under {samples} weightings", ("how often each wins, which is drawn",)
    )


def pair_shares(document: Part, table: Table | None) -> Finding:
    """Check that pairs are of the table, and that counts are all or none where a lead is; no draw is repeated."""
    _, paired, drawn, counted, *by = document.parts(f"kind pairs draws ahead {BY}")
    space = read_space(Part(drawn.of(dict).get("space"), "space"))
    board = read_board(by, space, table)
    samples, counts = drawn.value.get("samples"), Part(counted.of(dict).get("counts"), "counts").all_of(int)
    pairs = [one.all_of(str) for one in paired.items()]
    ensure(bool(pairs) and len(counts) == len(pairs), "there must be a count for each pair")
    for names, count in zip(pairs, counts, strict=True):
        known = len(names) == 2 and names[0] != names[1] and {*names} <= {*board.models}
        ensure(known, f"{names} are no two models of the table")
        ensure(type(samples) is int and 0 <= count <= samples, "a count is above all draws")
        (row,) = board.rows(names[0], [names[1]])
        ensure(count == samples or min(row) <= 0, f"{names[0]!r} is always ahead of {names[1]!r}, but was not")
        ensure(not count or max(row) > 0, f"{names[0]!r} is never ahead of {names[1]!r}, but was")
    many = f"of {len(pairs)} pairs none is ahead under more or fewer of {samples} weightings than its row lets it"
    said = f"{name_of_rule(by[0])}, {many}.{space}"
    return Finding(said, ("how often each is ahead, which is drawn",))


# scenario: the best winning weights, by one objective after the other.


class Objective(NamedTuple):
    """The weight of ``tasks``, a distance (``l1``, ``linf``) from the weights of tasks, or the ``largest`` weight.

    Its sign is 1 where it is to be small, -1 where it is to be large; ``todays`` tells whether the weights that it is a
    distance from are claimed to be the table's own.
    """

    form: str
    tasks: Mapping[str, Fraction]
    sign: int = 1
    todays: bool = False

    def __str__(self) -> str:
        """Say the objective with its numbers."""
        if self.form == "weight":
            return f"weight of {' + '.join(map(repr, self.tasks))}"
        if self.form == "largest":
            return "largest weight of a task"
        named = ", ".join(f"{task!r} {share}" for task, share in self.tasks.items())
        return f"distance ({self.form}) from {'the weights of today' if self.todays else 'weights'} {named}"

    def value(self, weights: Mapping[str, Fraction]) -> Fraction:
        """Return the objective at some weights."""
        own = [weights[task] for task in self.tasks]
        if self.form in NORMS:
            return distance(self.form, own, list(self.tasks.values()))
        return max(own) if self.form == "largest" else total(own)

    def slope(self, given: Mapping[str, Fraction]) -> tuple[Numbers, Fraction]:
        """Return costs and a constant such that the objective is at least costs.w less the constant, for all weights w.

        The weight of tasks is linear itself. A distance from a centre s is at least u.(w - s) where u, on changes of
        sum 0, is not too steep: for the sum of changes the greatest entry is above the least by 2 at most, for the
        largest change entries lie away from some number by 1 at most in sum. A largest weight is at least any average.
        """
        ensure(not given or self.form != "weight", "what is linear has no slope of its own")
        ensure(given.keys() <= self.tasks.keys(), "the slope is about other tasks")
        entries = [given.get(task, ZERO) for task in self.tasks]
        if self.form == "weight":
            return [], ZERO
        if self.form == "largest":
            ensure(total(one for one in entries if one > 0) <= 1, "the slope sums to more than 1")
            return entries, ZERO
        steep = (max(entries) - min(entries)) / 2 if self.form == "l1" else spread(entries, [ONE] * len(entries))
        ensure(steep <= 1, f"the slope is too steep by {steep - 1}")
        return entries, total(one * self.tasks[task] for task, one in given.items())

    def no_worse_than(self, value: Fraction) -> list[Condition]:
        """Return the conditions that the objective is no worse than a value."""
        if self.form == "weight":
            return [Condition("sum", self.tasks, "<=" if self.sign > 0 else ">=", value)]
        if self.form == "largest":
            return [Condition("sum", {task: ONE}, "<=", value) for task in self.tasks]
        return [Condition(self.form, self.tasks, "<=", value)]


def read_objective(document: Part, tasks: tuple[str, ...]) -> Objective:
    """Return an objective over the weights of these tasks, in one of its three forms."""
    if "norm" in document.of(dict):
        centre, norm, todays = document.parts("centre norm todays")
        shares, fits = centre.along(tasks), norm.value in NORMS
        ensure(fits and is_weighting(shares), f"{shown(norm.value)} is not a norm, or the centre no weighting")
        return Objective(norm.value, dict(zip(tasks, shares, strict=True)), todays=todays.of(bool))
    if "goal" in document.value:
        listed, goal = document.parts("tasks goal")
        named = listed.names()
        ensure(goal.value in ("minimise", "maximise"), f"{shown(goal.value)} is no goal")
        ensure(
            named == tuple(task for task in tasks if task in named), "the tasks of the objective are not the table's"
        )
        return Objective("weight", dict.fromkeys(named, ONE), 1 if goal.value == "minimise" else -1)
    ensure(document.parts("tasks")[0].all_of(str) == tasks, "the tasks of the objective are not the table's")
    return Objective("largest", dict.fromkeys(tasks, ZERO))


class Stage(NamedTuple):
    """An objective that was served: its optimum, what any weights miss it by, and the weights that attain it."""

    words: str
    value: Fraction
    missed: Callable[[Mapping[str, Fraction]], Fraction]
    space: Space
    least: Fraction
    objective: Objective | None = None
    open: tuple[str, ...] = ()


# Parts of every claim that an objective's optimum over some weights is known.
OPTIMUM = "value weights mixture vectors slope"


def read_named(document: Part, names: Sequence[str]) -> tuple[list[int], list[Fraction]]:
    """Return the places among names of those that have a multiplier, and the multipliers, which are positive."""
    found, at = document.fractions(), {name: place for place, name in enumerate(names)}
    for name, factor in found.items():
        ensure(name in at and factor > 0, f"{shown(name)} is not a rival, or its multiplier {factor} is not positive")
    return [at[name] for name in found], list(found.values())


def check_combination(
    objective: Objective, value: Fraction, parts: Sequence[Part], duels: Duels, space: Space, *, least: Fraction = ZERO
) -> None:
    """Ensure that no weights of a space that lead every rival by this margin make an objective better than a value."""
    mixed, vectors, sloped = parts
    places, shares = read_named(mixed, duels.rivals)
    costs, constant = objective.slope(sloped.fractions())
    if objective.form == "weight":
        costs = [ONE if task in objective.tasks else ZERO for task in space.tasks]
    # What is to be small is at least a linear function, of whose opposite there is a bound from above.
    sign = -objective.sign
    won = ([duels.signs[place] for place in places], shares, least)
    proved = sign * most(space, space.vectors(vectors), [sign * one for one in costs], won) - constant
    ensure(proved == value, f"the multipliers prove a bound of {proved}, not {value}")


def check_optimum(objective: Objective, parts: Sequence[Part], duels: Duels, space: Space, least: Fraction) -> Fraction:
    """Check an objective's optimum over weights of a space that lead every rival by so much; return the least lead."""
    best, weighted, *dual = parts
    value, weights = best.fraction(), space.weights(weighted)
    lead = check_leads(duels, weights, least) if duels.rivals else least
    found = objective.value(dict(zip(space.tasks, weights, strict=True)))
    ensure(found == value, f"the {objective} is {found}, not {value}")
    check_combination(objective, value, dual, duels, space, least=least)
    return lead


def linear_stage(document: Part, duels: Duels, space: Space, least: Fraction) -> Stage:
    """Check the optimum of a linear objective, and keep the weights that attain it."""
    asked, optima = document.parts("objective optima")
    parts = only(optima).parts(OPTIMUM)
    objective, value = read_objective(asked, space.tasks), parts[0].fraction()
    check_optimum(objective, parts, duels, space, least * duels.unit)
    for cut in objective.no_worse_than(value):
        space = space.with_condition(cut)
    words = f"{'least' if objective.sign > 0 else 'greatest'} {objective} {value}"
    missed = lambda weights: objective.sign * (objective.value(weights) - value)  # noqa: E731
    return Stage(words, value, missed, space, least, objective)


def margin_stage(document: Part, duels: Duels, space: Space, least: Fraction) -> Stage:
    """Check the least lead made large."""
    found = check_prospect(only(document.parts("prospects")[0]), duels, space)
    value = found.lower
    ensure(found.upper == value >= least, f"only bounds of the margin are known, or it is below {least}: {value}")
    missed = lambda weights: value - min(leads(duels.signs, list(weights.values()))) / duels.unit  # noqa: E731
    return Stage(f"greatest margin {value}", value, missed, space, value, open=found.open)


# By the name of a part that only this stage has.
STAGES = {"optima": linear_stage, "prospects": margin_stage}


class Scenario(NamedTuple):
    """What was proved of a scenario."""

    duels: Duels
    space: Space
    margin: Fraction
    stages: list[Stage]
    is_strict: bool
    attained: bool
    open: tuple[str, ...]


def check_scenario(document: Part, table: Table | None) -> Scenario:
    """Check the optimum of every stage, that none is better, and whether strict wins attain them."""
    names = f"kind model margin stages ends chosen space strict_weights slacks {BY}"
    kind, model, led, listed, ends, chosen, spaced, strict, slacks, *by = document.parts(names)
    if any("found" in one.of(dict) for one in listed.items()):
        raise NotCheckedError("the fewest tasks are not searched for here")
    space, margin = read_space(spaced), led.fraction()
    ensure(kind.value == "scenario" and margin >= 0, f"{shown(kind.value)} is not a scenario, or {margin} no win")
    last = only(ends)
    rivals = Part(last.of(dict).get("blockers"), "blockers").entries()
    duels = read_rows(model, tuple(rivals), by, space.tasks, table)
    stages: list[Stage] = []
    left, least = space, margin
    for one in listed.items():
        name = next((name for name in STAGES if name in one.value), "")
        stages.append(STAGES[name](one, duels, left, least) if name else refuse("an empty stage"))
        left, least, objective = stages[-1].space, stages[-1].least, stages[-1].objective
        if objective is not None and objective.todays:
            check_today(table, space.tasks, list(objective.tasks.values()))
    ensure(stages, "there is no objective")
    end = check_prospect(last, duels, left)
    ensure(end.lower >= least, f"the least lead of optimal weights is {end.lower}, below {least}")
    ensure(chosen.integer() == 0, f"there is no end {chosen.value}")
    attained = end.verdict == "strict"
    ensure((strict.value is None) == (slacks.value is None), "strict weights and slacks belong together")
    ensure(strict.value is not None or not attained, "strict weights attain the optimum, but none are given")
    if strict.value is not None:
        weights, missed = space.weights(strict), slacks.listed(len(stages))
        short = next((one for one in missed if one), ZERO)
        ensure(short >= 0 and not (attained and short), f"the strict weights miss an optimum by {short}")
        lead = check_leads(duels, weights, margin * duels.unit)
        ensure(lead > 0, f"under the strict weights a head-to-head lead is only {lead}")
        for stage, slack in zip(stages, missed, strict=True):
            own = stage.missed(dict(zip(space.tasks, weights, strict=True)))
            ensure(own == slack, f"the strict weights miss the {stage.words} by {own}, not {slack}")
    unchecked = (*(text for stage in stages for text in stage.open), *end.open)
    return Scenario(duels, space, margin, stages, strict.value is not None, attained, unchecked)


def only(listed: Part) -> Part:
    """Return the only item of a list."""
    return listed.items()[0] if len(listed.of(list)) == 1 else refuse(f"{listed.what}: there must be one")


def scenario(document: Part, table: Table | None) -> Finding:
    """Check the best winning weights."""
    found = check_scenario(document, table)
    optima = ", then ".join(stage.words for stage in found.stages)
    wins = "wins" if found.attained else "is undefeated"
    return Finding(f"{found.duels.by}, {found.duels.model} {wins} with {optima}.{found.space}", found.open)


# weight_ranges: the least and greatest weight of each task. duels: who beats whom under all, some, no weights?


def weight_ranges(document: Part, table: Table | None) -> Finding:
    """Check the least and the most weight of each task and group among weights under which a model wins."""
    _, model, led, listed, against, spaced, *by = document.parts(f"kind model margin ranges rivals space {BY}")
    space, margin = read_space(spaced), led.fraction()
    ensure(margin >= 0, f"a margin of {margin} is not a win")
    duels = read_rows(model, against.all_of(str), by, space.tasks, table)
    ranges = [one.parts("name is_group tasks least most") for one in listed.items()]
    groups = [name.of(str) for name, is_group, *_ in ranges if is_group.of(bool)]
    fits = [name.of(str) for name, *_ in ranges] == [*space.tasks, *groups] and len(set(groups)) == len(groups)
    ensure(fits, "the ranges are not those of the tasks")
    ensure(not any(is_group.value for _, is_group, *_ in ranges[: len(space.tasks)]), "groups do not come last")
    for name, is_group, named, lowest, highest in ranges:
        tasks = named.names()
        ensure(tasks == tuple(one for one in space.tasks if one in tasks), f"{tasks} are unknown, or in another order")
        for sign, extreme in ((1, lowest), (-1, highest)):
            asked = Objective("weight", dict.fromkeys(tasks, ONE), sign)
            check_extreme(extreme, asked, duels, space, margin * duels.unit)
        own = (name.value,) if not is_group.value else tasks if table is None else table.groups.get(name.value, tasks)
        ensure(set(tasks) == set(own), f"{name.value} stands for other tasks")
    known = table.groups if table else {}
    ensure(set(known) <= set(groups), "the range of a group is missing")
    free = [name for name in groups if name not in known]
    unchecked = (f"which tasks {', '.join(free)} stand for",) if free else ()
    each = f"the least and greatest weight of each of {len(space.tasks)} tasks"
    said = f"{duels.by}, {each} with which {duels.model} wins.{space}"
    return Finding(said, unchecked)


def check_extreme(document: Part, objective: Objective, duels: Duels, space: Space, margin: Fraction) -> None:
    """Check the least or the most weight of some tasks together."""
    parts = document.parts(OPTIMUM)
    lead = check_optimum(objective, parts, duels, space, margin)
    # Where no duel takes part in the proof, the claim is that strict wins attain the extreme: the weights must show it.
    ensure(lead > 0 or parts[2].value, f"the extreme is not attained by a strict win: the least lead is {lead}")


def duels(document: Part, table: Table | None) -> Finding:
    """Check the greatest margin of every model over every other; the least is minus the other's greatest."""
    _, written, spaced, bounds = document.parts("kind signs space bounds")
    board = read_signs(written, table)
    space, size = read_space(spaced, board.tasks), len(board.models)
    largest, weighted, attaining, vectors, bounding = bounds.parts("greatest weights attained vectors bounded")
    greatest = largest.square(size, Part.fraction)
    attained, bounded = (one.square(size, Part.integer) for one in (attaining, bounding))
    points = [one.listed(len(space.tasks)) for one in weighted.items()]
    prices = [space.vectors(one) for one in vectors.items()]
    for used, known in ((attained, points), (bounded, prices)):
        fits = all(0 <= one < len(known) for row in used for one in row)
        ensure(fits, "a pair points to weights or vectors that do not exist")
    for point in points:
        check_weights(space, point)
    # What vectors leave to each task does not depend on the pair, so the vectors of one pair serve many.
    left = [left_by(space, one) for one in prices]
    for at, model in enumerate(board.models):
        ensure(greatest[at][at] == 0, f"{model!r} cannot lead itself by {greatest[at][at]}")
        for other, rival in ((one, name) for one, name in enumerate(board.models) if one != at):
            row = [column.sign(at, other) for column in board.columns.values()]
            claimed, (beside, right) = greatest[at][other], left[bounded[at][other]]
            (lead,) = leads([row], points[attained[at][other]])
            ensure(lead == claimed, f"the weights make {model!r} lead {rival!r} by {lead}, not {claimed}")
            limit = max(one + own for one, own in zip(row, beside, strict=True)) + right
            ensure(limit == claimed, f"the vectors let {model!r} lead {rival!r} by {limit}, not {claimed}")
    return Finding(f"the least and the greatest margin of each pair of {size} models.{space}")


# stability, broken_cycle: how far must weights move?


def check_fit(
    wanted: Mapping[str, Sequence[Fraction]], weights: Sequence[Fraction], without: Sequence[int], count: int
) -> None:
    """Ensure that weights fit all answers but those that are withdrawn."""
    ensure(set(without) <= set(range(1, count + 1)), "an answer is withdrawn that was not given")
    for name, row in wanted.items():
        own = total(map(operator.mul, row, weights))
        ensure(int(name.strip("+-")) in without or own > 0, f"the weights do not fit answer {name}: its lead is {own}")


def read_answers(
    given: Part, rows: Mapping[str, Sequence[int]], unit: int, equal: Fraction
) -> dict[str, list[Fraction]]:
    """Return the rows that each answer makes positive on average: two rows for two models called about equal."""
    wanted: dict[str, list[Fraction]] = {}
    for number, one in enumerate(given.items(), start=1):
        first, second, says = (part.of(str) for part in one.parts("first second says"))
        ensure(first in rows and second in rows and first != second, "an answer is not about two models of the table")
        ensure(says in ("first", "equal", "skip"), f"an answer says {shown(says)}")
        lead = [Fraction(own - other, unit) for own, other in zip(rows[first], rows[second], strict=True)]
        room = equal * max(map(abs, lead))
        if says == "first":
            wanted[str(number)] = lead
        elif says == "equal" and any(lead):
            wanted[f"{number}-"], wanted[f"{number}+"] = [room - one for one in lead], [room + one for one in lead]
    return wanted


def stability(document: Part, table: Table | None) -> Finding:
    """Check for each rival the least lead, and the nearest weights at which there is none."""
    names = f"kind norms of model weights rivals space reversals {BY}"
    _, told, of, model, weighted, against, spaced, reversals, *by = document.parts(names)
    space, ranked = read_space(spaced), against.all_of(str)
    today = weighted.among(space.tasks)
    check_today(table, space.tasks, today)
    if of.value == "winner":
        duels = read_rows(model, ranked, by, space.tasks, table)
        lead = check_leads(duels, today, ZERO)
        if by[2].value is None:
            ensure(lead > 0, f"{duels.model!r} does not win today: its least lead is {lead}")
            said_first = f"{duels.model} is the Condorcet winner"
        else:
            models = by[2].of(dict)["models"]
            for rival, ahead in zip(duels.rivals, leads(duels.signs, today), strict=True):
                first = ahead > 0 or models.index(duels.model) < models.index(rival)
                ensure(first, f"{duels.model!r} leads {rival!r} by 0 today, which comes first in the table")
            said_first = f"{duels.by}, {duels.model} is first"
    else:
        ensure(
            of.value == "ranking" and by[2].value is not None,
            "the pairs belong to the winner, or to a ranking by points",
        )
        duels = read_neighbours(model, ranked, by, space.tasks, table)
        check_ranking(duels, (model.value, *ranked), by[2], today)
        said_first = f"{duels.by}, the ranking that {duels.model} leads stays"
    middle, leasts, points = reversals.parts("centre least points")
    ensure(middle.listed(len(today)) == today, "changes are not counted from today's weights")
    norms = points.entries()
    ensure(tuple(norms) == told.all_of(str), f"the distances are by {', '.join(norms)}, unlike the claim")
    sizes = {len(one.of(list)) for one in (leasts, *norms.values())}
    ensure(sizes == {len(duels.rivals)}, "there must be one least lead and one reversal a rival")
    leads_left = [check_least_lead(one, row, space) for one, row in zip(leasts.items(), duels.signs, strict=True)]
    named = dict(zip(space.tasks, today, strict=True))
    nearest = " and ".join(
        f"{check_reversals(listed, duels.signs, leads_left, Objective(norm, named), space)} ({norm})"
        for norm, listed in norms.items()
    )
    weighed = ", ".join(f"{task!r} {share}" for task, share in named.items())
    return Finding(f"{said_first} until the weights {weighed} change by {nearest}.{space}")


def check_reversals(
    listed: Part, rows: Rows, leasts: Sequence[Fraction], distance: Objective, space: Space
) -> Fraction | str:
    """Ensure that each rival's nearest tie is at the claimed distance; return the least of them."""
    ensure(distance.form in NORMS, "distances must be by the norms l1 or linf")
    found: list[Fraction] = []
    for one, row, least in zip(listed.items(), rows, leasts, strict=True):
        ensure(one.value is not None or least > 0, "a rival can tie, but no weights at which it does are given")
        if one.value is not None:
            # The nearest weights at which the lead is 0 or less: those that win the opposite duel.
            turned = Duels("", ("duel",), [[-sign for sign in row]])
            parts = one.parts(OPTIMUM)
            check_optimum(distance, parts, turned, space, ZERO)
            found.append(parts[0].fraction())
    return min(found, default="any change")


def read_neighbours(
    model: Part, ranked: Sequence[str], by: Sequence[Part], tasks: Sequence[str], table: Table | None
) -> Duels:
    """Return the rows of each model of a ranking over the next one, by points."""
    rule, signs, pointed = by
    ensure(signs.value is None, "there must be signs or points, and not both")
    points, order = read_points(rule, pointed, tasks, table), (model.of(str), *ranked)
    ensure(sorted(order) == sorted(points.models), "the order is not one of all models")
    rows = [points.rows(upper, [lower])[0] for upper, lower in zip(order, ranked, strict=False)]
    return Duels(order[0], tuple(ranked), rows, points.unit, name_of_rule(rule))


def check_ranking(duels: Duels, order: Sequence[str], pointed: Part, today: Numbers) -> None:
    """Ensure that each model is ahead of the next one today, or level with it and before it in the table."""
    models = pointed.of(dict)["models"]
    for upper, lower, lead in zip(order, duels.rivals, leads(duels.signs, today), strict=False):
        level = lead == 0 and models.index(upper) < models.index(lower)
        ensure(lead > 0 or level, f"{upper!r} does not stand above {lower!r} today: its lead is {lead}")


def check_least_lead(document: Part, row: Sequence[int], space: Space) -> Fraction:
    """Check the least lead over the weights of a space."""
    best, weighted, mixed, vectors, sloped = document.parts(OPTIMUM)
    value, weights = best.fraction(), space.weights(weighted)
    (found,) = leads([row], weights)
    ensure(found == value, f"the lead is {found}, not {value}")
    ensure(not mixed.of(dict) and not sloped.of(dict), "a lead is linear, and requires no other win")
    proved = -most(space, space.vectors(vectors), [Fraction(-sign) for sign in row])
    ensure(proved == value, f"the vectors prove a least lead of {proved}, not {value}")
    return value


def broken_cycle(document: Part, table: Table | None) -> Finding:
    """Check the nearest weights with a Condorcet winner, and that every other model is farther away."""
    names = "kind value signs weights norm space nearest others"
    _, best, written, weighted, norm, spaced, nearest, others = document.parts(names)
    board = read_signs(written, table)
    space, value = read_space(spaced, board.tasks), best.fraction()
    best.ensure_is(value)
    if norm.of(str) not in NORMS:
        refuse(f"{shown(norm.value)} is not a norm")
    today = weighted.among(space.tasks)
    check_today(table, space.tasks, today)
    objective = Objective(norm.value, dict(zip(space.tasks, today, strict=True)))
    told: list[str] = []
    unchecked: tuple[str, ...] = ()
    for one in nearest.items() or refuse("no winner is claimed"):
        model = one.of(dict).get("model")
        ensure(model in board.models, f"{shown(model)} is not a model")
        rivals, found = board.rivals(model), check_scenario(Part(one.value, "a scenario"), None)
        same = found.duels.rivals == rivals and found.space[:2] == space[:2] and found.duels.by == "Head-to-head"
        ensure(same, f"{model!r} wins in another space, or over others")
        ensure(
            [list(row) for row in found.duels.signs] == board.rows(model, rivals), f"the signs of {model!r} are others"
        )
        ensure(found.margin == 0 and found.is_strict, f"{model!r} is not shown to win")
        served = [(stage.objective, stage.value) for stage in found.stages]
        ensure(served == [(objective, value)], f"the weights of {model!r} are not nearest, or not {value} away")
        told, unchecked = [*told, model], (*unchecked, *found.open)
    told += [check_farther(one, objective, board, space, value) for one in others.items()]
    ensure(sorted(told) == sorted(board.models), "every model must be named once")
    return Finding(f"the nearest weights with a Condorcet winner are {value} away: {objective}.{space}", unchecked)


def check_farther(document: Part, objective: Objective, board: Table, space: Space, value: Fraction) -> str:
    """Check why a model is not the nearest winner: its wins are farther away, or it has none."""
    blocked = "upper" in document.of(dict)
    model, limit, *rest = document.parts("model upper blockers vectors" if blocked else "model value bound")
    ensure(model.of(str) in board.models, f"{shown(model.value)} is not a model")
    bound, rivals = limit.fraction(), board.rivals(model.value)
    if blocked:
        mixed, vectors = rest
        shares = {name: share for name, share in mixed.fractions().items() if share}
        ensure(set(shares) <= set(rivals), f"{model.value!r}: a multiplier is of no rival")
        ensure(shares and bound <= 0, f"{model.value!r} is only proved to lead by {bound} at most")
        rows = board.rows(model.value, list(shares))
        check_mixture(space, rows, list(shares.values()), space.vectors(vectors), bound)
    else:
        ensure(bound > value, f"{model.value!r} is only proved to be {bound} away")
        duels = Duels(model.value, rivals, board.rows(model.value, rivals))
        check_combination(objective, bound, rest[0].parts("mixture vectors slope"), duels, space)
    return str(model.value)


# shortlist: the few models, one of which is close to the best, whatever the weights.


def shortlist(document: Part, table: Table | None) -> Finding:
    """Check for each set that it loses no more than claimed, and that no other set is better."""
    names = "kind rule points space frontier size limit costs among of_range"
    _, rule, pointed, spaced, sets, asked, limited, costly, listed, ranged = document.parts(names)
    space = read_space(spaced)
    points = read_points(rule, pointed, space.tasks, table)
    among, costs = listed.names(), costly.fractions()
    ensure(set(among) <= set(points.models), "the models to choose from are not the table's")
    numbers, unit = points.numbers, points.unit
    if ranged.of(bool):
        ranges = [max(own) - min(own) for own in zip(*numbers, strict=True)]
        unit = math.lcm(*[one for one in ranges if one])
        numbers = [
            [cell * (unit // own if own else 0) for cell, own in zip(row, ranges, strict=True)] for row in numbers
        ]
    rows = dict(zip(points.models, numbers, strict=True))
    found = [one.parts("models loss mixtures weightings tree solver") for one in sets.items()]
    ensure(found, "the frontier has no set")
    kept, losses = [one.names() for one, *_ in found], [one.fraction() for _, one, *_ in found]
    limit = None if limited.value is None else limited.fraction()
    size = None if asked.value is None else asked.integer()
    ensure(not costs or costs.keys() == set(among), "there must be one cost per model")
    prices = [total(costs.get(model, ONE) for model in one) for one in kept]
    given = bool(costs) and limit is not None
    check_frontier(prices, losses, limit, size, costs)
    dues, over = whole([costs.get(model, ONE) for model in among])
    open_parts = []
    for one, models, loss, price, following in zip(found, kept, losses, prices, [*prices[1:], None], strict=True):
        # What loses less costs as much as the next set, or more than the last; with a loss given, as much as this one.
        claim = int((price if given else following or price + Fraction(1, over)) * over)
        left = check_short(one, models, loss, (rows, unit, space), among, (dues, claim, limit if given else None))
        open_parts += [left] if left else []
    words = f"{', '.join(kept[-1])} lose at most {losses[-1]}{' of each range' if ranged.value else ''}"
    beside = f"no set {f'that loses at most {limit} costs less' if given else 'that costs no more loses less'}"
    beside = f"{beside}, at a cost of {prices[-1]}" if costs else "no set of its size loses less"
    said = f"{name_of_rule(rule)}, under every weighting one of {words}; {beside}.{space}"
    return Finding(said if not open_parts else f"{said.partition(';')[0]}.{space}", tuple(open_parts))


def check_short(  # noqa: PLR0917 - a set, its claimed loss, and of what
    parts: Sequence[Part],
    models: Sequence[str],
    loss: Fraction,
    of: tuple[Mapping[str, Sequence[int]], int, Space],
    among: Sequence[str],
    least: tuple[Sequence[int], int, Fraction | None],
) -> str:
    """Ensure that a set loses no more than claimed, and what better ones cost; return what is not checked."""
    costs, claim, limit = least
    (rows, unit, space), (_, _, mixtures, weighted, tree, solver) = of, parts
    ensure(set(models) <= set(among), "a model of the set may not be chosen")
    check_mixtures(models, loss, mixtures, rows, space, unit=unit)
    weightings = weighted.items()
    for one in weightings:
        one.fractions()
    if solver.of(str):
        ensure(solver.value in SOLVERS and tree.value is None, "an unknown solver, or a solver as well as a tree")
        return f"that no other set is better than {', '.join(models)}, which relies on the bound of {solver.value}"
    if not loss and limit is None:
        ensure(tree.value is None, "a loss of 0 needs no proof")
        return ""
    points_at = [whole(space.weights(one)) for one in weightings]
    room = (loss if limit is None else limit) * unit
    hit = [near_best(one, rows, among, room, level=limit is not None) for one in points_at]
    if tree.value is not None:
        check_tree(tree, hit, [1] * len(hit), costs, ([0] * len(among), [1] * len(among)), claim)
        return ""
    # Where no model is among the best at two weightings, a set pays for one at each.
    ensure(all(sum(column) <= 1 for column in zip(*hit, strict=True)), "a model counts twice, and there is no tree")
    dues = [min((cost for cost, one in zip(costs, row, strict=True) if one), default=claim) for row in hit]
    ensure(sum(dues) >= claim, f"the weightings show that better sets cost {sum(dues)}, not {claim}")
    return ""


def check_frontier(
    prices: Numbers, losses: Numbers, limit: Fraction | None, size: int | None, costs: Mapping[str, Fraction]
) -> None:
    """Ensure that sets are of sizes 1, 2, 3, ... or cost ever more, lose ever less, and end where the question says."""
    ensure(losses[-1] >= 0 and min(costs.values(), default=ONE) > 0, "a loss or a cost is negative, or a cost is 0")
    if costs and limit is not None:
        ensure(len(losses) == 1 and losses[0] <= limit, "with costs and a loss there is one set, of that loss")
        return
    if costs:
        in_turn = list(prices) == sorted(set(prices)) and list(losses) == sorted(set(losses), reverse=True)
        ensure(in_turn and size is None, "sets that cost more do not lose less")
        ensure(prices[0] == min(costs.values()), "the frontier does not begin with the cheapest model")
        return
    ensure(list(prices) == list(range(1, len(prices) + 1)), "the sets are not of the sizes 1, 2, 3, ...")
    ensure(list(losses) == sorted(losses, reverse=True), "the losses rise with the size")
    ensure(limit is None or losses[-1] <= limit < min([*losses[:-1], limit + 1]), "the frontier ends elsewhere")
    ends = size in (None, len(prices)) or (len(prices) < (size or 0) and not losses[-1])
    ensure(ends, "the frontier ends elsewhere")


def near_best(
    weighted: tuple[list[int], int],
    rows: Mapping[str, Sequence[int]],
    among: Sequence[str],
    room: Fraction,
    *,
    level: bool,
) -> list[int]:
    """Return 1 for each model that is within less than a loss of the best under some weights, or at that loss."""
    weights, under = weighted
    values = {model: sum(map(operator.mul, row, weights)) for model, row in rows.items()}
    least = max(values.values()) - room * under
    return [int(values[model] >= least if level else values[model] > least) for model in among]


def check_mixtures(
    models: Sequence[str], loss: Fraction, mixtures: Part, rows: Mapping[str, Sequence[int]], space: Space, *, unit: int
) -> None:
    """Ensure that no other model is further above a mixture of some models than claimed, under any weighting."""
    found = mixtures.entries()
    ensure(found.keys() == rows.keys() - set(models), "there must be one mixture per other model")
    for model, one in found.items():
        shared, written, at = one.parts("shares vectors loss")
        ensure(at.fraction() <= loss, f"{model!r} may be above the set by {at.value}, more than {loss}")
        over = [[own - other for own, other in zip(rows[model], rows[kept], strict=True)] for kept in models]
        check_mixture(space, over, shared.among(models), space.vectors(written), at.fraction() * unit)


def check_tree(  # noqa: PLR0917 - a program, and what it costs at least
    tree: Part,
    rows: Rows,
    least: Sequence[int],
    costs: Sequence[int],
    bounds: tuple[Sequence[int], Sequence[int]],
    claim: int,
) -> None:
    """Ensure that integers of a box with ``rows x >= least`` cost at least so much: by a tree of boxes.

    For any multipliers y >= 0 and any x of a box, c.x >= y.b + sum_j min over the box of (c - A'y)_j x_j. Each node
    splits its box at an integer of one variable; each leaf has multipliers, times ``over``, that reach the claim, which
    costs that are integers do from above claim - 1 on; or with over = 0, so without costs, more than 0: it is empty.
    """
    boxes = [(list(bounds[0]), list(bounds[1]))]
    for node in tree.parts("nodes")[0].items():
        ensure(boxes, "the tree goes on after its last leaf")
        lower, upper = boxes.pop()
        if "column" in node.of(dict):
            column, at = (one.integer() for one in node.parts("column at"))
            ensure(
                0 <= column < len(costs) and lower[column] <= at < upper[column], "a node of the tree splits nothing"
            )
            boxes.append(([*lower[:column], at + 1, *lower[column + 1 :]], upper))
            boxes.append((lower, [*upper[:column], at, *upper[column + 1 :]]))
            continue
        named, shares, under = node.parts("rows multipliers over")
        places, over = named.all_of(int), under.integer()
        fits = len(set(places)) == len(places) and all(0 <= one < len(rows) for one in places)
        ensure(fits and len(shares.of(list)) == len(places), "a leaf needs one multiplier per row")
        ensure(min([over, *shares.all_of(int)]) >= 0, "a multiplier of a leaf is negative")
        pairs = list(zip(places, shares.all_of(int), strict=True))
        left = [over * cost for cost in costs]
        for place, share in pairs:
            left = [one - share * own for one, own in zip(left, rows[place], strict=True)]
        reached = sum(share * least[place] for place, share in pairs)
        reached += sum(min(one * low, one * high) for one, low, high in zip(left, lower, upper, strict=True))
        ensure(reached > (over * (claim - 1) if over else 0), f"a leaf of the tree does not reach {claim}")
    ensure(not boxes, "the tree ends before all its branches do")


# asked: the model that some answers prove, or why they cannot all hold.


def asked(document: Part, table: Table | None) -> Finding:
    """Check that a model is first, within a loss, under every weighting that fits answers; or that they conflict."""
    names = "kind rule points space answers loss equal weights conflict withdraw leader mixtures won next seed"
    held = document.parts(names)
    _, rule, pointed, spaced, given, lost, alike, weighted, conflict, out, led, mixed, won, pair, seed = held
    space, loss, equal = read_space(spaced), lost.fraction(), alike.fraction()
    points = read_points(rule, pointed, space.tasks, table)
    rows = dict(zip(points.models, points.numbers, strict=True))
    ensure(loss >= 0 and equal >= 0, "a loss, or what is about equal, is negative")
    drawn = won.entries()
    counted = drawn.keys() <= rows.keys() and all(one.integer() >= 0 for one in drawn.values())
    ensure(counted, "a model wins fewer than 0 draws, or is not among the models")
    seed.integer()
    wanted = read_answers(given, rows, points.unit, equal)
    without = out.all_of(int)
    ensure(bool(without) == (conflict.value is not None), "answers are withdrawn where, and only where, some conflict")
    check_fit(wanted, space.weights(weighted), without, len(given.value))
    if conflict.value is not None:
        shared, vectors, bound = conflict.parts("shares vectors loss")
        ensure(bound.fraction() <= 0, "the conflict leaves room for weights")
        ensure(led.value is None and not mixed.of(dict) and pair.value is None, "answers conflict, and one leads")
        whole_rows, unit = whole(one for row in wanted.values() for one in row)
        width = len(space.tasks)
        listed = [whole_rows[start : start + width] for start in range(0, len(whole_rows), width)]
        check_mixture(space, listed, shared.among(list(wanted)), space.vectors(vectors), bound.fraction() * unit)
        numbers = sorted({int(name.strip("+-")) for name in shared.fractions()})
        return Finding(f"{name_of_rule(rule)}, the answers {', '.join(map(str, numbers))} cannot all hold.{space}")
    model = led.of(str)
    ensure(model in rows, "the leader is not among the models")
    if not mixed.of(dict):
        ensure(pair.value is None or len(pair.all_of(str)) == len({*pair.value} & rows.keys()) == 2, "no next question")
        return Finding(
            f"some weights fit {len(given.value)} answers.{space}", ("who leads, and what to ask, drawn at random",)
        )
    ensure(not won.of(dict) and pair.value is None, "a proved model needs no draws and no question")
    closed = space
    for row in wanted.values():
        terms = {task: one for task, one in zip(space.tasks, row, strict=True) if one}
        closed = closed.with_condition(Condition("sum", terms, ">=", ZERO)) if terms else closed
    check_mixtures((model,), loss, mixed, rows, closed, unit=points.unit)
    said = f"{name_of_rule(rule)}, {model} is within {loss} of the best under every weighting that fits"
    return Finding(f"{said} {len(given.value)} answers.{space}")


# 7. Claims about rankings: have they a structure? --------------------------------------------------------------------


class Profile(NamedTuple):
    """Rankings: for each voter the rank of each model by name, 1 being the best; unranked models are left out."""

    models: tuple[str, ...]
    ranks: Mapping[str, Mapping[str, int]]
    ties: str = ""

    def ensure_complete(self) -> None:
        """Ensure that every voter ranks every model, and none like another."""
        strict = all(len(set(own.values())) == len(own) == len(self.models) for own in self.ranks.values())
        ensure(strict, "the question is about strict rankings of all models")


def read_profile(document: Part, left_out: Part, table: Table | None) -> Profile:
    """Return the rankings that were tested: the table's without voters of weight 0, or those with its ties broken."""
    named, listed, weighted = document.parts("models ranks weights")
    models, weights, ranks = named.names(), weighted.fractions(), {}
    for voter, places in listed.entries().items():
        numbers = places.all_of(int)
        dense = set(numbers) - {0} == set(range(1, len(set(numbers) - {0}) + 1))
        ensure(len(numbers) == len(models) and dense, f"voter {voter!r} needs a rank for each model, none left out")
        ranks[voter] = {model: place for model, place in zip(models, numbers, strict=True) if place}
    ensure(ranks and set(weights) <= set(ranks), "there must be voters, and weights of them")
    ensure(all(one > 0 for one in weights.values()), "a tested voter has no weight")
    idle = left_out.all_of(str)
    if table is not None:
        ensure_names("voter of weight 0", idle, [task for task, weight in table.weights.items() if not weight])
        ensure_names("model", models, table.models)
        ensure_names("voter", list(ranks), [task for task, weight in table.weights.items() if weight])
        for voter, own in ranks.items():
            ensure(weights.get(voter, ONE) == table.weights[voter], f"the table gives {voter!r} another weight")
            ensure(is_ranking_of(own, table, voter), f"in the table voter {voter!r} ranks the models differently")
    return Profile(models, ranks, ties_told(ranks, table))


def ties_told(ranks: Mapping[str, Mapping[str, int]], table: Table | None) -> str:
    """Return how ties were broken, which the maker of a document is free to choose; nothing if there are no ties."""
    if any(len(set(own.values())) < len(own) for own in ranks.values()):
        return ", with ties broken to suit it"
    scores = {} if table is None else {voter: scores_of(table, voter) for voter in ranks}
    tied = [voter for voter, own in scores.items() if len(set(own.values())) < len(own)]
    if not tied:
        return ""
    for way, turned in (("alphabetically", False), ("in reverse alphabetical order", True)):
        if all(along_ranks(ranks[voter]) == along_names(scores[voter], turned=turned) for voter in tied):
            return f", with ties broken {way}"
    return f", with ties broken as the document lists, on {len(tied)} task{'s' * (len(tied) > 1)}"


def along_ranks(ranks: Mapping[str, int]) -> list[str]:
    """Return the models in the order of their ranks."""
    return sorted(ranks, key=ranks.__getitem__)


def along_names(scores: Mapping[str, int], *, turned: bool) -> list[str]:
    """Return the models by falling scores, those of equal scores in the order of their names, or the reverse."""
    return sorted(sorted(scores, reverse=turned), key=lambda one: -scores[one])


def scores_of(table: Table, task: str) -> dict[str, int]:
    """Return the scores of the models that have one on a task."""
    pairs = zip(table.models, table.columns[task].values, strict=True)
    return {model: score for model, score in pairs if score is not None}


def is_ranking_of(ranks: Mapping[str, int], table: Table, task: str) -> bool:
    """Return whether ranks are those of a task's scores, or a strict tie-breaking of them."""
    column, scores = table.columns[task], scores_of(table, task)
    if column.allowed or column.relative or ranks.keys() != scores.keys():
        return False
    best = sorted(set(scores.values()), reverse=True)
    if len(set(ranks.values())) < len(ranks):
        return all(best[ranks[model] - 1 : ranks[model]] == [score] for model, score in scores.items())
    along = [scores[model] for model in sorted(scores, key=ranks.__getitem__)]
    return along == sorted(along, reverse=True)


def is_opposed(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether two voters rank a > b > c and c > b > a, and both d above b."""
    ordered = one[0] < one[1] < one[2] and other[2] < other[1] < other[0]
    return ordered and one[3] < one[1] and other[3] < other[1]


def is_crossed(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether one voter ranks a > b > c > d and the other b > d > a > c."""
    return one[0] < one[1] < one[2] < one[3] and other[1] < other[3] < other[0] < other[2]


# For each forbidden sub-profile the numbers of voters and of models, and whether ranks, a voter a row, show it. The
# first two keep rankings from being single-peaked, the last two from being group-separable (Ballester and Haeringer,
# Social Choice and Welfare 2011): either property passes to any part of the voters and models, and these lack it.
PATTERNS: dict[str, tuple[int, int, Callable[[list[list[int]]], bool]]] = {
    "three_worst": (3, 3, lambda ranks: all(max(row) == row[one] for one, row in enumerate(ranks))),
    "opposed_below": (2, 4, lambda ranks: is_opposed(*ranks)),
    "three_middle": (3, 3, lambda ranks: all(sorted(row)[1] == row[one] for one, row in enumerate(ranks))),
    "crossed": (2, 4, lambda ranks: is_crossed(*ranks)),
}


def check_forbidden(document: Part, own: Profile, allowed: set[str]) -> None:
    """Ensure that some voters rank some models as the domain forbids."""
    pattern, roles, voters, orders = document.parts("pattern roles voters orders")
    ensure(pattern.of(str) in allowed, f"the pattern {shown(pattern.value)} is not forbidden here")
    count, size, shows = PATTERNS[pattern.value]
    models, named = roles.names(), voters.names()
    ensure(len(models) == size and set(models) <= set(own.models), "the models do not fit the pattern")
    ensure(len(named) == count and set(named) <= set(own.ranks), "the voters do not fit the pattern")
    listed = [[place.all_of(str) for place in one.items()] for one in orders.items()]
    ensure(len(listed) == count, "an order is missing")
    for voter, order in zip(named, listed, strict=True):
        ranks = own.ranks[voter]
        strict = len({ranks[model] for model in models if model in ranks}) == size
        ensure(strict, f"voter {voter!r} ties some of the models, or leaves them out")
        along = [(model,) for model in sorted(models, key=ranks.__getitem__)]
        ensure(order == along, f"voter {voter!r} ranks the models differently")
    found = shows([[own.ranks[voter][model] for model in models] for voter in named])
    ensure(found, f"this does not show {pattern.value}")


def single_peaked(document: Part, table: Table | None) -> Finding:
    """Check an axis, along which no voter ranks a model below one on each side, or the reason why none exists."""
    names = "kind holds profile left_out axis witness solver"
    _, holds, written, left_out, axis, witness, solver = document.parts(names)
    own = read_profile(written, left_out, table)
    ensure(holds.of(bool) == (axis.value is not None), "the answer is yes without an axis, or no with one")
    reasons = (witness.value is not None) + (solver.value != "")
    ensure(reasons == (not holds.value), "the answer no rests on a witness, or on a solver")
    if not holds.value:
        given = {} if witness.value is None else witness.of(dict)
        if "pattern" in given:
            check_forbidden(witness, own, {"three_worst", "opposed_below"})
        elif "rows" in given:
            check_sets_clash(witness, own)
        else:
            raise NotCheckedError("why rankings with gaps have no axis")
        return Finding(f"the rankings are not single-peaked{own.ties}.")
    along = axis.all_of(str)
    ensure(sorted(along) == sorted(own.models), "the axis is not one of the models")
    for voter, ranks in own.ranks.items():
        ranked = [ranks[model] for model in along if model in ranks]
        sunk = any(min(ranked[:at]) < ranked[at] > min(ranked[at + 1 :]) for at in range(1, len(ranked) - 1))
        ensure(not sunk, f"the axis does not fit voter {voter!r}")
    return Finding(f"the rankings are single-peaked along the axis given{own.ties}.")


def check_sets_clash(document: Part, own: Profile) -> None:
    """Ensure that upper sets of voters, each an interval of any axis that fits, are intervals of no common axis.

    Any smaller selection of sets or of models may be intervals of one: the claim is that nothing in the witness is
    superfluous.
    """
    named, listed, below = document.parts("models rows lower")
    models = named.names()
    ensure(not below.of(bool), "the sets are at the wrong end of the rankings")
    sets = []
    for one in listed.items():
        voter, members = one.items() if len(one.of(list)) == 2 else refuse("rows: pairs are needed")
        ranks, inside = own.ranks.get(voter.of(str), {}), set(members.names())
        ensure(inside and inside < set(models) <= ranks.keys(), f"voter {voter.value!r} does not rank such a set")
        above = max(ranks[model] for model in inside) < min(ranks[model] for model in set(models) - inside)
        ensure(above, f"voter {voter.value!r} does not rank the set above the others")
        sets.append(inside)
    pairs = len(models) ** 2 + sum(len(one) * (len(models) - len(one)) for one in sets)
    if (len(models) + len(sets)) * pairs > MOST_STEPS // 10:
        raise NotCheckedError("the witness is too large to be checked in a short time")

    def clash(among: Sequence[str], chosen: Iterable[set[str]]) -> bool:
        # An interval says that all that are inside are on one side of each model outside.
        parts = [([one for one in among if one in inside], inside) for inside in chosen]
        return sides_contradict(among, [(one, own) for own, inside in parts for one in among if one not in inside])

    ensure(clash(models, sets), "the sets are intervals of one axis")
    for place in range(len(sets)):
        ensure(not clash(models, sets[:place] + sets[place + 1 :]), "a set is not needed")
    for model in models:
        ensure(not clash([one for one in models if one != model], sets), f"model {model!r} is not needed")


def sides_contradict(models: Sequence[str], said: Iterable[tuple[str, Sequence[str]]]) -> bool:
    """Return whether statements "these are all on one side of b" fit no axis.

    Pairs "x is on the left of y" that follow from each other are joined; a contradiction joins one with its reverse
    (McConnell, SODA 2004).
    """
    parent = {(x, y): (x, y) for x in models for y in models if x != y}

    def root(pair: tuple[str, str]) -> tuple[str, str]:
        while parent[pair] != pair:
            parent[pair] = pair = parent[parent[pair]]
        return pair

    for outside, together in said:
        for other in together[1:]:
            parent[root((together[0], outside))] = root((other, outside))
            parent[root((outside, together[0]))] = root((outside, other))
    return any(root((x, y)) == root((y, x)) for x, y in parent)


def group_separable(document: Part, table: Table | None) -> Finding:
    """Check that the models can be cut in two again and again, one part above the other for each voter."""
    _, holds, written, left_out, order, cuts, witness = document.parts("kind holds profile left_out order cuts witness")
    own = read_profile(written, left_out, table)
    own.ensure_complete()
    given = [one.value is not None for one in (order, cuts, witness)]
    ensure(given == [holds.of(bool), holds.value, not holds.value], "yes takes an order with cuts, no a witness")
    if not holds.value:
        check_forbidden(witness, own, {"three_middle", "crossed"})
        return Finding(f"the rankings are not group-separable{own.ties}.")
    names = order.all_of(str)
    ensure(sorted(names) == sorted(own.models), "the order is not one of the models")
    uncut = [(0, len(names))]  # depth first, the upper part before the lower one, as the cuts are listed
    for one in cuts.items():
        while uncut and uncut[-1][1] - uncut[-1][0] < 2:
            uncut.pop()
        (start, stop), places = uncut.pop() if uncut else (0, 0), one.all_of(int)
        fits = len(places) == 3 and places[0] == start < places[1] < stop == places[2]
        ensure(fits, f"the cut {shown(one.value)} is not the next")
        cut = places[1]
        for voter, ranks in own.ranks.items():
            upper, lower = ([ranks[model] for model in part] for part in (names[start:cut], names[cut:stop]))
            apart = max(upper) < min(lower) or max(lower) < min(upper)
            ensure(apart, f"voter {voter!r} mixes the blocks of the cut {shown(one.value)}")
        uncut += [(cut, stop), (start, cut)]
    ensure(all(stop - start < 2 for start, stop in uncut), "a block is left uncut")
    return Finding(f"the rankings are group-separable{own.ties}.")


def distance_restricted(document: Part, table: Table | None) -> Finding:
    """Check on how many pairs of models two voters disagree at most."""
    names = "kind holds profile left_out degree largest_distance farthest swapped"
    _, holds, written, left_out, allowed, largest, apart, swapped = document.parts(names)
    own, degree = read_profile(written, left_out, table), allowed.integer()
    own.ensure_complete()
    ensure(degree >= 0, f"the degree must be 0 or more; got {degree}")
    voters, models = list(own.ranks), own.models
    pairs = [(x, y) for place, x in enumerate(models) for y in models[:place]]
    bits = {v: sum((own.ranks[v][x] < own.ranks[v][y]) << at for at, (x, y) in enumerate(pairs)) for v in voters}
    found = max((bits[one] ^ bits[other]).bit_count() for one in voters for other in voters)
    ensure(largest.integer() == found, f"the largest distance is {found}, not {largest.value}")
    ensure(holds.of(bool) == (found <= degree), f"a largest distance of {found} says otherwise")
    far = apart.all_of(str)
    ensure(set(far) <= set(voters) and (not found or len(far) == 2), f"{far} are not two voters")
    ensure(len(far) != 2 or (bits[far[0]] ^ bits[far[1]]).bit_count() == found, f"{far} are not the farthest voters")
    ensure((swapped.value is not None) == (found == 1), "one pair is swapped exactly if the distance is 1")
    if swapped.value is not None:
        swaps = {bits[one] ^ bits[other] for one in voters for other in voters} - {0}
        pair = pairs[swaps.pop().bit_length() - 1][::-1] if len(swaps) == 1 else ()
        ensure(swapped.all_of(str) == pair, "another pair is swapped")
    return Finding(f"any two voters disagree on {found} pairs of models at most{own.ties}.")


# 8. Claims about majorities: winners, cycles, and the orders that contradict least -----------------------------------


class Margins(NamedTuple):
    """For each two models the weight of the tasks that the first leads, and of those that tie, in common units."""

    models: tuple[str, ...]
    wins: list[list[int]]
    ties: list[list[int]]
    unit: Fraction

    @property
    def net(self) -> list[list[int]]:
        """Wins of the row over the column, less the column's."""
        size = range(len(self.models))
        return [[self.wins[i][j] - self.wins[j][i] for j in size] for i in size]


def majorities(table: Table) -> Margins:
    """Return the margins of a table; a task counts for two models that both have a score there."""
    size = range(len(table.models))
    weights, unit = whole(table.weights.values())
    wins, ties = ([[0] * len(size) for _ in size] for _ in range(2))
    for column, weight in zip(table.columns.values(), weights, strict=True):
        for i, j in ((i, j) for i in size for j in size if i != j):
            if column.values[i] is not None and column.values[j] is not None:
                lead = column.sign(i, j)
                wins[i][j] += weight * (lead > 0)
                ties[i][j] += weight * (lead == 0)
    return Margins(table.models, wins, ties, Fraction(1, unit))


def read_margins(document: Part, table: Table | None) -> Margins:
    """Return margins, ensuring that they are possible, and the table's."""
    named, won, tied, units = document.parts("models wins ties denominator")
    models = named.names()
    wins, ties = (one.square(len(models), Part.integer) for one in (won, tied))
    ensure(units.integer() > 0, "the denominator of margins is positive")
    size = range(len(models))
    least = min(min(row) for row in (*wins, *ties))
    fits = least >= 0 and all(ties[i][j] == ties[j][i] and not wins[i][i] + ties[i][i] for i in size for j in size)
    ensure(fits, "wins and ties must not be negative, ties the same from both sides, and no model meets itself")
    own = Margins(models, wins, ties, Fraction(1, units.value))
    if table is not None:
        ensure_same_margins(own, majorities(table))
    return own


def ensure_same_margins(own: Margins, found: Margins) -> None:
    """Ensure that margins are those of a table."""
    models, size = own.models, range(len(own.models))
    ensure(models == found.models, "the models are not those of the table, in order")
    for what, carried, counted in (("wins", own.wins, found.wins), ("ties", own.ties, found.ties)):
        for i, j in ((i, j) for i in size for j in size):
            weight = counted[i][j] * found.unit
            where = f"the {what} of {models[i]!r} over {models[j]!r} weigh {weight} in the table"
            ensure(carried[i][j] * own.unit == weight, where)


def strongest_cycle(document: Part, table: Table | None) -> Finding:
    """Check a majority cycle, and that none is stronger."""
    *_, written = document.parts("kind models strength order margins")
    size, strength = check_cycle(document, read_margins(written, table))
    return Finding(f"the majorities have a cycle of {size} models; none is stronger than {strength}.")


def check_cycle(document: Part, margins: Margins) -> tuple[int, Fraction]:
    """Check a cycle and its strength, the least margin in it.

    None is stronger: every cycle runs up the order given in some duel, and no duel up this order is stronger.
    """
    kind, named, strong, ordered, _ = document.parts("kind models strength order margins")
    ensure(kind.value == "strongest_cycle", f"{shown(kind.value)} is no cycle")
    cycle, strength, order = named.names(), strong.fraction(), ordered.all_of(str)
    at, net = {name: place for place, name in enumerate(margins.models)}, margins.net
    ensure(len(cycle) >= 3 and set(cycle) <= set(at), "a cycle has three distinct models or more")
    least = min(net[at[one]][at[other]] for one, other in zip(cycle, (*cycle[1:], cycle[0]), strict=True))
    ensure(least * margins.unit == strength > 0, f"the weakest duel of the cycle has not margin {strength}")
    ensure(sorted(order) == sorted(at), "the order does not hold every model once")
    for place, below in enumerate(order):
        for above in order[:place]:
            fits = net[at[below]][at[above]] <= least
            ensure(fits, f"{below!r} beats {above!r} above it in the order by more than {strength}")
    return len(cycle), strength


def majority_overview(document: Part, table: Table | None) -> Finding:
    """Check the Condorcet winner and loser, and the cycles of the majorities."""
    names = "kind condorcet_winner condorcet_loser sets triple three_cycles cycle lottery source"
    _, winner, loser, _, _, cycles, cycle, _, source = document.parts(names)
    unchecked: tuple[str, ...] = ("the sets of winners, the lottery and the intransitive triple",)
    if "wins" in source.of(dict):
        margins = read_margins(source, table)
    elif table is None:
        raise NotCheckedError("the scores in the document, which are not read here; give their table")
    else:
        margins, unchecked = majorities(table), (*unchecked, "whether it carries the scores of the table")
    models, net = margins.models, margins.net
    beats = {one: {models[j] for j, margin in enumerate(net[i]) if margin > 0} for i, one in enumerate(models)}
    by = {one: {other for other in models if one in beats[other]} for one in models}
    top, bottom = ([one for one in models if len(own[one]) == len(models) - 1] for own in (beats, by))
    ensure(winner.value == (top[0] if top else None), "the Condorcet winner is another")
    ensure(loser.value == (bottom[0] if bottom else None), "the Condorcet loser is another")
    count = sum(len(beats[two] & by[one]) for one in models for two in beats[one]) // 3
    ensure(cycles.integer() == count, f"there are {count} cycles of three models")
    left = set(models) if cycle.value is None else set()
    while ends := {one for one in left if not beats[one] & left}:
        left -= ends
    ensure(not left, "there is a cycle")  # each model that is left beats another that is
    if cycle.value is not None:
        check_cycle(cycle, margins)
        ensure_same_margins(read_margins(Part(cycle.value["margins"], "margins"), None), margins)
    said = f"{winner.value} beats all others" if top else "no model beats all others"
    return Finding(f"{said}; there are {count} cycles of three models.", unchecked)


def missing_score_pairs(document: Part, table: Table | None) -> Finding:
    """Check which head-to-heads have another winner as missing scores count as ties, the worst or the best."""
    _, listed, weighed, written = document.parts("kind pairs weights signs")
    own = read_signs(written, table)
    names, weights, columns = own.models, weighed.among(own.tasks), own.columns.values()
    ensure(min(weights, default=ZERO) >= 0, "a weight is negative")
    if table is not None:
        at = {name: place for place, name in enumerate(table.models)}
        for task, weight in zip(own.tasks, weights, strict=True):
            ensure(weight == table.weights[task], f"{task!r} has another weight in the table")
            same = all(
                (own.columns[task].values[i] is None) == (table.columns[task].values[at[one]] is None)
                for i, one in enumerate(names)
            )
            ensure(same, f"other scores on {task!r} are missing in the table")
    found = []
    for i, j in ((one, two) for one in range(len(names)) for two in range(one + 1, len(names))):
        lead = total(weight * one.sign(i, j) for one, weight in zip(columns, weights, strict=True))
        alone = [(one.values[i] is not None) - (one.values[j] is not None) for one in columns]
        change = total(map(operator.mul, alone, weights))
        if len({(one > 0) - (one < 0) for one in (lead, lead + change, lead - change)}) > 1:
            found.append((names[i], names[j]))
    ensure([one.all_of(str) for one in listed.items()] == found, "other pairs depend on missing scores")
    return Finding(f"{len(found)} head-to-heads have a winner that depends on how missing scores count.")


# Blocks of at most this many models are settled by dynamic programming over all sets; larger ones by the bound given.
SEARCHED = 12
# How the prover settled a block; what it claims of the block is worked out again, or named as not checked.
SETTLED_BY = {"search", "tilted search", "cost search", "solver", "nothing"}
BLOCK = "models order cost shared number means triangles turned first last ends"


def median_order(document: Part, table: Table | None) -> Finding:
    """Check the cost of an order, and that none costs less (kinds ``kemeny``, ``slater``).

    Blocks, in which each model beats all models of later blocks, stand so in some order of least cost; hence each is
    settled by itself. Kemeny counts the weight of the duels that the lower model wins, Slater the duels.
    """
    is_kemeny = document.value["kind"] == "kemeny"
    names = "kind order cost bound unique number winners places margins blocks solver"
    _, ordered, priced, least, unique, count, won, said, written, listed, solver, *penalties = document.parts(
        f"{names} tie_penalty" if is_kemeny else names
    )
    margins, order = read_margins(written, table), [place.all_of(str) for place in ordered.items()]
    at = {name: place for place, name in enumerate(margins.models)}
    ensure(sorted(order) == sorted((name,) for name in at), "the order does not hold every model once, without ties")
    places = [at[name] for (name,) in order]
    net = margins.net if is_kemeny else [[(one > 0) - (one < 0) for one in row] for row in margins.net]
    # Blocks are priced in units of what all margins have in common.
    unit = math.gcd(*(one for row in net for one in row)) or 1
    net = [[one // unit for one in row] for row in net]
    cost = Fraction(order_cost(net, places))
    if is_kemeny:
        penalty = penalties[0].fraction()
        ensure(penalty >= 0, "the tie penalty is negative")
        below = [(low, high) for at, low in enumerate(places) for high in places[:at]]
        cost = margins.unit * sum(margins.wins[low][high] + penalty * margins.ties[low][high] for low, high in below)
    priced.ensure_is(cost)
    blocks = [one.parts(BLOCK) for one in listed.items()]
    found, gap, ends, open_parts = check_blocks(blocks, places, net)
    firsts = tuple(name for name in at if ends[at[name]][0] == 1)
    ensure(won.all_of(str) == firsts, f"first in orders of least cost are {', '.join(firsts)}")
    told = tuple(range_text(*ends[place]) for place in range(len(ends)))
    ensure(said.all_of(str) == told, "the ranks that models take in orders of least cost are others")
    by_solver = any(block[5].value == "solver" for block in blocks)
    ensure(solver.value in (SOLVERS if by_solver else (None,)), "another solver was needed")
    if found is not None:
        fits = count.integer() == found and unique.of(bool) == (found == 1)
        ensure(fits, f"{found} orders cost as little")
    bound = cost - gap * unit * (margins.unit if is_kemeny else 1)
    least.ensure_is(bound)
    but = " except for what follows" if open_parts else ""
    than = f" than {bound}" if gap else ""
    return Finding(f"the order costs {cost}, and no order costs less{than}{but}.", tuple(open_parts))


def check_blocks(
    blocks: Sequence[Sequence[Part]], places: Sequence[int], net: Rows
) -> tuple[int | None, int, dict[int, tuple[int, int, int, int]], list[str]]:
    """Ensure that blocks make up an order, each at its least cost.

    Returned are how many orders cost as little, what may be saved, the ends of each model, and what is not checked.
    """
    ends: dict[int, tuple[int, int, int, int]] = {}
    found: int | None = 1
    start, gap, open_parts = 0, 0, list[str]()
    for block in blocks:
        size, ways, unchecked, more = check_block(block, places[start:], net)
        for model, own in block_ends(block, net).items():
            first, last, low, high = (start + 1 + one for one in own)
            ends[model] = first, last, low, high
        start += size
        gap += more
        found = None if found is None or ways is None else found * ways
        open_parts += unchecked
    ensure(start == len(places), "the blocks do not make up the order")
    return found, gap, ends, open_parts


def check_block(parts: Sequence[Part], places: Sequence[int], net: Rows) -> tuple[int, int | None, list[str], int]:
    """Ensure that a block begins what is left of the order, beats all that follows, and cannot be ordered better.

    Return its size, how many orders of least cost it has, None where that is not told, what is not checked, and by how
    much an order may cost less, where it is not said that none does.
    """
    members, order, priced, shared, count, means, triangles, others, *_ = parts
    models, inner = members.all_of(int), order.all_of(int)
    size, block, later = len(models), places[: len(models)], places[len(models) :]
    ensure(models and list(models) == sorted(set(block)), "the blocks do not make up the order")
    small = [[net[one][other] for other in models] for one in models]
    cost = order_cost(small, inner)
    ensure([models[one] for one in inner] == block, "the blocks do not make up the order")
    ensure(all(net[one][other] > 0 for one in block for other in later), "a block does not beat all later")
    ensure(priced.integer() == cost, f"a block's order costs {cost}, not {priced.value}")
    ensure(means.of(str) in SETTLED_BY, f"{shown(means.value)} proves nothing")
    ensure((count.value is not None) == (means.value == "search"), "only a full search counts orders")
    bound, beside = triangle_bound(small, triangles), [one.all_of(int) for one in others.items()]
    ensure(not beside or means.value not in {"search", "nothing"}, "a full search, or none, needs no other orders")
    ensure(all(order_cost(small, one) == cost for one in beside), "an order besides costs more, or less")
    ensure(inner not in beside, "an order besides is the same")
    ensure(all(len(own) == size for own in attained(parts)), "a block has places of other models")
    rest = f"how many orders of {size} models cost as little, what they share, and which ranks models take in them"
    if means.value == "nothing":
        return size, None, [rest], cost - math.ceil(bound)
    if size <= SEARCHED:
        ways, always, stands = least_orders(small, cost)
        found = [(min(one), max(one)) for one in stands]
        ensure(count.value is None or list(zip(*attained(parts), strict=True)) == found, "models take other ranks")
        ensure(count.value is None or count.integer() == ways, f"{ways} orders cost {cost}")
        ensure(
            count.value is None or shared.value == always, "the pairs that all orders of least cost share are others"
        )
        return (size, ways, [], 0) if count.value is not None else (size, None, [rest], 0)
    if bound <= cost - 1:
        whose = "a solver" if means.value == "solver" else "a search that is not repeated here"
        return size, None, [f"that {size} models cannot be ordered below {cost} rests on {whose}", rest], 0
    return size, None, [rest], 0


def attained(block: Sequence[Part]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the first and the last claimed place of a block's models, from 0."""
    return block[8].all_of(int), block[9].all_of(int)


def block_ends(block: Sequence[Part], net: Rows) -> dict[int, tuple[int, int, int, int]]:
    """Return for each model of a block the places that it takes, and those beyond which it takes none.

    After a full search they are the same; else the orders given show the first two, and the others follow from the
    shared pairs and from the bounds of ``ends``.
    """
    members, first, last = block[0].all_of(int), *attained(block)
    size, searched = len(members), block[5].value == "search"
    above = [[one == "1" for one in row] for row in block[3].all_of(str)]
    square = len(above) == size and all(len(row) == size for row in above)
    ensure(square, "a block has pairs of other models")
    if not searched:
        orders = [block[1].all_of(int), *(one.all_of(int) for one in block[7].items())]
        seen = [[order.index(one) for order in orders] for one in range(size)]
        ensure(
            all(first[i] == min(own) and last[i] == max(own) for i, own in enumerate(seen)), "models take other ranks"
        )
    least = list(first) if searched else [sum(row[i] for row in above) for i in range(size)]
    most = list(last) if searched else [size - 1 - sum(above[i]) for i in range(size)]
    small = [[net[one][other] for other in members] for one in members]
    for triangles in block[10].items():
        if searched:
            triangle_bound(small, triangles)  # sound, though the search says all
            continue
        closer = places_within(small, triangles, block[2].integer(), above)
        least = [max(one, low) for one, (low, _) in zip(least, closer, strict=True)]
        most = [min(one, high) for one, (_, high) in zip(most, closer, strict=True)]
    return {one: (first[i], last[i], least[i], most[i]) for i, one in enumerate(members)}


def places_within(net: Rows, triangles: Part, cost: int, above: Sequence[Sequence[bool]]) -> list[tuple[int, int]]:
    """Return between which places, from 0, each model stands in orders of some cost where some pairs stand so.

    Besides the bound, an order with p models above one costs at least what its pairs cost more than their cheaper
    sides, with those p above it for which that is least.
    """
    bound, price, scale = triangle_prices(net, triangles)
    room, size, ranges = (cost - bound) * scale, range(len(net)), []
    for one in size:
        rest = [other for other in size if other != one]
        more = {other: price[other][one] - price[one][other] for other in rest}
        free = sorted(more[other] for other in rest if not above[one][other] and not above[other][one])
        spent = sum(max(-by, 0) for other, by in more.items() if not above[other][one])
        spent += sum(max(by, 0) for other, by in more.items() if above[other][one])
        first = sum(above[other][one] for other in rest)
        costs = [spent + sum(free[:count]) for count in range(len(free) + 1)]
        fits = [first + count for count, own in enumerate(costs) if own <= room]
        ensure(fits, "no place is left for a model of a block")
        ranges.append((fits[0], fits[-1]))
    return ranges


def range_text(best: int, worst: int, least: int, most: int) -> str:
    """Return between which ranks a model is, in words; an end that is not proved is open."""
    low, high = " or better" * (best > least), " or worse" * (worst < most)
    if best == worst and not (low and high):
        return f"{best}{low}{high}"
    return f"{best}{low} to {worst}{high}"


def order_cost(net: Rows, order: Sequence[int]) -> int:
    """Return the cost of an order, best first: the head-to-heads won by the lower model."""
    ensure(sorted(order) == list(range(len(net))), "an order does not hold every model once")
    return sum(max(net[low][high], 0) for at, low in enumerate(order) for high in order[:at])


def least_orders(net: Rows, cost: int) -> tuple[int, list[str], list[set[int]]]:
    """Return how many orders of a few models cost the least, what is above what in all, and who takes which place.

    Dynamic programming over the sets S that stand on top (Held and Karp 1962): the least cost of ordering S is that of
    S without its last model x, plus what it costs that x stands below the others of S.
    """
    size = range(len(net))
    least, ways = [0] * (1 << len(net)), [1] * (1 << len(net))

    def options(chosen: int) -> Iterator[tuple[int, int]]:
        for last in (one for one in size if chosen >> one & 1):
            rest = chosen ^ 1 << last
            yield rest, least[rest] + sum(max(net[last][one], 0) for one in size if rest >> one & 1)

    for chosen in range(1, 1 << len(net)):
        priced = list(options(chosen))
        least[chosen] = min(price for _, price in priced)
        ways[chosen] = sum(ways[rest] for rest, price in priced if price == least[chosen])
    ensure(least[-1] == cost, f"an order of {len(net)} models costs {least[-1]}, less than {cost}")
    # From the whole downwards: the sets that stand on top in some order of least cost. Where none of them holds j
    # without i, i is above j in all these orders.
    tops, seen, stands = [len(least) - 1], {len(least) - 1}, [set[int]() for _ in size]
    for chosen in tops:
        tight = {rest for rest, price in options(chosen) if price == least[chosen]}
        for rest in tight:
            stands[(chosen ^ rest).bit_length() - 1].add(rest.bit_count())
        new = tight - seen
        tops += new
        seen |= new
    above = [[i != j and not any(s >> j & 1 and not s >> i & 1 for s in tops) for j in size] for i in size]
    return ways[-1], ["".join("01"[one] for one in row) for row in above], stands


def triangle_bound(net: Rows, document: Part) -> Fraction:
    """Return a lower bound on the cost of every order, by the multipliers of some triangles."""
    return triangle_prices(net, document)[0]


def triangle_prices(net: Rows, document: Part) -> tuple[Fraction, list[list[int]], int]:
    """Return a lower bound on the cost of every order: it has at most two of "a above b", "b above c", "c above a".

    With it what each pair costs, once the multipliers are added, times a scale.

    Each condition's multiplier is added to the pairs of its triangles and taken off as often as an order can have one
    of them, which adds nothing positive to any order; then each pair costs its cheaper side at least (Lagrange).
    Several triangles make one condition where they are an odd walk.
    """
    listed, counted, multiplied, unit = document.parts("corners sizes multipliers scale")
    size, scale, sizes, factors = range(len(net)), unit.integer(), counted.all_of(int), multiplied.all_of(int)
    price = [[max(net[low][high], 0) * scale for low in size] for high in size]
    ensure(scale > 0 and all(one >= 0 for one in factors), "a multiplier of a triangle is negative")
    triangles = [corners.all_of(int) for corners in listed.items()]
    apart = all(len(own) == len(set(own)) == 3 and set(own) <= set(size) for own in triangles)
    ensure(apart, "a triangle has three corners")
    whole = len(sizes) == len(factors) and all(one > 0 for one in sizes) and sum(sizes) == len(triangles)
    ensure(whole, "there must be one multiplier a condition, and each triangle in one condition")
    taken = start = 0
    for several, factor in zip(sizes, factors, strict=True):
        own, start = triangles[start : start + several], start + several
        ensure(several == 1 or is_odd_walk(own), "triangles that make one condition are no odd walk")
        for a, b, c in own:
            price[a][b] += factor
            price[b][c] += factor
            price[c][a] += factor if several == 1 else 2 * factor
        taken += factor * (2 if several == 1 else 3 * several - 1)
    cheaper = sum(min(price[one][other], price[other][one]) for one in size for other in range(one))
    return Fraction(cheaper - taken, scale), price, scale


def is_odd_walk(triangles: Sequence[Sequence[int]]) -> bool:
    """Return whether no order has three of each of k triangles, "c above a" counted twice; it has no more of one.

    Where the pairs a, b and b, c of all triangles name each pair evenly, the number that an order has is even or odd
    like the number of those named from their higher place, as "a above b" is 1 less "b above a". 3k is not.
    """
    pairs = [pair for a, b, c in triangles for pair in ((a, b), (b, c))]
    evenly = all(times % 2 == 0 for times in Counter(frozenset(pair) for pair in pairs).values())
    return evenly and (sum(one > other for one, other in pairs) + len(triangles)) % 2 == 1


# Lifts: raised to the best score on some tasks a model wins; against a mixture of rivals fewer bring too little.

MEANS = ("mean", "median", "mean_win_rate")


class Scores(NamedTuple):
    """A table of integers, greater being better, and of weights, each over one denominator; a lift, and the rule."""

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    rows: Rows
    weights: Sequence[int]
    level: int | None
    rule: str
    points: Sequence[int]

    def lifted(self, model: int) -> list[int]:
        """Return the scores of a model raised on every task."""
        best = [max(column) for column in zip(*self.rows, strict=True)]
        risen = best if self.level is None else [one + self.level for one in self.rows[model]]
        return [max(pair) for pair in zip(self.rows[model], risen, strict=True)]

    def worth(self, column: Sequence[int], parts: int) -> list[int]:
        """Return each model's points on a task with these scores; tied models share the points of their places."""
        if self.rule == "mean":
            return list(column)
        ties, seen, found = Counter(column), 0, dict[int, int]()
        for one in sorted(ties, reverse=True):
            shared = sum(self.points[seen : seen + ties[one]]) * (parts // ties[one])
            found[one] = 2 * (len(column) - seen) - ties[one] - 1 if self.rule == "mean_win_rate" else shared
            seen += ties[one]
        return [found[one] for one in column]

    def cover(self, model: int, *, shared: bool) -> list[tuple[int, list[int]]]:
        """Return for each model what the one to lift lacks against it, and what each lifted task brings."""
        own, raised = self.rows[model], self.lifted(model)
        if self.rule == "median":
            half = sum(self.weights) // 2 + 1
            bars = [lower_median(row, self.weights) for row in self.rows]
            passes = [[[one >= bar if shared else one > bar for one in row] for row in (own, raised)] for bar in bars]
            held = [sum(w for w, one in zip(self.weights, now, strict=True) if one) for now, _ in passes]
            gained = [[w * (then - now) for w, now, then in zip(self.weights, *both, strict=True)] for both in passes]
            return [(half - one, gains) for one, gains in zip(held, gained, strict=True)]
        columns = [list(column) for column in zip(*self.rows, strict=True)]
        risen = [[*column[:model], one, *column[model + 1 :]] for column, one in zip(columns, raised, strict=True)]
        parts = math.lcm(*(tied for column in (*columns, *risen) for tied in Counter(column).values()))
        weights = self.weights
        if self.rule == "mean_win_rate":
            weights = whole(Fraction(one, max(len(self.rows) - 1, 1)) for one in weights)[0]
        leads: list[list[list[int]]] = []
        for table in (columns, risen):
            worth = table if self.rule == "majority" else [self.worth(column, parts) for column in table]
            gaps = [[column[model] - one for one in column] for column in worth]
            if self.rule == "majority":
                gaps = [[(gap > 0) - (gap < 0) for gap in row] for row in gaps]
            leads.append(
                [[w * row[rival] for w, row in zip(weights, gaps, strict=True)] for rival in range(len(self.rows))]
            )
        return [
            (int(not shared) - sum(now), [after - before for before, after in zip(now, then, strict=True)])
            for now, then in zip(*leads, strict=True)
        ]


def lower_median(row: Sequence[int], weights: Sequence[int]) -> int:
    """Return the least score with half of the weight at or below it."""
    below = 0
    for score, weight in sorted(zip(row, weights, strict=True)):
        below += weight
        if weight and 2 * below >= sum(weights):
            return score
    return refuse("no task weighs")


def places_of(rule: str, vector: Part, models: int) -> list[int]:
    """Return the points of the places, over one denominator; none for a rule that is not by places."""
    return whole(places_worth(rule, vector, models))[0]


def places_worth(rule: str, vector: Part, models: int) -> list[Fraction]:
    """Return the points of the places; none for a rule that is not by places."""
    named: dict[str, list[Fraction]] = {
        "borda": [Fraction(models - 1 - place) for place in range(models)],
        "dowdall": [Fraction(1, place + 1) for place in range(models)],
        "plurality": [Fraction(place == 0) for place in range(models)],
        "veto": [Fraction(place < models - 1) for place in range(models)],
    }
    ensure((rule == "scoring") == (vector.value is not None), "the rule 'scoring', and no other, has points of places")
    points = [one.fraction() for one in vector.items()] if rule == "scoring" else named.get(rule, [])
    ensure(rule != "scoring" or len(points) == models, "there must be points for each place")
    ensure(points == sorted(points, reverse=True), "a later place has more points")
    return points


class Carried(NamedTuple):
    """A table that a document carries: scores by task, None where missing, greater being better; what else it says."""

    models: tuple[str, ...]
    scores: dict[str, list[Fraction | None]]
    weights: list[Fraction]
    gaps: bool
    ties: bool
    more: bool
    tolerances: Sequence[tuple[Fraction, Fraction]]


def read_carried(document: Part) -> Carried:
    """Return the table that a document carries; what it says nothing about is left out there."""
    names = ("lower_is_better", "weights", "groups", "standard_errors", "tolerance", "relative_tolerance")
    held = {name: [] if name == "lower_is_better" else {} for name in names} | document.of(dict)
    # Each document says by which rule and between which bounds its questions are answered.
    Part(held.pop("rule", ""), "rule").of(str)
    _ = [ends.gapped(2) for ends in Part(held.pop("bounds", {}), "bounds").entries().values()]
    parts = Part(held, document.what).parts(f"models scores {' '.join(names)}")
    listed, scored, turned_round, weighed, grouped, erring, *tied = parts
    models, lower, sets = listed.names(), turned_round.all_of(str), grouped.entries()
    columns = {task: own.gapped(len(models)) for task, own in scored.entries().items()}
    errors = {task: own.gapped(len(models)) for task, own in erring.entries().items()}
    tasks, sizes = Part(list(columns), "tasks").names(), [one.fractions() for one in (weighed, *tied)]
    about = {*lower, *errors, *(task for own in (*sizes, *(one.names() for one in sets.values())) for task in own)}
    weights = [sizes[0].get(task, ONE) for task in tasks]
    numbers = [one or ZERO for own in (weights, *(own.values() for own in sizes), *errors.values()) for one in own]
    limits = [{task for task, size in own.items() if size} for own in sizes[1:]]
    fits = about <= set(tasks) and len(set(lower)) == len(lower) and all(map(str.strip, sets))
    if not fits or len(models) < 2 or min(numbers) < 0 or not any(weights) or limits[0] & limits[1]:
        refuse("the table needs two models, and of its tasks weights not all 0, one tolerance each, nothing negative")
    known = {task: [one is not None for one in own] for task, own in columns.items()}
    alone = any((one is not None) > known[task][at] for task, own in errors.items() for at, one in enumerate(own))
    if alone or not all(map(any, (*known.values(), *zip(*known.values(), strict=True)))):
        refuse("a model or a task of the table has no score, or a missing score has a standard error")
    scores = {task: [-one if one and task in lower else one for one in own] for task, own in columns.items()}
    gaps = not all(map(all, known.values()))
    allowed = [(sizes[1].get(task, ZERO), sizes[2].get(task, ZERO)) for task in tasks]
    return Carried(models, scores, weights, gaps, any(limits), bool(sets) or any(map(any, errors.values())), allowed)


# A rule to win by, the points of its places, and by how much a lifted score rises, None for up to the best.
Rule = tuple[str, list[int], Fraction | None]


def read_rule(rule: Part, level: Part, held: Carried) -> Rule:
    """Return a rule, ensuring that it reads the table."""
    name, missing, vector = rule.parts("name missing vector")
    known = ("majority", *MEANS, "borda", "dowdall", "plurality", "veto", "scoring")
    ensure(name.value in known, f"no rule {shown(name.value)}")
    way = "error" if name.value == "majority" else "skip" if name.value in MEANS else "last"
    if missing.value not in ("error", way):
        refuse(f"by {name.value}, missing scores cannot be {shown(missing.value)}")
    is_stuck = held.gaps and missing.value == "error" and name.value != "majority"
    if is_stuck or (held.ties and name.value in known[3:]):
        refuse(f"the rule {name.value} does not read scores that are missing, or tie within a tolerance")
    rise = None if level.value is None else level.fraction()
    ensure(rise is None or rise > 0, "a lift must be above 0")
    return name.of(str), places_of(name.of(str), vector, len(held.models)), rise


def ensure_same_table(held: Carried, table: Table | None, what: str, *, weighed: bool) -> None:
    """Ensure that a table that a document carries is the one given, and has its weights where they play a part."""
    if table is None:
        return
    tasks = tuple(held.scores)
    ensure_names("task", tasks, table.tasks)
    ensure_names("model", held.models, table.models)
    at = [table.models.index(one) for one in held.models]
    for task, own in held.scores.items():
        column = table.columns[task]
        if column.allowed or table.has_errors:
            raise NotCheckedError(f"{what} of a table with tolerances or standard errors")
        given = [column.values[one] for one in at]
        same = [None if one is None else Fraction(one, column.unit) for one in given] == own
        ensure(same, f"the scores of {task!r} are not the table's")
    theirs, shares = [table.weights[task] for task in tasks], held.weights
    same = [one * total(theirs) for one in shares] == [one * total(shares) for one in theirs]
    ensure(same or not weighed, "the weights differ")


def read_scores(held: Carried, rule: Rule, table: Table | None) -> Scores:
    """Return the scores that a claim about lifts is of, ensuring that they are those of the table given."""
    if held.gaps:
        raise NotCheckedError("lifts on tables where scores are missing")
    if held.ties or held.more:
        raise NotCheckedError("lifts on tables with groups, tolerances or standard errors")
    models, tasks, (name, points, rise) = held.models, tuple(held.scores), rule
    given = [[one or ZERO for one in own] for own in held.scores.values()]
    ensure_same_table(held, table, "lifts", weighed=True)
    *numbers, step = whole([one for own in given for one in own] + [rise or ZERO])[0]
    rows = [numbers[row :: len(models)] for row in range(len(models))]
    return Scores(models, tasks, rows, whole(held.weights)[0], None if rise is None else step, name, points)


class Lift(NamedTuple):
    """The tasks that a model is lifted on, None where all do not suffice, and rivals that show why no fewer suffice."""

    tasks: tuple[str, ...] | None
    mixture: dict[str, Fraction]
    is_free: bool
    tree: Part


def read_lift(document: Part) -> Lift:
    """Return one model's lifts."""
    listed, mixed, tree, solver, weighed, cuts = document.parts("tasks mixture tree solver weights cuts")
    for one in cuts.items():
        lifted, blockers, vectors, bound = one.parts("lifted mixture vectors bound")
        _ = lifted.all_of(str), blockers.fractions(), [row.fractions() for row in vectors.items()], bound.fraction()
    if solver.value not in (None, *SOLVERS):
        refuse(f"{shown(solver.value)} is not a solver")
    shares, tasks = mixed.fractions(), None if listed.value is None else listed.all_of(str)
    ensure(all(one > 0 for one in shares.values()), "a rival is in the mixture without a share")
    grounds = bool(shares) + (tree.value is not None) + (solver.value is not None)
    ensure(grounds <= (tasks != ()), "fewer lifts are refuted twice, or where none are needed")
    ensure(
        not shares if tasks == () else shares or tasks,
        "a mixture is given where no lifts are, and not where none is needed",
    )
    return Lift(tasks, shares, bool(weighed.fractions() or cuts.value), tree)


def check_lift(lift: Lift, scores: Scores, model: str, *, shared: bool) -> str:
    """Check one model's lifts; return how many there are, as far as it is shown that fewer do not suffice."""
    place, shares = scores.models.index(model), lift.mixture
    covers = dict(zip(scores.models, scores.cover(place, shared=shared), strict=True))
    rivals = [name for name in scores.models if name != model]
    # What a task brings beyond what is lacking does not count.
    lacking = {name: max(0, covers[name][0]) for name in rivals}
    gains = {name: [min(one, lacking[name]) for one in covers[name][1]] for name in rivals}
    ensure(shares.keys() <= set(rivals), "the mixture is of no rivals")
    chosen = [at for at, task in enumerate(scores.tasks) if task in (lift.tasks or ())]
    if lift.tasks is None:
        ensure(len(shares) == 1, "the mixture is not of the one rival that is not passed")
    else:
        ensure([scores.tasks[at] for at in chosen] == [*lift.tasks], "the lifted tasks are not the table's, in order")
        for name, least in lacking.items():
            ensure(sum(gains[name][at] for at in chosen) >= least, f"lifted, {model!r} does not pass {name!r}")
    if shares:
        brings = [total(one * gains[name][at] for name, one in shares.items()) for at in range(len(scores.tasks))]
        most = total(sorted(brings, reverse=True)[: len(brings) if lift.tasks is None else len(chosen) - 1])
        ensure(most < total(one * lacking[name] for name, one in shares.items()), "the mixture shows nothing")
    if lift.tree.value is not None:
        width, rows = len(scores.tasks), [gains[name] for name in rivals]
        ensure(chosen, "a tree stands where no lifts do")
        check_tree(
            lift.tree, rows, [lacking[name] for name in rivals], [1] * width, ([0] * width, [1] * width), len(chosen)
        )
    count = "never" if lift.tasks is None else str(len(chosen))
    return count if shares or not chosen or lift.tree.value is not None else f"at most {count}"


def lifts(document: Part, table: Table | None) -> Finding:
    """Check on how few tasks one model, or each, must rise to win."""
    single = document.value["kind"] == "fewest_lifts"
    more = " count model" if single else ""
    _, ruled, level, ties, space, written, found, *own = document.parts(f"kind rule level ties space table lifts{more}")
    held = read_carried(written)
    rule = read_rule(ruled, level, held)
    ensure(ties.value in ("no", "ok"), f"ties cannot be {shown(ties.value)}")
    claims = {one: read_lift(part) for one, part in ({own[1].of(str): found} if single else found.entries()).items()}
    ensure(list(claims) == list(held.models) or (single and set(claims) <= set(held.models)), "other models")
    for lift in claims.values() if single else ():
        counted = None if lift.tasks is None else len(lift.tasks)
        ensure(own[0].value == counted and type(own[0].value) is type(counted), f"the number is {counted}")
    if space.value is not None:
        read_space(space, tuple(held.scores))
        raise NotCheckedError("lifts where weights are free")
    ensure(not any(one.is_free for one in claims.values()), "weights are free, but no space is given")
    scores = read_scores(held, rule, table)
    told = [f"{one} {check_lift(lift, scores, one, shared=ties.value == 'ok')}" for one, lift in claims.items()]
    unshown = any(len(one.tasks or ()) > 0 and not one.mixture and one.tree.value is None for one in claims.values())
    return Finding(f"lifts to win by {rule[0]}: {', '.join(told)}.", ("that fewer do not suffice, of some",) * unshown)


# card, fewest_drops, leave_one_out: how firm first place is.

# Rules by which a lead is a sum over the tasks; those by which the worst of errors is known.
SUMS = ("majority", "mean", "borda", "dowdall", "plurality", "veto")
WITH_ERROR = ("mean", "borda", "majority")


def order(one: Any, other: Any) -> int:
    """Return 1 where the one is greater, -1 where the other is, 0 where they are equal."""
    return int(one > other) - int(one < other)


def read_sums(document: Part, rule: str, table: Table | None, what: str) -> Carried:
    """Return the table that a document carries, ensuring that a rule reads it and that it is the one given."""
    held = read_carried(document)
    if rule not in SUMS or held.ties or held.more:
        raise NotCheckedError(f"{what} by {rule}, or on tables with groups, tolerances or standard errors")
    ensure(rule == "majority" or not held.gaps, f"{rule} does not read missing scores")
    ensure_same_table(held, table, what, weighed=True)
    return held


def worth_of(rule: str, column: Sequence[Fraction | None]) -> list[Fraction]:
    """Return the worth of scores on a task by the mean or a positional rule; tied models share the points."""
    if rule == "mean":
        return [one or ZERO for one in column]
    by = PointRule(rule, "average", "last", tuple(places_worth(rule, Part(None, "vector"), len(column))))
    ranked = sorted({one for one in column if one is not None})
    return by.points([None if one is None else ranked.index(one) for one in column])


def task_leads(held: Carried, rule: str, first: str) -> dict[str, list[Fraction]]:
    """Return a model's lead over each other on each task, by weight."""
    at, found = held.models.index(first), {one: list[Fraction]() for one in held.models}
    for column, weight in zip(held.scores.values(), held.weights, strict=True):
        own = column[at]
        if rule == "majority":
            gaps = [Fraction(0 if own is None or one is None else order(own, one)) for one in column]
        else:
            worth = worth_of(rule, column)
            gaps = [worth[at] - one for one in worth]
        for one, gap in zip(found, gaps, strict=True):
            found[one].append(weight * gap)
    return {name: row for name, row in found.items() if name != first}


def fewest_drops(document: Part, table: Table | None) -> Finding:
    """Check that a rival is ahead without some tasks, and none without fewer: the largest leads go first."""
    names = "kind count model rivals rival drop dropped votes rule table"
    _, count, named, against, passing, drop, dropped, votes, ruled, written = document.parts(names)
    if drop.of(str) != "tasks":
        raise NotCheckedError("models or votes to drop")
    rule = read_rule(ruled, Part(None, "level"), read_carried(written))[0]
    held = read_sums(written, rule, table, "tasks to drop")
    model, rivals = named.of(str), against.all_of(str)
    among = [one for one in held.models if one in rivals]
    ensure(model in held.models and model not in rivals and among == [*rivals], "the rivals are not of the table")
    ensure(len(rivals) in (1, len(held.models) - 1), "the question is about one rival or all of them")
    leads_over, width = task_leads(held, rule, model), len(held.scores)
    behind = [one for one in rivals if total(leads_over[one]) <= 0]
    ensure(not behind, f"{model!r} is not ahead of {behind[:1]} today")
    gone = None if dropped.value is None else dropped.all_of(str)
    ensure((gone is None) == (passing.value is None) and votes.value is None, "a rival has tasks, and no votes")
    counted = None if gone is None else len(gone)
    ensure(count.value == counted and type(count.value) is type(counted), f"the count is {counted}")
    if gone is not None:
        ensure([one for one in held.scores if one in gone] == [*gone], "what is dropped is not of the table, in order")
        ensure(passing.of(str) in rivals, f"{passing.value!r} is not a rival")
        left = total(
            lead for task, lead in zip(held.scores, leads_over[passing.value], strict=True) if task not in gone
        )
        ensure(left < 0, f"without them {passing.value!r} is not ahead: the lead is {left}")
    fewer = width if gone is None else len(gone) - 1
    for one in rivals:
        most = total(max(lead, ZERO) for lead in sorted(leads_over[one], reverse=True)[:fewer])
        ensure(total(leads_over[one]) >= most, f"{one!r} is ahead without fewer tasks")
    so_many = "one task is" if gone is not None and len(gone) == 1 else f"{len(gone or ())} tasks are"
    told = "whatever tasks are dropped" if gone is None else f"until {so_many} dropped, no fewer"
    return Finding(f"{by_rule(rule)} {model} stays ahead {told}.")


def leads_with_errors(
    held: Carried, rule: str, first: str, unit: str, off: tuple[Fraction, int]
) -> dict[str, Fraction]:
    """Return the least lead over each rival when each score may be off by an error, a little less (-1) or more (1).

    The model's own scores are low then, and the rival's high. By Borda a third model takes two halves of a point where
    it can stand between them, and one tied with either; where the model is ahead for sure, it stays out of the
    way if it can. What is a little beyond an end is its second number.
    """
    found = {one: ZERO for one in held.models if one != first}
    for column, weight in zip(held.scores.values(), held.weights, strict=True):
        there = [one for one in column if one is not None]
        size = ONE if unit == "points" else max(there) - min(there)
        far, beyond = off[0] * size, off[1] if size else 0
        ends = {
            name: ((one - far, -beyond), (one + far, beyond))
            for name, one in zip(held.models, column, strict=True)
            if one is not None
        }
        for rival in found.keys() & ends.keys() if first in ends else ():
            low, high = ends[first][0], ends[rival][1]
            lead = 2 * order(low, high)
            for name, (least, most) in ends.items() if rule == "borda" else ():
                if name not in (first, rival):
                    # Twice 2 between the two, twice 1 at either, 0 outside: the most where that harms, else the least.
                    bottom, top = min(low, high), max(low, high)
                    inside, touches = least < top and most > bottom, least == top or most == bottom
                    outside = least < bottom or most > top
                    if low < high:
                        lead -= 2 if inside else int(touches)
                    elif low > high and not outside:
                        lead += 1 if least == bottom or most == top else 2
            found[rival] += weight * lead
    return found


def check_error(held: Carried, rule: str, first: str, rival: str, off: tuple[Fraction, str]) -> None:
    """Ensure that all smaller errors of the scores leave a model first, and that larger ones let a rival be level."""
    error, unit = off
    ensure(rival in held.models and rival != first and error >= 0, "an error is at least 0, and of a rival")
    if rule == "mean":
        spans = [max(map(exactly, own)) - min(map(exactly, own)) for own in held.scores.values()]
        sizes = [ONE] * len(spans) if unit == "points" else spans
        leads_over = {one: total(row) for one, row in task_leads(held, rule, first).items()}
        worth, least = 2 * total(map(operator.mul, held.weights, sizes)), min(leads_over.values())
        ensure(worth * error == least, f"the error that ends the lead of {first!r} is {least / worth}, not {error}")
        ensure(leads_over[rival] == least, f"{rival!r} cannot be level at that error")
        return
    before = leads_with_errors(held, rule, first, unit, (error, -1 if error else 0))
    ensure(min(before.values()) > 0, f"smaller errors end the lead of {first!r}")
    after = leads_with_errors(held, rule, first, unit, (error, 1))
    ensure(after[rival] <= 0, f"{rival!r} cannot be level at that error")


def first_by(held: Carried, rule: str) -> tuple[str, ...]:
    """Return the models with the greatest sum; by majority who beats all others."""
    leads_of_all = {one: [total(row) for row in task_leads(held, rule, one).values()] for one in held.models}
    least = 1 if rule == "majority" else 0
    return tuple(one for one, row in leads_of_all.items() if all(order(lead, 0) >= least for lead in row))


def complete_part(table: Table, left_out: Sequence[str]) -> Table:
    """Return a table without the models that lack scores, ensuring that the document names just these as left out."""
    lacking = [any(column.values[at] is None for column in table.columns.values()) for at in range(len(table.models))]
    gone = [one for one, lacks in zip(table.models, lacking, strict=True) if lacks]
    ensure(gone == [*left_out], f"the models that lack scores are {gone}")
    kept = [at for at, lacks in enumerate(lacking) if not lacks]
    columns = {task: own._replace(values=[own.values[at] for at in kept]) for task, own in table.columns.items()}
    return table._replace(models=tuple(table.models[at] for at in kept), columns=columns)


def whole_part(claim: Part, table: Table | None) -> Table | None:
    """Return the table without the models that lack scores, where a claim is by the points of just the others."""
    parts = [claim.value, claim.value.get("prospects")]
    points: dict[str, Any] = next(
        (one["points"] for one in parts if isinstance(one, dict) and isinstance(one.get("points"), dict)), {}
    )
    if table is None or not isinstance(points.get("models"), list):
        return table
    columns = table.columns.values()
    gone = [one for at, one in enumerate(table.models) if any(column.values[at] is None for column in columns)]
    left = [one for one in table.models if one not in gone]
    return complete_part(table, gone) if gone and points["models"] == left else table


def as_table(held: Carried) -> Table:
    """Return a carried table as one of integers."""
    columns = {}
    for task, own in held.scores.items():
        numbers, unit = whole(exactly(one) for one in own)
        given = [None if one is None else number for one, number in zip(own, numbers, strict=True)]
        columns[task] = Column(given, unit=unit)
    return Table(held.models, columns, dict(zip(held.scores, held.weights, strict=True)))


def card(document: Part, table: Table | None) -> Finding:
    """Check who is first, and what ends that: tasks dropped, weight shifted, errors of scores."""
    names = "kind tasks weight rule winners drops move error error_rival unit left_out board"
    _, tasks, weight, ruled, winning, drops, move, off, near, unit, lacking, written = document.parts(names)
    rule, winners, left_out = ruled.of(str), winning.all_of(str), lacking.all_of(str)
    if table is not None and (rule != "majority" or left_out):
        table = complete_part(table, left_out)
    held = read_sums(written, rule, table, "a card")
    first = first_by(held, rule)
    ensure(winners and winners == first, f"first today is {', '.join(first) or 'no model'}")
    ensure(unit.value in ("points", "range"), "errors are in points, or shares of a range")
    alone = len(first) == 1
    ensure(alone == (drops.value is not None) == (move.value is not None), "these parts need a single winner")
    ensure(
        (alone and rule in WITH_ERROR) == (off.value is not None) == (near.value is not None),
        "the standard errors do not fit the rule",
    )
    if not alone:
        ensure(type(tasks.value) is int and tasks.value == 0, "no task need go where first place is shared")
        weight.ensure_is(ZERO)
        return Finding(f"{by_rule(rule)} {' and '.join(first)} share first place.")
    kinds = [one.of(dict).get("kind") for one in (drops, move)]
    ensure(kinds == ["fewest_drops", "stability"], "the parts are of the wrong kinds")
    own, dropped, moved = as_table(held), drops.of(dict), move.of(dict)
    told = fewest_drops(drops, own).proved, stability(move, own).proved
    for name, one in (("drops", dropped), ("move", moved)):
        ensure(one["model"] == first[0] and one["rule"]["name"] == rule, f"{name} is of another winner or rule")
        ensure(len(one["rivals"]) == len(held.models) - 1, f"{name} is not of all rivals")
    ensure(moved["of"] == "winner" and not moved["space"]["conditions"], "the shift is not that of first place")
    ensure(moved["rule"]["ties"] == "average" and "l1" in moved["norms"], "the shift is by another rule or norm")
    ensure(tasks.value == dropped["count"] and type(tasks.value) is type(dropped["count"]), "the tasks are others")
    shifts = [Part(one, "value").of(dict)["value"] for one in moved["reversals"]["points"]["l1"] if one is not None]
    least = min((Part(one, "value").fraction() for one in shifts), default=None)
    ensure((least is None) == (weight.value is None), "a weight without a shift, or a shift without a weight")
    if least is not None:
        weight.ensure_is(least / 2)
    words = ""
    if off.value is not None:
        check_error(held, rule, first[0], near.of(str), (off.fraction(), unit.of(str)))
        words = f" Errors below {off.fraction()} ({unit.value}) do not end that."
    return Finding(f"{by_rule(rule)} {first[0]} is first. {' '.join(told)}{words}")


def sums_of(held: Carried, rule: str, models: Sequence[str], tasks: Iterable[str]) -> dict[str, Fraction]:
    """Return the totals of some models on some tasks, by the mean or by points of ranks among themselves."""
    at, sums, weights = [held.models.index(one) for one in models], [ZERO] * len(models), [*held.weights]
    for own, weight in [(held.scores[task], weights[[*held.scores].index(task)]) for task in tasks]:
        sums = [have + weight * one for have, one in zip(sums, worth_of(rule, [own[one] for one in at]), strict=True)]
    return dict(zip(models, sums, strict=True))


def leave_one_out(document: Part, table: Table | None) -> Finding:
    """Rank a table again, whole and without each task or model."""
    names = "kind deciding rule drop top winners parts models left_out board"
    _, deciding, ruled, drop, top, winning, listed, ranked, lacking, written = document.parts(names)
    named, options = ruled.parts("name options")
    rule, held, left_out = named.of(str), read_carried(written), lacking.all_of(str)
    if rule not in SUMS[1:] or options.of(dict) or held.ties or held.more:
        raise NotCheckedError(f"one left out in turn by {rule}, or on tables with groups, tolerances or errors")
    ensure_same_table(held, table, "one left out in turn", weighed=True)
    gaps = [any(own[at] is None for own in held.scores.values()) for at in range(len(held.models))]
    there = [one for one, lacks in zip(held.models, gaps, strict=True) if not lacks]
    ensure(there == [*ranked.all_of(str)], "other models are ranked")
    ensure([one for one in held.models if one not in there] == [*left_out], "other models lack scores")
    ensure(drop.value in ("tasks", "models"), "what is left out in turn is tasks or models")
    count = min(top.integer(), len(there))
    ensure(count == top.value >= min(2, len(there)), "pairs are of two or more models, all of the table")
    weights = dict(zip(held.scores, held.weights, strict=True))
    today = sums_of(held, rule, there, weights)
    first = [one for one in there if today[one] == max(today.values())]
    best = sorted(there, key=lambda one: -today[one])[:count]
    ensure([*winning.all_of(str)] == first, f"first today is {', '.join(first)}")
    turned, gone = [], [one for one in weights if weights[one]] if drop.value == "tasks" else there
    ensure(len(listed.of(list)) == len(gone) >= 2, f"not every one of the {drop.value} is left out")
    for part, name in zip(listed.items(), gone, strict=True):
        kept = [one for one in weights if one != name] if drop.value == "tasks" else [*weights]
        found = sums_of(held, rule, [one for one in there if one != name] if drop.value == "models" else there, kept)
        winners = [one for one in found if found[one] == max(found.values())]
        left = [one for one in best if one in found]
        swaps = sum(found[one] < found[other] for at, one in enumerate(left) for other in left[at + 1 :])
        whole_now = [
            one for one in left_out if all(held.scores[task][held.models.index(one)] is not None for task in kept)
        ]
        stay = [one for one in first if one in found]
        said = [name, winners, [one for one in stay if one not in winners], swaps, whole_now]
        own = [one.value for one in part.parts("name winners passed swaps completed")]
        ensure(own == said and type(own[3]) is int, f"without {name!r} the table says something else")
        turned += [name] if stay and winners != stay else []
    ensure([*deciding.all_of(str)] == turned, "others decide who is first")
    return Finding(
        f"{by_rule(rule)} {' and '.join(first)} first; what decides that, left out: {', '.join(turned) or 'none'}."
    )


# smallest_benchmark: the fewest, or the cheapest, tasks that keep the top of the order at today's weights.


class Keeping(NamedTuple):
    """What of an order is kept: pairs of models, who leads today (0 for a tie), leads by task, and the least one."""

    models: tuple[str, ...]
    levels: list[list[int]]
    pairs: list[tuple[int, int]]
    signs: list[int]
    leads: list[list[int]]
    least: Fraction
    adds_up: bool

    def rows(self, *, every: bool = False, without: Sequence[str] = ()) -> dict[str, tuple[tuple[int, int], list[int]]]:
        """Return by name the pairs and rows that weights must not make negative.

        A tie is two rows. Where leads add up, only neighbours are compared, unless all pairs are asked for.
        """
        levels = [[row for row in level if self.models[row] not in without] for level in self.levels]
        levels, found = [level for level in levels if level], dict[str, tuple[tuple[int, int], list[int]]]()
        ahead, heads = {row: at for at, level in enumerate(levels) for row in level}, {level[0] for level in levels}
        for (one, other), sign, lead in zip(self.pairs, self.signs, self.leads, strict=True):
            first, second = self.models[one], self.models[other]
            if first in without or second in without:
                continue
            follows = ahead[one] + 1 < ahead.get(other, len(levels)) or (sign and other in ahead.keys() - heads)
            if self.adds_up and not every and (one not in heads or follows):
                continue
            if sign:
                own = [at * self.least.denominator - self.least.numerator for at in lead]
                found[f"{first!r} over {second!r}"] = (one, other), own
            else:
                found[f"{first!r} not below {second!r}"] = (one, other), lead
                found[f"{second!r} not below {first!r}"] = (one, other), [-at for at in lead]
        return found

    def ensure_kept(self, weights: Numbers, without: Sequence[str] = ()) -> None:
        """Ensure that weights keep the order, except for some models."""
        for name, (_, row) in self.rows(without=without).items():
            ensure(dot(row, weights) >= 0, f"the weights do not keep {name}")


class Question(NamedTuple):
    """What is kept of which table: the top, by a rule, with what weights, margin, tie-breaking, tolerance and costs."""

    held: Carried
    by: PointRule | None
    k: int
    fixed: list[int] | None
    margin: Fraction
    breaks: str | None
    tolerance: int
    costs: list[Fraction]

    @property
    def today(self) -> list[int]:
        """Today's weights as integers."""
        return whole(self.held.weights)[0]

    def leads(self, rows: Sequence[int]) -> list[list[list[int]]]:
        """Return the lead of each of some models over each other on each task."""
        columns = [[own[row] for row in rows] for own in self.held.scores.values()]
        if len(rows) ** 2 * len(columns) > MOST_STEPS // 4:
            raise NotCheckedError("the order of a table as large as this one")
        if self.by is None:
            pairs = [list(zip(columns, self.held.tolerances, strict=True))] * len(rows)
            return [
                [[sign_within(own[x], own[y], *ties) for own, ties in tasks] for y in range(len(rows))]
                for x, tasks in enumerate(pairs)
            ]
        worth = [self.worth(own) for own in columns]
        numbers = whole([one for own in worth for one in own])[0]
        own = [numbers[row :: len(rows)] for row in range(len(rows))]
        return [[[a - b for a, b in zip(one, other, strict=True)] for other in own] for one in own]

    def worth(self, scores: Sequence[Fraction | None]) -> list[Fraction]:
        """Return the worth of scores on a task by a rule of points; nothing if the rule has none."""
        if self.by is None or not any(one is not None for one in scores):
            return [ZERO] * len(scores)
        ensure(self.by.missing == "last" or None not in scores, f"{self.by.name} does not read missing scores")
        if self.by.name == "mean":
            return [exactly(one) for one in scores]
        numbers, _ = whole([exactly(one) for one in scores])
        return self.by.points([None if one is None else at for one, at in zip(scores, numbers, strict=True)])

    def keeping(self, rows: Sequence[int], k: int) -> Keeping:
        """Return the preserved part of the order of some models."""
        names, leads, size = tuple(self.held.models[row] for row in rows), self.leads(rows), range(len(rows))
        ensure(2 <= len(rows) >= k, f"of {len(rows)} models {k} cannot be kept")
        signs = [[sign_of(sum(map(operator.mul, lead, self.today))) for lead in own] for own in leads]
        if self.breaks:
            first = sorted(size, key=lambda row: names[row], reverse=self.breaks == "reverse")
            place = {row: at for at, row in enumerate(first)}
            signs = [[signs[x][y] or sign_of(place[y] - place[x]) for y in size] for x in size]
        net = [sum(own) for own in signs]
        order = sorted(size, key=lambda row: -net[row])
        kept = [row for row in order if net[row] >= net[order[k - 1]]]
        stand = all(signs[x][y] == sign_of(net[x] - net[y]) for x in kept for y in size)
        ensure(stand, "by majority there is no such order to keep")
        behind = [sum(map(operator.mul, lead, self.today)) for lead in leads[0]]
        spread = Fraction(max(behind) - min(behind), sum(self.today)) if self.by else ONE
        places = sorted({net[row] for row in kept}, reverse=True)
        pairs = [(row, other) for at, row in enumerate(kept) for other in order[at + 1 :]]
        return Keeping(
            names,
            [[row for row in kept if net[row] == one] for one in places],
            pairs,
            [signs[x][y] for x, y in pairs],
            [leads[x][y] for x, y in pairs],
            self.margin * spread,
            self.by is not None,
        )


def sign_within(one: Fraction | None, other: Fraction | None, within: Fraction, share: Fraction) -> int:
    """Return who is ahead: no model where a score is missing, or both tie within a difference or a share."""
    if one is None or other is None:
        return 0
    return sign_of(one - other) * (abs(one - other) > max(within, share * max(abs(one), abs(other))))


def read_question(document: Part, held: Carried) -> Question:
    """Return the result to preserve."""
    k, ruled, weighted, margin, breaks, tolerance, costed = document.parts(
        "k rule weights margin break_ties tolerance costs"
    )
    name, _, _ = read_rule(ruled, Part(None, "level"), held)
    _, missing, vector = ruled.parts("name missing vector")
    ensure(name in (*SUMS, "scoring") and missing.value != "skip", f"a benchmark is not kept by {name}")
    by = PointRule(name, "average", missing.value, tuple(places_worth(name, vector, len(held.models))))
    costs, size, tasks = costed.fractions(), k.integer(), tuple(held.scores)
    ensure(set(costs) in (set(), {*tasks}) and all(one > 0 for one in costs.values()), "a cost is lacking, or no cost")
    ensure(weighted.value in ("free", "today", "equal"), f"weights cannot be {shown(weighted.value)}")
    ensure(breaks.value in (None, "alphabetical", "reverse"), f"ties cannot be broken by {shown(breaks.value)}")
    failing = tolerance.integer()
    ensure(0 <= failing <= max(min(size - 1, len(held.models) - 2), 0), f"a tolerance of {failing} has no meaning")
    ensure(size > 0 and margin.fraction() > 0, "no model is kept, or by no lead")
    fixed = {"free": None, "today": whole(held.weights)[0], "equal": [1] * len(tasks)}[weighted.value]
    own = [costs.get(task, ONE) for task in tasks] if costs else []
    by_points = None if name == "majority" else by
    return Question(held, by_points, size, fixed, margin.fraction(), breaks.value, failing, own)


class Chosen(NamedTuple):
    """Sets of tasks that keep an order, as places; and what of them is not checked."""

    sets: list[list[int]]
    open: tuple[str, ...]


def on_chosen(weights: Numbers, fixed: Sequence[int] | None) -> list[int]:
    """Return the tasks that have weight, ensuring that the weights are the fixed ones, if they are fixed."""
    chosen = [task for task, one in enumerate(weights) if one]
    if fixed is not None:
        whole_weight = sum(fixed[task] for task in chosen)
        ensure(chosen and whole_weight > 0, "no task has weight")
        shares = [Fraction(one, whole_weight) if task in chosen else ZERO for task, one in enumerate(fixed)]
        ensure(list(weights) == shares, "the weights are not the fixed ones of the chosen tasks")
    return chosen


def check_kept_sets(found: Part, order: Keeping, fixed: Sequence[int] | None, space: Space) -> Chosen:
    """Check smallest sets of tasks with free weights, by the cuts that other sets fail."""
    names = "least strict size weights is_complete cuts proof solver tree"
    least, strict, size, listed, complete, cut, proof, solver, tree = found.parts(names)
    ensure(least.fraction() == 0 and not strict.of(bool), "the required lead differs")
    sets, rows = list[list[int]](), order.rows()
    for one in listed.items():
        weights = one.along(space.tasks)
        check_weights(space, weights)
        order.ensure_kept(weights)
        sets.append(on_chosen(weights, None))
    ensure(fixed is None or not sets, "the weights are fixed")
    count = {len(one) for one in sets}
    ensure(count == ({size.integer()} if sets else set()) and (sets or size.value is None), "sets of other sizes")
    ensure(
        len({*map(tuple, sets)}) == len(sets) and (sets or complete.of(bool)), "a set occurs twice, or none is given"
    )
    duels = Duels("", tuple(rows), [row for _, row in rows.values()])
    cuts, width = [read_cut(one, duels, space, (ZERO, False)) for one in cut.items()], len(space.tasks)
    ensure(solver.value in (None, *SOLVERS), f"{shown(solver.value)} is not a solver")
    ensure(
        (proof.value == "exact") == (solver.value is None), "a solver is named where, and only where, it is relied on"
    )
    if not sets:
        ensure(any(sum(row) < need for row, need in cuts), "no cut keeps all tasks from doing it")
    elif tree.value is not None:
        others = [[-int(task in own) for task in range(width)] for own in sets] * complete.of(bool)
        needs = [*(need for _, need in cuts), *[1 - size.value] * len(others)]
        claim = size.value + complete.value
        check_tree(tree, [*(row for row, _ in cuts), *others], needs, [1] * width, ([0] * width, [1] * width), claim)
    elif solver.value is None:
        for own in covers(cuts, width, size.value - (not complete.of(bool))):
            ensure(list(own) in sets, f"no cut keeps {', '.join(space.tasks[one] for one in own)} from doing it")
    return Chosen(sets, ("that no fewer tasks do",) * (solver.value is not None))


def check_fixed_sets(found: Part, order: Keeping, fixed: Sequence[int] | None, space: Space) -> Chosen:
    """Check smallest sets of tasks at fixed weights, by a tree of boxes."""
    listed, complete, tree, solver = found.parts("weights is_complete tree solver")
    if fixed is None or space.conditions:
        refuse("the weights are not free to choose")
    ensure(solver.value in (None, *SOLVERS), f"{shown(solver.value)} is not a solver")
    sets = list[list[int]]()
    for one in listed.items():
        weights = one.along(space.tasks)
        order.ensure_kept(weights)
        sets.append(on_chosen(weights, fixed))
    ensure(len({*map(len, sets)}) <= 1 and len({*map(tuple, sets)}) == len(sets), "sets of other sizes, or one twice")
    ensure(sets or complete.of(bool), "there is no set, but there may be others")
    ensure((tree.value is None) == (solver.value is not None), "a solver is named where its bound is relied on")
    if solver.value is not None:
        return Chosen(sets, ("that no fewer tasks do",))
    width, used = len(fixed), [int(one > 0) for one in fixed]
    size = len(sets[0]) if sets else width
    others = [[-int(task in own) for task in range(width)] for own in sets] * complete.of(bool)
    rows = [[row[task] * fixed[task] for task in range(width)] for _, row in order.rows().values()]
    least = [*[0] * len(rows), 1, *[1 - size] * len(others)]
    check_tree(tree, [*rows, used, *others], least, [1] * width, ([0] * width, used), size + complete.of(bool))
    return Chosen(sets, ())


def check_cheapest(found: Part, asked: Question, order: Keeping, space: Space, tolerance: int) -> Chosen:
    """Check a cheapest set of tasks that keeps an order except for a few models, by a tree of boxes."""
    most, listed, out, cut, tree, solver = found.parts("tolerance weights failing cuts tree solver")
    failing, width, fixed = out.all_of(str), len(space.tasks), asked.fixed
    kept = [row for level in order.levels for row in level]
    ensure(most.integer() == tolerance, "another number of models may fail")
    ensure({*failing} <= {order.models[row] for row in kept}, "a model that fails is not kept")
    ensure(len({*failing}) == len(failing) <= tolerance and len(listed.of(list)) <= 1, "more models fail, or more sets")
    sets = list[list[int]]()
    for one in listed.items():
        weights = one.along(space.tasks)
        check_weights(space, weights)
        order.ensure_kept(weights, failing)
        sets.append(on_chosen(weights, fixed))
    ensure(solver.value in (None, *SOLVERS), f"{shown(solver.value)} is not a solver")
    ensure((tree.value is None) == (solver.value is not None), "a solver is named where its bound is relied on")
    if tree.value is None:
        return Chosen(sets, ("that no cheaper tasks do",))
    costs = whole(asked.costs or [ONE] * width)[0]
    used = [1] * width if fixed is None else [int(one > 0) for one in fixed]
    named = order.rows(every=True)
    rows = [([*used, *[0] * len(kept)], 1), ([*[0] * width, *[-1] * len(kept)], -tolerance)]
    for one in cut.items():
        own, least, relief = cheapest_cut(one, named, fixed, space)
        touched = {row for name in one.parts("mixture vectors level")[0].fractions() for row in named[name][0]}
        rows.append(([*own, *(relief if row in touched else 0 for row in kept)], least))
    claim = sum(costs[task] for task in sets[0]) if sets else sum(costs) + 1
    box = [0] * (width + len(kept)), [*used, *[1] * len(kept)]
    check_tree(tree, [row for row, _ in rows], [least for _, least in rows], [*costs, *[0] * len(kept)], box, claim)
    return Chosen(sets, ())


def cheapest_cut(
    cut: Part, named: Mapping[str, tuple[tuple[int, int], list[int]]], fixed: Sequence[int] | None, space: Space
) -> tuple[list[int], int, int]:
    """Return the sum required of tasks, its minimum, and how far off it is where a model of it may fail."""
    if fixed is None:
        row, least = read_cut(cut, Duels("", tuple(named), [row for _, row in named.values()]), space, (ZERO, False))
        return row, least, least
    mixed, vectors, level = cut.parts("mixture vectors level")
    shares, unused = mixed.fractions(), [one.fractions() for one in vectors.items()]
    if any(unused) or level.value is not None:
        refuse("at fixed weights a cut has no vectors and no level")
    ensure(len(shares) == 1 and shares.keys() <= named.keys(), "at fixed weights a cut is of one pair")
    ensure(min(shares.values()) > 0, "a multiplier of a cut is not positive")
    row = [one * weight for one, weight in zip(named[next(iter(shares))][1], fixed, strict=True)]
    return row, 0, -sum(min(one, 0) for one in row)


def weights_of(weighted: Part, asked: Question, space: Space) -> list[Fraction]:
    """Return the weights of some tasks, ensuring that the question allows them."""
    weights = weighted.fractions()
    ensure({*weights} <= {*space.tasks} and all(one > 0 for one in weights.values()), "a weight is of no task, or none")
    own = [weights.get(task, ZERO) for task in space.tasks]
    if asked.fixed is None:
        check_weights(space, own)
    on_chosen(own, asked.fixed)
    return own


def check_steps(steps: Part, order: Keeping, of: tuple[Question, Space], *, some: bool) -> None:
    """Check which share of the pairs smaller and smaller sets of tasks keep."""
    (asked, space), sizes = of, list[int]()
    for one in steps.items():
        listed, weighted, kept = one.parts("tasks weights kept")
        chosen, own = listed.all_of(str), weights_of(weighted, asked, space)
        ensure(list(chosen) == [task for task in space.tasks if task in chosen], "tasks of a step are not the table's")
        ensure({*weighted.value} <= {*chosen}, "a weight is of another task")
        pairs = zip(order.leads, order.signs, strict=True)
        same = sum(sign_of(dot(lead, own)) == sign for lead, sign in pairs)
        ensure(kept.fraction() == Fraction(same, len(order.signs)), "a step keeps another share of the pairs")
        sizes.append(len(chosen))
    ensure(sizes == list(range(max(sizes, default=0), min(sizes, default=1) - 1, -1)), "the sizes do not fall by one")
    ensure(bool(sizes) == some, "steps belong to a set")


def check_half(half: Part, asked: Question, space: Space) -> None:
    """Check which share of the pairs of the other half tasks keep that keep the order of a half of the models."""
    listed, weighted, kept = half.parts("models weights kept")
    models = asked.held.models
    rows = [row for row, model in enumerate(models) if model in listed.all_of(str)]
    rest = [row for row in range(len(models)) if row not in rows]
    ensure(len(rows) == len(listed.value) and abs(len(rows) - len(rest)) <= 1, "a half is not a half of the models")
    if not weighted.of(dict):
        ensure(kept.value is None, "nothing was chosen on a half, but it keeps something")
        return
    own = weights_of(weighted, asked, space)
    asked.keeping(
        [models.index(one) for one in listed.all_of(str)], -(-asked.k * len(rows) // len(models))
    ).ensure_kept(own)
    leads = [lead for over in asked.leads(rest) for lead in over]
    led = [(sign_of(sum(map(operator.mul, lead, asked.today))), sign_of(dot(lead, own))) for lead in leads]
    before = [one for one in led if one[0]]
    share = Fraction(sum(now == then for now, then in before), len(before)) if before else None
    ensure((None if kept.value is None else kept.fraction()) == share, "of the other half another share is kept")


def smallest_benchmark(document: Part, table: Table | None) -> Finding:
    """Check the fewest, or the cheapest, tasks that keep the top of today's order, and what smaller sets keep."""
    names = "kind tasks kept question found steps halves space table compromises"
    _, told, levels, question, found, steps, halves, spaced, carried, more = document.parts(names)
    held = read_carried(carried)
    ensure_carried(held, table)
    tasks, asked = tuple(held.scores), read_question(question, held)
    space, order = read_space(spaced, tasks), asked.keeping(range(len(held.models)), asked.k)
    named = [tuple(held.models[row] for row in level) for level in order.levels]
    ensure([one.all_of(str) for one in levels.items()] == named, "other models are kept")
    priced = bool(asked.costs or asked.tolerance)
    ensure(("tolerance" in found.of(dict)) == priced, "costs or a tolerance are kept where none were given")
    if priced:
        chosen = check_cheapest(found, asked, order, space, asked.tolerance)
    else:
        check = check_kept_sets if "cuts" in found.value else check_fixed_sets
        chosen = check(found, order, asked.fixed, space)
    every = len(tasks) if asked.fixed is None else sum(one > 0 for one in asked.fixed)
    unchecked, last = chosen.open, chosen
    for extra, one in enumerate(more.items(), start=1):
        ensure(not (last.sets and len(last.sets[0]) < every), "a nearer compromise is known")
        last = check_cheapest(one, asked, order, space, asked.tolerance + extra)
        unchecked += last.open
    own = [tasks[task] for task in chosen.sets[0]] if chosen.sets else None
    ensure((None if told.value is None else list(told.all_of(str))) == own, "the tasks are others")
    check_steps(steps, order, (asked, space), some=bool(chosen.sets))
    for one in halves.items():
        check_half(one, asked, space)
    kept = f"the top {sum(map(len, named))}, {', '.join(' = '.join(level) for level in named)}"
    which = "no tasks" if own is None else f"{len(own)} of {len(tasks)} tasks ({', '.join(own)})"
    verb = "keeps" if own and len(own) == 1 else "keep"
    return Finding(
        f"{by_rule(question.value['rule']['name'])}, {which} {verb} {kept}.{space}", tuple(dict.fromkeys(unchecked))
    )


# settle: claims about a ranking whatever the missing scores are.

FREE = ("can", "never")
CLAIMS = ("winner", "top", "order", *FREE)


class Spans(NamedTuple):
    """What is known of each score (models x tasks), and the ends between which it lies, greater being better.

    Of some nothing is known but the score itself. By task, scores tie within a difference, or a share of the larger.
    """

    known: list[list[Fraction | None]]
    ends: list[list[tuple[Fraction, Fraction]]]
    free: list[tuple[int, int]]
    weights: Sequence[Fraction]
    rule: str
    ties: Sequence[tuple[Fraction, Fraction]]

    def side(self, end: int) -> list[list[Fraction]]:
        """Return the worst (0) or best gain of each cell."""
        return [
            [own[end] if one is None else one for one, own in zip(*row, strict=True)]
            for row in zip(self.known, self.ends, strict=True)
        ]

    def sums(self, end: int) -> list[Fraction]:
        """Return the worst (0) or best weighted sum of each model."""
        return [total(one * weight for one, weight in zip(row, self.weights, strict=True)) for row in self.side(end)]

    def signs(self, own: Sequence[Fraction], other: Sequence[Fraction]) -> list[int]:
        """Return on each task who is ahead: scores that differ by more than they may, by majority, are apart."""
        found = []
        for a, b, (within, share) in zip(own, other, self.ties, strict=True):
            apart = abs(a - b) > max(within, share * max(abs(a), abs(b)))
            found.append(((a > b) - (a < b)) * apart)
        return found

    def rows(self, model: int, *, best: bool) -> list[list[int]]:
        """Return a model's signs over all others where scores serve it best, or worst."""
        own, others = self.side(best)[model], self.side(not best)
        return [self.signs(own, other) for rival, other in enumerate(others) if rival != model]

    def lead(self, task: int, x: int, y: int, column: Sequence[tuple[Fraction, Fraction]]) -> int:
        """Return the least lead by Borda on a task, between these ends."""
        a, b = column[x][0], column[y][1]
        others = (third(a, b, *one) for z, one in enumerate(column) if z not in (x, y))
        return (2 * ((a > b) - (a < b)) + sum(others)) if self.weights[task] else 0

    def least(self) -> list[list[Fraction]]:
        """Return the least lead of each model over each other, in all completions; 0 over itself."""
        low, high, size = self.side(0), self.side(1), range(len(self.known))
        if self.rule == "mean":
            worst, best = self.sums(0), self.sums(1)
            return [[worst[x] - best[y] if x != y else ZERO for y in size] for x in size]
        tasks = range(len(self.weights))
        columns = [[(low[z][task], high[z][task]) for z in size] for task in tasks]

        def leads_over(x: int, y: int) -> Fraction:
            if self.rule == "majority":
                own: Sequence[int] = self.signs(low[x], high[y])
            else:
                own = [self.lead(task, x, y, columns[task]) for task in tasks]
            return leads([own], self.weights)[0]

        return [[leads_over(x, y) if x != y else ZERO for y in size] for x in size]


def third(a: Fraction, b: Fraction, worst: Fraction, best: Fraction) -> int:
    """Return the least that a third model adds by Borda to a lead of a over b, anywhere between its ends."""
    tried = {worst, best, *(one for one in (a, b) if worst <= one <= best)}
    ordered = sorted(tried)
    tried |= {(ordered[place - 1] + ordered[place]) / 2 for place in range(1, len(ordered))}
    return min(((a > z) - (a < z)) - ((b > z) - (b < z)) for z in tried)


class Asked(NamedTuple):
    """A claim: of what kind, about how many models, which ones, by which rule, of which scores at which costs."""

    what: str
    size: int
    named: list[int]
    by: str
    held: Carried
    spans: Spans
    costs: list[list[Fraction]]

    def names(self, rows: Iterable[int]) -> tuple[str, ...]:
        """Return the models of some rows."""
        return tuple(self.held.models[row] for row in rows)


def read_asked(parts: Sequence[Part], table: Table | None) -> Asked:
    """Return a claim from its parts: claim, rule, table, limits and prices."""
    claimed, ruled, carried, limited, priced = parts
    held, (said, counted, listed) = read_carried(carried), claimed.parts("what k models")
    models, tasks, what, size = held.models, tuple(held.scores), said.of(str), counted.integer()
    rows = [models.index(one) if one in models else -1 for one in listed.all_of(str)]
    by = read_rule_of_points(ruled, len(models))
    rule = by.name if by else "majority"
    ensure(rule in ("mean", "majority", "borda"), f"claims are not settled by {rule}")
    ensure(what in CLAIMS and 0 < size < len(models), f"no claim {shown(what)} about {size} models")
    ensure(what in ("top", "order") or size == 1, "the claim is about one model")
    ensure(len(rows) == len(set(rows)) == size or not (rows or what in FREE), "the claim names more models, or fewer")
    ensure(-1 not in rows, "the claim names a model that the table does not have")
    ensure(rule != "borda" or not held.ties, "by Borda scores do not tie within a tolerance")
    ensure(rule != "majority" or all(share <= 1 for _, share in held.tolerances), "a relative tolerance is above 1")
    ensure(rule == "majority" or what not in FREE, "weights are free by majority alone")
    ensure_carried(held, table)
    lower = set(Part(carried.value.get("lower_is_better", []), "lower_is_better").all_of(str))
    known = [[held.scores[task][row] for task in tasks] for row in range(len(models))]
    spans = Spans(known, *read_ends(held, limited, lower, rule), held.weights, rule, held.tolerances)
    return Asked(what, size, rows, name_of_rule(ruled), held, spans, read_prices(held, priced))


def read_prices(held: Carried, priced: Part) -> list[list[Fraction]]:
    """Return the cost of each score (models x tasks): later declarations take precedence."""
    costs = [dict.fromkeys(held.scores, ONE) for _ in held.models]
    for model, task, cost in (in_parts(one, 3) for one in priced.items()):
        known = model.value in ("", *held.models) and task.value in ("", *held.scores)
        ensure(known and cost.fraction() > 0, "a cost is of no score of the table, or not positive")
        for name, own in zip(held.models, costs, strict=True):
            if model.value in ("", name):
                own.update(dict.fromkeys([task.value] if task.value else own, cost.fraction()))
    return [list(own.values()) for own in costs]


def settle(document: Part, table: Table | None) -> Finding:
    """Check a verdict by the least leads of pairs, and that the cells alone prove what is certain."""
    names = "kind verdict certain claim rule table limits prices cells space reach"
    _, verdict, certain, *parts, chosen, spaced, reached = document.parts(names)
    asked, space = read_asked(parts, table), Space(())
    spans, free = asked.spans, asked.what in FREE
    told = (spaced.value is not None, reached.value is not None)
    ensure(told == (free, free), "weights are free for can and never alone")
    if free:
        space = read_space(spaced, tuple(asked.held.scores))
        able, other = (
            check_reach(one, asked, spans, space, best=bool(best)) for best, one in enumerate(in_parts(reached, 2))
        )
        sure, false = (able, not other) if asked.what == "can" else (not other, able)
        found, settled = "certain" if sure else "refuted" if false else "open", list(asked.named) * sure
    else:
        found, settled = judged(spans, asked.what, asked.size, asked.named)
    ensure(verdict.value == found, f"the claim is {found}, not {shown(verdict.value)}")
    ensure(certain.all_of(str) == asked.names(settled), "the claim is certain of other models")
    ensure((found == "certain") == (chosen.value is not None), "cells prove what is certain, and nothing else")
    if found == "certain" and free:
        best = asked.what == "never"
        check_reach(in_parts(reached, 2)[best], asked, known_alone(spans, chosen), space, best=best)
    elif found == "certain":
        check_cells(spans, chosen, pairs_of(asked.what, settled, len(spans.known)))
    words = f"{asked.by}, whatever the missing scores are, the claim {asked.what} (of {asked.size}) is {found}"
    return Finding(f"{words}{': ' * bool(settled)}{', '.join(asked.names(settled))}.{space}", ())


def check_reach(proof: Part, asked: Asked, spans: Spans, space: Space, *, best: bool) -> bool:
    """Check for the completion that serves a model best, or worst, whether it wins under some weights; return that."""
    weighted, bound = proof.parts("weights bound")
    ensure((weighted.value is None) != (bound.value is None), "there must be weights or a bound, and not both")
    (model,) = asked.named
    rows, rivals = spans.rows(model, best=best), [one for one in asked.held.models if one != asked.held.models[model]]
    if bound.value is None:
        weights = weighted.along(space.tasks)
        check_weights(space, weights)
        least = min(leads(rows, weights))
        ensure(least > 0, f"the least lead under the weights is {least}")
        return True
    most_led, blockers, vectors = bound.parts("bound blockers vectors")
    ensure(most_led.fraction() <= 0, f"the mixture only bounds the lead by {most_led.value}")
    check_mixture(space, rows, blockers.among(rivals), space.vectors(vectors), most_led.fraction())
    return False


def least_proof(document: Part, table: Table | None) -> Finding:
    """Check that cells of a complete table prove a claim, what they cost, and what any that do cost at least."""
    names = "kind cost claim rule table limits prices cells bound solver"
    _, written, *parts, chosen, bounded, solver = document.parts(names)
    asked, bound = read_asked(parts, table), bounded.fraction()
    ensure(not asked.held.gaps and asked.what not in FREE, "the claim is about weights, or scores are missing")
    found, settled = judged(asked.spans, asked.what, asked.size, asked.named)
    ensure(found == "certain", "the claim does not hold")
    check_cells(asked.spans, chosen, pairs_of(asked.what, settled, len(asked.costs)))
    pairs = zip(chosen.all_of(str), asked.costs, strict=True)
    cost = total(one for row, own in pairs for mark, one in zip(row, own, strict=True) if mark == "1")
    written.ensure_is(cost)
    ensure(0 < bound <= cost, f"the scores cost {cost}, less than the bound {bound}, or it is 0")
    ensure(solver.value in ("", *SOLVERS), f"{shown(solver.value)} is not a solver")
    by, who = asked.by, ", ".join(asked.names(settled))
    said = f"{by}, scores that cost {cost} prove the claim {asked.what}, {who}, whatever the others are"
    if solver.value:
        return Finding(f"{said}.", (f"that none that prove it cost less than {bound}, the bound of {solver.value}",))
    if asked.spans.rule == "borda":
        least = least_by_row(asked, settled)
    else:
        even = asked.spans.rule == "mean" and asked.what != "order" and all(len(set(own)) == 1 for own in asked.costs)
        ensure(even, "a solver's bound is used, but no solver is named")
        least = least_by_threshold(asked, settled)
    ensure(bound == least, f"scores that prove it cost at least {least}, not {bound}")
    return Finding(f"{said}; none that prove it cost less than {bound}.", ())


def least_by_threshold(asked: Asked, inside: Sequence[int]) -> Fraction:
    """Return by the mean the least cost where each model has one price.

    The claim holds exactly when some h is below the worst sums inside and not below the best ones outside. Each model
    takes its most useful scores first. A higher h costs more inside and, from one best sum on to the next, nothing
    less outside: only such sums are tried.
    """
    spans, known = asked.spans, asked.spans._replace(known=[[None] * len(row) for row in asked.spans.known])
    worst, best, sums, prices = known.sums(0), known.sums(1), list[list[Fraction]](), [own[0] for own in asked.costs]
    for row, (own, ends) in enumerate(zip(spans.known, spans.ends, strict=True)):
        use = [
            weight * (score - low if row in inside else high - score)
            for score, (low, high), weight in zip(map(exactly, own), ends, spans.weights, strict=True)
        ]
        reached = [worst[row] if row in inside else -best[row]]
        for one in sorted(use, reverse=True):
            reached.append(reached[-1] + one)
        sums.append(reached)
    outside = [row for row in range(len(sums)) if row not in inside]
    last, under = max(-sums[row][-1] for row in outside), min(sums[row][-1] for row in inside)
    levels = {-one for row in outside for one in sums[row] if last <= -one < under}
    if len(levels) * len(sums) > MOST_STEPS // 10:
        raise NotCheckedError("what proofs of a table as large as this one cost at least")
    forced = total(asked.costs[row][task] for row, task in spans.free if spans.weights[task])
    return forced + min(
        total(
            price * (bisect.bisect_right(own, level) if row in inside else bisect.bisect_left(own, -level))
            for row, (own, price) in enumerate(zip(sums, prices, strict=True))
        )
        for level in levels
    )


def exactly(score: Fraction | None) -> Fraction:
    """Return a score that is known."""
    return ZERO if score is None else score


def least_by_row(asked: Asked, inside: Sequence[int]) -> Fraction:
    """Return by Borda what the scores of each model cost at least together, when those of all others are known.

    Where all pairs hold each of them does, and of one pair alone the scores left out are those that take least from its
    lead for what they cost, the last one in part (a knapsack).
    """
    spans, size, weights = asked.spans, len(asked.costs), whole(asked.spans.weights)[0]
    pairs, tasks, needed = pairs_of(asked.what, inside, size), range(len(weights)), ZERO
    if len(pairs) * size * size * len(tasks) > MOST_STEPS // 10:
        raise NotCheckedError("what proofs of a table as large as this one cost at least")
    columns = [[(exactly(spans.known[z][task]),) * 2 for z in range(size)] for task in tasks]
    held = [[weights[task] * spans.lead(task, x, y, columns[task]) for task in tasks] for x, y in pairs]
    for row, costs in enumerate(asked.costs):
        without = [[*own[:row], spans.ends[row][task], *own[row + 1 :]] for task, own in enumerate(columns)]
        spared = []
        for (x, y), own in zip(pairs, held, strict=True):
            losses = [own[task] - weights[task] * spans.lead(task, x, y, without[task]) for task in tasks]
            spared.append(most_spared(losses, costs, sum(own) - 1))
        least = total(costs) - min(spared)
        needed += math.ceil(least) if all(one.denominator == 1 for one in costs) else least
    return needed


def most_spared(losses: Sequence[int], costs: Numbers, room: int) -> Fraction:
    """Return the greatest cost of scores, one of them in part, that take no more from a lead than its room."""
    spared, left = ZERO, Fraction(room)
    for loss, cost in sorted(zip(losses, costs, strict=True), key=lambda one: one[0] / one[1]):
        part = ONE if loss <= left else left / loss
        spared, left = spared + part * cost, left - part * loss
    return spared


def replay(document: Part, table: Table | None) -> Finding:
    """Check what a claim costs in hindsight, and that what was measured in random orders costs no less."""
    _, share, ratio, hindsight, measured, batch, seed = document.parts("kind share ratio hindsight costs batch seed")
    ensure(hindsight.of(dict).get("kind") == "least_proof", "hindsight is a least proof")
    found = least_proof(hindsight, table)
    held, priced, bound = (Part(hindsight.value[name], name) for name in ("table", "prices", "bound"))
    every, least = total(one for own in read_prices(read_carried(held), priced) for one in own), bound.fraction()
    costs = [one.fraction() for one in measured.items()]
    ensure(costs and batch.integer() > 0 and seed.integer() >= 0, "there must be orders, and a score at a time")
    ensure(all(least <= one <= every for one in costs), "some order costs less than any proof, or more than all scores")
    mean = total(costs) / len(costs)
    share.ensure_is(mean / every)
    ratio.ensure_is(mean / least)
    return Finding(found.proved, (*found.open, f"that in {len(costs)} random orders it took {mean} on average"))


def in_parts(listed: Part, count: int) -> list[Part]:
    """Return the parts of a list of this length."""
    ensure(len(listed.of(list)) == count, f"{listed.what}: {count} parts are needed")
    return listed.items()


def known_alone(spans: Spans, chosen: Part) -> Spans:
    """Return the known values if only these cells are known."""
    marks, alone = chosen.all_of(str), []
    ensure(len(marks) == len(spans.known), "the cells do not fit the models")
    for row, own in zip(marks, spans.known, strict=True):
        ensure(len(row) == len(own) and not row.strip("01"), "the cells are not marked by 0 and 1, one per task")
        ensure(all(mark == "0" or one is not None for mark, one in zip(row, own, strict=True)), "a cell has no score")
        alone.append([one if mark == "1" else None for mark, one in zip(row, own, strict=True)])
    kept = all(marks[row][task] == "1" or not spans.weights[task] for row, task in spans.free)
    ensure(kept, "a score without bounds is left out")
    return spans._replace(known=alone)


def check_cells(spans: Spans, chosen: Part, pairs: Sequence[tuple[int, int]]) -> None:
    """Ensure that all pairs hold where just these cells are known."""
    least = known_alone(spans, chosen).least()
    ensure(all(least[x][y] > 0 for x, y in pairs), "the cells do not prove the claim alone")


def pairs_of(what: str, rows: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Return the pairs (x, y) where x must be ahead of y."""
    before = [rows[: place + 1] if what == "order" else rows for place in range(len(rows))]
    return [(x, y) for x, own in zip(rows, before, strict=True) for y in range(count) if y not in own]


def judged(spans: Spans, what: str, size: int, named: list[int]) -> tuple[str, list[int]]:
    """Return whether a claim is certain, refuted or open, and the models of which it is certain."""
    least, every = spans.least(), range(len(spans.known))
    if named:
        pairs = pairs_of(what, named, len(every))
        if all(least[x][y] > 0 for x, y in pairs):
            return "certain", named
        return ("refuted" if any(least[y][x] >= 0 for x, y in pairs) else "open"), []
    first = sorted(every, key=lambda x: -sum(one > 0 for one in least[x]))[:size]
    if all(least[x][y] > 0 for x, y in pairs_of(what, first, len(every))):
        return "certain", first
    if all(sign_of(least[x][y]) == -sign_of(least[y][x]) for x in every for y in every):
        return "refuted", []  # all leads are known
    if spans.rule == "mean":
        worst, best = (spans.sums(end) for end in (0, 1))
        if what == "order":
            fixed = [low for low, high in zip(worst, best, strict=True) if low == high]
            none = any(fixed.count(one) > 1 and sum(high > one for high in best) < size for one in fixed)
        else:
            none = sorted(worst)[-size - 1] >= sorted(best)[-size]
    elif what == "order" or size == 1:
        none = all(any(least[y][x] >= 0 for y in every if y != x) for x in every)
        tied = [any(least[x][y] >= 0 and least[y][x] >= 0 for y in every if y != x) for x in every]
        none = none or len(tied) - sum(tied) < size
    else:
        none = all(len(taken(least, x)) > size for x in every)
    return ("refuted" if none else "open"), []


def taken(least: Sequence[Sequence[Fraction]], first: int) -> set[int]:
    """Return the models that are among the first if one is: those that it is never ahead of."""
    found, new = {first}, [first]
    while new:
        x = new.pop()
        more = {y for y in range(len(least)) if y not in found and least[y][x] >= 0}
        found |= more
        new += more
    return found


def ensure_carried(held: Carried, table: Table | None) -> None:
    """Ensure that a table that is carried is the one given."""
    if table is None:
        return
    ensure_names("task", tuple(held.scores), table.tasks)
    ensure_names("model", held.models, table.models)
    for task, own in held.scores.items():
        column = table.columns[task]
        given = [column.values[table.models.index(one)] for one in held.models]
        share = held.tolerances[tuple(held.scores).index(task)]
        told = (ZERO, column.tolerance) if column.relative else (column.tolerance, ZERO)
        ensure(share == told, f"{task!r} has another tolerance in the table")
        same = [None if one is None else Fraction(one, column.unit) for one in given] == own
        ensure(same, f"the table has different scores for {task!r}")
    theirs, shares = [table.weights[task] for task in held.scores], held.weights
    ensure([one * total(theirs) for one in shares] == [one * total(shares) for one in theirs], "the weights differ")


def read_ends(
    held: Carried, limited: Part, lower: set[str], rule: str
) -> tuple[list[list[tuple[Fraction, Fraction]]], list[tuple[int, int]]]:
    """Return the worst and best gain of each cell, ensuring that scores lie between them, and cells without bounds."""
    tasks, limits = tuple(held.scores), [in_parts(one, 4) for one in limited.items()]
    ends: dict[tuple[str, str], list[Fraction | None]] = {}
    for model, task, low, high in limits:
        ensure(model.value in ("", *held.models) and task.value in tasks, "bounds are of no score of the table")
        pair = [None if one.value is None else one.fraction() for one in (low, high)]
        pair = [None if one is None else -one for one in pair[::-1]] if task.value in lower else pair
        ends |= {(name, task.value): pair for name in held.models if model.value in ("", name)}
    written = [one for pair in (*ends.values(), *held.scores.values()) for one in pair if one is not None]
    # Beyond v / (1 - r) a gain leads v by a relative tolerance r; of r = 1 any does that has the other sign.
    far = (max(map(abs, written)) + 1 + max(one for one, _ in held.tolerances)) / min(
        1 - share if share < 1 else ONE for _, share in held.tolerances
    )
    made: list[list[tuple[Fraction, Fraction]]] = []
    free: list[tuple[int, int]] = []
    for row, model_name in enumerate(held.models):
        own: list[tuple[Fraction, Fraction]] = []
        for task_name in tasks:
            score, (low_end, high_end) = held.scores[task_name][row], ends.get((model_name, task_name), [None, None])
            if rule == "mean" and (low_end is None or high_end is None):
                ensure(score is not None, "by mean a missing score needs bounds on both sides")
                low_end = high_end = score
                free.append((row, len(own)))
            one, other = -far if low_end is None else low_end, far if high_end is None else high_end
            ensure(one <= (one if score is None else score) <= other, "a score is outside its bounds, or they cross")
            own.append((one, other))
        made.append(own)
    return made, free


# 9. Missing scores and rises of scores ------------------------------------------------------------------------------

# Gains of the models on a task, greater being better; beyond all numbers where a missing score has no limit.
Gains = list[list[Fraction | float]]


class Ends(NamedTuple):
    """The worst and the best gain of every score, tasks x models, and what they are counted in."""

    rule: str
    worst: Gains
    best: Gains
    unit: int

    def rows(self, model: int, *, best: bool) -> list[list[int]]:
        """Return the model's leads over all others on each task where these serve it best, or worst."""
        own, others = (self.best, self.worst) if best else (self.worst, self.best)
        pairs = [list(zip(own, others, strict=True))] * len(own[0])
        return [
            [self.lead(mine[model], theirs[rival]) for mine, theirs in tasks]
            for rival, tasks in enumerate(pairs)
            if rival != model
        ]

    def lead(self, mine: Fraction | float, theirs: Fraction | float) -> int:
        """Return a lead on a task: a sign, or by mean a difference in units."""
        return int((mine - theirs) * self.unit) if self.rule == "mean" else (mine > theirs) - (mine < theirs)

    def winners(self, weights: Numbers, *, best: bool) -> tuple[int, ...]:
        """Return the models that are ahead of all others at some weights, where scores serve each best, or worst."""
        if self.rule == "borda":
            return tuple(one for one in range(len(self.best[0])) if self.borda_lead(one, weights, best=best) > 0)
        return tuple(one for one in range(len(self.best[0])) if min(leads(self.rows(one, best=best), weights)) > 0)

    def borda_lead(self, model: int, weights: Numbers, *, best: bool) -> Fraction:
        """Return a model's least lead by Borda over a rival that scores serve worst, or best, pair by pair.

        The least lead of x over y has x at its worst, y at its best, and each third model where it serves y best; the
        greatest of x over y is minus the least of y over x.
        """
        sign, found = (-1 if best else 1), list[Fraction]()
        for rival in range(len(self.best[0])):
            if rival != model:
                x, y = (rival, model) if best else (model, rival)
                parts = (w * self.least(task, x, y) for task, w in enumerate(weights) if w)
                found.append(sign * total(Fraction(one) for one in parts))
        return min(found)

    def tried(self, row: int, at: int) -> list[Fraction | float]:
        """Return the values of a missing score that differ: its ends; by Borda all ends, and one between neighbours."""
        low, high = self.worst[at][row], self.best[at][row]
        if self.rule != "borda":
            return [low, high]
        known = [one for one in sorted({*self.worst[at], *self.best[at]}) if low <= one <= high]
        between = list[Fraction | float]()
        for place in range(len(known) - 1):
            one, other = known[place], known[place + 1]
            inner = ZERO if other == math.inf else Fraction(other) - 1
            inner = inner if one == -math.inf else Fraction(one) + 1
            between.append(inner if math.inf in (-one, other) else (one + other) / 2)
        return [*known, *between]

    def least(self, task: int, x: int, y: int) -> int:
        """Return on a task the least of x's signs over all models less y's."""
        low, high = self.worst[task], self.best[task]
        ends = sorted({*low, *high})
        mine, other, lead = 2 * ends.index(low[x]), 2 * ends.index(high[y]), 0
        for third in range(len(low)):
            if third not in (x, y):
                at, up_to = 2 * ends.index(low[third]), 2 * ends.index(high[third])
                tried = [one for one in range(at, up_to + 1) if {at, up_to, mine, other} & {one - 1, one, one + 1}]
                lead += min(sign_of(mine - one) - sign_of(other - one) for one in tried)
        return lead + 2 * sign_of(mine - other)


def sign_of(number: Fraction | float) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def read_ranges(held: Carried, lower: Sequence[str], ranges: Part, rule: str) -> tuple[Ends, list[tuple[int, int]]]:
    """Return the ends of all scores, and where scores are missing: model and task."""
    tasks, far = tuple(held.scores), math.inf
    gaps = [
        (row, at) for row in range(len(held.models)) for at, task in enumerate(tasks) if held.scores[task][row] is None
    ]
    ends = [[[-far if one is None else one for one in own] for own in held.scores.values()] for _ in range(2)]
    for row, at in gaps:
        ends[1][at][row] = far
    for one in ranges.items():
        if len(one.of(list)) != 4:
            refuse("a range is a model, a task, a lowest and a highest score")
        named, column, low, high = one.items()
        ensure(named.value in held.models and column.value in tasks, "a range is of no score")
        row, at = held.models.index(named.of(str)), tasks.index(column.of(str))
        ensure((row, at) in gaps, f"the score of {named.value!r} on {column.value!r} is not missing")
        limits = [out if part.value is None else part.fraction() for part, out in ((low, -far), (high, far))]
        ensure(limits[0] <= limits[1], "a range has its ends the wrong way round")
        turned = [-limits[1], -limits[0]] if column.value in lower else limits
        for place, end in enumerate(turned):
            ends[place][at][row] = end
    known = [value for end in ends for own in end for value in own]
    ensure(rule != "mean" or far not in map(abs, known), "by mean a missing score needs bounds on both sides")
    return Ends(rule, ends[0], ends[1], whole([value for value in known if isinstance(value, Fraction)])[1]), gaps


def check_answer(answer: Part, rows: Rows, rivals: Sequence[str], space: Space) -> tuple[bool, bool]:
    """Check whether a model with these rows wins under some, and whether under all weights of a space."""
    some, every, wins, fails, bounds = answer.parts("some every wins fails bounds")
    able, sure = some.of(bool), every.of(bool)
    ensure((wins.value is None) != able and (fails.value is None) == sure and able >= sure, "an answer lacks its proof")
    for one, win in ((wins, True), (fails, False)):
        if one.value is not None:
            check_weights(space, one.along(space.tasks))
            least = min(leads(rows, one.along(space.tasks)))
            ensure((least > 0) == win, f"the least lead under the weights is {least}")
    proofs = [one.parts("bound blockers vectors") for one in bounds.items()]
    ensure(len(proofs) == (len(rivals) if sure else 0 if able else 1), "there are other bounds than the answer needs")
    for at, (bound, blockers, vectors) in enumerate(proofs):
        against = [[-one for one in row] for row in rows] if sure else rows
        shares = blockers.among(rivals)
        ensure(not sure or shares[at] == 1, "a bound is about another rival")
        ensure(bound.fraction() < 0 or (not sure and bound.fraction() == 0), f"a bound of {bound.value} shows nothing")
        check_mixture(space, against, shares, space.vectors(vectors), bound.fraction())
    return able, sure


def check_answers(answers: Part, models: Sequence[str], ends: Ends, space: Space) -> list[tuple[int, ...]]:
    """Check all answers about weights; return who is possible, necessary, a winner whatever the values, the weights."""
    ensure(list(answers.entries()) == [*models], "the answers are not about the models, in order")
    told = list[tuple[bool, ...]]()
    for place, (name, both) in enumerate(answers.entries().items()):
        if len(both.of(list)) != 2:
            refuse("two answers are needed for each model")
        rivals = [one for one in models if one != name]
        some, every = zip(
            *(
                check_answer(one, ends.rows(place, best=best), rivals, space)
                for one, best in zip(both.items(), (True, False), strict=True)
            ),
            strict=True,
        )
        told.append((some[0], every[1], some[1], every[0], False))
    return [tuple(row for row, one in enumerate(told) if one[place]) for place in range(5)]


def missing(document: Part, table: Table | None) -> Finding:
    """Check who wins for some and for all values of missing scores, at today's weights or under those of a space."""
    sets = "possible necessary whatever_values whatever_weights undecided"
    parts = document.parts(f"kind rule table ranges weights space {sets} shown cells answers")
    _, ruled, carried, ranges, weighted, spaced, *claimed, examples, cells, answers = parts
    held, lower = read_carried(carried), carried.of(dict).get("lower_is_better", [])
    by = read_rule_of_points(ruled, len(held.models))
    rule, models = "majority" if by is None else by.name, held.models
    ensure(rule in ("majority", "mean", "borda"), f"missing scores are not asked about by {rule}")
    if held.ties or held.more:
        raise NotCheckedError("missing scores of tables with groups, tolerances or standard errors")
    ensure_same_table(held, table, "missing scores", weighed=spaced.value is None)
    ends, gaps = read_ranges(held, lower, ranges, rule)
    weights = weighted.among(tuple(held.scores))
    ensure([one * total(held.weights) for one in weights] == held.weights, "the weights are not the table's")
    if spaced.value is None:
        best, sure = ends.winners(weights, best=True), ends.winners(weights, best=False)
        able = check_shown(examples, held, ends, gaps, weights, lower) if rule == "borda" else best
        ensure(rule == "borda" or not examples.of(dict), "by this rule possible winners follow from their leads")
        ensure(not answers.of(dict), "answers about weights belong to a space")
        found = [able, sure, sure, able, tuple(one for one in best if one not in able)]
    else:
        ensure(cells.value is None and rule != "borda" and not examples.of(dict), "cells and values belong to no space")
        space = read_space(spaced, tuple(held.scores))
        found = check_answers(answers, models, ends, space)
    for part, rows in zip(claimed, found, strict=True):
        ensure(part.all_of(str) == tuple(models[row] for row in rows), f"{part.what} are others")
    is_open = (
        check_deciding(cells, held, (ends, gaps), weights, (found[0], found[1])) if spaced.value is None else False
    )
    words = [", ".join(map(repr, part.value)) or "no model" for part in claimed[:2]]
    said = (
        f"{name_of_rule(ruled)}, {words[0]} can win for some values of {len(gaps)} missing scores, {words[1]} for all"
    )
    return Finding(f"{said}.{'' if spaced.value is None else space}", ("which missing scores decide",) * is_open)


def check_shown(  # noqa: PLR0917 - a table with gaps, and what fills them
    examples: Part, held: Carried, ends: Ends, gaps: Sequence[tuple[int, int]], weights: Numbers, lower: Sequence[str]
) -> tuple[int, ...]:
    """Ensure that with the values shown models are first by Borda; return which."""
    models, tasks = held.models, tuple(held.scores)
    for name, part in examples.entries().items():
        ensure(name in models, f"{name!r} is not a model")
        values, filled = part.listed(len(gaps)), [list(own) for own in ends.worst]
        for (row, at), value in zip(gaps, values, strict=True):
            gain = -value if tasks[at] in lower else value
            ensure(
                ends.worst[at][row] <= gain <= ends.best[at][row], f"a score shown for {name!r} is out of its bounds"
            )
            filled[at][row] = gain
        # With no score missing, the least lead over completions is the lead.
        first = Ends("borda", filled, filled, 1).borda_lead(models.index(name), weights, best=False) > 0
        ensure(first, f"{name!r} is not first for the values shown")
    return tuple(row for row, model in enumerate(models) if model in examples.value)


def check_deciding(
    cells: Part,
    held: Carried,
    given: tuple[Ends, Sequence[tuple[int, int]]],
    weights: Numbers,
    found: tuple[Sequence[int], Sequence[int]],
) -> bool:
    """Check which missing scores decide alone; return whether that is left open, as it is by Borda on large tables."""
    ends, gaps = given
    listed = [] if cells.value is None else [one.parts("model task rules_out settles") for one in cells.items()]
    if cells.value is None and ends.rule == "borda":
        return True
    ensure(cells.value is not None, "the deciding scores are left out")
    decide = []
    for row, at in gaps:
        if not weights[at] or ends.worst[at][row] == ends.best[at][row]:
            continue
        out, settled = set[int](), set[int]()
        for value in ends.tried(row, at):
            low, high = ([list(own) for own in end] for end in (ends.worst, ends.best))
            low[at][row] = high[at][row] = value
            now = Ends(ends.rule, low, high, ends.unit)
            out |= {*found[0]} - {*now.winners(weights, best=True)}
            settled |= {*now.winners(weights, best=False)} - {*found[1]}
        if out or settled:
            names = [tuple(model for one, model in enumerate(held.models) if one in some) for some in (out, settled)]
            decide.append((held.models[row], tuple(held.scores)[at], *names))
    said = [(one[0].of(str), one[1].of(str), one[2].all_of(str), one[3].all_of(str)) for one in listed]
    ensure(said == decide, "the missing scores that decide are others")
    return False


# The price of a unit of score, by what a score moves, by how much it may, and up to which, None for no limit.
Terms = tuple[Fraction, Fraction, Fraction | None, Fraction | None]


class Rising(NamedTuple):
    """A table in which one model's scores rise: gains by task, weights, and on what terms."""

    held: Carried
    place: int
    lower: Sequence[str]
    terms: dict[str, Terms]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.held.scores)

    def own(self, task: str) -> Fraction:
        """Return the model's gain."""
        own = self.held.scores[task][self.place]
        return refuse(f"the model has no score on {task!r}") if own is None else own

    def limits(self) -> dict[str, Fraction]:
        """Return by how much each score may rise: up to the best in the table unless the terms name another."""
        found = {}
        for task, (_, _, most, best) in self.terms.items():
            there = [one for one in self.held.scores[task] if one is not None]
            top = max(there) if best is None else -best if task in self.lower else best
            room = max(ZERO, top - self.own(task))
            found[task] = room if most is None else min(room, most)
        return found

    def cost(self, rises: Mapping[str, Fraction]) -> Fraction:
        """Return the cost of rises."""
        return total(rise * self.terms[task][0] for task, rise in rises.items())

    def rows(self, rises: Mapping[str, Fraction]) -> list[list[Fraction]]:
        """Return the leads over the rivals by task with rises."""
        columns = [(own, rises.get(task, ZERO) + self.own(task)) for task, own in self.held.scores.items()]
        rivals = (row for row in range(len(self.held.models)) if row != self.place)
        return [[gain - (own[row] or ZERO) for own, gain in columns] for row in rivals]

    def cheapest(self, weights: Numbers) -> Fraction | None:
        """Return the cost of the cheapest rises at these weights, most weight for the price first; None if none."""
        limits, cost = self.limits(), ZERO
        lacking = max(ZERO, -min(leads_of(self.rows({}), weights)))
        shares = {task: weight for task, weight in zip(self.tasks, weights, strict=True) if weight}
        for task in sorted(shares, key=lambda one: self.terms[one][0] / shares[one]):
            rise = min(limits[task], lacking / shares[task])
            lacking, cost = lacking - rise * shares[task], cost + rise * self.terms[task][0]
        return None if lacking else cost


def leads_of(rows: Sequence[Numbers], weights: Numbers) -> list[Fraction]:
    """Return G w for rows of fractions."""
    return [total(one * weight for one, weight in zip(row, weights, strict=True)) for row in rows]


def read_rising(model: Part, carried: Part, terms: Part, table: Table | None, *, weighed: bool) -> Rising:
    """Return a table in which a model's scores rise, ensuring that it is the one given."""
    held, lower = read_carried(carried), carried.of(dict).get("lower_is_better", [])
    if held.ties or held.more:
        raise NotCheckedError("rises of scores in tables with groups, tolerances or standard errors")
    ensure_same_table(held, table, "rises of scores", weighed=weighed)
    ensure(model.of(str) in held.models, f"{model.value!r} is not a model of the table")
    ensure(tuple(terms.entries()) == tuple(held.scores), "the terms are not about the tasks of the table, in order")
    read = dict[str, Terms]()
    for task, one in terms.entries().items():
        cost, step, *ends = one.parts("cost step most best")
        most, best = (None if end.value is None else end.fraction() for end in ends)
        read[task] = (cost.fraction(), step.fraction(), most, best)
        ensure(read[task][0] >= 0 and read[task][1] > 0, "a price is negative, or a step is not positive")
    return Rising(held, held.models.index(model.value), lower, read)


def read_rises(rising: Rising, scores: Part) -> dict[str, Fraction]:
    """Return by how much scores rise."""
    new = scores.fractions()
    ensure(new.keys() <= rising.terms.keys(), "a new score is of no task of the table")
    rises = {task: (-one if task in rising.lower else one) - rising.own(task) for task, one in new.items()}
    ensure(all(rise > 0 for rise in rises.values()), "a new score is no better than before")
    return rises


def read_rising_weights(rising: Rising, weighted: Part, spaced: Part) -> tuple[list[Fraction], Space | None]:
    """Return weights of a space, or the table's own."""
    if spaced.value is not None:
        space = read_space(spaced, rising.tasks)
        return space.weights(weighted), space
    weights = weighted.among(rising.tasks)
    ensure([one * total(rising.held.weights) for one in weights] == rising.held.weights, "the weights are not today's")
    return weights, None


def mean_upset(document: Part, table: Table | None) -> Finding:
    """Check the cheapest rises of scores that make a model first by the mean."""
    parts = document.parts("kind model table scores cost weights space terms refused")
    _, model, carried, scores, cost, weighted, spaced, terms, refused = parts
    rising = read_rising(model, carried, terms, table, weighed=spaced.value is None)
    if rising.held.gaps:
        refuse("a mean needs all scores")
    rises, limits = read_rises(rising, scores), rising.limits()
    ensure(all(rise <= limits[task] for task, rise in rises.items()), "a score rises by more than is allowed")
    ensure(rising.cost(rises) == cost.fraction(), f"the rises cost {rising.cost(rises)}, not {cost.value}")
    weights, space = read_rising_weights(rising, weighted, spaced)
    ensure(min(leads_of(rising.rows(rises), weights)) >= 0, f"some rival is ahead of {model.value!r} under the weights")
    claims = [check_refusal(one, rising, space or Space(rising.tasks)) for one in refused.items()]
    if space is None:
        ensure(rising.cheapest(weights) == cost.fraction(), "other rises cost less")
    else:
        check_no_cheaper(rising, cost.fraction(), claims)
    said = f"By average, {model.value} is first if its scores rise by {cost.value} at its prices, and no less is enough"
    return Finding(f"{said}.{space or ''}")


# Rises that are not enough, and the lead over a mixture of rivals that no weights exceed with them.
Refused = tuple[dict[str, Fraction], Fraction]


def check_refusal(document: Part, rising: Rising, space: Space) -> Refused:
    """Check that with some rises no weights of a space lead a mixture of rivals by more than a bound."""
    risen, blockers, vectors, bound = document.parts("rises blockers vectors bound")
    rises, most_led = risen.fractions(), bound.fraction()
    ensure(
        rises.keys() <= rising.terms.keys() and all(one >= 0 for one in rises.values()),
        "a refused rise is of no task, or negative",
    )
    rows, width = rising.rows(rises), len(rising.tasks)
    rivals = [one for row, one in enumerate(rising.held.models) if row != rising.place]
    flat, unit = whole([one for row in rows for one in row])
    scaled = [flat[at * width : (at + 1) * width] for at in range(len(rows))]
    given = [{task: one * unit for task, one in own.items()} for own in space.vectors(vectors)]
    check_mixture(space, scaled, blockers.among(rivals), given, most_led * unit)
    return rises, most_led


def check_no_cheaper(rising: Rising, cost: Fraction, claims: Sequence[Refused]) -> None:
    """Ensure that refusals cover all rises that cost less.

    With weights at which cheapest rises are enough, every rise that adds as much is: some cheapest rises have tasks at
    their limits and one task between. Rises that are refused form a convex set with all smaller ones, so sets of tasks
    at their limits need not be looked through where all that they leave is refused at once.
    """

    def is_refused(rises: Mapping[str, Fraction], *, level: bool) -> bool:
        return any(
            (bound < 0 if level else bound <= 0) and all(rise <= most.get(task, ZERO) for task, rise in rises.items())
            for most, bound in claims
        )

    if cost <= 0:
        return
    limits = {task: limit for task, limit in rising.limits().items() if limit}
    free = {task: limit for task, limit in limits.items() if not rising.terms[task][0]}
    priced = [task for task in limits if task not in free]
    ensure(is_refused(free, level=True), "nothing shows that rises without a price are not enough")
    stack: list[tuple[tuple[str, ...], int]] = [((), 0)]
    for _ in range(MOST_SETS):
        if not stack:
            return
        chosen, start = stack.pop()
        base = free | {task: limits[task] for task in chosen}
        left = cost - rising.cost(base)
        rest = {task: left / rising.terms[task][0] for task in priced if task not in base}
        for task, rise in rest.items():
            one = base | {task: min(rise, limits[task])}
            ensure(is_refused(one, level=rise > limits[task]), f"nothing shows that {task!r} needs to rise so far")
        over = [task for task, rise in rest.items() if rise > limits[task]]
        together = base | {task: min(rise, limits[task]) for task, rise in rest.items()}
        alone = all(is_refused(base | {task: rest[task]}, level=False) for task in over)
        if not alone and not is_refused(together, level=True):
            fits = (at for at in range(start, len(priced)) if limits[priced[at]] * rising.terms[priced[at]][0] < left)
            stack.extend(((*chosen, priced[at]), at + 1) for at in fits)
    raise NotCheckedError("that nothing cheaper is enough (too many sets of tasks)")


MOST_SETS = 1_000


def upset(document: Part, table: Table | None) -> Finding:
    """Check improvements with which a model beats every rival, and that nothing cheaper does where a tree shows it."""
    parts = document.parts("kind model cost_unit table scores cost weights space terms against refused tree solver")
    _, model, unit, carried, scores, cost, weighted, spaced, terms, against, refused, tree, solver = parts
    ensure(unit.value in ("score", "result"), f"improving costs scores or results, not {shown(unit.value)}")
    by_score = unit.value == "score"
    rising = read_rising(model, carried, terms, table, weighed=spaced.value is None)
    rises = read_rises(rising, scores)
    paid = price_of(rising, rises, by_score=by_score)
    ensure(paid == cost.fraction(), f"the improvements cost {paid}, not {cost.value}")
    weights, space = read_rising_weights(rising, weighted, spaced)
    now, then = (min(leads(signs_of(rising, one), weights)) for one in ({}, rises))
    ensure(then > 0, f"some duel of {model.value!r} is not won")
    # Nothing is cheaper than nothing, nor than the one least step where some step is needed.
    steps = [price * (step if by_score else ONE) for price, step, _, _ in rising.terms.values()]
    least = cost.fraction() == 0 or (space is None and now <= 0 and cost.fraction() == min(steps))
    ensure(solver.value in (None, *SOLVERS), f"{shown(solver.value)} is not a solver")
    shown_by = least + (tree.value is not None) + (solver.value is not None)
    ensure(shown_by == 1, "a solver is named where, and only where, its bound is relied on")
    beaten, claims = against.names() if against.of(list) else (), refused.items()
    stray = beaten if tree.value is None or space else ()
    ensure(not stray and (not claims or (tree.value is not None and space)), "proofs of a tree stand without it")
    for task, (*_, best) in rising.terms.items():
        own = rising.held.scores[task][rising.place]
        possible = best is None or own is None or own <= (-best if task in rising.lower else best)
        ensure(possible, f"the best score on {task!r} is worse than today's")
    said = f"Head-to-head, {model.value} wins if it improves for {cost.value}"
    if tree.value is not None:
        make = level_rises if by_score else level_results
        check_no_cheaper_levels(
            tree, cost.fraction(), rising, weights if space is None else space, beaten, claims, make
        )
        said += ", and nothing cheaper is enough"
    return Finding(f"{said}.{space or ''}", ("that nothing cheaper does",) * (solver.value is not None))


def price_of(rising: Rising, rises: Mapping[str, Fraction], *, by_score: bool) -> Fraction:
    """Return the cost of rises, a price for each unit of score or each changed result, ensuring they are allowed."""
    paid = ZERO
    for task, rise in rises.items():
        price, step, most, best = rising.terms[task]
        pairs = zip(column_of(rising, task, rise), column_of(rising, task, ZERO), strict=True)
        amount = rise if by_score else Fraction(sum(one != other for one, other in pairs))
        ensure(most is None or amount <= most, f"{task!r} improves by more than {most}")
        paid += price * amount
        top = best is None or rising.own(task) + rise <= (-best if task in rising.lower else best)
        ensure(top, f"{task!r} is beyond its best score")
        if by_score:
            ensure((rise / step).denominator == 1, f"{task!r} improves by {rise / step} steps")
    return paid


def check_no_cheaper_levels(  # noqa: PLR0917 - a tree, and what it is about
    tree: Part,
    cost: Fraction,
    rising: Rising,
    weights: Numbers | Space,
    beaten: Sequence[str],
    refused: Sequence[Part],
    make: Callable[[Rising, str, Sequence[int]], list[tuple[Fraction, Fraction]]],
) -> None:
    """Ensure by a tree that no rises win that cost less: some rivals at fixed weights, or all at free ones.

    A column is a level, of each task at most one: the least rise that ties or beats some rival, for its price.
    """
    free, models = isinstance(weights, Space), rising.held.models
    rivals = [row for row in range(len(models)) if row != rising.place]
    ensure(set(beaten) <= {models[row] for row in rivals}, "the tree is about rivals that the table does not have")
    kept = [row for row in rivals if free or models[row] in beaten]
    priced = {task: make(rising, task, kept) for task in rising.tasks}
    levels = {task: [rise for rise, _ in own] for task, own in priced.items()}
    columns = [(task, rise) for task, own in levels.items() for rise in own[1:]]
    if isinstance(weights, Space):
        found = [one for document in refused for one in blocked_rows(document, rising, levels, weights)]
        rows, least = [row for row, _ in found], [lacks for _, lacks in found]
    else:
        rows, least = duel_rows(rising, kept, columns, whole(weights)[0])
    rows += [[-int(task == one) for task, _ in columns] for one in rising.tasks]
    least += [-1] * len(rising.tasks)
    prices, under = whole(price for own in priced.values() for _, price in own[1:])
    unit = math.gcd(*prices) or 1
    claim = cost * under / unit
    ensure(claim.denominator == 1, "no levels cost so much")
    box = [0] * len(columns), [1] * len(columns)
    check_tree(tree, rows, least, [one // unit for one in prices], box, int(claim))


def duel_rows(
    rising: Rising, kept: Sequence[int], columns: Sequence[tuple[str, Fraction]], weights: Sequence[int]
) -> tuple[list[list[int]], list[int]]:
    """Return the requirements on levels to beat rivals: leads of 1, and more than half of the weight not behind.

    And of each row that lacks an odd number half, rounded up.
    """
    proportion = [weight // (math.gcd(*weights) or 1) for weight in weights]
    weigh = dict(zip(rising.tasks, proportion, strict=True))
    rows, least = list[list[int]](), list[int]()
    for needed, is_level in ((1, False), (sum(proportion) // 2 + 1, True)):
        for rival in kept:

            def worth(task: str, rise: Fraction, rival: int = rival, *, is_level: bool = is_level) -> int:
                sign = sign_at(rising, rival, task, rise)
                return weigh[task] * (int(sign >= 0) if is_level else sign)

            lacks = max(0, needed - sum(worth(task, ZERO) for task in rising.tasks))
            rows.append([min(lacks, worth(task, rise) - worth(task, ZERO)) for task, rise in columns])
            least.append(lacks)
    odd = [row for row, lacks in enumerate(least) if lacks % 2]
    rows += [[(gain + 1) // 2 for gain in rows[row]] for row in odd]
    return rows, least + [(least[row] + 1) // 2 for row in odd]


def level_results(rising: Rising, task: str, kept: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """Return rises of a score to and just above those of rivals, 0 first, and the price of the results that change."""
    scores, (price, _, most, best) = rising.held.scores[task], rising.terms[task]
    own, now = scores[rising.place], column_of(rising, task, ZERO)
    if own is None:
        return [(ZERO, ZERO)]
    gaps = sorted({gain - own for gain in scores if gain is not None and gain >= own})
    useful = {scores[row] for row in kept}
    found, room = [(ZERO, ZERO)], None if best is None else (-best if task in rising.lower else best) - own
    for gap, after in zip(gaps, [*gaps[1:], gaps[-1] + 2], strict=True):
        for rise in (gap, (gap + after) / 2) if own + gap in useful else ():
            changed = sum(map(operator.ne, column_of(rising, task, rise), now))
            fits = room is None or gap < room or rise == gap == room
            if rise and fits and (most is None or changed <= most):
                found.append((rise, price * changed))
    # At the same price the higher rise is as good as any.
    last = len(found) - 1
    return [one for at, one in enumerate(found) if at in (0, last) or found[at + 1][1] > one[1]]


def level_rises(rising: Rising, task: str, kept: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """Return the least rises of a score that tie or beat some rival, 0 first, as far as the terms allow, priced."""
    own, (price, step, most, best) = rising.held.scores[task][rising.place], rising.terms[task]
    if own is None:
        return [(ZERO, ZERO)]
    gaps = [gain - own for row in kept if (gain := rising.held.scores[task][row]) is not None]
    counts = {0, *(n for gap in gaps for n in (-(-gap // step), gap // step + 1) if n > 0)}
    limits = [] if most is None else [most // step]
    limits += [] if best is None else [((-best if task in rising.lower else best) - own) // step]
    steps = sorted(n for n in counts if n <= max(0, min([*limits, n])))
    # Where rises cost nothing the highest one is as good as any.
    return [(step * n, step * n * price) for n in (steps if price else sorted({0, steps[-1]}))]


def blocked_rows(
    document: Part, rising: Rising, levels: Mapping[str, Sequence[Fraction]], space: Space
) -> list[tuple[list[int], int]]:
    """Return rows that winning levels meet: what higher levels add to a sum over tasks that must be above 0.

    Winning weights w lead a mixture of rivals, z.s.w > 0 with the signs s, and the conditions bound their vectors, a.w
    <= h(a): so with the sum of all h(a), and as w sums to 1, the w_t (z.s_t - sum a_t + sum h) add up to more than 0.
    Each part is largest where a condition alone bounds w_t. Without a condition on the sum of changes, and its vector,
    the parts are worth what they are at its centre, and half of that sum goes from the least to the greatest part.
    """
    blockers, given = document.parts("blockers vectors")
    rivals = [one for row, one in enumerate(rising.held.models) if row != rising.place]
    shares, vectors = blockers.among(rivals), space.vectors(given)
    ensure(min(shares) >= 0, "the share of a rival is negative")
    led = {
        task: [total(map(operator.mul, shares, column_of(rising, task, rise))) for rise in own]
        for task, own in levels.items()
    }

    def parts(kept: Sequence[int]) -> dict[str, list[Fraction]]:
        some = Space(space.tasks, tuple(space.conditions[at] for at in kept))
        left, right = left_by(some, [vectors[at] for at in kept])
        return {task: [one + more + right for one in led[task]] for task, more in zip(space.tasks, left, strict=True)}

    every = range(len(space.conditions))
    ends = {task: bounds_of(space, task) for task in space.tasks}
    worth = {task: [max(ends[task][0] * one, ends[task][1] * one) for one in own] for task, own in parts(every).items()}
    found = [higher_levels(worth, ZERO)]
    for at, near in enumerate(space.conditions):
        if near.form == "l1":
            own = parts([one for one in every if one != at])
            moved = near.bound / 2 * (max(map(max, own.values())) - min(map(min, own.values())))
            centred = {task: [near.tasks[task] * one for one in values] for task, values in own.items()}
            found.append(higher_levels(centred, moved))
    return found


def bounds_of(space: Space, task: str) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest weight of a task that the conditions allow, each by itself."""
    ends = [ZERO, ONE]
    for condition in space.conditions:
        for side, end in ((-1, 0), (1, 1)):
            if condition.form in {*NORMS, "relative"} or (condition.form == "sum" and condition.tasks.keys() == {task}):
                factor = condition.tasks[task] * side
                known = condition.form != "sum" or condition.relation in ("=", "<=" if factor > 0 else ">=")
                if known:
                    ends[end] = side * min(side * ends[end], condition.support({task: Fraction(side)}))
    return ends[0], ends[1]


def higher_levels(worth: Mapping[str, Sequence[Fraction]], more: Fraction) -> tuple[list[int], int]:
    """Return the row that one level of each task and some more are worth more than 0, over the higher levels."""
    gains = [one - own[0] for own in worth.values() for one in own[1:]]
    (lacks, *added), _ = whole([-more - total(own[0] for own in worth.values()), *gains])
    needed = max(0, lacks + 1)
    return [min(one, needed) for one in added], needed


def sign_at(rising: Rising, rival: int, task: str, rise: Fraction) -> int:
    """Return the sign of the model over a rival on a task with a rise; a missing score is a tie."""
    own, other = (rising.held.scores[task][row] for row in (rising.place, rival))
    return 0 if own is None or other is None else sign_of(own + rise - other)


def signs_of(rising: Rising, rises: Mapping[str, Fraction]) -> list[list[int]]:
    """Return the signs of the model over its rivals, with rises; a missing score is a tie."""
    rivals = (row for row in range(len(rising.held.models)) if row != rising.place)
    return [[sign_at(rising, row, task, rises.get(task, ZERO)) for task in rising.tasks] for row in rivals]


def column_of(rising: Rising, task: str, rise: Fraction) -> list[int]:
    """Return the signs of the model over its rivals on one task, with a rise."""
    return [sign_at(rising, row, task, rise) for row in range(len(rising.held.models)) if row != rising.place]


# 10. The program ------------------------------------------------------------------------------------------------------

KINDS: dict[str, Callable[[Part, Table | None], Finding]] = {
    **{one.__name__: one for one in (prospect, prospects, realisation, contradiction, scenario, weight_ranges, duels)},
    **{one.__name__: one for one in (stability, broken_cycle, strongest_cycle, majority_overview, missing_score_pairs)},
    **{one.__name__: one for one in (shortlist, asked, settle, least_proof, replay, missing, mean_upset, upset)},
    **{one.__name__: one for one in (task_sets, geometric_prospect, majority_prospect, partial_prospects)},
    **{one.__name__: one for one in (winning_region, map_of_winners, winning_shares, pair_shares)},
    **{one.__name__: one for one in (card, fewest_drops, leave_one_out, smallest_benchmark)},
    **{one.__name__: one for one in (single_peaked, group_separable, distance_restricted)},
    **dict.fromkeys(("kemeny", "slater"), median_order),
    **dict.fromkeys(("fewest_lifts", "lift_counts"), lifts),
}


def rows_told(document: Part, results: Sequence[Part]) -> list[str]:
    """Return the line about the rounded rows of a document, which hold plain values, a list of them for each result."""
    table = document.value.get("table") if "results" in document.value else None
    if table is None:
        return []
    fits = isinstance(table, list) and all(isinstance(one, dict) and isinstance(one.get("rows"), list) for one in table)
    fits = fits and [one.get("kind") for one in table] == [one.value.get("kind") for one in results]
    rows = [row for one in table for row in one["rows"]] if fits else []
    fits = fits and all(isinstance(row, dict) for row in rows)
    fits = fits and all(
        not isinstance(cell, list | dict) and cell not in (math.inf, -math.inf) for row in rows for cell in row.values()
    )
    ensure(fits, "table: its rows are not those of the results")
    return ["table: its rows are rounded words that follow from the results; they were not compared."]


class Report(NamedTuple):
    """What was checked, line by line, and the exit code."""

    lines: list[str]
    code: int


def check(proof: str, table: str | None = None, declared: Declared | None = None) -> Report:
    """Check a document's text, with the text of its table, if given.

    Raises
    ------
    FalseClaimError
        Naming the kind of the first claim that fails, and its first inequality.
    WrongInputError
        If the document or the table has another form than is read here.
    """
    document, given = read_json(proof), declared or Declared()
    results, options = read_envelope(document)
    reading = options.get("reading", Reading())
    known = READ_SO if reading.key else ("--higher=",)  # an undeclared task counts so, too
    flags = [one for one in options.get("flags", []) if not one.startswith(known)]
    made_with = options.get("config") or " ".join(flags)
    if table is not None and made_with and given._replace(complete=None) == Declared():
        refuse(f"the claim was made with {shown(made_with)}: declare the same, in options or by --config FILE")
    if given.complete is None:
        given = given._replace(complete=options.get("complete") is True)
    board, given = (None, given) if table is None else read_table(table, given, reading)
    unknown = Finding("", ("a kind that is not known here",))
    lines, is_open, spoken = [], False, board
    for one in results:
        kind = Part(one.of(dict).get("kind"), "kind").of(str)
        ensure_format(one)
        try:
            said, unchecked = unknown
            if kind in KINDS:
                claim = claim_of(one)
                read = whole_part(claim, board)
                spoken = read if read is not board else spoken
                said, unchecked = KINDS[kind](claim, read)
        except NotCheckedError as error:
            said, unchecked = "", (str(error),)
        except FalseClaimError as error:
            raise FalseClaimError(f"{kind}: {error}") from None
        lines += [f"{kind}: {said}"] if said else []
        lines += [f"{kind}: not checked: {text}." for text in unchecked]
        is_open = is_open or bool(unchecked)
    lines += rows_told(document, results)
    lines.append("No table was compared." if board is None else f"Compared with the table; declared: {given}.")
    if board is not None and spoken is not None and spoken is not board:
        named = ", ".join(one for one in board.models if one not in spoken.models)
        lines.append(f"Answers by points are about the models with every score, not about {named}.")
    if board is not None and board.left_out:
        named, count = ", ".join(board.left_out), len(board.models)
        lines.append(f"Covers {count} of {count + len(board.left_out)} models; excluded: {named}.")
    return Report(lines, 3 if is_open else 0)


def read_text(path: str) -> str:
    """Return the text of a file, ``-`` being standard input."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        return data.decode("utf-8-sig") if len(data) <= MOST_BYTES else refuse(f"{path} has over {MOST_BYTES} bytes")
    except UnicodeDecodeError:
        refuse(f"{path} is not UTF-8")
    except (OSError, ValueError) as error:
        refuse(f"{path}: {error.strerror if isinstance(error, OSError) else error}")


# Python's reader of TOML takes memory with the square of the parts of a dotted key: 8 are allowed. The parts are texts
# and bare names, dots between them; comments and all else end a key.
MOST_PARTS = 8
TOKEN = re.compile(
    r"""(?s)(?P<part>"{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3})?|'{3}(?:[^']|'(?!''))*+(?:'{3})?|"(?:[^"\\\n]|\\[^\n])*+"?"""
    r"""|'[^'\n]*+'?|[\w-]++)|(?P<dot>[ \t]*+\.[ \t]*+)|\#[^\n]*+|[ \t]++|[^\w"'\#. \t-]++"""
)
# What a configuration may declare, and what it declares otherwise.
DECLARED: dict[str, Any] = {key: [] for key in ("lower_is_better", "higher_is_better", "drop")}
DECLARED |= {"weights": {}, "groups": {}, "tolerance": 0, "relative_tolerance": 0, "rule": "", "bounds": []}


def declared_in(text: str) -> Declared:
    """Return the declarations of a TOML file about a table; unknown keys are refused."""
    if len(text) > MOST_DECLARED:
        refuse(f"the configuration has more than {MOST_DECLARED} characters")
    dots = 0
    for token in TOKEN.finditer(text):
        dots = dots + (token.lastgroup == "dot") if token.lastgroup else 0
        if dots >= MOST_PARTS:
            refuse(f"the configuration has a key of more than {MOST_PARTS} parts")
    try:
        found = tomllib.loads(text, parse_float=Fraction)
    except (ValueError, RecursionError) as error:
        refuse(f"the configuration is not TOML: {error}")

    for name in found.keys() - DECLARED.keys():
        refuse(f"the configuration declares {name!r}, which is not read here")

    def names(part: Part) -> tuple[str, ...]:
        return Part([part.value] if isinstance(part.value, str) else part.value, part.what).all_of(str)

    def number(part: Part) -> Fraction:
        made = part.value if isinstance(part.value, Fraction) else decimal(str(part.value), part.what)
        return made if made >= 0 else refuse(f"{part.what}: {made} is negative")

    def numbers(part: Part) -> dict[str, Fraction]:
        return {task: number(one) for task, one in part.entries().items()}

    lower, higher, drop, weights, groups, *limits, rule, _ = (
        Part(found.get(key, value), key) for key, value in DECLARED.items()
    )
    absolute, relative = (numbers(one) if isinstance(one.value, dict) else number(one) for one in limits)
    sets = {key: names(one) for key, one in groups.entries().items()}
    rule.of(str)  # a claim names its own rule
    names(higher)  # as is everything that is not in lower_is_better
    return Declared(names(lower), names(drop), numbers(weights), sets, absolute, relative, from_file=True)


class Arguments(argparse.ArgumentParser):
    """Arguments whose faults are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Raise WrongInputError."""
        refuse(message)


def declared_by(options: argparse.Namespace) -> Declared:
    """Return the declarations of the options; they add to those of a configuration."""
    base, weights = declared_in(read_text(options.config)) if options.config else Declared(), {}
    for text in options.weight:
        name, found, weight = text.rpartition("=")
        weights[name] = decimal(weight, text) if found else refuse(f"--weight {text}: NAME=W is needed")
    lower, drop = (*base.lower, *options.lower), (*base.drop, *options.drop)
    return base._replace(lower=lower, drop=drop, weights={**base.weights, **weights}, complete=options.complete)


# Letters that a terminal would obey, or that cannot be written: shown as codes.
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def reported(listed: Sequence[str] | None) -> Report:
    """Return the program's output and its exit code."""
    parser = Arguments(prog="checker.py", description="Check a proof of weightlab in exact arithmetic, without it.")
    parser.add_argument("proof", metavar="PROOF.json", help="document; '-' for standard input")
    parser.add_argument("table", metavar="TABLE.csv", nargs="?", help="comma-separated score table with one header row")
    parser.add_argument("--lower", metavar="NAME", action="append", default=[], help="on this task lower is better")
    parser.add_argument("--drop", metavar="NAME", action="append", default=[], help="leave out this column")
    parser.add_argument("--weight", metavar="NAME=W", action="append", default=[], help="weight of a task, otherwise 1")
    parser.add_argument("--complete", action="store_true", default=None, help="leave out models that lack a score")
    parser.add_argument("--config", metavar="FILE.toml", help="read declarations from a file")
    try:
        options = parser.parse_args(listed)
        table = None if options.table is None else read_text(options.table)
        return check(read_text(options.proof), table, declared_by(options))
    except FalseClaimError as error:
        return Report([f"false: {error}."], 1)
    except WrongInputError as error:
        return Report([f"wrong input: {error}."], 2)
    except MemoryError:
        return Report(["wrong input: there is not enough memory for it."], 2)


def main(listed: Sequence[str] | None = None) -> int:
    """Print what was checked and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    lines, code = reported(listed)
    for line in lines:
        safe = UNSAFE.sub(lambda found: ascii(found[0])[1:-1], line)
        print(safe, file=sys.stderr if code in {1, 2} else sys.stdout)
    return code


if __name__ == "__main__":
    sys.exit(main())
