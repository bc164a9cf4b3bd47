"""Tables in Markdown."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.report.output.test_markdown import BLOCKS, INLINE, LINKS, kinds_and_texts
from weightlab.io.tables.columns import plain_name

PAGE = """# Results

Some | words.

| Model | CoLA | MRPC |
|:------|-----:|:----:|
| T5 \\| 11B | 71.6 | 92.8 |
| BERT | 60.5 | - |

More words.
"""


def read(text, **options):
    return wl.read_leaderboard(io.StringIO(text), format="markdown", **options)


def refusal(text):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text)
    return list(refused.value.faults)


def test_the_table_of_a_page_is_read(tmp_path):
    board = read(PAGE)
    assert (board.models, board.tasks) == (("T5 | 11B", "BERT"), ("CoLA", "MRPC"))
    assert board.missing_cells == (("BERT", "MRPC"),)
    (tmp_path / "README.md").write_text(PAGE)
    assert wl.read_leaderboard(tmp_path / "README.md").equals(board)


def test_outer_bars_are_not_needed_and_a_stream_is_told_by_its_begin():
    assert wl.read_leaderboard(io.StringIO("model | x\n--- | ---\na | 1\nb | 2\n")).models == ("a", "b")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("no table", "there is no table: a header such as | model | CoLA | and below it |---|---| are needed"),
        (PAGE + PAGE, "there are 2 tables: 1 (line 5, Results: 2 x 2); 2 (line 15, Results: 2 x 2)"),
        (PAGE.replace("| - |", "| - | 1 |"), "line 8: 4 fields where the header has 3"),
        (PAGE.replace("60.5", "high"), "line 8, column 'CoLA': 'high' is not a number"),
        ("|model|x|\n|---|---|\n", "there is a header and no row below it"),
    ],
)
def test_what_is_no_table_is_refused(text, fault):
    assert refusal(text)[0].startswith(fault)


WORDS = "## Models\n\n| model | link |\n|---|---|\n| T5 | here |\n\n"


def test_of_several_tables_the_only_one_with_numbers_is_read():
    assert read(WORDS + PAGE).equals(read(PAGE))


@pytest.mark.parametrize("table", ["2", 2, "Second", "second"])
def test_a_table_is_chosen_by_its_number_or_its_heading(table):
    text = PAGE + PAGE.replace("# Results", "## The second").replace("71.6", "1")
    assert read(text, table=table).scores["CoLA"].tolist() == [1, 60.5]
    with pytest.raises(wl.FileFormatError, match=r"no one table is called '3'; there are 1 \(line 5, Results: 2 x 2\)"):
        read(text, table="3")
    with pytest.raises(wl.FileFormatError, match="table is of pages, workbooks, JSON and YAML; this is csv"):
        wl.read_leaderboard(io.StringIO("model,x\na,1\nb,2\n"), table="1")


def test_short_rows_are_filled_up():
    board = read(PAGE.replace("| - |", "|"))
    assert board.missing_cells == (("BERT", "MRPC"),)


NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1).filter(
    lambda name: "\\" not in name and plain_name(name) == name
)


@given(st.lists(NAMES, min_size=2, max_size=5, unique=True), st.integers(0, 9))
def test_names_of_any_signs_come_back(names, first):
    rows = "".join(f"| {name.replace('|', chr(92) + '|')} | {first + row} |\n" for row, name in enumerate(names))
    board = read(f"| model | x |\n| --- | --- |\n{rows}", keep="x")
    assert board.models == tuple(names)
    assert board.scores["x"].tolist() == [first + row for row in range(len(names))]


def test_rows_below_a_gap_are_not_dropped_in_silence():
    text = "| model | x | y |\n|---|---|---|\n| a | 1 | 2 |\n| b | 2 | 1 |\n\n| c | 3 | 3 |\n\nAll | of it.\n"
    with pytest.raises(wl.FileFormatError, match="line 6: this looks like a row, but the table ended above"):
        wl.read_leaderboard(io.StringIO(text))
    assert wl.read_leaderboard(io.StringIO(text.replace("\n\n| c", "\n| c"))).models == ("a", "b", "c")


@pytest.mark.parametrize(
    "name",
    ["@team/x", "www.x.y", "[l] (http://x.y)", "`x`", "``", "a`b", "` `", "a|b", "a\\|b", "a\\", "<b>", "_a_",
     "log_loss", "x `y` z"],
)  # fmt: skip
def test_a_name_that_would_be_markup_is_written_as_code_and_read_back(tmp_path, name):
    board = wl.Leaderboard({f"{name} t": {name: 1, "b": 2}, "u": {name: 2, "b": 1}}, higher_is_better=[])
    wl.write_leaderboard(board, tmp_path / "b.md")
    text = (tmp_path / "b.md").read_text(encoding="utf-8")
    blocks, parts, outside, every = kinds_and_texts(text)
    assert blocks <= BLOCKS
    assert parts <= INLINE
    assert not LINKS.search(outside)
    assert name in every
    assert wl.read_leaderboard(tmp_path / "b.md").models == (name, "b")
    assert wl.read_leaderboard(tmp_path / "b.md").tasks == (f"{name} t", "u")
