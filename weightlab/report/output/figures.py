"""The figures of a report, drawn in memory for light and for dark paper."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from weightlab.exceptions import InputError
from weightlab.plots import marks, rendered
from weightlab.report.blocks import Drawing
from weightlab.report.text.words import shown

__all__ = ["Figure", "drawn", "told"]

WIDE = 600
"""Points from which on a figure is wide."""


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
    wide : bool
        Whether it is wider than others, and needs more room for its texts to be read.
    """

    caption: str
    alt: str
    light: str = ""
    dark: str = ""
    missing: str = ""
    wide: bool = False


def drawn(drawing: Drawing) -> Figure:
    """Return a figure with its picture, or with the reason why there is none."""
    alt = ""
    try:
        alt = told(drawing)
        light, dark = (_picture(drawing, theme) for theme in ("light", "dark"))
    except InputError as error:
        return Figure(caption=drawing.caption, alt=alt, missing=shown(error))
    wide = _width(light) > WIDE
    return Figure(caption=drawing.caption, alt=alt, light=_address(light), dark=_address(dark), wide=wide)


def told(drawing: Drawing) -> str:
    """Return what a figure shows in words: its title and its notes."""
    found = marks(drawing.thing, drawing.kind, **drawing.options)
    said = found.loc[found["mark"].isin(["title", "note"]), "label"]
    return shown(" ".join(str(text).rstrip(".") + "." for text in said))


def _picture(drawing: Drawing, theme: str) -> bytes:
    return rendered(drawing.thing, "svg", kind=drawing.kind, theme=theme, **drawing.options)


def _width(picture: bytes) -> float:
    """Return the width that an SVG says of itself, in points."""
    found = re.search(rb'<svg [^>]*?width="([0-9.]+)pt"', picture)
    return 0.0 if found is None else float(found[1])


def _address(picture: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture).decode('ascii')}"
