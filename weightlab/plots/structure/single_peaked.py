"""Rank curves of voters along an axis: with one peak each where the rankings are single-peaked, else with valleys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._text import counted, first_few
from weightlab.data import Profile
from weightlab.domains import SinglePeaked
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.plots.canvas import LINES, MARKERS, Axes, Theme, canvas, short_names, shown, turned, width_of
from weightlab.plots.marks import headline, key_beside, marks_frame, named, note, rows_of, title

COLOURED = 7
"""Number of curves with their own colour in the legend; the others are grey."""
ACROSS = 0.3
"""Inches from a model to the next on the axis."""
LONGEST_SENTENCE = 220
"""What a witness says is written below the picture if it is not longer: long names say it in the picture itself."""
COLUMNS = ["model", "x", "y", "curve", "series", "voters", "role"]


def single_peaked_marks(result: SinglePeaked, *, axis: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the marks of rank curves along an axis of the models.

    Where there is an axis, all voters are shown along it. Where there is none, the witness is: its voters and models,
    some of whose curves have a valley whatever the order of the models.

    Parameters
    ----------
    result : SinglePeaked or SingleCaved
        What ``domains.single_peaked`` or ``single_caved`` returned.
    axis : sequence of str, optional
        Some models in the order in which they are to stand; all voters are shown then, and where their curves fail.

    Returns
    -------
    DataFrame
        ``mark`` is ``"point"``, ``"curve"``, ``"model"``, ``"title"`` or ``"note"``. Points: ``curve`` (from 0),
        ``model``, ``x`` (place on the axis from 0), ``y`` (dense rank among the models shown, 1 is best; a voter who
        does not rank the model has no point), ``role`` (``"peak"``, ``"valley"``: below a model on its left and one on
        its right, or ``"other"``; for single-caved rankings pit and summit), ``series``. Curves: ``curve``, ``voters``
        (a tuple: those who rank alike share a curve), ``series`` (from 0 for those with a colour of their own, -1 for
        the others), ``role`` (``"valley"`` if it has one, else ``"peak"``), ``label``. Models: ``model``, ``x``,
        ``label``.

    Raises
    ------
    InputError
        If the axis is empty or names a model twice.
    UnknownNameError
        If the axis names a model that is not ranked.

    Examples
    --------
    >>> import weightlab as wl
    >>> result = wl.domains.single_peaked(wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"]]))
    >>> marks = wl.plots.single_peaked_marks(result)
    >>> marks.loc[marks.role == "peak", ["model", "x", "y"]].dropna().values.tolist()
    [['a', 0.0, 1.0], ['b', 1.0, 1.0]]
    """
    placed, profile = _shown(result, axis)
    models, along = list(placed), profile.select(models=placed).ranks
    groups: dict[tuple[int, ...], list[str]] = {}
    for voter, ranks in zip(profile.voters, along.tolist(), strict=True):
        groups.setdefault(tuple(map(int, ranks)), []).append(voter)
    roles = _roles(np.array(list(groups)), upright=result.upright)
    called = dict(zip(profile.voters, short_names(list(profile.voters)), strict=True))
    curves, points = [], []
    series = _series([len(voters) for voters in groups.values()], (roles == "valley").any(axis=1))
    for curve, (along_axis, voters) in enumerate(groups.items()):
        whole = "valley" if (roles[curve] == "valley").any() else "peak"
        known = {"curve": curve, "series": series[curve]}
        label = first_few((called[voter] for voter in voters), 1)
        curves.append({"mark": "curve", **known, "voters": tuple(voters), "role": whole, "label": label})
        points += [
            {"mark": "point", **known, "model": model, "x": x, "y": rank, "role": roles[curve, x]}
            for x, (model, rank) in enumerate(zip(models, along_axis, strict=True))
            if rank
        ]
    words = _words(result, axis, profile, failing=sum(one["role"] == "valley" for one in curves), curves=len(curves))
    return marks_frame([*curves, *points, *named("model", "model", models, along="x"), *words], COLUMNS)


