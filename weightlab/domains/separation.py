"""Separations of strict orders: cutting the models in two again and again, one part above the other for each voter.

In any block that comes from such cuts every voter ranks the block's models next to each other, and a part that can be
cut off is a beginning or an end of each voter's order of the block. So it, or what remains, is a beginning of the
first voter's order, and only as many cuts as the block has models need a look.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weightlab._typing import AnyArray
from weightlab.domains.forbidden import Pattern
from weightlab.domains.minimal import minimal_part
from weightlab.domains.opposed import Found

__all__ = ["Cut", "Cuts", "crossing_in", "cuts_of"]

Cut = tuple[int, int, int]
"""A block of the first voter's order, from the first number to before the third, is cut before the second."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Cuts:
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


def crossing_in(ranks: AnyArray, inseparable: list[int]) -> Found:
    """Return the forbidden sub-profile among the models of a block that has no separation.

    References
    ----------
    Ballester and Haeringer, "A characterization of the single-peaked domain", Social Choice and Welfare 36 (2011):
    orders are group-separable if and only if no three voters put each of three models between the others, and no two
    voters rank four models crosswise.
    """
    block = ranks[:, inseparable]
    # Dropping voters first, then models, until each is needed: by the theorem three voters and three models or two and
    # four are left.
    voters = minimal_part(range(len(block)), lambda some: bool(some) and not _separable(block[some]))
    models = minimal_part(range(len(inseparable)), lambda some: bool(some) and not _separable(block[voters][:, some]))
    least = block[np.ix_(voters, models)]
    roles = [inseparable[model] for model in models]
    if len(voters) == 3:
        middle = least.argsort(axis=1)[:, 1]
        return Pattern.THREE_MIDDLE, voters, [roles[place] for place in middle]
    first, second = (least[voter].argsort().tolist() for voter in range(2))
    if second != [first[1], first[3], first[0], first[2]]:
        voters, first = voters[::-1], second
    return Pattern.CROSSED, voters, [roles[place] for place in first]


def _separating_places(block: AnyArray) -> AnyArray:
    """Return where a block can be cut: what comes before is on top or at the bottom for every voter.

    Each voter ranks the block's models next to each other, and the first voter as the columns are.
    """
    size = block.shape[1]
    place = np.arange(1, size)
    # A beginning of so many models is on top exactly if its lowest model stands at that place of the block.
    least = block.min(axis=1, keepdims=True)
    on_top = np.maximum.accumulate(block, axis=1)[:, :-1] == least + place - 1
    at_bottom = np.minimum.accumulate(block, axis=1)[:, :-1] == least + size - place
    return np.flatnonzero((on_top | at_bottom).all(axis=0)) + 1


def _separable(ranks: AnyArray) -> bool:
    # Ranks without gaps: the test reads places, and models have been left out.
    dense = ranks.argsort(axis=1).argsort(axis=1)
    return cuts_of(dense).inseparable is None
