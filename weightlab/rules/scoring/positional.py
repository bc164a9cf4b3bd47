"""Scoring rules: points for places, summed over the tasks with their weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import get_args

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import (
    INT64_SAFE,
    AnyArray,
    BoolArray,
    IntArray,
    Number,
    common_denominator,
    exact_products,
)
from weightlab._validate import one_of
from weightlab.data import Profile
from weightlab.data.points import Ties, scoring_vector
from weightlab.exceptions import InputError
from weightlab.rules.inputs import (
    WAYS,
    InapplicableError,
    Missing,
    check_missing,
    complete_ranks,
    number_option,
    unranked,
)
from weightlab.rules.outcome import Outcome

BLOCK_CELLS = 1 << 16
"""Cells per block in which tasks are counted."""


def plurality(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the weight of the tasks on which it comes first."""
    return scoring(profile, vector="plurality", ties=ties, missing=missing)


def veto(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with the weight of the tasks on which it does not come last."""
    return scoring(profile, vector="veto", ties=ties, missing=missing)


def borda(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Score each model with n - 1 points for a first place, n - 2 for a second, ..., 0 for the last.

    With ``missing="skip"`` each rival is met on the tasks that rank both: a model's points are the sum over its rivals
    of the share of these tasks' weight on which it is ahead, times the weight of all tasks; without gaps the same.

    Raises
    ------
    InapplicableError
        If two models are to be compared pair by pair, and no task ranks both.
    """
    if profile.is_complete or missing in {"last", "median"}:
        return scoring(profile, vector="borda", ties=ties, missing="last" if missing == "skip" else missing)
    check_missing(missing, WAYS)
    one_of("ties", ties, get_args(Ties))
    margins = profile.margins()
    shared = margins.wins + margins.wins.T + margins.ties
    np.fill_diagonal(shared, 1)
    apart = np.argwhere(shared == 0).tolist()
    if missing != "skip":
        raise unranked(profile, [way for way in WAYS if way != "skip" or not apart])
    for one, other in apart:
        told = f"{profile.models[one]!r} and {profile.models[other]!r} are compared on the tasks that both have: none"
        raise InapplicableError(Fault(told, Cure("missing", "last")))
    # A tie is half a win, a whole one or none, as tied places are worth.
    worth = {"average": 2 * margins.wins + margins.ties, "min": margins.wins + margins.ties, "max": margins.wins}[ties]
    total = sum(profile.weights, Fraction(0)) / (2 if ties == "average" else 1)
    return Outcome.by_score([total * _of_quotients(*row) for row in zip(worth, shared, strict=True)])


def _of_quotients(numerators: AnyArray, denominators: AnyArray) -> Fraction:
    """Return the sum of quotients of integers, those of one denominator together."""
    each, which = np.unique(denominators, return_inverse=True)
    sums = np.zeros(len(each), dtype=object)
    np.add.at(sums, which, numerators.astype(object))
    return sum(map(Fraction, sums.tolist(), each.tolist()), Fraction(0))


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
    one_of("ties", ties, get_args(Ties))
    weights, denominator = common_denominator(profile.weights)
    totals, parts = _weighted_points(complete_ranks(profile, missing), weights, vector, ties)
    return Outcome.by_total(totals, parts * denominator)


def points_by_task(
    profile: Profile, vector: str | Sequence[Number], *, ties: Ties = "average", missing: Missing = "error"
) -> tuple[AnyArray, int]:
    """Return the points of each model on each task (tasks x models), as integers over a denominator, unweighted."""
    one_of("ties", ties, get_args(Ties))
    points, denominator = _of_places(vector, len(profile.models))
    numerators, parts = _numerators(complete_ranks(profile, missing), points, ties)
    return numerators, parts * denominator


def _weighted_points(
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
    # Each combination of place and number of tied models is worked out once.
    kinds, kind = np.unique(above * (len(points) + 1) + tied, return_inverse=True)
    worths = _shares(np.array(points, dtype=object), kinds // (len(points) + 1), kinds % (len(points) + 1), parts)
    common = math.gcd(parts, *worths.tolist())
    fits = max(map(abs, worths.tolist())) // common < INT64_SAFE
    return (worths // common).astype(np.int64 if fits else object)[kind.reshape(above.shape)], parts // common


def _falls_evenly(points: Sequence[int]) -> bool:
    """Return whether each place is worth less than the one before by the same amount."""
    return len({points[place] - points[place + 1] for place in range(len(points) - 1)}) < 2


def _shares(points: AnyArray, above: IntArray, tied: IntArray, parts: int) -> AnyArray:
    """Return ``parts`` times the mean points of the places shared by tied models, given how many are tied and above."""
    sums = np.concatenate([np.zeros(1, dtype=points.dtype), np.cumsum(points)])
    return np.asarray((sums[above + tied] - sums[above]) * (parts // tied.astype(points.dtype)))


def _of_places(vector: str | Sequence[Number], count: int) -> tuple[list[int], int]:
    """Return the points of the places 1 to ``count`` over a denominator."""
    return _named(vector, count) if isinstance(vector, str) else common_denominator(scoring_vector(vector, count))


@lru_cache(maxsize=64)
def _named(vector: str, count: int) -> tuple[list[int], int]:
    """Return the points of places by name: in two steps the same are needed for every group."""
    return common_denominator(scoring_vector(vector, count))


# Places on the tasks, counted: who is above whom, who shares a place, who is first or last among some.

Tally = tuple[IntArray, int]
"""Scores as integers over a denominator."""


def above_and_tied(ranks: IntArray) -> tuple[IntArray, IntArray]:
    """Return how many models each task ranks above each model, and how many share its place, itself included.

    Ranks (tasks x models) are dense from 1; results for unranked models (0) have no meaning.
    """
    tasks, levels = len(ranks), int(ranks.max(initial=0)) + 1
    # Each task gets a range of numbers of its own, so that a single bincount counts the places of all tasks.
    flat = ranks + levels * np.arange(tasks)[:, None]
    counts = np.bincount(flat.ravel(), minlength=tasks * levels).reshape(tasks, levels)
    counts[:, 0] = 0
    starts = np.cumsum(counts, axis=1) - counts
    return starts.ravel()[flat], counts.ravel()[flat]


class Ballots:
    """Complete weak orders of the models with integer weights.

    Parameters
    ----------
    profile : Profile
        Whose weights these are.
    ranks : ndarray of int, voters x models
        Its dense ranks, gaps filled.
    ties : {"average", "min", "max"}
        What tied models get of the places that they share: equal parts of them, the best of them, or the worst.
    """

    def __init__(self, profile: Profile, ranks: IntArray, ties: Ties) -> None:
        one_of("ties", ties, get_args(Ties))
        self.ranks = ranks
        self.ties = ties
        self.weights, self.denominator = common_denominator(profile.weights)
        self.total = sum(self.weights)

    def firsts(self, alive: IntArray) -> Tally:
        """Return the weight of the voters that place each model first among those that are left."""
        ranks = self.ranks[:, alive]
        at = ranks == ranks.min(axis=1, keepdims=True)
        return self._weighed(at, at.sum(axis=1), only_alone=self.ties == "max")

    def lasts(self, alive: IntArray) -> Tally:
        """Return the weight of the voters that place each model last among those that are left."""
        ranks = self.ranks[:, alive]
        at = ranks == ranks.max(axis=1, keepdims=True)
        return self._weighed(at, at.sum(axis=1), only_alone=self.ties == "min")

    def not_lasts(self, alive: IntArray) -> Tally:
        """Return the weight of the voters that do not place each model last among those that are left."""
        lasts, denominator = self.lasts(alive)
        return self.total * (denominator // self.denominator) - lasts, denominator

    def majority(self, alive: IntArray) -> BoolArray:
        """Return which remaining models are first on more than half of the weight."""
        firsts, denominator = self.firsts(alive)
        return np.asarray(2 * firsts > self.total * (denominator // self.denominator), dtype=np.bool_)

    def tops(self, alive: IntArray, places: int) -> Tally:
        """Return the weight of the voters that rank each model among the given number of first places of all models."""
        above, tied = (counts[:, alive] for counts in self._above_and_tied)
        # A tied model gets a part of each place that it shares: over the least common multiple all parts are integers.
        if self.ties == "average":
            parts = math.lcm(*set(np.unique(tied).tolist()))
            dtype = self._counter(parts)
            shares = np.clip(places - above, 0, tied).astype(dtype) * (parts // tied.astype(dtype))
        else:
            parts, dtype = 1, self._counter(1)
            place = above if self.ties == "min" else above + tied - 1
            shares = (place < places).astype(dtype)
        return shares.T @ np.array(self.weights, dtype=dtype), parts * self.denominator

    def _weighed(self, at: BoolArray, tied: IntArray, *, only_alone: bool) -> Tally:
        """Return the weight of the voters where each model is, in equal parts where several are there."""
        if self.ties != "average":
            whole = at & (tied == 1)[:, None] if only_alone else at
            dtype = self._counter(1)
            return whole.T.astype(dtype) @ np.array(self.weights, dtype=dtype), self.denominator
        parts = math.lcm(*set(tied.tolist()))
        dtype = self._counter(parts)
        shares = [weight * (parts // count) for weight, count in zip(self.weights, tied.tolist(), strict=True)]
        return at.T.astype(dtype) @ np.array(shares, dtype=dtype), parts * self.denominator

    def _counter(self, parts: int) -> np.dtype[np.generic]:
        return np.dtype(np.int64 if 2 * self.total * parts < 2**62 else object)

    @cached_property
    def _above_and_tied(self) -> tuple[IntArray, IntArray]:
        return above_and_tied(self.ranks)


class PairPoints:
    """Borda points among fewer and fewer models, from what each model wins against each.

    The Borda points of a place count the models below it; ties add half a point per pair (average), a whole one (min:
    all tied models get the best of their places) or none (max).

    Notes
    -----
    O(models x tasks) a model once, and O(models) for each model that leaves.
    """

    def __init__(self, profile: Profile, ranks: IntArray, ties: Ties) -> None:
        one_of("ties", ties, get_args(Ties))
        if ranks is not profile.ranks:
            profile = replace(profile, ranks=ranks.astype(np.int32))
        margins = profile.margins()
        total = sum(common_denominator(profile.weights)[0])
        dtype = np.dtype(np.int64 if 4 * total * len(profile.models) < 2**62 else object)
        wins, tied = margins.wins.astype(dtype), margins.ties.astype(dtype)
        self.points = {"average": 2 * wins + tied, "min": wins + tied, "max": wins}[ties]
        self.denominator = margins.denominator * (2 if ties == "average" else 1)
        self._sums = self.points.sum(axis=1)
        self._counted = np.ones(len(profile.models), dtype=np.bool_)

    def among(self, alive: IntArray) -> Tally:
        """Return the Borda points of the models that are left; none that has left comes back."""
        gone = self._counted.copy()
        gone[alive] = False
        self._sums = self._sums - self.points[:, gone].sum(axis=1)
        self._counted &= ~gone
        return self._sums[alive], self.denominator
