"""Smith and Schwartz sets: the least sets of models that the others do not get the better of."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import BoolArray
from weightlab.data.components import sources
from weightlab.data.convert import Unlisted
from weightlab.exceptions import InputError
from weightlab.graph.majority_graph import MajorityLike, beats, margins_of, names_where
from weightlab.graph.paths import products


def smith_set(source: MajorityLike, *, unlisted: Unlisted | None = None) -> tuple[str, ...]:
    """Return the least non-empty set of models each of which beats every model outside it, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

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
    margins = margins_of(source, unlisted)
    return names_where(margins.models, smith_members(beats(margins)))


def schwartz_set(source: MajorityLike, *, unlisted: Unlisted | None = None) -> tuple[str, ...]:
    """Return the models in the least sets that no model outside beats into, in board order.

    A set is undominated if no model outside beats a member; the Schwartz set is the union of the undominated sets
    that hold no smaller one.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    O(models^2) on the margins, by the strong components of the relation "beats". Also called GOCHA. Part of the
    Smith set, and equal to it where no head-to-head is tied.

    References
    ----------
    T. Schwartz, "The Logic of Collective Choice" (1986).

    Examples
    --------
    >>> import weightlab as wl
    >>> schwartz_set(wl.Profile.from_orders(map(list, ["abc", "bac"])))
    ('a', 'b')
    """
    margins = margins_of(source, unlisted)
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


# Uncovered sets: models that no other model outdoes duel by duel.


Covering: TypeAlias = Literal["gillies", "fishburn", "bordes", "mckelvey"]
"""When one model covers another; see ``uncovered_set``."""


def uncovered_set(
    source: MajorityLike, *, kind: Covering = "gillies", unlisted: Unlisted | None = None
) -> tuple[str, ...]:
    """Return the models that no other model covers, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    kind : {"gillies", "fishburn", "bordes", "mckelvey"}
        When x covers y:

        - ``"gillies"``: x beats y, and all that beat x beat y;
        - ``"fishburn"``: all that beat x beat y, and some that beat y do not beat x (x need not beat y);
        - ``"bordes"``: x beats y, and x beats all that y beats;
        - ``"mckelvey"``: x covers y by Gillies and by Bordes.

        Without tied duels the four are the same.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    tuple of str
        Never empty; part of the Smith set.

    Notes
    -----
    One product of boolean matrices over the Smith set, O(n^3) in fast arithmetic; who is covered within that set does
    not depend on the models outside, which all are covered.

    References
    ----------
    J. Duggan, "Uncovered sets", Social Choice and Welfare 41 (2013), compares the definitions. D. B. Gillies (1959);
    P. C. Fishburn (1977); G. Bordes (1983); R. D. McKelvey (1986).

    Examples
    --------
    >>> import weightlab as wl
    >>> uncovered_set(wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"])))
    ('a', 'b', 'c')
    """
    margins = margins_of(source, unlisted)
    beaten = beats(margins)
    inside = np.flatnonzero(smith_members(beaten))
    members = np.zeros(len(margins.models), dtype=np.bool_)
    members[inside] = ~covering(beaten[np.ix_(inside, inside)], kind).any(axis=0)
    return names_where(margins.models, members)


def covering(beaten: BoolArray, kind: Covering) -> BoolArray:
    """Return who covers whom (models x models), given who beats whom.

    Raises
    ------
    InputError
        If the kind is not known.
    """
    # ``contained(beaten.T)[i, j]``: all that beat i beat j. ``contained(beaten).T[i, j]``: i beats all that j beats.
    # The definitions differ only where duels are tied.
    if kind == "gillies":
        return np.asarray(beaten & contained(beaten.T))
    if kind == "fishburn":
        harder = contained(beaten.T)
        return np.asarray(harder & ~harder.T)
    if kind == "bordes":
        return np.asarray(beaten & contained(beaten).T)
    if kind == "mckelvey":
        return np.asarray(beaten & contained(beaten.T) & contained(beaten).T)
    raise InputError(f"kind must be 'gillies', 'fishburn', 'bordes' or 'mckelvey'; got {kind!r}")


def contained(sets: BoolArray) -> BoolArray:
    """Return whether each set, given as a row, is contained in each other one."""
    sizes = sets.sum(axis=1)
    # A set is contained in another exactly if they share as many members as it has.
    blocks = [shared == sizes[rows, None] for rows, shared in products(sets, sets.T)]
    return np.concatenate(blocks) if blocks else np.zeros(sets.shape, dtype=np.bool_)
