"""An independent checker of weightlab's proofs: one file, the standard library only, nothing of the package.

Usage: ``python checker.py PROOF.json [TABLE.csv] [--lower NAME] [--drop NAME] [--complete] [--weight NAME=W]``

The prover is not trusted, and neither is its own verification: all that is believed here is Python's integers. A
document says what is true and carries what proves it; this file works out the signs of the table anew and checks each
inequality in exact arithmetic. Read it in this order: `reduced_costs` (weak duality, behind every "no weights do"),
`check_weights` (behind every "these weights do"), then the kind in question. ``docs/reference/proofs.md`` states for
each kind the fields, the inequalities and what they prove.

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
MISSING = {"", "-", "na", "n/a", "nan"}
"""Cells that hold no score, in capitals or not."""


class FalseClaimError(Exception):
    """What a document claims, or proves it by, does not hold."""


class WrongInputError(Exception):
    """A file or an option has another form than is read here."""


class NotCheckedError(Exception):
    """A claim of a kind, or with a proof, that this file does not check."""


class Finding(NamedTuple):
    """What was proved, in one sentence, and what remains to be believed."""

    proved: str
    believed: tuple[str, ...] = ()


def ensure(holds: object, failure: str) -> None:
    """Raise FalseClaimError with the inequality that fails."""
    if not holds:
        raise FalseClaimError(failure)


def refuse(message: str) -> NoReturn:
    """Raise WrongInputError."""
    raise WrongInputError(message)


# Reading: every part of a document has one form, and whatever has another is refused.


def read_json(text: str) -> Any:
    """Return a document; keys that occur twice, NaN and numbers of too many digits are refused."""

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            refuse("a key occurs twice in one object")
        return made

    def read_integer(digits: str) -> int:
        return int(digits) if len(digits) <= MOST_DIGITS else refuse("a number has too many digits")

    def read_constant(name: str) -> NoReturn:
        refuse(f"{name} is no number")

    try:
        return json.loads(text, object_pairs_hook=read_object, parse_int=read_integer, parse_constant=read_constant)
    except RecursionError:
        refuse("the document is too deeply nested")
    except ValueError as error:
        refuse(f"the document is not JSON: {error}")


def shown(value: Any) -> str:
    """Return what a value looks like, shortened."""
    try:
        text = repr(value)
    except RecursionError:
        return "a deeply nested value"
    return text if len(text) <= 60 else f"{text[:57]}..."


def of_type(value: Any, kind: type, what: str) -> Any:
    """Return a value if it is of just this type: true is no integer."""
    return value if type(value) is kind else refuse(f"{what}: {shown(value)} is no {kind.__name__}")


def parts(document: Any, names: str, what: str) -> list[Any]:
    """Return the parts of an object in the order of their names; it must have all of them and no others."""
    wanted = names.split()
    of_type(document, dict, what)
    for name in wanted:
        if name not in document:
            refuse(f"{what} lacks {name!r}")
    for name in document:
        if name not in wanted:
            refuse(f"{what} has {shown(name)}, a part that is not known")
    return [document[name] for name in wanted]


def number(value: Any, what: str) -> Fraction:
    """Return the fraction that a text ``p/q`` stands for."""
    written = isinstance(value, str) and len(value) <= 2 * MOST_DIGITS and re.fullmatch(r"(-?[0-9]+)(/[0-9]+)?", value)
    if not written or any(len(digits) > MOST_DIGITS for digits in value.split("/")):
        refuse(f"{what}: {shown(value)} is no fraction p/q")
    above, _, below = value.partition("/")
    return Fraction(int(above), int(below or 1)) if int(below or 1) else refuse(f"{what} is divided by 0")


def numbers(value: Any, what: str) -> dict[str, Fraction]:
    """Return fractions by name."""
    return {name: number(one, f"{what} of {name!r}") for name, one in of_type(value, dict, what).items()}


def listed_numbers(value: Any, what: str, count: int) -> list[Fraction]:
    """Return a list of so many fractions."""
    ensure(len(of_type(value, list, what)) == count, f"{what}: there must be {count} numbers")
    return [number(one, what) for one in value]


def numbers_of(value: Any, names: Sequence[str], what: str) -> list[Fraction]:
    """Return fractions in the order of names; those that are 0 may be left out, other names are refused."""
    found = numbers(value, what)
    known = set(names)
    for name in found:
        if name not in known:
            refuse(f"{what}: {shown(name)} is not known")
    return [found.get(name, ZERO) for name in names]


def numbers_along(value: Any, names: Sequence[str], what: str) -> list[Fraction]:
    """Return fractions written for just these names in this order."""
    found = numbers(value, what)
    ensure(list(found) == list(names), f"{what}: the names are others, or in another order")
    return list(found.values())


def known_solver(value: Any) -> str:
    """Return the name of a solver that the package may rely on."""
    return str(value) if value in SOLVERS else refuse(f"the solver is one of {', '.join(SOLVERS)}; got {shown(value)}")


def texts(value: Any, what: str) -> tuple[str, ...]:
    """Return a list of texts."""
    return tuple(of_type(one, str, what) for one in of_type(value, list, what))


def read_signs(value: Any, rows: int, columns: int) -> list[list[int]]:
    """Return signs from one text of ``+``, ``0`` and ``-`` a row."""
    listed = texts(value, "signs")
    if len(listed) != rows or any(len(row) != columns or row.strip("+0-") for row in listed) or not rows * columns:
        refuse(f"signs: {rows} texts of {columns} signs '+', '0' and '-' are needed")
    return [[{"+": 1, "0": 0, "-": -1}[letter] for letter in row] for row in listed]


def read_squares(value: Any, size: int, what: str, read: Callable[[Any, str], Any]) -> list[list[Any]]:
    """Return a square table, each cell read."""
    listed = of_type(value, list, what)
    if len(listed) != size or any(len(of_type(row, list, what)) != size for row in listed):
        refuse(f"{what}: {size} rows of {size} are needed")
    return [[read(one, what) for one in row] for row in listed]


def integer(value: Any, what: str) -> int:
    """Return an integer."""
    return int(of_type(value, int, what))


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


# The table: cells as the decimals that are written, higher being better unless declared otherwise.


class Places(NamedTuple):
    """For each task the place of each model, counted from the worst; None where a score is missing."""

    models: tuple[str, ...]
    places: Mapping[str, Sequence[int | None]]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(self.places)

    def rivals(self, model: str) -> tuple[str, ...]:
        """Return all models but one."""
        return tuple(one for one in self.models if one != model)

    def rows(self, model: str, rivals: Sequence[str], tasks: Sequence[str]) -> list[list[int]]:
        """Return G: 1 where the model leads the rival, -1 where it trails, 0 where they tie or a score is missing."""
        at = {name: place for place, name in enumerate(self.models)}
        columns = [self.places[task] for task in tasks]
        own = [column[at[model]] for column in columns]
        return [[sign(mine, column[at[rival]]) for mine, column in zip(own, columns, strict=True)] for rival in rivals]


def sign(one: int | None, other: int | None) -> int:
    """Return who leads; nobody where a score is missing."""
    return 0 if one is None or other is None else (one > other) - (one < other)


class Table(NamedTuple):
    """A score table with what is declared about it."""

    scores: Places
    weights: Mapping[str, Fraction]
    groups: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()

    @property
    def shares(self) -> dict[str, Fraction]:
        """Today's weights, scaled to sum to 1."""
        whole_weight = total(self.weights.values())
        return {task: weight / whole_weight for task, weight in self.weights.items()}


class Declared(NamedTuple):
    """What is declared about a table."""

    lower: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    weights: Mapping[str, Fraction] = {}
    groups: Mapping[str, tuple[str, ...]] = {}
    complete: bool | None = None

    def __str__(self) -> str:
        """Say what was applied."""
        said = [f"lower is better on {', '.join(self.lower)}"] if self.lower else []
        said += [f"columns left out: {', '.join(self.drop)}"] if self.drop else []
        said += ["models that lack a score left out"] if self.complete else []
        said += [f"weights {', '.join(f'{task}={weight}' for task, weight in self.weights.items())}"]
        return (
            "; ".join(said if self.weights else said[:-1]) or "nothing: higher is better everywhere, all weights are 1"
        )


def decimal(text: str, what: str) -> Fraction:
    """Return the number that a decimal text stands for."""
    found = re.fullmatch(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,4}))?", text)
    if found is None or len(text) > MOST_DIGITS or abs(int(found[1] or 0)) > MOST_DIGITS:
        refuse(f"{what}: {shown(text)} is no decimal number")
    return Fraction(text)


def read_table(text: str, declared: Declared) -> Table:
    """Return the table of a comma-separated text; the models stand in the column ``model``, else in the first.

    The column ``acc_stderr`` beside ``acc`` holds standard errors, on which no claim that is checked here depends.
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
    stems = {header[place] for place in range(len(header)) if place != first}
    columns = [place for place in columns if header[place].removesuffix("_stderr") not in stems - {header[place]}]
    if not all(header[place].strip() for place in columns):
        refuse("a column of the table has no name; --drop leaves out columns that have one")
    scores = {row[first]: [cell(row[place], f"{row[first]} on {header[place]}") for place in columns] for row in rows}
    if len(scores) < len(rows):
        refuse("two rows of the table have the same model")
    kept = {model: own for model, own in scores.items() if not declared.complete or None not in own}
    tasks = [header[place] for place in columns]
    places = {
        task: placed([own[place] for own in kept.values()], higher=task not in declared.lower)
        for place, task in enumerate(tasks)
    }
    weights = {task: declared.weights.get(task, ONE) for task in tasks}
    if min(weights.values()) < 0 or not any(weights.values()):
        refuse("weights must not be negative, nor all 0")
    left_out = tuple(model for model in scores if model not in kept)
    return Table(Places(tuple(kept), places), weights, declared.groups, left_out)


def cell(text: str, what: str) -> Fraction | None:
    """Return a score, None where it is missing."""
    return None if text.strip().casefold() in MISSING else decimal(text.strip(), what)


def placed(scores: Sequence[Fraction | None], *, higher: bool) -> list[int | None]:
    """Return the places of scores, the worst being 1."""
    order = sorted({one for one in scores if one is not None}, reverse=not higher)
    place = {one: position for position, one in enumerate(order, start=1)}
    return [None if one is None else place[one] for one in scores]


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
    ensure_names("task", tasks, table.scores.tasks)
    if some:
        ensure({model, *rivals} <= set(table.scores.models), "a model is not in the table")
    else:
        ensure_names("model", [model, *rivals], table.scores.models)
    for rival, own, row in zip(rivals, table.scores.rows(model, rivals, tasks), signs, strict=True):
        for task, found, claimed in zip(tasks, own, row, strict=True):
            where = f"the sign of {model!r} over {rival!r} on {task!r}"
            ensure(found == claimed, f"{where} is {found} in the table, not {claimed}")


def read_places(document: Any, table: Table | None) -> Places:
    """Return the signs of all models, ensuring that they are the table's."""
    listed, columns = parts(document, "models places", "signs")
    models = texts(listed, "models")
    ensure(len(set(models)) == len(models) > 1, "there must be two models or more, each with a name of its own")
    for task, places in of_type(columns, dict, "places").items():
        if isinstance(places, dict) and parts(places, "values allowed scale relative", "a tolerance"):
            raise NotCheckedError(f"scores on {task!r} tie within a tolerance, which is not read here")
        ensure(len(of_type(places, list, "places")) == len(models), f"there must be a place a model on {task!r}")
        for place in places:
            if place is not None and not 1 <= integer(place, "places") <= len(models):
                refuse(f"{place} is no place among {len(models)} models")
    own = Places(models, columns)
    if table is not None:
        ensure_names("task", own.tasks, table.scores.tasks)
        ensure_names("model", models, table.scores.models)
        for model in models:
            ensure_signs(table, model, own.rivals(model), own.tasks, own.rows(model, own.rivals(model), own.tasks))
    return own


