"""Shares of ranks and of duels: against exact ranks and leads under the very weights that were drawn."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import cuts_of, space_of
from tests.strategies import boards
from weightlab._result import Proof

SMALL = {"models": (2, 4), "tasks": (1, 4), "plain": True}
CYCLE = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}})


def exact(draws):
    """Yield the weightings as the fractions that their floats are."""
    for block in draws.blocks(50):
        for row in block:
            yield [Fraction(one) for one in row.tolist()]


def ranks(points, weights):
    totals = [sum(a * b for a, b in zip(row, weights, strict=True)) for row in points.numerators.tolist()]
    return [1 + sum(other > total for other in totals) for total in totals]


@pytest.mark.parametrize("rule", ["mean", "borda", "plurality", "veto", "dowdall"])
@settings(max_examples=12, deadline=None)
@given(board=boards(missing=False, **SMALL))
def test_ranks_are_those_of_exact_totals(board, rule):
    found = wl.lp.rank_shares(board, rule=rule, samples=40, rng=1)
    expected = np.zeros((len(board.models), len(board.models)))
    for weights in exact(found.draws):
        for model, rank in enumerate(ranks(found.points, weights)):
            expected[model, rank - 1] += 1 / found.draws.samples
    assert np.allclose(found.shares.to_numpy(), expected)
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert found.verify(board)


@settings(max_examples=25, deadline=None)
@given(board=boards(tolerant=True, **SMALL))
def test_duels_are_those_of_exact_leads(board):
    found = wl.lp.duel_shares(board, samples=40, rng=1)
    signs = board.signs()
    for row, model in enumerate(board.models):
        for column, rival in enumerate(board.models):
            duel = signs.over_all(row)[column].tolist()
            won = [sum(a * b for a, b in zip(duel, weights, strict=True)) > 0 for weights in exact(found.draws)]
            assert found.shares.loc[model, rival] == pytest.approx(sum(won) / found.draws.samples)
            assert found.tied.loc[model, rival] == (not any(duel))
    assert found.verify(board)


@settings(max_examples=20, deadline=None)
@given(board=boards(missing=False, **SMALL), dice=DICE)
def test_inside_a_space_shares_lie_in_their_intervals_and_verify(board, dice):
    space = space_of(list(board.tasks), cuts_of(dice, board.tasks, 1, 2))
    try:
        found = wl.lp.rank_shares(board, rule="borda", samples=100, rng=1, space=space)
    except wl.EmptySpaceError:
        return
    assert ((found.low <= found.shares + 1e-12) & (found.shares <= found.high + 1e-12)).all(axis=None)
    assert found.verify(board)
    duels = wl.lp.duel_shares(board, samples=100, rng=1, space=space)
    assert ((duels.low <= duels.shares + 1e-12) & (duels.shares <= duels.high + 1e-12)).all(axis=None)
    assert np.allclose((duels.shares + duels.shares.T).where(~duels.tied, 1), 1)
    assert duels.verify(board)


@pytest.mark.parametrize(
    "space",
    [
        wl.lp.WeightSpace(["x", "y", "z"]).no_less("x", "y").no_less("y", "x"),
        wl.lp.WeightSpace(["x", "y", "z"]).fixed("x", "1/3").fixed("y", "1/3"),
    ],
)
def test_models_that_tie_on_the_whole_space_tie_under_every_weighting(space):
    board = wl.Leaderboard({"x": {"a": 0.7, "b": 0.1}, "y": {"a": 0.1, "b": 0.7}, "z": {"a": 0.3, "b": 0.3}})
    for rule in ("mean", "borda"):
        found = wl.lp.rank_shares(board, rule=rule, samples=200, rng=0, space=space)
        assert found.shares[1].tolist() == [1, 1]
    duels = wl.lp.duel_shares(board, samples=200, rng=0, space=space)
    assert duels.tied.to_numpy().all()
    assert not duels.high.to_numpy().any()
    assert str(duels).startswith("Every pair of models ties under all weights.")


def test_three_tasks_in_a_cycle_are_first_by_plurality_a_third_of_the_time():
    found = wl.lp.rank_shares(CYCLE, rule="plurality", rng=2)
    for model in "abc":
        assert found.low.loc[model, 1] < 1 / 3 < found.high.loc[model, 1]
    # The largest of three uniform shares is 11/18 on average.
    assert found.central_weights.loc["a", "x"] == pytest.approx(11 / 18, abs=0.01)
    assert found.mean_rank.sum() == pytest.approx(6)
    assert "is first by plurality most often, under 3" in str(found)
    assert list(found.summary().columns) == [1, 2, 3, "mean"]


def test_a_duel_is_won_as_often_as_its_tasks_weigh_more_than_half():
    found = wl.lp.duel_shares(CYCLE, rng=2)
    assert found.low.loc["a", "b"] < 3 / 4 < found.high.loc["a", "b"]
    assert (found.shares + found.shares.T).loc["a", "b"] == pytest.approx(1)
    assert found.proof is Proof.SAMPLED
    assert "The head-to-head nearest to even" in str(found)


def test_duels_that_few_tasks_decide_and_others_are_those_of_all_leads():
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(40, 1)) + rng.normal(size=(40, 20)).round(1) / 2
    scores[rng.random(scores.shape) < 0.1] = np.nan
    models, tasks = ([f"{kind}{place}" for place in range(count)] for kind, count in (("m", 40), ("t", 20)))
    board = wl.Leaderboard(pd.DataFrame(scores, models, tasks), tolerance={"t0": "0.2"})
    found = wl.lp.duel_shares(board, samples=5_000, rng=1)
    weights, signs = np.concatenate(list(found.draws.blocks(5_000))), board.signs()
    every = [(weights @ signs.over_all(model).T > 0).sum(axis=0).tolist() for model in range(40)]
    assert found.wins.counts.tolist() == every
    assert 100 < (np.array(every) == 5_000).sum() < 700


def test_duels_that_hang_on_the_ninth_decimal_of_a_weight_are_told_apart():
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}})
    space = wl.lp.WeightSpace(board).near(None, Fraction(1, 10**9))
    shares = wl.lp.duel_shares(board, samples=400, rng=0, space=space).shares
    assert shares.loc["a", "b"] + shares.loc["b", "a"] == 1
    assert 1 / 4 < shares.loc["a", "b"] < 3 / 4


def test_one_weighting_has_exact_ranks_and_duels():
    # Floats make 0.1 + 0.2 more than 0.3; the totals here are level.
    board = wl.Leaderboard({"x": {"a": "0.1", "b": "0.3"}, "y": {"a": "0.2", "b": "0"}})
    space = wl.lp.WeightSpace(board).fixed("x", "1/2")
    found = wl.lp.rank_shares(board, samples=100, space=space)
    assert found.shares.to_numpy().tolist() == [[1, 0], [1, 0]]
    assert (found.proof, found.verify(board)) == (Proof.EXACT, True)
    duels = wl.lp.duel_shares(board, space=space)
    assert duels.shares.to_numpy().tolist() == [[0, 0], [0, 0]]
    assert duels.proof is Proof.EXACT


def test_rules_options_and_missing_scores_are_as_elsewhere():
    board = wl.Leaderboard({"x": {"a": 1, "b": None, "c": 2}, "y": {"a": 1, "b": 3, "c": 1}})
    with pytest.raises(wl.MissingScoresError):
        wl.lp.rank_shares(board, rule="borda")
    with pytest.raises(wl.UnknownNameError, match="no linear rule named 'copeland'"):
        wl.lp.rank_shares(board, rule="copeland")
    found = wl.lp.rank_shares(board, rule=[3, 1, 0], missing="last", ties="max", samples=50, rng=0)
    assert found.verify(board)
    assert np.isclose(found.shares.to_numpy().sum(), 3)


def test_points_by_another_rule_are_refused():
    found = wl.lp.rank_shares(CYCLE, rule="borda", samples=50, rng=0)
    document = found.to_dict()
    document["rule"] = wl.lp.rank_shares(CYCLE, rule="dowdall", samples=50, rng=0).rule.to_dict()
    with pytest.raises(wl.ProofError, match="by the rule dowdall, not"):
        type(found).from_dict(document).verify()


def test_scores_of_many_digits_keep_their_differences():
    board = wl.Leaderboard({"x": {"a": "10000000000000001", "b": "10000000000000000"}})
    assert wl.lp.rank_shares(board, samples=10, rng=0).shares[1].tolist() == [1, 0]
