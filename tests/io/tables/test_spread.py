"""Standard errors in columns and in cells, as tables write them."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from hypothesis import given

import weightlab as wl
from tests.dice import DICE
from weightlab._cures import Cure

BESIDE = "model,acc,acc_stderr,f1\nada,0.9,0.01,3\nbo,0.8,,4\n"
INSIDE = "model,acc,f1\nada,84.2 ± 0.3,3\nbo,93.3(0.5),4 +/- 1\ncy,71,-\n"


def read(text, **options):
    return wl.read_leaderboard(io.StringIO(text), **options)


def refusal(text, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    return list(refused.value.faults)


def errors(board):
    """Return the standard errors there are, by model and task."""
    frame = board.standard_errors
    return {(model, task): frame.loc[model, task] for task in frame for model in frame.index[frame[task].notna()]}


def test_a_column_called_stderr_holds_the_errors_of_its_task():
    board = read(BESIDE)
    assert (board.tasks, errors(board)) == (("acc", "f1"), {("ada", "acc"): 0.01})


@pytest.mark.parametrize("said", [{"acc": "e"}, "_error"])
def test_which_columns_hold_errors_is_declared_otherwise(said, tmp_path):
    name = "e" if isinstance(said, dict) else "acc_error"
    text = BESIDE.replace("acc_stderr", name)
    assert read(text).tasks == ("acc", name, "f1")
    assert read(text, standard_errors=said).equals(read(BESIDE))
    (tmp_path / "t.csv").write_text(text)
    (tmp_path / "t.toml").write_text('standard_errors = { acc = "e" }' if name == "e" else 'standard_errors = "_error"')
    assert wl.read_leaderboard(tmp_path / "t.csv").equals(read(BESIDE))


def test_a_column_of_errors_may_be_declared_a_task_and_goes_with_its_scores():
    assert read(BESIDE, standard_errors=False).tasks == ("acc", "acc_stderr", "f1")
    assert read(BESIDE, drop="acc").tasks == ("f1",)
    assert read(BESIDE.replace("acc,", "x,")).tasks == ("x", "f1")


def test_a_cell_holds_a_score_and_its_error_where_that_is_declared():
    board = read(INSIDE, spread="standard_error")
    assert board.scores["acc"].tolist() == [84.2, 93.3, 71]
    assert errors(board) == {("ada", "acc"): 0.3, ("bo", "acc"): 0.5, ("bo", "f1"): 1}
    assert board.error_cells.column(0)[0] == Fraction(3, 10)
    dropped = read(INSIDE, spread="dropped")
    assert dropped.scores.equals(board.scores)
    assert dropped.error_cells is None
    assert errors(read(INSIDE, spread={"acc": "dropped", "f1": "standard_error"})) == {("bo", "f1"): 1}


def test_a_spread_is_written_like_the_numbers_of_its_file():
    text = "model;acc;f1\nada;84,2% ± 0,3%;1\nbo;93,3% (1,5%);2\n"
    board = read(text, separator=";", decimal=",", percent="acc", spread="standard_error")
    assert errors(board) == {("ada", "acc"): 0.3, ("bo", "acc"): 1.5}


def test_an_undeclared_spread_is_told_from_other_text():
    with pytest.raises(
        wl.ReadingError, match=r"acc, f1: more than a score stands in cells such as '84\.2 ± 0\.3'"
    ) as asked:
        read(INSIDE)
    assert [cure.argument for cure in asked.value.cure] == ["spread", "spread"]
    assert refusal(INSIDE, keep="*") == [
        "line 2, column 'acc': '84.2 ± 0.3' holds a score and a spread (and 2 more cells of 2 columns)"
    ]


@pytest.mark.parametrize(
    "cell", ["**93.0**", "60.2\u2191", "_1.5_", "7\u2020", "**84.2 \u00b1 0.3**", "**84.2** \u00b1 0.3", "1*"]
)
def test_marks_around_a_score_are_dropped_where_that_is_declared(cell):
    text = f"model,acc\na,{cell}\nb,1\n"
    (cure,) = refusal(text, keep="acc")[0].cure if "\u00b1" in cell else (Cure("spread", {"acc": "dropped"}),)
    assert cure == Cure("spread", {"acc": "dropped"})
    score = cell.split("\u00b1")[0].strip(" *_\u2191\u2020")
    assert read(text, spread="dropped").scores.loc["a", "acc"] == float(score)


@pytest.mark.parametrize("cell", ["*", "1*2", "x\u2191"])
def test_marks_make_no_number_of_other_text(cell):
    assert refusal(f"model,acc\na,{cell}\nb,1\n", spread="dropped")


@pytest.mark.parametrize(
    ("text", "options", "fault"),
    [
        (INSIDE.replace("0.5", "5"), {"spread": "standard_error"}, "line 3, column 'acc': '93.3(5)' does not say in"),
        (INSIDE.replace("0.3", ""), {"spread": "standard_error"}, "line 2, column 'acc': '84.2 ± ' is not a number"),
        (INSIDE.replace("0.3", "x"), {"spread": "standard_error"}, "line 2, column 'acc': '84.2 ± x' is not a number"),
        (INSIDE, {"spread": "error"}, "spread must be 'standard_error' or 'dropped'"),
        (INSIDE, {"spread": {"g": "dropped"}}, "spread: no column named 'g'"),
        (INSIDE, {"spread": {"acc": "standard_error"}, "split": {"acc": "("}}, "column 'acc' is split"),
        (BESIDE, {"standard_errors": {"acc": "e"}}, "standard_errors: no column named 'e'"),
        (BESIDE, {"standard_errors": 3}, "standard_errors must be the ending of such columns"),
        (BESIDE, {"standard_errors": {"acc": "f1", "f1": "acc_stderr"}}, "standard_errors: column 'f1' has"),
        (
            BESIDE,
            {"spread": {"acc": "standard_error"}},
            "column 'acc' has standard errors in its cells and in a column",
        ),
        (BESIDE, {"split": {"acc": "/"}}, "column 'acc' is split, so its standard errors cannot be assigned"),
        (BESIDE.replace("0.01", "-1"), {}, "model 'ada', task 'acc' has a negative standard error"),
    ],
)
def test_what_is_no_standard_error_is_refused(text, options, fault):
    assert refusal(text, **options)[0].startswith(fault)


NAMES = ("acc", "acc_stderr", "acc_stderr_", "_stderr", "f1", "model", "model_stderr")


@pytest.mark.filterwarnings("ignore:Standard errors, to judge by the name")
@pytest.mark.parametrize("form", ["csv", "tsv", "json"])
@given(dice=DICE)
def test_what_is_written_reads_back_whatever_the_tasks_are_called(form, dice, tmp_path_factory):
    tasks = dice.shuffled(NAMES)[: dice.between(1, 5)]
    cells = {task: {model: dice.below(9) for model in ("ada", "bo")} for task in tasks}
    given_errors = {
        task: {model: dice.one_of((None, 0, "0.125", 3)) for model in ("ada", "bo")} for task in dice.some_of(tasks)
    }
    board = wl.Leaderboard(cells, standard_errors=given_errors)
    path = tmp_path_factory.mktemp("spread") / f"t.{form}"
    wl.write_leaderboard(board, path)
    assert wl.read_leaderboard(path).equals(board)


def test_an_error_that_no_decimal_equals_is_refused_or_rounded(tmp_path):
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}}, standard_errors={"x": {"a": Fraction(1, 3)}})
    with pytest.raises(wl.InputError, match="model 'a', task 'x', standard error: no decimal that a file can hold"):
        wl.write_leaderboard(board, tmp_path / "t.csv")
    wl.write_leaderboard(board, tmp_path / "t.csv", rounded=True)
    assert (tmp_path / "t.csv").read_text() == "model,x,x_stderr\na,1,0.3333333333333333\nb,2,\n"
