"""Conditions in words are read off their rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import cuts_of, some_cuts, space_of
from weightlab.lp import WeightSpace

TASKS = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (lambda space: space.at_most("a", 0.3), "a at most 3/10"),
        (lambda space: space.at_least(["b", "a"], "1/3"), "@two at least 1/3"),
        (lambda space: space.fixed(["c", "a"], 1), "a + c exactly 1"),
        (lambda space: space.no_less(["a", "b"], "c"), "@two at least c"),
        (lambda space: space.no_less("c", ["a", "b"]), "c at least @two"),
        (lambda space: space.ratio("a", ["b", "c"], at_most="1/2"), "a at most 1/2 b + 1/2 c"),
        (lambda space: space.ratio("c", ["a", "b"], at_least=2), "c at least 2 @two"),
        (lambda space: space.ratio("a", "a", at_least=2), "0 less a at least 0"),
        (lambda space: space.no_less("a", "a"), "0 at least 0"),
        (lambda space: space.near([1, 1, 1], "0.2"), "within 1/5 of equal weights (sum of changes)"),
        (lambda space: space.near([1, 2, 3], "0.2"), "within 1/5 of the weights a 1, b 2, c 3 (sum of changes)"),
        (lambda space: space.near([2, 1, 1], 0), "within 0 of the weights a 2, every other task 1 (sum of changes)"),
        (lambda space: space.near([1, 2, 3], 1, norm="linf"), "within 1 of the weights a 1, b 2, c 3 (largest change)"),
        (
            lambda space: space.within("0.5", [1, 4, 2]),
            "each task between 1/2 and 3/2 times its share of the weights a 1, b 4, c 2",
        ),
        (lambda space: space.proportional(TASKS, [1, 4, 2]), "a, b, c in proportion 1 : 4 : 2"),
        (lambda space: space.proportional(["a", "b"], [1, 4, 2]), "a, b in proportion 1 : 4"),
        (lambda space: space.proportional("a", [1, 4, 2]), "a in equal proportion"),
    ],
)
def test_each_condition_says_what_it_means(state, words):
    space = state(WeightSpace(TASKS, groups={"two": ["a", "b"]}))
    assert space.conditions[0].text(space.groups) == words
    assert space.conditions_sentence == f" Conditions: {words}."


def test_no_condition_is_not_worth_a_word():
    assert WeightSpace(TASKS).conditions_sentence == ""


@settings(max_examples=60)
@given(some_cuts(TASKS, 1, 2))
def test_words_survive_a_journey_as_json(some):
    space = space_of(TASKS, some)
    assert WeightSpace.from_dict(space.to_dict()).conditions_sentence == space.conditions_sentence


def test_no_sum_is_cut_short():
    tasks = [f"t{number}" for number in range(20)]
    space = WeightSpace(tasks).at_most(tasks[:15], "0.5")
    assert space.conditions[0].text() == f"{' + '.join(tasks[:15])} at most 1/2"


NAMES = ("a", "b", "a + b", "1", "1 a", "a at most 1/2", "@g", "a less b", "every other task 1", "a, b", "b, a", "'a'")


@settings(max_examples=150)
@given(DICE)
def test_other_conditions_have_other_words_whatever_the_tasks_are_called(dice):
    tasks = dice.shuffled(list(NAMES))[:3]
    one, other = (space_of(tasks, [cut]).conditions[0] for cut in cuts_of(dice, tasks, 2, 2))
    assert one == other or one.text() != other.text()


@settings(max_examples=60)
@given(some_cuts(TASKS, 2, 4))
def test_no_two_rows_or_variables_of_a_space_have_the_same_name(some):
    space = space_of(TASKS, some)
    assert len(set(space.row_names)) == len(space.rows)
    assert len(set(space.auxiliaries)) == len(space.auxiliaries)


def test_the_conditions_of_a_claim_are_said_with_it():
    board = wl.Leaderboard({task: {"m": 1, "n": 0} for task in TASKS})
    space = WeightSpace(board).at_most("a", "0.5").no_less("b", "c")
    for claim in (wl.lp.prospect(board, "m", space=space), wl.lp.prospects(board, space=space)):
        assert str(claim).endswith(". Conditions: a at most 1/2; b at least c.")
