"""Ladders: the finitely many scores of one task that matter to a model that improves, each with its price."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weightlab._typing import BoolArray, SignArray
from weightlab.lp.improvement.costs import Terms
from weightlab.lp.improvement.score_column import ScoreColumn

__all__ = ["Ladder", "ladder_of_results", "ladder_of_scores", "places_changed", "signs_at"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Ladder:
    """The rungs of one task: rung 0 is today's score, each further one changes some result and costs more.

    Attributes
    ----------
    gains : tuple of Fraction or None
        The gain (the score, negated where lower is better) at each rung; None where the model has no score.
    costs : tuple of Fraction
        What reaching each rung costs; increasing, from 0.
    tie_at, lead_at : ndarray of int, rivals
        The first rung at which the model does not trail, and the first at which it leads; the number of rungs where
        there is none.
    """

    gains: tuple[Fraction | None, ...]
    costs: tuple[Fraction, ...]
    tie_at: NDArray[np.int64]
    lead_at: NDArray[np.int64]

    def __len__(self) -> int:
        """Count the rungs, today's included."""
        return len(self.costs)

    def signs(self, rung: int) -> SignArray:
        """Return the signs over the rivals at a rung."""
        # The sign is -1 below ``tie_at``, 0 from there on and 1 from ``lead_at`` on: scores only rise.
        return ((self.tie_at <= rung).astype(np.int8) + (self.lead_at <= rung).astype(np.int8) - 1).astype(np.int8)

    def all_signs(self) -> SignArray:
        """Return the signs at every rung (rivals x rungs)."""
        rungs = np.arange(len(self))
        tied, led = self.tie_at[:, None] <= rungs, self.lead_at[:, None] <= rungs
        return tied.astype(np.int8) + led.astype(np.int8) - np.int8(1)

    def kept(self, rungs: Sequence[int]) -> Ladder:
        """Return the ladder with some of its rungs, in order; it must keep the first."""
        # What happened at a rung that goes happens at the next one that stays.
        new = np.searchsorted(np.asarray(rungs), np.arange(len(self) + 1))
        return Ladder(
            gains=tuple(self.gains[rung] for rung in rungs),
            costs=tuple(self.costs[rung] for rung in rungs),
            tie_at=new[self.tie_at],
            lead_at=new[self.lead_at],
        )


def signs_at(ladders: Sequence[Ladder], rungs: Sequence[int]) -> SignArray:
    """Return the signs over all rivals (rivals x tasks) at one rung a task."""
    return np.stack([ladder.signs(rung) for ladder, rung in zip(ladders, rungs, strict=True)], axis=1)


def ladder_of_scores(column: ScoreColumn, model: int, terms: Terms, wanted: BoolArray) -> Ladder:
    """Return the rungs of a score that rises by multiples of a step.

    Parameters
    ----------
    column : ScoreColumn
        The task.
    model : int
        Whose score rises.
    terms : Terms
        Its price and limits.
    wanted : ndarray of bool, rivals
        Whom it is about: rungs that change nothing against them are left out.
    """
    own, rivals = column.gains[model], _others(column.gains, model)
    if own is None:
        return _no_ladder(len(rivals))
    ties, leads = zip(*(_steps(column, own, rival, terms.step) for rival in rivals), strict=True)
    top = _most_steps(column, own, terms)
    counts = {0} | {n for pair in (ties, leads) for n, want in zip(pair, wanted.tolist(), strict=True) if want and n}
    rungs = sorted(n for n in counts if n is not None and (top is None or n <= top))
    return _without_equal_costs(
        Ladder(
            gains=tuple(own + n * terms.step for n in rungs),
            costs=tuple(n * terms.step * terms.cost for n in rungs),
            tie_at=_first_rungs(ties, rungs),
            lead_at=_first_rungs(leads, rungs),
        )
    )


