"""Tables whose names stand beside them, or in several levels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.strategies import boards, suites
from weightlab.exceptions import InputError

SCORES = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])


@settings(max_examples=30)
@given(board=boards(missing=True))
def test_an_array_with_names_is_the_frame_with_these_names(board):
    options = {"lower_is_better": board.lower_is_better, "weights": board.weights, "groups": dict(board.groups)}
    scores = board.scores
    named = wl.Leaderboard(scores.to_numpy(), models=board.models, tasks=board.tasks, **options)
    assert named.equals(wl.Leaderboard(scores, **options))


def test_single_precision_is_read_as_the_decimal_that_it_prints():
    board = wl.Leaderboard(SCORES.astype(np.float32), models=["a", "b"], tasks=["x", "y", "z"])
    assert board.cells.column(0) == [Fraction(1, 10), Fraction(2, 5)]


def test_lists_without_names_take_names_too():
    board = wl.Leaderboard({"x": [1, 2]}, models=["a", "b"])
    assert (board.models, board.tasks) == (("a", "b"), ("x",))


@pytest.mark.parametrize(
    ("scores", "options", "fault"),
    [
        (SCORES, {"models": ["a"]}, "1 model name for 2 rows"),
        (SCORES, {"tasks": ["x", "y"]}, "2 task names for 3 columns"),
        (SCORES, {"models": "ab"}, "models must be a list of names; got 'ab'"),
        (SCORES, {"models": ["a", "a"], "tasks": ["x", "y", "z"]}, "duplicate model name 'a'"),
        (
            pd.DataFrame(SCORES, index=["a", "b"]),
            {"models": ["a", "b"]},
            "models names the rows of a table that has no names; this one has 'a'",
        ),
        ({"x": [1, 2]}, {"tasks": ["x"]}, "tasks names the columns of a table that has no names; this one has 'x'"),
    ],
)
def test_names_that_do_not_fit_are_refused(scores, options, fault):
    with pytest.raises(InputError) as caught:
        wl.Leaderboard(scores, **options)
    assert caught.value.faults == (fault,)


def leveled(columns, **options):
    frame = pd.DataFrame([range(len(columns)), range(len(columns), 0, -1)], index=["a", "b"])
    return wl.Leaderboard(frame.set_axis(pd.MultiIndex.from_tuples(columns), axis=1), **options)


def test_the_first_level_of_columns_names_groups():
    board = leveled([("nli", "CB"), ("nli", "RTE"), ("", "QA")])
    assert board.tasks == ("CB", "RTE", "QA")
    assert dict(board.groups) == {"nli": ("CB", "RTE")}


def test_tasks_of_one_name_are_told_apart_by_their_groups():
    board = leveled([("qa", "f1"), ("qa", "em"), ("summaries", "f1")])
    assert board.tasks == ("qa/f1", "qa/em", "summaries/f1")
    assert dict(board.groups) == {"qa": ("qa/f1", "qa/em"), "summaries": ("summaries/f1",)}


def test_groups_that_are_given_count_instead_of_those_of_the_columns():
    assert dict(leveled([("nli", "CB"), ("nli", "RTE")], groups={"mine": ["RTE"]}).groups) == {"mine": ("RTE",)}


def test_three_levels_are_a_group_and_a_task():
    assert leveled([("g", "qa", "f1"), ("g", "qa", "em")]).tasks == ("qa/f1", "qa/em")


def options_of(suite):
    return {"lower_is_better": suite.lower_is_better, "weights": suite.weights}


def alike(one, other):
    """Tell whether two suites hold the same scores, in whatever order their models and metrics first appear."""
    assert set(one.datasets) == set(other.datasets)
    for dataset in one.datasets:
        frame = one.table(dataset).frame()
        pd.testing.assert_frame_equal(other.table(dataset).frame().loc[frame.index, frame.columns], frame)
        assert set(one.table(dataset).models) == set(other.table(dataset).models)
        assert set(one.table(dataset).columns) == set(other.table(dataset).columns)


@settings(max_examples=30)
@given(suite=suites())
def test_a_suite_is_what_its_scores_say_however_the_levels_stand(suite):
    scores = suite.scores
    by_row = scores.T.rename_axis(columns="model")
    alike(suite, wl.Suite(scores, **options_of(suite)))
    alike(suite, wl.Suite(by_row, **options_of(suite)))
    alike(suite, wl.Suite(by_row.unstack("metric"), **options_of(suite)))  # noqa: PD010 - a level moves, nothing is pivoted
    alike(suite, wl.Suite(by_row.stack(), **options_of(suite)))  # noqa: PD013 - as above


def test_levels_without_names_are_told_by_their_place():
    frame = pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"])
    by_column = wl.Suite(frame.set_axis(pd.MultiIndex.from_tuples([("qa", "f1"), ("qa", "em")]), axis=1))
    assert (by_column.datasets, by_column.metrics, by_column.models) == (("qa",), ("f1", "em"), ("a", "b"))
    by_row = wl.Suite(
        frame.set_axis(pd.MultiIndex.from_tuples([("qa", "a"), ("qa", "b")])).set_axis(["f1", "em"], axis=1)
    )
    assert by_row.equals(by_column)


def test_exact_scores_of_a_frame_with_levels_stay_exact():
    columns = pd.MultiIndex.from_tuples([("qa", "f1")])
    suite = wl.Suite(pd.DataFrame([["0.10000000000000000001"], ["0.1"]], index=["a", "b"], columns=columns))
    assert suite.table("qa").cells.column(0)[0] == Fraction("0.10000000000000000001")


def test_an_array_of_three_dimensions_is_a_suite():
    array = np.arange(12.0).reshape(2, 3, 2)
    suite = wl.Suite(array, datasets=["d", "e"], models=["a", "b", "c"], metrics=["f1", "em"])
    assert suite.table("e").frame().loc["b", "em"] == 9
    assert suite.equals(wl.Suite(suite.scores))
    assert wl.Suite(array).datasets == ("0", "1")


@pytest.mark.parametrize(
    ("given_", "options", "faults"),
    [
        (np.zeros((2, 2)), {}, ["the array of a suite is datasets x models x metrics; this one has 2 dimensions"]),
        (
            np.zeros((2, 2, 2)),
            {"datasets": ["d", "d"], "models": ["a"]},
            ["1 model name for 2 models", "duplicate dataset name 'd'"],
        ),
        ({}, {"models": ["a"]}, ["models=... names what an array holds; got a dict"]),
        (
            pd.Series([1, 2], index=pd.MultiIndex.from_tuples([("d", "a", "m"), ("d", "b", "m")])),
            {},
            ["three levels of rows do not tell by place which is which; name them 'dataset', 'metric', 'model'"],
        ),
        (
            pd.DataFrame([[1, 2]], index=["a"], columns=pd.MultiIndex.from_tuples([("d", "m"), ("d", "m")])),
            {},
            ["dataset 'd', metric 'm', model 'a' is there more than once"],
        ),
        (
            pd.DataFrame([[1]], index=["a"], columns=pd.MultiIndex.from_tuples([("d", "m")], names=["model", "model"])),
            {},
            ["two levels are called 'model'"],
        ),
    ],
)
def test_what_is_no_suite_is_refused(given_, options, faults):
    with pytest.raises(InputError) as caught:
        wl.Suite(given_, **options)
    assert list(caught.value.faults) == faults
