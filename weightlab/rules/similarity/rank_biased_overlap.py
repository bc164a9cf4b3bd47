"""How far rankings agree, the first places most of all: rank-biased overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, get_args

import numpy as np

from weightlab._exact import FloatArray, IntArray
from weightlab._validate import one_of
from weightlab.data import Order
from weightlab.exceptions import InputError
from weightlab.rules.similarity.rank_correlation import above_and_tied, models_of

OverlapTies: TypeAlias = Literal["w", "a", "b"]
"""What a tie is: equality (w), or an order that is not known, averaged over (a) and corrected for (b)."""
BLOCK_CELLS = 1 << 20
"""Cells per block of depths, so that memory stays small."""


def rank_biased_overlap(first: Order, second: Order, *, persistence: float = 0.9, ties: OverlapTies = "w") -> float:
    """Return the rank-biased overlap of two weak orders of the same models.

    *The mean, over the depths that a reader may reach, of the share that two rankings have in common down to there;
    from each depth a reader goes on to the next with probability* ``persistence``.

    Parameters
    ----------
    first, second : tuple of tuples of str
        Weak orders, best first.
    persistence : float
        Between 0 and 1, both excluded; of 0.9 the first ten places have 86% of the weight.
    ties : {"w", "a", "b"}
        How tied models count at a depth that cuts through them: ``"w"``, all of them, for ties that mean equality;
        ``"a"``, the share of the tie that is within, the mean over all ways to break it; ``"b"``, the same, corrected
        such that a ranking agrees wholly with itself. Without ties all three are one.

    Returns
    -------
    float
        From 0 to 1. Beyond the last model the two rankings agree, for they are of the same models (the extrapolated
        overlap).

    Raises
    ------
    InputError
        If they do not order the same models, or an option is unknown.

    Notes
    -----
    O(models^2) time, in blocks.

    References
    ----------
    W. Webber, A. Moffat and J. Zobel, "A similarity measure for indefinite rankings", ACM Transactions on Information
    Systems 28 (2010), sections 4.3 and 4.4. M. Corsi and J. Urbano, "The treatment of ties in rank-biased overlap",
    SIGIR (2024), for the variants w, a and b.

    Examples
    --------
    >>> round(rank_biased_overlap((("a",), ("b",), ("c",)), (("b",), ("a",), ("c",)), persistence=0.5), 3)
    0.5
    """
    if not 0 < persistence < 1:
        raise InputError(f"persistence must be between 0 and 1; got {persistence!r}")
    one_of("ties", ties, get_args(OverlapTies))
    names = models_of([first, second])
    above = [above_and_tied(order, names) for order in (first, second)]
    total, count = 0.0, len(names)
    for depths in _blocks(count):
        one, other = (_within(*places, depths, whole=ties == "w") for places in above)
        total += float(_shares(one, other, depths, ties) @ persistence ** (depths - 1.0))
    return (1 - persistence) * total + persistence**count


def _shares(one: FloatArray, other: FloatArray, depths: FloatArray, ties: OverlapTies) -> FloatArray:
    """Return the share that two rankings have in common at each depth."""
    common = (one * other).sum(axis=0)
    if ties == "w":
        return np.asarray(2 * common / (one.sum(axis=0) + other.sum(axis=0)))
    if ties == "a":
        return np.asarray(common / depths)
    return np.asarray(common / np.sqrt((one * one).sum(axis=0) * (other * other).sum(axis=0)))


def _within(above: IntArray, tied: IntArray, depths: FloatArray, *, whole: bool) -> FloatArray:
    """Return how far each model is within each depth (models x depths): wholly, or the share of its tie that is."""
    beyond = depths[None, :] - above[:, None]
    return np.asarray(beyond > 0, dtype=np.float64) if whole else np.clip(beyond / tied[:, None], 0, 1)


def _blocks(count: int) -> Iterator[FloatArray]:
    size = max(1, BLOCK_CELLS // count)
    for start in range(1, count + 1, size):
        yield np.arange(start, min(start + size, count + 1), dtype=np.float64)
