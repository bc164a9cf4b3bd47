"""Integer programs: exact points and values, optimality on the solver's word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests._solver.brute_force import integer_optimum as slow_integer_optimum
from tests._solver.row_pool import RowPool
from tests._solver.strategies import formulations
from tests._solver.test_solution import market_split
from weightlab._solver import Formulation, Rows, Sense, Solution, Status, integer_optimum
from weightlab._solver.integer_program import _exact_point
from weightlab.exceptions import ImpossibleError, ProofError, SolverError, TimeLimitError, UnprovedError

ONE_SOLVER = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=30
)


@ONE_SOLVER
@given(formulation=formulations(finite=True, integral=True))
def test_the_optimum_is_that_of_the_enumeration_of_points(solver, formulation):
    formulation = replace(formulation, integral=(True,) * len(formulation.columns))
    answer = slow_integer_optimum(formulation)
    if answer == "infeasible":
        with pytest.raises(ImpossibleError):
            integer_optimum(formulation)
    else:
        optimum = integer_optimum(formulation)
        optimum.check()
        assert optimum.value == answer
        assert optimum.solver == {"highs": "HiGHS", "cbc": "CBC"}[solver]


@ONE_SOLVER
@given(formulation=formulations(finite=True, integral=True))
def test_lazy_rows_give_the_optimum_of_all_rows(solver, formulation):
    formulation = replace(formulation, integral=(True,) * len(formulation.columns))
    answer = slow_integer_optimum(formulation)
    without = replace(formulation, rows=Rows.none(len(formulation.columns)))
    if answer == "infeasible":
        with pytest.raises(ImpossibleError):
            integer_optimum(without, lazy=RowPool(formulation.rows, batch=1))
    else:
        optimum = integer_optimum(without, lazy=RowPool(formulation.rows, batch=1))
        optimum.check()
        assert optimum.value == answer
        assert formulation.rows.violated_exactly([int(one) for one in optimum.x], 1) == []


MIXED = Formulation(
    name="mixed",
    sense=Sense.MAXIMISE,
    columns=("x", "y"),
    objective=(3, 2),
    rows=Rows.from_dicts([{0: 2, 1: 1}, {0: 1, 1: 3}], width=2, upper=[Fraction(7, 2), 5], labels=("first", "second")),
    lower=(0, 0),
    upper=(None, None),
    integral=(True, False),
)


def test_no_preprocessing_excludes_the_optimum(solver):
    """With its own preprocessing CBC 2.10.3 calls 1 optimal."""
    formulation = replace(
        MIXED,
        sense=Sense.MINIMISE,
        objective=(2, -1),
        rows=Rows.from_dicts([{}, {0: -1, 1: 2}], width=2, lower=0, upper=[0, 1], labels=("empty", "full")),
        upper=(1, 1),
        integral=(True, True),
    )
    assert integer_optimum(formulation).value == 0


def test_the_continuous_part_of_a_mixed_program_is_exact(solver):
    optimum = integer_optimum(MIXED)
    optimum.check()
    assert optimum.x == (1, Fraction(4, 3))
    assert optimum.value == Fraction(17, 3)


def test_a_program_without_even_fractions_is_proved_to_have_no_integers(solver):
    impossible = replace(MIXED, rows=Rows.join(MIXED.rows, Rows.from_dicts([{1: 1}], width=2, lower=9, labels=("y",))))
    with pytest.raises(ImpossibleError, match="'second', 'y'") as caught:
        integer_optimum(impossible)
    caught.value.proof.check()


def test_a_program_with_fractions_alone_has_no_integers_on_the_solvers_word(solver):
    odd = replace(MIXED, upper=(9, 9), rows=Rows.from_dicts([{0: 2}], width=2, lower=1, upper=1, labels=("odd",)))
    with pytest.raises(ImpossibleError, match="no integers") as caught:
        integer_optimum(odd)
    assert caught.value.proof is None


def test_an_unbounded_program_says_so(solver):
    with pytest.raises(SolverError, match="unbounded"):
        integer_optimum(replace(MIXED, rows=Rows.none(2)))


def test_a_time_limit_raises_with_what_is_known(solver):
    with pytest.raises(TimeLimitError) as caught:
        integer_optimum(market_split(), time_limit=0.5)
    known = caught.value.known
    assert set(known) == {"value", "x", "bound"}
    if known["value"] is not None:
        assert isinstance(known["value"], Fraction)
        assert sum(known["x"][40:]) == known["value"]


@pytest.mark.parametrize(
    ("x", "bound"),
    [([2.0, 0.0], 6.0), ([1.4, 0.0], 17 / 3), ([1.0, 1.3], 6.0), ([-1.0, 1.5], 17 / 3)],
    ids=["infeasible", "not integral", "not the bound", "out of bounds"],
)
def test_a_claim_that_does_not_check_is_not_returned(x, bound):
    claim = Solution(status=Status.OPTIMAL, value=bound, x=np.array(x), bound=bound)
    with pytest.raises(UnprovedError):
        _exact_point(MIXED, claim, None)


def test_a_value_a_whole_step_from_the_bound_is_not_optimal():
    whole = replace(MIXED, integral=(True, True))
    point = np.array([1.0, 1.0])
    assert _exact_point(whole, Solution(status=Status.OPTIMAL, x=point, bound=5.9), None).value == 5
    with pytest.raises(UnprovedError):
        _exact_point(whole, Solution(status=Status.OPTIMAL, x=point, bound=6.0), None)


def test_a_corrupted_optimum_fails_the_check():
    optimum = integer_optimum(MIXED)
    for changes in (
        {"value": optimum.value + 1},
        {"x": (optimum.x[0] + 1, optimum.x[1])},
        {"x": (Fraction(1, 2), optimum.x[1])},
        {"x": (optimum.x[0],)},
        {"x": (optimum.x[0], optimum.x[1] + Fraction(1, 10**20))},
        {"formulation": replace(MIXED, integral=(True, True))},
        {"formulation": replace(MIXED, upper=(0, None))},
    ):
        with pytest.raises(ProofError, match="mixed"):
            replace(optimum, **changes).check()
