"""The linear ordering program without integrality: of three pairs that run around, an order has at most two."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, TypeAlias

import numpy as np

from weightlab._exact import FLOAT_EXACT, INT64_SAFE, AnyArray, FloatArray
from weightlab._result import Record, integers
from weightlab._solver import Formulation, IntegerMatrix, OpenProgram, Rows, Status, is_past, open_program, seconds_left
from weightlab.exceptions import SolverError
from weightlab.graph.median_orders.odd_walks import violated_walks

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SATISFIED = 1e-6
"""How far a triangle may be violated before its row is added: a matter of speed alone, as bounds are re-checked."""
A_PAIR = 10
"""How many triangles through a pair of models are added in a round, the most violated first."""
FINEST_SCALE = 2**20
"""Multipliers are rounded to this part of a unit of the margins, or more coarsely where these are large."""
WORTH_OF_WALKS = 1 / 100
"""No more odd walks are added when a round closes less than this part of what is open between bound and order."""
SOLVER_BITS = 45


Integers: TypeAlias = Annotated[AnyArray, integers(1)]


class Triangles(Record):
    """Multipliers of conditions made of triangles: a proof of how little any order can cost.

    Attributes
    ----------
    corners : ndarray of int, triangles x 3
        Places a, b, c of models: an order has at most two of "a above b", "b above c", "c above a".
    sizes : ndarray of int
        Of how many triangles, in turn, each condition is made: of 1, or of the several of an odd walk.
    multipliers : ndarray of int
        One a condition, not negative, over ``scale``.
    scale : int
        Denominator of the multipliers.

    Notes
    -----
    Take any order. To the cost of its pairs add each triangle's multiplier once for each of the triangle's three
    pairs that the order has, and subtract it twice: as the order has two of them at most, this adds nothing positive.
    So the cost is at least the sum over the pairs of models of the cheaper of both sides, minus twice the multipliers
    (Lagrange). What a pair's dearer side costs more is its ``excess``: an order that takes it costs at least so much
    more than the bound.

    In an odd walk the third pair, "c above a", counts twice: then the order has at most three of each triangle. If the
    first two pairs of all k triangles name each pair of models an even number of times, what all orders have of the
    sum is odd, or even, alike; where 3k is not, they have at most 3k - 1. This is a {0, 1/2}-cut (Caprara and Fischetti
    1996).
    """

    corners: Annotated[AnyArray, integers(2, width=3)]
    sizes: Integers
    multipliers: Integers
    scale: int

    @classmethod
    def none(cls, scale: int = 1) -> Triangles:
        """Return the proof without triangles: no order costs less than nothing."""
        return cls(
            corners=np.zeros((0, 3), dtype=np.int64),
            sizes=np.zeros(0, dtype=np.int64),
            multipliers=np.zeros(0, dtype=object),
            scale=scale,
        )

    @classmethod
    def joined(cls, parts: Sequence[Triangles]) -> Triangles:
        """Return the triangles of all parts, which have the same scale."""
        return cls(
            corners=np.concatenate([part.corners for part in parts]),
            sizes=np.concatenate([part.sizes for part in parts]),
            multipliers=np.concatenate([part.multipliers for part in parts]),
            scale=parts[0].scale,
        )

    def among(self, places: AnyArray) -> Triangles:
        """Return the triangles of a part of the models as triangles of the whole, given the part's places in it."""
        return replace(self, corners=places[self.corners])

    def are_sound(self, count: int) -> bool:
        """Tell whether these are conditions on so many models, with multipliers and a scale that may be."""
        corners, sizes = self.corners, self.sizes.tolist()
        inside = bool(np.all((corners >= 0) & (corners < count)))
        distinct = bool(np.all(corners != np.roll(corners, 1, axis=1)))
        positive = self.scale > 0 and all(one >= 0 for one in self.multipliers.tolist())
        whole = len(sizes) == len(self.multipliers) and min(sizes, default=1) > 0 and sum(sizes) == len(corners)
        return inside and distinct and positive and whole and self._are_odd(count)

    def _are_odd(self, count: int) -> bool:
        """Tell whether, in each condition of several triangles, pairs occur evenly and the sum falls short of 3k."""
        row = np.repeat(np.arange(len(self.sizes)), self.sizes)
        several = np.asarray(self.sizes > 1)
        tails, heads = self.corners[several[row], :2], self.corners[several[row], 1:]
        pairs = row[several[row], None] * count**2 + np.minimum(tails, heads) * count + np.maximum(tails, heads)
        evenly = np.all(np.unique(pairs, return_counts=True)[1] % 2 == 0)
        # "a above b" is 1 less "b above a". With all pairs named from their lower place only, the sum's terms are even,
        # and the constant is how many were turned.
        turned = np.bincount(row[several[row]], (tails > heads).sum(axis=1), minlength=len(self.sizes))
        return bool(evenly and np.all((turned + self.sizes)[several] % 2 == 1))

    def bound_and_excess(self, net: AnyArray) -> tuple[int, AnyArray]:
        """Return, times the scale, what every order costs at least and what each ordered pair adds to that at least.

        Parameters
        ----------
        net : ndarray of int, models x models
            Antisymmetric: what it costs to put the column above the row, where positive.
        """
        # ``tilted[i, j]`` is what putting i above j costs: by how much j wins their duel, if it does.
        tilted = np.maximum(net.T, 0).astype(object if self._is_large(net) else np.int64) * self.scale
        multipliers = self.multipliers.astype(tilted.dtype)
        times, most = times_and_most(self.sizes)
        added = np.repeat(multipliers, self.sizes)[:, None] * times
        np.add.at(tilted, (self.corners, np.roll(self.corners, -1, axis=1)), added)
        cheaper = np.minimum(tilted, tilted.T)
        # ``cheaper`` is symmetric and 0 on its diagonal, so half its sum counts each pair once.
        bound = int(cheaper.sum()) // 2 - int((multipliers * most).sum())
        return bound, np.asarray(tilted - cheaper)

    def _is_large(self, net: AnyArray) -> bool:
        """Tell whether sums over all pairs might leave 64 bits."""
        largest = int(np.abs(net).max(initial=1)) * self.scale * len(net) ** 2
        return bool(largest + 8 * sum((self.multipliers.astype(object) * self.sizes).tolist()) >= INT64_SAFE)


