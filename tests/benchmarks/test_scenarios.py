"""How fast the fewest tasks and weight ranges are proved, beside plain programs; ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import time
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

import weightlab as wl
from tests.benchmarks.test_win import random_board, seconds


def by_links(board, model, lead):
    """Return the fewest tasks by an integer program with the rows ``weight <= chosen``, in floats, without a proof."""
    signs = board.signs().matrix(model).astype(float)
    count = len(board.tasks)
    unit, none = np.eye(count), np.zeros((len(signs), count))
    rows = np.vstack([np.hstack([signs, none]), np.hstack([-unit, unit]), [*np.ones(count), *np.zeros(count)]])
    lower = [float(lead)] * len(signs) + [0] * count + [1]
    upper = [np.inf] * (len(signs) + count) + [1]
    cost = [*np.zeros(count), *np.ones(count)]
    answer = milp(cost, constraints=LinearConstraint(rows, lower, upper), integrality=cost, bounds=Bounds(0, 1))
    return round(answer.fun)


def ranges_from_scratch(board, model):
    """Return every bound by a program of its own with all rivals as rows, in floats, without a proof."""
    signs = board.signs().matrix(model).astype(float)
    count = len(board.tasks)
    ask = {"A_ub": -signs, "b_ub": np.zeros(len(signs)), "A_eq": np.ones((1, count)), "b_eq": [1]}
    units = np.eye(count)
    return np.array([[linprog(unit, **ask).fun, -linprog(-unit, **ask).fun] for unit in units])


@pytest.mark.parametrize("share", ["0", "1/2"])
def test_the_fewest_tasks_beside_an_integer_program(share, capsys):
    board = random_board(200, 50)
    for model in board.models[:3]:
        margin = wl.lp.prospect(board, model).margin * Fraction(share)
        scenario = partial(wl.lp.scenario, board, model, margin=margin)
        plain, size = seconds(by_links, board, model, margin)
        one, found = seconds(scenario, wl.lp.fewest_tasks())
        strict, wins = seconds(scenario, wl.lp.fewest_tasks(strict=True))
        every, tied = seconds(partial(wl.lp.fewest_task_sets, margin=margin), board, model)
        with capsys.disabled():
            print(
                f"\n200 x 50, {model}, lead {float(margin):.3f}: integer program {plain:.2f} s; weightlab, with proof:"
            )
            print(
                f"  {found.value} tasks, and how many for a strict win, {one:.2f} s ({plain / one:.2f} times as fast),"
            )
            print(
                f"  {wins.value} for a strict win {strict:.2f} s, every set of {size} ({len(tied.sets)}) {every:.2f} s"
            )
        assert size == tied.size == found.value
        assert wins.value == found.value + found.slack


def test_weight_ranges_beside_separate_programs(capsys):
    board = random_board(200, 50)
    for model in board.models[:3]:
        plain, bounds = seconds(ranges_from_scratch, board, model)
        proved, found = seconds(wl.lp.weight_ranges, board, model)
        checked, _ = seconds(found.verify, board)
        with capsys.disabled():
            print(
                f"\n200 x 50, {model}: 100 separate programs {plain:.2f} s, weightlab {proved:.2f} s "
                f"({plain / proved:.1f} times faster), its proofs re-checked {checked:.2f} s"
            )
        assert np.allclose(found.summary()[["low", "high"]], bounds, atol=1e-7)


@pytest.mark.parametrize(("size", "limit"), [((98, 57), 10), ((107, 27), 5)])
def test_the_smallest_benchmark_that_keeps_the_top_ten_is_proved_in_time(size, limit, capsys):
    rng = np.random.default_rng(0)
    ability, weight = rng.normal(size=(size[0], 1)), rng.uniform(0.5, 1.5, size=(1, size[1]))
    scores = np.round(50 + 10 * (ability * weight + rng.normal(size=size)), 1)
    frame = pd.DataFrame(
        scores, index=[f"m{row}" for row in range(size[0])], columns=[f"t{task}" for task in range(size[1])]
    )
    board = wl.Leaderboard(frame)
    start = time.process_time()
    found = wl.lp.smallest_benchmark(board, keep="top")
    taken = time.process_time() - start
    with capsys.disabled():
        print(f"\nsmallest benchmark, {size[0]} x {size[1]}: {len(found.tasks)} tasks in {taken:.1f} s of a core")
    assert found.proof == "exact"
    assert taken < limit
