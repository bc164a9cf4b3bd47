"""``weightlab missing``: who wins whatever the missing scores are, and for some of their values."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from weightlab._text import counted, listed, shown
from weightlab.cli.inputs.bounds import bounds_of
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.shared import HERE, Ends
from weightlab.cli.options.table import Source, tasks
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import say, table
from weightlab.cli.win.each_model import put_answer
from weightlab.data.linear_rule import MAJORITY
from weightlab.lp import MissingScores
from weightlab.lp import missing as missing_of
from weightlab.report.text.result_tables import possible_rows

Between: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--between",
        metavar="[TASK=]LOW:HIGH",
        help="Range of the missing scores, such as 0:100, or of a task. Repeatable.",
        autocompletion=tasks,
    ),
]


def missing(
    source: Source,
    between: Between = None,
    rule: Annotated[
        str | None,
        shared.rule_option(
            help="Rule: majority, mean or borda. Default: the table's own.",
            autocompletion=shared.words(MAJORITY, "mean", "borda"),
        ),
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> None:
    """Find who wins by --rule whatever the missing scores are, and which score alone decides.

    Examples
    --------
    weightlab missing superglue.csv --rule majority
    weightlab missing superglue.csv --between 0:100 --max BoolQ=0.3
    """
    board = read_table(source, gaps_are_ties=False)
    rule = rule or shared.own_rule(board)
    space, bounds = conditions.space(board), bounds_of(between, board)
    found = missing_of(board, rule=rule, space=space, bounds=bounds, time_limit=ends.time_limit)
    if not ends.as_json:
        _tell(found)
    put_answer("missing", [found], board, source, ends, gaps_are_ties=False)


def _tell(found: MissingScores) -> None:
    """Print who by the rule can win, and the scores that decide alone."""
    say(shown(found), "")
    if (rows := possible_rows(found))[1]:
        say(table(*rows), "")
    for cell in found.cells or ():
        does = [f"rules out {listed(cell.rules_out)}"] if cell.rules_out else []
        does += [f"settles it for {listed(cell.settles)}"] if cell.settles else []
        say(f"{shown(cell.model)} on {shown(cell.task)}: some value {' and '.join(does)}")
    say(f"{counted(len(found.ranges), 'missing score')} counted as unknown.")
