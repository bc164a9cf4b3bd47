"""What of today's ranking is to be kept, as rows over weights: who must lead whom, and who must tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, IntArray, as_objects, common_denominator, exact_products
from weightlab._result import Frozen, Record
from weightlab._validate import one_of
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.profile import TIE_BREAKS, TieBreak
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError
from weightlab.lp.improvement.lift_rules import LiftRule

Keep: TypeAlias = Literal["winner", "top", "order"]
"""The first place, the top k in their order ahead of all others, or the whole order."""
WeightsOf: TypeAlias = Literal["free", "today", "equal"]
"""How the chosen tasks are weighted: as serves best, by today's weights rescaled, or alike."""


class KeepQuestion(Record, eq=True):
    """What is to be kept, and how.

    Attributes
    ----------
    k : int
        So many models at the top keep their order, ahead of all others.
    rule : LiftRule
        ``majority``, ``mean`` or a scoring rule.
    weights : {"free", "today", "equal"}
        How the chosen tasks are weighted.
    margin : Fraction
        Least lead of each kept pair: a share of the weight by majority, else of the range of today's scores.
    break_ties : {"alphabetical", "reverse", None}
        Who is to lead of models that tie today; None where they are to tie.
    """

    k: int
    rule: LiftRule
    weights: WeightsOf
    margin: Fraction
    break_ties: TieBreak = None

    def __post_init__(self) -> None:
        """Refuse what is no question."""
        one_of("weights", self.weights, ("free", "today", "equal"))
        one_of("break_ties", self.break_ties, TIE_BREAKS)
        if self.rule.name in ("median", "mean_win_rate") or self.rule.missing == "skip":
            raise InputError(
                f"the smallest benchmark is found by majority, by mean without missing scores, or by points; "
                f"got the rule {str(self.rule)!r}"
            )
        if self.margin <= 0:
            raise InputError(f"margin must be above 0, since leads of any size have no smallest; got {self.margin}")
        if type(self.k) is not int or self.k < 1:
            raise InputError(f"k must be an integer of at least 1; got {self.k!r}")

    def of_part(self, count: int, whole: int) -> KeepQuestion:
        """Return the same question about so many models of a whole table: the top is the same share of them."""
        return replace(self, k=-(-self.k * count // whole))


class TaskLeads(Frozen):
    """By how much each task puts one model ahead of another, by a rule that adds up over tasks.

    Attributes
    ----------
    board : Leaderboard
        The table.
    rule : LiftRule
        The rule.
    models : tuple of str
        The models of the table that are compared with one another.
    """

    board: Leaderboard
    rule: LiftRule
    models: tuple[str, ...]

    @cached_property
    def _measured(self) -> IntArray:
        """The tasks on which one of these models has a score: the others put none of them ahead of another."""
        rows = [self.board.models.index(model) for model in self.models]
        return np.flatnonzero(~self.board.cells.missing[rows].all(axis=0))

    @cached_property
    def _part(self) -> Leaderboard:
        even = self.board.with_weights(dict.fromkeys(self.board.tasks, 1))  # all that stay may have weight 0
        return even.select(models=self.models, tasks=[self.board.tasks[task] for task in self._measured])

    def _on_all_tasks(self, measured: AnyArray) -> AnyArray:
        whole = np.zeros((*measured.shape[:-1], len(self.board.tasks)), dtype=measured.dtype)
        whole[..., self._measured] = measured
        return whole

    @cached_property
    def _points(self) -> AnyArray:
        name = "scores" if self.rule.name == "mean" else self.rule.vector or self.rule.name
        own = self._part.points(name, missing=self.rule.missing)  # type: ignore[arg-type]
        return self._on_all_tasks(own.numerators)

    @cached_property
    def _signs(self) -> Signs:
        return self._part.signs()

    def over(self, model: int) -> AnyArray:
        """Return by how much a model leads every model, rows, on each task."""
        if self.rule.name == "majority":
            return self._on_all_tasks(self._signs.over_all(model))
        return np.asarray(self._points[model] - self._points)

    def signs(self, weights: Sequence[int]) -> AnyArray:
        """Return who is ahead of whom under weights: 1, 0 or -1 for each pair of models."""
        if self.rule.name == "majority":
            leads = np.array([exact_products(self.over(model), weights) for model in range(len(self.models))])
        else:
            totals = exact_products(self._points, weights)
            leads = totals[:, None] - totals
        return np.asarray(np.sign(leads), dtype=np.int8)

    def spread(self, weights: Sequence[int]) -> Fraction:
        """Return what a margin is a share of, for weights that sum to 1: the range of the scores, or 1 by majority."""
        if self.rule.name == "majority":
            return Fraction(1)
        totals = exact_products(self._points, weights).tolist()
        return Fraction(int(max(totals)) - int(min(totals)), sum(weights))


class KeptOrder(Frozen):
    """The top of today's order of models, and what weights must do to keep it.

    Attributes
    ----------
    leads : TaskLeads
        What each task adds.
    levels : tuple of tuple of int
        The kept models, best first, those that tie together.
    pairs : list of (int, int)
        Every pair of a kept model and another that is not ahead of it, each once.
    signs : list of int
        Who leads it today: 1 for the first, 0 for a tie.
    least : Fraction
        What the first must lead by, in units of the leads for weights that sum to 1.
    """

    leads: TaskLeads
    levels: tuple[tuple[int, ...], ...]
    pairs: list[tuple[int, int]]
    signs: list[int]
    least: Fraction

    @classmethod
    def of(cls, board: Leaderboard, question: KeepQuestion, models: Sequence[str] | None = None) -> KeptOrder:
        """Return what is kept of a table, or of some of its models alone.

        Raises
        ------
        InputError
            If there are fewer models than are to be kept, or majorities go round in a cycle.
        """
        names = board.models if models is None else tuple(models)
        count = len(names)
        if not 2 <= count >= question.k:
            raise InputError(f"k is {question.k}, but the table has {count} models")
        leads, weights = TaskLeads(board=board, rule=question.rule, models=names), todays_weights(board)
        signs = leads.signs(weights)
        if question.break_ties is not None:
            first = sorted(range(count), key=lambda row: names[row], reverse=question.break_ties == "reverse")
            place = np.argsort(first)
            signs = np.where(signs == 0, np.sign(place - place[:, None]), signs)
        net = signs.sum(axis=1)
        order = np.argsort(-net, kind="stable").tolist()
        kept = [row for row in order if net[row] >= net[order[question.k - 1]]]
        _refuse_cycles(signs, net, kept, names)
        least = question.margin * leads.spread(weights)
        if not least and question.break_ties is not None:
            raise InputError("all models tie today, so a lead has nothing to be a share of; leave out break_ties=")
        places = sorted({int(net[row]) for row in kept}, reverse=True)
        pairs = [(row, other) for at, row in enumerate(kept) for other in order[at + 1 :]]
        return cls(
            leads=leads,
            levels=tuple(tuple(row for row in kept if net[row] == place) for place in places),
            pairs=pairs,
            signs=[int(signs[pair]) for pair in pairs],
            least=least,
        )

    @cached_property
    def matrix(self) -> AnyArray:
        """By how much the first of each pair leads the second on each task."""
        over = {row: self.leads.over(row) for level in self.levels for row in level}
        return np.array([over[one][other] for one, other in self.pairs])

    @cached_property
    def rows(self) -> tuple[AnyArray, tuple[str, ...]]:
        """Rows of integers, to be at least 0 under weights that keep the order, and their names.

        With weights that sum to 1, a lead of at least r on d is ``(d - r) w >= 0``. Where scores add up, a pair follows
        from those between it: only neighbours in the order are asked for. A tie is two rows, one each way.
        """
        ahead = {row: at for at, level in enumerate(self.levels) for row in level}
        heads = {level[0] for level in self.levels}
        adds = self.leads.rule.name != "majority"
        rows, names = [], []
        for (one, other), sign, lead in zip(self.pairs, self.signs, as_objects(self.matrix), strict=True):
            follows = ahead[one] + 1 < ahead.get(other, len(self.levels)) or (sign and other in ahead.keys() - heads)
            if adds and (one not in heads or follows):
                continue
            first, second = (repr(self.leads.models[row]) for row in (one, other))
            if sign:
                rows.append(lead * self.least.denominator - self.least.numerator)
                names.append(f"{first} over {second}")
            else:
                rows += [lead, -lead]
                names += [f"{first} not below {second}", f"{second} not below {first}"]
        return np.array(rows, dtype=object), tuple(names)

    def holds(self, weights: Sequence[int]) -> bool:
        """Tell whether weights keep the order with the leads that are asked for."""
        return bool((exact_products(self.rows[0], weights) >= 0).all())

    def share_kept(self, weights: Sequence[int]) -> Fraction:
        """Return the share of the pairs that weights keep: led by whoever leads today, or tied as today."""
        kept = np.sign(exact_products(self.matrix, weights)) == np.array(self.signs)
        return Fraction(int(np.count_nonzero(kept)), len(self.signs))


def todays_weights(board: Leaderboard) -> list[int]:
    """Return today's weights as integers in proportion."""
    return common_denominator(board.weights.tolist())[0]


def share_alike(board: Leaderboard, models: Sequence[str], rule: LiftRule, weights: Sequence[int]) -> Fraction | None:
    """Return the share of the pairs with a leader today that lead the same way under weights; None without a pair."""
    leads = TaskLeads(board=board, rule=rule, models=tuple(models))
    today, then = leads.signs(todays_weights(board)), leads.signs(weights)
    count = np.count_nonzero(today)
    return Fraction(int(np.count_nonzero(today * then > 0)), int(count)) if count else None


def _refuse_cycles(signs: AnyArray, net: AnyArray, kept: Sequence[int], models: Sequence[str]) -> None:
    """Raise InputError with three models that go round, if the kept ones do not stand in an order ahead of others."""
    expected = np.sign(net[kept][:, None] - net)
    for at, other in np.argwhere(signs[kept] != expected)[:1].tolist():
        # Who has more wins than losses than another without beating it, or as many though it does not tie it, has a
        # third model between: one does at least as well against it, and better on one of the two sides.
        one, two = (kept[at], other) if expected[at, other] >= signs[kept[at], other] else (other, kept[at])
        third = int(np.argmax(signs[one] - signs[two]))
        steps = ((one, third), (third, two), (two, one))
        verbs = {1: "beats", 0: "ties"}
        told = [f"{models[a]} {verbs[int(signs[a, b])]} {models[b]}" for a, b in steps]
        raise InputError(
            f"by majority there is no such order to keep, since {', '.join(told[:2])} and {told[2]}; keep less, or ask "
            "for another rule"
        )
