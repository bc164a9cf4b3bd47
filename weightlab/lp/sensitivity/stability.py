"""How far weights must move before today's winner no longer wins, or two neighbours in a ranking change places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import cast, overload

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import ByName, Result, Seen, SignMatrix, ensure, exact_series
from weightlab._solver import within
from weightlab._text import percent
from weightlab.data.convert import SignsLike, as_signs, as_table
from weightlab.data.linear_rule import LinearRule, PointsLike, RuleLike
from weightlab.data.points import Missing, Points, Ties
from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError
from weightlab.lp.certificates.dual import check_form, check_todays, leads, least_lead, series_dict, todays_shares
from weightlab.lp.sensitivity.least_change import Reversals, norms_of, reversals
from weightlab.lp.sensitivity.nearest_winner import break_cycle
from weightlab.lp.space.conditions import Norm, move_words, weights_text
from weightlab.lp.space.space import WeightSpace, signs_and_space, space_for

_TODAYS = "today's"
"""Whose weights are told of."""


class Stability(Result, kind="stability"):
    """How far weights must move from today's before the Condorcet winner ties or loses a duel, rival by rival.

    At every lesser change it still wins. At the least change it ties; whether any more can make it lose is said, too.

    Attributes
    ----------
    model : str
        Today's Condorcet winner.
    weights : Series of Fraction by task
        Today's weights, as shares.
    rivals : tuple of str
        The other models, in board order.
    signs : ndarray of int8, rivals x tasks
        G_m.
    space : WeightSpace
        The weights that were allowed.
    reversals : Reversals
        For each rival the least lead, and the nearest weights at which there is no lead, with proofs.
    """

    derived = ("norms",)

    model: str
    weights: Seen[pd.Series] = ByName("space.tasks")
    rivals: tuple[str, ...]
    signs: SignMatrix
    space: WeightSpace
    reversals: Reversals

    @property
    def norms(self) -> tuple[Norm, ...]:
        """How changes were measured: ``"l1"`` is their sum, ``"linf"`` the largest of them."""
        return self.reversals.norms

    @property
    def leads(self) -> pd.Series:
        """The exact lead over each rival under today's weights."""
        return exact_series(leads(self.signs, self.weights.tolist()), self.rivals, "lead")

    @property
    def least_leads(self) -> pd.Series:
        """The least lead over each rival under any allowed weights: below 0 the duel can be lost, at 0 only tied."""
        return exact_series([one.value for one in self.reversals.least], self.rivals, "least lead")

    def radius(self, norm: str | None = None) -> Fraction | None:
        """Return the least change at which the winner no longer wins; None where no allowed weights do that.

        Parameters
        ----------
        norm : {"l1", "linf"}, optional
            By default the first that was asked for.
        """
        return self.reversals.radius(norm)

    def distances(self, norm: str | None = None) -> pd.Series:
        """Return the least change at which each rival ties it (a Fraction, or None where it never does)."""
        return pd.Series(self.reversals.distances(norm), index=list(self.rivals), dtype=object, name="change")

    def takers(self, norm: str | None = None) -> tuple[str, ...]:
        """Return the rivals that tie it at the least change, in board order."""
        return tuple(self.rivals[position] for position in self.reversals.first(norm))

    def weights_at(self, rival: str | None = None, norm: str | None = None) -> pd.Series | None:
        """Return the nearest weights at which a rival, by default the first taker, ties it; None if none do."""
        if rival is not None and rival not in self.rivals:
            raise InputError(f"no rival named {rival!r}; there are {', '.join(map(repr, self.rivals[:6]))}")
        chosen = self.reversals.first(norm)[:1] if rival is None else [self.rivals.index(rival)]
        found = [self.reversals.points[self.reversals.norm_or_first(norm)][position] for position in chosen]
        if not found or found[0] is None:
            return None
        return exact_series(found[0].along(self.space.tasks), self.space.tasks, "weight")

    def __str__(self) -> str:
        """Say the least change in one sentence; another one names the conditions, if there are any."""
        if self.radius() is None:
            least = f"its lead is never below {percent(min(self.least_leads), floor)} of the weight."
            whatever = f"{self.model} beats every rival under all allowed weights: {least}"
            return whatever + self.space.conditions_sentence
        lost = any(self.least_leads[taker] < 0 for taker in self.takers())
        what = f"{self.takers()[0]} ties it{'' if lost else ', but can never beat it'}"
        far = move_words(
            cast("Fraction", self.radius()), self.norms[0], weights_text(series_dict(self.weights), _TODAYS)
        )
        return f"{self.model} is the Condorcet winner until {far}, when {what}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return for each rival the lead today, the least lead, and the change at which it ties it."""
        changes = {norm: self.distances(norm) for norm in self.norms}
        frame = _frame(self.leads, self.least_leads, changes).rename_axis("rival")
        return frame.sort_values(list(frame.columns[2:]), kind="stable")

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check in exact arithmetic that the model wins today and every least change, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs and weights must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        tasks = tuple(map(str, self.weights.index))
        check_form(self.model, self.rivals, tasks, self.signs, self.space, source=source)
        check_todays(source, self.weights)
        ensure(self.reversals.centre == tuple(self.weights.tolist()), "changes are not counted from today's weights")
        self.reversals.check(self.signs, self.space)
        for rival, lead in self.leads.items():
            ensure(lead > 0, f"{self.model!r} does not win today: its lead over {rival!r} is {lead}")
        return True


