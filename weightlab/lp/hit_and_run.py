"""Hit-and-run: chains that move along random chords of a convex body."""

from __future__ import annotations

import numpy as np

from weightlab._typing import FloatArray
from weightlab.lp.matrix_product import product
from weightlab.lp.walls import Walls

__all__ = ["Walk"]

STAGES = 4
"""While they settle, the chains learn the shape of the body in so many stages."""

SHRINKS = 200
"""After so many shrinkages a chord is shorter than rounding, and a point stays where it is."""


class Walk:
    """Several chains in one body, side by side.

    A move takes a random direction and goes to a random point of the chord through the present one: uniform on it, or
    by the density of a prior along it. Both leave the distribution on the body as it should be. A step is two moves:
    an exchange between few weights, which gets out of corners, and one in any direction.

    Parameters
    ----------
    walls : Walls
        Of the body.
    chains : int
        How many.
    excess : ndarray of float, tasks, or None
        The density is the product of all weights to these powers; None is uniform.
    rng : Generator
        Source of all draws.

    Notes
    -----
    A chain starts at nine tenths of a chord through the interior point, so that chains begin far apart. Directions
    are drawn with the covariance of the body, learnt while the chains settle and fixed afterwards; so long and
    narrow bodies mix as round ones do.

    References
    ----------
    R. L. Smith, "Efficient Monte Carlo procedures for generating points uniformly distributed over bounded regions",
    Operations Research 32 (1984). R. M. Neal, "Slice sampling", Annals of Statistics 31 (2003), section 4.
    """

    def __init__(self, walls: Walls, chains: int, excess: FloatArray | None, rng: np.random.Generator) -> None:
        self.walls = walls
        self.rng = rng
        self._used = np.flatnonzero(np.zeros(0) if excess is None else excess)
        # A Dirichlet density is a product of powers of the weights; powers of 0 play no part and are left out.
        self._powers = np.zeros(0) if excess is None else excess[self._used]
        self.basis = walls.hull.basis
        self._spread = self.basis
        sparse = [[float(one) for one in vector] for vector in walls.hull.directions]
        # The zero vector among them lets a difference of two be a basis vector itself.
        self._sparse = np.array([*sparse, [0.0] * len(self.basis)])
        self.deviation = np.zeros((chains, len(self.basis)))
        direction = self._directions()
        low, high = walls.chords(self.deviation, direction)
        self.deviation += direction * np.where(rng.random(chains) < 0.5, 0.9 * low, 0.9 * high)[:, None]

    def settle(self, steps: int) -> None:
        """Take steps that do not count, learning the covariance of the body on the way."""
        taken = max(1, steps // STAGES)
        for _ in range(STAGES):
            seen = np.zeros((len(self.basis), len(self.basis)))
            mean = np.zeros(len(self.basis))
            for _ in range(taken):
                self.step()
                seen += product(self.deviation.T, self.deviation)
                mean += self.deviation.sum(axis=0)
            count = taken * len(self.deviation)
            # In coordinates of the hull: the covariance over all tasks is singular.
            covariance = self.basis.T @ (seen / count - np.outer(mean, mean) / count**2) @ self.basis
            values, axes = np.linalg.eigh(covariance)
            # Axes along which little was seen keep a thousandth of the longest, so that no direction is ever given up.
            self._spread = self.basis @ (axes * np.sqrt(np.maximum(values, 1e-6 * values.max())))

    def sample(self, steps: int) -> FloatArray:
        """Take so many steps and return the weights then (chains x tasks)."""
        for _ in range(steps):
            self.step()
        # What rounding adds up to off the hull is taken away.
        self.deviation = self.deviation @ self.basis @ self.basis.T
        return self.walls.weights(self.deviation)

    def step(self) -> None:
        """Move every chain twice: between few weights, then in a direction of the body's shape."""
        # Each move leaves the target distribution as it is, and so does their sequence.
        for direction in (self._exchanges(), self._directions()):
            low, high = self.walls.chords(self.deviation, direction)
            along = low + (high - low) * self.rng.random(len(low))
            if len(self._used):
                along = self._by_density(direction, low, high, along)
            self.deviation += direction * along[:, None]

    def _exchanges(self) -> FloatArray:
        """Return differences of two sparse directions: without other conditions, what one weight gives another."""
        count = len(self._sparse)
        first = self.rng.integers(count, size=len(self.deviation))
        second = (first + self.rng.integers(1, count, size=len(first))) % count
        return np.asarray(self._sparse[first] - self._sparse[second])

    def _directions(self) -> FloatArray:
        normal = self.rng.standard_normal((len(self.deviation), self._spread.shape[1]))
        return product(normal, self._spread.T)

    def _by_density(self, direction: FloatArray, low: FloatArray, high: FloatArray, along: FloatArray) -> FloatArray:
        """Return points of the chords by slice sampling: uniform among those at least as dense as a random level."""
        weights = self.walls.weights(self.deviation)
        # A uniform level below the density, in logarithms: the negative logarithm of a uniform number is exponential.
        level = self._log_density(weights) - self.rng.standard_exponential(len(weights))
        low, high, along = low.copy(), high.copy(), along.copy()
        open_ = np.arange(len(weights))
        # Neal's shrinkage: a refused point becomes the end of the chord on its side. The present point (0) is in the
        # slice, so the chord never shrinks past an allowed one.
        for _ in range(SHRINKS):
            here = weights[open_] + direction[open_] * along[open_, None]
            open_ = open_[self._log_density(here) < level[open_]]
            if not len(open_):
                return along
            tried = along[open_]
            low[open_] = np.where(tried < 0, tried, low[open_])
            high[open_] = np.where(tried < 0, high[open_], tried)
            along[open_] = low[open_] + (high[open_] - low[open_]) * self.rng.random(len(open_))
        along[open_] = 0.0
        return along

    def _log_density(self, weights: FloatArray) -> FloatArray:
        floor = np.maximum(weights[:, self._used], np.finfo(np.float64).tiny)
        return np.asarray(np.log(floor) @ self._powers)