def draw_single_peaked(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of rank curves.

    Parameters
    ----------
    marks : DataFrame
        As ``single_peaked_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    models, curves, points = rows_of(marks, "model"), rows_of(marks, "curve"), rows_of(marks, "point")
    coloured = [one for one in curves if one.series >= 0]
    legend = 0.6 + 0.075 * max([0, *(width_of(one.label) for one in coloured)])
    below = 0.075 * max([0, *(width_of(one.label) for one in models)])
    lowest = max([1, *(int(one.y) for one in points)])
    size = (max(2.6, ACROSS * len(models)) + legend + 0.8, min(6.0, 1.6 + 0.28 * lowest) + below + 0.9)
    with canvas(ax, size=(max(4.6, size[0]), size[1]), theme=theme) as (axes, look):
        for curve in sorted(curves, key=lambda one: one.series):
            _draw_curve(axes, curve, [one for one in points if one.curve == curve.curve], look)
        labels = [one.label for one in models]
        axes.set_xticks([one.x for one in models], labels, rotation=turned(labels, ACROSS))
        axes.set_yticks(sorted({1, lowest, *range(0, lowest, max(1, -(-lowest // 10)))} - {0}))
        axes.set_ylim(lowest + 0.5, 1 - max(0.5, 0.03 * lowest))
        axes.set_xlim(-0.6, len(models) - 0.4)
        axes.set_ylabel("rank")
        axes.grid(axis="x", linewidth=0.6)
        axes.set_axisbelow(True)
        if coloured:
            key_beside(axes)
        headline(axes, marks)
    return axes


def _shown(result: SinglePeaked, axis: Sequence[str] | None) -> tuple[tuple[str, ...], Profile]:
    """Return the models in the order of the axis, and the voters whose curves are shown."""
    profile = result.profile
    if axis is not None:
        placed = tuple(str(model) for model in axis)
        for model in placed:
            if model not in profile.models:
                raise UnknownNameError("model", model, profile.models, holder="profile")
        if not placed or len(set(placed)) < len(placed):
            raise InputError("an axis names at least one model, and each at most once")
        return placed, profile
    if result.axis is not None:
        return result.axis, profile
    if result.witness is None:
        return profile.models, profile
    return tuple(result.witness.models), profile.select(voters=result.witness.voters)


def _roles(along: AnyArray, *, upright: bool) -> AnyArray:
    """Return the kind of each point of each curve (curves x models along the axis)."""
    # Read so that smaller is always what a single-peaked curve has one of; what is not ranked is out of the way.
    read = np.where(along > 0, along if upright else -along, np.iinfo(np.int64).max)
    least = read.min(axis=1, keepdims=True)
    before = np.minimum.accumulate(read, axis=1)
    after = np.minimum.accumulate(read[:, ::-1], axis=1)[:, ::-1]
    low = (read > before) & (read > after) & (along > 0)
    return np.where(low, "valley", np.where((read == least) & (along > 0), "peak", "other"))


def _series(sizes: Sequence[int], failing: Sequence[bool] | AnyArray) -> list[int]:
    """Return which curves have a colour: those that fail, then those of most voters."""
    order = sorted(range(len(sizes)), key=lambda curve: (not failing[curve], -sizes[curve]))[:COLOURED]
    return [order.index(curve) if curve in order else -1 for curve in range(len(sizes))]


def _words(
    result: SinglePeaked, axis: Sequence[str] | None, profile: Profile, *, failing: int, curves: int
) -> Iterator[dict[str, Any]]:
    shape = "single-peaked" if result.upright else "single-caved"
    good, bad = ("peak", "valley") if result.upright else ("pit", "summit")
    voters = counted(len(profile.voters), "voter")
    if axis is not None:
        yield title(f"Rank curves of {voters} along a chosen axis: {failing or 'none'} of {curves} with a {bad}")
    elif result.axis is not None:
        yield title(f"The rankings are {shape}: {voters} along an axis that fits all")
    elif result.witness is not None:
        yield title(f"Not {shape}: {voters} whose rankings no axis fits")
        sentence = shown(str(result.witness))
        if len(sentence) <= LONGEST_SENTENCE:
            yield note(f"Witness: {sentence}.")
    else:
        yield title(f"Not {shape}: {result.solver} finds no axis; {voters} in the order of the table")
    yield note(
        f"Larger points: the {good} of a curve." + (f" Crosses: a {bad} between better ones." if failing else "")
    )
    if curves > COLOURED:
        yield note(f"{curves - COLOURED} of {curves} curves are grey and not in the legend.")


def _draw_curve(ax: Axes, curve: Any, points: Sequence[Any], look: Theme) -> None:
    named = curve.series >= 0
    colour = look.series[int(curve.series) % len(look.series)] if named else look.colour("other")
    ax.plot(
        [one.x for one in points], [one.y for one in points], color=colour,
        linewidth=1.8 if named else 0.8, alpha=1.0 if named else 0.6,
        linestyle=LINES[int(curve.series) % len(LINES)] if named else "-",
        marker=MARKERS[int(curve.series) % len(MARKERS)] if named else "", markersize=4,
        label=curve.label if named else "", zorder=2 if named else 1,
    )  # fmt: skip
    for role, marker, size in (("peak", "", 9), ("valley", "X", 12)):
        chosen = [one for one in points if one.role == role]
        ax.plot(
            [one.x for one in chosen], [one.y for one in chosen], linestyle="", markersize=size if named else size / 2,
            marker=marker or MARKERS[int(curve.series) % len(MARKERS)], color=colour, markeredgecolor=look.ink,
            markeredgewidth=0.8 if named else 0.0, zorder=3, label="",
        )  # fmt: skip
