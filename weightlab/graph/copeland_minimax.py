"""Scores from the head-to-heads of each model alone: Copeland and minimax."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import name_index
from weightlab.data import Margins
from weightlab.data.convert import Unlisted
from weightlab.exceptions import InputError
from weightlab.graph.majority_graph import MajorityLike, beats, margins_of

CopelandScore: TypeAlias = Literal["difference", "wins", "losses", "half_ties"]
"""Head-to-heads won minus lost; those won; those lost, negative; those won and half of those tied."""
MinimaxScore: TypeAlias = Literal["winning_votes", "margins", "pairwise_opposition"]
"""How a defeat is measured: the weight for the winner, its margin, or the weight against, even without a defeat."""


def copeland(
    source: MajorityLike, *, score: CopelandScore = "difference", unlisted: Unlisted | None = None
) -> pd.Series:
    """Return the Copeland scores, best first; models that tie stand in board order.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    score : {"difference", "wins", "losses", "half_ties"}
        The number of head-to-heads won minus lost (the papers' u(m)); of those won; of those lost, as a
        negative number; of those won and half of those tied.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    Series of int, or of Fraction for ``"half_ties"``
        Indexed by models. The greater the better, whatever the score.

    Notes
    -----
    O(models^2) on the margins. Without tied duels all four scores rank alike.

    References
    ----------
    Vote'n'Rank, section 2.2.3.

    Examples
    --------
    >>> import weightlab as wl
    >>> copeland(wl.Profile.from_orders(map(list, ["abc", "bac", "acb"]))).to_dict()
    {'a': 2, 'b': 0, 'c': -2}
    """
    margins = margins_of(source, unlisted)
    values = copeland_values(margins, score)
    halves = [Fraction(int(one), 2) for one in values]
    return _best_first(margins.models, halves if score == "half_ties" else values.astype(np.int64), score)


def copeland_values(margins: Margins, score: str) -> AnyArray:
    """Return the Copeland scores in board order as integers, twice the scores for ``"half_ties"``."""
    beaten = beats(margins)
    wins, losses = beaten.sum(axis=1), beaten.sum(axis=0)
    values = {
        "difference": wins - losses,
        "wins": wins,
        "losses": -losses,
        "half_ties": wins - losses + len(margins.models) - 1,
    }
    if score not in values:
        raise InputError(f"score must be 'difference', 'wins', 'losses' or 'half_ties'; got {score!r}")
    return np.asarray(values[score])


def minimax(
    source: MajorityLike, *, score: MinimaxScore = "winning_votes", unlisted: Unlisted | None = None
) -> pd.Series:
    """Return the minimax scores, best first: the negative of each model's worst defeat.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    score : {"winning_votes", "margins", "pairwise_opposition"}
        What a rival counts against a model: the weight of the tasks on which it leads, where it wins the pair, and
        0 otherwise (the papers' s); its margin, which is negative where the model wins; or the weight of the tasks
        on which it leads, whichever model wins the head-to-head.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    Series of Fraction
        Indexed by models, in the units of the weights; models that tie stand in board order. A lone model scores 0.

    Notes
    -----
    O(models^2) on the margins. Where no task has a tie or a missing score the three scores choose the same winners.

    References
    ----------
    Vote'n'Rank, section 2.2.3. The rule picks the smallest worst defeat, not the fewest defeats.

    Examples
    --------
    >>> import weightlab as wl
    >>> minimax(wl.Profile.from_orders(map(list, ["abc", "bac", "acb"]))).astype(float).to_dict()
    {'a': 0.0, 'b': -2.0, 'c': -3.0}
    """
    margins = margins_of(source, unlisted)
    worst = minimax_values(margins, score)
    return _best_first(margins.models, [Fraction(int(one), margins.denominator) for one in worst], score)


def minimax_values(margins: Margins, score: str) -> AnyArray:
    """Return the minimax scores in board order as integers over the denominator of the margins."""
    against: dict[str, AnyArray] = {
        "winning_votes": np.where(beats(margins), margins.wins, 0),
        "margins": margins.array,
        "pairwise_opposition": margins.wins,
    }
    if score not in against:
        raise InputError(f"score must be 'winning_votes', 'margins' or 'pairwise_opposition'; got {score!r}")
    least = against[score].min(initial=0)
    diagonal = np.eye(len(margins.models), dtype=np.bool_)
    return np.asarray(-np.where(diagonal, least, against[score]).max(axis=0, initial=least))


def _best_first(models: Sequence[str], values: AnyArray | list[Fraction], name: str) -> pd.Series:
    scores = pd.Series(values, index=name_index(tuple(models)), name=name)
    return scores.sort_values(ascending=False, kind="stable")
