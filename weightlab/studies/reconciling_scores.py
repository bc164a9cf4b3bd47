"""The least change of scores that reconciles two rules: one model rises until they no longer part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np
import pandas as pd

from weightlab._result import Proof, Result, ensure, read_fraction, to_json
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp.certificate import check_exact, series_dict, series_from_json
from weightlab.lp.ladder import places_changed
from weightlab.lp.rises import Rise, rise_words
from weightlab.lp.score_column import score_columns
from weightlab.lp.table import with_scores
from weightlab.lp.terms import ByTask, Counted, Terms, terms_words
from weightlab.rules.entry import weighing
from weightlab.studies.answers import Answers, ask
from weightlab.studies.questions import Answer, AskedRule
from weightlab.studies.rise_search import Goal, checked_goal, least_rise

__all__ = ["ReconcilingScores", "reconciling_scores", "scores_for"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReconcilingScores(Result, kind="reconciling_scores"):
    """The least that one model must improve so that two rules have a winner in common, or agree on a pair.

    Attributes
    ----------
    answers : Answers
        What the rules say today, with the board.
    goal : Goal
        The pair, or the winner that was asked for.
    counted : {"result", "score"}
        What improving costs: results that change, or units of score.
    model : str
        Who improves.
    scores : Series of Fraction by task
        Its new scores, where they are new.
    cost : Fraction
        What they cost together.
    terms : mapping from task to Terms
        Prices and limits, of the tasks that weigh.
    solver : str or None
        Whose word it is that nothing is cheaper; None where that is clear without one.
    """

    answers: Answers
    goal: Goal
    counted: Counted
    model: str
    scores: pd.Series
    cost: Fraction
    terms: Mapping[str, Terms] = field(repr=False)
    solver: str | None

    @property
    def rules(self) -> tuple[str, str]:
        """The two rules."""
        return self.answers.pair

    @property
    def proof(self) -> Proof:
        """``exact`` unless a solver is named."""
        return Proof.EXACT if self.solver is None else Proof.EXACT_WITNESS

    @property
    def table(self) -> Leaderboard:
        """The table as it is, without tasks of weight 0."""
        return weighing(self.answers.board)

    def board(self) -> Leaderboard:
        """Return the table with the new scores."""
        return with_scores(self.table, {(self.model, task): one for task, one in series_dict(self.scores).items()})

    @property
    def answers_there(self) -> dict[str, Answer]:
        """What both rules say of the table with the new scores."""
        board = self.board()
        return {name: question.answer(board) for name, question in self.answers.questions.items()}

    @property
    def rises(self) -> tuple[Rise, ...]:
        """The improvements, one a task, with what each changes and costs."""
        table, board = self.table, self.board()
        rivals = [one for one in table.models if one != self.model]
        today, after = table.signs().matrix(self.model), board.signs().matrix(self.model)
        found = []
        for task in map(str, self.scores.index):
            column = table.tasks.index(task)
            old = table.cells.column(column)[table.models.index(self.model)]
            ensure(old is not None, f"{self.model!r} has no score on {task!r} that could improve")
            before, now = today[:, column], after[:, column]
            moved = abs(self.scores[task] - (old or 0))
            amount = moved if self.counted == "score" else Fraction(places_changed(before, now))
            found.append(
                Rise(
                    task=task,
                    old=old or Fraction(0),
                    new=self.scores[task],
                    passed=tuple(rivals[one] for one in np.flatnonzero((now > before) & (now > 0))),
                    tied=tuple(rivals[one] for one in np.flatnonzero((now > before) & (now == 0))),
                    amount=amount,
                    cost=amount * self.terms[task].cost,
                )
            )
        return tuple(found)

    @property
    def is_clearly_least(self) -> bool:
        """Whether nothing can be cheaper: it costs nothing, or no more than any change does, and some is needed."""
        if not self.cost:
            return True
        single = [one.cost * (one.step if self.counted == "score" else 1) for one in self.terms.values()]
        return self.cost == min(single) and not self.goal.holds(self.answers.found)

    def __str__(self) -> str:
        """Say what to improve, and what it reconciles."""
        one, other = self.rules
        reconciled = self.goal.words(self.model)
        rises = self.rises
        if not rises:
            return f"{one} and {other} {reconciled} as the scores are."
        by_score = self.counted == "score"
        todo = rise_words(rises, set(self.table.lower_is_better), by_score=by_score)
        count = f"{self.cost} in all" if by_score else f"{self.cost} {'result' if self.cost == 1 else 'results'}"
        said = f", by {self.solver}'s bound" if self.solver else ""
        terms = terms_words(self.terms, score_columns(self.table), by_score=by_score)
        return (
            f"{one} and {other} {reconciled} if {self.model} can {todo}: {count}, the least that will do{said}.{terms}"
        )

    def summary(self) -> pd.DataFrame:
        """Return the improvements by task: from, to, passed, tied, cost, numbers as floats."""
        rows = [
            (one.task, float(one.old), float(one.new), ", ".join(one.passed), ", ".join(one.tied), float(one.cost))
            for one in self.rises
        ]
        return pd.DataFrame(rows, columns=["task", "from", "to", "passed", "tied", "cost"]).set_index("task")

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check exactly, without a solver, the rankings of today, the improvements, their cost and what they do.

        That nothing is cheaper is re-checked where ``proof`` is ``exact``, and the solver's word otherwise.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        self.answers.verify(source)
        ensure(len(self.answers) == 2, "two rules are reconciled, no more and no fewer")
        self.goal.check(self.answers.found, self.table.models, self.model)
        ensure(self.counted in ("score", "result"), f"improving costs scores or results, not {self.counted!r}")
        ensure(tuple(self.terms) == self.table.tasks, "the terms are not about the tasks that weigh, in order")
        check_exact(cost=self.cost)
        ensure(set(series_dict(self.scores)) <= set(self.table.tasks), "the new scores name a task that there is not")
        for terms in self.terms.values():
            terms.check()
        rises = self.rises
        for rise in rises:
            self._check_rise(rise)
        total = sum((rise.cost for rise in rises), Fraction(0))
        ensure(total == self.cost, f"the improvements cost {total}, not {self.cost}")
        ensure(self.goal.holds(self.answers_there, self.model), "the rules still part with the new scores")
        ensure(
            (self.solver is None) == self.is_clearly_least,
            "a solver is named where, and only where, its word is relied on",
        )
        return True

    def _check_rise(self, rise: Rise) -> None:
        terms, lower = self.terms[rise.task], rise.task in self.table.lower_is_better
        better = rise.old - rise.new if lower else rise.new - rise.old
        ensure(better > 0, f"{rise.new} is no improvement on {rise.old} on {rise.task!r}")
        within = terms.most is None or rise.amount <= terms.most
        ensure(within, f"{rise.task!r} improves by {rise.amount}, more than {terms.most}")
        if self.counted == "score":
            ensure((better / terms.step).denominator == 1, f"{rise.task!r} improves by no whole number of steps")
            reached = terms.best is None or (rise.new >= terms.best if lower else rise.new <= terms.best)
            ensure(reached, f"{rise.new} on {rise.task!r} is beyond the best score {terms.best}")

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON.

        Raises
        ------
        InputError
            If a question is a function.
        """
        return {
            "kind": self.kind,
            "goal": self.goal.to_dict(),
            "counted": self.counted,
            "model": self.model,
            "scores": to_json(self.scores),
            "cost": to_json(self.cost),
            "terms": {task: one.to_dict() for task, one in self.terms.items()},
            "solver": self.solver,
            "rules": list(self.rules),
            "answers": self.answers.to_dict(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote."""
        answers, solver = Answers.of_two(document), document["solver"]
        return cls(
            answers=answers,
            goal=Goal.from_dict(document["goal"]),
            counted=document["counted"],
            model=str(document["model"]),
            scores=series_from_json(document["scores"], "score"),
            cost=read_fraction(document["cost"], "cost"),
            terms={str(task): Terms.from_dict(one) for task, one in document["terms"].items()},
            solver=None if solver is None else str(solver),
        )


def reconciling_scores(
    board: Leaderboard,
    rule_a: AskedRule,
    rule_b: AskedRule,
    *,
    pair: tuple[str, str] | None = None,
    model: str | None = None,
    kind: Counted = "result",
    cost: ByTask = 1,
    at_most: ByTask | None = None,
    best: ByTask | None = None,
    options: Mapping[str, Any] | None = None,
    time_limit: float | None = None,
) -> ReconcilingScores:
    """Find the least that one model must improve so that two rules no longer part, all other scores as they are.

    Parameters
    ----------
    board : Leaderboard
        What is ranked, at its own weights.
    rule_a, rule_b : rule or function
        The mean, ``"macro_average"``, ``"two_step_average"``, rules of points (Borda, plurality, veto, Dowdall,
        k-approval, any scoring vector), Copeland, minimax; any rules at all where nothing has to change.
    pair : (str, str), optional
        A pair that the rules order contrarily: the improving model is one of the two, and no rule puts it behind the
        other afterwards than says so today of both. Without a pair both rules are to have a winner in common.
    model : str, optional
        The only model that may improve: one of the pair, or the winner to be. By default the one that needs least.
    kind : {"result", "score"}
        What is kept small: how many results change (signs against one rival on one task; one that changes from trailing
        to leading counts once) or how far scores move. A mean or an average by group can change while no result does,
        and needs ``"score"``.
    cost, at_most, best : number or mapping from task to number, optional
        As for `weightlab.lp.upset`: price of a unit, the most that may change on a task, the best score there is.
    options : mapping, optional
        Options for both rules, where they have them.
    time_limit : float, optional
        Seconds for each program.

    Returns
    -------
    ReconcilingScores
        ``.model`` ``.rises`` ``.cost`` ``.answers_there`` ``.proof`` ``.verify()``.

    Raises
    ------
    InputError
        If what a rule asks is not known, or a mean would have to change its mind by the fewest results.
    UnknownNameError
        If there is no such model, or the rules do not order the pair contrarily.
    ImpossibleError
        If no improvement within the limits does it.
    UnprovedError, TimeLimitError
        If the optimum was not shown.

    Notes
    -----
    Scores change for one model, that improves, as a submission can. Where both rules are the mean or the macro average
    and steps are small, no other change of scores is less: what several models lose on a task, the one can gain there
    at no more than the cost of the greatest loss. For rules that read places or duels a change of several models'
    scores may be less; it is not looked for, since its program has a binary for every two models on every task.

    NP-hard. None of these rules puts a model lower because it improves, so of a pair only the rule that has the
    improving model behind has to change its mind. Only finitely many scores of a task matter: those that tie a rival
    or pass it. An integer program has a binary for each, exact in all its numbers; the mean may ask for steps beyond
    them. The result is checked by asking both rules; that nothing cheaper does is the solver's word, unless it costs
    no more than any change does. A score moves by units of the last decimal place of its task.

    References
    ----------
    Vote'n'Rank, section 3.2; Colombo et al., section 5.2.1.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 0}}
    ... )
    >>> print(reconciling_scores(board, "plurality", "mean", kind="score"))
    plurality and mean have the common winner a if a can raise y from 1 to 2: 1 in all, the least that will do.
    """
    answers = ask(board, [rule_a, rule_b], options=options)
    limits = {"cost": cost, "at_most": at_most, "best": best}
    return scores_for(answers, pair=pair, model=model, kind=kind, limits=limits, time_limit=time_limit)


def scores_for(
    answers: Answers,
    *,
    pair: tuple[str, str] | None,
    model: str | None,
    kind: Counted,
    limits: Mapping[str, Any],
    time_limit: float | None,
) -> ReconcilingScores:
    """Return the least change of scores with which the two rules that answered no longer part."""
    if kind not in ("score", "result"):
        raise InputError(f"kind must be 'score' or 'result'; got {kind!r}")
    goal = checked_goal(answers, pair, model)
    found = least_rise(answers, goal, kind, limits, time_limit)
    made = ReconcilingScores(
        answers=answers,
        goal=goal,
        counted=kind,
        model=found.model,
        scores=found.scores,
        cost=found.cost,
        terms=found.terms,
        solver=found.solver,
    )
    if made.is_clearly_least:
        made = ReconcilingScores(**{**vars(made), "solver": None})
    made.verify()
    return made
