"""Pairs of models: who beats whom under which weights, and what changes of weights swap them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab import lp
from weightlab._exact import as_float
from weightlab._text import listed, percent, shown
from weightlab.lp import BrokenCycle, PairShares, Stability
from weightlab.lp.sensitivity.least_change import reversal
from weightlab.lp.space.space import shares_of
from weightlab.views.prospect import proof_line
from weightlab.views.view import Block, Fact, Facts, Table, View
from weightlab.views.words import Rows, mixture, weights_line

KINDS = {
    "beats always": (lp.Outcome.ALWAYS_WINS,),
    "wins or ties": (lp.Outcome.NEVER_LOSES,),
    "either way": (lp.Outcome.EITHER,),
    "always ties": (lp.Outcome.ALWAYS_TIES,),
    "loses or ties": (lp.Outcome.NEVER_WINS,),
    "loses always": (lp.Outcome.ALWAYS_LOSES,),
}
"""Kinds of head-to-heads."""


def duel_rows(found: lp.Duels) -> Rows:
    """Return one row per model: how many of its head-to-heads are of each kind, of those kinds that there are."""
    counts = list(_counts(found))
    used = [column for column in range(len(KINDS)) if any(row[column] for _, row in counts)]
    rows = [(shown(model), *(str(row[column]) for column in used)) for model, row in counts]
    return ["model", *(list(KINDS)[column] for column in used)], rows, tuple(range(1, len(used) + 1))


def _counts(found: lp.Duels) -> Iterator[tuple[str, list[int]]]:
    """Yield each model with the number of its head-to-heads of each kind."""
    greatest = found.bounds.greatest
    for row, model in enumerate(found.models):
        others = np.arange(len(found.models)) != row
        pairs = zip((-greatest[others, row]).tolist(), greatest[row, others].tolist(), strict=True)
        outcomes = [lp.Outcome.between(least, most) for least, most in pairs]
        yield model, [sum(outcomes.count(kind) for kind in kinds) for kinds in KINDS.values()]


def duels_of_rows(found: lp.Duels, shares: lp.PairShares, weights: pd.Series) -> Rows:
    """Return one row per rival of a model: its lead now, the least shift that ties them, its share of weightings.

    ``shares`` compare the model with each rival; ``weights`` are the current ones. Leads and shifts are exact.
    """
    model, rivals = shares.pairs[0][0], [rival for _, rival in shares.pairs]
    signs = found.signs.over(found.models.index(model), [found.models.index(one) for one in rivals])
    today = list(shares_of(weights, found.space.tasks).values())
    rows = []
    for rival, row, share in zip(rivals, signs, shares.shares["share"].tolist(), strict=True):
        low, high = found.margins(model, rival)
        lead = sum((sign * one for sign, one in zip(row.tolist(), today, strict=True)), Fraction(0))
        turns = low <= 0 if lead >= 0 else high >= 0
        shift = percent(reversal("l1", row if lead >= 0 else -row, today, found.space).value / 2) if turns else "never"
        outcome = str(lp.Outcome.between(low, high))
        rows.append((shown(rival), percent(lead), shift, sampled(share, sure=low > 0) if high > 0 else "0%", outcome))
    headings = [f"{shown(model)} against", "lead now", "weight shift to tie", "share won", "over all weights"]
    return headings if not found.space.conditions else [*headings[:-1], "over these weights"], rows, (1, 2, 3)


def realisation_rows(found: lp.Realisation) -> Rows:
    """Return a row a head-to-head that is to be won: by whom, against whom, and its lead."""
    pairs = zip(found.duels, found.leads.tolist(), strict=True)
    return ["to win", "against", "lead"], [(shown(a), shown(b), percent(lead)) for (a, b), lead in pairs], (2,)


OF_ROWS = (
    "lead now: by the current weights, a share of the total weight. weight shift to tie: the least share of the weight "
    "that must shift until the two tie. share won: of 10,000 random weightings, those under which it wins."
)
"""What the columns of a model's head-to-heads mean."""


