"""Winning weights as dumbbells: how far each task's weight moves from today's, and whom the model beats there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import WeightsLike
from weightlab._text import counted, percent
from weightlab.lp import Prospect, Scenario, Verdict
from weightlab.lp.space.space import shares_of
from weightlab.plots.canvas import Axes, canvas, short_names
from weightlab.plots.marks import ensure_most, headline, marks_frame, name_rows, note, of_kind, shares_along, title

COLUMNS = ["name", "y", "today", "then", "leads", "trails"]
WORDS = {
    Verdict.STRICT: "weights under which {} beats every rival {}",
    Verdict.WEAK: "weights that leave {} undefeated {}",
    Verdict.NEVER: "the weights that serve {} best, though it wins {} under none",
}


def winning_weights_marks(
    found: Prospect | Scenario, *, weights: WeightsLike | None = None, most: int = 15
) -> pd.DataFrame:
    """Return the dumbbells of a picture of winning weights, the task whose weight moves most on top.

    Parameters
    ----------
    found : Prospect or Scenario
        What `lp.prospect` or `lp.scenario` returned, such as the nearest winning weights.
    weights : mapping, Series or sequence, optional
        Today's weights; by default those from which a scenario measures its distance, or else equal ones.
    most : int
        Largest number of tasks shown.

    Returns
    -------
    DataFrame
        ``mark`` is ``"task"``, ``"title"`` or ``"note"``. Tasks: ``name``, ``y`` (place from 0, downwards), ``today``
        and ``then`` (shares of the weight, exact), ``leads`` and ``trails`` (numbers of rivals) and ``label``.

    Raises
    ------
    InputError
        If the weights are not of these tasks, or ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}}, weights={"y": 3})
    >>> marks = wl.plots.winning_weights_marks(wl.lp.prospect(board, "a"), weights=board.weights)
    >>> marks.loc[marks.mark == "task", ["name", "today", "then"]].values.tolist()
    [['x', Fraction(1, 4), Fraction(1, 1)], ['y', Fraction(3, 4), Fraction(0, 1)]]
    """
    ensure_most(most)
    strict = found.strict_weights if isinstance(found, Scenario) else None
    then = found.weights if strict is None else strict
    today = shares_of(_centre(found) if weights is None else weights, found.tasks)
    moves = {task: then[task] - today[task] for task in found.tasks}
    order = sorted(found.tasks, key=lambda task: -abs(moves[task]))
    signs = dict(zip(found.tasks, found.rows.T, strict=True))
    rows = [
        {
            "mark": "task",
            "name": task,
            "y": place,
            "today": today[task],
            "then": then[task],
            "leads": int((signs[task] > 0).sum()),
            "trails": int((signs[task] < 0).sum()),
        }
        for place, task in enumerate(order[:most])
    ]
    labelled = [{**one, "label": f"ahead of {one['leads']}, behind {one['trails']}"} for one in rows]
    moved = percent(sum(abs(move) for move in moves.values()) / 2)
    left = [move for move in map(moves.__getitem__, order[most:]) if move]
    notes = ["Open circles: weights today; filled: the weights found. Beside them: rivals that it leads and trails."]
    notes += [f"The weights of {counted(len(left), 'more task')} move, too."] if left else []
    notes += [f"Under the conditions {found.space}."] if found.space.conditions else []
    words = WORDS[found.verdict if strict is None else Verdict.STRICT].format(
        short_names([found.model])[0], found.rule.by
    )
    return marks_frame([*labelled, title(f"{moved} of the weight moves: {words}"), note(" ".join(notes))], COLUMNS)


def _centre(found: Prospect | Scenario) -> Any:
    stages = found.stages if isinstance(found, Scenario) else ()
    centres = (getattr(getattr(stage, "objective", None), "centre", None) for stage in stages)
    return next((one for one in centres if one is not None), [1] * len(found.tasks))


def draw_winning_weights(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of winning weights.

    Parameters
    ----------
    marks : DataFrame
        As ``winning_weights_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    tasks = of_kind(marks, "task")
    with canvas(ax, size=(8, 1.9 + 0.26 * len(tasks)), theme=theme) as (axes, look):
        y, today, then = (tasks[one].astype(float).to_numpy() for one in ("y", "today", "then"))
        end = max(0.01, float(np.max([today, then])))
        colour = look.colour("first")
        axes.hlines(y, today, then, color=colour, linewidth=2.5, alpha=0.6)
        axes.scatter(today, y, s=36, c=look.paper, edgecolors=colour, clip_on=False, zorder=3)
        axes.scatter(then, y, s=36, c=colour, edgecolors=colour, clip_on=False, zorder=4)
        name_rows(axes, tasks["name"].tolist(), tasks["label"].tolist(), [look.faint] * len(tasks), grid="x")
        shares_along(axes, 0, end)
        headline(axes, marks, xlabel="share of the total weight")
    return axes
