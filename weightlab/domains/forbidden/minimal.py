"""The least that still breaks a property: a smallest piece from which nothing can be left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["minimal_part"]

T = TypeVar("T")


def minimal_part(items: Sequence[T], fails: Callable[[list[T]], bool]) -> list[T]:
    """Return a part for which ``fails`` holds and does not without any one of its items.

    Parameters
    ----------
    items : sequence
        All of them together must fail.
    fails : callable
        Whether some of the items fail; with more items a failure must remain one.

    Notes
    -----
    The shortest prefix that fails is found by bisection; its last item is needed, and the search goes on among those
    before it. That takes about ``k log2(n)`` calls for a part of k out of n items.
    """
    needed: list[T] = []
    rest = list(items)
    while not fails(needed):
        low, high = 0, len(rest)
        # Invariant: ``needed + rest[:high]`` fails and ``needed + rest[:low]`` does not.
        while high - low > 1:
            middle = (low + high) // 2
            if fails(needed + rest[:middle]):
                high = middle
            else:
                low = middle
        needed.append(rest[high - 1])
        rest = rest[: high - 1]
    return needed
