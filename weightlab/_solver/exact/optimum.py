"""The exact optimum of a linear program, and the check that proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from weightlab._exact import common_denominator
from weightlab._solver.program import Bound, Formulation, Number, Sense, within
from weightlab.exceptions import ProofError

__all__ = ["ExactOptimum", "proved_bound", "reduced_costs"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ExactOptimum:
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
    reduced_costs : tuple of Fraction
        ``objective - matrix.T @ duals``, the multiplier of each variable's own bound.

    Notes
    -----
    The objective is the sum of the rows times ``duals`` and of the variables times ``reduced_costs``; by
    ``proved_bound`` no feasible point is better than what these contribute. When that is the value at ``x``, which is
    feasible, both are optimal.
    """

    formulation: Formulation
    value: Fraction
    x: tuple[Fraction, ...]
    duals: tuple[Fraction, ...]
    reduced_costs: tuple[Fraction, ...]

    def check(self) -> None:
        """Re-check feasibility, multipliers and value in exact arithmetic; no solver takes part.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        """
        for fault in self.faults():
            raise ProofError(fault)

    def faults(self) -> Iterator[str]:
        """Yield what fails of the proof, one sentence each, found as they are asked for."""
        formulation = self.formulation
        if len(self.x) != len(formulation.columns) or len(self.duals) != len(formulation.rows):
            yield f"{formulation.name}: the point or the multipliers have the wrong length"
            return
        yield from primal_faults(formulation, self.x)
        attained = dot(formulation.objective, self.x)
        if attained != self.value:
            yield f"{formulation.name}: the objective at the point is {attained}, not {self.value}"
        if self.reduced_costs != reduced_costs(formulation, self.duals):
            yield f"{formulation.name}: the reduced costs are not those of the multipliers"
        yield from self._dual_faults()

    def _dual_faults(self) -> Iterator[str]:
        formulation = self.formulation
        try:
            total = proved_bound(formulation, self.duals, self.reduced_costs, formulation.sense)
        except ProofError as error:
            yield str(error)
            return
        # Weak duality makes the total a bound for every feasible point. Equal to the value at a feasible point, it
        # proves both optimal, whoever proposed them.
        if total != self.value:
            yield f"{formulation.name}: the multipliers prove the bound {total}, not the value {self.value}"


def proved_bound(
    formulation: Formulation, of_rows: Sequence[Fraction], of_columns: Sequence[Fraction], sense: Sense
) -> Fraction:
    """Return what rows and columns times their multipliers are at least (``MINIMISE``) or at most at feasible points.

    Weak duality of linear programming (Schrijver, Theory of Linear and Integer Programming, 1986, section 7.4): when
    minimising, a positive multiplier times the lower bound of its row or column, or a negative one times the upper
    bound, is the least that it can contribute. Maximising exchanges the two.

    Raises
    ------
    ProofError
        If a row or column has a multiplier, but not the bound that its sign calls for.
    """
    # ``sign * multiplier > 0``: the product grows with the activity and the sense asks for an upper estimate (or the
    # mirror image), so the upper bound limits it.
    sign, rows = 1 if sense is Sense.MAXIMISE else -1, formulation.rows
    total = Fraction(0)
    for kind, labels, multipliers, lower, upper in (
        ("row", rows.labels, of_rows, rows.lower, rows.upper),
        ("column", formulation.columns, of_columns, formulation.lower, formulation.upper),
    ):
        for index, multiplier in enumerate(multipliers):
            if multiplier:
                bound = upper[index] if sign * multiplier > 0 else lower[index]
                if bound is None:
                    name = f"{kind} {labels[index]!r}"
                    raise ProofError(f"{formulation.name}: {name} has a multiplier of {multiplier} but no bound")
                if bound:
                    total += multiplier * bound
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


def reduced_costs(formulation: Formulation, duals: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return ``objective - matrix.T @ duals`` exactly."""
    numerators, denominator = common_denominator(duals)
    products = formulation.rows.matrix.transpose.products(numerators)
    return tuple(
        [
            Fraction(cost.numerator * denominator - product * cost.denominator, cost.denominator * denominator)
            for cost, product in zip(formulation.objective, products, strict=True)
        ]
    )


def dot(coefficients: Sequence[Number], x: Sequence[Fraction]) -> Fraction:
    """Return the exact inner product."""
    return sum((one * value for one, value in zip(coefficients, x, strict=True) if one and value), start=Fraction(0))


def _outside(lower: Bound, upper: Bound) -> str:
    if lower is None:
        return f"above {upper}"
    return f"below {lower}" if upper is None else f"outside {lower} to {upper}"
