"""Table options: those of every command that reads a table, in a panel of their own."""

from __future__ import annotations

import csv
import os
import shlex
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from weightlab.cli.options.shared import TABLE, Many, opt
from weightlab.exceptions import InputError, WeightlabError

if TYPE_CHECKING:
    from fractions import Fraction

    from weightlab.data import Leaderboard, Margins, Suite

COMPLETED = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""Where shells put the words that are to be completed."""


def _names_of(what: str, context: typer.Context, incomplete: str) -> list[str]:
    """Return the models or tasks that begin so, of the table that the line says how to read.

    The option that is being completed has no value, and behind it nothing would be read.
    """
    from weightlab.datasets import load_leaderboard
    from weightlab.io import read_leaderboard, read_suite, read_votes
    from weightlab.io.sources.urls import is_url

    typed = next((os.environ[name] for name in COMPLETED if name in os.environ), "")
    with suppress(WeightlabError, OSError, ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        words = shlex.split(typed)[2:]
        words = words[:-1] if incomplete and words else words
        words = words[:-1] if words and words[-1].startswith("-") else words
        parsed = context.command.make_context(None, words, resilient_parsing=True).params
        known = {one.name for one in fields(Source)} - {"models", "tasks", "write_config"}
        source = Source(**{name: value for name, value in parsed.items() if name in known})
        if source.file is None:
            return _beginning(load_leaderboard("classifiers"), what, incomplete)
        if is_url(source.file):
            return []  # nothing is fetched by a key
        accepting = partial(read_leaderboard, accept_reading=True)
        for reader in (read_suite, accepting, read_votes):
            with suppress(WeightlabError):
                data = reader(source.file, config=source.config, **source.keywords())
                return _beginning(data, what, incomplete)
    return []


def _beginning(data: Leaderboard | Suite | Margins, what: str, incomplete: str) -> list[str]:
    """Return the models or tasks that begin so; for a suite these are metrics, and votes have none."""
    names: Any = getattr(data, what, None) or getattr(data, "metrics", ())
    return [name for name in names if name.startswith(incomplete)]


def models(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the models of the table on the line that a word may become."""
    return _names_of("models", ctx, incomplete)


