"""Linear rules, weights still free: what a place or a score is worth, and whether a model can have the most points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, Number
from weightlab._result import Exact, Record, Result, ensure, exact_series
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike, SignsLike, as_table
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.points import NAMED_VECTORS, Missing, Points, Ties, check_options, missing_scores, scoring_vector
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.certificate import check_bound, multipliers_of
from weightlab.lp.certificates.dual import check_exact, check_weighting, leads
from weightlab.lp.certificates.max_margin import Verdict, shares_frame, verdict_at, widest_margin
from weightlab.lp.space.space import TaskShares, Vectors, WeightSpace, space_for

PointsLike: TypeAlias = ProfileLike
"""What points are made from; the mean needs the scores of a leaderboard."""
RuleLike: TypeAlias = str | Sequence[Number]
"""A rule by name, or the points of the places, best first."""
MEAN = "mean"
SCORING = "scoring"
POINT_RULES = (MEAN, *NAMED_VECTORS)
"""Linear rules by name, as in the registry of rules; a vector of one's own is the rule ``scoring`` there."""
LONG = 10**4
"""Fractions with a denominator from here on are said as decimals."""


class PointRule(Record, eq=True):
    """A linear rule: a model's total is the sum over the tasks of weight times points.

    Attributes
    ----------
    name : str
        As in the registry of rules.
    ties : {"average", "min", "max"}
        What tied models get: the average of their places' points, those of the least place ("min", the best) or of the
        greatest ("max"); means take no notice.
    missing : {"error", "last"}
        Whether missing scores are refused or tie for the last places.
    vector : tuple of Fraction, or None
        Points of the places, best first, for the rule ``scoring``.
    """

    name: str
    ties: Ties = "average"
    missing: Missing = "error"
    vector: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse a rule that there is not, and options that it does not have."""
        if self.name not in (*POINT_RULES, SCORING):
            raise UnknownNameError("linear rule", self.name, POINT_RULES, holder="list of them")
        if (self.name == SCORING) != (self.vector is not None) or self.vector == ():
            raise InputError(f"the points of the places are needed for the rule {SCORING!r}, and for no other")
        if self.name == MEAN and (self.ties, self.missing) != ("average", "error"):
            raise InputError("the mean reads scores, not places: it takes no ties and no missing")
        check_options("borda", self.ties, self.missing)

    @classmethod
    def of(cls, rule: RuleLike, *, ties: Ties | None = None, missing: Missing | None = None) -> PointRule:
        """Return the rule that a user means.

        Raises
        ------
        UnknownNameError, InputError
            If there is no such linear rule, or it has no such option.
        """
        name, vector = rule, None
        if not isinstance(rule, str):
            name, vector = SCORING, _vector(rule)
        elif rule not in POINT_RULES:
            raise UnknownNameError("linear rule", rule, POINT_RULES, holder="list of them")
        if name == MEAN and ties is not None:
            raise InputError(f"the mean reads scores, not places: it takes no ties={ties!r}")
        if name == MEAN and missing not in (None, "error"):
            raise InputError(f"the mean has no points for a missing score: it takes no missing={missing!r}")
        return cls(name=str(name), ties=ties or "average", missing=missing or "error", vector=vector)

    def __str__(self) -> str:
        """Return the name, with ways to treat ties and missing scores that are not the usual ones."""
        shown = self.name
        if self.vector is not None:
            some = ", ".join(map(str, self.vector[:6])) + (", ..." if len(self.vector) > 6 else "")
            shown = f"{self.name} ({some})"
        shown += "" if self.ties == "average" else f", ties={self.ties}"
        return shown if self.missing == "error" else f"{shown}, missing={self.missing}"

    def points(self, board: SignsLike) -> Points:
        """Return the points of every model on every task.

        Raises
        ------
        MissingScoresError
            If scores are missing and may not be.
        InputError
            If the table does not hold what the rule reads.
        """
        board = as_table(board)
        if isinstance(board, Leaderboard):
            kind = "scores" if self.name == MEAN else self.vector or self.name
            return board.points(kind, ties=self.ties, missing=self.missing)
        if not isinstance(board, Profile):
            raise InputError(f"points are made from a Leaderboard or a Profile; got a {type(board).__name__}")
        if self.name == MEAN:
            raise InputError("the mean needs scores, and a profile has none: give it the leaderboard")
        absent = [(model, voter) for voter, models in board.unranked.items() for model in models]
        if absent and self.missing == "error":
            raise missing_scores(absent, board.models, board.voters, "last", votes=True)
        levels = np.nan_to_num(board.signs().levels, nan=-np.inf)
        return Points.from_levels(board.models, board.voters, levels, self._places(len(board.models)), self.ties)

    def _places(self, count: int) -> list[Fraction]:
        return scoring_vector(self.name if self.vector is None else list(self.vector), count)

    def check(self, points: Points, space: WeightSpace, source: PointsLike | None) -> None:
        """Ensure that points are what the rule gives for some table, a source's where one is given.

        The points of a rule by place order the models; what the rule gives for that order must be the same points.
        """
        _check_points(points, space.tasks)
        if source is not None:
            self._check_source(points, source)
        if self.name == MEAN:
            return
        order = [np.unique(column, return_inverse=True)[1] for column in points.numerators.T]
        levels = np.array(order, dtype=np.float64).T
        made = Points.from_levels(points.models, points.tasks, levels, self._places(len(points.models)), self.ties)
        for who, value, _ in _differences(points, made.numerators, made.denominator):
            ensure(holds=False, failure=f"{value} points of {who} are not by the rule {self}")

    def _check_source(self, points: Points, source: PointsLike) -> None:
        """Ensure that points are those that the rule gives for a table."""
        table = self.points(source)
        for kind, claimed, found in (("models", points.models, table.models), ("tasks", points.tasks, table.tasks)):
            ensure(set(claimed) == set(found) and len(claimed) == len(found), f"the source has other {kind}")
        rows = [table.models.index(model) for model in points.models]
        columns = [table.tasks.index(task) for task in points.tasks]
        own = table.numerators[np.ix_(rows, columns)]
        for who, value, right in _differences(points, own, table.denominator):
            ensure(holds=False, failure=f"the source gives {who} {right} points, not {value}")


def _differences(points: Points, numerators: AnyArray, denominator: int) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Yield where points differ from others, the points there, and the others."""
    own, other = points.numerators.astype(object), numerators.astype(object)
    for model, task in np.argwhere(own * denominator != other * points.denominator).tolist():
        who = f"{points.models[model]!r} on {points.tasks[task]!r}"
        yield who, Fraction(own[model, task], points.denominator), Fraction(other[model, task], denominator)


