"""Sparse integer matrices with exact products."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weightlab._solver import IntegerMatrix
from weightlab.exceptions import SolverError


@st.composite
def dense_matrices(draw, largest=3):
    rows, columns = draw(st.integers(0, 5)), draw(st.integers(1, 5))
    entries = st.integers(-largest, largest) | st.just(0)
    drawn = draw(st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    return np.array(drawn, dtype=object).reshape(rows, columns)


SIZES = st.sampled_from([1, 2**30, 2**61, 2**90])


def dense_of(matrix):
    """Return the dense form, read row by row."""
    dense = np.zeros((len(matrix), matrix.width), dtype=object)
    for row in range(len(matrix)):
        for column, value in matrix.row(row).items():
            dense[row, column] = value
    return dense


@given(SIZES.flatmap(dense_matrices))
def test_the_sparse_form_holds_the_dense_one(dense):
    matrix = IntegerMatrix.from_dense(dense)
    assert (dense_of(matrix) == dense).all()
    assert 0 not in matrix.coefficients.tolist()
    assert matrix.largest == max(map(abs, dense.ravel().tolist()), default=0)


@given(SIZES.flatmap(dense_matrices))
def test_rows_as_mappings_give_the_same_matrix(dense):
    rows = [dict(enumerate(row)) for row in dense.tolist()]
    assert (dense_of(IntegerMatrix.from_entries(rows, dense.shape[1])) == dense).all()


@given(SIZES.flatmap(dense_matrices), st.data())
def test_products_are_exact(dense, data):
    largest = data.draw(SIZES)
    numbers = st.lists(st.integers(-largest, largest), min_size=dense.shape[1], max_size=dense.shape[1])
    vector = data.draw(numbers)
    expected = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in dense.tolist()]
    assert IntegerMatrix.from_dense(dense).products(vector) == expected
    assert IntegerMatrix.from_dense(dense.T).products(vector, transposed=True) == expected


@given(dense_matrices(), st.data())
def test_float_products_with_the_transpose_are_those_of_its_rows(dense, data):
    vector = np.array(data.draw(st.lists(st.floats(-10, 10), min_size=len(dense), max_size=len(dense))))
    found = IntegerMatrix.from_dense(dense).float_products(vector, transposed=True)
    assert np.allclose(found, dense.T.astype(float) @ vector)


@given(dense_matrices(), st.data())
def test_taken_rows_and_blocks_are_those_of_the_dense_matrix(dense, data):
    rows = data.draw(st.lists(st.integers(0, len(dense) - 1))) if len(dense) else []
    columns = data.draw(st.lists(st.integers(0, dense.shape[1] - 1), unique=True))
    rows, columns = np.array(rows, dtype=int), np.array(columns, dtype=int)
    matrix = IntegerMatrix.from_dense(dense)
    assert (dense_of(matrix.take(rows)) == dense[rows]).all()
    assert (matrix.block(rows.tolist(), columns.tolist()) == dense[np.ix_(rows, columns)]).all()


@given(dense_matrices(), dense_matrices())
def test_stacked_matrices_follow_each_other(first, second):
    if first.shape[1] == second.shape[1]:
        stacked = IntegerMatrix.stack([IntegerMatrix.from_dense(first), IntegerMatrix.from_dense(second)])
        assert (dense_of(stacked) == np.concatenate([first, second])).all()


@given(dense_matrices(), st.data())
def test_float_products_round_as_floats_do(dense, data):
    floats = st.lists(st.floats(-10, 10), min_size=dense.shape[1], max_size=dense.shape[1])
    vector = np.array(data.draw(floats))
    assert np.allclose(IntegerMatrix.from_dense(dense).float_products(vector), dense.astype(float) @ vector)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint8, bool])
def test_signs_of_any_type_are_kept(kind):
    dense = np.array([[1, 0, 1], [0, 0, 0]], dtype=kind)
    matrix = IntegerMatrix.from_dense(dense)
    assert matrix.coefficients.dtype == np.int64
    assert dense_of(matrix).tolist() == [[1, 0, 1], [0, 0, 0]]


def test_coefficients_beyond_every_float_are_refused_in_one_sentence():
    matrix = IntegerMatrix.from_dense(np.array([[10**400, 1]], dtype=object))
    with pytest.raises(SolverError, match="too large for the floats"):
        matrix.floats  # noqa: B018 - made when it is first asked for
