"""Whether a claim holds whatever the missing scores are, and which of them to measure next where that is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, BoolArray, FloatArray, Number, fraction
from weightlab._result import BoolMatrix, Result, ensure
from weightlab._text import counted, in_words, percent, quoted
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.linear_rule import MAJORITY, MEAN, LinearRule, RuleLike
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.improvement.score_column import board_with_scores, with_scores
from weightlab.lp.space.space import WeightSpace, space_for
from weightlab.lp.unknown_scores.bounds import Bounds, Limit, bounds_read, ensure_askable, rule_asked
from weightlab.lp.unknown_scores.claims import (
    CAN,
    CERTAIN,
    NEVER,
    OPEN,
    ORDER,
    REFUTED,
    WINNER,
    Claim,
    Settled,
    can_matter,
    claim_of,
    judged,
)
from weightlab.lp.unknown_scores.free_weights import Reach, reach_cells, reach_choices, reach_of
from weightlab.lp.unknown_scores.next_scores import choices, first_rows, level_words, predicted
from weightlab.lp.unknown_scores.proof_cells import proof_cells
from weightlab.lp.unknown_scores.spans import Spans, spans_of

CostLike = Mapping[str | tuple[str, str], Number]
Price = tuple[str, str, Fraction]
"""A model and a task, either empty for all, and what a score costs."""


class Settlement(Result, kind="settle"):
    """Whether a claim holds whatever the missing scores are, and which of them to measure next where that is open.

    Attributes
    ----------
    claim : Claim
        What is to be proved.
    rule : LinearRule
        The mean, the majority or Borda.
    table : Leaderboard
        The table with its gaps.
    limits : tuple
        Model, task, lowest and highest score: between which scores a cell lies, of a whole task where the model is
        empty; what comes later goes before.
    prices : tuple
        Model, task, cost: what a score costs where not 1, of all models or tasks where the name is empty; what comes
        later goes before.
    cells : ndarray of bool, models x tasks, or None
        Measured scores that prove the claim; None where it is not certain.
    space : WeightSpace or None
        The weights that are allowed for the claims ``"can"`` and ``"never"``.
    reach : (Reach, Reach) or None
        For these claims whether the model can win head-to-head in its worst completion, and in its best one.
    """

    derived = ("verdict", "certain")
    claim: Claim
    rule: LinearRule
    table: Leaderboard
    limits: tuple[Limit, ...]
    prices: tuple[Price, ...]
    cells: BoolMatrix | None
    space: WeightSpace | None
    reach: tuple[Reach, Reach] | None

    @cached_property
    def spans(self) -> Spans:
        """The table as whole numbers."""
        return spans_of(self.table, self.rule.name, self.limits)

    @cached_property
    def costs(self) -> AnyArray:
        """What each score costs, exactly (models x tasks)."""
        found = np.broadcast_to(np.array(Fraction(1), dtype=object), self.spans.scores.shape)
        found = found.copy() if self.prices else found  # without prices one number stands for all
        for model, task, cost in self.prices:
            row = self.table.models.index(model) if model else slice(None)
            found[row, self.table.tasks.index(task) if task else slice(None)] = cost
        return found

    @property
    def float_costs(self) -> FloatArray:
        """What each score costs, about."""
        return self.costs.astype(np.float64) if self.prices else np.broadcast_to(1.0, self.spans.scores.shape)

    @property
    def _named(self) -> tuple[int, ...]:
        return tuple(self.table.models.index(model) for model in self.claim.models)

    @cached_property
    def _judged(self) -> tuple[Settled, tuple[int, ...]]:
        if self.reach is not None:
            # Signs only fall from the best completion, and only rise from the worst one.
            able, barred = self.reach[0].bound is None, self.reach[1].weights is None
            sure, false = (able, barred) if self.claim.what == CAN else (barred, able)
            return CERTAIN if sure else REFUTED if false else OPEN, self._named
        return judged(self.spans, self.claim, self._named)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of the models that the claim names, or for which it is certain."""
        return self._judged[1]

    @property
    def verdict(self) -> Settled:
        """``"certain"``, ``"refuted"`` (true in no completion) or ``"open"``."""
        return self._judged[0]

    @property
    def certain(self) -> tuple[str, ...]:
        """The models for which the claim is certain, best first for an order; empty where it is not certain."""
        return tuple(self.table.models[row] for row in self.rows) if self.verdict == CERTAIN else ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models of the claim: those that it names, those for which it is certain, or else those predicted."""
        return self.certain or tuple(self.table.models[row] for row in self._wanted)

    @cached_property
    def _wanted(self) -> list[int]:
        """The rows of the models of the claim, certain or predicted."""
        rows = self.rows if self.verdict == CERTAIN else self._named
        return first_rows(self.spans, self.claim, rows, predicted(self.spans))

    @property
    def pairs(self) -> pd.DataFrame:
        """Each pair x, y such that x must be ahead, with its least and greatest lead (Fraction); open ones first."""
        least, greatest = self.spans.leads
        found = np.argwhere(self.claim.pairs(self._wanted, len(least)))
        shown = sorted(found.tolist(), key=lambda pair: (least[tuple(pair)] > 0, least[tuple(pair)]))
        unit, models = self.spans.lead_unit, self.table.models
        rows = [
            (models[x], models[y], Fraction(int(least[x, y]), unit), Fraction(int(greatest[x, y]), unit))
            for x, y in shown
        ]
        return pd.DataFrame(rows, columns=["x", "y", "least", "greatest"], dtype=object)

    @cached_property
    def matter(self) -> BoolArray:
        """Which missing scores can still matter for the claim (models x tasks)."""
        return (
            can_matter(self.spans, self.claim, self._named)
            if self.verdict == OPEN
            else np.zeros_like(self.spans.measured)
        )

    @property
    def idle(self) -> pd.DataFrame:
        """The missing scores that cannot matter any more for this claim: model, task, why."""
        told = {CERTAIN: "the claim is certain", REFUTED: "the claim is refuted", OPEN: "its model is decided"}
        told[OPEN] = told[OPEN] if self.rule.name == MEAN else "no open pair depends on it"
        rows = []
        for row, task in np.argwhere(~self.spans.measured & ~self.matter).tolist():
            why = "one value only" if self.spans.least[row, task] == self.spans.most[row, task] else told[self.verdict]
            why = "weight 0" if not self.spans.weights[task] else why
            rows.append((self.table.models[row], self.table.tasks[task], why))
        return pd.DataFrame(rows, columns=["model", "task", "why"], dtype=object)

    def _choices(self, count: int | None) -> Iterator[tuple[str, str, Fraction, str]]:
        if self.verdict != OPEN or count == 0:
            return
        if self.reach is not None:
            shares = {} if self.reach[0].bound is None else self.reach[0].bound.blockers
            at = {self.table.models.index(model): share for model, share in shares.items()}
            made = reach_choices(self.spans, self._named[0], at, self.matter, self.float_costs)
        else:
            made = choices(self.spans, self.claim, self._named, self.float_costs)
        for place, (row, task, why) in enumerate(made, start=1):
            yield self.table.models[row], self.table.tasks[task], self.costs[row, task], why
            if place == count:
                return

    def next(self, count: int = 1) -> pd.DataFrame:
        """Return the next scores to measure, in order: model, task, cost (Fraction), why.

        A list is made as if each score came out as predicted, and ends where that settles the claim; no score is
        measured in vain because of it: each verdict is exact, whatever comes out.

        Raises
        ------
        InputError
            If ``count`` is not a whole number, 1 or more.
        """
        if type(count) is not int or count < 1:
            raise InputError(f"count must be a whole number, 1 or more; got {count!r}")
        return pd.DataFrame([*self._choices(count)], columns=["model", "task", "cost", "why"], dtype=object)

    @cached_property
    def plan(self) -> pd.DataFrame:
        """All further scores if the predictions hold, in order: model, task, cost (Fraction), why."""
        return pd.DataFrame([*self._choices(None)], columns=["model", "task", "cost", "why"], dtype=object)

    @property
    def certificate(self) -> pd.DataFrame | None:
        """Measured scores that alone prove the claim, each of them necessary: model, task, score (Fraction)."""
        if self.cells is None:
            return None
        columns = [self.table.cells.column(task) for task in range(len(self.table.tasks))]
        rows = [
            (self.table.models[row], self.table.tasks[task], columns[task][row])
            for row, task in np.argwhere(self.cells).tolist()
        ]
        return pd.DataFrame(rows, columns=["model", "task", "score"], dtype=object)

    def with_scores(self, scores: Mapping[tuple[str, str], Number]) -> Settlement:
        """Return the settlement of the claim once some missing scores are measured.

        Raises
        ------
        InputError, UnknownNameError
            If a score is not missing, is not a number or lies outside its bounds.
        """
        found, missing = {}, set(self.table.missing_cells)
        for cell, score in dict[Any, Number](scores).items():
            if not isinstance(cell, tuple) or len(cell) != 2:
                raise InputError(f"a score is given for a pair (model, task); got {cell!r}")
            if cell not in missing:
                for kind, name, names in zip(
                    ("model", "task"), cell, (self.table.models, self.table.tasks), strict=True
                ):
                    if name not in names:
                        raise UnknownNameError(kind, name, names)
                raise InputError(f"the score of {cell[0]!r} on {cell[1]!r} is not missing")
            found[cell] = fraction(score)
        limits = tuple(one for one in self.limits if tuple(one[:2]) not in found)
        own = tuple(one for one in self.limits if tuple(one[:2]) in found)
        table, ends = with_scores(self.table, found), (*limits, *own)
        return _settled(self.space, claim=self.claim, rule=self.rule, table=table, limits=ends, prices=self.prices)

    def __str__(self) -> str:
        """Say whether the claim is proved, refuted or open, and what that rests on."""
        if self.reach is not None:
            return self._of_weights
        gaps = self._whatever
        if self.verdict == CERTAIN:
            x, y, least, _ = self.pairs.iloc[0]
            own = f"Its least lead is {self._lead(least)}, over {y}"
            lead = own if self.claim.what == WINNER else f"The least lead is {self._lead(least)}, of {x} over {y}"
            count = 0 if self.cells is None else int(self.cells.sum())
            proof = f"{counted(count, 'measured score')} prove{'s' * (count == 1)} it"
            return f"Proved: {self._said(self.certain)} {self.rule.by}, {gaps}. {lead}; {proof}."
        if self.verdict == REFUTED:
            return f"Refuted: {self._denied} {self.rule.by}, {gaps}."
        return f"{self._opening} {self.rule.by} is still open{self._decided}."

    @property
    def about(self) -> str:
        """What is claimed, by which rule, in words that lists of scores to measure carry."""
        if self.reach is not None:
            return f"{self.claim.models[0]} {'can win' if self.claim.what == CAN else 'never wins'} {self.rule.by}"
        return f"{self._said(self.claim.models) if self.claim.models else self.claim.words} {self.rule.by}"

    @property
    def _whatever(self) -> str:
        count = int(np.count_nonzero(~self.spans.measured))
        if count < 2:
            return "whatever the missing score is" if count else "no score being missing"
        return f"whatever the {counted(count, 'missing score')} are"

    @property
    def _of_weights(self) -> str:
        model, allowed = self.claim.models[0], " allowed" * bool(self.space and self.space.conditions)
        can = f"{model} can win head-to-head under some{allowed} weights"
        never = f"{model} never wins head-to-head under any{allowed} weights"
        if self.verdict == OPEN:
            return f"Whether {can} is still open."
        told = can if (self.verdict == CERTAIN) == (self.claim.what == CAN) else never
        return f"{'Proved' if self.verdict == CERTAIN else 'Refuted'}: {told}, {self._whatever}."

    def _lead(self, lead: Fraction) -> str:
        if self.rule.is_majority:
            return f"{percent(lead, floor)} of the weight"
        return f"{level_words(lead, floor)} points"

    def _said(self, models: Sequence[str]) -> str:
        if self.claim.k == 1:
            return f"{models[0]} is first"
        if self.claim.what == ORDER:
            return f"{', '.join(models)} are first, in this order,"
        return f"{in_words([quoted(one) for one in models])} are the top {self.claim.k}"

    @property
    def _denied(self) -> str:
        if self.claim.models:
            said = self._said(self.claim.models)
            return said.replace(" is ", " is not ", 1).replace(" are ", " are not ", 1)
        return f"no {'model is first alone' if self.claim.k == 1 else f'{self.claim.k} models are ahead of all others'}"

    @property
    def _opening(self) -> str:
        if self.claim.models:
            return f"Whether {self._said(self.claim.models)}"
        return f"{self.claim.words[:1].upper()}{self.claim.words[1:]}"

    @property
    def _decided(self) -> str:
        """How many models are in, out and undecided, where the claim names none; by the mean."""
        if self.claim.models or self.rule.name != MEAN or self.claim.what == ORDER:
            return ""
        worst, best = self.spans.totals
        into = [int((best >= one).sum()) <= self.claim.k for one in worst.tolist()]
        out = [int((worst > one).sum()) >= self.claim.k for one in best.tolist()]
        left = len(into) - sum(into) - sum(out)
        inside = f"{_are(sum(into), 'model')} in it and {_are(sum(out), '')} out"
        inside = inside if self.claim.k > 1 else f"{_are(sum(out), 'model')} out"
        return f": {inside}, whatever the missing scores are; {_are(left, '')} undecided"

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs of the claim with their least and greatest leads."""
        return self.pairs

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check everything in exact arithmetic: the verdict by the leads, and that the cells alone prove the claim.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None:
            self.table.ensure_same(source, weights="shares", groups=False)
        ensure_askable(self.rule, self.table, self.table.tasks)
        _check_names(self.table, self.limits, self.prices)
        again = claim_of(self.table.models, self.claim.what, self.claim.k, self.claim.models)
        ensure(again == self.claim, "the claim differs")
        self._check_reach()
        ensure((self.verdict == CERTAIN) == (self.cells is not None), "cells prove what is certain, and nothing else")
        if self.cells is not None:
            ensure(self.cells.shape == self.spans.measured.shape, "the cells do not fit models and tasks")
            ensure(not (self.cells & ~self.spans.measured).any(), "a cell of the proof has no score")
            needed = self.spans.measured & ~self.spans.bounded & np.array([one > 0 for one in self.spans.weights])
            ensure(self.rule.name != MEAN or not (needed & ~self.cells).any(), "a score without bounds is left out")
            alone = self.spans.knowing(self.cells)
            if self.reach is None:
                ensure(judged(alone, self.claim, self.rows)[0] == CERTAIN, "the cells do not prove the claim alone")
            else:
                self._check_completion(alone, best=self.claim.what == NEVER)
        return True

    def _check_reach(self) -> None:
        """Ensure that the results for both completions hold, for claims about weights and for no others."""
        free = self.claim.what in (CAN, NEVER)
        ensure(free == (self.reach is not None) == (self.space is not None), "weights are free for can and never alone")
        if self.space is not None:
            ensure(self.rule.is_majority, "weights are free by majority alone")
            ensure(self.space.tasks == self.table.tasks, "the space is not about the tasks of the table, in order")
            for best in (False, True):
                self._check_completion(self.spans, best=best)

    def _check_completion(self, spans: Spans, *, best: bool) -> None:
        rivals = [one for one in self.table.models if one != self.claim.models[0]]
        if self.reach is not None and self.space is not None:
            self.reach[best].check(spans.rows(self._named[0], best=best), rivals, self.space)


