"""What a rule says before names are put to it: scores, a weak order, and the rounds it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import common_denominator
from weightlab._result import Frozen, Record, Result
from weightlab.exceptions import InputError

PositionOrder = tuple[tuple[int, ...], ...]
"""A weak order of positions, best first; tied positions ascend."""


class Elimination(Record, eq=True):
    """What happens in one round of a rule that eliminates, among those who take part.

    Attributes
    ----------
    numerators : tuple of int
        The scores in this round of those who take part, in board order, times ``denominator``.
    denominator : int
        Common denominator.
    left : tuple of str
        Who leaves after it, in board order: no model when all that are left tie.
    """

    numerators: tuple[int, ...]
    denominator: int
    left: tuple[str, ...]


class Round(Elimination, eq=True):
    """One round of a rule that eliminates.

    Attributes
    ----------
    models : tuple of str
        Who takes part, in board order.
    """

    models: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise InputError unless there is a score for each model, over a denominator above 0."""
        if len(self.numerators) != len(self.models) or self.denominator < 1:
            raise InputError(f"a round of {len(self.models)} models has a score for each, over a denominator above 0")

    @classmethod
    def of(cls, models: tuple[str, ...], scores: Sequence[Fraction], left: tuple[str, ...]) -> Round:
        """Return the round of exact scores."""
        numerators, denominator = common_denominator(scores)
        return cls(models=models, numerators=tuple(numerators), denominator=denominator, left=left)

    @property
    def exact(self) -> list[Fraction]:
        """Exact scores of the round, in board order."""
        return [Fraction(number, self.denominator) for number in self.numerators]

    @property
    def scores(self) -> pd.Series:
        """Exact scores of the round by model, best first."""
        best_first = sorted(zip(self.models, self.exact, strict=True), key=lambda pair: -pair[1])
        return pd.Series(
            [score for _, score in best_first], index=[model for model, _ in best_first], dtype=object, name="score"
        )


class Outcome(Frozen):
    """What a rule says about the models of a table, by their positions.

    Attributes
    ----------
    order : tuple of tuples of int
        Weak order, best first. Of a rule with several optimal orders, by the best rank in any of them.
    scores : tuple of Fraction or of float
        One a model. Fractions unless the rule's scores are irrational.
    rounds : tuple of Round
        Of rules that eliminate.
    witness : Result, optional
        What proves the order where running the rule again would need a solver.
    """

    order: PositionOrder
    scores: tuple[Fraction, ...] | tuple[float, ...]
    rounds: tuple[Round, ...] = ()
    witness: Result | None = None

    @classmethod
    def by_score(cls, scores: Sequence[Fraction], *, lower_is_better: bool = False) -> Outcome:
        """Return the outcome in which the greater score (or the lesser) goes first and equal scores tie."""
        sign = 1 if lower_is_better else -1
        # Integers sort in a fraction of the time.
        order = tied_groups({place: sign * top for place, top in enumerate(common_denominator(scores)[0])})
        return cls(order=order, scores=tuple(scores))

    @classmethod
    def by_total(cls, totals: Sequence[int], denominator: int) -> Outcome:
        """Return the outcome in which the greater total goes first; scores are totals over the denominator."""
        order = tied_groups({place: -total for place, total in enumerate(totals)})
        # Most totals are whole numbers, and converting one to a fraction takes half the time.
        scores = [
            Fraction(total, denominator) if total % denominator else Fraction(total // denominator) for total in totals
        ]
        return cls(order=order, scores=tuple(scores))

    @classmethod
    def by_order(cls, order: Iterable[Iterable[int]], **rest: Any) -> Outcome:
        """Return the outcome of an order whose scores count the models that each leaves behind."""
        groups = tuple(tuple(sorted(group)) for group in order)
        count = behind = sum(len(group) for group in groups)
        scores = np.zeros(count, dtype=np.int64)
        for group in groups:
            behind -= len(group)
            scores[list(group)] = behind
        return cls(order=groups, scores=tuple(Fraction(score) for score in scores.tolist()), **rest)


def tied_groups(keys: Mapping[int, Any]) -> PositionOrder:
    """Return the positions grouped by equal keys, the least key first."""
    groups: dict[Any, list[int]] = {}
    for position in sorted(keys):
        groups.setdefault(keys[position], []).append(position)
    return tuple(tuple(groups[key]) for key in sorted(groups))
