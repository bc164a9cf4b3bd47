"""``weightlab improve``: the least that a model must improve to win, task by task."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Literal

import typer

from weightlab._text import counted, shown
from weightlab.cli.options.shared import HERE, Ends
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import note, say, table
from weightlab.cli.win.each_model import Models, ask_each
from weightlab.data import Leaderboard
from weightlab.exceptions import ImpossibleError
from weightlab.lp import Upset, WeightSpace, upset
from weightlab.lp.improvement.improve import where_it_wins
from weightlab.report.context import Unproved
from weightlab.report.text.improvement import improvement_rows


def improve(
    source: Source,
    model: Models,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="Change the fewest results, whatever the scores; else scores by least.")
    ] = False,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> None:
    """Find the least that a model must improve to win: under today's weights, and under some (allowed) weights.

    Examples
    --------
    weightlab improve -m Bagging --tasks @speed
    weightlab improve superglue.csv --model T5 --complete
    weightlab improve superglue.csv --model T5 --complete --fewest --max BoolQ=0.3
    """
    unit: Literal["score", "result"] = "result" if fewest else "score"

    def ask(board: Leaderboard, name: str, space: WeightSpace | None, unproved: Unproved) -> Iterator[Upset]:
        questions: list[WeightSpace | Literal["any"] | None] = [None, "any"] if space is None else [space]
        for among in questions:
            question = partial(upset, board, name, space=among, kind=unit, time_limit=ends.time_limit)
            try:
                one = unproved.ask(f"{shown(name)}, {'today' if among is None else 'some weights'}", question)
            except ImpossibleError as error:
                if among is questions[-1]:
                    raise
                note(f"{shown(error)}.")
                continue
            yield from [] if one is None else [one]
            if one is not None and not one.cost:
                return

    ask_each("improve", source, model, conditions, ends, ask=ask, tell=_tell)


def _tell(found: Upset) -> None:
    if not found.cost:
        say(shown(found))
        return
    least = f"by the bound of {found.solver}" if found.solver else "proved"
    many = counted(len(found.improvements), "task")
    conditions = found.space.conditions_sentence if found.space is not None else ""
    where = where_it_wins(found.table, found.space)
    say(shown(f"{found.model} wins {where} with improvements on {many}, the least that will do ({least}).{conditions}"))
    say("", table(["task", "do", "score"], improvement_rows(found)))
