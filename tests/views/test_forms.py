from __future__ import annotations

import csv
import io
import re

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.reading import read
from weightlab._text import shown
from weightlab.views.forms import COLUMNS, OPEN, ROWS, SLACK, html, is_form, written
from weightlab.views.view import Facts, Table, View


def notebook_html(sentence, _, frame, caption):
    return html(View(headline=sentence, blocks=[Table.of_frame(frame, caption)]))


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
    assert [one.text for one in seen.all("p")][1] == "2 more rows and 4 more columns: summary() has them all."


def test_numbers_stand_right_words_left_and_gaps_are_empty():
    frame = pd.DataFrame(
        {"share": [1 / 3, None], "rank": [1, 2], "holds": [True, None], "why": ["b", ("c", 2.5)]}, index=["m", "n"]
    )
    seen = read(notebook_html("x", "", frame, "t"))
    cells = list(seen.all("td"))
    assert [one.text for one in cells] == ["0.333", "1", "yes", "b", "", "2", "", "c, 2.5"]
    assert ["right" in one.attributes["style"] for one in cells] == [True, True, False, False] * 2


def test_the_row_is_headed_by_its_first_words():
    frame = pd.DataFrame({"x": [1]}, index=pd.MultiIndex.from_tuples([("a", "b")], names=["model", "rival"]))
    seen = read(notebook_html("x", "", frame, "t"))
    assert [one.text for one in seen.all("th")] == ["model", "rival", "x", "a"]
    ranked = read(html(View(blocks=[Table(["rank", "model"], [["1", "ada"]], (0,))])))
    assert [one.text for one in ranked.all("th")] == ["rank", "model", "ada"]


HOSTILE = (
    "a|b",
    "`x`",
    "*y*",
    "# h",
    "<b>",
    "@team",
    "x_1 & 50%",
    "\\input{x}",
    "=1+1",
    "n\nm",
    "\x1b[31m",
    "$x$",
    "~^",
)


def test_in_every_form_names_are_text():
    rows = [[name, str(place)] for place, name in enumerate(HOSTILE)]
    view = View(
        headline=HOSTILE[0], blocks=[Facts([(name, [name]) for name in HOSTILE]), Table(["m", "n"], rows, (1,))]
    )
    said = {ending: written([view], ending, "t") for ending in (".md", ".tex", ".csv", ".tsv", ".html")}
    assert not any("\x1b" in text for ending, text in said.items() if ending not in (".csv", ".tsv"))
    assert list(csv.reader(io.StringIO(said[".csv"]))) == [*([name, name] for name in HOSTILE), [], ["m", "n"], *rows]
    assert [*csv.reader(io.StringIO(said[".tsv"]), delimiter="\t")] == [*csv.reader(io.StringIO(said[".csv"]))]
    assert "<b>" not in said[".html"]
    assert r"\textbackslash{}input\{x\}" in said[".tex"]
    assert r"x\_1 \& 50\%" in said[".tex"]
    lines = [line for line in said[".md"].splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)


def test_what_a_view_has_of_its_own_takes_the_place_of_its_blocks():
    view = View(
        headline="x", blocks=[Table(["a"], [["1"]])], files={".csv": lambda: "own\n", ".dot": lambda: "graph\n"}
    )
    assert written([view], ".csv", "t") == "own\n"
    assert written([view, View(headline="y")], ".dot", "t") == "graph\n"
    assert (is_form(".md"), is_form(".html"), is_form(".json"), is_form(".dot")) == (True, True, False, False)


@settings(max_examples=25)
@given(st.lists(st.text(max_size=8), min_size=3, max_size=3))
def test_any_text_is_shown_and_never_markup(texts):
    sentence, name, cell = (text or "x" for text in texts)
    seen = read(notebook_html(sentence, "", pd.DataFrame({name: [cell]}, index=[name]), cell))
    assert next(seen.all("p")).text == shown(sentence)
    assert next(seen.all("caption")).text == shown(cell)
    assert [one.text for one in seen.all("th", "td")][1:] == [shown(name).replace("_", " "), shown(name), shown(cell)]
