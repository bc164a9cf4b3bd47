"""Scenarios: the best winning weights, against every vertex and against another solver."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.strategies import cuts_of, inequalities_of, shares, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab.lp import Verdict
from weightlab.lp.scenarios.lexicographic import SLACK

SMALL = {"models": (2, 4), "tasks": (1, 3), "plain": True}


def random_board(models, tasks, *, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 9, (models, tasks)), [f"m{i}" for i in range(models)])
    return wl.Leaderboard(frame.set_axis([f"t{i}" for i in range(tasks)], axis=1))


@st.composite
def questions(draw, board):
    """Return an objective, the linear functions whose largest it is, and 1 for least or -1 for greatest."""
    tasks = list(board.tasks)
    kind = draw(st.sampled_from(["least_weight", "most_weight", "l1", "linf", "most_balanced"]))
    if kind in {"least_weight", "most_weight"}:
        some = draw(st.lists(st.sampled_from(tasks), min_size=1, unique=True))
        row = [int(task in some) for task in tasks]
        return getattr(wl.lp, kind)(some), [(row, 0)], 1 if kind == "least_weight" else -1
    if kind == "most_balanced":
        return wl.lp.most_balanced(), [([int(t == task) for t in tasks], 0) for task in tasks], 1
    centre = draw(shares(len(tasks)))
    functions = brute_force.signs_of_changes(centre) if kind == "l1" else brute_force.single_changes(centre)
    return wl.lp.closest_to(centre, norm=kind), functions, 1


def value_at(weights, functions):
    return max(brute_force.dot(row, weights) - constant for row, constant in functions)


@settings(max_examples=30)
@given(st.data())
def test_the_optimum_is_the_best_vertex(data):
    board = data.draw(boards(**SMALL))
    objective, functions, sense = data.draw(questions(board))
    some = cuts_of(data.draw(DICE), board.tasks, 0, 1)
    lead = data.draw(st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 3)]))
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    for model in board.models:
        margin = brute_force.margin(board, model, meant)
        if margin is None:
            with pytest.raises(wl.EmptySpaceError):
                wl.lp.scenario(board, model, objective, space=space, margin=lead)
            continue
        if margin < lead:
            with pytest.raises(wl.ImpossibleError) as caught:
                wl.lp.scenario(board, model, objective, space=space, margin=lead)
            assert caught.value.proof.verify(board)
            assert caught.value.proof.margin == margin
            continue
        found = wl.lp.scenario(board, model, objective, space=space, margin=lead)
        assert found.verify(board)
        assert found.value == brute_force.least(board, model, functions, cuts=meant, lead=lead, sense=sense)
        assert value_at(found.weights, functions) == found.value
        at_best = [([sense * one for one in row], sense * (found.value + constant)) for row, constant in functions]
        best_lead = brute_force.margin(board, model, [*meant, *at_best])
        assert found.attained == (best_lead > 0)
        assert (found.verdict is Verdict.STRICT) == (min(found.leads) > 0) == found.attained
        if margin > 0:
            assert min(board.signs().of(model).to_numpy().astype(object) @ found.strict_weights.to_numpy()) > 0
            assert abs(value_at(found.strict_weights, functions) - found.value) == found.slack <= SLACK
            assert found.attained == (found.slack == 0)
        else:
            assert found.strict_weights is found.slack is None


def float_optimum(board, model, centre):
    """Return the L1 distance of the nearest weights that lose to nobody, by scipy; None when there are none."""
    signs = board.signs().matrix(model).astype(float)
    tasks = signs.shape[1]
    unit = np.eye(tasks)
    ahead = np.hstack([-signs, np.zeros((len(signs), tasks))])
    changes = np.vstack([np.hstack([unit, -unit]), np.hstack([-unit, -unit])])
    answer = linprog(
        [0] * tasks + [1] * tasks,
        A_ub=np.vstack([ahead, changes]),
        b_ub=[0] * len(signs) + [*centre, *(-centre)],
        A_eq=[[1] * tasks + [0] * tasks],
        b_eq=[1],
    )
    return answer.fun if answer.success else None


def test_larger_tables_agree_with_another_solver():
    board = random_board(40, 9, seed=4)
    centre = np.arange(1, 10) / 45
    for model in board.models[:12]:
        expected = float_optimum(board, model, centre)
        try:
            found = wl.lp.scenario(board, model, wl.lp.closest_to(range(1, 10)))
        except wl.ImpossibleError:
            assert expected is None
        else:
            assert float(found.value) == pytest.approx(expected, abs=1e-7)
            assert found.verify(board)


@settings(max_examples=20)
@given(st.data())
def test_scenarios_travel_as_json(data):
    board = data.draw(boards(**SMALL))
    objective, _, _ = data.draw(questions(board))
    for model in board.models:
        try:
            found = wl.lp.scenario(board, model, objective)
        except wl.ImpossibleError:
            continue
        document = json.loads(json.dumps(found.to_dict()))
        back = result_from_dict(document)
        assert back.verify(board)
        assert back.to_dict() == document
        assert (back.attained, back.verdict, str(back)) == (found.attained, found.verdict, str(found))


def test_weights_that_win_already_need_no_change():
    board = wl.Leaderboard({"x": {"a": 3, "b": 1}, "y": {"a": 1, "b": 2}}, weights=[2, 1])
    found = wl.lp.scenario(board, "a", wl.lp.closest_to())
    assert found.value == 0
    assert found.attained
    assert found.weights.tolist() == [Fraction(2, 3), Fraction(1, 3)]
    assert found.slack == 0


def test_an_optimum_that_only_ties_is_not_attained():
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}})
    found = wl.lp.scenario(board, "a", wl.lp.closest_to({"x": 0, "y": 1}))
    assert found.value == 1
    assert not found.attained
    assert found.verdict is Verdict.WEAK
    assert found.slack == SLACK
    assert found.strict_weights["x"] > Fraction(1, 2)


def test_weights_of_the_board_and_groups_serve_objectives():
    scores = {"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1, "b": 1}}
    board = wl.Leaderboard(scores, weights={"y": 3}, groups={"two": ["y", "z"]})
    assert wl.lp.scenario(board, "a", wl.lp.closest_to()).value == Fraction(2, 5)
    assert wl.lp.scenario(board, "a", wl.lp.most_weight(wl.group("two"))).value == 1
    assert wl.lp.scenario(board, "a", wl.lp.least_weight(wl.group("two"))).value == 0
    with pytest.raises(wl.InputError, match="needs weights= where the table is no leaderboard"):
        wl.lp.scenario(board.signs(), "a", wl.lp.closest_to())
    assert wl.lp.scenario(board.signs(), "a", wl.lp.closest_to([1, 1, 1])).value == 0


def test_among_the_nearest_weights_the_most_balanced():
    board = random_board(6, 4, seed=8)
    model = next(m for m in board.models if wl.lp.prospect(board, m).margin >= 0)
    nearest = wl.lp.scenario(board, model, wl.lp.closest_to([4, 3, 2, 1]))
    then = wl.lp.scenario(board, model, wl.lp.closest_to([1, 2, 3, 4]), space=nearest.at_optimum.space)
    change = np.abs(then.weights.to_numpy() - np.array([Fraction(n, 10) for n in (4, 3, 2, 1)]))
    assert sum(change) == nearest.value
    assert then.value == sum(np.abs(then.weights.to_numpy() - np.array([Fraction(n, 10) for n in (1, 2, 3, 4)])))
    last = wl.lp.scenario(board, model, wl.lp.most_balanced(), space=then.at_optimum.space)
    assert last.verify(board)
    assert last.value == max(last.weights)


def test_a_margin_that_loses_is_refused():
    board = random_board(3, 2, seed=1)
    with pytest.raises(wl.InputError, match=r"margin must not be negative.*got -1/10"):
        wl.lp.scenario(board, "m0", wl.lp.most_balanced(), margin=-0.1)


def test_a_margin_out_of_reach_is_impossible_with_proof():
    board = wl.Leaderboard({"x": {"a": 1, "b": 0, "c": 2}, "y": {"a": 1, "b": 2, "c": 0}})
    with pytest.raises(wl.ImpossibleError, match="a lead of 1/2 over every rival; the best possible is 0") as caught:
        wl.lp.scenario(board, "a", wl.lp.most_balanced(), margin="1/2")
    assert caught.value.proof.verify(board)


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (lambda: wl.lp.closest_to(norm="l2"), "norm must be 'l1' or 'linf'"),
        (lambda: wl.lp.least_weight([]), "least_weight needs at least one task"),
        (lambda: wl.lp.most_weight("T0"), "no task named 'T0'.*did you mean 't0'"),
        (lambda: wl.lp.closest_to({"t0": 1}), "no weight for task 't1'"),
    ],
)
def test_objectives_that_are_none_are_refused(objective, message):
    board = random_board(3, 2, seed=1)
    with pytest.raises(wl.InputError, match=message):
        wl.lp.scenario(board, "m0", objective())


def test_a_scenario_reads_like_a_sentence_and_a_table():
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}})
    found = wl.lp.scenario(board, "a", wl.lp.closest_to({"x": 0, "y": 1}))
    words = "weight to move from the weights x 0, y 1, 50%"
    assert str(found) == f"Head-to-head, a is undefeated with the least {words}."
    assert found.summary()["optimal"].tolist() == [0.5, 0.5]
    assert found.summary()["strict"].sum() == pytest.approx(1)
    space = wl.lp.WeightSpace(board).at_most("x", "0.9")
    most = wl.lp.scenario(board, "a", wl.lp.most_weight("x"), space=space, margin="0.1")
    words = (
        "Head-to-head, a wins with the greatest weight of x, 90%, leading every rival by at least 10% of the weight."
    )
    assert str(most) == f"{words} Conditions: x at most 9/10."
