"""One order of names that agrees with several."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from weightlab.data.tables import first_appearances

__all__ = ["one_order"]


def one_order(orders: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the order of first appearance where all orders agree with it, else one with which they do.

    Where they contradict each other it is the order of first appearance.
    """
    together = first_appearances(orders)
    place = {name: position for position, name in enumerate(together)}
    pairs = [(order[i], order[i + 1]) for order in orders for i in range(len(order) - 1)]
    if all(place[before] < place[after] for before, after in pairs):
        return together
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(together, ()))
    for before, after in pairs:
        sorter.add(after, before)
    try:
        return tuple(sorter.static_order())
    except CycleError:
        return together
