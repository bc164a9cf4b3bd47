"""From the options of a command to a table, or to a suite with its models and metrics."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from weightlab._files import write_whole
from weightlab._text import counted, first_few, listed, number, shown, without
from weightlab.cli.inputs.conversion import Conversion, Kind
from weightlab.cli.inputs.names import meant, named, names_in, several
from weightlab.cli.inputs.preflib import board_of_orders, is_preflib, read_preflib, suite_of_orders
from weightlab.cli.options.table import Source, file_name, parted
from weightlab.cli.terminal.cures import as_options
from weightlab.cli.terminal.show import NOTES, note
from weightlab.data import Instances, Leaderboard, Margins, Profile, Suite
from weightlab.data.frame.labels import called_like
from weightlab.data.profile import TieBreak
from weightlab.data.suite import ALL_TASKS
from weightlab.datasets import load, load_leaderboard
from weightlab.exceptions import DirectionWarning, FileFormatError, InputError
from weightlab.io import read_config, read_instances, read_leaderboard, read_suite, read_votes
from weightlab.io.evaluations.detect import holds_results
from weightlab.io.evaluations.mteb import tasks_in
from weightlab.io.formats.open_sheet import columns_of
from weightlab.io.read.leaderboards import read_board
from weightlab.io.read.votes import COLUMNS, called_otherwise
from weightlab.io.reading.reading import Reading
from weightlab.io.reading.settled import explicit
from weightlab.io.reading.told import reading_of
from weightlab.io.sources.urls import Fetched, fetched, is_url
from weightlab.io.writing.write import toml_text

SHIPPED = "classifiers"
"""The table, and the suite, that a command reads when it is given no file."""


Data = TypeVar("Data", bound=Leaderboard | Suite | Instances | Margins | Profile)
SPELT = ("separator", "decimal", "thousands", "table", "member", "size_limit", "format")
OF_INSTANCES = ("lower", "higher", "weight", "models", "tasks", "drop", "percent", *SPELT)
OF_SUITES = ("lower", "higher", "weight", "models", "tasks", "drop", "keep", "repeats_by", *SPELT)
OF_VOTES = ("models", *SPELT)


def read_declared(
    reader: Callable[..., Data],
    source: Source,
    *,
    takes: Collection[str] | None = None,
    what: str = "",
    narrowed: bool = True,
    **more: Any,
) -> Data:
    """Read a file as the options declare, keep the requested models and tasks, and report what is uncertain.

    Parameters
    ----------
    reader : function
        One of `weightlab.io`.
    source : Source
        The file and its options.
    takes : collection of str, optional
        The fields of ``source`` that say something of such data, which ``what`` names; all by default.
    narrowed : bool
        Whether models and tasks that are not asked for are left out.
    **more
        Other keywords of the reader.

    Raises
    ------
    InputError
        If an option does not apply to such data, or the file cannot be read with them.
    """
    if idle := [] if takes is None else source.said_but(takes):
        raise InputError(f"{' and '.join(idle)}: not applicable to {what}")
    config = _without_choice(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirectionWarning)
        try:
            data, reading = _read(reader, source, config, **more)
        except FileFormatError as error:
            source = _with_whole_names(error, reader, source, config, **more)
            data, reading = _read(reader, source, config, **more)
    NOTES.read(reading)
    kept: Data = chosen(data, source) if source.models or source.tasks else data
    told = _declared(source)
    made = [one for one in CHANGES if told.get(one) and not (one in CHOICES and getattr(source, one))]
    if made:
        changes = (CHANGES[one].format(first_few(map(shown, _names(told[one])), 9)) for one in made)
        note(f"As declared: {'; '.join(changes)}.")
    write_config(source, kept, reading)
    declared = getattr(kept, "declarations", None)
    if declared is not None and (doubt := declared.doubt("metric" if isinstance(kept, Suite) else "task")):
        note(doubt.told(as_options))
    return kept if narrowed else cast("Data", data)


def _read(
    reader: Callable[..., Any], source: Source, config: Any, *, accept: bool = False, **more: Any
) -> tuple[Any, Reading]:
    """Return a reader's result and how the file was read."""
    file, keywords = rewound(str(source.file), source.size_limit), source.keywords() | more
    if reader is read_leaderboard:
        form = keywords.pop("format", None)
        if tasks := _own_files(source):
            keywords["tasks"] = tasks
        return read_board(file, config, keywords, accept=accept or source.accept_reading, format=form)
    data = reader(file, config=config, **keywords)
    return data, reading_of(file_name(source.file) or "", data)


