"""Whatever is wrong with a leaderboard is said at once, each fault in its own sentence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import InputError

SCORES = pd.DataFrame({"x": [1, 2], "y": [3, 4]}, index=["a", "b"])


def faults_of(scores, **options):
    with pytest.raises(InputError) as caught:
        wl.Leaderboard(scores, **options)
    return caught.value.faults


def test_every_fault_is_in_one_error():
    frame = pd.DataFrame(
        [[1, "bad", None, 3], [2, float("inf"), None, 4], [3, 1, None, 5]],
        index=["a", "b", "a"],
        columns=["x", "y", "z", "x"],
    )
    assert faults_of(
        frame,
        lower_is_better=["w"],
        weights={"x": -1, "v": 1},
        groups={"g": ["u"], "h": []},
        tolerance={"y": "-0.1"},
        relative_tolerance={"t": 1},
    ) == (
        "duplicate model name 'a'",
        "duplicate task name 'x'",
        "model 'a', task 'y': 'bad' is not a number",
        "model 'b', task 'y': inf is infinite",
        "lower is better: no task named 'w'; the leaderboard has 'x', 'y', 'z', 'x'",
        "tolerance of task 'y' is negative: -1/10",
        "relative tolerances: no task named 't'; the leaderboard has 'x', 'y', 'z', 'x'",
        "weights: no task named 'v'; the leaderboard has 'x', 'y', 'z', 'x'",
        "weight of task 'x' is negative: -1",
        "group 'g': no task named 'u'; the leaderboard has 'x', 'y', 'z', 'x'",
        "group 'h' has no tasks",
    )


@pytest.mark.parametrize(
    ("scores", "faults"),
    [
        (
            pd.DataFrame(),
            ["a leaderboard needs at least two models; got 0", "a leaderboard needs at least one task; got none"],
        ),
        ({}, ["a leaderboard needs at least two models; got 0", "a leaderboard needs at least one task; got none"]),
        (pd.DataFrame(columns=["x"]), ["a leaderboard needs at least two models; got 0"]),
        (SCORES.iloc[:1], ["a leaderboard needs at least two models; got 1: 'a'"]),
        (SCORES[[]], ["a leaderboard needs at least one task; got none"]),
        (SCORES.assign(y=[None, None]), ["task 'y' has no score at all"]),
        (pd.DataFrame({"x": [1, 2, np.nan]}, index=list("abc")), ["model 'c' has no score at all"]),
        (None, ["a table of scores is needed; got None"]),
        (3, ["a table of scores is needed; got 3"]),
        ("scores.csv", ["a table of scores is needed; got 'scores.csv'"]),
        (
            {"x": [1, 2], "y": [1]},
            ["a table of scores is needed; what is given is not one: All arrays must be of the same length"],
        ),
        (
            SCORES.set_axis(pd.MultiIndex.from_tuples([("m", "a"), ("m", "b")])),
            ["the rows have several levels, such as ('m', 'a'): that is a Suite, or join them into one text each"],
        ),
        (
            SCORES.set_axis(pd.MultiIndex.from_tuples([("t", "x"), ("t", "x")]), axis=1),
            ["duplicate task name 't/x'"],
        ),
        (SCORES.set_axis(["a", np.nan]), ["model number 2 has no name"]),
        (SCORES.set_axis(["a", "  "]), ["model number 2 has an empty name"]),
        (SCORES.set_axis(["x", "x"], axis=1), ["duplicate task name 'x'"]),
        (SCORES.set_axis([1, "1"]), ["duplicate model name '1'"]),
    ],
)
def test_a_table_that_is_no_leaderboard_is_refused(scores, faults):
    assert list(faults_of(scores)) == faults


@pytest.mark.parametrize(
    ("options", "faults"),
    [
        ({"weights": {"x": 0, "y": "0.0"}}, ["all weights are 0"]),
        ({"weights": [0, 0]}, ["all weights are 0"]),
        ({"weights": [10**5000, 1]}, ["weight of task 'x': a number with more than 4,300 digits"]),
        ({"tolerance": 10**5000}, ["tolerance must be a finite number; got a number with more than 4,300 digits"]),
        ({"weights": [-1, 2]}, ["weight of task 'x' is negative: -1"]),
        ({"weights": [1]}, ["1 weight for 2 tasks; give one a task, or a mapping by name"]),
        ({"weights": {"X": 1}}, ["weights: no task named 'X'; the leaderboard has 'x', 'y' (did you mean 'x'?)"]),
        ({"weights": {"x": "much"}}, ["weight of task 'x': 'much' is not a finite number"]),
        ({"weights": {"x": np.inf}}, ["weight of task 'x': inf is not a finite number"]),
        ({"lower_is_better": True}, ["lower is better: task names are needed, one or a list; got True"]),
        (
            {"lower_is_better": {"x": False}},
            ["lower is better: task names are needed, one or a list; got {'x': False}"],
        ),
        ({"groups": {"": ["x"]}}, ["a group has an empty name"]),
        ({"groups": {"g": ()}}, ["group 'g' has no tasks"]),
        ({"groups": {1: ["x"], "1": ["y"]}}, ["group '1' is there more than once"]),
        ({"groups": ["x"]}, ["groups: a mapping from group names to tasks is needed; got ['x']"]),
        ({"groups": {"g": wl.group("h")}}, ["group 'g': no task named '@h'; the leaderboard has 'x', 'y'"]),
        ({"groups": {"g": 3}}, ["group 'g': task names are needed, one or a list; got 3"]),
        ({"tolerance": -1}, ["tolerance is negative: -1"]),
        ({"tolerance": "wide"}, ["tolerance must be a finite number; got 'wide'"]),
        ({"relative_tolerance": np.nan}, ["relative tolerance must be a finite number; got nan"]),
        ({"tolerance": {"z": 1}}, ["tolerances: no task named 'z'; the leaderboard has 'x', 'y'"]),
        (
            {"tolerance": None},
            ["tolerances: a mapping from tasks to numbers, or one number a task, is needed; got None"],
        ),
        (
            {"tolerance": {"x": 1}, "relative_tolerance": Fraction(1, 2)},
            ["task 'x' has both a tolerance and a relative tolerance; give one"],
        ),
    ],
)
def test_declarations_that_do_not_fit_are_refused(options, faults):
    assert list(faults_of(SCORES, **options)) == faults


@given(st.integers(21, 60))
def test_many_faults_are_counted(count):
    faults = faults_of(pd.DataFrame({f"x{place}": ["bad", "bad"] for place in range(count)}, index=["a", "b"]))
    assert (len(faults), faults[-1]) == (21, f"... and {2 * count - 39} more")


def test_hundreds_of_unknown_names_are_refused_at_once():
    many = [f"a task with a long name, number {place}" for place in range(400)]
    frame = pd.DataFrame(1.0, index=["a", "b"], columns=many)
    faults = faults_of(frame, lower_is_better=[f"{name}!" for name in many])
    assert faults[-1] == "... and 380 more"
    assert "did you mean 'a task with a long name, number 0'?" in faults[0]
