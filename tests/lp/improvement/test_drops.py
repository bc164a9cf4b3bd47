"""Drops: the fewest tasks to leave out, against every set of tasks."""

from __future__ import annotations

import dataclasses
import itertools
import json

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.brute_force import weights
from tests.dice import DICE
from tests.lp.improvement.test_lifts import a_board
from tests.lp.scenarios.brute_force_smallest import leads, total
from weightlab._result import result_from_dict


def fewest(board, rule, model, rivals):
    """Return the size of a smallest set without which some rival is ahead; None where there is none."""
    own = [weights(board)[task] for task in board.tasks]
    tasks = range(len(own))
    for size in range(len(own) + 1):
        for gone in itertools.combinations(tasks, size):
            left = [0 if task in gone else own[task] for task in tasks]
            if any(total(leads(board, rule, model, rival), left) < 0 for rival in rivals):
                return size
    return None


def answer(board, rule, **options):
    try:
        found = wl.lp.fewest_drops(board, rule, **options)
    except wl.ImpossibleError as error:
        found = error.proof
        assert found.tasks is None
    document = json.loads(json.dumps(found.to_dict()))
    again = result_from_dict(document)
    assert again.verify(board)
    assert again.to_dict() == document
    return found


@pytest.mark.parametrize("rule", ["majority", "mean", "borda"])
def test_no_fewer_tasks_turn_the_winner_or_a_pair(rule):
    @settings(max_examples=40)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, gaps=rule == "majority", tolerances=rule == "majority")
        own = [weights(board)[task] for task in board.tasks]
        pair = ("m0", "m1") if dice.flag() else None
        named = board.models if pair is None else pair
        ahead = [
            one
            for one in (named if pair is None else pair[:1])
            if all(total(leads(board, rule, one, other), own) > 0 for other in named if other != one)
        ]
        if not ahead:
            with pytest.raises(wl.InputError, match="is ahead of the others today"):
                wl.lp.fewest_drops(board, rule, pair=pair)
            return
        rivals = [one for one in named if one != ahead[0]]
        found = answer(board, rule, pair=pair)
        assert found.count == fewest(board, rule, ahead[0], rivals)
        assert found.model == ahead[0]
        counts = {one: fewest(board, rule, ahead[0], [one]) for one in rivals}
        told = found.summary()["drops"].to_dict()
        assert told == {one: "never" if count is None else count for one, count in counts.items()}

    agrees()


def test_forged_drops_are_refused():
    board = wl.Leaderboard({"x": {"a": 2, "b": 3}, "y": {"a": 7, "b": 6}, "z": {"a": 5, "b": 4}})
    claim = wl.lp.fewest_drops(board, "mean")
    assert claim.tasks == ("y", "z")
    for changes in (
        {"tasks": ("x", "z")},
        {"tasks": ("y",)},
        {"tasks": None, "rival": None},
        {"rival": "c"},
        {"model": "b", "rivals": ("a",)},
        {"rivals": ()},
    ):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, **changes).verify()


def test_rules_whose_leads_do_not_add_up_are_refused():
    board = wl.Leaderboard({"x": {"a": 2, "b": None}, "y": {"a": 7, "b": 6}})
    with pytest.raises(wl.InputError, match="is no sum over tasks"):
        wl.lp.fewest_drops(board, "mean", missing="skip")
    with pytest.raises(wl.InputError, match="two different models"):
        wl.lp.fewest_drops(board, "majority", pair=("a", "a"))
    with pytest.raises(wl.MissingScoresError):
        wl.lp.fewest_drops(board, "mean")
    with pytest.raises(wl.UnknownNameError):
        wl.lp.fewest_drops(board, "majority", pair=("a", "zed"))
