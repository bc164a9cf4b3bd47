"""Rank sets hold together, are no wider than Bonferroni's, and are worked out as the slow twins do, pair by pair."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from tests.studies.confidence import brute_force
from weightlab._result import result_from_dict
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import InputError, ProofError
from weightlab.studies import rank_sets
from weightlab.studies.confidence import drawn_tasks, simultaneous
from weightlab.studies.confidence.contributions import group_stratum, place_bounds, task_values
from weightlab.studies.confidence.letters import compact_letters
from weightlab.studies.confidence.new_tasks import least_tasks
from weightlab.studies.confidence.sign_tests import CONSISTENT, binomial_leads, majority_ranks
from weightlab.studies.confidence.simultaneous import (
    Stratum,
    bootstrap_t,
    chance_alike,
    estimated,
    holm,
    joint_intervals,
    mean_intervals,
    reach_of,
)

FEW = settings(max_examples=12)
MAJORITY = ["copeland", "minimax", "schulze", "kemeny"]
LINEAR = ["mean", "borda", "plurality", "mean_rank", "mean_win_rate"]


def board_of(dice, *, models=None, tasks=None, cells=range(30)):
    """Return a board of numbers at random, complete."""
    names = "abcdef"[: models or dice.between(2, 5)]
    columns = {}
    for place in range(tasks or dice.between(3, 12)):
        columns[f"t{place}"] = dict(zip(names, dice.many_of(cells, len(names)), strict=True))
    columns["t0"][names[0]], columns["t0"][names[1]] = 29, 0
    return wl.Leaderboard(columns)


def normal_board(models, tasks, gap, seed):
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal((models, tasks)).round(4) - gap * np.arange(models)[:, None]
    return wl.Leaderboard(
        scores, models=[f"m{place}" for place in range(models)], tasks=[f"t{place}" for place in range(tasks)]
    )


def above_of(dice, count):
    """Return who surely beats whom among so many, at random."""
    above = np.zeros((count, count), dtype=np.bool_)
    for one, other in brute_force.pairs_of(count):
        way = dice.between(0, 2)
        above[one, other], above[other, one] = way == 1, way == 2
    return above


@FEW
@given(dice=DICE)
def test_bootstrap_samples_are_those_drawn_unit_by_unit(dice):
    rng = np.random.default_rng(dice.between(0, 999))
    strata = []
    for share in dice.one_of([(1.0,), (0.3, 0.7)]):
        values = rng.normal(size=(dice.between(3, 7), 3))
        weights = dice.one_of([np.ones(len(values)), rng.uniform(0.5, 3, len(values))])
        strata.append(Stratum(values=values, weights=weights, share=share))
    drawn = bootstrap_t(strata, estimated(strata), 6, 0)(np.array([2, 0, 1])).T
    rng = np.random.default_rng(0)
    sizes = [len(one.values) for one in strata]
    counts = [rng.multinomial(size - 1, np.full(size, 1 / size), size=6) for size in sizes]
    for draw, own in zip(drawn, zip(*counts, strict=True), strict=True):
        expected = np.array(brute_force.bootstrap_ratios(strata, own))
        np.testing.assert_allclose(draw, expected[[2, 0, 1]], rtol=1e-6)


@FEW
@given(dice=DICE)
def test_the_chance_that_all_drawn_differences_are_alike_is_that_of_all_samples(dice):
    values = np.array([dice.many_of(range(3), 3) for _ in range(dice.between(2, 5))]) * 0.1
    gaps = [np.round(values[:, one] - values[:, other], 9).tolist() for one, other in brute_force.pairs_of(3)]
    np.testing.assert_allclose(chance_alike(values), [brute_force.share_alike(one) for one in gaps])


@FEW
@given(dice=DICE)
def test_p_values_and_ends_are_those_of_the_slow_twin(dice):
    values = np.array([[dice.between(0, 50) + place * 0.37 for place in range(3)] for _ in range(7)])
    stratum = Stratum(values=values, weights=np.ones(7))
    found = estimated([stratum])
    if (found.error == 0).any() or (chance_alike(values) > 0.02).any():
        return
    method, joint = mean_intervals([stratum], places=False, level=0.9, repeats=120, seed=1)
    assert method == "bootstrap_t"
    drawn = bootstrap_t([stratum], found, 120, 1)(np.arange(3)).T.tolist()
    largest = sorted(max(map(abs, draw)) for draw in drawn)
    # Heavy tails are asked at half of what 0.9 leaves: of 120 the 109th is its quantile, the 115th that of 0.95.
    doubt = 2 if 1.25 * stats.t.isf(0.05 / 6, 4) < largest[114] < np.inf else 1
    steps = np.multiply(brute_force.step_down((found.value / found.error).tolist(), drawn), doubt)
    np.testing.assert_allclose(joint.p, np.minimum(steps, 1), rtol=1e-9)
    critical = largest[108 if doubt == 1 else 114]
    width = np.full(3, np.nan) if np.isinf(critical) else 2 * critical * found.error
    np.testing.assert_allclose(joint.high - joint.low, width, rtol=1e-7)


@FEW
@given(dice=DICE)
def test_p_values_do_not_depend_on_how_many_pairs_are_held_at_once(dice):
    values = np.random.default_rng(dice.between(0, 99)).normal(size=(9, 5))
    found = [Stratum(values=values, weights=np.ones(9))]
    _, whole = mean_intervals(found, places=False, level=0.9, repeats=100, seed=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simultaneous, "BLOCK_CELLS", 100 * dice.between(1, 9))
        _, parts = mean_intervals(found, places=False, level=0.9, repeats=100, seed=1)
    np.testing.assert_array_equal(whole.p, parts.p)
    np.testing.assert_allclose(whole.low, parts.low)


def test_tasks_of_which_one_decides_alone_are_named_and_lopsided_noise_makes_intervals_wide():
    board = normal_board(6, 20, 0.0, 3)
    frame = board.scores.copy()
    assert rank_sets(board, "mean", repeats=200).deciding == ()
    frame.loc["m1", "t4"] -= 40
    found = rank_sets(wl.Leaderboard(frame), "mean", repeats=200)
    assert found.deciding == ("t4",)
    assert "Some tasks decide alone: t4." in str(found)
    assert found.separated == 0
    with pytest.raises(ProofError, match="the deciding are not"):
        replace(found, deciding=()).verify(wl.Leaderboard(frame))


def test_a_pair_that_differs_on_one_task_cannot_be_decided_and_does_not_hide_the_others():
    frame = normal_board(3, 20, 3.0, 1).scores.T
    frame["twin"] = frame["m1"] + np.eye(20)[4]
    found = rank_sets(wl.Leaderboard(frame.T), "mean", repeats=300)
    row = found.pairs.query("model == 'm1' and rival == 'twin'").iloc[0]
    assert np.isnan(row["low"])
    assert row["p"] == 1
    assert found.undecided == 1
    assert found.separated == 5
    assert "1 of 6 pairs cannot be decided by these tasks." in str(found)


def test_an_infinite_critical_value_leaves_nothing_decided():
    found = rank_sets(normal_board(3, 4, 1.0, 0), "mean", repeats=100)
    assert found.undecided == 3
    assert (found.p == 1).all()
    assert found.verify()


@FEW
@given(dice=DICE)
def test_holms_steps_never_come_down(dice):
    p_values = np.array([dice.between(0, 200) / 1000 for _ in range(dice.between(1, 12))])
    np.testing.assert_allclose(holm(p_values), brute_force.holm_steps(p_values.tolist()))


@FEW
@given(dice=DICE)
def test_leads_are_clopper_and_pearsons_with_holms_steps_of_sign_tests(dice):
    counts = [(dice.between(0, 15), dice.between(0, 15)) for _ in range(dice.between(1, 6))]
    counts = [(won, lost) if won + lost else (1, 0) for won, lost in counts]
    tests = [stats.binomtest(won, won + lost) for won, lost in counts]
    found = binomial_leads(*np.array(counts, dtype=float).T, 0.9)
    ends = [one.proportion_ci(1 - 0.1 / len(counts), "exact") for one in tests]
    np.testing.assert_allclose(found.low, [2 * one.low - 1 for one in ends], atol=1e-12)
    np.testing.assert_allclose(found.high, [2 * one.high - 1 for one in ends], atol=1e-12)
    np.testing.assert_allclose(found.p, brute_force.holm_steps([one.pvalue for one in tests]))


@FEW
@given(dice=DICE)
def test_weighted_leads_are_bounded_by_hoeffdings_inequality(dice):
    board = board_of(dice, models=3)
    board = board.with_weights([dice.between(1, 5) for _ in board.tasks[1:]] + [7])
    found = rank_sets(board, "copeland")
    leads, halves, p_values = brute_force.hoeffding_leads(board, 0.05 / 3)
    np.testing.assert_allclose(found.difference, leads, atol=1e-12)
    np.testing.assert_allclose(found.high, np.minimum(np.add(leads, halves), 1.0))
    np.testing.assert_allclose(found.low, np.maximum(np.subtract(leads, halves), -1.0))
    np.testing.assert_allclose(found.p, brute_force.holm_steps(p_values))


@pytest.mark.parametrize("rule", [*LINEAR, *MAJORITY])
@FEW
@given(dice=DICE)
def test_the_order_of_the_models_makes_no_difference(rule, dice):
    board = board_of(dice)
    turned = board.select(models=board.models[::-1])
    one, other = (rank_sets(source, rule, repeats=100).rank_sets for source in (board, turned))
    assert one == other


@pytest.mark.parametrize("rule", [*LINEAR, *MAJORITY])
@FEW
@given(dice=DICE)
def test_a_higher_level_separates_no_more(rule, dice):
    board = board_of(dice)
    loose, strict = (rank_sets(board, rule, level=level, repeats=200) for level in (0.6, 0.95))
    assert not (strict.above & ~loose.above).to_numpy().any()
    for model, (low, high) in strict.rank_sets.items():
        assert low <= loose.rank_sets[model][0] <= loose.rank_sets[model][1] <= high
    assert set(loose.contenders) <= set(strict.contenders)


@FEW
@given(dice=DICE)
def test_by_points_intervals_are_no_narrower_than_bonferronis_of_fewer_degrees_of_freedom(dice):
    board = normal_board(4, dice.between(4, 12), dice.one_of([0.3, 0.7, 1.5]), dice.between(0, 99))
    found, count = rank_sets(board, "borda", repeats=200), len(board.tasks)
    assert found.verify()
    assert found.method == "bootstrap_t"
    points, ratios, p = stats.rankdata(board.scores.to_numpy().T, axis=1), [], []
    least = stats.t.isf(0.05 / 12, 2 / 3 * (count - 1))
    for place, (one, other) in enumerate(brute_force.pairs_of(4)):
        gaps = points[:, one] - points[:, other]
        error = gaps.std(ddof=1) / np.sqrt(count)
        assert found.difference[place] == pytest.approx(gaps.mean())
        if error > 1e-9:
            ratios.append((found.high[place] - gaps.mean()) / error)
            p.append(2 * stats.t.sf(abs(gaps.mean()) / error, 2 / 3 * (count - 1)))
    if ratios and np.isfinite(ratios).all():
        assert ratios == pytest.approx([ratios[0]] * len(ratios))
        assert ratios[0] >= least * (1 - 1e-9)
    if len(p) == 6:
        assert (found.p >= np.array(brute_force.holm_steps(p)) * (1 - 1e-9)).all()


@FEW
@given(dice=DICE)
def test_with_gaps_points_have_bonferronis_intervals_whatever_the_weights_and_groups(dice):
    rng = np.random.default_rng(dice.between(0, 999))
    strata = []
    for share in dice.one_of([(1.0,), (0.3, 0.7)]):
        size = (dice.between(3, 9), 5)
        values = stats.rankdata(rng.normal(size=size) + rng.normal(size=5), axis=1)
        values[rng.random(size) < 0.2] = np.nan
        values[0], values[:, 0] = [1, 2, 3, 4, np.nan], np.nan_to_num(values[:, 0], nan=3.0)
        strata.append(Stratum(values=values, weights=rng.uniform(0.5, 3, size[0]), share=share))
    plain = estimated(strata)
    fewer = np.where(plain.error > 0, 2 / 3 * plain.freedom, plain.freedom)
    own = joint_intervals(replace(plain, freedom=fewer), level=0.9, reach=reach_of(strata))
    method, found = mean_intervals(strata, places=True, level=0.9, repeats=100, seed=0)
    assert method == "student"
    np.testing.assert_array_equal(found.low, own.low)
    np.testing.assert_array_equal(found.p, own.p)


@pytest.mark.parametrize("level", [0.8, 0.95])
@FEW
@given(dice=DICE)
def test_ranks_on_a_new_task_are_those_of_conformal_prediction(level, dice):
    count = dice.between(2, 30)
    board = normal_board(5, count, dice.one_of([0.0, 1.0, 4.0]), dice.between(0, 99))
    found, ranks = rank_sets(board, dice.one_of(["mean", "copeland"]), over="new_tasks", level=level), []
    assert found.verify(board)
    ranks = stats.rankdata(-board.scores.to_numpy().T, axis=1)
    strange, mean = sorted(np.abs(ranks - ranks.mean(axis=0)).max(axis=1).tolist()), ranks.mean(axis=0)
    place = next((k for k in range(1, count + 1) if k >= level * (count + 1) - 1e-9), None)
    assert (place is None) == (count < least_tasks(level))
    half = 5.0 if place is None else strange[place - 1] * (count + 1) / (count - 1)
    for model, own in zip(board.models, mean.tolist(), strict=True):
        low, high = max(1, math.floor(own - half + 1e-9)), min(5, math.ceil(own + half - 1e-9))
        assert found.rank_sets[model] == (low, high)
    assert ("nothing can be claimed about a new one" in str(found)) == (place is None)
    assert found.undecided == (10 if place is None else 0)


def test_ranks_on_a_new_task_that_is_none_other_hold():
    board, held = normal_board(6, 41, 0.3, 7), 0
    for place in range(41):
        rest = board.select(tasks=[task for task in board.tasks if task != f"t{place}"])
        ranks = stats.rankdata(-board.scores[f"t{place}"].to_numpy())
        sets = rank_sets(rest, over="new_tasks").rank_sets
        held += all(sets[model][0] <= rank <= sets[model][1] for model, rank in zip(board.models, ranks, strict=True))
    # Each of 41 tasks in turn: at 95% of 41 at most two are stranger than the others allow.
    assert held >= 39


def test_groups_of_items_have_clustered_standard_errors():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {f"q{place}": {"a": rng.normal(), "b": rng.normal(), "c": rng.normal()} for place in range(24)}
    )
    texts = {f"text {one}": [f"q{place}" for place in range(one, 24, 8)] for one in range(8)}
    items = wl.Instances({"reading": frame}).leaderboard("reading").with_groups(texts)
    found = estimated([group_stratum(items, task_values(items, wl.rules.rule("mean")))])
    gaps = (frame.loc["a"] - frame.loc["b"]).to_numpy()
    rest = gaps - gaps.mean()
    # Miller's: the sums of all products within a text, over the square of the number of items.
    squares = sum(rest[one::8].sum() ** 2 for one in range(8)) / 24**2
    assert found.error[0] ** 2 == pytest.approx(squares * 8 / 7)
    assert found.value[0] == pytest.approx(gaps.mean())
    assert rank_sets(items, "mean", over="groups", repeats=200).groups == tuple(texts)


@FEW
@given(dice=DICE)
def test_letters_are_shared_exactly_by_pairs_that_are_not_separated(dice):
    above = above_of(dice, dice.between(2, 6))
    apart = above | above.T
    letters = compact_letters(apart)
    assert all(letters)
    assert brute_force.letters_are_right(letters, apart.tolist())


def test_beyond_the_alphabet_letters_are_numbers():
    assert compact_letters(~np.eye(54, dtype=np.bool_))[52:] == ["(53)", "(54)"]


@FEW
@given(dice=DICE)
def test_ranks_by_copeland_hold_whichever_way_open_pairs_go(dice):
    above = above_of(dice, 4)
    low, high = majority_ranks("copeland", above)
    least, greatest = brute_force.copeland_extremes(above.tolist())
    assert all(one <= other for one, other in zip(low.tolist(), least, strict=True))
    assert all(one >= other for one, other in zip(high.tolist(), greatest, strict=True))


@pytest.mark.parametrize("rule", [*sorted(CONSISTENT), "minimax", "split_cycle", "copeland"])
@FEW
@given(dice=DICE)
def test_ranks_by_majorities_hold_whichever_way_open_pairs_go(rule, dice):
    above = above_of(dice, 4)
    low, high = majority_ranks(rule, above)
    wins = np.zeros((4, 4), dtype=int)
    for one, other in brute_force.pairs_of(4):
        lead = dice.between(1, 5) if above[one, other] else -dice.between(1, 5)
        lead = lead if above[one, other] or above[other, one] else dice.between(-5, 5)
        wins[one, other], wins[other, one] = max(lead, 0), max(-lead, 0)
    margins = wl.Margins(models=tuple("abcd"), wins=wins, ties=np.zeros_like(wins), denominator=1)
    ranks = wl.rules.rank(margins, rule).ranks
    for place, model in enumerate("abcd"):
        assert low[place] <= ranks[model] <= high[place]


def test_equal_models_share_all_ranks_and_a_clear_order_has_one_each():
    clear = rank_sets(normal_board(4, 20, 5.0, 0), "mean", repeats=500)
    assert clear.rank_sets == {f"m{place}": (place + 1, place + 1) for place in range(4)}
    assert clear.classes.to_dict() == {"m0": "a", "m1": "b", "m2": "c", "m3": "d"}
    equal = rank_sets(normal_board(4, 20, 0.0, 1), "mean", repeats=500)
    assert set(equal.rank_sets.values()) == {(1, 4)}
    assert set(equal.classes) == {"a"}
    assert equal.proof == "sampled"


def test_a_pair_that_differs_alike_on_all_tasks_is_judged_by_the_sign_test():
    columns = {f"t{place}": {"a": place + 1, "b": place} for place in range(5)}
    few = rank_sets(wl.Leaderboard(columns), "mean", repeats=100)
    assert few.p[0] == pytest.approx(2.0**-4)
    assert few.low[0] < 0 < few.high[0]
    many = rank_sets(wl.Leaderboard({f"t{place}": {"a": place + 1, "b": place} for place in range(8)}), "mean")
    assert many.low[0] > 0
    assert many.p[0] == pytest.approx(2.0**-7)


def test_models_that_are_alike_everywhere_are_not_separated_and_their_interval_is_not_a_point():
    board = normal_board(3, 12, 1.0, 3)
    frame = board.scores.T
    frame["twin"] = frame["m0"]
    found = rank_sets(wl.Leaderboard(frame.T), "mean", repeats=200)
    row = found.pairs.query("model == 'm0' and rival == 'twin'").iloc[0]
    assert row["difference"] == 0
    assert row["p"] == 1
    assert row["low"] < 0 < row["high"]


def test_weights_of_single_tasks_widen_intervals():
    board = normal_board(3, 20, 0.5, 5)
    heavy = board.with_weights({"t0": 20})
    one, other = (rank_sets(source, "mean", repeats=200) for source in (board, heavy))
    assert ((other.high - other.low) > (one.high - one.low)).all()
    by_signs = rank_sets(heavy, "copeland")
    assert by_signs.method == "hoeffding"
    assert by_signs.separated <= rank_sets(board, "copeland").separated


def test_groups_are_strata_and_too_small_ones_are_refused():
    board = normal_board(3, 12, 2.0, 2)
    grouped = board.with_groups({"one": list(board.tasks[:6]), "two": list(board.tasks[6:])})
    found = rank_sets(grouped, "mean")
    assert found.groups == ("one", "two")
    parts = [np.var(gaps, ddof=1) / 6 / 4 for gaps in np.split(board.scores.loc["m0"] - board.scores.loc["m1"], 2)]
    strata = [Stratum(values=one, weights=np.ones(6), share=0.5) for one in np.split(board.scores.to_numpy().T, 2)]
    _, expected = mean_intervals(strata, places=False, level=0.95, repeats=2000, seed=0)
    np.testing.assert_allclose(found.high, expected.high)
    halves = (found.high - found.low) / 2 / estimated(strata).error
    np.testing.assert_allclose(halves, halves[0])
    assert estimated(strata).error[0] == pytest.approx(sum(parts) ** 0.5)
    assert "within 2 groups" in str(found)
    assert found.verify(grouped)
    assert rank_sets(grouped, "macro_average").verify(grouped)
    with pytest.raises(InputError, match="group 'one' has 2 tasks: fewer than 3 do not show their spread"):
        rank_sets(board.with_groups({"one": list(board.tasks[:2]), "two": list(board.tasks[2:])}))
    with pytest.raises(InputError, match="outside all groups there are 2 tasks"):
        rank_sets(board.with_groups({"one": list(board.tasks[2:])}))
    with pytest.raises(InputError, match="these groups overlap"):
        rank_sets(board.with_groups({"one": list(board.tasks[:6]), "two": list(board.tasks[3:])}))


@FEW
@given(dice=DICE)
def test_whole_groups_are_drawn_as_tasks_that_hold_their_means_are(dice):
    board = normal_board(4, 21, 0.5, dice.between(0, 99))
    sizes = dice.shuffled([1, 2, 3, 4, 2, 3, 5])
    board = board.select(tasks=board.tasks[: sum(sizes)])
    ends = np.cumsum([0, *sizes]).tolist()
    groups = {f"g{at}": list(board.tasks[low:high]) for at, (low, high) in enumerate(pairwise(ends)) if high - low > 1}
    found = rank_sets(board.with_groups(groups), "mean", over="groups", repeats=200)
    means = {
        f"u{at}": board.scores.iloc[:, low:high].mean(axis=1).to_dict() for at, (low, high) in enumerate(pairwise(ends))
    }
    alone = rank_sets(wl.Leaderboard(means).with_weights(sizes), "mean", repeats=200)
    np.testing.assert_allclose(found.low, alone.low)
    np.testing.assert_allclose(found.p, alone.p)
    assert len(found.groups) == len(sizes)
    assert found.verify(board.with_groups(groups))


def test_fewer_than_six_groups_separate_nothing_and_say_so():
    board = normal_board(4, 20, 5.0, 0)
    grouped = board.with_groups({f"g{place}": list(board.tasks[place::5]) for place in range(5)})
    for rule in ("mean", "borda"):
        found = rank_sets(grouped, rule, over="groups", repeats=200)
        assert found.separated == 0
        assert str(found).startswith(
            f"With 5 groups nothing is separated (6 are needed): {rule_words(rule)}, 4 models may be first"
        )
        assert found.verify(grouped)
    finer = board.with_groups({f"g{place}": list(board.tasks[place::10]) for place in range(10)})
    found = rank_sets(finer, "mean", over="groups", repeats=200)
    assert found.separated == 6
    assert "10 groups of 20 tasks drawn at random" in str(found)
    with pytest.raises(InputError, match="no groups of tasks are named"):
        rank_sets(board, over="groups")
    with pytest.raises(InputError, match="these groups overlap"):
        rank_sets(board.with_groups({"g": ["t0", "t1"], "h": ["t1", "t2"]}), over="groups")
    with pytest.raises(InputError, match="'t9' is a group as well as a task outside all groups"):
        rank_sets(board.with_groups({"t9": ["t0", "t1"]}), "mean", over="groups")
    with pytest.raises(InputError, match="whole groups are drawn for means and points"):
        rank_sets(finer, "copeland", over="groups")


def test_tasks_that_move_together_are_said_with_and_without_groups():
    frame = normal_board(8, 12, 0.0, 2).scores
    twice = pd.concat([frame, frame.add_suffix("again")], axis=1)
    board = wl.Leaderboard(twice)
    found = rank_sets(board, "mean", repeats=100)
    assert found.together == pytest.approx(0.00625)
    assert found.worth == pytest.approx(12, abs=2.5)
    assert "Tasks move together (p = 0.0062): worth at most 1" in str(found)
    grouped = board.with_groups({f"g{place}": [f"t{place}", f"t{place}again", f"t{place + 1}", f"t{place + 1}again"]
                                 for place in range(0, 12, 2)})  # fmt: skip
    within = rank_sets(grouped, "mean", repeats=100)
    assert "The tasks of a group move together (p = 0.005)" in str(within)
    assert within.worth < 20
    assert rank_sets(grouped, "mean", over="groups", repeats=100).together is None
    single = rank_sets(wl.Leaderboard(frame), "borda", repeats=100)
    assert single.together > 0.05
    assert "together (p" not in str(single)
    with pytest.raises(ProofError, match="worth is not that of the source"):
        replace(found, worth=24.0).verify(board)


@FEW
@given(dice=DICE)
def test_the_order_and_the_unit_of_tasks_do_not_say_whether_they_move_together(dice):
    rng = np.random.default_rng(dice.between(0, 999))
    values = rng.normal(size=(dice.between(3, 9), dice.between(3, 6)))
    own = brute_force.mean_squared_correlation(values)
    assert drawn_tasks._alike(drawn_tasks._standardised(drawn_tasks._places(values)))[0] == pytest.approx(own)
    turned = rng.permutation(values, axis=0) * 7 + 3
    assert drawn_tasks._alike(drawn_tasks._standardised(drawn_tasks._places(turned)))[0] == pytest.approx(own)


def test_models_that_rounding_alone_tells_apart_are_not_alike():
    for seed in range(200):
        values = np.random.default_rng(seed).normal(size=(3, 3))
        own = brute_force.mean_squared_correlation(values)
        assert drawn_tasks._alike(drawn_tasks._standardised(drawn_tasks._places(values)))[0] == pytest.approx(own)


def test_a_pair_is_compared_on_the_tasks_of_both():
    frame = normal_board(3, 14, 1.0, 4).scores
    frame.iloc[0, :4] = np.nan
    board = wl.Leaderboard(frame)
    found = rank_sets(board, "mean")
    gaps = (frame.loc["m0"] - frame.loc["m1"]).dropna()
    assert found.difference[0] == pytest.approx(gaps.mean())
    assert found.method == "student"
    half = stats.t.ppf(1 - 0.05 / 6, len(gaps) - 1) * gaps.std(ddof=1) / np.sqrt(len(gaps))
    assert found.high[0] - found.difference[0] == pytest.approx(half)
    whole = rank_sets(board, "borda")
    assert (whole.models, whole.incomplete) == (("m1", "m2"), ("m0",))
    assert str(whole).endswith("Excluded (missing scores): m0.")
    assert rank_sets(board, "borda", options={"missing": "last"}).incomplete == ()
    assert rank_sets(board, "mean_rank", options={"missing": "skip"}).incomplete == ()
    with pytest.raises(InputError, match="compares models on different tasks"):
        rank_sets(board, "optimality_gap", options={"missing": "skip", "gamma": 9})


def test_a_pair_with_one_task_in_common_is_open():
    frame = normal_board(3, 6, 1.0, 4).scores
    frame.iloc[0, 1:] = np.nan
    found = rank_sets(wl.Leaderboard(frame), "mean")
    assert np.isnan(found.low[0])
    assert found.p[0] == 1
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(wl.Leaderboard(frame))


def instances(models=4, tasks=3, count=40):
    rng = np.random.default_rng(0)
    tables = {
        f"t{place}": {
            f"i{number}": {f"m{model}": int(rng.random() < 0.95 - 0.25 * model) for model in range(models)}
            for number in range(count)
        }
        for place in range(tasks)
    }
    return wl.Instances(tables)


@pytest.mark.parametrize("rule", ["mean", "borda", "copeland", "schulze"])
def test_instances_are_drawn_within_their_tasks(rule):
    source = instances()
    found = rank_sets(source, rule, over="instances", repeats=200)
    assert "instances drawn at random within 3 tasks" in str(found)
    assert found.above.loc["m0", "m3"]
    assert found.verify(source)


@pytest.mark.parametrize("rule", ["borda", "plurality", "veto"])
@FEW
@given(dice=DICE)
def test_points_lie_between_their_bounds_for_every_order_with_the_sure_leads(rule, dice):
    board, pairs = normal_board(4, 2, 1.0, 0), brute_force.pairs_of(4)
    own = dict(enumerate(dice.shuffled(range(4))))
    sure = np.array([[np.sign(own[other] - own[one]) * dice.between(0, 1) for one, other in pairs]], dtype=float)
    low, high = place_bounds(wl.rules.rule(rule), board, sure)
    worth = {"borda": (3, 2, 1, 0), "plurality": (1, 0, 0, 0), "veto": (1, 1, 1, 0)}[rule]
    seen = []
    for places in permutations(range(4)):
        signs = [np.sign(places[other] - places[one]) for one, other in pairs]
        if all(sign in {0, other} for sign, other in zip(sure[0], signs, strict=True)):
            seen.append([worth[places[one]] - worth[places[other]] for one, other in pairs])
    assert (low[0] <= np.min(seen, axis=0)).all()
    assert (high[0] >= np.max(seen, axis=0)).all()
    assert ((low[0] >= 0) | (sure[0] <= 0)).all()


def test_both_is_wider_than_either():
    source = instances(tasks=12)
    both, tasks, within = (rank_sets(source, "mean", over=over) for over in ("both", "tasks", "instances"))
    assert both.verify(source)
    width = both.high - both.low
    assert (width > tasks.high - tasks.low).all()
    assert (width > within.high - within.low).all()
    with pytest.raises(InputError, match=r"not for borda; pass over='tasks' \(the noise of instances is part"):
        rank_sets(source, "borda", over="both")


@pytest.mark.parametrize("rule", ["mean", "borda", "copeland"])
def test_standard_errors_are_normal_noise_of_their_size(rule):
    scores = normal_board(3, 5, 1.0, 6).scores
    small, large = (wl.Leaderboard(scores, standard_errors=scores * 0 + size) for size in (0.01, 3.0))
    found = rank_sets(small, rule, over="standard_errors", repeats=300)
    assert found.verify(small)
    assert found.separated >= rank_sets(large, rule, over="standard_errors", repeats=300).separated
    exact = wl.Leaderboard(scores, standard_errors=scores * 0)
    assert rank_sets(exact, "mean", over="standard_errors", repeats=300).separated == 3
    with pytest.raises(InputError, match="needs one of every score; 15 scores without: 'm0' on 't0'"):
        rank_sets(wl.Leaderboard(scores), rule, over="standard_errors")


@pytest.mark.parametrize(
    ("source", "options", "error"),
    [
        ({"x": {"a": 1, "b": 2}}, {}, "one task does not show how tasks differ"),
        ({"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": 2}}, {}, "all models tie on all tasks"),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"repeats": 99}, "repeats must be a whole number from 100"),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"level": 1}, "level must be between 0 and 1; got 1"),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"level": 0}, "level must be between 0 and 1; got 0"),
        (
            {"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}},
            {"over": "models"},
            "over must be 'tasks', 'groups', 'new_tasks', 'instances'",
        ),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"over": "instances"}, "need scores on single instances"),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"rng": -1}, "rng must be a seed"),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"models": ["a", "c"]}, "no model named 'c'"),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"models": 5}, "models must be a list, such as .*; got 5"),
        (
            {"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}},
            {"models": "ab"},
            "models must be a list, such as .*; got 'ab'",
        ),
        ({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}}, {"models": ["a"]}, "ranks are of two models or more; got 1"),
    ],
)
def test_bad_input_is_refused_with_a_clear_sentence(source, options, error):
    with pytest.raises(InputError, match=error):
        rank_sets(wl.Leaderboard(source), "mean", **options)


@pytest.mark.parametrize("rule", ["median", "baldwin", "geometric_mean"])
def test_rules_that_are_no_means_and_read_no_majorities_are_refused(rule):
    with pytest.raises(InputError, match=f"{rule} is neither"):
        rank_sets(normal_board(3, 5, 1.0, 0), rule)


def test_a_constant_column_says_nothing_and_few_tasks_are_told_first():
    found = rank_sets(wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 2, "b": 2}, "z": {"a": 5, "b": 1}}), "mean")
    assert str(found).startswith("Of 3 tasks little can be claimed: by average")
    assert found.separated == 0


def test_models_are_compared_as_if_there_were_no_others():
    board = normal_board(5, 12, 0.3, 8)
    found = rank_sets(board, "borda", models=["m0", "m2", "m4"])
    assert found.verify(board)
    alone = rank_sets(board.select(models=["m0", "m2", "m4"]), "borda")
    assert found.p.tolist() == alone.p.tolist()


def corrupted(found):
    """Yield copies of a result each of which has one number changed."""
    for name in ("difference", "low", "high", "p"):
        values = getattr(found, name).copy()
        values[0] += 5.0 if name in ("difference", "low", "p") else -5.0
        yield name, replace(found, **{name: values})
    yield "models", replace(found, models=(found.models[0], *found.models[:-1]))


@pytest.mark.parametrize("rule", ["mean", "borda", "copeland"])
def test_a_changed_number_is_found(rule):
    found = rank_sets(normal_board(4, 12, 0.5, 9), rule, repeats=100)
    for name, forged in corrupted(found):
        with pytest.raises(ProofError):
            forged.verify()
        assert name


@pytest.mark.parametrize(
    ("part", "value"), [("seed", 7), ("level", 0.9), ("method", "student"), ("tasks", 11), ("incomplete", ("m3",))]
)
def test_another_question_is_not_that_of_the_source(part, value):
    board = normal_board(4, 12, 0.5, 9)
    found = rank_sets(board, "mean", repeats=100)
    assert found.verify(board)
    with pytest.raises(ProofError):
        replace(found, **{part: value}).verify(board)


def test_what_is_derived_is_compared_when_a_document_is_read():
    document = rank_sets(normal_board(4, 12, 0.5, 9), "mean", repeats=100).to_dict()
    assert result_from_dict(json.loads(json.dumps(document))).verify()
    for name, value in {"contenders": [], "classes": {"m0": "z"}, "rank_sets": {}}.items():
        with pytest.raises(ProofError):
            result_from_dict(document | {name: value})


def test_pairs_may_be_separated_step_by_step_whose_interval_touches_nothing():
    found = rank_sets(normal_board(6, 30, 0.6, 2), "mean")
    apart = (found.low > 0) | (found.high < 0)
    assert (found.p[apart] <= 0.05).all()
    assert found.separated >= apart.sum()
    for rule, seed in [("mean", 0), ("borda", 41)]:
        found = rank_sets(normal_board(6, 30, 0.35, seed), rule, repeats=500)
        apart = (found.low > 0) | (found.high < 0)
        (further,) = np.flatnonzero(~apart & (found.p <= 0.05))
        assert 0.04 < found.p[further] <= 0.05
        assert found.separated == apart.sum() + 1
        ahead, behind = found.pairs.loc[further, ["model", "rival"]]
        assert found.above.loc[ahead, behind] == (found.difference[further] > 0)


def test_an_interval_without_0_needs_a_separated_pair():
    found = rank_sets(normal_board(3, 20, 3.0, 0), "mean", repeats=100)
    with pytest.raises(ProofError, match="an interval is without 0 whose pair is not separated"):
        replace(found, p=np.full(3, 0.06)).verify()


def test_the_smith_set_is_the_winner_of_a_sure_order_and_all_of_an_open_one():
    found = rank_sets(normal_board(4, 30, 4.0, 0), "copeland")
    assert found.smith_set == found.contenders == ("m0",)
    assert rank_sets(normal_board(4, 30, 0.0, 0), "copeland").smith_set == ("m0", "m1", "m2", "m3")


def level_board(count, models, unit):
    """Return models of equal chances, in a unit of scores."""
    scores = np.random.default_rng(4).normal(size=(models, count)) * unit
    return wl.Leaderboard(pd.DataFrame(scores, index=[f"m{row}" for row in range(models)]).add_prefix("t"))


@pytest.mark.parametrize("unit", [1e-170, 1e-80, 1e80, 1e155])
def test_a_spread_beyond_floats_is_no_certainty(unit):
    with pytest.raises(InputError, match="too extreme to estimate their spread"):
        rank_sets(level_board(14, 4, unit), "mean")
    board = level_board(14, 4, 1.0)
    errors = pd.DataFrame(unit, index=list(board.models), columns=list(board.tasks))
    noisy = wl.Leaderboard(board.scores, standard_errors=errors)
    with pytest.raises(InputError, match="standard errors of the size"):
        rank_sets(noisy, over="standard_errors")
    assert rank_sets(level_board(14, 4, unit), "borda").verify()


def test_false_numbers_of_tiny_scores_are_found():
    board = level_board(14, 4, 1e-10)
    found = rank_sets(board, "mean", repeats=100)
    assert found.separated == 0
    shift = 5e-10
    forged = replace(
        found, difference=found.difference + shift, low=found.low + shift, high=found.high + shift, p=found.p * 0
    )
    assert forged.verify()
    with pytest.raises(ProofError, match="another difference"):
        forged.verify(board)


def test_models_that_are_level_cannot_be_put_in_another_order():
    board = wl.Leaderboard(
        {"t": {"a": 2, "b": 3, "c": 4, "d": 4}, "u": {"a": 3, "b": 1, "c": 2, "d": 0}}, lower_is_better=["u"]
    )
    found = rank_sets(board, "copeland", repeats=100)
    for change in (1e-6, 1e-10):
        values = found.difference.copy()
        values[-1] += change
        forged = replace(found, difference=values)
        if forged.order != found.order:
            with pytest.raises(ProofError):
                forged.verify(board)


def test_one_pair_is_separated_in_good_english():
    assert "1 of 1 pair is separated" in str(rank_sets(normal_board(2, 12, 3.0, 1), "mean", repeats=100))


def test_a_refusal_names_the_rule_that_was_asked():
    tables = {f"t{task}": {f"i{one}": {"a": one % 2, "b": task % 2} for one in range(4)} for task in range(3)}
    with pytest.raises(InputError, match="not for bradley_terry; pass over='tasks'"):
        rank_sets(wl.Instances(tables), "bradley_terry", over="both")


def test_no_document_asks_for_more_draws_than_memory_holds():
    board = normal_board(3, 12, 0.5, 1)
    with pytest.raises(InputError, match="repeats must be at most 100,000; got 10,000,000"):
        rank_sets(board, repeats=10**7)
    document = rank_sets(board, repeats=100).to_dict()
    with pytest.raises(InputError, match="repeats must be at most"):
        result_from_dict(document | {"repeats": 10**7})


def test_more_models_than_can_be_drawn_are_refused_before_anything_is():
    scores = np.random.default_rng(0).integers(0, 1000, (5000, 2))
    board = wl.Leaderboard(scores, models=[f"m{place}" for place in range(5000)], tasks=["x", "y"])
    with pytest.raises(InputError, match="in 2,000 draws, joint intervals of means are of 1,414 models at most"):
        rank_sets(board, "mean")


@pytest.mark.parametrize("source", [1, "x", [], {}, object()])
def test_what_is_no_table_is_refused_as_the_source_of_a_claim(source):
    found = rank_sets(
        wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 3, "b": 1}}), repeats=200
    )
    with pytest.raises(InputError, match=r"is not about a|a table is needed"):
        found.verify(source)
