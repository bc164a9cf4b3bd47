from __future__ import annotations

import copy
import pickle

import pytest

import weightlab as wl
from tests.report.reading import read

BOARD = wl.Leaderboard({"<b>": {"a": 1, "b": 2, "c": 2}, "y": {"a": 5, "b": 5, "c": 4}})
MADE = {
    "Profile: 2 voters x 3 models": BOARD.rankings(),
    "Margins: 3 models": BOARD.margins(),
    "Signs: 3 models x 2 tasks": BOARD.signs(),
    "Points: 3 models x 2 tasks": BOARD.points("borda"),
}


@pytest.mark.parametrize("line", MADE)
def test_what_holds_arrays_is_shown_in_one_line_and_as_a_table(line):
    one = MADE[line]
    assert repr(one) == line
    seen = read(one._repr_html_())
    assert next(seen.all("p")).text == line
    assert next(seen.all("caption")).text == (one.frame_caption or type(one).__name__)
    cells = [cell.text for cell in seen.all("td")]
    assert len(cells) == one.frame().size
    names = {head.text for head in seen.all("th")}
    assert {"a", "b", "c"} <= names
    assert "<b>" in names or "Margins" in line


def test_relations_are_one_line_without_a_table():

    made = wl.Relations.from_dict({"models": ["a", "b"], "relations": {"x": ["11", "01"]}})
    assert repr(made) == "Relations: 1 item x 2 models"
    assert made._repr_html_() is None


@pytest.mark.parametrize("line", MADE)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
def test_copies_say_the_same(line, again):
    assert repr(again(MADE[line])) == line
