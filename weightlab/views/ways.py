"""Rules for verdicts, the table's own and head-to-head, and who wins by them under the current weights."""

from __future__ import annotations

from weightlab._exact import common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._text import listed, shown, without
from weightlab.data import Leaderboard
from weightlab.data.linear_rule import CONDORCET, MAJORITY, MEAN, POINT_RULES, LinearRule, rule_words
from weightlab.data.points import Points
from weightlab.exceptions import InputError
from weightlab.lp import Prospects
from weightlab.views.words import names_in_words


class Way(Frozen):
    """A rule, and what it ranks of a table.

    Attributes
    ----------
    rule : LinearRule
        The rule.
    board : Leaderboard
        The table, without the models that the rule does not rank.
    told : str
        Sentence about that, or an empty string.
    """

    rule: LinearRule
    board: Leaderboard
    told: str = ""

    @classmethod
    def of(cls, board: Leaderboard, rule: LinearRule) -> Way:
        """Return a way to ask about the models that a rule ranks.

        Raises
        ------
        InputError
            If fewer than two models have every score, and the rule needs them.
        """
        ranked = rule.ranked(board)
        gone = without(board.models, ranked.models) if isinstance(ranked, Leaderboard) else []
        told = f"Not ranked {rule.by} (missing scores): {listed(map(shown, gone))}." if gone else ""
        return cls(rule=rule, board=ranked if isinstance(ranked, Leaderboard) else board, told=told)


def own_ways(board: Leaderboard) -> tuple[Way, ...]:
    """Return the table's own rule and head-to-head; head-to-head alone where that is its rule, or none ranks models.

    Where no verdicts are computed by its own rule, as by Kemeny's, it is the mean or Borda.
    """
    duels = LinearRule(name=MAJORITY)
    if board.rule in (MAJORITY, CONDORCET):
        return (Way.of(board, duels),)
    linear = board.rule in POINT_RULES
    name = board.rule if linear else board.usual_rule[0]
    try:
        own = Way.of(board, LinearRule.of(name))
        own.rule.points(own.board)  # such as places that a tolerance leaves undefined are refused
    except InputError as error:
        return (Way(rule=duels, board=board, told=f"No verdicts {rule_words(name)}: {error.message}."),)
    first = "" if linear else _first_by(board)
    if linear and name != MEAN and board.rule_reason != "declared":
        first = f"Ranked {own.rule.by}: {shown(board.rule_reason)}."
    told = " ".join(one for one in (first, own.told) if one)
    return Way(rule=own.rule, board=own.board, told=told), Way.of(board, duels)


def _first_by(board: Leaderboard) -> str:
    """Return who is first by a rule by which no verdicts are computed."""
    from weightlab.rules import rank  # noqa: PLC0415 - loads all rules

    by = rule_words(board.rule)
    never = f"no verdicts {by}, the table's own rule, are computed"
    try:
        winners = rank(board, board.rule).winners
    except InputError as error:
        return f"{never[:1].upper()}{never[1:]}; now it has no answer: {error.message}."
    return f"Now {listed(map(shown, winners))} {'is' if len(winners) == 1 else 'are'} first {by}; {never}."


# Now.


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
