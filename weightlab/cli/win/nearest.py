"""``weightlab nearest``: of all weights under which a model wins, those that serve an objective best."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from weightlab import lp
from weightlab._exact import fraction
from weightlab._result import told_of
from weightlab._text import rounded, shown
from weightlab.cli.inputs.names import named
from weightlab.cli.options import shared
from weightlab.cli.options.shared import HERE, Ends
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import say, table
from weightlab.cli.win.each_model import Models, ask_each
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.report.context import Unproved
from weightlab.report.text.words import names_in_words

PLAIN: dict[str, Callable[[], lp.Objective]] = {
    "closest": lp.closest_to,
    "closest-linf": lambda: lp.closest_to(norm="linf"),
    "fewest-tasks": lp.fewest_tasks,
    "fewest-tasks-strict": lambda: lp.fewest_tasks(strict=True),
    "most-balanced": lp.most_balanced,
    "widest-margin": lp.widest_margin,
}
OF_A_TASK = {"least-weight": lp.least_weight, "most-weight": lp.most_weight}
OBJECTIVES = (*PLAIN, *(f"{name}=TASK" for name in OF_A_TASK))
"""What may be asked for."""


def nearest(
    source: Source,
    model: Models,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            metavar="NAME",
            help=f"What the weights serve best: {', '.join(OBJECTIVES)}; closest by default; repeated, in turn.",
            autocompletion=shared.words(*(name.removesuffix("TASK") for name in OBJECTIVES)),
        ),
    ] = None,
    margin: Annotated[str, typer.Option("--margin", metavar="SHARE", help="A win by at least this lead.")] = "0",
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> None:
    """Find the winning weights of a model that are nearest to today's, or serve another objective best.

    Examples
    --------
    weightlab nearest -m QDA
    weightlab nearest superglue.csv --model T5 --objective fewest-tasks --objective closest
    weightlab nearest superglue.csv --model T5 --objective least-weight=BoolQ --max RTE=0.3
    """

    def ask(board: Leaderboard, name: str, space: lp.WeightSpace | None, _: Unproved) -> Iterable[lp.Scenario]:
        goals = [_objective(text, board) for text in objective or ["closest"]]
        with told_of(f"--margin {margin!r}", InputError):
            least = fraction(margin)
        return [lp.scenario(board, name, goals, space=space, margin=least, time_limit=ends.time_limit)]

    ask_each("nearest", source, model, conditions, ends, ask=ask, tell=_tell)


def _objective(text: str, board: Leaderboard) -> lp.Objective:
    name, separator, task = text.partition("=")
    if not separator and name in PLAIN:
        return PLAIN[name]()
    if name in OF_A_TASK and task:
        with told_of(f"--objective {text!r}", InputError):
            return OF_A_TASK[name](named(task, board))
    raise InputError(f"--objective {text!r}: there are {', '.join(OBJECTIVES)} (a TASK may be @GROUP)")


def _tell(found: lp.Scenario) -> None:
    """Print the optimum in words, the weights, and the rivals that are nearest to a tie."""
    columns = [found.weights, *([found.strict_weights] if found.strict_weights is not None and found.slack else [])]
    rows = [
        (shown(task), *(f"{rounded(100 * weight, 2)}%" for weight in row))
        for task, *row in zip(found.tasks, *(one.tolist() for one in columns), strict=True)
        if any(row)
    ]
    tied = names_in_words([str(rival) for rival, lead in found.duels.items() if lead == found.margin], 5)
    say(shown(found), "", table(["task", "weight", "weight that wins"][: len(columns) + 1], rows, right=(1, 2)))
    if tied:
        say("", f"{'Leads by no more than was asked' if found.margin else 'Ties'}: {tied}.")
