"""Reading leaderboards."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from time import process_time
from typing import Any, Literal, NoReturn

import numpy as np

from weightlab._cures import Cure, Fault, as_fault, at
from weightlab._exact import Number, WeightsLike
from weightlab._result import Frozen
from weightlab._text import counted, first_few, shown, without
from weightlab._validate import Faults
from weightlab.data import Leaderboard, TasksLike
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.declarations import BoundsLike, Declarations
from weightlab.exceptions import FileFormatError, InputError, ReadingError
from weightlab.io.evaluations.detect import board_of, sniff
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.read.repeats import means_over_repeats, weigh_by_repeats, weights_of_repeats
from weightlab.io.reading.known_programs import of_a_program
from weightlab.io.reading.long_tables import widened
from weightlab.io.reading.propose import peeked, propose
from weightlab.io.reading.reading import Certainty, Reading, Role, as_pattern, in_patterns, is_dropped, some_names
from weightlab.io.reading.settled import own_weights, settled
from weightlab.io.reading.spelled import legible, legible_in
from weightlab.io.reading.told import reading_of
from weightlab.io.reading.words import is_called
from weightlab.io.tables.columns import ColumnData, Names, Scores, cleaned, cure_of_repeats, note_repeated, read_columns
from weightlab.io.tables.declarations import ConfigLike, Settings
from weightlab.io.tables.delimited import SPELT, Spelling
from weightlab.io.tables.exact_numbers import ReadNumber, in_percent, number, percentage_of_fraction
from weightlab.io.tables.parted_cells import (
    MEANINGS,
    ErrorColumns,
    Split,
    Spread,
    error_columns,
    extended_names,
    extended_numbers,
    extended_weights,
    missing_values,
    names_of_errors,
    reading_but,
    spreads,
)
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet, Source, opened, transposed, with_joined_names

TOLERANT = ("tolerance", "relative_tolerance")
DECLARED = ("lower_is_better", "higher_is_better", "weights", "groups", *TOLERANT, "rule", "bounds")
COLUMNS = (
    *(
        "split",
        "percent",
        "drop",
        "keep",
        "transpose",
        "name_column",
        "dataset_column",
        "missing_value",
        "weights_from",
    ),
    *("standard_errors", "spread", "repeats_by"),
)
KEYED = {*DECLARED, *COLUMNS, *SPELT} - {"encoding"}
"""Options accepted for an open file."""
KEYWORDS = (*DECLARED, *COLUMNS, "models", "tasks", *SPELT)


class Layout(Frozen, eq=True):
    """What each column of the sheet is, by position; columns that are dropped are in none."""

    models: int
    tasks: tuple[int, ...]
    blank: tuple[int, ...]
    split: Mapping[int, Split]
    reads: Mapping[int, ReadNumber]
    spread: Mapping[int, Spread]
    errors: ErrorColumns
    repeats: int | None


def read_leaderboard(
    path: PathLike,
    *,
    config: ConfigLike | None = None,
    lower_is_better: str | Iterable[str] | None = None,
    higher_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
    groups: Mapping[str, TasksLike] | None = None,
    split: Mapping[str, str] | str | None = None,
    percent: str | Iterable[str] | None = None,
    drop: str | Iterable[str] | None = None,
    keep: str | Iterable[str] | None = None,
    transpose: bool | None = None,
    name_column: str | Iterable[str] | None = None,
    dataset_column: str | Iterable[str] | None = None,
    missing_value: str | Iterable[str] | None = None,
    weights_from: str | None = None,
    accept_reading: bool = False,
    standard_errors: str | Mapping[str, str] | Literal[False] | None = None,
    spread: str | Mapping[str, str] | None = None,
    repeats_by: str | None = None,
    models: str | Iterable[str] | None = None,
    tasks: TasksLike | None = None,
    tolerance: Number | Mapping[str, Number] | None = None,
    relative_tolerance: Number | Mapping[str, Number] | None = None,
    rule: str | None = None,
    bounds: BoundsLike | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    table: str | int | None = None,
    member: str | None = None,
    size_limit: float | None = None,
    format: str | None = None,  # noqa: A002
) -> Leaderboard:
    r"""Read a leaderboard from a file, as its cells and names tell: a column names the models, others are tasks.

    Parameters
    ----------
    path : path, address or open file
        CSV, TSV, JSON, JSON Lines or Parquet, told by the extension, or of a stream by how it begins. A folder of such
        files with the same columns is one table, with a column for what differs in their names where no other tells
        models or data sets. A file or folder of results is read as `read_results` does, with its notes as a warning; of
        the keywords it accepts directions, weights, groups and tolerances, and in ``config`` the ``metrics`` to keep
        and the other keywords of `read_helm`, `read_mteb` or `read_open_llm`.
    config : path, open file or mapping, optional
        A TOML file with any of the keywords below, or what `read_config` returned. By default the TOML file of the same
        stem next to the table is read, if there is one; ``{}`` prevents that. Keywords given here win.
    lower_is_better : str or iterable of str, optional
        Tasks on which a lower score is better, by name or by pattern; ``"*"`` means those without another known
        direction.
    higher_is_better : str or iterable of str, optional
        Tasks declared as higher is better, by name or by pattern.
    weights : mapping, Series or sequence, optional
        Exact weights; unlisted tasks weigh 1.
    groups : mapping from str to tasks, optional
        Named groups of tasks.
    split : mapping from column to separator, optional
        Columns that hold several scores in a cell: with ``{"MRPC": "/"}``, 93.9/91.8 becomes the tasks ``MRPC_n1`` and
        ``MRPC_n2``. They share the column's weight equally, unless they are given weights of their own; directions,
        groups and tolerances that name the column extend to them. Of HELM and MTEB the name of the split that counts.
    percent : str or iterable of str, optional
        Columns whose scores are in percent: 93.9% is the score 93.9, and so is 93.9. If all values there without a sign
        lie between -1 and 1, they are fractions: 0.939 is the score 93.9 then, too.
    drop : str or iterable of str, optional
        Columns of the file that are not scores, by name or by pattern: ``*_rank`` is every column that ends so.
    keep : str or iterable of str, optional
        The only columns of the file that are scores, by name or by pattern, except for those dropped; all by default.
        Columns that hold names, repeats or standard errors of what is kept need not be listed.
    transpose : bool, optional
        Whether a row of the file is a task and a column a model. ``drop`` and ``keep`` refer to the columns of the file
        as written; the first remaining one holds the names of the tasks. All other options refer to the tasks.
    name_column : str or iterable of str, optional
        The columns that name the models, several joined by ``" / "``; by default the one that is called so, or the
        first of text.
    dataset_column : str or iterable of str, optional
        Of a table with a row per score, the columns that name the data set of a score, joined by ``/``: a data set and
        a column of scores make a task. By default columns that are called so.
    missing_value : str or iterable of str, optional
        What else stands for a missing score: ``"-1"`` in all columns, ``"RTFx=-1"`` in one.
    weights_from : str, optional
        A column of totals whose weights count, where the rows tell them as fractions; or the column of repeats, so that
        each repeat counts once: a task weighs as many as the models have on it in the mean.
    accept_reading : bool
        Whether likely kinds of columns and likely directions count as declared. Without it a table with anything that
        is only likely is refused.
    standard_errors : str, mapping from column to column, or False, optional
        Which columns hold the standard errors of which scores. By default those of a column ``acc`` are in
        ``acc_stderr``, if it exists; a text is another ending, and False means that there are none.
    spread : {"standard_error", "dropped"} or mapping from column to one of these, optional
        Meaning of the number after the score in cells such as ``84.2 ± 0.3`` and ``93.3 (0.5)``; for all columns or
        some.
    repeats_by : str, optional
        The column that tells apart the rows of one model, such as a seed or fold: its score is the exact mean over
        them, with the standard error of that mean (the root of s^2/n, to double precision). A warning says where
        models have different repeats. Tasks weigh alike however many they have, unless ``weights_from`` names the
        column, too.
    models, tasks : str or iterable of str, optional
        The only ones to keep of the table that was read, as `Leaderboard.select` does; all by default.
    tolerance, relative_tolerance : number or mapping from task to number, optional
        As for `Leaderboard`.
    rule : str, optional
        The rule by which the table ranks, as for `Leaderboard`.
    bounds : (lowest, highest), or mapping of such pairs by task, optional
        Between which numbers scores lie, as for `Leaderboard`.
    separator : str, optional
        Column separator of a CSV or TSV file, if not a comma or tab. A first line ``sep=;``, as Excel writes, also sets
        it.
    decimal, thousands : str, optional
        Decimal mark and thousands separator: with ``","`` and ``"."`` the number
        1.234,5 is read. By default a point, and none.
    encoding : str, optional
        The encoding of a file that is not UTF-8, such as ``"cp1252"``. UTF-16 is recognised by its byte order mark.
    table : str or int, optional
        Of a file with several tables the one to read: its number from 1, the heading above it in Markdown, the name of
        a sheet, the key of a list of records in JSON. By default the only one that holds numbers; of a workbook the
        first that does.
    member : str, optional
        Of a zip archive with several files the one to read; of a folder of tables a pattern of those to join.
    size_limit : float, optional
        MiB that a compressed file may have once it is unpacked, by default 512, or the body at an address, by default
        64.
    format : {"csv", "tsv", "json", "jsonl", "parquet"}, optional
        Instead of what the extension says.

    Returns
    -------
    Leaderboard
        Its scores are the decimals in the file, exactly. Empty cells, ``-``, ``NA``, ``N/A`` and ``nan``, in capitals
        or not, are missing.

    Raises
    ------
    ReadingError
        If what a column is, or which way it counts, is only likely; it carries the reading, and what would settle it.
    FileFormatError
        Listing everything that is wrong with the file, with line, column and value.
    InputError
        If the format is not known, or pyarrow is needed and not installed.

    Notes
    -----
    How the table is read is proposed from its cells by `propose_reading`, which tells what is certain, likely and
    assumed of each column; what is declared wins. Columns of text, facts and totals are left out.

    Time and memory are linear in the size of the file. Names are stripped of blanks and normalised to Unicode's
    composed form, with no-break spaces as blanks, and a note lists the changed ones; numbers may have blanks around
    them, too. Blank lines are skipped, and so are columns with neither a name nor a score.

    JSON is a list of records ``[{"model": "T5", "CoLA": 71.6}]`` or of lists ``{"model": ["T5"], "CoLA": [71.6]}``, in
    which the key ``model``, or else the first one, holds the names; or an object of columns ``{"CoLA": {"T5": 71.6}}``.
    JSON Lines hold a record a line.
    In a Parquet file that pandas wrote, a stored index holds the names.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> table = io.StringIO("model,CoLA,MRPC\nT5,71.6,92.8/90.4\nBERT,60.5,89.3/85.4\n")
    >>> board = wl.read_leaderboard(table, split={"MRPC": "/"}, weights={"CoLA": "0.1"})
    >>> board.tasks
    ('CoLA', 'MRPC_n1', 'MRPC_n2')
    >>> [str(weight) for weight in board.weights]
    ['1/10', '1/2', '1/2']
    """
    given = {keyword: value for keyword, value in locals().items() if keyword in KEYWORDS}
    return read_board(path, config, given, accept=accept_reading, format=format)[0]


def read_board(
    path: PathLike | Source,
    config: ConfigLike | None,
    given: Mapping[str, Any],
    *,
    accept: bool = False,
    format: str | None = None,  # noqa: A002
    tried: bool = False,
) -> tuple[Leaderboard, Reading]:
    """Return the result of `read_leaderboard`, and how it was read; a trial call does not search for cures."""
    if not isinstance(path, Source) and (held := sniff(path)):
        board = board_of(held, config, {**given, "format": format})
        return board, reading_of(str(held.path), board, why="as its program writes it")
    source = (
        path
        if isinstance(path, Source)
        else opened(path, format, member=given.get("member"), size_limit=given.get("size_limit"), remote=True)
    )
    try:
        sheet, declared, faults = open_sheet(source, None, config, given, allowed=KEYWORDS, reader="read_leaderboard")
    except FileFormatError as error:
        if tried:
            raise
        raise _with_tables(error, source, config, given, accept=accept) from None
    if not sheet.header:
        raise FileFormatError(faults.name, "there is no column")
    sheet, cells = peeked(widened(of_a_program(sheet), declared))
    reading = propose(faults.name, sheet, cells, declared)
    if reading.transposed:  # then every row is a task, and all are examined
        sheet, cells = peeked(sheet, None)
        reading = propose(faults.name, sheet, cells, declared)
    if reading.is_doubtful and not (accept and reading.is_answerable):
        return _refuse(sheet, cells, declared, faults, reading, accept=accept)
    try:
        return _leaderboard(sheet, declared, faults, reading)
    except ReadingError:
        raise
    except FileFormatError as error:
        if tried:
            raise
        raise _with_cure(error, source, config, given, accept=accept) from None


def _with_cure(
    error: FileFormatError, source: Source, config: ConfigLike | None, given: Mapping[str, Any], *, accept: bool
) -> FileFormatError:
    """Return the error with the keywords under which the file is read, where its cures say some."""
    way, begun = _cured({}, error), process_time()
    for _ in range(MOST_TRIALS):
        if way is None or not KEYED.issuperset(way) or process_time() > begun + MOST_SECONDS:
            break
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                reading = read_board(source, config, {**given, **_merged(given, way)}, accept=accept, tried=True)[1]
        except ReadingError as asked:
            ways = [{**way, **_merged(way, one)} for one in asked.ways]
            told = [*error.faults, *asked.reading.doubts()]
            return ReadingError(source.name, told, reading=asked.reading, ways=ways) if ways else error
        except FileFormatError as more:
            way = _cured(way, more)
        else:
            return ReadingError(source.name, error.faults, reading=reading, ways=[way])
    told = [_without_means(one) for one in error.faults]
    return error if told == [*error.faults] else FileFormatError(source.name, told)


def _without_means(told: str) -> str:
    """Return an error without the cure of averaging if more than its column distinguishes rows."""
    fault = as_fault(told)
    if all(one.argument != "repeats_by" for one in fault.cure):
        return told
    return Fault(
        f"{told}; several columns distinguish these rows: declare which name the models, and which the data sets"
    )


def _with_tables(
    error: FileFormatError, source: Source, config: ConfigLike | None, given: Mapping[str, Any], *, accept: bool
) -> FileFormatError:
    """Return the error of a page with several tables together with how each that it offers can be read."""
    offered = [one.value for fault in error.faults for one in as_fault(fault).cure if one.argument == "table"]
    ways: list[Mapping[str, Any]] = []
    readings: list[Reading] = []
    for one in offered:
        try:
            readings.append(read_board(source, config, {**given, "table": one}, accept=accept)[1])
            ways.append({"table": one})
        except ReadingError as asked:
            readings += [asked.reading] if asked.ways else []
            ways += [{"table": one, **way} for way in asked.ways[:1]]
        except FileFormatError:
            continue
    if not ways:
        return _with_cure(error, source, config, given, accept=accept)
    return ReadingError(source.name, error.faults, reading=readings[0], ways=ways)


MOST_TRIALS = 3
"""Calls that are tried on the cells of a refused table."""
MOST_SECONDS = 2.0
"""A trial begins only within this time."""


def _refuse(
    sheet: Sheet,
    cells: Sequence[Sequence[Any]],
    declared: Settings,
    faults: FileFaults,
    reading: Reading,
    *,
    accept: bool,
) -> NoReturn:
    """Raise the error that lists what is uncertain, with the declarations that read the same cells.

    Raises
    ------
    ReadingError
        Always, unless rows cannot be distinguished at all.
    """
    blocks, begun = list(sheet.blocks), process_time()
    faults.raise_here()
    wrong: list[str] = []

    def attempt(way: Mapping[str, Any]) -> None:
        said = declared.with_values(**_merged(declared.values, without_accept(way)))
        spelling = Spelling(said.values.get("decimal", "."), said.values.get("thousands", ""))
        again = replace(sheet, blocks=iter(blocks), spelt=spelling)
        found = propose(faults.name, again, cells, said)
        accepted = accept or "accept_reading" in way
        if found.is_doubtful and not (accepted and found.is_answerable):
            raise FileFormatError(faults.name, found.doubts())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _leaderboard(again, said, FileFaults(faults.name), found)

    def without_accept(way: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in way.items() if name != "accept_reading"}

    ways: list[Mapping[str, Any]] = []
    for first in [*_ways(reading, accept=accept), *_one_score(sheet, reading, accept=accept)]:
        way: Mapping[str, Any] | None = {
            name: in_patterns(its, sheet.header) if name in {"keep", "drop"} else its for name, its in first.items()
        }
        for _ in range(MOST_TRIALS):
            if way is None or process_time() > begun + MOST_SECONDS:
                break
            try:
                attempt(way)
            except FileFormatError as error:
                wrong = wrong or [*map(_without_means, error.faults)]
                way = _cured(way, error)
            else:
                ways.append(way)
                break
    told = reading.doubts()
    if sheet.steadiest and ways and "keep" in ways[-1]:
        alone = shown(sheet.steadiest)
        told.append(f"several scores count on each data set; {alone} alone, whose scale differs least, is --keep below")
    raise ReadingError(faults.name, told if ways else [*told, *without(wrong, told)], reading=reading, ways=ways)


def _ways(reading: Reading, *, accept: bool) -> list[dict[str, Any]]:
    """Return the declarations that may resolve the uncertainty, the likelier first."""
    behind = any(one.spread for one in reading.columns)
    parted = {one.name: one.divided for one in reading.columns if one.divided}
    likely = bool(reading.likely) or len(reading.notes) > behind + bool(parted)
    sure: dict[str, Any] = {} if accept or not likely else {"accept_reading": True}
    meant: list[dict[str, Any]] = [{"spread": one} for one in reversed(MEANINGS)] if behind else [{}]
    meant = [{**one, **({"split": parted} if parted else {})} for one in meant]
    if reading.questions:
        answers: list[dict[str, Any]] = [{}]
        for one in reading.questions:
            answers = [{**before, **says} for before in answers for _, says in one.answers][:MOST_TRIALS]
        return [{**({} if "keep" in one else sure), **meant[0], **one} for one in answers]
    open_ = any(one.certainty is Certainty.ASSUMED for one in reading.of(Role.TASK))
    tall = [one for one in reading.likely if one.role is Role.TASK and not one.lower]
    turned = [{**sure, **meant[-1], "lower_is_better": ["*"]}] if open_ or tall else []
    return [*({**sure, **one} for one in meant), *turned]


def _one_score(sheet: Sheet, reading: Reading, *, accept: bool) -> list[dict[str, Any]]:
    """Return the declaration that keeps one of several scores per dataset, if nothing else is needed."""
    if not sheet.steadiest or reading.questions or reading.blockers:
        return []
    sure = {} if accept else {"accept_reading": True}
    return [{**sure, "keep": [f"{as_pattern(sheet.steadiest)}/*"]}]


def _merged(before: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return declarations with more of them: names are added to those of the same keyword."""
    made: dict[str, Any] = {}
    for keyword, value in more.items():
        old = before.get(keyword)
        if isinstance(value, list):
            made[keyword] = [*dict.fromkeys([*([old] if isinstance(old, str) else old or ()), *value])]
        elif isinstance(value, Mapping) and isinstance(old, Mapping):
            made[keyword] = {**old, **value}
        else:
            made[keyword] = value
    return made


