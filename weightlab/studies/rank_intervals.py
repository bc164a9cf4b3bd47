"""What many rankings of the same models say of one: intervals of ranks, and which neighbours they keep in order."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import fraction
from weightlab._record import Travels, read_list
from weightlab._result import ensure
from weightlab._typing import BoolArray, IntArray, Order
from weightlab.exceptions import InputError

__all__ = [
    "allowed_draws",
    "best_and_worst",
    "ensure_places",
    "neighbours",
    "places_form",
    "rank_table",
    "read_winners",
    "winners_to_json",
]


def places_form(dimensions: int) -> Travels:
    """Return how places from 0 (-1 without an answer) travel, as nested lists of so many dimensions."""
    return Travels(lambda levels: levels.tolist(), partial(read_places, dimensions=dimensions))


def read_places(value: Any, what: str, *, dimensions: int) -> IntArray:
    """Return an array of integers read from nested lists of equal lengths, or raise InputError."""
    try:
        found = np.array(read_list(value, what))
    except ValueError:
        raise InputError(f"{what}: the lists are not of equal lengths") from None
    if found.ndim != dimensions or found.dtype.kind != "i":
        raise InputError(f"{what}: places are whole numbers in lists of {dimensions} dimensions")
    return found


def winners_to_json(first: BoolArray) -> list[Any]:
    """Return who wins in nested lists: at the last dimension the positions of the winners."""
    return np.flatnonzero(first).tolist() if first.ndim == 1 else [winners_to_json(one) for one in first]


def read_winners(value: Any, what: str, levels: IntArray) -> BoolArray:
    """Return who wins in each ranking of an array of places, or raise InputError."""
    first = np.zeros(levels.shape, dtype=np.bool_)
    _mark(first, value, what)
    return first


def _mark(first: BoolArray, value: Any, what: str) -> None:
    listed = read_list(value, what)
    if first.ndim == 1:
        if any(type(one) is not int or not 0 <= one < len(first) for one in listed):
            raise InputError(f"{what}: winners are positions of models")
        first[listed] = True
        return
    if len(listed) != len(first):
        raise InputError(f"{what}: as many lists of winners are needed as there are places; got {len(listed)}")
    for part, one in zip(first, listed, strict=True):
        _mark(part, one, what)


def rank_table(order: Order, models: tuple[str, ...], levels: IntArray, first: BoolArray, level: float) -> pd.DataFrame:
    """Return one row a model, best first: rank, percentile interval of the ranks in the draws, shares of wins.

    Parameters
    ----------
    order : tuple of tuples of str
        The ranking that is asked about.
    models : tuple of str
        Columns of the arrays.
    levels : ndarray of int, draws x models
        Places from 0 in each draw.
    first : ndarray of bool, draws x models
        Who wins in each.
    level : float
        Of the intervals.
    """
    best, worst = best_and_worst(levels)
    skipped = allowed_draws(len(levels), level)
    ranks = np.cumsum([1, *map(len, order)])[:-1].tolist()
    own = {model: rank for rank, group in zip(ranks, order, strict=True) for model in group}
    table = pd.DataFrame(
        {
            "rank": [own[model] for model in models],
            "low": np.sort(best, axis=0)[skipped],
            "high": np.sort(worst, axis=0)[len(worst) - 1 - skipped],
            "wins": (first / first.sum(axis=1, keepdims=True)).mean(axis=0),
            "among_first": first.mean(axis=0),
        },
        index=list(models),
    )
    return table.loc[list(own)]


def neighbours(order: Order, models: tuple[str, ...], levels: IntArray, level: float) -> pd.DataFrame:
    """Return one row a pair of neighbours of an order: how often the draws keep it, and whether it is separable."""
    skipped = allowed_draws(len(levels), level)
    position = {model: column for column, model in enumerate(models)}
    tier = {model: place for place, group in enumerate(order) for model in group}
    rows = []
    listed = list(tier)
    for place, lower in enumerate(listed[1:]):
        upper = listed[place]
        signs = np.sign(levels[:, position[lower]] - levels[:, position[upper]])
        shares = [float((signs == one).mean()) for one in (1, 0, -1)]
        separable = tier[upper] < tier[lower] and int((signs != 1).sum()) <= skipped
        rows.append((upper, lower, *shares, separable))
    return pd.DataFrame(rows, columns=["model", "next", "above", "level", "below", "separable"])


def best_and_worst(levels: IntArray) -> tuple[IntArray, IntArray]:
    """Return the best and the worst rank that each model may claim in each draw, from 1."""
    count = levels.shape[1]
    flat = levels + 1 + (count + 1) * np.arange(len(levels))[:, None]
    sizes = np.bincount(flat.ravel(), minlength=len(levels) * (count + 1)).reshape(len(levels), count + 1)
    worst = np.cumsum(sizes, axis=1)
    return (worst - sizes).ravel()[flat] + 1, worst.ravel()[flat]


def allowed_draws(draws: int, level: float) -> int:
    """Return how many draws may lie beyond either end of an interval."""
    return int((1 - fraction(level)) / 2 * draws)


def ensure_places(number: int, levels: IntArray, first: BoolArray) -> None:
    """Raise ProofError unless these are the places of a ranking and its winners, or none at all."""
    if (levels == -1).all():
        ensure(not first.any(), f"draw {number} has no answer and a winner")
        return
    found = np.unique(levels)
    ensure(np.array_equal(found, np.arange(len(found))), f"the places of draw {number} are not 0, 1, ... without a gap")
    ensure(first.any() and first[levels == 0].any(), f"the winners of draw {number} are not first in it")
