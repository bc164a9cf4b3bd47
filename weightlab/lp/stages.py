"""Stages of a scenario: one objective after the other, each over the weights that serve those before it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

import pandas as pd

from weightlab._record import Record, Travels, part, read_list
from weightlab._result import Proof, ensure
from weightlab._solver import Sense
from weightlab._typing import SignArray
from weightlab.lp.certificate import least_lead, series_dict
from weightlab.lp.objectives import LinearObjective, is_as_worded, objective_value, weight_of
from weightlab.lp.optimum import Optimum
from weightlab.lp.prospect import Prospect, shared_from_json, shared_to_json
from weightlab.lp.smallest_sets import SmallestSets
from weightlab.lp.space import WeightSpace

__all__ = [
    "LinearStage",
    "MarginStage",
    "Region",
    "Stage",
    "TasksStage",
    "check_prospect",
    "missed_by",
    "stages_from_json",
    "stages_to_json",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class Region:
    """Weights to choose from: those of any of some spaces with leads of at least ``least``.

    Attributes
    ----------
    spaces : tuple of WeightSpace
        One, until the fewest tasks were asked for: then one a set of tasks.
    least : Fraction
        Least lead over every rival.
    """

    spaces: tuple[WeightSpace, ...]
    least: Fraction


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearStage(Record):
    """A linear objective made small or large in each space of a region.

    Attributes
    ----------
    optima : tuple of Optimum
        One a space.
    """

    optima: tuple[Optimum, ...]

    @property
    def objective(self) -> LinearObjective:
        """What was made small or large."""
        return self.optima[0].objective

    @property
    def value(self) -> Fraction:
        """The best of the optima."""
        best = min if self.objective.sense is Sense.MINIMISE else max
        return best(one.value for one in self.optima)

    @property
    def words(self) -> str:
        """What was made how small or large."""
        word = "least" if self.objective.sense is Sense.MINIMISE else "greatest"
        return f"{word} {self.objective.text} {self.value} ({float(self.value):.4g})"

    @property
    def proof(self) -> Proof:
        """Everything is re-checked."""
        return Proof.EXACT

    def check(self, model: str, signs: SignArray, rivals: Sequence[str], region: Region) -> None:
        """Ensure that each optimum is that of the objective, as its words say, over a space of the region."""
        ensure(len(self.optima) == len(region.spaces), "there must be one optimum a space")
        ensure(model not in rivals, f"{model!r} is among its own rivals")
        for one, space in zip(self.optima, region.spaces, strict=True):
            ensure(one.objective == self.objective, "the optima are of different objectives")
            text = f"the rows of the objective do not say {self.objective.text!r}"
            ensure(is_as_worded(one.objective, space), text)
            ensure(one.least == region.least, f"the optimum is over leads of {one.least}, not {region.least}")
            ensure(one.duels == tuple(rivals), "the optimum is over other duels")
            one.check(signs, space)

    def after(self, region: Region) -> Region:
        """Return the weights that attain the optimum."""
        cut = self.objective.at_optimum(self.value)
        pairs = zip(self.optima, region.spaces, strict=True)
        spaces = tuple(space.and_condition(cut) for one, space in pairs if one.value == self.value)
        return Region(spaces=spaces, least=region.least)


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginStage(Record):
    """The least lead made large in each space of a region.

    Attributes
    ----------
    prospects : tuple of Prospect
        One a space.
    """

    prospects: Annotated[tuple[Prospect, ...], Travels(shared_to_json, shared_from_json, ("model", "signs"))]

    @property
    def value(self) -> Fraction:
        """The widest margin."""
        return max(one.lower for one in self.prospects)

    @property
    def words(self) -> str:
        """What was made how large."""
        return f"greatest margin {self.value} ({float(self.value):.4g})"

    @property
    def proof(self) -> Proof:
        """Everything is re-checked."""
        return Proof.EXACT

    def check(self, model: str, signs: SignArray, rivals: Sequence[str], region: Region) -> None:
        """Ensure that each prospect is the model's over a space of the region, and its margin exact."""
        ensure(len(self.prospects) == len(region.spaces), "there must be one prospect a space")
        for one, space in zip(self.prospects, region.spaces, strict=True):
            check_prospect(one, model, signs, rivals, space)
            ensure(one.lower == one.upper, f"only bounds of the margin are known: {one.lower} and {one.upper}")
        ensure(self.value >= region.least, f"the margin is {self.value}, below {region.least}")

    def after(self, region: Region) -> Region:
        """Return the weights with so wide a margin."""
        pairs = zip(self.prospects, region.spaces, strict=True)
        spaces = tuple(space for one, space in pairs if one.lower == self.value)
        return Region(spaces=spaces, least=self.value)


