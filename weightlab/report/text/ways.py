"""Rules for verdicts: the table's own, and head-to-head."""

from __future__ import annotations

from weightlab._result import Frozen
from weightlab._text import listed, shown, without
from weightlab.data import Leaderboard
from weightlab.data.linear_rule import CONDORCET, MAJORITY, MEAN, POINT_RULES, LinearRule, rule_words
from weightlab.exceptions import InputError


class Way(Frozen):
    """A rule, and what it ranks of a table.

    Attributes
    ----------
    rule : LinearRule
        The rule.
    board : Leaderboard
        The table, without the models that the rule does not rank.
    told : str
        What is to be said of that, or nothing.
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
