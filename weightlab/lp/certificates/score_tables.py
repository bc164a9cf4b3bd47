"""Tables that a question about scores is asked of: with exact scores, and with some of them replaced."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from weightlab.data.frame.cells import Cells
from weightlab.data.leaderboard import Leaderboard

__all__ = ["board_with_scores", "with_scores"]


def board_with_scores(board: object) -> Leaderboard:
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
    return Leaderboard.from_cells(board.models, board.tasks, cells, **board.declarations.options())
