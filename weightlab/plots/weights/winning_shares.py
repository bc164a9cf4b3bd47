"""Winning shares as bars: under which share of all weightings each model wins, and none does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from weightlab._result import Proof
from weightlab.lp import WinningShares
from weightlab.plots.canvas import Axes, Theme, canvas
from weightlab.plots.marks import ensure_most, headline, marks_frame, name_rows, note, of_kind, shares_along, title

NOBODY = "no winner"
ALIKE = 6
"""Bars for models that cannot win, and for those that can but did not; one row counts the rest."""
COLUMNS = ["name", "role", "y", "share", "low", "high", "exact"]


def winning_shares_marks(found: WinningShares, *, most: int | None = None) -> pd.DataFrame:
    """Return the bars of a picture of winning shares, largest share first.

    Parameters
    ----------
    found : WinningShares
        What `lp.winning_shares` returned.
    most : int, optional
        Number of models that can win head-to-head shown; one row counts the others [default: all].

    Returns
    -------
    DataFrame
        ``mark`` is ``"bar"``, ``"title"`` or ``"note"``. Bars: ``y`` (place from 0, downwards), ``name`` (the model,
        ``"no winner"``, or how many others), ``role`` (``"model"``; ``"rare"`` of those that can win head-to-head, but
        did under none of the weightings drawn; ``"never"`` of those that cannot; ``"rest"`` of models left out;
        ``"none"`` of the weightings without a winner), ``share`` with the ends ``low`` and
        ``high`` of its 95% interval, ``exact`` (whether the share is proved, so that there is no interval) and
        ``label``, the share in words.

    Raises
    ------
    InputError
        If ``most`` is not positive.
    """
    ensure_most(most)
    exact = found.proof is Proof.EXACT
    bars = [
        {"mark": "bar", "name": str(model), "share": share, "low": low, "high": high, "exact": exact or not positive}
        for model, share, low, high, positive in found.summary().itertuples()
    ]
    won = [{**one, "role": "model"} for one in bars if one["share"]]
    rare = [{**one, "role": "rare"} for one in bars if not one["share"] and not one["exact"]]
    never = [{**one, "role": "never"} for one in bars if not one["share"] and one["exact"]]
    sure = exact or not found.positive.any()
    no_winner: dict[str, Any] = {
        "mark": "bar",
        "name": NOBODY,
        "role": "none",
        **{str(part): value for part, value in found.no_winner.items()},
        "exact": sure,
    }
    rows = [*_first(won, most), *_together(rare, "models that can win"), *_together(never, "models that cannot win")]
    placed = [{"label": _label(one), **one, "y": place} for place, one in enumerate([*rows, no_winner])]
    return marks_frame([*placed, *_words(found)], COLUMNS)


def _first(won: list[dict[str, Any]], most: int | None) -> list[dict[str, Any]]:
    """Return the first bars, and one for the sum of the others."""
    if most is None or len(won) <= most:
        return won
    share = sum(one["share"] for one in won[most:])
    rest = {"name": f"{len(won) - most} models more", "role": "rest", "share": share, "low": share, "high": share}
    return [*won[:most], {**won[most], **rest, "label": f"{_per_cent(share)} together"}]


def _together(alike: list[dict[str, Any]], words: str) -> list[dict[str, Any]]:
    """Return the bars, or one for all of them where they are many: all have the same share."""
    if len(alike) <= ALIKE:
        return alike
    label = f"each {_label(alike[0])}"
    return [{**alike[0], "name": f"{len(alike)} {words}", "label": label}]


def _label(one: Mapping[str, Any]) -> str:
    """Return a share in words that say what is proved."""
    share, low, high = (_per_cent(one[name]) for name in ("share", "low", "high"))
    if one["exact"]:
        return f"exactly {share}"
    return f"above 0, at most {high}" if one["role"] == "rare" else f"{share} ({low} to {high})"


def _per_cent(share: float) -> str:
    """Return a share in per cent, none but 0 as 0 and none but 1 as 100."""
    for places in (1, 2, 3):
        text = f"{100 * share:.{places}f}"
        if (float(text) > 0 or not share) and (float(text) < 100 or share == 1):
            return f"{float(text):g}%" if float(text) in {0, 100} else f"{text}%"
    return "below 0.001%" if share < 0.5 else "above 99.999%"


def _words(found: WinningShares) -> list[dict[str, Any]]:
    which = "allowed weightings" if found.space.conditions else "all weightings"
    head = title(f"How often each of {len(found.models)} models wins {found.rule.by}, across {which}")
    if found.proof is Proof.EXACT:
        return [head]
    sampled = f"Estimated from {found.draws}; whiskers are 95% intervals. What is exact, or above 0, is proved."
    return [head, note(sampled)]


def draw_winning_shares(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of winning shares.

    Parameters
    ----------
    marks : DataFrame
        As ``winning_shares_marks`` returns them.
    ax : matplotlib Axes, optional
        Where to draw; new axes by default.
    theme : {"light", "dark"}
        The colours.

    Returns
    -------
    matplotlib Axes
    """
    bars = of_kind(marks, "bar")
    with canvas(ax, size=(8, 1.9 + 0.24 * len(bars)), theme=theme) as (axes, look):
        _draw_bars(axes, bars, look)
        end = max(1e-6, float(bars["high"].astype(float).max()))
        shares_along(axes, 0, end, room=0)
        inks = [look.ink if high else look.faint for high in bars["high"]]
        name_rows(axes, bars["name"].tolist(), bars["label"].tolist(), inks)
        headline(axes, marks, xlabel="share of weightings")
    return axes


def _draw_bars(ax: Axes, bars: pd.DataFrame, look: Theme) -> None:
    """Draw the bars with their intervals and labels; that of no winner is hatched."""
    y, share, low, high = (bars[one].to_numpy(dtype=np.float64) for one in ("y", "share", "low", "high"))
    no_winner = (bars["role"] == "none").to_numpy()
    plain = [look.colour("other" if role == "rest" else "first") for role in bars["role"][~no_winner]]
    ax.barh(y[~no_winner], share[~no_winner], height=0.62, color=plain)
    other = look.colour("other")
    ax.barh(y[no_winner], share[no_winner], height=0.62, color=look.paper, edgecolor=other, linewidth=1, hatch="////")
    ranged = low < high
    ends = [(share - low).clip(0), (high - share).clip(0)]
    ax.errorbar(
        share[ranged], y[ranged], xerr=[one[ranged] for one in ends], fmt="none", ecolor=look.ink, elinewidth=1.2,
        capsize=3, zorder=3,
    )  # fmt: skip
    zero = bars["exact"].astype(bool).to_numpy() & (share == 0)
    ax.scatter(share[zero], y[zero], s=18, marker="D", c=look.paper, edgecolors=look.ink, clip_on=False, zorder=4)
