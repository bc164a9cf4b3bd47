"""Shortest paths and cycles of a relation between models, on matrices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab.data.components import components_of_links, strong_components, topological

BLOCK_CELLS = 1 << 22
"""Products are taken in blocks of this many cells, so that large tables need no second square of floats."""


def shortest_cycle_of(relation: BoolArray) -> list[int]:
    """Return a cycle with fewest models, or an empty list without one.

    A product of matrices finds one of three. Otherwise the distances within each strong component tell from
    which model it is shortest around.
    """
    three = cycle_of_three(relation)
    if three:
        return three
    from scipy.sparse.csgraph import shortest_path as distances  # noqa: PLC0415 - takes as long to load as weightlab

    count, component = strong_components(relation)
    shortest: list[int] = []
    for one in np.flatnonzero(np.bincount(component, minlength=count) > 1):
        members = np.flatnonzero(component == one)
        inside = relation[np.ix_(members, members)]
        # Around from a model: to one that it is reached from, and the link back.
        far = distances(inside, unweighted=True)
        around = np.where(inside.T, far, np.inf).min(axis=1)
        start = int(around.argmin())
        if not shortest or around[start] + 1 < len(shortest):
            cycle = [start]
            for left in range(int(around[start]), 0, -1):
                cycle.append(int(np.argmax(inside[cycle[-1]] & (far[:, start] == left))))
            shortest = members[cycle].tolist()
    return shortest


def cycle_of_three(relation: BoolArray) -> list[int]:
    """Return x, y, z with x R y R z R x: the first x, then z, then y; empty without any."""
    return two_steps(relation, relation.T)


def two_steps(relation: BoolArray, ends: BoolArray) -> list[int]:
    """Return x, y, z with x R y R z, of the pairs (x, z) wanted: the first x, then z, then y; empty without any."""
    for rows, ways in products(relation, relation):
        found = np.argwhere((ways > 0) & ends[rows])
        if len(found):
            first, last = rows.start + int(found[0, 0]), int(found[0, 1])
            return [first, int(np.argmax(relation[first] & relation[:, last])), last]
    return []


def products(first: BoolArray, second: BoolArray) -> Iterator[tuple[slice, AnyArray]]:
    """Yield, for blocks of rows, in how many ways the first relation and then the second lead from row to column.

    One product of matrices in all; counts of up to 2^24 are exact in float32, the fastest product there is.
    """
    left, right = first.astype(np.float32), second.astype(np.float32)
    step = max(1, BLOCK_CELLS // max(1, len(left)))
    for start in range(0, len(left), step):
        rows = slice(start, min(start + step, len(left)))
        yield rows, left[rows] @ right


def transitive_closure(relation: BoolArray) -> BoolArray:
    """Return who stands above whom by a chain; a model above itself shows a cycle. O(n^3) in whole-row operations."""
    # Warshall's algorithm, one middle model at a time, all rows and columns at once.
    closed = relation.copy()
    for middle in range(len(closed)):
        closed |= closed[:, middle, None] & closed[middle]
    return closed


def acyclic_closure(relation: BoolArray) -> BoolArray:
    """Return who stands above whom by a chain of a relation without cycles; O(n) operations on rows of bits a link."""
    count = len(relation)
    place = topological(relation)
    above = np.zeros((count, (count + 7) // 8), dtype=np.uint8)
    own = np.packbits(np.eye(count, dtype=np.bool_), axis=1)
    # From the last of a topological order up: all that stand below those directly below are known by then.
    for model in np.argsort(-place).tolist():
        below = np.flatnonzero(relation[model])
        if len(below):
            above[model] = np.bitwise_or.reduce(above[below] | own[below])
    return np.unpackbits(above, axis=1, count=count).astype(np.bool_)


def lasting_links(links: AnyArray) -> BoolArray:
    """Return the links that are on no cycle of links at least as strong (models x models; positive numbers are links).

    Notes
    -----
    A link is on such a cycle exactly if its ends are in one strong component of the links as strong as it. Components
    only grow as weaker links come, so the strength that joins the ends is found for all links at once by halving: those
    of joined ends go on among the stronger links, the others among the weaker ones with the components as places.
    O(n^2 log n) in whole-array steps, where strongest paths take O(n^3).
    """
    tails, heads = np.nonzero(links > 0)
    strengths, place = np.unique(links[tails, heads], return_inverse=True)
    later = len(strengths) - 1 - place  # 0 for the strongest
    lasts = np.ones(len(tails), dtype=np.bool_)
    # Of each part the ends are joined by the links up to ``last`` and not by those before ``first``; at the end none.
    waiting = [(np.arange(len(tails)), tails, heads, len(links), 0, len(strengths))]
    while waiting:
        part, start, end, size, first, last = waiting.pop()
        if first == last:
            lasts[part[later[part] >= first]] = False
        if first == last or not len(part):
            continue
        middle = (first + last) // 2
        strong = later[part] <= middle
        merged, component = components_of_links(start[strong], end[strong], size)
        joined = component[start] == component[end]
        lasts[part[joined & ~strong]] = False
        inner = joined & strong
        waiting.append((part[inner], start[inner], end[inner], size, first, middle))
        apart = ~joined
        waiting.append((part[apart], component[start[apart]], component[end[apart]], merged, middle + 1, last))
    found = np.zeros(links.shape, dtype=np.bool_)
    found[tails[lasts], heads[lasts]] = True
    return found