def _vector(points: object) -> tuple[Fraction, ...]:
    """Return the points of the places that a user lists."""
    listed = points.tolist() if isinstance(points, np.ndarray | pd.Series) else points
    if isinstance(listed, bytes) or not isinstance(listed, Sequence) or not listed:
        raise InputError(f"a rule is a name or a list of the points of the places, best first; got {points!r}")
    return tuple(scoring_vector(listed, len(listed)))


def _check_points(points: Points, tasks: Sequence[str]) -> None:
    """Ensure that points are whole numbers over a positive one, a row a model and a column a task, in this order."""
    ensure(points.tasks == tuple(tasks), "the tasks of the space are not those of the points, in the same order")
    ensure(len(points.models) > 1, "there must be at least two models")
    ensure(len(set(points.models)) == len(points.models), "two models have the same name")
    ensure(type(points.denominator) is int and points.denominator > 0, "points need a positive denominator")
    ensure(points.numerators.shape == (len(points.models), len(points.tasks)), "the points do not fit models and tasks")
    whole = points.numerators.dtype.kind == "i" or all(type(one) is int for one in points.numerators.ravel().tolist())
    ensure(whole, "the numerators of points must be whole numbers")


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
    vectors : tuple of mappings from task to Fraction
        One a condition of the space, for that proof; ``multipliers`` says how much each counts.
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
    vectors: Vectors
    points: Points
    space: WeightSpace

    @property
    def verdict(self) -> Verdict:
        """``strict`` (can be the only winner), ``weak`` (can share the first place at best) or ``never``."""
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
        found = leads(differences(self.points, self.model), self.weights.tolist())
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
        self.rule.check(self.points, self.space, source)
        ensure(self.model in self.points.models, f"{self.model!r} is not among the models")
        ensure(tuple(self.blockers.index) == self.rivals, "the blockers are not about the rivals, in order")
        check_weighting(self.weights, self.space)
        least = min(self.leads)
        ensure(least == self.margin, f"the least lead is {least}, not {self.margin}")
        rows, bound = differences(self.points, self.model), self.margin * self.points.denominator
        check_bound(rows, self.rivals, self.blockers, self.vectors, self.space, bound=bound)
        return True


def prospect_by_points(
    board: SignsLike, model: str, rule: PointRule, *, space: WeightSpace | None = None, time_limit: float | None = None
) -> RuleProspect:
    """Return the verified prospect of a model under a linear rule: `prospect` with point differences for signs."""
    if isinstance(board, Signs):
        raise InputError("points are made from a Leaderboard or a Profile; got Signs, which serve the rules of duels")
    points = rule.points(board)
    allowed = space_for(points, space)
    rows, rivals = differences(points, model), points.rivals(model)
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


def differences(points: Points, model: str) -> AnyArray:
    """Return a model's points less each rival's (rivals x tasks, in board order), times the denominator.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    """
    position = points.position(model)
    return np.delete(points.numerators[position] - points.numerators, position, axis=0)


def _points(number: Fraction) -> str:
    shown = str(number) if number.denominator < LONG else f"about {float(number):.4g}"
    return f"{shown} {'point' if number == 1 else 'points'}"
