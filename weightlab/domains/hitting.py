"""Hitting sets: the fewest things that meet each of some sets, and proofs that fewer do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightlab.exceptions import UnprovedError

__all__ = ["disjoint_sets", "hitting_sets"]

STEPS = 200_000
"""So many branches are searched before the search is given up."""


def disjoint_sets(sets: Sequence[frozenset[str]]) -> list[int]:
    """Return positions of sets no two of which meet, small ones first: each needs a thing of its own."""
    taken: set[str] = set()
    chosen = []
    for place in sorted(range(len(sets)), key=lambda one: (len(sets[one]), one)):
        if not sets[place] & taken:
            taken |= sets[place]
            chosen.append(place)
    return sorted(chosen)


def hitting_sets(sets: Sequence[frozenset[str]], size: int, *, steps: int = STEPS) -> Iterator[frozenset[str]]:
    """Yield the sets of at most ``size`` things that meet all the given sets and lose none of that by adding things.

    Each is found at least once; with room to spare a smaller one stands for those that contain it.

    Raises
    ------
    UnprovedError
        If the search takes more than ``steps`` branches.

    Notes
    -----
    A set that is not met has to be met by one of its things: O(largest set ** size) branches, each cut short when
    disjoint sets show that too few things are left to choose. No solver takes part, so this proves what one claims.
    """
    stack: list[tuple[frozenset[str], frozenset[str]]] = [(frozenset(), frozenset())]
    taken = 0
    while stack:
        chosen, barred = stack.pop()
        taken += 1
        if taken > steps:
            raise UnprovedError(f"more than {steps} branches", known={"size": size})
        left = [one - barred for one in sets if not one & chosen]
        if not left:
            yield chosen
            continue
        if len(chosen) + len(disjoint_sets(left)) > size or not all(left):
            continue
        tried = barred
        for thing in sorted(min(left, key=len)):
            stack.append((chosen | {thing}, tried))
            # Choices already looked at are barred later on, so that no set is found twice.
            tried = tried | {thing}
