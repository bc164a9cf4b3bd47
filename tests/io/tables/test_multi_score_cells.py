"""Cells that hold several scores."""

from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import decimals

PERCENTAGE = "is a percentage"
TABLE = "model,MRPC,CoLA\na,93.9/91.8,1\nb,-,2\nc,NA / 80.10,3\n"


def read(text=TABLE, **options):
    return wl.read_leaderboard(io.StringIO(text), split={"MRPC": "/"}, **options)


def refusal(text=TABLE, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    return list(refused.value.faults)


def test_the_parts_stand_where_the_column_stood():
    board = read()
    assert board.tasks == ("MRPC_n1", "MRPC_n2", "CoLA")
    assert board.scores.to_numpy(na_value=-1).tolist() == [[93.9, 91.8, 1], [-1, -1, 2], [-1, 80.1, 3]]


@settings(max_examples=40)
@given(
    st.lists(st.lists(decimals(), min_size=3, max_size=3), min_size=2, max_size=4), st.sampled_from(["/", " | ", ";"])
)
def test_splitting_a_column_is_having_its_parts_in_columns(rows, separator):
    joined = "".join(f"m{number},{separator.join(row)}\n" for number, row in enumerate(rows))
    apart = "".join(f"m{number},{','.join(row)}\n" for number, row in enumerate(rows))
    one = wl.read_leaderboard(io.StringIO("model,x\n" + joined), keep="x", split={"x": separator}, weights={"x": 3})
    assert one.equals(wl.read_leaderboard(io.StringIO("model,x_n1,x_n2,x_n3\n" + apart), keep="x*"))


def test_the_weight_of_the_column_is_shared_equally():
    assert list(read(weights={"MRPC": "0.3", "CoLA": 2}).weights) == [Fraction(3, 20), Fraction(3, 20), 2]


def test_a_column_without_a_weight_weighs_1_as_every_task_does():
    assert list(read().weights) == [Fraction(1, 2), Fraction(1, 2), 1]
    assert list(read(weights={"CoLA": 5}).weights) == [Fraction(1, 2), Fraction(1, 2), 5]


def test_parts_may_have_weights_of_their_own():
    assert list(read(weights={"MRPC_n2": 3}).weights) == [1, 3, 1]
    assert list(read(weights=[1, 2, 3]).weights) == [1, 2, 3]
    assert read(weights=pd.Series({"MRPC": np.float32(0.1)}, dtype="float32")).weights.iloc[0] == Fraction(1, 20)


def test_directions_groups_and_tolerances_extend_to_the_parts():
    board = read(
        lower_is_better="MRPC",
        groups={"all": ["MRPC", "CoLA"], "one": "MRPC", "part": ["MRPC_n2"]},
        tolerance={"MRPC": "0.1"},
        relative_tolerance={"CoLA": "0.2"},
    )
    assert board.lower_is_better == ("MRPC_n1", "MRPC_n2")
    assert dict(board.groups) == {
        "all": ("MRPC_n1", "MRPC_n2", "CoLA"),
        "one": ("MRPC_n1", "MRPC_n2"),
        "part": ("MRPC_n2",),
    }
    assert dict(board.tolerance) == {"MRPC_n1": Fraction(1, 10), "MRPC_n2": Fraction(1, 10)}
    assert list(board.relative_tolerance) == ["CoLA"]


def test_one_tolerance_for_all_is_one_for_the_parts_too():
    assert list(read(tolerance=1).tolerance) == ["MRPC_n1", "MRPC_n2", "CoLA"]


def test_parts_may_be_percentages():
    board = read("model,MRPC\na,93.9%/91.8%\nb,1%/2 %\n", percent=["MRPC"])
    assert board.scores.to_numpy().tolist() == [[93.9, 91.8], [1, 2]]


@pytest.mark.parametrize(
    ("text", "options", "faults"),
    [
        (
            "model,MRPC\na,1/2\nb,3\nc,4/5/6\n",
            {},
            [
                "line 3, column 'MRPC': '3' holds 1 number where '1/2' holds 2 numbers (line 2, column 'MRPC')",
                "line 4, column 'MRPC': '4/5/6' holds 3 numbers where '1/2' holds 2 numbers (line 2, column 'MRPC')",
            ],
        ),
        ("model,MRPC\na,-\nb,12\n", {}, ["line 3, column 'MRPC': '12' has no '/' to split at"]),
        ("model,MRPC\na,-\nb,\n", {}, ["column 'MRPC' is to be split and holds no score"]),
        (
            "model,MRPC\na,1/x\nb,1/2%\n",
            {},
            [
                "line 2, column 'MRPC_n2': 'x' is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan')",
                f"line 3, column 'MRPC_n2': '2%' {PERCENTAGE}",
            ],
        ),
        (
            "model,MRPC,MRPC_n2\na,1/2,3\nb,1/2,3\n",
            {},
            ["column 'MRPC' splits into 'MRPC_n2', and there is such a column already"],
        ),
        (TABLE, {"split": {"MRPC": ""}}, ["split: the separator of 'MRPC' must be a text; got ''"]),
        (TABLE, {"split": {"MRPC": 3}}, ["split: the separator of 'MRPC' must be a text; got 3"]),
        (TABLE, {"split": ["MRPC"]}, ["split must be a table of separators such as { MRPC = '/' }; got ['MRPC']"]),
        (
            TABLE,
            {"split": {"MPRC": "/"}},
            ["split: no column named 'MPRC'; the file has 'MRPC', 'CoLA' (did you mean 'MRPC'?)"],
        ),
        (
            TABLE,
            {"weights": {"MRPC": 1, "MRPC_n1": 2}},
            ["weights: 'MRPC' and its part 'MRPC_n1' both have a weight; give one of them"],
        ),
        (
            TABLE,
            {"weights": {"MRPC": "many"}},
            [
                "weight of task 'MRPC_n1': 'many' is not a finite number",
                "weight of task 'MRPC_n2': 'many' is not a finite number",
            ],
        ),
        (
            TABLE,
            {"lower_is_better": {"MRPC": True}},
            ["lower is better: task names are needed, one or a list; got {'MRPC': True}"],
        ),
    ],
)
def test_what_cannot_be_split_is_named(text, options, faults):
    with pytest.raises(wl.FileFormatError) as refused:
        wl.read_leaderboard(io.StringIO(text), **{"split": {"MRPC": "/"}, **options})
    assert list(refused.value.faults) == faults


def test_every_row_of_another_count_is_counted():
    text = "model,MRPC\n" + "".join(f"m{number},{'1/2' if number == 0 else '1'}\n" for number in range(50))
    assert refusal(text)[-1].endswith("(and 48 more likewise: line 4, line 5, ...)")
