"""Condorcet winners and losers, Copeland and minimax."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

import weightlab as wl
from tests.graph.brute_force import Duels
from tests.graph.strategies import huge_margins, margins
from weightlab.exceptions import InputError
from weightlab.graph import condorcet_loser, condorcet_winner, copeland, minimax, weak_condorcet_winners

CYCLE = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))


def rivals(duels, model):
    return [other for other in duels.models if other != model]


@given(margins())
def test_winners_and_losers_follow_their_definitions(table):
    duels = Duels(table)
    winners = [a for a in duels.models if all(duels.beats(a, b) for b in rivals(duels, a))]
    losers = [a for a in duels.models if all(duels.beats(b, a) for b in rivals(duels, a))]
    unbeaten = tuple(a for a in duels.models if not any(duels.beats(b, a) for b in rivals(duels, a)))
    assert [condorcet_winner(table)] == (winners or [None])
    assert [condorcet_loser(table)] == (losers or [None])
    assert weak_condorcet_winners(table) == unbeaten


@given(margins())
def test_copeland_counts_duels(table):
    duels = Duels(table)
    won = {a: sum(duels.beats(a, b) for b in rivals(duels, a)) for a in duels.models}
    lost = {a: sum(duels.beats(b, a) for b in rivals(duels, a)) for a in duels.models}
    tied = {a: len(duels.models) - 1 - won[a] - lost[a] for a in duels.models}
    expected = {
        "difference": {a: won[a] - lost[a] for a in duels.models},
        "wins": won,
        "losses": {a: -lost[a] for a in duels.models},
        "half_ties": {a: won[a] + Fraction(tied[a], 2) for a in duels.models},
    }
    for score, values in expected.items():
        found = copeland(table, score=score)
        assert found.to_dict() == values
        assert list(found.index) == sorted(duels.models, key=lambda a: -values[a])  # stable: board order among equals


@given(margins())
def test_minimax_is_the_worst_that_a_rival_counts(table):
    duels = Duels(table)
    against = {
        "winning_votes": lambda b, a: duels.wins[b, a] if duels.beats(b, a) else 0,
        "margins": lambda b, a: duels.margin[b, a],
        "pairwise_opposition": lambda b, a: duels.wins[b, a],
    }
    for score, count in against.items():
        values = {a: -max((count(b, a) for b in rivals(duels, a)), default=0) for a in duels.models}
        found = minimax(table, score=score)
        assert found.to_dict() == values
        assert list(found.index) == sorted(duels.models, key=lambda a: -values[a])
        assert all(type(value) is Fraction for value in found)


@given(huge_margins())
def test_margins_beyond_every_machine_integer_lose_nothing(table):
    duels = Duels(table)
    worst = {a: -max(duels.margin[b, a] for b in rivals(duels, a)) for a in duels.models}
    assert minimax(table, score="margins").to_dict() == worst


@given(margins(tied=False, models=(2, 6)))
def test_a_condorcet_winner_wins_by_copeland_and_minimax(table):
    winner = condorcet_winner(table)
    if winner is not None:
        assert copeland(table).index[0] == winner
        assert all(minimax(table, score=score).index[0] == winner for score in ("winning_votes", "margins"))


def test_the_worked_example_of_votenrank_has_its_scores():
    board = wl.datasets.load_leaderboard("votenrank-a1")
    assert condorcet_winner(board) == "m_B"
    assert copeland(board).to_dict() == {"m_B": 3, "m_C": 1, "m_D": -1, "m_A": -3}
    assert minimax(board).to_dict() == {"m_B": 0, "m_A": -3, "m_C": -3, "m_D": -3}


def test_everybody_ties_in_a_cycle():
    assert set(copeland(CYCLE)) == {0}
    assert set(minimax(CYCLE)) == {-2}
    assert condorcet_winner(CYCLE) is None


@pytest.mark.parametrize("function", [copeland, minimax])
def test_an_unknown_score_is_refused(function):
    with pytest.raises(InputError, match=r"score must be .* got 'points'"):
        function(CYCLE, score="points")