# Spaces of weights: all that are not negative and sum to 1, and meet some conditions.

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

    def without(self, place: int) -> Space:
        """Return the space with all conditions but one."""
        return Space(self.tasks, self.conditions[:place] + self.conditions[place + 1 :])


def read_condition(document: Any, tasks: Sequence[str]) -> Condition:
    """Return a condition on the weights of these tasks, in one of its three forms."""
    if "norm" in of_type(document, dict, "a condition"):
        form, radius, named = parts(document, "norm radius centre", "a condition")
        condition = Condition(of_type(form, str, "norm"), numbers(named, "centre"), "<=", number(radius, "radius"))
        if form not in NORMS:
            refuse(f"{shown(form)} is no norm")
    elif "shares" in document:
        (named,) = parts(document, "shares", "a condition")
        condition = Condition("=", numbers(named, "shares"), "=", ZERO)
    else:
        named, relation, bound = parts(document, "tasks relation bound", "a condition")
        if relation not in list(RELATIONS):
            refuse(f"{shown(relation)} is no relation")
        condition = Condition("sum", numbers(named, "tasks"), relation, number(bound, "a bound"))
    if condition.tasks.keys() - set(tasks):
        refuse("a condition names what is no task of its space")
    if condition.form == "sum":
        if not all(condition.tasks.values()):
            refuse("a condition has a coefficient of 0")
    elif not is_weighting(condition.tasks.values()):
        refuse("the weights of a condition must be some, not negative, and sum to 1")
    if condition.form in NORMS and len(condition.tasks) < len(tasks):
        refuse("a distance is from weights of all tasks")
    return condition


def is_weighting(shares: Iterable[Fraction]) -> bool:
    """Tell whether shares are some, not negative, and sum to 1."""
    listed = list(shares)
    return bool(listed) and min(listed) >= 0 and total(listed) == 1


def read_space(document: Any) -> Space:
    """Return a space."""
    named, conditions = parts(document, "tasks conditions", "a space")
    tasks = texts(named, "tasks")
    if not tasks or len(set(tasks)) < len(tasks):
        refuse("a space needs tasks, each with a name of its own")
    space = Space(tasks)
    for one in of_type(conditions, list, "conditions"):
        space = space.with_condition(read_condition(one, tasks))
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
    tasks: Sequence[str],
    rows: Sequence[Row],
    multipliers: Numbers,
    *,
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
    left: dict[str, list[Fraction]] = {task: [] for task in tasks}
    used: dict[str, list[Fraction]] = {name: [] for name in auxiliaries or {}}
    right = [least * factor for factor in factors]
    for place, (row, factor) in enumerate(zip(rows, multipliers, strict=True), start=1):
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
    led = column_sums(duels, factors, len(tasks))
    costs = [ZERO] * len(tasks) if objective is None else objective
    reduced = [cost - total(left[task]) - lead for task, cost, lead in zip(tasks, costs, led, strict=True)]
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
    reduced, right = reduced_costs(space.tasks, space.rows, multipliers, objective=objective, sense=-1)
    ensure_bound(reduced, right, bound, sense=-1)


# prospect, prospects: can a model win?


class Prospect(NamedTuple):
    """What was proved of a model's prospect."""

    model: str
    rivals: tuple[str, ...]
    space: Space
    lower: Fraction
    upper: Fraction
    verdict: str
    weights: list[Fraction]
    believed: tuple[str, ...]


def verdict_between(lower: Fraction, upper: Fraction) -> str:
    """Return the verdict that bounds of the margin prove."""
    ensure(lower <= upper, f"the margin cannot lie between {lower} and {upper}")
    proved = "strict" if lower > 0 else "never" if upper < 0 else "weak" if lower == 0 == upper else None
    ensure(proved, f"a margin between {lower} and {upper} proves no verdict")
    return str(proved)


def check_least_lead(signs: Rows, rivals: Sequence[str], weights: Numbers, least: Fraction) -> None:
    """Ensure that the least lead under weights is just this."""
    for rival, lead in zip(rivals, leads(signs, weights), strict=True):
        ensure(lead >= least, f"the lead over {rival!r} is {lead}, below {least}")
    found = min(leads(signs, weights))
    ensure(found == least, f"the least lead is {found}, not {least}")


def check_form(model: str, rivals: Sequence[str]) -> None:
    """Ensure that a model has rivals, each once, and is none of them."""
    ensure(rivals and len(set(rivals)) == len(rivals), "the rivals must be some, each with a name of its own")
    ensure(model not in rivals, f"{model!r} is among its own rivals")


def check_prospect(document: Any, model: str, written: Any, table: Table | None) -> Prospect:
    """Check a prospect without its kind, model and signs, which are handed over: several share them."""
    names = "verdict lower upper weights blockers multipliers space fewest"
    verdict, low, high, weighted, blocked, multiplied, spaced, fewest = parts(document, names, "a prospect")
    space, lower, upper = read_space(spaced), number(low, "lower"), number(high, "upper")
    weights = numbers_of(weighted, space.tasks, "weights")
    blockers, multipliers = numbers(blocked, "blockers"), listed_numbers(multiplied, "multipliers", len(space.rows))
    rivals = tuple(blockers)
    check_form(model, rivals)
    signs = read_signs(written, len(rivals), len(space.tasks))
    ensure_signs(table, model, rivals, space.tasks, signs)
    check_weights(space, weights)
    check_least_lead(signs, rivals, weights, lower)
    check_mixture(space, signs, list(blockers.values()), multipliers, upper)
    proved = verdict_between(lower, upper)
    ensure(verdict == proved, f"the bounds {lower} and {upper} prove {proved!r}, not {shown(verdict)}")
    believed = () if fewest is None else check_fewest(fewest, signs, rivals, space)
    return Prospect(model, rivals, space, lower, upper, proved, weights, believed)


def check_fewest(document: Any, signs: Rows, rivals: Sequence[str], space: Space) -> tuple[str, ...]:
    """Ensure that a few rivals block; return what is believed of there being no fewer."""
    blocked, multiplied, limit, proof, solver = parts(document, "blockers multipliers bound proof solver", "fewest")
    shares, bound = numbers(blocked, "fewest blockers"), number(limit, "bound")
    ensure(bound <= 0, f"the fewest blockers prove only a margin of at most {bound}")
    ensure(shares and min(shares.values()) > 0, "each of the fewest blockers needs a positive share")
    ensure(set(shares) <= set(rivals), "one of the fewest blockers is no rival")
    rows = [signs[rivals.index(name)] for name in shares]
    check_mixture(space, rows, list(shares.values()), listed_numbers(multiplied, "multipliers", len(space.rows)), bound)
    alone = [rival for rival, row in zip(rivals, signs, strict=True) if max(row) <= 0]
    ensure(len(shares) == 1 or not alone, f"{alone[:1]} blocks alone, so {len(shares)} blockers are not the fewest")
    checkable = len(shares) == 1 or (len(shares) <= 3 and not space.conditions)
    if checkable and len(shares) == 3:
        # A mixture of two rows is nowhere positive only if each -1 faces the other's 1: then equal shares will do.
        for place, one in enumerate(signs):
            for other in signs[:place]:
                pair = all(mine + theirs <= 0 for mine, theirs in zip(one, other, strict=True))
                ensure(not pair, "two rivals block, so 3 blockers are not the fewest")
    ensure(
        proof == ("exact" if checkable else "exact_witness"), f"the proof of the fewest blockers is not {shown(proof)}"
    )
    ensure((solver is None) == checkable, "a solver is named where its bound is relied on")
    if checkable:
        return ()
    return (f"that no fewer than {len(shares)} rivals block rests on the bound of {known_solver(solver)}",)


SAID = {"strict": "can win every duel", "weak": "can tie at best", "never": "can never win"}


def prospect(document: dict[str, Any], table: Table | None) -> Finding:
    """Check whether one model can win."""
    rest = {name: value for name, value in document.items() if name not in {"kind", "model", "signs"}}
    model, written = (document.get(name) for name in ("model", "signs"))
    found = check_prospect(rest, of_type(model, str, "model"), written, table)
    said = f"{model} {SAID[found.verdict]}; its margin lies between {found.lower} and {found.upper}."
    return Finding(f"{said}{found.space}", found.believed)


