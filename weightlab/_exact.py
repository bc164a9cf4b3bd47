"""Exact arithmetic: rationals from what was written, rationals near floats, products of integers; and types of numbers.

A float answer is only a proposal; exact products turn it into a proof.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from weightlab.exceptions import InputError

Number: TypeAlias = int | float | str | Decimal | Fraction
"""What is accepted where an exact number is meant: floats and text stand for the decimals that are written."""

WeightsLike: TypeAlias = Mapping[str, Number] | Sequence[Number] | Any
"""A mapping or Series from names to numbers, or a sequence in the order of the names."""

AnyArray: TypeAlias = npt.NDArray[Any]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.integer[Any]] | npt.NDArray[np.object_]
"""Integers: a NumPy integer type where they fit, Python integers in an object array otherwise."""
SignArray: TypeAlias = npt.NDArray[np.int8]

# Float64 holds every integer up to here, so sums and products that stay below it are exact in any order of summation.
FLOAT_EXACT = 2**53
INT64_EXACT = 2**63
HALF_BITS = 31
INT64_SAFE = 2**62
"""Integers below this size may be added and subtracted in int64."""

# An exponent beyond this is no score or weight anyone wrote on purpose; expanding it would fill the memory.
_LARGEST_EXPONENT = 1_000
_MOST_LETTERS = 4_300
"""Python reads no longer whole number from text, and writes none."""
_TOO_LONG = 10**_MOST_LETTERS

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?")
_RATIO = re.compile(r"[+-]?[0-9]+/0*[1-9][0-9]*")


def as_float(value: Fraction | float | None) -> float:
    """Return a number as a float: infinite beyond every float, NaN where there is none."""
    try:
        return math.nan if value is None else float(value)
    except OverflowError:
        return math.inf if value and value > 0 else -math.inf


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
        For booleans, for what is not finite or has more than 4,300 digits, and for anything that is not a number.

    Examples
    --------
    >>> fraction(0.1) + fraction("0.2") == fraction("3/10")
    True
    """
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"a truth value is not a number: {value!r}")
    if isinstance(value, (Fraction, int, np.integer)):
        number = value if isinstance(value, Fraction) else Fraction(int(value))
        if max(abs(number.numerator), number.denominator) >= _TOO_LONG:
            raise InputError(f"a number with more than {_MOST_LETTERS:,} digits")
        return number
    if isinstance(value, (float, np.floating, Decimal)):
        # str, not repr: NumPy's repr of 0.1 is np.float64(0.1), and a float32 of 0.1 is written 0.1, too.
        return _fraction_of_text(str(value), value)
    if isinstance(value, str):
        return _fraction_of_text(value.strip(), value)
    raise InputError(f"not a number: {value!r} (a {type(value).__name__}); {_ACCEPTED}")


def fraction_or_percent(text: str) -> Fraction:
    """Return the rational number that was written as `fraction` reads it, or in per cent: ``"50%"`` is 1/2."""
    number = fraction(text.removesuffix("%"))
    return number / 100 if text.endswith("%") else number


_ACCEPTED = "a number is written like 3, 0.1, 1e-3 or 1/3"


def _fraction_of_text(text: str, value: object) -> Fraction:
    if len(text) > _MOST_LETTERS and text[:1] in "+-.0123456789":
        raise InputError(f"a number with too many digits: {text[:20]}... ({len(text):,} characters)")
    decimal = _DECIMAL.fullmatch(text)
    if decimal is None and _RATIO.fullmatch(text) is None:
        raise InputError(f"not a finite number: {value!r}; {_ACCEPTED}")
    exponent = decimal["exponent"] if decimal is not None else None
    if exponent is not None and abs(int(exponent[:20])) > _LARGEST_EXPONENT:
        raise InputError(f"a number with an exponent beyond {_LARGEST_EXPONENT}: {value!r}")
    return Fraction(text)


@lru_cache(maxsize=2**17)
def shortest_decimal(double: float) -> Fraction:
    """Return the shortest decimal that reads back to a double, the one that was written; tables hold few, often.

    Examples
    --------
    >>> shortest_decimal(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(double))


def common_denominator(fractions: Sequence[Fraction | int]) -> tuple[list[int], int]:
    """Return numerators over the least common denominator, and that denominator.

    Examples
    --------
    >>> common_denominator([Fraction(1, 2), Fraction(1, 3), 1])
    ([3, 2, 6], 6)
    """
    ratios = [one.as_integer_ratio() for one in fractions]
    denominator = math.lcm(*{under for _, under in ratios})
    return [over * (denominator // under) for over, under in ratios], denominator


def nearest_fractions(floats: Sequence[float] | FloatArray, max_denominator: int) -> list[Fraction]:
    """Return for each float the first convergent of its continued fraction within 1e-10.

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
    return [_nearest_fraction(float(one), max_denominator) for one in floats]


_ZERO = Fraction(0)
_NEAR = 1e-10


