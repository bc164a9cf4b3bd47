"""``weightlab robustness``: on how few tasks a model must rise to win, or how few must go before the winner falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any, cast, get_args

import typer

from weightlab._result import told_of
from weightlab._text import counted, first_few, listed, percent, rounded, shown, without
from weightlab.cli.inputs.gaps import only_whole
from weightlab.cli.inputs.names import meant
from weightlab.cli.inputs.tables import is_votes, read_ranked, read_table
from weightlab.cli.options import shared
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.terminal.documents import put_document
from weightlab.cli.terminal.show import note, say, table
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import ImpossibleError, InputError, UnprovedError
from weightlab.lp import FewestDrops, FewestLifts, LiftCounts, fewest_drops, fewest_lifts
from weightlab.lp.improvement.drop_search import Drop
from weightlab.lp.improvement.lift_rules import LIFT_RULES, LiftRule
from weightlab.lp.improvement.lifts import checked_level
from weightlab.report.context import Unproved
from weightlab.rules import rank
from weightlab.rules.ranking import score_text as digits

RULES = ("majority", "mean", "median", "mean_win_rate", "borda")
"""What is shown behind the table's own rule unless rules are named."""
MOST = 20_000_000
"""Largest number of scores times models for lifts of all models."""


def robustness(
    source: Source,
    rules: Annotated[
        list[str] | None,
        shared.rule_option(
            help="majority, mean, median, mean_win_rate or a scoring rule such as borda; repeatable.",
            autocompletion=shared.words(*LIFT_RULES),
        ),
    ] = None,
    model: Annotated[list[str] | None, model_option(help="Name the tasks to lift this model on; repeatable.")] = None,
    level: Annotated[
        str, typer.Option("--raise", metavar="LEVEL", help="Raise to the best score of the task, or by this much.")
    ] = "best",
    ties_ok: Annotated[bool, typer.Option("--ties-ok", help="Accept a tie for first.")] = False,
    leave_out: Annotated[
        str | None,
        typer.Option(
            "--leave-out",
            metavar="WHAT",
            help="Instead: how few tasks, models or votes must go before the winner falls behind.",
            callback=shared.one_of("--leave-out", get_args(Drop)),
            autocompletion=shared.words(*get_args(Drop)),
        ),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--pair", metavar="MODEL RIVAL", help="With --leave-out: before this model falls behind this one."
        ),
    ] = None,
    missing: shared.Missing = None,
    ends: shared.Ends = shared.HERE,
) -> None:
    """Find on how few tasks each model would have to rise to the best score to win, by several rules.

    Examples
    --------
    weightlab robustness
    weightlab robustness superglue.csv --complete
    weightlab robustness superglue.csv --complete --rule borda --model T5
    weightlab robustness superglue.csv --complete --leave-out tasks
    weightlab robustness superglue.csv --json > proof.json
    """
    votes = is_votes(source)
    lifted = {"--model": model, "--raise": level != "best", "--ties-ok": ties_ok}
    given = [option for option, value in lifted.items() if value] if votes or leave_out else ["--pair"] * bool(pair)
    if given:
        other = "drops" if votes or leave_out else "lifts; pass --leave-out too"
        raise InputError(f"{given[0]} does not apply to {other}")
    if votes or leave_out:
        _leave_out(source, rules, leave_out, pair, missing, ends)
        return
    board = read_table(source, gaps_are_ties=False)
    with told_of("--raise", InputError):
        checked_level(level)
    asked = _asked(board, rules, missing)
    if missing is None and set(asked) != {"majority"}:
        board, source = only_whole(board, source)
    named = [meant(one, board.models, "model") for one in model or []]
    if not named and len(board.models) ** 2 * len(board.tasks) > MOST:
        raise InputError(f"lifts of all of {len(board.models):,} models take too long; name some with --model")
    each = [(rule, name) for name in named or (None,) for rule in asked]
    options: dict[str, Any] = {"level": level, "ties": "ok" if ties_ok else "no", "time_limit": ends.time_limit}
    found, unproved = list[FewestLifts | LiftCounts](), Unproved()
    for rule, name in each:
        what = f"lifts {rule_words(rule)}{'' if name is None else f' of {name}'}"
        try:
            found.append(_lifts(board, rule, name, options | _gaps(rule, missing)))
        except UnprovedError as error:
            done = error.known.get("found", ())
            found += done
            unproved.add(f"{what}{_so_far(done, board)}", error)
    if not put_document("robustness", found, source, ends):
        counts = [one for one in found if isinstance(one, LiftCounts)]
        if named:
            say(*map(shown, found))
        elif counts:
            _show(board, counts)
    unproved.raise_if_any()


def _so_far(done: Sequence[FewestLifts], board: Leaderboard) -> str:
    """Return on how few tasks the models that were done in time must rise, in words."""
    if not done:
        return ""
    needs = [f"{shown(one.model)} {'never' if one.tasks is None else len(one.tasks)}" for one in done]
    return f", known of {len(done):,} of {counted(len(board.models), 'model')} ({first_few(needs)})"


def _show(board: Leaderboard, found: list[LiftCounts]) -> None:
    headings = ["rule", "half need at most", "fewest lifts", "needed by", "winner today", "lead"]
    say(f"Lifts that a model needs to win by each rule, of {counted(len(board.tasks), 'task')}", "")
    say(table(headings, _rows(found), right=(1, 2, 5)), "")
    solvers = sorted({one.solver for counts in found for one in counts.lifts.values() if one.solver})
    believed = f"; optimality relies in part on the bound of {' and '.join(solvers)}" if solvers else ""
    say(f"Proof checked in exact arithmetic: {len(board.models)} models by {counted(len(found), 'rule')}{believed}.")


