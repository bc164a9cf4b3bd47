"""How far weights must move before today's winner no longer wins, or two neighbours in a ranking change places."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias, cast, get_args

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray
from weightlab._result import ByName, Seen, ensure, exact_series
from weightlab._solver import within
from weightlab._text import without
from weightlab._validate import one_of
from weightlab.data.convert import SignsLike, as_signs, as_table
from weightlab.data.linear_rule import MEAN, PointsLike, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.exceptions import ImpossibleError, InputError, NoWinnerError
from weightlab.lp.by_model import Asked, OfModel
from weightlab.lp.certificate import check_todays, check_weighting, leads, least_lead, series_dict, todays_shares
from weightlab.lp.sensitivity.breaking_cycles import break_cycle
from weightlab.lp.sensitivity.least_change import Reversals, norms_of, reversals
from weightlab.lp.space.conditions import Norm, move_words, weights_text
from weightlab.lp.space.space import WeightSpace

Of: TypeAlias = Literal["winner", "ranking"]
"""Whether the winner is to stay first, or the whole ranking as it is."""
_TODAYS = "today's"
"""Name of the weights in sentences."""


class Stability(OfModel, kind="stability"):
    """How far weights must move from today's before the winner ties a rival, or neighbours in a ranking tie.

    The pairs are the winner with each rival, or each two neighbours of a ranking by points: as long as all of these
    keep their order, so do all models. At every lesser change all pairs keep it; at the least
    change one ties, and the result says whether any greater change can swap it.

    Attributes
    ----------
    of : {"winner", "ranking"}
        Whether the pairs are the winner with its rivals, or the neighbours of the ranking.
    model, rule, signs, points, space
        As of an `OfModel`: the model is today's winner, the first of the ranking.
    weights : Series of Fraction by task
        Today's weights, as shares.
    rivals : tuple of str
        The other models: in board order, or of a ranking as they are ranked today, equal ones in board order.
    reversals : Reversals
        For each pair the least lead by the whole numbers of the rows, and the nearest weights at which there is no
        lead, with proofs.
    """

    derived = ("norms",)

    of: Of = "winner"
    weights: Seen[pd.Series] = ByName("space.tasks")
    rivals: tuple[str, ...]
    reversals: Reversals

    @property
    def norms(self) -> tuple[Norm, ...]:
        """How changes were measured: ``"l1"`` is their sum, ``"linf"`` the largest of them."""
        return self.reversals.norms

    @property
    def order(self) -> tuple[str, ...]:
        """The model, then its rivals: of a ranking all of it as it is today."""
        return self.model, *self.rivals

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of models; the first must stay ahead of the second."""
        above = self.order if self.of == "ranking" else [self.model] * len(self.rivals)
        return tuple(zip(above, self.rivals, strict=False))

    @cached_property
    def contests(self) -> AnyArray:
        """By how much the first of each pair leads the second (pairs x tasks), times ``unit``."""
        points = self.points if self.of == "ranking" else None
        return self.rows if points is None else _neighbours(points, self.order)

    @property
    def leads(self) -> pd.Series:
        """The exact lead today, by rival or by pair of neighbours: a share of weight, or in points of the rule."""
        return self._named(self.scaled(leads(self.contests, self.weights.tolist())), "lead")

    @property
    def least_leads(self) -> pd.Series:
        """The least lead under any allowed weights: below 0 the two can change places, at 0 only tie."""
        return self._named(self.scaled([one.value for one in self.reversals.least]), "least lead")

    def _named(self, values: Sequence[Fraction | None], name: str) -> pd.Series:
        pairs = self.pairs if self.of == "ranking" else []
        index = pd.MultiIndex.from_tuples(pairs, names=["above", "below"]) if pairs else list(self.rivals)
        return pd.Series(list(values), index=index, dtype=object, name=name)

    def radius(self, norm: str | None = None) -> Fraction | None:
        """Return the least change at which some pair ties; None where no allowed weights do that.

        Parameters
        ----------
        norm : {"l1", "linf"}, optional
            By default the first of the question.
        """
        return self.reversals.radius(norm)

    def distances(self, norm: str | None = None) -> pd.Series:
        """Return the least change at which each pair ties (a Fraction, or None where it never does)."""
        return self._named(self.reversals.distances(norm), "change")

    def first(self, norm: str | None = None) -> tuple[tuple[str, str], ...]:
        """Return the pairs that tie at the least change."""
        return tuple(self.pairs[position] for position in self.reversals.first(norm))

    def takers(self, norm: str | None = None) -> tuple[str, ...]:
        """Return the second of each pair that ties at the least change, such as the rivals that tie the winner."""
        return tuple(below for _, below in self.first(norm))

    def weights_at(self, rival: str | None = None, norm: str | None = None) -> pd.Series | None:
        """Return the nearest weights at which a rival, by default the first taker, ties who is ahead; None if none."""
        if rival is not None and rival not in self.rivals:
            raise InputError(f"no rival named {rival!r}; there are {', '.join(map(repr, self.rivals[:6]))}")
        chosen = self.reversals.first(norm)[:1] if rival is None else [self.rivals.index(rival)]
        found = [self.reversals.points[self.reversals.norm_or_first(norm)][position] for position in chosen]
        if not found or found[0] is None:
            return None
        return exact_series(found[0].along(self.space.tasks), self.space.tasks, "weight")

    def __str__(self) -> str:
        """Say the least change in one sentence; another one names the conditions, if there are any."""
        said = self._of_winner() if self.of == "winner" else self._of_ranking()
        return said + self.space.conditions_sentence

    def _far(self) -> str:
        radius = cast("Fraction", self.radius())
        return move_words(radius, self.norms[0], weights_text(series_dict(self.weights), _TODAYS))

    def _of_winner(self) -> str:
        first = "is the Condorcet winner" if self.points is None else f"ranks first {self.rule.by}"
        if self.radius() is None:
            least = f"its lead is never below {self.lead_words(min(self.least_leads))}."
            always = "beats every rival" if self.points is None else first
            return f"{self.model} {always} under all allowed weights: {least}"
        taker = self.takers()[0]
        if not self.leads[taker]:
            return f"{self.model} {first}, tied with {taker} today."
        lost = any(self.least_leads[one] < 0 for one in self.takers())
        what = f"{taker} ties it{'' if lost else ', but can never beat it'}"
        return f"{self.model} {first} until {self._far()}, when {what}."

    def _of_ranking(self) -> str:
        ranking = f"The ranking {self.rule.by} of {len(self.order)} models"
        if self.radius() is None:
            return f"{ranking} is the same under all allowed weights."
        upper, lower = self.first()[0]
        today = "" if self.leads.iloc[self.reversals.first()[0]] else " today"
        return f"{ranking} stays until {self._far()}: {upper} and {lower} tie{today}."

    def to_frame(self) -> pd.DataFrame:
        """Return for each pair the lead today, the least lead and the change at which they tie, half of a sum."""
        columns = {"lead today": self.leads, "least lead": self.least_leads}
        for norm in self.norms:
            name, parts = ("weight to move", 2) if norm == "l1" else ("largest change", 1)
            change = self.distances(norm)
            columns[name] = pd.Series([one and one / parts for one in change], index=change.index, dtype=object)
        frame = pd.DataFrame(columns)
        if self.of == "ranking":
            return frame
        return frame.rename_axis("rival").sort_values(list(frame.columns[2:]), kind="stable")

    def verify(self, source: SignsLike | PointsLike | None = None) -> bool:
        """Re-check in exact arithmetic who is ahead today and every least change, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs or points, and weights, must be those that the result carries. Any numbers can be
            scores, so that for the mean only this tells whose points they are.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        if self.of == "winner":
            self.check_rows(self.rivals, source)
        else:
            models = () if self.points is None else self.points.models
            ensure(self.model in models, f"{self.model!r} is not among the models that points rank")
            self.check_rows(tuple(without(models, [self.model])), source)
            ensure(sorted(self.order) == sorted(models), "the order is not one of all models")
        check_weighting(self.weights, WeightSpace(self.space.tasks))
        check_todays(source, self.weights)
        ensure(self.reversals.centre == tuple(self.weights.tolist()), "changes are not counted from today's weights")
        self.reversals.check(self.contests, self.space)
        place = {} if self.points is None else {model: row for row, model in enumerate(self.points.models)}
        for (upper, lower), lead in zip(self.pairs, self.leads.tolist(), strict=True):
            if self.points is None:
                ensure(lead > 0, f"{upper!r} does not win today: its lead over {lower!r} is {lead}")
                continue
            ensure(lead >= 0, f"{upper!r} stands above {lower!r}, but trails it by {-lead}")
            ensure(lead or place[upper] < place[lower], f"{upper!r} and {lower!r} are tied, but not in board order")
        return True


def stability(
    board: SignsLike,
    *,
    norm: str | None = None,
    rule: RuleLike | None = None,
    of: Of = "winner",
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> Stability:
    """Find the least change of weights at which today's winner no longer wins, and which rival ties it there.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table with today's weights (equal ones for Signs, which have none).
    norm : {"l1", "linf"}, optional
        How changes are measured: their sum (between 0 and 2) or the largest of them; by default both.
    rule : str or sequence of numbers, optional
        ``"majority"``, ``"mean"``, ``"borda"``, ``"plurality"``, ``"veto"``, ``"dowdall"`` or the points of the places;
        by default the table's own (`Leaderboard.rule`), and of a profile or signs the majority.
    of : {"winner", "ranking"}
        The change: today's winner ties a rival, or by a rule of points adjacent models of its ranking
        swap. Of models that are first together today the winner is the first in board order.
    ties, missing : str, optional
        Options of rules by place, as for ``board.points()``.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights. Today's weights need not be among them.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    Stability

    Raises
    ------
    InputError, MissingScoresError
        If the table's own rule is not linear, ``of`` is a ranking by majority, or the rule reads scores or places
        that are missing.
    NoWinnerError
        If by majority no model beats all others today; its ``nearest`` is the `BrokenCycle` that names the nearest
        weights under which one does, or its ``proof`` shows that none ever does.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`; ``known["reversals"]`` has those found of the first duels, by norm.

    Notes
    -----
    A tie is enough to stop winning, so the least change is attained; the changes under which the rival wins the
    head-to-head come arbitrarily near to it, unless the rival leads nowhere (``least_leads`` is 0). Without conditions
    there is a formula: the least sum of changes is by signs the lead where the rival leads some task, and twice the
    lead where it only ties some: O(models x tasks log tasks). In a space: three linear programs per pair. Models
    whose totals are the same today stand in board order, at a change of 0.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 (weights as variables of a linear program). Where the winner is to lose
    instead of a given model to win, the program is that of its nearest tie.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 2}})
    >>> print(wl.lp.stability(board, norm="l1", rule="majority"))
    a is the Condorcet winner until 16.7% of the weight moves from equal weights, when b ties it.
    """
    board = as_table(board)
    norms = norms_of(norm)
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    today = todays_shares(board, asked.space.tasks)
    if one_of("of", of, get_args(Of)) == "ranking" and asked.rule.is_majority:
        told = "majorities need not rank the models: a ranking needs a rule by points"
        raise InputError(Fault(told, Cure("rule", MEAN)))
    with within(time_limit):
        order = _ranked(asked.leads, today.tolist()) if isinstance(asked.leads, Points) else []
        if of == "ranking" and isinstance(asked.leads, Points):
            rows = _neighbours(asked.leads, order)
        else:
            model = order[0] if order else _winner(board, today, norms[0], space)
            order, rows = [model, *asked.leads.rivals(model)], asked.leads.matrix(model)
        found = reversals(rows, today.tolist(), asked.space, norms)
    return Stability(
        model=order[0],
        of=of,
        **asked.fields(order[0]),
        weights=today,
        rivals=tuple(order[1:]),
        space=asked.space,
        reversals=found,
    ).verified()


def _ranked(points: Points, weights: Sequence[Fraction]) -> list[str]:
    """Return the models by their totals under weights, best first; equal ones in board order."""
    totals = leads(points.numerators, weights)
    return [points.models[place] for place in sorted(range(len(totals)), key=lambda place: -totals[place])]


def _neighbours(points: Points, order: Sequence[str]) -> AnyArray:
    """Return by how many points each model of an order is above the next one, on each task."""
    place = {model: row for row, model in enumerate(points.models)}
    ranked = points.numerators[[place[model] for model in order]]
    return np.asarray(ranked[:-1] - ranked[1:])


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
