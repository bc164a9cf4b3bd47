"""Whether the majority relation is acyclic, and its shortest and strongest cycles."""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import Result, ensure
from weightlab.data.components import is_cyclic, topological
from weightlab.data.convert import Unlisted
from weightlab.data.margins import Margins
from weightlab.graph import paths
from weightlab.graph.majority_graph import MajorityLike, beats, check_margins, margins_of


def is_acyclic(source: MajorityLike, *, unlisted: Unlisted | None = None) -> bool:
    """Return whether the majority relation is acyclic.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    O(models^2) on the margins, by strong components.

    Examples
    --------
    >>> import weightlab as wl
    >>> is_acyclic(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"])))
    False
    """
    return not is_cyclic(beats(margins_of(source, unlisted)))


def is_transitive(source: MajorityLike, *, strict: bool = True, unlisted: Unlisted | None = None) -> bool:
    """Return whether every model that beats another also beats all that the other beats.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    strict : bool
        Ask this of "beats"; otherwise of "beats or ties".
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    See Also
    --------
    intransitive_triple : three models that show why not.

    Examples
    --------
    >>> import weightlab as wl
    >>> even = wl.Profile.from_orders(map(list, ["abc", "bca"]))
    >>> is_transitive(even), is_transitive(even, strict=False)
    (True, False)
    """
    return intransitive_triple(source, strict=strict, unlisted=unlisted) is None


def intransitive_triple(
    source: MajorityLike, *, strict: bool = True, unlisted: Unlisted | None = None
) -> tuple[str, str, str] | None:
    """Return models x, y, z where x beats y and y beats z but x does not beat z, or None.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    strict : bool
        Ask this of "beats"; otherwise of "beats or ties".
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    One product of boolean matrices, O(models^3) in fast arithmetic. x is the first in board order, then z, then y.

    Examples
    --------
    >>> import weightlab as wl
    >>> intransitive_triple(wl.Profile.from_orders(map(list, ["abc", "bca"])), strict=False)
    ('c', 'a', 'b')
    """
    margins = margins_of(source, unlisted)
    beaten = beats(margins)
    relation = beaten if strict else ~beaten.T
    triple = paths.two_steps(relation, ~relation)
    if not triple:
        return None
    first, middle, last = (margins.models[place] for place in triple)
    return first, middle, last


def shortest_cycle(source: MajorityLike, *, unlisted: Unlisted | None = None) -> tuple[str, ...] | None:
    """Return a majority cycle of as few models as any, each beating the next and the last the first, or None.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    O(models^3) in whole-row operations; no list of cycles is made. Without tied duels it has three models. It begins
    with its first model in board order.

    Examples
    --------
    >>> import weightlab as wl
    >>> shortest_cycle(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"])))
    ('a', 'b', 'c')
    """
    margins = margins_of(source, unlisted)
    cycle = paths.shortest_cycle_of(beats(margins))
    return tuple(margins.models[place] for place in from_first(cycle)) if cycle else None


def count_three_cycles(source: MajorityLike, *, unlisted: Unlisted | None = None) -> int:
    """Return how many sets of three models beat one another in a cycle.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    Without tied duels, from the numbers of wins s alone: C(n, 3) minus the sum of C(s, 2). With tied duels, a third
    of the trace of the cube of the relation: one product of matrices.

    References
    ----------
    M. G. Kendall and B. Babington Smith, "On the method of paired comparisons", Biometrika 31 (1940).

    Examples
    --------
    >>> import weightlab as wl
    >>> count_three_cycles(wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"])))
    1
    """
    beaten = beats(margins_of(source, unlisted))
    count = len(beaten)
    wins = [int(one) for one in beaten.sum(axis=1)]
    # Without ties each of the pairs has a winner. A triple is no cycle exactly if one of the three beats both others,
    # and each model does that in as many triples as it has pairs of victims.
    if 2 * sum(wins) == count * (count - 1):
        return count * (count - 1) * (count - 2) // 6 - sum(one * (one - 1) // 2 for one in wins)
    # Paths of two links from row to column, where a third link leads back.
    steps = paths.products(beaten, beaten)
    return sum(int((ways * beaten.T[rows]).sum(dtype=np.float64)) for rows, ways in steps) // 3


