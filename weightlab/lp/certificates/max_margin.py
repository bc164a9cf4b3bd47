"""The widest margin: the largest t with G w >= t, its weights, and the mixture of rivals that proves it largest.

Its sign is the verdict: what weights can do for a model. Tasks on which all head-to-heads go alike are solved as one:
thousands of voters hold few different opinions. What is found is carried over to every task, so that nothing is proved
of the small table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from math import floor

import numpy as np
import pandas as pd

from weightlab._exact import IntArray, SignArray, common_denominator, exact_products, largest_entry
from weightlab._result import Frozen
from weightlab._solver import ExactOptimum, Formulation, Sense, deadline_in, exact_optimum, seconds_left
from weightlab.exceptions import EmptySpaceError, ImpossibleError
from weightlab.lp.certificate import Optimum, nonzero
from weightlab.lp.certificates.infeasible_space import refuse_empty
from weightlab.lp.certificates.lp_rows import RivalRows, margin_program, rival_duals, row_duals, weights_program
from weightlab.lp.certificates.objectives import DistanceFrom, LinearObjective
from weightlab.lp.space.conditions import ZERO, Near, added_up
from weightlab.lp.space.space import Vectors, WeightSpace

ENOUGH = 500
"""Fewer tasks are solved one by one."""
MANY, ADDED = 200, 30
"""Tables of at least `MANY` tasks start with a few of them, and at most `ADDED` join at a time."""


class EqualTasks(Frozen):
    """A program whose tasks are classes of tasks with equal signs.

    Attributes
    ----------
    signs : ndarray of int, duels x classes
        The signs of each class.
    space : WeightSpace
        The conditions on the weights of classes.
    objective : DistanceFrom, optional
        The distance between weights of classes.
    class_of : list of int
        The class of each task.
    shares : list of Fraction
        What of the weight of its class each task gets.

    Notes
    -----
    Let a class have the weight W, and C in the weights from which the distance (l1) is measured. Its tasks change by
    |W - C| at least in sum, by the triangle inequality, and by no more where each gets W c / C, in proportion to its
    own share c: so the distance of the classes is the least distance of the tasks. Leads depend on W alone. In the
    proof each class has one entry of a vector; given to each of its tasks it has the same greatest and least one, and c
    summed over the class is C: so it proves the same bound of the whole table.
    """

    signs: SignArray
    space: WeightSpace
    objective: DistanceFrom | None
    class_of: list[int]
    shares: list[Fraction]

    def weights(self, of_classes: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return the weights of all tasks."""
        return tuple(of_classes[one] * share for one, share in zip(self.class_of, self.shares, strict=True))

    def vector(self, of_classes: Mapping[str, Fraction], tasks: Sequence[str]) -> dict[str, Fraction]:
        """Return a vector over all tasks: each has the entry of its class."""
        pairs = ((task, of_classes.get(str(one))) for task, one in zip(tasks, self.class_of, strict=True))
        return {task: entry for task, entry in pairs if entry}


def equal_tasks(signs: SignArray, space: WeightSpace, objective: object = None) -> EqualTasks | None:
    """Return the program over classes of equal tasks, or None where there are too few or conditions tell them apart.

    The conditions, and the objective, may only be about the distance (l1) from the same weights.
    """
    if len(space.tasks) < ENOUGH or signs.dtype == object:
        return None
    parts = [*space.conditions, *([] if objective is None else [objective])]
    near = [one for one in parts if isinstance(one, Near | DistanceFrom) and one.norm == "l1"]
    if len(near) < len(parts) or any(one.centre != near[0].centre for one in near):
        return None
    columns, found = np.unique(signs, axis=1, return_inverse=True)
    class_of = found.reshape(-1).tolist()
    count = columns.shape[1]
    if 2 * count > len(space.tasks):
        return None
    own = [near[0].centre[task] for task in space.tasks] if near else [Fraction(0)] * len(space.tasks)
    totals, sizes = [Fraction(0)] * count, [0] * count
    for one, share in zip(class_of, own, strict=True):
        totals[one] += share
        sizes[one] += 1
    names = [str(one) for one in range(count)]
    centre = dict(zip(names, totals, strict=True))
    conditions = [Near(norm="l1", radius=one.radius, centre=centre) for one in near if isinstance(one, Near)]
    pairs = zip(class_of, own, strict=True)
    return EqualTasks(
        signs=columns,
        space=WeightSpace(names).and_condition(*conditions),
        objective=None if objective is None else DistanceFrom(centre=centre, norm="l1", todays=False),
        class_of=class_of,
        shares=[share / totals[one] if totals[one] else Fraction(1, sizes[one]) for one, share in pairs],
    )


