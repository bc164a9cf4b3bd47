"""Cones from their inequalities: the double description method, in integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weightlab._result import Frozen
from weightlab._solver import deadline_in, is_past
from weightlab.exceptions import InputError, TimeLimitError

IntegerRow: TypeAlias = tuple[int, ...]
INSTEAD = "sampling estimates its share"
MOST_RAYS = 5_000
"""Largest number of extreme rays; a cone with more is refused, since pairs of them are compared."""


class Generators(Frozen, eq=True):
    """What a cone consists of: all sums of multiples of the lines and of non-negative multiples of the rays.

    Attributes
    ----------
    lines : tuple of tuples of int
        A basis of the largest linear subspace in the cone.
    rays : tuple of tuples of int
        Extreme rays modulo that subspace, coprime integers, each once.
    """

    lines: tuple[IntegerRow, ...]
    rays: tuple[IntegerRow, ...]


def generators(rows: Sequence[IntegerRow], width: int) -> Generators:
    """Return lines and extreme rays of the cone of all x with ``row . x >= 0`` for every row.

    Parameters
    ----------
    rows : sequence of tuples of ``width`` int
        Opposite rows make an equation. Rows may repeat or follow from others.
    width : int
        Dimension of the space.

    Returns
    -------
    Generators

    Raises
    ------
    InputError
        If more than `MOST_RAYS` rays arise on the way.
    TimeLimitError
        If the time of the question that asks is over.

    Notes
    -----
    Rows are taken in one by one. A row that some line crosses turns that line into a ray; any other row keeps the rays
    on its right side and joins every pair of *adjacent* rays on different sides. Two rays are adjacent when no third
    one lies on all the rows that both lie on: exact also where many rows meet in one ray. The row that cuts off most
    rays comes next, so that few arise which are cut off later, and rows that cut off none are never looked at. Each
    step costs at most O(rays^3) comparisons of bit masks, most of which a count of common rows decides before they
    are made.

    References
    ----------
    Fukuda and Prodon, Double description method revisited, 1996, Lemmas 3 and 8.

    Examples
    --------
    >>> generators([(1, 0), (-1, 2)], 2).rays
    ((0, 1), (2, 1))
    """
    # Every vector carries its products with all rows behind its entries: they change as it does.
    lines = [
        (*(int(place == other) for other in range(width)), *(row[place] for row in rows)) for place in range(width)
    ]
    rays: dict[IntegerRow, int] = {}
    left, deadline = list(range(width, width + len(rows))), deadline_in(None)
    while left:
        _refuse_late(deadline)
        # A line that crosses a row first: from there on every cut happens in a cone without lines across it.
        crossed = next(((row, line) for row in left for line in lines if line[row]), None)
        if crossed is None:
            row = _row_cutting_most(left, rays)
            if row is None:
                break
            rays = _cut(rays, row, width, rank=width - len(lines), deadline=deadline)
        else:
            row, line = crossed
            rays = {_moved_onto(row, ray, line, width): tight | 1 << row for ray, tight in rays.items()}
            lines = [_moved_onto(row, other, line, width) for other in lines if other is not line]
            # One half of the line is on the right side of the row, and is the new ray.
            # The new ray lies on all rows that were taken in before, but not on this one.
            taken = [one for one in range(width, width + len(rows)) if one not in left]
            rays[line if line[row] > 0 else tuple(-one for one in line)] = sum(1 << one for one in taken)
        left.remove(row)
        if len(rays) > MOST_RAYS:
            raise InputError(
                f"the region has too many vertices to list: more than {MOST_RAYS} on the way, with {len(left)} of "
                f"{len(rows)} inequalities still to come; {INSTEAD}"
            )
    return Generators(lines=tuple(line[:width] for line in lines), rays=tuple(sorted(ray[:width] for ray in rays)))


def inner_product(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the inner product of two integer vectors."""
    return sum(a * b for a, b in zip(left, right, strict=True) if a and b)