def _own_files(source: Source) -> list[str]:
    """Return the requested tasks if each task has its own files, so that no others need be read."""
    asked = [part for text in source.tasks or () for part in parted(text)]
    return asked if asked and {*asked} <= tasks_in(Path(str(source.file))) else []


CHANGES = {
    "transpose": "rows of the file are tasks",
    "drop": "left out {}",
    "keep": "only {} kept",
    "split": "split {}",
    "percent": "in percent: {}",
    "spread": "the value after a score: {}",
    "repeats_by": "means over repeats by {}",
    "models": "only models {}",
    "tasks": "only tasks {}",
}
"""What may be declared that leaves out, averages or turns around, and the words for it."""


def _names(declared: Any) -> list[str]:
    """Return the name in a declaration."""
    return [] if declared is True else [declared] if isinstance(declared, str) else list(map(str, declared))


def _declared(source: Source) -> dict[str, Any]:
    """Return all that is declared of a table, by the file that says it or at the prompt."""
    return ({} if source.settings is None else read_config(source.settings)) | source.keywords()


def _without_choice(source: Source) -> Any:
    """Return the configuration; of a choice of models or tasks in it nothing is left where another is made here."""
    if source.settings is None or not (source.models or source.tasks):
        return source.config
    told = read_config(source.settings)
    return {key: value for key, value in told.items() if key not in CHOICES or not getattr(source, key)}


def _with_whole_names(
    error: FileFormatError, reader: Callable[..., Any], source: Source, config: Any, **more: Any
) -> Source:
    """Return the declarations with completed names of tasks, after an error; re-raise it if they were complete.

    The tasks are those of the same file without the options about tasks.
    """
    plain = replace(source, lower=None, higher=None, weight=None, group=None)
    if plain == source:
        raise error
    tasks: tuple[str, ...] = ()
    ways: tuple[dict[str, Any], ...] = ({}, {"lower_is_better": []})
    for directions in ways:
        with warnings.catch_warnings(), suppress(InputError):
            warnings.simplefilter("ignore")
            found, _ = _read(reader, plain, config, accept=True, **directions, **more)
            tasks = found.metrics if isinstance(found, Suite) else found.tasks
            break

    def whole(flag: str, name: str) -> str:
        try:
            return meant(name, tasks, "task")
        except InputError as unclear:
            raise InputError(f"{flag}: {unclear}") from None

    made = source if not tasks else source.with_tasks(whole)
    if made.words == source.words:
        raise error
    return made


CHOICES = ("models", "tasks")


def chosen(data: Data, source: Source) -> Data:
    """Return the data of the requested models and tasks.

    Raises
    ------
    InputError
        If a name matches none or several, or the data have no tasks.
    """
    kept: dict[str, Any] = {}
    if source.models:
        kept["models"] = several(source.models, data.models, "model", holder="file")
    if source.tasks and isinstance(data, Leaderboard):
        kept["tasks"] = [named(part, data) for part in names_in(source.tasks, data.tasks)]
        kept["models"] = _with_scores(data, kept["tasks"], kept.get("models"))
    elif source.tasks and isinstance(data, Suite):
        kept["metrics"] = several(source.tasks, data.metrics, "metric")
    elif source.tasks and isinstance(data, Instances):
        kept["tasks"] = several(source.tasks, data.tasks, "task", holder="file")
    elif source.tasks:
        raise InputError("--tasks: this file holds duels or orders, which know of no tasks")
    return cast("Data", data.select(**kept))


def _with_scores(board: Leaderboard, parts: Iterable[Any], among: Sequence[str] | None) -> list[str]:
    """Return the models that have a score on some of the tasks that are chosen, and name the others."""
    tasks = [task for part in parts for task in ([part] if isinstance(part, str) else board.groups[part.name])]
    there = ~board.missing[tasks].all(axis=1)
    kept = [model for model in among or board.models if there[model]]
    if empty := without(among or board.models, kept):
        named = f"{first_few(map(shown, empty), 3)}{f', {len(empty):,} models' if len(empty) > 3 else ''}"
        note(f"Left out: {named} (no score on these tasks).")
    return kept


def write_config(source: Source, data: Any, reading: Reading | None = None) -> None:
    """Write the table options to a TOML file, if requested.

    A reading that was accepted is written as explicit lists, with its reasons.

    Raises
    ------
    InputError
        If the file exists already, or an option cannot be saved in such a file.
    """
    if source.write_config is None:
        return
    if Path(source.write_config).exists():
        raise InputError(f"--write-config {source.write_config!r} already exists; choose another name")
    if idle := list(source.said("format", "member", "size_limit")):
        raise InputError(
            f"--write-config: a TOML file does not say {' or '.join(idle)}; give FILE as it is read without"
        )
    told = _declared(source)
    reasons = ""
    if source.accept_reading and reading is not None:
        told |= explicit(reading)
        reasons = "".join(f"# {shown(line)}\n" for line in reading.reasons())
    if source.models:
        told["models"] = list(data.models)
    if source.tasks:
        told["tasks"] = list(data.metrics if isinstance(data, Suite) else data.tasks)
    write_whole((source.write_config, f"{reasons}{toml_text(told)}"))


