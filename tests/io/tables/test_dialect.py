"""Files of spreadsheets and shells in other countries: separators, decimal commas, thousands, encodings."""

from __future__ import annotations

import io
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.io.tables.delimited import Spelling
from weightlab.io.tables.exact_numbers import number

TABLE = "model,CoLA,seconds\nT5 é,71.6,1092.85\nBERT,60.5,-3\n"
GERMAN = "model;CoLA;seconds\nT5 é;71,6;1.092,85\nBERT;60,5;-3\n"
DECLARED = {"separator": ";", "decimal": ",", "thousands": "."}


def board_of(data, **options):
    return wl.read_leaderboard(io.BytesIO(data), **options)


@pytest.fixture
def board():
    return board_of(TABLE.encode())


def spelt(value, decimal, thousands):
    """Return a decimal as it is written: Python's own grouping, with other signs."""
    plain = f"{value:,f}" if thousands else f"{value:f}"
    return plain.replace(",", "T").replace(".", decimal).replace("T", thousands)


@given(
    value=st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=3),
    signs=st.sampled_from([(",", "."), (",", ""), (",", " "), (",", "\u202f"), (".", ","), (".", "'"), (".", "_")]),
)
def test_a_number_is_the_same_in_every_spelling(value, signs):
    assert Fraction(Spelling(*signs)(number)(spelt(value, *signs))) == Fraction(number(str(value)))


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u202f"])
def test_any_blank_may_stand_between_thousands(blank):
    assert Spelling(",", " ")(number)(f" 1{blank}234{blank}567,5 ") == 1234567.5


@pytest.mark.parametrize(
    ("cell", "signs", "matter"),
    [
        ("71.6", (",", ""), "is not a number with ',' before decimals, as is declared"),
        ("10.92", (",", "."), "is not a number with ',' before decimals and '.' between thousands, as is declared"),
        ("1,234.5", (",", "."), "is not a number with ',' before decimals and '.' between thousands, as is declared"),
        ("1234,567", (".", ","), "is not a number with '.' before decimals and ',' between thousands, as is declared"),
        ("93,9/91,8", (",", ""), "holds several numbers"),
        ("93,9%", (",", ""), "is a percentage"),
        ("high", (",", "."), "is not a number"),
        (",", (",", "."), "is not a number"),
    ],
)
def test_what_is_not_written_as_declared_is_refused(cell, signs, matter):
    with pytest.raises(ValueError, match=matter):
        Spelling(*signs)(number)(cell)


def test_missing_scores_are_missing_in_every_spelling():
    assert all(value != value for value in map(Spelling(",", ".")(number), ["", "-", " n/a ", None]))  # noqa: PLR0124


def test_a_table_of_another_country_is_the_same_table(board):
    assert board_of(GERMAN.encode(), **DECLARED).equals(board)
    assert board_of(GERMAN.encode("cp1252"), encoding="cp1252", **DECLARED).equals(board)
    assert wl.read_leaderboard(io.StringIO(GERMAN), encoding="cp1252", **DECLARED).equals(board)


def test_it_is_declared_in_the_file_beside_the_table(tmp_path, board):
    path = tmp_path / "board.csv"
    path.write_text(GERMAN, encoding="cp1252")
    path.with_suffix(".toml").write_text('separator = ";"\ndecimal = ","\nthousands = "."\nencoding = "cp1252"')
    assert wl.read_leaderboard(path).equals(board)


def test_splits_and_percentages_are_written_so_too():
    table = "model;a;b\nT5;93,9/91,8;1.099,5%\nBERT;1/2;3%\n"
    read = wl.read_leaderboard(io.StringIO(table), split={"a": "/"}, percent="b", keep=["a", "b"], **DECLARED)
    assert read.scores.loc["T5"].tolist() == [93.9, 91.8, 1099.5]


def test_suites_and_instances_are_read_so_too():
    suite = wl.read_suite(io.StringIO("dataset;metric;model;score\nqa;f1;T5;0,5\nqa;f1;BERT;1,5\n"), **DECLARED)
    assert suite.table("qa").frame()["f1"].tolist() == [0.5, 1.5]
    instances = wl.read_instances(io.StringIO("model;instance;f1\nT5;q;0,5\nBERT;q;1,5\n"), **DECLARED)
    assert instances.table("f1").frame()["q"].tolist() == [0.5, 1.5]


