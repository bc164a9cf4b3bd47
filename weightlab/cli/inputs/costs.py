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
        with Path(file).open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines) if row]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--cost {file!r}: file not found, or not a text: {error}") from None
    found: dict[str | tuple[str, str], Fraction] = {}
    for line, row in enumerate(rows[1:], start=2):
        if len(row) not in (2, 3):
            raise InputError(f"--cost {file!r}, line {line}: a task or a model, or both, and a cost are needed")
        with told_of(f"--cost {file!r}, line {line}", InputError):
            own, place = fraction(row[-1]), row[0].strip() if len(row) == 2 else (row[0].strip(), row[1].strip())
        if place in found:
            raise InputError(f"--cost {file!r}, line {line}: {place!r} is given twice")
        if isinstance(place, str) and place not in (*board.models, *board.tasks):
            raise InputError(f"--cost {file!r}, line {line}: there is no model and no task {place!r}")
        found[place] = own
    return found
