"""Smallest sets that meet every one of some rows, and why no smaller set does.

A set meets a row when its members bring as much as the row lacks. A mixture proves that no smaller set does: one of
the rows to which the best members of a smaller number do not bring enough, or by an exhaustive search with exact
integers; or else it is the solver's claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, IntArray, common_denominator
from weightlab._result import Frozen
from weightlab._solver.branch_tree import BranchTree, IntegerRows, branch_tree
from weightlab._solver.program import Number, Rows
from weightlab._solver.propose import smallest, smallest_program
from weightlab._solver.solve import Solver, solve, solver_name

# All of them up to a size, by exhaustive search with exact integers.

LARGEST = 2**30
"""Coefficients of a constraint up to here are kept as they are; larger ones are rounded, which only weakens it."""
ROUNDING = 1e-6
"""Sums of parts of constraints are floats, and off by far less than this."""


class BudgetError(Exception):
    """The search was given up: nothing is known of the sets that it did not come to."""


class CoverConstraint(Frozen):
    """What a set must meet: its members' coefficients must sum to ``least`` or more.

    Attributes
    ----------
    coefficients : tuple of int
        One an element, between 0 and ``least``.
    least : int
        Positive.
    """

    coefficients: tuple[int, ...]
    least: int

    @classmethod
    def one_of(cls, elements: Sequence[bool]) -> CoverConstraint:
        """Return the constraint for at least one of some elements."""
        return cls(coefficients=tuple(int(one) for one in elements), least=1)

    @classmethod
    def of(
        cls, coefficients: Sequence[Number], least: Number, *, above: bool = False, most: int = LARGEST
    ) -> CoverConstraint:
        """Return the constraint that numbers, not negative, sum to ``least`` or more, or to something above it."""
        # Scaled so that 1 is needed. An element that brings more than that alone may count as 2: no verdict changes.
        numerators, denominator = common_denominator([min(Fraction(one) / least, Fraction(2)) for one in coefficients])
        if denominator > most:
            # Rounded up: the constraint is met a little too easily, so it never excludes a set that should pass.
            numerators, denominator = [-((-one * most) // denominator) for one in numerators], most
        # Sums are integers now, so "above" is at least one more.
        needed = denominator + above
        return cls(coefficients=tuple(min(one, needed) for one in numerators), least=needed)

    def is_met_by(self, chosen: Sequence[int]) -> bool:
        """Return whether a set meets the constraint."""
        return sum(self.coefficients[one] for one in chosen) >= self.least


def rows_of(constraints: Sequence[CoverConstraint], width: int) -> Rows:
    """Return constraints as rows of a program over ``width`` elements."""
    matrix = np.array([one.coefficients for one in constraints], dtype=np.int64).reshape(-1, width)
    labels = [str(row) for row in range(len(constraints))]
    return Rows.from_matrix(matrix, lower=[one.least for one in constraints], labels=labels)


def covers(constraints: Sequence[CoverConstraint], width: int, size: int, *, budget: int) -> Iterator[tuple[int, ...]]:
    """Yield every set of at most ``size`` elements that meets all constraints while no part of it does.

    Some sets that are not minimal may be among them, but none twice. Whoever reads them may append constraints: those
    count from the next set on.

    Parameters
    ----------
    constraints : sequence of CoverConstraint
        Over the same elements.
    width : int
        Number of elements.
    size : int
        Largest size of a set.
    budget : int
        Largest number of partial sets to examine.

    Raises
    ------
    BudgetError
        If that is too few.

    Notes
    -----
    Branches on the elements of an unmet constraint, elements tried before left out: each set is met on one path only.
    """
    yield from _Search(constraints, width, budget).below((), np.ones(width, dtype=np.bool_), size)


class _Search:
    """The constraints, and how much of the budget is left."""

    def __init__(self, constraints: Sequence[CoverConstraint], width: int, budget: int) -> None:
        self._constraints, self._left = constraints, budget
        self._matrix, self._least = np.zeros((0, width), dtype=np.int64), np.zeros(0, dtype=np.int64)

    def _lacking(self, chosen: tuple[int, ...]) -> IntArray:
        """Return the amount that the chosen elements lack in each constraint known by now."""
        new = self._constraints[len(self._least) :]
        if new:
            self._matrix = np.vstack([self._matrix, [one.coefficients for one in new]])
            self._least = np.append(self._least, [one.least for one in new])
        lacking: IntArray = self._least - self._matrix[:, list(chosen)].sum(axis=1)
        return lacking

    def below(self, chosen: tuple[int, ...], open_to: np.ndarray, size: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets that hold the chosen elements and others that are still open, ``size`` more at most."""
        self._left -= 1
        if self._left < 0:
            raise BudgetError
        needs = self._lacking(chosen)
        if not (needs > 0).any():
            yield tuple(sorted(chosen))
            # Whoever read the set may have added constraints that it fails: then its supersets are still to be
            # searched.
            needs = self._lacking(chosen)
        unmet = np.flatnonzero(needs > 0)
        if not len(unmet) or not size:
            return
        left = self._matrix[unmet] * open_to
        if _is_hopeless(left, needs[unmet], size):
            return
        # The constraint with fewest open elements has fewest branches; every set that meets it holds one of them.
        row = left[int(np.argmin(np.count_nonzero(left, axis=1)))]
        still = open_to.copy()
        for element in np.argsort(-row, kind="stable")[: np.count_nonzero(row)].tolist():
            # Left out from here on: sets with this element have all been searched in its own branch.
            still[element] = False
            yield from self.below((*chosen, element), still, size - 1)