@dataclass(frozen=True, kw_only=True, eq=False)
class TasksStage:
    """The number of tasks that have weight made small, in a region of one space.

    Attributes
    ----------
    found : SmallestSets
        The sets of so few tasks; all of them, unless this is the last stage.
    strictly : SmallestSets or None
        The same for weights that win every duel, where those found do not: more tasks, or none do.
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
        return f"fewest tasks {self.value}" + (", counting strict wins alone" if self.found.strict else "")

    @property
    def proof(self) -> Proof:
        """Whether that no fewer tasks do rests on a solver's bound."""
        parts = [self.found] if self.strictly is None else [self.found, self.strictly]
        exact = all(one.proof is Proof.EXACT for one in parts)
        return Proof.EXACT if exact else Proof.EXACT_WITNESS

    @property
    def shows_ties(self) -> bool:
        """Whether it is shown that on so few tasks no weights win every duel."""
        return self.strictly is not None and (self.strictly.size is None or self.strictly.size > self.value)

    def check(self, model: str, signs: SignArray, rivals: Sequence[str], region: Region) -> None:
        """Ensure that the sets are smallest ones over the only space of the region."""
        ensure(len(region.spaces) == 1, "the fewest tasks can be asked for once only")
        ensure(self.found.size is not None, f"there is no set of tasks on which {model!r} wins")
        for one in (self.found, *([self.strictly] if self.strictly is not None else [])):
            ensure(one.least == region.least, f"the sets are for leads of {one.least}, not {region.least}")
            one.check(signs, rivals, region.spaces[0])
        ensure(self.strictly is None or self.strictly.strict, "strict wins are not what was asked for")

    def after(self, region: Region) -> Region:
        """Return the weights on any of the sets."""
        (space,) = region.spaces
        return Region(spaces=tuple(_on(tasks, space) for tasks in self.found.sets), least=region.least)

    def to_dict(self) -> dict[str, Any]:
        """Return the stage ready for JSON."""
        strictly = None if self.strictly is None else self.strictly.to_dict()
        return {"found": self.found.to_dict(), "strictly": strictly}


Stage: TypeAlias = LinearStage | MarginStage | TasksStage


def missed_by(stage: Stage, weights: pd.Series, signs: SignArray) -> Fraction:
    """Return how much worse than its optimum a stage's objective is under some weights; negative when it is better."""
    if isinstance(stage, TasksStage):
        return Fraction(sum(map(bool, weights.tolist()))) - stage.value
    if isinstance(stage, MarginStage):
        return stage.value - least_lead(signs, weights.tolist())
    found = objective_value(stage.objective, series_dict(weights))
    return found - stage.value if stage.objective.sense is Sense.MINIMISE else stage.value - found


def check_prospect(found: Prospect, model: str, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
    """Ensure that a prospect holds, and is that of a model with these signs over a space."""
    ensure(found.space.to_dict() == space.to_dict(), "a prospect is about other weights than the optimal ones")
    ensure(found.rivals == tuple(rivals), "a prospect has other rivals")
    found.verify()
    ensure((found.signs == signs).all(), "a prospect has other signs")
    ensure(found.model == model, "a prospect is about another model")


def _on(tasks: Sequence[str], space: WeightSpace) -> WeightSpace:
    """Return the weights of a space that are on some tasks alone."""
    outside = tuple(task for task in space.tasks if task not in set(tasks))
    if not outside:
        return space
    return space.and_condition(weight_of(outside, Sense.MINIMISE).at_optimum(Fraction(0)))


def stages_to_json(stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Return stages as they travel; which each is shows by its parts."""
    return [stage.to_dict() for stage in stages]


def stages_from_json(  # noqa: PLR0917 - what the paths of the field lead to
    listed: Any, what: str, space: WeightSpace, least: Fraction, model: str, signs: SignArray
) -> tuple[Stage, ...]:
    """Return stages of a model with these signs as they travel, each over the region that the ones before it leave."""
    region, stages = Region(spaces=(space,), least=least), []
    for place, document in enumerate(read_list(listed, what)):
        stages.append(_stage(document, f"{what}[{place}]", region, model, signs))
        region = stages[-1].after(region)
    return tuple(stages)


def _stage(document: Any, what: str, region: Region, model: str, signs: SignArray) -> Stage:
    if "optima" in document:
        return LinearStage.read_part(document, what)
    if "prospects" in document:
        return MarginStage(prospects=shared_from_json(document["prospects"], f"{what}.prospects", model, signs))
    found, strictly = (part(document, name, what) for name in ("found", "strictly"))
    (space,) = region.spaces
    return TasksStage(
        found=SmallestSets.from_dict(found, space),
        strictly=None if strictly is None else SmallestSets.from_dict(strictly, space),
    )
