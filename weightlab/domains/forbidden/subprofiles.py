"""Forbidden sub-profiles: the small pictures that a profile of a domain never contains, and how they are found.

Each pattern names its models and voters by role; whether ranks show it is one short function.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Record, ensure
from weightlab._solver import Rows
from weightlab.data import Order, Profile
from weightlab.domains.result import ranks_of_part

T = TypeVar("T")


class Pattern(StrEnum):
    """What is forbidden; roles are numbered from 1 and written a, b, c, ... for models."""

    THREE_WORST = "three_worst"
    """Three models, three voters, each putting a different one last of the three."""

    THREE_BEST = "three_best"
    """Three models, three voters, each putting a different one first of the three."""

    THREE_MIDDLE = "three_middle"
    """Three models, three voters, each putting a different one between the other two."""

    OPPOSED_BELOW = "opposed_below"
    """Two voters, a > b > c and c > b > a, who both put d above b."""

    OPPOSED_ABOVE = "opposed_above"
    """Two voters, a > b > c and c > b > a, who both put d below b."""

    CROSSED = "crossed"
    """Two voters, a > b > c > d and b > d > a > c."""

    EACH_ALONE = "each_alone"
    """Three voters and the pairs (a, b), (c, d), (e, f): each voter is alone on one of the pairs."""

    ALL_FOUR = "all_four"
    """Four voters and the pairs (a, b), (c, d): a voter for each combination of their directions."""

    CYCLE = "cycle"
    """Three voters, a > b > c, b > c > a and c > a > b."""


@dataclass(frozen=True)
class Shape:
    """How many voters and roles a pattern has, how to see it in strict ranks, and how to say it."""

    voters: int
    roles: int
    shown_by: Callable[[AnyArray], bool]
    sentence: str


class Forbidden(Record):
    """A forbidden sub-profile found in a profile.

    Attributes
    ----------
    pattern : Pattern
        What it is.
    roles : tuple of str
        The models in the order of the pattern's roles; a model may play several roles in pairs.
    voters : tuple of str
        The voters in the order of the pattern.
    orders : tuple of orders
        How these voters rank these models, best first.
    """

    pattern: Pattern
    roles: tuple[str, ...]
    voters: tuple[str, ...]
    orders: tuple[Order, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """The models, each once."""
        return tuple(dict.fromkeys(self.roles))

    def __str__(self) -> str:
        """Say what the voters do."""
        names = dict(zip("abcdef", self.roles, strict=False)) | {
            f"v{place}": voter for place, voter in enumerate(self.voters, start=1)
        }
        return SHAPES[self.pattern].sentence.format(**names)

    def check(self, profile: Profile, *, allowed: Collection[Pattern] = tuple(Pattern), broken: bool = False) -> None:
        """Raise ProofError unless these voters of the profile rank so, and ranking so is the pattern.

        Parameters
        ----------
        profile : Profile
            Where it is said to be.
        allowed : collection of Pattern
            Which patterns are forbidden in the domain.
        broken : bool
            Whether the orders are a breaking of the ties of the profile's, not its own.
        """
        shape = SHAPES[self.pattern]
        ensure(self.pattern in allowed, f"the pattern {self.pattern} is not forbidden here")
        ensure(len(self.voters) == shape.voters, f"the pattern {self.pattern} has {shape.voters} voters")
        ensure(len(self.roles) == shape.roles, f"the pattern {self.pattern} has {shape.roles} roles for models")
        own = ranks_of_part(profile, self.models, self.voters)
        ensure(len(self.orders) == shape.voters, "an order is missing")
        for voter, order, ranks in zip(self.voters, self.orders, own.tolist(), strict=True):
            ensure(all(len(place) == 1 for place in order), f"the order of voter {voter!r} has ties")
            names = [name for place in order for name in place]
            ensure(sorted(names) == sorted(self.models), f"the order of voter {voter!r} is not one of the models")
            along = [ranks[self.models.index(name)] for name in names]
            if broken:
                ensure(along == sorted(along), f"the order of voter {voter!r} contradicts its ranking")
            else:
                ensure(along == sorted(set(along)), f"voter {voter!r} ranks otherwise")
        ensure(shape.shown_by(self._ranks_by_role()), f"these orders do not show the pattern {self.pattern}")

    def _ranks_by_role(self) -> AnyArray:
        places = [{name: rank for rank, place in enumerate(order) for name in place} for order in self.orders]
        return np.array([[place[role] for role in self.roles] for place in places])


def forbidden_at(profile: Profile, pattern: Pattern, *, voters: Sequence[int], roles: Sequence[int]) -> Forbidden:
    """Return the sub-profile of some voters and models, by position, of a strict profile."""
    models = list(dict.fromkeys(int(role) for role in roles))
    orders = tuple(
        tuple((profile.models[model],) for model in sorted(models, key=lambda one: int(profile.ranks[voter, one])))
        for voter in voters
    )
    return Forbidden(
        pattern=pattern,
        roles=tuple(profile.models[role] for role in roles),
        voters=tuple(profile.voters[voter] for voter in voters),
        orders=orders,
    )


def three_worst(ranks: AnyArray) -> bool:
    """Tell whether voter i puts model i last of three, for each i."""
    return bool((ranks.argmax(axis=1) == np.arange(3)).all())


def three_best(ranks: AnyArray) -> bool:
    """Tell whether voter i puts model i first of three, for each i."""
    return bool((ranks.argmin(axis=1) == np.arange(3)).all())


def three_middle(ranks: AnyArray) -> bool:
    """Tell whether voter i puts model i between the other two, for each i."""
    return bool((ranks.argsort(axis=1)[:, 1] == np.arange(3)).all())


def opposed_below(ranks: AnyArray) -> bool:
    """Tell whether two voters rank a, b, c in opposite ways with b between, and both d above b."""
    (a, b, c, d), (a2, b2, c2, d2) = ranks.tolist()
    return bool(a < b < c and c2 < b2 < a2 and d < b and d2 < b2)


def opposed_above(ranks: AnyArray) -> bool:
    """Tell whether two voters rank a, b, c in opposite ways with b between, and both d below b."""
    return opposed_below(-ranks[:, [2, 1, 0, 3]])


def crossed(ranks: AnyArray) -> bool:
    """Tell whether one voter ranks a > b > c > d and the other b > d > a > c."""
    (a, b, c, d), (a2, b2, c2, d2) = ranks.tolist()
    return bool(a < b < c < d and b2 < d2 < a2 < c2)


def each_alone(ranks: AnyArray) -> bool:
    """Tell whether voter i is the only one of three to rank pair i as it does."""
    # ``leads[i, j]`` is as ``leads[j, j]`` exactly where i is j.
    return bool((_leads(ranks) == (np.eye(3, dtype=np.bool_) == _leads(ranks).diagonal())).all())


def all_four(ranks: AnyArray) -> bool:
    """Tell whether the four voters rank the two pairs in all four ways, in the order yes-yes, yes-no, no-yes, no-no."""
    return bool((_leads(ranks) == [[True, True], [True, False], [False, True], [False, False]]).all())


def cycle(ranks: AnyArray) -> bool:
    """Tell whether three voters rank a > b > c, b > c > a and c > a > b."""
    return bool((ranks.argsort(axis=1) == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]).all())


def _leads(ranks: AnyArray) -> AnyArray:
    """Return whether each voter leads with the first of each pair of roles."""
    return np.asarray(ranks[:, 0::2] < ranks[:, 1::2])


SHAPES: dict[Pattern, Shape] = {
    Pattern.THREE_WORST: Shape(
        3, 3, three_worst, "of {a}, {b} and {c} each is put last by one: {a} by {v1}, {b} by {v2}, {c} by {v3}"
    ),
    Pattern.THREE_BEST: Shape(
        3, 3, three_best, "of {a}, {b} and {c} each is put first by one: {a} by {v1}, {b} by {v2}, {c} by {v3}"
    ),
    Pattern.THREE_MIDDLE: Shape(
        3,
        3,
        three_middle,
        "of {a}, {b} and {c} each is put between the others by one: {a} by {v1}, {b} by {v2}, {c} by {v3}",
    ),
    Pattern.OPPOSED_BELOW: Shape(
        2, 4, opposed_below, "{v1} ranks {a} > {b} > {c} and {v2} the other way round, yet both put {d} above {b}"
    ),
    Pattern.OPPOSED_ABOVE: Shape(
        2, 4, opposed_above, "{v1} ranks {a} > {b} > {c} and {v2} the other way round, yet both put {d} below {b}"
    ),
    Pattern.CROSSED: Shape(2, 4, crossed, "{v1} ranks {a} > {b} > {c} > {d} and {v2} ranks {b} > {d} > {a} > {c}"),
    Pattern.EACH_ALONE: Shape(
        3, 6, each_alone, "three stand alone: {v1} on {a} and {b}, {v2} on {c} and {d}, {v3} on {e} and {f}"
    ),
    Pattern.ALL_FOUR: Shape(
        4, 4, all_four, "{v1}, {v2}, {v3} and {v4} rank the pairs {a}, {b} and {c}, {d} in all four combinations"
    ),
    Pattern.CYCLE: Shape(
        3, 3, cycle, "{v1} ranks {a} > {b} > {c}, {v2} ranks {b} > {c} > {a} and {v3} ranks {c} > {a} > {b}"
    ),
}

FORBIDDEN: dict[str, set[Pattern]] = {
    "single_peaked": {Pattern.THREE_WORST, Pattern.OPPOSED_BELOW},
    "single_caved": {Pattern.THREE_BEST, Pattern.OPPOSED_ABOVE},
    "group_separable": {Pattern.THREE_MIDDLE, Pattern.CROSSED},
    "single_crossing": {Pattern.EACH_ALONE, Pattern.ALL_FOUR},
    "value_restricted": {Pattern.CYCLE},
    "condorcet_domain": {Pattern.CYCLE},
}
"""For each domain the patterns of which strict orders outside it show one, and those inside it none."""

Found: TypeAlias = tuple[Pattern, list[int], list[int]]
"""A pattern, the voters and the models in their roles, by position."""


# A smallest piece that still fails, from which nothing can be left out.


def minimal_part(items: Sequence[T], fails: Callable[[list[T]], bool]) -> list[T]:
    """Return a part for which ``fails`` holds and does not without any one of its items.

    Parameters
    ----------
    items : sequence
        All of them together must fail.
    fails : callable
        Whether some of the items fail; with more items a failure must remain one.

    Notes
    -----
    The shortest prefix that fails is found by bisection; its last item is needed, and the search goes on among those
    before it. That takes about ``k log2(n)`` calls for a part of k out of n items.
    """
    needed: list[T] = []
    rest = list(items)
    while not fails(needed):
        # The first item without which the others before it would not fail.
        last = bisect_left(range(len(rest)), x=True, lo=1, key=lambda size: fails(needed + rest[:size])) - 1
        needed.append(rest[last])
        rest = rest[:last]
    return needed


# Orders chosen by integer programs: rows against cycles of three and against whatever else must not be.


def three_cycles(before: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Yield a cycle of three through each thing that is on one; none exactly if the choices are an order.

    Parameters
    ----------
    before : ndarray of bool, things x things
        Of any two things exactly one is before the other; the diagonal is False.
    """
    wins = before.sum(axis=1)
    # The wins of an order are all different, and a tournament whose wins are is an order.
    if len(np.unique(wins)) == len(wins):
        return
    for a in range(len(before)):
        after, ahead = np.flatnonzero(before[a]), np.flatnonzero(before[:, a])
        back = np.argwhere(before[np.ix_(after, ahead)])
        if len(back):
            yield a, int(after[back[0][0]]), int(ahead[back[0][1]])


def clause_rows(clauses: Sequence[Sequence[tuple[int, bool]]], width: int) -> Rows:
    """Return rows that ask that not all choices of a clause are made; a choice is a column, and whether at 0.

    As in satisfiability a clause becomes a row: of its literals, x or 1 - x, at least one must be 0.
    """
    entries: list[dict[int, int]] = []
    for clause in clauses:
        entry: dict[int, int] = {}
        for column, at_zero in clause:
            entry[column] = entry.get(column, 0) + (1 if at_zero else -1)
        entries.append(entry)
    least = [1 - sum(not at_zero for _, at_zero in clause) for clause in clauses]
    labels = [f"not all of {len(clause)} choices" for clause in clauses]
    return Rows.from_dicts(entries, width=width, lower=least, labels=labels)
