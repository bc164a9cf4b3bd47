"""The integer program for the cheapest levels, with which a branch tree shows that none are cheaper."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

import numpy as np

from weightlab._exact import AnyArray, common_denominator
from weightlab._solver.branch_tree import IntegerRows
from weightlab._solver.covers import Cover
from weightlab.lp.improvement.thresholds import ScoreThresholds

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


def refusal_cover(thresholds: Sequence[ScoreThresholds], refused: Sequence[Sequence[int]]) -> Cover:
    """Return the rows that winning levels meet: some task goes above its level in each refused choice."""
    pairs = [(task, level) for task, own in enumerate(thresholds) for level in range(1, len(own))]
    above = [[int(level > most[task]) for task, level in pairs] for most in refused]
    return Cover.of(np.array(above, dtype=object).reshape(len(above), len(pairs)), [1] * len(above))


def cheapest_levels(thresholds: Sequence[ScoreThresholds], cover: Cover) -> tuple[IntegerRows, Fraction]:
    """Return the program for the cheapest levels that meet a cover, at most one per task, and what a unit costs."""
    listed, under = common_denominator([cost for own in thresholds for cost in own.costs[1:]])
    unit = gcd(*listed) or 1
    tasks = np.repeat(np.arange(len(thresholds)), [len(own) - 1 for own in thresholds])
    single = -(tasks == np.arange(len(thresholds))[:, None]).astype(object)
    rows = np.concatenate([cover.gains, single])
    least = [*cover.lacking, *[-1] * len(thresholds)]
    return IntegerRows.binary(rows, least, [one // unit for one in listed]), Fraction(unit, under)
