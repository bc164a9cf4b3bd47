"""Weight ranges as intervals: how much each task must weigh, and may, for a model to win."""

from __future__ import annotations

from math import ceil, floor
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from weightlab._exact import WeightsLike
from weightlab._text import percent
from weightlab._validate import one_of
from weightlab.lp import WeightRange, WeightRanges
from weightlab.lp.space.space import shares_of
from weightlab.plots.canvas import Axes, Theme, canvas, short_names
from weightlab.plots.marks import headline, marks_frame, name_rows, note, of_kind, shares_along, title

Order = Literal["given", "low", "high"]
COLUMNS = ["name", "role", "is_group", "y", "low", "high", "low_attained", "high_attained", "weight"]


def weight_ranges_marks(
    found: WeightRanges,
    *,
    weights: WeightsLike | None = None,
    called: str = "the weights given",
    order: Order = "given",
) -> pd.DataFrame:
    """Return the intervals of a picture of weight ranges.

    Parameters
    ----------
    found : WeightRanges
        What `lp.weight_ranges` returned.
    weights : mapping, Series or sequence, optional
        Weights of the tasks to mark on the intervals, such as ``prospect(board, model).weights``; scaled to sum to 1.
    called : str
        What these weights are.
    order : {"given", "low", "high"}
        Tasks in the order of the table, or those with the greatest least (or most) weight first; groups come last.

    Returns
    -------
    DataFrame
        ``mark`` is ``"range"``, ``"title"`` or ``"note"``. Ranges: ``name`` (a task, or a group with ``@``), ``y``
        (place from 0, downwards), ``low`` and ``high`` (exact), ``low_attained`` and ``high_attained`` (whether some
        weights that win every pair give it exactly that), ``role`` (``"indispensable"`` with weight in every win,
        ``"useless"`` without weight in any, else ``"free"``), ``is_group``, ``weight`` (exact; missing if not
        marked) and ``label``, the range in per cent.

    Raises
    ------
    InputError, UnknownNameError
        If the weights are not of these tasks, or the order is not known.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}})
    >>> marks = wl.plots.weight_ranges_marks(wl.lp.weight_ranges(board, "a"))
    >>> marks.loc[marks.mark == "range", ["name", "label"]].values.tolist()
    [['x', '50% to 100%'], ['y', '0% to 50%']]
    """
    one_of("order", order, get_args(Order))
    marked = None if weights is None else shares_of(weights, found.tasks)
    ranges = list(found.ranges)
    if order != "given":
        ranges.sort(key=lambda one: (one.is_group, -(one.low if order == "low" else one.high)))
    rows = [
        {**_row(found, one), "y": place, "weight": None if marked is None else sum(marked[task] for task in one.tasks)}
        for place, one in enumerate(ranges)
    ]
    return marks_frame([*rows, *_words(found, "" if weights is None else called)], COLUMNS)


def _row(found: WeightRanges, one: WeightRange) -> dict[str, Any]:
    role = "indispensable" if one.is_indispensable else "useless" if one.is_useless else "free"
    return {
        "mark": "range",
        "name": one.label,
        "role": role,
        "is_group": one.is_group,
        "low": one.low,
        "high": one.high,
        "low_attained": found.attained(one.least),
        "high_attained": found.attained(one.most),
        "label": f"{percent(one.low, floor)} to {percent(one.high, ceil)}" if one.low < one.high else percent(one.low),
    }


def _words(found: WeightRanges, called: str) -> list[dict[str, Any]]:
    wins = (
        f"leads every rival {found.rule.by} by {found.lead_words(found.margin)} or more"
        if found.margin
        else f"is undefeated {found.rule.by}"
    )
    notes = ["Filled ends are reached by weights under which it wins, open ones only by ties."]
    if any(one.is_group for one in found.ranges):
        notes.append("Names with @ are groups of tasks together.")
    if called:
        notes.append(f"Diamonds mark {called}.")
    if found.space.conditions:
        notes.append(f"Under the conditions {found.space}.")
    return [title(f"Task weights for which {short_names([found.model])[0]} {wins}"), note(" ".join(notes))]


def draw_weight_ranges(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of weight ranges.

    Parameters
    ----------
    marks : DataFrame
        As ``weight_ranges_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    ranges = of_kind(marks, "range")
    with canvas(ax, size=(8, 1.9 + (0.24 if len(ranges) <= 40 else 0.19) * len(ranges)), theme=theme) as (axes, look):
        _draw_ranges(axes, ranges, look)
        inks = [look.ink if role == "indispensable" else look.faint for role in ranges["role"]]
        name_rows(axes, ranges["name"].tolist(), ranges["label"].tolist(), inks, grid="x")
        shares_along(axes, 0, 1)
        headline(axes, marks, xlabel="share of the total weight")
    return axes


def _draw_ranges(ax: Axes, ranges: pd.DataFrame, look: Theme) -> None:
    """Draw the intervals, their ends, the weights that are marked on them and the ranges in words."""
    roles = {"indispensable": "second", "useless": "other", "free": "first"}
    colours = [look.colour(roles[role]) for role in ranges["role"]]
    strong = ranges["role"] == "indispensable"
    y = ranges["y"].to_numpy(dtype=np.float64)
    low, high, weight = (ranges[one].astype(float).to_numpy() for one in ("low", "high", "weight"))
    ax.hlines(y, low, high, color=colours, linewidth=[5.0 if one else 3.0 for one in strong], alpha=0.6)
    for x, attained in ((low, ranges["low_attained"]), (high, ranges["high_attained"])):
        inside = [colour if one else look.paper for colour, one in zip(colours, attained, strict=True)]
        ax.scatter(x, y, s=32, c=inside, edgecolors=colours, clip_on=False, zorder=3)
    ax.scatter(weight, y, s=30, marker="D", color=look.ink, edgecolors=look.paper, zorder=4)
