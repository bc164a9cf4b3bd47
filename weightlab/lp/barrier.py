"""Barriers: proofs that winning weights must not avoid certain tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from weightlab._record import Exact, Record
from weightlab._result import ensure
from weightlab._typing import SignArray
from weightlab.exceptions import ProofError
from weightlab.lp.certificate import series_dict
from weightlab.lp.conditions import LinearRow, Relation
from weightlab.lp.covering import Demand
from weightlab.lp.dual_bound import DualBound, Duels
from weightlab.lp.space import Multipliers, WeightSpace

__all__ = ["Barrier", "is_own_bound"]


def is_own_bound(row: LinearRow) -> bool:
    """Tell whether a row bounds one task's weight from above, and holds with bound 0 for a task without weight.

    Auxiliary variables are not negative, so they must only help: ``w - gain <= 1/5``.
    """
    alone = len(row.tasks) == 1 and all(value > 0 for value in row.tasks.values())
    helps = all(value < 0 for value in row.auxiliaries.values())
    return alone and helps and row.relation is Relation.AT_MOST and row.bound >= 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Barrier(Record):
    """A sum of duels and conditions which no weights meet that avoid too many tasks.

    Every winning weighting w of the space satisfies ``sum of w_j p_j >= r``, where p and r are the sums of the duels
    and rows times the multipliers. Tasks with p_j < r cannot do it alone: some task with p_j >= r must have weight.

    Attributes
    ----------
    duel_multipliers : Series of Fraction by rival
        Multipliers of duels that are not 0, all positive.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space.
    level : Fraction or None
        When given, the demand is not for one task but for a sum: rows that bound one task's weight hold with bound 0
        when it has no weight, so the tasks that have must make up for them; p_j counts as far as above the level.
    """

    duel_multipliers: Exact
    multipliers: Multipliers
    level: Fraction | None = None

    def demand(
        self, signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, least: Fraction, strict: bool
    ) -> Demand:
        """Return what the tasks of winning weights must meet, ensuring that the multipliers prove it.

        Parameters
        ----------
        signs : ndarray of int8, rivals x tasks
            G_m.
        rivals : sequence of str
            Names of its rows.
        space : WeightSpace
            Allowed weights, tasks in the order of the columns.
        least : Fraction
            Least lead in every duel.
        strict : bool
            Whether leads must also be above 0.
        """
        factors, own = series_dict(self.duel_multipliers), series_dict(self.multipliers)
        ensure(
            all(value > 0 for value in factors.values()), "a barrier has a multiplier of a duel that is not positive"
        )
        # Nothing is to be small, so what the rows leave is -p: 0 >= -p w + r for all winning weights w.
        costs, right = DualBound(
            tasks=space.tasks,
            rows=space.rows,
            multipliers=own,
            duels=Duels.among(signs, rivals, factors, least),
        ).reduced_costs()
        totals = [-cost for cost in costs]
        wins = strict and least == 0 and bool(factors)
        if self.level is None:
            return Demand.one_of([total > right if wins else total >= right for total in totals])
        return self._demand_for_sum(space, own, totals, right, above=wins)

    def _demand_for_sum(
        self,
        space: WeightSpace,
        own: Mapping[str, Fraction],
        totals: Sequence[Fraction],
        right: Fraction,
        *,
        above: bool,
    ) -> Demand:
        level = self.level
        if not isinstance(level, Fraction):
            raise ProofError(f"the level {level!r} of a barrier is no exact number")
        given = dict.fromkeys(space.tasks, Fraction(0))
        for row in space.rows:
            if is_own_bound(row):
                given[next(iter(row.tasks))] -= own[row.name] * row.bound
        needed = right + sum(given.values(), Fraction(0)) - level
        ensure(needed > 0, "a barrier demands nothing")
        beyond = [max(total - level, Fraction(0)) for total in totals]
        sums = [one + given[task] for task, one in zip(space.tasks, beyond, strict=True)]
        return Demand.of(sums, needed, above=above)
