"""The search for as few tasks as a model needs: sets that meet all cuts, and cuts that sets do not meet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
import pandas as pd

from weightlab._exact import FloatArray, IntArray, SignArray, largest_entry
from weightlab._result import Frozen, Record, ensure, exact_series
from weightlab._solver import Sense, is_past, seconds_left, solve
from weightlab._solver.covers import BudgetError, CoverConstraint, covers, rows_of
from weightlab._solver.propose import smallest, smallest_program
from weightlab._text import without
from weightlab.exceptions import ImpossibleError, ProofError, TimeLimitError, UnprovedError
from weightlab.lp.certificate import column_sums, least_lead, named_rows
from weightlab.lp.certificates.lp_rows import RivalRows, margin_program
from weightlab.lp.certificates.max_margin import best_over, widest_margin
from weightlab.lp.certificates.objectives import WeightOf
from weightlab.lp.space.conditions import ONE, ZERO, Bounded, Condition, Near, Relation
from weightlab.lp.space.space import Vectors, WeightSpace

MISSES = 3
"""Number of tasks in a row that would complete a set, after which it is not widened further."""
SHORT = 1e-5
"""Smallest shortfall of a lead, in units of the largest entry, that floats are trusted to see."""
NEARLY = 2**20
"""Entries are rounded to multiples of the largest entry divided by this where a float solver reads them."""
PATIENCE = 20_000
"""Number of partial sets of one size examined before integer programs propose the next sets."""


@dataclass(eq=False)
class TaskSearch:
    """Finds smallest task sets on which a model wins, with the cuts that all other sets fail.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    rivals : sequence of str
        Names of its rows.
    space : WeightSpace
        Allowed weights, tasks in the order of the columns.
    least : Fraction
        Least lead over every rival.
    strict : bool
        Whether the model must beat every rival.
    deadline : float or None
        The ``time.monotonic()`` at which the search ends.
    widen : bool
        Whether sets that do not do it are widened before a cut is made of them: worth its programs where there are many
        rows. Without conditions alone.
    """

    signs: SignArray
    rivals: Sequence[str]
    space: WeightSpace
    _: KW_ONLY
    least: Fraction
    strict: bool
    deadline: float | None
    widen: bool = False
    cuts: list[TaskCut] = field(default_factory=list)
    constraints: list[CoverConstraint] = field(default_factory=list)
    found: list[pd.Series] = field(default_factory=list)
    size: int = 1

    def begin_with(self, cuts: Sequence[TaskCut], size: int) -> None:
        """Take over the cuts of an easier search, and its size as a lower bound."""
        for one in cuts:
            self._add(one)
        self.size = size

    def run(self, *, most: int | None) -> bool:
        """Find ``most`` smallest sets, or every one; return whether there is any.

        Raises
        ------
        TimeLimitError, UnprovedError
            ``known["size"]`` is the least size that was not ruled out.
        """
        try:
            return self._run(most)
        except UnprovedError as error:
            error.known["size"] = self.size
            raise

    def _run(self, most: int | None) -> bool:
        width = len(self.space.tasks)
        if self.strict and self.weights_on(range(width)) is None:
            return False  # not even on all tasks; of leads that may be ties the caller knows
        # The implicit hitting set approach (Moreno-Centeno and Karp, Operations Research 61, 2013): a smallest set that
        # meets all known constraints either wins, and is then smallest of all, or yields a constraint that it fails.
        while self.size <= width and not self.found:
            for chosen in self._candidates():
                weights = self.weights_on(chosen)
                if weights is not None:
                    self.found.append(weights)
                    if len(self.found) == most:
                        return True
            self.size += not self.found
        return bool(self.found)

    def _candidates(self) -> Iterator[tuple[int, ...]]:
        """Yield sets of the present size that meet all constraints, once each, until no other is left.

        Constraints that are added on the way count from the next set on. When the search takes long, integer programs
        propose the sets that are left, and may raise the size.
        """
        try:
            for one in covers(self.constraints, len(self.space.tasks), self.size, budget=PATIENCE):
                if is_past(self.deadline):
                    raise TimeLimitError("the time limit came before the fewest tasks were found")
                yield one
        except BudgetError:
            while (proposed := self._proposed_by_solver()) is not None:
                yield proposed

    def _proposed_by_solver(self) -> tuple[int, ...] | None:
        """Return as few tasks as meet all constraints and are no set found before, or None if that takes more tasks."""
        width = len(self.space.tasks)
        # For sets found before: at most ``size - 1`` of their members again, so each is proposed once.
        found = [[-int(weight > 0) for weight in one.tolist()] for one in self.found]
        others = [CoverConstraint(coefficients=tuple(one), least=1 - self.size) for one in found]
        rows = rows_of([*self.constraints, *others], width)
        program = smallest_program(self.space.tasks, rows, "fewest tasks")
        try:
            chosen = smallest(program, time_limit=seconds_left(self.deadline))
        except ImpossibleError:
            self.size = width if not self.found else self.size
            return None
        # All sets of the present size fail some constraint, so the optimum is the next size to look at.
        if len(chosen) > self.size:
            if self.found:
                return None
            self.size = len(chosen)
        return tuple(chosen)

    def weights_on(self, chosen: Sequence[int]) -> pd.Series | None:
        """Return weights on some tasks that do it, or None after adding a cut that these tasks do not pass."""
        alone = self._blocking_alone(chosen)
        if alone is not None:
            self._add(alone)
            return None
        if chosen and not self.space.conditions:
            return self._weights_on_only(chosen)
        outside = tuple(without(self.space.tasks, [self.space.tasks[place] for place in chosen]))
        space = self.space
        # How little weight must lie outside the set? If some must, the multipliers that prove it prove it for all sets
        # that the cut's constraint rules out.
        if outside:
            avoiding = WeightOf(tasks=outside, goal=Sense.MINIMISE)
            optimum = best_over(
                self.signs, self.rivals, space, avoiding, least=self.least, time_limit=seconds_left(self.deadline)
            )
            if optimum.value > 0:
                self._add_cuts(optimum.mixture, optimum.vectors, optimum.value)
                return None
            weights = optimum.along(space.tasks)
            if not self.strict or least_lead(self.signs, weights) > 0:
                return exact_series(weights, space.tasks, "weight")
            space = space.at_most(outside, 0)
        proof = widest_margin(self.signs, self.rivals, space, time_limit=seconds_left(self.deadline))
        if proof.lower > 0 or not self.strict:
            return exact_series(proof.weights, self.space.tasks, "weight")
        # The last condition, which keeps others out, is not ours.
        own = proof.vectors[: len(self.space.conditions)]
        self._add_cuts(proof.mixture, own, Fraction(0))
        return None

    def _weights_on_only(self, chosen: Sequence[int]) -> pd.Series | None:
        """Return the same where all weights are allowed: the widest margin of a table of these tasks alone tells."""
        if self.widen and (wider := self._widened(chosen)) is not None and self._refuted_on(wider) is None:
            return None
        return self._refuted_on(chosen)

    def _refuted_on(self, chosen: Sequence[int]) -> pd.Series | None:
        """Return winning weights on some tasks, or None after adding the cut of those who block them."""
        space = WeightSpace([self.space.tasks[place] for place in chosen])
        signs = np.ascontiguousarray(self.signs[:, list(chosen)])
        proof = widest_margin(signs, self.rivals, space, time_limit=seconds_left(self.deadline))
        if proof.lower >= self.least and (proof.lower > 0 or not self.strict):
            shares = dict(zip(space.tasks, proof.weights, strict=True))
            weights = [shares.get(task, Fraction(0)) for task in self.space.tasks]
            return exact_series(weights, self.space.tasks, "weight")
        self._add(TaskCut(mixture=proof.mixture, vectors=()))
        return None

    def _widened(self, chosen: Sequence[int]) -> list[int] | None:
        """Return, by floats, more tasks on which no weights do it either; None where weights on these seem to.

        The wider the set that fails, the fewer tasks meet its cut: of that few cuts are needed.
        """
        inside, tried, misses = set(chosen), set(chosen), 0
        leads = self._blocked_leads(inside)
        while leads is not None and misses < MISSES:
            inside |= set(np.flatnonzero(leads < -SHORT).tolist())
            tried |= inside
            left = [task for task in np.argsort(leads, kind="stable").tolist() if task not in tried]
            if not left:
                break
            tried.add(left[0])
            found = self._blocked_leads(inside | {left[0]})
            misses = misses + 1 if found is None else 0
            if found is not None:
                inside.add(left[0])
                leads = found
        return None if leads is None else sorted(inside)

    def _blocked_leads(self, chosen: Collection[int]) -> FloatArray | None:
        """Return how far a mixture of rivals is led on each task, in floats, if it is not led enough on some."""
        width, unit = len(self.space.tasks) + 1, max(1, largest_entry(self.signs))
        program = margin_program(self.space.tasks, (), ())
        duels = RivalRows(self._nearly, self.rivals, width=width, margin_column=width - 1, unit=NEARLY)
        upper = tuple(None if task in chosen else 0 for task in range(width - 1))
        started = replace(program.with_rows(duels.rows(duels.first())), upper=(*upper, None))
        solution = solve(started, lazy=duels, time_limit=seconds_left(self.deadline))
        if solution.x is None or solution.reduced_costs is None:
            return None
        # What a task adds to the margin, were it not kept out, is the mixture's lead there beyond the margin.
        margin = float(solution.x[-1])
        short = margin - float(self.least / unit)
        return None if short >= -SHORT else solution.reduced_costs[: width - 1] + short

    @cached_property
    def _nearly(self) -> IntArray:
        """The signs in units of their largest, rounded for a float solver."""
        return np.rint((self.signs / max(1, largest_entry(self.signs)) * NEARLY).astype(np.float64)).astype(np.int64)

    def _blocking_alone(self, chosen: Sequence[int]) -> TaskCut | None:
        """Return the cut of one rival that is ahead on all of some tasks: the one that leads on most others."""
        need = max(ceil(self.least), int(self.strict))
        short = (self.signs[:, list(chosen)] < need).all(axis=1)
        if not short.any():
            return None
        hits = np.where(short, (self.signs >= need).sum(axis=1), self.signs.shape[1] + 1)
        rival = self.rivals[int(np.argmin(hits))]
        return TaskCut(mixture={rival: Fraction(1)}, vectors=({},) * len(self.space.conditions))

    def _add_cuts(self, mixture: Mapping[str, Fraction], vectors: Vectors, short: Fraction) -> None:
        """Add what follows from a mixture and vectors that show some tasks to be short of winning by so much.

        The constraint for one more task always does; that for a sum, where conditions bound weights of single tasks.
        """
        self._add(TaskCut(mixture=mixture, vectors=vectors))
        pairs = list(zip(self.space.conditions, vectors, strict=True))
        if any(any(own_bounds(one, vector).relief.values()) for one, vector in pairs):
            self._add(self._sum_cut(mixture, vectors, short))

    def _sum_cut(self, mixture: Mapping[str, Fraction], vectors: Vectors, short: Fraction) -> TaskCut:
        """Return the cut in which each task's own bound stands for it as far as it may."""
        raised = [dict(vector) for vector in vectors]
        bounds = [own_bounds(*pair) for pair in zip(self.space.conditions, vectors, strict=True)]
        right = self.least * sum(mixture.values(), ZERO) - sum((one.most for one in bounds), ZERO)
        level, totals = right - short, dict(zip(self.space.tasks, self._totals(mixture, vectors), strict=True))
        for condition, vector in zip(self.space.conditions, raised, strict=True):
            highest = max(vector.values(), default=ZERO)
            for task, cap in caps(condition).items():
                # As far as the total of the task stays above the level, and the bound counts for it alone.
                more = totals[task] - level if vector.get(task, ZERO) >= 0 else ZERO
                if isinstance(condition, Near) and condition.norm == "l1":
                    more = min(more, highest - vector.get(task, ZERO))
                if more > 0 and cap < 1:
                    vector[task] = vector.get(task, ZERO) + more
                    totals[task] -= more
        return TaskCut(mixture=mixture, vectors=tuple(raised), level=level)

    def _totals(self, mixture: Mapping[str, Fraction], vectors: Vectors) -> list[Fraction]:
        """Return the lead over the mixture on each task, less the vectors."""
        led = column_sums(self.signs, [mixture.get(rival, ZERO) for rival in self.rivals])
        return [one - _entry(vectors, task) for task, one in zip(self.space.tasks, led, strict=True)]

    def _add(self, cut: TaskCut) -> None:
        constraint = cut.constraint(self.signs, self.rivals, self.space, least=self.least, strict=self.strict)
        self.cuts.append(cut)
        self.constraints.append(constraint)


