"""Scoring rules: points for places, summed over the tasks with their weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from weightlab._exact import common_denominator, exact_products, largest_entry
from weightlab._typing import AnyArray, IntArray, Number
from weightlab.data import Profile
from weightlab.data.points import Ties, scoring_vector
from weightlab.exceptions import InputError
from weightlab.rules.entry import Missing, completed, number_option
from weightlab.rules.outcome import Outcome
from weightlab.rules.places import above_and_tied, check_ties

__all__ = [
    "borda",
    "dowdall",
    "first_rows",
    "k_approval",
    "plurality",
    "points_by_task",
    "points_of_tables",
    "scoring",
    "veto",
]

INT64_SAFE = 2**62

BLOCK_CELLS = 1 << 16
"""Tasks are counted in blocks of so many cells."""


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
    weights, denominator = common_denominator(profile.weights)
    totals, parts = _weighed_points(completed(profile, missing), weights, vector, ties)
    return Outcome.by_total(totals, parts * denominator)


def points_by_task(
    profile: Profile, vector: str | Sequence[Number], *, ties: Ties = "average", missing: Missing = "error"
) -> tuple[AnyArray, int]:
    """Return the points of each model on each task (tasks x models), as integers over a denominator, unweighted."""
    check_ties(ties)
    points, denominator = _of_places(vector, len(profile.models))
    numerators, parts = _numerators(completed(profile, missing), points, ties)
    return numerators, parts * denominator


def points_of_tables(
    ranks: IntArray, sizes: Sequence[int], vector: str | Sequence[Number], ties: Ties
) -> tuple[AnyArray, list[int]]:
    """Return the sums of the points of complete ranks over runs of tasks, the first so many, the next so many, ...

    Returns
    -------
    (ndarray of int, list of int)
        Runs x models, and the denominator of each run.
    """
    if len(sizes) == 1:
        totals, parts = _weighed_points(ranks, [1] * len(ranks), vector, ties)
        return np.array([totals], dtype=object), [parts]
    points, denominator = _of_places(vector, ranks.shape[1])
    numerators, parts = _numerators(ranks, points, ties)
    if largest_entry(numerators) * max(sizes) >= INT64_SAFE:
        numerators = numerators.astype(object)
    return np.add.reduceat(numerators, first_rows(sizes), axis=0), [parts * denominator] * len(sizes)


def first_rows(sizes: Sequence[int]) -> list[int]:
    """Return where runs of these sizes start."""
    starts: list[int] = np.cumsum([0, *sizes[:-1]]).tolist()
    return starts


def _weighed_points(
    ranks: IntArray, weights: Sequence[int], vector: str | Sequence[Number], ties: Ties
) -> tuple[list[int], int]:
    """Return the weighted sums of the points of complete ranks (tasks x models), as integers over a denominator.

    Tasks are taken in blocks that stay in the processor's cache: there may be a million, the instances of a benchmark.
    """
    points, denominator = _of_places(vector, ranks.shape[1])
    height = max(1, BLOCK_CELLS // max(1, ranks.shape[1]))
    sums: list[tuple[list[int], int]] = []
    for start in range(0, len(ranks), height):
        numerators, parts = _numerators(ranks[start : start + height], points, ties)
        sums.append((exact_products(numerators.T, weights[start : start + height]).tolist(), parts))
    if len(sums) == 1:
        return sums[0][0], sums[0][1] * denominator
    common = math.lcm(*[parts for _, parts in sums])
    scaled = [[total * (common // parts) for total in totals] for totals, parts in sums]
    return [sum(totals) for totals in zip(*scaled, strict=True)] or [0] * ranks.shape[1], common * denominator


def _numerators(ranks: IntArray, points: Sequence[int], ties: Ties) -> tuple[AnyArray, int]:
    """Return the points of complete ranks (tasks x models) as integers over a denominator, which is returned too."""
    above, tied = above_and_tied(ranks)
    largest = max(map(abs, points))
    if ties != "average":
        values = np.array(points, dtype=np.int64 if largest < INT64_SAFE else object)
        return values[above if ties == "min" else above + tied - 1], 1
    if 2 * largest < INT64_SAFE and _falls_evenly(points):
        # Places whose points fall by equal steps are worth on average half of what the first and the last are.
        values = np.array(points)
        return values[above] + values[above + tied - 1], 2
    parts = math.lcm(*np.flatnonzero(np.bincount(tied.ravel())).tolist())
    if parts * sum(map(abs, points)) < INT64_SAFE:
        return _shares(np.array(points), above, tied, parts), parts
    # Each kind of place, shared by so many models, is worked out once.
    kinds, kind = np.unique(above * (len(points) + 1) + tied, return_inverse=True)
    worths = _shares(np.array(points, dtype=object), kinds // (len(points) + 1), kinds % (len(points) + 1), parts)
    common = math.gcd(parts, *worths.tolist())
    fits = max(map(abs, worths.tolist())) // common < INT64_SAFE
    return (worths // common).astype(np.int64 if fits else object)[kind.reshape(above.shape)], parts // common


def _falls_evenly(points: Sequence[int]) -> bool:
    """Tell whether each place is worth less than the one before by the same amount."""
    return len({points[place] - points[place + 1] for place in range(len(points) - 1)}) < 2


def _shares(points: AnyArray, above: IntArray, tied: IntArray, parts: int) -> AnyArray:
    """Return ``parts`` times the mean points of the places that so many tied models below so many others share."""
    sums = np.concatenate([np.zeros(1, dtype=points.dtype), np.cumsum(points)])
    return np.asarray((sums[above + tied] - sums[above]) * (parts // tied.astype(points.dtype)))


def _of_places(vector: str | Sequence[Number], count: int) -> tuple[list[int], int]:
    """Return the points of the places 1 to ``count`` over a denominator."""
    return _named(vector, count) if isinstance(vector, str) else common_denominator(scoring_vector(vector, count))


@lru_cache(maxsize=64)
def _named(vector: str, count: int) -> tuple[list[int], int]:
    """Return the points of places by name: in two steps the same are needed for every group."""
    return common_denominator(scoring_vector(vector, count))