def prospects(document: dict[str, Any], table: Table | None) -> Finding:
    """Check whether each model can win."""
    _, written, spaced, listed = parts(document, "kind signs space prospects", "prospects")
    signs, space = read_places(written, table), read_space(spaced)
    ensure(space.tasks == signs.tasks, "the tasks of the space are not those of the signs, in order")
    names = "model verdict lower upper weights blockers multipliers"
    entries = [parts(one, names, "a prospect") for one in of_type(listed, list, "prospects")]
    ensure([one[0] for one in entries] == list(signs.models), "there must be one prospect a model, in order")
    counts = dict.fromkeys(SAID, 0)
    for model, verdict, low, high, weighted, blocked, multiplied in entries:
        rivals = signs.rivals(model)
        rows = signs.rows(model, rivals, signs.tasks)
        weights, shares = numbers_of(weighted, space.tasks, "weights"), numbers_of(blocked, rivals, "blockers")
        lower, upper = number(low, "lower"), number(high, "upper")
        try:
            check_weights(space, weights)
            check_least_lead(rows, rivals, weights, lower)
            check_mixture(space, rows, shares, listed_numbers(multiplied, "multipliers", len(space.rows)), upper)
            proved = verdict_between(lower, upper)
            ensure(proved == verdict, f"the bounds {lower} and {upper} prove {proved!r}, not {shown(verdict)}")
        except FalseClaimError as error:
            raise FalseClaimError(f"{model!r}: {error}") from None
        counts[proved] += 1
    told = ", ".join(f"{count} {SAID[verdict]}" for verdict, count in counts.items())
    return Finding(f"of {len(entries)} models {told}.{space}")


# contradiction: conditions that no weights meet together.


def contradiction(document: dict[str, Any], table: Table | None) -> Finding:
    """Check that conditions contradict each other, and that none of them can be spared (Farkas' lemma)."""
    _, spaced, multiplied, added, gained, spared = parts(
        document, "kind space multipliers total gap without", "a contradiction"
    )
    space = read_space(spaced)
    if table is not None:
        ensure_names("task", space.tasks, table.scores.tasks)
    summed, gap = number(added, "total"), number(gained, "gap")
    reduced, right = reduced_costs(space.tasks, space.rows, listed_numbers(multiplied, "multipliers", len(space.rows)))
    for task, cost in zip(space.tasks, reduced, strict=True):
        ensure(summed <= cost, f"the left-hand sides add up to {summed - cost} > 0 for the weight of {task!r}")
    ensure(right + summed == gap, f"the right-hand sides add up to {right + summed}, not to {gap}")
    ensure(gap > 0, f"the right-hand sides add up to {gap}, which is no contradiction")
    count = len(space.conditions)
    ensure(len(of_type(spared, list, "without")) == count, "there must be weights for each condition left out")
    for place, one in enumerate(spared):
        check_weights(space.without(place), numbers_of(one, space.tasks, "without"))
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


def read_objective(document: Any, tasks: Sequence[str]) -> Objective:
    """Return an objective over the weights of these tasks, in one of its three forms."""
    if "norm" in of_type(document, dict, "an objective"):
        centre, norm, todays = parts(document, "centre norm todays", "an objective")
        shares = numbers(centre, "centre")
        ensure(norm in NORMS, f"{shown(norm)} is no norm")
        ensure(tuple(shares) == tuple(tasks) and is_weighting(shares.values()), "the centre is no weighting")
        return Objective(norm, shares, todays=of_type(todays, bool, "todays"))
    if "goal" in document:
        listed, goal = parts(document, "tasks goal", "an objective")
        named = texts(listed, "tasks")
        ensure(goal in ("minimise", "maximise"), f"{shown(goal)} is no goal")
        ensure(named and named == tuple(task for task in tasks if task in named), "the objective has other tasks")
        return Objective("weight", dict.fromkeys(named, ONE), 1 if goal == "minimise" else -1)
    (listed,) = parts(document, "tasks", "an objective")
    ensure(texts(listed, "tasks") == tuple(tasks), "the objective has other tasks")
    return Objective("largest", dict.fromkeys(tasks, ZERO))


class Region(NamedTuple):
    """Weights of any of some spaces with leads of at least ``least``."""

    spaces: tuple[Space, ...]
    least: Fraction


class Duels(NamedTuple):
    """A model's signs over its rivals."""

    model: str
    rivals: tuple[str, ...]
    signs: Rows
    written: Any


class Stage(NamedTuple):
    """An objective that was served: its optimum, what any weights miss it by, and the weights that attain it."""

    objective: Objective | None
    value: Fraction
    missed: Callable[[dict[str, Fraction]], Fraction]
    region: Region
    words: str
    believed: tuple[str, ...] = ()


def check_optimum(document: Any, duels: Duels, space: Space, least: Fraction) -> tuple[Objective, Fraction]:
    """Check the optimum of a linear objective over weights of a space that lead every rival by ``least``."""
    names = "objective least value weights duel_multipliers multipliers"
    asked, led, best, weighted, beaten, multiplied = parts(document, names, "an optimum")
    objective, value = read_objective(asked, space.tasks), number(best, "value")
    ensure(number(led, "least") == least, f"the optimum is over leads of {shown(led)}, not {least}")
    weights = numbers_along(weighted, space.tasks, "weights")
    check_weights(space, weights)
    for rival, lead in zip(duels.rivals, leads(duels.signs, weights), strict=True):
        ensure(lead >= least, f"the lead over {rival!r} is {lead}, below {least}")
    found = objective.value(dict(zip(space.tasks, weights, strict=True)))
    ensure(found == value, f"the {objective} is {found}, not {value}")
    own, costs = objective.program()
    rows, way = (*space.rows, *own), objective.sign if objective.form == "weight" else 0
    reduced, right = reduced_costs(
        space.tasks,
        rows,
        listed_numbers(multiplied, "multipliers", len(rows)),
        objective=[Fraction(way if task in objective.tasks else 0) for task in space.tasks],
        auxiliaries=costs,
        duels=duels.signs,
        factors=numbers_along(beaten, duels.rivals, "duel_multipliers"),
        least=least,
    )
    ensure_bound(reduced, right, objective.sign * value)
    return objective, value


def linear_stage(listed: Any, duels: Duels, region: Region) -> Stage:
    """Check an objective made small or large in each space of a region."""
    found = [
        check_optimum(one, duels, space, region.least)
        for one, space in zip(paired(listed, region), region.spaces, strict=True)
    ]
    objective = found[0][0]
    ensure(all(one == objective for one, _ in found), "the optima are of different objectives")
    value = (min if objective.sign > 0 else max)(value for _, value in found)
    left = [space for (_, own), space in zip(found, region.spaces, strict=True) if own == value]
    for cut in objective.no_worse_than(value):
        left = [space.with_condition(cut) for space in left]
    words = f"{'least' if objective.sign > 0 else 'greatest'} {objective} {value}"
    missed = lambda weights: objective.sign * (objective.value(weights) - value)  # noqa: E731
    return Stage(objective, value, missed, Region(tuple(left), region.least), words)


def margin_stage(listed: Any, duels: Duels, region: Region) -> Stage:
    """Check the least lead made large in each space of a region."""
    found = [prospect_in(one, duels, space) for one, space in zip(paired(listed, region), region.spaces, strict=True)]
    for one in found:
        ensure(one.lower == one.upper, f"only bounds of the margin are known: {one.lower} and {one.upper}")
    value = max(one.lower for one in found)
    ensure(value >= region.least, f"the margin is {value}, below {region.least}")
    left = tuple(one.space for one in found if one.lower == value)
    missed = lambda weights: value - min(leads(duels.signs, list(weights.values())))  # noqa: E731
    believed = tuple(text for one in found for text in one.believed)
    return Stage(None, value, missed, Region(left, value), f"greatest margin {value}", believed)


def prospect_in(document: Any, duels: Duels, space: Space) -> Prospect:
    """Check that a prospect is the model's over a space."""
    found = check_prospect(document, duels.model, duels.written, None)
    ensure(found.space[:2] == space[:2], "a prospect is about other weights than those that serve the objectives")
    ensure(found.rivals == duels.rivals, "a prospect has other rivals")
    return found


def paired(listed: Any, region: Region) -> list[Any]:
    """Return a list with one part a space."""
    ensure(len(of_type(listed, list, "a stage")) == len(region.spaces), "there must be one proof a space")
    return list(listed)


def check_stage(document: Any, duels: Duels, region: Region) -> Stage:
    """Check one stage of a scenario."""
    kinds = {"optima": linear_stage, "prospects": margin_stage}
    (name, listed), *more = of_type(document, dict, "a stage").items() or refuse("a stage is empty")
    if name in {"found", "strictly"}:
        raise NotCheckedError("the fewest tasks are not checked here")
    return refuse(f"a stage has {shown(name)}") if more or name not in kinds else kinds[name](listed, duels, region)


class Scenario(NamedTuple):
    """What was proved of a scenario."""

    duels: Duels
    space: Space
    margin: Fraction
    stages: list[Stage]
    is_strict: bool
    attained: bool
    believed: tuple[str, ...]


def check_scenario(document: Any, table: Table | None) -> Scenario:
    """Check the optimum of every stage, that none is better, and whether strict wins attain them."""
    names = "kind model margin stages ends chosen signs space strict_weights slacks"
    kind, model, led, listed, ends, chosen, written, spaced, strict, slacks = parts(document, names, "a scenario")
    ensure(kind == "scenario", f"{shown(kind)} is no scenario")
    space, margin = read_space(spaced), number(led, "margin")
    ensure(margin >= 0, f"a margin of {margin} is no win")
    first = of_type(ends, list, "ends")[0] if ends else refuse("a scenario needs an end")
    rivals = tuple(of_type(of_type(first, dict, "an end").get("blockers"), dict, "blockers"))
    check_form(of_type(model, str, "model"), rivals)
    duels = Duels(model, rivals, read_signs(written, len(rivals), len(space.tasks)), written)
    ensure_signs(table, model, rivals, space.tasks, duels.signs)
    region, stages = Region((space,), margin), []
    for one in of_type(listed, list, "stages"):
        stages.append(check_stage(one, duels, region))
        region = stages[-1].region
    ensure(stages, "there is no objective")
    for stage in stages:
        if stage.objective is not None and stage.objective.todays:
            check_today(table, space.tasks, list(stage.objective.tasks.values()))
    found = [prospect_in(one, duels, own) for one, own in zip(paired(ends, region), region.spaces, strict=True)]
    for end in found:
        ensure(end.lower >= region.least, f"the least lead of optimal weights is {end.lower}, below {region.least}")
    ensure(0 <= integer(chosen, "chosen") < len(found), f"there is no end {chosen}")
    attained = found[chosen].verdict == "strict"
    passed = not attained and any(end.verdict == "strict" for end in found)
    ensure(not passed, "optimal weights that win strictly were passed over")
    check_strict(strict, slacks, duels, space, stages, attained=attained, margin=margin)
    believed = tuple(
        text for own in (*(one.believed for one in stages), *(one.believed for one in found)) for text in own
    )
    return Scenario(duels, space, margin, stages, strict is not None, attained, believed)


