"""An independent checker of weightlab's proofs: one file, the standard library only, nothing of the package.

Usage: ``python checker.py PROOF.json [TABLE.csv] [--lower NAME] [--drop NAME] [--complete] [--weight NAME=W]``

The prover is not trusted, and neither is its own verification: all that is believed here is Python's integers. A
document says what is true and carries what proves it; this file works out the signs of the table anew and checks each
inequality in exact arithmetic. How to read it, from top to bottom:

1. *Reading* (`Part`): every part of a document has one form; one part more, fewer, or of another form is refused.
2. *The table* (`Column`, `read_table`): decimals as they are written, and who leads whom on which task.
3. *Weights* (`reduced_costs`, `check_weights`): two theorems stand behind all claims about weights. Weak duality is
   behind every "no weights do", weights themselves are behind every "these weights do". The kinds follow.
4. *Rankings* and *majorities*: axes, cuts and orders are tried out; what forbids them is looked for where it is said.
5. *The program* (`KINDS`, `check`): a function for each kind of result, and what is said of them.

``docs/reference/proofs.md`` states for each kind the fields, the inequalities and what they prove.

Exit codes: 0 all is checked; 1 a claim is false; 2 the input is wrong; 3 something was not checked: a kind that is not
known here, or a part that rests on a solver's bound or on samples. What was checked is said in any case.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import operator
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

Numbers = Sequence[Fraction]
Rows = Sequence[Sequence[int]]

ZERO, ONE = Fraction(0), Fraction(1)
MOST_BYTES = 200_000_000
"""Larger files are refused."""
MOST_DIGITS = 4_000
"""Numbers with more digits are refused."""
MOST_BITS = 400_000
"""Sums whose common denominator is longer are refused: their cost grows with its square."""
MOST_STEPS = 20_000_000
"""Witnesses that take more steps are not checked."""
SOLVERS = ("HiGHS", "CBC")
"""Whose word the package may take."""


class FalseClaimError(Exception):
    """What a document claims, or proves it by, does not hold."""


class WrongInputError(Exception):
    """A file or an option has another form than is read here."""


class NotCheckedError(Exception):
    """A claim with a proof that this file does not check."""


class Finding(NamedTuple):
    """What was proved, in one sentence; what remains to be believed; and columns of the block ``table`` that follow."""

    proved: str
    believed: tuple[str, ...] = ()
    columns: Mapping[str, Sequence[Any]] = {}


def ensure(holds: object, failure: str) -> None:
    """Raise FalseClaimError with the inequality that fails."""
    if not holds:
        raise FalseClaimError(failure)


def refuse(message: str) -> NoReturn:
    """Raise WrongInputError."""
    raise WrongInputError(message)


# 1. Reading ----------------------------------------------------------------------------------------------------------


def shown(value: Any) -> str:
    """Return what a value looks like, shortened."""
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
        return (
            self.value
            if type(self.value) is kind
            else refuse(f"{self.what}: {shown(self.value)} is no {kind.__name__}")
        )

    def parts(self, names: str) -> list[Part]:
        """Return the parts of an object in the order of their names; it must have all of them and no others."""
        wanted = names.split()
        for name in self.of(dict):
            if name not in wanted:
                refuse(f"{self.what} has {shown(name)}, a part that is not known")
        for name in wanted:
            if name not in self.value:
                refuse(f"{self.what} lacks {name!r}")
        return [Part(self.value[name], name) for name in wanted]

    def items(self) -> list[Part]:
        """Return the items of a list."""
        return [Part(one, self.what) for one in self.of(list)]

    def entries(self) -> dict[str, Part]:
        """Return the entries of an object by name."""
        return {name: Part(one, f"{self.what} of {name!r}") for name, one in self.of(dict).items()}

    def text(self) -> str:
        """Return a text."""
        return str(self.of(str))

    def integer(self) -> int:
        """Return an integer."""
        return int(self.of(int))

    def texts(self) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(one.text() for one in self.items())

    def names(self) -> tuple[str, ...]:
        """Return a list of texts that are all different, none of them empty, and at least one."""
        found = self.texts()
        fits = found and all(found) and len(set(found)) == len(found)
        return found if fits else refuse(f"{self.what}: names that differ are needed")

    def solver(self) -> str:
        """Return the name of a solver that may be relied on."""
        known = self.value in SOLVERS
        return (
            str(self.value) if known else refuse(f"the solver is one of {', '.join(SOLVERS)}; got {shown(self.value)}")
        )

    def integers(self) -> list[int]:
        """Return a list of integers."""
        return [one.integer() for one in self.items()]

    def fraction(self) -> Fraction:
        """Return the fraction that a text ``p/q`` stands for."""
        text = self.value if isinstance(self.value, str) and len(self.value) <= 2 * MOST_DIGITS else ""
        digits = re.fullmatch(r"(-?[0-9]+)(?:/([0-9]+))?", text)
        if not digits or any(len(one or "") > MOST_DIGITS for one in digits.groups()) or not int(digits[2] or 1):
            refuse(f"{self.what}: {shown(self.value)} is no fraction p/q")
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
        found, known = self.fractions(), set(names)
        for name in found.keys() - known:
            refuse(f"{self.what}: {shown(name)} is not known")
        return [found.get(name, ZERO) for name in names]

    def along(self, names: Sequence[str]) -> list[Fraction]:
        """Return fractions written for just these names in this order."""
        found = self.fractions()
        ensure(list(found) == list(names), f"{self.what}: the names are others, or in another order")
        return list(found.values())

    def listed(self, count: int) -> list[Fraction]:
        """Return a list of so many fractions."""
        ensure(len(self.of(list)) == count, f"{self.what}: there must be {count} numbers")
        return [one.fraction() for one in self.items()]

    def signs(self, rows: int, columns: int) -> list[list[int]]:
        """Return signs from one text of ``+``, ``0`` and ``-`` a row."""
        found = self.texts()
        if len(found) != rows or any(len(row) != columns or row.strip("+0-") for row in found) or not rows * columns:
            refuse(f"{self.what}: {rows} texts of {columns} signs '+', '0' and '-' are needed")
        return [[{"+": 1, "0": 0, "-": -1}[letter] for letter in row] for row in found]

    def square(self, size: int, read: Callable[[Part], Any]) -> list[list[Any]]:
        """Return a square table, each cell read."""
        if len(self.of(list)) != size or any(len(row.of(list)) != size for row in self.items()):
            refuse(f"{self.what}: {size} rows of {size} are needed")
        return [[read(one) for one in row.items()] for row in self.items()]


def read_json(text: str) -> Part:
    """Return a document; keys that occur twice, NaN and numbers of too many digits are refused."""

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        return made if len(made) == len(pairs) else refuse("a key occurs twice in one object")

    def read_integer(digits: str) -> int:
        return int(digits) if len(digits) <= MOST_DIGITS else refuse("a number has too many digits")

    def read_constant(name: str) -> NoReturn:
        refuse(f"{name} is no number")

    if text.lstrip()[:1] == "<":
        refuse("this is a page; a JSON document is needed, such as 'weightlab win --output' writes")
    try:
        read = json.loads(text, object_pairs_hook=read_object, parse_int=read_integer, parse_constant=read_constant)
    except RecursionError:
        refuse("the document is too deeply nested")
    except ValueError as error:
        refuse(f"the document is not JSON: {error}")
    return Part(read, "the document")


# Exact sums: integers over one denominator.


def whole(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """Return integers that, over the integer beside them, are the values."""
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


# 2. The table --------------------------------------------------------------------------------------------------------

MISSING = {"", "-", "na", "n/a", "nan"}
"""Cells that hold no score, in capitals or not."""


class Column(NamedTuple):
    """The scores of a task as integers over a unit, greater being better, and up to which difference they tie."""

    values: Sequence[int | None]
    allowed: int = 0
    scale: int = 1
    relative: bool = False
    unit: int = 1

    def sign(self, model: int, rival: int) -> int:
        """Return who leads; nobody where they tie or a score is missing."""
        one, other = self.values[model], self.values[rival]
        if one is None or other is None:
            return 0
        allowed = self.allowed * max(abs(one), abs(other)) if self.relative else self.allowed
        return 0 if abs(one - other) * self.scale <= allowed else 1 if one > other else -1


class Board(NamedTuple):
    """Columns by task."""

    models: tuple[str, ...]
    columns: Mapping[str, Column]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.columns)

    def rivals(self, model: str) -> tuple[str, ...]:
        """Return all models but one."""
        return tuple(one for one in self.models if one != model)

    def rows(self, model: str, rivals: Sequence[str], tasks: Sequence[str]) -> list[list[int]]:
        """Return G: 1 where the model leads the rival, -1 where it trails, 0 where they tie or a score is missing."""
        at = {name: place for place, name in enumerate(self.models)}
        return [[self.columns[task].sign(at[model], at[rival]) for task in tasks] for rival in rivals]


class Table(NamedTuple):
    """A score table with what is declared about it."""

    board: Board
    weights: Mapping[str, Fraction]
    groups: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    errors: Mapping[str, list[Fraction | None]] = {}

    @property
    def shares(self) -> dict[str, Fraction]:
        """Today's weights, scaled to sum to 1."""
        together = total(self.weights.values())
        return {task: weight / together for task, weight in self.weights.items()}


class Declared(NamedTuple):
    """What is declared about a table."""

    lower: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    weights: Mapping[str, Fraction] = {}
    groups: Mapping[str, tuple[str, ...]] = {}
    tolerance: Fraction | Mapping[str, Fraction] = ZERO
    relative_tolerance: Fraction | Mapping[str, Fraction] = ZERO
    complete: bool | None = None

    def __str__(self) -> str:
        """Say what was applied."""
        said = [f"lower is better on {', '.join(self.lower)}"] if self.lower else []
        said += [f"columns left out: {', '.join(self.drop)}"] if self.drop else []
        said += ["models that lack a score left out"] if self.complete else []
        said += ["scores tie within a tolerance"] if self.tolerance or self.relative_tolerance else []
        if self.weights:
            said.append(f"weights {', '.join(f'{task}={weight}' for task, weight in self.weights.items())}")
        return "; ".join(said) or "nothing: higher is better everywhere, all weights are 1"

    def column(self, task: str, scores: Sequence[Fraction | None]) -> Column:
        """Return the column of a task."""
        values, unit = whole(one or ZERO for one in scores)
        sense = -1 if task in self.lower else 1
        given = [None if score is None else sense * value for score, value in zip(scores, values, strict=True)]
        limit, share = (
            one.get(task, ZERO) if isinstance(one, Mapping) else one
            for one in (self.tolerance, self.relative_tolerance)
        )
        if share:
            return Column(given, share.numerator, share.denominator, relative=True, unit=unit)
        return Column(given, math.floor(limit * unit), unit=unit)


def decimal(text: str, what: str) -> Fraction:
    """Return the number that a decimal text stands for."""
    found = re.fullmatch(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,4}))?", text)
    if found is None or len(text) > MOST_DIGITS or abs(int(found[1] or 0)) > MOST_DIGITS:
        refuse(f"{what}: {shown(text)} is no decimal number")
    return Fraction(text)


def read_table(text: str, declared: Declared) -> Table:
    """Return the table of a comma-separated text; the models stand in the column ``model``, else in the first.

    The column ``acc_stderr`` beside ``acc`` holds standard errors.
    """
    try:
        records = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if any(map(str.strip, row))]
    except csv.Error as error:
        refuse(f"the table is not comma-separated: {error}")
    if not records or any(len(row) != len(records[0]) for row in records):
        refuse("the table needs one header row, and as many cells in each row as in the header")
    header, *rows = records
    if {"model_a", "model_b", "winner"} <= set(header):
        refuse("the table is one of votes, which is not read here")
    columns = [place for place, name in enumerate(header) if name not in declared.drop]
    names = [header[place] for place in columns]
    for name in (*declared.lower, *declared.weights, *declared.drop):
        if name not in (header if name in declared.drop else names):
            refuse(f"the table has no column {name!r}")
    if len(columns) < 2 or len(set(names)) < len(names):
        refuse("the table needs a column of models and columns of scores, each with a name of its own")
    first = header.index("model") if "model" in names else columns[0]
    columns.remove(first)
    stems = {name for place, name in enumerate(header) if place != first}
    beside = [place for place in columns if header[place].removesuffix("_stderr") in stems - {header[place]}]
    columns = [place for place in columns if place not in beside]
    if not all(header[place].strip() for place in columns):
        refuse("a column of the table has no name; --drop leaves out columns that have one")
    scores = {row[first]: [cell(row[place], f"{row[first]} on {header[place]}") for place in columns] for row in rows}
    if len(scores) < len(rows):
        refuse("two rows of the table have the same model")
    kept = {model: own for model, own in scores.items() if not declared.complete or None not in own}
    tasks = [header[place] for place in columns]
    made = {task: declared.column(task, [own[at] for own in kept.values()]) for at, task in enumerate(tasks)}
    weights = {task: declared.weights.get(task, ONE) for task in tasks}
    if min(weights.values()) < 0 or not any(weights.values()):
        refuse("weights must not be negative, nor all 0")
    left_out = tuple(model for model in scores if model not in kept)
    errors = {
        header[at].removesuffix("_stderr"): [cell(row[at], header[at]) for row in rows if row[first] in kept]
        for at in beside
    }
    errors = {task: own for task, own in errors.items() if task in tasks}
    return Table(Board(tuple(kept), made), weights, declared.groups, left_out, known_errors(errors))


