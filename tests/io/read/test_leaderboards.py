"""Reading leaderboards: what is read, and what every refusal says."""

from __future__ import annotations

import io
import warnings
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import file_names
from tests.strategies import decimals
from weightlab._cures import Cure
from weightlab.io.tables.columns import cleaned

SEVERAL = "holds several numbers"
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
    assert read("model,x,y\n" + "".join(rows), keep=["x", "y"]).equals(wl.Leaderboard(cells))


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


def test_a_column_called_model_names_the_models_wherever_it_stands():
    board = read("rank,model,x\n1,a,1\n2,b,2\n")
    assert (board.models, board.tasks) == (("a", "b"), ("x",))
    assert read("system,model\na,1\nb,2\n").tasks == ("model",)


def test_dropped_columns_are_not_read():
    board = read("rank,model,x,note\n1,a,1,good\n2,b,2,bad\n", drop=["note", "rank"])
    assert (board.models, board.tasks) == (("a", "b"), ("x",))


def test_percentages_are_read_where_they_are_declared():
    assert read("model,x\na,93.9%\nb, 80 % \n", percent="x").scores["x"].tolist() == [93.9, 80]


def test_every_fault_is_named_with_line_column_and_value():
    text = 'model,x,y\n"two\nlines",93.9/91.8,93.9%\nb,"1,234","93,9"\nc,hello,true\n,1,inf\nb,1,2\n'
    assert refusal(text, keep=["x", "y"]) == [
        f"line 2, column 'x': '93.9/91.8' {SEVERAL}",
        "line 2, column 'y': '93.9%' is a percentage",
        "line 4, column 'x': '1,234' has thousands separators",
        "line 4, column 'y': '93,9' has a comma",
        f"line 5, column 'x': 'hello' {NO_NUMBER}",
        "line 5, column 'y': 'true' is not a number; write 1 for true and 0 for false",
        "line 6, column 'model': '' is not a name",
        "line 6, column 'y': 'inf' is infinite",
        "line 7: model 'b' is already in line 4",
    ]


def test_faults_of_one_kind_are_told_once_with_three_places():
    text = "model,x\n" + "".join(f"m{number},1,\n" for number in range(1_000))
    faults = refusal(text)
    assert faults == ["line 2: 3 fields where the header has 2 (and 999 more likewise: line 3, line 4, ...)"]


def test_a_column_of_text_is_left_out_and_kept_is_one_fault():
    rows = "".join(f"m{number},{number},{'abcd'[number % 4]},{number}.0{'.1' * (number > 5)}\n" for number in range(9))
    assert refusal(f"model,x,mode,version\n{rows}", keep=["x", "mode", "version"]) == [
        "column 'mode' holds no number but 'a', 'b', 'c'",
        f"line 8, column 'version': '6.0.1' {NO_NUMBER} (and 2 more cells)",
    ]


def test_what_can_be_declared_of_several_columns_is_said_once():
    assert refusal("model,x,y,z\na,1/2,2,3/1\nb,4/2,5,6/1\n", keep="*") == [
        f"line 2, column 'x': '1/2' {SEVERAL} (and 3 more cells of 2 columns)"
    ]


def test_percent_signs_in_every_cell_are_read():
    assert read("model,x,y\na,1%,2\nb,4 %,5\n").scores["x"].tolist() == [1, 4]


def test_a_second_header_row_is_told_from_scores():
    assert refusal("model,QA,NLI\n,f1,em\na,1,2\nb,3,4\n")[0].startswith(
        "line 2 holds names, 'f1', 'em', where scores begin; if it is a second header, make one row of both"
    )


def test_rows_of_one_model_are_counted_and_said_to_be_repeats_perhaps():
    assert refusal("model,seed,x\na,1,1\na,2,2\nb,1,3\nb,2,4\n") == [
        "line 3: model 'a' is already in line 2 (and 1 more row too)"
    ]
    with pytest.raises(wl.FileFormatError, match=r"; pass repeats_by='seed'$"):
        read("model,seed,x\na,1,1\na,2,2\nb,1,3\nb,2,4\n")


def test_rows_of_one_name_may_be_named_in_another_column():
    [told] = refusal("type,x\na,1\na,2\na,3\n")
    assert told.cure == (Cure("drop", ["type"], "if it does not name models"),)


