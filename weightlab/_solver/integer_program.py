"""The optimum of an integer program: an exact point and value, its optimality on the solver's claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from weightlab._result import Frozen
from weightlab._solver.exact.certify import exact_infeasibility, exact_optimum
from weightlab._solver.exact.simplex import dot, primal_faults
from weightlab._solver.program import Formulation, Sense
from weightlab._solver.solution import Solution, Status, deadline_in, seconds_left
from weightlab._solver.solve import LazyRows, Solver, opened, solve_integer, solver_name
from weightlab.exceptions import ImpossibleError, ProofError, SolverError, TimeLimitError, UnprovedError

_NEARLY_INTEGER = 1e-5
_GAP = 1e-6


class IntegerOptimum(Frozen):
    """A point of an integer program, exact, that a solver found to be optimal.

    Attributes
    ----------
    formulation : Formulation
        The program, with every row that was generated on the way.
    value : Fraction
        The objective at the point.
    x : tuple of Fraction
        The point.
    solver : Solver
        The solver whose branch and bound proves the point optimal.
    """

    formulation: Formulation
    value: Fraction
    x: tuple[Fraction, ...]
    solver: Solver

    def check(self) -> None:
        """Re-check feasibility, integrality and value in exact arithmetic; optimality is the solver's claim.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        """
        for fault in self.faults():
            raise ProofError(fault)

    def faults(self) -> Iterator[str]:
        """Yield what fails, one sentence each."""
        formulation = self.formulation
        if len(self.x) != len(formulation.columns):
            yield f"{formulation.name}: the point has the wrong length"
            return
        yield from primal_faults(formulation, self.x)
        for column, whole in enumerate(formulation.integral):
            if whole and self.x[column].denominator != 1:
                yield f"{formulation.name}: column {formulation.columns[column]!r} is {self.x[column]}, not an integer"
        attained = dot(formulation.objective, self.x)
        if attained != self.value:
            yield f"{formulation.name}: the objective at the point is {attained}, not {self.value}"


def integer_optimum(
    formulation: Formulation,
    *,
    lazy: LazyRows | None = None,
    time_limit: float | None = None,
) -> IntegerOptimum:
    """Return the optimum of an integer program, its point and value exact.

    Parameters
    ----------
    formulation : Formulation
        An integer program.
    lazy : LazyRows or None
        Further rows, added when they are violated; the result satisfies all of them exactly.
    time_limit : float or None
        Seconds for the whole call.

    Raises
    ------
    ImpossibleError
        When there is no point; its ``proof`` is an ``Infeasibility`` when even fractions have none, else None: the
        solver's claim.
    SolverError
        When the objective has no finite optimum, or the solver fails.
    TimeLimitError, UnprovedError
        When optimality was not shown; ``known`` has the best ``value`` and ``x``, exact, or None, and the solver's
        float ``bound``.

    Notes
    -----
    NP-hard. When the objective takes multiples of one step only, the solver's bound proves more than its gap: no
    multiple of the step lies between the value and the bound.
    """
    deadline = deadline_in(time_limit)
    # Lazy rows are added to the relaxation first: a linear program is cheap to solve again, a branch and bound is not.
    with opened(formulation, relaxed=lazy is not None) as program:
        solution = solve_integer(program, lazy, deadline)
        while True:
            optimum = _exact_point(program.formulation, solution, deadline)
            rows = None if lazy is None else lazy.violated_exactly(optimum.x)
            if rows is None or not len(rows):
                return optimum
            program.add_rows(rows)
            # Integral from here on. What the exact point still violates escaped the solver's tolerance, so it is added
            # as it is and not asked for in floats again.
            solution = solve_integer(program, None, deadline)


def _exact_point(formulation: Formulation, solution: Solution, deadline: float | None) -> IntegerOptimum:
    if solution.status is Status.INFEASIBLE:
        raise _impossible(formulation, deadline)
    if solution.status is Status.UNBOUNDED:
        raise SolverError(f"{formulation.name} is unbounded (or no integers satisfy its rows)")
    if solution.status is Status.FAILED:
        raise SolverError(f"{formulation.name}: {solver_name()} failed")
    point = None if solution.x is None else _near_point(formulation, solution.x, deadline)
    fault = "no point was found" if point is None else next(point.faults(), None)
    known = {
        "value": point.value if point is not None and fault is None else None,
        "x": point.x if point is not None and fault is None else None,
        "bound": solution.bound,
    }
    if solution.status is Status.TIME_LIMIT:
        raise TimeLimitError(f"{formulation.name}: the time limit came before the optimum was shown", known=known)
    if point is None or fault is not None:
        raise UnprovedError(f"the point {solver_name()} found does not check: {fault}", known=known)
    if _beyond(formulation, point.value, solution.bound):
        message = f"{formulation.name}: {solver_name()}'s bound {solution.bound} leaves room beyond {point.value}"
        raise UnprovedError(message, known=known)
    return point


def _near_point(formulation: Formulation, x: NDArray[np.float64], deadline: float | None) -> IntegerOptimum | None:
    """Return the exact point near a float point: integers rounded, the rest optimised exactly around them."""
    # Floats only tell which integers to take; feasibility and value are decided exactly afterwards.
    integral = np.array(formulation.integral)
    if len(x) != len(integral):
        return None
    rounded = np.rint(x[integral])
    if np.abs(x[integral] - rounded).max(initial=0.0) > _NEARLY_INTEGER:
        return None
    integers = dict(zip(np.flatnonzero(integral).tolist(), map(int, rounded), strict=True))
    exact: tuple[Fraction, ...]
    if len(integers) == len(x):
        exact = tuple(Fraction(integers[column]) for column in range(len(x)))
    else:
        # With the integers fixed a linear program remains, whose exact optimum gives the continuous part.
        try:
            exact = exact_optimum(_with_fixed(formulation, integers), time_limit=seconds_left(deadline)).x
        except (ImpossibleError, UnprovedError):
            return None
    return IntegerOptimum(
        formulation=formulation, value=dot(formulation.objective, exact), x=exact, solver=solver_name()
    )


def _with_fixed(formulation: Formulation, integers: dict[int, int]) -> Formulation:
    """Return the linear program left when some variables have their values."""
    return replace(
        formulation,
        name=f"{formulation.name} around its integers",
        lower=tuple(integers.get(column, bound) for column, bound in enumerate(formulation.lower)),
        upper=tuple(integers.get(column, bound) for column, bound in enumerate(formulation.upper)),
        integral=(),
    )


def _beyond(formulation: Formulation, value: Fraction, bound: float) -> bool:
    """Return whether the solver's bound leaves room for a better value than the point's."""
    # Any point of the program bounds the optimum from one side, the solver's ``bound`` from the other.
    sign = 1 if formulation.sense is Sense.MAXIMISE else -1
    room = sign * (bound - float(value))
    step = formulation.objective_step
    # A bound that is NaN leaves room, too: every comparison with it is false.
    if step is not None:
        return not room < float(step)
    return not room <= _GAP * max(1.0, abs(float(value)))


def _impossible(formulation: Formulation, deadline: float | None) -> ImpossibleError:
    # Farkas' lemma is about linear programs. Where only integrality excludes all points there is no such short proof.
    proof = exact_infeasibility(formulation, time_limit=seconds_left(deadline))
    if proof is not None:
        return ImpossibleError(f"{formulation.name}: {proof}", proof=proof)
    return ImpossibleError(f"{formulation.name}: {solver_name()} finds that no integers satisfy its rows", proof=None)
