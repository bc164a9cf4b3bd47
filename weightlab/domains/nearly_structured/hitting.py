"""Minimum hitting sets: the fewest elements that meet every set, with a proof of optimality."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from weightlab._exact import AnyArray, IntArray, places_of
from weightlab._result import ensure
from weightlab._solver import is_past
from weightlab.exceptions import UnprovedError

WORK = 100_000_000
"""Sets examined, over all branches, before the search stops: about ten seconds."""
OF_A_BRANCH = 2_000
"""A branch without sets takes as long as one with so many."""
LOOKED_AT = 2_000
"""Number of sets that decide the branching element."""

Branch: TypeAlias = tuple[int, int, IntArray, int]
"""What is chosen, what is barred, the sets not met yet (by number), and how many sets there were."""


@dataclass
class HittingSearch:
    """A search for selections of at most ``size`` things (as bits) that meet all given sets.

    Parameters
    ----------
    sets : list of int
        What has to be met, each as bits; it may grow while the search runs.
    size : int
        How many things there may be; it may be lowered while the search runs.
    more : callable
        Adds to the sets some that a selection does not meet, and tells whether there are any.
    work : int
        How many sets may be looked at, over all branches.
    deadline : float, optional
        The ``time.monotonic()`` at which to give up.

    Attributes
    ----------
    used : set of int
        The sets on which rests that nothing else was found.

    Notes
    -----
    An element is chosen or barred, starting with the one in most of the smallest sets. A set with all elements but one
    barred chooses that one. A branch ends when the unmet sets need more elements than remain: k elements, any two of
    which are such a set, need k - 1; disjoint sets need one each. O(2 ** elements) branches at worst. No solver is
    used.
    """

    sets: list[int]
    size: int
    more: Callable[[int], bool] = lambda _: False
    work: int = WORK
    deadline: float | None = None
    used: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin with an empty table of words, 64 things each."""
        self._table: AnyArray = np.empty((0, 1), dtype=np.uint64)

    def __iter__(self) -> Iterator[int]:
        """Yield selections, each once: every one of at most ``size`` things that needs all of them is among them.

        Raises
        ------
        UnprovedError
            If the work or the time ran out.
        """
        taken = 0
        # Depth first on an explicit stack.
        stack: list[Branch] = [(0, 0, np.empty(0, dtype=np.intp), 0)]
        while stack:
            chosen, barred, open_sets, seen = stack.pop()
            self._read_sets()
            # Sets that were found meanwhile bind here, too.
            open_sets = np.concatenate([open_sets, np.arange(seen, len(self.sets))])
            taken += len(open_sets) + OF_A_BRANCH
            if taken > self.work or is_past(self.deadline):
                raise UnprovedError(f"a selection of {self.size} takes too long to search", known={"size": self.size})
            settled = self._settled(chosen, barred, open_sets)
            if settled is None:
                continue
            chosen, rest, open_sets = settled
            seen = len(self.sets)
            if len(rest):
                thing = _promising(rest)
                stack.append((chosen, barred | thing, open_sets, seen))
                stack.append((chosen | thing, barred, open_sets, seen))
            elif self.more(chosen):
                stack.append((chosen, barred, open_sets, seen))
            else:
                yield chosen

    def bound(self) -> int:
        """Return how many things the sets need at least, as far as that is seen without a search."""
        self._read_sets()
        return _needed(self._table)[0]

    def _settled(self, chosen: int, barred: int, open_sets: IntArray) -> tuple[int, AnyArray, IntArray] | None:
        """Return the chosen elements, the allowed ones of each unmet set, and these sets; None if the branch ends."""
        rest = self._table[open_sets] & ~self._words(barred)
        while True:
            unmet = ~(rest & self._words(chosen)).any(axis=1)
            rest, open_sets = rest[unmet], open_sets[unmet]
            sizes = np.bitwise_count(rest).sum(axis=1)
            single, first = np.unique(rest[sizes < 2], axis=0, return_index=True)
            if not len(single):
                break
            # Sets of one thing choose it; one of nothing ends the branch.
            self.used.update(self.sets[one] for one in open_sets[sizes < 2][first])
            if not sizes.min():
                return None
            chosen |= int.from_bytes(np.bitwise_or.reduce(single).tobytes(), "little")
        room = self.size - chosen.bit_count()
        # All elements but one always suffice.
        enough, shown = _needed(rest) if np.bitwise_count(np.bitwise_or.reduce(rest)).sum() > room + 1 else (0, [])
        if enough > room or room < 0:
            self.used.update(self.sets[open_sets[one]] for one in shown)
            return None
        return chosen, rest, open_sets

    def _read_sets(self) -> None:
        """Write sets that are new into the table."""
        old, new = len(self._table), len(self.sets)
        if old < new:
            wide = max(self._table.shape[1], 1 + max(map(int.bit_length, self.sets[old:])) // 64)
            table = np.zeros((new, wide), dtype=np.uint64)
            table[:old, : self._table.shape[1]] = self._table
            self._table = table
            table[old:] = [self._words(one) for one in self.sets[old:]]

    def _words(self, bits: int) -> AnyArray:
        return np.frombuffer(bits.to_bytes(8 * self._table.shape[1], "little"), dtype="<u8")


def _needed(rest: AnyArray) -> tuple[int, list[int]]:
    """Return how many things some sets need at least, and those of them (by number) that show it."""
    sizes = np.bitwise_count(rest).sum(axis=1)
    pairs = np.flatnonzero(sizes == 2)
    ends = np.nonzero(_unpacked(rest[pairs]))[1].reshape(-1, 2)
    number = {(one, other): pair for pair, (one, other) in zip(pairs.tolist(), ends.tolist(), strict=True)}
    near: dict[int, int] = {}
    for one, other in number:
        near[one], near[other] = near.get(one, 0) | 1 << other, near.get(other, 0) | 1 << one
    taken, enough, shown = 0, 0, []
    for thing in sorted(near, key=lambda one: -near[one].bit_count()):
        clique, left = [thing], near[thing] & ~taken
        while left and not taken >> thing & 1:
            clique.append(max(places_of(left), key=lambda one: (near[one] & left).bit_count()))
            left &= near[clique[-1]]
        if len(clique) > 1:
            shown += [number[one, other] for one in clique for other in clique if one < other]
            enough += len(clique) - 1
            taken |= sum(1 << one for one in clique)
    # Sets apart from these and from each other, small ones first.
    larger = np.argsort(sizes, kind="stable")
    words = np.frombuffer(taken.to_bytes(8 * rest.shape[1], "little"), dtype="<u8")
    while True:
        larger = larger[~(rest[larger] & words).any(axis=1)]
        if not len(larger):
            return enough, shown
        shown.append(int(larger[0]))
        enough += 1
        words = rest[larger[0]]


def _promising(rest: AnyArray) -> int:
    """Return the thing, as bits, that most of the smallest sets hold."""
    sizes = np.bitwise_count(rest).sum(axis=1)
    return 1 << int(_unpacked(rest[sizes == sizes.min()][:LOOKED_AT]).sum(axis=0).argmax())


def _unpacked(rest: AnyArray) -> AnyArray:
    return np.unpackbits(np.ascontiguousarray(rest).view(np.uint8), axis=1, bitorder="little")


def ensure_fewest(things: Sequence[str], forbidden: Iterable[Sequence[str]], size: int) -> list[int]:
    """Raise ProofError if fewer than ``size`` elements meet all forbidden sets; return these sets, as bits.

    Exhaustive and without a solver.
    """
    place = {thing: position for position, thing in enumerate(things)}
    sets = [sum(1 << place[thing] for thing in set(one)) for one in forbidden]
    # The search in which these sets were found may have done less work than this one, in another order.
    fewer = next(iter(HittingSearch(sets, size - 1, work=10 * WORK)), None) if size else None
    smaller = [things[one] for one in places_of(fewer or 0)]
    ensure(fewer is None, f"{smaller} meet all the forbidden sub-profiles, and they are fewer")
    return sets
