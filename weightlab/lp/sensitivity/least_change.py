"""Reversals: the least change of weights at which a sum over tasks is no longer positive, for one row or many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd

import numpy as np

from weightlab._exact import AnyArray, common_denominator
from weightlab._result import Frozen, Record, ensure
from weightlab._solver import ensure_time
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp.certificate import Optimum, check_exact, check_point, check_weights, leads, most, nonzero
from weightlab.lp.certificates.max_margin import best_over, widest_margin
from weightlab.lp.certificates.objectives import DistanceFrom
from weightlab.lp.space.conditions import NORMS, ONE, ZERO, Norm, checked_norm
from weightlab.lp.space.space import Vectors, WeightSpace

DUEL = "duel"
"""What the only row is called."""


def reversal(norm: Norm, row: AnyArray, centre: Sequence[Fraction], space: WeightSpace) -> Optimum:
    """Return the nearest weights of a space at which a row's total is 0 or less; there must be some.

    Parameters
    ----------
    norm : {"l1", "linf"}
        The distance.
    row : ndarray of int, tasks
        Signs or differences of points; its total is to be 0 or less.
    centre : sequence of Fraction
        Weights that sum to 1.
    space : WeightSpace
        Allowed weights.

    Notes
    -----
    Where the nearest of all weights meet the conditions, as they do without any, no program is needed. Sum of changes:
    weight moves from the tasks with the largest numbers to the one with the least. Largest change: at a level of the
    row tasks above it give and tasks below take; the change that this needs is found by Newton's method, since a level
    that is best for one change gives a bound for all. O(tasks log tasks), the latter a few times.
    """
    # A common factor changes neither weights nor distance; only the multiplier refers to the original row.
    factor = gcd(*(int(number) for number in row)) or 1
    numbers = [int(number) // factor for number in row]
    if min(numbers) <= 0:
        near = _least_sum(numbers, centre) if norm == "l1" else _least_largest(numbers, centre)
        if not space.conditions or space.contains(near.weights):
            return near.over(space, factor)
    objective = DistanceFrom(centre=dict(zip(space.tasks, centre, strict=True)), norm=norm, todays=False)
    found = best_over(-(row // factor)[None, :], [DUEL], space, objective)
    return replace(found, mixture={name: share / factor for name, share in found.mixture.items()})


class _Nearest(Frozen):
    """The nearest weights of all at which a row's total is 0 or less, with the row's multiplier and a slope."""

    value: Fraction
    weights: Sequence[Fraction]
    factor: Fraction
    slope: Sequence[Fraction]

    def over(self, space: WeightSpace, unit: int) -> Optimum:
        """Return them as weights of a space, whose conditions take no part; the row was divided by ``unit``."""
        weights, slope = (nonzero(own, space.tasks) for own in (self.weights, self.slope))
        mixture = {DUEL: self.factor / unit} if self.factor else {}
        vectors: Vectors = ({},) * len(space.conditions)
        return Optimum(value=self.value, weights=weights, mixture=mixture, vectors=vectors, slope=slope)


def _least_sum(row: list[int], centre: Sequence[Fraction]) -> _Nearest:
    """Return the least sum of changes: the tasks with the largest numbers give to the one with the least."""
    shares, over = common_denominator(centre)
    least = min(row)
    rest = sum(number * share for number, share in zip(row, shares, strict=True))
    weights, moved, factor = list(centre), 0, ZERO
    # A fractional knapsack: a unit of weight moved from here lowers the total by this number less the least one, so the
    # largest numbers give first.
    for task in sorted(range(len(row)), key=lambda one: -row[one]):
        lowered = row[task] - least
        if rest <= 0 or not lowered:
            break
        if shares[task]:
            # The multiplier that proves it: moving a unit changes two weights, and brings the last giver's difference.
            factor, last = Fraction(2, lowered), task
            weights[task] = ZERO
            moved += shares[task]
            rest -= shares[task] * lowered
    # The last giver keeps what would lower the total below 0.
    kept = -rest * factor / (2 * over)
    if factor:
        weights[last] = kept
    change = Fraction(moved, over) - kept
    weights[row.index(least)] += change
    # At these slopes, from 1 at the taker down to -1, slope and row times the multiplier add up to the same on every
    # task that has weight, and to no less elsewhere: so the least of both together is at these weights.
    slope = [max(-ONE, ONE - factor * (number - least)) for number in row] if factor else [ZERO] * len(row)
    return _Nearest(value=2 * change, weights=weights, factor=factor, slope=slope)


def _least_largest(row: list[int], centre: Sequence[Fraction]) -> _Nearest:
    """Return the least largest change, by Newton's method on the levels of the row."""
    lead = sum((number * share for number, share in zip(row, centre, strict=True)), ZERO)
    if lead <= 0:
        return _Nearest(value=ZERO, weights=centre, factor=ZERO, slope=[ZERO] * len(row))
    change, slope, level = ZERO, ZERO, min(row)
    following = (*_root(row, centre, level, lead), level)
    # The root for any level bounds the change from below. It only rises, and where the best level for it gives the same
    # root again it is attained.
    while following[0] > change:
        change, slope, level = following
        best = _best_level(row, centre, change)
        following = (*_root(row, centre, best, lead), best)
    low = [max(ZERO, share - change) for share in centre]
    weights = [
        share + change if number < level else least for number, share, least in zip(row, centre, low, strict=True)
    ]
    left = 1 - sum(weights, ZERO)
    # Tasks at the level itself may take anything up to their limit: they take what the sum of 1 leaves.
    for task in (one for one, number in enumerate(row) if number == level):
        taken = min(left, centre[task] + change - low[task])
        weights[task] += taken
        left -= taken
    # Tasks that change by all of it have a slope: those below the level, and those above with enough to give.
    moved = [number < level or share >= change for number, share in zip(row, centre, strict=True)]
    slopes = [(level - number) / slope if one else ZERO for number, one in zip(row, moved, strict=True)]
    return _Nearest(value=change, weights=weights, factor=1 / slope, slope=slopes)


