"""The majority graph of a score table, and the way back from a graph to its exact margins."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np

from weightlab._exact import INT64_SAFE, AnyArray, BoolArray, common_denominator, fraction
from weightlab._result import told_of
from weightlab.data.convert import MarginsLike, as_margins
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError

if TYPE_CHECKING:
    import networkx as nx

T = TypeVar("T")
MajorityLike: TypeAlias = "MarginsLike | nx.DiGraph[str]"
"""What every question of this part takes: a table, a profile, its margins, or a majority graph."""
TIED = "tied_duels"
"""Where a majority graph keeps what it knows of duels without a winner, which are no edges."""


def majority_graph(source: MajorityLike) -> nx.DiGraph[str]:
    """Return the majority graph: an edge from x to y where x beats y.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.

    Returns
    -------
    networkx.DiGraph
        All models are nodes, in board order. An edge has the exact attributes ``margin``, ``wins``, ``losses`` and
        ``ties`` (``Fraction``, in the units of the weights): the weight of the tasks on which the winner leads,
        trails, or ties the loser with both scores there; the margin is wins minus losses and positive.
        A tied duel is no edge; the graph attribute ``tied_duels`` maps its pair of models, the first in board order
        first, to its ``wins`` (of either side) and ``ties``, so that nothing of the margins is lost.

    Notes
    -----
    O(models^2) time and memory, as Python objects: 5,000 models make 12 million edges. Questions about large tables
    are better asked of the table itself, which makes none.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 1, "b": 0}, "z": {"a": 1, "b": 2}})
    >>> graph = majority_graph(board)
    >>> list(graph.edges)
    [('a', 'b')]
    >>> graph.edges["a", "b"]["margin"]
    Fraction(1, 1)
    """
    import networkx as nx  # noqa: PLC0415 - takes as long to load as all of weightlab

    margins = margins_of(source)
    exact = _Fractions(margins.denominator)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(margins.models)
    rows, columns = np.nonzero(beats(margins))
    graph.add_edges_from(
        (margins.models[row], margins.models[column], exact.duel(margins, row, column))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    )
    graph.graph[TIED] = {
        (margins.models[row], margins.models[column]): {
            "wins": exact[margins.wins[row, column]],
            "ties": exact[margins.ties[row, column]],
        }
        for row, column in np.argwhere(np.triu(margins.wins == margins.wins.T, 1)).tolist()
    }
    return graph


def margins_of(source: MajorityLike) -> Margins:
    """Return the exact margins behind a table, a profile, a majority graph, or the margins themselves.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        An edge of a graph needs a positive ``margin``; its ``wins`` default to the margin and more losses, its
        ``losses`` and ``ties`` to 0. A pair without an edge is a tied duel, as ``graph.graph["tied_duels"]`` says
        or else with nothing on either side.

    Raises
    ------
    InputError
        If a graph is not a majority graph: an edge without a margin, a margin that is not positive or not wins minus
        losses, an edge both ways, a loop, a multigraph.

    Examples
    --------
    >>> import networkx as nx
    >>> margins_of(nx.DiGraph([("a", "b", {"margin": 0.5})])).margin("b", "a")
    Fraction(-1, 2)
    """
    return as_margins(no_graph(source))


def no_graph(source: T | nx.DiGraph[Any]) -> T | Margins:
    """Return the margins of a majority graph, and all else as it is."""
    networkx = sys.modules.get("networkx")  # where it is not loaded, nothing is a graph
    if networkx is not None and isinstance(source, networkx.Graph):
        return _from_graph(source)
    return cast("T", source)


def check_margins(margins: Margins, source: MajorityLike | None) -> None:
    """Raise ProofError unless margins are those of duels, of a source's where one is given."""
    margins.check()
    if source is not None:
        margins.ensure_same(margins_of(source))


def beats(margins: Margins) -> BoolArray:
    """Return who beats whom (models x models): the strict majority relation."""
    return np.asarray(margins.wins > margins.wins.T, dtype=np.bool_)


def names_where(models: Sequence[str], chosen: AnyArray) -> tuple[str, ...]:
    """Return the names of the chosen models in board order."""
    return tuple(models[row] for row in np.flatnonzero(chosen))


class _Fractions(dict[int, Fraction]):
    """Integers over a denominator as fractions, each made once."""

    def __init__(self, denominator: int) -> None:
        super().__init__()
        self.denominator = denominator

    def __missing__(self, number: int) -> Fraction:
        self[number] = made = Fraction(int(number), self.denominator)
        return made

    def duel(self, margins: Margins, winner: int, loser: int) -> dict[str, Fraction]:
        wins, losses = margins.wins[winner, loser], margins.wins[loser, winner]
        return {
            "margin": self[wins - losses],
            "wins": self[wins],
            "losses": self[losses],
            "ties": self[margins.ties[winner, loser]],
        }


