"""Rules as covers: what each lifted task adds to a model's lead over each rival, and how much the lead lacks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray, IntArray, Number, common_denominator
from weightlab._result import Record
from weightlab._solver.covers import Cover
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.points import NAMED_VECTORS, missing_scores, scoring_vector
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.improvement.score_column import ScoreColumn, refuse_wide_tolerances, score_columns

LiftRuleLike: TypeAlias = str | Sequence[Number]
"""A rule by name, or the points of the places, best first."""
LiftMissing: TypeAlias = Literal["error", "skip", "last"]
"""What becomes of missing scores: they are refused, left out of the mean or median, or tie for the last places."""
BY_PLACES = ("mean_win_rate", *NAMED_VECTORS)
LIFT_RULES = ("majority", "mean", "median", *BY_PLACES)
"""Rules by name; custom points are the rule ``scoring``."""
SCORING = "scoring"


class LiftRule(Record, eq=True):
    """A rule by which a lifted model is to win.

    Attributes
    ----------
    name : str
        ``majority`` (every head-to-head won), ``mean``, ``median``, ``mean_win_rate``, a scoring rule by name, or
        ``scoring``.
    missing : {"error", "skip", "last"}
        How missing scores count; by majority they always tie.
    vector : tuple of Fraction, or None
        Points of the places, best first, for the rule ``scoring``.
    """

    name: str
    missing: LiftMissing = "error"
    vector: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse a rule that there is not, and a way with missing scores that it does not have."""
        if self.name not in (*LIFT_RULES, SCORING):
            raise UnknownNameError("rule", self.name, LIFT_RULES, holder="list of rules to win by")
        if (self.name == SCORING) != (self.vector is not None):
            raise InputError(f"the points of the places are needed for the rule {SCORING!r}, and for no other")
        ways = ("error",) if self.name == "majority" else ("error", self.other_way)
        if self.missing not in ways:
            raise InputError(f"by {self.name}, missing must be {' or '.join(map(repr, ways))}; got {self.missing!r}")

    @classmethod
    def of(cls, rule: LiftRuleLike, missing: str = "error") -> LiftRule:
        """Return the rule that a user means.

        Raises
        ------
        UnknownNameError, InputError
            If there is no such rule, or it has no such way with missing scores.
        """
        if isinstance(rule, str):
            return cls(name=rule.lower().replace("-", "_"), missing=missing)  # type: ignore[arg-type]
        if not isinstance(rule, Sequence):
            raise InputError(f"rule must be a name or the points of the places, best first; got {rule!r}")
        points = tuple(scoring_vector(list(rule), len(list(rule))))
        return cls(name=SCORING, missing=missing, vector=points)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """Return the name in words."""
        words = "custom points" if self.name == SCORING else self.name.replace("_", " ")
        return words if self.missing == "error" else f"{words} (missing={self.missing})"

    @property
    def other_way(self) -> str:
        """The way with missing scores besides refusing them."""
        return "skip" if self.name in ("mean", "median", "mean_win_rate") else "last"

    def refuse(self, table: Leaderboard) -> None:
        """Raise InputError for a table that the rule cannot read."""
        if self.name in BY_PLACES or self.name == SCORING:
            table.rankings()  # a score tolerance makes no places
            if self.name != "mean_win_rate":
                self.places(len(table.models))
        absent = table.missing_cells
        if absent and self.missing == "error" and self.name != "majority":
            raise missing_scores(absent, table.models, table.tasks, self.other_way)

    def places(self, count: int) -> list[Fraction]:
        """Return the points of the places 1 to ``count``."""
        return scoring_vector(self.name if self.vector is None else list(self.vector), count)


