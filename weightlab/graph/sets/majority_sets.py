"""Sets of models that the others do not get the better of: Smith, Schwartz, uncovered, Banks."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import BoolArray, bits_of, places_of
from weightlab.data.components import sources
from weightlab.data.convert import Unlisted
from weightlab.exceptions import InputError, UnprovedError
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


# The Banks set: models on top of a chain of majorities that no model can be put on top of.


def banks_set(
    source: MajorityLike, *, most_steps: int = 1_000_000, unlisted: Unlisted | None = None
) -> tuple[str, ...]:
    """Return the Banks set in board order: the tops of the chains of majorities that cannot be extended upwards.

    A chain is a set of models that the majorities order without a cycle; it cannot be extended upwards if no model
    beats all its members.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights. No duel may be tied.
    most_steps : int
        How many chains to look at before giving up.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Raises
    ------
    InputError
        If a head-to-head is tied: with ties there are several definitions, and weightlab takes no side.
    UnprovedError
        If the steps do not suffice; ``known`` has the proved ``members`` and the ``undecided`` models.

    Notes
    -----
    Whether a model is in the set is NP-complete. Part of the uncovered set, which is decided first; for each of its
    models a chain below it is searched that leaves none of those that beat it unbeaten, always branching over the
    models that can beat the one which fewest can.

    References
    ----------
    J. S. Banks, "Sophisticated voting outcomes and agenda control", Social Choice and Welfare 1 (1985). G. J.
    Woeginger, "Banks winners in tournaments are difficult to recognize", Social Choice and Welfare 20 (2003).

    Examples
    --------
    >>> import weightlab as wl
    >>> banks_set(wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"])))
    ('a', 'b', 'c')
    """
    margins = margins_of(source, unlisted)
    beaten = beats(margins)
    tied = np.argwhere(np.triu(~(beaten | beaten.T), 1))
    if len(tied):
        first, second = (margins.models[place] for place in tied[0].tolist())
        raise InputError(
            f"the Banks set is defined without tied duels; {first!r} and {second!r} tie ({len(tied)} in all)"
        )
    # Banks set, uncovered set, Smith set: each is part of the next, so only the uncovered models are searched.
    inside = np.flatnonzero(smith_members(beaten))
    inside = inside[~covering(beaten[np.ix_(inside, inside)], "gillies").any(axis=0)]
    search = _ChainSearch(beaten, most_steps)
    found = {int(model): search.is_top(int(model)) for model in inside}
    undecided = tuple(margins.models[model] for model, answer in found.items() if answer is None)
    members = tuple(margins.models[model] for model, answer in found.items() if answer)
    if undecided:
        raise UnprovedError(
            f"{most_steps} steps did not decide whether {', '.join(undecided)} belong to the Banks set; "
            f"{', '.join(members) or 'none'} do",
            known={"members": members, "undecided": undecided},
        )
    return members


class _ChainSearch:
    """Searches chains below a model; sets of models are the bits of integers."""

    def __init__(self, beaten: BoolArray, most_steps: int) -> None:
        self.beats, self.beaten_by = bits_of(beaten), bits_of(beaten.T)
        self.steps_left = most_steps

    def is_top(self, model: int) -> bool | None:
        """Return whether a model tops a chain that cannot be extended upwards; None if the steps did not suffice."""
        if self.steps_left <= 0:
            return None
        found = self._extend([], self.beats[model], self.beaten_by[model])
        return found if found or self.steps_left > 0 else None

    def _extend(self, chain: list[int], allowed: int, unbeaten: int) -> bool:
        """Return whether a chain can grow, by models allowed, until it leaves no rival of its top unbeaten."""
        if not unbeaten:
            return True
        self.steps_left -= 1
        # Out of steps is not "no": ``is_top`` tells the two apart by the steps that are left.
        if self.steps_left <= 0:
            return False
        # Some member must beat this rival. Branching on the rival that fewest can beat keeps the tree narrow; if none
        # can, ``choices`` is empty and the branch ends.
        choices = min((self.beaten_by[rival] & allowed for rival in places_of(unbeaten)), key=int.bit_count)
        for model in sorted(places_of(choices), key=lambda one: -(self.beats[one] & unbeaten).bit_count()):
            longer = self._allowed_after(chain, model, allowed)
            if self._extend([*chain, model], longer, unbeaten & ~self.beats[model]):
                return True
            # All chains with this model have been tried, so the later branches may go without it.
            allowed &= ~(1 << model)
        return False

    def _allowed_after(self, chain: list[int], model: int, allowed: int) -> int:
        """Return the models that still make no cycle of three when one joins the chain."""
        # A tournament without a cycle of three has no cycle at all: so pairs of members exclude models, one by one.
        allowed &= ~(1 << model)
        for other in chain:
            above, below = (other, model) if self.beats[other] >> model & 1 else (model, other)
            allowed &= ~(self.beats[below] & self.beaten_by[above])
        return allowed
