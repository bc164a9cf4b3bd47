"""Group-separable profiles: every set of models falls into two blocks, one above the other for each voter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeAlias, Union

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import Frozen, ensure
from weightlab.data.convert import ProfileLike
from weightlab.domains.forbidden import FORBIDDEN, Forbidden, least_forbidden
from weightlab.domains.result import Claim, profile_fields
from weightlab.exceptions import InputError

Tree: TypeAlias = Union[str, tuple["Tree", "Tree"]]  # noqa: UP007 (a type that contains itself)
"""A model, or two trees."""


class GroupSeparable(Claim, kind="group_separable"):
    """Whether the models can be cut in two again and again, one part above the other for each voter.

    Attributes
    ----------
    order : tuple of str or None
        The first voter's order, in which each block is an interval.
    cuts : tuple of (int, int, int) or None
        Each block of two models or more (start, where it is cut, stop), before its parts.
    witness : Forbidden or None
        When it does not hold: three models and three voters who each put a different one between the others, or four
        models that two voters rank crosswise.
    """

    takes_ties: ClassVar[bool] = False

    order: tuple[str, ...] | None
    cuts: tuple[Cut, ...] | None
    witness: Forbidden | None

    theorem: ClassVar[str] = "Inada 1964; Theorem 5.4 of Beyond Arrow"

    @property
    def tree(self) -> Tree | None:
        """The blocks as nested pairs of model names, the first voter's better half first; None if there are none."""
        if self.order is None or self.cuts is None:
            return None
        part: dict[tuple[int, int], Tree] = {(i, i + 1): model for i, model in enumerate(self.order)}
        for start, cut, stop in reversed(self.cuts):
            part[start, stop] = (part[start, cut], part[cut, stop])
        return part[0, len(self.order)]

    def splits(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yield the two blocks of each cut, larger blocks before the blocks inside them."""
        order = self.order or ()
        for start, cut, stop in self.cuts or ():
            yield order[start:cut], order[cut:stop]

    def __str__(self) -> str:
        """Say how the models are cut first, or why they cannot be."""
        if self.order is None:
            return f"Not group-separable: {self.witness}."
        if not self.cuts:
            return "The rankings are group-separable: there is one model."
        upper, lower = next(self.splits())
        return f"The rankings are group-separable: first into {_listed(upper)} and {_listed(lower)}."

    def check(self) -> None:
        """Raise ProofError unless each cut separates for each voter, or the witness is forbidden and occurs."""
        ensure((self.order is None) != self.holds, "an order with cuts is what the answer yes consists of")
        ensure((self.cuts is None) == (self.order is None), "order and cuts belong together")
        ensure((self.witness is None) == self.holds, "a witness is what the answer no rests on")
        if self.order is not None and self.cuts is not None:
            self._check_cuts(self.order, self.cuts)
        elif self.witness is not None:
            self.witness.check(self.profile, allowed=FORBIDDEN[self.kind])

    def _check_cuts(self, order: tuple[str, ...], cuts: tuple[Cut, ...]) -> None:
        ensure(sorted(order) == sorted(self.profile.models), "the order is not one of the models")
        place = {model: position for position, model in enumerate(self.profile.models)}
        along = self.profile.ranks[:, [place[model] for model in order]]
        # A stack of blocks in the order in which cuts are listed: depth first, the upper part before the lower one.
        expected = [(0, len(order))]
        for start, cut, stop in cuts:
            while expected and expected[-1][1] - expected[-1][0] < 2:
                expected.pop()
            ensure(expected and expected.pop() == (start, stop), f"the block from {start} to {stop} is not next")
            ensure(start < cut < stop, f"the block from {start} to {stop} is not cut in two")
            upper, lower = along[:, start:cut], along[:, cut:stop]
            above = upper.max(axis=1) < lower.min(axis=1)
            below = upper.min(axis=1) > lower.max(axis=1)
            apart = above | below
            voter = self.profile.voters[int(np.argmin(apart))]
            ensure(apart.all(), f"voter {voter!r} mixes the blocks {order[start:cut]} and {order[cut:stop]}")
            expected += [(cut, stop), (start, cut)]
        ensure(all(stop - start < 2 for start, stop in expected), "a block is left uncut")


def group_separable(source: ProfileLike) -> GroupSeparable:
    """Test whether the rankings are group-separable.

    *Group-separable*: every set of two models or more falls into two blocks such that each voter ranks all of one
    block above all of the other. Which block is on top may differ from voter to voter.

    Parameters
    ----------
    source : Profile or Leaderboard
        Strict rankings of all models by every voter. Voters of weight 0 are left out and named.

    Returns
    -------
    GroupSeparable
        True when it holds, with the binary tree of blocks; else with the forbidden sub-profile.

    Raises
    ------
    InputError
        If there are ties, or a voter leaves models out.

    Notes
    -----
    O(models^2 x voters) at worst. One tree is enough: in any smaller set of models, the deepest block that holds all
    of it is cut between some of them.

    References
    ----------
    Gordienko et al., Beyond Arrow, definition 5.3 and theorem 5.4.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["c", "a", "b"], ["b", "a", "c"]])
    >>> wl.domains.group_separable(profile).tree
    (('a', 'b'), 'c')
    >>> print(wl.domains.group_separable(profile))
    The rankings are group-separable: first into {a, b} and {c}.
    """
    profile, given = profile_fields(source, "group separability")
    if not profile.models:
        raise InputError("a profile without models has no blocks")
    found = cuts_of(profile.ranks)
    if found.inseparable is None:
        order = tuple(profile.models[int(model)] for model in found.order)
        return GroupSeparable(**given, holds=True, order=order, cuts=tuple(found.cuts), witness=None).checked()
    # In the order in which voter 1 ranks them: then a crossing is near.
    # Without gaps, too, as the cuts read places and models have been left out.
    block = profile.ranks[:, found.inseparable].argsort(axis=1).argsort(axis=1)
    witness = least_forbidden(profile, "group_separable", lambda some: cuts_of(block[some]).inseparable is not None)
    return GroupSeparable(**given, holds=False, order=None, cuts=None, witness=witness).checked()


def _listed(block: tuple[str, ...]) -> str:
    shown = ", ".join(block[:6])
    return "{" + shown + (f", ... ({len(block)} models)" if len(block) > 6 else "") + "}"


# Separations of strict orders: cutting the models in two again and again, one part above the other for each voter.
#
# In any block that comes from such cuts every voter ranks the block's models next to each other, and a part that can be
# cut off is a beginning or an end of each voter's order of the block. So it, or what remains, is a beginning of the
# first voter's order, and only as many cuts as the block has models need a look.

Cut = tuple[int, int, int]
"""A block of the first voter's order, from the first number to before the third, is cut before the second."""


