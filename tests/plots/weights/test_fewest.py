"""How few do, as bars: one for each model, rival or number of tasks, fewest first."""

from __future__ import annotations

import pytest

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.Leaderboard(
    {
        "clean": {"ada": 95, "bo": 93, "cy": 90, "dee": 89},
        "noisy": {"ada": 70, "bo": 78, "cy": 75, "dee": 71},
        "names": {"ada": 58, "bo": 61, "cy": 55, "dee": 54},
    }
)


def bars(found, **options):
    return [(one.name, one.value, one.label) for one in rows_of(wl.plots.fewest_marks(found, **options), "bar")]


def test_each_model_has_a_bar_as_long_as_its_lifts():
    found = wl.lp.fewest_lifts(BOARD, rule="median")
    assert bars(found) == [("bo", 0, "wins"), ("ada", 0, "never"), ("cy", 0, "never"), ("dee", 0, "never")]
    counts = wl.lp.fewest_lifts(BOARD, rule="mean").counts
    told = bars(wl.lp.fewest_lifts(BOARD, rule="mean"))
    assert {name: value for name, value, _ in told} == counts.to_dict()
    assert [value for _, value, _ in told] == sorted(counts)


def test_each_rival_has_a_bar_as_long_as_its_drops():
    found = wl.lp.fewest_drops(BOARD, "mean")
    drops = found.summary()["drops"]
    assert {name: label for name, _, label in bars(found)} == {name: str(count) for name, count in drops.items()}
    assert title_of(wl.plots.fewest_marks(found)) == "Tasks to leave out before bo is behind"


def test_each_number_of_tasks_has_a_bar_as_long_as_what_it_keeps():
    found = wl.lp.smallest_benchmark(BOARD, keep="order", weights="equal", margin="1/100")
    made = {int(name.split()[0]): value for name, value, _ in bars(found)}
    assert made == found.curve.to_dict()
    assert list(made) == sorted(made)


def test_more_bars_than_are_shown_are_counted():
    found = wl.lp.fewest_lifts(BOARD, rule="mean")
    assert len(bars(found, most=1)) == 1
    assert notes_of(wl.plots.fewest_marks(found, most=1)) == ["3 more bars not shown."]
    with pytest.raises(wl.InputError, match="most must be at least 1"):
        wl.plots.fewest_marks(found, most=0)


def test_it_is_drawn_whatever_the_names():
    pytest.importorskip("matplotlib")
    scores = {f"t{one}": {name: (place * 7 + one) % 5 for place, name in enumerate(AWKWARD)} for one in range(3)}
    assert_is_drawn(wl.lp.fewest_lifts(wl.Leaderboard(scores), rule="mean", ties="ok"), "fewest")
    assert_is_drawn(wl.lp.fewest_drops(BOARD, "mean"), "fewest", names=["ada", "cy"])
    assert_is_drawn(wl.lp.smallest_benchmark(BOARD, weights="today"), "fewest", names=["1 task"])
