"""How far the rankings by some rules are from the tasks' own, beside random rankings and the least there can be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._text import counted
from weightlab.plots.canvas import Axes, Theme, canvas, short_number
from weightlab.plots.marks import headline, marks_frame, name_rows, note, of_kind, rows_of, title
from weightlab.studies import Dispersion

COLUMNS = ["name", "role", "y", "distance", "low", "high"]


def dispersion_marks(found: Dispersion) -> pd.DataFrame:
    """Return the marks of a picture of dispersion, the rule nearest to the tasks first.

    Parameters
    ----------
    found : Dispersion
        What ``studies.dispersion`` returned.

    Returns
    -------
    DataFrame
        ``mark`` is ``"bar"``, ``"least"``, ``"title"`` or ``"note"``. Bars: ``name``, ``y`` (place from 0, downwards),
        ``role`` (``"rule"``, ``"random"`` of the random rankings together, ``"tasks"`` of one task from another),
        ``distance`` (mean, exact), ``low`` and ``high`` (of the random rankings the nearest and the farthest, else the
        distance), ``label`` (the distance and its share of all pairs of models). The mark ``"least"`` has the
        ``distance`` below which no ranking can be.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 1, "c": 2}})
    >>> marks = wl.plots.dispersion_marks(wl.studies.dispersion(board, ["borda"], repeats=0))
    >>> marks.loc[marks.mark == "bar", ["name", "distance", "label"]].values.tolist()
    [['borda', Fraction(1, 2), '0.5 (17%)'], ['two tasks', Fraction(1, 2), '0.5 (17%)']]
    """
    pairs = max(1, found.model_pairs)
    bars = [
        _bar(name, "rule", distance, (distance, distance), pairs)
        for name, distance in sorted(found.distances.items(), key=lambda one: one[1])
    ]
    if found.random:
        mean = sum(found.random, Fraction(0)) / len(found.random)
        bars.append(_bar("random rankings", "random", mean, (min(found.random), max(found.random)), pairs))
    bars.append(_bar("two tasks", "tasks", found.between, (found.between, found.between), pairs))
    placed = [{**one, "y": place} for place, one in enumerate(bars)]
    return marks_frame([*placed, {"mark": "least", "distance": found.least}, *_words(found)], COLUMNS)


def draw_dispersion(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of dispersion.

    Parameters
    ----------
    marks : DataFrame
        As ``dispersion_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    bars = rows_of(marks, "bar")
    with canvas(ax, size=(8, 1.7 + 0.3 * len(bars)), theme=theme) as (axes, look):
        for bar in bars:
            _draw_bar(axes, bar, look)
        for least in of_kind(marks, "least")["distance"]:
            axes.axvline(float(least), color=look.ink, linewidth=1.4, linestyle="--", zorder=3)
        name_rows(axes, [one.name for one in bars], [one.label for one in bars])
        axes.set_xlim(0, max(float(one.high) for one in bars) or 1.0)
        headline(axes, marks, xlabel="pairs of models in another order, on average")
    return axes


def _bar(name: str, role: str, distance: Fraction, ends: tuple[Fraction, Fraction], pairs: int) -> dict[str, Any]:
    label = f"{short_number(distance)} ({float(100 * distance / pairs):.0f}%)"
    return {
        "mark": "bar", "name": name, "role": role, "distance": distance, "low": ends[0], "high": ends[1], "label": label
    }  # fmt: skip


def _words(found: Dispersion) -> list[dict[str, Any]]:
    board = found.answers.board
    pairs, models = counted(found.model_pairs, "pair"), counted(len(board.models), "model")
    rules, tasks = counted(len(found.distances), "rule"), counted(len(board.tasks), "task")
    words = [
        title(f"How far the rankings by {rules} are from those of {tasks}"),
        note(
            f"In brackets: the share of all {pairs} of {models}; a pair that only one order ties counts "
            f"{found.tie_penalty}. Dashed line: no ranking is nearer than {short_number(found.least)}."
        ),
    ]
    if found.random:
        drawn = counted(len(found.random), "random ranking")
        words.append(note(f"Whiskers: from the nearest to the farthest of {drawn}."))
    return words


def _draw_bar(ax: Axes, bar: Any, look: Theme) -> None:
    """Draw a bar with its label, and with whiskers if it covers several rankings."""
    rule, distance = bar.role == "rule", float(bar.distance)
    hatch = {"rule": "", "random": "\\\\\\", "tasks": "///"}[bar.role]
    ax.barh(
        bar.y, distance, height=0.62, color=look.colour("first") if rule else look.paper,
        edgecolor=look.colour("first" if rule else "other"), hatch=hatch,
    )  # fmt: skip
    if bar.low < bar.high:
        ends = [[distance - float(bar.low)], [float(bar.high) - distance]]
        ax.errorbar(distance, bar.y, xerr=ends, fmt="none", ecolor=look.ink, elinewidth=1.2, capsize=3, zorder=4)
