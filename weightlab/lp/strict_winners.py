"""The strict Condorcet winner under each of many weightings, without forming every duel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weightlab._typing import BoolArray, FloatArray, IntArray
from weightlab.data.signs import Signs
from weightlab.lp.hull import Hull
from weightlab.lp.matrix_product import product

__all__ = ["CELLS", "StrictWinners", "total_signs"]

CELLS = 2**21
"""So many numbers, models times weightings, are looked at together."""

ROUNDING = 1e-5
"""Totals below 0 by so little, times the number of models, may be rounding, and rule nobody out."""


class StrictWinners:
    """Finds who wins every duel, among models that can.

    Parameters
    ----------
    signs : Signs
        The table.
    candidates : ndarray of bool, models
        Who can be a strict winner under some weights of the space that weightings come from: none of their duels is
        tied throughout, so that rounding decides nothing but where a lead is next to 0.
    hull : Hull, optional
        Of that space, where it has conditions: a duel whose lead is the same under all its weights is won by a
        candidate, however little that lead may be.

    Notes
    -----
    A winner's leads are positive, hence so is their sum, its Borda score. The candidate with the greatest sum meets
    all models; a candidate whom it leads or ties is out, and so is it itself unless it wins. Few rounds of this leave
    a winner or nobody. Weightings that test the same candidate share one matrix product of O(weightings x models x
    tasks); no more than O(models x weightings) numbers are held.
    """

    def __init__(self, signs: Signs, candidates: BoolArray, hull: Hull | None = None) -> None:
        self.signs = signs
        self._hull = hull if hull is not None and hull.dimension < len(signs.tasks) - 1 else None
        self._settled: dict[int, BoolArray] = {}
        self.candidates = candidates
        self._totals = total_signs(signs).astype(np.float32)
        self._out = np.flatnonzero(~candidates)

    @property
    def most(self) -> int:
        """How many weightings to hand over at once."""
        return int(max(64, CELLS // len(self.candidates)))

    def positions(self, weights: FloatArray) -> NDArray[np.int64]:
        """Return who wins under each weighting (weightings x tasks), -1 where nobody does."""
        winners = np.full(len(weights), -1, dtype=np.int64)
        # A model's total is the sum of its leads, and a strict winner's is positive: float32 with room for rounding
        # will do, since it only rules out.
        hopes = weights.astype(np.float32) @ self._totals.T
        hopes[hopes <= -ROUNDING * len(self.candidates)] = -np.inf
        hopes[:, self._out] = -np.inf
        open_ = np.arange(len(weights))
        while True:
            left = hopes[open_]
            tested = left.argmax(axis=1)
            alive = left[np.arange(len(left)), tested] > -np.inf
            open_, tested = open_[alive], tested[alive]
            if not len(open_):
                return winners
            # Weightings that test the same model stand together and share one product.
            order = np.argsort(tested, kind="stable")
            models, starts = np.unique(tested[order], return_index=True)
            for model, rows in zip(models.tolist(), np.split(open_[order], starts[1:]), strict=True):
                won = self._test(model, weights, rows, hopes)
                winners[rows[won]] = model
            open_ = open_[winners[open_] < 0]

    def _test(self, model: int, weights: FloatArray, rows: IntArray, hopes: NDArray[np.float32]) -> BoolArray:
        """Tell under which weightings a model beats everybody; elsewhere those that it leads or ties are out."""
        leads = product(weights[rows], self.signs.over_all(model).T.astype(np.float64))
        # At infinity these are never the least lead; and as infinity is at least 0, the tested model is struck from the
        # candidates along with those that it leads or ties.
        leads[:, self._surely_behind(model)] = np.inf
        left = hopes[rows]
        left[leads >= 0] = -np.inf
        hopes[rows] = left
        won: BoolArray = leads.min(axis=1) > 0
        return won

    def _surely_behind(self, model: int) -> BoolArray:
        """Tell which models a candidate leads under all weights by the same, itself among them."""
        if model not in self._settled:
            own = np.arange(len(self.candidates)) == model
            constant = None if self._hull is None else self._hull.constant(self.signs.over_all(model))
            self._settled[model] = own if constant is None else own | constant
        return self._settled[model]


def total_signs(signs: Signs) -> IntArray:
    """Return for each model and task how many models it leads, less how many lead it."""
    totals = np.zeros(signs.levels.shape, dtype=np.int64)
    for task, scores in enumerate(signs.levels.T):
        if task in signs.tolerant:
            column = signs.tolerant[task]
            totals[:, task] = [int(column.signs_of(model).sum(dtype=np.int64)) for model in range(len(scores))]
            continue
        present = ~np.isnan(scores)
        ordered = np.sort(scores[present])
        below = np.searchsorted(ordered, scores[present], side="left")
        above = len(ordered) - np.searchsorted(ordered, scores[present], side="right")
        totals[present, task] = below - above
    return totals
