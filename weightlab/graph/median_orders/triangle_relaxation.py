"""The linear ordering program without integrality: of three pairs that run around, an order has at most two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np

from weightlab._exact import FLOAT_EXACT, INT64_SAFE, AnyArray, FloatArray
from weightlab._result import Codec, Record, read_integers, to_json
from weightlab._solver import Formulation, IntegerMatrix, OpenProgram, Rows, Status, is_past, open_program, seconds_left
from weightlab.exceptions import SolverError

SATISFIED = 1e-6
"""How far a triangle may be violated before its row is added: a matter of speed alone, as bounds are re-checked."""
A_PAIR = 10
"""How many triangles through a pair of models are added in a round, the most violated first."""
FINEST_SCALE = 2**20
"""Multipliers are rounded to this part of a unit of the margins, or more coarsely where these are large."""
SOLVER_BITS = 45


def _read_list_of_integers(values: Any, what: str) -> AnyArray:
    return np.asarray(read_integers([values], what)[0])


def _read_corners(rows: Any, what: str) -> AnyArray:
    return read_integers(rows, what, 3)


Integers: TypeAlias = Annotated[AnyArray, Codec(to_json, _read_list_of_integers)]
"""An array of integers with one axis, as a list."""
Corners: TypeAlias = Annotated[AnyArray, Codec(to_json, _read_corners)]


class Triangles(Record):
    """Multipliers of triangle conditions: a proof of how little any order can cost.

    Attributes
    ----------
    corners : ndarray of int, triangles x 3
        Places a, b, c of models: an order has at most two of "a above b", "b above c", "c above a".
    multipliers : ndarray of int
        One a triangle, not negative, over ``scale``.
    scale : int
        Denominator of the multipliers.

    Notes
    -----
    Take any order. To the cost of its pairs add each triangle's multiplier once for each of the triangle's three
    pairs that the order has, and subtract it twice: as the order has two of them at most, this adds nothing positive.
    So the cost is at least the sum over the pairs of models of the cheaper of both sides, minus twice the multipliers
    (Lagrange). What a pair's dearer side costs more is its ``excess``: an order that takes it costs at least so much
    more than the bound.
    """

    corners: Corners
    multipliers: Integers
    scale: int

    @classmethod
    def none(cls, scale: int = 1) -> Triangles:
        """Return the proof without triangles: no order costs less than nothing."""
        return cls(corners=np.zeros((0, 3), dtype=np.int64), multipliers=np.zeros(0, dtype=object), scale=scale)

    @classmethod
    def joined(cls, parts: Sequence[Triangles]) -> Triangles:
        """Return the triangles of all parts, which have the same scale."""
        return cls(
            corners=np.concatenate([part.corners for part in parts]),
            multipliers=np.concatenate([part.multipliers for part in parts]),
            scale=parts[0].scale,
        )

    def among(self, places: AnyArray) -> Triangles:
        """Return the triangles of a part of the models as triangles of the whole, given the part's places in it."""
        return Triangles(corners=places[self.corners], multipliers=self.multipliers, scale=self.scale)

    def are_sound(self, count: int) -> bool:
        """Tell whether these are triangles among so many models, with multipliers and a scale that may be."""
        corners = self.corners
        inside = bool(np.all((corners >= 0) & (corners < count)))
        distinct = bool(np.all(corners != np.roll(corners, 1, axis=1)))
        positive = self.scale > 0 and all(one >= 0 for one in self.multipliers.tolist())
        return inside and distinct and positive and corners.shape == (len(self.multipliers), 3)

    def bound_and_excess(self, net: AnyArray) -> tuple[int, AnyArray]:
        """Return, times the scale, what every order costs at least and what each ordered pair adds to that at least.

        Parameters
        ----------
        net : ndarray of int, models x models
            Antisymmetric: what it costs to put the column above the row, where positive.
        """
        # ``tilted[i, j]`` is what putting i above j costs: by how much j wins their duel, if it does.
        tilted = np.maximum(net.T, 0).astype(object if self._is_large(net) else np.int64) * self.scale
        for first, second in ((0, 1), (1, 2), (2, 0)):
            sides = (self.corners[:, first], self.corners[:, second])
            np.add.at(tilted, sides, self.multipliers.astype(tilted.dtype))
        cheaper = np.minimum(tilted, tilted.T)
        # ``cheaper`` is symmetric and 0 on its diagonal, so half its sum counts each pair once.
        bound = int(cheaper.sum()) // 2 - 2 * int(self.multipliers.sum())
        return bound, np.asarray(tilted - cheaper)

    def _is_large(self, net: AnyArray) -> bool:
        """Tell whether sums over all pairs might leave 64 bits."""
        largest = int(np.abs(net).max(initial=1)) * self.scale * len(net) ** 2
        return bool(largest + 6 * sum(self.multipliers.tolist()) >= INT64_SAFE)


