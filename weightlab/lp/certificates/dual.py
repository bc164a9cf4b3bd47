"""What multipliers prove about a linear objective over weights: weak duality, stated once. No solver takes part.

Every proof that no weights do better, that none are nearer, or that there are none at all, is one `DualBound`: a result
says which objective and which rows, and the multipliers that it carries are checked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import SignArray, common_denominator, exact_products
from weightlab._result import Frozen, ensure
from weightlab._solver import Sense
from weightlab.lp.certificates.primal import check_exact, series_dict
from weightlab.lp.space.conditions import ZERO, LinearRow, Relation
from weightlab.lp.space.space import WeightSpace

RowMultipliers: TypeAlias = pd.Series | Mapping[str, Fraction] | Sequence[Fraction]
"""Of rows, by their names or in their order."""


class DuelRows(Frozen):
    """Rows ``G w >= least`` of a matrix, one a duel, with their multipliers.

    Attributes
    ----------
    matrix : ndarray of int, duels x tasks
        G: signs, or differences of points.
    factors : mapping from name to Fraction
        One multiplier a row of the matrix, in its order.
    least : Fraction
        Least lead in every duel.
    """

    matrix: SignArray
    factors: Mapping[str, Fraction]
    least: Fraction = ZERO

    @classmethod
    def among(
        cls, signs: SignArray, rivals: Sequence[str], factors: Mapping[str, Fraction], least: Fraction = ZERO
    ) -> DuelRows:
        """Return the duels that have a multiplier, ensuring that they are rows of ``signs``; the others count for 0."""
        rows = {rival: row for row, rival in enumerate(rivals)}
        for name in factors:
            ensure(name in rows, f"{name!r} is named, but is no rival")
        return cls(matrix=signs[[rows[name] for name in factors]], factors=factors, least=least)


class DualBound(Frozen):
    """A bound on a linear objective over weights, with the multipliers of the rows that prove it.

    The weights w are not negative and sum to 1, the auxiliary variables a are not negative, and all rows hold:
    ``A w + B a`` is at most, at least or equal to b, and ``G w >= least``.

    Attributes
    ----------
    tasks : sequence of str
        Names of the weights.
    rows : sequence of LinearRow
        A, B and b.
    multipliers : mapping from row name to Fraction
        y, one a row and in the order of the rows.
    objective : sequence of Fraction, optional
        c, the cost of each weight; by default nothing is to be small or large, and c is 0.
    auxiliaries : mapping from name to Fraction
        d, the costs of auxiliary variables; 0 for those not listed.
    duels : DuelRows, optional
        G with its multipliers z.
    sense : Sense
        Whether the objective is bounded from below (``MINIMISE``, so that no weights make it smaller) or from above.

    Notes
    -----
    Weak duality of linear programming. For every allowed w and a, when minimising,

        c.w + d.a  >=  c.w + d.a - y.(A w + B a - b) - z.(G w - least)             (1)
                    =  (c - y A - z G).w + (d - y B).a + (y.b + least sum z)
                   >=  min over tasks of (c - y A - z G)  +  (y.b + least sum z)   (2)

    (1) holds if every multiplier has the sign for which its term is not positive: y >= 0 for "at least", y <= 0 for
    "at most", any y for an equation, z >= 0. (2) holds if ``d - y B >= 0``, since w is a mixture of the tasks: the
    least entry of ``c - y A - z G``, the reduced costs, is the best multiplier of "weights sum to 1", so it need
    not be stated. Maximising mirrors all signs. By strong duality some multipliers prove the optimum itself, so a
    proof of this form exists for every optimum. With no objective (c = 0, d = 0) a positive bound is a contradiction:
    no weights meet the rows, which is Farkas' lemma.

    O(tasks x duels with a multiplier + coefficients of the rows).

    References
    ----------
    Schrijver, Theory of Linear and Integer Programming, Wiley 1986: section 7.4 (duality, Corollary 7.1g) and section
    7.3 (Farkas' lemma, Corollary 7.1e).
    """

    tasks: Sequence[str]
    rows: Sequence[LinearRow]
    multipliers: Mapping[str, Fraction]
    objective: Sequence[Fraction] | None = None
    auxiliaries: Mapping[str, Fraction] = field(default_factory=dict)
    duels: DuelRows | None = None
    sense: Sense = Sense.MINIMISE

    @classmethod
    def over(cls, space: WeightSpace, multipliers: RowMultipliers, **parts: Any) -> DualBound:
        """Return a bound over the weights of a space, from multipliers of its rows by name or in their order."""
        if isinstance(multipliers, Sequence):
            multipliers = multipliers_by_row(space.rows, multipliers)
        return cls(tasks=space.tasks, rows=space.rows, multipliers=series_dict(multipliers), **parts)

    def check(self, bound: Fraction) -> None:
        """Ensure that the multipliers prove ``bound`` and nothing better: it cannot be moved in either direction.

        Raises
        ------
        ProofError
            Naming the multiplier of the wrong sign, the auxiliary variable, or the task whose column says otherwise.
        """
        check_exact(bound=bound)
        costs, right = self.reduced_costs()
        worst = min(costs) if self.sense is Sense.MINIMISE else max(costs)
        if worst + right != bound:
            task = self.tasks[costs.index(worst)]
            ensure(
                holds=False,
                failure=f"the multipliers prove a bound of {worst + right}, not {bound}: they leave {worst} to the "
                f"weight of {task!r}, and {right} in all",
            )

    def reduced_costs(self) -> tuple[list[Fraction], Fraction]:
        """Return what the rows leave to each weight, ``c - y A - z G``, and what they add, ``y.b + least sum z``.

        The objective is at least the one times w plus the other (at most when maximising): inequality (1), with
        ``d - y B >= 0``, is ensured. Proofs whose objective is not linear, or that serve many objectives, go on from
        here instead of taking the minimum of (2).

        Raises
        ------
        ProofError
            Naming the multiplier of the wrong sign, or the auxiliary variable.
        """
        self._check_signs()
        taken, auxiliaries, right = combination(self.rows, self.multipliers)
        sign = self._sign
        for name in {**self.auxiliaries, **auxiliaries}:
            used, cost = auxiliaries.get(name, ZERO), self.auxiliaries.get(name, ZERO)
            if sign * used > sign * cost:
                beyond = f"{'above' if sign > 0 else 'below'} its cost {cost}"
                ensure(holds=False, failure=f"the multipliers sum to {used} for {name!r}, {beyond}")
        objective = [ZERO] * len(self.tasks) if self.objective is None else self.objective
        costs = [cost - taken.get(task, ZERO) for task, cost in zip(self.tasks, objective, strict=True)]
        if self.duels is not None:
            factors = list(self.duels.factors.values())
            costs = [cost - lead for cost, lead in zip(costs, column_sums(self.duels.matrix, factors), strict=True)]
            right += self.duels.least * sum(factors, ZERO)
        return costs, right

    @property
    def _sign(self) -> int:
        return 1 if self.sense is Sense.MINIMISE else -1

    def _check_signs(self) -> None:
        """Ensure that there is one exact multiplier a row, of the sign under which the row bounds the objective."""
        ensure(list(self.multipliers) == [row.name for row in self.rows], "the multipliers are not those of the rows")
        relations = [row.relation for row in self.rows]
        factors = dict(self.duels.factors) if self.duels is not None else {}
        ensure(self.duels is None or len(self.duels.matrix) == len(factors), "there must be one multiplier a duel")
        named: list[tuple[str, Any]] = [*self.multipliers.items(), *factors.items()]
        for (name, factor), relation in zip(named, relations + [Relation.AT_LEAST] * len(factors), strict=True):
            if not isinstance(factor, Fraction) or not relation.allows(-self._sign * factor):
                exact = isinstance(factor, Fraction)
                fault = f"has the wrong sign: {factor}" if exact else f"is {factor!r}, which is no exact number"
                ensure(holds=False, failure=f"the multiplier of {name!r} {fault}")


def combination(
    rows: Sequence[LinearRow], factors: Mapping[str, Fraction]
) -> tuple[dict[str, Fraction], dict[str, Fraction], Fraction]:
    """Return the sum of rows times factors: its weights, its auxiliary variables, its right-hand side."""
    tasks: dict[str, Fraction] = {}
    auxiliaries: dict[str, Fraction] = {}
    right = Fraction(0)
    for row in rows:
        factor = factors[row.name]
        if factor:
            right += factor * row.bound
            for total, own in ((tasks, row.tasks), (auxiliaries, row.auxiliaries)):
                for name, value in own.items():
                    total[name] = total.get(name, Fraction(0)) + factor * value
    return tasks, auxiliaries, right


def column_sums(signs: SignArray, blockers: Sequence[Fraction]) -> list[Fraction]:
    """Return the lead over a mixture of rivals on each task, exactly; rivals without a share cost nothing."""
    chosen = [index for index, share in enumerate(blockers) if share]
    if not chosen:
        return [Fraction(0)] * signs.shape[1]
    numerators, denominator = common_denominator([blockers[index] for index in chosen])
    products = exact_products(np.ascontiguousarray(signs[chosen].T), numerators).tolist()
    return [Fraction(int(product), denominator) for product in products]


def multipliers_by_row(rows: Sequence[LinearRow], multipliers: Sequence[Fraction]) -> dict[str, Fraction]:
    """Return multipliers that are listed in the order of the rows by the rows' names."""
    ensure(len(multipliers) == len(rows), f"there must be one multiplier a row: {len(rows)}, not {len(multipliers)}")
    return {row.name: factor for row, factor in zip(rows, multipliers, strict=True)}


def check_bound(
    signs: SignArray,
    rivals: Sequence[str],
    blockers: pd.Series | Mapping[str, Fraction],
    multipliers: RowMultipliers,
    space: WeightSpace,
    *,
    bound: Fraction,
) -> None:
    """Ensure that a mixture of rivals, with multipliers of the space's rows, proves a margin of at most ``bound``.

    The least lead over all rivals is at most the lead over any mixture of them, which is linear in the weights: the
    mixture's signs are the objective, to be bounded from above. ``bound`` must be the least that they prove. By the
    minimax theorem (von Neumann 1928) some mixture proves the widest margin itself.

    Parameters
    ----------
    signs : ndarray of int, rivals x tasks
        G, or differences of points; integers of any size.
    rivals : sequence of str
        What the rows of ``signs`` are called.
    blockers : Series or mapping of str to Fraction
        The mixture's shares; rivals that are not listed have none.
    multipliers : Series or mapping of str to Fraction, or sequence of Fraction
        One a row of the space, by name or in the order of the rows.
    space : WeightSpace
        The weights that were allowed, tasks in the order of the columns.
    bound : Fraction
        What no margin exceeds.

    Raises
    ------
    ProofError
        Naming the blocker, the row or the task that fails.
    """
    # Most rivals have no share; adding up fractions that are 0 is most of the time that a check takes.
    shares = {rival: share for rival, share in series_dict(blockers).items() if share}
    negative = next((rival for rival, share in shares.items() if share < 0), None)
    ensure(negative is None, f"the share of blocker {negative!r} is negative: {shares.get(str(negative))}")
    total = sum(shares.values(), ZERO)
    ensure(total == 1, f"the shares of the blockers sum to {total}, not to 1")
    mixed = column_sums(DuelRows.among(signs, rivals, shares).matrix, list(shares.values()))
    DualBound.over(space, multipliers, objective=mixed, sense=Sense.MAXIMISE).check(bound)
