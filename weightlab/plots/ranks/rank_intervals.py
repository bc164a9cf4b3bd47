"""Ranks with their intervals: whether an order is real, or an accident of the tasks that were chosen."""

from __future__ import annotations

import numpy as np
import pandas as pd

from weightlab._text import level_text
from weightlab.plots.canvas import Axes, Theme, canvas, is_narrow
from weightlab.plots.marks import first_models, headline, marks_frame, name_rows, note, of_kind, title
from weightlab.studies import Bootstrap, RankSets
from weightlab.studies.confidence.letters import READABLE

COLUMNS = ["name", "role", "y", "rank", "low", "high", "wins"]


def rank_intervals_marks(found: Bootstrap | RankSets, *, most: int | None = 60) -> pd.DataFrame:
    """Return the ranks and intervals of a picture of joint rank sets, or of a bootstrap, best model first.

    Parameters
    ----------
    found : RankSets or Bootstrap
        What `studies.rank_sets` or `studies.bootstrap` returned: joint or marginal intervals.
    most : int, optional
        Number of models shown; None shows all.

    Returns
    -------
    DataFrame
        ``mark`` is ``"model"``, ``"gap"``, ``"title"`` or ``"note"``. Models: ``name``, ``y`` (place from 0,
        downwards), ``rank`` (on the table itself), ``low`` and ``high`` (its joint rank set, or the percentile interval
        of its ranks), ``wins`` (of a bootstrap the share of draws won, in equal parts where several win), ``role``
        (``"contender"`` of those that may be first, else ``"other"``) and ``label`` (letters, or how often it wins). A
        gap, at ``y`` between two neighbours, says that they are separated, or that the draws keep them in order.

    Raises
    ------
    InputError
        If ``most`` is not positive.
    """
    whole, kept = _of_sets(found) if isinstance(found, RankSets) else _of_draws(found)
    contenders = set(found.contenders)
    table = whole.loc[first_models(list(whole.index), most)]
    rows = [
        {
            "mark": "model",
            "name": str(model),
            "role": "contender" if model in contenders else "other",
            "y": place,
            **{name: int(row[name]) for name in ("rank", "low", "high")},
            "wins": float(row["wins"]),
            "label": row["label"],
        }
        for place, (model, row) in enumerate(table.iterrows())
    ]
    gaps = [{"mark": "gap", "y": place + 0.5} for place, one in enumerate(kept[: len(rows) - 1]) if one]
    words = _words_of_sets(found) if isinstance(found, RankSets) else _words_of_draws(found)
    counts = f" ({sum(map(bool, kept))} of {len(kept)} adjacent pairs). "
    cut = f" Shown are the first {len(rows)} of {len(whole)} models." if len(rows) < len(whole) else ""
    return marks_frame([*rows, *gaps, title(words[0]), note(f"{words[1]}{counts}{words[2]}{cut}")], COLUMNS)


def _of_sets(found: RankSets) -> tuple[pd.DataFrame, list[bool]]:
    order, letters = found.order, found.classes
    if letters.str.len().max() > READABLE:
        letters = letters.str.slice(stop=0)
    table = found.ranks.assign(rank=range(1, len(order) + 1), wins=0.0, label=letters)
    ordered = found.above.loc[list(order), list(order)].to_numpy()
    return table, np.diagonal(ordered, 1).tolist()


def _of_draws(found: Bootstrap) -> tuple[pd.DataFrame, list[bool]]:
    table = found.intervals()
    return table.assign(label=table["wins"].map(_wins)), found.adjacent()["separable"].tolist()


def _wins(share: float) -> str:
    if not share:
        return ""
    text = f"{100 * share:.0f}%"
    return "first in under 1%" if text == "0%" else f"first in {text}"


def _words_of_sets(found: RankSets) -> tuple[str, str, str]:
    shared = "Models that share a letter are not separated. " * bool(found.classes.str.len().max() <= READABLE)
    bars = (
        f"Dots: the order by the mean difference from the others; bars: ranks at {level_text(found.level)} for all "
        f"models together. {shared}A line between two models: these are separated"
    )
    return f"Joint rank intervals ({found.question.name})", bars, "Filled dots: models with none separated above them."


def _words_of_draws(found: Bootstrap) -> tuple[str, str, str]:
    drawn = found.repeats - found.without_answer
    how = f", {found.how.replace('_', ' ')}" if found.over == "instances" and found.how != "means" else ""
    bars = (
        f"Dots: ranks on the table itself; bars: {level_text(found.level)} of {drawn} resamples of the "
        f"{found.over}{how}, each model by itself. A line between two models: the resamples keep their order"
    )
    first = "Filled dots: models that too few resamples put below the first."
    return f"Rank intervals, each by itself ({found.question.name})", bars, first


def draw_rank_intervals(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of ranks with their intervals.

    Parameters
    ----------
    marks : DataFrame
        As ``rank_intervals_marks`` returns them.
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
    with canvas(ax, size=(8, 2.0 + (0.24 if count <= 40 else 0.19) * count), theme=theme) as (axes, look):
        _draw_models(axes, models, look)
        for y in of_kind(marks, "gap")["y"]:
            axes.axhline(y, color=look.faint, linewidth=0.8, zorder=1)
        name_rows(axes, models["name"].tolist(), models["label"].tolist(), grid="x")
        last = max(count, int(models["high"].max()))
        axes.set_xlim(0.5, last + 0.5)
        step = max(1, -(-last // (4 if is_narrow(axes) else 12)))
        axes.set_xticks([1, *range(step, last + 1, step)] if step > 1 else range(1, last + 1))
        headline(axes, marks, xlabel="rank")
    return axes


def _draw_models(ax: Axes, models: pd.DataFrame, look: Theme) -> None:
    """Draw the intervals of the models' ranks, their ranks, and how often they win."""
    y, rank, low, high = (models[one].to_numpy(dtype=np.float64) for one in ("y", "rank", "low", "high"))
    first = [role == "contender" for role in models["role"]]
    colours = [look.colour("first" if one else "other") for one in first]
    ax.hlines(y, low, high, color=colours, linewidth=5, alpha=0.45, zorder=2)
    for ends in (low, high):
        ax.scatter(ends, y, s=60, marker="|", c=colours, zorder=2)
    inside = [colour if one else look.paper for colour, one in zip(colours, first, strict=True)]
    ax.scatter(rank, y, s=32, c=inside, edgecolors=colours, zorder=3)
