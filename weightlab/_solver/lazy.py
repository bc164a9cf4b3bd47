"""Rows that are added only when a point violates them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import common_denominator
from weightlab._solver.formulation import Rows

__all__ = ["LazyRows", "RowPool"]


class LazyRows(Protocol):
    """A source of rows too many to write down at once.

    ``violated`` is asked with a solver's float point and may overlook violations within its own tolerance;
    ``violated_exactly`` is asked with an exact point and must overlook none: on its answer None the proof rests.
    Both may return any selection of the violated rows, but not an empty one while there are some.
    """

    def violated(self, x: NDArray[np.float64]) -> Rows | None:
        """Return rows that a float point violates, or None."""

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return rows that an exact point violates, or None when every row holds."""


class RowPool:
    """Rows written down in advance and added in batches, the most violated first.

    Parameters
    ----------
    rows : Rows
        All of them.
    batch : int
        How many to hand out at a time.
    tolerance : float
        Which violation of a float point to overlook.
    """

    def __init__(self, rows: Rows, *, batch: int = 50, tolerance: float = 1e-8) -> None:
        self.rows = rows
        self.batch = batch
        self.tolerance = tolerance

    def violated(self, x: NDArray[np.float64]) -> Rows | None:
        """Return the rows that a float point violates most, or None."""
        violations = self.rows.violations(x)
        worst = np.argsort(-violations, kind="stable")[: self.batch]
        worst = worst[violations[worst] > self.tolerance]
        return self.rows.take(worst) if len(worst) else None

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return the first rows that an exact point violates, or None when every row holds."""
        violated = self.rows.violated_exactly(*common_denominator(x))
        return self.rows.take(violated[: self.batch]) if violated else None
