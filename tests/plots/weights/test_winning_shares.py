"""Winning shares as bars: each number is the result's own, and what is proved is told from what is estimated."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

CYCLE = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}})
SUM = wl.Leaderboard({
    "x": {"a": 5, "b": 1, "m": 3, **{f"low{k}": 0 for k in range(9)}},
    "y": {"a": 1, "b": 5, "m": 3, **{f"low{k}": 0 for k in range(9)}},
})  # fmt: skip


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(1, 3)))
def test_bars_are_the_shares_largest_first_and_nobody_last(board):
    found = wl.lp.winning_shares(board, samples=50, rng=1)
    *bars, nobody = rows_of(wl.plots.winning_shares_marks(found), "bar")
    assert [one.y for one in [*bars, nobody]] == list(range(len(bars) + 1))
    assert (nobody.name, nobody.role) == ("no winner", "none")
    assert (nobody.share, nobody.low, nobody.high) == tuple(found.no_winner)
    assert {one.name: (one.share, one.low, one.high) for one in bars} == {
        model: (row["share"], row["low"], row["high"]) for model, row in found.shares.iterrows()
    }
    assert [one.share for one in bars] == sorted((one.share for one in bars), reverse=True)


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(1, 3)))
def test_exact_is_said_of_those_that_cannot_win_and_of_no_estimate(board):
    found = wl.lp.winning_shares(board, samples=50, rng=1)
    for one in rows_of(wl.plots.winning_shares_marks(found), "bar")[:-1]:
        assert one.exact == (not found.shares.loc[one.name, "positive"] or found.proof == "exact")
        assert one.exact == one.label.startswith("exactly")
        assert one.role == ("model" if one.share else "never" if one.exact else "rare")
        assert one.label != "exactly 0%" or one.low == one.high == 0


def test_one_weighting_is_no_sample():
    space = wl.lp.WeightSpace(CYCLE.tasks).fixed("x", 1)
    marks = wl.plots.winning_shares_marks(wl.lp.winning_shares(CYCLE, space=space, rng=0))
    assert [(one.name, one.label) for one in rows_of(marks, "bar")] == [
        ("a", "exactly 100%"), ("b", "exactly 0%"), ("c", "exactly 0%"), ("no winner", "exactly 0%"),
    ]  # fmt: skip
    assert not notes_of(marks)
    assert "allowed" in title_of(marks)


def test_many_that_cannot_win_share_a_row():
    bars = rows_of(wl.plots.winning_shares_marks(wl.lp.winning_shares(SUM, samples=200, rng=0)), "bar")
    assert [(one.name, one.role) for one in bars[2:]] == [
        ("10 models that cannot win", "never"), ("no winner", "none"),
    ]  # fmt: skip
    assert bars[2].label == "each exactly 0%"


def test_what_can_win_but_never_did_is_above_zero():
    rare = wl.Leaderboard({task: {"a": 2, "b": 1} for task in "uvwxy"} | {"z": {"a": 1, "b": 2}})
    bars = rows_of(wl.plots.winning_shares_marks(wl.lp.winning_shares(rare, samples=3, rng=0)), "bar")
    assert [(one.name, one.role, one.exact) for one in bars[:2]] == [("a", "model", False), ("b", "rare", False)]
    assert bars[1].label == "above 0, at most 70.8%"


def test_the_first_ones_are_shown_and_the_others_added_up():
    found = wl.lp.winning_shares(CYCLE, samples=500, rng=0)
    bars = rows_of(wl.plots.winning_shares_marks(found, most=1), "bar")
    assert [one.role for one in bars] == ["model", "rest", "none"]
    assert sum(one.share for one in bars) == pytest.approx(1)
    assert bars[1].name == "2 models more"
    with pytest.raises(wl.InputError, match=r"^most must be at least 1; got 0$"):
        wl.plots.winning_shares_marks(found, most=0)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0%"), (1, "100%"), (0.25, "25.0%"), (0.0004, "0.04%"), (1e-7, "below 0.001%"), (0.9996, "99.96%"),
     (1 - 1e-7, "above 99.999%")],
)  # fmt: skip
def test_no_share_but_zero_is_shown_as_zero(share, text):
    from weightlab.plots.weights.winning_shares import _per_cent

    assert _per_cent(share) == text


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({
        task: {name: (3 * place + shift) % 7 for place, name in enumerate(AWKWARD)} for shift, task in enumerate("xyz")
    })  # fmt: skip
    found = wl.lp.winning_shares(board, samples=200, rng=0)
    assert_is_drawn(found, "winning_shares", names=["no winner", "exactly 0%"])
