"""Rankings read along an axis."""

from __future__ import annotations

import numpy as np

from weightlab._typing import AnyArray
from weightlab.data.profile import Profile

__all__ = ["broken_along", "upside_down", "valley"]


def upside_down(profile: Profile) -> Profile:
    """Return the profile of the reversed orders."""
    ranks = profile.ranks
    turned = np.where(ranks > 0, ranks.max(axis=1, keepdims=True, initial=0) + 1 - ranks, 0).astype(np.int32)
    return Profile(models=profile.models, voters=profile.voters, ranks=turned, weights=profile.weights)


def valley(ranks: AnyArray, axis: list[int]) -> int | None:
    """Return the first voter who puts a model below one on its left and one on its right, along the axis.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks, lower is better, ties allowed; 0 for a model that a voter does not rank, which is passed over.
    axis : list of int
        All models by position.
    """
    along = ranks[:, axis]
    if along.shape[1] < 3:
        return None
    out_of_mind = np.where(along > 0, along, np.iinfo(along.dtype).max)
    before = np.minimum.accumulate(out_of_mind, axis=1)[:, :-2]
    after = np.minimum.accumulate(out_of_mind[:, ::-1], axis=1)[:, ::-1][:, 2:]
    inner = along[:, 1:-1]
    low = ((inner > before) & (inner > after)).any(axis=1)
    return int(low.argmax()) if low.any() else None


def broken_along(ranks: AnyArray, axis: list[int]) -> AnyArray:
    """Return strict ranks that break the ties of weak orders so that they are single-peaked on an axis that fits.

    Each voter's peak is the leftmost model of the best; among tied models those on its right go first, and on either
    side the nearer ones.
    """
    place = np.empty(len(axis), dtype=np.intp)
    place[axis] = np.arange(len(axis))
    broken = np.empty_like(ranks)
    for row, levels in enumerate(ranks):
        away = place - place[levels == 1].min()
        broken[row, np.lexsort((np.abs(away), away < 0, levels))] = np.arange(1, len(axis) + 1)
    return broken
