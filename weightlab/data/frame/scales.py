"""Scores of a task on a scale of its own: from 0 to 1 between its extremes, or in standard deviations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from weightlab._exact import common_denominator

RANGE, Z = "range", "z"
DIGITS = 12
"""Significant digits to which standard deviations are rounded, since their roots are no fractions."""


def on_own_scale(scores: Sequence[Fraction], scaled: str) -> list[Fraction]:
    """Return the scores of one task, the greater the better, on a scale of its own; 0 for all where all are equal.

    Parameters
    ----------
    scores : sequence of Fraction
        Of all models that are compared.
    scaled : {"range", "z"}
        From 0 for the worst to 1 for the best, exact; or distances from the mean in population standard deviations,
        which are rounded to 12 significant digits. A task's factor changes no verdict over all weights.
    """
    whole, unit = common_denominator(scores)
    count, total = len(whole), sum(whole)
    zero, width = Fraction(min(whole), unit), Fraction(max(whole) - min(whole), unit)
    if scaled == Z and width:
        zero = Fraction(total, count * unit)
        width = rounded_root(Fraction(count * sum(one * one for one in whole) - total * total, (count * unit) ** 2))
    return [(score - zero) / width if width else Fraction(0) for score in scores]


def rounded_root(square: Fraction) -> Fraction:
    """Return the square root of a positive number, rounded to 12 significant digits, halves up."""
    # 10 ** power times the root has 12 digits before the point, or 13 where the logarithm was rounded.
    power = DIGITS - 1 - math.floor((math.log10(square.numerator) - math.log10(square.denominator)) / 2)
    while True:
        # The floor of twice a root plus 1, halved, is the root rounded.
        doubled = math.isqrt(math.floor(4 * square * Fraction(100) ** power))
        found = (doubled + 1) // 2
        if 10 ** (DIGITS - 1) <= found <= 10**DIGITS:
            return found / Fraction(10) ** power
        power += 1 if found < 10 ** (DIGITS - 1) else -1
