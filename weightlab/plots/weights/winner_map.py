"""The triangle map of winners: who wins under which weights of three tasks, or three groups of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import WeightsLike, common_denominator
from weightlab._solver.exact.integer_system import solve_integer_system
from weightlab._text import percent
from weightlab.exceptions import InputError
from weightlab.lp import Area, AreaKind, WinnerMap
from weightlab.lp.space.space import shares_of
from weightlab.plots.canvas import Axes, Theme, canvas, short_names, width_of
from weightlab.plots.marks import headline, key_beside, marks_frame, note, of_kind, title

LETTER, LINE = 0.019, 0.045
"""Width of a letter and height of a line of a label, as shares of a side of the triangle as it is drawn."""
COLUMNS = ["name", "role", "number", "share", "points", "exact", "x", "y"]
KEYS = 24
"""Number of names with their own line in the key."""
NOBODY = "no model"
HATCHES = ("", "//", "\\\\", "--", "||", "oo", "++", "**")


def winner_map_marks(
    found: WinnerMap, *, weights: WeightsLike | None = None, called: str = "the weights given"
) -> pd.DataFrame:
    """Return the areas, labels and corners of a map of winners.

    Parameters
    ----------
    found : WinnerMap
        What `lp.map_of_winners` returned.
    weights : mapping, Series or sequence, optional
        Weights to mark, one for each corner or one for each task, such as those of today; scaled to sum to 1.
    called : str
        What these weights are.

    Returns
    -------
    DataFrame
        ``mark`` is ``"area"`` (a polygon), ``"line"`` or ``"spot"`` (where further models are unbeaten), ``"key"`` (one
        a name, largest share first), ``"corner"``, ``"weights"``, ``"title"`` or ``"note"``. ``name`` says who is
        unbeaten there (``"no model"``, or some that tie), or which corner it is; ``role`` is ``"winner"``, ``"tie"`` or
        ``"none"``. ``number`` counts the names from 1, largest share first: it gives colour and hatch. ``share`` of the
        allowed weights is exact. ``points`` are the corners as (x, y): the triangle has sides of 1, its first corner
        lies at (0, 0), the second to the right, the third above; ``exact`` are the same as weights, three fractions
        each. ``label`` is written at ``x`` and ``y``: of each name's largest area the name, where it fits, else the
        number, where that fits; beside lines and spots the numbers; in the key the number, the name and the share.

    Raises
    ------
    InputError
        If the weights lie outside the triangle.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}
    >>> board = wl.Leaderboard(scores)
    >>> marks = wl.plots.winner_map_marks(wl.lp.map_of_winners(board))
    >>> marks.loc[marks.mark == "key", ["name", "share"]].values.tolist()
    [['no model', Fraction(1, 4)], ['a', Fraction(1, 4)], ['b', Fraction(1, 4)], ['c', Fraction(1, 4)]]
    """
    named = {place: " = ".join(one.models) or NOBODY for place, one in enumerate(found.areas)}
    keys = _keys(found, named)
    rows = [{**keys[named[place]], **_shape(one), "label": ""} for place, one in enumerate(found.areas)]
    _put_labels(rows)
    _put_numbers(rows)
    rows += _key_rows(keys)
    rows += [_corner(found, place) for place in range(3)]
    if weights is not None:
        point = _corner_weights(found, weights)
        x, y = spot_of(point)
        rows.append({"mark": "weights", "exact": (point,), "points": ((x, y),), "x": x, "y": y, "label": called})
    rows += _words(found, "" if weights is None else called)
    return marks_frame(rows, COLUMNS)


def weights_of_corners(found: WinnerMap, weights: WeightsLike) -> Weights | None:
    """Return the weights of the three corners that come to these weights of the tasks; None if none do."""
    shares = shares_of(weights, found.space.tasks)
    return corner_shares(found.corners, [shares[task] for task in found.space.tasks])


def _corner_weights(found: WinnerMap, weights: WeightsLike) -> Weights:
    """Return weights of the corners, given as such or as weights of the tasks."""
    if len(weights) == 3 and (not hasattr(weights, "keys") or set(weights.keys()) == set(found.names)):
        shares = shares_of(weights, found.names)
        return tuple(shares[name] for name in found.names)
    point = weights_of_corners(found, weights)
    if point is None:
        raise InputError(f"these weights lie outside the triangle of {', '.join(found.names)}: they cannot be marked")
    return point


def _keys(found: WinnerMap, named: Mapping[int, str]) -> dict[str, dict[str, Any]]:
    """Return for each name its role, its share and its number."""
    shares: dict[str, Fraction] = {}
    roles: dict[str, str] = {}
    for place, one in enumerate(found.areas):
        shares[named[place]] = shares.get(named[place], Fraction(0)) + found.share_of(one)
        # What is a winner's on an area may be a tie's on a segment: the first area of a name is its largest kind.
        roles.setdefault(named[place], str(one.kind))
    listed = sorted(shares, key=lambda name: (-shares[name], name != NOBODY))
    return {
        name: {"name": name, "role": roles[name], "number": number, "share": shares[name]}
        for number, name in enumerate(listed, start=1)
    }


def _shape(one: Area) -> dict[str, Any]:
    mark = {"polygon": "area", "segment": "line", "point": "spot"}[one.shape]
    return {"mark": mark, "points": tuple(map(spot_of, one.vertices)), "exact": one.vertices}


def _put_labels(rows: Sequence[dict[str, Any]]) -> None:
    """Write the name, or else the number, into the largest area of each name in which it fits."""
    done: set[str] = set()
    areas = [row for row in rows if row["mark"] == "area"]
    for row in sorted(areas, key=lambda row: -_size(row)):
        if row["name"] in done:
            continue
        done.add(row["name"])
        for label in _labels(row["name"], row["number"]):
            lines = label.split("\n")
            width = LETTER * (max(map(width_of, lines)) + 1)
            place = label_place(row["points"], width, LINE * (len(lines) + 0.3))
            if place is not None:
                row.update({"label": label, "x": place[0], "y": place[1]})
                break


def _put_numbers(rows: Sequence[dict[str, Any]]) -> None:
    """Write the numbers of the names beside each segment and point, once where several lie on the same."""
    alike: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        if row["mark"] != "area":
            alike.setdefault(row["points"], []).append(row)
    for points, level in alike.items():
        # A third of the way along a segment: its middle is where the names of areas are.
        x, y = ((2 * points[0][axis] + points[-1][axis]) / 3 for axis in (0, 1))
        level[0].update({"label": ", ".join(str(row["number"]) for row in level), "x": x, "y": y})


def _labels(name: str, number: int) -> list[str]:
    """Return possible labels for an area, best first: the name in one line or two, the number."""
    short = short_names([name])[0]
    words = short.split(" ")
    broken = []
    if len(words) > 1:
        cut = min(range(1, len(words)), key=lambda one: abs(len(" ".join(words[:one])) - len(short) / 2))
        broken = [f"{' '.join(words[:cut])}\n{' '.join(words[cut:])}"]
    return [short, *broken, str(number)]


def _size(row: Mapping[str, Any]) -> float:
    points: tuple[tuple[float, float], ...] = row["points"]
    turned = [*points[1:], points[0]]
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, turned, strict=True)) / 2


def _key_rows(keys: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    names = dict(zip(keys, short_names(list(keys)), strict=True))
    return [
        {**one, "mark": "key", "label": f"{one['number']}  {names[name]}  {_share(one['share'])}"}
        for name, one in keys.items()
    ]


def _share(share: Fraction) -> str:
    return percent(share) if share else "on a line or point alone"


def _corner(found: WinnerMap, place: int) -> dict[str, Any]:
    exact = tuple(Fraction(int(one == place)) for one in range(3))
    x, y = spot_of(exact)
    name = found.names[place]
    label = f"{short_names([name], 20)[0]} only"
    return {"mark": "corner", "name": name, "points": ((x, y),), "exact": (exact,), "x": x, "y": y, "label": label}


def _words(found: WinnerMap, called: str) -> list[dict[str, Any]]:
    names = ", ".join(short_names(list(found.names)))
    of = f"the weights allowed ({found.space})" if found.space.conditions else "all weights of the three"
    notes = [f"At each corner one has all the weight; shares are exact, of {of}."]
    if found.cyclic:
        notes.append("No model: every one loses to some other.")
    if any(one.kind is AreaKind.TIE and one.shape == "polygon" for one in found.areas):
        notes.append("Names joined by = tie there.")
    if any(one.shape != "polygon" for one in found.areas):
        notes.append("On dotted lines and dots further models are undefeated.")
    if called:
        notes.append(f"The star marks {called}.")
    return [title(f"Who wins {found.rule.by} under which weights of {names}"), note(" ".join(notes))]


def draw_winner_map(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a map of winners.

    Parameters
    ----------
    marks : DataFrame
        As ``winner_map_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    widest = max(map(width_of, of_kind(marks, "key")["label"]))
    with canvas(ax, size=(5.9 + 0.085 * widest, 5.6), theme=theme, fixed=True) as (axes, look):
        axes.set_aspect("equal", anchor="W")
        axes.set_xlim(-0.06, 1.06)
        axes.set_ylim(-0.08, HEIGHT + 0.06)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.spines[:].set_visible(False)
        _draw_areas(axes, marks, look)
        _draw_flat(axes, marks, look)
        corners = of_kind(marks, "corner")
        axes.fill(
            [x for x, _ in corners[["x", "y"]].to_numpy()], corners["y"], fill=False, edgecolor=look.ink, zorder=4
        )
        _write(axes, marks, look)
        _draw_key(axes, marks, look)
        headline(axes, marks)
    return axes


def _look_of(role: str, number: int, look: Theme) -> dict[str, Any]:
    """Return colour and hatch of a name: of no model always the same, of others by number, so that both differ."""
    if role == "none":
        return {"facecolor": look.grid, "hatch": "xxx", "edgecolor": look.faint}
    if role == "tie":
        return {"facecolor": look.paper, "hatch": "...", "edgecolor": look.faint}
    colour = look.series[(number - 1) % len(look.series)]
    return {"facecolor": (colour, 0.45), "hatch": HATCHES[(number - 1) % len(HATCHES)], "edgecolor": (look.paper, 0.9)}


def _draw_areas(ax: Axes, marks: pd.DataFrame, look: Theme) -> None:
    """Draw the polygons; a line runs around each but those of no model, whose polygons are parts of one area."""
    for role, number, points in of_kind(marks, "area")[["role", "number", "points"]].itertuples(index=False):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        ax.fill(xs, ys, linewidth=0, zorder=1, **_look_of(role, int(number), look))
        if role != "none":
            ax.fill(xs, ys, fill=False, edgecolor=look.ink, linewidth=0.8, zorder=2)


def _draw_flat(ax: Axes, marks: pd.DataFrame, look: Theme) -> None:
    """Draw the segments and points where further models are unbeaten."""
    for points in of_kind(marks, "line")["points"]:
        ax.plot([x for x, _ in points], [y for _, y in points], color=look.ink, linewidth=3, linestyle=":", zorder=3)
    for points in of_kind(marks, "spot")["points"]:
        ax.plot(*points[0], marker="o", markersize=6, color=look.ink, zorder=3)


def _write(ax: Axes, marks: pd.DataFrame, look: Theme) -> None:
    """Write names into areas and beside corners, and mark the weights given."""
    from matplotlib.patheffects import withStroke  # noqa: PLC0415 (an extra)

    halo = [withStroke(linewidth=4, foreground=look.paper)]
    areas = of_kind(marks, "area")
    for x, y, label in areas.loc[areas["label"] != "", ["x", "y", "label"]].itertuples(index=False):
        ax.text(x, y, label, ha="center", va="center", path_effects=halo, zorder=5, multialignment="center")
    flat = marks[marks["mark"].isin(["line", "spot"])]
    for x, y, label in flat.loc[flat["label"] != "", ["x", "y", "label"]].itertuples(index=False):
        # Beside the top corner stands its name, above some lines that of an area.
        taken = any(abs(one - x) < 0.25 and 0 < up - y < 0.1 for one, up in areas[["x", "y"]].to_numpy(dtype=float))
        up = -3 if y > HEIGHT - 0.01 else -14 if taken else 6
        away, side = ((8, up), "left") if x >= 0.5 else ((-8, up), "right")
        ax.annotate(label, (x, y), xytext=away, textcoords="offset points", ha=side, path_effects=halo, zorder=6)
    for x, y, label in of_kind(marks, "corner")[["x", "y", "label"]].itertuples(index=False):
        side = "left" if x < 0.25 else "right" if x > 0.75 else "center"
        ax.text(x, y + (0.02 if y else -0.02), label, ha=side, va="bottom" if y else "top", weight="bold")
    for x, y in of_kind(marks, "weights")[["x", "y"]].itertuples(index=False):
        ax.plot(x, y, marker="*", markersize=14, color=look.ink, markeredgecolor=look.paper, zorder=6)


def _draw_key(ax: Axes, marks: pd.DataFrame, look: Theme) -> None:
    """List the names with their shares next to the triangle."""
    from matplotlib.patches import Patch  # noqa: PLC0415 (an extra)

    keys = of_kind(marks, "key")
    handles = [
        Patch(label=label, linewidth=0.5, **_look_of(role, int(number), look))
        for role, number, label in keys[["role", "number", "label"]].head(KEYS).itertuples(index=False)
    ]
    if len(keys) > KEYS:
        handles.append(Patch(label=f"and {len(keys) - KEYS} more", facecolor="none"))
    key_beside(ax, handles=handles, handlelength=2.2, handleheight=1.4)


# Geometry of a triangle of three weights as it is drawn: where points lie, and where labels fit.

Spot: TypeAlias = tuple[float, float]
Weights: TypeAlias = tuple[Fraction, ...]
HEIGHT = sqrt(3) / 2
"""Of the triangle whose sides are 1 long."""
LEVELS = 40
"""Heights of an area tried for a label."""
HALVINGS = 12
"""So often the interval in which the largest box lies is halved."""
SUPPORTS = ((0, 1, 2), (0, 1), (0, 2), (1, 2), (0,), (1,), (2,))
"""Which of three corners may have weight."""


def spot_of(weights: Sequence[Fraction]) -> Spot:
    """Return where weights that sum to 1 lie: the first corner at the lower left, the second right, the third above.

    Examples
    --------
    >>> spot_of([Fraction(1, 2), Fraction(1, 2), Fraction(0)])
    (0.5, 0.0)
    """
    return float(weights[1] + weights[2] / 2), HEIGHT * float(weights[2])


def corner_shares(corners: pd.DataFrame, target: Sequence[Fraction]) -> Weights | None:
    """Return shares of three corners that mix to the target, or None.

    Parameters
    ----------
    corners : DataFrame of Fraction, tasks x 3
        Columns sum to 1.
    target : sequence of Fraction
        Weights of the tasks that sum to 1.

    Notes
    -----
    If shares exist, some exist in which the corners that have weight are independent: of each set of corners the
    only possible shares are worked out and tried.
    """
    columns = [[Fraction(one) for one in corners[name]] for name in corners.columns]
    for support in SUPPORTS:
        shares = _shares([columns[corner] for corner in support], target)
        if shares is not None:
            found = dict(zip(support, shares, strict=True))
            return tuple(found.get(corner, Fraction(0)) for corner in range(3))
    return None


def _shares(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> list[Fraction] | None:
    """Return the unique nonnegative shares that mix independent columns to the target, or None."""
    whole, scale = common_denominator([one for column in columns for one in column])
    rows = np.array(whole, dtype=object).reshape(len(columns), len(target))
    right = [sum((int(a) * b for a, b in zip(row, target, strict=True)), Fraction(0)) * scale for row in rows]
    shares = solve_integer_system(rows @ rows.T, right)
    if shares is None or min(shares) < 0:
        return None
    for cells, one in zip(zip(*columns, strict=True), target, strict=True):
        if sum((cell * share for cell, share in zip(cells, shares, strict=True)), Fraction(0)) != one:
            return None
    return shares


def label_place(polygon: Sequence[Spot], width: float, height: float) -> Spot | None:
    """Return where an upright box has most room in a convex polygon (its middle), or None where it does not fit.

    Parameters
    ----------
    polygon : sequence of (float, float)
        Its corners, in order around it.
    width, height : float
        Of the box.

    Notes
    -----
    Most room has the box that can grow most without a change of its shape; heights are tried one by one.

    Examples
    --------
    >>> label_place([(0, 0), (1, 0), (1, 1), (0, 1)], 0.5, 0.25)
    (0.5, 0.5)
    """
    best, small, large = _roomiest(polygon, width, height), 1.0, 64.0
    if best is None:
        return None
    for _ in range(HALVINGS):
        scale = (small * large) ** 0.5
        place = _roomiest(polygon, scale * width, scale * height)
        best, small, large = (best, small, scale) if place is None else (place, scale, large)
    return best


def _roomiest(polygon: Sequence[Spot], width: float, height: float) -> Spot | None:
    """Return the middle of the box at the height with most room, near the middle where several have."""
    bottom, top = min(y for _, y in polygon) + height / 2, max(y for _, y in polygon) - height / 2
    if bottom > top:
        return None
    found = []
    for y in np.linspace(bottom, top, LEVELS + 1).tolist():
        low, high = _chord(polygon, y - height / 2), _chord(polygon, y + height / 2)
        left, right = max(low[0], high[0]), min(low[1], high[1])
        found.append((round(right - left, 9), -abs(y - (bottom + top) / 2), ((left + right) / 2, y)))
    room, _, place = max(found)
    return place if room >= width else None


def _chord(polygon: Sequence[Spot], y: float) -> Spot:
    """Return the ends of what a convex polygon has at a height."""
    found: list[float] = []
    for place, (x0, y0) in enumerate(polygon):
        x1, y1 = polygon[(place + 1) % len(polygon)]
        if min(y0, y1) - 1e-12 <= y <= max(y0, y1) + 1e-12:
            share = 0.5 if y0 == y1 else min(1.0, max(0.0, (y - y0) / (y1 - y0)))
            found += [x0, x1] if y0 == y1 else [x0 + share * (x1 - x0)]
    return min(found), max(found)
