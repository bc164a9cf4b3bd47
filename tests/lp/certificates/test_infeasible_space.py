"""Empty weight spaces: refused with conditions of which none can be spared."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.lp.brute_force import vertices
from tests.lp.strategies import inequalities_of, some_cuts, space_of
from weightlab._result import result_from_dict

TASKS = ["a", "b", "c"]
BOARD = wl.Leaderboard({task: {"m": number, "n": 2 - number} for number, task in enumerate(TASKS)})


def all_different(some):
    """Tell whether a space keeps every cut: a condition that it has already is not kept again."""
    return len(space_of(TASKS, some).conditions) == len(some)


def is_empty(some):
    return not vertices(len(TASKS), 0, inequalities_of(some))


def contradiction_of(space):
    with pytest.raises(wl.EmptySpaceError) as caught:
        wl.lp.prospect(BOARD, "m", space=space)
    error = caught.value
    assert error.proof.verify(BOARD)
    assert str(error) == str(error.proof)
    return error


@settings(max_examples=60)
@given(some_cuts(TASKS, 2, 4).filter(all_different))
def test_a_space_is_refused_exactly_when_it_is_empty_and_no_condition_can_be_spared(some):
    space = space_of(TASKS, some)
    if not is_empty(some):
        assert wl.lp.prospect(BOARD, "m", space=space).verify(BOARD)
        return
    error = contradiction_of(space)
    named = [cut for cut, one in zip(some, space.conditions, strict=True) if one.text() in error.conditions]
    assert len(named) == len(error.conditions)
    assert is_empty(named)
    for cut in named:
        assert not is_empty([other for other in named if other is not cut])


@settings(max_examples=30)
@given(some_cuts(TASKS, 2, 3).filter(all_different))
def test_contradictions_travel_as_json(some):
    space = space_of(TASKS, some).at_least("a", "0.6").at_least(["b", "c"], "0.6")
    proof = contradiction_of(space).proof
    document = json.loads(json.dumps(proof.to_dict()))
    back = result_from_dict(document)
    assert back.verify(BOARD)
    assert back.to_dict() == document
    assert str(back) == str(proof)


def test_shares_that_cannot_reach_one_contradict_the_simplex_together():
    space = wl.lp.WeightSpace(TASKS)
    for task in TASKS:
        space = space.at_most(task, "0.1")
    error = contradiction_of(space)
    assert error.conditions == ("a at most 1/10", "b at most 1/10", "c at most 1/10")
    assert str(error) == f"no weights satisfy these conditions together: {'; '.join(error.conditions)}"


def test_conditions_that_are_met_are_not_blamed():
    space = wl.lp.WeightSpace(TASKS).at_most("a", "0.5").at_least("b", "0.8").no_less("a", "c").at_least("a", "0.3")
    assert contradiction_of(space).conditions == ("b at least 4/5", "a at least 3/10")


def test_other_questions_refuse_an_empty_space_too():
    space = wl.lp.WeightSpace(BOARD).at_least("a", "0.6").at_least("b", "0.6")
    with pytest.raises(wl.EmptySpaceError):
        wl.lp.prospects(BOARD, space=space)
    with pytest.raises(wl.EmptySpaceError):
        wl.lp.scenario(BOARD, "m", wl.lp.most_balanced(), space=space)


def test_a_table_with_other_tasks_is_not_what_a_contradiction_is_about():
    proof = contradiction_of(wl.lp.WeightSpace(TASKS).at_least("a", 1).at_least("b", "0.1")).proof
    with pytest.raises(wl.ProofError, match="the source has different tasks"):
        proof.verify(BOARD.select(tasks=["a", "b"]))


def test_a_contradiction_is_a_table_of_multipliers():
    proof = contradiction_of(wl.lp.WeightSpace(TASKS).at_least("a", "0.6").at_least("b", "0.6")).proof
    found = proof.summary()["multiplier"]
    assert found.index.tolist() == ["a at least 3/5", "b at least 3/5"]
    assert (found < 0).all()
