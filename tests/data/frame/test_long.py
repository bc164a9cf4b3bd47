"""Long frames, one row a score, make the suite that has these scores."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests.strategies import suites
from weightlab.exceptions import InputError

ROWS = [
    ("qa", "f1", "ada", 0.9),
    ("qa", "seconds", "ada", 3),
    ("qa", "f1", "bo", "0.30000000000000000001"),
    ("nli", "seconds", "bo", 1),
    ("nli", "seconds", "ada", None),
    ("nli", "accuracy", "ada", Fraction(1, 3)),
]
LONG = pd.DataFrame(ROWS, columns=["dataset", "metric", "model", "score"])


def faults_of(frame, **options):
    with pytest.raises(InputError) as caught:
        wl.Suite.from_long(frame, **options)
    return list(caught.value.faults)


def as_long(suite):
    """Return the rows of a suite, exact scores."""
    return pd.DataFrame(
        [
            (dataset, metric, model, value)
            for dataset in suite.datasets
            for column, metric in enumerate(suite.table(dataset).columns)
            for model, value in zip(suite.table(dataset).models, suite.table(dataset).cells.column(column), strict=True)
        ],
        columns=["dataset", "metric", "model", "score"],
    ).astype(object)


@given(suites())
def test_a_suite_comes_back_from_its_rows(suite):
    back = wl.Suite.from_long(as_long(suite), lower_is_better=suite.lower_is_better, weights=suite.weights)
    assert back.equals(suite)


def test_names_stand_in_order_of_first_appearance_and_scores_as_written():
    suite = wl.Suite.from_long(LONG)
    assert (suite.datasets, suite.metrics, suite.models) == (
        ("qa", "nli"),
        ("f1", "seconds", "accuracy"),
        ("ada", "bo"),
    )
    assert suite.table("qa").cells.column(0) == [Fraction(9, 10), Fraction(Decimal("0.30000000000000000001"))]
    assert suite.table("nli").models == ("bo", "ada")
    assert suite.table("nli").cells.column(1) == [None, Fraction(1, 3)]


@pytest.mark.parametrize("dtype", ["float64", "float32", "Float32", "object", "str", "category"])
def test_scores_of_every_type_are_read_as_written(dtype):
    frame = LONG.iloc[[0, 2]].assign(score=pd.Series([0.1, 0.3], index=[0, 2], dtype=dtype))
    assert wl.Suite.from_long(frame).table("qa").cells.column(0) == [Fraction(1, 10), Fraction(3, 10)]


def test_the_index_of_the_frame_plays_no_part():
    frame = pd.concat([LONG.iloc[:3].set_axis([0, 0, 0]), LONG.iloc[3:].set_axis([0, 1, 1])])
    assert wl.Suite.from_long(frame).equals(wl.Suite.from_long(LONG))


def test_names_may_be_numbers_or_categories():
    frame = LONG.assign(model=[1, 1, 2, 2, 1, 1], dataset=LONG["dataset"].astype("category"))
    assert wl.Suite.from_long(frame).models == ("1", "2")


def test_other_columns_are_not_read():
    assert wl.Suite.from_long(LONG.assign(stderr=0.1, split="test")).equals(wl.Suite.from_long(LONG))


def test_options_are_passed_on():
    suite = wl.Suite.from_long(LONG, lower_is_better="seconds", weights={"f1": 2}, tolerance=0.1)
    assert (suite.lower_is_better, suite.weights["f1"]) == (("seconds",), 2)
    assert suite.tolerance["f1"] == Fraction(1, 10)


# Directions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [
        [True, False, True, False, False, True],
        ["true", "False", "TRUE", "no", "0", "yes"],
        [1, 0, 1, 0, 0, 1],
        [1.0, 0.0, 1.0, 0.0, 0.0, 1.0],
        [1.0, 0.0, None, None, np.nan, 1.0],
        pd.array([True, False, None, None, False, True], dtype="boolean"),
        ["true", "false", "", " ", None, "true"],
        pd.Categorical(["true", "false", None, "false", "false", "true"]),
    ],
)
def test_directions_are_read_from_their_column(column):
    frame = LONG.assign(higher_is_better=column)
    assert wl.Suite.from_long(frame).lower_is_better == ("seconds",)
    assert wl.Suite.from_long(frame, lower_is_better="seconds").lower_is_better == ("seconds",)


@pytest.mark.parametrize(
    ("column", "faults"),
    [
        (
            [True, False, False, False, False, True],
            ["metric 'f1' is declared both higher_is_better true and false"],
        ),
        (
            [True, False, True, True, None, None],
            [
                "metric 'seconds' is declared both higher_is_better true and false",
                "metric 'accuracy': higher_is_better is missing",
            ],
        ),
        (
            ["up", "false", "true", 2, "false", "true"],
            [
                "metric 'f1': higher_is_better is 'up'; it must be true or false",
                "metric 'seconds': higher_is_better is 2; it must be true or false",
            ],
        ),
    ],
)
def test_directions_that_are_missing_or_contradict_each_other_are_refused(column, faults):
    assert faults_of(LONG.assign(higher_is_better=column)) == faults


def test_the_column_and_the_call_must_not_contradict_each_other():
    frame = LONG.assign(higher_is_better=[True, False, True, False, False, None])
    assert faults_of(frame, lower_is_better=["f1"]) == [
        "metric 'f1': higher_is_better is true in the table, but lower is declared better",
        "metric 'seconds': higher_is_better is false in the table, but lower is not declared better",
    ]
    assert wl.Suite.from_long(frame, lower_is_better=["seconds", "accuracy"]).lower_is_better == ("seconds", "accuracy")


@pytest.mark.parametrize("name", ["higher_is_beter", "lower_is_better", "Higher_Is_Better", "higher is better"])
def test_a_column_that_nearly_declares_directions_is_not_passed_over(name):
    fault = f"column {name!r} would not be read; directions are read from 'higher_is_better'"
    assert faults_of(LONG.assign(**{name: True})) == [fault]


# Faults ---------------------------------------------------------------------------------------------------------------


def test_missing_columns_are_named():
    assert faults_of(LONG.drop(columns=["metric", "score"])) == [
        "no column 'metric'; there are 'dataset', 'model'",
        "no column 'score'; there are 'dataset', 'model'",
    ]
    assert faults_of(pd.DataFrame())[0] == "no column 'dataset'; there are none"


def test_a_column_that_is_there_twice_is_refused():
    frame = pd.concat([LONG, LONG[["score"]]], axis=1)
    assert faults_of(frame) == ["several columns 'score'; there are 'dataset', 'metric', 'model', 'score', 'score'"]


@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_rows_without_a_name_are_not_dropped(dtype):
    frame = LONG.assign(
        dataset=LONG["dataset"].where(LONG.index != 1, None).astype(dtype),
        model=LONG["model"].replace("bo", " "),
    )
    assert faults_of(frame) == ["row 2 has no dataset", "row 3 has no model (and 1 more likewise: row 4)"]


def test_a_score_that_is_there_twice_is_refused_even_if_it_is_the_same():
    frame = pd.concat([LONG, LONG.iloc[[0, 1]]])
    assert faults_of(frame) == [
        (
            "dataset 'qa', metric 'f1', model 'ada' is there more than once (and 1 more likewise: dataset 'qa', metric "
            "'seconds', model 'ada')"
        )
    ]


def test_no_rows_make_no_suite():
    assert faults_of(LONG.iloc[:0]) == ["at least one dataset is needed; got none"]


def test_all_faults_of_rows_are_in_one_error():
    frame = pd.concat([LONG, LONG.iloc[[0]].assign(model=None), LONG.iloc[[3]]]).assign(higher_is_better="up")
    faults = faults_of(frame)
    assert faults[:2] == ["row 7 has no model", "dataset 'nli', metric 'seconds', model 'bo' is there more than once"]
    assert faults[2:] == [
        f"metric {metric!r}: higher_is_better is 'up'; it must be true or false"
        for metric in ("f1", "seconds", "accuracy")
    ]


def test_bad_scores_are_named_with_dataset_model_and_metric():
    assert faults_of(LONG.assign(score=["x", 1, 2, np.inf, 3, 4])) == [
        "dataset 'qa': model 'ada', metric 'f1': 'x' is not a number",
        "dataset 'nli': model 'bo', metric 'seconds': inf is infinite",
    ]
