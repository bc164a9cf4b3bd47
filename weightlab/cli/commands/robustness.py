"""``weightlab robustness``: on how few tasks each model would have to rise to the best score to win, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

import typer

from weightlab._text import number, rounded, shown
from weightlab.cli.inputs.names import meant
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import note, say, table
from weightlab.data import Leaderboard
from weightlab.lp import LiftCounts, fewest_lifts
from weightlab.lp.improvement.lift_rules import LIFT_RULES, LiftMissing
from weightlab.lp.improvement.lifts import LiftTies
from weightlab.report.text.words import listed
from weightlab.rules import rank

EXAMPLES = """\b
Examples:
  weightlab robustness
  weightlab robustness superglue.csv --complete
  weightlab robustness superglue.csv --complete --rule borda --model T5
  weightlab robustness superglue.csv --json > proof.json
"""
RULES = ("majority", "mean", "median", "mean_win_rate", "borda")
"""What is shown unless rules are named."""
WAYS: dict[str, LiftMissing] = {"majority": "error", "mean": "skip", "median": "skip", "mean_win_rate": "skip"}
"""What becomes of missing scores; by majority they tie, by points they are last."""


def robustness(
    source: Source,
    rules: Annotated[
        list[str] | None,
        shared.rule_option(
            help="majority, mean, median, mean_win_rate or a scoring rule such as borda; repeatable.",
            autocompletion=shared.words(*LIFT_RULES),
        ),
    ] = None,
    model: Annotated[list[str] | None, model_option(help="Name the tasks to lift this model on; repeatable.")] = None,
    level: Annotated[
        str, typer.Option("--level", metavar="LEVEL", help="A lift to the best score of the task, or by this much.")
    ] = "best",
    ties_ok: Annotated[bool, typer.Option("--ties-ok", help="A shared first place will do.")] = False,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Find on how few tasks each model would have to rise to the best score to win, by several rules."""
    board = read_table(source, quiet=ends.quiet, gaps_are_ties=False)
    if board.missing_cells:
        ways = "tie by majority, are left out of means and medians, and come last by points"
        note(f"Missing scores {ways}.", quiet=ends.quiet)
    named = [meant(one, board.models, "model", quiet=ends.quiet) for one in model or []]
    found = [_counts(board, rule, level, ties_ok=ties_ok, time_limit=ends.time_limit) for rule in rules or RULES]
    if put_document("robustness", found, source, ends):
        return
    if named:
        say(*[shown(counts[name]) for name in named for counts in found])
        return
    _show(board, found)


def _show(board: Leaderboard, found: list[LiftCounts]) -> None:
    headings = ["rule", "half need at most", "fewest lifts", "needed by", "winner today", "lead"]
    say(f"Lifts that a model needs to win, of {len(board.tasks)} tasks", "")
    say(table(headings, _rows(found), right=(1, 2, 5)), "")
    solvers = sorted({one.solver for counts in found for one in counts.lifts.values() if one.solver})
    believed = f"; that no fewer suffice is in part {' and '.join(solvers)}'s bound" if solvers else ""
    say(f"Proof checked in exact arithmetic: {len(board.models)} models by {len(found)} rules{believed}.")


def _counts(board: Leaderboard, rule: str, level: str, *, ties_ok: bool, time_limit: float | None) -> LiftCounts:
    name = rule.lower().replace("-", "_")
    missing = WAYS.get(name, "last") if board.missing_cells else "error"
    ties: LiftTies = "ok" if ties_ok else "no"
    return fewest_lifts(board, None, name, level=level, ties=ties, missing=missing, time_limit=time_limit)


def _rows(found: list[LiftCounts]) -> Iterator[list[str]]:
    for counts in found:
        median = "never" if counts.median is None else str(counts.median)
        fewest = str(counts.counts[counts.fewest[0]]) if counts.fewest else "never"
        winners = [model for model, one in counts.lifts.items() if one.tasks == ()]
        lead = _lead(counts, winners[0]) if len(winners) == 1 else ""
        by = listed(counts.fewest, 2)
        yield [str(counts.rule), median, fewest, by, listed(winners, 2) or "none", lead]


def _lead(counts: LiftCounts, winner: str) -> str:
    """Return by how much the winner leads the second today: a share of the weight, or what the rule counts."""
    board, rivals = counts.table, [one for one in counts.table.models if one != winner]
    if counts.rule.name == "majority":
        margins = board.margins()
        least = min(margins.margin(winner, rival) for rival in rivals) / sum(board.weights, Fraction(0))
        return f"{rounded(100 * least, 1)}% of the weight"
    if counts.rule.name == "median":
        medians = dict(zip(board.models, counts.medians, strict=True))
        return f"{number(medians[winner] - max(medians[rival] for rival in rivals))} in score"
    scores = rank(board, counts.rule.name, missing=counts.rule.missing).scores
    unit = {"mean": "in score", "mean_win_rate": "in win rate"}.get(counts.rule.name, "points")
    return f"{number(scores[winner] - max(scores[rival] for rival in rivals))} {unit}"
