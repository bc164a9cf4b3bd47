"""Single-peaked and single-caved profiles: the models stand on an axis, and each voter has one peak (or one pit)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias, TypeVar

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen, Proof, ensure, on_word_of
from weightlab._solver import Solver, SolverIfAny
from weightlab.data import Profile
from weightlab.data.convert import ProfileLike
from weightlab.domains.forbidden.of_weak_orders import realisable_without_axis
from weightlab.domains.forbidden.subprofiles import FORBIDDEN, Forbidden, Pattern, forbidden_at
from weightlab.domains.result import Claim, Guarantee, condorcet_guarantee, has_no_ties, profile_fields
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets, clashing_sets, tree_of_axes
from weightlab.domains.single_peakedness.incomplete_orders import ClashingSides, axis_with_gaps
from weightlab.domains.single_peakedness.pq_tree import PQTree
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
        When there is none, why: for strict orders three models and three voters who each put a different one last, or
        four models and two voters; for weak orders a smallest selection of upper sets that no axis fits; for
        rankings with gaps a contradiction in which models are on the same side of which.
    solver : Solver, or an empty text
        Who says that there is no axis, when rankings with gaps have no such contradiction; else empty.

    Notes
    -----
    Weak orders are called single-peaked here when some breaking of their ties is (each voter's ties independently).
    Nothing about majorities follows for the weak orders themselves.
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

    def _implied(self) -> Guarantee:
        if not (has_no_ties(self.profile) and self.profile.is_complete):
            return Guarantee(strict="", weak="", theorem="", hypotheses=(("strict orders of all models", False),))
        return condorcet_guarantee(self.profile, self._theorem)

    _theorem: ClassVar[str] = "Black 1948; Theorem 5.2 of Beyond Arrow"

    @cached_property
    def number_of_axes(self) -> int:
        """How many axes there are, an axis and its reverse being one; for rankings of all models only.

        Raises
        ------
        InputError
            If a voter leaves models out.
        """
        self._refuse_gaps()
        if not has_no_ties(self._oriented):
            return 0 if self._tree is None else -(-self._tree.count // 2)
        found = axis_of_strict(self._oriented.ranks)
        return -(-(1 << found.choices) // 2) if isinstance(found, Axis) else 0

    def axes(self) -> Iterator[tuple[str, ...]]:
        """Yield all axes, each once and in one of its two directions; there can be very many.

        Raises
        ------
        InputError
            If a voter leaves models out.
        """
        self._refuse_gaps()
        for order in self._tree.orders() if self._tree is not None else ():
            if order[0] <= order[-1]:
                yield tuple(self.profile.models[model] for model in order)

    @property
    def broken(self) -> Profile:
        """A breaking of the profile's ties that is single-peaked (or single-caved) on the axis.

        Raises
        ------
        InputError
            If there is no axis, or a voter leaves models out.
        """
        self._refuse_gaps()
        if self.axis is None:
            raise InputError("no breaking of the ties has an axis")
        read = self._oriented
        ranks = broken_along(read.ranks, [read.models.index(model) for model in self.axis])
        broken = replace(read, ranks=ranks)
        return broken if self.upright else upside_down(broken)

    def _refuse_gaps(self) -> None:
        if not self.profile.is_complete:
            raise InputError("axes are counted, and ties broken along them, for rankings of all models only")

    @cached_property
    def _oriented(self) -> Profile:
        return self.profile if self.upright else upside_down(self.profile)

    @cached_property
    def _tree(self) -> PQTree | None:
        return tree_of_axes(self._oriented)

    def __str__(self) -> str:
        """Say on which axis, or why on none."""
        shape = "single-peaked" if self.upright else "single-caved"
        if self.axis is None:
            return f"Not {shape}: {f'{self.solver} finds no axis' if self.solver else self.witness}."
        ties = "" if has_no_ties(self.profile) else " when their ties are broken to suit it"
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
    _theorem: ClassVar[str] = "Inada 1964"


def single_peaked(
    source: ProfileLike, *, incomplete: Incomplete = "refuse", time_limit: float | None = None
) -> SinglePeaked:
    """Test whether the rankings are single-peaked on some axis of the models.

    *Single-peaked*: along the axis, each voter's ranking rises to one peak and falls after it.

    Parameters
    ----------
    source : Profile or Leaderboard
        Rankings of all models by every voter. With ties the question is whether some breaking of them is
        single-peaked. Voters of weight 0 are left out and named.
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
    Strict orders take O(models x voters); weak orders O(models^2 x voters) comparisons of bit sets.

    References
    ----------
    Gordienko et al., Beyond Arrow, definition 5.1 and theorem 5.2. Ballester and Haeringer 2011 for the forbidden
    sub-profiles; Booth and Lueker 1976 and McConnell 2004 for weak orders.

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
    given = profile_fields(source, question, ties=True, gaps=incomplete == "solve")
    profile = given["profile"] if kind.upright else upside_down(given["profile"])
    axis, witness, solver = axis_of(profile, time_limit=time_limit)
    if witness is not None and not kind.upright:
        witness = reversed_witness(witness)
    return kind(**given, holds=axis is not None, axis=axis, witness=witness, solver=solver).checked()


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


