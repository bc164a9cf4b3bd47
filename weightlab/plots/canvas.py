"""The one door to matplotlib: a canvas in a theme, and files that are the same bytes at each run."""

from __future__ import annotations

import io
import textwrap
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from weightlab._result import Frozen
from weightlab.exceptions import InputError, UnknownNameError

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes  # noqa: PLC0414 - so that every picture imports it from here
    from matplotlib.figure import Figure
else:  # matplotlib is an extra: it is imported at the first picture
    Axes = Figure = Any


FALLBACKS = (
    *("Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC"),
    # Chinese, Japanese, Korean
    *("WenQuanYi Micro Hei", "Microsoft YaHei", "PingFang SC"),
    *("Hiragino Sans", "Yu Gothic"),
    *("Malgun Gothic", "Apple SD Gothic Neo"),
    # Scripts of India, Thai; all else, symbols last
    *("Nirmala UI", "Noto Sans Devanagari", "Noto Sans Thai"),
    *("Arial Unicode MS", "Noto Emoji", "Segoe UI Symbol", "Symbola"),
)
"""Fonts for what matplotlib's own font does not have; those that are installed are used, in this order."""
NO_PICTURES = "pictures need matplotlib: pip install 'weightlab[plot]'"
"""Message without matplotlib."""
NARROW = 4.0
"""Width below which a figure counts as one column of a paper, in inches."""
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
        raise InputError(NO_PICTURES) from None
    return mpl


@contextmanager
def canvas(
    ax: Axes | None, *, size: tuple[float, float], theme: str, fixed: bool = False
) -> Iterator[tuple[Axes, Theme]]:
    """Return axes to draw on in a theme: the given ones, or those of a new figure.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Where to draw; new axes by default, on a figure that no window or ``pyplot`` knows of.
    size : (float, float)
        Inches of a new figure.
    theme : {"light", "dark"}
        The colours.
    fixed : bool
        Whether the picture needs that width, as what has a column for each model does.

    Yields
    ------
    (matplotlib Axes, Theme)
    """
    look = theme_of(theme)
    ax = own_axes(size[0], theme) if ax is None else ax
    figure = ax.get_figure(root=True)
    if figure is not None and is_own(figure):
        figure.set_size_inches(size[0] if fixed else figure.get_figwidth(), size[1])
    with _styled(look, narrow=is_narrow(ax)):
        yield ax, look


def own_axes(width: float, theme: str) -> Axes:
    """Return axes of a new figure of this width, in inches, unknown to windows and ``pyplot``."""
    needed()
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    with _styled(theme_of(theme), narrow=width < NARROW):
        return Figure(figsize=(width, width), layout="constrained", label=OWN).add_subplot()


def is_narrow(ax: Axes) -> bool:
    """Return whether a figure has the width of a paper's column: it has smaller letters, and keys above the axes."""
    figure = ax.get_figure(root=True)
    return figure is not None and bool(figure.get_figwidth() < NARROW)


def is_own(figure: Figure) -> bool:
    """Return whether a figure was made for one picture alone."""
    return figure.get_label() == OWN


@contextmanager
def _styled(look: Theme, *, narrow: bool = False) -> Iterator[None]:
    """Set matplotlib's own defaults and the theme for a while, whatever the settings of the user are."""
    needed()
    from matplotlib import style  # noqa: PLC0415 (an extra)

    with style.context(["default", _settings(look, 0.8 if narrow else 1.0)]):
        yield


def _settings(look: Theme, scale: float) -> dict[str, Any]:
    inks = ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color", "legend.labelcolor")
    papers = ("figure.facecolor", "axes.facecolor", "savefig.facecolor", "legend.facecolor")
    return {
        **dict.fromkeys(inks, look.ink),
        **dict.fromkeys(papers, look.paper),
        "axes.edgecolor": look.faint,
        "grid.color": look.grid,
        "font.family": [*fonts(), "sans-serif"],
        "font.size": 9 * scale,
        "axes.titlesize": 11 * scale,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), 8.5 * scale),
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

    An SVG keeps its text as text, so that it can be found and read aloud, and the viewer picks the fonts. In the
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
        # Every text of an SVG lists the fonts of "sans-serif".
        "font.sans-serif": ["DejaVu Sans"],
        "pdf.fonttype": 42,
        "savefig.bbox": None,
    }
    held = io.BytesIO()
    with mpl.rc_context(settings), warnings.catch_warnings(), _drawable(figure, as_text=suffix == "svg"):
        # Text that stays text is only measured here: a character missing from installed fonts is harmless.
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
    # Tick labels are reset from their formatter at each draw.
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


# Colours of the pictures by what they mean, on light and on dark paper.

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


