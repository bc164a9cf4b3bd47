"""The program of a scenario: the best value of an objective over weights under which a model leads everybody."""

from __future__ import annotations

from fractions import Fraction

from weightlab._solver import ExactOptimum, Formulation, Rows, exact_optimum
from weightlab._typing import SignArray
from weightlab.lp.objectives import LinearObjective
from weightlab.lp.program import RivalRows, linear_rows, rival_duals, weight_rows
from weightlab.lp.space import WeightSpace

__all__ = ["best_weights"]


def best_weights(
    matrix: SignArray,
    rivals: tuple[str, ...],
    space: WeightSpace,
    objective: LinearObjective,
    *,
    margin: Fraction,
    time_limit: float | None,
) -> tuple[list[Fraction], ExactOptimum]:
    """Return the multipliers of the duels, one a rival, and the exact optimum with those of the other rows.

    Raises
    ------
    ImpossibleError
        If no weights give such leads.
    UnprovedError, TimeLimitError
        If no exact proof was found.
    """
    auxiliaries = (*space.auxiliaries, *objective.condition.auxiliaries)
    rows = (*space.rows, *objective.condition.rows)
    columns = {task: position for position, task in enumerate(space.tasks)}
    extra = {name: len(columns) + position for position, name in enumerate(auxiliaries)}
    width = len(columns) + len(extra)
    costs = {columns[task]: value for task, value in objective.tasks.items()}
    costs |= {extra[name]: value for name, value in objective.auxiliaries.items()}
    program = Formulation(
        name=objective.text,
        sense=objective.sense,
        columns=(*space.tasks, *auxiliaries),
        objective=tuple(costs.get(column, Fraction(0)) for column in range(width)),
        rows=Rows.join(weight_rows(len(columns), width), linear_rows(rows, columns, extra, width)),
        lower=(0,) * width,
        upper=(None,) * width,
    )
    duels = RivalRows(matrix, rivals, width=width, least=margin)
    optimum = exact_optimum(program.with_rows(duels.rows(duels.first())), lazy=duels, time_limit=time_limit)
    return rival_duals(optimum, len(program.rows), rivals), optimum
