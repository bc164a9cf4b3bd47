"""A weight space as a body to draw from: what is the same all over it, exactly, and how far it reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray, common_denominator
from weightlab._solver import Formulation, Rows, Sense, exact_optimum
from weightlab.exceptions import ImpossibleError
from weightlab.lp.certificates.infeasible_space import refuse_empty
from weightlab.lp.geometry.double_description import reduced
from weightlab.lp.space.conditions import ONE, ZERO, LinearRow, Near, Relation
from weightlab.lp.space.space import WeightSpace


class Body:
    """The weights of a space around a point of its relative interior.

    Parameters
    ----------
    space : WeightSpace
        The weights that are allowed.
    point : sequence of Fraction, one per task
        Weights that meet with room to spare every inequality that is not an equality on the whole space: what holds
        with equality at them does so everywhere in the space.
    """

    def __init__(self, space: WeightSpace, point: Sequence[Fraction]) -> None:
        self.space, self.exact = space, list(point)
        self.point = np.array([float(one) for one in point])
        self._linear, self._balls = _boundary(space, dict(zip(space.tasks, point, strict=True)))
        self._places = {task: place for place, task in enumerate(space.tasks)}
        tight = [row for row, bound in self._linear if self._at(row) == bound]
        rows = [[row.get(task, ZERO) for task in space.tasks] for row in tight]
        whole, self.pivots = reduced([common_denominator(row)[0] for row in [[ONE] * len(point), *rows]])
        self.equations = [
            [Fraction(one, row[pivot]) for one in row] for row, pivot in zip(whole, self.pivots, strict=True)
        ]
        self.dimension = len(point) - len(self.pivots)
        self.moving = np.ones(len(point), dtype=np.bool_)
        for row, pivot in zip(self.equations, self.pivots, strict=True):
            self.moving[pivot] = any(row[pivot + 1 :])

    def _at(self, row: Mapping[str, Fraction]) -> Fraction:
        return sum((factor * self.exact[self._places[task]] for task, factor in row.items()), ZERO)

    @property
    def is_simplex(self) -> bool:
        """Whether the hull is that of the tasks that move, the others being fixed: nothing but their sum is given."""
        return self.dimension == int(self.moving.sum()) - 1

    @cached_property
    def directions(self) -> tuple[tuple[Fraction, ...], ...]:
        """A basis of the directions in which weights of the space differ, one number per task each."""
        basis = []
        for free in sorted(set(range(len(self.exact))) - set(self.pivots)):
            vector = [ZERO] * len(self.exact)
            vector[free] = ONE
            # A free column is 1 and the pivots balance it: independent by construction.
            for pivot, row in zip(self.pivots, self.equations, strict=True):
                vector[pivot] = -row[free]
            basis.append(tuple(vector))
        return tuple(basis)

    @cached_property
    def steps(self) -> FloatArray:
        """The directions in floating point (dimension x tasks)."""
        return np.array([[float(one) for one in vector] for vector in self.directions]).reshape(-1, len(self.exact))

    @cached_property
    def basis(self) -> FloatArray:
        """Orthonormal directions as columns (tasks x dimension)."""
        return np.asarray(np.linalg.qr(self.steps.T)[0], dtype=np.float64)

    def constant(self, matrix: np.ndarray) -> BoolArray:
        """Return which rows (integers, one column per task) have the same sum under all weights, exactly."""
        if len(self.pivots) == 1:
            return np.asarray((matrix == matrix[:, :1]).all(axis=1), dtype=np.bool_)
        # The equations imply it: without them, each as often as its first column asks for, nothing is left of it.
        flat, scale = common_denominator([value for row in self.equations for value in row])
        most = int(abs(matrix).max(initial=0)) * (scale + len(self.pivots) * max(map(abs, flat)))
        kind = np.int64 if most < 1 << 62 else object
        equations, own = np.array(flat, dtype=kind).reshape(len(self.equations), -1), matrix.astype(kind)
        return np.asarray((own * scale == own[:, self.pivots] @ equations).all(axis=1), dtype=np.bool_)

    def _moves(self, row: Mapping[str, Fraction]) -> bool:
        """Tell, exactly, whether a sum of weights is not the same on the whole space."""
        left = {self._places[task]: factor for task, factor in row.items()}
        for pivot, equation in zip(self.pivots, self.equations, strict=True):
            if factor := left.get(pivot, ZERO):
                for place in (place for place, value in enumerate(equation) if value):
                    left[place] = left.get(place, ZERO) - factor * equation[place]
        return any(left.values())

    # How far the body reaches: arrays are of deviations of weights from the point.

    @cached_property
    def _bounds(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, list[_Ball]]:
        """The least and the greatest deviation of each weight alone; slopes and slacks of other rows; balls."""
        least, most = np.full(len(self.exact), -np.inf), np.full(len(self.exact), np.inf)
        slopes, slacks = [], []
        for row, bound in self._linear:
            if not self._moves(row):
                continue
            slack = bound - self._at(row)
            if len(row) > 1:
                slopes.append([float(row.get(task, 0)) for task in self.space.tasks])
                slacks.append(float(slack))
                continue
            ((task, factor),) = row.items()
            end, place = float(slack / factor), self._places[task]
            if factor > 0:
                most[place] = min(most[place], end)
            else:
                least[place] = max(least[place], end)
        matrix = np.array(slopes).reshape(len(slopes), len(self.exact))
        return least, most, matrix, np.array(slacks), [_Ball(ball, self.exact) for ball in self._balls]

    def weights(self, deviation: FloatArray) -> FloatArray:
        """Return the weights of some points; rounding below 0 is taken off."""
        return np.asarray(np.maximum(self.point + deviation, 0.0))

    def inside(self, deviation: FloatArray) -> BoolArray:
        """Return which points are inside."""
        least, most, slopes, slacks, balls = self._bounds
        found = ((deviation >= least) & (deviation <= most)).all(axis=1)
        found &= (slacks - deviation @ slopes.T >= 0).all(axis=1)
        for ball in balls:
            found &= ball.beyond(deviation) <= 0
        return np.asarray(found)

    def chords(self, deviation: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how far points inside can go against and along their directions: numbers below and above 0."""
        least, most, slopes, slacks, balls = self._bounds
        # A row a constraint and a column a point: the least of many short columns is found faster than of short rows.
        at, by = np.ascontiguousarray(deviation.T), np.ascontiguousarray(direction.T)
        # Directions parallel to a constraint divide by 0: what comes of it is replaced or not chosen below.
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / by
            up, down = (most[:, None] - at) * inverse, (least[:, None] - at) * inverse
            ahead, behind, level = np.maximum(up, down), np.minimum(up, down), by == 0
            np.copyto(ahead, np.inf, where=level)
            np.copyto(behind, -np.inf, where=level)
            high, low = np.minimum.reduce(ahead), np.maximum.reduce(behind)
            if len(slacks):
                rate = direction @ slopes.T
                reach = np.ascontiguousarray(((slacks - deviation @ slopes.T) / rate).T)
                high = np.minimum(high, np.minimum.reduce(np.where(rate.T > 0, reach, np.inf)))
                low = np.maximum(low, np.maximum.reduce(np.where(rate.T < 0, reach, -np.inf)))
        # A point on the boundary may be beyond it by rounding.
        high, low = np.maximum(high, 0.0), np.minimum(low, 0.0)
        # Balls only shorten what the linear constraints leave.
        for ball in balls:
            low, high = ball.chords(deviation, direction, low, high)
        return low, high