class StrongestCycle(Result, kind="strongest_cycle"):
    """A majority cycle whose weakest duel is as strong as that of any cycle.

    Attributes
    ----------
    models : tuple of str
        Each beats the next, and the last the first; it begins with its first model in board order.
    strength : Fraction
        The smallest margin on it, in the units of the weights.
    order : tuple of str
        All models in an order that every head-to-head with a larger margin follows, so no cycle is stronger.
    margins : Margins
        The margins that the claim is about.
    """

    models: tuple[str, ...]
    strength: Fraction
    order: tuple[str, ...]
    margins: Margins

    def __str__(self) -> str:
        """Return the sentence that shows the cycle."""
        around = " > ".join([*self.models, self.models[0]])
        return f"{around}: every majority in this cycle is by {self.strength} or more, and no cycle is stronger."

    def to_frame(self) -> pd.DataFrame:
        """Return the head-to-heads of the cycle with their margins."""
        return pd.DataFrame(self._duels(), columns=["winner", "loser", "margin"])

    def _duels(self) -> list[tuple[str, str, Fraction]]:
        losers = (*self.models[1:], *self.models[:1])
        return [(one, other, self.margins.margin(one, other)) for one, other in zip(self.models, losers, strict=True)]

    def verify(self, source: MajorityLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic; given the source, also that the margins are that source's.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first duel that does not fit.
        """
        check_margins(self.margins, source)
        ensure(len(set(self.models)) == len(self.models) >= 3, "a cycle has three distinct models or more")
        for winner, loser, margin in self._duels():
            ensure(margin >= self.strength > 0, f"{winner!r} over {loser!r} has margin {margin}, not {self.strength}")
        weakest = min(margin for _, _, margin in self._duels())
        ensure(weakest == self.strength, f"the weakest duel of the cycle has margin {weakest}, not {self.strength}")
        ensure(sorted(self.order) == sorted(self.margins.models), "the order does not hold every model once")
        # Every cycle has a link that runs up this order. If none of these is stronger than the strength claimed, no
        # cycle is.
        places = [self.margins.position(name) for name in self.order]
        limit = math.floor(self.strength * self.margins.denominator)
        stronger = np.argwhere(np.triu(self.margins.array.T[np.ix_(places, places)] > limit, 1))
        if len(stronger):
            above, below = (self.order[place] for place in stronger[0].tolist())
            ensure(holds=False, failure=f"{below!r} beats {above!r} above it in the order by more than {self.strength}")
        return True


def strongest_cycle(source: MajorityLike, *, unlisted: Unlisted | None = None) -> StrongestCycle | None:
    """Return a majority cycle whose smallest margin is as large as that of any cycle, or None when there is no cycle.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    StrongestCycle or None
        ``.models``, ``.strength``, ``.verify()``. Of the strongest cycles, one with fewest models.

    Notes
    -----
    Polynomial: strong components for O(log models) thresholds, O(models^2) each, then a shortest cycle.

    Examples
    --------
    >>> import weightlab as wl
    >>> print(strongest_cycle(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))))
    a > b > c > a: every majority in this cycle is by 1 or more, and no cycle is stronger.
    """
    margins = margins_of(source, unlisted)
    links = np.maximum(margins.array, 0)
    threshold = largest_threshold(links)
    if threshold is None:
        return None
    cycle = from_first(paths.shortest_cycle_of(links >= threshold))
    order = np.argsort(topological(links > threshold), kind="stable").tolist()
    models, ordered = (tuple(margins.models[place] for place in places) for places in (cycle, order))
    strength = Fraction(int(threshold), margins.denominator)
    return StrongestCycle(models=models, strength=strength, order=ordered, margins=margins)


def largest_threshold(links: AnyArray, *, of_three: bool = False) -> Any:
    """Return the largest value such that the links of that value or more have a cycle (of three), or None."""
    values = np.unique(links[links > 0])

    def acyclic_from(threshold: Any) -> bool:
        relation = np.asarray(links >= threshold, dtype=np.bool_)
        return not (paths.cycle_of_three(relation) if of_three else is_cyclic(relation))

    # Fewer links make no new cycle, so bisection over the thresholds is right.
    first = bisect_left(values, x=True, key=acyclic_from)
    return None if first == 0 else values[first - 1]


def from_first(cycle: list[int]) -> list[int]:
    """Return a cycle from its first place on."""
    start = cycle.index(min(cycle)) if cycle else 0
    return cycle[start:] + cycle[:start]
