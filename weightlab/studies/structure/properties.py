"""The structures that an audit looks for in one profile, each with its witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from weightlab import domains
from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen, ensure, told_of
from weightlab.data import Profile
from weightlab.domains.distance_restricted import swap_distances
from weightlab.domains.group_separable import cuts_of
from weightlab.domains.result import Claim

PROPERTIES: Mapping[str, Callable[[Profile], Claim]] = {
    "single_peaked": domains.single_peaked,
    "single_caved": domains.single_caved,
    "group_separable": domains.group_separable,
    "distance_restricted": domains.distance_restricted,
    "single_crossing": domains.single_crossing,
    "value_restricted": domains.value_restricted,
    "condorcet_domain": domains.condorcet_domain,
    "one_euclidean": domains.one_euclidean,
    "single_peaked_on_tree": domains.single_peaked_on_tree,
}
"""What is tested; distance restriction to degree 1."""
STRICT_ONLY = {"group_separable", "distance_restricted", "single_crossing", "one_euclidean", "single_peaked_on_tree"}
"""Properties of strict rankings alone: where ties are kept and there are some, they are not asked about."""


def claims_of(profile: Profile) -> dict[str, Claim]:
    """Return the claim of each property that can be asked about."""
    strict = profile.is_strict
    return {name: test(profile) for name, test in PROPERTIES.items() if strict or name not in STRICT_ONLY}


def check_claims(claims: Mapping[str, Claim], profile: Profile) -> None:
    """Raise ProofError unless each claim is of that property and profile, all that can be asked, and holds up."""
    strict = profile.is_strict
    asked = {name for name in PROPERTIES if strict or name not in STRICT_ONLY}
    ensure(set(claims) == asked, f"the properties are {', '.join(sorted(claims))}, not those that can be asked about")
    for name, claim in claims.items():
        ensure(claim.kind == name, f"the claim on {name!r} is one of {claim.kind!r}")
        check_claim(claim, profile, name)


def check_claim(claim: Claim, profile: Profile, name: str) -> None:
    """Raise ProofError, naming the property, unless the claim is of this very profile and its witness shows it."""
    with told_of(f"the claim on {name!r} is about other rankings"):
        claim.profile.ensure_same(profile, in_order=True)
    ensure(not claim.left_out, f"the claim on {name!r} leaves out {', '.join(claim.left_out)}")
    ensure(getattr(claim, "degree", None) in {None, 1}, f"the claim on {name!r} is about another degree than 1")
    with told_of(repr(name)):
        claim.verify()


# Whether a property holds, without a witness: what a sweep asks many thousand times.

ALL_THREE = 0b111


class Compared(Frozen):
    """What is read of some voters' complete rankings at a glance; of any of the voters by leaving out the others.

    Attributes
    ----------
    strict : ndarray of bool
        Which voters tie no models; of the others the rest means nothing.
    distances : ndarray of int, voters x voters
        Pairs of models that two voters rank in opposite ways.
    places : ndarray of uint8, 3 x voters x triples
        Which of three models a voter puts last, first and between, as one of three bits.
    """

    strict: BoolArray
    distances: AnyArray
    places: AnyArray

    @classmethod
    def of(cls, ranks: AnyArray) -> Compared:
        """Return the properties of complete ranks (voters x models)."""
        strict = ranks.max(axis=1, initial=0) == ranks.shape[1]
        three = ranks[:, triples_of(ranks.shape[1] if strict.any() else 0)]
        worst, best = three.argmax(axis=2), three.argmin(axis=2)
        bit = np.array([0b001, 0b010, 0b100, 0], dtype=np.uint8)  # none is between three that tie
        places = np.stack([bit[one] for one in (worst, best, 3 - worst - best)])
        return cls(strict=strict, distances=swap_distances(ranks), places=places)


def holds(
    compared: Compared, voters: Sequence[int], properties: Sequence[str], profile: Callable[[], Profile]
) -> dict[str, bool | None]:
    """Return which properties hold of some voters; None for one of strict rankings alone where there are ties.

    Notes
    -----
    Strict rankings are first looked at three models at a time, all at once: where each of three models is put last by
    some voter they are not single-peaked, and so on. Only what that does not refute is put to the full test, on the
    profile of these voters.
    """
    if not compared.strict[voters].all():
        return {name: None if name in STRICT_ONLY else PROPERTIES[name](profile()).holds for name in properties}
    refuted = _refuted(compared.places[:, voters])
    found: dict[str, bool | None] = {}
    for name in properties:
        if name == "distance_restricted":
            found[name] = bool(compared.distances[np.ix_(voters, voters)].max(initial=0) <= 1)
        elif name in {"value_restricted", "condorcet_domain"}:
            # Of strict rankings three models tell the whole.
            found[name] = not refuted["value_restricted"]
        elif name == "group_separable":
            found[name] = not refuted[name] and cuts_of(profile().ranks).inseparable is None
        else:
            found[name] = not refuted.get(name, False) and PROPERTIES[name](profile()).holds
    return found


def _refuted(places: AnyArray) -> dict[str, bool]:
    """Return which properties fail for some three models already, each of which some voter puts at the same place."""
    each_worst, each_best, each_middle = np.bitwise_or.reduce(places, axis=1) == ALL_THREE
    return {
        "single_peaked": bool(each_worst.any()),
        "one_euclidean": bool(each_worst.any()),
        "single_caved": bool(each_best.any()),
        "group_separable": bool(each_middle.any()),
        "value_restricted": bool((each_worst & each_best & each_middle).any()),
    }


@lru_cache(maxsize=64)
def triples_of(count: int) -> AnyArray:
    """Return all three different positions, in order (triples x 3). A shared array: not to be changed."""
    i, j, k = np.meshgrid(*[np.arange(count)] * 3, indexing="ij")
    return np.argwhere((i < j) & (j < k))
