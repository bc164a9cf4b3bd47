"""Good orders and their bounds, fast: models that move one at a time, and multipliers raised step by step."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray
from weightlab._solver import is_past
from weightlab.graph.median_orders.exact_search import order_cost
from weightlab.graph.median_orders.triangle_relaxation import Triangles, rounded, rounding_unit, violated_triangles

KICKS = 200
"""Fresh starts without a cheaper order after which the search ends."""


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
        # One sweep over all rows says which models have anything to gain; they alone are examined one by one.
        before = np.cumsum(net[np.ix_(order, order)], axis=1)
        for model in order[np.diagonal(before) > np.minimum(before.min(axis=1), 0)].tolist():
            place, rest = int(np.flatnonzero(order == model)[0]), order[order != model]
            # Above the models from place p on the model wins ``wins[p]`` less than at the top: the least is best.
            wins = np.append(0, np.cumsum(net[model][rest]))
            best = int(wins.argmin())
            if wins[best] < wins[place]:
                order, moved = np.insert(rest, best, model), True
    return order


def good_order(net: AnyArray, order: AnyArray, enough: int, deadline: float | None = None) -> AnyArray:
    """Return an order that is hard to better by local search (Schiavinotto and Stützle 2004), the same in every run.

    Parameters
    ----------
    net, order, deadline
        As in ``improved_order``.
    enough : int
        A cost at which to stop: no order costs less.
    """
    draw = np.random.default_rng(0)
    best = improved_order(net, order, deadline)
    cost, idle = order_cost(net, best), 0
    while cost > enough and idle < KICKS and not is_past(deadline):
        # A few models are put anywhere, and the search starts again from there.
        moving = draw.choice(len(order), min(int(draw.integers(3, 4 + len(order) // 10)), len(order)), replace=False)
        rest = best[~np.isin(best, moving)]
        found = improved_order(net, np.insert(rest, draw.integers(0, len(rest) + 1, len(moving)), moving), deadline)
        found_cost = order_cost(net, found)
        idle = 0 if found_cost < cost else idle + 1
        if found_cost <= cost:
            best, cost = found, found_cost
    return best


# A bound for tables of every size: multipliers of triangles, raised step by step without a linear program.

STEPS = 50
"""Steps of a round; then triangles without a multiplier are dropped, and violated ones added."""
WORTH = 1 / 200
"""The ascent ends when a round closes less than this part of what is open between bound and order."""


def raised_bound(net: AnyArray, order: AnyArray, scale: int, deadline: float | None) -> Triangles:
    """Return triangles that prove nearly what the relaxation does, in far less time where it is large.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    order : ndarray of int
        A good order, best first: the nearer its cost is to the least, the better the steps.
    scale : int
        Denominator of the multipliers.
    deadline : float or None
        The ``time.monotonic()`` at which to stop.

    Notes
    -----
    Subgradient steps on the Lagrangian dual (Held, Wolfe and Crowder 1974), smoothed as in the volume algorithm
    (Barahona and Anbil 2000), among the triangles at hand. O(triangles) a step, O(n^3) a round.
    """
    # Whatever the costs are rounded to, multipliers that are not negative prove a bound on the true ones.
    unit, count = rounding_unit(net), len(net)
    upper = np.asarray(np.maximum(net, 0) // unit, dtype=np.int64)
    costs, target = upper.T.astype(np.float64), float(order_cost(upper - upper.T, order))
    corners, multipliers, keys = np.zeros((0, 3), dtype=np.int64), np.zeros(0), [count**2, count, 1]
    best, bound, theta = (corners, multipliers), -np.inf, 0.05
    smoothed = (1 - np.sign(costs - costs.T)) / 2
    while True:
        corners, multipliers = corners[multipliers > 0], multipliers[multipliers > 0]
        fresh, _ = violated_triangles(smoothed, most=count)
        corners = np.concatenate([corners, fresh[~np.isin(fresh @ keys, corners @ keys)]])
        multipliers = np.append(multipliers, np.zeros(len(corners) - len(multipliers)))
        before, direction, idle, reached = bound, np.zeros(len(corners)), 0, -np.inf
        sides = corners * count + np.roll(corners, -1, axis=1)
        for _ in range(STEPS):
            sums = np.bincount(sides.ravel(), np.repeat(multipliers, 3), minlength=costs.size)
            tilted = costs + sums.reshape(count, count)
            value = float(np.minimum(tilted, tilted.T).sum()) / 2 - 2 * float(multipliers.sum())
            if value > bound:
                bound, best = value, (corners, multipliers)
            # Steps that no longer raise the value are too long.
            idle = 0 if value > reached + 2e-4 * abs(reached) else idle + 1
            reached = max(reached, value)
            if idle > 10:
                theta, idle = max(0.8 * theta, 0.01), 0
            # Each pair takes its cheaper side, both by half where they cost the same.
            position = (1 - np.sign(tilted - tilted.T)) / 2
            smoothed = 0.9 * smoothed + 0.1 * position
            direction = 0.7 * direction + 0.3 * (position.ravel()[sides].sum(axis=1) - 2)
            step = np.where((multipliers <= 0) & (direction < 0), 0, direction)
            multipliers = np.maximum(0, multipliers + theta * (target - value) / max(float(step @ step), 1e-9) * step)
            if is_past(deadline):
                break
        theta = min(1.0, 1.5 * theta)
        if bound - before < WORTH * (target - bound) or bound > target - 1 or is_past(deadline):
            return rounded(best[0], np.ones(len(best[0]), dtype=np.int64), best[1], scale, unit)