def known_errors(errors: Mapping[str, list[Fraction | None]]) -> dict[str, list[Fraction | None]]:
    """Return the standard errors of the tasks on which there are any; none may be negative."""
    ensure(all(one is None or one >= 0 for own in errors.values() for one in own), "a standard error is negative")
    return {task: own for task, own in errors.items() if any(one is not None for one in own)}


def cell(text: str, what: str) -> Fraction | None:
    """Return a score, None where it is missing."""
    return None if text.strip().casefold() in MISSING else decimal(text.strip(), what)


def ensure_names(what: str, claimed: Sequence[str], table: Sequence[str]) -> None:
    """Ensure that a claim is about all that the table has, and nothing else."""
    known, told = set(table), set(claimed)
    for name in claimed:
        ensure(name in known, f"the {what} {name!r} is not in the table")
    for name in table:
        ensure(name in told, f"the {what} {name!r} is only in the table")
    ensure(len(claimed) == len(table), f"a {what} is named twice")


def ensure_signs(
    table: Table | None, model: str, rivals: Sequence[str], tasks: Sequence[str], signs: Rows, *, some: bool = False
) -> None:
    """Ensure that signs are those of a table, worked out anew; ``some`` rivals instead of all will do."""
    if table is None:
        return
    ensure_names("task", tasks, table.board.tasks)
    if some:
        ensure({model, *rivals} <= set(table.board.models), "a model is not in the table")
    else:
        ensure_names("model", [model, *rivals], table.board.models)
    for rival, own, row in zip(rivals, table.board.rows(model, rivals, tasks), signs, strict=True):
        for task, found, claimed in zip(tasks, own, row, strict=True):
            where = f"the sign of {model!r} over {rival!r} on {task!r}"
            ensure(found == claimed, f"{where} is {found} in the table, not {claimed}")


def read_board(document: Part, table: Table | None) -> Board:
    """Return the signs of all models, ensuring that they are the table's."""
    named, columns = document.parts("models places")
    models = named.names()
    if len(models) < 2:
        refuse("there must be two models or more")
    own = Board(models, {task: read_column(one, len(models)) for task, one in columns.entries().items()})
    Part(list(own.columns), "tasks").names()
    if table is not None:
        ensure_names("task", own.tasks, table.board.tasks)
        for model in models:
            rivals = own.rivals(model)
            ensure_signs(table, model, rivals, own.tasks, own.rows(model, rivals, own.tasks))
    return own


def read_column(document: Part, count: int) -> Column:
    """Return a column: places from the worst, 1, up; or scores that tie within a tolerance."""
    if isinstance(document.value, dict):
        values, allowed, scale, relative = document.parts("values allowed scale relative")
        made = Column(values.of(list), allowed.integer(), scale.integer(), relative.of(bool))
        if made.allowed < 0 or made.scale < 1 or len(made.values) != count:
            refuse(f"{document.what}: this is no tolerance, or there is not one score a model")
    else:
        made = Column(document.of(list))
        fits = len(made.values) == count and all(type(one) is not int or 1 <= one <= count for one in made.values)
        if not fits:
            refuse(f"{document.what}: a place from 1 to {count} a model is needed")
    if any(one is not None and type(one) is not int for one in made.values):
        refuse(f"{document.what}: integers are needed, null where a score is missing")
    return made


# 3. Weights: not negative, sum to 1, and meet linear conditions ------------------------------------------------------

RELATIONS = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}
NORMS = ("l1", "linf")


class Row(NamedTuple):
    """A sum of weights and of auxiliary variables, which are not negative, against a bound."""

    tasks: Mapping[str, Fraction]
    relation: str
    bound: Fraction
    auxiliaries: Mapping[str, Fraction]


class Condition(NamedTuple):
    """A sum of weights against a bound, a distance (``l1``, ``linf``) from weights, or weights in proportion."""

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
        """Tell whether weights meet it."""
        if self.form in NORMS:
            return distance(self.form, [weights[task] for task in self.tasks], list(self.tasks.values())) <= self.bound
        sums = [(row, total(value * weights[task] for task, value in row.tasks.items())) for row in self.rows("")]
        return all(RELATIONS[row.relation](found, row.bound) for row, found in sums)

    def rows(self, name: str) -> list[Row]:
        """Return rows that hold, for some values of variables called ``name``, exactly where the condition does."""
        if self.form == "sum":
            return [Row(self.tasks, self.relation, self.bound, {})]
        if self.form == "linf":
            ways = (("<=", self.bound), (">=", -self.bound))
            return [Row({task: ONE}, way, own + far, {}) for task, own in self.tasks.items() for way, far in ways]
        if self.form == "l1":
            # Both weightings sum to 1, so what some tasks gain the others lose: all gains are half the distance.
            rows = gain_rows(self.tasks, name)
            gains = {one: ONE for row in rows for one in row.auxiliaries}
            return [*rows, Row({}, "<=", self.bound / 2, gains)]
        anchor = max(self.tasks, key=lambda task: self.tasks[task])
        ratios = {task: own / self.tasks[anchor] for task, own in self.tasks.items() if task != anchor}
        return [Row({task: ONE, anchor: -own}, "=", ZERO, {}) for task, own in ratios.items()]


def gain_rows(centre: Mapping[str, Fraction], name: str) -> list[Row]:
    """Return the rows that say that each gain is at least what a weight is above the given one."""
    return [Row({task: ONE}, "<=", own, {f"{name}gain of {task}": -ONE}) for task, own in centre.items()]


def distance(norm: str, weights: Numbers, centre: Numbers) -> Fraction:
    """Return how far two weightings are apart: the sum of all changes, or the largest."""
    changes = [abs(one - other) for one, other in zip(weights, centre, strict=True)]
    return total(changes) if norm == "l1" else max(changes)


class Space(NamedTuple):
    """All weights of some tasks that meet all conditions."""

    tasks: tuple[str, ...]
    conditions: tuple[Condition, ...] = ()
    rows: tuple[Row, ...] = ()

    def __str__(self) -> str:
        """Say the conditions in a sentence that follows a claim, if there are any."""
        return f" Conditions: {'; '.join(map(str, self.conditions))}." if self.conditions else ""

    def with_condition(self, condition: Condition) -> Space:
        """Return the space with one more condition; one that is there already changes nothing."""
        if condition in self.conditions:
            return self
        rows = condition.rows(f"{len(self.conditions)}: ")
        return Space(self.tasks, (*self.conditions, condition), (*self.rows, *rows))

    def weights(self, document: Part) -> list[Fraction]:
        """Return weights of the space, of which those that are 0 may be left out."""
        weights = document.among(self.tasks)
        check_weights(self, weights)
        return weights

    def without(self, place: int) -> Space:
        """Return the space with all conditions but one."""
        return Space(self.tasks, self.conditions[:place] + self.conditions[place + 1 :])


def read_condition(document: Part, tasks: Sequence[str]) -> Condition:
    """Return a condition on the weights of these tasks, in one of its three forms."""
    if "norm" in document.of(dict):
        form, radius, named = document.parts("norm radius centre")
        condition = Condition(form.text(), named.fractions(), "<=", radius.fraction())
        if form.value not in NORMS or len(condition.tasks) < len(tasks):
            refuse("a distance is by the norm l1 or linf, from weights of all tasks")
    elif "shares" in document.value:
        condition = Condition("=", document.parts("shares")[0].fractions(), "=", ZERO)
    else:
        named, relation, bound = document.parts("tasks relation bound")
        condition = Condition("sum", named.fractions(), relation.text(), bound.fraction())
        if relation.value not in RELATIONS or not all(condition.tasks.values()):
            refuse("a condition has a coefficient of 0 or no relation")
    if condition.tasks.keys() - set(tasks):
        refuse("a condition names what is no task of its space")
    if condition.form != "sum" and not is_weighting(condition.tasks.values()):
        refuse("the weights of a condition must be some, not negative, and sum to 1")
    return condition


def is_weighting(shares: Iterable[Fraction]) -> bool:
    """Tell whether shares are some, not negative, and sum to 1."""
    listed = list(shares)
    return bool(listed) and min(listed) >= 0 and total(listed) == 1


def read_space(document: Part, tasks: Sequence[str] | None = None) -> Space:
    """Return a space, of just these tasks where they are known."""
    named, conditions = document.parts("tasks conditions")
    space = Space(named.names())
    ensure(tasks is None or space.tasks == tasks, "the tasks of the space are not those of the signs, in order")
    for one in conditions.items():
        space = space.with_condition(read_condition(one, space.tasks))
    return space


def check_weights(space: Space, weights: Numbers) -> None:
    """Ensure that weights are not negative, sum to 1, and meet all conditions of a space."""
    named = dict(zip(space.tasks, weights, strict=True))
    for task, weight in named.items():
        ensure(weight >= 0, f"the weight of {task!r} is negative: {weight}")
    ensure(total(weights) == 1, f"the weights sum to {total(weights)}, not to 1")
    for condition in space.conditions:
        ensure(condition.holds(named), f"the weights do not meet the condition {condition}")


def reduced_costs(
    space: Space,
    multipliers: Numbers,
    *,
    more: Sequence[Row] = (),
    objective: Numbers | None = None,
    auxiliaries: Mapping[str, Fraction] | None = None,
    duels: Rows = (),
    factors: Numbers = (),
    least: Fraction = ZERO,
    sense: int = 1,
) -> tuple[list[Fraction], Fraction]:
    """Return r and b such that the objective is at least r.w + b for all allowed w (at most where ``sense`` is -1).

    Weak duality, the theorem behind every "no weights do better". Weights w and variables a are not negative, w sums
    to 1, the rows say A w + B a >= bound (or <=, =), the duels G w >= least. Subtract from the objective c.w + d.a a
    multiple y of what each row, and z of what each duel, has to spare: where y and z have the right signs this makes it
    no greater. What is left is (c - y A - z G).w + (d - y B).a + y.bound + least sum z, and the middle term is not
    negative where d >= y B. Since w is a mixture of the tasks, the least entry of r bounds the first.
    """
    left: dict[str, list[Fraction]] = {task: [] for task in space.tasks}
    used: dict[str, list[Fraction]] = {name: [] for name in auxiliaries or {}}
    right = [least * factor for factor in factors]
    for place, (row, factor) in enumerate(zip((*space.rows, *more), multipliers, strict=True), start=1):
        turned = sense * factor
        fits = row.relation == "=" or (turned >= 0 if row.relation == ">=" else turned <= 0)
        ensure(fits, f"the multiplier of row {place} has the wrong sign: {factor}")
        if factor:
            right.append(factor * row.bound)
            for into, own in ((left, row.tasks), (used, row.auxiliaries)):
                for name, value in own.items():
                    into.setdefault(name, []).append(factor * value)
    for name, terms in used.items():
        found, cost = total(terms), (auxiliaries or {}).get(name, ZERO)
        ensure(sense * found <= sense * cost, f"the multipliers sum to {found} for {name!r}, beyond its cost {cost}")
    for factor in factors:
        ensure(sense * factor >= 0, f"the multiplier of a duel has the wrong sign: {factor}")
    led = column_sums(duels, factors, len(space.tasks))
    costs = [ZERO] * len(space.tasks) if objective is None else objective
    reduced = [cost - total(left[task]) - lead for task, cost, lead in zip(space.tasks, costs, led, strict=True)]
    return reduced, total(right)


def ensure_bound(reduced: Numbers, right: Fraction, bound: Fraction, *, sense: int = 1) -> None:
    """Ensure that reduced costs prove just this bound: no better one, no worse one."""
    proved = (min(reduced) if sense > 0 else max(reduced)) + right
    ensure(proved == bound, f"the multipliers prove a bound of {proved}, not {bound}")


def check_mixture(space: Space, signs: Rows, shares: Numbers, multipliers: Numbers, bound: Fraction) -> None:
    """Ensure that no weights lead a mixture of the rows, hence all of the rows, by more than ``bound``."""
    ensure(min(shares) >= 0, f"a blocker has a negative share: {min(shares)}")
    ensure(total(shares) == 1, f"the shares of the blockers sum to {total(shares)}, not to 1")
    objective = column_sums(signs, shares, len(space.tasks))
    reduced, right = reduced_costs(space, multipliers, objective=objective, sense=-1)
    ensure_bound(reduced, right, bound, sense=-1)


def check_leads(signs: Rows, names: Sequence[str], weights: Numbers, least: Fraction) -> Fraction:
    """Ensure that every lead is at least this; return the least one."""
    found = leads(signs, weights)
    for name, lead in zip(names, found, strict=True):
        ensure(lead >= least, f"the lead over {name!r} is {lead}, below {least}")
    return min(found)


# prospect, prospects, realisation: can a model win, can duels be won?

SAID = {"strict": "can win every duel", "weak": "can tie at best", "never": "can never win"}


class Margin(NamedTuple):
    """Bounds of the widest margin that weights of a space give in all of some duels, with what proves them."""

    lower: Fraction
    upper: Fraction
    weights: Numbers
    shares: Numbers
    multipliers: Numbers

    def check(self, space: Space, signs: Rows, names: Sequence[str], claimed: Part) -> str:
        """Ensure both bounds, and that they prove the verdict claimed; return it."""
        check_weights(space, self.weights)
        found = check_leads(signs, names, self.weights, self.lower)
        ensure(found == self.lower, f"the least lead is {found}, not {self.lower}")
        check_mixture(space, signs, self.shares, self.multipliers, self.upper)
        ensure(self.lower <= self.upper, f"the margin cannot lie between {self.lower} and {self.upper}")
        weak = self.lower == 0 == self.upper
        proved = "strict" if self.lower > 0 else "never" if self.upper < 0 else "weak" if weak else "nothing"
        said = f"the bounds {self.lower} and {self.upper} prove {proved!r}, not {shown(claimed.value)}"
        ensure(claimed.value == proved, said)
        return proved


