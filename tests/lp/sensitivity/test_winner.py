"""How far weights move before the winner no longer wins: against every vertex, another solver and the formula."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import weightlab as wl
from tests.dice import DICE
from tests.lp.sensitivity import brute_force_stability as twin
from tests.lp.strategies import cuts_of, inequalities_of, meets, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict

SMALL = {"models": (2, 4), "tasks": (1, 3), "plain": True}
NORMS = ("l1", "linf")


def random_board(models, tasks, *, seed, weighted=False):
    rng = np.random.default_rng(seed)
    columns = [f"t{i}" for i in range(tasks)]
    frame = pd.DataFrame(rng.integers(0, 30, (models, tasks)), [f"m{i}" for i in range(models)], columns)
    frame.loc["m0"] += 15
    weights = dict(zip(columns, rng.integers(1, 9, tasks).tolist(), strict=True)) if weighted else None
    return wl.Leaderboard(frame, weights=weights)


def stable(board, **options):
    """Return the stability of today's winner; tables without one are passed over."""
    try:
        ruled = {"of": "ranking"} if "rule" in options else {"rule": "majority"}
        return wl.lp.stability(board, **ruled | options)
    except wl.NoWinnerError:
        reject()


def leads(board, model, weights):
    return [
        sum(a * b for a, b in zip(twin.row_of(board, model, rival), weights, strict=True))
        for rival in board.models
        if rival != model
    ]


@settings(max_examples=20)
@given(boards(**SMALL), DICE)
def test_every_change_is_that_of_the_nearest_vertex(board, dice):
    some = cuts_of(dice, board.tasks, 0, 1)
    try:
        found = stable(board, space=space_of(board.tasks, some))
    except wl.EmptySpaceError:
        return
    meant = inequalities_of(some)
    for rival in found.rivals:
        row = twin.row_of(board, found.model, rival)
        assert found.least_leads[rival] == twin.totals(row, meant)[0]
        for norm in NORMS:
            assert found.distances(norm)[rival] == twin.reversal(board, row, norm, meant)


@settings(max_examples=40)
@given(boards(**SMALL))
def test_at_the_least_change_a_duel_is_tied_and_at_every_lesser_one_all_are_won(board):
    found = stable(board)
    start = twin.today(board)
    for norm in NORMS:
        weights = found.weights_at(norm=norm)
        if weights is None:
            assert found.radius(norm) is None
            assert min(found.least_leads) > 0
            continue
        for step in (Fraction(0), Fraction(1, 2), Fraction(999, 1000)):
            nearer = [(1 - step) * one + step * other for one, other in zip(start, weights, strict=True)]
            assert min(leads(board, found.model, nearer)) > 0
        assert min(leads(board, found.model, weights)) == 0
        assert set(found.takers(norm)) <= {rival for rival in found.rivals if found.distances(norm)[rival] is not None}


@settings(max_examples=40)
@given(boards(**SMALL))
def test_the_sum_of_changes_is_the_lead_or_twice_the_lead_of_who_leads_nowhere(board):
    found = stable(board, norm="l1")
    for rival in found.rivals:
        worst = min(twin.row_of(board, found.model, rival))
        factor = {-1: 1, 0: 2, 1: None}[worst]
        assert found.distances()[rival] == (None if factor is None else factor * found.leads[rival])


@settings(max_examples=25)
@given(boards(**SMALL), st.integers(2, 5))
def test_scaling_the_weights_changes_nothing(board, factor):
    found = stable(board)
    other = wl.lp.stability(
        wl.Leaderboard(
            board.scores,
            weights={task: factor * weight for task, weight in board.weights.items()},
            lower_is_better=board.lower_is_better,
        ),
        rule="majority",
    )
    assert str(other) == str(found)


