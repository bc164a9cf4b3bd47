"""Every rule that pref_voting or preflibtools shares names the same winners, with ties and without."""

from __future__ import annotations

import os
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from tests.peer import asked
from tests.rules import peers
from weightlab.data import Profile
from weightlab.exceptions import ImpossibleError, NoWinnerError
from weightlab.rules import rule, winners

pytestmark = pytest.mark.peers

# Profiles of each of four kinds: some at a desk, thousands in all in CI, more in long searches.
MANY = 3_000 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 500 if os.environ.get("CI") else 80
OPTIONS = {
    "nanson(leaves=below)": ("nanson", {"leaves": "below"}),
    "borda(ties=min)": ("borda", {"ties": "min"}),
    "borda(ties=max)": ("borda", {"ties": "max"}),
    "instant_runoff(ties=min)": ("instant_runoff", {"ties": "min"}),
    "plurality(ties=min)": ("plurality", {"ties": "min"}),
    "veto(ties=max)": ("veto", {"ties": "max"}),
    "k_approval(k=2)": ("k_approval", {"k": 2}),
}


def ours(profile, name):
    """Return the winners as positions; everybody where there is no Condorcet winner, as pref_voting has it."""
    plain, options = OPTIONS.get(name, (name, {}))
    try:
        return [profile.models.index(model) for model in winners(profile, rule(plain, **options))]
    except NoWinnerError:
        return list(range(len(profile.models)))


def profile_of(ranks, counts):
    models = tuple("abcdef"[: ranks.shape[1]])
    voters = tuple(map(str, range(len(ranks))))
    dense = np.array([np.unique(row, return_inverse=True)[1] + 1 for row in ranks], dtype=np.int32)
    return Profile(models=models, voters=voters, ranks=dense, weights=tuple(map(int, counts)))


def assert_same(profile, name, expected):
    """Dowdall points are fractions: pref_voting adds floats, which part models that tie (1/2 and 1/6 + 1/3)."""
    found = ours(profile, name)
    if name == "dowdall" and profile.is_strict and found != expected:
        points = [
            sum(Fraction(weight, rank) for weight, rank in zip(profile.weights, column, strict=True))
            for column in profile.ranks.T.tolist()
        ]
        expected = [place for place, one in enumerate(points) if one == max(points)]
    assert (name, found) == (name, expected)


def instance_of(ranks, counts):
    """Return preflibtools' instance: candidates in groups of equals, best first, each order as often as it counts."""
    instances = pytest.importorskip("preflibtools.instances")
    orders = [
        tuple(tuple(str(place) for place in np.flatnonzero(row == level)) for level in np.unique(row)) for row in ranks
    ]
    instance = instances.OrdinalInstance()
    instance.append_order_list([order for order, count in zip(orders, counts, strict=True) for _ in range(count)])
    return instance


def strict_profiles(rng):
    for _ in range(MANY):
        models, voters = rng.integers(2, 6), rng.integers(1, 8)
        yield np.array([rng.permutation(models) for _ in range(voters)]), rng.integers(1, 4, voters)


def weak_profiles(rng):
    for _ in range(MANY):
        models, voters = rng.integers(2, 6), rng.integers(1, 7)
        yield rng.integers(1, models + 1, (voters, models)), rng.integers(1, 4, voters)


def test_winners_without_ties_are_those_of_pref_voting():
    cases = list(strict_profiles(np.random.default_rng(20)))
    ballots = [([np.argsort(row).tolist() for row in ranks], counts.tolist()) for ranks, counts in cases]
    answers = asked("pref_voting", peers.of_strict_orders, ballots, compiled=False)
    for (ranks, counts), said in zip(cases, answers, strict=True):
        profile = profile_of(ranks, counts)
        for name, expected in said.items():
            try:
                assert_same(profile, name, expected)
            except ImpossibleError:
                # No most likely strengths: pref_voting's iteration stops somewhere all the same.
                assert name == "bradley_terry"


def test_winners_with_ties_are_those_of_pref_voting():
    cases = list(weak_profiles(np.random.default_rng(21)))
    ballots = [(ranks.tolist(), counts.tolist()) for ranks, counts in cases]
    answers = asked("pref_voting", peers.of_weak_orders, ballots, compiled=False)
    for (ranks, counts), said in zip(cases, answers, strict=True):
        profile = profile_of(ranks, counts)
        for name, expected in said.items():
            assert_same(profile, name, expected)


@pytest.mark.parametrize("draw", [strict_profiles, weak_profiles])
def test_winners_by_scores_are_those_of_preflibtools(draw):
    single = pytest.importorskip("preflibtools.aggregation.singlewinner")
    rules = {"plurality(ties=min)": single.plurality_winner, "veto(ties=max)": single.veto_winner}
    rules["borda(ties=max)"] = single.borda_winner
    if draw is strict_profiles:
        rules["k_approval(k=2)"] = partial(single.k_approval_winner, k=2)
    for ranks, counts in draw(np.random.default_rng(22)):
        instance, profile = instance_of(ranks, counts), profile_of(ranks, counts)
        for name, rule_of_theirs in rules.items():
            assert (name, ours(profile, name)) == (name, sorted(map(int, rule_of_theirs(instance))))


def test_exact_weights_find_no_false_condorcet_winner():
    # 0.1 + 0.2 against 0.3 is a tie; float margins make a winner of it.
    profile = Profile.from_orders([["a", "b"], ["a", "b"], ["b", "a"]], weights=["0.1", "0.2", "0.3"])
    for name in ("copeland", "minimax", "borda", "plurality", "schulze", "kemeny"):
        assert winners(profile, name) == ("a", "b")
