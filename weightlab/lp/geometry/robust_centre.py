"""The centre of a winning region: the weighting from which the most weight can be moved anywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._exact import exact_products
from weightlab._record import Exact, Record, exact_series
from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.lp.certificates.dual import check_bound
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.certificates.primal import check_exact, check_weights, leads, series_dict
from weightlab.lp.geometry.double_description import IntegerRow
from weightlab.lp.geometry.half_spaces import HalfSpaces
from weightlab.lp.space.conditions import Bounded, Relation
from weightlab.lp.space.space import TaskShares, WeightSpace


@dataclass(frozen=True, kw_only=True, eq=False)
class Sides:
    """The bounds of a region that do not hold with equality all over it, as rows that measure moved weight.

    Attributes
    ----------
    names : tuple of str
        What each row is.
    rows : ndarray of int, sides x tasks
        Scaled so that moving a share s of the weight changes no row by more than ``unit * s``.
    unit : int
        The common range of the rows.
    space : WeightSpace
        The space, cut down to weights under which the duels that are tied all over the region are not lost.
    """

    names: tuple[str, ...]
    rows: AnyArray
    unit: int
    space: WeightSpace


def sides_of(bounds: HalfSpaces, corners: Sequence[IntegerRow], rivals: Sequence[str], space: WeightSpace) -> Sides:
    """Return the bounds of the region with these corners (over the classes) that leave room."""
    named = [(f"duel: {rival}", row) for rival, row in zip(rivals, bounds.duels, strict=True)]
    loose = _not_constant([bounds.merged(row) for _, row in named], corners)
    tied = [one for one, room in zip(named, loose, strict=True) if not room]
    sides = [one for one, room in zip(named, loose, strict=True) if room]
    width = len(bounds.tasks)
    for members, room in zip(bounds.classes, zip(*corners, strict=True), strict=True):
        places = [bounds.tasks.index(task) for task in members] if any(room) else []
        sides += [(f"task: {bounds.tasks[one]}", tuple(int(one == k) for k in range(width))) for one in places]
    asked = [(f"condition {n}: {text}", row) for n, (text, row) in enumerate(bounds.conditions, start=1)]
    room_left = _not_constant([bounds.merged(row) for _, row in asked], corners)
    sides += [one for one, room in zip(asked, room_left, strict=True) if room]
    # A row that is the same for all tasks is no bound: no moved weight changes it.
    sides = [(name, row) for name, row in sides if max(row) > min(row)]
    # Moving a share t of the weight from one task to another changes a row by t times its range at most: the row's
    # value over its range is the weight that can be moved before this bound is met.
    ranges = [max(row) - min(row) for _, row in sides]
    unit = math.lcm(*ranges)
    scaled = [[one * (unit // own) for one in row] for (_, row), own in zip(sides, ranges, strict=True)]
    kind = np.int64 if max((abs(one) for row in scaled for one in row), default=0) < 2**31 else object
    return Sides(
        names=tuple(name for name, _ in sides),
        rows=np.array(scaled, dtype=kind).reshape(len(sides), width),
        unit=unit,
        space=_cut(space, [row for _, row in tied]),
    )


def _not_constant(rows: Sequence[IntegerRow], corners: Sequence[IntegerRow]) -> list[bool]:
    if not rows:
        return []
    matrix = np.array(rows, dtype=object)
    return [bool(any(row)) for row in np.array([exact_products(matrix, corner) for corner in corners]).T.tolist()]


def _cut(space: WeightSpace, tied: Sequence[IntegerRow]) -> WeightSpace:
    for row in tied:
        signs = {task: Fraction(sign) for task, sign in zip(space.tasks, row, strict=True) if sign}
        space = space.and_condition(Bounded(tasks=signs, relation=Relation.AT_LEAST, bound=Fraction(0)))
    return space


class Centre(Record):
    """A weighting as far as possible from every bound of a region, and the proof that none is farther.

    Attributes
    ----------
    weights : Series of Fraction by task
        The weighting.
    radius : Fraction
        The share of the total weight that can be moved before a bound is reached.
    blockers : Series of Fraction by bound
        A mixture of bounds from which no weighting is farther.
    multipliers : tuple of Fraction
        Multipliers of the rows of the space, then of the duels tied all over the region, in that proof.
    """

    weights: TaskShares
    radius: Fraction
    blockers: Exact
    multipliers: tuple[Fraction, ...]

    def check(self, sides: Sides, dimension: int) -> None:
        """Ensure that the weights are in the space and ``radius`` from every side, and that none are farther."""
        check_exact(radius=self.radius)
        ensure(tuple(self.weights.index) == sides.space.tasks, "the centre is about other tasks")
        weights = series_dict(self.weights)
        check_weights(weights, sides.space.rows, sides.space.auxiliaries)
        if dimension == 0:
            ensure(self.radius == 0 and not len(self.blockers), "a single weighting leaves no room")
            return
        ensure(tuple(self.blockers.index) == sides.names, "the bounds around the centre are others")
        least = min(leads(sides.rows, list(weights.values())))
        ensure(least == self.radius * sides.unit, f"the centre has {least / sides.unit} of room, not {self.radius}")
        check_bound(sides.rows, sides.names, self.blockers, self.multipliers, sides.space, bound=least)


def centre_of(sides: Sides, only: Sequence[Fraction] | None, *, time_limit: float | None = None) -> Centre:
    """Return the centre of the region within these sides; ``only`` is its sole weighting, if it has just one."""
    if only is not None:
        nothing = exact_series([], [], "blocker")
        weights = exact_series(only, sides.space.tasks, "weight")
        return Centre(weights=weights, radius=Fraction(0), blockers=nothing, multipliers=())
    # All rows in one unit: the point farthest from the nearest of them is the widest margin's program once more.
    proof = widest_margin(sides.rows, sides.names, sides.space, time_limit=time_limit)
    return Centre(
        weights=exact_series(proof.weights, sides.space.tasks, "weight"),
        radius=proof.lower / sides.unit,
        blockers=exact_series(proof.blockers, sides.names, "blocker"),
        multipliers=tuple(proof.multipliers),
    )
