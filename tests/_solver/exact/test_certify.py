"""Exact optima: whatever the floats say, what is returned is true and carries its proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests._solver.brute_force import FAR, best_vertex_value, linear_optimum
from tests._solver.row_pool import RowPool
from tests._solver.strategies import feasible_formulations, formulations
from weightlab._solver import (
    Basis,
    Formulation,
    Place,
    Rows,
    Sense,
    Solution,
    Status,
    exact_infeasibility,
    exact_optimum,
)
from weightlab._solver.exact.certify import basis_near, proved
from weightlab._solver.exact.simplex import NotFinishedError, SingularBasisError, exact_simplex
from weightlab._solver.highs import Program
from weightlab.exceptions import ImpossibleError, InputError, ProofError, SolverError, TimeLimitError, UnprovedError

ONE_SOLVER = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25
)


def duel_program(signs, *, sense=Sense.MAXIMISE):
    """Return the program of the largest smallest margin over the simplex."""
    rivals, tasks = signs.shape
    return Formulation(
        name="margin",
        sense=sense,
        columns=(*(f"t{task}" for task in range(tasks)), "margin"),
        objective=(0,) * tasks + (1,),
        rows=Rows.join(
            Rows.from_dicts([dict.fromkeys(range(tasks), 1)], width=tasks + 1, lower=1, upper=1, labels=("sum",)),
            Rows.from_matrix(
                np.hstack([signs, -np.ones((rivals, 1), dtype=np.int8)]),
                lower=0,
                labels=tuple(f"rival {rival}" for rival in range(rivals)),
            ),
        ),
        lower=(0,) * tasks + (None,),
        upper=(None,) * (tasks + 1),
    )


def random_signs(seed, rivals, tasks):
    """Return random signs."""
    return np.random.default_rng(seed).integers(-1, 2, (rivals, tasks)).astype(np.int8)


@ONE_SOLVER
@given(formulation=formulations())
def test_the_exact_answer_is_that_of_the_enumeration_of_vertices(solver, formulation):
    answer = linear_optimum(formulation)
    if answer == "infeasible":
        with pytest.raises(ImpossibleError) as caught:
            exact_optimum(formulation)
        caught.value.proof.check()
    elif answer == "unbounded":
        with pytest.raises(SolverError, match="unbounded"):
            exact_optimum(formulation)
    else:
        optimum = exact_optimum(formulation)
        optimum.check()
        assert optimum.value == answer


@ONE_SOLVER
@given(formulation=formulations())
def test_infeasibility_is_proved_exactly_when_there_is_no_point(solver, formulation):
    proof = exact_infeasibility(formulation)
    assert (proof is not None) == (
        linear_optimum(replace(formulation, objective=(0,) * len(formulation.columns))) == "infeasible"
    )
    if proof is not None:
        proof.check()
        assert proof.gap > 0
        assert sum(map(abs, proof.multipliers)) <= 1
        assert all(repr(formulation.rows.labels[row]) in str(proof) for row in proof.rows)


@pytest.mark.parametrize(("rivals", "tasks"), [(5, 3), (30, 12), (60, 40)])
def test_the_margin_of_a_sign_matrix_is_proved(solver, rivals, tasks):
    optimum = exact_optimum(duel_program(random_signs(rivals, rivals, tasks)))
    optimum.check()
    blockers = [-dual for dual in optimum.duals[1:]]
    assert sum(blockers) == 1
    assert min(blockers) >= 0
    assert sum(optimum.x[:-1]) == 1
    assert optimum.x[-1] == optimum.value == optimum.duals[0]


def test_margins_with_long_denominators_are_found():
    optimum = exact_optimum(duel_program(random_signs(4, 60, 60)))
    optimum.check()
    assert optimum.value.denominator > 10**9


def noisy(solution, rng, size):
    """Return a solution that is wrong from some digit on."""

    def shaken(floats):
        return floats + rng.uniform(-size, size, len(floats))

    return replace(
        solution, x=shaken(solution.x), duals=shaken(solution.duals), reduced_costs=shaken(solution.reduced_costs)
    )


@given(
    formulation=feasible_formulations(), size=st.sampled_from([0.0, 1e-12, 1e-7, 1e-3, 1.0]), seed=st.integers(0, 99)
)
@settings(max_examples=40)
def test_floats_wrong_in_any_digit_change_no_answer(formulation, size, seed):
    program = Program(formulation)
    solution = program.solve()
    proposal = noisy(solution, np.random.default_rng(seed), size)
    truth = best_vertex_value(formulation, FAR)
    for basis in (program.basis(), None):
        optimum = proved(formulation, proposal, basis)
        optimum.check()
        assert optimum.value == truth


def test_floats_wrong_in_the_seventh_digit_are_not_rounded_into_an_answer():
    """The floats propose weights 1/2, 1/2 and a margin of 0; the truth is a margin of 1/3000001."""
    size = 1_000_000
    formulation = Formulation(
        name="near tie",
        sense=Sense.MAXIMISE,
        columns=("a", "b", "margin"),
        objective=(0, 0, 1),
        rows=Rows.from_dicts(
            [{0: 1, 1: 1}, {0: size + 1, 1: -size, 2: -size}, {0: -size, 1: size + 2, 2: -size}],
            width=3,
            lower=[1, 0, 0],
            upper=[1, None, None],
            labels=("sum", "first", "second"),
        ),
        lower=(0, 0, None),
        upper=(None, None, None),
    )
    truth = linear_optimum(formulation)
    assert 0 < truth < Fraction(1, 10**6)
    wrong = Solution(
        status=Status.OPTIMAL,
        value=0.0,
        x=np.array([0.50000003, 0.49999998, 2e-7]),
        duals=np.array([1e-7, -0.49999997e-6, -0.50000004e-6]),
        reduced_costs=np.array([0.0, 3e-7, 0.0]),
    )
    optimum = proved(formulation, wrong, None)
    optimum.check()
    assert optimum.value == truth
    assert exact_optimum(formulation).value == truth


def test_no_optimum_leaves_without_its_check(monkeypatch):
    """Were the check to fail on all, nothing would be returned."""
    monkeypatch.setattr("weightlab._solver.exact.simplex.primal_faults", lambda *_: iter(["a fault"]))
    with pytest.raises(ProofError, match="a fault"):
        exact_optimum(duel_program(random_signs(1, 5, 3)))


BASES = st.lists(st.sampled_from(list(Place)), min_size=20, max_size=20)


@settings(max_examples=40)
@given(formulation=feasible_formulations(), places=BASES)
def test_any_basis_leads_to_the_optimum_or_is_none(formulation, places):
    width = len(formulation.columns)
    basis = Basis(columns=tuple(places[:width]), rows=tuple(places[width : width + len(formulation.rows)]))
    try:
        optimum = exact_simplex(formulation, basis)
    except SingularBasisError:
        return
    optimum.check()
    assert optimum.value == best_vertex_value(formulation, FAR)


@settings(max_examples=40)
@given(formulation=feasible_formulations())
def test_the_basis_that_highs_gives_needs_no_pivot(formulation):
    program = Program(formulation)
    program.solve()
    exact_simplex(formulation, program.basis(), pivots=0).check()


@pytest.mark.parametrize("seed", range(10))
def test_the_basis_near_an_optimal_vertex_needs_no_pivot(seed):
    formulation = duel_program(random_signs(seed, 15, 8))
    exact_simplex(formulation, basis_near(formulation, Program(formulation).solve()), pivots=0).check()


@settings(max_examples=40)
@given(formulation=feasible_formulations())
def test_the_basis_near_any_point_is_a_basis(formulation):
    blind = Solution(status=Status.FAILED)
    assert exact_simplex(formulation, basis_near(formulation, blind)).value == best_vertex_value(formulation, FAR)


def test_a_limit_on_pivots_is_kept():
    formulation = duel_program(random_signs(7, 20, 10))
    start = basis_near(formulation, Solution(status=Status.FAILED))
    with pytest.raises(NotFinishedError):
        exact_simplex(formulation, start, pivots=1)


def test_what_was_not_proved_raises_with_what_is_known(monkeypatch):
    def never(*_, **__):
        raise NotFinishedError

    monkeypatch.setattr("weightlab._solver.exact.certify.exact_simplex", never)
    with pytest.raises(UnprovedError, match="pivots") as caught:
        exact_optimum(duel_program(random_signs(7, 20, 10)))
    assert isinstance(caught.value.known["value"], float)


def test_a_time_limit_raises_with_what_is_known(solver):
    with pytest.raises(TimeLimitError) as caught:
        exact_optimum(duel_program(random_signs(2, 500, 60)), time_limit=0.0)
    assert "value" in caught.value.known


@ONE_SOLVER
@given(formulation=feasible_formulations(), batch=st.integers(1, 3))
def test_lazy_rows_prove_the_optimum_of_all_rows(solver, formulation, batch):
    whole = exact_optimum(formulation)
    pool = RowPool(formulation.rows, batch=batch)
    lazily = exact_optimum(replace(formulation, rows=Rows.none(len(formulation.columns))), lazy=pool)
    lazily.check()
    assert lazily.value == whole.value
    assert pool.violated_exactly(lazily.x) is None


def test_rows_that_floats_cannot_tell_apart_are_met_exactly(solver):
    """The float loop overlooks a violation of 1e-15; the exact one does not."""
    slightly = Rows.from_dicts([{0: 1}], width=1, upper=1 - Fraction(1, 10**15), labels=("slightly less",))
    formulation = Formulation(
        name="slightly",
        sense=Sense.MAXIMISE,
        columns=("x",),
        objective=(1,),
        rows=Rows.none(1),
        lower=(0,),
        upper=(1,),
    )
    optimum = exact_optimum(formulation, lazy=RowPool(slightly))
    assert optimum.value == 1 - Fraction(1, 10**15)


def test_lazy_rows_that_contradict_are_proved_to(solver):
    base = duel_program(random_signs(3, 5, 4))
    contradiction = Rows.from_dicts([{0: 1, 1: 1, 2: 1, 3: 1}], width=5, upper=Fraction(9, 10), labels=("less",))
    with pytest.raises(ImpossibleError, match="'sum', 'less'") as caught:
        exact_optimum(base, lazy=RowPool(contradiction))
    caught.value.proof.check()


@pytest.mark.parametrize("shift", [Fraction(1, 10**14), Fraction(0), -Fraction(1, 10**14)])
def test_feasibility_on_the_edge_of_floats_is_decided_exactly(solver, shift):
    """Two conditions that touch, or miss each other by less than any solver's tolerance."""
    formulation = Formulation(
        name="edge",
        sense=Sense.MAXIMISE,
        columns=("x", "y"),
        objective=(1, 2),
        rows=Rows.from_dicts(
            [{0: 3, 1: 1}, {0: 3, 1: 1}], width=2, lower=[None, 1 + shift], upper=[1, None], labels=("low", "high")
        ),
        lower=(0, 0),
        upper=(None, None),
    )
    if shift > 0:
        with pytest.raises(ImpossibleError):
            exact_optimum(formulation)
    else:
        assert exact_optimum(formulation).value == 2


