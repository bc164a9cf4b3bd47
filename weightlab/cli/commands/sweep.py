"""``weightlab sweep``: the same questions over many sets of models and metrics."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from weightlab._files import write_whole
from weightlab._text import shown
from weightlab.cli.inputs.tables import breaking, chosen_names, read_long
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.documents import ensure_apart, put_document
from weightlab.cli.terminal.show import Bar, note, say, table
from weightlab.exceptions import InputError
from weightlab.report.text.result_tables import frame_rows
from weightlab.studies import Sweep, random_model_sets
from weightlab.studies import sweep as sweep_of
from weightlab.studies.grid.sweep import PAPER
from weightlab.studies.structure.properties import PROPERTIES

LONG = 30
"""Cells shown in the table; more are summarised."""


def sweep(
    source: Source,
    sets: Annotated[
        list[str] | None,
        typer.Option("--models", metavar="[SET=]NAMES", help="A set of models, comma-separated. Repeatable."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metrics", metavar="[SET=]NAMES", help="A set of metrics, comma-separated. Repeatable."),
    ] = None,
    size: Annotated[int | None, typer.Option("--size", metavar="N", help="Size of random model sets.")] = None,
    count: Annotated[int, typer.Option("--count", metavar="N", help="Number of random model sets.")] = 10,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the random sets.")] = 0,
    break_ties: Annotated[
        list[str] | None,
        typer.Option(
            "--break-ties",
            metavar="HOW",
            help="Order of tied models: alphabetical (the default), reverse, or keep ties; repeatable.",
            autocompletion=shared.words("alphabetical", "reverse", "keep"),
        ),
    ] = None,
    asked: Annotated[
        list[str] | None,
        typer.Option(
            "--property",
            metavar="NAME",
            help="What to ask, such as single_crossing; repeatable.",
            autocompletion=shared.words(*PROPERTIES),
        ),
    ] = None,
    partial: Annotated[
        str | None,
        typer.Option("--partial", metavar="FILE", help="Checkpoint file, resumed if it exists."),
    ] = None,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="FILE", help="Write results as CSV; '-' prints them."),
    ] = None,
    picture: Picture = NO_PICTURE,
    jobs: shared.Jobs = 1,
    backend: Annotated[
        str | None, typer.Option("--backend", metavar="NAME", help="A backend of joblib, such as threading.")
    ] = None,
    ends: shared.Written = shared.AT_ONCE,
) -> None:
    """Ask whether a suite is well behaved for each of many sets of models and metrics.

    Examples
    --------
    weightlab sweep --size 5 --count 20 --seed 0
    weightlab sweep helm_long.csv --models large="OPT (175B),GLM (130B)" --metrics accuracy,robustness
    weightlab sweep helm_long.csv --size 7 --count 5000 --partial cells.jsonl --jobs -1 --csv cells.csv
    """
    if ends.as_json and csv == "-":
        raise InputError("--json and --csv - would both print on standard output; write one of them to a file")
    written = {"--csv": csv, "--output": ends.output, "--partial": partial}
    ensure_apart(written, source.file, source.config)
    picture.ensure(source, written)
    suite = read_long(source)
    model_sets = _sets(sets or [], suite.models, "model")
    if size is not None:
        drawn = random_model_sets(suite, size=size, count=count, rng=seed)
        twice = [name for name in drawn if name in (model_sets or {})]
        if twice:
            raise InputError(f"--models: the set {twice[0]!r} has the name of one drawn at random; give it another")
        model_sets = {**(model_sets or {}), **drawn}
    metric_sets = _sets(metrics or [], suite.metrics, "metric")
    breakings = list(dict.fromkeys(breaking(how) for how in break_ties or ["alphabetical"]))
    cells = len(model_sets or "1") * len(metric_sets or "1") * len(breakings)
    with Bar("Sweeping", cells, silent=ends.as_json) as bar:
        found = sweep_of(
            suite,
            model_sets=model_sets,
            metric_sets=metric_sets,
            break_ties=breakings,
            properties=asked or PAPER,
            n_jobs=jobs,
            backend=backend,
            partial=partial,
            progress=bar.advance,
        )
    if csv is not None and csv != "-":
        write_whole((csv, _csv(found)))
    printed = put_document("sweep", (found,), source, ends)
    if csv == "-":
        sys.stdout.write(_csv(found))
    elif not printed:
        _print(found)
    picture.save(found)


def _sets(given: Sequence[str], known: Sequence[str], kind: str) -> dict[str, tuple[str, ...]] | None:
    """Return the sets that ``[SET=]NAMES`` options describe; a set without a name is called by its members."""
    sets = {}
    for text in given:
        name, separator, members = text.partition("=")
        # A '=' after the first comma, or inside a name that there is, belongs to a name.
        first = text.partition(",")[0]
        unnamed = not separator or "=" not in first or text in known or first in known
        label, listed = (text, text) if unnamed else (name, members)
        found = chosen_names([listed], known, kind) or ()
        if label in sets:
            raise InputError(f"--{kind}s: the set {label!r} is given twice")
        sets[label] = found
    return sets or None


def _csv(found: Sweep) -> str:
    return found.table().to_csv(index=False, lineterminator="\n")


def _print(found: Sweep) -> None:
    say(shown(found), "")
    headings, rows, right = frame_rows(found.summary())
    say(table(headings, rows[:LONG], right=right))
    if len(rows) > LONG:
        note(f"{len(rows) - LONG} more cells are not shown; --csv FILE writes them all.")
