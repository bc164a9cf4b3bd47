"""Columns that say nothing new: complements, copies, and multiples of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weightlab._exact import BoolArray, FloatArray
from weightlab.io.reading.drafts import Draft
from weightlab.io.reading.words import hit

MOST_PAIRED = 200
"""Number of columns above which pairs are not compared."""
FEWEST_ROWS = 8
FEWEST_VALUES = 6
SCREENED = 16
"""Rows on which pairs are compared before all of them."""


def find_complements(drafts: Sequence[Draft]) -> None:
    """Decide that of two columns that add up to 1 or 100 in every row one says nothing new: that of less."""
    open_ = _comparable([one for one in drafts if one.role == ""])
    sums = [_some(open_)[:, :, None] + _some(open_)[:, None, :]] if open_ else []
    own = np.array([0.0 if one.whole else one.half_unit for one in open_])  # what is whole was not rounded
    off = 1.01 * (own[:, None] + own[None, :])
    near = [_all(np.abs(its - whole) <= off, its) for its in sums for whole in (1, 100)]
    for at, other in np.argwhere(np.triu(np.any(near, axis=0), 1) if near else np.zeros((0, 0))).tolist():
        first, second = open_[at], open_[other]
        total = first.values + second.values
        held = total[~np.isnan(total)]
        if first.role or second.role or len(held) < FEWEST_ROWS:
            continue
        if any(bool((np.abs(held - whole) <= off[at, other]).all()) for whole in (1, 100)):
            drop, keep = (first, second) if hit(first.name, "lower") else (second, first)
            drop.decide("aggregate", "certain", f"complement of {keep.name}")


def find_copies(drafts: Sequence[Draft]) -> None:
    """Decide that a task equal to an earlier one in nine of ten rows, or a multiple of it in all, says nothing new."""
    tasks = _comparable([one for one in drafts if one.role == "task"])
    if not tasks:
        return
    some = _some(tasks)
    one, other = some[:, :, None], some[:, None, :]
    given = ~np.isnan(one + other)
    equal = ((one == other) & given).sum(axis=0) >= 0.7 * np.maximum(given.sum(axis=0), 1)
    square = np.where(given, one * one, 0).sum(axis=0)
    factor = np.divide(np.where(given, one * other, 0).sum(axis=0), square, out=np.zeros_like(square), where=square > 0)
    own = np.array([one.half_unit for one in tasks])
    multiple = _all(np.abs(other - factor * one) <= 2 * (own[None, :] + factor * own[:, None]), one + other)
    for at, second_at in np.argwhere(np.triu(equal | (multiple & (factor > 0)), 1)).tolist():
        _compare(tasks[at], tasks[second_at])


def _compare(first: Draft, second: Draft) -> None:
    both = ~np.isnan(first.values) & ~np.isnan(second.values)
    if first.role != "task" or second.role != "task" or both.sum() < FEWEST_ROWS:
        return
    one, other = first.values[both], second.values[both]
    factor = _multiple(one, other, first, second)
    if factor:
        second.decide("aggregate", "certain", f"{first.name} times {factor:.4g}")
    elif (one == other).mean() > 0.9 and np.unique(other, return_counts=True)[1].max() < len(other) / 2:
        second.decide("aggregate", "likely", f"equal to {first.name}")


def _comparable(drafts: Sequence[Draft]) -> list[Draft]:
    kept = [one for one in drafts if one.distinct >= FEWEST_VALUES]
    return kept if len(kept) <= MOST_PAIRED else []


def _some(drafts: Sequence[Draft]) -> FloatArray:
    """Return the numbers of some rows, spread over the table: most pairs differ in these already."""
    table = np.column_stack([one.values for one in drafts])
    return np.asarray(table[:: max(1, len(table) // SCREENED)])


def _all(good: BoolArray, sums: FloatArray) -> BoolArray:
    """Return the pairs that hold in all rows that have both, if there is such a row."""
    given = ~np.isnan(sums)
    return np.asarray((good | ~given).all(axis=0) & given.any(axis=0))


def _multiple(one: FloatArray, other: FloatArray, first: Draft, second: Draft) -> float:
    """Return the factor, other than 1, that makes the second of the first within rounding in every row; 0 if none."""
    square = float(one @ one)
    factor = float(one @ other) / square if square else 0.0
    if factor <= 0 or abs(factor - 1) <= 0.05:
        return 0.0
    off = 1.01 * (second.half_unit + factor * first.half_unit)
    telling = min(np.ptp(other) / second.half_unit, np.ptp(one) / first.half_unit) > 20
    return factor if telling and bool((np.abs(other - factor * one) <= off).all()) else 0.0
