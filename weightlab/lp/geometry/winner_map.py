"""Maps of winners: the triangle of three weights cut into the areas where each model wins, with their exact shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, reduce
from typing import Annotated, Any

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import FLOAT_EXACT, WeightsLike, common_denominator, largest_entry
from weightlab._result import (
    Codec,
    Frozen,
    Record,
    Seen,
    ensure,
    exact_series,
    read_fraction,
    read_list,
    refuse_others,
    to_json,
)
from weightlab._text import first_few, is_text, percent
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.frame.declarations import Group, TasksLike, tasks_named
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.linear_rule import MAJORITY, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError
from weightlab.lp.by_model import Asked, OfTable
from weightlab.lp.geometry.double_description import inner_product
from weightlab.lp.geometry.polygons import (
    TRIANGLE,
    Line,
    Point,
    Polygon,
    area,
    clipped,
    difference,
    inner_point,
    intersection,
    is_convex,
    merged,
)
from weightlab.lp.geometry.polytope import half_spaces
from weightlab.lp.space.conditions import ZERO, named, proportion_text
from weightlab.lp.space.space import WeightSpace, shares_of

FEW = 8
"""Number of a model's least leads that are compared with all its others at once."""


class AreaKind(StrEnum):
    """Who wins inside an area."""

    WINNER = "winner"
    """One model beats every rival."""

    TIE = "tie"
    """No model wins, but some are undefeated."""

    NONE = "none"
    """Every model loses to another: the majority relation has a cycle at its top."""


class Area(Record):
    """A convex part of the triangle in whose interior the same models are undefeated.

    Attributes
    ----------
    kind : AreaKind
        Whether one model wins, some tie for it, or no model is unbeaten.
    models : tuple of str
        Those undefeated all over it, in board order: the winner alone, or all that tie. Of a segment or point
        the one model that it was found for; `WinnerMap.at` tells who is unbeaten at any one point.
    corners : tuple of tuples of int
        Counter-clockwise, as coprime integers in proportion to the three weights. Two are a segment and one a point
        where a model is undefeated though on no open set around it; such areas overlap the others.
    """

    derived = ("share",)

    kind: AreaKind
    models: tuple[str, ...]
    corners: Annotated[Polygon, Codec(_to_json, _from_json)]

    @property
    def vertices(self) -> tuple[tuple[Fraction, ...], ...]:
        """The corners as weights that sum to 1, in the same order."""
        return tuple(tuple(Fraction(one, sum(corner)) for one in corner) for corner in self.corners)

    @property
    def share(self) -> Fraction:
        """Share of the whole triangle."""
        return area(self.corners)

    @property
    def shape(self) -> str:
        """Whether it is a polygon, a segment or a point."""
        return "polygon" if len(self.corners) > 2 else ("point", "segment")[len(self.corners) - 1]

    @property
    def centre(self) -> tuple[Fraction, ...]:
        """A point inside: the mean of the corners, for a label."""
        point = inner_point(self.corners)
        return tuple(Fraction(one, sum(point)) for one in point)


def lines_of(table: Signs | Points, corners: pd.DataFrame) -> tuple[tuple[Line, ...], ...]:
    """Return for each model its least leads over rivals at the corners: beyond these lines it loses head-to-heads."""
    columns = [corners[name].tolist() for name in corners.columns]
    numerators, _ = common_denominator([share for column in columns for share in column])
    # Sums of rows times these stay below their total times the largest: floats hold them exactly, or Python's integers.
    largest = 1 if isinstance(table, Signs) else 2 * max(1, largest_entry(table.numerators))
    kind = np.float64 if sum(numerators) * largest < FLOAT_EXACT else object
    spread = np.array(numerators, dtype=kind).reshape(3, len(table.tasks))
    used = np.flatnonzero((spread != 0).any(axis=0))
    # A lead is linear in the weights, so its values at the three corners are all there is to know.
    models = range(len(table.models))
    duels = (table.over_all(model)[:, used].astype(kind) @ spread[:, used].T for model in models)
    return tuple(_least_lines(np.delete(own, model, axis=0)) for model, own in zip(models, duels, strict=True))


