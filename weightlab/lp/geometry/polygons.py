"""Convex polygons in the triangle of three weights, exact: points are integer weights up to scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias, TypeVar

from weightlab.lp.geometry.double_description import inner_product, primitive

Point: TypeAlias = tuple[int, ...]
"""Three coprime integers, not negative: weights up to scale."""
Line: TypeAlias = tuple[int, ...]
"""Three integers: the points with ``line . point >= 0`` are on its positive side."""
Polygon: TypeAlias = tuple[Point, ...]
"""Corners counter-clockwise, none between its neighbours; two make a segment, one a point, none nothing."""
T = TypeVar("T")
TRIANGLE: Polygon = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
"""All weightings of three tasks."""


def clipped(polygon: Polygon, line: Line) -> Polygon:
    """Return the part of a polygon, segment or point on the positive side of a line, the line included.

    References
    ----------
    Sutherland and Hodgman, Reentrant polygon clipping, 1974.

    Examples
    --------
    >>> clipped(TRIANGLE, (1, -1, 0))
    ((1, 0, 0), (1, 1, 0), (0, 0, 1))
    """
    values = [inner_product(line, point) for point in polygon]
    if min(values, default=0) >= 0:
        return polygon
    kept: list[Point] = []
    for point, following, value, other in zip(polygon, _turned(polygon), values, _turned(values), strict=True):
        if value >= 0:
            kept.append(point)
        # Opposite signs: the side crosses the line, at a positive combination of its two ends.
        if value * other < 0:
            size, rest = abs(other), abs(value)
            kept.append(primitive([size * a + rest * b for a, b in zip(point, following, strict=True)]))
    return tuple(dict.fromkeys(kept))


def _turned(around: Sequence[T]) -> tuple[T, ...]:
    """Return the successor of each element of a ring."""
    return (*around[1:], *around[:1])


def orientation(first: Point, second: Point, third: Point) -> int:
    """Return the determinant of three points: positive when they turn counter-clockwise, 0 when they are in line."""
    # Homogeneous coordinates: scaling a point by a positive number keeps the sign, so integers suffice.
    (a, b, c), (d, e, f), (g, h, i) = first, second, third
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def area(polygon: Polygon) -> Fraction:
    """Return the share of the triangle that a polygon takes up.

    Examples
    --------
    >>> area(clipped(TRIANGLE, (2, -1, 0)))
    Fraction(2, 3)
    """
    total = Fraction(0)
    for place in range(2, len(polygon)):
        corners = (polygon[0], polygon[place - 1], polygon[place])
        # The determinant of the points as weights is that of the integers over their sums; the whole triangle has 1.
        total += Fraction(orientation(*corners), math.prod(map(sum, corners)))
    return total


def is_convex(polygon: Polygon) -> bool:
    """Return whether the corners go once around a convex polygon, counter-clockwise, each of them a true corner."""
    second = _turned(polygon)
    turns = all(orientation(*three) > 0 for three in zip(polygon, second, _turned(second), strict=True))
    # Turning left at every corner is not enough: a star does so, too.
    on_sides = (inner_product(line, point) >= 0 for line in sides(polygon) for point in polygon)
    return len(polygon) > 2 and turns and all(on_sides)


def sides(polygon: Polygon) -> tuple[Line, ...]:
    """Return the lines of the sides, from each corner to the next; the polygon is on their positive sides."""
    return tuple(map(_line, polygon, _turned(polygon)))


def _line(one: Point, other: Point) -> Line:
    # The cross product is the line through two points; its sign puts the polygon on the positive side.
    (a, b, c), (d, e, f) = one, other
    return primitive((b * f - c * e, c * d - a * f, a * e - b * d))


def intersection(one: Polygon, other: Polygon) -> Polygon:
    """Return the intersection of a polygon with a convex one."""
    return reduce(clipped, sides(other), one)


def difference(polygon: Polygon, hole: Polygon) -> list[Polygon]:
    """Return convex polygons that fill what a polygon has outside another one."""
    if len(intersection(polygon, hole)) < 3:
        return [polygon]
    left, pieces = polygon, []
    # Side by side: what lies beyond this one is cut off as a piece, the rest goes on. In the end the hole is left.
    for line in sides(hole):
        outside = clipped(left, tuple(-one for one in line))
        if len(outside) > 2:
            pieces.append(outside)
            left = clipped(left, line)
    return pieces


def merged(polygons: Iterable[Polygon]) -> list[Polygon]:
    """Return fewer convex polygons that fill the same: neighbours are joined as long as two make a convex one."""
    left = list(polygons)
    while pair := next(((one, two) for k, one in enumerate(left, 1) for two in left[k:] if _union(one, two)), None):
        left = [*(one for one in left if one not in pair), _union(*pair)]
    return left


def _union(one: Polygon, other: Polygon) -> Polygon:
    """Return the union of two polygons with a common side if it is convex, else nothing."""
    back = dict(zip(_turned(other), other, strict=True))
    for place, (start, end) in enumerate(zip(one, _turned(one), strict=True)):
        if back.get(start) == end:
            # From the end of the common side around the first polygon to its start, then around the second one.
            after = other.index(start) + 1
            ring = [*one[place + 1 :], *one[: place + 1], *(*other[after:], *other[:after])[:-2]]
            union = _true_corners(ring)
            return union if is_convex(union) else ()
    return ()


def _true_corners(points: Sequence[Point]) -> Polygon:
    corners = zip((*points[-1:], *points[:-1]), points, _turned(points), strict=True)
    return tuple(point for before, point, after in corners if orientation(before, point, after))


def inner_point(polygon: Polygon) -> Point:
    """Return a point inside a polygon or segment: the mean of its corners, or the point itself.

    Examples
    --------
    >>> inner_point(TRIANGLE)
    (1, 1, 1)
    """
    scale = 1
    # Scaled to the same sum every corner counts as much as any other.
    for point in polygon:
        scale *= sum(point)
    return primitive([sum(point[k] * (scale // sum(point)) for point in polygon) for k in range(3)])
