"""A table that travels with a result about its scores: as JSON, compared with its source, with some scores replaced."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._result import ensure, read_fraction, to_json
from weightlab.data.cells import Cells
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import InputError, ProofError

__all__ = ["as_leaderboard", "check_same_table", "exact_scores", "table_from_json", "table_to_json", "with_scores"]


def as_leaderboard(board: object) -> Leaderboard:
    """Return the leaderboard itself; signs and profiles do not say by how much a score leads.

    Raises
    ------
    TypeError
        For anything else.
    """
    if not isinstance(board, Leaderboard):
        raise TypeError(f"a Leaderboard is needed, since this question is about scores; got {type(board).__name__}")
    return board


def exact_scores(board: Leaderboard) -> dict[tuple[str, str], Fraction]:
    """Return the exact scores there are, by model and task."""
    return {
        (model, task): score
        for column, task in enumerate(board.tasks)
        for model, score in zip(board.models, board.cells.column(column), strict=True)
        if score is not None
    }


def with_scores(board: Leaderboard, scores: Mapping[tuple[str, str], Fraction]) -> Leaderboard:
    """Return the board with some scores replaced or filled in, by model and task."""
    row = {model: position for position, model in enumerate(board.models)}
    column = {task: position for position, task in enumerate(board.tasks)}
    numbers = exact_scores(board) | dict(scores)
    cells = Cells.from_fractions(
        {(row[model], column[task]): score for (model, task), score in numbers.items()},
        (len(board.models), len(board.tasks)),
    )
    return Leaderboard.from_cells(
        board.models,
        board.tasks,
        cells,
        lower_is_better=board.lower_is_better,
        weights=dict(board.weights),
        groups=board.groups,
        tolerance=board.tolerance,
        relative_tolerance=board.relative_tolerance,
    )


def check_same_table(table: Leaderboard, source: object, *, weights: bool) -> None:
    """Ensure that a source has the table's models, tasks, scores and declarations, in whatever order.

    Weights, as shares of their sum, are compared where they take part in the claim.
    """
    if not isinstance(source, Leaderboard):
        raise ProofError(f"the source must be a Leaderboard, not a {type(source).__name__}")
    for what, own, other in (("models", table.models, source.models), ("tasks", table.tasks, source.tasks)):
        different = sorted(set(own) ^ set(other))
        ensure(not different, f"the source has other {what}: {', '.join(map(repr, different[:5]))}")
    scores, others = exact_scores(table), exact_scores(source)
    for model, task in [cell for cell in scores | others if scores.get(cell) != others.get(cell)]:
        found, carried = others.get((model, task)), scores.get((model, task))
        ensure(holds=False, failure=f"the score of {model!r} on {task!r} is {found} in the source, not {carried}")
    for what in ("lower_is_better", "tolerance", "relative_tolerance"):
        same = _plain(getattr(table, what)) == _plain(getattr(source, what))
        ensure(same, f"the source declares another {what}")
    if weights:
        total, own_total = sum(source.weights), sum(table.weights)
        same = all(source.weights[task] * own_total == table.weights[task] * total for task in table.tasks)
        ensure(same, "the source has other weights")


def _plain(declared: Any) -> Any:
    return dict(declared) if isinstance(declared, Mapping) else set(declared)


def table_to_json(board: Leaderboard) -> dict[str, Any]:
    """Return a board ready for JSON: exact scores by task, null where missing, and what is declared about tasks."""
    scores = {
        task: [None if score is None else to_json(score) for score in board.cells.column(column)]
        for column, task in enumerate(board.tasks)
    }
    return {
        "models": list(board.models),
        "scores": scores,
        "lower_is_better": list(board.lower_is_better),
        "weights": to_json(board.weights),
        "tolerance": to_json(board.tolerance),
        "relative_tolerance": to_json(board.relative_tolerance),
    }


def table_from_json(document: Mapping[str, Any]) -> Leaderboard:
    """Return the board that ``table_to_json`` wrote.

    Raises
    ------
    InputError
        If it is not a table, or a score is not written as ``"p/q"``.
    """
    models = [_text(name) for name in document["models"]]
    columns: dict[str, list[Fraction | None]] = {}
    for task, written in document["scores"].items():
        if not isinstance(written, list) or len(written) != len(models):
            raise InputError(f"task {task!r} needs a list of {len(models)} scores, one a model")
        columns[task] = [None if one is None else read_fraction(one, f"score on {task!r}") for one in written]
    numbers = {
        what: {_text(task): read_fraction(one, f"{what} of {task!r}") for task, one in document[what].items()}
        for what in ("weights", "tolerance", "relative_tolerance")
    }
    lower = [_text(task) for task in document["lower_is_better"]]
    return Leaderboard(
        pd.DataFrame(columns, index=models, dtype=object),
        lower_is_better=lower,
        weights=numbers["weights"],
        tolerance=numbers["tolerance"],
        relative_tolerance=numbers["relative_tolerance"],
    )


def _text(name: Any) -> str:
    if not isinstance(name, str):
        raise InputError(f"names must be texts; got {name!r}")
    return name
