"""Second opinions: where other packages of the field agree, and where their floats go wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests import brute_force
from tests.strategies import profiles

BALLOTS = [["a", "b"], ["a", "b"], ["b", "a"]]


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("pref_voting.profiles_with_ties", reason="pref_voting is absent").ProfileWithTies


def as_peers(profile, peer, weights):
    """Return the profile as the peer's own, models as numbers."""
    ranks = [{model: int(rank) for model, rank in enumerate(row) if rank} for row in profile.ranks]
    return peer(ranks, rcounts=weights, candidates=list(range(len(profile.models))))


def test_pref_voting_sees_a_condorcet_winner_where_the_duel_is_a_tie(peer):
    profile = wl.Profile.from_orders(BALLOTS, weights=[0.1, 0.2, 0.3])
    theirs = as_peers(profile, peer, [0.1, 0.2, 0.3])
    assert theirs.margin(0, 1) > 0
    assert theirs.condorcet_winner() == 0
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


@settings(max_examples=50)
@given(profile=profiles(complete=False, weighted=False))
def test_margins_of_unweighted_ballots_are_pref_votings(peer, profile):
    theirs = as_peers(profile, peer, [1] * len(profile.voters))
    margins = profile.margins()
    for row, model in enumerate(profile.models):
        for column, rival in enumerate(profile.models):
            assert margins.margin(model, rival) == theirs.margin(row, column)


@settings(max_examples=50)
@given(profile=profiles(strict=True))
def test_with_fractions_for_weights_pref_voting_is_exact_too(peer, profile):
    theirs = as_peers(profile, peer, list(profile.weights))
    margins = profile.margins()
    for row, model in enumerate(profile.models):
        for column, rival in enumerate(profile.models):
            assert Fraction(theirs.margin(row, column)) == margins.margin(model, rival)
