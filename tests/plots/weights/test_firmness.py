"""How firm first place is, as bars: what ends it, and what every task that is left out changes."""

from __future__ import annotations

from fractions import Fraction

import pytest

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.Leaderboard({"x": {"a": 30, "b": 70}, "y": {"a": 70, "b": 60}, "z": {"a": 90, "b": 20}})


def bars(found, **options):
    return rows_of(wl.plots.firmness_marks(found, **options), "bar")


def test_a_card_has_a_bar_for_each_way_to_end_first_place():
    found = wl.studies.card(BOARD)
    tasks, weight, error = bars(found)
    assert (tasks.value, tasks.label) == (Fraction(1, 3), "1 of 3 tasks (b)")
    assert weight.value == found.weight
    assert error.value == found.error / 70  # the widest range: 20 to 90 on z
    assert error.label == "6.66 points (b)"
    assert title_of(wl.plots.firmness_marks(found)) == "How firm first place is by average: a is first of 2 models"


def test_what_nothing_ends_is_a_whole_bar_and_a_shared_place_has_none():
    ahead = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}})
    assert [(one.value, one.label.split(" (")[0]) for one in bars(wl.studies.card(ahead, "mean"))][:2] == [
        (1, "never"),
        (1, "never"),
    ]
    shared = wl.studies.card(wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}}), "mean")
    assert [one.value for one in bars(shared)] == [0, 0]
    assert "a, b share first place" in title_of(wl.plots.firmness_marks(shared))


def test_each_task_has_a_bar_as_long_as_its_swaps_the_deciding_ones_first():
    found = wl.studies.leave_one_out(BOARD)
    told = [(one.name, one.role, one.value) for one in bars(found)]
    assert told == [("z", "first", 1), ("x", "second", 0), ("y", "second", 0)]
    assert {name: swaps for name, _, swaps in told} == {one.name: one.swaps for one in found.parts}
    assert bars(found)[0].label == "1 swap; b first"
    assert notes_of(wl.plots.firmness_marks(found, most=1))[-1] == "2 more bars not shown."
    with pytest.raises(wl.InputError, match="most must be at least 1"):
        wl.plots.firmness_marks(found, most=0)


def test_it_is_drawn_whatever_the_names():
    pytest.importorskip("matplotlib")
    scores = {f"t{one}": {name: (place * 7 + one) % 5 for place, name in enumerate(AWKWARD)} for one in range(3)}
    assert_is_drawn(wl.studies.leave_one_out(wl.Leaderboard(scores), drop="models"), "firmness")
    assert_is_drawn(wl.studies.card(BOARD), "firmness", names=["tasks left out"])
