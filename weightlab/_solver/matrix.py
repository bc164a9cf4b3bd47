"""Sparse integer matrices with exact products."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["IntegerMatrix"]

_INT64_EXACT = 2**63


@dataclass(frozen=True, kw_only=True, eq=False)
class IntegerMatrix:
    """A sparse matrix of integers, row after row.

    Attributes
    ----------
    starts : int64 array of shape (rows + 1,)
        Row i has the entries ``starts[i]`` to ``starts[i + 1] - 1``.
    indices : int32 array
        The column of each entry.
    coefficients : int64 array, or object array of int
        The value of each entry; none is zero.
    width : int
        How many columns there are.
    """

    starts: NDArray[np.int64]
    indices: NDArray[np.int32]
    coefficients: NDArray[Any]
    width: int

    @classmethod
    def from_dense(cls, dense: NDArray[Any]) -> Self:
        """Return the sparse form of a dense matrix of integers."""
        rows, columns = np.nonzero(dense)
        return cls(
            starts=np.searchsorted(rows, np.arange(len(dense) + 1)),
            indices=columns.astype(np.int32),
            coefficients=_compact(dense[rows, columns]),
            width=int(dense.shape[1]),
        )

    @classmethod
    def from_entries(cls, rows: Iterable[dict[int, int]], width: int) -> Self:
        """Return the matrix with these rows, each a mapping from column to coefficient."""
        kept = [{column: value for column, value in row.items() if value} for row in rows]
        lengths = np.fromiter((len(row) for row in kept), dtype=np.int64, count=len(kept))
        return cls(
            starts=np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            indices=np.array([column for row in kept for column in row], dtype=np.int32),
            coefficients=_compact(np.array([value for row in kept for value in row.values()], dtype=object)),
            width=width,
        )

    @classmethod
    def stack(cls, parts: Sequence[IntegerMatrix]) -> Self:
        """Return the rows of all parts, one after the other."""
        offsets = np.cumsum([0, *(len(part.indices) for part in parts)])
        starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
        return cls(
            starts=np.concatenate([*starts, offsets[-1:]]).astype(np.int64),
            indices=np.concatenate([part.indices for part in parts]),
            coefficients=np.concatenate([part.coefficients for part in parts]),
            width=parts[0].width,
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row(self, index: int) -> dict[int, int]:
        """Return one row as a mapping from column to coefficient."""
        entries = slice(int(self.starts[index]), int(self.starts[index + 1]))
        return dict(zip(self.indices[entries].tolist(), self.coefficients[entries].tolist(), strict=True))

    def take(self, rows: Sequence[int] | NDArray[np.intp]) -> IntegerMatrix:
        """Return the matrix with the given rows alone, in the given order."""
        chosen = np.asarray(rows, dtype=np.intp)
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        entries = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], lengths)
        return IntegerMatrix(
            starts=starts, indices=self.indices[entries], coefficients=self.coefficients[entries], width=self.width
        )

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> NDArray[Any]:
        """Return the dense matrix of some rows and some columns, in the given orders."""
        part = self.take(rows)
        places = np.full(self.width, -1, dtype=np.intp)
        places[list(columns)] = np.arange(len(columns))
        kept = places[part.indices] >= 0
        dense = np.zeros((len(part), len(columns)), dtype=self.coefficients.dtype)
        dense[part.row_of_entry[kept], places[part.indices[kept]]] = part.coefficients[kept]
        return dense

    @cached_property
    def row_of_entry(self) -> NDArray[np.intp]:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def transpose(self) -> IntegerMatrix:
        """The same entries, column after column."""
        order = np.argsort(self.indices, kind="stable")
        return IntegerMatrix(
            starts=np.searchsorted(self.indices[order], np.arange(self.width + 1)),
            indices=self.row_of_entry[order].astype(np.int32),
            coefficients=self.coefficients[order],
            width=len(self),
        )

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """The coefficients rounded to floats."""
        return self.coefficients.astype(np.float64)

    @cached_property
    def largest(self) -> int:
        """The largest absolute value of a coefficient."""
        return int(max(abs(self.coefficients.max()), abs(self.coefficients.min()))) if len(self.coefficients) else 0

    def float_products(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the product with a float vector, rounded as floats round."""
        terms = self.floats * vector[self.indices]
        return np.bincount(self.row_of_entry, weights=terms, minlength=len(self)).astype(np.float64, copy=False)

    def products(self, vector: Sequence[int]) -> list[int]:
        """Return the exact product with a vector of integers of any size."""
        longest = int(np.diff(self.starts).max(initial=0))
        if self.largest * longest == 0:
            return [0] * len(self)
        room = (_INT64_EXACT - 1) // (self.largest * longest)
        if max(map(abs, vector)) <= room:
            return list(self._row_sums(np.array(vector, dtype=np.int64)).tolist())
        bits = room.bit_length() - 1
        if bits < 8:
            return list(self._row_sums(np.array(vector, dtype=object)).tolist())
        return self._limb_products(vector, bits)

    def _limb_products(self, vector: Sequence[int], bits: int) -> list[int]:
        """Return the products from those with limbs of so many bits, each of which int64 holds."""
        mask = (1 << bits) - 1
        signs = np.array([-1 if one < 0 else 1 for one in vector], dtype=np.int64)
        rest = [abs(one) for one in vector]
        result, place = [0] * len(self), 0
        while any(rest):
            limb = np.array([one & mask for one in rest], dtype=np.int64) * signs
            parts = self._row_sums(limb).tolist()
            result = [total + (part << place) for total, part in zip(result, parts, strict=True)]
            rest = [one >> bits for one in rest]
            place += bits
        return result

    def _row_sums(self, vector: NDArray[Any]) -> NDArray[Any]:
        terms = self.coefficients * vector[self.indices]
        sums = np.zeros(len(self), dtype=terms.dtype)
        filled = np.flatnonzero(np.diff(self.starts))
        if len(filled):  # reduceat gives an empty row the first entry after it, so empty rows are left out
            sums[filled] = np.add.reduceat(terms, self.starts[filled])
        return sums


def _compact(values: NDArray[Any]) -> NDArray[Any]:
    """Return int64 where the values fit with room to spare, else Python integers."""
    if values.dtype.kind in "bi":
        return values.astype(np.int64)
    integers = [int(one) for one in values]
    fits = all(-(2**62) < one < 2**62 for one in integers)
    return np.array(integers, dtype=np.int64 if fits else object)