def test_numbers_of_json_have_one_spelling():
    records = '[{"model": "T5", "a": 1.5, "b": "1,5"}, {"model": "BERT", "a": 2, "b": "2,5"}]'
    read = wl.read_leaderboard(io.StringIO(records), decimal=",")
    assert read.scores.loc["T5"].tolist() == [1.5, 1.5]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_mark_tells_the_encoding(board, encoding, ending):
    mark = "\ufeff" if encoding.endswith(("le", "be")) else ""
    assert board_of((mark + TABLE.replace("\n", ending)).encode(encoding)).equals(board)


def test_unicode_text_of_excel_is_tabs_in_utf_16(tmp_path, board):
    path = tmp_path / "board.txt"
    path.write_text(TABLE.replace(",", "\t"), encoding="utf-16")
    assert wl.read_leaderboard(path).equals(board)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_line_in_which_excel_says_the_separator_is_read(board, mark):
    assert board_of(f"{mark}sep=;\r\n{TABLE.replace(',', ';')}".encode()).equals(board)
    with pytest.raises(wl.FileFormatError, match="line 1 says sep=;, and separator='\\|' is declared"):
        board_of(f"{mark}sep=;\r\n{TABLE}".encode(), separator="|")


def test_lines_are_counted_from_that_line_on():
    with pytest.raises(wl.FileFormatError, match="line 4, column 'x': 'high' is not a number"):
        board_of(b"sep=;\nmodel;x\na;1\nb;high\n")


@pytest.mark.parametrize(
    ("data", "format_"),
    [(TABLE.replace(",", "\t"), "tsv"), ('\n[{"model": "a", "x": 1}, {"model": "b", "x": 2}]', "json")],
)
def test_a_table_without_a_name_is_told_by_how_it_begins(data, format_):
    assert board_of(data.encode()).equals(board_of(data.encode(), format=format_))


@pytest.mark.parametrize(
    ("declared", "faults"),
    [
        ({"separator": ";;"}, ["separator must be one character such as ';' or a tab; got ';;'"]),
        ({"separator": "a"}, ["separator must be one character such as ';' or a tab; got 'a'"]),
        (
            {"decimal": ";", "thousands": "x"},
            [
                "decimal must be '.' or ','; got ';'",
                "thousands must be '.', ',', a blank, an apostrophe or '_'; got 'x'",
            ],
        ),
        ({"thousands": "."}, ["thousands: '.' stands before decimals, so nothing marks thousands"]),
        ({"encoding": "utf-99"}, ["encoding must be the name of an encoding such as 'cp1252'; got 'utf-99'"]),
        ({"encoding": "hex"}, ["encoding must be the name of an encoding such as 'cp1252'; got 'hex'"]),
        ({"separator": ";", "format": "json"}, ["separator is of CSV and TSV files; this is json"]),
        ({"decimal": 1}, ["decimal must be '.' or ','; got 1"]),
    ],
)
def test_what_cannot_be_declared_is_refused(declared, faults):
    with pytest.raises(wl.FileFormatError) as refused:
        board_of(TABLE.encode(), **declared)
    assert list(refused.value.faults) == faults


def test_a_byte_of_another_encoding_is_named():
    with pytest.raises(wl.FileFormatError, match="byte 12 is 0xe9, which is not ascii, as is declared"):
        board_of("model,x\na,1\né,2\n".encode("latin-1"), encoding="ascii")


def test_a_number_of_another_country_says_what_to_declare():
    with pytest.raises(wl.FileFormatError, match=r"a comma.*; pass decimal=',', thousands='\.'"):
        board_of(GERMAN.encode(), separator=";")


def test_decimals_stay_exact():
    read = board_of(b"model;x\na;0,1234567890123456789\nb;1\n", separator=";", decimal=",")
    assert read.cells.exact[0, 0] == Fraction(Decimal("0.1234567890123456789"))
