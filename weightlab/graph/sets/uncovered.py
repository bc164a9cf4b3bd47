"""Uncovered sets: models that no other model outdoes duel by duel."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from weightlab._typing import BoolArray
from weightlab.exceptions import InputError
from weightlab.graph.majority_graph import MajorityLike, beats, margins_of, names_where
from weightlab.graph.paths import BLOCK_CELLS
from weightlab.graph.sets.smith_schwartz import smith_members

__all__ = ["Covering", "covering", "uncovered_set"]

Covering: TypeAlias = Literal["gillies", "fishburn", "bordes", "mckelvey"]
"""When one model covers another; see ``uncovered_set``."""


def uncovered_set(source: MajorityLike, *, kind: Covering = "gillies") -> tuple[str, ...]:
    """Return the models that no other model covers, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.
    kind : {"gillies", "fishburn", "bordes", "mckelvey"}
        When x covers y:

        - ``"gillies"``: x beats y, and all that beat x beat y;
        - ``"fishburn"``: all that beat x beat y, and some that beat y do not beat x (x need not beat y);
        - ``"bordes"``: x beats y, and x beats all that y beats;
        - ``"mckelvey"``: x covers y by Gillies and by Bordes.

        Without tied duels the four are the same.

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
    margins = margins_of(source)
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
    # ``contained(beaten.T)[i, j]``: whoever beats i beats j. ``contained(beaten).T[i, j]``: i beats whomever j beats.
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
    count = len(sets)
    # Counts of at most n < 2^24 members are exact in float32, the fastest product there is.
    numbers = sets.astype(np.float32)
    sizes = numbers.sum(axis=1)
    result = np.empty((count, count), dtype=np.bool_)
    step = max(1, BLOCK_CELLS // max(1, count))
    for start in range(0, count, step):
        rows = slice(start, start + step)
        # A set is contained in another exactly if they share as many members as it has.
        result[rows] = numbers[rows] @ numbers.T == sizes[rows, None]
    return result