class Cuts(Frozen):
    """Cuts from the whole down to single models, or down to a block that has no separation.

    Attributes
    ----------
    order : ndarray of int
        The models in the first voter's order.
    cuts : list of Cut
        Each block before its parts, the upper part before the lower one.
    inseparable : list of int or None
        Models of a block that no cut separates for all voters.
    """

    order: AnyArray
    cuts: list[Cut]
    inseparable: list[int] | None


def cuts_of(ranks: AnyArray) -> Cuts:
    """Return how strict orders can be cut, down to single models where they are group-separable.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Strict ranks of all models, dense.

    Notes
    -----
    O(models^2 x voters) at worst, O(models log(models) x voters) when blocks can be halved.
    """
    order = np.argsort(ranks[0])
    along = ranks[:, order]
    cuts: list[Cut] = []
    blocks = [(0, len(order))]
    while blocks:
        start, stop = blocks.pop()
        if stop - start < 2:
            continue
        places = _separating_places(along[:, start:stop])
        if len(places) == 0:
            return Cuts(order=order, cuts=cuts, inseparable=order[start:stop].tolist())
        # The cut nearest to the middle keeps the tree shallow and the blocks small.
        cut = start + int(places[np.abs(2 * places - (stop - start)).argmin()])
        cuts.append((start, cut, stop))
        blocks += [(cut, stop), (start, cut)]
    return Cuts(order=order, cuts=cuts, inseparable=None)


def _separating_places(block: AnyArray) -> AnyArray:
    """Return where a block can be cut: what comes before is on top or at the bottom for every voter.

    Each voter ranks the block's models next to each other, and the first voter as the columns are.
    """
    size = block.shape[1]
    place = np.arange(1, size)
    # The first k models are on top exactly if the lowest of them has rank k within the block.
    least = block.min(axis=1, keepdims=True)
    on_top = np.maximum.accumulate(block, axis=1)[:, :-1] == least + place - 1
    at_bottom = np.minimum.accumulate(block, axis=1)[:, :-1] == least + size - place
    return np.flatnonzero((on_top | at_bottom).all(axis=0)) + 1
