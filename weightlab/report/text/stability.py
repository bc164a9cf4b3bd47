"""What changes of weights do to a winner, or to a ranking, in lines and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from weightlab._text import listed, number, rounded, shown
from weightlab.lp import BrokenCycle, RankingStability, Stability

MOVED = 4
"""So many tasks whose weight changes are named."""
CHANGES = {"l1": "sum of changes", "linf": "largest change"}
"""How changes of weights are measured, in words."""


def first_lines(found: Stability | RankingStability) -> Iterator[tuple[str, list[str]]]:
    """Yield for each norm who ties first, and what changes there; nothing where no weights change anything."""
    if found.radius() is None:
        return
    today = found.weights.tolist()
    for norm in found.norms:
        position = found.reversals.first(norm)[0]
        point = found.reversals.points[norm][position]
        if point is None:
            continue
        firsts = (
            found.takers(norm) if isinstance(found, Stability) else [" and ".join(one) for one in found.first(norm)]
        )
        changes = [(task, new - old) for task, new, old in zip(found.space.tasks, point.weights, today, strict=True)]
        moved = _moved(changes) or "none: level today"
        yield f"Least {CHANGES[norm]}", [f"{number(point.value)}: {listed(firsts, 3)}", moved]


def _moved(changes: Sequence[tuple[str, Fraction]]) -> str:
    """Return the greatest changes of weights, such as ``BoolQ -1/72   RTE +1/72``."""
    ordered = sorted((one for one in changes if one[1]), key=lambda one: -abs(one[1]))
    parts = [f"{shown(task)} {'+' if change > 0 else ''}{number(change)}" for task, change in ordered[:MOVED]]
    if len(ordered) > MOVED:
        parts.append(f"and {len(ordered) - MOVED} more tasks")
    return "   ".join(parts)


def rival_rows(found: Stability) -> Iterator[list[str]]:
    """Yield a row for each rival, the first to tie first."""
    leads, least = found.leads.tolist(), found.least_leads.tolist()
    distances = [found.reversals.distances(norm) for norm in found.norms]
    order = sorted(range(len(leads)), key=lambda one: [_last(values[one]) for values in distances])
    for position in order:
        yield [
            shown(found.rivals[position]),
            number(leads[position]),
            number(least[position]),
            *(_cell(values[position]) for values in distances),
        ]


def neighbour_rows(found: RankingStability) -> Iterator[list[str]]:
    """Yield a row for each two neighbours, best first."""
    distances = [found.reversals.distances(norm) for norm in found.norms]
    leads, least = found.leads.tolist(), found.least_leads.tolist()
    for position, (upper, lower) in enumerate(found.pairs):
        changes = (_cell(values[position]) for values in distances)
        yield [shown(upper), shown(lower), number(leads[position]), number(least[position]), *changes]


def _last(value: Fraction | None) -> tuple[bool, Fraction]:
    return value is None, value or Fraction(0)


def _cell(value: Fraction | None) -> str:
    return "never" if value is None else rounded(value, 4)


def nearest_lines(found: BrokenCycle) -> Iterator[tuple[str, list[str]]]:
    """Yield the nearest weights that have a winner."""
    words = found.nearest_text
    yield "Nearest weights with a winner", [f"{shown(words[0].upper() + words[1:])}."]
    weights = found.strict_weights.tolist()
    today = found.weights.tolist()
    changes = [(task, new - old) for task, new, old in zip(found.signs.tasks, weights, today, strict=True)]
    more = f", {number(found.slack)} more than the least change" if found.slack else ""
    yield f"Where {shown(found.model)} wins{more}", [_moved(changes) or "no change"]