def duels_view(found: lp.Duels, shares: Sequence[PairShares] = (), weights: pd.Series | None = None) -> View:
    """Return who beats whom; with shares of a model's head-to-heads each of these, under the current weights."""
    proved = proof_line(len(found.models) * (len(found.models) - 1) // 2, len(found.signs.tasks), found.space)
    if not shares or weights is None:
        blocks: list[Block] = [Table(*duel_rows(found), caption="Head-to-heads of each kind"), proved]
        return View(headline=shown(found), blocks=blocks, results=[found])
    tables = [Table(*duels_of_rows(found, one, weights), caption=one.pairs[0][0]) for one in shares]
    return View(headline=shown(found), blocks=[*tables, OF_ROWS, proved], results=[found, *shares])


def realisation_view(found: lp.Realisation) -> View:
    """Return whether head-to-heads can be won at once, with which weights, or what rules it out."""
    weights = [(str(task), weight) for task, weight in zip(found.space.tasks, found.weights.tolist(), strict=True)]
    lines: list[Fact] = [
        ("Weights that do it" if found.holds else "Weights that come nearest", [weights_line(weights)])
    ]
    if not found.holds:
        named = [f"{upper} over {lower}" for upper, lower in found.duels]
        lines.append(("What rules it out", [mixture(list(zip(named, found.blockers, strict=True)))]))
        excluded = [pair for pair, share in zip(found.duels, found.blockers, strict=True) if share]
        if len(excluded) < len(found.duels):
            lines.append(("Not to blame", [listed(f"{a} over {b}" for a, b in found.duels if (a, b) not in excluded)]))
    proved = proof_line(len(found.duels), len(found.space.tasks), found.space)
    blocks: list[Block] = [Facts(lines), Table(*realisation_rows(found), caption="Head-to-heads to win"), proved]
    return View(headline=shown(found), blocks=blocks, results=[found])


# What changes of weights do to a winner, or to a ranking.

NOW_SHOWN = {"lead today": "lead now", "least lead": "minimum lead", "weight to move": "weight shift"}
"""Headings of the columns of a result, as a screen shows them."""
MOVED = 4
"""Tasks with changed weights named."""


def first_lines(found: Stability) -> Iterator[tuple[str, list[str]]]:
    """Yield for each norm who ties first, and what changes there; nothing where no weights change anything."""
    if found.radius() is None:
        return
    today = found.weights.tolist()
    for norm in found.norms:
        position = found.reversals.first(norm)[0]
        point = found.reversals.points[norm][position]
        if point is None:
            continue
        firsts = found.takers(norm) if found.of == "winner" else [" and ".join(one) for one in found.first(norm)]
        changes = [
            (task, new - old)
            for task, new, old in zip(found.space.tasks, point.along(found.space.tasks), today, strict=True)
        ]
        moved = _moved(changes) or "none: tied now"
        smallest, value = ("weight shift", point.value / 2) if norm == "l1" else ("maximum change", point.value)
        yield f"Smallest {smallest}", [f"{percent(value)}: {listed(firsts, 3)}", moved]


def _moved(changes: Sequence[tuple[str, Fraction]]) -> str:
    """Return the greatest changes of weights, such as ``BoolQ -1.39%   RTE +1.39%``."""
    ordered = sorted((one for one in changes if one[1]), key=lambda one: -abs(one[1]))
    parts = [f"{shown(task)} {'+' if change > 0 else ''}{percent(change)}" for task, change in ordered[:MOVED]]
    if len(ordered) > MOVED:
        parts.append(f"and {len(ordered) - MOVED} more tasks")
    return "   ".join(parts)


def change_rows(found: Stability, shares: PairShares | None = None) -> Rows:
    """Return one row per rival, the first to tie first, or per adjacent pair; leads by a rule are in its points.

    With ``shares`` of the same pairs the last column says under which share of weightings the first of the two is
    ahead.
    """
    frame = found.to_frame()
    pairs = found.pairs if found.of == "ranking" else found.rivals
    kept = {} if shares is None else dict(zip(pairs, shares.shares["share"].tolist(), strict=True))
    lead = percent if found.points is None else three_digits
    rows = [
        (
            *map(shown, name if isinstance(name, tuple) else [name]),
            *(lead(one) for one in cells[:2]),
            *("never" if one is None else percent(one) for one in cells[2:]),
            *([sampled(kept[name], sure=cells[1] > 0)] if kept else []),
        )
        for name, *cells in frame.itertuples(name=None)
    ]
    more = ["stays ahead"] if kept else []
    headings = [*map(str, frame.index.names), *(NOW_SHOWN.get(one, one) for one in frame.columns), *more]
    return headings, rows, tuple(range(frame.index.nlevels, len(headings)))


def three_digits(value: Fraction) -> str:
    """Return a lead in points, with three digits."""
    return f"{as_float(value):.3g}"


def sampled(share: float, *, sure: bool) -> str:
    """Return a share of random weightings in percent: 0 or 100 only where it is ``sure``."""
    if sure:
        return "100%"
    return "< 0.1%" if share < 0.0005 else "> 99.9%" if share > 0.9995 else f"{share:.1%}"


def nearest_lines(found: BrokenCycle) -> Iterator[tuple[str, list[str]]]:
    """Yield the nearest weights that have a winner."""
    words = found.nearest_text
    yield "Nearest weights with a head-to-head winner", [f"{shown(words[0].upper() + words[1:])}."]
    weights = found.strict_weights.tolist()
    today = found.weights.tolist()
    changes = [(task, new - old) for task, new, old in zip(found.signs.tasks, weights, today, strict=True)]
    slack = percent(found.slack / (2 if found.norm == "l1" else 1))
    more = f", {slack} more than the least change" if found.slack else ""
    yield f"Where {shown(found.model)} wins head-to-head{more}", [_moved(changes) or "no change"]


def stability_view(found: Stability, shares: PairShares | None = None) -> View:
    """Return how far weights may move before the winner, or a ranking, changes."""
    headings, rows, right = change_rows(found, shares)
    kept = (
        ["stays ahead: share of 10,000 random weightings under which the first of the two is ahead."]
        if shares is not None
        else []
    )
    proved = proof_line(len(rows), len(found.space.tasks), found.space)
    blocks: list[Block] = [
        Facts(list(first_lines(found))),
        Table(headings, rows, right, "Leads and changes"),
        (*kept, proved),
    ]
    results = [found] if shares is None else [found, shares]
    return View(headline=shown(found), blocks=blocks, results=results, picture=found)


def no_winner_view(found: BrokenCycle | lp.Prospects) -> View:
    """Return the nearest weights with a head-to-head winner, or the proof that no weights have one."""
    none = "No model beats all others under today's weights"
    told: tuple[str, ...]
    blocks: list[Block]
    if isinstance(found, BrokenCycle):
        models, told, blocks = found.signs.models, (f"{none}.",), [Facts(list(nearest_lines(found)))]
    else:
        models, told, blocks = found.models, (f"{none}, nor under any allowed weights.", shown(found)), []
    proved = proof_line(len(models) * (len(models) - 1), len(found.space.tasks), found.space)
    return View(headline=told, blocks=[*blocks, proved], results=[found], picture=found)
