"""Standard errors of the scores of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._validate import Faults, checked_names, named_subset
from weightlab.data.frame.arrays import positions
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.labels import grouped_columns
from weightlab.data.frame.named_tables import as_frame


def error_cells(given: Any, models: tuple[str, ...], tasks: tuple[str, ...], faults: Faults) -> Cells | None:
    """Return standard errors given as a frame, models x tasks, at the places of the scores; None of none.

    Rows and columns may be fewer than those of the scores, and stand in any order. A table without names has those of
    the scores.
    """
    if given is None:
        return None
    own = Faults()
    frame, _ = grouped_columns(as_frame(given, own), own)
    if _is_numbered(frame.index) and len(frame.index) == len(models):
        frame = frame.set_axis(list(models), axis=0)
    if _is_numbered(frame.columns) and len(frame.columns) == len(tasks):
        frame = frame.set_axis(list(tasks), axis=1)
    rows, columns = checked_names(frame.index, "model", own), checked_names(frame.columns, "task", own)
    named_subset(rows, models, "model", own, holder="leaderboard")
    named_subset(columns, tasks, "task", own, holder="leaderboard")
    cells = Cells.from_frame(frame, own, row_kind="model", column_kind="task")
    faults.include(own, "standard errors")
    if own:
        return None
    to_rows, to_columns = positions(rows, models, "model"), positions(columns, tasks, "task")
    floats = np.full((len(models), len(tasks)), np.nan)
    floats[np.ix_(to_rows, to_columns)] = cells.floats
    exact = {(to_rows[row], to_columns[column]): value for (row, column), value in cells.exact.items()}
    return Cells(floats=floats, exact=exact)


def _is_numbered(index: Any) -> bool:
    """Return whether rows or columns have no names, only the numbers that pandas assigns."""
    return isinstance(index, pd.RangeIndex)


def standard_error(values: Sequence[Fraction]) -> float:
    """Return the standard error of the mean of repeated measurements, to double precision; NaN of a single one.

    It is the square root of s^2 / n, where s^2 is the unbiased sample variance, worked out exactly.
    """
    count = len(values)
    if count < 2:
        return math.nan
    mean = sum(values) / Fraction(count)
    variance = sum((value - mean) ** 2 for value in values) / Fraction(count - 1)
    return math.sqrt(variance / count)
