"""The one door to matplotlib: a canvas in a theme, and files that are the same bytes at each run."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from weightlab.exceptions import InputError
from weightlab.plots.text import escaped
from weightlab.plots.theme import Theme, theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["canvas", "fonts", "is_own", "needed", "rendered_figure", "undrawable"]

FALLBACKS = (
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans",
    "Yu Gothic",
    "Malgun Gothic",
    "Apple SD Gothic Neo",
    "Nirmala UI",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Arial Unicode MS",
    "Noto Emoji",
    "Segoe UI Symbol",
    "Symbola",
)
"""Fonts for what matplotlib's own font does not have; those that are installed are used, in this order."""

OWN = "weightlab"
"""Label of the figures that hold one picture and nothing else."""

NO_DATES: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What the formats would say of when and by what a file was written."""


def needed() -> Any:
    """Return matplotlib, or raise InputError saying how to install it."""
    try:
        import matplotlib as mpl  # noqa: PLC0415 (an extra)
    except ImportError:
        raise InputError("pictures need matplotlib: pip install 'weightlab[plot]'") from None
    return mpl


@contextmanager
def canvas(ax: Axes | None, *, size: tuple[float, float], theme: str) -> Iterator[tuple[Axes, Theme]]:
    """Give axes to draw on in a theme: those handed over, or new ones of their own figure.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Where to draw; new axes by default, on a figure that no window or ``pyplot`` knows of.
    size : (float, float)
        Inches of a new figure.
    theme : {"light", "dark"}
        The colours.

    Yields
    ------
    (matplotlib Axes, Theme)
    """
    look = theme_of(theme)
    with _styled(look):
        if ax is None:
            from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

            ax = Figure(figsize=size, layout="constrained", label=OWN).add_subplot()
        yield ax, look


def is_own(figure: Figure) -> bool:
    """Tell whether a figure was made for one picture alone."""
    return figure.get_label() == OWN


@contextmanager
def _styled(look: Theme) -> Iterator[None]:
    """Set matplotlib's own defaults and the theme for a while, whatever the settings of the user are."""
    needed()
    from matplotlib import style  # noqa: PLC0415 (an extra)

    with style.context(["default", _settings(look)]):
        yield


def _settings(look: Theme) -> dict[str, Any]:
    inks = ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color", "legend.labelcolor")
    papers = ("figure.facecolor", "axes.facecolor", "savefig.facecolor", "legend.facecolor")
    return {
        **dict.fromkeys(inks, look.ink),
        **dict.fromkeys(papers, look.paper),
        "axes.edgecolor": look.faint,
        "grid.color": look.grid,
        "font.family": [*fonts(), "sans-serif"],
        "font.size": 9,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
        "legend.fontsize": 8.5,
        "legend.frameon": False,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "text.parse_math": False,
        "text.usetex": False,
    }


@cache
def fonts() -> tuple[str, ...]:
    """Return the families that text is set in, the later ones for characters that the earlier ones lack."""
    from matplotlib import font_manager  # noqa: PLC0415 (an extra)

    installed = set(font_manager.fontManager.get_font_names())
    return ("DejaVu Sans", *(name for name in FALLBACKS if name in installed))


@cache
def _characters() -> frozenset[int]:
    """Return the code points that some of the fonts can draw."""
    from matplotlib import font_manager  # noqa: PLC0415 (an extra)

    known: set[int] = set()
    for name in fonts():
        known.update(font_manager.get_font(font_manager.findfont(name)).get_charmap())
    return frozenset(known)


def undrawable(text: str) -> set[str]:
    """Return the characters that no installed font can draw."""
    return {one for one in text if one != "\n" and ord(one) not in _characters()}


def rendered_figure(figure: Figure, *, suffix: str, dpi: float) -> bytes:
    """Return a figure as the bytes of a file: the same at each run.

    An SVG keeps its text as text, so that it can be found and read aloud, and whoever shows it picks the fonts. In the
    other formats a character that no installed font can draw is shown as its code.

    Raises
    ------
    InputError
        If the format is not one of png, svg and pdf.
    """
    if suffix not in NO_DATES:
        raise InputError(f"a picture is written as .png, .svg or .pdf; got {'.' + suffix if suffix else 'no suffix'!r}")
    mpl = needed()
    settings = {
        "svg.hashsalt": "weightlab",
        "svg.fonttype": "none",
        # What stands for "sans-serif" is listed in every text of an SVG.
        "font.sans-serif": ["DejaVu Sans"],
        "pdf.fonttype": 42,
        "savefig.bbox": None,
    }
    held = io.BytesIO()
    with mpl.rc_context(settings), warnings.catch_warnings(), _drawable(figure, as_text=suffix == "svg"):
        # Text that stays text is only measured here: that the fonts at hand lack a character of it is no fault.
        warnings.filterwarnings("ignore", message="Glyph .* missing from|.*does not support .* natively")
        figure.savefig(
            held, format=suffix, dpi=dpi, metadata=NO_DATES[suffix], facecolor=figure.get_facecolor(), edgecolor="none"
        )
    return held.getvalue()


@contextmanager
def _drawable(figure: Figure, *, as_text: bool) -> Iterator[None]:
    """Write characters that cannot be drawn as their codes, as long as the file is made."""
    if as_text:
        yield
        return
    from matplotlib.text import Text  # noqa: PLC0415 (an extra)

    formatters: list[Any] = [axis.get_major_formatter() for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    texts = [(found, found.get_text()) for found in figure.findobj(Text) if undrawable(found.get_text())]
    for found, text in texts:
        found.set_text(escaped(text, undrawable(text)))
    # Labels of ticks are set anew from their formatter whenever they are drawn.
    for formatter in formatters:
        formatter.format_ticks = partial(_drawable_ticks, formatter.format_ticks)
    try:
        yield
    finally:
        for formatter in formatters:
            formatter.__dict__.pop("format_ticks", None)
        for found, text in texts:
            found.set_text(text)


def _drawable_ticks(format_ticks: Callable[[Any], list[str]], values: Any) -> list[str]:
    return [escaped(text, undrawable(text)) for text in format_ticks(values)]
