"""Twins of the question about missing scores: every completion on a grid, in plain Python."""

from __future__ import annotations

import itertools
from fractions import Fraction

from tests.brute_force import scores, sign_between, weights
from tests.lp import brute_force

GRID = [Fraction(n, 4) for n in range(-20, 21)]
"""Finer than all thresholds of scores from 0 to 2 with tolerances of 1/2, absolute or relative, and beyond them."""


def values_of(low, high):
    """Return the values of the grid within bounds."""
    return [value for value in GRID if (low is None or value >= low) and (high is None or value <= high)]


def completions(board, ranges):
    """Yield every completion on the grid: the values of the missing cells and {task: {model: score}}."""
    cells = board.missing_cells
    for values in itertools.product(*(values_of(*ranges[cell]) for cell in cells)):
        table = {task: dict(column) for task, column in scores(board).items()}
        for (model, task), value in zip(cells, values, strict=True):
            table[task][model] = value
        yield values, table


def rows_of(board, table, model):
    """Return the signs of a model over its rivals in a completion, a list a rival."""
    return [
        [sign_between(board, task, table[task][model], table[task][rival]) for task in board.tasks]
        for rival in board.models
        if rival != model
    ]


def gains_of(board, table, model):
    """Return by how much the scores of a model are better than those of its rivals in a completion, a list a rival."""
    turn = {task: -1 if task in board.lower_is_better else 1 for task in board.tasks}
    return [
        [turn[task] * (table[task][model] - table[task][rival]) for task in board.tasks]
        for rival in board.models
        if rival != model
    ]


def points_of(board, table, model):
    """Return by how many points by Borda a model is ahead of its rivals in a completion, twice, a list a rival."""
    turn = {task: -1 if task in board.lower_is_better else 1 for task in board.tasks}

    def points(one, task):
        own = table[task]
        return sum(turn[task] * ((own[one] > own[other]) - (own[one] < own[other])) for other in board.models)

    return [
        [points(model, task) - points(rival, task) for task in board.tasks] for rival in board.models if rival != model
    ]


def least_sign_sums(low, high, other):
    """Return the least of sign sums of x less y over all values from low to high in steps of 1/2; ``other`` at x, x."""
    steps = [[n / 2 for n in range(2 * one, 2 * end + 1)] for one, end in zip(low, high, strict=True)]
    found = [[None] * len(low) for _ in low]
    for values in itertools.product(*steps):
        sums = [sum((one > two) - (one < two) for two in values) for one in values]
        for x, y in itertools.product(range(len(low)), repeat=2):
            lead = sums[x] - sums[y]
            found[x][y] = lead if found[x][y] is None else min(found[x][y], lead)
    for x in range(len(low)):
        found[x][x] = other[x][x]
    return found


def winner(board, table, rows=rows_of):
    """Return the only winner of a completion at the board's weights, by duels or by other rows, or None."""
    given = list(weights(board).values())
    for model in board.models:
        if all(brute_force.dot(row, given) > 0 for row in rows(board, table, model)):
            return model
    return None


def certain_and_possible(winners):
    """Return the models that win all of some completions, and those that win any."""
    found = set(winners)
    return (found if len(found) == 1 else set()) - {None}, found - {None}


def deciding(board, ranges, rows=rows_of):
    """Return {cell: (ruled out, settled)} of the cells that decide something, from all winners of all completions."""
    winners = {values: winner(board, table, rows) for values, table in completions(board, ranges)}
    necessary, possible = certain_and_possible(winners.values())
    decide = {}
    for place, cell in enumerate(board.missing_cells):
        ruled_out, settled = set(), set()
        for value in values_of(*ranges[cell]):
            sure, left = certain_and_possible(one for values, one in winners.items() if values[place] == value)
            ruled_out |= possible - left
            settled |= sure - necessary
        if ruled_out or settled:
            decide[cell] = (ruled_out, settled)
    return necessary, possible, decide


def under_weights(board, ranges, cuts, row_of=rows_of):
    """Return who wins for (some weights, some values), (all, all), (some, all), (all, some): sets, in this order."""
    corners = brute_force.vertices(len(board.tasks), 0, cuts)
    found = (set(), set(), set(), set())
    for model in board.models:
        some, every, least = [], [], []
        for _, table in completions(board, ranges):
            rows = row_of(board, table, model)
            duels = [([-one for one in row] + [1], 0) for row in rows] + [([*row, 0], bound) for row, bound in cuts]
            some.append(max(x[-1] for x in brute_force.vertices(len(board.tasks), 1, duels)) > 0)
            every.append(all(brute_force.dot(row, corner) > 0 for row in rows for corner in corners))
            least.append(rows)
        for members, holds in zip(found, (any(some), all(every), all(some), any(every)), strict=True):
            if holds:
                members.add(model)
    return found
