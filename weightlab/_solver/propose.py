"""Integer programs propose, a question refutes: rows are added until it finds nothing against a proposal.

Benders' decomposition with cuts that have no numbers of the question in them (Codato and Fischetti, Operations
Research 54, 2006); where the rows are sets to hit, implicit hitting sets (Moreno-Centeno and Karp, Operations Research
61, 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from weightlab._exact import FloatArray
from weightlab._solver.integer_program import integer_optimum
from weightlab._solver.program import Formulation, Rows
from weightlab._solver.solution import Status, deadline_in, seconds_left
from weightlab._solver.solve import opened, optimal_point, solver_name
from weightlab.exceptions import UnprovedError

MOST_ROUNDS = 500
"""Number of points in floats that may be refuted before the search ends without an answer."""


class _Refuted:
    """Rows that a question about whole sets answers with: none are violated before all columns are 0 or 1."""

    def __init__(self, refute: Callable[[list[int]], Rows | None]) -> None:
        self._refute = refute

    def violated(self, x: FloatArray) -> None:
        """Overlook everything: a float point is no set."""

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return the rows that a set fails."""
        return self._refute(_chosen(x))


def smallest_program(columns: Sequence[str], rows: Rows, name: str, upper: int | Sequence[int] = 1) -> Formulation:
    """Return the program for as few columns as satisfy some rows."""
    return Formulation.over(columns, rows, name=name, objective=1, upper=upper, integral=True)


def smallest(
    program: Formulation,
    refute: Callable[[list[int]], Rows | None] | None = None,
    *,
    time_limit: float | None = None,
) -> list[int]:
    """Return the columns at 1 in an optimum: a smallest set that nothing refutes, on the solver's claim.

    Parameters
    ----------
    program : Formulation
        With columns that are 0 or 1, all or those that ``refute`` looks at.
    refute : callable, optional
        Maps the columns at 1 to rows that they violate and every sufficient set satisfies; None if the set suffices.
    time_limit : float, optional
        Seconds.

    Raises
    ------
    ImpossibleError, TimeLimitError, UnprovedError
        As for `integer_optimum`.

    Notes
    -----
    A smallest set that meets all known rows either suffices, and is smallest of all, or yields a row that it fails.
    """
    lazy = None if refute is None else _Refuted(refute)
    return _chosen(integer_optimum(program, lazy=lazy, time_limit=time_limit).x)


def proposed(
    program: Formulation,
    refute: Callable[[FloatArray], Rows | None],
    *,
    called: str = "value",
    time_limit: float | None = None,
) -> FloatArray | None:
    """Return an optimal point, in floats, that nothing refutes; None if the solver finds the program infeasible.

    Parameters
    ----------
    program : Formulation
        An integer program.
    refute : callable
        Maps a point to rows that it violates; None if it is feasible. Only the integers of the point are reliable.
    called : str
        What the objective is.
    time_limit : float, optional
        Seconds.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the solver has no optimum, or after `MOST_ROUNDS` refuted points; ``known`` has the objective under its name
        and the solver's ``bound``.
    """
    deadline = deadline_in(time_limit)
    with opened(program) as attempt:
        for _ in range(MOST_ROUNDS):
            solution = attempt.solve(seconds_left(deadline))
            if solution.status is Status.INFEASIBLE:
                return None
            known = {called: None if solution.x is None else solution.value, "bound": solution.bound}
            point = optimal_point(solution, program.name, known)
            rows = refute(point)
            if rows is None:
                return point
            attempt.add_rows(rows)
    raise UnprovedError(f"{program.name}: after {MOST_ROUNDS} rounds {solver_name()} has proposed nothing that holds")


def _chosen(x: Sequence[Fraction]) -> list[int]:
    """Return the columns at 1 of a point."""
    return [column for column, one in enumerate(x) if one == 1]
