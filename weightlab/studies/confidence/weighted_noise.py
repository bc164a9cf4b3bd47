"""Which leads survive the noise of the scores under every allowed weighting: sorting instead of a solver."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from weightlab._exact import FloatArray
from weightlab._text import first_few
from weightlab.data import Instances, Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp import WeightSpace
from weightlab.lp.space.conditions import Relation
from weightlab.rules import rule as registered
from weightlab.studies.confidence.contributions import instance_strata, score_errors, shares, task_values
from weightlab.studies.confidence.simultaneous import JointIntervals

BLOCK_CELLS = 1 << 20
"""Numbers per block in which draws of pairs are sorted."""


def joint_under_weights(
    source: Leaderboard | Instances, board: Leaderboard, space: WeightSpace, *, level: float, repeats: int, seed: int
) -> JointIntervals:
    """Return intervals that hold all pairs' differences under all weights of a space together.

    Notes
    -----
    A difference is linear in the weights, as is its error in each draw, and both ends over a box cut by the simplex
    follow from sorting (a fractional knapsack). The critical value is that of the largest error of any pair under any
    weights, each pair in units of its average one. An interval runs from the least to the greatest difference under
    allowed weights, that much wider on either side. O(repeats x pairs x tasks log tasks).
    """
    least, most = box_of(space, board)
    scores, noise, wider = _noise_of(source, board, level, repeats, seed)
    rows, columns = np.triu_indices(scores.shape[1], 1)
    reach = np.empty((len(rows), repeats))
    width = max(1, BLOCK_CELLS // (repeats * len(scores)))
    for start in range(0, len(rows), width):
        pairs = slice(start, start + width)
        low, high = extremes(noise[rows[pairs]] - noise[columns[pairs]], least, most)
        reach[pairs] = np.maximum(-low, high)
    scale = reach.mean(axis=1)
    greatest = np.divide(reach, scale[:, None], out=np.zeros_like(reach), where=scale[:, None] > 0).max(axis=0)
    half = wider * scale * np.sort(greatest)[min(repeats, math.ceil((repeats + 1) * level)) - 1]
    gaps = (scores[:, rows] - scores[:, columns]).T
    low, high = extremes(gaps, least, most)
    return JointIntervals(
        difference=gaps @ shares(board), low=low - half, high=high + half, p=np.full(len(rows), np.nan)
    )


def extremes(values: FloatArray, least: FloatArray, most: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest weighted sum along the last axis over weights in a box that sum to 1.

    Every task has its least weight; the rest goes to the tasks in the order of their values, each up to its most.
    """
    order = np.argsort(values, axis=-1)
    ordered, room, rest = np.take_along_axis(values, order, axis=-1), (most - least)[order], 1 - least.sum()
    before = np.cumsum(room, axis=-1) - room
    low = np.clip(rest - before, 0, room)
    after = room.sum(axis=-1, keepdims=True) - before - room
    high = np.clip(rest - after, 0, room)
    base = values @ least
    return base + (low * ordered).sum(axis=-1), base + (high * ordered).sum(axis=-1)


def box_of(space: WeightSpace, board: Leaderboard) -> tuple[FloatArray, FloatArray]:
    """Return the least and the most weight of each task of a board.

    Raises
    ------
    InputError
        If the space is no box around today's weights.
    """
    least, most = (dict.fromkeys(space.tasks, Fraction(limit)) for limit in (0, 1))
    for row in space.rows:
        if len(row.tasks) != 1 or row.auxiliaries:
            raise InputError(
                "rank sets under weights need bounds of single tasks, such as within('0.5'); "
                f"{row.name} is another condition"
            )
        ((task, factor),) = row.tasks.items()
        bound = row.bound / factor
        if row.relation is Relation.EQUAL or (row.relation is Relation.AT_LEAST) == (factor > 0):
            least[task] = max(least[task], bound)
        if row.relation is Relation.EQUAL or (row.relation is Relation.AT_MOST) == (factor > 0):
            most[task] = min(most[task], bound)
    today = {**dict.fromkeys(space.tasks, 0), **board.weights}
    idle = [task for task in space.tasks if most[task] and task not in board.tasks]
    if idle or set(today) != set(space.tasks) or not space.contains(today):
        why = f"leave out {first_few(idle, 3)}, without weight today" if idle else "today's weights are not among them"
        raise InputError(f"rank sets under weights are about weights around today's: {why}")
    low, high = (np.array([float(ends[task]) for task in board.tasks]) for ends in (least, most))
    return low, high


def _noise_of(
    source: Leaderboard | Instances, board: Leaderboard, level: float, repeats: int, seed: int
) -> tuple[FloatArray, FloatArray, float]:
    """Return scores (tasks x models), normal errors (models x draws x tasks), and by how much their ends are too near.

    Of instances the errors have the covariances seen among models: each instance's residuals move by one normal number.
    """
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - takes as long to load as all of weightlab

    rng = np.random.default_rng(seed)
    if isinstance(source, Leaderboard):
        errors = score_errors(board)
        drawn = rng.standard_normal((repeats, *errors.shape)) * errors
        return task_values(board, registered("mean")), drawn.transpose(2, 0, 1), 1.0
    strata = instance_strata(source)
    if any(np.isnan(one.values).any() for one in strata):
        raise InputError("rank sets under weights need a score of every model on every instance")
    scores = np.array([one.values.mean(axis=0) for one in strata])
    drawn = np.empty((len(scores[0]), repeats, len(strata)))
    for place, (one, mean) in enumerate(zip(strata, scores, strict=True)):
        count = len(one.values)
        moves = rng.standard_normal((repeats, count)) @ (one.values - mean) / math.sqrt(count * (count - 1))
        drawn[:, :, place] = moves.T
    # Spreads are estimated, as for Student's t with as many degrees of freedom as the smallest task has instances.
    least, pairs = min(len(one.values) for one in strata) - 1, math.comb(len(scores[0]), 2)
    tail = (1 - level) / (2 * pairs)
    return scores, drawn, float(stdtrit(least, tail) / ndtri(tail))
