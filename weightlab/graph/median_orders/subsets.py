"""Orders of least cost of a few models, by dynamic programming over all sets that can stand on top."""

from __future__ import annotations

from typing import Any

import numpy as np

from weightlab._exact import FLOAT_EXACT, AnyArray, BoolArray
from weightlab._result import Frozen

MOST_MODELS = 22
"""So many models have four million sets: three seconds and 200 MB."""
NEVER = 2 * FLOAT_EXACT
"""The cost of what is not allowed."""


class LeastOrders(Frozen):
    """The orders of least cost among those allowed.

    Attributes
    ----------
    cost : int
        What they cost.
    order : ndarray of int
        One of them, best first.
    possible : ndarray of bool, models x models
        Whether the row stands above the column in some of them.
    number : int
        How many they are.
    first, last : ndarray of int
        The least and the greatest place, from 0, that each model takes in one of them.
    """

    cost: int
    order: AnyArray
    possible: BoolArray
    number: int
    first: AnyArray
    last: AnyArray


def least_of_all_orders(cost: AnyArray, forced: BoolArray) -> LeastOrders:
    """Return the orders of least cost among those that keep the forced pairs, of ``MOST_MODELS`` models at most.

    Parameters
    ----------
    cost : ndarray of int, models x models
        What it costs that the row stands above the column; not negative, and all of it below 2^53.
    forced : ndarray of bool, models x models
        Pairs that must stand so; transitive.

    Notes
    -----
    M. Held and R. M. Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10 (1962): of the models
    that stand on top only the set matters for what is put below. O(models 2^models) in whole-array steps.
    """
    table = _Table(cost, forced)
    return LeastOrders(cost=int(table.least[-1]), order=table.order(), **table.all_least())


class _Table:
    """The least cost of each set of models on top, sets as bits."""

    def __init__(self, cost: AnyArray, forced: BoolArray) -> None:
        self.count = len(cost)
        sets = np.arange(1 << self.count, dtype=np.int32)
        sizes = np.bitwise_count(sets)
        by_size = np.argsort(sizes, kind="stable").astype(np.int32)
        half = self.count // 2
        self._low = (1 << half) - 1
        self._half = half
        # What it costs that the models of a set stand above one: half of the bits at a time, so that tables are small.
        self._prices = [(_sums(one[:half]), _sums(one[half:])) for one in cost.T.astype(np.int64)]
        self._needed = [sum(1 << int(place) for place in np.flatnonzero(one)) for one in forced.T]
        self.least = np.full(len(sets), NEVER, dtype=np.int64)
        self.least[0] = 0
        for layer in np.split(by_size, np.cumsum(np.bincount(sizes))[:-1])[1:]:
            best = self._with_last(layer, 0)
            for model in range(1, self.count):
                np.minimum(best, self._with_last(layer, model), out=best)
            self.least[layer] = best

    def _with_last(self, sets: AnyArray, model: int) -> AnyArray:
        """Return the least cost of sets with this model as the last of them."""
        before = sets & ~(1 << model)
        low, high = self._prices[model]
        needed = self._needed[model]
        total = self.least[before] + low[before & self._low] + high[before >> self._half]
        total[(before == sets) | (before & needed != needed)] = NEVER
        return np.asarray(total)

    def order(self) -> AnyArray:
        """Return an order of least cost, best first."""
        order, left = [], np.array([len(self.least) - 1], dtype=np.int32)
        while left[0]:
            costs = [int(self._with_last(left, model)[0]) for model in range(self.count)]
            order.append(costs.index(min(costs)))
            left = left & ~(1 << order[-1])
        return np.array(order[::-1], dtype=np.int64)

    def all_least(self) -> dict[str, Any]:
        """Return what all orders of least cost have in common, and how many they are."""
        possible, stands = np.zeros((2, self.count, self.count), dtype=np.bool_)
        # From the full set down: the ways that end in a least order. Python integers count them, up to n! of them.
        ways: dict[int, int] = {len(self.least) - 1: 1}
        for place in reversed(range(self.count)):
            sets, before = np.array(list(ways), dtype=np.int32), dict[int, int]()
            for model in range(self.count):
                tight = sets[self._with_last(sets, model) == self.least[sets]]
                stands[model, place] = len(tight) > 0
                for one in tight.tolist():
                    rest = one ^ (1 << model)
                    before[rest] = before.get(rest, 0) + ways[one]
                # A model that is the last of a set stands above all that are not in it.
                outside = len(self.least) - 1 & ~int(np.bitwise_and.reduce(tight)) if len(tight) else 0
                possible[model] |= (outside >> np.arange(self.count) & 1).astype(np.bool_)
            ways = before
        return {"possible": possible, "number": ways[0], **ends_of(stands)}


def ends_of(stands: BoolArray) -> dict[str, AnyArray]:
    """Return the first and the last place of each model, given whether it stands in each (models x places)."""
    return {"first": stands.argmax(axis=1), "last": len(stands) - 1 - stands[:, ::-1].argmax(axis=1)}


def _sums(values: AnyArray) -> AnyArray:
    """Return the sum of each subset, subsets as bits."""
    sums = np.zeros(1, dtype=np.int64)
    for one in values.tolist():
        sums = np.concatenate([sums, sums + one])
    return sums
