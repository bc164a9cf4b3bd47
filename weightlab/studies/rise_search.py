"""Whose rise reconciles two rules with least: the goals, and the search through the models that may rise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
import pandas as pd

from weightlab._result import ensure, exact_series
from weightlab._solver import solver_name
from weightlab.exceptions import ImpossibleError, InputError, UnknownNameError
from weightlab.lp.ladder import ladder_of_results, ladder_of_scores
from weightlab.lp.score_column import refuse_wide_tolerances, score_columns
from weightlab.lp.terms import Counted, Terms, terms_of
from weightlab.rules import reversed_pairs
from weightlab.rules.entry import weighing
from weightlab.studies.answers import Answers
from weightlab.studies.questions import Answer
from weightlab.studies.rise_program import Climber, RiseProgram
from weightlab.studies.rise_rules import add_rule, reads_scores

__all__ = ["Goal", "LeastRise", "checked_goal", "least_rise"]


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What is to be reconciled.

    Attributes
    ----------
    pair : (str, str) or None
        The model that the first rule has above, and the one that it has below; None for a common winner.
    model : str or None
        The only model that may rise; None for any.
    """

    pair: tuple[str, str] | None
    model: str | None

    def holds(self, answers: Mapping[str, Answer], model: str | None = None) -> bool:
        """Tell whether answers agree on the pair, or have a winner in common (this one, where one is given)."""
        if self.pair is not None:
            orders = [answer.order for answer in answers.values()]
            return not {self.pair, self.pair[::-1]} & set(reversed_pairs(*orders))
        common = set.intersection(*(set(answer.winners) for answer in answers.values()))
        asked = self.model if model is None else model
        return bool(common) if asked is None else asked in common

    def words(self, model: str) -> str:
        """Return what the rules then do."""
        if self.pair is not None:
            return f"agree on {self.pair[0]} and {self.pair[1]}"
        return f"have the common winner {model}"

    def check(self, answers: Mapping[str, Answer], models: Sequence[str], riser: str) -> None:
        """Ensure that the goal is about the models, and who rises among those that may."""
        ensure(riser in models, f"the table has no model {riser!r}")
        ensure(self.model in (None, riser), f"only {self.model!r} was to rise, not {riser!r}")
        if self.pair is not None:
            ensure(riser in self.pair, f"{riser!r} is none of the pair")
            disputed = reversed_pairs(*(answer.order for answer in answers.values()))
            ensure(self.pair in disputed, "the rules do not order the pair contrarily")

    def to_dict(self) -> dict[str, Any]:
        """Return the goal ready for JSON."""
        return {"pair": None if self.pair is None else list(self.pair), "model": self.model}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the goal that ``to_dict`` wrote."""
        pair, model = document["pair"], document["model"]
        if not (pair is None or (isinstance(pair, list) and len(pair) == 2)):
            raise InputError(f"a pair is two names; got {pair!r}")
        return cls(
            pair=None if pair is None else (str(pair[0]), str(pair[1])), model=None if model is None else str(model)
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastRise:
    """Who rises, to which scores, at what cost, on what terms and whose word."""

    model: str
    scores: pd.Series
    cost: Fraction
    terms: Mapping[str, Terms]
    solver: str


def checked_goal(answers: Answers, pair: Any, model: str | None) -> Goal:
    """Return the goal that a user means.

    Raises
    ------
    UnknownNameError
        If there is no such model, or the rules do not order the pair contrarily.
    InputError
        If the model is none of the pair.
    """
    models = answers.board.models
    asked = None if model is None else str(model)
    if asked is not None and asked not in models:
        raise UnknownNameError("model", asked, models)
    if pair is None:
        return Goal(pair=None, model=asked)
    if isinstance(pair, str) or len(pair) != 2:
        raise InputError(f"a pair is two models; got {pair!r}")
    two = (str(pair[0]), str(pair[1]))
    disputed = reversed_pairs(*answers.orders.values())
    if two not in disputed and two[::-1] not in disputed:
        listed = tuple(f"{one} and {other}" for one, other in disputed)
        raise UnknownNameError("disputed pair", f"{two[0]} and {two[1]}", listed, holder="disagreement")
    if asked is not None and asked not in two:
        raise InputError(f"the model that may rise is one of the pair {two[0]!r} and {two[1]!r}; got {asked!r}")
    return Goal(pair=two if two in disputed else two[::-1], model=asked)


def least_rise(
    answers: Answers, goal: Goal, kind: Counted, limits: Mapping[str, Any], time_limit: float | None
) -> LeastRise:
    """Return the cheapest rise that meets a goal.

    Raises
    ------
    InputError
        If what a rule asks is not known, or a mean is asked for the fewest results.
    ImpossibleError
        If none does within the limits.
    """
    risers = _risers(answers, goal)
    if goal.holds(answers.found):
        return _no_rise(answers, next(one for one in risers if goal.holds(answers.found, one)), kind, limits)
    for model in risers if kind == "result" else ():
        for question, _ in _asked(answers, goal, model, answers.board.models):
            if reads_scores(question):
                raise InputError(
                    f"{question.name} can have {model!r} ahead while no result changes: ask for kind='score', or name "
                    "with model= the one of a pair that another rule has behind"
                )
    best: LeastRise | None = None
    for model in risers:
        program, terms = _program(answers, goal, model, kind, limits)
        if best is not None:
            program.at_most(best.cost)
        try:
            found = program.cheapest(time_limit)
        except ImpossibleError:
            continue
        if best is None or found.value < best.cost:
            scores = program.scores(found.x)
            best = LeastRise(
                model=model,
                scores=exact_series(list(scores.values()), list(scores), "score"),
                cost=found.value,
                terms=terms,
                solver=solver_name(),
            )
    if best is None:
        who = "no model" if goal.model is None else f"not {goal.model}"
        raise ImpossibleError(
            f"within the limits {who} can rise so that the rules {goal.words('of both')}: {solver_name()} finds none",
            proof=None,
        )
    return best


def _no_rise(answers: Answers, model: str, kind: Counted, limits: Mapping[str, Any]) -> LeastRise:
    """Return that nothing has to change for a model to win by both."""
    board = weighing(answers.board)
    terms = terms_of(score_columns(board), board.models.index(model), kind, step=None, **limits)
    return LeastRise(
        model=model,
        scores=exact_series([], [], "score"),
        cost=Fraction(0),
        terms=dict(zip(board.tasks, terms, strict=True)),
        solver=solver_name(),
    )


def _risers(answers: Answers, goal: Goal) -> tuple[str, ...]:
    """Return who may rise, those first that win by one of the rules."""
    if goal.model is not None:
        return (goal.model,)
    if goal.pair is not None:
        return goal.pair
    first = [model for answer in answers.values() for model in answer.winners]
    return tuple(dict.fromkeys([*first, *answers.board.models]))


def _program(
    answers: Answers, goal: Goal, model: str, kind: Counted, limits: Mapping[str, Any]
) -> tuple[RiseProgram, Mapping[str, Terms]]:
    """Return the program for one model that rises."""
    board = weighing(answers.board)
    place, columns = board.models.index(model), score_columns(board)
    refuse_wide_tolerances([one for one in columns if one.gains[place] is not None], "a least rise")
    terms = terms_of(columns, place, kind, step=None, **limits)
    wanted = np.ones(len(board.models) - 1, dtype=np.bool_)
    make = ladder_of_scores if kind == "score" else ladder_of_results
    ladders = tuple(make(column, place, own, wanted) for column, own in zip(columns, terms, strict=True))
    program = RiseProgram(climber=Climber(board=board, place=place, columns=columns, ladders=ladders, terms=terms))
    for question, others in _asked(answers, goal, model, board.models):
        add_rule(program, question, others)
    return program, dict(zip(board.tasks, terms, strict=True))


def _asked(answers: Answers, goal: Goal, model: str, models: Sequence[str]) -> list[tuple[Any, list[int]]]:
    """Return whom each rule is not to have above the model that rises.

    Of a pair, only the rule that has it behind has to change its mind: rising never makes the other do so.
    """
    one, other = answers.questions.values()
    if goal.pair is None:
        rivals = [row for row, rival in enumerate(models) if rival != model]
        return [(one, rivals), (other, rivals)]
    upper, lower = goal.pair
    behind, rival = (other, lower) if model == upper else (one, upper)
    return [(behind, [models.index(rival)])]