def read_table(source: Source, *, gaps_are_ties: bool = True, with_errors: bool = False) -> Leaderboard:
    """Read a leaderboard; standard error lists what was excluded or, where gaps are ties, counted as a tie.

    Standard errors are listed there, too, unless they are requested.
    """
    board = _board(source)
    if board.error_cells is not None and not with_errors and not (source.file != "-" and holds_results(source.file)):
        known = counted(int((~board.error_cells.missing).sum()), "score")
        note(f"{known} with a standard error; only --level reads it.")
    if source.complete and board.missing_cells:
        whole = board.complete()
        left_out = without(board.models, whole.models)
        note(f"Left out: {listed(left_out)} (missing scores).")
        return whole
    if board.missing_cells and gaps_are_ties:
        note(pairwise_gaps(board))
    return board


def pairwise_gaps(board: Leaderboard) -> str:
    """Return a sentence on missing scores in head-to-heads."""
    cells = first_few(f"{shown(model)} on {shown(task)}" for model, task in board.missing_cells)
    of_all = f"{len(board.missing_cells):,} of {len(board.models) * len(board.tasks):,} scores"
    are = "is" if len(board.missing_cells) == 1 else "are"
    return f"Head-to-head, two models are compared on the tasks both have; {of_all} {are} missing: {cells}."


def read_ranked(source: Source, *, gaps_are_ties: bool = False) -> Leaderboard | Profile | Margins:
    """Read what a rule or a graph is made of: a leaderboard, votes, or the orders or margins in a PrefLib file."""
    if is_preflib(source.file):
        return chosen_of_orders(_orders(source), source)
    if is_votes(source):
        return _votes(source)
    return read_table(source, gaps_are_ties=gaps_are_ties)


def chosen_of_orders(data: Data, source: Source, *, narrowed: bool = True) -> Data:
    """Return orders, margins or the bundled table, where only models and tasks can be chosen by options."""
    if idle := [*source.said_but(("models", "tasks", "unlisted")), *source.said("write_config")]:
        what = "the bundled table" if source.file is None else "a PrefLib file"
        raise InputError(f"{' and '.join(idle)}: not applicable to {what}")
    return chosen(data, source) if narrowed and (source.models or source.tasks) else data


def _orders(source: Source) -> Profile | Margins:
    return read_preflib(str(source.file), source.config, complete=source.complete, unlisted=source.unlisted)


