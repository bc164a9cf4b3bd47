"""Hit-and-run: chains that move along random chords of a weight space, and the boundary at which chords end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab.lp.sampling.affine_hull import AffineHull
from weightlab.lp.space.conditions import Near, Relation

STAGES = 4
"""During the burn-in, the chains learn the shape of the body in so many stages."""
TINY = float(np.finfo(np.float64).tiny)
"""Weights of 0 count as this much, so that they have a logarithm."""
SHRINKS = 200
"""After so many shrinkages a chord is shorter than rounding, and a point stays where it is."""


class Walk:
    """Several chains in one body, side by side.

    A move takes a random direction and goes to a random point of the chord through the present one: uniform on it, or
    by the density of a prior along it. Both leave the distribution on the body as it should be. A step is two moves:
    an exchange between few weights, which gets out of corners, and one in any direction.

    Parameters
    ----------
    boundary : SpaceBoundary
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
    are drawn with the covariance of the body, learnt during the burn-in and fixed afterwards; so long and
    narrow bodies mix as round ones do.

    References
    ----------
    R. L. Smith, "Efficient Monte Carlo procedures for generating points uniformly distributed over bounded regions",
    Operations Research 32 (1984). R. M. Neal, "Slice sampling", Annals of Statistics 31 (2003), section 4.
    """

    def __init__(
        self, boundary: SpaceBoundary, chains: int, excess: FloatArray | None, rng: np.random.Generator
    ) -> None:
        self.boundary = boundary
        self.rng = rng
        self._used = np.flatnonzero(np.zeros(0) if excess is None else excess)
        # A Dirichlet density is a product of powers of the weights; powers of 0 play no part and are left out.
        self._powers = np.zeros(0) if excess is None else excess[self._used]
        self.basis = boundary.hull.basis
        self._spread = self.basis
        sparse = [[float(one) for one in vector] for vector in boundary.hull.directions]
        # The zero vector among them lets a difference of two be a basis vector itself.
        self._sparse = np.array([*sparse, [0.0] * len(self.basis)])
        self.deviation = np.zeros((chains, len(self.basis)))
        direction = self._directions()
        low, high = boundary.chords(self.deviation, direction)
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
            # Axes along which little was seen keep a thousandth of the longest, so that no direction is ever given up.
            self._spread = self.basis @ (axes * np.sqrt(np.maximum(values, 1e-6 * values.max())))

    def sample(self, steps: int) -> FloatArray:
        """Take so many steps and return the weights then (chains x tasks)."""
        for _ in range(steps):
            self.step()
        # What rounding adds up to off the hull is taken away.
        self.deviation = self.deviation @ self.basis @ self.basis.T
        return self.boundary.weights(self.deviation)

    def step(self) -> None:
        """Move every chain twice: between few weights, then in a direction of the body's shape."""
        # Each move leaves the target distribution as it is, and so does their sequence.
        for direction in (self._exchanges(), self._directions()):
            low, high = self.boundary.chords(self.deviation, direction)
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
        weights, direction = self.boundary.weights(self.deviation)[:, self._used], direction[:, self._used]
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
        """Return it at some points, of which only the weights that take part are given."""
        return np.asarray(np.log(np.maximum(weights, TINY)) @ self._powers)


# The boundary of a weight space seen from inside: how far a point can go in a direction before it leaves.


@dataclass(frozen=True)
class AffineFunction:
    """A number that depends on the weights: a sum of multiples of some of them, none of them 0, and a constant."""

    tasks: Mapping[str, Fraction]
    constant: Fraction

    def at(self, hull: AffineHull) -> Fraction:
        """Return its exact value at a hull's point."""
        weights = dict(zip(hull.space.tasks, hull.point.tolist(), strict=True))
        return sum((factor * weights[task] for task, factor in self.tasks.items()), self.constant)


