"""CSV and TSV files as people have them."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.strategies import FILE_NAME
from weightlab._validate import EXACT_DIGITS
from weightlab.exceptions import FileFormatError
from weightlab.io.read.leaderboards import read_board
from weightlab.io.tables.delimited import PlainRows, delimited_sheet
from weightlab.io.tables.sheet import FileFaults, Source, rows_of_a_block

TABLE = "model,f1,em\na,1,2\nb,3,4\n"
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])


def sheet(text, form="csv"):
    faults = FileFaults("t.csv")
    read = delimited_sheet(Source(name="t.csv", data=text.encode(), format=form, path=None), faults)
    rows = [(line, *cells) for block in read.blocks for line, *cells in zip(block.rows, *block.columns, strict=True)]
    faults.raise_here()
    return read.header, rows


def refusal(text, **options):
    with pytest.raises(wl.FileFormatError) as refused:
        wl.read_leaderboard(io.BytesIO(text.encode()), **options)
    return refused.value.faults


@settings(max_examples=50)
@given(
    table=st.lists(st.lists(FILE_NAME, min_size=2, max_size=2), min_size=2, max_size=6),
    ending=ENDINGS,
    form=st.sampled_from(["csv", "tsv"]),
)
def test_what_a_spreadsheet_writes_is_read_cell_by_cell(table, ending, form):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="," if form == "csv" else "\t", lineterminator=ending, quoting=csv.QUOTE_ALL).writerows(
        table
    )
    header, rows = sheet(text.getvalue(), form)
    header, first = ((header[0].removeprefix("\ufeff"), *header[1:]), table[0])
    assert header == (first[0].removeprefix("\ufeff"), first[1])
    assert [row[1:] for row in rows] == [tuple(row) for row in table[1:]]


@settings(max_examples=50)
@given(names=st.lists(FILE_NAME, min_size=1, max_size=6), ending=ENDINGS)
def test_a_row_is_named_by_the_line_it_begins_on(names, ending):
    text, begins = f"model,f1{ending}", []
    for name in names:
        begins.append(len(io.StringIO(text, newline="").readlines()) + 1)
        doubled = name.replace('"', '""')
        text += f'"{doubled}",1{ending}'
    assert [row[0] for row in sheet(text)[1]] == begins


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_will_do(ending):
    assert wl.read_leaderboard(io.StringIO(TABLE.replace("\n", ending), newline="")).models == ("a", "b")


def test_the_last_line_need_not_end():
    assert wl.read_leaderboard(io.StringIO(TABLE.rstrip("\n"))).models == ("a", "b")


def test_blank_lines_are_left_out_and_counted():
    assert sheet("\n\nmodel,f1\n\na,1\n , \nb,2\n,\n") == (("model", "f1"), [(5, "a", "1"), (7, "b", "2")])


def test_a_trailing_comma_makes_no_column():
    board = wl.read_leaderboard(io.StringIO("model,f1,\na,1,\nb,2,\n"))
    assert board.tasks == ("f1",)


def test_a_column_without_a_name_is_left_out_where_it_holds_text():
    assert wl.read_leaderboard(io.StringIO("model,f1,\na,1,\nb,2,note\n")).tasks == ("f1",)
    assert wl.read_leaderboard(io.StringIO("model,f1,\na,1,\nb,2,note\n"), drop=[""]).tasks == ("f1",)


def test_the_index_of_pandas_names_the_models():
    frame = pd.DataFrame({"f1": [0.5, 0.25]}, index=["a", "b"])
    assert wl.read_leaderboard(io.StringIO(frame.to_csv())).models == ("a", "b")


def test_the_index_of_pandas_beside_a_column_of_models_is_no_task():
    text = pd.DataFrame({"model": ["a", "b", "c"], "f1": [0.5, 0.25, 0.3]}).to_csv()
    board = wl.read_leaderboard(io.StringIO(text), accept_reading=True)
    assert (board.models, board.tasks) == (("a", "b", "c"), ("f1",))
    assert wl.read_leaderboard(io.StringIO(text), drop=[""]).models == ("a", "b", "c")


def test_blanks_around_names_and_numbers_are_no_part_of_them():
    board = wl.read_leaderboard(io.StringIO("model, f1\n a , 0.5 \nb,1\n"))
    assert (board.models, board.tasks, board.scores.iloc[0, 0]) == (("a", "b"), ("f1",), 0.5)
    assert (
        "1 name without blanks, links or bold around it (was ' a ')"
        in read_board(io.StringIO("model, f1\n a , 0.5 \nb,1\n"), None, {})[1].line
    )


@pytest.mark.parametrize(
    ("one", "other"), [("ada", "ada "), ("caf\u00e9", "cafe\u0301"), ("x y", "x\u00a0y"), ("a", "[a](http://x.y)")]
)
def test_names_that_only_look_different_are_one_name_twice(one, other):
    with pytest.raises(FileFormatError, match=r"line 3: model .* is already in line 2"):
        wl.read_leaderboard(io.StringIO(f"model,f1\n{one},0.5\n{other},0.7\nb,1\n"))


def test_a_comment_above_the_header_is_refused():
    assert refusal("# June, all\n" + TABLE) == (
        (
            "line 2: 3 fields where the header has 2 (and 2 more likewise: line 3, line 4) (the header begins with "
            "'#'; if that line is a comment, take it out)"
        ),
    )


def test_a_first_column_called_so_is_no_comment():
    assert wl.read_leaderboard(io.StringIO(TABLE.replace("model", "#model"))).models == ("a", "b")


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        (
            TABLE.replace(",", ";"),
            "csv",
            "line 1: the header has semicolons and no commas",
        ),
        (
            "\n" + TABLE.replace(",", "\t"),
            "csv",
            "line 2: the header has tabs and no commas",
        ),
        (TABLE, "tsv", "line 1: the header has commas and no tabs"),
        (
            TABLE.replace(",", "|"),
            "csv",
            "line 1: the header has bars and no commas",
        ),
    ],
)
def test_another_delimiter_is_named(text, form, message):
    assert refusal(text, format=form) == (message,)


def test_rows_of_another_width_are_named_all_of_them():
    assert refusal("model,f1\na\nb,1\nc,1,2\n") == (
        "line 2: 1 field where the header has 2",
        "line 4: 3 fields where the header has 2",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('model,f1\na,1\n"b,2\nc,3\n', "line 3: a quote opens here and is not closed"),
        ('"model,f1\na,1\n', "line 1: a quote opens here and is not closed"),
        (
            'model,f1\n"a"b,1\n',
            "line 2: text follows a closing quote; inside a quoted name a quote is written twice",
        ),
        (
            'model,f1\n"a,' + "1\n" * 100_000,
            "line 2: a field has more than 131072 characters; is a quote not closed?",
        ),
    ],
    ids=["open", "open header", "text after", "long"],
)
def test_a_misplaced_quote_is_named_with_its_line(text, message):
    assert message in refusal(text)


def test_quotes_inside_a_plain_name_are_part_of_it():
    assert wl.read_leaderboard(io.StringIO('model,f1\n6" gun,1\nb,2\n')).models == ('6" gun', "b")


def test_only_a_header_is_no_table():
    assert refusal("model,f1\n") == ("there is a header and no row below it",)


def test_quoted_nothing_is_no_header():
    assert refusal('""\n"",""\n') == ("there is no header, only blank lines",)


def test_long_files_come_in_blocks_with_the_right_lines():
    count = rows_of_a_block(2)
    rows = sheet("model,f1\n" + "".join(f'"m\n{number}",1\n' for number in range(count + 2)))[1]
    assert [rows[at][0] for at in (0, 1, count, -1)] == [2, 4, 2 * count + 2, 2 * count + 4]


def test_blocks_of_wide_tables_have_fewer_rows():
    assert rows_of_a_block(3) > rows_of_a_block(1_000) >= 50
    assert rows_of_a_block(10**6) == rows_of_a_block(10**7)


def test_a_file_of_orders_without_its_name_is_known_for_one():
    text = "# FILE NAME: votes.soc\n# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n1: 1,2\n"
    with pytest.raises(wl.FileFormatError, match=r"this is a PrefLib file; give one whose name ends in \.soc"):
        wl.read_leaderboard(io.StringIO(text))


DECIMALS = st.from_regex(r"[+-]?([0-9]{1,9}(\.[0-9]{0,7})?|\.[0-9]{1,9})", fullmatch=True)
NO_DECIMALS = st.sampled_from(
    ["", "-", "+", ".", "1e3", "1_0", "--1", "1-", "1.2.3", "1 ", "NaN", "inf", "0x1", "+-1", "\uff11"]
)


@given(st.lists(DECIMALS, min_size=1, max_size=6))
def test_decimals_cut_by_numpy_are_those_that_python_reads(cells):
    text = "".join(f"m{row},{cell}\n" for row, cell in enumerate(cells)).encode()
    rows = PlainRows.cut(text, ",", 2)
    found = rows.decimals([1]).get(1)
    if max(map(len, cells)) > EXACT_DIGITS:
        assert found is None
    else:
        assert list(map(repr, found.tolist())) == [repr(float(cell)) for cell in cells]


@example([], "1.2.3", 0)
@given(st.lists(DECIMALS, max_size=3), NO_DECIMALS, st.integers(0, 3))
def test_one_cell_that_is_no_decimal_leaves_the_column_to_the_other_reader(cells, other, place):
    cells.insert(min(place, len(cells)), other)
    text = "".join(f"m{row},{cell}\n" for row, cell in enumerate(cells)).encode()
    assert PlainRows.cut(text, ",", 2).decimals([1]) == {}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "xyzxyzxyz", "xyzxyzxyy", ""])), min_size=1))
def test_cells_that_repeat_are_read_once_and_stand_where_they_were(cells):
    rows = PlainRows.cut("".join(f"{one},{other}\n" for one, other in cells).encode(), ",", 2)
    for column, told in enumerate(zip(*cells, strict=True)):
        coded = rows[column]
        assert list(coded) == list(told)
        assert len(set(coded.distinct)) == len(coded.distinct)
