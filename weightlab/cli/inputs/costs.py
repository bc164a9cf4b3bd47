"""Costs of scores from a file: by task or model, or by both."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

from weightlab._exact import fraction
from weightlab._result import told_of
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError


def read_costs(file: str, board: Leaderboard) -> dict[str | tuple[str, str], Fraction]:
    """Return the costs of scores by task, model or both; the first line holds headings."""
    try:
        with Path(file).open(encoding="utf-8-sig", newline="") as text:
            lines = csv.reader(text)
            rows = [(lines.line_num, row) for row in lines if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"--cost {file!r}: file not found, or not a text: {error}") from None
    found: dict[str | tuple[str, str], Fraction] = {}
    for line, row in rows[1:]:
        names = [name.strip() for name in row[:-1] if name.strip()]
        with told_of(f"--cost {file!r}, line {line}", InputError):
            if len(row) not in (2, 3) or not names:
                raise InputError("a task or a model, or both, and a cost are needed")
            place = names[0] if len(names) == 1 else (names[0], names[1])
            if place in found:
                raise InputError(f"{place!r} is given twice")
            if isinstance(place, str) and place not in (*board.models, *board.tasks):
                raise InputError(f"there is no model and no task {place!r}")
            if (cost := fraction(row[-1])) <= 0:
                raise InputError(f"a cost must be positive; got {row[-1].strip()}: to leave a task out, use --drop")
            found[place] = cost
    return found
