"""Margins: the exact weighted majority of every head-to-head; weights are already applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, common_denominator
from weightlab._result import IntMatrix, Record, bits_to_json, ensure, read_bits, read_items, read_names
from weightlab.data.frame.arrays import FrozenArrays, OfModels, places_in, positions
from weightlab.data.frame.parts import Data, Readers, ensure_same_cells
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError

FLOAT_BITS = 53
"""Largest number of bits of an integer that is always a double."""
MACHINE_BITS = 62
"""Largest number of bits of sums whose differences fit int64."""
MOST_MODELS = 20_000
"""Counting duels takes memory in the square of the models, however short the document is that names them."""
BLOCK_CELLS = 1 << 18
"""Cells per block when counting head-to-heads, so that the counters stay in the processor's cache."""


class Margins(OfModels, Record):
    """Weighted wins and ties of every head-to-head, as integers over one denominator.

    Attributes
    ----------
    models : tuple of str
        Rows and columns, in board order.
    wins : ndarray of int, models x models
        Weight of the tasks (or votes) on which the row leads the column, times ``denominator``.
    ties : ndarray of int, models x models
        Weight of the tasks (or votes) on which both have a score and tie, times ``denominator``; the diagonal is 0.
    denominator : int
        Common denominator of the weights. Margins are in the units of the board's weights.

    Notes
    -----
    Counting takes O(models^2 x tasks) and O(models^2) memory. All values are exact: with weights 0.1, 0.2 and 0.3
    a head-to-head of the first two against the third is a tie.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 1, "b": 0}, "y": {"a": 1, "b": 0}, "z": {"a": 0, "b": 1}},
    ...     weights={"x": "0.1", "y": "0.2", "z": "0.3"},
    ... )
    >>> board.margins().margin("a", "b")
    Fraction(0, 1)
    """

    own_part: ClassVar[str] = "wins"

    models: tuple[str, ...]
    wins: IntMatrix
    ties: IntMatrix
    denominator: int

    @classmethod
    def from_signs(cls, signs: Signs, weights: Sequence[Fraction]) -> Margins:
        """Return the margins of a board's signs under exact weights, one per task.

        Raises
        ------
        InputError
            If there are more models than `MOST_MODELS`.
        """
        if len(signs.models) > MOST_MODELS:
            raise InputError(f"duels are counted among {MOST_MODELS} models at most; got {len(signs.models)}")
        numerators, denominator = common_denominator(weights)
        dtype = _counter(sum(numerators))
        wins = _wins(signs, numerators, dtype)
        # Of the tasks on which both have a score, those that neither wins are ties.
        ties = _shared(signs, numerators, dtype)
        ties -= wins
        ties -= wins.T
        np.fill_diagonal(ties, 0)
        return cls(models=signs.models, wins=wins, ties=ties, denominator=denominator)

    @property
    def array(self) -> AnyArray:
        """Margins as integers over ``denominator`` (models x models, antisymmetric)."""
        return self.wins - self.wins.T

    def check(self) -> None:
        """Raise ProofError unless names, wins and ties fit head-to-heads."""
        wins, ties, square = self.wins, self.ties, (len(self.models), len(self.models))
        named = len(set(self.models)) == len(self.models) and all(map(str.strip, self.models))
        ensure(named, "the models carried are not distinct names")
        ensure(wins.shape == ties.shape == square, "the margins carried do not fit the models")
        ensure(self.denominator > 0, f"the denominator of the margins is not positive: {self.denominator}")
        ensure(not np.any(wins < 0) and not np.any(ties < 0), "the margins carried have negative wins or ties")
        ensure(np.array_equal(ties, ties.T), "the ties carried are not the same from both sides")
        ensure(not np.diagonal(wins).any() and not np.diagonal(ties).any(), "a model has a duel with itself")

    def ensure_same(self, source: Any) -> None:
        """Raise ProofError, naming the first difference, unless a source has these models, in order, wins and ties.

        Parameters
        ----------
        source : Margins, or what has margins, such as a leaderboard
            Its margins may be over another denominator.
        """
        own = source if isinstance(source, Margins) else source.margins()
        places_in(self, own, "models", in_order=True)
        names, units = (self.models, self.models), (self.denominator, own.denominator)
        ensure_same_cells("the weight of the wins of {} over {} is", names, self.wins, own.wins, units=units)
        ensure_same_cells("the weight of the ties of {} with {} is", names, self.ties, own.ties, units=units)

    @property
    def winner(self) -> str | None:
        """The model that beats every rival, or None."""
        beaten = (self.wins > self.wins.T).sum(axis=1)
        return next((self.models[row] for row in np.flatnonzero(beaten == len(self.models) - 1)), None)

    @property
    def undefeated(self) -> tuple[str, ...]:
        """The models that no rival beats, in board order."""
        return tuple(self.models[row] for row in np.flatnonzero(~(self.wins > self.wins.T).any(axis=0)))

    def margin(self, model: str, rival: str) -> Fraction:
        """Return the exact margin of one model over another, in the units of the weights."""
        row, column = self.position(model), self.position(rival)
        return Fraction(int(self.wins[row, column]) - int(self.wins[column, row]), self.denominator)

    frame_caption = "Margins of the models in rows over those in columns"

    def frame(self) -> pd.DataFrame:
        """Return the margins as floats, models x models."""
        margins = self.array
        if margins.dtype.kind == "O" or self.denominator > 1 << FLOAT_BITS:
            floats = np.array([[float(Fraction(int(one), self.denominator)) for one in row] for row in margins])
        else:
            floats = margins / self.denominator
        return pd.DataFrame(floats, index=list(self.models), columns=list(self.models))

    def select(self, models: Iterable[str]) -> Margins:
        """Return the margins among some of the models, in the given order.

        Raises
        ------
        UnknownNameError
            If a model is not known.
        """
        rows = positions(models, self.models, "model")
        square = np.ix_(rows, rows)
        names = tuple(self.models[row] for row in rows)
        return replace(self, models=names, wins=self.wins[square], ties=self.ties[square])


