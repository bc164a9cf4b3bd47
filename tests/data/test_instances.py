"""Instances are one score table, models x instances, a task; their means make a leaderboard."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import FEWER, decimal_of, frames
from weightlab.exceptions import InputError, UnknownNameError

QA = pd.DataFrame({"q1": [1, 0, 1], "q2": [1, 1, None], "q3": [0, 1, 1]}, index=["ada", "bo", "cy"])
TIME = pd.DataFrame({"t1": [0.1, 0.3], "t2": [0.2, 0.3], "t3": [0.3, 0.1]}, index=["cy", "ada"])


def instances(**options):
    return wl.Instances({"qa": QA, "time": TIME}, **{"lower_is_better": "time", "weights": {"qa": "0.1"}, **options})


def test_instances_know_their_names_and_declarations():
    made = instances()
    assert (made.tasks, made.models) == (("qa", "time"), ("ada", "bo", "cy"))
    assert made.lower_is_better == ("time",)
    assert made.weights.to_dict() == {"qa": Fraction(1, 10), "time": 1}
    assert repr(made) == "Instances: 2 tasks, 3 models, 6 instances"


@given(st.dictionaries(st.sampled_from(["x", "y", "z"]), frames(cells=decimal_of, plain=True), min_size=1, max_size=2))
def test_means_are_exact_and_leave_missing_instances_out(tables):
    board = wl.Instances(tables).means()
    for column, (task, frame) in enumerate(tables.items()):
        means = dict(zip(board.models, board.cells.column(column), strict=True))
        for model in board.models:
            there = [Fraction(Decimal(text)) for text in frame.loc[model].dropna()] if model in frame.index else []
            assert means[model] == (sum(there) / len(there) if there else None), task


@FEWER
@given(frames(missing=False))
def test_the_order_of_instances_plays_no_part_in_means(frame):
    one, other = wl.Instances({"x": frame}), wl.Instances({"x": frame.iloc[:, ::-1]})
    assert one.means().equals(other.means())


def test_means_are_decimals_where_doubles_would_not_be():
    tenths = pd.DataFrame({f"q{place}": [0.1, 0.3 if place == 0 else 0] for place in range(3)}, index=["a", "b"])
    board = wl.Instances({"x": tenths}).means()
    assert sum([0.1] * 3) / 3 != 0.3 / 3  # in doubles
    assert board.signs().duel("a", "b")["x"] == 0
    thirds = wl.Instances({"x": QA.iloc[:2]}).means()
    assert thirds.cells.column(0) == [Fraction(2, 3), Fraction(2, 3)]
    assert thirds.scores.loc["ada", "x"] == 2 / 3


def test_means_keep_directions_and_weights():
    board = instances().means()
    assert board.lower_is_better == ("time",)
    assert board.weights.to_dict() == {"qa": Fraction(1, 10), "time": 1}
    assert board.missing_cells == (("bo", "time"),)
    assert board.cells.column(0) == [Fraction(2, 3), Fraction(2, 3), 1]


def test_the_leaderboard_of_a_task_has_its_instances_as_tasks():
    board = instances().leaderboard("time")
    assert (board.models, board.tasks) == (("cy", "ada"), ("t1", "t2", "t3"))
    assert board.lower_is_better == board.tasks
    assert board.weights.tolist() == [1, 1, 1]
    assert instances().leaderboard("qa").lower_is_better == ()
    with pytest.raises(InputError, match="at least two models"):
        wl.Instances({"x": QA.iloc[:1]}).leaderboard("x")


@pytest.mark.parametrize("ask", ["leaderboard", "table"])
def test_an_unknown_task_is_refused(ask):
    with pytest.raises(
        UnknownNameError, match=r"^no task named 'tim'; the set of instances has 'qa', 'time' \(did you"
    ):
        getattr(instances(), ask)("tim")


def test_what_has_no_score_is_left_out():
    made = wl.Instances({"qa": QA.assign(q4=[None] * 3).reindex([*QA.index, "dee"])})
    assert made.table("qa").models == ("ada", "bo", "cy")
    assert made.table("qa").columns == ("q1", "q2", "q3")


@pytest.mark.parametrize(
    ("tables", "options", "faults"),
    [
        ({}, {}, ["at least one task is needed; got none"]),
        ({"qa": QA * np.nan}, {}, ["task 'qa' has no score at all"]),
        ({"qa": QA}, {"weights": [0]}, ["all weights are 0"]),
        ({"qa": QA}, {"weights": {"qa": -1}}, ["weight of task 'qa' is negative: -1"]),
        (
            {"qa": QA},
            {"weights": {"q": 1}, "lower_is_better": "aq"},
            [
                "lower is better: no task named 'aq'; the set of instances has 'qa'",
                "weights: no task named 'q'; the set of instances has 'qa'",
            ],
        ),
        (
            {"qa": QA.replace(0, "x").iloc[:1], "time": TIME.set_axis(["cy", "cy"])},
            {},
            ["task 'qa': model 'ada', instance 'q3': 'x' is not a number", "task 'time': duplicate model name 'cy'"],
        ),
    ],
)
def test_every_fault_is_in_one_error(tables, options, faults):
    with pytest.raises(InputError) as caught:
        wl.Instances({name: frame.astype(object) for name, frame in tables.items()}, **options)
    assert [fault.split(" (did you mean")[0] for fault in caught.value.faults] == faults


def test_selecting_keeps_scores_and_declarations_of_what_is_kept():
    some = instances().select(tasks=["time", "qa", "time"], models=["cy", "ada", "cy"])
    assert (some.tasks, some.models) == (("time", "qa"), ("cy", "ada"))
    assert some.table("qa").frame().equals(QA.loc[["cy", "ada"]].astype(float))
    assert some.lower_is_better == ("time",)
    assert some.weights.to_dict() == {"time": 1, "qa": Fraction(1, 10)}
    assert instances().select(tasks="qa", models="bo").models == ("bo",)
    assert instances().select().equals(instances())


@pytest.mark.parametrize(
    ("chosen", "faults"),
    [
        ({"tasks": []}, ["at least one task is needed; got none"]),
        ({"models": []}, ["task 'qa' has no score of what is kept", "task 'time' has no score of what is kept"]),
        ({"models": "bo"}, ["task 'time' has no score of what is kept"]),
        (
            {"tasks": ["q"], "models": ["eve"]},
            [
                "no task named 'q'; the set of instances has 'qa', 'time' (did you mean 'qa'?)",
                "no model named 'eve'; the set of instances has 'ada', 'bo', 'cy'",
            ],
        ),
    ],
)
def test_selections_that_keep_nothing_are_refused(chosen, faults):
    with pytest.raises(InputError) as caught:
        instances().select(**chosen)
    assert list(caught.value.faults) == faults


def test_tasks_that_stay_need_weight():
    with pytest.raises(InputError, match=r"^all tasks that stay have weight 0$"):
        instances(weights={"qa": 0}).select(tasks="qa")


def test_instances_survive_pickling_and_copying():
    made = instances()
    for back in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):  # noqa: S301 (our own pickle)
        assert back.equals(made)
        assert not back.table("qa").cells.floats.flags.writeable
    with pytest.raises(AttributeError):
        made.tasks = ()


def test_other_scores_names_or_declarations_make_others():
    assert instances().equals(instances())
    assert not instances().equals(instances(weights={"qa": "0.2"}))
    assert not instances().equals(instances(lower_is_better=(), higher_is_better="time"))
    assert not instances().equals(instances().select(tasks=["time", "qa"]))
    assert not wl.Instances({"x": QA}).equals(wl.Instances({"x": QA + 1}))
