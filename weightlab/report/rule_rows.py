"""Rules side by side, as rows of tables."""

from __future__ import annotations

import math

from weightlab.report.wording import listed, shown
from weightlab.rules import Comparison

__all__ = ["Rows", "rank_rows", "rule_rows"]

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
