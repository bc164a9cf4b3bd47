"""Cones from their inequalities: the double description method, in integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from weightlab.exceptions import InputError

__all__ = ["MOST_RAYS", "Generators", "IntegerRow", "generators", "primitive", "product"]

IntegerRow: TypeAlias = tuple[int, ...]

MOST_RAYS = 5_000
"""So many extreme rays may arise on the way; a cone with more is refused, since pairs of them are compared."""


@dataclass(frozen=True, kw_only=True)
class Generators:
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

    Notes
    -----
    Rows are taken in one by one. A row that some line crosses turns that line into a ray; any other row keeps the rays
    on its right side and joins every pair of *adjacent* rays on different sides. Two rays are adjacent when no third
    one lies on all the rows that both lie on: exact also where many rows meet in one ray. Each step costs at most
    O(rays^3) comparisons of bit masks, most of which a count of common rows decides before they are made.

    References
    ----------
    Fukuda and Prodon, Double description method revisited, 1996, Lemmas 3 and 8.

    Examples
    --------
    >>> generators([(1, 0), (-1, 2)], 2).rays
    ((0, 1), (2, 1))
    """
    lines = [tuple(int(place == other) for other in range(width)) for place in range(width)]
    rays: dict[IntegerRow, int] = {}
    for position, row in enumerate(rows):
        crossing = next((place for place, line in enumerate(lines) if product(row, line)), None)
        if crossing is None:
            rays = _cut(rays, row, position, rank=width - len(lines))
        else:
            line = lines.pop(crossing)
            line = line if product(row, line) > 0 else tuple(-one for one in line)
            lines = [_levelled(other, line, row) for other in lines]
            rays = {_levelled(ray, line, row): tight | 1 << position for ray, tight in rays.items()}
            rays[line] = (1 << position) - 1
        if len(rays) > MOST_RAYS:
            raise InputError(
                f"the region has more than {MOST_RAYS} vertices on the way to its own, {len(rays)} after "
                f"{position + 1} of {len(rows)} inequalities: too many to list; winning_shares estimates its share"
            )
    return Generators(lines=tuple(lines), rays=tuple(sorted(rays)))


def product(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the inner product of two integer vectors."""
    return sum(a * b for a, b in zip(left, right, strict=True) if a and b)


def primitive(vector: Sequence[int]) -> IntegerRow:
    """Return the vector divided by the greatest common divisor of its entries."""
    divisor = math.gcd(*vector) or 1
    return tuple(one // divisor for one in vector)


def _levelled(vector: IntegerRow, line: IntegerRow, row: IntegerRow) -> IntegerRow:
    """Return a positive multiple of the vector moved along the line until it lies on the row."""
    own, step = product(row, vector), product(row, line)
    return primitive([step * one - own * other for one, other in zip(vector, line, strict=True)])


def _cut(rays: dict[IntegerRow, int], row: IntegerRow, position: int, *, rank: int) -> dict[IntegerRow, int]:
    """Return the rays, with the rows that each lies on, after one more row that no line crosses."""
    values = {ray: product(row, ray) for ray in rays}
    bit = 1 << position
    kept = {ray: tight | (0 if values[ray] else bit) for ray, tight in rays.items() if values[ray] >= 0}
    gone = [(ray, tight) for ray, tight in rays.items() if values[ray] < 0]
    if not gone:
        return kept
    masks = list(rays.values())
    for ray, tight in rays.items():
        if values[ray] <= 0:
            continue
        for other, other_tight in gone:
            common = tight & other_tight
            if common.bit_count() >= rank - 2 and _are_adjacent(common, masks):
                up, down = values[ray], -values[other]
                joined = primitive([up * b + down * a for a, b in zip(ray, other, strict=True)])
                kept[joined] = common | bit
    return kept


def _are_adjacent(common: int, masks: Sequence[int]) -> bool:
    """Tell whether the two rays that lie on these common rows are the only ones that do."""
    found = 0
    for mask in masks:
        if common & mask == common:
            found += 1
            if found > 2:
                return False
    return True
