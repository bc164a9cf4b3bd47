"""Rank sets with gaps: each pair on the tasks that both have, as counted one by one; right where gaps are random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError
from weightlab.rules import rule
from weightlab.studies import rank_sets
from weightlab.studies.confidence.contributions import pairwise_values, shares, task_strata
from weightlab.studies.confidence.simultaneous import mean_intervals

SKIP = {"missing": "skip"}


def board_of(scores, **given):
    """Return the board of scores, models x tasks."""
    models, tasks = ([f"{letter}{k}" for k in range(size)] for letter, size in zip("mt", scores.shape, strict=True))
    return wl.Leaderboard(scores, models=models, tasks=tasks, **given)


@settings(max_examples=12)
@given(dice=DICE)
def test_scores_are_the_shares_won_of_common_tasks_summed_over_rivals(dice):
    scores = np.array([dice.many_of(range(5), 12) for _ in range(4)], dtype=float)
    for place in range(dice.between(0, 4)):
        scores[place % 4, dice.between(0, 11)] = np.nan
    weights = {f"t{k}": dice.between(1, 3) for k in range(12)}
    board = board_of(scores, weights=weights)
    found = shares(board) @ pairwise_values(board, rule("borda", missing="skip"))
    weight = np.array(list(weights.values()))
    for model in range(4):
        expected = 0.0
        for rival in set(range(4)) - {model}:
            both = ~np.isnan(scores[model] + scores[rival])
            won = (scores[model] > scores[rival]) + (scores[model] == scores[rival]) / 2
            expected += (won * weight)[both].sum() / weight[both].sum()
        assert found[model] == pytest.approx(expected)


@pytest.mark.parametrize("name", ["borda", "mean_rank", "mean_win_rate"])
def test_without_gaps_they_are_the_sets_of_the_rule(name):
    board = board_of(np.random.default_rng(0).standard_normal((5, 14)).round(3) + np.arange(5)[:, None])
    plain, skipped = rank_sets(board, name), rank_sets(board, name, options=SKIP)
    for part in ("difference", "low", "high", "p"):
        np.testing.assert_allclose(getattr(plain, part), getattr(skipped, part), atol=1e-9)


@settings(max_examples=12)
@given(dice=DICE)
def test_sets_stand_in_the_order_of_the_ranking_that_skips_missing_scores(dice):
    scores = np.array([dice.many_of(range(9), 12) for _ in range(4)], dtype=float)
    scores[:, 11] = range(4)
    for place in range(dice.between(0, 4)):
        scores[place % 4, dice.between(0, 10)] = np.nan
    board = board_of(scores)
    places = wl.rules.rank(board, "borda", missing="skip").ranks
    assert [places[model] for model in rank_sets(board, "borda", options=SKIP).order] == sorted(places)


@pytest.mark.parametrize(("name", "own"), [("borda", False), ("mean_rank", True), ("mean_win_rate", True)])
def test_it_is_said_where_the_ranking_averages_over_other_tasks_than_the_pairs_share(name, own):
    scores = np.random.default_rng(1).standard_normal((4, 15)).round(3) + np.arange(4)[:, None]
    scores[0, 3] = np.nan
    told = str(rank_sets(board_of(scores), name, options=SKIP))
    assert (f"(a ranking {rule_words(name)} is over the tasks that each model has)" in told) is own
    assert "(a ranking by average is over" in str(rank_sets(board_of(scores), "mean"))
    assert "Each pair" not in str(rank_sets(board_of(scores[1:]), "mean"))


def test_where_no_model_has_every_score_pairs_are_offered_and_can_be_compared():
    scores = np.random.default_rng(4).standard_normal((3, 9)).round(3)
    scores[[0, 1, 2], [0, 1, 2]] = np.nan
    with pytest.raises(InputError, match="only 0 of 3 models have every score") as caught:
        rank_sets(board_of(scores), "mean_rank")
    first = caught.value.cure[0]
    assert (first.argument, first.value) == ("missing", "skip")
    assert rank_sets(board_of(scores), "mean_rank", options={first.argument: first.value}).incomplete == ()
    scores[0, 3:6] = np.nan
    with pytest.raises(InputError) as caught:
        rank_sets(board_of(scores), "mean_rank")
    assert all(cure.argument != "missing" for cure in caught.value.cure)


def test_no_model_is_left_out_the_assumption_is_said_and_it_is_proved():
    scores = np.random.default_rng(1).standard_normal((4, 15)).round(3) + np.arange(4)[:, None]
    scores[0, 3] = scores[2, 7] = np.nan
    board = board_of(scores)
    found = rank_sets(board, "mean_rank", options=SKIP)
    assert found.incomplete == ()
    assert "Each pair is compared on the tasks that both have" in str(found)
    assert result_from_dict(found.to_dict()).verify(board)
    assert rank_sets(board, "mean_rank").incomplete == ("m0", "m2")


def test_pairs_with_few_tasks_in_common_are_refused_by_name():
    scores = np.random.default_rng(2).standard_normal((3, 8)).round(3)
    scores[0, :4], scores[1, 7] = np.nan, np.nan
    with pytest.raises(InputError, match=r"'m0' and 'm1' both .* 3 tasks; pairs are .* 5 or more") as caught:
        rank_sets(board_of(scores), "borda", options=SKIP)
    cure = caught.value.cure[0]
    assert rank_sets(board_of(scores), "borda", options={cure.argument: cure.value}).incomplete == ()


@pytest.mark.parametrize("gap", [0.0, 0.5])
def test_all_intervals_hold_together_where_scores_are_missing_at_random(gap):
    rng, held, asked = np.random.default_rng(3), 0, rule("borda", missing="skip")
    means = -gap * np.arange(6)
    truth = stats.norm.cdf((means[:, None] - means) / 2**0.5).sum(axis=1)
    rows, columns = np.triu_indices(6, 1)
    for _ in range(150):
        scores = rng.standard_normal((6, 27)) + means[:, None]
        board = board_of(np.where(rng.random((6, 27)) < 0.2, np.nan, scores).round(6))
        strata = task_strata(board, pairwise_values(board, asked))
        _, joint = mean_intervals(strata, places=True, level=0.95, repeats=100, seed=0)
        difference = truth[rows] - truth[columns]
        held += bool(((joint.low <= difference) & (difference <= joint.high)).all())
    assert held >= 132  # of 150 at 0.95; fewer has a chance below 0.1%
