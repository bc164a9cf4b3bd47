"""Questions without a proof, kept so that everything else is shown first; a report's answers, kept in their order."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, TypeAlias, TypeVar, cast

from weightlab._result import Result, ensure
from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError, TimeLimitError, UnprovedError

T = TypeVar("T")

NO_TIME = "no time was left"
OVER_TIME = "the time limit ended the search"
NO_PROOF = "the search ended without a proof"
REASONS = (NO_TIME, OVER_TIME, NO_PROOF)
"""Why a question of a report has no proved answer: a report uses no other words for a missing proof."""
Kept: TypeAlias = Result | str | None
"""A result; the reason why it is missing; None if the question has no result or can be repeated."""


def fits(kind: type[Result] | tuple[type[Result], ...], **parts: object) -> Callable[[Any], bool]:
    """Return a test whether a result answers a question: its kind and parts have these values."""

    def fit(answer: Any) -> bool:
        return isinstance(answer, kind) and all(getattr(answer, name) == value for name, value in parts.items())

    return fit


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


class Answers:
    """The answers to the questions of a report, in their order: kept, or given back to make the same report again.

    Parameters
    ----------
    given : sequence, optional
        `kept` of the report that is rebuilt: its results need no solver.

    Attributes
    ----------
    kept : list
        A result, a reason or None, one a question.
    unsure : bool
        Whether a question that should have no answer was repeated and not decided.
    """

    def __init__(self, given: Sequence[Kept] | None = None) -> None:
        self._given = None if given is None else deque(given)
        self.kept: list[Kept] = list(given or ())
        self.unsure = False

    def begin(self, clock: Clock) -> None:
        """Raise UnprovedError where no time is left, or was left when the answers were found."""
        if self._given is None and clock.is_over:
            self.kept.append(NO_TIME)
            raise UnprovedError(NO_TIME)
        if self._given and self._given[0] == NO_TIME:
            raise UnprovedError(str(self._given.popleft()))

    def ask(self, question: Callable[[], T], fit: Callable[[Any], bool]) -> T:
        """Return the answer; UnprovedError says a reason in known words, and what the search said as its cause."""
        if self._given is not None:
            return self._given_back(question, fit)
        try:
            answer = question()
        except UnprovedError as error:
            self.kept.append(OVER_TIME if isinstance(error, TimeLimitError) else NO_PROOF)
            raise UnprovedError(str(self.kept[-1])) from error
        except (InputError, NoWinnerError, ImpossibleError):
            self.kept.append(None)
            raise
        self.kept.append(answer if isinstance(answer, Result) else None)
        return answer

    def _given_back(self, question: Callable[[], T], fit: Callable[[Any], bool]) -> T:
        ensure(self._given, "the page lacks an answer to one of its questions")
        kept = cast("deque[Kept]", self._given).popleft()
        if isinstance(kept, str):
            raise UnprovedError(kept)
        if kept is not None:
            ensure(fit(kept), f"a {kept.kind} of the page answers another question than the one it stands for")
            return cast("T", kept)
        try:
            answer = question()
        except UnprovedError:
            self.unsure = True
            raise
        ensure(not isinstance(answer, Result), "the page leaves out an answer that can be found")
        return answer


UNFIRM = "how firm first place is"
"""What the card tells, where it is not proved."""


class Unproved:
    """Questions that ended without a proof, kept so that the answers to the others can be shown first."""

    def __init__(self, answers: Answers | None = None) -> None:
        self.messages: list[str] = []
        self.answers = answers

    def ask(self, what: str, question: Callable[[], T], fit: Callable[[Any], bool] = bool) -> T | None:
        """Return the answer, or None when it is not proved; with `Answers` it is kept, or given back if it fits."""
        try:
            return question() if self.answers is None else self.answers.ask(question, fit)
        except UnprovedError as error:
            self.add(what, error)
            return None

    def add(self, what: str, error: UnprovedError) -> None:
        """Keep the question, why it is not proved, and the numbers that are known."""
        numbers = {
            name: value
            for name, value in error.known.items()
            if isinstance(value, int | float | Fraction) and isfinite(value)
        }
        self.messages += [f"{what}: {error.message}", *(f"{name}: {value}" for name, value in numbers.items())]

    def raise_if_any(self) -> None:
        """Raise UnprovedError with a line for each question that ended without a proof, if there is any."""
        if self.messages:
            raise UnprovedError("\n".join(self.messages))