def check_strict(
    strict: Any,
    slacks: Any,
    duels: Duels,
    space: Space,
    stages: Sequence[Stage],
    *,
    attained: bool,
    margin: Fraction,
) -> None:
    """Ensure that the strict weights win every duel, and miss the optima by the slacks."""
    ensure((strict is None) == (slacks is None), "strict weights and slacks belong together")
    if strict is None:
        ensure(not attained, "strict weights attain the optimum, but none are given")
        return
    missed = listed_numbers(slacks, "slacks", len(stages))
    first = next((one for one in missed if one), ZERO)
    ensure(first >= 0 and not (attained and first), f"the strict weights miss an optimum by {first}")
    weights = numbers_of(strict, space.tasks, "strict_weights")
    check_weights(space, weights)
    least = min(leads(duels.signs, weights))
    ensure(least > 0 and least >= margin, f"the strict weights win a duel only by {least}")
    for stage, slack in zip(stages, missed, strict=True):
        found = stage.missed(dict(zip(space.tasks, weights, strict=True)))
        ensure(found == slack, f"the strict weights miss the {stage.words} by {found}, not {slack}")


def scenario(document: dict[str, Any], table: Table | None) -> Finding:
    """Check the best winning weights."""
    found = check_scenario(document, table)
    wins = "wins" if found.attained else "loses to nobody"
    optima = ", then ".join(stage.words for stage in found.stages)
    return Finding(f"{found.duels.model} {wins} with {optima}.{found.space}", found.believed)


# weight_ranges: how much each task must and may weigh.


def weight_ranges(document: dict[str, Any], table: Table | None) -> Finding:
    """Check the least and the most weight of each task and group among weights under which a model wins."""
    names = "kind model margin ranges rivals signs space"
    _, model, led, listed, against, written, spaced = parts(document, names, "weight_ranges")
    space, margin, rivals = read_space(spaced), number(led, "margin"), texts(against, "rivals")
    check_form(of_type(model, str, "model"), rivals)
    ensure(margin >= 0, f"a margin of {margin} is no win")
    duels = Duels(model, rivals, read_signs(written, len(rivals), len(space.tasks)), written)
    ensure_signs(table, model, rivals, space.tasks, duels.signs)
    ranges = [parts(one, "name is_group least most", "a range") for one in of_type(listed, list, "ranges")]
    for _, is_group, _, _ in ranges:
        of_type(is_group, bool, "is_group")
    tasks = [name for name, is_group, _, _ in ranges if not is_group]
    ensure(tasks == list(space.tasks), "the ranges are not those of the tasks, in order")
    ensure(not any(is_group for _, is_group, _, _ in ranges[: len(tasks)]), "the ranges of groups do not come last")
    groups = [of_type(name, str, "name") for name, _, _, _ in ranges[len(tasks) :]]
    ensure(len(set(groups)) == len(groups), "a group occurs twice")
    for name, is_group, least, most in ranges:
        meant = {
            check_extreme(least, "minimise", duels, space, margin),
            check_extreme(most, "maximise", duels, space, margin),
        }
        ensure(len(meant) == 1, f"{name}: least and most are about other tasks")
        own = (name,) if not is_group else table.groups.get(name) if table is not None else None
        ensure(own is None or set(own) == set(*meant), f"{name} stands for other tasks")
    open_groups = [name for name in groups if table is None or name not in table.groups]
    believed = (f"which tasks {', '.join(open_groups)} stand for",) if open_groups else ()
    return Finding(f"what each of {len(tasks)} tasks must and may weigh for {model} to win.{space}", believed)


def check_extreme(document: Any, sense: str, duels: Duels, space: Space, margin: Fraction) -> tuple[str, ...]:
    """Check the least or the most weight of some tasks together; return the tasks."""
    names = "tasks sense least value weights duel_multipliers multipliers"
    named, found, led, best, weighted, beaten, multiplied = parts(document, names, "an extreme")
    tasks, value = texts(named, "tasks"), number(best, "value")
    ensure(tasks and tasks == tuple(one for one in space.tasks if one in tasks), f"{tasks} are unknown tasks, or none")
    ensure(found == sense, "the least weight and the most are exchanged")
    ensure(number(led, "least") == margin, f"the leads are not at least {margin}")
    weights, factors = numbers_of(weighted, space.tasks, "weights"), numbers(beaten, "duel_multipliers")
    ensure(set(factors) <= set(duels.rivals) and all(factors.values()), "a multiplier of a duel is 0, or of no rival")
    check_weights(space, weights)
    weight = total(weight for task, weight in zip(space.tasks, weights, strict=True) if task in tasks)
    ensure(weight == value, f"the weight of {' + '.join(tasks)} is {weight}, not {value}")
    lead = min(leads(duels.signs, weights))
    ensure(lead >= margin, f"the least lead is {lead}, below {margin}")
    # Where no duel takes part in the proof, strict wins are said to attain the extreme: the weights must show it.
    ensure(lead > 0 or factors, f"the extreme is not attained by a strict win: the least lead is {lead}")
    way = 1 if sense == "minimise" else -1
    reduced, right = reduced_costs(
        space.tasks,
        space.rows,
        listed_numbers(multiplied, "multipliers", len(space.rows)),
        objective=[Fraction(way * (task in tasks)) for task in space.tasks],
        duels=[duels.signs[duels.rivals.index(name)] for name in factors],
        factors=list(factors.values()),
        least=margin,
    )
    ensure_bound(reduced, right, way * value)
    return tasks


# realisation: can these duels all be won?


def realisation(document: dict[str, Any], table: Table | None) -> Finding:
    """Check the widest margin over some duels."""
    names = "kind verdict duels wanted margin weights blockers multipliers signs space"
    _, verdict, listed, lead, wide, weighted, mixed, multiplied, written, spaced = parts(
        document, names, "a realisation"
    )
    space, margin = read_space(spaced), number(wide, "margin")
    duels = [texts(one, "a duel") for one in of_type(listed, list, "duels")]
    pairs = all(len(one) == 2 and one[0] != one[1] for one in duels)
    ensure(duels and pairs and len(set(duels)) == len(duels), "the duels must be distinct pairs of models")
    ensure(number(lead, "wanted") >= 0, f"a lead of {shown(lead)} is no win")
    signs = read_signs(written, len(duels), len(space.tasks))
    for (model, rival), row in zip(duels, signs, strict=True):
        ensure_signs(table, model, [rival], space.tasks, [row], some=True)
    weights = numbers_of(weighted, space.tasks, "weights")
    check_weights(space, weights)
    check_least_lead(signs, [" over ".join(one) for one in duels], weights, margin)
    multipliers = listed_numbers(multiplied, "multipliers", len(space.rows))
    check_mixture(space, signs, listed_numbers(mixed, "blockers", len(duels)), multipliers, margin)
    proved = verdict_between(margin, margin)
    ensure(verdict == proved, f"a margin of {margin} proves {proved!r}, not {shown(verdict)}")
    return Finding(f"the best possible smallest lead in {len(duels)} duels together is {margin}.{space}")


# duels: who beats whom under all, some, no weights?


def duels(document: dict[str, Any], table: Table | None) -> Finding:
    """Check the greatest margin of every model over every other; the least is what the other's greatest leaves."""
    _, written, spaced, bounds = parts(document, "kind signs space bounds", "duels")
    signs, space = read_places(written, table), read_space(spaced)
    ensure(space.tasks == signs.tasks, "the tasks of the space are not those of the signs, in order")
    names, size = "greatest weights attained multipliers bounded", len(signs.models)
    most, weighted, attaining, multiplied, bounding = parts(bounds, names, "bounds")
    greatest = read_squares(most, size, "greatest", number)
    attained, bounded = (read_squares(one, size, "bounds", integer) for one in (attaining, bounding))
    points = [listed_numbers(one, "weights", len(space.tasks)) for one in of_type(weighted, list, "weights")]
    prices = [listed_numbers(one, "multipliers", len(space.rows)) for one in of_type(multiplied, list, "multipliers")]
    for used, known in ((attained, points), (bounded, prices)):
        ensure(
            all(0 <= one < len(known) for row in used for one in row), "weights or multipliers are named that are not"
        )
    for one in points:
        check_weights(space, one)
    left = [reduced_costs(space.tasks, space.rows, one, sense=-1) for one in prices]
    index = {name: place for place, name in enumerate(signs.models)}
    for place, model in enumerate(signs.models):
        ensure(greatest[place][place] == 0, f"{model!r} cannot lead itself by {greatest[place][place]}")
        for rival, row in zip(signs.rivals(model), signs.rows(model, signs.rivals(model), signs.tasks), strict=True):
            at = index[rival]
            claimed, (reduced, right) = greatest[place][at], left[bounded[place][at]]
            (lead,) = leads([row], points[attained[place][at]])
            ensure(lead == claimed, f"the weights make {model!r} lead {rival!r} by {lead}, not {claimed}")
            limit = max(one + cost for one, cost in zip(row, reduced, strict=True)) + right
            ensure(limit == claimed, f"the multipliers let {model!r} lead {rival!r} by {limit}, not {claimed}")
    return Finding(f"the least and the greatest margin of each pair of {size} models.{space}")


# stability, broken_cycle: how far must weights move?


def distance(norm: str, weights: Numbers, centre: Numbers) -> Fraction:
    """Return how far two weightings are apart: the sum of all changes, or the largest."""
    changes = [abs(one - other) for one, other in zip(weights, centre, strict=True)]
    return total(changes) if norm == "l1" else max(changes)


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


def ensure_distance(
    norm: str,
    space: Space,
    multipliers: Numbers,
    signs: Rows,
    factors: Numbers,
    *,
    centre: Numbers,
    level: Fraction,
    bound: Fraction,
) -> None:
    """Ensure that all weights of a space that lead nowhere below 0 in some rows are so far from the centre."""
    ensure(norm != "l1" or not level, "a sum of changes has no level")
    reduced, right = reduced_costs(space.tasks, space.rows, multipliers, duels=signs, factors=factors)
    least = least_with_distance(norm, reduced, centre, level)
    proved = None if least is None else least + right
    ensure(proved == bound, f"the multipliers prove a distance of {proved}, not {bound}")


def check_today(table: Table | None, tasks: Sequence[str], weights: Numbers) -> None:
    """Ensure that weights are shares, and today's of the table."""
    check_weights(Space(tuple(tasks)), weights)
    for task, weight in zip(tasks, weights, strict=True):
        own = weight if table is None else table.shares[task]
        ensure(weight == own, f"today's weight of {task!r} is {own} in the table, not {weight}")


