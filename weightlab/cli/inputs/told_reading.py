"""How a table is read, column by column, as ``weightlab read`` tells it, and the command that says all of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from weightlab._text import counted, shown
from weightlab.cli.inputs import tables
from weightlab.cli.inputs.preflib import is_preflib
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.cures import quoted, words_of
from weightlab.cli.terminal.show import NOTES
from weightlab.io.evaluations.detect import holds_results
from weightlab.io.read.readings import propose_reading
from weightlab.io.reading.reading import Certainty, Reading, Role, in_patterns
from weightlab.io.reading.settled import explicit
from weightlab.io.reading.told import reading_of
from weightlab.io.sources.urls import bare, is_url, is_whole

SHOWN = 40
"""Columns shown unless --all is given."""
_OF_TASKS = ("lower_is_better", "higher_is_better")


def blocks_of(found: Reading, source: Source, *, totals: bool) -> list[Any]:
    """Return the blocks below the line of a reading."""
    wrong = tuple(_wrong(found)) if totals else ()
    return [*_columns(found), wrong, tuple(_commands(found, source))]


def reading_told(source: Source) -> Reading:
    """Return how a file is read."""
    file = str(source.file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if is_preflib(source.file) or tables.is_votes(source):
            data = tables.read_ranked(source)
            return NOTES.readings[-1] if NOTES.readings else reading_of(file, data)
        if holds_results(file):
            tables.read_table(source)
            found: Reading = NOTES.readings[-1]
            return found
        keywords = source.keywords()
        return propose_reading(tables.rewound(file, source.size_limit), config=source.config, **keywords)


def _columns(found: Reading) -> Iterator[Any]:
    """Yield a table of the columns, and the doubts."""
    from weightlab.views.view import Table

    rows = [(one.name, str(one.role), one.direction, str(one.certainty), one.why) for one in found.columns]
    yield Table(("column", "role", "better", "how sure", "why"), rows, (), "Columns", SHOWN)
    yield tuple(f"Doubtful: {doubt}" for doubt in found.doubts())


def _wrong(found: Reading) -> Iterator[str]:
    """Yield where totals do not add up, with both values."""
    held = [one for one in found.columns if one.total is not None]
    for one in held:
        assert one.total is not None  # noqa: S101 - for type checkers
        rows = [f"{shown(str(row))}: {there:.10g}, not {due:.10g}" for row, there, due in one.total.wrong]
        yield "; ".join([f"{shown(one.name)}: {one.total}", *rows])
    if not held:
        yield "No column is a total of others."


def _commands(found: Reading, source: Source) -> Iterator[str]:
    """Yield the command that says all of a reading, and others that may be meant."""
    file = str(source.file)
    typed = f"weightlab win {quoted([bare(file) if is_url(file) else file, *source.words])}"
    typed = typed if is_whole(file) else "weightlab win with this address as it was given, and"
    if not found.columns or found.held or not found.is_answerable:
        return
    if not found.tasks:
        yield "No column holds scores."
        return
    header = ["", *(one.name for one in found.columns)]
    lists = explicit(found) | {
        name: in_patterns(its, header) for name, its in explicit(found).items() if name in _OF_TASKS
    }
    said = _words({name: value for name, value in lists.items() if not _is_typed(source, name)})
    yield "All of it said:"
    yield f"  {typed}{said}"
    assumed = [one for one in found.of(Role.TASK) if one.certainty is Certainty.ASSUMED]
    if assumed:
        yield f"If lower is better on {counted(len(assumed), 'task')} without a declared direction:"
        yield f"  {typed}{said}{_words({'lower_is_better': ['*']})}"


def _is_typed(source: Source, keyword: str) -> bool:
    return keyword in source.keywords() and keyword not in {*_OF_TASKS, "drop"}


def _words(way: dict[str, Any]) -> str:
    words = words_of(way)
    return f" {quoted(words)}" if words else ""