def _are(count: int, noun: str) -> str:
    """Return how many are something."""
    many = (counted(count, noun) if noun else f"{count:,}") if count else f"no {noun}" if noun else "none"
    return f"{many} {'is' if count == 1 or (not count and noun) else 'are'}"


def _check_names(table: Leaderboard, limits: Sequence[Limit], prices: Sequence[Price]) -> None:
    for model, task, low, high in limits:
        ensure(model in ("", *table.models) and task in table.tasks, f"bounds are about {model!r} on {task!r}")
        ensure(low is None or high is None or low <= high, f"the bounds of {task!r} cross")
    for model, task, cost in prices:
        ensure(model in ("", *table.models) and task in ("", *table.tasks), f"a cost is about {model!r} on {task!r}")
        ensure(cost > 0, f"a cost is {cost}, which is not positive")


def limits_read(table: Leaderboard, bounds: Bounds | None) -> tuple[Limit, ...]:
    """Return the bounds that a user names, of whole tasks first."""
    read = bounds_read(table, bounds)
    own = [("", place, *ends) for place, ends in read.items() if isinstance(place, str)]
    return tuple(
        one
        for one in [*own, *((*place, *ends) for place, ends in read.items() if not isinstance(place, str))]
        if one[2:] != (None, None)
    )


