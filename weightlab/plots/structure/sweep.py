"""A sweep at a glance: on what share of the datasets each property holds, by size of the sets or cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from weightlab._text import counted
from weightlab._validate import one_of
from weightlab.exceptions import InputError
from weightlab.plots.canvas import LINES, MARKERS, Axes, Theme, canvas
from weightlab.plots.marks import (
    headline,
    key_beside,
    marks_frame,
    name_rows,
    note,
    of_kind,
    shares_along,
    title,
    words_of,
)
from weightlab.studies import Sweep
from weightlab.studies.structure.proportions import MAJORITY_FACTS

By: TypeAlias = Literal["metrics", "models", "cell"]
BESIDE = 0.035
"""How far the lines of two properties are moved apart."""
COLUMNS = ["property", "number", "x", "y", "low", "high", "cells", "cases"]


def sweep_marks(found: Sweep, *, by: By | None = None) -> pd.DataFrame:
    """Return the points of a picture of a sweep.

    Parameters
    ----------
    found : Sweep
        What `studies.sweep` returned.
    by : {"metrics", "models", "cell"}, optional
        Shares by the number of metrics, or of models, of the cells; or the shares of single cells. By default the first
        of the two numbers that takes several values, else cell by cell.

    Returns
    -------
    DataFrame
        ``mark`` is ``"point"`` or, cell by cell, ``"dot"`` and ``"mean"``; ``"axis"``, ``"title"`` or ``"note"``.
        Points, property after property: ``property``, ``number`` (of the property, from 0), ``x`` (how many metrics or
        models), ``y`` (the share of cases, cells x datasets, on which it holds), ``low`` and ``high`` (least and most
        among the cells), ``cells`` and ``cases`` (how many). Dots: ``x`` a share that some cells have, ``y`` the
        number of the property, ``cells`` how many cells have it; means: ``x`` the share of all cases. Shares are exact.

    Raises
    ------
    InputError
        If it is grouped by something else, or no dataset could be tested.
    """
    shares = _shares(found)
    if not len(shares):
        raise InputError("no dataset of the sweep has two models with every score: there is nothing to draw")
    chosen = one_of("by", _several(shares) if by is None else by, get_args(By))
    names = list(dict.fromkeys(shares["property"]))
    rows = [
        row
        for number, name in enumerate(names)
        for row in _rows(name, number, shares[shares["property"] == name], chosen)
    ]
    size = f"{counted(len(found.facts), 'cell')} of {counted(len(found.tables), 'dataset')}"
    head = title(f"On what share of the datasets each property holds ({size})")
    if chosen == "cell":
        words = "Each dot is a share that some cells have, the larger the more of them; the bar is the mean."
        return marks_frame([*rows, {"mark": "axis", "label": "share of the datasets"}, head, note(words)], COLUMNS)
    words = "Points: shares of all cases; thin lines: from the least to the greatest share among the cells."
    return marks_frame([*rows, {"mark": "axis", "label": f"number of {chosen}"}, head, note(words)], COLUMNS)


def _shares(found: Sweep) -> pd.DataFrame:
    """Return one row per cell and property: its sizes, and the number of datasets where it holds, of all."""
    rows = []
    for (_, cell), facts in zip(found.cells, found.facts, strict=True):
        asked = [one for one in facts.values() if one["models"]]
        for name in (*found.properties, *MAJORITY_FACTS):
            answers = [one[name] for one in asked if one[name] is not None or name == "condorcet_winner"]
            if answers:
                rows.append((name, len(cell.metrics), len(cell.models), sum(map(bool, answers)), len(answers)))
    return pd.DataFrame(rows, columns=["property", "metrics", "models", "holds", "asked"])


def _several(shares: pd.DataFrame) -> By:
    """Return the settings that differ between cells."""
    if len(set(shares["metrics"])) > 1:
        return "metrics"
    return "models" if len(set(shares["models"])) > 1 else "cell"


def _rows(name: str, number: int, own: pd.DataFrame, by: By) -> list[dict[str, Any]]:
    if by != "cell":
        return [_point(name, number, x, own[own[by] == x]) for x in sorted(own[by].unique().tolist())]
    each = [Fraction(holds, asked) for holds, asked in own[["holds", "asked"]].to_numpy().tolist()]
    dots = [
        {"mark": "dot", "property": name, "number": number, "x": share, "y": number, "cells": each.count(share)}
        for share in sorted(set(each))
    ]
    mean = Fraction(int(own["holds"].sum()), int(own["asked"].sum()))
    whole = {"cells": len(each), "cases": int(own["asked"].sum()), "label": f"{float(100 * mean):.0f}%"}
    return [*dots, {"mark": "mean", "property": name, "number": number, "x": mean, "y": number, **whole}]


def _point(name: str, number: int, x: int, own: pd.DataFrame) -> dict[str, Any]:
    each = [Fraction(holds, asked) for holds, asked in own[["holds", "asked"]].to_numpy().tolist()]
    cases = int(own["asked"].sum())
    share = Fraction(int(own["holds"].sum()), cases)
    counts = {"low": min(each), "high": max(each), "cells": len(each), "cases": cases}
    return {"mark": "point", "property": name, "number": number, "x": x, "y": share, **counts}


def draw_sweep(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of a sweep.

    Parameters
    ----------
    marks : DataFrame
        As ``sweep_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    points, means = of_kind(marks, "point"), of_kind(marks, "mean")
    names = list(dict.fromkeys([*points["property"], *means["property"]]))
    height = 4.4 if len(points) else 1.9 + 0.42 * len(names)
    with canvas(ax, size=(8, height), theme=theme) as (axes, look):
        if len(points):
            _draw_lines(axes, points, names, look)
        else:
            _draw_strips(axes, marks, names, look)
        axes.grid(visible=True)
        axes.set_axisbelow(True)
        headline(axes, marks, xlabel=" ".join(of_kind(marks, "axis")["label"]))
    return axes


def _draw_lines(ax: Axes, points: pd.DataFrame, names: Sequence[str], look: Theme) -> None:
    """Draw a line a property, with the band of its cells."""
    for number, name in enumerate(names):
        own = points[points["property"] == name]
        colour = look.series[number % len(look.series)]
        x, y, low, high = (own[one].to_numpy(dtype=np.float64) for one in ("x", "y", "low", "high"))
        # Side by side, so that the ranges do not hide one another.
        x = x + BESIDE * (number - (len(names) - 1) / 2)
        ax.vlines(x, low, high, color=colour, linewidth=1.2, alpha=0.6)
        ax.plot(
            x, y, label=_words_of(name), color=colour, linestyle=LINES[number % len(LINES)], linewidth=1.6,
            marker=MARKERS[number % len(MARKERS)], markersize=5,
        )  # fmt: skip
    ax.set_xticks(sorted(points["x"].astype(int).unique().tolist()))
    ax.set_ylim(-0.03, 1.03)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
    ax.set_ylabel("share of the datasets")
    key_beside(ax, handlelength=3.2)


def _draw_strips(ax: Axes, marks: pd.DataFrame, names: Sequence[str], look: Theme) -> None:
    """Draw a strip a property: a dot where cells are, and their mean."""
    dots, means = of_kind(marks, "dot"), of_kind(marks, "mean")
    most = int(dots["cells"].max())
    sizes = 14 + 130 * dots["cells"].to_numpy(dtype=np.float64) / most if most > 1 else 30
    ax.scatter(
        dots["x"].astype(float), dots["y"].astype(float), s=sizes, color=look.colour("first"), alpha=0.7, zorder=2
    )
    for x, y in means[["x", "y"]].itertuples(index=False):
        ax.plot([float(x)] * 2, [y - 0.3, y + 0.3], color=look.colour("second"), linewidth=2.5, zorder=3)
    shares_along(ax, 0, 1)
    name_rows(ax, list(map(_words_of, names)), means["label"].tolist())


def _words_of(name: str) -> str:
    """Return the name of a property in a picture of both majorities and rankings."""
    words = words_of(name)
    return f"majority {words}" if name in MAJORITY_FACTS and name != "condorcet_winner" else words