def _asked(board: Leaderboard, rules: list[str] | None, missing: str | None) -> list[str]:
    """Return the rules that are named; else the table's own first, and the usual ones that take gaps as they are to."""
    if rules:
        return [_named(rule) for rule in rules]
    own = [board.rule] if board.rule in LIFT_RULES else []
    usual = [*own, *without(RULES, own)]
    taken = [rule for rule in usual if missing in (None, "error") or _takes(rule, missing)]
    if gone := without(usual, taken):
        note(f"Left out, as they take no --missing {missing}: {', '.join(gone)}.")
    return taken


def _takes(rule: str, missing: str) -> bool:
    return rule == "majority" or LiftRule.of(rule).other_way == missing


def _gaps(rule: str, missing: str | None) -> dict[str, Any]:
    """Return a rule's treatment of missing scores; head-to-head they are always ties."""
    return {} if missing is None or rule == "majority" else {"missing": missing}


def _read_for_drops(
    source: Source, rules: list[str] | None, missing: str | None
) -> tuple[Leaderboard | Margins, Source, list[str]]:
    """Read a score table or votes, and return the requested rules."""
    read = read_ranked(source)
    if isinstance(read, Profile):
        raise InputError("orders have no tasks to leave out; a score table or votes are needed")
    board: Leaderboard | Margins = read
    if isinstance(board, Margins):
        if missing is not None:
            raise InputError("--missing is of scores; leave it out")
        return board, source, [*map(_named, rules or ("majority",))]
    asked = _asked(board, rules, missing)
    if missing is None and set(asked) != {"majority"}:
        board, source = only_whole(board, source)
    return board, source, asked


def _leave_out(
    source: Source,
    rules: list[str] | None,
    what: str | None,
    pair: tuple[str, str] | None,
    missing: str | None,
    ends: shared.Ends,
) -> None:
    board, source, asked = _read_for_drops(source, rules, missing)
    drop: Any = what or "votes"
    two: Any = tuple(meant(one, board.models, "model") for one in pair or ()) or None
    found, refused, unproved = list[FewestDrops](), list[str](), Unproved()
    for rule in asked:
        try:
            found.append(fewest_drops(board, rule, drop=drop, pair=two, **_gaps(rule, missing)))
        except ImpossibleError as error:
            found.append(error.proof)
        except UnprovedError as error:
            unproved.add(f"how few {drop} must go {rule_words(rule)}", error)
        except InputError as error:
            if rules or drop == "votes":
                raise
            refused.append(error.message)
    if not found:
        unproved.raise_if_any()
        raise InputError(refused[0])
    for text in refused:
        note(f"{text[:1].upper()}{text[1:]}.")
    if not put_document("robustness", found, source, ends):
        _show_drops(board, found, drop, pair)
    unproved.raise_if_any()


def _show_drops(
    board: Leaderboard | Margins, found: Sequence[FewestDrops], drop: str, pair: tuple[str, str] | None
) -> None:
    whose = f"{pair[0]} is behind {pair[1]}" if pair else "the winner is behind a rival"
    say(f"How many {drop} must be left out before {whose}", "")
    headings = ["rule", "ahead today", "leave out", "then ahead", "such as"]
    rows = [
        [str(one.rule), one.model, "never" if one.count is None else f"{one.count:,}", one.rival or "", _names(one)]
        for one in found
    ]
    say(table(headings, [[shown(cell) for cell in row] for row in rows], right=(2,)), "")
    say(f"Proof checked in exact arithmetic: {len(board.models)} models by {counted(len(found), 'rule')}.")


def _names(found: FewestDrops) -> str:
    if found.votes is not None and found.share is not None:
        return f"{percent(found.share)} of all votes, won against {found.rival}"
    return first_few(found.dropped or (), 3) if found.count is not None else found.why_never


def _named(rule: str) -> str:
    return rule.lower().replace("-", "_")


def _lifts(board: Leaderboard, rule: str, model: str | None, options: dict[str, Any]) -> FewestLifts | LiftCounts:
    try:
        return fewest_lifts(board, model, rule, **options)
    except ImpossibleError as error:
        return cast("FewestLifts", error.proof)


def _rows(found: list[LiftCounts]) -> Iterator[list[str]]:
    for counts in found:
        median = "never" if counts.median is None else str(counts.median)
        fewest = str(counts.counts[counts.fewest[0]]) if counts.fewest else "never"
        winners = [model for model, one in counts.lifts.items() if one.tasks == ()]
        lead = _lead(counts, winners[0]) if len(winners) == 1 else ""
        by = listed(counts.fewest, 2)
        yield [str(counts.rule), median, fewest, by, listed(winners, 2) or "none", lead]


def _lead(counts: LiftCounts, winner: str) -> str:
    """Return by how much the winner leads the second today: a share of the weight, or what the rule counts."""
    board, rivals = counts.table, [one for one in counts.table.models if one != winner]
    if counts.rule.name == "majority":
        margins = board.margins()
        least = min(margins.margin(winner, rival) for rival in rivals) / sum(board.weights, Fraction(0))
        return f"{rounded(100 * least, 1)}% of the weight"
    if counts.rule.name == "median":
        medians = dict(zip(board.models, counts.medians, strict=True))
        return f"{digits(medians[winner] - max(medians[rival] for rival in rivals))} in score"
    scores = rank(board, counts.rule.name, missing=counts.rule.missing).scores
    unit = {"mean": "in score", "mean_win_rate": "in win rate"}.get(counts.rule.name, "in points")
    return f"{digits(scores[winner] - max(scores[rival] for rival in rivals))} {unit}"
