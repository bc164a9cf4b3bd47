"""Which ranks models will have on one more task of the same kind: conformal prediction."""

from __future__ import annotations

import math

import numpy as np

from weightlab._exact import FloatArray, IntArray
from weightlab.studies.confidence.simultaneous import SLACK, JointIntervals


def least_tasks(level: float) -> int:
    """Return how many tasks say anything of a new one at this level.

    Examples
    --------
    >>> least_tasks(0.95), least_tasks(0.8)
    (19, 4)
    """
    return math.ceil(level / (1 - level) - SLACK)


def predicted(ranks: FloatArray, level: float) -> JointIntervals:
    """Return of each pair the mean lead in rank, and between which leads in rank it will lie on one new task.

    Parameters
    ----------
    ranks : ndarray of float, tasks x models
        1 being best, ties at their average.
    level : float
        Of all models together.

    Notes
    -----
    A task is as strange as the model is that is furthest from its average rank. Among n + 1 tasks drawn alike each is
    as likely to be the strangest as any other, whatever ranks are like: with at least the chance ``level`` the new one
    is no stranger than the k-th of the others, k = ceil(level (n + 1)). It moves the averages by at most 1 / n of its
    own strangeness, so that (n + 1) / (n - 1) times that of the k-th from the averages of the n alone is enough. That
    is half the width for every model, and pairs have twice that. With fewer tasks than `least_tasks` there is no end.
    After B. Neuhof and Y. Benjamini, "Rank intervals for leaderboards" (arXiv 2606.08679, 2026), and full conformal
    prediction (V. Vovk, A. Gammerman and G. Shafer, Algorithmic Learning in a Random World, 2005).
    """
    count, models = ranks.shape
    rows, columns = np.triu_indices(models, 1)
    mean = ranks.mean(axis=0)
    strange, place = np.sort(np.abs(ranks - mean).max(axis=1)), math.ceil(level * (count + 1) - SLACK) - 1
    half = strange[place] * (count + 1) / (count - 1) if place < count else math.nan
    lead = mean[columns] - mean[rows]
    return JointIntervals(difference=lead, low=lead - 2 * half, high=lead + 2 * half, p=np.full(len(lead), np.nan))


def predicted_ranks(mean_ranks: FloatArray, joint_half: float) -> IntArray:
    """Return the least and the greatest rank of each model on a new task, from half the width of the pairs' intervals.

    Ties take their average rank, and an average between two ranks may be either.
    """
    half = len(mean_ranks) if math.isnan(joint_half) else joint_half / 2
    low, high = np.floor(mean_ranks - half + SLACK), np.ceil(mean_ranks + half - SLACK)
    return np.clip([low, high], 1, len(mean_ranks)).astype(np.int64)