def stability(document: dict[str, Any], table: Table | None) -> Finding:
    """Check for each rival the least lead, and the nearest weights at which there is none."""
    names = "kind model weights rivals signs space reversals"
    _, model, weighted, against, written, spaced, reversals = parts(document, names, "stability")
    space, rivals = read_space(spaced), texts(against, "rivals")
    check_form(of_type(model, str, "model"), rivals)
    signs = read_signs(written, len(rivals), len(space.tasks))
    ensure_signs(table, model, rivals, space.tasks, signs)
    today = numbers_of(weighted, space.tasks, "weights")
    check_today(table, space.tasks, today)
    for rival, lead in zip(rivals, leads(signs, today), strict=True):
        ensure(lead > 0, f"{model!r} does not win today: its lead over {rival!r} is {lead}")
    centre, leasts, points = parts(reversals, "centre least points", "reversals")
    centred = listed_numbers(centre, "centre", len(today)) == today
    ensure(centred, "changes are not counted from today's weights")
    norms = of_type(points, dict, "points")
    ensure(norms and set(norms) <= {"l1", "linf"}, "distances must be by the norms l1 or linf")
    sizes = {len(of_type(one, list, "reversals")) for one in (leasts, *norms.values())}
    ensure(sizes == {len(rivals)}, "there must be one least lead and one reversal a rival")
    radii: dict[str, list[Fraction]] = {norm: [] for norm in norms}
    for place, row in enumerate(signs):
        least = check_least_total(leasts[place], row, space)
        for norm, listed in norms.items():
            if listed[place] is None:
                ensure(least > 0, f"{rivals[place]!r} can draw level, but no weights are given at which it does")
            else:
                radii[norm].append(check_reversal(listed[place], norm, row, space, centre=today))
    said = " and ".join(f"{min(own, default='any change')} ({norm})" for norm, own in radii.items())
    named = ", ".join(f"{task!r} {share}" for task, share in zip(space.tasks, today, strict=True))
    return Finding(f"{model} is the Condorcet winner until the weights {named} change by {said}.{space}")


def check_least_total(document: Any, row: Sequence[int], space: Space) -> Fraction:
    """Check the least lead over the weights of a space."""
    best, weighted, multiplied = parts(document, "value weights multipliers", "a least lead")
    value, weights = number(best, "value"), listed_numbers(weighted, "weights", len(space.tasks))
    check_weights(space, weights)
    (found,) = leads([row], weights)
    ensure(found == value, f"the lead is {found}, not {value}")
    multipliers = listed_numbers(multiplied, "multipliers", len(space.rows))
    reduced, right = reduced_costs(space.tasks, space.rows, multipliers, objective=list(map(Fraction, row)))
    ensure_bound(reduced, right, value)
    return value


def check_reversal(document: Any, norm: str, row: Sequence[int], space: Space, *, centre: Numbers) -> Fraction:
    """Check the weights nearest to the centre at which a lead is 0 or less."""
    best, weighted, factor, level, multiplied = parts(document, "value weights factor level multipliers", "a reversal")
    value, weights = number(best, "value"), listed_numbers(weighted, "weights", len(space.tasks))
    check_weights(space, weights)
    (found,) = leads([row], weights)
    ensure(found <= 0, f"the lead is {found}, still positive")
    far = distance(norm, weights, centre)
    ensure(far == value, f"the distance is {far}, not {value}")
    multipliers = listed_numbers(multiplied, "multipliers", len(space.rows))
    turned, factors = [[-one for one in row]], [number(factor, "factor")]
    ensure_distance(norm, space, multipliers, turned, factors, centre=centre, level=number(level, "level"), bound=value)
    return value


def broken_cycle(document: dict[str, Any], table: Table | None) -> Finding:
    """Check the nearest weights with a Condorcet winner, and that every other model is farther away."""
    names = "kind value signs weights norm space nearest others"
    _, best, written, weighted, norm, spaced, nearest, others = parts(document, names, "a broken cycle")
    signs, space, value = read_places(written, table), read_space(spaced), number(best, "value")
    ensure(space.tasks == signs.tasks, "the tasks of the space are not those of the signs, in order")
    today = numbers_of(weighted, space.tasks, "weights")
    check_today(table, space.tasks, today)
    if norm not in ("l1", "linf"):
        refuse(f"{shown(norm)} is no norm")
    objective = Objective(norm, dict(zip(space.tasks, today, strict=True)))
    told: list[str] = []
    believed: list[str] = []
    for one in of_type(nearest, list, "nearest") or refuse("nobody is said to win"):
        model = of_type(one, dict, "nearest").get("model")
        ensure(model in signs.models and "signs" not in one, f"{shown(model)} is no model, or has signs of its own")
        rows = signs.rows(model, signs.rivals(model), signs.tasks)
        carried = ["".join("-0+"[number + 1] for number in row) for row in rows]
        found = check_scenario({**one, "signs": carried}, None)
        ensure(found.duels.rivals == signs.rivals(model), f"the rivals of {model!r} are others")
        ensure(found.space[:2] == space[:2], f"{model!r} wins in another space")
        ensure([stage.objective for stage in found.stages] == [objective], f"the weights of {model!r} are not nearest")
        ensure(found.margin == 0 and found.is_strict, f"{model!r} is not shown to win")
        ensure(found.stages[0].value == value, f"{model!r} is {found.stages[0].value} away, not {value}")
        told.append(model)
        believed += found.believed
    told += [check_other(one, norm, signs, space, today=today, value=value) for one in of_type(others, list, "others")]
    ensure(sorted(told) == sorted(signs.models), "every model must be told of once")
    said = f"the nearest weights with a Condorcet winner are {value} away: {objective}.{space}"
    return Finding(said, tuple(believed))


def check_other(document: Any, norm: str, signs: Places, space: Space, *, today: Numbers, value: Fraction) -> str:
    """Check why a model is not the nearest winner: its wins are farther away, or there are none."""
    blocked = "upper" in of_type(document, dict, "others")
    names = "model upper blockers multipliers" if blocked else "model value factors level multipliers"
    model, limit, mixed, *level, multiplied = parts(document, names, "others")
    ensure(model in signs.models, f"{shown(model)} is no model")
    bound, factors = number(limit, "a bound"), numbers(mixed, "multipliers of duels")
    ensure(set(factors) <= set(signs.rivals(model)), f"{model!r}: a multiplier is of no rival")
    rows = signs.rows(model, list(factors), signs.tasks)
    shares, multipliers = list(factors.values()), listed_numbers(multiplied, "multipliers", len(space.rows))
    if blocked:
        ensure(shares, f"{model!r}: nobody blocks")
        check_mixture(space, rows, shares, multipliers, bound)
        ensure(bound <= 0, f"{model!r} is only proved to lead by {bound} at most")
    else:
        at = number(level[0], "level")
        ensure_distance(norm, space, multipliers, rows, shares, centre=today, level=at, bound=bound)
        ensure(bound > value, f"{model!r} is only proved to be {bound} away")
    return str(model)


# Domains: have the rankings a structure?


class Profile(NamedTuple):
    """Rankings: for each voter the rank of each model by name, 1 being the best; unranked models are left out."""

    models: tuple[str, ...]
    ranks: Mapping[str, Mapping[str, int]]
    weights: Mapping[str, Fraction]

    @property
    def is_complete(self) -> bool:
        """Whether every voter ranks every model."""
        return all(len(own) == len(self.models) for own in self.ranks.values())

    @property
    def has_ties(self) -> bool:
        """Whether some voter ranks two models alike."""
        return any(len(set(own.values())) < len(own) for own in self.ranks.values())


def profile_of(table: Table) -> Profile:
    """Return the rankings of a table: a voter a task, with its weight."""
    ranks = {}
    for task, places in table.scores.places.items():
        best = max((place for place in places if place is not None), default=0)
        pairs = zip(table.scores.models, places, strict=True)
        ranks[task] = {model: best + 1 - place for model, place in pairs if place is not None}
    return Profile(table.scores.models, ranks, table.weights)


def read_profile(document: Any, left_out: Any, table: Table | None) -> Profile:
    """Return the rankings that were tested: the table's without voters of weight 0, or a breaking of its ties."""
    named, listed, weighted = parts(document, "models ranks weights", "a profile")
    models, weights = texts(named, "models"), numbers(weighted, "weights")
    ranks = {}
    for voter, places in of_type(listed, dict, "ranks").items():
        ensure(len(of_type(places, list, "ranks")) == len(models), f"voter {voter!r} needs a rank for each model")
        pairs = zip(models, (integer(place, "ranks") for place in places), strict=True)
        ranks[voter] = {model: place for model, place in pairs if place}
        dense = set(range(1, len(set(ranks[voter].values())) + 1))
        ensure(set(ranks[voter].values()) == dense, f"the ranks of voter {voter!r} leave one out")
    ensure(models and ranks and len(set(models)) == len(models), "there must be voters, and models each named once")
    ensure(set(weights) <= set(ranks) and all(one > 0 for one in weights.values()), "a tested voter has no weight")
    own = Profile(models, ranks, {voter: weights.get(voter, ONE) for voter in ranks})
    if table is not None:
        ensure_rankings(own, texts(left_out, "left_out"), profile_of(table))
    return own


def ensure_rankings(own: Profile, left_out: Sequence[str], source: Profile) -> None:
    """Ensure that rankings are those of a table, or a breaking of its ties."""
    ensure_names("voter of weight 0", left_out, [voter for voter, weight in source.weights.items() if not weight])
    ensure_names("model", own.models, source.models)
    ensure_names("voter", list(own.ranks), [voter for voter, weight in source.weights.items() if weight])
    for voter, ranks in own.ranks.items():
        weight, given = source.weights[voter], source.ranks[voter]
        ensure(weight == own.weights[voter], f"the weight of {voter!r} is {weight} in the table")
        order = sorted(ranks, key=lambda model: ranks[model])
        strict = len(set(ranks.values())) == len(ranks) and set(ranks) == set(given)
        along = [given[model] for model in order] if strict else []
        same = ranks == given or (strict and along == sorted(along))
        ensure(same, f"voter {voter!r} ranks otherwise in the table")


