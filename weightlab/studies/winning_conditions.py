"""When a model wins by two rules at once: linear conditions on the weights, and rules of duels beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any, Self

import numpy as np
import pandas as pd

from weightlab._result import ensure, exact_series, read_fraction, to_json
from weightlab._solver import IntegerOptimum
from weightlab._typing import AnyArray
from weightlab.data import Leaderboard
from weightlab.data.points import Points
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.lp import WeightSpace
from weightlab.lp.certificate import check_bound, check_exact, series_from_json
from weightlab.lp.distance import Norm
from weightlab.lp.duel_scores import all_signs
from weightlab.lp.joint import nearest_by_duels
from weightlab.lp.margin import widest_margin
from weightlab.lp.objectives import LinearObjective, closest_to, objective_for
from weightlab.lp.optimum import Optimum, best_over
from weightlab.studies.questions import Question
from weightlab.studies.weighed import Weighed

__all__ = ["Bound", "WinningConditions"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Bound:
    """How near to today's weights a model can win by the linear rules among two, with what proves it.

    Attributes
    ----------
    nearest : Optimum or None
        The nearest weights at which it has the most points by each linear rule; None where it never does.
    margin : Fraction or None
        Then: the largest lead over all conditions, which is negative.
    blockers : Series of Fraction by condition, or None
        The mixture of conditions that proves it.
    """

    nearest: Optimum | None = None
    margin: Fraction | None = None
    blockers: pd.Series | None = None

    @property
    def value(self) -> Fraction | None:
        """The least distance by the linear rules, None where there is none."""
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
            check_bound(rows, self.blockers, exact_series([], [], "multiplier"), space, self.margin)

    def to_dict(self) -> dict[str, Any]:
        """Return the bound ready for JSON."""
        return {
            "nearest": None if self.nearest is None else self.nearest.to_dict(),
            "margin": None if self.margin is None else to_json(self.margin),
            "blockers": None if self.blockers is None else to_json(self.blockers),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the bound that ``to_dict`` wrote."""
        nearest, margin, blockers = (document[part] for part in ("nearest", "margin", "blockers"))
        return cls(
            nearest=None if nearest is None else Optimum.from_dict(nearest),
            margin=None if margin is None else read_fraction(margin, "margin"),
            blockers=None if blockers is None else series_from_json(blockers, "blocker"),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class WinningConditions:
    """What two rules ask of the weights so that a model is among the winners of both.

    Attributes
    ----------
    weighed : Weighed
        What has the weights: tasks or groups.
    points : dict from name to Points
        Of the linear rules.
    duels : tuple of str
        Of ``"copeland"`` and ``"minimax"``.
    norm : {"l1", "linf"}
        How changes of weights are measured.
    """

    weighed: Weighed
    points: Mapping[str, Points]
    duels: tuple[str, ...]
    norm: Norm
    centre: tuple[Fraction, ...] = field(init=False)
    space: WeightSpace = field(init=False)

    def __post_init__(self) -> None:
        """Note today's weights and the space of all."""
        object.__setattr__(self, "centre", self.weighed.today)
        object.__setattr__(self, "space", self.weighed.space)

    @property
    def models(self) -> tuple[str, ...]:
        """All models."""
        return self.weighed.board.models

    @property
    def units(self) -> tuple[str, ...]:
        """The tasks or groups."""
        return self.weighed.units

    @classmethod
    def of(cls, questions: Mapping[str, Question], board: Leaderboard, norm: Norm) -> Self:
        """Return the conditions of two questions.

        Raises
        ------
        InputError
            If one is neither linear nor Copeland nor minimax by margins, or reads duels beside an average by group.
        """
        weighed = Weighed.of(questions, board)
        points = {name: found for name, one in questions.items() if (found := weighed.points(one)) is not None}
        others = [question for name, question in questions.items() if name not in points]
        duels = tuple(_duel_rule(one, weighed.board) for one in others)
        if duels and weighed.by_group:
            raise InputError(
                f"the nearest weights of groups under which {others[0].name!r} has a winner are not known: beside "
                "macro_average and two_step_average they are searched for sums over tasks (mean, borda, plurality, "
                "veto, dowdall)"
            )
        return cls(weighed=weighed, points=points, duels=duels, norm=norm)

    @cached_property
    def objective(self) -> LinearObjective:
        """The distance from today's weights."""
        return objective_for(closest_to(list(self.centre), self.norm), None, self.space)

    def rows(self, model: str) -> tuple[AnyArray, tuple[str, ...]]:
        """Return the model's points less each rival's by each linear rule (integers), and what the rows are called."""
        place, found, labels = self.models.index(model), [], []
        for name, points in self.points.items():
            for row, rival in enumerate(points.models):
                if row != place:
                    leads = [int(number) for number in (points.numerators[place] - points.numerators[row]).tolist()]
                    unit = gcd(*leads) or 1
                    found.append([number // unit for number in leads])
                    labels.append(f"{name}: {rival}")
        fits = all(abs(number) < 2**53 for row in found for number in row)
        shape = (len(found), len(self.units))
        return np.array(found, dtype=np.int64 if fits else object).reshape(shape), tuple(labels)

    def bound(self, model: str, time_limit: float | None) -> Bound:
        """Return how near a model can win by the linear rules, proved."""
        rows, labels = self.rows(model)
        try:
            return Bound(nearest=best_over(rows, labels, self.space, self.objective, time_limit=time_limit))
        except ImpossibleError:
            proof = widest_margin(rows, labels, self.space, time_limit=time_limit)
            return Bound(margin=proof.upper, blockers=exact_series(proof.blockers, labels, "blocker"))

    def nearest(self, model: str, time_limit: float | None) -> IntegerOptimum:
        """Return the nearest weights at which a model wins by all rules, on the solver's word."""
        signs = self.weighed.board.signs()
        return nearest_by_duels(
            all_signs(signs),
            signs.models.index(model),
            self.duels,
            self.rows(model)[0],
            self.space,
            centre=self.centre,
            norm=self.norm,
            time_limit=time_limit,
        )

    def check(self, model: str, bound: Bound) -> None:
        """Ensure what bounds how near a model can win."""
        rows, labels = self.rows(model)
        bound.check(rows, labels, self.objective, self.space)


def _duel_rule(question: Question, board: Leaderboard) -> str:
    """Return the rule of duels that a question is, or raise InputError."""
    rule = question.rule
    if rule is not None and rule.name == "copeland" and rule.options.get("score", "difference") == "difference":
        return "copeland"
    if rule is not None and rule.name == "minimax":
        # Where nobody ties or lacks a score, the weight of a defeat and its margin say the same.
        decided = (all_signs(board.signs()) != 0).sum() == len(board.models) * (len(board.models) - 1) * len(
            board.tasks
        )
        if rule.options.get("score", "winning_votes") == "margins" or decided:
            return "minimax"
        raise InputError(
            "with ties or missing scores the weights are searched for minimax by margins only, its option score=margins"
        )
    raise InputError(
        f"the nearest weights under which {question.name!r} has a winner are not known: it is neither linear in the "
        "weights (mean, borda, plurality, veto, dowdall, without skipped scores, macro_average, two_step_average) nor "
        "copeland (by the difference) nor minimax"
    )