def _cured(way: Mapping[str, Any], error: FileFormatError) -> dict[str, Any] | None:
    """Return a way with the first cure of each error; None if some error has no cure by keyword."""
    made = dict(way)
    for fault in error.faults:
        cure = next(iter(as_fault(fault).cure), None)
        while cure is not None:
            if cure.argument.startswith(".") or cure.value is None:
                return None
            made |= _merged(made, {cure.argument: cure.value})
            cure = cure.also
    return made if made != way else None


def _leaderboard(sheet: Sheet, declared: Settings, faults: FileFaults, reading: Reading) -> tuple[Leaderboard, Reading]:
    declared = settled(_weighed(declared, reading, faults), reading, sheet.header, faults)
    if reading.transposed:
        sheet = _transposed(sheet, declared, faults, reading)
        left = {name: one for name, one in declared.values.items() if name not in {"drop", "keep"}}
        declared = replace(declared, values=left)
    elif len(reading.key) > 1:
        sheet = with_joined_names(sheet, [sheet.header.index(one) for one in reading.key])
    layout = _layout(sheet, declared, faults, reading)
    found = _column_data(sheet, layout, faults)
    repeated = {} if layout.repeats is None else {sheet.header[layout.repeats]: layout.repeats}
    given = sheet.header[layout.models]
    known = is_called(given, "key") or sheet.labelled
    elsewhere = [] if known else [Cure("drop", [given], "if it does not name models")]
    cure = () if repeated else (*cure_of_repeats(sheet.header), *elsewhere)
    note_repeated(found, {"model": layout.models, **repeated}, sheet, faults, cure, scored=True)
    columns, parts, errors = _columns(sheet, layout, found, faults)
    if not all(parts.values()):
        faults.raise_here()  # without its parts a split column cannot be declared
    options = _options(declared, parts, faults)
    _check_options(tuple(columns), declared, options, faults)
    faults.raise_here()
    models = found.names[layout.models]
    reading = _with_names(reading, models)
    if layout.repeats is None:
        columns, errors, models, reading = _without_odd_rows(columns, errors, models, reading)
    _check_filled(sheet, columns, faults)
    cells, beside = _cells(columns), _cells(errors) if errors else None
    if layout.repeats is not None:
        cells, beside, runs = means_over_repeats(columns, models, found.names[layout.repeats])
        options |= weights_of_repeats(runs, declared)
    try:
        board = Leaderboard.from_cells(models.distinct, tuple(columns), cells, standard_errors=beside, **options)
        counts = f"{counted(len(board.models), 'model')}, {counted(len(board.tasks), 'task')}"
        held = counts if any(len(its) > 1 for its in parts.values()) else reading.held
        whole = replace(reading, models=len(board.models), held=held)
        return board.select(models=declared.values.get("models"), tasks=declared.values.get("tasks")), whole
    except InputError as error:
        raise FileFormatError(faults.name, error.faults) from None


