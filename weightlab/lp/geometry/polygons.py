"""Convex polygons in the triangle of three weights, exact: points are integer weights up to scale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from weightlab.lp.geometry.double_description import inner_product, primitive

Point: TypeAlias = tuple[int, ...]
"""Three coprime integers, not negative: weights up to scale."""
Line: TypeAlias = tuple[int, ...]
"""Three integers: the points with ``line . point >= 0`` are on its positive side."""
Polygon: TypeAlias = tuple[Point, ...]
"""Corners counter-clockwise, none between its neighbours; two make a segment, one a point, none nothing."""
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
    for place, (point, value) in enumerate(zip(polygon, values, strict=True)):
        following = (place + 1) % len(polygon)
        other = values[following]
        if value >= 0:
            kept.append(point)
        # Opposite signs: the side crosses the line, at a positive combination of its two ends.
        if value * other < 0:
            size, rest = abs(other), abs(value)
            kept.append(primitive([size * a + rest * b for a, b in zip(point, polygon[following], strict=True)]))
    return tuple(dict.fromkeys(kept))


def orientation(first: Point, second: Point, third: Point) -> int:
    """Return the determinant of three points: positive when they turn counter-clockwise, 0 when they are in line."""
    # Homogeneous coordinates: scaling a point by a positive number leaves the sign, so integers will do.
    (a, b, c), (d, e, f), (g, h, i) = first, second, third
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def area(polygon: Polygon) -> Fraction:
    """Return the share of the triangle that a polygon takes up.

    Examples
    --------
    >>> area(clipped(TRIANGLE, (2, -1, 0)))
    Fraction(2, 3)
    """
    if len(polygon) < 3:
        return Fraction(0)
    total, first = Fraction(0), polygon[0]
    for place in range(1, len(polygon) - 1):
        one, other = polygon[place : place + 2]
        # The determinant of the points as weights is that of the integers over their sums; the whole triangle has 1.
        total += Fraction(orientation(first, one, other), sum(first) * sum(one) * sum(other))
    return total


def is_convex(polygon: Polygon) -> bool:
    """Tell whether the corners go once around a convex polygon, counter-clockwise, each of them a true corner."""
    count = len(polygon)
    if count < 3:
        return False
    turns = all(orientation(polygon[k], polygon[(k + 1) % count], polygon[(k + 2) % count]) > 0 for k in range(count))
    # Turning left at every corner is not enough: a star does so, too.
    return turns and all(inner_product(line, point) >= 0 for line in sides(polygon) for point in polygon)


def sides(polygon: Polygon) -> tuple[Line, ...]:
    """Return the lines of the sides, from each corner to the next; the polygon is on their positive sides."""
    return tuple(_line(point, polygon[(place + 1) % len(polygon)]) for place, point in enumerate(polygon))


def _line(one: Point, other: Point) -> Line:
    # The cross product is the line through two points; its sign puts the polygon on the positive side.
    (a, b, c), (d, e, f) = one, other
    return primitive((b * f - c * e, c * d - a * f, a * e - b * d))


def intersection(one: Polygon, other: Polygon) -> Polygon:
    """Return what a polygon shares with a convex polygon."""
    left = one
    for line in sides(other):
        left = clipped(left, line)
    return left


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
    place = 0
    while place < len(left):
        partner = next(
            (k for k in range(len(left)) if k != place and _union(left[place], left[k]) is not None),
            None,
        )
        if partner is None:
            place += 1
            continue
        union = _union(left[place], left[partner])
        left = [one for k, one in enumerate(left) if k not in (place, partner)]
        left += [union] if union is not None else []
        place = 0
    return left


def _union(one: Polygon, other: Polygon) -> Polygon | None:
    """Return the union of two polygons with a common side, if it is convex."""
    following = {point: other[(place + 1) % len(other)] for place, point in enumerate(other)}
    for place, point in enumerate(one):
        end = one[(place + 1) % len(one)]
        if following.get(end) == point:
            start = other.index(point)
            around = [other[(start + k) % len(other)] for k in range(len(other))]
            ring = [one[(place + 1 + k) % len(one)] for k in range(len(one))]
            # From the end of the common side around the first polygon to its start, then around the second one.
            union = _true_corners([*ring, *around[1:-1]])
            return union if is_convex(union) else None
    return None


def _true_corners(points: Sequence[Point]) -> Polygon:
    count = len(points)
    return tuple(point for k, point in enumerate(points) if orientation(points[k - 1], point, points[(k + 1) % count]))


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
