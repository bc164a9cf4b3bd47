"""Numbers that are no fractions, ranked exactly.

Each number can be enclosed between fractions arbitrarily tightly, and whether two are equal is decided by algebra,
never by their distance.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np

from weightlab._exact import FloatArray
from weightlab._result import Frozen
from weightlab.rules.outcome import Outcome, PositionOrder
from weightlab.rules.scoring.score_table import ScoreTable

SLACK = 64 * np.finfo(np.float64).eps
"""Rounding of roots, logarithms, products and sums, with a wide margin, relative to the sizes of the terms."""
FIRST_DIGITS = 40
"""Digits of the first enclosures where floats do not separate two numbers; then twice as many, and so on."""


class Irrationals(ABC):
    """Some real numbers that can be enclosed and distinguished.

    Attributes
    ----------
    floats : ndarray of float64
        The numbers, or a rising function of them, in floats.
    errors : ndarray of float64
        Bounds of how far the floats are off.
    """

    floats: FloatArray
    errors: FloatArray

    @abstractmethod
    def between(self, place: int, digits: int) -> tuple[Fraction, Fraction]:
        """Return fractions below and above a number; more digits bring them together."""

    @abstractmethod
    def equal(self, one: int, other: int) -> bool:
        """Return whether two of the numbers are exactly equal."""

    def values(self) -> FloatArray:
        """Return the numbers in floats."""
        return self.floats

    def outcome(self) -> Outcome:
        """Return the outcome that ranks the numbers exactly, greatest first, with the floats next to them as scores.

        Equal numbers get equal floats, and no float exceeds that of a greater number.
        """
        order = self.order()
        values, scores = self.values().tolist(), [0.0] * len(self.floats)
        ceiling = math.inf
        for group in order:
            ceiling = min(ceiling, values[group[0]])
            for place in group:
                scores[place] = ceiling
        return Outcome(order=order, scores=tuple(scores))

    def order(self) -> PositionOrder:
        """Return the places of the numbers, greatest first, equal numbers in one group.

        Notes
        -----
        One sort of the floats; only numbers that these do not separate are compared exactly.
        """
        by_float = np.argsort(-self.floats, kind="stable")
        lower = (self.floats - self.errors)[by_float].tolist()
        # ``upper[k]``: no number from the k-th on is greater. A run ends where that falls below all of its lower
        # bounds.
        upper = np.maximum.accumulate((self.floats + self.errors)[by_float][::-1])[::-1].tolist()
        groups: list[list[int]] = []
        run: list[int] = []
        floor = math.inf
        for place, low, highest_left in zip(by_float.tolist(), lower, upper, strict=True):
            if highest_left < floor:
                groups.extend(self._sorted(run))
                run, floor = [], math.inf
            run.append(place)
            floor = min(floor, low)
        groups.extend(self._sorted(run))
        return tuple(tuple(sorted(group)) for group in groups)

    def _sorted(self, run: list[int]) -> list[list[int]]:
        """Return a run of numbers that floats do not separate as groups of equal ones, greatest first."""
        groups: list[list[int]] = []
        for place in sorted(run, key=functools.cmp_to_key(self.compare), reverse=True):
            if groups and self.compare(groups[-1][0], place) == 0:
                groups[-1].append(place)
            else:
                groups.append([place])
        return groups

    def compare(self, one: int, other: int) -> int:
        """Return -1, 0 or 1 as one number is less than, equal to or greater than the other."""
        if self.equal(one, other):
            return 0
        digits = FIRST_DIGITS
        # The numbers differ, so enclosures part once they have digits enough; equality was excluded by algebra.
        while True:
            (low, high), (other_low, other_high) = self.between(one, digits), self.between(other, digits)
            if low > other_high or high < other_low:
                return 1 if low > other_high else -1
            digits *= 2


# Means of z-scores, ranked exactly: sums of square roots are equal when the coefficients of each class cancel.


class Term(Frozen):
    """What one task adds to the sums: deviations times a factor times a root.

    Attributes
    ----------
    deviations : list of int
        One a model.
    factor : Fraction
        For all models.
    root : int
        Which of the roots.
    """

    deviations: list[int]
    factor: Fraction
    root: int


class RootSums(Irrationals):
    """The weighted mean of each model's z-scores: sums of fractions times square roots.

    Attributes
    ----------
    radicands : list of Fraction
        Positive; no root of one is a rational multiple of the root of another.

    Notes
    -----
    Such roots are linearly independent over the rationals (Besicovitch, "On the linear independence of fractional
    powers of integers", Journal of the London Mathematical Society 15, 1940): two sums are equal only if the
    coefficients of every root are.
    """

    def __init__(self, table: ScoreTable) -> None:
        self.radicands: list[Fraction] = []
        self.terms: list[Term] = []
        self.totals = table.totals
        for scores, present, weight in zip(table.matrix.T, table.present.T, table.weights, strict=True):
            # With integer scores x of n models the z-score is (n x - sum) / sqrt(n sum of squares - square of sum).
            deviations, squared = _standardised(scores.tolist(), present.tolist())
            if squared:
                near_one, power = _near_one(squared)
                root, ratio = _classified(near_one, self.radicands)
                self.terms.append(Term(deviations=deviations, factor=ratio * weight / near_one / power, root=root))
        floats = [self._term_floats(term) for term in self.terms] or [np.zeros(len(self.totals))]
        self.floats = np.sum(floats, axis=0)
        self.errors = SLACK * (len(self.terms) + 1) * np.sum(np.abs(floats), axis=0)

    def _term_floats(self, term: Term) -> FloatArray:
        root = math.sqrt(self.radicands[term.root])
        top, bottom = term.factor.numerator, term.factor.denominator
        # Integers of any size divide into the nearest float.
        listed = zip(term.deviations, self.totals, strict=True)
        return np.array([deviation * top / (bottom * total) for deviation, total in listed]) * root

    def coefficients(self, place: int) -> list[Fraction]:
        """Return the coefficients of the roots in one of the sums."""
        sums = [Fraction(0)] * len(self.radicands)
        for term in self.terms:
            sums[term.root] += term.deviations[place] * term.factor
        return [one / self.totals[place] for one in sums]

    def between(self, place: int, digits: int) -> tuple[Fraction, Fraction]:
        """Return fractions below and above a sum."""
        low = high = Fraction(0)
        for coefficient, radicand in zip(self.coefficients(place), self.radicands, strict=True):
            below, above = _root(radicand, digits)
            low += coefficient * (below if coefficient > 0 else above)
            high += coefficient * (above if coefficient > 0 else below)
        return low, high

    def equal(self, one: int, other: int) -> bool:
        """Return whether two sums are exactly equal."""
        return self.coefficients(one) == self.coefficients(other)


def _standardised(scores: Sequence[int], present: Sequence[bool]) -> tuple[list[int], int]:
    """Return n x - sum for each score (0 where missing) and the square of what that is divided by."""
    there = [score for score, known in zip(scores, present, strict=True) if known]
    count, total = len(there), sum(there)
    squared = count * sum(score * score for score in there) - total * total
    return [count * score - total if known else 0 for score, known in zip(scores, present, strict=True)], squared


def _near_one(number: int) -> tuple[Fraction, int]:
    """Return a power of 2 and the number over its square, which lies between 1 and 4: no float overflows."""
    power = 1 << (number.bit_length() - 1) // 2
    return Fraction(number, power * power), power


def _classified(radicand: Fraction, radicands: list[Fraction]) -> tuple[int, Fraction]:
    """Return which known root this root is a rational multiple of, and the multiple; a new class is noted as known."""
    for place, known in enumerate(radicands):
        # One root is a rational multiple of the other exactly if the quotient of the radicands is the square of a
        # fraction, in lowest terms a square over a square.
        square = radicand / known
        top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
        if top * top == square.numerator and bottom * bottom == square.denominator:
            return place, Fraction(top, bottom)
    radicands.append(radicand)
    return len(radicands) - 1, Fraction(1)


def _root(radicand: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Enclose a square root."""
    scale = 10**digits
    # ``sqrt(p / q) = sqrt(p q) / q``: one integer root, rounded down.
    root = math.isqrt(radicand.numerator * radicand.denominator * scale * scale)
    return Fraction(root, radicand.denominator * scale), Fraction(root + 1, radicand.denominator * scale)


# Geometric means, ranked exactly: products of powers are equal when the exponents over a coprime base cancel.


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
        """Return whether two nonzero means are exactly equal."""
        powers: dict[int, Fraction] = {}
        for place, sign in ((one, 1), (other, -1)):
            for score, weight in self.table.row(place):
                exponent = Fraction(sign * weight, self.table.totals[place])
                for number, side in ((score.numerator, 1), (score.denominator, -1)):
                    powers[number] = powers.get(number, Fraction(0)) + side * exponent
        # By unique factorisation a product of powers of pairwise coprime bases is 1 only if every exponent is 0.
        return not any(coprime_powers(powers).values())


def coprime_powers(powers: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return the same product of powers over pairwise coprime bases; powers of 1 and to 0 are left out.

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
    """Enclose a logarithm: Decimal's are off by at most half a unit in the last of the given number of digits."""
    context = Context(prec=digits)
    low = high = Fraction(0)
    for sign, part in ((1, number.numerator), (-1, number.denominator)):
        rounded = Decimal(part).ln(context)
        unit = Fraction(rounded.next_plus(context)) - Fraction(rounded) if rounded else Fraction(0)
        low += sign * Fraction(rounded) - unit
        high += sign * Fraction(rounded) + unit
    return low, high
