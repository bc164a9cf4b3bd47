from __future__ import annotations

import weightlab as wl
from weightlab.report.sections.board import board_table

SCORES = {"x": {"a": 90, "b": 85, "c": 10}, "y": {"a": 80, "b": None, "c": None}}


def line(board):
    (facts, _) = board_table(board).blocks
    return [lines for heading, lines in facts.lines if heading == "Missing scores that can matter"]


def test_missing_scores_that_can_matter_are_counted():
    assert line(wl.Leaderboard(SCORES)) == [
        ("1 of 2 for who is first by average, if each lies between 0 and 100 (weightlab settle)",)
    ]


def test_nothing_is_said_without_gaps_or_bounds():
    assert line(wl.Leaderboard({"x": SCORES["x"]})) == []
    assert line(wl.Leaderboard(SCORES, rule="borda")) == []
    assert line(wl.Leaderboard(SCORES | {"z": {"a": 500, "b": 600, "c": None}}, rule="mean")) == []