class _Ball:
    """A distance l1 from given weights: as both sum to 1, what some tasks gain is at most half of the radius."""

    def __init__(self, ball: Near, point: Sequence[Fraction]) -> None:
        half = ball.radius / 2
        gains = [own - share for own, share in zip(point, ball.centre.values(), strict=True)]
        self._gains, self._half = np.array([float(one) for one in gains]), float(half)
        # Values up to this size are on the boundary: small against the room at the body's point, unless rounding is
        # larger.
        room = float(half - sum((one for one in gains if one > 0), ZERO))
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
        # Along a line the distance has at most n + 1 linear pieces for n tasks, and a step that stays
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


def _boundary(
    space: WeightSpace, point: Mapping[str, Fraction]
) -> tuple[list[tuple[Mapping[str, Fraction], Fraction]], list[Near]]:
    """Return rows ``a . w <= bound`` and l1 balls that bound a space together, given a point of its interior."""
    linear: list[tuple[Mapping[str, Fraction], Fraction]] = [({task: -ONE}, ZERO) for task in space.tasks]
    balls = []
    for place, condition in enumerate(space.conditions):
        if not isinstance(condition, Near) or condition.norm != "l1":
            for row in condition.rows(place):
                linear.extend(_below(row))
        elif min(condition.rooms(point)) > 0:
            balls.append(condition)
        else:
            # The point is in the relative interior, so all weights of the space are at this distance: the distance is
            # linear on it, and no weight changes sides.
            ahead = {task: share for task, share in condition.centre.items() if point[task] > share}
            linear += [({task: -ONE}, -share) for task, share in ahead.items()]
            linear += [({task: ONE}, share) for task, share in condition.centre.items() if task not in ahead]
            linear.append((dict.fromkeys(ahead, ONE), sum(ahead.values(), condition.radius / 2)))
    return linear, balls