def _least_lines(leads: np.ndarray) -> tuple[Line, ...]:
    """Return the distinct leads without another below them at every corner: where these are positive, all are."""
    lost = (leads < 0).all(axis=1)
    if lost.any():
        # Dominated: one rival is enough, everywhere.
        leads = leads[np.argmax(lost)][None]
    # A few small ones drop nearly all others, at once.
    few = leads[np.argsort(leads.sum(axis=1), kind="stable")[:FEW], None]
    above = ((few <= leads).all(axis=2) & (few != leads).any(axis=2)).any(axis=0)
    left = list(dict.fromkeys(tuple(map(int, row)) for row in leads[~above].tolist()))
    pairs = np.array(left, dtype=leads.dtype).reshape(-1, 3)
    least = (pairs[:, None] <= pairs).all(axis=2).sum(axis=0) == 1
    return tuple(line for line, kept in zip(left, least.tolist(), strict=True) if kept)


def region_of(lines: Sequence[Line], allowed: Polygon = TRIANGLE) -> Polygon:
    """Return where a model is undefeated, within the allowed polygon."""
    return reduce(clipped, lines, allowed)


def areas_of(
    models: Sequence[str], lines: Sequence[Sequence[Line]], regions: Sequence[Polygon], allowed: Polygon = TRIANGLE
) -> list[Area]:
    """Return the polygons: what is allowed cut up by one region after another, pieces put together again."""
    # A cell is a convex polygon with the models known to be unbeaten all over it.
    cells: list[tuple[Polygon, tuple[int, ...]]] = [(allowed, ())]
    for position, region in enumerate(regions):
        if len(region) > 2:
            cells = [piece for cell, held in cells for piece in _split(cell, held, region, position)]
    pieces: dict[tuple[int, ...], list[Polygon]] = {}
    for cell, held in cells:
        pieces.setdefault(held, []).append(cell)
    made = []
    for held in sorted(pieces, key=lambda one: (not one, len(one), one)):
        for polygon in _merged_region(pieces[held], [regions[one] for one in held]):
            _, winner = unbeaten_at(lines, inner_point(polygon))
            made.append(Area(kind=kind_of(held, winner), models=tuple(models[one] for one in held), corners=polygon))
    return made


def _split(
    cell: Polygon, held: tuple[int, ...], region: Polygon, position: int
) -> list[tuple[Polygon, tuple[int, ...]]]:
    """Return a cell divided into what lies in the region of one more model and what does not."""
    common = intersection(cell, region)
    inside = [(common, (*held, position))] if len(common) > 2 else []
    return inside + [(piece, held) for piece in difference(cell, region)]


def _merged_region(pieces: Sequence[Polygon], regions: Sequence[Polygon]) -> list[Polygon]:
    """Return few polygons that fill the same as the pieces: the common region of their models, if that is all."""
    if regions:
        common = reduce(intersection, regions)
        # A convex common region with the area of the pieces is their union: no joining by trial is needed.
        if area(common) == sum(map(area, pieces), ZERO):
            return [common]
    return sorted(merged(pieces), key=area, reverse=True)


def flat_areas(models: Sequence[str], regions: Sequence[Polygon]) -> list[Area]:
    """Return the segments and points where models are unbeaten that are so on no open set."""
    return [
        Area(kind=AreaKind.TIE, models=(model,), corners=region)
        for model, region in zip(models, regions, strict=True)
        if 0 < len(region) < 3
    ]


