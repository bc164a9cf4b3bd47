"""Means of z-scores, ranked exactly: sums of square roots are equal when the coefficients of each class cancel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._typing import FloatArray
from weightlab.rules.irrational import Irrationals
from weightlab.rules.scores import ScoreTable

__all__ = ["RootSums"]

SLACK = 64 * np.finfo(np.float64).eps
"""Rounding of roots, products and sums, with a wide margin, relative to the sizes of the terms."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Term:
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
        """Tell exactly whether two sums are the same."""
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
