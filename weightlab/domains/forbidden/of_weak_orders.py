"""Where voters show a forbidden pattern, or some breaking of their ties does, each voter's ties on their own.

A voter can be made to rank models in a strict order exactly if the voter's weak order never contradicts it. What a
pattern asks of different voters can be met separately, so each pattern is a search for different voters (or models)
with one requirement each; Hall's condition on sets of two or three says whether there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import and_

import numpy as np

from weightlab._exact import AnyArray, BoolArray, bits_of, places_of
from weightlab.data import Profile
from weightlab.domains.forbidden.subprofiles import (
    FORBIDDEN,
    SHAPES,
    Forbidden,
    Found,
    Pattern,
    forbidden_at,
    minimal_part,
    order_shown,
    plays,
)
from weightlab.domains.value_restricted import grouped_by_first


def realisable(ranks: AnyArray, domain: str) -> Found | None:
    """Return what keeps some breaking of weak orders out of a domain, or None when nothing does.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed; strict orders have no other breaking.
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
    for first, block in enumerate(grouped_by_first(ranks)):
        for trio in ((0, 1, 2), (0, 2, 1)) if pattern is Pattern.CYCLE else ((0, 1, 2),):
            # Roles x voters x triples: whether the voter's weak order allows it to play the role there.
            can = np.stack([plays([block[one] for one in trio], asked, strict=False) for asked in ways])
            found = np.flatnonzero(_has_representatives(can))
            if len(found):
                second, third = np.triu_indices(ranks.shape[1] - first - 1, k=1)
                triple = [first, first + 1 + int(second[found[0]]), first + 1 + int(third[found[0]])]
                return pattern, _chosen(can[..., found[0]]), [triple[one] for one in trio]
    return None


def _of_opposed(ranks: AnyArray, pattern: Pattern) -> Found | None:
    """Return two voters and a, b, c, d: for both voters and b, the models that can be a, c and d are three sets."""
    asks = [set(ways[0]) for ways in SHAPES[pattern].ways]
    for i in range(len(ranks)):
        for j in range(i):
            # ``above[x, y]``: a breaking of the voter's ties can put x above y, as x is not ranked below it.
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
    """Return a different member of each of a few sets, or None when there are none."""
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
    """Return two voters and a, b, c, d such that a breaking has a > b > c > d and b > d > a > c.

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


# Pairs that voters can be made to rank so. Here one voter is asked about several pairs at once, which can contradict
# each other inside a tie. But each pair excludes only few others, so a handful of candidates for each is enough.

CANDIDATES = 7
"""Two pairs leave out at most three further pairs (each of the two, and the one that closes a triangle), in either
direction: of seven candidates for a third pair one is free. So pairs that fit exist among seven each, or not at all.
"""
ARRANGED = {Pattern.EACH_ALONE: ((0, 1, 2),), Pattern.ALL_FOUR: ((0, 2, 3, 1), (0, 1, 3, 2), (0, 1, 2, 3))}
"""The ways to give increasing voters the parts of a pattern that are not the same again."""


def _of_pairs(ranks: AnyArray, pattern: Pattern) -> Found | None:
    """Return voters and pairs of models that they rank in ways of which no row of voters crosses only once."""
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
"""How patterns of other than three models are looked for."""


def _selections(count: int, size: int) -> Iterator[list[int]]:
    """Yield the increasing selections of ``size`` out of ``count`` numbers."""
    if size == 0:
        yield []
        return
    for last in range(size - 1, count):
        for rest in _selections(last, size - 1):
            yield [*rest, last]
