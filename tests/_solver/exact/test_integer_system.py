"""Square systems of integers, solved exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests._solver.brute_force import gauss
from weightlab._exact import common_denominator
from weightlab._solver import IntegerSystem, solve_integer_system
from weightlab._solver.exact.integer_system import _inverse_modulo, _primes_for
from weightlab.exceptions import InputError

NUMBERS = st.fractions(max_denominator=50) | st.integers(-(10**30), 10**30)


def as_array(rows, size):
    """Return an object array of shape (size, size)."""
    return np.array(rows, dtype=object).reshape(size, size)


@st.composite
def systems(draw, largest):
    size = draw(st.integers(0, 6))
    entries = st.integers(-largest, largest)
    rows = draw(st.lists(st.lists(entries, min_size=size, max_size=size), min_size=size, max_size=size))
    return as_array(rows, size), draw(st.lists(NUMBERS, min_size=size, max_size=size))


@given(st.sampled_from([1, 2, 9, 10**9, 10**19, 10**30]).flatmap(systems))
def test_the_solution_is_that_of_gaussian_elimination(system):
    matrix, right = system
    assert solve_integer_system(matrix, right) == gauss(matrix.tolist(), right)


@given(st.sampled_from([1, 10**30]).flatmap(systems))
def test_the_transposed_system_shares_the_inverse(system):
    matrix, right = system
    solved = IntegerSystem(matrix).solve_over_common(right, transposed=True)
    expected = gauss(matrix.T.tolist(), right)
    assert (solved is None) == (expected is None)
    if solved is not None:
        numerators, denominator = solved
        assert [Fraction(one, denominator) for one in numerators] == expected


@given(systems(3))
def test_a_matrix_with_a_repeated_row_is_singular(system):
    matrix, right = system
    if len(matrix) > 1:
        matrix[0] = matrix[-1] * 2
        assert solve_integer_system(matrix, right) is None
        assert IntegerSystem(matrix).solve_over_common(right, transposed=True) is None
        assert IntegerSystem(matrix).is_singular


def test_a_singular_matrix_is_singular_for_zero_too():
    assert solve_integer_system(np.zeros((2, 2), dtype=np.int64), [0, 0]) is None


def test_a_matrix_that_is_singular_modulo_the_first_primes_is_not_singular():
    first, second, third = (prime for prime, _ in zip(_primes_for(2), range(3), strict=False))
    matrix = np.array([[first * second, 0], [0, third]], dtype=object)
    assert solve_integer_system(matrix, [1, 1]) == [Fraction(1, first * second), Fraction(1, third)]


def test_the_empty_system_has_the_empty_solution():
    assert solve_integer_system(np.zeros((0, 0), dtype=np.int64), []) == []


@pytest.mark.parametrize("kind", [np.int8, np.int64, object, float])
def test_integers_may_come_in_any_type(kind):
    assert solve_integer_system(np.array([[2, 1], [-1, 1]], dtype=kind), [1, 0]) == [Fraction(1, 3), Fraction(1, 3)]


@pytest.mark.parametrize(("size", "largest"), [(40, 1), (90, 1), (30, 2**40)])
def test_large_systems_satisfy_their_equations(size, largest):
    rng = np.random.default_rng(size)
    matrix = rng.integers(-largest, largest + 1, (size, size))
    right = rng.integers(-5, 6, size).tolist()
    solution = solve_integer_system(matrix, right)
    numerators, denominator = common_denominator(solution)
    products = matrix.astype(object) @ np.array(numerators, dtype=object)
    assert products.tolist() == [denominator * one for one in right]


@pytest.mark.parametrize("size", [1, 7, 60])
def test_the_inverse_modulo_a_prime_is_one(size):
    prime = next(_primes_for(size))
    matrix = np.random.default_rng(size).integers(-9, 10, (size, size)) + 20 * np.eye(size, dtype=np.int64)
    inverse = _inverse_modulo(matrix, prime).astype(np.int64).astype(object)
    assert (inverse @ matrix.astype(object) % prime == np.eye(size, dtype=object)).all()


@pytest.mark.parametrize("size", [1, 10, 500, 5000])
def test_a_float_product_of_residues_is_exact(size):
    prime = next(_primes_for(size))
    assert size * (prime - 1) ** 2 < 2**53
    assert all(prime % divisor for divisor in range(2, int(prime**0.5) + 1))


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(InputError, match="square"):
        solve_integer_system(np.zeros((2, 3), dtype=np.int64), [1, 1])


def test_a_right_hand_side_of_another_length_is_refused():
    with pytest.raises(InputError, match="2 entries, got 1"):
        solve_integer_system(np.eye(2, dtype=np.int64), [1])
