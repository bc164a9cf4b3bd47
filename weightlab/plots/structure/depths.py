"""Tukey depth of relations: a bar each, the deepest first."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from weightlab._text import counted, first_few
from weightlab.domains import TukeyDepth
from weightlab.plots.canvas import Axes, canvas, short_names, short_number, shown, width_of
from weightlab.plots.marks import first_models, headline, label_beside, marks_frame, name_rows, note, rows_of, title

COLUMNS = ["item", "y", "depth", "length", "role"]


def depths_marks(result: TukeyDepth, *, most: int | None = 60) -> pd.DataFrame:
    """Return the marks of the depths: a bar for each relation.

    Parameters
    ----------
    result : TukeyDepth
        What ``domains.tukey_depth`` returned.
    most : int, optional
        Number of relations shown, the deepest; the title names omissions. None shows all.

    Returns
    -------
    DataFrame
        ``mark`` is ``"bar"``, ``"title"`` or ``"note"``. Bars: ``item``, ``y`` (place from 0, downwards, the deepest
        first), ``depth`` (exact), ``length`` (the same as a float), ``role`` (``"first"`` for all of greatest depth,
        else ``"other"``), ``label`` (the name as it is shown).

    Raises
    ------
    InputError
        If ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["a", "b", "c"], ["b", "a", "c"]])
    >>> marks = wl.plots.depths_marks(wl.domains.tukey_depth(profile))
    >>> marks.loc[marks.role == "first", ["item", "depth"]].values.tolist()
    [['1', Fraction(2, 3)], ['2', Fraction(2, 3)]]
    """
    deepest = set(result.deepest)
    items = [str(item) for item in result.depths.index]
    depths = dict(zip(items, result.depths.tolist(), strict=True))
    kept = first_models(sorted(items, key=lambda item: -depths[item]), most)
    bars = [
        {"mark": "bar", "item": item, "y": place, "depth": depths[item], "length": float(depths[item]),
         "role": "first" if item in deepest else "other", "label": label}
        for place, (item, label) in enumerate(zip(kept, short_names(kept), strict=True))
    ]  # fmt: skip
    every = counted(len(items), "relation")
    of = f"the deepest {len(kept)} of {every}" if len(kept) < len(items) else every
    names = first_few((shown(item) for item in result.deepest), 3)
    words = [
        title(f"Tukey depth of {of}"),
        note(
            f"Deepest, at {_written(max(depths.values()))}: {names}. A relation of depth d shares with every "
            "part of more than 1 - d of the relations whatever that part has in common."
        ),
    ]
    return marks_frame([*bars, *words], COLUMNS)


def draw_depths(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of the depths.

    Parameters
    ----------
    marks : DataFrame
        As ``depths_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    bars = rows_of(marks, "bar")
    names = 0.075 * max([0, *(width_of(one.label) for one in bars)])
    with canvas(ax, size=(max(5.2, names + 4.4), 1.5 + 0.24 * len(bars)), theme=theme) as (axes, look):
        for bar in bars:
            axes.barh(
                bar.y, bar.length, height=0.66, color=look.colour(bar.role), edgecolor=look.ink, linewidth=0.6,
                hatch="///" if bar.role == "first" else "",
            )  # fmt: skip
            weight = "bold" if bar.role == "first" else "normal"
            label_beside(axes, _written(bar.depth), bar.length, bar.y, away=4, fontweight=weight, in_layout=True)
        name_rows(axes, [one.label for one in bars])
        axes.set_xlim(0, max([0.1, *(one.length for one in bars)]) * 1.12)
        headline(axes, marks, xlabel="depth")
    return axes


def _written(depth: Fraction) -> str:
    """Return a depth as the fraction it is, or as a decimal where that is long."""
    return str(depth) if len(str(depth)) <= 9 else short_number(depth)
