"""``weightlab audit``: is a benchmark suite well behaved, where does it break, what repairs it."""

from __future__ import annotations

from typing import Annotated

import typer

from weightlab._text import shown
from weightlab.cli.inputs.tables import breaking, chosen_names, read_long
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import Bar, headed, note, say, table
from weightlab.domains.registry import HEREDITARY
from weightlab.exceptions import UnprovedError
from weightlab.report.text.audit import (
    dataset_heading,
    dataset_rows,
    left_out_notes,
    majority_lines,
    property_rows,
    suite_lines,
)
from weightlab.studies import Audit, Repair
from weightlab.studies import audit as audit_of
from weightlab.studies.structure.repair import ACYCLIC, Droppable, goal_test

PATIENCE = 5.0
"""Seconds for each search that is not asked for by name, unless another limit is given."""
GOALS = (ACYCLIC, *HEREDITARY)
"""What repairs are for."""
DROPS: tuple[Droppable, ...] = ("datasets", "models", "metrics")


def audit(
    source: Source,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metrics", metavar="NAMES", help="Only these metrics, as with --tasks; repeatable."),
    ] = None,
    break_ties: Annotated[
        str,
        typer.Option(
            "--break-ties",
            metavar="HOW",
            help="Order of tied models: alphabetical, reverse, or keep ties.",
            autocompletion=shared.words("alphabetical", "reverse", "keep"),
        ),
    ] = "alphabetical",
    repair: Annotated[
        list[str] | None,
        typer.Option(
            "--repair",
            metavar="GOAL",
            help="Also say what to drop for this goal, such as single_peaked; repeatable.",
            autocompletion=shared.words(*GOALS),
        ),
    ] = None,
    no_repair: Annotated[bool, typer.Option("--no-repair", help="Do not look for what to drop.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show each dataset's properties, with a witness for each.")
    ] = False,
    picture: Picture = NO_PICTURE,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Say whether a suite's rankings are well behaved, dataset by dataset and all together, with a witness for each.

    Examples
    --------
    weightlab audit
    weightlab audit helm_long.csv
    weightlab audit helm_long.csv --complete --metrics accuracy,robustness,fairness
    weightlab audit helm_long.csv --repair single_peaked --json > audit.json
    """
    goals = _repair_goals(repair or [])
    picture.ensure(source, {"--output": ends.output})
    how = breaking(break_ties)
    suite = read_long(source, narrowed=False)
    models = chosen_names(source.models, suite.models, "model")
    kept = chosen_names([*(source.tasks or ()), *(metrics or ())], suite.metrics, "metric")
    with Bar("Auditing", len(suite.datasets), silent=ends.as_json) as bar:
        found = audit_of(
            suite,
            models=models,
            metrics=kept,
            break_ties=how,
            repair=not no_repair,
            time_limit=PATIENCE if ends.time_limit is None else ends.time_limit,
            progress=lambda _: bar.advance(1),
        )
    repairs, unproved = _repairs(found, goals, ends.time_limit)
    for text in left_out_notes(found):
        note(text)
    if found.unrepaired and ends.time_limit is None:
        note(f"Searches that took more than {PATIENCE:g} s were left off; --time-limit 60 gives each more.")
    if not put_document("audit", (found, *repairs), source, ends):
        _print(found, repairs, full=full)
    picture.save(found)
    if unproved is not None:
        raise unproved


def _repairs(
    found: Audit, goals: list[tuple[str, Droppable]], time_limit: float | None
) -> tuple[list[Repair], UnprovedError | None]:
    """Return the repairs that were found, and the first error of one that was not, to be raised in the end."""
    repairs, unproved = [], None
    for goal, drop in goals:
        try:
            repairs.append(found.repair(goal, drop=drop, time_limit=time_limit))
        except UnprovedError as error:
            unproved = unproved or error
    return repairs, unproved


def _repair_goals(goals: list[str]) -> list[tuple[str, Droppable]]:
    """Return each goal with what may be dropped for it; acyclic majorities are not asked of metrics.

    Raises
    ------
    InputError
        If there is no such goal.
    """
    for goal in goals:
        goal_test(goal)
    return [(goal, drop) for goal in dict.fromkeys(goals) for drop in DROPS if (goal, drop) != ("acyclic", "metrics")]


def _print(found: Audit, repairs: list[Repair], *, full: bool) -> None:
    say(shown(found), "", headed(suite_lines(found, repairs, full=full)))
    if len(found.datasets) > 1:
        say("", table(*dataset_rows(found), right=(1, 2)))
    for one in found.datasets.values() if full or len(found.datasets) == 1 else ():
        say("", dataset_heading(one), table(*property_rows(one)), headed(majority_lines(one)))
    if not full and len(found.datasets) > 1:
        say("", "Each dataset's properties, with a witness for each: --full.")
