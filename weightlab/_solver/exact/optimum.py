"""The exact optimum of a linear program, and the check that proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from weightlab._exact import common_denominator
from weightlab._result import Frozen
from weightlab._solver.program import Bound, Formulation, Number, Sense, within
from weightlab.exceptions import ProofError


class ExactOptimum(Frozen):
    """An optimal point of a linear program with the multipliers that prove it optimal.

    Attributes
    ----------
    formulation : Formulation
        The program that is proved, with every row that was generated on the way.
    value : Fraction
        The optimal value.
    x : tuple of Fraction
        A point that attains it.
    duals : tuple of Fraction
        A multiplier for each row: the rate at which the value changes with the row's bound, in the sign convention
        of ``Solution``.

    Notes
    -----
    By ``proved_bound`` no feasible point is better than what the multipliers contribute. When that is the value at
    ``x``, which is feasible, both are optimal.
    """

    formulation: Formulation
    value: Fraction
    x: tuple[Fraction, ...]
    duals: tuple[Fraction, ...]

    def check(self) -> None:
        """Re-check feasibility, multipliers and value in exact arithmetic; no solver takes part.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        """
        formulation = self.formulation
        if len(self.x) != len(formulation.columns) or len(self.duals) != len(formulation.rows):
            raise ProofError(f"{formulation.name}: the point or the multipliers have the wrong length")
        for fault in primal_faults(formulation, self.x):
            raise ProofError(fault)
        attained = dot(formulation.objective, self.x)
        if attained != self.value:
            raise ProofError(f"{formulation.name}: the objective at the point is {attained}, not {self.value}")
        total = proved_bound(formulation, formulation.objective, self.duals, formulation.sense)
        # Weak duality makes the total a bound for every feasible point. Equal to the value at a feasible point, it
        # proves both optimal, whoever proposed them.
        if total != self.value:
            raise ProofError(f"{formulation.name}: the multipliers prove the bound {total}, not the value {self.value}")


def proved_bound(
    formulation: Formulation, objective: Sequence[Number], duals: Sequence[Fraction], sense: Sense
) -> Fraction:
    """Return what an objective is at least (``MINIMISE``) or at most at feasible points, by multipliers of the rows.

    The objective is the sum of the rows times ``duals`` and of the variables times what these leave of it, their
    reduced costs. Weak duality of linear programming (Schrijver, Theory of Linear and Integer Programming, 1986,
    section 7.4): when minimising, a positive multiplier times the lower bound of its row or column, or a negative one
    times the upper bound, is the least that it can contribute. Maximising exchanges the two.

    Raises
    ------
    ProofError
        If a row or column has a multiplier, but not the bound that its sign calls for.
    """
    # Integers over one denominator throughout: a Fraction for each row and column would cost more than all else here.
    rows, sign = formulation.rows, 1 if sense is Sense.MAXIMISE else -1
    numerators, over = common_denominator(duals)
    costs, scale = common_denominator(objective)
    products = rows.matrix.products(numerators, transposed=True)
    reduced = [cost * over - product * scale for cost, product in zip(costs, products, strict=True)]
    total = Fraction(0)
    for kind, labels, multipliers, denominator, lower, upper in (
        ("row", rows.labels, numerators, over, rows.lower, rows.upper),
        ("column", formulation.columns, reduced, over * scale, formulation.lower, formulation.upper),
    ):
        for index, multiplier in enumerate(multipliers):
            if multiplier:
                # ``sign * multiplier > 0``: the product grows with the activity and the sense asks for an upper
                # estimate (or the mirror image), so the upper bound limits it.
                bound = upper[index] if sign * multiplier > 0 else lower[index]
                if bound is None:
                    name = f"{kind} {labels[index]!r} has a multiplier of {Fraction(multiplier, denominator)}"
                    raise ProofError(f"{formulation.name}: {name} but no bound")
                if bound:
                    total += Fraction(multiplier, denominator) * bound
    return total


def primal_faults(formulation: Formulation, x: Sequence[Fraction]) -> Iterator[str]:
    """Yield which bounds and rows a point violates."""
    # Over one common denominator all activities are integer products: far faster than a Fraction for each entry.
    numerators, denominator = common_denominator(x)
    for column, numerator in enumerate(numerators):
        low, high = formulation.lower[column], formulation.upper[column]
        if not within(numerator, denominator, low, high):
            yield f"{formulation.name}: column {formulation.columns[column]!r} is {x[column]}, {_outside(low, high)}"
    rows = formulation.rows
    for row in rows.violated_exactly(numerators, denominator):
        activity = Fraction(rows.matrix.take([row]).products(numerators)[0], denominator)
        outside = _outside(rows.lower[row], rows.upper[row])
        yield f"{formulation.name}: row {rows.labels[row]!r} is {activity}, {outside}"


def dot(coefficients: Sequence[Number], x: Sequence[Fraction]) -> Fraction:
    """Return the exact inner product."""
    return sum((one * value for one, value in zip(coefficients, x, strict=True) if one and value), start=Fraction(0))


def _outside(lower: Bound, upper: Bound) -> str:
    if lower is None:
        return f"above {upper}"
    return f"below {lower}" if upper is None else f"outside {lower} to {upper}"
