"""What is no objective, space, truth value, time limit or list of tasks is refused in words, by every question."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import weightlab as wl

BOARD = wl.Leaderboard(
    {"x": {"a": 2, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 2, "c": 1}},
    groups={"pair": ["x", "y"]},
)
NEAR = wl.lp.closest_to()

ABOUT_A_MODEL = {
    "scenario": partial(wl.lp.scenario, BOARD, "a", NEAR),
    "fewest tasks": partial(wl.lp.scenario, BOARD, "a", wl.lp.fewest_tasks()),
    "weight_ranges": partial(wl.lp.weight_ranges, BOARD, "a"),
    "fewest_task_sets": partial(wl.lp.fewest_task_sets, BOARD, "a"),
    "winning_region": partial(wl.lp.winning_region, BOARD, "a"),
}
ABOUT_ALL = {
    "winning_shares": partial(wl.lp.winning_shares, BOARD, samples=10),
    "rank_shares": partial(wl.lp.rank_shares, BOARD, samples=10),
    "pair_shares": partial(wl.lp.pair_shares, BOARD, [("a", "b")], samples=10),
    "duel_shares": partial(wl.lp.duel_shares, BOARD, samples=10),
}
QUESTIONS = ABOUT_A_MODEL | ABOUT_ALL


@pytest.mark.parametrize("asked", [None, 5, "closest_to", ["x"], [NEAR, None], wl.lp.closest_to, np.array([1]), b""])
def test_what_is_no_objective_is_refused(asked):
    with pytest.raises(wl.InputError, match="objective"):
        wl.lp.scenario(BOARD, "a", asked)


def test_names_of_tasks_may_come_from_any_iterable():
    named = wl.lp.scenario(BOARD, "a", wl.lp.least_weight(task for task in "xy"))
    assert named.value == wl.lp.scenario(BOARD, "a", wl.lp.least_weight(wl.group("pair"))).value


def test_objectives_may_come_from_any_iterable():
    assert (
        wl.lp.scenario(BOARD, "a", iter([NEAR, wl.lp.most_balanced()])).values
        == wl.lp.scenario(BOARD, "a", (NEAR, wl.lp.most_balanced())).values
    )


def test_an_objective_made_by_hand_is_no_other_one():
    with pytest.raises(wl.InputError, match="no objective 'most'; there are least_weight, most_weight"):
        wl.lp.Objective("most", tasks="x")
    with pytest.raises(wl.InputError, match="norm must be 'l1' or 'linf'; got 'l2'"):
        wl.lp.Objective("closest_to", norm="l2")
    for norm in (["l1"], None, 1):
        with pytest.raises(wl.InputError, match="norm must be"):
            wl.lp.closest_to(norm=norm)


@pytest.mark.parametrize("given", ["no", 1, 0, None])
def test_what_only_counts_as_true_is_no_truth_value(given):
    for ask in (
        lambda: wl.lp.fewest_tasks(strict=given),
        lambda: wl.lp.Objective("fewest_tasks", strict=given),
        lambda: wl.lp.fewest_task_sets(BOARD, "a", strict=given),
    ):
        with pytest.raises(wl.InputError, match="strict must be True or False; got"):
            ask()


def test_truth_values_of_numpy_are_truth_values():
    assert wl.lp.fewest_task_sets(BOARD, "a", strict=np.True_).verify(BOARD)
    assert wl.lp.scenario(BOARD, "a", wl.lp.fewest_tasks(strict=np.False_)).verify(BOARD)


@pytest.mark.parametrize("space", [5, "x", BOARD, [], wl.lp.WeightSpace])
@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_what_is_no_space_is_refused(ask, space):
    with pytest.raises(wl.InputError, match="space must be a WeightSpace or None; got a"):
        ask(space=space)


@pytest.mark.parametrize("limit", [-1, float("nan"), "1", True, []])
@pytest.mark.parametrize("ask", ABOUT_A_MODEL.values(), ids=ABOUT_A_MODEL)
def test_a_time_limit_is_a_number_of_seconds(ask, limit):
    with pytest.raises(wl.InputError, match="time_limit must be a number of seconds, 0 or more, or None; got"):
        ask(time_limit=limit)


@pytest.mark.parametrize("limit", [np.float32(60), np.int64(60), float("inf"), None])
@pytest.mark.parametrize("ask", ABOUT_A_MODEL.values(), ids=ABOUT_A_MODEL)
def test_time_limits_of_numpy_and_none_at_all_will_do(ask, limit):
    assert ask(time_limit=limit).verify(BOARD)


@pytest.mark.parametrize("tasks", [5, None, float("nan"), {"x": 1}])
def test_what_are_no_names_of_tasks_are_refused(tasks):
    for ask in (wl.lp.least_weight, wl.lp.most_weight):
        with pytest.raises(wl.InputError, match="task names are needed, one or a list; got"):
            wl.lp.scenario(BOARD, "a", ask(tasks))
    with pytest.raises(wl.InputError, match="task names are needed, one or a list; got"):
        wl.lp.WeightSpace(BOARD).at_most(tasks, 1)


@pytest.mark.parametrize("known", [5, BOARD, wl.lp.prospect(BOARD, "a")])
def test_known_prospects_must_be_prospects(known):
    with pytest.raises(wl.InputError, match="known= must be what `prospects` returned; got a"):
        wl.lp.winning_shares(BOARD, samples=10, known=known)


def test_a_map_needs_lists_and_mappings():
    for tasks in (5, float("nan")):
        with pytest.raises(wl.InputError, match="three tasks are needed; got"):
            wl.lp.map_of_winners(BOARD, tasks)
    for groups in (5, "x", ["x"]):
        with pytest.raises(wl.InputError, match="groups must be a mapping"):
            wl.lp.map_of_winners(BOARD, groups=groups)
    for members in (5, None):
        with pytest.raises(wl.InputError, match="task names are needed"):
            wl.lp.map_of_winners(BOARD, groups={"one": "x", "two": "y", "three": members})
