"""Prospects under linear rules: whether a model can have the most points under some weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._record import Exact
from weightlab._result import Result, ensure, exact_series
from weightlab._typing import AnyArray
from weightlab.data.points import Points
from weightlab.exceptions import UnknownNameError
from weightlab.lp.allowed import space_for
from weightlab.lp.certificate import check_bound, check_exact, check_weights, leads, series_dict
from weightlab.lp.margin import MarginProof, widest_margin
from weightlab.lp.point_rule import PointRule, PointsLike, check_points
from weightlab.lp.space import Multipliers, TaskShares, WeightSpace
from weightlab.lp.verdict import Verdict, verdict_at
from weightlab.lp.wording import given

__all__ = ["RuleProspect", "differences", "prospect_by_points", "rivals_of"]

LONG = 10**4
"""Fractions with a denominator from here on are said as decimals."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleProspect(Result, kind="rule_prospect"):
    """Whether a model can win by a linear rule: the weights that serve it best, and the rivals that stand in its way.

    Attributes
    ----------
    model : str
        Whom the question is about.
    rule : PointRule
        What a place or a score is worth.
    margin : Fraction
        The largest possible lead over the best rival, in points of the rule per unit of weight (weights sum to 1, so
        that a total is a weighted mean of points).
    weights : Series of Fraction by task
        Weights that attain it.
    blockers : Series of Fraction by rival
        A mixture of rivals (shares that sum to 1) over which no weights give a greater lead.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space that take part in that proof; empty without conditions.
    points : Points
        Points of all models on all tasks.
    space : WeightSpace
        The weights that were allowed.
    """

    derived = ("verdict",)

    model: str
    rule: PointRule
    margin: Fraction
    weights: TaskShares
    blockers: Exact
    multipliers: Multipliers
    points: Points
    space: WeightSpace

    @property
    def verdict(self) -> Verdict:
        """``strict`` (can be the only winner), ``weak`` (can share the first place at best) or ``never``."""
        return verdict_at(self.margin)

    @property
    def rivals(self) -> tuple[str, ...]:
        """All models but the one, in board order."""
        return rivals_of(self.points, self.model)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Columns of the points, in board order."""
        return self.points.tasks

    @property
    def leads(self) -> pd.Series:
        """The exact lead over each rival under ``weights``, in points per unit of weight."""
        found = leads(differences(self.points, self.model), self.weights.tolist())
        return exact_series([lead / self.points.denominator for lead in found], self.rivals, "lead")

    def __str__(self) -> str:
        """Say the verdict in one sentence; another one names the conditions, if there are any."""
        if self.verdict is Verdict.STRICT:
            best = f"its best possible lead is {_points(self.margin)}"
            said = f"{self.model} can be the only winner by {self.rule}: {best}."
        elif self.verdict is Verdict.WEAK:
            said = f"{self.model} can share the first place by {self.rule} but never have it alone."
        else:
            behind = f"under all weights some rival is {_points(-self.margin)} or more ahead"
            said = f"{self.model} can never win by {self.rule}: {behind}."
        return said + given(self.space)

    def summary(self) -> pd.DataFrame:
        """Return the weights and blockers that are not 0, as floats."""
        parts = {("weight", str(k)): float(v) for k, v in self.weights.items() if v}
        parts |= {("blocker", str(k)): float(v) for k, v in self.blockers.items() if v}
        index = pd.MultiIndex.from_tuples(list(parts), names=["kind", "name"])
        return pd.DataFrame({"share": list(parts.values())}, index=index)

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic, without a solver.

        The points must be what the rule gives for the order that they put the models in (for the mean any numbers can
        be scores: only with ``source`` is it known that they are the table's, and not points of another rule); the
        weights must be weights
        of the space under which the least lead is the margin; the blockers and multipliers must show, task by task,
        that no weights do better.

        Parameters
        ----------
        source : Leaderboard or Profile, optional
            The table; the points that the rule gives for it must be those that the result carries.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        check_points(self.points, self.space.tasks)
        check_exact(margin=self.margin)
        ensure(self.model in self.points.models, f"{self.model!r} is not among the models")
        self.rule.check(self.points)
        if source is not None:
            self.rule.check_source(self.points, source)
        ensure(tuple(self.weights.index) == self.tasks, "the weights are not about the tasks of the points, in order")
        ensure(tuple(self.blockers.index) == self.rivals, "the blockers are not about the rivals, in order")
        check_weights(series_dict(self.weights), self.space.rows, self.space.auxiliaries)
        least = min(self.leads)
        ensure(least == self.margin, f"the least lead is {least}, not {self.margin}")
        rows, bound = differences(self.points, self.model), self.margin * self.points.denominator
        check_bound(rows, self.blockers, self.multipliers, self.space, bound)
        return True


def prospect_by_points(
    board: PointsLike,
    model: str,
    rule: PointRule,
    *,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> RuleProspect:
    """Return the verified prospect of a model under a linear rule: `prospect` with point differences for signs."""
    points = rule.points(board)
    allowed = space_for(points, space)
    rows, rivals = differences(points, model), rivals_of(points, model)
    proof = widest_margin(rows, rivals, allowed, time_limit=time_limit)
    result = _result(points, str(model), rule, allowed, proof)
    result.verify()
    return result


def differences(points: Points, model: str) -> AnyArray:
    """Return a model's points less each rival's (rivals x tasks, in board order), times the denominator.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    """
    position = _position(points, model)
    return np.delete(points.numerators[position] - points.numerators, position, axis=0)


def rivals_of(points: Points, model: str) -> tuple[str, ...]:
    """Return all models but one, in board order."""
    position = _position(points, model)
    return points.models[:position] + points.models[position + 1 :]


def _position(points: Points, model: str) -> int:
    try:
        return points.models.index(str(model))
    except ValueError:
        raise UnknownNameError("model", model, points.models) from None


def _result(points: Points, model: str, rule: PointRule, space: WeightSpace, proof: MarginProof) -> RuleProspect:
    return RuleProspect(
        model=model,
        rule=rule,
        margin=proof.lower / points.denominator,
        weights=exact_series(proof.weights, points.tasks, "weight"),
        blockers=exact_series(proof.blockers, proof.rivals, "blocker"),
        multipliers=exact_series(proof.multipliers, [row.name for row in space.rows], "multiplier"),
        points=points,
        space=space,
    )


def _points(number: Fraction) -> str:
    shown = str(number) if number.denominator < LONG else f"about {float(number):.4g}"
    return f"{shown} {'point' if number == 1 else 'points'}"
