"""Pareto fronts and Condorcet winning sets against their definitions, forged ones, and the models that can win."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

import weightlab as wl
from tests.dice import DICE
from tests.graph.corruption import assert_each_spoilt_field_is_seen, assert_each_spoilt_part_is_seen, travelled
from weightlab.exceptions import ImpossibleError, InputError, ProofError
from weightlab.graph import condorcet_winning_set, pareto_front

NAMES = ("dee", "ada", "fay", "bo", "gus", "cy")


def boards():
    """Return boards with ties, twins, weights (0 among them), a lower-is-better task and missing scores."""

    def rolled(dice):
        models, tasks = NAMES[: dice.between(2, 6)], [f"t{task}" for task in range(dice.between(1, 5))]
        scores = {task: {model: dice.below(4) for model in models} for task in tasks}
        if len(tasks) > 1 and dice.flag():
            scores[tasks[0]][models[0]] = None
        weights = {task: dice.between(0, 3) for task in tasks[1:]} | {tasks[0]: 1 + dice.below(3)}
        return wl.Leaderboard(scores, weights=weights, lower_is_better=tasks[-1:])

    return DICE.map(rolled)


class Scores:
    """The scores of a board, greater being better, None where missing."""

    def __init__(self, board):
        signs = {task: -1 if task in board.lower_is_better else 1 for task in board.tasks}
        rows = board.scores.to_dict("index")
        self.of = {
            model: {task: None if np.isnan(row[task]) else signs[task] * row[task] for task in board.tasks}
            for model, row in rows.items()
        }
        self.weights = dict(zip(board.tasks, board.weights.tolist(), strict=True))

    def ahead(self, one, other):
        """Return the tasks on which one model is strictly ahead of another."""
        pairs = {task: (score, self.of[other][task]) for task, score in self.of[one].items()}
        return {task for task, (own, theirs) in pairs.items() if None not in (own, theirs) and own > theirs}

    def dominates(self, one, other):
        """Tell whether one model is as good wherever the other has a score, and better somewhere."""
        there = [task for task, score in self.of[other].items() if score is not None]
        behind = self.ahead(other, one)
        matched = all(self.of[one][task] is not None and task not in behind for task in there)
        return matched and bool(self.ahead(one, other))

    def suffice(self, members):
        """Tell whether some of these models is ahead of every other one on more than half of the weight."""
        total = sum(self.weights.values())
        for model in self.of:
            led = set().union(*(self.ahead(member, model) for member in members))
            same = any(self.of[member] == self.of[model] for member in members)
            if not same and 2 * sum(self.weights[task] for task in led) <= total:
                return False
        return True


@given(boards())
def test_layers_are_fronts_peeled_off_one_after_the_other(board):
    scores, rest, layers = Scores(board), list(board.models), []
    while rest:
        front = tuple(one for one in rest if not any(scores.dominates(other, one) for other in rest))
        layers.append(front)
        rest = [one for one in rest if one not in front]
    found = pareto_front(board)
    assert found.layers == tuple(layers)
    assert all(scores.dominates(other, one) for one, other in found.dominated_by.items())
    assert found.verify(board)
    assert travelled(found).verify(board)


@given(boards())
def test_whoever_can_win_is_on_the_front(board):
    assert set(wl.lp.prospects(board).with_verdict("strict")) <= set(pareto_front(board).models)


@given(boards())
def test_a_winning_set_is_the_smallest_of_all_subsets(board):
    found, scores = condorcet_winning_set(board), Scores(board)
    assert scores.suffice(found.members)
    smaller = combinations(board.models, len(found.members) - 1)
    assert not any(scores.suffice(members) for members in smaller if members)
    assert found.verify(board)
    assert travelled(found).verify(board)
    if len(found.members) > 1:
        with pytest.raises(ImpossibleError):
            condorcet_winning_set(board, size=len(found.members) - 1)


def test_of_models_that_lead_one_task_each_more_than_half_are_needed():
    names = [f"m{row}" for row in range(7)]
    board = wl.Leaderboard(
        {f"t{lead}": {name: int(row == lead) for row, name in enumerate(names)} for lead in range(7)}
    )
    found = condorcet_winning_set(board)
    assert len(found.members) == 4
    assert (found.proof, found.solver is None, found.least_share) == ("exact_witness", False, Fraction(4, 7))
    assert found.verify(board)


def test_a_pair_that_loses_to_a_third_on_half_of_the_weight_does_not_suffice():
    cycle = wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"]))
    found = condorcet_winning_set(cycle)
    assert (found.members, found.least_share) == (("a", "b"), Fraction(2, 3))
    assert str(found).startswith("2 of 4 models suffice: a, b. ")
    assert list(found.summary().index) == ["c", "d"]


BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 2}, "z": {"a": 1, "b": 3, "c": 2}})


def test_spoilt_fronts_are_refused():
    found = pareto_front(wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 2}}))
    other = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}}).signs()
    assert_each_spoilt_field_is_seen(
        found,
        {
            "layers": [
                (("a", "b", "c"),),
                (("a",), ("b", "c")),
                (("a", "b"), ("c",), ()),
                (("a", "b"),),
                (("a", "a"), ("c",)),
            ],
            "dominated_by": [{}, {"c": "a"}, {"c": "c"}, {"b": "a", "c": "b"}],
            "signs": [other],
        },
    )
    assert_each_spoilt_part_is_seen(found, [(("models",), ["a"]), (("dominated_by", "c"), "d")])
    with pytest.raises(ProofError):
        found.verify(BOARD)


def test_spoilt_winning_sets_are_refused():
    found = condorcet_winning_set(BOARD)
    assert found.members == ("b",)
    signs = wl.Leaderboard({task: {"a": 3, "b": 2, "c": 1} for task in "xyz"}).signs()
    weights = found.weights.copy()
    weights["x"] = Fraction(10)
    assert_each_spoilt_field_is_seen(
        found,
        {
            "members": [("a",), (), ("b", "b"), ("b", "c"), ("nobody",)],
            "weights": [weights, -found.weights, found.weights * 0],
            "solver": ["HiGHS"],
            "signs": [signs],
        },
    )
    assert_each_spoilt_part_is_seen(found, [(("believed",), ["everything"]), (("weights", "x"), "9")])
    heavier = wl.Leaderboard(BOARD.scores, weights={"x": 2, "y": 1, "z": 1})
    with pytest.raises(ProofError, match="another weight on"):
        replace(found).verify(heavier)


def test_no_solver_is_believed_where_a_pair_suffices_or_a_member_may_be_left_out():
    scores = {f"t{task}": {model: (place - task) % 5 for place, model in enumerate("abcde")} for task in range(5)}
    found = condorcet_winning_set(wl.Leaderboard(scores))
    assert len(found.members) == 2
    with pytest.raises(ProofError, match="so 4 are not the fewest"):
        replace(found, members=tuple("abcd"), solver="HiGHS").verify()
    leads = {f"t{own}": {model: int(model == own) for model in "abcdefg"} for own in "abcdefg"}
    seven = condorcet_winning_set(wl.Leaderboard(leads))
    assert len(seven.members) == 4
    with pytest.raises(ProofError, match="suffices without"):
        replace(seven, members=tuple(seven.signs.models[:6])).verify()


def test_equal_models_are_not_said_to_be_behind():
    assert "every model with other scores" in str(condorcet_winning_set(wl.Leaderboard({"x": {"a": 1, "b": 1}})))


@pytest.mark.parametrize("size", [0, True, 1.5, "two"])
def test_a_size_is_a_count(size):
    with pytest.raises(InputError, match="size must be"):
        condorcet_winning_set(BOARD, size=size)


def test_larger_sets_are_those_that_an_enumeration_finds():
    rng = np.random.default_rng(5)
    scores = rng.integers(0, 2, size=(9, 7))
    board = wl.Leaderboard({f"t{k}": dict(zip("abcdefghi", scores[:, k].tolist(), strict=True)) for k in range(7)})
    found = condorcet_winning_set(board)
    assert len(found.members) > 2
    assert not any(Scores(board).suffice(members) for members in combinations(board.models, len(found.members) - 1))


def test_a_tie_is_not_taken_for_a_missing_score():
    tied = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 0}, "y": {"a": 1, "b": 1, "c": 1}})
    lacking = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 0}, "y": {"a": 1, "b": None, "c": 1}})
    for found in (pareto_front(tied), condorcet_winning_set(tied)):
        with pytest.raises(ProofError, match="the place of 'b' on 'y' is"):
            found.verify(lacking)
