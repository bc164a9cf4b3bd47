"""The cover behind lifts: as few tasks as bring enough against every rival, and why fewer do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from weightlab import _solver
from weightlab._exact import AnyArray
from weightlab._result import Frozen
from weightlab.exceptions import UnprovedError
from weightlab.lp.scenarios.fewest_tasks_search import BudgetError, CoverConstraint, covers

BUDGET = 2_000
"""Where so many partial sets or fewer have to be looked at, that nothing smaller does is re-checked."""
SCALE = 2**16
"""Solvers are given coefficients up to here; larger ones are rounded up, which only weakens a row."""
PARTS = 10**6
"""Multipliers of a float solution are rounded to shares of one in so many."""


class FewestCover(Frozen):
    """A smallest set that meets every row, and what shows that it is.

    Attributes
    ----------
    tasks : tuple of int or None
        The columns; None where all together do not suffice.
    mixture : mapping from row to Fraction
        Multipliers of rows: with one column fewer, the best columns do not bring what the mixture lacks. Empty where
        nothing is lacking, or where an exhaustive search or the solver says so.
    solver : Solver or None
        Whose bound it is; None where it is re-checked without one.
    """

    tasks: tuple[int, ...] | None
    mixture: Mapping[int, Fraction]
    solver: _solver.Solver | None


class Cover(Frozen):
    """What a set of columns must bring: in each row at least what is lacking.

    Attributes
    ----------
    gains : ndarray of Python integers, rows x columns
        What a column brings, from 0 to what is lacking.
    lacking : tuple of int
        Not negative; 0 where a row is met by the empty set.
    """

    gains: AnyArray
    lacking: tuple[int, ...]

    @classmethod
    def of(cls, gains: AnyArray, lacking: Sequence[int]) -> Cover:
        """Return the cover of these rows; what a column brings beyond what is lacking does not count."""
        needed = np.array([max(one, 0) for one in lacking], dtype=object)
        return cls(gains=np.minimum(gains.astype(object), needed[:, None]), lacking=tuple(needed.tolist()))

    def unmet(self, chosen: Sequence[int]) -> list[int]:
        """Return the rows for which the chosen columns do not suffice."""
        sums = self.gains[:, list(chosen)].sum(axis=1) if len(chosen) else np.zeros(len(self.lacking), dtype=object)
        return [row for row, (one, least) in enumerate(zip(sums.tolist(), self.lacking, strict=True)) if one < least]

    def is_refuted_by(self, mixture: Mapping[int, Fraction], count: int) -> bool:
        """Tell whether any so many columns bring less than a mixture of rows lacks: the exact cover bound.

        A set that meets every row brings to a mixture with multipliers of at least 0 what that lacks; so many columns
        bring it at most the greatest so many sums.
        """
        lacks = sum((share * self.lacking[row] for row, share in mixture.items()), Fraction(0))
        rows = list(mixture)
        brings = (self.gains[rows] * np.array([mixture[row] for row in rows], dtype=object)[:, None]).sum(axis=0)
        return bool(sum(sorted(brings.tolist(), reverse=True)[:count], Fraction(0)) < lacks)

    def is_searched(self, count: int) -> bool | None:
        """Tell by exhaustive search whether no so many columns meet all rows; None where that takes too long."""
        rows = [row for row, least in enumerate(self.lacking) if least]
        constraints = [
            CoverConstraint.of([Fraction(one) for one in self.gains[row].tolist()], Fraction(self.lacking[row]))
            for row in rows
        ]
        try:
            for one in covers(constraints, self.gains.shape[1], count, budget=BUDGET):
                # Long coefficients are rounded up, so a set that passes may still fail.
                if not self.unmet(one):
                    return False
                constraints.append(self._cut(one))
        except BudgetError:
            return None
        return True

    def _cut(self, chosen: Sequence[int]) -> CoverConstraint:
        outside = set(range(self.gains.shape[1])) - set(self.widened(chosen))
        return CoverConstraint.one_of([column in outside for column in range(self.gains.shape[1])])

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
    program = _program(cover)
    relaxed = _solver.solve(program.relaxed())
    mixture = _mixture(cover, relaxed.duals)
    chosen = _rounded(cover, relaxed.x)
    if not cover.is_refuted_by(mixture, len(chosen) - 1):
        chosen = _smallest(cover, program)
    count = len(chosen) - 1
    if cover.is_refuted_by(mixture, count):
        return FewestCover(tasks=chosen, mixture=mixture, solver=None)
    searched = cover.is_searched(count)
    if searched is False:
        raise UnprovedError(f"{_solver.solver_name()} proposes {len(chosen)} columns where fewer do", known={})
    return FewestCover(tasks=chosen, mixture={}, solver=None if searched else _solver.solver_name())


def _program(cover: Cover) -> _solver.Formulation:
    rows = [row for row, least in enumerate(cover.lacking) if least]
    whole = [scaled(cover.gains[row].tolist(), cover.lacking[row]) for row in rows]
    needed = _solver.Rows.from_matrix(
        np.array([gains for gains, _ in whole], dtype=np.int64),
        lower=[least for _, least in whole],
        labels=[str(row) for row in rows],
    )
    columns = [str(column) for column in range(cover.gains.shape[1])]
    return _solver.Formulation.over(columns, needed, name="fewest lifts", objective=1, upper=1, integral=True)


def scaled(gains: Sequence[int], least: int) -> tuple[list[int], int]:
    """Return a row with what a column brings beyond what is lacking left out; long numbers are rounded up."""
    if least <= SCALE:
        return [min(gain, least) for gain in gains], least
    return [-((-min(gain, least) * SCALE) // least) for gain in gains], SCALE


def _mixture(cover: Cover, duals: AnyArray | None) -> dict[int, Fraction]:
    """Return a mixture of rows as exact shares, near the multipliers of a float solution of the scaled rows."""
    rows = [row for row, least in enumerate(cover.lacking) if least]
    least = [min(cover.lacking[row], SCALE) for row in rows]
    found = [] if duals is None else (np.maximum(duals, 0) * np.array(least, dtype=np.float64)).tolist()
    parts = {row: round(PARTS * one / sum(found)) for row, one in zip(rows, found, strict=True)} if any(found) else {}
    # A multiplier of a row divided by what it lacks: all rows are of one size then, as in the solution.
    shares = {row: Fraction(part, cover.lacking[row]) for row, part in parts.items() if part}
    total = sum(shares.values(), Fraction(0))
    return {row: share / total for row, share in shares.items()} or {rows[0]: Fraction(1)}


def _rounded(cover: Cover, x: AnyArray | None) -> tuple[int, ...]:
    """Return a set near a float solution, no column of which could be left out."""
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


def _smallest(cover: Cover, program: _solver.Formulation) -> tuple[int, ...]:
    """Return a smallest set by integer programs; a set that fails a row that was rounded becomes a cut."""
    width = cover.gains.shape[1]
    while True:
        optimum = _solver.integer_optimum(program)
        chosen = tuple(column for column, one in enumerate(optimum.x) if one)
        if not cover.unmet(chosen):
            return chosen
        outside = dict.fromkeys(sorted(set(range(width)) - set(cover.widened(chosen))), 1)
        program = program.with_rows(_solver.Rows.from_dicts([outside], width=width, lower=1, labels=["one more"]))
