"""Forbidden sub-profiles: the small pictures that a profile of a domain never contains.

Each pattern lists, voter by voter, which models must be above which. Searches, tie-breaking and checks all use this one
statement.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from functools import cached_property, reduce
from operator import and_
from typing import TypeAlias, TypeVar

import numpy as np

from weightlab._exact import AnyArray, BoolArray, bits_of, places_of
from weightlab._result import Frozen, Record, ensure
from weightlab._solver import Rows
from weightlab.data import Order, Profile
from weightlab.domains.result import ranks_of_part
from weightlab.domains.value_restricted import triples_by_first

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
        For each voter the pairs of roles whose first must be above the second, such as ``"ab bc"``; ``"|"`` separates
        two alternative lists.
    sentence : str
        What voters ``v1``, ``v2``, ... do with the models in their roles.
    """

    asks: tuple[str, ...]
    sentence: str

    @cached_property
    def ways(self) -> tuple[Ways, ...]:
        """Pairs required of each voter, by the numbers of the roles."""
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
            Profile that is claimed to contain it.
        allowed : collection of Pattern
            Which patterns are forbidden in the domain.
        broken : bool
            Whether the orders break the profile's ties instead of being its own.
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
    """Return where ranks meet a pattern's requirement for one voter, or can do so once ties are broken.

    Parameters
    ----------
    ranks : sequence of ndarray
        The ranks of the model in each role, lower is better, one shape for all.
    ways : sequence of lists of pairs
        Alternative requirements for the voter.
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
    """Return the sub-profile of some voters and models, by position, with their ties broken."""
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
            # Take the remaining models of the highest tie in an order that meets the requirements: topological sorting.
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
"""For each domain its patterns: strict orders outside it contain at least one, those inside it none."""

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


# Where voters show a forbidden pattern, possibly after breaking ties, each voter's ties independently.
#
# A voter can be made to rank models in a strict order exactly if the voter's weak order never contradicts it. What a
# pattern asks of different voters can be met separately, so each pattern is a search for different voters (or models)
# with one requirement each; Hall's condition on sets of two or three says whether there are any.


def realisable(ranks: AnyArray, domain: str) -> Found | None:
    """Return a forbidden sub-profile of weak orders with some ties broken, or None if there is none.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed; strict orders have no ties to break.
    domain : str
        A domain that is known by forbidden sub-profiles.

    Notes
    -----
    Three voters and three models take O(models^3 x voters), opposed rankings O(models^2 x voters^2), crossed ones
    O(models^3 x voters^2), pairs O(models^2 x voters^4).
    """
    fitting = (pattern for pattern in FORBIDDEN[domain] if len(SHAPES[pattern].asks) <= len(ranks))
    found = (SEARCHES.get(pattern, _of_three)(ranks, pattern) for pattern in fitting)
    return next((one for one in found if one is not None), None)


def least_forbidden(profile: Profile, domain: str, fails: Callable[[list[int]], bool]) -> Forbidden:
    """Return the forbidden sub-profile that strict orders show which a test says are not of a domain.

    Parameters
    ----------
    profile : Profile
        Strict rankings.
    domain : str
        The domain.
    fails : callable
        Whether the rankings of some voters, by position, are not of the domain.
    """
    # As many voters as the pattern has: by the theorem of the domain they show it.
    voters = sorted(minimal_part(range(len(profile.voters)), lambda some: bool(some) and fails(some)))
    ranks, models = profile.ranks[voters], list(range(len(profile.models)))
    if domain == "single_crossing":  # a model may have several roles, so there may be fewer
        models = minimal_part(models, lambda some: realisable(ranks[:, some], domain) is not None)
    found = realisable(ranks[:, models], domain)
    if found is None:
        raise AssertionError(f"voters whose rankings are not {domain} show a forbidden sub-profile")
    pattern, own, roles = found
    if len(roles) == 3:  # each voter has one role, and they are named as they stand in the profile
        own, roles = map(list, zip(*sorted(zip(own, roles, strict=True)), strict=True))
    return forbidden_at(profile, pattern, voters=[voters[one] for one in own], roles=[models[one] for one in roles])


def _of_three(ranks: AnyArray, pattern: Pattern) -> Found | None:
    """Return three voters on three models."""
    ways = SHAPES[pattern].ways
    for first, second, third in triples_by_first(ranks.shape[1]):
        block = ranks[:, first, None], ranks[:, second], ranks[:, third]
        for trio in ((0, 1, 2), (0, 2, 1)) if pattern is Pattern.CYCLE else ((0, 1, 2),):
            # Roles x voters x triples: whether the voter's weak order allows it to play the role there.
            can = np.stack([plays([block[one] for one in trio], asked, strict=False) for asked in ways])
            found = np.flatnonzero(_has_representatives(can))
            if len(found):
                triple = [first, int(second[found[0]]), int(third[found[0]])]
                return pattern, _chosen(can[..., found[0]]), [triple[one] for one in trio]
    return None


def _of_opposed(ranks: AnyArray, pattern: Pattern) -> Found | None:
    """Return two voters and a, b, c, d: for both voters and b, the models that can be a, c and d are three sets."""
    asks = [set(ways[0]) for ways in SHAPES[pattern].ways]
    for i in range(len(ranks)):
        for j in range(i):
            # ``above[x, y]``: breaking the voter's ties can put x above y, as x is not ranked below it.
            above = [ranks[voter][:, None] <= ranks[voter] for voter in (i, j)]
            sides = [
                [one if (role, 1) in asked else one.T for one, asked in zip(above, asks, strict=True)]
                for role in (0, 2, 3)
            ]
            can = np.array([one & other for one, other in sides]) & ~np.eye(ranks.shape[1], dtype=np.bool_)
            # Rows are the models that can be a, c or d, columns are b.
            found = np.flatnonzero(_has_representatives(can))
            if len(found):
                a, c, d = _chosen(can[..., found[0]])
                return pattern, [i, j], [a, int(found[0]), c, d]
    return None


def representatives(sets: Sequence[Sequence[int]]) -> list[int] | None:
    """Return a different member of each of a few sets, or None if that is impossible."""
    if not sets:
        return []
    # Deciding the smallest set first leaves the most room; two or three others never need more than three members.
    place = min(range(len(sets)), key=lambda one: len(sets[one]))
    for member in sets[place][: len(sets)]:
        others = [[one for one in some if one != member] for k, some in enumerate(sets) if k != place]
        rest = representatives(others)
        if rest is not None:
            return [*rest[:place], member, *rest[place:]]
    return None


def _chosen(can: BoolArray) -> list[int]:
    return representatives([np.flatnonzero(one).tolist() for one in can]) or []


def _has_representatives(can: BoolArray) -> BoolArray:
    """Return for which columns three sets of rows have three different representatives (Hall's condition)."""
    # For one, two and three of the sets: together they have at least as many members as they are sets.
    one = can.any(axis=1).all(axis=0)
    two = np.ones(can.shape[2], dtype=np.bool_)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        two &= (can[i] | can[j]).sum(axis=0) >= 2
    return np.asarray(one & two & (can.any(axis=0).sum(axis=0) >= 3))


def _of_crossed(ranks: AnyArray, pattern: Pattern) -> Found | None:
    """Return two voters and a, b, c, d such that breaking ties can give a > b > c > d and b > d > a > c.

    Notes
    -----
    For two voters, b and c, the best a is one that the second voter ranks lowest, and the best d one that it ranks
    highest. Lines of its own: trying every a and d takes ten times as long.
    """
    for i in range(len(ranks)):
        for j in range(len(ranks)):
            found = _crossed_by(ranks[i], ranks[j]) if i != j else None
            if found is not None:
                return pattern, [i, j], found
    return None


def _crossed_by(one: AnyArray, other: AnyArray) -> list[int] | None:
    above = (one[:, None] <= one) & (other[:, None] <= other) & ~np.eye(len(one), dtype=np.bool_)
    for b, c in np.argwhere(above).tolist():
        # One voter needs a above b and d below c, the other a above c and d below b.
        upper = (one <= one[b]) & (other <= other[c])
        lower = (one >= one[c]) & (other >= other[b])
        upper[[b, c]] = lower[[b, c]] = False
        # As a and d must differ, the second-best candidate is needed at most once: two of each are enough.
        a_or, d_or = np.flatnonzero(upper), np.flatnonzero(lower)
        by_a = a_or[np.argsort(-other[a_or], kind="stable")][:2].tolist()
        by_d = d_or[np.argsort(other[d_or], kind="stable")][:2].tolist()
        pair = next(((a, d) for a in by_a for d in by_d if a != d and other[d] <= other[a]), None)
        if pair is not None:
            return [pair[0], b, c, pair[1]]
    return None


# Pairs that voters can be made to rank so. Here one voter faces requirements on several pairs at once, which can
# conflict inside a tie. But each pair excludes only few others, so a handful of candidates for each is enough.

CANDIDATES = 7
"""Two pairs leave out at most three further pairs (each of the two, and the one that closes a triangle), in either
direction: of seven candidates for a third pair one is free. So pairs that fit exist among seven each, or not at all.
"""
ARRANGED = {Pattern.EACH_ALONE: ((0, 1, 2),), Pattern.ALL_FOUR: ((0, 2, 3, 1), (0, 1, 3, 2), (0, 1, 2, 3))}
"""The ways to give increasing voters the parts of a pattern that are not the same again."""


def _of_pairs(ranks: AnyArray, pattern: Pattern) -> Found | None:
    """Return voters and pairs of models whose rankings cross more than once in every row of voters."""
    width = ranks.shape[1]
    above = (ranks[:, :, None] <= ranks[:, None, :]) & ~np.eye(width, dtype=np.bool_)
    # All pairs of models as bits: those that a voter can be made to rank so, and those the other way round.
    able, turned = (bits_of(one.reshape(len(ranks), -1)) for one in (above, above.transpose(0, 2, 1)))
    asks = [ways[0] for ways in SHAPES[pattern].ways]
    sides = [[(place, place + 1) in ask for ask in asks] for place in range(0, SHAPES[pattern].roles, 2)]
    for some in _selections(len(ranks), len(asks)):
        for voters in ([some[place] for place in arranged] for arranged in ARRANGED[pattern]):
            both = [
                reduce(and_, (able[v] if first else turned[v] for v, first in zip(voters, side, strict=True)))
                for side in sides
            ]
            if not all(both):
                continue
            pairs = [[divmod(one, width) for one in [*places_of(bits)][:CANDIDATES]] for bits in both]
            for places in np.ndindex(*map(len, pairs)):
                roles = [model for own, place in zip(pairs, places, strict=True) for model in own[place]]
                if all(order_shown(ranks[v], roles, (ask,)) for v, ask in zip(voters, asks, strict=True)):
                    return pattern, voters, roles
    return None


SEARCHES: dict[Pattern, Callable[[AnyArray, Pattern], Found | None]] = {
    Pattern.OPPOSED_BELOW: _of_opposed,
    Pattern.OPPOSED_ABOVE: _of_opposed,
    Pattern.CROSSED: _of_crossed,
    Pattern.EACH_ALONE: _of_pairs,
    Pattern.ALL_FOUR: _of_pairs,
}
"""Searches for patterns with other than three models."""


def _selections(count: int, size: int) -> Iterator[list[int]]:
    """Yield the increasing selections of ``size`` out of ``count`` numbers."""
    if size == 0:
        yield []
        return
    for last in range(size - 1, count):
        for rest in _selections(last, size - 1):
            yield [*rest, last]


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
