"""Local search for a good order: each model in turn moves to where it costs least."""

from __future__ import annotations

import numpy as np

from weightlab._typing import AnyArray

__all__ = ["improved_order"]


def improved_order(net: AnyArray, order: AnyArray) -> AnyArray:
    """Return an order, best first, that no move of a single model betters.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    order : ndarray of int
        Where to start. The result costs no more.

    Notes
    -----
    A pass over the models takes O(n^2); every move gains at least one.
    """
    listed = [int(one) for one in order]
    moved = True
    while moved:
        moved = False
        for model in list(listed):
            place = listed.index(model)
            rest = listed[:place] + listed[place + 1 :]
            best = _best_place(net[model][rest])
            if best[1] > best[0][place]:
                rest.insert(int(np.argmax(best[0])), model)
                listed, moved = rest, True
    return np.array(listed, dtype=np.int64)


def _best_place(gains: AnyArray) -> tuple[AnyArray, int]:
    """Return the worth of each place that a model can take among the others, and the greatest."""
    # ``before[p]``: what the model wins over the first p others. At place p it stands below these and above the rest,
    # so it gains ``before[-1] - before[p]`` and forgoes ``before[p]``.
    before = np.append(0, np.cumsum(gains))
    worth = before[-1] - 2 * before
    return worth, int(worth.max())
