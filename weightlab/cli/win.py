"""``weightlab win``: who can win, with proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Annotated, TypeAlias

import typer
from rich.progress import Progress

from weightlab._result import Result
from weightlab.cli.documents import print_document, save_document
from weightlab.cli.late import Late, verdicts_known
from weightlab.cli.options import (
    AsJson,
    Complete,
    Config,
    File,
    Fixed,
    Jobs,
    Least,
    Most,
    NoLess,
    Output,
    Quiet,
    ScoredOnly,
    TimeLimit,
)
from weightlab.cli.show import console, headed, listed, mixture, note, number, rounded, say, shown, table
from weightlab.cli.story import Story, centre_words, proof_line, story
from weightlab.cli.tables import Source, read_table, space_from
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp import Prospect, Prospects, Verdict, WeightSpace, closest_to, most_balanced, prospect, prospects
from weightlab.lp import scenario as scenario_of
from weightlab.report import Document

__all__ = ["win"]

DETAILED = 60
"""Up to so many models that can win, the table says how far their weights are without being asked."""

LONG = 300
"""Tables with more models show a progress bar."""

Details: TypeAlias = tuple[Fraction | None, Fraction | None]
"""How far a model's nearest winning weights are, and its least largest weight; None for what was not found in time."""

EXAMPLES = """\b
Examples:
  weightlab win
  weightlab win superglue.csv
  weightlab win superglue.csv --model T5 --complete
  weightlab win superglue.csv --max CoLA=0.3 --min @nli=0.2 --json > proof.json
  weightlab win - < superglue.csv
"""


def win(
    file: File = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="Tell this model's whole story; repeatable."),
    ] = None,
    complete: Complete = False,
    scored_only: ScoredOnly = False,
    most: Most = None,
    least: Least = None,
    fixed: Fixed = None,
    no_less: NoLess = None,
    config: Config = None,
    details: Annotated[
        bool | None,
        typer.Option(
            "--details/--no-details",
            help=f"Distance and largest weight in the table; by default up to {DETAILED} models.",
        ),
    ] = None,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="With --model: find the fewest rivals that block it.")
    ] = False,
    as_json: AsJson = False,
    output: Output = None,
    jobs: Jobs = 1,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Prove who can win: for which task weights a model beats every rival, or which rivals block it."""
    if fewest and not model:
        raise InputError("--fewest is about single models: name them with --model")
    source = Source(file=file, config=config, complete=complete)
    board = read_table(source, quiet=quiet)
    space = space_from(board, scored_only=scored_only, most=most, least=least, fixed=fixed, no_less=no_less)
    late = Late()
    results: list[Result]
    if model:
        stories = _stories(board, model, space, late, fewest=fewest, time_limit=time_limit)
        results = [part for one in stories for part in (one.prospect, one.nearest, one.balanced) if part is not None]
    else:
        results = [found := _all(board, space, jobs=jobs, time_limit=time_limit, quiet=quiet or as_json)]
    document = Document(results=tuple(results), options=source.options(), command="win")
    if output is not None and results:
        save_document(document, output, file)
    if as_json:
        if results:
            print_document(document)
    elif model:
        _print_stories(board, stories)
    else:
        _print_all(board, found, late, details=details, time_limit=time_limit, quiet=quiet)
    late.raise_if_any()


def _stories(
    board: Leaderboard,
    models: Sequence[str],
    space: WeightSpace | None,
    late: Late,
    *,
    fewest: bool,
    time_limit: float | None,
) -> list[Story]:
    asked = partial(_prospect, board, late=late, space=space, fewest=fewest, time_limit=time_limit)
    found = [late.ask(shown(model), partial(asked, model)) for model in dict.fromkeys(models)]
    return [story(board, one, late, time_limit=time_limit) for one in found if one is not None]


def _prospect(
    board: Leaderboard, model: str, *, late: Late, space: WeightSpace | None, fewest: bool, time_limit: float | None
) -> Prospect:
    """Return a model's prospect, without the fewest blockers where only they are not found in time."""
    try:
        return prospect(board, model, space=space, fewest_blockers=fewest, time_limit=time_limit)
    except UnprovedError as error:
        rest = error.known.get("prospect")
        if not isinstance(rest, Prospect):
            raise
        late.add(f"{shown(model)}, fewest blockers", error)
        return rest


