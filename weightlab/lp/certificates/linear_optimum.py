"""The best value of a linear objective over weights that win given duels, with the multipliers that prove it best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from weightlab._exact import SignArray, largest_entry
from weightlab._result import Exact, Record, ensure, exact_series
from weightlab._solver import Formulation, Sense, exact_optimum
from weightlab.lp.certificates.dual import (
    DualBound,
    DuelRows,
    check_exact,
    check_leads,
    check_weights,
    combination,
    multipliers_by_row,
    series_dict,
)
from weightlab.lp.certificates.equal_tasks import equal_tasks
from weightlab.lp.certificates.lp_rows import RivalRows, rival_duals, row_duals, weights_program
from weightlab.lp.certificates.objectives import LinearObjective
from weightlab.lp.space.conditions import ZERO, LinearRow
from weightlab.lp.space.space import WeightSpace


class Optimum(Record):
    """The optimum of an objective over weights of a space whose duels all have leads of at least ``least``.

    Attributes
    ----------
    objective : LinearObjective
        What was made small or large.
    least : Fraction
        Least lead in every duel.
    value : Fraction
        The optimum.
    weights : Series of Fraction by task
        Weights that attain it.
    duel_multipliers : Series of Fraction by duel
        Multipliers of the duels, not negative.
    multipliers : tuple of Fraction
        Multipliers of the rows of the space, then of the objective.
    """

    objective: LinearObjective
    least: Fraction
    value: Fraction
    weights: Exact
    duel_multipliers: Exact
    multipliers: tuple[Fraction, ...]

    @property
    def duels(self) -> tuple[str, ...]:
        """Names of the duels, rows of the signs."""
        return tuple(str(name) for name in self.duel_multipliers.index)

    def check(self, signs: SignArray, space: WeightSpace) -> None:
        """Ensure that the weights attain the value, and that the multipliers allow no better one.

        What the signs mean is for the caller to ensure.

        Parameters
        ----------
        signs : ndarray of int, duels x tasks
            Rows G with G w >= ``least``.
        space : WeightSpace
            The weights that were allowed, tasks in the order of the columns.
        """
        check_exact(least=self.least, value=self.value)
        ensure(self.objective.is_over(space.tasks), f"the {self.objective.text} is not about the tasks of the space")
        named = tuple(self.weights.index.tolist())
        ensure(named == space.tasks, "the weights are not about the tasks of the space, in order")
        ensure(signs.shape == (len(self.duels), len(space.tasks)), "the signs do not fit the duels and tasks")
        exact = series_dict(self.weights)
        check_weights(exact, space)
        check_leads(signs, self.duels, self.weights.tolist(), self.least)
        found = self.objective.value(exact)
        ensure(found == self.value, f"the {self.objective.text} is {found}, not {self.value}")
        self._check_bound(signs, space)

    def total_multiplier(self, space: WeightSpace) -> Fraction:
        """Return the multiplier of "weights sum to 1": what the other rows leave of the optimum."""
        rows = _rows(self.objective, space)
        _, _, right = combination(rows, multipliers_by_row(rows, self.multipliers))
        return _sign(self.objective) * self.value - right - self.least * sum(self.duel_multipliers.tolist(), ZERO)

    def _check_bound(self, signs: SignArray, space: WeightSpace) -> None:
        """Ensure that the multipliers bound the objective by ``value``.

        What is to be large is to be small with its sign turned: the multipliers are those of that program.
        """
        sign, rows = _sign(self.objective), _rows(self.objective, space)
        costs = {task: sign * cost for task, cost in self.objective.weight_costs.items()}
        DualBound(
            tasks=space.tasks,
            objective=[costs.get(task, ZERO) for task in space.tasks],
            auxiliaries={name: sign * cost for name, cost in self.objective.costs.items()},
            rows=rows,
            multipliers=multipliers_by_row(rows, self.multipliers),
            duels=DuelRows(matrix=signs, factors=series_dict(self.duel_multipliers), least=self.least),
        ).check(sign * self.value)


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
        One row a duel; there may be none. Point differences serve as well as signs.
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
    One linear program with a column a task, or a class of tasks with equal signs (see `equal_tasks`); duels enter as
    rows when they are violated.
    """
    if (merged := equal_tasks(signs, space, objective)) is not None and merged.objective is not None:
        found = best_over(merged.signs, duels, merged.space, merged.objective, least=least, time_limit=time_limit)
        return replace(
            found,
            objective=objective,
            weights=exact_series(merged.weights(found.weights.tolist()), space.tasks, "weight"),
            multipliers=merged.multipliers(found.multipliers),
        )
    program = _program(space, objective)
    rows = RivalRows(signs, duels, width=len(program.columns), least=least, unit=max(1, largest_entry(signs)))
    optimum = exact_optimum(program.with_rows(rows.rows(rows.first())), lazy=rows, time_limit=time_limit)
    sign = _sign(objective)
    of_duels = [sign * dual for dual in rival_duals(optimum, len(program.rows), duels)]
    named = _rows(objective, space)
    of_rows = [sign * dual for dual in row_duals(optimum.duals, named, 1)]
    return Optimum(
        objective=objective,
        least=least,
        value=optimum.value,
        weights=exact_series(optimum.x[: len(space.tasks)], space.tasks, "weight"),
        duel_multipliers=exact_series(of_duels, duels, "multiplier"),
        multipliers=tuple(of_rows),
    )


def _sign(objective: LinearObjective) -> int:
    """Return what turns the objective into one that is to be small."""
    return 1 if objective.sense is Sense.MINIMISE else -1


def _rows(objective: LinearObjective, space: WeightSpace) -> tuple[LinearRow, ...]:
    return (*space.rows, *objective.rows)


def _auxiliaries(objective: LinearObjective, space: WeightSpace) -> tuple[str, ...]:
    return (*space.auxiliaries, *objective.costs)


def _program(space: WeightSpace, objective: LinearObjective) -> Formulation:
    """Return the program without its duels."""
    auxiliaries = _auxiliaries(objective, space)
    by_task, by_name = objective.weight_costs, objective.costs
    costs = [*(by_task.get(task, ZERO) for task in space.tasks), *(by_name.get(name, ZERO) for name in auxiliaries)]
    return weights_program(
        space.tasks, auxiliaries, _rows(objective, space), name=objective.text, sense=objective.sense, objective=costs
    )
