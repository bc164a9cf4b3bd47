"""Cards of twelve public boards against brute force, by their own rule and head-to-head; leave-one-out against a loop.

All sets of tasks are tried (of 27 or 40 tasks those of few), the least shift of weights is that of SciPy's linear
programs, and errors are tried one by one in a worst case that is written out here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, lcm

import numpy as np
import pytest
from scipy.optimize import linprog

import weightlab as wl

BOARDS = (
    *("votenrank/glue", "votenrank/superglue", "votenrank/value", "votenrank/user_efficiency"),
    *("votenrank/user_fairness", "votenrank/user_performance", "colombo/glue105", "colombo/superglue24"),
    *("colombo/xtreme15", "leaderboards/bigbench_hard", "leaderboards/openllm", "leaderboards/vtab"),
)
MOST = 500
"""Sets of tasks of one size that are tried where there are more than `ALL` tasks."""
ALL = 19
"""Of so many tasks all sets are tried."""
FEW = 24
"""Of so many models all errors are tried."""


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


def oriented(board):
    """Return the scores by task, more being better; None where one is missing."""
    signs = [-1 if task in board.lower_is_better else 1 for task in board.tasks]
    columns = [board.cells.column(place) for place in range(len(board.tasks))]
    return [[None if one is None else sign * one for one in its] for sign, its in zip(signs, columns, strict=True)]


def sign_of(own, other):
    return 0 if own is None or other is None else (own > other) - (own < other)


def lead_rows(board, rule, first):
    """Return by how much the first leads each rival on each task, times the task's weight, as whole numbers."""
    columns, rivals = oriented(board), [row for row in range(len(board.models)) if row != first]
    if rule == "borda":
        columns = [[sum(sign_of(own, other) for other in its) for own in its] for its in columns]
    leads = {"majority": sign_of}.get(rule, lambda own, other: own - other)
    rows = [
        [leads(its[first], its[rival]) * weight for its, weight in zip(columns, board.weights, strict=True)]
        for rival in rivals
    ]
    unit = lcm(*(Fraction(one).denominator for row in rows for one in row))
    return np.array([[int(one * unit) for one in row] for row in rows])


def fewest_by_all_sets(rows):
    """Return how few tasks must go before a rival is ahead: the most kept of all sets of tasks with a lead below 0."""
    width, most = rows.shape[1], 0
    sets = np.arange(2**width)[:, None] >> np.arange(width) & 1
    kept = sets.sum(axis=1)
    for row in rows:
        behind = sets @ row < 0
        most = max(most, int(kept[behind].max(initial=0)))
    return width - most if most else None


def least_shift(rows, weights):
    """Return the least share of the weight that must shift until a rival is level, of one linear program a rival."""
    today = np.array([float(one / sum(weights)) for one in weights])
    width, found = len(today), []
    for row in rows / np.array([float(one) or 1.0 for one in weights]):
        lead = row / np.abs(row).max(initial=1e-300)
        answer = linprog(
            np.full(2 * width, 0.5),
            A_ub=[[*lead, *-lead]], b_ub=[-lead @ today],
            A_eq=[[1.0] * width + [-1.0] * width], b_eq=[0.0],
            bounds=[(0, None)] * width + [(0, one) for one in today],
        )  # fmt: skip
        found += [answer.fun] if answer.status == 0 else []
    return min(found, default=None)


def worst_lead(board, rule, first, rival, errors):
    """Return the least lead of the first over a rival when every score is off by at most its task's error."""
    total = Fraction(0)
    for its, weight, error in zip(oriented(board), board.weights, errors, strict=True):
        if its[first] is None or its[rival] is None:
            continue
        own, other = its[first] - error, its[rival] + error
        lead = own - other if rule == "mean" else Fraction(sign_of(own, other))
        for row, score in enumerate(its if rule == "borda" else ()):
            if row not in (first, rival):
                ends = (score - error, score + error)
                between = [one for one in (own, other, (own + other) / 2) if ends[0] <= one <= ends[1]]
                lead += min(Fraction(sign_of(own, one) - sign_of(other, one), 2) for one in (*ends, *between))
        total += weight * lead
    return total


def least_error(board, rule, first, unit):
    """Return the first of all errors, tried one after the other, at which a rival can be level."""
    columns = [[one for one in its if one is not None] for its in oriented(board)]
    sizes = [Fraction(1) if unit == "points" else max(its) - min(its) for its in columns]
    halves = {
        abs(one - other) / (2 * size)
        for its, size in zip(columns, sizes, strict=True)
        if size
        for one, other in combinations({*its}, 2)
    }
    steps = sorted({Fraction(0), *halves})
    step = min(after - before for before, after in pairwise(steps)) / 8
    rivals = [row for row in range(len(board.models)) if row != first]
    for error in steps:
        errors = [(error + step) * size for size in sizes]
        if min(worst_lead(board, rule, first, rival, errors) for rival in rivals) <= 0:
            return error
    return None


@pytest.mark.parametrize("own", [True, False])
def test_the_card_of_a_public_board_is_what_brute_force_finds(board, own):
    rule = board.rule if own else "majority"
    try:
        card = wl.studies.card(board, rule)
    except wl.NoWinnerError:
        return
    if own:
        now = totals(board, board.tasks, rule)
        assert card.winners == tuple(model for model in board.models if now[model] == max(now.values()))
    if len(card.winners) > 1:
        assert (card.tasks, card.weight, card.error) == (0, 0, None)
        return
    first = board.models.index(card.winners[0])
    rows = lead_rows(board, rule, first)
    assert (rows.sum(axis=1) > 0).all()
    if len(board.tasks) <= ALL:
        assert card.tasks == fewest_by_all_sets(rows)
    for size in range(1, len(board.tasks) if len(board.tasks) > ALL else 1):
        if comb(len(board.tasks), size) > MOST:
            assert card.tasks is None or card.tasks >= size
            break
        gone = np.array(list(combinations(range(len(board.tasks)), size)))
        assert card.tasks > size or (rows.sum(axis=1)[:, None] < rows[:, gone].sum(axis=2)).any()
    shift = least_shift(rows, board.weights)
    assert card.weight is None if shift is None else float(card.weight) == pytest.approx(shift, abs=1e-7)
    if rule == "mean":
        best, second = sorted(totals(board, board.tasks, rule).values(), reverse=True)[:2]
        assert card.unit != "points" or card.error == (best - second) / (2 * sum(board.weights))
    elif len(board.models) <= FEW:
        assert card.error == least_error(board, rule, first, card.unit)
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
