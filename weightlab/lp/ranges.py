"""Ranges of missing scores: what a user says about the lowest and highest values, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from weightlab._exact import fraction
from weightlab._record import read_fraction, read_list, to_json
from weightlab._typing import Number
from weightlab._validate import Faults
from weightlab.data.cells import exact_text
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import InputError, unknown_name
from weightlab.lp.asked import asked
from weightlab.lp.completions import Cell, Range

__all__ = ["Bounds", "bounds_words", "ranges_from_json", "ranges_of", "ranges_to_json"]

Pair = tuple[Number | None, Number | None]
Bounds = Pair | Mapping[str | tuple[str, str], Pair]
"""A lowest and a highest score for all missing cells, or such pairs by task and by (model, task)."""


def ranges_of(board: Leaderboard, bounds: Bounds | None) -> dict[Cell, Range]:
    """Return the range of every missing cell: the cell's own if it has one, else its task's, else no limits.

    Raises
    ------
    InputError
        Listing every fault: unknown names, cells that have a score, pairs that are none or in the wrong order.
    """
    faults = Faults()
    if bounds is None or isinstance(bounds, Mapping):
        given = {_place(name): pair for name, pair in (bounds or {}).items()}
    else:
        given = dict.fromkeys(board.tasks, bounds)
    missing = set(board.missing_cells)
    read: dict[Any, Range] = {}
    for place, pair in given.items():
        fault = _fault(board, place, missing)
        if fault:
            faults.add(fault)
            continue
        try:
            read[place] = _range(pair)
        except (InputError, TypeError, ValueError):
            faults.add(
                f"bounds of {place!r}: a lowest and a highest score (or None) are needed, in order; got {pair!r}"
            )
    faults.raise_if_any()
    return {cell: read.get(cell, read.get(cell[1], (None, None))) for cell in board.missing_cells}


def _place(name: Any) -> Any:
    return tuple(map(str, name)) if isinstance(name, tuple) else str(name)


def _fault(board: Leaderboard, place: Any, missing: set[Cell]) -> str | None:
    """Return what is wrong with the task or cell that bounds are given for."""
    if isinstance(place, tuple) and len(place) != 2:
        return f"bounds go by task or by (model, task); got {place!r}"
    model, task = place if isinstance(place, tuple) else (None, place)
    if task not in board.tasks:
        return unknown_name("task", task, board.tasks)
    if model is not None and model not in board.models:
        return unknown_name("model", model, board.models)
    if model is not None and place not in missing:
        return f"bounds of {place!r}: this score is not missing"
    return None


def _range(pair: Any) -> Range:
    if not isinstance(pair, Sequence):  # a set has no lowest and highest place
        raise InputError("not a range")
    low, high = (None if one is None else fraction(one) for one in pair)
    if isinstance(pair, str) or (low is not None and high is not None and low > high):
        raise InputError("not a range")
    return low, high


def bounds_words(ranges: Mapping[Cell, Range]) -> str:
    """Return a sentence that names the bounds, empty where there are none."""
    texts = {f"{model} on {task}": _words(*ends) for (model, task), ends in ranges.items() if ends != (None, None)}
    return asked("Bounds", [texts], len(ranges), "every missing score")


def _words(low: Fraction | None, high: Fraction | None) -> str:
    if low is None or high is None:
        return f"at least {exact_text(low)}" if low is not None else f"at most {exact_text(high or Fraction(0))}"
    return f"{exact_text(low)} to {exact_text(high)}"


def ranges_to_json(ranges: Mapping[Cell, Range]) -> list[Any]:
    """Return the ranges that have a limit, ready for JSON: model, task, lowest and highest score."""
    return [to_json((*cell, *ends)) for cell, ends in ranges.items() if ends != (None, None)]


def ranges_from_json(listed: Any, what: str, board: Leaderboard) -> dict[Cell, Range]:
    """Return the ranges of a board's missing cells that ``ranges_to_json`` wrote."""
    given: dict[Any, Range] = {}
    for one in read_list(listed, what):
        if len(read_list(one, what)) != 4 or not all(isinstance(name, str) for name in one[:2]):
            raise InputError(f"{what}: model, task, lowest and highest score are needed; got {one!r}")
        model, task, *ends = one
        low, high = (None if end is None else read_fraction(end, f"{what} of {model!r} on {task!r}") for end in ends)
        given[model, task] = low, high
    return ranges_of(board, given)
