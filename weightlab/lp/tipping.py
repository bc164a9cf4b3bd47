"""Tipping points: the least change of weights at which a sum over tasks is no longer positive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._record import Record
from weightlab._result import ensure, exact_series
from weightlab._typing import AnyArray
from weightlab.data.convert import SignsLike
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.profile import Profile
from weightlab.lp.certificate import check_exact, check_weights
from weightlab.lp.distance import Norm, distance, least_with_distance
from weightlab.lp.dual_bound import DualBound, Duels, multipliers_by_row
from weightlab.lp.objectives import closest_to, objective_for
from weightlab.lp.optimum import best_over
from weightlab.lp.space import WeightSpace, shares_of

__all__ = [
    "Tipping",
    "check_distance_bound",
    "check_point",
    "check_todays",
    "tipping",
    "todays_shares",
    "total",
]

ZERO = Fraction(0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Tipping(Record):
    """The weights nearest to given ones at which a row's total is 0 or less, with what proves them nearest.

    Attributes
    ----------
    value : Fraction
        Their distance.
    weights : tuple of Fraction
        One a task.
    factor : Fraction
        Multiplier of the row, not negative.
    level : Fraction
        Multiplier of "weights sum to 1", which only the largest change needs; 0 for the sum of changes.
    multipliers : tuple of Fraction
        One a row of the space.
    """

    value: Fraction
    weights: tuple[Fraction, ...]
    factor: Fraction
    level: Fraction
    multipliers: tuple[Fraction, ...] = ()

    def check(self, norm: Norm, row: AnyArray, centre: Sequence[Fraction], space: WeightSpace) -> None:
        """Ensure that the weights are in the space, bring the row to 0 or below, and that no nearer ones do."""
        check_exact(value=self.value, factor=self.factor, level=self.level)
        check_point(self.weights, space)
        found = total(row, self.weights)
        ensure(found <= 0, f"the total is {found}, still positive")
        far = distance(norm, self.weights, centre)
        ensure(far == self.value, f"the distance is {far}, not {self.value}")
        duels = Duels(matrix=-row[None, :], factors={"the duel": self.factor})
        check_distance_bound(norm, duels, self.multipliers, space, centre=centre, level=self.level, bound=self.value)


def check_point(weights: Sequence[Fraction], space: WeightSpace) -> None:
    """Ensure that exact weights, listed in the order of the tasks, are in a space."""
    ensure(len(weights) == len(space.tasks), "there must be one weight a task")
    exact = dict(zip(space.tasks, weights, strict=True))
    check_exact(**{f"the weight of {task!r}": weight for task, weight in exact.items()})
    check_weights(exact, space.rows, space.auxiliaries)


def total(row: AnyArray, weights: Sequence[Fraction]) -> Fraction:
    """Return the row's total under weights."""
    return sum((int(number) * weight for number, weight in zip(row, weights, strict=True) if weight), ZERO)


def check_distance_bound(
    norm: Norm,
    duels: Duels,
    multipliers: Sequence[Fraction],
    space: WeightSpace,
    *,
    centre: Sequence[Fraction],
    level: Fraction,
    bound: Fraction,
) -> None:
    """Ensure that all weights of a space that win the duels are at least ``bound`` away from the centre, as proved.

    A distance is convex, not linear, so its minimum is not at a task. What the multipliers leave is the Lagrangian, a
    linear cost of the weights; ``least_with_distance`` says what cost and distance together are at least, whatever
    the weights.
    """
    ensure(norm != "l1" or not level, "a sum of changes has no level")
    costs, right = DualBound(
        tasks=space.tasks,
        rows=space.rows,
        multipliers=multipliers_by_row(space.rows, multipliers),
        duels=duels,
    ).reduced_costs()
    least = least_with_distance(norm, costs, centre, level)
    proved = None if least is None else least + right
    ensure(proved == bound, f"the multipliers prove a distance of {proved}, not {bound}")


