"""Rank sets of votes: Bradley-Terry strengths with sandwich errors, and majorities pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

import weightlab as wl
from weightlab._result import result_from_dict
from weightlab.data import Margins
from weightlab.exceptions import ImpossibleError, InputError, ProofError
from weightlab.rules.scoring.bradley_terry import fitted
from weightlab.studies import rank_sets
from weightlab.studies.confidence.vote_strengths import sandwich


def votes_of(strengths, count, seed, ties=0.0):
    """Return votes between random pairs; a share of them are ties."""
    rng, models = np.random.default_rng(seed), len(strengths)
    one = rng.integers(models, size=count)
    other = (one + rng.integers(1, models, size=count)) % models
    tied = rng.random(count) < ties
    won = rng.random(count) < 1 / (1 + np.exp(strengths[other] - strengths[one]))
    wins, level = np.zeros((2, models, models), dtype=np.int64)
    np.add.at(wins, (np.where(won, one, other)[~tied], np.where(won, other, one)[~tied]), 1)
    np.add.at(level, (one[tied], other[tied]), 1)
    names = tuple(f"m{place}" for place in range(models))
    return Margins(models=names, wins=wins, ties=level + level.T, denominator=1)


def test_the_covariance_is_what_each_vote_in_turn_moves():
    """The infinitesimal jackknife, vote by vote: twenty votes more of one kind move the fit by twenty influences."""
    votes = votes_of(np.linspace(0, 1, 4), 4000, 0, ties=0.2)
    _, factor = sandwich(votes)
    logarithms, _ = fitted(votes)
    centred = logarithms - logarithms.mean()
    total = int(votes.wins.sum() + votes.ties.sum() // 2)
    covariance = np.zeros((4, 4))
    for one in range(4):
        for other in range(4):
            for kind in ("wins", "ties") if one < other else ("wins",):
                more = {"wins": votes.wins.copy(), "ties": votes.ties.copy()}
                count = int(more[kind][one, other])
                for place in [(one, other)] if kind == "wins" else [(one, other), (other, one)]:
                    more[kind][place] += 20 if one != other else 0
                moved, _ = fitted(Margins(models=votes.models, denominator=1, **more))
                influence = (moved - moved.mean() - centred) / 20
                covariance += count * np.outer(influence, influence)
    assert np.allclose(factor @ factor.T, covariance * total / (total - 3), rtol=0.05, atol=2e-6)


def test_all_differences_of_strengths_hold_together():
    strengths = np.linspace(0, 2, 6)
    rows, columns = np.triu_indices(6, 1)
    truth = strengths[rows] - strengths[columns]
    holds = 0
    for seed in range(200):
        found = rank_sets(votes_of(strengths, 1200, seed), repeats=300)
        holds += bool(((found.low <= truth) & (truth <= found.high)).all())
    # Below 0.88 with a chance of one in a thousand where 0.95 is true.
    assert 0.88 < holds / 200 < 1


def test_equal_models_are_seldom_separated():
    some = sum(rank_sets(votes_of(np.zeros(8), 400, seed, ties=0.3), repeats=300).separated > 0 for seed in range(150))
    assert some < 0.12 * 150


@pytest.mark.parametrize("rule", ["bradley_terry", "copeland", "kemeny"])
def test_sets_of_votes_travel_and_are_worked_out_again(rule):
    votes = votes_of(np.linspace(0, 3, 5), 2000, 1, ties=0.1)
    found = rank_sets(votes, rule, repeats=200)
    again = result_from_dict(found.to_dict())
    assert again.verify(votes)
    assert found.order == ("m4", "m3", "m2", "m1", "m0")
    assert "2,000 votes drawn at random" in str(found)
    with pytest.raises(ProofError, match="of a pair"):
        again.verify(votes_of(np.linspace(0, 3, 5), 2000, 2, ties=0.1))
    apart = Margins(models=votes.models, wins=np.triu(votes.wins), ties=votes.ties * 0, denominator=1)
    with pytest.raises(ProofError):
        again.verify(apart)


def test_pairs_of_votes_are_separated_by_exact_sign_tests():
    votes = Margins(models=("a", "b"), wins=np.array([[0, 9], [1, 0]]), ties=np.zeros((2, 2), int), denominator=1)
    assert rank_sets(votes, "copeland").p.tolist() == pytest.approx([2 * 11 / 1024])


def test_of_a_table_the_sets_are_bordas():
    board = wl.Leaderboard({f"t{place}": {"a": 3, "b": 2 - place % 2, "c": 1 + place % 2 / 2} for place in range(12)})
    own, bordas = (rank_sets(board, rule) for rule in ("bradley_terry", "borda"))
    assert own.rank_sets == bordas.rank_sets
    assert own.verify(board)


def test_what_votes_cannot_answer_is_refused():
    votes = votes_of(np.zeros(3), 60, 0)
    with pytest.raises(InputError, match="by rules that read duels"):
        rank_sets(votes, "mean")
    with pytest.raises(InputError, match="votes have no standard errors"):
        rank_sets(votes, over="standard_errors")
    with pytest.raises(InputError, match="votes are between two models"):
        rank_sets(wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 2}}), over="votes")
    halves = Margins(models=votes.models, wins=votes.wins, ties=votes.ties, denominator=2)
    with pytest.raises(InputError, match="fractional weights"):
        rank_sets(halves)
    never = Margins(models=("a", "b"), wins=np.array([[0, 5], [0, 0]]), ties=np.zeros((2, 2), int), denominator=1)
    with pytest.raises(ImpossibleError, match="strengths do not exist"):
        rank_sets(never)


@pytest.mark.parametrize("rule", ["bradley_terry", "copeland"])
def test_votes_that_are_all_ties_separate_nothing_and_are_no_certainty(rule):
    ties = np.full((3, 3), 4) - 4 * np.eye(3, dtype=int)
    votes = Margins(models=("a", "b", "c"), wins=np.zeros((3, 3), dtype=int), ties=ties, denominator=1)
    with pytest.raises(InputError, match="all votes are ties: there is nothing to separate"):
        rank_sets(votes, rule)


def test_of_two_models_the_variance_is_that_of_log_odds_with_one_strength_fitted():
    votes = Margins(models=("a", "b"), wins=np.array([[0, 8], [4, 0]]), ties=np.zeros((2, 2), dtype=int), denominator=1)
    logarithms, factor = sandwich(votes)
    assert logarithms[0] - logarithms[1] == pytest.approx(np.log(2))
    covariance = factor @ factor.T
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert variance == pytest.approx((1 / 8 + 1 / 4) * 12 / 11)
