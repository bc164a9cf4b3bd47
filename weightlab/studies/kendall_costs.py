"""Kendall distances of weak orders to all tasks of a profile at once, and between the tasks, from the duels alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from weightlab._exact import fraction
from weightlab._typing import AnyArray, IntArray, Number
from weightlab.data import Profile
from weightlab.exceptions import InputError

__all__ = ["KendallCosts", "checked_penalty", "distance", "pairs_of"]

INT64_SAFE = 2**62


@dataclass(frozen=True, kw_only=True, eq=False)
class KendallCosts:
    """What it costs to place one model above another, or level with it: the weight of the tasks that say otherwise.

    Attributes
    ----------
    above : ndarray of int, models x models
        Cost of placing the row above the column, times ``denominator``.
    level : ndarray of int, models x models
        Cost of placing both level, times ``denominator``.
    tied : ndarray of int, models x models
        Weight of the tasks that tie the two, times ``scale``.
    wins : ndarray of int, models x models
        Weight of the tasks that place the row above the column, times ``scale``.
    penalty : Fraction
        What a pair costs that one order ties and the other does not.
    denominator, scale : int
        Of the costs and of the weights.
    total : Fraction
        The weight of all tasks.
    """

    above: AnyArray
    level: AnyArray
    tied: AnyArray
    wins: AnyArray
    penalty: Fraction
    denominator: int
    scale: int
    total: Fraction

    @classmethod
    def of(cls, profile: Profile, penalty: Fraction) -> Self:
        """Return the costs of a complete profile, O(models^2 x tasks)."""
        margins = profile.margins()
        largest = int(margins.wins.max(initial=0)) + int(margins.ties.max(initial=0))
        count = len(profile.models)
        safe = 4 * largest**2 * max(penalty.denominator, penalty.numerator) * count**2 < INT64_SAFE
        wins, tied = (one.astype(np.int64 if safe else object) for one in (margins.wins, margins.ties))
        parts, ties = penalty.denominator, penalty.numerator
        return cls(
            # Against "x above y" are the tasks with y above x, and those that tie the two, at the penalty each;
            # multiplied by the penalty's denominator to stay in integers.
            above=parts * wins.T + ties * tied,
            level=ties * (wins + wins.T),
            tied=tied,
            wins=wins,
            penalty=penalty,
            denominator=parts * margins.denominator,
            scale=margins.denominator,
            total=sum(profile.weights, Fraction(0)),
        )

    def mean_distance(self, levels: IntArray) -> Fraction:
        """Return the weighted mean distance of a weak order, given as places, to the tasks: O(models^2)."""
        higher = levels[:, None] < levels[None, :]
        same = np.triu(levels[:, None] == levels[None, :], 1)
        cost = int(self.above[higher].sum()) + int(self.level[same].sum())
        return Fraction(cost, self.denominator) / self.total

    def between(self) -> Fraction:
        """Return the mean distance of two tasks drawn by weight, one after the other: O(models^2).

        A pair of models parts two tasks if one places it this way and the other that way; so each pair is looked at
        once, not each pair of tasks.
        """
        parts, ties = self.penalty.denominator, self.penalty.numerator
        upper = np.triu_indices(len(self.wins), 1)
        there, back, tied = self.wins[upper], self.wins.T[upper], self.tied[upper]
        # Two tasks drawn one after the other differ on a pair in either order, hence twice each product.
        cost = int((2 * parts * there * back + 2 * ties * tied * (there + back)).sum())
        return Fraction(cost, parts * self.scale**2) / self.total**2


def distance(first: IntArray, second: IntArray, penalty: Fraction) -> Fraction:
    """Return the Kendall distance of two weak orders given as places: O(models^2).

    Pairs that they order contrarily, and ``penalty`` for each pair that only one of them ties.
    """
    one, other = (np.sign(levels[:, None] - levels[None, :]) for levels in (first, second))
    contrary, half = int((one * other < 0).sum()) // 2, int(((one == 0) != (other == 0)).sum()) // 2
    return contrary + penalty * half


def checked_penalty(given: Number) -> Fraction:
    """Return what a pair costs that one order ties, or raise InputError."""
    try:
        penalty = fraction(given)
    except InputError:
        raise InputError(f"tie_penalty must be a number from 0 to 1; got {given!r}") from None
    if not 0 <= penalty <= 1:
        raise InputError(f"tie_penalty must be a number from 0 to 1; got {given!r}")
    return penalty


def pairs_of(models: Sequence[str]) -> int:
    """Return how many pairs of models there are: the greatest distance of strict orders."""
    return len(models) * (len(models) - 1) // 2