class Duels(NamedTuple):
    """A model's signs over its rivals."""

    model: str
    rivals: tuple[str, ...]
    signs: Rows


def read_duels(model: Part, rivals: Sequence[str], written: Part, tasks: Sequence[str], table: Table | None) -> Duels:
    """Return the signs of a model over its rivals, which are all the others of the table."""
    ensure(rivals and len(set(rivals)) == len(rivals), "the rivals must be some, each with a name of its own")
    ensure(model.text() not in rivals, f"{model.value!r} is among its own rivals")
    signs = written.signs(len(rivals), len(tasks))
    ensure_signs(table, model.text(), rivals, tasks, signs)
    return Duels(model.text(), tuple(rivals), signs)


class Prospect(NamedTuple):
    """What was proved of a model's prospect."""

    duels: Duels
    space: Space
    margin: Margin
    verdict: str
    believed: tuple[str, ...]


PROSPECT = "verdict lower upper weights blockers multipliers space fewest"
"""Parts of a prospect besides its model and signs, which several may share."""


def check_prospect(document: Part, model: Part, written: Part, table: Table | None) -> Prospect:
    """Check a prospect without its kind, model and signs, which are handed over."""
    verdict, low, high, weighted, blocked, multiplied, spaced, fewest = document.parts(PROSPECT)
    space, blockers = read_space(spaced), blocked.fractions()
    duels = read_duels(model, tuple(blockers), written, space.tasks, table)
    weights, multipliers = weighted.among(space.tasks), multiplied.listed(len(space.rows))
    margin = Margin(low.fraction(), high.fraction(), weights, list(blockers.values()), multipliers)
    proved = margin.check(space, duels.signs, duels.rivals, verdict)
    believed = () if fewest.value is None else check_fewest(fewest, duels, space)
    return Prospect(duels, space, margin, proved, believed)


def check_fewest(document: Part, duels: Duels, space: Space) -> tuple[str, ...]:
    """Ensure that a few rivals block; return what is believed of there being no fewer."""
    blocked, multiplied, limit, proof, solver = document.parts("blockers multipliers bound proof solver")
    shares, bound = blocked.fractions(), limit.fraction()
    ensure(bound <= 0, f"the fewest blockers prove only a margin of at most {bound}")
    ensure(shares and min(shares.values()) > 0, "each of the fewest blockers needs a positive share")
    ensure(set(shares) <= set(duels.rivals), "one of the fewest blockers is no rival")
    rows = [duels.signs[duels.rivals.index(name)] for name in shares]
    check_mixture(space, rows, list(shares.values()), multiplied.listed(len(space.rows)), bound)
    alone = [rival for rival, row in zip(duels.rivals, duels.signs, strict=True) if max(row) <= 0]
    ensure(len(shares) == 1 or not alone, f"{alone[:1]} blocks alone, so {len(shares)} blockers are not the fewest")
    exact = len(shares) == 1 or (len(shares) <= 3 and not space.conditions)
    if exact and len(shares) == 3:
        # A mixture of two rows is nowhere positive only if each -1 faces the other's 1: then equal shares will do.
        for place, one in enumerate(duels.signs):
            for other in duels.signs[:place]:
                pair = all(mine + theirs <= 0 for mine, theirs in zip(one, other, strict=True))
                ensure(not pair, "two rivals block, so 3 blockers are not the fewest")
    ensure(proof.value == ("exact" if exact else "exact_witness"), "the fewest blockers are proved otherwise")
    ensure((solver.value is None) == exact, "a solver is named where its bound is relied on")
    return () if exact else (f"that no fewer than {len(shares)} rivals block rests on the bound of {solver.solver()}",)


def prospect(document: Part, table: Table | None) -> Finding:
    """Check whether one model can win."""
    _, model, written, *_ = document.parts(f"kind model signs {PROSPECT}")
    rest = {name: document.value[name] for name in PROSPECT.split()}
    found = check_prospect(Part(rest, "a prospect"), model, written, table)
    said = f"its margin lies between {found.margin.lower} and {found.margin.upper}"
    return Finding(f"{found.duels.model} {SAID[found.verdict]}; {said}.{found.space}", found.believed)


def prospects(document: Part, table: Table | None) -> Finding:
    """Check whether each model can win."""
    _, written, spaced, listed = document.parts("kind signs space prospects")
    board = read_board(written, table)
    space = read_space(spaced, board.tasks)
    names = "model verdict lower upper weights blockers multipliers"
    entries = [one.parts(names) for one in listed.items()]
    ensure([one[0].value for one in entries] == list(board.models), "there must be one prospect a model, in order")
    margins, verdicts = [], []
    for model, verdict, low, high, weighted, blocked, multiplied in entries:
        rivals = board.rivals(model.value)
        weights, shares = weighted.among(space.tasks), blocked.among(rivals)
        margin = Margin(low.fraction(), high.fraction(), weights, shares, multiplied.listed(len(space.rows)))
        try:
            verdicts.append(margin.check(space, board.rows(model.value, rivals, board.tasks), rivals, verdict))
        except FalseClaimError as error:
            raise FalseClaimError(f"{model.value!r}: {error}") from None
        margins.append(margin)
    told = ", ".join(f"{verdicts.count(verdict)} {said}" for verdict, said in SAID.items())
    known = [one.lower if one.lower == one.upper else None for one in margins]
    bounds: dict[str, Sequence[Any]] = {"margin": known}
    bounds |= {"lower": [one.lower for one in margins], "upper": [one.upper for one in margins]}
    return Finding(
        f"of {len(entries)} models {told}.{space}", (), {"name": board.models, "verdict": verdicts, **bounds}
    )


def realisation(document: Part, table: Table | None) -> Finding:
    """Check the widest margin over some duels."""
    names = "kind verdict duels wanted margin weights blockers multipliers signs space"
    _, verdict, listed, wanted, wide, weighted, mixed, multiplied, written, spaced = document.parts(names)
    space, duels = read_space(spaced), [one.texts() for one in listed.items()]
    pairs = all(len(one) == 2 and one[0] != one[1] for one in duels)
    ensure(duels and pairs and len(set(duels)) == len(duels), "the duels must be distinct pairs of models")
    ensure(wanted.fraction() >= 0, f"a lead of {shown(wanted.value)} is no win")
    signs = written.signs(len(duels), len(space.tasks))
    for (model, rival), row in zip(duels, signs, strict=True):
        ensure_signs(table, model, [rival], space.tasks, [row], some=True)
    least, weights, shares = wide.fraction(), weighted.among(space.tasks), mixed.listed(len(duels))
    margin = Margin(least, least, weights, shares, multiplied.listed(len(space.rows)))
    margin.check(space, signs, [" over ".join(one) for one in duels], verdict)
    columns = {"model": [one for one, _ in duels], "rival": [other for _, other in duels]}
    said = f"the best possible smallest lead in {len(duels)} duels together is {least}.{space}"
    return Finding(said, (), {**columns, "lead": leads(signs, weights), "blocker": shares})


def contradiction(document: Part, table: Table | None) -> Finding:
    """Check that no weights meet some conditions together, and that none can be spared (Farkas' lemma)."""
    _, spaced, multiplied, added, gained, spared = document.parts("kind space multipliers total gap without")
    space = read_space(spaced)
    if table is not None:
        ensure_names("task", space.tasks, table.board.tasks)
    summed, gap, count = added.fraction(), gained.fraction(), len(space.conditions)
    reduced, right = reduced_costs(space, multiplied.listed(len(space.rows)))
    for task, cost in zip(space.tasks, reduced, strict=True):
        ensure(summed <= cost, f"the left-hand sides add up to {summed - cost} > 0 for the weight of {task!r}")
    ensure(right + summed == gap, f"the right-hand sides add up to {right + summed}, not to {gap}")
    ensure(gap > 0, f"the right-hand sides add up to {gap}, which is no contradiction")
    ensure(len(spared.of(list)) == count, "there must be weights for each condition left out")
    for place, one in enumerate(spared.items()):
        space.without(place).weights(one)
    return Finding(f"no weights meet these {count} conditions together, and none of them can be spared.{space}")


# scenario: the best winning weights, by one objective after the other.


class Objective(NamedTuple):
    """The weight of ``tasks``, a distance (``l1``, ``linf``) from the weights of tasks, or the ``largest`` weight."""

    form: str
    tasks: Mapping[str, Fraction]
    sign: int = 1
    """1 where it is to be small, -1 where it is to be large."""
    todays: bool = False
    """Whether the weights it is a distance from are said to be the table's own."""

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

    def program(self) -> tuple[list[Row], dict[str, Fraction]]:
        """Return rows that bound variables from below, and the costs of these variables.

        The sum of changes is twice what the tasks that gain gain, as both sides sum to 1.
        """
        if self.form == "l1":
            rows = gain_rows(self.tasks, "objective: ")
            return rows, {one: Fraction(2) for row in rows for one in row.auxiliaries}
        if self.form == "weight":
            return [], {}
        ways = (ONE, -ONE) if self.form == "linf" else (ONE,)
        above = [Row({task: way}, "<=", way * own, {"": -ONE}) for task, own in self.tasks.items() for way in ways]
        return above, {"": ONE}

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
        shares = centre.along(tasks)
        ensure(
            norm.value in NORMS and is_weighting(shares), f"{shown(norm.value)} is no norm, or the centre no weighting"
        )
        return Objective(norm.value, dict(zip(tasks, shares, strict=True)), todays=todays.of(bool))
    if "goal" in document.value:
        listed, goal = document.parts("tasks goal")
        named = listed.names()
        ensure(goal.value in ("minimise", "maximise"), f"{shown(goal.value)} is no goal")
        ensure(named == tuple(task for task in tasks if task in named), "the objective has other tasks")
        return Objective("weight", dict.fromkeys(named, ONE), 1 if goal.value == "minimise" else -1)
    ensure(document.parts("tasks")[0].texts() == tasks, "the objective has other tasks")
    return Objective("largest", dict.fromkeys(tasks, ZERO))


class Region(NamedTuple):
    """Weights of any of some spaces with leads of at least ``least``, and the duels in question."""

    spaces: tuple[Space, ...]
    least: Fraction
    duels: Duels
    model: Part
    written: Part


class Stage(NamedTuple):
    """An objective that was served: its optimum, what any weights miss it by, and the weights that attain it."""

    objective: Objective | None
    value: Fraction
    missed: Callable[[dict[str, Fraction]], Fraction]
    region: Region
    words: str
    is_complete: bool = True
    shows_ties: bool = False
    believed: tuple[str, ...] = ()


def check_optimum(document: Part, region: Region, space: Space) -> tuple[Objective, Fraction]:
    """Check the optimum of a linear objective over weights of a space that lead every rival by so much."""
    names = "objective least value weights duel_multipliers multipliers"
    asked, led, best, weighted, beaten, multiplied = document.parts(names)
    objective, value, duels = read_objective(asked, space.tasks), best.fraction(), region.duels
    ensure(led.fraction() == region.least, f"the optimum is over leads of {shown(led.value)}, not {region.least}")
    weights = weighted.along(space.tasks)
    check_weights(space, weights)
    check_leads(duels.signs, duels.rivals, weights, region.least)
    found = objective.value(dict(zip(space.tasks, weights, strict=True)))
    ensure(found == value, f"the {objective} is {found}, not {value}")
    own, costs = objective.program()
    way = objective.sign if objective.form == "weight" else 0
    reduced, right = reduced_costs(
        space,
        multiplied.listed(len(space.rows) + len(own)),
        more=own,
        objective=[Fraction(way if task in objective.tasks else 0) for task in space.tasks],
        auxiliaries=costs,
        duels=duels.signs,
        factors=beaten.along(duels.rivals),
        least=region.least,
    )
    ensure_bound(reduced, right, objective.sign * value)
    return objective, value


def linear_stage(listed: Part, region: Region) -> Stage:
    """Check an objective made small or large in each space of a region."""
    found = [check_optimum(one, region, space) for one, space in paired(listed, region)]
    objective = found[0][0]
    ensure(all(one == objective for one, _ in found), "the optima are of different objectives")
    value = (min if objective.sign > 0 else max)(value for _, value in found)
    left = [space for (_, own), space in zip(found, region.spaces, strict=True) if own == value]
    for cut in objective.no_worse_than(value):
        left = [space.with_condition(cut) for space in left]
    words = f"{'least' if objective.sign > 0 else 'greatest'} {objective} {value}"
    missed = lambda weights: objective.sign * (objective.value(weights) - value)  # noqa: E731
    return Stage(objective, value, missed, region._replace(spaces=tuple(left)), words)


def margin_stage(listed: Part, region: Region) -> Stage:
    """Check the least lead made large in each space of a region."""
    found = [prospect_in(one, region, space) for one, space in paired(listed, region)]
    for one in found:
        ensure(
            one.margin.lower == one.margin.upper, f"only bounds of the margin are known: {one.margin.lower} and more"
        )
    value = max(one.margin.lower for one in found)
    ensure(value >= region.least, f"the margin is {value}, below {region.least}")
    left = tuple(one.space for one in found if one.margin.lower == value)
    missed = lambda weights: value - min(leads(region.duels.signs, list(weights.values())))  # noqa: E731
    believed = tuple(text for one in found for text in one.believed)
    left_over = region._replace(spaces=left, least=value)
    return Stage(None, value, missed, left_over, f"greatest margin {value}", believed=believed)


