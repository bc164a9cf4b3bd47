"""How fast stability and duels are proved, beside plain programs without a proof; ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy.optimize import linprog

import weightlab as wl
from tests.benchmarks.test_win import random_board, seconds


def crowned(models, tasks):
    """Return a random table whose weights make some model win: those that break its cycle."""
    board = random_board(models, tasks)
    weights = wl.lp.break_cycle(board).strict_weights
    return wl.Leaderboard(board.scores, weights=dict(weights.items()))


def changes_by_programs(board, model):
    """Return the least sum of changes for each rival by a program of its own, in floats, without a proof."""
    signs = board.signs().matrix(model).astype(float)
    count = signs.shape[1]
    start = np.array([float(weight) for weight in board.weights]) / float(sum(board.weights))
    unit = np.eye(count)
    above = np.block([[unit, -unit], [-unit, -unit]])
    right = np.concatenate([start, -start, [0]])
    costs, whole = np.concatenate([np.zeros(count), np.ones(count)]), np.concatenate([np.ones(count), np.zeros(count)])
    found = []
    for row in signs:
        matrix = np.vstack([above, np.concatenate([row, np.zeros(count)])])
        found.append(linprog(costs, A_ub=matrix, b_ub=right, A_eq=whole[None], b_eq=[1]).fun)
    return found


def nearest_by_programs(board, models=None):
    """Return the least change after which each model loses to nobody, a whole program each, without a proof."""
    count = len(board.tasks)
    unit, start = np.eye(count), np.full(count, 1 / count)
    above = np.block([[unit, -unit], [-unit, -unit]])
    costs, whole = np.concatenate([np.zeros(count), np.ones(count)]), np.concatenate([np.ones(count), np.zeros(count)])
    found = []
    for model in board.models if models is None else models:
        signs = board.signs().matrix(model).astype(float)
        matrix = np.vstack([above, np.hstack([-signs, np.zeros_like(signs)])])
        right = np.concatenate([start, -start, np.zeros(len(signs))])
        answer = linprog(costs, A_ub=matrix, b_ub=right, A_eq=whole[None], b_eq=[1])
        found.append(answer.fun if answer.status == 0 else np.inf)
    return found


def test_every_change_of_a_winner_beside_a_program_a_rival(capsys):
    board = crowned(200, 50)
    proved, found = seconds(wl.lp.stability, board)
    plain, changes = seconds(changes_by_programs, board, found.model)
    checked, _ = seconds(found.verify, board)
    with capsys.disabled():
        print(
            f"\nstability of 199 duels x 50 tasks, both norms: {proved:.2f} s, re-checked in {checked:.2f} s;", end=" "
        )
        print(f"plain programs for one norm {plain:.2f} s, {plain / proved:.1f} times as long")
    assert np.allclose([float(one) for one in found.distances("l1")], changes, atol=1e-7)


def test_the_nearest_winner_beside_a_program_a_model(capsys):
    board = random_board(100, 50)
    proved, found = seconds(wl.lp.break_cycle, board)
    plain, changes = seconds(nearest_by_programs, board)
    with capsys.disabled():
        print(f"\nnearest winner of 100 x 50: {proved:.2f} s with proofs, plain programs {plain:.2f} s;", end=" ")
        print(f"{sum(len(getattr(one, 'factors', ())) == 1 for one in found.others)} models left out by one duel")
    assert abs(min(changes) - float(found.value)) < 1e-7


@pytest.mark.parametrize("models", [200, 1_000])
def test_duels_without_conditions(models, capsys):
    board = random_board(models, 50)
    proved, found = seconds(wl.lp.duels, board)
    with capsys.disabled():
        print(f"\nduels of {models} x 50: {proved:.2f} s with proofs; {found}")


def test_duels_in_a_space_share_their_proofs(capsys):
    board = random_board(60, 30)
    space = wl.lp.WeightSpace(board).at_most("t0", "0.3").at_least(["t1", "t2"], "0.2")
    proved, found = seconds(partial(wl.lp.duels, space=space), board)
    with capsys.disabled():
        pools = f"{len(found.bounds.weights)} weightings and {len(found.bounds.vectors)} sets of vectors"
        print(f"\nduels of 60 x 30 under two conditions: {proved:.2f} s; {60 * 59} margins by {pools}")
    assert len(found.bounds.weights) < 60 * 59 / 10
