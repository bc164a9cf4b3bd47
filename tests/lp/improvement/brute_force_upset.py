"""Twins of upsets: every combination of new scores on a grid, cheapest first."""

from __future__ import annotations

import itertools
from fractions import Fraction

import weightlab as wl
from tests.brute_force import scores, sign
from tests.lp import brute_force


def changed(board, model, new):
    """Return the board with new scores of a model by task, made from scratch."""
    table = {task: {**column, **({model: new[task]} if task in new else {})} for task, column in scores(board).items()}
    frame = {task: {one: table[task].get(one) for one in board.models} for task in board.tasks}
    return wl.Leaderboard(
        frame,
        lower_is_better=board.lower_is_better,
        weights=dict(board.weights),
        tolerance=board.tolerance,
        relative_tolerance=board.relative_tolerance,
    )


def wins(board, model, cuts):
    """Tell whether a model beats all at the board's weights (``cuts`` None), or under some weights within the cuts."""
    if cuts is None:
        rows = brute_force.rows_of(board, model)
        return all(brute_force.dot(row, list(board.weights)) > 0 for row in rows)
    best = brute_force.margin(board, model, cuts)
    return best is not None and best > 0


def least(board, model, kind, *, grid, most, costs, cuts=None, step=None):
    """Return the least cost of new scores that win, or None: scores rise by up to ``most`` multiples of the grid.

    With a step only its multiples count; ``costs`` are by task.
    """
    options = []
    for task in board.tasks:
        own = scores(board)[task].get(model)
        better = -1 if task in board.lower_is_better else 1
        rises = [Fraction(0)] if own is None else [n * grid for n in range(most + 1)]
        rises = [rise for rise in rises if step is None or rise % step == 0]
        prices = {}
        for rise in rises:
            new = {} if not rise else {task: own + better * rise}
            other = changed(board, model, new)
            row = tuple(sign(other, model, rival, task) for rival in board.models if rival != model)
            today = tuple(sign(board, model, rival, task) for rival in board.models if rival != model)
            amount = rise if kind == "score" else sum(a != b for a, b in zip(row, today, strict=True))
            price = amount * costs[task]
            if row not in prices or price < prices[row][0]:
                prices[row] = (price, new)
        options.append(list(prices.values()))
    for choice in sorted(itertools.product(*options), key=lambda some: sum(price for price, _ in some)):
        new = {task: score for _, part in choice for task, score in part.items()}
        if wins(changed(board, model, new), model, cuts):
            return sum((price for price, _ in choice), Fraction(0))
    return None
