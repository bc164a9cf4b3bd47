"""The one certificate of a claim about weights: weights that attain a value, and what shows that none pass it.

No solver takes part. A result says which rows and which objective; what it carries of the proof is checked here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, SignArray, common_denominator, exact_products
from weightlab._result import Record, ensure, ensure_same_names, exact_series
from weightlab._solver import Sense
from weightlab.data import Profile
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.signs import Signs
from weightlab.lp.certificates.objectives import LinearObjective
from weightlab.lp.space.conditions import ZERO
from weightlab.lp.space.space import Vectors, WeightSpace, shares_of


def column_sums(signs: SignArray, blockers: Sequence[Fraction]) -> list[Fraction]:
    """Return the lead over a mixture of rivals on each task, exactly; rivals without a share cost nothing."""
    chosen = [index for index, share in enumerate(blockers) if share]
    if not chosen:
        return [Fraction(0)] * signs.shape[1]
    numerators, denominator = common_denominator([blockers[index] for index in chosen])
    products = exact_products(np.ascontiguousarray(signs[chosen].T), numerators).tolist()
    return [Fraction(int(product), denominator) for product in products]


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
        ensure(isinstance(number, Fraction), f"{name} is {number!r}, which is not an exact number")


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
    ensure(len(weights) == len(space.tasks), "there must be one weight per task")
    exact = dict(zip(space.tasks, weights, strict=True))
    check_exact(**{f"the weight of {task!r}": weight for task, weight in exact.items()})
    check_weights(exact, space)


def check_weighting(weights: pd.Series | Mapping[str, Fraction], space: WeightSpace) -> None:
    """Ensure that exact weights, named by the tasks in order, are in a space."""
    ensure(tuple(weights.keys()) == space.tasks, "the weights are not about the tasks of the space, in order")
    check_weights(series_dict(weights), space)


def nearby_steps(space: WeightSpace, weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, tuple[Fraction, ...]]]:
    """Yield the steps to weightings of a space that are tried before the given ones count as best.

    They lie on the ways to each task alone and to all tasks alike, which is the second part, equal shares of some
    tasks: as far as the space allows, and halfway there. The step is the share of the way, above 0.
    """
    within = room(space, weights)
    for corner in _corners(len(space.tasks)):
        # The room of each bound is concave along the way: no less than what lies between that of both ends.
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
    """Return how far weights are inside each bound of the conditions; negative for a bound that is violated."""
    numerators, denominator = common_denominator(weights)
    whole = dict(zip(space.tasks, numerators, strict=True))
    return [
        Fraction(one) / denominator for condition in space.conditions for one in condition.rooms(whole, denominator)
    ]


def todays_shares(board: object, tasks: Sequence[str]) -> pd.Series:
    """Return today's weights as shares by task: the board's own; equal ones for signs and points, which have none."""
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


def nonzero(values: Iterable[Fraction], names: Iterable[str]) -> dict[str, Fraction]:
    """Return the numbers that are not 0, by name."""
    return {name: value for name, value in zip(names, values, strict=True) if value}


def series_dict(series: pd.Series | Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return an exact Series as a dictionary, ensuring that it is exact and that no name occurs twice."""
    if isinstance(series, Mapping):
        return dict(series)
    # An index of texts is iterated over slowly, and listed fast.
    exact = {str(name): value for name, value in zip(series.index.tolist(), series.tolist(), strict=True)}
    ensure(len(exact) == len(series), f"{series.name}: a name occurs twice")
    strange = next((name for name, value in exact.items() if not isinstance(value, Fraction)), None)
    if strange is not None:
        ensure(holds=False, failure=f"{series.name}: {exact[strange]!r} of {strange!r} is not an exact number")
    return exact


# What shows that no weights do better.


