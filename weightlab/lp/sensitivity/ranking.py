"""Stability of a ranking by a linear rule: how far weights must move before two neighbours change places."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from weightlab._result import Result, ensure
from weightlab._text import number
from weightlab._typing import AnyArray
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.points import Missing, Points, Ties
from weightlab.lp.certificates.primal import check_todays, leads, series_dict, todays_shares
from weightlab.lp.sensitivity.least_change import Reversals, norms_of, reversals
from weightlab.lp.space.condition_text import conditions_sentence, weights_text
from weightlab.lp.space.conditions import MEASURES, Norm
from weightlab.lp.space.space import TaskShares, WeightSpace, space_for
from weightlab.lp.verdicts.scoring_rule import PointRule, PointsLike, RuleLike


class RankingStability(Result, kind="ranking_stability"):
    """For each adjacent pair in a ranking by a linear rule the least change of weights at which they tie.

    Attributes
    ----------
    rule : PointRule
        The rule: a model's total is the sum of weights times points.
    points : Points
        The points of all models on all tasks.
    weights : Series of Fraction by task
        Today's weights, as shares.
    order : tuple of str
        All models by their totals under today's weights, best first; equal ones in board order.
    space : WeightSpace
        The weights that were allowed.
    reversals : Reversals
        For each adjacent pair, the upper one first, the least lead (in units of 1 / ``points.denominator``) and the
        nearest weights at which there is no lead, with proofs.
    """

    derived = ("norms",)

    rule: PointRule
    points: Points
    weights: TaskShares
    order: tuple[str, ...]
    space: WeightSpace
    reversals: Reversals

    @property
    def norms(self) -> tuple[Norm, ...]:
        """How changes were measured: ``"l1"`` is their sum, ``"linf"`` the largest of them."""
        return self.reversals.norms

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Neighbours in the ranking, the upper one first."""
        return tuple(zip(self.order, self.order[1:], strict=False))

    @cached_property
    def rows(self) -> AnyArray:
        """Differences of points of neighbours (pairs x tasks), times ``points.denominator``."""
        place = {model: position for position, model in enumerate(self.points.models)}
        ranked = self.points.numerators[[place[model] for model in self.order]]
        return np.asarray(ranked[:-1] - ranked[1:])

    @property
    def leads(self) -> pd.Series:
        """The exact lead of each model over the next one today, by pair."""
        return self._by_pair(leads(self.rows, self.weights.tolist()), "lead", self.points.denominator)

    @property
    def least_leads(self) -> pd.Series:
        """The least lead under any allowed weights, by pair: below 0 the two can change places, at 0 only tie."""
        return self._by_pair([one.value for one in self.reversals.least], "least lead", self.points.denominator)

    def _by_pair(self, values: Sequence[Fraction | None], name: str, unit: int = 1) -> pd.Series:
        index = pd.MultiIndex.from_tuples(self.pairs, names=["model", "next"])
        scaled = [None if value is None else value / unit for value in values]
        return pd.Series(scaled, index=index, dtype=object, name=name)

    def radius(self, norm: str | None = None) -> Fraction | None:
        """Return the least change at which some adjacent pair ties; None where no allowed weights do that.

        Parameters
        ----------
        norm : {"l1", "linf"}, optional
            By default the first that was asked for.
        """
        return self.reversals.radius(norm)

    def distances(self, norm: str | None = None) -> pd.Series:
        """Return the least change at which each adjacent pair ties (Fractions; None where they never do)."""
        return self._by_pair(self.reversals.distances(norm), "change")

    def first(self, norm: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the adjacent pairs that tie at the least change."""
        return tuple(self.pairs[position] for position in self.reversals.first(norm))

    def __str__(self) -> str:
        """Say the least change in one sentence; another one names the conditions, if there are any."""
        ranking = f"The ranking by {self.rule} of {len(self.order)} models"
        radius = self.radius()
        if radius is None:
            return f"{ranking} is the same under all allowed weights.{conditions_sentence(self.space)}"
        (upper, lower), norm = self.first()[0], self.norms[0]
        level = f"{upper} and {lower} tie."
        if not self.leads.iloc[self.reversals.first()[0]]:
            level = f"{upper} and {lower} tie today."
        weights = weights_text(series_dict(self.weights), "today's")
        far = f"{number(radius)} ({MEASURES[norm]})"
        return f"{ranking} stays until {weights} change by {far}: {level}{conditions_sentence(self.space)}"

    def summary(self) -> pd.DataFrame:
        """Return for each adjacent pair the lead today, the least lead and the change at which they tie."""
        columns = {"lead": self.leads.astype(float), "least lead": self.least_leads.astype(float)}
        for norm in self.norms:
            columns[norm] = self.distances(norm).map(lambda one: float("nan") if one is None else float(one))
        return pd.DataFrame(columns)

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check in exact arithmetic the points, their order today and every least change, without a solver.

        Parameters
        ----------
        source : Leaderboard or Profile, optional
            The table; its points and weights must be those that the result carries. Any numbers can be scores, so that
            for the mean only this tells whose points they are.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        self.rule.check(self.points, self.space, source)
        ensure(
            tuple(self.weights.index) == self.space.tasks, "the weights are not about the tasks of the space, in order"
        )
        check_todays(source, self.weights)
        ensure(sorted(self.order) == sorted(self.points.models), "the order is not one of all models")
        ensure(self.reversals.centre == tuple(self.weights.tolist()), "changes are not counted from today's weights")
        self.reversals.check(self.rows, self.space)
        place = {model: position for position, model in enumerate(self.points.models)}
        for (upper, lower), lead in zip(self.pairs, self.leads.tolist(), strict=True):
            ensure(lead >= 0, f"{upper!r} is ranked above {lower!r}, but trails it by {-lead}")
            ensure(lead or place[upper] < place[lower], f"{upper!r} and {lower!r} are level, but not in board order")
        return True


def ranking_stability(
    board: SignsLike,
    rule: RuleLike,
    *,
    ties: Ties | None = None,
    missing: Missing | None = None,
    norm: str | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> RankingStability:
    """Find for each adjacent pair in a ranking by a linear rule the least change at which they tie.

    This is what `stability` returns with ``rule``; the parameters are explained there.

    Notes
    -----
    Models that tie today stand in board order, at a change of 0. Two neighbours swap before any other two do:
    as long as all neighbours keep their order, so do all models.
    """
    norms = norms_of(norm)
    made = PointRule.of(rule, ties=ties, missing=missing)
    points = made.points(board)
    allowed = space_for(as_signs(board), space)
    today = todays_shares(board, points.tasks)
    totals = leads(points.numerators, today.tolist())
    ranked = sorted(range(len(totals)), key=lambda position: -totals[position])
    order = [points.models[position] for position in ranked]
    ordered = points.numerators[ranked]
    return RankingStability(
        rule=made,
        points=points,
        weights=today,
        order=tuple(order),
        space=allowed,
        reversals=reversals(ordered[:-1] - ordered[1:], today.tolist(), allowed, norms, time_limit=time_limit),
    ).verified()
