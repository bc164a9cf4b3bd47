"""Rows that are added only when a point violates them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from weightlab._solver.formulation import Rows

__all__ = ["LazyRows"]


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
