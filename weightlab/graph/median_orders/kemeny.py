"""Kemeny's rule: the order of all models that the tasks contradict least, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, BoolArray, Number, fraction
from weightlab._result import ensure
from weightlab._text import first_few
from weightlab.data.convert import Unlisted
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError
from weightlab.graph.majority_graph import MajorityLike, beats, margins_of
from weightlab.graph.median_orders.result import OptimalOrder, either
from weightlab.graph.rankings.ranking import ensure_each_once


class KemenyRanking(OptimalOrder, kind="kemeny"):
    """An order of least Kemeny cost.

    Attributes
    ----------
    margins, blocks, solver
        As in ``OptimalOrder``, as are ``order``, ``cost`` (in the units of the weights), ``unique``, ``number``,
        ``shared``.
    tie_penalty : Fraction
        What a task that ties two models costs, times its weight.
    """

    tie_penalty: Fraction

    def __str__(self) -> str:
        """Return the sentence that says what the order costs and whether it is the only one."""
        how_sure = self._how_sure("no other order costs as little", "cost as little", "none costs less")
        first = f"{either(self.winners)} first" if self.order else "no models"
        return f"Kemeny: {first}; the order contradicts the tasks by {self.cost}, and {how_sure}."

    def _constant(self) -> Fraction:
        # The cost is split as constant + max(-net, 0): each pair costs its weaker side at least, and its margin more
        # when turned; each tie costs its penalty. The linear ordering program sees the second part only.
        wins, ties, pairs = self.margins.wins, self.margins.ties, np.triu_indices(len(self.models), 1)
        weaker = int(np.minimum(wins, wins.T)[pairs].sum(dtype=object))
        return (weaker + self.tie_penalty * int(ties[pairs].sum(dtype=object))) / Fraction(self.margins.denominator)

    def _cost_of(self, places: AnyArray) -> Fraction:
        ensure(self.tie_penalty >= 0, "the tie penalty is negative")
        order = tuple((self.models[place],) for place in places.tolist())
        return kemeny_cost(self.margins, order, tie_penalty=self.tie_penalty)


def kemeny(
    source: MajorityLike, *, tie_penalty: Number = 0, time_limit: float | None = None, unlisted: Unlisted | None = None
) -> KemenyRanking:
    """Return an order of all models that the tasks contradict least, proved.

    Every pair of models in the order costs the weight of the tasks on which the lower one leads.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    tie_penalty : number
        What a task that ties two models costs, times its weight: p of the distance K^(p) between weak orders. As the
        order has no ties itself, this adds the same to every order. A pair with a missing score costs nothing.
    time_limit : float, optional
        Seconds.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    KemenyRanking
        ``.order``, ``.cost`` (exact), ``.unique``, ``.number`` of orders that cost as little, ``.shared`` (the pairs
        that all of them have in common), ``.proof``, ``.verify()``.

    Raises
    ------
    TimeLimitError, UnprovedError
        When no order was proved to be optimal; ``known`` has an ``order``, its ``cost``, a ``bound``, and
        all this as a ``result`` that can be verified.

    Notes
    -----
    NP-hard in general. Solved as a linear ordering program: models that beat all others alike are split off first,
    the relaxation's rows are added when they are violated, its multipliers are re-checked as a bound in integers, and
    the few orders that the bound leaves are searched exactly; where these are many, {0, 1/2}-cuts raise it. Only if
    they are still too many does the proof rest on a solver's bound (``.proof`` is then ``exact_witness``). Of more than
    400 models that majority cycles entangle a good order and a bound are found, and no more.

    References
    ----------
    J. G. Kemeny, "Mathematics without numbers", Daedalus 88 (1959). H. P. Young and A. Levenglick, "A consistent
    extension of Condorcet's election principle", SIAM J. Appl. Math. 35 (1978). M. Grötschel, M. Jünger and
    G. Reinelt, "A cutting plane algorithm for the linear ordering problem", Operations Research 32 (1984). R. Fagin
    et al., "Comparing partial rankings", SIAM J. Discrete Math. 20 (2006): the distance K^(p). Colombo et al.,
    section 3.1, use Borda in its place.

    Examples
    --------
    >>> import weightlab as wl
    >>> result = kemeny(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2]))
    >>> result.order, result.cost, result.unique
    ((('a',), ('b',), ('c',)), Fraction(10, 1), True)
    >>> result.verify()
    True
    """
    ranking = KemenyRanking(margins=margins_of(source, unlisted), tie_penalty=_checked_penalty(tie_penalty))
    return ranking.solved(time_limit)


def kemeny_cost(
    source: MajorityLike,
    order: Sequence[str | Sequence[str]],
    *,
    tie_penalty: Number = 0,
    unlisted: Unlisted | None = None,
) -> Fraction:
    """Return the weight of the tasks that contradict an order, summed over the pairs of models.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    order : sequence of str, or of tuples of tied names
        Best first, every model once.
    tie_penalty : number
        p of the distance K^(p): what it costs that a pair is tied in the order or on a task but not in both, times
        the weight of the task. With 0, the default, only strict disagreements cost; a pair tied in the order costs
        nothing. A pair with a missing score costs nothing.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Raises
    ------
    InputError
        If the order does not hold every model once.

    Notes
    -----
    O(models^2).

    Examples
    --------
    >>> import weightlab as wl
    >>> kemeny_cost(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"])), ["a", "b", "c"])
    Fraction(4, 1)
    """
    margins = margins_of(source, unlisted)
    penalty = _checked_penalty(tie_penalty)
    listed = [(one,) if isinstance(one, str) else tuple(one) for one in order]
    ensure_each_once([name for tied in listed for name in tied], margins.models, "an order holds")
    at = {name: position for position, tied in enumerate(listed) for name in tied}
    place = np.array([at[model] for model in margins.models], dtype=np.int64)
    above = place[:, None] < place
    tied = np.triu(place[:, None] == place, 1)
    # Three kinds of pairs: the order contradicts a win; order and task differ on a tie, one way or the other, at the
    # penalty each (Fagin et al.'s K^(p)).
    contradicted = int(margins.wins.T[above].sum(dtype=object))
    one_sided = (
        int(margins.ties[above].sum(dtype=object))
        + int(margins.wins[tied].sum(dtype=object))
        + int(margins.wins.T[tied].sum(dtype=object))
    )
    return (contradicted + penalty * one_sided) / margins.denominator


def _checked_penalty(tie_penalty: Number) -> Fraction:
    penalty = fraction(tie_penalty)
    if penalty < 0:
        raise InputError(f"tie_penalty must not be negative; got {penalty}")
    return penalty


# Slater's rule and minimum feedback arc sets: the fewest or lightest majorities to turn until no cycle is left.


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
        As in ``OptimalOrder``, as are ``order``, ``cost`` (the number of majorities that the order turns), ``unique``,
        ``number``, ``shared``.
    """

    def __str__(self) -> str:
        """Return the sentence that says how many duels the order turns."""
        how_sure = self._how_sure("no other order turns as few", "turn as few", "none turns fewer")
        first = f"{either(self.winners)} first" if self.order else "no models"
        return f"Slater: {first}; the order turns {_majorities(int(self.cost))}, and {how_sure}."

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
        proof = f" (not proved to be least: the bound is {self.bound})" if self.gap else proof
        return f"Without {what} there is no cycle{size}: {shown}{proof}."

    def _net(self) -> tuple[AnyArray, Fraction]:
        return super()._net() if self.weighted else (_signs(self.margins), Fraction(1))

    def _cost_of(self, places: AnyArray) -> Fraction:
        against = self._against(places)
        if not self.weighted:
            return Fraction(int(against.sum()))
        removed = self.margins.array[np.ix_(places, places)][against]
        return Fraction(sum(int(one) for one in removed.tolist()), self.margins.denominator)


def slater(source: MajorityLike, *, time_limit: float | None = None, unlisted: Unlisted | None = None) -> SlaterRanking:
    """Return an order that turns as few majorities as any, proved.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    time_limit : float, optional
        Seconds.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    SlaterRanking
        ``.order``, ``.cost`` (the number of majorities turned), ``.turned``, ``.unique``, ``.shared``, ``.verify()``.
        Tied pairs cost nothing either way.

    Raises
    ------
    TimeLimitError, UnprovedError
        When no order was proved to be optimal; ``known`` has an ``order``, its ``cost``, a ``bound``, and
        all this as a ``result`` that can be verified.

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
    Slater: a, b or c first; the order turns 1 majority, and 3 orders turn as few.
    """
    return SlaterRanking(margins=margins_of(source, unlisted)).solved(time_limit)


def feedback_arcs(
    source: MajorityLike, *, weighted: bool = True, time_limit: float | None = None, unlisted: Unlisted | None = None
) -> FeedbackArcs:
    """Return a lightest set of majorities whose removal leaves no cycle, proved.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    weighted : bool
        Make the sum of the margins removed least; otherwise their number.
    time_limit : float, optional
        Seconds.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    FeedbackArcs
        ``.arcs`` (pairs of winner and loser), ``.cost``, ``.order`` (which all other majorities follow),
        ``.verify()``.

    Raises
    ------
    TimeLimitError, UnprovedError
        When no set was proved to be lightest; ``known`` has an ``order``, its ``cost``, a ``bound``, and
        all this as a ``result`` that can be verified.

    Notes
    -----
    NP-hard; solved like ``kemeny``: a set leaves no cycle exactly if it holds all majorities that some order turns.

    Examples
    --------
    >>> import weightlab as wl
    >>> feedback_arcs(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])).arcs
    (('c', 'a'),)
    """
    return FeedbackArcs(margins=margins_of(source, unlisted), weighted=weighted).solved(time_limit)


def _signs(margins: Margins) -> AnyArray:
    beaten = beats(margins)
    return beaten.astype(np.int64) - beaten.T


def _majorities(count: int) -> str:
    return f"{count} {'majority' if count == 1 else 'majorities'}"
