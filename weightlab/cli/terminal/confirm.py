"""A reading that is only likely, as a question at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from weightlab._text import shown_lines
from weightlab.cli.terminal.cures import command_line, words_of
from weightlab.exceptions import ReadingError
from weightlab.io.reading.settled import explicit

MOST_LINES = 8
"""Lines of the reading above the question."""
UNASKED = frozenset({"--json", "-q", "--quiet"})
"""Options that suppress the question."""


def may_ask(error: ReadingError, arguments: Sequence[str]) -> bool:
    """Return whether a person sits at a terminal who can accept a reading by one answer."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    seen = all(one is not None and one.isatty() for one in streams)
    return seen and not UNASKED & {*arguments} and bool(error.ways) and error.reading.is_answerable


def accepted(error: ReadingError, arguments: Sequence[str]) -> list[str] | None:
    """Show a reading, ask whether the table is to be read so, and return the words that say it; None where it is not.

    ``edit`` prints the command with all that the reading says, to be changed and run.
    """
    lines = [error.reading.line, *(f"  - {one}" for one in error.reading.doubts())]
    more = [f"  and {len(lines) - MOST_LINES} more; 'weightlab read' shows all"] if len(lines) > MOST_LINES + 1 else []
    text = "\n".join(map(shown_lines, [*lines[: MOST_LINES + 1 - len(more)], *more]))
    sys.stderr.write(f"{text}\nRead it so? [Y/n/edit] ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    said = answer.strip().casefold()
    if answer and said in {"", "y", "yes"}:
        return words_of(error.ways[0])
    if said in {"e", "edit"}:
        sys.stderr.writelines(f"{line}\n" for line in command_line(arguments, explicit(error.reading)))
    return None