def _votes(source: Source) -> Margins:
    """Read votes, and say on standard error how many there are."""
    if source.complete:
        raise InputError(f"{shown(file_name(source.file))}: --complete is about scores, and this file holds votes")
    margins = read_declared(read_votes, source, takes=OF_VOTES, what="votes")
    whole = Fraction(int(margins.wins.sum()) + int(margins.ties.sum()) // 2, margins.denominator)
    votes = f"{int(whole):,} votes" if whole.denominator == 1 else f"Votes of weight {number(whole)}"
    note(f"{votes} between {len(margins.models):,} models.")
    return margins


def _board(source: Source) -> Leaderboard:
    if is_preflib(source.file):
        board = board_of_orders(str(source.file), source.config, source.unlisted)
        return chosen_of_orders(board, source)
    if source.file is None:
        return chosen_of_orders(load_leaderboard(SHIPPED), source)
    if source.unlisted:
        raise InputError("--unlisted is of rankings, which may leave models out; --complete is about missing scores")
    try:
        return read_declared(read_leaderboard, source)
    except FileFormatError:
        refuse_votes(source)
        raise


# What a table is, told by its columns: a long table of a suite, or a score table.

MARKS = ("dataset", "metric", "model")
"""Columns of a long table. No score table has the second one, or both others."""


@cache
def _fetched(url: str, limit: float | None) -> Fetched:
    """Return the content of an address, which a command requests once."""
    return fetched(url, limit)


def rewound(file: str, limit: float | None = None) -> str | BinaryIO:
    """Return a file's name, or what is at an address or on standard input from its beginning: it may be read twice."""
    if is_url(file) and not is_preflib(file):
        found = _fetched(file, limit)
        stream = io.BytesIO(found.data)
        stream.name = found.name
        return stream
    if file != "-":
        return file
    held = sys.stdin.buffer
    if not isinstance(held, io.BytesIO):
        held = io.BytesIO(held.read())
        held.name = "<stdin>"  # messages call it so
        sys.stdin = io.TextIOWrapper(held, encoding="utf-8")
    held.seek(0)
    return held


def _there(source: Source, columns: Iterable[str]) -> set[str]:
    """Return the columns that a file has, whatever the configuration calls them; none unless it is a table."""
    header, declared = _columns(source)
    return {one for one in columns if declared.get(one, called_like(one, header)) in header}


def _columns(source: Source) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Return the columns of a table, and what is declared; none of anything else."""
    file = source.file
    if file is None or is_preflib(file) or (file != "-" and holds_results(file)):
        return (), {}
    return columns_there(source)


def columns_there(source: Source) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Return the columns of a table, and what is declared."""
    file = rewound(str(source.file), source.size_limit)
    found = columns_of(file, source.format, source.config, source.separator, source.table, **source.opening)
    rewound(str(source.file), source.size_limit)
    return found


def is_long(source: Source) -> bool:
    """Return whether a file is a long table of a suite; folders, results of programs and PrefLib files are not."""
    there = _there(source, MARKS)
    return "metric" in there or there == {"dataset", "model"}


def is_votes(source: Source) -> bool:
    """Return whether a file is a table of votes; the same files are excluded as for a long table."""
    try:
        header, declared = _columns(source)
    except FileFormatError:
        return False  # of a page with several tables columns are not known; who reads it says what is wrong
    named = {one for one in COLUMNS if declared.get(one, called_like(one, header)) in header}
    return named == {*COLUMNS} or bool(called_otherwise(header))


def refuse_votes(source: Source) -> None:
    """Raise InputError if a file holds votes, which have no single tasks."""
    if is_votes(source):
        named = shown(file_name(source.file) if source.file == "-" or is_url(source.file) else source.file)
        raise InputError(
            f"{named}: this file holds votes, and the question is about single tasks; "
            "graph, rank, compare and robustness read votes"
        )


def read_long(source: Source, *, narrowed: bool = True) -> Suite:
    """Read a suite; standard error lists models excluded because they have no score.

    A score table is a suite of one dataset, on which its tasks vote.
    """
    if source.file is None:
        suite = chosen_of_orders(load(SHIPPED), source, narrowed=narrowed)
    elif is_preflib(source.file):
        suite = chosen_of_orders(suite_of_orders(source.file, source.config, source.unlisted), source)
    elif not holds_results(source.file) and not is_long(source):
        suite = _of_board(source, narrowed=narrowed)
    else:
        suite = read_declared(read_suite, source, takes=OF_SUITES, what="a long table of a suite", narrowed=narrowed)
    if not source.complete:
        return suite
    whole = suite.complete()
    left_out = without(suite.models, whole.models)
    if left_out:
        where = "task" if ALL_TASKS in suite.datasets else "metric of some dataset"
        note(f"Left out: {listed(left_out)} (no score on some {where}).")
    return whole


def _of_board(source: Source, *, narrowed: bool) -> Suite:
    """Return the suite whose one dataset is a score table."""
    try:
        board = read_declared(read_leaderboard, source, narrowed=narrowed)
    except FileFormatError:
        refuse_votes(source)
        raise
    note("This is a score table: its tasks rank the models.")
    suite = Conversion(dataset=ALL_TASKS).to(Kind.SUITE, board)
    assert isinstance(suite, Suite)  # noqa: S101 - for readers and type checkers: the conversion returns this kind
    return suite


def chosen_names(given: Sequence[str] | None, known: Sequence[str], kind: str) -> tuple[str, ...] | None:
    """Return the names meant by an option: each is a name, or several separated by commas; None without the option.

    Raises
    ------
    InputError
        Naming what is not known.
    """
    return several(given, known, kind) if given else None


def read_on_instances(source: Source, columns: tuple[str | None, str | None]) -> Instances:
    """Read scores on single instances; ``columns`` hold the names of models and of instances, else those called so."""
    model, instance = columns
    return read_declared(
        read_instances, source, takes=OF_INSTANCES, what="scores on single instances", model=model, instance=instance
    )


def breaking(how: str) -> TieBreak:
    """Return the tie-breaking that an option names; ``keep`` keeps them.

    Raises
    ------
    InputError
        If it names none.
    """
    if how not in {"alphabetical", "reverse", "keep"}:
        raise InputError(f"--break-ties must be alphabetical, reverse or keep; got {how!r}")
    return None if how == "keep" else cast("TieBreak", how)
