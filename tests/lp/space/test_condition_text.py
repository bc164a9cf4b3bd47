"""Conditions in words are read off their rows."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.lp.strategies import some_cuts, space_of
from weightlab.lp import WeightSpace
from weightlab.lp.space.condition_text import condition_text, conditions_sentence
from weightlab.lp.space.conditions import Condition, LinearRow, Relation

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
        (lambda space: space.no_less("a", "a"), "nothing"),
        (lambda space: space.near([1, 1, 1], "0.2"), "within 1/5 of equal weights (sum of changes)"),
        (lambda space: space.near([1, 2, 3], "0.2"), "within 1/5 of given weights (sum of changes)"),
        (lambda space: space.near([1, 2, 3], 1, norm="linf"), "within 1 of given weights (largest change)"),
        (lambda space: space.proportional(TASKS, [1, 4, 2]), "b + 1/4 a + 1/2 c in proportion"),
        (lambda space: space.proportional(["a", "b"], [1, 4, 2]), "a exactly 1/4 b"),
        (lambda space: space.proportional("a", [1, 4, 2]), "nothing"),
    ],
)
def test_each_condition_says_what_it_means(state, words):
    space = state(WeightSpace(TASKS, groups={"two": ["a", "b"]}))
    assert condition_text(space.conditions[0], space) == words
    assert conditions_sentence(space) == f" Conditions: {words}."


def test_no_condition_is_not_worth_a_word():
    assert conditions_sentence(WeightSpace(TASKS)) == ""


@settings(max_examples=60)
@given(some_cuts(TASKS, 1, 2))
def test_words_survive_a_journey_as_json(some):
    space = space_of(TASKS, some)
    assert conditions_sentence(WeightSpace.from_dict(space.to_dict())) == conditions_sentence(space)


def test_rows_that_look_like_a_distance_but_are_none_are_spelled_out():
    space = WeightSpace(TASKS).near([1, 1, 1], "0.2")
    (condition,) = space.conditions
    rows = (*condition.rows[:2], LinearRow(**{**vars(condition.rows[2]), "bound": Fraction(1)}), condition.rows[3])
    other = Condition(text=condition.text, rows=rows, auxiliaries=condition.auxiliaries)
    assert "within" not in condition_text(other, WeightSpace(TASKS))


def test_long_sums_are_cut_short():
    tasks = [f"t{number}" for number in range(20)]
    space = WeightSpace(tasks).at_most(tasks[:15], "0.5")
    assert condition_text(space.conditions[0], space).endswith("t7 + ... (15 in all) at most 1/2")


def test_variables_are_named_where_nothing_better_is_known():
    row = LinearRow(
        name="row",
        tasks={"a": Fraction(1)},
        auxiliaries={"x": Fraction(-1)},
        relation=Relation.EQUAL,
        bound=Fraction(1, 2),
    )
    condition = Condition(text="anything", rows=(row,), auxiliaries=("x",))
    assert condition_text(condition, WeightSpace(TASKS)) == "a less x exactly 1/2"


def test_the_conditions_of_a_claim_are_said_with_it():
    board = wl.Leaderboard({task: {"m": 1, "n": 0} for task in TASKS})
    space = WeightSpace(board).at_most("a", "0.5").no_less("b", "c")
    for claim in (wl.lp.prospect(board, "m", space=space), wl.lp.prospects(board, space=space)):
        assert str(claim).endswith(". Conditions: a at most 1/2; b at least c.")