def _weighed(declared: Settings, reading: Reading, faults: FileFaults) -> Settings:
    """Return the declarations with the weights of a named total, noting weights that are given twice."""
    if not weigh_by_repeats(declared):
        weighed = "weights_from" in declared.values
        return declared.with_values(weights=own_weights(reading, declared, faults)) if weighed else declared
    if "weights" in declared.values:
        faults.add(f"{declared.place('weights_from')}: weights are declared, too; give one of them")
    return declared


def _with_names(reading: Reading, models: Names) -> Reading:
    """Return a reading that says which names stand otherwise in the file."""
    if not models.changed:
        return reading
    many = len(models.changed) > 1
    told = f"{counted(len(models.changed), 'name')} without blanks, links or bold around {'them' if many else 'it'}"
    told = f"{told} ({'were' if many else 'was'} {first_few(map(repr, models.changed), 2)})"
    return replace(reading, remarks=(*reading.remarks, told))


def _without_odd_rows(
    columns: dict[str, Scores], errors: dict[str, Scores], models: Names, reading: Reading
) -> tuple[dict[str, Scores], dict[str, Scores], Names, Reading]:
    """Return all without the rows that sum up others and those without any score, which the reading then names."""
    named = [models.distinct[code] for code in models.codes.tolist()]
    empty = _empty_rows(columns)
    summed = [row for row, name in enumerate(named) if name in reading.summaries]
    told = [f"left out rows: {some_names(reading.summaries)}"] if summed else []
    told += [
        f"{counted(len(empty), 'row')} without a score left out ({some_names([named[row] for row in empty])})"
    ] * bool(empty)
    if not told:
        return columns, errors, models, reading
    columns, errors, models = _without_rows(columns, errors, models, [*{*empty, *summed}])
    return columns, errors, models, replace(reading, remarks=(*reading.remarks, *told))


