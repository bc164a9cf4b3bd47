"""Time limits: when a question, or a search of it, must be settled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from weightlab.exceptions import InputError, UnprovedError

_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)
"""When the question that is being answered must be settled."""


@contextmanager
def within(time_limit: float | None, **found: Any) -> Iterator[None]:
    """Let a time limit hold for all searches that begin here together: none of them ends later.

    What they have ``found`` so far is carried by an error that ends them.
    """
    before = _DEADLINE.set(deadline_in(time_limit))
    try:
        yield
    except UnprovedError as error:
        error.known |= found
        raise
    finally:
        _DEADLINE.reset(before)


def deadline_in(time_limit: Any) -> float | None:
    """Return the ``time.monotonic()`` at which so many seconds are over, or those that we are ``within``; or None.

    Raises
    ------
    InputError
        If that is no number of seconds, or a negative one.
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


def is_past(deadline: float | None) -> bool:
    """Tell whether a ``time.monotonic()`` has come; never without a deadline."""
    return deadline is not None and time.monotonic() >= deadline
