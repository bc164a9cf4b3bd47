from __future__ import annotations

from fractions import Fraction

import pytest

import weightlab as wl
from tests.plots.pictures import assert_is_drawn
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.Leaderboard({"x": {"a": 90, "b": 40, "c": 10}, "y": {"a": None, "b": 80, "c": 20}}, rule="mean")


def test_bars_go_from_the_worst_to_the_best_mean():
    marks = wl.plots.mean_spans_marks(wl.lp.settle(BOARD, bounds=(0, 100)))
    rows = [(one.name, one.role, one.low, one.high) for one in rows_of(marks, "span")]
    assert rows == [("a", "claimed", 45, 95), ("b", "open", 60, 60), ("c", "decided", 15, 15)]
    (line,) = rows_of(marks, "threshold")
    assert line.low == Fraction(45)
    assert "still open" in title_of(marks)
    assert notes_of(marks)[0].endswith("1 score missing.")


def test_few_are_shown_where_there_are_many():
    found = wl.lp.settle(BOARD, bounds=(0, 100))
    assert len(rows_of(wl.plots.mean_spans_marks(found, most=2), "span")) == 2
    with pytest.raises(wl.InputError, match="most must be at least 1"):
        wl.plots.mean_spans_marks(found, most=0)


def test_only_means_are_drawn():
    with pytest.raises(wl.InputError, match="the claim is by majority"):
        wl.plots.mean_spans_marks(wl.lp.settle(BOARD, rule="majority"))


def test_it_is_drawn():
    pytest.importorskip("matplotlib")
    assert_is_drawn(wl.lp.settle(BOARD, bounds=(0, 100)), "mean_spans", names=BOARD.models)