def _transposed(sheet: Sheet, declared: Settings, faults: FileFaults, reading: Reading) -> Sheet:
    """Return the columns that are models as rows below the names of the rows that are tasks."""
    if "repeats_by" in declared.values:
        faults.add(f"{declared.place('repeats_by')} is of rows that are models, and transpose says they are tasks")
    left_out = _dropped(sheet, declared, faults)
    faults.raise_here()
    key = sheet.header.index(reading.key[0]) if reading.key else 0
    models = [place for place in range(len(sheet.header)) if place not in left_out | {key}]
    tasks = set(reading.tasks)
    return transposed(sheet, faults, [key, *models], lambda name: cleaned(name) if cleaned(name) in tasks else None)


def _dropped(sheet: Sheet, declared: Settings, faults: FileFaults) -> set[int]:
    """Return the columns that are dropped or not kept, noting a keep of columns that are not there."""
    drop = set(declared.listed("drop"))
    if sheet.header and not sheet.turned and drop.issuperset(sheet.header):
        faults.add(f"{declared.place('drop')}: no column is left; one must name the models")
        faults.raise_here()
    if "keep" not in declared.values:
        return {place for place, name in enumerate(sheet.header) if name in drop}
    keep = {str(declared.values.get("repeats_by")), *declared.columns("keep", sheet.header, faults)}
    keep |= {sheet.header[0]} if sheet.turned else set()
    keep |= names_of_errors(keep, declared)
    return {place for place, name in enumerate(sheet.header) if name in drop or name not in keep}


