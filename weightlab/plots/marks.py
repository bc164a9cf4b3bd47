"""Marks: what a picture shows as a table, one row for each thing drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, get_args

import pandas as pd

from weightlab._text import counted
from weightlab._validate import one_of
from weightlab.data import Margins
from weightlab.exceptions import InputError
from weightlab.graph import kemeny
from weightlab.graph.copeland_minimax import copeland_values
from weightlab.plots.canvas import Axes, is_narrow, is_own, needed, short_names, width_of, wrapped

TITLE_COLUMNS, NOTE_COLUMNS = 10, 13
"""Characters per inch of the title, and of the notes."""
TITLE_LINE, NOTE_LINE = 0.2, 0.165
"""Inches of a line of them."""
NOTE_LINES = 2
"""Pictures leave room for a title of one line and notes of so many; with more the figure grows."""


def marks_frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return marks as a frame with a column ``mark`` (the kind), the named columns, and ``label``.

    What a kind of mark has no use for is missing in its rows.
    """
    return pd.DataFrame(list(rows), columns=["mark", *columns, "label"])


def title(text: str) -> dict[str, Any]:
    """Return the mark that says what the picture shows, and of how much."""
    return {"mark": "title", "label": text}


def note(text: str) -> dict[str, Any]:
    """Return a mark that says how the picture is read, or what it leaves out."""
    return {"mark": "note", "label": text}


def of_kind(marks: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the marks of one kind, in their order."""
    return marks[marks["mark"] == kind]


def rows_of(marks: pd.DataFrame, *kinds: str) -> list[Any]:
    """Return the marks of some kinds in their order, each with its columns as attributes."""
    return list(marks[marks["mark"].isin(kinds)].itertuples(index=False))


def title_of(marks: pd.DataFrame) -> str:
    """Return the title, empty if absent."""
    return " ".join(str(text) for text in of_kind(marks, "title")["label"])


def notes_of(marks: pd.DataFrame) -> list[str]:
    """Return the notes."""
    return [str(text) for text in of_kind(marks, "note")["label"]]


def headline(ax: Axes, marks: pd.DataFrame, *, xlabel: str = "") -> None:
    """Write the title and the notes: across the figure where it is the picture's own, above and below the axes else."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise InputError("these axes are on no figure any more")
    own = is_own(figure)
    scale = needed().rcParams["font.size"] / 9
    inches = figure.get_figwidth() * (1 if own else ax.get_position().width) / scale
    heading = wrapped(title_of(marks), int(inches * TITLE_COLUMNS))
    below = "\n".join(wrapped(text, int(inches * NOTE_COLUMNS)) for text in notes_of(marks))
    if own:
        more = TITLE_LINE * heading.count("\n") + NOTE_LINE * max(0, below.count("\n") + 1 - NOTE_LINES)
        figure.set_figheight(figure.get_figheight() + scale * more)
        figure.suptitle(heading, x=0.01, ha="left", fontsize=11 * scale, fontweight="bold")
        figure.supxlabel(below, x=0.01, ha="left", multialignment="left", fontsize=9 * scale)
        ax.set_xlabel(xlabel)
    else:
        ax.set_title(heading)
        ax.set_xlabel("\n".join(text for text in (xlabel, below) if text), loc="left", multialignment="left")


def name_rows(
    ax: Axes,
    names: Sequence[str],
    beside: Sequence[str] = (),
    colours: Sequence[str] | None = None,
    *,
    grid: Literal["x", "both"] | None = None,
) -> None:
    """Name the rows of a picture, which run downwards from 0, without ticks, and label them; a grid needs no edge."""
    ax.set_yticks(range(len(names)), short_names(names, 24 if is_narrow(ax) else 28))
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0, pad=7)
    label_rows(ax, beside, colours)
    if grid is not None:
        ax.grid(visible=True, axis=grid)
        ax.set_axisbelow(True)
        ax.spines["left"].set_visible(False)


def label_beside(ax: Axes, label: str, x: float, y: float, *, away: float = 6, **text: Any) -> None:
    """Write a label to the right of a spot, at a distance in points."""
    ax.annotate(label, (x, y), xytext=(away, 0), textcoords="offset points", va="center", fontsize="small", **text)


