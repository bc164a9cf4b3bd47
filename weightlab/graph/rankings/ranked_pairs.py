"""Ranked pairs: the strongest majorities are taken up first, unless they would close a cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from weightlab._exact import AnyArray, BoolArray, bits_of, places_of
from weightlab._result import ensure
from weightlab._text import without
from weightlab.data import Order
from weightlab.data.convert import Unlisted
from weightlab.data.margins import Margins
from weightlab.graph.majority_graph import MajorityLike, margins_of, names_where
from weightlab.graph.paths import acyclic_closure, lasting_links, transitive_closure
from weightlab.graph.rankings import ranking

MOST_DUELS = 10_000_000
"""The most head-to-heads examined for models that may win, once a winner is known; beyond this others stay open."""
MOST_WORK = 8_000
"""Ways to take up equally strong majorities times models examined at most; beyond, who wins by some may stay open."""


class RankedPairsRanking(ranking.MajorityRanking, kind="ranked_pairs"):
    """The ranking by ranked pairs.

    Attributes
    ----------
    defeats : DataFrame of bool, models x models
        What is locked in, with what follows from it: transitive. With ``tie_break=None`` what is locked in however
        equally strong majorities are taken up; where that is not known, what split cycle shows to be.
    tie_break : tuple of str or None
        The models in the order that sequenced equally strong majorities; None without a tie-break.
    tie_break_mattered : bool
        Whether another sequence of equally strong majorities gives other defeats.
    first : tuple of str
        With ``tie_break=None``, the models proved to be undefeated by some sequence of equally strong majorities.
    may_win : tuple of str
        With ``tie_break=None``, further models for which this is not known, in board order.
    strength : {"margins", "winning_votes"}
        How strong a majority counts.
    margins : Margins
        The margins that the claim is about.
    """

    tie_break: tuple[str, ...] | None
    tie_break_mattered: bool
    first: tuple[str, ...] = ()
    may_win: tuple[str, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that no model defeats; without a tie-break, by some sequence of equally strong majorities."""
        return super().winners if self.tie_break is not None else self.first

    @property
    def order(self) -> Order | None:
        """The weak order that the defeats are, best first; None where they are not one, or do not name the winners."""
        order = super().order
        return order if not order or order[0] == self.winners else None

    @property
    def levels(self) -> Order:
        """The winners, then of the others those that no other defeats, and so on."""
        if self.tie_break is not None or super().winners == self.first:
            return super().levels
        rest = [place for place, model in enumerate(self.models) if model not in self.first]
        inside = self._defeats[np.ix_(rest, rest)]
        return (self.first, *ranking.levels_of([self.models[place] for place in rest], inside))

    def __str__(self) -> str:
        """Return the sentence that names the winners, and says where they depend on how ties are broken."""
        if self.tie_break is not None or not self.tie_break_mattered:
            return super().__str__()
        first = ", ".join(self.first)
        if not self.may_win and len(self.first) == 1:
            return f"Ranked pairs: {first} wins however equally strong majorities are ordered."
        also = f" ({', '.join(self.may_win)} may as well, which is not decided)" if self.may_win else ""
        return f"By ranked pairs, {first} can win{also}: it depends on how equally strong majorities are ordered."

    def _check(self, links: AnyArray) -> None:
        if self.tie_break is None:
            self._check_every_way()
            return
        ensure(not self.first and not self.may_win, "with a tie-break the winners are those that no model defeats")
        ensure(sorted(self.tie_break) == sorted(self.models), "the tie-break is not an order of the models")
        claimed = self._defeats
        ensure(not np.any(claimed & claimed.T), "the defeats have a cycle")
        locked = np.where(claimed, links, 0)
        duels, precedence = ranking.duel_sequence(links, self.models, self.tie_break), np.zeros(links.shape, np.int64)
        precedence[duels] = np.arange(len(duels[0]), 0, -1)  # the greater the earlier a win is taken up
        # By induction along the sequence: no cycle is closed by what is locked, and what is left out would close one.
        back = ranking.path_strengths(np.where(locked > 0, precedence, 0)).T
        self._ensure_defeats(back.T > 0)
        left_out = (links > 0) & ~claimed
        for row, column in np.argwhere(left_out & (back <= precedence))[:1].tolist():
            pair = f"{self.models[row]!r} over {self.models[column]!r}"
            ensure(holds=False, failure=f"{pair} is left out, yet no earlier majorities oppose it")
        mattered = bool(np.any(left_out & (links == ranking.path_strengths(locked).T)))
        ensure(mattered == self.tie_break_mattered, f"that the tie-break mattered is {mattered}, not as claimed")

    def _check_every_way(self) -> None:
        """Raise ProofError unless a new count of the ways says the same."""
        found = _by_every_way(self.margins, self.strength)
        self._ensure_defeats(found._defeats)  # noqa: SLF001 - its own kind
        for name in ("tie_break_mattered", "first", "may_win"):
            own, other = getattr(self, name), getattr(found, name)
            ensure(own == other, f"{name.replace('_', ' ')} is {other}, not {own}")


