"""The commands that make a report again, as text to copy into a shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from weightlab.report.text.words import shown

__all__ = ["PLACEHOLDER", "Call", "quoted"]

PLACEHOLDER = "FILE"
"""What stands for the table where a report was made in Python, from no file."""


@dataclass(frozen=True, kw_only=True)
class Call:
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
