"""The cheapest rungs of all ladders under which a model wins: integer programs, exact about who wins."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._exact import common_denominator, exact_products
from weightlab._solver import (
    Formulation,
    Rows,
    Sense,
    Solution,
    Status,
    deadline_in,
    open_program,
    seconds_left,
    solver_name,
)
from weightlab._typing import FloatArray
from weightlab.exceptions import SolverError, TimeLimitError, UnprovedError
from weightlab.lp.blocked_rungs import BlockedRungs, rungs_behind
from weightlab.lp.ladder import Ladder, signs_at
from weightlab.lp.products import Products
from weightlab.lp.space import WeightSpace

__all__ = ["Climb", "cheapest_at", "cheapest_in"]

LARGEST_WEIGHT = 10**6
"""Whole-number weights up to here stand in rows of the program; larger ones are left to cuts, which have no numbers."""

ROOM = 1e-7
"""So much, as a share, may a solver's bound lie below the value that it is the bound of: its floats are no better."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Climb:
    """The rungs that were chosen.

    Attributes
    ----------
    rungs : tuple of int
        One a task.
    cost : Fraction
        What they cost together.
    solver : str
        Whose bound says that nothing is cheaper.
    """

    rungs: tuple[int, ...]
    cost: Fraction
    solver: str


ROUNDS = 50
"""So many proposals are answered by cuts before the program learns of weights with conditions."""

Behind = Callable[[Sequence[int]], list[list[int]]]
"""Returns none for rungs that win, and otherwise rungs no lower that do not win either: each excludes all below it."""


