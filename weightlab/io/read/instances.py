"""Reading scores on single instances."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from weightlab._exact import WeightsLike
from weightlab.data import Instances
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.named_tables import Table
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.evaluations.detect import instances_of, sniff
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.tables.columns import Names, Scores, note_repeated, read_columns
from weightlab.io.tables.declarations import ConfigLike, Settings
from weightlab.io.tables.delimited import SPELT
from weightlab.io.tables.exact_numbers import number, percentage
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet

DECLARED = ("lower_is_better", "higher_is_better", "weights")
KEYWORDS = ("model", "instance", "tasks", "percent", "drop", *DECLARED, *SPELT)


def read_instances(
    path: PathLike,
    *,
    config: ConfigLike | None = None,
    model: str | None = None,
    instance: str | None = None,
    tasks: str | Iterable[str] | None = None,
    percent: str | Iterable[str] | None = None,
    drop: str | Iterable[str] | None = None,
    lower_is_better: str | Iterable[str] | None = None,
    higher_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    table: str | int | None = None,
    member: str | None = None,
    size_limit: float | None = None,
    format: str | None = None,  # noqa: A002
) -> Instances:
    r"""Read scores on single instances from a long table: one row per model and instance; every other column is a task.

    Parameters
    ----------
    path : path or open file
        CSV, TSV, JSON or Parquet; or a file or folder of results, as for `read_leaderboard`.
    config : path, open file or mapping, optional
        A TOML file with any of the keywords below; by default the one of the same stem next to the table.
    model, instance : str, optional
        The columns that hold the names of models and instances; by default those called so.
    tasks : str or iterable of str, optional
        The columns to read as tasks; by default all others.
    percent : str or iterable of str, optional
        Columns written with a percent sign, as for `read_leaderboard`.
    drop : str or iterable of str, optional
        Columns that are not scores.
    lower_is_better : str or iterable of str, optional
        Tasks on which a lower score is better.
    higher_is_better : str or iterable of str, optional
        Tasks declared as higher is better, which is also the default for all others.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks; unlisted ones weigh 1.
    separator, decimal, thousands, encoding, table, member, size_limit : optional
        How the file is written and unpacked, as for `read_leaderboard`.
    format : {"csv", "tsv", "json", "jsonl", "parquet"}, optional
        Instead of what the extension says.

    Returns
    -------
    Instances
        Its scores are the decimals in the file, exactly; missing scores as for `read_leaderboard`.

    Raises
    ------
    FileFormatError
        Listing everything that is wrong with the file, with line, column and value; also when a model has two rows
        for one instance.
    InputError
        If the format is not known, or pyarrow is needed and not installed.

    Notes
    -----
    Time and memory are linear in the size of the file, which is parsed a few thousand rows at a time.
    A first column without a name, such as the index that pandas writes, is left out.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> table = io.StringIO("system,id,f1\nT5,q1,0.9\nT5,q2,0.7\nBERT,q1,0.8\nBERT,q2,0.8\n")
    >>> wl.read_instances(table, model="system", instance="id")
    Instances: 1 task, 2 models, 2 instances
    """
    given = {keyword: value for keyword, value in locals().items() if keyword in KEYWORDS}
    if held := sniff(path):
        return instances_of(held, config, {**given, "format": format})
    sheet, declared, faults = open_sheet(path, format, config, given, allowed=KEYWORDS, reader="read_instances")
    tables = _tables(sheet, declared, faults)
    options = {keyword: declared.values[keyword] for keyword in DECLARED if keyword in declared.values}
    try:
        return Instances({task: table.exact_frame() for task, table in tables.items()}, **options)
    except InputError as error:
        raise FileFormatError(faults.name, error.faults) from None


def _tables(sheet: Sheet, declared: Settings, faults: FileFaults) -> dict[str, Table]:
    header = sheet.header
    models, instances = (declared.position(column, header, faults) for column in ("model", "instance"))
    columns = _task_columns(sheet, declared, {models, instances}, faults)
    percent = declared.names("percent", [header[column] for column in columns], "task", faults)
    faults.raise_here()
    found = read_columns(
        sheet,
        faults,
        names=[models, instances],
        scores={column: percentage if header[column] in percent else number for column in columns},
        blank=[column for column in range(1, len(header)) if not header[column].strip()],
    )
    note_repeated(found, {"model": models, "instance": instances}, sheet, faults)
    faults.raise_here()
    rows, across = found.names[models], found.names[instances]
    return {header[column]: _wide(rows, across, found.scores[column]) for column in columns}


def _task_columns(sheet: Sheet, declared: Settings, others: set[int], faults: FileFaults) -> list[int]:
    header = sheet.header
    chosen = declared.names("tasks", header, "column", faults)
    dropped = declared.names("drop", header, "column", faults)
    columns = [
        column
        for column, name in enumerate(header)
        if column not in others and name not in dropped and (name in chosen if chosen else name.strip())
    ]
    first: dict[str, int] = {}
    for column in columns:
        if header[column] in first:
            faults.add(f"columns {first[header[column]] + 1} and {column + 1} are both called {header[column]!r}")
        first.setdefault(header[column], column)
    return columns


def _wide(rows: Names, across: Names, scores: Scores) -> Table:
    floats = np.full((len(rows.distinct), len(across.distinct)), np.nan)
    floats[rows.codes, across.codes] = scores.floats
    exact = {(int(rows.codes[row]), int(across.codes[row])): value for row, value in scores.exact.items()}
    return Table(models=rows.distinct, columns=across.distinct, cells=Cells(floats=floats, exact=exact))
