"""Ranks by rule: a column for each rule, a line for each model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._text import counted
from weightlab.data import Order
from weightlab.exceptions import UnknownNameError
from weightlab.plots.canvas import LINES, Axes, Theme, canvas, short_names, turned, width_of
from weightlab.plots.marks import first_models, headline, marks_frame, named, note, rows_of, title
from weightlab.rules import Comparison, compare
from weightlab.rules.inputs import Source
from weightlab.rules.registry import RuleLike

COLOURED = 6
"""Number of models with their own colour; the others are grey, with names at both ends."""
ROW, COLUMN = 0.31, 0.62
"""Inches between rows and between columns."""
COLUMNS = ["model", "column", "x", "y", "to_y", "rank", "tied", "series"]


def ranks_marks(
    source: Comparison | Source,
    *,
    rules: Iterable[RuleLike] | None = None,
    most: int | None = 20,
    time_limit: float | None = 10,
) -> pd.DataFrame:
    """Return the marks of a bump chart: the rank of each model by each rule.

    Parameters
    ----------
    source : Comparison, Leaderboard, Profile or Margins
        Rules side by side, or what they are to read.
    rules : iterable of str or Rule, optional
        Which rules, in this order: all of the comparison, or all that have an answer.
    most : int, optional
        Number of models shown, those best on average; the title names omissions. None shows all.
    time_limit : float, optional
        Seconds for each solution of a rule that is NP-hard, where the rules are still to be asked.

    Returns
    -------
    DataFrame
        ``mark`` is ``"point"``, ``"tie"``, ``"model"``, ``"column"``, ``"title"`` or ``"note"``. Points: ``model``,
        ``column`` (the rule), ``x`` and ``y`` (places from 0; y downwards among the models shown), ``rank`` (from 1
        among all models; models that tie share the least), ``tied`` (how many share it), ``series`` (from 0 for the
        models with a colour of their own, -1 for the others), ``label`` (the rank). Ties: ``column``, ``x`` and the
        rows ``y`` to ``to_y`` that stand for one rank. Models: ``model``, ``series``, ``label``, and their rows ``y``
        in the first and ``to_y`` in the last column. Columns: ``column``, ``x``, ``label``.

    Raises
    ------
    InputError
        If no rule has an answer, or ``most`` is not positive.
    UnknownNameError
        If the comparison has no such rule.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 1}, "y": {"a": 1, "b": 5, "c": 2}})
    >>> marks = wl.plots.ranks_marks(board, rules=["mean", "plurality"])
    >>> marks.loc[marks.mark == "point", ["column", "model", "rank"]].values.tolist()[3:]
    [['plurality', 'b', 1.0], ['plurality', 'a', 1.0], ['plurality', 'c', 3.0]]
    """
    if isinstance(source, Comparison):
        comparison = source if rules is None else _chosen(source, rules)
    else:
        comparison = compare(source, rules, time_limit=time_limit)
    mean = comparison.ranks.mean(axis=1).sort_values(kind="stable")
    kept = first_models([str(model) for model in mean.index], most)
    there = len(comparison.models)
    of = f"{len(kept)} of {there} models, those of least mean rank" if len(kept) < there else counted(there, "model")
    words = [title(f"Ranks by {counted(len(comparison.rules), 'rule')}: {of}")]
    if len(kept) < there:
        words.append(note(f"The numbers are ranks among all {there} models."))
    if comparison.left_out:
        words.append(note(f"Without an answer here: {', '.join(comparison.left_out)}."))
    return chart_marks({name: one.places for name, one in comparison.rankings.items()}, kept, words)


def draw_ranks(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a bump chart.

    Parameters
    ----------
    marks : DataFrame
        As ``ranks_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    return draw_chart(marks, ax=ax, theme=theme)


def chart_marks(orders: Mapping[str, Order], models: Sequence[str], words: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Return the marks of some models in some orders, column by column; ties stand below each other and share a rank.

    Tied models keep the order that they have in the column before, so that lines cross only where ranks do.
    """
    series = _series(orders, models)
    above = {model: place for place, model in enumerate(models)}
    points: list[dict[str, Any]] = []
    ties: list[dict[str, Any]] = []
    first = last = above
    for x, (column, order) in enumerate(orders.items()):
        rows: dict[str, int] = {}
        for rank, group in _ranked(order):
            shown = sorted((model for model in group if model in above), key=above.__getitem__)
            if len(shown) > 1:
                ties.append(
                    {"mark": "tie", "column": column, "x": x, "y": len(rows), "to_y": len(rows) + len(shown) - 1}
                )
            for model in shown:
                rows[model] = len(rows)
                points.append({
                    "mark": "point", "model": model, "column": column, "x": x, "y": rows[model], "rank": rank,
                    "tied": len(group), "series": series[model], "label": str(rank),
                })  # fmt: skip
        above = last = rows
        first = rows if x == 0 else first
    ends = [
        {"mark": "model", "model": model, "y": first[model], "to_y": last[model], "series": series[model],
         "label": label}
        for model, label in zip(models, short_names(models), strict=True)
    ]  # fmt: skip
    headed = named("column", "column", list(orders), along="x")
    return marks_frame([*ties, *points, *ends, *headed, *words], COLUMNS)


