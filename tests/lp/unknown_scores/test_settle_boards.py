"""Public boards: what the winner by mean needs in hindsight, and what the advice costs."""

from __future__ import annotations

import pytest

import weightlab as wl

BOARDS = {
    "leaderboards/bigbench_hard.csv": (496, 107 * 27),
    "votenrank/glue.csv": (452, 97 * 14),
    "leaderboards/vtab.csv": (113, 16 * 19),
    "votenrank/superglue.csv": (125, 22 * 14),
    "leaderboards/openllm.csv": (510, 100 * 6),
}


def full(data, name):
    """Return a board without its rows with gaps, and bounds of its scores."""
    board = wl.read_leaderboard(data / name).complete()
    return board, {task: (-100 if (board.scores[task] < 0).any() else 0, 100) for task in board.tasks}


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_needed_in_hindsight(shared_data, name):
    board, bounds = full(shared_data, name)
    found = wl.lp.least_proof(board, rule="mean", bounds=bounds)
    assert (found.cost, found.cells.size) == BOARDS[name]
    assert found.proof == "exact"


@pytest.mark.parametrize("name", ["leaderboards/vtab.csv", "votenrank/superglue.csv"])
@pytest.mark.parametrize("batch", [1, 2])
def test_the_advice_costs_little_more_than_hindsight(shared_data, name, batch):
    board, bounds = full(shared_data, name)
    assert wl.studies.replay(board, rule="mean", bounds=bounds, orders=5, batch=batch).ratio < 1.3


def test_head_to_head_the_advice_costs_little_more_than_hindsight(shared_data):
    board, bounds = full(shared_data, "leaderboards/vtab.csv")
    del bounds
    assert wl.studies.replay(board, rule="majority", orders=3).ratio < 1.22
