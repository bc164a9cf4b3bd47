"""CBC, the second opinion, through PuLP: the same interface and conventions as HiGHS."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._result import Frozen
from weightlab._solver.exact.basis_near import basis_near
from weightlab._solver.exact.simplex import NoPointError, NotFinishedError, UnboundedError, exact_simplex
from weightlab._solver.highs_library import load_pulp
from weightlab._solver.program import Formulation, Rows, bounds_of, floats_of
from weightlab._solver.pulp_model import to_pulp
from weightlab._solver.solution import Basis, Solution, Status, deadline_in, is_past
from weightlab.exceptions import SolverError

pulp = load_pulp()


class CbcProgram:
    """A formulation opened in CBC; the same interface as ``Program``, every solve starting afresh.

    Parameters
    ----------
    formulation : Formulation
        What to solve.
    relaxed : bool
        Forget integrality until ``make_integral`` is called.

    Notes
    -----
    CBC writes some eight digits of a solution and no basis, and takes some unbounded programs for infeasible or
    optimal: of a linear program its point only says where the exact simplex begins, which says how the program ends.
    """

    precision = 1e-6

    def __init__(self, formulation: Formulation, *, relaxed: bool = False) -> None:
        self.replace(formulation, relaxed=relaxed)

    def close(self) -> None:
        """Do nothing: CBC runs in a process of its own, which has ended."""

    def replace(self, formulation: Formulation, *, relaxed: bool = False) -> None:
        """Forget the program and take another."""
        self._full = formulation
        self._relaxed = relaxed

    @property
    def formulation(self) -> Formulation:
        """The formulation with every row added so far."""
        return self._full

    def add_rows(self, rows: Rows) -> None:
        """Add rows."""
        self._full = self._full.with_rows(rows)

    def confine(self, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
        """Give all columns other bounds than the formulation has."""
        self._full = replace(self._full, lower=bounds_of(lower), upper=bounds_of(upper))

    def aim(self, costs: NDArray[np.float64]) -> None:
        """Give all columns other costs than the formulation has."""
        self._full = replace(self._full, objective=tuple(map(Fraction, costs.tolist())))

    def make_integral(self) -> None:
        """Demand the integrality that a relaxed program has forgotten."""
        self._relaxed = False

    def basis(self) -> Basis | None:
        """Return None: CBC through PuLP gives none."""
        return None

    def solve(self, time_limit: float | None = None) -> Solution:
        """Solve the program as it is now.

        Parameters
        ----------
        time_limit : float or None
            Seconds for this call.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C, when CBC has stopped and its files are gone.
        """
        formulation = self._full.relaxed() if self._relaxed else self._full
        deadline = deadline_in(time_limit)
        if _has_contradictory_empty_row(formulation.rows):
            return Solution(status=Status.INFEASIBLE)  # CBC calls this optimal, unbounded or stopped, too
        problem = to_pulp(formulation)
        answer = ask_cbc(problem, time_limit=time_limit)
        status = _status(answer, limited=time_limit is not None)
        found = Solution(status=status)
        if answer.has_point:
            x = np.array([answer.values[name] for name in problem.column_labels])
            value = float(formulation.float_objective @ x)
            bound = value if status is Status.OPTIMAL else math.nan
            found = Solution(status=status, value=value, x=x, bound=bound)
        if formulation.is_integer_program or status is Status.TIME_LIMIT:
            return found
        return _ending(formulation, found, deadline)


def _ending(formulation: Formulation, point: Solution, deadline: float | None) -> Solution:
    """Return how a linear program ends, by exact pivots from where CBC's point is: its eight digits are a hint only."""
    try:
        optimum = exact_simplex(formulation, basis_near(formulation, point), deadline=deadline)
    except NoPointError:
        return Solution(status=Status.INFEASIBLE)
    except UnboundedError:
        return Solution(status=Status.UNBOUNDED)
    except NotFinishedError:
        return Solution(status=Status.TIME_LIMIT if is_past(deadline) else Status.FAILED)
    value, duals = float(optimum.value), floats_of(optimum.duals)
    costs = formulation.float_objective - formulation.rows.matrix.float_products(duals, transposed=True)
    x = floats_of(optimum.x)
    return Solution(status=Status.OPTIMAL, value=value, x=x, duals=duals, reduced_costs=costs, bound=value)


