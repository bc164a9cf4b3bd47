"""Distance-restricted profiles: any two voters disagree on few pairs of models."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import ensure
from weightlab._text import counted
from weightlab.data.convert import ProfileLike
from weightlab.domains.result import NO_GUARANTEE, Claim, Guarantee, profile_fields
from weightlab.exceptions import InputError


class DistanceRestricted(Claim, kind="distance_restricted"):
    """Whether no two voters disagree on more pairs of models than a degree allows.

    Attributes
    ----------
    degree : int
        How many pairs any two voters may disagree on.
    largest_distance : int
        The most pairs that two voters do disagree on.
    farthest : tuple of str
        Two voters who attain it; empty with a single voter.
    swapped : tuple of str or None
        When the largest distance is 1: the one pair of models that may swap (Lemma A.6); every other pair is ranked
        alike by all voters.
    """

    takes_ties: ClassVar[bool] = False

    degree: int
    largest_distance: int
    farthest: tuple[str, ...]
    swapped: tuple[str, str] | None

    def __post_init__(self) -> None:
        """Raise InputError if the degree is negative."""
        checked_distance(self.degree)

    @cached_property
    def distances(self) -> pd.DataFrame:
        """The swap distance (Kendall's) of every two voters."""
        voters = list(self.profile.voters)
        return pd.DataFrame(swap_distances(self.profile.ranks), index=voters, columns=voters)

    @cached_property
    def guarantee(self) -> Guarantee:
        """What is certain about the majority relation of this very profile, and by which theorem."""
        close = self.largest_distance <= 1
        hypotheses = (("strict orders of all models", True), ("no two voters disagree on two pairs", close))
        if not close:
            return Guarantee(strict="", weak="", theorem="", hypotheses=hypotheses) if self.holds else NO_GUARANTEE
        return Guarantee(
            strict="transitive", weak="transitive", theorem="Theorem 5.6 of Beyond Arrow", hypotheses=hypotheses
        )

    def __str__(self) -> str:
        """Say how far apart the voters are."""
        pairs = f"{counted(self.largest_distance, 'pair')} of models"
        if self.largest_distance == 0:
            return "All rankings are alike: they are distance-restricted to every degree."
        one, other = self.farthest
        which = f" ({' and '.join(self.swapped)})" if self.swapped else ""
        verb = "The rankings are" if self.holds else "Not"
        return f"{verb} distance-restricted to degree {self.degree}: {one} and {other} disagree on {pairs}{which}."

    def check(self) -> None:
        """Raise ProofError unless the distances are as said."""
        distances = swap_distances(self.profile.ranks)
        largest = int(distances.max(initial=0))
        ensure(largest == self.largest_distance, f"the largest distance is {largest}, not {self.largest_distance}")
        ensure(self.holds == (largest <= self.degree), f"a largest distance of {largest} says otherwise")
        ensure(len(self.farthest) == min(2, len(self.profile.voters)) or largest == 0, "two voters must be named")
        ensure(set(self.farthest) <= set(self.profile.voters), f"{self.farthest} are not both voters")
        rows = [self.profile.voters.index(voter) for voter in self.farthest]
        ensure(len(rows) < 2 or distances[rows[0], rows[1]] == largest, f"{self.farthest} are not the farthest voters")
        ensure((self.swapped is not None) == (largest == 1), "one pair is swapped exactly if the distance is 1")
        if self.swapped is not None:
            ensure(set(self.swapped) <= set(self.profile.models), f"{self.swapped} are not both models")
            pair = sorted(swapped_pairs(self.profile.ranks[rows])[0])
            ensure(self.swapped == tuple(self.profile.models[one] for one in pair), "another pair is swapped")


def distance_restricted(source: ProfileLike, *, degree: int = 1) -> DistanceRestricted:
    """Test whether any two voters disagree on at most ``degree`` pairs of models.

    Parameters
    ----------
    source : Profile or Leaderboard
        Strict rankings of all models by every voter. Voters of weight 0 are left out and named.
    degree : int
        How many pairs any two voters may disagree on. Only degree 1 (and 0) guarantees anything about majorities.

    Returns
    -------
    DistanceRestricted
        True when it holds; either way with the two voters farthest apart.

    Raises
    ------
    InputError
        If there are ties, a voter leaves models out, or the degree is negative.

    Notes
    -----
    O(models^2 x voters + models x voters^2), by products of sign matrices.

    References
    ----------
    Gordienko et al., Beyond Arrow, definition 5.5, theorem 5.6 and lemma A.6.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "a", "c"], ["a", "b", "c"]])
    >>> print(wl.domains.distance_restricted(profile))
    The rankings are distance-restricted to degree 1: 1 and 2 disagree on 1 pair of models (a and b).
    """
    checked_distance(degree)
    profile, given = profile_fields(source, "distance restriction")
    distances = swap_distances(profile.ranks)
    largest = int(distances.max(initial=0))
    farthest = [int(voter) for voter in np.unravel_index(distances.argmax(), distances.shape)]
    # If no two voters disagree on more than one pair, all who disagree do so on the same pair.
    one, other = sorted(swapped_pairs(profile.ranks[farthest])[0]) if largest == 1 else (0, 0)
    return DistanceRestricted(
        **given,
        holds=largest <= degree,
        degree=int(degree),
        largest_distance=largest,
        farthest=tuple(profile.voters[voter] for voter in farthest) if largest else (),
        swapped=(profile.models[one], profile.models[other]) if largest == 1 else None,
    ).checked()


def checked_distance(degree: int) -> int:
    """Return a degree, or raise InputError if it is not a number of pairs."""
    if degree < 0:
        raise InputError(f"the degree must be 0 or more; got {degree}")
    return degree


def swap_distances(ranks: AnyArray) -> AnyArray:
    """Return for every two voters the number of pairs of models that they rank in opposite strict ways.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models; a pair that either voter ties does not count.
    """
    # The pairs of 5,000 models are so many that float32 still counts them exactly.
    kind: Any = np.float32 if ranks.shape[1] <= 5_000 else np.float64
    against: AnyArray = np.zeros((len(ranks), len(ranks)), dtype=kind)
    # One model at a time: voters x models matrices instead of voters x pairs of models, which would not fit.
    for model in range(ranks.shape[1] - 1):
        below: AnyArray = (ranks[:, model, None] < ranks[:, model + 1 :]).astype(kind)
        above: AnyArray = (ranks[:, model, None] > ranks[:, model + 1 :]).astype(kind)
        against += below @ above.T
    return np.asarray(against + against.T, dtype=np.int64)


def swapped_pairs(ranks: AnyArray) -> AnyArray:
    """Return the pairs of models, by position, where the first of two voters prefers one and the second the other.

    The model that the first voter prefers comes first.
    """
    one, other = (row[:, None] < row for row in ranks)
    return np.argwhere(one & other.T)
