"""Second opinions: pref_voting's and preflibtools' answers on thousands of random profiles, with and without ties."""

from __future__ import annotations

import numpy as np
import pytest

import weightlab as wl
from tests.graph import peer_answers
from tests.peer import asked
from weightlab.graph import (
    banks_set,
    bipartisan_set,
    condorcet_winner,
    copeland,
    kemeny,
    kemeny_cost,
    maximal_lottery,
    minimax,
    ranked_pairs,
    schulze,
    schwartz_set,
    slater,
    smith_set,
    split_cycle,
    uncovered_set,
    weak_condorcet_winners,
)

pytestmark = pytest.mark.peers

PROFILES = 1_000


def ballots(kind, count=PROFILES, seed=0):
    """Return random ballots: for each voter the rank of every candidate; odd and even numbers of voters, or ties."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(count):
        candidates, half = rng.integers(2, 6), rng.integers(1, 5)
        voters = 2 * half + (kind == "odd")
        order = np.argsort(rng.random((voters, candidates)), axis=1) + 1
        ranks = order if kind != "tied" else rng.integers(1, candidates + 1, size=order.shape)
        drawn.append(ranks.tolist())
    return drawn


def profile_of(ranks):
    models = [str(place) for place in range(len(ranks[0]))]
    orders = [
        [tuple(model for model, rank in zip(models, row, strict=True) if rank == place) for place in sorted(set(row))]
        for row in ranks
    ]
    return wl.Profile.from_orders(orders, models=models)


def or_everyone(names, models):
    """Return the names, or all models where there are none: so pref_voting words that nobody is a Condorcet winner."""
    return names or models


def top(scores):
    return [model for model, score in scores.items() if score == scores.iloc[0]]


OURS = {
    "condorcet": lambda profile: or_everyone(list(filter(None, [condorcet_winner(profile)])), profile.models),
    "weak_condorcet": lambda profile: or_everyone(weak_condorcet_winners(profile), profile.models),
    "copeland": lambda profile: top(copeland(profile)),
    "smith": smith_set,
    "schwartz": schwartz_set,
    "gillies": uncovered_set,
    "fishburn": lambda profile: uncovered_set(profile, kind="fishburn"),
    "bordes": lambda profile: uncovered_set(profile, kind="bordes"),
    "mckelvey": lambda profile: uncovered_set(profile, kind="mckelvey"),
    "minimax": lambda profile: top(minimax(profile, score="margins")),
    "minimax_support": lambda profile: top(minimax(profile)),
    "schulze": lambda profile: schulze(profile).winners,
    "split_cycle": lambda profile: split_cycle(profile).winners,
}


def theirs(names, drawn):
    return asked("pref_voting", peer_answers.winners, list(names), drawn)


@pytest.mark.parametrize("kind", ["odd", "even", "tied"])
def test_the_winners_are_pref_votings(kind):
    drawn = ballots(kind)
    for ranks, answers in zip(drawn, theirs(OURS, drawn), strict=True):
        profile = profile_of(ranks).margins()
        ours = {name: sorted(map(int, rule(profile))) for name, rule in OURS.items()}
        assert ours == answers, ranks


def instance_of(ranks):
    """Return preflibtools' instance: for each voter the candidates in groups of equals, best first."""
    instances = pytest.importorskip("preflibtools.instances")
    candidates = [str(place) for place in range(len(ranks[0]))]
    groups = [
        tuple(
            tuple(one for one, rank in zip(candidates, row, strict=True) if rank == place) for place in sorted(set(row))
        )
        for row in ranks
    ]
    instance = instances.OrdinalInstance()
    instance.append_order_list(groups)
    return instance


@pytest.mark.parametrize("kind", ["odd", "even", "tied"])
def test_wins_and_margins_are_preflibtools(kind):
    properties = pytest.importorskip("preflibtools.properties")
    for ranks in ballots(kind, seed=5):
        instance, margins = instance_of(ranks), profile_of(ranks).margins()
        wins, leads = properties.pairwise_scores(instance), properties.copeland_scores(instance)
        for model in margins.models:
            for rival in set(margins.models) - {model}:
                assert margins.wins[int(model), int(rival)] == wins[model][rival], ranks
                assert margins.margin(model, rival) == leads[model][rival], ranks


