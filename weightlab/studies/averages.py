"""Averages that rank by groups of tasks, as questions for studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from weightlab.data import Leaderboard
from weightlab.rules import Ranking, grouped, two_step

__all__ = ["AVERAGES", "macro_average", "two_step_average"]


def macro_average(board: Leaderboard) -> Ranking:
    """Return the ranking by the mean over groups of tasks of the means within each.

    A question for studies; the micro average is the rule ``"mean"``. See `grouped`.
    """
    return grouped(board, "mean")


def two_step_average(board: Leaderboard) -> Ranking:
    """Return the ranking by Borda over groups of tasks, each of which ranks the models by the mean of its tasks.

    A question for studies. The groups are the voters of the ranking. See `two_step`.
    """
    return two_step(board, "mean", then="borda").final


AVERAGES: Mapping[str, Callable[[Leaderboard], Ranking]] = MappingProxyType(
    {"macro_average": macro_average, "two_step_average": two_step_average}
)
"""The averages by group that studies know by name, beside the rules of the registry."""
