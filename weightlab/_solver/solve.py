"""Floats: solve a formulation, adding lazy rows until none is violated."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weightlab._solver.highs_library import load_highspy
from weightlab._solver.program import Formulation, Rows
from weightlab._solver.solution import Basis, Solution, Status, deadline_in, seconds_left
from weightlab.exceptions import InputError, SolverError, SolverWarning, TimeLimitError, UnprovedError


def solve(
    formulation: Formulation,
    *,
    lazy: LazyRows | None = None,
    time_limit: float | None = None,
) -> Solution:
    """Solve a formulation with the solver in use.

    Parameters
    ----------
    formulation : Formulation
        What to solve.
    lazy : LazyRows or None
        Rows to add when they are violated. An integer program first meets them without its integrality, where that
        is quick, and then again with it.
    time_limit : float or None
        Seconds for the whole call.

    Returns
    -------
    Solution
        Of floats: a proposal, not a proof. ``exact_optimum`` and ``integer_optimum`` prove.
    """
    deadline = deadline_in(time_limit)
    with opened(formulation, relaxed=lazy is not None) as program:
        if formulation.is_integer_program:
            return solve_integer(program, lazy, deadline)
        return solve_open(program, lazy, deadline)


def solve_integer(program: OpenProgram, lazy: LazyRows | None, deadline: float | None) -> Solution:
    """Solve an open integer program; with lazy rows it must have been opened relaxed."""
    if lazy is not None:
        # Cuts at the root: with the relaxation's rows in place branch and bound starts from a bound that is already
        # good.
        solution = solve_open(program, lazy, deadline)
        if solution.status in (Status.INFEASIBLE, Status.TIME_LIMIT):
            return Solution(status=solution.status, bound=solution.bound)
        program.make_integral()
    return solve_open(program, lazy, deadline)


def solve_open(program: OpenProgram, lazy: LazyRows | None, deadline: float | None) -> Solution:
    """Solve an open program, adding lazy rows until none is violated beyond the solver's own precision.

    Rows that do not move the point end it, too: then they are rows that the solver thinks it holds already.
    """
    before: NDArray[np.float64] | None = None
    while True:
        solution = program.solve(seconds_left(deadline))
        if lazy is None or solution.status is not Status.OPTIMAL or solution.x is None:
            return solution
        rows = lazy.violated(solution.x)
        # The same point again: the solver holds these rows within its tolerance, so a further round would be the same.
        if rows is None or not len(rows) or (before is not None and np.array_equal(before, solution.x)):
            return solution
        before = solution.x
        # Violated by less than the solver's precision, a row may be one that it holds already.
        precision = program.precision * max(1.0, float(np.abs(solution.x).max()))
        if float(rows.violations(solution.x).max()) <= precision:
            return solution
        program.add_rows(rows)


def optimal_point(solution: Solution, name: str, known: dict[str, Any] | None = None) -> NDArray[np.float64]:
    """Return the point of an optimal solution of the program of this name.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the solution is not optimal, with what is known.
    """
    if solution.status is Status.TIME_LIMIT:
        raise TimeLimitError(f"{name}: the time limit came before the optimum was shown", known=known or {})
    if solution.status is not Status.OPTIMAL or solution.x is None:
        raise UnprovedError(f"{name}: {solver_name()} ended as {solution.status}", known=known or {})
    return solution.x


# Which solver to open: HiGHS, unless the environment variable WEIGHTLAB_SOLVER names another.


class Solver(StrEnum):
    """The solvers on whose word a result may rest; a document that names another is refused."""

    HIGHS = "HiGHS"
    CBC = "CBC"


SolverIfAny: TypeAlias = Solver | Literal[""]
"""The solver on whose word something rests; empty where it rests on none."""

SOLVERS = {"highs": Solver.HIGHS, "cbc": Solver.CBC}


class OpenProgram(Protocol):
    """A formulation opened in some solver.

    ``precision`` is the violation of a row, at coordinates of size one, below which the solver calls it satisfied.
    """

    precision: float

    @property
    def formulation(self) -> Formulation:
        """The formulation with every row added so far."""

    def close(self) -> None:
        """End the program's use, so that what served it can serve another; one that is not closed is just dropped."""

    def replace(self, formulation: Formulation, *, relaxed: bool = False) -> None:
        """Forget the program and take another."""

    def add_rows(self, rows: Rows) -> None:
        """Add rows."""

    def confine(self, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
        """Give all columns other bounds than the formulation has."""

    def aim(self, costs: NDArray[np.float64]) -> None:
        """Give all columns other costs than the formulation has."""

    def make_integral(self) -> None:
        """Demand the integrality that a relaxed program has forgotten."""

    def solve(self, time_limit: float | None = None) -> Solution:
        """Solve the program as it is now."""

    def basis(self) -> Basis | None:
        """Return the basis of the last linear program solved, where the solver gives one."""


def solver_name() -> Solver:
    """Return the name of the solver in use.

    Raises
    ------
    InputError
        When WEIGHTLAB_SOLVER names no solver that weightlab knows.
    """
    return SOLVERS[_chosen()]


def open_program(formulation: Formulation, *, relaxed: bool = False) -> OpenProgram:
    """Open a formulation in the solver in use; a solver is loaded when it is first asked.

    Raises
    ------
    SolverError
        When WEIGHTLAB_SOLVER asks for HiGHS, and it cannot be loaded.
    """
    if _chosen() == "cbc":
        from weightlab._solver.cbc import CbcProgram  # noqa: PLC0415 - PuLP takes a tenth of a second to import

        return CbcProgram(formulation, relaxed=relaxed)
    from weightlab._solver.highs import Program  # noqa: PLC0415 - another solver may do where it does not load

    return Program(formulation, relaxed=relaxed)


@contextmanager
def opened(formulation: Formulation, *, relaxed: bool = False) -> Iterator[OpenProgram]:
    """Open a formulation, and close it at the end of the block unless an exception ends it."""
    program = open_program(formulation, relaxed=relaxed)
    yield program
    program.close()


def _chosen() -> str:
    """Return the key of the chosen solver; by default HiGHS, or CBC where HiGHS does not load."""
    chosen = os.environ.get("WEIGHTLAB_SOLVER", "").strip().lower()
    if chosen and chosen not in SOLVERS:
        raise InputError(f"WEIGHTLAB_SOLVER={chosen!r} is not a known solver; choose from {', '.join(SOLVERS)}")
    if chosen == "cbc":
        return chosen
    fault = _fault_of_highs()
    if fault and chosen:
        raise SolverError(f"{fault}; WEIGHTLAB_SOLVER=cbc asks CBC instead")
    return "cbc" if fault else "highs"


@cache
def _fault_of_highs() -> str:
    """Return why HiGHS cannot be loaded in this process, said once as a warning; nothing where it can."""
    try:
        load_highspy()
    except ImportError as error:
        fault = f"HiGHS cannot be loaded in this process ({error})"
        warnings.warn(f"{fault}; CBC solves in its place", SolverWarning, stacklevel=2)
        return fault
    return ""


# Rows that are added only when a point violates them.


class LazyRows(Protocol):
    """A source of rows too many to write down at once.

    ``violated`` receives a solver's float point and may overlook violations within its own tolerance;
    ``violated_exactly`` receives an exact point and must overlook none: the proof rests on its answer None.
    Both may return any selection of the violated rows, but not an empty one while there are some.
    """

    def violated(self, x: NDArray[np.float64]) -> Rows | None:
        """Return rows that a float point violates, or None."""

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return rows that an exact point violates, or None when every row holds."""
