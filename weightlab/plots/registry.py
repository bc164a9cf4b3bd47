"""The pictures there are: what each can be drawn of, its marks, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx
import pandas as pd

from weightlab.data import Leaderboard, Margins, Profile
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.plots.majority_graph import draw_majority_graph, majority_graph_marks
from weightlab.plots.margins import draw_margins, margins_marks

__all__ = ["PICTURES", "Picture", "picture_of", "pictures_of"]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One kind of picture.

    Attributes
    ----------
    kind : str
        Its name.
    about : str
        What it shows, in a few words.
    takes : tuple of types
        What it can be drawn of.
    marks : callable
        ``marks(thing, **options)`` returns what is drawn as a DataFrame, one row a mark.
    draw : callable
        ``draw(marks, ax=None, theme="light")`` draws them and returns the axes.
    """

    kind: str
    about: str
    takes: tuple[type, ...]
    marks: Callable[..., pd.DataFrame]
    draw: Callable[..., Any]


_TABLES = (Leaderboard, Profile, Margins, nx.DiGraph)

# The first picture that takes a type is the one that is drawn of it where no kind is named.
PICTURES: dict[str, Picture] = {
    one.kind: one
    for one in (
        Picture(
            kind="majority_graph",
            about="who beats whom, in layers",
            takes=_TABLES,
            marks=majority_graph_marks,
            draw=draw_majority_graph,
        ),
        Picture(
            kind="margins",
            about="heat map of the margins of every duel",
            takes=_TABLES,
            marks=margins_marks,
            draw=draw_margins,
        ),
    )
}
"""Pictures by kind."""


def pictures_of(thing: Any) -> tuple[str, ...]:
    """Return the kinds of picture that can be drawn of a table or a result, the usual one first."""
    return tuple(kind for kind, picture in PICTURES.items() if isinstance(thing, picture.takes))


def picture_of(thing: Any, kind: str | None = None) -> Picture:
    """Return the picture of that kind, or the usual one of such a table or result.

    Raises
    ------
    UnknownNameError
        If there is no picture of that kind.
    InputError
        If it cannot be drawn of this, or nothing can.
    """
    if kind is not None and kind not in PICTURES:
        raise UnknownNameError("picture", kind, tuple(PICTURES), holder="registry")
    able = pictures_of(thing)
    if not able:
        drawn = sorted({one.__name__ for picture in PICTURES.values() for one in picture.takes})
        raise InputError(f"there is no picture of a {type(thing).__name__}; there are pictures of {', '.join(drawn)}")
    if kind is not None and kind not in able:
        raise InputError(f"picture {kind!r} cannot be drawn of a {type(thing).__name__}, only {', '.join(able)}")
    return PICTURES[able[0] if kind is None else kind]
