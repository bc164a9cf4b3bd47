"""Bets on bounded differences hold for every number of tasks, and rules of one point are judged by signs or by bets."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.studies import effects, rank_sets
from weightlab.studies.confidence.bounded import BETS, betting_intervals
from weightlab.studies.confidence.sign_tests import binomial_leads, counted_leads


def drawn(models=4, tasks=30, seed=0, decimals=1):
    rng = np.random.default_rng(seed)
    scores = (rng.uniform(0, 70, (models, tasks)) + 10 * np.arange(models)[::-1, None]).round(decimals)
    names = [f"m{place}" for place in range(models)], [f"t{place}" for place in range(tasks)]
    return wl.Leaderboard(scores, models=names[0], tasks=names[1])


def paid(gaps, weights, mean, reach):
    """Return what is won by betting on more than a mean, a task after the other."""
    purses = [1.0] * len(BETS)
    for gap, weight in zip(gaps, weights, strict=True):
        purses = [
            own * (1 + bet * weight / max(weights) * (gap - mean) / (reach + mean))
            for own, bet in zip(purses, BETS, strict=True)
        ]
    return sum(purses) / len(purses)


@settings(max_examples=12)
@given(dice=DICE)
def test_an_interval_ends_where_bets_against_its_end_win_enough(dice):
    rng = np.random.default_rng(dice.between(0, 999))
    tasks, level = dice.between(2, 40), dice.one_of([0.9, 0.95])
    values, weights = rng.uniform(0, 10, (tasks, 3)) + 2 * np.arange(3), rng.uniform(0.5, 2, tasks)
    found, needed = betting_intervals(values, weights, 14.0, level), 2 * 3 / (1 - level)
    for place, (one, other) in enumerate([(0, 1), (0, 2), (1, 2)]):
        gaps = values[:, one] - values[:, other]
        for end, sign in ((found.low[place], 1), (-found.high[place], -1)):
            assert end == -14.0 or paid(sign * gaps, weights, end, 14.0) >= needed * (1 - 1e-9)
            assert paid(sign * gaps, weights, end + 1e-4, 14.0) < needed
        assert found.low[place] <= found.difference[place] == pytest.approx(np.average(gaps, weights=weights))
        most = max(paid(gaps, weights, 0.0, 14.0), paid(-gaps, weights, 0.0, 14.0))
        assert found.p[place] >= min(1.0, 2 / most) - 1e-12
        assert (found.p[place] <= 1 - level) >= (found.low[place] > 0 or found.high[place] < 0)


@pytest.mark.parametrize("tasks", [3, 12, 60])
def test_all_intervals_hold_where_models_fail_rarely_whatever_the_number_of_tasks(tasks):
    missed = 0
    for seed in range(100):
        right = np.random.default_rng(seed).random((tasks, 6)) < np.linspace(0.02, 0.98, 6)
        found = betting_intervals(right.astype(float), np.ones(tasks), 1.0, 0.95)
        rows, columns = np.triu_indices(6, 1)
        true = (rows - columns) * 0.96 / 5
        missed += bool(((found.low > true) | (found.high < true)).any())
    assert missed <= 5


def test_the_bounded_mean_says_its_bounds_and_width_and_is_checked_with_its_table():
    board = drawn()
    found = rank_sets(board, "mean", method="bounded", bounds="0:100")
    assert found.verify(board)
    assert str(found).startswith("By average, ")
    assumed = "Assumed: independent tasks, all scores between 0 and 100."
    assert f"(bets on bounded differences with Bonferroni). {assumed}" in str(found)
    half = np.median(found.high - found.low) / 2
    assert f"Intervals reach {half:.3g} to either side (median of the pairs)." in str(found)
    again = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.verify(board)
    with pytest.raises(ProofError, match="another low of a pair"):
        replace(found, bounds=(0, 120)).verify(board)
    declared = wl.Leaderboard(board.scores, bounds=(0, 100))
    assert rank_sets(declared, "mean", method="bounded").low.tolist() == found.low.tolist()
    assert math.isnan(effects(declared, "mean", method="bounded").detectable[0])
    assert "do not say their power" in str(effects(declared, "mean", method="bounded"))
    groups = {f"g{place}": board.tasks[place::5] for place in range(5)}
    grouped = wl.Leaderboard(board.scores, bounds=(0, 100), groups=groups)
    assert rank_sets(grouped, "mean", over="groups", method="bounded").separated == 0
    assert rank_sets(grouped, "mean", method="bounded").low.tolist() == pytest.approx(found.low.tolist())


@pytest.mark.parametrize(
    ("rule", "given", "told"),
    [
        ("mean", {}, "the range of possible scores is needed"),
        ("mean", {"bounds": (0, 50)}, "some scores are outside the declared range from 0 to 50"),
        ("mean", {"bounds": (0, None)}, "range of possible scores"),
        ("borda", {"bounds": (0, 100)}, "bounds require the method 'bounded' and the mean"),
        ("copeland", {}, "sign tests of majorities are sure already"),
        ("optimality_gap", {"options": {"gamma": 50}}, "bounded differences are available for the mean and points"),
        ("mean", {"over": "votes"}, "the method bounded is of tasks"),
    ],
)
def test_what_has_no_bounds_is_refused(rule, given, told):
    with pytest.raises(InputError, match=told):
        rank_sets(drawn(), rule, method="bounded", **given)


def test_a_score_is_needed_of_every_model_where_means_are_bounded():
    scores = drawn().scores.copy()
    scores.iloc[0, 0] = np.nan
    with pytest.raises(InputError, match="bounded differences need every score"):
        rank_sets(wl.Leaderboard(scores), "mean", method="bounded", bounds=(0, 100))
    with pytest.raises(InputError, match="bounded differences need every score"):
        rank_sets(wl.Leaderboard(scores), "mean_rank", method="bounded", options={"missing": "skip"})
    found = rank_sets(wl.Leaderboard(scores), "borda", method="bounded", options={"missing": "last"})
    assert np.isfinite(found.low).all()


@pytest.mark.parametrize("rule", ["plurality", "veto", "k_approval"])
def test_rules_of_one_point_are_judged_by_signs_and_where_models_share_a_point_by_bets(rule):
    options = {"k": 2} if rule == "k_approval" else {}
    board = drawn(tasks=60, decimals=6)
    found = rank_sets(board, rule, options=options)
    assert found.method == "sign_tests"
    assert found.verify(board)
    places = board.scores.rank(ascending=False).to_numpy().T
    points = {"plurality": places == 1, "veto": places < 4, "k_approval": places <= 2}[rule].astype(float)
    own = binomial_leads(*counted_leads(points), 0.95)
    assert found.low.tolist() == own.low.tolist()
    assert found.order == tuple(np.array(board.models)[np.argsort(-points.sum(axis=0), kind="stable")])
    sizes = effects(board, rule, options=options)
    assert sizes.verify(board)
    assert "in wins less losses as a share of the tasks" in str(effects(board, rule, options=options, margin=0.9))
    tied = wl.Leaderboard(drawn(tasks=60, decimals=-1).scores)
    shared = rank_sets(tied, rule, options=options)
    assert (shared.method, shared.bounds) == ("bounded", None)
    assert shared.verify(tied)
    weighed = rank_sets(board.with_weights([1 + place % 2 for place in range(60)]), rule, options=options)
    assert weighed.method == "bounded"
