"""Shares of weightings: under how many of them the first of each of some pairs of models is ahead of the second."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, cast

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, Number, WeightsLike
from weightlab._result import ensure
from weightlab._validate import RngLike
from weightlab.data.convert import SignsLike
from weightlab.data.linear_rule import MAJORITY, LinearRule, PointsLike, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.by_model import Asked
from weightlab.lp.certificate import check_table
from weightlab.lp.sampling.draws import draws_from
from weightlab.lp.sampling.estimates import DrawCounts, SampledShares, counted
from weightlab.lp.sampling.questions import KeptLeads
from weightlab.lp.space.space import WeightSpace


class PairShares(SampledShares, kind="pair_shares"):
    """The share of all weightings under which the first of each pair is ahead of the second, from random ones.

    Attributes
    ----------
    pairs : tuple of (str, str)
        Pairs of models: the first is to be ahead of the second.
    rule : LinearRule
        The majority, or what a place or a score is worth.
    signs : Signs or None
        The table's signs; None by other rules than the majority.
    points : Points or None
        The points of all models by another rule.
    draws : Draws
        The weightings, as a seed from which they can be drawn again.
    ahead : DrawCounts
        By pair, under how many of them the first was ahead.
    """

    pairs: tuple[tuple[str, str], ...]
    rule: LinearRule
    signs: Signs | None
    points: Points | None
    ahead: DrawCounts

    @cached_property
    def shares(self) -> pd.DataFrame:
        """Share with the ends ``low`` and ``high`` of its 95% interval, by pair."""
        low, high = self.ahead.intervals(self.draws)
        index = pd.MultiIndex.from_tuples(self.pairs, names=["ahead", "behind"])
        return pd.DataFrame({"share": self.ahead.shares(self.draws), "low": low, "high": high}, index=index)

    def __str__(self) -> str:
        """Say which pair is nearest to even."""
        place = int(np.abs(self.shares["share"].to_numpy() - 0.5).argmin())
        (first, second), share = self.pairs[place], self.shares["share"].iloc[place]
        what = f"{first} is ahead of {second} {self.rule.by} under {share:.1%}"
        return f"The pair nearest to even: of {self.draws}, {what}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the shares."""
        return self.shares

    def verify(self, source: SignsLike | PointsLike | None = None) -> bool:
        """Draw and count again all that is sampled.

        As for `WinningShares.verify`. Given a source, the signs or points must be those of it.

        Raises
        ------
        ProofError
            Naming what fails.
        UnprovedError
            If drawing the sample again would take longer than about a minute.
        """
        ensure(self.rule.is_majority == (self.points is None), "majorities are read off signs, all else off points")
        ensure((self.signs is None) != (self.points is None), "there must be signs or points, and not both")
        if self.points is None:
            check_table(cast("Signs", self.signs), self.space, cast("SignsLike", source))
        else:
            self.rule.check(self.points, self.space.tasks, source)
        leads = cast("Signs | Points", self.points or self.signs)
        known = {*leads.models}
        ensure(self.pairs and all({*one} <= known and len({*one}) == 2 for one in self.pairs), "there is no such pair")
        self.draws.check()
        question = KeptLeads(_rows(leads, self.pairs), self.draws.body)
        self.ahead.check_form(question.shape, self.draws)
        self.check_drawn(question, self.pairs, self.ahead, {}, ())
        return True


def pair_shares(
    board: SignsLike,
    pairs: Iterable[tuple[str, str]],
    *,
    rule: RuleLike | None = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    samples: int = 10_000,
    rng: RngLike = None,
    space: WeightSpace | None = None,
    prior: Number | WeightsLike | None = None,
    time_limit: float | None = None,
) -> PairShares:
    """Estimate under which share of all weightings the first of each pair of models is ahead of the second.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Head-to-head, missing scores count as ties.
    pairs : iterable of (str, str)
        Pairs of models: the first is to be ahead of the second.
    rule, ties, missing, scaled, samples, rng, space, prior, time_limit
        As for `winning_shares`; without a rule the table's own.

    Returns
    -------
    PairShares

    Raises
    ------
    UnknownNameError, InputError, MissingScoresError, EmptySpaceError
        If there is no such model or pair, or as for `winning_shares`.

    Notes
    -----
    Leads that are the same under all weights of the space are decided exactly, others in doubles:
    O(samples x pairs x tasks). `duel_shares` asks about all pairs by majority.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> found = wl.lp.pair_shares(board, [("a", "b"), ("b", "c")], rule="mean", samples=4000, rng=1)
    >>> bool(found.shares.loc[("a", "b"), "low"] < 1 / 2 < found.shares.loc[("a", "b"), "high"])
    True
    """
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    given: Any = pairs
    listed = list(given) if isinstance(given, Iterable) else []
    fits = (isinstance(one, list | tuple | np.ndarray) and len(one) == 2 and one[0] != one[1] for one in listed)
    if not listed or not all(fits):
        raise InputError("pairs must be some, each of two different models")
    chosen = tuple((first, second) for first, second in listed)
    for name in (one for pair in chosen for one in pair):
        if name not in asked.leads.models:
            raise UnknownNameError("model", name, asked.leads.models)
    draws = draws_from(asked.space, samples=samples, rng=rng, prior=prior, time_limit=time_limit)
    ahead, _ = counted(draws, (), KeptLeads(_rows(asked.leads, chosen), draws.body))
    return PairShares(pairs=chosen, **asked.of_table, draws=draws, ahead=ahead)


def _rows(leads: Signs | Points, pairs: Iterable[tuple[str, str]]) -> AnyArray:
    """Return by how much the first of each pair leads the second (pairs x tasks), in whole numbers."""
    place = {model: row for row, model in enumerate(leads.models)}
    places = [(place[first], place[second]) for first, second in pairs]
    if isinstance(leads, Points):
        return np.asarray([leads.numerators[one] - leads.numerators[other] for one, other in places])
    return np.asarray([leads.over(one, [other])[0] for one, other in places])
