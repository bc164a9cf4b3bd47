"""One-dimensional Euclidean profiles: models and voters are points on a line, and each voter prefers what is nearer."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, common_denominator
from weightlab._result import ByName, Record, Seen, ensure, exact_series
from weightlab._solver import Formulation, Rows, Sense, exact_optimum
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike
from weightlab.domains.distance_restricted import swap_distances
from weightlab.domains.forbidden import FORBIDDEN, Forbidden
from weightlab.domains.result import Claim, profile_fields
from weightlab.domains.single_crossing import row_of_voters, single_crossing
from weightlab.domains.single_peakedness.single_peaked import single_peaked


class ClashingDistances(Record):
    """Why no points on a line do, though the rankings are single-peaked and single-crossing.

    Up to reflection and the place of models that no two voters rank differently against any other, the order of the
    models on the line is known. That order, and which of two models that follow each other in a ranking is nearer,
    are inequalities in the positions; a sum of them, each taken a number of times, says 0 > 0.

    Attributes
    ----------
    multipliers : tuple of Fraction
        How often each inequality is taken, in the order of ``inequalities``; they sum to 1.
    """

    multipliers: tuple[Fraction, ...]

    def __str__(self) -> str:
        """Say how many inequalities contradict each other."""
        taken = sum(1 for one in self.multipliers if one)
        return f"{taken} inequalities between distances on a line contradict each other"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the inequalities are the profile's and add up to a contradiction."""
        matrix, _ = inequalities(profile, euclidean_axis(profile))
        ensure(len(self.multipliers) == len(matrix), "a multiplier is missing")
        ensure(all(one >= 0 for one in self.multipliers), "a multiplier is negative")
        ensure(sum(self.multipliers) == 1, "the multipliers do not sum to 1")
        numerators, _ = common_denominator(self.multipliers)
        total = np.array(numerators, dtype=object) @ matrix.astype(object)
        ensure(not any(total), "the inequalities do not add up to a contradiction")


class OneEuclidean(Claim, kind="one_euclidean"):
    """Whether models and voters can be points on a line such that each voter ranks by distance.

    Attributes
    ----------
    models_at, voters_at : Series of Fraction or None
        Such positions.
    witness : Forbidden, ClashingDistances or None
        If there are none: a sub-profile that is not single-crossing or not single-peaked, or contradictory inequalities
        between distances.
    """

    takes_ties: ClassVar[bool] = False

    models_at: Seen[pd.Series | None] = ByName()
    voters_at: Seen[pd.Series | None] = ByName()
    witness: Forbidden | ClashingDistances | None

    theorem: ClassVar[str] = "Black 1948, since the positions are an axis"

    def __str__(self) -> str:
        """Say where the models are, or why nowhere."""
        if self.models_at is None:
            return f"Not Euclidean on a line: {self.witness}."
        line = ", ".join(f"{model} at {place}" for model, place in self.models_at.sort_values().items())
        return f"The rankings are those of nearness on a line, with {line}."

    def check(self) -> None:
        """Raise ProofError unless every voter ranks by distance, or the witness stands."""
        ensure((self.models_at is None) != self.holds, "positions are what the answer yes consists of")
        ensure((self.voters_at is None) == (self.models_at is None), "models and voters both need positions")
        ensure((self.witness is None) == self.holds, "a witness is what the answer no rests on")
        if self.models_at is not None and self.voters_at is not None:
            ensure(tuple(self.models_at.index) == self.profile.models, "positions of other models")
            ensure(tuple(self.voters_at.index) == self.profile.voters, "positions of other voters")
            for voter, at, ranks in zip(self.profile.voters, self.voters_at, self.profile.ranks, strict=True):
                away = [abs(self.models_at.iloc[int(model)] - at) for model in np.argsort(ranks)]
                ordered = away == sorted({*away})
                ensure(ordered, f"voter {voter!r} does not rank by distance")
        elif isinstance(self.witness, Forbidden):
            self.witness.check(self.profile, allowed=FORBIDDEN["single_crossing"] + FORBIDDEN["single_peaked"])
        elif self.witness is not None:
            self.witness.check(self.profile)