def primitive(vector: Sequence[int], width: int | None = None) -> IntegerRow:
    """Return the vector divided by the greatest common divisor of its entries, or of its first ``width`` ones."""
    divisor = math.gcd(*vector[:width]) or 1
    return tuple(one // divisor for one in vector)


def _moved_onto(row: int, vector: IntegerRow, line: IntegerRow, width: int) -> IntegerRow:
    """Return a positive multiple of the vector moved along the line until it lies on the row."""
    # ``step * vector - own * line`` has the product 0 with the row; the sign keeps the multiple of the vector positive.
    own, step = vector[row], line[row]
    sign = 1 if step > 0 else -1
    return primitive([sign * (step * one - own * other) for one, other in zip(vector, line, strict=True)], width)


def _row_cutting_most(left: Sequence[int], rays: dict[IntegerRow, int]) -> int | None:
    """Return the row that cuts off most rays, or None when none cuts off any."""
    counts = {row: sum(ray[row] < 0 for ray in rays) for row in left}
    most = max(counts, key=lambda row: counts[row])
    return most if counts[most] else None


def _cut(
    rays: dict[IntegerRow, int], row: int, width: int, *, rank: int, deadline: float | None
) -> dict[IntegerRow, int]:
    """Return the rays, with the rows that each lies on, after one more row that no line crosses; or too many of them.

    Raises
    ------
    TimeLimitError
        After the deadline.
    """
    # Masks hold the rows taken in so far that a ray lies on.
    kept = {ray: tight | (0 if ray[row] else 1 << row) for ray, tight in rays.items() if ray[row] >= 0}
    gone = [(ray, tight) for ray, tight in rays.items() if ray[row] < 0]
    masks = list(rays.values())
    for ray, tight in rays.items():
        if ray[row] <= 0:
            continue
        _refuse_late(deadline)
        if len(kept) > MOST_RAYS:
            break
        for other, other_tight in gone:
            common = tight & other_tight
            # Adjacent rays of a cone of this rank lie on at least rank - 2 common rows: a cheap test that spares most
            # pairs the comparison with all masks.
            if common.bit_count() >= rank - 2 and _are_adjacent(common, masks):
                # A positive combination of the two that lies on the row; carried along, its products with all rows come
                # for free.
                joined = [ray[row] * b - other[row] * a for a, b in zip(ray, other, strict=True)]
                kept[primitive(joined, width)] = common | 1 << row
    return kept


def _refuse_late(deadline: float | None) -> None:
    if is_past(deadline):
        raise TimeLimitError(f"the time limit came before all vertices of the region were found; {INSTEAD}")


def _are_adjacent(common: int, masks: Sequence[int]) -> bool:
    """Return whether the two rays that lie on these common rows are the only ones that do."""
    found = 0
    for mask in masks:
        if common & mask == common:
            found += 1
            if found > 2:
                return False
    return True


# Determinants and ranks of integer matrices, exact and many at a time.


def determinants(matrices: NDArray[Any]) -> NDArray[Any]:
    """Return the determinant of each of many square integer matrices.

    Parameters
    ----------
    matrices : ndarray of object, count x n x n
        Python integers.

    Returns
    -------
    ndarray of object, count
        Python integers.

    Notes
    -----
    Bareiss's fraction-free elimination, O(n^3) products a matrix, all matrices in one sweep: every division leaves no
    remainder.

    Examples
    --------
    >>> determinants(np.array([[[2, 1], [1, 1]], [[1, 2], [2, 4]]], dtype=object)).tolist()
    [1, 0]
    """
    left = np.array(matrices, dtype=object)
    count, size = left.shape[:2]
    every = np.arange(count)
    signs = np.ones(count, dtype=object)
    before = np.ones(count, dtype=object)
    for step in range(size):
        # The first entry that is not 0, for each matrix its own: exact arithmetic needs no large pivots.
        pivot = step + np.argmax(left[:, step:, step] != 0, axis=1)
        signs[pivot != step] *= -1
        chosen = left[every, pivot].copy()
        left[every, pivot] = left[:, step]
        left[:, step] = chosen
        corner = chosen[:, step]
        # No pivot: this determinant is 0. Its matrix gets harmless numbers, since all are eliminated in step.
        signs[corner == 0] = 0
        rest = left[:, step + 1 :, step + 1 :] * corner[:, None, None]
        rest -= left[:, step + 1 :, step, None] * chosen[:, None, step + 1 :]
        # Every entry here is a minor times the pivot before (Sylvester's identity), so the division is exact.
        left[:, step + 1 :, step + 1 :] = rest // before[:, None, None]
        before = np.where(corner == 0, 1, corner)
    return np.asarray(signs * before, dtype=object)


def independent_columns(rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the columns in which elimination finds a pivot; their number is the rank.

    On the span of the rows, these columns determine all others.

    Examples
    --------
    >>> independent_columns([(1, 1, 0), (2, 2, 1)])
    (0, 2)
    """
    return reduced(rows)[1]


def reduced(rows: Sequence[Sequence[int]]) -> tuple[list[list[int]], tuple[int, ...]]:
    """Return the rows that Gauss-Jordan elimination leaves, none of them 0, and the column of each one's pivot.

    Notes
    -----
    Bareiss's fraction-free elimination, O(rows * columns * rank) products of numbers that are minors of the rows: the
    rows that are left are reduced up to their factor, which is their pivot.

    Examples
    --------
    >>> reduced([(1, 1, 0), (2, 2, 1)])
    ([[1, 1, 0], [0, 0, 1]], (0, 2))
    """
    left = [list(row) for row in rows]
    found: list[int] = []
    before = 1
    for column in range(len(left[0]) if left else 0):
        step = len(found)
        pivot = next((place for place in range(step, len(left)) if left[place][column]), None)
        if pivot is None:
            continue
        left[step], left[pivot] = left[pivot], left[step]
        lead = left[step]
        for place, row in enumerate(left):
            # Every entry is a minor times the pivot before (Sylvester's identity), so the division is exact, and
            # entries stay as short as Hadamard's bound on minors says. Rows with a zero here take part, too.
            if place != step:
                left[place] = [(lead[column] * a - row[column] * b) // before for a, b in zip(row, lead, strict=True)]
        before = lead[column]
        found.append(column)
    return left[: len(found)], tuple(found)
