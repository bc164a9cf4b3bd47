"""What winning means, and who wins under today's weights."""

from __future__ import annotations

from weightlab._exact import common_denominator, exact_products
from weightlab.data import Leaderboard
from weightlab.data.linear_rule import MEAN
from weightlab.lp import Prospects
from weightlab.report.text.words import names_in_words

WINS = (
    "Verdicts are head-to-head: a model wins when, against each other model, the tasks it leads weigh more than "
    "those it trails."
)
"""What is asked everywhere, for whoever meets it first."""


def today_words(board: Leaderboard) -> str:
    """Return who wins today, or which models are tied at the top, or that none is."""
    today = f"Today ({centre_words(board)})"
    margins = board.margins()
    if margins.winner is not None:
        return f"{today} {names_in_words([margins.winner])} wins head-to-head."
    top = margins.undefeated
    if not top:
        return f"{today} no model wins head-to-head: every model loses to another."
    if len(top) == 1:
        return f"{today} no model wins head-to-head: {names_in_words(top)} is undefeated, but only ties some rival."
    return f"{today} no model wins head-to-head: {names_in_words(top)} are tied at the top, undefeated."


def winner_by(board: Leaderboard, found: Prospects) -> str | None:
    """Return who wins alone under today's weights by the rule that verdicts are by; None where no model does."""
    points = found.points
    if points is None:
        return board.margins().winner
    totals = exact_products(points.numerators, common_denominator(board.weights.tolist())[0]).tolist()
    first = [model for model, total in zip(points.models, totals, strict=True) if total == max(totals)]
    return first[0] if len(first) == 1 else None


def rule_words(board: Leaderboard, found: Prospects) -> str:
    """Return what winning by a rule of points means, and who does so today."""
    what = "scores" if found.rule.name == MEAN else "points"
    winner = winner_by(board, found)
    who = "several models share the first place" if winner is None else f"{names_in_words([winner])} is alone first"
    means = f"a model wins when its weighted total of {what} is above that of each other model"
    return f"Verdicts are by {found.rule}: {means}. Today ({centre_words(board)}) {who} by {found.rule}."


def centre_words(board: Leaderboard) -> str:
    """Return what today's weights are called."""
    return "equal weights" if len(set(board.weights)) == 1 else "the table's weights"
