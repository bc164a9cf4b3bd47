"""A bound for tables of every size: multipliers of triangles, raised step by step without a linear program."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray, FloatArray
from weightlab._solver import is_past
from weightlab.graph.median_orders.branching import order_cost
from weightlab.graph.median_orders.triangle_relaxation import Triangles, rounded, rounding_unit, violated_triangles

STEPS = 50
"""After so many steps triangles without a multiplier are dropped, and violated ones added."""
WORTH = 1 / 200
"""The ascent ends when a round closes less than this part of what is open between bound and order."""


def raised_bound(
    net: AnyArray, order: AnyArray, scale: int, deadline: float | None, *, patient: bool = False
) -> Triangles:
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
    patient : bool
        Whether to go on until then however little the bound rises.

    Notes
    -----
    Subgradient steps on the Lagrangian dual (Held, Wolfe and Crowder 1974), smoothed as in the volume algorithm
    (Barahona and Anbil 2000), among the triangles at hand. O(triangles) a step, O(n^3) a round.
    """
    # Whatever the costs are rounded to, multipliers that are not negative prove a bound on the true ones.
    unit = rounding_unit(net)
    upper = np.asarray(np.maximum(net, 0) // unit, dtype=np.int64)
    net = upper - upper.T
    ascent = _Ascent(net, order_cost(net, order))
    corners, multipliers = packed_triangles(net, order, deadline)
    while True:
        before = ascent.bound
        smoothed, corners, multipliers = ascent.round(corners, multipliers, deadline)
        stalled = not patient and ascent.bound - before < WORTH * (ascent.target - ascent.bound)
        if stalled or ascent.bound > ascent.target - 1 or is_past(deadline):
            corners, multipliers = ascent.best
            return rounded(corners, np.ones(len(corners), dtype=np.int64), multipliers, scale, unit)
        kept = multipliers > 0
        corners, multipliers = corners[kept], multipliers[kept]
        fresh = violated_triangles(smoothed, most=len(net))
        fresh = fresh[~np.isin(_keys(fresh, len(net)), _keys(corners, len(net)))]
        corners = np.concatenate([corners, fresh])
        multipliers = np.append(multipliers, np.zeros(len(fresh)))


class _Ascent:
    """The dual function, the best multipliers so far, and the length of steps."""

    def __init__(self, net: AnyArray, target: int) -> None:
        self.target = float(target)
        self.bound = -np.inf
        self.best: tuple[AnyArray, FloatArray] = (np.zeros((0, 3), dtype=np.int64), np.zeros(0))
        self.theta = 0.05
        self._count = len(net)
        self._costs = np.maximum(net.T, 0).astype(np.float64).ravel()
        self._turned = np.arange(net.size).reshape(net.shape).T.ravel()
        self._smoothed = self._cheaper(self._costs)

    def round(
        self, corners: AnyArray, multipliers: FloatArray, deadline: float | None
    ) -> tuple[FloatArray, AnyArray, FloatArray]:
        """Take steps; return where the pairs stand on average, the triangles, and their multipliers after the last."""
        sides = corners * self._count + np.roll(corners, -1, axis=1)
        direction, idle, reached = np.zeros(len(corners)), 0, -np.inf
        for _ in range(STEPS):
            sums = np.bincount(sides.ravel(), np.repeat(multipliers, 3), minlength=len(self._costs))
            tilted = self._costs + sums
            value = float(np.minimum(tilted, tilted[self._turned]).sum()) / 2 - 2 * float(multipliers.sum())
            if value > self.bound:
                self.bound, self.best = value, (corners, multipliers)
            # Steps that no longer raise the value are too long.
            idle = 0 if value > reached + 2e-4 * abs(reached) else idle + 1
            reached = max(reached, value)
            if idle > 10:
                self.theta, idle = max(0.8 * self.theta, 0.01), 0
            position = self._cheaper(tilted)
            self._smoothed = 0.9 * self._smoothed + 0.1 * position
            direction = 0.7 * direction + 0.3 * (position[sides].sum(axis=1) - 2)
            step = np.where((multipliers <= 0) & (direction < 0), 0, direction)
            length = self.theta * (self.target - value) / max(float(step @ step), 1e-9)
            multipliers = np.maximum(0, multipliers + length * step)
            if is_past(deadline):
                break
        self.theta = min(1.0, 1.5 * self.theta)
        return self._smoothed.reshape(self._count, -1), corners, multipliers

    def _cheaper(self, tilted: FloatArray) -> FloatArray:
        """Return the point that takes each pair's cheaper side, both by half where they cost the same."""
        return np.asarray((1 - np.sign(tilted - tilted[self._turned])) / 2)


def _keys(corners: AnyArray, count: int) -> AnyArray:
    return (corners[:, 0] * count + corners[:, 1]) * count + corners[:, 2]


def packed_triangles(net: AnyArray, order: AnyArray, deadline: float | None = None) -> tuple[AnyArray, FloatArray]:
    """Return cycles of three and how often each is counted, no duel more often in all than by its margin.

    Each time a cycle is counted, every order pays one for it: so the sum is a bound, within a factor of the best
    one. Greedy over the duels that an order turns, those of models next to each other first. O(n) a turned duel.
    """
    left = np.maximum(net, 0)[np.ix_(order, order)]
    low, high = np.nonzero(np.tril(left))
    near = np.argsort(low - high, kind="stable")
    corners, counts = [], []
    for lower, upper in zip(low[near].tolist(), high[near].tolist(), strict=True):
        if is_past(deadline):
            break
        room = left[lower, upper]
        through = np.minimum(left[upper], left[:, lower])
        while room > 0:
            third = int(through.argmax())
            taken = min(through[third], room)
            if taken <= 0:
                break
            through[third] = 0
            left[upper, third] -= taken
            left[third, lower] -= taken
            room -= taken
            # With the lowest place first, as violated triangles have it.
            cycle = [int(order[one]) for one in (lower, upper, third)]
            first = cycle.index(min(cycle))
            corners.append(cycle[first:] + cycle[:first])
            counts.append(float(taken))
        left[lower, upper] = room
    return np.array(corners, dtype=np.int64).reshape(-1, 3), np.array(counts)