def tipping(
    norm: Norm, row: AnyArray, centre: Sequence[Fraction], space: WeightSpace, *, time_limit: float | None = None
) -> Tipping:
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
    time_limit : float, optional
        Seconds.

    Notes
    -----
    Where the nearest of all weights meet the conditions, as they do without any, no program is needed. Sum of changes:
    weight moves from the tasks with the largest numbers to the one with the least. Largest change: at a level of the
    row tasks above it give and tasks below take; the change that this needs is found by Newton's method, since a level
    that is best for one change gives a bound for all. O(tasks log tasks), the latter a few times.
    """
    numbers = [int(number) for number in row.tolist()]
    if min(numbers) > 0:
        return _programmed(norm, row, centre, space, time_limit)
    found = _moved(numbers, centre) if norm == "l1" else _spread(numbers, centre)
    if not space.conditions:
        return found
    if space.contains(found.weights):
        return replace(found, multipliers=(ZERO,) * len(space.rows))
    return _programmed(norm, row, centre, space, time_limit)


def _programmed(
    norm: Norm, row: AnyArray, centre: Sequence[Fraction], space: WeightSpace, time_limit: float | None
) -> Tipping:
    objective = objective_for(closest_to(list(centre), norm), None, space)
    best = best_over(-row[None, :], ["duel"], space, objective, time_limit=time_limit)
    return Tipping(
        value=best.value,
        weights=tuple(best.weights.tolist()),
        factor=best.duel_multipliers.iloc[0],
        level=ZERO if norm == "l1" else best.total_multiplier(space),
        multipliers=tuple(best.multipliers.tolist()[: len(space.rows)]),
    )


def _moved(row: list[int], centre: Sequence[Fraction]) -> Tipping:
    """Return the least sum of changes: the tasks with the largest numbers give to the one with the least."""
    least = min(row)
    rest, factor = sum((number * share for number, share in zip(row, centre, strict=True)), ZERO), ZERO
    weights, receiver = list(centre), row.index(least)
    # A fractional knapsack: a unit of weight moved from here lowers the total by this number less the least one, so the
    # largest numbers give first.
    for task in sorted(range(len(row)), key=lambda one: -row[one]):
        if rest <= 0 or row[task] == least:
            break
        given = min(weights[task], rest / (row[task] - least))
        weights[task] -= given
        weights[receiver] += given
        rest -= given * (row[task] - least)
        # The multiplier that proves it: moving a unit changes two weights, and brings the last giver's difference.
        if given:
            factor = Fraction(2, row[task] - least)
    return Tipping(value=distance("l1", weights, centre), weights=tuple(weights), factor=factor, level=ZERO)


def _spread(row: list[int], centre: Sequence[Fraction]) -> Tipping:
    """Return the least largest change, by Newton's method on the levels of the row."""
    lead = sum((number * share for number, share in zip(row, centre, strict=True)), ZERO)
    if lead <= 0:
        return Tipping(value=ZERO, weights=tuple(centre), factor=ZERO, level=ZERO)
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
    return Tipping(value=change, weights=tuple(weights), factor=1 / slope, level=level / slope)


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


def todays_shares(board: SignsLike, tasks: Sequence[str]) -> pd.Series:
    """Return today's weights as shares by task: the board's own, or equal ones for signs, which have none."""
    weights: Any = [1] * len(tasks)
    if isinstance(board, Leaderboard):
        weights = board.weights
    elif isinstance(board, Profile):
        weights = dict(zip(board.voters, board.weights, strict=True))
    shares = shares_of(weights, tasks)
    return exact_series([shares[task] for task in tasks], tasks, "weight")


def check_todays(source: SignsLike, weights: pd.Series) -> None:
    """Ensure that weights are today's of a source; a table of signs has none, so any are."""
    if isinstance(source, Leaderboard | Profile):
        tasks = [str(task) for task in weights.index]
        for task, own, weight in zip(tasks, todays_shares(source, tasks).tolist(), weights.tolist(), strict=True):
            ensure(weight == own, f"today's weight of {task!r} is {own} in the source, not {weight}")
