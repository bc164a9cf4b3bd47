"""Forbidden sub-profiles of single-peakedness in a few strict orders."""

from __future__ import annotations

from weightlab._typing import AnyArray
from weightlab.domains.forbidden import Pattern

__all__ = ["find_opposed", "opposed_pair", "three_last"]

Found = tuple[Pattern, list[int], list[int]]
"""A pattern, the voters and the models in their roles, by position."""


def find_opposed(ranks: AnyArray) -> Found | None:
    """Return what keeps a few strict orders from being single-peaked, or None when they are.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Strict ranks of all models, lower is better.

    Notes
    -----
    Single-peaked if and only if neither pattern occurs; O(models^3 x voters + models x voters^2) with sets of models
    as bits of an integer.

    References
    ----------
    Ballester and Haeringer, "A characterization of the single-peaked domain", Social Choice and Welfare 36 (2011).
    """
    return three_last(ranks) or opposed_pair(ranks)


def three_last(ranks: AnyArray) -> Found | None:
    """Return three models and, for each, a voter who puts it last of the three."""
    rows = ranks.tolist()
    count = ranks.shape[1]
    for a in range(count):
        for b in range(a + 1, count):
            for c in range(b + 1, count):
                last: dict[int, int] = {}
                for voter, row in enumerate(rows):
                    last.setdefault(max(a, b, c, key=row.__getitem__), voter)
                if len(last) == 3:
                    return Pattern.THREE_WORST, list(last.values()), list(last)
    return None


def opposed_pair(ranks: AnyArray) -> Found | None:
    """Return two voters and models a, b, c, d: a > b > c and c > b > a, and d > b for both."""
    rows = ranks.tolist()
    above = [[sum(1 << x for x, rank in enumerate(row) if rank < own) for own in row] for row in rows]
    for i in range(len(rows)):
        for j in range(i):
            for b, (one, other) in enumerate(zip(above[i], above[j], strict=True)):
                # Above b for the first voter alone, for the second alone, for both: any member of each set plays its
                # role.
                a, c, d = one & ~other, other & ~one, one & other
                if a and c and d:
                    return Pattern.OPPOSED_BELOW, [i, j], [_lowest(a), b, _lowest(c), _lowest(d)]
    return None


def _lowest(bits: int) -> int:
    """Return the position of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1
