"""``weightlab stability``: how far weights must move before today's winner, or a ranking, changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, TypeAlias, get_args

import typer

from weightlab._text import listed, shown
from weightlab._validate import one_of
from weightlab.cli.inputs.gaps import whole_for
from weightlab.cli.inputs.tables import read_table
from weightlab.cli.options import shared
from weightlab.cli.options.plot import NO_PICTURE, Picture
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import headed, note, say, table
from weightlab.data import Leaderboard
from weightlab.data.linear_rule import MAJORITY
from weightlab.exceptions import InputError, NoWinnerError
from weightlab.lp import BrokenCycle, PairShares, Prospects, Stability, WeightSpace, pair_shares
from weightlab.lp import stability as stability_of
from weightlab.report.context import Unproved
from weightlab.report.text.prospect import proof_line
from weightlab.report.text.stability import change_rows, first_lines, nearest_lines
from weightlab.rules import Rule
from weightlab.rules import rule as registered
from weightlab.studies import LeaveOneOut, leave_one_out
from weightlab.studies.firmness.leave_one_out import Dropped

ROWS = 20
"""Rows shown unless --all is given."""
Answer: TypeAlias = Stability | BrokenCycle | Prospects
"""What may be found: without a winner the nearest weights with one, or the proof that no weights have one."""


def stability(
    source: Source,
    rule: Annotated[
        str | None,
        shared.rule_option(
            help="majority, mean, borda, plurality, veto, dowdall or points [default: the table's own].",
            autocompletion=shared.words("majority", *shared.LINEAR),
        ),
    ] = None,
    norm: Annotated[
        str | None,
        typer.Option(
            "--norm",
            metavar="NORM",
            help="Only the weight to move (l1) or the largest change (linf).",
            autocompletion=shared.words("l1", "linf"),
        ),
    ] = None,
    ties: shared.Ties = None,
    missing: shared.Missing = None,
    ranking: Annotated[
        bool, typer.Option("--ranking", help="Until when the whole ranking stays, not only its first place.")
    ] = False,
    without_each: Annotated[
        str | None,
        typer.Option(
            "--without-each",
            metavar="WHAT",
            help="Leave out every one of the tasks (or models) in turn: who is first then, and what decides it.",
            autocompletion=shared.words("tasks", "models"),
        ),
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    every: Annotated[bool, typer.Option("--all", help=f"Every row of the table, not only {ROWS}.")] = False,
    picture: Picture = NO_PICTURE,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Find the least change of weights at which today's winner no longer wins, or a ranking changes.

    Examples
    --------
    weightlab stability superglue.csv --complete
    weightlab stability superglue.csv --complete --rule mean --ranking
    weightlab stability superglue.csv --rule majority --norm linf --max BoolQ=0.3 --json > proof.json
    weightlab stability superglue.csv --without-each tasks
    """
    picture.ensure(source, {"--output": ends.output})
    board = read_table(source, gaps_are_ties=rule == MAJORITY)
    if without_each is not None:
        if norm or ranking or conditions != ANY_WEIGHTS:
            raise InputError("--without-each asks of today's weights: no --norm, --ranking or condition")
        drop: Dropped = one_of("--without-each", without_each, get_args(Dropped))
        chosen = _any_rule(rule or board.rule, {"ties": ties, "missing": missing})
        each = leave_one_out(board, chosen, drop=drop)
        _without_each(each, source, ends, every=every)
        picture.save(each)
        return
    ruled = shared.ruled(rule or shared.own_rule(board), ties, missing, also=(MAJORITY,))
    board, source = whole_for(board, source, ruled)
    space = conditions.space(board, ruled)
    found = _found(
        board, {**ruled, "of": "ranking" if ranking else "winner"}, norm, space=space, time_limit=ends.time_limit
    )
    unproved = Unproved()
    shares = unproved.ask("share kept", partial(_shares, board, found, ruled)) if isinstance(found, Stability) else None
    if not put_document("stability", (found, shares) if shares else (found,), source, ends):
        rows = _show(found, shares, every=every)
        if rows > ROWS and not every:
            note(f"{ROWS} of {rows} rows are shown; --all shows the others.")
    picture.save(found)
    unproved.raise_if_any()


def _shares(board: Leaderboard, found: Stability, ruled: Mapping[str, Any]) -> PairShares | None:
    """Return under which share of weightings each pair keeps its order; None where none can be drawn."""
    try:
        return pair_shares(board, found.pairs, **ruled, space=found.space, rng=0)
    except InputError as error:
        note(f"No share kept: {error.message}.")
        return None


def _any_rule(name: str, options: Mapping[str, Any]) -> Rule:
    """Return the requested rule; here it need not be linear."""
    given = {option: one for option, one in options.items() if one is not None}
    return registered("condorcet" if name == MAJORITY else name, **given)


def _without_each(found: LeaveOneOut, source: Source, ends: shared.Destination, *, every: bool) -> None:
    """Print or write who is first without each task or model."""
    if put_document("stability", (found,), source, ends):
        return
    say(shown(str(found)), "")
    frame = found.to_frame()
    headings = [f"without this {found.drop.removesuffix('s')}", "first", f"swaps in the top {found.top}"]
    more = bool(frame["now complete"].any())
    rows = [
        [name, first, str(swaps), *([complete] if more else [])]
        for name, first, swaps, _, complete in frame.itertuples(name=None)
    ]
    say(table([*headings, *(["now complete, not ranked"] if more else [])], rows if every else rows[:ROWS], right=[2]))
    if found.left_out:
        say("", f"Not ranked (missing scores): {listed(found.left_out)}.")
    if len(rows) > ROWS and not every:
        note(f"{ROWS} of {len(rows)} rows are shown; --all shows the others.")


def _found(
    board: Leaderboard,
    ruled: Mapping[str, Any],
    norm: str | None,
    *,
    space: WeightSpace | None,
    time_limit: float | None,
) -> Answer:
    """Return the result; without a winner, the nearest weights with one, or the proof that there are none."""
    try:
        return stability_of(board, norm=norm, space=space, time_limit=time_limit, **ruled)
    except NoWinnerError as error:
        found = error.proof if error.nearest is None else error.nearest
        if not isinstance(found, BrokenCycle | Prospects):
            raise
        return found


def _show(found: Answer, shares: PairShares | None, *, every: bool) -> int:
    """Print the answer, and return how many rows its table has when it is whole."""
    if isinstance(found, BrokenCycle | Prospects):
        if isinstance(found, BrokenCycle):
            say("No model beats all others under today's weights.", "", headed(nearest_lines(found)))
        else:
            say("No model beats all others under today's weights, nor under any allowed weights.", shown(found), "")
        models = found.signs.models if isinstance(found, BrokenCycle) else found.models
        say(proof_line(len(models) * (len(models) - 1), len(found.space.tasks), found.space))
        return 0
    headings, rows, right = change_rows(found, shares)
    say(shown(found), "")
    if firsts := list(first_lines(found)):
        say(headed(firsts), "")
    say(table(headings, rows if every else rows[:ROWS], right=right), "")
    if shares is not None:
        say("share kept: of 10,000 random weightings, those under which it stays ahead.")
    say(proof_line(len(rows), len(found.space.tasks), found.space))
    return len(rows)
