"""Exact arithmetic: rationals from what was written, rationals near floats, products of integers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weightlab._exact import (
    common_denominator,
    exact_products,
    fraction,
    integer_weights,
    largest_entry,
    nearest_fractions,
)
from weightlab.exceptions import InputError

FINITE = st.floats(allow_nan=False, allow_infinity=False)
RATIONALS = st.fractions(max_denominator=10**6)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (3, Fraction(3)),
        (Fraction(2, 6), Fraction(1, 3)),
        (Decimal("0.10"), Fraction(1, 10)),
        (Decimal("1E-3"), Fraction(1, 1000)),
        (0.1, Fraction(1, 10)),
        (-2.5e-3, Fraction(-1, 400)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        (np.int64(-7), Fraction(-7)),
        (np.uint8(200), Fraction(200)),
        ("0.1", Fraction(1, 10)),
        (" 1e-3 ", Fraction(1, 1000)),
        ("1/3", Fraction(1, 3)),
        ("-4/06", Fraction(-2, 3)),
        ("+.5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1E+2", Fraction(100)),
    ],
    ids=repr,
)
def test_a_number_is_the_rational_that_was_written(written, meant):
    assert fraction(written) == meant
    assert type(fraction(written)) is Fraction


@pytest.mark.parametrize(
    "written",
    [
        True,
        np.True_,
        float("nan"),
        float("inf"),
        np.float64("-inf"),
        Decimal("NaN"),
        Decimal("Infinity"),
        "",
        "nan",
        "inf",
        "abc",
        "1,5",
        "1_000",
        "1/0",
        "1/00",
        "1/2/3",
        "0.5/2",
        "٣",
        "1 / 3",
        "1e",
        None,
        1j,
        [1],
        b"1",
    ],
    ids=repr,
)
def test_what_is_no_finite_number_is_refused_with_what_was_found(written):
    with pytest.raises(InputError, match="number") as caught:
        fraction(written)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "written", ["1e1001", "-1E-5000", "1e99999999999999999999999999", Decimal("1e2000"), "9" * 9999]
)
def test_a_number_that_would_fill_the_memory_is_refused(written):
    with pytest.raises(InputError):
        fraction(written)


def test_a_number_that_could_not_be_written_is_refused():
    assert fraction(1 - 10**4300) < 0
    for number in (10**4300, -(10**4300), Fraction(1, 10**4300)):
        with pytest.raises(InputError, match="a number with more than 4,300 digits"):
            fraction(number)


@given(FINITE)
def test_a_float_is_the_decimal_of_its_repr(number):
    assert fraction(number) == Fraction(Decimal(repr(number)))
    assert float(fraction(number)) == number


def test_a_tenth_and_two_tenths_are_three_tenths():
    assert fraction(0.1) + fraction(0.2) == fraction(0.3)


@given(st.lists(RATIONALS))
def test_the_common_denominator_is_the_least(numbers):
    numerators, denominator = common_denominator(numbers)
    assert [Fraction(one, denominator) for one in numerators] == numbers
    assert all(
        any(number * smaller != int(number * smaller) for number in numbers)
        for smaller in (denominator // factor for factor in (2, 3, 5, 7) if denominator % factor == 0)
    )


@given(st.lists(st.fractions(max_denominator=1000, min_value=-100, max_value=100)))
def test_simple_fractions_are_recovered_from_their_floats(numbers):
    assert nearest_fractions([float(one) for one in numbers], 1000) == numbers


@given(st.floats(-1e6, 1e6), st.integers(1, 10**6))
def test_a_rational_near_a_float_keeps_within_the_denominator(number, most):
    (near,) = nearest_fractions([number], most)
    assert near.denominator <= most
    assert abs(near - Fraction(number)) <= max(Fraction(1, near.denominator), abs(Fraction(number)) / 10**9)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_no_rational_is_near_what_is_not_finite(number):
    with pytest.raises(InputError):
        nearest_fractions([number], 10)


WEIGHTS = st.lists(st.floats(0, 1), min_size=1, max_size=50).filter(lambda floats: sum(floats) > 1e-3)


@given(WEIGHTS, st.integers(2500, 2**60) | st.integers(2500, 2600))
def test_integer_weights_are_not_negative_and_sum_to_the_total(floats, total):
    integers = integer_weights(floats, total)
    assert integers.dtype == np.int64
    assert int(integers.sum()) == total
    assert integers.min() >= 0


@given(st.integers(1, 12), st.integers(1, 144))
def test_a_total_too_small_to_round_to_is_refused(count, total):
    if total < count**2:
        with pytest.raises(InputError, match="total"):
            integer_weights([1.0] * count, total)
    else:
        assert integer_weights([1.0] * count, total).min() >= 0


@given(WEIGHTS)
def test_integer_weights_are_near_the_floats(floats):
    shares = np.array(floats) / sum(floats)
    assert np.allclose(integer_weights(floats) / 2**50, shares, rtol=0, atol=1e-11)


def test_weights_within_the_solvers_noise_become_zero():
    assert integer_weights([0.5, 0.5, 1e-15, -1e-12]).tolist() == [2**49, 2**49, 0, 0]


@pytest.mark.parametrize("floats", [[], [0.0], [-1.0], [float("nan"), 1.0], [float("inf")]])
def test_weights_without_a_positive_sum_are_refused(floats):
    with pytest.raises(InputError, match="sum"):
        integer_weights(floats)


def slow_products(matrix, vector):
    return [sum(int(entry) * int(one) for entry, one in zip(row, vector, strict=True)) for row in matrix.tolist()]


@given(
    st.integers(0, 6),
    st.integers(0, 6),
    st.sampled_from([1, 2**20, 2**50, 2**62, 2**100]),
    st.sampled_from([1, 2**30, 2**53, 2**64, 2**400]),
    st.data(),
)
def test_products_are_exact_for_integers_of_any_size(rows, columns, largest, longest, data):
    entries = st.integers(-largest, largest)
    matrix = data.draw(st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    vector = data.draw(st.lists(st.integers(-longest, longest), min_size=columns, max_size=columns))
    dense = np.array(matrix, dtype=np.int64 if largest < 2**63 else object).reshape(rows, columns)
    assert exact_products(dense, vector).tolist() == slow_products(dense, vector)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.float64, object])
@pytest.mark.parametrize("longest", [2**40, 2**52, 2**53, 2**70])
def test_products_of_signs_are_exact_in_every_type(kind, longest):
    rng = np.random.default_rng(5)
    signs = rng.integers(-1, 2, (300, 40)).astype(kind)
    vector = [int(one) * longest + int(one) % 3 for one in rng.integers(-9, 10, 40)]
    assert exact_products(signs, vector).tolist() == slow_products(signs.astype(int), vector)


def test_a_float_product_would_not_be_exact_where_the_limbs_are():
    signs = np.array([[1, 1, -1]], dtype=np.int8)
    vector = [2**60, 1, 2**60]
    assert (signs.astype(float) @ np.array(vector, dtype=float))[0] == 0.0
    assert exact_products(signs, vector).tolist() == [1]


def test_the_largest_entry_of_int8_may_be_128():
    assert largest_entry(np.array([[-128, 127]], dtype=np.int8)) == 128
    assert largest_entry(np.zeros((0, 3), dtype=np.int8)) == 0


def test_numbers_beyond_floats_times_nothing_are_nothing():
    assert exact_products(np.array([[10**400, 1]], dtype=object), [0, 0]).tolist() == [0]
