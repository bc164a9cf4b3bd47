"""Square systems of integers, solved exactly: the vertex that a basis stands for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import FLOAT_EXACT, INT64_EXACT, as_objects, common_denominator, exact_products, largest_entry
from weightlab.exceptions import InputError


def solve_integer_system(matrix: NDArray[Any], right: Sequence[Fraction | int]) -> list[Fraction] | None:
    """Return the exact solution of a square integer system, or None when the matrix is singular.

    Parameters
    ----------
    matrix : array of shape (n, n)
        Integers of any size (an integer type, or Python integers in an object array).
    right : sequence of n Fraction or int
        The right-hand side.

    Examples
    --------
    >>> solve_integer_system(np.array([[2, 1], [1, 1]]), [1, Fraction(1, 2)])
    [Fraction(1, 2), Fraction(0, 1)]
    """
    return IntegerSystem(matrix).solve(right)


class IntegerSystem:
    """A square integer matrix, ready to be solved exactly for several right-hand sides.

    Parameters
    ----------
    matrix : array of shape (n, n)
        Integers of any size.

    Notes
    -----
    Dixon's p-adic lifting: with the inverse modulo one prime the solution is found digit by digit in base p, each
    digit at the cost of two products, and read off as rationals over a common denominator as soon as they satisfy
    the system exactly. O(n^3) for the inverse and O(n^2) a digit.

    References
    ----------
    J. D. Dixon, "Exact solution of linear equations using p-adic expansions", Numerische Mathematik 40 (1982).
    """

    def __init__(self, matrix: NDArray[Any]) -> None:
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"the system must be square, got shape {matrix.shape}")
        self.size = int(matrix.shape[0])
        self.largest = largest_entry(matrix)
        self.matrix = matrix.astype(np.int64) if self.largest < INT64_EXACT else as_objects(matrix)

    @cached_property
    def _modular_inverse(self) -> tuple[int, NDArray[np.float64]] | None:
        """A prime and the inverse modulo it; None when the matrix is singular, which is then proved.

        A determinant that is a multiple of primes whose product exceeds Hadamard's bound is zero.
        """
        product = 1
        for prime in _primes_for(self.size):
            inverse = _inverse_modulo(self.matrix, prime)
            if inverse is not None:
                return prime, inverse
            # Singular modulo one prime may be bad luck: the determinant is then a multiple of it, and so of the product
            # of all primes that failed. Above Hadamard's bound only 0 is such a multiple.
            product *= prime
            if product**2 > self._squared_bound:
                return None
        raise AssertionError("ran out of primes")  # pragma: no cover - there are thousands

    @cached_property
    def _squared_bound(self) -> int:
        """The square of Hadamard's bound on the determinant."""
        return math.prod(sum(int(one) ** 2 for one in row) for row in self.matrix)

    @property
    def is_singular(self) -> bool:
        """Whether the determinant is zero."""
        return self.size > 0 and self._modular_inverse is None

    def solve(self, right: Sequence[Fraction | int]) -> list[Fraction] | None:
        """Return the exact x with ``matrix @ x == right``, or None when the matrix is singular."""
        solved = self.solve_over_common(right)
        return None if solved is None else [Fraction(one, solved[1]) for one in solved[0]]

    def solve_over_common(
        self, right: Sequence[Fraction | int], *, transposed: bool = False
    ) -> tuple[list[int], int] | None:
        """Return the solution as numerators over one denominator, or None when the matrix is singular.

        With ``transposed`` it is the y with ``matrix.T @ y == right``.
        """
        if len(right) != self.size:
            raise InputError(f"the right-hand side must have {self.size} entries, got {len(right)}")
        integers, scale = common_denominator(right)
        if not any(integers) and not self.is_singular:
            return integers, 1
        if self._modular_inverse is None:
            return None
        prime, inverse = self._modular_inverse
        matrix = self.matrix.T if transposed else self.matrix
        digits = _digits(matrix, self.largest, inverse.T if transposed else inverse, prime, integers)
        numerators, denominator = _read_off(matrix, integers, digits, prime)
        return numerators, denominator * scale


def _digits(
    matrix: NDArray[Any], largest: int, inverse: NDArray[np.float64], prime: int, right: Sequence[int]
) -> Iterator[NDArray[np.int64]]:
    """Yield the digits of the solution in base ``prime``, least first."""
    size = len(right)
    # |residual| never exceeds max(|right|, size * largest), so this decides once for all steps.
    fits = max(map(abs, right)) + size * largest * prime < INT64_EXACT
    residual = np.array(right, dtype=np.int64 if fits else object)
    if not fits:
        matrix = matrix.astype(object)
    # Invariant after k digits: ``matrix @ (sum of digits so far) + prime**k * residual == right``.
    while True:
        remainder = (residual % prime).astype(np.float64)
        # size * prime**2 < 2**53 by the choice of the prime: the float product is exact.
        digit = np.rint(np.remainder(inverse @ remainder, prime)).astype(np.int64)
        yield digit
        # The division is exact: the digit solves the system modulo the prime, so the difference is a multiple of it.
        residual = (residual - matrix @ (digit if fits else digit.astype(object))) // prime


