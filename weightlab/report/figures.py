"""The figures of a report, drawn in memory for light and for dark paper."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from weightlab.exceptions import InputError
from weightlab.plots import marks, rendered
from weightlab.report.blocks import Drawing
from weightlab.report.wording import shown

__all__ = ["Figure", "drawn", "told"]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A drawn figure.

    Attributes
    ----------
    caption : str
        What it shows.
    alt : str
        What is to be seen, in words, from the marks.
    light, dark : str
        Addresses that hold the picture itself; empty where it was not drawn.
    missing : str
        Why it was not drawn, and how to get it.
    """

    caption: str
    alt: str
    light: str = ""
    dark: str = ""
    missing: str = ""


def drawn(drawing: Drawing) -> Figure:
    """Return a figure with its picture, or with the reason why there is none."""
    alt = ""
    try:
        alt = told(drawing)
        light, dark = (_address(_picture(drawing, theme)) for theme in ("light", "dark"))
    except InputError as error:
        return Figure(caption=drawing.caption, alt=alt, missing=shown(error))
    return Figure(caption=drawing.caption, alt=alt, light=light, dark=dark)


def told(drawing: Drawing) -> str:
    """Return what a figure shows in words: its title and its notes."""
    found = marks(drawing.thing, drawing.kind, **drawing.options)
    said = found.loc[found["mark"].isin(["title", "note"]), "label"]
    return shown(" ".join(str(text).rstrip(".") + "." for text in said))


def _picture(drawing: Drawing, theme: str) -> bytes:
    return rendered(drawing.thing, "svg", kind=drawing.kind, theme=theme, **drawing.options)


def _address(picture: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture).decode('ascii')}"
