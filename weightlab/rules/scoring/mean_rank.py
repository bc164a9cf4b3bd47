"""Means of places: mean rank and mean win rate."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from weightlab._exact import common_denominator
from weightlab._typing import IntArray
from weightlab.data import Profile
from weightlab.data.points import Ties
from weightlab.exceptions import MissingScoresError
from weightlab.rules.inputs import InapplicableError, Missing, check_missing, unranked_message
from weightlab.rules.outcome import Outcome
from weightlab.rules.scoring.positional import above_and_tied, check_ties

__all__ = ["mean_rank", "mean_win_rate"]

MISSING_IN_PLACES = ("error", "skip", "median")


def mean_rank(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the weighted mean of its ranks, 1 being best: lower is better."""
    check_ties(ties)
    _refuse_gaps(profile, missing)
    # Twice the rank, so that an average over ties is whole.
    first, last = {"average": (1, 1), "min": (2, 0), "max": (0, 2)}[ties]
    above, tied = above_and_tied(profile.ranks)
    ranks = _weighted_means(profile, 2 * above + first + last * tied, [2] * len(profile.voters))
    return Outcome.by_score(ranks, lower_is_better=True)


def mean_win_rate(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the share of rivals that it leads on a task, averaged over the tasks.

    A rival level with the model counts half (``"average"``, as in HELM), as led (``"min"``) or as not led (``"max"``).
    With ``missing="skip"``, also as in HELM, the rivals on a task are the models that have a score there, and a model's
    mean is over the tasks on which it has a score; a task with a score of one model only takes no part.
    """
    check_ties(ties)
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
    check_missing(missing, MISSING_IN_PLACES)
    if missing != "skip" and not profile.is_complete:
        raise MissingScoresError(unranked_message(profile, MISSING_IN_PLACES))
