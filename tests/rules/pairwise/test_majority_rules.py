"""Rules that read duels say what the graph part says, for every option it has."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.rules.strategies import profile_of, profiles
from weightlab import graph
from weightlab.exceptions import NoWinnerError
from weightlab.rules import rank, winners

SCORES = [
    *(("copeland", one) for one in ("difference", "wins", "losses", "half_ties")),
    *(("minimax", one) for one in ("winning_votes", "margins", "pairwise_opposition")),
]
RANKINGS = [
    (name, strength) for name in ("schulze", "split_cycle", "ranked_pairs") for strength in ("margins", "winning_votes")
]


@pytest.mark.parametrize(("name", "score"), SCORES)
@settings(max_examples=25)
@given(profile=profiles(gaps=True))
def test_scores_are_those_of_the_graph(name, score, profile):
    expected = getattr(graph, name)(profile, score=score)
    ranking = rank(profile, name, score=score)
    assert ranking.scores.to_dict() == expected.to_dict()
    assert set(ranking.winners) == {model for model, value in expected.items() if value == max(expected)}


@pytest.mark.parametrize(("name", "strength"), RANKINGS)
@settings(max_examples=25)
@given(profile=profiles(gaps=True))
def test_rankings_are_those_of_the_graph(name, strength, profile):
    expected = getattr(graph, name)(profile, strength=strength)
    ranking = rank(profile, name, strength=strength)
    assert ranking.order == expected.levels
    assert ranking.winners == expected.winners


@pytest.mark.parametrize("name", ["ranked_pairs"])
def test_an_order_of_models_breaks_the_ties_of_a_cycle(name):
    cycle = profile_of(["abc", "bca", "cab"])
    for first in ("abc", "bca", "cab"):
        expected = getattr(graph, name)(cycle, tie_break=list(first))
        assert rank(cycle, name, tie_break=list(first)).order == expected.levels


@settings(max_examples=40)
@given(profile=profiles(gaps=True))
def test_the_condorcet_rule_is_the_condorcet_winner_or_an_error(profile):
    expected = graph.condorcet_winner(profile)
    if expected is None:
        with pytest.raises(NoWinnerError, match="no model beats all its rivals"):
            winners(profile, "condorcet")
    else:
        assert winners(profile, "condorcet") == (expected,)
        rest = tuple(model for model in profile.models if model != expected)
        assert rank(profile, "condorcet").order == ((expected,), rest)
