"""``weightlab shortlist``: the few models that always include a nearly best one, whatever the weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import typer

from weightlab._text import counted, listed, shown
from weightlab.cli.inputs.gaps import read_for
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import note, say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, UnprovedError
from weightlab.io import read_leaderboard
from weightlab.lp import Shortlist
from weightlab.lp import shortlist as shortlist_of
from weightlab.lp.choosing.shortlist import COSTS, SIZES
from weightlab.report.text.result_tables import shortlist_rows


def shortlist(
    source: Source,
    size: Annotated[
        int | None, typer.Option("--size", metavar="N", help="Number of models [default: up to 5].")
    ] = None,
    loss: Annotated[
        str | None,
        typer.Option("--loss", metavar="LOSS", help="Greatest loss: points, or 1% of each task's range."),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option("--cost", metavar="FILE", help="Costs, a table of one column: what each loss costs at least."),
    ] = None,
    among: Annotated[
        str | None, typer.Option("--among", metavar="NAME,NAME", help="Choose only from these models.")
    ] = None,
    rule: Annotated[str, shared.rule_option(help="mean, borda, dowdall, plurality, veto, or points.")] = "mean",
    ties: shared.Ties = None,
    missing: shared.Missing = None,
    conditions: Conditions = ANY_WEIGHTS,
    picture: Picture = NO_PICTURE,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Find the few models that always include one within a loss of the best, whatever the weights of the tasks.

    Examples
    --------
    weightlab shortlist
    weightlab shortlist superglue.csv --complete --size 3
    weightlab shortlist superglue.csv --complete --loss 1%
    weightlab shortlist superglue.csv --complete --cost prices.csv
    weightlab shortlist superglue.csv --complete --loss 1 --cost prices.csv --json > proof.json
    """
    picture.ensure(source, {"--output": ends.output})
    ruled = shared.ruled(rule, ties, missing)
    board, source = read_for(source, ruled)

    def put(found: Shortlist) -> None:
        if not put_document("shortlist", (found,), source, ends):
            _show(found)
        picture.save(found)

    try:
        found = shortlist_of(
            board,
            size=size,
            loss=loss,
            cost=None if cost is None else _costs(cost, board),
            among=None if among is None else [name.strip() for name in among.split(",")],
            space=conditions.space(board, ruled),
            time_limit=ends.time_limit,
            **ruled,
        )
    except (UnprovedError, KeyboardInterrupt) as error:
        if "result" in vars(error).get("known", {}):
            put(vars(error)["known"]["result"])
        raise
    put(found)


def _costs(file: str, board: Leaderboard) -> dict[str, Fraction]:
    """Return the cost of each model of a board, from a table of one column."""
    prices = read_leaderboard(file)
    if len(prices.tasks) != 1:
        raise InputError(f"--cost {file!r}: one column of costs is needed; got {len(prices.tasks)}")
    points = prices.points("scores")
    costs = {
        model: Fraction(int(one), points.denominator)
        for model, one in zip(points.models, points.numerators[:, 0], strict=True)
    }
    if others := [model for model in costs if model not in board.models]:
        note(f"Costs of models that the table does not have (with all scores) are not read: {listed(others, 8)}.")
    return {model: own for model, own in costs.items() if model in board.models}


def _show(found: Shortlist) -> None:
    say(shown(found), "")
    say(table(*shortlist_rows(found)), "")
    by_default = found.size is None and found.limit is None
    if by_default and found.loss and len(found.frontier) == (COSTS if found.costs else SIZES):
        more = "--loss LOSS for the cheapest set" if found.costs else "--size N, or --loss LOSS for the smallest set"
        note(f"More models come closer: {more} within a loss.")
    models, tasks = len(found.points.models), len(found.points.tasks)
    unproved = sorted({one.solver for one in found.frontier if one.solver})
    rests = f"; that no other set is better rests on {' and '.join(unproved)}" if unproved else ""
    say(f"Proof checked in exact arithmetic: {counted(models, 'model')}, {counted(tasks, 'task')}{rests}.")