@overload
def stability(
    board: SignsLike,
    *,
    norm: str | None = ...,
    rule: None = ...,
    ties: Ties | None = ...,
    missing: Missing | None = ...,
    space: WeightSpace | None = ...,
    time_limit: float | None = ...,
) -> Stability: ...


@overload
def stability(
    board: PointsLike,
    *,
    norm: str | None = ...,
    rule: RuleLike,
    ties: Ties | None = ...,
    missing: Missing | None = ...,
    space: WeightSpace | None = ...,
    time_limit: float | None = ...,
) -> RankingStability: ...


def stability(
    board: SignsLike,
    *,
    norm: str | None = None,
    rule: RuleLike | None = None,
    ties: Ties | None = None,
    missing: Missing | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> Stability | RankingStability:
    """Find the least change of weights at which today's winner no longer wins, and which rival ties it there.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table with today's weights (equal ones for Signs, which have none).
    norm : {"l1", "linf"}, optional
        How changes are measured: their sum (between 0 and 2) or the largest of them; by default both.
    rule : str or sequence of numbers, optional
        A linear rule instead of duels: ``"mean"``, ``"borda"``, ``"plurality"``, ``"veto"``, ``"dowdall"`` or the
        points of the places. Then for each two neighbours of its ranking the least change at which they swap.
    ties, missing : str, optional
        Options of the rule, as for ``board.points()``.
    space : WeightSpace, optional
        Allowed weights. Today's weights need not be among them.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    Stability, or RankingStability with ``rule``

    Raises
    ------
    NoWinnerError
        If no model beats all others today; its ``nearest`` is the `BrokenCycle` that names the nearest weights under
        which one does, or its ``proof`` shows that none ever does.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`; ``known["reversals"]`` has those found of the first duels, by norm.

    Notes
    -----
    A tie is enough to stop winning, so the least change is attained; the changes under which the rival wins the duel
    come arbitrarily near to it, unless the rival leads nowhere (``least_leads`` is 0). Without conditions there
    is a formula: the least sum of changes is the lead where the rival leads some task, and twice the lead where it
    only ties some; it takes O(models x tasks log tasks). In a space three linear programs a rival.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 (weights as variables of a linear program). Where the winner is to lose
    instead of a given model to win, the program is that of its nearest tie.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 2}})
    >>> print(wl.lp.stability(board, norm="l1"))
    a is the Condorcet winner until 16.7% of the weight moves from equal weights, when b ties it.
    """
    board = as_table(board)
    if rule is not None:
        return ranking_stability(board, rule, ties=ties, missing=missing, norm=norm, space=space, time_limit=time_limit)
    if ties is not None or missing is not None:
        raise InputError("ties= and missing= are options of a rule; duels take neither")
    norms = norms_of(norm)
    signs, allowed = signs_and_space(board, space)
    today = todays_shares(board, signs.tasks)
    with within(time_limit):
        model = _winner(board, today, norms[0], space)
        rows = signs.matrix(model)
        found = reversals(rows, today.tolist(), allowed, norms)
    return Stability(
        model=model,
        weights=today,
        rivals=signs.rivals(model),
        signs=rows,
        space=allowed,
        reversals=found,
    ).verified()


def _winner(board: SignsLike, today: pd.Series, norm: Norm, space: WeightSpace | None) -> str:
    """Return the model that beats all others today, or raise NoWinnerError with the nearest weights that have one."""
    signs, shares = as_signs(board), today.tolist()
    for model in signs.models:
        if least_lead(signs.matrix(model), shares) > 0:
            return model
    without = "no model beats all others under today's weights"
    try:
        nearest = break_cycle(board, norm=norm, space=space)
    except ImpossibleError as error:
        raise NoWinnerError(f"{without}, nor under any allowed weights", proof=error.proof) from None
    raise NoWinnerError(f"{without}; {nearest.nearest_text}", nearest=nearest)


class RankingStability(Result, kind="ranking_stability"):
    """For each adjacent pair in a ranking by a linear rule the least change of weights at which they tie.

    Attributes
    ----------
    rule : LinearRule
        The rule: a model's total is the sum of weights times points.
    points : Points
        The points of all models on all tasks.
    weights : Series of Fraction by task
        Today's weights, as shares.
    order : tuple of str
        All models by their totals under today's weights, best first; equal ones in board order.
    space : WeightSpace
        The weights that were allowed.
    reversals : Reversals
        For each adjacent pair, the upper one first, the least lead (in units of 1 / ``points.denominator``) and the
        nearest weights at which there is no lead, with proofs.
    """

    derived = ("norms",)

    rule: LinearRule
    points: Points
    weights: Seen[pd.Series] = ByName("space.tasks")
    order: tuple[str, ...]
    space: WeightSpace
    reversals: Reversals

    @property
    def norms(self) -> tuple[Norm, ...]:
        """How changes were measured: ``"l1"`` is their sum, ``"linf"`` the largest of them."""
        return self.reversals.norms

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Neighbours in the ranking, the upper one first."""
        return tuple(zip(self.order, self.order[1:], strict=False))

    @cached_property
    def rows(self) -> AnyArray:
        """Differences of points of neighbours (pairs x tasks), times ``points.denominator``."""
        place = {model: position for position, model in enumerate(self.points.models)}
        ranked = self.points.numerators[[place[model] for model in self.order]]
        return np.asarray(ranked[:-1] - ranked[1:])

    @property
    def leads(self) -> pd.Series:
        """The exact lead of each model over the next one today, by pair."""
        return self._by_pair(leads(self.rows, self.weights.tolist()), "lead", self.points.denominator)

    @property
    def least_leads(self) -> pd.Series:
        """The least lead under any allowed weights, by pair: below 0 the two can change places, at 0 only tie."""
        return self._by_pair([one.value for one in self.reversals.least], "least lead", self.points.denominator)

    def _by_pair(self, values: Sequence[Fraction | None], name: str, unit: int = 1) -> pd.Series:
        index = pd.MultiIndex.from_tuples(self.pairs, names=["above", "below"])
        scaled = [None if value is None else value / unit for value in values]
        return pd.Series(scaled, index=index, dtype=object, name=name)

    def radius(self, norm: str | None = None) -> Fraction | None:
        """Return the least change at which some adjacent pair ties; None where no allowed weights do that.

        Parameters
        ----------
        norm : {"l1", "linf"}, optional
            By default the first that was asked for.
        """
        return self.reversals.radius(norm)

    def distances(self, norm: str | None = None) -> pd.Series:
        """Return the least change at which each adjacent pair ties (Fractions; None where they never do)."""
        return self._by_pair(self.reversals.distances(norm), "change")

    def first(self, norm: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the adjacent pairs that tie at the least change."""
        return tuple(self.pairs[position] for position in self.reversals.first(norm))

    def __str__(self) -> str:
        """Say the least change in one sentence; another one names the conditions, if there are any."""
        ranking = f"The ranking by {self.rule} of {len(self.order)} models"
        radius = self.radius()
        if radius is None:
            return f"{ranking} is the same under all allowed weights.{self.space.conditions_sentence}"
        (upper, lower), norm = self.first()[0], self.norms[0]
        level = f"{upper} and {lower} tie."
        if not self.leads.iloc[self.reversals.first()[0]]:
            level = f"{upper} and {lower} tie today."
        far = move_words(radius, norm, weights_text(series_dict(self.weights), _TODAYS))
        return f"{ranking} stays until {far}: {level}{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return for each adjacent pair the lead today, the least lead and the change at which they tie."""
        return _frame(self.leads, self.least_leads, {norm: self.distances(norm) for norm in self.norms})

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check in exact arithmetic the points, their order today and every least change, without a solver.

        Parameters
        ----------
        source : Leaderboard or Profile, optional
            The table; its points and weights must be those that the result carries. Any numbers can be scores, so that
            for the mean only this tells whose points they are.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        self.rule.check(self.points, self.space.tasks, source)
        ensure(
            tuple(self.weights.index) == self.space.tasks, "the weights are not about the tasks of the space, in order"
        )
        check_todays(source, self.weights)
        ensure(sorted(self.order) == sorted(self.points.models), "the order is not one of all models")
        ensure(self.reversals.centre == tuple(self.weights.tolist()), "changes are not counted from today's weights")
        self.reversals.check(self.rows, self.space)
        place = {model: position for position, model in enumerate(self.points.models)}
        for (upper, lower), lead in zip(self.pairs, self.leads.tolist(), strict=True):
            ensure(lead >= 0, f"{upper!r} is ranked above {lower!r}, but trails it by {-lead}")
            ensure(lead or place[upper] < place[lower], f"{upper!r} and {lower!r} are level, but not in board order")
        return True


def _frame(today: pd.Series, least: pd.Series, changes: Mapping[Norm, pd.Series]) -> pd.DataFrame:
    """Return leads and changes side by side; of a sum of changes half is what moves."""
    columns = {"lead today": today, "least lead": least}
    for norm, change in changes.items():
        name, parts = ("weight to move", 2) if norm == "l1" else ("largest change", 1)
        columns[name] = pd.Series([one and one / parts for one in change], index=change.index, dtype=object)
    return pd.DataFrame(columns)


def ranking_stability(
    board: SignsLike,
    rule: RuleLike,
    *,
    ties: Ties | None = None,
    missing: Missing | None = None,
    norm: str | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> RankingStability:
    """Find for each adjacent pair in a ranking by a linear rule the least change at which they tie.

    This is what `stability` returns with ``rule``; the parameters are explained there.

    Notes
    -----
    Models that tie today stand in board order, at a change of 0. Two neighbours swap before any other two do:
    as long as all neighbours keep their order, so do all models.
    """
    norms = norms_of(norm)
    made = LinearRule.of(rule, ties=ties, missing=missing)
    points = made.points(board)
    allowed = space_for(as_signs(board), space)
    today = todays_shares(board, points.tasks)
    totals = leads(points.numerators, today.tolist())
    ranked = sorted(range(len(totals)), key=lambda position: -totals[position])
    order = [points.models[position] for position in ranked]
    ordered = points.numerators[ranked]
    with within(time_limit):
        found = reversals(ordered[:-1] - ordered[1:], today.tolist(), allowed, norms)
    return RankingStability(
        rule=made,
        points=points,
        weights=today,
        order=tuple(order),
        space=allowed,
        reversals=found,
    ).verified()
