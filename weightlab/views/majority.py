"""What the majorities of a table say, in lines."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from weightlab._text import listed, number, shown
from weightlab.data import Leaderboard
from weightlab.graph import (
    CondorcetWinningSet,
    CycleRobustness,
    ParetoFront,
    cycle_robustness,
)
from weightlab.rules import MajorityOverview

SHOWN = 8
"""Models of a set named."""
TASKS_SHOWN = 5
"""Decisive tasks of a head-to-head named."""


def robustness(board: Leaderboard, found: MajorityOverview) -> CycleRobustness | None:
    """Return the strongest cycle; None without a cycle, or if a relative tolerance leaves gaps undefined."""
    if found.cycle is None or board.relative_tolerance:
        return None
    return cycle_robustness(board, found.cycle.models)


def overview_lines(
    found: MajorityOverview,
    robust: CycleRobustness | None,
    *,
    front: ParetoFront | None = None,
    few: CondorcetWinningSet | None = None,
) -> Iterator[tuple[str, list[str]]]:
    """Yield winners, sets and cycles, heading by heading."""
    models = len(found.margins.models)
    yield "Condorcet winner", [_one(found.condorcet_winner)]
    yield "Condorcet loser", [_one(found.condorcet_loser)]
    names = {
        "weak_condorcet_winners": "Undefeated",
        "smith": "Smith set",
        "schwartz": "Schwartz set",
        "uncovered": "Uncovered set",
        "essential": "Essential set",
    }
    for name, heading in names.items():
        members = found.sets[name]
        yield heading, [f"{len(members)} of {models}: {listed(members, SHOWN)}" if members else "none"]
    if front is not None:
        yield "Pareto front", [f"{len(front.models)} of {models}: {listed(front.models, SHOWN)}"]
    if few is not None:
        who = "it" if len(few.members) == 1 else "one of them"
        share = f"{who} is ahead of any other on at least {int(100 * few.least_share)}% of the weight"
        yield "Smallest winning set", [f"{len(few.members)} of {models}: {listed(few.members, SHOWN)} ({share})"]
    duels = models * (models - 1) // 2
    tied = duels - int((found.margins.wins > found.margins.wins.T).sum())
    yield "Tied head-to-heads", [f"{tied} of {duels}"]
    yield "Transitive", [_transitive(found)]
    yield "Cycles of three models", [str(found.three_cycles)]
    yield "Strongest cycle", _cycle(found, robust)
    if robust is not None:
        thin, weak = (f"{shown(a)} over {shown(b)}" for a, b in (robust.buffer_duel, robust.radius_duel))
        more = "" if robust.radius_attained else "more than "
        yield "Smallest score gap", [f"{size_text(robust.buffer)} ({thin} on {shown(robust.buffer_task)})"]
        yield "Breaks if scores move by", [f"{more}{size_text(robust.radius)}, each up or down ({weak})"]


def _one(name: str | None) -> str:
    return "none" if name is None else shown(name)


def _transitive(found: MajorityOverview) -> str:
    if found.triple is None:
        return "yes"
    above, middle, below = map(shown, found.triple)
    return f"no: {above} beats {middle}, which beats {below}, which {above} does not beat"


def _cycle(found: MajorityOverview, robust: CycleRobustness | None) -> list[str]:
    if found.cycle is None:
        return ["none: the majority relation is acyclic"]
    lines, margins = [], found.margins
    for winner, loser in zip(found.cycle.models, [*found.cycle.models[1:], found.cycle.models[0]], strict=True):
        if robust is None:
            told = f"by a margin of {number(margins.margin(winner, loser))}"
        else:
            one, other = (margins.models.index(name) for name in (winner, loser))
            weights = [
                number(Fraction(int(margins.wins[pair]), margins.denominator)) for pair in ((one, other), (other, one))
            ]
            told = f"{' to '.join(weights)}, ahead on {listed(robust.support[winner, loser], TASKS_SHOWN)}"
        lines.append(f"{shown(winner)} beats {shown(loser)} {told}")
    return lines


def size_text(value: Fraction) -> str:
    """Return the first six digits of a number of any size."""
    return f"{Decimal(value.numerator) / value.denominator:.6g}"
