"""Places on the tasks, counted: who is above whom, who shares a place, who is first or last among some."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np

from weightlab._exact import common_denominator
from weightlab._typing import BoolArray, IntArray
from weightlab.data import Profile
from weightlab.data.points import Ties
from weightlab.exceptions import InputError

__all__ = ["Ballots", "PairPoints", "Tally", "above_and_tied", "check_ties"]

Tally = tuple[IntArray, int]
"""Scores as integers over a denominator."""


def check_ties(ties: Ties) -> None:
    """Raise InputError unless this is a way to treat tied places."""
    if ties not in {"average", "min", "max"}:
        raise InputError(f"ties must be 'average', 'min' or 'max'; got {ties!r}")


def above_and_tied(ranks: IntArray) -> tuple[IntArray, IntArray]:
    """Return how many models each task ranks above each model, and how many share its place, itself included.

    Ranks (tasks x models) are dense from 1; what is said about unranked models (0) means nothing.
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
        check_ties(ties)
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
        """Tell which of the models that are left are first on more than half of the weight."""
        firsts, denominator = self.firsts(alive)
        return np.asarray(2 * firsts > self.total * (denominator // self.denominator), dtype=np.bool_)

    def tops(self, alive: IntArray, places: int) -> Tally:
        """Return the weight of the voters that rank each model among the first so many of all models."""
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

    The Borda points of a place count the models below it; ties add half a point a pair (average), a whole one (min: all
    tied models get the best of their places) or none (max).

    Notes
    -----
    O(models x tasks) a model once, and O(models) for each model that leaves.
    """

    def __init__(self, profile: Profile, ranks: IntArray, ties: Ties) -> None:
        check_ties(ties)
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
        """Return the Borda points of the models that are left; nobody who has left comes back."""
        gone = self._counted.copy()
        gone[alive] = False
        self._sums = self._sums - self.points[:, gone].sum(axis=1)
        self._counted &= ~gone
        return self._sums[alive], self.denominator