def most(
    space: WeightSpace,
    vectors: Vectors,
    rows: AnyArray | None = None,
    mixture: Sequence[Fraction] = (),
    *,
    costs: Mapping[str, Fraction] | None = None,
    least: Fraction = ZERO,
) -> Fraction:
    """Return a bound on ``costs . w`` over weights of a space that lead by ``least`` in every row.

    Parameters
    ----------
    space : WeightSpace
        The weights that are allowed, tasks in the order of the columns.
    vectors : tuple of mappings from task to Fraction
        a, one per condition.
    rows : ndarray of int, rows x tasks, optional
        G, those that take part; by default none.
    mixture : sequence of Fraction
        z, one per row, not negative.
    costs : mapping from task to Fraction, optional
        c; by default 0.
    least : Fraction
        What ``G w`` is at least.

    Raises
    ------
    ProofError
        Naming the negative share, or the condition that a vector is no bound of.

    Notes
    -----
    For all such weights ``z.(G w - least) >= 0``, and ``h(a) - a.w >= 0`` for each condition and its support function
    h. Adding both to the objective makes it no smaller, and weights are a mixture of the tasks:

        c.w  <=  (c + z G - sum a).w + sum h(a) - least sum(z)
             <=  max over tasks of (c + z G - sum a)  +  sum h(a) - least sum(z).

    This is weak duality, with the rows of each condition eliminated. By strong duality of linear programming some z
    and a prove the optimum itself. Two uses: with c = 0 and shares z that sum to 1 no weights lead by more in all rows,
    since the least lead is at most that over any mixture (von Neumann 1928); and with c = 0, z = 0 and a sum below 0
    no weights exist at all (Farkas), and none exist with ``G w > least`` where a row has a share and the sum is
    0. O(tasks x (rows + conditions)) operations on integers.

    References
    ----------
    Rockafellar, Convex Analysis, Princeton 1970, sections 13 (support functions) and 28 (Lagrange multipliers);
    Schrijver, Theory of Linear and Integer Programming, Wiley 1986, section 7.4.
    """
    ensure(len(vectors) == len(space.conditions), "there must be one vector a condition")
    shares, beneath = common_denominator(mixture)
    ensure(min(shares, default=0) >= 0, "the share of a row is negative")
    ensure(rows is not None or not shares, "there are shares of no rows")
    ensure(rows is None or rows.shape == (len(shares), len(space.tasks)), "the rows do not fit their shares")
    right, under = -least * sum(mixture, ZERO) if least else ZERO, 1
    for condition, vector in zip(space.conditions, vectors, strict=True):
        if not vector:
            continue  # the support function of 0 is 0
        check_exact(**{f"a vector's entry of {task!r}": value for task, value in vector.items()})
        right += condition.support(vector)
        under = math.lcm(under, *{value.denominator for value in vector.values()})
    priced, apart = common_denominator(list((costs or {}).values()))
    over = math.lcm(under, beneath, apart)
    left = dict.fromkeys(space.tasks, 0)
    for task, cost in zip(costs or {}, priced, strict=True):
        left[task] += cost * (over // apart)
    for vector in vectors:
        for task, value in vector.items():
            left[task] -= value.numerator * (over // value.denominator)
    if rows is None or not shares:
        return Fraction(max(left.values()), over) + right
    led, scale = exact_products(np.ascontiguousarray(rows.T), shares).tolist(), over // beneath
    if not any(left.values()):
        return Fraction(scale * int(max(led)), over) + right
    greatest = max(own + scale * int(lead) for own, lead in zip(left.values(), led, strict=True))
    return Fraction(greatest, over) + right


def named_rows(
    matrix: AnyArray, names: Sequence[str], mixture: Mapping[str, Fraction]
) -> tuple[AnyArray, list[Fraction]]:
    """Return the rows that have a share, with their shares, ensuring that they are named among the rows."""
    places = {name: place for place, name in enumerate(names)}
    check_exact(**{f"the share of {name!r}": share for name, share in mixture.items()})
    for name in mixture:
        ensure(name in places, f"{name!r} is named, but is not a rival")
    used = {name: share for name, share in mixture.items() if share}
    return matrix[[places[name] for name in used]], list(used.values())


def check_bound(
    signs: AnyArray,
    rivals: Sequence[str],
    blockers: pd.Series | Mapping[str, Fraction],
    vectors: Vectors,
    space: WeightSpace,
    *,
    bound: Fraction,
    unit: int = 1,
) -> None:
    """Ensure that a mixture of rivals, with a vector per condition, proves a margin of at most ``bound`` and no less.

    Parameters
    ----------
    signs : ndarray of int, rivals x tasks
        G, or differences of points; integers of any size.
    rivals : sequence of str
        What the rows of ``signs`` are called.
    blockers : Series or mapping of str to Fraction
        The mixture's shares; rivals that are not listed have none.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    space : WeightSpace
        The weights that were allowed, tasks in the order of the columns.
    bound : Fraction
        What no margin exceeds.
    unit : int
        What the rows are divided by.

    Raises
    ------
    ProofError
        Naming the blocker or the condition that fails.
    """
    # Most rivals have no share; adding up fractions that are 0 is most of the time that a check takes.
    shares = {rival: share for rival, share in series_dict(blockers).items() if share}
    negative = next((rival for rival, share in shares.items() if share < 0), None)
    ensure(negative is None, f"the share of blocker {negative!r} is negative: {shares.get(str(negative))}")
    numerators, denominator = common_denominator([*shares.values()])
    total = Fraction(sum(numerators), denominator)
    ensure(total == 1, f"the shares of the blockers sum to {total}, not to 1")
    proved = most(space, vectors, *named_rows(signs, rivals, shares)) / unit
    ensure(proved == bound, f"the blockers prove a bound of {proved}, not {bound}")


def multipliers_of(space: WeightSpace, vectors: Vectors) -> pd.Series:
    """Return how much each condition of a space counts in a proof, by its words."""
    pairs = zip(space.conditions, vectors, strict=True)
    names = [condition.text(space.groups) for condition in space.conditions]
    return exact_series([condition.multiplier(vector) for condition, vector in pairs], names, "multiplier")


class _Sparse(dict[str, Fraction]):
    """Weights by task, without zeros."""

    def __missing__(self, _: str) -> Fraction:
        return ZERO


class Optimum(Record):
    """Weights that attain a value, with what shows that no others pass it.

    Attributes
    ----------
    value : Fraction
        The optimum.
    weights : mapping from task to Fraction
        Weights that attain it; those that are 0 are left out.
    mixture : mapping from row to Fraction
        Multipliers of the rows that take part, all positive.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    slope : mapping from task to Fraction
        A linear function that a distance, or a largest weight, is nowhere below, up to a constant; empty where the
        objective is linear itself.
    """

    value: Fraction
    weights: Mapping[str, Fraction]
    mixture: Mapping[str, Fraction]
    vectors: Vectors
    slope: Mapping[str, Fraction]

    def along(self, tasks: Sequence[str]) -> list[Fraction]:
        """Return the weights in the order of tasks."""
        return [self.weights.get(task, ZERO) for task in tasks]

    def check(
        self,
        matrix: AnyArray,
        names: Sequence[str],
        space: WeightSpace,
        objective: LinearObjective,
        least: Fraction = ZERO,
    ) -> Fraction:
        """Ensure that the weights lead by ``least`` in every row and attain the value, and that none do better.

        Returns the least lead under the weights.

        Parameters
        ----------
        matrix : ndarray of int, rows x tasks
            Signs, or differences of points.
        names : sequence of str
            What the rows are called.
        space : WeightSpace
            The weights that were allowed, tasks in the order of the columns.
        objective : LinearObjective
            What was made small or large.
        least : Fraction
            Least lead in every row.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        check_exact(value=self.value, least=least)
        ensure(objective.is_over(space.tasks), f"the {objective.text} is not about the tasks of the space")
        places = {task: place for place, task in enumerate(space.tasks)}
        ensure({*self.weights} <= {*places}, "the weights are about other tasks than those of the space")
        ensure(matrix.shape == (len(names), len(space.tasks)), "the signs do not fit the head-to-heads and tasks")
        check_weights(self.weights, space)
        # Few of many tasks have a weight.
        used = matrix[:, [places[task] for task in self.weights]]
        lead = check_leads(used, names, list(self.weights.values()), least)
        found = objective.value(_Sparse(self.weights))
        ensure(found == self.value, f"the {objective.text} is {found}, not {self.value}")
        ensure(all(self.mixture.values()), "the multiplier of a listed head-to-head is 0")
        dual = Combination(mixture=self.mixture, vectors=self.vectors, slope=self.slope)
        dual.check(self.value, matrix, names, space, objective, least)
        return lead


class Combination(Record):
    """What shows that no weights make an objective better than some value: the dual part of an `Optimum`.

    Attributes
    ----------
    mixture, vectors, slope
        As of an `Optimum`.
    """

    mixture: Mapping[str, Fraction]
    vectors: Vectors
    slope: Mapping[str, Fraction]

    def check(  # noqa: PLR0917 - a value, and what it is the best of
        self,
        value: Fraction,
        matrix: AnyArray,
        names: Sequence[str],
        space: WeightSpace,
        objective: LinearObjective,
        least: Fraction = ZERO,
    ) -> None:
        """Ensure that the bound is just this value; the other parameters and errors are those of `Optimum.check`."""
        rows, shares = named_rows(matrix, names, self.mixture)
        costs, constant = objective.slope(self.slope)
        # What is small is at least a linear function less a constant; of its opposite there is a bound from above.
        sign = 1 if objective.sense is Sense.MAXIMISE else -1
        priced = {task: sign * cost for task, cost in costs.items()}
        proved = sign * most(space, self.vectors, rows, shares, costs=priced, least=least) - constant
        ensure(proved == value, f"the multipliers prove a bound of {proved}, not {value}")
