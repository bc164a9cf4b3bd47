"""Writing leaderboards, suites and instances, each with what is declared in a TOML file beside."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from graphlib import CycleError, TopologicalSorter
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from weightlab._validate import Faults
from weightlab.data import Instances, Leaderboard, Suite
from weightlab.data.frame.cells import Cells, exact_text
from weightlab.data.frame.named_tables import Table, first_appearances
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.read.leaderboards import KEYWORDS
from weightlab.io.reading.propose import peeked, propose
from weightlab.io.tables.columns import Scores
from weightlab.io.tables.declarations import read_config
from weightlab.io.tables.parted_cells import SUFFIX
from weightlab.io.tables.sheet import WRITTEN, Source, format_of
from weightlab.io.writing.write_formats import Columns, encoded, writable, write_files

FilePath = str | os.PathLike[str]


def write_leaderboard(
    board: Leaderboard,
    path: FilePath,
    *,
    format: str | None = None,  # noqa: A002
    rounded: bool = False,
) -> None:
    """Write a leaderboard to a file that `read_leaderboard` reads back to an equal one.

    Parameters
    ----------
    board : Leaderboard
        What is to be written.
    path : path
        CSV, TSV, JSON, Markdown or Parquet, told by the extension. A file that is there is replaced.
    format : {"csv", "tsv", "json", "markdown", "parquet"}, optional
        Instead of what the extension says.
    rounded : bool
        Whether a score that no decimal equals, such as 1/3, is written as the nearest double; otherwise it is refused.

    Raises
    ------
    InputError
        If a score or name cannot be written.
    FileFormatError
        If the file cannot be written.

    Notes
    -----
    Directions, weights, groups and tolerances go to a TOML file of the same stem beside the table, and also which
    columns are tasks, where their names or scores would tell otherwise. It is written when something is declared, and
    when there is such a file already, since that would be read with the table. The standard errors of a task ``acc``
    are the column ``acc_stderr``, behind those of all scores.

    JSON is an object of columns, as ``DataFrame.to_json`` writes. In Parquet a column is of doubles where these print
    as the scores, and of text otherwise.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"f1": {"a": 0.9, "b": 0.8}, "s": {"a": 3, "b": 1}}, lower_is_better="s")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     wl.write_leaderboard(board, Path(folder) / "board.csv")
    ...     print((Path(folder) / "board.csv").read_text())
    ...     print((Path(folder) / "board.toml").read_text())
    model,f1,s
    a,0.9,3
    b,0.8,1
    <BLANKLINE>
    lower_is_better = ["s"]
    <BLANKLINE>
    """
    faults = Faults()
    cells = writable(board.cells, partial(_place_on, board, "score"), faults, rounded=rounded)
    errors = board.error_cells
    if errors is not None:
        errors = writable(errors, partial(_place_on, board, "standard error"), faults, rounded=rounded)
    faults.raise_if_any()
    columns: dict[str, Scores] = dict(zip(board.tasks, _columns(cells), strict=True))
    named: dict[str, str] = {}
    for task, its in zip(board.tasks, () if errors is None else _columns(errors), strict=errors is not None):
        if not np.isnan(its.floats).all():
            named[task] = _free(f"{task}{SUFFIX}", columns)
            columns[named[task]] = its
    declared = {
        "standard_errors": _unusual(named, board.tasks),
        "lower_is_better": board.lower_is_better,
        "higher_is_better": _confirmed(board),
        "weights": _unequal_weights(board.weights),
        "groups": dict(board.groups),
        "tolerance": dict(board.tolerance),
        "relative_tolerance": dict(board.relative_tolerance),
        "rule": board.declarations.rule,
    }
    whole: Columns = {_free("model", columns): board.models, **columns}
    known = format_of(Path(path), format, WRITTEN)
    _write(whole, declared | _undone(board, encoded(whole, known, keyed=True), known, declared), Path(path), format)


def _undone(board: Leaderboard, data: bytes, known: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be declared, too, so that the table is read as it is and not as its names and cells suggest."""
    source = Source(name=board.tasks[0], data=data, format=known, path=None)
    said = read_config(BytesIO(toml_text(declared).encode()))
    sheet, settings, faults = open_sheet(source, None, said, {}, allowed=KEYWORDS, reader="read_leaderboard")
    _, cells = peeked(sheet)
    reading, name = propose(faults.name, sheet, cells, settings), sheet.header[0]
    as_it_is = reading.tasks == board.tasks and {*reading.lower} == {*board.lower_is_better} and reading.key == (name,)
    if as_it_is and not reading.is_doubtful and not any(one.dressed for one in reading.columns):
        return {}
    upwards = [one for one in board.tasks if one not in board.lower_is_better]
    made: dict[str, Any] = {"keep": [*board.tasks], "higher_is_better": upwards}
    made |= {"transpose": False} if reading.transposed else {}
    return made | ({"name_column": [name]} if reading.key != (name,) and not sheet.labelled else {})


