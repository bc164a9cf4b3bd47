"""How far rules agree: a heat map of the correlations of their rankings."""

from __future__ import annotations

from typing import Any

import pandas as pd

from weightlab._text import counted
from weightlab.plots.canvas import Axes, canvas, width_of
from weightlab.plots.heat_map import draw_heat
from weightlab.plots.marks import headline, marks_frame, named, note, of_kind, title
from weightlab.studies import Agreement
from weightlab.studies.rules.agreement import Statistic

WORDS = {"tau_b": "Kendall's tau-b", "rho": "Spearman's rho", "overlap": "rank-biased overlap"}
"""What each statistic is called."""
CELL = 0.4
"""Inches of a side of a cell."""
MINUS, DASH = "\u2212", "\u2013"
COLUMNS = ["rule", "other", "x", "y", "shade", "role"]


def agreement_marks(found: Agreement, *, statistic: Statistic = "tau_b") -> pd.DataFrame:
    """Return the marks of a heat map of agreement: a cell for each ordered pair of rules, in the given order.

    Parameters
    ----------
    found : Agreement
        What ``studies.agreement`` returned.
    statistic : {"tau_b", "rho", "overlap"}
        What is measured.

    Returns
    -------
    DataFrame
        ``mark`` is ``"cell"``, ``"rule"``, ``"axis"`` (``label`` is the measure), ``"title"`` or ``"note"``.
        Cells: ``rule`` (the row), ``other`` (the column), ``x`` and ``y`` (places from 0; y runs downwards), ``shade``
        (the value; NaN if missing), ``role`` (``"value"``, ``"none"``, and ``"self"`` on the diagonal) and
        ``label``, the value with two decimals. Rules: ``rule``, ``y`` and ``label``, the name as it is shown.

    Raises
    ------
    InputError
        If there is no such statistic.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 1}, "y": {"a": 1, "b": 5, "c": 2}})
    >>> marks = wl.plots.agreement_marks(wl.studies.agreement(board, ["mean", "plurality"]))
    >>> marks.loc[marks.role == "value", ["rule", "other", "label"]].values.tolist()
    [['mean', 'plurality', '0.82'], ['plurality', 'mean', '0.82']]
    """
    matrix = found.matrix(statistic)
    rules, values = [str(rule) for rule in matrix.index], matrix.to_numpy()
    cells = [
        _cell(rule, other, x, y, float(values[y, x])) for y, rule in enumerate(rules) for x, other in enumerate(rules)
    ]
    models = counted(len(found.answers.board.models), "model")
    words = [
        {"mark": "axis", "label": WORDS[statistic]},
        title(f"How far {counted(len(rules), 'rule')} agree on {models}: {WORDS[statistic]}"),
        note(f"1 is the same order; of correlations, 0 is no relation and {MINUS}1 the reverse order."),
    ]
    if any(one["role"] == "none" for one in cells):
        words.append(note("A dash: no value, as where a rule ties all models."))
    if found.left_out:
        words.append(note(f"Without an answer here: {', '.join(found.left_out)}."))
    return marks_frame([*cells, *named("rule", "rule", rules), *words], COLUMNS)


def draw_agreement(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a heat map of agreement.

    Parameters
    ----------
    marks : DataFrame
        As ``agreement_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    names = of_kind(marks, "rule")["label"].tolist()
    side, beside = CELL * len(names), 0.075 * max(map(width_of, names))
    of = " ".join(of_kind(marks, "axis")["label"])
    scale = {step / 2: f"{step / 2:g}".replace("-", MINUS) for step in range(-2, 3)}
    size = (max(5.8, side + beside + 1.4), max(3, side + beside + 1.4))
    with canvas(ax, size=size, theme=theme, fixed=True) as (axes, look):
        draw_heat(axes, of_kind(marks, "cell"), names, look, cell=CELL, scale=scale, of=of)
        headline(axes, marks)
    return axes


def _cell(rule: str, other: str, x: int, y: int, value: float) -> dict[str, Any]:
    """Return a cell; empty for a rule with itself."""
    own, known = x == y, value == value  # noqa: PLR0124 - only NaN differs from itself
    return {
        "mark": "cell",
        "rule": rule,
        "other": other,
        "x": x,
        "y": y,
        "shade": float("nan") if own else value,
        "role": "self" if own else "value" if known else "none",
        "label": "" if own else f"{value:.2f}".replace("-", MINUS) if known else DASH,
    }
