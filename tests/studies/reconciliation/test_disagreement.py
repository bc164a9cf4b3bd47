"""Why two rules disagree: pairs, the tasks behind them, and the least change of weights that reconciles them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import weightlab as wl
from tests.rules.strategies import boards
from tests.strategies import FEWER
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, MissingScoresError, ProofError, UnknownNameError
from weightlab.rules import grouped, rank, rule, two_step
from weightlab.studies import common_winner, disagreement, macro_average, two_step_average

LINEAR = ["mean", "borda", "plurality", "dowdall", "veto"]
TWO = st.lists(st.sampled_from(LINEAR), min_size=2, max_size=2, unique=True)
BOARD = wl.Leaderboard(
    {"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 0}},
    groups={"one": ["x"], "rest": ["y", "z"]},
)


def points_by(board, name):
    """Return the points of each model on each task by a rule, from the ranking of each task alone."""
    columns = {}
    for task in board.tasks:
        one = wl.Leaderboard(board.scores[[task]], lower_is_better=[t for t in board.lower_is_better if t == task])
        columns[task] = rank(one, name).scores.reindex(board.models)
    return pd.DataFrame(columns).astype(float)


def nearest_by_program(first, second, today, norm):
    """Return the least change after which neither total contradicts the other: two programs, one a side."""
    count = len(today)
    found = []
    for side in (1, -1):
        # Weights, then bounds of their changes: one a task, or one for all.
        slack = np.eye(count) if norm == "l1" else np.ones((count, 1))
        rows = [np.append(-side * one, np.zeros(slack.shape[1])) for one in (first, second)]
        rows += list(np.hstack([np.eye(count), -slack])) + list(np.hstack([-np.eye(count), -slack]))
        right = [0, 0, *today, *(-np.array(today))]
        cost = np.append(np.zeros(count), np.ones(slack.shape[1]))
        total = np.append(np.ones(count), np.zeros(slack.shape[1]))[None, :]
        solved = linprog(cost, A_ub=np.array(rows), b_ub=right, A_eq=total, b_eq=[1])
        if solved.status == 0:
            found.append(solved.fun)
    return min(found, default=None)


@settings(max_examples=40)
@given(board=boards(lower=True), two=TWO, norm=st.sampled_from(["l1", "linf"]))
def test_the_least_change_is_that_of_a_program_with_both_rules(board, two, norm):
    found = disagreement(board, *two, norm=norm, reconcile=False)
    orders = [rank(board, name).order for name in two]
    assert found.disputed == wl.rules.reversed_pairs(*orders)
    tables = [points_by(board, name) for name in two]
    shares = [float(weight / sum(board.weights)) for weight in board.weights]
    for upper, lower in found.disputed:
        rows = [(table.loc[upper] - table.loc[lower]).to_numpy() for table in tables]
        own = nearest_by_program(*rows, shares, norm)
        change = found.changes[upper, lower]
        assert (change is None) == (own is None)
        if own is not None:
            assert float(change) == pytest.approx(own, abs=1e-7)


@FEWER
@given(board=boards(lower=True), two=TWO)
def test_at_the_nearest_weights_neither_rule_contradicts_the_other(board, two):
    found = disagreement(board, *two, reconcile=False)
    for upper, lower in found.disputed:
        nearest = found.nearest(upper, lower)
        if nearest is None:
            continue
        weights = {task: nearest.weights[task] for task in board.tasks if nearest.weights.get(task)}
        moved = wl.Leaderboard(
            board.select(tasks=list(weights)).scores,
            weights=weights,
            lower_is_better=[task for task in board.lower_is_better if task in weights],
        )
        assert (upper, lower) not in wl.rules.reversed_pairs(*(rank(moved, name).order for name in two))


@FEWER
@given(board=boards(lower=True), two=TWO)
def test_the_parts_of_the_tasks_add_up(board, two):
    found = disagreement(board, *two, reconcile=False)
    total = sum(board.weights.tolist(), Fraction(0))
    for upper, lower in found.disputed:
        table = found.by_task(upper, lower)
        assert sum(table["weight"]) == 1
        for name, sign in zip(two, (1, -1), strict=True):
            scores = rank(board, name).scores
            gap = scores[upper] - scores[lower]
            part = sum(table[name].tolist(), Fraction(0))
            assert part == (gap if name == "mean" else gap / total)
            assert sign * part > 0


@settings(max_examples=20)
@given(board=boards(), two=TWO, norm=st.sampled_from(["l1", "linf"]))
def test_it_travels_and_is_proved(board, two, norm):
    found = disagreement(board, *two, norm=norm, reconcile=False)
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    assert (back.disputed, back.norm, str(back), back.rules) == (found.disputed, norm, str(found), tuple(two))
    assert back.changes.tolist() == found.changes.tolist()
    pd.testing.assert_frame_equal(back.summary(), found.summary())
    assert back.proof is found.proof
    assert replace(back, reconciled=None).proof is Proof.EXACT


def test_the_change_of_one_score_that_makes_the_means_level():
    found = disagreement(BOARD, "mean", "borda")
    assert found.disputed == (("a", "b"),)
    raised = BOARD.scores
    for task, more in found.by_task("a", "b")["to_level"].items():
        changed = raised.copy()
        changed.loc["b", task] += float(more)
        assert rank(wl.Leaderboard(changed), "mean").order[0] == ("a", "b")
        # Borda, which has b ahead, still has: the two are reconciled.
        assert rank(wl.Leaderboard(changed), "borda").order[0] == ("b",)


def test_the_summary_counts_tasks_and_weights():
    weighed = wl.Leaderboard(BOARD.scores, weights={"x": 2})
    assert disagreement(weighed, "mean", "plurality").summary().empty
    (row,) = disagreement(BOARD, "mean", "borda").summary().to_dict(orient="records")
    assert row == {
        "upper": "a",
        "lower": "b",
        "places by mean": 1,
        "places by borda": -1,
        "tasks for": 1,
        "tasks against": 2,
        "weight for": pytest.approx(1 / 3),
        "weight against": pytest.approx(2 / 3),
        "change": pytest.approx(1 / 3),
    }


def test_micro_macro_and_two_step_averages_are_rules_among_others():
    assert macro_average(BOARD).order == grouped(BOARD, "mean").order
    assert two_step_average(BOARD).order == two_step(BOARD, "mean", then="borda").order
    found = disagreement(BOARD, "mean", two_step_average)
    assert found.rules == ("mean", "two_step_average")
    assert found.verify(BOARD)
    board = wl.Leaderboard(
        {"x": {"a": 9, "b": 1}, "y": {"a": 1, "b": 4}, "z": {"a": 1, "b": 4}}, groups={"one": ["x", "y"], "rest": ["z"]}
    )
    # In all a has 11/3 on average and b 3; by group a has 5 and 1, b has 5/2 and 4.
    assert disagreement(board, "mean", macro_average).disputed == (("a", "b"),)


def test_the_parts_of_the_tasks_add_up_to_the_lead_by_the_macro_average():
    board = wl.Leaderboard(
        {"x": {"a": 9, "b": 1}, "y": {"a": 1, "b": 4}, "z": {"a": 1, "b": 4}}, groups={"one": ["x", "y"], "rest": ["z"]}
    )
    found = disagreement(board, "mean", "macro_average")
    table = found.by_task("a", "b")
    assert sum(table["macro_average"]) == Fraction(-1, 4)
    assert table["to_level_macro"].tolist() == [1, 1, Fraction(1, 2)]
    # The average divides by the weights: it is not linear in them.
    assert (found.changes.tolist(), found.reconciled) == ([None], None)
    assert str(found).endswith(
        "No smallest change of weights is known for macro_average, only for rules linear in them (mean, plurality, "
        "veto, borda, dowdall, no score skipped)."
    )
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert (back.verify(board), str(back), back.rules) == (True, str(found), ("mean", "macro_average"))


def test_what_reconciles_the_rules_is_the_nearest_common_winner():
    found = disagreement(BOARD, "mean", "borda", norm="linf")
    alone = common_winner(BOARD, "mean", "borda", norm="linf")
    assert found.reconciled.weights.equals(alone.weights)
    assert str(found).endswith(str(alone))
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(BOARD)
    assert back.reconciled.weights.equals(alone.weights)


@pytest.mark.parametrize("part", ["rules", "rankings", "norm", "asked"])
def test_a_false_reconciliation_is_seen(part):
    found = disagreement(BOARD, "mean", "borda")
    false = {
        "rules": common_winner(BOARD, "borda", "mean"),
        "rankings": common_winner(BOARD.select(tasks=["x"]), "mean", "borda"),
        "norm": common_winner(BOARD, "mean", "borda", norm="linf"),
        "asked": common_winner(BOARD, "mean", "borda", model="b"),
    }[part]
    with pytest.raises(ProofError):
        replace(found, reconciled=false).verify()


def test_rules_that_are_not_linear_have_no_least_change():
    found = disagreement(BOARD, "mean", "copeland")
    assert found.disputed == (("a", "b"),)
    assert found.changes.tolist() == [None]
    assert found.nearest("a", "b") is None
    assert str(found).startswith("mean and copeland disagree on 1 of 3 pairs, a and b among them. ")
    assert np.isnan(found.summary()["change"].iloc[0])
    assert result_from_dict(found.to_dict()).verify(BOARD)


def test_a_mean_that_skips_gaps_is_not_linear_and_points_of_last_places_are():
    gaps = wl.Leaderboard(
        {"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": None}, "z": {"a": 3, "b": 4, "c": 0}}
    )
    skipped = disagreement(gaps, rule("mean", missing="skip"), rule("borda", missing="last"))
    assert skipped.disputed == (("a", "b"),)
    assert skipped.first is None
    placed = disagreement(gaps, rule("plurality", missing="last"), rule("borda", missing="last"))
    assert placed.verify(gaps)
    with pytest.raises(MissingScoresError):
        disagreement(gaps, "mean", "borda")


def test_rules_that_agree():
    found = disagreement(BOARD, "copeland", "borda")
    assert found.disputed == ()
    assert found.tau == 1
    assert str(found) == (
        "copeland and borda disagree on none of 3 pairs. "
        "No smallest change of weights is known for copeland, only for rules linear in them (mean, plurality, "
        "veto, borda, dowdall, no score skipped)."
    )
    assert found.winners == (("b",), ("b",))
    assert found.verify(BOARD)


def test_a_pair_that_both_order_alike_is_refused():
    with pytest.raises(UnknownNameError, match="no pair named 'b above a'"):
        disagreement(BOARD, "mean", "borda").nearest("b", "a")
    with pytest.raises(InputError, match="two questions are called 'mean'"):
        disagreement(BOARD, "mean", "mean")
    with pytest.raises(InputError, match="norm must be 'l1' or 'linf'; got 'l2'"):
        disagreement(BOARD, "mean", "borda", norm="l2")


@pytest.mark.parametrize("part", ["pairs", "norm", "first", "second", "swapped", "centre"])
def test_a_false_part_is_seen(part):
    found = disagreement(BOARD, "mean", "borda")
    change = {
        "pairs": {"disputed": (("b", "a"),)},
        "norm": {"norm": "linf"},
        "first": {"first": None},
        "second": {"second": None, "first": None},
        "swapped": {"first": found.second, "second": found.first},
        "centre": {"first": replace(found.first, centre=(Fraction(1), Fraction(0), Fraction(0)))},
    }[part]
    with pytest.raises(ProofError):
        replace(found, **change).verify()


def test_a_false_change_is_seen():
    found = disagreement(BOARD, "mean", "borda")
    point = found.second.points["l1"][0]
    false = replace(point, value=point.value * 2)
    with pytest.raises(ProofError, match="the weight to move from equal weights is"):
        replace(found, second=replace(found.second, points={"l1": (false,)})).verify()


def test_on_superglue_mean_and_borda_part_on_few_pairs(shared_data):
    board = wl.read_leaderboard(shared_data / "colombo" / "superglue24.csv")
    found = disagreement(board, "mean", "borda")
    assert found.verify(board)
    assert len(found.disputed) == len(found.changes.dropna())
    assert 0 < len(found.disputed) < 20