def _counter(total: int) -> np.dtype[np.generic]:
    """Return the smallest type that holds sums up to ``total`` and their differences."""
    if total < 2**31:
        return np.dtype(np.int32)
    return np.dtype(np.int64) if total < 1 << MACHINE_BITS else np.dtype(object)


Comparison: TypeAlias = Callable[[slice], BoolArray]
"""Where a block of rows leads the columns on one task."""


def _comparison(signs: Signs, task: int) -> Comparison:
    if (tolerant := signs.tolerant.get(task)) is not None:
        return lambda block: np.array([tolerant.signs_of(model) > 0 for model in range(block.start, block.stop)])
    # Copied, so that the comparisons run through adjacent memory.
    leading, led = signs.places.leading[:, task].copy(), signs.places.led[:, task].copy()
    return lambda block: leading[block, None] > led


def _limb_by_limb(
    numerators: Sequence[int], bits: int, dtype: np.dtype[Any], weighted: Callable[[list[int]], AnyArray]
) -> AnyArray:
    """Return a weighted sum from the sums under limbs of the weights, each with few enough bits for an exact sum."""
    mask = (1 << bits) - 1
    longest = max([1, *(number.bit_length() for number in numerators)])
    sums = ((weighted([number >> low & mask for number in numerators]), low) for low in range(0, longest, bits))
    return reduce(add, (limb.astype(dtype, copy=False) * (1 << low) for limb, low in sums))


def _wins(signs: Signs, numerators: Sequence[int], dtype: np.dtype[Any]) -> AnyArray:
    """Return the weight of the tasks on which each row leads each column."""
    comparisons = [_comparison(signs, task) for task in range(len(signs.tasks))]
    if dtype.kind == "O":
        # This many limbs, added up over the tasks, still fit int64.
        machine, bits = np.dtype(np.int64), MACHINE_BITS - len(numerators).bit_length()
    else:
        machine, bits = dtype, MACHINE_BITS
    return _limb_by_limb(numerators, bits, dtype, lambda limb: _counted(comparisons, limb, len(signs.models), machine))


