"""Twins of winning and ranking by rules: points from the definitions, every subset of rivals, every face of weights."""

from __future__ import annotations

import itertools
from fractions import Fraction

from tests.brute_force import scores, sign
from tests.lp.brute_force import dot, solution, vertices

VECTORS = {
    "borda": lambda count: [Fraction(count - 1 - place) for place in range(count)],
    "dowdall": lambda count: [Fraction(1, place + 1) for place in range(count)],
    "plurality": lambda count: [Fraction(int(place == 0)) for place in range(count)],
    "veto": lambda count: [Fraction(int(place < count - 1)) for place in range(count)],
}


def points(board, rule, *, ties="average"):
    """Return {model: [points on each task]}; missing scores tie for the last places (the mean must have all)."""
    table = {model: [] for model in board.models}
    for task in board.tasks:
        own = scores(board)[task]
        worth = {m: -value if task in board.lower_is_better else value for m, value in own.items()}
        for model in board.models:
            table[model].append(worth[model] if rule == "mean" else _of_place(board.models, worth, model, rule, ties))
    return table


def _of_place(models, worth, model, rule, ties):
    def beats(one, other):
        return one in worth and (other not in worth or worth[one] > worth[other])

    vector = VECTORS[rule](len(models)) if isinstance(rule, str) else [Fraction(one) for one in rule]
    above = sum(beats(other, model) for other in models)
    tied = sum(not beats(other, model) and not beats(model, other) for other in models)
    shared = vector[above : above + tied]
    return {"average": sum(shared) / tied, "min": shared[0], "max": shared[-1]}[ties]


def differences(table, model):
    """Return a model's points less each rival's, rows of rivals."""
    return [[a - b for a, b in zip(table[model], table[other], strict=True)] for other in table if other != model]


def margin(table, model, cuts=()):
    """Return the largest least lead over weights within the cuts, None when there are none."""
    duels = [([-one for one in row] + [1], 0) for row in differences(table, model)]
    cut = [([*row, 0], bound) for row, bound in cuts]
    return max((x[-1] for x in vertices(len(table[model]), 1, duels + cut)), default=None)


def best_rank(table, model, cuts=()):
    """Return the best rank: the most rivals that weights put level or below."""
    rows, tasks = differences(table, model), len(table[model])
    for size in range(len(rows), -1, -1):
        for some in itertools.combinations(rows, size):
            below = [([-one for one in row], 0) for row in some]
            if vertices(tasks, 0, [*below, *cuts]):
                return 1 + len(rows) - size
    return None


def worst_rank(table, model, cuts=()):
    """Return the worst rank: the most rivals that weights put strictly above."""
    rows, tasks = differences(table, model), len(table[model])
    cut = [([*row, 0], bound) for row, bound in cuts]
    for size in range(len(rows), 0, -1):
        for some in itertools.combinations(rows, size):
            above = [([*row, 1], 0) for row in some]
            if max((x[-1] for x in vertices(tasks, 1, above + cut)), default=-1) > 0:
                return 1 + size
    return 1


def rank_at(table, model, weights):
    """Return the rank of a model at given weights."""
    return 1 + sum(dot(row, weights) < 0 for row in differences(table, model))


def copeland_lead(board, model, weights):
    """Return how many duels a model is ahead of its best rival: duels won less duels lost."""
    margins = _margins(board, weights)

    def score(one):
        return sum((margins[one, other] > 0) - (margins[one, other] < 0) for other in board.models if other != one)

    return score(model) - max(score(other) for other in board.models if other != model)


def minimax_lead(board, model, weights):
    """Return by how much the worst defeat of a model is better than that of its best rival."""
    margins = _margins(board, weights)

    def worst(one):
        return max(margins[other, one] for other in board.models if other != one)

    return min(worst(other) for other in board.models if other != model) - worst(model)


def best_copeland(board, model):
    """Return the best Copeland lead: one of weights inside each face that the duels cut out of the weights.

    A point inside a face is the mean of as many independent vertices as the face has dimensions, and one.
    """
    walls = {tuple(row) for row in _rows(board).values() if any(row)}
    corners = list(arrangement(len(board.tasks), walls))
    return max(
        copeland_lead(board, model, [sum(column) / size for column in zip(*some, strict=True)])
        for size in range(1, len(board.tasks) + 1)
        for some in itertools.combinations(corners, size)
    )


def best_minimax(board, model):
    """Return the best minimax lead: it is linear wherever the order of all margins stays the same."""
    rows = [tuple(row) for row in _rows(board).values()]
    walls = {tuple(a - b for a, b in zip(one, other, strict=True)) for one, other in itertools.combinations(rows, 2)}
    walls = {wall for wall in walls if any(wall)}
    return max(minimax_lead(board, model, weights) for weights in arrangement(len(board.tasks), walls))


def arrangement(tasks, walls):
    """Yield the weights in which walls (and sides of the simplex) meet, each once."""
    sides = [tuple(int(column == task) for column in range(tasks)) for task in range(tasks)]
    found = set()
    for active in itertools.combinations([*sides, *walls], tasks - 1):
        x = solution([[1] * tasks, *active], [1, *[0] * (tasks - 1)])
        if x is not None and min(x) >= 0 and tuple(x) not in found:
            found.add(tuple(x))
            yield x


def _rows(board):
    pairs = itertools.permutations(board.models, 2)
    return {(one, other): [sign(board, one, other, task) for task in board.tasks] for one, other in pairs}


def _margins(board, weights):
    return {pair: dot(row, weights) for pair, row in _rows(board).items()}
