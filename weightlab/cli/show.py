"""Names and numbers as a terminal may show them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from weightlab.report.wording import (
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

    On a terminal lines are folded to its width; into files and pipes they go whole.
    """
    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not made.is_terminal:
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


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> Table:
    """Return a table of plain text; columns listed in ``right`` are aligned to the right."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for position, heading in enumerate(headings):
        made.add_column(Text(heading), justify="right" if position in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def headed(rows: Iterable[tuple[str, Sequence[str]]]) -> Table:
    """Return headed lines: headings in the first column, their lines beside them."""
    made = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    made.add_column(min_width=33, max_width=max(33, console().width // 2), overflow="fold")
    made.add_column(overflow="fold")
    for heading, lines in rows:
        for position, line in enumerate(lines):
            made.add_row(Text(heading if position == 0 else ""), Text(line))
    return made
