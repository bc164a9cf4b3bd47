"""The least change of weights under which two rules that are linear in the weights have a winner in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from math import gcd
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import Exact, Record, Result, ensure, exact_series
from weightlab._text import first_few, number
from weightlab.data import Leaderboard, LeaderboardLike, Points
from weightlab.exceptions import (
    ImpossibleError,
    InputError,
    SolverError,
    TimeLimitError,
    UnknownNameError,
    UnprovedError,
)
from weightlab.lp import WeightSpace
from weightlab.lp.certificates.dual import check_bound, check_exact, todays_shares
from weightlab.lp.certificates.linear_optimum import Optimum, best_over
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.certificates.objectives import LinearObjective, closest_to, objective_for
from weightlab.lp.space.conditions import Norm, checked_norm
from weightlab.lp.verdicts.scoring_rule import POINT_RULES, PointRule
from weightlab.rules.inputs import weighing
from weightlab.studies.question import Answers, AskedRule, Question, ask

Reason: TypeAlias = Literal["the time limit passed", "nothing was proved", "the solver failed"]
"""Why it was not found how near a candidate can win."""


class Bound(Record):
    """How near to today's weights a model can win by two rules, with what proves it.

    Attributes
    ----------
    nearest : Optimum or None
        The nearest weights at which it has the most points by each rule; None where it never does.
    margin : Fraction or None
        Then: the largest lead over all rivals by both rules, which is negative.
    blockers : Series of Fraction by condition, or None
        The mixture of conditions that proves it.
    """

    nearest: Optimum | None = None
    margin: Fraction | None = None
    blockers: Exact | None = None

    @property
    def value(self) -> Fraction | None:
        """The least distance, None where there is none."""
        return None if self.nearest is None else self.nearest.value

    def check(self, rows: AnyArray, labels: tuple[str, ...], objective: LinearObjective, space: WeightSpace) -> None:
        """Ensure that the weights are the nearest, or that there are none."""
        if self.nearest is not None:
            ensure(self.nearest.objective == objective, "the distance is not counted from today's weights")
            ensure(self.nearest.duels == labels and self.nearest.least == 0, "the conditions are not those of winning")
            self.nearest.check(rows, space)
            return
        ensure(self.margin is not None and self.blockers is not None, "neither weights nor what rules them out")
        if self.margin is not None and self.blockers is not None:
            check_exact(margin=self.margin)
            ensure(self.margin < 0, f"a lead of {self.margin} rules nothing out")
            ensure(tuple(self.blockers.index) == labels, "the blockers are not about the conditions of winning")
            check_bound(rows, labels, self.blockers, {}, space, bound=self.margin)


class CommonWinner(Result, kind="common_winner"):
    """The nearest weights under which two rules have a winner in common.

    Attributes
    ----------
    answers : Answers
        What the rules say today, with the board.
    norm : {"l1", "linf"}
        How changes of weights are measured: their sum, or the largest of them.
    asked : str or None
        Who was to be the winner; None for any model.
    bounds : mapping from model to Bound
        For each candidate how near it can win by both rules, proved.
    unsettled : mapping from model to {"the time limit passed", "nothing was proved", "the solver failed"}
        The candidates for which that was not found, and why.
    """

    derived: ClassVar[tuple[str, ...]] = ("rules", "winner", "weights", "value")

    norm: Norm
    asked: str | None
    bounds: Mapping[str, Bound]
    unsettled: Mapping[str, Reason] = field(default_factory=dict)
    answers: Answers

    @property
    def rules(self) -> tuple[str, str]:
        """The two rules."""
        return self.answers.pair

    @property
    def winner(self) -> str | None:
        """The candidate that can win nearest to today's weights, as far as known; None where none of them ever can."""
        near = [(one.value, place, model) for place, (model, one) in enumerate(self.bounds.items()) if one.nearest]
        return min(near)[2] if near else None

    @property
    def weights(self) -> pd.Series | None:
        """The nearest weights, of the tasks that weigh today: both rules have the winner among theirs, ties count."""
        nearest = None if self.winner is None else self.bounds[self.winner].nearest
        return None if nearest is None else nearest.weights

    @property
    def value(self) -> Fraction | None:
        """The distance from today's weights, as shares of 1."""
        return None if self.winner is None else self.bounds[self.winner].value

    @property
    def winners_there(self) -> dict[str, tuple[str, ...]]:
        """Who wins by each rule under the weights; as today where there are none."""
        if self.weights is None:
            return {name: one.winners for name, one in self.answers.items()}
        board = weighing(self.answers.board).replace(weights=self.weights)
        return {name: question.answer(board).winners for name, question in self.answers.questions.items()}

    def __str__(self) -> str:
        """Say who can be the winner of both, and how far away."""
        one, other = self.rules
        if not self.bounds:
            return f"Which common winner {one} and {other} can have was not found. {self._not_settled}"
        found = self._found_said()
        return f"{found} {self._not_settled}" if self.unsettled else found

    @property
    def _not_settled(self) -> str:
        reasons = [f"{model} ({reason})" for model, reason in self.unsettled.items()]
        return f"Nothing is known of {first_few(reasons, 3)}."

    def _found_said(self) -> str:
        one, other = self.rules
        if self.winner is None or self.value is None:
            who = "no model" if self.asked is None else f"not {self.asked}"
            who = f"none of {first_few(self.bounds)}" if self.unsettled else who
            return f"{one} and {other} have {who} for a common winner, whatever the weights."
        if not self.value:
            return f"{one} and {other} have a common winner at today's weights: {self.winner}."
        whom = "a common winner" if self.asked is None else "this common winner"
        return (
            f"{one} and {other} have {self.winner} for {whom} after a change of weights by {number(self.value)}: "
            f"the least{' of what is known' if self.unsettled else ''}, "
            f"{'the sum of changes' if self.norm == 'l1' else 'the largest change'} counted."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return today's weights (as shares of 1) and those found, by task."""
        board = weighing(self.answers.board)
        today = todays_shares(board, board.tasks)
        table = pd.DataFrame({"today": today})
        if self.weights is not None:
            table["there"] = self.weights
            table["change"] = table["there"] - today
        return table

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check both rankings, how near each candidate can win, and that both rules have the winner there.

        Everything is exact and without a solver.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        self.answers.verify(source)
        ensure(len(self.answers) == 2, "two rules have a common winner, no more and no fewer")
        reason = why_not_linear(self.answers.questions, self.answers.board)
        ensure(reason is None, str(reason))
        conditions = _Conditions(self.answers, self.norm)
        candidates = conditions.models if self.asked is None else (self.asked,)
        settled = tuple(model for model in candidates if model not in self.unsettled)
        ensure(tuple(self.bounds) == settled, "the bounds are not about the candidates, in order")
        ensure(set(self.unsettled) <= set(candidates), "what is not settled is not about candidates")
        for model, bound in self.bounds.items():
            rows, labels = conditions.rows(model)
            bound.check(rows, labels, conditions.objective, conditions.space)
        if self.winner is not None:
            for name, winners in self.winners_there.items():
                ensure(self.winner in winners, f"by {name} the winners there are {', '.join(winners)}")
        return True


class _Conditions:
    """What two linear rules ask of the weights so that a model is among the winners of both."""

    def __init__(self, answers: Answers, norm: Norm) -> None:
        """Note the points, today's weights and the distance from them."""
        board = weighing(answers.board)
        found = {name: linear_points(question, board) for name, question in answers.questions.items()}
        self.points: dict[str, Points] = {name: points for name, points in found.items() if points is not None}
        self.models = board.models
        self.space = WeightSpace(board.tasks)
        today = todays_shares(board, board.tasks).tolist()
        self.objective = objective_for(closest_to(today, norm), None, self.space)

    def rows(self, model: str) -> tuple[AnyArray, tuple[str, ...]]:
        """Return the model's points less each rival's by each rule (integers), and what the rows are called."""
        place, found, labels = self.models.index(model), [], []
        for name, points in self.points.items():
            for row, rival in enumerate(points.models):
                if row != place:
                    leads = [int(number) for number in (points.numerators[place] - points.numerators[row]).tolist()]
                    # Only signs of totals matter: small numbers spare the exact arithmetic.
                    unit = gcd(*leads) or 1
                    found.append([number // unit for number in leads])
                    labels.append(f"{name}: {rival}")
        fits = all(abs(number) < 2**53 for row in found for number in row)
        shape = (len(found), len(self.space.tasks))
        return np.array(found, dtype=np.int64 if fits else object).reshape(shape), tuple(labels)

    def bound(self, model: str, time_limit: float | None) -> Bound:
        """Return how near a model can win by both rules, proved."""
        rows, labels = self.rows(model)
        try:
            return Bound(nearest=best_over(rows, labels, self.space, self.objective, time_limit=time_limit))
        except ImpossibleError:
            # By Farkas' lemma: a mixture of the conditions whose total is negative under all weights.
            proof = widest_margin(rows, labels, self.space, time_limit=time_limit)
            return Bound(margin=proof.upper, blockers=exact_series(proof.blockers, labels, "blocker"))


def common_winner(
    board: LeaderboardLike,
    rule_a: AskedRule,
    rule_b: AskedRule,
    *,
    model: str | None = None,
    options: Mapping[str, Any] | None = None,
    norm: str = "l1",
    time_limit: float | None = None,
) -> CommonWinner:
    """Find the least change of weights under which two rules have a winner in common.

    Parameters
    ----------
    board : Leaderboard
        What is ranked.
    rule_a, rule_b : str or Rule
        Rules that are linear in the weights: mean, Borda, plurality, veto, Dowdall.
    model : str, optional
        Who is to be the winner; any model by default.
    options : mapping, optional
        Options for both rules, where they have them.
    norm : {"l1", "linf"}
        How changes of weights (as shares of 1) are measured: their sum, between 0 and 2, or the largest of them.
    time_limit : float, optional
        Seconds for each program.

    Returns
    -------
    CommonWinner
        ``.winner`` ``.weights`` ``.value`` ``.winners_there`` ``.bounds`` ``.verify()``.

    Raises
    ------
    InputError
        If a rule is another one, or skips missing scores.
    UnknownNameError
        If there is no such model.
    UnprovedError, TimeLimitError, SolverError
        If nothing was found for any candidate; candidates for which it was are kept.

    Notes
    -----
    A model that ties for the first place wins, too: the weights under which it wins alone come arbitrarily near, if
    there are any. A linear program a candidate, each proved exactly.

    References
    ----------
    Vote'n'Rank, section 3.2 and table 2 (prospective winners by rule).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 0}}
    ... )
    >>> found = common_winner(board, "mean", "borda")
    >>> print(found)
    mean and borda have a for a common winner after a change of weights by 1/3: the least, the sum of \
changes counted.
    >>> found.winners_there
    {'mean': ('a',), 'borda': ('a', 'b')}
    """
    answers = ask(board, [rule_a, rule_b], options=options)
    found, failure = winner_of(answers, model=model, norm=norm, time_limit=time_limit)
    if failure is not None and not found.bounds:
        raise failure
    return found


def winner_of(
    answers: Answers, *, model: str | None, norm: str, time_limit: float | None
) -> tuple[CommonWinner, UnprovedError | SolverError | None]:
    """Return the least change of weights under which two rules have a winner in common, and why it is not all known."""
    measured = checked_norm(norm)
    reason = why_not_linear(answers.questions, answers.board)
    if reason is not None:
        raise InputError(reason)
    conditions = _Conditions(answers, measured)
    if model is not None and str(model) not in conditions.models:
        raise UnknownNameError("model", model, conditions.models)
    candidates = conditions.models if model is None else (str(model),)
    bounds: dict[str, Bound] = {}
    unsettled: dict[str, Reason] = {}
    failure: UnprovedError | SolverError | None = None
    for one in candidates:
        try:
            bounds[one] = conditions.bound(one, time_limit)
        except (UnprovedError, SolverError) as error:
            failure, unsettled[one] = error, _reason(error)
    asked = None if model is None else str(model)
    found = CommonWinner(answers=answers, norm=measured, asked=asked, bounds=bounds, unsettled=unsettled)
    found.verify()
    return found, failure


def _reason(failure: UnprovedError | SolverError) -> Reason:
    if isinstance(failure, TimeLimitError):
        return "the time limit passed"
    return "the solver failed" if isinstance(failure, SolverError) else "nothing was proved"


def linear_points(question: Question, board: Leaderboard) -> Points | None:
    """Return the points that a rule sums up over the tasks of a board, times their weights; None for other rules.

    A rule is linear here if a model's score is the sum over tasks of weight times points, all of which the table tells.
    A mean that skips missing scores divides by weights, and is not; nor is one of scores that stand for missing ones.
    """
    rule = question.rule
    if rule is None or rule.name not in POINT_RULES:
        return None
    options = {name: value for name, value in rule.options.items() if name in {"ties", "missing"}}
    missing = options.get("missing", "error")
    if not board.missing_cells:
        options["missing"] = "error"
    elif missing not in {"error", "last"}:
        return None
    return PointRule.of(rule.name, **options).points(board)


def why_not_linear(questions: Mapping[str, Question], board: Leaderboard) -> str | None:
    """Return why no weights are searched for these questions: which is not linear in them; None where all are."""
    own = weighing(board)
    for name, question in questions.items():
        if linear_points(question, own) is None:
            linear = f"rules linear in them ({', '.join(POINT_RULES)}, no score skipped)"
            return f"no least change of weights is known for {name}, but for {linear}"
    return None
