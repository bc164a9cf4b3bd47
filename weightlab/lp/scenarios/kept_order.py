"""What of today's ranking is to be kept, as rows over weights: who must lead whom, and who must tie."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, IntArray, as_objects, common_denominator, exact_products
from weightlab._result import Frozen, Record
from weightlab._validate import one_of
from weightlab.data.frame.arrays import Leads
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.linear_rule import LinearRule
from weightlab.data.profile import TIE_BREAKS, TieBreak
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
        Number of models at the top that keep their order, ahead of all others.
    rule : LiftRule
        ``majority``, ``mean`` or a scoring rule.
    weights : {"free", "today", "equal"}
        How the chosen tasks are weighted.
    margin : Fraction
        Least lead of each kept pair: a share of the weight by majority, else of the range of today's scores.
    break_ties : {"alphabetical", "reverse", None}
        Who is to lead of models that tie today; None where they are to tie.
    tolerance : int
        Greatest number of kept models that may fail: those may have any place, and pairs with them do not count.
    costs : mapping from task to Fraction
        What each task costs; empty where tasks are counted.
    """

    k: int
    rule: LiftRule
    weights: WeightsOf
    margin: Fraction
    break_ties: TieBreak = None
    tolerance: int = 0
    costs: Mapping[str, Fraction] = field(default_factory=dict)

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
        if any(cost <= 0 for cost in self.costs.values()):
            task, cost = min(self.costs.items(), key=lambda one: one[1])
            raise InputError(f"costs must be positive; {task!r} costs {cost}")

    def most_failing(self, count: int) -> int:
        """Return how many of this number of kept models may fail: two must stay in order to be compared."""
        return min(self.k - 1, count - 2)

    def of_part(self, count: int, whole: int) -> KeepQuestion:
        """Return the same question about this number of models of a whole table: the top is the same share of them."""
        return replace(self, k=-(-self.k * count // whole))


def leads_among(board: Leaderboard, rule: LiftRule, models: Sequence[str]) -> tuple[Leads, IntArray]:
    """Return the leads of some models on the tasks on which one of them has a score, and the places of these tasks.

    The other tasks put none of them ahead of another.
    """
    measured = np.flatnonzero(~board.cells.missing[[board.models.index(model) for model in models]].all(axis=0))
    even = board.with_weights(dict.fromkeys(board.tasks, 1))  # all that stay may have weight 0
    part = even.select(models=models, tasks=[board.tasks[task] for task in measured])
    if rule.name == "majority":
        return part.signs(), measured
    return LinearRule.of(rule.vector or rule.name, missing=rule.missing).points(part), measured  # type: ignore[arg-type]


class KeptOrder(Frozen):
    """The top of today's order of models, and what weights must do to keep it.

    Attributes
    ----------
    models : tuple of str
        All that are compared.
    matrix : ndarray of int, pairs x tasks
        By how much the first of each pair leads the second on each task.
    adds_up : bool
        Whether leads over two models differ by that of one over the other.
    levels : tuple of tuple of int
        The kept models, best first, those that tie together.
    pairs : list of (int, int)
        Every pair of a kept model and another that is not ahead of it, each once.
    signs : list of int
        Who leads it today: 1 for the first, 0 for a tie.
    least : Fraction
        What the first must lead by, in units of the leads for weights that sum to 1.
    """

    models: tuple[str, ...]
    matrix: AnyArray
    adds_up: bool
    levels: tuple[tuple[int, ...], ...]
    pairs: list[tuple[int, int]]
    signs: list[int]
    least: Fraction

    @classmethod
    def of(cls, board: Leaderboard, question: KeepQuestion, models: Sequence[str] | None = None) -> KeptOrder:
        """Return the order to keep of a table, or of some of its models alone.

        Raises
        ------
        InputError
            If there are fewer models than are to be kept, or majorities go round in a cycle.
        """
        names = board.models if models is None else tuple(models)
        count = len(names)
        if not 2 <= count >= question.k:
            raise InputError(f"k is {question.k}, but the table has {count} models")
        leads, measured = leads_among(board, question.rule, names)
        weights = [todays_weights(board)[task] for task in measured]
        signs = leads.ahead(weights)
        if question.break_ties is not None:
            first = sorted(range(count), key=lambda row: names[row], reverse=question.break_ties == "reverse")
            place = np.argsort(first)
            signs = np.where(signs == 0, np.sign(place - place[:, None]), signs)
        net = signs.sum(axis=1)
        order = np.argsort(-net, kind="stable").tolist()
        kept = [row for row in order if net[row] >= net[order[question.k - 1]]]
        _refuse_cycles(signs, net, kept, names)
        adds_up = question.rule.name != "majority"
        behind = exact_products(leads.over_all(0), weights).tolist()
        spread = Fraction(int(max(behind)) - int(min(behind)), sum(todays_weights(board))) if adds_up else Fraction(1)
        least = question.margin * spread
        if not least and question.break_ties is not None:
            raise InputError("all models tie today, so a lead has nothing to be a share of; leave out break_ties=")
        places = sorted({int(net[row]) for row in kept}, reverse=True)
        pairs = [(row, other) for at, row in enumerate(kept) for other in order[at + 1 :]]
        over = {row: leads.over_all(row) for row in kept}
        own = np.array([over[one][other] for one, other in pairs])
        matrix = np.zeros((len(pairs), len(board.tasks)), dtype=own.dtype)
        matrix[:, measured] = own
        return cls(
            models=names,
            matrix=matrix,
            adds_up=adds_up,
            levels=tuple(tuple(row for row in kept if net[row] == place) for place in places),
            pairs=pairs,
            signs=[int(signs[pair]) for pair in pairs],
            least=least,
        )

    @cached_property
    def rows(self) -> tuple[AnyArray, tuple[str, ...]]:
        """Rows of integers, to be at least 0 under weights that keep the order, and their names.

        With weights that sum to 1, a lead of at least r on d is ``(d - r) w >= 0``. Where scores add up, a pair follows
        from those between it: only neighbours in the order have rows. A tie is two rows, one each way.
        """
        ahead = {row: at for at, level in enumerate(self.levels) for row in level}
        heads = {level[0] for level in self.levels}
        rows, names = [], []
        for (one, other), sign, lead in zip(self.pairs, self.signs, as_objects(self.matrix), strict=True):
            follows = ahead[one] + 1 < ahead.get(other, len(self.levels)) or (sign and other in ahead.keys() - heads)
            if self.adds_up and (one not in heads or follows):
                continue
            rows += [lead * self.least.denominator - self.least.numerator] if sign else [lead, -lead]
            names += self.labels((one, other), sign)
        return np.array(rows, dtype=object).reshape(len(rows), self.matrix.shape[1]), tuple(names)

    def labels(self, pair: tuple[int, int], sign: int) -> list[str]:
        """Return the names of the rows of a pair with a leader (1) or a tie (0)."""
        first, second = (repr(self.models[row]) for row in pair)
        return [f"{first} over {second}"] if sign else [f"{first} not below {second}", f"{second} not below {first}"]

    def without(self, failing: Collection[str]) -> KeptOrder:
        """Return the order to keep without the pairs of models that may have any place."""
        out = {self.models.index(model) for model in failing}
        stay = [at for at, pair in enumerate(self.pairs) if not out & set(pair)]
        levels = [tuple(row for row in level if row not in out) for level in self.levels]
        return replace(
            self,
            matrix=self.matrix[stay],
            levels=tuple(level for level in levels if level),
            pairs=[self.pairs[at] for at in stay],
            signs=[self.signs[at] for at in stay],
        )

    def holds(self, weights: Sequence[int]) -> bool:
        """Return whether weights keep the order with the required leads."""
        return bool((exact_products(self.rows[0], weights) >= 0).all())

    def share_kept(self, weights: Sequence[int]) -> Fraction:
        """Return the share of the pairs that weights keep: with the same leader as today, or tied as today."""
        kept = np.sign(exact_products(self.matrix, weights)) == np.array(self.signs)
        return Fraction(int(np.count_nonzero(kept)), len(self.signs))


def todays_weights(board: Leaderboard) -> list[int]:
    """Return today's weights as integers in proportion."""
    return common_denominator(board.weights.tolist())[0]


def share_alike(board: Leaderboard, models: Sequence[str], rule: LiftRule, weights: Sequence[int]) -> Fraction | None:
    """Return the share of the pairs with a leader today that lead the same way under weights; None without a pair."""
    leads, measured = leads_among(board, rule, models)
    today, then = (leads.ahead([one[task] for task in measured]) for one in (todays_weights(board), weights))
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
