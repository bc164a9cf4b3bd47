"""Means while scores are missing, as intervals: between what each model's mean lies, and where a claim is decided."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._text import counted
from weightlab.data.linear_rule import MEAN
from weightlab.exceptions import InputError
from weightlab.lp import Settlement
from weightlab.plots.canvas import Axes, canvas
from weightlab.plots.marks import ensure_most, first_of, headline, marks_frame, name_rows, note, of_kind, title

COLUMNS = ["name", "role", "y", "low", "high"]
ROLES = {"claimed": "second", "open": "first", "decided": "other"}
"""Whose models are claimed to be ahead, which others still overlap with them, which do not: their colours."""


def mean_spans_marks(found: Settlement, *, most: int = 40) -> pd.DataFrame:
    """Return the intervals of a picture of what is known of the models' means.

    Parameters
    ----------
    found : Settlement
        What `lp.settle` returned, by the mean.
    most : int
        Largest number of models shown, those with the highest best mean.

    Returns
    -------
    DataFrame
        ``mark`` is ``"span"``, ``"threshold"``, ``"title"`` or ``"note"``. Spans: ``name``, ``y`` (place from 0,
        downwards), ``low`` and ``high`` (exact), ``role`` (``"claimed"`` of the models of the claim, ``"open"`` of
        others that may still be among them or ahead of one, else ``"decided"``). The threshold has ``low``: the least
        mean of the models of the claim, which all others must fall below.

    Raises
    ------
    InputError
        If the claim is not by the mean, or ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": None, "b": 80}})
    >>> marks = wl.plots.mean_spans_marks(wl.lp.settle(board, rule="mean", bounds=(0, 100)))
    >>> marks.loc[marks.mark == "span", ["name", "role", "label"]].values.tolist()
    [['a', 'claimed', '45 to 95'], ['b', 'open', '60']]
    """
    ensure_most(most)
    if found.rule.name != MEAN:
        raise InputError(f"this picture shows means, and the claim is by {found.rule}")
    spans, models = found.spans, found.table.models
    worst, best = ([Fraction(int(one), spans.lead_unit) for one in end.tolist()] for end in spans.totals)
    claimed = [models.index(model) for model in found.models]
    level = min(worst[row] for row in claimed)
    out = {row for row, own in enumerate(best) if sum(one > own for one in worst) >= found.claim.k}
    order = sorted(range(len(models)), key=lambda row: (-best[row], -worst[row]))[:most]
    rows = [
        {
            "mark": "span",
            "name": models[row],
            "role": "claimed" if row in claimed else "open" if best[row] >= level and row not in out else "decided",
            "y": place,
            "low": worst[row],
            "high": best[row],
            "label": f"{_text(worst[row])} to {_text(best[row])}" if worst[row] < best[row] else _text(worst[row]),
        }
        for place, row in enumerate(order)
    ]
    head = {"certain": "proved", "refuted": "refuted", "open": "still open"}[found.verdict]
    whose = "its models" if found.claim.models or found.certain else "the models predicted for it, in dark"
    told = (
        f"The claim ({found.claim.words} by average) holds once no other bar reaches the line: least mean of {whose}."
    )
    words = [title(f"Means of {first_of(len(rows), len(models), 'model')}, whatever the missing scores are: {head}")]
    words += [note(f"{told} {counted(len(found.table.missing_cells), 'score')} missing.")]
    return marks_frame([*rows, {"mark": "threshold", "low": level, "label": _text(level)}, *words], COLUMNS)


def _text(value: Fraction) -> str:
    return f"{float(value):.4g}"


def draw_mean_spans(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of what is known of the models' means.

    Parameters
    ----------
    marks : DataFrame
        As ``mean_spans_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    spans, level = of_kind(marks, "span"), float(of_kind(marks, "threshold")["low"].iloc[0])
    with canvas(ax, size=(8, 1.9 + 0.22 * len(spans)), theme=theme) as (axes, look):
        y, low, high = (spans[one].to_numpy(dtype=np.float64) for one in ("y", "low", "high"))
        colours = [look.colour(ROLES[role]) for role in spans["role"]]
        axes.hlines(y, low, high, color=colours, linewidth=5.0, alpha=0.6)
        axes.scatter(np.append(low, high), np.append(y, y), s=24, c=colours * 2, zorder=3)
        axes.axvline(level, color=look.ink, linewidth=1.0, linestyle="--")
        inks = [look.ink if role == "claimed" else look.faint for role in spans["role"]]
        name_rows(axes, spans["name"].tolist(), spans["label"].tolist(), inks, grid="x")
        headline(axes, marks, xlabel="mean, between its worst and its best")
    return axes