def times_and_most(sizes: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return how often each side of each triangle counts, triangles x 3, and how many an order has of a condition."""
    times = np.ones((int(sizes.sum()), 3), dtype=np.int64)
    times[:, 2] = np.repeat(np.where(sizes == 1, 1, 2), sizes)
    return times, np.where(sizes == 1, 2, 3 * sizes - 1)


def finest_scale(net: AnyArray) -> int:
    """Return the scale for multipliers: fine, and coarse enough that sums over all pairs stay exact in floats."""
    largest = int(np.abs(net).max(initial=1)) * len(net) ** 2
    scale = FINEST_SCALE
    while scale > 1 and largest * scale >= FLOAT_EXACT // 4:
        scale //= 2
    return scale


def relaxed_optimum(
    net: AnyArray, scale: int, deadline: float | None, known: Triangles | None = None, cost: int | None = None
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
    cost : int, optional
        What some order costs. If given, odd walks are added until they prove that none costs less, or prove little
        more than before.

    Returns
    -------
    position : ndarray of float, models x models
        How far the row stands above the column, from 0 to 1; the two sides of a pair sum to 1.
    triangles : Triangles
        Whatever the solver's floats are worth, they prove some bound.
    program : OpenProgram or None
        None where the costs are too large for floats, so that the solver was given rounded ones.
    """
    # Whatever costs the solver is given, multipliers that are not negative prove a bound on the true ones: rounding
    # weakens the bound at most.
    unit = rounding_unit(net)
    planes = CuttingPlanes(net // unit)
    known = known or Triangles.none(scale)
    fresh = (known.corners, known.sizes) if len(known.sizes) else each_alone(violated_triangles(planes.position))
    before = -math.inf
    # Cutting planes (Grötschel, Jünger and Reinelt 1984): of n(n-1)(n-2)/3 triangles few are ever violated.
    while len(fresh[1]) and not is_past(deadline) and planes.moved_by(*fresh, deadline):
        fresh = each_alone(violated_triangles(planes.position))
        if cost is None or len(fresh[1]):
            continue
        left = cost - 1 - unit * planes.value
        if left < 0 or planes.value - before < WORTH_OF_WALKS * left / unit:
            break
        before = planes.value
        fresh = violated_walks(planes.position)
    found = planes.proof(scale, unit)
    best = max(found, known, key=lambda one: one.bound_and_excess(net)[0])
    return planes.position, best, planes.program if unit == 1 else None


class CuttingPlanes:
    """The relaxation with the conditions that were added so far, and the point at which it costs least.

    With ``places`` the place of each model, from 0, is a column too, so that it can be confined.
    """

    def __init__(self, net: AnyArray, *, places: bool = False) -> None:
        self._pairs = Pairs(len(net), places=places)
        self._constant = int(np.maximum(net, 0)[self._pairs.above].sum())
        self.program = open_program(self._pairs.formulation(net), relaxed=True)
        # Without any triangle the optimum is plain: every pair as its majority has it, a tie half way.
        self.position = np.asarray(net > 0, dtype=np.float64)
        self.position[net == 0] = 0.5
        self.value = -math.inf
        self._corners = [np.zeros((0, 3), dtype=np.int64)]
        self._sizes = [np.zeros(0, dtype=np.int64)]
        self._duals = np.zeros(0)

    def confine(self, model: int, low: int, high: int) -> None:
        """Let one model stand between two places only, and all others anywhere."""
        pairs, count = len(self._pairs.above[0]), self._pairs.count
        lower, upper = np.zeros(pairs + count), np.append(np.ones(pairs), np.full(count, count - 1.0))
        lower[pairs + model], upper[pairs + model] = low, high
        self.program.confine(lower, upper)

    def moved_by(self, corners: AnyArray, sizes: AnyArray, deadline: float | None) -> bool:
        """Add conditions and go to where they let the relaxation cost least; tell whether there was time."""
        self.program.add_rows(self._pairs.rows(corners, sizes))
        solution = self.program.solve(seconds_left(deadline))
        if solution.x is None or solution.duals is None:
            if solution.status is Status.TIME_LIMIT:
                return False
            raise SolverError(f"the linear ordering program ended as {solution.status}, yet every order satisfies it")
        self._corners.append(corners)
        self._sizes.append(sizes)
        self._duals = solution.duals[len(self._pairs.own_rows) :]
        self.position, self.value = self._pairs.square(solution.x), solution.value + self._constant
        return True

    def proof(self, scale: int, unit: int) -> Triangles:
        """Return what the solver's multipliers prove."""
        # Minimising, rows with an upper bound have duals of at most 0.
        return rounded(np.concatenate(self._corners), np.concatenate(self._sizes), -self._duals, scale, unit)


def each_alone(corners: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return triangles each of which is a condition by itself, with their sizes."""
    return corners, np.ones(len(corners), dtype=np.int64)


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


def rounded(corners: AnyArray, sizes: AnyArray, floats: FloatArray, scale: int, unit: int) -> Triangles:
    """Return multipliers near the floats, in units, as integers over a scale; any that are not negative bound."""
    # Tiny negative duals are rounding: any multiplier of at least 0 is sound, and 0 is the nearest.
    integers = np.array([max(0, round(value * scale)) * unit for value in floats.tolist()], dtype=object)
    kept = np.asarray(integers > 0, dtype=np.bool_)
    return Triangles(
        corners=corners[np.repeat(kept, sizes)], sizes=sizes[kept], multipliers=integers[kept], scale=scale
    )


class Pairs:
    """The variables of the program: for each pair of places, the lower first, how far that one stands above.

    With ``places`` there follows for each model how many stand above it, by ``own_rows``.
    """

    def __init__(self, count: int, *, places: bool = False) -> None:
        self.count = count
        self.above = np.triu_indices(count, 1)
        self.column = np.full((count, count), -1)
        self.column[self.above] = np.arange(len(self.above[0]))
        self.column.T[self.above] = np.arange(len(self.above[0]))
        self._spare = count if places else 0
        self.own_rows = self._place_rows() if places else Rows.none(len(self.above[0]))

    def _place_rows(self) -> Rows:
        """Return for each model that its place is how many stand above it."""
        pairs, one = len(self.above[0]), np.arange(self.count)
        upper, lower = self.above
        matrix = np.zeros((self.count, pairs + self.count), dtype=np.int8)
        # Of the pair i < j, "i above j" adds 1 to the place of j and takes 1 off that of i, where it was counted above.
        matrix[lower, np.arange(pairs)] = 1
        matrix[upper, np.arange(pairs)] = matrix[one, pairs + one] = -1
        later = [place + 1 - self.count for place in range(self.count)]
        labels = [f"place of {model}" for model in range(self.count)]
        return Rows.from_matrix(matrix, lower=later, upper=later, labels=labels)

    def formulation(self, net: AnyArray) -> Formulation:
        """Return the program without any triangle: the least cost, up to a constant."""
        costs = [*(-net[self.above]).tolist(), *[0] * self._spare]
        upper = [*[1] * len(self.above[0]), *[self.count - 1] * self._spare]
        labels = _Labels(len(costs), self._label)
        return Formulation.over(labels, self.own_rows, name="linear order", objective=costs, upper=upper, integral=True)

    def _label(self, column: int) -> str:
        pairs = len(self.above[0])
        if column >= pairs:
            return f"place of {column - pairs}"
        return f"{self.above[0][column]} above {self.above[1][column]}"

    def rows(self, corners: AnyArray, sizes: AnyArray) -> Rows:
        """Return the conditions that these triangles make: so many of them, in turn, each."""
        # There are variables for i < j only. A side that runs backwards is ``1 - x_ji``: it counts with the opposite
        # sign, and is taken off the right-hand side.
        tails, heads = corners, np.roll(corners, -1, axis=1)
        backward = tails > heads
        times, most = times_and_most(sizes)
        row, ends = np.repeat(np.arange(len(sizes)), sizes), np.cumsum(sizes)
        turned = np.bincount(row, (times * backward).sum(axis=1), minlength=len(sizes)).astype(np.int64)
        from scipy.sparse import csr_array  # noqa: PLC0415 - takes longer to load than most orders to find

        entries = csr_array(
            (np.where(backward, -times, times).ravel(), (np.repeat(row, 3), self.column[tails, heads].ravel())),
            shape=(len(sizes), len(self.above[0]) + self._spare),
        )
        entries.eliminate_zeros()  # once what a walk has of a pair both ways is added up, as it was above
        return Rows(
            matrix=_matrix(entries),
            lower=(None,) * len(sizes),
            upper=tuple((most - turned).tolist()),
            labels=_Labels(len(sizes), lambda one: f"triangles {corners[ends[one] - sizes[one] : ends[one]].tolist()}"),
        )

    def square(self, x: FloatArray) -> FloatArray:
        """Return a point as a square, both sides of every pair."""
        position = np.zeros((self.count, self.count))
        position[self.above] = x[: len(self.above[0])]
        position.T[self.above] = 1 - x[: len(self.above[0])]
        return position


def _matrix(entries: csr_array) -> IntegerMatrix:
    return IntegerMatrix(
        starts=entries.indptr.astype(np.int64),
        indices=entries.indices.astype(np.int32),
        coefficients=entries.data,
        width=entries.shape[1],
    )


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
