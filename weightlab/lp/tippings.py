"""Tipping points of many duels: the least total of each, and the nearest weights at which it is no longer won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np

from weightlab._record import Record
from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp.certificate import check_exact
from weightlab.lp.distance import NORMS, Norm, checked_norm
from weightlab.lp.dual_bound import DualBound, multipliers_by_row
from weightlab.lp.margin import widest_margin
from weightlab.lp.space import WeightSpace
from weightlab.lp.tipping import Tipping, check_point, tipping, total

__all__ = ["LeastTotal", "Tippings", "least_total", "norms_asked", "tippings"]


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastTotal(Record):
    """The least total of a row over the weights of a space, with what proves it least.

    Attributes
    ----------
    value : Fraction
        The least total.
    weights : tuple of Fraction
        One a task, which attain it.
    multipliers : tuple of Fraction
        One a row of the space.
    """

    value: Fraction
    weights: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...] = ()

    def check(self, row: AnyArray, space: WeightSpace) -> None:
        """Ensure that the weights are in the space and attain the value, and that no weights go below it."""
        check_exact(value=self.value)
        check_point(self.weights, space)
        found = total(row, self.weights)
        ensure(found == self.value, f"the total is {found}, not {self.value}")
        DualBound(
            tasks=space.tasks,
            objective=[Fraction(int(number)) for number in row.tolist()],
            rows=space.rows,
            multipliers=multipliers_by_row(space.rows, self.multipliers),
        ).check(self.value)


def least_total(row: AnyArray, space: WeightSpace, *, time_limit: float | None = None) -> LeastTotal:
    """Return the least total of a row of integers over the weights of a space."""
    if not space.conditions:
        # A linear function is least at a corner of the simplex: all weight on one task.
        task = int(np.argmin(row))
        weights = tuple(Fraction(position == task) for position in range(len(row)))
        return LeastTotal(value=Fraction(int(row[task])), weights=weights)
    found = widest_margin(-row[None, :], ["duel"], space, time_limit=time_limit)
    multipliers = tuple(-one for one in found.multipliers)
    return LeastTotal(value=-found.upper, weights=found.weights, multipliers=multipliers)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tippings(Record):
    """For each of some rows the least total, and by norm the nearest weights at which it is 0 or less.

    Attributes
    ----------
    centre : tuple of Fraction
        Today's weights, one a task.
    least : tuple of LeastTotal
        One a row.
    points : mapping from norm to tuple of Tipping or None
        One a row; None where the total stays positive whatever the weights.
    """

    centre: tuple[Fraction, ...]
    least: tuple[LeastTotal, ...]
    points: Mapping[Norm, tuple[Tipping | None, ...]]

    @property
    def norms(self) -> tuple[Norm, ...]:
        """The norms that were asked for."""
        return tuple(self.points)

    def asked(self, norm: str | None = None) -> Norm:
        """Return a norm that was asked for, by default the first one; raise InputError for another."""
        if norm is None:
            return self.norms[0]
        if checked_norm(norm) not in self.points:
            raise InputError(f"norm {norm!r} was not asked for; norm=None asks for both")
        return checked_norm(norm)

    def distances(self, norm: str | None = None) -> list[Fraction | None]:
        """Return the distance of each tipping point, None where there is none."""
        return [None if point is None else point.value for point in self.points[self.asked(norm)]]

    def radius(self, norm: str | None = None) -> Fraction | None:
        """Return the least of the distances, None where there is none."""
        return min((value for value in self.distances(norm) if value is not None), default=None)

    def first(self, norm: str | None = None) -> list[int]:
        """Return the rows that tip at the least distance."""
        radius = self.radius(norm)
        return [position for position, value in enumerate(self.distances(norm)) if value == radius is not None]

    def check(self, rows: AnyArray, space: WeightSpace) -> None:
        """Ensure, row by row, that the totals are least and the tipping points nearest."""
        ensure(self.points and set(self.points) <= set(NORMS), "distances must be by the norms l1 or linf")
        check_point(self.centre, WeightSpace(space.tasks))
        counts = {len(self.least), *(len(points) for points in self.points.values())}
        ensure(counts == {len(rows)}, "there must be one least total and one tipping point a row")
        for position, row in enumerate(rows):
            least = self.least[position]
            least.check(row, space)
            for norm, points in self.points.items():
                point = points[position]
                if point is None:
                    ensure(least.value > 0, f"a total of {least.value} is possible, but no tipping point is given")
                else:
                    point.check(norm, row, self.centre, space)


def norms_asked(norm: str | None) -> tuple[Norm, ...]:
    """Return the norms that a user asks for: both, unless one is named."""
    return NORMS if norm is None else (checked_norm(norm),)


def tippings(
    rows: AnyArray,
    centre: Sequence[Fraction],
    space: WeightSpace,
    norms: Sequence[Norm],
    *,
    time_limit: float | None = None,
) -> Tippings:
    """Return the least total of each row and, by norm, its nearest tipping point.

    In a space with conditions that takes one linear program a row, and one more for each norm; without conditions none.
    """
    least: list[LeastTotal] = []
    points: dict[Norm, list[Tipping | None]] = {norm: [] for norm in norms}
    for row in rows:
        try:
            least.append(least_total(row, space, time_limit=time_limit))
            for norm, found in points.items():
                safe = least[-1].value > 0
                found.append(None if safe else _tipping(norm, row, centre, space, time_limit))
        except UnprovedError as error:
            error.known["settled"] = f"{min(map(len, points.values()))} of {len(rows)} duels"
            raise
    listed = {norm: tuple(found) for norm, found in points.items()}
    return Tippings(centre=tuple(centre), least=tuple(least), points=listed)


def _tipping(
    norm: Norm, row: AnyArray, centre: Sequence[Fraction], space: WeightSpace, time_limit: float | None
) -> Tipping:
    """Return the tipping point of a row, found for the row without its common factor."""
    # A common factor changes neither weights nor distance; only the multiplier is of the row as it was.
    factor = gcd(*(int(number) for number in row)) or 1
    found = tipping(norm, row // factor, centre, space, time_limit=time_limit)
    return Tipping(
        value=found.value,
        weights=found.weights,
        factor=found.factor / factor,
        level=found.level,
        multipliers=found.multipliers,
    )