class MarginProof(Frozen):
    """Bounds of a margin with what proves them.

    Attributes
    ----------
    rivals : tuple of str
        Names of the rows of G.
    lower, upper : Fraction
        Bounds of the margin, equal when it is exact.
    weights : tuple of Fraction
        One per task; the least lead under them is ``lower``.
    blockers : tuple of Fraction
        One per rival; no weights lead by more than ``upper`` over this mixture.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    """

    rivals: tuple[str, ...]
    lower: Fraction
    upper: Fraction
    weights: tuple[Fraction, ...]
    blockers: tuple[Fraction, ...]
    vectors: Vectors

    @property
    def mixture(self) -> dict[str, Fraction]:
        """The blockers that have a share."""
        return {rival: share for rival, share in zip(self.rivals, self.blockers, strict=True) if share}


def widest_margin(
    signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, time_limit: float | None = None
) -> MarginProof:
    """Return the exact margin over some rivals with weights, blockers and multipliers.

    One linear program with a column per task and a row per rival, rivals added when they are violated. It always has an
    optimum unless the space is empty: read the margin by its sign. The rows may hold any integers: the program counts
    its margin in units of the largest, so that the solver's floats are near one.

    Without conditions this is a matrix game (von Neumann 1928): the weights are one player's mixed strategy, the
    blockers the other's, and the margin is the value of the game. `most` states what the blockers prove.

    Raises
    ------
    EmptySpaceError
        If no weights satisfy the conditions of the space.
    UnprovedError, TimeLimitError
        If no exact proof was found.
    """
    if (merged := equal_tasks(signs, space)) is not None:
        try:
            found = widest_margin(merged.signs, rivals, merged.space, time_limit=time_limit)
        except EmptySpaceError:
            refuse_empty(space)
        vectors = tuple(merged.vector(one, space.tasks) for one in found.vectors)
        return replace(found, weights=merged.weights(found.weights), vectors=vectors)
    if not space.conditions and len(space.tasks) >= MANY:
        return _over_few_tasks(signs, rivals, space, time_limit)
    return _over_all_tasks(signs, rivals, space, time_limit)


def _over_all_tasks(
    signs: SignArray, rivals: Sequence[str], space: WeightSpace, time_limit: float | None
) -> MarginProof:
    program = margin_program(space.tasks, space.rows, space.auxiliaries)
    fixed = len(program.rows)
    unit = max(1, largest_entry(signs))
    width = len(program.columns)
    duels = RivalRows(signs, rivals, width=width, margin_column=width - 1, unit=unit)
    try:
        optimum = exact_optimum(program.with_rows(duels.rows(duels.first())), lazy=duels, time_limit=time_limit)
    except ImpossibleError:
        refuse_empty(space)
    return _proof(optimum, fixed, rivals, space, unit)


