"""Weak orders on one axis: every voter's upper sets must be intervals of it (consecutive ones).

Ties can be broken so that the profile is single-peaked on an axis if and only if, for every voter and rank, the models
with that rank or a better one are an interval of the axis. (The upper sets of a single-peaked order are intervals
around its peak, and those of the weak order are among them. Conversely, inside each interval the next larger one adds
models on its left and on its right; put those nearer to the inner interval first.)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import Record, ensure
from weightlab.data import Profile
from weightlab.domains.forbidden import minimal_part
from weightlab.domains.result import ranks_of_part
from weightlab.domains.single_peakedness.pq_tree import PQTree, pq_tree


class ClashingSets(Record):
    """Upper sets that are intervals of no common axis, though any smaller selection of them is.

    Attributes
    ----------
    models : tuple of str
        The columns of the sub-matrix.
    rows : tuple of (str, tuple of str)
        A voter, and those of the models that this voter ranks above all the others of them.
    lower : bool
        Whether they are lower sets instead: those that the voter ranks below all the others.
    """

    models: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    lower: bool = False

    @property
    def voters(self) -> tuple[str, ...]:
        """The voters, each once."""
        return tuple(dict.fromkeys(voter for voter, _ in self.rows))

    def __str__(self) -> str:
        """Name the sets that would have to stay together."""
        sets = "; ".join(f"{{{', '.join(members)}}} for {voter}" for voter, members in self.rows)
        return f"no axis of {', '.join(self.models)} keeps each of these sets together: {sets}"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the voters rank these sets above the rest, and just all of them together clash.

        Notes
        -----
        A clash shows that no axis keeps the sets together, without building one: with a, c inside a set and b outside,
        a and c are on the same side of b. Sets clash if and only if these statements contradict each other, that is,
        imply that some a is on the left of some b and on its right.

        References
        ----------
        McConnell, "A certifying algorithm for the consecutive-ones property", SODA 2004.
        """
        own = ranks_of_part(profile, self.models, self.voters)
        for voter, members in self.rows:
            ensure(set(members) <= set(self.models), f"the set of voter {voter!r} has models besides those named")
            ensure(len(set(members)) == len(members), f"the set of voter {voter!r} has a model twice")
            inside = np.isin(self.models, members)
            ranks = own[self.voters.index(voter)]
            ensure(inside.any() and not inside.all(), f"the set of voter {voter!r} is empty or everything")
            apart = (
                ranks[inside].min() > ranks[~inside].max() if self.lower else ranks[inside].max() < ranks[~inside].min()
            )
            ensure(apart, f"voter {voter!r} does not rank {members} {'below' if self.lower else 'above'} the others")
        # An upper set says what a ranking of two levels says.
        levels = np.array([np.where(np.isin(self.models, members), 1, 2) for _, members in self.rows])
        ensure(self.rows and sides_of(levels) is None, "the sets are intervals of one axis")
        for place, (voter, members) in enumerate(self.rows):
            needed = sides_of(np.delete(levels, place, axis=0)) is not None
            ensure(needed, f"the set {members} of voter {voter!r} is not needed")
        for column, model in enumerate(self.models):
            ensure(sides_of(np.delete(levels, column, axis=1)) is not None, f"model {model!r} is not needed")


def upper_sets(ranks: AnyArray) -> dict[int, int]:
    """Return the upper sets of complete weak orders, as bits, and a voter of each: two models at least, but not all."""
    found: dict[int, int] = {}
    for voter, row in enumerate(ranks.tolist()):
        levels: dict[int, int] = {}
        for model, rank in enumerate(row):
            levels[rank] = levels.get(rank, 0) | 1 << model
        above = 0
        # The lowest level would complete the set of all models, which is an interval of any axis.
        for rank in sorted(levels)[:-1]:
            above |= levels[rank]
            if above.bit_count() > 1:
                found.setdefault(above, voter)
    return found


def tree_of_axes(ranks: AnyArray) -> PQTree | None:
    """Return all axes of complete weak orders, or None if there are none.

    Notes
    -----
    O(models x upper sets) comparisons of bit sets.
    """
    return pq_tree(ranks.shape[1], upper_sets(ranks))


def clashing_sets(profile: Profile) -> ClashingSets:
    """Return a smallest selection of upper sets that no axis fits, of a profile that has no axis.

    Notes
    -----
    About as much work as trying to find an axis, as often as the selection has sets.
    """
    # Sets first, then models, then sets again: with models gone, some sets may say the same or nothing.
    sets = upper_sets(profile.ranks)
    kept = _needed_rows(len(profile.models), [*sets])
    columns = minimal_part(range(len(profile.models)), lambda some: _misfit(kept, some))
    kept = minimal_part(kept, lambda some: _misfit(some, columns))
    members = [tuple(profile.models[column] for column in columns if row >> column & 1) for row in kept]
    return ClashingSets(
        models=tuple(profile.models[column] for column in columns),
        rows=tuple((profile.voters[sets[row]], names) for row, names in zip(kept, members, strict=True)),
    )


def _needed_rows(size: int, rows: list[int]) -> list[int]:
    """Return sets that fit no axis together, though without any one of them they do.

    The first set that cannot be added to those before it is needed; the search continues with it put first.
    """
    needed: list[int] = []
    # Each round puts first one more set that is needed among those left, and drops all that came after it. It ends when
    # those put first clash by themselves.
    while (tree := pq_tree(size, needed)) is not None:
        for place, row in enumerate(rows):
            tree = tree.keeping(row)
            if tree is None:
                needed.append(row)
                rows = rows[:place]
                break
    return needed


def _misfit(rows: Sequence[int], columns: Sequence[int]) -> bool:
    """Return whether no axis of some columns keeps the sets together."""
    sets = [sum(1 << place for place, column in enumerate(columns) if row >> column & 1) for row in rows]
    return bool(columns) and pq_tree(len(columns), sets) is None


def sides_of(ranks: AnyArray) -> AnyArray | None:
    """Return for all ordered pairs of models which have to have the same direction, by number; None if that clashes.

    If a voter ranks a and c above b, both stand on the same side of b: the directions of (a, b) and (c, b) agree. They
    are joined in a graph whose nodes are the pairs in both directions; a contradiction joins a pair with its reverse.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks, ties allowed; 0 for models that a voter leaves out.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415 - takes as long to load as all of weightlab
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    size = ranks.shape[1]
    # A node is an ordered pair, ``(x, y)`` for "x is on the left of y".
    node = np.arange(size * size).reshape(size, size)
    edges: list[AnyArray] = [np.empty((0, 2), dtype=np.intp)]
    for row in ranks:
        for level in np.unique(row[row > 0])[1:]:
            above, tied = np.flatnonzero((row > 0) & (row < level)), np.flatnonzero(row == level)
            left, right = node[np.ix_(above, tied)], node.T[np.ix_(above, tied)]
            # A chain along those above is enough to join them all: its edges are linear in number, not quadratic.
            edges += [np.column_stack([one[:-1].ravel(), one[1:].ravel()]) for one in (left, right)]
    ends = np.concatenate(edges)
    joined = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size * size, size * size))
    _, part = connected_components(joined, directed=False)
    parts: AnyArray = part.reshape(size, size)
    # A pair in one group with its own reverse would have both directions.
    clash = (parts == parts.T) & ~np.eye(size, dtype=np.bool_)
    return None if clash.any() else parts
