"""The boards of Vote'n'Rank and the conventions behind its figures, which the paper does not state.

Scores in two halves are two tasks of weight 1/2 each, diagnostics have weight 0, models that lack a score are dropped;
tables 1 to 4 and 9 use the first 30 rows of GLUE and 22 rows of SuperGLUE. Ties inside a task share the greatest
rank for plurality and Borda, the least for Dowdall. The optimality gap ignores the weights and includes diagnostics.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import weightlab as wl
from weightlab.rules import Ranking, rank, rule

__all__ = ["BENCHMARKS", "RULES", "TITLES", "gap_over_all_tasks", "paper_board", "without_logarithm"]

BENCHMARKS = {"glue": 30, "superglue": 22}
TITLES = {"glue": "GLUE", "superglue": "SuperGLUE"}


def paper_board(data: Path, name: str) -> wl.Leaderboard:
    """Return the board of tables 1 to 4 and 9."""
    declared = json.loads((data / "votenrank" / "meta.json").read_text(encoding="utf-8"))[name]
    board = wl.read_leaderboard(data / "votenrank" / f"{name}.csv").complete()
    first = board.select(models=board.models[: BENCHMARKS[name]])
    weights = {task: str(weight) for task, weight in declared["weights"].items()}
    return wl.Leaderboard(first.scores, weights=weights, groups=declared["groups"])


def gap_over_all_tasks(board: wl.Leaderboard) -> Ranking:
    """Return the optimality gap as the paper counts it: over all tasks alike, the diagnostics among them."""
    return rank(wl.Leaderboard(board.scores), "optimality_gap", gamma=95)


def without_logarithm(board: wl.Leaderboard) -> list[str]:
    """Return the models with a score of 0 or less on a diagnostic: they have no geometric mean where it takes part."""
    diagnostics = [str(task) for task, weight in board.weights.items() if not weight]
    low = (board.scores[diagnostics] <= 0).any(axis=1)
    return [str(model) for model in board.models if low[model]]


RULES: dict[str, Any] = {
    "mean": "mean",
    "geometric mean": "geometric_mean",
    "optimality gap": gap_over_all_tasks,
    "Copeland": "copeland",
    "Minimax": "minimax",
    "Plurality": rule("plurality", ties="max"),
    "Dowdall": rule("dowdall", ties="min"),
    "Borda": rule("borda", ties="max"),
}
"""The columns of table 1, after the mean that they are compared with, and the rows of table 2."""
