"""Pictures of dispersion: bars as long as rankings are far apart, counted pair by pair."""

from __future__ import annotations

from fractions import Fraction

import pytest

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from weightlab.plots.marks import notes_of, of_kind, rows_of

BOARD = wl.Leaderboard(
    {
        "x": {"a": 4, "b": 3, "c": 2, "d": 1},
        "y": {"a": 1, "b": 3, "c": 3, "d": 2},
        "z": {"a": 4, "b": 1, "c": 2, "d": 3},
    }
)


def apart(one, other):
    """Return the Kendall distance of two maps from models to levels, higher first; a tie in one only counts a half."""
    signs = [
        [(level[m] > level[n]) - (level[m] < level[n]) for place, m in enumerate("abcd") for n in "abcd"[place + 1 :]]
        for level in (one, other)
    ]
    return sum((Fraction(abs(s - t), 2) for s, t in zip(*signs, strict=True)), Fraction(0))


def test_bars_are_the_mean_distances_counted_pair_by_pair():
    marks = wl.plots.dispersion_marks(wl.studies.dispersion(BOARD, ["mean", "borda", "plurality"], repeats=0))
    bars = {one.name: one for one in rows_of(marks, "bar")}
    tasks = [BOARD.scores[task].to_dict() for task in BOARD.tasks]
    for name in ("mean", "borda", "plurality"):
        ranks = wl.rules.rank(BOARD, name).ranks
        levels = {model: -int(ranks[model]) for model in BOARD.models}
        assert bars[name].distance == sum((apart(levels, task) for task in tasks), Fraction(0)) / 3
    # The mean over all ordered pairs of tasks, a task and itself among them.
    assert bars["two tasks"].distance == sum((apart(s, t) for s in tasks for t in tasks), Fraction(0)) / 9
    assert of_kind(marks, "least")["distance"].tolist() == [bars["two tasks"].distance / 2]
    rules = [one.distance for one in rows_of(marks, "bar") if one.role == "rule"]
    assert rules == sorted(rules)


def test_whiskers_reach_from_the_nearest_to_the_farthest_random_ranking():
    found = wl.studies.dispersion(BOARD, ["mean"], repeats=7, rng=1)
    marks = wl.plots.dispersion_marks(found)
    (bar,) = (one for one in rows_of(marks, "bar") if one.role == "random")
    assert (bar.low, bar.high) == (min(found.random), max(found.random))
    assert bar.low <= bar.distance <= bar.high
    assert notes_of(marks)[-1] == "Whiskers: from the nearest to the farthest of 7 random rankings."


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({"x": {name: place for place, name in enumerate(AWKWARD)}, "y": dict.fromkeys(AWKWARD, 1)})
    assert_is_drawn(wl.studies.dispersion(board, ["mean"], rng=0), "dispersion", names=["two tasks", "random rankings"])


def test_tables_without_an_order_are_drawn_too():
    pytest.importorskip("matplotlib")
    tied = wl.Leaderboard({name: {"a": 1, "b": 1} for name in "xy"})
    assert wl.plots.draw(wl.studies.dispersion(tied, ["mean"], repeats=0)).get_xlim() == (0, 1)
