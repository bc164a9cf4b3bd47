"""``weightlab map``: who wins where in the triangle of three weights."""

from __future__ import annotations

from typing import Annotated

import typer

from weightlab._result import told_of
from weightlab._text import shown
from weightlab.cli.inputs.gaps import read_for
from weightlab.cli.inputs.names import named
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source, tasks
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import say, table
from weightlab.cli.win.each_model import put_answer
from weightlab.exceptions import InputError
from weightlab.lp import WinnerMap, map_of_winners
from weightlab.report.text.result_tables import area_rows


def map(  # noqa: A001 - the command's name
    source: Source,
    axis: Annotated[
        list[str], typer.Option("--axis", metavar="TASK", help="A task or @GROUP; three times.", autocompletion=tasks)
    ],
    by: shared.ByRule = shared.BY_MAJORITY,
    conditions: Conditions = ANY_WEIGHTS,
    picture: Picture = NO_PICTURE,
    ends: shared.Written = shared.AT_ONCE,
) -> None:
    """Map who wins head-to-head, or by --rule, where in the triangle of three weights, as exact areas.

    Examples
    --------
    weightlab map --axis @accuracy --axis @robustness --axis @speed
    weightlab map superglue.csv --axis BoolQ --axis COPA --axis RTE --complete
    """
    picture.ensure(source, {"--output": ends.output})
    ruled = by.options
    board, source = read_for(source, ruled)
    space = conditions.space(board, ruled)
    with told_of("--axis", InputError):
        found = map_of_winners(board, [named(text, board) for text in axis], space=space, **ruled)
    if not ends.as_json:
        _tell(found)
    put_answer("map", [found], board, source, ends, gaps_are_ties=not ruled)
    picture.save_map(found, board)


def _tell(found: WinnerMap) -> None:
    say(shown(found), "", table(*area_rows(found)))
