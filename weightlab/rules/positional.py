"""Scoring rules: points for places, summed over the tasks with their weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import common_denominator, exact_products, fraction
from weightlab._typing import IntArray, Number
from weightlab.data import Points, Profile
from weightlab.data.points import Ties, scoring_vector
from weightlab.exceptions import InputError
from weightlab.rules.entry import Missing, completed
from weightlab.rules.outcome import Outcome
from weightlab.rules.places import above_and_tied, check_ties

__all__ = ["borda", "dowdall", "k_approval", "plurality", "positional_totals", "scoring", "veto"]


def plurality(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the weight of the tasks on which it comes first."""
    return scoring(profile, vector="plurality", ties=ties, missing=missing)


def veto(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the weight of the tasks on which it does not come last."""
    return scoring(profile, vector="veto", ties=ties, missing=missing)


def borda(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with n - 1 points for a first place, n - 2 for a second, ..., 0 for the last."""
    return scoring(profile, vector="borda", ties=ties, missing=missing)


def dowdall(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with 1 point for a first place, 1/2 for a second, 1/3 for a third, ..."""
    return scoring(profile, vector="dowdall", ties=ties, missing=missing)


def k_approval(profile: Profile, *, k: Number, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the weight of the tasks on which it is among the first k."""
    places = fraction(k)
    if places.denominator != 1 or not 1 <= places <= len(profile.models):
        raise InputError(f"k must be a whole number from 1 to the number of models ({len(profile.models)}); got {k!r}")
    vector = [Fraction(place < places) for place in range(len(profile.models))]
    return scoring(profile, vector=vector, ties=ties, missing=missing)


def scoring(
    profile: Profile, *, vector: str | Sequence[Number], ties: Ties = "average", missing: Missing = "error"
) -> Outcome:
    """Score each model with the points of its places, given best place first and never rising."""
    return Outcome.by_score(positional_totals(profile, vector, ties=ties, missing=missing))


def positional_totals(
    profile: Profile, vector: str | Sequence[Number], *, ties: Ties, missing: Missing
) -> list[Fraction]:
    """Return the exact points of every model, in board order.

    Notes
    -----
    O(models x tasks) after the places are known. With ``missing="last"`` the models that a task does not rank tie for
    its last places and get what ``ties`` says about those.
    """
    ranks = completed(profile, missing)
    points = points_for_places(profile, ranks, scoring_vector(vector, len(profile.models)), ties)
    weights, denominator = common_denominator(profile.weights)
    return [
        Fraction(int(total), points.denominator * denominator) for total in exact_products(points.numerators, weights)
    ]


def points_for_places(profile: Profile, ranks: IntArray, vector: Sequence[Fraction], ties: Ties) -> Points:
    """Return the points of complete ranks: each kind of place, shared by so many models, is worked out once."""
    check_ties(ties)
    pairs = [above_and_tied(row) for row in ranks]
    above, tied = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    count = len(profile.models)
    kinds, kind = np.unique(above * (count + 1) + tied, return_inverse=True)
    worth = [_worth(vector, one // (count + 1), one % (count + 1), ties) for one in kinds.tolist()]
    numerators, denominator = common_denominator(worth)
    fits = max(map(abs, numerators)) < 2**62
    array = np.array(numerators, dtype=np.int64 if fits else object)[kind.reshape(above.shape)].T.copy()
    return Points(models=profile.models, tasks=profile.voters, numerators=array, denominator=denominator)


def _worth(vector: Sequence[Fraction], above: int, tied: int, ties: Ties) -> Fraction:
    shared = vector[above : above + tied]
    if ties == "average":
        return sum(shared, Fraction(0)) / tied
    return shared[0] if ties == "min" else shared[-1]