def draw_chart(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw columns of ranks with a line for each model."""
    models, columns = rows_of(marks, "model"), rows_of(marks, "column")
    names = max([0, *(width_of(one.label) for one in models)]) * 0.075
    heads = max([0, *(width_of(one.label) for one in columns)]) * 0.075
    size = (2 * names + COLUMN * len(columns) + 0.6, heads + ROW * len(models) + 1.0)
    with canvas(ax, size=(max(4.2, size[0]), size[1]), theme=theme, fixed=True) as (axes, look):
        for tie in rows_of(marks, "tie"):
            _draw_tie(axes, tie, look)
        points = rows_of(marks, "point")
        # Grey lines first, so that the coloured ones stay in sight.
        for model in sorted(models, key=lambda one: one.series, reverse=True):
            _draw_line(axes, [one for one in points if one.model == model.model], int(model.series), look)
        _draw_points(axes, points, look)
        _write_names(axes, models, columns, look)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(models) - 0.4, -0.6)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        headline(axes, marks)
    return axes


def _chosen(comparison: Comparison, rules: Iterable[RuleLike]) -> Comparison:
    """Return a comparison of only some of its rules."""
    names = [str(one) for one in rules]
    for name in names:
        if name not in comparison.rankings:
            raise UnknownNameError("rule", name, comparison.rules, holder="comparison")
    chosen = {name: comparison.rankings[name] for name in names}
    return Comparison(rankings=chosen, source=comparison.source)


def _ranked(order: Order) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each group of tied models with the rank that they share."""
    rank = 1
    for group in order:
        yield rank, group
        rank += len(group)


def _series(orders: Mapping[str, Order], models: Sequence[str]) -> dict[str, int]:
    """Return which models have a colour: those that come first most often (shared firsts in part), then as listed."""
    firsts = dict.fromkeys(models, Fraction(0))
    for order in orders.values():
        for model in order[0]:
            if model in firsts:
                firsts[model] += Fraction(1, len(order[0]))
    coloured = sorted(models, key=lambda model: -firsts[model])[:COLOURED]
    return {model: coloured.index(model) if model in coloured else -1 for model in models}


def _colour(series: int, look: Theme) -> str:
    return look.colour("other") if series < 0 else look.series[series % len(look.series)]


def _draw_tie(ax: Axes, tie: Any, look: Theme) -> None:
    ax.plot(
        [tie.x, tie.x], [tie.y, tie.to_y], color=look.colour("grid"), linewidth=21, solid_capstyle="round", zorder=0.5
    )


def _draw_line(ax: Axes, points: Sequence[Any], series: int, look: Theme) -> None:
    ax.plot(
        [one.x for one in points],
        [one.y for one in points],
        color=_colour(series, look),
        linewidth=1.2 if series < 0 else 2.2,
        linestyle="-" if series < 0 else LINES[series % len(LINES)],
        zorder=1 if series < 0 else 2,
    )


def _draw_points(ax: Axes, points: Sequence[Any], look: Theme) -> None:
    """Draw all points as one set of marks, and the ranks on them: outside the layout, which measures every text."""
    colours = [_colour(int(one.series), look) for one in points]
    faces = [look.paper if one.series < 0 else colour for one, colour in zip(points, colours, strict=True)]
    xs, ys = [one.x for one in points], [one.y for one in points]
    ax.scatter(xs, ys, s=15**2, c=faces, edgecolors=colours, linewidths=1, zorder=3)
    for one, face in zip(points, faces, strict=True):
        ax.text(
            one.x, one.y, one.label, ha="center", va="center_baseline", fontsize="small", color=look.text_on(face),
            zorder=4, in_layout=False,
        )  # fmt: skip


def _write_names(ax: Axes, models: Sequence[Any], columns: Sequence[Any], look: Theme) -> None:
    """Name each model where its line begins and where it ends, in its colour, and each column above it."""
    heads = [one.label for one in columns]
    ax.set_xticks([one.x for one in columns], heads, rotation=turned(heads, COLUMN))
    ax.xaxis.tick_top()
    ax.set_yticks([])
    ax.xaxis.set_label_position("bottom")
    last = len(columns) - 1
    for model in models:
        weight = "normal" if model.series < 0 else "bold"
        for x, y, side in ((-0.4, model.y, "right"), (last + 0.4, model.to_y, "left")):
            ax.text(x, y, model.label, ha=side, va="center", fontsize=8.5, fontweight=weight, color=look.ink)
