"""Reading scores on single instances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from weightlab._typing import WeightsLike
from weightlab._validate import named_subset
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.config import ConfigLike, Settings, settings
from weightlab.io.gather import Gathered, Names, Scores, gathered
from weightlab.io.numbers import number
from weightlab.io.sheet import FileFaults, Sheet
from weightlab.io.sheets import sheet_of
from weightlab.io.source import PathLike, opened

__all__ = ["read_instances"]

DECLARED = ("lower_is_better", "weights")
KEYWORDS = ("model", "instance", "tasks", "drop", *DECLARED)


def read_instances(
    path: PathLike,
    *,
    config: ConfigLike | None = None,
    model: str | None = None,
    instance: str | None = None,
    tasks: str | Iterable[str] | None = None,
    drop: str | Iterable[str] | None = None,
    lower_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
    format: str | None = None,  # noqa: A002
) -> Instances:
    """Read scores on single instances: a row a model and instance, every other column is a task."""
    source = opened(path, format)
    given = {
        "model": model,
        "instance": instance,
        "tasks": tasks,
        "drop": drop,
        "lower_is_better": lower_is_better,
        "weights": weights,
    }
    declared = settings(source, config, given, KEYWORDS, "read_instances")
    faults = FileFaults(source.name)
    sheet = sheet_of(source, faults)
    models, instances, columns = _layout(sheet, declared, faults)
    found = gathered(sheet, faults, names=[models, instances], scores=dict.fromkeys(columns, number))
    _check_pairs(found, models, instances, sheet, faults)
    faults.raise_here()
    rows, across = found.names[models], found.names[instances]
    tables = {sheet.header[column]: _wide(rows, across, found.scores[column]) for column in columns}
    options = {keyword: declared.values[keyword] for keyword in DECLARED if keyword in declared.values}
    try:
        return Instances(tables, **options)
    except InputError as error:
        raise FileFormatError(source.name, error.faults) from None


def _layout(sheet: Sheet, declared: Settings, faults: FileFaults) -> tuple[int, int, list[int]]:
    header = sheet.header
    called = [str(declared.values.get(column, column)) for column in ("model", "instance")]
    named_subset(called, header, "column", faults, holder="file")
    for keyword in ("tasks", "drop"):
        named_subset(declared.names(keyword), header, "column", faults, holder="file", where=declared.place(keyword))
    faults.raise_here()
    chosen = declared.names("tasks") or header
    left_out = {*called, *declared.names("drop")}
    columns = [column for column, name in enumerate(header) if name in chosen and name not in left_out]
    return header.index(called[0]), header.index(called[1]), columns


def _check_pairs(found: Gathered, models: int, instances: int, sheet: Sheet, faults: FileFaults) -> None:
    rows, across = found.names[models], found.names[instances]
    pairs = rows.codes * max(len(across.distinct), 1) + across.codes
    order = np.argsort(pairs, kind="stable")
    again = np.flatnonzero(pairs[order][1:] == pairs[order][:-1])
    for later in sorted(order[again + 1].tolist()):
        model, instance = rows.distinct[rows.codes[later]], across.distinct[across.codes[later]]
        faults.add(f"{sheet.row} {found.places[later]}: model {model!r} on instance {instance!r} is there already")
        if faults.enough:
            return


def _wide(rows: Names, across: Names, scores: Scores) -> pd.DataFrame:
    wide = np.full((len(rows.distinct), len(across.distinct)), np.nan)
    wide[rows.codes, across.codes] = scores.floats
    frame = pd.DataFrame(wide, index=list(rows.distinct), columns=list(across.distinct))
    if not scores.exact:
        return frame
    cells: Any = wide.astype(object)
    for row, value in scores.exact.items():
        cells[rows.codes[row], across.codes[row]] = value
    return pd.DataFrame(cells, index=list(rows.distinct), columns=list(across.distinct))