def _status(answer: Answer, *, limited: bool) -> Status:
    """Return the status, telling a time limit from a failure by whether there was a limit."""
    if answer.status in (Status.TIME_LIMIT, Status.FAILED):
        return Status.TIME_LIMIT if limited else Status.FAILED
    return answer.status


def _has_contradictory_empty_row(rows: Rows) -> bool:
    """Return whether a row without entries excludes zero."""
    empty = np.diff(rows.matrix.starts) == 0
    return bool(np.any(empty & ((rows.float_lower > 0) | (rows.float_upper < 0))))


# CBC as a process: a PuLP problem written to a file, the answer read back.

_STATUSES = {
    pulp.LpSolutionOptimal: Status.OPTIMAL,
    pulp.LpSolutionInfeasible: Status.INFEASIBLE,
    pulp.LpSolutionUnbounded: Status.UNBOUNDED,
    pulp.LpSolutionIntegerFeasible: Status.TIME_LIMIT,
    pulp.LpSolutionNoSolutionFound: Status.FAILED,
}
_TOLERANCES = ("-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-integerTolerance", "1e-9")


class Answer(Frozen):
    """What CBC wrote, by the names of the PuLP problem."""

    status: Status
    has_point: bool
    values: dict[str, float]


def ask_cbc(problem: Any, *, time_limit: float | None) -> Answer:
    """Return the answer of CBC to a PuLP problem.

    Parameters
    ----------
    problem : pulp.LpProblem
        What to solve; it gains a variable and a constraint when none of its constraints has an entry.
    time_limit : float or None
        Seconds.

    Raises
    ------
    SolverError
        When CBC crashes or is not there.
    KeyboardInterrupt
        After Ctrl-C, when the process has ended and its files are gone.
    """
    if not any(value for constraint in problem.constraints() for value in constraint.values()):
        # CBC crashes where no constraint has an entry: here is one.
        nothing = problem.add_variable("nothing", 0, 1)
        problem.addConstraint(pulp.LpConstraint(nothing, pulp.LpConstraintLE, "says_nothing", 1))
    options = []
    if time_limit is not None:
        options += ["-sec", str(max(time_limit, 0.001)), "-timeMode", "elapsed"]
    if not problem.isMIP():
        answer = _run(problem, [*options, *_TOLERANCES, "-initialSolve"])
    else:
        options += ["-ratio", "0", "-allow", "0", *_TOLERANCES]
        # CBC 2.10.3 preprocesses some programs of two rows so that their optimum is lost, but without preprocessing
        # it crashes on some that have no integer point: the only result of its preprocessing that counts.
        answer = _run(problem, [*options, "-preprocess", "off", "-solve"])
        if answer is None:
            answer = _run(problem, [*options, "-solve"])
            answer = None if answer is None or answer.status is not Status.INFEASIBLE else answer
    if answer is None:
        raise SolverError(f"CBC crashed on {problem.name!r}")
    return answer


def _run(problem: Any, options: Sequence[str]) -> Answer | None:
    """Run CBC once; None when it crashed."""
    reader = pulp.COIN_CMD(path=_executable(), msg=False)
    with tempfile.TemporaryDirectory() as folder:
        model, written = (str(Path(folder, name)) for name in ("model.mps", "answer.txt"))
        variables, columns, rows, _ = problem.writeMPS(model, rename=1)
        ended = _wait_for([reader.path, model, *options, "-printingOptions", "all", "-solution", written])
        if ended != 0 or not Path(written).exists():
            return None
        ending, values, _, _, _, found = reader.readsol_MPS(written, problem, variables, columns, rows)
    # PuLP knows "Integer infeasible" as an ending, but not as a kind of solution.
    status = Status.INFEASIBLE if ending == pulp.LpStatusInfeasible else _STATUSES.get(found, Status.FAILED)
    has_point = found in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
    return Answer(status=status, has_point=has_point, values=values)


def _wait_for(command: list[str]) -> int:
    """Run a command in silence and return how it ended."""
    process = subprocess.Popen(  # noqa: S603 - the solver's own path and files
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    # Whatever ends the wait, Ctrl-C included, must not leave a solver running behind.
    try:
        return process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise


def _executable() -> str:
    """Return the path of the CBC that comes with PuLP, or else of one that is installed."""
    bundled = str(pulp.PULP_CBC_CMD.pulp_cbc_path)
    found = bundled if os.access(bundled, os.X_OK) else shutil.which("cbc")
    if found is None:
        raise SolverError("no CBC found: neither one that comes with PuLP nor one on the PATH; HiGHS needs none")
    return found
