"""The margin: against every vertex, and what must and must not change it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.lp import brute_force
from tests.lp.strategies import cuts, inequalities_of, space_of
from tests.strategies import boards, frames
from weightlab.lp import Verdict

SMALL = {"models": (2, 5), "tasks": (1, 4), "plain": True}


def margins(board, **options):
    """Return {model: exact margin}."""
    return {model: wl.lp.prospect(board, model, **options).margin for model in board.models}


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
@given(st.data())
def test_the_margin_in_a_space_is_the_best_vertex_of_the_space(data):
    board = data.draw(boards(models=(2, 4), tasks=(1, 3), plain=True))
    some = data.draw(st.lists(cuts(list(board.tasks)), min_size=1, max_size=2))
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
    space = wl.lp.WeightSpace(board.tasks).at_most(board.tasks[0], "9/10").near([1] * len(board.tasks), "1.9")
    with pytest.MonkeyPatch.context() as patch:
        asked = []
        for solver in ("highs", "cbc"):
            patch.setenv("WEIGHTLAB_SOLVER", solver)
            try:
                asked.append((margins(board), margins(board, space=space), wl.lp.prospects(board).verdicts.tolist()))
            except wl.EmptySpaceError as error:
                asked.append(error.conditions)
    assert asked[0] == asked[1]


@settings(max_examples=25)
@given(boards(**SMALL))
def test_the_margin_is_proved_by_its_own_witnesses(board):
    for model in board.models:
        found = wl.lp.prospect(board, model)
        assert found.verify(board)
        assert min(found.duels) == found.margin
        assert sum(found.weights) == sum(found.blockers) == 1
        assert found.multipliers.empty
        signs = board.signs().of(model).astype(int)
        assert max((signs.T * found.blockers.tolist()).sum(axis=1)) == found.margin


@settings(max_examples=25)
@given(boards(**SMALL), st.data())
def test_doubling_a_task_changes_nothing(board, data):
    task = data.draw(st.sampled_from(board.tasks))
    scores = board.scores.copy()
    scores["its twin"] = scores[task]
    worse = ["its twin"] if task in board.lower_is_better else []
    doubled = wl.Leaderboard(scores, lower_is_better=[*board.lower_is_better, *worse])
    assert margins(doubled) == margins(board)


@settings(max_examples=25)
@given(frames(missing=True, cells=st.integers(-3, 3), **SMALL))
def test_strictly_monotone_transforms_of_scores_change_nothing(frame):
    floats = frame.astype("Float64").astype(float)
    for transformed in (floats**3, np.exp(floats), 2 * floats - 7):
        assert margins(wl.Leaderboard(transformed)) == margins(wl.Leaderboard(frame))


@settings(max_examples=25)
@given(boards(**SMALL))
def test_a_lower_is_better_task_is_its_negative(board):
    scores = board.scores.astype(float)
    scores[list(board.lower_is_better)] *= -1
    assert margins(wl.Leaderboard(scores)) == margins(
        wl.Leaderboard(board.scores, lower_is_better=board.lower_is_better)
    )


@settings(max_examples=25)
@given(boards(**SMALL), st.data())
def test_the_weights_of_the_board_play_no_part(board, data):
    new = data.draw(st.lists(st.integers(0, 5), min_size=len(board.tasks), max_size=len(board.tasks)).filter(any))
    weighted = wl.Leaderboard(board.scores, lower_is_better=board.lower_is_better, weights=new)
    assert margins(weighted) == margins(board)


@settings(max_examples=25)
@given(boards(**SMALL), st.data())
def test_a_model_with_an_identical_twin_is_weak_at_best_and_its_rivals_see_one(board, data):
    model = data.draw(st.sampled_from(board.models))
    scores = pd.concat([board.scores, board.scores.loc[[model]].set_axis(["its twin"])])
    twins = wl.Leaderboard(scores, lower_is_better=board.lower_is_better)
    assert wl.lp.prospect(twins, model).margin == min(Fraction(0), wl.lp.prospect(board, model).margin)
    for rival in board.models:
        if rival != model:
            assert wl.lp.prospect(twins, rival).margin == wl.lp.prospect(board, rival).margin


@settings(max_examples=25)
@given(boards(models=(3, 5), tasks=(1, 4), plain=True, missing=False), st.data())
def test_fewer_rivals_never_lower_the_margin(board, data):
    model, gone = data.draw(st.lists(st.sampled_from(board.models), min_size=2, max_size=2, unique=True))
    rest = board.signs().of(model).drop(index=gone)
    weights = wl.lp.prospect(board, model).weights
    kept = [one for one in board.models if one != gone]
    fewer = wl.lp.prospect(board.select(models=kept), model)
    assert fewer.margin >= wl.lp.prospect(board, model).margin
    assert fewer.margin >= min(rest.to_numpy().astype(object) @ weights.to_numpy())


@settings(max_examples=25)
@given(boards(**SMALL), st.data())
def test_the_order_of_models_and_tasks_plays_no_part(board, data):
    rows, columns = data.draw(st.permutations(board.models)), data.draw(st.permutations(board.tasks))
    shuffled = wl.Leaderboard(board.scores.loc[rows, columns], lower_is_better=board.lower_is_better)
    assert margins(shuffled) == margins(board)
    model = board.models[0]
    assert wl.lp.prospect(board, model).verify(shuffled)


@settings(max_examples=25)
@given(boards(**SMALL))
def test_a_margin_of_one_is_a_task_led_alone(board):
    for model, margin in margins(board).items():
        leads_alone = bool((board.signs().of(model) == 1).all(axis=0).any())
        assert (margin == 1) == leads_alone


@settings(max_examples=25)
@given(st.data())
def test_a_space_can_only_lower_the_margin(data):
    board = data.draw(boards(**SMALL))
    space = space_of(board.tasks, data.draw(st.lists(cuts(list(board.tasks)), max_size=3)))
    for model, margin in margins(board).items():
        try:
            found = wl.lp.prospect(board, model, space=space)
        except wl.EmptySpaceError:
            return
        assert found.margin <= margin


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(2, 4), missing=False, plain=True, weighted=False), st.data())
def test_tasks_fixed_at_zero_are_tasks_left_out(board, data):
    some = st.lists(st.sampled_from(board.tasks), min_size=1, max_size=len(board.tasks) - 1, unique=True)
    kept = data.draw(some)
    space = wl.lp.WeightSpace(board.tasks).fixed([task for task in board.tasks if task not in kept], 0)
    assert margins(board, space=space) == margins(board.select(tasks=[t for t in board.tasks if t in kept]))


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
    assert set(margins(board).values()) == {0}
    assert set(wl.lp.prospects(board).verdicts) == {Verdict.WEAK}


def test_a_rival_without_a_common_score_ties_under_all_weights():
    board = board_of([[1, None], [None, 1], [0, None]])
    found = wl.lp.prospect(board, "m0")
    assert found.margin == 0
    assert found.duels["m1"] == 0
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
@given(boards(models=(2, 4), tasks=(1, 3)))
@example(
    wl.Leaderboard({"margin": {"weights sum to 1": 1, "b": 2}, "weights sum to 1": {"weights sum to 1": 1, "b": 0}})
)
def test_awkward_names_change_nothing(board):
    plain = wl.Leaderboard(
        board.scores.set_axis([f"m{i}" for i in range(len(board.models))]).set_axis(
            [f"t{i}" for i in range(len(board.tasks))], axis=1
        ),
        lower_is_better=[f"t{board.tasks.index(task)}" for task in board.lower_is_better],
    )
    assert list(margins(board).values()) == list(margins(plain).values())


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
    with pytest.raises(wl.InputError, match="other tasks than the table"):
        wl.lp.prospect(board_of([[1], [2]]), "m0", space=wl.lp.WeightSpace(["x"]))


def test_a_space_in_another_order_of_tasks_is_the_same_space():
    board = board_of([[1, 0, 2], [0, 3, 1], [2, 1, 0]])
    forth = wl.lp.WeightSpace(board.tasks).at_most("t0", "0.2").no_less("t1", "t2")
    back = wl.lp.WeightSpace(board.tasks[::-1]).at_most("t0", "0.2").no_less("t1", "t2")
    assert margins(board, space=forth) == margins(board, space=back)
    assert wl.lp.prospect(board, "m0", space=back).verify(board)


def test_the_sentence_says_verdict_and_conditions():
    board = board_of([[2, 1], [1, 2], [0, 0]])
    assert str(wl.lp.prospect(board, "m0")) == "m0 can beat every rival: its best possible smallest lead is 1."
    space = wl.lp.WeightSpace(board.tasks).fixed("t0", "0.5")
    tie = "m0 can tie every rival but never beat them all: its best possible smallest lead is exactly 0."
    assert str(wl.lp.prospect(board, "m0", space=space)) == f"{tie} Conditions: t0 exactly 1/2."
    lost = "m2 can never win: under all weights some rival leads it by 1 or more."
    assert str(wl.lp.prospect(board, "m2")) == lost


def test_the_summary_lists_weights_and_blockers_that_are_not_zero():
    summary = wl.lp.prospect(board_of([[2, 1], [1, 2]]), "m0").summary()
    assert summary["share"].to_dict() == {("weight", "t0"): 1.0, ("blocker", "m1"): 1.0}
