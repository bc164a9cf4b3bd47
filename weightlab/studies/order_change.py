"""What happens to the order of the models that stay when others come or go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weightlab._typing import AnyArray, IntArray

__all__ = ["REVERSED", "SPLIT", "TIED", "PairChanges", "pair_changes"]

REVERSED, TIED, SPLIT = "reversed", "tied", "split"
"""One was ahead and the other is; one was ahead and they tie; they tied and one is ahead."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PairChanges:
    """The pairs of models whose order is not what it was.

    Attributes
    ----------
    first, second : ndarray of int
        Positions: the one ahead before, or where they tied the one ahead after; and the other.
    before, after : ndarray of int
        1 where the first is ahead, 0 where they tie, -1 where the second is.
    leader : bool
        Whether other models are best than were.
    """

    first: IntArray
    second: IntArray
    before: IntArray
    after: IntArray
    leader: bool

    def __len__(self) -> int:
        """Return how many pairs changed."""
        return len(self.first)

    def count(self, kind: str) -> int:
        """Return how many pairs were reversed, tied or split."""
        return sum(one == kind for one in self.kinds)

    @property
    def kinds(self) -> list[str]:
        """What happened to each pair."""
        return [
            SPLIT if not before else TIED if not after else REVERSED
            for before, after in zip(self.before.tolist(), self.after.tolist(), strict=True)
        ]


def pair_changes(before: AnyArray, after: AnyArray) -> PairChanges:
    """Return the pairs whose order differs between two rankings of the same models, each given as levels from the best.

    Notes
    -----
    O(models^2).
    """
    signs, others = (np.sign(levels[None, :] - levels[:, None]).astype(np.int8) for levels in (before, after))
    changed = (signs != others) & ((signs > 0) | ((signs == 0) & (others > 0)))
    first, second = np.nonzero(changed)
    best, now = (set(np.flatnonzero(levels == levels.min()).tolist()) for levels in (before, after))
    return PairChanges(first=first, second=second, before=signs[changed], after=others[changed], leader=best != now)
