"""The domains by name, and the witnesses that a profile is not of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from weightlab.data import Profile
from weightlab.domains.condorcet_domain import MajorityCycle, condorcet_domain
from weightlab.domains.distance_restricted import checked_distance
from weightlab.domains.forbidden import Forbidden
from weightlab.domains.group_separable import group_separable
from weightlab.domains.result import Claim
from weightlab.domains.single_crossing import single_crossing
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets
from weightlab.domains.single_peakedness.single_peaked import single_caved, single_peaked
from weightlab.domains.value_restricted import EveryPlace, value_restricted
from weightlab.exceptions import InputError, UnknownNameError

Obstruction: TypeAlias = Forbidden | ClashingSets | EveryPlace | MajorityCycle
"""Models and voters among whom alone a property already fails, so that one of each kind has to go."""
HEREDITARY: dict[str, Callable[[Profile], Claim]] = {
    "single_peaked": single_peaked,
    "single_caved": single_caved,
    "group_separable": group_separable,
    "single_crossing": single_crossing,
    "value_restricted": value_restricted,
    "condorcet_domain": condorcet_domain,
}
"""Tests whose property stays when models or voters are left out, and whose witness names those that offend."""

UNDECIDED_WITH_TIES = {"single_peaked_on_tree", "one_euclidean"}
"""Domains for strict orders only: without questions about tie-breaking or the nearest profile."""


def hereditary_domain(name: str) -> Callable[[Profile], Claim]:
    """Return the test of a domain by name.

    Raises
    ------
    InputError
        If there is no such domain, or its property can fail for what is left when models are left out.
    """
    if name in {*UNDECIDED_WITH_TIES, "distance_restricted"}:
        raise InputError(f"{name!r} is not asked about here; there are {', '.join(map(repr, HEREDITARY))}")
    if name not in HEREDITARY:
        raise UnknownNameError("domain", name, HEREDITARY, holder="module")
    return HEREDITARY[name]


def checked_degree(domain: str, degree: int | None) -> int | None:
    """Return the degree of distance restriction, 1 by default; other domains have none.

    Raises
    ------
    UnknownNameError, InputError
        If there is no such domain, or it has no degree.
    """
    if domain == "distance_restricted":
        return checked_distance(1 if degree is None else degree)
    if domain not in HEREDITARY:
        raise UnknownNameError("domain", domain, [*HEREDITARY, "distance_restricted"], holder="module")
    if degree is not None:
        raise InputError(f"only distance_restricted has a degree; got {degree} for {domain!r}")
    return None


def domain_words(name: str) -> str:
    """Return a domain's name as it follows "is" in a sentence."""
    words = {"condorcet_domain": "a Condorcet domain", "one_euclidean": "one-Euclidean"}
    words |= {"single_peaked_on_tree": "single-peaked on a tree"}
    return words.get(name) or name.replace("_", "-")


def obstruction_of(claim: Claim) -> Obstruction | None:
    """Return the witness of a no."""
    return cast("Obstruction | None", getattr(claim, "witness", None))
