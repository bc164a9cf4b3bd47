"""Names, numbers, tables and a progress bar as a terminal may show them; what it would obey is escaped here."""

from __future__ import annotations

import sys
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from weightlab._cures import Spoken
from weightlab._text import shown, shown_lines

if TYPE_CHECKING:
    from weightlab.views.unproved import Unproved
    from weightlab.views.view import View

HEADINGS = 33
"""Width of headings with lines next to them, in columns."""
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
    lines, NOTES.pending = NOTES.pending, []
    with out.capture() as captured:
        for part in (*(line for one in lines for line in (one, "")), *parts):
            out.print(Text(shown_lines(part)) if isinstance(part, str) else part)
    sys.stdout.write("".join(f"{line.rstrip(' ')}\n" for line in captured.get().splitlines()))
    sys.stdout.flush()  # a reader of a pipe sees each answer as it is found, too


class Notes(list[str]):
    """What the command that runs has noted so far, which its document says, too, and how it goes."""

    quiet = False
    """Whether it is to keep notes and progress to itself."""

    def __init__(self) -> None:
        super().__init__()
        self.readings: list[Any] = []
        self.pending: list[str] = []
        self.call: tuple[str, ...] = ()
        self.begin()

    def begin(self, *, as_json: bool = False) -> None:
        """Forget the command before."""
        self.clear()
        self.readings.clear()
        self.pending.clear()
        self.as_json = as_json
        self.origin: dict[str, Any] = {}
        self._unproved: Unproved | None = None

    @property
    def unproved(self) -> Unproved:
        """What the command could not prove, or not in time."""
        from weightlab.views.unproved import Unproved

        self._unproved = self._unproved or Unproved()
        return self._unproved

    def read(self, reading: Any) -> None:
        """Note how a table was read, before all other output."""
        self.readings.append(reading)
        self.pending.append(reading.line)

    def behind_reading(self, text: str) -> None:
        """Say a sentence behind how the table was read; on standard error where that is not said."""
        if not self.pending:
            note(text)
            return
        self.pending[-1] += f" {text}"
        self.append(shown_lines(text))

    def aside(self) -> None:
        """Say on standard error how tables were read, where standard output is a file of its own."""
        lines, self.pending = self.pending, []
        if not self.quiet:
            sys.stderr.writelines(f"{shown_lines(line)}\n" for line in lines)


NOTES = Notes()


def note(text: str, *more: str) -> None:
    """Print a note on standard error unless that is to be quiet, and keep it for the document, with more for that."""
    told = shown_lines(text.rstrip("\n"))
    NOTES.extend((*told.split("\n"), *more))
    if not NOTES.quiet:
        _put_note(told)


def _put_note(told: str) -> None:
    """Write a note on standard error: at a terminal folded to its width, and below how the table was read."""
    out = console(stderr=True)
    if not out.file.isatty():
        sys.stderr.write(told + "\n")
        return
    if sys.stdout.isatty():
        lines, NOTES.pending = NOTES.pending, []
        out.print(*(Text(f"{shown_lines(line)}\n") for line in lines), sep="", end="")
    out.print(Text(told))


