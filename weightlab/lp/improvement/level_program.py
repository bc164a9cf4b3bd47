"""The integer program for the cheapest levels, with which a branch tree shows that none are cheaper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import gcd

import numpy as np

from weightlab._exact import AnyArray, common_denominator
from weightlab._solver.branch_tree import IntegerRows
from weightlab._solver.covers import Cover
from weightlab.exceptions import ProofError
from weightlab.lp.improvement.thresholds import ScoreThresholds
from weightlab.lp.space.conditions import ONE, ZERO, Condition, Near
from weightlab.lp.space.space import Vectors, WeightSpace

MOST_CELLS = 2_000_000
"""Largest matrix, rows times columns, for which a tree is built."""


def duel_cover(thresholds: Sequence[ScoreThresholds], weights: Sequence[int]) -> Cover:
    """Return the rows that levels meet if they beat every rival at fixed weights; a column per higher level.

    Two rows per rival. Its lead must be 1 or more. And the tasks on which the model does not trail must weigh more than
    half: their weight is the wins' and the ties', and the wins weigh more than the losses. Of each row that lacks an
    odd number also half, rounded up. All follow from the first rows alone, but not for fractions of levels: this
    makes the bounds tight (Chvátal 1973).
    """
    signs = [own.all_signs().astype(object) for own in thresholds]
    parts, lacking = list[AnyArray](), list[int]()
    for what, needed in ((signs, 1), ([(own >= 0).astype(object) for own in signs], sum(weights) // 2 + 1)):
        weighed = [weight * own for own, weight in zip(what, weights, strict=True)]
        parts.append(np.concatenate([own[:, 1:] - own[:, :1] for own in weighed], axis=1))
        lacking += (needed - np.stack([own[:, 0] for own in weighed]).sum(axis=0)).tolist()
    whole = Cover.of(np.concatenate(parts), lacking)
    odd = [row for row, one in enumerate(whole.lacking) if one % 2]
    halves = [(whole.lacking[row] + 1) // 2 for row in odd]
    return Cover.of(np.concatenate([whole.gains, (whole.gains[odd] + 1) // 2]), [*whole.lacking, *halves])


def blocked_rows(
    thresholds: Sequence[ScoreThresholds], space: WeightSpace, blockers: Mapping[int, Fraction], vectors: Vectors
) -> Iterator[tuple[list[int], int]]:
    """Yield rows that winning levels meet against a mixture of rivals: gains of higher levels, and what is lacking.

    Winning weights w lead the mixture z, and vectors v of the conditions never exceed h: so the sum over tasks of
    ``w_t (z.s_t - v_t + h)`` is above 0, signs s_t being those at the level of the task. Each part is largest at an end
    of what the conditions, one by one, leave to w_t. Where one bounds the sum of changes of weights, those move at
    most half of it from one part to another, which is enough to say so of the weights that it starts from.
    """
    shares, over = common_denominator(list(blockers.values()))
    signs = [own.all_signs()[list(blockers)].astype(object) for own in thresholds]
    led = [[Fraction(one, over) for one in (np.array(shares, dtype=object) @ own).tolist()] for own in signs]
    pairs = list(zip(space.conditions, vectors, strict=True))

    def parts(without: Condition | None) -> list[list[Fraction]]:
        """Return the parts of the sum by task and level, of all conditions but one."""
        some = [pair for pair in pairs if pair[0] is not without]
        most = sum((condition.support(vector) for condition, vector in some), ZERO)
        beside = [most - sum((vector.get(task, ZERO) for _, vector in some), ZERO) for task in space.tasks]
        return [[one + more for one in own] for own, more in zip(led, beside, strict=True)]

    ends = task_bounds(space).values()
    yield _row([[max(a * one, b * one) for one in own] for (a, b), own in zip(ends, parts(None), strict=True)], ZERO)
    for near, _ in pairs:
        if isinstance(near, Near) and near.norm == "l1":
            own = parts(near)
            moved = near.radius / 2 * (max(map(max, own)) - min(map(min, own)))
            shared = zip(near.centre.values(), own, strict=True)
            yield _row([[share * one for one in levels] for share, levels in shared], moved)


def _row(worth: Sequence[Sequence[Fraction]], more: Fraction) -> tuple[list[int], int]:
    """Return the row that one level of each task and some more are worth more than 0."""
    gains = [one - own[0] for own in worth for one in own[1:]]
    (lacks, *whole), _ = common_denominator([-more - sum((own[0] for own in worth), ZERO), *gains])
    return whole, lacks + 1


def task_bounds(space: WeightSpace) -> dict[str, tuple[Fraction, Fraction]]:
    """Return by task the least and greatest weight that each condition by itself allows."""
    found = {}
    for task in space.tasks:
        ends = [ZERO, ONE]
        for end, side in enumerate((-ONE, ONE)):
            for condition in space.conditions:
                with suppress(ProofError):  # it does not bound the weight
                    ends[end] = side * min(side * ends[end], condition.support({task: side}))
        found[task] = (ends[0], ends[1])
    return found


def cheapest_levels(thresholds: Sequence[ScoreThresholds], cover: Cover) -> tuple[IntegerRows, Fraction]:
    """Return the program for the cheapest levels that meet a cover, at most one per task, and what a unit costs."""
    listed, under = common_denominator([cost for own in thresholds for cost in own.costs[1:]])
    unit = gcd(*listed) or 1
    tasks = np.repeat(np.arange(len(thresholds)), [len(own) - 1 for own in thresholds])
    single = -(tasks == np.arange(len(thresholds))[:, None]).astype(object)
    rows = np.concatenate([cover.gains, single])
    least = [*cover.lacking, *[-1] * len(thresholds)]
    return IntegerRows.binary(rows, least, [one // unit for one in listed]), Fraction(unit, under)
