"""What winning means, and who wins under today's weights."""

from __future__ import annotations

from weightlab.data import Leaderboard
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


def centre_words(board: Leaderboard) -> str:
    """Return what today's weights are called."""
    return "equal weights" if len(set(board.weights)) == 1 else "the table's weights"