def _counted(comparisons: Sequence[Comparison], weights: Sequence[int], count: int, dtype: np.dtype[Any]) -> AnyArray:
    """Return the same under weights whose sum fits the type, block by block; tasks of equal weight are counted."""
    by_weight: dict[int, list[Comparison]] = {}
    for comparison, weight in zip(comparisons, weights, strict=True):
        if weight:
            by_weight.setdefault(weight, []).append(comparison)
    wins = np.zeros((count, count), dtype=dtype)
    rows = max(1, BLOCK_CELLS // max(1, count))
    for start in range(0, count, rows):
        block = slice(start, min(start + rows, count))
        # Tasks of equal weight are counted in bytes first, and multiplied once.
        for weight, tasks in by_weight.items():
            wins[block] += _led(tasks, block, count).astype(dtype) * weight
    return wins


def _led(tasks: Sequence[Comparison], block: slice, count: int) -> AnyArray:
    """Count the tasks on which each row of a block leads each column, in bytes as long as they hold the count."""
    total = np.zeros((block.stop - block.start, count), dtype=np.uint8 if len(tasks) < 256 else np.int32)
    for task in tasks:
        total += task(block).view(np.uint8)
    return total


def _shared(signs: Signs, numerators: Sequence[int], dtype: np.dtype[Any]) -> AnyArray:
    """Return the weight of the tasks on which both models of a pair have a score."""
    present = ~np.isnan(signs.levels)
    if present.all():
        return np.full((len(present), len(present)), sum(numerators), dtype=dtype)
    # Sums of integers are exact in doubles below 2**53, in whatever order a matrix product adds them.
    there = present.astype(np.float64)
    bits = FLOAT_BITS - len(numerators).bit_length()
    return _limb_by_limb(numerators, bits, dtype, lambda limb: ((there * limb) @ there.T).astype(np.int64))


# Relations: one binary relation over the models for each item, such as the majority relation of each dataset.


class Relations(FrozenArrays, Data):
    """Binary relations over the same models.

    Attributes
    ----------
    items : tuple of str
        What each relation belongs to: datasets of a suite, voters of a profile.
    models : tuple of str
        What is related.
    array : ndarray of bool, items x models x models
        ``array[i, x, y]``: in relation ``i``, x is at least as good as y (or better, for strict relations).
        The diagonal is True.
    """

    own_part: ClassVar[str] = "relations"

    items: tuple[str, ...]
    models: tuple[str, ...]
    array: BoolArray

    def __post_init__(self) -> None:
        """Check the shape and make the array read-only."""
        expected = (len(self.items), len(self.models), len(self.models))
        if self.array.shape != expected or self.array.dtype != np.bool_:
            raise InputError(
                f"relations need a boolean array of shape {expected}; got {self.array.dtype} {self.array.shape}"
            )
        for what, names in (("a model", self.models), ("a relation", self.items)):
            if len(set(names)) < len(names):
                raise InputError(f"{what} is named twice")
        if not self.array[:, range(len(self.models)), range(len(self.models))].all():
            raise InputError("the diagonal of every relation must be True")
        super().__post_init__()

    def __len__(self) -> int:
        """Return the number of relations."""
        return len(self.items)

    def of(self, item: str) -> pd.DataFrame:
        """Return one relation as a frame, models x models.

        Raises
        ------
        UnknownNameError
            If there is no such item.
        """
        return pd.DataFrame(self.select([item]).array[0], index=list(self.models), columns=list(self.models))

    def select(self, items: Iterable[str]) -> Relations:
        """Return some of the relations, in the given order and once each.

        Raises
        ------
        UnknownNameError
            If an item is not known.
        """
        places = positions(items, self.items, "item", holder="set of relations")
        return replace(self, items=tuple(self.items[place] for place in places), array=self.array[places])

    readers: ClassVar[Readers] = {"models": read_names, "relations": read_items}

    def parts(self) -> dict[str, Any]:
        """Return the models, and each relation as texts of ``0`` and ``1``, one per model."""
        return {"models": self.models, "relations": dict(zip(self.items, map(bits_to_json, self.array), strict=True))}

    @classmethod
    def from_parts(cls, read: Mapping[str, Any]) -> Relations:
        """Return the relations of parts that were read from a document."""
        models, written = read["models"], dict(read["relations"])
        relations = [read_bits(listed, f"the relation of {item!r}") for item, listed in written.items()]
        if any(relation.shape != (len(models), len(models)) for relation in relations):
            raise InputError(f"relations must be {len(models)} texts of 0 and 1, one character a model")
        array = np.array(relations, dtype=np.bool_).reshape(len(written), len(models), len(models))
        return cls(items=tuple(written), models=models, array=array)

    def ensure_same(self, source: Any) -> None:
        """Raise ProofError, naming the first difference, unless a source has these models, in order, and relations.

        Parameters
        ----------
        source : Relations, Profile or Suite
            A profile stands for its weak orders, a suite for its weak majority relations.
        """
        given = source
        if not isinstance(source, Relations):
            given = source.majority_relations() if hasattr(source, "majority_relations") else source.relations()
        places_in(self, given, "models", in_order=True)
        (items,) = places_in(self, given, "items")
        names = self.items, self.models, self.models
        ensure_same_cells("whether {} relates {} to {} is", names, self.array, given.array[items])


def majority_relation(margins: np.ndarray, *, strict: bool) -> BoolArray:
    """Return who beats (strict) or at least ties whom, from a square array of margins; the diagonal is True."""
    relation = np.asarray(margins > 0 if strict else margins >= 0, dtype=np.bool_)
    np.fill_diagonal(relation, val=True)
    return relation
