"""Forbidden sets of three models, all at once."""

from __future__ import annotations

import numpy as np

from weightlab._typing import AnyArray
from weightlab.data.profile import Profile
from weightlab.domains.claim import has_no_ties
from weightlab.domains.condorcet_domain import cyclic_triples
from weightlab.domains.triples import ALL_SEEN, places_seen, signs_of_triples

__all__ = ["forbidden_triples"]

SEEN = {
    "single_peaked": 0b100100100,
    "single_caved": 0b001001001,
    "group_separable": 0b010010010,
    "value_restricted": ALL_SEEN,
    "condorcet_domain": ALL_SEEN,
}
"""What is forbidden to be seen of three models, in strict orders: each worst, each best, each in the middle, all."""


HEXAGON = (24, 18, 20, 2, 8, 6)
"""The ways of ranking i, j, k strictly (see ``signs_of_triples``), each one swap of neighbours from the next."""


def forbidden_triples(profile: Profile, domain: str) -> list[int]:
    """Return the sets of three models, as bits, that already keep complete rankings from being of a domain.

    None are returned for weak orders and domains that are about some breaking of their ties.
    """
    if not profile.is_complete or len(profile.models) < 3:
        return []
    strict = has_no_ties(profile)
    if domain == "condorcet_domain" and not strict:
        triples = cyclic_triples(profile.ranks)
    elif domain == "single_crossing" and strict:
        triples = _crossing_back(profile)
    elif domain in SEEN and (strict or domain == "value_restricted"):
        found = places_seen(profile.ranks)
        triples = found.models[found.values & SEEN[domain] == SEEN[domain]]
    else:
        return []
    return [sum(1 << model for model in triple) for triple in triples.tolist()]


def _crossing_back(profile: Profile) -> AnyArray:
    """Return the triples that are not single-crossing: the ways they are ranked fit on no half of the hexagon."""
    found = signs_of_triples(profile.ranks)
    halves = [sum(1 << HEXAGON[(first + step) % 6] for step in range(4)) for first in range(6)]
    back = [value for value in np.unique(found.values).tolist() if all(value & ~half for half in halves)]
    return np.asarray(found.models[np.isin(found.values, back)])
