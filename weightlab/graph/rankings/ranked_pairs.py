"""Ranked pairs: the strongest majorities are taken up first, unless they would close a cycle."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray, BoolArray, places_of
from weightlab._result import ensure
from weightlab.graph.majority_graph import MajorityLike, margins_of
from weightlab.graph.rankings import ranking


class RankedPairsRanking(ranking.MajorityRanking, kind="ranked_pairs"):
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
        ensure(sorted(self.tie_break) == sorted(self.models), "the tie-break is no order of the models")
        claimed = self._defeats
        ensure(not np.any(claimed & claimed.T), "the defeats have a cycle")
        locked = np.where(claimed, links, 0)
        precedence = ranking.duel_sequence(links, self.models, self.tie_break).precedence(len(self.models))
        # By induction along the sequence: no cycle is closed by what is locked, and what is left out would close one.
        back = ranking.path_strengths(np.where(locked > 0, precedence, 0)).T
        self._ensure_defeats(back.T > 0)
        left_out = (links > 0) & ~claimed
        unjust = left_out & (back <= precedence)
        self._ensure_none(unjust, "{!r} over {!r} is left out, yet no earlier majorities oppose it")
        mattered = bool(np.any(left_out & (links == ranking.path_strengths(locked).T)))
        ensure(mattered == self.tie_break_mattered, f"that the tie-break mattered is {mattered}, not as claimed")


def ranked_pairs(
    source: MajorityLike, *, strength: ranking.Strength = "margins", tie_break: ranking.TieBreakOrder = "alphabetical"
) -> RankedPairsRanking:
    """Return the ranking by ranked pairs (Tideman).

    Majorities are taken up from the strongest to the weakest; each is locked in unless those locked before it already
    rank its loser above its winner.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
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
    O(models^2 log(models)) to sort the duels, and O(models^2) operations on sets of models in the bits of integers.

    ``tie_break_mattered`` is exact: it says whether *some* other sequence of equally strong majorities (not only one
    that comes from an order of the models) gives other defeats. It does not say that the winner would change, which
    is NP-hard to decide. It is read off the result: the tie-break mattered exactly if a majority was left out because
    of a path whose weakest link is as strong as it is. For then that path and the majority form a cycle in which the
    one of the equals that is taken up last is left out; and where no such cycle exists all equals are locked in
    whatever their sequence.

    References
    ----------
    T. N. Tideman, "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4 (1987).
    M. Brill and F. Fischer, "The price of neutrality for the ranked pairs method", AAAI (2012): NP-completeness.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
    >>> ranked_pairs(profile).order
    (('a',), ('b',), ('c',))
    >>> ranked_pairs(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))).tie_break_mattered
    True
    """
    margins = margins_of(source)
    order = ranking.tie_break_order(margins.models, tie_break)
    links = ranking.majorities(margins, strength)
    locks = LockedPairs(len(margins.models))
    locks.take_up(ranking.duel_sequence(links, margins.models, order))
    return RankedPairsRanking(
        defeats=ranking.relation_frame(locks.relation, margins.models),
        tie_break=order,
        tie_break_mattered=locks.tie_break_mattered,
        strength=strength,
        margins=margins,
    )


class LockedPairs:
    """The majorities locked in so far and what follows from them, as sets of places in the bits of integers.

    Each change of a row adds a place to it, so all together cost O(n^2) operations on integers of n bits.
    """

    def __init__(self, count: int) -> None:
        self.below = [0] * count
        self.above = [0] * count
        self.tie_break_mattered = False
        self._before: dict[int, int] = {}

    @property
    def relation(self) -> BoolArray:
        """Who is locked in above whom (models x models)."""
        count = len(self.below)
        packed = b"".join(row.to_bytes((count + 7) // 8, "little") for row in self.below)
        rows = np.frombuffer(packed, dtype=np.uint8).reshape(count, (count + 7) // 8)
        return np.unpackbits(rows, axis=1, count=count, bitorder="little").astype(np.bool_)

    def take_up(self, duels: ranking.DuelSequence) -> None:
        """Lock in the duels in their sequence, leaving out those that would close a cycle."""
        strength = None
        triples = zip(duels.winners.tolist(), duels.losers.tolist(), duels.strengths.tolist(), strict=True)
        for winner, loser, next_strength in triples:
            # A new class of equals begins: ``_before`` remembers the rows as they were when it did.
            if next_strength != strength:
                strength = next_strength
                self._before = {}
            # Implied by what is locked already: locking it would change nothing.
            if self.below[winner] >> loser & 1:
                continue
            if not self.below[loser] >> winner & 1:
                self._lock(winner, loser)
            elif not self._before.get(loser, self.below[loser]) >> winner & 1:
                self.tie_break_mattered = True  # an equal that was taken up before it keeps it out

    def _lock(self, winner: int, loser: int) -> None:
        # Everyone at or above the winner now stands above everyone at or below the loser; only rows that change are
        # touched.
        above = (self.above[winner] | 1 << winner) & ~self.above[loser]
        below = (self.below[loser] | 1 << loser) & ~self.below[winner]
        for row in places_of(above):
            self._before.setdefault(row, self.below[row])
            self.below[row] |= below
        for row in places_of(below):
            self.above[row] |= above
