"""``weightlab smallest``: the fewest tasks that keep the winner, the top or the whole order of today."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from weightlab._text import counted, percent, shown
from weightlab.cli.inputs.costs import read_costs
from weightlab.cli.inputs.gaps import of_whole
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import say, table
from weightlab.data import Leaderboard
from weightlab.lp import SmallestBenchmark, smallest_benchmark
from weightlab.report.text.result_tables import kept_rows


def smallest(
    source: Source,
    what: Annotated[str, typer.Option("--what", metavar="WHAT", help="Keep the winner, top or order.")] = "winner",
    k: Annotated[int, typer.Option("-k", metavar="N", help="Size of the top, with --what top.")] = 10,
    weighted: Annotated[
        str, typer.Option("--weighted", metavar="WHICH", help="Of the chosen tasks: free, today or equal.")
    ] = "free",
    rule: Annotated[
        str | None,
        shared.rule_option(help="mean, majority or a scoring rule such as borda [default: the table's own]."),
    ] = None,
    margin: Annotated[
        str,
        typer.Option("--margin", metavar="SHARE", help="Least lead, of the range of today's means (majority: weight)."),
    ] = "1/100",
    break_ties: Annotated[
        str | None, shared.expert("--break-ties", metavar="HOW", help="alphabetical or reverse; else ties are kept.")
    ] = None,
    sets: Annotated[int, shared.expert("--sets", metavar="N", help="Number of smallest sets to find.")] = 1,
    cost: Annotated[
        str | None, typer.Option("--cost", metavar="FILE", help="Costs (task,cost): find the cheapest set of tasks.")
    ] = None,
    tolerance: Annotated[
        int,
        typer.Option("--tolerance", metavar="N", help="With --what top or order: N of the models may fail."),
    ] = 0,
    missing: shared.Missing = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Find the fewest tasks under which the winner, the top k or the whole order stays what it is today.

    Examples
    --------
    weightlab smallest
    weightlab smallest superglue.csv --complete --what top -k 3
    weightlab smallest superglue.csv --complete --what order --rule majority --weighted equal
    weightlab smallest superglue.csv --complete --what top -k 3 --tolerance 1
    weightlab smallest superglue.csv --complete --json > proof.json
    """
    board = read_table(source, gaps_are_ties=rule == "majority")
    rule = rule or shared.own_rule(board)
    given: dict[str, Any] = {"keep": what, "k": k, "weights": weighted, "break_ties": break_ties, "margin": margin}
    given |= {"cost": None if cost is None else read_costs(cost, board), "tolerance": tolerance}

    def ask(one: Leaderboard) -> SmallestBenchmark:
        space = conditions.space(one)
        return smallest_benchmark(one, rule=rule, space=space, most=sets, time_limit=ends.time_limit, **given)

    if missing is None:
        found, _, source = of_whole(ask, board, source)
    else:
        given["missing"] = missing
        found = ask(board)
    if not put_document("smallest", (found,), source, ends):
        _show(found)


def _show(found: SmallestBenchmark) -> None:
    say(shown(found), "")
    say(table(*kept_rows(found)), "")
    for tasks in found.sets[1:]:
        say(f"Or: {', '.join(map(shown, tasks))}")
    fewer = [step for step in found.steps if len(step.tasks) < len(found.tasks or ())]
    rows = [[str(len(step.tasks)), percent(step.kept), ", ".join(map(shown, step.tasks))] for step in fewer]
    if rows:
        say(table(["with fewer tasks", "pairs kept", "such as"], rows, right=(0, 1)), "")
    believed = f"; optimality relies on the bound of {found.found.solver}" if found.found.solver else ""
    say(f"Proof checked in exact arithmetic: {counted(len(found.table.tasks), 'task')}{believed}.")