@pytest.mark.parametrize(
    ("text", "options", "faults"),
    [
        (
            "model,x,x,y,y\na,1,2,3,4\n",
            {},
            [
                "columns 2 and 3 are both called 'x'",
                (
                    "columns 4 and 5 are both called 'y' (if a second header row tells columns of one name apart, "
                    "make one row of both)"
                ),
            ],
        ),
        ("model\na\nb\n", {}, ["there is no column of scores"]),
        ("model,x\na,1\n", {}, ["a leaderboard needs at least two models; got 1: 'a'"]),
        (
            "model,x,y\na,-,\nb,2,NA\n",
            {},
            ["a leaderboard needs at least two models; got 1: 'b'"],
        ),
        ("model,x\na,1\nb,2\n", {"drop": ["model", "x"]}, ["drop: no column is left; one must name the models"]),
        (
            "model,x\na,1\nb,2\n",
            {"drop": "X"},
            ["drop: no column named 'X'; the file has 'model', 'x' (did you mean 'x'?)"],
        ),
        ("model,x\na,1\nb,2\n", {"percent": "model"}, ["percent: no column named 'model'; the file has 'x'"]),
        ("model,x\na,1\nb,2\n", {"drop": 3}, ["drop: column names are needed, one or a list; got 3"]),
        (
            "model,x\na,1\nb,2\n",
            {"weights": {"X": 1, "x": -1}, "lower_is_better": ["y"], "tolerance": -1, "groups": {"g": ["x", "z"]}},
            [
                "lower is better: no task named 'y'; the leaderboard has 'x'",
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


@settings(max_examples=25)
@given(names=file_names(2, 4), tasks=file_names(1, 4), data=st.data())
def test_a_transposed_file_is_the_same_table(names, tasks, data):
    assume(all(cleaned(name) == name for name in (*names, *tasks)))
    scores = [[data.draw(decimals()) for _ in tasks] for _ in names]

    def text(rows, columns, cells):
        quoted = [['"' + name.replace('"', '""') + '"' for name in named] for named in (rows, columns)]
        lines = [[name, *map(str, its)] for name, its in zip(quoted[0], cells, strict=True)]
        return "\n".join(",".join(line) for line in [["rows", *quoted[1]], *lines])

    upright = read(text(names, tasks, scores), keep=tasks, lower_is_better=[tasks[0]])
    turned = text(tasks, names, list(zip(*scores, strict=True)))
    across = read(turned, keep=names, transpose=True, lower_is_better=[tasks[0]])
    assert across.equals(upright)


ACROSS = "type,task,ada,bo,note\nbinary,x,1,2,?\nmulti,y,3,,!\n"


def test_columns_of_the_file_are_dropped_before_it_is_turned():
    board = read(ACROSS, transpose=True, drop=["type", "note"], tasks=["y", "x"], weights={"y": 2})
    assert board.equals(wl.Leaderboard({"x": {"ada": 1, "bo": 2}, "y": {"ada": 3}}, weights={"y": 2}))
    assert read(ACROSS, transpose=True, drop="type", keep=["ada", "b*"]).models == ("ada", "bo")


def test_faults_of_a_turned_table_name_row_and_column_of_the_file():
    assert read(ACROSS, transpose=True, drop="type").models == ("ada", "bo")
    [told] = refusal(ACROSS.replace("1,2,?", "1 ± 2,2,?"), transpose=True, drop=["type", "note"])
    assert told.startswith("x: more than a score stands in cells such as '1 ± 2'")
    assert read("task,a,b\nx,1,2\ny,-,\n", transpose=True).tasks == ("x",)
    assert read(ACROSS + "binary,z,1,2,3\n", transpose=True, drop="note").tasks == ("x", "y", "z")
    assert refusal("task,a,b\nx,1,2\ny,3,4\nx,5,6\n", transpose=True)[0].startswith(
        "line 4: task 'x' is already in line 2"
    )
    assert refusal("task,a,b\nx,1,2\n", transpose=True, repeats_by="a") == [
        "repeats_by is of rows that are models, and transpose says they are tasks"
    ]
    assert refusal("task\nx\n", transpose=True) == ["there is a header and no row below it"]


WIDE = "model,f1,f1_rank,acc,acc_stderr,size\na,1,1,3,0.1,9\nb,2,2,4,0.2,9\n"


def test_columns_are_kept_and_dropped_by_name_or_pattern():
    assert read(WIDE, drop=["*_rank", "size"]).tasks == ("f1", "acc")
    assert read(WIDE, keep="f1*").tasks == ("f1", "f1_rank")
    assert read(WIDE, keep="f1*", drop="*_rank").tasks == ("f1",)
    kept = read(WIDE, keep="acc")
    assert kept.tasks == ("acc",)
    assert kept.standard_errors["acc"].tolist() == [0.1, 0.2]
    assert read(WIDE, keep=["acc", "size"], standard_errors={"acc": "f1_rank"}).tasks == ("acc", "size")
    assert refusal(WIDE, keep="F1") == [
        (
            "keep: no column named 'F1'; the file has 'model', 'f1', 'f1_rank', 'acc', 'acc_stderr', 'size' (did you "
            "mean 'f1'?)"
        )
    ]
    assert refusal(WIDE, drop="*") == ["drop: no column is left; one must name the models"]
    assert refusal(WIDE, keep=3) == ["keep: column names are needed, one or a list; got 3"]


def test_models_and_tasks_are_chosen_from_the_table_that_was_read():
    board = read("model,x,y\na,1,2\nb,3,4\nc,5,6\n", models=["c", "a"], tasks="y")
    assert (board.models, board.tasks) == (("c", "a"), ("y",))
    assert "no model named 'd'" in refusal("model,x\na,1\nb,2\n", models=["a", "d"])[0]


TIMED = "model,acc,latency_ms\na,1,2\nb,3,4\n"


def test_a_name_that_suggests_a_direction_is_asked_about_unless_it_is_certain():
    assert read(TIMED).lower_is_better == ("latency_ms",)
    likely = TIMED.replace("latency_ms", "loss of all")
    with pytest.raises(wl.ReadingError, match=r"loss of all: likely .*\(the word") as asked:
        read(likely)
    assert asked.value.cure[0] == Cure("accept_reading", value=True)
    assert asked.value.reading.is_doubtful
    assert read(likely, accept_reading=True).tasks[0] == "acc"
    assert read(TIMED, lower_is_better="latency_ms").lower_is_better == ("latency_ms",)
    confirmed = read(TIMED, higher_is_better=["latency_ms"])
    assert confirmed.lower_is_better == ()
    assert confirmed.select(models=["b", "a"]).declarations.higher_is_better == {"latency_ms"}
    assert read(TIMED, drop="latency_ms").tasks == ("acc",)
    assert read(TIMED, tasks=["acc"]).tasks == ("acc",)
    assert refusal(TIMED, lower_is_better="acc", higher_is_better="acc") == [
        "both lower and higher are declared better on task 'acc'"
    ]


@pytest.mark.parametrize("name", ["Timeline", "glossary", "costume", "werewolf", "errands", "top1"])
def test_only_whole_words_suggest_a_direction(name):
    assert read(TIMED.replace("latency_ms", name)).tasks == ("acc", name)


@pytest.mark.parametrize("name", ["Time (s)", "top1_err", "WER", "val-loss", "GPU memory", "error"])
def test_words_are_found_whatever_stands_around_them(name):
    assert wl.propose_reading(io.StringIO(TIMED.replace("latency_ms", name))).lower == (name,)
    with pytest.warns(wl.DirectionWarning):
        wl.Leaderboard({name: {"a": 1, "b": 2}})
    with pytest.warns(wl.DirectionWarning, match="metric"):
        wl.Suite({"d": {name: {"a": 1, "b": 2}}})
    with pytest.warns(wl.DirectionWarning):
        wl.Instances({name: {"q": {"a": 1, "b": 2}}})


def test_a_direction_that_is_confirmed_stays_so_where_the_table_is_written(tmp_path):
    board = read(TIMED, higher_is_better=["latency_ms", "acc"])
    wl.write_leaderboard(board, tmp_path / "t.csv")
    assert (tmp_path / "t.toml").read_text() == 'higher_is_better = ["latency_ms"]\n'
    assert wl.read_leaderboard(tmp_path / "t.csv").equals(board)
    assert wl.Leaderboard.from_dict(board.to_dict()).equals(board)


@pytest.mark.parametrize(
    "name", ["Rank", "#", "Average", "Mean (Task)", "Avg.", "Average \u2b06\ufe0f", "avg_score", "Rank (Borda)"]
)
def test_a_column_made_of_others_is_never_voted_with_silently(name):
    text = f"model,x,{name}\na,1,1\nb,2,2\n"
    assert read(text, accept_reading=True).tasks == ("x",)
    assert read(text, drop=name).tasks == ("x",)
    for aware in ({"keep": ["x", name]}, {"lower_is_better": name}, {"weights": {name: 0}}):
        assert read(text, **aware).tasks == ("x", name)


@pytest.mark.parametrize("name", ["mean reciprocal rank", "Average precision", "ranker", "meaning", "norm"])
def test_other_names_are_not_taken_for_columns_made_of_others(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(f"model,x,{name}\na,1,1\nb,2,2\n")


@pytest.mark.parametrize("text", ["Dataset,T5,BERT\na,1,2\nb,2,1\n", ",T5,BERT\nCoLA,1,2\nMRPC,2,1\nown,1,1\n"])
def test_rows_that_look_like_datasets_are_asked_about_and_never_turned_in_silence(text):
    with pytest.raises(wl.ReadingError, match="rows are tasks"):
        read(text)
    assert read(text, accept_reading=True).models == ("T5", "BERT")
    assert read(text, transpose=True).models == ("T5", "BERT")
    assert read(text, transpose=False).tasks == ("T5", "BERT")


@pytest.mark.parametrize("key", ["Model", "MODEL", "name", "Name"])
def test_the_key_of_the_models_may_be_in_capitals(key):
    board = wl.read_leaderboard(io.StringIO(f'[{{"x": 1, "{key}": "a"}}, {{"x": 2, "{key}": "b"}}]'))
    assert (board.models, board.tasks) == (("a", "b"), ("x",))
