"""Shortest paths and cycles of a relation between models, on matrices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from weightlab._typing import AnyArray, BoolArray
from weightlab.graph.components import strong_components

__all__ = ["cycle_of_three", "shortest_cycle_of", "shortest_path", "three_cycles_through"]

BLOCK_CELLS = 1 << 22
"""Products are taken in blocks of so many cells."""


def shortest_path(allowed: BoolArray, start: int, end: int) -> list[int]:
    """Return a path with fewest links from one place to another (itself: around), or an empty list."""
    count = len(allowed)
    before = np.full(count, -1)
    frontier = np.zeros(count, dtype=np.bool_)
    frontier[start] = True
    seen = np.zeros(count, dtype=np.bool_)
    while frontier.any():
        places = np.flatnonzero(frontier)
        reached = allowed[places].any(axis=0) & ~seen
        fresh = np.flatnonzero(reached)
        before[fresh] = places[allowed[np.ix_(places, fresh)].argmax(axis=0)]
        seen |= reached
        if reached[end]:
            break
        frontier = reached
    return _walked_back(before, start, end)


def _walked_back(before: AnyArray, start: int, end: int) -> list[int]:
    if before[end] < 0:
        return []
    path = [end, int(before[end])]
    while path[-1] != start:
        path.append(int(before[path[-1]]))
    return path[::-1]


def shortest_cycle_of(relation: BoolArray) -> list[int]:
    """Return a cycle with fewest models, or an empty list when there is none.

    A product of matrices finds one of three; where there is none, a search from every model on a cycle finds it.
    """
    three = cycle_of_three(relation)
    if three:
        return three
    _, component = strong_components(relation)
    shortest: list[int] = []
    for start in np.flatnonzero(np.bincount(component)[component] > 1).tolist():
        around = shortest_path(relation, start, start)[:-1]
        if around and (not shortest or len(around) < len(shortest)):
            shortest = around
    return shortest


def cycle_of_three(relation: BoolArray) -> list[int]:
    """Return the first cycle of three models, or an empty list when there is none."""
    for rows, through in three_cycles_through(relation):
        found = np.argwhere(through)
        if len(found):
            first, last = rows.start + int(found[0, 0]), int(found[0, 1])
            return [first, int(np.argmax(relation[first] & relation[:, last])), last]
    return []


def three_cycles_through(relation: BoolArray) -> Iterator[tuple[slice, AnyArray]]:
    """Yield, for blocks of rows, in how many cycles of three the row follows the column (rows x models).

    One product of matrices in all; counts of up to 2^24 are exact in float32.
    """
    count = len(relation)
    numbers = relation.astype(np.float32)
    step = max(1, BLOCK_CELLS // max(1, count))
    for start in range(0, count, step):
        rows = slice(start, min(start + step, count))
        yield rows, (numbers[rows] @ numbers) * numbers.T[rows]
