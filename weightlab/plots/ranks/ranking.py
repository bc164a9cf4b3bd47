"""A ranking by one rule: ranks, and the scores behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import as_float
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError
from weightlab.plots.canvas import Axes, Theme, canvas
from weightlab.plots.marks import (
    first_models,
    first_of,
    headline,
    label_rows,
    marks_frame,
    name_rows,
    note,
    of_kind,
    title,
)
from weightlab.rules import Ranking, TwoStepRanking
from weightlab.rules.ranking import score_texts

COLUMNS = ["model", "role", "y", "rank", "tied", "score"]


def ranking_marks(found: Ranking | TwoStepRanking, *, most: int | None = 60) -> pd.DataFrame:
    """Return the scores of a picture of a ranking, best model first.

    Parameters
    ----------
    found : Ranking or TwoStepRanking
        What `rules.rank`, `rules.grouped` or `rules.two_step` returned; of two steps the last is drawn.
    most : int, optional
        Number of models shown; the title names omissions. None shows all.

    Returns
    -------
    DataFrame
        ``mark`` is ``"model"``, ``"axis"`` (``label`` is the unit of the scores), ``"title"`` or ``"note"``. Models:
        ``model``, ``y`` (place from 0, downwards), ``rank`` (from 1; models that tie share the least), ``tied`` (how
        many share it), ``score`` (as a float), ``role`` (``"winner"`` or ``"other"``) and ``label``, the score.

    Raises
    ------
    InputError
        If a score is beyond every float, or ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 1}, "y": {"a": 1, "b": 5, "c": 2}})
    >>> marks = wl.plots.ranking_marks(wl.rules.rank(board, "borda"))
    >>> marks.loc[marks.mark == "model", ["model", "rank", "label"]].values.tolist()
    [['b', 1.0, '3'], ['a', 2.0, '2'], ['c', 3.0, '1']]
    """
    final = found.final if isinstance(found, TwoStepRanking) else found
    scores = final.scores.map(as_float)
    if not np.isfinite(scores).all():
        raise InputError(f"the scores {rule_words(final.rule)} are beyond every float: they cannot be drawn")
    sizes = {model: len(group) for group in final.places for model in group}
    ranks, winners = final.ranks, set(final.winners)
    said = dict(zip(final.scores.index, score_texts(final.scores.tolist()), strict=True))
    rows = [
        {
            "mark": "model",
            "model": model,
            "role": "winner" if model in winners else "other",
            "y": place,
            "rank": int(ranks[model]),
            "tied": sizes[model],
            "score": float(scores[model]),
            "label": said[model],
        }
        for place, model in enumerate(model for group in final.places for model in group)
    ]
    shown = first_models(rows, most)
    return marks_frame([*shown, *_words(found, final, len(shown))], COLUMNS)


def _words(found: Ranking | TwoStepRanking, final: Ranking, shown: int) -> list[dict[str, Any]]:
    count = len(final.models)
    of = first_of(shown, count, "model")
    steps = f", of the rankings of {len(found.steps)} groups" if isinstance(found, TwoStepRanking) else ""
    words = "On the right: rank and score. Diamonds: who wins."
    if final.optimal is not None and final.optimal.unique is not True:
        words += " Each model at its best rank in any optimal order."
    return [
        {"mark": "axis", "label": final.rule.counts},
        title(f"Ranking {rule_words(final.rule)}{steps}: {of}"),
        note(words if len(final.places) == count else f"{words} Models of one rank tie."),
    ]


def draw_ranking(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a ranking.

    Parameters
    ----------
    marks : DataFrame
        As ``ranking_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    models = of_kind(marks, "model")
    count = len(models)
    with canvas(ax, size=(8, 1.9 + (0.24 if count <= 40 else 0.19) * count), theme=theme) as (axes, look):
        _draw_models(axes, models, look)
        name_rows(axes, models["model"].tolist(), grid="both")
        ranks = [str(int(rank)) for rank in models["rank"]]
        end = label_rows(axes, ranks, [look.faint] * count, right=True)
        label_rows(axes, models["label"].tolist(), away=end + 10, right=True)
        least, most = float(models["score"].min()), float(models["score"].max())
        reach = (most - least) or abs(most) or 1.0
        axes.set_xlim(least - 0.06 * reach, most + 0.06 * reach)
        headline(axes, marks, xlabel=" ".join(of_kind(marks, "axis")["label"]))
    return axes


def _draw_models(ax: Axes, models: pd.DataFrame, look: Theme) -> None:
    """Draw a dot a model, and a line through those that tie."""
    y, score = models["y"].to_numpy(dtype=np.float64), models["score"].to_numpy(dtype=np.float64)
    wins = (models["role"] == "winner").to_numpy()
    ax.scatter(score[~wins], y[~wins], s=26, color=look.colour("first"), zorder=3)
    ax.scatter(score[wins], y[wins], s=64, marker="D", color=look.colour("second"), zorder=3)
    for _, own in models.groupby("rank"):
        if len(own) > 1:
            ax.plot(own["score"].astype(float), own["y"].astype(float), color=look.faint, linewidth=3, zorder=2)
