"""Twins of the weight questions in plain Python with fractions: every vertex is looked at.

A polytope is a list of inequalities ``coefficients . x <= bound`` besides "weights sum to 1".
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from fractions import Fraction

from tests.brute_force import sign


def whole(row, bound=0):
    """Return an inequality in integers, which are quicker than fractions and say the same."""
    numbers = [Fraction(one) for one in (*row, bound)]
    scale = math.lcm(*(one.denominator for one in numbers))
    scaled = [one.numerator * (scale // one.denominator) for one in numbers]
    common = math.gcd(*scaled) or 1
    return tuple(one // common for one in scaled)


def crossing(rows):
    """Return where rows of integers ``(*coefficients, bound)`` meet, as numerators and one denominator > 0, or None.

    Elimination without fractions (Bareiss 1968): every division leaves no remainder.
    """
    rows, last = list(rows), 1
    for step in range(len(rows)):
        pivot = next((row for row in range(step, len(rows)) if rows[row][step]), None)
        if pivot is None:
            return None
        rows[step], rows[pivot] = rows[pivot], rows[step]
        own, head = rows[step], rows[step][step]
        for place, row in enumerate(rows):
            if place != step:
                factor = row[step]
                rows[place] = [(head * one - factor * other) // last for one, other in zip(row, own, strict=True)]
        last = head
    sign_of = 1 if last > 0 else -1
    return [sign_of * row[-1] for row in rows], sign_of * last


def solution(matrix, right):
    """Return the solution of a square system, or None when it is singular."""
    met = crossing([whole(row, bound) for row, bound in zip(matrix, right, strict=True)])
    return None if met is None else [Fraction(one, met[1]) for one in met[0]]


def dot(coefficients, x):
    return sum((one * value for one, value in zip(coefficients, x, strict=True)), Fraction(0))


def vertices(tasks, extra, inequalities):
    """Return the vertices of weights of so many tasks with so many free variables after them, each once."""
    width = tasks + extra
    positive = [whole([-int(column == task) for column in range(width)]) for task in range(tasks)]
    every = dict.fromkeys([*positive, *(whole(row, bound) for row, bound in inequalities)])
    return _vertices(tasks, extra, tuple(every))


@functools.lru_cache(maxsize=64)
def _vertices(tasks, extra, every):
    total = (*[1] * tasks, *[0] * extra, 1)
    found = {}
    for active in itertools.combinations(every, tasks + extra - 1):
        met = crossing([total, *active])
        if met is not None:
            x, unit = met
            # The last entry of a row is its bound: the row holds where its total with (x, -unit) is at most 0.
            place = (*x, -unit)
            if all(sum(map(operator.mul, row, place)) <= 0 for row in every):
                found[tuple(Fraction(one, unit) for one in x)] = None
    return tuple(found)


def rows_of(board, model):
    """Return G_m as lists of signs, a rival each."""
    return [[sign(board, model, rival, task) for task in board.tasks] for rival in board.models if rival != model]


def margin(board, model, cuts=()):
    """Return the largest t with G_m w >= t over weights within the cuts; None when there are no weights."""
    return widest(rows_of(board, model), cuts)


def widest(rows, cuts=()):
    """Return the largest least lead in duels with these rows of signs over weights within the cuts, or None."""
    duels = [([-one for one in row] + [1], 0) for row in rows]
    cut = [([*row, 0], bound) for row, bound in cuts]
    return max((x[-1] for x in vertices(len(rows[0]), 1, duels + cut)), default=None)


def least(board, model, costs, *, cuts=(), lead=0, sense=1):
    """Return the least (``sense`` 1) or greatest largest of ``costs . w - constant`` under winning weights, or None.

    ``costs`` are pairs of coefficients and a constant: one for a linear objective, several for the largest of them.
    """
    return least_over(rows_of(board, model), costs, cuts=cuts, lead=lead, sense=sense)


def least_over(rows, costs, *, cuts=(), lead=0, sense=1):
    """Return the same over weights that lead by so much in each of these rows."""
    duels = [([-one for one in row] + [0], -lead) for row in rows]
    cut = [([*row, 0], bound) for row, bound in cuts]
    above = [([sense * one for one in row] + [-1], sense * constant) for row, constant in costs]
    found = [x[-1] for x in vertices(len(rows[0]), 1, duels + cut + above)]
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
