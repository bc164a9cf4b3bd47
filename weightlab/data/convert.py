"""From what users hold to what a question reads: one call on entry."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np

from weightlab.data.frame.cells import Cells
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.margins import Margins
from weightlab.data.profile import Profile
from weightlab.data.relations import Relations
from weightlab.data.signs import Signs
from weightlab.data.suite import Suite

T = TypeVar("T")
SignsLike: TypeAlias = Leaderboard | Profile | Signs
MarginsLike: TypeAlias = Leaderboard | Profile | Margins
ProfileLike: TypeAlias = Leaderboard | Profile
RelationsLike: TypeAlias = Suite | Profile | Relations


def as_leaderboard(source: ProfileLike) -> Leaderboard:
    """Return the leaderboard, or that of a profile: a task a voter with its weight, and places as scores, 1 the best.

    Raises
    ------
    InputError
        If the profile has fewer than two models, one that no voter ranks, or a voter that ranks none.
    """
    if isinstance(source, Leaderboard):
        return source
    profile = _checked(source, Profile)
    places = np.where(profile.ranks > 0, profile.ranks, np.nan).T.astype(np.float64)
    return Leaderboard.from_cells(
        profile.models,
        profile.voters,
        Cells(floats=places, exact={}),
        lower_is_better=profile.voters,
        weights=list(profile.weights),
    )


def as_signs(source: SignsLike) -> Signs:
    """Return the signs of a leaderboard or profile, or the signs themselves."""
    return source.signs() if isinstance(source, Leaderboard | Profile) else _checked(source, Signs)


def as_margins(source: MarginsLike) -> Margins:
    """Return the margins of a leaderboard or profile under its own weights, or the margins themselves."""
    return source.margins() if isinstance(source, Leaderboard | Profile) else _checked(source, Margins)


def as_profile(source: ProfileLike) -> Profile:
    """Return the rankings of a leaderboard with their ties, or the profile itself."""
    return source.rankings() if isinstance(source, Leaderboard) else _checked(source, Profile)


def as_relations(source: RelationsLike) -> Relations:
    """Return the weak majority relations of a suite, the weak orders of a profile, or the relations themselves."""
    if isinstance(source, Suite):
        return source.majority_relations()
    return source.relations() if isinstance(source, Profile) else _checked(source, Relations)


def _checked(source: object, wanted: type[T]) -> T:
    if not isinstance(source, wanted):
        raise TypeError(f"a {wanted.__name__} or what it is made from is needed; got {type(source).__name__}")
    return source
