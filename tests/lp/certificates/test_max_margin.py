"""The margin: against every vertex, and what must and must not change it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.strategies import boards, frames, weights_of
from weightlab.lp import Verdict

SMALL = {"models": (2, 5), "tasks": (1, 4), "plain": True}


def margin(board, model, **options):
    """Return the exact margin of a model."""
    return wl.lp.prospect(board, model, **options).margin


def board_of(rows, *, models=None):
    """Return a leaderboard from rows of scores, models and tasks numbered."""
    frame = pd.DataFrame(rows)
    frame.index = models or [f"m{number}" for number in range(len(frame))]
    frame.columns = [f"t{number}" for number in range(frame.shape[1])]
    return wl.Leaderboard(frame)


@settings(max_examples=25)
@given(boards(tolerant=True, **SMALL))
def test_the_margin_is_the_best_vertex(board):
    for model in board.models:
        assert wl.lp.prospect(board, model).margin == brute_force.margin(board, model)


@settings(max_examples=25)
@given(boards(models=(2, 4), tasks=(1, 3), plain=True), DICE)
def test_the_margin_in_a_space_is_the_best_vertex_of_the_space(board, dice):
    some = cuts_of(dice, board.tasks, 1, 2)
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    for model in board.models:
        expected = brute_force.margin(board, model, meant)
        if expected is None:
            with pytest.raises(wl.EmptySpaceError) as caught:
                wl.lp.prospect(board, model, space=space)
            assert caught.value.proof.verify(board)
            continue
        found = wl.lp.prospect(board, model, space=space)
        assert found.margin == expected
        assert found.verify(board)


@settings(max_examples=8)
@given(board=boards(**SMALL))
def test_both_solvers_prove_the_same_margins(board):
    space = wl.lp.WeightSpace(board.tasks).near([1] * len(board.tasks), "1.9")
    space = space.at_most(board.tasks[0], "9/10" if len(board.tasks) > 1 else 1)
    with pytest.MonkeyPatch.context() as patch:
        asked = []
        for solver in ("highs", "cbc"):
            patch.setenv("WEIGHTLAB_SOLVER", solver)
            try:
                alone = [(margin(board, model), margin(board, model, space=space)) for model in board.models]
                asked.append((alone, wl.lp.prospects(board).verdicts.tolist()))
            except wl.EmptySpaceError as error:
                asked.append(error.conditions)
    assert asked[0] == asked[1]


@settings(max_examples=25)
@given(boards(**SMALL))
def test_the_margin_is_proved_by_its_own_witnesses(board):
    for model in board.models:
        found = wl.lp.prospect(board, model)
        assert found.verify(board)
        assert min(found.leads) == found.margin
        assert sum(found.weights) == sum(found.blockers) == 1
        assert found.multipliers.empty
        signs = board.signs().of(model).astype(int)
        assert max((signs.T * found.blockers.tolist()).sum(axis=1)) == found.margin


@settings(max_examples=25)
@given(boards(**SMALL), DICE)
def test_doubling_a_task_changes_nothing(board, dice):
    task, model = dice.one_of(board.tasks), dice.one_of(board.models)
    scores = board.scores.copy()
    scores["its twin"] = scores[task]
    worse = ["its twin"] if task in board.lower_is_better else []
    doubled = wl.Leaderboard(scores, lower_is_better=[*board.lower_is_better, *worse])
    assert margin(doubled, model) == margin(board, model)


@settings(max_examples=25)
@given(frames(missing=True, cells=lambda dice: dice.between(-3, 3), **SMALL), DICE)
def test_strictly_monotone_transforms_of_scores_change_nothing(frame, dice):
    model, floats = dice.one_of(list(frame.index)), frame.astype("Float64").astype(float)
    unchanged = margin(wl.Leaderboard(frame), model)
    for transformed in (floats**3, np.exp(floats), 2 * floats - 7):
        assert margin(wl.Leaderboard(transformed), model) == unchanged


@settings(max_examples=25)
@given(boards(**SMALL), DICE)
def test_a_lower_is_better_task_is_its_negative(board, dice):
    model, scores = dice.one_of(board.models), board.scores.astype(float)
    scores[list(board.lower_is_better)] *= -1
    assert margin(wl.Leaderboard(scores), model) == margin(board, model)


@settings(max_examples=25)
@given(boards(**SMALL), DICE)
def test_the_weights_of_the_board_play_no_part(board, dice):
    model, new = dice.one_of(board.models), weights_of(dice, len(board.tasks))
    weighted = wl.Leaderboard(board.scores, lower_is_better=board.lower_is_better, weights=new)
    assert margin(weighted, model) == margin(board, model)


@settings(max_examples=25)
@given(boards(**SMALL), DICE)
def test_a_model_with_an_identical_twin_is_weak_at_best_and_its_rivals_see_one(board, dice):
    model, rival, *_ = dice.shuffled(board.models)
    scores = pd.concat([board.scores, board.scores.loc[[model]].set_axis(["its twin"])])
    twins = wl.Leaderboard(scores, lower_is_better=board.lower_is_better)
    assert margin(twins, model) == min(Fraction(0), margin(board, model))
    assert margin(twins, rival) == margin(board, rival)


@settings(max_examples=25)
@given(boards(models=(3, 5), tasks=(1, 4), plain=True, missing=False), DICE)
def test_fewer_rivals_never_lower_the_margin(board, dice):
    model, gone, *_ = dice.shuffled(board.models)
    rest = board.signs().of(model).drop(index=gone)
    whole = wl.lp.prospect(board, model)
    kept = [one for one in board.models if one != gone]
    fewer = wl.lp.prospect(board.select(models=kept), model)
    assert fewer.margin >= whole.margin
    assert fewer.margin >= min(rest.to_numpy().astype(object) @ whole.weights.to_numpy())


@settings(max_examples=25)
@given(boards(**SMALL), DICE)
def test_the_order_of_models_and_tasks_plays_no_part(board, dice):
    model, rows, columns = dice.one_of(board.models), dice.shuffled(board.models), dice.shuffled(board.tasks)
    shuffled = wl.Leaderboard(board.scores.loc[rows, columns], lower_is_better=board.lower_is_better)
    found = wl.lp.prospect(board, model)
    assert margin(shuffled, model) == found.margin
    assert found.verify(shuffled)


@settings(max_examples=25)
@given(boards(**SMALL))
def test_a_margin_of_one_is_a_task_led_alone(board):
    for model in board.models:
        leads_alone = bool((board.signs().matrix(model) == 1).all(axis=0).any())
        assert (margin(board, model) == 1) == leads_alone


@settings(max_examples=25)
@given(boards(**SMALL), DICE)
def test_a_space_can_only_lower_the_margin(board, dice):
    model, space = dice.one_of(board.models), space_of(board.tasks, cuts_of(dice, board.tasks, 0, 3))
    try:
        found = margin(board, model, space=space)
    except wl.EmptySpaceError:
        return
    assert found <= margin(board, model)


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(2, 4), missing=False, plain=True, weighted=False), DICE)
def test_tasks_fixed_at_zero_are_tasks_left_out(board, dice):
    model, gone = dice.one_of(board.models), dice.shuffled(board.tasks)[: dice.between(1, len(board.tasks) - 1)]
    space = wl.lp.WeightSpace(board.tasks).fixed(gone, 0)
    rest = board.select(tasks=[task for task in board.tasks if task not in gone])
    assert margin(board, model, space=space) == margin(rest, model)


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(1, 1), plain=True))
def test_with_one_task_the_margin_is_the_worst_sign(board):
    for model in board.models:
        assert wl.lp.prospect(board, model).margin == min(board.signs().matrix(model)[:, 0])


@settings(max_examples=25)
@given(boards(models=(2, 2), tasks=(1, 4), plain=True))
def test_with_two_models_the_margin_is_the_best_sign(board):
    for model in board.models:
        found = wl.lp.prospect(board, model)
        assert found.margin == max(board.signs().matrix(model)[0])
        assert found.blockers.tolist() == [1]


@pytest.mark.parametrize("tasks", [1, 3])
def test_where_all_scores_are_equal_everybody_is_weak(tasks):
    board = board_of([[1] * tasks] * 4)
    assert {margin(board, model) for model in board.models} == {0}
    assert set(wl.lp.prospects(board).verdicts) == {Verdict.WEAK}


def test_a_rival_without_a_common_score_ties_under_all_weights():
    board = board_of([[1, None], [None, 1], [0, None]])
    found = wl.lp.prospect(board, "m0")
    assert found.margin == 0
    assert found.leads["m1"] == 0
    assert (found.dominators, found.twins) == ((), ("m1",))


def test_a_missing_score_counts_as_a_tie_wherever_it_is_missing():
    board = board_of([[3, None], [2, 9], [1, 9]])
    assert board.signs().of("m0")["t1"].tolist() == [0, 0]
    assert wl.lp.prospect(board, "m0").margin == 1
    assert wl.lp.prospect(board, "m1").margin == 0


def test_scores_within_the_tolerance_tie():
    frame = pd.DataFrame({"x": {"a": "0.8", "b": "0.7"}})
    assert wl.lp.prospect(wl.Leaderboard(frame, tolerance="0.1"), "a").margin == 0
    assert wl.lp.prospect(wl.Leaderboard(frame, tolerance="0.09"), "a").margin == 1


def test_shares_are_the_decimals_that_were_written():
    board = board_of([[1, 1, 0], [0, 0, 1]])
    space = wl.lp.WeightSpace(board.tasks).fixed("t0", 0.1).fixed("t1", 0.2)
    split = space.at_most("t2", 0.7)
    assert wl.lp.prospect(board, "m0", space=split).margin == Fraction(-4, 10)
    half = wl.lp.WeightSpace(board.tasks).fixed(["t0", "t1"], 0.5).at_least(["t0", "t2"], 0.3)
    assert wl.lp.prospect(board, "m0", space=half).verdict is Verdict.WEAK


@settings(max_examples=25)
@given(boards(models=(2, 4), tasks=(1, 3)), st.integers(0, 3))
@example(
    wl.Leaderboard({"margin": {"weights sum to 1": 1, "b": 2}, "weights sum to 1": {"weights sum to 1": 1, "b": 0}}), 0
)
def test_awkward_names_change_nothing(board, place):
    place %= len(board.models)
    plain = wl.Leaderboard(
        board.scores.set_axis([f"m{i}" for i in range(len(board.models))]).set_axis(
            [f"t{i}" for i in range(len(board.tasks))], axis=1
        ),
        lower_is_better=[f"t{board.tasks.index(task)}" for task in board.lower_is_better],
    )
    assert margin(board, board.models[place]) == margin(plain, plain.models[place])


def test_a_profile_and_signs_are_asked_like_a_leaderboard():
    profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    for source in (profile, profile.signs()):
        found = wl.lp.prospect(source, "a")
        assert found.margin == 1
        assert found.verify(source)


def test_an_unknown_model_is_named_with_the_nearest_one():
    with pytest.raises(wl.UnknownNameError, match=r"no model named 'M0'.*did you mean 'm0'"):
        wl.lp.prospect(board_of([[1], [2]]), "M0")


def test_a_space_over_other_tasks_is_refused():
    with pytest.raises(wl.InputError, match="different tasks than the table"):
        wl.lp.prospect(board_of([[1], [2]]), "m0", space=wl.lp.WeightSpace(["x"]))


def test_a_space_in_another_order_of_tasks_is_the_same_space():
    board = board_of([[1, 0, 2], [0, 3, 1], [2, 1, 0]])
    forth = wl.lp.WeightSpace(board.tasks).at_most("t0", "0.2").no_less("t1", "t2")
    back = wl.lp.WeightSpace(board.tasks[::-1]).at_most("t0", "0.2").no_less("t1", "t2")
    for model in board.models:
        assert margin(board, model, space=forth) == margin(board, model, space=back)
    assert wl.lp.prospect(board, "m0", space=back).verify(board)


def test_the_sentence_says_verdict_and_conditions():
    board = board_of([[2, 1], [1, 2], [0, 0]])
    assert (
        str(wl.lp.prospect(board, "m0"))
        == "Head-to-head, m0 can win: at its best weights it leads every rival on 100% of the weight."
    )
    space = wl.lp.WeightSpace(board.tasks).fixed("t0", "0.5")
    tie = "Head-to-head, m0 ties at best: some weights leave it undefeated, but none make it beat every rival."
    assert str(wl.lp.prospect(board, "m0", space=space)) == f"{tie} Conditions: t0 exactly 1/2."
    lost = "Head-to-head, m2 can never win: under every weighting some rival leads it on every task that has weight."
    assert str(wl.lp.prospect(board, "m2")) == lost


def test_the_summary_lists_weights_and_blockers_that_are_not_zero():
    summary = wl.lp.prospect(board_of([[2, 1], [1, 2]]), "m0").summary()
    assert summary["share"].to_dict() == {("weight", "t0"): 1.0, ("blocker", "m1"): 1.0}
