"""A leaderboard with other weights, groups or names is the same in all else, and goes to pandas and back exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests.strategies import FEWER, boards, decimal_of, frames
from weightlab.exceptions import InputError

BOARD = wl.Leaderboard(
    {"f1": {"a": 0.9, "b": "0.30000000000000000001"}, "time": {"a": 3, "b": None}, "wer": {"a": 1, "b": 2}},
    lower_is_better="time",
    higher_is_better="wer",
    weights={"f1": "1/3"},
    groups={"f1": ["f1", "wer"], "cost": ["time"]},
    tolerance={"f1": "0.1"},
    relative_tolerance={"time": "0.01"},
    standard_errors={"f1": {"a": 0.01, "b": 0.02}},
)


@given(boards(weighted=True, tolerant=True))
def test_renaming_there_and_back_changes_nothing(board):
    models = {model: f"new {number}" for number, model in enumerate(board.models)}
    tasks = {task: f"task {number}" for number, task in enumerate(board.tasks)}
    renamed = board.rename(models=models, tasks=tasks)
    assert renamed.models == tuple(models.values())
    assert renamed.tasks == tuple(tasks.values())
    assert np.array_equal(renamed.signs().levels, board.signs().levels, equal_nan=True)
    models, tasks = ({new: old for old, new in names.items()} for names in (models, tasks))
    assert renamed.rename(models=models, tasks=tasks).equals(board)


def test_all_that_is_declared_goes_with_the_names():
    renamed = BOARD.rename(models={"a": "ada"}, tasks={"time": "seconds", "f1": "time", "wer": "f1"})
    assert renamed.models == ("ada", "b")
    assert renamed.tasks == ("time", "seconds", "f1")
    assert renamed.lower_is_better == ("seconds",)
    assert dict(renamed.groups) == {"f1": ("time", "f1"), "cost": ("seconds",)}
    assert renamed.weights.to_dict() == {"time": Fraction(1, 3), "seconds": 1, "f1": 1}
    assert dict(renamed.tolerance) == {"time": Fraction(1, 10)}
    assert dict(renamed.relative_tolerance) == {"seconds": Fraction(1, 100)}
    assert renamed.standard_errors.loc["b", "time"] == 0.02
    assert renamed.cells.equals(BOARD.cells)
    assert renamed.declarations.higher_is_better == {"f1"}


@pytest.mark.parametrize(
    ("names", "faults"),
    [
        ({"models": {"c": "d"}}, ["no model named 'c'"]),
        ({"models": {"a": "b"}}, ["duplicate model name 'b'"]),
        ({"tasks": {"f1": " "}}, ["task number 1 has an empty name"]),
        ({"tasks": {"f1": None}}, ["task number 1 has no name"]),
        ({"tasks": ["f1"]}, ["tasks: a mapping from old to new names is needed; got ['f1']"]),
        ({"models": {"a": "b"}, "tasks": {"f1": "wer"}}, ["duplicate model name 'b'", "duplicate task name 'wer'"]),
    ],
)
def test_names_that_do_not_fit_are_refused(names, faults):
    with pytest.raises(InputError) as refused:
        BOARD.rename(**names)
    assert [fault.partition(";")[0] for fault in refused.value.faults] == [fault.partition(";")[0] for fault in faults]


def test_other_weights_change_nothing_else():
    other = BOARD.with_weights({"time": "1/2"})
    assert other.weights.to_dict() == {"f1": 1, "time": Fraction(1, 2), "wer": 1}
    assert other.with_weights(BOARD.weights).equals(BOARD)
    assert other.standard_errors.equals(BOARD.standard_errors)


def test_other_groups_take_the_place_of_those_there():
    other = BOARD.with_groups({"all": ["wer", "f1", "time"]})
    assert dict(other.groups) == {"all": ("f1", "time", "wer")}
    assert other.with_groups(BOARD.groups).equals(BOARD)
    assert dict(BOARD.with_groups({}).groups) == {}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda: BOARD.with_weights({"speed": 1}), "weights: .*'speed'"),
        (lambda: BOARD.with_weights({"time": -1}), "weight of task 'time' is negative: -1"),
        (lambda: BOARD.with_weights([0, 0, 0]), "all weights are 0"),
        (lambda: BOARD.with_groups({"g": ["speed"]}), "group 'g': .*'speed'"),
        (lambda: BOARD.with_groups({"g": []}), "group 'g' has no tasks"),
    ],
)
def test_weights_and_groups_that_do_not_fit_are_refused(change, fault):
    with pytest.raises(InputError, match=fault):
        change()


@FEWER
@given(frames(cells=decimal_of))
def test_a_frame_goes_to_pandas_and_back_exactly(frame):
    board = wl.Leaderboard(frame, higher_is_better=list(map(str, frame.columns)))
    again = wl.Leaderboard(board.to_pandas(), higher_is_better=board.tasks)
    assert again.cells.equals(board.cells)
    assert (again.models, again.tasks) == (board.models, board.tasks)


def test_columns_of_doubles_stay_columns_of_doubles():
    frame = BOARD.to_pandas()
    assert frame["f1"].tolist() == [Fraction(9, 10), Fraction("0.30000000000000000001")]
    assert frame["wer"].dtype == "float64"
    pd.testing.assert_frame_equal(frame[["time", "wer"]], BOARD.scores[["time", "wer"]])
    frame.loc["a", "wer"] = 7
    assert BOARD.scores.loc["a", "wer"] == 1
