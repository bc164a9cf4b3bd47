"""Leads: the same rows of majorities and of points, against sums by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

import weightlab as wl
from tests.dice import DICE
from weightlab.data.linear_rule import LinearRule


def a_board(dice):
    """Return up to four models by up to three tasks, with many ties."""
    models, tasks = (range(dice.between(2, 4)), range(dice.between(1, 3)))
    return wl.Leaderboard({f"t{task}": {f"m{model}": dice.between(0, 2) for model in models} for task in tasks})


@pytest.mark.parametrize("rule", ["majority", "mean", "borda"])
@given(dice=DICE)
def test_rows_and_who_is_ahead_are_what_scores_say(rule, dice):
    board = a_board(dice)
    leads = board.signs() if rule == "majority" else LinearRule.of(rule).points(board)
    scores = board.to_pandas()
    weights = [dice.between(0, 3) for _ in board.tasks]

    def lead(model, rival, task):
        column = scores[task]
        duel = int(column[model] > column[rival]) - int(column[model] < column[rival])
        if rule != "borda":
            return duel if rule == "majority" else Fraction(int(column[model]) - int(column[rival]))
        # A place is worth the models below it and half of those that tie with it: duels with all, halved.
        wins = {one: sum(int(column[one] > it) - int(column[one] < it) for it in column) for one in (model, rival)}
        return Fraction(wins[model] - wins[rival], 2)

    ahead = leads.ahead(weights)
    for row, model in enumerate(board.models):
        rows = leads.matrix(model)
        assert rows.shape == (len(board.models) - 1, len(board.tasks))
        for rival, own in zip(leads.rivals(model), rows.tolist(), strict=True):
            expected = [lead(model, rival, task) for task in board.tasks]
            assert [Fraction(one, leads.unit) for one in own] == expected
            total = sum(weight * one for weight, one in zip(weights, expected, strict=True))
            assert ahead[row, leads.position(rival)] == (total > 0) - (total < 0)
