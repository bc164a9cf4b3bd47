"""Floats: solve a formulation, adding lazy rows until none is violated."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._solver.formulation import Formulation
from weightlab._solver.lazy import LazyRows
from weightlab._solver.programs import OpenProgram, open_program
from weightlab._solver.solution import Solution
from weightlab._solver.status import Status
from weightlab.exceptions import InputError

__all__ = ["deadline_in", "seconds_left", "solve", "solve_integer", "solve_open"]


def solve(
    formulation: Formulation,
    *,
    lazy: LazyRows | None = None,
    time_limit: float | None = None,
    start: NDArray[np.float64] | None = None,
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
    start : array or None
        A point to start an integer program from.

    Returns
    -------
    Solution
        Of floats: a proposal, not a proof. ``exact_optimum`` and ``integer_optimum`` prove.
    """
    deadline = deadline_in(time_limit)
    program = open_program(formulation, relaxed=lazy is not None)
    if formulation.is_integer_program:
        return solve_integer(program, lazy, deadline, start)
    solution = solve_open(program, lazy, deadline)
    return replace(solution, basis=program.basis()) if solution.status is Status.OPTIMAL else solution


def solve_integer(
    program: OpenProgram, lazy: LazyRows | None, deadline: float | None, start: NDArray[np.float64] | None = None
) -> Solution:
    """Solve an open integer program; with lazy rows it must have been opened relaxed."""
    if lazy is not None:
        # Cuts at the root: with the relaxation's rows in place branch and bound starts from a bound that is already
        # good.
        solution = solve_open(program, lazy, deadline)
        if solution.status in (Status.INFEASIBLE, Status.TIME_LIMIT):
            return Solution(status=solution.status, bound=solution.bound)
        program.make_integral()
    if start is not None:
        program.start_from(start)
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


def deadline_in(time_limit: Any) -> float | None:
    """Return the ``time.monotonic()`` at which so many seconds are over; None without a limit.

    Raises
    ------
    InputError
        If that is no number of seconds, or a negative one.
    """
    if time_limit is None:
        return None
    is_number = isinstance(time_limit, int | float | np.integer | np.floating) and not isinstance(time_limit, bool)
    if not is_number or not time_limit >= 0:
        raise InputError(f"time_limit must be a number of seconds, 0 or more, or None; got {time_limit!r}")
    return time.monotonic() + float(time_limit)


def seconds_left(deadline: float | None) -> float | None:
    """Return the seconds until a ``time.monotonic()``, at least zero; None without a deadline."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
