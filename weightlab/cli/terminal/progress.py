"""A progress bar on standard error, where that is a terminal."""

from __future__ import annotations

from typing import Self

from rich.progress import Progress

from weightlab.cli.terminal.show import console

__all__ = ["Bar"]


class Bar:
    """A progress bar that is gone when the work is done; nothing where it is not wanted or nobody would see it.

    Parameters
    ----------
    what : str
        What is done.
    total : int or None
        How many steps there are; None where nobody knows.
    silent : bool
        Show nothing.
    """

    def __init__(self, what: str, total: int | None, *, silent: bool) -> None:
        shows = console(stderr=True)
        self._shown = shows.file.isatty() and not shows.is_dumb_terminal and not silent
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
