"""How a solver's run ended."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Status"]


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
