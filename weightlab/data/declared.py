"""What is declared about the tasks of a leaderboard: directions, weights, groups, tolerances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from weightlab._typing import Number, WeightsLike
from weightlab._validate import Faults, exact_numbers, named_subset
from weightlab.data.groups import Group, TasksLike

__all__ = ["Declared"]


@dataclass(frozen=True, kw_only=True)
class Declared:
    """Directions, exact weights, groups and score tolerances, checked against the tasks.

    Attributes
    ----------
    lower : frozenset of str
        Tasks on which the lower score leads.
    weights : dict from task to Fraction
        One for every task.
    groups : dict from name to tuple of tasks
        In board order.
    absolute, relative : dict from task to Fraction
        Tolerances that are not 0.
    """

    lower: frozenset[str]
    weights: dict[str, Fraction]
    groups: dict[str, tuple[str, ...]]
    absolute: dict[str, Fraction]
    relative: dict[str, Fraction]

    @classmethod
    def checked(
        cls,
        tasks: tuple[str, ...],
        faults: Faults,
        *,
        lower_is_better: str | Iterable[str] = (),
        weights: WeightsLike | None = None,
        groups: Mapping[str, TasksLike] | None = None,
        tolerance: Number | Mapping[str, Number] = 0,
        relative_tolerance: Number | Mapping[str, Number] = 0,
    ) -> Declared:
        """Return what is declared, noting unknown names, negative or all-zero weights and contradictions."""
        lower = named_subset(lower_is_better, tasks, "task", faults, holder="leaderboard", where="lower_is_better")
        absolute = _tolerances(tolerance, tasks, faults, "tolerance")
        relative = _tolerances(relative_tolerance, tasks, faults, "relative tolerance")
        for task in tasks:
            if task in absolute and task in relative:
                faults.add(f"task {task!r} has both a tolerance and a relative tolerance; give one")
        return cls(
            lower=frozenset(lower),
            weights=_weights(weights, tasks, faults),
            groups=_groups(groups or {}, tasks, faults),
            absolute=absolute,
            relative=relative,
        )

    @property
    def tolerant(self) -> frozenset[str]:
        """Tasks with a tolerance of either kind."""
        return frozenset(self.absolute) | frozenset(self.relative)

    def weight_list(self, tasks: Sequence[str]) -> list[Fraction]:
        """Return the weights of the tasks, in their order."""
        return [self.weights[task] for task in tasks]

    def restricted(self, tasks: Sequence[str]) -> Declared:
        """Return what is declared about some of the tasks; groups that lose all their tasks go."""
        kept = set(tasks)
        shrunk = {name: tuple(task for task in members if task in kept) for name, members in self.groups.items()}
        return Declared(
            lower=self.lower & kept,
            weights={task: weight for task, weight in self.weights.items() if task in kept},
            groups={name: members for name, members in shrunk.items() if members},
            absolute={task: size for task, size in self.absolute.items() if task in kept},
            relative={task: size for task, size in self.relative.items() if task in kept},
        )


def _weights(weights: Any, tasks: tuple[str, ...], faults: Faults) -> dict[str, Fraction]:
    given: dict[str, Fraction] = {}
    if weights is not None:
        given = exact_numbers(weights, tasks, "task", faults, what="weight", holder="leaderboard")
    exact = {task: given.get(task, Fraction(1)) for task in tasks}
    for task, weight in exact.items():
        if weight < 0:
            faults.add(f"weight of task {task!r} is negative: {weight}")
    if tasks and not any(exact.values()):
        faults.add("all weights are 0")
    return exact


def _groups(groups: Mapping[str, TasksLike], tasks: tuple[str, ...], faults: Faults) -> dict[str, tuple[str, ...]]:
    checked: dict[str, tuple[str, ...]] = {}
    for name, given in groups.items():
        members: list[str | Group] = [given] if isinstance(given, str | Group) else list(given)
        if not str(name).strip():
            faults.add("a group has an empty name")
        if not members:
            faults.add(f"group {str(name)!r} has no tasks")
        where = f"group {str(name)!r}"
        chosen = set(named_subset(map(str, members), tasks, "task", faults, holder="leaderboard", where=where))
        checked[str(name)] = tuple(task for task in tasks if task in chosen)
    return checked


def _tolerances(given: Any, tasks: tuple[str, ...], faults: Faults, what: str) -> dict[str, Fraction]:
    by_task = given if isinstance(given, Mapping) else dict.fromkeys(tasks, given)
    exact = exact_numbers(by_task, tasks, "task", faults, what=what, holder="leaderboard")
    for task, size in exact.items():
        if size < 0:
            faults.add(f"{what} of task {task!r} is negative: {size}")
    return {task: size for task, size in exact.items() if size > 0}
