"""Leads by Borda while scores are missing: the least and the greatest over all completions, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from weightlab._exact import INT64_SAFE, AnyArray, IntArray


def least_signs(low: IntArray, high: IntArray) -> IntArray:
    """Return on one task the least of the sum of x's signs over all models less that of y's, models x models.

    Parameters
    ----------
    low, high : arrays of int, models
        The places of the worst and the best score that each model can have, equal places being equal scores; between
        two places next to each other there are further scores.

    Notes
    -----
    The lead of x over y never falls when x rises or y falls, so x is at its worst, a, and y at its best, b. Each third
    model is then where it serves y best, by itself: of a < b strictly between them (-2), or at one of them (-1), where
    it can; of a > b outside (0) unless it has to be between them (2), or there or at one of them (1). These models are
    counted, in O(models^2).
    """
    places = np.unique([low, high], return_inverse=True)[1].reshape(2, -1)
    lows, highs = places
    count, size = len(lows), int(places.max()) + 1
    below = np.zeros((size + 1, size + 1), dtype=np.int64)  # models whose worst and best are under two places
    np.add.at(below, (lows + 1, highs + 1), 1)
    below = below.cumsum(axis=0).cumsum(axis=1)
    worst, best = lows[:, None], highs[None, :]
    behind = -2 * count + below[size, worst + 1] + below[size, worst] + 2 * count - below[best, size]
    behind = behind - below[best + 1, size]
    ahead = below[size, worst] - below[best + 1, worst] + below[size, worst + 1] - below[best, worst + 1]
    third = np.where(worst < best, behind, np.where(worst > best, ahead, 0))
    third = third - _third(lows[:, None], highs[:, None], worst, best) - _third(lows[None], highs[None], worst, best)
    return np.asarray(2 * np.sign(worst - best) + third)


def _third(low: IntArray, high: IntArray, worst: IntArray, best: IntArray) -> IntArray:
    """Return the least of the signs of x, at its worst, less those of y, at its best, over a third model."""
    touches = (high == worst) | (low == best)
    behind = np.where((low < best) & (high > worst), -2, np.where(touches, -1, 0))
    ahead = ((low > best) & (high < worst)).astype(np.int64) + ((low >= best) & (high <= worst))
    return np.asarray(np.where(worst < best, behind, np.where(worst > best, ahead, 0)))


def least_borda_leads(places: IntArray, weights: Sequence[int]) -> AnyArray:
    """Return the least lead of x over y at whole weights, in half points, models x models.

    Parameters
    ----------
    places : array of int, 2 x models x tasks
        The worst and the best place of each score; see `least_signs`.
    weights : sequence of int
        One a task.
    """
    models = places.shape[1]
    fits = 2 * models * sum(map(abs, weights)) < INT64_SAFE
    found = np.zeros((models, models), dtype=np.int64 if fits else object)
    for task, weight in enumerate(weights):
        if weight:
            found += weight * least_signs(places[0, :, task], places[1, :, task]).astype(found.dtype)
    return found


# A completion in which one model is first. Which rivals and third models should be where depends on all of them at
# once (the question is NP-hard for orders), so this is a search: a result is a proof, a failure proves nothing.

_ROUNDS = 3


def completion_for(model: int, places: IntArray, weights: Sequence[int]) -> IntArray | None:
    """Return places, models x tasks, in which a model is first by Borda; None where the search finds none.

    Parameters
    ----------
    model : int
        Its row.
    places : array of int, 2 x models x tasks
        The worst and the best place of each score, all even: odd places are scores between two neighbours.
    weights : sequence of int
        One a task.
    """
    free = [(row, task) for row, task in np.argwhere(places[0] < places[1]).tolist() if weights[task] and row != model]
    for end in (0, 1):
        now: IntArray = places[end].copy()
        now[model] = places[1, model]
        points = np.zeros(len(now), dtype=object)
        for task, weight in enumerate(weights):
            points += weight * _signs(now[:, task]).astype(object)
        for _ in range(_ROUNDS):
            moved = False
            for row, task in free:
                if _behind(points, model) == 0:
                    return now
                moved |= _moved(now, points, (model, row, task), weights[task], places[:, row, task])
            if not moved:
                break
        if _behind(points, model) == 0:
            return now
    return None


def _moved(now: IntArray, points: AnyArray, cell: tuple[int, int, int], weight: int, ends: IntArray) -> bool:
    """Put a cell where the model lacks least, in place; tell whether that is elsewhere."""
    model, row, task = cell
    column, least, best = now[:, task], _behind(points, model), None
    before = _signs(column).astype(object)
    for place in _between(column, int(ends[0]), int(ends[1])):
        other = column.copy()
        other[row] = place
        then = points + weight * (_signs(other).astype(object) - before)
        lacks = _behind(then, model)
        if lacks < least:
            least, best = lacks, (place, then)
    if best is None:
        return False
    column[row], points[:] = best
    return True


def _between(column: IntArray, low: int, high: int) -> Iterator[int]:
    """Yield the places that differ for a cell: its ends, those of other models, and one on each side of them."""
    near = {place + step for place in column.tolist() for step in (-1, 0, 1)}
    yield from sorted({low, high} | {place for place in near if low < place < high})


def _signs(column: IntArray) -> IntArray:
    """Return the sum of each model's signs over all models on one task."""
    ordered = np.sort(column)
    above = len(column) - np.searchsorted(ordered, column, side="right")
    return np.asarray(np.searchsorted(ordered, column, side="left") - above)


def _behind(points: AnyArray, model: int) -> int:
    """Return how much a model lacks to be ahead of all rivals by half a point or more, summed up; 0 if it is."""
    lack = points + 1 - points[model]
    lack[model] = 0
    return int(np.maximum(lack, 0).sum())
