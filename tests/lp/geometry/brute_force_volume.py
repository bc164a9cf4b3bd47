"""Twins of the exact geometry: volumes by Lasserre's recursion, no triangulation and no vertices."""

from __future__ import annotations

import math
from fractions import Fraction


def volume(rows):
    """Return the volume of all x with ``a . x <= b`` for the pairs (a, b), a bounded polytope, in its own coordinates.

    Lasserre 1983: a polytope is the union of the pyramids from the origin over its facets.
    """
    cleaned = clean(rows)
    if cleaned is None:
        return Fraction(0)
    dimension = len(cleaned[0][0])
    if dimension == 1:
        upper = min(b / a[0] for a, b in cleaned if a[0] > 0)
        lower = max(b / a[0] for a, b in cleaned if a[0] < 0)
        return max(Fraction(0), upper - lower)
    total = Fraction(0)
    for place, (a, b) in enumerate(cleaned):
        if b:
            pivot = next(k for k, one in enumerate(a) if one)
            others = [one for other, one in enumerate(cleaned) if other != place]
            total += b / abs(a[pivot]) * volume([eliminated(one, a, b, pivot) for one in others])
    return total / dimension


def eliminated(row, a, b, pivot):
    """Return a row on the hyperplane a . x = b, without the pivot's variable."""
    factor = row[0][pivot] / a[pivot]
    left = [one - factor * other for one, other in zip(row[0], a, strict=True)]
    return left[:pivot] + left[pivot + 1 :], row[1] - factor * b


def clean(rows):
    """Return the rows scaled, each direction once with its least bound; None when they hold nothing or no volume."""
    least = {}
    for a, b in rows:
        size = max(map(abs, a), default=0)
        if not size:
            if b < 0:
                return None
            continue
        key = tuple(Fraction(one) / size for one in a)
        bound = Fraction(b) / size
        least[key] = min(bound, least.get(key, bound))
    if any(tuple(-one for one in a) in least and least[tuple(-one for one in a)] + b <= 0 for a, b in least.items()):
        return None
    return [(list(a), b) for a, b in least.items()]


def share(duels, tasks):
    """Return the share of the simplex of so many tasks on which all duels are won: ``duel . w >= 0``."""
    if tasks == 1:
        return Fraction(int(all(row[0] >= 0 for row in duels)))
    # The last weight is 1 minus the others.
    rows = [([Fraction(-int(k == place)) for k in range(tasks - 1)], Fraction(0)) for place in range(tasks - 1)]
    rows.append(([Fraction(1)] * (tasks - 1), Fraction(1)))
    rows += [([Fraction(row[-1] - one) for one in row[:-1]], Fraction(row[-1])) for row in duels]
    return volume(rows) * math.factorial(tasks - 1)
