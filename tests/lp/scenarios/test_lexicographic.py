"""Scenarios of several objectives, of tasks and of margins: against subsets of tasks and vertices, and forged."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.scenarios.test_fewest_tasks import smallest_by_looking
from tests.lp.scenarios.test_scenario import questions, random_board, value_at
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab.lp import Verdict
from weightlab.lp.scenarios import lexicographic
from weightlab.lp.scenarios.lexicographic import SLACK

TWO = {"x": {"a": 2, "b": 1, "c": 2}, "y": {"a": 1, "b": 1, "c": 0}, "z": {"a": 3, "b": 4, "c": 1}}


def outside(board, tasks):
    return [int(task not in tasks) for task in board.tasks], 0


def support(weights):
    return tuple(task for task, weight in weights.items() if weight)


@settings(max_examples=12)
@given(st.data())
def test_the_fewest_tasks_and_then_another_objective(data):
    board = data.draw(boards(models=(2, 4), tasks=(1, 3), plain=True))
    objective, functions, sense = data.draw(questions(board))
    some = cuts_of(data.draw(DICE), board.tasks, 0, 1)
    strict = data.draw(st.booleans())
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    for model in board.models[:2]:
        sets = smallest_by_looking(board, model, meant, lead=0, strict=strict)
        if not sets:
            continue
        found = wl.lp.scenario(board, model, [wl.lp.fewest_tasks(strict=strict), objective], space=space)
        assert found.verify(board)
        best = [
            brute_force.least(board, model, functions, cuts=[*meant, outside(board, one)], sense=sense) for one in sets
        ]
        assert found.values == (len(sets[0]), sense * min(sense * one for one in best))
        # Strict wins fill an open set: an optimum on its boundary may put nothing on a task of the set.
        assert any(set(support(found.weights)) <= set(one) for one in sets)
        assert strict or support(found.weights) in sets
        assert value_at(found.weights, functions) == found.values[1]
        at_best = [([sense * one for one in row], sense * (found.values[1] + const)) for row, const in functions]
        leads = [brute_force.margin(board, model, [*meant, outside(board, one), *at_best]) for one in sets]
        assert found.attained == any(lead is not None and lead > 0 for lead in leads)
        check_strict(found, board, model, meant)
        document = json.loads(json.dumps(found.to_dict()))
        assert result_from_dict(document).verify(board)
        assert result_from_dict(document).to_dict() == document


def check_strict(found, board, model, meant):
    if brute_force.margin(board, model, meant) > 0:
        assert min(board.signs().of(model).to_numpy().astype(object) @ found.strict_weights.to_numpy()) > 0
        assert found.attained == (not any(found.slacks))
    else:
        assert found.strict_weights is found.slacks is None


@settings(max_examples=12)
@given(boards(models=(2, 4), tasks=(1, 4), plain=True), DICE)
def test_the_fewest_tasks_say_how_many_more_a_strict_win_takes(board, dice):
    for model in board.models[:2]:
        weak = smallest_by_looking(board, model, [], lead=0, strict=False)
        strict = smallest_by_looking(board, model, [], lead=0, strict=True)
        if not weak:
            with pytest.raises(wl.ImpossibleError):
                wl.lp.scenario(board, model, wl.lp.fewest_tasks())
            continue
        found = wl.lp.scenario(board, model, wl.lp.fewest_tasks())
        assert found.value == len(weak[0])
        assert support(found.weights) in weak
        assert found.attained == bool(strict and len(strict[0]) == len(weak[0]))
        assert (found.strict_weights is None) == (not strict)
        if strict:
            assert found.slack == len(strict[0]) - len(weak[0])
            assert support(found.strict_weights) in strict


@settings(max_examples=12)
@given(st.data())
def test_an_objective_and_then_the_widest_margin_or_the_other_way_round(data):
    board = data.draw(boards(models=(2, 4), tasks=(1, 3), plain=True))
    objective, functions, sense = data.draw(questions(board))
    lead = data.draw(st.sampled_from([Fraction(0), Fraction(1, 3)]))
    for model in board.models[:2]:
        margin = brute_force.margin(board, model)
        if margin < lead:
            continue
        first = wl.lp.scenario(board, model, [wl.lp.widest_margin(), objective], margin=lead)
        assert first.values == (margin, brute_force.least(board, model, functions, lead=margin, sense=sense))
        assert min(first.leads) == margin
        last = wl.lp.scenario(board, model, [objective, wl.lp.widest_margin()], margin=lead)
        best = brute_force.least(board, model, functions, lead=lead, sense=sense)
        at_best = [([sense * one for one in row], sense * (best + constant)) for row, constant in functions]
        assert last.values == (best, brute_force.margin(board, model, at_best))
        assert last.attained == (last.values[1] > 0)
        assert first.attained == (margin > 0)
        for found in (first, last):
            check_strict(found, board, model, [])
            assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)


def test_strict_weights_keep_the_objectives_that_they_can():
    """No weight on z is attained by a win; nearest to z alone is not, so only that is missed."""
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}, "z": {"a": 0, "b": 1}})
    found = wl.lp.scenario(board, "a", [wl.lp.least_weight("z"), wl.lp.closest_to([0, 0, 1])])
    assert found.values == (0, 2)
    found = wl.lp.scenario(board, "a", [wl.lp.least_weight("z"), wl.lp.most_weight("y")])
    assert found.values == (0, Fraction(1, 2))
    assert found.slacks == (0, SLACK)
    assert found.slack == 0
    assert not found.attained
    assert found.verdict is Verdict.WEAK


def test_three_objectives_in_turn():
    board = random_board(12, 6, seed=8)
    model = next(one for one in board.models if wl.lp.prospect(board, one).margin > 0)
    objectives = [wl.lp.closest_to(norm="linf"), wl.lp.fewest_tasks(), wl.lp.most_balanced()]
    found = wl.lp.scenario(board, model, objectives)
    assert found.verify(board)
    change = max(abs(weight - Fraction(1, 6)) for weight in found.weights)
    assert found.values == (change, len(support(found.weights)), max(found.weights))


def test_a_sentence_for_several_objectives_and_for_more_tasks():
    board = wl.Leaderboard(TWO)
    fewest = wl.lp.scenario(board, "a", wl.lp.fewest_tasks())
    assert (
        str(fewest)
        == "Head-to-head, a is undefeated with the smallest set of tasks, 1. To win head-to-head it needs 2 tasks."
    )
    strict = wl.lp.scenario(board, "a", wl.lp.fewest_tasks(strict=True))
    assert str(strict) == "Head-to-head, a wins with the smallest set of tasks, 2 (counting no ties)."
    both = wl.lp.scenario(board, "a", [wl.lp.widest_margin(), wl.lp.fewest_tasks()])
    assert str(both).startswith(
        "Head-to-head, a wins with the widest lead, 50% of the weight, then the smallest set of tasks, "
    )


def test_no_objective_or_the_fewest_tasks_twice_are_refused():
    board = wl.Leaderboard(TWO)
    with pytest.raises(wl.InputError, match="a scenario needs an objective"):
        wl.lp.scenario(board, "a", [])
    with pytest.raises(wl.InputError, match=r"fewest_tasks\(\) can be asked for once only"):
        wl.lp.scenario(board, "a", [wl.lp.fewest_tasks(), wl.lp.fewest_tasks(strict=True)])
    with pytest.raises(wl.InputError, match="no task named 'q'"):
        wl.lp.scenario(board, "a", [wl.lp.fewest_tasks(), wl.lp.most_weight("q")])


def test_the_fewest_strict_tasks_of_a_weak_model_are_impossible():
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}, "z": {"a": 0, "b": 0}}).select(tasks=["z"])
    with pytest.raises(wl.ImpossibleError, match="it ties at best") as caught:
        wl.lp.scenario(board, "a", wl.lp.fewest_tasks(strict=True))
    assert caught.value.proof.verify(board)


def test_after_an_objective_that_only_ties_no_tasks_win_strictly():
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}})
    with pytest.raises(wl.ImpossibleError, match="it ties at best") as caught:
        wl.lp.scenario(board, "a", [wl.lp.most_weight("y"), wl.lp.fewest_tasks(strict=True)])
    assert caught.value.proof.verify(board)
    ties = wl.lp.scenario(board, "a", [wl.lp.most_weight("y"), wl.lp.fewest_tasks()])
    assert ties.values == (Fraction(1, 2), 2)
    assert ties.slacks == (SLACK, 0)
    assert ties.stages[1].shows_ties


def test_the_example_of_the_paper_is_the_only_scenario_for_every_objective(shared_data):
    board = wl.Leaderboard(pd.read_csv(shared_data / "votenrank/superglue.csv", index_col="model")).complete()
    half = {"BoolQ": Fraction(1, 2), "MultiRC_n2": Fraction(1, 2)}
    for objective in (wl.lp.fewest_tasks(), wl.lp.most_balanced(), wl.lp.widest_margin()):
        found = wl.lp.scenario(board, "T5", objective)
        assert {task: weight for task, weight in found.weights.items() if weight} == half
        assert found.strict_weights is None
        assert not found.attained
    assert wl.lp.fewest_task_sets(board, "T5").sets == (tuple(half),)


def test_nothing_of_a_stage_of_tasks_or_of_margins_can_be_changed():
    board = wl.Leaderboard(TWO)
    claim = wl.lp.scenario(board, "a", wl.lp.fewest_tasks())
    (stage,) = claim.stages

    def refused(**changes):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, **changes).verify(board)

    refused(stages=(dataclasses.replace(stage, strictly=None),))
    refused(stages=(dataclasses.replace(stage, strictly=stage.found),))
    refused(stages=(dataclasses.replace(stage, found=stage.strictly),))
    refused(slacks=(Fraction(0),))
    refused(slacks=(Fraction(2),))
    widest = wl.lp.scenario(board, "a", wl.lp.widest_margin())
    (margins,) = widest.stages
    bound = dataclasses.replace(margins.prospects[0], upper=Fraction(1))
    refused(stages=(margins,))
    for forged in (dataclasses.replace(margins, prospects=(bound,)), dataclasses.replace(margins, prospects=())):
        with pytest.raises((wl.ProofError, ValueError)):
            dataclasses.replace(widest, stages=(forged,)).verify(board)


def test_a_slack_of_a_convex_objective_is_bounded():
    assert Fraction(1, 1000) == lexicographic.SLACK
    board = random_board(20, 8, seed=3)
    for model in board.models:
        if wl.lp.prospect(board, model).verdict is Verdict.STRICT:
            found = wl.lp.scenario(board, model, [wl.lp.closest_to(), wl.lp.most_balanced(), wl.lp.widest_margin()])
            assert 0 <= found.slacks[0] <= SLACK
            assert all(abs(one) <= SLACK for one in found.slacks)
