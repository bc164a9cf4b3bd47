from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

import weightlab as wl
from tests.lp.unknown_scores.test_settle import RULES, asked, random_board
from weightlab.exceptions import InputError, ProofError
from weightlab.lp.unknown_scores.claims import judged


def least_of_all_sets(found):
    """Return the least cost of cells that prove a claim, by trying all sets."""
    spans, costs, best = found.spans, found.costs.ravel(), None
    for chosen in itertools.product([False, True], repeat=costs.size):
        cells = np.array(chosen).reshape(spans.scores.shape)
        cost = sum(costs[np.array(chosen)], Fraction(0))
        if (best is None or cost < best) and judged(spans.knowing(cells), found.claim, found.rows)[0] == "certain":
            best = cost
    return best


@pytest.mark.parametrize("seed", range(60))
def test_no_cheaper_scores_prove_the_claim(seed):
    rng = random.Random(seed)  # noqa: S311
    board = random_board(seed, models=3, tasks=3, complete=True)
    claim, k, _ = asked(seed, board)
    rule = RULES[seed % 3]
    prices = {(model, task): rng.randint(1, 4) for model in board.models for task in board.tasks}
    cost = rng.choice([None, {board.models[0]: 3}, prices])
    options = {"k": k, "rule": rule, "bounds": (0, 2), "cost": cost}
    found = wl.lp.settle(board, claim, **options)
    if found.verdict != "certain":
        with pytest.raises(InputError, match="does not hold"):
            wl.lp.least_proof(board, claim, **options)
        return
    least = wl.lp.least_proof(board, claim, **options)
    assert least.verify(board)
    assert type(least).from_dict(least.to_dict()).verify(board)
    truth = least_of_all_sets(found)
    assert least.bound <= truth <= least.cost
    if rule != "borda":
        assert least.cost == truth


def test_what_has_gaps_has_no_hindsight():
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": 80, "b": None}}, rule="mean")
    with pytest.raises(InputError, match="complete table"):
        wl.lp.least_proof(board, bounds=(0, 100))


def test_by_the_mean_some_score_has_bounds():
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": 80, "b": 30}})
    with pytest.raises(InputError, match=r"by mean scores need bounds on both sides.*; pass bounds='0:100'"):
        wl.lp.least_proof(board, rule="mean")
    assert wl.lp.least_proof(board, rule="mean", bounds={"x": (0, 100)}).cost > 0


def test_a_bound_that_is_forged_is_refused():
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": 80, "b": 30}}, rule="mean")
    found = wl.lp.least_proof(board, bounds=(0, 100))
    with pytest.raises(ProofError, match="the bound differs"):
        type(found).from_dict(found.to_dict() | {"bound": "1/1"}).verify(board)
