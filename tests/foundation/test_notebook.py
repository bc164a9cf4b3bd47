from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.reading import read
from weightlab._notebook import COLUMNS, OPEN, ROWS, SLACK, notebook_html
from weightlab._text import shown


def numbered(rows, columns=1):
    return pd.DataFrame(np.arange(rows * columns).reshape(rows, columns), index=[f"m{row}" for row in range(rows)])


def rows_of(seen):
    return [next(row.all("th")).text for body in seen.all("tbody") for row in body.all("tr")]


def test_a_short_table_is_not_folded():
    seen = read(notebook_html("x", "", numbered(OPEN + SLACK), "t"))
    assert len(list(seen.all("table"))) == 1
    assert not list(seen.all("details"))


def test_the_later_rows_of_a_long_table_are_folded_away_and_none_is_lost():
    seen = read(notebook_html("x", "", numbered(OPEN + SLACK + 1), "t"))
    assert [one.text for one in seen.all("caption")] == ["t: the first 15 of 21 rows", "t: rows 16 to 21"]
    assert rows_of(seen) == [f"m{row}" for row in range(OPEN + SLACK + 1)]
    assert rows_of(next(seen.all("details"))) == [f"m{row}" for row in range(OPEN, OPEN + SLACK + 1)]


def test_what_a_huge_table_leaves_out_is_counted():
    seen = read(notebook_html("x", "", numbered(ROWS + 2, COLUMNS + 3), "t"))
    assert len(rows_of(seen)) == ROWS
    assert [one.text for one in seen.all("p")][1] == "2 more rows and 3 more columns: summary() has them all."


def test_numbers_stand_right_words_left_and_gaps_are_empty():
    frame = pd.DataFrame({"share": [1 / 3, None], "rank": [1, 2], "holds": [True, None], "why": ["b", ("c", 2.5)]})
    seen = read(notebook_html("x", "proved", frame, "t"))
    cells = list(seen.all("td"))
    assert [one.text for one in cells] == ["0.333333", "1", "yes", "b", "", "2", "", "c, 2.5"]
    assert ["right" in one.attributes["style"] for one in cells] == [True, True, False, False] * 2


def test_every_level_of_an_index_names_the_rows():
    frame = pd.DataFrame({"x": [1]}, index=pd.MultiIndex.from_tuples([("a", "b")], names=["model", "rival"]))
    seen = read(notebook_html("x", "", frame, "t"))
    assert [one.text for one in seen.all("th")] == ["model", "rival", "x", "a", "b"]


@settings(max_examples=25)
@given(st.lists(st.text(max_size=8), min_size=3, max_size=3))
def test_any_text_is_shown_and_never_markup(texts):
    sentence, name, cell = texts
    seen = read(notebook_html(sentence, "", pd.DataFrame({name: [cell]}, index=[name]), cell))
    assert next(seen.all("p")).text == shown(sentence)
    assert next(seen.all("caption")).text == shown(cell)
    assert [one.text for one in seen.all("th", "td")][1:] == [shown(name), shown(name), shown(cell)]
