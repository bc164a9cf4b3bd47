"""Blocks of a least order as JSON, so that the proof travels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from weightlab._typing import AnyArray
from weightlab.exceptions import InputError
from weightlab.graph.blocks import Block, Means
from weightlab.graph.triangles import Triangles

__all__ = ["block_from_json", "block_to_json", "integers"]


def block_to_json(block: Block) -> dict[str, Any]:
    """Return a block ready for JSON."""
    return {
        "models": block.models.tolist(),
        "order": block.order.tolist(),
        "cost": block.cost,
        "shared": block.shared.astype(int).tolist(),
        "number": block.number,
        "means": str(block.means),
        "triangles": block.triangles.corners.tolist(),
        "multipliers": [int(one) for one in block.triangles.multipliers],
        "scale": block.triangles.scale,
        "turned": [order.tolist() for order in block.turned],
    }


def block_from_json(document: Mapping[str, Any], count: int) -> Block:
    """Return the block that ``block_to_json`` wrote, of a whole of so many models.

    Raises
    ------
    InputError
        If a part is of another form.
    """
    models = _places(document["models"], count, "models")
    size = len(models)
    multipliers = integers(document["multipliers"], "multipliers")
    if any(one < 0 for one in multipliers):
        raise InputError("the multiplier of a triangle is negative")
    triangles = Triangles(
        corners=_triangles(document["triangles"], size, len(multipliers)),
        multipliers=np.array(multipliers, dtype=object),
        scale=integers([document["scale"]], "scale")[0],
    )
    if triangles.scale < 1:
        raise InputError("the scale of the multipliers is not positive")
    shared = [integers(row, "shared") for row in document["shared"]]
    if len(shared) != size or any(len(row) != size or not {*row} <= {0, 1} for row in shared):
        raise InputError(f"shared needs {size} rows of {size} zeros and ones")
    return Block(
        models=models,
        order=_places(document["order"], size, "order"),
        cost=integers([document["cost"]], "cost")[0],
        shared=np.array(shared, dtype=np.bool_).reshape(size, size),
        number=None if document["number"] is None else integers([document["number"]], "number")[0],
        means=Means(document["means"]),
        triangles=triangles,
        turned=tuple(_places(order, size, "turned") for order in document["turned"]),
    )


def _triangles(rows: Any, size: int, count: int) -> AnyArray:
    corners = [_places(row, size, "triangles") for row in rows]
    if len(corners) != count or any(len({*row.tolist()}) != 3 for row in corners):
        raise InputError("every triangle needs three corners and one multiplier")
    return np.array(corners, dtype=np.int64).reshape(count, 3)


def _places(values: Any, count: int, what: str) -> AnyArray:
    places = integers(values, what)
    if any(not 0 <= place < count for place in places):
        raise InputError(f"{what}: a place is not among the {count} models")
    return np.array(places, dtype=np.int64)


def integers(values: Any, what: str) -> list[int]:
    """Return integers read from JSON, or raise InputError."""
    listed = list(values)
    if any(isinstance(value, bool) or not isinstance(value, int) for value in listed):
        raise InputError(f"{what}: not an integer")
    return listed