# An axis for strict orders, built from its two ends inwards.
#
# Whoever is last of those still to be placed belongs at an end of what is left of the axis. So at most two models can
# be last anywhere; if there are two, they take the two ends. With innermost placed models l and r, model x may go next
# to l unless a voter who prefers l to x also prefers something on the other side of x: another model still to be
# placed, or r. That is all an axis needs, since anything further out than l was compared when l was placed.
#
# Whenever both choices are open they are equally good. If one model is last for all voters and fits both ends, then
# all prefer it to both l and r; so on either side it only takes the place of an end that never conflicts again. If
# two are last and fit both ways, the two ways mirror what is left to be placed. So no choice is ever taken back, each
# step compares each voter's order at a few models, and the whole takes O(models x voters).


class Axis(Frozen, eq=True):
    """An axis, and how often there was a choice while it was built.

    Attributes
    ----------
    models : list of int
        Positions of the models along the axis.
    choices : int
        The number of axes is 2 to the power of this, counting an axis and its reverse as two.
    """

    models: list[int]
    choices: int


class Obstruction(Frozen, eq=True):
    """Where no axis can go on: few voters and models that show a forbidden sub-profile among themselves."""

    voters: list[int]
    models: list[int]


def axis_of_strict(ranks: AnyArray) -> Axis | Obstruction:
    """Return an axis on which all strict orders are single-peaked, or where the attempt got stuck.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Strict ranks of all models, lower is better.

    References
    ----------
    Escoffier, Lang and Ozturk, "Single-peaked consistency and its complexity", ECAI 2008, for an algorithm of the
    same complexity.
    """
    return _AxisBuilder(ranks).run()


@dataclass
class _AxisBuilder:
    """The state of the construction: what is placed, and each voter's best and last of what is not."""

    ranks: AnyArray
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    choices: int = 0
    ends: tuple[int, ...] = ()
    """Voters who put the models last that were placed in the last step with two."""

    def __post_init__(self) -> None:
        self.by_model = np.ascontiguousarray(self.ranks.T)
        self.orders: list[list[int]] = np.argsort(self.ranks, axis=1, kind="stable").tolist()
        self.count = self.ranks.shape[1]
        self.placed = [False] * self.count
        self.first = [0] * len(self.orders)
        self.last = [self.count - 1] * len(self.orders)
        self.outer: tuple[int, ...] = ()

    def run(self) -> Axis | Obstruction:
        while len(self.left) + len(self.right) < self.count:
            lasts = self._advance()
            if len(lasts) > 2:
                return Obstruction(voters=list(lasts.values()), models=list(lasts))
            fits = [self._fits(*ends) for ends in _ways(list(lasts))]
            if not any(fits):
                return self._stuck(lasts)
            left_to_place = self.count - len(self.left) - len(self.right)
            self.choices += all(fits) and left_to_place > 1
            self._place(*_ways(list(lasts))[0 if fits[0] else 1])
            if len(lasts) == 2:
                self.ends, self.outer = tuple(lasts.values()), tuple(lasts)
        return Axis(models=self.left + self.right[::-1], choices=self.choices)

    def _advance(self) -> dict[int, int]:
        """Move each voter to the best and last model that is not placed; return who puts which model last."""
        # Both pointers only move inwards, so all rounds together pass each place of each order once.
        placed = self.placed
        lasts: dict[int, int] = {}
        for voter, order in enumerate(self.orders):
            place = self.last[voter]
            while placed[order[place]]:
                place -= 1
            self.last[voter] = place
            lasts.setdefault(order[place], voter)
            place = self.first[voter]
            while placed[order[place]]:
                place += 1
            self.first[voter] = place
        self.best = np.array([order[place] for order, place in zip(self.orders, self.first, strict=True)])
        return lasts

    def _fits(self, to_left: int | None, to_right: int | None) -> bool:
        left, right = self._innermost()
        return not (
            (to_left is not None and self._blocked(to_left, left, right).any())
            or (to_right is not None and self._blocked(to_right, right, left).any())
        )

    def _blocked(self, model: int, end: int | None, other: int | None) -> BoolArray:
        """Return which voters would see a valley at a model next to an end."""
        # If a voter's best of what is left is another model, that one will stand on the far side of this one.
        if end is None:
            return np.zeros(len(self.orders), dtype=np.bool_)
        across = self.best != model
        if other is not None:
            across |= self._prefers(other, model)
        return np.asarray(self._prefers(end, model) & across)

    def _prefers(self, one: int, other: int) -> BoolArray:
        return np.asarray(self.by_model[one] < self.by_model[other])

    def _innermost(self) -> tuple[int | None, int | None]:
        return (self.left[-1] if self.left else None), (self.right[-1] if self.right else None)

    def _place(self, to_left: int | None, to_right: int | None) -> None:
        if to_left is not None:
            self.left.append(to_left)
            self.placed[to_left] = True
        if to_right is not None:
            self.right.append(to_right)
            self.placed[to_right] = True

    def _stuck(self, lasts: dict[int, int]) -> Obstruction:
        """Gather the voters and models among whom the forbidden sub-profile is."""
        left, right = self._innermost()
        voters = {*self.ends, *lasts.values()}
        models = {*self.outer, *lasts, *(end for end in (left, right) if end is not None)}
        for model in lasts:
            conflicts = [self._blocked(model, left, right), self._blocked(model, right, left)]
            if left is not None and right is not None:
                conflicts.append(self._prefers(left, model) & self._prefers(right, model))
            for blocked in conflicts:
                if blocked.any():
                    voter = int(blocked.argmax())
                    voters.add(voter)
                    models.add(int(self.best[voter]))
        return Obstruction(voters=sorted(voters), models=sorted(models))


