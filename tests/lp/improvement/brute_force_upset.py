"""Twins of upsets: every combination of new scores on a grid, cheapest first."""

from __future__ import annotations

import itertools
from fractions import Fraction

import weightlab as wl
from tests.brute_force import scores, sign, sign_between
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


def wins(columns, board, cuts):
    """Tell whether signs by task beat all at the board's weights (``cuts`` None), or under some weights in the cuts."""
    rows = list(zip(*columns, strict=True))
    if cuts is None:
        return all(brute_force.dot(row, list(board.weights)) > 0 for row in rows)
    best = brute_force.widest(rows, cuts)
    return best is not None and best > 0


def least(board, model, kind, *, grid, most, costs, cuts=None, step=None, best=None):
    """Return the least cost of new scores that win, or None: scores rise by up to ``most`` multiples of the grid.

    With a step only its multiples count; ``costs`` are by task, and so is the best score that there can be.
    """
    rivals, options = [rival for rival in board.models if rival != model], []
    for task in board.tasks:
        there = scores(board)[task]
        own, today = there.get(model), tuple(sign(board, model, rival, task) for rival in rivals)
        prices = {today: Fraction(0)}
        for rise in () if own is None else (number * grid for number in range(1, most + 1)):
            if step is not None and rise % step:
                continue
            new = own - rise if task in board.lower_is_better else own + rise
            ends = [new, (best or {}).get(task, new)]
            if new != (max if task in board.lower_is_better else min)(ends):
                continue
            column = tuple(sign_between(board, task, new, there[one]) if one in there else 0 for one in rivals)
            amount = rise if kind == "score" else sum(a != b for a, b in zip(column, today, strict=True))
            prices[column] = min(amount * costs[task], prices.get(column, amount * costs[task]))
        options.append([(price, column) for column, price in prices.items()])
    for choice in sorted(itertools.product(*options), key=lambda some: sum(price for price, _ in some)):
        if wins([column for _, column in choice], board, cuts):
            return sum((price for price, _ in choice), Fraction(0))
    return None
