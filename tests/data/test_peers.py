"""Second opinions: where other packages of the field agree, and where their floats go wrong."""

from __future__ import annotations

from hypothesis import given

import weightlab as wl
from tests import brute_force
from tests.peer import asked, pref_voting_margins
from tests.strategies import FEWER, profiles

BALLOTS = [["a", "b"], ["a", "b"], ["b", "a"]]


def exact_margins(profile):
    margins = profile.margins()
    return [[margins.margin(model, rival) for rival in profile.models] for model in profile.models]


def theirs(profile, weights):
    return asked("pref_voting", pref_voting_margins, profile.ranks.tolist(), weights)


def test_pref_voting_sees_a_condorcet_winner_where_the_duel_is_a_tie():
    profile = wl.Profile.from_orders(BALLOTS, weights=[0.1, 0.2, 0.3])
    margins, winner = theirs(profile, [0.1, 0.2, 0.3])
    assert margins[0][1] > 0
    assert winner == 0
    assert profile.margins().margin("a", "b") == 0


def test_so_does_every_package_that_adds_weights_as_floats():
    weights, signs = [0.1, 0.2, 0.3], [1, 1, -1]
    # Vote'n'Rank's published code: a weighted sum of signs, its winner by > 0.
    assert sum(weight * sign for weight, sign in zip(weights, signs, strict=True)) > 0
    # VoteKit: the weight of the ballots for one side against that for the other.
    assert weights[0] + weights[1] > weights[2]
    board = wl.Leaderboard(
        {task: {"a": sign, "b": -sign} for task, sign in zip("xyz", signs, strict=True)}, weights=weights
    )
    assert board.margins().margin("a", "b") == 0
    assert brute_force.condorcet_winners(board) == []


@FEWER
@given(profile=profiles(complete=False, weighted=False))
def test_margins_of_unweighted_ballots_are_pref_votings(profile):
    expected, _ = theirs(profile, [1] * len(profile.voters))
    assert exact_margins(profile) == expected


@FEWER
@given(profile=profiles(strict=True))
def test_with_fractions_for_weights_pref_voting_is_exact_too(profile):
    expected, _ = theirs(profile, list(profile.weights))
    assert exact_margins(profile) == expected
