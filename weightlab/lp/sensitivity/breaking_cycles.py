"""Breaking a cycle: the nearest weights under which some model beats all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias, cast

import numpy as np
import pandas as pd

from weightlab._exact import SignArray, common_denominator, exact_products
from weightlab._result import ByName, Record, Result, Seen, ensure, told_of
from weightlab._solver import within
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.linear_rule import MAJORITY, refuse_other_rules
from weightlab.data.signs import Signs
from weightlab.exceptions import ImpossibleError
from weightlab.lp.by_model import Asked
from weightlab.lp.certificate import (
    Combination,
    Optimum,
    check_bound,
    check_exact,
    check_point,
    check_table,
    check_todays,
    series_dict,
    todays_shares,
)
from weightlab.lp.certificates.max_margin import best_over, widest_margin
from weightlab.lp.certificates.objectives import LinearObjective, closest_to, objective_for
from weightlab.lp.scenarios.lexicographic import LinearStage
from weightlab.lp.scenarios.scenario import Scenario, scenario
from weightlab.lp.sensitivity.least_change import reversal
from weightlab.lp.space.conditions import Norm, checked_norm, move_words, weights_text
from weightlab.lp.space.space import Vectors, WeightSpace, signs_and_space
from weightlab.lp.verdicts.all_models import prospects
from weightlab.lp.verdicts.prospect import linear_prospect

# Why a model is not the nearest to win: its winning weights are farther away, or it has no winning weights.


class DistanceBound(Record):
    """A proof that all weights under which a model is undefeated are some distance away.

    Attributes
    ----------
    model : str
        Who.
    value : Fraction
        No such weights are nearer.
    bound : Combination
        What shows it.
    """

    model: str
    value: Fraction
    bound: Combination


class NoWinProof(Record):
    """A proof that no weights make a model beat all others: a mixture of rivals over which it never leads.

    Attributes
    ----------
    model : str
        Who.
    upper : Fraction
        No weights lead by more over the mixture; 0 or less.
    blockers : mapping from rival to Fraction
        The mixture.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    """

    model: str
    upper: Fraction
    blockers: Mapping[str, Fraction]
    vectors: Vectors

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the mixture blocks the model."""
        check_exact(upper=self.upper)
        check_exact(**self.blockers)
        check_bound(signs, rivals, self.blockers, self.vectors, space, bound=self.upper)
        ensure(self.upper <= 0, f"{self.model!r} is only proved to lead by {self.upper} at most")


Other: TypeAlias = DistanceBound | NoWinProof
"""Why another model is not the nearest winner."""


