"""Twins of the questions about how far weights must move, in plain Python with fractions: every vertex is looked at."""

from __future__ import annotations

from tests.brute_force import sign
from tests.lp import brute_force


def today(board):
    """Return today's weights as shares."""
    total = sum(board.weights)
    return [weight / total for weight in board.weights]


def row_of(board, model, rival):
    return [sign(board, model, rival, task) for task in board.tasks]


def changes(board, norm):
    """Return the linear functions whose largest is the distance from today's weights."""
    made = brute_force.signs_of_changes if norm == "l1" else brute_force.single_changes
    return list(dict.fromkeys((tuple(row), constant) for row, constant in made(today(board))))


def totals(row, cuts=()):
    """Return a row's least and greatest total over weights within the cuts."""
    found = [brute_force.dot(row, x) for x in brute_force.vertices(len(row), 0, cuts)]
    return min(found), max(found)


def reversal(board, row, norm, cuts=()):
    """Return the least change of today's weights at which a row's total is 0 or less, or None."""
    least = [([*row, 0], 0), *(([*one, 0], bound) for one, bound in cuts)]
    above = [([*one, -1], constant) for one, constant in changes(board, norm)]
    return min((x[-1] for x in brute_force.vertices(len(row), 1, least + above)), default=None)


def nearest_winners(board, norm, cuts=()):
    """Return the least change after which a model wins, and the models that do; (None, ()) when none ever does."""
    far = {}
    for model in board.models:
        margin = brute_force.margin(board, model, cuts)
        if margin is not None and margin > 0:
            far[model] = brute_force.least(board, model, changes(board, norm), cuts=cuts)
    least = min(far.values(), default=None)
    return least, tuple(model for model, value in far.items() if value == least)


def widest(rows, cuts=()):
    """Return the largest t with all totals at least t, or None when there are no weights."""
    duels = [([-one for one in row] + [1], 0) for row in rows]
    cut = [([*row, 0], bound) for row, bound in cuts]
    return max((x[-1] for x in brute_force.vertices(len(rows[0]), 1, duels + cut)), default=None)
