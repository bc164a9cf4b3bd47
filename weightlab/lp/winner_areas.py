"""The areas of a map of winners: convex parts of the triangle of three weights, by who is unbeaten in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pandas as pd

from weightlab._exact import common_denominator
from weightlab._record import Record, Travels, read_fraction, read_list, to_json
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError
from weightlab.lp.convex_polygons import (
    TRIANGLE,
    Line,
    Point,
    Polygon,
    area,
    clipped,
    inner_point,
    intersection,
    joined,
    without,
)
from weightlab.lp.map_corners import corner_leads

__all__ = [
    "ZERO",
    "Area",
    "AreaKind",
    "areas_of",
    "flat_areas",
    "holds",
    "kind_of",
    "lines_of",
    "region_of",
    "unbeaten_at",
]

ZERO = Fraction(0)


class AreaKind(StrEnum):
    """Who wins inside an area."""

    WINNER = "winner"
    """One model beats every rival."""

    TIE = "tie"
    """Nobody does, but some lose to nobody."""

    NONE = "none"
    """Everybody loses to somebody: the majorities run in a cycle."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Area(Record):
    """A convex part of the triangle in whose interior the same models lose to nobody.

    Attributes
    ----------
    kind : AreaKind
        Whether one model wins, some tie for it, or nobody is unbeaten.
    models : tuple of str
        Those that lose to nobody, in board order: the winner alone, or all that tie.
    corners : tuple of tuples of int
        Counter-clockwise, as coprime integers in proportion to the three weights. Two are a segment and one a point
        where a model loses to nobody though it does so on no open set; such areas overlap the others.
    """

    derived = ("share",)

    kind: AreaKind
    models: tuple[str, ...]
    corners: Annotated[Polygon, Travels(_to_json, _from_json)]

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


def lines_of(signs: Signs, corners: pd.DataFrame) -> tuple[tuple[Line, ...], ...]:
    """Return for each model its leads over all models at the three corners: its duels are lost beyond these lines."""
    return tuple(
        tuple(tuple(int(one) for one in row) for row in corner_leads(signs, corners, position))
        for position in range(len(signs.models))
    )


def region_of(lines: Sequence[Line], allowed: Polygon = TRIANGLE) -> Polygon:
    """Return where a model loses to nobody, within what is allowed."""
    left = allowed
    for line in dict.fromkeys(lines):
        left = clipped(left, line)
        if not left:
            break
    return left


def areas_of(
    models: Sequence[str], lines: Sequence[Sequence[Line]], regions: Sequence[Polygon], allowed: Polygon = TRIANGLE
) -> list[Area]:
    """Return the polygons: what is allowed cut up by one region after another, pieces put together again."""
    cells: list[tuple[Polygon, tuple[int, ...]]] = [(allowed, ())]
    for position, region in enumerate(regions):
        if len(region) > 2:
            cells = [piece for cell, held in cells for piece in _divided(cell, held, region, position)]
    pieces: dict[tuple[int, ...], list[Polygon]] = {}
    for cell, held in cells:
        pieces.setdefault(held, []).append(cell)
    made = []
    for held in sorted(pieces, key=lambda one: (not one, len(one), one)):
        for polygon in _whole(pieces[held], [regions[one] for one in held]):
            _, winner = unbeaten_at(lines, inner_point(polygon))
            made.append(Area(kind=kind_of(held, winner), models=tuple(models[one] for one in held), corners=polygon))
    return made


def _divided(
    cell: Polygon, held: tuple[int, ...], region: Polygon, position: int
) -> list[tuple[Polygon, tuple[int, ...]]]:
    """Return a cell divided into what lies in the region of one more model and what does not."""
    common = intersection(cell, region)
    inside = [(common, (*held, position))] if len(common) > 2 else []
    return inside + [(piece, held) for piece in without(cell, region)]


def _whole(pieces: Sequence[Polygon], regions: Sequence[Polygon]) -> list[Polygon]:
    """Return few polygons that fill the same as the pieces: the common region of their models, if that is all."""
    if regions:
        common = regions[0]
        for region in regions[1:]:
            common = intersection(common, region)
        if area(common) == sum(map(area, pieces), ZERO):
            return [common]
    return sorted(joined(pieces), key=area, reverse=True)


def flat_areas(models: Sequence[str], regions: Sequence[Polygon]) -> list[Area]:
    """Return the segments and points where models are unbeaten that are so on no open set."""
    return [
        Area(kind=AreaKind.TIE, models=(model,), corners=region)
        for model, region in zip(models, regions, strict=True)
        if 0 < len(region) < 3
    ]


def unbeaten_at(lines: Sequence[Sequence[Line]], point: Point) -> tuple[tuple[int, ...], int | None]:
    """Return the positions of the models that lose to nobody at a point, and of the one that beats everybody."""
    weights = np.array(point, dtype=object)
    unbeaten, winner = [], None
    for position, own in enumerate(lines):
        leads = (np.array(own, dtype=object) @ weights).tolist()
        if min(leads) >= 0:
            unbeaten.append(position)
            winner = position if all(lead > 0 for k, lead in enumerate(leads) if k != position) else winner
    return tuple(unbeaten), winner


def kind_of(unbeaten: Sequence[int], winner: int | None) -> AreaKind:
    """Return the kind of an area from who is unbeaten and who beats everybody inside."""
    if winner is not None:
        return AreaKind.WINNER
    return AreaKind.TIE if unbeaten else AreaKind.NONE


def holds(polygon: Polygon, point: Point) -> bool:
    """Tell whether a polygon, segment or point holds a point, its border included."""
    if len(polygon) > 2:
        return len(intersection((point,), polygon)) == 1
    return _between(polygon, point)


def _between(segment: Polygon, point: Point) -> bool:
    """Tell whether a point lies on a segment, which may be a point."""
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
