"""``weightlab robustness``: on how few tasks a model must rise to win, or how few must go before the winner falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from weightlab._text import first_few, without
from weightlab.cli import lazy
from weightlab.cli.options.shared import EXPERT, HERE, Ends, Many, Missing, Views, completing, opt
from weightlab.cli.options.table import Source, model_option
from weightlab.cli.terminal.show import NOTES, note
from weightlab.exceptions import ImpossibleError, InputError, UnprovedError

if TYPE_CHECKING:
    from weightlab.data import Leaderboard, Margins

RULES = ("majority", "mean", "median", "mean_win_rate", "borda")
"""What is shown behind the table's own rule unless rules are named."""
DROPS = ("tasks", "models", "votes")
MOST = 20_000_000
"""Largest number of scores times models for lifts of all models."""


def robustness(
    source: Source,
    rules: Annotated[
        Many,
        opt(
            *("--rule -r RULE", "majority, mean, median, mean_win_rate or a scoring rule such as borda. Repeatable."),
            autocompletion=completing(*RULES),
        ),
    ] = None,
    model: Annotated[Many, model_option("List the tasks on which this model must improve. Repeatable.")] = None,
    level: Annotated[str, opt("--raise LEVEL", "Raise to the best score of the task, or by this much.")] = "best",
    ties_ok: Annotated[bool, opt("--ties-ok", "Accept a tie for first.", EXPERT)] = False,
    leave_out: Annotated[
        str | None,
        opt(
            "--leave-out WHAT",
            "Instead: how few tasks, models or votes must go before the winner falls behind.",
            known=DROPS,
        ),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None,
        opt("--pair MODEL RIVAL", "With --leave-out: before this model falls behind this one.", EXPERT),
    ] = None,
    missing: Missing = None,
    ends: Ends = HERE,
) -> Views:
    """Find on how few tasks each model would have to rise to the best score to win, by several rules.

    Examples
    --------
    weightlab robustness superglue.csv --complete
    weightlab robustness superglue.csv --complete --leave-out tasks
    weightlab robustness
    weightlab robustness superglue.csv --complete --rule borda --model T5
    """
    votes = lazy.is_votes(source)
    lifted = {"--model": model, "--raise": level != "best", "--ties-ok": ties_ok}
    given = [option for option, value in lifted.items() if value] if votes or leave_out else ["--pair"] * bool(pair)
    if given:
        other = "drops" if votes or leave_out else "lifts; pass --leave-out too"
        raise InputError(f"{given[0]} does not apply to {other}")
    if votes or leave_out:
        yield from _drops(source, rules, leave_out or "votes", pair, missing)
        return
    from weightlab.lp.improvement.lifts import checked_level

    board = lazy.read_table(source, gaps_are_ties=False)
    with lazy.told_of("--raise", InputError):
        checked_level(level)
    board, asked = _asked(board, rules, missing)
    named = [lazy.meant(one, board.models, "model") for one in model or []]
    if not named and len(board.models) ** 2 * len(board.tasks) > MOST:
        raise InputError(f"lifts of all of {len(board.models):,} models take too long; name some with --model")
    options: dict[str, Any] = {"level": level, "ties": "ok" if ties_ok else "no", "time_limit": ends.time_limit}
    yield from _lifts(board, asked, named, missing, options)


def _lifts(board: Leaderboard, asked: Sequence[str], named: Sequence[str], missing: str | None, options: Any) -> Views:
    """Yield each named model's lifts by each rule, or those of all models in one table."""
    found: list[Any] = []
    for rule, name in [(rule, name) for name in named or (None,) for rule in asked]:
        what = f"lifts {lazy.rule_words(rule)}{'' if name is None else f' of {name}'}"
        done: list[Any]
        try:
            done = [lazy.lp.fewest_lifts(board, name, rule, **options, **_gaps(rule, missing))]
        except ImpossibleError as error:
            done = [error.proof]
        except UnprovedError as error:
            done = list(error.known.get("found", ()))
            NOTES.unproved.add(f"{what}{_so_far(done, board)}", error)
        found += done
        for one in done if named else ():
            yield lazy.View(headline=str(one), results=[one], close=True)
    if found and not named:
        yield lazy.weights.lifts_view(board, found)


def _so_far(done: Sequence[Any], board: Leaderboard) -> str:
    """Return on how few tasks the models that were done in time must rise, in words."""
    if not done:
        return ""
    needs = [f"{one.model} {'never' if one.tasks is None else len(one.tasks)}" for one in done]
    return f", known of {len(done):,} of {len(board.models):,} models ({first_few(needs)})"


def _asked(board: Any, rules: Many, missing: str | None) -> tuple[Any, list[str]]:
    """Return the table and the rules that are named; else its own first, and the usual ones that take its gaps."""
    from weightlab.lp.improvement.lift_rules import LIFT_RULES, LiftRule

    if rules:
        taken = [rule.lower().replace("-", "_") for rule in rules]
    else:
        own = [board.rule] if board.rule in LIFT_RULES else []
        usual = [*own, *without(RULES, own)]
        free = missing in (None, "error")
        taken = [rule for rule in usual if free or rule == "majority" or LiftRule.of(rule).other_way == missing]
        if gone := without(usual, taken):
            note(f"Left out, as they take no --missing {missing}: {', '.join(gone)}.")
    if missing is None and set(taken) != {"majority"}:
        board = lazy.only_whole(board)
    return board, taken


def _gaps(rule: str, missing: str | None) -> dict[str, Any]:
    """Return a rule's treatment of missing scores; head-to-head they are always ties."""
    return {} if missing is None or rule == "majority" else {"missing": missing}


def _drops(source: Source, rules: Many, drop: Any, pair: tuple[str, str] | None, missing: str | None) -> Views:
    """Yield how few tasks, models or votes must go before a winner falls behind."""
    board: Any = lazy.read_ranked(source)
    if isinstance(board, lazy.data.Profile):
        raise InputError("orders have no tasks to leave out; a score table or votes are needed")
    if isinstance(board, lazy.data.Margins):
        if missing is not None:
            raise InputError("--missing is of scores; leave it out")
        asked = [rule.lower().replace("-", "_") for rule in rules or ("majority",)]
    else:
        board, asked = _asked(board, rules, missing)
    two: Any = tuple(lazy.meant(one, board.models, "model") for one in pair or ()) or None
    found, refused = _dropped(board, asked, drop, two, missing, named=bool(rules))
    if not found:
        NOTES.unproved.raise_if_any()
        raise InputError(refused[0])
    for text in refused:
        note(f"{text[:1].upper()}{text[1:]}.")
    yield lazy.weights.drops_view(board, found, drop, pair)


def _dropped(
    board: Leaderboard | Margins, asked: Sequence[str], drop: Any, two: Any, missing: str | None, *, named: bool
) -> tuple[list[Any], list[str]]:
    found, refused = list[Any](), list[str]()
    for rule in asked:
        try:
            found.append(lazy.lp.fewest_drops(board, rule, drop=drop, pair=two, **_gaps(rule, missing)))
        except ImpossibleError as error:
            found.append(error.proof)
        except UnprovedError as error:
            NOTES.unproved.add(f"how few {drop} must go {lazy.rule_words(rule)}", error)
        except InputError as error:
            if named or drop == "votes":
                raise
            refused.append(error.message)
    return found, refused
