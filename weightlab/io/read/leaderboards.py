"""Reading leaderboards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from weightlab._cures import Cure, Fault, at
from weightlab._exact import Number, WeightsLike
from weightlab._result import Frozen
from weightlab._text import counted, first_few
from weightlab._validate import Faults
from weightlab.data import Leaderboard, TasksLike
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.declarations import Declarations
from weightlab.data.frame.labels import called_like
from weightlab.exceptions import FileFormatError, InputError, ResultsWarning, warn_caller
from weightlab.io.evaluations.detect import board_of, sniff
from weightlab.io.read.repeats import means_over_repeats
from weightlab.io.tables.columns import ColumnData, Scores, cure_of_repeats, note_repeated, read_columns
from weightlab.io.tables.declarations import ConfigLike, Settings
from weightlab.io.tables.delimited import SPELT
from weightlab.io.tables.exact_numbers import number, percentage
from weightlab.io.tables.multi_score_cells import Split, extended_names, extended_numbers, extended_weights
from weightlab.io.tables.open_sheet import open_sheet
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet, transposed
from weightlab.io.tables.spread import ErrorColumns, Spread, error_columns, names_of_errors, spreads

DECLARED = ("lower_is_better", "higher_is_better", "weights", "groups", "tolerance", "relative_tolerance")
COLUMNS = ("split", "percent", "drop", "keep", "transpose", "standard_errors", "spread", "repeats_by")
KEYWORDS = (*DECLARED, *COLUMNS, "models", "tasks", *SPELT)


class Layout(Frozen, eq=True):
    """What each column of the sheet is, by position; columns that are dropped are in none."""

    models: int
    tasks: tuple[int, ...]
    blank: tuple[int, ...]
    split: Mapping[int, Split]
    percent: frozenset[int]
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
    standard_errors: str | Mapping[str, str] | Literal[False] | None = None,
    spread: str | Mapping[str, str] | None = None,
    repeats_by: str | None = None,
    models: str | Iterable[str] | None = None,
    tasks: TasksLike | None = None,
    tolerance: Number | Mapping[str, Number] | None = None,
    relative_tolerance: Number | Mapping[str, Number] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    table: str | int | None = None,
    format: str | None = None,  # noqa: A002
) -> Leaderboard:
    r"""Read a leaderboard from a file: the first column names the models, every other column is a task.

    Parameters
    ----------
    path : path or open file
        CSV, TSV, JSON, JSON Lines or Parquet, told by the extension, or of a stream by how it begins. A file or folder
        of results is read as `read_results` does, with its notes as a warning; of the keywords it takes directions,
        weights, groups and tolerances, and in ``config`` the ``metrics`` to keep and what else `read_helm`,
        `read_mteb` or `read_open_llm` can be told by keyword.
    config : path, open file or mapping, optional
        A TOML file with any of the keywords below, or what `read_config` returned. By default the TOML file of the
        same stem beside the table is read, where there is one; ``{}`` prevents that. Keywords given here win.
    lower_is_better : str or iterable of str, optional
        Tasks on which the lower score leads. Never guessed from names: a DirectionWarning asks about one such as
        ``latency`` that is named neither here nor in ``higher_is_better``.
    higher_is_better : str or iterable of str, optional
        Tasks of which it is certain that the higher score leads, as it does on all others.
    weights : mapping, Series or sequence, optional
        Exact weights; unlisted tasks weigh 1.
    groups : mapping from str to tasks, optional
        Named groups of tasks.
    split : mapping from column to separator, optional
        Columns that hold several scores in a cell: with ``{"MRPC": "/"}``, 93.9/91.8 becomes the tasks ``MRPC_n1`` and
        ``MRPC_n2``. They share the column's weight equally, unless they are given weights of their own; directions,
        groups and tolerances that name the column extend to them. Of HELM and MTEB the name of the split that counts.
    percent : str or iterable of str, optional
        Columns written with a percent sign: 93.9% is the score 93.9. In these columns every score must have one.
    drop : str or iterable of str, optional
        Columns of the file that are not scores, by name or by pattern: ``*_rank`` is every column that ends so.
    keep : str or iterable of str, optional
        The only columns of the file that are scores, by name or by pattern, but for those dropped; all by default.
        Columns that hold names, repeats or standard errors of what is kept need not be listed.
    transpose : bool, optional
        Whether a row of the file is a task and a column a model. ``drop`` and ``keep`` speak of the columns of the file
        as it stands; the first one left holds the names of the tasks. All else speaks of the tasks.
    standard_errors : str, mapping from column to column, or False, optional
        Which columns hold the standard errors of which scores. By default those of a column ``acc`` stand in one
        called ``acc_stderr``, where there is one; a text is another ending, and False means that none do.
    spread : {"standard_error", "dropped"} or mapping from column to one of these, optional
        What stands behind the score in cells such as ``84.2 ± 0.3`` and ``93.3 (0.5)``; of all columns or of some.
    repeats_by : str, optional
        The column that tells apart the rows of one model, such as a seed or fold: its score is the exact mean over
        them, with the standard error of that mean (the root of s^2/n, to double precision). A warning says where
        models have different repeats.
    models, tasks : str or iterable of str, optional
        The only ones to keep of the table that was read, as `Leaderboard.select` does; all by default.
    tolerance, relative_tolerance : number or mapping from task to number, optional
        As for `Leaderboard`.
    separator : str, optional
        What divides the columns of a CSV or TSV file, where that is no comma or tab. A first line ``sep=;``, as Excel
        writes, says it too.
    decimal, thousands : str, optional
        What stands before the decimals of a number, and between its thousands: with ``","`` and ``"."`` the number
        1.234,5 is read. By default the decimal point, and nothing.
    encoding : str, optional
        The encoding of a file that is not UTF-8, such as ``"cp1252"``. UTF-16 is told by the mark that it begins with.
    table : str or int, optional
        Of a Markdown file with several tables, or a workbook, the one to read: its number from 1, the heading above
        it or the name of the sheet. By default the only one that holds numbers; of a workbook the first that does.
    format : {"csv", "tsv", "json", "jsonl", "parquet"}, optional
        Instead of what the extension says.

    Returns
    -------
    Leaderboard
        Its scores are the decimals in the file, exactly. Empty cells, ``-``, ``NA``, ``N/A`` and ``nan``, in capitals
        or not, are missing.

    Raises
    ------
    FileFormatError
        Listing everything that is wrong with the file, with line, column and value.
    InputError
        If the format is not known, or pyarrow is needed and not installed.

    Notes
    -----
    Time and memory are linear in the size of the file. Names are taken as they stand, blanks included; numbers may
    have blanks around them. Blank lines are left out, and so are columns with neither a name nor a score.

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
    if held := sniff(path):
        return board_of(held, config, {**given, "format": format})
    sheet, declared, faults = open_sheet(path, format, config, given, allowed=KEYWORDS, reader="read_leaderboard")
    return _leaderboard(sheet, declared, faults)


