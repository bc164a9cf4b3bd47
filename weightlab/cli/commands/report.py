"""``weightlab report``: one page that answers, with its proofs, to be sent."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from weightlab._files import write_whole
from weightlab._validate import counted
from weightlab.cli.inputs.suites import SuiteSource, read_long
from weightlab.cli.inputs.tables import Source, is_long, read_table
from weightlab.cli.options.rules import rule_from
from weightlab.cli.options.shared import Complete, Config, Quiet
from weightlab.cli.terminal.documents import ensure_apart
from weightlab.cli.terminal.show import note
from weightlab.data import Leaderboard, Suite
from weightlab.exceptions import InputError, UnprovedError
from weightlab.report import SECTIONS, CommandLine, Report
from weightlab.report import report as reported

__all__ = ["EXAMPLES", "report"]

EXAMPLES = """\b
Examples:
  weightlab report superglue.csv -o report.html
  weightlab report superglue.csv -o report.html --model T5 --model "ERNIE 3.0"
  weightlab report helm_long.csv -o helm.html --title "HELM, audited"
  weightlab report superglue.csv --format md > report.md
  weightlab verify report.html superglue.csv
"""


class Format(StrEnum):
    """What a report is written as."""

    HTML = "html"
    MD = "md"
    JSON = "json"


SUFFIXES = {".html": Format.HTML, ".htm": Format.HTML, ".md": Format.MD, ".markdown": Format.MD, ".json": Format.JSON}
"""What a file's name says."""
SAMPLES = 10_000
"""So many weightings are drawn for shares."""


def report(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Score table, long table or folder of results, '-' for standard input; by default the table that "
            "ships.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file, whose name says the format."),
    ] = None,
    as_format: Annotated[
        Format | None, typer.Option("--format", help="A page, Markdown, or a JSON document of all results.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The heading.")] = None,
    models: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="Tell this model's whole story, too; repeatable."),
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rule", "-r", metavar="RULE", help="Compare these rules, as in borda or borda:ties=max."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PART", help=f"Only this part; repeatable ({', '.join(SECTIONS)})."),
    ] = None,
    suite: Annotated[
        bool, typer.Option("--suite", help="Read FILE as a suite; long tables are without being told.")
    ] = False,
    samples: Annotated[
        int, typer.Option("--samples", metavar="N", min=1, help="So many weightings are drawn for shares.")
    ] = SAMPLES,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of all draws.")] = 0,
    date: Annotated[str, typer.Option("--date", metavar="TEXT", help="A date to show; none by default.")] = "",
    complete: Complete = False,
    config: Config = None,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="Seconds for the whole report; what is left out is said."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write a page that answers the questions about a benchmark, with everything that proves the answers."""
    written = _format(output, as_format)
    ensure_apart({"--output": output}, file, config)
    chosen = [rule_from(name, {}) for name in rules or []]
    source, options = _read(file, config, suite=suite, complete=complete, quiet=quiet)
    made = reported(
        source,
        title=title,
        models=models or [],
        rules=chosen,
        only=only or [],
        samples=samples,
        seed=seed,
        time_limit=time_limit,
        date=date,
        call=_call(
            file, config, complete=complete, asked=_report_options(title, models, rules, only, date, suite=suite)
        ),
        options=options,
    )
    _write(_text(made, written), output)
    if output is not None and not quiet:
        asked, proved = counted(len(made.sections), "question"), counted(len(made.results), "result")
        note(f"{output}: {asked}, {proved} with what verifies them.")
    if made.unproved:
        raise UnprovedError("the report says what is missing:\n" + "\n".join(made.unproved))


def _format(output: str | None, given: Format | None) -> Format:
    """Return the format: the one that is named, or what the file's name says; a page is not printed on a terminal."""
    named = SUFFIXES.get(Path(output or "").suffix.casefold())
    if given is None and output is not None and named is None:
        raise InputError(f"--output {output!r}: a name ends in {', '.join(SUFFIXES)}, or say --format")
    chosen = given or named or Format.HTML
    if chosen is Format.HTML and output is None and sys.stdout is not None and sys.stdout.isatty():
        raise InputError("a page is for a browser: say -o report.html, or --format md to read it here")
    return chosen


def _read(
    file: str | None, config: str | None, *, suite: bool, complete: bool, quiet: bool
) -> tuple[Leaderboard | Suite, dict[str, object]]:
    """Return what is to be reported on: a suite where that is said, or where a table's columns say so."""
    of_suite = SuiteSource(file=file, config=config, complete=complete)
    of_table = Source(file=file, config=config, complete=complete)
    if suite or is_long(file, config):
        return read_long(of_suite, quiet=quiet), of_suite.options()
    return read_table(of_table, quiet=quiet), of_table.options()


def _call(file: str | None, config: str | None, *, complete: bool, asked: list[str]) -> CommandLine:
    options = [*(["--complete"] if complete else []), *([] if config is None else ["--config", config])]
    return CommandLine(file=file, options=tuple(options), asked=tuple(asked))


def _report_options(
    title: str | None,
    models: list[str] | None,
    rules: list[str] | None,
    only: list[str] | None,
    date: str,
    *,
    suite: bool,
) -> list[str]:
    """Return the options of this command that make the same report again."""
    words = ["--suite"] if suite else []
    words += [] if title is None else [f"--title={title}"]
    for option, names in (("--model", models), ("--rule", rules), ("--only", only)):
        words += [f"{option}={name}" for name in names or []]
    return [*words, *([f"--date={date}"] if date else [])]


def _text(made: Report, written: Format) -> str:
    if written is Format.HTML:
        return made.to_html()
    return made.to_markdown() if written is Format.MD else f"{made.to_json()}\n"


def _write(text: str, output: str | None) -> None:
    """Write UTF-8 to a file or to standard output, whatever the encoding of the terminal: the page says UTF-8."""
    if output is not None:
        write_whole((output, text))
    elif hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        sys.stdout.write(text)
