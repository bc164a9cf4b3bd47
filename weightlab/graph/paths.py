"""Shortest paths and cycles of a relation between models, on matrices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from weightlab._exact import AnyArray, BoolArray

BLOCK_CELLS = 1 << 22
"""Products are taken in blocks of so many cells, so that large tables need no second square of floats."""


def shortest_path(allowed: BoolArray, start: int, end: int) -> list[int]:
    """Return a path with fewest links from one place to another (itself: around), or an empty list."""
    count = len(allowed)
    before = np.full(count, -1)
    frontier = np.zeros(count, dtype=np.bool_)
    frontier[start] = True
    seen = np.zeros(count, dtype=np.bool_)
    # Breadth first, a whole level at a time: ``frontier`` holds those that were first reached by the last link.
    while frontier.any():
        places = np.flatnonzero(frontier)
        reached = allowed[places].any(axis=0) & ~seen
        fresh = np.flatnonzero(reached)
        # The predecessor is any place of the last level that leads there: argmax finds the first.
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

    A product of matrices finds one of three. Where there is none, every strong component is walked from all its models
    at once, one link at a time, until one of them is back where it began.
    """
    three = cycle_of_three(relation)
    if three:
        return three
    count, component = strong_components(relation)
    shortest: list[int] = []
    for one in np.flatnonzero(np.bincount(component, minlength=count) > 1):
        members = np.flatnonzero(component == one)
        inside = relation[np.ix_(members, members)]
        # Only a cycle shorter than the shortest so far is worth walking for.
        start = _first_back(inside, len(shortest) - 1 if shortest else len(members))
        if start is not None:
            shortest = members[shortest_path(inside, start, start)[:-1]].tolist()
    return shortest


def _first_back(relation: BoolArray, most: int) -> int | None:
    """Return the first place from which a walk of fewest links leads back to it, or None if that takes more than most.

    The relation is strongly connected, with two places or more. The places that walks of k links reach are the bits of
    a row; those of k + 1 links are the union of the rows that one link leads to: links x places / 8 bytes a step.
    """
    count = len(relation)
    starts = np.append(0, np.cumsum(relation.sum(axis=1))[:-1])
    following = np.nonzero(relation)[1]
    own_byte, own_bit = np.arange(count) // 8, np.left_shift(1, np.arange(count) % 8).astype(np.uint8)
    # One bit for each place, eight to a byte: the union of reached sets is an OR of bytes.
    reached = np.packbits(relation, axis=1, bitorder="little")
    for _ in range(1, most):
        reached = _united(reached, following, starts)
        back = np.flatnonzero(reached[np.arange(count), own_byte] & own_bit)
        if len(back):
            return int(back[0])
    return None


def _united(rows: AnyArray, following: AnyArray, starts: AnyArray) -> AnyArray:
    """Return for each place the union of the rows of those that follow it, a block of places at a time."""
    result = np.empty_like(rows)
    ends = np.append(starts[1:], len(following))
    links = max(1, BLOCK_CELLS // max(1, rows.shape[1]))
    first = 0
    while first < len(starts):
        last = max(first + 1, int(np.searchsorted(ends, starts[first] + links, side="right")))
        gathered = rows[following[starts[first] : ends[last - 1]]]
        # reduceat needs a non-empty group for each place: in a strong component everybody is followed by someone.
        result[first:last] = np.bitwise_or.reduceat(gathered, starts[first:last] - starts[first], axis=0)
        first = last
    return result


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
        # Paths of two links from row to column, where a third link leads back.
        yield rows, (numbers[rows] @ numbers) * numbers.T[rows]


# Strong components of a relation between models, on matrices.


def strong_components(relation: BoolArray) -> tuple[int, AnyArray]:
    """Return how many strong components a relation has, and the number of each model's; O(n^2)."""
    if len(relation) and _reaches_all(relation) and _reaches_all(relation.T):
        return 1, np.zeros(len(relation), dtype=np.int32)
    from scipy.sparse import csr_array  # noqa: PLC0415 - takes as long to load as all of weightlab
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    # Built as CSR by hand: np.nonzero gives the entries row by row, just as that form wants them.
    rows, columns = np.nonzero(relation)
    starts = np.searchsorted(rows, np.arange(len(relation) + 1))
    matrix = csr_array((np.ones(len(rows), dtype=np.int8), columns.astype(np.int32), starts), shape=relation.shape)
    count, component = connected_components(matrix, connection="strong")
    return int(count), component


def _reaches_all(relation: BoolArray) -> bool:
    """Tell whether paths lead from the first place to all others."""
    seen = np.arange(len(relation)) == 0
    frontier = seen
    while frontier.any():
        frontier = relation[frontier].any(axis=0) & ~seen
        seen = seen | frontier
    return bool(seen.all())


def is_cyclic(relation: BoolArray) -> bool:
    """Tell whether a relation that no model has to itself has a cycle."""
    return strong_components(relation)[0] < len(relation)


def sources(relation: BoolArray) -> BoolArray:
    """Return the models of those strong components that no model outside stands above."""
    count, component = strong_components(relation)
    dominated = np.zeros(count, dtype=np.bool_)
    above, below = np.nonzero(relation)
    dominated[component[below[component[above] != component[below]]]] = True
    return np.asarray(~dominated[component], dtype=np.bool_)


def topological(relation: BoolArray) -> AnyArray:
    """Return for each model the place of its strong component in an order that the relation between them respects.

    Components that might come next stand in the order of their first models.
    """
    count, component = strong_components(relation)
    first = np.full(count, len(relation))
    np.minimum.at(first, component, np.arange(len(relation)))
    between = np.zeros((count, count), dtype=np.bool_)
    rows, columns = np.nonzero(relation)
    between[component[rows], component[columns]] = True
    np.fill_diagonal(between, val=False)
    left, place = np.ones(count, dtype=np.bool_), np.zeros(count, dtype=np.int64)
    # Kahn's algorithm on the components; the lowest first model breaks ties, so that the result does not depend on
    # SciPy's numbering.
    above = between.sum(axis=0)
    for position in range(count):
        ready = np.flatnonzero(left & (above == 0))
        best = ready[np.argmin(first[ready])]
        place[best], left[best] = position, False
        above = above - between[best]
    return np.asarray(place[component])
