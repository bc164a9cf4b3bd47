"""Cycles of majorities against the list of all of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

import weightlab as wl
from tests.graph import brute_force
from tests.graph.brute_force import Duels
from tests.graph.corruption import assert_each_spoilt_field_is_seen, assert_each_spoilt_part_is_seen, travelled
from tests.graph.strategies import huge_margins, margins
from weightlab.data.components import is_cyclic, strong_components, topological
from weightlab.exceptions import ProofError
from weightlab.graph import (
    condorcet_winner,
    count_three_cycles,
    intransitive_triple,
    is_acyclic,
    is_transitive,
    shortest_cycle,
    strongest_cycle,
)
from weightlab.graph.cycles.cycles import largest_threshold
from weightlab.graph.paths import cycle_of_three, shortest_cycle_of

CYCLE = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
# Ties are common, so that there are cycles without one of three.
SPARSE = margins(models=(1, 6), most=1)


@given(SPARSE)
def test_acyclic_means_that_no_cycle_is_listed(table):
    assert is_acyclic(table) == (brute_force.cycles(Duels(table)) == [])


@given(SPARSE)
def test_the_shortest_cycle_is_a_cycle_with_fewest_models(table):
    cycles, shortest = brute_force.cycles(Duels(table)), shortest_cycle(table)
    assert (shortest is None) == (cycles == [])
    if shortest is not None:
        assert shortest in cycles
        assert len(shortest) == min(map(len, cycles))


@pytest.mark.parametrize("most", [1, 3])
@given(table=margins(models=(1, 6), most=3))
def test_cycles_of_three_are_counted(table, most):
    table = replace(table, wins=np.minimum(table.wins, most))
    assert count_three_cycles(table) == sum(len(cycle) == 3 for cycle in brute_force.cycles(Duels(table)))


@given(margins(tied=False))
def test_without_ties_they_are_counted_from_the_wins_alone(table):
    assert count_three_cycles(table) == sum(len(cycle) == 3 for cycle in brute_force.cycles(Duels(table)))


@pytest.mark.parametrize("strict", [True, False])
@given(table=margins(models=(1, 5), most=1))
def test_transitive_means_that_no_triple_shows_otherwise(table, strict):
    duels = Duels(table)
    over = duels.beats if strict else (lambda a, b: not duels.beats(b, a))
    triples = {
        (a, b, c)
        for a in table.models
        for b in table.models
        for c in table.models
        if over(a, b) and over(b, c) and not over(a, c)
    }
    found = intransitive_triple(table, strict=strict)
    assert is_transitive(table, strict=strict) == (not triples) == (found is None)
    assert found is None or found in triples


@given(SPARSE)
def test_the_strongest_cycle_is_as_strong_as_any(table):
    duels, found = Duels(table), strongest_cycle(table)
    strengths = {
        cycle: min(duels.margin[pair] for pair in brute_force.around(cycle)) for cycle in brute_force.cycles(duels)
    }
    assert (found is None) == (strengths == {})
    if found is not None:
        best = {cycle for cycle in strengths if strengths[cycle] == max(strengths.values())}
        assert found.strength == max(strengths.values())
        assert found.models in best
        assert len(found.models) == min(map(len, best))
        assert found.verify(table)
        again = travelled(found)
        assert again.verify(table)
        assert (str(again), again.models) == (str(found), found.models)
        assert list(found.summary()["margin"]) == [
            float(duels.margin[pair]) for pair in brute_force.around(found.models)
        ]


@given(huge_margins(models=(3, 5)))
def test_margins_beyond_every_machine_integer_are_compared_exactly(table):
    duels, found = Duels(table), strongest_cycle(table)
    strengths = [min(duels.margin[pair] for pair in brute_force.around(cycle)) for cycle in brute_force.cycles(duels)]
    assert (found.strength if found else None) == (max(strengths) if strengths else None)
    assert found is None or travelled(found).verify(table)


@given(SPARSE)
def test_transitive_majorities_are_acyclic_and_acyclic_ones_have_no_cycle_of_three(table):
    if is_transitive(table):
        assert is_acyclic(table)
    if is_acyclic(table):
        assert count_three_cycles(table) == 0
    if is_transitive(table, strict=False):
        assert is_transitive(table)


def test_the_papers_example_is_a_cycle():
    board = wl.datasets.load_leaderboard("beyond-arrow-table1")
    assert condorcet_winner(board) is None
    assert len(shortest_cycle(board)) == 3
    assert count_three_cycles(board) == 1
    assert not is_transitive(board)


def margins_with(models, sizes):
    """Return margins of these sizes by (winner, loser); all other duels are tied."""
    wins = np.array([[sizes.get((one, other), 0) for other in models] for one in models])
    return wl.data.Margins(models=tuple(models), wins=wins, ties=np.zeros_like(wins), denominator=1)


def test_a_cycle_of_four_need_not_hold_one_of_three():
    links = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    graph = margins_with("abcd", {link: size for size, link in enumerate(links, start=1)})
    assert shortest_cycle(graph) == ("a", "b", "c", "d")
    assert count_three_cycles(graph) == 0
    assert str(strongest_cycle(graph)) == (
        "a > b > c > d > a: every majority in this cycle is by 1 or more, and no cycle is stronger."
    )


def test_each_corrupted_field_is_seen():
    result = strongest_cycle(CYCLE)
    spoilt = {
        "models": [("a", "c", "b"), ("a", "b"), ("a", "b", "c", "a"), ("a", "b", "b")],
        "strength": [result.strength + 1, result.strength / 2, Fraction(0), -result.strength],
        "order": [("c", "b", "a"), ("a", "b"), ("a", "b", "b")],
        "margins": [CYCLE.select(voters=["1"]).margins(), replace(result.margins, wins=-result.margins.wins)],
    }
    assert_each_spoilt_field_is_seen(result, spoilt)


def test_a_weaker_cycle_is_no_strongest_one():
    light, heavy = [("a", "b"), ("b", "c"), ("c", "a")], [("d", "e"), ("e", "f"), ("f", "d")]
    graph = margins_with("abcdef", dict.fromkeys(light, 1) | dict.fromkeys(heavy, 2))
    weaker = replace(strongest_cycle(graph), models=("a", "b", "c"), strength=Fraction(1))
    with pytest.raises(ProofError, match=r"'[def]' beats '[def]' above it in the order by more than 1"):
        weaker.verify(graph)


def test_each_corrupted_part_of_a_document_is_seen():
    spoilt = [
        (("models",), ["a", "c", "b"]),
        (("models",), ["a", "b", "z"]),
        (("strength",), "2/1"),
        (("strength",), 1),
        (("order",), ["a"]),
        (("margins", "wins", 0, 1), 0),
    ]
    assert_each_spoilt_part_is_seen(strongest_cycle(CYCLE), spoilt)


def random_relation(count, seed, density=0.2):
    relation = np.random.default_rng(seed).random((count, count)) < density
    np.fill_diagonal(relation, val=False)
    return relation & ~np.triu(relation.T)


@pytest.mark.parametrize("seed", range(8))
def test_components_and_their_order_are_those_of_reachability(seed):
    relation = random_relation(12, seed)
    reach = relation | np.eye(12, dtype=bool)
    for middle in range(12):
        reach |= reach[:, middle, None] & reach[middle]
    count, component = strong_components(relation)
    together = component[:, None] == component
    assert np.array_equal(together, reach & reach.T)
    assert count == len({tuple(row) for row in together})
    assert is_cyclic(relation) == (count < 12)
    place = topological(relation)
    assert np.array_equal(place[:, None] == place, together)
    assert np.all(place[:, None] <= place, where=relation)
    assert set(place) == set(range(count))


@pytest.mark.parametrize("seed", range(8))
def test_shortest_cycles_are_as_short_as_powers_of_the_relation_say(seed):
    relation = random_relation(10, seed)
    lengths = np.full((10, 10), 99)
    power = relation.copy()
    for length in range(1, 11):
        lengths[power & (lengths == 99)] = length
        power = (power.astype(int) @ relation.astype(int)) > 0
    cycle = shortest_cycle_of(relation)
    assert len(cycle) == (0 if np.diagonal(lengths).min() == 99 else np.diagonal(lengths).min())
    assert all(relation[a, b] for a, b in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True))


def rings(*sizes):
    """Return a relation of rings, each of whose models also stands above all of the rings that follow."""
    place = np.repeat(np.arange(len(sizes)), sizes)
    relation = place[:, None] < place
    start = 0
    for size in sizes:
        ring = np.arange(start, start + size)
        relation[ring, np.roll(ring, -1)] = True
        start += size
    return relation


@pytest.mark.parametrize("cells", [None, 1])
@pytest.mark.parametrize("sizes", [(4,), (7, 5, 9), (5, 7), (20, 11), (300,), (4, 3)])
def test_of_rings_that_follow_one_another_the_shortest_is_found(sizes, cells, monkeypatch):
    if cells is not None:
        monkeypatch.setattr("weightlab.graph.paths.BLOCK_CELLS", cells)
    relation = rings(*sizes)
    cycle = shortest_cycle_of(relation)
    assert len(cycle) == len(set(cycle)) == min(sizes)
    assert all(relation[a, b] for a, b in pairwise([*cycle, cycle[0]]))


def test_products_in_blocks_find_the_same(monkeypatch):
    relation = random_relation(30, seed=1)
    table = wl.data.Margins(
        models=tuple(f"m{row}" for row in range(30)),
        wins=relation.astype(int),
        ties=np.zeros((30, 30), dtype=int),
        denominator=1,
    )
    whole = (cycle_of_three(relation), count_three_cycles(table), intransitive_triple(table))
    monkeypatch.setattr("weightlab.graph.paths.BLOCK_CELLS", 100)
    assert (cycle_of_three(relation), count_three_cycles(table), intransitive_triple(table)) == whole


def test_a_threshold_may_ask_for_cycles_of_three():
    links = np.zeros((4, 4), dtype=int)
    links[[0, 1, 2, 3], [1, 2, 3, 0]] = 5
    links[2, 0] = 2
    assert largest_threshold(links) == 5
    assert largest_threshold(links, of_three=True) == 2
    assert largest_threshold(np.triu(links)) is None