def _layout(sheet: Sheet, declared: Settings, faults: FileFaults, reading: Reading) -> Layout:
    header = sheet.header
    repeats = declared.position("repeats_by", header, faults) if "repeats_by" in declared.values else None
    dropped = _dropped(sheet, declared, faults)
    moved = reading.transposed or len(reading.key) > 1
    models = 0 if moved or not reading.key else header.index(reading.key[0])
    rest = [place for place in range(len(header)) if place not in {models, repeats, *dropped}]
    named = tuple(place for place in rest if header[place].strip())
    _check_header(sheet, named, faults)
    held = {one.name for one in reading.columns if one.role not in {Role.KEY, Role.REPEAT} and not is_dropped(one)}
    names = [name for name in header if name.strip() and name in held] or [header[place] for place in named]
    percent = declared.columns("percent", names, faults)
    separators = declared.separators(names, faults)
    errors = error_columns(header, named, {header[place] for place in dropped - {models}}, declared, faults)
    tasks = tuple(position for position in named if position not in errors.all)
    if not (tasks or faults) and any(map(is_dropped, reading.columns)):
        faults.remark("all are left out, as is declared")
    values = missing_values(declared, header, faults)
    reads = _reads(header, (*tasks, *errors.of.values()), percent, values, reading)
    for position in _fractions(header, tasks, errors, reading):
        reads[position] = reading_but(percentage_of_fraction, header[position], values)
    spelt = {position: sheet.spelt(reads[position]) for position in tasks}
    spread = spreads(header, tasks, declared, spelt, faults)
    bare = {place for place, one in spread.items() if not one.is_error}  # read without the text after the scores
    spread = {place: one for place, one in spread.items() if place not in bare}
    reads |= {place: reading_but(legible, header[place], values) for place in bare}
    given, runs = [header[position] for position in errors.of], None if repeats is None else header[repeats]
    _check_errors(given, spread, separators, runs, faults)
    faults.raise_here()
    unnamed = {one.name for one in reading.columns if not one.name.strip()}
    parted = {place: separators[header[place]] for place in tasks if header[place] in separators}
    return Layout(
        models=models,
        tasks=tasks,
        blank=tuple(place for place in rest if not header[place].strip() and header[place] not in unnamed),
        split={at: Split(column=header[at], separator=sign, read=spelt[at]) for at, sign in parted.items()},
        reads=reads,
        spread=spread,
        errors=errors,
        repeats=repeats,
    )