def _leaderboard(sheet: Sheet, declared: Settings, faults: FileFaults) -> Leaderboard:
    if declared.values.get("transpose"):
        sheet = _transposed(sheet, declared, faults)
        declared = replace(
            declared, values={name: one for name, one in declared.values.items() if name not in {"drop", "keep"}}
        )
    layout = _layout(sheet, declared, faults)
    found = _column_data(sheet, layout, faults)
    repeated = {} if layout.repeats is None else {sheet.header[layout.repeats]: layout.repeats}
    given = sheet.header[layout.models]
    elsewhere = [] if called_like("model", [given]) == given else [Cure("drop", [given], "if it does not name models")]
    cure = () if repeated else (*cure_of_repeats(sheet.header), *elsewhere)
    note_repeated(found, {"model": layout.models, **repeated}, sheet, faults, cure)
    warn_of_doubts(given, found.names[layout.models].distinct, [sheet.header[one] for one in layout.tasks], declared)
    columns, parts, errors = _columns(sheet, layout, found, faults)
    if not all(parts.values()):
        faults.raise_here()  # without its parts nothing can be said of a split column
    options = _options(declared, parts, faults)
    _check_options(tuple(columns), declared, options, faults)
    faults.raise_here()
    _check_filled(sheet, found, columns, faults, repeated=layout.repeats is not None)
    models = found.names[layout.models]
    cells, beside = _cells(columns), _cells(errors) if errors else None
    if layout.repeats is not None:
        cells, beside = means_over_repeats(columns, models, found.names[layout.repeats])
    try:
        board = Leaderboard.from_cells(models.distinct, tuple(columns), cells, standard_errors=beside, **options)
        board = board.select(models=declared.values.get("models"), tasks=declared.values.get("tasks"))
    except InputError as error:
        raise FileFormatError(faults.name, error.faults) from None
    board.declarations.warn()
    return board


