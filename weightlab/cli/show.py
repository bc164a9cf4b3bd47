"""Names and numbers as a terminal may show them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from weightlab.cli.layout import Headed, Rows
from weightlab.report.text.words import (
    HIDDEN,
    known_lines,
    listed,
    mixture,
    number,
    rounded,
    shown,
    shown_lines,
    weights_line,
)

__all__ = [
    "HIDDEN",
    "console",
    "headed",
    "known_lines",
    "listed",
    "mixture",
    "note",
    "number",
    "rounded",
    "say",
    "shown",
    "shown_lines",
    "table",
    "weights_line",
]

UNFOLDED = 100_000
"""Width where nothing is folded."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints text as it is: no markup, no emoji codes, no highlighting.

    On a terminal lines are folded to its width; into files and pipes they go whole, even where FORCE_COLOR is set.
    """
    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not made.file.isatty():
        made.width = UNFOLDED
    return made


def say(*parts: RenderableType) -> None:
    """Print text and tables on standard output, without blanks at the ends of lines."""
    out = console()
    with out.capture() as captured:
        for part in parts:
            out.print(Text(part) if isinstance(part, str) else part)
    sys.stdout.write("".join(f"{line.rstrip(' ')}\n" for line in captured.get().splitlines()))


def note(text: str) -> None:
    """Print a note on standard error."""
    sys.stderr.write(text.rstrip("\n") + "\n")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> Rows:
    """Return a table of plain text; columns listed in ``right`` hold numbers."""
    return Rows(headings=tuple(headings), rows=tuple(tuple(row) for row in rows), right=frozenset(right))


def headed(rows: Iterable[tuple[str, Sequence[str]]]) -> Headed:
    """Return headed lines: headings, and their lines beside or below them."""
    return Headed(rows=tuple((heading, tuple(lines)) for heading, lines in rows))
