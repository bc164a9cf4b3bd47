"""Signs: who leads whom on which task, weights still free."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._exact import INT64_EXACT, BoolArray, FloatArray, IntArray, SignArray, common_denominator
from weightlab._result import Record, read_items, read_names
from weightlab.data.frame.arrays import FrozenArrays, Leads, places_in
from weightlab.data.frame.parts import Data, Readers, ensure_same_cells
from weightlab.exceptions import InputError


class TolerantColumn(Record):
    """One task whose scores tie within a tolerance, as integers over a common denominator.

    Attributes
    ----------
    values : tuple of int or None
        Scores times the denominator, greater being better; None where missing.
    allowed : int
        Largest difference that is a tie, in units of ``values`` times ``scale``.
    scale : int
        What differences are multiplied with before they are compared with what is allowed.
    relative : bool
        Whether ``allowed`` is a share of the larger of the two sizes, not a difference.
    """

    values: tuple[int | None, ...]
    allowed: int
    scale: int
    relative: bool

    def __post_init__(self) -> None:
        """Refuse a tolerance below 0."""
        if self.allowed < 0 or self.scale < 1:
            raise InputError(f"a tolerance of {self.allowed} in units of 1/{self.scale} is none")

    @classmethod
    def of(cls, scores: Sequence[Fraction | None], tolerance: Fraction, *, relative: bool) -> TolerantColumn:
        """Return the column in which scores tie that differ by no more, or by no more than a share of the larger."""
        whole, denominator = common_denominator([one or Fraction(0) for one in scores])
        # Differences are integers in the unit of the scores: they exceed what they are compared with exactly if they
        # exceed what it is rounded down to.
        allowed, scale = tolerance.as_integer_ratio() if relative else (math.floor(tolerance * denominator), 1)
        values = tuple(None if score is None else one for score, one in zip(scores, whole, strict=True))
        return cls(values=values, allowed=allowed, scale=scale, relative=relative)

    @cached_property
    def present(self) -> BoolArray:
        """Which scores there are."""
        return np.array([value is not None for value in self.values], dtype=np.bool_)

    @cached_property
    def numbers(self) -> IntArray:
        """The scores, 0 where missing, in int64 where all that is worked out from them fits."""
        numbers = [value or 0 for value in self.values]
        largest = 2 * max([1, *map(abs, numbers)]) * max(self.allowed, self.scale)
        return np.array(numbers, dtype=np.int64 if largest < INT64_EXACT else object)

    def levels(self) -> list[int | None]:
        """Return the places of the scores, tolerance aside; None where missing."""
        known = sorted({value for value in self.values if value is not None})
        order = {value: place for place, value in enumerate(known, start=1)}
        return [None if value is None else order[value] for value in self.values]

    def signs_of(self, models: int | IntArray, others: slice | Sequence[int] | IntArray = slice(None)) -> SignArray:
        """Return the signs of one model over some on this task, or of each of some models over another one."""
        own, other = self.numbers[models], self.numbers[others]
        difference = own - other
        allowed = np.maximum(np.abs(other), np.abs(own)) * self.allowed if self.relative else self.allowed
        # ``|difference| > allowed / scale * size`` with both sides multiplied by the scale: integers only.
        size = np.abs(difference) * self.scale
        signs = np.where(size > allowed, np.where(difference > 0, 1, -1), 0).astype(np.int8)
        return np.where(self.present[others] & self.present[models], signs, 0).astype(np.int8)


class Places(FrozenArrays):
    """Places of the scores of each task as small integers, counted from the worst, made such that no NaN is compared.

    Row i leads row j on task k exactly when ``leading[i, k] > led[j, k]``.

    Attributes
    ----------
    leading : ndarray of int, models x tasks
        Places; -1 where a score is missing, since it leads no model.
    led : ndarray of int, models x tasks
        The same, but the greatest integer where a score is missing, since no model leads it.
    """

    leading: NDArray[np.signedinteger[Any]]
    led: NDArray[np.signedinteger[Any]]

    @classmethod
    def of(cls, levels: FloatArray) -> Places:
        """Return the places of levels (models x tasks, NaN where missing)."""
        columns = np.ascontiguousarray(levels.T)
        order = np.argsort(columns, axis=1)  # what is missing, NaN, comes last
        ordered = np.take_along_axis(columns, order, axis=1)
        steps = np.cumsum(ordered[:, 1:] != ordered[:, :-1], axis=1)
        places = np.zeros(columns.shape, dtype=np.min_scalar_type(-2 - int(steps.max(initial=0))))
        np.put_along_axis(places, order[:, 1:], steps, axis=1)
        # Task after task in memory: a model is compared with all others in long runs of equal steps.
        leading, missing = places.T.copy(order="K"), np.isnan(levels)
        if not missing.any():
            return cls(leading=leading, led=leading)
        leading[missing] = -1
        led = leading.copy(order="K")
        led[missing] = np.iinfo(leading.dtype).max
        return cls(leading=leading, led=led)


class Signs(Leads, Data):
    """The signs of every model over every rival on every task.

    A sign is 1 where the model leads, -1 where it trails, and 0 where the two tie or either score is missing:
    the operator R of Vote'n'Rank, section 3.2, equation (1).

    Attributes
    ----------
    models, tasks : tuple of str
        Rows and columns of the leaderboard they come from.
    levels : ndarray of float64, models x tasks
        Numbers that order each task as its scores do, greater being better; NaN where a score is missing.
    tolerant : mapping from int to TolerantColumn
        Tasks (by position) whose scores tie within a tolerance; their levels are not used.

    Notes
    -----
    One model's matrix takes O(models x tasks), some 0.2 ms for 5,000 x 100; all of them together are never held at
    once.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"speed": {"a": 1, "b": 2}, "quality": {"a": 5, "b": 5}})
    >>> board.signs().of("b")
       speed  quality
    a      1        0
    """

    own_part: ClassVar[str] = "places"

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    levels: FloatArray
    tolerant: dict[int, TolerantColumn] = field(default_factory=dict)

    @cached_property
    def places(self) -> Places:
        """The levels as small integers, for comparing them fast; made once."""
        return Places.of(self.levels)

    def over_all(self, position: int) -> SignArray:
        """Return one model's signs over all models, itself included (models x tasks)."""
        return self.over(position, slice(None))

    def over(self, models: int | IntArray, others: slice | Sequence[int] | IntArray) -> SignArray:
        """Return the signs of one model over some, or of each of some models over another one (duels x tasks)."""
        leading, led = self.places.leading, self.places.led
        signs: SignArray = (leading[models] > led[others]).view(np.int8)
        signs -= (led[models] < leading[others]).view(np.int8)
        for column, scores in self.tolerant.items():
            signs[:, column] = scores.signs_of(models, others)
        return signs

    def of(self, model: str) -> pd.DataFrame:
        """Return G_m as a frame, rivals x tasks."""
        return pd.DataFrame(self.matrix(model), index=list(self.rivals(model)), columns=list(self.tasks))

    frame_caption = "Levels of which the signs are: on each task the greater leads"

    def frame(self) -> pd.DataFrame:
        """Return the levels, models x tasks: on each task the greater is better, unless the two tie by a tolerance."""
        return pd.DataFrame(self.levels, index=list(self.models), columns=list(self.tasks))

    def duel(self, model: str, rival: str) -> pd.Series:
        """Return the signs of one model over one rival, by task."""
        row = self.over_all(self.position(model))[self.position(rival)]
        return pd.Series(row, index=list(self.tasks), name=f"{model} over {rival}")

    readers: ClassVar[Readers] = {"models": read_names, "places": read_items}

    def parts(self) -> dict[str, Any]:
        """Return the models, and for each task their places from the last up, or the column with its tolerance."""
        ordered = [[place or None for place in column] for column in (self.places.leading.T + 1).tolist()]
        places = {task: self.tolerant.get(at, ordered[at]) for at, task in enumerate(self.tasks)}
        return {"models": self.models, "places": places}

    @classmethod
    def from_parts(cls, read: Mapping[str, Any]) -> Signs:
        """Return the signs of parts that were read from a document."""
        models, placed = read["models"], dict(read["places"])
        tasks = tuple(placed)
        if len(set(models)) != len(models) or not all(map(str.strip, models)):
            raise InputError("two models have the same name, or one has none")
        levels = np.full((len(models), len(tasks)), np.nan)
        tolerant: dict[int, TolerantColumn] = {}
        kinds = (int, type(None))
        allowed = {None, *range(1, len(models) + 1)}
        for column, places in enumerate(placed.values()):
            if isinstance(places, Mapping):
                tolerant[column] = TolerantColumn.from_dict(places)
                places = tolerant[column].levels()  # noqa: PLW2901 - the same places, read from their other form
            count = len(places) if isinstance(places, list) else -1
            if count != len(models) or any(type(one) not in kinds or one not in allowed for one in places):
                raise InputError(f"task {tasks[column]!r} needs a place up to {len(models)}, or null, for each model")
            levels[:, column] = [np.nan if place is None else place for place in places]
        return cls(models=models, tasks=tasks, levels=levels, tolerant=tolerant)

    def ensure_same(self, source: Any, *, places: bool = False) -> None:
        """Raise ProofError, naming the first difference, unless a source has these models, tasks and signs.

        Parameters
        ----------
        source : Signs, or what has signs, such as a leaderboard
            In whatever order its models and tasks stand.
        places : bool
            Whether also the same scores must be missing, and the order the same within tolerances.
        """
        table = source if isinstance(source, Signs) else source.signs()
        rows, columns = places_in(self, table, "models", "tasks")
        at = np.ix_(rows, columns)
        for position, model in enumerate(self.models):  # one by one: all signs together may fill the memory
            own, theirs = self.over_all(position)[None], table.over_all(rows[position])[at][None]
            ensure_same_cells("the sign of {} over {} on {} is", ([model], self.models, self.tasks), own, theirs)
        if places:
            own, theirs = self.places.leading + 1, table.places.leading[at] + 1
            ensure_same_cells("the place of {} on {} is", (self.models, self.tasks), own, theirs)