@pytest.mark.parametrize("kind", ["odd", "even"])
def test_whether_there_is_a_condorcet_winner_is_what_preflibtools_says(kind):
    """Of orders without ties: preflibtools leaves out of account the pairs that every voter ties."""
    properties = pytest.importorskip("preflibtools.properties")
    for ranks in ballots(kind, seed=6):
        instance, profile = instance_of(ranks), profile_of(ranks)
        assert (condorcet_winner(profile) is not None) == properties.has_condorcet(instance), ranks
        assert bool(weak_condorcet_winners(profile)) == properties.has_condorcet(instance, weak_condorcet=True), ranks


def test_the_kemeny_cost_is_the_sum_of_preflibtools_kendall_tau_distances():
    distances = pytest.importorskip("preflibtools.properties.distances")
    for ranks in ballots("odd", seed=7):
        profile = profile_of(ranks)
        order = tuple((model,) for model in sorted(profile.models, key=lambda model: ranks[0][int(model)]))
        votes = instance_of(ranks).full_profile()
        assert kemeny_cost(profile, order) == sum(distances.kendall_tau_distance(order, vote) for vote in votes), ranks


@pytest.mark.parametrize("kind", ["odd", "even", "tied"])
def test_ranked_pairs_chooses_pref_votings_winner_where_no_duel_is_tied_and_leaves_it_open_where_one_is(kind):
    """Of pref_voting's tie-break: where equally strong majorities matter, its winner is one of those who can win."""
    drawn = ballots(kind, seed=1)
    for ranks, answers in zip(drawn, theirs(["ranked_pairs"], drawn), strict=True):
        ranking = ranked_pairs(profile_of(ranks))
        ours, found = [int(model) for model in ranking.winners], answers["ranked_pairs"]
        left_open = kind != "odd" or ranking.tie_break_mattered
        assert ours == found or (left_open and set(found) < set(ours)), ranks


@pytest.mark.parametrize("kind", ["odd", "even", "tied"])
def test_split_cycles_defeats_are_pref_votings(kind):
    drawn = ballots(kind, count=PROFILES // 2, seed=2)
    for ranks, edges in zip(drawn, asked("pref_voting", peer_answers.splitting_defeats, drawn), strict=True):
        defeats = split_cycle(profile_of(ranks)).defeats.to_numpy()
        assert sorted(map(tuple, np.argwhere(defeats).tolist())) == [tuple(edge) for edge in edges], ranks


def test_banks_slater_and_the_bipartisan_set_of_tournaments_are_pref_votings():
    drawn = ballots("odd", count=PROFILES // 5, seed=3)
    for ranks, answers in zip(drawn, theirs(["banks", "slater", "bipartisan"], drawn), strict=True):
        profile = profile_of(ranks)
        assert sorted(map(int, banks_set(profile))) == answers["banks"], ranks
        assert sorted(map(int, bipartisan_set(profile))) == answers["bipartisan"], ranks
        assert tops(slater(profile)) == answers["slater"], ranks


def test_kemeny_winners_and_the_essential_set_are_pref_votings():
    drawn = ballots("odd", count=PROFILES // 5, seed=4)
    for ranks, answers in zip(drawn, theirs(["kemeny", "essential"], drawn), strict=True):
        profile = profile_of(ranks)
        assert tops(kemeny(profile)) == answers["kemeny"], ranks
        assert sorted(map(int, maximal_lottery(profile).support)) == answers["essential"], ranks


def tops(result):
    """Return the models that some order of least cost has first: those that no shared pair puts below another."""
    block = result.blocks[0]
    if result.unique:
        return [int(result.order[0][0])]
    return sorted(int(result.models[place]) for place in block.models[possible_tops(result, block)])


def possible_tops(result, block):
    net = np.sign(result.margins.array) if result.kind == "slater" else result.margins.array
    square = net[np.ix_(block.models, block.models)].astype(np.int64)
    from weightlab.graph.median_orders.least_order import least_order

    firsts = []
    for place in range(len(square)):
        held = square.copy()
        # A model beyond comparison: its wins outweigh everything, at the price of the duels it loses.
        held[place], held[:, place] = 10**6, -(10**6)
        held[place, place] = 0
        rest = sum(one.cost for one in least_order(held))
        if rest + int(np.maximum(square[:, place], 0).sum()) == block.cost * factor(result):
            firsts.append(place)
    return np.array(firsts, dtype=np.int64)


def factor(result):
    if result.kind == "slater":
        return 1
    return int(np.gcd.reduce(result.margins.array.ravel().astype(np.int64))) or 1
