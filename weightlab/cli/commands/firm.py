"""``weightlab stability`` and ``weightlab duels``: what changes of weights do to a winner, a ranking, a pair."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from weightlab.cli import lazy
from weightlab.cli.options.shared import (
    HERE,
    LINEAR,
    Ends,
    Many,
    Missing,
    Ties,
    Views,
    completing,
    opt,
    own_rule,
    ruled,
)
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import NOTES, note
from weightlab.exceptions import InputError, NoWinnerError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard
    from weightlab.lp import PairShares, Stability
    from weightlab.views.view import View

DROPPED = ("tasks", "models")


def stability(
    source: Source,
    rule: Annotated[
        str | None,
        opt(
            *("--rule -r RULE", f"majority, {', '.join(LINEAR)} or points [default: the table's own]."),
            autocompletion=completing("majority", *LINEAR),
        ),
    ] = None,
    norm: Annotated[
        str | None,
        opt(
            "--norm NORM",
            "Only the total shift (l1) or the largest change (linf).",
            autocompletion=completing("l1", "linf"),
        ),
    ] = None,
    ties: Ties = None,
    missing: Missing = None,
    ranking: Annotated[bool, opt("--ranking", "Until when the whole ranking stays, not only its first place.")] = False,
    without_each: Annotated[
        str | None,
        opt(
            "--without-each WHAT", "Leave out each of the tasks (or models) in turn: who is first then.", known=DROPPED
        ),
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Find the least change of weights at which today's winner no longer wins, or a ranking changes.

    Examples
    --------
    weightlab stability superglue.csv --complete
    weightlab stability superglue.csv --without-each tasks
    weightlab stability superglue.csv --complete --rule mean --ranking
    weightlab stability superglue.csv --rule majority --norm linf --max BoolQ=0.3 --json > proof.json
    """
    board = lazy.read_table(source, gaps_are_ties=rule == "majority")
    if without_each is not None:
        if norm or ranking or conditions != ANY_WEIGHTS:
            raise InputError("--without-each asks of today's weights: no --norm, --ranking or condition")
        yield _without_each(board, rule or board.rule, without_each, {"ties": ties, "missing": missing})
        return
    asked = ruled(rule or own_rule(board), ties, missing, also=("majority",))
    board = lazy.whole_for(board, asked)
    options: dict[str, Any] = {"space": conditions.space(board, asked), "time_limit": ends.time_limit, "norm": norm}
    try:
        found = lazy.lp.stability(board, of="ranking" if ranking else "winner", **options, **asked)
    except NoWinnerError as error:
        other: Any = error.proof if error.nearest is None else error.nearest
        if not isinstance(other, lazy.lp.BrokenCycle | lazy.lp.Prospects):
            raise
        yield lazy.pairs.no_winner_view(other)
        return
    yield lazy.pairs.stability_view(
        found, NOTES.unproved.ask("share of weightings", partial(_shares, board, found, asked))
    )


def _shares(board: Leaderboard, found: Stability, asked: Mapping[str, Any]) -> PairShares | None:
    """Return under which share of weightings each pair keeps its order; None where none can be drawn."""
    try:
        return lazy.lp.pair_shares(board, found.pairs, **asked, space=found.space, rng=0)
    except InputError as error:
        note(f"No share of weightings: {error.message}.")
        return None


def _without_each(board: Leaderboard, name: str, drop: Any, options: Mapping[str, Any]) -> View:
    """Return who is first by a rule, which need not be linear, without each task or model."""
    given = {option: one for option, one in options.items() if one is not None}
    chosen = lazy.rules.rule("condorcet" if name == "majority" else name, **given)
    return lazy.order.leave_one_out_view(lazy.studies.leave_one_out(board, chosen, drop=drop))


def duels(
    source: Source,
    model: Annotated[Many, model_option("Show each head-to-head of this model. Repeatable.")] = None,
    want: Annotated[
        Many, opt('--want "A > B"', "Find weights under which A beats B. Repeat to require several.")
    ] = None,
    conditions: Conditions = ANY_WEIGHTS,
    ends: Ends = HERE,
) -> Views:
    """Prove who beats whom under all, some or no weights, or find weights that win given head-to-heads.

    Examples
    --------
    weightlab duels superglue.csv --model T5
    weightlab duels superglue.csv --want "T5 > ERNIE 3.0" --want "ERNIE 3.0 > NEZHA-Plus"
    weightlab duels
    weightlab duels superglue.csv --complete --max BoolQ=0.3
    """
    if model and want:
        raise InputError("--model shows a model's head-to-heads and --want asks for some to be won: say one of them")
    board = lazy.read_table(source)
    options: dict[str, Any] = {"space": conditions.space(board), "time_limit": ends.time_limit}
    if want:
        wanted = [pair for text in want for pair in lazy.pairs_of(text, "--want", board.models)]
        yield lazy.view_of(lazy.lp.realise(board, wanted, **options))
        return
    found = lazy.lp.duels(board, **options)
    each = [[(name, other) for other in board.models if other != name] for name in lazy.meant_models(model, board)]
    shares = [lazy.lp.pair_shares(board, one, rng=0, **options) for one in each]
    yield lazy.pairs.duels_view(found, shares, board.weights)
