"""The formulations of the weight questions: columns for weights, lazy rows for rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, FloatArray, common_denominator, exact_products
from weightlab._solver import ExactOptimum, Formulation, Number, Rows, Sense
from weightlab.lp.space.conditions import LinearRow, Relation

TOTAL = "weights sum to 1"
"""Label of the row that makes weights shares."""
MARGIN = "margin"
"""Label of the column for the least lead over all rivals."""
BATCH = 20
"""Number of violated rivals added at a time."""
OVERLOOKED = 1e-8
"""Violations of a float point up to this size are left to the exact check."""


@dataclass(eq=False)
class RivalRows:
    """The head-to-heads with all rivals, handed to the solver only when a point violates them.

    Parameters
    ----------
    signs : ndarray of int, rivals x tasks
        G_m, or differences of points.
    rivals : sequence of str
        Names, for labels.
    width : int
        Number of columns of the program; weights are the first ones.
    margin_column : int, optional
        Column of the margin t in ``G w - t >= 0``; without one the rows are ``G w >= least``.
    least : Fraction
        Least lead, when there is no margin column.
    unit : int
        What the margin column counts in, so that it holds no large numbers where the rows do.
    """

    signs: AnyArray
    rivals: Sequence[str]
    _: KW_ONLY
    width: int
    margin_column: int | None = None
    least: Fraction = Fraction(0)
    unit: int = 1

    def __post_init__(self) -> None:
        """Begin without any row."""
        self._floats = (self.signs if self.unit == 1 else self.signs / self.unit).astype(np.float64)
        self._added = np.zeros(len(self.signs), dtype=np.bool_)

    def rows(self, chosen: Sequence[int]) -> Rows:
        """Return the rows of some rivals, which then count as added."""
        self._added[list(chosen)] = True
        kind = np.dtype(object) if self.signs.dtype == object else np.dtype(np.int64)
        matrix = np.zeros((len(chosen), self.width), dtype=kind)
        matrix[:, : self.signs.shape[1]] = self.signs[list(chosen)]
        bound = self.least
        if self.margin_column is not None:
            matrix[:, self.margin_column] = -self.unit
            bound = Fraction(0)
        return Rows.from_matrix(matrix, lower=bound, labels=[self.rivals[one] for one in chosen])

    def first(self) -> list[int]:
        """Return the rivals to begin with: those that trail on the fewest tasks."""
        count = min(len(self.signs), BATCH)
        order = np.argsort(self._floats.sum(axis=1), kind="stable")
        return [int(rival) for rival in order[:count]]

    def violated(self, x: FloatArray) -> Rows | None:
        """Return the rows that a float point violates most, or None.

        Rows added before are not added again: a solver whose floats violate them would be asked for ever.
        """
        lead = np.where(self._added, np.inf, self._floats @ x[: self.signs.shape[1]])
        least = float(self.least / self.unit) if self.margin_column is None else float(x[self.margin_column])
        worst = np.argsort(lead, kind="stable")[:BATCH]
        worst = worst[lead[worst] < least - OVERLOOKED]
        return self.rows(worst.tolist()) if len(worst) else None

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return rows that an exact point violates, or None when every head-to-head holds."""
        weights, denominator = common_denominator(x[: self.signs.shape[1]])
        least = self.least if self.margin_column is None else x[self.margin_column] * self.unit
        leads = exact_products(self.signs, weights).tolist()
        # Cross-multiplied, since denominators are positive: no Fraction for each head-to-head.
        failing = [r for r, lead in enumerate(leads) if lead * least.denominator < least.numerator * denominator]
        return self.rows(failing[:BATCH]) if failing else None


def linear_rows(
    rows: Sequence[LinearRow], columns: Mapping[str, int], auxiliaries: Mapping[str, int], width: int
) -> Rows:
    """Return named rows over weights and auxiliary variables as rows of a program."""
    dicts = [
        {columns[task]: value for task, value in row.tasks.items()}
        | {auxiliaries[name]: value for name, value in row.auxiliaries.items()}
        for row in rows
    ]
    return Rows.from_dicts(
        dicts,
        width=width,
        lower=[None if row.relation is Relation.AT_MOST else row.bound for row in rows],
        upper=[None if row.relation is Relation.AT_LEAST else row.bound for row in rows],
        labels=[row.name for row in rows],
    )


def allowed_rows(tasks: Sequence[str], auxiliaries: Sequence[str], rows: Sequence[LinearRow], width: int) -> Rows:
    """Return the rows that make weights allowed, of a program whose columns are weights, auxiliaries, others."""
    matrix = np.zeros((1, width), dtype=np.int8)
    matrix[0, : len(tasks)] = 1
    total = Rows.from_matrix(matrix, lower=1, upper=1, labels=[TOTAL])
    if not rows:
        return total
    columns = {task: position for position, task in enumerate(tasks)}
    extra = {name: position for position, name in enumerate(auxiliaries, start=len(tasks))}
    return Rows.join(total, linear_rows(rows, columns, extra, width))


def weights_program(
    tasks: Sequence[str],
    auxiliaries: Sequence[str],
    rows: Sequence[LinearRow],
    *,
    name: str,
    sense: Sense = Sense.MINIMISE,
    objective: Number | Sequence[Number] = 0,
) -> Formulation:
    """Return the program over allowed weights and the auxiliary variables of the rows."""
    columns = (*tasks, *auxiliaries)
    allowed = allowed_rows(tasks, auxiliaries, rows, len(columns))
    return Formulation.over(columns, allowed, name=name, sense=sense, objective=objective)


def margin_program(tasks: Sequence[str], rows: Sequence[LinearRow], auxiliaries: Sequence[str]) -> Formulation:
    """Return the program that maximises the margin under the given rows, the head-to-heads still to be added.

    Columns are the weights, then the auxiliary variables, then the margin. Bounds that are implied are left out: they
    would take part of the multipliers that prove the optimum.
    """
    width = len(tasks) + len(auxiliaries) + 1
    # Maximise m subject to ``signs @ w - m >= 0`` for each rival: the least lead is as large as can be.
    return Formulation.over(
        (*tasks, *auxiliaries, MARGIN),
        allowed_rows(tasks, auxiliaries, rows, width),
        name="widest margin",
        sense=Sense.MAXIMISE,
        objective=(0,) * (width - 1) + (1,),
        lower=(0,) * (width - 1) + (None,),
    )


def rival_duals(optimum: ExactOptimum, fixed: int, rivals: Sequence[str]) -> list[Fraction]:
    """Return the multipliers of the rivals' rows, from an optimum whose first ``fixed`` rows have none."""
    position = {rival: index for index, rival in enumerate(rivals)}
    duals = [Fraction(0)] * len(rivals)
    for row in range(fixed, len(optimum.duals)):
        if optimum.duals[row]:
            duals[position[optimum.formulation.rows.labels[row]]] += optimum.duals[row]
    return duals


def row_duals(duals: Sequence[Fraction], rows: Sequence[LinearRow], first: int) -> list[Fraction]:
    """Return the multipliers of named rows that stand from ``first`` on, of the rows as written, not as scaled."""
    return [duals[first + position] * row.scale for position, row in enumerate(rows)]
