"""What changes on one dataset when its ties break otherwise: reversed, in every way, in some way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, cast

import numpy as np
import pandas as pd

from weightlab._result import ITS_NAMES, Implied, Record, ensure
from weightlab.data import Leaderboard, Profile
from weightlab.data.profile import TieBreak
from weightlab.domains import Necessarily, Possibly, necessarily, possibly
from weightlab.domains.result import Claim, has_no_ties
from weightlab.exceptions import UnprovedError
from weightlab.studies.structure.majority import Majority, majority_of
from weightlab.studies.structure.properties import NOBODY_LEFT_OUT, PROPERTIES, check_claim, check_claims, claims_of

BREAKINGS: tuple[TieBreak, ...] = ("alphabetical", "reverse")
IMPLIED = {"one_euclidean": ("single_peaked", "single_crossing")}
"""What follows from a property: where that holds under no breaking, neither does the property."""
UNDECIDED = {"one_euclidean", "single_peaked_on_tree"}
"""Properties for which no way is known here to ask about every, or some, breaking at once."""
NOT_ASKED = "not decided here for all breakings at once"
NOT_FOUND = "whether under some breaking: "
"""What is said of these, and how that begins which is said where a search was not done in time."""


def _broken(profile: Profile, names: tuple[str, ...]) -> Profile:
    """Return the rankings under the breaking that is named first."""
    return profile.break_ties(cast("TieBreak", names[0]))


class TieBreaking(Record):
    """What the properties and the majority of one dataset are under other breakings of its ties.

    Attributes
    ----------
    profile : Profile
        The rankings with their ties.
    claims : dict from breaking to dict from property to Claim
        Under ``"alphabetical"`` and ``"reverse"``.
    majorities : dict from breaking to Majority
        The majority under these.
    every : dict from property to Necessarily
        Whether it holds however the ties are broken.
    some : dict from property to Possibly
        Whether it holds for some breaking; only where it holds for neither of the two.
    undecided : dict from property to str
        What is not decided, and why.
    open_duels : tuple of (str, str)
        The duels whose majority depends on how ties are broken.
    """

    profile: Profile
    claims: Mapping[
        str, Mapping[str, Annotated[Claim, Implied("profile", _broken, "profile", ITS_NAMES), NOBODY_LEFT_OUT]]
    ]
    majorities: Mapping[str, Majority]
    every: Mapping[str, Annotated[Necessarily, Implied("profile", "profile"), NOBODY_LEFT_OUT]]
    some: Mapping[str, Annotated[Possibly, Implied("profile", "profile"), NOBODY_LEFT_OUT]]
    undecided: Mapping[str, str]
    open_duels: tuple[tuple[str, str], ...]

    def under_some(self, name: str) -> bool | None:
        """Tell whether a property holds under some breaking; None where that is not decided."""
        if any(claims[name].holds for claims in self.claims.values()):
            return True
        # Where something that the property implies holds under no breaking, neither does the property.
        if any(self.some[one].holds is False for one in IMPLIED.get(name, ()) if one in self.some):
            return False
        return self.some[name].holds if name in self.some else None

    def under_every(self, name: str) -> bool | None:
        """Tell whether a property holds under every breaking; None where that is not decided."""
        if not all(claims[name].holds for claims in self.claims.values()):
            return False
        return self.every[name].holds if name in self.every else None

    @property
    def changes(self) -> tuple[str, ...]:
        """The properties that hold for some breaking and fail for another."""
        return tuple(name for name in PROPERTIES if self.under_some(name) and self.under_every(name) is False)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a property: alphabetical, reverse, every, some; None where not decided."""
        rows = [
            (*(self.claims[how][name].holds for how in self.claims), self.under_every(name), self.under_some(name))
            for name in PROPERTIES
        ]
        return pd.DataFrame(rows, index=list(PROPERTIES), columns=[*self.claims, "every", "some"], dtype=object)

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless all of it is of these rankings, and each claim holds up."""
        ensure(np.array_equal(self.profile.ranks, profile.ranks), "the ties are those of other rankings")
        ensure(not has_no_ties(profile), "there are no ties to break")
        ensure(set(self.claims) == set(BREAKINGS) == set(self.majorities), "the two breakings by name are needed")
        for how in BREAKINGS:
            broken = profile.break_ties(how)
            check_claims(self.claims[str(how)], broken)
            ensure(self.majorities[str(how)] == majority_of(broken), f"the majority under {how!r} is another")
        together: list[tuple[str, Necessarily | Possibly]] = [*self.every.items(), *self.some.items()]
        for name, claim in together:
            ensure(claim.domain == name, f"the claim on {name!r} is about another domain")
            check_claim(claim, profile, name)
        self._check_undecided()
        ensure(self.open_duels == open_duels(profile), "other duels depend on the ties")

    def _check_undecided(self) -> None:
        """Raise ProofError unless exactly what is not decided is said to be so."""
        ensure(set(self.every) == set(PROPERTIES) - UNDECIDED, "what holds under every breaking is said of others")
        for name in PROPERTIES:
            why = self.undecided.get(name, "")
            if name in UNDECIDED:
                ensure(why == NOT_ASKED, f"that {name!r} is not decided for all breakings is not said")
            else:
                decided = self.under_some(name) is not None
                ensure(decided == (not why), f"whether {name!r} holds under some breaking is not said, or twice")
                ensure(decided or why.startswith(NOT_FOUND), f"why {name!r} is not decided is not said")
        ensure(set(self.undecided) <= set(PROPERTIES), "something is undecided that is no property")


def tie_breaking(board: Leaderboard, *, time_limit: float | None = None) -> TieBreaking | None:
    """Return what changes when ties break otherwise, or None when no metric ties any two models.

    Parameters
    ----------
    board : Leaderboard
        Complete.
    time_limit : float, optional
        Seconds for each integer program; what is not decided by then is said to be undecided.

    Notes
    -----
    What holds under every breaking is polynomial; what holds under some is, for properties other than single-peaked,
    single-caved, group-separable and distance-restricted, an integer program, which is asked only where the property
    fails under both breakings by name.
    """
    profile = board.rankings()
    if has_no_ties(profile):
        return None
    claims = {str(how): claims_of(profile.break_ties(how)) for how in BREAKINGS}
    undecided = {name: NOT_ASKED for name in PROPERTIES if name in UNDECIDED}
    every = {name: necessarily(profile, name) for name in PROPERTIES if name not in UNDECIDED}
    some: dict[str, Possibly] = {}
    for name in every:
        if any(one[name].holds for one in claims.values()):
            continue
        try:
            some[name] = possibly(profile, name, time_limit=time_limit)
        except UnprovedError as error:
            undecided[name] = f"{NOT_FOUND}{error}"
    return TieBreaking(
        profile=profile,
        claims=claims,
        majorities={str(how): majority_of(profile.break_ties(how)) for how in BREAKINGS},
        every=every,
        some=some,
        undecided=undecided,
        open_duels=open_duels(profile),
    )


def open_duels(profile: Profile) -> tuple[tuple[str, str], ...]:
    """Return the duels whose strict majority is not the same under every breaking of the ties.

    Each voter breaks the tie of one pair either way, so the margin runs from all of them against to all of them for.
    """
    margins = profile.margins()
    lead, ties = margins.array, margins.ties
    # The margin takes its extremes when all ties go one way: equal signs there mean the same majority in between.
    always = np.sign(lead - ties) == np.sign(lead + ties)
    return tuple(
        (profile.models[i], profile.models[j]) for i, j in np.argwhere(np.triu(~always & (ties > 0), k=1)).tolist()
    )
