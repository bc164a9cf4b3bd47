"""The fewest tasks: against all subsets, against an integer program over weights and choices, against forgery."""

from __future__ import annotations

import dataclasses
import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import Bounds, LinearConstraint, milp

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.scenarios.test_scenario import random_board
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.strategies import boards
from weightlab._result import Proof, result_from_dict
from weightlab.lp.scenarios import fewest_tasks as smallest_sets
from weightlab.lp.scenarios import fewest_tasks_search


def smallest_by_looking(board, model, meant, *, lead, strict):
    """Return all smallest sets of tasks on which weights do it."""
    tasks = board.tasks
    for size in range(1, len(tasks) + 1):
        found = []
        for some in itertools.combinations(tasks, size):
            outside = ([int(task not in some) for task in tasks], 0)
            margin = brute_force.margin(board, model, [*meant, outside])
            if margin is not None and margin >= lead and (margin > 0 or not strict):
                found.append(some)
        if found:
            return found
    return []


@settings(max_examples=15)
@given(boards(models=(2, 4), tasks=(1, 3), plain=True), DICE)
def test_the_sets_are_those_among_all_subsets(board, dice):
    some = cuts_of(dice, board.tasks, 0, 1)
    lead = dice.one_of([Fraction(0), Fraction(0), Fraction(1, 3)])
    strict = dice.flag()
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    for model in board.models[:2]:
        expected = smallest_by_looking(board, model, meant, lead=lead, strict=strict)
        if not expected:
            with pytest.raises((wl.EmptySpaceError, wl.ImpossibleError)) as caught:
                wl.lp.fewest_task_sets(board, model, space=space, margin=lead, strict=strict)
            assert caught.value.proof.verify()
            continue
        found = wl.lp.fewest_task_sets(board, model, space=space, margin=lead, strict=strict)
        assert sorted(found.sets) == sorted(expected)
        assert found.proof is Proof.EXACT
        document = json.loads(json.dumps(found.to_dict()))
        back = result_from_dict(document)
        assert back.verify(board)
        assert back.to_dict() == document
        assert str(back) == str(found)


def by_links(board, model, caps=1.0):
    """Return the fewest tasks by an integer program in which a weight needs its task to be chosen."""
    signs = board.signs().matrix(model).astype(float)
    count = len(board.tasks)
    unit, none = np.eye(count), np.zeros((len(signs), count))
    rows = np.vstack([np.hstack([signs, none]), np.hstack([-unit, caps * unit]), [*np.ones(count), *np.zeros(count)]])
    lower = [0] * (len(signs) + count) + [1]
    upper = [np.inf] * (len(signs) + count) + [1]
    cost = [*np.zeros(count), *np.ones(count)]
    answer = milp(cost, constraints=LinearConstraint(rows, lower, upper), integrality=cost, bounds=Bounds(0, 1))
    return None if answer.x is None else round(answer.fun)


@pytest.mark.parametrize("cap", [None, "0.3"])
def test_larger_tables_agree_with_an_integer_program(cap):
    board = random_board(25, 10, seed=5)
    space = wl.lp.WeightSpace(board)
    for task in board.tasks if cap else ():
        space = space.at_most(task, cap)
    for model in board.models[:8]:
        try:
            found = wl.lp.fewest_task_sets(board, model, space=space)
        except wl.ImpossibleError:
            assert by_links(board, model, float(cap or 1)) is None
        else:
            assert found.size == by_links(board, model, float(cap or 1))
            assert found.proof is Proof.EXACT


def test_caps_on_every_task_make_a_sum_of_barriers_not_one_a_set():
    board = random_board(5, 12, seed=2)
    model = board.models[0]
    space = wl.lp.WeightSpace(board).near([1] * 12, "0.5")
    found = wl.lp.fewest_task_sets(board, model, space=space)
    assert found.size >= 9
    assert len(found.found.cuts) < 40


@pytest.mark.parametrize("strict", [False, True])
def test_caps_that_allow_ties_make_no_more_barriers(strict):
    board = random_board(20, 15, seed=3)
    space = wl.lp.WeightSpace(board)
    for task in board.tasks:
        space = space.at_most(task, "0.1")
    model = next(one for one in board.models if wl.lp.prospect(board, one, space=space).margin > 0)
    fewest = wl.lp.fewest_tasks(strict=strict)
    (stage,) = wl.lp.scenario(board, model, fewest, space=space).stages
    assert stage.value >= 10
    assert any(one.level is not None for one in stage.found.cuts)
    assert len(stage.found.cuts) < 60


