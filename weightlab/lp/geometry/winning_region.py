"""Winning regions: all weightings under which a model is undefeated, as a polytope with its share and centre."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, common_denominator, exact_products, places_of
from weightlab._result import ByName, Frozen, Record, Seen, ensure
from weightlab._solver import within
from weightlab._text import first_few, percent
from weightlab.data.convert import SignsLike
from weightlab.data.linear_rule import MAJORITY, LeadsLike, RuleLike, Scale
from weightlab.data.points import Missing, Ties
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.lp.by_model import Asked, OfModel
from weightlab.lp.certificate import check_bound, check_exact, check_weighting, leads
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.geometry.double_description import IntegerRow, inner_product
from weightlab.lp.geometry.polytope import HalfSpaces, Polytope, half_spaces, share_of
from weightlab.lp.space.conditions import Bounded, Relation
from weightlab.lp.space.space import Vectors, WeightSpace
from weightlab.lp.verdicts.prospect import linear_prospect


class Sides(Frozen):
    """The bounds of a region that do not hold with equality all over it, as rows that measure moved weight.

    Attributes
    ----------
    names : tuple of str
        What each row is.
    rows : ndarray of int, sides x tasks
        Scaled so that moving a share s of the weight changes no row by more than ``unit * s``.
    unit : int
        The common range of the rows.
    space : WeightSpace
        The space, cut down to weights under which the head-to-heads tied all over the region are not lost.
    """

    names: tuple[str, ...]
    rows: AnyArray
    unit: int
    space: WeightSpace


def sides_of(bounds: HalfSpaces, corners: Sequence[IntegerRow], rivals: Sequence[str], space: WeightSpace) -> Sides:
    """Return the bounds of the region with these corners (over the classes) that leave room."""
    named = [(f"duel: {rival}", row) for rival, row in zip(rivals, bounds.duels, strict=True)]
    loose = _not_constant([bounds.merged(row) for _, row in named], corners)
    tied = [one for one, room in zip(named, loose, strict=True) if not room]
    sides = [one for one, room in zip(named, loose, strict=True) if room]
    width = len(bounds.tasks)
    for members, room in zip(bounds.classes, zip(*corners, strict=True), strict=True):
        places = [bounds.tasks.index(task) for task in members] if any(room) else []
        sides += [(f"task: {bounds.tasks[one]}", tuple(int(one == k) for k in range(width))) for one in places]
    asked = [(f"condition {n}: {text}", row) for n, (text, row) in enumerate(bounds.conditions, start=1)]
    room_left = _not_constant([bounds.merged(row) for _, row in asked], corners)
    sides += [one for one, room in zip(asked, room_left, strict=True) if room]
    # A row that is the same for all tasks is no bound: no moved weight changes it.
    sides = [(name, row) for name, row in sides if max(row) > min(row)]
    # Moving a share t of the weight from one task to another changes a row by t times its range at most: the row's
    # value over its range is the weight that can be moved before this bound is met.
    ranges = [max(row) - min(row) for _, row in sides]
    unit = math.lcm(*ranges)
    scaled = [[one * (unit // own) for one in row] for (_, row), own in zip(sides, ranges, strict=True)]
    kind = np.int64 if max((abs(one) for row in scaled for one in row), default=0) < 2**31 else object
    return Sides(
        names=tuple(name for name, _ in sides),
        rows=np.array(scaled, dtype=kind).reshape(len(sides), width),
        unit=unit,
        space=_cut(space, [row for _, row in tied]),
    )


def _not_constant(rows: Sequence[IntegerRow], corners: Sequence[IntegerRow]) -> list[bool]:
    if not rows:
        return []
    matrix = np.array(rows, dtype=object)
    return [bool(any(row)) for row in np.array([exact_products(matrix, corner) for corner in corners]).T.tolist()]


def _cut(space: WeightSpace, tied: Sequence[IntegerRow]) -> WeightSpace:
    for row in tied:
        signs = {task: Fraction(sign) for task, sign in zip(space.tasks, row, strict=True) if sign}
        space = space.and_condition(Bounded(tasks=signs, relation=Relation.AT_LEAST, bound=Fraction(0)))
    return space


class Centre(Record):
    """A weighting as far as possible from every bound of a region, and the proof that none is farther.

    Attributes
    ----------
    weights : Series of Fraction by task
        The weighting.
    radius : Fraction
        The share of the total weight that can be moved before a bound is reached.
    blockers : mapping from bound to Fraction
        A mixture of bounds from which no weighting is farther.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space, then one per head-to-head tied all over the region, in that proof.
    """

    weights: Seen[pd.Series] = ByName()
    radius: Fraction
    blockers: Mapping[str, Fraction]
    vectors: Vectors

    def check(self, sides: Sides, dimension: int) -> None:
        """Ensure that the weights are in the space and ``radius`` from every side, and that none are farther."""
        check_exact(radius=self.radius)
        check_weighting(self.weights, sides.space)
        if dimension == 0:
            ensure(self.radius == 0 and not self.blockers, "a single weighting leaves no room")
            return
        ensure(tuple(self.blockers) == sides.names, "the bounds around the centre are others")
        least = min(leads(sides.rows, self.weights.tolist()))
        ensure(least == self.radius * sides.unit, f"the centre has {least / sides.unit} of room, not {self.radius}")
        check_bound(sides.rows, sides.names, self.blockers, self.vectors, sides.space, bound=least)


def centre_of(sides: Sides, only: Sequence[Fraction] | None) -> Centre:
    """Return the centre of the region within these sides; ``only`` is its sole weighting, if it has just one."""
    if only is not None:
        weights = dict(zip(sides.space.tasks, only, strict=True))
        return Centre(weights=weights, radius=Fraction(0), blockers={}, vectors=())
    # All rows in one unit: the point farthest from the nearest of them is the widest margin's program once more.
    proof = widest_margin(sides.rows, sides.names, sides.space)
    return Centre(
        weights=dict(zip(sides.space.tasks, proof.weights, strict=True)),
        radius=proof.lower / sides.unit,
        blockers=dict(zip(sides.names, proof.blockers, strict=True)),
        vectors=proof.vectors,
    )


MOST_VERTICES = 10_000
"""Most vertices that are written out, one for each choice among equal tasks."""


class WinningRegion(OfModel, kind="winning_region"):
    """The weightings of a space under which no rival is ahead of a model: a polytope.

    Attributes
    ----------
    model, rule, signs, points, space
        As of an `OfModel`.
    rivals : tuple of str
        All models but the one, in board order.
    corners : DataFrame of Fraction
        Vertices over classes of equal tasks, one row each; a column has the name of the first task of its class.
    unbeaten : Fraction or None
        Share of the space in which the model is undefeated; None where it takes too many simplices.
    inmost : Centre
        The centre with its proof.
    """

    rivals: tuple[str, ...]
    corners: Seen[pd.DataFrame] = Seen(
        Mapping[str, tuple[Fraction, ...]],
        lambda corners: {str(task): tuple(column) for task, column in corners.items()},
        lambda _, held: _corners_frame(held),
    )
    unbeaten: Fraction | None
    inmost: Centre

    @cached_property
    def bounds(self) -> HalfSpaces:
        """The rows that bound the region."""
        return half_spaces(self.rows, self.space)

    @property
    def classes(self) -> tuple[tuple[str, ...], ...]:
        """Tasks with equal columns, in all head-to-heads and conditions: only the sum of their weights matters."""
        return self.bounds.classes

    @cached_property
    def polytope(self) -> Polytope:
        """The region over the classes, in integers."""
        whole = Polytope.of(self.bounds.merged_conditions(), len(self.classes))
        rows = dict.fromkeys([*whole.rows, *self.bounds.merged_duels()])
        corners = [tuple(common_denominator(row)[0]) for row in self.corners.to_numpy().tolist()]
        return Polytope(rows=tuple(rows), corners=tuple(corners))

    @property
    def dimension(self) -> int:
        """Dimension of the region among the weightings of all n tasks, whose simplex has dimension n - 1."""
        # A class that has weight somewhere in the region adds one for each further task.
        further = (len(members) - 1 for members, room in zip(self.classes, self._has_room, strict=True) if room)
        return self.polytope.dimension + sum(further)

    @property
    def _has_room(self) -> list[bool]:
        return [any(column) for column in zip(*self.polytope.corners, strict=True)]

    @property
    def tied(self) -> tuple[str, ...]:
        """Rivals that the model ties all over the region; with any, it wins nowhere."""
        corners = self.polytope.corners
        rows = zip(self.rivals, self.bounds.merged_duels(), strict=True)
        return tuple(rival for rival, row in rows if not any(inner_product(row, corner) for corner in corners))

    @property
    def share(self) -> Fraction | None:
        """Share of the space in which the model beats every rival; None where it takes too many simplices.

        Ties on the boundary have no volume, so this is ``unbeaten``; but 0 if some rival is tied all over the region.
        """
        return self.unbeaten if self.unbeaten is None or not self.tied else Fraction(0)

    @property
    def centre(self) -> pd.Series:
        """A weighting from which the most weight can be moved, from any tasks to any others, inside the region."""
        return self.inmost.weights

    @property
    def radius(self) -> Fraction:
        """How much weight that is: the distance of ``centre`` from every bound, measured by half the sum of changes.

        In a region or space of lower dimension only such moves count as stay within its span; a single weighting has 0.
        """
        return self.inmost.radius

    @property
    def vertices(self) -> pd.DataFrame:
        """The vertices as weights of the tasks, one row each: a class puts its weight on any one of its tasks.

        Raises
        ------
        InputError
            If there are more than `MOST_VERTICES`; ``corners`` holds them over the classes.
        """
        count = sum(
            math.prod(len(members) for members, one in zip(self.classes, corner, strict=True) if one)
            for corner in self.polytope.corners
        )
        if count > MOST_VERTICES:
            raise InputError(f"{count} vertices over the tasks; the {len(self.corners)} over classes are in .corners")
        rows = [one for row in self.corners.to_numpy().tolist() for one in self._spread(row)]
        return pd.DataFrame(rows, columns=list(self.tasks), dtype=object)

    def _spread(self, corner: Sequence[Fraction]) -> list[dict[str, Fraction]]:
        made = [dict.fromkeys(self.tasks, Fraction(0))]
        for members, weight in zip(self.classes, corner, strict=True):
            if weight:
                made = [{**one, task: weight} for one in made for task in members]
        return made

    @cached_property
    def facets(self) -> pd.DataFrame:
        """What bounds the region: duels that are tied, weights that are 0 and conditions that hold exactly on a facet.

        Columns ``kind`` (duel, task or condition) and ``name``; duels with the same signs share their facet, and what
        holds with equality all over the region is no bound of it.
        """
        polytope, bounds = self.polytope, self.bounds
        rows = {polytope.rows[place] for place in polytope.facet_rows() if self._keeps_all_room(polytope.tight[place])}
        found = [("duel", r) for r, row in zip(self.rivals, bounds.merged_duels(), strict=True) if row in rows]
        for place, (members, room) in enumerate(zip(bounds.classes, self._has_room, strict=True)):
            unit = tuple(int(place == other) for other in range(len(bounds.classes)))
            # One of several equal tasks can be without weight while the others carry that of the class.
            if room and (len(members) > 1 or unit in rows):
                found += [("task", task) for task in members]
        found += [("condition", text) for text, row in bounds.conditions if bounds.merged(row) in rows]
        return pd.DataFrame(list(dict.fromkeys(found)), columns=["kind", "name"])

    def _keeps_all_room(self, face: int) -> bool:
        """Return whether every class of several tasks has weight somewhere on a face (of dimension above one)."""
        corners = [self.polytope.corners[place] for place in places_of(face)]
        columns = zip(self.classes, self._has_room, zip(*corners, strict=True), strict=True)
        return all(any(column) for members, room, column in columns if room and len(members) > 1)

    def __str__(self) -> str:
        """Say the share and the shape in one sentence; another one names the conditions, if there are any."""
        count, several = len(self.corners), "vertex" if len(self.corners) == 1 else "vertices"
        merged = " (equal tasks merged)" if len(self.classes) < len(self.tasks) else ""
        shape = f"a polytope of dimension {self.dimension} with {count} {several}{merged}"
        if self.tied:
            with_whom = first_few(self.tied, 3)
            said = f"{self.model} wins under no weighting: where it is undefeated, {shape}, it ties {with_whom}."
        elif self.share is None:
            said = f"{self.model} can win: it is undefeated on {shape}, whose share takes too much to compute exactly."
        else:
            of = "the allowed" if self.space.conditions else "all"
            said = f"{self.model} wins under {percent(self.share)} of {of} weightings, {shape}."
        return f"{self.by_rule}, {said}{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the vertices over the classes, and the centre."""
        names = [f"vertex {number}" for number in range(1, len(self.corners) + 1)]
        centre = [sum(self.centre[list(members)], Fraction(0)) for members in self.classes]
        columns = [" + ".join(members) for members in self.classes]
        return pd.DataFrame([*self.corners.to_numpy().tolist(), centre], index=[*names, "centre"], columns=columns)

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the vertices, that none is missing, the share and the centre, in exact arithmetic without a solver.

        Every vertex must be feasible and lie on enough bounds; the vertices are found once more by double description,
        which shows that none is missing, as do points at the edge of the region, each of which must be a mixture of
        them; and the volumes of a triangulation are added up.

        Raises
        ------
        ProofError
            Naming the first thing that fails.
        """
        self.check_rows(self.rivals, source)
        heads = [members[0] for members in self.classes]
        ensure(self.corners.columns.tolist() == heads, "the columns of the vertices are not the classes of equal tasks")
        for row in self.corners.to_numpy().tolist():
            check_exact(**{f"weight {place}": value for place, value in enumerate(row)})
            ensure(sum(row, Fraction(0)) == 1, "the weights of a vertex do not sum to 1")
        if self.unbeaten is not None:
            check_exact(unbeaten=self.unbeaten)
        self.polytope.check()
        found = _share(self.polytope, self.bounds)
        ensure(found == self.unbeaten, f"the share is {found}, not {self.unbeaten}")
        self.inmost.check(sides_of(self.bounds, self.polytope.corners, self.rivals, self.space), self.dimension)
        return True


def winning_region(
    board: LeadsLike,
    model: str,
    *,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> WinningRegion:
    """Return all weightings under which no rival is ahead of a model, as a polytope with its exact share of all.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    model : str
        Whom the question is about.
    rule : str or sequence of numbers
        By which it wins: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"`` or the
        points of the places.
    ties, missing : str, optional
        Options of rules by place, as for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights; the share is then that of the space, by volume in its own dimension.
    time_limit : float, optional
        Seconds for the whole question.

    Returns
    -------
    WinningRegion
        ``.vertices``, ``.share``, ``.centre``, ``.radius`` and ``.facets``. The share is None where it takes too many
        simplices: more than some 230,000 with six distinct columns of signs, 50,000 with ten. `winning_shares` then
        estimates it.

    Raises
    ------
    ImpossibleError
        If the model loses to another model under all weights; its ``proof`` is the Prospect that shows it.
    InputError
        If the region has too many vertices.
    UnknownNameError, EmptySpaceError, UnprovedError
        As for `prospect`.

    Notes
    -----
    Tasks with equal columns of signs are merged; uniform weightings of the tasks then have the density of a Dirichlet
    distribution with the multiplicities as parameters, a polynomial, which is integrated exactly over a triangulation.
    The centre maximises the room to every bound: the share of weight that can be moved (half the L1 distance) before
    the bound is reached. It is rational and need not be unique.

    Vertices by double description, at most O(r v^3) for r rivals and v vertices; the number of simplices grows fast
    with the dimension, and is counted before they are made. Six columns and 100 rivals take a tenth of a second.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 (the region); Fukuda and Prodon, 1996 (vertices); Büeler, Enge and
    Fukuda, 2000 (volumes).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1, "b": 2}})
    >>> region = wl.lp.winning_region(board, "a")
    >>> region.share, region.radius
    (Fraction(1, 4), Fraction(1, 6))
    >>> region.vertices
         x    y    z
    0    1    0    0
    1  1/2  1/2    0
    2  1/2    0  1/2
    """
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    allowed = asked.space
    with within(time_limit):
        found = linear_prospect(asked, model)
        if found.margin < 0:
            raise ImpossibleError(f"{model!r} has no winning region: {found}", proof=found)
        matrix, rivals = found.rows, found.rivals
        bounds = half_spaces(matrix, allowed)
        polytope = Polytope.of([*bounds.merged_conditions(), *bounds.merged_duels()], len(bounds.classes))
        # Corners are integer rays of a cone: dividing by their sum makes weights of them.
        corners = [[Fraction(one, sum(corner)) for one in corner] for corner in polytope.corners]
        sides = sides_of(bounds, polytope.corners, rivals, allowed)
        alone = found.weights.tolist() if _is_point(polytope, bounds) else None
        centre = centre_of(sides, alone)
    return WinningRegion(
        model=model,
        **asked.fields(model),
        rivals=rivals,
        space=allowed,
        corners=pd.DataFrame(corners, columns=[members[0] for members in bounds.classes], dtype=object),
        unbeaten=_share(polytope, bounds),
        inmost=centre,
    ).verified()


def _is_point(polytope: Polytope, bounds: HalfSpaces) -> bool:
    """Return whether the region is a single weighting."""
    (first, *rest) = polytope.corners
    return not rest and all(len(members) == 1 for members, one in zip(bounds.classes, first, strict=True) if one)


def _share(polytope: Polytope, bounds: HalfSpaces) -> Fraction | None:
    """Return the share of the space that the region takes up, or None where it takes too much."""
    whole = Polytope.of(bounds.merged_conditions(), len(bounds.classes))
    try:
        return share_of(polytope, whole, bounds.multiplicities)
    except InputError:
        return None


def _corners_frame(columns: Mapping[str, Sequence[Fraction]]) -> pd.DataFrame:
    if len(set(map(len, columns.values()))) > 1:
        raise InputError("corners: each vertex needs a weight of every class")
    return pd.DataFrame(dict(columns), dtype=object)
