"""The structures that an audit looks for in one profile, each with its witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from weightlab._result import ensure, result_from_dict
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
from weightlab.domains.claim import Claim, has_no_ties, names
from weightlab.exceptions import InputError, ProofError

__all__ = ["PROPERTIES", "STRICT_ONLY", "check_claims", "claim_from_dict", "claims_of", "claims_to_dict"]

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
    ensure(claim.profile.to_dict() == profile.to_dict(), f"the claim on {name!r} is about other rankings")
    ensure(not claim.left_out, f"the claim on {name!r} leaves out {', '.join(claim.left_out)}")
    ensure(getattr(claim, "degree", None) in {None, 1}, f"the claim on {name!r} is about another degree than 1")
    try:
        claim.verify()
    except ProofError as error:
        raise ProofError(f"{name!r}: {error}") from None


def claims_to_dict(claims: Mapping[str, Claim]) -> dict[str, Any]:
    """Return claims ready for JSON, without the profile that they share."""
    return {name: claim_to_dict(claim) for name, claim in claims.items()}


def claim_to_dict(claim: Claim) -> dict[str, Any]:
    """Return a claim ready for JSON, without its profile."""
    return {part: value for part, value in claim.to_dict().items() if part not in {"profile", "left_out"}}


def claim_from_dict(document: Mapping[str, Any], profile: Profile) -> Claim:
    """Return the claim that ``claim_to_dict`` wrote, about this profile.

    Raises
    ------
    InputError
        If it is of another form, or no claim about a domain.
    """
    if not isinstance(document, Mapping):
        raise InputError("a claim about a domain is an object")
    found = result_from_dict({**document, "profile": profile.to_dict(), "left_out": []})
    if not isinstance(found, Claim):
        raise InputError(f"{document.get('kind')!r} is no claim about a domain")
    return found


def claims_from_dict(document: Any, profile: Profile) -> dict[str, Claim]:
    """Return the claims that ``claims_to_dict`` wrote."""
    if not isinstance(document, Mapping):
        raise InputError("claims are an object, property by property")
    names(list(document))
    return {str(name): claim_from_dict(one, profile) for name, one in document.items()}
