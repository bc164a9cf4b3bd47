"""Why two rules disagree: the pairs on which they disagree, the tasks behind each, and what would reconcile them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import Record, Result, ensure, exact_series
from weightlab._solver import deadline_in, is_past, within
from weightlab._text import counted, first_few
from weightlab.data import Leaderboard, LeaderboardLike, Points
from weightlab.data.linear_rule import POINT_RULES, LinearRule
from weightlab.exceptions import (
    ImpossibleError,
    InputError,
    SolverError,
    TimeLimitError,
    UnknownNameError,
    UnprovedError,
)
from weightlab.lp import WeightSpace
from weightlab.lp.certificate import Optimum, check_bound, check_exact, todays_shares
from weightlab.lp.certificates.max_margin import best_over, widest_margin
from weightlab.lp.certificates.objectives import LinearObjective, closest_to, objective_for
from weightlab.lp.sensitivity.least_change import Reversals, reversals
from weightlab.lp.space.conditions import Norm, checked_norm, move_words
from weightlab.rules import group_weighted, kendall_tau, reversed_pairs, rule
from weightlab.rules.inputs import weighing
from weightlab.studies.question import Answers, AskedRule, OfRules, Question, ask

Pair = tuple[str, str]
MEAN = Question(rule=rule("mean"))


class Disagreement(OfRules, Result, kind="disagreement"):
    """The pairs of models on whose order two rules disagree, and the least changes of weights that reconcile them.

    Attributes
    ----------
    answers : Answers
        The two rankings, with the board.
    disputed : tuple of (str, str)
        Pairs whose first model stands above the second by the first rule and below it by the second.
    norm : {"l1", "linf"}
        How changes of weights are measured: their sum, or the largest of them.
    first, second : Reversals or None
        For each pair the nearest weights at which the first rule (the second) draws the two level, with what proves
        them nearest; None unless both rules are linear: sums over tasks of weight times points.
    reconciled : CommonWinner or None
        The least change of weights under which both have a winner in common; None where it was not asked for, or a rule
        is not linear.
    """

    derived: ClassVar[tuple[str, ...]] = ("rules",)

    norm: Norm
    disputed: tuple[Pair, ...]
    first: Reversals | None
    second: Reversals | None
    reconciled: CommonWinner | None
    answers: Answers

    @property
    def rules(self) -> tuple[str, str]:
        """The two rules."""
        return self.answers.pair

    @property
    def tau(self) -> float:
        """Kendall's tau-b between the two rankings."""
        one, other = self.answers.orders.values()
        return kendall_tau(one, other)

    @property
    def winners(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Who wins by each."""
        one, other = (answer.winners for answer in self.answers.values())
        return one, other

    def nearest(self, upper: str, lower: str) -> Optimum | None:
        """Return the nearest weights at which no rule contradicts the other about a pair; None where none are known.

        The rule whose mind is changed with less draws the two level there. Between today's weights and these both
        rules say what they say today.

        Raises
        ------
        UnknownNameError
            If the two rules do not disagree on the pair.
        """
        return self._nearest_at(self._place(upper, lower))

    @property
    def changes(self) -> pd.Series:
        """The least change of weights that reconciles each pair (a Fraction; None where none does or is known)."""
        index = pd.MultiIndex.from_tuples(self.disputed, names=["upper", "lower"])
        found = [self._nearest_at(place) for place in range(len(self.disputed))]
        return pd.Series([None if one is None else one.value for one in found], index=index, dtype=object)

    def by_task(self, upper: str, lower: str) -> pd.DataFrame:
        """Return the exact verdict of each task on a pair.

        Returns
        -------
        DataFrame
            Tasks x ``weight`` (of 1), ``lead`` (the difference of the scores, negated where lower is better; NaN
            where a score is missing), ``sign`` (who leads), and for each linear rule its part of the difference of the
            two totals, per unit of total weight. With ``mean`` among the rules also ``to_level``: by how much one score
            on this task alone would have to change, one way or the other, for the means to be equal; with
            ``macro_average`` its part and ``to_level_macro`` accordingly.

        Raises
        ------
        UnknownNameError
            If the two rules do not disagree on the pair.
        """
        self._place(upper, lower)
        board = weighing(self.answers.board)
        shares = todays_shares(board, board.tasks)
        table = pair_leads(board, upper, lower)
        table.insert(0, "weight", shares)
        for name, question in self.answers.questions.items():
            macro = question.average == "macro_average"
            found = linear_rows(MEAN if macro else question, board, [(upper, lower)])
            if found is None:
                continue
            rows, denominator = found
            own = todays_shares(group_weighted(board), board.tasks) if macro else shares
            parts = [Fraction(int(one), denominator) for one in rows[0].tolist()]
            table[name] = pd.Series(parts, index=list(board.tasks), dtype=object) * own
            if macro or (question.rule is not None and question.rule.name == "mean"):
                gap = abs(sum(table[name].tolist(), Fraction(0)))
                level = pd.Series([gap / share for share in own], index=list(board.tasks), dtype=object)
                table["to_level_macro" if macro else "to_level"] = level
        return table

    def __str__(self) -> str:
        """Say on how many pairs they disagree, which is the easiest to reconcile, and what reconciles the rules."""
        reason = why_not_linear(self.answers.questions, self.answers.board)
        if reason is not None:
            return f"{self._pairs_said()} {reason[0].upper()}{reason[1:]}."
        return self._pairs_said() if self.reconciled is None else f"{self._pairs_said()} {self.reconciled}"

    def _pairs_said(self) -> str:
        one, other = self.rules
        count = len(self.answers.board.models)
        total = counted(count * (count - 1) // 2, "pair")
        if not self.disputed:
            return f"{one} and {other} disagree on none of {total}."
        known = self.changes.dropna()
        upper, lower = known.index[known.tolist().index(min(known))] if len(known) else self.disputed[0]
        said = f"{one} and {other} disagree on {len(self.disputed)} of {total}, {upper} and {lower} among them"
        if known.empty:
            return f"{said}."
        return f"{said}, reconciled first once {move_words(min(known), self.norm)}."

    def to_frame(self) -> pd.DataFrame:
        """Return one row per pair: ranks by both rules, tasks that say so and otherwise, and the change of weights."""
        board = weighing(self.answers.board)
        shares = todays_shares(board, board.tasks)
        levels = [answer.levels(board.models) for answer in self.answers.values()]
        place = {model: row for row, model in enumerate(board.models)}
        rows = []
        for (upper, lower), change in zip(self.disputed, self.changes, strict=True):
            signs = pair_leads(board, upper, lower)["sign"]
            apart = [int(one[place[lower]] - one[place[upper]]) for one in levels]
            weights = [sum(shares[signs == sign].tolist(), Fraction(0)) for sign in (1, -1)]
            rows.append((upper, lower, *apart, int((signs > 0).sum()), int((signs < 0).sum()), *weights, change))
        places = [f"places by {name}" for name in self.rules]
        columns = ["upper", "lower", *places, "tasks for", "tasks against", "weight for", "weight against", "change"]
        return pd.DataFrame(rows, columns=columns)

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check both rankings, the pairs and every least change exactly; given the board, that it is the source.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        self.answers.verify(source)
        ensure(len(self.answers) == 2, "two rules disagree, no more and no fewer")
        ensure(
            self.disputed == reversed_pairs(*self.answers.orders.values()),
            "the pairs are not those on which the rules disagree",
        )
        board = weighing(self.answers.board)
        both = _differences(self.answers, self.disputed)
        ensure(
            (self.first is not None) == (self.second is not None) == (both is not None),
            "both rules are linear, or no change is known",
        )
        for sign, rows, tips in zip((1, -1), both or (), (self.first, self.second), strict=False):
            if tips is not None:
                ensure(tips.centre == tuple(todays_shares(board, board.tasks)), "changes are not counted from today's")
                ensure(tips.norms == (self.norm,), f"changes are not measured by {self.norm}")
                tips.check(sign * rows, WeightSpace(board.tasks))
        if self.reconciled is not None:
            ensure(self.reconciled.rules == self.rules, "the smallest change belongs to different rules")
            ensure(
                self.reconciled.answers.orders == self.answers.orders,
                "the smallest change belongs to different rankings",
            )
            ensure(self.reconciled.norm == self.norm, f"the smallest change is not measured by {self.norm}")
            ensure(self.reconciled.asked is None, "the smallest change is for a requested winner")
            self.reconciled.verify(self.answers.board)
        return True

    def _nearest_at(self, place: int) -> Optimum | None:
        points = [one for tips in (self.first, self.second) if tips and (one := tips.points[self.norm][place])]
        return min(points, key=lambda one: one.value, default=None)

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        return {pair: place for place, pair in enumerate(self.disputed)}

    def _place(self, upper: str, lower: str) -> int:
        if (upper, lower) not in self._places:
            listed = tuple(f"{one} above {other}" for one, other in self.disputed)
            raise UnknownNameError("pair", f"{upper} above {lower}", listed, holder="disagreement")
        return self._places[upper, lower]


def disagreement(
    board: LeaderboardLike,
    rule_a: AskedRule,
    rule_b: AskedRule,
    *,
    options: Mapping[str, Any] | None = None,
    norm: str = "l1",
    reconcile: bool = True,
    time_limit: float | None = None,
) -> Disagreement:
    """Find why two rules rank the models of a board differently, and what least change of weights reconciles them.

    Parameters
    ----------
    board : Leaderboard
        What is ranked.
    rule_a, rule_b : rule or function
        See `Question`; the averages are ``"mean"`` (micro), ``"macro_average"`` and ``"two_step_average"``. Give a rule
        with options as ``weightlab.rules.registry("borda", ties="max")``.
    options : mapping, optional
        Options for both rules, where they have them.
    norm : {"l1", "linf"}
        How changes of weights (as shares of 1) are measured: their sum, between 0 and 2, or the largest of them.
    reconcile : bool
        Whether to look for the least change of weights that gives the rules a winner in common, as `common_winner`
        does, where both are linear in the weights: a linear program a model.
    time_limit : float, optional
        Seconds for all of those programs; candidates for which none are left are named, and what is known is kept.

    Returns
    -------
    Disagreement
        ``.reconciled`` ``.summary()`` ``.disputed`` ``.by_task(upper, lower)`` ``.changes`` ``.nearest(upper, lower)``
        ``.verify()``.

    Raises
    ------
    InputError
        If an option is wrong, or both rules have one name.
    MissingScoresError
        If a rule needs every score and some are missing.

    Notes
    -----
    A pair counts if the rules order it in opposite ways; one that either ties does not. Weights reconcile it where
    neither rule contradicts the other. On the way there one of the rules draws the two level first, while the other
    still says what it says today, so the least change is the lesser of two: of the first rule's nearest tie and the
    second's. Each has a formula for linear rules (mean, Borda, plurality, veto, Dowdall), with weights that may go
    anywhere: O(tasks log tasks) a pair. Other rules are not linear in the weights, and no change is given for a
    pair.

    The averages by group are not linear in the weights either: the macro average divides by them, the two-step average
    jumps where two models change places within a group.

    References
    ----------
    Colombo et al., section 5.2.1 and tables 3 and 7 (mean and Borda side by side); Vote'n'Rank, table 3.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 0}}
    ... )
    >>> found = disagreement(board, "mean", "borda")
    >>> print(found)
    mean and borda disagree on 1 of 3 pairs, a and b among them, reconciled first once 16.7% of the weight \
