"""Ranked pairs: the strongest majorities are locked in first, unless they would close a circle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.data.margins import Margins
from weightlab.graph.majority import MajorityLike, margins_of
from weightlab.graph.precedence import Sequenced, TieBreakOrder, in_sequence, tie_break_order
from weightlab.graph.ranking import MajorityRanking, relation_frame
from weightlab.graph.strength import Strength, majorities, path_strengths

__all__ = ["RankedPairsRanking", "ranked_pairs"]

LOOK_AHEAD = 256
"""So many duels are looked at together for the next one that is still open."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RankedPairsRanking(MajorityRanking, kind="ranked_pairs"):
    """The ranking by ranked pairs.

    Attributes
    ----------
    defeats : DataFrame of bool, models x models
        What is locked in, with what follows from it: transitive. A linear order unless duels are tied.
    tie_break : tuple of str
        The models in the order that sequenced equally strong majorities.
    tie_break_mattered : bool
        Whether another sequence of equally strong majorities gives other defeats.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    margins : Margins
        The margins that the claim is about.
    """

    tie_break: tuple[str, ...]
    tie_break_mattered: bool

    def _check(self, links: AnyArray) -> None:
        ensure(tie_break_order(self.models, self.tie_break), "the tie-break is no order of the models")
        claimed = self._defeats
        ensure(not np.any(claimed & claimed.T), "the defeats run in a circle")
        locked = np.where(claimed, links, 0)
        precedence = in_sequence(links, self.models, self.tie_break).precedence(len(self.models))
        # By induction along the sequence: no circle is closed by what is locked, and what is left out would close one.
        back = path_strengths(np.where(locked > 0, precedence, 0)).T
        self._claimed(back.T > 0)
        left_out = (links > 0) & ~claimed
        unjust = np.argwhere(left_out & (back <= precedence))
        if len(unjust):
            winner, loser = (self.models[place] for place in unjust[0].tolist())
            ensure(holds=False, failure=f"{winner!r} over {loser!r} is left out, yet no earlier majorities oppose it")
        mattered = bool(np.any(left_out & (links == path_strengths(locked).T)))
        ensure(mattered == self.tie_break_mattered, f"that the tie-break mattered is {mattered}, not as claimed")

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON, margins included."""
        extra = {"tie_break": list(self.tie_break), "tie_break_mattered": self.tie_break_mattered}
        return super().to_dict() | extra

    @classmethod
    def _more_from_dict(cls, document: Mapping[str, Any], margins: Margins) -> dict[str, Any]:
        return {
            "tie_break": tie_break_order(margins.models, list(document["tie_break"])),
            "tie_break_mattered": bool(document["tie_break_mattered"]),
        }


def ranked_pairs(
    source: MajorityLike, *, strength: Strength = "margins", tie_break: TieBreakOrder = "alphabetical"
) -> RankedPairsRanking:
    """Return the ranking by ranked pairs (Tideman).

    Majorities are taken up from the strongest to the weakest; each is locked in unless those locked before it already
    rank its loser above its winner.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    tie_break : {"alphabetical", "board"} or sequence of str
        Equally strong majorities are taken up in the order of their winners in this order of the models, then of
        their losers. Alphabetical means by code point.

    Returns
    -------
    RankedPairsRanking
        ``.winners``, ``.order``, ``.defeats``, ``.tie_break_mattered``, ``.verify()``. Tied duels are never locked
        in, so with some of them several models may remain undefeated.

    Notes
    -----
    At most O(models^2) majorities are locked in, each in O(models^2); mostly far fewer are, as the others follow.

    ``tie_break_mattered`` is exact: it says whether *some* other sequence of equally strong majorities (not only one
    that comes from an order of the models) gives other defeats. It does not say that the winner would change, which
    is NP-hard to decide. It is read off the result: the tie-break mattered exactly if a majority was left out because
    of a path whose weakest link is as strong as it is. For then that path and the majority form a circle in which the
    one of the equals that is taken up last is left out; and where no such circle exists all equals are locked in
    whatever their sequence.

    References
    ----------
    T. N. Tideman, "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4 (1987).
    M. Brill and F. Fischer, "The price of neutrality for the ranked pairs method", AAAI (2012): NP-completeness.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders(["abc", "bca", "cab"], weights=[4, 3, 2])
    >>> ranked_pairs(profile).order
    (('a',), ('b',), ('c',))
    >>> ranked_pairs(wl.Profile.from_orders(["abc", "bca", "cab"])).tie_break_mattered
    True
    """
    margins = margins_of(source)
    order = tie_break_order(margins.models, tie_break)
    links = majorities(margins, strength)
    known = locked_paths(in_sequence(links, margins.models, order), len(margins.models), links.dtype)
    return RankedPairsRanking(
        defeats=relation_frame(known > 0, margins.models),
        tie_break=order,
        # Left out because of a path no stronger than itself: an equal was taken up first.
        tie_break_mattered=bool(np.any((links > 0) & (links == known.T))),
        strength=strength,
        margins=margins,
    )


def locked_paths(duels: Sequenced, count: int, dtype: np.dtype[Any]) -> AnyArray:
    """Return the strength of the strongest locked path between all pairs of models, 0 where there is none.

    As majorities are locked in by falling strength, a path's strength is that of the majority which completed it.
    """
    paths = np.zeros((count, count), dtype=dtype)
    start = 0
    while start < len(duels):
        ahead = slice(start, start + LOOK_AHEAD)
        winners, losers = duels.winners[ahead], duels.losers[ahead]
        open_ones = np.flatnonzero((paths[winners, losers] == 0) & (paths[losers, winners] == 0))
        if not len(open_ones):
            start += LOOK_AHEAD
            continue
        first = int(open_ones[0])
        _lock(paths, int(winners[first]), int(losers[first]), duels.strengths[start + first])
        start += first + 1
    return paths


def _lock(paths: AnyArray, winner: int, loser: int, strength: Any) -> None:
    """Add the paths that a newly locked majority completes."""
    above = paths[:, winner] > 0
    above[winner] = True
    below = paths[loser] > 0
    below[loser] = True
    rows = np.flatnonzero(above)
    block = paths[rows]
    block[(block == 0) & below] = strength
    paths[rows] = block
