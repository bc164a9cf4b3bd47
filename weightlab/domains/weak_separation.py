"""Separations of weak orders: two parts of the models one of which each voter can put on top by breaking ties.

A part B of a block can be put above the rest by a voter if no model outside B is strictly above one inside, and below
it if the reverse holds. Fix one model a inside B and one model b outside. A voter who prefers a to b then has B on
top, and one who prefers b has it at the bottom: whether a model is inside decides others. A voter who ties a and b
has it either way, but only at that tie: all that is above goes inside and all that is below outside, or the reverse.
So each statement links two decisions (2-satisfiability): trying one way and following what it forces, and the other
way if that contradicts itself, never has to be undone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weightlab._typing import AnyArray, BoolArray

__all__ = ["WeakCuts", "weak_cuts", "weak_separation"]


@dataclass(frozen=True, kw_only=True, eq=False)
class WeakCuts:
    """Blocks cut in two from the whole down to single models, or down to one that cannot be cut.

    Attributes
    ----------
    cuts : list of (list of int, list of int)
        The two parts of each block, each block before its parts.
    inseparable : list of int or None
        A block that has no separation.
    """

    cuts: list[tuple[list[int], list[int]]]
    inseparable: list[int] | None


def weak_cuts(ranks: AnyArray) -> WeakCuts:
    """Return how weak orders can be cut, down to single models if some breaking of their ties is group-separable.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed.

    Notes
    -----
    Any separation will do: breakings of the two parts that are separable give one of the whole, which puts, for each
    voter, all of one part before all of the other among models that the voter ties. O(models) blocks, models a block
    and voters a model are tried, each in O(models x voters).
    """
    cuts: list[tuple[list[int], list[int]]] = []
    blocks = [list(range(ranks.shape[1]))]
    while blocks:
        block = blocks.pop()
        if len(block) < 2:
            continue
        inside = weak_separation(ranks[:, block])
        if inside is None:
            return WeakCuts(cuts=cuts, inseparable=block)
        parts = [[model for model, one in zip(block, inside, strict=True) if one == side] for side in (True, False)]
        cuts.append((parts[0], parts[1]))
        blocks += [parts[1], parts[0]]
    return WeakCuts(cuts=cuts, inseparable=None)


def weak_separation(ranks: AnyArray) -> list[bool] | None:
    """Return which models of a block to put on one side, or None when it has no separation."""
    # The two sides are alike until something is decided, so model 0 may be said to be inside. Some model is outside.
    for outside in range(1, ranks.shape[1]):
        found = _Sides(ranks, outside).decided()
        if found is not None:
            return [bool(one) for one in found]
    return None


class _Sides:
    """Which models are known to be inside and outside, with model 0 inside and another one outside."""

    def __init__(self, ranks: AnyArray, outside: int) -> None:
        self.ranks = ranks
        count = ranks.shape[1]
        self.inside = np.zeros(count, dtype=np.bool_)
        self.outside = np.zeros(count, dtype=np.bool_)
        self.inside[0] = self.outside[outside] = True
        # Voters who prefer model 0 to the one outside have the inside on top, those who prefer the other have it below.
        self.up = ranks[ranks[:, 0] < ranks[:, outside]]
        self.down = ranks[ranks[:, 0] > ranks[:, outside]]
        tied = ranks[:, 0] == ranks[:, outside]
        self.above = ranks[tied] < ranks[tied, :1]
        self.below = ranks[tied] > ranks[tied, :1]

    def decided(self) -> BoolArray | None:
        """Return which models are inside, or None when that contradicts itself."""
        if not self._follow():
            return None
        for above, below in zip(self.above, self.below, strict=True):
            if ((above | below) & (self.inside | self.outside)).any() or not (above | below).any():
                continue
            # If following a choice meets no contradiction, the choice can stay: what is left open does not depend on it
            # (limited backtracking for 2-satisfiability, as in Even, Itai and Shamir 1976).
            before = self.inside.copy(), self.outside.copy()
            self.inside |= above
            self.outside |= below
            if not self._follow():
                self.inside, self.outside = before
                self.inside |= below
                self.outside |= above
                if not self._follow():
                    return None
        # What is left open is linked to nothing that is decided, and may all be inside.
        return ~self.outside

    def _follow(self) -> bool:
        """Decide what follows from what is decided; tell whether that goes without contradiction."""
        while True:
            known = self.inside.sum() + self.outside.sum()
            self._follow_untied(self.up)
            # Negated ranks turn "below" into "on top".
            self._follow_untied(-self.down)
            self._follow_tied()
            if (self.inside & self.outside).any():
                return False
            if self.inside.sum() + self.outside.sum() == known:
                return True

    def _follow_untied(self, ranks: AnyArray) -> None:
        """With the inside on top, whatever is above a model inside is inside, and below one outside is outside."""
        if len(ranks):
            lowest = ranks[:, self.inside].max(axis=1, keepdims=True)
            highest = ranks[:, self.outside].min(axis=1, keepdims=True)
            self.inside |= (ranks < lowest).any(axis=0)
            self.outside |= (ranks > highest).any(axis=0)

    def _follow_tied(self) -> None:
        if len(self.above):
            on_top = (self.above & self.inside).any(axis=1) | (self.below & self.outside).any(axis=1)
            at_bottom = (self.above & self.outside).any(axis=1) | (self.below & self.inside).any(axis=1)
            self.inside |= self.above[on_top].any(axis=0) | self.below[at_bottom].any(axis=0)
            self.outside |= self.below[on_top].any(axis=0) | self.above[at_bottom].any(axis=0)
