"""Limits that commands share."""

from __future__ import annotations

from weightlab.exceptions import InputError

__all__ = ["ensure_seconds"]


def ensure_seconds(limit: float | None) -> None:
    """Raise InputError unless a time limit is a length of time."""
    if limit is not None and not limit >= 0:
        raise InputError(f"--time-limit is a number of seconds, 0 or more; got {limit:g}")
