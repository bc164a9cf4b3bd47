"""Single-crossing profiles: the voters stand in a row along which every pair of models is swapped at most once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import ensure
from weightlab.data.convert import ProfileLike
from weightlab.domains.distance_restricted import swap_distances
from weightlab.domains.forbidden.subprofiles import FORBIDDEN, Forbidden, Found, Pattern, forbidden_at, minimal_part
from weightlab.domains.result import Claim, Guarantee, condorcet_guarantee, profile_fields


class SingleCrossing(Claim, kind="single_crossing"):
    """Whether the voters can be put in a row along which every pair of models is swapped at most once.

    Attributes
    ----------
    row : tuple of str or None
        Such a row of the voters.
    witness : Forbidden or None
        When there is none: three voters each alone on a pair of models, or four voters who rank two pairs in all
        four ways.
    """

    takes_ties: ClassVar[bool] = False

    row: tuple[str, ...] | None
    witness: Forbidden | None

    @property
    def medians(self) -> tuple[str, ...]:
        """The voters in the middle of the row by weight, one or two.

        Two models are ranked by the strict majority as all of these voters rank them, and tie where they differ.
        """
        if self.row is None:
            return ()
        weight = dict(zip(self.profile.voters, self.profile.weights, strict=True))
        half = sum(weight.values(), Fraction(0)) / 2
        before = [sum((weight[voter] for voter in self.row[:place]), Fraction(0)) for place in range(len(self.row))]
        # The weighted median of the row: at most half of the weight on either side. Of two models at least half prefers
        # whichever the median does, as those who do are a beginning or an end of the row (Rothstein 1991).
        return tuple(v for v, sum_ in zip(self.row, before, strict=True) if sum_ <= half <= sum_ + weight[v])

    def _implied(self) -> Guarantee:
        return condorcet_guarantee(self.profile, "Rothstein 1991")

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

    *Single-crossing*: the voters can be put in a row such that, for any two models, those who prefer the one stand
    on one side and those who prefer the other stand on the other side.

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
    >>> result.row, result.medians
    (('1', '3', '2'), ('3',))
    """
    given = profile_fields(source, "single-crossing")
    profile = given["profile"]
    distances = swap_distances(profile.ranks)
    row = row_of_voters(distances)
    if row is not None:
        if row[0] > row[-1]:
            row.reverse()
        voters = tuple(profile.voters[voter] for voter in row)
        return SingleCrossing(**given, holds=True, row=voters, witness=None).checked()
    pattern, found, roles = _no_row(profile.ranks, distances)
    witness = forbidden_at(profile, pattern, voters=found, roles=roles)
    return SingleCrossing(**given, holds=False, row=None, witness=witness).checked()


def row_of_voters(distances: AnyArray) -> list[int] | None:
    """Return the voters in a row along which no pair is swapped twice, given their swap distances; None if none."""
    if len(distances) == 0:
        return []
    # Along a row distances from any voter grow in both directions, so whoever is farthest from one stands at an end.
    end = int(distances[0].argmax())
    row = np.argsort(distances[end], kind="stable")
    # The triangle inequality is an equation all along the row exactly if no pair is swapped back.
    steps = distances[row[:-1], row[1:]].sum()
    return [int(voter) for voter in row] if steps == distances[row[0], row[-1]] else None


def _no_row(ranks: AnyArray, distances: AnyArray) -> Found:
    """Return the forbidden sub-profile of voters who fit in no row."""

    def fails(some: Sequence[int]) -> bool:
        return row_of_voters(distances[np.ix_(some, some)]) is None

    def fails_still(some: Sequence[int]) -> bool:
        return row_of_voters(swap_distances(ranks[np.ix_(voters, some)])) is None

    voters = minimal_part(range(len(ranks)), fails)
    models = minimal_part(range(ranks.shape[1]), fails_still)
    least = ranks[np.ix_(voters, models)]
    leads = [row[:, None] < row for row in least]
    if len(voters) == 3:
        i, j, k = leads
        # Three voters, none of whom can stand in the middle: each is alone on some pair.
        pairs = [_pair(one & ~other & ~third) for one, other, third in ((i, j, k), (j, k, i), (k, i, j))]
        return Pattern.EACH_ALONE, voters, [models[place] for pair in pairs for place in pair]
    pattern, voters, roles = _in_all_four_ways(voters, leads)
    return pattern, voters, [models[place] for place in roles]


def _in_all_four_ways(voters: list[int], leads: list[BoolArray]) -> Found:
    """Return two pairs of models that four voters rank in all four ways."""
    halves = []
    # The first voter sides with one other on one pair and with another on the other: four voters, four combinations.
    for mate, others in ((1, (2, 3)), (2, (1, 3)), (3, (1, 2))):
        split = leads[0] & leads[mate] & ~leads[others[0]] & ~leads[others[1]]
        if split.any():
            halves.append((mate, _pair(split)))
    (one, first), (other, second) = halves[:2]
    last = 6 - one - other
    return Pattern.ALL_FOUR, [voters[0], voters[one], voters[other], voters[last]], [*first, *second]


def _pair(related: BoolArray) -> tuple[int, int]:
    """Return the first pair of models that is related."""
    first, second = np.argwhere(related)[0]
    return int(first), int(second)