@contextmanager
def noted_warnings() -> Iterator[None]:
    """Let none of Python's warnings reach the terminal: those of this package become notes, those of libraries nothing.

    Notes come before an error, too: what was left out is often why nothing can be answered.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _note_warning
        yield


def _note_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    from weightlab.cli.terminal.cures import as_options

    text = shown_lines(message.told(as_options) if isinstance(message, Spoken) else str(message))
    if category.__module__.startswith("weightlab.") and not {*text.split("\n")} <= {*NOTES}:
        note(text, *_whole_cases(message))


def _whole_cases(warning: Any) -> Iterator[str]:
    """Yield what lines of a warning count and name but three of, for documents."""
    for line, cases in getattr(warning, "cases", {}).items():
        if line in warning.message and len(cases) > 3:
            yield f"{line.partition(':')[0]}, all of them: {', '.join(cases)}."


def screen(view: View, *, every: bool, first: bool) -> Iterator[RenderableType]:
    """Yield a view as a terminal shows it, an empty line between its parts; rows beyond the usual only where asked."""
    from weightlab.views.view import Facts, Table

    for place, block in enumerate(view.parts):
        if place or not (first or view.close):
            yield ""
        if isinstance(block, Facts):
            yield headed(block.lines, wide=block.wide)
        elif isinstance(block, Table):
            yield from ([shown(block.caption)] if block.titled else [])
            most = None if every else block.most
            yield table(block.headings, block.rows[:most], block.right)
            if most is not None and len(block.rows) > most:
                yield f"Showing {most} of {len(block.rows):,} rows; use --all for the rest."
        else:
            yield from map(shown, block)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> TextTable:
    """Return a table of plain text; columns listed in ``right`` hold numbers."""
    cells = tuple(tuple(map(shown, row)) for row in rows)
    return TextTable(headings=tuple(map(shown, headings)), rows=cells, right=frozenset(right))


def headed(rows: Iterable[tuple[str, Sequence[str]]], *, wide: int = HEADINGS) -> HeadedLines:
    """Return headed lines: headings of at least ``wide`` columns, and their lines beside or below them."""
    return HeadedLines(rows=tuple((shown(heading), tuple(map(shown, lines))) for heading, lines in rows), wide=wide)


class Bar:
    """A progress bar that is gone when the work is done; nothing where it is not wanted or it would not be seen.

    Parameters
    ----------
    what : str
        What is done; nothing for no bar.
    total : int, optional
        How many steps there are, where that is known.
    """

    def __init__(self, what: str, total: int | None = None) -> None:
        from rich.progress import Progress

        shows = console(stderr=True)
        seen = shows.file.isatty() and not shows.is_dumb_terminal
        self._shown = bool(what) and seen and not (NOTES.quiet or NOTES.as_json)
        self._progress = Progress(console=shows, transient=True)
        self._task = self._progress.add_task(what, total=total)

    def __enter__(self) -> Self:
        """Show the bar."""
        if self._shown:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take it away."""
        if self._shown:
            self._progress.stop()  # it would print a line even where nothing was shown

    def advance(self, steps: int) -> None:
        """Count steps as done."""
        self._progress.advance(self._task, steps)


# Tables and headed lines in the width there is: side by side where they are legible so, else one below another.

GAP = 2
"""Blanks between columns."""
LEGIBLE = 12
"""Text folded to less than this many columns is hard to read."""
BESIDE = 72
"""Smallest width, in columns, with lines next to their headings rather than below."""


@dataclass(frozen=True, kw_only=True)
class TextTable:
    """A table of plain text; where its columns do not fit, each row becomes a list of its cells.

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
        # Headings of numbers are folded first, in two: text next to them is harder to read in a narrow column.
        for place in self.right:
            natural[place] = max(_halved(self.headings[place]), *columns[place])
        caps = range(max(natural) + 1)
        widest = bisect_left(caps, x=True, lo=1, key=lambda cap: sum(_capped(natural, least, cap)) > free) - 1
        return _capped(natural, least, widest)

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


def _halved(heading: str) -> int:
    """Return in how many columns a heading takes at most two lines."""
    words = heading.split(" ")
    halves = ((" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words) + 1))
    return min(max(map(cell_len, half)) for half in halves)


def _capped(natural: Sequence[int], least: Sequence[int], cap: int) -> list[int]:
    return [max(low, min(width, cap)) for width, low in zip(natural, least, strict=True)]


@dataclass(frozen=True, kw_only=True)
class HeadedLines:
    """Headed lines: beside their headings or, where that is too narrow, below them.

    Attributes
    ----------
    rows : tuple of (str, tuple of str)
        Headings and their lines.
    wide : int
        Columns that headings take at least.
    """

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    wide: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield what is printed."""
        if options.max_width < BESIDE:
            yield from self._below()
            return
        made = Table(box=None, pad_edge=False, show_header=False, padding=(0, GAP, 0, 0))
        made.add_column(min_width=self.wide, max_width=max(self.wide, options.max_width // 2), overflow="fold")
        made.add_column(overflow="fold")
        for heading, line in _spread(self.rows):
            made.add_row(Text(heading), Text(line))
        yield made

    def _below(self) -> RenderResult:
        for heading, lines in self.rows:
            yield Text(heading, style="bold")
            yield from (Padding(Text(line, overflow="fold"), (0, 0, 0, GAP), expand=False) for line in lines)


def _spread(rows: Iterable[tuple[str, Sequence[str]]]) -> Iterable[tuple[str, str]]:
    """Yield each line with its heading, which is printed next to the first line only."""
    for heading, lines in rows:
        yield from ((heading if position == 0 else "", line) for position, line in enumerate(lines))
