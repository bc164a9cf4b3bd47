"""Formulations: exact in every number, refused when they make no sense."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from tests._solver.row_pool import RowPool
from tests._solver.strategies import formulations
from weightlab._solver import Formulation, Rows, Sense
from weightlab.exceptions import InputError

ROWS = Rows.from_dicts(
    [{0: Fraction(1, 2), 1: Fraction(-2, 3)}, {1: 4}, {}],
    width=2,
    lower=[Fraction(1, 4), None, 0],
    upper=[1, 8, None],
    labels=("mixed", "whole", "empty"),
)
PROGRAM = Formulation(
    name="program",
    sense=Sense.MAXIMISE,
    columns=("x", "y"),
    objective=(1, Fraction(1, 2)),
    rows=ROWS,
    lower=(0, None),
    upper=(1, None),
)


def test_a_row_with_fractions_is_multiplied_with_its_bounds():
    assert ROWS.matrix.row(0) == {0: 3, 1: -4}
    assert (ROWS.lower[0], ROWS.upper[0]) == (Fraction(3, 2), 6)
    assert (ROWS.matrix.row(1), ROWS.lower[1], ROWS.upper[1]) == ({1: 4}, None, 8)
    assert ROWS.matrix.row(2) == {}


def test_a_dense_matrix_and_mappings_give_the_same_rows():
    signs = np.array([[1, 0, -1], [0, 0, 1]], dtype=np.int8)
    dense = Rows.from_matrix(signs, lower=0, labels=("a", "b"))
    sparse = Rows.from_dicts([{0: 1, 2: -1}, {2: 1}], width=3, lower=0, labels=("a", "b"))
    assert [dense.matrix.row(row) for row in range(2)] == [sparse.matrix.row(row) for row in range(2)]
    assert (dense.lower, dense.upper) == (sparse.lower, sparse.upper) == ((0, 0), (None, None))


def test_joined_rows_can_be_taken_apart():
    joined = Rows.join(ROWS, Rows.none(2), ROWS)
    assert len(joined) == 6
    again = joined.take([3, 4, 5])
    assert (again.lower, again.upper, tuple(again.labels)) == (ROWS.lower, ROWS.upper, ROWS.labels)
    assert [again.matrix.row(row) for row in range(3)] == [ROWS.matrix.row(row) for row in range(3)]


@given(formulations())
def test_violations_in_floats_and_exactly_agree_at_a_point_of_small_integers(formulation):
    width = len(formulation.columns)
    for point in ([0] * width, [1] * width, [-2] * width):
        exactly = formulation.rows.violated_exactly(point, 1)
        floats = formulation.rows.violations(np.array(point, dtype=float))
        assert exactly == np.flatnonzero(floats > 1e-9).tolist()


def test_a_pool_hands_out_the_most_violated_rows_first():
    rows = Rows.from_dicts([{0: 1}] * 4, width=1, upper=[3, 1, 2, None], labels=tuple("abcd"))
    pool = RowPool(rows, batch=2)
    assert pool.violated(np.array([2.5])).labels == ("b", "c")
    assert pool.violated(np.array([1.0])) is None
    assert pool.violated_exactly([Fraction(7, 2)]).labels == ("a", "b")
    assert pool.violated_exactly([Fraction(1)]) is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"columns": ("x",)}, "1 columns need"),
        ({"objective": (1, 2, 3)}, "2 columns need"),
        ({"lower": (0,)}, "2 columns need"),
        ({"integral": (True,)}, "integral: 1"),
        ({"rows": Rows.none(3)}, "2 columns need"),
        ({"upper": (-1, None)}, "column 'x' has the lower bound 0 above its upper bound -1"),
        ({"columns": (), "objective": (), "rows": Rows.none(0), "lower": (), "upper": ()}, "no variable"),
    ],
    ids=["columns", "objective", "bounds", "integral", "rows", "crossed", "empty"],
)
def test_a_program_that_does_not_fit_together_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        replace(PROGRAM, **changes)


def test_rows_that_do_not_fit_together_are_refused():
    with pytest.raises(InputError, match="row 'whole' has the lower bound 9 above its upper bound 8"):
        replace(ROWS, lower=(None, 9, None))
    with pytest.raises(InputError, match="3 rows need as many"):
        replace(ROWS, labels=("one",))


@pytest.mark.parametrize(
    ("objective", "integral", "step"),
    [
        ((4, 6), (True, True), 2),
        ((Fraction(1, 2), Fraction(1, 3)), (True, True), Fraction(1, 6)),
        ((3, 0), (True, False), 3),
        ((3, 1), (True, False), None),
        ((3, 1), (), None),
        ((0, 0), (True, True), None),
    ],
)
def test_an_objective_over_integers_takes_multiples_of_a_step(objective, integral, step):
    assert replace(PROGRAM, objective=objective, integral=integral).objective_step == step


def test_a_relaxed_program_forgets_integrality_alone():
    program = replace(PROGRAM, integral=(True, False))
    assert program.is_integer_program
    assert not program.relaxed().is_integer_program
    assert program.relaxed().rows is program.rows
