"""Prospects by the geometric mean: whether a model can be its only winner, proved by comparing integer powers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import common_denominator, integer_weights
from weightlab._result import Result, ensure, exact_series
from weightlab._text import first_few, in_words, percent
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.linear_rule import MEAN, LinearRule
from weightlab.data.points import Points
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp.certificates.max_margin import Verdict, widest_margin
from weightlab.lp.space.space import WeightSpace

GEOMETRIC_MEAN = "geometric_mean"
UNITS = (12, 60, 10**3, 10**4, 10**5)
"""Common denominators of weights and blockers that are tried; powers have exponents up to these."""
OF_ZERO = -30.0
"""Stand-in for the logarithm of 0 where weights are proposed."""
MOST_BITS = 10**8
"""Longer products are not worked out."""


class GeometricProspect(Result, kind="geometric_prospect"):
    """Whether a model can be the only winner by the weighted geometric mean of scores, under some weights.

    Attributes
    ----------
    model : str
        Whom the question is about.
    points : Points
        The scores, none negative; a score of 0 makes the mean 0 wherever its task has weight.
    weights : mapping from task to Fraction
        Weights under which its geometric mean is the greatest; empty if no weights do.
    blockers : mapping from rival to Fraction
        If no weights do, a mixture of rivals (shares that sum to 1) whose geometric mean is above the model's score
        on every task, and so under all weights; empty otherwise.
    """

    derived = ("verdict",)

    model: str
    points: Points
    weights: Mapping[str, Fraction]
    blockers: Mapping[str, Fraction]

    rule: ClassVar[str] = GEOMETRIC_MEAN
    solver: ClassVar[None] = None

    @property
    def shares(self) -> pd.Series:
        """The weights, or the blockers if no weights win."""
        shown = self.weights or self.blockers
        return exact_series(list(shown.values()), list(shown), "weight" if self.weights else "blocker")

    @property
    def verdict(self) -> Verdict:
        """``strict``, it can be the only winner by this rule, or ``never``; whether it may tie is not decided."""
        return Verdict.STRICT if self.weights else Verdict.NEVER

    def __str__(self) -> str:
        """Say the verdict in one sentence, with its proof."""
        if self.weights:
            return f"{self.model} can be the only winner by geometric mean."
        who = in_words([f"{rival} ({percent(share)})" for rival, share in self.blockers.items()])
        joint = f"the geometric mean of {who}" if len(self.blockers) > 1 else in_words([*self.blockers])
        return f"{self.model} can never win by geometric mean: {joint} is ahead of it on every task."

    def to_frame(self) -> pd.DataFrame:
        """Return the weights, or the blockers, that are not 0."""
        return self.shares.to_frame()

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check by comparing products of integer powers, without a solver or a logarithm.

        Raises
        ------
        ProofError
            Naming the first rival or task for which the proof fails.
        """
        LinearRule(name=MEAN).check(self.points, self.points.tasks, source)
        ensure(self.model in self.points.models, f"{self.model!r} is not among the models")
        ensure(min(self.points.numerators.ravel().tolist()) >= 0, "a geometric mean needs scores that are not negative")
        ensure(bool(self.weights) != bool(self.blockers), "there must be weights or blockers, and not both")
        place, rows = self.points.models.index(self.model), self.points.numerators.tolist()
        shares, names = (self.weights or self.blockers), (self.points.tasks if self.weights else self.points.models)
        ensure({*shares} <= {*names} and self.model not in self.blockers, "a weight or blocker is of nothing known")
        ensure(all(type(one) is Fraction and one > 0 for one in shares.values()), "shares must be above 0")
        ensure(sum(shares.values()) == 1, "the shares do not sum to 1")
        powers = common_denominator([shares.get(name, Fraction(0)) for name in names])[0]
        widest = max(max(row) for row in rows).bit_length()
        ensure(widest * sum(powers) <= MOST_BITS, "the powers are too long to be worked out")
        failing = _not_behind(rows, place, powers) if self.weights else _not_above(rows, place, powers)
        over = self.points.models if self.weights else self.points.tasks
        told = "is not ahead of" if self.weights else "is not below the blockers on"
        ensure(failing is None, f"{self.model!r} {told} {over[failing or 0]!r}")
        return True


