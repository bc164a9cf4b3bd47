"""Maximal lotteries and the bipartisan set: mixtures of models that no model is preferred to."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import common_denominator, exact_products
from weightlab._record import IndexedBy, exact_series
from weightlab._result import Result, ensure
from weightlab._text import first_few
from weightlab._typing import AnyArray
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError
from weightlab.graph.majority_graph import MajorityLike, beats, check_margins, margins_of
from weightlab.graph.sets.smith_schwartz import smith_members
from weightlab.graph.sets.symmetric_game import equations_of, spread, strict_lottery

Duels: TypeAlias = Literal["margins", "signs"]
"""What a duel counts: its margin, or 1 for a win."""
Lottery: TypeAlias = Annotated[pd.Series, IndexedBy("margins.models", "probability")]
"""A probability for each model; only those that are positive travel."""


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
        What a duel counts.
    margins : Margins
        The margins that the claim is about.
    """

    probabilities: Lottery
    unique: bool
    other: Lottery | None
    duels: Duels
    margins: Margins = field(repr=False)

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

    def summary(self) -> pd.DataFrame:
        """Return the positive probabilities as floats, greatest first."""
        shares = self.probabilities[list(self.support)].astype(float)
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


def maximal_lottery(source: MajorityLike, *, duels: Duels = "margins") -> MaximalLottery:
    """Return a mixture of models against which no model has a positive expected margin, exactly.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.
    duels : {"margins", "signs"}
        Whether a duel counts its margin, or 1 for a win and 0 for a tie.

    Returns
    -------
    MaximalLottery
        ``.probabilities``, ``.unique``, ``.other``, ``.support``, ``.verify()``. Among several, one that gives a
        positive probability to every model that has one in any.

    Notes
    -----
    The optimal strategies of a symmetric zero-sum game: a linear program over a few models of the Smith set, which
    whoever gains from its solution joins, made exact by solving its support in integers. If that point leaves open
    whether it is the only one (which needs tied duels or equal margins), a second program maximises the least of every
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
    margins = margins_of(source)
    game = game_of(margins, duels)
    # Every maximal lottery is supported in the Smith set: whoever is outside loses to all members.
    inside = np.flatnonzero(smith_members(beats(margins)))
    found = strict_lottery(game[np.ix_(inside, inside)])
    lotteries = [
        exact_series(spread(one, inside, len(game)), margins.models, "probability") for one in found if one is not None
    ]
    return MaximalLottery(
        probabilities=lotteries[0],
        unique=len(lotteries) == 1,
        other=lotteries[1] if len(lotteries) > 1 else None,
        duels=duels,
        margins=margins,
    )


def bipartisan_set(source: MajorityLike, *, duels: Duels = "signs") -> tuple[str, ...]:
    """Return the models with a positive probability in some maximal lottery, in board order.

    Parameters
    ----------
    source : Leaderboard, Profile, Margins or DiGraph
        Tasks or voters count with their weights.
    duels : {"signs", "margins"}
        With signs, the bipartisan set where no duel is tied, and the essential set in general; with margins, the
        essential set of the weighted game.

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
    return maximal_lottery(source, duels=duels).support


def game_of(margins: Margins, duels: Duels) -> AnyArray:
    """Return the symmetric zero-sum game that the models play: what the row gains from the column.

    Raises
    ------
    InputError
        If the kind of duels is not known.
    """
    if duels == "margins":
        return margins.array
    if duels == "signs":
        beaten = beats(margins)
        return np.asarray(beaten.astype(np.int8) - beaten.T.astype(np.int8))
    raise InputError(f"duels must be 'margins' or 'signs'; got {duels!r}")
