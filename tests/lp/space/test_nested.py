"""Groups of groups: the shares of parts of their parents, against the definition."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE

TASKS = tuple("abcdef")
KEYS = {"at_least": lambda own, bound: own >= bound, "at_most": lambda own, bound: own <= bound}
KEYS["share"] = lambda own, bound: own == bound


def drawn(dice, tasks, depth):
    """Return parts of some tasks, each with its tasks."""
    parts, left, number = {}, list(tasks), 0
    while left and (number == 0 or dice.flag()):
        own, left = left[: (size := dice.between(1, len(left)))], left[size:]
        bounds = {key: Fraction(dice.between(0, 4), 4) for key in KEYS if dice.between(0, 2) == 0}
        inner = {"parts": drawn(dice, own, depth - 1)} if depth and dice.flag() else {"tasks": own}
        parts[f"p{number}"] = {**bounds, **inner}
        number += 1
    return parts


def members(part):
    return part["tasks"] if "tasks" in part else [task for one in part["parts"].values() for task in members(one)]


def holds(parts, weights, whole):
    """Tell whether weights have the shares that parts say, of a weight of the whole."""
    for part in parts.values():
        own = sum(weights[task] for task in members(part))
        if any(not KEYS[key](own, part[key] * whole) for key in KEYS if key in part):
            return False
        if "parts" in part and not holds(part["parts"], weights, own):
            return False
    return True


@settings(max_examples=80)
@given(DICE, st.lists(st.integers(0, 4), min_size=6, max_size=6).filter(any))
def test_the_weights_are_those_with_the_shares_of_their_parents(dice, numbers):
    parts = drawn(dice, TASKS, 2)
    weights = {task: Fraction(one, sum(numbers)) for task, one in zip(TASKS, numbers, strict=True)}
    try:
        space = wl.lp.WeightSpace(TASKS).nested(parts)
    except wl.EmptySpaceError:
        assert not holds(parts, weights, Fraction(1))
        return
    assert space.contains(weights) == holds(parts, weights, Fraction(1))
    assert wl.lp.WeightSpace.from_dict(space.to_dict()).contains(weights) == holds(parts, weights, Fraction(1))


def test_groups_of_the_table_may_be_parts():
    board = wl.Leaderboard({task: {"x": 1, "y": 2} for task in "abc"}, groups={"nli": ["a", "b"]})
    space = wl.lp.WeightSpace(board).nested({"all": {"parts": {"nli": {"tasks": wl.group("nli"), "share": "1/3"}}}})
    assert not space.contains([1, 1, 4])  # the only part of a parent that has weight is all of it
    assert space.contains([0, 0, 1])
    space = wl.lp.WeightSpace(board).nested({"nli": {"tasks": wl.group("nli"), "at_most": "1/3"}})
    assert str(space) == "weights of 3 tasks: @nli at most 1/3"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({}, "nested: parts by name are needed"),
        ({"p": {"share": 1}}, "part 'p': tasks or parts are needed"),
        ({"p": {"tasks": ["a"], "parts": {}}}, "part 'p': tasks or parts are needed"),
        ({"p": {"tasks": ["a"], "least": 1}}, "part 'p': tasks or parts are needed"),
        ({"p": {"tasks": ["a"], "share": 2}}, "part 'p': share is a share of the part that it stands in"),
        ({"p": {"tasks": ["z"]}}, "part 'p': no task named 'z'"),
        ({"p": {"parts": ["a"]}}, "part 'p': parts by name are needed"),
        ({"p": {"parts": {"q": {"share": 1}}}}, "part 'p': there is no task in it"),
        ({"p": {"parts": {"q": {"tasks": ["a"]}}}, "r": {"tasks": ["a"]}}, "task 'a' lies in two parts: 'p/q' and 'r'"),
    ],
)
def test_parts_that_are_none_are_refused(parts, words):
    with pytest.raises(wl.InputError, match=words):
        wl.lp.WeightSpace(TASKS).nested(parts)
