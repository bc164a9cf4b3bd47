"""Whether a property holds, without a witness: what a sweep asks many thousand times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from weightlab._typing import AnyArray, BoolArray
from weightlab.data import Profile
from weightlab.domains.claim import has_no_ties
from weightlab.domains.distance import swap_distances
from weightlab.domains.separation import cuts_of
from weightlab.studies.properties import PROPERTIES, STRICT_ONLY

__all__ = ["holds", "triples_of"]

ALL_THREE = 0b111


def holds(profile: Profile, properties: Sequence[str]) -> dict[str, bool | None]:
    """Return which properties hold; None for one of strict rankings alone where there are ties.

    Notes
    -----
    Strict rankings are first looked at three models at a time, all at once: where each of three models is put last by
    some voter they are not single-peaked, and so on. Only what that does not refute is put to the full test.
    """
    if not has_no_ties(profile):
        return {name: None if name in STRICT_ONLY else PROPERTIES[name](profile).holds for name in properties}
    refuted = _refuted(profile.ranks)
    found: dict[str, bool | None] = {}
    for name in properties:
        if name == "distance_restricted":
            found[name] = bool(swap_distances(profile.ranks).max(initial=0) <= 1)
        elif name in {"value_restricted", "condorcet_domain"}:
            # Of strict rankings three models tell the whole.
            found[name] = not refuted["value_restricted"]
        elif name == "group_separable":
            found[name] = not refuted[name] and cuts_of(profile.ranks).inseparable is None
        else:
            found[name] = not refuted.get(name, False) and PROPERTIES[name](profile).holds
    return found


def _refuted(ranks: AnyArray) -> dict[str, bool]:
    """Return which properties fail for some three models already."""
    three = ranks[:, triples_of(ranks.shape[1])]
    worst, best = three.argmax(axis=2), three.argmin(axis=2)
    each_worst, each_best, each_middle = (_each_seen(one) for one in (worst, best, 3 - worst - best))
    return {
        "single_peaked": bool(each_worst.any()),
        "one_euclidean": bool(each_worst.any()),
        "single_caved": bool(each_best.any()),
        "group_separable": bool(each_middle.any()),
        "value_restricted": bool((each_worst & each_best & each_middle).any()),
    }


def _each_seen(places: AnyArray) -> BoolArray:
    """Return for each triple whether each of its three models is the one for some voter."""
    return np.asarray(np.bitwise_or.reduce(np.left_shift(1, places), axis=0) == ALL_THREE)


@lru_cache(maxsize=64)
def triples_of(count: int) -> AnyArray:
    """Return all three different positions, in order (triples x 3). A shared array: not to be changed."""
    i, j, k = np.meshgrid(*[np.arange(count)] * 3, indexing="ij")
    return np.argwhere((i < j) & (j < k))