def _nearest_fraction(value: float, max_denominator: int) -> Fraction:
    if not math.isfinite(value):
        raise InputError(f"no rational is near {value!r}")
    if abs(value) <= _NEAR:
        return _ZERO
    allowed = _NEAR * max(1.0, abs(value))
    # Convergents p / q by ``p = term * p + p_before``, and likewise q: each is nearer than any with a smaller
    # denominator.
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


def bits_of(rows: BoolArray) -> list[int]:
    """Return rows of truth values as integers whose ones stand at the places that are true."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def places_of(bits: int) -> Iterator[int]:
    """Yield the places of the ones in the bits of an integer, ascending.

    Examples
    --------
    >>> list(places_of(0b1101))
    [0, 2, 3]
    """
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def integer_weights(floats: Sequence[float] | FloatArray, total: int = 2**50) -> npt.NDArray[np.int64]:
    """Return non-negative integers that sum to ``total`` exactly, in proportion to the floats.

    Divided by ``total`` they are exact rational weights near the floats. Negative floats and those below 1e-12 of
    the sum become zero; what rounding leaves over goes to the largest weight.

    Raises
    ------
    InputError
        When the floats are not finite or have no positive sum, or when ``total`` is less than the square of their
        number: then rounding could leave over more than the largest weight can take.

    Examples
    --------
    >>> integer_weights([0.5, 0.25, 0.25, -1e-17], total=16).tolist()
    [8, 4, 4, 0]
    """
    shares = np.maximum(np.asarray(floats, dtype=np.float64), 0.0)
    whole = float(shares.sum())
    if not (math.isfinite(whole) and whole > 0.0):
        raise InputError(f"weights need a positive, finite sum, got {whole!r}")
    if total < len(shares) ** 2:
        raise InputError(f"{len(shares)} weights need a total of at least {len(shares) ** 2}, got {total}")
    shares[shares < 1e-12 * whole] = 0.0
    integers = np.rint(shares / float(shares.sum()) * total).astype(np.int64)
    # Each rounding is off by half a unit at most, and the largest is at least ``total / n >= n``: it stays positive.
    integers[int(np.argmax(integers))] += total - int(integers.sum())
    return integers


def exact_products(matrix: AnyArray, integers: Sequence[int] | AnyArray) -> AnyArray:
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
    largest = largest_entry(matrix)
    if largest * max(1, magnitude) < FLOAT_EXACT:
        return _float_products(matrix, np.array(vector, dtype=np.float64)).astype(np.int64)
    if largest * max(1, len(vector)) >= FLOAT_EXACT // 2**8:
        if not 2**HALF_BITS <= largest < INT64_SAFE:
            return np.asarray(as_objects(matrix) @ np.array(vector, dtype=object), dtype=object)
        # Large integers are cut into two parts of at most 31 bits, each a matrix with which floats are exact.
        high = matrix.astype(np.int64) >> HALF_BITS
        low = matrix.astype(np.int64) - (high << HALF_BITS)
        above, below = (exact_products(part, vector).astype(object) for part in (high, low))
        return np.asarray((above << HALF_BITS) + below, dtype=object)
    bits = (FLOAT_EXACT // (largest * max(1, len(vector)))).bit_length() - 1
    limbs = _limbs(vector, bits)
    parts = _float_products(matrix, limbs).astype(np.int64).astype(object)
    # Horner's rule from the highest limb down.
    result = parts[:, -1]
    for place in range(limbs.shape[1] - 2, -1, -1):
        result = (result << bits) + parts[:, place]
    return np.asarray(result, dtype=object)


def _float_products(matrix: AnyArray, factor: FloatArray) -> FloatArray:
    if matrix.dtype == np.float64:
        return matrix @ factor
    # Converted in blocks that stay in the cache, a large sign matrix takes half the time and no memory.
    block = max(1, 2**16 // max(1, matrix.shape[1]))
    product = np.empty((len(matrix), *factor.shape[1:]))
    for start in range(0, len(matrix), block):
        product[start : start + block] = matrix[start : start + block].astype(np.float64) @ factor
    return product


def largest_entry(matrix: AnyArray) -> int:
    """Return the largest absolute value in an integer matrix, 0 in an empty one."""
    if matrix.size == 0:
        return 0
    # Two passes without a temporary; int() first, because the absolute value of int8's -128 overflows.
    return max(abs(int(matrix.max())), abs(int(matrix.min())))


def as_objects(matrix: AnyArray) -> AnyArray:
    """Return an integer matrix, or one of floats that hold integers, as Python integers."""
    if matrix.dtype.kind == "f":
        matrix = matrix.astype(np.int64)
    return matrix.astype(object)


def _limbs(vector: Sequence[int], bits: int) -> FloatArray:
    """Return columns of signed limbs, least first: ``sum(limbs[:, i] << (bits * i))`` is the vector."""
    mask = (1 << bits) - 1
    count = max(1, -(-max(abs(one).bit_length() for one in vector) // bits))
    rows = [
        [(magnitude >> (bits * place) & mask) * sign for place in range(count)]
        for magnitude, sign in ((abs(one), -1 if one < 0 else 1) for one in vector)
    ]
    return np.array(rows, dtype=np.float64)
