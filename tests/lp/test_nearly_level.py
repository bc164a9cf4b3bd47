"""Leads and totals too small for floating point are told exactly, under every weighting that is drawn."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from weightlab.lp import WeightSpace

TWO = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1, "b": 2}})


@pytest.mark.parametrize("beyond", [Fraction(1, 10**12), Fraction(1, 10**17), Fraction(1, 10**30)])
def test_a_lead_that_is_the_same_everywhere_is_won_however_small(beyond):
    space = WeightSpace(TWO).fixed("x", Fraction(1, 2) + beyond)
    found = wl.lp.winning_shares(TWO, space=space, samples=300, rng=1)
    assert found.shares["share"].tolist() == [1, 0]
    assert wl.lp.duel_shares(TWO, space=space, samples=300, rng=1).shares.to_numpy().tolist() == [[0, 1], [0, 0]]
    ranks = wl.lp.rank_shares(TWO, rule="borda", space=space, samples=300, rng=1)
    assert ranks.shares[1].tolist() == [1, 0]
    assert found.verify(TWO)
    assert ranks.verify(TWO)


@pytest.mark.parametrize("beyond", [Fraction(1, 10**17), Fraction(1, 10**30)])
def test_so_it_is_where_conditions_tie_weights_to_each_other(beyond):
    board = wl.Leaderboard({"w": {"a": 1, "b": 0}, "x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}, "z": {"a": 0, "b": 1}})
    half = Fraction(1, 2) + beyond
    space = WeightSpace(board).at_least(["w", "x"], half).at_most(["w", "x"], half).no_less("w", "y")
    found = wl.lp.winning_shares(board, space=space, samples=300, rng=1)
    assert not found.draws.body.is_simplex
    assert found.shares["share"].tolist() == [1, 0]
    assert wl.lp.duel_shares(board, space=space, samples=300, rng=1).shares.loc["a", "b"] == 1
    for rule in ("mean", "borda"):
        assert wl.lp.rank_shares(board, rule=rule, space=space, samples=300, rng=1).shares[1].tolist() == [1, 0]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=4), st.integers(15, 30))
def test_ranks_by_the_mean_of_nearly_equal_scores_are_those_of_the_exact_means(rows, digits):
    step = Fraction(1, 10**digits)
    board = wl.Leaderboard(
        {task: {f"m{k}": 7 + row[n] * step for k, row in enumerate(rows)} for n, task in enumerate("xyz")}
    )
    found = wl.lp.rank_shares(board, samples=30, rng=1)
    expected = np.zeros((len(rows), len(rows)))
    for block in found.draws.blocks(30):
        for weights in block.tolist():
            means = [sum(a * Fraction(w) for a, w in zip(row, weights, strict=True)) for row in rows]
            for model, mean in enumerate(means):
                expected[model, sum(other > mean for other in means)] += 1 / 30
    assert np.allclose(found.shares.to_numpy(), expected)
    assert found.verify(board)


def test_a_model_ahead_in_the_last_digit_of_one_task_is_never_behind():
    board = wl.Leaderboard(
        {
            "x": {"a": 0.7000000000000001, "b": 0.7, "twin": 0.7, "c": 0.1},
            "y": {"a": 0.3, "b": 0.3, "twin": 0.3, "c": 0.9},
            "z": {"a": 0.2, "b": 0.2, "twin": 0.2, "c": 0.1},
        }
    )
    for space in (None, WeightSpace(board).no_less("x", "y"), WeightSpace(board).fixed("z", "1/5")):
        shares = wl.lp.rank_shares(board, samples=200, rng=1, space=space).shares
        assert shares.loc["b"].tolist() == shares.loc["twin"].tolist()
        assert shares.loc["b", 1] == 0
        assert shares.loc["b", 2] == shares.loc["a", 1] == pytest.approx(1 - shares.loc["c", 1])
        assert shares.loc["b", 3] == shares.loc["a", 2]