def _read_off(
    matrix: NDArray[Any], right: Sequence[int], digits: Iterator[NDArray[np.int64]], prime: int
) -> tuple[list[int], int]:
    """Return numerators and a common denominator that solve the system exactly."""
    lifted = np.zeros(len(right), dtype=object)
    modulus, steps, next_try = 1, 0, 2
    for digit in digits:
        lifted = lifted + digit.astype(object) * modulus
        modulus *= prime
        steps += 1
        if steps < next_try:
            continue
        # Tries are spaced so that failed ones add a constant factor at most, and small solutions end early.
        next_try = steps + max(2, steps // 2)
        read = _rational_vector(lifted.tolist(), modulus)
        if read is not None:
            numerators, denominator = read
            # This check makes the answer right whatever the number of digits: no a priori bound on them is needed.
            if [int(one) for one in exact_products(matrix, numerators)] == [denominator * one for one in right]:
                return numerators, denominator
    raise AssertionError("the digits never end")  # pragma: no cover - the iterator is infinite


def _rational_vector(residues: Sequence[int], modulus: int) -> tuple[list[int], int] | None:
    """Return numerators over one small denominator that have these residues, or None if there are no such numbers."""
    # Numerator and denominator up to ``sqrt(modulus / 2)`` determine the fraction (Wang, Guy and Davenport 1982).
    bound = math.isqrt(modulus // 2)
    denominator = 1
    numerators: list[int] = []
    for residue in residues:
        # By Cramer's rule the entries share a denominator: multiplied by the one found so far most are small integers
        # at once, without Euclid's algorithm.
        scaled = residue * denominator % modulus
        if scaled > modulus // 2:
            scaled -= modulus
        if abs(scaled) > bound:
            scaled, factor = _rational(scaled % modulus, modulus, bound)
            denominator *= factor
            if denominator > bound:
                return None
            numerators = [one * factor for one in numerators]
        numerators.append(scaled)
    return numerators, denominator


def _rational(residue: int, modulus: int, bound: int) -> tuple[int, int]:
    """Return the fraction with this residue whose numerator is at most ``bound``, by Euclid's algorithm."""
    above, below = modulus, residue
    factor_above, factor_below = 0, 1
    # Invariant: ``above == factor_above * residue`` and ``below == factor_below * residue`` modulo the modulus.
    while below > bound:
        quotient = above // below
        above, below = below, above - quotient * below
        factor_above, factor_below = factor_below, factor_above - quotient * factor_below
    return (below, factor_below) if factor_below > 0 else (-below, -factor_below)


def _primes_for(size: int) -> Iterator[int]:
    """Yield primes p, largest first, small enough that a float product of ``size`` residues is exact."""
    # Sums of ``size`` products of residues must stay below 2**53.
    limit = min(2**25, math.isqrt(FLOAT_EXACT // (size + 1)))
    prime = _largest_prime_below(limit)
    while prime > 2:
        yield prime
        prime = _largest_prime_below(prime)


@lru_cache(maxsize=256)
def _largest_prime_below(limit: int) -> int:
    # Trial division suffices: candidates are below 2**25 and one prime usually does.
    divisors = np.arange(3, math.isqrt(limit) + 1, 2)
    for candidate in range((limit - 2) | 1, 2, -2):
        if np.all(candidate % divisors[divisors * divisors <= candidate]):
            return candidate
    return 2


def _inverse_modulo(matrix: NDArray[Any], prime: int) -> NDArray[np.float64] | None:
    """Return the inverse modulo a prime, by Gauss-Jordan elimination in place; None when it is singular there."""
    work = (matrix % prime).astype(np.float64)
    product = np.empty_like(work)
    swaps: list[tuple[int, int]] = []
    for step in range(len(work)):
        column = np.remainder(work[:, step], prime)
        candidates = np.flatnonzero(column[step:])
        if not len(candidates):
            return None
        pivot_row = step + int(candidates[0])
        if pivot_row != step:
            work[[step, pivot_row]] = work[[pivot_row, step]]
            column[[step, pivot_row]] = column[[pivot_row, step]]
            # Swapping rows of a matrix swaps columns of its inverse: undone in reverse below.
            swaps.append((step, pivot_row))
        pivot = work[step].copy()
        # In place: the eliminated column is not needed any more and holds the column of the inverse instead.
        pivot[step] = 1.0
        pivot = np.remainder(np.remainder(pivot, prime) * pow(int(column[step]), -1, prime), prime)
        column[step] = 0.0
        work[:, step] = 0.0
        work[step] = 0.0
        work -= np.multiply.outer(column, pivot, out=product)
        # Nearly reduced is enough: next to a multiple of the prime the quotient can be off by one, which leaves -1 or
        # the prime itself; pivots are reduced fully where they are used.
        np.multiply(work, 1.0 / prime, out=product)
        np.floor(product, out=product)
        product *= prime
        work -= product
        work[step] = pivot
    for first, second in reversed(swaps):
        work[:, [first, second]] = work[:, [second, first]]
    return np.remainder(work, prime)
