"""The bounds of each missing score, the rules that use them, and how sentences name them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._validate import Faults
from weightlab.data import Leaderboard
from weightlab.data.frame.cells import exact_text
from weightlab.data.frame.declarations import Pair, Range, score_range
from weightlab.data.linear_rule import CONDORCET, MAJORITY, MEAN, LinearRule, RuleLike
from weightlab.data.own_rule import LARGE, SMALL
from weightlab.exceptions import InputError, unknown_name
from weightlab.lp.space.conditions import options_sentence

Cell = tuple[str, str]
"""A model and a task."""
Bounds: TypeAlias = "Pair | Mapping[str | tuple[str, str], Pair]"
"""A lowest and a highest score for all cells, or such pairs by task and by (model, task)."""
BORDA = "borda"
RULES = (MEAN, MAJORITY, BORDA)


def rule_asked(rule: RuleLike | None, table: Leaderboard) -> LinearRule:
    """Return the rule that a user means, by default a table's own.

    Raises
    ------
    InputError
        If missing scores are not asked about by it.
    """
    if isinstance(rule, str) and rule.partition(":")[0] not in (*RULES, CONDORCET):
        _refuse(rule)
    return LinearRule.or_own(rule, table)


def ensure_askable(rule: LinearRule, table: Leaderboard, tasks: Sequence[str]) -> None:
    """Raise InputError where missing scores are not asked about by a rule, or tolerances of tasks are too wide."""
    if str(rule) not in RULES:
        _refuse(str(rule))
    wide = [task for task in tasks if rule.is_majority and table.relative_tolerance.get(task, 0) > 1]
    if wide:
        raise InputError(f"an unknown score needs relative tolerances of at most 1; see task {wide[0]!r}")
    tied = [task for task in table.tasks if table.tolerance.get(task) or table.relative_tolerance.get(task)]
    if rule.name == BORDA and tied:
        told = f"by Borda, scores that tie within a tolerance have no places; see task {tied[0]!r}"
        raise InputError(Fault(told, Cure("rule", MAJORITY)))


def _refuse(rule: str) -> NoReturn:
    told = f"missing scores can be analysed by mean, majority or borda; got {rule}"
    raise InputError(Fault(told, Cure("rule", MEAN), Cure("rule", MAJORITY)))


def usual_bounds(table: Leaderboard) -> Iterator[Cure]:
    """Yield the bounds of shares, or of percentages, where all scores of a table are some."""
    scores = table.cells.floats[~table.cells.missing]
    top = next((one for one in (SMALL, LARGE) if np.abs(scores).max() <= one), None)
    if top is not None:
        yield Cure("bounds", f"{0 if scores.min() >= 0 else -top}:{top}")


def ranges_of(board: Leaderboard, bounds: Bounds | None) -> dict[Cell, Range]:
    """Return the range of every missing cell: its own, else its task's, else what the table declares, else no limits.

    Raises
    ------
    InputError
        As `bounds_read`.
    """
    read = bounds_read(board, bounds)
    return {cell: read.get(cell, read.get(cell[1], (None, None))) for cell in board.missing_cells}


def bounds_read(board: Leaderboard, bounds: Bounds | None) -> dict[Any, Range]:
    """Return the ranges that a user names, or else the table declares, by task and by (model, task).

    Raises
    ------
    InputError
        Listing all errors: unknown names, bounds that are not pairs or in the wrong order, scores outside bounds of
        their own.
    """
    faults = Faults()
    if bounds is None or isinstance(bounds, Mapping):
        pairs = {_place(name): pair for name, pair in (bounds or {}).items()}
    else:
        try:
            return dict(board.bounds) | dict.fromkeys(board.tasks, score_range(bounds))
        except InputError as error:
            raise InputError(f"bounds: {error}") from None
    row, column = ({name: at for at, name in enumerate(names)} for names in (board.models, board.tasks))
    read: dict[Any, Range] = {}
    for place, pair in pairs.items():
        fault = _fault(board, place)
        if fault:
            faults.add(fault)
            continue
        try:
            read[place] = score_range(pair)
        except InputError as error:
            faults.add(f"bounds of {place!r}: {error}")
            continue
        if isinstance(place, tuple) and not board.cells.missing[row[place[0]], column[place[1]]]:
            score, (low, high) = board.cells.column(column[place[1]])[row[place[0]]], read[place]
            if score is not None and not (score if low is None else low) <= score <= (score if high is None else high):
                faults.add(outside_text(board, place, read[place]))
    faults.raise_if_any()
    return dict(board.bounds) | read


def outside_text(board: Leaderboard, cell: Cell, ends: Range) -> str:
    """Return that a score is outside its bounds, and what to do."""
    score = board.cells.texts(board.tasks.index(cell[1]))[board.models.index(cell[0])]
    told = f"the score of {cell[0]!r} on {cell[1]!r}, {score}, is outside its bounds, {range_text(*ends)}"
    return f"{told}: widen the bounds, or correct the score"


def _place(name: Any) -> Any:
    return tuple(map(str, name)) if isinstance(name, tuple) else str(name)


def _fault(board: Leaderboard, place: Any) -> str | None:
    """Return the error in the task or cell of given bounds, if any."""
    if isinstance(place, tuple) and len(place) != 2:
        return f"bounds go by task or by (model, task); got {place!r}"
    model, task = place if isinstance(place, tuple) else (None, place)
    if task not in board.tasks:
        return unknown_name("task", task, board.tasks)
    return None if model is None or model in board.models else unknown_name("model", model, board.models)


def bounds_text(ranges: Mapping[Cell, Range]) -> str:
    """Return a sentence that names the bounds; empty without bounds."""
    texts = {f"{model} on {task}": range_text(*ends) for (model, task), ends in ranges.items() if ends != (None, None)}
    return options_sentence("Bounds", [texts], len(ranges), "every missing score")


def range_text(low: Fraction | None, high: Fraction | None) -> str:
    """Return bounds as words."""
    if low is None or high is None:
        return f"at least {exact_text(low)}" if low is not None else f"at most {exact_text(high or Fraction(0))}"
    return f"{exact_text(low)} to {exact_text(high)}"


Limit: TypeAlias = tuple[str, str, Fraction | None, Fraction | None]
"""A model and a task, the lowest and the highest score."""


def limits_of(ranges: Mapping[Cell, Range] | Sequence[Limit]) -> tuple[Limit, ...]:
    """Return the ranges that have a limit: model, task, lowest and highest score."""
    if not isinstance(ranges, Mapping):
        return tuple(ranges)
    return tuple((*cell, *ends) for cell, ends in ranges.items() if ends != (None, None))