# Cuts: proofs that winning weights must not avoid certain tasks.


class OwnBounds(Frozen):
    """What a condition says of a vector where some tasks have no weight.

    Attributes
    ----------
    most : Fraction
        What ``vector . w`` never exceeds.
    relief : mapping from task to Fraction
        For each of these tasks that has no weight, by how much less it never exceeds; not negative.
    """

    most: Fraction
    relief: Mapping[str, Fraction]


def caps(condition: Condition) -> Mapping[str, Fraction]:
    """Return the tasks whose weight a condition bounds one by one, with the bounds, and the bounds on gains."""
    if isinstance(condition, Near):
        return {task: share + _room(condition, share) for task, share in condition.centre.items()}
    if isinstance(condition, Bounded) and len(condition.tasks) == 1 and condition.relation is Relation.AT_MOST:
        ((task, coefficient),) = condition.tasks.items()
        return {task: condition.bound / coefficient} if coefficient > 0 and condition.bound >= 0 else {}
    return {}


def own_bounds(condition: Condition, vector: Mapping[str, Fraction]) -> OwnBounds:
    """Return the bound of a condition on a vector in which each task's own bound counts separately.

    A positive entry of a task without weight may as well be 0, which makes the support function smaller: by the entry
    times the bound of the task, where that is counted task by task. A distance is so counted, without the median that
    makes the support function least; of the sum of changes what all tasks gain stays whole.
    """
    whole = condition.support(vector)  # refuses what is about other tasks
    own = caps(condition)
    if not own:
        return OwnBounds(most=whole, relief={})
    relief = {task: entry * own[task] for task, entry in vector.items() if entry > 0}
    if not isinstance(condition, Near):
        return OwnBounds(most=whole, relief=relief)
    shares = condition.centre
    low = sum((one * (shares[task] - _room(condition, shares[task])) for task, one in vector.items() if one < 0), ZERO)
    ends = [ZERO, *vector.values()]
    moved = condition.radius / 2 * (max(ends) - min(ends)) if condition.norm == "l1" else ZERO
    return OwnBounds(most=low + moved + sum(relief.values(), ZERO), relief=relief)