def _transposed(sheet: Sheet, declared: Settings, faults: FileFaults) -> Sheet:
    """Return the columns that are left as rows below the names in the first of them."""
    if "repeats_by" in declared.values:
        faults.add(f"{declared.place('repeats_by')} is of rows that are models, and transpose says they are tasks")
    dropped, models = _dropped(sheet, declared, faults)
    faults.raise_here()
    return transposed(
        sheet, faults, [models, *(place for place in range(len(sheet.header)) if place not in dropped | {models})]
    )


def _dropped(sheet: Sheet, declared: Settings, faults: FileFaults) -> tuple[set[int], int]:
    """Return the columns that are dropped or not kept, and the one that holds the names of the rows."""
    header = sheet.header
    drop = set(declared.columns("drop", header, faults))
    repeats = declared.values.get("repeats_by")
    left = [place for place, name in enumerate(header) if name not in drop and name != repeats]
    if not left:
        faults.add(f"{declared.place('drop')}: no column is left; one must name the models")
        faults.raise_here()
    called = next((one for one in (called_like(name, header) for name in ("model", "name")) if one in header), "")
    models = header.index(called) if sheet.keyed and called and called not in drop else left[0]
    dropped = {place for place, name in enumerate(header) if name in drop}
    if "keep" not in declared.values:
        return dropped, models
    keep = {header[models], str(repeats), *declared.columns("keep", header, faults)}
    keep |= names_of_errors(keep, declared)
    return dropped | {place for place, name in enumerate(header) if name not in keep}, models


def _layout(sheet: Sheet, declared: Settings, faults: FileFaults) -> Layout:
    header = sheet.header
    repeats = declared.position("repeats_by", header, faults) if "repeats_by" in declared.values else None
    dropped, models = _dropped(sheet, declared, faults)
    rest = [place for place in range(len(header)) if place not in {models, repeats, *dropped}]
    named = tuple(position for position in rest if header[position].strip())
    _check_header(sheet, models, named, faults)
    names = [header[position] for position in named]
    percent = declared.names("percent", names, "column", faults)
    separators = declared.separators(names, faults)
    errors = error_columns(header, named, {header[place] for place in dropped}, declared, faults)
    tasks = tuple(position for position in named if position not in errors.all)
    if not tasks and not faults and {"drop", "keep"} & declared.values.keys():
        faults.remark("all are left out, as is declared")
    percents = frozenset(position for position in named if header[position] in percent)
    reads = {position: sheet.spelt(percentage if position in percents else number) for position in tasks}
    spread = spreads(header, tasks, declared, reads, faults)
    given = [header[position] for position in errors.of]
    _check_errors(given, spread, separators, None if repeats is None else header[repeats], faults)
    faults.raise_here()
    return Layout(
        models=models,
        tasks=tasks,
        blank=tuple(position for position in rest if not header[position].strip()),
        split={
            position: Split(column=header[position], separator=separators[header[position]], read=reads[position])
            for position in tasks
            if header[position] in separators
        },
        percent=percents,
        spread=spread,
        errors=errors,
        repeats=repeats,
    )