def prices_read(table: Leaderboard, cost: CostLike | None) -> tuple[Price, ...]:
    """Return the costs of scores that a user gives: by model, then by task, then by cell.

    Raises
    ------
    InputError
        If costs are not a mapping, a name is unknown or both a model and a task, or a cost is not positive.
    """
    if cost is not None and not isinstance(cost, Mapping):
        raise InputError(f"cost must be a mapping from model, task or (model, task) to number; got {cost!r}")
    found: list[tuple[int, Price]] = []
    names = (table.models, table.tasks)
    for place, given in (cost or {}).items():
        pair = place if isinstance(place, tuple) else tuple(place if place in own else "" for own in names)
        known = len(pair) == 2 and any(pair) and all(one in ("", *own) for one, own in zip(pair, names, strict=True))
        if not known:
            raise InputError(f"cost: {place!r} is not a model, a task or a (model, task) of the table")
        if not isinstance(place, tuple) and all(pair):
            raise InputError(f"cost: {place!r} is both a model and a task; give the costs by (model, task)")
        try:
            own = fraction(given)
        except InputError as error:
            raise InputError(f"the cost of {place!r}: {error}") from None
        if own <= 0:
            raise InputError(f"the cost of {place!r} must be positive; got {given}")
        found.append((2 * bool(pair[1]) + bool(pair[0]), (str(pair[0]), str(pair[1]), own)))
    return tuple(one for _, one in sorted(found, key=lambda item: item[0]))


