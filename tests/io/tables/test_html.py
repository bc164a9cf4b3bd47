"""Tables of HTML pages."""

from __future__ import annotations

import html
import io
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError, ReadingError
from weightlab.io.tables.pages import html_tables


def page(*rows, before=""):
    return f"<!doctype html><html><body>{before}<table>{''.join(rows)}</table></body></html>"


def row(*cells, tag="td"):
    return f"<tr>{''.join(f'<{tag}>{one}</{tag}>' for one in cells)}</tr>"


HEAD = row("model", "A", "B", tag="th")


def read(text, **declared):
    return wl.read_leaderboard(io.StringIO(text), format="html", **declared)


def test_a_table_is_read_with_its_links_as_text():
    board = read(page(HEAD, row("<a href='x'>a</a>", "1.50", "<b>2.5</b>"), row("b", "2.5", "-")))
    assert (board.models, board.tasks, board.missing_cells) == (("a", "b"), ("A", "B"), (("b", "B"),))


def test_two_header_rows_are_joined_over_the_columns_that_a_cell_spans():
    heads = "<tr><th rowspan=2>model</th><th colspan=2>Trivia</th><th>Nat</th></tr>" + row(
        "Top1", "Top5", "Top1", tag="th"
    )
    board = read(page(heads, row("a", 1.5, 2.5, 3.5), row("b", 2.5, 1.5, 0.5)))
    assert board.tasks == ("Trivia Top1", "Trivia Top5", "Nat Top1")


def test_rows_of_one_text_over_several_columns_are_left_out_and_said():
    text = page(HEAD, "<tr><td colspan=3>Large</td></tr>", row("a", 1.5, 2.5), row("b", 2.5, 1.5), "<tr><td></td></tr>")
    reading = wl.propose_reading(io.StringIO(text), format="html")
    assert (reading.models, "1 row of one text over several columns left out" in reading.line) == (2, True)


def test_scripts_and_styles_are_no_text():
    text = page(HEAD, row("a<script>alert('<td>9</td>')</script>", 1.5, 2.5), row("b<style>td{}</style>", 2.5, 1.5))
    assert read(text).models == ("a", "b")


def test_of_several_tables_one_is_chosen_by_number_or_heading():
    one = page(HEAD, *(row(name, at + 0.5, 2.5 - at) for at, name in enumerate("abcde")), before="<h2>Accuracy</h2>")
    other = page(HEAD, *(row(name, at + 0.5, 2.5 - at) for at, name in enumerate("vwxyz")), before="<h2>Speed</h2>")
    told = "there are 2 tables: 1 (line 1, Accuracy: 5 x 2); 2 (line 1, Speed: 5 x 2)"
    with pytest.raises(ReadingError, match=re.escape(told)):
        read(one + other)
    assert read(one + other, table="Speed").models == tuple("vwxyz")
    assert read(one + other, table=1).models == tuple("abcde")


def test_a_page_is_told_by_its_content_and_its_ending(tmp_path):
    text = page(HEAD, row("a", 1.5, 2.5), row("b", 2.5, 1.5))
    assert wl.read_leaderboard(io.StringIO(text)).models == ("a", "b")
    (tmp_path / "t.htm").write_text(text, encoding="utf-8")
    assert wl.read_leaderboard(tmp_path / "t.htm").models == ("a", "b")
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match="this is an HTML page; pass format='html'"):
        wl.read_leaderboard(tmp_path / "t.csv")


@pytest.mark.parametrize("text", ["<p>no table</p>", "<table></table>", "<table><tr><td>alone</td></tr></table>"])
def test_a_page_without_a_table_is_refused(text):
    with pytest.raises(
        FileFormatError, match="there is no table: rows of cells between <table> and </table> are needed"
    ):
        read(text)


def test_a_cell_spans_no_more_columns_than_a_page_can_mean():
    text = page("<tr><td colspan=999999999 rowspan=999999999>x</td></tr>", row("a", "b"))
    assert len(html_tables(text)[0].header) <= 2_002
    with pytest.raises(FileFormatError, match="span more than 10,000,000 places"):
        html_tables(page(*["<tr><td colspan=1000>x</td></tr>"] * 10_001))


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=5).filter(str.strip)


@given(st.lists(st.lists(TEXT, min_size=3, max_size=3), min_size=1, max_size=5))
def test_cells_come_back_as_they_were_written(rows):
    """The texts of a page are those that were escaped into it, whatever their signs; blanks count once."""
    found = html_tables(page(HEAD, *(row(*map(html.escape, cells)) for cells in rows)))[0]
    plain = [[" ".join(one.split()) for one in cells] for cells in rows]
    assert [[" ".join(one.split()) for one in cells] for cells in found.rows.values()] == plain


def test_a_frame_that_pandas_writes_is_the_frame():
    frame = pd.DataFrame({"A": [1.5, 2.5], "B": [2.5, 1.5]}, index=pd.Index(["a", "b"], name="model")).reset_index()
    board = read(frame.to_html(index=False))
    assert board.scores.reset_index().to_numpy().tolist() == frame.to_numpy().tolist()