def _check_errors(
    given: Sequence[str],
    spread: Mapping[int, Spread],
    separators: Mapping[str, str],
    repeats: str | None,
    faults: FileFaults,
) -> None:
    """Note columns whose standard errors are said twice, or of which it is not clear what they are of."""
    inside = [one.column for one in spread.values() if one.is_error]
    for name in [name for name in (*given, *inside) if name in separators]:
        faults.add(f"column {name!r} is split, so its standard errors cannot be told; drop them")
    for name in [name for name in inside if name in given]:
        faults.add(f"column {name!r} has standard errors in its cells and in a column of their own; drop one of them")
    if repeats is not None:
        for name in (*given, *inside):
            faults.add(
                f"column {name!r} has standard errors, and those of means over {repeats!r} are worked out; "
                "drop one of them"
            )


def _check_header(sheet: Sheet, models: int, tasks: tuple[int, ...], faults: FileFaults) -> None:
    header = sheet.header
    first: dict[str, int] = {}
    for position in tasks:
        name = header[position]
        if name in first:
            faults.add(f"columns {first[name] + 1} and {position + 1} are both called {name!r}")
        first.setdefault(name, position)
    if len(first) < len(tasks):
        faults.remark("if a second header row tells columns of one name apart, make one row of both")
    name, called = header[models], called_like("model", [*first])
    if called in first and not sheet.labelled and name.strip().casefold() != "model":
        what = f"the first column, {name!r}, was" if name.strip() else "the first column, which has no name, was"
        told = f"{what} read as the names of the models, and another is called {called!r}"
        remark = Fault(told, Cure("drop", [name], f"to read models from {called!r}"))
        (faults.remark if name.strip() or called != "model" else faults.add)(remark)