def _is_hopeless(left: IntArray, needs: IntArray, size: int) -> bool:
    """Return whether some constraint, or all of them on average, ask for more than the best ``size`` elements bring.

    An element brings at most the whole of each constraint; what the best bring must add up to the number of them.
    """
    best = np.sort(left, axis=1)[:, -size:].sum(axis=1)
    if (best < needs).any():
        return True
    # Averaging: each element meets at most its own parts of all constraints, so the best few must bring their number.
    parts = np.minimum(left / needs[:, np.newaxis], 1.0).sum(axis=0)
    return bool(np.sort(parts)[-size:].sum() < len(needs) - ROUNDING)


# The cover: a smallest set with its proof.

SCALE = 2**16
"""Solvers are given coefficients up to here; larger ones are rounded up, which only weakens a row."""
PARTS = 10**6
"""Multipliers of a float solution are rounded to multiples of one in this number."""


class FewestCover(Frozen):
    """A smallest set that meets every row, and what shows that it is.

    Attributes
    ----------
    tasks : tuple of int or None
        The columns; None where all together do not suffice.
    mixture : mapping from row to Fraction
        Multipliers of rows: with one column fewer, the best columns do not bring what the mixture lacks. Empty where
        nothing is lacking, or where a tree or the solver says so.
    tree : BranchTree or None
        Where no mixture shows it, a tree that shows that no smaller set meets every row.
    solver : Solver or None
        Whose bound it is; None where it is re-checked without one.
    """

    tasks: tuple[int, ...] | None
    mixture: Mapping[int, Fraction]
    tree: BranchTree | None = None
    solver: Solver | None


class Cover(Frozen):
    """What a set of columns must bring: in each row at least what is lacking.

    Attributes
    ----------
    gains : ndarray of int64 or of Python integers, rows x columns
        What a column brings, from 0 to what is lacking.
    lacking : tuple of int
        Not negative; 0 where a row is met by the empty set.
    """

    gains: AnyArray
    lacking: tuple[int, ...]

    @classmethod
    def of(cls, gains: AnyArray, lacking: Sequence[int]) -> Cover:
        """Return the cover of these rows; what a column brings beyond what is lacking does not count."""
        needed = np.array([max(one, 0) for one in lacking], dtype=gains.dtype)
        return cls(gains=np.minimum(gains, needed[:, None]), lacking=tuple(needed.tolist()))

    def unmet(self, chosen: Sequence[int]) -> list[int]:
        """Return the rows for which the chosen columns do not suffice."""
        sums = self.gains[:, list(chosen)].sum(axis=1) if len(chosen) else np.zeros(len(self.lacking), dtype=object)
        return [row for row, (one, least) in enumerate(zip(sums.tolist(), self.lacking, strict=True)) if one < least]

    def is_refuted_by(self, mixture: Mapping[int, Fraction], count: int) -> bool:
        """Return whether any ``count`` columns bring less than a mixture of rows lacks: the exact cover bound.

        A set that meets every row brings to a mixture with multipliers of at least 0 what that lacks; ``count``
        columns bring it at most the ``count`` greatest sums.
        """
        lacks = sum((share * self.lacking[row] for row, share in mixture.items()), Fraction(0))
        rows = list(mixture)
        brings = (self.gains[rows] * np.array([mixture[row] for row in rows], dtype=object)[:, None]).sum(axis=0)
        return bool(sum(sorted(brings.tolist(), reverse=True)[:count], Fraction(0)) < lacks)

    def constraints(self, most: int) -> list[CoverConstraint]:
        """Return the unmet rows as constraints with coefficients up to ``most``."""
        rows = [(self.gains[row].tolist(), least) for row, least in enumerate(self.lacking) if least]
        return [CoverConstraint.of(gains, least, most=most) for gains, least in rows]

    @property
    def program(self) -> IntegerRows:
        """The program for as few columns as meet every row."""
        return IntegerRows.binary(self.gains, self.lacking)

    def cut(self, chosen: Sequence[int]) -> CoverConstraint | None:
        """Return the constraint that a failing set violates: one of some columns; None where it meets every row."""
        if not self.unmet(chosen):
            return None
        wider = self.widened(chosen)
        return CoverConstraint.one_of([column not in wider for column in range(self.gains.shape[1])])

    def widened(self, chosen: Sequence[int]) -> list[int]:
        """Return a failing set with further columns, least gains first, for as long as the same row is unmet."""
        row = self.unmet(chosen)[0]
        gains, wider = self.gains[row].tolist(), list(chosen)
        room = self.lacking[row] - 1 - sum(gains[column] for column in chosen)
        for column in sorted(set(range(len(gains))) - set(chosen), key=lambda column: gains[column]):
            if gains[column] > room:
                break
            room -= gains[column]
            wider.append(column)
        return wider


