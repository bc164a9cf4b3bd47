"""Verdicts by rules of which each model is asked by itself: geometric means beside logarithms, and limits of time."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import weightlab as wl
from tests.strategies import boards
from weightlab._result import Proof, result_from_dict
from weightlab.lp import Verdict
from weightlab.lp.verdicts import one_by_one

BOARD = wl.Leaderboard(
    {
        "x": {"a": 4, "b": 1, "c": 2, "d": 3},
        "y": {"a": 1, "b": 4, "c": 2, "d": 0},
        "z": {"a": 3, "b": 3, "c": 3, "d": 4},
    }
)
FALSE = (wl.ProofError, wl.InputError)


def product(scores, powers):
    return math.prod(score**power for score, power in zip(scores, powers, strict=True))


def scores_of(board):
    return [[1 + int(abs(one)) for one in row] for row in board.scores.to_numpy()]


@settings(max_examples=60)
@given(boards(models=(2, 5), tasks=(1, 4), missing=False, plain=True), st.booleans())
def test_the_verdict_by_the_geometric_mean_is_that_of_logarithms_and_of_a_grid(board, zero):
    rows = scores_of(board)
    if zero:
        rows[0][0] = 0
    table = wl.Leaderboard(np.array(rows), models=board.models, tasks=board.tasks)
    found = wl.lp.prospects(table, rule="geometric_mean")
    assert found.proof is Proof.EXACT or not found.prospects
    again = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.verify(table)
    grid = [one for one in itertools.product(range(5), repeat=len(rows[0])) if sum(one) == 4]
    wins = [
        any(all(product(own, w) > product(row, w) for at, row in enumerate(rows) if at != place) for w in grid)
        for place, own in enumerate(rows)
    ]
    for place, model in enumerate(table.models):
        verdict = found.verdicts[model]
        assert verdict is Verdict.STRICT or not wins[place]
        assert (verdict is None) == (model in found.open)
        if zero:
            continue
        logs = np.log(rows)
        leads = logs[place] - np.delete(logs, place, axis=0)
        count = len(rows[0])
        best = -linprog(
            [*[0] * count, -1],
            A_ub=np.column_stack([-leads, np.ones(len(leads))]),
            b_ub=np.zeros(len(leads)),
            A_eq=[[*[1] * count, 0]],
            b_eq=[1],
            bounds=[(0, None)] * count + [(None, None)],
        ).fun
        expected = None if abs(best) < 1e-6 else Verdict.STRICT if best > 0 else Verdict.NEVER
        assert verdict is expected


def test_what_is_proved_by_the_geometric_mean_is_said():
    wins = wl.lp.prospect(BOARD, "a", rule="geometric_mean")
    assert str(wins) == "a can be the only winner by geometric mean."
    board = BOARD.select(models=["a", "b", "c"], tasks=["x", "y"])
    with pytest.raises(wl.UnprovedError, match="'c' may tie for the first place by geometric mean"):
        wl.lp.prospect(board, "c", rule="geometric_mean")
    low = wl.Leaderboard({"x": {"a": 5, "b": 1, "c": 2}, "y": {"a": 1, "b": 5, "c": 2}})
    never = wl.lp.prospect(low, "c", rule="geometric_mean")
    assert never.verdict is Verdict.NEVER
    assert str(never) == (
        "c can never win by geometric mean: the geometric mean of a (50%) and b (50%) is ahead of it on every task."
    )
    assert never.verify(low)
    assert wl.lp.prospect(low, "c", rule="mean").verdict is Verdict.NEVER
    text = str(wl.lp.prospects(BOARD, rule="geometric_mean"))
    assert text.startswith("By geometric mean, 3 of 4 models can be the only winner, ")


@pytest.mark.parametrize("model", ["a", "c"])
def test_no_share_can_be_changed(model):
    low = wl.Leaderboard({"x": {"a": 5, "b": 1, "c": 2}, "y": {"a": 1, "b": 5, "c": 2}})
    claim = wl.lp.prospect(low, model, rule="geometric_mean")
    weights, blockers = ({"y": Fraction(1)}, {}) if model == "a" else ({}, {"a": Fraction(1)})
    for change in (
        {"weights": weights, "blockers": blockers},
        {"weights": {}, "blockers": {}},
        {"weights": {"x": Fraction(2)}, "blockers": {}},
        {"weights": {}, "blockers": {model: Fraction(1)}},
        {"weights": {"q": Fraction(1)}, "blockers": {}},
        {"weights": {"x": Fraction(10**9, 10**9 + 1), "y": Fraction(1, 10**9 + 1)}, "blockers": {}},
        {"model": "b" if model == "a" else "a"},
        {"model": "q"},
    ):
        with pytest.raises(FALSE):
            dataclasses.replace(claim, **change).verify(low)
    with pytest.raises(FALSE):
        claim.verify(wl.Leaderboard(low.scores + 1))


@pytest.mark.parametrize(
    ("board", "options", "words"),
    [
        (BOARD, {"space": wl.lp.WeightSpace(BOARD).at_most("x", "0.5")}, "without conditions; omit space"),
        (wl.Leaderboard(BOARD.scores, lower_is_better="x"), {}, "lower is better on 'x'"),
        (wl.Leaderboard(BOARD.scores - 1), {}, "negative: 'd' on 'y'"),
        (BOARD.rankings(), {}, "needs scores"),
        (BOARD, {"ties": "max"}, "takes no ties"),
    ],
)
def test_what_a_geometric_mean_cannot_say_is_refused(board, options, words):
    with pytest.raises(wl.InputError, match=words):
        wl.lp.prospects(board, rule="geometric_mean", **options)
    with pytest.raises(wl.InputError):
        wl.lp.scenario(BOARD, "a", wl.lp.closest_to(), rule="geometric_mean")


@settings(max_examples=10)
@given(boards(models=(2, 4), tasks=(1, 3), plain=True), st.sampled_from(["copeland", "minimax"]))
def test_all_models_have_the_verdicts_of_each(board, rule):
    found = wl.lp.prospects(board, rule=rule)
    assert not found.open
    assert [found[model].to_dict() for model in board.models] == [
        wl.lp.prospect(board, model, rule=rule).to_dict() for model in board.models
    ]
    assert found.verify(board)


def test_what_is_not_proved_in_time_is_open(monkeypatch):
    def in_time(table, model, rule, **options):
        assert 0 < options["time_limit"] <= 60
        if model == "b":
            raise wl.TimeLimitError("too long")
        return one_by_one.prospect_by_duels(table, model, rule)

    monkeypatch.setattr(one_by_one, "prospect_by_rule", in_time)
    found = wl.lp.prospects(BOARD, rule="minimax", time_limit=60)
    assert dict(found.open) == {"b": "the time limit came first"}
    assert found.verdicts["b"] is None
    assert "1 verdict not proved: b." in str(found)
    assert found.to_frame().loc["b", "verdict"] == "open"
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(BOARD)
    with pytest.raises(wl.UnprovedError, match="'b' by minimax is open: the time limit came first"):
        found["b"]
    with pytest.raises(wl.UnknownNameError):
        found["q"]
    for change in ({"open": {}}, {"rule": "copeland"}, {"open": {"a": "why"}}, {"prospects": found.prospects[:-1]}):
        with pytest.raises(FALSE):
            dataclasses.replace(found, **change).verify(BOARD)
