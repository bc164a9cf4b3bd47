"""Lexicographic optimisation: one objective after the other, each over the weights that serve those before it best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil
from typing import TypeAlias

import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import Frozen, Proof, Record, ensure, exact_series
from weightlab._solver import Sense
from weightlab._text import percent, without
from weightlab.data.linear_rule import LinearRule
from weightlab.exceptions import SolverError
from weightlab.lp.certificate import Optimum, least_lead, series_dict
from weightlab.lp.certificates.max_margin import Verdict, best_over, widest_margin
from weightlab.lp.certificates.objectives import DistanceFrom, LargestWeight, LinearObjective, Objective
from weightlab.lp.scenarios.fewest_tasks import SmallestSets, smallest_sets
from weightlab.lp.space.space import WeightSpace
from weightlab.lp.verdicts.prospect import Prospect, refuse_ties

SLACK = Fraction(1, 1000)
"""Strictly winning weights miss an optimum that none attains by so much, unless it counts tasks."""


class Region(Frozen):
    """Weights to choose from: those of any of some spaces with leads of at least ``least``.

    Attributes
    ----------
    spaces : tuple of WeightSpace
        One, and after a stage of fewest tasks one per set of tasks.
    least : Fraction
        Least lead over every rival.
    rule : LinearRule
        By which it leads.
    unit : int
        What the rows are divided by.
    """

    spaces: tuple[WeightSpace, ...]
    least: Fraction
    rule: LinearRule
    unit: int

    @property
    def least_in_rows(self) -> Fraction:
        """The least lead by the whole numbers of the rows."""
        return self.least * self.unit


class LinearStage(Record):
    """A linear objective made small or large in each space of a region.

    Attributes
    ----------
    objective : LinearObjective
        What was made small or large.
    optima : tuple of Optimum
        One per space.
    """

    objective: LinearObjective
    optima: tuple[Optimum, ...]

    @property
    def value(self) -> Fraction:
        """The best of the optima."""
        best = min if self.objective.sense is Sense.MINIMISE else max
        return best(one.value for one in self.optima)

    @property
    def words(self) -> str:
        """What was made how small or large."""
        word = "least" if self.objective.sense is Sense.MINIMISE else "greatest"
        if isinstance(self.objective, LargestWeight):
            return f"the flattest weights, none above {percent(self.value, ceil)}"
        moved = 2 if isinstance(self.objective, DistanceFrom) and self.objective.norm == "l1" else 1
        return f"the {word} {self.objective.text}, {percent(self.value / moved)}"

    @property
    def proof(self) -> Proof:
        """Everything is re-checked."""
        return Proof.EXACT

    def check(self, model: str, signs: AnyArray, rivals: Sequence[str], region: Region) -> None:
        """Ensure that each optimum is that of the objective, over a space of the region."""
        ensure(len(self.optima) == len(region.spaces), "there must be one optimum per space")
        ensure(model not in rivals, f"{model!r} is among its own rivals")
        for one, space in zip(self.optima, region.spaces, strict=True):
            one.check(signs, rivals, space, self.objective, region.least_in_rows)

    def after(self, region: Region) -> Region:
        """Return the weights that attain the optimum."""
        # Lexicographic optimisation: the optimum becomes a row, and the next objective chooses among what it leaves.
        cuts = self.objective.no_worse_than(self.value)
        pairs = zip(self.optima, region.spaces, strict=True)
        spaces = tuple(space.and_condition(*cuts) for one, space in pairs if one.value == self.value)
        return replace(region, spaces=spaces)


class MarginStage(Record):
    """The least lead made large in each space of a region.

    Attributes
    ----------
    prospects : tuple of Prospect
        One per space.
    """

    prospects: tuple[Prospect, ...]

    @property
    def value(self) -> Fraction:
        """The widest margin."""
        return max(one.lower for one in self.prospects)

    @property
    def words(self) -> str:
        """What was made how large."""
        return f"the widest lead, {self.prospects[0].lead_words(self.value)}"

    @property
    def proof(self) -> Proof:
        """Everything is re-checked."""
        return Proof.EXACT

    def check(self, model: str, signs: AnyArray, rivals: Sequence[str], region: Region) -> None:
        """Ensure that each prospect is the model's over a space of the region, and its margin exact."""
        ensure(len(self.prospects) == len(region.spaces), "there must be one prospect per space")
        for one, space in zip(self.prospects, region.spaces, strict=True):
            check_prospect(one, model, signs, rivals, space, region)
            ensure(one.lower == one.upper, f"only bounds of the margin are known: {one.lower} and {one.upper}")
        ensure(self.value >= region.least, f"the margin is {self.value}, below {region.least}")

    def after(self, region: Region) -> Region:
        """Return the weights with so wide a margin."""
        pairs = zip(self.prospects, region.spaces, strict=True)
        spaces = tuple(space for one, space in pairs if one.lower == self.value)
        return replace(region, spaces=spaces, least=self.value)


