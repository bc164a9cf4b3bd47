"""What changes of weights do to a winner, or to a ranking, in lines and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from weightlab._exact import as_float
from weightlab._text import listed, percent, shown
from weightlab.lp import BrokenCycle, PairShares, Stability
from weightlab.report.text.words import Rows

NOW = {"lead today": "lead now", "least lead": "minimum lead", "weight to move": "weight shift"}
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
        moved = _moved(changes) or "none: level today"
        least, value = ("weight to move", point.value / 2) if norm == "l1" else ("largest change", point.value)
        yield f"Least {least}", [f"{percent(value)}: {listed(firsts, 3)}", moved]


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
    more = ["share kept"] if kept else []
    headings = [*map(str, frame.index.names), *(NOW.get(one, one) for one in frame.columns), *more]
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
