"""From the options of a command to a suite, its models and its metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from weightlab._text import without
from weightlab._validate import Faults, named_subset
from weightlab.cli.inputs.conversion import Conversion, Kind
from weightlab.cli.inputs.preflib import is_preflib, notes_of_folders, suite_of_orders
from weightlab.cli.inputs.tables import file_name, is_long, refuse_votes, rewound
from weightlab.cli.terminal.show import listed, note
from weightlab.data import Suite
from weightlab.data.profile import TieBreak
from weightlab.datasets import load
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io import read_leaderboard, read_suite
from weightlab.io.evaluations.detect import holds_results

__all__ = ["SHIPPED", "SuiteSource", "breaking", "chosen_names", "read_long"]

ALL_TASKS = "All tasks"
"""The dataset that a score table is, as in reports."""
SHIPPED = "classifiers"
"""The suite that a command reads when it is given no file."""


@dataclass(frozen=True, kw_only=True)
class SuiteSource:
    """Where a suite comes from and how it is narrowed down.

    Attributes
    ----------
    file : str or None
        A path, ``-`` for standard input, or None for the suite that ships.
    config : str or None
        A TOML file; by default the one of the same stem beside the table.
    complete : bool
        Keep only the models with every score on every dataset.
    """

    file: str | None
    config: str | None = None
    complete: bool = False

    def options(self) -> dict[str, Any]:
        """Return what a document says of it."""
        return {"file": file_name(self.file), "config": self.config, "complete": self.complete}


def read_long(source: SuiteSource, *, quiet: bool = False) -> Suite:
    """Read a suite; models that were left out for want of a score anywhere are said on standard error.

    A score table is a suite of one dataset, on which its tasks vote.
    """
    if source.file is None:
        suite = load(SHIPPED)
    elif is_preflib(source.file):
        suite = suite_of_orders(source.file, source.config, quiet=quiet)
    elif not holds_results(source.file) and not is_long(source.file, source.config):
        suite = _of_board(source, quiet=quiet)
    else:
        with notes_of_folders(quiet=quiet):
            suite = read_suite(rewound(source.file), config=source.config)
    if not source.complete:
        return suite
    whole = suite.complete()
    left_out = without(suite.models, whole.models)
    if left_out and not quiet:
        note(f"Left out: {listed(left_out)} (no score on some metric of some dataset).")
    return whole


def _of_board(source: SuiteSource, *, quiet: bool) -> Suite:
    """Return the suite whose one dataset is a score table."""
    try:
        board = read_leaderboard(rewound(str(source.file)), config=source.config)
    except FileFormatError:
        refuse_votes(source.file, source.config)
        raise
    if not quiet:
        note("This is a score table: its tasks are metrics, which vote on one dataset.")
    suite = Conversion(dataset=ALL_TASKS).to(Kind.SUITE, board)
    assert isinstance(suite, Suite)  # noqa: S101 - for readers and type checkers: it is what was asked for
    return suite


def chosen_names(given: Sequence[str], known: Sequence[str], kind: str) -> tuple[str, ...] | None:
    """Return the names meant by an option: each is a name, or several with commas between; None of none.

    Raises
    ------
    InputError
        Naming what is not known.
    """
    if not given:
        return None
    names = [part for text in given for part in ([text] if text in known else text.split(","))]
    faults = Faults()
    found = named_subset([name for name in names if name], known, kind, faults, holder="suite")
    faults.raise_if_any()
    return found


def breaking(how: str) -> TieBreak:
    """Return the breaking of ties that an option names; ``keep`` keeps them.

    Raises
    ------
    InputError
        If it names none.
    """
    if how not in {"alphabetical", "reverse", "keep"}:
        raise InputError(f"--break-ties must be alphabetical, reverse or keep; got {how!r}")
    return None if how == "keep" else cast("TieBreak", how)
