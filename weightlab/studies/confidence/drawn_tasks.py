"""Whether drawn tasks can carry intervals: a few of them that decide alone, and tasks that move together."""

from __future__ import annotations

import numpy as np

from weightlab._exact import FloatArray, IntArray
from weightlab._result import Frozen

DECIDING_SHARE = 0.75
"""Share of a model's spread above which the few tasks that hold it decide alone."""
FEW_IN = 10
"""One task in this many, and at least one, is few."""
PERMUTATIONS = 199
"""Permuted tables, or groups, with which a table is compared."""
ROUNDING = 1e-9
"""Numbers up to this size are 0 up to rounding."""
OF_LEVEL = (0.8, 0.2)
"""Shares of the level: for models that are alike, and for duplicated tasks, which show at once."""


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


class Together(Frozen):
    """Whether tasks move together, and of how many independent ones they are worth.

    Attributes
    ----------
    p : float
        How often tasks would be so alike if each model's scores came in random order, or groups were made at random.
    worth : float
        Number of independent tasks, at most the number of tasks: an upper bound.
    """

    p: float
    worth: float


def moving_together(values: FloatArray, groups: IntArray | None, seed: int) -> Together:
    """Test whether tasks order the models more alike, or more in opposite ways, than independent tasks would.

    Parameters
    ----------
    values : ndarray of float, tasks x models
        Scores, greater being better; NaN where missing.
    groups : ndarray of int, tasks, or None
        The group of each task.
    seed : int
        Of the permutations.

    Notes
    -----
    Each model's scores are replaced by their places among its own, so that no task and no model outweighs the others;
    the mean of all models on a task (how easy it is) is subtracted. What is left has no pattern where tasks are
    independent and models, too. The statistics are the mean squared correlation of two models, which up to constants
    is the sum of the squared eigenvalues, and the mean correlation of a task with the one most like it (for duplicated
    tasks), by `OF_LEVEL`; permuted are the tasks of each model on its own (parallel analysis, Horn 1965;
    Buja and Eyuboglu 1992). Where there are groups it is the sum of squares of their totals, and groups are permuted,
    which is exact however models are alike. Without groups models of one family are alike as clustered tasks are.

    Without groups few models show little. Of 56 tasks in four clusters with a correlation of 0.3, whose members are not
    known, the likelihood ratio over all such clusters, which is the most powerful test that does not look at levels,
    difficulty and scale, finds 0.84 with ten models and 0.46 with five (the number of clusters, their size, the
    correlation and that noise is normal being told to it; standard error 0.02).

    The worth is that of as many independent tasks as have that mean square; with groups, that variance of the mean
    (Kish's design effect). O(permutations x tasks x models x (tasks + models)).
    """
    rest = _standardised(_places(values))
    rng, count = np.random.default_rng((seed, 1)), len(rest)
    if groups is None:
        own, drawn = _alike(rest), np.empty((PERMUTATIONS, 2))
        for place in range(PERMUTATIONS):
            drawn[place] = _alike(_standardised(rng.permuted(rest, axis=0)))
        worth = 1 + 1 / (1 / (count - 1) + max(own[0] - drawn[:, 0].mean(), 0.0))
    else:
        own = _of_groups(rest, groups)
        drawn = np.array([_of_groups(rest, rng.permutation(groups)) for _ in range(PERMUTATIONS)])
        worth = count * min(1.0, drawn.mean() / own[0]) if own[0] else count
    reached = (drawn >= own * (1 - 1e-9)).sum(axis=0)
    p = float(((1 + reached) / (1 + PERMUTATIONS) / (OF_LEVEL if groups is None else 1)).min())
    return Together(p=min(1.0, p), worth=float(worth))


def _places(values: FloatArray) -> FloatArray:
    """Return each model's scores by their places among its own, ties at their mean: no task outweighs the others."""
    found = np.full(values.shape, np.nan)
    for model, own in enumerate(values.T):
        there = np.sort(own[~np.isnan(own)])
        places = (np.searchsorted(there, own, "left") + np.searchsorted(there, own, "right")) / 2
        found[:, model] = np.where(np.isnan(own), np.nan, places)
    return found


def _standardised(places: FloatArray) -> FloatArray:
    """Return each model's places at one scale, less the mean of all models on a task, tasks and then models at one."""
    rest = _scaled(places, 0)
    return _scaled(_scaled(rest, 1), 0)


def _scaled(values: FloatArray, axis: int) -> FloatArray:
    """Return numbers of mean 0 and size 1 along an axis, 0 where they are missing."""
    gaps = np.nan_to_num(values - np.nanmean(values, axis=axis, keepdims=True))
    size = np.sqrt((gaps**2).sum(axis=axis, keepdims=True))
    return np.asarray(np.divide(gaps, size, out=np.zeros_like(gaps), where=size > ROUNDING))


def _alike(rest: FloatArray) -> FloatArray:
    """Return the mean squared correlation of two models, and the similarity of each task to the one most like it."""
    models = rest.shape[1]
    squares = ((rest.T @ rest) ** 2).sum() - ((rest**2).sum(axis=0) ** 2).sum()
    tasks = _scaled(rest, 1)
    products = tasks @ tasks.T
    np.fill_diagonal(products, -1.0)
    return np.array([squares / (models * (models - 1)), products.max(axis=1).mean()])


def _of_groups(rest: FloatArray, groups: IntArray) -> FloatArray:
    """Return the sum of the squares of the groups' totals."""
    members = (groups == np.unique(groups)[:, None]).astype(np.float64)
    return np.array([((members @ rest) ** 2).sum()])
