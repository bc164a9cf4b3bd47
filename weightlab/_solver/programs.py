"""Which solver to open: HiGHS, unless the environment variable WEIGHTLAB_SOLVER names another."""

from __future__ import annotations

import os
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from weightlab._solver.formulation import Formulation, Rows
from weightlab._solver.solution import Basis, Solution
from weightlab.exceptions import InputError, SolverError

__all__ = ["OpenProgram", "open_program", "solver_name"]

SOLVERS = {"highs": "HiGHS", "cbc": "CBC"}


class OpenProgram(Protocol):
    """A formulation opened in some solver.

    ``precision`` is the violation of a row, at coordinates of size one, below which the solver calls it satisfied.
    """

    precision: float

    @property
    def formulation(self) -> Formulation:
        """The formulation with every row added so far."""

    def replace(self, formulation: Formulation, *, relaxed: bool = False) -> None:
        """Forget the program and take another."""

    def add_rows(self, rows: Rows) -> None:
        """Add rows."""

    def make_integral(self) -> None:
        """Demand the integrality that a relaxed program has forgotten."""

    def start_from(self, x: NDArray[np.float64]) -> None:
        """Offer a point to start an integer program from."""

    def solve(self, time_limit: float | None = None) -> Solution:
        """Solve what is there now."""

    def basis(self) -> Basis | None:
        """Return the basis of the last linear program solved, where the solver gives one."""


def solver_name() -> str:
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
        When HiGHS cannot be loaded, as in a process that has loaded OR-Tools.
    """
    if _chosen() == "cbc":
        from weightlab._solver.cbc import CbcProgram  # noqa: PLC0415 - PuLP takes a tenth of a second to import

        return CbcProgram(formulation, relaxed=relaxed)
    try:
        from weightlab._solver.highs import Program  # noqa: PLC0415 - another solver may do where it does not load
    except ImportError as error:
        raise SolverError(
            "HiGHS cannot be loaded in this process; OR-Tools, if it was imported before, brings a HiGHS of its own "
            "that excludes it: ask weightlab in another process, or set WEIGHTLAB_SOLVER=cbc"
        ) from error
    return Program(formulation, relaxed=relaxed)


def _chosen() -> str:
    chosen = os.environ.get("WEIGHTLAB_SOLVER", "").strip().lower() or "highs"
    if chosen not in SOLVERS:
        raise InputError(f"WEIGHTLAB_SOLVER={chosen!r} is no solver that weightlab knows: {', '.join(SOLVERS)}")
    return chosen
