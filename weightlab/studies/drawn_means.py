"""Exact means of instances that are drawn anew: sums of integers, one product a task and draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._exact import common_denominator, exact_products
from weightlab._typing import AnyArray, BoolArray, FloatArray, IntArray
from weightlab.data import Instances
from weightlab.data.cells import Cells
from weightlab.rules.scores import decimals

__all__ = ["MeansTable"]

FLOAT_EXACT = 2**53
"""Integers below it are doubles."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskScores:
    """The scores of one task as integers over a denominator.

    Attributes
    ----------
    rows : list of int
        Positions of its models among all.
    numerators : ndarray of int, models x instances
        Scores times ``denominator``, 0 where missing.
    denominator : int
        Common denominator.
    present : ndarray of bool or None
        Which scores there are; None where there are all.
    sign : int
        -1 where lower is better.
    """

    rows: list[int]
    numerators: AnyArray
    denominator: int
    present: BoolArray | None
    sign: int

    def sums(self, counts: IntArray) -> tuple[list[int], list[int]]:
        """Return each model's sum over the drawn instances times the denominator, and how many it has scores of."""
        sums = [int(one) for one in exact_products(self.numerators, counts)]
        if self.present is None:
            return sums, [int(counts.sum())] * len(sums)
        return sums, [int(one) for one in exact_products(self.present.astype(np.int64), counts)]


@dataclass(frozen=True, kw_only=True, eq=False)
class MeansTable:
    """All tasks of some instances, ready to be averaged over instances that are drawn anew.

    Attributes
    ----------
    models : int
        How many models there are.
    tasks : tuple of TaskScores
        One a task.
    """

    models: int
    tasks: tuple[TaskScores, ...]

    @classmethod
    def of(cls, instances: Instances) -> MeansTable:
        """Return the scores of instances as integers."""
        position = {model: row for row, model in enumerate(instances.models)}
        lower = set(instances.lower_is_better)
        tasks = []
        for name in instances.tasks:
            table = instances.table(name)
            numerators, denominator = _integers(table.cells)
            present = ~table.cells.missing
            tasks.append(
                TaskScores(
                    rows=[position[model] for model in table.models],
                    numerators=numerators,
                    denominator=denominator,
                    present=None if present.all() else present,
                    sign=-1 if name in lower else 1,
                )
            )
        return cls(models=len(position), tasks=tuple(tasks))

    @property
    def sizes(self) -> list[int]:
        """How many instances each task has."""
        return [task.numerators.shape[1] for task in self.tasks]

    def means(self, counts: Sequence[IntArray]) -> dict[tuple[int, int], Fraction]:
        """Return the exact means by (model, task); models without a score on the drawn instances have none."""
        found: dict[tuple[int, int], Fraction] = {}
        for column, (task, own) in enumerate(zip(self.tasks, counts, strict=True)):
            for row, total, count in zip(task.rows, *task.sums(own), strict=True):
                if count:
                    found[row, column] = Fraction(total, count * task.denominator)
        return found

    def levels(self, counts: Sequence[IntArray]) -> FloatArray | None:
        """Return numbers that order each task as the means do (models x tasks), NaN without a score.

        None where they would not be exact.
        """
        levels = np.full((self.models, len(self.tasks)), np.nan)
        for column, (task, own) in enumerate(zip(self.tasks, counts, strict=True)):
            sums, present = task.sums(own)
            # With equal counts sums order as means do; otherwise the means are brought to a common denominator.
            if len(set(present)) > 1:
                means = [
                    Fraction(total, count) if count else Fraction(0) for total, count in zip(sums, present, strict=True)
                ]
                sums = common_denominator(means)[0]
            if max(map(abs, sums)) >= FLOAT_EXACT:
                return None
            for row, total, count in zip(task.rows, sums, present, strict=True):
                levels[row, column] = task.sign * total if count else np.nan
        return levels


def _integers(cells: Cells) -> tuple[AnyArray, int]:
    """Return scores as integers over a denominator, 0 where missing."""
    if not cells.exact:
        found = decimals(np.nan_to_num(cells.floats))
        if found is not None:
            return found
    columns = [cells.column(column) for column in range(cells.floats.shape[1])]
    numerators, denominator = common_denominator([score or Fraction(0) for column in columns for score in column])
    return np.array(numerators, dtype=object).reshape(len(columns), -1).T, denominator