def _settled(space: WeightSpace | None, **asked: Any) -> Settlement:
    """Return the result of a claim, rule, table, limits and prices, with the cells of its proof."""
    claim, table = asked["claim"], asked["table"]
    if space is None:
        found = Settlement(**asked, cells=None, space=None, reach=None)
        if found.verdict != CERTAIN:
            return found
        cells = proof_cells(found.spans, claim, found.rows, found.float_costs)
        del found  # a large table is held once
        return Settlement(**asked, cells=cells, space=None, reach=None).verified()
    (model,), spans = claim.models, spans_of(table, asked["rule"].name, asked["limits"])
    row, rivals = table.models.index(model), [one for one in table.models if one != model]
    reach = tuple(reach_of(spans.rows(row, best=best), rivals, space) for best in (False, True))
    found = Settlement(**asked, cells=None, space=space, reach=(reach[0], reach[1]))
    if found.verdict != CERTAIN:
        return found.verified()
    proof = (reach[claim.what == NEVER], rivals, space)
    cells = reach_cells(spans, claim, row, proof, found.float_costs)
    return Settlement(**asked, cells=cells, space=space, reach=(reach[0], reach[1])).verified()


def settle(
    board: LeaderboardLike,
    claim: str = WINNER,
    *,
    k: int | None = None,
    models: str | Sequence[str] | None = None,
    rule: RuleLike | None = None,
    bounds: Bounds | None = None,
    cost: CostLike | None = None,
    space: WeightSpace | None = None,
) -> Settlement:
    """Find whether a claim holds whatever the missing scores are, and which score to measure next if that is open.

    Parameters
    ----------
    board : Leaderboard
        The table. A missing score is an unknown number within its bounds.
    claim : {"winner", "top", "order", "can", "never"}
        One model is before all others; ``k`` models, in any order, are before all others; each of the first ``k`` is
        before all after it. Leads are strict. ``"can"`` and ``"never"``: the one model of ``models`` wins
        head-to-head under some, or under no, weights of a space.
    k : int, optional
        How many models; with ``models``, their number.
    models : str or sequence of str, optional
        Of whom it is claimed, in order. By default the claim is that there are such models.
    rule : str, optional
        ``"mean"``, ``"majority"`` or ``"borda"``; by default the table's own.
    bounds : (lowest, highest), or mapping of such pairs, optional
        As for `missing`; they also say where measured scores could have been, so that the certificate may leave these
        out. By the mean every missing score needs both. A score that is uncertain is left out of the table, and its
        bounds are kept.
    cost : mapping from model, task or (model, task) to number, optional
        What measuring a score costs; 1 by default. The cost of a task takes precedence over that
        of a model, and a cell's own over both.
    space : WeightSpace, optional
        Allowed weights for ``"can"`` and ``"never"``; by default all.

    Returns
    -------
    Settlement

    Raises
    ------
    InputError, UnknownNameError
        If a score lies outside its bounds, bounds cross or lack, a cost is not positive, there is no such claim, model
        or rule, or ``k`` is not below the number of models.

    Notes
    -----
    Completions pick each missing score by itself, so a claim is certain exactly when each of its pairs has a least lead
    above 0. By the mean that is the worst sum of the one less the best of the other, O(cells); by majority one
    completion is worst in all tasks at once, O(models^2 x tasks); by Borda third models count, O(models^2 x tasks)
    too. A claim is refuted where it is false in every completion; by Borda, and for an order or an unnamed top by
    majority, that is shown by single pairs only, so a claim may stay open that no completion makes true.

    `Settlement.next` measures the weakest model inside and the strongest outside in turn, where predictions (a mean
    with effects of models and tasks) promise most for the cost. Predictions choose the order of work only: no choice
    and no stopping rule can make a verdict wrong.

    References
    ----------
    Kalyanakrishnan, Tewari, Auer and Stone, PAC subset selection in stochastic multi-armed bandits, ICML 2012 (LUCB).
    Konczak and Lang, Voting procedures with incomplete preferences, 2005.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 90, "b": 40, "c": 10}, "y": {"a": 80, "b": None, "c": None}})
    >>> found = wl.lp.settle(board, rule="mean", bounds=(0, 100))
    >>> found.verdict, found.models
    ('certain', ('a',))
    >>> wl.lp.settle(board, "top", k=2, rule="mean", bounds=(0, 100)).next()
      model task cost                                     why
    0     b    y    1  weakest inside: could still fall to 20
    """
    table = board_with_scores(board)
    free = claim in (CAN, NEVER)
    asked = rule_asked(MAJORITY if free and rule is None else rule, table)
    ensure_askable(asked, table, table.tasks)
    wanted = claim_of(table.models, claim, k, models)
    if free and not asked.is_majority:
        raise InputError(
            Fault(f"the claim {claim!r} is about free weights, by majority; got {asked}", Cure("rule", MAJORITY))
        )
    if space is not None and not free:
        raise InputError(f"space= is for the claims 'can' and 'never', and {claim!r} is about the table's own weights")
    allowed = space_for(table.signs(), space) if free else None
    return _settled(
        allowed,
        claim=wanted,
        rule=asked,
        table=table,
        limits=limits_read(table, bounds),
        prices=prices_read(table, cost),
    )
