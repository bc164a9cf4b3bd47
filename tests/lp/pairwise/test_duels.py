"""Who beats whom under all, some or no weights, and duels wanted at once: against every vertex and another solver."""

from __future__ import annotations

import dataclasses
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
from tests.lp.sensitivity import brute_force_stability as twin
from tests.lp.strategies import cuts_of, inequalities_of, shares_of, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab.lp import Outcome, Verdict

SMALL = {"models": (2, 4), "tasks": (1, 4), "plain": True}


def random_board(models, tasks, *, seed=0):
    scores = np.random.default_rng(seed).random((models, tasks))
    return wl.Leaderboard(pd.DataFrame(scores, [f"m{i}" for i in range(models)], [f"t{i}" for i in range(tasks)]))


def pairs_of(board):
    return [(model, rival) for model in board.models for rival in board.models if model != rival]


def lead(board, pair, weights):
    return sum(a * b for a, b in zip(twin.row_of(board, *pair), weights, strict=True))


@settings(max_examples=40)
@given(boards(**SMALL), DICE)
def test_every_margin_lies_between_those_of_the_vertices(board, dice):
    some = cuts_of(dice, board.tasks, 0, 2)
    try:
        found = wl.lp.duels(board, space=space_of(board.tasks, some))
    except wl.EmptySpaceError:
        assert not twin.brute_force.vertices(len(board.tasks), 0, inequalities_of(some))
        return
    for pair in pairs_of(board):
        least, greatest = twin.totals(twin.row_of(board, *pair), inequalities_of(some))
        assert found.margins(*pair) == (least, greatest)
        assert lead(board, pair, found.weights(*pair)) == greatest
        assert found.outcome(*pair) == Outcome.between(least, greatest)
        assert found.under_some.loc[pair] == (greatest > 0)


@settings(max_examples=25)
@given(boards(**SMALL), DICE)
def test_no_weights_lead_by_less_or_by_more(board, dice):
    found = wl.lp.duels(board)
    weights = shares_of(dice, len(board.tasks))
    for pair in pairs_of(board):
        least, greatest = found.margins(*pair)
        assert least <= lead(board, pair, weights) <= greatest


@settings(max_examples=25)
@given(boards(**SMALL))
def test_a_necessary_winner_is_never_dethroned(board):
    found = wl.lp.duels(board)
    for model in board.models:
        necessary = all(min(twin.row_of(board, model, rival)) > 0 for rival in board.models if rival != model)
        assert (model in found.necessary_winners) == necessary
    for model in found.necessary_winners:
        assert wl.lp.stability(board, rule="majority").model == model
        assert wl.lp.stability(board, rule="majority").radius() is None


def test_a_float_solver_agrees_in_a_space():
    board = random_board(7, 6)
    space = wl.lp.WeightSpace(board).at_most("t0", "0.3").near([1] * 6, "0.8").no_less("t1", "t2")
    found = wl.lp.duels(board, space=space)
    start = np.full(6, 1 / 6)
    above = np.vstack([np.hstack([np.eye(6), -np.eye(6)]), np.hstack([-np.eye(6), -np.eye(6)])])
    total = np.concatenate([np.zeros(6), np.ones(6)])
    order = np.concatenate([[0, -1, 1, 0, 0, 0], np.zeros(6)])
    first = np.concatenate([[1, 0, 0, 0, 0, 0], np.zeros(6)])
    matrix, right = np.vstack([above, total, order, first]), np.concatenate([start, -start, [0.8, 0, 0.3]])
    for pair in pairs_of(board):
        costs = np.concatenate([-np.array(twin.row_of(board, *pair), dtype=float), np.zeros(6)])
        whole = np.concatenate([np.ones(6), np.zeros(6)])[None]
        other = linprog(costs, A_ub=matrix, b_ub=right, A_eq=whole, b_eq=[1])
        assert float(found.margins(*pair)[1]) == pytest.approx(-other.fun, abs=1e-9)
    assert len(found.bounds.weights) < len(pairs_of(board))


def test_the_sentence_counts_and_the_table_names_every_pair():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1, "d": 1}, "y": {"a": 3, "b": 1, "c": 2, "d": 2}})
    found = wl.lp.duels(board)
    assert str(found) == (
        "Of 6 head-to-heads 3 have the same winner under all weights, 2 can go either way, 1 always tied. "
        "a beats every rival under all weights."
    )
    assert found.summary()["outcome"].tolist() == ["always wins"] * 3 + ["either wins"] * 2 + ["always ties"]
    assert found.necessary_winners == ("a",)
    with pytest.raises(wl.InputError, match="'a' has no head-to-head with itself"):
        found.margins("a", "a")


@pytest.mark.parametrize("space", [None, wl.lp.WeightSpace(["t0", "t1", "t2"]).at_most("t0", "0.3")])
def test_forged_bounds_are_refused(space):
    board = random_board(4, 3, seed=1)
    found = wl.lp.duels(board, space=space)
    bounds = found.bounds
    greatest = bounds.greatest.copy()
    greatest[0, 1] += Fraction(1, 10**9)
    diagonal = bounds.greatest.copy()
    diagonal[2, 2] = Fraction(1)
    forged = [{"greatest": greatest}, {"greatest": diagonal}, {"attained": bounds.attained + len(bounds.weights)}]
    forged += [{"bounded": bounds.bounded + len(bounds.vectors)}, {"weights": bounds.weights[::-1][1:]}]
    forged += [{"greatest": bounds.greatest.astype(float)}, {"vectors": (({"t0": Fraction(-1)},), *bounds.vectors[1:])}]
    forged += [{"weights": (tuple(2 * one for one in bounds.weights[0]), *bounds.weights[1:])}]
    for change in forged:
        with pytest.raises(wl.ProofError):
            dataclasses.replace(found, bounds=dataclasses.replace(bounds, **change)).verify(board)
    with pytest.raises(wl.ProofError):
        dataclasses.replace(found, signs=random_board(4, 3, seed=2).signs()).verify(board)


