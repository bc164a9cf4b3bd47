"""The order in which the paper's sort leaves ties: an artefact that some of its figures consist of.

The models are sorted by descending score with the quicksort of NumPy 1 (insertion sort below 17 items, the median of
three as pivot), which does not keep the order of equal scores. A pandas Series sorted downwards is reversed, sorted
upwards, and reversed again; models without a score go last.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

__all__ = ["best_first", "least_first", "quicksorted"]

SMALL = 15
"""Parts whose ends are at most this many places apart (16 items) are sorted by insertion."""


def best_first(scores: pd.Series) -> list[str]:
    """Return the models in the order of ``scores.sort_values(ascending=False)`` of the time."""
    there = scores.dropna().iloc[::-1]
    order = [str(there.index[place]) for place in quicksorted(there.tolist())][::-1]
    return order + [str(model) for model in scores.index[scores.isna()]]


def least_first(scores: pd.Series) -> list[str]:
    """Return the models in the order of ``scores.sort_values()`` of the time."""
    return [str(scores.index[place]) for place in quicksorted(scores.tolist())]


def quicksorted(values: Sequence[float]) -> list[int]:
    """Return the positions of the values in ascending order, equal ones where the quicksort leaves them."""
    order = list(range(len(values)))
    todo = [(0, len(values) - 1)]
    while todo:
        low, high = todo.pop()
        while high - low > SMALL:
            pivot = _partition(order, values, low, high)
            # The larger part waits.
            if pivot - low < high - pivot:
                todo.append((pivot + 1, high))
                high = pivot - 1
            else:
                todo.append((low, pivot - 1))
                low = pivot + 1
        _insert(order, values, low, high)
    return order


def _partition(order: list[int], values: Sequence[float], low: int, high: int) -> int:
    """Put what is less than the median of three before it and the rest after it; return where it came to stand."""
    middle = low + (high - low) // 2
    for left, right in ((low, middle), (middle, high), (low, middle)):
        if values[order[right]] < values[order[left]]:
            order[left], order[right] = order[right], order[left]
    pivot = values[order[middle]]
    order[middle], order[high - 1] = order[high - 1], order[middle]
    left, right = low, high - 1
    while True:
        left += 1
        while values[order[left]] < pivot:
            left += 1
        right -= 1
        while pivot < values[order[right]]:
            right -= 1
        if left >= right:
            break
        order[left], order[right] = order[right], order[left]
    order[left], order[high - 1] = order[high - 1], order[left]
    return left


def _insert(order: list[int], values: Sequence[float], low: int, high: int) -> None:
    for place in range(low + 1, high + 1):
        moved, hole = order[place], place
        while hole > low and values[moved] < values[order[hole - 1]]:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = moved
