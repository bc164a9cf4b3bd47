"""Boards without some of their scores: which are taken away, and what a question says about the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from weightlab._typing import BoolArray
from weightlab.data import Leaderboard, Margins, Signs
from weightlab.data.cells import Cells
from weightlab.exceptions import InputError
from weightlab.rules.entry import Needs, entered, weighing
from weightlab.studies.questions import Question
from weightlab.studies.repeats import checked_count, each_checked
from weightlab.studies.reweighing import (
    DUEL_SCORES,
    Places,
    levels_of_totals,
    places_of_function,
    places_of_rule,
)

__all__ = ["OmittedAnswers", "checked_counts", "taken_away"]

USUAL_PARTS = (20, 10, 5, 2.5)
"""Of all scores one in so many is taken away by default."""

MOST_TRIES = 1000
"""So often scores are drawn anew that would leave a model or a task none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OmittedAnswers:
    """A question to a board without some of its scores.

    Attributes
    ----------
    question : Question
        What is asked.
    board : Leaderboard
        The board without the tasks of weight 0.
    signs : Signs or None
        Who leads whom on each task, where the rule reads duels: the others lead each other as before.
    """

    question: Question
    board: Leaderboard
    signs: Signs | None

    @classmethod
    def of(cls, question: Question, board: Leaderboard) -> Self:
        """Return the way to ask a question of a board."""
        kept = weighing(board)
        duels = question.rule is not None and question.rule.needs is Needs.MARGINS and not board.tolerance
        plain = duels and not board.relative_tolerance
        return cls(question=question, board=kept, signs=kept.signs() if plain else None)

    def places(self, gone: BoolArray) -> Places:
        """Return what it says without some scores (models x tasks)."""
        rule = self.question.rule
        if rule is None:
            return places_of_function(self.question, self._without(gone))
        if self.signs is None:
            read = entered(self._without(gone), rule.needs, missing=rule.options.get("missing", "error"))
            return places_of_rule(rule, read)
        levels = np.where(gone, np.nan, self.signs.levels)
        signs = Signs(models=self.board.models, tasks=self.board.tasks, levels=levels)
        margins = Margins.from_signs(signs, self.board.weights.tolist())
        if rule.name not in DUEL_SCORES:
            return places_of_rule(rule, margins)
        values, usual = DUEL_SCORES[rule.name]
        found = levels_of_totals(values(margins, rule.options.get("score", usual))[None, :])[0]
        return found, found == 0

    def _without(self, gone: BoolArray) -> Leaderboard:
        board = self.board
        floats = np.where(gone, np.nan, board.cells.floats)
        exact = {cell: value for cell, value in board.cells.exact.items() if not gone[cell]}
        return Leaderboard.from_cells(
            board.models,
            board.tasks,
            Cells(floats=floats, exact=exact),
            lower_is_better=board.lower_is_better,
            weights=board.weights,
            groups=board.groups,
            tolerance=board.tolerance,
            relative_tolerance=board.relative_tolerance,
        )


def taken_away(present: BoolArray, count: int, seed: int, draw: int) -> BoolArray:
    """Return which of the scores that are there one draw takes away.

    Every set of that many scores that leaves each model and each task one is equally likely: others are drawn anew.

    Raises
    ------
    InputError
        If no such set was met in a thousand tries.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(draw, count)))
    cells = np.flatnonzero(present)
    for _ in range(MOST_TRIES):
        gone = np.zeros(present.size, dtype=np.bool_)
        gone[rng.choice(cells, size=count, replace=False)] = True
        left = present & ~gone.reshape(present.shape)
        if left.any(axis=0).all() and left.any(axis=1).all():
            return gone.reshape(present.shape)
    raise InputError(
        f"{count} of {len(cells)} scores are too many to take away: in {MOST_TRIES} tries a model or a task was always "
        f"left without any"
    )


def checked_counts(counts: Iterable[int] | None, total: int) -> tuple[int, ...]:
    """Return how many scores are taken away, without repetition, or raise InputError."""
    if counts is None:
        return tuple(dict.fromkeys(max(1, int(total / part)) for part in USUAL_PARTS))
    listed = each_checked("counts", counts, partial(checked_count, "counts", least=1), such_as="[10, 20]")
    if not listed:
        raise InputError("counts: at least one number of scores is needed; got none")
    if max(listed) >= total:
        raise InputError(f"counts must leave some of the {total} scores; got {max(listed)}")
    return listed
