"""Scoring rules: points for places, summed over the tasks with their weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from weightlab._exact import common_denominator, exact_products
from weightlab._typing import AnyArray, IntArray, Number
from weightlab.data import Points, Profile
from weightlab.data.points import Ties, scoring_vector
from weightlab.exceptions import InputError
from weightlab.rules.entry import Missing, completed, number_option
from weightlab.rules.outcome import Outcome
from weightlab.rules.places import above_and_tied, check_ties

__all__ = ["borda", "dowdall", "k_approval", "plurality", "scoring", "veto"]

INT64_SAFE = 2**62


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
    places = number_option("k", k)
    if places.denominator != 1 or not 1 <= places <= len(profile.models):
        raise InputError(f"k must be a whole number from 1 to the number of models ({len(profile.models)}); got {k!r}")
    vector = [Fraction(place < places) for place in range(len(profile.models))]
    return scoring(profile, vector=vector, ties=ties, missing=missing)


def scoring(
    profile: Profile, *, vector: str | Sequence[Number], ties: Ties = "average", missing: Missing = "error"
) -> Outcome:
    """Score each model with the points of its places, given best place first and never rising.

    Notes
    -----
    O(models x tasks) after the places are known. With ``missing="last"`` the models that a task does not rank tie for
    its last places and get what ``ties`` says about those.
    """
    check_ties(ties)
    points = points_for_places(profile, completed(profile, missing), vector, ties)
    weights, denominator = common_denominator(profile.weights)
    totals = exact_products(points.numerators, weights).tolist()
    return Outcome.by_total(totals, points.denominator * denominator)


def points_for_places(profile: Profile, ranks: IntArray, vector: str | Sequence[Number], ties: Ties) -> Points:
    """Return the points of complete ranks."""
    above, tied = above_and_tied(ranks)
    count = len(profile.models)
    points, denominator = _of_places(vector, count)
    parts = math.lcm(*np.flatnonzero(np.bincount(tied.ravel())).tolist()) if ties == "average" else 1
    if parts * sum(map(abs, points)) < INT64_SAFE:
        numerators = _shares(np.array(points), above, tied, ties, parts)
    else:
        # Each kind of place, shared by so many models, is worked out once; of Borda's points, for one, halves are left.
        kinds, kind = np.unique(above * (count + 1) + tied, return_inverse=True)
        worths = _shares(np.array(points, dtype=object), kinds // (count + 1), kinds % (count + 1), ties, parts)
        common = math.gcd(parts * denominator, *worths.tolist())
        fits = max(map(abs, worths.tolist())) // common < INT64_SAFE
        numerators = (worths // common).astype(np.int64 if fits else object)[kind.reshape(above.shape)]
        parts, denominator = 1, parts * denominator // common
    return Points(
        models=profile.models, tasks=profile.voters, numerators=numerators.T.copy(), denominator=parts * denominator
    )


def _shares(points: AnyArray, above: IntArray, tied: IntArray, ties: Ties, parts: int) -> AnyArray:
    """Return ``parts`` times the points that each of so many tied models below so many others gets."""
    if ties != "average":
        return np.asarray(points[above if ties == "min" else above + tied - 1])
    sums = np.concatenate([np.zeros(1, dtype=points.dtype), np.cumsum(points)])
    return np.asarray((sums[above + tied] - sums[above]) * (parts // tied.astype(points.dtype)))


def _of_places(vector: str | Sequence[Number], count: int) -> tuple[list[int], int]:
    """Return the points of the places 1 to ``count`` over a denominator."""
    return _named(vector, count) if isinstance(vector, str) else common_denominator(scoring_vector(vector, count))


@lru_cache(maxsize=64)
def _named(vector: str, count: int) -> tuple[list[int], int]:
    """Return the points of places by name: in two steps the same are needed for every group."""
    return common_denominator(scoring_vector(vector, count))
