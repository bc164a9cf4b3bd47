"""Who wins under the current weights."""

from __future__ import annotations

from weightlab._exact import common_denominator, exact_products
from weightlab.data import Leaderboard
from weightlab.data.points import Points
from weightlab.lp import Prospects
from weightlab.report.text.words import names_in_words


def now_words(board: Leaderboard, found: Prospects) -> str:
    """Return who wins now by the rule that verdicts are by, or which models are tied for first."""
    return majority_words(board) if found.points is None else _first_words(board, found)


def _first_words(board: Leaderboard, found: Prospects) -> str:
    first = first_by(board, found.points) if found.points is not None else []
    does = "is first" if len(first) == 1 else "share first place"
    return f"Now ({centre_words(board)}) {names_in_words(first)} {does} {found.rule.by}."


def majority_words(board: Leaderboard) -> str:
    """Return who wins now head-to-head, or which models are tied at the top, or that none is."""
    today = f"Now ({centre_words(board)})"
    margins = board.margins()
    if margins.winner is not None:
        return f"{today} {names_in_words([margins.winner])} wins head-to-head."
    top = margins.undefeated
    if not top:
        return f"{today} no model wins head-to-head: every model loses to another."
    if len(top) == 1:
        return f"{today} no model wins head-to-head: {names_in_words(top)} is undefeated, but only ties some rival."
    return f"{today} no model wins head-to-head: {names_in_words(top)} are tied at the top, undefeated."


def totals_now(board: Leaderboard, points: Points) -> list[int]:
    """Return each model's total of points under the current weights, times a number that all have in common."""
    weights = board.weights.loc[list(points.tasks)].tolist()
    return [int(total) for total in exact_products(points.numerators, common_denominator(weights)[0]).tolist()]


def first_by(board: Leaderboard, points: Points) -> list[str]:
    """Return who is first by points under the current weights; several share it."""
    totals = totals_now(board, points)
    return [model for model, total in zip(points.models, totals, strict=True) if total == max(totals)]


def centre_words(board: Leaderboard) -> str:
    """Return the name of the current weights."""
    return "equal weights" if len(set(board.weights)) == 1 else "the table's weights"
