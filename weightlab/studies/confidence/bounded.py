"""Joint intervals of means of bounded differences that are sure for every number of tasks: bets against each mean."""

from __future__ import annotations

import numpy as np

from weightlab._exact import FloatArray
from weightlab.studies.confidence.simultaneous import JointIntervals, holm

BETS = (0.98, 0.7, 0.49, 0.245, 0.12, 0.06)
"""Shares of what one has that are staked on every task; what the game pays is their mean."""
HALVINGS = 24
"""Binary digits of the range to which an end is found; it is never too far in."""
BLOCK_CELLS = 1 << 17
"""Tasks times pairs at once."""


def betting_intervals(values: FloatArray, weights: FloatArray, reach: float, level: float) -> JointIntervals:
    """Return joint intervals of all weighted mean differences, and adjusted p-values.

    Parameters
    ----------
    values : ndarray of float, tasks x models
        What each task gives to each model, greater being better.
    weights : ndarray of float, tasks
        All positive.
    reach : float
        No difference can be larger.
    level : float
        Of all intervals together.

    Notes
    -----
    Whoever stakes a fixed share of what he has, task after task, on a mean above m does not win on average if it is m
    or less: differences less m cannot fall below -(reach + m), so the stakes are never lost whole. What he then owns is
    1 / alpha times his own with a chance of alpha at most (Markov), whatever the distribution and the number of tasks,
    also where tasks are of different kinds (a mean of logarithms is below the logarithm of the mean). Several stakes at
    once pay their mean; the order of the tasks does not matter. All pairs and both sides share the level (Bonferroni).
    After I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
    Statistical Society B 86 (2024). O(tasks x models^2) with a factor of some hundreds.
    """
    rows, columns = np.triu_indices(values.shape[1], 1)
    needed, stakes = np.log(2 * len(rows) / (1 - level)), weights / weights.max()
    width = max(1, BLOCK_CELLS // len(values))
    parts = []
    for start in range(0, len(rows), width):
        gaps = values[:, rows[start : start + width]] - values[:, columns[start : start + width]]
        won = np.maximum(_won(gaps, stakes, 0.0, reach), _won(-gaps, stakes, 0.0, reach))
        low, high = (_least(one, stakes, reach, needed) for one in (gaps, -gaps))
        parts.append(np.array([weights @ gaps / weights.sum(), low, -high, won]))
    difference, low, high, won = np.concatenate(parts, axis=1)
    p = holm(np.minimum(1.0, 2 * np.exp(-won)))
    return JointIntervals(
        difference=difference, low=np.minimum(low, difference), high=np.maximum(high, difference), p=p
    )


def _won(gaps: FloatArray, stakes: FloatArray, mean: FloatArray | float, reach: float) -> FloatArray:
    """Return per pair the logarithm of what bets on more than a mean make of 1; it falls in the mean."""
    rest = stakes[:, None] * (gaps - mean) / (reach + mean)
    return np.asarray(np.logaddexp.reduce([np.log1p(bet * rest).sum(axis=0) for bet in BETS]) - np.log(len(BETS)))


def _least(gaps: FloatArray, stakes: FloatArray, reach: float, needed: float) -> FloatArray:
    """Return the greatest mean, of those tried, against which bets win as much as is needed."""
    low, high = np.full(gaps.shape[1], -reach), np.full(gaps.shape[1], reach)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        lost = _won(gaps, stakes, middle, reach) >= needed
        low, high = np.where(lost, middle, low), np.where(lost, high, middle)
    return low
