"""Ranked pairs and River: the strongest majorities are taken up first, unless they would close a cycle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, places_of
from weightlab._result import Seen, ensure
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


LOOK_AHEAD = 1024
"""So many duels are looked at together for the next one that is still open."""


class RiverRanking(ranking.MajorityRanking, kind="river"):
    """The river of defeats: a tree whose root wins (several trees where duels are tied).

    Attributes
    ----------
    defeats : DataFrame of bool, models x models
        Whether the row lies on the way from the root to the column: transitive, rarely a weak order.
    defeated_by : Series of str or None
        The one model that defeats each model directly; None at a root.
    tie_break : tuple of str
        The models in the order that sequenced equally strong majorities.
    tie_break_mattered : bool
        Whether another sequence of equally strong majorities gives another river.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    margins : Margins
        The margins that the claim is about.
    """

    defeated_by: Seen[pd.Series] = Seen(
        Mapping[str, str | None], dict, lambda _, held: pd.Series(held, dtype=object, name="defeated_by")
    )
    tie_break: tuple[str, ...]
    tie_break_mattered: bool

    def _check(self, links: AnyArray) -> None:
        ensure(sorted(self.tie_break) == sorted(self.models), "the tie-break is no order of the models")
        ensure(list(self.defeated_by.index) == list(self.models), "the defeats are not of the margins' models")
        tree = np.zeros(links.shape, dtype=np.bool_)
        for loser, winner in enumerate(self.defeated_by.tolist()):
            if winner is not None:
                tree[self.margins.position(winner), loser] = True
        ensure(np.all(links[tree] > 0), "a defeat of the river is no majority")
        precedence = ranking.duel_sequence(links, self.models, self.tie_break).precedence(len(self.models))
        paths = ranking.path_strengths(np.where(tree, precedence, 0))
        ensure(not np.any((paths > 0) & (paths.T > 0)), "the river has a cycle")
        self._ensure_defeats(paths > 0)
        left_out = (links > 0) & ~tree
        # By induction along the sequence: what is left out came after a defeat of its loser, or would close a cycle.
        unjust = left_out & ~_prevented(tree, precedence, paths)
        self._ensure_none(unjust, "{!r} over {!r} is left out, yet nothing before it prevents it")
        mattered = bool(np.any(left_out & ~_prevented(tree, links, ranking.path_strengths(np.where(tree, links, 0)))))
        ensure(mattered == self.tie_break_mattered, f"that the tie-break mattered is {mattered}, not as claimed")


def river(
    source: MajorityLike, *, strength: ranking.Strength = "margins", tie_break: ranking.TieBreakOrder = "alphabetical"
) -> RiverRanking:
    """Return the river of defeats (Heitzig).

    Majorities are taken up from the strongest to the weakest; each is a defeat unless its loser is defeated already
    or it would close a cycle of defeats.

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
    RiverRanking
        ``.winners`` (the root; several where duels are tied), ``.defeated_by``, ``.levels``, ``.verify()``.

    Notes
    -----
    O(models^2 log(models)) to sort the duels; there are at most models - 1 defeats.

    ``tie_break_mattered`` is exact: whether *some* other sequence of equally strong majorities gives other defeats,
    which need not change the winner. It holds exactly if a majority was left out that nothing stronger prevented:
    taken up first among its equals it would have been a defeat.

    References
    ----------
    J. Heitzig, "River method: a simpler variant of ranked pairs" (2004); M. Döring, M. Brill and J. Heitzig, "The
    River method", AAMAS (2025).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
    >>> river(profile).defeated_by.to_dict()
    {'a': None, 'b': 'a', 'c': 'b'}
    """
    margins = margins_of(source)
    models = margins.models
    order = ranking.tie_break_order(models, tie_break)
    links = ranking.majorities(margins, strength)
    parents = river_parents(ranking.duel_sequence(links, models, order), len(models))
    tree = np.zeros(links.shape, dtype=np.bool_)
    defeated = np.flatnonzero(parents >= 0)
    tree[parents[defeated], defeated] = True
    paths = _tree_paths(parents, links)
    return RiverRanking(
        defeats=ranking.relation_frame(paths > 0, models),
        defeated_by=pd.Series(
            [models[row] if row >= 0 else None for row in parents.tolist()],
            index=list(models),
            dtype=object,
            name="defeated_by",
        ),
        tie_break=order,
        tie_break_mattered=bool(np.any((links > 0) & ~tree & ~_prevented(tree, links, paths))),
        strength=strength,
        margins=margins,
    )


def river_parents(duels: ranking.DuelSequence, count: int) -> AnyArray:
    """Return for each model the place of the one that defeats it, -1 at a root."""
    parents = np.full(count, -1)
    roots = np.arange(count)
    start = 0
    while start < len(duels):
        ahead = slice(start, start + LOOK_AHEAD)
        winners, losers = duels.winners[ahead], duels.losers[ahead]
        # A duel is open while its loser is the root of its own tree and that tree is not the winner's: then the defeat
        # joins two trees and can close no cycle.
        open_ones = np.flatnonzero((roots[losers] == losers) & (roots[winners] != losers))
        if not len(open_ones):
            start += LOOK_AHEAD
            continue
        winner, loser = int(winners[open_ones[0]]), int(losers[open_ones[0]])
        parents[loser] = winner
        # All that the loser's tree holds flows to the winner's root from now on.
        roots[roots == loser] = roots[winner]
        start += int(open_ones[0]) + 1
    return parents


def _tree_paths(parents: AnyArray, links: AnyArray) -> AnyArray:
    """Return the strength of the path from each model to those below it in the tree, 0 elsewhere; parents first."""
    paths = np.zeros_like(links)
    waiting = [int(place) for place in np.flatnonzero(parents < 0)]
    while waiting:
        parent = waiting.pop()
        for child in np.flatnonzero(parents == parent).tolist():
            # In a tree there is one path to each model: its strength is the least link on it.
            paths[:, child] = np.minimum(paths[:, parent], links[parent, child])
            paths[parent, child] = links[parent, child]
            waiting.append(child)
    return paths


def _prevented(tree: AnyArray, sequence: AnyArray, paths: AnyArray) -> AnyArray:
    """Tell for each duel whether something earlier in the sequence prevents it from being a defeat of the tree.

    Earlier means greater. It is prevented if its loser is already defeated, or leads down to its winner.
    """
    defeat = np.where(tree, sequence, 0).max(axis=0, initial=0)
    return np.asarray((defeat > sequence) | (sequence < paths.T))
