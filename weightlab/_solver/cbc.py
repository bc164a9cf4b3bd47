"""CBC, the second opinion: the PuLP problem written to a file, solved by the CBC that comes with PuLP, read back."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pulp
from numpy.typing import NDArray

from weightlab._solver.float_rows import float_rows
from weightlab._solver.formulation import Formulation, Rows, Sense
from weightlab._solver.pulp_model import to_pulp
from weightlab._solver.solution import Basis, Solution
from weightlab._solver.status import Status
from weightlab.exceptions import SolverError

__all__ = ["CbcProgram"]

_STATUSES = {
    pulp.LpSolutionOptimal: Status.OPTIMAL,
    pulp.LpSolutionInfeasible: Status.INFEASIBLE,
    pulp.LpSolutionUnbounded: Status.UNBOUNDED,
    pulp.LpSolutionIntegerFeasible: Status.TIME_LIMIT,
    pulp.LpSolutionNoSolutionFound: Status.FAILED,
}

_TOLERANCES = ("-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-integerTolerance", "1e-9")


@dataclass(frozen=True, kw_only=True, eq=False)
class _Answer:
    """What CBC wrote, by the names of the PuLP problem."""

    status: Status
    values: dict[str, float]
    reduced_costs: dict[str, float]
    shadow_prices: dict[str, float]


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
    CBC writes some eight digits of a solution and no basis.
    """

    def __init__(self, formulation: Formulation, *, relaxed: bool = False) -> None:
        self._full = formulation
        self._relaxed = relaxed
        self._start: NDArray[np.float64] | None = None

    @property
    def formulation(self) -> Formulation:
        """The formulation with every row added so far."""
        return self._full

    def add_rows(self, rows: Rows) -> None:
        """Add rows."""
        self._full = self._full.with_rows(rows)

    def make_integral(self) -> None:
        """Demand the integrality that a relaxed program has forgotten."""
        self._relaxed = False

    def start_from(self, x: NDArray[np.float64]) -> None:
        """Offer a point to start an integer program from."""
        self._start = x

    def basis(self) -> Basis | None:
        """Return None: CBC through PuLP gives none."""
        return None

    def solve(self, time_limit: float | None = None) -> Solution:
        """Solve what is there now.

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
        problem = to_pulp(formulation)
        answer = _ask_cbc(problem, formulation, time_limit, self._start)
        if answer.status is Status.FAILED and time_limit is not None:
            return Solution(status=Status.TIME_LIMIT)
        if answer.status not in (Status.OPTIMAL, Status.TIME_LIMIT):
            return Solution(status=answer.status)
        x = np.array([answer.values[name] for name in problem.column_labels])
        value = float(formulation.float_objective @ x)
        if answer.status is not Status.OPTIMAL:
            return Solution(status=answer.status, value=value, x=x)
        if formulation.is_integer_program:
            return Solution(status=answer.status, value=value, x=x, bound=value)
        return Solution(
            status=answer.status,
            value=value,
            x=x,
            duals=_row_duals(problem, formulation, answer),
            reduced_costs=np.array([answer.reduced_costs[name] for name in problem.column_labels]),
            bound=value,
        )


def _row_duals(problem: Any, formulation: Formulation, answer: _Answer) -> NDArray[np.float64]:
    """Return a dual for each row: that of its constraint, or the sum of those of its two sides."""
    rows = formulation.rows
    duals = np.zeros(len(rows))
    names = iter(problem.row_labels)
    for row in range(len(rows)):
        low, high = rows.lower[row], rows.upper[row]
        sides = 1 if low == high and low is not None else (low is not None) + (high is not None)
        duals[row] = sum(answer.shadow_prices.get(next(names), 0.0) for _ in range(sides))
    return duals * float_rows(rows).scales


def _ask_cbc(
    problem: Any, formulation: Formulation, time_limit: float | None, start: NDArray[np.float64] | None
) -> _Answer:
    reader = pulp.COIN_CMD(path=_executable(), msg=False)
    with tempfile.TemporaryDirectory() as folder:
        model, answer, warm = (str(Path(folder, name)) for name in ("model.mps", "answer.txt", "start.txt"))
        variables, columns, rows, _ = problem.writeMPS(model, rename=1)
        command = [reader.path, model]
        if formulation.sense is Sense.MAXIMISE:
            command.append("-max")
        if time_limit is not None:
            command += ["-sec", str(max(time_limit, 0.001)), "-timeMode", "elapsed"]
        if formulation.is_integer_program:
            step = formulation.objective_step
            command += ["-ratio", "0", "-allow", str(1e-9 if step is None else 0.9 * float(step))]
            if start is not None:
                for variable, value in zip(problem.column_labels, start, strict=True):
                    problem.variablesDict()[variable].setInitialValue(float(value), check=False)
                reader.writesol(warm, problem, variables, columns, rows)
                command += ["-mips", warm]
        solve = "-solve" if formulation.is_integer_program else "-initialSolve"
        _run([*command, *_TOLERANCES, solve, "-printingOptions", "all", "-solution", answer], formulation.name)
        if not Path(answer).exists():
            raise SolverError(f"CBC wrote no answer to {formulation.name!r}")
        ended, values, reduced, prices, _, found = reader.readsol_MPS(answer, problem, variables, columns, rows)
    # PuLP knows "Integer infeasible" as an ending, but not as a kind of solution.
    status = Status.INFEASIBLE if ended == pulp.LpStatusInfeasible else _STATUSES.get(found, Status.FAILED)
    return _Answer(status=status, values=values, reduced_costs=reduced, shadow_prices=prices)


def _run(command: list[str], name: str) -> None:
    process = subprocess.Popen(  # noqa: S603 - the solver's own path and files
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        code = process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise
    if code != 0:
        raise SolverError(f"CBC ended with code {code} on {name!r}")


def _executable() -> str:
    """Return the path of the CBC that comes with PuLP, or else of one that is installed."""
    bundled = str(pulp.PULP_CBC_CMD.pulp_cbc_path)
    found = bundled if os.access(bundled, os.X_OK) else shutil.which("cbc")
    if found is None:
        raise SolverError("no CBC found: neither one that comes with PuLP nor one on the PATH; HiGHS needs none")
    return found