def _from_graph(graph: nx.Graph[str]) -> Margins:
    if not graph.is_directed() or graph.is_multigraph():
        raise InputError(f"a majority graph is a networkx.DiGraph; got a {type(graph).__name__}")
    models = tuple(str(node) for node in graph.nodes)
    if len(set(models)) < len(models):
        raise InputError("two nodes of the graph have the same name as text")
    row = {node: position for position, node in enumerate(graph.nodes)}
    cells: list[tuple[int, int]] = []
    numbers: list[Fraction] = []
    for first, second, (wins, losses, ties) in _duels(graph, row):
        cells.append((row[first], row[second]))
        numbers += [wins, losses, ties]
    numerators, denominator = common_denominator(numbers)
    wins_array, ties_array = _filled(len(models), cells, numerators)
    return Margins(models=models, wins=wins_array, ties=ties_array, denominator=denominator)


def _duels(graph: nx.Graph[str], row: Mapping[str, int]) -> Iterator[tuple[str, str, tuple[Fraction, ...]]]:
    """Yield each duel that the graph tells of with the wins, losses and ties of its first model."""
    for winner, loser, attributes in graph.edges(data=True):
        yield winner, loser, _edge_numbers(graph, winner, loser, attributes)
    for (first, second), counts in graph.graph.get(TIED, {}).items():
        known = first in row and second in row
        if known and not graph.has_edge(first, second) and not graph.has_edge(second, first):
            wins, ties = _exact(counts["wins"], first, second), _exact(counts["ties"], first, second)
            yield first, second, (wins, wins, ties)


def _edge_numbers(graph: nx.Graph[str], winner: str, loser: str, attributes: Mapping[str, Any]) -> tuple[Fraction, ...]:
    edge = f"the edge from {winner!r} to {loser!r}"
    if winner == loser or graph.has_edge(loser, winner):
        raise InputError(f"{edge}: a model beats another in one direction only, and never itself")
    if "margin" not in attributes:
        raise InputError(f"{edge} has no attribute 'margin'; a majority graph has a positive one on every edge")
    margin = _exact(attributes["margin"], winner, loser)
    losses = _exact(attributes.get("losses", 0), winner, loser)
    wins = _exact(attributes.get("wins", margin + losses), winner, loser)
    ties = _exact(attributes.get("ties", 0), winner, loser)
    if margin <= 0 or margin != wins - losses or losses < 0 or ties < 0:
        raise InputError(
            f"{edge} must have a positive margin that is its wins minus its losses, none of them negative; "
            f"got margin {margin}, wins {wins}, losses {losses}, ties {ties}"
        )
    return wins, losses, ties


def _exact(value: Any, first: str, second: str) -> Fraction:
    with told_of(f"the duel of {first!r} and {second!r}", InputError):
        return fraction(value)


def _filled(count: int, cells: Sequence[tuple[int, int]], numerators: Sequence[int]) -> tuple[AnyArray, AnyArray]:
    dtype = np.dtype(np.int64) if max(numerators, default=0) < INT64_SAFE else np.dtype(object)
    wins = np.zeros((count, count), dtype=dtype)
    ties = np.zeros((count, count), dtype=dtype)
    if cells:
        rows, columns = np.array(cells).T
        numbers = np.array(numerators, dtype=dtype).reshape(-1, 3)
        wins[rows, columns], wins[columns, rows] = numbers[:, 0], numbers[:, 1]
        ties[rows, columns] = ties[columns, rows] = numbers[:, 2]
    return wins, ties


# Models that win, do not lose, or lose every duel.


def condorcet_winner(source: MajorityLike) -> str | None:
    """Return the model that beats every rival, or None.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.

    Notes
    -----
    O(models^2) on the margins.

    References
    ----------
    Vote'n'Rank, section 2.2.3.

    Examples
    --------
    >>> import weightlab as wl
    >>> condorcet_winner(wl.Profile.from_orders(map(list, ["abc", "bac", "acb"])))
    'a'
    >>> condorcet_winner(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))) is None
    True
    """
    return margins_of(source).winner


def weak_condorcet_winners(source: MajorityLike) -> tuple[str, ...]:
    """Return the models that no rival beats, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.

    Notes
    -----
    O(models^2) on the margins. A Condorcet winner is the only one; otherwise they all tie one another.

    Examples
    --------
    >>> import weightlab as wl
    >>> weak_condorcet_winners(wl.Profile.from_orders(map(list, ["abc", "bac"])))
    ('a', 'b')
    """
    return margins_of(source).undefeated


def condorcet_loser(source: MajorityLike) -> str | None:
    """Return the model that every rival beats, or None.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.

    Notes
    -----
    O(models^2) on the margins. A lone model is the Condorcet winner and loser.

    Examples
    --------
    >>> import weightlab as wl
    >>> condorcet_loser(wl.Profile.from_orders(map(list, ["abc", "bac", "acb"])))
    'c'
    """
    margins = margins_of(source)
    losers = names_where(margins.models, beats(margins).sum(axis=0) == len(margins.models) - 1)
    return losers[0] if losers else None
