"""Weight spaces: what each condition means, checked on single weightings."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.lp.strategies import meets, shares, some_cuts, space_of
from weightlab.exceptions import InputError

TASKS = ["a", "b", "c"]


@settings(max_examples=300)
@given(some_cuts(TASKS, 1, 3), shares(3))
def test_conditions_hold_exactly_where_they_say(some, weights):
    assert space_of(TASKS, some).contains(weights) == meets(some, weights)


@settings(max_examples=100)
@given(some_cuts(TASKS, 1, 3), shares(3))
def test_a_space_read_back_from_json_is_the_same(some, weights):
    space = space_of(TASKS, some)
    back = wl.lp.WeightSpace.from_dict(space.to_dict())
    assert back.to_dict() == space.to_dict()
    assert back.contains(weights) == space.contains(weights)


@given(shares(3), shares(3))
def test_distances_are_sums_and_largest_of_changes(centre, weights):
    changes = [abs(here - there) for here, there in zip(centre, weights, strict=True)]
    for norm, distance in (("l1", sum(changes)), ("linf", max(changes))):
        near = wl.lp.WeightSpace(TASKS).near(centre, distance, norm=norm)
        assert near.contains(weights)
        closer = distance - Fraction(1, 10**9)
        if closer < 0:
            with pytest.raises(wl.EmptySpaceError, match="no weights satisfy"):
                wl.lp.WeightSpace(TASKS).near(centre, closer, norm=norm)
        else:
            assert not wl.lp.WeightSpace(TASKS).near(centre, closer, norm=norm).contains(weights)


@given(shares(3), shares(3), st.fractions(0, 1, max_denominator=6))
def test_within_a_part_is_as_far_up_and_down_from_each_share(centre, weights, part):
    space = wl.lp.WeightSpace(TASKS).within(part, centre)
    assert space.contains(centre)
    moved = [abs(here - there) <= part * there for here, there in zip(weights, centre, strict=True)]
    assert space.contains(weights) == all(moved)


def test_within_a_part_is_of_todays_weights_and_leaves_those_of_0_there():
    board = wl.Leaderboard({task: {"m": 1, "n": 2} for task in TASKS}, weights=[3, 1, 0])
    space = wl.lp.WeightSpace(board).within("0.5")
    assert (
        str(space) == "weights of 3 tasks: each task between 1/2 and 3/2 times its share of the weights a 3, b 1, c 0"
    )
    bounds = [(row.relation.value, row.bound) for row in space.rows]
    assert bounds == [
        *(("<=", Fraction(9, 8)), (">=", Fraction(3, 8)), ("<=", Fraction(3, 8)), (">=", Fraction(1, 8))),
        *(("<=", 0), (">=", 0)),
    ]


@pytest.mark.parametrize("part", ["-0.1", "1.1", 50])
def test_weights_move_by_a_part_of_themselves(part):
    with pytest.raises(InputError, match="weights move by a part of themselves, from 0 to 1; got"):
        wl.lp.WeightSpace(TASKS).within(part, [1, 1, 1])


@given(shares(3), st.integers(1, 100))
def test_weights_are_scaled_before_they_are_compared(weights, factor):
    space = wl.lp.WeightSpace(TASKS).near(weights, 0).proportional(TASKS, [one * factor for one in weights])
    assert space.contains([one * factor for one in weights])


def test_bounds_are_the_decimals_that_were_written():
    space = wl.lp.WeightSpace(TASKS).at_most(["a", "b"], 0.3)
    assert space.contains({"a": 0.1, "b": 0.2, "c": 0.7})
    assert not space.contains({"a": "0.1", "b": "0.2000000000000000000001", "c": "0.7"})
    assert [row.bound for row in space.rows] == [Fraction(3, 10)]


def test_groups_stand_for_the_sum_of_their_tasks():
    board = wl.Leaderboard({task: {"m": 1, "n": 2} for task in TASKS}, groups={"two": ["a", "b"], "a": ["b", "c"]})
    space = wl.lp.WeightSpace(board).at_most(wl.group("two"), "1/2").at_least([wl.group("a"), "c"], "2/3")
    assert str(space) == "weights of 3 tasks: @two at most 1/2; @a at least 2/3"
    assert space.contains({"a": "1/3", "b": "1/6", "c": "1/2"})
    assert not space.contains({"a": "1/6", "b": "1/2", "c": "1/3"})
    assert dict(space.groups) == {"two": ("a", "b"), "a": ("b", "c")}
    assert wl.lp.WeightSpace(TASKS, groups={"two": ["a"]}).fixed(wl.group("two"), 1).contains([1, 0, 0])


def test_today_is_what_the_board_weighs():
    board = wl.Leaderboard({task: {"m": 1, "n": 2} for task in TASKS}, weights=["0.1", "0.2", "0.3"])
    space = wl.lp.WeightSpace(board)
    assert list(space.today.values()) == [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    assert space.near(None, 0).contains([1, 2, 3])
    assert not space.near(None, 0).contains([1, 1, 1])
    assert space.proportional(["a", "b"]).contains([2, 4, 1])
    assert not space.proportional(["a", "b"]).contains([2, 2, 1])
    with pytest.raises(wl.InputError, match="make it from the leaderboard"):
        wl.lp.WeightSpace(TASKS).near(None, "0.1")


def test_tasks_of_weight_zero_stay_at_zero_in_proportion():
    space = wl.lp.WeightSpace(TASKS).proportional(TASKS, [0, 1, 2])
    assert space.contains([0, 1, 2])
    assert not space.contains([1, 1, 2])
    with pytest.raises(wl.InputError, match="no weight to be proportional to"):
        wl.lp.WeightSpace(TASKS).proportional(["a", "b"], [0, 0, 1])


def test_one_task_is_in_proportion_to_itself():
    board = wl.Leaderboard({task: {"m": 1, "n": 2} for task in TASKS})
    space = wl.lp.WeightSpace(board).proportional("a")
    assert space.contains([5, 1, 0])
    assert wl.lp.prospect(board, "n", space=space).margin == 1


def test_a_task_compared_with_itself_is_no_condition_on_it():
    board = wl.Leaderboard({task: {"m": 1, "n": 2} for task in TASKS})
    space = wl.lp.WeightSpace(board).no_less("a", "a").ratio(["a", "b"], ["a", "b"], at_least=1, at_most=1)
    assert wl.lp.prospect(board, "n", space=space).margin == 1
    none = wl.lp.WeightSpace(board).ratio("a", "a", at_least=2)
    assert none.contains([0, 1, 1])
    assert not none.contains([1, 1, 1])


def test_spaces_are_immutable():
    board = wl.Leaderboard({task: {"m": 1, "n": 2} for task in TASKS}, groups={"two": ["a", "b"]})
    space = wl.lp.WeightSpace(board)
    space.at_most("a", 0).near(None, 0).fixed("b", 1)
    assert space.conditions == ()
    with pytest.raises(TypeError):
        space.groups["two"] = ("c",)
    with pytest.raises(AttributeError):
        space.tasks = ("x",)
    space.today["a"] = Fraction(7)
    assert space.today["a"] == Fraction(1, 3)


def test_the_same_condition_twice_is_one():
    space = wl.lp.WeightSpace(TASKS).at_most("a", "0.3").at_most(["a"], 0.3)
    assert len(space.conditions) == 1


def test_conditions_with_the_same_words_are_told_apart():
    space = wl.lp.WeightSpace([*TASKS, "a + b"]).at_most(["a", "b"], "0.3").at_most("a + b", "0.3")
    twice = space.near([1, 2, 3, 4], "1").near([4, 3, 2, 1], "1").near([1, 1, 1, 2], "1")
    assert len({row.name for row in twice.rows}) == len(twice.rows)
    assert len(set(twice.auxiliaries)) == len(twice.auxiliaries)
    assert not space.contains([1, 1, 2, 2])
    assert not space.contains([0, 0, 1, 1])
    assert space.contains([1, 1, 10, 2])


def test_unknown_names_are_refused_with_the_nearest_one():
    space = wl.lp.WeightSpace(["CoLA", "RTE"])
    with pytest.raises(wl.UnknownNameError, match=r"no task named 'cola'.*did you mean 'CoLA'"):
        space.at_most("cola", "0.1")
    with pytest.raises(wl.UnknownNameError, match="no group named 'nli'"):
        space.at_most(wl.group("nli"), "0.1")
    with pytest.raises(wl.InputError, match="Cola"):
        space.near({"Cola": 1, "RTE": 1}, "0.1")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda space: space.at_most([], "0.1"), "at least one task"),
        (lambda space: space.ratio("a", "b"), "at_least=, at_most= or both"),
        (lambda space: space.near([1, 1, 1], "0.1", norm="l2"), "norm must be 'l1' or 'linf'; got 'l2'"),
        (lambda space: space.at_most("a", "much"), "not a finite number: 'much'"),
        (lambda space: space.at_most("a", float("nan")), "not a finite number"),
        (lambda space: space.at_most("a", True), "a truth value is not a number"),  # noqa: FBT003 - the fault
        (lambda space: space.near([1, -1, 1], "0.1"), "is negative"),
        (lambda space: space.near([0, 0, 0], "0.1"), "all weights are 0"),
        (lambda space: space.near({"a": 1}, "0.1"), "no weight for task 'b'"),
        (lambda space: space.contains([1, 1]), "weight"),
        (lambda _: wl.lp.WeightSpace([]), "at least one task"),
        (lambda _: wl.lp.WeightSpace(["a", "a"]), "'a'"),
    ],
)
def test_what_is_no_condition_is_refused_in_words(call, message):
    with pytest.raises(wl.InputError, match=message):
        call(wl.lp.WeightSpace(TASKS))


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ({"tasks": {"z": "1/1"}, "relation": "<=", "bound": "1/1"}, "names the unknown task 'z'"),
        ({"tasks": {"a": "0/1"}, "relation": "<=", "bound": "1/1"}, "a coefficient of 0"),
        ({"tasks": {"a": "1/1"}, "relation": "<", "bound": "1/1"}, "one of"),
        (
            {"tasks": {"a": "1/1"}, "relation": "<=", "bound": "1/1", "auxiliaries": {"b": "1/1"}},
            "this is no Condition",
        ),
        ({"tasks": {"a": "1/1"}, "relation": "<=", "bound": "1/1", "text": "a at most 1/2"}, "this is no Condition"),
        ({"norm": "l1", "radius": "1/2", "centre": {"a": "1/2", "b": "1/2"}}, "weights of all tasks"),
        ({"norm": "l1", "radius": "1/2", "centre": {"a": "1/2", "b": "1/2", "c": "1/2"}}, "sum to 1"),
        ({"norm": "linf", "radius": "1/2", "centre": {"a": "-1/2", "b": "1/2", "c": "1/1"}}, "not negative"),
        ({"norm": "l2", "radius": "1/2", "centre": {"a": "1/2", "b": "1/2", "c": "0/1"}}, "one of"),
        ({"shares": {}}, "must be some"),
        ({"shares": {"a": "1/1", "z": "0/1"}}, "unknown task 'z'"),
        ([], "an object is needed"),
        ("a at most 1/2", "an object is needed"),
    ],
)
def test_a_condition_has_one_of_three_forms_and_nothing_besides(condition, message):
    with pytest.raises(wl.InputError, match=message):
        wl.lp.WeightSpace.from_dict({"tasks": TASKS, "conditions": [condition]})


def test_a_space_says_what_it_holds():
    space = wl.lp.WeightSpace(TASKS)
    assert str(space) == "weights of 3 tasks"
    cut = space.at_least("a", "0.1").ratio("a", ["b", "c"], at_most="1/2").near([1, 1, 1], "0.5")
    words = "a at least 1/10; a at most 1/2 b + 1/2 c; within 1/2 of equal weights (sum of changes)"
    assert repr(cut) == f"WeightSpace(weights of 3 tasks: {words})"


def test_a_task_named_twice_counts_once():
    assert str(wl.lp.WeightSpace(TASKS).at_least(["a", "a"], "0.5")) == "weights of 3 tasks: a at least 1/2"