def fewest_cover(cover: Cover) -> FewestCover:
    """Return a smallest set of columns that meets every row, with what proves it.

    Raises
    ------
    UnprovedError, TimeLimitError
        If the optimum was not shown.

    Notes
    -----
    NP-hard (set cover). The linear program bounds the number from below, and its multipliers prove that bound; only
    where no rounding of its solution attains it an integer program is solved.
    """
    width = cover.gains.shape[1]
    if not cover.unmet(()):
        return FewestCover(tasks=(), mixture={}, solver=None)
    never = cover.unmet(range(width))
    if never:
        return FewestCover(tasks=None, mixture={never[0]: Fraction(1)}, solver=None)
    constraints = cover.constraints(SCALE)
    program = smallest_program([str(one) for one in range(width)], rows_of(constraints, width), "fewest lifts")
    relaxed = solve(program.relaxed())
    mixture = _mixture(cover, [one.least for one in constraints], relaxed.duals)
    chosen = _rounded(cover, relaxed.x)
    if not cover.is_refuted_by(mixture, len(chosen) - 1):

        def refute(chosen: list[int]) -> Rows | None:
            more = cover.cut(chosen)
            return None if more is None else rows_of([more], width)

        chosen = tuple(smallest(program, refute))
    count = len(chosen) - 1
    if cover.is_refuted_by(mixture, count):
        return FewestCover(tasks=chosen, mixture=mixture, solver=None)
    tree = branch_tree(cover.program, len(chosen))
    if tree is not None:
        return FewestCover(tasks=chosen, mixture={}, tree=tree, solver=None)
    return FewestCover(tasks=chosen, mixture={}, solver=solver_name())


def _mixture(cover: Cover, least: Sequence[int], duals: AnyArray | None) -> dict[int, Fraction]:
    """Return a mixture of rows as exact shares, near the multipliers of a float solution where they ask for so much."""
    rows = [row for row, lacking in enumerate(cover.lacking) if lacking]
    found = [] if duals is None else (np.maximum(duals, 0) * np.array(least, dtype=np.float64)).tolist()
    parts = {row: round(PARTS * one / sum(found)) for row, one in zip(rows, found, strict=True)} if any(found) else {}
    # A multiplier of a row divided by what it lacks: all rows are of one size then, as in the solution.
    shares = {row: Fraction(part, cover.lacking[row]) for row, part in parts.items() if part}
    total = sum(shares.values(), Fraction(0))
    return {row: share / total for row, share in shares.items()} or {rows[0]: Fraction(1)}


def _rounded(cover: Cover, x: AnyArray | None) -> tuple[int, ...]:
    """Return a minimal set near a float solution: without any one column it fails."""
    order = np.argsort(-np.zeros(cover.gains.shape[1]) if x is None else -x, kind="stable").tolist()
    lacking = np.array(cover.lacking, dtype=object)
    sums, chosen = np.zeros(len(lacking), dtype=object), list[int]()
    while (sums < lacking).any():
        chosen.append(order[len(chosen)])
        sums = sums + cover.gains[:, chosen[-1]]
    for column in chosen[::-1]:
        left = sums - cover.gains[:, column]
        if (left >= lacking).all():
            chosen, sums = [one for one in chosen if one != column], left
    return tuple(sorted(chosen))
