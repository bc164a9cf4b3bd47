"""Three models, or three voters, that already keep strict rankings from a domain: all are found at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import cast

import numpy as np

from weightlab._exact import AnyArray
from weightlab.data import Profile
from weightlab.domains.condorcet_domain import cyclic_triples
from weightlab.domains.forbidden.subprofiles import Found, Pattern, forbidden_at
from weightlab.domains.registry import Obstruction, hereditary_domain, obstruction_of
from weightlab.domains.result import Claim, has_no_ties
from weightlab.domains.value_restricted import ALL_SEEN, places_seen, signs_of_triples, threes

PLACES = {
    "single_caved": Pattern.THREE_BEST,
    "group_separable": Pattern.THREE_MIDDLE,
    "single_peaked": Pattern.THREE_WORST,
}
"""Each of three voters puts another of three models first, between the others, last."""
CYCLIC = {"value_restricted", "condorcet_domain"}
"""Three voters rank three models in a cycle."""
HEXAGON = (24, 18, 20, 2, 8, 6)
"""The ways of ranking i, j, k strictly (see ``signs_of_triples``), each one swap of neighbours from the next."""
MOST_VOTERS = 100
"""Threes of more voters are too many to be looked at beforehand."""


def forbidden_threes(profile: Profile, domain: str, drop: str) -> dict[int, Callable[[], Obstruction]]:
    """Return threes of models or of voters, as bits, that rankings of the domain do not have, and what shows each.

    None are returned for rankings with ties or gaps and domains that are about some breaking of their ties.

    Notes
    -----
    O(models^3 x voters) steps for models; for voters O(voters^3) steps of bit sets of all threes of models.
    """
    if not profile.is_complete or (drop == "voters" and len(profile.voters) > MOST_VOTERS):
        return {}
    strict = has_no_ties(profile)
    if strict and domain in {*PLACES, *CYCLIC}:
        find = _models if drop == "models" else _voters
        every = threes(len(profile.models))
        found = find(_parts_played(profile.ranks[:, every], domain), every, PLACES.get(domain, Pattern.CYCLE))
    elif strict and drop == "voters":
        found = _each_alone(profile.ranks)
    else:
        some = _triples(profile.ranks, domain, strict=strict) if drop == "models" else []
        return {as_bits(three): partial(shown_by, hereditary_domain(domain), profile, three) for three in some}
    return {
        as_bits(voters if drop == "voters" else roles): partial(
            forbidden_at, profile, pattern, voters=voters, roles=roles
        )
        for pattern, voters, roles in found
    }


def shown_by(test: Callable[[Profile], Claim], profile: Profile, models: Sequence[int]) -> Obstruction:
    """Return the forbidden sub-profile that a test finds in some models, by position."""
    found = obstruction_of(test(profile.select(models=[profile.models[one] for one in models])))
    if found is None:
        raise AssertionError("models that may not stay together hold a forbidden sub-profile")
    return found


def as_bits(some: Iterable[int]) -> int:
    """Return some numbers, each once, as bits."""
    return sum(1 << one for one in {*some})


def _triples(ranks: AnyArray, domain: str, *, strict: bool) -> list[list[int]]:
    """Return the threes of models that rankings may not have for a domain that asks nothing of breakings of ties."""
    if domain == "condorcet_domain":
        return cast("list[list[int]]", cyclic_triples(ranks).tolist())
    if domain == "value_restricted":
        places = places_seen(ranks)
        return cast("list[list[int]]", places.models[places.values == ALL_SEEN].tolist())
    if domain != "single_crossing" or not strict:
        return []
    ways = signs_of_triples(ranks)
    # Not single-crossing are ways of ranking three models that fit on no half of the hexagon.
    halves = [sum(1 << HEXAGON[(first + step) % 6] for step in range(4)) for first in range(6)]
    back = [value for value in np.unique(ways.values).tolist() if all(value & ~half for half in halves)]
    return cast("list[list[int]]", ways.models[np.isin(ways.values, back)].tolist())


def _parts_played(ranks: AnyArray, domain: str) -> AnyArray:
    """Return which part each ranking of three models plays in what is forbidden: all of 0, 1, 2 or of 3, 4, 5 are."""
    order = ranks.argsort(axis=-1)
    if domain in PLACES:
        return np.asarray(order[..., list(PLACES).index(domain)])
    # Which is best, and whether the next of them round the cycle is second or the one before.
    return np.asarray(order[..., 0] + 3 * ((order[..., 1] - order[..., 0]) % 3 - 1))


TURNS = ([0, 1, 2], [3, 5, 4])
"""The parts in the order of the roles of a pattern, for both ways round the cycle."""


def _models(parts: AnyArray, every: AnyArray, pattern: Pattern) -> Iterator[Found]:
    for turn in TURNS:
        played = [parts == part for part in turn]
        found = np.logical_and.reduce([one.any(axis=0) for one in played])
        voters = np.column_stack([one[:, found].argmax(axis=0) for one in played])
        roles = every[found][:, [part % 3 for part in turn]]
        yield from ((pattern, who, models) for who, models in zip(voters.tolist(), roles.tolist(), strict=True))


def _voters(parts: AnyArray, every: AnyArray, pattern: Pattern) -> Iterator[Found]:
    for turn in TURNS:
        # Threes of models as bits: where each voter plays a part.
        first, second, third = (_bits(parts == part) for part in turn)
        for one, at_first in enumerate(first):
            for other, at_second in enumerate(second):
                both = at_first & at_second
                for last, at_third in enumerate(third if both else ()):
                    if where := both & at_third:
                        models = every[_lowest(where)][[part % 3 for part in turn]]
                        yield pattern, [one, other, last], models.tolist()


def _each_alone(ranks: AnyArray) -> Iterator[Found]:
    """Yield three voters each of whom is alone on a pair of models: none of them fits between the others."""
    one, other = np.triu_indices(ranks.shape[1], k=1)
    leads = _bits(ranks[:, one] < ranks[:, other])
    for i, j, k in threes(len(leads)).tolist():
        differ = leads[i] ^ leads[j], leads[j] ^ leads[k], leads[k] ^ leads[i]
        alone = differ[0] & differ[2], differ[0] & differ[1], differ[1] & differ[2]
        if all(alone):
            pairs = [_lowest(where) for where in alone]
            yield Pattern.EACH_ALONE, [i, j, k], [int(end[pair]) for pair in pairs for end in (one, other)]


def _bits(rows: AnyArray) -> list[int]:
    """Return rows of truth values as bits."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
