"""The one place that knows solver classes, statuses, dual signs and tolerances.

A formulation goes in, exact in every number; a solution of floats or an exact optimum with its proof comes out.
"""

from __future__ import annotations

from weightlab._solver.formulation import Bound, Formulation, Number, Rows, Sense
from weightlab._solver.infeasibility import Infeasibility
from weightlab._solver.integer_programs import IntegerOptimum, integer_optimum
from weightlab._solver.integer_system import IntegerSystem, solve_integer_system
from weightlab._solver.lazy import LazyRows
from weightlab._solver.matrix import IntegerMatrix
from weightlab._solver.optimise import deadline_in, seconds_left, solve
from weightlab._solver.optimum import ExactOptimum
from weightlab._solver.programs import OpenProgram, open_program, solver_name
from weightlab._solver.proving import exact_infeasibility, exact_optimum
from weightlab._solver.solution import Basis, Place, Solution
from weightlab._solver.status import Status

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
