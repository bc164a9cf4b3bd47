"""Means of the scores, exact, with the weights of the tasks; missing scores are refused, skipped or filled."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from weightlab._typing import Number
from weightlab.data import Leaderboard
from weightlab.rules.inputs import Missing, number_option
from weightlab.rules.outcome import Outcome
from weightlab.rules.scoring.exact_reals import PowerProducts, RootSums
from weightlab.rules.scoring.score_table import ScoreTable, refuse_lower, refuse_negative

__all__ = ["arithmetic_mean", "geometric_mean", "harmonic_mean", "median", "optimality_gap", "z_score_mean"]


def arithmetic_mean(board: Leaderboard, *, missing: Missing = "error") -> Outcome:
    """Score each model with the weighted mean of its scores, negated where lower is better."""
    table = ScoreTable.of(board, missing)
    return Outcome.by_score(table.weighted_means(table.matrix, table.denominator))


def harmonic_mean(board: Leaderboard, *, missing: Missing = "error") -> Outcome:
    """Score each model with the weighted harmonic mean of its scores; 0 if one of them is, and none may be negative."""
    refuse_lower(board, "a harmonic mean")
    refuse_negative(board, "a harmonic mean")
    table = ScoreTable.of(board, missing)
    means = []
    for model, total in enumerate(table.totals):
        scores, weights = table.scored(model)
        if 0 in scores:
            means.append(Fraction(0))
            continue
        multiple = math.lcm(*scores)
        inverse = sum(weight * (multiple // score) for score, weight in zip(scores, weights, strict=True))
        means.append(Fraction(total * multiple, inverse * table.denominator))
    return Outcome.by_score(means)


def median(board: Leaderboard, *, missing: Missing = "error") -> Outcome:
    """Score each model with the weighted median of its scores, negated where lower is better.

    Half of the weight lies on either side of it; where that holds between two scores it is halfway between them.
    """
    table = ScoreTable.of(board, missing)
    middles = [_middle(*table.scored(model)) for model in range(len(table.matrix))]
    return Outcome.by_score([Fraction(doubled, 2 * table.denominator) for doubled in middles])


def optimality_gap(board: Leaderboard, *, gamma: Number, missing: Missing = "error") -> Outcome:
    """Score each model with the weighted mean amount by which its scores fail to reach ``gamma``: lower is better."""
    refuse_lower(board, "the optimality gap")
    goal = number_option("gamma", gamma)
    table = ScoreTable.of(board, missing)
    denominator = table.denominator * goal.denominator
    scaled = table.matrix.astype(object) * goal.denominator
    short = np.where(table.present, np.maximum(goal.numerator * table.denominator - scaled, 0), 0)
    return Outcome.by_score(table.weighted_means(short, denominator), lower_is_better=True)


def geometric_mean(board: Leaderboard, *, missing: Missing = "error") -> Outcome:
    """Score each model with the weighted geometric mean of its scores, none of them negative; compared exactly."""
    refuse_lower(board, "a geometric mean")
    refuse_negative(board, "a geometric mean")
    table = ScoreTable.of(board, missing)
    return PowerProducts(table, board.cells.floats).outcome()


def z_score_mean(board: Leaderboard, *, missing: Missing = "error") -> Outcome:
    """Score each model with the weighted mean of its standardised scores; compared exactly.

    A score's z-score is its distance from the task's mean over the models, in the task's population standard
    deviation, negated where lower is better. A task on which all models tie gives 0 to all.
    """
    return RootSums(ScoreTable.of(board, missing)).outcome()


def _middle(scores: list[int], weights: list[int]) -> int:
    """Return twice the weighted median of integers."""
    total, below = sum(weights), 0
    ascending = sorted(zip(scores, weights, strict=True))
    for place, (score, weight) in enumerate(ascending):
        below += weight
        if 2 * below > total:
            return 2 * score
        if 2 * below == total:
            return score + ascending[place + 1][0]
    raise AssertionError("weights are positive")  # pragma: no cover - tasks of weight 0 never enter
