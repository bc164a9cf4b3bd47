"""How fast the least improvement is found, beside one plain program; run with ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

import weightlab as wl

LIMIT = 60
"""Seconds for each program."""


def seconds(function, *arguments, **options):
    start = time.perf_counter()
    result = function(*arguments, **options)
    return time.perf_counter() - start, result


def random_board(models, tasks):
    """Return a board of scores with one decimal, and its models by their mean, best first."""
    scores = np.random.default_rng(0).integers(0, 1000, (models, tasks)) / 10
    names = [f"m{number}" for number in range(models)]
    board = wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{number}" for number in range(tasks)]))
    return board, [names[place] for place in np.argsort(-scores.mean(axis=1))]


def naive(board, model, *, free):
    """Solve one program with every level of every rival and, if weights are free, every product: floats, no proof."""
    scores = np.rint(board.scores.to_numpy() * 10).astype(int)
    own = scores[board.models.index(model)]
    others = np.delete(scores, board.models.index(model), axis=0)
    tasks = len(own)
    levels = [np.unique(np.maximum(0, np.concatenate([[o], col, col + 1]) - o)) for o, col in zip(own, others.T)]  # noqa: B905
    first = np.cumsum([0, *map(len, levels)])
    count = int(first[-1])
    width = 2 * count + tasks if free else count
    signs = np.concatenate([np.sign(own[t] + levels[t] - others[:, [t]]) for t in range(tasks)], axis=1)
    choice = np.zeros((tasks, width))
    for t in range(tasks):
        choice[t, first[t] : first[t + 1]] = 1
    duels = np.zeros((len(others), width))
    duels[:, slice(count, 2 * count) if free else slice(0, count)] = signs
    constraints = [LinearConstraint(choice, 1, 1), LinearConstraint(duels, 1e-4 if free else 1, np.inf)]
    if free:
        sums = np.zeros((tasks + 1, width))
        sums[-1, 2 * count :] = 1
        for t in range(tasks):
            sums[t, count + first[t] : count + first[t + 1]] = 1
            sums[t, 2 * count + t] = -1
        bound = np.hstack([-np.eye(count), np.eye(count), np.zeros((count, tasks))])
        constraints += [
            LinearConstraint(sums, [0] * tasks + [1], [0] * tasks + [1]),
            LinearConstraint(bound, -np.inf, 0),
        ]
    found = milp(
        np.concatenate([*levels, np.zeros(width - count)]),
        constraints=constraints,
        integrality=[1] * count + [0] * (width - count),
        bounds=Bounds(0, 1),
        options={"time_limit": LIMIT},
    )
    return found.fun / 10 if found.status == 0 else None


@pytest.mark.parametrize(("models", "tasks", "places"), [(100, 10, (2, 25, 99)), (200, 50, (2, 10))])
@pytest.mark.parametrize("free", [False, True], ids=["fixed weights", "free weights"])
def test_the_least_improvement(models, tasks, places, free, capsys):
    board, order = random_board(models, tasks)
    wl.lp.upset(board, order[0])  # imports are paid here
    for place in places:
        if free and models == 200:
            plain, least = LIMIT, None  # the products of 200 x 50 are past the memory of a dense program
        else:
            plain, least = seconds(naive, board, order[place], free=free)
        own, found = seconds(wl.lp.upset, board, order[place], space="any" if free else None, time_limit=LIMIT)
        with capsys.disabled():
            told = (
                f"{plain:.2f} s, {plain / own:.0f} times as long" if least is not None else "not finished or not tried"
            )
            print(
                f"\n{models} x {tasks}, {'free' if free else 'fixed'} weights, place {place + 1}: costs "
                f"{float(found.cost):.1f}, {own:.2f} s; plain program {told}"
            )
        assert least is None or float(found.cost) <= least + 1e-6


@pytest.mark.parametrize("digits", [1, 14])
@pytest.mark.parametrize(("rule", "free"), [("mean", None), ("mean", "any"), ("majority", None)])
def test_the_least_improvement_of_a_middling_model(rule, free, digits, capsys):
    draw = np.random.default_rng(0)
    scores = 50 + 10 * (0.8**0.5 * draw.standard_normal((112, 1)) + 0.2**0.5 * draw.standard_normal((112, 1000)))
    names = [f"m{number}" for number in range(112)]
    board = wl.Leaderboard(pd.DataFrame(scores.round(digits), index=names, columns=[f"t{one}" for one in range(1000)]))
    model = names[int(np.argsort(-scores.mean(axis=1))[56])]
    start = time.process_time()
    found = wl.lp.upset(board, model, rule=rule, space=free, time_limit=LIMIT)
    taken = time.process_time() - start
    told = f"112 x 1000, {digits} digits, by {rule}, {'free' if free else 'equal'} weights"
    with capsys.disabled():
        print(f"\n{told}: {taken:.1f} s of processor, cost {float(found.cost):.4f}")
    assert taken < 12


@pytest.mark.parametrize("shift", ["1/10", "1/5", "1/2"])
def test_the_least_improvement_where_weights_may_move_little(shift, capsys):
    scores = np.random.default_rng(24).integers(0, 100, (40, 12))
    names = [f"m{number}" for number in range(40)]
    board = wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{one}" for one in range(12)]))
    model = names[int(np.argsort(-scores.mean(axis=1))[20])]
    space = wl.lp.WeightSpace(board).near([1] * 12, shift)
    start = time.process_time()
    found = wl.lp.upset(board, model, space=space, time_limit=LIMIT)
    taken = time.process_time() - start
    nodes = "no tree" if found.tree is None else f"a tree of {len(found.tree.nodes):,} nodes"
    with capsys.disabled():
        print(f"\n40 x 12, weights within {shift} of equal: {taken:.1f} s of processor, cost {found.cost}, {nodes}")
    assert found.verify(board)
