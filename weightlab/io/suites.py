"""Reading suites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from weightlab._typing import Number, WeightsLike
from weightlab.data import Suite
from weightlab.exceptions import FileFormatError, InputError, unknown_name
from weightlab.io.config import ConfigLike, settings
from weightlab.io.gather import Scores, gathered
from weightlab.io.numbers import number
from weightlab.io.sheet import FileFaults, Sheet
from weightlab.io.sheets import sheet_of
from weightlab.io.source import PathLike, opened

__all__ = ["read_suite"]

COLUMNS = ("dataset", "metric", "model", "score")
DECLARED = ("lower_is_better", "weights", "tolerance", "relative_tolerance")


def read_suite(
    path: PathLike,
    *,
    config: ConfigLike | None = None,
    dataset: str | None = None,
    metric: str | None = None,
    model: str | None = None,
    score: str | None = None,
    lower_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
    tolerance: Number | Mapping[str, Number] | None = None,
    relative_tolerance: Number | Mapping[str, Number] | None = None,
    format: str | None = None,  # noqa: A002
) -> Suite:
    """Read a suite: a long table with columns dataset, metric, model, score and perhaps higher_is_better."""
    source = opened(path, format)
    given = {
        "dataset": dataset,
        "metric": metric,
        "model": model,
        "score": score,
        "lower_is_better": lower_is_better,
        "weights": weights,
        "tolerance": tolerance,
        "relative_tolerance": relative_tolerance,
    }
    declared = settings(source, config, given, (*COLUMNS, *DECLARED), "read_suite")
    faults = FileFaults(source.name)
    sheet = sheet_of(source, faults)
    called = {column: str(declared.values.get(column, column)) for column in COLUMNS}
    frame = _frame(sheet, called, faults)
    options = {keyword: declared.values[keyword] for keyword in DECLARED if keyword in declared.values}
    try:
        return Suite.from_long(frame, **options)
    except InputError as error:
        raise FileFormatError(source.name, error.faults) from None


def _frame(sheet: Sheet, called: Mapping[str, str], faults: FileFaults) -> pd.DataFrame:
    for column in called.values():
        if column not in sheet.header:
            faults.add(unknown_name("column", column, sheet.header, holder="file"))
    faults.raise_here()
    position = {column: sheet.header.index(name) for column, name in called.items()}
    names = [position[column] for column in ("dataset", "metric", "model")]
    directed = "higher_is_better" in sheet.header
    texts = [sheet.header.index("higher_is_better")] if directed else []
    found = gathered(sheet, faults, names=names, scores={position["score"]: number}, texts=texts)
    faults.raise_here()
    columns: dict[str, Any] = {
        column: np.array(found.names[position[column]].distinct, dtype=object)[found.names[position[column]].codes]
        for column in ("dataset", "metric", "model")
    }
    columns["score"] = _objects(found.scores[position["score"]])
    if directed:
        columns["higher_is_better"] = found.texts[texts[0]]
    return pd.DataFrame(columns, dtype=object)


def _objects(scores: Scores) -> Any:
    cells = scores.floats.astype(object)
    for row, value in scores.exact.items():
        cells[row] = value
    return cells
