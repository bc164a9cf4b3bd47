"""The walls of a weight space seen from inside: how far a point can go in a direction before it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._typing import BoolArray, FloatArray, IntArray
from weightlab.exceptions import InputError
from weightlab.lp.conditions import LinearRow, Relation
from weightlab.lp.hull import Hull
from weightlab.lp.space import WeightSpace

__all__ = ["Walls", "walls_of"]


@dataclass(frozen=True)
class Affine:
    """A number that depends on the weights: a sum of some of them, and a constant."""

    tasks: Mapping[str, Fraction]
    constant: Fraction

    def less(self, other: Affine) -> Affine:
        """Return the difference."""
        return self.plus(other, Fraction(-1))

    def plus(self, other: Affine, factor: Fraction) -> Affine:
        """Return the sum with a multiple of another one."""
        names = dict.fromkeys((*self.tasks, *other.tasks))
        zero = Fraction(0)
        tasks = {name: self.tasks.get(name, zero) + factor * other.tasks.get(name, zero) for name in names}
        return Affine(tasks, self.constant + factor * other.constant)

    def without_zeros(self) -> Affine:
        """Return the same number without the tasks whose factor is 0."""
        return Affine({task: value for task, value in self.tasks.items() if value}, self.constant)

    def at(self, hull: Hull) -> Fraction:
        """Return its exact value at a hull's point."""
        weights = dict(zip(hull.space.tasks, hull.point.tolist(), strict=True))
        return sum((factor * weights[task] for task, factor in self.tasks.items()), self.constant)


NOTHING = Affine({}, Fraction(0))


