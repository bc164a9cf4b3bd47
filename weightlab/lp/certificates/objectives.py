"""Objectives of scenarios: what to make small or large among the winning weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from weightlab._record import Record
from weightlab._solver import Sense
from weightlab._typing import WeightsLike
from weightlab._validate import truth
from weightlab.data.frame.declarations import TasksLike, listed_tasks, tasks_named
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp.space.conditions import Condition, LinearRow, Relation, excess_row, least_auxiliaries
from weightlab.lp.space.norms import Norm, centre_text, checked_norm
from weightlab.lp.space.space import WeightSpace, shares_of

__all__ = [
    "LinearObjective",
    "Objective",
    "closest_to",
    "fewest_tasks",
    "is_as_worded",
    "least_weight",
    "most_balanced",
    "most_weight",
    "objective_for",
    "objective_value",
    "weight_of",
    "widest_margin",
]

KINDS = ("least_weight", "most_weight", "closest_to", "most_balanced", "widest_margin", "fewest_tasks")
"""What an objective may be."""


@dataclass(frozen=True, kw_only=True)
class LinearObjective(Record):
    """A linear objective with the rows that define its auxiliary variables.

    Attributes
    ----------
    text : str
        Such as ``distance from equal weights (sum of changes)``.
    sense : Sense
        Whether it is to be small or large.
    condition : Condition
        Rows and auxiliary variables.
    tasks : mapping from task to Fraction
        Coefficients of weights.
    auxiliaries : mapping from name to Fraction
        Coefficients of auxiliary variables.
    """

    text: str
    sense: Sense
    condition: Condition
    tasks: Mapping[str, Fraction] = field(default_factory=dict)
    auxiliaries: Mapping[str, Fraction] = field(default_factory=dict)

    def at_optimum(self, value: Fraction) -> Condition:
        """Return the condition that the objective is no worse than ``value``."""
        relation = Relation.AT_MOST if self.sense is Sense.MINIMISE else Relation.AT_LEAST
        row = LinearRow(
            name=f"{self.text} {relation} {value}",
            tasks=self.tasks,
            auxiliaries=self.auxiliaries,
            relation=relation,
            bound=value,
        )
        return Condition(text=row.name, rows=(*self.condition.rows, row), auxiliaries=self.condition.auxiliaries)


@dataclass(frozen=True)
class Objective:
    """An objective as a user states it; made by the functions of this module."""

    kind: Literal["least_weight", "most_weight", "closest_to", "most_balanced", "widest_margin", "fewest_tasks"]
    tasks: TasksLike = ()
    weights: Any = None
    norm: Norm = "l1"
    strict: bool = False

    def __post_init__(self) -> None:
        """Refuse an objective, a norm or a truth value that there is not."""
        if self.kind not in KINDS:
            raise InputError(f"no objective {self.kind!r}; there are {', '.join(KINDS)}")
        checked_norm(self.norm)
        truth(self.strict, "strict")


def least_weight(tasks: TasksLike) -> Objective:
    """Make the weight of some tasks together small (the paper's w_i -> min)."""
    return Objective("least_weight", tasks=listed_tasks(tasks))


def most_weight(tasks: TasksLike) -> Objective:
    """Make the weight of some tasks together large."""
    return Objective("most_weight", tasks=listed_tasks(tasks))


def closest_to(weights: WeightsLike | None = None, norm: Norm = "l1") -> Objective:
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
        Count only weights that win every duel. Otherwise weights that tie count, too, and a strict win may take more
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
        centre = shares_of(weights, space.tasks)
        made = _sum_of_changes if objective.norm == "l1" else _largest_change
        return made(centre, _prefix(space))
    if objective.kind == "most_balanced":
        return _largest_weight(space.tasks, _prefix(space))
    groups = board.groups if isinstance(board, Leaderboard) else space.groups
    tasks = tasks_named(objective.tasks, space.tasks, groups)
    if not tasks:
        raise InputError(f"{objective.kind} needs at least one task")
    return weight_of(tasks, Sense.MINIMISE if objective.kind == "least_weight" else Sense.MAXIMISE)


def is_as_worded(objective: LinearObjective, space: WeightSpace) -> bool:
    """Tell whether the rows and coefficients of an objective say over this space what its text says.

    The objective that they stand for is made anew, and must be the same to the letter.
    """
    if not objective.condition.auxiliaries:
        return objective == weight_of(tuple(task for task in space.tasks if task in objective.tasks), objective.sense)
    rows, prefix = objective.condition.rows, _prefix(space)
    # The rows carry the centre as their bounds: read back from there, it allows the objective to be made anew.
    centre = {task: row.bound for row in rows for task, value in row.tasks.items() if value > 0}
    if objective == _largest_weight(space.tasks, prefix):
        return True
    is_centre = tuple(centre) == space.tasks and min(centre.values()) >= 0 and sum(centre.values()) == 1
    return is_centre and objective in (_sum_of_changes(centre, prefix), _largest_change(centre, prefix))


def objective_value(objective: LinearObjective, weights: Mapping[str, Fraction]) -> Fraction:
    """Return the objective at some weights, its auxiliary variables at the least values that their rows ask for."""
    # Auxiliary variables have no rows that limit them from above, so the least values are the best ones.
    values = least_auxiliaries(weights, objective.condition.rows, objective.condition.auxiliaries)
    terms = [value * weights[task] for task, value in objective.tasks.items()]
    terms += [value * values[name] for name, value in objective.auxiliaries.items()]
    return sum(terms, Fraction(0))


def _prefix(space: WeightSpace) -> str:
    """Return what the names of an objective's rows and variables begin with, so that none is one of the space."""
    taken = {name for condition in space.conditions for name in condition.names}
    number, prefix = 1, "objective: "
    while any(name.startswith(prefix) for name in taken):
        number += 1
        prefix = f"objective {number}: "
    return prefix


def weight_of(tasks: tuple[str, ...], sense: Sense) -> LinearObjective:
    """Return the weight of some tasks together, to be made small or large."""
    return LinearObjective(
        text=f"weight of {' + '.join(tasks)}",
        sense=sense,
        condition=Condition(text="", rows=()),
        tasks=dict.fromkeys(tasks, Fraction(1)),
    )


def _sum_of_changes(centre: Mapping[str, Fraction], prefix: str) -> LinearObjective:
    """Return the L1 distance: both weightings sum to 1, so it is twice what the tasks that gain gain."""
    gains = {task: f"{prefix}gain of {task}" for task in centre}
    rows = tuple(excess_row(f"{prefix}{task} gains", task, gain, centre[task]) for task, gain in gains.items())
    return LinearObjective(
        text=f"distance from {centre_text(centre)} (sum of changes)",
        sense=Sense.MINIMISE,
        condition=Condition(text="gains", rows=rows, auxiliaries=tuple(gains.values())),
        auxiliaries=dict.fromkeys(gains.values(), Fraction(2)),
    )


def _largest_change(centre: Mapping[str, Fraction], prefix: str) -> LinearObjective:
    change = f"{prefix}largest change"
    rows = tuple(
        excess_row(f"{prefix}{task} {word}", task, change, sign * share, sign)
        for task, share in centre.items()
        for sign, word in ((1, "gains"), (-1, "loses"))
    )
    return LinearObjective(
        text=f"distance from {centre_text(centre)} (largest change)",
        sense=Sense.MINIMISE,
        condition=Condition(text="changes", rows=rows, auxiliaries=(change,)),
        auxiliaries={change: Fraction(1)},
    )


def _largest_weight(tasks: tuple[str, ...], prefix: str) -> LinearObjective:
    largest = f"{prefix}largest weight"
    rows = tuple(excess_row(f"{prefix}{task} at most the largest", task, largest, Fraction(0)) for task in tasks)
    return LinearObjective(
        text="largest weight of a task",
        sense=Sense.MINIMISE,
        condition=Condition(text="largest weight", rows=rows, auxiliaries=(largest,)),
        auxiliaries={largest: Fraction(1)},
    )
