"""The linear ordering program without integrality: of three pairs that run around, an order has at most two."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import FLOAT_EXACT, INT64_SAFE, AnyArray, BoolArray, FloatArray
from weightlab._result import Record, integers
from weightlab._solver import Formulation, IntegerMatrix, Rows, Status, is_past, open_program, seconds_left
from weightlab.exceptions import SolverError
from weightlab.graph.median_orders.odd_walks import violated_walks

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
    (Lagrange). What a pair's dearer side costs more is its ``excess``: an order that takes it costs at least that
    much more than the bound.

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
        none = np.zeros(0, dtype=np.int64)
        return cls(corners=none.reshape(0, 3), sizes=none, multipliers=none.astype(object), scale=scale)

    def among(self, places: AnyArray) -> Triangles:
        """Return the triangles of a part of the models as triangles of the whole, given the part's places in it."""
        return replace(self, corners=places[self.corners])

    def within(self, places: AnyArray) -> Triangles:
        """Return the triangles of the whole as triangles of the part that all of them are in, given its places."""
        return replace(self, corners=np.searchsorted(places, self.corners))

    def are_sound(self, count: int) -> bool:
        """Return whether these are conditions on this many models, with multipliers and a scale that are valid."""
        corners, sizes = self.corners, self.sizes.tolist()
        inside = bool(np.all((corners >= 0) & (corners < count)))
        distinct = bool(np.all(corners != np.roll(corners, 1, axis=1)))
        positive = self.scale > 0 and all(one >= 0 for one in self.multipliers.tolist())
        whole = len(sizes) == len(self.multipliers) and min(sizes, default=1) > 0 and sum(sizes) == len(corners)
        return inside and distinct and positive and whole and self._are_odd(count)

    def _are_odd(self, count: int) -> bool:
        """Return whether, in each condition of several triangles, pairs occur evenly and the sum falls short of 3k."""
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
        # ``tilted[i, j]`` is the cost of putting i above j: by how much j wins their head-to-head, if it does.
        tilted = np.maximum(net.T, 0).astype(object if self._is_large(net) else np.int64) * self.scale
        multipliers = self.multipliers.astype(tilted.dtype)
        times, most = times_and_most(self.sizes)
        added = np.repeat(multipliers, self.sizes)[:, None] * times
        np.add.at(tilted, (self.corners, np.roll(self.corners, -1, axis=1)), added)
        cheaper = np.minimum(tilted, tilted.T)
        # ``cheaper`` is symmetric and 0 on its diagonal, so half its sum counts each pair once.
        bound = int(cheaper.sum()) // 2 - int((multipliers * most).sum())
        return bound, np.asarray(tilted - cheaper)

    def settle(self, net: AnyArray, cost: int) -> bool:
        """Return whether the bound alone proves that no order costs less."""
        # Costs are integers: a bound above ``cost - 1`` excludes every cheaper order.
        return self.bound_and_excess(net)[0] > (cost - 1) * self.scale

    def _is_large(self, net: AnyArray) -> bool:
        """Return whether sums over all pairs might leave 64 bits."""
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
    return min(FINEST_SCALE, 1 << max(0, ((FLOAT_EXACT // 4 - 1) // largest).bit_length() - 1))


class CuttingPlanes:
    """The relaxation with the conditions that were added so far, and the point at which it costs least.

    Attributes
    ----------
    position : ndarray of float, models x models
        How far the row stands above the column, from 0 to 1; the two sides of a pair sum to 1.
    value : float
        What the point costs; minus infinity before the program was solved.
    unit : int
        The solver is given the costs divided by this: 1, but where they are too large for floats.
    program : OpenProgram
        A column for each pair of models, the lower place first: how far that one stands above.
    """

    def __init__(self, net: AnyArray, given: BoolArray | None = None) -> None:
        """Start without any triangle: every pair is as it is given, else as its majority has it, a tie half way.

        Parameters
        ----------
        net : ndarray of int, models x models
            Antisymmetric: what it costs to put the column above the row, where positive.
        given : ndarray of bool, models x models, optional
            Pairs that are to stand so.
        """
        self._net, self.unit, self._count = net, rounding_unit(net), len(net)
        self.position = np.where(net == 0, 0.5, net > 0)
        self._above = np.triu_indices(self._count, 1)
        pairs = np.arange(len(self._above[0]))
        self._column = np.full(net.shape, -1)
        self._column[self._above] = self._column.T[self._above] = pairs
        # Without any triangle: the least cost, up to a constant.
        names = [f"{one} above {other}" for one, other in zip(*self._above, strict=True)]
        costs = (-(net // self.unit)[self._above]).tolist()
        none = Rows.none(len(pairs))
        program = Formulation.over(names, none, name="linear order", objective=costs, upper=1, integral=True)
        self.program = open_program(program, relaxed=True)
        self.value, self._duals = -math.inf, np.zeros(0)
        self._corners, self._sizes = [np.zeros((0, 3), dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        if given is not None:
            self.position[given | given.T] = given[given | given.T]
            self.program.confine(given[self._above].astype(np.float64), (~given.T[self._above]).astype(np.float64))

    def rows(self, corners: AnyArray, sizes: AnyArray) -> Rows:
        """Return the conditions that these triangles make: in turn, this many of them each."""
        # There are variables for i < j only. A side that runs backwards is ``1 - x_ji``: it counts with the opposite
        # sign, and is taken off the right-hand side.
        tails, heads = corners, np.roll(corners, -1, axis=1)
        backward = tails > heads
        times, most = times_and_most(sizes)
        row = np.repeat(np.arange(len(sizes)), sizes)
        turned = np.bincount(row, (times * backward).sum(axis=1), minlength=len(sizes)).astype(np.int64)
        from scipy.sparse import csr_array  # noqa: PLC0415 - takes longer to load than most orders to find

        entries = csr_array(
            (np.where(backward, -times, times).ravel(), (np.repeat(row, 3), self._column[tails, heads].ravel())),
            shape=(len(sizes), len(self._above[0])),
        )
        entries.eliminate_zeros()  # once what a walk has of a pair both ways is added up, as it was above
        matrix = IntegerMatrix(
            starts=entries.indptr.astype(np.int64),
            indices=entries.indices.astype(np.int32),
            coefficients=entries.data,
            width=entries.shape[1],
        )
        none, most = (None,) * len(sizes), most - turned
        return Rows(matrix=matrix, lower=none, upper=tuple(most.tolist()), labels=["triangles"] * len(sizes))

    def moved_by(self, corners: AnyArray, sizes: AnyArray, deadline: float | None) -> bool:
        """Add conditions and go to where they let the relaxation cost least; tell whether there was time."""
        self.program.add_rows(self.rows(corners, sizes))
        self._corners.append(corners)
        self._sizes.append(sizes)
        solution = self.program.solve(seconds_left(deadline))
        if solution.x is None or solution.duals is None:
            if solution.status is Status.TIME_LIMIT:
                return False
            raise SolverError(f"the linear ordering program ended as {solution.status}, yet every order satisfies it")
        self._duals = solution.duals
        self.position = self._square(solution.x)
        self.value = self.unit * (solution.value + int(np.maximum(self._net // self.unit, 0)[self._above].sum()))
        return True

    def _square(self, x: FloatArray) -> FloatArray:
        """Return a point as a square, both sides of every pair."""
        position = np.zeros((self._count, self._count))
        position[self._above] = x
        position.T[self._above] = 1 - x
        return position

    def lower(self, known: Triangles, deadline: float | None, cost: int | None = None) -> None:
        """Go to the point that costs least of those that violate no triangle.

        Parameters
        ----------
        known : Triangles
            Where to start.
        deadline : float or None
            The ``time.monotonic()`` at which to stop; the point and proof are then of what was reached.
        cost : int, optional
            What some order costs. If given, odd walks are added until they prove that none costs less, or prove little
            more than before.
        """
        fresh = (known.corners, known.sizes) if len(known.sizes) else violated_triangles(self.position)
        before = -math.inf
        # Cutting planes (Grötschel, Jünger and Reinelt 1984): of n(n-1)(n-2)/3 triangles few are ever violated.
        while not is_past(deadline):
            if not len(fresh[1]):
                if cost is None or cost - 1 < self.value:
                    return
                if self.value - before < WORTH_OF_WALKS * (cost - 1 - self.value):
                    return
                before, fresh = self.value, violated_walks(self.position)
            if not (len(fresh[1]) and self.moved_by(*fresh, deadline)):
                return
            fresh = violated_triangles(self.position)

    def proof(self, scale: int) -> Triangles:
        """Return the bound that the solver's multipliers prove, over a scale: valid whatever its floats are worth."""
        # Minimising, rows with an upper bound have duals of at most 0.
        duals = np.append(-self._duals, np.zeros(sum(map(len, self._sizes)) - len(self._duals)))
        return rounded(np.concatenate(self._corners), np.concatenate(self._sizes), duals, scale, self.unit)

    def best_order(self, deadline: float | None) -> AnyArray | None:
        """Return an order of least cost, best first, by the solver's branch and bound; None if it has none in time."""
        self.program.make_integral()
        while True:
            solution = self.program.solve(seconds_left(deadline))
            if solution.status is not Status.OPTIMAL or solution.x is None:
                return None
            position = self._square(np.rint(solution.x))
            # A point of integers without a violated triangle is an order.
            fresh = violated_triangles(position)
            if not len(fresh[1]):
                return np.argsort(-position.sum(axis=1), kind="stable")
            self.program.add_rows(self.rows(*fresh))


def violated_triangles(position: FloatArray, most: int | None = None) -> tuple[AnyArray, AnyArray]:
    """Return the corners of triangles that a point violates, those that matter most, and their sizes, all 1.

    For each pair the ``A_PAIR`` most violated triangles through it are among them; with ``most``, at most that
    many per first model. O(n^3) in whole-row operations.
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
    kept = np.min([pd.Series(side).groupby(side).cumcount() for side in sides], axis=0) < A_PAIR
    return found[kept], np.ones(int(kept.sum()), dtype=np.int64)


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
