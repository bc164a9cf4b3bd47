"""Single-peaked and single-caved profiles: the models stand on an axis, and each voter has one peak (or one pit)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias, TypeVar

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import Proof, ensure, on_word_of
from weightlab._solver import Solver, SolverIfAny
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike
from weightlab.domains.forbidden import FORBIDDEN, Forbidden, least_forbidden
from weightlab.domains.result import Claim, profile_fields
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets, clashing_sets, tree_of_axes
from weightlab.domains.single_peakedness.incomplete_orders import ClashingSides, axis_with_gaps
from weightlab.exceptions import InputError

PeakedOrCaved = TypeVar("PeakedOrCaved", bound="SinglePeaked")
Incomplete: TypeAlias = Literal["refuse", "solve"]
"""What to do with rankings that leave models out."""


class SinglePeaked(Claim, kind="single_peaked"):
    """Whether there is an axis of the models along which every voter's ranking rises to one peak and falls after it.

    Attributes
    ----------
    axis : tuple of str or None
        Such an axis, when there is one.
    witness : Forbidden, ClashingSets, ClashingSides or None
        The reason if there is none: for strict orders three models and three voters who each put a different one last,
        or four models and two voters; for weak orders a smallest selection of upper sets that no axis fits; for
        rankings with gaps a contradiction in which models are on the same side of which.
    solver : Solver, or an empty text
        Who says that there is no axis, when rankings with gaps have no such contradiction; else empty.

    Notes
    -----
    Weak orders are called single-peaked here if their ties can be broken so that they are (each voter's ties
    independently). Nothing about majorities follows for the weak orders themselves.
    """

    axis: tuple[str, ...] | None
    witness: Witness | None
    solver: SolverIfAny = ""

    upright: ClassVar[bool] = True
    """Whether rankings are read from the best to the worst."""

    takes_gaps: ClassVar[bool] = True

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"rankings": Proof.EXACT, "there is no axis": on_word_of(self.solver)}

    theorem: ClassVar[str] = "Black 1948; Theorem 5.2 of Beyond Arrow"

    @property
    def broken(self) -> Profile:
        """The profile with ties broken so that it is single-peaked (or single-caved) on the axis.

        Raises
        ------
        InputError
            If there is no axis, or a voter leaves models out.
        """
        if not self.profile.is_complete:
            raise InputError("ties are broken along an axis for rankings of all models only")
        if self.axis is None:
            raise InputError("no breaking of the ties has an axis")
        read = self._oriented
        ranks = broken_along(read.ranks, [read.models.index(model) for model in self.axis])
        broken = replace(read, ranks=ranks)
        return broken if self.upright else upside_down(broken)

    @cached_property
    def _oriented(self) -> Profile:
        return self.profile if self.upright else upside_down(self.profile)

    def __str__(self) -> str:
        """Say on which axis, or why on none."""
        shape = "single-peaked" if self.upright else "single-caved"
        if self.axis is None:
            return f"Not {shape}: {f'{self.solver} finds no axis' if self.solver else self.witness}."
        ties = "" if self.profile.is_strict else " when their ties are broken to suit it"
        return f"The rankings are {shape}{ties} along the axis {' - '.join(self.axis)}."

    def check(self) -> None:
        """Raise ProofError unless the axis fits every voter, or the witness is forbidden and occurs."""
        ensure((self.axis is None) != self.holds, "an axis is what the answer yes consists of")
        reasons = (self.witness is not None) + bool(self.solver)
        ensure(reasons == (not self.holds), "the answer no rests on a witness, or on a solver")
        ensure(not (self.solver and self.profile.is_complete), "rankings of all models without an axis have a witness")
        if self.axis is not None:
            ensure(sorted(self.axis) == sorted(self.profile.models), "the axis is not one of the models")
            place = {model: position for position, model in enumerate(self.profile.models)}
            voter = valley(self._oriented.ranks, [place[model] for model in self.axis])
            ensure(voter is None, f"the axis does not fit voter {self.profile.voters[voter or 0]!r}")
        elif isinstance(self.witness, ClashingSets):
            ensure(self.witness.lower != self.upright, "sets at the wrong end of the rankings")
            self.witness.check(self.profile)
        elif isinstance(self.witness, ClashingSides):
            self.witness.check(self._oriented)
        elif self.witness is not None:
            self.witness.check(self.profile, allowed=FORBIDDEN[self.kind])


class SingleCaved(SinglePeaked, kind="single_caved"):
    """Whether there is an axis of the models along which every voter's ranking falls to one pit and rises after it.

    The fields are those of ``SinglePeaked``; the clashing sets of weak orders are the voters' lower sets.
    """

    upright: ClassVar[bool] = False
    theorem: ClassVar[str] = "Inada 1964"


def single_peaked(
    source: ProfileLike, *, incomplete: Incomplete = "refuse", time_limit: float | None = None
) -> SinglePeaked:
    """Test whether the rankings are single-peaked on some axis of the models.

    *Single-peaked*: along the axis, each voter's ranking rises to one peak and falls after it.

    Parameters
    ----------
    source : Profile or Leaderboard
        Rankings of all models by every voter. With ties the question is whether some way of breaking them is
        single-peaked. Voters of weight 0 are dropped and named.
    incomplete : {"refuse", "solve"}
        What to do when a voter leaves models out: refuse and name them, or look for an axis along which each voter's
        ranking of the others has one peak (NP-complete; an integer program).
    time_limit : float, optional
        Seconds for that program.

    Returns
    -------
    SinglePeaked
        True when it holds, with the axis; else with the forbidden sub-profile.

    Raises
    ------
    InputError
        If a voter leaves models out, unless that is to be solved.
    TimeLimitError
        If the program ran out of time.

    Notes
    -----
    O(models^2 x voters) comparisons of bit sets.

    References
    ----------
    Gordienko et al., Beyond Arrow, definition 5.1 and theorem 5.2. Ballester and Haeringer 2011 for the forbidden
    sub-profiles; Booth and Lueker 1976 for the axes, McConnell 2004 for why weak orders have none.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "b", "a"]])
    >>> wl.domains.single_peaked(profile).axis
    ('a', 'b', 'c')
    >>> paradox = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    >>> print(wl.domains.single_peaked(paradox))
    Not single-peaked: of c, a and b each is put last by one: c by 1, a by 2, b by 3.
    """
    return _along_axis(SinglePeaked, source, incomplete, time_limit)


def single_caved(
    source: ProfileLike, *, incomplete: Incomplete = "refuse", time_limit: float | None = None
) -> SingleCaved:
    """Test whether the rankings are single-caved on some axis of the models.

    *Single-caved*: along the axis, each voter's ranking falls to one pit and rises after it; that is, the rankings
    turned upside down are single-peaked.

    Parameters
    ----------
    source : Profile or Leaderboard
        As for ``single_peaked``.
    incomplete : {"refuse", "solve"}
        As for ``single_peaked``.
    time_limit : float, optional
        As for ``single_peaked``.

    Returns
    -------
    SingleCaved
        True when it holds, with the axis; else with the forbidden sub-profile.

    Raises
    ------
    InputError
        If a voter leaves models out, unless that is to be solved.
    TimeLimitError
        If the program ran out of time.

    Notes
    -----
    As for ``single_peaked``.

    References
    ----------
    Inada, "A note on the simple majority decision rule", Econometrica 32 (1964).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "c", "b"], ["c", "a", "b"]])
    >>> wl.domains.single_caved(profile).axis
    ('a', 'b', 'c')
    """
    return _along_axis(SingleCaved, source, incomplete, time_limit)


def _along_axis(
    kind: type[PeakedOrCaved], source: ProfileLike, incomplete: Incomplete, time_limit: float | None
) -> PeakedOrCaved:
    if incomplete not in {"refuse", "solve"}:
        raise InputError(f"incomplete must be 'refuse' or 'solve'; got {incomplete!r}")
    question = "single-peakedness" if kind.upright else "single-cavedness"
    profile, given = profile_fields(source, question, ties=True, gaps=incomplete == "solve")
    axis, witness, solver = _axis_or_reason(
        profile, profile if kind.upright else upside_down(profile), kind.kind, time_limit
    )
    # In the direction that begins with the end that comes first on the board.
    ahead = axis[::-1] if axis and axis[0] > axis[-1] else axis
    named = None if ahead is None else tuple(profile.models[model] for model in ahead)
    return kind(**given, holds=axis is not None, axis=named, witness=witness, solver=solver).checked()


# Rankings read along an axis.


def upside_down(profile: Profile) -> Profile:
    """Return the profile of the reversed orders."""
    ranks = profile.ranks
    turned = np.where(ranks > 0, ranks.max(axis=1, keepdims=True, initial=0) + 1 - ranks, 0).astype(np.int32)
    return replace(profile, ranks=turned)


def valley(ranks: AnyArray, axis: list[int]) -> int | None:
    """Return the first voter who puts a model below one on its left and one on its right, along the axis.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks, lower is better, ties allowed; 0 for a model that a voter does not rank, which is passed over.
    axis : list of int
        All models by position.
    """
    along = ranks[:, axis]
    if along.shape[1] < 3:
        return None
    out_of_mind = np.where(along > 0, along, np.iinfo(along.dtype).max)
    before = np.minimum.accumulate(out_of_mind, axis=1)[:, :-2]
    after = np.minimum.accumulate(out_of_mind[:, ::-1], axis=1)[:, ::-1][:, 2:]
    inner = along[:, 1:-1]
    low = ((inner > before) & (inner > after)).any(axis=1)
    return int(low.argmax()) if low.any() else None


def broken_along(ranks: AnyArray, axis: list[int]) -> AnyArray:
    """Return strict ranks that break the ties of weak orders so that they are single-peaked on an axis that fits.

    Each voter's peak is the leftmost model of the best; among tied models those on its right go first, and on either
    side the nearer ones.
    """
    place = np.empty(len(axis), dtype=np.intp)
    place[axis] = np.arange(len(axis))
    broken = np.empty_like(ranks)
    for row, levels in enumerate(ranks):
        away = place - place[levels == 1].min()
        broken[row, np.lexsort((np.abs(away), away < 0, levels))] = np.arange(1, len(axis) + 1)
    return broken


# Where to look for an axis: by consecutive ones, with or without ties, and by a program with gaps.

Witness: TypeAlias = Forbidden | ClashingSets | ClashingSides
"""Why there is no axis."""


def _axis_or_reason(
    profile: Profile, read: Profile, domain: str, time_limit: float | None
) -> tuple[list[int] | None, Witness | None, SolverIfAny]:
    """Return an axis, what forbids one, and the solver that found none (or an empty text).

    ``read`` are the rankings the way up in which they have peaks.
    """
    if not profile.models:
        raise InputError("a profile without models has no axis")
    if not profile.is_complete:
        found = axis_with_gaps(read, time_limit=time_limit)
        if isinstance(found, ClashingSides):
            return None, found, ""
        return (None, None, found) if isinstance(found, Solver) else (found, None, "")
    tree = tree_of_axes(read.ranks)
    if tree is not None:
        return tree.first, None, ""
    if profile.is_strict:
        return None, least_forbidden(profile, domain, lambda some: tree_of_axes(read.ranks[some]) is None), ""
    return None, replace(clashing_sets(read), lower=domain == "single_caved"), ""