def _ways(lasts: list[int]) -> tuple[tuple[int | None, int | None], tuple[int | None, int | None]]:
    """Return the two ways to place one or two models: who goes to the left and who to the right."""
    if len(lasts) == 1:
        return (lasts[0], None), (None, lasts[0])
    return (lasts[0], lasts[1]), (lasts[1], lasts[0])


# Where to look for an axis: by peeling strict orders, by consecutive ones with ties, by a program with gaps.

Witness: TypeAlias = Forbidden | ClashingSets | ClashingSides
"""Why there is no axis."""
FoundAxis: TypeAlias = tuple[tuple[str, ...] | None, Witness | None, SolverIfAny]


def axis_of(profile: Profile, *, time_limit: float | None = None) -> FoundAxis:
    """Return an axis by name, what forbids one, and the solver who says that there is none (or an empty text)."""
    if not profile.models:
        raise InputError("a profile without models has no axis")
    if not profile.is_complete:
        return _with_gaps(profile, time_limit)
    if not has_no_ties(profile):
        tree = tree_of_axes(profile)
        return (None, clashing_sets(profile), "") if tree is None else (_named(profile, tree.first), None, "")
    found = axis_of_strict(profile.ranks)
    if isinstance(found, Axis):
        return _named(profile, found.models), None, ""
    # Ballester and Haeringer (2011): strict orders without an axis show one of two patterns, with three voters and
    # three models or two voters and four models. Those gathered hold one, so the search is over a handful.
    opposed = realisable_without_axis(profile.ranks[np.ix_(found.voters, found.models)])
    if opposed is None:
        raise AssertionError("where no axis can go on there is a forbidden sub-profile")
    pattern, voters, roles, _ = opposed
    if pattern is Pattern.THREE_WORST:  # each voter has one role, and they are named as they stand in the profile
        roles = [role for _, role in sorted(zip(voters, roles, strict=True))]
        voters = sorted(voters)
    own = [found.voters[voter] for voter in voters]
    witness = forbidden_at(profile, pattern, voters=own, roles=[found.models[model] for model in roles])
    return None, witness, ""


def _with_gaps(profile: Profile, time_limit: float | None) -> FoundAxis:
    found = axis_with_gaps(profile, time_limit=time_limit)
    if isinstance(found, ClashingSides):
        return None, found, ""
    if isinstance(found, Solver):
        return None, None, found
    return _named(profile, found), None, ""


def _named(profile: Profile, axis: list[int]) -> tuple[str, ...]:
    """Return an axis by name, in the direction that begins with the end that comes first on the board."""
    return tuple(profile.models[model] for model in (axis if axis[0] <= axis[-1] else axis[::-1]))


def reversed_witness(witness: Witness) -> Witness:
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
