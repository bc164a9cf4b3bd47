"""Verdicts as bars: every model that can win or tie, with its share and how near it is."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

import weightlab as wl
from tests.plots.pictures import FEW, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of

BOARD = wl.Leaderboard(
    {"x": {"a": 3, "b": 2, "c": 3, "d": 0}, "y": {"a": 1, "b": 2, "c": 1, "d": 0}}, weights={"x": 3, "y": 1}
)


def marks(board, **options):
    found = wl.lp.prospects(board)
    return found, wl.plots.verdicts_marks(found, shares=wl.lp.winning_shares(board, samples=40, rng=0), **options)


@FEW
@given(boards(plain=True))
def test_every_model_that_can_win_or_tie_has_a_bar(board):
    found, made = marks(board)
    bars = rows_of(made, "bar")
    assert {one.name for one in bars} == set(found.with_verdict("strict", "weak"))
    assert [one.y for one in bars] == list(range(len(bars)))
    roles = [one.role for one in bars]
    assert roles == sorted(roles, key=["wins", "ties"].index)
    for one in bars:
        assert one.role == {"strict": "wins", "weak": "ties"}[found.verdicts[one.name]]
        assert 0 <= one.share <= 1
        assert one.role == "wins" or not one.share


def test_what_moves_is_half_of_the_sum_of_changes():
    near = {"b": wl.lp.scenario(BOARD, "b", wl.lp.closest_to())}
    _, made = marks(BOARD, nearest=near)
    moves = {one.name: one.move for one in rows_of(made, "bar")}
    assert moves["b"] == near["b"].value / 2 == Fraction(1, 4)
    labels = {one.name: one.label for one in rows_of(made, "bar")}
    assert labels["b"].endswith("; 25% of the weight to move")
    assert labels["a"] == "ties at best"
    assert notes_of(made)[0].startswith("Head-to-head, 1 model of 4 can never win.")


def test_more_models_than_are_shown_are_counted():
    _, made = marks(BOARD, most=1)
    assert len(rows_of(made, "bar")) == 1
    assert "Head-to-head, 2 more models can win or tie at best." in notes_of(made)[0]
    with pytest.raises(wl.InputError, match="most must be at least 1"):
        marks(BOARD, most=0)


def test_it_is_drawn_without_being_told_any_shares():
    pytest.importorskip("matplotlib")
    assert_is_drawn(wl.lp.prospects(BOARD), "verdicts", names=["a", "b", "ties at best"])


def test_no_model_may_be_able_to_win():
    made = wl.plots.verdicts_marks(wl.lp.prospects(wl.Leaderboard({"x": {"a": 1, "b": 1}})))
    assert [one.role for one in rows_of(made, "bar")] == ["ties", "ties"]
