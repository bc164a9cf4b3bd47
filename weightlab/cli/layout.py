"""Tables and headed lines in the width there is: side by side where they are legible so, else one below another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

__all__ = ["Headed", "Rows"]

GAP = 2
"""Blanks between columns."""

LEGIBLE = 12
"""Text folded to less than this many columns is hard to read."""

HEADINGS = 33
"""Columns that headings take where lines stand beside them."""

BESIDE = 72
"""Lines stand beside their headings where there are this many columns, else below them."""


@dataclass(frozen=True, kw_only=True)
class Rows:
    """A table of plain text; where its columns do not fit, each row becomes a list of what stands in it.

    Attributes
    ----------
    headings : tuple of str
        One a column.
    rows : tuple of tuple of str
        The cells.
    right : frozenset of int
        Columns of numbers: aligned to the right, and never folded.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield what is printed."""
        widths = self.widths(options.max_width)
        if widths is None:
            yield from self._listed()
            return
        made = Table(box=None, pad_edge=False, header_style="bold")
        for position, (heading, width) in enumerate(zip(self.headings, widths, strict=True)):
            justify = "right" if position in self.right else "left"
            made.add_column(Text(heading), justify=justify, overflow="fold", width=width)  # type: ignore[arg-type]
        for row in self.rows:
            made.add_row(*(Text(cell) for cell in row))
        yield made

    def widths(self, available: int) -> list[int] | None:
        """Return the widths of the columns, the widest cut first, or None where no widths are legible."""
        columns = [[cell_len(cell) for cell in column] for column in zip(*self.rows, strict=True)]
        natural = [max([cell_len(heading), *cells]) for heading, cells in zip(self.headings, columns, strict=True)]
        least = [self._least(position, cells) for position, cells in enumerate(columns)]
        free = available - GAP * (len(natural) - 1)
        if sum(least) > free:
            return None
        if sum(natural) <= free:
            return natural
        low, high = 0, max(natural)
        while high - low > 1:
            cap = (low + high) // 2
            low, high = (cap, high) if sum(_capped(natural, least, cap)) <= free else (low, cap)
        return _capped(natural, least, low)

    def _least(self, position: int, cells: Sequence[int]) -> int:
        """Return how narrow a column may be: no number and no word of a heading is broken."""
        words = max(cell_len(word) for word in (self.headings[position] or " ").split(" "))
        return max([words, *(cells if position in self.right else [min(LEGIBLE, cell) for cell in cells])])

    def _listed(self) -> RenderResult:
        """Yield each row below its name, which is its first text."""
        name = next((position for position in range(len(self.headings)) if position not in self.right), 0)
        for row in self.rows:
            yield Text(row[name], style="bold")
            made = Table.grid(padding=(0, GAP, 0, 0))
            made.add_column(overflow="fold", max_width=2 * LEGIBLE)
            made.add_column(overflow="fold")
            for position, (heading, cell) in enumerate(zip(self.headings, row, strict=True)):
                if cell and position != name:
                    made.add_row(Text(f"{heading}:"), Text(cell))
            if made.row_count:
                yield Padding(made, (0, 0, 0, GAP), expand=False)


def _capped(natural: Sequence[int], least: Sequence[int], cap: int) -> list[int]:
    return [max(low, min(width, cap)) for width, low in zip(natural, least, strict=True)]


@dataclass(frozen=True, kw_only=True)
class Headed:
    """Headed lines: beside their headings or, where that is too narrow, below them.

    Attributes
    ----------
    rows : tuple of (str, tuple of str)
        Headings and their lines.
    """

    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield what is printed."""
        if options.max_width < BESIDE:
            yield from self._below()
            return
        made = Table(box=None, pad_edge=False, show_header=False, padding=(0, GAP, 0, 0))
        made.add_column(min_width=HEADINGS, max_width=max(HEADINGS, options.max_width // 2), overflow="fold")
        made.add_column(overflow="fold")
        for heading, line in _spread(self.rows):
            made.add_row(Text(heading), Text(line))
        yield made

    def _below(self) -> RenderResult:
        for heading, lines in self.rows:
            yield Text(heading, style="bold")
            yield from (Padding(Text(line, overflow="fold"), (0, 0, 0, GAP), expand=False) for line in lines)


def _spread(rows: Iterable[tuple[str, Sequence[str]]]) -> Iterable[tuple[str, str]]:
    """Yield each line with its heading, which stands beside the first line alone."""
    for heading, lines in rows:
        yield from ((heading if position == 0 else "", line) for position, line in enumerate(lines))
