"""Distances between weightings, and what they are at least: the bound that proves a least change of weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from weightlab.exceptions import InputError

__all__ = ["MEASURES", "NORMS", "Norm", "checked_norm", "distance", "least_with_distance"]

Norm: TypeAlias = Literal["l1", "linf"]
"""How far two weightings are apart: the sum of all changes, or the largest single change."""
NORMS: tuple[Norm, ...] = get_args(Norm)
MEASURES: dict[Norm, str] = {"l1": "sum of changes", "linf": "largest change"}
"""What a distance measures."""
ZERO = Fraction(0)


def checked_norm(norm: str) -> Norm:
    """Return a norm, or raise InputError if there is none of that name."""
    if norm not in NORMS:
        raise InputError(f"norm must be 'l1' or 'linf'; got {norm!r}")
    return norm


def distance(norm: Norm, weights: Sequence[Fraction], centre: Sequence[Fraction]) -> Fraction:
    """Return the exact distance of two weightings."""
    changes = [abs(one - other) for one, other in zip(weights, centre, strict=True)]
    return sum(changes, ZERO) if norm == "l1" else max(changes)


def least_with_distance(
    norm: Norm, costs: Sequence[Fraction], centre: Sequence[Fraction], level: Fraction
) -> Fraction | None:
    """Return a number that costs plus distance never fall below, whatever the weights; None when there is none.

    For all weights w that are not negative and sum to 1, ``costs . w + distance(w, centre)`` is at least the number
    returned. With costs that are themselves 0 or less for the weights in question, it bounds their distance.

    Parameters
    ----------
    norm : {"l1", "linf"}
        The distance.
    costs : sequence of Fraction
        One a task.
    centre : sequence of Fraction
        Weights that sum to 1.
    level : Fraction
        The price of weight: any number gives a bound for the largest change; the sum of changes needs none.

    Notes
    -----
    This is the dual function of "weights sum to 1" at a price of ``level`` (a lower bound at every price, by weak
    duality), minimised over the weights in closed form; the price that proves most is the multiplier at the optimum.

    Sum of changes: weight moves from task to task. A piece of it either stays on its task, or moves to the cheapest
    one at a price of 2, once for leaving and once for arriving; each piece settles this by itself, without a price.
    Largest change: with the largest change held at d, each task takes the least weight, ``max(0, share - d)``, if it
    costs more than ``level``, and the most, ``share + d``, if it costs less. What that makes of d is convex and
    piecewise linear, so its minimum is where the slope turns from negative to positive; with a slope that stays
    negative a greater change always helps, and there is no bound.
    """
    if norm == "l1":
        moved = min(costs) + 2
        return sum((share * min(cost, moved) for share, cost in zip(centre, costs, strict=True)), ZERO)
    dear = [(share, cost - level) for share, cost in zip(centre, costs, strict=True) if cost > level]
    cheap = [(share, level - cost) for share, cost in zip(centre, costs, strict=True) if cost < level]
    slope = 1 - sum((gain for _, gain in cheap), ZERO)
    if slope < 0:
        return None
    largest = _turning_point(slope, dear)
    rest = sum((price * max(ZERO, share - largest) for share, price in dear), ZERO)
    return level + largest + rest - sum((gain * (share + largest) for share, gain in cheap), ZERO)


def _turning_point(slope: Fraction, dear: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Return the largest change from which on a greater one costs more than it saves.

    A greater change costs ``slope`` a unit and saves the prices of the dear tasks that have weight left.
    """
    for share, price in sorted(dear, reverse=True):
        slope -= price
        if slope < 0:
            return share
    return ZERO