PATTERNS: dict[str, tuple[int, int, Callable[[list[list[int]]], bool]]] = {
    "three_worst": (3, 3, lambda ranks: all(max(row) == row[one] for one, row in enumerate(ranks))),
    "three_best": (3, 3, lambda ranks: all(min(row) == row[one] for one, row in enumerate(ranks))),
    "three_middle": (3, 3, lambda ranks: all(sorted(row)[1] == row[one] for one, row in enumerate(ranks))),
    "opposed_below": (2, 4, lambda ranks: is_opposed(*ranks)),
    "opposed_above": (2, 4, lambda ranks: is_opposed(*([-row[one] for one in (2, 1, 0, 3)] for row in ranks))),
    "crossed": (2, 4, lambda ranks: is_crossed(*ranks)),
}
"""For each forbidden sub-profile the numbers of voters and of models, and whether ranks, a voter a row, show it."""


def is_opposed(one: Sequence[int], other: Sequence[int]) -> bool:
    """Tell whether two voters rank a > b > c and c > b > a, and both d above b."""
    ordered = one[0] < one[1] < one[2] and other[2] < other[1] < other[0]
    return ordered and one[3] < one[1] and other[3] < other[1]


def is_crossed(one: Sequence[int], other: Sequence[int]) -> bool:
    """Tell whether one voter ranks a > b > c > d and the other b > d > a > c."""
    return one[0] < one[1] < one[2] < one[3] and other[1] < other[3] < other[0] < other[2]


def check_forbidden(document: Any, own: Profile, allowed: set[str]) -> None:
    """Ensure that some voters rank some models as the domain forbids."""
    pattern, roles, voters, orders = parts(document, "pattern roles voters orders", "a witness")
    ensure(pattern in allowed, f"the pattern {shown(pattern)} is not forbidden here")
    count, size, shows = PATTERNS[pattern]
    models, named = texts(roles, "roles"), texts(voters, "voters")
    ensure(len(models) == len(set(models)) == size and set(models) <= set(own.models), "the models do not fit")
    ensure(len(named) == len(set(named)) == count and set(named) <= set(own.ranks), "the voters do not fit")
    listed = [
        [texts(place, "orders") for place in of_type(one, list, "orders")] for one in of_type(orders, list, "orders")
    ]
    ensure(len(listed) == count, "an order is missing")
    for voter, order in zip(named, listed, strict=True):
        ranked = sorted(models, key=lambda model, ranks=own.ranks[voter]: ranks.get(model, 0))  # type: ignore[misc]
        ensure(order == [(model,) for model in ranked], f"voter {voter!r} ranks otherwise")
        ensure(len({own.ranks[voter].get(model) for model in models} - {None}) == size, f"voter {voter!r} ties some")
    ensure(shows([[own.ranks[voter][model] for model in models] for voter in named]), f"this does not show {pattern}")


def single_peaked(document: dict[str, Any], table: Table | None) -> Finding:
    """Check an axis, or why there is none."""
    kind, holds, written, left_out, axis, witness, solver = parts(
        document, "kind holds profile left_out axis witness solver", "single_peaked"
    )
    own, upright = read_profile(written, left_out, table), kind == "single_peaked"
    ensure(of_type(holds, bool, "holds") == (axis is not None), "an axis is what the answer yes consists of")
    reasons = (witness is not None) + (solver != "" and bool(known_solver(solver)))
    ensure(reasons == (not holds), "the answer no rests on a witness, or on a solver")
    if axis is not None:
        along = texts(axis, "axis")
        ensure(sorted(along) == sorted(own.models), "the axis is not one of the models")
        for voter, ranks in own.ranks.items():
            ranked = [ranks[model] if upright else -ranks[model] for model in along if model in ranks]
            ensure(has_one_peak(ranked), f"the axis does not fit voter {voter!r}")
        return Finding(f"the rankings are {kind.replace('_', '-')} along the axis given.")
    if solver:
        ensure(not own.is_complete, "rankings of all models without an axis have a witness")
        return Finding("no axis was shown.", (f"that there is none rests on {solver}",))
    if "models" in of_type(witness, dict, "witness"):
        check_clashing(witness, own, lower=not upright)
    elif "pattern" in witness:
        check_forbidden(witness, own, {"three_worst", "opposed_below"} if upright else {"three_best", "opposed_above"})
    else:
        raise NotCheckedError("why no axis fits rankings that leave models out is not checked here")
    return Finding(f"the rankings are not {kind.replace('_', '-')}.")


def has_one_peak(ranks: Sequence[int]) -> bool:
    """Tell whether no model is ranked below one on its left and one on its right."""
    inner = range(1, len(ranks) - 1)
    return not any(min(ranks[:at]) < ranks[at] > min(ranks[at + 1 :]) for at in inner)


def check_clashing(document: Any, own: Profile, *, lower: bool) -> None:
    """Ensure that upper sets of voters are intervals of no common axis, while any smaller selection of them may be."""
    named, listed, below = parts(document, "models rows lower", "a witness")
    models = texts(named, "models")
    ensure(of_type(below, bool, "lower") == lower, "the sets are at the wrong end of the rankings")
    ensure(len(set(models)) == len(models) and set(models) <= set(own.models), "the models do not fit")
    if len(models) ** 2 * (len(models) + len(of_type(listed, list, "rows"))) > MOST_STEPS:
        raise NotCheckedError("the witness is too large to be checked in a short time")
    sets = []
    for one in listed:
        voter, members = of_type(one, list, "rows") if len(of_type(one, list, "rows")) == 2 else refuse("rows: pairs")
        inside = set(texts(members, "rows"))
        ensure(len(inside) == len(members), "a set has a model twice")
        ensure(isinstance(voter, str) and voter in own.ranks, f"{shown(voter)} is no voter")
        ensure(inside and inside < set(models), f"the set of voter {voter!r} is empty, everything or of other models")
        ensure(own.ranks[voter].keys() >= set(models), f"voter {voter!r} does not rank all of the models")
        ranks = {model: own.ranks[voter][model] * (-1 if lower else 1) for model in models}
        apart = max(ranks[model] for model in inside) < min(ranks[model] for model in set(models) - inside)
        ensure(apart, f"voter {voter!r} does not rank the set on one side of the others")
        sets.append(inside)
    ensure(sides_contradict(models, sets), "the sets are intervals of one axis")
    for place in range(len(sets)):
        ensure(not sides_contradict(models, sets[:place] + sets[place + 1 :]), "a set is not needed")
    for model in models:
        rest = [one for one in models if one != model]
        ensure(not sides_contradict(rest, [one - {model} for one in sets]), f"model {model!r} is not needed")


def sides_contradict(models: Sequence[str], sets: Sequence[set[str]]) -> bool:
    """Tell whether sets cannot all be intervals of one axis.

    With a and c in a set and b outside, a and c are on the same side of b. Statements "x is on the left of y" that
    follow from each other are joined; a contradiction joins one with its reverse (McConnell, SODA 2004).
    """
    parent = {(x, y): (x, y) for x in models for y in models if x != y}

    def root(pair: tuple[str, str]) -> tuple[str, str]:
        while parent[pair] != pair:
            parent[pair] = pair = parent[parent[pair]]
        return pair

    for one in filter(None, sets):
        first, *others = (model for model in models if model in one)
        for outside in (model for model in models if model not in one):
            for other in others:
                parent[root((first, outside))] = root((other, outside))
                parent[root((outside, first))] = root((outside, other))
    return any(root((x, y)) == root((y, x)) for x, y in parent)


def group_separable(document: dict[str, Any], table: Table | None) -> Finding:
    """Check that the models can be cut in two again and again, one part above the other for each voter."""
    _, holds, written, left_out, order, cuts, witness = parts(
        document, "kind holds profile left_out order cuts witness", "group_separable"
    )
    own = read_profile(written, left_out, table)
    ensure(own.is_complete and not own.has_ties, "the question is asked of strict rankings of all models")
    yes = of_type(holds, bool, "holds")
    ensure((order is not None) == (cuts is not None) == yes, "an order with cuts is what the answer yes consists of")
    ensure((witness is None) == yes, "a witness is what the answer no rests on")
    if not yes:
        check_forbidden(witness, own, {"three_middle", "crossed"})
        return Finding("the rankings are not group-separable.")
    names = texts(order, "order")
    ensure(sorted(names) == sorted(own.models), "the order is not one of the models")
    uncut = [(0, len(names))]  # depth first, the upper part before the lower one, as the cuts are listed
    for one in of_type(cuts, list, "cuts"):
        start, cut, stop = (
            [integer(place, "cuts") for place in one] if len(of_type(one, list, "cuts")) == 3 else (0, 0, 0)
        )
        while uncut and uncut[-1][1] - uncut[-1][0] < 2:
            uncut.pop()
        ensure(uncut and uncut.pop() == (start, stop) and start < cut < stop, f"the cut {shown(one)} is not the next")
        for voter, ranks in own.ranks.items():
            upper, lower = ([ranks[model] for model in part] for part in (names[start:cut], names[cut:stop]))
            apart = max(upper) < min(lower) or max(lower) < min(upper)
            ensure(apart, f"voter {voter!r} mixes the blocks of the cut {shown(one)}")
        uncut += [(cut, stop), (start, cut)]
    ensure(all(stop - start < 2 for start, stop in uncut), "a block is left uncut")
    return Finding("the rankings are group-separable.")


def distance_restricted(document: dict[str, Any], table: Table | None) -> Finding:
    """Check on how many pairs of models two voters disagree at most."""
    names = "kind holds profile left_out degree largest_distance farthest swapped"
    _, holds, written, left_out, allowed, largest, apart, swapped = parts(document, names, "distance_restricted")
    own, degree = read_profile(written, left_out, table), integer(allowed, "degree")
    ensure(degree >= 0, f"the degree must be 0 or more; got {degree}")
    ensure(own.is_complete and not own.has_ties, "the question is asked of strict rankings of all models")
    voters, models = list(own.ranks), own.models
    pairs = [(x, y) for place, x in enumerate(models) for y in models[:place]]
    bits = [sum((own.ranks[v][x] < own.ranks[v][y]) << at for at, (x, y) in enumerate(pairs)) for v in voters]
    differ = {(one, other): bits[i] ^ bits[j] for i, one in enumerate(voters) for j, other in enumerate(voters)}
    found = max(one.bit_count() for one in differ.values())
    ensure(integer(largest, "largest_distance") == found, f"the largest distance is {found}, not {largest}")
    ensure(of_type(holds, bool, "holds") == (found <= degree), f"a largest distance of {found} says otherwise")
    far = texts(apart, "farthest")
    ensure(set(far) <= set(voters), f"{far} are not both voters")
    ensure(len(far) == min(2, len(voters)) or not found, "two voters must be named")
    ensure(len(far) != 2 or differ[far[0], far[1]].bit_count() == found, f"{far} are not the farthest voters")
    ensure((swapped is not None) == (found == 1), "one pair is swapped exactly if the distance is 1")
    if swapped is not None:
        turned = {one for one in differ.values() if one}
        pair = pairs[turned.pop().bit_length() - 1][::-1] if len(turned) == 1 else ()
        ensure(texts(swapped, "swapped") == pair, "another pair is swapped")
    return Finding(f"any two voters disagree on {found} pairs of models at most.")


