"""Geometry of a triangle of three weights as it is drawn: where points lie, and where labels fit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import common_denominator
from weightlab._solver.integer_system import solve_integer_system

__all__ = ["HEIGHT", "Spot", "Weights", "label_place", "mixed", "spot_of"]

Spot: TypeAlias = tuple[float, float]

Weights: TypeAlias = tuple[Fraction, ...]

HEIGHT = sqrt(3) / 2
"""Of the triangle whose sides are 1 long."""

LEVELS = 40
"""At so many heights of an area a label is tried."""

HALVINGS = 12
"""So often the interval in which the largest box lies is halved."""

SUPPORTS = ((0, 1, 2), (0, 1), (0, 2), (1, 2), (0,), (1,), (2,))
"""Which of three corners may have weight."""


def spot_of(weights: Sequence[Fraction]) -> Spot:
    """Return where weights that sum to 1 lie: the first corner at the lower left, the second right, the third above.

    Examples
    --------
    >>> spot_of([Fraction(1, 2), Fraction(1, 2), Fraction(0)])
    (0.5, 0.0)
    """
    return float(weights[1] + weights[2] / 2), HEIGHT * float(weights[2])


def mixed(corners: pd.DataFrame, wanted: Sequence[Fraction]) -> Weights | None:
    """Return shares of three corners whose mixture is what is wanted, or None if there are none.

    Parameters
    ----------
    corners : DataFrame of Fraction, tasks x 3
        Columns sum to 1.
    wanted : sequence of Fraction
        Weights of the tasks that sum to 1.

    Notes
    -----
    If shares exist, some exist in which the corners that have weight are independent: of each set of corners the
    only possible shares are worked out and tried.
    """
    columns = [[Fraction(one) for one in corners[name]] for name in corners.columns]
    for support in SUPPORTS:
        shares = _shares([columns[corner] for corner in support], wanted)
        if shares is not None:
            found = dict(zip(support, shares, strict=True))
            return tuple(found.get(corner, Fraction(0)) for corner in range(3))
    return None


def _shares(columns: Sequence[Sequence[Fraction]], wanted: Sequence[Fraction]) -> list[Fraction] | None:
    """Return the only shares, none negative, that mix independent columns to what is wanted; None if there are none."""
    whole, scale = common_denominator([one for column in columns for one in column])
    rows = np.array(whole, dtype=object).reshape(len(columns), len(wanted))
    right = [sum((int(a) * b for a, b in zip(row, wanted, strict=True)), Fraction(0)) * scale for row in rows]
    shares = solve_integer_system(rows @ rows.T, right)
    if shares is None or min(shares) < 0:
        return None
    for cells, one in zip(zip(*columns, strict=True), wanted, strict=True):
        if sum((cell * share for cell, share in zip(cells, shares, strict=True)), Fraction(0)) != one:
            return None
    return shares


def label_place(polygon: Sequence[Spot], width: float, height: float) -> Spot | None:
    """Return where an upright box has most room in a convex polygon (its middle), or None where it does not fit.

    Parameters
    ----------
    polygon : sequence of (float, float)
        Its corners, in order around it.
    width, height : float
        Of the box.

    Notes
    -----
    Most room has the box that can grow most without a change of its shape; heights are tried one by one.

    Examples
    --------
    >>> label_place([(0, 0), (1, 0), (1, 1), (0, 1)], 0.5, 0.25)
    (0.5, 0.5)
    """
    best, small, large = _roomiest(polygon, width, height), 1.0, 64.0
    if best is None:
        return None
    for _ in range(HALVINGS):
        scale = (small * large) ** 0.5
        place = _roomiest(polygon, scale * width, scale * height)
        best, small, large = (best, small, scale) if place is None else (place, scale, large)
    return best


def _roomiest(polygon: Sequence[Spot], width: float, height: float) -> Spot | None:
    """Return the middle of the box at the height with most room beside it, near the middle where several have."""
    bottom, top = min(y for _, y in polygon) + height / 2, max(y for _, y in polygon) - height / 2
    if bottom > top:
        return None
    found = []
    for y in np.linspace(bottom, top, LEVELS + 1).tolist():
        low, high = _chord(polygon, y - height / 2), _chord(polygon, y + height / 2)
        left, right = max(low[0], high[0]), min(low[1], high[1])
        found.append((round(right - left, 9), -abs(y - (bottom + top) / 2), ((left + right) / 2, y)))
    room, _, place = max(found)
    return place if room >= width else None


def _chord(polygon: Sequence[Spot], y: float) -> Spot:
    """Return the ends of what a convex polygon has at a height."""
    found: list[float] = []
    for place, (x0, y0) in enumerate(polygon):
        x1, y1 = polygon[(place + 1) % len(polygon)]
        if min(y0, y1) - 1e-12 <= y <= max(y0, y1) + 1e-12:
            share = 0.5 if y0 == y1 else min(1.0, max(0.0, (y - y0) / (y1 - y0)))
            found += [x0, x1] if y0 == y1 else [x0 + share * (x1 - x0)]
    return min(found), max(found)