def _reads(
    header: Sequence[str],
    positions: Sequence[int],
    percent: Sequence[str],
    values: Mapping[str, Sequence[str]],
    reading: Reading,
) -> dict[int, ReadNumber]:
    """Return how the numbers of columns are read: with the text next to them in all cells, or without."""
    dressed = {one.name for one in reading.of(Role.TASK) if one.dressed}
    units = {one.name: (one.unit, one.out_of) for one in reading.of(Role.TASK) if one.unit or one.out_of}
    reads: dict[int, ReadNumber] = {}
    for position in positions:
        name = header[position]
        read: ReadNumber = in_percent if name in percent else legible if name in dressed else number
        if name in units:
            read = legible_in(*units[name])
        reads[position] = reading_but(read, name, values)
    return reads


def _fractions(header: Sequence[str], tasks: Sequence[int], errors: ErrorColumns, reading: Reading) -> list[int]:
    """Return the columns of fractions that are declared in percent, and those of their standard errors."""
    named = {one.name for one in reading.columns if one.fractions}
    its = [position for position in tasks if header[position] in named]
    return [*its, *(errors.of[position] for position in its if position in errors.of)]


def _check_errors(
    given: Sequence[str],
    spread: Mapping[int, Spread],
    separators: Mapping[str, str],
    repeats: str | None,
    faults: FileFaults,
) -> None:
    """Note columns whose standard errors are given twice, or whose scores are unclear."""
    inside = [one.column for one in spread.values() if one.is_error]
    for name in [name for name in (*given, *inside) if name in separators]:
        faults.add(f"column {name!r} is split, so its standard errors cannot be assigned; drop them")
    for name in [name for name in inside if name in given]:
        faults.add(f"column {name!r} has standard errors in its cells and in a column of their own; drop one of them")
    if repeats is not None:
        for name in (*given, *inside):
            faults.add(
                f"column {name!r} has standard errors, and those of means over {repeats!r} are worked out; "
                "drop one of them"
            )


