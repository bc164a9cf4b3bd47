"""Exact arithmetic: rationals from what was written, integer products, integer linear systems.

A solver's float answer is only a proposal. What turns it into a proof is here: rationals near the floats, exact
products of integer matrices, and the exact solution of square integer systems (the vertex that a basis stands for).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab.exceptions import InputError

__all__ = [
    "IntegerSystem",
    "common_denominator",
    "exact_products",
    "fraction",
    "integer_weights",
    "nearest_fractions",
    "solve_integer_system",
]

# Float64 holds every integer up to here, so sums and products that stay below it are exact in any order of summation.
FLOAT_EXACT = 2**53
INT64_EXACT = 2**63

# An exponent beyond this is no score or weight anyone wrote on purpose; expanding it would fill the memory.
_LARGEST_EXPONENT = 1_000

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?")
_RATIO = re.compile(r"[+-]?[0-9]+/0*[1-9][0-9]*")


def fraction(value: Any) -> Fraction:
    """Return the rational number that was written.

    Parameters
    ----------
    value : int, Fraction, Decimal, float, numpy number or str
        A float stands for its shortest decimal text: ``0.1`` is 1/10, not the binary number nearest to it.
        Text is a decimal (``"0.1"``, ``"1e-3"``) or a ratio of integers (``"1/3"``).

    Raises
    ------
    InputError
        For booleans, for what is not finite, and for anything that is not a number.

    Examples
    --------
    >>> fraction(0.1) + fraction("0.2") == fraction("3/10")
    True
    """
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"a truth value is not a number: {value!r}")
    if isinstance(value, Fraction):
        return value
    if isinstance(value, (int, np.integer)):
        return Fraction(int(value))
    if isinstance(value, (float, np.floating, Decimal)):
        # str, not repr: NumPy's repr of 0.1 is np.float64(0.1), and a float32 of 0.1 is written 0.1, too.
        return _fraction_of_text(str(value), value)
    if isinstance(value, str):
        return _fraction_of_text(value.strip(), value)
    raise InputError(f"not a number: {value!r} (a {type(value).__name__}); {_ACCEPTED}")


_ACCEPTED = "a number is written like 3, 0.1, 1e-3 or 1/3"


def _fraction_of_text(text: str, value: object) -> Fraction:
    decimal = _DECIMAL.fullmatch(text)
    if decimal is None and _RATIO.fullmatch(text) is None:
        raise InputError(f"not a finite number: {value!r}; {_ACCEPTED}")
    exponent = decimal["exponent"] if decimal is not None else None
    if exponent is not None and abs(int(exponent[:20])) > _LARGEST_EXPONENT:
        raise InputError(f"a number with an exponent beyond {_LARGEST_EXPONENT}: {value!r}")
    try:
        return Fraction(text)
    except ValueError as error:  # Python refuses to read thousands of digits
        raise InputError(f"a number with too many digits: {text[:20]}... ({error})") from error


def common_denominator(fractions: Sequence[Fraction | int]) -> tuple[list[int], int]:
    """Return numerators over the least common denominator, and that denominator.

    Examples
    --------
    >>> common_denominator([Fraction(1, 2), Fraction(1, 3), 1])
    ([3, 2, 6], 6)
    """
    denominator = math.lcm(*[one.denominator for one in fractions])
    return [one.numerator * (denominator // one.denominator) for one in fractions], denominator


def nearest_fractions(
    floats: Sequence[float] | NDArray[np.float64], max_denominator: int, *, tolerance: float = 1e-10
) -> list[Fraction]:
    """Return for each float the first convergent of its continued fraction within ``tolerance``.

    The denominator stays at most ``max_denominator``: past it, the last convergent that fits is returned. The result
    is a proposal, to be checked before it is believed.

    Raises
    ------
    InputError
        For what is not finite.

    Examples
    --------
    >>> nearest_fractions([0.3333333333333, 0.5, 0.0], 1000)
    [Fraction(1, 3), Fraction(1, 2), Fraction(0, 1)]
    """
    return [_nearest_fraction(float(one), max_denominator, tolerance) for one in floats]


_ZERO = Fraction(0)


def _nearest_fraction(value: float, max_denominator: int, tolerance: float) -> Fraction:
    if not math.isfinite(value):
        raise InputError(f"no rational is near {value!r}")
    if abs(value) <= tolerance:
        return _ZERO
    allowed = tolerance * max(1.0, abs(value))
    before, numerator = 1, math.floor(value)
    denominator_before, denominator = 0, 1
    rest = value - numerator
    while abs(numerator / denominator - value) > allowed and rest > 0.0:
        inverse = 1.0 / rest
        term = math.floor(inverse)
        if term * denominator + denominator_before > max_denominator:
            break
        before, numerator = numerator, term * numerator + before
        denominator_before, denominator = denominator, term * denominator + denominator_before
        rest = inverse - term
    return Fraction(numerator, denominator)


def integer_weights(floats: Sequence[float] | NDArray[np.float64], total: int = 2**50) -> NDArray[np.int64]:
    """Return non-negative integers that sum to ``total`` exactly, in proportion to the floats.

    Divided by ``total`` they are exact rational weights near the floats. Negative floats and those below 1e-12 of
    the sum become zero; what rounding leaves over goes to the largest weight.

    Raises
    ------
    InputError
        When the floats are not finite or have no positive sum.

    Examples
    --------
    >>> integer_weights([0.5, 0.25, 0.25, -1e-17], total=8).tolist()
    [4, 2, 2, 0]
    """
    shares = np.maximum(np.asarray(floats, dtype=np.float64), 0.0)
    whole = float(shares.sum())
    if not (math.isfinite(whole) and whole > 0.0):
        raise InputError(f"weights need a positive, finite sum, got {whole!r}")
    shares = shares / whole
    shares[shares < 1e-12] = 0.0
    integers = np.rint(shares * total).astype(np.int64)
    integers[int(np.argmax(integers))] += total - int(integers.sum())
    return integers


def exact_products(matrix: NDArray[Any], integers: Sequence[int] | NDArray[Any]) -> NDArray[Any]:
    """Return ``matrix @ integers`` exactly, for an integer matrix and integers of any size.

    Parameters
    ----------
    matrix : array of shape (rows, k)
        Integers: any integer type, Python integers in an object array, or floats that hold integers below 2**53.
    integers : sequence of k int
        The vector.

    Returns
    -------
    array of shape (rows,)
        int64 when the result fits for certain, else Python integers in an object array.

    Notes
    -----
    One float64 product where no sum can leave 2**53: every partial sum is then an integer that float64 holds, so
    the product is exact in whatever order the machine adds. Larger vectors are cut into limbs that keep this true.
    """
    vector = [int(one) for one in integers]
    magnitude = sum(map(abs, vector))
    largest = _largest(matrix)
    if largest * magnitude < FLOAT_EXACT:
        return _float_products(matrix, np.array(vector, dtype=np.float64)).astype(np.int64)
    if largest * max(1, len(vector)) >= FLOAT_EXACT // 2**8:
        return np.asarray(_as_objects(matrix) @ np.array(vector, dtype=object), dtype=object)
    bits = (FLOAT_EXACT // (largest * max(1, len(vector)))).bit_length() - 1
    limbs = _limbs(vector, bits)
    parts = _float_products(matrix, limbs).astype(np.int64).astype(object)
    result = parts[:, -1]
    for place in range(limbs.shape[1] - 2, -1, -1):
        result = (result << bits) + parts[:, place]
    return np.asarray(result, dtype=object)


def _float_products(matrix: NDArray[Any], factor: NDArray[np.float64]) -> NDArray[np.float64]:
    if matrix.dtype == np.float64:
        return matrix @ factor
    # Converted in blocks that stay in the cache, a large sign matrix takes half the time and no memory.
    block = max(1, 2**16 // max(1, matrix.shape[1]))
    product = np.empty((len(matrix), *factor.shape[1:]))
    for start in range(0, len(matrix), block):
        product[start : start + block] = matrix[start : start + block].astype(np.float64) @ factor
    return product


def _largest(matrix: NDArray[Any]) -> int:
    if matrix.size == 0:
        return 0
    # Two passes without a temporary; int() first, because the absolute value of int8's -128 overflows.
    return max(abs(int(matrix.max())), abs(int(matrix.min())))


def _as_objects(matrix: NDArray[Any]) -> NDArray[Any]:
    if matrix.dtype.kind == "f":
        matrix = matrix.astype(np.int64)
    return matrix.astype(object)


def _limbs(vector: Sequence[int], bits: int) -> NDArray[np.float64]:
    """Return columns of signed limbs, least first: ``sum(limbs[:, i] << (bits * i))`` is the vector."""
    mask = (1 << bits) - 1
    count = max(1, -(-max(abs(one).bit_length() for one in vector) // bits))
    rows = [
        [(magnitude >> (bits * place) & mask) * sign for place in range(count)]
        for magnitude, sign in ((abs(one), -1 if one < 0 else 1) for one in vector)
    ]
    return np.array(rows, dtype=np.float64)


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
        self.largest = _largest(matrix)
        self.matrix = matrix.astype(np.int64) if self.largest < INT64_EXACT else _as_objects(matrix)

    @cached_property
    def _modular_inverse(self) -> tuple[int, NDArray[np.float64]] | None:
        """A prime and the inverse modulo it; None when the matrix is singular, which is then proved.

        A determinant that is a multiple of primes whose product exceeds Hadamard's bound is zero.
        """
        squared_bound = math.prod(sum(int(one) ** 2 for one in row) for row in self.matrix)
        product = 1
        for prime in _primes_for(self.size):
            inverse = _inverse_modulo(self.matrix, prime)
            if inverse is not None:
                return prime, inverse
            product *= prime
            if product**2 > squared_bound:
                return None
        raise AssertionError("ran out of primes")  # pragma: no cover - there are thousands

    @property
    def is_singular(self) -> bool:
        """Whether the determinant is zero."""
        return self.size > 0 and self._modular_inverse is None

    def solve(self, right: Sequence[Fraction | int]) -> list[Fraction] | None:
        """Return the exact x with ``matrix @ x == right``, or None when the matrix is singular."""
        return self._solve(right, transposed=False)

    def solve_transposed(self, right: Sequence[Fraction | int]) -> list[Fraction] | None:
        """Return the exact y with ``matrix.T @ y == right``, or None when the matrix is singular."""
        return self._solve(right, transposed=True)

    def _solve(self, right: Sequence[Fraction | int], *, transposed: bool) -> list[Fraction] | None:
        if len(right) != self.size:
            raise InputError(f"the right-hand side must have {self.size} entries, got {len(right)}")
        if self.size == 0:
            return []
        if self._modular_inverse is None:
            return None
        prime, inverse = self._modular_inverse
        matrix = self.matrix.T if transposed else self.matrix
        integers, scale = common_denominator(right)
        if not any(integers):
            return [_ZERO] * self.size
        digits = _digits(matrix, self.largest, inverse.T if transposed else inverse, prime, integers)
        numerators, denominator = _read_off(matrix, integers, digits, prime)
        return [Fraction(one, denominator * scale) for one in numerators]


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
    while True:
        remainder = (residual % prime).astype(np.float64)
        # size * prime**2 < 2**53 by the choice of the prime: the float product is exact.
        digit = np.rint(np.remainder(inverse @ remainder, prime)).astype(np.int64)
        yield digit
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
        next_try = steps + max(2, steps // 2)
        read = _rational_vector(lifted.tolist(), modulus)
        if read is not None:
            numerators, denominator = read
            if [int(one) for one in exact_products(matrix, numerators)] == [denominator * one for one in right]:
                return numerators, denominator
    raise AssertionError("the digits never end")  # pragma: no cover - the iterator is infinite


def _rational_vector(residues: Sequence[int], modulus: int) -> tuple[list[int], int] | None:
    """Return numerators over one small denominator that have these residues, or None when there are none."""
    bound = math.isqrt(modulus // 2)
    denominator = 1
    numerators: list[int] = []
    for residue in residues:
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
    while below > bound:
        quotient = above // below
        above, below = below, above - quotient * below
        factor_above, factor_below = factor_below, factor_above - quotient * factor_below
    return (below, factor_below) if factor_below > 0 else (-below, -factor_below)


def _primes_for(size: int) -> Iterator[int]:
    """Yield primes p, largest first, small enough that a float product of ``size`` residues is exact."""
    limit = min(2**25, math.isqrt(FLOAT_EXACT // (size + 1)))
    prime = _largest_prime_below(limit)
    while prime > 2:
        yield prime
        prime = _largest_prime_below(prime)


@lru_cache(maxsize=256)
def _largest_prime_below(limit: int) -> int:
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
            swaps.append((step, pivot_row))
        pivot = work[step].copy()
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
