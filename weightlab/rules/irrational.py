"""Numbers that are no fractions, ranked exactly.

Each number can be enclosed between fractions as tightly as one likes, and whether two are equal is decided by algebra,
never by how near they come.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from fractions import Fraction

import numpy as np

from weightlab._typing import FloatArray
from weightlab.rules.outcome import Outcome, PositionOrder

__all__ = ["Irrationals"]

FIRST_DIGITS = 40
"""Where floats do not separate two numbers, enclosures to so many digits are tried, then to twice as many, ..."""


class Irrationals(ABC):
    """Some real numbers that can be enclosed and told from one another.

    Attributes
    ----------
    floats : ndarray of float64
        The numbers, or a rising function of them, in floats.
    errors : ndarray of float64
        Bounds of how far the floats are off.
    """

    floats: FloatArray
    errors: FloatArray

    @abstractmethod
    def between(self, place: int, digits: int) -> tuple[Fraction, Fraction]:
        """Return fractions below and above a number; more digits bring them together."""

    @abstractmethod
    def equal(self, one: int, other: int) -> bool:
        """Tell exactly whether two of the numbers are the same."""

    def values(self) -> FloatArray:
        """Return the numbers in floats."""
        return self.floats

    def outcome(self) -> Outcome:
        """Return the outcome that ranks the numbers exactly, greatest first, with the floats next to them as scores.

        Equal numbers get equal floats, and no float exceeds that of a greater number.
        """
        order = self.order()
        values, scores = self.values().tolist(), [0.0] * len(self.floats)
        ceiling = math.inf
        for group in order:
            ceiling = min(ceiling, values[group[0]])
            for place in group:
                scores[place] = ceiling
        return Outcome(order=order, scores=tuple(scores))

    def order(self) -> PositionOrder:
        """Return the places of the numbers, greatest first, equal numbers in one group.

        Notes
        -----
        One sort of the floats; only numbers that these do not separate are compared exactly.
        """
        by_float = np.argsort(-self.floats, kind="stable")
        lower = (self.floats - self.errors)[by_float].tolist()
        # ``upper[k]``: no number from the k-th on is greater. A run ends where that falls below all of its lower
        # bounds.
        upper = np.maximum.accumulate((self.floats + self.errors)[by_float][::-1])[::-1].tolist()
        groups: list[list[int]] = []
        run: list[int] = []
        floor = math.inf
        for place, low, highest_left in zip(by_float.tolist(), lower, upper, strict=True):
            if highest_left < floor:
                groups.extend(self._sorted(run))
                run, floor = [], math.inf
            run.append(place)
            floor = min(floor, low)
        groups.extend(self._sorted(run))
        return tuple(tuple(sorted(group)) for group in groups)

    def _sorted(self, run: list[int]) -> list[list[int]]:
        """Return a run of numbers that floats do not separate as groups of equal ones, greatest first."""
        groups: list[list[int]] = []
        for place in sorted(run, key=functools.cmp_to_key(self.compare), reverse=True):
            if groups and self.compare(groups[-1][0], place) == 0:
                groups[-1].append(place)
            else:
                groups.append([place])
        return groups

    def compare(self, one: int, other: int) -> int:
        """Return -1, 0 or 1 as one number is less than, equal to or greater than the other."""
        if self.equal(one, other):
            return 0
        digits = FIRST_DIGITS
        # The numbers differ, so enclosures part once they have digits enough; equality was excluded by algebra.
        while True:
            (low, high), (other_low, other_high) = self.between(one, digits), self.between(other, digits)
            if low > other_high or high < other_low:
                return 1 if low > other_high else -1
            digits *= 2
