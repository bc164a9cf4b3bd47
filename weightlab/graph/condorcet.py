"""Models that win, do not lose, or lose every duel."""

from __future__ import annotations

from weightlab.graph.majority_graph import MajorityLike, beats, margins_of, names_where

__all__ = ["condorcet_loser", "condorcet_winner", "weak_condorcet_winners"]


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
    margins = margins_of(source)
    winners = names_where(margins.models, beats(margins).sum(axis=1) == len(margins.models) - 1)
    return winners[0] if winners else None


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
    margins = margins_of(source)
    return names_where(margins.models, beats(margins).sum(axis=0) == 0)


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