@pytest.mark.parametrize("norm", NORMS)
def test_a_float_solver_agrees_with_the_formulas(norm):
    board = random_board(12, 9, seed=3, weighted=True)
    found = wl.lp.stability(board, norm=norm, rule="majority")
    count, start = len(board.tasks), np.array(twin.today(board), dtype=float)
    for rival in found.rivals:
        row = np.array(twin.row_of(board, found.model, rival))
        shift = np.eye(count) if norm == "l1" else np.ones((count, 1))
        costs = np.concatenate([np.zeros(count), np.ones(shift.shape[1])])
        above = np.block([[np.eye(count), -shift], [-np.eye(count), -shift]])
        matrix = np.vstack([above, np.concatenate([row, np.zeros(shift.shape[1])])])
        right = np.concatenate([start, -start, [0]])
        whole = np.concatenate([np.ones(count), np.zeros(shift.shape[1])])[None]
        other = linprog(costs, A_ub=matrix, b_ub=right, A_eq=whole, b_eq=[1])
        assert float(found.distances()[rival]) == pytest.approx(other.fun, abs=1e-9)


@settings(max_examples=30)
@given(boards(**SMALL, missing=False), DICE)
def test_neighbours_in_a_ranking_swap_at_the_nearest_vertex(board, dice):
    rule = dice.one_of(["mean", "borda", "plurality", "veto", "dowdall"])
    found = wl.lp.stability(board, rule=rule, of="ranking")
    points = board.points("scores" if rule == "mean" else rule)
    place = {model: row for row, model in enumerate(points.models)}
    for (upper, lower), lead, least in zip(found.pairs, found.leads, found.least_leads, strict=True):
        row = [
            Fraction(int(one) - int(other), points.denominator)
            for one, other in zip(points.numerators[place[upper]], points.numerators[place[lower]], strict=True)
        ]
        assert lead == sum(a * b for a, b in zip(row, twin.today(board), strict=True)) >= 0
        assert least == min(row)
        for norm in NORMS:
            assert found.distances(norm)[upper, lower] == twin.reversal(board, row, norm)
    found.verify(board)


def test_a_vector_of_points_is_a_rule_and_its_options_are_its_own():
    board = random_board(4, 5, seed=1)
    by_name, by_vector = (
        wl.lp.stability(board, rule="borda", of="ranking"),
        wl.lp.stability(board, rule=[3, 2, 1, 0], of="ranking"),
    )
    assert by_name.order == by_vector.order
    assert by_name.distances().tolist() == by_vector.distances().tolist()
    assert wl.lp.stability(board, rule="borda", ties="min", of="ranking").rule.ties == "min"
    with pytest.raises(wl.InputError, match="majority reads duels"):
        wl.lp.stability(board, ties="min", rule="majority")


def test_models_level_today_swap_at_once():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}})
    found = wl.lp.stability(board, rule="mean", of="ranking")
    assert found.order == ("a", "b")
    assert found.radius() == 0
    assert str(found).endswith("a and b tie today.")


def test_a_dominant_model_has_no_radius_and_says_why():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 1, "c": 2}})
    found = wl.lp.stability(board, rule="majority")
    assert found.radius("l1") is found.radius("linf") is None
    assert found.weights_at() is None
    assert found.takers() == ()
    assert str(found) == "a beats every rival under all allowed weights: its lead is never below 100% of the weight."
    found.verify(board)


def test_a_rival_that_leads_nowhere_can_tie_but_not_win():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 1}})
    found = wl.lp.stability(board, norm="l1", rule="majority")
    assert found.radius() == 1
    assert str(found).endswith("when b ties it, but can never beat it.")


def test_conditions_are_kept_and_named():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 2}})
    space = wl.lp.WeightSpace(board).at_most("z", "0.4")
    found = wl.lp.stability(board, space=space, rule="majority")
    assert found.radius() is None
    assert str(found).endswith("Conditions: z at most 2/5.")
    assert found.least_leads["b"] == Fraction(1, 5)
    wider = wl.lp.stability(board, space=wl.lp.WeightSpace(board).at_most("x", "0.1"), rule="majority")
    assert meets([], wider.weights_at().tolist())
    assert wider.weights_at()["x"] <= Fraction(1, 10)


