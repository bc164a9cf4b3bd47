"""Cycles of three in who goes before whom."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from weightlab._typing import BoolArray

__all__ = ["three_cycles"]


def three_cycles(before: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Yield a cycle of three through each thing that is on one; none exactly if the choices are an order.

    Parameters
    ----------
    before : ndarray of bool, things x things
        Of any two things exactly one is before the other; the diagonal is False.
    """
    wins = before.sum(axis=1)
    if len(np.unique(wins)) == len(wins):
        return
    for a in range(len(before)):
        after, ahead = np.flatnonzero(before[a]), np.flatnonzero(before[:, a])
        back = np.argwhere(before[np.ix_(after, ahead)])
        if len(back):
            yield a, int(after[back[0][0]]), int(ahead[back[0][1]])