def test_a_solver_proposes_where_the_search_takes_long_and_is_named_where_it_is_relied_on(monkeypatch):
    board = random_board(25, 10, seed=5)
    model = next(one for one in board.models if wl.lp.prospect(board, one).margin > 0)
    known = wl.lp.fewest_task_sets(board, model, strict=True)
    monkeypatch.setattr(fewest_tasks_search, "PATIENCE", -10_000)
    again = wl.lp.fewest_task_sets(board, model, strict=True)
    assert again.sets == known.sets
    assert again.proof is Proof.EXACT
    monkeypatch.setattr(smallest_sets, "BUDGET", 0)
    shown = wl.lp.fewest_task_sets(board, model, strict=True)
    assert (shown.sets, shown.proof) == (known.sets, Proof.EXACT)
    assert shown.found.tree is not None
    assert shown.verify(board)
    cut = dataclasses.replace(shown.found.tree, nodes=shown.found.tree.nodes[:-1])
    fewer = dataclasses.replace(shown.found, tree=cut)
    with pytest.raises(wl.ProofError, match="the tree ends before"):
        dataclasses.replace(shown, found=fewer).verify(board)
    monkeypatch.setattr(smallest_sets, "branch_tree", lambda *_, **__: None)
    relied = wl.lp.fewest_task_sets(board, model, strict=True)
    assert relied.sets == known.sets
    assert relied.proof is Proof.EXACT_WITNESS
    assert relied.found.solver
    assert relied.verify(board)
    monkeypatch.undo()
    with pytest.raises(wl.ProofError, match="what is proved is exact, not exact_witness"):
        relied.verify(board)


def test_a_time_limit_says_what_was_ruled_out():
    board = random_board(25, 10, seed=5)
    model = next(one for one in board.models if wl.lp.prospect(board, one).margin > 0)
    search = fewest_tasks_search.TaskSearch(
        board.signs().matrix(model),
        board.signs().rivals(model),
        wl.lp.WeightSpace(board),
        least=Fraction(0),
        strict=True,
        deadline=0.0,
    )
    with pytest.raises(wl.TimeLimitError) as caught:
        search.run(most=None)
    assert caught.value.known["size"] == 1


TWO = {"x": {"a": 2, "b": 1, "c": 2}, "y": {"a": 1, "b": 1, "c": 0}, "z": {"a": 3, "b": 4, "c": 1}}


def test_a_strict_win_can_take_more_tasks():
    board = wl.Leaderboard(TWO)
    assert wl.lp.fewest_task_sets(board, "a").sets == (("x",), ("y",))
    assert wl.lp.fewest_task_sets(board, "a", strict=True).sets == (("x", "y"), ("x", "z"))
    with pytest.raises(wl.ImpossibleError, match="it ties at best") as caught:
        wl.lp.fewest_task_sets(wl.Leaderboard({"x": {"a": 1, "b": 1}}), "a", strict=True)
    assert caught.value.proof.verify()


def test_task_sets_read_like_a_sentence_and_a_table():
    found = wl.lp.fewest_task_sets(wl.Leaderboard(TWO), "a")
    assert str(found) == "a needs 1 task to be undefeated head-to-head, and can do so on 2 sets, x among them."
    assert found.summary().to_numpy().tolist() == [[1, 0, 0], [0, 1, 0]]
    space = wl.lp.WeightSpace("xyz").at_most("x", "2/3").at_most("y", 0)
    strict = wl.lp.fewest_task_sets(wl.Leaderboard(TWO), "a", strict=True, space=space.at_least("z", "1/3"))
    start = "a needs 2 tasks to win head-to-head, and can do so only on x + z."
    assert str(strict).startswith(f"{start} Conditions: x at most 2/3")


def test_nothing_of_task_sets_can_be_changed():
    board = wl.Leaderboard(TWO)
    claim = wl.lp.fewest_task_sets(board, "a", strict=True)
    found = claim.found

    def refused(**changes):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, found=dataclasses.replace(found, **changes)).verify(board)

    refused(size=1)
    refused(size=3)
    refused(size=None)
    refused(size=2.0)
    refused(weights=found.weights[1:])
    refused(weights=(found.weights[0], *found.weights))
    refused(weights=())
    refused(is_complete=False)
    refused(is_complete=1)
    refused(cuts=found.cuts[:1])
    refused(cuts=())
    refused(proof=Proof.EXACT_WITNESS, solver="HiGHS")
    refused(solver="HiGHS")
    refused(least=Fraction(2, 3))
    refused(least=-Fraction(1, 3))
    for place, cut in enumerate(found.cuts):
        others = list(found.cuts)
        others[place] = dataclasses.replace(cut, mixture={rival: -one for rival, one in cut.mixture.items()})
        refused(cuts=tuple(others))
        others[place] = dataclasses.replace(cut, mixture=dict.fromkeys("a", Fraction(1)))
        refused(cuts=tuple(others))
