"""Drops: the fewest tasks, models and votes to leave out, against every set of them."""

from __future__ import annotations

import dataclasses
import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.brute_force import scores, sign, weights
from tests.dice import DICE
from tests.lp.answers import read_back
from tests.lp.improvement.brute_force_lifts import lower_median, standings
from tests.lp.improvement.test_lifts import OTHER_WAY, a_board
from weightlab.lp.improvement import drops as drop_search
from weightlab.lp.improvement.score_column import with_scores

RULES = ["majority", "mean", "median", "mean_win_rate", "borda", "plurality"]


def lead(board, rule, missing, one, other):
    """Return a number of the sign of one model's lead over another on a table; None where one has no score."""
    if rule == "majority":
        return sum(weight * sign(board, one, other, task) for task, weight in weights(board).items())
    try:
        if rule == "median":
            return lower_median(board, one) - lower_median(board, other)
        own = standings(board, rule, missing)
        return own[one] - own[other]
    except (wl.WeightlabError, ValueError, KeyError):
        return None


def without(board, drop, names):
    """Return the table without some tasks or models, and without models that have no score that counts any more."""
    tasks, models = ([one for one in own if one not in names] for own in (board.tasks, board.models))
    there = [task for task in tasks if weights(board)[task]]
    kept = [one for one in models if any(one in scores(board)[task] for task in there)]
    try:
        return board.select(models=kept, tasks=tasks)
    except wl.InputError:  # of what is left there is no table
        return None


def filled(board):
    """Return the table with missing scores as the last."""
    worst = {task: Fraction(99 if task in board.lower_is_better else -99) for task in board.tasks}
    return with_scores(board, {(model, task): worst[task] for model, task in board.missing_cells})


def fewest(board, way, drop, model, rivals):
    """Return {rival: size of a smallest set without which it is ahead, None where there is none}."""
    rule, missing = way
    names = board.tasks if drop == "tasks" else [one for one in board.models if one != model]
    sizes = dict.fromkeys(rivals)
    for size in range(len(names) + 1):
        for gone in itertools.combinations(names, size):
            left = without(board, drop, gone)
            for rival in [one for one in rivals if left is not None and {model, one} <= set(left.models)]:
                if sizes[rival] is None:
                    pair = left.select(models=[model, rival]) if rule in ("mean", "median") else left
                    found = lead(pair, rule, missing, model, rival)
                    sizes[rival] = size if found is not None and found < 0 else None
        if None not in sizes.values():
            break
    return sizes


def answer(board, rule, **options):
    return read_back(wl.lp.fewest_drops, board, rule, **options)


def ahead_of_all(board, rule, missing, named, firsts):
    """Return the first model that is ahead of all other named ones today."""
    for one in firsts:
        leads = [lead(board, rule, missing, one, other) for other in named if other != one]
        if leads and all(one is not None and one > 0 for one in leads):
            return one
    return None


def agrees_on(board, rule, missing, drop, pair):
    named = pair or board.models
    whole, way = (filled(board), "error") if missing == "last" else (board, missing)
    first = ahead_of_all(whole, rule, way, named, named[:1] if pair else named)
    if first is None:
        with pytest.raises(wl.InputError):
            wl.lp.fewest_drops(board, rule, drop=drop, pair=pair, missing=missing)
        return
    rivals = [one for one in named if one != first]
    found = answer(board, rule, drop=drop, pair=pair, missing=missing)
    counts = fewest(whole, (rule, way), drop, first, rivals)
    least = min((count for count in counts.values() if count is not None), default=None)
    assert (found.model, found.count) == (first, least)
    told = found.summary()["drops"].to_dict()
    assert told == {one: "never" if count is None else count for one, count in counts.items()}


@pytest.mark.parametrize("rule", RULES)
def test_no_fewer_tasks_turn_the_winner_or_a_pair(rule):
    @settings(max_examples=40)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, tasks=(1, 5), models=(2, 4), tolerances=rule == "majority")
        way = OTHER_WAY.get(rule, "last") if board.missing_cells else "error"
        agrees_on(board, rule, way, "tasks", ("m0", "m1") if dice.flag() else None)

    agrees()


@pytest.mark.parametrize("rule", ["borda", "mean_win_rate", "mean", "majority", "median"])
def test_no_fewer_models_turn_the_winner_or_a_pair(rule):
    @settings(max_examples=30)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, tasks=(1, 4), models=(2, 6), gaps=rule in ("borda", "majority"))
        way = "last" if board.missing_cells and rule == "borda" else "error"
        agrees_on(board, rule, way, "models", ("m0", "m1") if dice.flag() else None)

    agrees()


@settings(max_examples=40)
@given(DICE)
def test_no_fewer_votes_turn_a_pair(dice):
    wins = np.array([[0 if row == column else dice.below(6) for column in range(3)] for row in range(3)])
    votes = wl.Margins(models=("a", "b", "c"), wins=wins, ties=np.zeros_like(wins), denominator=1)
    pair = ("a", "b")
    if wins[0, 1] <= wins[1, 0]:
        with pytest.raises(wl.InputError, match=r"ahead of .* today"):
            wl.lp.fewest_drops(votes, pair=pair)
        return
    found = answer(votes, "majority", pair=pair)
    expected = next((gone for gone in range(wins[0, 1] + 1) if wins[0, 1] - gone < wins[1, 0]), None)
    assert (found.count, found.dropped) == (expected, None)
    assert expected is None or found.share * wins.sum() == expected


