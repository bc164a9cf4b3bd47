"""Lifts where weights are free: against every set of tasks and a linear program over the space."""

from __future__ import annotations

import dataclasses
import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp.forging import some_forgeries
from tests.lp.improvement import brute_force_lifts
from tests.lp.improvement.test_lifts import a_board
from tests.lp.scenarios.brute_force_smallest import leads
from weightlab._result import result_from_dict
from weightlab.lp.certificates.max_margin import widest_margin


def a_space(dice, board):
    """Return a space of weights; sometimes without conditions."""
    space, tasks = wl.lp.WeightSpace(board.tasks), board.tasks
    kind = dice.below(6)
    if kind == 1:
        return space.at_most(tasks[0], Fraction(1, 2)) if len(tasks) > 1 else space
    if kind == 2:
        return space.near([1] * len(tasks), "0.4")
    if kind == 3:
        return space.within("0.5", [1 + place for place in range(len(tasks))])
    if kind == 4:
        return space.at_least(tasks[-1], "0.25").near([1] * len(tasks), "0.2", norm="linf")
    return space.proportional(tasks[:2], [1] * len(tasks)) if kind == 5 else space


def margin(board, rule, model, space):
    """Return the widest margin of a model on a table, weights in the space."""
    rivals = [one for one in board.models if one != model]
    rows = [[int(360 * one) for one in leads(board, rule, model, rival)] for rival in rivals]
    return widest_margin(np.array(rows), rivals, space).upper


def fewest(board, rule, space, *, level, shared):
    """Return the least number of lifts with which some weights of the space make the first model win, or None."""
    model = "m0"
    for size in range(len(board.tasks) + 1):
        for tasks in itertools.combinations(board.tasks, size):
            most = margin(brute_force_lifts.lifted(board, model, tasks, level), rule, model, space)
            if most > 0 or (shared and most == 0):
                return size
    return None


@pytest.mark.parametrize("rule", ["majority", "mean", "borda"])
def test_no_smaller_set_of_lifts_makes_a_model_win_under_some_weights(rule):
    @settings(max_examples=30)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, gaps=rule == "majority", tasks=(1, 5), models=(2, 5))
        space, shared = a_space(dice, board), dice.flag()
        level = dice.one_of([None, Fraction(1)])
        options = {"level": level or "best", "ties": "ok" if shared else "no", "space": space}
        try:
            found = wl.lp.fewest_lifts(board, "m0", rule, **options)
        except wl.ImpossibleError as error:
            found = error.proof
        again = result_from_dict(json.loads(json.dumps(found.to_dict())))
        assert again.verify(board)
        assert str(again) == str(found)
        assert found.count == fewest(board, rule, space, level=level, shared=shared)
        if found.count is not None:
            assert space.contains(found.lifts.weights)

    agrees()


BOARD = wl.Leaderboard(
    {
        "x": {"a": 1, "b": 4, "c": 3},
        "y": {"a": 1, "b": 3, "c": 4},
        "z": {"a": 2, "b": 1, "c": 4},
        "u": {"a": 1, "b": 2, "c": 2},
    },
    weights={"u": 0},
)
SPACE = wl.lp.WeightSpace(BOARD.tasks).within("1/2", [1, 1, 1, 1])


def test_todays_weights_do_not_count_where_weights_are_free():
    found = wl.lp.fewest_lifts(BOARD, "a", "majority", space=SPACE)
    assert found.count == wl.lp.fewest_lifts(BOARD.replace(weights={}), "a", "majority", space=SPACE).count
    assert " Weights are free." in str(found)
    assert found.lifts.weights.index.tolist() == list(BOARD.tasks)
    table = wl.lp.fewest_lifts(BOARD, rule="mean", space=SPACE)
    assert table.verify(BOARD)
    assert str(table["a"]) == str(wl.lp.fewest_lifts(BOARD, "a", "mean", space=SPACE))


def test_where_no_lifts_do_a_mixture_of_rivals_says_so():
    board = wl.Leaderboard({"x": {"a": 1, "b": 4}, "y": {"a": 2, "b": 3}})
    space = wl.lp.WeightSpace(board.tasks)
    with pytest.raises(wl.ImpossibleError, match=r"it does not pass b\. Weights are free\.") as caught:
        wl.lp.fewest_lifts(board, "a", "mean", space=space)
    assert caught.value.proof.verify(board)
    assert wl.lp.fewest_lifts(board, "a", "mean", space=space, ties="ok").count == 1


def test_leads_that_are_no_sums_are_refused():
    gaps = wl.Leaderboard({"x": {"a": 1, "b": 4}, "y": {"a": 2, "b": None}})
    for board, rule, missing in ((BOARD, "median", "error"), (gaps, "mean", "skip")):
        with pytest.raises(wl.InputError, match="not a sum over tasks"):
            wl.lp.fewest_lifts(board, "a", rule, missing=missing, space=wl.lp.WeightSpace(board.tasks))
    with pytest.raises(wl.EmptySpaceError):
        wl.lp.fewest_lifts(BOARD, "a", space=wl.lp.WeightSpace(BOARD.tasks).at_least("x", 1).at_least("y", 1))


@pytest.mark.parametrize("rule", ["majority", "borda"])
def test_forged_lifts_under_free_weights_are_refused(rule):
    claim = wl.lp.fewest_lifts(BOARD, "a", rule, space=SPACE)
    cut = claim.lifts.cuts[0]
    lifts = claim.lifts
    for changes in (
        {"tasks": lifts.tasks[:-1]},
        {"tasks": tuple(BOARD.tasks)},
        {"weights": lifts.weights[::-1]},
        {"weights": lifts.weights * 0},
        {"cuts": ()},
        {"cuts": (dataclasses.replace(cut, bound=cut.bound - 1), *lifts.cuts[1:])},
        {
            "cuts": (
                dataclasses.replace(cut, mixture={rival: -share for rival, share in cut.mixture.items()}),
                *lifts.cuts[1:],
            )
        },
    ):
        with pytest.raises((wl.ProofError, wl.InputError)):
            dataclasses.replace(claim, lifts=dataclasses.replace(lifts, **changes)).verify()
    with pytest.raises(wl.ProofError):
        dataclasses.replace(claim, space=None).verify()
    for document in some_forgeries(claim.to_dict(), 60):
        try:
            accepted = result_from_dict(document)
            accepted.verify(BOARD)
        except wl.WeightlabError:
            continue
        again = wl.lp.fewest_lifts(BOARD, accepted.model, rule, space=accepted.space, ties=accepted.ties)
        assert accepted.count == again.count or accepted.level is not None
