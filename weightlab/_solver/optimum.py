"""The exact optimum of a linear program, and the check that proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from weightlab._exact import common_denominator
from weightlab._solver.formulation import Bound, Formulation, Number, Sense, within
from weightlab.exceptions import ProofError

__all__ = ["ExactOptimum", "reduced_costs"]


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
    The objective is the sum of the rows times ``duals`` and of the variables times ``reduced_costs``. When
    maximising, a positive multiplier times an upper bound, or a negative one times a lower bound, is the most its
    row or variable can contribute; these contributions add up to a value that no feasible point exceeds. When they
    add up to the value at ``x``, which is feasible, both are optimal. Minimising mirrors this.
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
        formulation, rows = self.formulation, self.formulation.rows
        sign = 1 if formulation.sense is Sense.MAXIMISE else -1
        total = Fraction(0)
        for kind, labels, multipliers, lower, upper in (
            ("row", rows.labels, self.duals, rows.lower, rows.upper),
            ("column", formulation.columns, self.reduced_costs, formulation.lower, formulation.upper),
        ):
            for index, multiplier in enumerate(multipliers):
                if not multiplier:
                    continue
                bound = upper[index] if sign * multiplier > 0 else lower[index]
                if bound is None:
                    yield f"{formulation.name}: {kind} {labels[index]!r} has a multiplier of {multiplier} but no bound"
                    return
                if bound:
                    total += multiplier * bound
        if total != self.value:
            yield f"{formulation.name}: the multipliers prove the bound {total}, not the value {self.value}"


def primal_faults(formulation: Formulation, x: Sequence[Fraction]) -> Iterator[str]:
    """Yield which bounds and rows a point violates."""
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