def one_euclidean(source: ProfileLike, *, time_limit: float | None = None) -> OneEuclidean:
    """Test whether models and voters can be points on a line such that each voter prefers the nearer model.

    Parameters
    ----------
    source : Profile or Leaderboard
        Strict rankings of all models by every voter. Voters of weight 0 are left out and named.
    time_limit : float, optional
        Seconds for the linear program.

    Returns
    -------
    OneEuclidean
        True when it holds, with exact positions; else with a forbidden sub-profile or contradicting inequalities.

    Raises
    ------
    InputError
        If there are ties, or a voter leaves models out.
    TimeLimitError, UnprovedError
        If the linear program was not solved exactly.

    Notes
    -----
    Such rankings are single-peaked and single-crossing, and both are tested first. Then the order of the models on
    the line is known, and one linear program looks for positions; if it is infeasible, its multipliers prove it.

    References
    ----------
    Doignon and Falmagne, "A polynomial time algorithm for unidimensional unfolding representations", Journal of
    Algorithms 16 (1994). Elkind and Faliszewski, "Recognizing 1-Euclidean preferences: an alternative approach",
    SAGT 2014, whose choice of the order is followed here.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"]])
    >>> bool(wl.domains.one_euclidean(profile))
    True
    """
    profile, given = profile_fields(source, "being Euclidean")
    # Both are necessary and cheap to test, and their forbidden sub-profiles explain more than multipliers do.
    witness: Forbidden | ClashingDistances | None = single_crossing(profile).witness
    if witness is None:
        peaked = single_peaked(profile).witness
        witness = peaked if isinstance(peaked, Forbidden) else None
    placed = _placed(profile, time_limit) if witness is None else witness
    models_at, voters_at = placed if isinstance(placed, tuple) else (None, None)
    witness = None if isinstance(placed, tuple) else placed
    return OneEuclidean(
        **given, holds=witness is None, models_at=models_at, voters_at=voters_at, witness=witness
    ).checked()


def euclidean_axis(profile: Profile) -> list[int]:
    """Return the order of the models on the line, if the rankings are Euclidean at all, by position.

    Let u and v be the voters at the two ends of the row in which the rankings are single-crossing, with best models
    p and q. What u prefers to q and v to p lies between p and q, in the order of u. Of two models that u and v rank
    differently, the one that u prefers is on u's side; both cannot lie beyond p, where all voters prefer what is
    nearer to p. So each of them that is not between p and q is known to be beyond p, or beyond q. All others are
    ranked alike by all voters against any model; they may lie beyond q, with everything worse moved outwards as far
    as needed, which changes no voter's ranking. Beyond p, and beyond q, nearer is better for all.
    """
    ranks = profile.ranks
    row = row_of_voters(swap_distances(ranks))
    ensure(row is not None, "the rankings are not single-crossing")
    first, last = ranks[(row or [0])[0]], ranks[(row or [0])[-1]]
    p, q = int(first.argmin()), int(last.argmin())
    # Both are on the right side of the other's best: between p and q.
    between = (first <= first[q]) & (last <= last[p])
    swapped = (first[:, None] < first) & (last[:, None] > last)
    before = ~between & swapped.any(axis=1)
    inward = np.argsort(first)
    left, middle, right = (inward[some[inward]].tolist() for some in (before, between, ~(before | between)))
    return [*left[::-1], *middle, *right]


def inequalities(profile: Profile, axis: list[int]) -> tuple[AnyArray, list[str]]:
    """Return a matrix G of integers, models then voters as columns, with G @ positions > 0, and what each row says."""
    count, place = len(profile.models), np.argsort(axis)
    entries, labels = [], []
    for one, other in np.column_stack([axis[:-1], axis[1:]]).tolist():
        entries.append({one: -1, other: 1})
        labels.append(f"{profile.models[one]} before {profile.models[other]}")
    for voter, ranks in enumerate(profile.ranks):
        order = np.argsort(ranks)
        for near, far in np.column_stack([order[:-1], order[1:]]).tolist():
            # The voter is on the near side of the middle between the two.
            # Twice the middle is the sum of the two: the row stays in integers.
            side = 1 if place[near] < place[far] else -1
            entries.append({near: side, far: side, count + voter: -2 * side})
            labels.append(f"{profile.models[near]} nearer to {profile.voters[voter]}")
    matrix = np.zeros((len(entries), count + len(profile.voters)), dtype=np.int8)
    for row, entry in zip(matrix, entries, strict=True):
        row[list(entry)] = list(entry.values())
    return matrix, labels


def _placed(profile: Profile, time_limit: float | None) -> tuple[pd.Series, pd.Series] | ClashingDistances:
    """Return positions, or why there are none: the smallest slack of all inequalities is maximised."""
    matrix, labels = inequalities(profile, euclidean_axis(profile))
    columns = [*(f"model {name}" for name in profile.models), *(f"voter {name}" for name in profile.voters), "slack"]
    rows = np.column_stack([matrix, np.full(len(matrix), -1, dtype=np.int8)])
    # Positions can be scaled, so the least slack is 0 or arbitrarily large: capped at 1, it is one of the two.
    free = len(columns) - 1
    program = Formulation(
        name="positions on a line",
        sense=Sense.MAXIMISE,
        columns=columns,
        objective=(*[0] * free, 1),
        rows=Rows.from_matrix(rows, lower=0, labels=labels),
        lower=(*[None] * free, 0),
        upper=(*[None] * free, 1),
    )
    optimum = exact_optimum(program, time_limit=time_limit)
    # The slack's own column makes the multipliers sum to 1, the positions' columns make them cancel (Farkas' lemma).
    if optimum.value == 0:
        return ClashingDistances(multipliers=tuple(-dual for dual in optimum.duals))
    cut = len(profile.models)
    return (
        exact_series(optimum.x[:cut], profile.models, "models_at"),
        exact_series(optimum.x[cut:free], profile.voters, "voters_at"),
    )
