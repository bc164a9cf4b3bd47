"""Maximal lotteries and the bipartisan set: exact mixtures of models, with no model preferred to them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, common_denominator, exact_products
from weightlab._result import ByName, Result, Seen, ensure, exact_series
from weightlab._solver import Formulation, IntegerSystem, Rows, Sense, exact_optimum, solve
from weightlab._text import first_few
from weightlab.data.convert import Unlisted
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError
from weightlab.graph.majority_graph import MajorityLike, beats, check_margins, margins_of
from weightlab.graph.sets.majority_sets import smith_members

Payoffs: TypeAlias = Literal["margins", "signs"]
"""What a head-to-head counts: its margin, or 1 for a win."""


class MaximalLottery(Result, kind="maximal_lottery"):
    """A mixture of models against which no model has a positive expected margin.

    Attributes
    ----------
    probabilities : Series of Fraction
        Indexed by models; sums to 1. Positive for every model that has a positive probability in any such mixture.
    unique : bool
        Whether there is no other.
    other : Series of Fraction or None
        Another one, where there is.
    duels : {"margins", "signs"}
        What a head-to-head counts.
    margins : Margins
        The margins that the claim is about.
    """

    probabilities: Seen[pd.Series] = ByName("margins.models", called="probability")
    unique: bool
    other: Seen[pd.Series | None] = ByName("margins.models", called="probability")
    duels: Payoffs
    margins: Margins

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.margins.models

    @property
    def support(self) -> tuple[str, ...]:
        """The models with a positive probability, in board order: the essential set."""
        return tuple(model for model, share in zip(self.models, self.probabilities.tolist(), strict=True) if share)

    def __str__(self) -> str:
        """Return the sentence that names the mixture."""
        shares = first_few((f"{self.probabilities[model]} {model}" for model in self.support), 6)
        only = "the only maximal lottery" if self.unique else "a maximal lottery among others"
        return f"{shares}: {only}."

    def to_frame(self) -> pd.DataFrame:
        """Return the positive probabilities, greatest first."""
        shares = self.probabilities[list(self.support)]
        return shares.sort_values(ascending=False, kind="stable").to_frame("probability")

    def verify(self, source: MajorityLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic; given the source, also that the margins are that source's.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        check_margins(self.margins, source)
        ensure(self.duels in {"margins", "signs"}, f"duels count no {self.duels!r}")
        game = game_of(self.margins, self.duels)
        own, gains = self._checked(self.probabilities, game)
        # Strict complementarity. It shows that the support is the largest of all, so the lottery is the only one
        # exactly if the equations on its support are regular.
        for model, share, gain in zip(self.models, own, gains, strict=True):
            ensure(share or gain, f"{model!r} has probability 0, yet the mixture has no margin over it")
        inside = np.array([share > 0 for share in own])
        singular = equations_of(game[np.ix_(inside, inside)]).is_singular
        ensure(self.unique is not singular, f"that the lottery is unique is {not singular}")
        ensure(self.unique is (self.other is None), "there is another lottery exactly if this one is not unique")
        if self.other is not None:
            other, _ = self._checked(self.other, game)
            ensure(other != own, "the other lottery is the same")
        return True

    def _checked(self, lottery: pd.Series, game: AnyArray) -> tuple[list[int], list[int]]:
        """Return numerators of a lottery and of its expected margins over each model, or raise ProofError."""
        ensure(list(lottery.index) == list(self.models), "the lottery is not over the models of the margins")
        shares = [Fraction(share) for share in lottery.tolist()]
        ensure(all(share >= 0 for share in shares), "a probability is negative")
        ensure(sum(shares) == 1, f"the probabilities sum to {sum(shares)}, not 1")
        numerators, _ = common_denominator(shares)
        gains = [int(one) for one in exact_products(game.T, numerators)]
        for model, gain in zip(self.models, gains, strict=True):
            ensure(gain >= 0, f"{model!r} has a positive expected margin over the lottery")
        return numerators, gains


def maximal_lottery(
    source: MajorityLike, *, duels: Payoffs = "margins", unlisted: Unlisted | None = None
) -> MaximalLottery:
    """Return a mixture of models against which no model has a positive expected margin, exactly.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    duels : {"margins", "signs"}
        Whether a head-to-head counts its margin, or 1 for a win and 0 for a tie.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Returns
    -------
    MaximalLottery
        ``.probabilities``, ``.unique``, ``.other``, ``.support``, ``.verify()``. Among several, one that gives a
        positive probability to every model that has one in any.

    Notes
    -----
    The optimal strategies of a symmetric zero-sum game: a linear program over a few models of the Smith set, which
    whoever gains from its solution joins, made exact by solving its support in integers. If that point leaves open
    whether it is the only one (which needs tied pairs or equal margins), one exact program maximises the least of every
    model's probability plus the mixture's margin over it, among the models over which the first one has no margin.

    References
    ----------
    P. C. Fishburn, "Probabilistic social choice based on simple voting comparisons", Rev. Econ. Stud. 51 (1984).
    B. Dutta and J.-F. Laslier, "Comparison functions and choice correspondences", Social Choice and Welfare 16 (1999).

    Examples
    --------
    >>> import weightlab as wl
    >>> lottery = maximal_lottery(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2]))
    >>> lottery.probabilities.to_dict()
    {'a': Fraction(5, 9), 'b': Fraction(1, 9), 'c': Fraction(1, 3)}
    >>> lottery.unique
    True
    """
    margins = margins_of(source, unlisted)
    game = game_of(margins, duels)
    # Every maximal lottery is supported in the Smith set: a model outside loses to all members.
    inside = np.flatnonzero(smith_members(beats(margins)))
    found, another = strict_lottery(game[np.ix_(inside, inside)])

    def lottery(shares: Sequence[Fraction]) -> pd.Series:
        return exact_series(spread(shares, inside, len(game)), margins.models, "probability")

    other = None if another is None else lottery(another)
    return MaximalLottery(probabilities=lottery(found), unique=other is None, other=other, duels=duels, margins=margins)


def bipartisan_set(
    source: MajorityLike, *, duels: Payoffs = "signs", unlisted: Unlisted | None = None
) -> tuple[str, ...]:
    """Return the models with a positive probability in some maximal lottery, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        Tasks or voters count with their weights.
    duels : {"signs", "margins"}
        With signs, the bipartisan set where no pair is tied, and the essential set in general; with margins, the
        essential set of the weighted game.
    unlisted : {"last", "unknown"}, optional
        What models are that a voter leaves out, as in `margins_of`.

    Notes
    -----
    Checked in fractions: the mixture p has p A >= 0, and every model a positive probability or a positive margin of
    the mixture over it. A vertex of the linear program alone would not do when duels tie.

    References
    ----------
    G. Laffond, J.-F. Laslier and M. Le Breton, "The bipartisan set of a tournament game", Games Econ. Behav. 5
    (1993). B. Dutta and J.-F. Laslier (1999) for ties.

    Examples
    --------
    >>> import weightlab as wl
    >>> bipartisan_set(wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"])))
    ('a', 'b', 'c')
    """
    return maximal_lottery(source, duels=duels, unlisted=unlisted).support


def game_of(margins: Margins, duels: Payoffs) -> AnyArray:
    """Return the symmetric zero-sum game that the models play: what the row gains from the column.

    Raises
    ------
    InputError
        If the value of ``duels`` is not known.
    """
    if duels == "margins":
        return margins.array
    if duels == "signs":
        beaten = beats(margins)
        return np.asarray(beaten.astype(np.int8) - beaten.T.astype(np.int8))
    raise InputError(f"duels must be 'margins' or 'signs'; got {duels!r}")


LIKELY = 1e-9
"""A probability above this in a solver's answer is taken for one that is not 0; what follows is checked exactly."""
AT_ONCE = 64
"""This many models are added to the game at once: few of them have a part in a lottery, however many there are."""


def strict_lottery(game: AnyArray) -> tuple[list[Fraction], list[Fraction] | None]:
    """Return a maximal lottery of largest support, and another one if any.

    Parameters
    ----------
    game : ndarray of int, models x models
        Antisymmetric: what the row gains from the column.

    Notes
    -----
    A lottery that gains from every model to which it gives nothing has the largest support of all: every other one lies
    within it and satisfies the same equations.
    """
    # First guess: the support that floats show. If its equations have one solution, positive inside and gaining
    # strictly outside, it is the only maximal lottery and no linear program need be solved exactly.
    support, playing = _likely_support(game)
    exact = _only_one(game, support)
    if exact is not None:
        return exact, None
    joining = np.flatnonzero(playing).tolist()
    while joining:
        playing[joining] = True
        members = np.flatnonzero(playing)
        # A strictly complementary optimum exists (Goldman and Tucker 1956), and a symmetric game is its own dual: some
        # p has every model in its support or gains strictly from it, so the program's value is positive.
        lottery = _optimum(game, members, strict=True)
        # So is it in the whole game once it gains from all that do not play; floats only proposed who does.
        worst = sorted((gain, model) for model, gain in enumerate(_gains(game, lottery)) if gain <= 0)
        joining = [model for _, model in worst if not playing[model]][:AT_ONCE]
    inside = np.flatnonzero(np.array(lottery) > 0)
    if not equations_of(game[np.ix_(inside, inside)]).is_singular:
        return lottery, None
    # The lottery lies between all others of its support, so any corner of these differs from it. That one may lose to
    # models that do not play, from which the first one gains: half way there and on, it no longer does.
    other = _optimum(game, members, strict=False)
    while min(_gains(game, other)) < 0:
        other = [(one + two) / 2 for one, two in zip(lottery, other, strict=True)]
    return lottery, other


def _likely_support(game: AnyArray) -> tuple[BoolArray, BoolArray]:
    """Return which models a solver's lottery gives a probability, and from which of all it gains nothing."""
    largest = max(1, int(np.abs(game).max(initial=0)))
    playing = np.zeros(len(game), dtype=np.bool_)
    # The models that win most head-to-heads play first, and all that gain from their lottery join.
    joining = np.argsort(-np.asarray(game > 0).sum(axis=1), kind="stable")[:AT_ONCE]
    while len(joining):
        playing[joining] = True
        found = solve(_program(game[np.ix_(playing, playing)], strict=False)).x
        if found is None:
            return np.zeros_like(playing), np.ones_like(playing)
        shares = np.zeros(len(game))
        shares[playing] = found[:-1]
        # Column generation: a lottery over some models is maximal in the whole game once no model outside gains from
        # it.
        gains = shares[playing] @ (game[playing] / largest).astype(np.float64)
        joining = np.flatnonzero(~playing & (gains < -LIKELY))
        joining = joining[np.argsort(gains[joining], kind="stable")[:AT_ONCE]]
    return shares > LIKELY, gains <= LIKELY


def _gains(game: AnyArray, lottery: Sequence[Fraction]) -> list[int]:
    """Return the gains of a lottery from each model, up to a common positive factor."""
    numerators, _ = common_denominator(lottery)
    inside = np.flatnonzero(np.array([share > 0 for share in lottery]))
    return [int(one) for one in exact_products(game[inside].T, [numerators[place] for place in inside.tolist()])]


def spread(shares: Sequence[Fraction], members: AnyArray, count: int) -> list[Fraction]:
    """Return a lottery over some of the models as one over all."""
    lottery = [Fraction(0)] * count
    for model, share in zip(members.tolist(), shares, strict=True):
        lottery[model] = share
    return lottery


def _only_one(game: AnyArray, inside: AnyArray) -> list[Fraction] | None:
    """Return the only maximal lottery if it has exactly this support and beats every model outside, else None."""
    members = np.flatnonzero(inside)
    if not len(members):
        return None
    system = equations_of(game[np.ix_(members, members)])
    # ``solve`` returns None for a singular system: several lotteries share the support, so this guess decides nothing.
    shares = system.solve([1] + [0] * (len(members) - 1))
    if shares is None or any(share <= 0 for share in shares):
        return None
    lottery = spread(shares, members, len(game))
    gains = _gains(game, lottery)
    if any(gain != 0 if inside[model] else gain <= 0 for model, gain in enumerate(gains)):
        return None
    return lottery


def equations_of(game: AnyArray) -> IntegerSystem:
    """Return the equations of a lottery that gains nothing from any model of its support.

    The first of the gains is replaced by the sum of the probabilities: as the game is antisymmetric it follows from
    the others. The system is regular exactly if one lottery alone satisfies it.
    """
    equations = game.T.astype(object if game.dtype.kind == "O" else np.int64)
    equations[0] = 1
    return IntegerSystem(equations)


def _optimum(game: AnyArray, members: AnyArray, *, strict: bool) -> list[Fraction]:
    """Return an exact corner of a program for the game of some models, as a lottery over all."""
    found = exact_optimum(_program(game[np.ix_(members, members)], strict=strict)).x
    return spread(found[:-1], members, len(game))


def _program(game: AnyArray, *, strict: bool) -> Formulation:
    """Return the program of the maximal lotteries p; its last column counts in the strict one only.

    That one asks for the greatest least entry of p + p A / s, where s is the largest gain, so that no coefficient is
    small compared with the others of its row.
    """
    count, names = len(game), [str(model) for model in range(len(game))]
    whole = game.T.astype(object if game.dtype.kind == "O" else np.int64)
    gains = np.column_stack([whole, np.zeros_like(whole[:, :1])])
    total = np.append(np.ones(count, dtype=np.int8), np.int8(0))[None, :]
    rows = [Rows.from_matrix(gains, lower=0, labels=names)]
    if strict:
        largest = max(1, int(np.abs(game).max(initial=0)))
        more = np.column_stack(
            [whole + largest * np.eye(count, dtype=whole.dtype), np.full_like(gains[:, :1], -largest)]
        )
        rows.append(Rows.from_matrix(more, lower=0, labels=names))
    rows.append(Rows.from_matrix(total, lower=1, upper=1, labels=["sum"]))
    return Formulation.over(
        [*names, "least"],
        Rows.join(*rows),
        name="maximal lottery",
        sense=Sense.MAXIMISE,
        objective=[0] * count + [1],
        lower=[0] * count + [None],
        upper=[None] * count + [int(strict)],
    )
