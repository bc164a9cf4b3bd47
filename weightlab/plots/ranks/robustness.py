"""Robustness curves: what becomes of rankings as more and more of a table is taken away or spoilt."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from weightlab._exact import FloatArray
from weightlab._result import Frozen
from weightlab._text import counted
from weightlab._validate import one_of
from weightlab.exceptions import InputError
from weightlab.plots.canvas import LINES, MARKERS, Axes, Theme, canvas, short_names, width_of
from weightlab.plots.marks import headline, key_beside, marks_frame, note, of_kind, title
from weightlab.studies import Manipulation, OmittedScores, TaskSubsets
from weightlab.studies.resampling.draws import STATISTICS

Band = Literal["mean", "draws"]
WORDS = {
    "tau_b": "Kendall's tau-b with the whole table's ranking",
    "rho": "Spearman's rho with the whole table's ranking",
    "top_rho": "Spearman's rho among the first models",
    "top": "share of the first models that stay first",
    "reversed": "pairs of models that swap",
    "winners_kept": "share of draws with the same winners",
    "best_wins": "share of draws that a winner still wins",
    "error": "share of pairs the wrong way round",
}
"""What each statistic is called."""
BOUNDS = {
    **dict.fromkeys(("tau_b", "rho", "top_rho"), (-1.0, 1.0)),
    **dict.fromkeys(("top", "winners_kept", "best_wins", "error"), (0.0, 1.0)),
    "reversed": (0.0, inf),
}
"""Between which values each statistic lies: no band goes beyond."""
LEVEL = 0.95
"""Of the bands."""
COLUMNS = ["line", "number", "x", "amount", "y", "low", "high", "draws"]


class _Curves(Frozen, eq=True):
    """The curves of a study: its draws, who has a line, what is changed and measured, and in which words."""

    draws: pd.DataFrame
    lines: tuple[str, ...]
    by: str
    setting: str
    total: int
    statistic: str
    head: str
    axis: str
    repeats: int


def robustness_marks(
    found: OmittedScores | TaskSubsets | Manipulation,
    *,
    statistic: str | None = None,
    band: Band = "mean",
    dispersion: float | None = None,
    factor: float | None = None,
) -> pd.DataFrame:
    """Return the points of robustness curves.

    Parameters
    ----------
    found : OmittedScores, TaskSubsets or Manipulation
        What `studies.missing_scores`, `task_removal`, `task_addition` or `manipulation` returned.
    statistic : str, optional
        A column of ``found.draws``: ``"tau_b"`` by default; of manipulation the ``"error"``.
    band : {"mean", "draws"}
        The band is the normal 95% interval of the mean, or holds the middle 95% of the draws.
    dispersion, factor : float, optional
        Of manipulation, which of the settings to draw; by default the first.

    Returns
    -------
    DataFrame
        ``mark`` is ``"point"``, ``"axis"`` (``line`` is ``"x"`` or ``"y"``, ``label`` what it measures), ``"title"`` or
        ``"note"``. Points, line after line: ``line`` (the rule), ``number`` (of the rule, from 0), ``x`` (the share of
        scores that are missing, of tasks that are kept, or of tasks that are reversed), ``amount`` (how many they are),
        ``y`` (mean of the draws that have a value; NaN if none has), ``low`` and ``high`` (ends of the band, within
        what the statistic can be; NaN of fewer than two draws), ``draws`` (how many have a value).

    Raises
    ------
    InputError
        If there is no such statistic, band or setting.
    """
    one_of("band", band, get_args(Band))
    if isinstance(found, Manipulation):
        curves = _of_manipulation(found, statistic, dispersion, factor)
    elif dispersion is not None or factor is not None:
        raise InputError("dispersion= and factor= are settings of manipulation")
    else:
        curves = _of_moves(found, statistic)
    rows = [
        {"mark": "point", "line": line, "number": number, **_point(curves, own, amount, band)}
        for number, line in enumerate(curves.lines)
        for own in [curves.draws[curves.draws[curves.by] == line]]
        for amount in sorted(own[curves.setting].unique().tolist())
    ]
    axes = [
        {"mark": "axis", "line": "x", "label": curves.axis},
        {"mark": "axis", "line": "y", "label": WORDS[curves.statistic]},
    ]
    ends = "the 95% interval of the mean" if band == "mean" else "the middle 95% of the draws"
    words = f"Points: means of {counted(curves.repeats, 'draw')}; bands: {ends}."
    if not any(row["draws"] for row in rows):
        words = "There are no points: in no draw has it a value, as where all models tie."
    return marks_frame([*rows, *axes, title(curves.head), note(words)], COLUMNS)


def _of_moves(found: OmittedScores | TaskSubsets, statistic: str | None) -> _Curves:
    """Return the curves of rankings of changed tables."""
    chosen = one_of("statistic", "tau_b" if statistic is None else statistic, STATISTICS)
    if isinstance(found, OmittedScores):
        head = f"What remains of a ranking when scores are missing ({found.total:,} scores)"
        axis = "share of the scores missing"
    else:
        how = "added one by one" if found.experiment == "task_addition" else "drawn at random"
        head, axis = (
            f"What remains of a ranking with fewer tasks ({found.total} tasks, {how})",
            "share of the tasks kept",
        )
    return _Curves(
        draws=found.draws,
        lines=found.rules,
        by="rule",
        setting=next(iter(found.settings)),
        total=found.total,
        statistic=chosen,
        head=head,
        axis=axis,
        repeats=found.repeats,
    )


def _of_manipulation(
    found: Manipulation, statistic: str | None, dispersion: float | None, factor: float | None
) -> _Curves:
    """Return the curves of spoilt tasks in one setting."""
    if statistic not in {None, "error"}:
        raise InputError(f"of manipulation the statistic is 'error'; got {statistic!r}")
    spread = _setting("dispersion", dispersion, found.values("dispersion"))
    scale = _setting("factor", factor, found.values("factor"))
    draws = found.draws
    scaled = "" if scale == 1 else f", {counted(found.rescaled, 'task')} times {scale:g}"
    return _Curves(
        draws=draws[(draws["dispersion"] == spread) & (draws["factor"] == scale)],
        lines=found.rules,
        by="procedure",
        setting="reversed",
        total=found.tasks,
        statistic="error",
        head=f"How wrong a ranking is when tasks are reversed (dispersion {spread:g}{scaled})",
        axis=f"share of the {found.tasks} tasks reversed",
        repeats=found.repeats,
    )


def _setting(name: str, given: float | None, known: Sequence[float]) -> float:
    if given is None:
        return known[0]
    if given not in known:
        raise InputError(f"no {name} {given!r}; there are {', '.join(f'{one:g}' for one in known)}")
    return given


def _point(curves: _Curves, own: pd.DataFrame, amount: int, band: Band) -> dict[str, Any]:
    values = own.loc[own[curves.setting] == amount, curves.statistic].dropna().to_numpy(dtype=np.float64)
    least, most = BOUNDS[curves.statistic]
    low, high = (min(max(one, least), most) for one in _band(values, band))
    y = float(values.mean()) if len(values) else float("nan")
    return {"x": amount / curves.total, "amount": amount, "y": y, "low": low, "high": high, "draws": len(values)}


def _band(values: FloatArray, band: Band) -> tuple[float, float]:
    """Return the ends of the normal interval of a mean, or of the middle part of the values."""
    if len(values) < 2:
        return float("nan"), float("nan")
    if band == "draws":
        low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
        return low, high
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * float(values.std(ddof=1)) / len(values) ** 0.5
    return float(values.mean()) - reach, float(values.mean()) + reach


def draw_robustness(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of robustness curves.

    Parameters
    ----------
    marks : DataFrame
        As ``robustness_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    points = of_kind(marks, "point")
    names = dict(zip(points["line"].unique(), short_names(points["line"].unique().tolist()), strict=True))
    widest = max(map(width_of, names.values()))
    with canvas(ax, size=(6.6 + 0.085 * widest, max(4.2, 1.6 + 0.22 * len(names))), theme=theme) as (axes, look):
        for line, own in points.groupby("line", sort=False):
            _draw_line(axes, own, names[line], look)
        measured = of_kind(marks, "axis").set_index("line")["label"]
        axes.set_ylabel(str(measured["y"]))
        if points["y"].isna().all():
            axes.set_xlim(0, 1)
            axes.set_ylim(0, 1)
        ticks = axes.get_xticks()
        low, high = axes.get_xlim()
        axes.set_xticks(ticks, [f"{100 * tick:g}%" for tick in ticks])
        axes.set_xlim(low, high)
        axes.grid(visible=True)
        axes.set_axisbelow(True)
        key_beside(axes, handlelength=3.2)
        headline(axes, marks, xlabel=str(measured["x"]))
    return axes


def _draw_line(ax: Axes, own: pd.DataFrame, name: str, look: Theme) -> None:
    """Draw the line of a rule in its colour, line style and marker, and its band."""
    number = int(own["number"].iloc[0])
    colour = look.series[number % len(look.series)]
    x, y, low, high = (own[one].to_numpy(dtype=np.float64) for one in ("x", "y", "low", "high"))
    ax.fill_between(x, low, high, color=colour, alpha=0.16, linewidth=0)
    ax.plot(
        x, y, label=name, color=colour, linestyle=LINES[number % len(LINES)], linewidth=1.6,
        marker=MARKERS[number % len(MARKERS)], markersize=5,
    )  # fmt: skip
