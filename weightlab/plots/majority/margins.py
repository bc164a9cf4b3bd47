"""Heat map of all head-to-head margins."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab.data import Margins
from weightlab.graph import margins_of
from weightlab.graph.majority_graph import MajorityLike
from weightlab.plots.canvas import Axes, canvas, short_number, width_of
from weightlab.plots.heat_map import draw_heat
from weightlab.plots.marks import (
    ModelOrder,
    first_models,
    first_of,
    headline,
    marks_frame,
    models_in_order,
    named,
    note,
    of_kind,
    title,
)

VALUES_UP_TO = 16
"""Largest number of models for which cells show their values."""


def margins_marks(source: MajorityLike, *, order: ModelOrder = "copeland", most: int | None = 60) -> pd.DataFrame:
    """Return the marks of a heat map of margins: a cell for each ordered pair of models.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    order : {"copeland", "kemeny", "board"}
        Order of rows and columns: by Copeland score (models that tie by the sum of their margins, then as in the
        table), the exact Kemeny order, or as in the table.
    most : int, optional
        Number of models shown, from the first in order; the title names omissions. None shows all.

    Returns
    -------
    DataFrame
        ``mark`` is ``"cell"``, ``"model"``, ``"title"`` or ``"note"``. Cells: ``model`` (the row), ``rival`` (the
        column), ``x`` and ``y`` (places from 0; y runs downwards), ``margin`` (exact, in the units of the weights),
        ``shade`` (the margin over the largest one that is shown, -1 to 1), ``role`` (``"for"``, ``"against"``,
        ``"even"``, and ``"self"`` on the diagonal), ``upset`` (whether the model that stands lower wins), ``label``
        (the value, in small tables). Models: ``model``, ``y`` and ``label``, the name as it is shown.

    Raises
    ------
    InputError
        If the order is not known, or ``most`` is not positive.

    Notes
    -----
    O(models^2) except for ``order="kemeny"``, which is NP-hard.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 3}})
    >>> marks = wl.plots.margins_marks(board)
    >>> marks.loc[marks.role == "for", ["model", "rival", "margin"]].values.tolist()
    [['b', 'a', Fraction(2, 1)]]
    """
    margins = margins_of(source)
    listed = models_in_order(margins, order)
    kept = first_models(listed, most)
    rows = _cells(margins.select(kept), values=len(kept) <= VALUES_UP_TO)
    columns = ["model", "rival", "x", "y", "margin", "shade", "role", "upset"]
    return marks_frame([*rows, *named("model", "model", kept), *_words(rows, len(kept), len(listed), order)], columns)


def draw_margins(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a heat map of margins.

    Parameters
    ----------
    marks : DataFrame
        As ``margins_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    names = of_kind(marks, "model")["label"].tolist()
    cell = max(0.17, min(0.45, 7 / max(1, len(names))))
    side = cell * len(names)
    beside = 0.075 * max(map(width_of, names), default=0)
    size = (max(5.4, side + beside + 1.4), max(3, side + beside + 1.2))
    with canvas(ax, size=size, theme=theme, fixed=True) as (axes, look):
        cells = of_kind(marks, "cell")
        shaded = cells.assign(shade=cells["shade"].where(cells["role"] != "self"))
        draw_heat(axes, shaded, names, look, cell=cell, scale=_scale(cells), of="margin")
        _mark_upsets(axes, cells, colour=look.ink)
        headline(axes, marks)
    return axes


def _cells(margins: Margins, *, values: bool) -> list[dict[str, Any]]:
    """Return the cell of every ordered pair, row by row."""
    models, array = margins.models, margins.array
    largest = max((abs(int(one)) for one in array.flat), default=0) or 1
    signs = np.sign(array).astype(int)
    cells = []
    for row, model in enumerate(models):
        for column, rival in enumerate(models):
            margin = Fraction(int(array[row, column]), margins.denominator)
            sign = int(signs[row, column])
            cells.append({
                "mark": "cell",
                "model": model,
                "rival": rival,
                "x": column,
                "y": row,
                "margin": margin,
                "shade": int(array[row, column]) / largest,
                "role": "self" if row == column else ("even", "for", "against")[sign],
                "upset": sign * (row - column) > 0,
                "label": short_number(margin) if values and row != column else "",
            })  # fmt: skip
    return cells


def _words(cells: list[dict[str, Any]], shown: int, there: int, order: str) -> list[dict[str, Any]]:
    by = {"copeland": "by Copeland score", "kemeny": "in Kemeny order", "board": "in the order of the table"}[order]
    dots = " A dot: the lower model wins." if any(cell["upset"] for cell in cells) else ""
    return [
        title(f"Margins of every head-to-head: {first_of(shown, there, 'model')} {by}"),
        note(f"Each cell is the margin of its row over its column.{dots}"),
    ]


def _mark_upsets(ax: Axes, cells: pd.DataFrame, *, colour: str) -> None:
    """Put a dot next to the value of each cell won by the lower model: seen without colour."""
    upsets = cells[cells["upset"].astype(bool)]
    if len(upsets):
        aside = 0.36 if (upsets["label"] != "").any() else 0
        ax.scatter(upsets["x"] + aside, upsets["y"] - aside, s=7, color=colour, linewidths=0, zorder=3)


def _scale(cells: pd.DataFrame) -> dict[float, str]:
    """Return the scale of shades in the units of the margins; none where all are 0."""
    largest = max((abs(one) for one in cells["margin"]), default=Fraction(0))
    return {step / 2: short_number(largest * step / 2) for step in range(-2, 3)} if largest else {}
