"""Friedman's, Nemenyi's and Wilcoxon's tests say what counting all cases, scipy and the packages of the field say."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.studies import rank_sets
from weightlab.studies.confidence.rank_tests import friedman, nemenyi, range_tail, task_ranks, wilcoxon

FEW = settings(max_examples=15)


def board_of(scores, **given):
    """Return the board of scores, tasks x models."""
    models, tasks = (
        [f"{letter}{place}" for place in range(count)] for letter, count in zip("mt", scores.T.shape, strict=True)
    )
    return wl.Leaderboard(scores.T, models=models, tasks=tasks, **given)


def drawn(tasks=27, models=10, gap=0.3, seed=0):
    return np.random.default_rng(seed).exponential(size=(tasks, models)).round(6) + gap * np.arange(models)


def upper(matrix):
    return np.asarray(matrix)[np.triu_indices(len(matrix), 1)]


@FEW
@given(dice=DICE)
def test_friedman_with_ties_is_that_of_scipy(dice):
    scores = np.array([dice.many_of(range(4), 4) for _ in range(dice.between(3, 9))])
    ranks = task_ranks(board_of(scores))
    np.testing.assert_allclose(ranks, stats.rankdata(-scores, axis=1))
    found = friedman(ranks)
    if (scores == scores[:, :1]).all():
        assert (found.statistic, found.p) == (0.0, 1.0)
        return
    with np.errstate(all="raise"):
        statistic, p = stats.friedmanchisquare(*scores.T)
    assert (found.statistic, found.p) == pytest.approx((statistic, p))


@FEW
@given(dice=DICE)
def test_signed_ranks_are_those_of_all_signs_and_ties_and_zeros_are_counted_as_they_are(dice):
    first, second = (np.array(dice.many_of(range(5), 8)) for _ in range(2))
    gaps = [gap for gap in (first - second).tolist() if gap]
    ranks = stats.rankdata(np.abs(gaps)) if gaps else np.array([])
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(gaps))
    ]
    own = sum(rank for rank, gap in zip(ranks, gaps, strict=True) if gap > 0)
    least = min(own, ranks.sum() - own)
    expected = min(1.0, 2 * np.mean([one <= least + 1e-9 for one in sums]))
    found = wilcoxon(board_of(np.stack([first, second], axis=1)))
    assert found.p[0] == pytest.approx(expected)
    assert found.difference[0] == pytest.approx((2 * own - ranks.sum()) / ranks.sum() if gaps else 0.0)


@pytest.mark.parametrize("tasks", [12, 50, 80])
def test_without_ties_signed_ranks_are_those_of_scipy(tasks):
    scores = drawn(tasks, 2, 0.2)
    expected = stats.wilcoxon(*scores.T, method="exact" if tasks <= 50 else "approx").pvalue
    assert wilcoxon(board_of(scores)).p[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("models", [2, 10, 97])
def test_the_studentised_range_is_that_of_scipy(models):
    at = np.array([0.0, 0.7, 2.5, 3.6, 5.8])
    np.testing.assert_allclose(range_tail(at, models), stats.studentized_range.sf(at, models, np.inf), atol=1e-9)


def test_a_pair_is_separated_by_nemenyi_exactly_where_its_interval_is_on_one_side():
    found = rank_sets(board_of(drawn()), "mean_rank", method="nemenyi")
    apart = (found.low > 0) | (found.high < 0)
    np.testing.assert_array_equal(apart, found.p <= 0.05)
    assert found.separated == apart.sum() > 0
    np.testing.assert_allclose(found.mean_ranks, stats.rankdata(-drawn(), axis=1).mean(axis=0))


@pytest.mark.parametrize("method", ["nemenyi", "wilcoxon"])
def test_it_travels_is_proved_and_a_forged_one_is_refused(method):
    board = board_of(drawn(15, 5))
    found = rank_sets(board, "borda", method=method)
    again = result_from_dict(found.to_dict())
    assert again.verify(board)
    assert again.order == tuple(f"m{place}" for place in np.argsort(again.mean_ranks))
    assert f"Friedman's test: chi-squared {found.friedman.statistic:.3g}, 4 df" in str(found)
    with pytest.raises(ProofError, match="Friedman's test of the source"):
        replace(found, friedman=replace(found.friedman, p=0.5)).verify(board)
    with pytest.raises(ProofError, match="the average ranks are not"):
        replace(found, mean_ranks=found.mean_ranks + 0.5).verify(board)
    with pytest.raises(InputError, match="belongs to the methods"):
        replace(found, friedman=None)


def test_the_chance_of_any_wrong_separation_is_at_most_the_level():
    wrong = dict.fromkeys(("nemenyi", "wilcoxon"), 0)
    for seed in range(200):
        board = board_of(drawn(20, 6, 0.0, seed))
        wrong["nemenyi"] += (nemenyi(task_ranks(board), 0.95).p <= 0.05).any()
        wrong["wilcoxon"] += (wilcoxon(board).p <= 0.05).any()
    assert max(wrong.values()) <= 20  # of 200 at 5%; more has a chance of 1 in 2,000


@pytest.mark.parametrize(
    ("board", "given", "words"),
    [
        (board_of(drawn(5, 3)), {"rule": "mean"}, "are of average ranks: ask by Borda or mean_rank, not mean"),
        (board_of(drawn(5, 3)), {"over": "groups"}, "is of tasks that are drawn"),
        (board_of(drawn(5, 3), weights={"t1": 2}), {}, "count every task once"),
        (
            wl.Leaderboard({"x": {"a": 1, "b": None}, "y": {"a": 1, "b": 2}}),
            {"options": {"missing": "last"}},
            "every score",
        ),
    ],
)
def test_what_the_tests_do_not_read_is_refused(board, given, words):
    rule = given.pop("rule", "borda")
    with pytest.raises(InputError, match=words):
        rank_sets(board, rule, method="nemenyi", **given)


def test_nemenyis_p_values_of_many_pairs_are_those_of_each_by_itself():
    ranks = stats.rankdata(drawn(6, 120, 0.01), axis=1)
    found, unit = nemenyi(ranks, 0.95), np.sqrt(120 * 121 / (12 * 6))
    few = np.random.default_rng(0).choice(len(found.p), 40)
    np.testing.assert_allclose(found.p[few], range_tail(np.abs(found.difference[few]) / unit, 120), atol=1e-12)


def peer(name):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is absent: it gives the second opinion (extra 'peers')")
    return importlib.import_module(name)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_nemenyi_and_wilcoxon_are_those_of_scikit_posthocs():
    posthocs, scores = peer("scikit_posthocs"), drawn()
    board = board_of(scores)
    np.testing.assert_allclose(
        nemenyi(task_ranks(board), 0.95).p, upper(posthocs.posthoc_nemenyi_friedman(-scores)), atol=1e-9
    )
    theirs = posthocs.posthoc_wilcoxon(list(scores.T), p_adjust="holm")
    np.testing.assert_allclose(wilcoxon(board).p, upper(theirs), rtol=1e-9)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_average_ranks_the_omnibus_test_and_the_critical_difference_are_those_of_autorank():
    ranker, scores = peer("autorank"), drawn()
    frame = pd.DataFrame(scores, columns=[f"m{place}" for place in range(10)])
    theirs = ranker.autorank(frame, alpha=0.05, verbose=False, force_mode="nonparametric")
    found = rank_sets(board_of(scores), "borda", method="nemenyi")
    assert (theirs.omnibus, theirs.posthoc) == ("friedman", "nemenyi")
    assert found.friedman.p == pytest.approx(theirs.pvalue)
    assert found.high[0] - found.difference[0] == pytest.approx(theirs.cd, rel=1e-4)  # theirs is from a table
    np.testing.assert_allclose(found.mean_ranks, theirs.rankdf.loc[list(found.models), "meanrank"])