# Majorities: cycles, and the orders that contradict least.


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


def read_margins(document: Any, table: Table | None) -> Margins:
    """Return margins, ensuring that they are those of duels, and the table's."""
    named, won, tied, units = parts(document, "models wins ties denominator", "margins")
    models = texts(named, "models")
    wins, ties = (read_squares(one, len(models), "margins", integer) for one in (won, tied))
    ensure(len(set(models)) == len(models) and integer(units, "denominator") > 0, "the margins do not fit the models")
    size = range(len(models))
    ensure(all(one >= 0 for rows in (wins, ties) for row in rows for one in row), "wins and ties must not be negative")
    ensure(all(ties[i][j] == ties[j][i] for i in size for j in size), "ties are not the same from both sides")
    ensure(not any(wins[i][i] or ties[i][i] for i in size), "a model has a duel with itself")
    if table is not None:
        ensure(models == table.scores.models, "the models are not those of the table, in order")
        columns = list(zip(table.scores.places.values(), table.weights.values(), strict=True))
        for i in size:
            for j in size:
                both = [(p[i], p[j], w) for p, w in columns if p[i] is not None and p[j] is not None and i != j]
                for what, carried, own in (
                    ("wins", wins, total(w for one, other, w in both if sign(one, other) > 0)),
                    ("ties", ties, total(w for one, other, w in both if one == other)),
                ):
                    fits = carried[i][j] == own * units
                    ensure(fits, f"the {what} of {models[i]!r} over {models[j]!r} weigh {own} in the table")
    return Margins(models, wins, ties, Fraction(1, units))


def strongest_cycle(document: dict[str, Any], table: Table | None) -> Finding:
    """Check a majority cycle, and that none is stronger: some duel of every cycle runs up the order given."""
    _, named, strong, ordered, written = parts(document, "kind models strength order margins", "a cycle")
    margins, cycle, strength = read_margins(written, table), texts(named, "models"), number(strong, "strength")
    order, at = texts(ordered, "order"), {name: place for place, name in enumerate(margins.models)}
    ensure(len(set(cycle)) == len(cycle) >= 3 and set(cycle) <= set(at), "a cycle has three distinct models or more")
    net = margins.net
    won = [net[at[one]][at[other]] * margins.unit for one, other in zip(cycle, (*cycle[1:], cycle[0]), strict=True)]
    ensure(min(won) == strength > 0, f"the weakest duel of the cycle has margin {min(won)}, not {strength}")
    ensure(sorted(order) == sorted(at), "the order does not hold every model once")
    for place, below in enumerate(order):
        for above in order[:place]:
            margin = net[at[below]][at[above]] * margins.unit
            ensure(
                margin <= strength, f"{below!r} beats {above!r} above it in the order by {margin}, more than {strength}"
            )
    return Finding(f"the majorities have a cycle of {len(cycle)} models; none is stronger than {strength}.")


def majority_overview(document: dict[str, Any], table: Table | None) -> Finding:
    """Check who wins and loses all duels of the table, who loses none, and how many cycles of three there are."""
    names = "kind condorcet_winner condorcet_loser sets triple three_cycles cycle lottery source"
    _, winner, loser, sets, triple, cycles, cycle, _, _ = parts(document, names, "majority_overview")
    if table is None:
        raise NotCheckedError("without a table its duels are not worked out here")
    models, columns = table.scores.models, list(table.scores.places.items())
    beaten = {
        one: {
            other
            for j, other in enumerate(models)
            if total(table.weights[task] * sign(places[i], places[j]) for task, places in columns) > 0
        }
        for i, one in enumerate(models)
    }
    losses = {one: sum(one in own for own in beaten.values()) for one in models}
    most = len(models) - 1
    ensure(winner == next((one for one in models if len(beaten[one]) == most), None), "the Condorcet winner is another")
    ensure(loser == next((one for one in models if losses[one] == most), None), "the Condorcet loser is another")
    weak = texts(of_type(sets, dict, "sets").get("weak_condorcet_winners"), "weak_condorcet_winners")
    ensure(set(weak) == {one for one in models if not losses[one]}, "other models lose no duel")
    paths = [(x, y, z) for x in models for y in beaten[x] for z in beaten[y]]
    intransitive = {(x, y, z) for x, y, z in paths if z not in beaten[x]}
    fits = not intransitive if triple is None else texts(triple, "triple") in intransitive
    ensure(fits, "the intransitive triple is none, or there is one")
    found = sum(x in beaten[z] for x, _, z in paths) // 3
    ensure(integer(cycles, "three_cycles") == found, f"there are {found} cycles of three models")
    ensure(cycle is not None or not found, "there is a cycle")
    told = "no model beats all others" if winner is None else f"{winner} beats all others"
    rest = "the sets besides the winners, the strongest cycle and the lottery"
    return Finding(f"{told}; there are {found} cycles of three models.", (rest,))


SEARCHED = 12
"""Blocks of so many models are settled by dynamic programming over all sets; larger ones by the bound given."""


def median_order(document: dict[str, Any], table: Table | None) -> Finding:
    """Check the cost of an order, and that none costs less (kinds ``kemeny``, ``slater``, ``feedback_arcs``)."""
    kind = document["kind"]
    own = {"kemeny": "tie_penalty", "slater": "", "feedback_arcs": "weighted arcs"}[kind]
    names = f"order cost unique number margins blocks solver {own}"
    rest = {name: value for name, value in document.items() if name != "kind"}
    ordered, priced, unique, count, written, listed, solver, *more = parts(rest, names, kind)
    margins = read_margins(written, table)
    order = [of_type(place, list, "order") for place in of_type(ordered, list, "order")]
    at = {name: place for place, name in enumerate(margins.models)}
    ensure(all(len(place) == 1 and place[0] in at for place in order), "the order has unknown models, or ties")
    places = [at[place[0]] for place in order]
    ensure(sorted(places) == sorted(at.values()), "the order does not hold every model once")
    counted = kind == "slater" or (kind == "feedback_arcs" and not of_type(more[0], bool, "weighted"))
    net = [[(one > 0) - (one < 0) if counted else one for one in row] for row in margins.net]
    below = [(low, high) for at, low in enumerate(places) for high in places[:at]]
    turned = [(low, high) for low, high in below if net[low][high] > 0]
    cost = (ONE if counted else margins.unit) * sum(net[low][high] for low, high in turned)
    if kind == "kemeny":
        penalty = number(more[0], "tie_penalty")
        ensure(penalty >= 0, "the tie penalty is negative")
        cost = margins.unit * sum(margins.wins[low][high] + penalty * margins.ties[low][high] for low, high in below)
    elif kind == "feedback_arcs":
        arcs = sorted((margins.models[low], margins.models[high]) for low, high in turned)
        ensure(sorted(texts(one, "arcs") for one in of_type(more[1], list, "arcs")) == arcs, "the order turns others")
    ensure(number(priced, "cost") == cost, f"the order costs {cost}, not {shown(priced)}")
    found = check_blocks(of_type(listed, list, "blocks"), places, net, solver)
    ensure_count(found.counts, unique, count)
    but = " but for what follows" if found.believed else ""
    return Finding(f"the order costs {cost}, and no order costs less{but}.", found.believed)


def ensure_count(counts: Sequence[int | None], unique: Any, count: Any) -> None:
    """Ensure that so many orders cost as little as is said, where that was worked out."""
    if None not in counts:
        found = math.prod(one or 0 for one in counts)
        ensure(count is None or integer(count, "number") == found, f"{found} orders cost as little")
        ensure(unique is None or of_type(unique, bool, "unique") == (found == 1), f"{found} orders cost as little")


MEANS = {"search", "tilted search", "cost search", "solver"}
"""How the prover settled a block; what it says of the block is worked out anew."""


class Blocks(NamedTuple):
    """How many orders of least cost each block has, None where that was not worked out, and what is believed."""

    counts: list[int | None]
    believed: tuple[str, ...]


def check_blocks(listed: Sequence[Any], places: Sequence[int], net: Sequence[Sequence[int]], solver: Any) -> Blocks:
    """Ensure that blocks make up the order, that each beats all that follow, and that none can be ordered better."""
    counts: list[int | None] = []
    believed: list[str] = []
    start, needs_solver = 0, False
    for document in listed:
        names = "models order cost shared number means triangles turned"
        members, inner, priced, shared, count, means, triangles, turned = parts(document, names, "a block")
        models = [integer(one, "a block") for one in of_type(members, list, "a block")]
        block = places[start : start + len(models)]
        start += len(models)
        small = [[net[one][other] for other in models] for one in models] if models == sorted(set(block)) else []
        ensure(small, "the blocks do not make up the order")
        cost = order_cost(small, inner)
        ensure([models[one] for one in inner] == block, "the blocks do not make up the order")
        beaten = all(net[one][later] > 0 for one in block for later in places[start:])
        ensure(beaten, "a block does not beat all that follow")
        ensure(integer(priced, "cost") == cost, f"a block's order costs {cost}, not {priced}")
        ensure(means in MEANS, f"{shown(means)} proves nothing")
        ensure((count is not None) == (means == "search"), "only a full search counts orders")
        bound = triangle_bound(small, triangles)
        others = [order_cost(small, one) for one in of_type(turned, list, "turned")]
        ensure(not others or (means == "tilted search" and set(others) == {cost}), "an order besides costs more")
        needs_solver = needs_solver or means == "solver"
        if len(models) <= SEARCHED:
            counts.append(check_small_block(small, cost, count, texts(shared, "shared"), means))
            continue
        counts.append(None)
        if bound <= cost - 1 or means == "tilted search":
            whose = solver if means == "solver" else "a search that is not repeated here"
            believed.append(f"that {len(models)} models cannot be ordered below {cost} rests on {whose}")
        believed.append(f"how many orders of {len(models)} models cost as little, and what they share")
    named = solver is not None and known_solver(solver) in SOLVERS
    ensure(needs_solver == named, "the solver named is not the one that was needed")
    ensure(start == len(places), "the blocks do not make up the order")
    return Blocks(counts, tuple(believed))


