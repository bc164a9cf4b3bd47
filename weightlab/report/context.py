"""What all sections of a report share: the commands that ask again, the time that is left, and what was not proved."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TypeVar

from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError, UnprovedError
from weightlab.report.text.words import shown

__all__ = ["Clock", "CommandLine", "ReportContext", "Unproved", "quoted"]

T = TypeVar("T")


class Unproved:
    """Questions that ended without a proof, kept so that the answers to the others can be shown first."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def ask(self, what: str, question: Callable[[], T]) -> T | None:
        """Return the answer, or None when it is not proved."""
        try:
            return question()
        except UnprovedError as error:
            self.add(what, error)
            return None

    def add(self, what: str, error: UnprovedError) -> None:
        """Keep what was asked, why it is not proved, and the numbers that are known."""
        numbers = {name: value for name, value in error.known.items() if isinstance(value, int | float | Fraction)}
        self.messages += [f"{what}: {error}", *(f"{name}: {value}" for name, value in numbers.items())]

    def raise_if_any(self) -> None:
        """Raise UnprovedError with a line for each question that ended without a proof, if there is any."""
        if self.messages:
            raise UnprovedError("\n".join(self.messages))


@dataclass(frozen=True, kw_only=True)
class ReportContext:
    """What all sections need to ask and to say how they asked.

    Attributes
    ----------
    call : CommandLine
        How the table is read on the command line.
    clock : Clock
        How long the whole report may take.
    samples, seed : int
        How many weightings, or tables, are drawn where something is estimated, and from which seed.
    unproved : Unproved
        What was not proved, or not in time.
    """

    call: CommandLine
    clock: Clock
    samples: int
    seed: int
    unproved: Unproved = field(default_factory=Unproved)

    def left(self, most: float | None = None) -> float | None:
        """Return how many seconds a search may take, at most so many; None where there is no limit."""
        return self.clock.left(most)

    def ask(self, what: str, question: Callable[[], T], left_out: list[str]) -> T | None:
        """Return the answer; None where there is none, with the reason in ``left_out``.

        A search that ended without a proof, and one for which no time was left, are kept as unproved, too.
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
        self.unproved.messages.append(why)
        left_out.append(shown(why))

    def ask_in_parts(self, what: str, question: Callable[[Unproved], T], left_out: list[str]) -> T | None:
        """Return the answer as `ask` does, keeping which of its parts were not proved, too."""
        parts = Unproved()
        answer = self.ask(what, partial(question, parts), left_out)
        left_out += parts.messages
        self.unproved.messages += parts.messages
        return answer


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


# The commands of a report, as text to copy into a shell.

PLACEHOLDER = "FILE"
"""What stands for the table where a report was made in Python, from no file."""


@dataclass(frozen=True, kw_only=True)
class CommandLine:
    """How the table was read, for the commands of a report.

    Attributes
    ----------
    file : str or None
        As it was typed; None of the table that ships.
    options : tuple of str
        Options of reading it, such as ``--complete``.
    asked : tuple of str
        Options of the report itself, such as ``--model``.
    """

    file: str | None = PLACEHOLDER
    options: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    def of(self, command: str, *more: str, reads: bool = True) -> str:
        """Return a whole command line."""
        file = () if self.file is None or not reads else (self.file,)
        return " ".join(["weightlab", command, *(quoted(one) for one in (*file, *self.options, *more))])

    @property
    def reporting(self) -> str:
        """The command that makes the report."""
        return self.of("report", *self.asked)

    @property
    def verifying(self) -> str:
        """The command that re-checks a report against the table."""
        return self.of("verify report.html")

    def each(self, option: str, names: Iterable[str]) -> tuple[str, ...]:
        """Return an option repeated for each name; ``--model=-x`` where a name begins with a hyphen."""
        words: list[str] = []
        for name in names:
            words += [f"{option}={name}"] if name.startswith("-") else [option, name]
        return tuple(words)


def quoted(word: str) -> str:
    """Return a word as a POSIX shell takes it; what a page would hide is spelt by ``$'...'``, which bash reads."""
    if shown(word) == word:
        return shlex.quote(word)
    return "$'" + "".join(_spelt(letter) for letter in word) + "'"


def _spelt(letter: str) -> str:
    if letter in "\\'":
        return f"\\{letter}"
    if shown(letter) == letter:
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 128 else f"\\u{code:04x}" if code < 2**16 else f"\\U{code:08x}"
