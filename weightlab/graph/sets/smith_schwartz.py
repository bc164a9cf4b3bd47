"""Smith and Schwartz sets: the least sets of models that the others do not get the better of."""

from __future__ import annotations

import numpy as np

from weightlab._typing import BoolArray
from weightlab.graph.majority_graph import MajorityLike, beats, margins_of, names_where
from weightlab.graph.paths import sources

__all__ = ["schwartz_set", "smith_members", "smith_set"]


def smith_set(source: MajorityLike) -> tuple[str, ...]:
    """Return the least non-empty set of models each of which beats every model outside it, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.

    Notes
    -----
    O(models^2) on the margins, without a graph. Also called top cycle or GETCHA. A tied duel keeps a model in: the
    set is the top strong component of the relation "beats or ties".

    References
    ----------
    J. H. Smith, "Aggregation of preferences with variable electorate", Econometrica 41 (1973).

    Examples
    --------
    >>> import weightlab as wl
    >>> smith_set(wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"])))
    ('a', 'b', 'c')
    """
    margins = margins_of(source)
    return names_where(margins.models, smith_members(beats(margins)))


def schwartz_set(source: MajorityLike) -> tuple[str, ...]:
    """Return the models in the least sets that no model outside beats into, in board order.

    A set is undominated if no model outside beats a member; the Schwartz set is the union of the undominated sets
    that hold no smaller one.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.

    Notes
    -----
    O(models^2) on the margins, by the strong components of the relation "beats". Also called GOCHA. Part of the
    Smith set, and equal to it where no duel is tied.

    References
    ----------
    T. Schwartz, "The Logic of Collective Choice" (1986).

    Examples
    --------
    >>> import weightlab as wl
    >>> schwartz_set(wl.Profile.from_orders(map(list, ["abc", "bac"])))
    ('a', 'b')
    """
    margins = margins_of(source)
    beaten = beats(margins)
    inside = np.flatnonzero(smith_members(beaten))
    members = np.zeros(len(margins.models), dtype=np.bool_)
    members[inside] = sources(beaten[np.ix_(inside, inside)])
    return names_where(margins.models, members)


def smith_members(beaten: BoolArray) -> BoolArray:
    """Return which models are in the Smith set, given who beats whom.

    Counting a win 2 and a tie 1, a set of k models can have at most k(k - 1) among themselves and 2k(n - k) against
    the others, and has as much exactly if all its members beat all others. Such a set holds the k models that count
    most, so only these sets need be looked at.
    """
    count = len(beaten)
    if not count:
        return np.zeros(0, dtype=np.bool_)
    points = beaten.sum(axis=1) - beaten.sum(axis=0) + count - 1
    # Wins, losses and ties of a model sum to n - 1, so twice the wins plus the ties is wins - losses + n - 1.
    order = np.argsort(-points, kind="stable")
    sizes = np.arange(1, count + 1)
    dominant = np.cumsum(points[order]) == sizes * (sizes - 1) + 2 * sizes * (count - sizes)
    members = np.zeros(count, dtype=np.bool_)
    # argmax of booleans is the first True: the smallest dominant set.
    members[order[: int(np.argmax(dominant)) + 1]] = True
    return members
