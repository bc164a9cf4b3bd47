"""How the table that a rule read was made from the user's: as it is, with weights by group, or from instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from weightlab._exact import Number
from weightlab._result import Record
from weightlab._validate import Faults, exact_numbers, one_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike, as_table
from weightlab.data.frame.cells import Cells
from weightlab.exceptions import InputError, UnknownNameError


class Preparation(Record, eq=True):
    """What was done to a source before a rule read it.

    Attributes
    ----------
    how : {"none", "grouped", "pooled"}
        Nothing; weights shared by group; all instances as tasks of one table.
    group_weights : dict from str to Fraction
        Of groups, where they are shared.
    each : {"instance", "task"}
        Who has the weight of a task, where instances are pooled.
    """

    how: Literal["none", "grouped", "pooled"] = "none"
    group_weights: Mapping[str, Fraction]
    each: Literal["instance", "task"] = "instance"

    def __post_init__(self) -> None:
        """Raise InputError for parts of another preparation than this one."""
        if self.how != "grouped" and self.group_weights:
            raise InputError(f"a table that is prepared by {self.how!r} has no weights of groups")
        if self.how != "pooled" and self.each != "instance":
            raise InputError(f"a table that is prepared by {self.how!r} has no instances that share weights")

    @classmethod
    def none(cls) -> Preparation:
        """Return the preparation that does nothing."""
        return cls(group_weights={})

    def apply(self, source: Any) -> Any:
        """Return what the rule is given.

        Raises
        ------
        InputError
            If the source is not what can be prepared so.
        """
        if self.how == "grouped":
            if not isinstance(source, Leaderboard):
                raise InputError(f"weights by group need a Leaderboard; got a {type(source).__name__}")
            return group_weighted(source, self.group_weights)
        if self.how == "pooled":
            if not isinstance(source, Instances):
                raise InputError(f"this ranking is of Instances; got a {type(source).__name__}")
            return pooled(source, each=self.each)
        return source


def group_weighted(board: LeaderboardLike, group_weights: Mapping[str, Number] | None = None) -> Leaderboard:
    """Return the board in which each group has its weight, shared among its tasks in proportion to their weights.

    A task in several groups gets a share of each.

    Raises
    ------
    InputError
        If a task that weighs is in no group, or a weight is negative, unknown or all are 0.
    """
    board = as_table(board)
    weights = checked_group_weights(board, group_weights)
    refuse_ungrouped(board)
    own = board.weights
    shares = dict.fromkeys(board.tasks, Fraction(0))
    for name, tasks in board.groups.items():
        total = sum(own[list(tasks)].tolist(), Fraction(0))
        if not total and weights[name]:
            raise InputError(f"group {name!r} weighs {weights[name]}, but all its tasks have weight 0")
        for task in tasks if total else ():
            shares[task] += weights[name] * own[task] / total
    return board.replace(weights=shares)


def pooled(instances: Instances, *, each: Literal["instance", "task"] = "instance") -> Leaderboard:
    """Return the leaderboard whose tasks are all instances of all tasks, named ``task/instance``.

    Parameters
    ----------
    instances : Instances
        Tasks of weight 0 are left out.
    each : {"instance", "task"}
        Who has the weight of a task: each of its instances, or all of them together.

    Notes
    -----
    Where two instances would have the same name, all are named by their quoted parts, ``'task'/'instance'``.
    """
    one_of("each", each, ("instance", "task"))
    label = _labels(instances)
    models = instances.models
    position = {model: row for row, model in enumerate(models)}
    names: list[str] = []
    blocks, exact = [], {}
    weights: dict[str, Fraction] = {}
    lower: list[str] = []
    for task, weight in instances.weights.items():
        if not weight:
            continue
        table = instances.table(str(task))
        rows = [position[model] for model in table.models]
        block = np.full((len(models), len(table.columns)), np.nan)
        block[rows] = table.cells.floats
        exact.update({(rows[row], len(names) + column): score for (row, column), score in table.cells.exact.items()})
        own = [label(str(task), column) for column in table.columns]
        weights.update(dict.fromkeys(own, weight if each == "instance" else weight / len(own)))
        lower.extend(own if task in instances.lower_is_better else [])
        names.extend(own)
        blocks.append(block)
    cells = Cells(floats=np.concatenate(blocks, axis=1), exact=exact)
    return Leaderboard.from_cells(models, names, cells, lower_is_better=lower, weights=weights)


def boards_of(source: Leaderboard | Instances, names: Iterable[str]) -> dict[str, Leaderboard]:
    """Return the leaderboard of each group of a board, or of each task of instances, by name.

    A board keeps the tasks of the group that weigh, and the models that have a score on any of them.

    Raises
    ------
    UnknownNameError, InputError
        If there is no such group or task, or none of its tasks weighs.
    """
    if isinstance(source, Instances):
        return {name: source.leaderboard(name) for name in names}
    boards = {}
    for name in names:
        if name not in source.groups:
            raise UnknownNameError("group", name, tuple(source.groups))
        boards[name] = _of_group(source, source.groups[name])
    return boards


def checked_group_weights(board: Leaderboard, given: Mapping[str, Number] | None) -> dict[str, Fraction]:
    """Return a weight for every group of a board, 1 where none is given, or raise InputError listing every fault."""
    names = tuple(board.groups)
    if not names:
        raise InputError("the leaderboard has no groups; say groups={name: tasks, ...} when it is made")
    faults = Faults()
    exact = exact_numbers(given or {}, names, "group", faults, what="weight", holder="leaderboard")
    weights = {name: exact.get(name, Fraction(1)) for name in names}
    for name, weight in weights.items():
        if weight < 0:
            faults.add(f"weight of group {name!r} is negative: {weight}")
    if not any(weights.values()):
        faults.add("all groups have weight 0")
    faults.raise_if_any()
    return weights


def refuse_ungrouped(board: Leaderboard) -> None:
    """Raise InputError naming the tasks that weigh and are in no group."""
    members = {task for tasks in board.groups.values() for task in tasks}
    outside = [task for task, weight in board.weights.items() if weight and task not in members]
    if outside:
        noun = "task is" if len(outside) == 1 else "tasks are"
        listed = ", ".join(map(repr, outside))
        raise InputError(
            f"{len(outside)} {noun} in no group: {listed}; group every task that weighs, or give it weight 0"
        )


def _labels(instances: Instances) -> Callable[[str, str], str]:
    """Return how to name an instance of a task so that no two names are the same."""
    plain = [f"{task}/{column}" for task in instances.tasks for column in instances.table(task).columns]
    if len(set(plain)) == len(plain):
        return lambda task, column: f"{task}/{column}"
    return lambda task, column: f"{task!r}/{column!r}"


def _of_group(board: Leaderboard, tasks: tuple[str, ...]) -> Leaderboard:
    weighing = [task for task in tasks if board.weights[task]]
    if not weighing:
        raise InputError(f"all tasks of a group have weight 0: {', '.join(map(repr, tasks))}")
    there = board.missing[weighing].all(axis=1)
    return board.select(models=[model for model in board.models if not there[model]], tasks=weighing)