class LiftScores:
    """The scores of a table as integers, higher being better, and the effect of lifts of a model on its places.

    Parameters
    ----------
    table : Leaderboard
        The table as it is.
    rule : LiftRule
        The rule to win by.
    level : Fraction or None
        By how much a lifted score rises; None for the best score of the task.

    Raises
    ------
    InputError, MissingScoresError
        If the rule cannot read the table.
    """

    def __init__(self, table: Leaderboard, rule: LiftRule, level: Fraction | None) -> None:
        rule.refuse(table)
        self.table, self.rule = table, rule
        self.columns = score_columns(table)
        refuse_wide_tolerances(self.columns if rule.name == "majority" else (), "a lift")
        self.weights = common_denominator(table.weights.tolist())[0]
        self.present: BoolArray = ~table.cells.missing
        flat = [gain or Fraction(0) for column in self.columns for gain in column.gains]
        numbers, self.denominator = common_denominator([*flat, level or Fraction(0)])
        amount, exact = numbers.pop(), np.array(numbers, dtype=object)
        fits = max(map(abs, numbers), default=0) + abs(amount) < 2**31
        whole: AnyArray = exact.astype(np.int64) if fits else exact
        self.matrix = whole.reshape(len(self.columns), len(table.models)).T.copy()
        # A missing score counts as the lowest there is; where it does not count at all, ``present`` leaves it out.
        self.matrix[~self.present] = self.matrix.min() - 1
        self.lifted = self.matrix.max(axis=0) if level is None else self.matrix + amount

    def cover(self, model: int, *, shared: bool) -> Cover:
        """Return the rows that lifts of a model meet if it wins, alone or at least in a shared first place."""
        if self.rule.name == "median":
            return self._median(model, shared=shared)
        today, then = self.lifts(model)
        return Cover.of(then - today, [int(not shared) - int(lead) for lead in today.sum(axis=1).tolist()])

    def lifts(self, model: int) -> tuple[AnyArray, AnyArray]:
        """Return by how much a model leads its rivals, rows, on each task, as it is and lifted; not by median."""
        new = self._lifted(model)
        both = self._majority(model, new) if self.rule.name == "majority" else self._totals(model, new)
        today, then = (np.delete(one, model, axis=0) for one in both)
        return today, then

    def _lifted(self, model: int) -> AnyArray:
        after = self.lifted if self.lifted.ndim == 1 else self.lifted[model]
        return np.where(self.present[model], after, self.matrix[model])

    def leads(self, model: int) -> AnyArray:
        """Return by how much a model leads each model, rows, on each task, weighted: whole numbers that add up."""
        if self.rule.name == "majority":
            return self._majority(model, self.matrix[model])[0]
        totals = np.array(self._totals_of_weights, dtype=object)[:, None]
        return np.asarray(self.worth[model] * totals - self.worth * totals[model])

    @cached_property
    def worth(self) -> AnyArray:
        """What each model, a row, has of each task today, weighted."""
        return np.asarray(self._worth(0, self.matrix[0])[0])

    def _majority(self, model: int, new: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Return the weighted signs over all models, rows, on each task, before and after the lift there."""
        both = self.present & self.present[model]
        weights = np.array(self.weights, dtype=object)
        before, after = (np.where(both, np.sign(own - self.matrix), 0) for own in (self.matrix[model], new))
        for place, column in enumerate(self.columns):
            if column.tolerance:
                raised = Fraction(int(new[place]), self.denominator)
                before[:, place] = _tolerant_signs(column, column.gains[model])
                after[:, place] = _tolerant_signs(column, raised if column.gains[model] is not None else None)
        return before.astype(object) * weights, after.astype(object) * weights

    def _totals(self, model: int, new: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Return the differences of what the model and all models have of each task, before and after the lift.

        Models that are measured on other tasks have other totals of weights: each row is multiplied by both.
        """
        totals = np.array(self._totals_of_weights, dtype=object)[:, None]
        own = int(totals[model, 0])
        today, then = (worth[model] * totals - worth * own for worth in self._worth(model, new))
        return today, then

    def _worth(self, model: int, new: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Return each model's value on each task (models x tasks): today, and with the model lifted there."""
        risen = self.matrix.copy()
        risen[model] = new
        if self.rule.name == "mean":
            before, after = (np.where(self.present, one, 0) for one in (self.matrix, risen))
        else:
            today, then = self._places, self._places_in(risen)
            if self.rule.name == "mean_win_rate":
                counts = np.count_nonzero(self.present, axis=0)
                before, after = (
                    np.where(self.present, 2 * (counts - above) - tied - 1, 0) for above, tied in (today, then)
                )
            else:
                before, after = self._points(today, then)
        weights = np.array(self._task_weights, dtype=object)
        return before.astype(object) * weights, after.astype(object) * weights

    def _points(self, *places: tuple[IntArray, IntArray]) -> list[AnyArray]:
        """Return the points of places over one denominator: models that tie get the mean of those that they share."""
        points = common_denominator(self.rule.places(len(self.matrix)))[0]
        sums = np.concatenate([np.zeros(1, dtype=object), np.cumsum(np.array(points, dtype=object))])
        parts = math.lcm(*{int(one) for _, tied in places for one in np.unique(tied)})
        return [(sums[above + tied] - sums[above]) * (parts // tied.astype(object)) for above, tied in places]

    @cached_property
    def _task_weights(self) -> list[int]:
        if self.rule.name != "mean_win_rate":
            return self.weights
        rivals = (np.count_nonzero(self.present, axis=0) - 1).tolist()
        shares = [Fraction(weight, met) if met else 0 for weight, met in zip(self.weights, rivals, strict=True)]
        return common_denominator(shares)[0]

    @cached_property
    def _totals_of_weights(self) -> list[int]:
        """The weight of the tasks that count for each model; a scoring rule adds, so all count alike."""
        if self.rule.missing != "skip":
            return [1] * len(self.matrix)
        totals: list[int] = self.counted_weights.sum(axis=1).tolist()
        for name, total in zip(self.table.models, totals, strict=True):
            if not total:
                raise InputError(f"{name!r} has no score that counts on any task that weighs")
        return totals

    @cached_property
    def counted_weights(self) -> AnyArray:
        """The weight of each task, where it counts and the model, a row, has a score."""
        counted_tasks = [weight if one else 0 for weight, one in zip(self.weights, self._task_weights, strict=True)]
        return np.asarray(self.present.astype(object) * np.array(counted_tasks, dtype=object))

    @cached_property
    def _places(self) -> tuple[IntArray, IntArray]:
        return self._places_in(self.matrix)

    def _places_in(self, matrix: AnyArray) -> tuple[IntArray, IntArray]:
        """Return how many models are above each on each task, and how many share its place, itself included."""
        # All scores have a place where missing ones are the last.
        counted = self.present if self.rule.missing == "skip" else np.ones_like(self.present)
        above, tied = np.empty(matrix.shape, dtype=np.int64), np.empty(matrix.shape, dtype=np.int64)
        for task, (column, there) in enumerate(zip(matrix.T, counted.T, strict=True)):
            ranked = np.sort(column[there])
            upto = np.searchsorted(ranked, column, side="right")
            above[:, task] = len(ranked) - upto
            tied[:, task] = upto - np.searchsorted(ranked, column, side="left")
        return above, np.maximum(tied, 1)

    def _median(self, model: int, *, shared: bool) -> Cover:
        """Return the cover by the lower weighted median: the least score with half of the weight at or below it.

        It is above a score exactly if more than half of the weight is, and not below it if more than half is not.
        """
        weights = np.where(self.present[model], np.array(self.weights, dtype=object), 0)
        total = int(weights.sum())
        bars = np.delete(np.array(self.medians, dtype=self.matrix.dtype), model)[:, None]
        pair = (self.matrix[model], self._lifted(model))
        today, then = ((own >= bars) if shared else (own > bars) for own in pair)
        gains = (then & ~today).astype(object) * weights
        held = (today.astype(object) * weights).sum(axis=1)
        return Cover.of(gains, [total // 2 + 1 - int(one) for one in held.tolist()])

    @cached_property
    def medians(self) -> list[int]:
        """The lower weighted median of each model, times the denominator."""
        found = [self.median_on(row, range(len(self.weights))) for row in range(len(self.matrix))]
        for name, one in zip(self.table.models, found, strict=True):
            if one is None:
                raise InputError(f"{name!r} has no score that counts on any task that weighs")
        return [one for one in found if one is not None]

    def median_on(self, model: int, tasks: Iterable[int]) -> int | None:
        """Return a model's lower weighted median on some tasks, times the denominator; None without a score there."""
        own = sorted((int(self.matrix[model, task]), self.weights[task]) for task in tasks if self.present[model, task])
        total, below = sum(weight for _, weight in own), 0
        for score, weight in own:
            below += weight
            if weight and 2 * below >= total:
                return score
        return None


def _tolerant_signs(column: ScoreColumn, gain: Fraction | None) -> list[int]:
    return [column.sign(gain, rival) for rival in column.gains]
