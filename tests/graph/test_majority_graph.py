"""The majority graph, and the way back from it to its margins."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given

import weightlab as wl
from tests.graph.brute_force import Duels
from tests.graph.strategies import huge_margins, margins
from tests.strategies import FEWER, boards, profiles
from weightlab.exceptions import InputError
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


def same_margins(graph, table):
    read = margins_of(graph)
    read.check()
    read.ensure_same(table)


@given(margins())
def test_a_graph_reads_back_into_its_margins(table):
    same_margins(majority_graph(table), table)


@given(huge_margins())
def test_so_does_one_with_margins_beyond_every_machine_integer(table):
    same_margins(majority_graph(table), table)


@FEWER
@given(boards())
def test_so_does_the_graph_of_a_board_with_ties_and_gaps(board):
    same_margins(majority_graph(board), board.margins())


@FEWER
@given(profiles(complete=False))
def test_so_does_the_graph_of_a_profile(profile):
    same_margins(majority_graph(profile), profile.margins())


def test_margins_are_themselves():
    table = wl.Profile.from_orders(map(list, ["abc"])).margins()
    assert margins_of(table) is table


def test_a_part_of_a_graph_keeps_what_it_knows_of_its_tied_duels():
    graph = majority_graph(wl.Profile.from_orders(map(list, ["abc", "bac", "abc", "bac"])))
    graph.remove_node("c")
    assert margins_of(graph).wins.tolist() == [[0, 2], [2, 0]]


def test_an_edge_outweighs_what_was_noted_of_a_tied_duel():
    graph = majority_graph(wl.Profile.from_orders(map(list, ["ab", "ba"])))
    graph.add_edge("b", "a", margin=3)
    assert margins_of(graph).margin("b", "a") == 3


def test_a_graph_of_ones_own_needs_margins_only():
    table = margins_of(nx.DiGraph([("a", "b", {"margin": "1/3"}), ("b", "c", {"margin": 0.5, "losses": 1, "ties": 2})]))
    assert table.margin("a", "b") == Fraction(1, 3)
    assert table.margin("a", "c") == 0
    assert Fraction(int(table.wins[2, 1]), table.denominator) == 1
    assert Fraction(int(table.ties[2, 1]), table.denominator) == 2


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.DiGraph([("a", "b")]), r"from 'a' to 'b' has no attribute 'margin'"),
        (nx.DiGraph([("a", "b", {"margin": 0})]), r"must have a positive margin .* got margin 0"),
        (nx.DiGraph([("a", "b", {"margin": -1})]), r"must have a positive margin"),
        (nx.DiGraph([("a", "b", {"margin": 1, "wins": 3, "losses": 1})]), r"wins minus its losses"),
        (nx.DiGraph([("a", "b", {"margin": 1, "losses": -1})]), r"none of them negative"),
        (nx.DiGraph([("a", "b", {"margin": "many"})]), r"the duel of 'a' and 'b': not a finite number: 'many'"),
        (nx.DiGraph([("a", "b", {"margin": 1}), ("b", "a", {"margin": 1})]), r"in one direction only"),
        (nx.DiGraph([("a", "a", {"margin": 1})]), r"never itself"),
        (nx.Graph([("a", "b", {"margin": 1})]), r"is a networkx.DiGraph; got a Graph"),
        (nx.MultiDiGraph([("a", "b", {"margin": 1})]), r"is a networkx.DiGraph; got a MultiDiGraph"),
        (nx.DiGraph([(1, "1", {"margin": 1})]), r"two nodes of the graph have the same name as text"),
    ],
)
def test_a_graph_that_is_no_majority_graph_is_refused(graph, message):
    with pytest.raises(InputError, match=message):
        margins_of(graph)


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="a Margins or what it is made from is needed; got list"):
        margins_of([1, 2])