class TasksStage(Record):
    """The number of tasks that have weight made small, in a region of one space.

    Attributes
    ----------
    found : SmallestSets
        The sets of that size; all of them, unless this is the last stage.
    strictly : SmallestSets or None
        The same for weights that beat every rival, where those found do not: more tasks, or none do.
    """

    found: SmallestSets
    strictly: SmallestSets | None

    @property
    def value(self) -> Fraction:
        """The number of tasks."""
        return Fraction(len(self.found.sets[0]))

    @property
    def words(self) -> str:
        """What was made how small."""
        return f"the smallest set of tasks, {self.value}" + (" (counting no ties)" if self.found.strict else "")

    @property
    def proof(self) -> Proof:
        """Whether minimality rests on a solver's bound."""
        parts = [self.found] if self.strictly is None else [self.found, self.strictly]
        exact = all(one.proof is Proof.EXACT for one in parts)
        return Proof.EXACT if exact else Proof.EXACT_WITNESS

    @property
    def shows_ties(self) -> bool:
        """Whether it is shown that no weights on sets of that size beat every rival."""
        return self.strictly is not None and (self.strictly.size is None or self.strictly.size > self.value)

    def check(self, model: str, signs: AnyArray, rivals: Sequence[str], region: Region) -> None:
        """Ensure that the sets are smallest ones over the only space of the region."""
        ensure(len(region.spaces) == 1, "the fewest tasks can be asked for once only")
        ensure(self.found.size is not None, f"there is no set of tasks on which {model!r} wins")
        for one in (self.found, *([self.strictly] if self.strictly is not None else [])):
            asked = region.least_in_rows
            ensure(one.least == asked, f"the sets are for leads of {one.least}, not {asked}")
            one.check(signs, rivals, region.spaces[0])
        ensure(self.strictly is None or self.strictly.strict, "strict wins were not requested")

    def after(self, region: Region) -> Region:
        """Return the weights on any of the sets."""
        (space,) = region.spaces
        return replace(region, spaces=tuple(_on(tasks, space) for tasks in self.found.sets))


LexicographicStage: TypeAlias = LinearStage | MarginStage | TasksStage


def missed_by(stage: LexicographicStage, weights: pd.Series, signs: AnyArray) -> Fraction:
    """Return how much worse than its optimum a stage's objective is under some weights; negative when it is better."""
    if isinstance(stage, TasksStage):
        return Fraction(sum(map(bool, weights.tolist()))) - stage.value
    if isinstance(stage, MarginStage):
        return stage.value - least_lead(signs, weights.tolist()) / stage.prospects[0].unit
    found = stage.objective.value(series_dict(weights))
    return found - stage.value if stage.objective.sense is Sense.MINIMISE else stage.value - found


def check_prospect(  # noqa: PLR0917 - a prospect, and what it is one of
    found: Prospect, model: str, signs: AnyArray, rivals: Sequence[str], space: WeightSpace, region: Region
) -> None:
    """Ensure that a prospect holds, and is that of a model with these rows over a space, by the rule of a region."""
    ensure(found.rule == region.rule and found.unit == region.unit, "a prospect is by another rule")
    ensure(found.space.to_dict() == space.to_dict(), "a prospect is about other weights than the optimal ones")
    ensure(found.rivals == tuple(rivals), "the rivals of a prospect differ")
    found.verify()
    ensure((found.rows == signs).all(), "the signs of a prospect differ")
    ensure(found.model == model, "a prospect is about another model")


def _on(tasks: Sequence[str], space: WeightSpace) -> WeightSpace:
    """Return the weights of a space that are on some tasks alone."""
    outside = without(space.tasks, tasks)
    return space.at_most(outside, 0) if outside else space


class _Branch(Frozen):
    """One space of the region, with the last strict win on the way to it: after how many stages, and its weights."""

    space: WeightSpace
    prospect: Prospect
    depth: int
    strict: pd.Series | None


class StageOutcome(Frozen):
    """Where the stages end: which space to show weights of, and weights that win strictly, if any do."""

    ends: tuple[Prospect, ...]
    chosen: int
    strict_weights: pd.Series | None


