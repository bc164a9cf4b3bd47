"""Boards for the weight explorer, drawn with a seed, and what Python says of them under other weights."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import weightlab as wl
from weightlab.exceptions import InputError
from weightlab.report.explorer import bare_page, explorer_part

SCORES = ("0", "1", "1", "2", "2", "3", "0.1", "0.25", "0.3", "-0.5", Fraction(1, 3), "12345678901234567890.5")
WEIGHTS = ("0", "1", "1", "2", "3", "0.1", "0.2", "0.3", "1/3", "3/7", "100000000000000000001/7")
TIES = ("average", "min", "max")
PLACE_RULES = {"mean_win_rate", "mean_rank", "borda", "plurality", "veto", "dowdall"}


def drawn_board(seed):
    """Return a board with ties, gaps, directions, groups, weights and sometimes a tolerance, the same for one seed."""
    rng = random.Random(seed)  # noqa: S311 - boards, not secrets
    models = [f"m{place}" for place in range(rng.randint(2, 7))]
    tasks = [f"t{place}" for place in range(rng.randint(1, 6))]
    gaps = rng.choice([0, 0, 0.2, 0.6])
    scores = rng.choice([SCORES, SCORES[:6], tuple(map(str, range(50)))])
    table = {task: {model: _cell(rng, scores, gaps) for model in models} for task in tasks}
    for place, model in enumerate(models):  # no row and no column without any score
        task = tasks[place % len(tasks)]
        table[task][model] = table[task][model] or "1"
    for task in tasks:
        table[task][models[0]] = table[task][models[0]] or "2"
    tolerance = {tasks[0]: rng.choice(["0.2", "1"])} if rng.random() < 0.15 else 0
    return wl.Leaderboard(
        table,
        lower_is_better=[task for task in tasks if rng.random() < 0.3],
        weights=drawn_weights(rng, tasks),
        groups={"g": tasks[:2], "h": tasks[1:]} if len(tasks) > 2 and rng.random() < 0.5 else None,
        tolerance=tolerance,
    )


def _cell(rng, scores, gaps):
    return None if rng.random() < gaps else rng.choice(scores)


def drawn_weights(rng, tasks):
    """Return weights of tasks as text, not all of them 0."""
    drawn = {task: rng.choice(WEIGHTS) for task in tasks}
    if all(Fraction(one) == 0 for one in drawn.values()):
        drawn[tasks[0]] = "1"
    return drawn


def weighted(board, weights):
    """Return the board under other weights."""
    return wl.Leaderboard.from_cells(
        board.models,
        board.tasks,
        board.cells,
        lower_is_better=board.lower_is_better,
        weights=dict(zip(board.tasks, weights, strict=True)),
        groups=board.groups,
        tolerance=board.tolerance,
        relative_tolerance=board.relative_tolerance,
    )


def ranking_of(board, rule, ties):
    """Return what Python says by a rule of the payload: order and exact scores in board order, or None without any."""
    options = dict(rule["options"])
    if rule["ties"]:
        options["ties"] = ties
    try:
        found = wl.rules.rank(board, rule["name"], **options)
    except InputError:
        return None
    place = {model: row for row, model in enumerate(board.models)}
    order = [[place[model] for model in tied] for tied in found.order]
    return order, [str(Fraction(found.scores[model])) for model in board.models]


def margins_of(board):
    """Return the exact margins of a board as text, row by row."""
    found = board.margins()
    return [[str(found.margin(one, other)) for other in board.models] for one in board.models]


def layers_of(board):
    """Return the Smith set, the Smith set of the others, and so on, by position."""
    place = {model: row for row, model in enumerate(board.models)}
    margins, left, layers = board.margins(), list(board.models), []
    while left:
        top = wl.graph.smith_set(margins.select(left))
        layers.append([place[model] for model in top])
        left = [model for model in left if model not in top]
    return layers


@cache  # boards cannot change, and are told apart by identity
def explorer_page(board):
    """Return the bare page with the explorer of a board."""
    return bare_page(explorer_part(board))
