"""Conditions that triangles imply for orders, though not for points between orders: closed walks of odd parity."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from weightlab._exact import AnyArray, FloatArray

UNDECIDED = 1e-6
"""A pair of models that a point settles up to this is on no walk."""
LONGEST, LONGEST_HALF, LONGEST_STEP = 0.95, 0.5, 0.5
"""A walk is violated by half of what its length is short of 1; those that are hardly violated are left out."""
TRIANGLE = 2e-3
"""What each triangle adds to the length: of two walks nearly as short the one with fewer triangles is the better."""
AT_ONCE = 100
"""The number of pairs from which walks are searched at a time."""


def violated_walks(position: FloatArray) -> tuple[AnyArray, AnyArray]:
    """Return the triangles of odd walks that a point violates, and how many triangles each walk has.

    Parameters
    ----------
    position : ndarray of float, models x models
        How far the row stands above the column, from 0 to 1; no triangle is violated.

    Returns
    -------
    corners : ndarray of int, triangles x 3
    sizes : ndarray of int
        As ``Triangles`` has them.

    Notes
    -----
    Exact separation of {0, 1/2}-cuts whose rows have two odd coefficients each, as of odd cycles (Caprara and
    Fischetti, Mathematical Programming 74, 1996); Reinelt's Möbius ladders (1985) are among them. With its third side
    counted twice, the triangle a, b, c says ``x_ab + x_bc + 2 x_ca <= 3``. What is missing there is the length of the
    step from "a above b" to "c above b", or from "b above a" to "b above c". A walk from "a above b" to "b above a"
    names each pair evenly, and so often turned that its parity is odd. One search by Dijkstra for each undecided pair.
    """
    steps = _Steps(position)
    walks = list(dict.fromkeys(steps.shortest_walks()))
    triangles = np.array([triangle for walk in walks for triangle in walk], dtype=np.int64)
    return steps.corners[triangles], np.array([len(walk) for walk in walks], dtype=np.int64)


class _Steps:
    """The graph of the ordered pairs that a point leaves undecided."""

    def __init__(self, position: FloatArray) -> None:
        from scipy.sparse import csr_array  # noqa: PLC0415 - takes longer to load than most orders to find

        undecided = np.asarray((position > UNDECIDED) & (position < 1 - UNDECIDED))
        self._node = np.full(position.shape, -1)
        self._node[undecided] = np.arange(undecided.sum())
        parts = [self._around(middle, position) for middle in range(len(position))]
        self.corners, nodes, lengths = (np.concatenate(part) for part in zip(*parts, strict=True))
        # Each triangle makes a step between pairs with the same lower model, and one between the same pairs turned.
        tails, heads = nodes.ravel(), nodes[:, [1, 0, 3, 2]].ravel()
        size = int(undecided.sum())
        self._turned = self._node.T[undecided]
        self._graph = csr_array((np.repeat(lengths, 4), (tails, heads)), shape=(size, size))
        keys = tails * size + heads
        order = np.argsort(keys)
        self._keys, self._triangle = keys[order], np.repeat(np.arange(len(nodes)), 4)[order]

    def _around(self, middle: int, position: FloatArray) -> tuple[AnyArray, AnyArray, FloatArray]:
        """Return the triangles of a model with two others, the four ordered pairs they link, and how far apart."""
        others = np.flatnonzero(self._node[middle] >= 0)
        below, above = position[middle, others], position[others, middle]
        length = below[:, None] + above + 2 * position[np.ix_(others, others)] - 1
        # Both directions of a triangle make the same steps: the shorter one is kept.
        shorter = np.triu(length <= length.T, 1) | np.tril(length < length.T, -1)
        one, other = np.nonzero(shorter & (length < LONGEST_STEP))
        length = np.maximum(length[one, other], 0) + TRIANGLE
        one, other = others[one], others[other]
        corners = np.column_stack([one, np.full(len(one), middle), other])
        nodes = [self._node[one, middle], self._node[other, middle], self._node[middle, one], self._node[middle, other]]
        return corners, np.column_stack(nodes), length

    def shortest_walks(self) -> Iterator[tuple[int, ...]]:
        """Yield the triangles of a shortest walk from each pair to the same pair turned, where it is violated."""
        from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415 - slow to load, too

        starts = self._node[self._node > self._node.T]
        for first in range(0, len(starts), AT_ONCE):
            own = starts[first : first + AT_ONCE]
            far, before = dijkstra(self._graph, indices=own, limit=LONGEST_HALF, return_predecessors=True)
            # From the pair half way the other half leads to the start turned. Turned itself, it is a way from the start
            # to the pair half way turned: so one search of half the length finds both.
            whole = far + far[:, self._turned]
            half_way = whole.argmin(axis=1)
            walks = np.flatnonzero(whole[np.arange(len(own)), half_way] < LONGEST)
            walk, here = np.tile(walks, 2), np.append(half_way[walks], self._turned[half_way[walks]])
            steps, owners = [np.zeros(0, dtype=np.int64)], [walk[:0]]
            # All are followed back to their starts at once.
            while len(walk):
                going = here != own[walk]
                walk, here = walk[going], here[going]
                back = before[walk, here].astype(np.int64)
                steps.append(back * len(self._turned) + here)
                owners.append(walk)
                here = back
            triangles = self._triangle[np.searchsorted(self._keys, np.concatenate(steps))]
            owner = np.concatenate(owners)
            for one in walks:
                yield tuple(np.sort(triangles[owner == one]).tolist())
