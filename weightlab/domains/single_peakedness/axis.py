"""An axis for strict orders, built from its two ends inwards.

Whoever is last of those still to be placed belongs at an end of what is left of the axis. So at most two models can
be last anywhere; if there are two, they take the two ends. With innermost placed models l and r, model x may go next
to l unless a voter who prefers l to x also prefers something on the other side of x: another model still to be
placed, or r. That is all an axis needs, since anything further out than l was compared when l was placed.

Whenever both choices are open they are equally good. If one model is last for all voters and fits both ends, then
all prefer it to both l and r; so on either side it only takes the place of an end that never conflicts again. If
two are last and fit both ways, the two ways mirror what is left to be placed. So no choice is ever taken back, each
step compares each voter's order at a few models, and the whole takes O(models x voters).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen
from weightlab._solver import Solver, SolverIfAny
from weightlab.data.profile import Profile
from weightlab.domains.forbidden.of_weak_orders import realisable_without_axis
from weightlab.domains.forbidden.subprofiles import Forbidden, Pattern, forbidden_at
from weightlab.domains.result import has_no_ties
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets, clashing_sets, tree_of_axes
from weightlab.domains.single_peakedness.incomplete_orders import ClashingSides, axis_with_gaps
from weightlab.exceptions import InputError


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