def _below(row: LinearRow) -> Iterator[tuple[Mapping[str, Fraction], Fraction]]:
    """Yield a row as one or two of the form ``a . w <= bound``."""
    own = {task: value for task, value in row.tasks.items() if value}
    if row.relation is not Relation.AT_LEAST:
        yield own, row.bound
    if row.relation is not Relation.AT_MOST:
        yield {task: -value for task, value in own.items()}, -row.bound


@lru_cache(maxsize=4)
def body_of(space: WeightSpace) -> Body:
    """Return a space as a body, with a point of its relative interior.

    Raises
    ------
    EmptySpaceError
        If no weights satisfy the conditions.
    UnprovedError, TimeLimitError
        If no exact point was found.
    """
    # Equal weights that meet every inequality with room to spare are such a point, and the same with every solver.
    centre = dict.fromkeys(space.tasks, Fraction(1, len(space.tasks)))
    if not space.auxiliaries and all(_has_room(row, row.bound - row.total(centre, {})) for row in space.rows):
        return Body(space, list(centre.values()))
    try:
        x = exact_optimum(_program(space)).x
    except ImpossibleError:
        refuse_empty(space)
    return Body(space, [value / x[-1] for value in x[: len(space.tasks)]])


def _has_room(row: LinearRow, short: Fraction) -> bool:
    return {Relation.AT_MOST: short > 0, Relation.AT_LEAST: short < 0, Relation.EQUAL: short == 0}[row.relation]


def _program(space: WeightSpace) -> Formulation:
    """Return the program whose columns are weights, auxiliary variables, slacks of both, slacks of rows, and size.

    Homogenised: all numbers are multiplied by ``size``, and divided by it in the end. So each slack that can be
    positive can be 1, and the optimum counts them (Freund, Roundy and Todd, "Identifying the set of always-active
    constraints in a system of linear inequalities by a single linear program", MIT Sloan working paper 1674-85, 1985).
    """
    count = len(space.tasks) + len(space.auxiliaries)
    size = 2 * count + len(space.rows)
    tasks = {task: place for place, task in enumerate(space.tasks)}
    extra = {name: place for place, name in enumerate(space.auxiliaries, start=len(tasks))}
    rows: list[dict[int, int]] = [{**dict.fromkeys(tasks.values(), 1), size: -1}]
    relations = [Relation.EQUAL]
    for slack, row in enumerate(space.rows, start=2 * count):
        numbers, _ = common_denominator([*row.tasks.values(), *row.auxiliaries.values(), -row.bound])
        columns = [*(tasks[task] for task in row.tasks), *(extra[name] for name in row.auxiliaries), size]
        rows.append({column: number for column, number in zip(columns, numbers, strict=True) if number})
        if row.relation is not Relation.EQUAL:
            rows[-1][slack] = 1 if row.relation is Relation.AT_MOST else -1
        relations.append(row.relation)
    rows += [{place: 1, count + place: -1} for place in range(count)]
    relations += [Relation.AT_LEAST] * count
    most = [0 if row.relation is Relation.EQUAL else 1 for row in space.rows]
    return Formulation.over(
        [f"column {place}" for place in range(size + 1)],
        Rows.from_dicts(
            rows,
            width=size + 1,
            lower=[None if relation is Relation.AT_MOST else 0 for relation in relations],
            upper=[None if relation is Relation.AT_LEAST else 0 for relation in relations],
            labels=[f"row {number}" for number in range(len(rows))],
        ),
        name="relative interior",
        sense=Sense.MAXIMISE,
        objective=[0] * count + [1] * (size - count) + [0],
        lower=[None] * count + [0] * (size - count) + [1],
        upper=[None] * count + [1] * count + most + [None],
    )


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
