"""The majority graph of a score table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import ensure
from weightlab.data.convert import (
    MarginsLike,
    ProfileLike,
    Unlisted,
    as_leaderboard,
    as_listed,
    as_margins,
    ensure_listed,
)
from weightlab.data.margins import Margins
from weightlab.data.signs import Signs

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

MajorityLike: TypeAlias = MarginsLike
"""What every question of this part takes: a table, a profile, or its margins."""
TIED = "tied_duels"
"""Where a majority graph keeps what it knows of head-to-heads without a winner, which are not edges."""


def majority_graph(source: MajorityLike, *, unlisted: Unlisted | None = None) -> nx.DiGraph[str]:
    """Return the majority graph: an edge from x to y where x beats y.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    networkx.DiGraph
        All models are nodes, in board order. An edge has the exact attributes ``margin``, ``wins``, ``losses`` and
        ``ties`` (``Fraction``, in the units of the weights): the weight of the tasks on which the winner leads,
        trails, or ties the loser with both scores there; the margin is wins minus losses and positive.
        A tied duel is no edge; the graph attribute ``tied_duels`` maps its pair of models, the first in board order
        first, to its ``wins`` (of either side) and ``ties``, so that the margins can be recovered in full.

    Notes
    -----
    O(models^2) time and memory, as Python objects: 5,000 models make 12 million edges. Questions about large tables
    are better asked about the table itself, which creates none.

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

    margins = margins_of(source, unlisted)
    names, exact = margins.models, cache(lambda number: Fraction(number, margins.denominator))
    counts = {"margin": margins.array, "wins": margins.wins, "losses": margins.wins.T, "ties": margins.ties}

    def told(row: int, column: int, *what: str) -> dict[str, Fraction]:
        return {one: exact(int(counts[one][row, column])) for one in what}

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(names)
    won, tied = (np.argwhere(one).tolist() for one in (beats(margins), np.triu(margins.wins == margins.wins.T, 1)))
    graph.add_edges_from((names[row], names[column], told(row, column, *counts)) for row, column in won)
    graph.graph[TIED] = {(names[row], names[column]): told(row, column, "wins", "ties") for row, column in tied}
    return graph


def margins_of(source: MajorityLike, unlisted: Unlisted | None = None) -> Margins:
    """Return the exact margins behind a table or a profile, or the margins themselves.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        Models that a voter (or task) leaves out are behind all that it ranks, or unknown: then it counts as a tie in
        their head-to-heads. By default a profile stands as it was read.

    Examples
    --------
    >>> import weightlab as wl
    >>> margins_of(wl.Profile.from_orders(map(list, ["ab", "ba", "ba"]))).margin("b", "a")
    Fraction(1, 1)
    """
    return as_margins(as_listed(source, unlisted))


def check_margins(margins: Margins, source: MajorityLike | None) -> None:
    """Raise ProofError unless margins are consistent and, given a source, match it as it is or listed."""
    margins.check()
    if source is not None:
        ensure_listed(lambda listed: margins.ensure_same(margins_of(listed)), source)


def ensure_same_places(signs: Signs, weights: pd.Series, source: ProfileLike) -> None:
    """Raise ProofError unless the places of scores, and the weights of the tasks, are those of a source."""
    table = as_leaderboard(source)
    signs.ensure_same(table, places=True)
    theirs = table.weights
    other = [task for task in signs.tasks if theirs[task] != weights[task]]
    ensure(not other, f"the source has another weight on {other[:1]}")


def beats(margins: Margins) -> BoolArray:
    """Return who beats whom (models x models): the strict majority relation."""
    return np.asarray(margins.wins > margins.wins.T, dtype=np.bool_)


def names_where(models: Sequence[str], chosen: AnyArray) -> tuple[str, ...]:
    """Return the names of the chosen models in board order."""
    return tuple(models[row] for row in np.flatnonzero(chosen))


# Models that win, do not lose, or lose every head-to-head.


def condorcet_winner(source: MajorityLike, *, unlisted: Unlisted | None = None) -> str | None:
    """Return the model that beats every rival, or None.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

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
    return margins_of(source, unlisted).winner


def weak_condorcet_winners(source: MajorityLike, *, unlisted: Unlisted | None = None) -> tuple[str, ...]:
    """Return the models that no rival beats, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    O(models^2) on the margins. A Condorcet winner is the only one; otherwise they all tie one another.

    Examples
    --------
    >>> import weightlab as wl
    >>> weak_condorcet_winners(wl.Profile.from_orders(map(list, ["abc", "bac"])))
    ('a', 'b')
    """
    return margins_of(source, unlisted).undefeated


def condorcet_loser(source: MajorityLike, *, unlisted: Unlisted | None = None) -> str | None:
    """Return the model that every rival beats, or None.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    O(models^2) on the margins. A lone model is the Condorcet winner and loser.

    Examples
    --------
    >>> import weightlab as wl
    >>> condorcet_loser(wl.Profile.from_orders(map(list, ["abc", "bac", "acb"])))
    'c'
    """
    margins = margins_of(source, unlisted)
    losers = names_where(margins.models, beats(margins).sum(axis=0) == len(margins.models) - 1)
    return losers[0] if losers else None