def test_results_travel():
    board = random_board(5, 4)
    space = wl.lp.WeightSpace(board).near([1, 1, 1, 1], "0.5").at_least(["t0", "t1"], "0.4")
    for found in (wl.lp.duels(board, space=space), wl.lp.realise(board, [("m0", "m1"), ("m1", "m2")], space=space)):
        document = json.loads(json.dumps(found.to_dict()))
        again = result_from_dict(document)
        assert again.verify(board)
        assert str(again) == str(found)
        assert again.to_dict() == document
        assert again.summary().equals(found.summary())


@settings(max_examples=40)
@given(st.data())
def test_duels_wanted_are_won_by_the_widest_vertex_or_by_none(data):
    board = data.draw(boards(**SMALL))
    wanted = data.draw(st.lists(st.sampled_from(pairs_of(board)), min_size=1, max_size=4, unique=True))
    some = cuts_of(data.draw(DICE), board.tasks, 0, 1)
    try:
        found = wl.lp.realise(board, wanted, space=space_of(board.tasks, some))
    except wl.EmptySpaceError:
        return
    rows = [twin.row_of(board, *pair) for pair in wanted]
    assert found.margin == twin.widest(rows, inequalities_of(some))
    assert min(lead(board, pair, found.weights) for pair in wanted) == found.margin
    assert found.holds == (found.verdict is Verdict.STRICT)
    most = max(
        sum(share * lead(board, pair, weights) for pair, share in zip(wanted, found.blockers, strict=True))
        for weights in twin.brute_force.vertices(len(board.tasks), 0, inequalities_of(some))
    )
    assert most == found.margin
    assert wl.lp.realise(board, [*wanted, *wanted], space=found.space).duels == found.duels


@settings(max_examples=25)
@given(boards(**SMALL))
def test_a_duel_and_its_opposite_exclude_each_other(board):
    one, other = board.models[:2]
    found = wl.lp.realise(board, [(one, other), (other, one)])
    assert found.margin <= 0
    assert not found.holds
    assert str(found).startswith("No weights make 2 head-to-heads")


@settings(max_examples=25)
@given(boards(**SMALL))
def test_beating_everybody_is_a_prospect(board):
    model = board.models[0]
    found = wl.lp.realise(board, [(model, rival) for rival in board.models[1:]])
    assert found.margin == wl.lp.prospect(board, model).margin


def test_a_lead_that_is_asked_for_is_reached_or_not():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}})
    space = wl.lp.WeightSpace(board).at_most("x", "0.6")
    assert wl.lp.realise(board, [("a", "b")], space=space, margin="0.2").holds
    short = wl.lp.realise(board, [("a", "b")], space=space, margin="0.3")
    assert not short.holds
    assert str(short) == (
        "No weights make 1 head-to-head (a over b) come out as wanted with leads of 30%: the lead in a over b is never "
        "above 20%. Conditions: x at most 3/5."
    )


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ([], "at least one duel is needed"),
        ([("a", "a")], "'a' cannot beat itself"),
        (["ab"], "expected a pair of names"),
        ("ab", "duels are pairs of names"),
        (None, "duels are pairs of names"),
        ([("a", "b", "a")], "expected a pair of names"),
        ([("a", "eve")], "no model named 'eve'"),
    ],
)
def test_what_is_no_duel_is_refused(wanted, message):
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}})
    with pytest.raises(wl.InputError, match=message):
        wl.lp.realise(board, wanted)


def test_forged_realisations_are_refused():
    board = random_board(4, 3, seed=1)
    found = wl.lp.realise(board, [("m0", "m1"), ("m1", "m2"), ("m2", "m0")])
    tiny = Fraction(1, 10**9)
    moved = found.weights.copy()
    moved.iloc[0] += tiny
    forged = [{"margin": found.margin + tiny}, {"weights": moved}, {"blockers": found.blockers[1:]}]
    forged += [{"duels": found.duels[::-1]}, {"signs": -found.signs}, {"wanted": Fraction(-1)}, {"duels": ()}]
    forged += [{"blockers": (*found.blockers[:-1], found.blockers[-1] + tiny)}]
    for change in forged:
        with pytest.raises(wl.ProofError):
            dataclasses.replace(found, **change).verify(board)
    with pytest.raises(wl.ProofError, match="does not prove"):
        result_from_dict({**found.to_dict(), "verdict": "never" if found.margin >= 0 else "strict"})
    with pytest.raises(wl.InputError, match="margin must not be negative"):
        wl.lp.realise(board, [("m0", "m1")], margin=-1)


def test_a_time_limit_says_how_many_margins_are_settled():
    board = random_board(4, 5)
    space = wl.lp.WeightSpace(board).at_most("t0", "0.3")
    with pytest.raises(wl.TimeLimitError) as caught:
        wl.lp.duels(board, space=space, time_limit=0)
    assert caught.value.known["settled"] == "0 of 12 margins"