def _over_few_tasks(
    signs: SignArray, rivals: Sequence[str], space: WeightSpace, time_limit: float | None
) -> MarginProof:
    """Return the same over few of many tasks, to which those are added that the blockers do not hold down.

    At a vertex at most one weight per rival is not 0, and weights of other tasks need not be in the program (column
    generation; Gilmore and Gomory, 1961): once the mixture of blockers ties on every task, it proves the whole.
    """
    deadline, chosen = deadline_in(time_limit), first_tasks(signs)
    while True:
        some = WeightSpace([space.tasks[place] for place in chosen.tolist()])
        found = _over_all_tasks(signs[:, chosen], rivals, some, seconds_left(deadline))
        more = unheld_tasks(signs, found.blockers, found.upper, chosen)
        if not len(more):
            named = dict(zip(some.tasks, found.weights, strict=True))
            return replace(found, weights=tuple(named.get(task, ZERO) for task in space.tasks))
        chosen = np.union1d(chosen, more)


def first_tasks(signs: SignArray) -> IntArray:
    """Return the tasks to begin with: those that lead most in all, and the best against each rival."""
    return np.union1d(np.argsort(-signs.sum(axis=0), kind="stable")[:ADDED], signs.argmax(axis=1))


def unheld_tasks(signs: SignArray, mixture: Sequence[Fraction], bound: Fraction, known: IntArray) -> IntArray:
    """Return the tasks but those known, the worst first and not too many, on which a mixture of rows passes a bound."""
    used = [row for row, share in enumerate(mixture) if share]
    shares, over = common_denominator([mixture[row] for row in used])
    led = exact_products(np.ascontiguousarray(signs[used].T), shares)
    above = np.setdiff1d(np.flatnonzero(led > floor(bound * over)), known)
    return np.asarray(above[np.argsort(-led[above], kind="stable")[:ADDED]])


def _proof(optimum: ExactOptimum, fixed: int, rivals: Sequence[str], space: WeightSpace, unit: int) -> MarginProof:
    # The program maximises s with G w - unit s >= 0. The column of s, whose cost is 1, makes the duals of the
    # head-to-heads sum to -1 / unit: times -unit they are shares. The margin is unit s, so the multipliers of the other
    # rows scale along.
    margin = optimum.value * unit
    return MarginProof(
        rivals=tuple(rivals),
        lower=margin,
        upper=margin,
        weights=optimum.x[: len(space.tasks)],
        blockers=tuple(-dual * unit if dual else dual for dual in rival_duals(optimum, fixed, rivals)),
        vectors=space.vectors([dual * unit for dual in row_duals(optimum.duals, space.rows, 1)]),
    )


def shares_frame(weights: pd.Series, blockers: pd.Series) -> pd.DataFrame:
    """Return the weights and blockers that are not 0."""
    parts = {("weight", str(task)): share for task, share in weights.items() if share}
    parts |= {("blocker", str(rival)): share for rival, share in blockers.items() if share}
    index = pd.MultiIndex.from_tuples(list(parts), names=["kind", "name"])
    return pd.DataFrame({"share": list(parts.values())}, index=index)


class Verdict(StrEnum):
    """What weights can do for a model: beat every rival, at best tie one, or not even that."""

    STRICT = "strict"
    """Some weights make it beat every rival: it can be the Condorcet winner."""

    WEAK = "weak"
    """Some weights leave it undefeated, but it ties at least one rival under all of those."""

    NEVER = "never"
    """Under all weights it loses to some rival."""

    @property
    def words(self) -> str:
        """The verdict in words, after a rule: a model can win, ties at best, or can never win."""
        return {"strict": "can win", "weak": "ties at best", "never": "can never win"}[self]


def verdict_between(lower: Fraction, upper: Fraction) -> Verdict | None:
    """Return the verdict that bounds of the margin prove, or None when they prove none."""
    if lower > 0:
        return Verdict.STRICT
    if upper < 0:
        return Verdict.NEVER
    return Verdict.WEAK if lower == 0 == upper else None


def verdict_at(margin: Fraction) -> Verdict:
    """Return the verdict that an exact margin proves."""
    if margin > 0:
        return Verdict.STRICT
    return Verdict.WEAK if margin == 0 else Verdict.NEVER


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