def prospect_in(document: Part, region: Region, space: Space) -> Prospect:
    """Check that a prospect is the model's over a space."""
    found = check_prospect(document, region.model, region.written, None)
    ensure(found.space[:2] == space[:2], "a prospect is about other weights than those that serve the objectives")
    ensure(found.duels.rivals == region.duels.rivals, "a prospect has other rivals")
    return found


def paired(listed: Part, region: Region) -> list[tuple[Part, Space]]:
    """Return a list with one part a space."""
    ensure(len(listed.of(list)) == len(region.spaces), "there must be one proof a space")
    return list(zip(listed.items(), region.spaces, strict=True))


class Sets(NamedTuple):
    """Smallest sets of tasks on which some weights win; the size is None where there is no set at all."""

    size: int | None
    sets: tuple[tuple[str, ...], ...]
    is_strict: bool
    is_complete: bool
    believed: tuple[str, ...]


def check_sets(document: Part, space: Space, duels: Duels, least: Fraction) -> Sets:
    """Ensure that weights win on sets of so few tasks, and that cuts keep all smaller sets (and others) from it."""
    names = "least strict size weights is_complete cuts proof solver"
    led, strict, size, weighted, complete, cuts, proof, solver = document.parts(names)
    ensure(led.fraction() == least, f"the sets are for leads of {shown(led.value)}, not {least}")
    count = None if size.value is None else size.integer()
    sets = [sets_on(one, space, duels, least, strict=strict.of(bool)) for one in weighted.items()]
    ensure(bool(sets) == (count is not None) and len(set(sets)) == len(sets), "a set is missing, or there twice")
    ensure(all(len(one) == count for one in sets), f"a set of tasks has not {count} of them")
    covers = [read_cut(one, space, duels, least, strict=strict.value and not least) for one in cuts.items()]
    believed: tuple[str, ...] = ()
    is_proved = proof.value == "exact"
    ensure(is_proved or proof.value == "exact_witness", f"{shown(proof.value)} is no proof")
    ensure((solver.value is None) == is_proved, "a solver is named where its bound is relied on")
    if count is None:
        ensure(
            any(not meets([cover], range(len(space.tasks))) for cover in covers), "no cut keeps all tasks from doing it"
        )
    elif is_proved:
        known = set(sets) if complete.of(bool) else None
        for chosen in covering(covers, len(space.tasks), count if complete.value else count - 1):
            named = tuple(space.tasks[one] for one in chosen)
            ensure(known is not None and len(chosen) == count and named in known, f"no cut keeps {named} from doing it")
    else:
        believed = (f"that no fewer tasks, or no others, do rests on the bound of {solver.solver()}",)
    return Sets(count, tuple(sets), strict.value, complete.of(bool), believed)


def sets_on(document: Part, space: Space, duels: Duels, least: Fraction, *, strict: bool) -> tuple[str, ...]:
    """Return the tasks that have weight under weights that win."""
    weights = space.weights(document)
    lead = check_leads(duels.signs, duels.rivals, weights, least)
    ensure(lead > 0 or not strict, f"the weights do not win: the least lead is {lead}")
    return tuple(task for task, weight in zip(space.tasks, weights, strict=True) if weight)


Cover = tuple[list[Fraction], Fraction, bool]
"""Coefficients that the tasks with weight must sum to at least a number, or to more than it."""


def read_cut(document: Part, space: Space, duels: Duels, least: Fraction, *, strict: bool) -> Cover:
    """Return what the tasks of winning weights must cover.

    The sum of the duels and rows times multipliers says p.w >= r for all winning w, hence some task with weight has
    p_j >= r. With a level it says more. Where task j has no weight, the rows that bound it alone (w_j - a <= u_j) would
    hold with u_j = 0, so r may take their part back unless j has weight; and p.w is at most the level plus what the
    tasks with weight have above it. That leaves a sum over these tasks (variable upper bounds, a cover inequality).
    """
    beaten, multiplied, height = document.parts("duel_multipliers multipliers level")
    factors, multipliers = beaten.among(duels.rivals), multiplied.listed(len(space.rows))
    ensure(all(one.fraction() > 0 for one in beaten.entries().values()), "a multiplier of a duel is not positive")
    reduced, right = reduced_costs(space, multipliers, duels=duels.signs, factors=factors, least=least)
    sums, above = [-one for one in reduced], strict and any(factors)
    if height.value is None:
        return [Fraction(one > right if above else one >= right) for one in sums], ONE, False
    level, relief = height.fraction(), dict.fromkeys(space.tasks, ZERO)
    for row, factor in zip(space.rows, multipliers, strict=True):
        alone = len(row.tasks) == 1 and min(row.tasks.values()) > 0 and max(row.auxiliaries.values(), default=-1) < 0
        if alone and row.relation == "<=" and row.bound >= 0:
            relief[next(iter(row.tasks))] -= factor * row.bound
    needed = right + total(relief.values()) - level
    ensure(needed > 0, "a cut asks for nothing")
    return [max(one - level, ZERO) + relief[task] for task, one in zip(space.tasks, sums, strict=True)], needed, above


def meets(covers: Sequence[Cover], chosen: Iterable[int]) -> bool:
    """Tell whether a set of tasks covers what it must."""
    tasks = list(chosen)
    sums = [(total(values[one] for one in tasks), needed, above) for values, needed, above in covers]
    return all(found > needed if above else found >= needed for found, needed, above in sums)


