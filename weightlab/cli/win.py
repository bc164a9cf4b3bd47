"""``weightlab win``: who can win, with proofs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

import typer
from rich.progress import Progress

from weightlab.cli.documents import print_document, save_document
from weightlab.cli.limits import ensure_seconds
from weightlab.cli.show import console, headed, listed, mixture, note, number, say, shown, table
from weightlab.cli.story import Story, centre_words, proof_line, story
from weightlab.cli.tables import Source, read_table, space_from
from weightlab.data import Leaderboard
from weightlab.lp import Prospects, Scenario, Verdict, WeightSpace, closest_to, most_balanced, prospect, prospects
from weightlab.lp import scenario as scenario_of
from weightlab.report import Document

__all__ = ["win"]

DETAILED = 60
"""Up to so many models that can win, the table says how far their weights are without being asked."""

LONG = 300
"""Tables with more models show a progress bar."""

EXAMPLES = """\b
Examples:
  weightlab win
  weightlab win superglue.csv
  weightlab win superglue.csv --model T5 --complete
  weightlab win superglue.csv --max CoLA=0.3 --min @nli=0.2 --json > proof.json
  weightlab win - < superglue.csv
"""


def win(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="Score table, '-' for standard input; by default the one that ships."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="Tell this model's whole story; repeatable."),
    ] = None,
    complete: Annotated[bool, typer.Option("--complete", help="Keep only the models with every score.")] = False,
    scored_only: Annotated[bool, typer.Option("--scored-only", help="Fix tasks of weight 0 at 0.")] = False,
    most: Annotated[
        list[str] | None, typer.Option("--max", metavar="TASK=SHARE", help="At most this share; @GROUP for a group.")
    ] = None,
    least: Annotated[list[str] | None, typer.Option("--min", metavar="TASK=SHARE", help="At least this share.")] = None,
    fixed: Annotated[list[str] | None, typer.Option("--fix", metavar="TASK=SHARE", help="Exactly this share.")] = None,
    no_less: Annotated[
        list[str] | None, typer.Option("--no-less", metavar="TASK=OTHER", help="TASK weighs no less than OTHER.")
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(
            "--config", metavar="TOML", help="TOML file with directions, weights, groups; by default beside the table."
        ),
    ] = None,
    details: Annotated[
        bool | None,
        typer.Option(
            "--details/--no-details",
            help=f"Distance and largest weight in the table; by default up to {DETAILED} models.",
        ),
    ] = None,
    fewest: Annotated[bool, typer.Option("--fewest", help="Find the fewest rivals that block a model.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document with the proofs.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write that document to a file.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes; -1 for all cores.")] = 1,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", metavar="SECONDS", help="Seconds for each program.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes and no progress bar.")] = False,
) -> None:
    """Prove who can win: for which task weights a model beats every rival, or which rivals block it."""
    ensure_seconds(time_limit)
    source = Source(file=file, config=config, complete=complete)
    board = read_table(source, quiet=quiet)
    space = space_from(
        board,
        scored_only=scored_only,
        most=most or [],
        least=least or [],
        fixed=fixed or [],
        no_less=no_less or [],
    )
    if model:
        stories = _stories(board, model, space, fewest=fewest, time_limit=time_limit)
        results = [part for one in stories for part in (one.prospect, one.nearest, one.balanced) if part is not None]
        document = Document(results=tuple(results), options=source.options(), command="win")
    else:
        found = _all(board, space, jobs=jobs, time_limit=time_limit, quiet=quiet or as_json)
        document = Document(results=(found,), options=source.options(), command="win")
    if output is not None:
        save_document(document, output, file)
    if as_json:
        print_document(document)
    elif model:
        _print_stories(board, stories)
    else:
        _print_all(board, found, details=details, time_limit=time_limit)


def _stories(
    board: Leaderboard, models: Sequence[str], space: WeightSpace | None, *, fewest: bool, time_limit: float | None
) -> list[Story]:
    asked = [
        prospect(board, model, space=space, fewest_blockers=fewest, time_limit=time_limit)
        for model in dict.fromkeys(models)
    ]
    return [story(board, one, time_limit=time_limit) for one in asked]


def _all(
    board: Leaderboard, space: WeightSpace | None, *, jobs: int, time_limit: float | None, quiet: bool
) -> Prospects:
    prove = partial(prospects, board, space=space, n_jobs=jobs, time_limit=time_limit)
    if quiet or len(board.models) < LONG:
        return prove(exact=len(board.models) < LONG)
    with Progress(console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("Proving", total=len(board.models))
        return prove(progress=lambda done: bar.advance(task, done))


def _print_stories(board: Leaderboard, stories: Sequence[Story]) -> None:
    for position, one in enumerate(stories):
        if position:
            say("")
        say(shown(one.prospect), "", headed(one.lines(board)))
        say(proof_line(len(one.prospect.rivals), len(one.prospect.tasks), one.prospect.space))


def _print_all(board: Leaderboard, found: Prospects, *, details: bool | None, time_limit: float | None) -> None:
    able = found.with_verdict(Verdict.STRICT, Verdict.WEAK)
    detailed = len(able) <= DETAILED if details is None else details
    far = {model: _details(board, model, found.space, time_limit) for model in able} if detailed else {}
    say(shown(found), "")
    able = tuple(sorted(able, key=lambda model: (found.verdicts[model] != Verdict.STRICT, far.get(model, (0,))[0])))
    rows = [(shown(model), str(found.verdicts[model]), _margin(found, model), *far_cells(far, model)) for model in able]
    if rows:
        headings = ["model", "verdict", "margin", *([f"from {centre_words(board)}", "largest weight"] if far else [])]
        say(table(headings, rows, right=(2, 3, 4)), "")
    blocked = found.with_verdict(Verdict.NEVER)
    if blocked:
        rows = [(shown(model), "never", _margin(found, model), _blockers(found, model)) for model in blocked]
        say(table(["model", "verdict", "margin", "blocked by"], rows, right=(2,)), "")
    say(proof_line(len(board.models) * (len(board.models) - 1), len(board.tasks), found.space))
    if not detailed and able:
        note("Distances were left out; --details computes them.")


def _details(
    board: Leaderboard, model: str, space: WeightSpace, time_limit: float | None
) -> tuple[Fraction, Scenario, Scenario]:
    nearest = scenario_of(board, model, closest_to(), space=space, time_limit=time_limit)
    balanced = scenario_of(board, model, most_balanced(), space=space, time_limit=time_limit)
    return nearest.value, nearest, balanced


def far_cells(far: dict[str, Any], model: str) -> tuple[str, ...]:
    """Return the cells for distance and least largest weight, or none."""
    if not far:
        return ()
    distance, _, balanced = far[model]
    return (f"{float(distance):.3f}", f"{100 * float(balanced.value):.1f} %")


def _margin(found: Prospects, model: str) -> str:
    lower, upper = found.lower[model], found.upper[model]
    if lower == upper:
        return number(lower)
    return f"{float(lower):.4f} to {float(upper):.4f}"


def _blockers(found: Prospects, model: str) -> str:
    one = found.bounded(model)
    if one.dominators:
        return (
            f"{listed(one.dominators, 2)} (dominates)"
            if len(one.dominators) == 1
            else f"{listed(one.dominators, 2)} (dominate)"
        )
    return mixture([(rival, share) for rival, share in zip(one.rivals, one.blockers.tolist(), strict=True)], most=3)
