"""What the commands about weights share: they read a table, ask of each model, tell at once, and write a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Annotated, TypeAlias, TypeVar

from weightlab._result import Result
from weightlab._text import shown
from weightlab.cli.inputs.names import meant
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.weights import Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import say
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp import WeightSpace
from weightlab.report.context import Unproved

R = TypeVar("R", bound=Result)
Models: TypeAlias = Annotated[list[str], model_option(help="The model; repeatable.")]


def ask_each(
    command: str,
    source: Source,
    names: Sequence[str],
    conditions: Conditions,
    ends: shared.Ends,
    *,
    ask: Callable[[Leaderboard, str, WeightSpace | None, Unproved], Iterable[R]],
    tell: Callable[[R], None],
) -> None:
    """Answer a question about each model that is named; what is not proved is told behind the others."""
    board = read_table(source, gaps_are_ties=True)
    space, unproved = conditions.space(board), Unproved()
    found: list[R] = []
    for model in meant_models(names, board):
        for one in unproved.ask(shown(model), partial(ask, board, model, space, unproved)) or ():
            if not ends.as_json:
                say(*([""] if found else []))
                tell(one)
            found.append(one)
    put_answer(command, found, board, source, ends)
    unproved.raise_if_any()


def put_answer(
    command: str,
    results: Sequence[Result],
    board: Leaderboard,
    source: Source,
    ends: shared.Written | shared.Ends,
    *,
    gaps_are_ties: bool = True,
) -> None:
    """Write the document of an answer, if there is one, with the head-to-heads that missing scores decide."""
    resting: tuple[Result, ...] = ()
    if gaps_are_ties and board.missing_cells:
        from weightlab.cli.options.rules import pairs_of_gaps  # noqa: PLC0415 - loads all rules

        resting = pairs_of_gaps(board)
    if results:
        put_document(command, (*results, *resting), source, ends)


def meant_models(names: Sequence[str], board: Leaderboard) -> tuple[str, ...]:
    """Return the models that are meant, or raise InputError that names every one which the table does not have."""
    found, faults = [], []
    for one in names:
        try:
            found.append(meant(one, board.models, "model"))
        except InputError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError([str(one) for one in faults])
    return tuple(dict.fromkeys(found))
