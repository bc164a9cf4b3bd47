"""What a solver answered, in one convention whichever solver it was."""

from __future__ import annotations

from enum import Enum, StrEnum

import numpy as np
from numpy.typing import NDArray

from weightlab._result import Frozen
from weightlab.exceptions import SolverError


class Place(Enum):
    """Where the basis of a linear program has a variable or a row."""

    BASIC = "basic"
    LOWER = "at its lower bound"
    UPPER = "at its upper bound"
    FREE = "at zero, having no bound"


class Basis(Frozen):
    """Which bounds a vertex of a linear program lies on.

    Attributes
    ----------
    columns, rows : tuple of Place
        The place of each variable and of each row; as many are basic as there are rows.
    """

    columns: tuple[Place, ...]
    rows: tuple[Place, ...]


class Solution(Frozen):
    """What a solver answered.

    Attributes
    ----------
    status : Status
        How the run ended.
    value : float
        The objective at ``x``; nan without a point.
    x : float array or None
        The point found; None when there is none. After a time limit an integer program may have one.
    duals : float array or None
        For each row the rate at which the optimal value changes with that row's bound, whatever the sense and
        whatever the solver: when maximising, a binding upper bound has a dual >= 0 and a binding lower bound one
        <= 0; when minimising it is the other way round. None for integer programs.
    reduced_costs : float array or None
        ``objective - matrix.T @ duals``: the same rate for the bounds of the variables.
    bound : float
        What the value provably cannot beat, as far as the solver's floats prove anything; for a linear program at
        its optimum the value itself.
    """

    status: Status
    value: float = float("nan")
    x: NDArray[np.float64] | None = None
    duals: NDArray[np.float64] | None = None
    reduced_costs: NDArray[np.float64] | None = None
    bound: float = float("nan")

    def __post_init__(self) -> None:
        """Refuse numbers that are none, whichever solver gave them, with a SolverError."""
        for name in ("x", "duals", "reduced_costs"):
            numbers = getattr(self, name)
            if numbers is not None and not np.isfinite(numbers).all():
                raise SolverError(f"the solver ended as {self.status}, and of its {name} some are no finite numbers")


# How a solver's run ended.


class Status(StrEnum):
    """How a solver's run ended, whichever solver it was.

    An interruption (Ctrl-C) is no status: it raises ``KeyboardInterrupt`` once the solver has stopped. An integer
    program called unbounded is so without its integrality; with it, it may be infeasible instead.
    """

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    TIME_LIMIT = "time limit"
    FAILED = "failed"
