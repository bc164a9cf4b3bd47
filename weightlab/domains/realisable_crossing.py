"""What keeps some breaking of weak orders from being single-crossing: pairs that voters can be made to rank so.

Here one voter may be asked about several pairs at once, which can contradict each other inside a tie. But each pair
excludes only few others, so a handful of candidates for each place is enough to look at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from weightlab._typing import AnyArray, BoolArray
from weightlab.domains.forbidden import Pattern
from weightlab.domains.realisable import Demand

__all__ = ["realisable_crossing"]

Pair: TypeAlias = tuple[int, int]

CANDIDATES = 7
"""Two pairs leave out at most three further pairs (each of the two, and the one that closes a triangle), in either
direction: of seven candidates for a third pair one is free. So pairs that fit exist among seven each, or not at all.
"""


def realisable_crossing(ranks: AnyArray) -> Demand | None:
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


def _each_alone(ranks: AnyArray, can: Sequence[BoolArray], voters: list[int]) -> Demand | None:
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


def _all_four(ranks: AnyArray, can: Sequence[BoolArray], voters: list[int]) -> Demand | None:
    """Return pairs (a, b), (c, d) that four voters can be made to rank in all four ways, all at once."""
    i, *rest = voters
    for away in range(3):
        # The last voter opposes the first on both pairs; the other two each side with the first on one of them.
        last = rest[away]
        j, k = (voter for voter in rest if voter != last)
        for first in _candidates(can[i] & can[j] & can[k].T & can[last].T):
            for second in _candidates(can[i] & can[k] & can[j].T & can[last].T):
                pairs = [first, second]
                wanted = [
                    [first, second],
                    [first, second[::-1]],
                    [first[::-1], second],
                    [first[::-1], second[::-1]],
                ]
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
