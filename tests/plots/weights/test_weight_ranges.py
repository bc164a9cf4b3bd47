"""Weight ranges as intervals: exact ends, and the weights that are marked lie between them."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import assume, given, settings

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn, texts
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.Leaderboard(
    {"x": {"a": 2, "b": 1, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 2, "c": 1}},
    groups={"yz": ["y", "z"]},
)


@settings(max_examples=25)
@given(boards(models=(2, 4), tasks=(1, 4)))
def test_intervals_are_the_ranges_and_hold_the_best_weights(board):
    model = board.models[0]
    best = wl.lp.prospect(board, model)
    assume(best.margin >= 0)
    found = wl.lp.weight_ranges(board, model)
    rows = rows_of(wl.plots.weight_ranges_marks(found, weights=best.weights), "range")
    assert [one.name for one in rows] == [one.label for one in found.ranges]
    assert [one.y for one in rows] == list(range(len(rows)))
    for one, own in zip(rows, found.ranges, strict=True):
        assert (one.low, one.high) == (own.low, own.high)
        assert (one.low_attained, one.high_attained) == tuple(map(found.attained, (own.least, own.most)))
        assert one.low <= one.weight <= one.high
        assert one.role == ("indispensable" if own.is_indispensable else "useless" if own.is_useless else "free")


def test_ranges_come_as_given_or_by_an_end_groups_last():
    found = wl.lp.weight_ranges(BOARD, "c")
    names = {
        order: [one.name for one in rows_of(wl.plots.weight_ranges_marks(found, order=order), "range")]
        for order in ("given", "low", "high")
    }
    assert names == {"given": ["x", "y", "z", "@yz"], "low": ["y", "x", "z", "@yz"], "high": ["y", "x", "z", "@yz"]}
    with pytest.raises(wl.InputError, match=r"^order must be 'given', 'low' or 'high'; got 'name'$"):
        wl.plots.weight_ranges_marks(found, order="name")


def test_a_group_carries_the_weight_of_its_tasks():
    marks = wl.plots.weight_ranges_marks(wl.lp.weight_ranges(BOARD, "a"), weights=[2, 1, 1], called="equal halves")
    assert {one.name: one.weight for one in rows_of(marks, "range")} == {
        "x": Fraction(1, 2), "y": Fraction(1, 4), "z": Fraction(1, 4), "@yz": Fraction(1, 2),
    }  # fmt: skip
    assert "Diamonds mark equal halves." in notes_of(marks)[0]
    assert "groups" in notes_of(marks)[0]


def test_nothing_is_marked_unless_asked():
    rows = rows_of(wl.plots.weight_ranges_marks(wl.lp.weight_ranges(BOARD, "a")), "range")
    assert all(pd.isna(one.weight) for one in rows)


def test_a_lead_that_is_asked_for_is_said():
    marks = wl.plots.weight_ranges_marks(wl.lp.weight_ranges(BOARD, "a", margin="1/3"))
    assert title_of(marks) == "Task weights for which a leads every rival head-to-head by 33.3% of the weight or more"


def drawable(count):
    names = [AWKWARD[0], AWKWARD[1], *(f"task {place}" for place in range(count - 2))]
    board = wl.Leaderboard({name: {"a": 1 + place % 3, "b": 2} for place, name in enumerate(names)})
    return names, wl.lp.weight_ranges(board, "a"), wl.lp.prospect(board, "a").weights


def test_it_is_drawn_whatever_the_tasks_are_called():
    pytest.importorskip("matplotlib")
    names, found, weights = drawable(4)
    assert_is_drawn(found, "weight_ranges", names=names, weights=weights)


def test_many_tasks_have_a_line_each():
    pytest.importorskip("matplotlib")
    names, found, weights = drawable(80)
    shown = texts(wl.plots.rendered(found, weights=weights))
    assert [name for name in names if name not in shown] == []
