"""How few do, as bars: lifts that each model needs, drops that turn each rival, what few tasks keep of a ranking."""

from __future__ import annotations

from typing import Any

import pandas as pd

from weightlab._text import counted, percent
from weightlab.data.linear_rule import rule_words
from weightlab.lp import FewestDrops, LiftCounts, Shortlist, SmallestBenchmark
from weightlab.lp.choosing.shortlist import loss_words
from weightlab.lp.improvement.drops import MANY
from weightlab.plots.canvas import Axes, canvas, short_names
from weightlab.plots.marks import ensure_most, headline, marks_frame, name_rows, note, of_kind, title

COLUMNS = ["name", "y", "value"]


def fewest_marks(found: LiftCounts | FewestDrops | SmallestBenchmark | Shortlist, *, most: int = 20) -> pd.DataFrame:
    """Return the bars of a picture of how few do.

    Parameters
    ----------
    found : LiftCounts, FewestDrops, SmallestBenchmark or Shortlist
        Result of `lp.fewest_lifts` for all models: one bar per model. Of `lp.fewest_drops`: one bar per rival.
        What `lp.smallest_benchmark` returned: for each number of tasks the share of the pairs that is kept.
        What `lp.shortlist` returned: for each number of models, or each cost, the worst loss.
    most : int
        Largest number of bars shown, fewest first.

    Returns
    -------
    DataFrame
        ``mark`` is ``"bar"``, ``"axis"`` (what runs along), ``"title"`` or ``"note"``. Bars: ``name``, ``y`` (place
        from 0, downwards), ``value`` (a number, or a share of the pairs; 0 where it is never) and ``label``.

    Raises
    ------
    InputError
        If ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 3}, "y": {"a": 7, "b": 6}, "z": {"a": 1, "b": 4}})
    >>> marks = wl.plots.fewest_marks(wl.lp.fewest_lifts(board, rule="mean"))
    >>> marks.loc[marks.mark == "bar", ["name", "value", "label"]].values.tolist()
    [['b', 0.0, 'wins'], ['a', 2.0, '2']]
    """
    ensure_most(most)
    notes = []
    if isinstance(found, SmallestBenchmark):
        head = f"What few tasks keep of the ranking {rule_words(found.question.rule)}"
        axis = "share of the pairs that stand as today"
        values: dict[str, Any] = {counted(size, "task"): found.curve[size] for size in sorted(found.curve.index)}
        labels = {name: percent(share) for name, share in values.items()}
        notes += ["Below the smallest set that keeps all, tasks are dropped one by one; others may keep more."]
    elif isinstance(found, Shortlist):
        head = f"How far the best of a few models may be from the best of {len(found.points.models)}"
        axis = f"worst loss under any weighting, {rule_words(found.rule)}"
        values = {found.size_words(one): one.loss for one in found.frontier}
        labels = {name: loss_words(loss, of_range=found.of_range) for name, loss in values.items()}
    else:
        what = "drops" if isinstance(found, FewestDrops) else "lifts"
        counts = [(str(name), count) for name, count in found.to_frame()[what].items()]
        values = dict(sorted(counts, key=lambda one: MANY if isinstance(one[1], str) else one[1]))
        labels = {name: "wins" if not count else str(count) for name, count in values.items()}
        if isinstance(found, FewestDrops):
            head = f"{found.drop.capitalize()} to leave out before {short_names([found.model])[0]} is behind"
            axis = f"{found.drop} left out, {rule_words(found.rule)}"
        else:
            head = f"Tasks on which a model must rise to win {rule_words(found.rule)}, of {len(found.table.tasks)}"
            axis = f"lifts, {rule_words(found.rule)}"
    rows = [
        {
            "mark": "bar",
            "name": name,
            "y": place,
            "value": 0 if isinstance(value, str) else value,
            "label": labels[name],
        }
        for place, (name, value) in enumerate(values.items())
    ]
    notes += [f"{counted(len(rows) - most, 'more bar')} not shown."] if len(rows) > most else []
    marks = [*rows[:most], title(head), {"mark": "axis", "label": axis}, *map(note, notes)]
    return marks_frame(marks, COLUMNS)


def draw_fewest(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of how few do.

    Parameters
    ----------
    marks : DataFrame
        As ``fewest_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    bars = of_kind(marks, "bar")
    with canvas(ax, size=(8, 1.9 + 0.26 * max(1, len(bars))), theme=theme) as (axes, look):
        value = bars["value"].astype(float).to_numpy()
        axes.barh(bars["y"].astype(float), value, height=0.62, color=look.colour("first"))
        axes.set_xlim(0, max([1, *value]))
        axes.locator_params(axis="x", nbins=5, integer=max([0, *value]) > 1)
        name_rows(axes, bars["name"].tolist(), bars["label"].tolist(), [look.ink] * len(bars))
        headline(axes, marks, xlabel=str(of_kind(marks, "axis")["label"].iloc[0]))
    return axes
