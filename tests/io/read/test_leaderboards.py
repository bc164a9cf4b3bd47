"""Reading leaderboards: what is read, and what every refusal says."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import file_names
from tests.strategies import decimals

SEVERAL = "holds several numbers; declare its column in split={'x': '/'} when the file is read"
NO_NUMBER = "is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan')"


def read(text, **options):
    return wl.read_leaderboard(io.StringIO(text, newline=""), **options)


def refusal(text, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    return list(refused.value.faults)


@settings(max_examples=40)
@given(names=file_names(2, 4), data=st.data())
def test_a_file_is_the_table_of_the_decimals_in_it(names, data):
    cells = {task: {name: data.draw(decimals()) for name in names} for task in ("x", "y")}
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    rows = [f"{text},{cells['x'][name]},{cells['y'][name]}\n" for text, name in zip(quoted, names, strict=True)]
    assert read("model,x,y\n" + "".join(rows)).equals(wl.Leaderboard(cells))


def test_everything_declared_is_passed_on():
    board = read(
        "model,x,y\na,1,2\nb,3,4\n",
        lower_is_better="y",
        weights={"x": 0.1},
        groups={"g": ["x", "y"]},
        tolerance={"x": 1},
        relative_tolerance={"y": "1/3"},
    )
    assert board.equals(
        wl.Leaderboard(
            {"x": {"a": 1, "b": 3}, "y": {"a": 2, "b": 4}},
            lower_is_better="y",
            weights={"x": "0.1"},
            groups={"g": ["x", "y"]},
            tolerance={"x": 1},
            relative_tolerance={"y": Fraction(1, 3)},
        )
    )


def test_the_first_column_names_the_models_whatever_it_is_called():
    assert read("x,model\n1,2\n3,4\n").models == ("1", "3")
    assert read("model,model\na,2\nb,4\n").tasks == ("model",)


def test_names_are_text_even_where_they_look_like_something_else():
    assert read("model,1\nNA,1\nnan,2\n-,3\n1e5,4\n").models == ("NA", "nan", "-", "1e5")


def test_a_first_column_beside_one_called_model_explains_the_faults_of_the_other():
    text = "rank,model,x\n1,a,1\n2,b,2\n"
    remark = (
        "the first column, 'rank', was read as the names of the models, "
        "and another is called 'model'; drop=['rank'] leaves it out"
    )
    assert refusal(text) == [
        f"line 2, column 'model': 'a' {NO_NUMBER}",
        f"line 3, column 'model': 'b' {NO_NUMBER} ({remark})",
    ]
    assert read("system,model\na,1\nb,2\n").tasks == ("model",)


def test_dropped_columns_are_not_read():
    board = read("rank,model,x,note\n1,a,1,good\n2,b,2,bad\n", drop=["note", "rank"])
    assert (board.models, board.tasks) == (("a", "b"), ("x",))


def test_percentages_are_read_where_they_are_declared():
    assert read("model,x\na,93.9%\nb, 80 % \n", percent="x").scores["x"].tolist() == [93.9, 80]


def test_every_fault_is_named_with_line_column_and_value():
    text = 'model,x,y\n"two\nlines",93.9/91.8,93.9%\nb,"1,234","93,9"\nc,hello,true\n,1,inf\nb,1,2\nd,1\n'
    assert refusal(text) == [
        "line 8: 2 fields where the header has 3",
        f"line 2, column 'x': '93.9/91.8' {SEVERAL}",
        "line 2, column 'y': '93.9%' is a percentage; declare its column in percent=['y'] when the file is read",
        "line 4, column 'x': '1,234' has thousands separators; write the number without them, or declare thousands=','",
        "line 4, column 'y': '93,9' has a comma; write the decimal point as '.', or declare decimal=','",
        f"line 5, column 'x': 'hello' {NO_NUMBER}",
        "line 5, column 'y': 'true' is not a number; write 1 for true and 0 for false",
        "line 6, column 'model': '' is no name",
        "line 6, column 'y': 'inf' is infinite",
        "line 7: model 'b' is already in line 4",
    ]


def test_faults_past_the_first_twenty_are_counted():
    text = "model,x,y\n" + "".join(f"m{number},one,two\n" for number in range(1_000))
    faults = refusal(text)
    assert len(faults) == 21
    assert faults[19] == f"line 11, column 'y': 'two' {NO_NUMBER}"
    assert faults[20] == "... and 1980 more"


def test_of_prose_not_all_is_read():
    faults = refusal("model,x,y\n" + "".join(f"m{number},one,two\n" for number in range(20_000)))
    assert faults[20:] == ["... and 11980 more (reading stopped at line 6001)"]


@pytest.mark.parametrize(
    ("text", "options", "faults"),
    [
        (
            "model,x,x,y,y\na,1,2,3,4\n",
            {},
            ["columns 2 and 3 are both called 'x'", "columns 4 and 5 are both called 'y'"],
        ),
        ("model\na\nb\n", {}, ["there is no column of scores"]),
        ("model,x\na,1\n", {}, ["a leaderboard needs at least two models; got 1"]),
        (
            "model,x,y\na,-,\nb,2,NA\n",
            {},
            [
                "line 2 has no score; every model needs one",
                "column 'y' has no score; every task needs one, drop=[...] leaves it out",
            ],
        ),
        ("model,x\na,1\nb,2\n", {"drop": ["model", "x"]}, ["no column is left"]),
        (
            "model,x\na,1\nb,2\n",
            {"drop": "X"},
            ["drop: no column named 'X'; the file has 'model', 'x' (did you mean 'x'?)"],
        ),
        ("model,x\na,1\nb,2\n", {"percent": "model"}, ["percent: no column named 'model'; the file has 'x'"]),
        ("model,x\na,1\nb,2\n", {"drop": 3}, ["drop: column names are needed, one or a list; got 3"]),
        (
            "model,x\na,1\nb,2%\n",
            {"percent": ["x"]},
            ["line 2, column 'x': '1' has no percent sign, though its column is declared in percent"],
        ),
        (
            "model,x\na,1\nb,2\n",
            {"weights": {"X": 1, "x": -1}, "lower_is_better": ["y"], "tolerance": -1, "groups": {"g": ["x", "z"]}},
            [
                "lower_is_better: no task named 'y'; the leaderboard has 'x'",
                "tolerance is negative: -1",
                "weights: no task named 'X'; the leaderboard has 'x' (did you mean 'x'?)",
                "weight of task 'x' is negative: -1",
                "group 'g': no task named 'z'; the leaderboard has 'x'",
            ],
        ),
        (
            "model,x\na,one\nb,2\n",
            {"weights": {"X": 1}},
            [
                f"line 2, column 'x': 'one' {NO_NUMBER}",
                "weights: no task named 'X'; the leaderboard has 'x' (did you mean 'x'?)",
            ],
        ),
    ],
)
def test_a_table_that_cannot_be_right_is_refused(text, options, faults):
    assert refusal(text, **options) == faults


def test_a_wide_table_is_read(tmp_path):
    columns = [f"t{number}" for number in range(3_000)]
    text = ",".join(["model", *columns]) + "\n" + "".join(f"m{row}{',0.5' * 3_000}\n" for row in range(3))
    assert read(text).tasks == tuple(columns)
