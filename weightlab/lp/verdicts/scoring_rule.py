"""Whether a model can have the most points by a linear rule."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from weightlab._result import ByName, Result, Seen, ensure, exact_series
from weightlab.data.convert import SignsLike
from weightlab.data.linear_rule import LinearRule, PointsLike
from weightlab.data.points import Points
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError
from weightlab.lp.certificate import check_bound, multipliers_of
from weightlab.lp.certificates.dual import check_exact, check_weighting, leads
from weightlab.lp.certificates.max_margin import Verdict, shares_frame, verdict_at, widest_margin
from weightlab.lp.space.space import Vectors, WeightSpace, space_for

LONG = 10**4
"""Fractions with a denominator from here on are said as decimals."""


class RuleProspect(Result, kind="rule_prospect"):
    """Whether a model can win by a linear rule: the weights that serve it best, and the rivals that stand in its way.

    Attributes
    ----------
    model : str
        Whom the question is about.
    rule : LinearRule
        What a place or a score is worth.
    margin : Fraction
        The largest possible lead over the best rival, in points of the rule per unit of weight (weights sum to 1, so
        that a total is a weighted mean of points).
    weights : Series of Fraction by task
        Weights that attain it.
    blockers : Series of Fraction by rival
        A mixture of rivals (shares that sum to 1) over which no weights give a greater lead.
    vectors : tuple of mappings from task to Fraction
        One a condition of the space, for that proof; ``multipliers`` says how much each counts.
    points : Points
        Points of all models on all tasks.
    space : WeightSpace
        The weights that were allowed.
    """

    derived = ("verdict",)

    model: str
    rule: LinearRule
    margin: Fraction
    weights: Seen[pd.Series] = ByName("space.tasks")
    blockers: Seen[pd.Series] = ByName()
    vectors: Vectors
    points: Points
    space: WeightSpace

    @property
    def verdict(self) -> Verdict:
        """By the rule: ``strict`` (can be the only winner), ``weak`` (can tie for the first place) or ``never``."""
        return verdict_at(self.margin)

    @property
    def multipliers(self) -> pd.Series:
        """How much each condition counts in the proof: by how much the bound moves with its own, in units of points."""
        return multipliers_of(self.space, self.vectors) / self.points.denominator

    @property
    def rivals(self) -> tuple[str, ...]:
        """All models but the one, in board order."""
        return self.points.rivals(self.model)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Columns of the points, in board order."""
        return self.points.tasks

    @property
    def leads(self) -> pd.Series:
        """The exact lead over each rival under ``weights``, in points per unit of weight."""
        found = leads(self.points.matrix(self.model), self.weights.tolist())
        return exact_series([lead / self.points.denominator for lead in found], self.rivals, "lead")

    def __str__(self) -> str:
        """Say the verdict in one sentence; another one names the conditions, if there are any."""
        if self.verdict is Verdict.STRICT:
            best = f"its best possible lead is {_points(self.margin)}"
            sentence = f"{self.model} can be the only winner by {self.rule}: {best}."
        elif self.verdict is Verdict.WEAK:
            sentence = f"{self.model} can share the first place by {self.rule} but never have it alone."
        else:
            behind = f"under all weights some rival is {_points(-self.margin)} or more ahead"
            sentence = f"{self.model} can never win by {self.rule}: {behind}."
        return sentence + self.space.conditions_sentence

    def to_frame(self) -> pd.DataFrame:
        """Return the weights and blockers that are not 0."""
        return shares_frame(self.weights, self.blockers)

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic, without a solver.

        The points must be what the rule gives for the order that they put the models in (for the mean any numbers can
        be scores: only with ``source`` is it known that they are the table's, and not points of another rule); the
        weights must be weights
        of the space under which the least lead is the margin; the blockers and vectors must show, task by task,
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
        check_exact(margin=self.margin)
        self.rule.check(self.points, self.space.tasks, source)
        ensure(self.model in self.points.models, f"{self.model!r} is not among the models")
        ensure(tuple(self.blockers.index) == self.rivals, "the blockers are not about the rivals, in order")
        check_weighting(self.weights, self.space)
        least = min(self.leads)
        ensure(least == self.margin, f"the least lead is {least}, not {self.margin}")
        rows, bound = self.points.matrix(self.model), self.margin * self.points.denominator
        check_bound(rows, self.rivals, self.blockers, self.vectors, self.space, bound=bound)
        return True


def prospect_by_points(
    board: SignsLike, model: str, rule: LinearRule, *, space: WeightSpace | None = None, time_limit: float | None = None
) -> RuleProspect:
    """Return the verified prospect of a model under a linear rule: `prospect` with point differences for signs."""
    if isinstance(board, Signs):
        raise InputError("points are made from a Leaderboard or a Profile; got Signs, which serve the rules of duels")
    points = rule.points(board)
    allowed = space_for(points, space)
    rows, rivals = points.matrix(model), points.rivals(model)
    proof = widest_margin(rows, rivals, allowed, time_limit=time_limit)
    return RuleProspect(
        model=str(model),
        rule=rule,
        margin=proof.lower / points.denominator,
        weights=exact_series(proof.weights, points.tasks, "weight"),
        blockers=exact_series(proof.blockers, proof.rivals, "blocker"),
        vectors=proof.vectors,
        points=points,
        space=allowed,
    ).verified()


def _points(number: Fraction) -> str:
    shown = str(number) if number.denominator < LONG else f"about {float(number):.4g}"
    return f"{shown} {'point' if number == 1 else 'points'}"
