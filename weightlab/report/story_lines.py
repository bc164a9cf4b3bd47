"""Headed lines about one model: the fewest tasks, what each task weighs, its share of weightings, what to improve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor

from weightlab._exact import fraction
from weightlab.lp import Scenario, Upset, WeightRanges, WinningShares
from weightlab.lp.improvement.costs import rise_words
from weightlab.report.wording import listed, number, rounded, shown, weights_line

__all__ = ["Line", "fewest_lines", "range_lines", "share_cell", "share_lines", "upset_lines"]

Line = tuple[str, list[str]]
"""A heading and what stands beside it."""

RANGES = 20
"""So many ranges are written out; the rest is counted."""


RISES = 4
"""On so many tasks is it told what to improve; the rest is counted."""


def fewest_lines(fewest: Scenario) -> list[Line]:
    """Say how few tasks suffice, and weights on them that win strictly where any do."""
    weights = fewest.weights if fewest.strict_weights is None else fewest.strict_weights
    line = weights_line([(str(task), fraction(weight)) for task, weight in weights.items()])
    if fewest.slack:
        lines = [f"{fewest.value} to lose to nobody, {fewest.value + fewest.slack} to win outright:", line]
    else:
        lines = [f"{fewest.value}: {line}"]
    return [("Fewest tasks", lines)]


def range_lines(ranges: WeightRanges) -> list[Line]:
    """Say what each task must and may weigh, the indispensable ones first; those with the same range together."""
    alike: dict[tuple[Fraction, Fraction], list[str]] = {}
    for one in ranges.ranges:
        if not one.is_group or one.low > 0 or one.high < 1:
            alike.setdefault((one.low, one.high), []).append(one.label)
    ordered = sorted(alike, key=lambda ends: (-ends[0], ends[1]))
    lines = [f"{_range(*ends)}: {listed(alike[ends])}" for ends in ordered[:RANGES]]
    if len(ordered) > RANGES:
        lines.append(f"{len(ordered) - RANGES} more ranges (--json has them)")
    return [("Least and most weight of a task", lines)]


def _range(low: Fraction, high: Fraction) -> str:
    if low == high:
        return f"exactly {number(low)}"
    return f"{_percent(low, floor)} % to {_percent(high, ceil)} %"


def _percent(share: Fraction, to: Callable[[Fraction], int]) -> str:
    return rounded(100 * share, 1, to).removesuffix(".0")


def share_lines(shares: WinningShares, model: str) -> list[Line]:
    """Say under which share of weightings the model beats everybody."""
    said = share_cell(shares, model)
    of = "allowed weightings" if shares.space.conditions else "all weightings"
    share, low, high, positive = _row(shares, model)
    drawn = f"{shares.draws.samples:,} drawn at random"
    if positive and share == 0:
        said += f" (95 % interval; none of {drawn} makes it win)"
    elif positive and low < high:
        said += f" (95 % interval {_rate(low)} to {_rate(high)}, {drawn})"
    return [(f"Share of {of}", [said])]


def share_cell(shares: WinningShares, model: str) -> str:
    """Return a model's share for a table: exactly 0, or what was estimated, or what it lies above and below."""
    share, _, high, positive = _row(shares, model)
    if not positive:
        return "0"
    return f"above 0, below {_rate(high)}" if share == 0 else _rate(share)


def _row(shares: WinningShares, model: str) -> tuple[float, float, float, bool]:
    share, low, high, positive = tuple(shares.shares.loc[model])
    return float(share), float(low), float(high), bool(positive)


def _rate(share: float) -> str:
    return f"{rounded(Fraction(100 * share), 2 if share < 0.1 else 1)} %"


def upset_lines(upsets: Sequence[tuple[str, Upset | None]]) -> list[Line]:
    """Say what to improve; None where no improvement of its own scores would do."""
    lines = [f"{where}: {_plan(one)}" for where, one in upsets]
    return [("What to improve", lines)] if lines else []


def _plan(upset: Upset | None) -> str:
    if upset is None:
        return "no improvement of its scores makes it win"
    if not upset.rises:
        return "nothing"
    lower, rises = set(upset.table.lower_is_better), upset.rises
    words = rise_words(rises[:RISES], lower, by_score=upset.counted == "score")
    if len(rises) > RISES:
        words += f", and improve on {len(rises) - RISES} more tasks (--json has them)"
    return f"{shown(words)}{f' (least by the bound of {upset.solver})' if upset.solver else ''}"
