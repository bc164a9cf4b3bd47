"""Every three models at once: which of them are seen best, in the middle and worst, and how voters rank them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from weightlab._typing import AnyArray

__all__ = ["ALL_SEEN", "BEST", "MIDDLE", "WORST", "Triples", "grouped_by_first", "places_seen", "signs_of_triples"]

BEST, MIDDLE, WORST = 0, 1, 2

ALL_SEEN = (1 << 9) - 1
"""All nine places of a triple: bit ``3 * model + place`` for each of its models and best, middle, worst."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Triples:
    """All triples of models i < j < k with one value each.

    Attributes
    ----------
    models : ndarray of int, triples x 3
        Positions of the models.
    values : ndarray of int, triples
        What was asked of them.
    """

    models: AnyArray
    values: AnyArray


def places_seen(ranks: AnyArray) -> Triples:
    """Return for every triple which of its nine places some concerned voter fills, as bits.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, lower is better, ties allowed. A voter is concerned with a triple unless it ties all
        three; a model is best for a voter who puts no other of them above it, worst if none below it, in the middle
        if it is between two others or ties one of them.

    Notes
    -----
    O(models^3 x voters) comparisons.

    References
    ----------
    Sen, "A possibility theorem on majority decisions", Econometrica 34 (1966), for weak orders.
    """
    values = [_places(*block) for block in grouped_by_first(ranks)]
    return Triples(models=_models(ranks.shape[1]), values=_joined(values))


def signs_of_triples(ranks: AnyArray) -> Triples:
    """Return for every triple which ways of ranking it occur, as bits of 27.

    The way of ranking i, j, k has the number ``9 * (s_ij + 1) + 3 * (s_jk + 1) + (s_ki + 1)`` with the signs of the
    three duels around the cycle: s_ij is 1 if i is above j, -1 if below, 0 if tied.
    """
    values = [_ways(*block) for block in grouped_by_first(ranks)]
    return Triples(models=_models(ranks.shape[1]), values=_joined(values))


def grouped_by_first(ranks: AnyArray) -> Iterator[tuple[AnyArray, AnyArray, AnyArray]]:
    """Yield the ranks of i, of j and of k for all triples, grouped by i."""
    for first in range(ranks.shape[1] - 2):
        second, third = np.triu_indices(ranks.shape[1] - first - 1, k=1)
        rest = ranks[:, first + 1 :]
        yield ranks[:, first, None], rest[:, second], rest[:, third]


def _models(count: int) -> AnyArray:
    blocks = [np.empty((0, 3), dtype=np.intp)]
    for first in range(count - 2):
        second, third = np.triu_indices(count - first - 1, k=1)
        blocks.append(np.column_stack([np.full(len(second), first), second + first + 1, third + first + 1]))
    return np.concatenate(blocks)


def _places(first: AnyArray, second: AnyArray, third: AnyArray) -> AnyArray:
    lowest = np.minimum(np.minimum(first, second), third)
    highest = np.maximum(np.maximum(first, second), third)
    # A voter who ties all three says nothing about them (Sen's "concerned" individuals).
    concerned = lowest < highest
    seen = np.zeros(second.shape[1], dtype=np.uint16)
    for model, (own, one, other) in enumerate(((first, second, third), (second, first, third), (third, first, second))):
        between = (np.minimum(one, other) <= own) & (own <= np.maximum(one, other))
        for place, fills in ((BEST, own == lowest), (MIDDLE, between), (WORST, own == highest)):
            seen |= (fills & concerned).any(axis=0).astype(np.uint16) << np.uint16(3 * model + place)
    return seen


def _ways(first: AnyArray, second: AnyArray, third: AnyArray) -> AnyArray:
    # Three signs of three values each make a number below 27, and the set of those that occur the bits of 32.
    signs = (np.sign(second - first), np.sign(third - second), np.sign(first - third))
    number = (9 * (signs[0] + 1) + 3 * (signs[1] + 1) + signs[2] + 1).astype(np.uint8)
    return np.asarray(np.bitwise_or.reduce(np.left_shift(np.uint32(1), number, dtype=np.uint32), axis=0))


def _joined(blocks: list[AnyArray]) -> AnyArray:
    return np.concatenate(blocks) if blocks else np.empty(0, dtype=np.uint16)
