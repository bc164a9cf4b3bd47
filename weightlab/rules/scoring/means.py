"""Means of scores and of places, exact, with the weights of the tasks; missing ones are refused, skipped or filled."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import get_args

import numpy as np

from weightlab._exact import IntArray, Number, common_denominator
from weightlab._validate import one_of
from weightlab.data import Leaderboard, Profile
from weightlab.data.points import Ties
from weightlab.rules.inputs import InapplicableError, Missing, check_missing, number_option, unranked
from weightlab.rules.outcome import Outcome
from weightlab.rules.scoring.exact_reals import PowerProducts, RootSums
from weightlab.rules.scoring.positional import above_and_tied
from weightlab.rules.scoring.score_table import MISSING_IN_MEANS, ScoreTable, refuse_lower, refuse_negative


def mean(board: Leaderboard, *, missing: Missing = "error") -> Outcome:
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


def z_score(board: Leaderboard, *, missing: Missing = "error") -> Outcome:
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


# Means of places: mean rank and mean win rate.


def mean_rank(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the weighted mean of its ranks, 1 being best: lower is better."""
    one_of("ties", ties, get_args(Ties))
    _refuse_gaps(profile, missing)
    # Twice the rank, so that an average over ties is whole.
    first, last = {"average": (1, 1), "min": (2, 0), "max": (0, 2)}[ties]
    above, tied = above_and_tied(profile.ranks)
    ranks = _weighted_means(profile, 2 * above + first + last * tied, [2] * len(profile.voters))
    return Outcome.by_score(ranks, lower_is_better=True)


def mean_win_rate(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the share of rivals that it leads on a task, averaged over the tasks.

    A rival tied with the model counts half (``"average"``, as in HELM), as led (``"min"``) or as not led (``"max"``).
    With ``missing="skip"``, also as in HELM, the rivals on a task are the models that have a score there, and a model's
    mean is over the tasks on which it has a score; a task with a score of one model only takes no part.
    """
    one_of("ties", ties, get_args(Ties))
    _refuse_gaps(profile, missing)
    # Twice the wins, so that half a win is whole.
    level = {"average": 1, "min": 2, "max": 0}[ties]
    above, tied = above_and_tied(profile.ranks)
    present = np.count_nonzero(profile.ranks, axis=1)
    doubled = 2 * (present[:, None] - above - tied) + level * (tied - 1)
    return Outcome.by_score(_weighted_means(profile, doubled, (2 * (present - 1)).tolist()))


def _weighted_means(profile: Profile, values: IntArray, scales: list[int]) -> list[Fraction]:
    """Return each model's weighted mean of ``values / scale`` over the voters that rank it and whose scale is not 0."""
    numerators, denominator = common_denominator(
        [weight / scale if scale else Fraction(0) for weight, scale in zip(profile.weights, scales, strict=True)]
    )
    weights, shared = common_denominator(profile.weights)
    sums = np.zeros(len(profile.models), dtype=object)
    totals = np.zeros(len(profile.models), dtype=object)
    for ranks, value, scale, scaled, weight in zip(profile.ranks, values, scales, numerators, weights, strict=True):
        if scale:
            present = ranks > 0
            sums[present] += value[present].astype(object) * scaled
            totals[present] += weight
    for model, total in zip(profile.models, totals.tolist(), strict=True):
        if not total:
            raise InapplicableError(f"model {model!r} meets no rival on any task that weighs")
    return [
        Fraction(top, denominator) / Fraction(total, shared)
        for top, total in zip(sums.tolist(), totals.tolist(), strict=True)
    ]


def _refuse_gaps(profile: Profile, missing: Missing) -> None:
    check_missing(missing, MISSING_IN_MEANS)
    if missing != "skip" and not profile.is_complete:
        raise unranked(profile, MISSING_IN_MEANS)
