"""Hitting sets: the fewest things that meet each of some sets, with a proof that fewer do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from weightlab._exact import places_of
from weightlab.exceptions import UnprovedError

__all__ = ["HittingSearch", "packing"]

WORK = 10_000_000
"""So many sets are looked at, over all branches, before the search is given up: a few seconds."""


@dataclass
class HittingSearch:
    """A search for sets of at most ``size`` things (as bits) that meet all given sets.

    Parameters
    ----------
    sets : sequence of int
        What has to be met, each as bits.
    size : int
        How many things there may be.
    work : int
        How many sets may be looked at, over all branches.

    Attributes
    ----------
    used : set of int
        The given sets on which a search that found nothing rests.

    Notes
    -----
    A set that is not met has to be met by one of its things, so the search branches over a smallest one; things
    tried before are barred, so that no selection is found twice. A branch ends when sets of which no two meet ask
    for more things than are left. O(largest set ** size) branches at worst. No solver takes part.
    """

    sets: Sequence[int]
    size: int
    work: int = WORK
    used: set[int] = field(default_factory=set)

    def first(self) -> int | None:
        """Return a selection, or None: then fewer than ``size + 1`` things do not do.

        Raises
        ------
        UnprovedError
            If the work ran out.
        """
        return next(iter(self), None)

    def __iter__(self) -> Iterator[int]:
        """Yield selections: every smallest one of at most ``size`` things is among them."""
        taken = 0
        # Depth first on a stack of one's own. Each entry: what is chosen, how many more may be, what is not met yet.
        stack = [(0, self.size, [(one, one) for one in self.sets])]
        while stack:
            chosen, room, left = stack.pop()
            taken += len(left)
            if taken > self.work:
                raise UnprovedError(f"a selection of {self.size} takes too long to search", known={"size": self.size})
            if not left:
                yield chosen
                continue
            left.sort(key=_size_of_rest)
            apart = _apart(left)
            # Sets without a common open thing need one each. More of them than there is room for end the branch, and
            # show why.
            if len(apart) > room or not left[0][0]:
                self.used.update(whole for _, whole in apart[: room + 1])
                continue
            self.used.add(left[0][1])
            stack.extend(_branches(chosen, room, left))


def packing(sets: Sequence[int]) -> list[int]:
    """Return sets no two of which meet, small ones first: each needs a thing of its own."""
    return [whole for _, whole in _apart(sorted(((one, one) for one in sets), key=_size_of_rest))]


_Left = list[tuple[int, int]]
"""What is not barred of each set that is not met yet, and the set."""


def _branches(chosen: int, room: int, left: _Left) -> list[tuple[int, int, _Left]]:
    """Return the branches over the first set, the most promising thing last, where the search goes on."""
    things = [1 << place for place in places_of(left[0][0])]
    things.sort(key=lambda thing: -sum(1 for rest, _ in left if rest & thing))
    branches = []
    barred = 0
    # Things tried before are barred from later branches: selections with them have been met there.
    for thing in things:
        unmet = [(rest & ~barred, whole) for rest, whole in left if not rest & thing]
        branches.append((chosen | thing, room - 1, unmet))
        barred |= thing
    return branches[::-1]


def _apart(left: _Left) -> _Left:
    taken = 0
    apart = []
    for rest, whole in left:
        if not rest & taken:
            taken |= rest
            apart.append((rest, whole))
    return apart


def _size_of_rest(one: tuple[int, int]) -> int:
    return one[0].bit_count()
