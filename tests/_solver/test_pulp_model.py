"""The readable face: PuLP problems that print, write, read back and solve."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction

import highspy
import pulp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests._solver.strategies import feasible_formulations
from weightlab._solver import Formulation, Rows, Sense, Status, solve
from weightlab._solver.highs import Program
from weightlab._solver.pulp_model import to_pulp

AWKWARD = (
    "c-d",
    "c d",
    "c_d",
    "",
    "new\nline",
    "tab\tand \\ /",
    "naïve ✓",
    "نص",
    "e1",
    "3 < 4 >= 2",
    "a" * 300,
    "[red]",
    "End",
    "free",
    "inf",
    "c-d",
)


def over(labels):
    """Return a program with a variable and a row for each label."""
    count = len(labels)
    return Formulation(
        name="named - by anyone\n",
        sense=Sense.MAXIMISE,
        columns=labels,
        objective=(1,) * count,
        rows=Rows.from_dicts([{place: 1} for place in range(count)], width=count, upper=2, labels=labels),
        lower=(0,) * count,
        upper=(None,) * count,
    )


def test_names_keep_apart_what_files_cannot(tmp_path):
    problem = to_pulp(over(AWKWARD))
    assert tuple(problem.column_labels.values()) == AWKWARD
    assert tuple(problem.row_labels.values()) == AWKWARD
    assert list(problem.column_labels)[:3] == ["x01_c_d", "x02_c_d", "x03_c_d"]
    assert sorted(problem.column_labels) == list(problem.column_labels)
    problem.writeLP(tmp_path / "named.lp")
    problem.writeMPS(tmp_path / "named.mps")
    assert (tmp_path / "named.lp").read_bytes().isascii()
    assert (tmp_path / "named.mps").read_bytes().isascii()


def test_awkward_names_solve_with_every_solver(solver):
    assert solve(over(AWKWARD)).value == pytest.approx(2 * len(AWKWARD))


def read_with_highs(path):
    """Return the optimum that HiGHS finds of a file."""
    highs = highspy.Highs()
    highs.silent()
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    return highs.getObjectiveValue()


@pytest.mark.parametrize("integral", [(), (True, False)])
@pytest.mark.parametrize("sense", list(Sense))
def test_what_is_written_reads_back_as_the_same_program(tmp_path, sense, integral):
    formulation = Formulation(
        name="round trip",
        sense=sense,
        columns=("a b", "a-b"),
        objective=(3, Fraction(-1, 2)),
        rows=Rows.from_dicts(
            [{0: 1, 1: 2}, {0: Fraction(1, 3), 1: -1}, {0: 1}],
            width=2,
            lower=[-4, -2, None],
            upper=[7, -2, Fraction(7, 2)],
            labels=("range", "equal", "at most"),
        ),
        lower=(-5, None),
        upper=(5, 6),
        integral=integral,
    )
    expected = solve(formulation).value * (-1 if sense is Sense.MAXIMISE else 1)
    problem = to_pulp(formulation)
    problem.writeLP(tmp_path / "model.lp")
    assert read_with_highs(tmp_path / "model.lp") == pytest.approx(expected)
    problem.writeMPS(tmp_path / "model.mps")
    assert read_with_highs(tmp_path / "model.mps") == pytest.approx(expected)
    _, again = pulp.LpProblem.fromMPS(tmp_path / "model.mps", sense=problem.sense)
    assert {variable.name for variable in again.variables()} == set(problem.column_labels)
    assert {constraint.name for constraint in again.constraints()} == set(problem.row_labels)


def test_a_problem_reads_as_what_it_says():
    shown = repr(to_pulp(over(("CoLA", "SST-2")), column_prefix="w", row_prefix="duel"))
    assert "MINIMIZE\n-1.0*w1_CoLA + -1.0*w2_SST_2" in shown
    assert "duel2_SST_2: w2_SST_2 <= 2" in shown


def test_coefficients_that_floats_hold_are_shown_unscaled():
    rows = Rows.from_dicts([{0: Fraction(1234567, 10**7), 1: 1}], width=2, upper=1, labels=("long",))
    shown = repr(to_pulp(replace(over(("a", "b")), rows=rows)))
    assert "1234567 x1_a + 10000000 x2_b <= 10000000" in shown


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(feasible_formulations())
def test_rendering_warns_of_nothing_and_keeps_every_number(formulation):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = to_pulp(formulation)
    assert [variable.name for variable in problem.variables()] == list(problem.column_labels)
    solution = Program(formulation).solve()
    assert solution.status is Status.OPTIMAL
    for variable, value in zip(problem.variables(), solution.x, strict=True):
        variable.varValue = value
    assert problem.valid(1e-6)
    stated = -solution.value if formulation.sense is Sense.MAXIMISE else solution.value
    assert pulp.value(problem.objective) == pytest.approx(stated, abs=1e-9)


@given(st.lists(st.text(), min_size=1, max_size=12))
def test_any_labels_get_names_of_their_own(labels):
    problem = to_pulp(over(tuple(labels)))
    assert list(problem.column_labels.values()) == labels
    assert len(problem.row_labels) == len(labels)


def test_others_can_add_conditions_and_solve_it():
    problem = to_pulp(over(("a", "b")))
    first, second = problem.variables()
    problem += first + 2 * second <= 3
    problem.solve(pulp.HiGHS(msg=False))
    assert pulp.LpStatus[problem.status] == "Optimal"
    assert pulp.value(problem.objective) == pytest.approx(-2.5)
