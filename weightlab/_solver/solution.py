"""What a solver answered, in one convention whichever solver it was, and until when it has to."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum, StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._result import Frozen
from weightlab.exceptions import InputError, SolverError, TimeLimitError, UnprovedError


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
        The point found, or None. After a time limit an integer program may have one.
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
        """Refuse NaN from any solver, with a SolverError."""
        for name in ("x", "duals", "reduced_costs"):
            numbers = getattr(self, name)
            if numbers is not None and not np.isfinite(numbers).all():
                raise SolverError(f"the solver ended as {self.status}, and some of its {name} are not finite numbers")


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


# Until when a question, or a search of it, must be settled.

_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)
"""When the question that is being answered must be settled."""


@contextmanager
def within(time_limit: float | None, **found: Any) -> Iterator[None]:
    """Let a time limit hold for all searches that begin here together: none of them ends later.

    What they have ``found`` so far is carried by an error, or the interruption, that ends them: as ``known``.
    """
    before = _DEADLINE.set(deadline_in(time_limit))
    try:
        yield
    except (UnprovedError, KeyboardInterrupt) as error:
        vars(error)["known"] = vars(error).get("known", {}) | found
        raise
    finally:
        _DEADLINE.reset(before)


def deadline_in(time_limit: Any) -> float | None:
    """Return the ``time.monotonic()`` at which the time limit is over, or the one that we are ``within``; or None.

    Raises
    ------
    InputError
        If it is not a number of seconds, or negative.
    """
    whole = _DEADLINE.get()
    if time_limit is None:
        return whole
    is_number = isinstance(time_limit, int | float | np.integer | np.floating) and not isinstance(time_limit, bool)
    if not is_number or not time_limit >= 0:
        raise InputError(f"time_limit must be a number of seconds, 0 or more, or None; got {time_limit!r}")
    own = time.monotonic() + float(time_limit)
    return own if whole is None else min(own, whole)


def seconds_left(deadline: float | None) -> float | None:
    """Return the seconds until a ``time.monotonic()``, at least zero; None without a deadline."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def ensure_time(what: str) -> None:
    """Raise TimeLimitError where the time that we are ``within`` is over; called between steps without a solver."""
    if is_past(deadline_in(None)):
        raise TimeLimitError(f"{what}: the time limit came first")


def is_past(deadline: float | None) -> bool:
    """Return whether a ``time.monotonic()`` has come; never without a deadline."""
    return deadline is not None and time.monotonic() >= deadline


def part_of(deadline: float | None, share: float) -> float | None:
    """Return when this share of the time until a ``time.monotonic()`` is over; None without one."""
    return None if deadline is None else time.monotonic() + share * max(0.0, deadline - time.monotonic())
