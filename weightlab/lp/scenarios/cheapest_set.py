"""The cheapest tasks that keep today's order, all of it or except a few models: costs of tasks and a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb
from typing import TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import common_denominator
from weightlab._result import ByName, Proof, Record, Seen, ensure, exact_series, on_word_of
from weightlab._solver import Formulation, Rows, Solver, deadline_in, seconds_left, solver_name
from weightlab._solver.branch_tree import BranchTree, IntegerRows, branch_tree
from weightlab._solver.covers import SCALE, CoverConstraint, covers
from weightlab._solver.propose import smallest
from weightlab._text import counted, first_few, number
from weightlab.exceptions import ImpossibleError, TimeLimitError
from weightlab.lp.certificate import check_weighting, named_rows
from weightlab.lp.scenarios.fewest_tasks_search import PATIENCE, TaskCut, TaskSearch
from weightlab.lp.scenarios.fixed_weights import shares_on
from weightlab.lp.scenarios.kept_order import KeptOrder
from weightlab.lp.space.space import WeightSpace

MOST_WAYS = 200
"""Choices of failing models that are searched one by one, at most."""
BELOW = 1e-6
"""Bounds of a solver are floats, and above the truth by less than this."""


class CheapestSet(Record):
    """A cheapest set of tasks that keeps an order without at most a few of its models.

    Attributes
    ----------
    tolerance : int
        Greatest number of kept models that may fail.
    weights : tuple of Series of Fraction by task
        The weights of the set; empty where no tasks do it.
    failing : tuple of str
        The kept models that may stand anywhere under these weights.
    cuts : tuple of TaskCut
        What every other set fails, unless a model in the mixture is one that fails; at fixed weights single pairs.
    tree : BranchTree or None
        What shows that no cheaper set passes the cuts.
    solver : Solver or None
        Whose bound says so where no tree does.
    """

    tolerance: int
    weights: Seen[tuple[pd.Series, ...]] = ByName()
    failing: tuple[str, ...]
    cuts: tuple[TaskCut, ...]
    tree: BranchTree | None = None
    solver: Solver | None = None

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The set, tasks in the order of the table; none where no tasks do it."""
        return tuple(tuple(str(task) for task, one in own.items() if one) for own in self.weights)

    @property
    def is_complete(self) -> bool:
        """Whether all sets are known: only when no set exists."""
        return not self.weights

    @property
    def proof(self) -> Proof:
        """How much of it is checked."""
        return on_word_of(self.solver)

    def check(self, program: SetProgram) -> None:
        """Ensure that the weights keep the order without the failing models, and that no cheaper set passes the cuts.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        order, fixed = program.order, program.fixed
        kept = {order.models[row] for row in program.kept}
        ensure(program.tolerance == self.tolerance, "another number of models may fail")
        apart = len(set(self.failing)) == len(self.failing) <= self.tolerance
        ensure(apart and set(self.failing) <= kept, "the failing models are too many, or not among the kept ones")
        ensure(len(self.weights) <= 1, "there is more than one set")
        for own in self.weights:
            check_weighting(own, program.space)
            chosen = [place for place, one in enumerate(own.tolist()) if one]
            ensure(fixed is None or own.tolist() == shares_on(chosen, fixed), "the weights are not the fixed ones")
            kept_now = order.without(self.failing).holds(common_denominator(own.tolist())[0])
            ensure(kept_now, f"the weights on {self.sets[0]} do not keep the order")
        ensure((self.tree is None) == (self.solver is not None), "a solver is named where its bound is relied on")
        if self.tree is not None:
            self.tree.check(program.of_cuts(self.cuts), program.claim(self.sets))


class SetProgram:
    """The integer program for the cheapest set: a column per task, and one per kept model that says it fails.

    Parameters
    ----------
    order : KeptOrder
        What is to be kept.
    space : WeightSpace
        Allowed weights.
    fixed : list of int or None
        The weights of the tasks, where they are not free.
    costs : sequence of Fraction
        Positive, one per task.
    tolerance : int
        Greatest number of models that may fail.
    """

    def __init__(
        self,
        order: KeptOrder,
        space: WeightSpace,
        fixed: Sequence[int] | None,
        costs: Sequence[Fraction],
        tolerance: int,
    ) -> None:
        self.order, self.space, self.fixed, self.tolerance = order, space, fixed, tolerance
        self.kept = [row for level in order.levels for row in level]
        self.costs, self.unit = common_denominator(list(costs))
        # A lead over two places follows from those between only while the model between stays: so every pair is a row.
        self._every, self._names = replace(order, adds_up=False).rows
        self._pair = {
            name: pair for pair, sign in zip(order.pairs, order.signs, strict=True) for name in order.labels(pair, sign)
        }

    def row(self, cut: TaskCut) -> tuple[list[int], int]:
        """Return the row of a cut over tasks and failing models, and its lower bound.

        A row of pairs does not restrict a set for which one of their models fails, so that model alone satisfies it.
        """
        if self.fixed is None:
            one = cut.constraint(self._every, self._names, self.space, least=Fraction(0), strict=False)
            own, least, relief = list(one.coefficients), one.least, one.least
        else:
            ensure(len(cut.mixture) == 1, "at fixed weights a cut is of one pair")
            ensure(min(cut.mixture.values()) > 0, "a multiplier of a cut is not positive")
            lead = named_rows(self._every, self._names, cut.mixture)[0][0]
            own, least = [one * weight for one, weight in zip(lead.tolist(), self.fixed, strict=True)], 0
            relief = -sum(min(one, 0) for one in own)
        touched = self.touched(cut)
        return [*own, *(relief if row in touched else 0 for row in self.kept)], least

    def touched(self, cut: TaskCut) -> set[int]:
        """Return the models of the pairs of a cut."""
        return {row for name in cut.mixture for row in self._pair[name]}

    def of_cuts(self, cuts: Sequence[TaskCut]) -> IntegerRows:
        """Return the exact program of sets that pass cuts."""
        width, models = len(self.costs), len(self.kept)
        used = [1] * width if self.fixed is None else [int(weight > 0) for weight in self.fixed]
        rows = [([*used, *[0] * models], 1), ([*[0] * width, *[-1] * models], -self.tolerance), *map(self.row, cuts)]
        matrix = np.array([row for row, _ in rows], dtype=object)
        program = IntegerRows.binary(matrix, [least for _, least in rows], [*self.costs, *[0] * models])
        return replace(program, upper=np.array([*used, *[1] * models], dtype=object))

    def claim(self, sets: Sequence[Sequence[str]]) -> int:
        """Return the claimed least cost of a set; more than all tasks cost if no set exists."""
        if not sets:
            return sum(self.costs) + 1
        return sum(cost for task, cost in zip(self.space.tasks, self.costs, strict=True) if task in sets[0])

    def refuted(self, tasks: list[int], failing: Sequence[str], deadline: float | None) -> pd.Series | list[TaskCut]:
        """Return weights on some tasks that keep the order without some models, or the cuts that they fail."""
        matrix, names = self.order.without(failing).rows
        if self.fixed is None:
            search = TaskSearch(
                matrix, names, self.space, least=Fraction(0), strict=False, deadline=deadline, widen=True
            )
            weights = search.weights_on(tasks)
            return search.cuts if weights is None else weights
        leads = (matrix[:, tasks] * np.array([self.fixed[task] for task in tasks], dtype=object)).sum(axis=1)
        short = [TaskCut(mixture={names[row]: Fraction(1)}, vectors=()) for row in np.flatnonzero(leads < 0)]
        return short or exact_series(shares_on(tasks, self.fixed), self.space.tasks, "weight")

    @property
    def ways(self) -> Sequence[Sequence[str] | None]:
        """The choices of failing models, none first, where each is searched by itself; else None alone.

        As columns of an integer program failing models leave its relaxation nothing to go by.
        """
        names = [self.order.models[row] for row in self.kept]
        few = self.fixed is None and self.tolerance and comb(len(names), self.tolerance) <= MOST_WAYS
        return [(), *_choices(names, self.tolerance)] if few else [None]

    def late(self, reached: float | None, found: Known) -> TimeLimitError:
        """Build the error when time is up, with a lower bound on the cost and some tasks that keep the order."""
        least = Fraction(max(ceil(max(0, reached or 0) - BELOW), min(self.costs)), self.unit)
        told = f"the time limit came before the cheapest tasks were proved: they cost at least {number(least)}"
        told = f"{told} of {number(Fraction(sum(self.costs), self.unit))}, by {solver_name()}'s bound"
        some = found[-1][0] if found else self.refuted(list(range(len(self.costs))), [], None)
        if not isinstance(some, pd.Series):
            return TimeLimitError(told, known={"least": least})
        tasks = tuple(str(task) for task, weight in some.items() if weight)
        cost = Fraction(self.cost(some), self.unit)
        told = f"{told}; {counted(len(tasks), 'task')} that keep the order cost {number(cost)}: {first_few(tasks)}"
        return TimeLimitError(told, known={"least": least, "tasks": tasks, "weights": some})

    def cost(self, weights: pd.Series) -> int:
        """Return the cost of the tasks with weight, in units."""
        return sum(cost for cost, weight in zip(self.costs, weights.tolist(), strict=True) if weight)

    def asked(self, cuts: Sequence[TaskCut], failing: Sequence[str] | None, known: pd.Series | None) -> Formulation:
        """Return the program of the cheapest tasks where some models fail, or any; cheaper than some that are known."""
        start = self.of_cuts(cuts)
        rows, least, upper = list(start.matrix.tolist()), start.least.tolist(), start.upper.tolist()
        if failing is not None:
            upper[len(self.costs) :] = [int(self.order.models[row] in failing) for row in self.kept]
        if known is not None and sum(self.costs) < SCALE:
            rows.append([*(-one for one in self.costs), *[0] * len(self.kept)])
            least.append(1 - self.cost(known))
        return Formulation.over(
            [str(column) for column in range(len(upper))],
            Rows.from_matrix(np.array(rows), lower=least, labels=[str(place) for place in range(len(rows))]),
            name="cheapest tasks",
            objective=start.costs.tolist(),
            upper=upper,
            integral=True,
        )

    def proposed(self, cuts: Sequence[TaskCut], tasks: list[int]) -> Rows:
        """Return the rows of cuts for a float solver: long ones are rounded up, so one more says what the set lacks."""
        rows, least = [], []
        for row, needed in map(self.row, cuts):
            most = max(map(abs, row))
            long = self.fixed is not None and most > SCALE
            rows.append([-((-one * SCALE) // most) for one in row] if long else row)
            least.append(needed)
            if long:
                # A set with the same tasks below 0 and no other above 0 fails the pair, too (a cover inequality).
                inside = [int(column in tasks) for column in range(len(row))]
                rows.append([-(one < 0) if own else int(one > 0) for own, one in zip(inside, row, strict=True)])
                least.append(1 - sum(own and one < 0 for own, one in zip(inside, row, strict=True)))
        labels = [str(place) for place in range(len(rows))]
        return Rows.from_matrix(np.array(rows, dtype=np.int64), lower=least, labels=labels)


def cheapest_set(program: SetProgram, *, time_limit: float | None = None) -> CheapestSet:
    """Return a cheapest set of tasks that keeps the order except for at most the tolerated number of models, proved.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the optimum was not shown; ``known`` has what tasks that keep the order cost at least (``"least"``), and some
        that do (``"tasks"``, ``"weights"``), where they are known.

    Notes
    -----
    NP-hard. Implicit hitting sets (Moreno-Centeno and Karp, Operations Research 61, 2013): an integer program proposes
    tasks and failing models; one linear program finds weights or a cut that they fail. Where the weights are free, each
    choice of at most 200 of failing models is searched by itself, with the cuts that hold for it so far.
    """
    deadline = deadline_in(time_limit)
    cuts, found = list[TaskCut](), list[tuple[pd.Series, Sequence[str]]]()
    try:
        for way in program.ways:
            _search(program, cuts, found, deadline, way)
    except TimeLimitError as ended:
        # Of several choices of failing models the bound of one does not bind the others.
        raise program.late(ended.known.get("bound") if len(program.ways) == 1 else None, found) from None
    failing = list(found[-1][1]) if found else []
    for model in list(failing):
        fewer = [one for one in failing if one != model]
        if program.order.without(fewer).holds(common_denominator(found[-1][0].tolist())[0]):
            failing = fewer
    weights = tuple(one for one, _ in found[-1:])
    one = CheapestSet(tolerance=program.tolerance, weights=weights, failing=tuple(failing), cuts=tuple(cuts))
    tree = branch_tree(program.of_cuts(cuts), program.claim(one.sets), time_limit=seconds_left(deadline))
    return replace(one, tree=tree, solver=solver_name() if tree is None else None)


def _choices(names: Sequence[str], count: int) -> list[tuple[str, ...]]:
    """Return all choices of this many names."""
    if not count:
        return [()]
    return [(one, *rest) for at, one in enumerate(names) for rest in _choices(names[at + 1 :], count - 1)]


Known: TypeAlias = list[tuple[pd.Series, Sequence[str]]]
"""Weights that keep the order without some models, cheaper and cheaper."""


def _search(
    program: SetProgram, cuts: list[TaskCut], found: Known, deadline: float | None, failing: Sequence[str] | None
) -> None:
    """Find the cheapest tasks, cheaper than those found so far, where some models fail, or any that it chooses too."""
    width, names = len(program.costs), [program.order.models[row] for row in program.kept]

    def refute(chosen: list[int]) -> Rows | None:
        tasks = [one for one in chosen if one < width]
        new, unmet = list[TaskCut](), list[CoverConstraint]()
        # Whichever models fail, tasks that fail have a cut: those that may are smallest sets that meet the cuts so far.
        tried = covers(unmet, len(names), program.tolerance, budget=PATIENCE)
        for way in (failing,) if failing is not None else ([names[place] for place in places] for places in tried):
            answer = program.refuted(tasks, way, deadline)
            if isinstance(answer, pd.Series):
                if not found or program.cost(answer) < program.cost(found[-1][0]):
                    found.append((answer, way))
                return None
            new += answer
            unmet += [CoverConstraint.one_of([row in program.touched(cut) for row in program.kept]) for cut in answer]
        cuts.extend(new)
        return program.proposed(new, tasks)

    asked = program.asked(cuts if failing else (), failing, found[-1][0] if found else None)
    with suppress(ImpossibleError):
        smallest(asked, refute, time_limit=seconds_left(deadline))
