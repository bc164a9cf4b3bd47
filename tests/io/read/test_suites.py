"""Reading suites from long tables."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.io.strategies import file_suites

MEANT = "the file has 'dataset', 'metric', 'mode', 'score' (did you mean 'mode'?)"
LONG = "dataset,metric,model,score\nqa,f1,a,0.9\nqa,f1,b,0.8\nqa,s,a,3\nqa,s,b,\n"


def read(text, **options):
    return wl.read_suite(io.StringIO(text), **options)


def refusal(text, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    return list(refused.value.faults)


def test_a_long_table_is_a_table_a_dataset():
    want = wl.Suite({"qa": pd.DataFrame({"f1": [0.9, 0.8], "s": [3, None]}, index=["a", "b"])})
    assert read(LONG).equals(want)


def test_columns_stand_in_any_order_and_others_are_left_out():
    text = "note,score,model,dataset,metric\n,1,a,qa,f1\nx,2,b,qa,f1\n"
    assert read(text).equals(wl.Suite({"qa": {"f1": {"a": 1, "b": 2}}}))


def test_columns_may_have_other_names():
    text = LONG.replace("dataset,metric,model,score", "task,measure,system,value")
    assert read(text, dataset="task", metric="measure", model="system", score="value").equals(read(LONG))


def test_directions_are_a_column_or_declared():
    text = "dataset,metric,model,score,higher_is_better\nqa,f1,a,1,True\nqa,f1,b,2,\nqa,s,a,1,0\nqa,s,b,2,false\n"
    assert read(text).lower_is_better == ("s",)
    assert read(LONG, lower_is_better=["s"]).lower_is_better == ("s",)
    assert read(text, lower_is_better="s").lower_is_better == ("s",)


def test_weights_and_tolerances_are_declared_as_for_a_leaderboard(tmp_path):
    (tmp_path / "suite.csv").write_text(LONG)
    (tmp_path / "suite.toml").write_text("weights = { s = 0.5 }\ntolerance = { f1 = 0.1 }\n")
    want = wl.Suite({"qa": {"f1": {"a": 0.9, "b": 0.8}, "s": {"a": 3}}}, weights={"s": "0.5"}, tolerance={"f1": 0.1})
    assert wl.read_suite(tmp_path / "suite.csv").equals(want)


@settings(max_examples=15)
@given(file_suites())
def test_the_frame_of_the_same_rows_gives_the_same_suite(suite):
    rows = [
        (dataset, metric, model, score, metric not in suite.lower_is_better)
        for dataset in suite.datasets
        for column, metric in enumerate(suite.table(dataset).columns)
        for model, score in zip(suite.table(dataset).models, suite.table(dataset).cells.texts(column), strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "metric", "model", "score", "higher_is_better"], dtype=object)
    text = frame.to_csv(index=False, quoting=csv.QUOTE_ALL)  # else pandas leaves a lone carriage return bare
    read_back = wl.read_suite(io.StringIO(text, newline=""))
    assert read_back.datasets == suite.datasets
    assert all(read_back.table(name).equals(suite.table(name)) for name in suite.datasets)
    assert read_back.lower_is_better == suite.lower_is_better


@pytest.mark.parametrize(
    ("text", "options", "faults"),
    [
        (
            "dataset,metric,mode,score\nqa,f1,a,1\n",
            {},
            [f"model: no column named 'model'; {MEANT}"],
        ),
        (
            LONG,
            {"score": "value"},
            ["score: no column named 'value'; the file has 'dataset', 'metric', 'model', 'score'"],
        ),
        (
            "dataset,metric,model,score\nqa,f1,a,x\nqa,,b,1\nqa,f1,a,2%\nqa,s,c,1/2\nqa,f1,b,1;2\n",
            {},
            [
                (
                    "line 2, column 'score': 'x' is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan') "
                    "(and 1 more cell)"
                ),
                "line 3, column 'metric': '' is not a name",
                "line 4, column 'score': '2%' is a percentage; write the number without the sign",
                "line 5, column 'score': '1/2' holds several numbers; write a row for each",
                "line 4: dataset 'qa', metric 'f1', model 'a' is already in line 2",
            ],
        ),
        (
            "dataset,metric,model,score,Higher_is_better\nqa,f1,a,1,True\n",
            {},
            ["column 'Higher_is_better' would not be read; directions are read from 'higher_is_better'"],
        ),
        (
            "dataset,metric,model,score,higher_is_better\nqa,f1,a,1,True\nqa,f1,b,1,False\n",
            {},
            ["metric 'f1' is declared both higher_is_better true and false"],
        ),
        ("dataset,metric,model,score\n", {}, ["there is a header and no row below it"]),
        (LONG, {"weights": {"F1": 1}}, ["weights: no metric named 'F1'; the suite has 'f1', 's' (did you mean 'f1'?)"]),
        ("dataset,metric,model,score\nqa,f1,a,\n", {}, ["dataset 'qa' has no score at all"]),
    ],
)
def test_a_long_table_that_cannot_be_right_is_refused(text, options, faults):
    assert refusal(text, **options) == faults


def test_groups_are_not_read_here(tmp_path):
    (tmp_path / "suite.csv").write_text(LONG)
    (tmp_path / "suite.toml").write_text("groups = { g = ['f1'] }\n")
    with pytest.raises(wl.FileFormatError, match=r"suite\.toml: groups is nothing that read_suite reads"):
        wl.read_suite(tmp_path / "suite.csv")


def test_columns_may_be_called_in_capitals():
    want = wl.read_suite(io.StringIO("dataset,metric,model,score\nqa,f1,a,1\nqa,f1,b,2\n"))
    assert wl.read_suite(io.StringIO("Dataset,METRIC,Model,Score\nqa,f1,a,1\nqa,f1,b,2\n")).equals(want)


WIDE = "dataset,model,seed,f1,em,note\nqa,a,1,0.1,1,x\nqa,a,2,0.2,,x\nqa,b,1,0.5,2,x\nqb,b,1,1,3,x\n"


def test_a_column_a_metric_reads_as_a_row_a_score():
    suite = wl.read_suite(io.StringIO(WIDE.replace("qa,a,2,0.2,,x\n", "")), drop=["note", "seed"])
    long = "dataset,metric,model,score\nqa,f1,a,0.1\nqa,f1,b,0.5\nqb,f1,b,1\nqa,em,a,1\nqa,em,b,2\nqb,em,b,3\n"
    assert suite.equals(wl.read_suite(io.StringIO(long)))


def test_repeats_of_a_table_with_a_column_a_metric_are_averaged():
    with pytest.warns(wl.io.ResultsWarning, match="'b on qa' on 'f1' \\(1 of 2\\)"):
        suite = wl.read_suite(io.StringIO(WIDE), keep=["f1", "em"], repeats_by="seed")
    assert suite.leaderboard("qa").scores.loc["a"].tolist() == [0.15, 1]


@pytest.mark.parametrize(
    ("text", "options", "fault"),
    [
        (WIDE, {}, "column 'note' holds no number but 'x'"),
        (WIDE, {"drop": "note"}, "line 3: dataset 'qa', model 'a' is already in line 2"),
        (LONG, {"repeats_by": "seed"}, "repeats_by needs a table with a column per metric"),
        (LONG, {"drop": "x"}, "drop needs a table with a column per metric"),
    ],
)
def test_a_column_a_metric_that_cannot_be_read_is_refused(text, options, fault):
    assert refusal(text, **options)[0].startswith(fault)
