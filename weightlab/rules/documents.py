"""What a rule read, as JSON and back, so that a ranking can be checked where it is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._result import ensure, fractions_to_json, read_fraction, to_json
from weightlab._typing import AnyArray
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.exceptions import InputError, ProofError
from weightlab.rules.entry import Data

__all__ = ["data_from_json", "data_to_json", "ensure_same_data", "is_same_data"]

INT64_SAFE = 2**62


def data_to_json(data: Data) -> dict[str, Any]:
    """Return a leaderboard's scores, a profile's ranks or margins, ready for JSON."""
    if isinstance(data, Leaderboard):
        columns = [data.cells.column(place) for place in range(len(data.tasks))]
        return {
            "type": "scores",
            "models": list(data.models),
            "tasks": list(data.tasks),
            "scores": [[None if cell is None else to_json(cell) for cell in column] for column in columns],
            "lower_is_better": list(data.lower_is_better),
            "weights": fractions_to_json(data.weights.tolist()),
        }
    if isinstance(data, Profile):
        return {
            "type": "places",
            "models": list(data.models),
            "voters": list(data.voters),
            "ranks": data.ranks.tolist(),
            "weights": fractions_to_json(data.weights),
        }
    return {
        "type": "margins",
        "models": list(data.models),
        "wins": data.wins.tolist(),
        "ties": data.ties.tolist(),
        "denominator": int(data.denominator),
    }


def data_from_json(document: Any) -> Data:
    """Return the data that ``data_to_json`` wrote.

    Raises
    ------
    InputError
        If they are of another form.
    """
    readers: dict[str, Callable[[Mapping[str, Any]], Data]] = {
        "scores": _leaderboard,
        "places": _profile,
        "margins": _margins,
    }
    if not isinstance(document, Mapping) or document.get("type") not in readers:
        raise InputError("the data of a ranking are an object whose 'type' is 'scores', 'places' or 'margins'")
    return readers[document["type"]](document)


def ensure_same_data(carried: Data, given: Data) -> None:
    """Raise ProofError unless what a result carries is what its source has."""
    ensure(type(carried) is type(given), f"the result carries a {type(carried).__name__}")
    ensure(carried.models == given.models, "the models carried are not those of the source, in its order")
    if isinstance(carried, Leaderboard) and isinstance(given, Leaderboard):
        # Groups and tolerances play no part in a mean.
        ensure(carried.tasks == given.tasks, "the tasks carried are not those of the source")
        ensure(carried.lower_is_better == given.lower_is_better, "the directions carried are not those of the source")
        ensure(carried.weights.tolist() == given.weights.tolist(), "the weights carried are not those of the source")
        for place, task in enumerate(carried.tasks):
            same = carried.cells.column(place) == given.cells.column(place)
            ensure(same, f"the scores carried on {task!r} are not those of the source")
    elif isinstance(carried, Profile) and isinstance(given, Profile):
        ensure(carried.voters == given.voters, "the tasks carried are not those of the source")
        ensure(carried.weights == given.weights, "the weights carried are not those of the source")
        for voter, ranks, own in zip(carried.voters, carried.ranks, given.ranks, strict=True):
            ensure(np.array_equal(ranks, own), f"the ranks carried on {voter!r} are not those of the source")
    elif isinstance(carried, Margins) and isinstance(given, Margins):
        for what in ("wins", "ties"):
            mine, own = getattr(carried, what), getattr(given, what)
            same = np.array_equal(mine.astype(object) * given.denominator, own.astype(object) * carried.denominator)
            ensure(same, f"the {what} carried are not those of the source")


def is_same_data(one: Data, other: Data) -> bool:
    """Tell whether two sets of data are written alike."""
    try:
        ensure_same_data(one, other)
    except ProofError:
        return False
    return not isinstance(one, Margins) or not isinstance(other, Margins) or one.denominator == other.denominator


def _leaderboard(document: Mapping[str, Any]) -> Leaderboard:
    models, tasks = _names(document["models"]), _names(document["tasks"])
    if len(document["scores"]) != len(tasks) or any(len(column) != len(models) for column in document["scores"]):
        raise InputError(f"the scores of a ranking are {len(tasks)} lists of {len(models)} numbers, one list a task")
    frame = pd.DataFrame(
        [
            [None if cell is None else read_fraction(cell, "a score") for cell in row]
            for row in zip(*document["scores"], strict=True)
        ],
        index=models,
        columns=tasks,
        dtype=object,
    )
    weights = dict(zip(tasks, _fractions(document["weights"], len(tasks)), strict=True))
    return Leaderboard(frame, lower_is_better=_names(document["lower_is_better"]), weights=weights)


def _profile(document: Mapping[str, Any]) -> Profile:
    models, voters = _names(document["models"]), _names(document["voters"])
    ranks = _integers(document["ranks"], (len(voters), len(models)), "ranks")
    for voter, row in zip(voters, ranks, strict=True):
        found = np.unique(row[row > 0])
        if row.min(initial=0) < 0 or not np.array_equal(found, np.arange(1, len(found) + 1)):
            raise InputError(f"the ranks on {voter!r} are not dense ranks from 1, with 0 for who is not ranked")
    weights = _fractions(document["weights"], len(voters))
    if any(weight <= 0 for weight in weights):
        raise InputError("the weights of a ranking's tasks are positive")
    return Profile(models=tuple(models), voters=tuple(voters), ranks=ranks.astype(np.int32), weights=tuple(weights))


def _margins(document: Mapping[str, Any]) -> Margins:
    models = _names(document["models"])
    shape = (len(models), len(models))
    wins, ties = (_integers(document[what], shape, what) for what in ("wins", "ties"))
    denominator = document["denominator"]
    if not isinstance(denominator, int) or isinstance(denominator, bool) or denominator < 1:
        raise InputError(f"the denominator of the margins is no positive integer: {denominator!r}")
    if (wins < 0).any() or (ties < 0).any() or (ties != ties.T).any() or np.diagonal(wins + ties).any():
        raise InputError("wins and ties are not negative, ties are the same both ways, and no model meets itself")
    return Margins(models=tuple(models), wins=wins, ties=ties, denominator=denominator)


def _names(given: Any) -> list[str]:
    names = list(given)
    if any(not isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise InputError("models and tasks of a ranking are lists of distinct names")
    return names


def _fractions(given: Any, count: int) -> list[Fraction]:
    weights = [read_fraction(one, "a weight") for one in given]
    if len(weights) != count:
        raise InputError(f"{len(weights)} weights for {count} tasks")
    return weights


def _integers(rows: Any, shape: tuple[int, int], what: str) -> AnyArray:
    listed: list[Sequence[Any]] = [list(row) for row in rows]
    if len(listed) != shape[0] or any(len(row) != shape[1] for row in listed):
        raise InputError(f"{what}: {shape[0]} rows of {shape[1]} integers are needed")
    if any(not isinstance(one, int) or isinstance(one, bool) for row in listed for one in row):
        raise InputError(f"{what}: a cell is not an integer")
    largest = max((abs(one) for row in listed for one in row), default=0)
    return np.array(listed, dtype=np.int64 if largest < INT64_SAFE else object).reshape(shape)
