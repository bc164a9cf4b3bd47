"""Conditions on weights: named linear rows, exact."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from weightlab._record import Record
from weightlab.exceptions import InputError

__all__ = [
    "Condition",
    "LinearRow",
    "Relation",
    "bounded_sum",
    "compared_sums",
    "excess_row",
    "least_auxiliaries",
    "near_in_each",
    "near_in_sum",
    "renumbered",
    "same_proportions",
]


class Relation(StrEnum):
    """How a row's sum relates to its bound."""

    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "="

    def holds(self, left: Fraction, right: Fraction) -> bool:
        """Tell whether ``left`` relates to ``right`` so."""
        if self is Relation.AT_MOST:
            return left <= right
        return left >= right if self is Relation.AT_LEAST else left == right

    def allows(self, multiplier: Fraction) -> bool:
        """Tell whether ``multiplier * sum <= multiplier * bound`` follows: at most needs >= 0, at least <= 0.

        A row times a number keeps its relation if the number is positive and turns it if negative; an equation may be
        taken times anything.
        """
        if self is Relation.AT_MOST:
            return multiplier >= 0
        return multiplier <= 0 if self is Relation.AT_LEAST else True


@dataclass(frozen=True, kw_only=True)
class LinearRow(Record):
    """One exact row: a sum of weights (and of auxiliary variables, which are not negative) against a bound.

    Attributes
    ----------
    name : str
        Unique within a space; multipliers go by it.
    tasks : mapping from task to Fraction
        Coefficients of the weights that are not 0.
    auxiliaries : mapping from name to Fraction
        Coefficients of auxiliary variables that are not 0.
    relation : Relation
        How the sum relates to the bound.
    bound : Fraction
        A share of total weight.
    """

    name: str
    tasks: Mapping[str, Fraction]
    relation: Relation
    bound: Fraction
    auxiliaries: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def scale(self) -> int:
        """Least number that makes all coefficients integers."""
        return math.lcm(*(value.denominator for part in (self.tasks, self.auxiliaries) for value in part.values()))

    def total(self, weights: Mapping[str, Fraction], auxiliaries: Mapping[str, Fraction]) -> Fraction:
        """Return the row's sum at some weights and auxiliary values; what is not listed counts as 0."""
        return sum(
            (
                value * factor
                for part, own in ((weights, self.tasks), (auxiliaries, self.auxiliaries))
                for name, value in own.items()
                if (factor := part.get(name))
            ),
            Fraction(0),
        )


@dataclass(frozen=True, kw_only=True)
class Condition(Record):
    """One condition as a user states it: a sentence and the rows that say it.

    Attributes
    ----------
    text : str
        Such as ``CoLA at most 3/10``.
    rows : tuple of LinearRow
        They hold for a weighting together with some auxiliary variables if and only if the condition does.
    auxiliaries : tuple of str
        Variables that are not weights, not negative.
    """

    text: str
    rows: tuple[LinearRow, ...]
    auxiliaries: tuple[str, ...] = ()

    @property
    def names(self) -> set[str]:
        """Names of rows and auxiliary variables: no other condition of a space has them."""
        return {row.name for row in self.rows} | set(self.auxiliaries)

    def faults(self, tasks: Sequence[str]) -> Iterator[str]:
        """Yield what keeps the condition from being one about the weights of these tasks, one sentence each."""
        if len({row.name for row in self.rows}) != len(self.rows) or len(set(self.auxiliaries)) != len(
            self.auxiliaries
        ):
            yield f"condition {self.text!r}: two rows or two auxiliary variables have the same name"
        for row in self.rows:
            for kind, own, known in (("task", row.tasks, tasks), ("variable", row.auxiliaries, self.auxiliaries)):
                for name in own.keys() - set(known):
                    yield f"condition {self.text!r}: row {row.name!r} names the unknown {kind} {name!r}"
            if not all((*row.tasks.values(), *row.auxiliaries.values())):
                yield f"condition {self.text!r}: row {row.name!r} has a coefficient of 0"


def least_auxiliaries(
    weights: Mapping[str, Fraction], rows: Sequence[LinearRow], auxiliaries: Sequence[str]
) -> dict[str, Fraction]:
    """Return the least values of the auxiliary variables that the rows with weights and one of them ask for.

    A proposal: whether all rows hold at these values is for the caller to check. If they do, the weights meet the
    condition, which asks for some values; that is all a proof needs. Where auxiliary variables are but bounded from
    below by such rows, as gains and largest changes are, the least values are the best ones.
    """
    values = dict.fromkeys(auxiliaries, Fraction(0))
    for row in rows:
        if row.tasks and len(row.auxiliaries) == 1:
            (name, coefficient), *_ = row.auxiliaries.items()
            needed = (row.bound - row.total(weights, {})) / coefficient
            # Dividing by a negative coefficient turns the relation: either way the row bounds the variable from below.
            if (coefficient < 0) == (row.relation is Relation.AT_MOST):
                values[name] = max(values[name], needed)
    return values