def write_suite(
    suite: Suite,
    path: FilePath,
    *,
    format: str | None = None,  # noqa: A002
    rounded: bool = False,
) -> None:
    """Write a suite to a long table that `read_suite` reads back to an equal one.

    Parameters
    ----------
    suite : Suite
        What is to be written.
    path, format, rounded
        As for `write_leaderboard`.

    Raises
    ------
    InputError
        If a score or name cannot be written.
    FileFormatError
        If the file cannot be written.

    Notes
    -----
    The columns are dataset, metric, model, score, higher_is_better; weights and tolerances go to a TOML file of the
    same stem beside the table. A score that is missing has a row where the order of the models depends on it.
    """
    tables = _writable_tables(suite, suite.datasets, "metric", rounded=rounded)
    lower = set(suite.lower_is_better)
    names: list[tuple[str, str, str, bool]] = []
    scores: list[Scores] = []
    for dataset, cells in tables.items():
        models, metrics = suite.table(dataset).models, suite.table(dataset).columns
        for position, (metric, its) in enumerate(zip(metrics, _columns(cells), strict=True)):
            rows = range(len(models)) if position == 0 else np.flatnonzero(~np.isnan(its.floats)).tolist()
            names += [(dataset, metric, models[row], metric not in lower) for row in rows]
            scores.append(_taken(its, rows))
    *named, higher = map(list, zip(*names, strict=True))
    columns: dict[str, Any] = dict(zip(("dataset", "metric", "model"), named, strict=True))
    declared = {
        "weights": _unequal_weights(suite.weights),
        "tolerance": dict(suite.tolerance),
        "relative_tolerance": dict(suite.relative_tolerance),
    }
    columns |= {"score": _joined(scores), "higher_is_better": higher}
    _write(columns, declared, Path(path), format, keyed=False)


