"""Exact search over the orders that a bound leaves: one state for each set of models that can stand on top."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weightlab._typing import AnyArray, BoolArray

__all__ = ["LeastOrders", "TooManyIdealsError", "least_orders"]

MOST_IDEALS = 2**18
"""So many sets of models are looked at; beyond, the search gives up."""


class TooManyIdealsError(Exception):
    """There are too many sets of models that can stand on top."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastOrders:
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
    """

    cost: int
    order: AnyArray
    possible: BoolArray
    number: int


@dataclass(frozen=True, kw_only=True, eq=False)
class _Step:
    """All ways to put one more model below those that stand already.

    ``state`` and ``onward`` are places among the sets before and after, ``model`` is what is added, ``price`` what
    that costs: the sum over the models still missing.
    """

    state: AnyArray
    model: AnyArray
    onward: AnyArray
    price: AnyArray


def least_orders(cost: AnyArray, excess: AnyArray, room: int, forced: BoolArray) -> LeastOrders | None:
    """Return the orders of least cost among those whose excess fits into the room and that keep the forced pairs.

    Parameters
    ----------
    cost : ndarray of int, models x models
        What it costs that the row stands above the column; not negative.
    excess : ndarray of int, models x models
        What that uses up of the room; not negative. Some orders that use up more may be among the result.
    room : int
        How much may be used up.
    forced : ndarray of bool, models x models
        Pairs that must stand so; transitive.

    Returns
    -------
    LeastOrders or None
        None where no order is allowed.

    Raises
    ------
    TooManyIdealsError
        When more than ``MOST_IDEALS`` sets of models can stand on top.

    Notes
    -----
    Dynamic programming over the ideals of the forced order: the cost of what follows depends on which models stand
    above already, not on their order. All arithmetic is on integers.
    """
    count = len(cost)
    tables = (_products_ready(cost), _products_ready(excess))
    sets = [np.zeros((1, count), dtype=np.bool_)]
    steps: list[_Step] = []
    best, used = [np.zeros(1, dtype=tables[0].dtype)], np.zeros(1, dtype=tables[1].dtype)
    total = 1
    for _ in range(count):
        state, model = _ways_on(sets[-1], forced)
        price, extra = (_price(table, sets[-1], state, model) for table in tables)
        fits = used[state] + extra <= room
        state, model, price, extra = state[fits], model[fits], price[fits], extra[fits]
        if not len(state):
            return None
        reached = sets[-1][state]
        reached[np.arange(len(state)), model] = True
        found, onward = _distinct(reached)
        total += len(found)
        if total > MOST_IDEALS:
            raise TooManyIdealsError
        steps.append(_Step(state=state, model=model, onward=onward, price=price))
        sets.append(found)
        best.append(_least(best[-1][state] + price, onward, len(found)))
        used = _least(used[state] + extra, onward, len(found))
    return _read_off(sets, steps, best)


def _ways_on(sets: BoolArray, forced: BoolArray) -> tuple[AnyArray, AnyArray]:
    """Return the pairs of a set and a model that may come next: all that must stand above it do."""
    above = sets.astype(np.float32) @ forced.astype(np.float32)
    state, model = np.nonzero(~sets & (above == forced.sum(axis=0)))
    return state, model


def _price(table: AnyArray, sets: BoolArray, state: AnyArray, model: AnyArray) -> AnyArray:
    """Return what it costs to put each model above all that its set does not hold yet."""
    counted = sets.astype(table.dtype) @ table.T
    return np.asarray(table.sum(axis=1)[model] - counted[state, model])


def _products_ready(table: AnyArray) -> AnyArray:
    """Return the table as floats where sums of its integers are exact in them, which is fast, else as Python ints."""
    small = int(table.sum()) * len(table) < 2**53
    return table.astype(np.float64) if small else table.astype(object)


def _distinct(sets: BoolArray) -> tuple[BoolArray, AnyArray]:
    """Return the distinct sets, and which of them each set is."""
    count = sets.shape[1]
    packed = np.packbits(sets, axis=1)
    words = np.zeros((len(sets), -(-count // 64) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    keys = words.view(np.uint64)
    if keys.shape[1] == 1:
        _, first, onward = np.unique(keys[:, 0], return_index=True, return_inverse=True)
    else:
        _, first, onward = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return sets[first], onward.reshape(-1)


def _least(values: AnyArray, groups: AnyArray, count: int) -> AnyArray:
    """Return the least value of each group; none is empty."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(count))
    return np.asarray(np.minimum.reduceat(values[order], starts))


def _read_off(sets: list[BoolArray], steps: list[_Step], best: list[AnyArray]) -> LeastOrders:
    """Walk back from the full set along the ways of least cost."""
    size = len(steps)
    possible = np.zeros((size, size), dtype=np.bool_)
    order = np.zeros(size, dtype=np.int64)
    wanted = np.ones(1, dtype=np.bool_)  # which sets lie on a way of least cost to the full set
    kept: list[tuple[_Step, AnyArray]] = []
    current = 0
    for place in range(size - 1, -1, -1):
        step = steps[place]
        tight = wanted[step.onward] & (best[place][step.state] + step.price == best[place + 1][step.onward])
        ways = np.flatnonzero(tight)
        way = ways[step.onward[ways] == current][0]
        order[place], current = step.model[way], step.state[way]
        kept.append((step, ways))
        wanted = np.zeros(len(sets[place]), dtype=np.bool_)
        wanted[step.state[ways]] = True
        chosen = np.zeros((len(ways), size), dtype=np.float32)
        chosen[np.arange(len(ways)), step.model[ways]] = 1
        possible |= chosen.T @ (~sets[place][step.state[ways]]).astype(np.float32) > 0
    np.fill_diagonal(possible, val=False)
    return LeastOrders(cost=int(best[-1][0]), order=order, possible=possible, number=_number(kept[::-1]))


def _number(steps: list[tuple[_Step, AnyArray]]) -> int:
    """Return how many ways of least cost there are."""
    ways = np.ones(1, dtype=object)
    for step, tight in steps:
        onward = np.zeros(int(step.onward.max()) + 1, dtype=object)
        np.add.at(onward, step.onward[tight], ways[step.state[tight]])
        ways = onward
    return int(ways[0])
