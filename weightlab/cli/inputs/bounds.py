"""Between which scores missing ones lie, as ``--between`` says it: for all tasks, or for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weightlab._result import told_of
from weightlab.cli.inputs.names import meant
from weightlab.data import Leaderboard
from weightlab.data.frame.declarations import Range, score_range
from weightlab.exceptions import InputError


def bounds_of(given: Sequence[str] | None, board: Leaderboard) -> Mapping[Any, Range] | None:
    """Return the lowest and highest score by task, None for a side without one; a task's own goes before that of all.

    The table's own bounds apply to tasks that the options do not name.

    Raises
    ------
    InputError
        If a text is not written as it should be, or two are about the same.
    """
    found: dict[str | None, Range] = {}
    for text in given or []:
        name, separator, written = text.rpartition("=")
        with told_of(f"--between {text!r}", InputError):
            task = meant(name, board.tasks, "task") if separator else None
            if task in found:
                raise InputError("there are bounds for the same scores already; pass each once")
            if ":" not in written:
                raise InputError(
                    "write LOWEST:HIGHEST or TASK=LOWEST:HIGHEST, such as 0:100; either end may be omitted"
                )
            found[task] = score_range(written)
    if not found:
        return None
    of_all = found.pop(None, None)
    return {task: ends for task in board.tasks if (ends := found.get(task, of_all)) is not None}