def label_rows(
    ax: Axes, labels: Sequence[str], colours: Sequence[str] | None = None, *, away: float = 6, right: bool = False
) -> float:
    """Write a column of labels, one per row, at a distance in points right of the axes, on empty ground.

    Numbers are flush right. Returns how far away the column ends, in points.
    """
    size, ink = 0.9 * needed().rcParams["font.size"], str(needed().rcParams["text.color"])
    end = away + 0.62 * size * max(map(width_of, labels), default=0)
    styled: dict[str, Any] = {"xytext": (end, 0), "ha": "right"} if right else {"xytext": (away, 0), "ha": "left"}
    styled |= {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points", "annotation_clip": False}
    for y, (label, colour) in enumerate(zip(labels, colours or [ink] * len(labels), strict=True)):
        ax.annotate(label, (1, y), va="center", fontsize=size, color=colour, **styled)
    return float(end)


def shares_along(ax: Axes, low: float, high: float, *, room: float = 0.02) -> None:
    """Let shares of something run along a picture, in per cent, with a little room on both sides."""
    ax.locator_params(axis="x", nbins=2 if is_narrow(ax) else 5)
    reach = high - low
    ax.set_xlim(low - room * reach, high + room * reach)
    ticks = [tick for tick in ax.get_xticks() if low - 0.01 * reach <= tick <= high + 0.01 * reach]
    ax.set_xticks(ticks, [f"{100 * tick:g}%" for tick in ticks])


def key_beside(ax: Axes, **options: Any) -> None:
    """Write the key right of the axes; in a column of a paper above them."""
    above = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.02)}
    beside = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
    ax.legend(**{"borderaxespad": 0, **(above if is_narrow(ax) else beside), **options})


def named(mark: str, column: str, names: Sequence[str], *, along: str = "y") -> list[dict[str, Any]]:
    """Return a mark for each name, with its place and how it is shown."""
    labels = enumerate(zip(names, short_names(names), strict=True))
    return [{"mark": mark, column: name, along: place, "label": label} for place, (name, label) in labels]


# In which order models stand, and how many of them are shown.


def ensure_most(most: int | None) -> None:
    """Raise InputError if the number to show is less than one."""
    if most is not None and most < 1:
        raise InputError(f"most must be at least 1; got {most}")


T = TypeVar("T")
ModelOrder: TypeAlias = Literal["copeland", "kemeny", "board"]
"""Head-to-heads won minus lost; the order that the majorities contradict least; as in the table."""


def models_in_order(margins: Margins, order: str) -> list[str]:
    """Return the models by Copeland score and then by the sum of margins, in Kemeny order, or as they come.

    Raises
    ------
    InputError
        If the order is none of these.
    """
    models = list(margins.models)
    one_of("order", order, get_args(ModelOrder))
    if order == "board":
        return models
    if order == "kemeny":
        return [str(model) for place in kemeny(margins).order for model in place]
    duels, sums = copeland_values(margins, "difference"), margins.array.sum(axis=1)
    return [models[row] for row in sorted(range(len(models)), key=lambda row: (-duels[row], -sums[row]))]


def first_models(listed: Sequence[T], most: int | None) -> list[T]:
    """Return the first ones, as many as are to be shown; all for None.

    Raises
    ------
    InputError
        If not even one is to be shown.
    """
    if most is None:
        return list(listed)
    ensure_most(most)
    return list(listed[:most])


def first_of(shown: int, there: int, noun: str) -> str:
    """Return in words how many things there are, or that the first of them are shown."""
    return f"the first {shown} of {there} {noun}s" if shown < there else counted(there, noun)


# What properties of rankings and of their majorities are called in pictures.

WORDS: Mapping[str, str] = {
    "single_peaked": "single-peaked",
    "single_caved": "single-caved",
    "group_separable": "group-separable",
    "distance_restricted": "distance-restricted",
    "single_crossing": "single-crossing",
    "value_restricted": "value-restricted",
    "condorcet_domain": "Condorcet domain",
    "one_euclidean": "one-Euclidean",
    "single_peaked_on_tree": "single-peaked on a tree",
    "condorcet_winner": "Condorcet winner",
}


def words_of(name: str) -> str:
    """Return the name of a property.

    Examples
    --------
    >>> words_of("group_separable"), words_of("weakly_transitive")
    ('group-separable', 'weakly transitive')
    """
    return WORDS.get(name, name.replace("_", " "))
