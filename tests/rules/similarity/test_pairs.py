"""Where two rankings part, and what each task adds to the lead of one model over another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dice import DICE
from tests.rules.strategies import boards
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, MissingScoresError, UnknownNameError
from weightlab.rules import pair_by_task, rank, reversed_pairs


@given(board=boards(lower=True), ties=st.sampled_from(["average", "min", "max"]), dice=DICE)
def test_the_parts_add_up_to_the_differences_by_both_rules(board, ties, dice):
    model, rival = dice.shuffled(board.models)[:2]
    parts = pair_by_task(board, model, rival, ties=ties)
    means, points = rank(board, "mean").scores, rank(board, "borda", ties=ties).scores
    assert sum(parts["mean"]) == means[model] - means[rival]
    assert sum(parts["borda"]) == points[model] - points[rival]
    assert [lead > 0 for lead in parts["lead"]] == [sign > 0 for sign in board.signs().duel(model, rival)]
    back = pair_by_task(board, rival, model, ties=ties)
    assert (back == -parts).to_numpy().all()


def test_tasks_of_weight_0_add_nothing():
    board = Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": None, "b": 2}}, weights={"y": 0})
    assert pair_by_task(board, "a", "b").index.tolist() == ["x"]


def test_gaps_and_unknown_models_are_refused():
    board = Leaderboard({"x": {"ada": 1, "bo": 2, "cy": 1}, "y": {"ada": 1, "bo": None, "cy": 1}})
    with pytest.raises(MissingScoresError, match="'bo' on 'y'"):
        pair_by_task(board, "ada", "cy")
    with pytest.raises(UnknownNameError, match=r"no model named 'adda'; .* \(did you mean 'ada'\?\)"):
        pair_by_task(board.select(tasks=["x"]), "adda", "bo")


@pytest.mark.parametrize("other", [(("a",),), (("a",), ("c",)), (("a",), ("b",), ("c",)), (("a",), ("a", "b"))])
def test_orders_of_other_models_have_no_reversed_pairs(other):
    for pair in ([(("a",), ("b",)), other], [other, (("a",), ("b",))]):
        with pytest.raises(InputError, match="only if they rank the same models"):
            reversed_pairs(*pair)


@given(board=boards())
def test_reversed_pairs_are_those_that_stand_the_other_way_round(board):
    first, second = rank(board, "mean"), rank(board, "borda")
    expected = {
        (one, other)
        for one in board.models
        for other in board.models
        if first.ranks[one] < first.ranks[other] and second.ranks[one] > second.ranks[other]
    }
    found = reversed_pairs(first.order, second.order)
    assert set(found) == expected
    assert len(found) == len(expected)
    assert set(reversed_pairs(second.order, first.order)) == {(other, one) for one, other in expected}
