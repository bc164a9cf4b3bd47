"""The condition that one model is not behind another one: by signs and by points, against the definition."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.brute_force import sign
from tests.lp import brute_force
from tests.lp.verdicts import brute_force_rules
from tests.strategies import boards

RULES = ["majority", "mean", "borda", "dowdall", "plurality", "veto"]
SMALL = {"models": (2, 4), "tasks": (1, 3), "plain": True, "missing": False}


def row_of(board, above, below, rule):
    if rule == "majority":
        return [Fraction(sign(board, above, below, task)) for task in board.tasks]
    table = brute_force_rules.points(board, rule)
    return [one - other for one, other in zip(table[above], table[below], strict=True)]


@settings(max_examples=40)
@given(boards(**SMALL), st.sampled_from(RULES), st.lists(st.integers(0, 4), min_size=3, max_size=3))
def test_just_the_weights_under_which_it_is_not_behind_are_left(board, rule, weights):
    above, below = board.models[:2]
    row = row_of(board, above, below, rule)
    try:
        space = wl.lp.WeightSpace(board).prefers(above, below, rule=rule)
    except wl.EmptySpaceError:
        assert max(row) < 0
        return
    weights = weights[: len(board.tasks)]
    if any(weights):
        assert space.contains(weights) == (brute_force.dot(row, weights) >= 0)
    for model in board.models:
        own = brute_force.rows_of(board, model)
        cut = [([-one for one in row], 0)]
        assert wl.lp.prospect(board, model, space=space).margin == brute_force.widest(own, cut)


BOARD = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 1, "c": 1}})


def test_it_is_a_condition_like_others_and_travels():
    space = wl.lp.WeightSpace(BOARD).at_most("z", "1/2").prefers("b", "a", rule="mean")
    assert str(space) == "weights of 3 tasks: z at most 1/2; y at least 2 x"
    assert str(wl.lp.WeightSpace(BOARD).prefers("b", "a", rule="majority")) == "weights of 3 tasks: y at least x"
    assert wl.lp.WeightSpace.from_dict(space.to_dict()).to_dict() == space.to_dict()
    assert wl.lp.prospects(BOARD, space=space, rule="mean").verify(BOARD)
    level = wl.Leaderboard({"x": {"a": 1, "b": 1}})
    assert wl.lp.WeightSpace(level).prefers("a", "b", rule="mean").conditions == ()


def test_what_cannot_be_asked_is_refused():
    space = wl.lp.WeightSpace(BOARD)
    with pytest.raises(wl.UnknownNameError, match="no model named 'd'"):
        space.prefers("a", "d", rule="mean")
    with pytest.raises(wl.UnknownNameError, match="no linear rule named 'copeland'"):
        space.prefers("a", "b", rule="copeland")
    with pytest.raises(wl.InputError, match="make it from the leaderboard"):
        wl.lp.WeightSpace(["x", "y"]).prefers("a", "b", rule="mean")
    ahead = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}})
    with pytest.raises(wl.EmptySpaceError):
        wl.lp.WeightSpace(ahead).prefers("b", "a", rule="borda")


def test_a_preference_is_between_two_models():
    board = wl.Leaderboard({"x": {"a": 3, "b": 1}, "y": {"a": 1, "b": 2}})
    with pytest.raises(wl.InputError, match="a preference is between two models; got 'a' twice"):
        wl.lp.WeightSpace(board).prefers("a", "a", rule="mean")
