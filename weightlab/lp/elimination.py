"""Determinants and ranks of integer matrices, exact and many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["determinants", "independent_columns"]


def determinants(matrices: NDArray[Any]) -> NDArray[Any]:
    """Return the determinant of each of many square integer matrices.

    Parameters
    ----------
    matrices : ndarray of object, count x n x n
        Python integers.

    Returns
    -------
    ndarray of object, count
        Python integers.

    Notes
    -----
    Bareiss's fraction-free elimination, O(n^3) products a matrix, all matrices in one sweep: every division leaves no
    remainder.

    Examples
    --------
    >>> determinants(np.array([[[2, 1], [1, 1]], [[1, 2], [2, 4]]], dtype=object)).tolist()
    [1, 0]
    """
    left = np.array(matrices, dtype=object)
    count, size = left.shape[:2]
    every = np.arange(count)
    signs = np.ones(count, dtype=object)
    before = np.ones(count, dtype=object)
    for step in range(size):
        # The first entry that is not 0, for each matrix its own: exact arithmetic needs no large pivots.
        pivot = step + np.argmax(left[:, step:, step] != 0, axis=1)
        signs[pivot != step] *= -1
        chosen = left[every, pivot].copy()
        left[every, pivot] = left[:, step]
        left[:, step] = chosen
        corner = chosen[:, step]
        # No pivot: this determinant is 0. Its matrix goes on with harmless numbers, since all are eliminated in step.
        signs[corner == 0] = 0
        rest = left[:, step + 1 :, step + 1 :] * corner[:, None, None]
        rest -= left[:, step + 1 :, step, None] * chosen[:, None, step + 1 :]
        # Every entry here is a minor times the pivot before (Sylvester's identity), so the division is exact.
        left[:, step + 1 :, step + 1 :] = rest // before[:, None, None]
        before = np.where(corner == 0, 1, corner)
    return np.asarray(signs * before, dtype=object)


def independent_columns(rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the columns in which elimination finds a pivot; their number is the rank.

    On the span of the rows, these columns determine all others.

    Examples
    --------
    >>> independent_columns([(1, 1, 0), (2, 2, 1)])
    (0, 2)
    """
    left = [list(row) for row in rows]
    found: list[int] = []
    for column in range(len(left[0]) if left else 0):
        pivot = next((place for place in range(len(found), len(left)) if left[place][column]), None)
        if pivot is None:
            continue
        step = len(found)
        left[step], left[pivot] = left[pivot], left[step]
        lead = left[step]
        for place in range(step + 1, len(left)):
            factor = left[place][column]
            if factor:
                # Cross-multiplied without division: entries grow, but only which columns have a pivot is asked.
                left[place] = [lead[column] * a - factor * b for a, b in zip(left[place], lead, strict=True)]
        found.append(column)
    return tuple(found)