def bounded_sum(tasks: Sequence[str], relation: Relation, bound: Fraction, text: str) -> Condition:
    """Return the condition that the weights of some tasks together relate to a bound."""
    row = LinearRow(name=text, tasks=dict.fromkeys(tasks, Fraction(1)), relation=relation, bound=bound)
    return Condition(text=text, rows=(row,))


def compared_sums(
    left: Sequence[str], right: Sequence[str], factor: Fraction, relation: Relation, text: str
) -> Condition:
    """Return the condition that one sum of weights relates to ``factor`` times another."""
    tasks: dict[str, Fraction] = dict.fromkeys(left, Fraction(1))
    for task in right:
        tasks[task] = tasks.get(task, Fraction(0)) - factor
    kept = {task: value for task, value in tasks.items() if value}
    return Condition(text=text, rows=(LinearRow(name=text, tasks=kept, relation=relation, bound=Fraction(0)),))


def excess_row(name: str, task: str, auxiliary: str, bound: Fraction, sign: int = 1) -> LinearRow:
    """Return the row ``sign * weight - auxiliary <= bound``: the variable is at least what is beyond the bound."""
    return LinearRow(
        name=name,
        tasks={task: Fraction(sign)},
        auxiliaries={auxiliary: Fraction(-1)},
        relation=Relation.AT_MOST,
        bound=bound,
    )


def near_in_sum(centre: Mapping[str, Fraction], radius: Fraction, text: str, prefix: str) -> Condition:
    """Return the condition that all changes of weights add up to at most ``radius`` (L1 distance, between 0 and 2).

    Both weightings sum to 1, so what some tasks gain the others lose: the gains alone add up to half the distance.
    """
    gains = {task: f"{prefix}gain of {task}" for task in centre}
    rows = [excess_row(f"{text}: {gain}", task, gain, centre[task]) for task, gain in gains.items()]
    total = LinearRow(
        name=text,
        tasks={},
        auxiliaries=dict.fromkeys(gains.values(), Fraction(1)),
        relation=Relation.AT_MOST,
        bound=radius / 2,
    )
    return Condition(text=text, rows=(*rows, total), auxiliaries=tuple(gains.values()))


def near_in_each(centre: Mapping[str, Fraction], radius: Fraction, text: str) -> Condition:
    """Return the condition that no weight changes by more than ``radius`` (largest change)."""
    rows: list[LinearRow] = []
    for task, share in centre.items():
        single = {task: Fraction(1)}
        most, least = share + radius, share - radius
        rows.append(LinearRow(name=f"{text}: most {task}", tasks=single, relation=Relation.AT_MOST, bound=most))
        rows.append(LinearRow(name=f"{text}: least {task}", tasks=single, relation=Relation.AT_LEAST, bound=least))
    return Condition(text=text, rows=tuple(rows))


def same_proportions(shares: Mapping[str, Fraction], text: str) -> Condition:
    """Return the condition that weights keep the proportions of ``shares``, so that only their sum moves."""
    if not any(shares.values()):
        raise InputError(f"{text}: the tasks have no weight to be proportional to")
    anchor = max(shares, key=lambda task: shares[task])
    rows = [
        LinearRow(
            name=f"{text}: {task}",
            tasks={task: Fraction(1)} | ({anchor: -share / shares[anchor]} if share else {}),
            relation=Relation.EQUAL,
            bound=Fraction(0),
        )
        for task, share in shares.items()
        if task != anchor
    ]
    return Condition(text=text, rows=tuple(rows))


def renumbered(condition: Condition, number: int) -> Condition:
    """Return a condition whose text another one has already, told apart by its number."""
    renamed = {name: f"{name} [{number}]" for name in condition.auxiliaries}
    rows = tuple(
        LinearRow(
            name=f"{row.name} [{number}]",
            tasks=row.tasks,
            relation=row.relation,
            bound=row.bound,
            auxiliaries={renamed[name]: value for name, value in row.auxiliaries.items()},
        )
        for row in condition.rows
    )
    return Condition(text=f"{condition.text} [{number}]", rows=rows, auxiliaries=tuple(renamed.values()))
