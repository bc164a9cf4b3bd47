"""Draw anything: one call for all tables and results, one for files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from weightlab.exceptions import InputError
from weightlab.plots.canvas import needed, rendered_figure
from weightlab.plots.registry import picture_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw", "marks", "rendered", "save"]


def marks(thing: Any, kind: str | None = None, **options: Any) -> pd.DataFrame:
    """Return what a picture shows as a table, one row for each mark; it needs no matplotlib.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins, DiGraph or a result
        What is to be drawn.
    kind : str, optional
        Which picture, one of ``PICTURES``; the first that can be drawn of such a thing by default.
    **options
        What the picture can be told, such as ``most=20``.

    Returns
    -------
    DataFrame
        ``mark`` is the kind of mark; the other columns are described with the picture's own function.

    Raises
    ------
    UnknownNameError
        If there is no picture of that kind.
    InputError
        If it cannot be drawn of this.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 3}})
    >>> wl.plots.marks(board, "margins")["mark"].value_counts().to_dict()
    {'cell': 4, 'model': 2, 'title': 1, 'note': 1}
    """
    return picture_of(thing, kind).marks(thing, **options)


def draw(thing: Any, *, kind: str | None = None, ax: Axes | None = None, theme: str = "light", **options: Any) -> Axes:
    """Draw a table or a result.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins, DiGraph or a result
        What is to be drawn.
    kind : str, optional
        Which picture, one of ``PICTURES``; the first that can be drawn of such a thing by default.
    ax : matplotlib Axes, optional
        Where to draw; by default axes of a new figure, ``draw(...).figure``, which a notebook shows.
    theme : {"light", "dark"}
        The colours.
    **options
        What the picture can be told, such as ``most=20``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UnknownNameError
        If there is no picture of that kind, or no such theme.
    InputError
        If it cannot be drawn of this, or matplotlib is not installed.
    """
    picture = picture_of(thing, kind)
    needed()
    drawn: Axes = picture.draw(picture.marks(thing, **options), ax=ax, theme=theme)
    return drawn


def rendered(
    thing: Any, suffix: str = "svg", *, kind: str | None = None, theme: str = "light", dpi: float = 150, **options: Any
) -> bytes:
    """Return a picture as the bytes of a file, the same at each run.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins, DiGraph or a result, or matplotlib Axes
        What is to be drawn, or what is already.
    suffix : {"svg", "png", "pdf"}
        The format.
    kind, theme, **options
        As for ``draw``.
    dpi : float
        Dots per inch of a PNG.

    Raises
    ------
    InputError
        As ``draw``, and if the format is not known.
    """
    needed()
    from matplotlib.axes import Axes as Drawn  # noqa: PLC0415 (an extra)

    ax = thing if isinstance(thing, Drawn) else draw(thing, kind=kind, theme=theme, **options)
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("these axes are on no figure any more")
    return rendered_figure(figure, suffix=suffix, dpi=dpi)


def save(
    thing: Any,
    path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    theme: str = "light",
    dpi: float = 150,
    **options: Any,
) -> Path:
    """Write a picture to a file, the same bytes at each run.

    Parameters
    ----------
    thing : Leaderboard, Profile, Margins, DiGraph or a result, or matplotlib Axes
        What is to be drawn, or what is already.
    path : path
        Where to; its suffix says the format: ``.png``, ``.svg`` or ``.pdf``.
    kind, theme, **options
        As for ``draw``.
    dpi : float
        Dots per inch of a PNG.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        As ``draw``, and if the suffix is not known.
    OSError
        If the file cannot be written.
    """
    target = Path(path)
    made = rendered(thing, target.suffix.lower().removeprefix("."), kind=kind, theme=theme, dpi=dpi, **options)
    target.write_bytes(made)
    return target