class BrokenCycle(Result, kind="broken_cycle"):
    """The least change of today's weights after which a Condorcet winner exists, and who it is.

    Attributes
    ----------
    signs : Signs
        The table's signs.
    weights : Series of Fraction by task
        Today's weights, as shares.
    norm : {"l1", "linf"}
        How changes were measured.
    space : WeightSpace
        The weights that were allowed.
    nearest : tuple of Scenario
        The models whose winning weights are nearest, usually one, each with these weights and their proof.
    others : tuple of DistanceBound or NoWinProof
        For every other model the proof that its winning weights are farther away, or that it has no winning weights.
    """

    derived = ("value",)

    signs: Signs
    weights: Seen[pd.Series] = ByName("space.tasks")
    norm: Norm
    space: WeightSpace
    nearest: tuple[Scenario, ...]
    others: tuple[Other, ...]

    @property
    def scenario(self) -> Scenario:
        """The first of the nearest that attains the least change, or else the first of all."""
        return next((one for one in self.nearest if one.attained), self.nearest[0])

    @property
    def model(self) -> str:
        """Who wins there; ``models`` has all that do."""
        return self.scenario.model

    @property
    def models(self) -> tuple[str, ...]:
        """All models whose winning weights are so near."""
        return tuple(one.model for one in self.nearest)

    @property
    def value(self) -> Fraction:
        """The least change: at every lesser one no model wins."""
        return self.nearest[0].value

    @property
    def attained(self) -> bool:
        """Whether a model wins at that very change; otherwise only at greater ones, arbitrarily near to it."""
        return any(one.attained for one in self.nearest)

    @property
    def strict_weights(self) -> pd.Series:
        """Weights under which ``model`` wins, ``slack`` farther away than ``value``."""
        return cast("pd.Series", self.scenario.strict_weights)

    @property
    def slack(self) -> Fraction:
        """By how much ``strict_weights`` miss the least change; 0 when it is attained."""
        return self.scenario.slack or Fraction(0)

    @property
    def nearest_text(self) -> str:
        """What the nearest weights with a winner are, as half a sentence."""
        names = [*self.models[:3], f"{len(self.models) - 3} more"] if len(self.models) > 4 else list(self.models)
        who = " or ".join([", ".join(names[:-1]), names[-1]][len(names) == 1 :])
        if not self.value and not self.attained:
            return f"an arbitrarily small change of {self._todays} makes {who} win head-to-head"
        wins = f"{self.model} wins" if len(self.models) == 1 else f"{who} can win"
        if not self.value:
            return f"under {self._todays} {wins} head-to-head"
        far = f"reached once {move_words(self.value, self.norm, self._todays)}"
        where = "there" if self.attained else "just beyond that"
        return f"the nearest weights with a head-to-head winner are {far}: {wins} {where}"

    @property
    def _todays(self) -> str:
        return weights_text(series_dict(self.weights), "today's")

    def __str__(self) -> str:
        """Say the least change in one sentence; another one names the conditions, if there are any."""
        if not self.value and self.attained:
            return f"{self.model} is the Condorcet winner today, under {self._todays}.{self.space.conditions_sentence}"
        words = self.nearest_text
        return f"{words[0].upper()}{words[1:]}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return for each model the change that its win takes at least; None where no weights make it win."""
        least = {one.model: one.value for one in self.nearest}
        least |= {one.model: one.value for one in self.others if isinstance(one, DistanceBound)}
        proof = {one.model: "exact" for one in self.nearest}
        proof |= {one.model: "never" if isinstance(one, NoWinProof) else "at least" for one in self.others}
        models = list(self.signs.models)
        return pd.DataFrame(
            {"change": [least.get(model) for model in models], "bound": [proof[one] for one in models]}, index=models
        )

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the nearest winners, and that every other model is farther away, exactly and without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs and weights must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        tasks = self.signs.tasks
        check_table(self.signs, self.space, source)
        check_point(self.weights.tolist(), WeightSpace(tasks))
        check_todays(source, self.weights)
        told = [one.model for one in (*self.nearest, *self.others)]
        ensure(self.nearest, "no model is listed as a winner")
        ensure(sorted(told) == sorted(self.signs.models), "every model must be listed once")
        self._verify_nearest()
        for other in self.others:
            with told_of(repr(other.model)):
                self._verify_other(other)
        return True

    def _verify_other(self, other: Other) -> None:
        parts = other.bound.mixture if isinstance(other, DistanceBound) else other.blockers
        named = [name for name, part in parts.items() if part]
        strange = next((name for name in named if name == other.model or name not in self._places), None)
        ensure(strange is None, f"{strange!r} is named, but is not a rival")
        rows = self.signs.over(self._places[other.model], [self._places[name] for name in named])
        if isinstance(other, DistanceBound):
            check_exact(value=other.value)
            other.bound.check(other.value, rows, named, self.space, _objective(self.weights, self.norm, self.space))
            ensure(other.value > self.value, f"the nearest weights are only proved to be {other.value} away")
        else:
            other.check(rows, named, self.space)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {model: place for place, model in enumerate(self.signs.models)}

    def _verify_nearest(self) -> None:
        objective = _objective(self.weights, self.norm, self.space)
        for one in self.nearest:
            one.verify()
            ensure(one.rivals == self.signs.rivals(one.model), f"the rivals of {one.model!r} are others")
            ensure(one.space.to_dict() == self.space.to_dict(), f"{one.model!r} wins in another space")
            sought = [stage.objective if isinstance(stage, LinearStage) else None for stage in one.stages]
            ensure(sought == [objective], f"the weights of {one.model!r} are not those nearest to today's")
            ensure(one.margin == 0, f"{one.model!r} has a required lead of {one.margin}")
            ensure((one.rows == self.signs.matrix(one.model)).all(), f"the signs of {one.model!r} are others")
            ensure(one.value == self.value, f"{one.model!r} is {one.value} away, not {self.value}")
            ensure(one.strict_weights is not None, f"no weights are given under which {one.model!r} wins")


def break_cycle(
    board: SignsLike,
    *,
    norm: str = "l1",
    space: WeightSpace | None = None,
    rule: object = MAJORITY,
    time_limit: float | None = None,
) -> BrokenCycle:
    """Find the least change of today's weights after which a Condorcet winner exists, and who it is.

    It is about majorities between pairs: by a rule of points some model is always first, and `stability` says until
    when.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table with today's weights (equal ones for Signs, which have none).
    norm : {"l1", "linf"}
        How changes are measured: their sum (between 0 and 2), or the largest of them.
    space : WeightSpace, optional
        Allowed weights. Today's weights need not be among them.
    rule : "majority"
        Every other rule is refused, with the question that answers by it.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    BrokenCycle
        A change of 0 when there is a winner today already.

    Raises
    ------
    ImpossibleError
        If no allowed weights make any model win; its ``proof`` is the `Prospects` that shows it.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`.

    Notes
    -----
    Each model's nearest winning weights are a linear program. Most are never solved: a single duel that a model must
    turn bounds its distance by a formula, models are taken by that bound, and those whose bound exceeds the best
    distance found are left out with it as proof. At worst two programs a model, O(models) in all.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}
    >>> board = wl.Leaderboard(scores, weights={"x": 4, "y": 3, "z": 3})
    >>> print(wl.lp.break_cycle(board))
    The nearest weights with a head-to-head winner are reached once 10% of the weight moves from today's weights x 4, \
every other task 3: a wins just beyond that.
    """
    refuse_other_rules("cycles are of majorities", rule, "lp.stability")
    board = as_table(board)
    checked = checked_norm(norm)
    signs, allowed = signs_and_space(board, space)
    today = todays_shares(board, signs.tasks)
    with within(time_limit):
        found = _Search(signs, today, checked, allowed).result()
    return found.verified()


