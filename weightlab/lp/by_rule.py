"""Which program answers for which rule."""

from __future__ import annotations

from typing import Literal, TypeAlias

from weightlab.data.convert import SignsLike
from weightlab.data.points import Missing, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.duel_scores import DUEL_RULES
from weightlab.lp.majority_prospect import MajorityProspect, prospect_by_duels
from weightlab.lp.point_rule import POINT_RULES, PointRule, RuleLike
from weightlab.lp.rule_prospect import RuleProspect, prospect_by_points
from weightlab.lp.space import WeightSpace

__all__ = ["CONDORCET", "DuelRuleName", "PointRuleName", "prospect_by", "refuse_point_options"]

CONDORCET = "condorcet"
"""The rule whose winner beats everybody: the question of Vote'n'Rank."""

PointRuleName: TypeAlias = Literal["mean", "borda", "dowdall", "plurality", "veto"]
DuelRuleName: TypeAlias = Literal["copeland", "minimax"]


def prospect_by(
    board: SignsLike,
    model: str,
    rule: RuleLike,
    *,
    ties: Ties | None = None,
    missing: Missing | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> RuleProspect | MajorityProspect:
    """Return the prospect of a model under any rule but Condorcet's.

    Raises
    ------
    UnknownNameError
        If there is no such rule or model.
    InputError
        If the rule has no such option, or reads what the table does not hold.
    """
    if isinstance(rule, str) and rule in DUEL_RULES:
        refuse_point_options(rule, ties, missing)
        return prospect_by_duels(board, model, rule, space=space, time_limit=time_limit)
    if isinstance(rule, str) and rule not in POINT_RULES:
        raise UnknownNameError("rule", rule, (CONDORCET, *DUEL_RULES, *POINT_RULES), holder="list of rules for weights")
    if isinstance(board, Signs):
        raise InputError("points are made from a Leaderboard or a Profile; got Signs, which serve the rules of duels")
    linear = PointRule.of(rule, ties=ties, missing=missing)
    return prospect_by_points(board, model, linear, space=space, time_limit=time_limit)


def refuse_point_options(rule: str, ties: Ties | None, missing: Missing | None) -> None:
    """Raise InputError where ties or missing scores are to be treated in a way that duels do not know."""
    for name, value in (("ties", ties), ("missing", missing)):
        if value is not None:
            raise InputError(
                f"{rule} reads duels, in which a tie and a missing score count for nobody: it takes no {name}={value!r}"
            )
