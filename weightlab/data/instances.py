"""Instances: one score table, models x instances, a task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._typing import WeightsLike
from weightlab._validate import Faults, exact_numbers, named_subset
from weightlab.data.cells import Cells
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.tables import Table, first_appearances, tables_from_frames
from weightlab.exceptions import UnknownNameError

__all__ = ["Instances"]


class Instances:
    """Scores of models on single instances, one table a task. Immutable.

    Parameters
    ----------
    tables : mapping from task to DataFrame
        Rows are models, columns are instances; tasks need not share instances. What has no score is left out.
    lower_is_better : str or iterable of str
        Tasks on which the lower score leads.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks; unlisted ones weigh 1.

    Raises
    ------
    InputError
        Listing every fault with the task it is in.

    Examples
    --------
    >>> import weightlab as wl
    >>> wl.Instances({"qa": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 1}}})
    Instances: 1 task, 2 models, 2 instances
    """

    __slots__ = ("_lower", "_tables", "_weights")

    def __init__(
        self,
        tables: Mapping[str, Any],
        *,
        lower_is_better: str | Iterable[str] = (),
        weights: WeightsLike | None = None,
    ) -> None:
        faults = Faults()
        self._tables = tables_from_frames(tables, faults, name_kind="task", column_kind="instance")
        tasks = tuple(self._tables)
        known = named_subset(lower_is_better, tasks, "task", faults, holder="set of instances", where="lower_is_better")
        self._lower = frozenset(known)
        self._weights: dict[str, Fraction] = {}
        if weights is not None:
            self._weights = exact_numbers(weights, tasks, "task", faults, what="weight", holder="set of instances")
        for task, weight in self._weights.items():
            if weight < 0:
                faults.add(f"weight of task {task!r} is negative: {weight}")
        if tasks and not any(self._weights.get(task, Fraction(1)) for task in tasks):
            faults.add("all weights are 0")
        faults.raise_if_any()

    def __repr__(self) -> str:
        """Return one honest line."""
        total = sum(len(table.columns) for table in self._tables.values())
        counts = ((len(self.tasks), "task"), (len(self.models), "model"), (total, "instance"))
        return "Instances: " + ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(self._tables)

    @property
    def models(self) -> tuple[str, ...]:
        """Models of all tasks, in order of first appearance."""
        return first_appearances(table.models for table in self._tables.values())

    @property
    def lower_is_better(self) -> tuple[str, ...]:
        """Tasks on which the lower score leads."""
        return tuple(task for task in self.tasks if task in self._lower)

    @property
    def weights(self) -> pd.Series:
        """Exact weights (Fraction) by task."""
        tasks = self.tasks
        return pd.Series([self._weights.get(task, Fraction(1)) for task in tasks], index=list(tasks), dtype=object)

    def table(self, task: str) -> Table:
        """Return the scores of one task (models x instances), or raise UnknownNameError."""
        if task not in self._tables:
            raise UnknownNameError("task", task, self.tasks, holder="set of instances")
        return self._tables[task]

    def leaderboard(self, task: str) -> Leaderboard:
        """Return the leaderboard whose tasks are the instances of one task."""
        table = self.table(task)
        lower = table.columns if task in self._lower else ()
        return Leaderboard.from_cells(table.models, table.columns, table.cells, lower_is_better=lower)

    def means(self) -> Leaderboard:
        """Return the leaderboard of exact mean scores, models x tasks; missing instances are left out of a mean."""
        models = self.models
        floats = np.full((len(models), len(self.tasks)), np.nan)
        exact: dict[tuple[int, int], Fraction] = {}
        for column, table in enumerate(self._tables.values()):
            for model, mean in zip(table.models, _row_means(table.cells), strict=True):
                row = models.index(model)
                floats[row, column] = float(mean)
                if Fraction(repr(float(mean))) != mean:
                    exact[row, column] = mean
        cells = Cells(floats=floats, exact=exact)
        return Leaderboard.from_cells(
            models, self.tasks, cells, lower_is_better=self._lower, weights=dict(self._weights)
        )

    def select(self, *, tasks: Iterable[str] | None = None, models: Iterable[str] | None = None) -> Instances:
        """Return some tasks and models, in the given order."""
        faults = Faults()
        chosen = self.tasks if tasks is None else tuple(tasks)
        rows = None if models is None else tuple(models)
        named_subset(chosen, self.tasks, "task", faults, holder="set of instances")
        named_subset(rows or (), self.models, "model", faults, holder="set of instances")
        tables = {task: self._tables[task].select(models=rows) for task in chosen if task in self._tables}
        for task, table in tables.items():
            if not table.models:
                faults.add(f"task {task!r} has no score of what is kept")
        faults.raise_if_any()
        made = object.__new__(Instances)
        made._tables = tables
        made._lower = self._lower & set(tables)
        made._weights = {task: weight for task, weight in self._weights.items() if task in tables}
        return made

    def equals(self, other: Instances) -> bool:
        """Tell whether others have the same names, exact scores, directions and weights."""
        return (
            self.tasks == other.tasks
            and all(self._tables[task].equals(other._tables[task]) for task in self.tasks)
            and (self._lower, list(self.weights)) == (other._lower, list(other.weights))
        )


def _row_means(cells: Cells) -> list[Fraction]:
    """Return the exact mean of each row over its present cells, as the decimals that were written."""
    means: list[Fraction] = []
    for row, floats in enumerate(cells.floats):
        values, counts = np.unique(floats[~np.isnan(floats)], return_counts=True)
        total = sum(
            (Fraction(repr(float(value))) * int(count) for value, count in zip(values, counts, strict=True)),
            Fraction(0),
        )
        total += sum(
            (value - Fraction(repr(float(floats[j]))) for (i, j), value in cells.exact.items() if i == row), Fraction(0)
        )
        means.append(total / int(counts.sum()))
    return means
