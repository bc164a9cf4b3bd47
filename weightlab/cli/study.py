"""``weightlab study``: the experiments of the papers, by name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from weightlab.cli import completion
from weightlab.cli.documents import ensure_apart, print_document, save_document
from weightlab.cli.figures import ensure_drawable, ensure_plot, save_plot
from weightlab.cli.options import AsJson, Complete, Config, Missing, Output, Plot, PlotTheme, Quiet, Ties, TimeLimit
from weightlab.cli.study_call import Asked, results_of
from weightlab.cli.study_lines import csv_of, print_left_out, print_list, print_results
from weightlab.cli.study_registry import STUDIES, study_named
from weightlab.cli.study_source import read_source
from weightlab.cli.tables import Source
from weightlab.exceptions import InputError
from weightlab.report import Document

__all__ = ["EXAMPLES", "study"]

EXAMPLES = """\b
Examples:
  weightlab study --list
  weightlab study agreement superglue.csv --complete --option reference=mean
  weightlab study bootstrap superglue.csv --complete --rule borda --rule mean --repeats 500 --jobs -1
  weightlab study bootstrap answers.csv --model-column system --instance-column question
  weightlab study flips helm_long.csv --option by=accuracy
  weightlab study irrelevant-models superglue.csv --complete --json > proof.json
"""


def study(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Which study; --list names them.", autocompletion=completion.studies),
    ] = None,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE", help="What it is about, '-' for standard input; by default the table that ships."
        ),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List the studies; with NAME, the options of that one.")
    ] = False,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            "-r",
            metavar="RULE",
            help="A rule, as in borda or borda:ties=max; repeatable.",
            autocompletion=completion.rules,
        ),
    ] = None,
    ties: Ties = None,
    missing: Missing = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="An option of the study, or of all rules that have it; repeatable."
        ),
    ] = None,
    repeats: Annotated[int | None, typer.Option("--repeats", metavar="N", help="So many random draws.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Seed of the draws, 0 by default.")
    ] = None,
    model_column: Annotated[
        str | None,
        typer.Option("--model-column", metavar="NAME", help="FILE has scores on instances; here are the models."),
    ] = None,
    instance_column: Annotated[
        str | None,
        typer.Option("--instance-column", metavar="NAME", help="FILE has scores on instances; here are these."),
    ] = None,
    complete: Complete = False,
    config: Config = None,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="FILE", help="Write every draw (or the summary) as a table; '-' prints it."),
    ] = None,
    as_json: AsJson = False,
    output: Output = None,
    plot: Plot = None,
    theme: PlotTheme = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="N", help="Processes, 1 by default; -1 for all cores.")
    ] = None,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Run an experiment of the papers on a table of your own."""
    if listing:
        print_list(name, as_json=as_json)
        return
    if name is None:
        raise InputError("name a study; 'weightlab study --list' lists them")
    if as_json and csv == "-":
        raise InputError("--json and --csv - would both print on standard output; write one of them to a file")
    ensure_apart({"--csv": csv, "--output": output}, file, config)
    title, chosen = study_named(name)
    given = {"ties": ties, "missing": missing, "time_limit": time_limit}
    drawn = {"repeats": repeats, "rng": seed, "n_jobs": jobs}
    asked = Asked.of(title, chosen, rules=rules or [], options=options or [], given={**given, **drawn})
    ensure_plot(plot, {"--csv": csv, "--output": output}, file, config, theme=theme)
    ensure_drawable(title, plot, {one: known.function for one, known in STUDIES.items()}, len(list(asked.calls())))
    source = Source(file=file, config=config, complete=complete)
    read, origin = read_source(chosen.reads, source, columns=(model_column, instance_column), quiet=quiet)
    found = results_of(asked, read, silent=quiet or as_json)
    document = Document(results=found, options=origin, command=f"study {title}")
    if output is not None:
        save_document(document, output, file)
    if csv is not None and csv != "-":
        Path(csv).write_text(csv_of(found), encoding="utf-8")
    if as_json:
        print_document(document)
    elif csv == "-":
        sys.stdout.write(csv_of(found))
    else:
        print_results(found)
    save_plot(found[0], plot, theme=theme)
    if not quiet:
        print_left_out(found)