def test_an_integer_program_is_refused(solver):
    formulation = replace(duel_program(random_signs(1, 2, 2)), integral=(True, True, False))
    with pytest.raises(InputError, match="integer"):
        exact_optimum(formulation)


OPTIMUM = exact_optimum(duel_program(np.array([[1, -1, 0], [-1, 1, 1], [0, 1, -1]], dtype=np.int8)))


@pytest.mark.parametrize("name", ["x", "duals"])
@pytest.mark.parametrize("amount", [Fraction(1, 10**20), Fraction(-1, 3), Fraction(1)])
def test_a_corrupted_number_fails_the_check(name, amount):
    numbers = getattr(OPTIMUM, name)
    for place in range(len(numbers)):
        changed = (*numbers[:place], numbers[place] + amount, *numbers[place + 1 :])
        with pytest.raises(ProofError):
            replace(OPTIMUM, **{name: changed}).check()


@pytest.mark.parametrize(
    "changes",
    [
        {"value": OPTIMUM.value + Fraction(1, 10**20)},
        {"x": OPTIMUM.x[1:]},
        {"duals": ()},
        {"formulation": replace(OPTIMUM.formulation, sense=Sense.MINIMISE)},
        {"formulation": replace(OPTIMUM.formulation, lower=(Fraction(9, 10), *OPTIMUM.formulation.lower[1:]))},
        {"formulation": replace(OPTIMUM.formulation, objective=(1, *OPTIMUM.formulation.objective[1:]))},
    ],
    ids=["value", "short point", "no duals", "sense", "bound", "objective"],
)
def test_a_corrupted_optimum_fails_the_check(changes):
    OPTIMUM.check()
    with pytest.raises(ProofError):
        replace(OPTIMUM, **changes).check()


