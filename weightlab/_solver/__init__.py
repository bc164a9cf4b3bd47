"""The one place that knows solver classes, statuses, dual signs and tolerances.

A formulation goes in, exact in every number; a solution of floats or an exact optimum with its proof comes out.
"""

from __future__ import annotations

from weightlab._solver.exact.certify import exact_infeasibility, exact_optimum
from weightlab._solver.exact.infeasibility import Infeasibility
from weightlab._solver.exact.integer_system import IntegerSystem, solve_integer_system
from weightlab._solver.exact.optimum import ExactOptimum
from weightlab._solver.integer_program import IntegerOptimum, integer_optimum
from weightlab._solver.matrix import IntegerMatrix
from weightlab._solver.program import Bound, Formulation, Number, Rows, Sense
from weightlab._solver.solution import Basis, Place, Solution, Status
from weightlab._solver.solve import (
    LazyRows,
    OpenProgram,
    Solver,
    SolverIfAny,
    deadline_in,
    open_program,
    seconds_left,
    solve,
    solver_name,
)

__all__ = [
    "Basis",
    "Bound",
    "ExactOptimum",
    "Formulation",
    "Infeasibility",
    "IntegerMatrix",
    "IntegerOptimum",
    "IntegerSystem",
    "LazyRows",
    "Number",
    "OpenProgram",
    "Place",
    "Rows",
    "Sense",
    "Solution",
    "Solver",
    "SolverIfAny",
    "Status",
    "deadline_in",
    "exact_infeasibility",
    "exact_optimum",
    "integer_optimum",
    "open_program",
    "seconds_left",
    "solve",
    "solve_integer_system",
    "solver_name",
]
