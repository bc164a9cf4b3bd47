"""What all sections of a report share: the commands that ask again, the time that is left, and what was not proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from functools import partial
from typing import Any, TypeVar

from weightlab._result import Frozen
from weightlab._text import shell_word, shown
from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError, UnprovedError
from weightlab.views.unproved import Answers, Clock, Unproved

T = TypeVar("T")


class ReportContext(Frozen, eq=True):
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
    answers : Answers
        What was answered.
    """

    call: CommandLine
    clock: Clock
    samples: int
    seed: int
    unproved: Unproved = field(default_factory=Unproved)
    answers: Answers = field(default_factory=Answers)

    def left(self, most: float | None = None) -> float | None:
        """Return how many seconds a search may take, at most so many; None where there is no limit."""
        return self.clock.left(most)

    def ask(self, what: str, question: Callable[[], T], left_out: list[str], fit: Callable[[Any], bool]) -> T | None:
        """Return the answer; None where there is none, with the reason in ``left_out``.

        A search that ended without a proof, and one for which no time was left, are kept as unproved, too.
        """
        return self._asked(what, lambda: self.answers.ask(question, fit), left_out)

    def _asked(self, what: str, question: Callable[[], T], left_out: list[str]) -> T | None:
        try:
            self.answers.begin(self.clock)
            return question()
        except UnprovedError as error:
            self.unproved.messages.append(f"{what}: {error.__cause__ or error}")
            left_out.append(shown(f"{what}: {error.message}"))
        except (InputError, NoWinnerError, ImpossibleError) as error:
            left_out.append(f"{what}: {error.message}")
        return None

    def ask_in_parts(self, what: str, question: Callable[[Unproved], T], left_out: list[str]) -> T | None:
        """Return the answer as `ask` does, keeping which of its parts were not proved, too."""
        parts = Unproved(self.answers)
        answer = self._asked(what, partial(question, parts), left_out)
        left_out += parts.messages
        self.unproved.messages += parts.messages
        return answer


# The commands of a report, as text to copy into a shell.

PLACEHOLDER = "FILE"
"""What stands for the table where a report was made in Python, from no file."""


class CommandLine(Frozen, eq=True):
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
        return " ".join(["weightlab", command, *(shell_word(one) for one in (*file, *self.options, *more))])

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
