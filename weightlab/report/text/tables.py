"""Every model's verdict, how near a win is, and which share of weightings makes it, as rows of tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import TypeAlias

from weightlab._text import number, rounded, shown
from weightlab.data import Leaderboard
from weightlab.lp import Prospects, Verdict, WinningShares, closest_to, most_balanced
from weightlab.lp import scenario as scenario_of
from weightlab.report.context import Unproved
from weightlab.report.text.prospect import centre_words, serves, share_cell
from weightlab.report.text.words import listed, mixture
from weightlab.rules import Comparison

Details: TypeAlias = tuple[Fraction | None, Fraction | None]
"""How far a model's nearest winning weights are, and the largest weight of the flattest; None: not found in time."""
LONG = 60
"""In tables of more models only the first blocker is named in each row; stories and documents have all."""


def verdict_tables(
    board: Leaderboard, found: Prospects, shares: WinningShares | None, far: Mapping[str, Details]
) -> Iterator[tuple[list[str], list[tuple[str, ...]], tuple[int, ...]]]:
    """Yield headings, rows and columns of numbers: the models that can win or tie, nearest first; those that cannot."""
    able = found.with_verdict(Verdict.STRICT, Verdict.WEAK)
    able = tuple(sorted(able, key=lambda model: (found.verdicts[model] != Verdict.STRICT, *_nearness(far, model))))
    rows = [_row(found, shares, far, model) for model in able]
    if rows:
        headings = ["model", "verdict", "margin"]
        headings += ["share"] if shares is not None else []
        headings += [f"from {centre_words(board)}", "largest weight"] if far else []
        yield headings, rows, tuple(range(2, len(headings)))
    blocked = found.with_verdict(Verdict.NEVER)
    if blocked:
        most = 3 if len(board.models) <= LONG else 1
        rows = [
            (shown(model), Verdict.NEVER.words, _margin(found, model), _blockers(found, model, most))
            for model in blocked
        ]
        yield ["model", "verdict", "margin", "blocked by"], rows, (2,)


def distances(board: Leaderboard, found: Prospects, unproved: Unproved, time_limit: float | None) -> dict[str, Details]:
    """Return the details of the models that can win or tie; what is not found in time is one message for all."""
    unfound = Unproved(unproved.answers)
    far: dict[str, Details] = {}
    for model in found.with_verdict(Verdict.STRICT, Verdict.WEAK):
        ask = partial(scenario_of, board, model, space=found.space, time_limit=time_limit)
        nearest = unfound.ask(shown(model), partial(ask, closest_to()), serves(model, "DistanceFrom"))
        balanced = unfound.ask(shown(model), partial(ask, most_balanced()), serves(model, "LargestWeight"))
        far[model] = (None if nearest is None else nearest.value, None if balanced is None else balanced.value)
    without = [model for model, details in far.items() if None in details]
    if without:
        unproved.messages.append(f"not found where the table has '?', for {listed(without)}: {unfound.messages[0]}")
    return far


def _row(found: Prospects, shares: WinningShares | None, far: Mapping[str, Details], model: str) -> tuple[str, ...]:
    share = () if shares is None else (share_cell(shares, model),)
    return (shown(model), found.verdicts[model].words, _margin(found, model), *share, *_far_cells(far, model))


def _nearness(far: Mapping[str, Details], model: str) -> tuple[bool, Fraction]:
    """Return what models are sorted by: the nearest first, and last those of which it is not known."""
    distance, _ = far.get(model, (None, None))
    return distance is None, distance or Fraction(0)


def _far_cells(far: Mapping[str, Details], model: str) -> tuple[str, ...]:
    """Return the cells for distance and largest weight, or none."""
    if not far:
        return ()
    distance, largest = far[model]
    return (
        "?" if distance is None else rounded(distance, 3),
        "?" if largest is None else f"{rounded(100 * largest, 1)}%",
    )


def _margin(found: Prospects, model: str) -> str:
    lower, upper = found.lower[model], found.upper[model]
    if lower == upper:
        return number(lower)
    return f"{rounded(lower, 4, floor)} to {rounded(upper, 4, ceil)}"


def _blockers(found: Prospects, model: str, most: int) -> str:
    """Return the rivals that dominate a model, or the mixture that blocks it, with at most so many names."""
    one = found.bounded(model)
    if one.dominators:
        verb = "dominates" if len(one.dominators) == 1 else "dominate"
        return f"{listed(one.dominators, min(most, 2))} ({verb})"
    return mixture(list(zip(one.rivals, one.blockers.tolist(), strict=True)), most=most)


# Rules side by side, as rows of tables.

Rows = tuple[list[str], list[tuple[str, ...]], tuple[int, ...]]
"""Headings, rows, and which columns are numbers."""


def rule_rows(found: Comparison, top: int) -> Rows:
    """Return a row a rule: its winners, how far it agrees with the first one, how many models it leaves level."""
    first = found.rules[0]
    shares, tied, tau = found.top(top), found.tied, found.agreement[first]
    rows: list[tuple[str, ...]] = [
        (shown(name), listed(found.winners[name], 3), _tau(tau[name]), f"{float(shares[name]):.2f}", str(tied[name]))
        for name in found.rules
    ]
    return ["rule", "winner", f"tau with {first}", f"top {top} in common", "tied"], rows, (2, 3, 4)


def rank_rows(found: Comparison) -> Rows:
    """Return a row a model: its rank by every rule."""
    frame = found.ranks
    places = zip(frame.index, frame.to_numpy().tolist(), strict=True)
    rows = [(shown(model), *map(str, row)) for model, row in places]
    return ["model", *map(shown, frame.columns)], rows, tuple(range(1, len(frame.columns) + 1))


def _tau(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.3f}"
