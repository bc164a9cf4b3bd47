"""Means are exact: equal to the same sums in fractions, tied only where the numbers are equal."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules import brute_force
from tests.rules.strategies import boards, weighted_points
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, MissingScoresError
from weightlab.rules import rank
from weightlab.rules.inputs import InapplicableError, with_medians

FRACTIONS = {
    "mean": (brute_force.mean, {}),
    "median": (brute_force.median, {}),
    "harmonic_mean": (brute_force.harmonic, {}),
}


def board_of(columns, **declared):
    return Leaderboard(pd.DataFrame(columns, dtype=object), **declared)


@pytest.mark.parametrize("rule", ["mean", "median"])
@given(board=boards(gaps=True, lower=True))
def test_a_mean_that_skips_is_the_fraction_worked_out_by_hand(rule, board):
    by_hand, options = FRACTIONS[rule]
    expected = {model: by_hand(row) for model, row in brute_force.rows(board).items()}
    ranking = rank(board, rule, missing="skip", **options)
    assert ranking.scores.to_dict() == expected
    assert ranking.order == brute_force.by_score(expected)


@given(board=boards(gaps=True, positive=True))
def test_a_harmonic_mean_is_the_fraction_worked_out_by_hand(board):
    expected = {model: brute_force.harmonic(row) for model, row in brute_force.rows(board).items()}
    assert rank(board, "harmonic_mean", missing="skip").scores.to_dict() == expected


@given(board=boards(gaps=True), gamma=st.sampled_from([Fraction(1, 3), Fraction(2), Fraction(-1)]))
def test_an_optimality_gap_is_the_fraction_worked_out_by_hand(board, gamma):
    expected = {model: brute_force.gap(row, gamma) for model, row in brute_force.rows(board).items()}
    ranking = rank(board, "optimality_gap", gamma=gamma, missing="skip")
    assert ranking.scores.to_dict() == expected
    assert ranking.order == tuple(reversed(brute_force.by_score(expected)))


@given(board=boards(gaps=True, positive=True))
def test_geometric_means_tie_exactly_where_the_numbers_are_equal(board):
    logarithms = {model: brute_force.log_geometric(row) for model, row in brute_force.rows(board).items()}
    ranking = rank(board, "geometric_mean", missing="skip")
    assert ranking.order == brute_force.by_near_score(logarithms)
    for model, score in ranking.scores.items():
        assert math.isclose(score, float(logarithms[model].exp()), rel_tol=1e-13)


@given(board=boards(gaps=True, lower=True))
def test_mean_z_scores_tie_exactly_where_the_numbers_are_equal(board):
    means = brute_force.z_means(board)
    ranking = rank(board, "z_score", missing="skip")
    assert ranking.order == brute_force.by_near_score(means)
    for model, score in ranking.scores.items():
        assert math.isclose(score, float(means[model]), rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize("rule", ["mean", "median", "z_score", "borda", "mean_rank", "mean_win_rate", "baldwin"])
@given(board=boards(gaps=True, lower=True))
def test_filling_with_medians_is_ranking_the_filled_board(rule, board):
    filled = with_medians(board)
    assert not filled.missing_cells
    assert rank(board, rule, missing="median").order == rank(filled, rule).order


@pytest.mark.parametrize("rule", ["mean", "median", "z_score", "borda", "mean_rank", "mean_win_rate", "baldwin"])
def test_a_model_measured_only_where_there_is_no_weight_is_filled_too(rule):
    board = board_of({"x": {"a": 3, "b": 1, "c": None}, "y": {"a": 1, "b": 2, "c": 5}}, weights={"x": 1, "y": 0})
    filled = board_of({"x": {"a": 3, "b": 1, "c": 2}})
    assert rank(board, rule, missing="median").order == rank(filled, rule).order


@pytest.mark.parametrize("rule", ["geometric_mean", "harmonic_mean", "optimality_gap"])
@given(board=boards(gaps=True, positive=True))
def test_filling_with_medians_is_ranking_the_filled_board_by_rules_of_positive_scores(rule, board):
    goal = {"gamma": 5} if rule == "optimality_gap" else {}
    assert rank(board, rule, missing="median", **goal).order == rank(with_medians(board), rule, **goal).order


@given(board=boards(gaps=True))
def test_a_missing_score_becomes_the_median_of_its_task(board):
    filled = with_medians(board)
    for place in range(len(board.tasks)):
        column = board.cells.column(place)
        known = sorted(value for value in column if value is not None)
        middle = (known[(len(known) - 1) // 2] + known[len(known) // 2]) / 2
        assert filled.cells.column(place) == [middle if value is None else value for value in column]


def test_floats_that_sum_to_something_else_tie_as_the_decimals_do():
    board = board_of({"x": {"a": 0.1, "b": 0.3}, "y": {"a": 0.2, "b": 0.0}, "z": {"a": 0.3, "b": 0.3}})
    assert np.mean([0.1, 0.2, 0.3]) != np.mean([0.3, 0.0, 0.3])
    assert rank(board, "mean").order == (("a", "b"),)


def test_geometric_means_that_floats_separate_wrongly_are_told_apart_by_algebra():
    equal = board_of({"x": {"a": 2, "b": 4}, "y": {"a": 50, "b": 25}, "z": {"a": 9, "b": "3"}, "w": {"a": 1, "b": 3}})
    assert rank(equal, "geometric_mean").order == (("a", "b"),)
    near = board_of({"x": {"a": "1.00000000000000000002", "b": 1}, "y": {"a": 1, "b": "1.00000000000000000001"}})
    assert rank(near, "geometric_mean").order == (("a",), ("b",))


def test_geometric_means_with_unlike_weights_compare_powers_of_the_same_base():
    # 4 ** (1/3) * 1 ** (2/3) against 2 ** (2/3) * 1 ** (1/3) would need roots; the exponents of 2 are both 2/3.
    board = board_of({"x": {"a": 4, "b": 1}, "y": {"a": 1, "b": 2}}, weights={"x": 1, "y": 2})
    assert rank(board, "geometric_mean").order == (("a", "b"),)


def test_z_scores_with_roots_in_proportion_cancel():
    # The second task is the first, three times as wide and reversed: what is won on one is lost on the other.
    board = board_of({"x": {"a": 1, "b": 2, "c": 4}, "y": {"a": -3, "b": -6, "c": -12}})
    ranking = rank(board, "z_score")
    assert ranking.order == (("a", "b", "c"),)
    assert ranking.scores.tolist() == [0.0, 0.0, 0.0]


def test_z_scores_ignore_a_task_on_which_all_tie():
    board = board_of({"x": {"a": 1, "b": 2}, "y": {"a": 5, "b": 5}})
    assert rank(board, "z_score").scores.to_dict() == {"b": 0.5, "a": -0.5}


@given(board=boards(lower=True), factor=st.sampled_from([2, "0.1", 1000]), shift=st.sampled_from([-7, 0, "0.5"]))
def test_rescaling_a_task_changes_no_z_score_ranking(board, factor, shift):
    frame = pd.DataFrame({task: board.cells.column(place) for place, task in enumerate(board.tasks)}, board.models)
    frame[board.tasks[0]] = [value * Fraction(factor) + Fraction(shift) for value in frame[board.tasks[0]]]
    moved = Leaderboard(frame, weights=board.weights, lower_is_better=board.lower_is_better)
    assert rank(moved, "z_score").order == rank(board, "z_score").order


@pytest.mark.parametrize("rule", ["mean", "geometric_mean", "z_score"])
def test_sizes_near_the_ends_of_the_floats_are_ranked_exactly(rule):
    board = board_of({"x": {"a": 1e300, "b": 1e-300, "c": 1e-320}, "y": {"a": 1e-300, "b": 1e300, "c": 1e-320}})
    assert rank(board, rule).order == (("a", "b"), ("c",))


def test_decimals_below_the_normal_floats_are_told_apart():
    # No two neighbours among the floats there are in proportion as these decimals are.
    board = board_of({"x": {"a": 1.5e-323, "b": 1e-323}, "y": {"a": 2e-323, "b": 3e-323}})
    assert rank(board, "geometric_mean").order == (("a", "b"),)


@pytest.mark.parametrize("rule", ["mean", "geometric_mean", "harmonic_mean", "median", "z_score", "mean_rank"])
def test_a_task_of_weight_0_takes_no_part(rule):
    columns = {"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 3}}
    silent = board_of({**columns, "z": {"a": None, "b": -1}}, weights={"z": 0})
    assert rank(silent, rule).order == rank(board_of(columns), rule).order


MEANS = ["mean", "geometric_mean", "harmonic_mean", "median", "z_score", "optimality_gap"]


@pytest.mark.parametrize("rule", MEANS)
def test_missing_scores_are_refused_with_their_places(rule):
    board = board_of({"x": {"ada": 1, "bo": None}, "y": {"ada": 2, "bo": 1}})
    goal = {"gamma": 5} if rule == "optimality_gap" else {}
    with pytest.raises(
        MissingScoresError, match=r"1 missing score: 'bo' on 'x'; call .select.* or pass missing='skip'"
    ):
        rank(board, rule, **goal)
    with pytest.raises(InapplicableError, match="missing must be 'error', 'skip' or 'median'; got 'last'"):
        rank(board, rule, missing="last", **goal)


def test_many_missing_scores_are_counted():
    board = board_of({"x": {**dict.fromkeys("abcdefg"), "h": 1}, "y": dict.fromkeys("abcdefgh", 2)})
    with pytest.raises(MissingScoresError, match=r"7 missing scores: .* 'e' on 'x' and 2 more;"):
        rank(board, "mean")


@pytest.mark.parametrize("rule", ["geometric_mean", "harmonic_mean"])
def test_a_score_of_0_makes_the_mean_0(rule):
    board = board_of({"x": {"a": 0, "b": 2, "c": 1e-320, "d": 9}, "y": {"a": 9, "b": 2, "c": 1, "d": 0}})
    ranking = rank(board, rule)
    assert ranking.order == (("b",), ("c",), ("a", "d"))
    assert (ranking.scores["a"], ranking.scores["d"]) == (0, 0)
    assert ranking.verify()


@pytest.mark.parametrize("rule", ["geometric_mean", "harmonic_mean"])
def test_negative_scores_and_those_of_which_less_is_better_are_refused_by_name(rule):
    board = board_of({"x": {"ada": -1, "bo": 2}, "y": {"ada": 2, "bo": 1}})
    with pytest.raises(InapplicableError, match=r"needs scores that are not negative; negative: 'ada' on 'x'"):
        rank(board, rule)
    lower = board_of({"x": {"ada": 1, "bo": 2}}, lower_is_better=["x"])
    with pytest.raises(InapplicableError, match=r"lower is better on 'x'"):
        rank(lower, rule)


def test_the_optimality_gap_refuses_tasks_of_which_less_is_better():
    with pytest.raises(InapplicableError, match="the optimality gap needs tasks where higher is better"):
        rank(board_of({"x": {"ada": 1, "bo": 2}}, lower_is_better=["x"]), "optimality_gap", gamma=1)


def test_a_long_list_of_such_tasks_is_cut():
    tasks = {f"t{place}": {"ada": 1, "bo": 2} for place in range(7)}
    with pytest.raises(InapplicableError, match=r"'t4' and 2 more$"):
        rank(board_of(tasks, lower_is_better=list(tasks)), "geometric_mean")


def test_the_optimality_gap_must_be_told_its_goal():
    with pytest.raises(InapplicableError, match="the rule 'optimality_gap' needs the option gamma"):
        rank(board_of({"x": {"ada": 1, "bo": 2}}), "optimality_gap")


def test_an_unknown_way_with_gaps_is_refused():
    board = board_of({"x": {"ada": 1, "bo": 2}})
    with pytest.raises(
        InputError, match="missing must be 'error', 'last', 'skip', 'median' or a score: not a finite number: 'guess'"
    ):
        rank(board, "mean", missing="guess")


@given(board=boards())
def test_the_mean_is_the_points_rule_of_the_scores_themselves(board):
    sums = weighted_points(board, board.points("scores"))
    total = sum(board.weights)
    assert rank(board, "mean").scores.to_dict() == {model: value / total for model, value in sums.items()}


@given(board=boards(positive=True))
def test_the_three_means_of_pythagoras_stand_in_their_order(board):
    harmonic, geometric, arithmetic = (rank(board, name).scores for name in ("harmonic_mean", "geometric_mean", "mean"))
    for model in board.models:
        assert float(harmonic[model]) <= geometric[model] * (1 + 1e-12)
        assert geometric[model] <= float(arithmetic[model]) * (1 + 1e-12)
