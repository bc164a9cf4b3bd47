"""Union-free generic sets of partial orders, of which union-free generic depth counts the products of shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weightlab._typing import AnyArray, BoolArray

__all__ = ["apart", "between", "closed", "is_union_free_generic"]


def between(orders: BoolArray, some: Sequence[int]) -> BoolArray:
    """Return which of the orders lie between the intersection and the union of some of them."""
    chosen = orders[list(some)]
    common, any_of = chosen.all(axis=0), chosen.any(axis=0)
    return np.asarray((orders | ~common).all(axis=(1, 2)) & (~orders | any_of).all(axis=(1, 2)))


def apart(orders: BoolArray, some: Sequence[int]) -> bool:
    """Tell whether each of some orders alone holds some pair, or alone lacks one.

    Any union-free generic set is so, and so is every part of it.
    """
    counts = orders[list(some)].sum(axis=0)
    alone, lacking = counts == 1, counts == len(some) - 1
    return all(bool((alone & orders[one]).any() or (lacking & ~orders[one]).any()) for one in some)


def is_union_free_generic(orders: BoolArray, some: Sequence[int]) -> bool:
    """Tell whether some partial order lies between these orders and between no smaller selection of them.

    Such an order either has, for each of these, a pair that only this one holds, or lacks a pair that all but this
    one hold. The least order with the pairs that were chosen decides: it lacks what any other lacks.

    Parameters
    ----------
    orders : ndarray of bool, orders x items x items
        Partial orders with True diagonals.
    some : sequence of int
        At least two different ones.
    """
    chosen = orders[list(some)]
    counts = chosen.sum(axis=0)
    # Each member must be needed: it brings a pair that no other has, or it lacks one that all others have.
    own = [np.argwhere((counts == 1) & one) for one in chosen]
    missing = [(counts == len(chosen) - 1) & ~one for one in chosen]
    stack: list[tuple[int, BoolArray, tuple[int, ...]]] = [(0, np.asarray(chosen.all(axis=0)), ())]
    union = chosen.any(axis=0)
    while stack:
        place, order, by_lack = stack.pop()
        # A pair that a member was to lack has come in through transitivity.
        if any(not (missing[member] & ~order).any() for member in by_lack):
            continue
        if place == len(chosen):
            return True
        for x, y in own[place]:
            larger = _with_pair(order, int(x), int(y))
            # Beyond the union, or no order any more: choosing more pairs cannot mend either.
            if (~larger | union).all() and not (larger & larger.T & ~np.eye(len(larger), dtype=np.bool_)).any():
                stack.append((place + 1, larger, by_lack))
        stack.append((place + 1, order, (*by_lack, place)))
    return False


def closed(relation: AnyArray) -> bool:
    """Tell whether a relation with a True diagonal is a partial order."""
    square = relation.astype(np.float32)
    transitive = not bool(((square @ square > 0) & ~relation).any())
    return transitive and not bool((relation & relation.T & ~np.eye(len(relation), dtype=np.bool_)).any())


def _with_pair(order: BoolArray, x: int, y: int) -> BoolArray:
    """Return the least transitive relation that holds an order and one more pair."""
    # Whatever is at or above x is now above whatever is at or below y: the transitive closure in one step.
    return np.asarray(order | np.outer(order[:, x], order[y]))
