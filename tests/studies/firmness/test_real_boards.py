"""Cards of twelve public boards against brute force, and leave-one-out against a loop."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

import weightlab as wl

BOARDS = (
    *("votenrank/glue", "votenrank/superglue", "votenrank/value", "votenrank/user_efficiency"),
    *("votenrank/user_fairness", "votenrank/user_performance", "colombo/glue105", "colombo/superglue24"),
    *("colombo/xtreme15", "leaderboards/bigbench_hard", "leaderboards/openllm", "leaderboards/vtab"),
)
MOST = 500
"""Sets of tasks of one size that are tried."""


@pytest.fixture(params=BOARDS)
def board(request, shared_data):
    return wl.read_leaderboard(shared_data / f"{request.param}.csv", accept_reading=True).complete()


def totals(board, tasks, rule):
    """Return the total of each model over some tasks, with weights as they are, written out from the scores."""
    found = dict.fromkeys(board.models, Fraction(0))
    for task in tasks:
        column = board.cells.column(board.tasks.index(task))
        sign = -1 if task in board.lower_is_better else 1
        scores = {model: sign * value for model, value in zip(board.models, column, strict=True)}
        for model, own in scores.items():
            below = sum(other < own for other in scores.values())
            level = sum(other == own for other in scores.values()) - 1
            points = own if rule == "mean" else below + Fraction(level, 2)
            found[model] += board.weights[task] * points
    return found


def test_the_card_of_a_public_board_is_what_brute_force_finds(board):
    card = wl.studies.card(board)
    now = totals(board, board.tasks, board.rule)
    best = max(now.values())
    assert card.winners == tuple(model for model in board.models if now[model] == best)
    if len(card.winners) > 1:
        assert (card.tasks, card.weight, card.error) == (0, 0, None)
        return
    (first,) = card.winners
    alone = {task: totals(board, [task], board.rule) for task in board.tasks}
    for size in range(1, len(board.tasks)):
        if comb(len(board.tasks), size) > MOST:
            assert card.tasks is None or card.tasks >= size
            break
        lefts = (
            {model: now[model] - sum(alone[task][model] for task in gone) for model in board.models}
            for gone in combinations(board.tasks, size)
        )
        if any(max(left.values()) > left[first] for left in lefts):
            assert card.tasks == size
            break
    else:
        assert card.tasks is None
    if board.rule == "mean" and card.unit == "points":
        second = max(total for model, total in now.items() if model != first)
        assert card.error == (best - second) / (2 * sum(board.weights))
    assert card.move.verify(board)
    assert card.verify(board)


def test_what_each_task_left_out_changes_is_what_a_loop_finds(board):
    found = wl.studies.leave_one_out(board)
    assert [one.name for one in found.parts] == [task for task in board.tasks if board.weights[task]]
    now = totals(board, board.tasks, board.rule)
    for one in found.parts:
        gone = totals(board, [one.name], board.rule)
        left = {model: now[model] - gone[model] for model in board.models}
        assert one.winners == tuple(model for model in board.models if left[model] == max(left.values()))
