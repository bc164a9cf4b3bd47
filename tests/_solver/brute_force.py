"""Slow and plain twins of the solver part, in fractions."""

from __future__ import annotations

import itertools
from fractions import Fraction

from weightlab._solver import Sense

# Far beyond the vertices of the small programs that tests draw.
FAR = 10**15


def gauss(matrix, right):
    """Return the exact solution of a square system by Gaussian elimination, or None when it is singular."""
    size = len(matrix)
    rows = [[Fraction(one) for one in row] + [Fraction(value)] for row, value in zip(matrix, right, strict=True)]
    for step in range(size):
        pivot = next((row for row in range(step, size) if rows[row][step]), None)
        if pivot is None:
            return None
        rows[step], rows[pivot] = rows[pivot], rows[step]
        rows[step] = [one / rows[step][step] for one in rows[step]]
        for row in range(size):
            if row != step and rows[row][step]:
                rows[row] = [one - rows[row][step] * other for one, other in zip(rows[row], rows[step], strict=True)]
    return [row[-1] for row in rows]


def conditions(formulation, far):
    """Return every condition ``coefficients @ x <= bound``; variables without a bound get a far one."""
    width = len(formulation.columns)
    found = []

    def add(coefficients, low, high):
        if low is not None:
            found.append(([-one for one in coefficients], Fraction(-low)))
        if high is not None:
            found.append((coefficients, Fraction(high)))

    rows = formulation.rows
    for row in range(len(rows)):
        entries = rows.matrix.row(row)
        add([Fraction(entries.get(column, 0)) for column in range(width)], rows.lower[row], rows.upper[row])
    for column in range(width):
        low, high = formulation.lower[column], formulation.upper[column]
        unit = [Fraction(int(column == other)) for other in range(width)]
        add(unit, -far if low is None else low, far if high is None else high)
    return found


def product(coefficients, x):
    """Return the inner product."""
    return sum((one * value for one, value in zip(coefficients, x, strict=True)), start=Fraction(0))


def best_vertex_value(formulation, far):
    """Return the best objective over all vertices of the program within a far box; None when there is none."""
    found = conditions(formulation, far)
    best = None
    for tight in itertools.combinations(found, len(formulation.columns)):
        x = gauss([coefficients for coefficients, _ in tight], [bound for _, bound in tight])
        if x is None:
            continue
        value = product(formulation.objective, x)
        better = best is None or (value != best and (value > best) == (formulation.sense is Sense.MAXIMISE))
        if better and all(product(coefficients, x) <= bound for coefficients, bound in found):
            best = value
    return best


def linear_optimum(formulation):
    """Return the optimal value, ``"infeasible"`` or ``"unbounded"``."""
    value = best_vertex_value(formulation, FAR)
    if value is None:
        return "infeasible"
    return value if best_vertex_value(formulation, 2 * FAR) == value else "unbounded"


def integer_optimum(formulation):
    """Return the best value over the integer points of a bounded program, or ``"infeasible"``."""
    ranges = [range(low, high + 1) for low, high in zip(formulation.lower, formulation.upper, strict=True)]
    found = conditions(formulation, 0)
    values = [
        product(formulation.objective, x)
        for x in itertools.product(*ranges)
        if all(product(coefficients, x) <= bound for coefficients, bound in found)
    ]
    if not values:
        return "infeasible"
    return max(values) if formulation.sense is Sense.MAXIMISE else min(values)
