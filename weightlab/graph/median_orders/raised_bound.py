"""A bound for tables of every size: multipliers of triangles, raised step by step without a linear program."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray
from weightlab._solver import is_past
from weightlab.graph.median_orders.branching import order_cost
from weightlab.graph.median_orders.good_orders import packed_triangles
from weightlab.graph.median_orders.triangle_relaxation import Triangles, rounded, rounding_unit, violated_triangles

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
    corners, multipliers = packed_triangles(upper, order, deadline)
    best, bound, theta = (corners, multipliers), -np.inf, 0.05
    smoothed = (1 - np.sign(costs - costs.T)) / 2
    while True:
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
        corners, multipliers = corners[multipliers > 0], multipliers[multipliers > 0]
        fresh = violated_triangles(smoothed, most=count)
        known = (corners @ [count**2, count, 1], fresh @ [count**2, count, 1])
        fresh = fresh[~np.isin(known[1], known[0])]
        corners = np.concatenate([corners, fresh])
        multipliers = np.append(multipliers, np.zeros(len(fresh)))