def _not_behind(rows: Sequence[Sequence[int]], model: int, powers: Sequence[int]) -> int | None:
    """Return a rival whose product of scores to these powers, one per task, is not less than the model's."""
    own = _product(rows[model], powers)
    return next((row for row, of in enumerate(rows) if row != model and _product(of, powers) >= own), None)


def _not_above(rows: Sequence[Sequence[int]], model: int, powers: Sequence[int]) -> int | None:
    """Return a task on which the rivals' product, to these powers, one per model, is not above the model's score."""
    whole = sum(powers)
    columns = enumerate(zip(*rows, strict=True))
    return next((task for task, of in columns if _product(of, powers) <= of[model] ** whole), None)


def _product(numbers: Sequence[int], powers: Sequence[int]) -> int:
    return math.prod(number**power for number, power in zip(numbers, powers, strict=True) if power)


def prospect_by_products(board: SignsLike, model: str, *, space: WeightSpace | None = None) -> GeometricProspect:
    """Return the verified prospect of a model by the geometric mean.

    Raises
    ------
    InputError
        If lower is better on a task, a score is missing or negative, or there are conditions on weights.
    UnprovedError
        If it can neither be shown to be the only winner nor to be behind: it may tie.

    Notes
    -----
    Its lead is a weighted sum of logarithms of quotients of scores, which are irrational. A linear program over their
    decimals proposes weights, or a mixture of rivals; both are rounded to small denominators and decided exactly, as
    for integers ``w`` the sum of ``w log(a / b)`` is positive exactly if the product of ``a ** w`` exceeds that of
    ``b ** w``. How wide a lead is, and whether the best is 0, no such comparison tells.
    """
    points = _points(board, space)
    place = points.position(model)
    rows, tasks = points.numerators.tolist(), points.tasks
    floats = points.numerators.astype(np.float64)
    logarithms = np.log(floats, where=floats > 0, out=np.full(floats.shape, OF_ZERO))
    rounded = np.rint(logarithms * 2**40).astype(np.int64)
    rivals = [row for row in range(len(rows)) if row != place]
    names = [points.models[row] for row in rivals]
    widest = widest_margin(rounded[place] - rounded[rivals], names, WeightSpace(tasks))
    strict = widest.upper > 0
    shares = [float(one) for one in (widest.weights if strict else widest.blockers)]
    for units in UNITS:
        powers = [0] * (len(tasks) if strict else len(rows))
        for at, power in zip(range(len(tasks)) if strict else rivals, _rounded(shares, units), strict=True):
            powers[at] = power
        if (_not_behind if strict else _not_above)(rows, place, powers) is None:
            found = zip(tasks if strict else points.models, powers, strict=True)
            named = {name: Fraction(power, sum(powers)) for name, power in found if power}
            weights, blockers = (named, {}) if strict else ({}, named)
            return GeometricProspect(model=str(model), points=points, weights=weights, blockers=blockers).verified()
    told = f"{str(model)!r} may tie for the first place by geometric mean, or lead or trail by next to nothing"
    why = "leads are sums of logarithms; only their sign is decided, and only where it is clear"
    raise UnprovedError(f"{told}: {why}", known={"verdict": None})


def _rounded(shares: Sequence[float], units: int) -> list[int]:
    """Return integers in the proportions of shares, about ``units`` in all, at least one of the largest."""
    if units >= len(shares) ** 2:
        return [int(one) for one in integer_weights(np.maximum(shares, 0), units)]
    top = max(shares)
    return [round(max(share, 0) / top * units) for share in shares]


def _points(board: SignsLike, space: WeightSpace | None) -> Points:
    """Return the scores of a table by which a geometric mean can be asked about."""
    table = as_table(board)
    if not isinstance(table, Leaderboard):
        raise InputError("a geometric mean needs scores: give it the leaderboard")
    if space is not None and space.conditions:
        told = "by geometric mean only the verdict over all weights is proved, without conditions"
        raise InputError(Fault(told, Cure("space", None)))
    if table.lower_is_better:
        lower = first_few(map(repr, table.lower_is_better))
        raise InputError(f"a geometric mean needs tasks where higher is better; lower is better on {lower}")
    points = LinearRule(name=MEAN).points(table)
    low = [f"{points.models[row]!r} on {points.tasks[task]!r}" for row, task in np.argwhere(points.numerators < 0)]
    if low:
        raise InputError(f"a geometric mean needs scores that are not negative; negative: {first_few(low)}")
    return points