moves. mean and borda have a for a common winner once 16.7% of the weight moves, the least.
    >>> found.by_task("a", "b")["to_level"].tolist()
    [Fraction(6, 1), Fraction(6, 1), Fraction(6, 1)]
    """
    measured = checked_norm(norm)
    answers = ask(board, [rule_a, rule_b], options=options)
    pairs = reversed_pairs(*answers.orders.values())
    both = _differences(answers, pairs)
    tips: list[Reversals | None] = [None, None]
    if both is not None:
        own = weighing(answers.board)
        today, space = tuple(todays_shares(own, own.tasks)), WeightSpace(own.tasks)
        tips = [reversals(sign * rows, today, space, [measured]) for sign, rows in zip((1, -1), both, strict=True)]
    reconciled = None
    if reconcile and why_not_linear(answers.questions, answers.board) is None:
        reconciled, _ = winner_of(answers, model=None, norm=measured, time_limit=time_limit)
    first, second = tips
    return Disagreement(
        answers=answers, disputed=pairs, norm=measured, first=first, second=second, reconciled=reconciled
    )


def _differences(answers: Answers, pairs: Sequence[Pair]) -> list[AnyArray] | None:
    """Return by how much each rule has the first of each pair ahead (pairs x tasks); None unless both are linear."""
    board = weighing(answers.board)
    found = [linear_rows(question, board, pairs) for question in answers.questions.values()]
    both = [one[0] for one in found if one is not None]
    return both if pairs and len(both) == len(found) else None


def linear_rows(
    question: Question, board: Leaderboard, pairs: Sequence[tuple[str, str]]
) -> tuple[AnyArray, int] | None:
    """Return the differences of points of pairs (pairs x tasks) times a number, and it; None where none are summed."""
    points = linear_points(question, board)
    if points is None:
        return None
    row = {model: place for place, model in enumerate(points.models)}
    upper, lower = ([row[pair[side]] for pair in pairs] for side in (0, 1))
    return np.asarray(points.numerators[upper] - points.numerators[lower]), points.denominator


def pair_leads(board: Leaderboard, upper: str, lower: str) -> pd.DataFrame:
    """Return the lead of one model over another on each task, and its sign."""
    signs = board.signs()
    rows = [board.models.index(name) for name in (upper, lower)]
    down = set(board.lower_is_better)
    leads: list[Fraction | float] = []
    for place, task in enumerate(board.tasks):
        scores = board.cells.column(place)
        one, other = (scores[row] for row in rows)
        lead = float("nan") if one is None or other is None else one - other
        leads.append(-lead if task in down else lead)
    sign = signs.matrix(upper)[signs.rivals(upper).index(lower)]
    index = list(board.tasks)
    return pd.DataFrame(
        {"lead": pd.Series(leads, index=index, dtype=object), "sign": pd.Series(sign, index=index, dtype="int64")}
    )


# The least change of weights under which two rules that are linear in the weights have a winner in common.


Reason: TypeAlias = Literal["the time limit passed", "nothing was proved", "the solver failed"]
"""Why the smallest change for a candidate was not found."""


class Bound(Record):
    """How close to today's weights a model can win by two rules, with a proof.

    Attributes
    ----------
    nearest : Optimum or None
        The nearest weights at which it has the most points by each rule; None where it never does.
    margin : Fraction or None
        Then: the largest lead over all rivals by both rules, which is negative.
    blockers : mapping from condition to Fraction, or None
        The mixture of conditions that proves it.
    """

    nearest: Optimum | None = None
    margin: Fraction | None = None
    blockers: Mapping[str, Fraction] | None = None

    @property
    def value(self) -> Fraction | None:
        """The smallest distance, or None."""
        return None if self.nearest is None else self.nearest.value

    def check(self, rows: AnyArray, labels: tuple[str, ...], objective: LinearObjective, space: WeightSpace) -> None:
        """Ensure that the weights are the nearest, or that none exist."""
        if self.nearest is not None:
            self.nearest.check(rows, labels, space, objective)
            return
        ensure(self.margin is not None and self.blockers is not None, "neither weights nor what rules them out")
        if self.margin is not None and self.blockers is not None:
            check_exact(margin=self.margin)
            ensure(self.margin < 0, f"a lead of {self.margin} rules nothing out")
            ensure(tuple(self.blockers) == labels, "the blockers are not about the conditions of winning")
            check_bound(rows, labels, self.blockers, (), space, bound=self.margin)


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
        For each candidate how close to today's weights it can win by both rules, proved.
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
        """The candidate that can win by both rules nearest to today's weights, as far as known; None if none can."""
        near = [(one.value, place, model) for place, (model, one) in enumerate(self.bounds.items()) if one.nearest]
        return min(near)[2] if near else None

    @property
    def weights(self) -> pd.Series | None:
        """The nearest weights, of the tasks that weigh today: both rules have the winner among theirs, ties count."""
        nearest = None if self.winner is None else self.bounds[self.winner].nearest
        tasks = weighing(self.answers.board).tasks
        return None if nearest is None else exact_series(nearest.along(tasks), tasks, "weight")

    @property
    def value(self) -> Fraction | None:
        """The distance from today's weights, as shares of 1."""
        return None if self.winner is None else self.bounds[self.winner].value

    @property
    def winners_there(self) -> dict[str, tuple[str, ...]]:
        """Who wins by each rule under the weights; as today without weights."""
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
            f"{one} and {other} have {self.winner} for {whom} once {move_words(self.value, self.norm)}, "
            f"the least{' of what is known' if self.unsettled else ''}."
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
        """Re-check both rankings, how close each candidate can win, and that both rules have the winner there.

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

    def bound(self, model: str) -> Bound:
        """Return how close to today's weights a model can win by both rules, proved."""
        rows, labels = self.rows(model)
        try:
            return Bound(nearest=best_over(rows, labels, self.space, self.objective))
        except ImpossibleError:
            # By Farkas' lemma: a mixture of the conditions whose total is negative under all weights.
            proof = widest_margin(rows, labels, self.space)
            return Bound(margin=proof.upper, blockers=dict(zip(labels, proof.blockers, strict=True)))


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
        Seconds for the whole search.

    Returns
    -------
    CommonWinner
        ``.winner`` ``.weights`` ``.value`` ``.winners_there`` ``.bounds`` ``.verify()``.

    Raises
    ------
    InputError
        If a rule is not supported, or skips missing scores.
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
    mean and borda have a for a common winner once 16.7% of the weight moves, the least.
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
    # Models that every rule ranks high today are likely to be close: they come first, so that a limit leaves others.
    places = [{one: place for place, tied in enumerate(order) for one in tied} for order in answers.orders.values()]
    with within(time_limit):
        deadline = deadline_in(None)
        for one in sorted(candidates, key=lambda one: max(place[one] for place in places)):
            if unsettled and is_past(deadline):
                unsettled[one] = "the time limit passed"
                continue
            try:
                bounds[one] = conditions.bound(one)
            except (UnprovedError, SolverError) as error:
                failure, unsettled[one] = error, _reason(error)
    asked = None if model is None else str(model)
    found = CommonWinner(
        answers=answers,
        norm=measured,
        asked=asked,
        bounds={one: bounds[one] for one in candidates if one in bounds},
        unsettled={one: unsettled[one] for one in candidates if one in unsettled},
    )
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
    return LinearRule.of(rule.name, **options).points(board)


def why_not_linear(questions: Mapping[str, Question], board: Leaderboard) -> str | None:
    """Return why no weights are searched for these questions: which is not linear in them; None where all are."""
    own = weighing(board)
    for name, question in questions.items():
        if linear_points(question, own) is None:
            linear = f"rules linear in them ({', '.join(POINT_RULES)}, no score skipped)"
            return f"no smallest change of weights is known for {name}, only for {linear}"
    return None
