"""``--plot FILE``: the picture of what a command answers; what draws is loaded only where one is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from weightlab._result import Frozen, Result, told_of
from weightlab.cli.options.shared import Plot, PlotTheme, Theme
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.documents import ensure_apart
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp import Prospect, Prospects, Scenario, WinnerMap, WinningShares
from weightlab.report.context import Unproved

# ruff: noqa: PLC0415 - late imports keep commands without pictures quick

SUFFIXES = (".png", ".svg", ".pdf")


class Picture(Frozen, eq=True):
    """Where the picture of an answer goes, if one is asked for; each field is an option."""

    plot: Plot = None
    theme: PlotTheme = None

    def ensure(self, source: Source, written: Mapping[str, str | None]) -> None:
        """Check, before any work is done, that a picture can be written; ``written`` are the other files by option.

        Raises
        ------
        InputError
            If its suffix is not known, its folder is not there, matplotlib is not installed, it is a file that is
            read or written otherwise, or it has a theme but no file.
        """
        target = self.plot
        if target is None and self.theme is not None:
            raise InputError(f"--theme {self.theme} requires --plot")
        if target is None:
            return
        if Path(target).suffix.lower() not in SUFFIXES:
            raise InputError(f"--plot {target!r}: a picture is written as {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
        if not Path(target).parent.is_dir():
            raise InputError(f"--plot {target!r}: there is no folder {str(Path(target).parent)!r}")
        from weightlab.plots.canvas import needed

        needed()
        ensure_apart({"--plot": target, **written}, source.file, source.config)

    def save(self, thing: Any, *, kind: str | None = None, **options: Any) -> None:
        """Write the picture of an answer, if one is asked for.

        Raises
        ------
        InputError
            If there is no picture of it.
        """
        if self.plot is None:
            return
        from weightlab.plots import pictures_of, save

        if not pictures_of(thing):
            raise InputError(f"--plot: there is no picture of this answer, a {type(thing).__name__}")
        with told_of("--plot", InputError):
            save(thing, self.plot, kind=kind, theme=str(self.theme or Theme.LIGHT), **options)

    def save_map(self, found: WinnerMap, board: Leaderboard) -> None:
        """Write the picture of a map with the weights of the table, if one is asked for."""
        if self.plot is not None:
            from weightlab.plots.weights.winner_map import weights_of_corners

            marked: dict[str, Any] = {"weights": weights_of_corners(found, board.weights)}
            self.save(found, called="the weights of the table", **marked)

    def save_win(self, results: Sequence[Result], unproved: Unproved) -> None:
        """Write the picture of what ``weightlab win`` found, if one is asked for.

        Of all models it shows the verdicts; of one the nearest winning weights, or those that serve it best.

        Raises
        ------
        InputError
            If nothing was found that has one.
        UnprovedError
            If that is because something was not proved in time.
        """
        if self.plot is None:
            return
        first = results[0] if results else None
        if isinstance(first, Prospects):
            same = [one for one in results if getattr(one, "rule", None) == first.rule]
            shares = next((one for one in same if isinstance(one, WinningShares)), None)
            nearest = {one.model: one for one in same if isinstance(one, Scenario)}
            self.save(first, shares=shares, nearest=nearest)
        elif isinstance(first, Prospect):
            self.save(next((one for one in results if isinstance(one, Scenario)), first))
        else:
            unproved.raise_if_any()
            raise InputError("--plot: nothing was found that has a picture")

    def ensure_drawable(self, name: str, functions: Mapping[str, Callable[..., Any]], count: int) -> None:
        """Check that there is a picture of what a study returns, and that there is one result.

        Parameters
        ----------
        name : str
            Of the study.
        functions : mapping from str to callable
            All studies.
        count : int
            How many results there will be.

        Raises
        ------
        InputError
            If not; studies that have pictures are named.
        """
        if self.plot is None:
            return
        from weightlab.plots import PICTURES

        takes = {one.__name__ for picture in PICTURES.values() for one in picture.types}
        # Annotations are text: what they name need not be there when the program runs.
        able = [one for one, function in functions.items() if function.__annotations__["return"] in takes]
        if name not in able:
            raise InputError(f"--plot: the study {name} has no picture; there are pictures of {', '.join(able)}")
        if count > 1:
            raise InputError(f"--plot: {count} rules are {count} pictures; ask for one rule at a time")


NO_PICTURE = Picture()
