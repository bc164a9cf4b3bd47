"""River: like ranked pairs, but each model is defeated at most once."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._record import Codec, read_items, read_names, to_json
from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.graph.majority_graph import MajorityLike, margins_of
from weightlab.graph.rankings.ranking import (
    DuelSequence,
    MajorityRanking,
    Strength,
    TieBreakOrder,
    duel_sequence,
    majorities,
    path_strengths,
    relation_frame,
    tie_break_order,
)

LOOK_AHEAD = 1024
"""So many duels are looked at together for the next one that is still open."""


def _read_parents(document: Any, what: str) -> pd.Series:
    parents = {name: None if one is None else read_names([one], what)[0] for name, one in read_items(document, what)}
    return pd.Series(list(parents.values()), index=list(parents), dtype=object, name="defeated_by")


Parents: TypeAlias = Annotated[pd.Series, Codec(to_json, _read_parents)]
"""For each model the one that defeats it directly, or None."""


class RiverRanking(MajorityRanking, kind="river"):
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

    defeated_by: Parents
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
        precedence = duel_sequence(links, self.models, self.tie_break).precedence(len(self.models))
        paths = path_strengths(np.where(tree, precedence, 0))
        ensure(not np.any((paths > 0) & (paths.T > 0)), "the river has a cycle")
        self._ensure_defeats(paths > 0)
        left_out = (links > 0) & ~tree
        # By induction along the sequence: what is left out came after a defeat of its loser, or would close a cycle.
        unjust = left_out & ~_prevented(tree, precedence, paths)
        self._ensure_none(unjust, "{!r} over {!r} is left out, yet nothing before it prevents it")
        mattered = bool(np.any(left_out & ~_prevented(tree, links, path_strengths(np.where(tree, links, 0)))))
        ensure(mattered == self.tie_break_mattered, f"that the tie-break mattered is {mattered}, not as claimed")


def river(
    source: MajorityLike, *, strength: Strength = "margins", tie_break: TieBreakOrder = "alphabetical"
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
    order = tie_break_order(models, tie_break)
    links = majorities(margins, strength)
    parents = river_parents(duel_sequence(links, models, order), len(models))
    tree = np.zeros(links.shape, dtype=np.bool_)
    defeated = np.flatnonzero(parents >= 0)
    tree[parents[defeated], defeated] = True
    paths = _tree_paths(parents, links)
    return RiverRanking(
        defeats=relation_frame(paths > 0, models),
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


def river_parents(duels: DuelSequence, count: int) -> AnyArray:
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