def _best_level(row: list[int], centre: Sequence[Fraction], change: Fraction) -> int:
    """Return the level of the row up to which tasks take all that a largest change lets them, the others giving."""
    low = [max(ZERO, share - change) for share in centre]
    held = sum(low, ZERO)
    for task in sorted(range(len(row)), key=row.__getitem__):
        held += centre[task] + change - low[task]
        if held >= 1:
            return row[task]
    return max(row)


def _root(row: list[int], centre: Sequence[Fraction], level: int, lead: Fraction) -> tuple[Fraction, Fraction]:
    """Return the largest change at which the tasks above a level no longer outweigh it, and the slope there.

    With a largest change of d the total is at least what is left when the tasks above the level give d each, or all
    they have, and those below take d each: ``lead`` at first, falling by ``slope`` a unit until a giver has no more.
    """
    slope = Fraction(sum(abs(number - level) for number in row))
    givers = sorted((share, number - level) for share, number in zip(centre, row, strict=True) if number > level)
    change = ZERO
    # The lead falls piecewise linearly; each giver that has nothing left makes the slope flatter by its price.
    for share, price in givers:
        if lead <= slope * (share - change):
            break
        lead -= slope * (share - change)
        change, slope = share, slope - price
    return change + lead / slope, slope


# Many rows: the least total of each, and the nearest weights at which it is no longer positive.


def minimum_total(row: AnyArray, space: WeightSpace) -> Optimum:
    """Return the least total of a row of integers over the weights of a space."""
    if not space.conditions:
        # A linear function is least at a corner of the simplex: all weight on one task.
        task = int(np.argmin(row))
        weights = {space.tasks[task]: Fraction(1)}
        return Optimum(value=Fraction(int(row[task])), weights=weights, mixture={}, vectors=(), slope={})
    found = widest_margin(-row[None, :], [DUEL], space)
    weights = nonzero(found.weights, space.tasks)
    return Optimum(value=-found.upper, weights=weights, mixture={}, vectors=found.vectors, slope={})


