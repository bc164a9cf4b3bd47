"""Instances: one score table, models x instances, a task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from weightlab._exact import WeightsLike, common_denominator, shortest_decimal
from weightlab._result import ensure, ensure_same_names, told_of
from weightlab._text import counted
from weightlab._validate import Faults, named_subset
from weightlab.data.frame.arrays import places_in
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.declarations import READERS, Declarations, all_declared, declared_in
from weightlab.data.frame.named_tables import NamedTables, tables_from_frames
from weightlab.data.frame.parts import Readers, as_written, ensure_same_cells
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import ProofError


class Instances(NamedTables):
    """Scores of models on single instances, one table per task. Immutable.

    Parameters
    ----------
    tables : mapping from task to DataFrame
        Rows are models, columns are instances; tasks need not share instances. What has no score is left out.
    lower_is_better : str or iterable of str
        Tasks on which a lower score is better.
    higher_is_better : str or iterable of str
        Tasks declared as higher is better, as for `Leaderboard`.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks; unlisted ones weigh 1.

    Raises
    ------
    InputError
        Listing every error with its task.

    Examples
    --------
    >>> import weightlab as wl
    >>> wl.Instances({"qa": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 1}}})
    Instances: 1 task, 2 models, 2 instances
    """

    __slots__ = ()

    _kind: ClassVar[str] = "task"
    _holder: ClassVar[str] = "set of instances"
    own_part: ClassVar[str] = "instances"
    optional = frozenset({"lower_is_better", "weights"})
    readers: ClassVar[Readers] = {"instances": as_written} | {name: READERS[name] for name in sorted(optional)}

    def __init__(
        self,
        tables: Mapping[str, Any],
        *,
        lower_is_better: str | Iterable[str] = (),
        higher_is_better: str | Iterable[str] = (),
        weights: WeightsLike | None = None,
    ) -> None:
        declared, faults = declared_in(locals()), Faults()
        self._tables = tables_from_frames(tables, faults, name_kind="task", column_kind="instance")
        self._declared = Declarations.checked(self.tasks, faults, holder=self._holder, **declared)
        faults.raise_if_any()
        self._declared.warn()

    def __repr__(self) -> str:
        """Return one honest line."""
        total = sum(len(table.columns) for table in self._tables.values())
        counts = ((len(self.tasks), "task"), (len(self.models), "model"), (total, "instance"))
        return "Instances: " + ", ".join(counted(count, noun) for count, noun in counts)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(self._tables)

    def leaderboard(self, task: str) -> Leaderboard:
        """Return the leaderboard whose tasks are the instances of one task, each of weight 1.

        Raises
        ------
        UnknownNameError
            If there is no such task.
        InputError
            If it has fewer than two models.
        """
        table = self.table(task)
        declared = Declarations(
            lower_is_better=frozenset(table.columns if task in self._declared.lower_is_better else ()),
            weights=dict.fromkeys(table.columns, Fraction(1)),
        )
        return Leaderboard.from_checked(table, declared, Faults())

    def means(self) -> Leaderboard:
        """Return the leaderboard of exact mean scores, models x tasks; missing instances are left out of a mean."""
        row = {model: position for position, model in enumerate(self.models)}
        means = {
            (row[model], column): mean
            for column, table in enumerate(self._tables.values())
            for model, mean in zip(table.models, _row_means(table.cells), strict=True)
        }
        cells = Cells.from_fractions(means, (len(row), len(self.tasks)))
        return Leaderboard.from_cells(tuple(row), self.tasks, cells, **self._declared.options())

    def select(self, *, tasks: Iterable[str] | None = None, models: Iterable[str] | None = None) -> Instances:
        """Return the instances of some tasks and models; in each table the models stand in the given order.

        Raises
        ------
        InputError
            Listing every error: unknown names, no task, tasks without a score among the models and instances kept.
        """
        faults = Faults()
        chosen = self.tasks if tasks is None else named_subset(tasks, self.tasks, "task", faults, holder=self._holder)
        rows = None if models is None else named_subset(models, self.models, "model", faults, holder=self._holder)
        faults.raise_if_any()
        return self._with({task: self._tables[task].select(models=rows) for task in chosen}, "tasks")

    def parts(self) -> dict[str, Any]:
        """Return the tables by task, with exact scores by instance, and the declarations, except weights of 1."""
        return {"instances": {name: table.parts() for name, table in self._tables.items()}} | self._declared.parts()

    @classmethod
    def from_parts(cls, read: Mapping[str, Any]) -> Instances:
        """Return the instances of parts that were read from a document."""
        return cls(cls.read_tables(read["instances"], "the tasks"), **all_declared(read, ()))

    def ensure_same(self, source: object) -> None:
        """Raise ProofError, naming the first difference, unless a source has the same tasks, scores and weights."""
        if not isinstance(source, Instances):
            raise ProofError(f"the source must be Instances, not a {type(source).__name__}")
        ensure_same_names("tasks", self.tasks, source.tasks, in_order=True)
        for task, table in self._tables.items():
            with told_of(f"task {task!r}"):
                places_in(table, source.table(task), "models", "columns", in_order=True)
                table.ensure_same(source.table(task))
        ensure(self.lower_is_better == source.lower_is_better, "the source declares another lower_is_better")
        ensure_same_cells("the weight of {} is", [self.tasks], self.weights.to_numpy(), source.weights.to_numpy())


def _row_means(cells: Cells) -> list[Fraction]:
    """Return the exact mean of each row over its present cells, as the decimals that were written."""
    is_present = ~np.isnan(cells.floats)
    # Scores of instances repeat (right or wrong): each is read once, and all are added up over one denominator.
    values, place = np.unique(cells.floats[is_present], return_inverse=True)
    numerators, common = common_denominator([shortest_decimal(value) for value in values.tolist()])
    whole = np.zeros(cells.floats.shape, dtype=object)
    whole[is_present] = np.array([*numerators, 0], dtype=object)[place]
    totals = [Fraction(total, common) for total in whole.sum(axis=1).tolist()]
    for (row, column), value in cells.exact.items():
        totals[row] += value - shortest_decimal(float(cells.floats[row, column]))
    return [total / count for total, count in zip(totals, is_present.sum(axis=1).tolist(), strict=True)]
