"""The cheapest levels of all score thresholds at which a model wins: logic-based Benders decomposition."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from functools import partial

import numpy as np

from weightlab import _solver
from weightlab._exact import FloatArray, IntArray, common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._solver.covers import SCALE, CoverConstraint
from weightlab.exceptions import SolverError, TimeLimitError, UnprovedError
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.improvement.level_program import blocked_rows
from weightlab.lp.improvement.thresholds import ScoreThresholds, signs_at, total_cost
from weightlab.lp.space.space import WeightSpace

LARGEST_WEIGHT = 10**6
"""Whole-number weights up to here stand in rows of the program; larger ones are left to cuts, which have no numbers."""
ROOM = 1e-7
"""So much, as a share, may a solver's bound lie below the value that it is the bound of: its floats are no better."""


class CheapestLevels(Frozen):
    """The levels that were chosen.

    Attributes
    ----------
    levels : tuple of int
        One per task.
    cost : Fraction
        What they cost together.
    solver : Solver
        Whose bound says that nothing is cheaper.
    rivals : tuple of int
        At fixed weights: what beats these most cheaply beats all.
    refused : tuple of MarginProof
        Where weights are free: what proves that levels do not win.
    """

    levels: tuple[int, ...]
    cost: Fraction
    solver: _solver.Solver
    rivals: tuple[int, ...] = ()
    refused: tuple[MarginProof, ...] = ()


JOINING = 8
"""Largest number of rivals that join the program at a time. Levels that beat these beat most of the others, and each
rival brings rows and levels: with 20 at a time 500 models on 50 tasks took half as long again."""
CORE = 1e-4
"""Room for reduced costs that is tried first, as a share of the relaxed program's optimum."""
NEARLY = 1e-6
"""A float this close to 1 counts as it; whether its levels win is checked exactly."""
CutFinder = Callable[[Sequence[int]], list[list[int]]]
"""Returns nothing for levels that win, and else *cuts*: levels no lower that do not win either, nor do any below."""


