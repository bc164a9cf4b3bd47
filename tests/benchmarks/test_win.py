"""How fast every verdict is proved, beside what else could be done; run with ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from functools import partial
from timeit import repeat

import highspy
import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import weightlab as wl


def seconds(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def random_board(models, tasks):
    scores = np.random.default_rng(0).random((models, tasks))
    names = [f"m{number}" for number in range(models)]
    return wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{number}" for number in range(tasks)]))


def plain_highs(board):
    """Solve one max-min program a model with all its rivals as rows, in floats and without any proof."""
    signs = board.signs()
    tasks = len(board.tasks)
    margins = []
    for model in board.models:
        rows = np.hstack([signs.matrix(model), -np.ones((len(board.models) - 1, 1))])
        rows = np.vstack([rows, [*np.ones(tasks), 0]])
        row, column = np.nonzero(rows)
        program = highspy._Highs()
        program.setOptionValue("output_flag", False)  # noqa: FBT003 - HiGHS takes it by position
        program.passModel(
            tasks + 1,
            len(rows),
            len(row),
            2,
            -1,
            0.0,
            np.eye(tasks + 1)[tasks],
            np.array([*np.zeros(tasks), -np.inf]),
            np.full(tasks + 1, np.inf),
            np.array([*np.zeros(len(rows) - 1), 1]),
            np.array([*np.full(len(rows) - 1, np.inf), 1]),
            np.searchsorted(row, np.arange(len(rows))).astype(np.int32),
            column.astype(np.int32),
            rows[row, column],
            np.zeros(tasks + 1, dtype=np.int32),
        )
        program.run()
        margins.append(program.getInfo().objective_function_value)
    return margins


def as_published(board):
    """Follow section 3.2 of Vote'n'Rank: signs cell by cell, then any feasible weights, without a proof."""
    scores = board.scores
    prospective = []
    for model in board.models:
        rows = [
            [
                0 if np.isnan(own) or np.isnan(other) or own == other else 1 if own > other else -1
                for own, other in zip(scores.loc[model], scores.loc[rival], strict=True)
            ]
            for rival in board.models
            if rival != model
        ]
        count = len(board.tasks)
        found = linprog(
            np.zeros(count), A_ub=-np.array(rows), b_ub=np.zeros(len(rows)), A_eq=np.ones((1, count)), b_eq=[1.0]
        )
        if found.status == 0:
            prospective.append(model)
    return prospective


def test_all_verdicts_with_proofs_take_no_longer_than_plain_programs_without(capsys):
    board = random_board(200, 50)
    plain, margins = seconds(plain_highs, board)
    proved, found = seconds(wl.lp.prospects, board)
    checked, _ = seconds(found.verify, board)
    with capsys.disabled():
        print(
            f"\n200 x 50: plain programs {plain:.2f} s, weightlab {proved:.2f} s, its proofs re-checked {checked:.2f} s"
        )
    assert all(lower <= margin + 1e-6 for lower, margin in zip(found.lower, margins, strict=True))
    assert proved < plain


def test_glue_takes_a_twentieth_of_the_published_procedure(shared_data, capsys):
    board = wl.read_leaderboard(shared_data / "votenrank" / "glue.csv").complete()
    wl.lp.prospects(board)  # imports are paid here
    published, prospective = seconds(as_published, board)
    proved, found = seconds(wl.lp.prospects, board)
    with capsys.disabled():
        print(
            f"\nGLUE: as published {published:.2f} s, weightlab {proved:.3f} s, {published / proved:.0f} times faster"
        )
    assert set(found.with_verdict("strict", "weak")) == set(prospective)
    assert published > 20 * proved


@pytest.mark.parametrize(("models", "tasks"), [(2_000, 50), (5_000, 100)])
def test_large_tables_are_proved_and_checked(models, tasks, capsys):
    board = random_board(models, tasks)
    proved, found = seconds(wl.lp.prospects, board)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    checked, _ = seconds(found.verify, board)
    with capsys.disabled():
        print(
            f"\n{models} x {tasks}: {proved:.1f} s, re-checked in {checked:.1f} s, peak memory {memory:.2f} GB; {found}"
        )
    assert (found.lower <= found.upper).all()


def made_board(models, tasks, digits):
    """Return scores of a general factor and one a task, correlated by 0.8, with so many decimals, or all of them."""
    draw = np.random.default_rng(0)
    scores = 0.8**0.5 * draw.standard_normal((models, 1)) + 0.2**0.5 * draw.standard_normal((models, tasks))
    scores = 50 + 10 * scores if digits is None else np.round(50 + 10 * scores, digits)
    names = [f"m{number}" for number in range(models)]
    return wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{number}" for number in range(tasks)]))


def plain_means(board):
    """Return the greatest lead of each model by the mean: one program of scipy a model, without a proof."""
    scores, count = board.scores.to_numpy(dtype=float), len(board.tasks)
    margins = []
    for row in range(len(scores)):
        leads = np.delete(scores[row] - scores, row, axis=0)
        found = linprog(
            [*np.zeros(count), -1],
            A_ub=np.hstack([-leads, np.ones((len(leads), 1))]),
            b_ub=np.zeros(len(leads)),
            A_eq=[[*np.ones(count), 0]],
            b_eq=[1],
            bounds=[*[(0, None)] * count, (None, None)],
        )
        margins.append(-found.fun)
    return margins


@pytest.mark.parametrize(("models", "tasks", "times"), [(98, 57, 4), (200, 50, 6)])
@pytest.mark.parametrize("digits", [1, None])
def test_verdicts_by_the_mean_beside_a_program_a_model(models, tasks, times, digits, capsys):
    board = made_board(models, tasks, digits)
    wl.lp.prospects(board, rule="mean")  # imports are paid here
    plain, margins = seconds(plain_means, board)
    proved, found = seconds(partial(wl.lp.prospects, rule="mean"), board)
    borda, _ = seconds(partial(wl.lp.prospects, rule="borda"), board)
    with capsys.disabled():
        told = f"\n{models} x {tasks}, {digits or 14} decimals: linprog {plain:.2f} s, by mean {proved:.2f} s"
        print(f"{told} ({plain / proved:.0f} times as fast), by Borda {borda:.2f} s; {found}")
    assert all(lower <= margin + 1e-6 for lower, margin in zip(found.lower, margins, strict=True))
    assert plain > times * proved


@pytest.mark.parametrize(("models", "tasks", "most"), [(2_000, 50, 5), (5_000, 100, 40)])
@pytest.mark.parametrize("digits", [1, None])
def test_large_tables_by_the_mean(models, tasks, most, digits, capsys):
    board = made_board(models, tasks, digits)
    proved, found = seconds(partial(wl.lp.prospects, rule="mean"), board)
    checked, _ = seconds(found.verify)
    with capsys.disabled():
        print(f"\n{models} x {tasks}, {digits or 14} decimals: {proved:.1f} s, re-checked {checked:.1f} s; {found}")
    assert proved < most


def test_signs_of_one_model_take_a_fraction_of_comparing_doubles():
    scores = np.random.default_rng(0).random((5_000, 100)).round(3)
    signs = wl.Leaderboard(pd.DataFrame(scores, index=[f"m{row}" for row in range(5_000)])).signs()
    assert (signs.over_all(7) == np.sign(scores[7] - scores)).all()
    fast = min(repeat(lambda: signs.over_all(7), number=20, repeat=10))
    plain = min(
        repeat(lambda: (scores[7] > scores).view(np.int8) - (scores[7] < scores).view(np.int8), number=20, repeat=10)
    )
    assert fast < 0.75 * plain


@pytest.mark.parametrize("call", [["--help"], ["{glue}", "--complete"]], ids=["help", "GLUE"])
def test_the_command_beside_loading_pandas(shared_data, call, capsys):
    """Processor time of whole processes, the best of four."""
    call = [word.format(glue=shared_data / "votenrank" / "glue.csv") for word in call]

    def taken(*words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    own = min(taken("-m", "weightlab", "win", *call) for _ in range(4))
    pandas = min(taken("-c", "import pandas") for _ in range(4))
    with capsys.disabled():
        print(f"\nweightlab win {'on GLUE' if call[1:] else '--help'}: {own:.2f} s; import pandas: {pandas:.2f} s")