class Walls:
    """Flat and bent walls of a space, seen from the hull's point: all arrays are of deviations of weights from it.

    Parameters
    ----------
    hull : Hull
        Of the space.
    flat : sequence of Affine
        Each at most 0 inside.
    bent : sequence of (costs, pieces, Affine)
        The sum of costs times the largest of 0 and some pieces, plus a number, is at most 0 inside.
    """

    def __init__(
        self, hull: Hull, flat: Sequence[Affine], bent: Sequence[tuple[list[Fraction], list[list[Affine]], Affine]]
    ) -> None:
        self.hull = hull
        self.point = np.array([float(one) for one in hull.point.tolist()])
        kept = [one.without_zeros() for one in flat if self._moves(one)]
        self._least, self._most = self._box([one for one in kept if len(one.tasks) == 1])
        self._slopes, constants = _matrix([one for one in kept if len(one.tasks) > 1], hull)
        self._slacks = -constants
        self._bends = [_Bend(costs, groups, rest, hull) for costs, groups, rest in bent]

    def _moves(self, one: Affine) -> bool:
        """Tell, exactly, whether a number is not the same on the whole space."""
        places = {task: place for place, task in enumerate(self.hull.space.tasks)}
        own = [(places[task], value) for task, value in one.tasks.items() if value]
        return any(sum(value * vector[place] for place, value in own) for vector in self.hull.directions)

    def _box(self, flat: Sequence[Affine]) -> tuple[FloatArray, FloatArray]:
        """Return the least and greatest deviation of each weight that walls about single weights leave."""
        least, most = np.full(len(self.point), -np.inf), np.full(len(self.point), np.inf)
        for one in flat:
            ((task, factor),) = one.tasks.items()
            place = self.hull.space.tasks.index(task)
            # A wall says ``factor * deviation + value at the point <= 0``; the sign of the factor tells which side it
            # bounds.
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
        for bend in self._bends:
            found &= bend.values(deviation) <= 0
        return np.asarray(found)

    def chords(self, deviation: FloatArray, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how far points inside can go against and along their directions: numbers below and above 0."""
        rising = direction > 0
        # Directions parallel to a wall divide by 0: what comes of it is replaced or not chosen below.
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / direction
            ahead = (np.where(rising, self._most, self._least) - deviation) * inverse
            behind = (np.where(rising, self._least, self._most) - deviation) * inverse
            ahead[direction == 0] = np.inf
            behind[direction == 0] = -np.inf
            high, low = ahead.min(axis=1), behind.max(axis=1)
            if len(self._slacks):
                rate = direction @ self._slopes.T
                reach = (self._slacks - deviation @ self._slopes.T) / rate
                high = np.minimum(high, np.where(rate > 0, reach, np.inf).min(axis=1))
                low = np.maximum(low, np.where(rate < 0, reach, -np.inf).max(axis=1))
        # A point on a wall may be beyond it by rounding.
        high, low = np.maximum(high, 0.0), np.minimum(low, 0.0)
        # Bent walls only shorten what the flat ones leave; forwards and backwards are one batch of twice the size.
        for bend in self._bends:
            twice, both = np.vstack([deviation, deviation]), np.vstack([direction, -direction])
            ends = bend.ends(twice, both, np.concatenate([high, -low]))
            high, low = ends[: len(high)], -ends[len(high) :]
        return low, high


class _Bend:
    """A convex wall: the largest of 0 and some linear pieces, times costs, summed, plus a linear number."""

    def __init__(self, costs: Sequence[Fraction], groups: Sequence[Sequence[Affine]], rest: Affine, hull: Hull) -> None:
        pieces = [piece.without_zeros() for group in groups for piece in group]
        self._slopes, self._constants = _matrix(pieces, hull)
        # Pieces of one weight each, as distances have, are read off instead of multiplied out.
        self._single: tuple[IntArray, FloatArray] | None = None
        if all(len(piece.tasks) == 1 for piece in pieces):
            places = np.abs(self._slopes).argmax(axis=1)
            self._single = places, self._slopes[np.arange(len(places)), places]
        self._starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
        self._costs = np.array([float(cost) for cost in costs])
        slopes, constants = _matrix([rest], hull)
        self._slope, self._constant = slopes[0], constants[0]
        # Values up to this size are on the wall: small beside the room at the hull's point, unless rounding is larger.
        room = -float(self.values(np.zeros((1, len(self._slope))))[0])
        sizes = np.abs(self._costs) @ np.add.reduceat(np.abs(self._constants), self._starts) + abs(self._constant)
        self._rounding = max(1e-9 * room, 4e-16 * float(sizes))

    def _rates(self, direction: FloatArray) -> FloatArray:
        if self._single is None:
            return np.asarray(direction @ self._slopes.T)
        places, factors = self._single
        return np.asarray(direction[:, places] * factors)

    def values(self, deviation: FloatArray) -> FloatArray:
        """Return what must be at most 0, at some points."""
        # Groups are laid out one after the other; ``_starts`` says where each begins, as reduceat wants it.
        largest = np.maximum.reduceat(self._constants + self._rates(deviation), self._starts, axis=1)
        return np.asarray(np.maximum(largest, 0.0) @ self._costs + deviation @ self._slope + self._constant)

    def ends(self, deviation: FloatArray, direction: FloatArray, far: FloatArray) -> FloatArray:
        """Return how far each point can go, at most ``far``.

        Newton's steps from outside: the function is convex and made of pieces, so each step stays outside and the
        last one lands on the wall.
        """
        ends = far.copy()
        open_ = np.arange(len(ends))
        at, rate = self._constants + self._rates(deviation), self._rates(direction)
        rest, rest_rate = deviation @ self._slope + self._constant, direction @ self._slope
        # Along a line the function has at most one linear piece more than there are constants, and a step that stays
        # outside has left its piece for good.
        for _ in range(len(self._constants) + 2):
            largest, steepness = self._largest(at + ends[open_, None] * rate, rate)
            value = np.maximum(largest, 0.0) @ self._costs + rest + ends[open_] * rest_rate
            outside = np.flatnonzero(value > self._rounding)
            if not len(outside):
                break
            slope = np.where(largest > 0, steepness, 0.0) @ self._costs + rest_rate
            open_ = open_[outside]
            ends[open_] = np.maximum(ends[open_] - value[outside] / slope[outside], 0.0)
            at, rate, rest, rest_rate = at[outside], rate[outside], rest[outside], rest_rate[outside]
        return ends

    def _largest(self, pieces: FloatArray, rate: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the largest piece of each group, and its rate."""
        if len(self._starts) == pieces.shape[1]:
            return pieces, rate
        largest = np.maximum.reduceat(pieces, self._starts, axis=1)
        sizes = np.diff([*self._starts, pieces.shape[1]])
        chosen = np.where(pieces >= np.repeat(largest, sizes, axis=1), rate, -np.inf)
        return largest, np.maximum.reduceat(chosen, self._starts, axis=1)


def _matrix(numbers: Sequence[Affine], hull: Hull) -> tuple[FloatArray, FloatArray]:
    """Return slopes (numbers x tasks) and exact values at the hull's point."""
    tasks = hull.space.tasks
    slopes = [[float(one.tasks.get(task, 0)) for task in tasks] for one in numbers]
    return np.array(slopes).reshape(len(numbers), len(tasks)), np.array([float(one.at(hull)) for one in numbers])


def walls_of(hull: Hull) -> Walls:
    """Return the walls of a hull's space, with the auxiliary variables of its conditions at their least values.

    Raises
    ------
    InputError
        If a condition's auxiliary variables are not such that the least ones serve best.
    """
    pieces, costs = _sorted_rows(hull.space)
    tasks = [task for task, moves in zip(hull.space.tasks, hull.moving, strict=True) if moves]
    flat = [Affine({task: Fraction(-1)}, Fraction(0)) for task in tasks]
    bent: list[tuple[list[Fraction], list[list[Affine]], Affine]] = []
    for row, rest in costs:
        # Small auxiliary variables are best, so each stands at its least value: the maximum of 0 and its pieces.
        named = row.auxiliaries if row.name in hull.active else [name for name in row.auxiliaries if pieces[name]]
        factors = {name: abs(row.auxiliaries[name]) for name in named}
        if row.name in hull.active:
            flat += [wall for name in factors for wall in _forced(hull, name, pieces[name])]
        elif len(factors) <= 1:
            # With one such maximum the row is several linear rows: ``rest + factor * max(0, pieces) <= 0`` for 0 and
            # each piece. With several, writing all combinations out would be exponential: hence the bend.
            flat.append(rest)
            flat += [rest.plus(one, factor) for name, factor in factors.items() for _, one in pieces[name]]
        else:
            bent.append((list(factors.values()), [[one for _, one in pieces[name]] for name in factors], rest))
    return Walls(hull, flat, bent)


Pieces = dict[str, list[tuple[str, Affine]]]


def _sorted_rows(space: WeightSpace) -> tuple[Pieces, list[tuple[LinearRow, Affine]]]:
    """Return what bounds each auxiliary variable from below, by row name, and all other rows as "at most 0"."""
    pieces: Pieces = {name: [] for name in space.auxiliaries}
    costs = []
    for row in space.rows:
        sign = Fraction(-1 if row.relation is Relation.AT_LEAST else 1)
        rest = Affine({task: sign * value for task, value in row.tasks.items()}, -sign * row.bound)
        factors = {name: sign * value for name, value in row.auxiliaries.items()}
        (name, factor), *more = factors.items() if factors else [("", Fraction(1))]
        if factor < 0 and not more and row.relation is not Relation.EQUAL:
            # ``factor`` is negative: the row says that the auxiliary variable is at least ``rest / -factor``.
            pieces[name].append((row.name, NOTHING.plus(rest, -1 / factor)))
        elif factors and (row.relation is Relation.EQUAL or min(factors.values()) < 0):
            raise InputError(
                f"weights cannot be drawn under the condition {row.name!r}: its auxiliary variables may be neither "
                "equal to anything nor more than the least that other rows ask for"
            )
        else:
            costs.append((row, rest))
    return pieces, costs


def _forced(hull: Hull, name: str, pieces: list[tuple[str, Affine]]) -> Iterator[Affine]:
    """Yield the walls that remain where an auxiliary variable equals one of its pieces on the whole space.

    Where a row that asks for small variables holds with equality throughout, each of them is the least it may be, and
    that is the same piece everywhere: the others must not exceed it.
    """
    place = len(hull.space.tasks) + hull.space.auxiliaries.index(name)
    active = [one for row, one in pieces if row in hull.active] + ([NOTHING] if hull.zeros[place] else [])
    others = [one for row, one in pieces if row not in hull.active] + ([] if hull.zeros[place] else [NOTHING])
    yield from (other.less(active[0]) for other in others)
