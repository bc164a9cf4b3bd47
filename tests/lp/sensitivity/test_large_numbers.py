"""Scores of 155 digits before and behind the point: floats propose, exact arithmetic answers."""

from __future__ import annotations

from fractions import Fraction

import pytest

import weightlab as wl

SCORES = {
    "x": {"a": "1e155", "b": "-1e-155", "c": "0"},
    "y": {"a": "-1e154", "b": "3e-150", "c": "1"},
    "z": {"a": "1e-155", "b": "1e155", "c": "2"},
}


@pytest.mark.parametrize("norm", ["l1", "linf"])
@pytest.mark.parametrize(("task", "share"), [("x", "1/2"), ("x", "1e-155"), ("y", "0.5"), ("z", "1/3"), ("x", 0)])
def test_the_stability_of_a_mean_does_not_depend_on_how_large_its_scores_are(norm, task, share):
    found = []
    for factor in (1, Fraction(1, 10**155)):
        scores = {one: {name: Fraction(text) * factor for name, text in own.items()} for one, own in SCORES.items()}
        board = wl.Leaderboard(scores)
        space = wl.lp.WeightSpace(board).fixed(task, share)
        answer = wl.lp.stability(board, rule="mean", norm=norm, space=space, of="ranking")
        assert answer.verify(board)
        found.append(answer.to_dict()["reversals"]["points"])
    values = [[one and one["value"] for one in points[norm]] for points in found]
    assert values[0] == values[1]
