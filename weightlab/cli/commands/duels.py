"""``weightlab duels``: who beats whom under all, some or no weights, and whether given ones can be won at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import pandas as pd
import typer

from weightlab._text import listed, shown
from weightlab.cli.inputs.names import meant, pairs_of
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import headed, note, say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp import Duels, PairShares, Realisation, WeightSpace, pair_shares, realise
from weightlab.lp import duels as duels_of
from weightlab.report.text.prospect import proof_line
from weightlab.report.text.result_tables import duel_rows, duels_of_rows, realisation_rows
from weightlab.report.text.words import mixture, weights_line

ROWS = 20
"""Rows shown unless --all is given."""

OF_ROWS = (
    "lead now: by the current weights, a share of the total weight. weight shift to tie: the least share of the weight "
    "that must shift until the two tie. share won: of 10,000 random weightings, those under which it wins."
)
"""What the columns of a model's head-to-heads mean."""


def duels(
    source: Source,
    model: Annotated[list[str] | None, model_option(help="Show each head-to-head of this model; repeatable.")] = None,
    want: Annotated[
        list[str] | None,
        typer.Option("--want", metavar='"A > B"', help="Weights under which A beats B, and all else wanted holds."),
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    every: Annotated[bool, typer.Option("--all", help=f"Every row of a table, not only {ROWS}.")] = False,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Prove who beats whom under all, some or no weights, or find weights that win given head-to-heads.

    Examples
    --------
    weightlab duels
    weightlab duels superglue.csv --complete --max BoolQ=0.3
    weightlab duels superglue.csv --model T5
    weightlab duels superglue.csv --want "T5 > ERNIE 3.0" --want "ERNIE 3.0 > NEZHA-Plus"
    """
    if model and want:
        raise InputError("--model shows a model's head-to-heads and --want asks for some to be won: say one of them")
    board = read_table(source)
    space = conditions.space(board)
    found = _found(board, want, space, ends.time_limit)
    chosen = list(dict.fromkeys(meant(name, board.models, "model") for name in model or []))
    pairs = [[(name, other) for other in board.models if other != name] for name in chosen]
    shares = [pair_shares(board, one, space=space, rng=0, time_limit=ends.time_limit) for one in pairs]
    if put_document("duels", (found, *shares), source, ends):
        return
    rows = (
        _show_realisation(found, every)
        if isinstance(found, Realisation)
        else _show(found, shares, every, board.weights)
    )
    if rows > ROWS and not every:
        note(f"{ROWS} of {rows} rows are shown; --all shows the others.")


def _found(
    board: Leaderboard, want: Sequence[str] | None, space: WeightSpace | None, time_limit: float | None
) -> Duels | Realisation:
    if not want:
        return duels_of(board, space=space, time_limit=time_limit)
    pairs = [pair for text in want for pair in pairs_of(text, "--want", board.models)]
    return realise(board, pairs, space=space, time_limit=time_limit)


def _show(found: Duels, shares: Sequence[PairShares], every: bool, weights: pd.Series) -> int:
    """Print who beats whom, and return how many rows each table has when it is whole."""
    most = None if every else ROWS
    say(shown(found), "")
    for one in shares:
        headings, rows, right = duels_of_rows(found, one, weights)
        say(table(headings, rows[:most], right=right), "")
    if not shares:
        headings, rows, right = duel_rows(found)
        say(table(headings, rows[:most], right=right), "")
    if shares:
        say(OF_ROWS, "")
    duels_proved = len(found.models) * (len(found.models) - 1) // 2
    say(proof_line(duels_proved, len(found.signs.tasks), found.space))
    return len(found.models) - bool(shares)


def _show_realisation(found: Realisation, every: bool) -> int:
    """Print whether the head-to-heads can be won, and return their number."""
    lines: list[tuple[str, list[str]]] = []
    heading = "Weights that do it" if found.holds else "Weights that come nearest"
    weights = [(str(task), weight) for task, weight in zip(found.space.tasks, found.weights.tolist(), strict=True)]
    lines.append((heading, [weights_line(weights)]))
    if not found.holds:
        named = [f"{upper} over {lower}" for upper, lower in found.duels]
        lines.append(("What rules it out", [mixture(list(zip(named, found.blockers, strict=True)))]))
        excluded = [pair for pair, share in zip(found.duels, found.blockers, strict=True) if share]
        if len(excluded) < len(found.duels):
            lines.append(("Not to blame", [listed(f"{a} over {b}" for a, b in found.duels if (a, b) not in excluded)]))
    headings, rows, right = realisation_rows(found)
    cut = rows if every else rows[:ROWS]
    say(shown(found), "", headed(lines), "", table(headings, cut, right=right), "")
    say(proof_line(len(found.duels), len(found.space.tasks), found.space))
    return len(rows)
