"""Sets of models as the bits of integers: small, fast to join, and as large as need be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from weightlab._typing import BoolArray

__all__ = ["bits_of", "places_of"]


def bits_of(members: BoolArray) -> int:
    """Return the integer whose ones stand at the places of the members."""
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")


def places_of(bits: int) -> Iterator[int]:
    """Yield the places of the ones in the bits of an integer, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
