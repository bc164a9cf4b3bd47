"""Boards whose columns are drawn anew with replacement: all tasks, or the instances of each task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from weightlab._typing import BoolArray, IntArray
from weightlab.data import Leaderboard
from weightlab.studies.questions import Question
from weightlab.studies.repeats import generator_of
from weightlab.studies.reweighing import AdditiveQuestion, Places, Reweighed, reweighed

__all__ = ["OfColumns", "drawn_counts", "places_together"]

BLOCK_CELLS = 1 << 24
"""Counts of draws are held in blocks of so many."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OfColumns:
    """A board of whose columns some are drawn together: all tasks, or the instances of each task.

    Attributes
    ----------
    asked : Reweighed
        What is asked.
    present : ndarray of bool, models x columns
        Which scores there are.
    strata : sequence of int
        How many columns there are of each kind, in order; of each kind as many are drawn.
    """

    asked: Reweighed
    present: BoolArray
    strata: Sequence[int]

    @classmethod
    def of(cls, question: Question, board: Leaderboard, strata: Sequence[int]) -> OfColumns:
        """Return the columns of a board, all of which weigh, to ask one question of."""
        return cls(asked=reweighed(question, board), present=~board.cells.missing, strata=strata)

    def counts(self, rng: np.random.Generator) -> IntArray:
        """Return how often each column is drawn."""
        return np.concatenate([drawn_counts(size, rng) for size in self.strata])

    def scored(self, counts: IntArray) -> bool:
        """Tell whether each model has a score on some column that was drawn."""
        return bool(self.present[:, counts > 0].any(axis=1).all())

    def draw(self, rng: np.random.Generator) -> Places:
        """Return what one draw says."""
        counts = self.counts(rng)
        return self.asked.places(counts) if self.scored(counts) else None


def drawn_counts(size: int, rng: np.random.Generator) -> IntArray:
    """Return how often each of so many things is drawn when as many are, each equally likely."""
    return np.bincount(rng.integers(size, size=size), minlength=size)


def places_together(
    columns: OfColumns, asked: AdditiveQuestion, repeats: int, seed: int, progress: Callable[[int], None] | None
) -> tuple[IntArray, BoolArray]:
    """Return what sums over the columns say in all draws, many of them in one product."""
    size = max(1, BLOCK_CELLS // sum(columns.strata))
    found: list[tuple[IntArray, BoolArray]] = []
    for start in range(0, repeats, size):
        numbers = range(start, min(start + size, repeats))
        # A generator for each draw by its number: neither blocks nor parallel jobs change what is drawn.
        counts = np.array([columns.counts(generator_of(seed, number)) for number in numbers]).T
        levels, first = asked.all_places(counts)
        if not columns.present.all():
            blind = [place for place in range(len(numbers)) if not columns.scored(counts[:, place])]
            levels[blind], first[blind] = -1, False
        found.append((levels, first))
        if progress is not None:
            progress(len(numbers))
    return np.concatenate([levels for levels, _ in found]), np.concatenate([first for _, first in found])