def _check_header(sheet: Sheet, tasks: tuple[int, ...], faults: FileFaults) -> None:
    first: dict[str, int] = {}
    for position in tasks:
        name = sheet.header[position]
        if name in first:
            faults.add(f"columns {first[name] + 1} and {position + 1} are both called {name!r}")
        first.setdefault(name, position)
    if len(first) < len(tasks):
        faults.remark("if a second header row tells columns of one name apart, make one row of both")


def _column_data(sheet: Sheet, layout: Layout, faults: FileFaults) -> ColumnData:
    return read_columns(
        sheet,
        faults,
        names=[layout.models, *([] if layout.repeats is None else [layout.repeats])],
        scores={
            position: read
            for position, read in layout.reads.items()
            if position not in layout.split and position not in layout.spread
        },
        texts=[*layout.split, *layout.spread],
        blank=layout.blank,
        cure=(Cure("drop", [...]),),
    )


def _columns(
    sheet: Sheet, layout: Layout, found: ColumnData, faults: FileFaults
) -> tuple[dict[str, Scores], dict[str, tuple[str, ...]], dict[str, Scores]]:
    """Return the scores by task, the tasks that each split column became, and the standard errors if there are any."""

    def place(row: int, column: str) -> str:
        return sheet.cell(int(found.rows[row]), column)

    columns: dict[str, Scores] = {}
    parts: dict[str, tuple[str, ...]] = {}
    errors = {sheet.header[task]: found.scores[column] for task, column in layout.errors.of.items()}
    taken = {sheet.header[position] for position in layout.tasks}
    for position in layout.tasks:
        name = sheet.header[position]
        if position in layout.spread:
            columns[name], error = layout.spread[position].scores(found.texts[position], place, faults)
            errors |= {} if error is None else {name: error}
        elif position not in layout.split:
            columns[name] = found.scores[position]
        else:
            its = layout.split[position].scores(found.texts[position], place, faults)
            for part in its:
                if part in taken:
                    faults.add(f"column {name!r} splits into {part!r}, and there is such a column already")
            columns.update(its)
            parts[name] = tuple(its)
    none = Scores(floats=np.full(len(found.rows), np.nan), exact={})
    return columns, parts, {task: errors.get(task, none) for task in columns} if errors else {}