def unbeaten_at(lines: Sequence[Sequence[Line]], point: Point) -> tuple[tuple[int, ...], int | None]:
    """Return the positions of the undefeated models at a point, and of the one that beats all others."""
    met = [k for k, own in enumerate(lines) if all(inner_product(line, point) >= 0 for line in own)]
    winner = next((k for k in met if all(inner_product(line, point) > 0 for line in lines[k])), None)
    return tuple(met), winner


def kind_of(unbeaten: Sequence[int], winner: int | None) -> AreaKind:
    """Return the kind of an area from who is unbeaten and who beats all others inside."""
    if winner is not None:
        return AreaKind.WINNER
    return AreaKind.TIE if unbeaten else AreaKind.NONE


def contains(polygon: Polygon, point: Point) -> bool:
    """Return whether a polygon, segment or point contains a point, its border included."""
    if len(polygon) > 2:
        return len(intersection((point,), polygon)) == 1
    return _between(polygon, point)


def _between(segment: Polygon, point: Point) -> bool:
    """Return whether a point lies on a segment, which may be a point."""
    where = tuple(Fraction(one, sum(point)) for one in point)
    first, last = (tuple(Fraction(one, sum(end)) for one in end) for end in (segment[0], segment[-1]))
    moving = next((k for k in range(3) if first[k] != last[k]), None)
    if moving is None:
        return where == first
    step = (where[moving] - first[moving]) / (last[moving] - first[moving])
    return 0 <= step <= 1 and all(w == a + step * (b - a) for w, a, b in zip(where, first, last, strict=True))


def _to_json(corners: Polygon) -> Any:
    return to_json([[Fraction(one, sum(corner)) for one in corner] for corner in corners])


def _from_json(listed: Any, what: str) -> Polygon:
    """Return the corners of an area from weights that sum to 1."""
    corners = [[read_fraction(one, what) for one in read_list(corner, what)] for corner in read_list(listed, what)]
    if not corners or any(len(corner) != 3 or sum(corner) != 1 for corner in corners):
        raise InputError(f"{what}: an area needs corners of three weights that sum to 1")
    return tuple(tuple(common_denominator(corner)[0]) for corner in corners)


# The three corners of a map: tasks, or groups whose weight is spread over their tasks in fixed proportions.


def corners_of(
    board: object,
    known_tasks: Sequence[str],
    tasks: Sequence[str | Group] | None,
    groups: Mapping[str, TasksLike | WeightsLike] | None,
) -> pd.DataFrame:
    """Return how each of three corners spreads its weight: tasks x corners, exact, columns that sum to 1.

    Raises
    ------
    InputError
        If there are not three of them, or not exactly one of ``tasks`` and ``groups`` says which.
    UnknownNameError
        If a task or group is not known.
    """
    if tasks is not None and groups is not None:
        raise InputError(Fault("tasks and groups are both given", Cure("groups", None)))
    known = dict(board.groups) if isinstance(board, Leaderboard) else {}
    if groups is not None:
        if not isinstance(groups, Mapping):
            raise InputError(f"groups must be a mapping from three names to their tasks; got {groups!r}")
        chosen: dict[str, Any] = {str(name): members for name, members in groups.items()}
        strange = next(
            (name for name in chosen if not is_text(name) or (name[:1] == "@" and name not in known_tasks)), None
        )
        if strange is not None:
            raise InputError(f"{strange!r} names no group: names with @ are those of the table's groups, in tasks=")
    else:
        if isinstance(tasks, str) or not isinstance(tasks, Iterable | None):
            raise InputError(f"three tasks are needed; got {tasks!r}")
        listed = list(known_tasks if tasks is None else tasks)
        chosen = {str(one): [one] for one in listed}
        if len(chosen) != len(listed):
            raise InputError(f"the corners must be three different ones; got {', '.join(map(str, listed))}")
    if len(chosen) != 3:
        some = (Cure("tasks", [*chosen][:3]),) if tasks is None and groups is None and len(chosen) > 3 else ()
        raise InputError(Fault(f"a map needs three tasks or groups; got {len(chosen)}", *some))
    spread = {name: _spread(name, members, known_tasks, known) for name, members in chosen.items()}
    for name, shares in spread.items():
        _check_name(name, shares, known_tasks, known if groups is not None else {})
    return pd.DataFrame(spread, index=list(known_tasks), dtype=object)


