"""Forbidden sub-profiles that some breaking of the ties of weak orders makes, each voter's ties on their own.

A voter can be made to rank models in a strict order exactly if the voter's weak order never contradicts it. What a
pattern asks of different voters can be met separately, so each pattern is a search for different voters (or models)
with one requirement each; Hall's condition on sets of two or three says whether there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab.domains.forbidden.subprofiles import Pattern
from weightlab.domains.value_restricted import grouped_by_first

Realisation: TypeAlias = tuple[Pattern, list[int], list[int], list[list[int]]]
"""A pattern, voters, models in their roles, and a strict order of the models for each voter, all by position."""


def realisable_triple(ranks: AnyArray, pattern: Pattern) -> Realisation | None:
    """Return a pattern of three voters on three models that a breaking makes, or None when none does.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed.
    pattern : Pattern
        THREE_WORST, THREE_BEST, THREE_MIDDLE or CYCLE.

    Notes
    -----
    O(models^3 x voters).
    """
    able, order = TRIPLES[pattern]
    for first, block in enumerate(grouped_by_first(ranks)):
        for roles in ((0, 1, 2), (0, 2, 1)) if pattern is Pattern.CYCLE else ((0, 1, 2),):
            trio = tuple(block[role] for role in roles)
            # Roles x voters x triples: whether the voter's weak order allows it to play the role there.
            can = np.stack([able(trio[role], trio[(role + 1) % 3], trio[(role + 2) % 3]) for role in range(3)])
            found = np.flatnonzero(_has_representatives(can))
            if len(found) == 0:
                continue
            second, third = np.triu_indices(ranks.shape[1] - first - 1, k=1)
            triple = [first, first + 1 + int(second[found[0]]), first + 1 + int(third[found[0]])]
            models = [triple[role] for role in roles]
            voters = representatives([np.flatnonzero(can[role, :, found[0]]).tolist() for role in range(3)]) or []
            orders = [order(ranks[voter], models, role) for role, voter in enumerate(voters)]
            return pattern, voters, models, orders
    return None


def realisable_without_axis(ranks: AnyArray) -> Realisation | None:
    """Return what keeps some breaking of weak orders from being single-peaked, or None when nothing does.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed.

    Notes
    -----
    Strict orders are single-peaked if and only if neither pattern occurs.

    References
    ----------
    Ballester and Haeringer, "A characterization of the single-peaked domain", Social Choice and Welfare 36 (2011).
    """
    return realisable_triple(ranks, Pattern.THREE_WORST) or realisable_opposed(ranks)


def realisable_opposed(ranks: AnyArray) -> Realisation | None:
    """Return two voters and models a, b, c, d such that a breaking has a > b > c, c > b > a and d > b for both.

    Notes
    -----
    O(models^2 x voters^2): for two voters and b, the models that can be a, c and d are three sets.
    """
    for i in range(len(ranks)):
        for j in range(i):
            # ``above[x, y]``: a breaking of the voter's ties can put x above y, as x is not ranked below it.
            above_i, above_j = (ranks[voter][:, None] <= ranks[voter] for voter in (i, j))
            apart = ~np.eye(ranks.shape[1], dtype=np.bool_)
            can = np.stack([above_i & above_j.T, above_j & above_i.T, above_i & above_j]) & apart
            # Rows are the models that can be a, c or d, columns are b.
            found = np.flatnonzero(_has_representatives(can))
            if len(found):
                b = int(found[0])
                chosen = representatives([np.flatnonzero(can[role, :, b]).tolist() for role in range(3)])
                a, c, d = chosen or (0, 0, 0)
                orders = [_tiers(ranks[i], [[a, d], [b], [c]]), _tiers(ranks[j], [[c, d], [b], [a]])]
                return Pattern.OPPOSED_BELOW, [i, j], [a, b, c, d], orders
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


def _has_representatives(can: BoolArray) -> BoolArray:
    """Return for which columns three sets of rows have three different representatives (Hall's condition)."""
    # For one, two and three of the sets: together they have at least as many members as they are sets.
    one = can.any(axis=1).all(axis=0)
    two = np.ones(can.shape[2], dtype=np.bool_)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        two &= (can[i] | can[j]).sum(axis=0) >= 2
    return np.asarray(one & two & (can.any(axis=0).sum(axis=0) >= 3))


def _tiers(row: AnyArray, tiers: list[list[int]]) -> list[int]:
    """Return models tier by tier, those of a tier as the voter ranks them."""
    return [model for tier in tiers for model in sorted(tier, key=lambda one: int(row[one]))]


def _others(models: list[int], role: int) -> list[int]:
    return [model for place, model in enumerate(models) if place != role]


def _order_middle(row: AnyArray, models: list[int], role: int) -> list[int]:
    better, worse = _tiers(row, [_others(models, role)])
    return [better, models[role], worse]


_Able: TypeAlias = Callable[[AnyArray, AnyArray, AnyArray], BoolArray]
_Order: TypeAlias = Callable[[AnyArray, list[int], int], list[int]]
TRIPLES: dict[Pattern, tuple[_Able, _Order]] = {
    Pattern.THREE_WORST: (
        lambda own, one, other: own >= np.maximum(one, other),
        lambda row, models, role: _tiers(row, [_others(models, role), [models[role]]]),
    ),
    Pattern.THREE_BEST: (
        lambda own, one, other: own <= np.minimum(one, other),
        lambda row, models, role: _tiers(row, [[models[role]], _others(models, role)]),
    ),
    Pattern.THREE_MIDDLE: (
        lambda own, one, other: (np.minimum(one, other) <= own) & (own <= np.maximum(one, other)),
        _order_middle,
    ),
    Pattern.CYCLE: (
        lambda own, one, other: (own <= one) & (one <= other),
        lambda _, models, role: models[role:] + models[:role],
    ),
}
"""Whether a voter can play the part of a role, given the ranks of its model and the two others, and the order then."""


def realisable_crossed(ranks: AnyArray) -> Realisation | None:
    """Return two voters and models a, b, c, d such that a breaking has a > b > c > d and b > d > a > c.

    Notes
    -----
    O(models^3 x voters^2): for two voters, b and c, the best a is one that the second voter ranks lowest, and the
    best d one that it ranks highest.
    """
    for i in range(len(ranks)):
        for j in range(len(ranks)):
            if i != j:
                found = _crossed_by(ranks[i], ranks[j])
                if found is not None:
                    a, b, c, d = found
                    return Pattern.CROSSED, [i, j], found, [[a, b, c, d], [b, d, a, c]]
    return None


def _crossed_by(one: AnyArray, other: AnyArray) -> list[int] | None:
    count = len(one)
    for b in range(count):
        for c in range(count):
            if b == c or one[b] > one[c] or other[b] > other[c]:
                continue
            # One voter needs a above b and d below c, the other a above c and d below b.
            upper = (one <= one[b]) & (other <= other[c])
            lower = (one >= one[c]) & (other >= other[b])
            upper[[b, c]] = lower[[b, c]] = False
            pair = _lowest_and_highest(other, np.flatnonzero(upper), np.flatnonzero(lower))
            if pair is not None:
                return [pair[0], b, c, pair[1]]
    return None


def _lowest_and_highest(row: AnyArray, upper: AnyArray, lower: AnyArray) -> tuple[int, int] | None:
    """Return different a of one set and d of another with d ranked at least as high as a, if there are any."""
    # As a and d must differ, the second-best candidate is needed at most once: two of each are enough.
    by_a = upper[np.argsort(-row[upper], kind="stable")][:2].tolist()
    by_d = lower[np.argsort(row[lower], kind="stable")][:2].tolist()
    return next(((a, d) for a in by_a for d in by_d if a != d and row[d] <= row[a]), None)


# What keeps some breaking of weak orders from being single-crossing: pairs that voters can be made to rank so.
#
# Here one voter may be asked about several pairs at once, which can contradict each other inside a tie. But each pair
# excludes only few others, so a handful of candidates for each place is enough to look at.

Pair: TypeAlias = tuple[int, int]
CANDIDATES = 7
"""Two pairs leave out at most three further pairs (each of the two, and the one that closes a triangle), in either
direction: of seven candidates for a third pair one is free. So pairs that fit exist among seven each, or not at all.
"""


def realisable_crossing(ranks: AnyArray) -> Realisation | None:
    """Return voters and pairs of models that, in some breaking, no row of voters crosses only once.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed.

    Notes
    -----
    O(models^2 x voters^4): all three and all four voters.
    """
    can = [ranks[voter][:, None] <= ranks[voter] for voter in range(len(ranks))]
    for one in can:
        np.fill_diagonal(one, val=False)
    for voters in _selections(len(ranks), 3):
        found = _each_alone(ranks, can, voters)
        if found is not None:
            return found
    for voters in _selections(len(ranks), 4):
        found = _all_four(ranks, can, voters)
        if found is not None:
            return found
    return None


def _each_alone(ranks: AnyArray, can: Sequence[BoolArray], voters: list[int]) -> Realisation | None:
    """Return pairs (a, b), (c, d), (e, f) on each of which one of three voters can stand alone, all at once."""
    choices = []
    for alone in voters:
        others = [voter for voter in voters if voter != alone]
        choices.append(_candidates(can[alone] & can[others[0]].T & can[others[1]].T))
    for first in choices[0]:
        for second in choices[1]:
            for third in choices[2]:
                pairs = [first, second, third]
                wanted = [
                    [pair if own == place else pair[::-1] for own, pair in enumerate(pairs)] for place in range(3)
                ]
                orders = _orders(ranks, voters, pairs, wanted)
                if orders is not None:
                    return Pattern.EACH_ALONE, voters, [model for pair in pairs for model in pair], orders
    return None


def _all_four(ranks: AnyArray, can: Sequence[BoolArray], voters: list[int]) -> Realisation | None:
    """Return pairs (a, b), (c, d) that four voters can be made to rank in all four ways, all at once."""
    i, *rest = voters
    for away in range(3):
        # The last voter opposes the first on both pairs; the other two each side with the first on one of them.
        last = rest[away]
        j, k = (voter for voter in rest if voter != last)
        for first in _candidates(can[i] & can[j] & can[k].T & can[last].T):
            for second in _candidates(can[i] & can[k] & can[j].T & can[last].T):
                pairs = [first, second]
                wanted = [[first, second], [first, second[::-1]], [first[::-1], second], [first[::-1], second[::-1]]]
                orders = _orders(ranks, [i, j, k, last], pairs, wanted)
                if orders is not None:
                    return Pattern.ALL_FOUR, [i, j, k, last], [*first, *second], orders
    return None


def _orders(
    ranks: AnyArray, voters: Sequence[int], pairs: Sequence[Pair], wanted: Sequence[Sequence[Pair]]
) -> list[list[int]] | None:
    """Return for each voter an order of the models of the pairs that ranks the pairs as wanted, if there is one."""
    models = sorted({model for pair in pairs for model in pair})
    orders = [broken_order(ranks[voter], models, asked) for voter, asked in zip(voters, wanted, strict=True)]
    return [order for order in orders if order is not None] if all(orders) else None


def broken_order(row: AnyArray, models: Sequence[int], wanted: Sequence[Pair]) -> list[int] | None:
    """Return a strict order of models that contradicts neither a weak order nor what is wanted, or None.

    Parameters
    ----------
    row : ndarray of int
        The ranks of the weak order.
    models : sequence of int
        What to order.
    wanted : sequence of pairs
        Who has to come before whom; no pair contradicts the weak order by itself.
    """
    left, order = list(models), []
    while left:
        # Models of the highest tie that are left, taken so that no wish is contradicted: topological sorting by hand.
        best = min(int(row[model]) for model in left)
        held = {after for before, after in wanted if before in left}
        free = [model for model in left if row[model] == best and model not in held]
        if not free:
            return None
        order.append(free[0])
        left.remove(free[0])
    return order


def _candidates(related: BoolArray) -> list[Pair]:
    return [(int(one), int(other)) for one, other in np.argwhere(related)[:CANDIDATES]]


def _selections(count: int, size: int) -> Iterator[list[int]]:
    """Yield the increasing selections of ``size`` out of ``count`` numbers."""
    if size == 0:
        yield []
        return
    for last in range(size - 1, count):
        for rest in _selections(last, size - 1):
            yield [*rest, last]
