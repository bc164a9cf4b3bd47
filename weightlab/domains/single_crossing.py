"""Single-crossing profiles: the voters can be ordered so that every pair of models is swapped at most once."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import ensure
from weightlab.data.convert import ProfileLike
from weightlab.domains.distance_restricted import swap_distances
from weightlab.domains.forbidden import FORBIDDEN, Forbidden, least_forbidden
from weightlab.domains.result import Claim, profile_fields


class SingleCrossing(Claim, kind="single_crossing"):
    """Whether the voters can be ordered so that every pair of models is swapped at most once.

    Attributes
    ----------
    row : tuple of str or None
        Such a row of the voters.
    witness : Forbidden or None
        If there is none: three voters each alone on a pair of models, or four voters who rank two pairs in all
        four ways.
    """

    takes_ties: ClassVar[bool] = False

    row: tuple[str, ...] | None
    witness: Forbidden | None

    theorem: ClassVar[str] = "Rothstein 1991"

    def __str__(self) -> str:
        """Say in which row, or why in none."""
        if self.row is None:
            return f"Not single-crossing: {self.witness}."
        return f"The rankings are single-crossing along the row {' - '.join(self.row)}."

    def check(self) -> None:
        """Raise ProofError unless no pair is swapped twice along the row, or the witness is forbidden and occurs."""
        ensure((self.row is None) != self.holds, "a row of voters is what the answer yes consists of")
        ensure((self.witness is None) == self.holds, "a witness is what the answer no rests on")
        if self.row is not None:
            ensure(sorted(self.row) == sorted(self.profile.voters), "the row is not one of the voters")
            ranks = self.profile.ranks[[self.profile.voters.index(voter) for voter in self.row]]
            for model, name in enumerate(self.profile.models):
                leads = ranks[:, model, None] < ranks[:, model + 1 :]
                swaps = (leads[1:] != leads[:-1]).sum(axis=0)
                ensure((swaps <= 1).all(), f"model {name!r} is swapped with another one twice along the row")
        elif self.witness is not None:
            self.witness.check(self.profile, allowed=FORBIDDEN[self.kind])


def single_crossing(source: ProfileLike) -> SingleCrossing:
    """Test whether the rankings are single-crossing.

    *Single-crossing*: the voters can be ordered in a row such that, for any two models, those who prefer the one are on
    one side and those who prefer the other are on the other side.

    Parameters
    ----------
    source : Profile or Leaderboard
        Strict rankings of all models by every voter. Voters of weight 0 are left out and named.

    Returns
    -------
    SingleCrossing
        True when it holds, with the row of voters; else with the forbidden sub-profile.

    Raises
    ------
    InputError
        If there are ties, or a voter leaves models out.

    Notes
    -----
    O(models^2 x voters + models x voters^2): along a row the swap distances to its first voter grow, and those of
    neighbours add up to that of the two ends if and only if no pair is swapped twice.

    References
    ----------
    Rothstein, "Representative voter theorems", Public Choice 72 (1991). Bredereck, Chen and Woeginger, "A
    characterization of the single-crossing domain", Social Choice and Welfare 41 (2013), for the forbidden
    sub-profiles.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]])
    >>> result = wl.domains.single_crossing(profile)
    >>> result.row
    ('1', '3', '2')
    """
    profile, given = profile_fields(source, "single-crossing")
    distances = swap_distances(profile.ranks)
    row = row_of_voters(distances)
    if row is not None:
        if row[0] > row[-1]:
            row.reverse()
        named = tuple(profile.voters[voter] for voter in row)
        return SingleCrossing(**given, holds=True, row=named, witness=None).checked()
    witness = least_forbidden(
        profile, "single_crossing", lambda some: row_of_voters(distances[np.ix_(some, some)]) is None
    )
    return SingleCrossing(**given, holds=False, row=None, witness=witness).checked()


def row_of_voters(distances: AnyArray) -> list[int] | None:
    """Return the voters in a row along which no pair is swapped twice, given their swap distances; None if none."""
    if len(distances) == 0:
        return []
    # Along a row distances from any voter grow in both directions, so the voter farthest from a given one is at an end.
    end = int(distances[0].argmax())
    row = np.argsort(distances[end], kind="stable")
    # The triangle inequality is an equation all along the row exactly if no pair is swapped back.
    steps = distances[row[:-1], row[1:]].sum()
    return [int(voter) for voter in row] if steps == distances[row[0], row[-1]] else None