def covering(covers: Sequence[Cover], width: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield every set of at most so many tasks that meets all covers, some larger ones on top of it left out.

    A set that misses a cover must gain a task that counts for it: each in turn is taken, those before it being out.
    """
    steps = 0
    waiting: list[tuple[tuple[int, ...], set[int]]] = [((), set(range(width)))]
    while waiting:
        chosen, free = waiting.pop()
        steps += 1
        if steps * max(1, len(covers)) * width > MOST_STEPS:
            raise NotCheckedError("there are too many sets of tasks to be tried in a short time")
        unmet = next((one for one in covers if not meets([one], chosen)), None)
        if unmet is None:
            yield tuple(sorted(chosen))
            # A larger set that holds this one is no smallest set; one of the same size is another branch.
        elif len(chosen) < size:
            out: set[int] = set()
            for task in sorted(free):
                if unmet[0][task] > 0:
                    waiting.append(((*chosen, task), free - out - {task}))
                    out.add(task)


def tasks_stage(document: Part, region: Region) -> Stage:
    """Check the fewest tasks with weight, in a region of one space."""
    written, strictly = document.parts("found strictly")
    ensure(len(region.spaces) == 1, "the fewest tasks can be asked for once only")
    (space,) = region.spaces
    found = check_sets(written, space, region.duels, region.least)
    ensure(found.size is not None, "there is no set of tasks on which the model wins")
    again = None if strictly.value is None else check_sets(strictly, space, region.duels, region.least)
    ensure(again is None or again.is_strict, "strict wins are not what was asked for")
    size = found.size or 0
    left = []
    for one in found.sets:
        outside = {task: ONE for task in space.tasks if task not in one}
        left.append(space.with_condition(Condition("sum", outside, "<=", ZERO)) if outside else space)
    words = f"fewest tasks {size}{', counting strict wins alone' if found.is_strict else ''}"
    ties = again is not None and (again.size is None or again.size > size)
    believed = (*found.believed, *(again.believed if again else ()))
    missed = lambda weights: Fraction(sum(map(bool, weights.values())) - size)  # noqa: E731
    after = region._replace(spaces=tuple(left))
    return Stage(None, Fraction(size), missed, after, words, found.is_complete, ties, believed)


def task_sets(document: Part, table: Table | None) -> Finding:
    """Check every smallest set of tasks on which a model wins."""
    _, model, found, against, written, spaced = document.parts("kind model found rivals signs space")
    space = read_space(spaced)
    duels = read_duels(model, against.texts(), written, space.tasks, table)
    least = Part(found.of(dict).get("least"), "least").fraction()
    ensure(least >= 0, f"a margin of {least} is no win")
    own = check_sets(found, space, duels, least)
    ensure(own.size is not None and own.is_complete, "the sets are none, or not all that there are")
    return Finding(f"{duels.model} needs {own.size} tasks, and there are {len(own.sets)} such sets.", own.believed)


class Scenario(NamedTuple):
    """What was proved of a scenario."""

    duels: Duels
    space: Space
    margin: Fraction
    stages: list[Stage]
    is_strict: bool
    attained: bool
    believed: tuple[str, ...]


STAGES = {"optima": linear_stage, "prospects": margin_stage}
"""By the name of their only part; a stage of two parts is one of fewest tasks."""


def check_scenario(document: Part, table: Table | None) -> Scenario:
    """Check the optimum of every stage, that none is better, and whether strict wins attain them."""
    names = "kind model margin stages ends chosen signs space strict_weights slacks"
    kind, model, led, listed, ends, chosen, written, spaced, strict, slacks = document.parts(names)
    space, margin = read_space(spaced), led.fraction()
    ensure(kind.value == "scenario" and margin >= 0, f"{shown(kind.value)} is no scenario, or {margin} no win")
    first = Part(next(iter(ends.of(list)), None), "an end")
    rivals = Part(first.of(dict).get("blockers"), "blockers").entries()
    region = Region((space,), margin, read_duels(model, tuple(rivals), written, space.tasks, table), model, written)
    stages: list[Stage] = []
    for one in listed.items():
        ensure(not stages or stages[-1].is_complete, "later objectives need all sets of so few tasks")
        name = next(iter(one.of(dict)), "") if len(one.of(dict)) == 1 else ""
        made = STAGES[name](one.parts(name)[0], region) if name in STAGES else tasks_stage(one, region)
        stages, region = [*stages, made], made.region
    ensure(stages, "there is no objective")
    for stage in stages:
        if stage.objective is not None and stage.objective.todays:
            check_today(table, space.tasks, list(stage.objective.tasks.values()))
    found = [prospect_in(one, region, own) for one, own in paired(ends, region)]
    for end in found:
        ensure(end.margin.lower >= region.least, f"the least lead of optimal weights is {end.margin.lower}")
    ensure(0 <= chosen.integer() < len(found), f"there is no end {chosen.value}")
    attained = found[chosen.value].verdict == "strict"
    passed = not attained and any(end.verdict == "strict" for end in found)
    ensure(not passed, "optimal weights that win strictly were passed over")
    ensure(attained or stages[-1].is_complete or stages[-1].shows_ties, "nothing shows that so few tasks only tie")
    ensure((strict.value is None) == (slacks.value is None), "strict weights and slacks belong together")
    ensure(strict.value is not None or not attained, "strict weights attain the optimum, but none are given")
    if strict.value is not None:
        weights, missed = space.weights(strict), slacks.listed(len(stages))
        short = next((one for one in missed if one), ZERO)
        ensure(short >= 0 and not (attained and short), f"the strict weights miss an optimum by {short}")
        least = check_leads(region.duels.signs, region.duels.rivals, weights, margin)
        ensure(least > 0, f"the strict weights win a duel only by {least}")
        for stage, slack in zip(stages, missed, strict=True):
            own = stage.missed(dict(zip(space.tasks, weights, strict=True)))
            ensure(own == slack, f"the strict weights miss the {stage.words} by {own}, not {slack}")
    unproved = [*(one.believed for one in stages), *(one.believed for one in found)]
    believed = tuple(text for own in unproved for text in own)
    return Scenario(region.duels, space, margin, stages, strict.value is not None, attained, believed)


def scenario(document: Part, table: Table | None) -> Finding:
    """Check the best winning weights."""
    found = check_scenario(document, table)
    optima = ", then ".join(stage.words for stage in found.stages)
    return Finding(
        f"{found.duels.model} {'wins' if found.attained else 'is undefeated'} with {optima}.{found.space}",
        found.believed,
    )


# weight_ranges: how much each task must and may weigh. duels: who beats whom under all, some, no weights?


def weight_ranges(document: Part, table: Table | None) -> Finding:
    """Check the least and the most weight of each task and group among weights under which a model wins."""
    _, model, led, listed, against, written, spaced = document.parts("kind model margin ranges rivals signs space")
    space, margin = read_space(spaced), led.fraction()
    ensure(margin >= 0, f"a margin of {margin} is no win")
    duels = read_duels(model, against.texts(), written, space.tasks, table)
    ranges = [one.parts("name is_group least most") for one in listed.items()]
    groups = [name.text() for name, is_group, _, _ in ranges if is_group.of(bool)]
    named = [name.text() for name, *_ in ranges]
    ensure(
        named == [*space.tasks, *groups] and len(set(groups)) == len(groups), "the ranges are not those of the tasks"
    )
    ensure(not any(is_group.value for _, is_group, *_ in ranges[: len(space.tasks)]), "groups do not come last")
    for name, is_group, least, most in ranges:
        tasks = check_extreme(least, "minimise", duels, space, margin)
        others = check_extreme(most, "maximise", duels, space, margin)
        own = (name.value,) if not is_group.value else tasks if table is None else table.groups.get(name.value, tasks)
        ensure(set(tasks) == set(others) == set(own), f"{name.value} stands for other tasks")
    lacking = [name for name in (table.groups if table else ()) if name not in groups]
    ensure(not lacking, f"the range of group {lacking[:1]} is missing")
    free = [name for name in groups if table is None or name not in table.groups]
    believed = (f"which tasks {', '.join(free)} stand for",) if free else ()
    return Finding(
        f"what each of {len(space.tasks)} tasks must and may weigh for {duels.model} to win.{space}", believed
    )


def check_extreme(document: Part, sense: str, duels: Duels, space: Space, margin: Fraction) -> tuple[str, ...]:
    """Check the least or the most weight of some tasks together; return the tasks."""
    names = "tasks sense least value weights duel_multipliers multipliers"
    named, found, led, best, weighted, beaten, multiplied = document.parts(names)
    tasks, value, weights = named.names(), best.fraction(), space.weights(weighted)
    ensure(tasks == tuple(one for one in space.tasks if one in tasks), f"{tasks} are unknown, or in another order")
    ensure(found.value == sense, "the least weight and the most are exchanged")
    ensure(led.fraction() == margin, f"the leads are not at least {margin}")
    weight = total(weight for task, weight in zip(space.tasks, weights, strict=True) if task in tasks)
    ensure(weight == value, f"the weight of {' + '.join(tasks)} is {weight}, not {value}")
    lead, factors = check_leads(duels.signs, duels.rivals, weights, margin), beaten.fractions()
    ensure(set(factors) <= set(duels.rivals) and all(factors.values()), "a multiplier of a duel is 0, or of no rival")
    # Where no duel takes part in the proof, strict wins are said to attain the extreme: the weights must show it.
    ensure(lead > 0 or factors, f"the extreme is not attained by a strict win: the least lead is {lead}")
    way = 1 if sense == "minimise" else -1
    reduced, right = reduced_costs(
        space,
        multiplied.listed(len(space.rows)),
        objective=[Fraction(way * (task in tasks)) for task in space.tasks],
        duels=[duels.signs[duels.rivals.index(name)] for name in factors],
        factors=list(factors.values()),
        least=margin,
    )
    ensure_bound(reduced, right, way * value)
    return tasks


def duels(document: Part, table: Table | None) -> Finding:
    """Check the greatest margin of every model over every other; the least is what the other's greatest leaves."""
    _, written, spaced, bounds = document.parts("kind signs space bounds")
    board = read_board(written, table)
    space, size = read_space(spaced, board.tasks), len(board.models)
    most, weighted, attaining, multiplied, bounding = bounds.parts("greatest weights attained multipliers bounded")
    greatest = most.square(size, Part.fraction)
    attained, bounded = (one.square(size, Part.integer) for one in (attaining, bounding))
    points = [one.listed(len(space.tasks)) for one in weighted.items()]
    prices = [one.listed(len(space.rows)) for one in multiplied.items()]
    for used, known in ((attained, points), (bounded, prices)):
        ensure(
            all(0 <= one < len(known) for row in used for one in row), "weights or multipliers are none that there are"
        )
    for point in points:
        check_weights(space, point)
    left = [reduced_costs(space, one, sense=-1) for one in prices]
    index = {name: place for place, name in enumerate(board.models)}
    for place, model in enumerate(board.models):
        ensure(greatest[place][place] == 0, f"{model!r} cannot lead itself by {greatest[place][place]}")
        rivals = board.rivals(model)
        for rival, row in zip(rivals, board.rows(model, rivals, board.tasks), strict=True):
            at = index[rival]
            claimed, (reduced, right) = greatest[place][at], left[bounded[place][at]]
            (lead,) = leads([row], points[attained[place][at]])
            ensure(lead == claimed, f"the weights make {model!r} lead {rival!r} by {lead}, not {claimed}")
            limit = max(one + cost for one, cost in zip(row, reduced, strict=True)) + right
            ensure(limit == claimed, f"the multipliers let {model!r} lead {rival!r} by {limit}, not {claimed}")
    return Finding(f"the least and the greatest margin of each pair of {size} models.{space}")


# stability, broken_cycle: how far must weights move?


def least_with_distance(norm: str, costs: Numbers, centre: Numbers, level: Fraction) -> Fraction | None:
    """Return the least of costs.w plus the distance of w from the centre, over weights w; None where there is none.

    Sum of changes: each piece of the centre's weight stays, or goes to the cheapest task for a price of 2. Largest
    change: priced at ``level``, weights need not sum to 1; with a largest change of d the dear tasks give up to d, the
    cheap ones take d. That is convex and piecewise linear in d, bending where a dear task has no weight left.
    """
    if norm == "l1":
        cheapest = min(costs) + 2
        return total(share * min(cost, cheapest) for share, cost in zip(centre, costs, strict=True))
    prices = [(share, cost - level) for share, cost in zip(centre, costs, strict=True)]
    if total(-price for _, price in prices if price < 0) > 1:
        return None

    def at(change: Fraction) -> Fraction:
        moved = [price * (share + change if price < 0 else max(ZERO, share - change)) for share, price in prices]
        return level + change + total(moved)

    return min(at(change) for change in {ZERO, *(share for share, price in prices if price > 0)})


class Centre(NamedTuple):
    """Today's weights, from which changes are counted by a norm."""

    norm: str
    weights: Numbers
    space: Space

    def ensure_far(self, multipliers: Numbers, signs: Rows, factors: Numbers, level: Fraction, bound: Fraction) -> None:
        """Ensure that all weights of the space that lead nowhere below 0 in some rows are so far away."""
        ensure(self.norm != "l1" or not level, "a sum of changes has no level")
        reduced, right = reduced_costs(self.space, multipliers, duels=signs, factors=factors)
        least = least_with_distance(self.norm, reduced, self.weights, level)
        proved = None if least is None else least + right
        ensure(proved == bound, f"the multipliers prove a distance of {proved}, not {bound}")


def read_today(document: Part, space: Space, table: Table | None) -> list[Fraction]:
    """Return weights, which are today's of the table."""
    weights = document.among(space.tasks)
    check_today(table, space.tasks, weights)
    return weights


def check_today(table: Table | None, tasks: Sequence[str], weights: Numbers) -> None:
    """Ensure that weights are shares, and today's of the table."""
    check_weights(Space(tuple(tasks)), weights)
    for task, weight in zip(tasks, weights, strict=True):
        own = weight if table is None else table.shares[task]
        ensure(weight == own, f"today's weight of {task!r} is {own} in the table, not {weight}")


def stability(document: Part, table: Table | None) -> Finding:
    """Check for each rival the least lead, and the nearest weights at which there is none."""
    _, told, model, weighted, against, written, spaced, reversals = document.parts(
        "kind norms model weights rivals signs space reversals"
    )
    space = read_space(spaced)
    duels = read_duels(model, against.texts(), written, space.tasks, table)
    today = read_today(weighted, space, table)
    now = leads(duels.signs, today)
    ensure(min(now) > 0, f"{duels.model!r} does not win today: its least lead is {min(now)}")
    middle, leasts, points = reversals.parts("centre least points")
    ensure(middle.listed(len(today)) == today, "changes are not counted from today's weights")
    norms = points.entries()
    ensure(norms and set(norms) <= {"l1", "linf"}, "distances must be by the norms l1 or linf")
    ensure(tuple(norms) == tuple(told.texts()), f"the distances are by {', '.join(norms)}, which is not what is said")
    sizes = {len(one.of(list)) for one in (leasts, *norms.values())}
    ensure(sizes == {len(duels.rivals)}, "there must be one least lead and one reversal a rival")
    found = [check_least_lead(one, row, space) for one, row in zip(leasts.items(), duels.signs, strict=True)]
    nearest: dict[str, list[Fraction]] = {norm: [] for norm in norms}
    for norm, listed in norms.items():
        centre = Centre(norm, today, space)
        for one, row, least, rival in zip(listed.items(), duels.signs, found, duels.rivals, strict=True):
            ensure(
                one.value is not None or least > 0,
                f"{rival!r} can draw level, but no weights are given at which it does",
            )
            nearest[norm] += [] if one.value is None else [check_reversal(one, row, centre)]
    said = " and ".join(f"{min(own, default='any change')} ({norm})" for norm, own in nearest.items())
    named = ", ".join(f"{task!r} {share}" for task, share in zip(space.tasks, today, strict=True))
    return Finding(f"{duels.model} is the Condorcet winner until the weights {named} change by {said}.{space}")


def check_least_lead(document: Part, row: Sequence[int], space: Space) -> Fraction:
    """Check the least lead over the weights of a space."""
    best, weighted, multiplied = document.parts("value weights multipliers")
    value, weights = best.fraction(), weighted.listed(len(space.tasks))
    check_weights(space, weights)
    (found,) = leads([row], weights)
    ensure(found == value, f"the lead is {found}, not {value}")
    reduced, right = reduced_costs(space, multiplied.listed(len(space.rows)), objective=list(map(Fraction, row)))
    ensure_bound(reduced, right, value)
    return value


def check_reversal(document: Part, row: Sequence[int], centre: Centre) -> Fraction:
    """Check the weights nearest to the centre at which a lead is 0 or less."""
    best, weighted, factor, level, multiplied = document.parts("value weights factor level multipliers")
    value, weights = best.fraction(), weighted.listed(len(row))
    check_weights(centre.space, weights)
    (found,) = leads([row], weights)
    ensure(found <= 0, f"the lead is {found}, still positive")
    far = distance(centre.norm, weights, centre.weights)
    ensure(far == value, f"the distance is {far}, not {value}")
    multipliers = multiplied.listed(len(centre.space.rows))
    centre.ensure_far(multipliers, [[-one for one in row]], [factor.fraction()], level.fraction(), value)
    return value


def broken_cycle(document: Part, table: Table | None) -> Finding:
    """Check the nearest weights with a Condorcet winner, and that every other model is farther away."""
    _, best, written, weighted, norm, spaced, nearest, others = document.parts(
        "kind value signs weights norm space nearest others"
    )
    board = read_board(written, table)
    space, value = read_space(spaced, board.tasks), best.fraction()
    best.ensure_is(value)
    centre = Centre(norm.text(), read_today(weighted, space, table), space)
    if centre.norm not in {"l1", "linf"}:
        refuse(f"{shown(centre.norm)} is no norm")
    objective = Objective(centre.norm, dict(zip(space.tasks, centre.weights, strict=True)))
    told: list[str] = []
    believed: list[str] = []
    for one in nearest.items() or refuse("nobody is said to win"):
        model = one.of(dict).get("model")
        ensure(
            model in board.models and "signs" not in one.value, f"{shown(model)} is no model, or has signs of its own"
        )
        rivals = board.rivals(model)
        carried = ["".join("0+-"[number] for number in row) for row in board.rows(model, rivals, board.tasks)]
        found = check_scenario(Part({**one.value, "signs": carried}, "a scenario"), None)
        ensure(
            found.duels.rivals == rivals and found.space[:2] == space[:2],
            f"{model!r} wins in another space, or over others",
        )
        ensure([stage.objective for stage in found.stages] == [objective], f"the weights of {model!r} are not nearest")
        ensure(found.margin == 0 and found.is_strict, f"{model!r} is not shown to win")
        ensure(found.stages[0].value == value, f"{model!r} is {found.stages[0].value} away, not {value}")
        told, believed = [*told, model], [*believed, *found.believed]
    told += [check_farther(one, centre, board, value) for one in others.items()]
    ensure(sorted(told) == sorted(board.models), "every model must be told of once")
    said = f"the nearest weights with a Condorcet winner are {value} away: {objective}.{space}"
    return Finding(said, tuple(believed))


def check_farther(document: Part, centre: Centre, board: Board, value: Fraction) -> str:
    """Check why a model is not the nearest winner: its wins are farther away, or there are none."""
    blocked = "upper" in document.of(dict)
    names = "model upper blockers multipliers" if blocked else "model value factors level multipliers"
    model, limit, mixed, *level, multiplied = document.parts(names)
    ensure(model.text() in board.models, f"{shown(model.value)} is no model")
    bound, factors, multipliers = limit.fraction(), mixed.fractions(), multiplied.listed(len(centre.space.rows))
    ensure(set(factors) <= set(board.rivals(model.value)), f"{model.value!r}: a multiplier is of no rival")
    rows, shares = board.rows(model.value, list(factors), board.tasks), list(factors.values())
    if blocked:
        ensure(shares and bound <= 0, f"{model.value!r} is only proved to lead by {bound} at most")
        check_mixture(centre.space, rows, shares, multipliers, bound)
    else:
        ensure(bound > value, f"{model.value!r} is only proved to be {bound} away")
        centre.ensure_far(multipliers, rows, shares, level[0].fraction(), bound)
    return model.text()


# 4. Rankings: have they a structure? ---------------------------------------------------------------------------------


class Profile(NamedTuple):
    """Rankings: for each voter the rank of each model by name, 1 being the best; unranked models are left out."""

    models: tuple[str, ...]
    ranks: Mapping[str, Mapping[str, int]]

    def ensure_complete(self) -> None:
        """Ensure that every voter ranks every model, and none like another."""
        strict = all(len(set(own.values())) == len(own) == len(self.models) for own in self.ranks.values())
        ensure(strict, "the question is asked of strict rankings of all models")


def read_profile(document: Part, left_out: Part, table: Table | None) -> Profile:
    """Return the rankings that were tested: the table's without voters of weight 0, or a breaking of its ties."""
    named, listed, weighted = document.parts("models ranks weights")
    models, weights, ranks = named.names(), weighted.fractions(), {}
    for voter, places in listed.entries().items():
        numbers = places.integers()
        dense = set(numbers) - {0} == set(range(1, len(set(numbers) - {0}) + 1))
        ensure(len(numbers) == len(models) and dense, f"voter {voter!r} needs a rank for each model, none left out")
        ranks[voter] = {model: place for model, place in zip(models, numbers, strict=True) if place}
    ensure(ranks and set(weights) <= set(ranks), "there must be voters, and weights of them")
    ensure(all(one > 0 for one in weights.values()), "a tested voter has no weight")
    idle = left_out.texts()
    if table is not None:
        ensure_names("voter of weight 0", idle, [task for task, weight in table.weights.items() if not weight])
        ensure_names("model", models, table.board.models)
        ensure_names("voter", list(ranks), [task for task, weight in table.weights.items() if weight])
        for voter, own in ranks.items():
            ensure(weights.get(voter, ONE) == table.weights[voter], f"the weight of {voter!r} is another in the table")
            ensure(is_ranking_of(own, table.board, voter), f"voter {voter!r} ranks otherwise in the table")
    return Profile(models, ranks)


def is_ranking_of(ranks: Mapping[str, int], board: Board, task: str) -> bool:
    """Tell whether ranks are those of a task's scores, or a strict breaking of their ties."""
    column = board.columns[task]
    scores = {model: score for model, score in zip(board.models, column.values, strict=True) if score is not None}
    if column.allowed or column.relative or ranks.keys() != scores.keys():
        return False
    best = sorted(set(scores.values()), reverse=True)
    if len(set(ranks.values())) < len(ranks):
        return all(best[ranks[model] - 1 : ranks[model]] == [score] for model, score in scores.items())
    along = [scores[model] for model in sorted(scores, key=ranks.__getitem__)]
    return along == sorted(along, reverse=True)


def is_opposed(one: Sequence[int], other: Sequence[int]) -> bool:
    """Tell whether two voters rank a > b > c and c > b > a, and both d above b."""
    ordered = one[0] < one[1] < one[2] and other[2] < other[1] < other[0]
    return ordered and one[3] < one[1] and other[3] < other[1]


def is_crossed(one: Sequence[int], other: Sequence[int]) -> bool:
    """Tell whether one voter ranks a > b > c > d and the other b > d > a > c."""
    return one[0] < one[1] < one[2] < one[3] and other[1] < other[3] < other[0] < other[2]


PATTERNS: dict[str, tuple[int, int, Callable[[list[list[int]]], bool]]] = {
    "three_worst": (3, 3, lambda ranks: all(max(row) == row[one] for one, row in enumerate(ranks))),
    "three_best": (3, 3, lambda ranks: all(min(row) == row[one] for one, row in enumerate(ranks))),
    "three_middle": (3, 3, lambda ranks: all(sorted(row)[1] == row[one] for one, row in enumerate(ranks))),
    "opposed_below": (2, 4, lambda ranks: is_opposed(*ranks)),
    "opposed_above": (2, 4, lambda ranks: is_opposed(*([-row[one] for one in (2, 1, 0, 3)] for row in ranks))),
    "crossed": (2, 4, lambda ranks: is_crossed(*ranks)),
}
"""For each forbidden sub-profile the numbers of voters and of models, and whether ranks, a voter a row, show it."""


def check_forbidden(document: Part, own: Profile, allowed: set[str]) -> None:
    """Ensure that some voters rank some models as the domain forbids."""
    pattern, roles, voters, orders = document.parts("pattern roles voters orders")
    ensure(pattern.text() in allowed, f"the pattern {shown(pattern.value)} is not forbidden here")
    count, size, shows = PATTERNS[pattern.value]
    models, named = roles.names(), voters.names()
    ensure(len(models) == size and set(models) <= set(own.models), "the models do not fit the pattern")
    ensure(len(named) == count and set(named) <= set(own.ranks), "the voters do not fit the pattern")
    listed = [[place.texts() for place in one.items()] for one in orders.items()]
    ensure(len(listed) == count, "an order is missing")
    for voter, order in zip(named, listed, strict=True):
        ranks = own.ranks[voter]
        strict = len({ranks[model] for model in models if model in ranks}) == size
        ensure(strict, f"voter {voter!r} ties some of the models, or leaves them out")
        ensure(
            order == [(model,) for model in sorted(models, key=ranks.__getitem__)], f"voter {voter!r} ranks otherwise"
        )
    found = shows([[own.ranks[voter][model] for model in models] for voter in named])
    ensure(found, f"this does not show {pattern.value}")


def single_peaked(document: Part, table: Table | None) -> Finding:
    """Check an axis, or why there is none."""
    kind, holds, written, left_out, axis, witness, solver = document.parts(
        "kind holds profile left_out axis witness solver"
    )
    own, upright, said = (
        read_profile(written, left_out, table),
        kind.value == "single_peaked",
        kind.value.replace("_", "-"),
    )
    ensure(holds.of(bool) == (axis.value is not None), "an axis is what the answer yes consists of")
    reasons = (witness.value is not None) + (solver.value != "" and bool(solver.solver()))
    ensure(reasons == (not holds.value), "the answer no rests on a witness, or on a solver")
    if holds.value:
        along = axis.texts()
        ensure(sorted(along) == sorted(own.models), "the axis is not one of the models")
        for voter, ranks in own.ranks.items():
            ranked = [ranks[model] if upright else -ranks[model] for model in along if model in ranks]
            inner = range(1, len(ranked) - 1)
            sunk = any(min(ranked[:at]) < ranked[at] > min(ranked[at + 1 :]) for at in inner)
            ensure(not sunk, f"the axis does not fit voter {voter!r}")
        return Finding(f"the rankings are {said} along the axis given.")
    if solver.value:
        ensure(any(len(one) < len(own.models) for one in own.ranks.values()), "rankings without gaps have a witness")
        return Finding("no axis was shown.", (f"that there is none rests on {solver.value}",))
    if "pattern" in witness.of(dict):
        check_forbidden(witness, own, {"three_worst", "opposed_below"} if upright else {"three_best", "opposed_above"})
    else:
        (check_sets_clash if "rows" in witness.value else check_sides_clash)(witness, own, upright=upright)
    return Finding(f"the rankings are not {said}.")


def check_sets_clash(document: Part, own: Profile, *, upright: bool) -> None:
    """Ensure that upper sets of voters are intervals of no common axis, while any smaller selection of them may be."""
    named, listed, below = document.parts("models rows lower")
    models = named.names()
    ensure(below.of(bool) != upright, "the sets are at the wrong end of the rankings")
    if len(models) ** 2 * (len(models) + len(listed.of(list))) > MOST_STEPS:
        raise NotCheckedError("the witness is too large to be checked in a short time")
    sets = []
    for one in listed.items():
        voter, members = one.items() if len(one.of(list)) == 2 else refuse("rows: pairs are needed")
        ranks, inside = own.ranks.get(voter.text(), {}), set(members.names())
        ensure(inside and inside < set(models) <= ranks.keys(), f"voter {voter.value!r} does not rank such a set")
        last = [ranks[model] * (1 if upright else -1) for model in inside]
        rest = [ranks[model] * (1 if upright else -1) for model in set(models) - inside]
        ensure(max(last) < min(rest), f"voter {voter.value!r} does not rank the set on one side of the others")
        sets.append(inside)
    every = [one for inside in sets for one in statements(models, inside)]
    ensure(sides_contradict(models, every), "the sets are intervals of one axis")
    for place in range(len(sets)):
        rest_of = [one for inside in sets[:place] + sets[place + 1 :] for one in statements(models, inside)]
        ensure(not sides_contradict(models, rest_of), "a set is not needed")
    for model in models:
        others = [one for one in models if one != model]
        without = [one for inside in sets for one in statements(others, inside - {model})]
        ensure(not sides_contradict(others, without), f"model {model!r} is not needed")


def check_sides_clash(document: Part, own: Profile, *, upright: bool) -> None:
    """Ensure that what rankings with gaps say of which models are on one side of which contradicts itself."""
    named, listed = document.parts("models voters")
    models, voters = named.names(), listed.names()
    ensure(set(models) <= set(own.models) and set(voters) <= set(own.ranks), "the models or voters do not fit")
    if len(models) ** 2 * len(voters) > MOST_STEPS:
        raise NotCheckedError("the witness is too large to be checked in a short time")
    said = []
    for voter in voters:
        ranks = {
            model: own.ranks[voter][model] * (1 if upright else -1) for model in models if model in own.ranks[voter]
        }
        said += [(model, [one for one in ranks if ranks[one] < rank]) for model, rank in ranks.items()]
    ensure(sides_contradict(models, said), "the statements do not contradict each other")


def statements(models: Sequence[str], inside: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield what an interval says: all that are inside are on one side of each model outside."""
    together = [model for model in models if model in inside]
    yield from ((model, together) for model in models if model not in inside)


def sides_contradict(models: Sequence[str], said: Iterable[tuple[str, Sequence[str]]]) -> bool:
    """Tell whether statements "these are all on one side of b" fit no axis.

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
        return Finding("the rankings are not group-separable.")
    names = order.texts()
    ensure(sorted(names) == sorted(own.models), "the order is not one of the models")
    uncut = [(0, len(names))]  # depth first, the upper part before the lower one, as the cuts are listed
    for one in cuts.items():
        while uncut and uncut[-1][1] - uncut[-1][0] < 2:
            uncut.pop()
        (start, stop), places = uncut.pop() if uncut else (0, 0), one.integers()
        fits = len(places) == 3 and places[0] == start < places[1] < stop == places[2]
        ensure(fits, f"the cut {shown(one.value)} is not the next")
        cut = places[1]
        for voter, ranks in own.ranks.items():
            upper, lower = ([ranks[model] for model in part] for part in (names[start:cut], names[cut:stop]))
            apart = max(upper) < min(lower) or max(lower) < min(upper)
            ensure(apart, f"voter {voter!r} mixes the blocks of the cut {shown(one.value)}")
        uncut += [(cut, stop), (start, cut)]
    ensure(all(stop - start < 2 for start, stop in uncut), "a block is left uncut")
    return Finding("the rankings are group-separable.")


def distance_restricted(document: Part, table: Table | None) -> Finding:
    """Check on how many pairs of models two voters disagree at most."""
    _, holds, written, left_out, allowed, largest, apart, swapped = document.parts(
        "kind holds profile left_out degree largest_distance farthest swapped"
    )
    own, degree = read_profile(written, left_out, table), allowed.integer()
    own.ensure_complete()
    ensure(degree >= 0, f"the degree must be 0 or more; got {degree}")
    voters, models = list(own.ranks), own.models
    pairs = [(x, y) for place, x in enumerate(models) for y in models[:place]]
    bits = {v: sum((own.ranks[v][x] < own.ranks[v][y]) << at for at, (x, y) in enumerate(pairs)) for v in voters}
    found = max((bits[one] ^ bits[other]).bit_count() for one in voters for other in voters)
    ensure(largest.integer() == found, f"the largest distance is {found}, not {largest.value}")
    ensure(holds.of(bool) == (found <= degree), f"a largest distance of {found} says otherwise")
    far = apart.texts()
    ensure(set(far) <= set(voters) and (not found or len(far) == 2), f"{far} are not two voters")
    ensure(len(far) != 2 or (bits[far[0]] ^ bits[far[1]]).bit_count() == found, f"{far} are not the farthest voters")
    ensure(len(far) == min(2, len(voters)) or not found, "two voters must be named")
    ensure((swapped.value is not None) == (found == 1), "one pair is swapped exactly if the distance is 1")
    if swapped.value is not None:
        turned = {bits[one] ^ bits[other] for one in voters for other in voters} - {0}
        pair = pairs[turned.pop().bit_length() - 1][::-1] if len(turned) == 1 else ()
        ensure(swapped.texts() == pair, "another pair is swapped")
    return Finding(f"any two voters disagree on {found} pairs of models at most.")


# Majorities: cycles, sets of winners, and the orders that contradict least.


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
    models, columns = table.board.models, table.board.columns
    weights, unit = whole(table.weights.values())
    wins, ties = ([[0] * len(models) for _ in models] for _ in range(2))
    for column, weight in zip(columns.values(), weights, strict=True):
        for i, j in ((i, j) for i in range(len(models)) for j in range(len(models)) if i != j):
            if column.values[i] is not None and column.values[j] is not None:
                lead = column.sign(i, j)
                wins[i][j] += weight * (lead > 0)
                ties[i][j] += weight * (lead == 0)
    return Margins(models, wins, ties, Fraction(1, unit))


def read_margins(document: Part, table: Table | None) -> Margins:
    """Return margins, ensuring that they are those of duels, and the table's."""
    named, won, tied, units = document.parts("models wins ties denominator")
    models = named.names()
    wins, ties = (one.square(len(models), Part.integer) for one in (won, tied))
    ensure(units.integer() > 0, "the denominator of margins is positive")
    size = range(len(models))
    ensure(all(one >= 0 for rows in (wins, ties) for row in rows for one in row), "wins and ties must not be negative")
    ensure(all(ties[i][j] == ties[j][i] for i in size for j in size), "ties are not the same from both sides")
    ensure(not any(wins[i][i] or ties[i][i] for i in size), "a model has a duel with itself")
    own = Margins(models, wins, ties, Fraction(1, units.value))
    if table is not None:
        found = majorities(table)
        ensure(models == found.models, "the models are not those of the table, in order")
        for what, carried, counted in (("wins", wins, found.wins), ("ties", ties, found.ties)):
            for i, j in ((i, j) for i in size for j in size):
                weight = counted[i][j] * found.unit
                where = f"the {what} of {models[i]!r} over {models[j]!r} weigh {weight} in the table"
                ensure(carried[i][j] * own.unit == weight, where)
    return own


def read_errors(document: Part, models: Sequence[str], tasks: Iterable[str]) -> dict[str, list[Fraction | None]]:
    """Return the standard errors that a table carries, a list by task with one, or none, a model."""
    errors = {}
    for task, own in document.entries().items():
        errors[task] = [None if one.value is None else one.fraction() for one in own.items()]
        ensure(task in tasks, f"there is no task {task!r}, and it has standard errors")
        ensure(len(errors[task]) == len(models), f"there must be one standard error a model on {task!r}")
    return known_errors(errors)


def read_source(document: Part, table: Table | None) -> Margins:
    """Return the margins of what a document carries: margins, or a table, which must be the one that is given."""
    if "scores" not in document.of(dict):
        if "wins" in document.value:
            return read_margins(document, table)
        raise NotCheckedError("duels of rankings are not counted here")
    said = ("lower_is_better", "weights", "groups", "tolerance", "relative_tolerance")
    kept = [name for name in said if name in document.value]
    kept += ["standard_errors"] if "standard_errors" in document.value else []
    named, scores, *_ = document.parts(" ".join(["models", "scores", *kept]))
    models = named.names()
    rest = {name: Part(document.value.get(name, {}), name) for name in said}
    lower = rest["lower_is_better"].texts() if rest["lower_is_better"].value else ()
    limits = [rest[name].fractions() for name in said[-2:]]
    declared = Declared(lower, weights=rest["weights"].fractions(), tolerance=limits[0], relative_tolerance=limits[1])
    columns = {}
    for task, one in scores.entries().items():
        ensure(len(one.of(list)) == len(models), f"there must be one score a model on {task!r}")
        columns[task] = declared.column(task, [None if each.value is None else each.fraction() for each in one.items()])
    weights = {task: declared.weights.get(task, ONE) for task in Part(list(columns), "tasks").names()}
    ensure({*declared.weights, *lower} <= set(columns), "there is no such task")
    ensure(min(weights.values(), default=ZERO) >= 0, "a weight is negative")
    groups = {name: one.texts() for name, one in rest["groups"].entries().items()}
    ensure({task for own in groups.values() for task in own} <= set(columns), "a group holds what is no task")
    errors = read_errors(Part(document.value.get("standard_errors", {}), "standard_errors"), models, columns)
    own = Table(Board(models, columns), weights, groups, (), errors)
    ensure(table is None or own[:3] == table[:3], "the table carried is another one, or declares other groups")
    ensure(table is None or own.errors == table.errors, "the table carried has other standard errors")
    return majorities(own)


def strongest_cycle(document: Part, table: Table | None) -> Finding:
    """Check a majority cycle, and that none is stronger."""
    kind, named, strong, ordered, written = document.parts("kind models strength order margins")
    rest = {"kind": kind.value, "models": named.value, "strength": strong.value, "order": ordered.value}
    cycle, won = check_cycle(Part(rest, "a cycle"), read_margins(written, table))
    columns = {"winner": cycle, "loser": (*cycle[1:], cycle[0]), "margin": won}
    said = f"the majorities have a cycle of {len(cycle)} models; none is stronger than {min(won)}."
    return Finding(said, (), columns)


def check_cycle(document: Part, margins: Margins) -> tuple[tuple[str, ...], list[Fraction]]:
    """Check a cycle, and that some duel of every cycle runs up the order given; return its models and margins."""
    kind, named, strong, ordered = document.parts("kind models strength order")
    ensure(kind.value == "strongest_cycle", f"{shown(kind.value)} is no cycle")
    cycle, strength, order = named.names(), strong.fraction(), ordered.texts()
    at, net = {name: place for place, name in enumerate(margins.models)}, margins.net
    ensure(len(cycle) >= 3 and set(cycle) <= set(at), "a cycle has three distinct models or more")
    won = [net[at[one]][at[other]] * margins.unit for one, other in zip(cycle, (*cycle[1:], cycle[0]), strict=True)]
    ensure(min(won) == strength > 0, f"the weakest duel of the cycle has margin {min(won)}, not {strength}")
    ensure(sorted(order) == sorted(at), "the order does not hold every model once")
    for place, below in enumerate(order):
        for above in order[:place]:
            margin = net[at[below]][at[above]] * margins.unit
            fits = margin <= strength
            ensure(fits, f"{below!r} beats {above!r} above it in the order by {margin}, more than {strength}")
    return cycle, won


def reached(beats: Mapping[str, set[str]], start: str) -> set[str]:
    """Return a model and all to which a path of duels leads from it."""
    seen, waiting = {start}, [start]
    while waiting:
        new = beats[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def majority_overview(document: Part, table: Table | None) -> Finding:
    """Check winners, losers, sets of winners, cycles and the essential set of the table's majorities."""
    _, winner, loser, sets, triple, cycles, cycle, lottery, source = document.parts(
        "kind condorcet_winner condorcet_loser sets triple three_cycles cycle lottery source"
    )
    margins = read_source(source, table)
    models, net = margins.models, margins.net
    beats = {one: {models[j] for j, margin in enumerate(net[i]) if margin > 0} for i, one in enumerate(models)}
    by = {one: {other for other in models if one in beats[other]} for one in models}
    unbeaten = {one: set(models) - by[one] - {one} for one in models}
    below = {one: reached(beats, one) for one in models}
    found = {
        "weak_condorcet_winners": [one for one in models if not by[one]],
        # Smith: who gets to all by duels not lost. Schwartz: who gets to all that get to it. Gillies covers: x beats y,
        # and all that beat x beat y.
        "smith": [one for one in models if len(reached(unbeaten, one)) == len(models)],
        "schwartz": [one for one in models if all(other in below[one] for other in models if one in below[other])],
        "uncovered": [one for one in models if not any(by[other] <= by[one] for other in by[one])],
        "essential": check_lottery(lottery, models, net),
    }
    named = sets.entries()
    ensure(named.keys() == found.keys(), "the sets are not those that are asked for")
    for name, own in found.items():
        ensure(list(named[name].texts()) == own, f"the set {name!r} is another")
    top, bottom = ([one for one in models if len(own[one]) == len(models) - 1] for own in (beats, by))
    ensure(winner.value == (top[0] if top else None), "the Condorcet winner is another")
    ensure(loser.value == (bottom[0] if bottom else None), "the Condorcet loser is another")
    paths = [(x, y, z) for x in models for y in beats[x] for z in beats[y] if z != x]
    intransitive = {path for path in paths if path[2] not in beats[path[0]]}
    fits = not intransitive if triple.value is None else triple.texts() in intransitive
    ensure(fits, "the intransitive triple is none, or there is one")
    count = sum(x in beats[z] for x, _, z in paths) // 3
    ensure(cycles.integer() == count, f"there are {count} cycles of three models")
    if cycle.value is None:
        ensure(not any(one in below[other] for one in models for other in beats[one]), "there is a cycle")
    else:
        check_cycle(cycle, margins)
    said = f"{winner.value} beats all others" if top else "no model beats all others"
    sentence = f"{said}; there are {count} cycles of three models, and the sets of winners are as they are said to be."
    columns = {name: [one in own for one in models] for name, own in found.items()}
    return Finding(sentence, (), {"name": models, **columns})


def check_lottery(document: Part, models: Sequence[str], net: Sequence[Sequence[int]]) -> list[str]:
    """Ensure that a mixture of the models loses to none in duels counted as signs; return those it mixes.

    All others have a margin below 0 against it: then no such mixture has any of them (equalizer theorem), and the duels
    of those it mixes leave it no freedom exactly if their rank is one less than their number.
    """
    kind, chances, unique, other, counted = document.parts("kind probabilities unique other duels")
    game = [[(margin > 0) - (margin < 0) for margin in row] for row in net]
    ensure([kind.value, counted.value] == ["maximal_lottery", "signs"], "the lottery is of another game")
    mixtures = [chances] if other.value is None else [chances, other]
    ensure(unique.of(bool) == (other.value is None), "there is another lottery exactly if this one is not unique")
    listed = [one.among(models) for one in mixtures]
    for shares in listed:
        ensure(min(shares) >= 0 and total(shares) == 1, "the probabilities are negative, or do not sum to 1")
        gains = column_sums(game, shares, len(models))
        ensure(min(gains) >= 0, "a model has a positive expected margin over the lottery")
    ensure(len(listed) == 1 or listed[0] != listed[1], "the other lottery is the same")
    gains = column_sums(game, listed[0], len(models))
    ensure(
        all(map(any, zip(listed[0], gains, strict=True))), "a model without probability is not beaten by the lottery"
    )
    inside = [place for place, share in enumerate(listed[0]) if share]
    alone = rank([[game[row][column] for column in inside] for row in inside]) == len(inside) - 1
    ensure(unique.value == alone, f"that the lottery is the only one is {alone}")
    return [models[place] for place in inside]


def rank(matrix: Rows) -> int:
    """Return the rank of a matrix of integers (elimination without fractions)."""
    left, found = [list(row) for row in matrix], 0
    while left and left[0]:
        top = next((row for row in left if row[0]), None)
        found += top is not None
        left = [
            [row[0] * one - top[0] * other for one, other in zip(top[1:], row[1:], strict=True)] if top else row[1:]
            for row in left
            if row is not top
        ]
        left = [[one // (math.gcd(*row) or 1) for one in row] for row in left]
    return found


SEARCHED = 12
"""Blocks of so many models are settled by dynamic programming over all sets; larger ones by the bound given."""
MEANS = {"search", "tilted search", "cost search", "solver"}
"""How the prover settled a block; what it says of the block is worked out anew."""


def median_order(document: Part, table: Table | None) -> Finding:
    """Check the cost of an order, and that none costs less (kinds ``kemeny``, ``slater``, ``feedback_arcs``)."""
    kind = document.value["kind"]
    own = {"kemeny": "tie_penalty", "slater": "", "feedback_arcs": "weighted arcs"}[kind]
    _, ordered, priced, unique, count, written, listed, solver, *more = document.parts(
        f"kind order cost unique number margins blocks solver {own}"
    )
    margins, order = read_margins(written, table), [place.texts() for place in ordered.items()]
    at = {name: place for place, name in enumerate(margins.models)}
    ensure(sorted(order) == sorted((name,) for name in at), "the order does not hold every model once, without ties")
    places = [at[name] for (name,) in order]
    counted = kind == "slater" or (kind == "feedback_arcs" and not more[0].of(bool))
    net = [[(one > 0) - (one < 0) if counted else one for one in row] for row in margins.net]
    below = [(low, high) for at, low in enumerate(places) for high in places[:at]]
    turned = [(low, high) for low, high in below if net[low][high] > 0]
    cost = (ONE if counted else margins.unit) * sum(net[low][high] for low, high in turned)
    if kind == "kemeny":
        penalty = more[0].fraction()
        ensure(penalty >= 0, "the tie penalty is negative")
        cost = margins.unit * sum(margins.wins[low][high] + penalty * margins.ties[low][high] for low, high in below)
    elif kind == "feedback_arcs":
        arcs = sorted((margins.models[low], margins.models[high]) for low, high in turned)
        ensure(sorted(one.texts() for one in more[1].items()) == arcs, "the order turns others")
    priced.ensure_is(cost)
    counts, believed = check_blocks(listed, places, net, solver)
    if None not in counts:
        found = math.prod(one or 0 for one in counts)
        ensure(count.value is None or count.integer() == found, f"{found} orders cost as little")
        ensure(unique.value is None or unique.of(bool) == (found == 1), f"{found} orders cost as little")
    else:
        ensure(count.value is None or count.integer() > 0, "orders are counted from 1")
    but = " but for what follows" if believed else ""
    return Finding(f"the order costs {cost}, and no order costs less{but}.", believed)


def check_blocks(
    listed: Part, places: Sequence[int], net: Sequence[Sequence[int]], solver: Part
) -> tuple[list[int | None], tuple[str, ...]]:
    """Ensure that blocks make up the order, each beating all that follow, and that none can be ordered better.

    Return how many orders of least cost each block has, None where that was not worked out, and what is believed.
    """
    counts: list[int | None] = []
    believed: list[str] = []
    start, needs_solver = 0, False
    for document in listed.items():
        members, order, priced, shared, count, means, triangles, turned = document.parts(
            "models order cost shared number means triangles turned"
        )
        models, inner = members.integers(), order.integers()
        block = places[start : start + len(models)]
        start += len(models)
        ensure(models and models == sorted(set(block)), "the blocks do not make up the order")
        small = [[net[one][other] for other in models] for one in models]
        cost = order_cost(small, inner)
        ensure([models[one] for one in inner] == block, "the blocks do not make up the order")
        ensure(all(net[one][later] > 0 for one in block for later in places[start:]), "a block does not beat all later")
        ensure(priced.integer() == cost, f"a block's order costs {cost}, not {priced.value}")
        ensure(means.text() in MEANS, f"{shown(means.value)} proves nothing")
        ensure((count.value is not None) == (means.value == "search"), "only a full search counts orders")
        bound = triangle_bound(small, triangles)
        others = {order_cost(small, one.integers()) for one in turned.items()}
        ensure(not others or (means.value == "tilted search" and others == {cost}), "an order besides costs more")
        needs_solver = needs_solver or means.value == "solver"
        if len(models) <= SEARCHED:
            counts.append(check_small_block(small, cost, count, shared.texts(), means.value))
            continue
        counts.append(None)
        if bound <= cost - 1 or means.value == "tilted search":
            whose = solver.value if means.value == "solver" else "a search that is not repeated here"
            believed.append(f"that {len(models)} models cannot be ordered below {cost} rests on {whose}")
        believed.append(f"how many orders of {len(models)} models cost as little, and what they share")
    ensure(needs_solver == (solver.value is not None and solver.solver() in SOLVERS), "another solver was needed")
    ensure(start == len(places), "the blocks do not make up the order")
    return counts, tuple(believed)


def order_cost(net: Sequence[Sequence[int]], order: Sequence[int]) -> int:
    """Return what an order costs, best first: the duels that the lower model wins."""
    ensure(sorted(order) == list(range(len(net))), "a block's order does not hold every model once")
    return sum(max(net[low][high], 0) for at, low in enumerate(order) for high in order[:at])


def check_small_block(net: list[list[int]], cost: int, count: Part, shared: Sequence[str], means: str) -> int:
    """Work out all orders of least cost of a few models; return how many there are.

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
    everything = len(least) - 1
    ensure(least[everything] == cost, f"an order of {len(net)} models costs {least[everything]}, less than {cost}")
    ensure(count.value is None or count.integer() == ways[everything], f"{ways[everything]} orders cost {cost}")
    # From the whole downwards: the sets that stand on top in some order of least cost.
    seen, tops = {everything}, [everything]
    for chosen in tops:
        new = [rest for rest, price in options(chosen) if rest not in seen and price == least[chosen]] if chosen else []
        seen.update(new)
        tops += new
    above = [[i != j and not any(s >> j & 1 and not s >> i & 1 for s in seen) for j in size] for i in size]
    always = ["".join("01"[one] for one in row) for row in above]
    shaped = len(shared) == len(net) and all(len(row) == len(net) and not row.strip("01") for row in shared)
    ensure(shaped, "shared pairs must be texts of 0 and 1, one a model")
    same = means not in {"search", "tilted search"} or list(shared) == always
    ensure(same, "the pairs that all orders of least cost share are others")
    fits = all(
        one <= other for row, own in zip(shared, always, strict=True) for one, other in zip(row, own, strict=True)
    )
    ensure(fits, "a pair is not shared by all orders of least cost")
    return ways[everything]


def triangle_bound(net: Sequence[Sequence[int]], document: Part) -> Fraction:
    """Return what every order costs at least: of "a above b", "b above c", "c above a" it has two at most.

    Each triangle's multiplier is added to its three pairs and taken off twice, which adds nothing positive to any
    order; then each pair costs its cheaper side at least (Lagrange).
    """
    listed, multiplied, unit = document.parts("corners multipliers scale")
    size, scale, factors = range(len(net)), unit.integer(), multiplied.integers()
    price = [[max(net[low][high], 0) * scale for low in size] for high in size]
    ensure(scale > 0 and all(one >= 0 for one in factors), "a multiplier of a triangle is negative")
    ensure(len(listed.of(list)) == len(factors), "there must be one multiplier a triangle")
    for corners, factor in zip(listed.items(), factors, strict=True):
        own = corners.integers()
        ensure(len(own) == len(set(own)) == 3 and set(own) <= set(size), "a triangle has three corners")
        for one, other in zip(own, (*own[1:], own[0]), strict=True):
            price[one][other] += factor
    cheaper = sum(min(price[one][other], price[other][one]) for one in size for other in range(one))
    return Fraction(cheaper - 2 * sum(factors), scale)


# 5. The program ------------------------------------------------------------------------------------------------------

KINDS: dict[str, Callable[[Part, Table | None], Finding]] = {
    "prospect": prospect,
    "prospects": prospects,
    "contradiction": contradiction,
    "scenario": scenario,
    "task_sets": task_sets,
    "weight_ranges": weight_ranges,
    "realisation": realisation,
    "duels": duels,
    "stability": stability,
    "broken_cycle": broken_cycle,
    "single_peaked": single_peaked,
    "single_caved": single_peaked,
    "group_separable": group_separable,
    "distance_restricted": distance_restricted,
    "strongest_cycle": strongest_cycle,
    "majority_overview": majority_overview,
    "kemeny": median_order,
    "slater": median_order,
    "feedback_arcs": median_order,
}


class Report(NamedTuple):
    """What was checked, line by line, and the exit code."""

    lines: list[str]
    code: int


def check(proof: str, table: str | None = None, declared: Declared | None = None) -> Report:
    """Check a document's text, with the text of the table that it is about where there is one.

    Raises
    ------
    FalseClaimError
        Naming the kind of the first claim that fails, and its first inequality.
    WrongInputError
        If the document or the table has another form than is read here.
    """
    document, given = read_json(proof), declared or Declared()
    results, options, written = read_envelope(document)
    if table is not None and options.get("config") and given._replace(complete=None) == Declared():
        refuse(f"the claim was made with {shown(options['config'])} beside the table: declare what it says (--config)")
    if given.complete is None:
        given = given._replace(complete=options.get("complete") is True)
    board = None if table is None else read_table(table, given)
    lines, is_open = [], False
    findings: list[Finding | None] = []
    for one in results:
        kind = Part(one.of(dict).get("kind"), "kind").text()
        try:
            found = KINDS[kind](claim_of(one), board) if kind in KINDS else None
            said, believed = found[:2] if found else ("not checked, a kind that is not known here.", ())
        except NotCheckedError as error:
            found, said, believed = None, f"not checked: {error}.", ()
        except FalseClaimError as error:
            raise FalseClaimError(f"{kind}: {error}") from None
        findings.append(found)
        lines += [f"{kind}: {said}", *(f"{kind}: not checked: {text}." for text in believed)]
        is_open = is_open or found is None or bool(believed)
    if written is not None:
        lines.append(check_rows(written, [one.value["kind"] for one in results], findings))
    lines.append("No table was compared." if board is None else f"Compared with the table; declared: {given}.")
    if board is not None and board.left_out:
        named, count = ", ".join(board.left_out), len(board.board.models)
        lines.append(f"It speaks of {count} of the table's {count + len(board.left_out)} models, not of {named}.")
    return Report(lines, 3 if is_open else 0)


OPTIONS = {"file", "config", "complete", "table", "columns"}
"""What a document may say of how its table was read."""


def read_envelope(document: Part) -> tuple[list[Part], Mapping[str, Any], Part | None]:
    """Return the results of a document, its options and the block ``table``; a result may stand alone."""
    if "kind" in document.of(dict):
        return [document], {}, None
    known = {"weightlab", "command", "options", "table", "results"}
    for name in document.value.keys() - known:
        refuse(f"the document has {shown(name)}, a part that is not known")
    for name in document.value.keys() & {"weightlab", "command"}:
        Part(document.value[name], name).text()
    results = Part(document.value.get("results"), "results").items()
    for name in Part(document.value.get("options", {}), "options").of(dict).keys() - OPTIONS:
        refuse(f"options: {shown(name)} is not known")
    options = Part(document.value.get("options", {}), "options").of(dict)
    rows = Part(document.value["table"], "table") if document.value.get("table") is not None else None
    return results or refuse("the document holds no results"), options, rows


def claim_of(document: Part) -> Part:
    """Return a result without the lists of what is proved and believed, which must fit the solvers that it names."""
    claim = {name: value for name, value in document.value.items() if name not in ("proved", "believed")}
    proved, believed = (Part(document.value.get(name), name).texts() for name in ("proved", "believed"))
    ensure(not set(proved) & set(believed), "what is believed is not proved")
    ensure(believed or proved == ("everything",), "where nothing is believed, everything is proved")
    ensure(bool(believed) == names_solver(claim), "a solver is named where, and only where, something is believed")
    return Part(claim, "a result")


def names_solver(claim: Any) -> bool:
    """Tell whether some part of a result names a solver, as one whose word is taken."""
    parts_left = [claim]
    while parts_left:
        one = parts_left.pop()
        if isinstance(one, dict):
            if one.get("solver") in SOLVERS:
                return True
            one = list(one.values())
        parts_left += one if isinstance(one, list) else []
    return False


def check_rows(document: Part, kinds: Sequence[str], findings: Sequence[Finding | None]) -> str:
    """Ensure that the block ``table`` has rows for each result, and that they follow where that is worked out here."""
    entries = [one.parts("kind rows") for one in document.items()]
    ensure([kind.value for kind, _ in entries] == list(kinds), "table: its kinds are not those of the results")
    compared = [kind for kind, found in zip(kinds, findings, strict=True) if found and found.columns]
    for (kind, rows), found in zip(entries, findings, strict=True):
        columns = found.columns if found else {}
        for name, values in columns.items():
            ensure(len(rows.of(list)) == len(values), f"table: there are {len(values)} rows of {kind.value}")
            for row, own in zip(rows.items(), values, strict=True):
                fits = row.of(dict).keys() == columns.keys() and is_rounded(row.value[name], own)
                ensure(fits, f"table: the {name!r} in a row of {kind.value} is {own}")
    said = f"rows of {', '.join(compared)} compared; the others" if compared else "its rows"
    return f"table: {said} are rounded words that follow from the results, no part of the proof."


def is_rounded(value: Any, own: Any) -> bool:
    """Tell whether a cell is a value, or the float next to it."""
    if isinstance(own, Fraction):
        return type(value) in {int, float} and math.isclose(value, own, rel_tol=1e-9, abs_tol=1e-12)
    return type(value) is type(own) and bool(value == own)


def read_text(path: str) -> str:
    """Return the text of a file, ``-`` being standard input."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        refuse(f"{path}: {error.strerror if isinstance(error, OSError) else error}")
    if len(data) > MOST_BYTES:
        refuse(f"{path} has more than {MOST_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        refuse(f"{path} is not UTF-8")


MOST_DECLARED = 2_000_000
MOST_PARTS = 8
TOML_TOKEN = re.compile(
    r"""
    (?P<quoted>\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:\"{3})? | '{3}(?:[^']|'(?!''))*+(?:'{3})?
      | "(?:[^"\\\n]|\\[^\n])*+"? | '[^'\n]*+'? )
    | (?P<bare>[\w-]++) | (?P<dot>[ \t]*+\.[ \t]*+) | \#[^\n]*+ | [ \t]++ | [^\w"'\#. \t-]++
    """,
    re.VERBOSE | re.DOTALL,
)


def check_keys(text: str) -> None:
    """Refuse dotted keys of many parts: Python's reader takes memory with the square of their number."""
    dots = 0
    for token in TOML_TOKEN.finditer(text):
        dots = dots + (token.lastgroup == "dot") if token.lastgroup else 0
        if dots >= MOST_PARTS:
            refuse(f"the configuration has a key of more than {MOST_PARTS} parts")


def declared_in(text: str) -> Declared:
    """Return what a TOML file declares about a table; keys that are not known here are refused."""
    if len(text) > MOST_DECLARED:
        refuse(f"the configuration has more than {MOST_DECLARED} characters")
    check_keys(text)
    try:
        found = tomllib.loads(text, parse_float=Fraction)
    except (ValueError, RecursionError) as error:
        refuse(f"the configuration is not TOML: {error}")

    def names(value: Any, what: str) -> tuple[str, ...]:
        return Part([value] if isinstance(value, str) else value, what).texts()

    def number(value: Any, what: str) -> Fraction:
        made = value if isinstance(value, Fraction) else decimal(str(value), what)
        return made if made >= 0 else refuse(f"{what}: {made} is negative")

    def by_task(value: Any, what: str) -> dict[str, Fraction]:
        return {task: number(one, what) for task, one in Part(value, what).of(dict).items()}

    def limit(key: str) -> Fraction | dict[str, Fraction]:
        value = found.pop(key, 0)
        return by_task(value, key) if isinstance(value, dict) else number(value, key)

    lower, drop = (names(found.pop(key, []), key) for key in ("lower_is_better", "drop"))
    names(found.pop("higher_is_better", []), "higher_is_better")  # as is everything that is not in lower_is_better
    groups = Part(found.pop("groups", {}), "groups").of(dict)
    weights = by_task(found.pop("weights", {}), "weights")
    tolerance, relative = limit("tolerance"), limit("relative_tolerance")
    if found:
        refuse(f"the configuration declares {', '.join(map(repr, found))}, which is not read here")
    return Declared(
        lower, drop, weights, {key: names(value, "groups") for key, value in groups.items()}, tolerance, relative
    )


class Arguments(argparse.ArgumentParser):
    """Arguments whose faults are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Raise WrongInputError."""
        refuse(message)


def declared_by(options: argparse.Namespace) -> Declared:
    """Return what the options declare; they add to what a configuration says."""
    base, weights = declared_in(read_text(options.config)) if options.config else Declared(), {}
    for text in options.weight:
        name, found, weight = text.rpartition("=")
        weights[name] = decimal(weight, text) if found else refuse(f"--weight {text}: NAME=W is needed")
    lower, drop = (*base.lower, *options.lower), (*base.drop, *options.drop)
    return base._replace(lower=lower, drop=drop, weights={**base.weights, **weights}, complete=options.complete)


UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Letters that a terminal would obey, or that cannot be written: shown as codes."""


def reported(listed: Sequence[str] | None) -> Report:
    """Return what the program says, and its exit code."""
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
