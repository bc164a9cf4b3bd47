"""The fewest tasks that meet rows at fixed weights: those of today or equal ones, of the chosen tasks alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import ByName, Proof, Record, Seen, ensure, exact_series, on_word_of
from weightlab._solver import Formulation, Rows, Solver, deadline_in, seconds_left, solver_name
from weightlab._solver.covers import SCALE, Cover
from weightlab._solver.propose import smallest, smallest_program
from weightlab.exceptions import ImpossibleError


class FixedSets(Record):
    """Smallest sets of tasks on which fixed weights meet all rows, as far as the solver finds any.

    Attributes
    ----------
    weights : tuple of Series of Fraction by task
        For each set the fixed weights of its tasks, as shares of their sum.
    is_complete : bool
        Whether these are all sets of that size, by the solver's bound.
    solver : Solver or None
        Whose bound says that fewer tasks do not do, or that there are no other sets; None where that is checked without
        one.
    """

    weights: Seen[tuple[pd.Series, ...]] = ByName()
    is_complete: bool
    solver: Solver | None

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets, tasks in the order of the table."""
        return tuple(tuple(str(task) for task, one in own.items() if one) for own in self.weights)

    @property
    def proof(self) -> Proof:
        """How much of it is checked."""
        return on_word_of(self.solver)

    def check(self, matrix: AnyArray, names: Sequence[str], tasks: Sequence[str], fixed: Sequence[int]) -> None:
        """Ensure that the sets meet the rows and, as far as no solver is named, that no smaller one does."""
        rows = matrix * np.array(fixed, dtype=object)
        chosen = [[tasks.index(task) for task in one] for one in self.sets]
        ensure(len({tuple(one) for one in chosen}) == len(chosen), "a set of tasks occurs twice")
        ensure(len({len(one) for one in chosen}) <= 1, "the sets are not of one size")
        for own, weights in zip(chosen, self.weights, strict=True):
            ensure(tuple(weights.index) == tuple(tasks), "the weights are not about the tasks, in order")
            ensure(own and weights.tolist() == shares_on(own, fixed), f"the weights of {self.sets[0]} are others")
            short = [names[row] for row in np.flatnonzero(rows[:, own].sum(axis=1) < 0)]
            ensure(not short, f"on {[tasks[task] for task in own]} it does not hold that {short[:1]}")
        proved = bool(chosen) and not self.is_complete and _none_below(chosen[0], rows, fixed)
        ensure((self.solver is None) == proved, "a solver is named where, and only where, it is relied on")


def fewest_at_fixed(
    matrix: AnyArray, tasks: Sequence[str], fixed: Sequence[int], *, most: int, time_limit: float | None = None
) -> FixedSets:
    """Return up to so many smallest sets of tasks on which fixed weights meet ``matrix @ weights >= 0``.

    Parameters
    ----------
    matrix : ndarray of Python integers, rows x tasks
        The rows.
    tasks : sequence of str
        Their columns.
    fixed : sequence of int
        The weight of each task, if it is chosen; one of weight 0 never is.
    most : int
        How many sets are looked for.
    time_limit : float, optional
        Seconds for the search.

    Notes
    -----
    NP-hard: an integer program. A further task may do harm, so no cut says that one more is needed.
    """
    deadline = deadline_in(time_limit)
    rows = matrix * np.array(fixed, dtype=object)
    program = _program(rows, fixed)
    found: list[list[int]] = []
    complete = False
    while len(found) < most and not complete:
        try:
            chosen = smallest(program, time_limit=seconds_left(deadline))
        except ImpossibleError:
            complete = True
            break
        complete = bool(found) and len(chosen) > len(found[0])
        # Long coefficients are rounded up, so a set that passes may still fail.
        if not complete and (rows[:, chosen].sum(axis=1) >= 0).all():
            found.append(chosen)
        program = program.with_rows(_other_than(chosen, len(fixed)))
    proved = bool(found) and not complete and _none_below(found[0], rows, fixed)
    return FixedSets(
        weights=tuple(exact_series(shares_on(one, fixed), tasks, "weight") for one in found),
        is_complete=complete,
        solver=None if proved else solver_name(),
    )


def shares_on(chosen: Sequence[int], fixed: Sequence[int]) -> list[Fraction]:
    """Return the fixed weights of some tasks as shares of their sum, 0 for the others."""
    total = sum(fixed[task] for task in chosen)
    return [Fraction(weight, total) if task in chosen else Fraction(0) for task, weight in enumerate(fixed)]


def _program(rows: AnyArray, fixed: Sequence[int]) -> Formulation:
    """Return the program for as few tasks as meet the rows, whose coefficients are rounded up where they are long."""
    largest = np.maximum(np.abs(rows).max(axis=1), 1)
    pairs = zip(rows.tolist(), largest.tolist(), strict=True)
    scaled = [[-((-one * SCALE) // most) if most > SCALE else one for one in row] for row, most in pairs]
    needed = Rows.from_matrix(np.array(scaled, dtype=np.int64), lower=0, labels=[str(row) for row in range(len(rows))])
    some = Rows.from_matrix(np.ones((1, len(fixed)), dtype=np.int8), lower=1, labels=["a task"])
    columns, used = [str(task) for task in range(len(fixed))], [int(weight > 0) for weight in fixed]
    return smallest_program(columns, Rows.join(needed, some), "smallest benchmark", upper=used)


def _other_than(chosen: Sequence[int], width: int) -> Rows:
    """Return the row that a set is another one: it lacks a task of this or has one besides."""
    row = {task: -1 if task in chosen else 1 for task in range(width)}
    return Rows.from_dicts([row], width=width, lower=1 - len(chosen), labels=["another set"])


def _none_below(chosen: Sequence[int], rows: AnyArray, fixed: Sequence[int]) -> bool:
    """Tell whether an exhaustive search shows that no smaller set meets the rows; ensure that it finds none."""
    # Of so many tasks exactly, each row asks for a sum of numbers that are not negative, once its least is taken off
    # each: a cover, which is searched.
    rows = rows[:, np.flatnonzero(fixed)]
    least = np.minimum(rows.min(axis=1), 0)
    for size in range(1, len(chosen)):
        searched = Cover.of(rows - least[:, None], (-least * size).tolist()).is_searched(size)
        ensure(searched is not False, f"{size} tasks do")
        if searched is None:
            return False
    return True
