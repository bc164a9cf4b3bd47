"""Frames of pandas, Polars and PyArrow as tables: read as a file of the same columns is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from weightlab._validate import is_missing
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.sheet import Block, Sheet, Source


def frame_sheet(source: Source) -> Sheet:
    """Return the sheet of a frame; an index that is more than a count of the rows comes first, and holds labels.

    Raises
    ------
    FileFormatError
        If its rows or columns have several levels.
    """
    frame: pd.DataFrame = source.frame
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise FileFormatError(
            source.name, "rows or columns of several levels: frame.reset_index() makes columns of rows"
        )
    labelled = not isinstance(frame.index, pd.RangeIndex)
    columns = [_cells(frame.iloc[:, at]) for at in range(frame.shape[1])]
    header = [str(name) for name in frame.columns]
    if labelled:
        columns.insert(0, _cells(frame.index.to_series()))
        header.insert(0, "" if frame.index.name is None else str(frame.index.name))
    block = Block(rows=range(1, len(frame) + 1), columns=columns)
    return Sheet(
        header=tuple(header), blocks=iter([block] if len(frame) else []), place="row {}".format, labelled=labelled
    )


def _cells(series: pd.Series) -> Any:
    """Return the cells of a column: an array of doubles or of integers where it is one, else what each cell is."""
    if series.dtype in (np.dtype("float64"), np.dtype("int64")):
        return series.to_numpy()
    if series.dtype.kind == "f":
        return list(series.to_numpy())  # narrow doubles stay narrow
    return [_cell(one) for one in series.astype(object).tolist()]


def _cell(value: Any) -> Any:
    if is_missing(value):
        return None
    return (
        value if isinstance(value, str | bool | int | float | np.number) or hasattr(value, "as_tuple") else str(value)
    )