def _cells(columns: Mapping[str, Scores]) -> Cells:
    exact: dict[tuple[int, int], Fraction] = {}
    for column, scores in enumerate(columns.values()):
        exact.update({(row, column): value for row, value in scores.exact.items()})
    floats = np.column_stack([scores.floats for scores in columns.values()]) if columns else np.empty((0, 0))
    return Cells(floats=floats, exact=exact)


def _empty_rows(columns: Mapping[str, Scores]) -> list[int]:
    """Return the rows without any score."""
    if not columns:
        return []
    present = ~np.isnan(np.column_stack([scores.floats for scores in columns.values()]))
    empty: list[int] = np.flatnonzero(~present.any(axis=1)).tolist()
    return empty


def _without_rows(
    columns: Mapping[str, Scores], errors: Mapping[str, Scores], models: Names, rows: Sequence[int]
) -> tuple[dict[str, Scores], dict[str, Scores], Names]:
    """Return scores, standard errors and names of models without some rows; each row is of another model."""
    kept = np.setdiff1d(np.arange(len(models.codes)), rows)
    new = {int(old): at for at, old in enumerate(kept.tolist())}

    def left(scores: Scores) -> Scores:
        return Scores(
            floats=scores.floats[kept], exact={new[row]: one for row, one in scores.exact.items() if row in new}
        )

    names = [models.distinct[models.codes[old]] for old in kept.tolist()]
    left_models = Names(distinct=tuple(names), codes=np.arange(len(names), dtype=models.codes.dtype))
    return (
        {name: left(one) for name, one in columns.items()},
        {name: left(one) for name, one in errors.items()},
        left_models,
    )


def _check_filled(sheet: Sheet, columns: Mapping[str, Scores], faults: FileFaults) -> None:
    """Refuse a table without scores, and columns without any."""
    if not columns:
        faults.add("there is no column of scores")
    else:
        present = ~np.isnan(np.column_stack([scores.floats for scores in columns.values()]))
        for column in np.flatnonzero(~present.any(axis=0)).tolist():
            name = list(columns)[column]
            told = Fault(f"column {name!r} has no score; every task needs one", Cure("drop", [name]))
            row = sheet.turned.get(name)
            faults.add(told if row is None else f"{row} has no score; every task needs one, so take the row out")
    faults.raise_here()


def _options(declared: Settings, parts: Mapping[str, tuple[str, ...]], faults: FileFaults) -> dict[str, Any]:
    """Return the declarations as keywords of `Leaderboard`; those of a split column apply to its parts."""
    options = {keyword: declared.values[keyword] for keyword in DECLARED if keyword in declared.values}
    if not parts:
        return options
    options["weights"] = extended_weights(options.get("weights"), parts, faults, declared.place("weights"))
    for keyword in ("lower_is_better", "higher_is_better"):
        if keyword in options:
            options[keyword] = extended_names(options[keyword], parts)
    for keyword in (*TOLERANT, "bounds"):
        if keyword in options:
            options[keyword] = extended_numbers(options[keyword], parts)
    if isinstance(options.get("groups"), Mapping):
        options["groups"] = {name: extended_names(members, parts) for name, members in options["groups"].items()}
    return options


def _check_options(tasks: tuple[str, ...], declared: Settings, options: Mapping[str, Any], faults: FileFaults) -> None:
    """Note what is wrong with the declarations, those of the configuration with its name."""
    own = {keyword: value for keyword, value in options.items() if keyword not in declared.from_file}
    written = {keyword: value for keyword, value in options.items() if keyword in declared.from_file}
    for origin, part in (("", own), (declared.origin, written)):
        found = Faults()
        Declarations.checked(tasks, found, **part)
        for fault in found.listed:
            faults.add(at(origin, fault) if origin else fault)
