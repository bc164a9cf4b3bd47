"""The one place that knows solver classes, statuses, dual signs and tolerances.

A formulation goes in, exact in every number; a solution of floats or an exact optimum with its proof comes out.
"""

from weightlab._solver.exact.certify import Infeasibility as Infeasibility
from weightlab._solver.exact.certify import exact_infeasibility as exact_infeasibility
from weightlab._solver.exact.certify import exact_optimum as exact_optimum
from weightlab._solver.exact.integer_system import IntegerSystem as IntegerSystem
from weightlab._solver.exact.integer_system import solve_integer_system as solve_integer_system
from weightlab._solver.exact.simplex import ExactOptimum as ExactOptimum
from weightlab._solver.integer_program import IntegerOptimum as IntegerOptimum
from weightlab._solver.integer_program import integer_optimum as integer_optimum
from weightlab._solver.matrix import IntegerMatrix as IntegerMatrix
from weightlab._solver.program import Bound as Bound
from weightlab._solver.program import Formulation as Formulation
from weightlab._solver.program import Number as Number
from weightlab._solver.program import Rows as Rows
from weightlab._solver.program import Sense as Sense
from weightlab._solver.solution import Basis as Basis
from weightlab._solver.solution import Place as Place
from weightlab._solver.solution import Solution as Solution
from weightlab._solver.solution import Status as Status
from weightlab._solver.solution import deadline_in as deadline_in
from weightlab._solver.solution import ensure_time as ensure_time
from weightlab._solver.solution import is_past as is_past
from weightlab._solver.solution import part_of as part_of
from weightlab._solver.solution import seconds_left as seconds_left
from weightlab._solver.solution import within as within
from weightlab._solver.solve import LazyRows as LazyRows
from weightlab._solver.solve import OpenProgram as OpenProgram
from weightlab._solver.solve import Solver as Solver
from weightlab._solver.solve import SolverIfAny as SolverIfAny
from weightlab._solver.solve import open_program as open_program
from weightlab._solver.solve import opened as opened
from weightlab._solver.solve import optimal_point as optimal_point
from weightlab._solver.solve import solve as solve
from weightlab._solver.solve import solver_name as solver_name
