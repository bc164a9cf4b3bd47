"""CBC as a process: a PuLP problem written to a file, the answer read back."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pulp

from weightlab._solver.status import Status
from weightlab.exceptions import SolverError

__all__ = ["Answer", "ask_cbc"]

_STATUSES = {
    pulp.LpSolutionOptimal: Status.OPTIMAL,
    pulp.LpSolutionInfeasible: Status.INFEASIBLE,
    pulp.LpSolutionUnbounded: Status.UNBOUNDED,
    pulp.LpSolutionIntegerFeasible: Status.TIME_LIMIT,
    pulp.LpSolutionNoSolutionFound: Status.FAILED,
}
_TOLERANCES = ("-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-integerTolerance", "1e-9")


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """What CBC wrote, by the names of the PuLP problem."""

    status: Status
    has_point: bool
    values: dict[str, float]
    shadow_prices: dict[str, float]


def ask_cbc(problem: Any, *, time_limit: float | None, start: dict[str, float] | None) -> Answer:
    """Return what CBC answers to a PuLP problem.

    Parameters
    ----------
    problem : pulp.LpProblem
        What to solve; it gains a variable and a constraint when none of its constraints has an entry.
    time_limit : float or None
        Seconds.
    start : dict or None
        A point to start an integer program from.

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
    options = ["-max"] if problem.sense == pulp.LpMaximize else []
    if time_limit is not None:
        options += ["-sec", str(max(time_limit, 0.001)), "-timeMode", "elapsed"]
    if not problem.isMIP():
        answer = _run(problem, [*options, *_TOLERANCES, "-initialSolve"], None)
    else:
        options += ["-ratio", "0", "-allow", "0", *_TOLERANCES]
        # CBC 2.10.3 preprocesses some programs of two rows so that their optimum is lost, but without preprocessing
        # it crashes on some that have no integer point: the one ending in which its preprocessing is believed.
        answer = _run(problem, [*options, "-preprocess", "off", "-solve"], start)
        if answer is None:
            answer = _run(problem, [*options, "-solve"], start)
            answer = None if answer is None or answer.status is not Status.INFEASIBLE else answer
    if answer is None:
        raise SolverError(f"CBC crashed on {problem.name!r}")
    return answer


def _run(problem: Any, options: Sequence[str], start: dict[str, float] | None) -> Answer | None:
    """Run CBC once; None when it crashed."""
    reader = pulp.COIN_CMD(path=_executable(), msg=False)
    with tempfile.TemporaryDirectory() as folder:
        model, written, warm = (str(Path(folder, name)) for name in ("model.mps", "answer.txt", "start.txt"))
        variables, columns, rows, _ = problem.writeMPS(model, rename=1)
        command = [reader.path, model]
        if start is not None:
            for variable in variables:
                variable.setInitialValue(start.get(variable.name, 0.0), check=False)
            reader.writesol(warm, problem, variables, columns, rows)
            command += ["-mips", warm]
        ended = _wait_for([*command, *options, "-printingOptions", "all", "-solution", written])
        if ended != 0 or not Path(written).exists():
            return None
        ending, values, _, prices, _, found = reader.readsol_MPS(written, problem, variables, columns, rows)
    # PuLP knows "Integer infeasible" as an ending, but not as a kind of solution.
    status = Status.INFEASIBLE if ending == pulp.LpStatusInfeasible else _STATUSES.get(found, Status.FAILED)
    has_point = found in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
    return Answer(status=status, has_point=has_point, values=values, shadow_prices=prices)


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