def test_the_check_names_the_first_condition_that_fails():
    wrong = replace(OPTIMUM, x=(Fraction(2), *OPTIMUM.x[1:]))
    with pytest.raises(ProofError, match=r"margin: row 'sum' is .*, outside 1 to 1"):
        wrong.check()


INFEASIBLE = Formulation(
    name="contradiction",
    sense=Sense.MAXIMISE,
    columns=("x", "y"),
    objective=(1, 0),
    rows=Rows.from_dicts(
        [{0: 1, 1: 2}, {0: 1}, {1: Fraction(1, 3)}],
        width=2,
        lower=[7, None, None],
        upper=[None, 2, Fraction(1, 2)],
        labels=("at least", "x at most", "y at most"),
    ),
    lower=(0, 0),
    upper=(None, None),
)


def test_a_corrupted_proof_of_infeasibility_fails_the_check():
    proof = exact_infeasibility(INFEASIBLE)
    proof.check()
    assert proof.rows == (0, 1, 2)
    numbers = proof.multipliers
    for place in range(len(numbers)):
        changed = (*numbers[:place], numbers[place] + Fraction(1, 7), *numbers[place + 1 :])
        with pytest.raises(ProofError):
            replace(proof, multipliers=changed).check()
    for changes in (
        {"gap": proof.gap * 2},
        {"gap": -proof.gap},
        {"multipliers": proof.multipliers[1:]},
        {"multipliers": tuple(-one for one in proof.multipliers)},
        {"formulation": replace(INFEASIBLE, rows=replace(INFEASIBLE.rows, upper=(None, 3, Fraction(3, 2))))},
        {"formulation": replace(INFEASIBLE, rows=replace(INFEASIBLE.rows, upper=(None, None, Fraction(3, 2))))},
    ):
        with pytest.raises(ProofError):
            replace(proof, **changes).check()
