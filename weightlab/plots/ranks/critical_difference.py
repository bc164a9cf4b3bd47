"""Critical-difference diagrams: average ranks on a line, and bars over groups of models that are not separated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import BoolArray, FloatArray
from weightlab._result import Frozen
from weightlab._text import counted, level_text
from weightlab.exceptions import InputError
from weightlab.plots.canvas import Axes, Theme, canvas, is_narrow, is_own, short_names, width_of
from weightlab.plots.marks import headline, marks_frame, note, rows_of, title
from weightlab.studies import RankSets
from weightlab.studies.confidence.rank_sets import METHODS, RANK_TESTS

COLUMNS = ["name", "side", "x", "y", "level", "low", "high"]
MOST_TICKS = 10
"""Largest number of ranks written on the line."""


def cd_marks(found: RankSets) -> pd.DataFrame:
    """Return the marks of a critical-difference diagram of rank sets.

    Parameters
    ----------
    found : RankSets
        What `studies.rank_sets` returned, by any method and rule.

    Returns
    -------
    DataFrame
        ``mark`` is ``"model"``, ``"bar"``, ``"cd"``, ``"title"`` or ``"note"``. Models, best average rank first:
        ``name``, ``x`` (its average rank), ``side`` (``"left"`` of the better half, else ``"right"``), ``y`` (its row
        on that side, from 0 downwards) and ``label``. Bars, from ``low`` to ``high``: the longest runs of models along
        the line whose first and last are not separated, ``level`` being the row, from 0. Every pair that is not
        separated is beneath a common bar; a separated one may be, too, and the note counts these. Of Nemenyi's test
        ``"cd"`` is the critical difference, from ``low`` to ``high``.

    Raises
    ------
    InputError
        If two models share no task, so that they have no average rank.
    """
    if np.isnan(found.mean_ranks).any():
        raise InputError("a model shares no task with some other one, so it has no average rank; leave one of them out")
    order = np.argsort(found.mean_ranks.round(9), kind="stable")
    ranks = found.mean_ranks[order]
    names = [found.models[place] for place in order]
    half = (len(names) + 1) // 2
    models = [
        {
            "mark": "model",
            "name": name,
            "side": "left" if place < half else "right",
            "x": float(rank),
            "y": place if place < half else len(names) - 1 - place,
            "label": f"{rank:.2f}",
        }
        for place, (name, rank) in enumerate(zip(names, ranks, strict=True))
    ]
    above = found.above.to_numpy()[np.ix_(order, order)]
    separated = above | above.T
    bars = _bars(separated, ranks)
    apart = int(np.triu(separated).sum())
    beneath = sum(
        bool(separated[one, other]) and any(bar["low"] <= ranks[one] and ranks[other] <= bar["high"] for bar in bars)
        for one, other in zip(*np.triu_indices(len(ranks), 1), strict=True)
    )
    words = f"Two models that share no bar are separated ({apart - beneath:,} of {counted(len(found.p), 'pair')}"
    words += f"; {beneath:,} more {'is' if beneath == 1 else 'are'} beneath a bar)" if beneath else ")"
    units = found.over if found.over in ("votes", "instances") else "tasks"
    how = f"{level_text(found.level)}, {METHODS[found.method]}, {found.tasks:,} {units}"
    if found.method not in RANK_TESTS:
        how = f"{found.question.name}, {how}"
    critical = []
    if found.method == "nemenyi":
        length = float(found.high[0] - found.difference[0])
        start = math.floor(ranks[0])
        critical = [{"mark": "cd", "low": start, "high": start + length, "label": f"CD = {length:.2f}"}]
    return marks_frame([*models, *bars, *critical, title("Average ranks"), note(f"{words}: {how}.")], COLUMNS)


def _bars(separated: BoolArray, ranks: FloatArray) -> list[dict[str, Any]]:
    """Return the longest runs of models whose first and last are not separated, in as few rows as keep them apart."""
    ends: list[int] = []
    rows: list[dict[str, Any]] = []
    furthest = -1
    for first in range(len(ranks)):
        last = int(np.flatnonzero(~separated[first])[-1])
        if last <= max(first, furthest):
            continue
        furthest = last
        level = next((row for row, end in enumerate(ends) if end < first), len(ends))
        ends[level : level + 1] = [last]
        rows.append({"mark": "bar", "level": level, "low": float(ranks[first]), "high": float(ranks[last])})
    return rows


def draw_cd(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a critical-difference diagram.

    Parameters
    ----------
    marks : DataFrame
        As ``cd_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    models, bars = rows_of(marks, "model"), rows_of(marks, "bar")
    with canvas(ax, size=(6.5, 1.0), theme=theme) as (axes, look):
        shape = _Shape.of(axes, models, bars, critical=bool(len(rows_of(marks, "cd"))))
        figure = axes.get_figure(root=True)
        if figure is not None and is_own(figure):
            figure.set_figheight(shape.depth + shape.head + (0.5 if shape.narrow else 0.62))
        _draw_scale(axes, shape, rows_of(marks, "cd"), look)
        for one in bars:
            y, reach = 0.09 + shape.bar * one.level, 0.02 / shape.unit
            axes.plot(
                [one.low - reach, one.high + reach], [y, y],
                color=look.ink, linewidth=min(shape.size / 3.6, 45 * shape.bar), solid_capstyle="butt", zorder=3,
            )  # fmt: skip
        for one in models:
            _draw_model(axes, one, shape, look)
        axes.set_xlim(shape.low - shape.left / shape.unit, shape.high + shape.right / shape.unit)
        axes.set_ylim(shape.depth, -shape.head)
        axes.axis("off")
        headline(axes, marks)
    return axes


class _Shape(Frozen):
    """Inches of a diagram: of its rows, of what lies above the line, of the names on either side; and of one rank."""

    narrow: bool
    size: float
    row: float
    bar: float
    first: float
    depth: float
    head: float
    low: float
    high: float
    left: float
    right: float
    unit: float
    number: float
    names: dict[str, str]

    @classmethod
    def of(cls, ax: Axes, models: Sequence[Any], bars: Sequence[Any], *, critical: bool) -> _Shape:
        """Return the shape of some models and bars on axes."""
        narrow, figure = is_narrow(ax), ax.get_figure(root=True)
        size, row, bar = (6.2, 0.115, 0.05) if narrow else (8.0, 0.15, 0.075)
        levels = len({one.level for one in bars})
        bar *= min(1.0, 14 / max(levels, 1))
        width = 0.0 if figure is None else figure.get_figwidth()
        width *= 0.97 if figure is not None and is_own(figure) else ax.get_position().width
        shown = short_names([one.name for one in models], 15 if narrow else 26)
        names = {one.name: name for one, name in zip(models, shown, strict=True)}
        letter = 0.0092 * size
        number = letter * max(width_of(one.label) for one in models) + 0.04
        room = {
            side: number + letter * max(width_of(names[one.name]) for one in models if one.side == side) + 0.08
            for side in ("left", "right")
        }
        left, right = room["left"], room["right"]
        first = 0.09 + bar * levels + 0.06
        low, high = math.floor(min(one.x for one in models)), math.ceil(max(one.x for one in models))
        high = max(high, low + 1)
        return cls(
            narrow=narrow, size=size, row=row, bar=bar, first=first, names=names, number=number, low=low, high=high,
            depth=first + row * (1 + max(one.y for one in models)), head=0.3 + 0.2 * critical,
            left=left, right=right, unit=max(width - left - right, 0.3 * width) / (high - low),
        )  # fmt: skip


def _draw_scale(ax: Axes, shape: _Shape, critical: Sequence[Any], look: Theme) -> None:
    """Draw the line of ranks with its ticks, and above it how long a critical difference is."""
    ax.plot([shape.low, shape.high], [0, 0], color=look.ink, linewidth=0.8, zorder=3)
    most = max(2, int(shape.unit * (shape.high - shape.low) / (0.03 * shape.size)))
    least = (shape.high - shape.low) / min(most, MOST_TICKS)
    step = next(one * 10**power for power in range(9) for one in (1, 2, 3, 4, 5) if one * 10**power >= least)
    for tick in range(int(shape.low), int(shape.high) + 1):
        labelled = tick % step == 0
        if labelled or step <= 5:
            ax.plot([tick, tick], [0, -0.06 if labelled else -0.03], color=look.ink, linewidth=0.8)
        if labelled:
            ax.text(tick, -0.08, str(tick), ha="center", va="bottom", fontsize=shape.size, color=look.ink)
    for one in critical:
        y = 0.08 - shape.head
        ax.plot([one.low, one.high], [y, y], color=look.ink, linewidth=1.0, marker="|", markersize=4, clip_on=False)
        ax.text(one.high + 0.08 / shape.unit, y, one.label, ha="left", va="center", fontsize=shape.size, color=look.ink)


def _draw_model(ax: Axes, one: Any, shape: _Shape, look: Theme) -> None:
    """Draw the line from a model's average rank down to its row, and its rank and name there."""
    y, left = shape.first + shape.row * (one.y + 0.5), one.side == "left"
    end = shape.low - 0.03 / shape.unit if left else shape.high + 0.03 / shape.unit
    ax.plot([one.x, one.x, end], [0, y, y], color=look.faint, linewidth=0.5 if shape.narrow else 0.7, zorder=2)
    side, away = ("right", -1) if left else ("left", 1)
    ax.text(
        end + away * 0.02 / shape.unit, y, one.label,
        ha=side, va="center", fontsize=shape.size * 0.9, color=look.faint,
    )  # fmt: skip
    ax.text(
        end + away * shape.number / shape.unit, y, shape.names[one.name],
        ha=side, va="center", fontsize=shape.size, color=look.ink,
    )  # fmt: skip
