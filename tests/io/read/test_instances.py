"""Reading scores on single instances."""

from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from weightlab.io.tables.columns import ColumnData, Names, note_repeated
from weightlab.io.tables.sheet import FileFaults, Sheet

LONG = "system,id,f1,em\na,q1,0.5,1\na,q2,0.25,0\nb,q1,1,\nb,q2,0,1\n"
NAMED = {"model": "system", "instance": "id"}


def read(text, **options):
    return wl.read_instances(io.StringIO(text), **{**NAMED, **options})


def refusal(text, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    return list(refused.value.faults)


def test_every_other_column_is_a_task():
    want = wl.Instances(
        {
            "f1": pd.DataFrame([[0.5, 0.25], [1, 0]], index=["a", "b"], columns=["q1", "q2"]),
            "em": pd.DataFrame([[1, 0], [None, 1]], index=["a", "b"], columns=["q1", "q2"]),
        }
    )
    assert read(LONG).equals(want)


def test_by_default_the_columns_are_called_model_and_instance():
    text = LONG.replace("system,id", "model,instance")
    assert wl.read_instances(io.StringIO(text)).equals(read(LONG))


def test_tasks_may_be_chosen_and_columns_left_out():
    assert read(LONG, tasks="em").tasks == ("em",)
    assert read(LONG, tasks=["em", "f1"]).tasks == ("f1", "em")
    assert read(LONG, drop=["em"]).tasks == ("f1",)


def test_scores_are_exact_and_declarations_passed_on():
    text = "model,instance,x\na,q,0.30000000000000000001\nb,q,30%\n"
    with pytest.raises(wl.FileFormatError):
        wl.read_instances(io.StringIO(text), percent="x")
    read_back = wl.read_instances(io.StringIO(text.replace("%", "")), lower_is_better="x", weights={"x": "1/3"})
    assert read_back.table("x").cells.column(0) == [Fraction("0.30000000000000000001"), 30]
    assert (read_back.lower_is_better, read_back.weights["x"]) == (("x",), Fraction(1, 3))


def test_percentages_are_read_where_they_are_declared():
    text = "model,instance,x\na,q,10%\nb,q,20%\n"
    assert wl.read_instances(io.StringIO(text), percent="x").table("x").cells.floats.tolist() == [[10], [20]]


def test_the_index_that_pandas_writes_is_left_out():
    frame = pd.DataFrame({"model": ["a", "b"], "instance": ["q", "q"], "x": [1, 2]})
    want = wl.Instances({"x": {"q": {"a": 1, "b": 2}}})
    assert wl.read_instances(io.StringIO(frame.to_csv())).equals(want)
    assert wl.read_instances(io.StringIO(frame.to_json()), format="json").equals(want)
    assert wl.read_instances(io.StringIO(frame.to_json(orient="records")), format="json").equals(want)


@pytest.mark.parametrize(
    ("text", "options", "faults"),
    [
        (
            LONG,
            {"model": "model", "instance": "ID"},
            [
                "model: no column named 'model'; the file has 'system', 'id', 'f1', 'em'",
                "instance: no column named 'ID'; the file has 'system', 'id', 'f1', 'em' (did you mean 'id'?)",
            ],
        ),
        (
            "system,id,f1\na,q1,x\na,q1,2\nb,,3\nb,q1,4\nb,q1,5\n",
            {},
            [
                "line 2, column 'f1': 'x' is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan')",
                "line 4, column 'id': '' is not a name",
                "line 3: model 'a', instance 'q1' is already in line 2 (and 1 more row too)",
            ],
        ),
        (
            LONG,
            {"tasks": ["F1"], "drop": 3},
            [
                "tasks: no column named 'F1'; the file has 'system', 'id', 'f1', 'em' (did you mean 'f1'?)",
                "drop: column names are needed, one or a list; got 3",
            ],
        ),
        ("system,id,id\na,q,1\n", {}, ["instance: there are 2 columns called 'id'"]),
        ("system,id,f1,f1\na,q,1,2\n", {}, ["columns 3 and 4 are both called 'f1'"]),
        ("system,id,f1,\na,q,1,2\n", {}, ["line 2, column 4: '2' stands in a column without a name"]),
        ("system,id\na,q\n", {}, ["at least one task is needed; got none"]),
        ("system,id,f1\na,q,\n", {}, ["task 'f1' has no score at all"]),
        (
            LONG,
            {"weights": {"f": 1}},
            ["weights: no task named 'f'; the set of instances has 'f1', 'em' (did you mean 'f1'?)"],
        ),
        (LONG, {"percent": "system"}, ["percent: no task named 'system'; the file has 'f1', 'em'"]),
    ],
)
def test_a_long_table_that_cannot_be_right_is_refused(text, options, faults):
    assert refusal(text, **options) == faults


def test_repeated_rows_are_found_however_many_names_there_are():
    count = 70_000
    codes = np.arange(count, dtype=np.int32)
    codes[-1] = 7
    names = Names(distinct=tuple(map(str, range(count))), codes=codes)
    found = ColumnData(
        rows=np.arange(2, count + 2, dtype=np.int32), names=dict.fromkeys(range(5), names), scores={}, texts={}
    )
    sheet = Sheet(header=("a",) * 5, blocks=iter([]), place="line {}".format)
    faults = FileFaults("x.csv")
    note_repeated(found, {"one": 0, "two": 1, "three": 2, "four": 3, "five": 4}, sheet, faults)
    assert faults.listed == ("line 70001: one '7', two '7', three '7', four '7', five '7' is already in line 9",)