def ladder_of_results(column: ScoreColumn, model: int, terms: Terms, wanted: BoolArray) -> Ladder:
    """Return the rungs of a score that may rise to any number, its price the results that change on the way.

    Parameters are those of `ladder_of_scores`; the step only chooses which of all fitting scores is shown.
    """
    own, rivals = column.gains[model], _others(column.gains, model)
    if own is None:
        return _no_ladder(len(rivals))
    events = [_events(column, own, rival) for rival in rivals]
    # A rung is a gain together with whether it is reached (0) or just exceeded (1).
    rungs = [(own, 0), *sorted({event for pair in events for event in pair if event and event != (own, 0)})]
    ties, leads = (_first_rungs([pair[which] for pair in events], rungs) for which in (0, 1))
    gains = [own, *(_shown(rungs, place, own, terms.step) for place in range(1, len(rungs)))]
    full = Ladder(gains=tuple(gains), costs=(Fraction(0),) * len(rungs), tie_at=ties, lead_at=leads)
    changed = [places_changed(full.signs(0), full.signs(rung)) for rung in range(len(rungs))]
    priced = Ladder(gains=full.gains, costs=tuple(n * terms.cost for n in changed), tie_at=ties, lead_at=leads)
    useful = {0} | {int(one) for firsts in (ties, leads) for one in firsts[wanted]}
    allowed = [n for n, count in enumerate(changed) if n in useful and (terms.most is None or count <= terms.most)]
    return _without_equal_costs(priced.kept(allowed))


def places_changed(before: SignArray, after: SignArray) -> int:
    """Return how many results differ; from trailing to leading counts once, as to a tie does."""
    return int((before != after).sum())


def _others(gains: Sequence[Fraction | None], model: int) -> list[Fraction | None]:
    return [*gains[:model], *gains[model + 1 :]]


def _no_ladder(rivals: int) -> Ladder:
    """Return the ladder of a missing score: one rung, ties all the way."""
    return Ladder(
        gains=(None,),
        costs=(Fraction(0),),
        tie_at=np.zeros(rivals, dtype=np.int64),
        lead_at=np.ones(rivals, dtype=np.int64),
    )


def _steps(column: ScoreColumn, own: Fraction, rival: Fraction | None, step: Fraction) -> tuple[int | None, int | None]:
    """Return after how many steps a rival is tied and led; None for never."""
    if rival is None:
        return 0, None
    tie, lead = column.tie_from(rival), column.lead_above(rival)
    # A tie is reached (>=), a lead is exceeded (>): hence rounded up here, and down plus 1 below.
    to_tie = 0 if tie is None else max(0, ceil((tie - own) / step))
    return to_tie, None if lead is None else max(0, floor((lead - own) / step) + 1)


def _events(
    column: ScoreColumn, own: Fraction, rival: Fraction | None
) -> tuple[tuple[Fraction, int], tuple[Fraction, int] | None]:
    """Return where a rival is tied and led, as a gain that is reached (0) or exceeded (1)."""
    if rival is None:
        return (own, 0), None
    tie, lead = column.tie_from(rival), column.lead_above(rival)
    first = (own, 0) if tie is None or tie <= own else (tie, 0)
    return first, None if lead is None else (own, 0) if lead < own else (lead, 1)


def _most_steps(column: ScoreColumn, own: Fraction, terms: Terms) -> int | None:
    """Return how many steps a score may rise; None when there is no limit."""
    limits = [terms.most] if terms.most is not None else []
    limits += [column.score(terms.best) - own] if terms.best is not None else []
    return min((floor(limit / terms.step) for limit in limits), default=None)


def _first_rungs(firsts: Sequence[Any], rungs: Sequence[Any]) -> NDArray[np.int64]:
    """Return the first rung at or above each; the number of rungs for None and where there is none."""
    return np.array([len(rungs) if one is None else bisect_left(rungs, one) for one in firsts], dtype=np.int64)


def _shown(rungs: Sequence[tuple[Fraction, int]], place: int, own: Fraction, step: Fraction) -> Fraction:
    """Return a gain at a rung: a whole number of steps from the model's own one if any fits, else halfway."""
    gain, beyond = rungs[place]
    if not beyond:
        return gain
    above = next((other for other, _ in rungs[place + 1 :] if other > gain), None)
    shown = own + (floor((gain - own) / step) + 1) * step
    return shown if above is None or shown < above else (gain + above) / 2


def _without_equal_costs(ladder: Ladder) -> Ladder:
    """Return the ladder without rungs that a higher one has at the same cost."""
    # At the same price the higher rung does everywhere at least as well.
    last = len(ladder) - 1
    return ladder.kept(
        [0, *(rung for rung in range(1, len(ladder)) if rung == last or ladder.costs[rung + 1] > ladder.costs[rung])]
    )
