"""Missing scores, one policy: head-to-head two models are compared on the tasks both have; other rules rank whole rows.

By a rule that needs every score a model without one is not ranked, and named, unless ``--missing`` says how it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from weightlab._cures import Fault
from weightlab._text import first_few, shown, without
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.cures import as_options
from weightlab.cli.terminal.show import NOTES
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.data.linear_rule import MAJORITY, LinearRule
from weightlab.exceptions import InputError, MissingScoresError

Found = TypeVar("Found")
Table = TypeVar("Table", bound=Leaderboard | Profile | Margins)
NAMED = 3
"""Models named in a sentence."""


def read_for(source: Source, ruled: Mapping[str, Any]) -> Leaderboard:
    """Return the table for a question about weights by a rule, head-to-head if ``ruled`` is empty.

    By a rule that needs every score these are the models that have all.
    """
    if not ruled or ruled["rule"] == MAJORITY:
        return read_table(source)
    return whole_for(read_table(source, gaps_are_ties=False), ruled)


def whole_for(board: Leaderboard, ruled: Mapping[str, Any]) -> Leaderboard:
    """Return the part of `read_for` for a table that is read."""
    leads = LinearRule.or_own(**ruled).leads
    if ruled.get("missing") == "error":
        leads(board)
    return of_whole(leads, board)[1]


def of_whole(ask: Callable[[Any], Found], board: Table) -> tuple[Found, Table]:
    """Ask a table; where the question needs every score, ask of the models that have all, and name the others.

    Raises
    ------
    MissingScoresError
        If fewer than two models have every score.
    """
    try:
        return ask(board), board
    except MissingScoresError as error:
        whole = only_whole(board, error)
        if whole is board:
            raise
        return ask(whole), whole


def only_whole(board: Table, error: MissingScoresError | None = None) -> Table:
    """Return a table's models that have every score, naming the others and how they are ranked; all where too few do.

    Gaps on tasks of weight 0 alone leave none out. A document says that the table is complete.
    """
    whole: Any = board
    if isinstance(board, Leaderboard) and any(board.weights[task] for _, task in board.missing_cells):
        with suppress(InputError):
            whole = board.complete()
    if whole is board:
        return board
    names = without(board.models, whole.models)
    many = f", {len(names):,} of {len(board.models):,} models" if len(names) > NAMED else ""
    ways = [cure for cure in (error.cure if error else ()) if cure.argument == "missing"]
    ways = [*ways[:-1], *(replace(one, effect="to rank all") for one in ways[-1:])]
    told = Fault(f"Not ranked (missing scores): {first_few(map(shown, names), NAMED)}{many}.", *ways)
    NOTES.behind_reading(told.told(as_options))
    NOTES.origin["complete"] = True
    return whole  # type: ignore[no-any-return]
