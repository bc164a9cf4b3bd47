"""Three models, or two or three voters, that already keep strict rankings from a domain: all are found at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import cast

import numpy as np

from weightlab._exact import AnyArray, BoolArray, bits_of
from weightlab.data import Profile
from weightlab.domains.condorcet_domain import cyclic_triples
from weightlab.domains.forbidden import FORBIDDEN, SHAPES, Found, Pattern, forbidden_at, plays, realisable
from weightlab.domains.registry import Obstruction, hereditary_domain, obstruction_of
from weightlab.domains.result import Claim
from weightlab.domains.value_restricted import ALL_SEEN, every_triple, places_seen, threes, ways_of

HEXAGON = (24, 18, 20, 2, 8, 6)
"""The ways of ranking i, j, k strictly (see ``ways_of``), each one swap of neighbours from the next."""
MOST_VOTERS = 100
"""Threes of more voters are too many to be looked at beforehand."""


def has_pairs(domain: str) -> bool:
    """Return whether two voters can keep rankings from a domain."""
    return any(len(SHAPES[pattern].asks) == 2 for pattern in FORBIDDEN[domain])


def forbidden_few(profile: Profile, domain: str, drop: str) -> dict[int, Callable[[], Obstruction]]:
    """Return threes of models, or pairs and threes of voters, as bits, that rankings of the domain do not have.

    Each with its witness. None are returned for rankings with ties or gaps in domains that allow ties to be broken.

    Notes
    -----
    O(models^3 x voters) steps for models; for voters O(voters^3) steps of bit sets of all threes of models.
    """
    ranks, strict = profile.ranks, profile.is_strict
    if not profile.is_complete:
        return {}
    if not strict or (drop == "models" and domain == "single_crossing"):
        some = _triples(ranks, domain, strict=strict) if drop == "models" else []
        return {as_bits(three): partial(shown_by, hereditary_domain(domain), profile, three) for three in some}
    found: list[Found] = []
    if drop == "voters" and has_pairs(domain):
        found = _pairs(ranks, domain)
    if drop == "models" or len(ranks) <= MOST_VOTERS:
        found += _threes(ranks, domain, drop)
    return {
        as_bits(voters if drop == "voters" else roles): partial(
            forbidden_at, profile, pattern, voters=voters, roles=roles
        )
        for pattern, voters, roles in found
    }


def _pairs(ranks: AnyArray, domain: str) -> list[Found]:
    pairs = np.argwhere(np.tri(len(ranks), k=-1)).tolist()
    found = ((pair, realisable(ranks[pair], domain)) for pair in pairs)
    return [(one[0], [pair[voter] for voter in one[1]], one[2]) for pair, one in found if one is not None]


def _threes(ranks: AnyArray, domain: str, drop: str) -> Iterator[Found]:
    if domain == "single_crossing":
        return _each_alone(ranks)
    every = threes(ranks.shape[1])
    return (_models if drop == "models" else _voters)(ranks[:, every], every, FORBIDDEN[domain][0])


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
    """Return the forbidden triples of models for a domain that does not involve tie-breaking."""
    if domain == "condorcet_domain":
        return cast("list[list[int]]", cyclic_triples(ranks).tolist())
    if domain == "value_restricted":
        models, seen = every_triple(ranks, places_seen)
        return cast("list[list[int]]", models[seen == ALL_SEEN].tolist())
    if domain != "single_crossing" or not strict:
        return []
    models, ways = every_triple(ranks, ways_of)
    # Not single-crossing are ways of ranking three models that fit on no half of the hexagon.
    halves = [sum(1 << HEXAGON[(first + step) % 6] for step in range(4)) for first in range(6)]
    back = [value for value in np.unique(ways).tolist() if all(value & ~half for half in halves)]
    return cast("list[list[int]]", models[np.isin(ways, back)].tolist())


def _played(ranks: AnyArray, pattern: Pattern) -> Iterator[tuple[list[int], list[BoolArray]]]:
    """Yield for both ways round three models, their places and where each voter plays each of the three roles."""
    for turn in ([0, 1, 2], [0, 2, 1]) if pattern is Pattern.CYCLE else ([0, 1, 2],):
        roles = [ranks[..., place] for place in turn]
        yield turn, [plays(roles, ways, strict=True) for ways in SHAPES[pattern].ways]


def _models(ranks: AnyArray, every: AnyArray, pattern: Pattern) -> Iterator[Found]:
    for turn, played in _played(ranks, pattern):
        found = np.logical_and.reduce([one.any(axis=0) for one in played])
        voters = np.column_stack([one[:, found].argmax(axis=0) for one in played])
        roles = every[found][:, turn]
        yield from ((pattern, who, models) for who, models in zip(voters.tolist(), roles.tolist(), strict=True))


def _voters(ranks: AnyArray, every: AnyArray, pattern: Pattern) -> Iterator[Found]:
    for turn, played in _played(ranks, pattern):
        # Threes of models as bits: where each voter plays a role.
        first, second, third = map(bits_of, played)
        for one, at_first in enumerate(first):
            for other, at_second in enumerate(second):
                both = at_first & at_second
                for last, at_third in enumerate(third if both else ()):
                    if where := both & at_third:
                        yield pattern, [one, other, last], every[_lowest(where)][turn].tolist()


def _each_alone(ranks: AnyArray) -> Iterator[Found]:
    """Yield three voters each of whom is alone on a pair of models: none of them fits between the others."""
    one, other = np.nonzero(~np.eye(ranks.shape[1], dtype=np.bool_))
    leads = bits_of(ranks[:, one] < ranks[:, other])
    for trio in threes(len(leads)).tolist():
        i, j, k = (leads[voter] for voter in trio)
        alone = i & ~j & ~k, j & ~k & ~i, k & ~i & ~j
        if all(alone):
            pairs = [_lowest(where) for where in alone]
            yield Pattern.EACH_ALONE, trio, [int(end[pair]) for pair in pairs for end in (one, other)]


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
