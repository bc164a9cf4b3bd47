"""``weightlab read``, ``report`` and ``page``: how a table is read, and pages to send or to host."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli import lazy
from weightlab.cli.options.shared import EXPERT, HERE, Ends, Many, Quiet, Views, opt, rules
from weightlab.cli.options.table import Source, file_name, model_option
from weightlab.cli.terminal.answered import ensure_apart, put_text, reading
from weightlab.cli.terminal.show import NOTES, Bar, note
from weightlab.exceptions import InputError, UnprovedError

if TYPE_CHECKING:
    from weightlab.report import CommandLine, Report

SECTIONS = ("win", "today", "firm", "rules", "behaved", "trust", "models", "explorer", "table", "datasets", "cycles")


def read(
    source: Source,
    totals: Annotated[
        bool, opt("--totals", "The rows in which a column of totals is not what its parts make.")
    ] = False,
    ends: Ends = HERE,
) -> Views:
    """Print how a table is read: each column's role, its direction, the reason, and how certain that is.

    Examples
    --------
    weightlab read superglue.csv
    weightlab read superglue.csv --totals
    """
    if source.file is None:
        raise InputError("FILE is required: the bundled table has its declarations")
    from weightlab.cli.inputs.told_reading import blocks_of, reading_told
    from weightlab.io.reading.settled import explicit

    found = reading_told(source)
    NOTES.pending.clear()
    if ends.as_json:
        put_text(f"{json.dumps(found.to_dict() | {'declared': explicit(found)}, ensure_ascii=False, indent=1)}\n")
        return
    yield lazy.View(headline=found.line, blocks=blocks_of(found, source, totals=totals))


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
        str | None, opt("--output -o FILE", "Write the report to a file, whose name says the format.")
    ] = None,
    as_format: Annotated[Format | None, opt("--as", "A page, Markdown, or a JSON document of all results.")] = None,
    title: Annotated[str | None, opt("--title TEXT", "The heading.")] = None,
    model: Annotated[Many, model_option("Analyse this model in detail, too. Repeatable.")] = None,
    rules: Annotated[
        Many, opt("--rule -r RULE", "Compare these rules, as in borda:ties=max.", autocompletion=rules)
    ] = None,
    only: Annotated[Many, opt("--only PART", f"Only this part ({', '.join(SECTIONS)}). Repeatable.")] = None,
    samples: Annotated[int, opt("--samples N", "Number of weightings to sample.", EXPERT, min=1)] = 10_000,
    seed: Annotated[int, opt("--seed N", "Random seed.", EXPERT, min=0)] = 0,
    time_limit: Annotated[
        float | None, opt("--time-limit SECONDS", "Time limit; skipped parts are listed.", EXPERT)
    ] = None,
    quiet: Quiet = False,
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
    from weightlab.cli.options.rules import rule_from
    from weightlab.report.benchmark_report import count_sections

    del quiet
    if source.format in list(Format):
        raise InputError(f"--format is the format of FILE: pass --as {source.format}")
    written = _format(output, as_format)
    ensure_apart({"--output": output}, source.file, source.config)
    chosen = [rule_from(name, {}) for name in rules or []]
    data = lazy.read_long(source) if lazy.is_long(source) else lazy.read_table(source)
    named = [lazy.meant(one, data.models, "model") for one in model or []]
    said: tuple[tuple[str, Sequence[str | None]], ...] = (
        *(("--title", [title]), ("--model", named), ("--rule", rules or []), ("--only", only or [])),
    )
    options: dict[str, Any] = {"models": named, "rules": chosen, "only": only or [], "samples": samples, "seed": seed}
    with Bar("parts of the report", 1 + count_sections(data, only=only or [], models=named)) as bar:
        made = lazy.report.report(
            data,
            title=title or _title(source.file, data),
            time_limit=time_limit,
            call=_call(source, [f"{flag}={one}" for flag, values in said for one in values if one is not None]),
            options={**source.options(), "notes": tuple(NOTES), "reading": reading(source)},
            progress=bar.advance,
            **options,
        )
        text = _text(made, written)
    put_text(text, output)
    if output is not None:
        asked, proved = len(made.sections), len(made.results)
        told = f"{asked} question{'s' * (asked != 1)}, {proved} result{'s' * (proved != 1)}"
        note(f"{output}: {told} with what verifies them.")
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


def _title(file: str | None, data: Any) -> str | None:
    """Return a heading by the file's own name, wherever it lies."""
    return None if file in (None, "-") else f"{Path(str(file_name(file))).stem}: {repr(data).partition(': ')[2]}"


def _call(source: Source, asked: list[str]) -> CommandLine:
    config = [] if source.config is None else ["--config", Path(source.config).name]
    options = [*(["--complete"] if source.complete else []), *config, *source.words]
    file = None if source.file is None else file_name(source.file)
    return lazy.report.CommandLine(file=file, options=tuple(options), asked=tuple(asked))


def _text(made: Report, written: Format) -> str:
    if written is Format.HTML:
        return made.to_html()
    return made.to_markdown() if written is Format.MD else f"{made.to_json()}\n"


def page(
    output: Annotated[str | None, opt("--output -o FILE", "Write the page to a file, such as weightlab.html.")] = None,
    quiet: Quiet = False,
) -> None:
    """Write a page that takes a table in the browser and answers there, without a server or an installation.

    Examples
    --------
    weightlab page -o weightlab.html
    """
    from weightlab.report.browser import table_page

    if output is None and sys.stdout is not None and sys.stdout.isatty():
        raise InputError("a page is for a browser: say -o weightlab.html")
    put_text(table_page(), output)
    if output is not None and not quiet:
        note(f"{output}: open it in a browser and drop a table on it; nothing leaves it.")
