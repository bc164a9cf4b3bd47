"""The one certificate of a claim about weights: weights that attain a value, and what shows that none pass it.

No solver takes part. A result says which rows and which objective; what it carries of the proof is checked here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, common_denominator, exact_products
from weightlab._result import Record, ensure, exact_series
from weightlab._solver import Sense
from weightlab.lp.certificates.dual import check_exact, check_leads, check_weights, series_dict
from weightlab.lp.certificates.objectives import LinearObjective
from weightlab.lp.space.conditions import ZERO
from weightlab.lp.space.space import Vectors, WeightSpace


def most(
    space: WeightSpace,
    vectors: Vectors,
    rows: AnyArray | None = None,
    mixture: Sequence[Fraction] = (),
    *,
    costs: Mapping[str, Fraction] | None = None,
    least: Fraction = ZERO,
) -> Fraction:
    """Return what ``costs . w`` never exceeds for weights of a space that lead by ``least`` in every row.

    Parameters
    ----------
    space : WeightSpace
        The weights that are allowed, tasks in the order of the columns.
    vectors : tuple of mappings from task to Fraction
        a, one a condition.
    rows : ndarray of int, rows x tasks, optional
        G, those that take part; by default none.
    mixture : sequence of Fraction
        z, one a row, not negative.
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
    there are no weights at all (Farkas), as there are none with ``G w > least`` where a row has a share and the sum is
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
    right, under = -least * sum(mixture, ZERO), 1
    for condition, vector in zip(space.conditions, vectors, strict=True):
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
    led = exact_products(np.ascontiguousarray(rows.T), shares).tolist()
    scale = over // beneath
    greatest = max(own + scale * int(lead) for own, lead in zip(left.values(), led, strict=True))
    return Fraction(greatest, over) + right


def named_rows(
    matrix: AnyArray, names: Sequence[str], mixture: Mapping[str, Fraction]
) -> tuple[AnyArray, list[Fraction]]:
    """Return the rows that have a share, with their shares, ensuring that they are named among the rows."""
    places = {name: place for place, name in enumerate(names)}
    check_exact(**{f"the share of {name!r}": share for name, share in mixture.items()})
    for name in mixture:
        ensure(name in places, f"{name!r} is named, but is no rival")
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
    """Ensure that a mixture of rivals, with a vector a condition, proves a margin of at most ``bound`` and no less.

    Parameters
    ----------
    signs : ndarray of int, rivals x tasks
        G, or differences of points; integers of any size.
    rivals : sequence of str
        What the rows of ``signs`` are called.
    blockers : Series or mapping of str to Fraction
        The mixture's shares; rivals that are not listed have none.
    vectors : tuple of mappings from task to Fraction
        One a condition of the space.
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
    total = sum(shares.values(), ZERO)
    ensure(total == 1, f"the shares of the blockers sum to {total}, not to 1")
    proved = most(space, vectors, *named_rows(signs, rivals, shares)) / unit
    ensure(proved == bound, f"the blockers prove a bound of {proved}, not {bound}")


def multipliers_of(space: WeightSpace, vectors: Vectors) -> pd.Series:
    """Return how much each condition of a space counts in a proof, by its words."""
    pairs = zip(space.conditions, vectors, strict=True)
    names = [condition.text(space.groups) for condition in space.conditions]
    return exact_series([condition.multiplier(vector) for condition, vector in pairs], names, "multiplier")


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
        One a condition of the space.
    slope : mapping from task to Fraction
        A linear function that a distance, or a largest weight, is nowhere below but for a constant; empty where the
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
        ensure(set(self.weights) <= set(space.tasks), "the weights are about other tasks than those of the space")
        ensure(matrix.shape == (len(names), len(space.tasks)), "the signs do not fit the duels and tasks")
        exact = dict(zip(space.tasks, self.along(space.tasks), strict=True))
        check_weights(exact, space)
        lead = check_leads(matrix, names, list(exact.values()), least)
        found = objective.value(exact)
        ensure(found == self.value, f"the {objective.text} is {found}, not {self.value}")
        ensure(all(self.mixture.values()), "a multiplier of a duel that is listed is 0")
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
