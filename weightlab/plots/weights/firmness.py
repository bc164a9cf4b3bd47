"""How firm first place is, as bars: what ends it, and what every task or model that is left out changes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._text import counted, first_few
from weightlab.data.linear_rule import rule_words
from weightlab.plots.canvas import Axes, canvas, short_names
from weightlab.plots.marks import ensure_most, headline, marks_frame, name_rows, note, of_kind, title
from weightlab.studies import Card, LeaveOneOut

COLUMNS = ["name", "role", "y", "value"]


def firmness_marks(found: Card | LeaveOneOut, *, most: int = 20) -> pd.DataFrame:
    """Return the bars of a picture of how firm first place is.

    Parameters
    ----------
    found : Card or LeaveOneOut
        What `studies.card` returned: a bar each for the fewest tasks left out, the least weight shifted and the largest
        error in scores, as shares of all tasks, of the weight and of the widest range of scores. What
        `studies.leave_one_out` returned: for each task or model left out the pairs of the best models that swap.
    most : int
        Largest number of bars shown; those that decide who is first come first.

    Returns
    -------
    DataFrame
        ``mark`` is ``"bar"``, ``"axis"`` (what runs along), ``"title"`` or ``"note"``. Bars: ``name``, ``role``
        (``"first"`` of what ends first place, else ``"second"``), ``y`` (place from 0, downwards), ``value`` (exact; 1
        where nothing ends it) and ``label``.

    Raises
    ------
    InputError
        If ``most`` is not positive.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 30, "b": 70}, "y": {"a": 70, "b": 60}, "z": {"a": 90, "b": 20}})
    >>> marks = wl.plots.firmness_marks(wl.studies.leave_one_out(board))
    >>> marks.loc[marks.mark == "bar", ["name", "role", "label"]].values.tolist()
    [['z', 'first', '1 swap; b first'], ['x', 'second', '0 swaps'], ['y', 'second', '0 swaps']]
    """
    ensure_most(most)
    rows, words = _of_card(found) if isinstance(found, Card) else _of_each(found)
    bars = [{"mark": "bar", "y": place, **row} for place, row in enumerate(rows[:most])]
    more = [note(f"{counted(len(rows) - most, 'more bar')} not shown.")] if len(rows) > most else []
    return marks_frame([*bars, *words, *more], COLUMNS)


def _of_card(found: Card) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the three bars of a card, and the words of its picture."""
    scores = found.board.scores
    widest = Fraction(1) if found.unit == "range" else Fraction(float((scores.max() - scores.min()).max()))
    frame = found.to_frame()
    shares: dict[str, tuple[Fraction | int | None, Fraction]]
    shares = {
        "tasks left out": (found.tasks, Fraction(1, len(found.board.tasks))),
        "weight shifted": (found.weight, Fraction(1)),
    }
    if found.error is not None:
        shares["error in scores"] = (found.error, 1 / (widest or Fraction(1)))
    amounts = dict(zip(frame.index, found.amounts, strict=True))
    rows = []
    for name, (amount, unit) in shares.items():
        rival: Any = frame.loc[name, "rival"]
        label = amounts[name] + (f" ({short_names([rival])[0]})" if rival else "")
        value = Fraction(1) if amount is None else min(Fraction(1), amount * unit)
        rows.append({"name": name, "role": "second" if amount is None else "first", "value": value, "label": label})
    who = first_few(short_names(found.winners), 3)
    share = "is first" if len(found.winners) == 1 else "share first place"
    words = [
        title(f"How firm first place is {rule_words(found.rule)}: {who} {share} of {len(found.board.models)} models"),
        {"mark": "axis", "label": "share of the tasks, of the weight, of the widest range of scores"},
        note("The least that ends first place; in brackets who is ahead or level then."),
    ]
    return rows, words


def _of_each(found: LeaveOneOut) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return a bar for each task or model that is left out, and the words of their picture."""
    rows = []
    winners = {one.name: one.winners for one in found.parts}
    for name, _, swaps, decides, _ in found.to_frame().itertuples(name=None):
        first = first_few(short_names(winners[name]), 2) or "no model"
        label = f"{counted(swaps, 'swap')}{f'; {first} first' * decides}"
        rows.append({"name": name, "role": "first" if decides else "second", "value": Fraction(swaps), "label": label})
    what = found.drop.removesuffix("s")
    who = first_few(short_names(found.winners), 3) or "no model"
    is_first = f"{who} {'is' if len(found.winners) < 2 else 'are'} first {rule_words(found.rule.name)}"
    words = [
        title(f"{is_first}: what each {what} that is left out changes"),
        {"mark": "axis", "label": f"pairs of the top {found.top} that swap"},
        note(f"Coloured: without this {what} others are first." if found.deciding else f"No {what} decides that."),
    ]
    return rows, words


def draw_firmness(marks: pd.DataFrame, *, ax: Axes | None = None, theme: str = "light") -> Axes:
    """Draw the marks of a picture of how firm first place is.

    Parameters
    ----------
    marks : DataFrame
        As ``firmness_marks`` returns them.
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
        value = bars["value"].astype(float).to_numpy()
        colours = [look.colour("first") if role == "first" else look.grid for role in bars["role"]]
        axes.barh(bars["y"].astype(float), value, height=0.62, color=colours)
        axes.set_xlim(0, max([1, *value]))
        axes.locator_params(axis="x", nbins=5, integer=max([0, *value]) > 1)
        name_rows(axes, bars["name"].tolist(), bars["label"].tolist(), [look.ink] * len(bars))
        headline(axes, marks, xlabel=str(of_kind(marks, "axis")["label"].iloc[0]))
    return axes
