"""HiGHS and CBC: the same answers in one convention."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import highspy
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests._solver.brute_force import integer_optimum as slow_integer_optimum
from tests._solver.brute_force import linear_optimum
from tests._solver.row_pool import RowPool
from tests._solver.strategies import LARGE, formulations
from weightlab._solver import Formulation, Place, Rows, Sense, Status, cbc, highs, open_program, solve
from weightlab._solver.highs import Program
from weightlab._solver.solve import opened
from weightlab.exceptions import InputError, SolverError

# The solver is set once for all examples, as it is meant to be.
ONE_SOLVER = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40
)
ENDINGS = {"infeasible": Status.INFEASIBLE, "unbounded": Status.UNBOUNDED}


def box(sense, objective, rows, *, lower=(0, 0), upper=(10, 10), low=None, high=None, integral=()):
    """Return a program over two variables."""
    return Formulation(
        name="box",
        sense=sense,
        columns=("x", "y"),
        objective=objective,
        rows=Rows.from_dicts(rows, width=2, lower=low, upper=high, labels=tuple(f"r{row}" for row in range(len(rows)))),
        lower=lower,
        upper=upper,
        integral=integral,
    )


@ONE_SOLVER
@given(formulation=formulations())
def test_every_solver_ends_as_the_enumeration_of_vertices_does(solver, formulation):
    answer = linear_optimum(formulation)
    solution = solve(formulation)
    if isinstance(answer, str):
        assert solution.status is ENDINGS[answer]
        assert solution.x is None
    else:
        assert solution.status is Status.OPTIMAL
        assert solution.value == pytest.approx(float(answer), abs=1e-6)
        assert float(formulation.rows.violations(solution.x).max(initial=0)) < 1e-6


def test_a_point_has_more_digits_than_cbc_writes(solver):
    """At a third of 10^6 seven decimals leave a row of such coefficients off by 0.03."""
    huge = 10**6
    program = box(Sense.MAXIMISE, (1, 1), [{0: 3 * huge, 1: 1 - huge}], upper=(huge, huge), high=[huge])
    solution = solve(program)
    assert solution.status is Status.OPTIMAL
    assert float(program.rows.violations(solution.x).max()) < 1e-6


@ONE_SOLVER
@given(formulation=formulations(numbers=LARGE))
def test_how_a_program_of_large_numbers_ends_is_not_left_to_the_digits_of_cbc(formulation):
    answer = linear_optimum(formulation)
    solution = cbc.CbcProgram(formulation).solve()
    if isinstance(answer, str):
        assert solution.status is ENDINGS[answer]
    else:
        assert solution.value == pytest.approx(float(answer), rel=1e-12, abs=1e-12)


def test_columns_may_be_confined_by_no_bound(solver):
    program = box(Sense.MINIMISE, (1, 1), [{0: 1, 1: 2}], low=[-6])
    with opened(program) as confined:
        confined.confine(np.array([-np.inf, 0]), np.array([np.inf, 0]))
        assert confined.solve().value == pytest.approx(-6)


@ONE_SOLVER
@given(formulation=formulations(finite=True, integral=True))
def test_integer_programs_end_as_the_enumeration_of_points_does(solver, formulation):
    formulation = replace(formulation, integral=(True,) * len(formulation.columns))
    answer = slow_integer_optimum(formulation)
    solution = solve(formulation)
    if answer == "infeasible":
        assert solution.status is Status.INFEASIBLE
    else:
        assert solution.status is Status.OPTIMAL
        assert solution.value == pytest.approx(float(answer), abs=1e-6)
        assert solution.duals is None


@ONE_SOLVER
@given(formulation=formulations(finite=True))
def test_duals_and_reduced_costs_bound_the_value_from_both_senses(solver, formulation):
    solution = solve(formulation)
    if solution.status is not Status.OPTIMAL:
        return
    products = formulation.rows.matrix.float_products(solution.duals, transposed=True)
    assert np.allclose(solution.reduced_costs, formulation.float_objective - products, atol=1e-6)
    sign = 1 if formulation.sense is Sense.MAXIMISE else -1
    multipliers = np.concatenate([solution.duals, solution.reduced_costs])
    lower = np.concatenate([formulation.rows.float_lower, formulation.float_lower])
    upper = np.concatenate([formulation.rows.float_upper, formulation.float_upper])
    used = np.where(sign * multipliers > 0, upper, lower)
    used[np.abs(multipliers) < 1e-7] = 0.0
    assert float(multipliers @ used) == pytest.approx(solution.value, abs=1e-5)


@pytest.mark.parametrize("sense", list(Sense))
@pytest.mark.parametrize(
    ("low", "high"), [(None, 6), (2, None), (4, 4), (2, 6)], ids=["at most", "at least", "equal", "range"]
)
def test_a_dual_is_the_rate_at_which_the_value_changes_with_the_bound(solver, sense, low, high):
    """Found by moving the bound, for both senses and every kind of row."""
    rows = [{0: 1, 1: 1}, {0: 1, 1: -1}]

    def value(shift):
        moved = (None if low is None else low + shift, None if high is None else high + shift)
        return solve(box(sense, (3, 1), rows, low=[moved[0], -20], high=[moved[1], 20], upper=(10, 3)))

    solution = value(0)
    rate = (value(Fraction(1, 10)).value - value(Fraction(-1, 10)).value) / 0.2
    assert solution.duals[0] == pytest.approx(rate, abs=1e-6)
    assert solution.duals[1] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("sense", list(Sense))
def test_a_reduced_cost_is_the_rate_at_which_the_value_changes_with_the_variables_bound(solver, sense):
    rows = [{0: 1, 1: 1}]
    solution = solve(box(sense, (3, 1), rows, low=4, high=6, lower=(1, 1), upper=(2, 9)))
    moved = solve(box(sense, (3, 1), rows, low=4, high=6, lower=(Fraction(11, 10), 1), upper=(Fraction(21, 10), 9)))
    assert solution.reduced_costs[0] == pytest.approx((moved.value - solution.value) * 10, abs=1e-6)


def test_a_dual_of_a_row_with_huge_coefficients_is_that_of_the_row(solver):
    huge = 10**12
    rows = [{0: huge, 1: huge}]
    solution = solve(box(Sense.MAXIMISE, (1, 0), rows, high=3 * huge))
    assert solution.value == pytest.approx(3)
    assert solution.duals[0] * huge == pytest.approx(1)


def test_integer_optima_have_no_gap_left(solver):
    """A relative gap of 1e-4, at which HiGHS stops by default, would allow hundreds of wrong values here."""
    rng = np.random.default_rng(3)
    costs = (10**6 + rng.integers(0, 100, 30)).tolist()
    sizes = rng.integers(20, 60, 30).tolist()
    formulation = Formulation(
        name="knapsack",
        sense=Sense.MAXIMISE,
        columns=tuple(f"item {item}" for item in range(30)),
        objective=tuple(costs),
        rows=Rows.from_matrix(np.array([sizes]), upper=500, labels=("size",)),
        lower=(0,) * 30,
        upper=(1,) * 30,
        integral=(True,) * 30,
    )
    best = {0: 0}
    for cost, size in zip(costs, sizes, strict=True):
        best |= {
            total + size: max(best.get(total + size, 0), value + cost)
            for total, value in list(best.items())
            if total + size <= 500
        }
    solution = solve(formulation)
    assert round(solution.value) == max(best.values())
    assert abs(solution.bound - solution.value) < 1


def test_lazy_rows_give_the_optimum_of_all_rows(solver):
    rng = np.random.default_rng(8)
    signs = rng.integers(-1, 2, (60, 8)).astype(np.int8)
    matrix = np.hstack([signs, -np.ones((60, 1), dtype=np.int8)])
    simplex = Rows.from_dicts([dict.fromkeys(range(8), 1)], width=9, lower=1, upper=1, labels=("sum",))
    duels = Rows.from_matrix(matrix, lower=0, labels=tuple(f"rival {row}" for row in range(60)))
    base = Formulation(
        name="margin",
        sense=Sense.MAXIMISE,
        columns=(*(f"t{task}" for task in range(8)), "margin"),
        objective=(0,) * 8 + (1,),
        rows=Rows.join(simplex, duels.take([0])),
        lower=(0,) * 8 + (None,),
        upper=(None,) * 9,
    )
    whole = solve(base.with_rows(duels))
    lazily = solve(base, lazy=RowPool(duels, batch=3))
    assert lazily.value == pytest.approx(whole.value, abs=1e-7)
    integral = replace(base, objective=(*range(8), 1), integral=(True,) * 8 + (False,))
    whole = solve(integral.with_rows(duels))
    lazily = solve(integral, lazy=RowPool(duels, batch=3))
    assert lazily.value == pytest.approx(whole.value, abs=1e-6)


def test_rows_added_to_an_open_program_hold_in_the_next_solution(solver):
    program = open_program(box(Sense.MAXIMISE, (1, 1), [{0: 1}], high=5))
    assert program.solve().value == pytest.approx(15)
    program.add_rows(Rows.from_dicts([{0: 1, 1: 1}], width=2, upper=7, labels=("both",)))
    program.add_rows(Rows.none(2))
    solution = program.solve()
    assert solution.value == pytest.approx(7)
    assert len(solution.duals) == 2
    assert solution.duals[1] == pytest.approx(1)
    assert program.formulation.rows.labels == ("r0", "both")


def test_a_replaced_program_is_forgotten(solver):
    first = box(Sense.MAXIMISE, (1, 1), [{0: 1}], high=5)
    second = box(Sense.MAXIMISE, (3, 2), [{0: 2, 1: 3}], high=12)
    program = open_program(first)
    program.add_rows(Rows.from_dicts([{0: 1, 1: 1}], width=2, upper=7, labels=("both",)))
    assert program.solve().value == pytest.approx(7)
    program.replace(second)
    afresh, again = open_program(second).solve(), program.solve()
    assert again.value == afresh.value
    assert again.x.tolist() == afresh.x.tolist()
    assert again.duals.tolist() == afresh.duals.tolist()
    assert program.formulation == second


@given(formulations(), formulations(integral=True))
def test_an_instance_that_served_another_program_answers_as_a_new_one(first, second):
    for served, asked in ((first, second), (second, first)):
        highs._IDLE.instances.clear()
        afresh = Program(asked)
        expected, basis = afresh.solve(), afresh.basis()
        before = Program(served)
        before.solve()
        before.close()
        again = Program(asked)
        assert not highs._IDLE.instances
        found = again.solve()
        assert found.status is expected.status
        for name in ("x", "duals"):
            one, other = getattr(found, name), getattr(expected, name)
            assert one is other is None or one.tolist() == other.tolist()
        assert repr(again.basis()) == repr(basis)


def test_an_instance_that_an_exception_left_serves_no_other_program():
    highs._IDLE.instances.clear()
    program = box(Sense.MAXIMISE, (1, 1), [{0: 1}], high=5)
    with pytest.raises(RuntimeError), opened(program):
        raise RuntimeError
    assert not highs._IDLE.instances
    with opened(program) as same:
        same.solve()
    assert len(highs._IDLE.instances) == 1


class Insisting:
    """A row that is always said to be violated, as when floats are off by more than a pool overlooks."""

    def __init__(self):
        self.asked = 0

    def violated(self, x):
        self.asked += 1
        return Rows.from_dicts([{0: 1}], width=2, upper=[Fraction(float(x[0])) - 1], labels=("again",))

    def violated_exactly(self, _):
        return None


def test_rows_that_change_nothing_are_not_added_for_ever(solver, monkeypatch):
    pool = Insisting()
    monkeypatch.setattr(type(open_program(box(Sense.MAXIMISE, (1, 1), [{0: 1}], high=5))), "add_rows", lambda *_: None)
    assert solve(box(Sense.MAXIMISE, (1, 1), [{0: 1}], high=5), lazy=pool).value == pytest.approx(15)
    assert pool.asked == 2


def test_a_relaxed_program_becomes_integral_when_asked(solver):
    program = open_program(box(Sense.MAXIMISE, (1, 0), [{0: 2, 1: 1}], high=5, integral=(True, True)), relaxed=True)
    assert program.solve().value == pytest.approx(2.5)
    program.make_integral()
    assert program.solve().value == pytest.approx(2)
    assert program.solve().duals is None


def market_split(size=40, rows=4):
    """Return a program that no solver finishes in a test."""
    weights = np.random.default_rng(1).integers(0, 100, (rows, size))
    matrix = np.hstack([weights, np.eye(rows, dtype=int), -np.eye(rows, dtype=int)])
    half = [int(one) // 2 for one in weights.sum(axis=1)]
    width = size + 2 * rows
    return Formulation(
        name="market split",
        sense=Sense.MINIMISE,
        columns=tuple(f"x{column}" for column in range(width)),
        objective=(0,) * size + (1,) * (2 * rows),
        rows=Rows.from_matrix(matrix, lower=half, upper=half, labels=tuple(f"market {row}" for row in range(rows))),
        lower=(0,) * width,
        upper=(1,) * size + (None,) * (2 * rows),
        integral=(True,) * size + (False,) * (2 * rows),
    )


def test_a_time_limit_ends_the_run_and_says_so(solver):
    started = time.monotonic()
    solution = solve(market_split(), time_limit=0.5)
    assert time.monotonic() - started < 5
    assert solution.status is Status.TIME_LIMIT


def test_a_time_limit_is_meant_for_one_linear_program():
    """The clock of HiGHS runs on from one linear program to the next, so the time of ten is spent before the last."""
    signs = np.random.default_rng(0).integers(-1, 2, (100, 200)).astype(np.int8)
    formulation = Formulation(
        name="one of many",
        sense=Sense.MAXIMISE,
        columns=tuple(f"t{task}" for task in range(201)),
        objective=(0,) * 200 + (1,),
        rows=Rows.join(
            Rows.from_dicts([dict.fromkeys(range(200), 1)], width=201, upper=1, labels=("sum",)),
            Rows.from_matrix(
                np.hstack([signs, -np.ones((100, 1), dtype=np.int8)]), lower=0, labels=tuple(map(str, range(100)))
            ),
        ),
        lower=(0,) * 201,
        upper=(None,) * 201,
    )
    program = Program(formulation)
    started = time.monotonic()
    for _ in range(20):
        program._highs.clearSolver()
        assert program.solve().status is Status.OPTIMAL
    time_of_ten = (time.monotonic() - started) / 2
    program._highs.clearSolver()
    assert program.solve(time_of_ten).status is Status.OPTIMAL


def test_a_time_limit_is_meant_for_one_integer_program():
    """For integer programs the clock of HiGHS starts anew."""
    program = Program(market_split())
    for _ in range(3):
        started = time.monotonic()
        assert program.solve(0.3).status is Status.TIME_LIMIT
        assert 0.2 < time.monotonic() - started < 5


def test_highs_works_beside_one_that_runs_with_other_threads():
    """HiGHS has one number of threads in a process, and refuses to run with another."""
    highspy.Highs.resetGlobalScheduler(True)  # noqa: FBT003 - its only parameter
    other = highspy.Highs()
    other.silent()
    other.setOptionValue("threads", 2)
    other.minimize(other.addVariable(lb=1))
    assert solve(box(Sense.MAXIMISE, (1, 1), [])).value == pytest.approx(20)
    highspy.Highs.resetGlobalScheduler(True)  # noqa: FBT003
    assert solve(box(Sense.MAXIMISE, (1, 1), [])).value == pytest.approx(20)


def test_nothing_is_printed(solver, capfd):
    solve(box(Sense.MAXIMISE, (1, 1), [{0: 1, 1: 2}], high=5, integral=(True, False)))
    solve(box(Sense.MAXIMISE, (1, 1), [{0: 1, 1: 2}], low=500))
    assert capfd.readouterr() == ("", "")


def test_highs_gives_the_basis_of_its_optimum(monkeypatch):
    monkeypatch.delenv("WEIGHTLAB_SOLVER", raising=False)
    program = open_program(box(Sense.MAXIMISE, (1, 1), [{0: 1, 1: 2}, {0: 1}], high=[5, None], low=[None, -9]))
    assert program.solve().status is Status.OPTIMAL
    basis = program.basis()
    assert [place is Place.BASIC for place in basis.columns + basis.rows].count(True) == 2
    assert basis.rows == (Place.UPPER, Place.BASIC)


@pytest.mark.parametrize(
    "formulation", [box(Sense.MAXIMISE, (10**400, 0), []), box(Sense.MAXIMISE, (1, 0), [{0: 1}], high=10**400)]
)
def test_a_number_too_large_for_floats_is_refused(solver, formulation):
    with pytest.raises(SolverError, match="too large"):
        solve(formulation)


def test_an_unknown_solver_is_refused_with_those_there_are(monkeypatch):
    monkeypatch.setenv("WEIGHTLAB_SOLVER", "gurobi")
    with pytest.raises(InputError, match=r"WEIGHTLAB_SOLVER='gurobi'.*highs, cbc"):
        solve(box(Sense.MAXIMISE, (1, 1), []))
