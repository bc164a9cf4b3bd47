"""Questions about majorities between pairs refuse other rules, and name the question that answers by them."""

from __future__ import annotations

import pytest

import weightlab as wl

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 2, "c": 4}, "z": {"a": 3, "b": 1, "c": 2}})
QUESTIONS = {
    "rank_ranges": wl.lp.duels,
    "WeightSpace.prefers": lambda board, **options: wl.lp.realise(board, [("a", "b")], **options),
    "stability": wl.lp.break_cycle,
    "rank_shares": lambda board, **options: wl.lp.duel_shares(board, samples=50, rng=0, **options),
}


@pytest.mark.parametrize("instead", QUESTIONS)
@pytest.mark.parametrize("rule", ["mean", "borda", [2, 1, 0], None])
def test_a_rule_is_refused_with_the_question_that_takes_it(instead, rule):
    with pytest.raises(wl.InputError, match=instead) as caught:
        QUESTIONS[instead](BOARD, rule=rule)
    assert [(one.argument, one.value) for one in caught.value.cure] == [("rule", None)]


@pytest.mark.parametrize("instead", QUESTIONS)
def test_the_majority_may_be_named(instead):
    ask = QUESTIONS[instead]
    assert str(ask(BOARD, rule="majority")) == str(ask(BOARD, rule="condorcet")) == str(ask(BOARD))
