"""The majority graph for networkx."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given

import weightlab as wl
from tests.graph.brute_force import Duels
from tests.graph.strategies import margins
from weightlab.graph import majority_graph, margins_of


@given(margins())
def test_an_edge_runs_from_winner_to_loser_with_the_exact_counts_of_the_duel(table):
    duels, graph = Duels(table), majority_graph(table)
    assert tuple(graph.nodes) == table.models
    assert set(graph.edges) == {pair for pair in duels.margin if duels.beats(*pair)}
    for winner, loser, counts in graph.edges(data=True):
        assert counts == {
            "margin": duels.margin[winner, loser],
            "wins": duels.wins[winner, loser],
            "losses": duels.wins[loser, winner],
            "ties": duels.ties[winner, loser],
        }
        assert all(type(value) is Fraction for value in counts.values())


def test_margins_are_themselves():
    table = wl.Profile.from_orders(map(list, ["abc"])).margins()
    assert margins_of(table) is table


@given(margins())
def test_tied_duels_are_kept_beside_the_edges(table):
    duels, kept = Duels(table), majority_graph(table).graph["tied_duels"]
    tied = {(a, b) for a, b in combinations(table.models, 2) if not duels.beats(a, b) and not duels.beats(b, a)}
    assert set(kept) == tied
    assert all(kept[pair] == {"wins": duels.wins[pair], "ties": duels.ties[pair]} for pair in tied)


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="a Margins or what it is made from is needed; got list"):
        margins_of([1, 2])
