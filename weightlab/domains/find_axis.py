"""Where to look for an axis: by peeling strict orders, by consecutive ones with ties, by a program with gaps."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from weightlab.data.profile import Profile
from weightlab.domains.claim import has_no_ties
from weightlab.domains.consecutive import ClashingSets, clashing_sets, tree_of_axes
from weightlab.domains.forbidden import Forbidden, Pattern, forbidden_at
from weightlab.domains.incomplete import ClashingSides, NoneFound, axis_with_gaps
from weightlab.domains.opposed import find_opposed
from weightlab.domains.peeling import Axis, peeled_axis
from weightlab.exceptions import InputError

__all__ = ["Witness", "axis_of", "turned"]

Witness: TypeAlias = Forbidden | ClashingSets | ClashingSides
"""Why there is no axis."""

FoundAxis: TypeAlias = tuple[tuple[str, ...] | None, Witness | None, str]


def axis_of(profile: Profile, *, time_limit: float | None = None) -> FoundAxis:
    """Return an axis by name, what forbids one, and the solver who says that there is none (or an empty text)."""
    if not profile.models:
        raise InputError("a profile without models has no axis")
    if not profile.is_complete:
        return _with_gaps(profile, time_limit)
    if not has_no_ties(profile):
        tree = tree_of_axes(profile)
        return (None, clashing_sets(profile), "") if tree is None else (_named(profile, tree.first), None, "")
    found = peeled_axis(profile.ranks)
    if isinstance(found, Axis):
        return _named(profile, found.models), None, ""
    opposed = find_opposed(profile.ranks[np.ix_(found.voters, found.models)])
    if opposed is None:
        raise AssertionError("where no axis can go on there is a forbidden sub-profile")
    pattern, voters, roles = opposed
    witness = forbidden_at(
        profile,
        pattern,
        voters=[found.voters[voter] for voter in voters],
        roles=[found.models[model] for model in roles],
    )
    return None, witness, ""


def _with_gaps(profile: Profile, time_limit: float | None) -> FoundAxis:
    found = axis_with_gaps(profile, time_limit=time_limit)
    if isinstance(found, ClashingSides):
        return None, found, ""
    if isinstance(found, NoneFound):
        return None, None, found.solver
    return _named(profile, found), None, ""


def _named(profile: Profile, axis: list[int]) -> tuple[str, ...]:
    """Return an axis by name, in the direction that begins with the end that comes first on the board."""
    return tuple(profile.models[model] for model in (axis if axis[0] <= axis[-1] else axis[::-1]))


def turned(witness: Witness) -> Witness:
    """Return what a witness is in the orders the other way up."""
    if isinstance(witness, ClashingSets):
        return ClashingSets(models=witness.models, rows=witness.rows, lower=True)
    if isinstance(witness, ClashingSides):
        return witness
    orders = tuple(order[::-1] for order in witness.orders)
    if witness.pattern is Pattern.THREE_WORST:
        return Forbidden(pattern=Pattern.THREE_BEST, roles=witness.roles, voters=witness.voters, orders=orders)
    a, b, c, d = witness.roles
    return Forbidden(pattern=Pattern.OPPOSED_ABOVE, roles=(c, b, a, d), voters=witness.voters, orders=orders)