def write_instances(
    instances: Instances,
    path: FilePath,
    *,
    format: str | None = None,  # noqa: A002
    rounded: bool = False,
) -> None:
    """Write scores on single instances to a long table that `read_instances` reads back to equal ones.

    Parameters
    ----------
    instances : Instances
        What is to be written.
    path, format, rounded
        As for `write_leaderboard`.

    Raises
    ------
    InputError
        If a score or name cannot be written.
    FileFormatError
        If the file cannot be written.

    Notes
    -----
    There is a row a model and instance, and a column a task. Directions and weights go to a TOML file of the same stem
    beside the table, and also what the columns of models and instances are called, where a task is called ``model`` or
    ``instance``. A file has one order of models and one of instances: where those of two tasks contradict each other,
    tasks read back in the order of first appearance.
    """
    cells = _writable_tables(instances, instances.tasks, "instance", rounded=rounded)
    names = {"model": _free("model", instances.tasks)}
    names["instance"] = _free("instance", (*instances.tasks, names["model"]))
    models = one_order([instances.table(task).models for task in instances.tasks])
    across = one_order([instances.table(task).columns for task in instances.tasks])

    named: list[tuple[str, str]] = []
    scores: dict[str, list[Scores]] = {task: [] for task in instances.tasks}
    placed = {task: _placed(instances.table(task), cells[task], across) for task in instances.tasks}
    for number, model in enumerate(models):
        own = {task: its.get(model, _nothing(len(across))) for task, its in placed.items()}
        there = ~np.isnan(np.array([one.floats for one in own.values()])).all(axis=0)
        rows = range(len(across)) if number == 0 else np.flatnonzero(there).tolist()
        named += [(model, across[row]) for row in rows]
        for task, its in own.items():
            scores[task].append(_taken(its, rows))
    columns: dict[str, Any] = dict(zip(names.values(), map(list, zip(*named, strict=True)), strict=True))
    declared = {
        **{keyword: name for keyword, name in names.items() if name != keyword},
        "lower_is_better": instances.lower_is_better,
        "higher_is_better": _confirmed(instances),
        "weights": _unequal_weights(instances.weights),
    }
    columns |= {task: _joined(its) for task, its in scores.items()}
    _write(columns, declared, Path(path), format, keyed=False)


def _placed(table: Table, cells: Cells, across: Sequence[str]) -> dict[str, Scores]:
    """Return one task's scores by model, over the instances of all tasks."""
    place = {name: position for position, name in enumerate(across)}
    places = [place[name] for name in table.columns]
    exact: dict[int, dict[int, Fraction]] = {}
    for (row, column), value in cells.exact.items():
        exact.setdefault(row, {})[places[column]] = value
    found = {}
    for row, model in enumerate(table.models):
        floats = np.full(len(across), np.nan)
        floats[places] = cells.floats[row]
        found[model] = Scores(floats=floats, exact=exact.get(row, {}))
    return found


def _nothing(size: int) -> Scores:
    return Scores(floats=np.full(size, np.nan), exact={})


def _joined(parts: Sequence[Scores]) -> Scores:
    """Return scores one behind the other."""
    starts = np.cumsum([0, *(len(part.floats) for part in parts)]).tolist()
    exact = {
        start + row: value for start, part in zip(starts, parts, strict=False) for row, value in part.exact.items()
    }
    return Scores(floats=np.concatenate([part.floats for part in parts]), exact=exact)


def _place_on(board: Leaderboard, what: str, row: int, column: int) -> str:
    return f"model {board.models[row]!r}, task {board.tasks[column]!r}" + ("" if what == "score" else f", {what}")


def _confirmed(table: Leaderboard | Instances) -> tuple[str, ...]:
    """Return the tasks of which a reader would ask whether higher is better, and of which it is declared."""
    return tuple(task for task in table.declarations.doubtful if task in table.declarations.higher)


def _unusual(named: Mapping[str, str], tasks: Sequence[str]) -> Mapping[str, str] | bool | None:
    """Return the columns of standard errors where their names alone would not tell them, False where they would lie."""
    usual = {task: f"{task}{SUFFIX}" for task in tasks if f"{task}{SUFFIX}" in {*tasks, *named.values()}}
    return None if usual == named else named or False


def _writable_tables(
    tables: Suite | Instances, names: Sequence[str], column_kind: str, *, rounded: bool
) -> dict[str, Cells]:
    """Return the cells of each table as text can hold them, or raise InputError listing those that it cannot."""
    faults = Faults()
    found = {
        name: writable(tables.table(name).cells, partial(_place_in, tables, name, column_kind), faults, rounded=rounded)
        for name in names
    }
    faults.raise_if_any()
    return found


def _place_in(tables: Suite | Instances, name: str, column_kind: str, row: int, column: int) -> str:
    table = tables.table(name)
    return f"{name!r}: model {table.models[row]!r}, {column_kind} {table.columns[column]!r}"


