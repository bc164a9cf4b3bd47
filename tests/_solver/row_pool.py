"""Rows written down in advance and added when a point violates them: the plainest source of lazy rows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import common_denominator
from weightlab._solver import Rows


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
