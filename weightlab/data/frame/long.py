"""Long frames, one row per score, split into one table per dataset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from weightlab._exact import AnyArray, IntArray
from weightlab._validate import Faults, is_missing, plain_column, written
from weightlab.exceptions import nearest_name

NAMES = ("dataset", "metric", "model")
"""Columns that say what a score is of."""
DIRECTION = "higher_is_better"
"""The optional column that declares directions."""
Coded: TypeAlias = tuple[list[str], npt.NDArray[np.int64]]
"""The distinct texts of a column in order of first appearance, and the number of each row's."""
_TRUTH = {"true": True, "1": True, "1.0": True, "yes": True, "false": False, "0": False, "0.0": False, "no": False}


def tables_from_long(frame: pd.DataFrame, faults: Faults) -> dict[str, pd.DataFrame]:
    """Return one frame a dataset, models x metrics in order of first appearance, cells as they were written.

    Errors are missing columns, a column whose name is nearly that of the directions (it would go unread), rows without
    a name, and duplicated scores.
    """
    if not _has_columns(frame, faults):
        return {}
    (datasets, dataset_of), (metrics, metric_of), (models, model_of) = (
        _named(frame[column], column, faults) for column in NAMES
    )
    # Pairs get numbers of their own before the models come in, so that the products stay within 64 bits.
    keys = pd.factorize(dataset_of * len(metrics) + metric_of)[0] * len(models) + model_of
    for row in repeated(keys).tolist():
        dataset, metric, model = datasets[dataset_of[row]], metrics[metric_of[row]], models[model_of[row]]
        faults.add(f"dataset {dataset!r}, metric {metric!r}, model {model!r} is there more than once")
    plain = plain_column(frame["score"])
    scores = pd.Series(written(frame["score"]), dtype=object).to_numpy() if plain is None else plain
    order = np.argsort(dataset_of, kind="stable")
    bounds = np.cumsum(np.bincount(dataset_of, minlength=len(datasets)))[:-1]
    return {
        dataset: _wide((models, model_of[rows]), (metrics, metric_of[rows]), scores[rows])
        for dataset, rows in zip(datasets, np.split(order, bounds), strict=False)  # no datasets are split into one part
    }


def repeated(keys: IntArray) -> IntArray:
    """Return the rows whose key an earlier row has."""
    if (keys[1:] > keys[:-1]).all():  # as in a file that nested loops wrote, which many are
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(pd.Series(keys).duplicated())


def lower_metrics(frame: pd.DataFrame, faults: Faults, given: str | Iterable[str] | None) -> list[str]:
    """Return the metrics where lower is better: those given, or those declared in the column of directions.

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
            told, side = ("true", "lower is") if metric in listed else ("false", "lower is not")
            faults.add(f"metric {metric!r}: higher_is_better is {told} in the table, but {side} declared better")
    return listed


def _declared(frame: pd.DataFrame, faults: Faults) -> dict[str, set[bool]]:
    """Return the directions that are declared for each metric, noting what is not a direction and contradictions."""
    (metrics, metric_of), (words, word_of) = (_coded(frame[column]) for column in ("metric", DIRECTION))
    higher: dict[str, set[bool]] = {metric: set() for metric in metrics}
    wrong: dict[str, int] = {}
    pairs = metric_of * len(words) + word_of
    for pair in pd.unique(pairs).tolist():
        metric, text = metrics[pair // len(words)], words[pair % len(words)].strip().casefold()
        if text in _TRUTH:
            higher[metric].add(_TRUTH[text])
        elif text:
            wrong.setdefault(metric, pair)
    for metric, pair in wrong.items():
        value = frame[DIRECTION].iloc[int(np.argmax(pairs == pair))]
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


def _named(names: pd.Series, kind: str, faults: Faults) -> Coded:
    """Return a column as `_coded` does, noting the rows without a name."""
    texts, codes = _coded(names)
    blank = [code for code, text in enumerate(texts) if not text.strip()]
    for row in np.flatnonzero(np.isin(codes, blank)).tolist() if blank else []:
        faults.add(f"row {row + 1} has no {kind}")
    return texts, codes


def _coded(column: pd.Series) -> Coded:
    """Return the distinct cells as text in order of first appearance, "" where missing, and each row's number."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        held, place = column.dtype.categories.tolist(), column.cat.codes.to_numpy(dtype=np.int64)
    else:
        held, place = column.tolist(), np.arange(len(column))
    # The empty text at the end is that of place -1, where no category is.
    texts = np.array([*("" if is_missing(one) else str(one) for one in held), ""], dtype=object)
    numbers, distinct = pd.factorize(texts)
    codes, present = pd.factorize(numbers[place])
    return distinct[present].tolist(), codes


def _wide(models: Coded, metrics: Coded, scores: AnyArray) -> pd.DataFrame:
    """Return some rows as models x metrics, both in order of first appearance."""
    (rows, index), (columns, header) = (
        (places, pd.Index([names[one] for one in own], dtype=object))
        for names, (places, own) in ((names, pd.factorize(codes)) for names, codes in (models, metrics))
    )
    table = np.full((len(index), len(header)), None if scores.dtype == object else np.nan, dtype=scores.dtype)
    table[rows, columns] = scores
    return pd.DataFrame(table, index=index, columns=header)
