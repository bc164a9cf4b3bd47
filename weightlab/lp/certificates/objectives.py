"""Objectives of scenarios: what to make small or large among the winning weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from weightlab._exact import WeightsLike
from weightlab._result import Record, ensure
from weightlab._solver import Sense
from weightlab._text import among
from weightlab._validate import truth
from weightlab.data.frame.declarations import TasksLike, listed_tasks, tasks_named
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp.space import conditions
from weightlab.lp.space.conditions import ZERO, named, weights_text
from weightlab.lp.space.space import WeightSpace, shares_of

KINDS = ("least_weight", "most_weight", "closest_to", "most_balanced", "widest_margin", "fewest_tasks")
"""What an objective may be."""


class LinearObjective(Record, eq=True):
    """A linear objective in one of three forms; its words and the rows of its auxiliary variables follow from it.

    Auxiliary variables have no rows that limit them from above, so the least values are the best ones.
    """

    @property
    def text(self) -> str:
        """The objective in words."""
        raise NotImplementedError

    @property
    def sense(self) -> Sense:
        """Whether it is to be small or large."""
        return Sense.MINIMISE

    @property
    def weight_costs(self) -> Mapping[str, Fraction]:
        """Coefficients of weights."""
        return {}

    @property
    def costs(self) -> Mapping[str, Fraction]:
        """Coefficients of auxiliary variables: there is one for each of them."""
        return {}

    @property
    def rows(self) -> tuple[conditions.LinearRow, ...]:
        """Rows that bound the auxiliary variables from below."""
        return ()

    def is_over(self, tasks: Sequence[str]) -> bool:
        """Return whether it is an objective over the weights of these tasks."""
        raise NotImplementedError

    def no_worse_than(self, value: Fraction) -> tuple[conditions.Condition, ...]:
        """Return the conditions that say that the objective is no worse than ``value``."""
        raise NotImplementedError

    def value(self, weights: Mapping[str, Fraction]) -> Fraction:
        """Return the objective at some weights."""
        raise NotImplementedError

    def slope(self, given: Mapping[str, Fraction]) -> tuple[Mapping[str, Fraction], Fraction]:
        """Return a linear function of weights and a constant: nowhere is the objective below the one less the other.

        A convex function is the greatest of the linear ones below it: a slope that the norm allows is one of them. What
        is linear itself needs none, and refuses any.

        Raises
        ------
        ProofError
            If the objective is not above a function of the slope that is given.
        """
        ensure(not given, f"the {self.text} is linear: no slope is to be given")
        return self.weight_costs, Fraction(0)


class WeightOf(LinearObjective, eq=True):
    """The weight of some tasks together, to be made small or large."""

    tasks: tuple[str, ...]
    goal: Sense

    @property
    def sense(self) -> Sense:
        """Whether it is to be small or large."""
        return self.goal

    @property
    def text(self) -> str:
        """The objective in words."""
        return f"weight of {' + '.join(map(named, self.tasks))}"

    @property
    def weight_costs(self) -> Mapping[str, Fraction]:
        """Each weight counts once."""
        return dict.fromkeys(self.tasks, Fraction(1))

    def value(self, weights: Mapping[str, Fraction]) -> Fraction:
        """Return the total weight of the tasks."""
        return sum((weights[task] for task in self.tasks), Fraction(0))

    def is_over(self, tasks: Sequence[str]) -> bool:
        """Return whether the tasks are some of these, in order."""
        return bool(self.tasks) and self.tasks == tuple(among(tasks, self.tasks))

    def no_worse_than(self, value: Fraction) -> tuple[conditions.Condition, ...]:
        """Return the bound on the sum of their weights."""
        relation = conditions.Relation.AT_MOST if self.sense is Sense.MINIMISE else conditions.Relation.AT_LEAST
        return (conditions.Bounded(tasks=self.weight_costs, relation=relation, bound=value),)


class DistanceFrom(LinearObjective, eq=True):
    """The distance from given weights of all tasks, which sum to 1.

    ``todays`` marks them as the weights of the table; verifying against a table compares them.
    """

    centre: Mapping[str, Fraction]
    norm: conditions.Norm
    todays: bool

    @property
    def text(self) -> str:
        """The objective in words."""
        kind = "weight to move" if self.norm == "l1" else "largest change"
        return f"{kind} from {weights_text(self.centre, _WHOSE[self.todays])}"

    @cached_property
    def _gains(self) -> dict[str, str]:
        return {task: f"objective: gain of {named(task)}" for task in self.centre}

    @property
    def costs(self) -> Mapping[str, Fraction]:
        """Both weightings sum to 1, so the sum of changes is twice what the tasks that gain gain."""
        if self.norm == "l1":
            return dict.fromkeys(self._gains.values(), Fraction(2))
        return {_LARGEST: Fraction(1)}

    @cached_property
    def rows(self) -> tuple[conditions.LinearRow, ...]:
        """A gain, or the largest change, is at least what a weight is above (or below) the given one."""
        if self.norm == "l1":
            return tuple(
                conditions.excess_row(gain, task, gain, self.centre[task]) for task, gain in self._gains.items()
            )
        return tuple(
            conditions.excess_row(f"objective: {word} of {named(task)}", task, _LARGEST, sign * share, sign)
            for task, share in self.centre.items()
            for sign, word in ((1, "gain"), (-1, "loss"))
        )

    def slope(self, given: Mapping[str, Fraction]) -> tuple[Mapping[str, Fraction], Fraction]:
        """Return the slope and its value at the centre, where the distance is 0, ensuring that it is not too steep.

        The distance is at least ``slope . (w - centre)`` where the dual norm, on changes of sum 0, is at most 1: for
        the sum of changes half of what the greatest entry is above the least; for the largest change the sum of what
        the entries are away from their median.
        """
        ensure(given.keys() <= self.centre.keys(), f"the slope of the {self.text} is about other tasks")
        entries = [given.get(task, ZERO) for task in self.centre]
        steep = (max(entries) - min(entries)) / 2 if self.norm == "l1" else conditions.spread(entries)
        ensure(steep <= 1, f"the slope of the {self.text} is too steep by {steep - 1}")
        level = sum((value * self.centre[task] for task, value in given.items()), ZERO)
        return given, level

    def value(self, weights: Mapping[str, Fraction]) -> Fraction:
        """Return the distance of some weights."""
        changes = [weights[task] - share for task, share in self.centre.items()]
        if self.norm == "linf":
            return max(map(abs, changes))
        return 2 * sum((change for change in changes if change > 0), Fraction(0))

    def is_over(self, tasks: Sequence[str]) -> bool:
        """Return whether the centre is a weighting of these tasks, in order."""
        shares = self.centre.values()
        return tuple(self.centre) == tuple(tasks) and min(shares) >= 0 and sum(shares) == 1

    def no_worse_than(self, value: Fraction) -> tuple[conditions.Condition, ...]:
        """Return the condition that the distance is at most ``value``."""
        return (conditions.Near(norm=self.norm, radius=value, centre=self.centre),)


class LargestWeight(LinearObjective, eq=True):
    """The largest weight of a task, of all tasks."""

    tasks: tuple[str, ...]

    @property
    def text(self) -> str:
        """The objective in words."""
        return "largest weight of a task"

    @property
    def costs(self) -> Mapping[str, Fraction]:
        """One variable is at least every weight."""
        return {_LARGEST: Fraction(1)}

    @property
    def rows(self) -> tuple[conditions.LinearRow, ...]:
        """The variable is at least every weight."""
        return tuple(
            conditions.excess_row(f"objective: weight of {named(task)}", task, _LARGEST, Fraction(0))
            for task in self.tasks
        )

    def value(self, weights: Mapping[str, Fraction]) -> Fraction:
        """Return the largest weight."""
        return max(weights[task] for task in self.tasks)

    def slope(self, given: Mapping[str, Fraction]) -> tuple[Mapping[str, Fraction], Fraction]:
        """Return the slope: the largest weight is at least any average of weights, and what is less than one."""
        ensure(set(given) <= set(self.tasks), f"the slope of the {self.text} is about other tasks")
        together = sum((value for value in given.values() if value > 0), ZERO)
        ensure(together <= 1, f"the slope of the {self.text} sums to {together}, which is above 1")
        return given, ZERO

    def is_over(self, tasks: Sequence[str]) -> bool:
        """Return whether these are the tasks."""
        return bool(self.tasks) and self.tasks == tuple(tasks)

    def no_worse_than(self, value: Fraction) -> tuple[conditions.Condition, ...]:
        """Return a bound for each task."""
        one = Fraction(1)
        return tuple(
            conditions.Bounded(tasks={task: one}, relation=conditions.Relation.AT_MOST, bound=value)
            for task in self.tasks
        )


_WHOSE = {True: "today's", False: "the"}
_LARGEST = "objective: largest"
"""The auxiliary variable of an objective that has one; those of conditions begin with a number."""


@dataclass(frozen=True)
class Objective:
    """An objective as a user states it; made by the functions of this module."""

    kind: Literal["least_weight", "most_weight", "closest_to", "most_balanced", "widest_margin", "fewest_tasks"]
    tasks: TasksLike = ()
    weights: Any = None
    norm: conditions.Norm = "l1"
    strict: bool = False

    def __post_init__(self) -> None:
        """Refuse an objective, a norm or a truth value that there is not."""
        if self.kind not in KINDS:
            raise InputError(f"no objective {self.kind!r}; there are {', '.join(KINDS)}")
        conditions.checked_norm(self.norm)
        truth(self.strict, "strict")


def least_weight(tasks: TasksLike) -> Objective:
    """Make the weight of some tasks together small (the paper's w_i -> min)."""
    return Objective("least_weight", tasks=listed_tasks(tasks))


def most_weight(tasks: TasksLike) -> Objective:
    """Make the weight of some tasks together large."""
    return Objective("most_weight", tasks=listed_tasks(tasks))


def closest_to(weights: WeightsLike | None = None, norm: conditions.Norm = "l1") -> Objective:
    """Make the change from given weights small: how far the benchmark's weighting must move.

    Parameters
    ----------
    weights : mapping, Series or sequence, optional
        Scaled to sum to 1; by default the board's own weights.
    norm : {"l1", "linf"}
        The sum of all changes (between 0 and 2), or the largest single change.

    Raises
    ------
    InputError
        If there is no such norm.
    """
    return Objective("closest_to", weights=weights, norm=norm)


def most_balanced() -> Objective:
    """Make the largest weight of a task small."""
    return Objective("most_balanced")


def widest_margin() -> Objective:
    """Make the least lead over a rival large."""
    return Objective("widest_margin")


def fewest_tasks(*, strict: bool = False) -> Objective:
    """Make the number of tasks that have weight small.

    Parameters
    ----------
    strict : bool
        Count only weights that beat every rival. Otherwise weights that tie count, too, and a strict win may take more
        tasks: the slack of the scenario's strict weights says how many more.

    Raises
    ------
    InputError
        If ``strict`` is neither True nor False.
    """
    return Objective("fewest_tasks", strict=truth(strict, "strict"))


def objective_for(objective: Objective, board: Any, space: WeightSpace) -> LinearObjective:
    """Return the linear objective over the tasks of a space; a leaderboard supplies today's weights and groups."""
    if objective.kind == "closest_to":
        weights = objective.weights
        if weights is None:
            if not isinstance(board, Leaderboard):
                raise InputError(
                    "closest_to() needs weights= where the table is no leaderboard with weights of its own"
                )
            weights = board.weights
        centre, todays = shares_of(weights, space.tasks), objective.weights is None
        return DistanceFrom(centre=centre, norm=objective.norm, todays=todays)
    if objective.kind == "most_balanced":
        return LargestWeight(tasks=space.tasks)
    groups = board.groups if isinstance(board, Leaderboard) else space.groups
    tasks = tasks_named(objective.tasks, space.tasks, groups)
    if not tasks:
        raise InputError(f"{objective.kind} needs at least one task")
    return WeightOf(tasks=tasks, goal=Sense.MINIMISE if objective.kind == "least_weight" else Sense.MAXIMISE)