def test_without_a_winner_the_error_names_the_nearest_weights_with_one():
    board = wl.Leaderboard(
        {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}
    )
    with pytest.raises(
        wl.NoWinnerError, match=r"the nearest weights with a head-to-head winner are reached once 16\.7%"
    ) as caught:
        wl.lp.stability(board, rule="majority")
    assert caught.value.nearest.models == ("a", "b", "c")
    assert caught.value.nearest.verify(board)
    tied = wl.Leaderboard({"x": {"a": 1, "b": 1}})
    with pytest.raises(wl.NoWinnerError, match="nor under any allowed weights") as caught:
        wl.lp.stability(tied, rule="majority")
    assert caught.value.nearest is None
    assert caught.value.proof.verify(tied)


def test_unknown_norms_rivals_and_tables_are_refused():
    board = random_board(4, 5, seed=1)
    with pytest.raises(wl.InputError, match="norm must be 'l1' or 'linf'; got 'l2'"):
        wl.lp.stability(board, norm="l2", rule="majority")
    found = wl.lp.stability(board, norm="l1", rule="majority")
    with pytest.raises(wl.InputError, match="norm 'linf' was not asked for"):
        found.radius("linf")
    with pytest.raises(wl.InputError, match="no rival named 'eve'"):
        found.weights_at("eve")
    with pytest.raises(wl.InputError, match="Leaderboard or a Profile; got Signs"):
        wl.lp.stability(board.signs(), rule="borda", of="ranking")
    with pytest.raises(wl.UnknownNameError, match="no linear rule named 'copeland'"):
        wl.lp.stability(board, rule="copeland", of="ranking")


def test_results_travel_and_are_compared_with_the_table():
    board = random_board(5, 6, seed=2, weighted=True)
    other = wl.Leaderboard(board.scores, weights={"t0": 5})
    for found in (wl.lp.stability(board, rule="majority"), wl.lp.stability(board, rule="mean", of="ranking")):
        again = result_from_dict(json.loads(json.dumps(found.to_dict())))
        assert again.verify(board)
        assert again.summary().equals(found.summary())
        assert str(again) == str(found)
        with pytest.raises(wl.ProofError, match="today's weight of 't0'"):
            again.verify(other)


def test_profiles_count_with_their_weights_and_signs_with_equal_ones():
    profile = random_board(4, 5, seed=1, weighted=True).rankings()
    weighted = wl.lp.stability(profile, rule="majority")
    assert weighted.weights.tolist() == [one / sum(profile.weights) for one in profile.weights]
    assert set(wl.lp.stability(random_board(4, 5, seed=1).signs(), rule="majority").weights) == {Fraction(1, 5)}


def test_a_tie_today_is_broken_by_weights_as_near_as_one_likes():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}})
    with pytest.raises(wl.NoWinnerError, match="an arbitrarily small change of equal weights makes a or b win"):
        wl.lp.stability(board, rule="majority")


def test_a_time_limit_says_how_many_duels_are_settled():
    board = random_board(4, 5, seed=1)
    with pytest.raises(wl.TimeLimitError) as caught:
        wl.lp.stability(board, space=wl.lp.WeightSpace(board).at_most("t0", "0.3"), time_limit=0, rule="majority")
    assert caught.value.known["settled"] == "0 of 3 duels"


def test_the_winner_of_glue_rests_on_a_fourteenth_of_the_weight(shared_data):
    board = wl.read_leaderboard(shared_data / "votenrank" / "glue.csv").complete()
    found = wl.lp.stability(board, rule="majority")
    assert (found.model, found.takers()) == ("ERNIE", ("DeBERTa / TuringNLRv4",))
    assert (found.radius("l1"), found.radius("linf")) == (Fraction(1, 14), Fraction(1, 182))
    assert found.verify(board)


def test_the_tie_at_the_top_of_superglue_is_broken_by_any_change(shared_data):
    board = wl.read_leaderboard(shared_data / "votenrank" / "superglue.csv").complete()
    with pytest.raises(wl.NoWinnerError) as caught:
        wl.lp.stability(board, rule="majority")
    assert caught.value.nearest.value == 0
    assert "ERNIE 3.0" in caught.value.nearest.models
    assert caught.value.nearest.verify(board)
