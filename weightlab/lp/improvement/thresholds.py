"""Score thresholds: the finitely many scores of one task that matter to a model that improves, each with its price."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import BoolArray, IntArray, SignArray, common_denominator
from weightlab._result import Frozen
from weightlab.lp.improvement.costs import ImprovementCosts
from weightlab.lp.improvement.score_column import ScoreColumn


class ScoreThresholds(Frozen):
    """The levels of one task's score: level 0 is today's score, each further one changes some result and costs more.

    Attributes
    ----------
    gains : tuple of Fraction or None
        The gain (the score, negated where lower is better) at each level; None where the model has no score.
    costs : tuple of Fraction
        What reaching each level costs; increasing, from 0.
    tie_at, lead_at : ndarray of int, rivals
        The first level at which the model does not trail, and the first at which it leads; the number of levels if
        no level does.
    """

    gains: tuple[Fraction | None, ...]
    costs: tuple[Fraction, ...]
    tie_at: NDArray[np.int64]
    lead_at: NDArray[np.int64]

    def __len__(self) -> int:
        """Count the levels, today's included."""
        return len(self.costs)

    def signs(self, level: int) -> SignArray:
        """Return the signs over the rivals at a level."""
        # The sign is -1 below ``tie_at``, 0 from there on and 1 from ``lead_at`` on: scores only rise.
        return ((self.tie_at <= level).astype(np.int8) + (self.lead_at <= level).astype(np.int8) - 1).astype(np.int8)

    def all_signs(self) -> SignArray:
        """Return the signs at every level (rivals x levels)."""
        levels = np.arange(len(self))
        reached = (firsts[:, np.newaxis] <= levels for firsts in (self.tie_at, self.lead_at))
        return np.asarray(sum(one.astype(np.int8) for one in reached) - 1, dtype=np.int8)

    def with_levels(self, levels: Sequence[int]) -> ScoreThresholds:
        """Return the thresholds of some levels, in order, today's among them."""
        # What happened at a level that goes happens at the next one that stays.
        new = np.searchsorted(np.asarray(levels), np.arange(len(self) + 1))
        return ScoreThresholds(
            gains=tuple(self.gains[level] for level in levels),
            costs=tuple(self.costs[level] for level in levels),
            tie_at=new[self.tie_at],
            lead_at=new[self.lead_at],
        )

    def against(self, rivals: IntArray) -> ScoreThresholds:
        """Return the thresholds of some rivals."""
        return replace(self, tie_at=self.tie_at[rivals], lead_at=self.lead_at[rivals])


def signs_at(thresholds: Sequence[ScoreThresholds], levels: Sequence[int]) -> SignArray:
    """Return the signs over all rivals (rivals x tasks) at one level a task."""
    at = np.array(levels)
    firsts = (np.stack([getattr(one, name) for one in thresholds], axis=1) for name in ("tie_at", "lead_at"))
    return np.asarray(sum((one <= at).astype(np.int8) for one in firsts) - 1, dtype=np.int8)


def total_cost(thresholds: Sequence[ScoreThresholds], levels: Sequence[int]) -> Fraction:
    """Return the total cost of one level per task."""
    return sum((own.costs[level] for own, level in zip(thresholds, levels, strict=True)), Fraction(0))


def thresholds_by_score(
    column: ScoreColumn, model: int, terms: ImprovementCosts, relevant: BoolArray
) -> ScoreThresholds:
    """Return the levels of a score that rises by multiples of a step.

    Parameters
    ----------
    column : ScoreColumn
        The task.
    model : int
        Whose score rises.
    terms : ImprovementCosts
        Its price and limits.
    relevant : ndarray of bool, rivals
        Whom it is about: levels that change nothing against them are left out.
    """
    whole, step, units = _in_integers(column, terms.step)
    own, start, rivals = column.gains[model], whole.gains[model], _others(whole.gains, model)
    if own is None or start is None:
        return _one_level(len(rivals))
    ties, leads = zip(*(_steps(whole, start, rival, step) for rival in rivals), strict=True)
    top = _most_steps(column, own, terms)
    counts = {0} | {n for pair in (ties, leads) for n, want in zip(pair, relevant.tolist(), strict=True) if want and n}
    levels = sorted(n for n in counts if n is not None and (top is None or n <= top))
    price = terms.step * terms.cost
    return _without_equal_costs(
        ScoreThresholds(
            gains=tuple(Fraction(start + n * step, units) for n in levels),
            costs=tuple(Fraction(n * price.numerator, price.denominator) for n in levels),
            tie_at=_first_levels(ties, levels),
            lead_at=_first_levels(leads, levels),
        )
    )


