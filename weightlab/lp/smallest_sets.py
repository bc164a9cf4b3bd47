"""Smallest sets of tasks on which weights win, with the barriers that rule out all smaller ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import pandas as pd

from weightlab._record import Record
from weightlab._result import Proof, ensure
from weightlab._solver import solver_name
from weightlab._typing import SignArray
from weightlab.lp.barrier import Barrier
from weightlab.lp.certificate import check_exact, check_weights, least_lead, series_dict
from weightlab.lp.covering import BudgetError, Demand, sets_meeting
from weightlab.lp.space import TaskShares, WeightSpace
from weightlab.lp.task_search import TaskSearch

__all__ = ["SmallestSets", "smallest_sets"]

BUDGET = 20_000
"""Where so many partial sets or fewer have to be looked at, that nothing smaller does is re-checked."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallestSets(Record):
    """Smallest sets of tasks on which some weights of a space win.

    Attributes
    ----------
    least : Fraction
        Least lead in every duel.
    strict : bool
        Whether the weights must win every duel.
    size : int or None
        The smallest number of tasks; None when no weights do it, on whatever tasks.
    weights : tuple of Series of Fraction by task
        For each set weights that do it and have weight on its tasks alone.
    is_complete : bool
        Whether these are all sets of that size.
    barriers : tuple of Barrier
        What other sets fail.
    proof : Proof
        ``exact`` when a search re-checks that no smaller set (and no other, if they are all) meets the barriers;
        else that rests on a solver's bound.
    solver : str or None
        Whose bound that is.
    """

    least: Fraction
    strict: bool
    size: int | None
    weights: tuple[TaskShares, ...]
    is_complete: bool
    barriers: tuple[Barrier, ...]
    proof: Proof
    solver: str | None = None

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets, one a weighting, tasks in the order of the table."""
        return tuple(_support(one) for one in self.weights)

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the weights do it on so many tasks, and that the barriers keep fewer tasks from doing it."""
        check_exact(least=self.least)
        for name in ("strict", "is_complete"):
            ensure(type(getattr(self, name)) is bool, f"{name} is no truth value")
        whole = self.size is None or type(self.size) is int
        ensure(whole, f"{self.size!r} is no number of tasks")
        ensure(len(self.weights) == 0 if self.size is None else len(self.weights) > 0, "no weights come with a number")
        ensure(len(set(self.sets)) == len(self.sets), "a set of tasks occurs twice")
        for weights in self.weights:
            self._check_weights(weights, signs, space)
        demands = [one.demand(signs, rivals, space, least=self.least, strict=self.strict) for one in self.barriers]
        proof = self.proved_by(demands, space)
        ensure(proof is self.proof, f"what is proved is {proof}, not {self.proof}")
        ensure((self.solver is None) == (proof is Proof.EXACT), "a solver is named where its bound is relied on")

    def _check_weights(self, weights: pd.Series, signs: SignArray, space: WeightSpace) -> None:
        ensure(tuple(weights.index) == space.tasks, "the weights are not about the tasks of the space, in order")
        check_weights(series_dict(weights), space.rows, space.auxiliaries)
        lead = least_lead(signs, weights.tolist())
        ensure(lead >= self.least, f"the least lead on {_support(weights)} is {lead}, below {self.least}")
        ensure(lead > 0 or not self.strict, f"the weights on {_support(weights)} do not win: the least lead is {lead}")
        count = len(_support(weights))
        ensure(count == self.size, f"the weights are on {count} tasks, not {self.size}")

    def proved_by(self, demands: Sequence[Demand], space: WeightSpace) -> Proof:
        """Return how much the demands of the barriers prove, ensuring that no set found in time contradicts it."""
        width, known = len(space.tasks), set(self.sets)
        if self.size is None:
            ensure(any(not one.is_met_by(range(width)) for one in demands), "no barrier keeps all tasks from doing it")
            return Proof.EXACT
        try:
            # A set that wins meets every demand. So if no smaller set meets all of them, none wins: the proof needs no
            # solver.
            smaller = next(sets_meeting(demands, width, self.size - 1, budget=BUDGET), None)
            ensure(smaller is None, f"no barrier keeps {_named(smaller, space)} from doing it")
            if self.is_complete:
                for one in sets_meeting(demands, width, self.size, budget=BUDGET):
                    ensure(_named(one, space) in known, f"no barrier keeps {_named(one, space)} from doing it")
        except BudgetError:
            return Proof.EXACT_WITNESS
        return Proof.EXACT


def smallest_sets(
    signs: SignArray,
    rivals: Sequence[str],
    space: WeightSpace,
    *,
    least: Fraction,
    strict: bool,
    every: bool,
    after: SmallestSets | None = None,
    time_limit: float | None = None,
) -> SmallestSets:
    """Return a smallest set of tasks on which weights of a space win, or every one.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    rivals : sequence of str
        Names of its rows.
    space : WeightSpace
        Allowed weights, tasks in the order of the columns; some of them must lead by ``least``.
    least : Fraction
        Least lead in every duel.
    strict : bool
        Whether the model must win every duel.
    every : bool
        Whether all sets of the smallest size are wanted.
    after : SmallestSets, optional
        What was found when ties were allowed: a strict win takes as many tasks, or more.
    time_limit : float, optional
        Seconds for the whole search.

    Raises
    ------
    TimeLimitError, UnprovedError
        ``known["size"]`` is the least size that was not ruled out.

    Notes
    -----
    NP-hard. A set is proposed that meets all demands known so far, by a search or, when that takes long, by an
    integer program; one linear program either finds winning weights on it or yields a barrier, hence a new demand.
    """
    search = TaskSearch(signs, rivals, space, least=least, strict=strict and least == 0, time_limit=time_limit)
    if after is not None and after.size is not None:
        search.begin_with(after.barriers, after.size)
    exists = search.run(every=every)
    found = SmallestSets(
        least=least,
        strict=strict,
        size=search.size if exists else None,
        weights=tuple(sorted(search.found, key=lambda one: [not weight for weight in one.tolist()])),
        is_complete=every or not exists,
        barriers=tuple(search.barriers),
        proof=Proof.EXACT,
    )
    if found.proved_by(search.demands, space) is Proof.EXACT:
        return found
    return replace(found, proof=Proof.EXACT_WITNESS, solver=solver_name())


def _support(weights: pd.Series) -> tuple[str, ...]:
    return tuple(str(task) for task, weight in weights.items() if weight)


def _named(chosen: Sequence[int] | None, space: WeightSpace) -> tuple[str, ...]:
    return tuple(space.tasks[place] for place in chosen or ())