def _check_name(
    name: str, shares: Sequence[Fraction], tasks: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> None:
    """Refuse a corner that has the name of a task or group of the table but differs from it."""
    if not _is_own_task(name, shares, tasks):
        raise InputError(f"{name!r} is a task of the table, so a group of other tasks needs another name")
    own = {task for task, share in zip(tasks, shares, strict=True) if share}
    if name in groups and name not in tasks and own != {*groups[name]}:
        raise InputError(f"{name!r} is a group of the table, so one of other tasks needs another name")


def _is_own_task(name: str, shares: Sequence[Fraction], tasks: Sequence[str]) -> bool:
    """Return whether a corner with the name of a task is that task."""
    return name not in tasks or shares[list(tasks).index(name)] == 1


def _spread(name: str, members: Any, tasks: Sequence[str], known: Mapping[str, Sequence[str]]) -> list[Fraction]:
    if isinstance(members, Mapping | pd.Series):
        chosen = tasks_named([str(task) for task in members.keys()], tasks, {})  # noqa: SIM118 - also a Series
        shares = shares_of(members, chosen)
    else:
        chosen = tasks_named(members, tasks, known)
        shares = {task: Fraction(1, len(chosen)) for task in chosen}
    if not shares:
        raise InputError(f"group {name!r} has no task")
    return [shares.get(task, Fraction(0)) for task in tasks]


def allowed_part(corners: pd.DataFrame, space: WeightSpace) -> Polygon:
    """Return the part of the triangle that the conditions of a space on the weights of the tasks allow.

    Raises
    ------
    InputError
        If no area is left, or the conditions come to too many inequalities.
    """
    left = TRIANGLE
    if not space.conditions:
        return left
    no_duels = np.zeros((0, len(space.tasks)), dtype=np.int8)
    # A condition on tasks becomes one on the triangle by its values at the corners, for the same reason.
    spread = [corners[name].tolist() for name in corners.columns]
    for _, row in half_spaces(no_duels, space).conditions:
        ends = [sum((one * share for one, share in zip(row, shares, strict=True)), Fraction(0)) for shares in spread]
        a, b, c = common_denominator(ends)[0]
        left = clipped(left, (a, b, c))
    if len(left) < 3:
        shapes = ("nothing", "one weighting", "a segment")
        raise InputError(f"the conditions leave {shapes[len(left)]} of the triangle, and a map needs an area ({space})")
    return left


def corner_text(name: str, shares: pd.Series) -> str:
    """Return a corner in words: a task by its name, a group with the tasks over which it spreads its weight."""
    spread = {str(task): share for task, share in shares.items() if share}
    if list(spread) == [name]:
        return named(name)
    members = proportion_text(spread) if len(spread) > 1 else ", ".join(map(named, spread))
    return f"{name if name.startswith('@') else named(name)} ({members})"


def check_groups(corners: pd.DataFrame, groups: Mapping[str, Sequence[str]]) -> None:
    """Ensure that corners called like groups of a table are of their tasks; ``@nli`` spreads its weight equally."""
    for name in corners.columns:
        shares = {str(task): share for task, share in corners[name].items() if share}
        if name in groups and name not in corners.index:
            ensure(set(shares) == set(groups[name]), f"the group {name!r} has different tasks in the source")
        if name not in corners.index and name.startswith("@"):
            known = groups.get(name[1:])
            ensure(known is not None, f"the source has no group {name[1:]!r}")
            ensure(set(shares) == set(known or ()), f"the group {name[1:]!r} has different tasks in the source")
            ensure(len(set(shares.values())) == 1, f"corner {name!r} does not spread its weight equally")


def check_corners(corners: pd.DataFrame, tasks: Sequence[str]) -> None:
    """Ensure that corners are three weightings of the tasks, and that one called like a task is that task."""
    ensure(len(set(corners.columns)) == 3 == len(corners.columns), "there must be three different corners")
    for name in corners.columns:
        shares = corners[name].tolist()
        ensure(all(isinstance(one, Fraction) and one >= 0 for one in shares), f"corner {name!r} is not a weighting")
        ensure(sum(shares, Fraction(0)) == 1, f"the weights of corner {name!r} do not sum to 1")
        ensure(_is_own_task(name, shares, tasks), f"corner {name!r} is another task, or a group")


class Standing(Frozen, eq=True):
    """Who wins at one point of the map.

    Attributes
    ----------
    winner : str or None
        The model that beats every rival.
    unbeaten : tuple of str
        The undefeated models.
    areas : tuple of int
        Positions of the areas that hold the point, on their borders too.
    """

    winner: str | None
    unbeaten: tuple[str, ...]
    areas: tuple[int, ...]


class WinnerMap(OfTable, kind="map_of_winners"):
    """The triangle of three weights, divided into areas by who wins there.

    Attributes
    ----------
    rule, signs, points, space
        As of an `OfTable`.
    corners : DataFrame of Fraction, tasks x 3
        How each corner spreads its weight over the tasks; columns sum to 1.
    areas : tuple of Area
        Polygons that fill what is allowed of the triangle: winners and ties in board order, then areas without any
        unbeaten model; then the segments and points where further models are unbeaten.
    """

    corners: Seen[pd.DataFrame] = Seen(
        Mapping[str, Mapping[str, Fraction]],
        lambda corners: {str(name): {task: one for task, one in own.items() if one} for name, own in corners.items()},
        lambda record, held: corners_frame(held, record.leads.tasks),
    )
    areas: tuple[Area, ...]

    @cached_property
    def allowed(self) -> Polygon:
        """The part of the triangle that the space allows."""
        return allowed_part(self.corners, self.space)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the three corners."""
        return tuple(map(str, self.corners.columns))

    @cached_property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        """For each model its leads over rivals at the three corners that are least somewhere, as integers."""
        return lines_of(self.leads, self.corners)

    @cached_property
    def shares(self) -> pd.Series:
        """The exact share of the allowed weights under which each model beats every rival."""
        winning = [one for one in self.areas if one.kind is AreaKind.WINNER]
        won = {
            model: sum((self.share_of(one) for one in winning if model in one.models), ZERO) for model in self.models
        }
        return exact_series(list(won.values()), self.models, "share")

    @property
    def tied(self) -> Fraction:
        """Share of the allowed weights under which some models are unbeaten and none beats all."""
        return self._share_of_kind(AreaKind.TIE)

    @property
    def cyclic(self) -> Fraction:
        """Share of the allowed weights under which every model loses to another."""
        return self._share_of_kind(AreaKind.NONE)

    def share_of(self, one: Area) -> Fraction:
        """Return an area's share of the allowed weights; its own ``share`` is that of the whole triangle."""
        return one.share / area(self.allowed)

    def _share_of_kind(self, kind: AreaKind) -> Fraction:
        return sum((self.share_of(one) for one in self.areas if one.kind is kind), ZERO)

    def at(self, weights: WeightsLike) -> Standing:
        """Return who wins at a weighting of the three corners, borders decided exactly.

        Parameters
        ----------
        weights : mapping, Series or sequence
            One for each corner, not negative; scaled to sum to 1.

        Raises
        ------
        InputError, UnknownNameError
            If a corner has no weight or is not known, or a weight is negative or not a number.
        """
        shares = shares_of(weights, self.names)
        point = tuple(common_denominator([shares[name] for name in self.names])[0])
        unbeaten, winner = unbeaten_at(self.lines, point)
        held = tuple(place for place, one in enumerate(self.areas) if contains(one.corners, point))
        return Standing(
            winner=None if winner is None else self.models[winner],
            unbeaten=tuple(self.models[one] for one in unbeaten),
            areas=held,
        )

    def __str__(self) -> str:
        """Say the shares in one sentence."""
        ordered = self.shares.sort_values(ascending=False)
        won = [f"{model} {percent(share)}" for model, share in ordered.items() if share]
        parts = [first_few(won, 6) or "no model"]
        parts += [f"ties on {percent(self.tied)}"] if self.tied else []
        parts += [f"none is undefeated {self.rule.by} on {percent(self.cyclic)}"] if self.cyclic else []
        which = "the allowed" if self.space.conditions else "all"
        corners = ", ".join(corner_text(name, self.corners[name]) for name in self.names)
        whose = f"{self.by_rule} shares" if self.points is None else f"{self.by_rule}, shares"
        said = f"{whose} of {which} weights of {corners}: won by {'; '.join(parts)}."
        return said + self.space.conditions_sentence

    def to_frame(self) -> pd.DataFrame:
        """Return one row an area: kind, unbeaten models, shape, number of vertices, share and centre."""
        rows = [
            (str(one.kind), ", ".join(one.models), one.shape, len(one.corners), self.share_of(one), *one.centre)
            for one in self.areas
        ]
        columns = ["kind", "models", "shape", "vertices", "share", *(f"centre: {name}" for name in self.names)]
        return pd.DataFrame(rows, columns=columns)

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check that the areas are right all over and fill what is allowed of the triangle, in exact arithmetic.

        The polygons must be convex and their shares sum to that of the allowed part; no two of the same models may
        overlap. At a point inside each the undefeated models are recomputed, these must be undefeated at every vertex
        (hence all over it), and the part of the triangle in which any other model is undefeated must not meet it.

        Raises
        ------
        ProofError
            Naming the first area that fails.
        """
        self.check_leads(source)
        if source is not None:
            check_groups(self.corners, source.groups if isinstance(source, Leaderboard) else {})
        check_corners(self.corners, self.space.tasks)
        regions = [region_of(lines, self.allowed) for lines in self.lines]
        polygons = [one for one in self.areas if len(one.corners) > 2]
        for number, one in enumerate(polygons, start=1):
            ensure(is_convex(one.corners), f"area {number} is no convex polygon")
            ensure(
                all(contains(self.allowed, corner) for corner in one.corners), f"area {number} leaves what is allowed"
            )
            self._check_area(one, regions, f"area {number}")
        total = sum((one.share for one in polygons), ZERO)
        whole = area(self.allowed)
        ensure(total == whole, f"the shares of the areas sum to {total}, not to {whole}")
        # Areas of different models cannot overlap: a model unbeaten all over one was shown to have no region in the
        # other.
        for place, one in enumerate(polygons):
            for other in polygons[:place]:
                apart = one.models != other.models or not area(intersection(one.corners, other.corners))
                ensure(apart, f"two areas of {', '.join(one.models) or 'no model'} overlap")
        flat = [(one.kind, one.models, {*one.corners}) for one in self.areas if len(one.corners) < 3]
        expected = [(one.kind, one.models, {*one.corners}) for one in flat_areas(self.models, regions)]
        ensure(flat == expected, "the segments and points where models are unbeaten are others")
        ensure(list(self.areas) == [*polygons, *self.areas[len(polygons) :]], "segments and points come last")
        return True

    def _check_area(self, one: Area, regions: Sequence[Polygon], name: str) -> None:
        met, winner = unbeaten_at(self.lines, inner_point(one.corners))
        # A segment or point where a further model is undefeated may pass through this very point.
        unbeaten = [place for place in met if len(regions[place]) > 2]
        found = tuple(self.models[place] for place in unbeaten)
        ensure(found == one.models, f"inside {name} the unbeaten models are {found}, not {one.models}")
        ensure(kind_of(unbeaten, winner) is one.kind, f"{name} is no area of kind {one.kind}")
        for place, region in enumerate(regions):
            if place in unbeaten:
                lines = self.lines[place]
                safe = all(inner_product(line, corner) >= 0 for line in lines for corner in one.corners)
                ensure(safe, f"{self.models[place]!r} is beaten in a part of {name}")
            else:
                away = len(region) < 3 or not area(intersection(one.corners, region))
                ensure(away, f"{self.models[place]!r} is unbeaten in a part of {name}")


def map_of_winners(
    board: SignsLike,
    tasks: Sequence[str | Group] | None = None,
    *,
    groups: Mapping[str, TasksLike | WeightsLike] | None = None,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
) -> WinnerMap:
    """Divide the triangle of the weights of three tasks, or three groups of tasks, exactly into who wins where.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. In duels missing scores count as ties.
    tasks : sequence of three, optional
        Tasks, or groups of the leaderboard (``wl.group("nli")``), which spread their weight equally over their tasks.
        Not needed when the table has three tasks. All other tasks weigh nothing.
    groups : mapping from three names, optional
        Instead of ``tasks``: to each name its tasks, which weigh the same, or a mapping (or Series) from tasks to the
        proportions in which they share the weight of the group. Groups may overlap.
    rule : str or sequence of numbers
        By which a model wins: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"`` or
        the points of the places. By points a model that is alone first wins, and some model always is first.
    ties, missing : str, optional
        Options of rules by place, as for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights of all the tasks; what its conditions leave of the triangle is divided, and shares are of that.

    Returns
    -------
    WinnerMap
        ``.areas`` (convex polygons with exact vertices), ``.shares``, ``.cyclic``, ``.at(weights)``.

    Raises
    ------
    InputError
        If there are not three corners, a group has no task or weight, or conditions leave no area of the triangle.
    UnknownNameError
        If a task or group is not known.

    Notes
    -----
    A head-to-head is tied along a line, so a model is undefeated on a convex polygon, cut out by its head-to-heads:
    O(n^2) clippings for n models. What no such polygon covers is where every model loses to another; it need not be
    convex and is given as convex polygons. Ties on open sets (twins) are areas of their own.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2; Sutherland and Hodgman, 1974 (clipping).

    Examples
    --------
    >>> import weightlab as wl
    >>> rows = {"a": [3, 1, 2], "b": [2, 3, 1], "c": [1, 2, 3]}
    >>> import pandas as pd
    >>> board = wl.Leaderboard(pd.DataFrame(rows, index=["x", "y", "z"]).T)
    >>> print(wl.lp.map_of_winners(board))
    Head-to-head shares of all weights of x, y, z: won by a 25%, b 25%, c 25%; none is undefeated head-to-head on 25%.
    """
    board = as_table(board)
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    table, weights = asked.leads, asked.space
    corners = corners_of(board, table.tasks, tasks, groups)
    allowed, lines = allowed_part(corners, weights), lines_of(table, corners)
    regions = [region_of(one, allowed) for one in lines]
    return WinnerMap(
        **asked.of_table,
        corners=corners,
        space=weights,
        areas=(*areas_of(table.models, lines, regions, allowed), *flat_areas(table.models, regions)),
    ).verified()


def corners_frame(corners: Mapping[str, Mapping[str, Fraction]], tasks: Sequence[str]) -> pd.DataFrame:
    """Return how each corner of a map spreads its weight, tasks x corners, or raise InputError."""
    for name, shares in corners.items():
        refuse_others(shares, tasks, f"the corner {name!r}")
    spread = {name: [shares.get(task, ZERO) for task in tasks] for name, shares in corners.items()}
    return pd.DataFrame(spread, index=list(tasks), dtype=object)
