"""Twins of the weight questions in plain Python with fractions: every vertex is looked at.

A polytope is a list of inequalities ``coefficients . x <= bound`` besides "weights sum to 1".
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from tests.brute_force import sign


def solution(matrix, right):
    """Return the solution of a square system, or None when it is singular."""
    rows = [[*map(Fraction, row), Fraction(value)] for row, value in zip(matrix, right, strict=True)]
    for step in range(len(rows)):
        pivot = next((row for row in range(step, len(rows)) if rows[row][step]), None)
        if pivot is None:
            return None
        rows[step], rows[pivot] = rows[pivot], rows[step]
        rows[step] = [value / rows[step][step] for value in rows[step]]
        for row in range(len(rows)):
            if row != step and rows[row][step]:
                factor = rows[row][step]
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[step], strict=True)]
    return [row[-1] for row in rows]


def dot(coefficients, x):
    return sum((one * value for one, value in zip(coefficients, x, strict=True)), Fraction(0))


def vertices(tasks, extra, inequalities):
    """Yield the vertices of weights of so many tasks with so many free variables after them."""
    width = tasks + extra
    total = [1] * tasks + [0] * extra
    positive = [([-int(column == task) for column in range(width)], 0) for task in range(tasks)]
    every = list(dict.fromkeys((tuple(row), bound) for row, bound in [*positive, *inequalities]))
    for active in itertools.combinations(every, width - 1):
        x = solution([total, *(row for row, _ in active)], [1, *(bound for _, bound in active)])
        if x is not None and all(dot(row, x) <= bound for row, bound in every):
            yield x


def rows_of(board, model):
    """Return G_m as lists of signs, a rival each."""
    return [[sign(board, model, rival, task) for task in board.tasks] for rival in board.models if rival != model]


def margin(board, model, cuts=()):
    """Return the largest t with G_m w >= t over weights within the cuts; None when there are no weights."""
    duels = [([-one for one in row] + [1], 0) for row in rows_of(board, model)]
    cut = [([*row, 0], bound) for row, bound in cuts]
    return max((x[-1] for x in vertices(len(board.tasks), 1, duels + cut)), default=None)


def least(board, model, costs, *, cuts=(), lead=0, sense=1):
    """Return the least (``sense`` 1) or greatest largest of ``costs . w - constant`` under winning weights, or None.

    ``costs`` are pairs of coefficients and a constant: one for a linear objective, several for the largest of them.
    """
    duels = [([-one for one in row] + [0], -lead) for row in rows_of(board, model)]
    cut = [([*row, 0], bound) for row, bound in cuts]
    above = [([sense * one for one in row] + [-1], sense * constant) for row, constant in costs]
    found = [x[-1] for x in vertices(len(board.tasks), 1, duels + cut + above)]
    return sense * min(found) if found else None


def signs_of_changes(centre):
    """Return the linear functions whose largest is the L1 distance from a weighting."""
    return [(s, dot(s, centre)) for s in itertools.product((1, -1), repeat=len(centre))]


def single_changes(centre):
    """Return the linear functions whose largest is the largest change from a weighting."""
    units = [[int(row == column) for column in range(len(centre))] for row in range(len(centre))]
    return [([s * one for one in unit], s * dot(unit, centre)) for unit in units for s in (1, -1)]


def blocks(board, model, rivals, cuts=()):
    """Tell whether no weights beat all of some rivals."""
    rows = [[sign(board, model, rival, task) for task in board.tasks] for rival in rivals]
    duels = [([-one for one in row] + [1], 0) for row in rows]
    cut = [([*row, 0], bound) for row, bound in cuts]
    return max((x[-1] for x in vertices(len(board.tasks), 1, duels + cut)), default=0) <= 0


def fewest_blockers(board, model, cuts=()):
    """Return the size of the smallest set of rivals that blocks a model."""
    rivals = [rival for rival in board.models if rival != model]
    return next(
        size
        for size in range(1, len(rivals) + 1)
        if any(blocks(board, model, some, cuts) for some in itertools.combinations(rivals, size))
    )