class SpaceBoundary:
    """What bounds a space, seen from the hull's point: all arrays are of deviations of weights from it.

    Parameters
    ----------
    hull : AffineHull
        Of the space.
    linear : sequence of AffineFunction
        Each at most 0 inside.
    balls : sequence of Near
        Each with a norm of l1.
    """

    def __init__(
        self,
        hull: AffineHull,
        linear: Sequence[AffineFunction],
        balls: Sequence[Near],
    ) -> None:
        self.hull = hull
        self.point = np.array([float(one) for one in hull.point.tolist()])
        kept = [one for one in linear if self._moves(one)]
        self._least, self._most = self._box([one for one in kept if len(one.tasks) == 1])
        self._slopes, constants = _matrix([one for one in kept if len(one.tasks) > 1], hull)
        self._slacks = -constants
        self._balls = [_Ball(ball, hull) for ball in balls]

    def _moves(self, one: AffineFunction) -> bool:
        """Tell, exactly, whether a number is not the same on the whole space."""
        places = {task: place for place, task in enumerate(self.hull.space.tasks)}
        own = [(places[task], value) for task, value in one.tasks.items()]
        return any(sum(value * vector[place] for place, value in own) for vector in self.hull.directions)

    def _box(self, linear: Sequence[AffineFunction]) -> tuple[FloatArray, FloatArray]:
        """Return the least and greatest deviation of each weight that constraints of single weights leave."""
        least, most = np.full(len(self.point), -np.inf), np.full(len(self.point), np.inf)
        for one in linear:
            ((task, factor),) = one.tasks.items()
            place = self.hull.space.tasks.index(task)
            # ``factor * deviation + value at the point <= 0``: the sign of the factor tells which side that bounds.
            bound = float(-one.at(self.hull) / factor)
            if factor > 0:
                most[place] = min(most[place], bound)
            else:
                least[place] = max(least[place], bound)
        return least, most

    def weights(self, deviation: FloatArray) -> FloatArray:
        """Return the weights of some points; rounding below 0 is taken off."""
        return np.asarray(np.maximum(self.point + deviation, 0.0))

    def inside(self, deviation: FloatArray) -> BoolArray:
        """Tell which points are inside."""
        found = ((deviation >= self._least) & (deviation <= self._most)).all(axis=1)
        found &= (self._slacks - deviation @ self._slopes.T >= 0).all(axis=1)
        for ball in self._balls:
            found &= ball.beyond(deviation) <= 0
        return np.asarray(found)

    def chords(self, deviation: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how far points inside can go against and along their directions: numbers below and above 0."""
        # A row a constraint and a column a point: the least of many short columns is found faster than of short rows.
        at, by = np.ascontiguousarray(deviation.T), np.ascontiguousarray(direction.T)
        # Directions parallel to a constraint divide by 0: what comes of it is replaced or not chosen below.
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / by
            up, down = (self._most[:, None] - at) * inverse, (self._least[:, None] - at) * inverse
            ahead, behind, level = np.maximum(up, down), np.minimum(up, down), by == 0
            np.copyto(ahead, np.inf, where=level)
            np.copyto(behind, -np.inf, where=level)
            high, low = np.minimum.reduce(ahead), np.maximum.reduce(behind)
            if len(self._slacks):
                rate = direction @ self._slopes.T
                reach = np.ascontiguousarray(((self._slacks - deviation @ self._slopes.T) / rate).T)
                high = np.minimum(high, np.minimum.reduce(np.where(rate.T > 0, reach, np.inf)))
                low = np.maximum(low, np.maximum.reduce(np.where(rate.T < 0, reach, -np.inf)))
        # A point on the boundary may be beyond it by rounding.
        high, low = np.maximum(high, 0.0), np.minimum(low, 0.0)
        # Balls only shorten what the linear constraints leave.
        for ball in self._balls:
            low, high = ball.chords(deviation, direction, low, high)
        return low, high


class _Ball:
    """A distance l1 from given weights: as both sum to 1, what some tasks gain is at most half of the radius."""

    def __init__(self, ball: Near, hull: AffineHull) -> None:
        tasks, half = hull.space.tasks, ball.radius / 2
        gains = [own - ball.centre[task] for task, own in zip(tasks, hull.point.tolist(), strict=True)]
        self._gains, self._half = np.array([float(one) for one in gains]), float(half)
        # Values up to this size are on the boundary: small beside the room at the hull's point, unless rounding is
        # larger.
        room = float(half - sum((one for one in gains if one > 0), Fraction(0)))
        self._rounding = max(1e-9 * room, 4e-16 * (float(np.abs(self._gains).sum()) + self._half))

    def beyond(self, deviation: FloatArray) -> FloatArray:
        """Return by how much some points are outside; below 0 inside."""
        return np.asarray(np.maximum(self._gains + deviation, 0.0).sum(axis=1) - self._half)

    def chords(
        self, deviation: FloatArray, direction: FloatArray, low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return how far each point can go against and along its direction, at most as far as it could.

        Newton's steps from outside: the distance is convex and made of pieces, so each step stays outside and the
        last one lands on the boundary.
        """
        # Forwards and backwards are one batch of twice the size.
        at = np.concatenate([self._gains + deviation] * 2)
        rate = np.concatenate([direction, -direction])
        end = np.concatenate([high, -low])
        ends, open_ = end.copy(), np.arange(len(end))
        # Along a line the distance has at most one linear piece more than there are tasks, and a step that stays
        # outside has left its piece for good.
        for _ in range(len(self._gains) + 2):
            gains = at + end[:, None] * rate
            value = np.maximum(gains, 0.0).sum(axis=1) - self._half
            (outside,) = np.nonzero(value > self._rounding)
            if not len(outside):
                break
            at, rate, open_ = at[outside], rate[outside], open_[outside]
            slope = np.where(gains[outside] > 0, rate, 0.0).sum(axis=1)
            end = np.maximum(end[outside] - value[outside] / slope, 0.0)
            ends[open_] = end
        return -ends[len(low) :], ends[: len(low)]


def _matrix(numbers: Sequence[AffineFunction], hull: AffineHull) -> tuple[FloatArray, FloatArray]:
    """Return slopes (numbers x tasks) and exact values at the hull's point."""
    tasks = hull.space.tasks
    slopes = [[float(one.tasks.get(task, 0)) for task in tasks] for one in numbers]
    return np.array(slopes).reshape(len(numbers), len(tasks)), np.array([float(one.at(hull)) for one in numbers])


def boundary_of(hull: AffineHull) -> SpaceBoundary:
    """Return the boundary of a hull's space."""
    tasks = [task for task, moves in zip(hull.space.tasks, hull.moving, strict=True) if moves]
    linear = [AffineFunction({task: Fraction(-1)}, Fraction(0)) for task in tasks]
    point = dict(zip(hull.space.tasks, hull.point.tolist(), strict=True))
    balls = []
    for place, condition in enumerate(hull.space.conditions):
        if not isinstance(condition, Near) or condition.norm != "l1":
            for row in condition.rows(place):
                sign = Fraction(-1 if row.relation is Relation.AT_LEAST else 1)
                own = {task: sign * value for task, value in row.tasks.items() if value}
                linear.append(AffineFunction(own, -sign * row.bound))
        elif min(condition.rooms(point)) > 0:
            balls.append(condition)
        else:
            # The point is in the relative interior, so all weights of the space are at this distance: the distance is
            # linear on it, and no weight changes sides.
            for task, share in condition.centre.items():
                sign = Fraction(-1 if point[task] > share else 1)
                linear.append(AffineFunction({task: sign}, -sign * share))
    return SpaceBoundary(hull, linear, balls)


# Matrix products that call no second thread: for small matrices calling one takes longer than multiplying.

ALONE = 2**18
"""Products of so many multiplications are done by one thread (OpenBLAS)."""


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
