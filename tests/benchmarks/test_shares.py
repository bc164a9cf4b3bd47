"""How fast shares of weightings are counted, beside looking at every duel; run with ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from weightlab.lp.sampling.draws import draws_from
from weightlab.lp.sampling.questions import StrictWinners


def random_board(models, tasks):
    scores = np.random.default_rng(0).random((models, tasks))
    names = [f"m{number}" for number in range(models)]
    return wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{number}" for number in range(tasks)]))


def timed(function):
    """Return wall and processor seconds, and the result."""
    wall, processor = time.perf_counter(), time.process_time()
    result = function()
    return time.perf_counter() - wall, time.process_time() - processor, result


def peak_of(function):
    """Return the most memory that was taken at once, in MB."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return peak


def every_duel(signs, draws):
    """Form every lead of every model under every weighting."""
    (weights,) = draws.blocks(draws.samples)
    winners = np.full(len(weights), -1)
    for model in range(len(signs.models)):
        leads = weights @ np.delete(signs.over_all(model), model, axis=0).T.astype(np.float64)
        winners[(leads > 0).all(axis=1)] = model
    return winners


def few_duels(signs, draws):
    """Draw and count as ``winning_shares`` does, every model being a candidate."""
    finder = StrictWinners(signs, np.ones(len(signs.models), dtype=np.bool_))
    return np.concatenate([finder.positions(weights) for weights in draws.blocks(finder.most)])


@pytest.mark.parametrize(("models", "tasks"), [(50, 20), (200, 50)])
def test_winners_under_ten_thousand_weightings_beside_every_duel(models, tasks, capsys):
    board = random_board(models, tasks)
    signs = board.signs()
    draws = draws_from(wl.lp.WeightSpace(board.tasks), samples=10_000, rng=0)
    few_duels(signs, draws)
    wall, few, winners = timed(lambda: few_duels(signs, draws))
    peak = peak_of(lambda: few_duels(signs, draws))
    wall_of_all, every, expected = timed(lambda: every_duel(signs, draws))
    with capsys.disabled():
        print(f"\n{models} x {tasks}, weightlab: {wall:.2f} s ({few:.2f} s of processor), {peak:.0f} MB")
        print(f"every duel: {wall_of_all:.2f} s ({every:.2f} s of processor), {every / few:.0f} times as much")
    assert winners.tolist() == expected.tolist()


def test_whole_answers(capsys):
    board = random_board(200, 50)
    near = wl.lp.WeightSpace(board).near([1] * 50, "1/2")
    questions = {
        "winning shares, with proofs of who can win": lambda: wl.lp.winning_shares(board, rng=0),
        "ranks by the mean": lambda: wl.lp.rank_shares(board, rng=0),
        "all duels": lambda: wl.lp.duel_shares(board, rng=0),
        "ranks within 1/2 of equal weights, by chains": lambda: wl.lp.rank_shares(board, rng=0, space=near),
    }
    for name, question in questions.items():
        wall, processor, result = timed(question)
        with capsys.disabled():
            print(f"\n200 x 50, {name}: {wall:.2f} s ({processor:.2f} s of processor)", end="")
        assert result.draws.samples == 10_000