def _columns(cells: Cells) -> list[Scores]:
    exact: list[dict[int, Fraction]] = [{} for _ in range(cells.floats.shape[1])]
    for (row, column), value in cells.exact.items():
        exact[column][row] = value
    return [Scores(floats=floats, exact=its) for floats, its in zip(cells.floats.T, exact, strict=True)]


def _taken(scores: Scores, rows: Sequence[int]) -> Scores:
    exact = {new: scores.exact[old] for new, old in enumerate(rows) if old in scores.exact} if scores.exact else {}
    return Scores(floats=scores.floats[rows], exact=exact)


def _unequal_weights(weights: Any) -> dict[str, Fraction]:
    return {str(name): weight for name, weight in weights.items() if weight != 1}


def _free(name: str, taken: Iterable[str]) -> str:
    """Return the name, with as many underscores behind it as it needs to be another than those taken."""
    others = set(taken)
    while name in others:
        name += "_"
    return name


def _write(
    columns: Columns,
    declared: Mapping[str, Any],
    path: Path,
    format: str | None,  # noqa: A002
    *,
    keyed: bool = True,
) -> None:
    if not path.name:
        raise InputError(f"a file is needed to write to; got {str(path)!r}")
    known = format_of(path, format, WRITTEN)
    beside = path.with_suffix(".toml")
    if beside == path:
        raise InputError(f"{path}: a .toml file says what is declared about a table; give the table another name")
    text = toml_text(declared)
    if beside.exists():
        _check_ours(beside)
    declaration = [(beside, [text.encode("utf-8")])] if text or beside.exists() else []
    write_files((path, [encoded(columns, known, keyed=keyed)]), *declaration)


def _check_ours(beside: Path) -> None:
    """Refuse to replace a file that is no configuration of a table."""
    try:
        read_config(beside)
    except InputError as error:
        raise FileFormatError(
            beside, ("this file would be replaced, and it is not one that weightlab reads", *error.faults)
        ) from None


# One order of names that agrees with several.


def one_order(orders: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the order of first appearance where all orders agree with it, else one with which they do.

    Where they contradict each other it is the order of first appearance.
    """
    together = first_appearances(orders)
    place = {name: position for position, name in enumerate(together)}
    pairs = [(order[i], order[i + 1]) for order in orders for i in range(len(order) - 1)]
    if all(place[before] < place[after] for before, after in pairs):
        return together
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(together, ()))
    for before, after in pairs:
        sorter.add(after, before)
    try:
        return tuple(sorter.static_order())
    except CycleError:
        return together


# Declarations as the text of a TOML file.

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def toml_text(declared: Mapping[str, Any]) -> str:
    """Return the TOML text of what is declared: names, lists of names, exact numbers, and tables of these.

    What is empty is left out, but for lists and False; fractions that are no short decimals are text, ``"1/3"``.
    """
    said = {keyword: value for keyword, value in declared.items() if value or value is False or isinstance(value, list)}
    plain = [f"{keyword} = {_value(value)}" for keyword, value in said.items() if not isinstance(value, Mapping)]
    tables = [
        "\n".join([f"[{keyword}]", *(f"{_key(name)} = {_value(one)}" for name, one in value.items())])
        for keyword, value in said.items()
        if isinstance(value, Mapping)
    ]
    parts = ["\n".join(plain), *tables] if plain else tables
    return "\n\n".join(parts) + "\n" if parts else ""


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _value(value: Any) -> str:
    if isinstance(value, Fraction):
        text = exact_text(value)
        return text if _PLAIN.fullmatch(text) else _quoted(text)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | Decimal):
        return str(value)
    names: Iterable[str] = value
    return f"[{', '.join(map(_quoted, names))}]"


def _quoted(text: str) -> str:
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    return f"\\u{code:04X}" if code < 0x20 or code == 0x7F else character