def thresholds_by_result(
    column: ScoreColumn, model: int, terms: ImprovementCosts, relevant: BoolArray
) -> ScoreThresholds:
    """Return the levels of a score that may rise to any number, its price the results that change on the way.

    Parameters are those of `thresholds_by_score`; the step only chooses which of all fitting scores is shown.
    """
    whole, step, units = _in_integers(column, terms.step)
    own, rivals = whole.gains[model], _others(whole.gains, model)
    if own is None:
        return _one_level(len(rivals))
    events = [_events(whole, own, rival) for rival in rivals]
    # A level is a gain together with whether it is reached (0) or just exceeded (1).
    levels = [(own, 0), *sorted({event for pair in events for event in pair if event and event != (own, 0)})]
    top = None if terms.best is None else column.score(terms.best) * units
    # A score just above a rival's is within the best where the rival's is below it: (gain, 1) comes before (best, 1).
    levels = [one for one in levels if top is None or one <= (top, 0)]
    ties, leads = (_first_levels([pair[which] for pair in events], levels) for which in (0, 1))
    gains = [Fraction(_shown(levels, place, own, step) if place else own) / units for place in range(len(levels))]
    gains = gains if top is None else [min(gain, top / units) for gain in gains]
    free = ScoreThresholds(gains=tuple(gains), costs=(Fraction(0),) * len(levels), tie_at=ties, lead_at=leads)
    changed = [places_changed(free.signs(0), free.signs(level)) for level in range(len(levels))]
    priced = replace(free, costs=tuple(n * terms.cost for n in changed))
    useful = {0} | {int(one) for firsts in (ties, leads) for one in firsts[relevant]}
    allowed = [n for n, count in enumerate(changed) if n in useful and (terms.most is None or count <= terms.most)]
    return _without_equal_costs(priced.with_levels(allowed))


def places_changed(before: SignArray, after: SignArray) -> int:
    """Return how many results differ; from trailing to leading counts once, as to a tie does."""
    return int((before != after).sum())


def _in_integers(column: ScoreColumn, step: Fraction) -> tuple[ScoreColumn, int, int]:
    """Return a column and a step in whole multiples of one unit, and how many units make 1: integers compare fast."""
    known = [gain for gain in column.gains if gain is not None]
    (whole, tolerance, *numbers), units = common_denominator([step, column.tolerance, *known])
    rest: Iterator[Any] = iter(numbers)
    gains = tuple(None if gain is None else next(rest) for gain in column.gains)
    # A relative tolerance has no unit.
    return replace(column, gains=gains, tolerance=column.tolerance if column.relative else tolerance), whole, units


def _others(gains: Sequence[Fraction | None], model: int) -> list[Fraction | None]:
    return [*gains[:model], *gains[model + 1 :]]


def _one_level(rivals: int) -> ScoreThresholds:
    """Return the thresholds of a missing score: one level, ties all the way."""
    return ScoreThresholds(
        gains=(None,),
        costs=(Fraction(0),),
        tie_at=np.zeros(rivals, dtype=np.int64),
        lead_at=np.ones(rivals, dtype=np.int64),
    )


def _steps(column: ScoreColumn, own: Fraction, rival: Fraction | None, step: int) -> tuple[int | None, int | None]:
    """Return after how many steps a rival is tied and led; None for never; all in whole multiples of one unit."""
    if rival is None:
        return 0, None
    tie, lead = column.tie_from(rival), column.lead_above(rival)
    # A tie is reached (>=), a lead is exceeded (>): hence rounded up here, and down plus 1 below.
    to_tie = 0 if tie is None else max(0, -((own - tie) // step))
    return to_tie, None if lead is None else max(0, (lead - own) // step + 1)


def _events(
    column: ScoreColumn, own: Fraction, rival: Fraction | None
) -> tuple[tuple[Fraction, int], tuple[Fraction, int] | None]:
    """Return where a rival is tied and led, as a gain that is reached (0) or exceeded (1)."""
    if rival is None:
        return (own, 0), None
    tie, lead = column.tie_from(rival), column.lead_above(rival)
    first = (own, 0) if tie is None or tie <= own else (tie, 0)
    return first, None if lead is None else (own, 0) if lead < own else (lead, 1)


def _most_steps(column: ScoreColumn, own: Fraction, terms: ImprovementCosts) -> int | None:
    """Return how many steps a score may rise; None when there is no limit."""
    limits = [terms.most] if terms.most is not None else []
    limits += [column.score(terms.best) - own] if terms.best is not None else []
    return min((floor(limit / terms.step) for limit in limits), default=None)


def _first_levels(firsts: Sequence[Any], levels: Sequence[Any]) -> NDArray[np.int64]:
    """Return the first level at or above each; the number of levels for None and where no level is."""
    return np.array([len(levels) if one is None else bisect_left(levels, one) for one in firsts], dtype=np.int64)


def _shown(levels: Sequence[tuple[Fraction, int]], place: int, own: Fraction, step: int) -> Fraction:
    """Return a gain at a level: a whole number of steps from the model's own one if any fits, else halfway."""
    gain, beyond = levels[place]
    if not beyond:
        return gain
    above = next((other for other, _ in levels[place + 1 :] if other > gain), None)
    shown = own + ((gain - own) // step + 1) * step
    return shown if above is None or shown < above else Fraction(gain + above, 2)


def _without_equal_costs(found: ScoreThresholds) -> ScoreThresholds:
    """Return the thresholds without levels that a higher one has at the same cost."""
    # At the same price the higher level does everywhere at least as well.
    costs, last = found.costs, len(found) - 1
    further = (level for level in range(1, len(found)) if level == last or costs[level + 1] > costs[level])
    return found.with_levels([0, *further])
