"""Slater's rule and minimum feedback arc sets: the fewest or lightest majorities to turn until no cycle is left."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._text import first_few
from weightlab.data.margins import Margins
from weightlab.graph.majority_graph import MajorityLike, beats, margins_of
from weightlab.graph.median_orders.result import OptimalOrder, without_common_factor


class _FewestReversals(OptimalOrder):
    """An order that turns as few, or as light, majorities as any."""

    @property
    def turned(self) -> tuple[tuple[str, str], ...]:
        """The duels (winner, loser) that the order turns, the highest placed loser first."""
        names = [name for place in self.order for name in place]
        places = [self.margins.position(name) for name in names]
        against = self._against(np.array(places, dtype=np.int64))
        return tuple((names[row], names[column]) for column, row in np.argwhere(against.T).tolist())

    def _against(self, places: AnyArray) -> BoolArray:
        """Return, by place in the order, which duels the lower model wins."""
        return np.asarray(np.tril(beats(self.margins)[np.ix_(places, places)], -1))


class SlaterRanking(_FewestReversals, kind="slater"):
    """An order that turns the fewest majorities.

    Attributes
    ----------
    margins, blocks, solver
        As in ``OptimalOrder``, as are ``order``, ``cost`` (the number of duels that the order turns), ``unique``,
        ``number``, ``shared``.
    """

    def __str__(self) -> str:
        """Return the sentence that says how many duels the order turns."""
        how_sure = {True: "no other order turns as few", False: "others turn as few", None: "none turns fewer"}
        if self.number is not None and self.number > 1:
            how_sure[False] = f"{self.number} orders turn as few"
        first = f"{self.order[0][0]} first" if self.order else "no models"
        proof = "" if self.solver is None else f" (by {self.solver}'s bound)"
        what = _majorities(int(self.cost))
        return f"Slater: {first}; the order turns {what}, and {how_sure[self.unique]}{proof}."

    def _net(self) -> tuple[AnyArray, Fraction]:
        return _signs(self.margins), Fraction(1)

    def _cost_of(self, places: AnyArray) -> Fraction:
        return Fraction(int(self._against(places).sum()))


class FeedbackArcs(_FewestReversals, kind="feedback_arcs"):
    """A lightest set of majorities whose removal leaves no cycle: those that an order of least cost turns.

    Attributes
    ----------
    margins, blocks, solver
        As in ``OptimalOrder``, as are ``order``, ``cost`` (the sum of the margins removed, or their number),
        ``unique`` (about the order: different orders may turn the same majorities), ``number``, ``shared``.
    weighted : bool
        Whether margins are summed, not counted.
    """

    derived = (*OptimalOrder.derived, "arcs")

    weighted: bool

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """The duels (winner, loser) to remove."""
        return self.turned

    def __str__(self) -> str:
        """Return the sentence that says what has to go."""
        if not self.arcs:
            return "The majorities have no cycle."
        what = _majorities(len(self.arcs))
        size = f" (margins of {self.cost} in all)" if self.weighted else ""
        shown = first_few(f"{winner} over {loser}" for winner, loser in self.arcs)
        proof = "" if self.solver is None else f" (least by {self.solver}'s bound)"
        return f"Without {what} there is no cycle{size}: {shown}{proof}."

    def _net(self) -> tuple[AnyArray, Fraction]:
        if not self.weighted:
            return _signs(self.margins), Fraction(1)
        net, factor = without_common_factor(self.margins.array)
        return net, Fraction(factor, self.margins.denominator)

    def _cost_of(self, places: AnyArray) -> Fraction:
        against = self._against(places)
        if not self.weighted:
            return Fraction(int(against.sum()))
        removed = self.margins.array[np.ix_(places, places)][against]
        return Fraction(sum(int(one) for one in removed.tolist()), self.margins.denominator)


def slater(source: MajorityLike, *, time_limit: float | None = None) -> SlaterRanking:
    """Return an order that turns as few majorities as any, proved.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    SlaterRanking
        ``.order``, ``.cost`` (the number of duels turned), ``.turned``, ``.unique``, ``.shared``, ``.verify()``.
        Tied duels cost nothing either way.

    Raises
    ------
    TimeLimitError, UnprovedError
        When no order was proved to be optimal; ``known`` has an ``order``, its ``cost``, and a ``bound``.

    Notes
    -----
    NP-hard; solved like ``kemeny``, with every majority counting one.

    References
    ----------
    P. Slater, "Inconsistencies in a schedule of paired comparisons", Biometrika 48 (1961).

    Examples
    --------
    >>> import weightlab as wl
    >>> print(slater(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))))
    Slater: a first; the order turns 1 majority, and 3 orders turn as few.
    """
    return SlaterRanking(margins=margins_of(source)).solved(time_limit)


def feedback_arcs(source: MajorityLike, *, weighted: bool = True, time_limit: float | None = None) -> FeedbackArcs:
    """Return a lightest set of majorities whose removal leaves no cycle, proved.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.
    weighted : bool
        Make the sum of the margins removed least; otherwise their number.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    FeedbackArcs
        ``.arcs`` (pairs of winner and loser), ``.cost``, ``.order`` (which all other majorities follow),
        ``.verify()``.

    Raises
    ------
    TimeLimitError, UnprovedError
        When no set was proved to be lightest; ``known`` has an ``order``, its ``cost``, and a ``bound``.

    Notes
    -----
    NP-hard; solved like ``kemeny``: a set leaves no cycle exactly if it holds all majorities that some order turns.

    Examples
    --------
    >>> import weightlab as wl
    >>> feedback_arcs(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])).arcs
    (('c', 'a'),)
    """
    return FeedbackArcs(margins=margins_of(source), weighted=weighted).solved(time_limit)


def _signs(margins: Margins) -> AnyArray:
    beaten = beats(margins)
    return beaten.astype(np.int64) - beaten.T


def _majorities(count: int) -> str:
    return f"{count} {'majority' if count == 1 else 'majorities'}"
