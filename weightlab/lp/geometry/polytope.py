"""Polytopes of weightings: corners, faces, a triangulation, and volumes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import AnyArray, common_denominator, places_of
from weightlab._result import Frozen, ensure
from weightlab.exceptions import InputError
from weightlab.lp.geometry.double_description import (
    IntegerRow,
    determinants,
    generators,
    independent_columns,
    inner_product,
    primitive,
)
from weightlab.lp.space.conditions import ONE, ZERO, Condition, LinearRow, Near, Relation
from weightlab.lp.space.space import WeightSpace

# The bounds of a winning region as rows of integers: duels, conditions, and tasks that all of them treat alike.

MOST_ROWS = 200
"""Largest number of inequalities to which a condition may come: a distance over seven tasks has as many."""


class HalfSpaces(Frozen, eq=True):
    """Rows with ``row . w >= 0`` over the tasks, and the same over classes of tasks with equal columns in all rows.

    Attributes
    ----------
    tasks : tuple of str
        Columns of the rows.
    duels : tuple of tuples of int
        One row per rival: its signs.
    conditions : tuple of (str, tuple of int)
        What the space asks for beyond weights that are not negative, in words and as a row.
    classes : tuple of tuples of str
        Tasks with the same column, in the order of their first.
    """

    tasks: tuple[str, ...]
    duels: tuple[IntegerRow, ...]
    conditions: tuple[tuple[str, IntegerRow], ...]
    classes: tuple[tuple[str, ...], ...]

    @property
    def multiplicities(self) -> tuple[int, ...]:
        """How many tasks each class has."""
        return tuple(len(members) for members in self.classes)

    def merged(self, row: IntegerRow) -> IntegerRow:
        """Return a row over the classes."""
        position = {task: place for place, task in enumerate(self.tasks)}
        return tuple(row[position[members[0]]] for members in self.classes)

    def merged_conditions(self) -> list[IntegerRow]:
        """Return the rows of the space over the classes."""
        return [self.merged(row) for _, row in self.conditions]

    def merged_duels(self) -> list[IntegerRow]:
        """Return the head-to-heads over the classes."""
        return [self.merged(row) for row in self.duels]


def half_spaces(signs: AnyArray, space: WeightSpace) -> HalfSpaces:
    """Return the bounds of the region in which a model with these signs is undefeated.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    space : WeightSpace
        Its tasks in the order of the columns.
    """
    duels = tuple(tuple(row) for row in signs.tolist())
    conditions = tuple(
        (condition.text(space.groups), row)
        for condition in space.conditions
        for row in _rows_of(condition, space.tasks)
        # A row without a negative entry holds for all weights, which are not negative: it bounds nothing.
        if min(row) < 0
    )
    # Equal in duels and in conditions, so that every bound sees only the sum of such tasks' weights.
    rows = [*duels, *(row for _, row in conditions)]
    classes: dict[tuple[int, ...], list[str]] = {}
    for place, task in enumerate(space.tasks):
        classes.setdefault(tuple(row[place] for row in rows), []).append(task)
    return HalfSpaces(
        tasks=space.tasks, duels=duels, conditions=conditions, classes=tuple(map(tuple, classes.values()))
    )


def _rows_of(condition: Condition, tasks: Sequence[str]) -> list[IntegerRow]:
    """Return a condition on weights that sum to 1 as rows without a constant.

    A distance from given weights, summed over n tasks, is 2^n - 2 rows: no set of tasks may gain more than half of it.
    """
    if not isinstance(condition, Near) or condition.norm != "l1":
        return [one for row in condition.rows(1) for one in _homogeneous(row, tasks)]
    count = 2 ** len(tasks) - 2
    if count > MOST_ROWS:
        raise InputError(
            f"the conditions come to {count} inequalities or more, and at most {MOST_ROWS} are taken; "
            "sampling estimates the share under any conditions"
        )
    sets = (places_of(chosen) for chosen in range(1, count + 1))
    gaining = ([tasks[place] for place in one] for one in sets)
    rows = (
        LinearRow.over(
            dict.fromkeys(some, ONE),
            Relation.AT_MOST,
            sum((condition.centre[task] for task in some), condition.radius / 2),
        )
        for some in gaining
    )
    return [one for row in rows for one in _homogeneous(row, tasks)]


def _homogeneous(row: LinearRow, tasks: Sequence[str]) -> list[IntegerRow]:
    # The weights sum to 1, so ``row >= bound`` is ``row - bound * (sum of the weights) >= 0``: a cone, no constant.
    up = primitive(common_denominator([row.tasks.get(task, ZERO) - row.bound for task in tasks])[0])
    down = tuple(-one for one in up)
    return {Relation.AT_LEAST: [up], Relation.AT_MOST: [down], Relation.EQUAL: [up, down]}[row.relation]


# Polytopes of weights, exactly.


MOST_STEPS = 50_000_000
"""A triangulation whose determinants take more steps (simplices times the cube of their size) is refused."""
MOST_FACES = 20_000
"""So is one that takes more faces apart."""
MOST_TERMS = 2_000_000
"""Largest number of coefficients (simplices times the product of the multiplicities) that are computed."""
INSTEAD = "sampling estimates it"
POINTS_DRAWN = 20
"""Points at the edge of a polytope on which its check looks for missing corners."""
"""What to do without an exact share."""
Simplex: TypeAlias = tuple[int, ...]
"""Positions of the corners of a simplex, ascending."""


class Polytope(Frozen):
    """All weightings (not negative, summing to 1) with ``row . w >= 0`` for some rows.

    Attributes
    ----------
    rows : tuple of tuples of int
        Without a constant, since weights sum to 1; the bounds ``w >= 0`` are among them.
    corners : tuple of tuples of int
        The extreme points, each scaled to coprime integers.
    """

    rows: tuple[IntegerRow, ...]
    corners: tuple[IntegerRow, ...]

    @classmethod
    def of(cls, rows: Sequence[IntegerRow], width: int) -> Polytope:
        """Return the polytope that the rows, together with ``w >= 0``, cut out of ``width`` weights."""
        units = [tuple(int(place == other) for other in range(width)) for place in range(width)]
        every = tuple(dict.fromkeys([*units, *rows]))
        return cls(rows=every, corners=generators(every, width).rays)

    @cached_property
    def tight(self) -> tuple[int, ...]:
        """For each row the corners that lie on it, as a bit mask."""
        return tuple(
            sum(1 << place for place, corner in enumerate(self.corners) if not inner_product(row, corner))
            for row in self.rows
        )

    @property
    def all_corners(self) -> int:
        """The bit mask of all corners."""
        return (1 << len(self.corners)) - 1

    @cached_property
    def coordinates(self) -> tuple[int, ...]:
        """Weights that determine all others: one more than the dimension."""
        return independent_columns(self.corners)

    @property
    def dimension(self) -> int:
        """Of the polytope; -1 when it is empty."""
        return len(self.coordinates) - 1

    def facet_rows(self) -> tuple[int, ...]:
        """Return the positions of the rows that hold a face of one dimension less."""
        found = []
        for position, mask in enumerate(self.tight):
            if mask and mask != self.all_corners:
                face = [self.corners[place] for place in places_of(mask)]
                # Corners are rays of a cone, whose rank is one more than the dimension of what they span.
                if len(independent_columns(face)) == self.dimension:
                    found.append(position)
        return tuple(found)

    @cached_property
    def triangulation(self) -> tuple[Simplex, ...]:
        """Simplices with disjoint interiors that fill the polytope.

        From the first corner of a face, simplices are drawn to those of all its facets that do not hold this corner.

        Raises
        ------
        InputError
            If their determinants took more than `MOST_STEPS`, or more than `MOST_FACES` must be taken apart.

        References
        ----------
        Büeler, Enge and Fukuda, Exact volume computation for polytopes, 2000, section 3.1 (Cohen and Hickey).
        """
        proper = sorted({mask for mask in self.tight if mask and mask != self.all_corners})
        if not self.corners:
            return ()
        pulling = PullingTriangulation(proper)
        # Counted before any is made: the number of simplices can be exponential in the dimension.
        count = pulling.count(self.all_corners)
        most = MOST_STEPS // len(self.coordinates) ** 3
        if count > most:
            raise InputError(
                f"the exact share over {len(self.rows[0])} distinct columns of signs takes {count} simplices, and at "
                f"most {most} of this dimension are made; {INSTEAD}"
            )
        return pulling.simplices(self.all_corners)

    @cached_property
    def volumes(self) -> NDArray[Any]:
        """Determinants of the simplices in the determining coordinates, of the corners as integers; signed."""
        # In these coordinates the hull of the corners is mapped one to one, so a simplex is flat only if its
        # determinant is 0.
        chosen = np.array(self.corners, dtype=object)[:, list(self.coordinates)]
        return determinants(chosen[np.array(self.triangulation, dtype=np.int64)])

    def check(self) -> None:
        """Ensure that the corners are the extreme points of what the rows allow, all of them.

        Each corner must meet all rows and lie on enough of them to be extreme; that none is missing shows where the
        extreme points are found once more, and on points at the edge of what the rows allow, drawn with a fixed seed.
        """
        self._check_corners()
        missing = next(iter(set(generators(self.rows, len(self.rows[0])).rays) - set(self.corners)), None)
        ensure(missing is None, f"the vertex in proportion to {missing} is missing")
        self._check_edge()

    def _check_corners(self) -> None:
        width = len(self.rows[0])
        for place, corner in enumerate(self.corners):
            ensure(any(corner), "a vertex has no weight at all")
            failing = next((row for row in self.rows if inner_product(row, corner) < 0), None)
            ensure(failing is None, f"vertex {place} violates {failing}")
            # An extreme ray is where the tight rows leave one dimension.
            rows = [row for row, mask in zip(self.rows, self.tight, strict=True) if mask >> place & 1]
            ensure(len(independent_columns(rows)) == width - 1, f"vertex {place} lies on too few bounds to be one")
        ensure(len(set(self.corners)) == len(self.corners), "a vertex occurs twice")
        ensure(self.corners, "a polytope without vertices")

    def _check_edge(self) -> None:
        """Ensure that points which the rows just allow are mixtures of corners; points beyond the rows never are.

        From the sum of the corners as much of a drawn weighting is taken off as the rows allow: of one of a few tasks
        and corners. From what is left as much of a corner is taken off, of one that lies on all rows on which this
        lies: it comes to lie on one more, so in the end nothing is left, unless a corner is missing. No corners are
        enumerated for this.
        """
        rows, corners = np.array(self.rows, dtype=object), np.array(self.corners, dtype=object)
        among = np.concatenate([np.eye(rows.shape[1], dtype=object), corners])
        draws, on = np.random.default_rng(0), ~(corners @ rows.T).astype(np.bool_)
        for _ in range(POINTS_DRAWN):
            left = _without(rows, corners.sum(axis=0), among[draws.integers(len(among), size=3)].sum(axis=0))
            while left.any():
                shared = np.flatnonzero(on[:, rows @ left == 0].all(axis=1))
                told = f"the weighting in proportion to {left.tolist()} is allowed and no mixture of the vertices"
                ensure(len(shared), told)
                left = _without(rows, left, corners[shared[0]])


def _without(rows: AnyArray, point: AnyArray, part: AnyArray) -> AnyArray:
    """Return a point less as much of a part as the rows allow, as coprime integers."""
    rates = zip((rows @ point).tolist(), (rows @ part).tolist(), strict=True)
    most = min(Fraction(room, rate) for room, rate in rates if rate > 0)
    return np.array(primitive((most.denominator * point - most.numerator * part).tolist()), dtype=object)


class PullingTriangulation:
    """A triangulation in the making: faces are bit masks of corners, each taken apart once.

    Parameters
    ----------
    proper : sequence of int
        The corners on each row that some, but not all, corners lie on.
    """

    def __init__(self, proper: Sequence[int]) -> None:
        self.proper = proper
        self._facets: dict[int, list[int]] = {}
        self._counts: dict[int, int] = {}
        self._known: dict[int, tuple[Simplex, ...]] = {}

    def count(self, face: int) -> int:
        """Return how many simplices a face has, which is faster than to make them.

        Raises
        ------
        InputError
            If too many faces are taken apart.
        """
        if face not in self._counts:
            facets = self._far_facets(face)
            # More than one bit: the face has facets without its first corner. A single corner is a simplex.
            self._counts[face] = sum(map(self.count, facets)) if face & (face - 1) else 1
            if len(self._counts) > MOST_FACES:
                raise InputError(f"the exact share takes more than {MOST_FACES} faces apart; {INSTEAD}")
        return self._counts[face]

    def simplices(self, face: int) -> tuple[Simplex, ...]:
        """Return the simplices of a face."""
        if face not in self._known:
            # The lowest bit is the first corner. As all faces use the same order of corners, their triangulations fit
            # together.
            apex = (face & -face).bit_length() - 1
            if face == 1 << apex:
                self._known[face] = ((apex,),)
            else:
                parts = (simplex for facet in self._far_facets(face) for simplex in self.simplices(facet))
                self._known[face] = tuple((apex, *simplex) for simplex in parts)
        return self._known[face]

    def _far_facets(self, face: int) -> list[int]:
        """Return the facets of a face that do not hold its first corner."""
        if face not in self._facets:
            first = face & -face
            # Faces of a face are its intersections with others; the largest proper ones are its facets.
            facets = _largest({face & mask for mask in self.proper} - {0, face})
            self._facets[face] = [facet for facet in facets if not facet & first]
        return self._facets[face]


def _largest(masks: set[int]) -> list[int]:
    """Return the masks that lie in no other one."""
    found: list[int] = []
    for mask in sorted(masks, key=lambda one: (-one.bit_count(), one)):
        if not any(mask & larger == mask for larger in found):
            found.append(mask)
    return found


# Shares of weightings, exact: volumes of polytopes in which a coordinate may stand for several equal tasks.


def share_of(part: Polytope, whole: Polytope, multiplicities: Sequence[int]) -> Fraction:
    """Return the share of a polytope of weightings that one of its parts takes up.

    Parameters
    ----------
    part, whole : Polytope
        The part lies in the whole.
    multiplicities : sequence of int
        How many tasks each weight is the sum of. Weightings of the tasks themselves are uniform, so that those of the
        sums have a density in proportion to the product of ``w_c ** (k_c - 1)``: on the whole simplex they are
        Dirichlet(k_1, k_2, ...).

    Returns
    -------
    Fraction
        0 when the part has a lower dimension than the whole.

    Raises
    ------
    InputError
        If more than `MOST_TERMS` coefficients are needed.
    """
    if part.dimension < whole.dimension:
        return Fraction(0)
    always_zero = [all(corner[place] == 0 for corner in whole.corners) for place in range(len(multiplicities))]
    # k equal tasks are one coordinate: uniform weights give their sum the density ``w ** (k - 1)``, as in aggregating a
    # Dirichlet distribution.
    powers = [0 if zero else count - 1 for zero, count in zip(always_zero, multiplicities, strict=True)]
    return _mass(part, whole.coordinates, powers) / _mass(whole, whole.coordinates, powers)


def _mass(polytope: Polytope, coordinates: Sequence[int], powers: Sequence[int]) -> Fraction:
    """Return the integral of ``prod w_c ** powers[c]`` up to a factor that all parts of the same space share."""
    if tuple(coordinates) != polytope.coordinates:
        raise InputError("the part does not span the space that it is a part of")
    terms = len(polytope.triangulation) * math.prod(power + 1 for power in powers)
    if terms > MOST_TERMS:
        raise InputError(
            f"equal tasks make the exact share a sum of {terms} terms, and at most {MOST_TERMS} are computed; {INSTEAD}"
        )
    simplices = np.array(polytope.corners, dtype=object)[np.array(polytope.triangulation, dtype=np.int64)]
    sums = simplices.sum(axis=2)
    means = _means(simplices, sums, powers)
    # Corners are integer rays; weights are rays divided by their sums, which divides the determinant in the same way.
    scales = np.multiply.reduce(sums, axis=1)
    return sum(
        (
            Fraction(abs(volume), scale) * mean
            for volume, scale, mean in zip(polytope.volumes.tolist(), scales.tolist(), means, strict=True)
        ),
        Fraction(0),
    )


def _means(simplices: NDArray[Any], sums: NDArray[Any], powers: Sequence[int]) -> list[Fraction]:
    """Return the mean of ``prod w_c ** powers[c]`` over each simplex (count x corners x weights, unscaled).

    With V_i the corners and d the dimension, the mean times ``(|n| + d)! / (d! prod n_c!)`` is the coefficient of t^n
    in ``prod_i 1 / (1 - <t, V_i>)``, a power series that is divided by one factor at a time.

    References
    ----------
    Baldoni, Berline, De Loera, Köppe and Vergne, How to integrate a polynomial over a simplex, 2011, section 3.
    """
    degree = sum(powers)
    if not degree:
        return [Fraction(1)] * len(simplices)
    # Scaled to a common sum the corners stay integers; the polynomial is homogeneous, so the scale is divided out as
    # its power.
    common = np.array([math.lcm(*row) for row in sums.tolist()], dtype=object)
    scaled = simplices * (common[:, None] // sums)[:, :, None]
    used = [place for place, power in enumerate(powers) if power]
    top = _top_coefficients(scaled[:, :, used], [powers[place] for place in used])
    dimension = simplices.shape[1] - 1
    ways = math.factorial(degree + dimension) // math.factorial(dimension)
    ways_same = math.prod(math.factorial(power) for power in powers)
    return [
        Fraction(coefficient * ways_same, ways * one**degree)
        for coefficient, one in zip(top.tolist(), common.tolist(), strict=True)
    ]


def _top_coefficients(corners: NDArray[Any], powers: Sequence[int]) -> NDArray[Any]:
    """Return the coefficient of t^powers in ``prod_i 1 / (1 - <t, corner_i>)`` for each simplex."""
    shape = [power + 1 for power in powers]
    strides = [math.prod(shape[place + 1 :]) for place in range(len(shape))]
    series = [np.zeros(len(corners), dtype=object) for _ in range(math.prod(shape))]
    series[0] = np.ones(len(corners), dtype=object)
    for corner in range(corners.shape[1]):
        # Dividing by ``1 - <t, V>`` in place: ``new[n] = old[n] + sum V_c * new[n - e_c]``; positions ascend, so that
        # earlier entries already belong to the new series.
        for position in range(len(series)):
            for place, stride in enumerate(strides):
                if position // stride % shape[place]:
                    series[position] = series[position] + corners[:, corner, place] * series[position - stride]
    return series[-1]
