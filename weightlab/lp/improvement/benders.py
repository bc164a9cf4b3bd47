"""The cheapest rungs of all ladders under which a model wins: integer programs, exact about who wins."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
    exact_optimum,
    open_program,
    seconds_left,
    solver_name,
)
from weightlab._typing import FloatArray
from weightlab.exceptions import SolverError, TimeLimitError, UnprovedError
from weightlab.lp.certificates.dual import combination
from weightlab.lp.certificates.lp_rows import linear_rows, weight_rows
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.improvement.thresholds import Ladder, signs_at
from weightlab.lp.space.space import WeightSpace

__all__ = ["BlockedRungs", "Climb", "Products", "cheapest_at", "cheapest_in", "rungs_behind", "weight_box"]

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


# Rungs at which a model still does not win, raised as far as the same proof goes: what cuts are made of.

MOST = 20
"""So many rivals at most are asked about at a time."""


def rungs_behind(ladders: Sequence[Ladder], rungs: Sequence[int], weights: Sequence[int]) -> list[list[int]]:
    """Return, for the rivals that are led least at fixed weights, rungs raised while that rival is not beaten.

    None when all rivals are beaten at the rungs given.
    """
    found = exact_products(signs_at(ladders, rungs), weights).tolist()
    worst = sorted(range(len(found)), key=lambda rival: int(found[rival]))[:MOST]
    return [_under_a_rival(ladders, rungs, weights, rival, -int(found[rival])) for rival in worst if found[rival] <= 0]


def _under_a_rival(
    ladders: Sequence[Ladder], rungs: Sequence[int], weights: Sequence[int], rival: int, room: int
) -> list[int]:
    """Return rungs raised, light tasks first, while the lead over one rival grows by no more than the room."""
    # Each cut is lifted: the higher the rungs that still lose, the more proposals it excludes.
    raised = list(rungs)
    # Light tasks first: there a rung uses up least of the room, so that many tasks rise far.
    for task in sorted(range(len(ladders)), key=lambda task: weights[task]):
        ladder = ladders[task]
        while raised[task] + 1 < len(ladder):
            rises = int(ladder.tie_at[rival] == raised[task] + 1) + int(ladder.lead_at[rival] == raised[task] + 1)
            if rises * weights[task] > room:
                break
            room -= rises * weights[task]
            raised[task] += 1
    return raised


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockedRungs:
    """Who blocks rungs under all weights of a space."""

    ladders: Sequence[Ladder]
    space: WeightSpace
    time_limit: float | None

    def higher(self, rungs: Sequence[int]) -> list[list[int]]:
        """Return rungs raised until no blockers allow more, or nothing when some weights win already."""
        raised, proof = list(rungs), self._margin(rungs)
        if proof.upper > 0:
            return []
        # The same blockers prove more than was asked. New blockers at the raised rungs may allow more still; rungs are
        # finitely many, so this ends.
        while True:
            higher = self._under(raised, proof)
            if higher == raised:
                return [raised]
            raised, proof = higher, self._margin(higher)

    def _margin(self, rungs: Sequence[int]) -> MarginProof:
        signs = signs_at(self.ladders, rungs)
        return widest_margin(signs, [str(rival) for rival in range(len(signs))], self.space, time_limit=self.time_limit)

    def _under(self, rungs: Sequence[int], proof: MarginProof) -> list[int]:
        """Return the highest rungs at which the same blockers and multipliers still prove a margin of at most 0."""
        factors = dict(zip([row.name for row in self.space.rows], proof.multipliers, strict=True))
        tasks, _, right = combination(self.space.rows, factors)
        blocking = [(rival, share) for rival, share in enumerate(proof.blockers) if share]
        return [
            _highest(ladder, rung, blocking, tasks.get(task, Fraction(0)) - right)
            for task, ladder, rung in zip(self.space.tasks, self.ladders, rungs, strict=True)
        ]


def _highest(ladder: Ladder, rung: int, mixture: Sequence[tuple[int, Fraction]], allowed: Fraction) -> int:
    """Return the highest rung from the given one on at which the lead over a mixture of rivals is at most so much."""
    # The proof holds as long as, task by task, the mixture's lead stays below what the multipliers of the rows add:
    # each task may rise by itself.
    firsts = ((int(ladder.tie_at[rival]), int(ladder.lead_at[rival]), share) for rival, share in mixture)
    rises = sorted((first, share) for tie, lead, share in firsts for first in (tie, lead))
    # Below all thresholds the model trails every blocker: -1 each; every threshold adds one.
    lead = -sum((share for _, share in mixture), Fraction(0))
    for first, share in rises:
        lead += share
        if lead > allowed:
            return max(rung, first - 1)
    return len(ladder) - 1


# Products of weights and binaries as variables: exact where the weights lie in a box and a binary is 0 or 1.


@dataclass(frozen=True, kw_only=True, eq=False)
class Products:
    """The columns after the binaries of a choice of rungs: a product a binary, then weights and auxiliary variables.

    Attributes
    ----------
    ladders : sequence of Ladder
        One a task.
    space : WeightSpace
        The weights that are allowed.
    box : tuple of (Fraction, Fraction)
        The least and greatest weight of each task in the space.

    Notes
    -----
    The product p of a weight w and the binary x of its rung satisfies ``low x <= p <= high x``, and a task's products
    sum to its weight: with one binary of the task at 1 they say that the product there is w and the others are 0
    (McCormick's inequalities for this choice).
    """

    ladders: Sequence[Ladder]
    space: WeightSpace
    box: tuple[tuple[Fraction, Fraction], ...]

    @classmethod
    def of(cls, ladders: Sequence[Ladder], space: WeightSpace) -> Products:
        """Return the products for ladders and a space, its box computed exactly."""
        return cls(ladders=ladders, space=space, box=weight_box(space))

    @property
    def binaries(self) -> int:
        """The number of rungs."""
        return sum(map(len, self.ladders))

    @property
    def width(self) -> int:
        """The number of these columns."""
        return self.binaries + len(self.space.tasks) + len(self.space.auxiliaries)

    def rows(self) -> Rows:
        """Return the rows over binaries and these columns: what products and weights are, and no lead is negative."""
        width = self.binaries + self.width
        weights = range(2 * self.binaries, 2 * self.binaries + len(self.ladders))
        columns = dict(zip(self.space.tasks, weights, strict=True))
        extra = {name: weights.stop + place for place, name in enumerate(self.space.auxiliaries)}
        total = Rows.from_dicts([dict.fromkeys(weights, 1)], width=width, lower=1, upper=1, labels=["total"])
        return Rows.join(
            total, linear_rows(self.space.rows, columns, extra, width), self._products(width), self._leads(width)
        )

    def _products(self, width: int) -> Rows:
        least: list[Mapping[int, Fraction | int]] = []
        most: list[Mapping[int, Fraction | int]] = []
        sums: list[Mapping[int, Fraction | int]] = []
        first = 0
        # Columns: all binaries, then as many products, then weights, then auxiliary variables.
        for task, (ladder, (low, high)) in enumerate(zip(self.ladders, self.box, strict=True)):
            binaries = range(first, first + len(ladder))
            first += len(ladder)
            sums.append({self.binaries + one: 1 for one in binaries} | {2 * self.binaries + task: -1})
            most += [{self.binaries + one: -1, one: high} for one in binaries]
            least += [{self.binaries + one: 1, one: -low} for one in binaries if low]
        bounded = [*most, *least]
        return Rows.join(
            Rows.from_dicts(sums, width=width, lower=0, upper=0, labels=["weight"] * len(sums)),
            Rows.from_dicts(bounded, width=width, lower=0, labels=["product"] * len(bounded)),
        )

    def _leads(self, width: int) -> Rows:
        # A lead is the sum of signs times products, as the product is the weight at the rung that is taken and 0
        # elsewhere.
        signs = np.concatenate([ladder.all_signs() for ladder in self.ladders], axis=1)
        matrix = np.zeros((len(signs), width), dtype=np.int8)
        matrix[:, self.binaries : 2 * self.binaries] = signs
        return Rows.from_matrix(matrix, lower=0, labels=["duel"] * len(signs))


def weight_box(space: WeightSpace) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the exact least and greatest weight of each task in a space that is not empty."""
    count = len(space.tasks)
    width = count + len(space.auxiliaries)
    extra = {name: count + place for place, name in enumerate(space.auxiliaries)}
    columns = {task: place for place, task in enumerate(space.tasks)}
    program = Formulation(
        name="bounds of a weight",
        sense=Sense.MINIMISE,
        columns=(*space.tasks, *space.auxiliaries),
        objective=(0,) * width,
        rows=Rows.join(weight_rows(count, width), linear_rows(space.rows, columns, extra, width)),
        lower=(0,) * width,
        upper=(None,) * width,
    )
    box = []
    for task in range(count):
        # The box is exact: with a float's bound too small, weights would be lost.
        objective = tuple(int(column == task) for column in range(width))
        low, high = (
            exact_optimum(replace(program, sense=sense, objective=objective)).value
            for sense in (Sense.MINIMISE, Sense.MAXIMISE)
        )
        box.append((low, high))
    return tuple(box)