class _Search:
    """Models by what a single duel says of their distance; programs only while they may be the nearest."""

    def __init__(self, signs: Signs, today: pd.Series, norm: Norm, space: WeightSpace) -> None:
        self._signs, self._today, self._norm, self._space = signs, today, norm, space
        self._objective = _objective(today, norm, space)
        self._centre, self._everywhere = today.tolist(), WeightSpace(signs.tasks)
        self._numerators, _ = common_denominator(self._centre)
        self._best: Fraction | None = None
        self._solved: dict[str, Optimum] = {}
        self._others: dict[str, Other] = {}

    def result(self) -> BrokenCycle:
        bounds = [self._bound(model) for model in self._signs.models]
        # Best first: once a bound exceeds the best distance, so do all that follow, and each bound is its model's
        # proof.
        for bound in sorted(bounds, key=_by_value):
            if isinstance(bound, NoWinProof) or (self._best is not None and bound.value > self._best):
                self._others[bound.model] = bound
            else:
                self._solve(bound.model)
        if self._best is None:
            self._refuse()
        nearest = [
            model for model in self._signs.models if model in self._solved and self._solved[model].value == self._best
        ]
        self._others |= {model: self._distance_bound(model) for model in self._solved if model not in nearest}
        others = [self._others[model] for model in self._signs.models if model in self._others]
        return BrokenCycle(
            signs=self._signs,
            weights=self._today,
            norm=self._norm,
            space=self._space,
            nearest=tuple(self._scenario(model) for model in nearest),
            others=tuple(others),
        )

    def _bound(self, model: str) -> Other:
        """Return the bound from the head-to-head in which the model is farthest behind, whatever the conditions.

        Rows left out (all conditions, all head-to-heads but one) only enlarge the set of weights: the distance to the
        larger set is a lower bound, and vectors without entries for those conditions say so in the proof.
        """
        position, models = self._signs.position(model), self._signs.models
        matrix = self._signs.over_all(position)
        most = matrix.max(axis=1)
        most[position] = 1
        nothing: Vectors = ({},) * len(self._space.conditions)
        if most.min() <= 0:
            rival = int(np.argmin(most))
            blockers = {models[rival]: Fraction(1)}
            return NoWinProof(model=model, upper=Fraction(int(most[rival])), blockers=blockers, vectors=nothing)
        # What a head-to-head asks for by the formula for the sum of changes is its deficit. For the other norm it only
        # chooses the head-to-head.
        leads = exact_products(matrix, self._numerators)
        leads[position] = leads.max() + 1
        rival = int(np.argmin(leads))
        found = reversal(self._norm, -matrix[rival], self._centre, self._everywhere)
        mixture = dict.fromkeys([models[rival]] * len(found.mixture), sum(found.mixture.values(), Fraction(0)))
        bound = Combination(mixture=mixture, vectors=nothing, slope=found.slope)
        return DistanceBound(model=model, value=found.value, bound=bound)

    def _solve(self, model: str) -> None:
        matrix, rivals = self._signs.matrix(model), self._signs.rivals(model)
        try:
            found = best_over(matrix, rivals, self._space, self._objective)
        except ImpossibleError:
            self._others[model] = self._no_win_proof(model)
            return
        if self._best is None or found.value <= self._best:
            # There the model is merely undefeated. For wins to come arbitrarily close takes a positive margin
            # somewhere, as the set of such weights is convex.
            margin = widest_margin(matrix, rivals, self._space)
            if margin.upper <= 0:
                self._others[model] = self._no_win_proof(model)
                return
            self._best = found.value
        self._solved[model] = found

    def _no_win_proof(self, model: str) -> NoWinProof:
        found = widest_margin(self._signs.matrix(model), self._signs.rivals(model), self._space)
        return NoWinProof(model=model, upper=found.upper, blockers=found.mixture, vectors=found.vectors)

    def _distance_bound(self, model: str) -> DistanceBound:
        found = self._solved[model]
        bound = Combination(mixture=found.mixture, vectors=found.vectors, slope=found.slope)
        return DistanceBound(model=model, value=found.value, bound=bound)

    def _scenario(self, model: str) -> Scenario:
        nearest = closest_to(self._today.tolist(), self._norm)
        return scenario(self._signs, model, nearest, space=self._space)

    def _refuse(self) -> None:
        linear_prospect(Asked.of(self._signs, space=self._space), self._signs.models[0])
        proof = prospects(self._signs, space=self._space)
        raise ImpossibleError("no allowed weights make any model the Condorcet winner", proof=proof)


def _by_value(bound: Other) -> tuple[bool, Fraction]:
    return isinstance(bound, NoWinProof), Fraction(0) if isinstance(bound, NoWinProof) else bound.value


def _objective(today: pd.Series, norm: Norm, space: WeightSpace) -> LinearObjective:
    return objective_for(closest_to(today.tolist(), norm), None, space)
