"""Winning weights as dumbbells: what moves, and on which tasks the model is ahead."""

from __future__ import annotations

import pytest
from hypothesis import given

import weightlab as wl
from tests.plots.pictures import FEW, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.Leaderboard(
    {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 3, "c": 2}}, weights={"x": 2}
)


@FEW
@given(boards(plain=True))
def test_the_weights_are_those_of_the_result_and_the_leads_those_of_the_table(board):
    model = board.models[0]
    found = wl.lp.prospect(board, model)
    tasks = rows_of(wl.plots.winning_weights_marks(found, weights=board.weights, most=99), "task")
    assert {one.name: one.then for one in tasks} == found.weights.to_dict()
    total = sum(board.weights)
    signs = board.signs().of(model)
    for one in tasks:
        assert one.today == board.weights[one.name] / total
        assert (one.leads, one.trails) == ((signs[one.name] > 0).sum(), (signs[one.name] < 0).sum())
    moved = [abs(one.then - one.today) for one in tasks]
    assert moved == sorted(moved, reverse=True)


def test_a_nearest_scenario_brings_todays_weights_along():
    found = wl.lp.scenario(BOARD, "c", wl.lp.closest_to())
    made = wl.plots.winning_weights_marks(found)
    today = {one.name: one.today for one in rows_of(made, "task")}
    assert today == {task: weight / 4 for task, weight in BOARD.weights.items()}
    assert title_of(made).endswith("weights under which c beats every rival head-to-head")
    shown = found.strict_weights
    assert {one.name: one.then for one in rows_of(made, "task")} == shown.to_dict()


def test_a_model_that_never_wins_is_said_to():
    behind = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}})
    made = wl.plots.winning_weights_marks(wl.lp.prospect(behind, "b"))
    assert title_of(made).endswith("the weights that serve b best, though it wins head-to-head under none")


def test_tasks_that_are_left_out_are_counted_where_they_move():
    found = wl.lp.scenario(BOARD, "c", wl.lp.closest_to())
    made = wl.plots.winning_weights_marks(found, most=1)
    assert len(rows_of(made, "task")) == 1
    assert "more task" in notes_of(made)[0]
    with pytest.raises(wl.InputError, match="most must be at least 1"):
        wl.plots.winning_weights_marks(found, most=0)
    with pytest.raises(wl.InputError, match="no task named"):
        wl.plots.winning_weights_marks(found, weights={"w": 1})


def test_it_is_drawn():
    pytest.importorskip("matplotlib")
    assert_is_drawn(wl.lp.scenario(BOARD, "c", wl.lp.closest_to()), "winning_weights", names=["x", "y", "ahead of 2"])
