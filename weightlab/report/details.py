"""What stands at the end of a report: the table itself, as it was read."""

from __future__ import annotations

from weightlab._validate import counted
from weightlab.data import Leaderboard, Suite
from weightlab.report.blocks import Facts, Section, Table
from weightlab.report.wording import listed, number, shown

__all__ = ["board_table", "suite_table"]

NAMED = 40
"""So many tasks, models or cells are named in a row."""


def board_table(board: Leaderboard) -> Section:
    """Return the scores, and what was declared about them."""
    lower = set(board.lower_is_better)
    gaps = [f"{shown(model)} on {shown(task)}" for model, task in board.missing_cells]
    tolerant = [
        f"{shown(task)} {number(value)}" for task, value in {**board.tolerance, **board.relative_tolerance}.items()
    ]
    facts = [
        ("Size", [f"{counted(len(board.models), 'model')} x {counted(len(board.tasks), 'task')}"]),
        ("Lower is better", [listed([task for task in board.tasks if task in lower], NAMED) or "on no task"]),
        ("Weights today", [_weights(board)]),
        ("Groups of tasks", [f"{shown(name)}: {listed(tasks, NAMED)}" for name, tasks in board.groups.items()]),
        ("Score tolerance", [listed(tolerant, NAMED)] if tolerant else []),
        ("Missing scores", [f"{len(gaps)}: {listed(gaps, NAMED)}" if gaps else "none"]),
    ]
    columns = [board.cells.texts(column) for column in range(len(board.tasks))]
    rows = [(shown(model), *scores) for model, *scores in zip(board.models, *columns, strict=True)]
    tasks = (f"{shown(task)} (lower is better)" if task in lower else shown(task) for task in board.tasks)
    return Section(
        key="table",
        question="What was measured?",
        answer=f"{shown(repr(board))}.",
        blocks=(
            Facts.of("The table as it was read", facts),
            Table.of("All scores", ("model", *tasks), rows).numbered(1),
        ),
    )


def _weights(board: Leaderboard) -> str:
    weights = board.weights
    if len(set(weights)) == 1:
        return "equal"
    return listed([f"{shown(task)} {number(weight)}" for task, weight in weights.items()], NAMED)


def suite_table(suite: Suite) -> Section:
    """Return which models and metrics each dataset has."""
    frame = suite.summary()
    rows = [(shown(name), *(shown(cell) for cell in row)) for name, *row in frame.itertuples()]
    names = ("dataset", *(str(name).replace("_", " ") for name in frame.columns))
    lower = listed(suite.lower_is_better, NAMED) or "on no metric"
    return Section(
        key="table",
        question="What was measured?",
        answer=f"{shown(repr(suite))}.",
        blocks=(
            Facts.of("The suite as it was read", [("Lower is better", [lower])]),
            Table.of("Datasets", names, rows).numbered(1),
        ),
    )
