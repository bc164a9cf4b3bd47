"""Who wins under each weighting is what looking at every duel says."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import boards
from weightlab.lp.sampling.body import matrix_product
from weightlab.lp.sampling.questions import StrictWinners


def by_every_duel(signs, weights):
    """Return the winner's position under each weighting, looking at all duels."""
    winners = np.full(len(weights), -1)
    for model in range(len(signs.models)):
        leads = weights @ np.delete(signs.over_all(model), model, axis=0).T.astype(np.float64)
        winners[(leads > 0).all(axis=1)] = model
    return winners


def drawn(tasks, seed, count=200):
    return np.random.default_rng(seed).dirichlet(np.full(tasks, 0.7), size=count)


@given(board=boards(models=(2, 7), tasks=(1, 5), tolerant=True), seed=st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_winners_are_those_that_every_duel_shows(board, seed):
    signs = board.signs()
    weights = drawn(len(board.tasks), seed)
    everybody = np.ones(len(board.models), dtype=np.bool_)
    found = StrictWinners(signs, everybody).positions(weights)
    assert found.tolist() == by_every_duel(signs, weights).tolist()


@given(board=boards(models=(2, 7), tasks=(1, 5), tolerant=True), seed=st.integers(0, 10))
@settings(max_examples=30, deadline=None)
def test_leaving_out_models_that_cannot_win_changes_nothing(board, seed):
    signs = board.signs()
    weights = drawn(len(board.tasks), seed)
    strict = np.array([str(one) == "strict" for one in wl.lp.prospects(board).verdicts])
    found = StrictWinners(signs, strict).positions(weights)
    assert found.tolist() == by_every_duel(signs, weights).tolist()


def test_winners_of_a_large_table_with_ties_are_those_that_every_duel_shows():
    rng = np.random.default_rng(5)
    board = wl.Leaderboard(pd.DataFrame(rng.integers(0, 12, size=(70, 9)), index=[f"m{i}" for i in range(70)]))
    signs = board.signs()
    weights = drawn(9, 6, count=3_000)
    found = StrictWinners(signs, np.ones(70, dtype=np.bool_)).positions(weights)
    assert found.tolist() == by_every_duel(signs, weights).tolist()
    assert len(np.unique(found)) > 10


def test_a_product_in_parts_is_the_product():
    rng = np.random.default_rng(0)
    left, right = rng.random((700, 300)), rng.random((300, 40))
    assert np.allclose(matrix_product(left, right), left @ right)
    assert matrix_product(left[:0], right).shape == (0, 40)
