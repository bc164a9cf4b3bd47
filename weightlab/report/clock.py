"""Asking the questions of a report within a time, keeping what had no answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError, UnprovedError
from weightlab.report.text.commands import Call
from weightlab.report.text.unproved import Late
from weightlab.report.text.words import shown

__all__ = ["Asking", "Clock"]

T = TypeVar("T")


class Clock:
    """The time that a report may take in all.

    Parameters
    ----------
    limit : float, optional
        Seconds; none is no limit.
    now : callable
        Tells the time.
    """

    def __init__(self, limit: float | None, now: Callable[[], float] = time.monotonic) -> None:
        if limit is not None and not limit >= 0:
            raise InputError(f"time_limit is a number of seconds, 0 or more; got {limit}")
        self._now = now
        self._end = None if limit is None else now() + limit

    def left(self, most: float | None = None) -> float | None:
        """Return how many seconds are left, at most so many; None where there is no limit."""
        limits = [] if most is None else [most]
        limits += [] if self._end is None else [max(self._end - self._now(), 0.0)]
        return min(limits, default=None)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left() == 0


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What all sections need to ask and to say how they asked.

    Attributes
    ----------
    call : Call
        How the table is read on the command line.
    clock : Clock
        How long the whole report may take.
    samples, seed : int
        How many weightings, or tables, are drawn where something is estimated, and from which seed.
    late : Late
        What was not proved, or not in time.
    """

    call: Call
    clock: Clock
    samples: int
    seed: int
    late: Late = field(default_factory=Late)

    def left(self, most: float | None = None) -> float | None:
        """Return how many seconds a search may take, at most so many; None where there is no limit."""
        return self.clock.left(most)

    def ask(self, what: str, question: Callable[[], T], left_out: list[str]) -> T | None:
        """Return the answer; None where there is none, with the reason in ``left_out``.

        A search that ended without a proof, and one for which no time was left, are kept as late, too.
        """
        if self.clock.is_over:
            self._miss(f"{what}: no time was left", left_out)
            return None
        try:
            return question()
        except UnprovedError as error:
            self._miss(f"{what}: {error}", left_out)
        except (InputError, NoWinnerError, ImpossibleError) as error:
            left_out.append(f"{what}: {shown(error)}")
        return None

    def _miss(self, why: str, left_out: list[str]) -> None:
        self.late.messages.append(why)
        left_out.append(shown(why))
