"""Sparse integer matrices with exact products."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import FLOAT_EXACT
from weightlab._result import Frozen
from weightlab.exceptions import SolverError


class IntegerMatrix(Frozen):
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
        """Return the rows of all parts in order."""
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
    def floats(self) -> NDArray[np.float64]:
        """The coefficients rounded to floats."""
        try:
            return self.coefficients.astype(np.float64)
        except OverflowError as error:
            raise SolverError("a number is too large for the floats that solvers compute in") from error

    @cached_property
    def largest(self) -> int:
        """The largest absolute value of a coefficient."""
        return int(max(abs(self.coefficients.max()), abs(self.coefficients.min()))) if len(self.coefficients) else 0

    def float_products(self, vector: NDArray[np.float64], *, transposed: bool = False) -> NDArray[np.float64]:
        """Return the product of the matrix, or of its transpose, with a float vector, rounded as floats round."""
        places, factors = self._places(transposed=transposed)
        sums = np.bincount(places, weights=self.floats * vector[factors], minlength=self._height(transposed=transposed))
        return sums.astype(np.float64, copy=False)

    def products(self, vector: Sequence[int], *, transposed: bool = False) -> list[int]:
        """Return the exact product of the matrix, or of its transpose, with a vector of integers of any size."""
        # No sum has more terms than the vector has numbers or the matrix has entries.
        most = self.largest * min(len(self.coefficients), len(vector))
        if most == 0 or not any(vector):
            return [0] * self._height(transposed=transposed)
        room = (FLOAT_EXACT - 1) // most
        if max(map(abs, vector)) <= room:
            return self._float_sums(vector, transposed=transposed)
        if room < 2**8:
            return self._object_sums(vector, transposed=transposed)
        return self._limb_products(vector, room.bit_length() - 1, transposed=transposed)

    def _height(self, *, transposed: bool) -> int:
        return self.width if transposed else len(self)

    def _places(self, *, transposed: bool) -> tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]:
        """Return where each entry is added, and the place in the vector of its factor."""
        return (self.indices, self.row_of_entry) if transposed else (self.row_of_entry, self.indices)

    def _float_sums(self, vector: Sequence[int], *, transposed: bool) -> list[int]:
        """Return the product where no sum can leave 2**53, so that floats add exactly in any order."""
        sums = self.float_products(np.array(vector, dtype=np.float64), transposed=transposed)
        return list(sums.astype(np.int64).tolist())

    def _object_sums(self, vector: Sequence[int], *, transposed: bool) -> list[int]:
        sums = np.zeros(self._height(transposed=transposed), dtype=object)
        places, factors = self._places(transposed=transposed)
        np.add.at(sums, places, self.coefficients.astype(object) * np.array(vector, dtype=object)[factors])
        return list(sums.tolist())

    def _limb_products(self, vector: Sequence[int], bits: int, *, transposed: bool) -> list[int]:
        """Return the products from those with limbs of a number of bits for which floats are exact."""
        mask = (1 << bits) - 1
        signs = [-1 if one < 0 else 1 for one in vector]
        rest = [abs(one) for one in vector]
        result, place = [0] * self._height(transposed=transposed), 0
        while any(rest):
            limb = [(one & mask) * sign for one, sign in zip(rest, signs, strict=True)]
            parts = self._float_sums(limb, transposed=transposed)
            result = [total + (part << place) for total, part in zip(result, parts, strict=True)]
            rest = [one >> bits for one in rest]
            place += bits
        return result


def _compact(values: NDArray[Any]) -> NDArray[Any]:
    """Return int64 where the values fit with room to spare, else Python integers."""
    if values.dtype.kind in "bi":
        return values.astype(np.int64)
    integers = [int(one) for one in values]
    fits = all(-(2**62) < one < 2**62 for one in integers)
    return np.array(integers, dtype=np.int64 if fits else object)