def _all(
    board: Leaderboard, space: WeightSpace | None, *, jobs: int, time_limit: float | None, quiet: bool
) -> Prospects:
    prove = partial(prospects, board, space=space, n_jobs=jobs, time_limit=time_limit)
    try:
        if quiet or len(board.models) < LONG:
            return prove(exact=len(board.models) < LONG)
        with Progress(console=console(stderr=True), transient=True) as bar:
            task = bar.add_task("Proving", total=len(board.models))
            return prove(progress=lambda done: bar.advance(task, done))
    except UnprovedError as error:
        raise verdicts_known(error, len(board.models)) from error


def _print_stories(board: Leaderboard, stories: Sequence[Story]) -> None:
    for position, one in enumerate(stories):
        if position:
            say("")
        say(shown(one.prospect), "", headed(one.lines(board)))
        say(proof_line(len(one.prospect.rivals), len(one.prospect.tasks), one.prospect.space))


def _print_all(
    board: Leaderboard, found: Prospects, late: Late, *, details: bool | None, time_limit: float | None, quiet: bool
) -> None:
    able = found.with_verdict(Verdict.STRICT, Verdict.WEAK)
    detailed = len(able) <= DETAILED if details is None else details
    far = _far(board, found, able, late, time_limit) if detailed else {}
    say(shown(found), "")
    able = tuple(sorted(able, key=lambda model: (found.verdicts[model] != Verdict.STRICT, *_nearness(far, model))))
    rows = [(shown(model), str(found.verdicts[model]), _margin(found, model), *far_cells(far, model)) for model in able]
    if rows:
        headings = ["model", "verdict", "margin", *([f"from {centre_words(board)}", "largest weight"] if far else [])]
        say(table(headings, rows, right=(2, 3, 4)), "")
    blocked = found.with_verdict(Verdict.NEVER)
    if blocked:
        rows = [(shown(model), "never", _margin(found, model), _blockers(found, model)) for model in blocked]
        say(table(["model", "verdict", "margin", "blocked by"], rows, right=(2,)), "")
    say(proof_line(len(board.models) * (len(board.models) - 1), len(board.tasks), found.space))
    if not detailed and able and not quiet:
        note("Distances were left out; --details computes them.")


def _far(
    board: Leaderboard, found: Prospects, models: Sequence[str], late: Late, time_limit: float | None
) -> dict[str, Details]:
    """Return the details of some models; what is not found in time is one message for all of them."""
    unfound = Late()
    far: dict[str, Details] = {}
    for model in models:
        ask = partial(scenario_of, board, model, space=found.space, time_limit=time_limit)
        nearest = unfound.ask(shown(model), partial(ask, closest_to()))
        balanced = unfound.ask(shown(model), partial(ask, most_balanced()))
        far[model] = (None if nearest is None else nearest.value, None if balanced is None else balanced.value)
    without = [model for model, details in far.items() if None in details]
    if without:
        late.messages.append(f"not found where the table has '?', for {listed(without)}: {unfound.messages[0]}")
    return far


def _nearness(far: Mapping[str, Details], model: str) -> tuple[bool, Fraction]:
    """Return what models are sorted by: the nearest first, and last those of which it is not known."""
    distance, _ = far.get(model, (None, None))
    return distance is None, distance or Fraction(0)


def far_cells(far: Mapping[str, Details], model: str) -> tuple[str, ...]:
    """Return the cells for distance and least largest weight, or none."""
    if not far:
        return ()
    distance, largest = far[model]
    return (
        "?" if distance is None else rounded(distance, 3),
        "?" if largest is None else f"{rounded(100 * largest, 1)} %",
    )


def _margin(found: Prospects, model: str) -> str:
    lower, upper = found.lower[model], found.upper[model]
    if lower == upper:
        return number(lower)
    return f"{rounded(lower, 4, floor)} to {rounded(upper, 4, ceil)}"


def _blockers(found: Prospects, model: str) -> str:
    one = found.bounded(model)
    if one.dominators:
        return (
            f"{listed(one.dominators, 2)} (dominates)"
            if len(one.dominators) == 1
            else f"{listed(one.dominators, 2)} (dominate)"
        )
    return mixture([(rival, share) for rival, share in zip(one.rivals, one.blockers.tolist(), strict=True)], most=3)
