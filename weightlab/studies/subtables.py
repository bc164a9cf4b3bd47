"""One question to many parts of one table, each of some of its models: what scans ask thousands of times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from weightlab._typing import AnyArray
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.rules import Rule
from weightlab.rules.entry import Data, entered
from weightlab.studies.questions import Question

__all__ = ["Levels", "levels_among", "part_of"]

Levels: TypeAlias = Callable[[Sequence[int]], AnyArray]
"""From positions of models on a board to the place of each of them, from 0, among these alone; ties share one."""


def levels_among(question: Question, board: Leaderboard) -> Levels:
    """Return the function that ranks some models of a board as if there were no others.

    Notes
    -----
    What a rule reads (places, duels) is taken from the board once and cut for each part, which is the same as reading
    the part: places keep their order, and a duel has no third. Medians that fill gaps are of the models that are there,
    so with ``missing="median"`` each part is read anew, and so it is for functions.
    """
    rule = question.rule
    if rule is None or rule.options.get("missing") == "median":
        return lambda rows: question.answer(part_of(board, rows)).levels([board.models[row] for row in rows])
    data = entered(board, rule.needs, missing=rule.options.get("missing", "error"))
    return lambda rows: _levels(rule, _cut(data, rows))


def part_of(board: Leaderboard, rows: Sequence[int]) -> Leaderboard:
    """Return the board of some of its models, without the tasks on which none of them has a score."""
    gone = set(np.flatnonzero(board.cells.missing[list(rows)].all(axis=0)).tolist())
    tasks = [task for place, task in enumerate(board.tasks) if place not in gone] if gone else None
    return board.select(models=[board.models[row] for row in rows], tasks=tasks)


def _cut(data: Data, rows: Sequence[int]) -> Data:
    models = [data.models[row] for row in rows]
    if isinstance(data, Margins):
        return data.select(models)
    if isinstance(data, Profile):
        return data.select(models=models)
    return part_of(data, rows)


def _levels(rule: Rule, data: Data) -> AnyArray:
    levels = np.empty(len(data.models), dtype=np.int64)
    for level, group in enumerate(rule.apply(data).order):
        levels[list(group)] = level
    return levels
