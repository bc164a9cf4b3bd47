"""The nearest weights with a Condorcet winner: against every vertex of every model, and by their own proofs."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp.sensitivity import brute_force_stability as twin
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab.lp.sensitivity.breaking_cycles import DistanceBound, NoWinProof
from weightlab.lp.space.conditions import weights_text
from weightlab.lp.space.space import shares_of

SMALL = {"models": (2, 4), "tasks": (1, 3), "plain": True}

CYCLE = wl.Leaderboard(
    {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}},
    weights={"x": 4, "y": 3, "z": 3},
)


def random_board(models, tasks, *, seed):
    scores = np.random.default_rng(seed).random((models, tasks))
    return wl.Leaderboard(pd.DataFrame(scores, [f"m{i}" for i in range(models)], [f"t{i}" for i in range(tasks)]))


def wins(board, model, weights):
    return all(
        sum(a * b for a, b in zip(twin.row_of(board, model, rival), weights, strict=True)) > 0
        for rival in board.models
        if rival != model
    )


@settings(max_examples=30)
@given(boards(**SMALL), DICE)
def test_the_nearest_winner_is_the_best_vertex_of_any_model(board, dice):
    norm = dice.one_of(["l1", "linf"])
    some = cuts_of(dice, board.tasks, 0, 1)
    try:
        found = wl.lp.break_cycle(board, norm=norm, space=space_of(board.tasks, some))
    except wl.EmptySpaceError:
        return
    except wl.ImpossibleError:
        assert twin.nearest_winners(board, norm, inequalities_of(some)) == (None, ())
        return
    assert (found.value, found.models) == twin.nearest_winners(board, norm, inequalities_of(some))
    assert wins(board, found.model, found.strict_weights.tolist())


@settings(max_examples=25)
@given(boards(**SMALL))
def test_a_winner_of_today_needs_no_change(board):
    margins = board.margins()
    others = {model: [one for one in board.models if one != model] for model in board.models}
    winner = [model for model in board.models if all(margins.margin(model, one) > 0 for one in others[model])]
    try:
        found = wl.lp.break_cycle(board)
    except wl.ImpossibleError:
        assert not winner
        return
    assert (found.value == 0 and found.attained) == bool(winner)
    if winner:
        assert found.models == tuple(winner)
        today = weights_text(shares_of(board.weights, board.tasks), "today's")
        assert str(found) == f"{winner[0]} is the Condorcet winner today, under {today}."


def test_the_strict_weights_miss_the_least_change_by_the_slack():
    found = wl.lp.break_cycle(CYCLE)
    assert found.value == Fraction(1, 5)
    assert not found.attained
    changes = [abs(a - b) for a, b in zip(found.strict_weights, found.weights, strict=True)]
    assert sum(changes) == found.value + found.slack
    assert 0 < found.slack <= Fraction(1, 1000)


def test_most_models_are_left_out_by_a_single_duel_and_none_without_proof():
    board = random_board(30, 12, seed=4)
    found = wl.lp.break_cycle(board)
    singles = [other for other in found.others if isinstance(other, DistanceBound) and len(other.bound.mixture) == 1]
    assert len(singles) > 20
    assert len(found.others) + len(found.nearest) == 30
    for model in board.models:
        try:
            value = wl.lp.scenario(board, model, wl.lp.closest_to()).value
        except wl.ImpossibleError:
            continue
        assert value > found.value or model in found.models


def test_models_that_never_win_are_told_apart():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 0}})
    found = wl.lp.break_cycle(board)
    (blocked,) = [one for one in found.others if isinstance(one, NoWinProof)]
    assert blocked.model == "c"
    assert found.summary().loc["c", "bound"] == "never"


@pytest.mark.parametrize("space", [None, wl.lp.WeightSpace(CYCLE).at_most("x", "0.45").at_least("z", "0.1")])
def test_no_part_of_the_proof_can_be_left_out_or_moved(space):
    found = wl.lp.break_cycle(CYCLE, space=space)
    tiny = Fraction(1, 10**9)
    forged = [
        {"nearest": ()},
        {"others": found.others[1:]},
        {"others": (found.others[0], *found.others)},
        {"norm": "linf"},
        {"weights": found.weights + 0 * found.weights + tiny},
        {"nearest": (wl.lp.scenario(CYCLE, "b", wl.lp.closest_to()),)},
        {"space": wl.lp.WeightSpace(CYCLE).at_most("y", "0.45")},
    ]
    for number, other in enumerate(found.others):
        changes = [{"model": "ghost"}]
        if isinstance(other, NoWinProof):
            changes += [{"vectors": (*other.vectors, {"x": tiny})}, {"upper": other.upper - tiny}, {"blockers": {}}]
        else:
            bound, steep = other.bound, {task: 5 * one for task, one in other.bound.slope.items()}
            parts = [{"vectors": (*bound.vectors, {})}, {"slope": steep}, {"mixture": {}}]
            changes += [{"value": other.value + tiny}, *({"bound": dataclasses.replace(bound, **one)} for one in parts)]
        for change in changes:
            others = [*found.others]
            others[number] = dataclasses.replace(other, **change)
            forged.append({"others": tuple(others)})
    for change in forged:
        with pytest.raises(wl.ProofError):
            dataclasses.replace(found, **change).verify(CYCLE)


def test_the_result_travels_and_is_compared_with_the_table():
    found = wl.lp.break_cycle(CYCLE, norm="linf", space=wl.lp.WeightSpace(CYCLE).at_most("x", "0.45"))
    document = json.loads(json.dumps(found.to_dict()))
    again = result_from_dict(document)
    assert again.verify(CYCLE)
    assert str(again) == str(found)
    assert again.to_dict() == document
    other = wl.Leaderboard(CYCLE.scores)
    with pytest.raises(wl.ProofError, match="today's weight"):
        again.verify(other)
    with pytest.raises(wl.ProofError, match=r"does not prove value '.*': it is '1/5'"):
        result_from_dict({**document, "value": "1/7"})
