"""Weight ranges: every bound against every vertex, against another solver, and against forgery."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.scenarios.test_scenario import SMALL, random_board
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict

ONE = {"x": {"a": 2, "b": 1, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 2, "c": 1}}


def check_bound(board, ranges, tasks, found, meant, *, sense):
    """Compare a bound with the vertices, and what it says of strict wins with the margin of the optimal face."""
    model, lead = ranges.model, ranges.margin
    row = [int(task in tasks) for task in board.tasks]
    assert found.value == brute_force.least(board, model, [(row, 0)], cuts=meant, lead=lead, sense=sense)
    at_best = ([sense * one for one in row], sense * found.value)
    assert ranges.attained(found) == (brute_force.margin(board, model, [*meant, at_best]) > 0)
    assert sum(found.weights.get(task, 0) for task in tasks) == found.value


@settings(max_examples=12)
@given(boards(**SMALL), DICE)
def test_every_bound_is_that_of_a_vertex_and_attained_as_said(board, dice):
    some = cuts_of(dice, board.tasks, 0, 1)
    lead = dice.one_of([Fraction(0), Fraction(0), Fraction(1, 3)])
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    for model in board.models[:2]:
        margin = brute_force.margin(board, model, meant)
        if margin is None or margin < lead:
            with pytest.raises(wl.EmptySpaceError if margin is None else wl.ImpossibleError):
                wl.lp.weight_ranges(board, model, space=space, margin=lead)
            continue
        ranges = wl.lp.weight_ranges(board, model, space=space, margin=lead)
        assert ranges.verify(board)
        for one in ranges.ranges:
            check_bound(board, ranges, one.tasks, one.least, meant, sense=1)
            check_bound(board, ranges, one.tasks, one.most, meant, sense=-1)
        document = json.loads(json.dumps(ranges.to_dict()))
        back = result_from_dict(document)
        assert back.verify(board)
        assert back.to_dict() == document
        assert str(back) == str(ranges)


def test_a_group_of_a_document_is_one_of_the_table_by_its_name_and_its_tasks():
    board = wl.Leaderboard(ONE, groups={"two": ["x", "y"]})
    document = json.loads(json.dumps(wl.lp.weight_ranges(board, "a").to_dict()).replace('"two"', '"hard"'))
    forged = result_from_dict(document)
    assert "@hard (x, y) must carry" in str(forged)
    for source in (board, wl.Leaderboard(ONE)):
        with pytest.raises(wl.ProofError, match="the source has no group 'hard'"):
            forged.verify(source)
    with pytest.raises(wl.InputError, match="a text is needed"):
        result_from_dict(json.loads(json.dumps(document).replace('"hard"', '"\\ud800"')))
    with pytest.raises(wl.InputError, match="the name of group '\\\\ud800' is no text"):
        wl.Leaderboard(ONE, groups={"\ud800": ["x"]})


def test_a_group_of_the_table_without_a_range_is_missed():
    board = wl.Leaderboard(ONE, groups={"two": ["x", "y"], "rest": ["z"]})
    ranges = wl.lp.weight_ranges(board, "a")
    assert ranges.summary()["tasks"].tolist() == ["", "", "", "x, y", "z"]
    with pytest.raises(wl.ProofError, match="a group whose range is missing: @rest"):
        dataclasses.replace(ranges, ranges=ranges.ranges[:-1]).verify(board)


def test_groups_have_ranges_of_their_own():
    board = wl.Leaderboard(ONE, groups={"x": ["x", "y"], "rest": ["z", "y"]})
    ranges = wl.lp.weight_ranges(board, "a")
    assert ranges["x"].low == ranges[wl.group("x")].low == Fraction(1, 2)
    assert ranges.attained(ranges[wl.group("x")].least) is False
    assert ranges[wl.group("rest")].high == Fraction(1, 2)
    assert list(ranges.summary().index) == ["x", "y", "z", "@x", "@rest"]
    assert ranges.verify(board)
    with pytest.raises(wl.ProofError, match="the source has no group 'x'"):
        ranges.verify(wl.Leaderboard(ONE, groups={"rest": ["z"]}))
    with pytest.raises(wl.ProofError, match="@rest stands for other tasks"):
        ranges.verify(wl.Leaderboard(ONE, groups={"x": ["x", "y"], "rest": ["z"]}))
    with pytest.raises(wl.UnknownNameError, match="no group named 'z'"):
        ranges[wl.group("z")]
    with pytest.raises(wl.UnknownNameError, match="no task named 'rest'"):
        ranges["rest"]


def test_tables_of_one_task_of_twins_and_of_ties():
    single = wl.Leaderboard({"x": {"a": 2, "b": 1}})
    ranges = wl.lp.weight_ranges(single, "a")
    assert (ranges.low["x"], ranges.high["x"], ranges.attained(ranges["x"].least)) == (1, 1, True)
    assert str(ranges["x"]) == "x must carry everything"
    ties = wl.Leaderboard({"x": {"a": 1, "b": 1}, "y": {"a": None, "b": 1}})
    ranges = wl.lp.weight_ranges(ties, "b")
    assert ranges.summary().to_numpy().tolist() == [[0, 1, False, False]] * 2
    twice = wl.Leaderboard({"x": {"a": 2, "b": 1}, "again": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}})
    ranges = wl.lp.weight_ranges(twice, "a")
    assert ranges.low.tolist() == [0, 0, 0]
    assert ranges.high.tolist() == [1, 1, Fraction(1, 2)]
    assert ranges.useless == ranges.indispensable == ()


def test_a_task_on_which_the_model_trails_an_idle_rival_is_useless():
    board = wl.Leaderboard({"x": {"a": 1, "b": 1}, "y": {"a": 0, "b": 1}})
    ranges = wl.lp.weight_ranges(board, "a")
    assert ranges.useless == ("y",)
    assert ranges.indispensable == ("x",)
    assert not ranges.attained(ranges["y"].most)


def float_bounds(board, model, task):
    signs = board.signs().matrix(model).astype(float)
    count = len(board.tasks)
    unit = np.eye(count)[board.tasks.index(task)]
    ask = {"A_ub": -signs, "b_ub": np.zeros(len(signs)), "A_eq": np.ones((1, count)), "b_eq": [1]}
    return linprog(unit, **ask).fun, -linprog(-unit, **ask).fun


def test_larger_tables_agree_with_another_solver():
    board = random_board(30, 9, seed=11)
    able = [model for model in board.models if wl.lp.prospect(board, model).margin >= 0][:5]
    assert able
    for model in able:
        ranges = wl.lp.weight_ranges(board, model)
        for task in board.tasks:
            low, high = float_bounds(board, model, task)
            assert float(ranges.low[task]) == pytest.approx(low, abs=1e-7)
            assert float(ranges.high[task]) == pytest.approx(high, abs=1e-7)


def test_a_model_that_can_never_is_refused_with_the_proof():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}})
    with pytest.raises(wl.ImpossibleError, match="no weights give 'b' a lead of 0") as caught:
        wl.lp.weight_ranges(board, "b")
    assert caught.value.proof.verify(board)
    with pytest.raises(wl.InputError, match="margin must not be negative"):
        wl.lp.weight_ranges(board, "a", margin=-1)


def test_ranges_read_like_a_sentence_and_a_table():
    ranges = wl.lp.weight_ranges(wl.Leaderboard(ONE), "a", space=wl.lp.WeightSpace("xyz").at_most("x", "2/3"))
    assert str(ranges["x"]) == "x must carry at least 50% and may carry at most 66.7%"
    assert str(ranges["y"]) == "y may carry nothing, and may carry at most 50%"
    start = "For a to be undefeated head-to-head, x must carry at least 50% and may carry at most 66.7%."
    assert str(ranges) == f"{start} Conditions: x at most 2/3."
    board = wl.Leaderboard(ONE, groups={"all": ["x", "y", "z"], "xy": ["x", "y"]})
    whole = wl.lp.weight_ranges(board, "a")
    both = "; ".join(f"{one} must carry at least 50% and may carry everything" for one in ("x", "@xy (x, y)"))
    assert str(whole) == f"For a to be undefeated head-to-head, {both}."
    board = wl.Leaderboard({"x": {"a": 1, "b": 1}, "y": {"a": 0, "b": 1}})
    assert str(wl.lp.weight_ranges(board, "a")) == (
        "For a to be undefeated head-to-head, x must carry everything; 1 of 2 tasks must carry nothing."
    )
    assert str(wl.lp.weight_ranges(board, "b")["y"]) == "y may carry nothing, and may carry everything"
    assert "no task is indispensable" in str(wl.lp.weight_ranges(board, "b"))
    leading = wl.lp.weight_ranges(board, "b", margin="1/3")
    assert str(leading).startswith(
        "For b to lead every rival head-to-head by at least 33.3% of the weight, y must carry at least 33.3% and"
    )
    table = ranges.summary()
    assert table.loc["x"].tolist() == [0.5, pytest.approx(2 / 3), False, True]


def test_the_only_weak_scenario_of_the_paper_has_no_room_at_all(shared_data):
    board = wl.Leaderboard(pd.read_csv(shared_data / "votenrank/superglue.csv", index_col="model")).complete()
    ranges = wl.lp.weight_ranges(board, "T5")
    half = {"BoolQ": Fraction(1, 2), "MultiRC_n2": Fraction(1, 2)}
    assert ranges.indispensable == tuple(half)
    assert ranges.low.tolist() == ranges.high.tolist() == [half.get(task, 0) for task in board.tasks]
    assert not ranges.summary()[["low_attained", "high_attained"]].to_numpy().any()
    assert ranges.verify(board)


def test_no_field_of_a_range_can_be_changed():
    board = wl.Leaderboard(ONE)
    claim = wl.lp.weight_ranges(board, "a")
    tiny = Fraction(1, 10**12)

    def refused(place, which, **changes):
        ranges = list(claim.ranges)
        forged = dataclasses.replace(getattr(ranges[place], which), **changes)
        ranges[place] = dataclasses.replace(ranges[place], **{which: forged})
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, ranges=tuple(ranges)).verify(board)

    for place in range(3):
        for which in ("least", "most"):
            own = getattr(claim.ranges[place], which)
            refused(place, which, value=own.value + tiny)
            refused(place, which, value=own.value - tiny)
            refused(place, which, value=float(own.value))
            refused(place, which, weights={**own.weights, "ghost": tiny})
            refused(place, which, weights={})
            refused(place, which, vectors=({},))
            refused(place, which, slope={"x": Fraction(1)})
            if claim.attained(own):
                refused(place, which, mixture={"b": Fraction(1)})
            else:
                refused(place, which, mixture={})
        ranges = list(claim.ranges)
        ranges[place] = dataclasses.replace(ranges[place], tasks=("x", "y"))
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, ranges=tuple(ranges)).verify(board)
    for ranges in (claim.ranges[1:], claim.ranges[::-1], claim.ranges[:1]):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, ranges=ranges).verify(board)
    with pytest.raises(wl.ProofError):
        dataclasses.replace(claim, margin=Fraction(1, 10)).verify(board)
