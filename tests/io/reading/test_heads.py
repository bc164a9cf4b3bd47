"""Titles above a table, two header rows, notes below: what stands around a table is told from the table."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import file_names
from weightlab.exceptions import FileFormatError, ResultsWarning
from weightlab.io.tables.heads import head_of

TABLE = "model,x,y,z\na,1,2,3\nb,4,5,6\n"
WHOLE = (("a", "b"), ("x", "y", "z"), [[1, 2, 3], [4, 5, 6]])


def read(text, **options):
    board = wl.read_leaderboard(io.StringIO(text), **options)
    return board.models, board.tasks, board.scores.to_numpy().tolist()


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        f"Results of June\n\n{TABLE}",
        f"# measured on two machines\n{TABLE}",
        f"Results,,,\nJune,,,\n{TABLE}",
        f"{TABLE}\nAll scores are means of five runs.\n",
        f"{TABLE}Means of five runs,,,\n",
        f'Results of June\n{TABLE}"All scores, as reported by their owners."\n',
        TABLE.replace("\n", "\r\n") + "All scores are means.\r\n",
    ],
)
def test_what_stands_around_a_table_is_left_out(text):
    assert read(text) == WHOLE


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        (",QA,QA,NLI\n,f1,em,acc\na,1,2,3\nb,4,5,6\n", ("QA f1", "QA em", "NLI acc")),
        ("model,QA,,NLI\n,f1,em,acc\na,1,2,3\nb,4,5,6\n", ("QA f1", "QA em", "NLI acc")),
        (",noise,noise,blur\n,1,2,1\na,1,2,3\nb,4,5,6\n", ("noise 1", "noise 2", "blur 1")),
        ("model,QA,QA,NLI\nmodel,f1,em,NLI\na,1,2,3\nb,4,5,6\n", ("QA f1", "QA em", "NLI")),
    ],
)
def test_two_header_rows_are_one(text, tasks):
    assert read(text) == (WHOLE[0], tasks, WHOLE[2])


@pytest.mark.parametrize(
    "text",
    [
        "model,x,y,z\na,1,2,3\nb,4\n",  # cut off, and no sentence
        "model,x,x,y\na,1,2,3\nb,4,5,6\n",  # a name twice, and scores below it
        "model,x,x,y\n,1,2,3\nb,4,5,6\n",  # a nameless model whose scores could be names
    ],
)
def test_what_may_be_a_row_is_no_note_and_no_header(text):
    with pytest.raises(FileFormatError):
        read(text.replace(",1,2,3\nb", ",1,1,3\nb") if "\n,1" in text else text)


def test_faults_name_the_lines_of_the_file():
    with pytest.raises(FileFormatError, match="line 5, column 'y': 'odd'"):
        read("Results of June\n\nmodel,x,y,z\na,1,2,3\nb,4,odd,6\nc,7,8,9\nAll of them as reported\n")


@given(file_names(2, 4), file_names(2, 4), st.data())
def test_a_plain_table_has_its_header_in_its_first_row(models, tasks, data):
    rows = [
        ["model", *tasks],
        *([model, *data.draw(st.tuples(*(st.integers(0, 9) for _ in tasks)))] for model in models),
    ]
    assert head_of(rows) is None


def test_a_workbook_is_read_where_its_numbers_are(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="Excel workbooks need openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "README"
    for row in (["What", "this is"], ["scores", "of two models"]):
        book.active.append(row)
    sheet = book.create_sheet("scores")
    for row in (["June"], ["model", "x", "y", "z"], ["a", 1, 2, 3], ["b", 4, 5, 6], ["means of five runs"]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    with pytest.warns(ResultsWarning, match="sheet 'scores' is read; left out: 'README'"):
        board = wl.read_leaderboard(tmp_path / "t.xlsx")
    assert (board.models, board.tasks, board.scores.to_numpy().tolist()) == WHOLE


def test_a_second_header_row_may_name_the_models():
    board = wl.read_leaderboard(io.StringIO(",blur,blur,noise\nmodel,1,2,1\na,0.5,0.6,0.7\nb,0.4,0.3,0.2\n"))
    assert (board.models, board.tasks) == (("a", "b"), ("blur 1", "blur 2", "noise 1"))
