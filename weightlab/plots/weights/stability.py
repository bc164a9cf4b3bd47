"""Stability as pairs of weights: today's, and the nearest ones at which the winner changes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import pandas as pd

from weightlab._text import percent
from weightlab.exceptions import InputError
from weightlab.lp import BrokenCycle, Stability
from weightlab.plots.canvas import Axes, Theme, canvas, short_names
from weightlab.plots.marks import ensure_most, headline, marks_frame, name_rows, note, of_kind, shares_along, title

Source: TypeAlias = Stability | BrokenCycle
Ends: TypeAlias = tuple[str, Fraction, Fraction]
"""A task, its weight today and that at which something changes."""
FEW = 8
"""Number of tasks shown in rows of their own, even if unchanged."""
MINUS = "\u2212"
COLUMNS = ["name", "role", "y", "today", "nearest", "change"]


def stability_marks(found: Source, *, norm: str | None = None, most: int = 24) -> pd.DataFrame:
    """Return the pairs of weights in a picture of stability, in the order of the table.

    Parameters
    ----------
    found : Stability or BrokenCycle
        What `lp.stability` returned: the nearest weights at which its winner, or two neighbours of its ranking, are
        tied. Or what `lp.break_cycle` returned: the nearest weights found under which a model wins.
    norm : {"l1", "linf"}, optional
        Measure of change [default: the first requested].
    most : int
        Of more than eight tasks those have a row whose weights change, or the first so many that change most; one row
        counts the others.

    Returns
    -------
    DataFrame
        ``mark`` is ``"task"``, ``"title"`` or ``"note"``. Tasks: ``name``, ``y`` (place from 0, downwards), ``today``,
        ``nearest`` and their difference ``change`` (exact), ``role`` (``"more"``, ``"less"`` or ``"same"``, and
        ``"rest"`` of the row for the others) and ``label``, the change in per cent of the total weight.

    Raises
    ------
    InputError
        If no allowed weights change anything, so that there is nothing to draw; if changes were not measured so; or if
        ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}}, weights={"x": 2})
    >>> marks = wl.plots.stability_marks(wl.lp.stability(board, norm="l1", rule="majority"))
    >>> marks.loc[marks.mark == "task", ["name", "role"]].values.tolist()
    [['x', 'less'], ['y', 'more']]
    """
    ensure_most(most)
    measured, nearest = _nearest(found, norm)
    today = found.weights
    pairs = [(str(task), old, new) for task, old, new in zip(today.index, today.tolist(), nearest, strict=True)]
    rows = [_row(one) for one in pairs] if len(pairs) <= min(FEW, most) else _most_moved(pairs, most)
    placed = [{**row, "y": place} for place, row in enumerate(rows)]
    return marks_frame([*placed, *_words(found, measured)], COLUMNS)


def _nearest(found: Source, norm: str | None) -> tuple[str, Sequence[Fraction]]:
    """Return how changes are measured, and the weights at which something changes."""
    if isinstance(found, BrokenCycle):
        if norm not in {None, found.norm}:
            raise InputError(f"changes were measured by {found.norm!r}, not by {norm!r}")
        return found.norm, found.strict_weights.tolist()
    measured = found.reversals.norm_or_first(norm)
    first = found.reversals.first(measured)
    point = found.reversals.points[measured][first[0]] if first else None
    if point is None:
        raise InputError("no allowed weights change anything: there is nothing to draw")
    return measured, point.along(found.space.tasks)


def _most_moved(pairs: Sequence[Ends], most: int) -> list[dict[str, Any]]:
    """Return rows of the tasks that change, or that change most, in their order, and one for the others."""
    moved = [place for place, (_, old, new) in enumerate(pairs) if old != new] or [0]
    kept = set(sorted(moved, key=lambda place: -abs(pairs[place][2] - pairs[place][1]))[:most])
    if len(kept) == len(pairs):
        return list(map(_row, pairs))
    others = [one for place, one in enumerate(pairs) if place not in kept]
    today = sum((old for _, old, _ in others), Fraction(0))
    nearest = sum((new for _, _, new in others), Fraction(0))
    total = sum((abs(new - old) for _, old, new in others), Fraction(0))
    label = f"change by {percent(total)} in all" if total else "do not change"
    rest = {**_row(("", today, nearest)), "name": f"{len(others)} other tasks", "role": "rest", "label": label}
    return [*(_row(one) for place, one in enumerate(pairs) if place in kept), rest]


def _row(one: Ends) -> dict[str, Any]:
    name, today, nearest = one
    change = nearest - today
    role = "more" if change > 0 else "less" if change < 0 else "same"
    label = f"{'+' if change > 0 else MINUS}{percent(abs(change))}" if change else ""
    ends = {"today": today, "nearest": nearest, "change": change}
    return {"mark": "task", "name": name, "role": role, **ends, "label": label}


def _words(found: Source, norm: str) -> list[dict[str, Any]]:
    """Return the title and what the picture's signs mean."""
    end = "where they tie"
    if isinstance(found, BrokenCycle):
        model = short_names([found.model])[0]
        head = f"No model beats all others today; {model} does at the nearest weights found"
        head = head if found.value or not found.attained else f"{model} wins head-to-head today"
        size, end = found.value, "where it wins head-to-head"
    elif found.of == "winner":
        model, taker = short_names([found.model, found.takers(norm)[0]])
        head = f"{found.by_rule}, {model} is first until {taker} ties it"
        head = f"Head-to-head, {model} wins until {taker} ties it" if found.points is None else head
        size = found.radius(norm) or Fraction(0)
    else:
        upper, lower = short_names(found.first(norm)[0])
        size = found.radius(norm) or Fraction(0)
        head = f"The ranking {found.rule.by} stays until {upper} and {lower} tie"
        head = head if size else f"The ranking {found.rule.by}: {upper} and {lower} tie today"
    words = f"Open circles: weights today; filled: {end}. Beside them: the change."
    if size and norm == "l1":
        words += f" At least {percent(size / 2)} of the weight has to move."
    elif size:
        words += f" Some weight has to change by {percent(size)} or more."
    elif isinstance(found, BrokenCycle) and not found.attained:
        words += " An arbitrarily small change is enough."
    words += f" Under the conditions {found.space}." if found.space.conditions else ""
    return [title(head), note(words)]


