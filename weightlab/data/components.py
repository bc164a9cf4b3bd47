"""Strong components of a relation between models, on matrices, and an order that the relation respects."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray, BoolArray


def strong_components(relation: BoolArray) -> tuple[int, AnyArray]:
    """Return how many strong components a relation has, and the number of each model's; O(n^2)."""
    if len(relation) and _reaches_all(relation) and _reaches_all(relation.T):
        return 1, np.zeros(len(relation), dtype=np.int32)
    tails, heads = np.nonzero(relation)
    return components_of_links(tails, heads, len(relation))


def components_of_links(tails: AnyArray, heads: AnyArray, count: int) -> tuple[int, AnyArray]:
    """Return the number of strong components of ``count`` linked places, and each place's component."""
    from scipy.sparse import coo_array  # noqa: PLC0415 - takes as long to load as all of weightlab
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    graph = coo_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=(count, count)).tocsr()
    # Counts of parallel links may overflow to 0, which would be none.
    graph.data[:] = 1
    number, component = connected_components(graph, connection="strong")
    return int(number), component


def _reaches_all(relation: BoolArray) -> bool:
    """Return whether paths lead from the first place to all others."""
    seen = np.arange(len(relation)) == 0
    frontier = seen
    while frontier.any():
        frontier = relation[frontier].any(axis=0) & ~seen
        seen = seen | frontier
    return bool(seen.all())


def is_cyclic(relation: BoolArray) -> bool:
    """Return whether a relation that no model has to itself has a cycle."""
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


def cycle_through(relation: BoolArray, first: int, second: int) -> list[int]:
    """Return a shortest cycle that steps from one place to another; some path has to lead back."""
    path, before = {second: [first]}, [second]
    while first not in path:
        reached = np.argwhere(relation[before]).tolist()
        new = {model: [*path[before[row]], before[row]] for row, model in reached if model not in path}
        path |= new
        before = list(new)
    return path[first]
