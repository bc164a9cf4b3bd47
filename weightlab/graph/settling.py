"""From a bound to the exact optimum: what every cheap enough order has in common, and a search among the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from weightlab._typing import AnyArray, BoolArray
from weightlab.graph.ideals import least_orders
from weightlab.graph.triangles import Triangles

__all__ = ["Settled", "forced_pairs", "order_cost", "settle"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Settled:
    """What is proved of all orders whose cost is within the target.

    Attributes
    ----------
    cost : int
        The least cost.
    order : ndarray of int
        An order of that cost, best first.
    shared : ndarray of bool, models x models
        Whether the row stands above the column in every order of least cost.
    number : int
        How many orders of least cost there are.
    """

    cost: int
    order: AnyArray
    shared: BoolArray
    number: int


def settle(net: AnyArray, triangles: Triangles, target: int, given: BoolArray) -> Settled | None:
    """Return the least cost of an order and all that orders of that cost share, if the least cost is within a target.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    triangles : Triangles
        Multipliers that give a bound, any.
    target : int
        The cost not to be exceeded.
    given : ndarray of bool, models x models
        Pairs that are known to stand so, and without a cycle.

    Returns
    -------
    Settled or None
        None when every order costs more than the target.

    Raises
    ------
    TooManyIdealsError
        When the bound leaves too much open.

    Notes
    -----
    An order within the target has no pair whose excess over the bound is more than the room between bound and target.
    The pairs that are left open fall into parts that share no open pair; each is searched by itself, and whatever
    orders of the parts are put together are an order of all.
    """
    # Reduced-cost fixing, in integers: the bound plus the excess of a pair taken the dear way is a bound on its orders.
    bound, excess = triangles.bound_and_excess(net)
    room = target * triangles.scale - bound
    forced = forced_pairs(net, triangles, target, given)
    if room < 0 or np.diagonal(forced).any():
        return None
    cost = np.maximum(net.T, 0)
    above = forced.copy()
    shared = forced.copy()
    number = 1
    for part in _parts(~(forced | forced.T)):
        # Parts share the room, yet each is given all of it: that can only leave more orders to search, never lose one.
        square = np.ix_(part, part)
        least = least_orders(cost[square], excess[square], room, forced[square])
        if least is None:
            return None
        place = np.argsort(least.order)
        above[square] = place[:, None] < place
        shared[square] = least.possible & ~least.possible.T
        # Least orders of the parts combine freely, so their numbers multiply.
        number *= least.number
    total = int(cost[above].sum())
    if total > target:
        return None
    return Settled(cost=total, order=np.argsort(-above.sum(axis=1), kind="stable"), shared=shared, number=number)


def forced_pairs(net: AnyArray, triangles: Triangles, target: int, given: BoolArray) -> BoolArray:
    """Return the pairs that stand so in every order within the target, by their excess and by transitivity."""
    # ``excess[j, i] > room``: no order within the target has j above i, so i stands above j.
    bound, excess = triangles.bound_and_excess(net)
    room = target * triangles.scale - bound
    return transitive_closure(np.asarray(room < excess.T, dtype=np.bool_) | given)


def order_cost(net: AnyArray, order: AnyArray) -> int:
    """Return what an order costs, best first."""
    ordered = net[np.ix_(order, order)]
    return int(np.maximum(-ordered[np.triu_indices(len(ordered), 1)], 0).sum())


def transitive_closure(relation: BoolArray) -> BoolArray:
    """Return who stands above whom by a chain; a model above itself shows a cycle. O(n^3) in whole-row operations."""
    # Warshall's algorithm, one middle model at a time, all rows and columns at once.
    closed = relation.copy()
    for middle in range(len(closed)):
        closed |= closed[:, middle, None] & closed[middle]
    return closed


def _parts(open_pairs: BoolArray) -> list[AnyArray]:
    """Return the sets of models that open pairs connect."""
    linked = open_pairs.copy()
    np.fill_diagonal(linked, val=False)
    count, part = connected_components(linked, directed=False)
    if count == len(linked):
        return []
    sizes = np.bincount(part)
    return [np.flatnonzero(part == one) for one in np.flatnonzero(sizes > 1)]
