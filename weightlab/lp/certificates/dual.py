"""What multipliers prove about a linear objective over weights: weak duality, stated once. No solver takes part.

Every proof that no weights do better, that none are nearer, or that there are none at all, is one `DualBound`: a result
says which objective and which rows, and the multipliers that it carries are checked here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import IntArray, SignArray, common_denominator, exact_products
from weightlab._result import Frozen, ensure, ensure_same_names, exact_series
from weightlab._solver import Sense
from weightlab.data import Profile
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.signs import Signs
from weightlab.lp.space.conditions import ZERO, LinearRow, Relation, beyond_bounds
from weightlab.lp.space.space import WeightSpace, shares_of

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
        c, the cost of each weight, times ``unit``; by default nothing is to be small or large, and c is 0.
    unit : int
        What the objective is written in multiples of, so that integers over a denominator need no fractions.
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
    objective: Sequence[Fraction | int] | None = None
    unit: int = 1
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
        task, worst, right = self._worst()
        if worst + right != bound:
            ensure(
                holds=False,
                failure=f"the multipliers prove a bound of {worst + right}, not {bound}: they leave {worst} to the "
                f"weight of {task!r}, and {right} in all",
            )

    def proved(self) -> Fraction:
        """Return the bound that the multipliers prove; errors as for `reduced_costs`."""
        _, worst, right = self._worst()
        return worst + right

    def _worst(self) -> tuple[str, Fraction, Fraction]:
        """Return the task that makes the bound, what is left to its weight, and what the rows add."""
        costs, over, right = self.integer_costs()
        place = int(np.argmin(costs) if self.sense is Sense.MINIMISE else np.argmax(costs))
        return self.tasks[place], Fraction(int(costs[place]), over), right

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
        costs, over, right = self.integer_costs()
        return [Fraction(int(cost), over) for cost in costs], right

    def integer_costs(self) -> tuple[IntArray, int, Fraction]:
        """Return `reduced_costs` as integers over a denominator: a Fraction a task would cost more than all else."""
        self._check_signs()
        taken, auxiliaries, right, under = _integer_combination(self.rows, self.multipliers)
        sign = self._sign
        for name in {**self.auxiliaries, **auxiliaries}:
            used, cost = auxiliaries.get(name, 0), self.auxiliaries.get(name, ZERO)
            if sign * used * cost.denominator > sign * cost.numerator * under:
                beyond = f"{'above' if sign > 0 else 'below'} its cost {cost}"
                ensure(holds=False, failure=f"the multipliers sum to {Fraction(used, under)} for {name!r}, {beyond}")
        factors = list(self.duels.factors.values()) if self.duels is not None else []
        objective, apart = common_denominator(self.objective or [0] * len(self.tasks))
        shares, beneath = common_denominator(factors)
        over = math.lcm(apart * self.unit, under, beneath)
        left = {task: cost * (over // (apart * self.unit)) for task, cost in zip(self.tasks, objective, strict=True)}
        for task, part in taken.items():
            left[task] -= part * (over // under)
        costs = np.array(list(left.values()), dtype=object)
        if self.duels is None:
            return costs, over, right
        led = exact_products(np.ascontiguousarray(self.duels.matrix.T), shares).astype(object)
        return costs - led * (over // beneath), over, right + self.duels.least * sum(factors, ZERO)

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
        sign = self._sign
        for (name, factor), relation in zip(named, relations + [Relation.AT_LEAST] * len(factors), strict=True):
            if not isinstance(factor, Fraction) or not relation.allows(-sign * factor.numerator):
                exact = isinstance(factor, Fraction)
                fault = f"has the wrong sign: {factor}" if exact else f"is {factor!r}, which is no exact number"
                ensure(holds=False, failure=f"the multiplier of {name!r} {fault}")


def combination(
    rows: Sequence[LinearRow], factors: Mapping[str, Fraction]
) -> tuple[dict[str, Fraction], dict[str, Fraction], Fraction]:
    """Return the sum of rows times factors: its weights, its auxiliary variables, its right-hand side."""
    *sums, right, under = _integer_combination(rows, factors)
    tasks, auxiliaries = ({name: Fraction(value, under) for name, value in part.items()} for part in sums)
    return tasks, auxiliaries, right


def _integer_combination(
    rows: Sequence[LinearRow], factors: Mapping[str, Fraction]
) -> tuple[dict[str, int], dict[str, int], Fraction, int]:
    """Return the combination, weights and auxiliary variables as integers over the denominator returned last."""
    used = [row for row in rows if factors[row.name]]
    numerators, under = common_denominator([factors[row.name] for row in used])
    bounds, below = common_denominator([row.bound for row in used])
    right = Fraction(sum(factor * bound for factor, bound in zip(numerators, bounds, strict=True)), under * below)
    scale = math.lcm(*[row.scale for row in used])
    tasks: dict[str, int] = {}
    auxiliaries: dict[str, int] = {}
    for row, factor in zip(used, numerators, strict=True):
        for total, own in ((tasks, row.integers.tasks), (auxiliaries, row.integers.auxiliaries)):
            for name, value in own:
                total[name] = total.get(name, 0) + factor * (scale // row.scale) * value
    return tasks, auxiliaries, right, under * scale


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


# What shows that weights do what is claimed of them: they are allowed, and lead by so much. No solver takes part.
#
# This is the primal side of every proof: feasible points and their exact values.


def leads(signs: SignArray, weights: Sequence[Fraction]) -> list[Fraction]:
    """Return G w exactly, one lead a rival."""
    numerators, denominator = common_denominator(weights)
    return [Fraction(int(lead), denominator) for lead in exact_products(signs, numerators).tolist()]


def least_lead(signs: SignArray, weights: Sequence[Fraction]) -> Fraction:
    """Return the least lead over all rivals, exactly."""
    # Few tasks have a weight at a vertex.
    used = [place for place, weight in enumerate(weights) if weight]
    numerators, denominator = common_denominator([weights[place] for place in used])
    return Fraction(int(exact_products(signs[:, used], numerators).min()), denominator)


def check_exact(**numbers: object) -> None:
    """Ensure that numbers are fractions: floats that look right prove nothing."""
    for name, number in numbers.items():
        ensure(isinstance(number, Fraction), f"{name} is {number!r}, which is no exact number")


def check_form(
    model: str,
    rivals: Sequence[str],
    tasks: Sequence[str],
    signs: SignArray,
    space: WeightSpace,
    *,
    source: SignsLike | None,
) -> None:
    """Ensure that names, signs and space belong together, and that a source has just these names and signs."""
    ensure(space.tasks == tuple(tasks), "the tasks of the space are not those of the weights, in the same order")
    ensure(len(set(rivals)) == len(rivals), "two rivals have the same name")
    ensure(model not in rivals, f"{model!r} is among its own rivals")
    ensure(signs.shape == (len(rivals), len(tasks)), "the signs do not fit the rivals and tasks")
    ensure(signs.dtype.kind == "i" and signs.size and -1 <= signs.min() <= signs.max() <= 1, "signs must be -1, 0 or 1")
    if source is None:
        return
    table = as_signs(source)
    ensure(model in table.models, f"the source has no model {model!r}")
    ensure_same_names("tasks", tasks, table.tasks)
    ensure_same_names("rivals", rivals, table.rivals(model))
    columns = [table.tasks.index(task) for task in tasks]
    own = table.over_all(table.position(model))[np.ix_([table.position(rival) for rival in rivals], columns)]
    for row, column in np.argwhere(own != signs)[:1].tolist():
        duel = f"the sign of {model!r} over {rivals[row]!r} on {tasks[column]!r}"
        ensure(holds=False, failure=f"{duel} is {own[row, column]} in the source, not {signs[row, column]}")


def check_table(signs: Signs, space: WeightSpace, source: SignsLike | None) -> None:
    """Ensure that a table has models to compare, that the space is about its tasks, and that a source has its signs."""
    ensure(len(signs.models) > 1, "there must be at least two models")
    ensure(len(set(signs.models)) == len(signs.models), "two models have the same name")
    ensure(space.tasks == signs.tasks, "the tasks of the space are not those of the signs, in order")
    if source is not None:
        signs.ensure_same(as_signs(source))


def check_weights(weights: Mapping[str, Fraction], space: WeightSpace) -> None:
    """Ensure that weights are not negative, sum to 1, and meet the conditions of a space."""
    negative = next((task for task, weight in weights.items() if weight.numerator < 0), None)
    if negative is not None:
        ensure(holds=False, failure=f"the weight of {negative!r} is negative: {weights[negative]}")
    kept = [task for task, weight in weights.items() if weight]
    numerators, denominator = common_denominator([weights[task] for task in kept])
    total = Fraction(sum(numerators), denominator)
    ensure(total == 1, f"the weights sum to {total}, not to 1")
    whole = dict(zip(kept, numerators, strict=True))
    broken = next((one for one in space.conditions if not one.holds(whole, denominator)), None)
    if broken is not None:
        ensure(holds=False, failure=f"the weights do not meet the condition {broken.text(space.groups)!r}")


def check_leads(signs: SignArray, rivals: Sequence[str], weights: Sequence[Fraction], least: Fraction) -> Fraction:
    """Ensure that weights lead every rival by at least so much, and return by how much they lead some rival least."""
    lead = least_lead(signs, weights) if rivals else least
    if lead < least:
        rival = rivals[leads(signs, weights).index(lead)]
        ensure(holds=False, failure=f"the lead over {rival!r} is {lead}, below {least}")
    return lead


def check_point(weights: Sequence[Fraction], space: WeightSpace) -> None:
    """Ensure that exact weights, listed in the order of the tasks, are in a space."""
    ensure(len(weights) == len(space.tasks), "there must be one weight a task")
    exact = dict(zip(space.tasks, weights, strict=True))
    check_exact(**{f"the weight of {task!r}": weight for task, weight in exact.items()})
    check_weights(exact, space)


def check_weighting(weights: pd.Series, space: WeightSpace) -> None:
    """Ensure that exact weights, named by the tasks in order, are in a space."""
    ensure(tuple(weights.index) == space.tasks, "the weights are not about the tasks of the space, in order")
    check_weights(series_dict(weights), space)


def nearby_steps(space: WeightSpace, weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, tuple[Fraction, ...]]]:
    """Yield the steps to weightings of a space tried before it is believed that none is better than those given.

    They lie on the ways to each task alone and to all tasks alike, which is the second part, equal shares of some
    tasks: as far as the space allows, and halfway there. The step is the share of the way, above 0.
    """
    within = room(space, weights)
    for corner in _corners(len(space.tasks)):
        # Of a row that can fail, the room is concave along the way: no less than what lies between that of both ends.
        ends = [(own, own - other) for own, other in zip(within, room(space, corner), strict=True) if other < 0]
        most = min((own / lost for own, lost in ends), default=Fraction(1))
        for step in (most, most / 2) if most > 0 else ():
            yield step, corner


@cache
def _corners(count: int) -> list[tuple[Fraction, ...]]:
    """Return the weightings of each task alone, and that of all alike."""
    alone = [tuple(Fraction(place == own) for place in range(count)) for own in range(count)]
    return [*alone, (Fraction(1, count),) * count]


def nearby_weightings(space: WeightSpace, weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, ...]]:
    """Yield the weightings that `nearby_steps` leads to."""
    for step, corner in nearby_steps(space, weights):
        pairs = zip(corner, weights, strict=True)
        yield tuple(own * (1 - step) + step * one if one else own * (1 - step) for one, own in pairs)


def room(space: WeightSpace, weights: Sequence[Fraction]) -> list[Fraction]:
    """Return how far the sum of each row of a space is inside its bound; negative where the row does not hold."""
    numerators, denominator = common_denominator(weights)
    beyond, _, number = beyond_bounds(space.rows, dict(zip(space.tasks, numerators, strict=True)), denominator)
    over = [(row.relation, Fraction(by, number * row.scale)) for row, by in zip(space.rows, beyond, strict=True)]
    return [-abs(by) if how is Relation.EQUAL else by if how is Relation.AT_LEAST else -by for how, by in over]


def todays_shares(board: SignsLike, tasks: Sequence[str]) -> pd.Series:
    """Return today's weights as shares by task: the board's own, or equal ones for signs, which have none."""
    weights: Any = [1] * len(tasks)
    if isinstance(board, Leaderboard):
        weights = board.weights
    elif isinstance(board, Profile):
        weights = dict(zip(board.voters, board.weights, strict=True))
    shares = shares_of(weights, tasks)
    return exact_series([shares[task] for task in tasks], tasks, "weight")


def check_todays(source: SignsLike | None, weights: pd.Series) -> None:
    """Ensure that weights are today's of a source; a table of signs has none, so any are."""
    if isinstance(source, Leaderboard | Profile):
        tasks = [str(task) for task in weights.index]
        for task, own, weight in zip(tasks, todays_shares(source, tasks).tolist(), weights.tolist(), strict=True):
            ensure(weight == own, f"today's weight of {task!r} is {own} in the source, not {weight}")


def nonzero_series(values: Iterable[Fraction], names: Iterable[str], what: str) -> pd.Series:
    """Return the numbers that are not 0, by name, as an exact Series."""
    kept = {name: value for name, value in zip(names, values, strict=True) if value}
    return exact_series(list(kept.values()), list(kept), what)


def series_dict(series: pd.Series | Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return an exact Series as a dictionary, ensuring that it is exact and that no name occurs twice."""
    if isinstance(series, Mapping):
        return dict(series)
    # An index of texts is iterated over slowly, and listed fast.
    exact = {str(name): value for name, value in zip(series.index.tolist(), series.tolist(), strict=True)}
    ensure(len(exact) == len(series), f"{series.name}: a name occurs twice")
    strange = next((name for name, value in exact.items() if not isinstance(value, Fraction)), None)
    if strange is not None:
        ensure(holds=False, failure=f"{series.name}: {exact[strange]!r} of {strange!r} is no exact number")
    return exact