def _column_data(sheet: Sheet, layout: Layout, faults: FileFaults) -> ColumnData:
    return read_columns(
        sheet,
        faults,
        names=[layout.models, *([] if layout.repeats is None else [layout.repeats])],
        scores={
            position: percentage if position in layout.percent else number
            for position in (*layout.tasks, *layout.errors.of.values())
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


def _check_filled(
    sheet: Sheet, found: ColumnData, columns: Mapping[str, Scores], faults: FileFaults, *, repeated: bool
) -> None:
    """Refuse a table without scores, and columns and rows without any; of repeats a row may be empty."""
    if not columns:
        faults.add("there is no column of scores")
    else:
        present = ~np.isnan(np.column_stack([scores.floats for scores in columns.values()]))
        for row in [] if repeated else np.flatnonzero(~present.any(axis=1)).tolist():
            faults.add(f"{sheet.place(int(found.rows[row]))} has no score; every model needs one")
        for column in np.flatnonzero(~present.any(axis=0)).tolist():
            name = list(columns)[column]
            told = Fault(f"column {name!r} has no score; every task needs one", Cure("drop", [name]))
            row = sheet.turned.get(name)
            faults.add(told if row is None else f"{row} has no score; every task needs one, so take the row out")
    faults.raise_here()


def _options(declared: Settings, parts: Mapping[str, tuple[str, ...]], faults: FileFaults) -> dict[str, Any]:
    """Return what is declared as keywords of `Leaderboard`, said of the parts where it is said of a split column."""
    options = {keyword: declared.values[keyword] for keyword in DECLARED if keyword in declared.values}
    if not parts:
        return options
    options["weights"] = extended_weights(options.get("weights"), parts, faults, declared.place("weights"))
    for keyword in ("lower_is_better", "higher_is_better"):
        if keyword in options:
            options[keyword] = extended_names(options[keyword], parts)
    for keyword in ("tolerance", "relative_tolerance"):
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


# What a table's names suggest that was not declared: rows that are datasets, columns that are no scores.


_MADE_OF_OTHERS = re.compile(
    r"(?:#|no\.|rank(?:ing)?|mean|average|avg\.?)(?:[ _-]?(?:score|rank|all|overall|\(.*\)))?[^\w()]*", re.IGNORECASE
)
"""Names such as ``#``, ``Rank (Borda)``, ``Avg.``, ``Mean (Task)``, but not ``mean absolute error``."""
_ERRORS = re.compile(r"(?<![^ _-])(?:standard[ _-]?error|std[ _-]?err(?:or)?)s?(?![^ _-])", re.IGNORECASE)
"""What stands as a word of its own in ``standard_error`` and ``lc_std_err``."""
_OF_DATASETS = {"dataset", "datasets", "data set", "task", "tasks", "benchmark", "problem"}
_DATASETS = frozenset(
    re.findall(
        r"\w+",
        """adult airlines albert amazonemployeeaccess apsfailure australian bankmarketing bloodtransfusion car christine
    cnae9 connect4 covertype creditg dilbert dionis fabert fashionmnist guillermo guiellermo helena higgs jannis jasmine
    junglechess kc1 kddcup09appetency krvskp mfeatfactors miniboone nomao numerai286 phoneme riccardo robert segment
    shuttle sylvine vehicle volkert iris wine mnist cifar10 cifar100 imagenet svhn squad boolq cola mrpc rte wnli qnli
    mnli sst2 stsb qqp copa cb wic multirc hellaswag winogrande arceasy arcchallenge mmlu gsm8k truthfulqa piqa
    humaneval mbpp ifeval bbh gpqa musr triviaqa naturalquestions auslan arabicdigits cmusubject16 ecg ecg200 ecg5000
    japanesevowels libras netflow pems pendigits uwave wafer gunpoint coffee adiac etth ettm etth1 ettm1 electricity
    traffic weather dominick""",
    )
)
"""Known datasets by their names in small letters, without signs."""


def warn_of_doubts(first: str, models: Sequence[str], tasks: Sequence[str], declared: Settings) -> None:
    """Warn, of what was not declared, where rows look like datasets, and of columns that look like no scores.

    Parameters
    ----------
    first : str
        What the column of the models is called.
    models, tasks : sequences of str
        Rows and columns as they are read.
    declared : Settings
        Where ``transpose`` is declared, true or false, rows are what it says; a column that ``keep`` names, or a
        weight or direction, counts knowingly.
    """
    known = [model for model in models if re.sub(r"[\W_]", "", model).casefold() in _DATASETS]
    long = any(task.strip().casefold() in {"metric", "model"} for task in tasks)
    named = first.strip().casefold() in _OF_DATASETS and not long
    told: list[str] = []
    if "transpose" not in declared.values and (named or len(known) * (not long) > max(1, len(models) // 5)):
        some = first_few(map(repr, known if len(known) > 1 else models), 3)
        told.append(
            Fault(
                f"Rows are models here, and theirs look like names of datasets ({some}).",
                Cure("transpose", value=True, effect="to turn the table around"),
                Cure("transpose", value=False, effect="if they are models"),
            )
        )
    knowingly = ("keep", "lower_is_better", "higher_is_better", "weights")
    aware = {name for keyword in knowingly for name in declared.listed(keyword)}
    left = [task for task in tasks if task not in aware]
    doubts = [("Made of other columns", _MADE_OF_OTHERS.fullmatch)]
    doubts += [] if declared.values.get("standard_errors") is False else [("Standard errors", _ERRORS.search)]
    for what, found in doubts:
        if made := [task for task in left if found(task.strip())]:
            idle = Cure("weights", dict.fromkeys(made, 0), "to take the vote away")
            cures = [
                Cure("drop", made, "to leave it out" if len(made) == 1 else "to leave them out"),
                Cure("weights", dict.fromkeys(made, 1), "to confirm it" if len(made) == 1 else "to confirm them"),
            ]
            places = [place for place in range(1, len(tasks)) if tasks[place] in made and tasks[place - 1] not in made]
            if beside := {tasks[place - 1]: tasks[place] for place in places}:
                cures += [Cure("standard_errors", beside)] if what == "Standard errors" else []
            counts = f"count as {counted(len(made), 'task')}" if len(made) > 1 else "counts as a task"
            text = f"{what}, to judge by the name, {first_few(map(repr, made), 9)} {counts}."
            told.append(Fault(text, *([idle] if declared.values.get("transpose") else cures)))
    if told:
        warn_caller(ResultsWarning(told))
