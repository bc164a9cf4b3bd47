"""The table a study is about, as its result carries it: whole, with tolerances and groups, ready for JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weightlab._result import ensure, read_fraction, to_json
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.rules.documents import data_from_json, data_to_json, ensure_same_data

__all__ = ["board_from_json", "board_to_json", "ensure_same_board"]


def board_to_json(board: Leaderboard) -> dict[str, Any]:
    """Return a leaderboard's exact scores and all its declarations, ready for JSON."""
    return {
        **data_to_json(board),
        "groups": to_json(board.groups),
        "tolerance": to_json(board.tolerance),
        "relative_tolerance": to_json(board.relative_tolerance),
    }


def board_from_json(document: Any) -> Leaderboard:
    """Return the leaderboard that ``board_to_json`` wrote.

    Raises
    ------
    InputError
        If it is of another form.
    """
    plain = data_from_json(document)
    if not isinstance(plain, Leaderboard):
        raise InputError("the table of a study is a leaderboard's scores")
    return Leaderboard.from_cells(
        plain.models,
        plain.tasks,
        plain.cells,
        lower_is_better=plain.lower_is_better,
        weights=plain.weights,
        groups={str(name): [str(task) for task in tasks] for name, tasks in document["groups"].items()},
        tolerance=_fractions(document["tolerance"]),
        relative_tolerance=_fractions(document["relative_tolerance"]),
    )


def ensure_same_board(carried: Leaderboard, given: Any) -> None:
    """Raise ProofError, naming the first difference, unless the board that a result carries is its source."""
    ensure(isinstance(given, Leaderboard), f"the claim is about a leaderboard, not a {type(given).__name__}")
    ensure_same_data(carried, given)
    for part in ("tolerance", "relative_tolerance", "groups"):
        same = dict(getattr(carried, part)) == dict(getattr(given, part))
        ensure(same, f"the declared {part.replace('_', ' ')} carried is not the source's")


def _fractions(document: Mapping[str, Any]) -> dict[str, Any]:
    return {str(task): read_fraction(one, f"a tolerance of {task!r}") for task, one in document.items()}
