"""Writing leaderboards, suites and instances, each with what is declared in a TOML file beside."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, TypeAlias

from weightlab._cures import Cure, Fault
from weightlab._files import write_whole
from weightlab._validate import Faults
from weightlab.data import Instances, Leaderboard, Suite
from weightlab.data.frame.cells import Cells, exact_text
from weightlab.data.frame.named_tables import first_appearances
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.read.leaderboards import KEYWORDS
from weightlab.io.reading.propose import peeked, propose
from weightlab.io.tables.declarations import read_config
from weightlab.io.tables.delimited import DELIMITERS
from weightlab.io.tables.exact_numbers import number
from weightlab.io.tables.parted_cells import SUFFIX
from weightlab.io.tables.sheet import WRITTEN, Source, format_of
from weightlab.io.tables.typed_columns import needed

FilePath = str | os.PathLike[str]
Columns: TypeAlias = Mapping[str, Sequence[Any]]
"""Names, flags, or texts of scores, by the name of the column."""


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
        CSV, TSV, JSON, Markdown or Parquet, chosen by the extension. An existing file is replaced.
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
    Directions, weights, groups and tolerances go to a TOML file of the same stem next to the table, and also which
    columns are tasks, if their names or scores would suggest otherwise. It is written when something is declared, and
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
    scores = _texts(board.cells, _place_on(board), faults, rounded=rounded)
    columns = dict(zip(board.tasks, zip(*scores, strict=True), strict=True))
    errors: list[list[str | None]] = []
    if board.error_cells is not None:
        errors = _texts(board.error_cells, _place_on(board, ", standard error"), faults, rounded=rounded)
    faults.raise_if_any()
    named: dict[str, str] = {}
    for task, its in zip(board.tasks, zip(*errors, strict=True), strict=bool(errors)):
        if any(one is not None for one in its):
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
        "bounds": {
            task: ":".join("" if end is None else exact_text(end) for end in own) for task, own in board.bounds.items()
        },
    }
    whole, known = {_free("model", columns): board.models, **columns}, format_of(Path(path), format, WRITTEN)
    declared |= _undone(board, encoded(whole, columns, known, keyed=True), known, declared)
    _write(whole, columns, declared, Path(path), format, keyed=True)


def _undone(board: Leaderboard, data: bytes, known: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return the extra declarations needed to read the table unchanged and not as its names and cells suggest."""
    source = Source(name=board.tasks[0], data=data, format=known, path=None)
    said = read_config(io.BytesIO(toml_text(declared).encode()))
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
    same stem next to the table. A missing score has a row if the order of the models depends on it.
    """
    rows: list[tuple[Any, ...]] = []
    for dataset, texts in _texts_of(suite, suite.datasets, "metric", rounded=rounded).items():
        table = suite.table(dataset)
        for at, (metric, scores) in enumerate(zip(table.columns, zip(*texts, strict=True), strict=True)):
            higher = metric not in suite.lower_is_better
            its = zip(table.models, scores, strict=True)
            rows += [(dataset, metric, model, score, higher) for model, score in its if score is not None or not at]
    declared = {
        "weights": _unequal_weights(suite.weights),
        "tolerance": dict(suite.tolerance),
        "relative_tolerance": dict(suite.relative_tolerance),
    }
    header = ("dataset", "metric", "model", "score", "higher_is_better")
    _write(dict(zip(header, zip(*rows, strict=True), strict=True)), ("score",), declared, Path(path), format)


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
    There is one row per model and instance, and one column per task. Directions and weights go to a TOML file of the
    same stem next to the table, and also the names of the columns of models and instances, if a task is called
    ``model`` or ``instance``. A file has one order of models and one of instances: if those of two tasks contradict
    each other, tasks read back in the order of first appearance.
    """
    tables = {task: instances.table(task) for task in instances.tasks}
    names = {"model": _free("model", tables)}
    names["instance"] = _free("instance", (*tables, names["model"]))
    models = one_order([table.models for table in tables.values()])
    across = one_order([table.columns for table in tables.values()])
    held: list[dict[str, dict[str, str | None]]] = [
        {
            model: dict(zip(tables[task].columns, row, strict=True))
            for model, row in zip(tables[task].models, texts, strict=True)
        }
        for task, texts in _texts_of(instances, instances.tasks, "instance", rounded=rounded).items()
    ]
    rows: list[tuple[Any, ...]] = []
    for model in models:
        own = [its.get(model, {}) for its in held]
        its = ((model, one, *(scores.get(one) for scores in own)) for one in across)
        rows += its if not rows else (row for row in its if any(one is not None for one in row[2:]))
    declared = {
        **{keyword: name for keyword, name in names.items() if name != keyword},
        "lower_is_better": instances.lower_is_better,
        "higher_is_better": _confirmed(instances),
        "weights": _unequal_weights(instances.weights),
    }
    columns = dict(zip((*names.values(), *tables), zip(*rows, strict=True), strict=True))
    _write(columns, instances.tasks, declared, Path(path), format)