def test_the_winner_of_votes_falls_behind_whoever_needs_fewest():
    votes = wl.Margins(
        models=("a", "b", "c"),
        wins=np.array([[0, 7, 6], [4, 0, 9], [1, 1, 0]]),
        ties=np.array([[0, 3, 0], [3, 0, 0], [0, 0, 0]]),
        denominator=1,
    )
    found = answer(votes, "majority")
    assert str(found) == (
        "Without 4 votes against b (12.9% of all) b is ahead of a head-to-head; fewer are not enough."
    )
    assert found.summary()["drops"].to_dict() == {"b": 4, "c": 6}
    for rule, drop, message in (("mean", None, "by majority"), ("majority", "tasks", "of votes only votes can go")):
        with pytest.raises(wl.InputError, match=message):
            wl.lp.fewest_drops(votes, rule, drop=drop)
    halves = dataclasses.replace(votes, denominator=2)
    with pytest.raises(wl.InputError, match="weights of their own"):
        wl.lp.fewest_drops(halves)


BOARD = wl.Leaderboard({"x": {"a": 2, "b": 3, "c": 1}, "y": {"a": 7, "b": 6, "c": 1}, "z": {"a": 5, "b": 4, "c": 1}})


def test_forged_drops_are_refused():
    claim = wl.lp.fewest_drops(BOARD, "mean")
    assert claim.tasks == claim.dropped == ("y", "z")
    of_models = wl.lp.fewest_drops(
        wl.Leaderboard(
            {"x": {"a": 4, "c": 3, "d": 2, "b": 1}, **{task: {"b": 4, "a": 3, "c": 2, "d": 1} for task in ("y", "z")}}
        ),
        "borda",
        drop="models",
    )
    assert of_models.dropped == ("c", "d")
    for one, changes in (
        (claim, {"dropped": ("x", "z")}),
        (claim, {"dropped": ("y",)}),
        (claim, {"dropped": ("y", "y")}),
        (claim, {"dropped": None, "rival": None}),
        (claim, {"dropped": None, "votes": 2}),
        (claim, {"votes": 2}),
        (claim, {"rival": "c"}),
        (claim, {"rival": "zed"}),
        (claim, {"model": "b", "rivals": ("a",)}),
        (claim, {"rivals": ()}),
        (of_models, {"dropped": ("c",)}),
        (of_models, {"dropped": ("b",)}),
        (of_models, {"dropped": ("a", "c")}),
    ):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(one, **changes).verify()


def test_what_says_nothing_of_a_question_is_refused():
    board = wl.Leaderboard({"x": {"a": 2, "b": None, "c": 1}, "y": {"a": 7, "b": 6, "c": 2}})
    with pytest.raises(wl.InputError, match="not a sum over models"):
        wl.lp.fewest_drops(board, "mean_win_rate", missing="skip", drop="models")
    with pytest.raises(wl.InputError, match="not a sum over models"):
        wl.lp.fewest_drops(BOARD, "plurality", drop="models")
    with pytest.raises(wl.InputError, match="two different models"):
        wl.lp.fewest_drops(board, "majority", pair=("a", "a"))
    with pytest.raises(wl.InputError, match="a score table has no votes"):
        wl.lp.fewest_drops(board, "majority", drop="votes")
    with pytest.raises(wl.InputError, match="drop must be 'tasks', 'models' or 'votes'"):
        wl.lp.fewest_drops(board, "majority", drop="cells")
    with pytest.raises(wl.MissingScoresError):
        wl.lp.fewest_drops(board, "mean")
    with pytest.raises(wl.UnknownNameError):
        wl.lp.fewest_drops(board, "majority", pair=("a", "zed"))


def test_by_majority_mean_and_median_no_other_model_counts():
    for rule in ("majority", "mean", "median"):
        with pytest.raises(
            wl.ImpossibleError, match=r"(whatever models are left out|without regard to a third)"
        ) as caught:
            wl.lp.fewest_drops(BOARD, rule, drop="models")
        assert caught.value.proof.verify(BOARD)


def test_weights_that_differ_too_much_for_the_search_are_told_with_what_is_known(monkeypatch):
    monkeypatch.setattr(drop_search, "BUDGET", 5)
    rng = random.Random(1)  # noqa: S311 - a table, no secret
    tasks = [f"t{one}" for one in range(12)]
    frame = {task: {"a": rng.randint(3, 9), "b": rng.randint(0, 6)} for task in tasks}
    board = wl.Leaderboard(frame, weights={task: 100 + rng.randint(0, 50) for task in tasks})
    with pytest.raises(wl.UnprovedError, match="more were not tried") as caught:
        wl.lp.fewest_drops(board, "median", pair=("a", "b"))
    assert caught.value.known["more_than"] > 0
