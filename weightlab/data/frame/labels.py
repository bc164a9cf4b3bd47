"""Names of rows and columns that a table lacks or holds in several levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from weightlab._text import counted
from weightlab._validate import Faults, checked_names, is_missing, named_subset, written
from weightlab.data.frame.long import NAMES, tables_from_long

BY_PLACE = {
    (1, 2): ("model", "dataset", "metric"),
    (2, 1): ("dataset", "model", "metric"),
    (3, 0): ("dataset", "metric", "model"),
}
"""What the levels are, those of the rows first, by how many there are on each side."""
SEPARATOR = "/"
"""Stands between the names of levels that become one."""


def labelled(
    frame: pd.DataFrame, faults: Faults, *, models: Iterable[str] | None, columns: Iterable[str] | None
) -> pd.DataFrame:
    """Return the frame with the names that are given, noting where it has names already or another shape."""
    if models is None and columns is None:
        return frame
    made = frame.set_axis(_names(models, frame.index, "model", "row", faults), axis=0)
    return made.set_axis(_names(columns, frame.columns, "task", "column", faults), axis=1)


def _names(given: Any, there: pd.Index, kind: str, what: str, faults: Faults) -> pd.Index:
    if given is None:
        return there
    if isinstance(given, str) or not isinstance(given, Iterable):
        faults.add(f"{kind}s must be a list of names; got {given!r}")
        return there
    names = list(given)
    if not isinstance(there, pd.RangeIndex):
        faults.add(f"{kind}s names the {what}s of a table that has no names; this one has {there[0]!r}")
    elif len(names) != len(there):
        faults.add(f"{counted(len(names), f'{kind} name')} for {counted(len(there), what)}")
    else:
        return pd.Index(names, dtype=object, tupleize_cols=False)
    return there


def grouped_columns(frame: pd.DataFrame, faults: Faults) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Return a frame whose columns have one level, and the groups that the first of several levels names.

    A task is called like its other levels, joined by a slash; where two groups hold tasks of one name, every task has
    the name of its group before it. Columns whose first level is empty are in no group.
    """
    if frame.index.nlevels > 1:
        found = frame.index[0] if len(frame.index) else tuple(frame.index.names)
        faults.add(f"the rows have several levels, such as {found!r}: that is a Suite, or join them into one text each")
    if frame.columns.nlevels == 1:
        return frame, {}
    parts = [[_text(one) for one in column] for column in frame.columns]
    tasks = [SEPARATOR.join(one for one in column[1:] if one) for column in parts]
    if len(set(tasks)) < len(tasks):
        tasks = [SEPARATOR.join(one for one in column if one) for column in parts]
    groups: dict[str, list[str]] = {}
    for (group, *_), task in zip(parts, tasks, strict=True):
        if group:
            groups.setdefault(group, []).append(task)
    return frame.set_axis(pd.Index(tasks, dtype=object), axis=1), groups


def renamed(names: tuple[str, ...], new: Any, kind: str, faults: Faults) -> list[str]:
    """Return the names, those with a new one by it, noting old ones that are not there and new ones that are."""
    if not isinstance(new, Mapping | None):
        faults.add(f"{kind}s: a mapping from old to new names is needed; got {new!r}")
        return []
    named_subset(tuple(new or ()), names, kind, faults, holder="leaderboard")
    return list(checked_names([(new or {}).get(name, name) for name in names], kind, faults))


def called_like(name: str, header: Sequence[str]) -> str:
    """Return the column with this name in any case, if there is exactly one; otherwise the name itself."""
    alike = [one for one in header if one.strip().casefold() == name]
    return alike[0] if name not in header and len(alike) == 1 else name


def tables_from_levels(frame: pd.DataFrame | pd.Series, faults: Faults) -> dict[str, pd.DataFrame]:
    """Return one frame a dataset, models x metrics, of a frame that has three levels of names, on either side.

    Levels called dataset, metric or model are these; the others are identified by their position. Of three levels of
    rows two must have such names: a table that was stacked has them in another order than a file.
    """
    columns = [] if isinstance(frame, pd.Series) else _levels(frame.columns)
    rows = _levels(frame.index)
    by_place = BY_PLACE.get((len(rows), len(columns)))
    if by_place is None:
        faults.add(
            "a suite needs columns in two levels (dataset, metric), or rows in two levels (dataset, model); for a "
            "table of one dataset write Suite({'name': frame})"
        )
        return {}
    called = [level.name for level in (*rows, *columns)]
    if len(rows) == len(NAMES) and len(set(NAMES).intersection(called)) < len(NAMES) - 1:
        faults.add("three levels of rows do not tell by place which is which; name them 'dataset', 'metric', 'model'")
        return {}
    parts = [frame] if isinstance(frame, pd.Series) else [frame.iloc[:, place] for place in range(frame.shape[1])]
    # One column after another, as in a long table that nested loops wrote.
    levels = [np.tile(level.to_numpy(object), len(parts)) for level in rows]
    levels += [level.to_numpy(object).repeat(len(frame)) for level in columns]
    long = pd.DataFrame(dict(zip(_by_name(by_place, called, faults), levels, strict=True)))
    long["score"] = pd.Series([cell for part in parts for cell in written(part)], dtype=object)
    return tables_from_long(long, faults)


def _levels(index: pd.Index) -> list[pd.Index]:
    return [index.get_level_values(level) for level in range(index.nlevels)]


def tables_from_array(
    array: np.ndarray[Any, Any], given: Sequence[Iterable[str] | None], faults: Faults
) -> dict[str, pd.DataFrame]:
    """Return one frame a dataset of an array, datasets x models x metrics, with the names of each or numbers."""
    if array.ndim != 3:
        faults.add(f"the array of a suite is datasets x models x metrics; this one has {array.ndim} dimensions")
        return {}
    names = []
    for kind, listed, count in zip(("dataset", "model", "metric"), given, array.shape, strict=True):
        names.append(list(map(str, range(count) if listed is None else listed)))
        if len(names[-1]) != count:
            faults.add(f"{counted(len(names[-1]), f'{kind} name')} for {counted(count, kind)}")
    datasets, models, metrics = names
    for name in dict.fromkeys(one for one in datasets if datasets.count(one) > 1):
        faults.add(f"duplicate dataset name {name!r}")
    if faults:
        return {}
    return {
        dataset: pd.DataFrame(table, index=models, columns=metrics)
        for dataset, table in zip(datasets, array, strict=True)
    }


def _text(name: Any) -> str:
    return "" if is_missing(name) else str(name)


def _by_name(roles: tuple[str, ...], names: Sequence[Any], faults: Faults) -> list[str]:
    """Return the roles with those levels that are called like one in its place."""
    made = list(roles)
    called = [name if name in NAMES else None for name in names]
    for position, name in enumerate(called):
        if name is None or made[position] == name:
            continue
        other = made.index(name)
        if called[other] == name:
            faults.add(f"two levels are called {name!r}")
        made[position], made[other] = name, made[position]
    return made
