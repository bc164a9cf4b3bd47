"""From the options of a command to a suite, its models and its metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from weightlab._text import without
from weightlab.cli.inputs.conversion import Conversion, Kind
from weightlab.cli.inputs.names import several
from weightlab.cli.inputs.preflib import is_preflib, suite_of_orders
from weightlab.cli.inputs.tables import OF_SUITES, SHIPPED, chosen_of_orders, is_long, read_declared, refuse_votes
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.show import note
from weightlab.data import Suite
from weightlab.data.profile import TieBreak
from weightlab.datasets import load
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io import read_leaderboard, read_suite
from weightlab.io.evaluations.detect import holds_results
from weightlab.report.text.words import listed
from weightlab.studies.structure.dataset import ALL_TASKS


def read_long(source: Source, *, narrowed: bool = True, quiet: bool = False) -> Suite:
    """Read a suite; models that were left out for want of a score anywhere are said on standard error.

    A score table is a suite of one dataset, on which its tasks vote.
    """
    if source.file is None:
        suite = chosen_of_orders(load(SHIPPED), source, narrowed=narrowed, quiet=quiet)
    elif is_preflib(source.file):
        suite = chosen_of_orders(suite_of_orders(source.file, source.config, quiet=quiet), source, quiet=quiet)
    elif not holds_results(source.file) and not is_long(source):
        suite = _of_board(source, narrowed=narrowed, quiet=quiet)
    else:
        suite = read_declared(
            read_suite, source, takes=OF_SUITES, what="a long table of a suite", narrowed=narrowed, quiet=quiet
        )
    if not source.complete:
        return suite
    whole = suite.complete()
    left_out = without(suite.models, whole.models)
    if left_out:
        note(f"Left out: {listed(left_out)} (no score on some metric of some dataset).", quiet=quiet)
    return whole


def _of_board(source: Source, *, narrowed: bool, quiet: bool) -> Suite:
    """Return the suite whose one dataset is a score table."""
    try:
        board = read_declared(read_leaderboard, source, narrowed=narrowed, quiet=quiet)
    except FileFormatError:
        refuse_votes(source)
        raise
    note("This is a score table: its tasks rank the models.", quiet=quiet)
    suite = Conversion(dataset=ALL_TASKS).to(Kind.SUITE, board)
    assert isinstance(suite, Suite)  # noqa: S101 - for readers and type checkers: it is what was asked for
    return suite


def chosen_names(
    given: Sequence[str] | None, known: Sequence[str], kind: str, *, quiet: bool = False
) -> tuple[str, ...] | None:
    """Return the names meant by an option: each is a name, or several with commas between; None of none.

    Raises
    ------
    InputError
        Naming what is not known.
    """
    return several(given, known, kind, quiet=quiet) if given else None


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