class Theme(Frozen, eq=True):
    """Colours by role.

    Attributes
    ----------
    name : str
        ``"light"`` or ``"dark"``.
    paper, ink, faint, grid : str
        Background; text and outlines; text and lines of less weight; lines behind the data.
    roles : dict from str to str
        Colour by meaning of a mark. ``first`` is the subject of the picture, ``second`` what it is compared with,
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
        """Return whichever of ink and paper stands out more on a colour; series carry dark text alike in all themes."""
        ink = "#15181C" if colour in self.series else self.ink
        return max((ink, self.paper), key=lambda one: _contrast(one, colour))

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


# Names as text that a picture can show: never markup, never a character that is no character, never too long.

JOINERS = "\u200c\u200d"
"""Format characters that scripts need to be written at all."""
LETTER = 0.075
"""Inches of a letter of a label."""
NO_CHARACTERS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories of what has no shape of its own."""


def escaped(text: str, characters: Iterable[str]) -> str:
    r"""Return a text with some of its characters written as Python writes them: ``\x07``, ``\u4e2d``.

    Examples
    --------
    >>> escaped("bell\a", "\a")
    'bell\\x07'
    """
    gone = set(characters)
    return "".join(one.encode("unicode_escape").decode("ascii") if one in gone else one for one in text)


def shown(name: str) -> str:
    r"""Return a name on one line, what is no character written as its code.

    Examples
    --------
    >>> shown("two\nlines"), shown("bell\a")
    ('two lines', 'bell\\x07')
    """
    one_line = "".join(" " if character in "\t\n\r" else character for character in name)
    return escaped(one_line, {one for one in one_line if unicodedata.category(one) in NO_CHARACTERS} - set(JOINERS))


def short_names(names: Sequence[str], width: int = 28) -> list[str]:
    """Return names as they are shown, the long ones with their middle left out, and still as distinct as they were.

    Examples
    --------
    >>> short_names(["a-long-name-of-a-model-v1", "a-long-name-of-a-model-v2", "short"], 12)
    ['a-long…el-v1', 'a-long…el-v2', 'short']
    """
    clean = [shown(name) for name in names]
    made = [_shortened(name, width) for name in clean]
    alike = {name for name, count in Counter(made).items() if count > 1}
    changed = [place for place, name in enumerate(made) if name in alike]
    distinct = len({clean[place] for place in changed})
    longest = max((width_of(clean[place]) for place in changed), default=0)
    for wider, head in ((wider, head) for wider in range(width, longest + 4, 4) for head in (0.5, 0.8, 0.2)):
        tried = {place: _shortened(clean[place], wider, head) for place in changed}
        if len(set(tried.values())) == distinct and not set(tried.values()) & (set(made) - alike):
            return [tried.get(place, name) for place, name in enumerate(made)]
    return [clean[place] if place in changed else name for place, name in enumerate(made)]


def short_number(value: Fraction) -> str:
    """Return a number as written next to a mark: three digits or all of an integer of up to six; minus is U+2212.

    Examples
    --------
    >>> short_number(Fraction(1, 3)), short_number(Fraction(1234)), short_number(Fraction(10) ** 40)
    ('0.333', '1234', '1.00e+40')
    """
    if value == 0:
        return "0"
    size = abs(value)
    if Fraction(1, 1000) <= size < 100:
        text = f"{float(size):.3g}"
    elif 100 <= size < 10**6:
        text = f"{round(size)}"
    else:
        text = f"{Context(prec=3).divide(Decimal(size.numerator), Decimal(size.denominator)):.2e}"
    return f"\u2212{text}" if value < 0 else text


def turned(labels: Iterable[str], room: float) -> int:
    """Return by how many degrees labels below each other's columns are turned: by none where they are short enough.

    Parameters
    ----------
    labels : iterable of str
        What is written.
    room : float
        Inches from one to the next.

    Examples
    --------
    >>> turned(["a", "b"], 0.3), turned(["a", "a longer name"], 0.3)
    (0, 90)
    """
    return 0 if LETTER * (max(map(width_of, labels), default=0) + 1) <= room else 90


def width_of(text: str) -> int:
    """Return how many columns a text takes: characters of East Asia take two, accents none."""
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text
    )


def wrapped(text: str, width: int) -> str:
    """Return a text wrapped at this number of characters, at spaces if possible."""
    return "\n".join(textwrap.wrap(text, max(12, width), break_on_hyphens=False))


def _shortened(name: str, width: int, head: float = 0.5) -> str:
    """Return the beginning of a name that takes more columns, a given share of them, and its end."""
    if width_of(name) <= width:
        return name
    first = _fitting(name, round((width - 1) * head))
    last = _fitting(name[::-1], width - 1 - width_of(first))[::-1]
    return f"{first}…{last}"


def _fitting(characters: str, width: int) -> str:
    """Return the longest beginning that fits this number of columns."""
    kept = ""
    for one in characters:
        if width_of(kept + one) > width:
            break
        kept += one
    return kept
