"""The best value of a linear objective over weights that win given head-to-heads, with what proves it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from weightlab._exact import SignArray, largest_entry
from weightlab._solver import Formulation, Sense, exact_optimum
from weightlab.lp.certificate import Optimum, nonzero
from weightlab.lp.certificates.lp_rows import RivalRows, rival_duals, row_duals, weights_program
from weightlab.lp.certificates.max_margin import equal_tasks
from weightlab.lp.certificates.objectives import LinearObjective
from weightlab.lp.space.conditions import ZERO, added_up
from weightlab.lp.space.space import WeightSpace


def best_over(
    signs: SignArray,
    duels: Sequence[str],
    space: WeightSpace,
    objective: LinearObjective,
    *,
    least: Fraction = ZERO,
    time_limit: float | None = None,
) -> Optimum:
    """Return the exact optimum of an objective over weights of a space with ``signs @ weights >= least``.

    Parameters
    ----------
    signs : ndarray of int, duels x tasks
        One row per duel; there may be none. Point differences serve as well as signs.
    duels : sequence of str
        Names of the rows, all different.
    space : WeightSpace
        Allowed weights, tasks in the order of the columns.
    objective : LinearObjective
        Over the same tasks.
    least : Fraction
        Least lead.
    time_limit : float, optional
        Seconds.

    Raises
    ------
    ImpossibleError
        If no weights give such leads; a caller who knows the model asks `prospect` for the proof.
    UnprovedError, TimeLimitError
        If no exact proof was found.

    Notes
    -----
    One linear program with a column per task, or a class of tasks with equal signs (see `equal_tasks`); duels enter as
    rows when they are violated.
    """
    if (merged := equal_tasks(signs, space, objective)) is not None and merged.objective is not None:
        found = best_over(merged.signs, duels, merged.space, merged.objective, least=least, time_limit=time_limit)
        return replace(
            found,
            weights=nonzero(merged.weights(found.along(merged.space.tasks)), space.tasks),
            vectors=tuple(merged.vector(one, space.tasks) for one in found.vectors),
            slope=merged.vector(found.slope, space.tasks),
        )
    program = _program(space, objective)
    rows = RivalRows(signs, duels, width=len(program.columns), least=least, unit=max(1, largest_entry(signs)))
    optimum = exact_optimum(program.with_rows(rows.rows(rows.first())), lazy=rows, time_limit=time_limit)
    # Multipliers of what is to be small bound it from below, "at most" having negative ones; what is to be large is to
    # be small with its sign turned. A vector bounds from above: its rows' multipliers have the other sign.
    sign = 1 if objective.sense is Sense.MINIMISE else -1
    shares = [sign * dual for dual in rival_duals(optimum, len(program.rows), duels)]
    own = [-sign * dual for dual in row_duals(optimum.duals, (*space.rows, *objective.rows), 1)]
    return Optimum(
        value=optimum.value,
        weights=nonzero(optimum.x[: len(space.tasks)], space.tasks),
        mixture=nonzero(shares, duels),
        vectors=space.vectors(own[: len(space.rows)]),
        # The rows of the objective say that it is at least what their multipliers make of the weights.
        slope=added_up(zip(own[len(space.rows) :], objective.rows, strict=True)),
    )


def _program(space: WeightSpace, objective: LinearObjective) -> Formulation:
    """Return the program without its head-to-heads."""
    auxiliaries = (*space.auxiliaries, *objective.costs)
    by_task, by_name = objective.weight_costs, objective.costs
    costs = [*(by_task.get(task, ZERO) for task in space.tasks), *(by_name.get(name, ZERO) for name in auxiliaries)]
    rows = (*space.rows, *objective.rows)
    return weights_program(space.tasks, auxiliaries, rows, name=objective.text, sense=objective.sense, objective=costs)
