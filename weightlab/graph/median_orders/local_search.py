"""Good orders, fast: single models move to where they cost least, and the search starts anew from orders nearby."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray
from weightlab._solver import is_past
from weightlab.graph.median_orders.branching import order_cost

KICKS, PATIENT_KICKS = 200, 1_500
"""How often the search starts anew without finding anything cheaper; where there is time, from anywhere again."""


def improved_order(net: AnyArray, order: AnyArray, deadline: float | None = None) -> AnyArray:
    """Return an order, best first, that no move of a single model betters.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    order : ndarray of int
        Where to start. The result costs no more.
    deadline : float or None
        The ``time.monotonic()`` at which to stop.

    Notes
    -----
    A pass over the models takes O(n^2); every move gains at least one.
    """
    order = np.array(order)
    moved = len(order) > 1
    while moved and not is_past(deadline):
        moved = False
        # One sweep over all rows says which models have anything to gain; they alone are looked at one by one.
        before = np.cumsum(net[np.ix_(order, order)], axis=1)
        here, least = np.diagonal(before), np.minimum(before.min(axis=1), 0)
        for model in order[np.flatnonzero(here > least)].tolist():
            moved |= _moved(net[model], order, model)
    return order


def _moved(gains: AnyArray, order: AnyArray, model: int) -> bool:
    """Move a model, in place, to where it costs least; tell whether that gains anything."""
    place = int(np.flatnonzero(order == model)[0])
    # ``before[p]``: what the model wins over those in the places up to p. Below these and above the rest it forgoes
    # just that, so the least prefix sum is the best place; the empty one, 0, is the top.
    before = np.cumsum(gains[order])
    best = int(before.argmin())
    if before[best] >= 0:
        best = -1
    if before[place] <= (0 if best < 0 else before[best]):
        return False
    if best < place:
        order[best + 2 : place + 1] = order[best + 1 : place]
        order[best + 1] = model
    else:
        order[place:best] = order[place + 1 : best + 1]
        order[best] = model
    return True


def good_order(
    net: AnyArray, order: AnyArray, enough: int, deadline: float | None = None, *, kicks: int = KICKS
) -> AnyArray:
    """Return an order that is hard to better by local search (Schiavinotto and Stützle 2004), no chance being in it.

    Parameters
    ----------
    net : ndarray of int, models x models
        The costs, as in ``improved_order``.
    order : ndarray of int
        Where to start. The result costs no more.
    enough : int
        A cost at which to stop: no order costs less.
    deadline : float or None
        The ``time.monotonic()`` at which to stop.
    kicks : int
        So often without finding anything cheaper the search starts anew, and ten times as often in all.
    """
    draw = np.random.default_rng(0)
    best = improved_order(net, order, deadline)
    cost = order_cost(net, best)
    idle = 0
    for _ in range(10 * kicks):
        if cost <= enough or idle == kicks or is_past(deadline):
            break
        idle += 1
        # A few models are put anywhere, and the search starts anew from there.
        count = min(int(draw.integers(3, 4 + len(order) // 10)), len(order))
        moving = draw.choice(len(order), count, replace=False)
        rest = best[~np.isin(best, moving)]
        start = np.insert(rest, draw.integers(0, len(rest) + 1, count), moving)
        found = improved_order(net, start, deadline)
        found_cost = order_cost(net, found)
        if found_cost < cost:
            idle = 0
        if found_cost <= cost:
            best, cost = found, found_cost
    return best


def best_order_until(net: AnyArray, order: AnyArray, enough: int, deadline: float) -> AnyArray:
    """Return the best of ``good_order`` from this order, and from others at random until the time is over."""
    draw = np.random.default_rng(0)
    best = good_order(net, order, enough, deadline, kicks=PATIENT_KICKS)
    while order_cost(net, best) > enough and not is_past(deadline):
        found = good_order(net, draw.permutation(len(order)), enough, deadline, kicks=PATIENT_KICKS)
        best = min(best, found, key=lambda one: order_cost(net, one))
    return best