def finest_scale(net: AnyArray) -> int:
    """Return the scale for multipliers: fine, and coarse enough that sums over all pairs stay exact in floats."""
    largest = int(np.abs(net).max(initial=1)) * len(net) ** 2
    scale = FINEST_SCALE
    while scale > 1 and largest * scale >= FLOAT_EXACT // 4:
        scale //= 2
    return scale


def relaxed_optimum(
    net: AnyArray, scale: int, deadline: float | None, known: Triangles | None = None
) -> tuple[FloatArray, Triangles, OpenProgram | None]:
    """Return a point of the relaxation that costs least, the triangles that prove it, and the program itself.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive. With a cycle.
    scale : int
        Denominator of the multipliers to return.
    deadline : float or None
        The ``time.monotonic()`` at which to stop; the point and proof are then of what was reached.
    known : Triangles, optional
        Where to start; the triangles that are returned prove as much at least.

    Returns
    -------
    position : ndarray of float, models x models
        How far the row stands above the column, from 0 to 1; the two sides of a pair sum to 1.
    triangles : Triangles
        Whatever the solver's floats are worth, they prove some bound.
    program : OpenProgram or None
        None where the costs are too large for floats, so that the solver was given rounded ones.
    """
    pairs = Pairs(len(net))
    # Whatever costs the solver is given, multipliers that are not negative prove a bound on the true ones: rounding
    # weakens the bound at most.
    unit = rounding_unit(net)
    program = open_program(pairs.formulation(net // unit), relaxed=True)
    # Without any triangle the optimum is plain: every pair as its majority has it, a tie half way.
    position = np.asarray(net > 0, dtype=np.float64)
    position[net == 0] = 0.5
    known = known or Triangles.none(scale)
    corners, duals = [np.zeros((0, 3), dtype=np.int64)], np.zeros(0)
    while True:
        # Cutting planes (Grötschel, Jünger and Reinelt 1984): of n(n-1)(n-2)/3 triangles few are ever violated.
        fresh = known.corners if len(known.corners) and len(corners) == 1 else violated_triangles(position)
        if not len(fresh) or is_past(deadline):
            break
        program.add_rows(pairs.rows(fresh))
        solution = program.solve(seconds_left(deadline))
        if solution.x is None or solution.duals is None:
            if solution.status is Status.TIME_LIMIT:
                break
            raise SolverError(f"the linear ordering program ended as {solution.status}, yet every order satisfies it")
        corners.append(fresh)
        duals = solution.duals
        position = pairs.square(solution.x)
    # Minimising, rows with an upper bound have duals of at most 0.
    found = rounded(np.concatenate(corners), -duals, scale, unit)
    best = max(found, known, key=lambda one: one.bound_and_excess(net)[0])
    return position, best, program if unit == 1 else None


def violated_triangles(position: FloatArray, most: int | None = None) -> AnyArray:
    """Return the corners of triangles that a point violates, those that matter most; empty when it violates none.

    For each pair the ``A_PAIR`` most violated triangles through it are among them; with ``most``, only of so many of
    those of which a model is the first. O(n^3) in whole-row operations.
    """
    count = len(position)
    corners, excesses = [np.zeros((0, 3), dtype=np.int64)], [np.zeros(0)]
    for first in range(count - 2):
        # ``excess[j, k]`` is by how much ``x_ij + x_jk + x_ki <= 2`` fails. With i the lowest place each triangle comes
        # once, and (j, k) and (k, j) are its two directions.
        later = slice(first + 1, count)
        excess = position[first, later, None] + position[later, later] + position[later, first] - 2
        np.fill_diagonal(excess, -1)
        second, third = np.nonzero(excess > SATISFIED)
        if most is not None and len(second) > most:
            worst = np.argpartition(-excess[second, third], most)[:most]
            second, third = second[worst], third[worst]
        corners.append(np.column_stack([np.full(len(second), first), second + first + 1, third + first + 1]))
        excesses.append(excess[second, third])
    found, size = np.concatenate(corners), np.concatenate(excesses)
    found = found[np.argsort(-size, kind="stable")]
    sides = [found[:, a] * count + found[:, b] for a, b in ((0, 1), (1, 2), (2, 0))]
    # Kept if it is among the most violated ones of any of its three sides: many cuts through one pair say much the
    # same.
    kept = np.min([_occurrence(side) for side in sides], axis=0) < A_PAIR
    return np.asarray(found[kept])


def _occurrence(values: AnyArray) -> AnyArray:
    """Return for each entry how many equal ones stand before it."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))[: len(values)]
    lengths = np.diff(np.append(starts, len(values)))
    occurrence = np.empty(len(values), dtype=np.int64)
    occurrence[order] = np.arange(len(values)) - np.repeat(starts, lengths)
    return occurrence


def rounding_unit(net: AnyArray) -> int:
    """Return the power of two in which costs, rounded, add up to what floats hold with digits to spare."""
    # The bit length of the largest possible total decides how many low bits the solver cannot see.
    largest = int(np.abs(net).max(initial=0)) * len(net) ** 2
    return 1 << max(0, largest.bit_length() - SOLVER_BITS)


def rounded(corners: AnyArray, floats: FloatArray, scale: int, unit: int) -> Triangles:
    """Return multipliers near the floats, in units, as integers over a scale; any that are not negative bound."""
    # Tiny negative duals are rounding: any multiplier of at least 0 is sound, and 0 is the nearest.
    integers = [max(0, round(value * scale)) * unit for value in floats.tolist()]
    kept = [row for row, value in enumerate(integers) if value]
    return Triangles(
        corners=corners[kept], multipliers=np.array([integers[row] for row in kept], dtype=object), scale=scale
    )


class Pairs:
    """The variables of the program: for each pair of places, the lower first, how far that one stands above."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.above = np.triu_indices(count, 1)
        self.column = np.full((count, count), -1)
        self.column[self.above] = np.arange(len(self.above[0]))
        self.column.T[self.above] = np.arange(len(self.above[0]))

    def formulation(self, net: AnyArray) -> Formulation:
        """Return the program without any triangle: the least cost, up to a constant."""
        costs = (-net[self.above]).tolist()
        labels = _Labels(len(costs), lambda pair: f"{self.above[0][pair]} above {self.above[1][pair]}")
        none = Rows.none(len(costs))
        return Formulation.over(labels, none, name="linear order", objective=costs, upper=1, integral=True)

    def rows(self, corners: AnyArray) -> Rows:
        """Return the conditions of triangles: at most two of the three pairs that run around."""
        # There are variables for i < j only. A side that runs backwards is ``1 - x_ji``: the coefficient -1, and 1 less
        # on the right-hand side.
        tails, heads = corners, np.roll(corners, -1, axis=1)
        backward = tails > heads
        count = len(corners)
        matrix = IntegerMatrix(
            starts=np.arange(0, 3 * count + 1, 3, dtype=np.int64),
            indices=self.column[tails, heads].ravel().astype(np.int32),
            coefficients=np.where(backward, -1, 1).ravel().astype(np.int64),
            width=len(self.above[0]),
        )
        return Rows(
            matrix=matrix,
            lower=(None,) * count,
            upper=tuple((2 - backward.sum(axis=1)).tolist()),
            labels=_Labels(count, lambda row: "triangle {} {} {}".format(*corners[row])),
        )

    def square(self, x: FloatArray) -> FloatArray:
        """Return a point as a square, both sides of every pair."""
        position = np.zeros((self.count, self.count))
        position[self.above] = x
        position.T[self.above] = 1 - x
        return position


class _Labels(Sequence[str]):
    """Texts that are made when they are read."""

    def __init__(self, count: int, text: Callable[[int], str]) -> None:
        self._count = count
        self._text = text

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._text(index)
