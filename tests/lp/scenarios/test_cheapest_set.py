"""Costs and tolerance of the smallest benchmark: against every set of tasks and models, and forged."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp.answers import read_back
from tests.lp.improvement.test_lifts import a_board
from tests.lp.scenarios import brute_force_smallest as brute
from weightlab._result import Proof
from weightlab.lp.scenarios import cheapest_set, smallest_benchmark

BOARD = wl.Leaderboard(
    {
        "x": {"a": 9, "b": 5, "c": 1, "d": 0},
        "y": {"a": 8, "b": 7, "c": 2, "d": 3},
        "z": {"a": 1, "b": 2, "c": 0, "d": 4},
    }
)
MARGIN = Fraction(1, 50)


def answer(board, **options):
    return read_back(wl.lp.smallest_benchmark, board, **options)


@pytest.mark.parametrize("how", ["free", "today", "equal"])
@pytest.mark.parametrize("rule", ["mean", "borda", "majority"])
def test_no_cheaper_set_keeps_all_but_so_many_models(rule, how):
    @settings(max_examples=20)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, models=(3, 5), gaps=False)
        count = len(board.models)
        keep = dice.one_of(["top", "order"])
        k = count if keep == "order" else dice.between(1, count)
        if brute.pairs_of(board, rule, k, MARGIN) is None:
            return
        tolerance = dice.between(0, max(min(k - 1, count - 2), 0))
        cost = {task: Fraction(dice.between(1, 9), dice.between(1, 3)) for task in board.tasks}
        named, kept = brute.named_pairs(board, rule, k, MARGIN)
        options = {"keep": keep, "k": k, "rule": rule, "weights": how, "margin": MARGIN, "halves": False}
        found = answer(board, **options, cost=cost, tolerance=tolerance)
        assert found.cost == brute.cheapest(board, how, named, kept, cost=cost, tolerance=tolerance)
        assert found.proof is Proof.EXACT
        counted = answer(board, **options, tolerance=tolerance)
        least = brute.cheapest(board, how, named, kept, cost=dict.fromkeys(board.tasks, 1), tolerance=tolerance)
        assert (None if counted.tasks is None else len(counted.tasks)) == least
        for one in (found, counted):
            assert len(one.failing) <= tolerance
            shares = one.weights.reindex(list(board.tasks)).fillna(Fraction(0)).tolist()
            left = [own for pair, own in named if not set(pair) & set(one.failing)]
            assert one.tasks is None or brute.keeps(left, shares)

    agrees()


@pytest.mark.parametrize("how", ["free", "today", "equal"])
def test_the_nearest_compromise_fails_as_few_models_as_any(how):
    @settings(max_examples=20)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, models=(4, 5), gaps=False)
        margin, k = dice.one_of([Fraction(1, 100), Fraction(1, 4)]), len(board.models)
        named, kept = brute.named_pairs(board, "mean", k, margin)
        found = answer(board, keep="order", rule="mean", weights=how, margin=margin, halves=False)
        own = brute.weights(board)
        whole = len(board.tasks) if how != "today" else sum(bool(own[task]) for task in board.tasks)
        each = dict.fromkeys(board.tasks, 1)
        if found.tasks is not None and len(found.tasks) < whole:
            assert (found.compromises, found.compromise) == ((), None)
            return
        sizes = [brute.cheapest(board, how, named, kept, cost=each, tolerance=extra) for extra in range(1, k - 1)]
        nearest = next((at for at, size in enumerate(sizes) if size is not None and size < whole), None)
        assert (found.compromise is None) == (nearest is None)
        if nearest is not None:
            assert len(found.compromise.sets[0]) == sizes[nearest]
            assert found.compromise.tolerance == len(found.compromises) == nearest + 1
            assert "The nearest compromise: " in str(found)

    agrees()


def test_what_is_kept_and_what_it_costs_is_said():
    found = answer(BOARD, keep="order", tolerance=1, cost=pd.Series({"x": 3, "y": "1/2", "z": 7}), margin="1/4")
    assert (found.tasks, found.cost) == (("x",), 3)
    assert f"3 of 4 models in order (all but {found.failing[0]})" in str(found)
    assert "and no cheaper set does, whichever 1 model may fail." in str(found)
    none = answer(BOARD, keep="top", k=3, margin="1/2")
    assert none.tasks is None
    assert "The nearest compromise: 1 of 3 tasks (x) keeps 2 of the top 3 (all but d)." in str(none)
    with pytest.raises(wl.ImpossibleError, match=r"keeps 2 of the top 3"):
        wl.lp.smallest_benchmark(BOARD, keep="top", k=3, margin="1/2")


def test_a_space_bounds_the_cheapest_set():
    space = wl.lp.WeightSpace(BOARD).at_most("x", "1/2").at_least("z", "1/10")
    found = answer(BOARD, keep="order", tolerance=1, space=space, cost={"x": 1, "y": 5, "z": 1}, margin="1/1000")
    assert set(found.tasks) >= {"z"}
    assert space.contains(found.weights.reindex(list("xyz")).fillna(0))


def test_long_scores_are_proposed_rounded_and_proved_exactly():
    rng = np.random.default_rng(0)
    scores = (rng.integers(1, 10**15, size=(6, 6))).tolist()
    board = wl.Leaderboard({f"t{task}": {f"m{row}": scores[row][task] for row in range(6)} for task in range(6)})
    named, kept = brute.named_pairs(board, "mean", 3, MARGIN)
    found = answer(board, keep="top", k=3, weights="equal", margin=MARGIN, tolerance=1, rule="mean")
    assert len(found.tasks) == brute.cheapest(
        board, "equal", named, kept, cost=dict.fromkeys(board.tasks, 1), tolerance=1
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerance": 1}, "tolerance has no meaning for keep='winner'"),
        ({"keep": "top", "k": 1, "tolerance": 1}, "tolerance is 1, but with k = 1 of 4 models at most 0 may fail"),
        ({"keep": "order", "tolerance": 3}, "tolerance is 3, but with k = 4 of 4 models at most 2 may fail"),
        ({"keep": "order", "tolerance": -1}, "tolerance must be an integer of at least 0; got -1"),
        ({"keep": "order", "tolerance": 0.5}, "tolerance must be an integer of at least 0; got 0.5"),
        ({"cost": {"x": 1, "y": 2}}, "cost has no entry for 'z'"),
        ({"cost": {"x": 1, "y": 2, "z": 1, "u": 1}}, "cost names 'u', which is not a task"),
        ({"cost": {"x": 1, "y": 0, "z": 1}}, "costs must be positive; 'y' costs 0"),
        ({"cost": {"x": 1, "y": "dear", "z": 1}}, "the cost of 'y'"),
        ({"cost": 3}, "cost must be a mapping or a Series"),
        ({"cost": {"x": 1, "y": 2, "z": 1}, "most": 2}, "one set is found; omit most"),
    ],
)
def test_bad_input_is_refused(options, message):
    with pytest.raises(wl.InputError, match=message):
        wl.lp.smallest_benchmark(BOARD, **options)


def test_a_solver_is_named_where_no_tree_is_built(monkeypatch):
    monkeypatch.setattr(cheapest_set, "branch_tree", lambda *_, **__: None)
    found = wl.lp.smallest_benchmark(BOARD, keep="order", tolerance=1)
    assert found.proof is Proof.EXACT_WITNESS
    assert f"by {found.found.solver}'s bound no smaller set does" in str(found)


@pytest.mark.parametrize("bound", [-float("inf"), float("nan"), None])
def test_a_solver_without_any_bound_says_the_least_cost_of_a_task(monkeypatch, bound):
    def late(*_, **__):
        raise wl.TimeLimitError("late", known={"bound": bound})

    monkeypatch.setattr(cheapest_set, "smallest", late)
    with pytest.raises(wl.TimeLimitError, match="they cost at least 2 of 15") as caught:
        wl.lp.smallest_benchmark(BOARD, keep="order", cost={"x": 9, "y": 4, "z": 2})
    assert caught.value.known["least"] == 2


def test_a_compromise_that_takes_too_long_is_not_said(monkeypatch):
    def late(*_, **__):
        raise wl.TimeLimitError("late")

    monkeypatch.setattr(smallest_benchmark, "cheapest_set", late)
    with pytest.raises(wl.ImpossibleError) as caught:
        wl.lp.smallest_benchmark(BOARD, keep="top", k=3, margin="1/2")
    assert caught.value.proof.compromises == ()


@pytest.mark.parametrize("how", ["free", "equal"])
def test_forged_parts_are_refused(how):
    claim = wl.lp.smallest_benchmark(
        BOARD, keep="order", weights=how, tolerance=1, cost={"x": 9, "y": 4, "z": 2}, margin="1/4"
    )
    assert claim.verify(BOARD)
    found, question = claim.found, claim.question
    for changes in (
        {"found": dataclasses.replace(found, failing=())},
        {"found": dataclasses.replace(found, failing=("a", "b"))},
        {"found": dataclasses.replace(found, cuts=())},
        {"found": dataclasses.replace(found, tree=None)},
        {"found": dataclasses.replace(found, tolerance=2)},
        {"question": dataclasses.replace(question, costs={**question.costs, claim.tasks[0]: Fraction(99)})},
        {"question": dataclasses.replace(question, costs={"x": Fraction(1)})},
        {"question": dataclasses.replace(question, tolerance=0)},
        {"question": dataclasses.replace(question, tolerance=3)},
        {"compromises": (found,)},
    ):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, **changes).verify()
