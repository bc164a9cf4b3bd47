"""Ranks by rule as a picture: every rank once, ties below each other, what is left out said."""

from __future__ import annotations

import pytest
from hypothesis import given

import weightlab as wl
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

RULES = ["borda", "plurality", "copeland"]


@FEW
@given(boards(missing=False))
def test_each_point_is_the_rank_of_its_model_by_its_rule(board):
    comparison = wl.rules.compare(board, RULES)
    points = rows_of(wl.plots.ranks_marks(comparison, most=None), "point")
    ranks = comparison.ranks
    assert {(one.model, one.column): one.rank for one in points} == {
        (model, rule): ranks.loc[model, rule] for model in board.models for rule in RULES
    }
    assert len(points) == len(board.models) * len(RULES)
    for one in points:
        assert one.label == str(int(one.rank))
        assert one.tied == (ranks[one.column] == one.rank).sum()


@FEW
@given(boards(missing=False))
def test_rows_of_a_column_are_in_the_order_of_its_ranks_without_a_gap(board):
    points = rows_of(wl.plots.ranks_marks(board, rules=RULES), "point")
    for rule in RULES:
        column = sorted((one for one in points if one.column == rule), key=lambda one: one.y)
        assert [one.y for one in column] == list(range(len(board.models)))
        assert [one.rank for one in column] == sorted(one.rank for one in column)


@FEW
@given(boards(missing=False))
def test_a_tie_spans_exactly_the_rows_that_share_a_rank(board):
    marks = wl.plots.ranks_marks(board, rules=RULES)
    spans = {(one.column, one.y, one.to_y) for one in rows_of(marks, "tie")}
    shared = {}
    for one in rows_of(marks, "point"):
        shared.setdefault((one.column, one.rank), []).append(one.y)
    assert spans == {(column, min(rows), max(rows)) for (column, _), rows in shared.items() if len(rows) > 1}


@FEW
@given(boards(missing=False))
def test_names_stand_where_the_lines_begin_and_end(board):
    marks = wl.plots.ranks_marks(board, rules=RULES)
    points = {(one.model, one.x): one for one in rows_of(marks, "point")}
    for one in rows_of(marks, "model"):
        assert (one.y, one.to_y) == (points[one.model, 0].y, points[one.model, len(RULES) - 1].y)
        assert one.series == points[one.model, 0].series
    series = [one.series for one in rows_of(marks, "model") if one.series >= 0]
    assert sorted(series) == list(range(min(6, len(board.models))))


def test_a_comparison_and_its_table_make_the_same_marks():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 1, "b": 4}})
    assert wl.plots.marks(board, "ranks", rules=RULES).equals(wl.plots.marks(wl.rules.compare(board, RULES)))


def test_only_some_rules_of_a_comparison_are_shown_in_the_order_asked_for():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 1, "b": 4}})
    comparison = wl.rules.compare(board, RULES)
    marks = wl.plots.ranks_marks(comparison, rules=["copeland", "borda"])
    assert [one.label for one in rows_of(marks, "column")] == ["copeland", "borda"]
    with pytest.raises(wl.UnknownNameError, match=r"no rule named 'bord'; the comparison has .*did you mean 'borda'"):
        wl.plots.ranks_marks(comparison, rules=["bord"])


def test_what_is_left_out_is_said():
    board = wl.Leaderboard({"x": {f"m{place}": place for place in range(9)}})
    marks = wl.plots.ranks_marks(board, rules=["mean", "scoring"], most=3)
    assert title_of(marks) == "Ranks by 1 rule: 3 of 9 models, those of least mean rank"
    assert [one.label for one in rows_of(marks, "model")] == ["m8", "m7", "m6"]
    assert notes_of(marks) == ["The numbers are ranks among all 9 models.", "Without an answer here: scoring."]


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({
        task: {name: (3 * place + shift) % 7 for place, name in enumerate(AWKWARD)} for shift, task in enumerate("xyz")
    })  # fmt: skip
    names = ["$x_1$", "<script>alert(1)</script>", "模型", "bell\\x07", "a_b^c", "copeland"]
    assert_is_drawn(wl.rules.compare(board, RULES), "ranks", names=names)