def _place_on(board: Leaderboard, more: str = "") -> Callable[[int, int], str]:
    return lambda row, column: f"model {board.models[row]!r}, task {board.tasks[column]!r}{more}"


def _confirmed(table: Leaderboard | Instances) -> tuple[str, ...]:
    """Return the tasks whose direction a reader would ask for, and whose direction is declared."""
    return tuple(task for task in table.declarations.doubtful if task in table.declarations.higher_is_better)


def _unusual(named: Mapping[str, str], tasks: Sequence[str]) -> Mapping[str, str] | bool | None:
    """Return the columns of standard errors where their names alone would not tell them, False where they would lie."""
    usual = {task: f"{task}{SUFFIX}" for task in tasks if f"{task}{SUFFIX}" in {*tasks, *named.values()}}
    return None if usual == named else named or False


def _texts_of(
    tables: Suite | Instances, names: Sequence[str], column_kind: str, *, rounded: bool
) -> dict[str, list[list[str | None]]]:
    """Return the scores of each table as text, or raise InputError listing those that have none."""
    faults = Faults()
    place = {name: partial(_place_in, tables, name, column_kind) for name in names}
    found = {name: _texts(tables.table(name).cells, place[name], faults, rounded=rounded) for name in names}
    faults.raise_if_any()
    return found


def _place_in(tables: Suite | Instances, name: str, column_kind: str, row: int, column: int) -> str:
    table = tables.table(name)
    return f"{name!r}: model {table.models[row]!r}, {column_kind} {table.columns[column]!r}"


def _texts(cells: Cells, place: Callable[[int, int], str], faults: Faults, *, rounded: bool) -> list[list[str | None]]:
    """Return scores as texts that read back to the same numbers, None where missing; those without one are faults.

    Those without an exact decimal are rounded to doubles on request.
    """
    found = [
        [None if one != one else repr(one).removesuffix(".0") for one in row]  # noqa: PLR0124 - NaN
        for row in cells.floats.tolist()
    ]
    for (row, column), value in cells.exact.items():
        if _reads_back(value):
            found[row][column] = exact_text(value)
        elif not rounded:
            faults.add(partial(_no_decimal, place, row, column, value))
    return found


def _reads_back(value: Fraction) -> bool:
    try:
        return number(exact_text(value)) == value
    except ValueError:
        return False


def _no_decimal(place: Callable[[int, int], str], row: int, column: int, value: Fraction) -> str:
    text = f"{value.numerator}/{value.denominator}"
    shown = text if len(text) <= 40 else f"about {float(value)!r}"
    told = f"{place(row, column)}: no decimal that a file can hold equals {shown}"
    return Fault(told, Cure("rounded", value=True, effect="to write the nearest double"))


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
    scores: Collection[str],
    declared: Mapping[str, Any],
    path: Path,
    format: str | None,  # noqa: A002
    *,
    keyed: bool = False,
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
    write_files((path, [encoded(columns, scores, known, keyed=keyed)]), *declaration)


def _check_ours(beside: Path) -> None:
    """Refuse to replace a file that is no configuration of a table."""
    try:
        read_config(beside)
    except InputError as error:
        raise FileFormatError(
            beside, ("this file would be replaced, and it is not one that weightlab reads", *error.faults)
        ) from None


def write_files(*files: tuple[Path, Iterable[bytes]]) -> None:
    """Write files that belong together, each whole.

    Raises
    ------
    FileFormatError
        If one cannot be written.
    """
    try:
        write_whole(*files)
    except OSError as error:
        raise FileFormatError(error.filename, f"cannot be written: {error.strerror}") from None


# Columns as the bytes of a file in each format.

_MARKUP = re.compile(r"[@<>\[\]`*&#!\\~$:{}|]|www\.|\b_|_\b", re.IGNORECASE)