def cheapest_at(
    thresholds: Sequence[ScoreThresholds], weights: Sequence[Fraction], *, time_limit: float | None = None
) -> CheapestLevels:
    """Return the cheapest levels at which every lead under given weights is positive; the highest levels must win.

    The program has one binary per level, of which each task takes exactly one, and a row per rival that is not beaten
    yet: in whole-number weights, a positive lead is one of at least 1. A score that rises loses no head-to-head, so the
    other rivals need none. It starts with the rivals that lead most and the levels that matter to them; what beats
    these most cheaply and beats all is the answer, and otherwise some that it does not beat join them.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the optimum was not shown.
    """
    numerators, _ = common_denominator(weights)
    # The least whole numbers in proportion: then a positive lead is a lead of at least 1.
    whole = [weight // math.gcd(*numerators) for weight in numerators]
    deadline, rivals = _solver.deadline_in(time_limit), np.arange(0)
    levels: Sequence[int] = [0] * len(thresholds)
    while len(unbeaten := _unbeaten(thresholds, levels, whole)):
        rivals = np.union1d(rivals, unbeaten[:JOINING])
        firsts = [(0, *own.tie_at[rivals].tolist(), *own.lead_at[rivals].tolist()) for own in thresholds]
        kept = [sorted({*some} - {len(own)}) for own, some in zip(thresholds, firsts, strict=True)]
        some = [own.with_levels(places).against(rivals) for own, places in zip(thresholds, kept, strict=True)]
        try:
            found = _cheapest_against(some, whole, deadline)
        except UnprovedError as error:
            found = error.known.pop("levels", None)
            begun = [[places[level] for places, level in zip(kept, found, strict=True)]] if found else []
            ways = [_completed(thresholds, one, whole) for one in (*begun, [0] * len(thresholds))]
            error.known["value"] = min(total_cost(thresholds, _lowered_at(thresholds, one, whole)) for one in ways)
            raise
        levels = [places[level] for places, level in zip(kept, found, strict=True)]
    levels = _lowered_at(thresholds, levels, whole)
    return CheapestLevels(
        levels=tuple(levels),
        cost=total_cost(thresholds, levels),
        solver=_solver.solver_name(),
        rivals=tuple(rivals.tolist()),
    )


def _cheapest_against(
    thresholds: Sequence[ScoreThresholds], weights: Sequence[int], deadline: float | None
) -> tuple[int, ...]:
    """Return the cheapest levels at which all these rivals are beaten.

    Almost no level matters: where the relaxed program costs L, and has a reduced cost r at a level, whatever takes
    this level costs at least L + r (weak duality). So the program is solved with the levels of reduced costs up to
    some room, and its solution is the cheapest of all if it costs at most L plus the room; else the room
    becomes what its cost leaves.
    """
    whole = _MasterProgram(thresholds, partial(cuts_for, thresholds, weights=weights), deadline)
    if max(weights) > LARGEST_WEIGHT:
        return whole.cheapest()
    relaxed, reduced, integral = whole.relaxed(_duel_rows(thresholds, weights))
    off = ROOM * max(1.0, relaxed)
    beaten = integral is not None and not len(_unbeaten(thresholds, integral, weights))
    if integral is not None and beaten and float(total_cost(thresholds, integral)) <= relaxed + off:
        return integral
    room, reached = relaxed * CORE, list[tuple[int, ...]]()
    while True:
        kept = [
            sorted({0, *np.flatnonzero(reduced[low:high] <= room).tolist(), high - low - 1})
            for low, high in zip(whole.first, whole.first[1:], strict=False)
        ]
        core = [own.with_levels(places) for own, places in zip(thresholds, kept, strict=True)]
        program = _MasterProgram(core, partial(cuts_for, core, weights=weights), deadline)
        try:
            found = program.cheapest(_duel_rows(core, weights))
        except UnprovedError as error:
            if program.proposed is not None:
                reached.append(tuple(one[level] for one, level in zip(kept, program.proposed, strict=True)))
            error.known["levels"] = min(reached, key=partial(total_cost, thresholds), default=None)
            error.known["bound"] = max(relaxed, min(error.known.get("bound", relaxed), relaxed + room))
            raise
        reached.append(tuple(places[level] for places, level in zip(kept, found, strict=True)))
        left = float(total_cost(thresholds, reached[-1])) - relaxed
        if left <= room + off:
            return reached[-1]
        room = left


def _lowered_at(thresholds: Sequence[ScoreThresholds], levels: Sequence[int], weights: Sequence[int]) -> list[int]:
    """Return winning levels lowered, the dearest task first, as far as all rivals stay beaten: floats overlook little.

    Once over the tasks is enough: no lead grows on the way, so what could not be lower before cannot be afterwards.
    """
    lowered, leads = list(levels), exact_products(signs_at(thresholds, levels), weights)
    for task in sorted(range(len(levels)), key=lambda task: -thresholds[task].costs[levels[task]]):
        own, weight = thresholds[task], weights[task]
        while lowered[task]:
            lost = own.signs(lowered[task]) - own.signs(lowered[task] - 1)
            left = leads - weight * lost.astype(leads.dtype)
            if left.min() <= 0:
                break
            lowered[task], leads = lowered[task] - 1, left
    return lowered


def _completed(thresholds: Sequence[ScoreThresholds], levels: Sequence[int], weights: Sequence[int]) -> list[int]:
    """Return levels raised, rival after rival and the most lead for its price first, until every rival is beaten."""
    reached = list(levels)
    while len(unbeaten := _unbeaten(thresholds, reached, weights)):
        rival = unbeaten[0]
        lead = int(exact_products(signs_at(thresholds, reached), weights)[rival])
        steps = sorted(
            ((own.costs[first] - own.costs[level]) / (weight * gain), task, first)
            for task, (own, level, weight) in enumerate(zip(thresholds, reached, weights, strict=True))
            for gain, first in (
                (1, int(own.tie_at[rival])),
                (1 + int(own.tie_at[rival] > level), int(own.lead_at[rival])),
            )
            if weight and level < first < len(own)
        )
        for _, task, first in steps:
            before = reached[task]
            reached[task] = max(before, first)
            own = thresholds[task]
            lead += weights[task] * int(own.signs(reached[task])[rival] - own.signs(before)[rival])
            if lead > 0:
                break
    return reached


def cheapest_in(
    thresholds: Sequence[ScoreThresholds], space: WeightSpace, *, time_limit: float | None = None
) -> CheapestLevels:
    """Return the cheapest levels at which some weights of a space beat every rival; at the highest levels some must.

    Levels are proposed, and the widest margin there either is positive, which is the answer, or comes with blockers.
    Raised as far as the same blockers still block, and again with those found there, the levels become a cut: some
    task must go above its own, and where conditions leave little to the weights, together by enough.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the optimum was not shown.
    """
    cuts = BendersCuts(thresholds=thresholds, space=space, time_limit=time_limit)
    master = _MasterProgram(thresholds, cuts.cuts_for, _solver.deadline_in(time_limit), rows_of=cuts.rows)
    levels = master.lowered(master.cheapest())
    return CheapestLevels(
        levels=levels,
        cost=total_cost(thresholds, levels),
        solver=_solver.solver_name(),
        refused=tuple(cuts.proofs.values()),
    )


class _MasterProgram:
    """The master program: one binary for each level, which is 1 for the level at which a task ends."""

    def __init__(
        self,
        thresholds: Sequence[ScoreThresholds],
        cuts_for: CutFinder,
        deadline: float | None,
        *,
        rows_of: Callable[[Sequence[int]], list[CoverConstraint]] | None = None,
    ) -> None:
        self.thresholds, self.cuts_for, self.rows_of = thresholds, cuts_for, rows_of or self._above
        self.deadline = deadline
        self.first = np.cumsum([0, *map(len, thresholds)]).tolist()
        self.refused: dict[tuple[int, ...], list[list[int]]] = {}
        self.proposed: tuple[int, ...] | None = None

    def cheapest(self, rows: _solver.Rows | None = None) -> tuple[int, ...]:
        """Return the cheapest levels that win, among those that satisfy the rows."""
        formulation = self._formulation(rows)
        program = _solver.open_program(formulation)
        # Benders' idea with cuts that have no numbers of the weights in them (combinatorial Benders' cuts: Codato and
        # Fischetti, Operations Research 54, 2006): binaries propose, exact programs accept or refute.
        while True:
            solution = program.solve(_solver.seconds_left(self.deadline))
            levels = self.proposed = self._levels(solution)
            cuts = [] if levels is None else self.cuts_for(levels)
            cost = None if levels is None or cuts else self._cost(levels)
            _refuse_unfinished(solution, cost, formulation)
            if levels is None or levels in self.refused:
                raise UnprovedError("least improvement: the solver proposes what has been refused", known={})
            if cost is not None:
                return levels
            self.refused[levels] = cuts
            program.add_rows(self._cut_rows(cuts))

    def relaxed(self, rows: _solver.Rows) -> tuple[float, FloatArray, tuple[int, ...] | None]:
        """Return the optimum of the program without integrality, reduced costs, and its levels where it has some."""
        with _solver.opened(self._formulation(rows), relaxed=True) as program:
            solution = program.solve(_solver.seconds_left(self.deadline))
        _solver.optimal_point(solution, "least improvement")
        if solution.reduced_costs is None:
            raise SolverError(f"least improvement: {_solver.solver_name()} gives no reduced costs")
        return solution.value, solution.reduced_costs, self._levels(solution, nearly=1 - NEARLY)

    def _formulation(self, rows: _solver.Rows | None) -> _solver.Formulation:
        width = int(self.first[-1])
        one_each = [dict.fromkeys(range(*block), 1) for block in zip(self.first, self.first[1:], strict=False)]
        labels = [f"one level of task {task}" for task in range(len(one_each))]
        choice = _solver.Rows.from_dicts(one_each, width=width, lower=1, upper=1, labels=labels)
        return _solver.Formulation.over(
            [str(column) for column in range(width)],
            choice if rows is None else _solver.Rows.join(choice, rows),
            name="least improvement",
            objective=[cost for own in self.thresholds for cost in own.costs],
            upper=[1] * width,
            integral=[True] * width,
        )

    def _levels(self, solution: _solver.Solution, nearly: float = 1 / 2) -> tuple[int, ...] | None:
        """Return the levels that a float point stands for, or None when it stands for none."""
        if solution.x is None:
            return None
        blocks: list[FloatArray] = [solution.x[low:high] for low, high in zip(self.first, self.first[1:], strict=False)]
        # One binary of each block is 1 up to the solver's tolerance; anything else is no choice.
        return tuple(int(np.argmax(block)) for block in blocks) if min(map(max, blocks)) > nearly else None

    def _cost(self, levels: Sequence[int]) -> Fraction:
        return total_cost(self.thresholds, levels)

    def lowered(self, levels: Sequence[int]) -> tuple[int, ...]:
        """Return levels lowered, the dearest step first, until no task alone can be cheaper: floats overlook little.

        Scores that only rise lose nothing: where the next lower level of a task does not win, none further down does.
        """
        refused = np.array([cut for cuts in self.refused.values() for cut in cuts]).reshape(-1, len(levels))
        lower = [(*levels[:task], level - 1, *levels[task + 1 :]) for task, level in enumerate(levels) if level]
        for one in sorted(lower, key=self._cost):
            known = bool((refused >= one).all(axis=1).any())
            if self._cost(one) < self._cost(levels) and not known and not self.cuts_for(one):
                return self.lowered(one)
        return tuple(levels)

    def _cut_rows(self, cuts: Sequence[Sequence[int]]) -> _solver.Rows:
        """Return for each cut its row, with the lowest levels, which bring nothing."""
        higher = [column for column in range(self.first[-1]) if column not in self.first]
        found = [one for cut in cuts for one in self.rows_of(cut)]
        rows = [dict(zip(higher, one.coefficients, strict=True)) for one in found]
        labels = ["levels high enough"] * len(rows)
        return _solver.Rows.from_dicts(rows, width=self.first[-1], lower=[one.least for one in found], labels=labels)

    def _above(self, cut: Sequence[int]) -> list[CoverConstraint]:
        """Return the constraint that some task ends above its level: if levels lose, all below them lose."""
        own = zip(cut, self.thresholds, strict=True)
        return [CoverConstraint.one_of([level > most for most, one in own for level in range(1, len(one))])]


def _refuse_unfinished(solution: _solver.Solution, cost: Fraction | None, formulation: _solver.Formulation) -> None:
    """Raise an error unless the solver has finished and, if the levels win, its bound leaves nothing cheaper."""
    known = {"value": cost, "bound": solution.bound}
    if solution.status is _solver.Status.TIME_LIMIT:
        raise TimeLimitError("least improvement: the time limit came before the optimum was shown", known=known)
    if solution.status is not _solver.Status.OPTIMAL:
        raise SolverError(f"least improvement: {_solver.solver_name()} ends with {solution.status}")
    if cost is not None:
        # Below one step of the objective there is no other value; ROOM bounds the error of the solver's floats.
        room = max(float(formulation.objective_step or 0), ROOM * max(1.0, float(cost)))
        if float(cost) - solution.bound > room:
            raise UnprovedError(
                f"{_solver.solver_name()}'s bound {solution.bound} leaves room below {cost}", known=known
            )


def _duel_rows(thresholds: Sequence[ScoreThresholds], weights: Sequence[int]) -> _solver.Rows:
    """Return one row per rival: its lead, in whole-number weights, is at least 1; with equal weights, parities too."""
    parts = [weight * own.all_signs().astype(np.int64) for own, weight in zip(thresholds, weights, strict=True)]
    signs, sizes = np.concatenate(parts, axis=1), [len(own) for own in thresholds]
    labels = [f"duel {rival}" for rival in range(len(signs))]
    rows = _solver.Rows.from_matrix(signs, lower=1, labels=labels)
    return _solver.Rows.join(rows, *(_parity_rows(signs, sizes) if max(weights) == 1 else ()))


def _parity_rows(signs: IntArray, sizes: Sequence[int]) -> Iterator[_solver.Rows]:
    """Yield rows that follow from the head-to-heads' because sums of signs are integers.

    From a loss to a win a task brings 2, so where all that is needed is odd, one task must bring 2 where 1 is enough:
    half of a row, its coefficients and its right side rounded up (Chvátal's and Gomory's cuts). So it is of the tasks
    that can bring 2 where those that bring 1 at most bring it. With both the relaxed program of 112 models on 1,000
    tasks has integer optima; without them branch and bound takes minutes to close the gap.
    """
    starts = np.cumsum([0, *sizes[:-1]])
    lowest = np.minimum.reduceat(signs, starts, axis=1)
    gains = signs - np.repeat(lowest, sizes, axis=1)
    single = np.maximum.reduceat(gains, starts, axis=1) == 1
    needed = 1 - lowest.sum(axis=1)
    for left, missing in ((0 * single, needed), (single, needed - single.sum(axis=1))):
        odd = np.flatnonzero((missing % 2 == 1) & (missing > 0))
        halves = (gains + 1) // 2 * (1 - np.repeat(left, sizes, axis=1))
        labels = [f"parity of duel {rival}" for rival in odd.tolist()]
        yield _solver.Rows.from_matrix(halves[odd], lower=((missing[odd] + 1) // 2).tolist(), labels=labels)


# Cuts: levels at which a model still does not win, raised as far as the same proof goes.

MOST = 20
"""Largest number of rivals that get a cut at a time."""


def cuts_for(thresholds: Sequence[ScoreThresholds], levels: Sequence[int], weights: Sequence[int]) -> list[list[int]]:
    """Return, for the rivals that are led least at fixed weights, levels raised while that rival is not beaten.

    Empty when all rivals are beaten at the levels given.
    """
    found = exact_products(signs_at(thresholds, levels), weights)
    worst = _unbeaten(thresholds, levels, weights)[:MOST]
    return [_lifted(thresholds, levels, weights, rival, -int(found[rival])) for rival in worst.tolist()]


def _unbeaten(thresholds: Sequence[ScoreThresholds], levels: Sequence[int], weights: Sequence[int]) -> IntArray:
    """Return the rivals that are not beaten at fixed weights, those that lead most first."""
    found = exact_products(signs_at(thresholds, levels), weights)
    order = np.argsort(found, kind="stable")
    return order[found[order] <= 0]


def _lifted(
    thresholds: Sequence[ScoreThresholds], levels: Sequence[int], weights: Sequence[int], rival: int, room: int
) -> list[int]:
    """Return levels raised, light tasks first, while the lead over one rival grows by no more than the room."""
    # Each cut is lifted: the higher the levels that still lose, the more proposals it excludes.
    raised = list(levels)
    # Light tasks first: there a level uses up least of the room, so that many tasks rise far.
    for task in sorted(range(len(thresholds)), key=lambda task: weights[task]):
        own = thresholds[task]
        while raised[task] + 1 < len(own):
            gain = int(own.tie_at[rival] == raised[task] + 1) + int(own.lead_at[rival] == raised[task] + 1)
            if gain * weights[task] > room:
                break
            room -= gain * weights[task]
            raised[task] += 1
    return raised


class BendersCuts(Frozen):
    """The cuts where a model may win under any weights of a space: their blockers show that none do."""

    thresholds: Sequence[ScoreThresholds]
    space: WeightSpace
    time_limit: float | None
    proofs: dict[tuple[int, ...], MarginProof] = field(default_factory=dict)

    def cuts_for(self, levels: Sequence[int]) -> list[list[int]]:
        """Return levels raised until no blockers allow more, or nothing when some weights win already."""
        raised, proof = list(levels), self._margin(levels)
        if proof.upper > 0:
            return []
        # The same blockers prove more than needed. New blockers at the raised levels may allow more still; levels
        # are finitely many, so this ends.
        while True:
            higher = self._under(raised, proof)
            if higher == raised:
                self.proofs[tuple(raised)] = proof
                return [raised]
            raised, proof = higher, self._margin(higher)

    def rows(self, levels: Sequence[int]) -> list[CoverConstraint]:
        """Return the constraints on higher levels that follow from the proof against some."""
        proof = self.proofs[tuple(levels)]
        blockers = {rival: share for rival, share in enumerate(proof.blockers) if share}
        found = blocked_rows(self.thresholds, self.space, blockers, proof.vectors)
        return [CoverConstraint.of(gains, lacking, most=SCALE) for gains, lacking in found if lacking > 0]

    def _margin(self, levels: Sequence[int]) -> MarginProof:
        signs = signs_at(self.thresholds, levels)
        return widest_margin(signs, [str(rival) for rival in range(len(signs))], self.space, time_limit=self.time_limit)

    def _under(self, levels: Sequence[int], proof: MarginProof) -> list[int]:
        """Return the highest levels at which the same blockers and vectors still prove a margin of at most 0."""
        pairs = list(zip(self.space.conditions, proof.vectors, strict=True))
        right = sum((condition.support(vector) for condition, vector in pairs), Fraction(0))
        tasks = {
            task: sum((vector.get(task, Fraction(0)) for _, vector in pairs), Fraction(0)) for task in self.space.tasks
        }
        blocking = [(rival, share) for rival, share in enumerate(proof.blockers) if share]
        return [
            _highest(own, level, blocking, tasks[task] - right)
            for task, own, level in zip(self.space.tasks, self.thresholds, levels, strict=True)
        ]


def _highest(own: ScoreThresholds, level: int, mixture: Sequence[tuple[int, Fraction]], allowed: Fraction) -> int:
    """Return the highest level from the given one on at which the lead over a mixture of rivals is at most so much."""
    # The proof holds as long as, task by task, the mixture's lead stays below what the multipliers of the rows add:
    # each task may rise by itself.
    firsts = ((int(own.tie_at[rival]), int(own.lead_at[rival]), share) for rival, share in mixture)
    steps = sorted((first, share) for tie, lead, share in firsts for first in (tie, lead))
    # Below all thresholds the model trails every blocker: -1 each; every threshold adds one.
    lead = -sum((share for _, share in mixture), Fraction(0))
    for first, share in steps:
        lead += share
        if lead > allowed:
            return max(level, first - 1)
    return len(own) - 1
