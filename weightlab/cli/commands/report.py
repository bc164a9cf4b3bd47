"""``weightlab report``: one page that answers, with its proofs, to be sent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from weightlab._text import counted
from weightlab.cli.inputs.names import meant
from weightlab.cli.inputs.tables import is_long, read_long, read_table
from weightlab.cli.options.rules import rule_from
from weightlab.cli.options.shared import Quiet, rule_option
from weightlab.cli.options.table import Source, file_name, model_option
from weightlab.cli.terminal.documents import ensure_apart, put_text, reading
from weightlab.cli.terminal.show import NOTES, Bar, note
from weightlab.data import Leaderboard, Suite
from weightlab.exceptions import InputError, UnprovedError
from weightlab.report import SECTIONS, CommandLine, Report
from weightlab.report import report as reported
from weightlab.report.benchmark_report import count_sections
from weightlab.report.text.tables import SAMPLES


class Format(StrEnum):
    """What a report is written as."""

    HTML = "html"
    MD = "md"
    JSON = "json"


SUFFIXES = {".html": Format.HTML, ".htm": Format.HTML, ".md": Format.MD, ".markdown": Format.MD, ".json": Format.JSON}
"""What a file's name says."""


def report(
    source: Source,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file, whose name says the format."),
    ] = None,
    as_format: Annotated[
        Format | None, typer.Option("--as", help="A page, Markdown, or a JSON document of all results.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The heading.")] = None,
    model: Annotated[list[str] | None, model_option(help="All about this model, too; repeatable.")] = None,
    rules: Annotated[list[str] | None, rule_option(help="Compare these rules, as in borda or borda:ties=max.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PART", help=f"Only this part; repeatable ({', '.join(SECTIONS)})."),
    ] = None,
    suite: Annotated[
        bool, typer.Option("--suite", help="Read FILE as a suite; long tables are without being told.")
    ] = False,
    samples: Annotated[
        int, typer.Option("--samples", metavar="N", min=1, help="How many weightings to draw for shares.")
    ] = SAMPLES,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of all draws.")] = 0,
    date: Annotated[str, typer.Option("--date", metavar="TEXT", help="A date to show; none by default.")] = "",
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="Time limit, in seconds; skipped parts are listed."),
    ] = None,
    quiet: Quiet = False,  # noqa: ARG001 - its callback hears it
) -> None:
    """Write a page that answers the questions about a benchmark, with everything that proves the answers.

    Examples
    --------
    weightlab report superglue.csv -o report.html
    weightlab report superglue.csv -o report.html --model T5 --model "ERNIE 3.0"
    weightlab report helm_long.csv -o helm.html --title "HELM, audited"
    weightlab report superglue.csv --as md > report.md
    weightlab verify report.html superglue.csv
    """
    if source.format in list(Format):
        raise InputError(f"--format is the format of FILE: pass --as {source.format}")
    written = _format(output, as_format)
    ensure_apart({"--output": output}, source.file, source.config)
    chosen = [rule_from(name, {}) for name in rules or []]
    data = read_long(source) if suite or is_long(source) else read_table(source)
    named = [meant(one, data.models, "model") for one in model or []]
    said: tuple[tuple[str, Sequence[str | None]], ...] = (
        *(("--title", [title]), ("--model", named), ("--rule", rules or [])),
        *(("--only", only or []), ("--date", [date or None])),
    )
    words = [f"{flag}={one}" for flag, values in said for one in values if one is not None]
    steps = 1 + count_sections(data, only=only or [], models=named)  # the page itself takes its time, too
    with Bar("parts of the report", steps) as bar:
        made = reported(
            data,
            title=title or _title(source.file, data),
            models=named,
            rules=chosen,
            only=only or [],
            samples=samples,
            seed=seed,
            time_limit=time_limit,
            date=date,
            call=_call(source, asked=[*(["--suite"] if suite else []), *words]),
            options={**source.options(), "notes": tuple(NOTES), "reading": reading(source)},
            progress=bar.advance,
        )
        text = _text(made, written)
    put_text(text, output)
    if output is not None:
        asked, proved = counted(len(made.sections), "question"), counted(len(made.results), "result")
        note(f"{output}: {asked}, {proved} with what verifies them.")
    if made.unproved:
        raise UnprovedError("the report says what is missing:\n" + "\n".join(made.unproved))


def _format(output: str | None, given: Format | None) -> Format:
    """Return the format: the one that is named, or what the file's name says; a page is not printed on a terminal."""
    named = SUFFIXES.get(Path(output or "").suffix.casefold())
    if given is None and output is not None and named is None:
        raise InputError(f"--output {output!r}: unknown extension; use one of {', '.join(SUFFIXES)}, or pass --as")
    chosen = given or named or Format.HTML
    if chosen is Format.HTML and output is None and sys.stdout is not None and sys.stdout.isatty():
        raise InputError("a page is for a browser: say -o report.html, or --as md to read it here")
    return chosen


def _title(file: str | None, data: Leaderboard | Suite) -> str | None:
    """Return a heading by the file's own name, wherever it lies."""
    return None if file in (None, "-") else f"{Path(str(file_name(file))).stem}: {repr(data).partition(': ')[2]}"


def _call(source: Source, *, asked: list[str]) -> CommandLine:
    config = [] if source.config is None else ["--config", Path(source.config).name]
    options = [*(["--complete"] if source.complete else []), *config, *source.words]
    file = None if source.file is None else file_name(source.file)
    return CommandLine(file=file, options=tuple(options), asked=tuple(asked))


def _text(made: Report, written: Format) -> str:
    if written is Format.HTML:
        return made.to_html()
    return made.to_markdown() if written is Format.MD else f"{made.to_json()}\n"