def draw_stability(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of stability.

    Parameters
    ----------
    marks : DataFrame
        As ``stability_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    tasks = of_kind(marks, "task")
    with canvas(ax, size=(8, 1.9 + 0.22 * len(tasks)), theme=theme) as (axes, look):
        own = tasks[tasks["role"] != "rest"]
        for one in own.itertuples():
            _draw_task(axes, one, look)
        name_rows(axes, tasks["name"].tolist(), tasks["label"].tolist(), grid="x")
        ends = [float(one) for name in ("today", "nearest") for one in own[name]]
        # Small changes are seen where the weights are, larger ones from 0.
        low = min(ends) if max(ends) < 2 * min(ends) and min(ends) < max(ends) else 0.0
        shares_along(axes, low, max(ends), room=0.04)
        headline(axes, marks, xlabel="share of the total weight")
    return axes


def _draw_task(ax: Axes, one: Any, look: Theme) -> None:
    """Draw an arrow from a weight today to the other one."""
    today, nearest = float(one.today), float(one.nearest)
    colour = look.colour("second" if one.change > 0 else "first" if one.change < 0 else "other")
    if one.change:
        ax.plot([today, nearest], [one.y, one.y], color=colour, linewidth=2, linestyle="-" if one.change > 0 else "--")
        ax.plot(nearest, one.y, marker="o", markersize=6, color=colour, zorder=3)
    ax.plot(today, one.y, marker="o", markersize=5.5, color=look.paper, markeredgecolor=colour, zorder=3)
