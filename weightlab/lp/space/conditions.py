"""Conditions on weights: what each form says in words, and the exact rows that it stands for."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any, Literal, TypeAlias, get_args

from weightlab._exact import common_denominator
from weightlab._result import Frozen, Record
from weightlab._text import in_words, percent
from weightlab.exceptions import InputError, ProofError

# Weights and conditions in words: a sentence depends on the numbers alone, and no two conditions read alike.

Groups = Mapping[str, Sequence[str]]

RELATIONS = {"<=": "at most", ">=": "at least", "=": "exactly"}
"""What each relation is called."""
MOST_NAMES = 6
"""Largest number of names, or of different wishes, that are listed; the rest is counted."""
OWN_WORDS = {"+", "most", "least", "exactly", "less", "every", "proportion"}
"""Words that sentences are made of: a task whose name has one of them stands in quotes, as do ``1 a`` and ``a,b``."""

_PLAIN = re.compile(r"""(?!['"@])[^\s,;]+""")
_NUMBER = re.compile(r"-?\d+(/\d+)?")


def named(task: str) -> str:
    """Return a task's name, in quotes where it could be taken for a part of the sentence."""
    words = task.split(" ")
    plain = task.isprintable() and all(_PLAIN.fullmatch(word) and word not in OWN_WORDS for word in words)
    return task if plain and not _NUMBER.fullmatch(words[0]) else repr(task)


def row_text(tasks: Mapping[str, Fraction], relation: str, bound: Fraction, groups: Groups | None = None) -> str:
    """Return a row in words, such as ``a + 2 b at most 1/3`` or ``a at least @nli``."""
    plus = {task: value for task, value in tasks.items() if value > 0}
    minus = {task: -value for task, value in tasks.items() if value < 0}
    word = RELATIONS[relation]
    if plus and minus and not bound:
        return f"{_sum(plus, groups)} {word} {_sum(minus, groups)}"
    less = f" less {_sum(minus, groups)}" if minus else ""
    return f"{_sum(plus, groups)}{less} {word} {bound}"


def _sum(terms: Mapping[str, Fraction], groups: Groups | None) -> str:
    factors = set(terms.values())
    if len(terms) > 1 and len(factors) == 1:
        group = next((name for name, members in (groups or {}).items() if terms.keys() == set(members)), None)
        if group is not None:
            (factor,) = factors
            return f"{'' if factor == 1 else f'{factor} '}@{named(group)}"
    return " + ".join(named(task) if value == 1 else f"{value} {named(task)}" for task, value in terms.items()) or "0"


def _whole(shares: Mapping[str, Fraction]) -> dict[str, int]:
    """Return the least whole numbers in the proportions of shares."""
    scale = math.lcm(*(share.denominator for share in shares.values()))
    numbers = {task: int(share * scale) for task, share in shares.items()}
    unit = math.gcd(*numbers.values()) or 1
    return {task: number // unit for task, number in numbers.items()}


def weights_text(shares: Mapping[str, Fraction], whose: str = "the") -> str:
    """Return weights of all tasks in words: ``equal weights``, or ``the weights CoLA 2, every other task 1``."""
    numbers = _whole(shares)
    if len(set(numbers.values())) == 1:
        return "equal weights"
    ((usual, count),) = Counter(numbers.values()).most_common(1)
    listed = [f"{named(task)} {number}" for task, number in numbers.items() if count == 1 or number != usual]
    return f"{whose} weights {', '.join(listed)}" + (f", every other task {usual}" if count > 1 else "")


def proportion_text(shares: Mapping[str, Fraction]) -> str:
    """Return in words that some tasks keep the proportions of shares: ``a, b in proportion 1 : 2``."""
    numbers = list(_whole(shares).values())
    how = "equal proportion" if len(set(numbers)) == 1 else f"proportion {' : '.join(map(str, numbers))}"
    return f"{', '.join(map(named, shares))} in {how}"


def options_sentence(heading: str, wishes: Sequence[Mapping[str, str]], names: int, everything: str) -> str:
    """Return a sentence such as `` Bounds: 0 to 1 for every missing score.``, empty without any.

    Besides weights a question may set bounds of scores, prices and limits: no answer hides them.

    Parameters
    ----------
    heading : str
        Its first word.
    wishes : sequence of mappings from name to text
        The wishes by name; equal ones are named once.
    names : int
        How many names there are.
    everything : str
        What all of them are called.
    """
    who: dict[str, list[str]] = {}
    for one in wishes:
        for name, text in one.items():
            who.setdefault(text, []).append(name)
    parts = [
        f"{text} for {everything if len(own) == names else in_words(own, MOST_NAMES)}" for text, own in who.items()
    ]
    if len(parts) > MOST_NAMES:
        parts = [*parts[:MOST_NAMES], f"{len(parts) - MOST_NAMES} more"]
    return f" {heading}: {'; '.join(parts)}." if parts else ""


# Conditions on weights.


ZERO, ONE = Fraction(0), Fraction(1)


class Relation(StrEnum):
    """How a row's sum relates to its bound."""

    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "="

    def holds(self, left: Fraction | int, right: Fraction | int) -> bool:
        """Return whether ``left`` relates to ``right`` so."""
        if self is Relation.AT_MOST:
            return left <= right
        return left >= right if self is Relation.AT_LEAST else left == right

    def allows(self, multiplier: Fraction | int) -> bool:
        """Return whether ``multiplier * sum <= multiplier * bound`` follows: at most needs >= 0, at least <= 0.

        A row times a number keeps its relation if the number is positive and turns it if negative; an equation may be
        taken times anything.
        """
        if self is Relation.AT_MOST:
            return multiplier >= 0
        return multiplier <= 0 if self is Relation.AT_LEAST else True


class LinearRow(Frozen, eq=True):
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

    @classmethod
    def over(cls, tasks: Mapping[str, Fraction], relation: Relation, bound: Fraction) -> LinearRow:
        """Return a row over weights alone, named by what it says."""
        return cls(name=row_text(tasks, relation, bound), tasks=tasks, relation=relation, bound=bound)

    @cached_property
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


class Condition(Record):
    """One condition as a user states it, in one of three forms; its words and its rows follow from its numbers.

    No form has a label or names a variable: nothing that a document says of a condition is taken on trust.
    """

    @property
    def about(self) -> frozenset[str]:
        """The tasks that it names."""
        return frozenset(task for part in vars(self).values() if isinstance(part, Mapping) for task in part)

    def text(self, groups: Mapping[str, Sequence[str]] | None = None) -> str:
        """Return the condition in words; a sum over just the tasks of a group goes by the group's name."""
        raise NotImplementedError

    def rows(self, place: int) -> tuple[LinearRow, ...]:
        """Return the rows: they hold for a weighting with some auxiliary variables if and only if the condition does.

        Auxiliary variables are named after the condition's place in its space, so that no other one has them.
        """
        raise NotImplementedError

    def rooms(self, weights: Mapping[str, Any], units: int = 1) -> Iterator[Any]:
        """Yield how far weights are inside each bound of the condition, negative where they do not meet it.

        Each is concave in the weights, which are given times ``units``; what is not listed counts as 0. Rooms come
        times ``units`` and a number that does not depend on the weights.
        """
        raise NotImplementedError

    def holds(self, weights: Mapping[str, Fraction | int], units: int = 1) -> bool:
        """Return whether weights, given times ``units``, meet the condition; what is not listed counts as 0."""
        return all(room >= 0 for room in self.rooms(weights, units))

    def support(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return the maximum of ``vector . w`` over all w that sum to 1 and meet the condition.

        This is the support function of the condition on the hyperplane of weights that sum to 1: a convex set is
        determined by its support function (Rockafellar, Convex Analysis, 1970, section 13), so that vectors, one per
        condition, are all that a proof about weights needs. It is attained on the hyperplane, whether or not the
        weights that do so are negative.

        Parameters
        ----------
        vector : mapping from task to Fraction
            What is not listed counts as 0.

        Raises
        ------
        ProofError
            If there is no such number: the condition does not bound ``vector . w``.
        """
        raise NotImplementedError

    def multiplier(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return by how much the bound of ``vector . w`` moves with the condition's own bound or distance, a unit."""
        raise NotImplementedError

    def is_empty(self, tasks: Sequence[str]) -> bool:
        """Return whether the condition by itself leaves no weights of these tasks."""
        raise NotImplementedError

    def faults(self, tasks: Sequence[str]) -> Iterator[str]:
        """Yield what keeps the condition from being one about the weights of these tasks, one sentence each."""
        raise NotImplementedError

    def in_order(self, tasks: Sequence[str]) -> Condition:
        """Return the condition with its tasks, and so its rows, in the order of these."""
        del tasks
        return self


class Bounded(Condition, eq=True):
    """A sum of weights against a bound.

    Attributes
    ----------
    tasks : mapping from task to Fraction
        Coefficients that are not 0.
    relation : Relation
        How the sum relates to the bound.
    bound : Fraction
        A share of total weight.
    """

    tasks: Mapping[str, Fraction]
    relation: Relation
    bound: Fraction

    def text(self, groups: Mapping[str, Sequence[str]] | None = None) -> str:
        """Return the condition in words."""
        return row_text(self.tasks, self.relation, self.bound, groups)

    def rows(self, place: int) -> tuple[LinearRow, ...]:
        """Return the rows."""
        del place
        return (LinearRow.over(self.tasks, self.relation, self.bound),)

    def rooms(self, weights: Mapping[str, Any], units: int = 1) -> Iterator[Any]:
        """Yield how far the sum is on the right side of the bound."""
        above = _times(self.tasks, weights) - self.bound * units
        yield (
            -abs(above) if self.relation is Relation.EQUAL else above if self.relation is Relation.AT_LEAST else -above
        )

    def support(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return the bound times the factor by which the vector is a multiple of the coefficients."""
        return self.multiplier(vector) * self.bound

    def multiplier(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return by which factor the vector is a multiple of the coefficients, ensuring that it is one."""
        if not vector:
            return ZERO
        ratios = {vector.get(task, ZERO) / value for task, value in self.tasks.items()} or {ZERO}
        factor = next(iter(ratios))
        fits = len(ratios) == 1 and not any(vector[task] for task in vector if task not in self.tasks)
        if not fits or not self.relation.allows(factor):
            why = f"has the wrong sign: {factor}" if fits else "is no multiple of it"
            raise ProofError(f"the multiplier of {self.text()!r} {why}")
        return factor

    def is_empty(self, tasks: Sequence[str]) -> bool:
        """Return whether the sum, which lies between its least and its greatest coefficient, is never so."""
        ends = [self.tasks.get(task, ZERO) for task in tasks]
        least, most = min(ends), max(ends)
        above, below = self.relation is not Relation.AT_MOST, self.relation is not Relation.AT_LEAST
        return (above and most < self.bound) or (below and least > self.bound)

    def faults(self, tasks: Sequence[str]) -> Iterator[str]:
        """Yield the errors."""
        yield from _unknown(self.tasks, tasks)
        if not all(self.tasks.values()):
            yield "a condition has a coefficient of 0"


class Near(Condition, eq=True):
    """Weights within a distance of given ones.

    Attributes
    ----------
    norm : {"l1", "linf", "relative"}
        The sum of all changes (between 0 and 2), the largest of them, or the largest as a part of the given weight.
    radius : Fraction
        The greatest distance.
    centre : mapping from task to Fraction
        Weights of all tasks that sum to 1.
    """

    norm: Measure
    radius: Fraction
    centre: Mapping[str, Fraction]

    def text(self, groups: Mapping[str, Sequence[str]] | None = None) -> str:
        """Return the condition in words."""
        del groups
        weights = weights_text(self.centre)
        if self.norm == "relative" and not self.radius:
            return f"each task with exactly its share of {weights}"
        if self.norm == "relative":
            return f"each task between {1 - self.radius} and {1 + self.radius} times its share of {weights}"
        return f"within {self.radius} of {weights} ({MEASURES[self.norm]})"

    def rows(self, place: int) -> tuple[LinearRow, ...]:
        """Return the rows."""
        if self.norm != "l1":
            return tuple(
                LinearRow.over({task: ONE}, relation, share + change * (share if self.norm == "relative" else 1))
                for task, share in self.centre.items()
                for relation, change in ((Relation.AT_MOST, self.radius), (Relation.AT_LEAST, -self.radius))
            )
        # Both weightings sum to 1, so what some tasks gain others lose: the gains alone are half the distance.
        gains = {task: f"{place}: gain of {named(task)}" for task in self.centre}
        least = [
            excess_row(f"{named(task)} at most {share} and its gain", task, gains[task], share)
            for task, share in self.centre.items()
        ]
        half = self.radius / 2
        total = dict.fromkeys(gains.values(), ONE)
        name = f"all gains at most {half}"
        return (*least, LinearRow(name=name, tasks={}, auxiliaries=total, relation=Relation.AT_MOST, bound=half))

    @cached_property
    def _whole(self) -> tuple[list[int], int]:
        """The centre as integers over a denominator."""
        return common_denominator(list(self.centre.values()))

    def rooms(self, weights: Mapping[str, Any], units: int = 1) -> Iterator[Any]:
        """Yield how much farther the weights may be, in sum or one by one."""
        shares, unit = self._whole
        pairs = list(zip(self.centre, shares, strict=True))
        changes = [abs(weights.get(task, 0) * unit - share * units) for task, share in pairs]
        if self.norm == "l1":
            yield self.radius * unit * units - sum(changes)
            return
        parts = shares if self.norm == "relative" else [unit] * len(shares)
        yield from (self.radius * part * units - change for part, change in zip(parts, changes, strict=True))

    def support(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return the vector's value at the centre, and what moving away from it as far as allowed adds."""
        return _times(vector, self.centre) + self.radius * self.multiplier(vector)

    def multiplier(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return the increase of the vector's maximum per unit of distance, on the hyperplane of weights that sum to 1.

        Sum of changes: half a unit goes from the least entry to the greatest. Largest change: entries above a median
        gain what the others lose; relative changes are weighed with the shares.
        """
        if not vector.keys() <= self.centre.keys():
            raise ProofError(f"the vector of {self.text()!r} is about other tasks")
        entries = [vector.get(task, ZERO) for task in self.centre]
        if self.norm == "l1":
            return (max(entries) - min(entries)) / 2
        return spread(entries, None if self.norm == "linf" else list(self.centre.values()))

    def is_empty(self, tasks: Sequence[str]) -> bool:
        """Return whether nothing is so near: the centre itself always is, unless the distance is negative."""
        del tasks
        return self.radius < 0

    def faults(self, tasks: Sequence[str]) -> Iterator[str]:
        """Yield the errors."""
        yield from _unknown(self.centre, tasks)
        yield from _no_shares(self.centre)
        if len(self.centre) < len(tasks):
            yield "a distance is from weights of all tasks"

    def in_order(self, tasks: Sequence[str]) -> Near:
        """Return the condition with its tasks in the order of these."""
        return replace(self, centre={task: self.centre[task] for task in tasks})


class Proportional(Condition, eq=True):
    """Weights of some tasks in given proportions, so that only their sum moves.

    Attributes
    ----------
    shares : mapping from task to Fraction
        The proportions; they sum to 1.
    """

    shares: Mapping[str, Fraction]

    @classmethod
    def of(cls, weights: Mapping[str, Fraction]) -> Proportional:
        """Return the condition that weights keep the proportions of these."""
        total = sum(weights.values(), Fraction(0))
        if not total:
            raise InputError(f"{', '.join(map(named, weights))}: the tasks have no weight to be proportional to")
        return cls(shares={task: weight / total for task, weight in weights.items()})

    def text(self, groups: Mapping[str, Sequence[str]] | None = None) -> str:
        """Return the condition in words."""
        del groups
        return proportion_text(self.shares)

    def rows(self, place: int) -> tuple[LinearRow, ...]:
        """Return the rows."""
        del place
        anchor = max(self.shares, key=lambda task: self.shares[task])
        return tuple(
            LinearRow.over(
                {task: ONE} | ({anchor: -share / self.shares[anchor]} if share else {}), Relation.EQUAL, Fraction(0)
            )
            for task, share in self.shares.items()
            if task != anchor
        )

    def rooms(self, weights: Mapping[str, Any], units: int = 1) -> Iterator[Any]:
        """Yield how far each weight is from its part of their sum: 0 or less."""
        del units
        together = sum(weights.get(task, 0) for task in self.shares)
        yield from (-abs(weights.get(task, 0) - together * share) for task, share in self.shares.items())

    def support(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return 0: the vector must have no value at these proportions, whatever the tasks weigh together."""
        if not vector.keys() <= self.shares.keys() or _times(vector, self.shares):
            raise ProofError(f"the vector of {self.text()!r} is not at right angles to it")
        return ZERO

    def multiplier(self, vector: Mapping[str, Fraction]) -> Fraction:
        """Return the largest entry by size: there is no bound to move."""
        return max(map(abs, vector.values()), default=ZERO)

    def is_empty(self, tasks: Sequence[str]) -> bool:
        """Return False: these shares of the total weight are always left."""
        del tasks
        return False

    def faults(self, tasks: Sequence[str]) -> Iterator[str]:
        """Yield the errors."""
        yield from _unknown(self.shares, tasks)
        yield from _no_shares(self.shares)

    def in_order(self, tasks: Sequence[str]) -> Proportional:
        """Return the condition with its tasks in the order of these."""
        return replace(self, shares={task: self.shares[task] for task in tasks if task in self.shares})


def added_up(rows: Iterable[tuple[Fraction, LinearRow]]) -> dict[str, Fraction]:
    """Return the weights of a sum of rows times factors; those that come to 0 are left out."""
    found: dict[str, Fraction] = {}
    for factor, row in rows:
        if factor:
            for task, value in row.tasks.items():
                found[task] = found.get(task, ZERO) + factor * value
    return {task: value for task, value in found.items() if value}


def _times(one: Mapping[str, Fraction], other: Mapping[str, Fraction | int]) -> Fraction:
    """Return the inner product of numbers by task; what is not listed counts as 0."""
    pairs = [(value, other[task]) for task, value in one.items() if value and other.get(task)]
    left, unit = common_denominator([value for value, _ in pairs])
    right, under = common_denominator([value for _, value in pairs])
    return Fraction(sum(map(mul, left, right)), unit * under)


def spread(entries: Sequence[Fraction], rooms: Sequence[Fraction] | None = None) -> Fraction:
    """Return the total distance of entries from their median, weighted by ``rooms`` if given.

    The most that changes d of sum 0 add, ``entries . d``, where no ``|d|`` exceeds its room (by default 1): with a
    multiplier m of the sum it is at most the sum of ``room |entry - m|`` for every m (weak duality), and a weighted
    median makes that least (Fermat), where it is attained.
    """
    pairs = sorted(zip(entries, rooms or [ONE] * len(entries), strict=True))
    half, passed = sum((room for _, room in pairs), ZERO) / 2, ZERO
    for entry, room in pairs:
        passed += room
        if passed >= half:
            return sum((abs(one - entry) * weight for one, weight in pairs if one != entry), ZERO)
    return ZERO


def _unknown(named_tasks: Mapping[str, Fraction], tasks: Sequence[str]) -> Iterator[str]:
    known = set(tasks)
    yield from (f"a condition names the unknown task {task!r}" for task in named_tasks if task not in known)


def _no_shares(shares: Mapping[str, Fraction]) -> Iterator[str]:
    if not shares or min(shares.values()) < 0 or sum(shares.values()) != 1:
        yield "the weights of a condition must be some, not negative, and sum to 1"


def compared_sums(left: Sequence[str], right: Sequence[str], factor: Fraction, relation: Relation) -> Bounded:
    """Return the condition that one sum of weights relates to ``factor`` times another."""
    tasks: dict[str, Fraction] = dict.fromkeys(left, ONE)
    for task in right:
        tasks[task] = tasks.get(task, Fraction(0)) - factor
    return Bounded(tasks={task: value for task, value in tasks.items() if value}, relation=relation, bound=Fraction(0))


def excess_row(name: str, task: str, auxiliary: str, bound: Fraction, sign: int = 1) -> LinearRow:
    """Return the row ``sign * weight - auxiliary <= bound``: the variable is at least what is beyond the bound."""
    return LinearRow(
        name=name,
        tasks={task: Fraction(sign)},
        auxiliaries={auxiliary: Fraction(-1)},
        relation=Relation.AT_MOST,
        bound=bound,
    )


# Distances between weightings, and what they are at least: the bound that proves a least change of weights.


Norm: TypeAlias = Literal["l1", "linf"]
"""How far two weightings are apart: the sum of all changes, or the largest single change."""
Measure: TypeAlias = Literal["l1", "linf", "relative"]
"""A norm, or the largest change as a part of the weight that changes: of conditions alone."""
NORMS: tuple[Norm, ...] = get_args(Norm)
MEASURES: dict[Norm, str] = {"l1": "sum of changes", "linf": "largest change"}
"""What a distance measures."""


def move_words(change: Fraction, norm: Norm, weights: str = "weights") -> str:
    """Return how far weights move: ``10% of the weight moves from equal weights``, half of the sum of changes."""
    if norm == "l1":
        return f"{percent(change / 2)} of the weight moves{'' if weights == 'weights' else f' from {weights}'}"
    return f"{weights} change by {percent(change)} of the total weight each (largest change)"


def checked_norm(norm: str) -> Norm:
    """Return a norm, or raise InputError if there is none of that name."""
    if norm not in NORMS:
        raise InputError(f"norm must be 'l1' or 'linf'; got {norm!r}")
    return norm


def distance(norm: Norm, weights: Sequence[Fraction], centre: Sequence[Fraction]) -> Fraction:
    """Return the exact distance of two weightings."""
    changes = [abs(one - other) for one, other in zip(weights, centre, strict=True)]
    return sum(changes, ZERO) if norm == "l1" else max(changes)