def tasks(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the tasks of the table on the line that a word may become."""
    return _names_of("tasks", ctx, incomplete)


_table = partial(opt, panel=TABLE)
_task = partial(_table, autocompletion=tasks)
model_option = partial(opt, "--model -m NAME", autocompletion=models)
T = str | None
FILES = (
    "Score table, long table of a suite, folder of tables or results, '-' for standard input; by default what ships."
)
FORMATS = "csv, tsv, json, jsonl, parquet, xlsx, markdown, html, zip"


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a table comes from, how it is read and how it is narrowed down; each field is an argument or option.

    Without ``file`` it is the table that ships. What is said here beats the TOML file, name by name: what that file
    says of other tasks and columns holds.
    """

    file: Annotated[T, typer.Argument(metavar="FILE", help=FILES)] = None
    complete: Annotated[bool, _table("--complete", "Drop models with missing scores.")] = False
    models: Annotated[
        Many, _table("--models NAMES", "Use only these models, comma-separated. Repeatable.", autocompletion=models)
    ] = None
    tasks: Annotated[
        Many, _task("--tasks NAMES", "Use only these tasks (metrics of a suite) or @GROUP. Repeatable.")
    ] = None
    lower: Annotated[
        Many, _task("--lower TASK", "Lower is better on this task, by name or as in '*_ms'. Repeatable.")
    ] = None
    higher: Annotated[Many, _task("--higher TASK", "Higher is better on this task. Repeatable.")] = None
    weight: Annotated[Many, _task("--weight TASK=W", "Its weight, 1 by default. Repeatable.")] = None
    group: Annotated[Many, _table("--group NAME=TASK,TASK", "A group of tasks, named @NAME elsewhere. Repeatable.")] = (
        None
    )
    drop: Annotated[Many, _table("--drop COLUMN", "Leave out this column, by name or as in '*_rank'. Repeatable.")] = (
        None
    )
    keep: Annotated[Many, _table("--keep COLUMN", "Read only these columns as scores. Repeatable.")] = None
    percent: Annotated[Many, _table("--percent COLUMN", "Column whose scores carry a percent sign. Repeatable.")] = None
    transpose: Annotated[bool, _table("--transpose", "Rows of FILE are tasks, and columns are models.")] = False
    name_column: Annotated[
        Many, _table("--name-column COLUMN", "Column that names the models. Repeatable, to join.")
    ] = None
    dataset_column: Annotated[
        Many, _table("--dataset-column COLUMN", "Dataset column of a FILE with one row per score. Repeatable.")
    ] = None
    missing_value: Annotated[
        Many, _table("--missing-value TEXT", "What else stands for a missing score, or COLUMN=TEXT. Repeatable.")
    ] = None
    weights_from: Annotated[
        T, _table("--weights-from COLUMN", "Weigh tasks as this column of totals does, or by repeats.")
    ] = None
    accept_reading: Annotated[
        bool, _table("--accept-reading", "Read FILE as proposed, also where that is only likely.")
    ] = False
    repeats_by: Annotated[
        T, _table("--repeats-by COLUMN", "Column that identifies repeated runs (averaged), such as a seed.")
    ] = None
    split: Annotated[
        Many, _table("--split COLUMN=SIGN", "Separator of scores in cells as 93.9/91.8; for results, a split.")
    ] = None
    spread: Annotated[
        T, _table("--spread MEANING", "Cells such as 84.2 ± 0.3 hold a standard_error, or one to be dropped.")
    ] = None
    separator: Annotated[T, _table("--separator SIGN", "Column separator.")] = None
    decimal: Annotated[T, _table("--decimal SIGN", "Decimal mark.")] = None
    thousands: Annotated[T, _table("--thousands SIGN", "Thousands separator, as in 1,234.5.")] = None
    table: Annotated[T, _table("--table TABLE", "Of several tables or sheets this one, by number or heading.")] = None
    member: Annotated[T, _table("--member NAME", "Of a zip archive this file; of a folder the tables called so.")] = (
        None
    )
    size_limit: Annotated[
        float | None,
        _table("--size-limit MIB", "MiB that FILE may have unpacked (512 by default) or fetched (64).", min=0),
    ] = None
    unlisted: Annotated[
        T, _table("--unlisted HOW", "Models that a ranking leaves out: last (the default) or unknown.")
    ] = None
    format: Annotated[T, _table("--format FORMAT", f"Whatever FILE is called: {FORMATS}.")] = None
    config: Annotated[
        T, _table("--config TOML", "Read table options from this file; default: the one next to FILE.")
    ] = None
    write_config: Annotated[T, _table("--write-config TOML", "Save the table options to a TOML file.")] = None

    @property
    def settings(self) -> str | None:
        """The TOML file that declares things about the table: the one named, or the one next to it."""
        from weightlab.cli.inputs.preflib import is_preflib
        from weightlab.io.sources.urls import is_url
        from weightlab.io.tables.declarations import beside

        if self.config is not None or self.file in (None, "-") or is_preflib(self.file) or is_url(self.file):
            return self.config
        declared = beside(Path(str(self.file)))
        return str(declared) if declared.is_file() else None

    @property
    def opening(self) -> dict[str, Any]:
        """Options for unpacking the file."""
        from weightlab.io.formats.open_sheet import OPENING

        return {one: getattr(self, one) for one in OPENING}

    def options(self) -> dict[str, Any]:
        """Return its text in a document."""
        told = {"file": file_name(self.file), "config": file_name(self.settings), "complete": bool(self.complete)}
        return {**told, "flags": self.words} if self.words else told

    @property
    def words(self) -> list[str]:
        """The options that say something of the table, as they are typed; not those of documents' own."""
        words = ["--accept-reading"] if self.accept_reading else []
        for flag, value in self.said(*_OF_NAMES, *_OF_FILES).items():
            words += [flag] if value is True else [f"{flag}={one}" for one in _listed(value)]
        return words

    def said(self, *names: str) -> dict[str, Any]:
        """Return those of some fields that say something, by the flag."""
        given = {f"--{name.replace('_', '-')}": getattr(self, name) for name in names}
        return {flag: value for flag, value in given.items() if value}

    def said_but(self, names: Collection[str]) -> list[str]:
        """Return the flags of all fields that say something about the table, except some."""
        return list(self.said(*(name for name in (*_OF_NAMES, *_OF_FILES) if name not in names)))

    @property
    def weights(self) -> dict[str, Fraction]:
        """The weights by task."""
        from weightlab._exact import fraction

        try:
            return {name: fraction(text) for name, text in _by_name(self.weight, "--weight", "TASK=W").items()}
        except InputError as error:
            raise InputError(str(error) if "--weight" in str(error) else f"--weight: {error}") from None

    @property
    def groups(self) -> dict[str, list[str]]:
        """The tasks by group."""
        given = _by_name(self.group, "--group", "NAME=TASK,TASK")
        return {name.removeprefix("@"): parted(text) for name, text in given.items()}

    def with_tasks(self, meant: Callable[[str, str], str]) -> Self:
        """Return the same with other names for the tasks: ``meant`` makes one of a flag and the name that is given."""
        return replace(
            self,
            lower=[meant("--lower", name) for name in self.lower or []],
            higher=[meant("--higher", name) for name in self.higher or []],
            weight=[f"{meant('--weight', name)}={weight}" for name, weight in self.weights.items()],
            group=[f"{name}={_joined(meant('--group', one) for one in its)}" for name, its in self.groups.items()],
        )

    def keywords(self) -> dict[str, Any]:
        """Return these declarations as keywords of a reader, merged with those of the TOML file."""
        from weightlab.io import read_config

        written = {} if self.settings is None else read_config(self.settings)
        made: dict[str, Any] = {}
        for keyword, own, other in (
            ("lower_is_better", self.lower, self.higher),
            ("higher_is_better", self.higher, self.lower),
            ("drop", self.drop, self.keep),
            ("percent", self.percent, None),
        ):
            told = [name for name in _listed(written.get(keyword)) if name not in (other or ())]
            if own or len(told) < len(_listed(written.get(keyword))):
                made[keyword] = [*dict.fromkeys([*told, *(own or ())])]
        for keyword, pairs in (("weights", self.weights), ("groups", self.groups)):
            if pairs:
                made[keyword] = {**written.get(keyword, {}), **pairs}
        if self.split:
            signs = [split_at_equals(one, "--split", "COLUMN=SIGN") for one in self.split if "=" in one]
            made["split"] = dict(signs) if signs else self.split[-1]
        return made | {name: getattr(self, name) for name in _OF_FILES if getattr(self, name)}


_OF_NAMES = ("models", "tasks", "lower", "higher", "weight", "group", "drop", "percent", "unlisted")
_OF_FILES = (
    *("keep", "transpose", "name_column", "dataset_column", "missing_value", "weights_from", "repeats_by"),
    *("spread", "separator", "decimal", "thousands", "table", "member", "size_limit", "format"),
)


def _by_name(given: Sequence[str] | None, flag: str, form: str) -> dict[str, str]:
    """Return the values of a repeatable option by name; no name appears twice."""
    found: dict[str, str] = {}
    for name, text in (split_at_equals(one, flag, form) for one in given or []):
        if name in found:
            raise InputError(f"{flag} names {name!r} twice: {found[name]} and {text}")
        found[name] = text
    return found


def _listed(value: Any) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def file_name(file: str | None) -> str | None:
    """Return the name of a file in a document, without its folder; None for the bundled table."""
    if file is None or file == "-":
        return None if file is None else "standard input"
    from weightlab.io.sources.urls import bare, is_url

    return Path(bare(file) if is_url(file) else file).name


def split_at_equals(text: str, option: str, form: str) -> tuple[str, str]:
    """Return name and value of ``NAME=VALUE``, or raise InputError that states the expected form."""
    name, separator, value = text.rpartition("=")
    if not separator or not name or not value:
        raise InputError(f"{option} {text!r}: write {form}; the last '=' separates")
    return name, value


def parted(text: str) -> list[str]:
    """Return the names in a text, separated by commas; a name with a comma is put in double quotes."""
    return [name for name in next(csv.reader([text]), []) if name]


def _joined(names: Iterable[str]) -> str:
    return ",".join('"' + name.replace('"', '""') + '"' if set(name) & set(',"') else name for name in names)