def ranked_pairs(
    source: MajorityLike,
    *,
    strength: ranking.Strength = "margins",
    tie_break: ranking.TieBreakOrder | None = None,
    unlisted: Unlisted | None = None,
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
    tie_break : {"alphabetical", "board"} or sequence of str, optional
        Equally strong majorities are taken up in the order of their winners in this order of the models, then of
        their losers. Alphabetical means by code point. By default no order is chosen: all models win that are
        undefeated when equals are taken up in some sequence, and the defeats are those of all sequences.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    RankedPairsRanking
        ``.winners``, ``.order``, ``.defeats``, ``.tie_break_mattered``, ``.may_win``, ``.verify()``. Tied duels are
        never locked in, so with some of them several models may remain undefeated.

    Notes
    -----
    With a tie-break O(models^2 log(models)) to sort the pairs, and O(models^2) operations on sets of models in the bits
    of integers. ``tie_break_mattered`` is exact: it says whether *some* other sequence of equally strong majorities
    (not only one that comes from an order of the models) gives other defeats. It is read off the result: the tie-break
    mattered exactly if a majority was left out because of a path whose weakest link is as strong as it is. For then
    that path and the majority form a cycle in which the one of the equals that is taken up last is left out; and where
    no such cycle exists all equals are locked in whatever their sequence.

    Without one, what is on no cycle of majorities as strong is locked in by every sequence, and is so from the start
    (O(models^2 log(models))). All ways to take up equals are gone through where they are few: a way is a largest set of
    the equals that closes no cycle, and ways with the same defeats are one. That is NP-hard in general: beyond
    ``MOST_WORK`` the models that win by a sequence that takes up their own victories first are ``first`` (tried from
    the strongest on, up to ``MOST_DUELS``), and the other undefeated models of split cycle, outside which no model ever
    wins, are ``may_win``.

    References
    ----------
    T. N. Tideman, "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4 (1987).
    M. Brill and F. Fischer, "The price of neutrality for the ranked pairs method", AAAI (2012): who wins by some
    sequence is NP-complete.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
    >>> ranked_pairs(profile).order
    (('a',), ('b',), ('c',))
    >>> print(ranked_pairs(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))))
    By ranked pairs, a, b, c can win: it depends on how equally strong majorities are ordered.
    """
    margins = margins_of(source, unlisted)
    if tie_break is None:
        return _by_every_way(margins, strength)
    order = ranking.tie_break_order(margins.models, tie_break)
    relation, mattered = locked_in(ranking.majorities(margins, strength), margins.models, order)
    return RankedPairsRanking(
        defeats=ranking.relation_frame(relation, margins.models),
        tie_break=order,
        tie_break_mattered=mattered,
        strength=strength,
        margins=margins,
    )


def locked_in(
    links: AnyArray, models: Sequence[str], order: Sequence[str], sure: BoolArray | None = None
) -> tuple[BoolArray, bool]:
    """Return who is locked in above whom, models x models, and whether another sequence of equals gives another answer.

    What every sequence locks in may be so from the start: were a majority to oppose it, it would be left out later.
    Each change of a row adds a place to it, so all together cost O(n^2) operations on integers of n bits.
    """
    given = np.zeros(links.shape, dtype=np.bool_) if sure is None else sure
    links, below, above, mattered = np.where(given | given.T, 0, links), bits_of(given), bits_of(given.T), False
    duels = np.transpose(ranking.duel_sequence(links, models, order))
    strengths = links[tuple(duels.T)]
    for equals in np.split(duels, np.flatnonzero(strengths[1:] != strengths[:-1]) + 1):
        left = equals
        if len(equals) > len(links):
            # Pairs decided before any of the equals is taken up need no single test.
            relation = _relation(below)
            left = equals[~(relation | relation.T)[tuple(equals.T)]]
        before = below.copy() if len(left) > 1 else below  # a single pair is kept out by stronger ones
        for winner, loser in left.tolist():
            if below[loser] >> winner & 1:
                mattered |= not before[loser] >> winner & 1  # an equal that was taken up before it keeps it out
            elif not below[winner] >> loser & 1:
                # Everyone at or above the winner now stands above everyone at or below the loser; only rows that change
                # are touched.
                upper = (above[winner] | 1 << winner) & ~above[loser]
                lower = (below[loser] | 1 << loser) & ~below[winner]
                for row in places_of(upper):
                    below[row] |= lower
                for row in places_of(lower):
                    above[row] |= upper
    return _relation(below), mattered


def _relation(below: Sequence[int]) -> BoolArray:
    """Return sets of places in the bits of integers as rows."""
    count = len(below)
    packed = b"".join(row.to_bytes((count + 7) // 8, "little") for row in below)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(count, (count + 7) // 8)
    return np.unpackbits(rows, axis=1, count=count, bitorder="little").astype(np.bool_)


def _by_every_way(margins: Margins, strength: ranking.Strength) -> RankedPairsRanking:
    models, links = margins.models, ranking.majorities(margins, strength)
    # On no cycle of majorities as strong: whatever is taken up before such a win, it closes no cycle.
    sure = acyclic_closure(lasting_links(links))
    candidates = np.flatnonzero(~sure.any(axis=0)).tolist()
    totals = {one: (int(links[one].sum()), -int(links[:, one].sum())) for one in candidates}
    strongest = models[max(candidates, key=totals.__getitem__)]
    relation, mattered = locked_in(links, models, [strongest, *without(models, [strongest])], sure)
    ways, may_win = (_ways(links) if mattered else [relation]), []
    if ways is not None:
        relation = np.all(ways, axis=0)
        first = names_where(models, np.any([~one.any(axis=0) for one in ways], axis=0))
    else:
        relation, own = sure, _first_by_own_victories(links, models, totals, sure)
        first = names_where(models, np.isin(np.arange(len(models)), own))
        may_win = without([models[one] for one in candidates], first)
    return RankedPairsRanking(
        defeats=ranking.relation_frame(relation, models),
        tie_break=None,
        tie_break_mattered=mattered,
        first=first,
        may_win=tuple(may_win),
        strength=strength,
        margins=margins,
    )


def _first_by_own_victories(
    links: AnyArray, models: Sequence[str], totals: Mapping[int, tuple[int, int]], sure: BoolArray
) -> list[int]:
    """Return those of some models that are undefeated where their own victories are the first of equals.

    A sequence is tried for each model, the strongest first by what its victories and its defeats are together, those
    alike together so that no name decides, until one wins and ``MOST_DUELS`` are used up.
    """
    duels = int(np.count_nonzero((links > 0) & ~(sure | sure.T)))
    first: list[int] = []
    tried = 0
    for total in sorted(set(totals.values()), reverse=True):
        if first and tried * duels >= MOST_DUELS:
            break
        alike = [one for one in totals if totals[one] == total]
        tried += len(alike)
        orders = {one: [models[one], *without(models, [models[one]])] for one in alike}
        first += [one for one in alike if not locked_in(links, models, orders[one], sure)[0][:, one].any()]
    return first


def _ways(links: AnyArray) -> list[BoolArray] | None:
    """Return the defeats by each way to take up equally strong majorities; None where there are too many."""
    budget = [MOST_WORK // len(links)]
    found = [np.zeros(links.shape, dtype=np.bool_)]
    strengths = np.unique(links[links > 0])[::-1].tolist()
    if len(strengths) > budget[0]:
        return None  # each needs a step
    for strength in strengths:
        equals = np.argwhere(links == strength).tolist()
        fresh = {way.tobytes(): way for one in found for way in _ways_of(one, equals, budget)}
        if budget[0] <= 0:
            return None
        found = list(fresh.values())
    return found


def _ways_of(locked: BoolArray, equals: Sequence[Sequence[int]], budget: list[int]) -> Iterator[BoolArray]:
    """Yield the defeats after each largest set of equals that closes no cycle with what is locked."""
    pairs: tuple[tuple[int, int], ...] = tuple((a, b) for a, b in equals)
    none: tuple[tuple[int, int], ...] = ()
    waiting = [(locked, pairs, none)]
    while waiting and budget[0] > 0:
        budget[0] -= 1
        locked, left, refused = waiting.pop()
        left = tuple((a, b) for a, b in left if not locked[b, a] and not locked[a, b])
        if any(not locked[b, a] for a, b in refused) and not left:
            continue  # what was refused could still be taken up, so the set is not a largest one
        if not left:
            yield locked
            continue
        # What no cycle of all that may still come runs through is taken up by every way.
        union = locked.copy()
        union[tuple(np.transpose(left))] = True
        reach = transitive_closure(union)
        free = [(a, b) for a, b in left if not reach[b, a]]
        if free:
            taken = locked.copy()
            taken[tuple(np.transpose(free))] = True
            waiting.append((transitive_closure(taken), left, refused))
            continue
        (a, b), rest = left[0], left[1:]
        taken = locked.copy()
        taken[np.ix_(locked[:, a] | (np.arange(len(locked)) == a), locked[b] | (np.arange(len(locked)) == b))] = True
        waiting += [(locked, rest, (*refused, (a, b))), (taken, rest, refused)]
