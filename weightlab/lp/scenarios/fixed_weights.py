"""The fewest tasks that meet rows at fixed weights: those of today or equal ones, of the chosen tasks alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import ByName, Proof, Record, Seen, ensure, exact_series, on_word_of
from weightlab._solver import Formulation, Rows, Solver, deadline_in, seconds_left, solver_name
from weightlab._solver.branch_tree import BranchTree, IntegerRows, branch_tree
from weightlab._solver.covers import SCALE
from weightlab._solver.propose import smallest, smallest_program
from weightlab.exceptions import ImpossibleError


class FixedSets(Record):
    """Smallest sets of tasks on which fixed weights meet all rows, as far as the solver finds any.

    Attributes
    ----------
    weights : tuple of Series of Fraction by task
        For each set the fixed weights of its tasks, as shares of their sum.
    is_complete : bool
        Whether these are all sets of that size.
    tree : BranchTree or None
        Shows that fewer tasks do not do, and that there are no other sets if these are all.
    solver : Solver or None
        Whose bound says so without a tree.
    """

    weights: Seen[tuple[pd.Series, ...]] = ByName()
    is_complete: bool
    tree: BranchTree | None
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
        ensure(chosen or self.is_complete, "there is no set, but there may be others")
        ensure((self.solver is None) == (self.tree is not None), "a solver is named where its bound is relied on")
        if self.tree is not None:
            self.tree.check(*_others(rows, fixed, chosen if self.is_complete else [], chosen[:1]))


def fewest_at_fixed(
    matrix: AnyArray, tasks: Sequence[str], fixed: Sequence[int], *, most: int, time_limit: float | None = None
) -> FixedSets:
    """Return up to ``most`` smallest sets of tasks on which fixed weights meet ``matrix @ weights >= 0``.

    Parameters
    ----------
    matrix : ndarray of Python integers, rows x tasks
        The rows.
    tasks : sequence of str
        Their columns.
    fixed : sequence of int
        The weight of each task, if it is chosen; one of weight 0 never is.
    most : int
        Largest number of sets to find.
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
    tree = branch_tree(*_others(rows, fixed, found if complete else [], found[:1]), time_limit=seconds_left(deadline))
    return FixedSets(
        weights=tuple(exact_series(shares_on(one, fixed), tasks, "weight") for one in found),
        is_complete=complete,
        tree=tree,
        solver=None if tree is not None else solver_name(),
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
    """Return the row that a set differs from this one: it lacks a task of it or has a further one."""
    row = {task: -1 if task in chosen else 1 for task in range(width)}
    return Rows.from_dicts([row], width=width, lower=1 - len(chosen), labels=["another set"])


def _others(
    rows: AnyArray, fixed: Sequence[int], all_sets: Sequence[Sequence[int]], smallest_set: Sequence[Sequence[int]]
) -> tuple[IntegerRows, int]:
    """Return the program of sets except those of a size that are known to be all, and what its sets have at least.

    Of a known set at most all tasks but one, so another one, or none that is a smaller part.
    """
    width, used = len(fixed), [int(weight > 0) for weight in fixed]
    other = [[-int(task in one) for task in range(width)] for one in all_sets]
    size = len(smallest_set[0]) if smallest_set else width
    matrix = np.array([*rows.tolist(), used, *other], dtype=object)
    program = IntegerRows.binary(matrix, [*[0] * len(rows), 1, *[1 - size] * len(other)])
    complete = bool(all_sets) or not smallest_set
    return replace(program, upper=np.array(used, dtype=object)), size + complete
