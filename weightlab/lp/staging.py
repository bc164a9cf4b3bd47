"""The stages of a scenario found one after the other, and strictly winning weights near the end of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import pandas as pd

from weightlab._result import exact_series
from weightlab._typing import SignArray
from weightlab.exceptions import SolverError
from weightlab.lp.margin import widest_margin
from weightlab.lp.objectives import LinearObjective, Objective
from weightlab.lp.optimum import best_over
from weightlab.lp.prospect import Prospect
from weightlab.lp.reach import refuse_ties
from weightlab.lp.smallest_sets import smallest_sets
from weightlab.lp.space import WeightSpace
from weightlab.lp.stages import LinearStage, MarginStage, Region, Stage, TasksStage, missed_by
from weightlab.lp.verdict import Verdict

__all__ = ["Finish", "Staging"]

SLACK = Fraction(1, 1000)
"""Strictly winning weights miss an optimum that none attains by so much, unless it counts tasks."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Branch:
    """One space of the region, with the last strict win on the way to it: after how many stages, and its weights."""

    space: WeightSpace
    prospect: Prospect
    depth: int
    strict: pd.Series | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Finish:
    """Where the stages end: which space to show weights of, and weights that win strictly, if any do."""

    ends: tuple[Prospect, ...]
    chosen: int
    strict_weights: pd.Series | None


class Staging:
    """Serves objectives in turn.

    Parameters
    ----------
    widest : Prospect
        The model's prospect over all weights allowed: its margin is at least ``least``.
    least : Fraction
        Least lead over every rival.
    prospect_in : callable
        Returns the model's prospect in a space.
    time_limit : float, optional
        Seconds for each program.
    """

    def __init__(
        self,
        widest: Prospect,
        least: Fraction,
        prospect_in: Callable[[WeightSpace], Prospect],
        time_limit: float | None,
    ) -> None:
        self._signs: SignArray = widest.signs
        self._rivals: Sequence[str] = widest.rivals
        self._prospect_in, self._time_limit = prospect_in, time_limit
        self.region = Region(spaces=(widest.space,), least=least)
        self.stages: list[Stage] = []
        strict = widest.weights if widest.verdict is Verdict.STRICT else None
        self._branches = [_Branch(space=widest.space, prospect=widest, depth=0, strict=strict)]

    def serve(self, objective: LinearObjective | Objective, *, last: bool) -> None:
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

    def _stage(self, objective: LinearObjective | Objective, *, last: bool) -> Stage:
        if isinstance(objective, LinearObjective):
            return LinearStage(
                optima=tuple(
                    best_over(
                        self._signs,
                        self._rivals,
                        space,
                        objective,
                        least=self.region.least,
                        time_limit=self._time_limit,
                    )
                    for space in self.region.spaces
                )
            )
        if objective.kind == "widest_margin":
            return MarginStage(prospects=tuple(one.prospect for one in self._branches))
        return self._tasks_stage(strict=objective.strict, last=last)

    def _tasks_stage(self, *, strict: bool, last: bool) -> TasksStage:
        (space,) = self.region.spaces  # more there are only after another count of tasks, which is refused
        if strict:
            refuse_ties(self._branches[0].prospect)

        ask = partial(
            smallest_sets,
            self._signs,
            self._rivals,
            space,
            least=self.region.least,
            time_limit=self._time_limit,
        )
        stage = TasksStage(found=ask(strict=strict, every=not last), strictly=None)
        if strict or self.region.least > 0 or self._wins_on_some(stage):
            return stage
        strictly = ask(strict=True, every=False, after=stage.found)
        if last and strictly.size == stage.found.size:
            return TasksStage(found=replace(stage.found, weights=strictly.weights), strictly=None)
        return TasksStage(found=stage.found, strictly=strictly)

    def _wins_on_some(self, stage: TasksStage) -> bool:
        """Tell whether on one of the sets some weights win every duel."""
        spaces = stage.after(self.region).spaces
        proofs = (widest_margin(self._signs, self._rivals, one, time_limit=self._time_limit) for one in spaces)
        return any(one.lower > 0 for one in proofs)

    def _parents(self, stage: Stage, before: Sequence[_Branch]) -> list[_Branch]:
        """Return for each space that remains the branch that it comes from."""
        if isinstance(stage, TasksStage):
            return [before[0]] * len(stage.found.sets)
        values = stage.optima if isinstance(stage, LinearStage) else stage.prospects
        found = [one.value if not isinstance(one, Prospect) else one.lower for one in values]
        return [branch for branch, value in zip(before, found, strict=True) if value == stage.value]

    def _branch(self, space: WeightSpace, parent: _Branch, depth: int) -> _Branch:
        prospect = parent.prospect if space is parent.space else self._prospect_in(space)
        if prospect.margin < self.region.least:
            raise SolverError("the optimal weights lose a duel that they were made to win")
        if prospect.verdict is Verdict.STRICT:
            return _Branch(space=space, prospect=prospect, depth=depth, strict=prospect.weights)
        return _Branch(space=space, prospect=prospect, depth=parent.depth, strict=parent.strict)

    def finish(self) -> Finish:
        """Return the end: weights that win strictly if any optimal ones do, else such that come as near as may be."""
        chosen = max(range(len(self._branches)), key=lambda place: (self._branches[place].depth, -place))
        branch = self._branches[chosen]
        strict = branch.strict
        if strict is not None and branch.depth < len(self.stages):
            following = self.stages[branch.depth]
            if isinstance(following, TasksStage) and following.strictly is not None:
                strict = following.strictly.weights[0]
            else:
                strict = self._mixed(branch.prospect.weights, strict)
        return Finish(ends=tuple(one.prospect for one in self._branches), chosen=chosen, strict_weights=strict)

    def _mixed(self, optimal: pd.Series, strict: pd.Series) -> pd.Series:
        """Return the optimal weights moved towards strictly winning ones, as far as no objective misses by more."""
        linear = [one for one in self.stages if not isinstance(one, TasksStage)]
        far = max(abs(missed_by(one, strict, self._signs)) for one in linear)
        # Leads are linear in the weights, 0 or more here and above 0 there: any step towards the strict win wins
        # strictly. What an objective loses grows in proportion to the step at most.
        step = min(Fraction(1), SLACK / far) if far else Fraction(1)
        pairs = zip(optimal.tolist(), strict.tolist(), strict=True)
        return exact_series([(1 - step) * here + step * there for here, there in pairs], list(optimal.index), "weight")
