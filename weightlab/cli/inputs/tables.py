"""From the options of a command to a table and a space of weights."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

from weightlab._exact import fraction
from weightlab._text import first_few, without
from weightlab._validate import counted
from weightlab.cli.inputs.preflib import board_of_orders, is_preflib, notes_of_folders, read_preflib
from weightlab.cli.terminal.show import listed, note, shown
from weightlab.data import Group, Leaderboard, Margins, Profile, group
from weightlab.datasets import load_leaderboard
from weightlab.exceptions import FileFormatError, InputError, UnknownNameError
from weightlab.io import read_leaderboard, read_votes
from weightlab.io.evaluations.detect import holds_results
from weightlab.io.read.votes import holds_votes
from weightlab.io.tables.declarations import beside, called_like
from weightlab.io.tables.open_sheet import columns_of
from weightlab.lp import WeightSpace
from weightlab.report.text.words import number

__all__ = [
    "SHIPPED",
    "Source",
    "file_name",
    "is_long",
    "is_votes",
    "named",
    "read_ranked",
    "read_table",
    "refuse_votes",
    "rewound",
    "space_from",
]

SHIPPED = "classifiers"
"""The table that a command reads when it is given no file."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a table comes from and how it is narrowed down.

    Attributes
    ----------
    file : str or None
        A path, ``-`` for standard input, or None for the table that ships.
    config : str or None
        A TOML file; by default the one of the same stem beside the table.
    complete : bool
        Keep only the models with every score.
    """

    file: str | None
    config: str | None = None
    complete: bool = False

    def options(self) -> dict[str, Any]:
        """Return what a document says of it."""
        return {"file": file_name(self.file), "config": self.settings, "complete": self.complete}

    @property
    def settings(self) -> str | None:
        """The name of the TOML file that declares things about the table: the one named, or the one beside it."""
        if self.config is not None or self.file in (None, "-") or is_preflib(self.file):
            return self.config
        declared = beside(Path(str(self.file)))
        return declared.name if declared.is_file() else None


def file_name(file: str | None) -> str | None:
    """Return what a document calls a file, wherever it lay; None for the table that ships."""
    return None if file is None else "standard input" if file == "-" else Path(file).name


def read_table(source: Source, *, quiet: bool = False, gaps_are_ties: bool = True) -> Leaderboard:
    """Read a leaderboard; what was left out or, where gaps are ties, counted as a tie is said on standard error."""
    with notes_of_folders(quiet=quiet):
        board = _board(source, quiet=quiet)
    if board.error_cells is not None and not quiet and not (source.file != "-" and holds_results(source.file)):
        known = counted(int((~board.error_cells.missing).sum()), "score")
        note(f"{known} with a standard error; head-to-heads and rules do not read it.")
    if source.complete and board.missing_cells:
        whole = board.complete()
        if not quiet:
            left_out = without(board.models, whole.models)
            note(f"Left out: {listed(left_out)} (no score on some task).")
        return whole
    if board.missing_cells and gaps_are_ties and not quiet:
        cells = first_few(f"{shown(model)} on {shown(task)}" for model, task in board.missing_cells)
        note(f"Missing scores count as ties: {cells}.")
    return board


def read_ranked(source: Source, *, quiet: bool = False, gaps_are_ties: bool = False) -> Leaderboard | Profile | Margins:
    """Read what a rule or a graph is made of: a leaderboard, votes, or the orders or margins in a PrefLib file."""
    if source.file is not None and is_preflib(source.file):
        return read_preflib(source.file, source.config, complete=source.complete, quiet=quiet)
    if is_votes(source.file, source.config):
        return _votes(source, quiet=quiet)
    return read_table(source, quiet=quiet, gaps_are_ties=gaps_are_ties)


def _votes(source: Source, *, quiet: bool) -> Margins:
    """Read votes, and say on standard error how many there are."""
    file = str(source.file)
    if source.complete:
        raise InputError(f"{shown(file_name(file))}: --complete is about scores, and this file holds votes")
    margins = read_votes(rewound(file), config=source.config)
    if not quiet:
        whole = Fraction(int(margins.wins.sum()) + int(margins.ties.sum()) // 2, margins.denominator)
        votes = f"{int(whole):,} votes" if whole.denominator == 1 else f"Votes of weight {number(whole)}"
        note(f"{votes} between {len(margins.models)} models.")
    return margins


def _board(source: Source, *, quiet: bool) -> Leaderboard:
    if source.file is not None and is_preflib(source.file):
        return board_of_orders(source.file, source.config, quiet=quiet)
    if source.file is None:
        return load_leaderboard(SHIPPED)
    try:
        return read_leaderboard(rewound(source.file), config=source.config)
    except FileFormatError:
        refuse_votes(source.file, source.config)
        if not is_long(source.file, source.config):
            raise
        named = "standard input" if source.file == "-" else shown(source.file)
        raise InputError(
            f"{named}: this is a long table of a suite; audit, sweep and report read suites, and 'weightlab convert' "
            "makes a score table of all of it, or with --dataset of one dataset"
        ) from None


def space_from(
    board: Leaderboard,
    *,
    scored_only: bool,
    most: list[str] | None,
    least: list[str] | None,
    fixed: list[str] | None,
    no_less: list[str] | None,
) -> WeightSpace | None:
    """Return the space that ``NAME=VALUE`` options describe, or None when there is no condition."""
    space = WeightSpace(board)
    idle = [str(task) for task, weight in board.weights.items() if not weight]
    if scored_only and idle:
        space = space.fixed(idle, 0)
    for text in most or []:
        space = space.at_most(*_condition(text, "--max", board))
    for text in least or []:
        space = space.at_least(*_condition(text, "--min", board))
    for text in fixed or []:
        space = space.fixed(*_condition(text, "--fix", board))
    for text in no_less or []:
        name, other = _split(text, "--no-less", "TASK=OTHER")
        try:
            space = space.no_less(named(name, board), named(other, board))
        except InputError as error:
            raise InputError(f"--no-less {text!r}: {error}") from None
    return space if space.conditions else None


def _condition(text: str, option: str, board: Leaderboard) -> tuple[str | Group, Fraction]:
    name, written = _split(text, option, "TASK=SHARE")
    try:
        part, share = named(name, board), fraction(written)
    except InputError as error:
        raise InputError(f"{option} {text!r}: {error}") from None
    if not 0 <= share <= 1:
        raise InputError(f"{option} {text!r}: a share of the total weight lies between 0 and 1 (30% is 0.3)")
    return part, share


def _split(text: str, option: str, form: str) -> tuple[str, str]:
    name, separator, value = text.rpartition("=")
    if not separator or not name or not value:
        raise InputError(f"{option} {text!r}: write {form}; the last '=' separates")
    return name, value


def named(name: str, board: Leaderboard) -> str | Group:
    """Return the task of this name, or for ``@nli`` the group, unless a task is called that.

    Raises
    ------
    UnknownNameError
        If there is no such task, or group.
    """
    if name.startswith("@") and name not in board.tasks:
        if name[1:] not in board.groups:
            raise UnknownNameError("group", name[1:], tuple(board.groups))
        return group(name[1:])
    if name not in board.tasks:
        raise UnknownNameError("task", name, board.tasks)
    return name


# What a table is, told by its columns: a long table of a suite, or a score table.

MARKS = ("dataset", "metric", "model")
"""Columns of a long table, of which no score table has the second or the others together."""


def rewound(file: str) -> str | BinaryIO:
    """Return a file's name, or standard input from its beginning: it is read whole, for it may be read twice."""
    if file != "-":
        return file
    held = sys.stdin.buffer
    if not isinstance(held, io.BytesIO):
        held = io.BytesIO(held.read())
        held.name = "<stdin>"  # messages call it so
        sys.stdin = io.TextIOWrapper(held, encoding="utf-8")
    held.seek(0)
    return held


def is_long(file: str | None, config: str | None) -> bool:
    """Tell whether a file is a long table of a suite; folders, results of programs and PrefLib files are not."""
    if file is None or is_preflib(file) or (file != "-" and holds_results(file)):
        return False
    header, declared = columns_of(rewound(file), None, config)
    rewound(file)
    there = {mark for mark in MARKS if declared.get(mark, called_like(mark, header)) in header}
    return "metric" in there or there == {"dataset", "model"}


def is_votes(file: str | None, config: str | None) -> bool:
    """Tell whether a file is a table of votes; the same files are none as for a long table."""
    if file is None or is_preflib(file) or (file != "-" and holds_results(file)):
        return False
    found = holds_votes(rewound(file), config=config)
    rewound(file)
    return found


def refuse_votes(file: str | None, config: str | None) -> None:
    """Raise InputError if a file holds votes, which say nothing of single tasks."""
    if is_votes(file, config):
        named = "standard input" if file == "-" else shown(file)
        raise InputError(
            f"{named}: this file holds votes, and the question is about single tasks; "
            "graph, rank and compare read votes"
        )
