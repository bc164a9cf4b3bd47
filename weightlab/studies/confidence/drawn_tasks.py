"""Whether drawn tasks can carry intervals: a few of them that decide alone."""

from __future__ import annotations

import numpy as np

from weightlab._exact import FloatArray, IntArray

DECIDING_SHARE = 0.75
"""Share of a model's spread above which the few tasks that hold it decide alone."""
FEW_IN = 10
"""One task in this many, and at least one, is few."""


def deciding(values: FloatArray) -> IntArray:
    """Return the places of tasks that decide alone: few hold most of the spread of some model around the others.

    Parameters
    ----------
    values : ndarray of float, tasks x models
        What each task gives to each model.

    Notes
    -----
    Of each model the squares of its differences from the median model, less their own mean, are compared: where one
    task in ten holds more than three quarters of their sum, other tasks of that kind were perhaps not drawn.
    """
    gaps = values - np.median(values, axis=1, keepdims=True)
    squares = (gaps - gaps.mean(axis=0)) ** 2
    few = max(1, len(values) // FEW_IN)
    order = np.argsort(-squares, axis=0, kind="stable")[:few]
    largest = np.take_along_axis(squares, order, axis=0)
    most = (largest.sum(axis=0) > DECIDING_SHARE * squares.sum(axis=0)) & (len(values) > 2)
    # Of the few only those that count: a tenth of what all together hold.
    heavy = (largest >= largest.sum(axis=0) / FEW_IN) & most
    return np.unique(order[heavy])
