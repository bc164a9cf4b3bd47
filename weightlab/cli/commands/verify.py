"""``weightlab verify``: re-check a claim that somebody sent."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from weightlab._result import Proof, Result
from weightlab.checker import Declared, FalseClaimError, WrongInputError, check, declared_in, read_text
from weightlab.cli.inputs.study_source import InstanceSource
from weightlab.cli.inputs.suites import SuiteSource, read_long
from weightlab.cli.inputs.tables import Source, read_ranked, read_table
from weightlab.cli.options.shared import Config
from weightlab.cli.terminal.show import note, say, shown
from weightlab.data import Instances, Leaderboard, Margins, Profile, Suite
from weightlab.exceptions import InputError, ProofError
from weightlab.report import Document, read_document
from weightlab.studies import Independence

__all__ = ["EXAMPLES", "verify"]

EXAMPLES = """\b
Examples:
  weightlab verify proof.json superglue.csv
  weightlab verify report.html superglue.csv
"""
OF_SUITES = {"audit", "dataset_audit", "repair", "sweep", "metric_cycles"}
"""Kinds of results that speak about a suite."""
OF_ORDERS = {"graph", "rank", "compare"}
"""Commands that take the orders or margins of a PrefLib file as they are, not as a table."""
BELIEVED = {
    Proof.EXACT_WITNESS: "That nothing better exists is the word of a solver for",
    Proof.SAMPLED: "Estimated from random samples",
}
"""What is said of results that are not proved whole."""


def verify(
    result: Annotated[
        str,
        typer.Argument(
            metavar="RESULT",
            help="JSON document, such as 'weightlab win --output' writes, or page of 'weightlab report'; '-' for "
            "standard input.",
        ),
    ],
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="Score table that the claim is about.")] = None,
    complete: Annotated[
        bool | None,
        typer.Option("--complete/--all", help="Keep only complete models; by default as the document says."),
    ] = None,
    config: Config = None,
    independent: Annotated[
        bool,
        typer.Option(
            "--independent",
            help="Check by the program that shares nothing with weightlab (weightlab/checker.py); exit code 3 where it "
            "leaves something unchecked.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit code says it.")] = False,
) -> None:
    """Re-check a document in exact arithmetic, without a solver, and say what rests on one; exit code 1 if false."""
    if independent:
        _verify_independently(result, file, config, complete=complete, quiet=quiet)
        return
    document = read_document(sys.stdin.buffer if result == "-" else result)
    board = None if file is None else _source(document, file, config, complete=complete, quiet=quiet)
    try:
        document.verify(board)
    except ProofError as error:
        raise ProofError(f"false: {error}") from None
    if not quiet:
        for one in document.results:
            say(shown(one))
        what = "the score table is the one it speaks of" if board is not None else "no score table was compared"
        say(f"Checked in exact arithmetic without a solver; {what}.")
        for proof, words in BELIEVED.items():
            kinds = dict.fromkeys(one.kind for one in document.results if one.proof is proof)
            if kinds:
                say(f"{words}: {', '.join(kinds)}.")


def _verify_independently(
    result: str, file: str | None, config: str | None, *, complete: bool | None, quiet: bool
) -> None:
    """Hand the same files to the checker, and say what it says."""
    settings = Source(file=file, config=config).settings
    if settings is not None and config is None:
        settings = str(Path(str(file)).with_name(settings))
    try:
        declared = Declared() if settings is None else declared_in(read_text(settings))
        table = None if file is None else read_text(file)
        report = check(read_text(result), table, declared._replace(complete=complete))
    except FalseClaimError as error:
        raise ProofError(f"false: {error}") from None
    except WrongInputError as error:
        raise InputError(str(error)) from None
    for line in () if quiet else report.lines:
        say(shown(line))
    if report.code:
        raise typer.Exit(report.code)


def _source(
    document: Document, file: str, config: str | None, *, complete: bool | None, quiet: bool
) -> Leaderboard | Profile | Margins | Suite | Instances:
    """Read the table that a document speaks of, as what it was read when the document was made."""
    columns = document.options.get("columns")
    if isinstance(columns, Mapping):
        return InstanceSource(
            file=file, config=config, model=columns.get("model"), instance=columns.get("instance")
        ).read()
    told = document.options.get("table")
    if told == "suite" or (told is None and any(map(_is_of_suite, document.results))):
        return read_long(SuiteSource(file=file, config=config), quiet=quiet)
    kept = bool(document.options.get("complete")) if complete is None else complete
    source = Source(file=file, config=config, complete=kept)
    made_with = document.options.get("config")
    orders = document.command in OF_ORDERS
    board = read_ranked(source, quiet=quiet, gaps_are_ties=True) if orders else read_table(source, quiet=quiet)
    if made_with and source.settings is None and not quiet:
        note(f"The claim was made with {shown(made_with)} beside the table; --config names such a file.")
    return board


def _is_of_suite(result: Result) -> bool:
    return result.kind in OF_SUITES or (isinstance(result, Independence) and result.of_suite)
