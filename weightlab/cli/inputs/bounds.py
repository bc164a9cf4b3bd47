"""Between which scores missing ones lie, as ``--between`` says it: for all tasks, or for one."""

from __future__ import annotations

from collections.abc import Sequence

from weightlab._exact import fraction
from weightlab._result import told_of
from weightlab.cli.inputs.names import meant
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp.unknown_scores.completions import Bounds, Range


def bounds_of(given: Sequence[str] | None, board: Leaderboard) -> Bounds | None:
    """Return the lowest and highest score by task, None for a side without one; a task's own goes before that of all.

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
            found[task] = _ends(written)
    if not found:
        return None
    of_all = found.pop(None, (None, None))
    return {task: found.get(task, of_all) for task in board.tasks}


def _ends(written: str) -> Range:
    lowest, separator, highest = written.partition(":")
    if not separator:
        raise InputError("write LOWEST:HIGHEST or TASK=LOWEST:HIGHEST, such as 0:100; either end may be left out")
    low, high = (fraction(one) if one.strip() else None for one in (lowest, highest))
    if low is not None and high is not None and low > high:
        raise InputError(f"the lowest score, {lowest}, is above the highest, {highest}")
    return low, high
