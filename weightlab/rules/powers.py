"""Geometric means, ranked exactly: products of powers are equal when the exponents over a coprime base cancel."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np

from weightlab._typing import FloatArray
from weightlab.rules.irrational import Irrationals
from weightlab.rules.scores import ScoreTable

__all__ = ["PowerProducts", "coprime_powers"]

SLACK = 64 * np.finfo(np.float64).eps
"""Rounding of logarithms, products and sums, with a wide margin, relative to the sizes of the terms."""


class PowerProducts(Irrationals):
    """The weighted geometric mean of each row of scores; what is compared are its logarithms.

    The mean of a row with a 0 is 0, less than all others.
    """

    def __init__(self, table: ScoreTable, floats: FloatArray) -> None:
        self.table = table
        greatest = max(table.weights)
        weights = np.array([weight / greatest for weight in table.weights])
        shares = np.where(table.present, weights, 0)
        shares /= shares.sum(axis=1, keepdims=True)
        self.zero = (table.present & (floats == 0)).any(axis=1)
        logarithms = np.log(np.where(table.present & (floats > 0), floats, 1.0))
        self.floats = np.where(self.zero, -math.inf, (shares * logarithms).sum(axis=1))
        self.errors = SLACK * (shares * (np.abs(logarithms) + 1)).sum(axis=1) * len(table.weights)
        # Below the normal floats a decimal and its float are too far apart to bound anything.
        self.errors[(table.present & (floats < np.finfo(np.float64).tiny)).any(axis=1) & ~self.zero] = math.inf
        self.errors[self.zero] = 0

    def values(self) -> FloatArray:
        """Return the geometric means."""
        return np.asarray(np.exp(self.floats))

    def between(self, place: int, digits: int) -> tuple[Fraction, Fraction]:
        """Return fractions below and above the logarithm of a mean."""
        terms = [(weight, *_logarithm(score, digits)) for score, weight in self.table.row(place)]
        total = self.table.totals[place]
        low = sum((weight * below for weight, below, _ in terms), Fraction(0)) / total
        high = sum((weight * above for weight, _, above in terms), Fraction(0)) / total
        return low, high

    def compare(self, one: int, other: int) -> int:
        """Return -1, 0 or 1 as one mean is less than, equal to or greater than the other."""
        if self.zero[one] or self.zero[other]:
            return int(self.zero[other]) - int(self.zero[one])
        return super().compare(one, other)

    def equal(self, one: int, other: int) -> bool:
        """Tell exactly whether two means that are not 0 are the same."""
        powers: dict[int, Fraction] = {}
        for place, sign in ((one, 1), (other, -1)):
            for score, weight in self.table.row(place):
                exponent = Fraction(sign * weight, self.table.totals[place])
                for number, side in ((score.numerator, 1), (score.denominator, -1)):
                    powers[number] = powers.get(number, Fraction(0)) + side * exponent
        # By unique factorisation a product of powers of pairwise coprime bases is 1 only if every exponent is 0.
        return not any(coprime_powers(powers).values())


def coprime_powers(powers: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return the same product of powers over bases of which no two share a factor; powers of 1 and to 0 are left out.

    The product is 1 exactly if nothing is left. O(k^2) greatest common divisors for k bases that remain.
    """
    base: dict[int, Fraction] = {}
    waiting = [(number, power) for number, power in powers.items() if number > 1 and power]
    # Factor refinement (Bach, Driscoll and Shallit 1993): greatest common divisors instead of prime factors. Splitting
    # one off divides the product of all bases by it, so this ends.
    while waiting:
        number, power = waiting.pop()
        for known in base:
            shared = math.gcd(number, known)
            if shared > 1:
                known_power = base.pop(known)
                parts = [(number // shared, power), (known // shared, known_power), (shared, power + known_power)]
                waiting.extend((part, exponent) for part, exponent in parts if part > 1 and exponent)
                break
        else:
            base[number] = power
    return base


@functools.lru_cache(maxsize=4096)
def _logarithm(number: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Enclose a logarithm: Decimal's are off by at most half a unit in the last of so many digits."""
    context = Context(prec=digits)
    low = high = Fraction(0)
    for sign, part in ((1, number.numerator), (-1, number.denominator)):
        rounded = Decimal(part).ln(context)
        unit = Fraction(rounded.next_plus(context)) - Fraction(rounded) if rounded else Fraction(0)
        low += sign * Fraction(rounded) - unit
        high += sign * Fraction(rounded) + unit
    return low, high
