"""Hit-and-run: chains that move along random chords of a weight space."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray, FloatArray
from weightlab.lp.sampling.body import Body

STAGES = 4
"""Number of stages of the burn-in in which the chains learn the shape of the body."""
TINY = float(np.finfo(np.float64).tiny)
"""Weights of 0 count as this much, so that they have a logarithm."""
SHRINKS = 200
"""Number of shrinkages after which a chord is shorter than rounding, and a point stays where it is."""


class Walk:
    """Several chains in one body, side by side.

    A move takes a random direction and goes to a random point of the chord through the present one: uniform on it, or
    by the density of a prior along it. Both leave the distribution on the body as it should be. A step is two moves:
    an exchange between few weights, which gets out of corners, and one in any direction.

    Parameters
    ----------
    body : Body
        Where they move.
    chains : int
        How many.
    excess : ndarray of float, tasks, or None
        The density is the product of all weights to these powers; None is uniform.
    rng : Generator
        Source of all draws.

    Notes
    -----
    A chain starts at nine tenths of a chord through the interior point, so that chains begin far apart. Directions
    are drawn with the covariance of the body, learnt during the burn-in and fixed afterwards; thus long and
    narrow bodies mix as round ones do.

    References
    ----------
    R. L. Smith, "Efficient Monte Carlo procedures for generating points uniformly distributed over bounded regions",
    Operations Research 32 (1984). R. M. Neal, "Slice sampling", Annals of Statistics 31 (2003), section 4.
    """

    def __init__(self, body: Body, chains: int, excess: FloatArray | None, rng: np.random.Generator) -> None:
        self.body, self.basis, self.rng = body, body.basis, rng
        self._used = np.flatnonzero(np.zeros(0) if excess is None else excess)
        # A Dirichlet density is a product of powers of the weights; powers of 0 play no part and are left out.
        self._powers = np.zeros(0) if excess is None else excess[self._used]
        self._spread = self.basis
        # The zero vector among them lets a difference of two be a basis vector itself.
        self._sparse = np.vstack([body.steps, np.zeros(len(self.basis))])
        self.deviation = np.zeros((chains, len(self.basis)))
        direction = self._directions()
        low, high = body.chords(self.deviation, direction)
        self.deviation += direction * np.where(rng.random(chains) < 0.5, 0.9 * low, 0.9 * high)[:, None]

    def burn_in(self, steps: int) -> None:
        """Take steps that do not count, learning the covariance of the body on the way."""
        taken = max(1, steps // STAGES)
        for _ in range(STAGES):
            seen = np.zeros((len(self.basis), len(self.basis)))
            mean = np.zeros(len(self.basis))
            for _ in range(taken):
                self.step()
                seen += matrix_product(self.deviation.T, self.deviation)
                mean += self.deviation.sum(axis=0)
            count = taken * len(self.deviation)
            # In coordinates of the hull: the covariance over all tasks is singular.
            covariance = self.basis.T @ (seen / count - np.outer(mean, mean) / count**2) @ self.basis
            values, axes = np.linalg.eigh(covariance)
            # Axes along which little was seen keep a thousandth of the longest, so every direction stays possible.
            self._spread = self.basis @ (axes * np.sqrt(np.maximum(values, 1e-6 * values.max())))

    def sample(self, steps: int) -> FloatArray:
        """Take a number of steps and return the weights then (chains x tasks)."""
        for _ in range(steps):
            self.step()
        # What rounding adds up to off the hull is taken away.
        self.deviation = self.deviation @ self.basis @ self.basis.T
        return self.body.weights(self.deviation)

    def step(self) -> None:
        """Move every chain twice: between few weights, then in a direction of the body's shape."""
        # Each move leaves the target distribution as it is, and so does their sequence.
        for direction in (self._exchanges(), self._directions()):
            low, high = self.body.chords(self.deviation, direction)
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
        return matrix_product(normal, self._spread.T)

    def _by_density(self, direction: FloatArray, low: FloatArray, high: FloatArray, along: FloatArray) -> FloatArray:
        """Return points of the chords by slice sampling: uniform among those at least as dense as a random level."""
        weights, direction = self.body.weights(self.deviation)[:, self._used], direction[:, self._used]
        # A uniform level below the density, in logarithms: the negative logarithm of a uniform number is exponential.
        level = self._log_density(weights) - self.rng.standard_exponential(len(weights))
        chosen, open_ = np.zeros(len(weights)), np.arange(len(weights))
        # Neal's shrinkage: a refused point becomes the end of the chord on its side. The present point (0) is in the
        # slice, so the chord never shrinks past an allowed one.
        for _ in range(SHRINKS):
            chosen[open_] = along
            (refused,) = np.nonzero(self._log_density(weights + direction * along[:, None]) < level)
            if not len(refused):
                return chosen
            open_, weights, direction, level = open_[refused], weights[refused], direction[refused], level[refused]
            low, high, along = low[refused], high[refused], along[refused]
            low, high = np.where(along < 0, along, low), np.where(along < 0, high, along)
            along = low + (high - low) * self.rng.random(len(along))
        chosen[open_] = 0.0
        return chosen

    def _log_density(self, weights: FloatArray) -> FloatArray:
        """Return it at some points, given by the weights that take part."""
        return np.asarray(np.log(np.maximum(weights, TINY)) @ self._powers)


# Matrix products that call no second thread: for small matrices calling one takes longer than multiplying.

ALONE = 2**18
"""Number of multiplications up to which one thread does a product (OpenBLAS)."""


def matrix_product(left: AnyArray, right: AnyArray) -> AnyArray:
    """Return ``left @ right``, of floats of one kind, multiplied in parts of few rows.

    Examples
    --------
    >>> matrix_product(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    found = np.empty((len(left), right.shape[1]), dtype=left.dtype)
    rows = max(1, ALONE // max(1, right.size))
    whole, width = len(left) - len(left) % rows, right.shape[1]
    np.matmul(left[:whole].reshape(-1, rows, len(right)), right, out=found[:whole].reshape(-1, rows, width))
    np.matmul(left[whole:], right, out=found[whole:])
    return found
