"""A ranking as a picture: ranks, scores and ties of the result."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.Leaderboard(
    {"x": {"a": 9, "b": 8, "c": 1}, "y": {"a": 1, "b": 5, "c": 2}, "z": {"a": 1, "b": 5, "c": 2}},
    groups={"one": ["x"], "two": ["y", "z"]},
)


@settings(max_examples=25)
@given(boards(models=(2, 6), tasks=(1, 4)))
@pytest.mark.parametrize("rule", ["copeland", "minimax"])
def test_models_stand_as_ranked_with_their_scores(rule, board):
    found = wl.rules.rank(board, rule)
    rows = rows_of(wl.plots.ranking_marks(found), "model")
    assert [one.model for one in rows] == [model for group in found.order for model in group]
    assert [one.rank for one in rows] == [found.ranks[one.model] for one in rows]
    assert [one.score for one in rows] == [float(found.scores[one.model]) for one in rows]
    assert [one.tied for one in rows] == [len(group) for group in found.order for _ in group]
    assert {one.model for one in rows if one.role == "winner"} == set(found.winners)


def test_of_two_steps_the_last_is_drawn():
    marks = wl.plots.ranking_marks(wl.rules.two_step(BOARD, "borda"))
    assert title_of(marks) == "Ranking by Borda, of the rankings of 2 groups: 3 models"
    assert next(one.model for one in rows_of(marks, "model")) == "b"


def test_ties_are_said_and_what_is_left_out():
    board = wl.Leaderboard({"x": {"a": 1, "b": 1, "c": 0}})
    marks = wl.plots.ranking_marks(wl.rules.rank(board, "borda"), most=2)
    assert title_of(marks) == "Ranking by Borda: the first 2 of 3 models"
    assert notes_of(marks) == ["On the right: rank and score. Diamonds: who wins. Models of one rank tie."]
    with pytest.raises(wl.InputError, match=r"^most must be at least 1; got 0$"):
        wl.plots.ranking_marks(wl.rules.rank(board, "borda"), most=0)


def test_scores_beyond_every_float_are_refused():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}}, weights={"x": 10**400})
    with pytest.raises(wl.InputError, match=r"^the scores by Borda are beyond every float: they cannot be drawn$"):
        wl.plots.ranking_marks(wl.rules.rank(board, "borda"))


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({"x": {name: place // 2 for place, name in enumerate(AWKWARD)}})
    names = ["$x_1$", "<script>alert(1)</script>", "模型", "bell\\x07"]
    assert_is_drawn(wl.rules.rank(board, "borda"), "ranking", names=names)