def order_cost(net: Sequence[Sequence[int]], document: Any) -> int:
    """Return what an order costs, best first: the duels that the lower model wins."""
    order = [integer(one, "order") for one in of_type(document, list, "order")]
    ensure(sorted(order) == list(range(len(net))), "a block's order does not hold every model once")
    return sum(max(net[low][high], 0) for at, low in enumerate(order) for high in order[:at])


def check_small_block(net: list[list[int]], cost: int, count: Any, shared: Sequence[str], means: Any) -> int:
    """Work out all orders of least cost of a few models; return how many there are.

    Dynamic programming over the sets S that stand on top (Held and Karp 1962): the least cost of ordering S is that of
    S without its last model x, plus what it costs that x stands below the others of S.
    """
    size = range(len(net))
    least, ways = [0] * (1 << len(net)), [1] * (1 << len(net))
    for chosen in range(1, 1 << len(net)):
        options = []
        for last in (one for one in size if chosen >> one & 1):
            rest = chosen ^ 1 << last
            price = sum(max(net[last][one], 0) for one in size if rest >> one & 1)
            options.append((least[rest] + price, ways[rest]))
        least[chosen] = min(option for option, _ in options)
        ways[chosen] = sum(way for option, way in options if option == least[chosen])
    everything = len(least) - 1
    ensure(least[everything] == cost, f"an order of {len(net)} models costs {least[everything]}, less than {cost}")
    ensure(count is None or integer(count, "number") == ways[everything], f"{ways[everything]} orders cost {cost}")
    # From the whole downwards: the sets that stand on top in some order of least cost.
    seen, tops = {everything}, [everything]
    for chosen in tops:
        for last in (one for one in size if chosen >> one & 1):
            rest = chosen ^ 1 << last
            price = sum(max(net[last][one], 0) for one in size if rest >> one & 1)
            if rest not in seen and least[rest] + price == least[chosen]:
                seen.add(rest)
                tops.append(rest)
    always = [
        "".join("01"[i != j and not any(s >> j & 1 and not s >> i & 1 for s in seen)] for j in size) for i in size
    ]
    claimed = len(shared) == len(net) and all(len(row) == len(net) and not row.strip("01") for row in shared)
    ensure(claimed, "shared pairs must be texts of 0 and 1, one a model")
    if means in {"search", "tilted search"}:
        ensure(list(shared) == always, "the pairs that all orders of least cost share are others")
    wrong = any(
        one > other for row, own in zip(shared, always, strict=True) for one, other in zip(row, own, strict=True)
    )
    ensure(not wrong, "a pair is not shared by all orders of least cost")
    return ways[everything]


def triangle_bound(net: Sequence[Sequence[int]], document: Any) -> Fraction:
    """Return what every order costs at least: of "a above b", "b above c", "c above a" it has two at most.

    Each triangle's multiplier is added to its three pairs and taken off twice, which adds nothing positive to any
    order; then each pair costs its cheaper side at least (Lagrange).
    """
    listed, multiplied, unit = parts(document, "corners multipliers scale", "triangles")
    size, scale = range(len(net)), integer(unit, "scale")
    price = [[max(net[low][high], 0) * scale for low in size] for high in size]
    factors = [integer(one, "multipliers") for one in of_type(multiplied, list, "multipliers")]
    ensure(scale > 0 and all(one >= 0 for one in factors), "a multiplier of a triangle is negative")
    ensure(len(of_type(listed, list, "corners")) == len(factors), "there must be one multiplier a triangle")
    for corners, factor in zip(listed, factors, strict=True):
        own = [integer(one, "corners") for one in of_type(corners, list, "corners")]
        ensure(len(own) == len(set(own)) == 3 and set(own) <= set(size), "a triangle has three corners")
        for one, other in zip(own, (*own[1:], own[0]), strict=True):
            price[one][other] += factor
    cheaper = sum(min(price[one][other], price[other][one]) for one in size for other in range(one))
    return Fraction(cheaper - 2 * sum(factors), scale)


# The program.

KINDS: dict[str, Callable[[dict[str, Any], Table | None], Finding]] = {
    "prospect": prospect,
    "prospects": prospects,
    "contradiction": contradiction,
    "scenario": scenario,
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
    if proof.lstrip()[:1] == "<":
        refuse("this is a page; a JSON document is needed, such as 'weightlab win --output' writes")
    document = of_type(read_json(proof), dict, "the document")
    results = [document] if "kind" in document else of_type(document.get("results"), list, "results")
    options = {} if "kind" in document else of_type(document.get("options", {}), dict, "options")
    if not options.keys() <= {"file", "config", "complete", "table", "columns"}:
        refuse(
            f"options: {shown(min(options.keys() - {'file', 'config', 'complete', 'table', 'columns'}))} is not known"
        )
    given = declared or Declared()
    if table is not None and options.get("config") and given[:4] == Declared()[:4]:
        refuse(f"the claim was made with {shown(options['config'])} beside the table: declare what it says (--config)")
    if given.complete is None:
        given = given._replace(complete=options.get("complete") is True)
    board = None if table is None else read_table(table, given)
    lines: list[str] = []
    is_open = False
    for one in results or refuse("the document holds no results"):
        kind = of_type(of_type(one, dict, "a result").get("kind"), str, "kind")
        try:
            finding = KINDS[kind](claim_of(one), board) if kind in KINDS else None
        except NotCheckedError as error:
            lines, is_open = [*lines, f"{kind}: not checked: {error}."], True
            continue
        except FalseClaimError as error:
            raise FalseClaimError(f"{kind}: {error}") from None
        lines.append(
            f"{kind}: not checked, a kind that is not known here." if finding is None else f"{kind}: {finding.proved}"
        )
        believed = () if finding is None else finding.believed
        lines += [f"{kind}: not checked: {text}." for text in believed]
        is_open = is_open or finding is None or bool(believed)
    if "table" in document:
        lines, is_open = [*lines, "table: not checked, rounded numbers for other programs."], True
    lines.append("No table was compared." if board is None else f"Compared with the table; declared: {given}.")
    if board is not None and board.left_out:
        named, count = ", ".join(board.left_out), len(board.scores.models)
        lines.append(f"It speaks of {count} of the table's {count + len(board.left_out)} models, not of {named}.")
    return Report(lines, 3 if is_open else 0)


def claim_of(document: dict[str, Any]) -> dict[str, Any]:
    """Return a result without the lists of what is proved and believed, which must fit the solvers that it names."""
    claim = {name: value for name, value in document.items() if name not in ("proved", "believed")}
    proved, believed = (texts(document.get(name), name) for name in ("proved", "believed"))
    ensure(not set(proved) & set(believed), "what is believed is not proved")
    ensure(believed or proved == ("everything",), "where nothing is believed, everything is proved")
    ensure(bool(believed) == names_solver(claim), "a solver is named where, and only where, something is believed")
    return claim


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


def declared_in(text: str) -> Declared:
    """Return what a TOML file declares about a table; keys that are not known here are refused."""
    try:
        found = tomllib.loads(text, parse_float=Fraction)
    except (ValueError, RecursionError) as error:
        refuse(f"the configuration is not TOML: {error}")
    listed = {}
    for key in ("lower_is_better", "drop"):
        value = found.pop(key, [])
        listed[key] = texts([value] if isinstance(value, str) else value, key)
    weights = {
        name: value if isinstance(value, Fraction) else decimal(str(value), name)
        for name, value in of_type(found.pop("weights", {}), dict, "weights").items()
    }
    groups = {
        name: texts([value] if isinstance(value, str) else value, "groups")
        for name, value in of_type(found.pop("groups", {}), dict, "groups").items()
    }
    if found:
        refuse(f"the configuration declares {', '.join(map(repr, found))}, which is not read here")
    return Declared(listed["lower_is_better"], listed["drop"], weights, groups)


class Arguments(argparse.ArgumentParser):
    """Arguments whose faults are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Raise WrongInputError."""
        refuse(message)


def arguments() -> Arguments:
    """Return the arguments of the program."""
    parser = Arguments(
        prog="checker.py", description="Check a proof of weightlab in exact arithmetic, independently of it."
    )
    parser.add_argument("proof", metavar="PROOF.json", help="document; '-' for standard input")
    parser.add_argument("table", metavar="TABLE.csv", nargs="?", help="comma-separated score table with one header row")
    parser.add_argument("--lower", metavar="NAME", action="append", default=[], help="on this task lower is better")
    parser.add_argument("--drop", metavar="NAME", action="append", default=[], help="leave out this column")
    parser.add_argument("--weight", metavar="NAME=W", action="append", default=[], help="weight of a task, otherwise 1")
    parser.add_argument("--complete", action="store_true", default=None, help="leave out models that lack a score")
    parser.add_argument("--config", metavar="FILE.toml", help="read declarations from a file")
    return parser


def declared_by(options: argparse.Namespace) -> Declared:
    """Return what the options declare; they add to what a configuration says."""
    base = declared_in(read_text(options.config)) if options.config else Declared()
    weights = {}
    for text in options.weight:
        name, found, weight = text.rpartition("=")
        weights[name] = decimal(weight, text) if found else refuse(f"--weight {text}: NAME=W is needed")
    return base._replace(
        lower=(*base.lower, *options.lower),
        drop=(*base.drop, *options.drop),
        weights={**base.weights, **weights},
        complete=options.complete,
    )


UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Letters that a terminal would obey, or that cannot be written: shown as codes."""


def lines_of(listed: Sequence[str] | None = None) -> Iterator[str | int]:
    """Yield what the program says, and then its exit code."""
    try:
        options = arguments().parse_args(listed)
        table = None if options.table is None else read_text(options.table)
        report = check(read_text(options.proof), table, declared_by(options))
    except FalseClaimError as error:
        yield f"false: {error}."
        yield 1
    except WrongInputError as error:
        yield f"wrong input: {error}."
        yield 2
    except MemoryError:
        yield "wrong input: there is not enough memory for it."
        yield 2
    else:
        yield from report.lines
        yield report.code


def main(listed: Sequence[str] | None = None) -> int:
    """Print what was checked and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    *lines, code = lines_of(listed)
    for line in lines:
        print(
            UNSAFE.sub(lambda found: ascii(found[0])[1:-1], str(line)),
            file=sys.stderr if code in {1, 2} else sys.stdout,
        )
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
