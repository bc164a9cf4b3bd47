"""The exact proof that no point satisfies the rows of a program."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from weightlab._result import Frozen
from weightlab._solver.exact.optimum import ExactOptimum, proved_bound
from weightlab._solver.matrix import IntegerMatrix
from weightlab._solver.program import Bound, Formulation, Rows, Sense
from weightlab.exceptions import ProofError


class Infeasibility(Frozen):
    """Multipliers of rows and bounds that add up to a contradiction (Farkas' lemma; Schrijver 1986, section 7.3).

    Attributes
    ----------
    formulation : Formulation
        The program that no point satisfies.
    multipliers : tuple of Fraction
        One a row; their absolute values sum to 1. A positive one uses the row's lower bound, a negative one its
        upper bound.
    gap : Fraction
        What the right-hand sides add up to, with those bounds of the variables that make everything cancel on the left:
        positive, though a feasible point would make it at most 0. It is also the least possible value of the largest
        violation of a row.
    """

    formulation: Formulation
    multipliers: tuple[Fraction, ...]
    gap: Fraction

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that contradict each other (with the bounds of the variables): those with a multiplier."""
        return tuple(row for row, one in enumerate(self.multipliers) if one)

    def __str__(self) -> str:
        labels = ", ".join(repr(self.formulation.rows.labels[row]) for row in self.rows)
        return f"no point satisfies these rows together: {labels} (some row fails by at least {self.gap})"

    def check(self) -> None:
        """Re-check the contradiction in exact arithmetic.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        """
        formulation, rows = self.formulation, len(self.formulation.rows)
        if len(self.multipliers) != rows:
            raise ProofError(f"{formulation.name}: {rows} rows need as many multipliers, got {len(self.multipliers)}")
        # Rows and columns times their multipliers sum to the objective 0 at every x. If their bounds force the same sum
        # to be at least a positive gap, no x satisfies them.
        total = proved_bound(formulation, (0,) * len(formulation.columns), self.multipliers, Sense.MINIMISE)
        if total != self.gap or total <= 0:
            raise ProofError(
                f"{formulation.name}: the right-hand sides add up to {total}, not to a positive {self.gap}"
            )


def phase_one(formulation: Formulation) -> Formulation:
    """Return the program that minimises the largest violation of a row within the variables' bounds.

    Its last variable is that violation; a row with two bounds appears once for each. It always has an optimum.
    """
    below, above = _sides(formulation.rows)
    rows = Rows.join(_elastic(formulation.rows, below, 1), _elastic(formulation.rows, above, -1))
    width = len(formulation.columns)
    return Formulation(
        name=f"least violation of {formulation.name}",
        sense=Sense.MINIMISE,
        columns=(*formulation.columns, "violation"),
        objective=(0,) * width + (1,),
        rows=rows,
        lower=(*formulation.lower, 0),
        upper=(*formulation.upper, None),
    )


def proof_from(formulation: Formulation, least_violation: ExactOptimum) -> Infeasibility:
    """Return the proof that the exact optimum of ``phase_one`` holds, when its value is positive."""
    below, above = _sides(formulation.rows)
    multipliers = [Fraction(0)] * len(formulation.rows)
    # A row with two bounds stands in phase one twice. Both copies cannot be tight at a positive violation v (``lower -
    # v`` would equal ``upper + v``), so at most one of the two duals is not 0 and the sum loses nothing.
    for row, dual in zip(below + above, least_violation.duals, strict=True):
        multipliers[row] += dual
    proof = Infeasibility(formulation=formulation, multipliers=tuple(multipliers), gap=least_violation.value)
    proof.check()
    return proof


def _sides(rows: Rows) -> tuple[list[int], list[int]]:
    """Return which rows have a lower and which have an upper bound."""
    below = [row for row, bound in enumerate(rows.lower) if bound is not None]
    return below, [row for row, bound in enumerate(rows.upper) if bound is not None]


def _elastic(rows: Rows, chosen: list[int], slack: int) -> Rows:
    """Return the chosen rows with one more column of ``slack``, bounded on the side that it relieves."""
    matrix = rows.matrix.take(chosen)
    lengths = np.diff(matrix.starts)
    # The slack is appended as the last entry of each row: np.insert places it before the start of the next one.
    ends = matrix.starts[1:]
    widened = IntegerMatrix(
        starts=np.concatenate(([0], np.cumsum(lengths + 1))).astype(np.int64),
        indices=np.insert(matrix.indices, ends, matrix.width).astype(np.int32),
        coefficients=np.insert(matrix.coefficients, ends, slack),
        width=matrix.width + 1,
    )
    bounds: tuple[Bound, ...] = tuple((rows.lower if slack > 0 else rows.upper)[row] for row in chosen)
    nothing: tuple[Bound, ...] = (None,) * len(chosen)
    return Rows(
        matrix=widened,
        lower=bounds if slack > 0 else nothing,
        upper=nothing if slack > 0 else bounds,
        labels=tuple(rows.labels[row] for row in chosen),
    )
