"""Types that several parts share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Number: TypeAlias = int | float | str | Decimal | Fraction
"""What is accepted where an exact number is meant: floats and text stand for the decimals that are written."""

WeightsLike: TypeAlias = Mapping[str, Number] | Sequence[Number] | Any
"""A mapping or Series from names to numbers, or a sequence in the order of the names."""

Order: TypeAlias = tuple[tuple[str, ...], ...]
"""A weak order, best first: a tuple of tuples of tied names."""


class FrameLike(Protocol):
    """A frame of pandas, Polars or PyArrow."""

    columns: Any


AnyArray: TypeAlias = npt.NDArray[Any]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.integer[Any]] | npt.NDArray[np.object_]
"""Integers: a NumPy integer type where they fit, Python integers in an object array otherwise."""
SignArray: TypeAlias = npt.NDArray[np.int8]
