"""Winning shares: against closed forms, with intervals that cover and zeros that are proved."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import cuts_of, space_of
from tests.strategies import boards
from weightlab._result import Proof, result_from_dict
from weightlab.lp.sampling.draws import Method

CYCLE = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}})
"""a wins when x has more than half of the weight, b with y, c with z; otherwise they beat each other in a cycle."""

TWO = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})


def covers(row, share):
    return row["low"] < share < row["high"]


@pytest.mark.parametrize("prior", [None, 3, "1/2", {"x": 2, "y": 5}, [4, "0.3"]])
def test_two_tasks_win_as_often_as_a_beta_variable_is_above_one_half(prior):
    x, y = {None: (1, 1), 3: (3, 3), "1/2": (0.5, 0.5)}.get(
        prior if not isinstance(prior, dict | list) else (), (2, 5) if isinstance(prior, dict) else (4, 0.3)
    )
    found = wl.lp.winning_shares(TWO, rng=11, prior=prior)
    above = stats.beta(x, y).sf(0.5)
    assert covers(found.shares.loc["a"], above)
    assert covers(found.shares.loc["c"], 1 - above)
    assert found.shares.loc["b"].tolist() == [0, 0, 0, False]
    assert found.no_winner["share"] == 0


def test_three_tasks_in_a_cycle_share_four_equal_triangles():
    found = wl.lp.winning_shares(CYCLE, rng=3)
    assert all(covers(found.shares.loc[model], 1 / 4) for model in "abc")
    assert covers(found.no_winner, 1 / 4)
    assert found.shares["positive"].all()
    # The centre of the triangle with corners x, (x + y) / 2 and (x + z) / 2.
    assert np.allclose(found.central_weights.loc["a"], [2 / 3, 1 / 6, 1 / 6], atol=0.01)


def test_a_task_that_is_there_twice_counts_as_a_concentration_of_two():
    twice = wl.Leaderboard(CYCLE.scores.assign(again=CYCLE.scores["x"]))
    doubled = wl.lp.winning_shares(twice, rng=0)
    single = wl.lp.winning_shares(CYCLE, rng=1, prior={"x": 2, "y": 1, "z": 1})
    # P(w_x > 1/2) for a beta variable of 2 and 2 is 1/2, and of 1 and 3 is 1/8.
    for found in (doubled, single):
        assert covers(found.shares.loc["a"], 1 / 2)
        assert covers(found.shares.loc["b"], 1 / 8)


@settings(max_examples=25, deadline=None)
@given(board=boards(models=(2, 5), tasks=(1, 4), plain=True, tolerant=True), dice=DICE)
def test_shares_add_up_and_whoever_cannot_win_has_none(board, dice):
    drawn = cuts_of(dice, board.tasks, 0, 2)
    space = space_of(list(board.tasks), drawn)
    try:
        found = wl.lp.winning_shares(board, samples=300, rng=1, space=space)
    except wl.EmptySpaceError:
        return
    shares = found.shares
    assert np.isclose(shares["share"].sum() + found.no_winner["share"], 1)
    assert (shares["low"] <= shares["share"]).all()
    assert (shares["share"] <= shares["high"]).all()
    strict = wl.lp.prospects(board, space=space).verdicts == "strict"
    assert shares["positive"].tolist() == strict.tolist()
    assert not shares.loc[~strict.to_numpy(), "high"].any()
    assert (shares.loc[strict.to_numpy(), "high"] > 0).all()
    assert found.verify(board)


@settings(max_examples=25, deadline=None)
@given(board=boards(models=(2, 5), tasks=(2, 4), plain=True))
def test_central_weights_are_weights_under_which_the_model_wins(board):
    # Weights under which a model wins are convex, so their mean is one of them.
    found = wl.lp.winning_shares(board, samples=200, rng=2)
    for model, weights in found.central_weights.iterrows():
        assert np.isclose(weights.sum(), 1)
        assert min(board.signs().of(model).to_numpy() @ weights.to_numpy()) > 0


def test_a_table_without_signs_has_no_winner_for_certain():
    found = wl.lp.winning_shares(wl.Leaderboard({"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": None}}), samples=50, rng=0)
    assert found.no_winner.tolist() == [1, 1, 1]
    assert str(found) == "Of 50 weightings drawn uniformly none has a Condorcet winner: no model can win head-to-head."


def test_a_possible_winner_that_never_won_is_said_to_be_possible():
    tasks = {f"t{number}": {"a": 0, "b": 1} for number in range(40)}
    found = wl.lp.winning_shares(wl.Leaderboard({"only": {"a": 1, "b": 0}, **tasks}), samples=100, rng=0)
    share, low, high, positive = found.shares.loc["a"]
    assert (share, low, positive) == (0, 0, True)
    assert high == pytest.approx(1 - 0.025 ** (1 / 100))


def test_a_space_of_one_weighting_has_an_exact_answer():
    space = wl.lp.WeightSpace(CYCLE).near([3, 1, 1], 0)
    found = wl.lp.winning_shares(CYCLE, space=space)
    assert found.shares[["share", "low", "high"]].to_numpy().tolist() == [[1, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert found.no_winner.tolist() == [0, 0, 0]
    assert (found.proof, found.draws.samples, found.verify(CYCLE)) == (Proof.EXACT, 1, True)
    tied = wl.lp.winning_shares(CYCLE, space=wl.lp.WeightSpace(CYCLE).fixed("x", "1/2").fixed("y", "1/2"))
    assert tied.no_winner.tolist() == [1, 1, 1]


def test_a_duel_that_is_tied_on_the_whole_space_is_never_won():
    # With half of the weight on x, a leads b on x alone and trails it elsewhere: exactly level, whatever rounding says.
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}, "z": {"a": 0, "b": 1}})
    for space in (wl.lp.WeightSpace(board).fixed("x", "1/2"), wl.lp.WeightSpace(board).fixed(["y", "z"], "1/2")):
        found = wl.lp.winning_shares(board, samples=500, rng=0, space=space)
        assert found.no_winner.tolist() == [1, 1, 1]
        assert not wl.lp.duel_shares(board, samples=500, rng=0, space=space).shares.to_numpy().any()


def test_shares_inside_a_space_are_of_its_own_dimension():
    # On the triangle y = z the corners are x and (y + z) / 2: x has more than half the weight on half of the line.
    space = wl.lp.WeightSpace(CYCLE).no_less("y", "z").no_less("z", "y")
    found = wl.lp.winning_shares(CYCLE, rng=5, space=space)
    assert found.draws.method is Method.CHAINS
    assert covers(found.shares.loc["a"], 1 / 2)
    assert found.shares["positive"].tolist() == [True, False, False]


def test_intervals_of_independent_draws_cover():
    rows = [wl.lp.winning_shares(CYCLE, samples=60, rng=seed).shares for seed in range(150)]
    assert sum(covers(shares.loc["b"], 1 / 4) for shares in rows) >= 137


def test_intervals_of_chains_cover():
    tasks = ["x", "y", "z", "v", "w"]
    scores = {"x": {"a": 1, "b": 0}} | {task: {"a": 0, "b": 1} for task in tasks[1:]}
    board = wl.Leaderboard(scores)
    # v = w: x, y, z and 2 v are uniform on a simplex, and x is above one half on an eighth of it.
    space = wl.lp.WeightSpace(tasks).no_less("v", "w").no_less("w", "v")
    known = wl.lp.prospects(board, space=space)
    rows = [wl.lp.winning_shares(board, samples=500, rng=s, space=space, known=known).shares for s in range(25)]
    assert sum(covers(shares.loc["a"], 1 / 8) for shares in rows) >= 22


def test_the_same_seed_gives_the_same_answer_and_generators_move_on():
    one, same, other = (wl.lp.winning_shares(CYCLE, samples=500, rng=seed) for seed in (4, 4, 5))
    assert one.to_dict() == same.to_dict()
    assert one.to_dict() != other.to_dict()
    generator = np.random.default_rng(4)
    first, second = (wl.lp.winning_shares(CYCLE, samples=500, rng=generator) for _ in range(2))
    assert first.draws.seed != second.draws.seed
    assert wl.lp.winning_shares(CYCLE, samples=500, rng=first.draws.seed).to_dict() == first.to_dict()
    assert wl.lp.winning_shares(CYCLE, samples=50).verify(CYCLE)


def test_prospects_that_are_known_must_be_about_the_same_question():
    known = wl.lp.prospects(CYCLE)
    assert wl.lp.winning_shares(CYCLE, samples=50, rng=0, known=known).prospects is known
    for board, space in ((TWO, None), (CYCLE, wl.lp.WeightSpace(CYCLE).at_most("x", "0.9"))):
        with pytest.raises(wl.InputError, match="known= must be the prospects of the same table"):
            wl.lp.winning_shares(board, samples=50, rng=0, space=space, known=known)


def test_an_empty_space_is_refused_with_the_conditions_that_contradict_each_other():
    space = wl.lp.WeightSpace(CYCLE).at_least("x", "0.6").at_least("y", "0.6")
    with pytest.raises(wl.EmptySpaceError, match="x at least 3/5; y at least 3/5"):
        wl.lp.winning_shares(CYCLE, space=space)


def test_most_models_of_a_random_table_can_win_and_few_do():
    scores = np.random.default_rng(8).random((200, 50))
    frame = pd.DataFrame(scores, index=[f"m{number}" for number in range(200)])
    board = wl.Leaderboard(frame)
    found = wl.lp.winning_shares(board, rng=0)
    assert found.shares["positive"].sum() >= 190
    assert (found.shares["share"] > 0.01).sum() <= 10
    assert found.no_winner["share"] > 0.9


def test_what_is_said_is_what_was_found():
    found = wl.lp.winning_shares(CYCLE, samples=2_000, rng=3)
    share, low, high = (
        f"{one:.1%}" for one in found.shares.loc[found.shares["share"].idxmax(), ["share", "low", "high"]]
    )
    assert f"under {share} (95% interval {low} to {high})" in str(found)
    space = wl.lp.WeightSpace(CYCLE).no_less("y", "z").no_less("z", "y")
    chained = wl.lp.winning_shares(CYCLE, samples=250, rng=3, space=space)
    assert chained.draws.samples == 300
    assert "300 weightings drawn uniformly by 100 hit-and-run chains" in str(chained)
    assert str(chained).endswith("Conditions: y at least z; z at least y.")
    assert "a Dirichlet density" in str(wl.lp.winning_shares(CYCLE, samples=50, rng=3, prior=2))
    assert chained.summary()["share"].is_monotonic_decreasing
    assert chained.proof is Proof.SAMPLED


def test_a_sample_that_is_not_drawn_again_proves_nothing_and_is_refuted_where_chance_does_not_explain_it():
    found = wl.lp.winning_shares(CYCLE, samples=2_000, rng=3)
    another = wl.lp.winning_shares(CYCLE, samples=2_000, rng=4)
    assert dataclasses.replace(found, draws=dataclasses.replace(found.draws, numpy="1.0.0")).verify(CYCLE)
    with pytest.raises(wl.UnprovedError, match=r"than by NumPy 1\.0\.0 .* agree as far as chance goes"):
        dataclasses.replace(another, draws=dataclasses.replace(found.draws, numpy="1.0.0")).verify(CYCLE)
    document = wl.lp.winning_shares(CYCLE, samples=2_000, rng=4, prior={"x": 3, "y": 1, "z": 1}).to_dict()
    document["draws"] = found.draws.to_dict()
    with pytest.raises(wl.ProofError, match="chance does not explain"):
        result_from_dict(document).verify(CYCLE)


def test_a_sample_drawn_where_products_round_another_way_is_no_forgery():
    script = (
        "import json, weightlab as wl; board = wl.datasets.load_leaderboard('classifiers');"
        "space = wl.lp.WeightSpace(board).fixed(wl.group('speed'), '0.2').at_least(wl.group('accuracy'), '0.5');"
        "print(json.dumps(wl.lp.winning_shares(board, samples=200, rng=0, space=space).to_dict()))"
    )
    # OpenBLAS then multiplies as it does on a processor of 2008; other libraries of linear algebra do not listen.
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"OPENBLAS_CORETYPE": "Nehalem", "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=True,
    )
    document = json.loads(run.stdout)
    assert document["draws"]["method"] == "hit-and-run"
    found = result_from_dict(document)
    if wl.lp.winning_shares(found.prospects.signs, samples=200, rng=0, space=found.space).to_dict() == document:
        assert found.verify()
    else:
        with pytest.raises(wl.UnprovedError, match="draws other weightings here"):
            found.verify()
