"""Colours of the pictures by what they mean, on light and on dark paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weightlab.exceptions import UnknownNameError

__all__ = ["LINES", "MARKERS", "OKABE_ITO", "THEMES", "Theme", "theme_of"]

OKABE_ITO: Mapping[str, str] = {
    "black": "#000000",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "purple": "#CC79A7",
}
"""Eight colours that people with any common colour vision tell apart (Okabe and Ito, "Color universal design")."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""Shapes of points, so that series differ without colour."""

LINES = ("-", "--", "-.", ":")
"""Styles of lines, for the same reason."""


@dataclass(frozen=True, kw_only=True)
class Theme:
    """Colours by role.

    Attributes
    ----------
    name : str
        ``"light"`` or ``"dark"``.
    paper, ink, faint, grid : str
        Background; text and outlines; text and lines of less weight; lines behind the data.
    roles : dict from str to str
        Colour of what a mark means. ``first`` is what the picture is about, ``second`` what stands against it,
        ``third`` and ``fourth`` further things set apart, ``other`` all the rest; ``for``, ``even`` and ``against`` are
        the two ends and the middle of scales around 0.
    series : tuple of str
        Colours of series that are equal in rank, in the order of their use.
    """

    name: str
    paper: str
    ink: str
    faint: str
    grid: str
    roles: Mapping[str, str]
    series: tuple[str, ...]

    def colour(self, role: str) -> str:
        """Return the colour of a role; ``ink``, ``faint``, ``grid`` and ``paper`` are roles too.

        Raises
        ------
        UnknownNameError
            If there is no such role.
        """
        known = {"ink": self.ink, "faint": self.faint, "grid": self.grid, "paper": self.paper, **self.roles}
        if role not in known:
            raise UnknownNameError("role", role, tuple(known), holder="theme")
        return known[role]

    def text_on(self, colour: str) -> str:
        """Return whichever of ink and paper stands out more on a colour."""
        return max((self.ink, self.paper), key=lambda one: _contrast(one, colour))

    @property
    def diverging(self) -> tuple[str, str, str]:
        """Colours of the least value, of 0 and of the greatest value."""
        return self.roles["against"], self.roles["even"], self.roles["for"]


THEMES: Mapping[str, Theme] = {
    "light": Theme(
        name="light",
        paper="#FFFFFF",
        ink="#1A1A1A",
        faint="#595959",
        grid="#D9D9D9",
        roles={
            "first": OKABE_ITO["blue"],
            "second": OKABE_ITO["vermillion"],
            "third": OKABE_ITO["green"],
            "fourth": OKABE_ITO["purple"],
            "other": "#8C8C8C",
            "for": OKABE_ITO["blue"],
            "even": "#F7F7F7",
            "against": OKABE_ITO["vermillion"],
        },
        series=tuple(OKABE_ITO[name] for name in ("blue", "vermillion", "green", "purple", "orange", "sky", "black")),
    ),
    "dark": Theme(
        name="dark",
        paper="#15181C",
        ink="#ECECEC",
        faint="#B4B4B4",
        grid="#3C4046",
        roles={
            "first": OKABE_ITO["sky"],
            "second": OKABE_ITO["orange"],
            "third": "#2FC49A",
            "fourth": "#E39BC4",
            "other": "#8F959C",
            "for": "#3F9FDC",
            "even": "#24282D",
            "against": "#E8731A",
        },
        series=(OKABE_ITO["sky"], OKABE_ITO["orange"], "#2FC49A", "#E39BC4", OKABE_ITO["yellow"], "#E8731A", "#ECECEC"),
    ),
}
"""The themes by name."""


def theme_of(name: str) -> Theme:
    """Return the theme of that name.

    Raises
    ------
    UnknownNameError
        If it is neither ``"light"`` nor ``"dark"``.
    """
    if name not in THEMES:
        raise UnknownNameError("theme", name, tuple(THEMES), holder="palette")
    return THEMES[name]


def _contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, 1 to 21 (Web Content Accessibility Guidelines 2.1)."""
    darker, lighter = sorted(_luminance(one) for one in (first, second))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