class Reversals(Record):
    """For each of some rows the least total, and by norm the nearest weights at which it is 0 or less.

    Attributes
    ----------
    centre : tuple of Fraction
        Today's weights, one per task.
    least : tuple of Optimum
        One per row.
    points : mapping from norm to tuple of Optimum or None
        One per row; None where the total stays positive whatever the weights.
    """

    centre: tuple[Fraction, ...]
    least: tuple[Optimum, ...]
    points: Mapping[Norm, tuple[Optimum | None, ...]]

    @property
    def norms(self) -> tuple[Norm, ...]:
        """The norms that changes were measured by."""
        return tuple(self.points)

    def norm_or_first(self, norm: str | None = None) -> Norm:
        """Return a norm that changes were measured by, by default the first; raise InputError for another."""
        if norm is None:
            return self.norms[0]
        if checked_norm(norm) not in self.points:
            raise InputError(f"norm {norm!r} was not asked for; norm=None asks for both")
        return checked_norm(norm)

    def distances(self, norm: str | None = None) -> list[Fraction | None]:
        """Return the distance of each reversal, None if it is impossible."""
        return [None if point is None else point.value for point in self.points[self.norm_or_first(norm)]]

    def radius(self, norm: str | None = None) -> Fraction | None:
        """Return the least of the distances, None without any."""
        return min((value for value in self.distances(norm) if value is not None), default=None)

    def first(self, norm: str | None = None) -> list[int]:
        """Return the rows that are reversed at the least distance."""
        radius = self.radius(norm)
        return [position for position, value in enumerate(self.distances(norm)) if value == radius is not None]

    def check(self, rows: AnyArray, space: WeightSpace) -> None:
        """Ensure, row by row, that the totals are least and the reversals nearest."""
        ensure(self.points and set(self.points) <= set(NORMS), "distances must be by the norms l1 or linf")
        check_point(self.centre, WeightSpace(space.tasks))
        counts = {len(self.least), *(len(points) for points in self.points.values())}
        ensure(counts == {len(rows)}, "there must be one least total and one reversal a row")
        centre = dict(zip(space.tasks, self.centre, strict=True))
        far = {norm: DistanceFrom(centre=centre, norm=norm, todays=False) for norm in self.points}
        for position, row in enumerate(rows):
            least = self.least[position]
            ensure_time("least changes of weights, checked")
            _check_least(least, row, space)
            for norm, points in self.points.items():
                point = points[position]
                if point is None:
                    ensure(least.value > 0, f"a total of {least.value} is possible, but no reversal is given")
                else:
                    point.check(-row[None, :], [DUEL], space, far[norm])


def _check_least(least: Optimum, row: AnyArray, space: WeightSpace) -> None:
    """Ensure that the weights have the total that is least, and that no weights of the space have less."""
    check_exact(value=least.value)
    ensure({*least.weights} <= {*space.tasks}, "the weights are about other tasks than those of the space")
    check_weights(least.weights, space)
    ensure(not least.mixture and not least.slope, "a total is bounded by conditions alone")
    total = leads(row[None, :], least.along(space.tasks))[0]
    ensure(total == least.value, f"the total of the head-to-head is {total}, not {least.value}")
    bound = -most(space, least.vectors, -row[None, :], [ONE])
    ensure(bound == least.value, f"the multipliers prove a bound of {bound}, not {least.value}")


def norms_of(norm: str | None) -> tuple[Norm, ...]:
    """Return the norms that ``norm=`` stands for: both, unless one is named."""
    return NORMS if norm is None else (checked_norm(norm),)


def reversals(rows: AnyArray, centre: Sequence[Fraction], space: WeightSpace, norms: Sequence[Norm]) -> Reversals:
    """Return the least total of each row and, by norm, its nearest reversal.

    In a space with conditions that takes one linear program per row, and one more for each norm; without conditions
    none.
    """
    least: list[Optimum] = []
    points: dict[Norm, list[Optimum | None]] = {norm: [] for norm in norms}
    for row in rows:
        try:
            ensure_time("least changes of weights")
            least.append(minimum_total(row, space))
            for norm, found in points.items():
                safe = least[-1].value > 0
                found.append(None if safe else reversal(norm, row, centre, space))
        except UnprovedError as error:
            error.known |= {"reversals": points, "settled": f"{min(map(len, points.values()))} of {len(rows)} duels"}
            raise
    listed = {norm: tuple(found) for norm, found in points.items()}
    return Reversals(centre=tuple(centre), least=tuple(least), points=listed)
