"""Reading suites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from weightlab._cures import Cure
from weightlab._exact import Number, WeightsLike
from weightlab.data import Suite
from weightlab.data.frame.labels import called_like
from weightlab.data.frame.long import DIRECTION, NAMES
from weightlab.exceptions import FileFormatError, InputError, nearest_name
from weightlab.io.evaluations.detect import sniff, suite_of
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.read.repeats import means_over_repeats
from weightlab.io.tables.columns import ColumnData, Names, cure_of_repeats, note_repeated, read_columns
from weightlab.io.tables.declarations import ConfigLike, Settings
from weightlab.io.tables.delimited import SPELT
from weightlab.io.tables.exact_numbers import number_alone, number_of_row
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet

DECLARED = ("lower_is_better", "higher_is_better", "weights", "tolerance", "relative_tolerance")
KEYWORDS = (*NAMES, "score", "drop", "keep", "repeats_by", *DECLARED, "models", "tasks", *SPELT)


def read_suite(
    path: PathLike,
    *,
    config: ConfigLike | None = None,
    dataset: str | None = None,
    metric: str | None = None,
    model: str | None = None,
    score: str | None = None,
    drop: str | Iterable[str] | None = None,
    keep: str | Iterable[str] | None = None,
    repeats_by: str | None = None,
    lower_is_better: str | Iterable[str] | None = None,
    higher_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
    models: str | Iterable[str] | None = None,
    tasks: str | Iterable[str] | None = None,
    tolerance: Number | Mapping[str, Number] | None = None,
    relative_tolerance: Number | Mapping[str, Number] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    table: str | int | None = None,
    member: str | None = None,
    size_limit: float | None = None,
    format: str | None = None,  # noqa: A002
) -> Suite:
    r"""Read a suite from a long table: one row per score, with its dataset, metric and model.

    Parameters
    ----------
    path : path or open file
        CSV, TSV, JSON or Parquet with columns ``dataset``, ``metric``, ``model``, ``score`` and perhaps
        ``higher_is_better`` (true or false), in any order; other columns are left out. Without columns ``metric`` and
        ``score`` every column but ``dataset`` and ``model`` holds the scores by a metric of its name. Or a file or
        folder of results, as for `read_leaderboard`.
    config : path, open file or mapping, optional
        A TOML file with any of the keywords below; by default the one of the same stem next to the table.
    dataset, metric, model, score : str, optional
        What these columns are called in the file, where that is something else.
    drop, keep : str or iterable of str, optional
        In a table with one column per metric, the columns that are not metrics, or the only metrics; by name or by
        pattern.
    repeats_by : str, optional
        Of such a table, the column that tells apart the rows of one model on one dataset, such as a fold: the exact
        mean over them counts.
    lower_is_better : str or iterable of str, optional
        Metrics on which a lower score is better; a column ``higher_is_better`` must agree.
    higher_is_better : str or iterable of str, optional
        Metrics declared as higher is better, which is also the default for all others.
    weights : mapping, Series or sequence, optional
        Exact weights of the metrics; unlisted ones weigh 1.
    models, tasks : str or iterable of str, optional
        The only models and metrics to keep of the suite that was read; all by default.
    tolerance, relative_tolerance : number or mapping from metric to number, optional
        As for `Leaderboard`.
    separator, decimal, thousands, encoding, table, member, size_limit : optional
        How the file is written and unpacked, as for `read_leaderboard`.
    format : {"csv", "tsv", "json", "jsonl", "parquet"}, optional
        Instead of what the extension says.

    Returns
    -------
    Suite
        Its scores are the decimals in the file, exactly; missing scores as for `read_leaderboard`.

    Raises
    ------
    FileFormatError
        Listing everything that is wrong with the file, with line, column and value; also when a model has two scores
        for one metric on one dataset, or the directions of a metric contradict each other.
    InputError
        If the format is not known, or pyarrow is needed and not installed.

    Notes
    -----
    Time and memory are linear in the size of the file.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> wl.read_suite(io.StringIO("dataset,metric,model,score\nqa,f1,T5,0.9\nqa,f1,BERT,0.8\n"))
    Suite: 1 dataset, 1 metric, 2 models
    """
    given = {keyword: value for keyword, value in locals().items() if keyword in KEYWORDS}
    if held := sniff(path):
        return suite_of(held, config, {**given, "format": format})
    sheet, declared, faults = open_sheet(path, format, config, given, allowed=KEYWORDS, reader="read_suite")
    frame = _frame(sheet, declared, faults)
    options = {keyword: declared.values[keyword] for keyword in DECLARED if keyword in declared.values}
    try:
        suite = Suite.from_long(frame, **options)
        chosen = {"models": declared.values.get("models"), "metrics": declared.values.get("tasks")}
        return suite.select(**chosen) if chosen != {"models": None, "metrics": None} else suite
    except InputError as error:
        raise FileFormatError(faults.name, error.faults) from None


def _frame(sheet: Sheet, declared: Settings, faults: FileFaults) -> pd.DataFrame:
    own = ("metric", "score")
    if not any(one in declared.values or called_like(one, sheet.header) in sheet.header for one in own):
        return _of_metrics(sheet, declared, faults)
    if idle := [keyword for keyword in ("drop", "keep", "repeats_by") if keyword in declared.values]:
        faults.add(
            f"{declared.place(idle[0])} needs a table with a column per metric, and this one has a column of metrics"
        )
    position = {column: declared.position(column, sheet.header, faults) for column in (*NAMES, "score")}
    faults.raise_here()
    called = (*(sheet.header[column] for column in position.values()), DIRECTION)
    for column in sheet.header:
        if column not in called and nearest_name(column, called) == DIRECTION:
            faults.add(f"column {column!r} would not be read; directions are read from {DIRECTION!r}")
    faults.raise_here()
    names = [position[column] for column in NAMES]
    directed = DIRECTION in sheet.header
    words = [sheet.header.index(DIRECTION)] if directed else []
    found = read_columns(sheet, faults, names=names, scores={position["score"]: number_of_row}, words=words)
    note_repeated(found, dict(zip(NAMES, names, strict=True)), sheet, faults)
    faults.raise_here()
    columns: dict[str, Any] = {column: _categories(found, position[column]) for column in NAMES}
    columns["score"] = _scores(found, position["score"])
    if directed:
        columns[DIRECTION] = _categories(found, words[0])
    return pd.DataFrame(columns)


def _of_metrics(sheet: Sheet, declared: Settings, faults: FileFaults) -> pd.DataFrame:
    """Return the long frame of a table with one row per dataset and model, and one column per metric."""
    header = sheet.header
    repeated = ("repeats_by",) if "repeats_by" in declared.values else ()
    position = {column: declared.position(column, header, faults) for column in ("dataset", "model", *repeated)}
    dropped, kept = (declared.columns(keyword, header, faults) for keyword in ("drop", "keep"))
    metrics = [
        place
        for place, name in enumerate(header)
        if place not in position.values() and name.strip() and name not in dropped and (name in kept or not kept)
    ]
    faults.raise_here()
    scores = dict.fromkeys(metrics, number_alone)
    found = read_columns(sheet, faults, names=[*position.values()], scores=scores, cure=(Cure("drop", [...]),))
    note_repeated(found, position, sheet, faults, () if repeated else cure_of_repeats(header))
    faults.raise_here()
    names = np.column_stack([_named(found, position[column]) for column in ("dataset", "model")])
    columns = {header[place]: _scores(found, place) for place in metrics}
    if repeated:
        keys = {key: code for code, key in enumerate(dict.fromkeys(map(tuple, names)))}
        pairs = Names(
            distinct=tuple(map(" on ".join, (key[::-1] for key in keys))),
            codes=np.array([keys[tuple(row)] for row in names]),
        )
        scored = {header[place]: found.scores[place] for place in metrics}
        means = means_over_repeats(scored, pairs, found.names[position["repeats_by"]])[0]
        names = np.array(list(keys), dtype=object)
        columns = {metric: np.array(means.column(at), dtype=object) for at, metric in enumerate(columns)}
    frames = [
        pd.DataFrame({"dataset": names[:, 0], "metric": metric, "model": names[:, 1], "score": its})
        for metric, its in columns.items()
    ]
    return pd.concat(frames, ignore_index=True).astype(object)


def _named(found: ColumnData, column: int) -> Any:
    names = found.names[column]
    return np.array(names.distinct, dtype=object)[names.codes]


def _categories(found: ColumnData, column: int) -> pd.Categorical:
    names = found.names[column]
    return pd.Categorical.from_codes(names.codes, pd.Index(names.distinct, dtype=object))


def _scores(found: ColumnData, column: int) -> Any:
    if not found.scores[column].exact:
        return found.scores[column].floats
    cells: Any = found.scores[column].floats.astype(object)
    for row, value in found.scores[column].exact.items():
        cells[row] = value
    return cells
