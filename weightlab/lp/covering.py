"""Sets that meet every one of some demands: all of them up to a size, by exhaustive search with exact integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._exact import common_denominator
from weightlab._typing import IntArray

__all__ = ["BudgetError", "Demand", "sets_meeting"]

LARGEST = 2**30
"""Coefficients of a demand up to here are kept as they are; larger ones are rounded, which only weakens it."""

ROUNDING = 1e-6
"""Sums of parts of demands are floats, and off by far less than this."""


class BudgetError(Exception):
    """The search was given up: nothing is known of the sets that it did not come to."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Demand:
    """What a set must meet: its members' coefficients must sum to ``least`` or more.

    Attributes
    ----------
    coefficients : tuple of int
        One an element, between 0 and ``least``.
    least : int
        Positive.
    """

    coefficients: tuple[int, ...]
    least: int

    @classmethod
    def one_of(cls, wanted: Sequence[bool]) -> Demand:
        """Return the demand for at least one of the wanted elements."""
        return cls(coefficients=tuple(int(one) for one in wanted), least=1)

    @classmethod
    def of(cls, coefficients: Sequence[Fraction], least: Fraction, *, above: bool = False) -> Demand:
        """Return the demand that fractions, not negative, sum to ``least`` or more, or to something above it."""
        # Scaled so that 1 is asked for. What brings more than that alone may count as 2: no sum changes its verdict.
        numerators, denominator = common_denominator([min(one / least, Fraction(2)) for one in coefficients])
        if denominator > LARGEST:
            # Rounded up: the demand is met a little too easily, so it never excludes a set that should pass.
            numerators, denominator = [-((-one * LARGEST) // denominator) for one in numerators], LARGEST
        # Sums are integers now, so "above" is at least one more.
        needed = denominator + above
        return cls(coefficients=tuple(min(one, needed) for one in numerators), least=needed)

    def is_met_by(self, chosen: Sequence[int]) -> bool:
        """Tell whether a set meets the demand."""
        return sum(self.coefficients[one] for one in chosen) >= self.least


def sets_meeting(demands: Sequence[Demand], width: int, size: int, *, budget: int) -> Iterator[tuple[int, ...]]:
    """Yield every set of at most ``size`` elements that meets all demands and of which no smaller part does.

    Some sets that are not minimal may be among them, but none twice. Whoever reads them may append demands: those count
    from the next set on.

    Parameters
    ----------
    demands : sequence of Demand
        Over the same elements.
    width : int
        Number of elements.
    size : int
        Largest size of a set.
    budget : int
        So many partial sets are looked at.

    Raises
    ------
    BudgetError
        If that is too few.

    Notes
    -----
    Branches on the elements of an unmet demand, elements tried before left out: each set is met on one path only.
    """
    yield from _Search(demands, width, budget).below((), np.ones(width, dtype=np.bool_), size)


class _Search:
    """The demands, and how much of the budget is left."""

    def __init__(self, demands: Sequence[Demand], width: int, budget: int) -> None:
        self._demands, self._left = demands, budget
        self._matrix, self._least = np.zeros((0, width), dtype=np.int64), np.zeros(0, dtype=np.int64)

    def _lacking(self, chosen: tuple[int, ...]) -> IntArray:
        """Return what some elements lack of each demand, as many as there are by now."""
        new = self._demands[len(self._least) :]
        if new:
            self._matrix = np.vstack([self._matrix, [one.coefficients for one in new]])
            self._least = np.append(self._least, [one.least for one in new])
        lacking: IntArray = self._least - self._matrix[:, list(chosen)].sum(axis=1)
        return lacking

    def below(self, chosen: tuple[int, ...], open_to: np.ndarray, size: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets that hold the chosen elements and others that are still open, ``size`` more at most."""
        self._left -= 1
        if self._left < 0:
            raise BudgetError
        needs = self._lacking(chosen)
        if not (needs > 0).any():
            yield tuple(sorted(chosen))
            # Whoever read the set may have added demands that it fails: then its supersets are still to be searched.
            needs = self._lacking(chosen)
        unmet = np.flatnonzero(needs > 0)
        if not len(unmet) or not size:
            return
        left = self._matrix[unmet] * open_to
        if _is_hopeless(left, needs[unmet], size):
            return
        # The demand with fewest open elements has fewest branches; every set that meets it holds one of them.
        row = left[int(np.argmin(np.count_nonzero(left, axis=1)))]
        still = open_to.copy()
        for element in np.argsort(-row, kind="stable")[: np.count_nonzero(row)].tolist():
            # Left out from here on: sets with this element have all been searched in its own branch.
            still[element] = False
            yield from self.below((*chosen, element), still, size - 1)


def _is_hopeless(left: IntArray, needs: IntArray, size: int) -> bool:
    """Tell whether some demand, or all of them on average, ask for more than the best ``size`` elements bring.

    An element brings at most the whole of each demand; what the best bring must add up to the number of demands.
    """
    best = np.sort(left, axis=1)[:, -size:].sum(axis=1)
    if (best < needs).any():
        return True
    # Averaging: each element meets at most its own parts of all demands, so the best few must bring their number.
    parts = np.minimum(left / needs[:, np.newaxis], 1.0).sum(axis=0)
    return bool(np.sort(parts)[-size:].sum() < len(needs) - ROUNDING)
