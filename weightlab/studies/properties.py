"""The structures that an audit looks for in one profile, each with its witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from weightlab._record import Given
from weightlab._result import ensure
from weightlab.data import Profile
from weightlab.domains import (
    condorcet_domain,
    distance_restricted,
    group_separable,
    one_euclidean,
    single_caved,
    single_crossing,
    single_peaked,
    single_peaked_on_tree,
    value_restricted,
)
from weightlab.domains.claim import Claim, has_no_ties
from weightlab.exceptions import ProofError

__all__ = ["NOBODY_LEFT_OUT", "PROPERTIES", "STRICT_ONLY", "check_claims", "claims_of"]

PROPERTIES: Mapping[str, Callable[[Profile], Claim]] = {
    "single_peaked": single_peaked,
    "single_caved": single_caved,
    "group_separable": group_separable,
    "distance_restricted": distance_restricted,
    "single_crossing": single_crossing,
    "value_restricted": value_restricted,
    "condorcet_domain": condorcet_domain,
    "one_euclidean": one_euclidean,
    "single_peaked_on_tree": single_peaked_on_tree,
}
"""What is tested; distance restriction to degree 1."""

STRICT_ONLY = {"group_separable", "distance_restricted", "single_crossing", "one_euclidean", "single_peaked_on_tree"}
"""Properties of strict rankings alone: where ties are kept and there are some, they are not asked about."""


NOBODY_LEFT_OUT = Given("left_out", tuple)
"""The claims of an audit are about all metrics that weigh."""


def claims_of(profile: Profile) -> dict[str, Claim]:
    """Return the claim of each property that can be asked about."""
    strict = has_no_ties(profile)
    return {name: test(profile) for name, test in PROPERTIES.items() if strict or name not in STRICT_ONLY}


def check_claims(claims: Mapping[str, Claim], profile: Profile) -> None:
    """Raise ProofError unless each claim is of that property and profile, all that can be asked, and holds up."""
    strict = has_no_ties(profile)
    asked = {name for name in PROPERTIES if strict or name not in STRICT_ONLY}
    ensure(set(claims) == asked, f"the properties are {', '.join(sorted(claims))}, not those that can be asked about")
    for name, claim in claims.items():
        ensure(claim.kind == name, f"the claim on {name!r} is one of {claim.kind!r}")
        check_claim(claim, profile, name)


def check_claim(claim: Claim, profile: Profile, name: str) -> None:
    """Raise ProofError, naming the property, unless the claim is of this very profile and its witness shows it."""
    try:
        claim.profile.ensure_same(profile, in_order=True)
    except ProofError as error:
        raise ProofError(f"the claim on {name!r} is about other rankings: {error}") from None
    ensure(not claim.left_out, f"the claim on {name!r} leaves out {', '.join(claim.left_out)}")
    ensure(getattr(claim, "degree", None) in {None, 1}, f"the claim on {name!r} is about another degree than 1")
    try:
        claim.verify()
    except ProofError as error:
        raise ProofError(f"{name!r}: {error}") from None
