"""Verdicts as bars: which models can win head-to-head, on what share of weightings, and how much weight would move."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

import pandas as pd

from weightlab._text import counted, percent
from weightlab.lp import Prospects, Scenario, Verdict, WinningShares, winning_shares
from weightlab.plots.canvas import Axes, canvas
from weightlab.plots.marks import ensure_most, headline, marks_frame, name_rows, note, of_kind, shares_along, title

COLUMNS = ["name", "role", "y", "share", "move"]


def verdicts_marks(
    found: Prospects,
    *,
    shares: WinningShares | None = None,
    nearest: Mapping[str, Scenario | None] | None = None,
    most: int = 20,
) -> pd.DataFrame:
    """Return the bars of a picture of verdicts: models that can win head-to-head first, the largest share on top.

    Parameters
    ----------
    found : Prospects
        What `lp.prospects` returned.
    shares : WinningShares, optional
        Of the same table; by default they are estimated from 10,000 weightings, seed 0.
    nearest : mapping from str to Scenario or None, optional
        The winning weights nearest to today's by model, for the share of the weight that would move; without them it
        is not told.
    most : int
        Largest number of models shown.

    Returns
    -------
    DataFrame
        ``mark`` is ``"bar"``, ``"title"`` or ``"note"``. Bars: ``name``, ``role`` (``"wins"`` or ``"ties"``), ``y``
        (place from 0, downwards), ``share`` of the weightings, ``move`` (share of the weight, exact; missing where it
        is not told) and ``label``.

    Raises
    ------
    InputError
        If ``most`` is not positive.
    """
    ensure_most(most)
    told = shares or winning_shares(found.leads, rule=found.rule, space=found.space, known=found, rng=0)
    roles = {Verdict.STRICT: "wins", Verdict.WEAK: "ties"}
    able = [str(one) for one in told.summary().index if found.verdicts[one] in roles]
    able.sort(key=lambda model: found.verdicts[model] is Verdict.WEAK)
    drawn = {str(model): float(share) for model, share in told.shares["share"].items()}
    rows = [
        {
            "mark": "bar",
            "name": model,
            "role": roles[found.verdicts[model]],
            "y": place,
            "share": drawn[model],
            "move": one.value / 2 if (one := (nearest or {}).get(model)) else None,
        }
        for place, model in enumerate(able[:most])
    ]
    most_drawn = told.shares["high"].to_dict()
    labelled = [{**row, "label": _label(row, most_drawn[row["name"]])} for row in rows]
    never = len(found.with_verdict(Verdict.NEVER))
    notes = [f"{found.by_rule}, {counted(never, 'model')} of {len(found):,} can never win."] if never else []
    notes += (
        [f"{found.by_rule}, {counted(len(able) - most, 'more model')} can win or tie at best."]
        if len(able) > most
        else []
    )
    notes += [f"Shares estimated from {told.draws}."] if told.believed else []
    which = "allowed weightings" if found.space.conditions else "all weightings"
    return marks_frame(
        [*labelled, title(f"Who can win {found.rule.by}, and across what share of {which}"), note(" ".join(notes))],
        COLUMNS,
    )


def _label(row: Mapping[str, Any], high: float) -> str:
    share = percent(row["share"]) if row["share"] else f"below {percent(Fraction(high), ceil)}"
    share = "ties at best" if row["role"] == "ties" else share
    if row["move"] is None:
        return share
    return f"{share}; today's weights" if not row["move"] else f"{share}; {percent(row['move'])} of the weight to move"


def draw_verdicts(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of verdicts.

    Parameters
    ----------
    marks : DataFrame
        As ``verdicts_marks`` returns them.
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
        y, share = bars["y"].to_numpy(dtype=float), bars["share"].to_numpy(dtype=float)
        axes.barh(y, share, height=0.62, color=look.colour("first"))
        ties = (bars["role"] == "ties").to_numpy()
        axes.scatter(share[ties], y[ties], s=18, marker="D", c=look.paper, edgecolors=look.ink, clip_on=False, zorder=4)
        end = max([0.01, *share])
        shares_along(axes, 0, end, room=0)
        inks = [look.ink if one else look.faint for one in share]
        name_rows(axes, bars["name"].tolist(), bars["label"].tolist(), inks)
        headline(axes, marks, xlabel="share of weightings")
    return axes
