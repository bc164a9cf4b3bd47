"""Forbidden sub-profiles: the small pictures that a profile of a domain never contains.

Each pattern says, voter by voter, which of its models have to be above which. That one statement is what searches look
for, what ties can be broken to, and what is checked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen, Record, ensure
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


Ways: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]
"""What a pattern asks of a voter, by role: one of several lists of pairs, each the first above the second."""


class Shape(Frozen):
    """What a pattern asks of each of its voters, and how to say it.

    Attributes
    ----------
    asks : tuple of str
        For each voter the pairs of roles of which the first has to be above the second, such as ``"ab bc"``; where
        either of two lists will do, ``"|"`` stands between them.
    sentence : str
        What voters ``v1``, ``v2``, ... do with the models in their roles.
    """

    asks: tuple[str, ...]
    sentence: str

    @cached_property
    def ways(self) -> tuple[Ways, ...]:
        """What is asked of each voter, by the numbers of the roles."""
        return tuple(
            tuple(
                tuple(("abcdef".index(pair[0]), "abcdef".index(pair[1])) for pair in way.split())
                for way in asked.split("|")
            )
            for asked in self.asks
        )

    @cached_property
    def roles(self) -> int:
        """How many roles there are for models."""
        return len(set("".join(self.asks)) & set("abcdef"))


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
        voters = len(shape.asks)
        ensure(self.pattern in allowed, f"the pattern {self.pattern} is not forbidden here")
        ensure(len(self.voters) == voters, f"the pattern {self.pattern} has {voters} voters")
        ensure(len(self.roles) == shape.roles, f"the pattern {self.pattern} has {shape.roles} roles for models")
        own = ranks_of_part(profile, self.models, self.voters)
        ensure(len(self.orders) == voters, "an order is missing")
        shown = True
        for voter, order, ranks, ways in zip(self.voters, self.orders, own.tolist(), shape.ways, strict=True):
            ensure(all(len(place) == 1 for place in order), f"the order of voter {voter!r} has ties")
            names = [name for place in order for name in place]
            ensure(sorted(names) == sorted(self.models), f"the order of voter {voter!r} is not one of the models")
            along = [ranks[self.models.index(name)] for name in names]
            if broken:
                ensure(along == sorted(along), f"the order of voter {voter!r} contradicts its ranking")
            else:
                ensure(along == sorted(set(along)), f"voter {voter!r} ranks otherwise")
            shown &= bool(plays([np.array(names.index(role)) for role in self.roles], ways, strict=True))
        ensure(shown, f"these orders do not show the pattern {self.pattern}")


def plays(ranks: Sequence[AnyArray], ways: Ways, *, strict: bool) -> BoolArray:
    """Return where ranks are what a pattern asks of one voter, or some breaking of their ties can make them so.

    Parameters
    ----------
    ranks : sequence of ndarray
        The ranks of the model in each role, lower is better, one shape for all.
    ways : sequence of lists of pairs
        What is asked of the voter.
    strict : bool
        Whether the ranks have to be so as they are.

    Notes
    -----
    A tie breaks as any one pair asks; whether it does as several pairs ask together, `order_shown` says. Where the
    pairs are at most two, and in every pattern of three models, they never contradict each other within a tie.
    """
    ahead = np.less if strict else np.less_equal
    lists = [np.logical_and.reduce([ahead(ranks[one], ranks[other]) for one, other in way]) for way in ways]
    return np.asarray(np.logical_or.reduce(lists))


def forbidden_at(profile: Profile, pattern: Pattern, *, voters: Sequence[int], roles: Sequence[int]) -> Forbidden:
    """Return the sub-profile that some voters and models, by position, show, with a breaking of their ties."""
    orders = [
        order_shown(profile.ranks[voter], roles, ways) for voter, ways in zip(voters, SHAPES[pattern].ways, strict=True)
    ]
    return Forbidden(
        pattern=pattern,
        roles=tuple(profile.models[role] for role in roles),
        voters=tuple(profile.voters[voter] for voter in voters),
        orders=tuple(tuple((profile.models[model],) for model in order or ()) for order in orders),
    )


def order_shown(row: AnyArray, roles: Sequence[int], ways: Ways) -> list[int] | None:
    """Return a strict order of models that contradicts neither a voter's ranking nor what a pattern asks, or None.

    Parameters
    ----------
    row : ndarray of int
        The ranks of all models for the voter.
    roles : sequence of int
        The models in the roles of the pattern.
    ways : sequence of lists of pairs
        What the pattern asks of the voter.
    """
    for way in ways:
        left, order = sorted(set(roles)), []
        while left:
            # Models of the highest tie that are left, so taken that nothing asked is contradicted: topological sorting.
            best = min(int(row[model]) for model in left)
            held = {roles[other] for one, other in way if roles[one] in left}
            free = [model for model in left if row[model] == best and model not in held]
            if not free:
                break
            order.append(free[0])
            left.remove(free[0])
        else:
            return order
    return None


_EACH = "{a} by {v1}, {b} by {v2}, {c} by {v3}"
_OPPOSED = "{v1} ranks {a} > {b} > {c} and {v2} the other way round, yet both put {d}"
SHAPES: dict[Pattern, Shape] = {
    Pattern.THREE_WORST: Shape(
        asks=("ba ca", "ab cb", "ac bc"), sentence=f"of {{a}}, {{b}} and {{c}} each is put last by one: {_EACH}"
    ),
    Pattern.THREE_BEST: Shape(
        asks=("ab ac", "ba bc", "ca cb"), sentence=f"of {{a}}, {{b}} and {{c}} each is put first by one: {_EACH}"
    ),
    Pattern.THREE_MIDDLE: Shape(
        asks=("ba ac|ca ab", "ab bc|cb ba", "ac cb|bc ca"),
        sentence=f"of {{a}}, {{b}} and {{c}} each is put between the others by one: {_EACH}",
    ),
    Pattern.OPPOSED_BELOW: Shape(asks=("ab bc db", "cb ba db"), sentence=f"{_OPPOSED} above {{b}}"),
    Pattern.OPPOSED_ABOVE: Shape(asks=("ab bc bd", "cb ba bd"), sentence=f"{_OPPOSED} below {{b}}"),
    Pattern.CROSSED: Shape(
        asks=("ab bc cd", "bd da ac"), sentence="{v1} ranks {a} > {b} > {c} > {d} and {v2} ranks {b} > {d} > {a} > {c}"
    ),
    Pattern.EACH_ALONE: Shape(
        asks=("ab dc fe", "ba cd fe", "ba dc ef"),
        sentence="three stand alone: {v1} on {a} and {b}, {v2} on {c} and {d}, {v3} on {e} and {f}",
    ),
    Pattern.ALL_FOUR: Shape(
        asks=("ab cd", "ab dc", "ba cd", "ba dc"),
        sentence="{v1}, {v2}, {v3} and {v4} rank the pairs {a}, {b} and {c}, {d} in all four combinations",
    ),
    Pattern.CYCLE: Shape(
        asks=("ab bc", "bc ca", "ca ab"),
        sentence="{v1} ranks {a} > {b} > {c}, {v2} ranks {b} > {c} > {a} and {v3} ranks {c} > {a} > {b}",
    ),
}
FORBIDDEN: dict[str, tuple[Pattern, ...]] = {
    "single_peaked": (Pattern.THREE_WORST, Pattern.OPPOSED_BELOW),
    "single_caved": (Pattern.THREE_BEST, Pattern.OPPOSED_ABOVE),
    "group_separable": (Pattern.THREE_MIDDLE, Pattern.CROSSED),
    "single_crossing": (Pattern.EACH_ALONE, Pattern.ALL_FOUR),
    "value_restricted": (Pattern.CYCLE,),
    "condorcet_domain": (Pattern.CYCLE,),
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
