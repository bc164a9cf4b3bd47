"""Where two rules disagree: the models of these pairs, by the one on the left and by the other on the right."""

from __future__ import annotations

import pandas as pd

from weightlab._text import counted, percent
from weightlab.plots.canvas import Axes, shown
from weightlab.plots.marks import first_models, note, title
from weightlab.plots.ranks.ranks_by_rule import chart_marks, draw_chart
from weightlab.studies import Disagreement


def disagreement_marks(found: Disagreement, *, most: int | None = 30) -> pd.DataFrame:
    """Return the marks of a chart of two rankings: lines cross where the rules disagree.

    Parameters
    ----------
    found : Disagreement
        What ``studies.disagreement`` returned.
    most : int, optional
        Number of models in disputed pairs shown, from the first by the first rule; omissions are named.
        None shows all.

    Returns
    -------
    DataFrame
        The marks of a chart as ``ranks_marks`` returns them: a column for each of the two rules, a line for each model
        of a disputed pair, or for each model at all where no pair is disputed.

    Raises
    ------
    InputError
        If ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 4}, "y": {"a": 1, "b": 3}, "z": {"a": 1, "b": 2}})
    >>> marks = wl.plots.disagreement_marks(wl.studies.disagreement(board, "mean", "borda"))
    >>> marks.loc[marks.mark == "point", ["column", "model", "rank"]].values.tolist()
    [['mean', 'a', 1.0], ['mean', 'b', 2.0], ['borda', 'b', 1.0], ['borda', 'a', 2.0]]
    """
    orders = found.answers.orders
    first, second = found.rules
    touched = {model for pair in found.disputed for model in pair}
    places = {model: place for place, group in enumerate(orders[second]) for model in group}
    # Models that the first rule ties stand as by the second: lines cross where the rules contradict each other, only.
    ordered = [model for group in orders[first] for model in sorted(group, key=places.__getitem__)]
    listed = [model for model in ordered if not touched or model in touched]
    kept = first_models(listed, most)
    pairs = len(found.answers.board.models) * (len(found.answers.board.models) - 1) // 2
    words = [
        title(f"{first} and {second} disagree on {len(found.disputed) or 'none'} of {counted(pairs, 'pair')} of models")
    ]
    if touched:
        unseen = len(found.answers.board.models) - len(touched)
        rest = f" {counted(unseen, 'model')} in none are not shown." if unseen else ""
        words.append(note(f"Lines that cross are such a pair.{rest}"))
    if len(kept) < len(listed):
        words.append(note(f"Shown are the first {len(kept)} of {len(listed)} by {shown(first)}."))
    known = {pair: one for pair, one in zip(found.disputed, found.changes.tolist(), strict=True) if one is not None}
    if known:
        upper, lower = min(known, key=known.__getitem__)
        least = percent(known[upper, lower] / (2 if found.norm == "l1" else 1))
        moves = f"If {least} of the weight moves" if found.norm == "l1" else f"If weights change by {least} or more"
        words.append(note(f"{moves}, both can agree on {shown(upper)} and {shown(lower)}."))
    return chart_marks(orders, kept, words)


def draw_disagreement(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a chart of two rankings.

    Parameters
    ----------
    marks : DataFrame
        As ``disagreement_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    return draw_chart(marks, ax=ax, theme=theme)
