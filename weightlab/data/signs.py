"""Signs: who leads whom on which task, weights still free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._typing import FloatArray, IntArray, SignArray
from weightlab.exceptions import UnknownNameError

__all__ = ["Signs", "TolerantColumn"]


@dataclass(frozen=True, kw_only=True, eq=False)
class TolerantColumn:
    """One task whose scores tie within a tolerance, as integers over a common denominator.

    Attributes
    ----------
    values : ndarray of int, models
        Scores times the denominator, greater being better; 0 where missing.
    present : ndarray of bool, models
        Which scores there are.
    allowed : int
        Largest difference that is a tie, in units of ``values`` times ``scale``.
    scale : int
        What differences are multiplied with before they are compared with what is allowed.
    relative : bool
        Whether ``allowed`` is a share of the larger of the two sizes, not a difference.
    """

    values: IntArray
    present: np.ndarray
    allowed: int
    scale: int
    relative: bool

    @classmethod
    def absolute(cls, values: IntArray, denominator: int, present: np.ndarray, tolerance: Fraction) -> TolerantColumn:
        """Return the column in which scores tie when they differ by at most ``tolerance``."""
        limit = tolerance * denominator
        whole = limit.numerator // limit.denominator
        return cls(values=values, present=present, allowed=whole, scale=1, relative=False)

    @classmethod
    def share(cls, values: IntArray, present: np.ndarray, tolerance: Fraction) -> TolerantColumn:
        """Return the column in which scores tie when they differ by at most a share of the larger one in size."""
        exact = values.astype(object)
        return cls(
            values=exact, present=present, allowed=tolerance.numerator, scale=tolerance.denominator, relative=True
        )

    def signs_of(self, model: int) -> SignArray:
        """Return the signs of one model over all models on this task."""
        own = self.values[model]
        difference = own - self.values
        allowed = np.maximum(np.abs(self.values), abs(own)) * self.allowed if self.relative else self.allowed
        size = np.abs(difference) * self.scale
        signs = np.where(size > allowed, np.where(difference > 0, 1, -1), 0).astype(np.int8)
        return np.where(self.present & self.present[model], signs, 0).astype(np.int8)


@dataclass(frozen=True, kw_only=True, eq=False)
class Signs:
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
    One model's matrix takes O(models x tasks); all of them together are never held at once.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"speed": {"a": 1, "b": 2}, "quality": {"a": 5, "b": 5}})
    >>> board.signs().of("b")
       speed  quality
    a      1        0
    """

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    levels: FloatArray
    tolerant: dict[int, TolerantColumn] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the array read-only."""
        self.levels.setflags(write=False)

    def position(self, model: str) -> int:
        """Return the row of a model.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        """
        try:
            return self.models.index(model)
        except ValueError:
            raise UnknownNameError("model", model, self.models) from None

    def over_all(self, position: int) -> SignArray:
        """Return one model's signs over all models, itself included (models x tasks)."""
        own = self.levels[position]
        signs: SignArray = (own > self.levels).view(np.int8) - (own < self.levels).view(np.int8)
        for column, scores in self.tolerant.items():
            signs[:, column] = scores.signs_of(position)
        return signs

    def matrix(self, model: str) -> SignArray:
        """Return G_m, one model's signs over its rivals (rivals x tasks, rivals in board order)."""
        position = self.position(model)
        return np.delete(self.over_all(position), position, axis=0)

    def rivals(self, model: str) -> tuple[str, ...]:
        """Return all models but one, in board order."""
        position = self.position(model)
        return self.models[:position] + self.models[position + 1 :]

    def of(self, model: str) -> pd.DataFrame:
        """Return G_m as a frame, rivals x tasks."""
        return pd.DataFrame(self.matrix(model), index=list(self.rivals(model)), columns=list(self.tasks))

    def duel(self, model: str, rival: str) -> pd.Series:
        """Return the signs of one model over one rival, by task."""
        row = self.over_all(self.position(model))[self.position(rival)]
        return pd.Series(row, index=list(self.tasks), name=f"{model} over {rival}")

    def select_tasks(self, positions: Sequence[int]) -> Signs:
        """Return the signs on some of the tasks only."""
        return Signs(
            models=self.models,
            tasks=tuple(self.tasks[position] for position in positions),
            levels=self.levels[:, list(positions)].copy(),
            tolerant={new: self.tolerant[old] for new, old in enumerate(positions) if old in self.tolerant},
        )