def encoded(columns: Columns, scores: Collection[str], format: str, *, keyed: bool) -> bytes:  # noqa: A002
    """Return the bytes of a table in a format; JSON is an object of columns where these are keyed by the first one.

    Raises
    ------
    InputError
        If a name cannot be written, or pyarrow is needed and not installed.
    """
    if format == "parquet":
        return _parquet(columns, scores)
    if format == "json":
        written = {name: [_in_json(one, name in scores) for one in its] for name, its in columns.items()}
        return (_json_by_column if keyed else _json_records)(written).encode()
    _check_names(columns, scores, format)
    plain = {True: "true", False: "false", None: ""}
    rows = [
        [*columns],
        *([one if isinstance(one, str) else plain[one] for one in row] for row in zip(*columns.values(), strict=True)),
    ]
    if format == "markdown":
        lines = [f"| {' | '.join(map(_cell, row))} |\n" for row in rows]
        return "".join([lines[0], f"| {' | '.join(['---'] * len(columns))} |\n", *lines[1:]]).encode()
    special = set(f'{DELIMITERS[format]}"\r\n')

    def field(text: str) -> str:
        doubled = text.replace('"', '""')
        return text if special.isdisjoint(text) else f'"{doubled}"'

    return "".join(DELIMITERS[format].join(map(field, row)) + "\n" for row in rows).encode()


def _cell(text: str) -> str:
    """Return a cell of Markdown: as code where something in it would be a link, a mention or markup."""
    if _MARKUP.search(text):
        fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
        room = " " if "`" in {text[0], text[-1]} else ""
        text = f"{fence}{room}{text}{room}{fence}"
    return text.replace("|", r"\|")


def _check_names(columns: Columns, scores: Collection[str], format: str) -> None:  # noqa: A002
    """Refuse what text cannot hold."""
    held = {one for name, its in columns.items() if name not in scores for one in its if isinstance(one, str)}
    longest = csv.field_size_limit()
    faults = Faults()
    for name in sorted({*columns, *held}):
        if "\0" in name:
            faults.add(f"the name {name!r} holds a NUL character; write JSON or Parquet instead")
        elif format == "markdown" and [name] != name.strip().splitlines():
            faults.add(f"the name {name!r} has blanks around it or a line break; write CSV, JSON or Parquet instead")
        elif format in DELIMITERS and len(name) > longest:
            faults.add(f"the name {name[:40]!r}... has more than {longest} characters; write JSON or Parquet instead")
    faults.raise_if_any()


def _in_json(value: Any, is_score: bool) -> str:  # noqa: FBT001 (of the column)
    return (value or "null") if is_score else json.dumps(value, ensure_ascii=False)


def _json_records(texts: Mapping[str, list[str]]) -> str:
    keys = [_in_json(name, is_score=False) for name in texts]
    rows = (
        ", ".join(f"{key}: {cell}" for key, cell in zip(keys, row, strict=True))
        for row in zip(*texts.values(), strict=True)
    )
    return "[\n" + ",\n".join(f"{{{row}}}" for row in rows) + "\n]\n"


def _json_by_column(texts: Mapping[str, list[str]]) -> str:
    first, *names = texts
    pairs = (", ".join(f"{row}: {cell}" for row, cell in zip(texts[first], texts[name], strict=True)) for name in names)
    columns = (f"{_in_json(name, is_score=False)}: {{{its}}}" for name, its in zip(names, pairs, strict=True))
    return "{\n" + ",\n".join(columns) + "\n}\n"


def _parquet(columns: Columns, scores: Collection[str]) -> bytes:
    """Return columns in Parquet: scores as doubles where these print as all of a column, otherwise as text."""
    arrow, parquet = needed("writing")
    arrays = {}
    for name, column in columns.items():
        numbers = [None if one is None else float(one) for one in column] if name in scores else []
        if numbers and [one and repr(float(one)).removesuffix(".0") for one in column] == [*column]:
            arrays[name] = arrow.array(numbers, arrow.float64())
        else:
            arrays[name] = arrow.array(column, arrow.bool_() if type(column[0]) is bool else arrow.string())
    sink = io.BytesIO()
    parquet.write_table(arrow.table(arrays), sink)
    return sink.getvalue()


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

    Empty values are omitted, except for lists and False; fractions that are not short decimals are text, ``"1/3"``.
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
