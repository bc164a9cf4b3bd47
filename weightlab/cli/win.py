"""``weightlab win``: who can win, with proofs."""

from __future__ import annotations

from typing import Annotated

import typer

from weightlab.cli import completion
from weightlab.cli.documents import print_document, save_document
from weightlab.cli.figures import ensure_plot, plot_win
from weightlab.cli.options import (
    AsJson,
    Complete,
    Config,
    File,
    Fixed,
    Jobs,
    Least,
    Missing,
    Most,
    NoLess,
    Output,
    Plot,
    PlotTheme,
    Quiet,
    ScoredOnly,
    Ties,
    TimeLimit,
)
from weightlab.cli.tables import Source, read_table, space_from
from weightlab.cli.wanted import SCENARIOS
from weightlab.cli.win_all import DETAILED
from weightlab.cli.win_question import Improve, Question
from weightlab.report import Document
from weightlab.report.text.unproved import Late

__all__ = ["win"]

SAMPLES = 10_000
"""So many weightings are drawn for shares."""

EXAMPLES = """\b
Examples:
  weightlab win
  weightlab win superglue.csv
  weightlab win superglue.csv --model T5 --complete
  weightlab win superglue.csv --model T5 --scenario fewest-tasks --scenario closest
  weightlab win superglue.csv --complete --rule borda
  weightlab win --map @accuracy --map @robustness --map @speed
  weightlab win superglue.csv --max BoolQ=0.3 --min RTE=0.1 --json > proof.json
  weightlab win - < superglue.csv
"""


def win(
    file: File = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="NAME", help="Tell this model's whole story; repeatable."),
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            metavar="NAME",
            help=f"With --model: the winning weights that serve this best ({', '.join(SCENARIOS)}); repeated, in turn.",
            autocompletion=completion.words(*(name.removesuffix("TASK") for name in SCENARIOS)),
        ),
    ] = None,
    margin: Annotated[
        str | None, typer.Option("--margin", metavar="SHARE", help="With --scenario: a win by at least this lead.")
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            "-r",
            metavar="RULE",
            help="First by this rule instead: mean, borda, dowdall, plurality, veto, points such as 3,2,1, copeland "
            "or minimax; and between which ranks.",
            autocompletion=completion.words(*completion.LINEAR, "copeland", "minimax"),
        ),
    ] = None,
    ties: Ties = None,
    missing: Missing = None,
    details: Annotated[
        bool | None,
        typer.Option(
            "--details/--no-details",
            help=f"Distance and largest weight in the table; by default up to {DETAILED} models.",
        ),
    ] = None,
    share: Annotated[
        bool | None,
        typer.Option(
            "--share/--no-share", help="Share of weightings under which each model wins; by default as --details."
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option("--samples", metavar="N", min=1, help="So many weightings are drawn for shares.")
    ] = SAMPLES,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of the draws.")] = 0,
    upset: Annotated[
        Improve, typer.Option("--upset", help="With --model: improve scores by least, or change fewest results.")
    ] = Improve.SCORE,
    region: Annotated[
        bool, typer.Option("--region", help="With --model: the exact region of its winning weights and its share.")
    ] = False,
    unknown: Annotated[
        bool,
        typer.Option("--unknown", help="Missing scores are unknown, not ties: who wins whatever they are."),
    ] = False,
    between: Annotated[
        str | None, typer.Option("--between", metavar="LOW:HIGH", help="With --unknown: what such scores can be.")
    ] = None,
    map_of: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="TASK", help="Three times: who wins where in the triangle of their weights."),
    ] = None,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="With --model: find the fewest rivals that block it.")
    ] = False,
    complete: Complete = False,
    scored_only: ScoredOnly = False,
    most: Most = None,
    least: Least = None,
    fixed: Fixed = None,
    no_less: NoLess = None,
    config: Config = None,
    as_json: AsJson = False,
    output: Output = None,
    plot: Plot = None,
    theme: PlotTheme = None,
    jobs: Jobs = 1,
    time_limit: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Prove who can win: for which task weights a model beats every rival, or which rivals block it."""
    question = Question(
        models=tuple(dict.fromkeys(model or [])),
        scenario=tuple(scenario or []),
        margin=margin,
        rule=rule,
        ties=ties,
        missing=missing,
        details=details,
        share=True if share is None and plot is not None else share,
        samples=samples,
        seed=seed,
        upset=upset,
        region=region,
        unknown=unknown,
        between=between,
        map_of=tuple(map_of or []),
        fewest=fewest,
        jobs=jobs,
        time_limit=time_limit,
        notes=not quiet,
        bar=not (quiet or as_json),
    )
    question.check(plotted=plot is not None)
    ensure_plot(plot, {"--output": output}, file, config, theme=theme)
    source = Source(file=file, config=config, complete=complete)
    board = read_table(source, quiet=quiet, gaps_are_ties=question.gaps_are_ties)
    space = space_from(board, scored_only=scored_only, most=most, least=least, fixed=fixed, no_less=no_less)
    late = Late()
    results, tell = question.answer(board, space, late)
    document = Document(results=tuple(results), options=source.options(), command="win")
    if output is not None and results:
        save_document(document, output, file)
    if not as_json:
        tell()
    elif results:
        print_document(document)
    plot_win(results, board, plot, late, theme=theme)
    late.raise_if_any()