def _room(near: Near, share: Fraction) -> Fraction:
    """Return how far a weight may move by itself; for the sum of changes that is counted for all together."""
    return {"l1": ZERO, "linf": near.radius}.get(near.norm, near.radius * share)


def _entry(vectors: Vectors, task: str) -> Fraction:
    return sum((one.get(task, ZERO) for one in vectors), ZERO)


class TaskCut(Record):
    """A sum of head-to-heads and conditions which no weights meet that avoid too many tasks.

    Every winning weighting w of the space satisfies ``sum of w_j p_j >= r``: p is the lead of the mixture of the
    head-to-heads beyond the vectors, r what the leads and the conditions leave. Tasks with p_j < r cannot do it alone:
    some task with p_j >= r must have weight.

    Attributes
    ----------
    mixture : mapping from rival to Fraction
        Multipliers of head-to-heads, all positive.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    level : Fraction or None
        When given, the constraint concerns a sum, not one task: bounds of one task's weight hold with bound 0 when
        it has no weight, so the tasks that have must make up for them; p_j counts as far as above the level.
    """

    mixture: Mapping[str, Fraction]
    vectors: Vectors
    level: Fraction | None = None

    def constraint(
        self, signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, least: Fraction, strict: bool
    ) -> CoverConstraint:
        """Return the constraint on the tasks of winning weights, ensuring that it follows.

        Parameters
        ----------
        signs : ndarray of int8, rivals x tasks
            G_m.
        rivals : sequence of str
            Names of its rows.
        space : WeightSpace
            Allowed weights, tasks in the order of the columns.
        least : Fraction
            Least lead over every rival.
        strict : bool
            Whether leads must also be above 0.
        """
        rows, shares = named_rows(signs, rivals, self.mixture)
        positive = len(shares) == len(self.mixture) and min(shares, default=ONE) > 0
        ensure(positive, "a cut has a multiplier that is not positive")
        ensure(len(self.vectors) == len(space.conditions), "there must be one vector per condition")
        entries = [value for vector in self.vectors for value in vector.values()]
        ensure(all(isinstance(value, Fraction) for value in entries), "a vector's entry is not an exact number")
        # z.(G w - least) >= 0 and h(a) - a.w >= 0 add up to p.w >= r, for all winning weights w.
        led = column_sums(rows, shares) if shares else [ZERO] * len(space.tasks)
        totals = [one - _entry(self.vectors, task) for task, one in zip(space.tasks, led, strict=True)]
        asked = least * sum(shares, ZERO)
        wins = strict and least == 0 and bool(shares)
        pairs = list(zip(space.conditions, self.vectors, strict=True))
        if self.level is None:
            right = asked - sum((condition.support(vector) for condition, vector in pairs), ZERO)
            return CoverConstraint.one_of([total > right if wins else total >= right for total in totals])
        bounds = [own_bounds(*pair) for pair in pairs]
        return self._constraint_on_sum(space.tasks, totals, asked, bounds, above=wins)

    def _constraint_on_sum(
        self,
        tasks: Sequence[str],
        totals: Sequence[Fraction],
        asked: Fraction,
        bounds: Sequence[OwnBounds],
        *,
        above: bool,
    ) -> CoverConstraint:
        level = self.level
        if not isinstance(level, Fraction):
            raise ProofError(f"the level {level!r} of a cut is not an exact number")
        # With y_j = 1 where task j has weight and 0 elsewhere, its own bound reads w_j <= u_j y_j (a variable upper
        # bound). In p.w >= r the bounds that r counts come back as relief_j (1 - y_j), and p.w is at most the level
        # plus what the p_j of tasks that have weight have above it. What is left is a covering constraint on y alone.
        relief = [sum((one.relief.get(task, ZERO) for one in bounds), ZERO) for task in tasks]
        needed = asked - sum((one.most for one in bounds), ZERO) + sum(relief, ZERO) - level
        ensure(needed > 0, "a cut asks for nothing")
        sums = [max(total - level, ZERO) + own for total, own in zip(totals, relief, strict=True)]
        return CoverConstraint.of(sums, needed, above=above)