class LexicographicSolver:
    """Optimises objectives in turn: the stages so far, and the weights that they leave.

    Parameters
    ----------
    widest : Prospect
        The model's prospect over all weights allowed: its margin is at least ``least``.
    least : Fraction
        Least lead over every rival.
    prospect_in : callable
        Returns the model's prospect in a space.
    stages : list
        Takes the stages as they are found.
    """

    def __init__(
        self,
        widest: Prospect,
        least: Fraction,
        prospect_in: Callable[[WeightSpace], Prospect],
        stages: list[LexicographicStage],
    ) -> None:
        self._signs: AnyArray = widest.rows
        self._rivals: Sequence[str] = widest.rivals
        self._prospect_in, self.stages = prospect_in, stages
        self.region = Region(spaces=(widest.space,), least=least, rule=widest.rule, unit=widest.unit)
        strict = widest.weights if widest.verdict is Verdict.STRICT else None
        self._branches = [_Branch(space=widest.space, prospect=widest, depth=0, strict=strict)]

    def optimise(self, objective: LinearObjective | Objective, *, last: bool) -> None:
        """Add the stage of one objective."""
        before = self._branches
        stage = self._stage(objective, last=last)
        self.stages.append(stage)
        parents = self._parents(stage, before)
        self.region = stage.after(self.region)
        depth = len(self.stages)
        self._branches = [
            self._branch(space, parent, depth) for space, parent in zip(self.region.spaces, parents, strict=True)
        ]

    def _stage(self, objective: LinearObjective | Objective, *, last: bool) -> LexicographicStage:
        if isinstance(objective, LinearObjective):
            best = partial(best_over, self._signs, self._rivals, least=self.region.least_in_rows)
            optima = tuple(best(space, objective) for space in self.region.spaces)
            return LinearStage(objective=objective, optima=optima)
        if objective.kind == "widest_margin":
            return MarginStage(prospects=tuple(one.prospect for one in self._branches))
        return self._tasks_stage(strict=objective.strict, last=last)

    def _tasks_stage(self, *, strict: bool, last: bool) -> TasksStage:
        (space,) = self.region.spaces  # more there are only after another count of tasks, which is refused
        if strict:
            refuse_ties(self._branches[0].prospect)
        ask = partial(smallest_sets, self._signs, self._rivals, space, least=self.region.least_in_rows)
        stage = TasksStage(found=ask(strict=strict, most=1 if last else None), strictly=None)
        if strict or self.region.least > 0 or self._wins_on_some(stage):
            return stage
        strictly = ask(strict=True, most=1, after=stage.found)
        if last and strictly.size == stage.found.size:
            return TasksStage(found=replace(stage.found, weights=strictly.weights), strictly=None)
        return TasksStage(found=stage.found, strictly=strictly)

    def _wins_on_some(self, stage: TasksStage) -> bool:
        """Return whether on one of the sets some weights beat every rival."""
        spaces = stage.after(self.region).spaces
        proofs = (widest_margin(self._signs, self._rivals, one) for one in spaces)
        return any(one.lower > 0 for one in proofs)

    def _parents(self, stage: LexicographicStage, before: Sequence[_Branch]) -> list[_Branch]:
        """Return for each space that remains the branch that it comes from."""
        if isinstance(stage, TasksStage):
            return [before[0]] * len(stage.found.sets)
        values = stage.optima if isinstance(stage, LinearStage) else stage.prospects
        found = [one.value if not isinstance(one, Prospect) else one.lower for one in values]
        return [branch for branch, value in zip(before, found, strict=True) if value == stage.value]

    def _branch(self, space: WeightSpace, parent: _Branch, depth: int) -> _Branch:
        prospect = parent.prospect if space is parent.space else self._prospect_in(space)
        if prospect.margin < self.region.least:
            raise SolverError("the optimal weights lose a head-to-head that they were chosen to win")
        if prospect.verdict is Verdict.STRICT:
            return _Branch(space=space, prospect=prospect, depth=depth, strict=prospect.weights)
        return _Branch(space=space, prospect=prospect, depth=parent.depth, strict=parent.strict)

    def outcome(self) -> StageOutcome:
        """Return the end: weights that win strictly if any optimal ones do, else weights that come close."""
        chosen = max(range(len(self._branches)), key=lambda place: (self._branches[place].depth, -place))
        branch = self._branches[chosen]
        strict = branch.strict
        if strict is not None and branch.depth < len(self.stages):
            following = self.stages[branch.depth]
            if isinstance(following, TasksStage) and following.strictly is not None:
                strict = following.strictly.weights[0]
            else:
                strict = self._mixed(branch.prospect.weights, strict)
        return StageOutcome(ends=tuple(one.prospect for one in self._branches), chosen=chosen, strict_weights=strict)

    def _mixed(self, optimal: pd.Series, strict: pd.Series) -> pd.Series:
        """Return the optimal weights moved towards strictly winning ones, as far as no objective misses by more."""
        linear = [one for one in self.stages if not isinstance(one, TasksStage)]
        far = max(abs(missed_by(one, strict, self._signs)) for one in linear)
        # Leads are linear in the weights, 0 or more here and above 0 there: any step towards the strict win wins
        # strictly. What an objective loses grows in proportion to the step at most.
        step = min(Fraction(1), SLACK / far) if far else Fraction(1)
        pairs = zip(optimal.tolist(), strict.tolist(), strict=True)
        return exact_series([(1 - step) * here + step * there for here, there in pairs], list(optimal.index), "weight")
