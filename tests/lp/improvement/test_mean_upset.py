"""The least rises by the mean: against linear programs over every set of tasks at their limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict


def a_board(dice, tasks):
    names, columns = list("abcd")[: dice.between(2, 4)], [f"t{place}" for place in range(tasks)]
    scores = {task: {name: dice.between(-6, 12) / 2 for name in names} for task in columns}
    lower = [task for task in columns if dice.between(0, 3) == 0]
    weights = {task: dice.between(0 if task != "t0" else 1, 3) for task in columns}
    return wl.Leaderboard(scores, lower_is_better=lower, higher_is_better=set(columns) - {*lower}, weights=weights)


def gains(board, model):
    signs = np.array([-1 if task in board.lower_is_better else 1 for task in board.tasks])
    table = board.scores.to_numpy() * signs
    own = table[board.models.index(model)]
    return own - np.delete(table, board.models.index(model), axis=0), table.max(axis=0) - own


def today(rows, limits, prices, weights):
    found = linprog(
        prices, A_ub=[-weights] * len(rows), b_ub=rows @ weights, bounds=list(zip(0 * limits, limits, strict=True))
    )
    return found.fun if found.status == 0 else None


def free(rows, limits, prices, most):
    """Return the least cost over all sets of tasks at their limits and one more task: a linear program each."""
    count, best = len(limits), None
    tight = [np.eye(count)[0] - most] if most < 1 else []
    for size in range(count):
        for some in combinations(range(count), size):
            base = rows + np.where(np.isin(range(count), some), limits, 0)
            spent = sum(limits[task] * prices[task] for task in some)
            for last in set(range(count)) - {*some}:
                # Weights in proportion, the last task's being 1: its rise is a variable beside them.
                columns = np.hstack([-base, -np.ones((len(base), 1))])
                bounds = [(1, 1) if task == last else (0, None) for task in range(count)] + [(0, limits[last])]
                more = [[*row, 0] for row in tight]
                right = np.zeros(len(columns) + len(more))
                found = linprog([*[0] * count, prices[last]], A_ub=[*columns, *more], b_ub=right, bounds=bounds)
                if found.status == 0 and (best is None or spent + found.fun < best):
                    best = spent + found.fun
                bounds = [(0, 1)] * count + [(0, 0)]
                total = [[1] * count + [0]]
                found = linprog([0] * count + [1], columns, right[: len(base)], total, [1], bounds=bounds)
                kept = found.status == 0 and all(np.dot(row, found.x) <= 1e-9 for row in more)
                if kept and (best is None or spent < best):
                    best = spent
    return best


@settings(max_examples=60)
@given(dice=DICE)
def test_no_cheaper_rises_are_enough(dice):
    board = a_board(dice, dice.between(1, 4))
    model = dice.one_of(board.models)
    prices = np.array([dice.between(1, 3) for _ in board.tasks])
    rows, limits = gains(board, model)
    options = {"rule": "mean", "cost": dict(zip(board.tasks, prices.tolist(), strict=True))}
    if dice.between(0, 1):
        most = dice.between(1, 6) / 2
        options["at_most"], limits = most, np.minimum(limits, most)
    space, share = None, 1.0
    if dice.between(0, 2):
        share = dice.one_of([1.0, 0.5]) if len(board.tasks) > 1 else 1.0
        space = wl.lp.WeightSpace(board).at_most("t0", str(share)) if share < 1 else "any"
    weights = np.array([float(one) for one in board.weights])
    least = today(rows, limits, prices, weights / weights.sum()) if space is None else free(rows, limits, prices, share)
    if least is None:
        with pytest.raises(wl.ImpossibleError):
            wl.lp.upset(board, model, space=space, **options)
        return
    found = wl.lp.upset(board, model, space=space, **options)
    assert float(found.cost) == pytest.approx(least, abs=1e-7)
    assert result_from_dict(found.to_dict()).verify(board)


BOARD = wl.Leaderboard({"x": {"a": 9, "b": 5, "c": 4}, "y": {"a": 8, "b": 7, "c": 9}, "z": {"a": 5, "b": 4, "c": 0}})


def test_the_answer_names_the_rule_the_rise_and_who_is_level():
    found = wl.lp.upset(BOARD, "b", rule="mean", space="any")
    said = "b is first by average under some weights, tied with a, if it can raise z from 4 to 5: 1 in total"
    assert str(found) == f"{said}, and no less is enough."
    assert found.to_frame().loc["z"].tolist() == [4, 5, 1, 1]
    assert "is first by average with equal weights as it is" in str(wl.lp.upset(BOARD, "a", rule="mean"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cost": "1/2"}, "the rises cost 1, not 1/2"),
        ({"scores": {"z": "9/2"}}, "the rises cost 1/2, not 1"),
        ({"scores": {"z": "6/1"}}, "where up to 1 is allowed"),
        ({"refused": []}, "nothing shows that rises"),
        ({"weights": {"x": "1/1"}}, "some rival is ahead"),
    ],
)
def test_forged_documents_are_refused(change, message):
    document = wl.lp.upset(BOARD, "b", rule="mean", space="any").to_dict()
    with pytest.raises(wl.ProofError, match=message):
        result_from_dict(document | change).verify()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "borda"}, "no rule named 'borda'"),
        ({"kind": "result"}, "scores rise continuously"),
        ({"step": 1}, "scores rise continuously"),
        ({"cost": -1}, "must not be negative"),
        ({"best": 3}, "already"),
    ],
)
def test_bad_input_is_refused(options, message):
    with pytest.raises(wl.InputError, match=message):
        wl.lp.upset(BOARD, "b", **{"rule": "mean", **options})


def test_missing_scores_have_no_mean():
    gaps = wl.Leaderboard({"x": {"a": 9, "b": None}, "y": {"a": 8, "b": 7}})
    with pytest.raises(wl.MissingScoresError):
        wl.lp.upset(gaps, "b", rule="mean")


def test_limits_that_leave_the_model_behind_are_proved():
    with pytest.raises(wl.ImpossibleError, match="some rival stays ahead by") as caught:
        wl.lp.upset(BOARD, "b", rule="mean", at_most=Fraction(1, 10))
    assert caught.value.proof.verify()