def cheapest_at(ladders: Sequence[Ladder], weights: Sequence[Fraction], *, time_limit: float | None = None) -> Climb:
    """Return the cheapest rungs at which every lead under given weights is positive; the highest rungs must win.

    The program has one binary a rung, of which each task takes exactly one, and a row a rival that is not beaten
    yet: in whole-number weights, a positive lead is one of at least 1. A score that rises loses no duel, so the
    other rivals need none.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the optimum was not shown.
    """
    numerators, _ = common_denominator(weights)
    # The least whole numbers in proportion: then a positive lead is a lead of at least 1.
    whole = [weight // math.gcd(*numerators) for weight in numerators]
    rows = _duel_rows(ladders, whole) if max(whole) <= LARGEST_WEIGHT else None
    choice = _Choice(ladders, lambda rungs: rungs_behind(ladders, rungs, whole), time_limit)
    return choice.cheapest(rows)


def cheapest_in(ladders: Sequence[Ladder], space: WeightSpace, *, time_limit: float | None = None) -> Climb:
    """Return the cheapest rungs at which some weights of a space make every lead positive; the highest rungs must win.

    Rungs are proposed, and the widest margin there either is positive, which is the answer, or comes with blockers.
    Raised as far as the same blockers still block, and again with those found there, the rungs become a cut: some
    task must go above its own. Where that goes on for long and conditions narrow the weights, the program learns of
    them, too: the product of a weight and a binary becomes a variable, and no lead may be negative.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the optimum was not shown.
    """
    blocked = BlockedRungs(ladders=ladders, space=space, time_limit=time_limit)
    choice = _Choice(ladders, blocked.higher, time_limit)
    if not space.conditions:
        return choice.cheapest()
    return choice.search(rounds=ROUNDS) or choice.cheapest(Products.of(ladders, space).rows())


class _Choice:
    """The program: one binary a rung, 1 for the rung at which a task ends, and further columns after them."""

    def __init__(self, ladders: Sequence[Ladder], behind: Behind, time_limit: float | None) -> None:
        self.ladders, self.behind = ladders, behind
        self.deadline = deadline_in(time_limit)
        self.first = np.cumsum([0, *map(len, ladders)]).tolist()
        self.refused: dict[tuple[int, ...], list[list[int]]] = {}

    def cheapest(self, rows: Rows | None = None) -> Climb:
        """Return the cheapest rungs that win, among those that satisfy the rows."""
        found = self.search(rows)
        if found is None:
            raise SolverError("least improvement: a search without a last round has ended without an answer")
        return found

    def search(self, rows: Rows | None = None, rounds: int | None = None) -> Climb | None:
        """Return the cheapest rungs that win, or None after so many proposals that do not.

        What has been refused before, by other rows, is refused from the start.
        """
        formulation = self._formulation(rows)
        program = open_program(formulation)
        width = len(formulation.columns)
        program.add_rows(self._cuts([rungs for higher in self.refused.values() for rungs in higher], width))
        last = None if rounds is None else len(self.refused) + rounds
        # Benders' idea with cuts that have no numbers of the weights in them (combinatorial Benders' cuts: Codato and
        # Fischetti, Operations Research 54, 2006): binaries propose, exact programs accept or refute.
        while last is None or len(self.refused) < last:
            solution = program.solve(seconds_left(self.deadline))
            rungs = self._rungs(solution)
            higher = [] if rungs is None else self.behind(rungs)
            cost = None if rungs is None or higher else self._cost(rungs)
            _refuse_unfinished(solution, cost, formulation)
            if rungs is None or rungs in self.refused:
                raise UnprovedError("least improvement: the solver proposes what has been refused", known={})
            if cost is not None:
                return Climb(rungs=rungs, cost=cost, solver=solver_name())
            self.refused[rungs] = higher
            program.add_rows(self._cuts(higher, width))
        return None

    def _formulation(self, rows: Rows | None) -> Formulation:
        blocks = list(zip(self.first[:-1], self.first[1:], strict=True))
        binaries = int(self.first[-1])
        width = binaries if rows is None else rows.matrix.width
        one_each = [dict.fromkeys(range(low, high), 1) for low, high in blocks]
        labels = [f"one rung of task {task}" for task in range(len(blocks))]
        choice = Rows.from_dicts(one_each, width=width, lower=1, upper=1, labels=labels)
        further = width - binaries
        return Formulation(
            name="least improvement",
            sense=Sense.MINIMISE,
            columns=[str(column) for column in range(width)],
            objective=(*(cost for ladder in self.ladders for cost in ladder.costs), *(0,) * further),
            rows=choice if rows is None else Rows.join(choice, rows),
            lower=(0,) * width,
            upper=(*(1,) * binaries, *(None,) * further),
            integral=(*(True,) * binaries, *(False,) * further),
        )

    def _rungs(self, solution: Solution) -> tuple[int, ...] | None:
        """Return the rungs that a float point stands for, or None when it stands for none."""
        if solution.x is None:
            return None
        blocks: list[FloatArray] = [solution.x[low:high] for low, high in zip(self.first, self.first[1:], strict=False)]
        # One binary of each block is 1 up to the solver's tolerance; anything else is no choice.
        return tuple(int(np.argmax(block)) for block in blocks) if min(map(max, blocks)) > 1 / 2 else None

    def _cost(self, rungs: Sequence[int]) -> Fraction:
        return sum((ladder.costs[rung] for ladder, rung in zip(self.ladders, rungs, strict=True)), Fraction(0))

    def _cuts(self, higher: Sequence[Sequence[int]], width: int) -> Rows:
        """Return for each of some rungs the row that says that a task ends above its own."""
        # Scores that only rise lose no duel. So if rungs lose, all rungs below them lose, and some task must go higher.
        cuts = [
            {
                column: 1
                for rung, low, high in zip(rungs, self.first[:-1], self.first[1:], strict=True)
                for column in range(low + rung + 1, high)
            }
            for rungs in higher
        ]
        return Rows.from_dicts(cuts, width=width, lower=1, labels=["some task above its rung"] * len(cuts))


def _refuse_unfinished(solution: Solution, cost: Fraction | None, formulation: Formulation) -> None:
    """Raise an error unless the solver has finished and, if the rungs win, its bound leaves nothing cheaper."""
    known = {"value": cost, "bound": solution.bound}
    if solution.status is Status.TIME_LIMIT:
        raise TimeLimitError("least improvement: the time limit came before the optimum was shown", known=known)
    if solution.status is not Status.OPTIMAL:
        raise SolverError(f"least improvement: {solver_name()} ends with {solution.status}")
    if cost is not None:
        # Below one step of the objective there is no other value; ROOM is what the solver's floats may be off.
        room = max(float(formulation.objective_step or 0), ROOM * max(1.0, float(cost)))
        if float(cost) - solution.bound > room:
            raise UnprovedError(f"{solver_name()}'s bound {solution.bound} leaves room below {cost}", known=known)


def _duel_rows(ladders: Sequence[Ladder], weights: Sequence[int]) -> Rows:
    """Return one row a rival that is not beaten today: its lead, in whole-number weights, is at least 1."""
    today = exact_products(signs_at(ladders, [0] * len(ladders)), weights)
    behind = np.flatnonzero(today <= 0)
    parts = [
        weight * ladder.all_signs()[behind].astype(np.int64) for ladder, weight in zip(ladders, weights, strict=True)
    ]
    return Rows.from_matrix(np.concatenate(parts, axis=1), lower=1, labels=[f"duel {rival}" for rival in behind])
