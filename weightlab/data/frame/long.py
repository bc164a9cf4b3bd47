"""Long frames, one row a score, taken apart into one table a dataset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from weightlab._validate import Faults, is_missing, written
from weightlab.exceptions import nearest_name

NAMES = ("dataset", "metric", "model")
"""Columns that say what a score is of."""
DIRECTION = "higher_is_better"
"""The optional column that declares directions."""
_TRUTH = {"true": True, "1": True, "1.0": True, "yes": True, "false": False, "0": False, "0.0": False, "no": False}


def tables_from_long(frame: pd.DataFrame, faults: Faults) -> dict[str, pd.DataFrame]:
    """Return one frame a dataset, models x metrics in order of first appearance, cells as they were written.

    Faults are missing columns, a column whose name is nearly that of the directions (it would go unread), rows that
    lack a name, and scores that are there twice.
    """
    if not _has_columns(frame, faults):
        return {}
    dataset_of, metric_of, model_of = (_texts(frame[column], column, faults) for column in NAMES)
    scores: dict[str, dict[tuple[str, str], Any]] = {}
    for dataset, metric, model, score in zip(dataset_of, metric_of, model_of, written(frame["score"]), strict=True):
        table = scores.setdefault(dataset, {})
        if (model, metric) in table:
            faults.add(f"dataset {dataset!r}, metric {metric!r}, model {model!r} is there more than once")
        table[model, metric] = score
    return {dataset: wide(table) for dataset, table in scores.items()}


def lower_metrics(frame: pd.DataFrame, faults: Faults, given: str | Iterable[str] | None) -> list[str]:
    """Return the metrics on which the lower score leads: those given, or those that the column of directions declares.

    Faults are metrics that the column declares both ways or not at all, and contradictions between the two.
    """
    listed = [given] if isinstance(given, str) else [str(one) for one in given or ()]
    if DIRECTION not in frame.columns:
        return listed
    declared = _declared(frame, faults)
    if given is None:
        for metric in (metric for metric, directions in declared.items() if not directions):
            faults.add(f"metric {metric!r}: higher_is_better is missing")
        return [metric for metric, directions in declared.items() if directions == {False}]
    for metric, directions in declared.items():
        if directions == {metric in listed}:
            told, side = ("true", "lists it") if metric in listed else ("false", "does not list it")
            faults.add(f"metric {metric!r}: higher_is_better is {told}, but lower_is_better {side}")
    return listed


def _declared(frame: pd.DataFrame, faults: Faults) -> dict[str, set[bool]]:
    """Return the directions that are declared for each metric, noting what is not a direction and contradictions."""
    declared = list(zip(map(str, frame["metric"].tolist()), frame[DIRECTION].tolist(), strict=True))
    higher: dict[str, set[bool]] = {metric: set() for metric, _ in declared}
    wrong: dict[str, Any] = {}
    for metric, value in declared:
        text = str(value).strip().casefold()
        if text in _TRUTH:
            higher[metric].add(_TRUTH[text])
        elif not is_missing(value) and text:
            wrong.setdefault(metric, value)
    for metric, value in wrong.items():
        faults.add(f"metric {metric!r}: higher_is_better is {value!r}; it must be true or false")
    for metric, directions in higher.items():
        if len(directions) > 1:
            faults.add(f"metric {metric!r} is declared both higher_is_better true and false")
    return {metric: directions for metric, directions in higher.items() if metric not in wrong}


def _has_columns(frame: pd.DataFrame, faults: Faults) -> bool:
    columns = [str(column) for column in frame.columns]
    needed = (*NAMES, "score")
    for column in needed:
        if columns.count(column) != 1:
            found = "several columns" if column in columns else "no column"
            faults.add(f"{found} {column!r}; there are {', '.join(map(repr, columns)) or 'none'}")
    for column in columns:
        if column not in (*needed, DIRECTION) and nearest_name(column, [*needed, DIRECTION]) == DIRECTION:
            faults.add(f"column {column!r} would not be read; directions are read from {DIRECTION!r}")
    return all(columns.count(column) == 1 for column in needed)


def _texts(names: pd.Series, kind: str, faults: Faults) -> list[str]:
    texts = []
    for row, name in enumerate(names.tolist(), start=1):
        text = "" if is_missing(name) else str(name)
        if not text.strip():
            faults.add(f"row {row} has no {kind}")
        texts.append(text)
    return texts


def wide(scores: dict[tuple[str, str], Any]) -> pd.DataFrame:
    """Return models x metrics in order of first appearance, cells untouched."""
    models, metrics = (list(dict.fromkeys(key[part] for key in scores)) for part in (0, 1))
    row, column = ({name: place for place, name in enumerate(names)} for names in (models, metrics))
    wide = np.full((len(models), len(metrics)), None, dtype=object)
    for (model, metric), score in scores.items():
        wide[row[model], column[metric]] = score
    return pd.DataFrame(wide, index=models, columns=metrics)
