"""The Banks set: models on top of a chain of majorities that no model can be put on top of."""

from __future__ import annotations

import numpy as np

from weightlab._exact import BoolArray, bits_of, places_of
from weightlab.data.convert import Unlisted
from weightlab.exceptions import InputError, UnprovedError
from weightlab.graph.majority_graph import MajorityLike, beats, margins_of
from weightlab.graph.sets.smith_schwartz import covering, smith_members


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
